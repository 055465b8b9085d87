//! Automata in the formats of `--format`, and the stages of translations.

use super::count;
use super::statistics::{CSV_HEADING, Row};
use crate::arguments::{AutomatonFormat, AutomatonOutput, ClaimStyle, StatsFormat};
use crate::exit::{Exit, Failure};
use crate::formulas::shortened;
use kernel::budget::Budget;
use omega::io::never::Style;
use omega::io::{dot, hoa, json, lbtt, never, tikz};
use omega::limit::Incomplete;
use omega::pipeline::StageSize;

/// The text before the first automaton.
pub(crate) fn opening(output: &AutomatonOutput) -> &'static str {
    match (&output.stats, output.format) {
        (Some(StatsFormat::Csv), _) => CSV_HEADING,
        (None, AutomatonFormat::Tikz) => tikz::BEGIN,
        _ => "",
    }
}

/// The text after the last automaton.
pub(crate) fn closing(output: &AutomatonOutput) -> &'static str {
    if output.stats.is_none() && output.format == AutomatonFormat::Tikz { tikz::END } else { "" }
}

/// The automaton or its sizes in the chosen format, with a line break at the end.
pub(crate) fn write(row: &Row<'_>, output: &AutomatonOutput, budget: &Budget) -> Result<String, Failure> {
    let automaton = row.automaton;
    let unwritten = |reason: Incomplete| Failure::new(Exit::Unknown, format!("`{}`: {reason}", shortened(row.name)));
    let style = match output.claim_style {
        ClaimStyle::If => Style::If,
        ClaimStyle::Do => Style::Do,
    };
    match (&output.stats, output.format) {
        (Some(StatsFormat::Text), AutomatonFormat::Json) => Ok(row.show(&StatsFormat::Json)),
        (Some(format), _) => Ok(row.show(format)),
        (None, AutomatonFormat::Hoa) => hoa::write_within(automaton, budget).map_err(|limit| unwritten(limit.into())),
        (None, AutomatonFormat::Never) => never::write(automaton, style, budget).map_err(|reason| match reason {
            never::NoClaim::Incomplete(reason) => unwritten(reason),
            reason => no_claim(&reason),
        }),
        (None, AutomatonFormat::Lbtt) => lbtt::write(automaton, budget).map_err(unwritten),
        (None, AutomatonFormat::Dot) => dot::write(automaton, budget).map_err(unwritten),
        (None, AutomatonFormat::Tikz) => tikz::picture(automaton, budget).map_err(unwritten),
        (None, AutomatonFormat::Json) => Ok(json::write(automaton, budget).map_err(unwritten)? + "\n"),
    }
}

fn no_claim(reason: &never::NoClaim) -> Failure {
    match reason {
        never::NoClaim::Proposition(_) => Failure::input(reason.to_string()),
        _ => Failure::usage(format!("{reason}; use --degeneralize")),
    }
}

/// The steps of a translation or a reduction, one a line.
pub(crate) fn steps(name: &str, steps: &[StageSize]) -> String {
    let mut text = format!("{name}\n");
    for step in steps {
        let (states, edges) = (count(step.states as u64, "state"), count(step.edges as u64, "edge"));
        let sets = count(u64::from(step.sets), "acceptance set");
        text.push_str(&format!("  {:<32} {states}, {edges}, {sets}\n", step.name));
    }
    text
}
