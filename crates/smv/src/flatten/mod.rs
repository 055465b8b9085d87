//! The tree to the flat, checked [`Model`]: instances, parameters, processes, arrays and names resolved, types checked.
//!
//! Contract: gives a model if and only if there was no error; reports all errors it can tell apart at once, and nothing
//! about what follows from an earlier one. Order of work, one file each:
//!
//! 1. `instance`: the tree of module instances, their parameters and plain definitions, then definitions of parts of
//!    other instances (`left.ack := …`);
//! 2. `declare`: variables with their types, arrays spread out, symbolic constants;
//! 3. `resolve`: what a name or path means in an instance;
//! 4. `typing`, `operators`: expressions to typed nodes, each expression once per instance;
//! 5. `assign`: assignments; processes become a choice by `_process_selector_`; double and circular assignments;
//! 6. `property`: properties and fairness.
//!
//! The meaning is that of `docs/semantics-smv.md`. Tested by `symbolic/tests/mistakes.rs` (golden diagnostics) and, for the
//! meaning, by the enumerator.

mod assign;
mod declare;
mod instance;
mod operators;
mod property;
mod resolve;
mod typing;

use crate::thresholds::flatten::{BYTES_PER_NODE, BYTES_PER_VARIABLE};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::Span;

use crate::ast::{self, ExprId, Item, Module, Tree};
use crate::codes;
use flat::evaluate::Space;
use flat::model::{Define, DefineId, Model, NodeId, SymbolId, Value, VariableId};

/// A property given beside the text, about the names of `main`.
#[derive(Clone, Debug)]
pub struct Given {
    /// The name of the property.
    pub name: String,
    /// Its section, with expressions in the tree of the text.
    pub item: Item,
}

/// The model of a tree with further properties, if no diagnostic is an error, and all diagnostics. `start` is where the
/// text begins.
///
/// # Errors
/// The limit of the budget that was exhausted.
pub fn flatten(
    file: &ast::File,
    given: &[Given],
    start: Span,
    budget: &Budget,
) -> Result<(Option<Model>, Vec<Diagnostic>), Exhausted> {
    let mut flattener = Flattener::new(file, budget);
    if let Some(main) = flattener.modules.get("main").copied() {
        flattener.run(main, given);
    } else {
        let (span, here) = match file.modules.last() {
            Some(module) => (module.name.span, "the last module of the text"),
            None => (start, "there are no modules at all"),
        };
        let finding = Diagnostic::error(codes::NO_MAIN, span, "there is no module `main`")
            .here(here)
            .hint("the module that holds the whole model must be called `main`");
        flattener.diagnostics.push(finding);
    }
    let accepted = flattener.modules.contains_key("main")
        && flattener.diagnostics.iter().all(|finding| finding.severity == Severity::Warning);
    budget.check_now(flattener.bytes())?;
    Ok((accepted.then_some(flattener.model), flattener.diagnostics))
}

/// A module instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct InstanceId(u32);

/// A process: `main` or an instance declared with `process`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct ProcessId(u32);

/// What a name can stand for.
#[derive(Clone, Debug)]
enum Entity {
    Variable(VariableId),
    Define(DefineId),
    Instance(InstanceId),
    /// The first index, and the elements from there on.
    Array(i64, Rc<[Entity]>),
    /// An actual parameter: an expression of another instance.
    Parameter(ExprId, InstanceId),
    Constant(SymbolId),
    /// Whether a process is the one that moves.
    Running(ProcessId),
    /// Something an earlier diagnostic is about.
    Wrong,
}

struct Instance<'a> {
    /// The path from `main`, empty for `main` itself.
    path: String,
    module: &'a Module,
    names: HashMap<String, (Entity, Span)>,
    process: ProcessId,
}

