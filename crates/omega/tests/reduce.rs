//! Every reduction keeps the language: random automata and random words, before and after.

use kernel::budget::Budget;
use omega::automaton::acceptance::accepts;
use omega::automaton::{Automaton, Edge, Marks};
use omega::formula::Formulas;
use omega::parse::{Syntax, parse};
use omega::random::{FormulaShape, Random, word};
use omega::random_automaton::{Shape, random_automaton};
use omega::reduce::bound::is_smallest;
use omega::reduce::cosimulation::{Acceptance, cosimulation};
use omega::reduce::degeneralize::degeneralize;
use omega::reduce::disjoint::disjoint;
use omega::reduce::marking::{on_entry, saturate};
use omega::reduce::merge::merge;
use omega::reduce::obligation::{evident_obligation, obligation};
use omega::reduce::prune::prune;
use omega::reduce::recurrence::recurrence;
use omega::reduce::sets::drop_superfluous;
use omega::reduce::simulation::simulation;
use omega::reduce::statewise::{Guessing, statewise};
use omega::rewrite::Nnf;
use omega::translate::couvreur::{self, Branching};

/// What was seen, to be sure that the tests see something.
#[derive(Debug, Default)]
struct Seen {
    accepted: u32,
    rejected: u32,
    changed: u32,
}

impl Seen {
    /// Compares an automaton and its reduction on some words.
    fn compare(&mut self, before: &Automaton, after: &Automaton, seed: u64) {
        after.verify();
        let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count(), automaton.sets());
        self.changed += u32::from(size(before) != size(after));
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let word = word(before.atoms(), 6, &mut random);
            let expected = accepts(before, &word);
            assert_eq!(accepts(after, &word), expected, "seed {seed}, word {word}");
            *(if expected { &mut self.accepted } else { &mut self.rejected }) += 1;
        }
    }
}

/// Applies a reduction to random automata; gives how often the size changed.
fn check(reduce: impl Fn(&Automaton) -> Automaton) -> u32 {
    let mut seen = Seen::default();
    for seed in 0..300 {
        let shape = Shape {
            states: 1 + (seed % 7) as u32,
            sets: (seed % 4) as u32,
            density: [0.15, 0.3, 0.5][(seed % 3) as usize],
            marking: 0.35,
            ..Shape::default()
        };
        let automaton = random_automaton(&shape, seed);
        seen.compare(&automaton, &reduce(&automaton), seed);
    }
    assert!(seen.accepted > 500 && seen.rejected > 500, "{seen:?}");
    seen.changed
}

/// Applies a reduction that needs the complement to automata for random formulas; gives how often it did something.
fn check_with_negation(mut reduce: impl FnMut(&Automaton, &Automaton) -> Option<Automaton>) -> u32 {
    let mut seen = Seen::default();
    let mut applied = 0;
    for seed in 0..300 {
        let mut formulas = Formulas::new();
        let shape = FormulaShape::new(3 + (seed % 10) as usize, 2);
        let formula = shape.draw(&mut formulas, &mut Random::new(seed));
        let (mut nnf, negation) = (Nnf::new(), formulas.not(formula));
        let [automaton, negation] = [formula, negation].map(|formula| {
            let formula = nnf.of(&mut formulas, formula);
            couvreur::translate(&mut formulas, formula, Branching::Immediate, 10_000, &Budget::unlimited())
                .expect("a small formula")
        });
        let (automaton, negation) = Automaton::aligned(&prune(automaton), &prune(negation));
        if let Some(reduced) = reduce(&automaton, &negation) {
            applied += u32::from(reduced.state_count() < automaton.state_count());
            seen.compare(&automaton, &reduced, seed);
        }
    }
    assert!(seen.accepted > 500 && seen.rejected > 500, "{seen:?}");
    applied
}

#[test]
fn pruning_keeps_the_language() {
    assert!(check(|automaton| prune(automaton.clone())) > 50);
}

#[test]
fn saturation_keeps_the_language() {
    let changed = std::cell::Cell::new(0);
    for outside in [|_: &Automaton| Marks::NONE, Automaton::all_marks] {
        check(|automaton| {
            let result = saturate(automaton.clone(), outside(automaton), &Budget::unlimited()).unwrap();
            let more = |(old, new): ((_, &Edge), (_, &Edge))| old.1.marks != new.1.marks;
            changed.set(changed.get() + u32::from(automaton.all_edges().zip(result.all_edges()).any(more)));
            result
        });
    }
    assert!(changed.get() > 200, "marks changed in {} automata", changed.get());
}

