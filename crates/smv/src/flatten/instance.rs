//! The tree of module instances with their parameters and definitions.
//!
//! Contract: instances are numbered in the order of declaration, each before its parts; `main` is number 0. A module
//! that contains itself is reported, and so is a model with more instances than [`MAX_INSTANCES`].

use crate::thresholds::flatten::{MAX_INSTANCES, MAX_NESTING};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::{Entity, Flattener, Instance, InstanceId, Items, ProcessId};
use crate::ast::{Expr, ExprId, Item, Module, Named, TypeExpr};
use crate::codes;
use kernel::near::nearest;

/// An instance whose own parts are still to be made, with the modules it lies in.
struct Unfinished<'a> {
    instance: InstanceId,
    enclosing: Vec<&'a str>,
}

impl<'a> Flattener<'a> {
    /// Makes all instances; false if that is impossible.
    pub(super) fn instantiate_all(&mut self, main: &'a Module) -> bool {
        if let Some(parameter) = main.parameters.first() {
            let message = "module `main` cannot have parameters";
            self.error(codes::WRONG_ARGUMENT_COUNT, parameter.span, message, "nobody gives it a value");
            return false;
        }
        self.instances.push(Instance {
            path: String::new(),
            module: main,
            names: Default::default(),
            process: ProcessId(0),
        });
        self.processes.push(InstanceId(0));
        let mut unfinished = vec![Unfinished { instance: InstanceId(0), enclosing: vec!["main"] }];
        while let Some(next) = unfinished.pop() {
            if self.is_exhausted() {
                return false;
            }
            let mut parts = self.instantiate_parts(&next);
            if self.instances.len() > MAX_INSTANCES {
                let message = format!("the model has more than {MAX_INSTANCES} module instances");
                self.error(codes::TOO_MANY_INSTANCES, main.name.span, message, "in this model");
                return false;
            }
            parts.reverse();
            unfinished.append(&mut parts);
        }
        true
    }

    /// The parts of a module with those it inherits by `ISA`, each inherited module once.
    pub(super) fn items_of(&self, module: &'a Module) -> Items<'a> {
        let mut items = Vec::new();
        let mut seen = vec![module.name.name.as_str()];
        let mut pending: Vec<&'a Item> = module.items.iter().rev().collect();
        while let Some(item) = pending.pop() {
            match item {
                Item::Isa(parent) => {
                    if let Some(parent) = self.modules.get(parent.name.as_str())
                        && !seen.contains(&parent.name.name.as_str())
                    {
                        seen.push(&parent.name.name);
                        pending.extend(parent.items.iter().rev());
                    }
                }
                _ => items.push(item),
            }
        }
        items
    }

    fn instantiate_parts(&mut self, unfinished: &Unfinished<'a>) -> Vec<Unfinished<'a>> {
        let instance = unfinished.instance;
        let module = self.instance(instance).module;
        let mut parts = Vec::new();
        for item in &module.items {
            if let Item::Isa(parent) = item {
                self.module(parent);
            }
        }
        for item in self.items_of(module) {
            match item {
                Item::Variables(_, list) => {
                    for declaration in list {
                        if let TypeExpr::Instance { process, module, arguments } = &declaration.r#type {
                            let made = self.instantiate(unfinished, &declaration.name, *process, module, arguments);
                            parts.extend(made);
                        }
                    }
                }
                Item::Defines(list) => {
                    for &(target, body) in list {
                        if let Expr::Name(name) = self.tree.get(target) {
                            let span = self.tree.span(target);
                            let define = self.add_define(self.full_name(instance, name), body, instance, span);
                            let entity = self.define_entity(define, body, instance);
                            self.bind(instance, name, entity, span);
                        }
                    }
                }
                _ => {}
            }
        }
        parts
    }

    /// A definition by a list is an array of expressions.
    fn define_entity(&mut self, define: super::DefineId, body: ExprId, instance: InstanceId) -> Entity {
        match self.tree.get(body) {
            Expr::List(_) => {
                self.pending[define.0 as usize].state = super::PendingState::Done;
                Entity::Parameter(body, instance)
            }
            _ => Entity::Define(define),
        }
    }

    fn module(&mut self, name: &Named) -> Option<&'a Module> {
        let found = self.modules.get(name.name.as_str()).copied();
        if found.is_none() {
            let mut finding = Diagnostic::error(codes::UNKNOWN_MODULE, name.span, format!("no module `{}`", name.name))
                .here("not defined in this text");
            if matches!(name.name.as_str(), "int" | "byte" | "short" | "nat" | "bit") {
                finding = finding.hint("numbers have a range, such as `0..255`; one bit is a `boolean` or a `word[1]`");
            } else if let Some(near) = nearest(&name.name, self.module_names.iter().copied().chain(["boolean"])) {
                finding = finding.hint(format!("did you mean `{near}`?"));
            }
            self.report_once(finding);
        }
        found
    }

