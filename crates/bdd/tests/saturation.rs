//! Saturation against breadth-first search with single steps.
//!
//! Mistakes that were put into `src/saturate.rs` by hand, and the test that fails. S is
//! `saturation_reaches_what_breadth_first_search_reaches`, P is `a_saturation_that_pauses_finds_everything`.
//!
//! - S: results are kept under the same key for all numbers of relations, or for all saturations;
//! - S: a relation begins where it tests a level, although it changes one above, or the other way round;
//! - S, P: a part is not closed again after a step; parts below, or the high part of a node, are not closed; the image replaces the set;
//! - P: relations are not sorted by their topmost level; a pause counts as the end.

use bdd::{Bdd, Manager, Relation, Sifting, Variable};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// State bits 0, 2, 4 … have partners 1, 3, 5 …; the last variable is an input.
const BITS: u32 = 6;
const INPUT: u32 = 2 * BITS;

/// A function of these variables; true for one in `sparse` assignments.
fn function(manager: &Manager, random: &mut ChaCha8Rng, variables: &[u32], sparse: u32) -> Bdd {
    let Some((first, rest)) = variables.split_first() else {
        return manager.constant(random.random_range(0..sparse) == 0);
    };
    let variable = manager.variable(Variable(*first));
    let (low, high) = (function(manager, random, rest, sparse), function(manager, random, rest, sparse));
    (&variable & high) | (!&variable & low)
}

/// A relation with the bits that it changes and the inputs.
type Event = (Bdd, Vec<(Variable, Variable)>);

/// Relations, each over a few bits, with the bits that they change.
fn relations(manager: &Manager, random: &mut ChaCha8Rng) -> Vec<Event> {
    let count = random.random_range(1..6);
    let one = |random: &mut ChaCha8Rng| {
        let changed: Vec<u32> = (0..BITS).filter(|_| random.random_range(0..3) == 0).collect();
        let mut mentioned: Vec<u32> = Vec::new();
        for bit in 0..BITS {
            if random.random_range(0..3) == 0 {
                mentioned.push(2 * bit);
            }
            if changed.contains(&bit) && random.random_range(0..4) > 0 {
                mentioned.push(2 * bit + 1);
            }
        }
        if random.random_range(0..3) == 0 {
            mentioned.push(INPUT);
        }
        let sparse = random.random_range(2..5);
        let relation = function(manager, random, &mentioned, sparse);
        let mut pairs: Vec<_> = changed.iter().map(|bit| (Variable(2 * bit), Variable(2 * bit + 1))).collect();
        pairs.push((Variable(INPUT), Variable(INPUT)));
        (relation, pairs)
    };
    (0..count).map(|_| one(random)).collect()
}

fn breadth_first(set: &Bdd, relations: &[Event]) -> Bdd {
    let mut reached = set.clone();
    loop {
        let mut larger = reached.clone();
        for (relation, pairs) in relations {
            larger = larger | reached.try_step(relation, pairs, false).expect("no limit").expect("side by side");
        }
        if larger == reached {
            return reached;
        }
        reached = larger;
    }
}

fn saturated(set: &Bdd, relations: &[Event]) -> Bdd {
    let relations: Vec<_> = relations.iter().map(|(relation, pairs)| Relation { relation, pairs }).collect();
    set.try_saturate(&relations).expect("no limit").expect("side by side")
}

#[test]
fn saturation_reaches_what_breadth_first_search_reaches() {
    let manager = Manager::new();
    let blocks: Vec<Vec<Variable>> = (0..BITS).map(|bit| vec![Variable(2 * bit), Variable(2 * bit + 1)]).collect();
    let (mut grown, mut whole) = (0, 0);
    for seed in 0..400 {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let relations = relations(&manager, random);
        let bits: Vec<u32> = (0..BITS).map(|bit| 2 * bit).collect();
        let set = function(&manager, random, &bits, 12);
        if seed % 3 == 0 {
            manager.sift(&Sifting { blocks: &blocks, ..Sifting::default() }, |_| true);
        }
        let expected = breadth_first(&set, &relations);
        assert_eq!(saturated(&set, &relations), expected, "seed {seed}");
        grown += usize::from(expected != set);
        whole += usize::from(expected.is_true());
    }
    assert!(grown > 200 && whole < 100, "{grown} sets grew, {whole} became everything");
}

/// `bits` counters of two bits each; every counter steps alone, and the first bit of the next one must be set.
fn counters(manager: &Manager, counters: u32) -> (Bdd, Vec<Event>) {
    let now = |bit: u32| manager.variable(Variable(2 * bit));
    let next = |bit: u32| manager.variable(Variable(2 * bit + 1));
    let mut relations = Vec::new();
    for counter in 0..counters {
        let (low, high) = (2 * counter, 2 * counter + 1);
        let guard = now((low + 2) % (2 * counters)) | !now(high);
        let relation = guard & next(low).iff(&!now(low)) & next(high).iff(&(now(high) ^ now(low)));
        let pairs = [low, high].map(|bit| (Variable(2 * bit), Variable(2 * bit + 1))).to_vec();
        relations.push((relation, pairs));
    }
    let initial = (0..2 * counters).fold(manager.yes(), |all, bit| all & !now(bit));
    (initial, relations)
}

#[test]
fn a_saturation_that_pauses_finds_everything() {
    let manager = Manager::new();
    let (initial, relations) = counters(&manager, 8);
    let expected = breadth_first(&initial, &relations);
    // So little room that the work is interrupted: nodes that are no longer used would make more of it.
    manager.collect();
    let blocks = (0..16).map(|bit| vec![Variable(2 * bit), Variable(2 * bit + 1)]).collect();
    manager.sift_automatically(Some((20, blocks)));
    assert_eq!(saturated(&initial, &relations), expected);
    manager.verify();
}

#[test]
fn a_saturation_keeps_to_the_limit_on_nodes() {
    let manager = Manager::new();
    let (initial, relations) = counters(&manager, 10);
    let relations: Vec<_> = relations.iter().map(|(relation, pairs)| Relation { relation, pairs }).collect();
    manager.collect();
    manager.set_limit(manager.node_count() + 10);
    assert!(initial.try_saturate(&relations).is_err(), "the result does not fit");
    manager.verify();
    manager.set_limit(usize::MAX);
    assert!(initial.try_saturate(&relations).is_ok_and(|reached| reached.is_some()));
}

#[test]
fn partners_apart_are_refused() {
    let manager = Manager::new();
    let set = manager.variable(Variable(0));
    let relation = Relation { relation: &manager.yes(), pairs: &[(Variable(0), Variable(2))] };
    assert_eq!(set.try_saturate(&[relation]), Ok(None));
}
