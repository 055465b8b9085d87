//! Operations on automata against the acceptance of words: random automata, random words, printed seeds.

use kernel::budget::Budget;
use omega::analyse::strength::{Strength, strength_of};
use omega::automaton::acceptance::{accepted_word, accepts};
use omega::automaton::emptiness::is_empty;
use omega::automaton::scc::Components;
use omega::automaton::{Automaton, Marks, State};
use omega::combine::complement::{complement, complement_by_components, complement_by_determinization};
use omega::combine::counter::one_set;
use omega::combine::inclusion::{difference, not_included, not_universal};
use omega::combine::isomorphism::{Isomorphism, isomorphism};
use omega::combine::product::intersection;
use omega::combine::sum::union;
use omega::formula::Formulas;
use omega::limit::TooLarge;
use omega::parse::{Syntax, parse};
use omega::pipeline::{Construction, Level, TranslationOptions, translate};
use omega::random::{self, Random};
use omega::random_automaton::{Shape, random_automaton};
use omega::word::Word;

const LIMIT: usize = 20_000;

/// Kinds of automata for which different constructions are right.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Any,
    Generalized,
    Deterministic,
    Weak,
    WithoutSets,
}

const KINDS: [Kind; 5] = [Kind::Any, Kind::Generalized, Kind::Deterministic, Kind::Weak, Kind::WithoutSets];

fn sample(kind: Kind, seed: u64) -> Automaton {
    let small = Shape { states: 4, density: 0.25, marking: 0.3, ..Shape::default() };
    match kind {
        Kind::Any => random_automaton(&small, seed),
        Kind::Generalized => random_automaton(&Shape { states: 3, sets: 2, marking: 0.5, ..small }, seed),
        Kind::Deterministic => {
            random_automaton(&Shape { states: 5, density: 0.5, marking: 0.4, deterministic: true, ..small }, seed)
        }
        Kind::WithoutSets => random_automaton(&Shape { sets: 0, density: 0.15, ..small }, seed),
        Kind::Weak => {
            let mut automaton = random_automaton(&Shape { states: 5, density: 0.12, ..small }, seed);
            let components = Components::of(&automaton);
            for state in automaton.states() {
                let marked = components.number(state).is_some_and(|number| (seed >> (number % 8)) & 1 == 1);
                let marks = if marked { Marks::one(0) } else { Marks::NONE };
                automaton.edges_mut(state).iter_mut().for_each(|edge| edge.marks = marks);
            }
            automaton
        }
    }
}

fn words(automaton: &Automaton, seed: u64) -> Vec<Word> {
    let mut random = Random::new(seed);
    (0..25).map(|_| random::word(automaton.atoms(), 6, &mut random)).collect()
}

#[test]
fn products_and_sums_accept_both_and_either() {
    let mut accepted = [0; 4];
    for seed in 0..60 {
        for (one, two) in KINDS.iter().flat_map(|one| KINDS.iter().map(move |two| (*one, *two))) {
            let (first, second) = (sample(one, seed), sample(two, seed + 1000));
            let (product, sum) = (
                intersection(&first, &second, &Budget::unlimited()).unwrap(),
                union(&first, &second, &Budget::unlimited()).unwrap(),
            );
            product.verify();
            sum.verify();
            for word in words(&first, seed).iter().take(6) {
                let (a, b) = (accepts(&first, word), accepts(&second, word));
                accepted[usize::from(a) * 2 + usize::from(b)] += 1;
                assert_eq!(accepts(&product, word), a && b, "{one:?} {two:?} seed {seed}: {word}");
                assert_eq!(accepts(&sum, word), a || b, "{one:?} {two:?} seed {seed}: {word}");
            }
        }
    }
    assert!(accepted.iter().all(|count| *count > 100), "{accepted:?}");
}

