//! Smaller input, same fault: the formula, the structure and the word are made smaller while the same translator fails in the
//! same check.
//!
//! What: [`shrink`] takes a case and gives one that cannot be made smaller by any single step below, or the smallest found
//! within the budget. Steps on the formula: put a smaller formula (an operand, a constant, a proposition of it) in place of a
//! subformula, put a proposition in place of a constant, or make two propositions one. Steps on the structure: leave nothing of it but the path of the witness; then leave
//! out a state of that path, or make a proposition false in one.
//!
//! Contract: the result fails in the same check and accuses the same translator (or fails to produce an automaton in the same
//! way); deterministic, if the translators are. Formulas are changed as they stand, without simplification.
//!
//! Tested by: `tests/mutants.rs`: every mutant ends with at most six symbols.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use omega::acceptance::accepts;
use omega::formula::{Formula, Formulas, Node};
use omega::word::{Letter, Word};

use crate::blame::{Finding, blame, involved, judge};
use crate::oracle::{Check, Comparison};
use crate::structure::Structure;
use crate::translator::{Failure, FailureKind, Translator, Workplace};
use crate::trial::{Side, Trial};

/// What went wrong.
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
    /// What goes wrong.
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

/// Makes a case smaller, for at most so long.
#[must_use]
pub fn shrink(case: &Case, translators: &[Translator], workplace: &Workplace, budget: Duration) -> Case {
    let until = Instant::now() + budget;
    let shrinker = Shrinker { goal: Goal::of(case), translators, workplace, until };
    let mut best = case.clone();
    loop {
        let before = measure(&best);
        best = shrinker.smaller_formula(best);
        best = shrinker.smaller_structure(best);
        if measure(&best) == before || Instant::now() >= until {
            return best;
        }
    }
}

/// What is made smaller, in the order of importance.
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

/// What must stay the same.
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
    until: Instant,
}

impl Shrinker<'_> {
    /// Tries smaller formulas, the smallest first, until none fails.
    fn smaller_formula(&self, mut best: Case) -> Case {
        loop {
            let mut formulas = best.formulas.clone();
            let candidates = smaller(&mut formulas, best.formula);
            let found = candidates.into_iter().find_map(|formula| {
                (Instant::now() < self.until).then(|| self.fails(&formulas, formula, &best.structure)).flatten()
            });
            match found {
                Some(case) => best = case,
                None => return best,
            }
        }
    }

    /// The case of this formula and structure, if it fails in the same way.
    fn fails(&self, formulas: &Formulas, formula: Formula, structure: &Arc<Structure>) -> Option<Case> {
        let cast = self.goal.cast();
        let translators: Vec<Translator> = cast.iter().map(|&index| self.translators[index].clone()).collect();
        let mut trial = Trial::new(&translators, formulas.clone(), formula, Arc::clone(structure), self.workplace);
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
            check.apply(trial).into_iter().filter(|comparison| comparison.fault.is_some()).collect();
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
        let translators: Vec<Translator> = cast.iter().map(|&index| self.translators[index].clone()).collect();
        let structure = Arc::clone(&best.structure);
        let mut trial = Trial::new(&translators, best.formulas.clone(), best.formula, structure, self.workplace);
        let Some(found) = self.same_fault(&mut trial, &cast) else { return best };
        let on_path = Comparison { fault: Some(0), ..found.comparison };
        let test = |word: &Word| {
            let finding = judge(&trial, on_path, word.clone());
            let same =
                finding.accused.map(|accused| accused.translator) == found.accused.map(|accused| accused.translator);
            same && Instant::now() < self.until && is_broken(&trial, on_path, word)
        };
        if !test(&found.word) {
            return best;
        }
        let word = shorter(found.word.clone(), test);
        let structure = Arc::new(Structure::of_word(&word));
        let problem = Problem::Broken(self.outside(&cast, judge(&trial, on_path, word)));
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
        (Check::Cross, [one, other]) => one != other,
        (Check::Consistency, [formula, negation]) => !formula && !negation,
        (Check::Intersection, [formula, negation]) => *formula && *negation,
        // These compare with the truth, as every accusation does.
        (Check::Path | Check::Prefix, [_]) => true,
        _ => false,
    }
}

