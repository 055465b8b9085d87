//! Variables with their types, arrays spread out to their elements, and symbolic constants.
//!
//! Contract: variables are numbered in the order of declaration, instance by instance in the order of [`InstanceId`];
//! bounds and widths may use definitions and parameters, as far as those are constant.

use crate::thresholds::flatten::MAX_VARIABLES;
use std::collections::HashSet;

use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::{Entity, Flattener, InstanceId, Items};
use crate::ast::{Expr, ExprId, Item, TypeExpr, VariableKind};
use crate::codes;
use flat::model::{Domain, SymbolId, Value, Variable, VariableId, WIDEST_WORD};

impl<'a> Flattener<'a> {
    /// Every name that an enumeration or `CONSTANTS` makes a constant.
    pub(super) fn declare_constants(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        for (_, items) in instances {
            for item in items {
                match item {
                    Item::Constants(names) => {
                        for name in names {
                            self.symbol(&name.name, name.span);
                        }
                    }
                    Item::Variables(_, list) => {
                        for declaration in list {
                            self.declare_constants_of(&declaration.r#type);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn declare_constants_of(&mut self, r#type: &TypeExpr) {
        match r#type {
            TypeExpr::Enumeration(values) => {
                for &value in values {
                    if let Expr::Name(name) = self.tree.get(value) {
                        let span = self.tree.span(value);
                        self.symbol(&name.clone(), span);
                    }
                }
            }
            TypeExpr::Array(_, _, element) => self.declare_constants_of(element),
            _ => {}
        }
    }

    pub(super) fn symbol(&mut self, name: &str, span: Span) -> SymbolId {
        if let Some((symbol, _)) = self.symbols.get(name) {
            return *symbol;
        }
        let symbol = SymbolId(u32::try_from(self.model.symbols.len()).expect("fewer than 2^32 symbols"));
        self.model.symbols.push(name.to_owned());
        self.symbols.insert(name.to_owned(), (symbol, span));
        symbol
    }

    pub(super) fn declare_variables(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        for (instance, items) in instances {
            for item in items {
                let Item::Variables(kind, list) = item else { continue };
                for declaration in list {
                    if matches!(declaration.r#type, TypeExpr::Instance { .. }) {
                        continue;
                    }
                    let name = self.full_name(*instance, &declaration.name.name);
                    let entity = self.declare(
                        *instance,
                        name,
                        *kind,
                        &declaration.r#type,
                        declaration.name.span,
                        declaration.type_span,
                    );
                    self.bind(*instance, &declaration.name.name, entity, declaration.name.span);
                }
            }
        }
        self.warn_of_shadowed_constants(instances);
    }

    fn declare(
        &mut self,
        instance: InstanceId,
        name: String,
        kind: VariableKind,
        r#type: &TypeExpr,
        span: Span,
        type_span: Span,
    ) -> Entity {
        if let TypeExpr::Array(low, high, element) = r#type {
            let (Some(low), Some(high)) = (self.constant(*low, instance), self.constant(*high, instance)) else {
                return Entity::Wrong;
            };
            if low > high {
                self.error(
                    codes::EMPTY_RANGE,
                    type_span,
                    "this array has no elements",
                    format!("{low} is above {high}"),
                );
                return Entity::Wrong;
            }
            let room = MAX_VARIABLES.saturating_sub(self.model.variables.len());
            if usize::try_from(high - low).is_ok_and(|gap| gap < room) {
                let mut elements = Vec::new();
                for index in low..=high {
                    if self.is_exhausted() {
                        return Entity::Wrong;
                    }
                    let name = format!("{name}[{index}]");
                    elements.push(self.declare(instance, name, kind, element, span, type_span));
                }
                return Entity::Array(low, elements.into());
            }
            let message = format!("the model has more than {MAX_VARIABLES} variables");
            self.error(codes::TOO_MANY_INSTANCES, type_span, message, "with the elements of this array");
            return Entity::Wrong;
        }
        let Some(domain) = self.domain(instance, r#type, type_span) else { return Entity::Wrong };
        Entity::Variable(self.add_variable(Variable { name, kind, domain, span }))
    }

    fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.model.variables.push(variable);
        VariableId(u32::try_from(self.model.variables.len() - 1).expect("fewer than 2^32 variables"))
    }

    fn domain(&mut self, instance: InstanceId, r#type: &TypeExpr, span: Span) -> Option<Domain> {
        match r#type {
            TypeExpr::Boolean => Some(Domain::Boolean),
            TypeExpr::Range(low, high) => {
                let (low, high) = (self.constant(*low, instance), self.constant(*high, instance));
                let (low, high) = (low?, high?);
                if low > high {
                    self.error(codes::EMPTY_RANGE, span, "this range has no values", format!("{low} is above {high}"));
                    return None;
                }
                Some(Domain::Range(low, high))
            }
            TypeExpr::Word(signed, width) => {
                let at = self.tree.span(*width);
                let width = self.constant(*width, instance)?;
                Some(Domain::Word(*signed, self.check_width(width, at)?))
            }
            TypeExpr::Enumeration(values) => self.enumeration(instance, values, span),
            TypeExpr::Array(..) | TypeExpr::Instance { .. } | TypeExpr::Wrong => None,
        }
    }

    pub(super) fn check_width(&mut self, width: i64, span: Span) -> Option<u32> {
        match u32::try_from(width) {
            Ok(width @ 1..=WIDEST_WORD) => Some(width),
            _ => {
                let message = format!("a word cannot be {width} bits wide");
                self.error(codes::BAD_WIDTH, span, message, format!("must be 1 to {WIDEST_WORD}"));
                None
            }
        }
    }

    fn enumeration(&mut self, instance: InstanceId, list: &[ExprId], span: Span) -> Option<Domain> {
        let mut values = Vec::new();
        let mut seen = HashSet::new();
        for &value in list {
            let at = self.tree.span(value);
            let new = match self.tree.get(value) {
                Expr::Name(name) => vec![Value::Symbol(self.symbol(&name.clone(), at))],
                Expr::Boolean(value) => vec![Value::Boolean(*value)],
                Expr::Range(low, high) => {
                    let (low, high) = (self.constant(*low, instance)?, self.constant(*high, instance)?);
                    (low..=high).take(MAX_VARIABLES).map(Value::Integer).collect()
                }
                _ => vec![Value::Integer(self.constant(value, instance)?)],
            };
            for value in new {
                if !seen.insert(value.clone()) {
                    let finding = Diagnostic::warning(codes::IGNORED_DUPLICATE, at, "this value is listed twice")
                        .here("already in the list");
                    self.diagnostics.push(finding);
                } else {
                    values.push(value);
                }
            }
        }
        if values.is_empty() {
            self.error(codes::EMPTY_RANGE, span, "this enumeration has no values", "empty");
            return None;
        }
        let booleans = values.iter().filter(|value| matches!(value, Value::Boolean(_))).count();
        if booleans == values.len() {
            return (booleans == 2).then_some(Domain::Boolean).or(Some(Domain::Values(values)));
        }
        if booleans > 0 {
            self.error(codes::INCOMPATIBLE_TYPES, span, "truth values mixed with other values", "in this enumeration");
            return None;
        }
        Some(Domain::Values(values))
    }

    fn warn_of_shadowed_constants(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        let mut findings: Vec<Diagnostic> = Vec::new();
        for (instance, items) in instances {
            for item in items {
                let Item::Variables(_, list) = item else { continue };
                for declaration in list {
                    let name = &declaration.name;
                    if matches!(declaration.r#type, TypeExpr::Instance { .. } | TypeExpr::Array(..)) {
                        continue;
                    }
                    if let Some((_, first)) = self.symbols.get(&name.name)
                        && self.instance(*instance).names.contains_key(&name.name)
                    {
                        let finding = Diagnostic::warning(
                            codes::SHADOWED_CONSTANT,
                            name.span,
                            format!("`{}` is also a constant of an enumeration", name.name),
                        )
                        .here("in this module the name means the variable")
                        .label(*first, "the constant");
                        if !findings.contains(&finding) {
                            findings.push(finding);
                        }
                    }
                }
            }
        }
        self.diagnostics.append(&mut findings);
    }

    /// The input that chooses the process to move, where there are processes besides `main`.
    pub(super) fn declare_selector(&mut self) {
        if self.processes.len() < 2 {
            return;
        }
        let span = self.instance(InstanceId(0)).module.name.span;
        let mut values = Vec::new();
        for index in 0..self.processes.len() {
            let path = self.instance(self.processes[index]).path.clone();
            let name = if path.is_empty() { "main" } else { &path };
            values.push(Value::Symbol(self.symbol(name, span)));
        }
        let name = "_process_selector_".to_owned();
        let domain = Domain::Values(values.clone());
        let selector = self.add_variable(Variable { name: name.clone(), kind: VariableKind::Input, domain, span });
        self.bind(InstanceId(0), &name, Entity::Variable(selector), span);
        self.selector = Some((selector, values));
    }
}
