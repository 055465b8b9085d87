//! `printf` whose text and values do not fit together.
//!
//! The output is defined then (section 9 of `docs/semantics-promela.md`), but probably not intended.

use super::parts;
use crate::codes;
use crate::typed::{Program, Seq, Stmt, StmtKind};
use kernel::diagnostic::Diagnostic;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    for proc in &program.procs {
        sequence(program, &proc.body, findings);
    }
}

fn sequence(program: &Program, body: &Seq, findings: &mut Vec<Diagnostic>) {
    for statement in body {
        if let StmtKind::Printf(format, arguments) = &statement.kind {
            printf(program, statement, format, arguments.len(), findings);
        }
        for part in parts(&statement.kind) {
            sequence(program, part, findings);
        }
    }
}

fn printf(program: &Program, statement: &Stmt, format: &str, given: usize, findings: &mut Vec<Diagnostic>) {
    let span = program.statements[statement.id.0 as usize].span;
    let (wanted, strange) = conversions(format);
    if let Some(letter) = strange {
        let shown = letter.map_or("a single `%`".to_string(), |letter| format!("`%{letter}`"));
        findings.push(
            Diagnostic::warning(codes::FORMAT, span, format!("{shown} prints no value"))
                .here("in the text of this `printf`")
                .hint("there are `%d %u %c %e %o %x`, where `%e` prints a symbol; `%%` is a percent sign"),
        );
    } else if wanted != given {
        let plural = if wanted == 1 { "value" } else { "values" };
        let rest = if wanted > given { "missing values print as 0" } else { "the rest is not printed" };
        findings.push(
            Diagnostic::warning(
                codes::FORMAT,
                span,
                format!("this `printf` prints {wanted} {plural} but gets {given}"),
            )
            .here(rest),
        );
    }
}

/// How many values a text prints, and the first conversion that there is not.
fn conversions(format: &str) -> (usize, Option<Option<char>>) {
    let mut letters = format.chars();
    let mut values = 0;
    while letters.by_ref().any(|letter| letter == '%') {
        match letters.next() {
            Some('d' | 'u' | 'c' | 'e' | 'o' | 'x') => values += 1,
            Some('%') => {}
            strange => return (values, Some(strange)),
        }
    }
    (values, None)
}