/// Makes a word smaller while the test holds: leaves out letters, many at a time at first, and makes propositions false.
fn shorter(word: Word, test: impl Fn(&Word) -> bool) -> Word {
    let atoms = word.atoms().to_vec();
    let mut parts = [word.stem().to_vec(), word.cycle().to_vec()];
    let holds = |parts: &[Vec<Letter>; 2]| {
        !parts[1].is_empty() && test(&Word::new(atoms.clone(), parts[0].clone(), parts[1].clone()))
    };
    loop {
        let before = parts.clone();
        for part in [0, 1] {
            let mut chunk = parts[part].len();
            while chunk > 0 {
                let mut at = 0;
                while at < parts[part].len() {
                    let mut fewer = parts.clone();
                    fewer[part].drain(at..(at + chunk).min(parts[part].len()));
                    if holds(&fewer) {
                        parts = fewer;
                    } else {
                        at += chunk;
                    }
                }
                chunk /= 2;
            }
        }
        for (part, at, atom) in places(&parts) {
            let mut fewer = parts.clone();
            if fewer[part][at][atom] == Some(true) {
                fewer[part][at][atom] = Some(false);
                if holds(&fewer) {
                    parts = fewer;
                }
            }
        }
        if parts == before {
            let [stem, cycle] = parts;
            return Word::new(atoms, stem, cycle);
        }
    }
}

/// All values of a word: part, position, atom.
fn places(parts: &[Vec<Letter>; 2]) -> Vec<(usize, usize, usize)> {
    let of = |part: usize| {
        let letters = parts[part].iter().enumerate();
        letters.flat_map(move |(at, letter)| (0..letter.len()).map(move |atom| (part, at, atom))).collect::<Vec<_>>()
    };
    [of(0), of(1)].concat()
}

/// Formulas one step smaller, the smallest first.
fn smaller(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    let mut found = BTreeSet::new();
    let atoms: Vec<Formula> = formulas.atoms(formula).into_iter().map(|id| formulas.intern(Node::Atom(id))).collect();
    for part in formulas.subformulas(formula) {
        let mut instead: Vec<Formula> = match formulas.node(part) {
            // Of two propositions the later one goes.
            Node::Atom(_) => atoms.iter().copied().take_while(|atom| *atom != part).collect(),
            Node::True | Node::False => atoms.clone(),
            node => node.children().collect(),
        };
        if formulas.size(part) > 1 {
            instead.extend([Formula::TRUE, Formula::FALSE]);
            let own = formulas.atoms(part);
            instead.extend(own.into_iter().map(|id| formulas.intern(Node::Atom(id))));
            instead.extend(without_one(formulas, part));
        }
        for new in instead {
            found.insert(replaced(formulas, formula, part, new));
        }
    }
    found.remove(&formula);
    let now = weight(formulas, formula);
    let mut found: Vec<_> = found.into_iter().map(|new| (weight(formulas, new), new)).collect();
    found.sort_unstable();
    found.into_iter().filter(|(weight, _)| *weight < now).map(|(_, new)| new).collect()
}

/// How much there is to look at: symbols; then constants, which say less to a person than propositions; then propositions.
fn weight(formulas: &Formulas, formula: Formula) -> (u64, usize, usize) {
    let parts = formulas.subformulas(formula);
    let constants = parts.into_iter().filter(|part| part.is_constant()).count();
    (formulas.size(formula), constants, formulas.atoms(formula).len())
}

/// Conjunctions and disjunctions of more than two members with one member less.
fn without_one(formulas: &mut Formulas, part: Formula) -> Vec<Formula> {
    let (members, is_and) = match formulas.node(part) {
        Node::And(members) if members.len() > 2 => (members.to_vec(), true),
        Node::Or(members) if members.len() > 2 => (members.to_vec(), false),
        _ => return Vec::new(),
    };
    let without = |at: usize| {
        let rest: Vec<Formula> =
            members.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, m)| *m).collect();
        formulas.intern(if is_and { Node::And(rest.into()) } else { Node::Or(rest.into()) })
    };
    (0..members.len()).map(without).collect()
}

/// The formula with another one in place of a part, everything else as it stands.
fn replaced(formulas: &mut Formulas, formula: Formula, part: Formula, new: Formula) -> Formula {
    let mut rebuilt: HashMap<Formula, Formula> = HashMap::new();
    for subformula in formulas.subformulas(formula) {
        let result = if subformula == part {
            new
        } else {
            let node = formulas.node(subformula).map(|child| rebuilt[&child]);
            formulas.intern(node)
        };
        rebuilt.insert(subformula, result);
    }
    rebuilt[&formula]
}