#[test]
fn moving_marks_to_entries_keeps_the_language() {
    let changed = std::cell::Cell::new(0);
    check(|automaton| {
        let before = saturate(automaton.clone(), Marks::NONE, &Budget::unlimited()).unwrap();
        let result = on_entry(&before, &Budget::unlimited()).unwrap();
        let less = |(old, new): ((_, &Edge), (_, &Edge))| old.1.marks != new.1.marks;
        changed.set(changed.get() + u32::from(before.all_edges().zip(result.all_edges()).any(less)));
        result
    });
    assert!(changed.get() > 20, "marks changed in {} automata", changed.get());
}

#[test]
fn dropping_sets_keeps_the_language() {
    assert!(check(|automaton| drop_superfluous(automaton.clone(), &Budget::unlimited()).unwrap()) > 50);
    assert!(
        check(|automaton| drop_superfluous(
            saturate(automaton.clone(), Marks::NONE, &Budget::unlimited()).unwrap(),
            &Budget::unlimited()
        )
        .unwrap())
            > 100
    );
}

#[test]
fn simulation_keeps_the_language() {
    assert!(check(|automaton| simulation(automaton.clone(), &Budget::unlimited()).unwrap()) > 100);
    assert!(
        check(|automaton| simulation(
            saturate(automaton.clone(), automaton.all_marks(), &Budget::unlimited()).unwrap(),
            &Budget::unlimited()
        )
        .unwrap())
            > 100
    );
}

#[test]
fn reverse_simulation_keeps_the_language() {
    assert!(
        check(|automaton| cosimulation(automaton.clone(), Acceptance::ByEdge, &Budget::unlimited()).unwrap()) > 100
    );
}

#[test]
fn degeneralization_keeps_the_language() {
    for acceptance in [Acceptance::ByEdge, Acceptance::ByState] {
        check(|automaton| {
            let result = degeneralize(automaton, acceptance, &Budget::unlimited()).unwrap();
            assert_eq!(result.sets(), 1);
            assert!(!automaton.is_deterministic() || result.is_deterministic());
            result
        });
    }
}

#[test]
fn state_based_acceptance_keeps_the_language() {
    check(|automaton| {
        let one_set = degeneralize(automaton, Acceptance::ByEdge, &Budget::unlimited()).unwrap();
        let deterministic = statewise(&one_set, Guessing::Never, &Budget::unlimited()).unwrap();
        assert!(!automaton.is_deterministic() || deterministic.is_deterministic());
        let result = statewise(&one_set, Guessing::Allowed, &Budget::unlimited()).unwrap();
        assert!(result.is_state_based() && deterministic.is_state_based());
        let reduced = cosimulation(result.clone(), Acceptance::ByState, &Budget::unlimited()).unwrap();
        let reduced = simulation(reduced, &Budget::unlimited()).unwrap();
        assert!(reduced.is_state_based());
        reduced
    });
}

#[test]
fn merging_by_trial_keeps_the_language() {
    let applied = check_with_negation(|automaton, negation| {
        let merged = merge(automaton, negation, Acceptance::ByEdge, 1_000_000, &Budget::unlimited()).unwrap();
        let by_state = prune(
            statewise(
                &degeneralize(&merged, Acceptance::ByEdge, &Budget::unlimited()).unwrap(),
                Guessing::Allowed,
                &Budget::unlimited(),
            )
            .unwrap(),
        );
        let by_state = merge(&by_state, negation, Acceptance::ByState, 1_000_000, &Budget::unlimited()).unwrap();
        assert!(by_state.is_state_based() && merged.state_count() <= automaton.state_count());
        Some(by_state)
    });
    assert!(applied > 30, "{applied} automata became smaller");
}

#[test]
fn a_spent_budget_changes_nothing() {
    let applied = check_with_negation(|automaton, negation| {
        Some(merge(automaton, negation, Acceptance::ByEdge, 0, &Budget::unlimited()).unwrap())
    });
    // What has no word in common for lack of any step takes no budget.
    assert!(applied < 10, "{applied} automata became smaller");
}