#[test]
fn atoms_of_the_two_are_matched_by_name() {
    let mut first = Automaton::new(["a"], 0);
    let state = first.add_state();
    first.add_edge(state, state, &first.atom(0), Marks::NONE);
    let mut second = Automaton::new(["b", "a"], 0);
    let state = second.add_state();
    second.add_edge(state, state, &(second.atom(0) | second.atom(1)), Marks::NONE);
    let product = intersection(&first, &second, &Budget::unlimited()).unwrap();
    assert!(accepts(&product, &Word::parse("cycle{a & !b}").unwrap()));
    assert!(!accepts(&product, &Word::parse("cycle{!a & b}").unwrap()));
    assert_eq!(not_included(&first, &second, LIMIT, &Budget::unlimited()), Ok(None));
    assert!(not_included(&second, &first, LIMIT, &Budget::unlimited()).unwrap().is_some());
}

#[test]
fn counting_keeps_the_language() {
    for seed in 0..200 {
        let shape = Shape { sets: (seed % 4) as u32, marking: 0.5, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let counted = one_set(&automaton, &Budget::unlimited()).unwrap();
        counted.verify();
        assert_eq!(counted.sets(), 1);
        for word in words(&automaton, seed) {
            assert_eq!(accepts(&counted, &word), accepts(&automaton, &word), "seed {seed}: {word}");
        }
    }
}

#[test]
fn many_sets_are_counted_before_they_are_joined() {
    let shape = Shape { states: 2, sets: 100, marking: 0.9, density: 0.8, ..Shape::default() };
    let (first, second) = (random_automaton(&shape, 1), random_automaton(&shape, 2));
    let product = intersection(&first, &second, &Budget::unlimited()).unwrap();
    product.verify();
    for word in words(&first, 3) {
        assert_eq!(accepts(&product, &word), accepts(&first, &word) && accepts(&second, &word), "{word}");
    }
}

#[test]
fn a_word_is_accepted_by_an_automaton_or_by_its_complement() {
    for kind in KINDS {
        let (mut accepted, mut rejected, mut largest) = (0, 0, 0);
        for seed in 0..120 {
            let automaton = sample(kind, seed);
            let negation = complement(&automaton, LIMIT, &Budget::unlimited())
                .unwrap_or_else(|error| panic!("{kind:?} seed {seed}: {error}"));
            negation.verify();
            largest = largest.max(negation.state_count());
            for word in words(&automaton, seed) {
                let inside = accepts(&automaton, &word);
                assert_eq!(accepts(&negation, &word), !inside, "{kind:?} seed {seed}: {word}");
                *if inside { &mut accepted } else { &mut rejected } += 1;
            }
            assert!(
                is_empty(&intersection(&automaton, &negation, &Budget::unlimited()).unwrap()),
                "{kind:?} seed {seed}"
            );
        }
        assert!(accepted > 200 && rejected > 200, "{kind:?}: {accepted} accepted, {rejected} rejected");
        assert!(largest < LIMIT, "{kind:?}: {largest} states");
    }
}

/// The two constructions share nothing but the input: each must exclude what the other includes.
#[test]
fn complements_through_determinization_are_those_by_components() {
    let mut decided = 0;
    for (kind, seed) in KINDS.iter().flat_map(|kind| (0..120).map(move |seed| (*kind, seed))) {
        let automaton = sample(kind, seed);
        let Ok(negation) = complement_by_determinization(&automaton, 5_000, &Budget::unlimited()) else { continue };
        negation.verify();
        for word in words(&automaton, seed) {
            assert_ne!(accepts(&negation, &word), accepts(&automaton, &word), "{kind:?} seed {seed}: {word}");
        }
        assert!(is_empty(&intersection(&automaton, &negation, &Budget::unlimited()).unwrap()), "{kind:?} seed {seed}");
        let Ok(twin) = complement_by_components(&automaton, LIMIT, &Budget::unlimited()) else { continue };
        // What both reject would be in neither the automaton nor its complement.
        let Ok(twice) = complement_by_determinization(&negation, 5_000, &Budget::unlimited()) else { continue };
        let both = intersection(&twice, &twin, &Budget::unlimited()).unwrap();
        assert!(is_empty(&both), "{kind:?} seed {seed}: {:?}", accepted_word(&both));
        decided += 1;
    }
    assert!(decided > 500, "{decided} were decided");
}

/// Two automata of one formula, (!b W !c) & GF(!b | !a): of 45 states by the reference construction, and of 13.
#[test]
fn automata_of_one_formula_are_compared_though_one_is_bloated() {
    let text = "!(((F(b W 0)) M (FGa)) W (b M (c R c)))";
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
    let mut automaton = |construction| {
        let options = TranslationOptions { construction, level: Level::Low, ..TranslationOptions::default() };
        translate(&mut formulas, formula, &options, &Budget::unlimited()).expect("small").automaton
    };
    let (large, small) = (automaton(Construction::Gpvw), automaton(Construction::Go));
    assert!(large.state_count() > 40, "{}", large.state_count());
    assert_eq!(difference(&small, &large, LIMIT, &Budget::unlimited()), Ok(None));
    assert!(complement(&large, LIMIT, &Budget::unlimited()).is_ok());
}

#[test]
fn complements_of_weak_automata_are_deterministic_and_of_deterministic_ones_small() {
    for seed in 0..100 {
        let weak = sample(Kind::Weak, seed);
        assert_ne!(strength_of(&weak), Strength::Strong, "seed {seed}");
        assert!(complement(&weak, LIMIT, &Budget::unlimited()).unwrap().is_deterministic(), "seed {seed}");
        let deterministic = sample(Kind::Deterministic, seed);
        let negation = complement(&deterministic, LIMIT, &Budget::unlimited()).unwrap();
        assert!(negation.state_count() <= 4 * deterministic.state_count() + 2, "seed {seed}");
    }
}

#[test]
fn inclusion_and_equivalence_come_with_words() {
    let (mut included, mut excluded, mut equal) = (0, 0, 0);
    for seed in 0..150 {
        let kinds = [KINDS[seed as usize % 5], KINDS[seed as usize / 5 % 5]];
        let (first, second) = (sample(kinds[0], seed), sample(kinds[1], seed + 500));
        for (a, b) in [
            (&first, &second),
            (&second, &first),
            (&intersection(&first, &second, &Budget::unlimited()).unwrap(), &second),
        ] {
            match not_included(a, b, LIMIT, &Budget::unlimited()).unwrap() {
                Some(word) => {
                    assert!(accepts(a, &word) && !accepts(b, &word), "{kinds:?} seed {seed}: {word}");
                    excluded += 1;
                }
                None => {
                    included += 1;
                    assert!(words(a, seed).iter().all(|w| !accepts(a, w) || accepts(b, w)), "{kinds:?} seed {seed}");
                }
            }
        }
        match difference(&first, &second, LIMIT, &Budget::unlimited()).unwrap() {
            Some(found) => {
                assert_eq!(accepts(&first, &found.word), found.in_first, "{kinds:?} seed {seed}");
                assert_eq!(accepts(&second, &found.word), !found.in_first, "{kinds:?} seed {seed}");
            }
            None => assert_eq!(is_empty(&first), is_empty(&second), "{kinds:?} seed {seed}"),
        }
        assert_eq!(
            difference(&union(&first, &first, &Budget::unlimited()).unwrap(), &first, LIMIT, &Budget::unlimited()),
            Ok(None),
            "{kinds:?} seed {seed}"
        );
        equal += 1;
    }
    assert!(included > 100 && excluded > 100 && equal == 150, "{included} {excluded} {equal}");
}

#[test]
fn universality_comes_with_a_word() {
    let mut universal = 0;
    for seed in 0..80 {
        let automaton = sample(KINDS[seed as usize % 5], seed);
        let word = not_universal(&automaton, LIMIT, &Budget::unlimited()).unwrap();
        assert!(word.is_none_or(|word| !accepts(&automaton, &word)), "seed {seed}");
        let complement = complement(&automaton, LIMIT, &Budget::unlimited()).unwrap();
        let everything = union(&automaton, &complement, &Budget::unlimited()).unwrap();
        // The sum can be too large to be complemented.
        if let Ok(word) = not_universal(&everything, LIMIT, &Budget::unlimited()) {
            assert_eq!(word, None, "seed {seed}");
            universal += 1;
        }
    }
    assert!(universal > 60, "{universal} were decided");
}

#[test]
fn many_strong_components_share_one_part() {
    // A chain of forty components "infinitely often a, then perhaps on": one part each would give 2^40 choices.
    let mut automaton = Automaton::new(["a", "b"], 1);
    automaton.add_states(40);
    let (a, b) = (automaton.atom(0), automaton.atom(1));
    for state in 0..40 {
        automaton.add_edge(state, state, &a, Marks::one(0));
        automaton.add_edge(state, state, &!&a, Marks::NONE);
        automaton.add_edge(state, (state + 1).min(39), &b, Marks::NONE);
    }
    let negation = complement(&automaton, LIMIT, &Budget::unlimited()).unwrap();
    for word in words(&automaton, 7) {
        assert_ne!(accepts(&negation, &word), accepts(&automaton, &word), "{word}");
    }
}

#[test]
fn a_limit_that_is_too_small_is_an_answer() {
    let automaton = sample(Kind::Any, 3);
    assert_eq!(complement(&automaton, 1, &Budget::unlimited()).err(), Some(TooLarge::Complement(1).into()));
}

/// The automaton with its states in another order, and its edges too.
fn shuffled(automaton: &Automaton, seed: u64) -> Automaton {
    let mut random = Random::new(seed);
    let mut order: Vec<State> = automaton.states().collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at as u64 + 1) as usize);
    }
    let place = |state: State| order.iter().position(|other| *other == state).map(|at| at as State);
    let mut result = automaton.clone().with_states(&order, place);
    for state in result.states() {
        result.edges_mut(state).reverse();
    }
    result
}

