//! Why a run violates a formula, step by step, in the words of the property.

use crate::promela::property::spelled;
use omega::semantics::{Reason, Step, evaluate};
use promela::claim::Claim;
use promela::validate::ViolatingRun;
use std::fmt::Write;

/// More lines than this are left out.
const MOST_LINES: usize = 200;

/// The proof, one fact a line. Positions are given as steps of the run; of a run whose continuation does not matter, the
/// proof is that for the continuation that repeats its last state.
pub(super) fn lines(claim: &Claim, run: &ViolatingRun) -> Vec<String> {
    let Some(reading) = &run.word else { return Vec::new() };
    let word = reading.word();
    let evaluation = evaluate(&claim.formulas, claim.formula, &word);
    // The step after which a position is read, and the round of the cycle: a formula about the past can be different in
    // each of the first rounds.
    let place = |position: usize| {
        let (stem, cycle) = (word.stem().len(), word.cycle().len());
        match position.checked_sub(stem) {
            None => (reading.steps[position], 0),
            Some(offset) => (reading.steps[stem + offset % cycle], offset / cycle),
        }
    };
    let when = |position: usize| {
        let (step, round) = place(position);
        let text = if step == 0 { "at the start".into() } else { format!("after step {step}") };
        if round > 0 { format!("{text} in round {} of the cycle", round + 1) } else { text }
    };
    let mut lines = Vec::new();
    let steps = evaluation.proof().steps;
    let mut index = 0;
    while index < steps.len() && lines.len() < MOST_LINES {
        let step = &steps[index];
        let formula = spelled(claim, step.formula);
        // The same value of an atom after consecutive steps is one line.
        let (first, round) = place(step.position);
        let is_next = |(offset, other): &(usize, &Step)| {
            (other.formula, other.truth, other.reason) == (step.formula, step.truth, Reason::Letter)
                && place(other.position) == (first + offset, round)
        };
        let same = steps[index..].iter().enumerate().take_while(is_next).count();
        if first > 0 && round == 0 && same > 1 {
            let (from, to) = (index + 1, index + same);
            lines.push(format!("[{from}–{to}] after steps {first}–{}: {formula} is {}", first + same - 1, step.truth));
            index += same;
            continue;
        }
        let mut line = format!("[{}] {}: {formula} is {}", index + 1, when(step.position), step.truth);
        line.push_str(&match step.reason {
            Reason::Constant => ", a constant".to_owned(),
            Reason::Letter => String::new(),
            Reason::Operands => ", by".into(),
            Reason::NextPosition => " in the next state, by".into(),
            Reason::Decided(position) | Reason::DecidedBefore(position) => format!(", decided {}, by", when(position)),
            Reason::Forever => " in every later state, by".into(),
            Reason::PreviousPosition => " in the state before, by".into(),
            Reason::FirstPosition => ", because the run begins here".into(),
            Reason::SinceTheFirst => " in every state before, by".into(),
        });
        line.push_str(&references(&step.premises));
        lines.push(line);
        index += 1;
    }
    if index < steps.len() {
        lines.push(format!("and {} more facts", steps.len() - index));
    }
    lines
}

/// ` [3] [5–17]`: the numbers of premises, with consecutive ones in one pair of brackets.
fn references(premises: &[usize]) -> String {
    let mut text = String::new();
    let mut rest = premises;
    while let Some(first) = rest.first() {
        let length = rest.iter().enumerate().take_while(|(offset, premise)| **premise == first + offset).count();
        let _ = match length {
            1 => write!(text, " [{}]", first + 1),
            _ => write!(text, " [{}–{}]", first + 1, first + length),
        };
        rest = &rest[length..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::references;

    #[test]
    fn consecutive_premises_are_one_reference() {
        assert_eq!(references(&[1, 3, 4, 5, 9]), " [2] [4–6] [10]");
        assert_eq!(references(&[]), "");
    }
}
