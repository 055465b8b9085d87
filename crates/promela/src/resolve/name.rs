//! Resolves names, and reports names that are not declared.

use super::{Global, Resolver};
use crate::ast::Ident;
use crate::codes;
use crate::typed::{LocalId, VarRef};
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;
use std::sync::Arc;

/// The names that the language declares.
pub(super) const PREDEFINED: &[&str] = &["_", "_pid", "_nr_pr", "_last", "_priority", "np_"];

/// The meaning of a name in an expression.
pub(super) enum Meaning {
    Variable(VarRef),
    /// An index into the symbols.
    Symbol(usize),
}

impl Resolver {
    /// Enters a name into the table of globals, or reports that it is there already.
    pub(super) fn declare_global(&mut self, name: &Ident, global: Global) -> bool {
        if PREDEFINED.contains(&&*name.name) {
            self.report(
                Diagnostic::error(codes::REDECLARED, name.span, format!("`{}` is predefined", name.name))
                    .here("cannot be declared")
                    .hint("choose another name"),
            );
            return false;
        }
        if self.globals.contains_key(&name.name) {
            let first = self.declared[&name.name];
            self.redeclared(name, first);
            return false;
        }
        self.globals.insert(name.name.clone(), global);
        self.declared.insert(name.name.clone(), name.span);
        true
    }

    pub(super) fn redeclared(&mut self, name: &Ident, first: Span) {
        self.report(
            Diagnostic::error(codes::REDECLARED, name.span, format!("`{}` is declared twice", name.name))
                .here("second declaration")
                .label(first, "first declaration")
                .hint("rename one of them"),
        );
    }

    /// The innermost local variable of that name.
    fn local(&self, name: &str) -> Option<LocalId> {
        let body = self.body.as_ref()?;
        body.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The meaning of a name as a value; reports a name that is not declared.
    pub(super) fn meaning(&mut self, name: &Ident) -> Option<Meaning> {
        if let Some(local) = self.local(&name.name) {
            return Some(Meaning::Variable(VarRef::Local(local)));
        }
        match self.globals.get(&name.name) {
            Some(Global::Variable(id)) => Some(Meaning::Variable(VarRef::Global(*id))),
            Some(Global::Symbol(index)) => Some(Meaning::Symbol(*index)),
            Some(Global::Record(_)) => self.wrong_kind(name, "a record type", "a variable"),
            Some(Global::Proc(_)) => self.wrong_kind(name, "a proctype", "a variable"),
            None => {
                self.undeclared(name);
                None
            }
        }
    }

    fn wrong_kind(&mut self, name: &Ident, is: &str, wanted: &str) -> Option<Meaning> {
        let declared = self.declared[&name.name];
        self.report(
            Diagnostic::error(codes::WRONG_KIND, name.span, format!("`{}` is {is}, not {wanted}", name.name))
                .here(format!("{wanted} is expected here"))
                .label(declared, "declared here"),
        );
        None
    }

    /// Reports a name at its first use; the others are the same mistake.
    fn undeclared(&mut self, name: &Ident) {
        if !self.unknown.insert(name.name.clone()) {
            return;
        }
        let mut known: Vec<&str> = self.globals.iter().filter(|(_, g)| is_value(**g)).map(|(n, _)| &**n).collect();
        if let Some(body) = &self.body {
            known.extend(body.scopes.iter().flat_map(|scope| scope.keys().map(|n| &**n)));
        }
        known.extend(PREDEFINED);
        known.sort_unstable();
        let mut finding = Diagnostic::error(codes::UNDECLARED, name.span, format!("`{}` is not declared", name.name))
            .here("not found in this scope");
        let words = ["true", "false", "skip", "timeout", "else", "break"];
        if let Some(defined) = self.functions.get(&name.name) {
            finding = finding
                .label(*defined, "a macro of this name takes arguments")
                .hint(format!("write `{}(…)` with its arguments", name.name));
        } else if &*name.name == "STDIN" {
            finding = finding.hint("to read characters in a simulation, declare `chan STDIN;` outside all processes");
        } else if let Some(near) = near::nearest(&name.name, known) {
            finding = finding.hint(format!("did you mean `{near}`?"));
        } else if let Some(near) = near::nearest(&name.name, words) {
            finding = finding.hint(format!("did you mean `{near}`?"));
        } else if let Some(declared) = self.declared_elsewhere(&name.name) {
            finding = finding.label(declared, "declared here, but not visible from there");
        } else if let (true, Some(symbols)) = (looks_like_macro(&name.name), self.some_symbols()) {
            finding = finding.hint(format!(
                "if `{0}` is a symbol, add it to the `mtype` of {symbols}; if a macro, write `#define {0} …`",
                name.name
            ));
        } else if looks_like_macro(&name.name) {
            finding = finding.hint(format!(
                "if `{0}` is meant to be a macro, write `#define {0} …`; if a symbol, declare it with `mtype`",
                name.name
            ));
        } else if let Some(symbols) = self.some_symbols() {
            finding = finding.hint(format!(
                "declare it, for instance `byte {};`; if it is a symbol, add it to the `mtype` of {symbols}",
                name.name
            ));
        } else {
            finding = finding.hint(format!("declare it, for instance `byte {};`", name.name));
        }
        self.report(finding);
    }

    /// The first symbols, for a hint; `None` if the program has none.
    fn some_symbols(&self) -> Option<String> {
        let names: Vec<String> =
            self.program.symbols.iter().take(3).map(|symbol| format!("`{}`", symbol.name)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// A local variable of that name in any process definition.
    fn declared_elsewhere(&self, name: &str) -> Option<Span> {
        let all = self.program.procs.iter().flat_map(|proc| proc.locals.iter());
        all.filter(|variable| variable.name == name).map(|variable| variable.span).next()
    }

    /// Brings a local variable into the innermost scope.
    pub(super) fn declare_local(&mut self, name: &Ident, id: LocalId) {
        let proc = self.body().proc.0 as usize;
        let scopes = &self.body().scopes;
        let same = scopes.last().and_then(|scope| scope.get(&name.name)).copied();
        let outer = scopes.iter().rev().skip(1).find_map(|scope| scope.get(&name.name)).copied();
        let place_of = |id: LocalId| self.program.procs[proc].locals[id.0 as usize].span;
        if let Some(first) = same {
            let first = place_of(first);
            self.redeclared(name, first);
        } else if let Some(hidden) = outer.map(place_of).or(self.declared.get(&name.name).copied()) {
            self.report(
                Diagnostic::warning(codes::SHADOWED, name.span, format!("`{}` hides another declaration", name.name))
                    .here("this one counts from here on")
                    .label(hidden, "the other one"),
            );
        }
        let key: Arc<str> = name.name.clone();
        self.body().scopes.last_mut().expect("a body has a scope").insert(key, id);
    }
}

fn is_value(global: Global) -> bool {
    matches!(global, Global::Variable(_) | Global::Symbol(_))
}

fn looks_like_macro(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
