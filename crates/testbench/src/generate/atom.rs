//! Atoms about everything a Promela program names: locations, comparisons of variables with numbers and with each other,
//! lengths of channels. Apart from these, atoms that are easy to get wrong: processes by numbers that vary, divisions by
//! what may be zero.
//!
//! Contract: deterministic; one list of texts for each thing that they are about. Some of the texts may be refused by the
//! language (a reference to a process by a number that is not its own is accepted, and is false).

use crate::thresholds::generate::COMPARED_VARIABLES;
use promela::typed::{ProcKind, Program, Type, Variable};
use std::collections::BTreeSet;

/// The texts, by subject: the location of a process, a variable, a channel.
#[must_use]
pub fn subjects(program: &Program) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut terms: Vec<String> =
        program.globals.iter().filter(is_scalar).map(|variable| variable.name.clone()).collect();
    let arrays = program.globals.iter().filter(|variable| variable.len.is_some());
    terms.extend(arrays.filter(|v| !matches!(v.ty, Type::Record(_) | Type::Chan)).map(|v| format!("{}[0]", v.name)));
    for (pid, proc) in program.procs.iter().enumerate().filter(|(_, proc)| proc.kind == ProcKind::Proctype) {
        let numbered = format!("{}[{pid}]", proc.name);
        for owner in [&proc.name, &numbered] {
            terms.extend(proc.locals.iter().filter(is_scalar).map(|variable| format!("{owner}:{}", variable.name)));
            let labels: BTreeSet<&str> = proc.labels.iter().map(|label| label.name.as_str()).collect();
            all.push(labels.into_iter().map(|label| format!("{owner}@{label}")).collect());
        }
    }
    for term in &terms {
        let mut texts = vec![term.clone()];
        for number in [0, 1, 2, 5, 255] {
            texts.extend(["==", "<", ">="].map(|sign| format!("{term} {sign} {number}")));
        }
        for other in terms.iter().filter(|other| *other != term).take(COMPARED_VARIABLES) {
            texts.push(format!("{term} < {other}"));
            texts.push(format!("{term} == {other} + 1"));
            texts.push(format!("{term} - {other} > 2"));
        }
        all.push(texts);
    }
    for channel in program.globals.iter().filter(|v| v.len.is_none() && v.ty == Type::Chan) {
        let name = &channel.name;
        let length = format!("len({name}) == 1");
        all.push(
            [length].into_iter().chain(["empty", "nfull", "full"].map(|test| format!("{test}({name})"))).collect(),
        );
    }
    all.retain(|texts: &Vec<String>| !texts.is_empty());
    all
}

/// Atoms that fail in some states, that look as if they could, or that are about one process now and another later.
#[must_use]
pub fn awkward(program: &Program) -> Vec<String> {
    let globals = program.globals.iter().filter(is_scalar);
    let globals: Vec<&str> = globals.map(|variable| variable.name.as_str()).collect();
    let mut all = Vec::new();
    for (index, name) in globals.iter().enumerate() {
        let other = globals[(index + 1) % globals.len()];
        all.extend([
            format!("4 / {name} > 1"),
            format!("4 % {name} == {other}"),
            format!("({name} == 0 || 4 / {name} > 1) + {other} < 2"),
            format!("({name} != 0 && 4 / {name} > 1) >= 0"),
            format!("({name} == 0 -> 1 : 4 % {name}) > 0"),
        ]);
    }
    for proc in program.procs.iter().filter(|proc| proc.kind == ProcKind::Proctype) {
        for number in globals.iter().take(2) {
            let owner = format!("{}[{number}]", proc.name);
            let locals = proc.locals.iter().filter(is_scalar);
            all.extend(locals.map(|variable| format!("{owner}:{} > 1", variable.name)));
            let labels: BTreeSet<&str> = proc.labels.iter().map(|label| label.name.as_str()).collect();
            all.extend(labels.into_iter().map(|label| format!("{owner}@{label}")));
        }
    }
    all
}

fn is_scalar(variable: &&Variable) -> bool {
    variable.len.is_none() && !matches!(variable.ty, Type::Record(_) | Type::Chan) && !variable.name.starts_with('_')
}