/// A definition before its body is resolved.
struct Pending {
    body: ExprId,
    instance: InstanceId,
    state: PendingState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PendingState {
    Untouched,
    Active,
    Done,
}

struct Flattener<'a> {
    budget: &'a Budget,
    tree: &'a Tree,
    modules: HashMap<&'a str, &'a Module>,
    module_names: Vec<&'a str>,
    instances: Vec<Instance<'a>>,
    /// For each instance, its place in an order in which every instance follows its parts.
    after_parts: Vec<u32>,
    processes: Vec<InstanceId>,
    /// The input that says which process moves, where there is more than `main`.
    selector: Option<(VariableId, Vec<Value>)>,
    pending: Vec<Pending>,
    /// Definitions being resolved, the innermost last.
    active: Vec<DefineId>,
    symbols: HashMap<String, (SymbolId, Span)>,
    /// The node of each expression in each instance.
    resolved: HashMap<(ExprId, InstanceId), Option<NodeId>>,
    /// Expressions being resolved, one inside the other.
    depth: u32,
    /// Paths being followed, one inside the other.
    following: u32,
    model: Model,
    /// For the values of constants.
    space: Space,
    diagnostics: Vec<Diagnostic>,
    /// The codes and places of diagnostics that are reported once.
    reported: HashSet<(&'static str, Span)>,
}

/// The parts of a module with those it inherits by `ISA`, in order.
type Items<'a> = Vec<&'a Item>;

impl<'a> Flattener<'a> {
    fn new(file: &'a ast::File, budget: &'a Budget) -> Self {
        let mut flattener = Flattener {
            budget,
            tree: &file.tree,
            modules: HashMap::new(),
            module_names: Vec::new(),
            instances: Vec::new(),
            after_parts: Vec::new(),
            processes: Vec::new(),
            selector: None,
            pending: Vec::new(),
            active: Vec::new(),
            symbols: HashMap::new(),
            resolved: HashMap::new(),
            depth: 0,
            following: 0,
            model: Model::default(),
            space: Space::default(),
            diagnostics: Vec::new(),
            reported: HashSet::new(),
        };
        for module in &file.modules {
            flattener.add_module(module);
        }
        flattener
    }

    fn add_module(&mut self, module: &'a Module) {
        let name = module.name.name.as_str();
        if let Some(first) = self.modules.get(name) {
            let finding = Diagnostic::error(
                codes::DUPLICATE_MODULE,
                module.name.span,
                format!("module `{name}` is defined twice"),
            )
            .here("defined again here")
            .label(first.name.span, "first defined here");
            self.diagnostics.push(finding);
            return;
        }
        self.modules.insert(name, module);
        self.module_names.push(name);
    }

    fn run(&mut self, main: &'a Module, given: &[Given]) {
        if !self.instantiate_all(main) {
            return;
        }
        let instances: Vec<(InstanceId, Items<'a>)> = self.all_items();
        self.define_parts(&instances);
        self.declare_constants(&instances);
        self.declare_variables(&instances);
        self.declare_selector();
        for define in 0..self.pending.len() {
            if self.is_exhausted() {
                return;
            }
            self.resolve_define(DefineId(u32::try_from(define).expect("counted in u32")));
        }
        self.constraints(&instances);
        self.assignments(&instances);
        self.properties(&instances);
        for one in given {
            self.stated(Some(&one.name), &one.item, InstanceId(0));
        }
    }

    fn all_items(&mut self) -> Vec<(InstanceId, Items<'a>)> {
        let ids: Vec<InstanceId> =
            (0..u32::try_from(self.instances.len()).expect("few instances")).map(InstanceId).collect();
        ids.into_iter().map(|id| (id, self.items_of(self.instance(id).module))).collect()
    }

    /// Whether a limit of the budget is exhausted: then what is resolved is useless, and [`flatten`] reports the limit.
    fn is_exhausted(&self) -> bool {
        let count = self.model.node_count() + self.model.variables.len();
        let is_due = count.is_multiple_of(1 << 10);
        (if is_due { self.budget.check_now(self.bytes()) } else { self.budget.check() }).is_err()
    }

    /// Bytes in use, roughly.
    fn bytes(&self) -> u64 {
        (self.model.node_count() * BYTES_PER_NODE + self.model.variables.len() * BYTES_PER_VARIABLE) as u64
    }

    fn instance(&self, id: InstanceId) -> &Instance<'a> {
        &self.instances[id.0 as usize]
    }

    fn full_name(&self, instance: InstanceId, name: &str) -> String {
        let path = &self.instance(instance).path;
        if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, here: impl Into<String>) {
        self.reported.insert((code, span));
        self.diagnostics.push(Diagnostic::error(code, span, message).here(here));
    }

    /// Binds a name in an instance, unless it is bound already.
    fn bind(&mut self, instance: InstanceId, name: &str, entity: Entity, span: Span) {
        let names = &mut self.instances[instance.0 as usize].names;
        if let Some((_, bound)) = names.get(name) {
            // Kinds of declarations are bound one after the other, which need not be the order of the text.
            let (first, again) = if bound.lo <= span.lo { (*bound, span) } else { (span, *bound) };
            let finding = Diagnostic::error(codes::DUPLICATE_NAME, again, format!("`{name}` is declared twice"))
                .here("declared again here")
                .label(first, "first declared here");
            self.report_once(finding);
            return;
        }
        names.insert(name.to_owned(), (entity, span));
    }

    /// A definition whose body is resolved when first needed.
    fn add_define(&mut self, name: String, body: ExprId, instance: InstanceId, span: Span) -> DefineId {
        let id = DefineId(u32::try_from(self.pending.len()).expect("fewer than 2^32 definitions"));
        self.pending.push(Pending { body, instance, state: PendingState::Untouched });
        self.model.defines.push(Define { name, body: NodeId(u32::MAX), span });
        id
    }
}
