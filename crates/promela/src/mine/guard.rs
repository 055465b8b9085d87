//! What is known of variables right before a statement inside an uninterrupted sequence.
//!
//! *What.* In `atomic { x < 9 -> x++ }` nothing happens between the guard and the assignment, so that `x` is below 9 when it
//! is read, whoever else changes it. [`Guards::of`] collects, for each statement of a definition inside `atomic` or
//! `d_step`, the conditions that hold when it is executed; [`narrow`] says what a condition means for variables.
//!
//! *Contract.* Sound: a condition counts only if it was executed in the same sequence, if no label stands between it and the
//! statement, and only for variables that nothing between them assigns. After `else`, the conditions of the other options
//! do not hold. An assignment never blocks, so that the sequence goes on with it at once. Definitions with `provided`, and
//! programs with priorities, are left out: there a process can be stopped anywhere.
//!
//! *Tested by* walking the reachable states of random programs (`promela_facts`).

use super::location::{Here, compared};
use super::range::RangeSet;
use super::value::Values;
use crate::thresholds::mine::LOOK_BACK;
use crate::typed::{BinaryOp, Expr, ExprKind, Place, Proc, Program, Seq, Stmt, StmtId, StmtKind, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// A condition, whether it holds, and the places that may have changed since.
pub(super) struct Guard<'p> {
    condition: &'p Expr,
    holds: bool,
    changed: Vec<&'p Place>,
}

/// The conditions that hold when statements are executed.
#[derive(Default)]
pub(super) struct Guards<'p> {
    before: BTreeMap<StmtId, Vec<Guard<'p>>>,
}

impl<'p> Guards<'p> {
    pub(super) fn of(program: &'p Program, proc: &'p Proc) -> Self {
        let mut guards = Guards::default();
        if proc.provided.is_some() || program.uses.priorities {
            return guards;
        }
        let labelled: BTreeSet<StmtId> = proc.labels.iter().map(|label| label.target).collect();
        // Sequences, whether they are inside `atomic` or `d_step`, and the other options if one begins with `else`.
        let mut pending: Vec<(&Seq, bool, &[Seq])> = vec![(&proc.body, false, &[])];
        while let Some((seq, uninterrupted, options)) = pending.pop() {
            for (index, stmt) in seq.iter().enumerate() {
                if uninterrupted && matches!(stmt.kind, StmtKind::Assign(..)) {
                    let known = conditions(&seq[..=index], options, &labelled);
                    if !known.is_empty() {
                        guards.before.insert(stmt.id, known);
                    }
                }
                match &stmt.kind {
                    StmtKind::If(options) | StmtKind::Do(options) => {
                        pending.extend(options.iter().map(|option| (option, uninterrupted, &options[..])));
                    }
                    StmtKind::Block(seq) => pending.push((seq, uninterrupted, &[])),
                    StmtKind::Atomic(seq) | StmtKind::DStep(seq) => pending.push((seq, true, &[])),
                    StmtKind::Unless(body, escape) => {
                        pending.extend([(body, uninterrupted, &[][..]), (escape, uninterrupted, &[][..])]);
                    }
                    _ => {}
                }
            }
        }
        guards
    }

    /// What variables hold right before a statement, given what they hold where its process is.
    pub(super) fn before(
        &self,
        statement: StmtId,
        values: &Values<'p>,
        proc: usize,
        here: Option<&Here>,
    ) -> Option<Here> {
        let known = self.before.get(&statement)?;
        let mut result = here.cloned().unwrap_or_default();
        for guard in known {
            let changed: Vec<Option<usize>> =
                guard.changed.iter().map(|place| values.cell(Some(proc), place)).collect();
            narrow(values, Some(proc), &mut result, guard.condition, guard.holds, |cell| {
                !changed.contains(&Some(cell))
            });
        }
        Some(result)
    }
}

/// The conditions that hold when the last of these statements is executed.
fn conditions<'p>(seq: &'p [Stmt], options: &'p [Seq], labelled: &BTreeSet<StmtId>) -> Vec<Guard<'p>> {
    let (mut known, mut changed) = (Vec::new(), Vec::new());
    let Some((last, before)) = seq.split_last() else { return known };
    let mut follows = last;
    for stmt in before.iter().rev().take(LOOK_BACK) {
        // Who comes from elsewhere has not met what stands before.
        if labelled.contains(&follows.id) {
            break;
        }
        match &stmt.kind {
            StmtKind::Expr(condition) => known.push(Guard { condition, holds: true, changed: changed.clone() }),
            StmtKind::Assign(place, _) => changed.push(place),
            StmtKind::Else if !labelled.contains(&stmt.id) => {
                let others = options.iter().filter_map(|option| option.first());
                known.extend(others.filter_map(|first| match &first.kind {
                    StmtKind::Expr(condition) => Some(Guard { condition, holds: false, changed: changed.clone() }),
                    _ => None,
                }));
                break;
            }
            _ => break,
        }
        follows = stmt;
    }
    known
}

/// Cuts what is known of variables to what a condition that holds, or does not, says of them: a conjunction of comparisons
/// with numbers, or one of them that is refuted. Elements of arrays are not told apart, so nothing is said of them.
pub(super) fn narrow(
    values: &Values<'_>,
    proc: Option<usize>,
    here: &mut Here,
    condition: &Expr,
    holds: bool,
    concerns: impl Fn(usize) -> bool,
) {
    let mut pending = vec![(condition, holds)];
    while let Some((condition, holds)) = pending.pop() {
        let (place, allowed) = match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => {
                pending.push((operand, !holds));
                continue;
            }
            ExprKind::Binary(BinaryOp::And, left, right) if holds => {
                pending.extend([(&**left, true), (&**right, true)]);
                continue;
            }
            ExprKind::Binary(BinaryOp::Or, left, right) if !holds => {
                pending.extend([(&**left, false), (&**right, false)]);
                continue;
            }
            ExprKind::Binary(operator, left, right) => match (&left.kind, crate::resolve::value_of(right)) {
                (ExprKind::Read(place), Some(value)) => (place, compared(*operator, i64::from(value))),
                _ => continue,
            },
            ExprKind::Read(place) => (place, compared(BinaryOp::Ne, 0)),
            _ => continue,
        };
        if let Some(allowed) = allowed
            && let Some(cell) = values.cell(proc, place).filter(|cell| concerns(*cell) && !values.cells[*cell].array)
        {
            let allowed = if holds { allowed } else { allowed.complement() };
            let known: &RangeSet = here.get(&cell).unwrap_or(&values.cells[cell].values);
            let narrower = known.intersect(&allowed);
            if narrower != *known {
                here.insert(cell, narrower);
            }
        }
    }
}
