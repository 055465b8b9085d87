//! Smaller input, same fault: the formula, the structure and the word are made smaller while the same translator fails in the
//! same check.
//!
//! What: [`shrink`] takes a case and gives one that cannot be made smaller by any single step below, or the smallest found
//! until the workplace's switch says stop. Steps on the formula: put a smaller formula (an operand, a constant, a proposition of it) in place of a
//! subformula, put a proposition in place of a constant, or make two propositions one. Steps on the structure: leave nothing of
//! it but the path of the witness; then leave out a state of that path, or make a proposition false in one.
//!
//! Contract: the result fails in the same check and accuses the same translator (or fails to produce an automaton in the same
//! way); deterministic, if the translators are. Formulas are changed as they stand, without simplification.
//!
//! Tested by: `tests/mutants.rs`: every mutant ends with at most six symbols, and with a word of which nothing can be left out.

mod formula;
mod word;

use std::sync::Arc;

use omega::automaton::acceptance::accepts;
use omega::formula::{Formula, Formulas};
use omega::word::Word;

use formula::{smaller, weight};
use word::shorter;

use crate::blame::{Finding, blame, involved, judge};
use crate::oracle::{Check, Comparison};
use crate::structure::Structure;
use crate::translator::{Failure, FailureKind, Translator, Workplace};
use crate::trial::{Side, Trial};

/// The failure that a smaller case must show as well.
#[derive(Clone, Debug)]
pub enum Problem {
    /// A law is broken.
    Broken(Finding),
    /// A translator gave no automaton.
    Failed {
        /// The translator.
        translator: usize,
        /// For the formula or for its negation.
        side: Side,
        /// How.
        failure: Failure,
    },
}

/// An input on which something goes wrong.
#[derive(Clone, Debug)]
pub struct Case {
    /// The pool of the formula.
    pub formulas: Formulas,
    /// The formula.
    pub formula: Formula,
    /// The structure.
    pub structure: Arc<Structure>,
    /// The failure.
    pub problem: Problem,
}

impl Case {
    /// The translator that is wrong, if that is known.
    #[must_use]
    pub fn culprit(&self) -> Option<usize> {
        match &self.problem {
            Problem::Broken(finding) => finding.accused.map(|accused| accused.translator),
            Problem::Failed { translator, .. } => Some(*translator),
        }
    }

    /// The broken law; none where a translator gave no automaton.
    #[must_use]
    pub fn check(&self) -> Option<Check> {
        match &self.problem {
            Problem::Broken(finding) => Some(finding.comparison.check),
            Problem::Failed { .. } => None,
        }
    }

    /// The number of symbols of the formula.
    #[must_use]
    pub fn symbols(&self) -> u64 {
        self.formulas.size(self.formula)
    }
}

/// Makes a case smaller. Calls `improved` with every case that is smaller than those before; the last one is the smallest.
pub fn shrink(case: &Case, translators: &[Translator], workplace: &Workplace, mut improved: impl FnMut(&Case)) {
    let shrinker = Shrinker { goal: Goal::of(case), translators, workplace };
    let mut best = case.clone();
    loop {
        let before = measure(&best);
        best = shrinker.smaller_formula(best, &mut improved);
        best = shrinker.smaller_structure(best);
        improved(&best);
        if measure(&best) == before || workplace.is_over() {
            return;
        }
    }
}

/// The measures that shrinking reduces, most important first.
fn measure(case: &Case) -> ((u64, usize, usize), usize, usize) {
    let truths = |finding: &Finding| {
        let letters = (0..finding.word.len()).flat_map(|at| finding.word.letter(at));
        letters.filter(|value| **value == Some(true)).count()
    };
    let (length, truths) = match &case.problem {
        Problem::Broken(finding) => (finding.word.len(), truths(finding)),
        Problem::Failed { .. } => (0, 0),
    };
    (weight(&case.formulas, case.formula), length, truths)
}

/// The property of a case that shrinking preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Broken { check: Check, culprit: Option<usize>, other: Option<usize> },
    Failed { translator: usize, kind: FailureKind },
}

impl Goal {
    fn of(case: &Case) -> Self {
        match &case.problem {
            Problem::Failed { translator, failure, .. } => Goal::Failed { translator: *translator, kind: failure.kind },
            Problem::Broken(finding) => {
                let Comparison { check, first, second, .. } = finding.comparison;
                let culprit = finding.accused.map(|accused| accused.translator);
                let other = if culprit == Some(first) { second } else { Some(first) };
                let culprit_or_second = culprit.or(second);
                Goal::Broken { check, culprit, other: other.filter(|other| Some(*other) != culprit_or_second) }
            }
        }
    }

    /// The translators that are needed to see it.
    fn cast(self) -> Vec<usize> {
        let mut cast = match self {
            Goal::Failed { translator, .. } => vec![translator],
            Goal::Broken { culprit, other, .. } => culprit.into_iter().chain(other).collect(),
        };
        cast.sort_unstable();
        cast.dedup();
        cast
    }
}

struct Shrinker<'a> {
    goal: Goal,
    translators: &'a [Translator],
    workplace: &'a Workplace,
}

