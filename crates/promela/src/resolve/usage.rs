//! Variables that are declared and never named again, and mtype sets that nobody declared.

use super::Resolver;
use crate::codes;
use crate::typed::{ProcId, Type, VarRef, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;
use std::collections::HashSet;

impl Resolver {
    /// Notes that a variable is named.
    pub(super) fn mark_used(&mut self, base: VarRef, proc: Option<ProcId>) {
        if let Some(span) = self.variable(base, proc).map(|variable| spelling(variable.span)) {
            self.used.insert(span);
        }
    }

    /// Warns about variables that were never named. Parameters are left out: a proctype may have to
    /// take what it does not need.
    pub(super) fn report_unused(&mut self) {
        let program = &self.program;
        let locals = program.procs.iter().flat_map(|proc| proc.locals.iter().skip(proc.params as usize));
        let mut seen: HashSet<(u32, u32, u32)> = HashSet::new();
        let mut findings = Vec::new();
        for variable in program.globals.iter().chain(locals) {
            let spelt = spelling(variable.span);
            let hidden = variable.name.starts_with('_');
            if self.used.contains(&spelt) || hidden || !seen.insert(spelt) {
                continue;
            }
            findings.push(
                Diagnostic::warning(
                    codes::UNUSED,
                    variable.span,
                    format!("variable `{}` is never used", variable.name),
                )
                .here("declared here")
                .hint("remove it: every variable makes every state larger"),
            );
        }
        self.diagnostics.extend(findings);
    }

    /// Warns about `mtype:name` where no set of that name has symbols.
    pub(super) fn report_unknown_sets(&mut self) {
        let program = &self.program;
        let sets: Vec<&str> = program.symbols.iter().filter_map(|symbol| symbol.set.as_deref()).collect();
        let fields = program.records.iter().flat_map(|record| record.fields.iter());
        let locals = program.procs.iter().flat_map(|proc| proc.locals.iter());
        let all = program.globals.iter().chain(fields).chain(locals);
        let unknown = |variable: &Variable| match &variable.ty {
            Type::Mtype(Some(set)) if !sets.contains(&set.as_str()) => Some((set.clone(), variable.span)),
            _ => None,
        };
        let mut findings = Vec::new();
        for (set, span) in all.filter_map(unknown) {
            let finding = Diagnostic::warning(codes::MTYPE_UNKNOWN, span, format!("there is no mtype set `{set}`"))
                .here("no symbol can be assigned to this");
            findings.push(match near::nearest(&set, sets.iter().copied()) {
                Some(near) => finding.hint(format!("did you mean `mtype:{near}`?")),
                None => finding.hint(format!("declare its symbols with `mtype:{set} = {{ … }}`")),
            });
        }
        self.diagnostics.extend(findings);
    }
}

/// The place of a name, through whatever macro or inline it came: an inline called twice declares
/// its variables twice at one place.
fn spelling(span: Span) -> (u32, u32, u32) {
    (span.file.0, span.lo, span.hi)
}