#[test]
fn obligations_have_minimal_deterministic_automata() {
    let mut found = 0;
    check_with_negation(|automaton, negation| {
        let minimal = obligation(automaton, negation, 1000, &Budget::unlimited()).unwrap()?;
        assert!(minimal.is_deterministic() && minimal.is_state_based());
        assert!(disjoint(&minimal, negation, &Budget::unlimited()).unwrap());
        found += 1;
        Some(minimal)
    });
    assert!(found > 150, "{found} obligations");
}

#[test]
fn evident_obligations_are_obligations() {
    let (mut evident, budget) = (0, Budget::unlimited());
    check_with_negation(|automaton, negation| {
        let automaton = saturate(automaton.clone(), Marks::NONE, &budget).unwrap();
        let minimal = obligation(&automaton, negation, 1000, &budget).unwrap();
        let Some(found) = evident_obligation(&automaton, 1000, &budget).unwrap() else { return minimal };
        let minimal = minimal.expect("an obligation");
        let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
        assert_eq!(size(&found), size(&minimal));
        evident += 1;
        Some(found)
    });
    assert!(evident > 100, "{evident} evident obligations");
}

#[test]
fn no_automaton_is_smaller_than_one_called_smallest() {
    let (mut smallest, mut open, budget) = (0, 0, Budget::unlimited());
    check_with_negation(|automaton, negation| {
        let minimal = obligation(automaton, negation, 1000, &budget).unwrap()?;
        let merged = merge(automaton, negation, Acceptance::ByEdge, 1_000_000, &budget).unwrap();
        if is_smallest(&minimal, &budget).unwrap() {
            assert!(merged.state_count() >= minimal.state_count(), "{} states", merged.state_count());
            smallest += 1;
        } else {
            open += 1;
        }
        Some(minimal)
    });
    assert!(smallest > 100 && open > 2, "{smallest} smallest, {open} open");
}

#[test]
fn keeping_determinism_keeps_the_language() {
    check(|automaton| {
        statewise(
            &degeneralize(automaton, Acceptance::ByState, &Budget::unlimited()).unwrap(),
            Guessing::Never,
            &Budget::unlimited(),
        )
        .unwrap()
    });
}

#[test]
fn recurrence_properties_have_deterministic_automata() {
    let (mut found, mut beyond) = (0, 0);
    check_with_negation(|automaton, negation| {
        let deterministic = recurrence(automaton, negation, 1000, &Budget::unlimited()).unwrap()?;
        assert!(deterministic.is_deterministic() && deterministic.sets() == 1);
        assert!(disjoint(&deterministic, negation, &Budget::unlimited()).unwrap());
        found += 1;
        beyond += u32::from(
            !automaton.is_deterministic()
                && obligation(automaton, negation, 1000, &Budget::unlimited()).unwrap().is_none(),
        );
        Some(deterministic)
    });
    assert!(found > 150 && beyond > 3, "{found} recurrence properties, {beyond} no obligations");
}

/// The number of states of the minimal weak deterministic automaton.
fn obligation_size(text: &str) -> Option<usize> {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
    let (mut nnf, negation) = (Nnf::new(), formulas.not(formula));
    let [automaton, negation] = [formula, negation].map(|formula| {
        let formula = nnf.of(&mut formulas, formula);
        prune(
            couvreur::translate(&mut formulas, formula, Branching::Immediate, 1000, &Budget::unlimited())
                .expect("a small formula"),
        )
    });
    let (automaton, negation) = Automaton::aligned(&automaton, &negation);
    obligation(&automaton, &negation, 1000, &Budget::unlimited()).unwrap().map(|minimal| minimal.state_count())
}

#[test]
fn obligations_are_told_from_other_properties() {
    // Sizes worked out by hand.
    assert_eq!(obligation_size("G a"), Some(1));
    assert_eq!(obligation_size("F a"), Some(2));
    assert_eq!(obligation_size("a U b"), Some(2));
    assert_eq!(obligation_size("F a & F b"), Some(4));
    assert_eq!(obligation_size("F a | G b"), Some(3));
    assert_eq!(obligation_size("X X a"), Some(4));
    assert_eq!(obligation_size("G F a"), None);
    assert_eq!(obligation_size("F G a"), None);
    assert_eq!(obligation_size("(G F a) | G b"), None);
}
