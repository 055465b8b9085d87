//! The order in which NuSMV knows variables: that of the text, with the variables of an instance where the instance is
//! declared. The flat model lists the variables of a module before those of its instances.

use checker::smv::Input;
use flat::model::VariableId;
use kernel::budget::Budget;
use smv::ast::{File, Item, Module, TypeExpr};
use std::collections::HashMap;

/// The most instances that are followed; beyond them the order is that of the flat model.
const MOST: usize = 1 << 20;

/// The variables of a model in NuSMV's order.
#[must_use]
pub fn order(input: &Input) -> Vec<VariableId> {
    let model = &input.model;
    let mut ids: Vec<VariableId> = model.variable_ids().collect();
    let Some(file) = input.sources.files().next() else { return ids };
    let Ok((tree, _)) = smv::parse::parse(file, input.sources.text(file), &Budget::unlimited()) else { return ids };
    let mut places = Places { tree: &tree, ranks: HashMap::new() };
    if let Some(main) = places.module("main") {
        places.visit(main, "", 0);
    }
    let rank = |id: &VariableId| {
        let path = without_indices(&model.variable(*id).name);
        places.ranks.get(&path).copied().unwrap_or(usize::MAX)
    };
    ids.sort_by_key(|id| (rank(id), *id));
    ids
}

/// A name without the indices of arrays: all elements stand where the array is declared.
fn without_indices(name: &str) -> String {
    let mut depth = 0_usize;
    let mut keeps = |character: char| {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    name.chars().filter(|character| keeps(*character)).collect()
}

/// The places of declarations, by path.
struct Places<'t> {
    tree: &'t File,
    ranks: HashMap<String, usize>,
}

impl<'t> Places<'t> {
    fn module(&self, name: &str) -> Option<&'t Module> {
        self.tree.modules.iter().find(|module| module.name.name == name)
    }

    /// Visits a module below a path. The model was accepted, so instances do not contain themselves.
    fn visit(&mut self, module: &'t Module, path: &str, depth: usize) {
        for item in &module.items {
            match item {
                Item::Isa(name) if depth < MOST => {
                    if let Some(inherited) = self.module(&name.name) {
                        self.visit(inherited, path, depth + 1);
                    }
                }
                Item::Variables(_, declarations) => {
                    for declaration in declarations {
                        let name = &declaration.name.name;
                        let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                        let mut kind = &declaration.r#type;
                        while let TypeExpr::Array(_, _, element) = kind {
                            kind = element;
                        }
                        let instance = match kind {
                            TypeExpr::Instance { module, .. } => self.module(&module.name),
                            _ => None,
                        };
                        match instance {
                            Some(instance) if self.ranks.len() < MOST => self.visit(instance, &full, depth + 1),
                            _ => {
                                let rank = self.ranks.len();
                                self.ranks.entry(full).or_insert(rank);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_an_instance_stand_where_it_is_declared() {
        let text = "MODULE main VAR a : boolean; s : sub; b : array 0..1 of boolean; t : sub; FROZENVAR f : boolean;
                    MODULE sub VAR x : boolean; VAR y : 0..3;";
        let model = checker::Model::smv("m.smv", text).expect("accepted").into_smv().expect("an SMV model");
        let order = order(&model);
        let names: Vec<&str> = order.iter().map(|id| model.model.variable(*id).name.as_str()).collect();
        assert_eq!(names, ["a", "s.x", "s.y", "b[0]", "b[1]", "t.x", "t.y", "f"]);
    }
}