    fn instantiate(
        &mut self,
        unfinished: &Unfinished<'a>,
        name: &Named,
        process: bool,
        module_name: &Named,
        arguments: &[ExprId],
    ) -> Option<Unfinished<'a>> {
        let parent = unfinished.instance;
        let Some(module) = self.module(module_name) else {
            self.bind(parent, &name.name, Entity::Wrong, name.span);
            return None;
        };
        if unfinished.enclosing.contains(&module.name.name.as_str()) {
            let message = format!("module `{}` contains an instance of itself", module.name.name);
            self.error(codes::RECURSIVE_MODULE, module_name.span, message, "this would never end");
            self.bind(parent, &name.name, Entity::Wrong, name.span);
            return None;
        }
        if unfinished.enclosing.len() > MAX_NESTING {
            let message = format!("module instances nest more than {MAX_NESTING} deep");
            self.error(codes::TOO_MANY_INSTANCES, module_name.span, message, "at this instance");
            self.bind(parent, &name.name, Entity::Wrong, name.span);
            return None;
        }
        let id = InstanceId(u32::try_from(self.instances.len()).expect("few instances"));
        let enclosing_process = self.instance(parent).process;
        let process = if process {
            self.processes.push(id);
            ProcessId(u32::try_from(self.processes.len() - 1).expect("few processes"))
        } else {
            enclosing_process
        };
        let path = self.full_name(parent, &name.name);
        self.instances.push(Instance { path, module, names: Default::default(), process });
        self.bind(parent, &name.name, Entity::Instance(id), name.span);
        self.bind_parameters(id, module, parent, arguments, module_name.span);
        let mut enclosing = unfinished.enclosing.clone();
        enclosing.push(&module.name.name);
        Some(Unfinished { instance: id, enclosing })
    }

    fn bind_parameters(
        &mut self,
        id: InstanceId,
        module: &'a Module,
        parent: InstanceId,
        arguments: &[ExprId],
        span: Span,
    ) {
        if module.parameters.len() != arguments.len() {
            let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
            let message = format!(
                "module `{}` has {}, but {} given",
                module.name.name,
                plural(module.parameters.len(), "parameter"),
                if arguments.len() == 1 { "1 is".to_owned() } else { format!("{} are", arguments.len()) },
            );
            let finding = Diagnostic::error(codes::WRONG_ARGUMENT_COUNT, span, message)
                .here("in this instance")
                .label(module.name.span, "defined here");
            self.report_once(finding);
        }
        for (index, parameter) in module.parameters.iter().enumerate() {
            let entity = arguments.get(index).map_or(Entity::Wrong, |&argument| Entity::Parameter(argument, parent));
            self.bind(id, &parameter.name, entity, parameter.span);
        }
    }

    /// Definitions of parts of other instances, such as `left.ack := q.out`, bound where they belong.
    pub(super) fn define_parts(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        for (instance, items) in instances {
            for item in items {
                let Item::Defines(list) = item else { continue };
                for &(target, body) in list {
                    match self.tree.get(target) {
                        Expr::Name(_) => {}
                        Expr::Dot(owner, name) => self.define_part(*instance, *owner, name, target, body),
                        _ => {
                            let span = self.tree.span(target);
                            self.error(
                                codes::NOT_ASSIGNABLE,
                                span,
                                "this cannot be defined",
                                "neither a name nor a part",
                            );
                        }
                    }
                }
            }
        }
    }

    fn define_part(&mut self, instance: InstanceId, owner: ExprId, name: &str, target: ExprId, body: ExprId) {
        let span = self.tree.span(target);
        match self.entity(owner, instance) {
            Entity::Instance(owner) => {
                let define = self.add_define(self.full_name(owner, name), body, instance, span);
                let entity = self.define_entity(define, body, instance);
                self.bind(owner, name, entity, span);
            }
            Entity::Wrong => {}
            _ => {
                self.error(codes::NOT_AN_INSTANCE, span, "only parts of module instances can be defined", "no instance")
            }
        }
    }
}
