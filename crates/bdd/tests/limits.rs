//! Deep diagrams, the limit on nodes, reclaiming, and agreement with OxiDD on larger functions.

use bdd::{BYTES_PER_NODE, Bdd, Cube, MAX_VARIABLES, Manager, OutOfNodes, Variable};
use kernel::budget::{Budget, Exhausted};
use oxidd::bdd::BDDFunction;
use oxidd::{BooleanFunction, Manager as _, ManagerRef as _};
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

#[test]
fn the_deepest_diagram_does_not_exhaust_the_stack() {
    let manager = Manager::new();
    let every = |value: bool| (0..MAX_VARIABLES).map(move |v| (Variable(v), value));
    let deep = manager.cube(&Cube::new(every(true)).unwrap());
    let other = manager.cube(&Cube::new(every(false)).unwrap());
    let all: Vec<Variable> = (0..MAX_VARIABLES).map(Variable).collect();
    let even: Vec<Variable> = all.iter().copied().step_by(2).collect();
    assert_eq!(deep.size(), MAX_VARIABLES as usize);
    assert!((&deep & &other).is_false());
    let both = &deep | &other;
    assert!((&deep ^ &other) == both);
    assert_eq!(deep.if_then_else(&other, &deep), manager.no());
    assert!(both.exists(&all).is_true());
    assert!(both.forall(&even).is_false());
    assert!(both.and_exists(&!&deep, &even).implies(&other.exists(&even)));
    assert_eq!(both.cover().len(), 2);
    assert_eq!(both.cubes().count(), 2);
    assert!(deep.restrict(&Cube::new(every(true)).unwrap()).is_true());
    assert_eq!(deep.substitute(&[(Variable(0), manager.yes())]).size(), MAX_VARIABLES as usize - 1);
    assert_eq!(deep.support().len(), MAX_VARIABLES as usize);
    assert_eq!(deep.count(MAX_VARIABLES), None);
    manager.verify();
}

#[test]
fn the_limit_is_a_value() {
    let manager = Manager::with_limit(200);
    let parity = (0..60).try_fold(manager.no(), |f, v| f.try_xor(&manager.try_variable(Variable(v))?));
    assert!(parity.is_ok(), "the parity of 60 variables fits: two chains of sixty nodes while it is built");
    let sums = (0..60).step_by(2).try_fold(manager.no(), |f, v| {
        let pair = manager.try_variable(Variable(v))?.try_and(&manager.try_variable(Variable(59 - v))?)?;
        f.try_or(&pair)
    });
    assert_eq!(sums.err(), Some(OutOfNodes));
    // What was computed before is still right.
    assert!(parity.unwrap().evaluate(|v| v == Variable(7)));
    manager.verify();
}

#[test]
fn unreachable_nodes_are_reclaimed_and_reachable_ones_kept() {
    let manager = Manager::new();
    let kept = (0..20).fold(manager.no(), |f, v| f ^ manager.variable(Variable(v)));
    for round in 0..4_000_u32 {
        let cube = Cube::new((0..32).map(|v| (Variable(v), round >> (v % 16) & 1 == 1))).unwrap();
        drop(manager.cube(&cube));
    }
    assert!(manager.node_count() > 1_000);
    manager.collect();
    manager.verify();
    assert_eq!(manager.node_count(), kept.size() + 1);
    assert!(kept.evaluate(|v| v == Variable(3)));
    // By itself, without being asked, once enough have piled up.
    for round in 0..40_000_u32 {
        let cube = Cube::new((0..32).map(|v| (Variable(v), round.reverse_bits() >> (v / 2) & 1 == 1))).unwrap();
        drop(manager.cube(&cube));
    }
    assert!(manager.node_count() < 200_000, "{} nodes", manager.node_count());
    manager.verify();
}