#[test]
fn isomorphism_is_found_up_to_order_and_only_then() {
    for seed in 0..200 {
        let shape = Shape { states: 1 + (seed % 9) as u32, sets: (seed % 3) as u32, ..Shape::default() };
        let automaton = random_automaton(&shape, seed).reachable();
        let other = shuffled(&automaton, seed);
        assert!(
            matches!(isomorphism(&automaton, &other, &Budget::unlimited()).unwrap(), Isomorphism::Found(_)),
            "seed {seed}"
        );
        let mut changed = other.clone();
        let Some(state) = changed.states().find(|&state| changed.edges(state).iter().any(|e| !e.label.is_true()))
        else {
            continue;
        };
        let edge = changed.edges_mut(state).iter_mut().find(|edge| !edge.label.is_true()).expect("just found");
        edge.label = !&edge.label;
        let mut merged = [automaton.clone(), changed.clone()];
        merged.iter_mut().for_each(Automaton::merge_edges);
        // Two edges may swap their labels: then nothing has changed.
        let alike = merged[0].transition_count() == merged[1].transition_count();
        assert!(
            alike || isomorphism(&automaton, &changed, &Budget::unlimited()).unwrap() == Isomorphism::None,
            "seed {seed}"
        );
    }
}

#[test]
fn isomorphism_of_automata_that_colours_cannot_tell_apart() {
    // Cycles of 3 + 3 and of 6 states below an initial state that reaches all: every state looks alike locally.
    let rings = |lengths: &[u32]| {
        let mut automaton = Automaton::new(["a"], 0);
        let initial = automaton.add_state();
        let yes = automaton.manager().yes();
        for &length in lengths {
            let first = automaton.state_count() as State;
            automaton.add_states(length as usize);
            for offset in 0..length {
                automaton.add_edge(initial, first + offset, &yes, Marks::NONE);
                automaton.add_edge(first + offset, first + (offset + 1) % length, &yes, Marks::NONE);
            }
        }
        automaton
    };
    assert_eq!(isomorphism(&rings(&[3, 3]), &rings(&[6]), &Budget::unlimited()).unwrap(), Isomorphism::None);
    assert!(matches!(
        isomorphism(&rings(&[3, 4]), &rings(&[4, 3]), &Budget::unlimited()).unwrap(),
        Isomorphism::Found(_)
    ));
}

#[test]
fn witnesses_of_emptiness_are_accepted() {
    for seed in 0..100 {
        let automaton = sample(KINDS[seed as usize % 5], seed);
        assert_eq!(accepted_word(&automaton).is_none(), is_empty(&automaton));
    }
}
