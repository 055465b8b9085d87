//! The hierarchy and stutter invariance against enumeration.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use kernel::budget::Budget;
use omega::analyse::classify::{Classifier, Traits};
use omega::analyse::hierarchy::{self, Hierarchy, hierarchy};
use omega::analyse::questions::is_invariant;
use omega::analyse::stutter::{self, is_stutter_invariant};
use omega::automaton::{Automaton, Marks, State};
use omega::combine::complement::{self, complement};
use omega::combine::product::intersection;
use omega::combine::sum::union;
use omega::formula::{Formula, Formulas};
use omega::parse::{Syntax, parse};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use omega::semantics::satisfies;
use omega::translate::gpvw;
use omega::word::{Letter, Word};
use std::collections::BTreeSet;

const SEED: u64 = 2_718_281;

fn automata(formulas: &mut Formulas, formula: Formula) -> Option<[Automaton; 2]> {
    let negation = formulas.not(formula);
    let [yes, no] =
        [formula, negation].map(|formula| gpvw::translate(formulas, formula, 60, &Budget::unlimited()).ok());
    Some([yes?, no?])
}

fn class_of(text: &str) -> &'static str {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
    let [yes, no] = automata(&mut formulas, formula).expect("a small formula");
    hierarchy(&yes, &no, hierarchy::DEFAULT_LIMIT, &Budget::unlimited()).expect("a small formula").name()
}

#[test]
fn the_textbook_examples_are_where_the_textbook_puts_them() {
    for (text, class) in [
        ("0", "safety and guarantee"),
        ("a | Xb", "safety and guarantee"),
        ("Ga", "safety"),
        ("a W b", "safety"),
        ("G(a | G b)", "safety"),
        ("Fa", "guarantee"),
        ("F(a & XXb)", "guarantee"),
        ("Ga | Fb", "obligation"),
        ("(Fa -> Fb) & (Fc -> Fd)", "obligation"),
        ("GFa", "recurrence"),
        ("G(a -> Fb)", "recurrence"),
        ("FGa", "persistence"),
        ("F(a & Gb)", "persistence"),
        ("GFa -> GFb", "reactivity"),
        // By shape these are higher in the hierarchy than by meaning.
        ("GFa & FGb & G!a", "safety and guarantee"),
        ("(GFa & Fb) | (FG!a & Fb)", "guarantee"),
        ("G(Fa | b) | FG!a", "safety and guarantee"),
    ] {
        assert_eq!(class_of(text), class, "{text}");
    }
}

/// A complete deterministic automaton over one atom, acceptance on states.
#[derive(Debug)]
struct Deterministic {
    next: Vec<[usize; 2]>,
    accepting: Vec<bool>,
}

impl Deterministic {
    fn random(random: &mut Random, states: u64) -> Self {
        let mut state = || random.below(states) as usize;
        let next = (0..states).map(|_| [state(), state()]).collect();
        Self { next, accepting: (0..states).map(|_| random.chance(0.4)).collect() }
    }

    fn automaton(&self) -> Automaton {
        let mut automaton = Automaton::new(["a"], 1);
        automaton.add_states(self.next.len());
        let labels = [!automaton.atom(0), automaton.atom(0)];
        for (source, next) in self.next.iter().enumerate() {
            let marks = if self.accepting[source] { Marks::one(0) } else { Marks::NONE };
            for (target, label) in next.iter().zip(&labels) {
                automaton.add_edge(source as State, *target as State, label, marks);
            }
        }
        automaton
    }
}

/// The states reachable from one by at least one step, inside `inside`.
fn reach(next: &[Vec<usize>], from: usize, inside: impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        pending.extend(next[state].iter().copied().filter(|&target| inside(target) && seen.insert(target)));
    }
    seen
}

/// The classes of "the first is met again and again or the second is not", read off the loops of the product.
fn by_loops(first: &Deterministic, second: &Deterministic) -> Hierarchy {
    let width = second.next.len();
    let count = first.next.len() * width;
    let step = |pair: usize, a: usize| first.next[pair / width][a] * width + second.next[pair % width][a];
    let next: Vec<Vec<usize>> = (0..count).map(|pair| vec![step(pair, 0), step(pair, 1)]).collect();
    let reachable = reach(&next, 0, |_| true);
    let mut loops: Vec<(u32, bool)> = Vec::new();
    for set in 1..1_u32 << count {
        let inside = |pair: usize| set >> pair & 1 == 1;
        let members: Vec<usize> = (0..count).filter(|&pair| inside(pair)).collect();
        let all: BTreeSet<usize> = members.iter().copied().collect();
        let is_reachable = members.iter().all(|pair| *pair == 0 || reachable.contains(pair));
        if is_reachable && members.iter().all(|&pair| reach(&next, pair, inside) == all) {
            let meets = members.iter().any(|pair| first.accepting[pair / width]);
            let avoids = members.iter().all(|pair| !second.accepting[pair % width]);
            loops.push((set, meets || avoids));
        }
    }
    let none = |wrong: &dyn Fn((u32, bool), (u32, bool)) -> bool| {
        !loops.iter().any(|&one| loops.iter().any(|&other| one.1 != other.1 && wrong(one, other)))
    };
    let reaches = |one: u32, other: u32| {
        let from = one.trailing_zeros() as usize;
        other >> from & 1 == 1 || reach(&next, from, |_| true).contains(&(other.trailing_zeros() as usize))
    };
    Hierarchy {
        safety: none(&|one, other| !one.1 && reaches(one.0, other.0)),
        guarantee: none(&|one, other| one.1 && reaches(one.0, other.0)),
        persistence: none(&|one, other| !one.1 && one.0 & other.0 == one.0),
        recurrence: none(&|one, other| one.1 && one.0 & other.0 == one.0),
    }
}

