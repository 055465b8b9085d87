//! What the checked program shows that names and types do not: mistakes in the flow of control,
//! and things that are allowed but probably not meant.
//!
//! One file per finding; each walks the program, and all findings are put into the order of the text.

mod claim;
mod d_step;
mod format;
mod jump;
mod reachable;

use crate::typed::{Program, Seq, StmtKind};
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;

/// All findings about a program whose names and types are right.
///
/// # Errors
/// The limit that ended the work.
pub(crate) fn lint(program: &Program, budget: &Budget) -> Result<Vec<Diagnostic>, Exhausted> {
    let mut findings = Vec::new();
    for check in [claim::check, jump::check, reachable::check, d_step::check, format::check] {
        budget.check()?;
        check(program, &mut findings);
    }
    findings.sort_by_key(|finding| (finding.primary.span.file, finding.primary.span.lo));
    Ok(findings)
}

/// The sequences inside a statement.
fn parts(kind: &StmtKind) -> Vec<&Seq> {
    match kind {
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().collect(),
        StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => vec![body],
        StmtKind::Unless(body, escape) => vec![body, escape],
        _ => Vec::new(),
    }
}
