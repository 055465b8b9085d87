//! Atoms about everything a Promela program names: locations, comparisons of variables with numbers and with each other,
//! lengths of channels.
//!
//! Contract: deterministic; one list of texts for each thing that they are about. Some of the texts may be refused by the
//! language (a reference to a process by a number that is not its own is accepted, and is false).

use promela::typed::{ProcKind, Program, Type, Variable};
use std::collections::BTreeSet;

/// With how many other variables each one is compared.
const OTHERS: usize = 8;

/// The texts, by what they are about: the location of a process, a variable, a channel.
#[must_use]
pub fn subjects(program: &Program) -> Vec<Vec<String>> {
    let scalar = |variable: &&Variable| {
        variable.len.is_none()
            && !matches!(variable.ty, Type::Record(_) | Type::Chan)
            && !variable.name.starts_with('_')
    };
    let mut all = Vec::new();
    let mut terms: Vec<String> = program.globals.iter().filter(scalar).map(|variable| variable.name.clone()).collect();
    let arrays = program.globals.iter().filter(|variable| variable.len.is_some());
    terms.extend(arrays.filter(|v| !matches!(v.ty, Type::Record(_) | Type::Chan)).map(|v| format!("{}[0]", v.name)));
    for (pid, proc) in program.procs.iter().enumerate().filter(|(_, proc)| proc.kind == ProcKind::Proctype) {
        let numbered = format!("{}[{pid}]", proc.name);
        for owner in [&proc.name, &numbered] {
            terms.extend(proc.locals.iter().filter(scalar).map(|variable| format!("{owner}:{}", variable.name)));
            let labels: BTreeSet<&str> = proc.labels.iter().map(|label| label.name.as_str()).collect();
            all.push(labels.into_iter().map(|label| format!("{owner}@{label}")).collect());
        }
    }
    for term in &terms {
        let mut texts = vec![term.clone()];
        for number in [0, 1, 2, 5, 255] {
            texts.extend(["==", "<", ">="].map(|sign| format!("{term} {sign} {number}")));
        }
        for other in terms.iter().filter(|other| *other != term).take(OTHERS) {
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