#[test]
fn random_functions_agree_with_oxidd() {
    const VARIABLES: u32 = 12;
    const SEED: u64 = 0x5EED;
    let ours = Manager::new();
    let theirs = oxidd::bdd::new_manager(1 << 20, 1 << 14, 1);
    theirs.with_manager_exclusive(|manager| manager.add_vars(VARIABLES));
    let mut random = Random::new(SEED);
    let mut pool: Vec<(Bdd, BDDFunction)> = (0..VARIABLES)
        .map(|v| {
            let their = theirs.with_manager_shared(|manager| BDDFunction::var(manager, v).unwrap());
            (ours.variable(Variable(v)), their)
        })
        .collect();
    for _ in 0..2_000 {
        let [f, g, h] = [0; 3].map(|_| pool[random.below(pool.len() as u64) as usize].clone());
        let next = match random.below(4) {
            0 => (&f.0 & &g.0, f.1.and(&g.1).unwrap()),
            1 => (&f.0 | !&g.0, f.1.or(&g.1.not().unwrap()).unwrap()),
            2 => (&f.0 ^ &g.0, f.1.xor(&g.1).unwrap()),
            _ => (f.0.if_then_else(&g.0, &h.0), f.1.ite(&g.1, &h.1).unwrap()),
        };
        let row = random.below(1 << VARIABLES);
        let assignment = (0..VARIABLES).map(|v| (v, row >> v & 1 == 1));
        assert_eq!(next.0.evaluate(|v| row >> v.0 & 1 == 1), next.1.eval(assignment), "seed {SEED}");
        // Canonical on both sides: equal here exactly if equal there.
        let (other, their_other) = &pool[random.below(pool.len() as u64) as usize];
        assert_eq!(next.0 == *other, next.1 == *their_other, "seed {SEED}");
        if pool.len() < 60 {
            pool.push(next);
        } else {
            let at = VARIABLES as usize + random.below(60 - u64::from(VARIABLES)) as usize;
            pool[at] = next;
        }
    }
    ours.verify();
}

#[test]
fn manager_and_functions_move_between_threads() {
    let manager = Manager::new();
    let f = manager.variable(Variable(0));
    let g = std::thread::spawn(move || !f).join().unwrap();
    assert_eq!(g, manager.literal(Variable(0), false));
}

/// The function that is true where one of several pairs of variables is, with the second ones far from the first:
/// exponential in the number of pairs.
fn distant_pairs(manager: &Manager, pairs: u32) -> Bdd {
    (0..pairs).fold(manager.no(), |f, v| f | (manager.variable(Variable(v)) & manager.variable(Variable(v + pairs))))
}

#[test]
fn no_result_leaves_after_exhaustion() {
    let expected = distant_pairs(&Manager::new(), 9).count(18);
    let mut ends = [0, 0];
    for nodes in (100..4_000).step_by(100) {
        let manager = Manager::new();
        let before = distant_pairs(&manager, 5);
        let mut budget = Budget::unlimited();
        budget.memory = Some(nodes * BYTES_PER_NODE);
        match manager.within(&budget, || Ok::<_, Exhausted>(distant_pairs(&manager, 9))) {
            Ok(function) => {
                assert_eq!(function.count(18), expected, "{nodes} nodes");
                ends[0] += 1;
            }
            Err(limit) => {
                assert_eq!((limit, budget.check()), (Exhausted::Memory, Err(Exhausted::Memory)), "{nodes} nodes");
                ends[1] += 1;
            }
        }
        // What was there stays, and operations work again.
        assert_eq!(before, distant_pairs(&manager, 5));
        manager.verify();
    }
    assert!(ends[0] > 3 && ends[1] > 3, "{ends:?}");
}

#[test]
fn every_plain_operation_is_false_after_exhaustion() {
    let manager = Manager::new();
    let (function, budget) = (distant_pairs(&manager, 3), Budget::unlimited());
    let other = Manager::new();
    let ended = manager.within(&budget, || {
        budget.exhaust(Exhausted::Cancelled);
        manager.within(&budget, || {
            let [a, b] = [manager.variable(Variable(0)), manager.variable(Variable(1))];
            let cube = Cube::new([(Variable(0), true)]).unwrap();
            let results = [
                &a & &function,
                &b | &function,
                &function ^ &b,
                function.minus(&b),
                function.if_then_else(&a, &b),
                function.cofactor(Variable(0), true),
                function.exists(&[Variable(0)]),
                function.forall(&[Variable(0)]),
                function.substitute(&[(Variable(0), b.clone())]),
                function.rename(&[(Variable(0), Variable(9))]),
                manager.import(&other.variable(Variable(3)), |v| v),
                manager.cube(&cube),
            ];
            assert!(results.iter().all(Bdd::is_false));
            assert!(!function.implies(&function) && function.cover().is_empty());
            Ok::<_, Exhausted>(())
        })
    });
    assert_eq!(ended, Err(Exhausted::Cancelled));
    assert!(function.implies(&function));
}

#[test]
fn the_innermost_budget_applies() {
    let manager = Manager::new();
    let budget = Budget::unlimited();
    let ended = manager.within(&budget, || {
        let mut stage = budget.stage();
        stage.memory = Some(20 * BYTES_PER_NODE);
        let inner = manager.within(&stage, || Ok::<_, Exhausted>(distant_pairs(&manager, 9)));
        assert_eq!(inner, Err(Exhausted::Memory));
        Ok::<_, Exhausted>(distant_pairs(&manager, 9))
    });
    assert_eq!(ended, Ok(distant_pairs(&manager, 9)));
}
