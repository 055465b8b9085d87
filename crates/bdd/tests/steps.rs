//! The fused step against conjunction, quantification and renaming one after the other.

use bdd::{Bdd, Manager, Sifting, Variable};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers, the same in every run.
struct Numbers(ChaCha8Rng);

impl Numbers {
    fn new(seed: u64) -> Self {
        Numbers(ChaCha8Rng::seed_from_u64(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.random_range(0..1 << 31)
    }
}

/// A function of these variables that is true for about half of the assignments.
fn function(manager: &Manager, numbers: &mut Numbers, variables: &[u32]) -> Bdd {
    let Some((first, rest)) = variables.split_first() else {
        return manager.constant(numbers.next().is_multiple_of(2));
    };
    let variable = manager.variable(Variable(*first));
    let (low, high) = (function(manager, numbers, rest), function(manager, numbers, rest));
    (&variable & high) | (!&variable & low)
}

/// Variables 0, 2 and 6 have partners, 4 is an input, 5 keeps its value.
const PAIRS: [(Variable, Variable); 4] =
    [(Variable(0), Variable(1)), (Variable(2), Variable(3)), (Variable(6), Variable(7)), (Variable(4), Variable(4))];

#[test]
fn a_step_is_what_its_parts_are() {
    let manager = Manager::new();
    let (present, next) = ([0, 2, 4, 6].map(Variable), [1, 3, 4, 7].map(Variable));
    let to_present = [(Variable(1), Variable(0)), (Variable(3), Variable(2)), (Variable(7), Variable(6))];
    let to_next = to_present.map(|(a, b)| (b, a));
    for seed in 0..300 {
        let mut numbers = Numbers::new(seed);
        let set = function(&manager, &mut numbers, &[0, 2, 5, 6]);
        let mentioned: Vec<u32> = (0..8).filter(|_| !numbers.next().is_multiple_of(4)).collect();
        let relation = function(&manager, &mut numbers, &mentioned);
        let forward = set.and_exists(&relation, &present).rename(&to_present);
        assert_eq!(set.try_step(&relation, &PAIRS, false), Ok(Some(forward)), "seed {seed}, forward");
        let backward = set.rename(&to_next).and_exists(&relation, &next);
        assert_eq!(set.try_step(&relation, &PAIRS, true), Ok(Some(backward)), "seed {seed}, backward");
    }
}

#[test]
fn partners_apart_are_refused() {
    let manager = Manager::new();
    let set = manager.variable(Variable(0));
    let apart = [(Variable(0), Variable(2))];
    assert_eq!(set.try_step(&manager.yes(), &apart, false), Ok(None));
}

#[test]
fn reordering_in_pairs_changes_nothing() {
    let manager = Manager::new();
    let mut numbers = Numbers::new(7);
    let set = function(&manager, &mut numbers, &[0, 2, 5, 6]);
    let relation = function(&manager, &mut numbers, &[0, 1, 2, 3, 4, 6, 7]);
    let before = set.try_step(&relation, &PAIRS, false).expect("no limit").expect("side by side");
    let blocks = [vec![Variable(0), Variable(1)], vec![Variable(2), Variable(3)], vec![Variable(6), Variable(7)]];
    manager.sift(&Sifting { blocks: &blocks, ..Sifting::default() }, |_| true);
    assert_eq!(set.try_step(&relation, &PAIRS, false), Ok(Some(before)));
}
