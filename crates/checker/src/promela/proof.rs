//! Why a run violates a formula, step by step, in the words of the property.

use crate::promela::property::spelled;
use omega::semantics::{Reason, evaluate};
use promela::claim::Claim;
use promela::validate::ViolatingRun;
use std::fmt::Write;

/// More lines than this are left out.
const MOST_LINES: usize = 200;

/// The proof, one fact a line. Positions are told as steps of the run; of a run whose continuation does not matter, the
/// proof is that for the continuation that repeats its last state.
pub(super) fn lines(claim: &Claim, run: &ViolatingRun) -> Vec<String> {
    let Some(reading) = &run.word else { return Vec::new() };
    let word = reading.word();
    let evaluation = evaluate(&claim.formulas, claim.formula, &word);
    let when = |position: usize| {
        // A formula about the past can be different in each of the first rounds of the cycle.
        let (stem, cycle) = (word.stem().len(), word.cycle().len());
        let (first, round) = match position.checked_sub(stem) {
            None => (position, 0),
            Some(offset) => (stem + offset % cycle, offset / cycle),
        };
        let mut text = match reading.steps[first] {
            0 => "at the start".to_string(),
            step => format!("after step {step}"),
        };
        if round > 0 {
            let _ = write!(text, " in round {} of the cycle", round + 1);
        }
        text
    };
    let mut lines = Vec::new();
    let steps = evaluation.proof().steps;
    for (index, step) in steps.iter().enumerate().take(MOST_LINES) {
        let formula = spelled(claim, step.formula);
        let mut line = format!("[{}] {}: {formula} is {}", index + 1, when(step.position), step.truth);
        let _ = match step.reason {
            Reason::Constant => write!(line, ", a constant"),
            Reason::Letter => write!(line, ", as its value says"),
            Reason::Operands => write!(line, ", by"),
            Reason::NextPosition => write!(line, ", looking one state ahead, by"),
            Reason::Decided(position) => write!(line, ", decided {}, by", when(position)),
            Reason::Forever => write!(line, ", since nothing from here on changes it, by"),
            Reason::PreviousPosition => write!(line, ", looking one state back, by"),
            Reason::FirstPosition => write!(line, ", as the run begins here"),
            Reason::DecidedBefore(position) => write!(line, ", decided {}, by", when(position)),
            Reason::SinceTheFirst => write!(line, ", since nothing up to here changes it, by"),
        };
        for premise in &step.premises {
            let _ = write!(line, " [{}]", premise + 1);
        }
        lines.push(line);
    }
    if steps.len() > MOST_LINES {
        lines.push(format!("and {} more facts", steps.len() - MOST_LINES));
    }
    lines
}
