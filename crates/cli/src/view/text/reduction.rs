//! Which reductions of the state space a check used, in lines.

use checker::report::{PropertyKind, PropertyReport, Reduction, ReductionReport, Report};
use checker::words::count;

/// One line if all searches used the same reductions, else one for each group of properties that did. Numbers are sums over the
/// searches of a group.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let mut groups: Vec<(ReductionReport, Vec<&str>)> = Vec::new();
    let mut is_safety_counted = false;
    for PropertyReport { name, kind, engine, .. } in &report.properties {
        let Some(reduction) = &engine.reduction else { continue };
        // One search decides all safety properties.
        let is_safety = matches!(kind, PropertyKind::Assertion | PropertyKind::EndState);
        let is_counted = is_safety && std::mem::replace(&mut is_safety_counted, true);
        match groups.iter_mut().find(|(known, _)| known.is_alike(reduction)) {
            Some((known, names)) => {
                names.push(name);
                if !is_counted {
                    known.count(reduction);
                }
            }
            None => groups.push((reduction.clone(), vec![name])),
        }
    }
    let is_one = groups.len() == 1;
    groups
        .into_iter()
        .map(|(reduction, names)| match is_one {
            true => line(&reduction),
            false => format!("{}: {}", names.join(", "), line(&reduction)),
        })
        .collect()
}

/// A reduction that was used, and what it did.
fn described(used: Reduction, report: &ReductionReport) -> String {
    let done = match used {
        Reduction::Dead => {
            let variables = (report.canonical.len(), "variable");
            let fields = (report.silent, "message field");
            let some = [variables, fields].into_iter().filter(|(number, _)| *number > 0);
            some.map(|(number, word)| count(number as u64, word)).collect::<Vec<_>>().join(", ")
        }
        Reduction::Slice => format!("without {}", report.removed.join(", ")),
        Reduction::Por if report.expanded > 0 => {
            format!("in {} of {}", report.reduced, count(report.expanded, "expansion"))
        }
        Reduction::Chain if report.passed > 0 => format!("{} passed", count(report.passed, "state")),
        Reduction::Symmetry if report.exchanged > 0 => format!("{} exchanged", count(report.exchanged, "state")),
        Reduction::Por | Reduction::Chain | Reduction::Symmetry => return used.words().into(),
    };
    format!("{} ({done})", used.words())
}

/// What was used, what was not and why.
fn line(reduction: &ReductionReport) -> String {
    let used: Vec<String> = reduction.used.iter().map(|used| described(*used, reduction)).collect();
    let used = if used.is_empty() { "none".to_owned() } else { used.join(", ") };
    let unused = reduction.unused.iter().map(|one| format!("; no {}: {}", one.reduction.words(), one.reason));
    format!("reduction: {used}{}", unused.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_was_used_and_what_was_not() {
        let mut reduction = ReductionReport::default();
        reduction.note(Reduction::Por, Ok(()));
        reduction.note(Reduction::Chain, Ok(()));
        reduction.note(Reduction::Symmetry, Err("`P` compares `_pid` with a constant".into()));
        let expected = "reduction: partial order, chaining; no symmetry: `P` compares `_pid` with a constant";
        assert_eq!(line(&reduction), expected);
        (reduction.expanded, reduction.reduced, reduction.passed) = (9, 4, 1);
        let expected = "reduction: partial order (in 4 of 9 expansions), chaining (1 state passed); \
                        no symmetry: `P` compares `_pid` with a constant";
        assert_eq!(line(&reduction), expected);
        let mut exchanged = ReductionReport { exchanged: 2, ..ReductionReport::default() };
        exchanged.note(Reduction::Symmetry, Ok(()));
        assert_eq!(line(&exchanged), "reduction: symmetry (2 states exchanged)");
    }
}
