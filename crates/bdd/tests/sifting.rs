//! Reordering keeps every function, repairs bad orders, and keeps blocks together.

use bdd::{Bdd, Cube, Manager, Sifting, Variable};
use kernel::budget::{Budget, Exhausted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers, the same in every run.
struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0.random_range(0..bound)
    }
}

const VARIABLES: u32 = 10;

fn table_of(function: &Bdd) -> Vec<bool> {
    (0..1_u32 << VARIABLES).map(|row| function.evaluate(|v| row >> v.0 & 1 == 1)).collect()
}

fn random_function(manager: &Manager, random: &mut Random) -> Bdd {
    let mut function = manager.no();
    for _ in 0..6 {
        let literals = (0..4).map(|_| (Variable(random.below(VARIABLES.into()) as u32), random.below(2) == 1));
        if let Some(cube) = Cube::new(literals) {
            let cube = manager.cube(&cube);
            function = if random.below(3) == 0 { function ^ cube } else { function | cube };
        }
    }
    function
}

/// `x0 & xn | x1 & x(n+1) | …`: linear if partners stand together, exponential in the given order.
fn pairs(manager: &Manager, count: u32) -> Bdd {
    (0..count).fold(manager.no(), |f, v| f | manager.variable(Variable(v)) & manager.variable(Variable(v + count)))
}

#[test]
fn functions_and_operations_survive() {
    let mut random = Random::new(7);
    for round in 0..40 {
        let manager = Manager::new();
        let functions: Vec<Bdd> = (0..8).map(|_| random_function(&manager, &mut random)).collect();
        let tables: Vec<Vec<bool>> = functions.iter().map(table_of).collect();
        manager.collect();
        let before = manager.node_count();
        manager.sift(&Sifting::default(), |_| true);
        manager.verify();
        assert!(manager.node_count() <= before, "round {round}: {before} nodes became {}", manager.node_count());
        for (function, table) in functions.iter().zip(&tables) {
            assert_eq!(&table_of(function), table, "round {round}");
            assert_eq!(function.cover().iter().fold(manager.no(), |f, cube| f | manager.cube(cube)), *function);
            let ones = table.iter().filter(|value| **value).count() as u128;
            assert_eq!(function.count(VARIABLES), Some(ones));
            let some = [Variable(1), Variable(4), Variable(7)];
            let expected: Vec<bool> = (0..table.len())
                .map(|row| {
                    (0..8).any(|bits| {
                        table[row & !0b1001_0010 | (bits & 1) << 1 | (bits >> 1 & 1) << 4 | (bits >> 2) << 7]
                    })
                })
                .collect();
            assert_eq!(table_of(&function.exists(&some)), expected);
        }
        let (a, b) = (&functions[0], &functions[1]);
        let both: Vec<bool> = tables[0].iter().zip(&tables[1]).map(|(a, b)| *a && *b).collect();
        assert_eq!(table_of(&(a & b)), both);
        assert_eq!(a.and_exists(b, &[Variable(3)]), (a & b).exists(&[Variable(3)]));
        // Equal functions still have equal handles.
        assert_eq!(&!(!a | !b), &(a & b));
        manager.verify();
    }
}

#[test]
fn a_bad_order_is_repaired() {
    let manager = Manager::new();
    let function = pairs(&manager, 10);
    assert!(function.size() > 1_000);
    manager.sift(&Sifting::default(), |_| true);
    assert_eq!(function.size(), 20);
    let order = manager.order(20);
    let level = |v: u32| order.iter().position(|other| other.0 == v).unwrap();
    assert!((0..10).all(|v| level(v).abs_diff(level(v + 10)) == 1), "partners stand together: {order:?}");
}

#[test]
fn blocks_stay_together_and_renaming_still_works() {
    let manager = Manager::new();
    // Bits 2n and 2n + 1 are partners; the function pairs bit 2n with bit 2(n + 6).
    let now = |n: u32| Variable(2 * n);
    let next = |n: u32| Variable(2 * n + 1);
    let function = (0..6).fold(manager.no(), |f, n| f | manager.variable(now(n)) & manager.variable(now(n + 6)));
    let to_next: Vec<_> = (0..12).map(|n| (now(n), next(n))).collect();
    let renamed = function.rename(&to_next);
    let blocks: Vec<Vec<Variable>> = (0..12).map(|n| vec![now(n), next(n)]).collect();
    manager.sift(&Sifting { blocks: &blocks, ..Sifting::default() }, |_| true);
    manager.verify();
    assert_eq!(function.size(), 12);
    assert_eq!(function.rename(&to_next), renamed);
    let order = manager.order(24);
    for pair in order.chunks(2) {
        assert_eq!(pair[0].0 + 1, pair[1].0, "{order:?}");
    }
    // A renaming that turns the order around needs more than a copy.
    let swap: Vec<_> = (0..12).map(|n| (now(n), now(11 - n))).collect();
    assert_eq!(function.rename(&swap).rename(&swap), function);
}

#[test]
fn sifting_can_be_ended_and_operations_bounded() {
    let manager = Manager::new();
    let function = pairs(&manager, 8);
    let table = function.count(16);
    manager.sift(&Sifting::default(), |_| false);
    assert_eq!(function.count(16), table);
    let mut budget = Budget::unlimited();
    budget.memory = Some(20_000 * bdd::BYTES_PER_NODE);
    manager.set_budget(Some(&budget));
    let large = (0..14_u32).try_fold(manager.no(), |f, v| {
        f.try_or(&manager.try_variable(Variable(v + 20))?.try_and(&manager.try_variable(Variable(v + 34))?)?)
    });
    assert!(large.is_err());
    assert_eq!(budget.check(), Err(Exhausted::Memory));
    manager.set_budget(None);
    assert_eq!(pairs(&manager, 8), function);
    manager.verify();
}

#[test]
fn sifting_by_itself_keeps_functions_small_and_right() {
    let manager = Manager::new();
    manager.sift_automatically(Some((500, Vec::new())));
    let function = pairs(&manager, 16);
    assert!(function.size() < 2_000, "{} nodes", function.size());
    manager.verify();
    let fixed = Manager::new();
    assert_eq!(fixed.import(&function, |v| v).count(32), pairs(&fixed, 16).count(32));
}
