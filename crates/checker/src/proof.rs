//! Why a run violates a formula, in the words of the property, for both languages.
//!
//! Facts about one formula that have the same reason are one line, whatever the number of states they are about.

use crate::thresholds::report::MOST_LINES;
use kernel::budget::{Budget, Exhausted};
use omega::formula::{Formula, Formulas};
use omega::semantics::{Justification, ProofStep, evaluate_within};
use omega::word::Word;
use std::collections::BTreeSet;

/// The step after which a position is read, or its state, and the round of the cycle: a formula about the past can be
/// different in each of the first rounds.
type Place = (usize, usize);

/// What the positions of a run are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    /// A position is reached after a step.
    Steps,
    /// A position is a state.
    States,
}

/// A formula and the word on which it is explained.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The pool of the formula.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
    /// The word that the run is read as.
    pub word: &'a Word,
    /// The step or state of each position of the word.
    pub places: &'a [usize],
    /// What the positions are called.
    pub positions: Positions,
}

/// Facts about one formula that have the same reason.
struct Group {
    formula: Formula,
    truth: bool,
    reason: Justification,
    /// Where it has this value.
    places: BTreeSet<Place>,
    /// The places that decide it, if others do.
    deciding: BTreeSet<Place>,
    /// The groups it follows from.
    premises: BTreeSet<usize>,
}

/// The proof, one fact a line; `spelled` writes a subformula.
///
/// # Errors
/// The limit that is exhausted.
pub fn lines(
    reading: Reading<'_>,
    spelled: &dyn Fn(Formula) -> String,
    budget: &Budget,
) -> Result<Vec<String>, Exhausted> {
    let Reading { formulas, formula, word, places, positions } = reading;
    let evaluation = evaluate_within(formulas, formula, word, budget)?;
    let place = |position: usize| {
        let (stem, cycle) = (word.stem().len(), word.cycle().len());
        match position.checked_sub(stem) {
            None => (places[position], 0),
            Some(offset) => (places[stem + offset % cycle], offset / cycle),
        }
    };
    let groups = group(&evaluation.proof_within(budget)?.steps, place);
    // A fact that holds in all later states because its operand does is one sentence.
    let absorbed = |group: &Group| match (group.reason, group.premises.iter().collect::<Vec<_>>().as_slice()) {
        (Justification::Forever | Justification::SinceTheFirst, [only])
            if groups[**only].reason == Justification::Letter =>
        {
            Some(**only)
        }
        _ => None,
    };
    let is_used = |index: usize| {
        index == 0 || groups.iter().any(|group| group.premises.contains(&index) && absorbed(group) != Some(index))
    };
    let shown: Vec<usize> = (0..groups.len()).filter(|index| is_used(*index)).collect();
    let number = |index: &usize| shown.iter().position(|shown| shown == index).map(|number| number + 1);
    let line = |index: &usize| {
        let group = &groups[*index];
        let operand = absorbed(group).map(|index| {
            let operand = &groups[index];
            (spelled(operand.formula), operand.truth, positions.list(&operand.places))
        });
        let mut line = format!("{}: {} is {}", positions.when(&group.places), spelled(group.formula), group.truth);
        line.push_str(&match (group.reason, operand) {
            (Justification::Forever, Some((operand, truth, steps))) => {
                format!(", since {operand} is {truth} in every later state ({steps})")
            }
            (Justification::SinceTheFirst, Some((operand, truth, steps))) => {
                format!(", since {operand} is {truth} in every state before ({steps})")
            }
            (reason, _) => positions.why(reason, &group.deciding),
        });
        if absorbed(group).is_none() {
            let numbers = group.premises.iter().filter_map(number);
            numbers.for_each(|number| line.push_str(&format!(" [{number}]")));
        }
        line
    };
    let mut lines: Vec<String> = shown.iter().take(MOST_LINES).map(line).collect();
    lines.iter_mut().enumerate().for_each(|(index, line)| *line = format!("[{}] {line}", index + 1));
    if shown.len() > MOST_LINES {
        lines.push(format!("and {} more facts", shown.len() - MOST_LINES));
    }
    Ok(lines)
}