impl Shrinker<'_> {
    /// Tries smaller formulas, the smallest first, until none fails.
    fn smaller_formula(&self, mut best: Case, improved: &mut impl FnMut(&Case)) -> Case {
        loop {
            let mut formulas = best.formulas.clone();
            let mut candidates = smaller(&mut formulas, best.formula).into_iter();
            match candidates.find_map(|formula| self.fails(&formulas, formula, &best.structure)) {
                Some(case) => best = case,
                None => return best,
            }
            improved(&best);
        }
    }

    /// The translators that are needed at work; none if the switch says stop.
    fn trial(&self, formulas: Formulas, formula: Formula, structure: &Arc<Structure>) -> Option<Trial> {
        let translators: Vec<Translator> =
            self.goal.cast().iter().map(|&index| self.translators[index].clone()).collect();
        Trial::new(&translators, formulas, formula, Arc::clone(structure), self.workplace)
    }

    /// The case of this formula and structure, if it fails in the same way.
    fn fails(&self, formulas: &Formulas, formula: Formula, structure: &Arc<Structure>) -> Option<Case> {
        let cast = self.goal.cast();
        let mut trial = self.trial(formulas.clone(), formula, structure)?;
        let problem = match self.goal {
            Goal::Failed { translator, kind } => {
                let failed = |side: Side| {
                    let failure = trial.attempts[0][side.index()].outcome.as_ref().err()?.clone();
                    (failure.kind == kind).then_some(Problem::Failed { translator, side, failure })
                };
                Side::BOTH.into_iter().find_map(failed)?
            }
            Goal::Broken { .. } => Problem::Broken(self.outside(&cast, self.same_fault(&mut trial, &cast)?)),
        };
        Some(Case { formulas: trial.formulas, formula, structure: Arc::clone(structure), problem })
    }

    /// A finding of the same kind in a trial of the cast; its numbers are those of the cast.
    fn same_fault(&self, trial: &mut Trial, cast: &[usize]) -> Option<Finding> {
        let Goal::Broken { check, culprit, .. } = self.goal else { return None };
        let faults: Vec<Comparison> =
            check.apply(trial).made.into_iter().filter(|comparison| comparison.fault.is_some()).collect();
        faults
            .into_iter()
            .map(|comparison| blame(trial, comparison))
            .find(|finding| finding.accused.map(|accused| cast[accused.translator]) == culprit)
    }

    /// A finding with the numbers of all translators in place of those of the cast.
    fn outside(&self, cast: &[usize], mut finding: Finding) -> Finding {
        finding.comparison.first = cast[finding.comparison.first];
        finding.comparison.second = finding.comparison.second.map(|second| cast[second]);
        if let Some(accused) = &mut finding.accused {
            accused.translator = cast[accused.translator];
        }
        finding
    }

    /// Reduces the structure to the path of the witness, and that path step by step. The automata stay as they are.
    fn smaller_structure(&self, best: Case) -> Case {
        if !matches!(best.problem, Problem::Broken(_)) {
            // A failed translation needs no structure: one state will do.
            let word = Word::new(Vec::new(), Vec::new(), vec![Vec::new()]);
            return Case { structure: Arc::new(Structure::of_word(&word)), ..best };
        }
        let cast = self.goal.cast();
        let Some(mut trial) = self.trial(best.formulas.clone(), best.formula, &best.structure) else { return best };
        let Some(found) = self.same_fault(&mut trial, &cast) else { return best };
        // Any pair, and formula or negation, may show the same fault on a smaller word.
        let mut comparisons = vec![found.comparison];
        comparisons.extend(found.comparison.check.apply(&mut trial).made);
        let fails = |word: &Word| {
            let on_path = |comparison: &Comparison| {
                let finding = judge(&trial, Comparison { fault: Some(0), ..*comparison }, word.clone());
                let culprit = |finding: &Finding| finding.accused.map(|accused| accused.translator);
                let is_same = culprit(&finding) == culprit(&found) && is_broken(&trial, *comparison, word);
                is_same.then_some(finding)
            };
            comparisons.iter().find_map(on_path)
        };
        let word = shorter(&found.word, |word| !self.workplace.is_over() && fails(word).is_some());
        let Some(finding) = fails(&word) else { return best };
        let (problem, structure) = (Problem::Broken(self.outside(&cast, finding)), Arc::new(Structure::of_word(&word)));
        Case { formulas: trial.formulas, structure, problem, ..best }
    }
}

/// Whether the law of a comparison is broken on a word, taken for the only behaviour there is.
fn is_broken(trial: &Trial, comparison: Comparison, word: &Word) -> bool {
    let accepted: Vec<bool> = involved(comparison)
        .into_iter()
        .filter_map(|(translator, side)| trial.automaton(translator, side))
        .map(|automaton| accepts(automaton, word))
        .collect();
    match (comparison.check, &accepted[..]) {
        (Check::Cross | Check::Equivalence, [one, other]) => one != other,
        (Check::Consistency, [formula, negation]) => !formula && !negation,
        (Check::Intersection, [formula, negation]) => *formula && *negation,
        // These compare with the truth, as every accusation does.
        (Check::Path | Check::Prefix, [_]) => true,
        _ => false,
    }
}
