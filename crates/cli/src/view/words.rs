//! Sentences that all formats share, and the options of the command line that they name.

use checker::report::{Hint, PropertyKind, PropertyReport, Reason, Verdict, Warning};
use kernel::budget::Exhausted;

/// Why a property is undecided, or holds vacuously, with the option that helps.
pub(super) fn reason(property: &PropertyReport) -> Option<String> {
    let option = match &property.verdict {
        Verdict::Unknown(Reason::Limit(Exhausted::Memory)) => "; --memory-limit sets it",
        Verdict::Unknown(Reason::Stopped) if property.statistics.searches.is_none() => "; --all-errors continues",
        Verdict::Unknown(Reason::LossyStore { .. }) if property.statistics.searches.is_some() => {
            "; the searches of the swarm meet nothing new: raise --store-bits, or check without --swarm for a proof"
        }
        Verdict::Unknown(Reason::LossyStore { .. }) => "; raise --store-bits, or use --store exact for a proof",
        _ => "",
    };
    let refuted = match (&property.verdict, property.engine.refuted_below) {
        (Verdict::Unknown(Reason::Limit(_)), Some(steps)) if steps > 0 => {
            format!("; no counterexample has fewer than {steps} steps")
        }
        (Verdict::Unknown(Reason::Limit(_)), None) if property.engine.is_for_sat => {
            "; --engine auto also tries SAT".into()
        }
        _ => String::new(),
    };
    let saved = property.unconfirmed_trace_file.as_ref();
    let saved = saved.map_or_else(String::new, |file| {
        format!("; saved as {file}: `lariat validate` confirms it, `lariat replay` shows it")
    });
    property.reason().map(|reason| reason + option + &refuted + &saved)
}

/// What the violation of a property is, in one line.
pub(super) fn violation(property: &PropertyReport) -> String {
    match (property.counterexamples(), property.kind) {
        ([first, ..], _) => first.heading(),
        ([], PropertyKind::Fairness) => "no path from an initial state is fair and infinite".into(),
        ([], _) => format!("{} is false", property.formula.as_ref().unwrap_or(&property.name)),
    }
}

/// `a, b and c`
pub(crate) fn joined(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => parts.concat(),
    }
}

/// True if all properties of this kind have the same name, which adds nothing to what a counterexample says.
pub(super) fn is_generic(kind: PropertyKind) -> bool {
    matches!(kind, PropertyKind::Assertion | PropertyKind::EndState | PropertyKind::Deadlock | PropertyKind::Fairness)
}

/// A warning in one line.
pub(super) fn warning(warning: &Warning) -> String {
    match warning.facts.is_empty() {
        true => warning.message.clone(),
        false => format!("{}: {}", warning.message, warning.facts.join("; ")),
    }
}

/// How to obtain a shorter run than this one.
pub(super) fn hint(hint: Hint) -> &'static str {
    match hint {
        Hint::InsistOnShortest => "--shortest finds a shortest run",
        Hint::ExactStore => "only --store exact proves it",
        Hint::GeneralisedSearch => "--shorten-with generalised finds a shortest run",
        Hint::AmongAllLassos => "--shortest=formula searches all lassos of the model that violate the formula",
        Hint::LimitReached => "a limit was reached before a shortest one was found",
    }
}
