//! The fast products, components and intersections of the testbench against slow ones.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use kernel::budget::Budget;
use omega::automaton::emptiness;
use omega::automaton::scc::Components;
use omega::formula::{Formulas, Node};
use omega::pipeline::{Construction, Level, Output, TranslationOptions, translate};
use omega::propositions::Propositions;
use omega::random::Random;
use omega::random_automaton::{Shape, random_automaton};
use testbench::components::components;
use testbench::explicit::{Explicit, Universe};
use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::{StructureShape, graph, path};
use testbench::oracle::intersection::{meets, meets_by_diagrams};
use testbench::product::{accepted_lasso, explicit_product, product};

/// Random structures of up to 70 states, so that sets have one word or two.
fn structure(seed: u64, random: &mut Random) -> testbench::structure::Structure {
    let states = 1 + random.below(70) as usize;
    let edge_probability = [0.0, 0.03, 0.1, 0.3][seed as usize % 4];
    let shape = StructureShape { states, edge_probability, truth_probability: 0.5 };
    let atoms = ["a", "b", "c"].map(String::from);
    if seed.is_multiple_of(5) { path(&atoms, shape, random) } else { graph(&atoms, shape, random) }
}

#[test]
fn the_global_product_is_what_single_products_say() {
    println!("seeds 0 to 399");
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let structure = structure(seed, &mut random);
        let shape = Shape { states: 1 + seed as u32 % 7, atoms: 3, sets: (seed % 4) as u32, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let atoms = automaton.atoms().iter().zip(["a", "b", "c"]).map(|(_, name)| name);
        let mut renamed =
            omega::automaton::Automaton::in_manager(automaton.manager(), Propositions::named(atoms), automaton.sets());
        renamed.add_states(automaton.state_count());
        renamed.set_initial(automaton.initial());
        automaton.all_edges().for_each(|(from, edge)| renamed.add_edge(from, edge.target, &edge.label, edge.marks));
        let spelt = Explicit::over(&renamed, &Universe::states(&structure));
        let fast = product(&structure, &spelt);
        let mut reached = std::collections::BTreeSet::new();
        for state in 0..structure.size() {
            let single = explicit_product(&structure, &spelt, state);
            let slow = !emptiness::is_empty(&single);
            assert_eq!(fast.accepted.contains(state), slow, "seed {seed}, state {state}");
            assert_eq!(accepted_lasso(&structure, &spelt, state).is_some(), slow, "seed {seed}, state {state}");
            let found = Components::of(&single);
            reached.extend(single.states().filter(|&pair| found.number(pair).is_some()));
            if slow { accepted += 1 } else { rejected += 1 }
        }
        assert_eq!(fast.states, reached.len() as u64, "seed {seed}");
        // From a new initial state that leads to all others everything is reachable at once.
        let mut whole = explicit_product(&structure, &spelt, 0);
        let transitions: usize = reached.iter().map(|&pair| whole.edges(pair).len()).sum();
        assert_eq!(fast.transitions, transitions as u64, "seed {seed}");
        let root = whole.add_state();
        let any = whole.manager().yes();
        for state in 0..structure.size() {
            let pair = (state * spelt.state_count()) as u32 + spelt.initial;
            whole.add_edge(root, pair, &any, omega::automaton::Marks::NONE);
        }
        whole.set_initial(root);
        assert_eq!(fast.components, Components::of(&whole).list().len() as u64 - 1, "seed {seed}");
    }
    assert!(accepted > 1000 && rejected > 1000, "{accepted} {rejected}");
}

#[test]
fn spelt_out_automata_have_the_sizes_of_the_automata() {
    println!("seeds 0 to 299");
    let set = SymbolSet::new("", 3);
    let (mut meeting, mut apart) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut formulas = Formulas::new();
        let formula = set.draw(1 + seed as usize % 9, &mut formulas, &mut random);
        let negation = formulas.intern(Node::Not(formula));
        let other = set.draw(1 + seed as usize % 5, &mut formulas, &mut random);
        let construction = [Construction::Couvreur, Construction::Gpvw, Construction::Go][seed as usize % 3];
        let output = if seed % 2 == 0 { Output::Generalized } else { Output::Buchi };
        let options = TranslationOptions { construction, output, level: Level::Low, ..TranslationOptions::default() };
        let [one, no, two] = [formula, negation, other]
            .map(|f| translate(&mut formulas, f, &options, &Budget::unlimited()).unwrap().automaton);
        let letters = Universe::letters(&set.atoms()).unwrap();
        let [e, n, t] = [&one, &no, &two].map(|automaton| Explicit::over(automaton, &letters));
        let times = (letters.size() >> one.atoms().len()) as u64;
        assert_eq!(u128::from(e.permission_count() / times), one.transition_count(), "seed {seed}");
        assert_eq!(e.nondeterministic_state_count(), one.nondeterministic_state_count(), "seed {seed}");
        assert_eq!(e.is_complete(letters.size()), one.is_complete(), "seed {seed}");
        assert_eq!(components(&e.graph(), e.initial).1 as usize, Components::of(&one).list().len(), "seed {seed}");
        assert!(!meets(&e, &n), "seed {seed}");
        assert_eq!(meets(&e, &t), meets_by_diagrams(&one, &two), "seed {seed}");
        if meets(&e, &t) { meeting += 1 } else { apart += 1 }
    }
    assert!(meeting > 50 && apart > 20, "{meeting} {apart}");
}