/// Joins facts about one formula with the same value and the same reason. The first group is what the proof proves.
fn group(steps: &[ProofStep], place: impl Fn(usize) -> Place) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let kind = std::mem::discriminant(&step.reason);
        let is_same = |group: &Group| {
            (group.formula, group.truth) == (step.formula, step.truth) && std::mem::discriminant(&group.reason) == kind
        };
        // What is proved stays a line of its own.
        let known = groups.iter().skip(1).position(is_same).map(|found| found + 1).filter(|_| index > 0);
        let at = known.unwrap_or_else(|| {
            let (formula, truth, reason) = (step.formula, step.truth, step.reason);
            let (places, deciding, premises) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            groups.push(Group { formula, truth, reason, places, deciding, premises });
            groups.len() - 1
        });
        groups[at].places.insert(place(step.position));
        if let Justification::Decided(position) | Justification::DecidedBefore(position) = step.reason {
            groups[at].deciding.insert(place(position));
        }
        group_of.push(at);
    }
    for (index, step) in steps.iter().enumerate() {
        let premises: Vec<usize> = step.premises.iter().map(|premise| group_of[*premise]).collect();
        groups[group_of[index]].premises.extend(premises.into_iter().filter(|premise| *premise != group_of[index]));
    }
    groups
}

impl Positions {
    fn why(self, reason: Justification, deciding: &BTreeSet<Place>) -> String {
        match reason {
            Justification::Constant => ", a constant".to_owned(),
            Justification::Letter => String::new(),
            Justification::Operands => ", by".into(),
            Justification::NextPosition => " in the next state, by".into(),
            Justification::Decided(_) | Justification::DecidedBefore(_) if deciding.len() == 1 => {
                format!(", decided {}, by", self.when(deciding))
            }
            Justification::Decided(_) => ", each time decided later, by".into(),
            Justification::DecidedBefore(_) => ", each time decided before, by".into(),
            Justification::Forever => " in every later state, by".into(),
            Justification::PreviousPosition => " in the state before, by".into(),
            Justification::FirstPosition => ", because the run begins here".into(),
            Justification::SinceTheFirst => " in every state before, by".into(),
        }
    }

    /// `at the start`, `after step 3`, `after steps 3–9 and 12`; `in state 0`.
    fn when(self, places: &BTreeSet<Place>) -> String {
        match self {
            Positions::Steps if places.len() == 1 && places.contains(&(0, 0)) => "at the start".into(),
            Positions::Steps => format!("after {}", self.list(places)),
            Positions::States => format!("in {}", self.list(places)),
        }
    }

    /// `step 3`, `steps 3–9 and 12`, `step 3 in round 2 of the cycle`; `state 3`.
    fn list(self, places: &BTreeSet<Place>) -> String {
        let (one, cycle) = match self {
            Positions::Steps => ("step", "cycle"),
            Positions::States => ("state", "loop"),
        };
        let rounds: BTreeSet<usize> = places.iter().map(|(_, round)| *round).collect();
        let of_round = |round: &usize| {
            let numbers: Vec<usize> = places.iter().filter(|(_, other)| other == round).map(|(at, _)| *at).collect();
            let plural = if numbers.len() == 1 { "" } else { "s" };
            let round = if *round > 0 { format!(" in round {} of the {cycle}", round + 1) } else { String::new() };
            format!("{one}{plural} {}{round}", ranges(&numbers))
        };
        rounds.iter().map(of_round).collect::<Vec<_>>().join(" and ")
    }
}

/// `3–9 and 12`: increasing numbers, with consecutive ones joined.
fn ranges(numbers: &[usize]) -> String {
    let mut parts = Vec::new();
    let mut rest = numbers;
    while let Some(first) = rest.first() {
        let length = rest.iter().enumerate().take_while(|(offset, number)| **number == first + offset).count();
        parts.push(match length {
            1 => first.to_string(),
            _ => format!("{first}–{}", first + length - 1),
        });
        rest = &rest[length..];
    }
    match parts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => parts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Positions, ranges};
    use std::collections::BTreeSet;

    #[test]
    fn consecutive_steps_are_one_range() {
        assert_eq!(ranges(&[1, 3, 4, 5, 9]), "1, 3–5 and 9");
        assert_eq!(ranges(&[]), "");
        let list = |places: &[(usize, usize)]| Positions::Steps.list(&BTreeSet::from_iter(places.iter().copied()));
        assert_eq!(list(&[(7, 0), (8, 0)]), "steps 7–8");
        assert_eq!(list(&[(7, 0), (8, 1)]), "step 7 and step 8 in round 2 of the cycle");
        assert_eq!(Positions::States.when(&BTreeSet::from([(0, 0)])), "in state 0");
    }
}