#[test]
fn the_classes_are_those_that_the_loops_of_a_deterministic_automaton_show() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let mut seen = BTreeSet::new();
    let mut compare = |first: &Deterministic, second: &Deterministic| {
        let (one, two) = (first.automaton(), second.automaton());
        let not = |automaton: &Automaton| {
            complement(automaton, complement::DEFAULT_LIMIT, &Budget::unlimited()).expect("small")
        };
        let yes = union(&one, &not(&two), &Budget::unlimited()).unwrap();
        let no = intersection(&not(&one), &two, &Budget::unlimited()).unwrap();
        let answer = hierarchy(&yes, &no, hierarchy::DEFAULT_LIMIT, &Budget::unlimited()).expect("small");
        assert_eq!(answer, by_loops(first, second), "{first:?} {second:?}");
        seen.insert(answer.name());
    };
    for round in 0..300 {
        let first = Deterministic::random(&mut random, 1 + round % 3);
        let second = Deterministic::random(&mut random, 1 + round / 3 % 3);
        compare(&first, &second);
    }
    // The first letter decides whether it must never, or some time, be followed by the other one: too rare by chance.
    let next = vec![[2, 1], [3, 1], [2, 4], [3, 3], [4, 4]];
    let rare = Deterministic { next, accepting: vec![false, true, false, false, true] };
    compare(&rare, &Deterministic { next: vec![[0, 0]], accepting: vec![true] });
    assert_eq!(seen.len(), 7, "every class occurs: {seen:?}");
}

#[test]
fn what_the_shape_promises_the_automata_confirm() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let mut decided = 0;
    for _ in 0..300 {
        let mut formulas = Formulas::new();
        let formula = FormulaShape::new(2 + random.below(7) as usize, 2).draw(&mut formulas, &mut random);
        let Some([yes, no]) = automata(&mut formulas, formula) else { continue };
        let Ok(classes) = hierarchy(&yes, &no, 2_000, &Budget::unlimited()) else { continue };
        let traits = Classifier::new().traits(&formulas, formula);
        let text = print(&formulas, formula, Notation::Spot);
        for (shape, meaning) in [
            (Traits::SAFETY, classes.safety),
            (Traits::GUARANTEE, classes.guarantee),
            (Traits::OBLIGATION, classes.obligation()),
            (Traits::PERSISTENCE, classes.persistence),
            (Traits::RECURRENCE, classes.recurrence),
        ] {
            assert!(!traits.has(shape) || meaning, "{text}: {shape:?}");
        }
        decided += 1;
    }
    assert!(decided > 250, "{decided}");
}

/// All words over `p0` and `p1` with a stem of at most two letters and a cycle of at most two.
fn short_words() -> Vec<Word> {
    let atoms = vec!["p0".to_owned(), "p1".to_owned()];
    let letter = |bits: u32| -> Letter { vec![Some(bits & 1 == 1), Some(bits & 2 == 2)] };
    let mut words = Vec::new();
    for (stem, cycle) in [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)] {
        for bits in 0..1_u32 << (2 * (stem + cycle)) {
            let letters: Vec<Letter> = (0..stem + cycle).map(|at| letter(bits >> (2 * at) & 3)).collect();
            words.push(Word::new(atoms.clone(), letters[..stem].to_vec(), letters[stem..].to_vec()));
        }
    }
    words
}

/// The word with each letter of the stem and of the cycle repeated as the bits of `which` say.
fn stuttered(word: &Word, which: u32) -> Word {
    let repeat = |letters: &[Letter], offset: usize| -> Vec<Letter> {
        let times = |at: usize| 1 + (which >> (at + offset) & 1) as usize;
        letters.iter().enumerate().flat_map(|(at, letter)| vec![letter.clone(); times(at)]).collect()
    };
    Word::new(word.atoms().to_vec(), repeat(word.stem(), 0), repeat(word.cycle(), word.stem().len()))
}

#[test]
fn invariance_is_what_stuttered_words_show() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let words = short_words();
    let mut answers = [0, 0];
    for _ in 0..150 {
        let mut formulas = Formulas::new();
        let formula = FormulaShape::new(2 + random.below(5) as usize, 2).draw(&mut formulas, &mut random);
        let Some([yes, no]) = automata(&mut formulas, formula) else { continue };
        let answer = is_stutter_invariant(&yes, &no, stutter::DEFAULT_LIMIT, &Budget::unlimited()).expect("small");
        assert_eq!(is_invariant(&mut formulas, formula, &Budget::unlimited()), Ok(answer));
        let differs = |word: &Word| {
            let truth = satisfies(&formulas, formula, word);
            (1..1 << word.len()).any(|which| satisfies(&formulas, formula, &stuttered(word, which)) != truth)
        };
        let text = print(&formulas, formula, Notation::Spot);
        assert_eq!(answer, !words.iter().any(differs), "{text}");
        answers[usize::from(answer)] += 1;
    }
    assert!(answers.iter().all(|&count| count > 20), "{answers:?}");
}

#[test]
fn limits_are_kept() {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, "(GFa -> GFb) & X(a | Xb)", Syntax::Spot).expect("a formula");
    let [yes, no] = automata(&mut formulas, formula).expect("a small formula");
    assert!(hierarchy(&yes, &no, 3, &Budget::unlimited()).is_err());
    assert!(is_stutter_invariant(&yes, &no, 3, &Budget::unlimited()).is_err());
}
