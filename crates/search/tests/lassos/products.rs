//! Products of random models and random automata against the product built by definition; what their lassos read against
//! the automaton itself; and the rules about ends and atomic sequences on models written by hand.

use crate::brute::Plain;
use kernel::budget::Budget;
use kernel::system::{Ending, Successor, System, Visitor};
use omega::automaton::acceptance::accepts;
use omega::automaton::{Automaton, Marks};
use omega::random::Random;
use omega::random_automaton::{Shape, random_automaton};
use omega::word::{Letter, Word};
use search::accepting::{Accepting, check_laws};
use search::counted::Counted;
use search::emptiness::{self, Emptiness, End};
use search::fairness::{Fair, Movers};
use search::lasso::{Lasso, Move};
use search::meter::Statistics;
use search::product::{EdgeOrder, NoProperty, Product, ProductStep, Property, Valuation};
use search::shorten::{self, Shortening};
use search::store::Store;
use search::stutter::{Stutter, Stuttered};
use search::temporal;
use search::threads::Threads;
use std::collections::BTreeMap;

/// A graph as a model: node `n` is the byte `n`; the valuation of its two atoms is chosen per node.
#[derive(Clone, Debug)]
struct Model {
    edges: Vec<Vec<u8>>,
    /// Beside each edge the processes that take part, of which there are two.
    movers: Vec<Vec<u8>>,
    is_transient: Vec<bool>,
    valuations: Vec<Valuation>,
    /// Whether steps do not tell which node they leave: many have one name, as statements do.
    is_nameless: bool,
}

impl Model {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(12);
        let transient = [0.0, 0.2, 0.5][random.below(3) as usize];
        let is_transient: Vec<bool> = (0..nodes).map(|node| node > 0 && random.chance(transient)).collect();
        let mut edges = Vec::new();
        let mut movers = Vec::new();
        for &must_go_on in &is_transient {
            let degree = u64::from(must_go_on) + random.below(3);
            edges.push((0..degree).map(|_| random.below(nodes) as u8).collect());
            movers.push((0..degree).map(|_| [1, 2, 1, 2, 3][random.below(5) as usize]).collect());
        }
        Self {
            edges,
            movers,
            is_transient,
            valuations: (0..nodes).map(|_| Valuation::from(random.below(4))).collect(),
            is_nameless: false,
        }
    }

    fn stuttering(&self) -> Stutter<Self> {
        Stutter::new(self.clone())
    }
}

/// Which edge of which node, if that is told, and who takes part.
type Edge = (u8, u8, u8);

impl Movers for Model {
    fn processes(&self) -> u32 {
        2
    }

    fn movers(&self, (_, _, bits): Edge) -> Marks {
        (0..2).filter(|process| bits >> process & 1 == 1).collect()
    }
}

impl System for Model {
    type Step = Edge;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0];
    }

    fn successors<V: Visitor<Edge>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        for (step, target) in self.edges[usize::from(state[0])].iter().enumerate() {
            let transient = self.is_transient[usize::from(*target)];
            let node = if self.is_nameless { 0 } else { state[0] };
            let step = (node, step as u8, self.movers[usize::from(state[0])][step]);
            visitor.successor(Successor { step, state: &[*target], transient });
        }
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

type Step = ProductStep<Stuttered<Edge>>;

/// The product by definition: pairs of a node and a state of the automaton, where the automaton moves with each step out
/// of a node that is not transient and stands still otherwise, and nodes without successors repeat. If only fair runs
/// count, each process has a mark, carried by the steps it takes part in and those out of visible nodes in which it has
/// none.
fn by_definition(model: &Model, automaton: &Automaton, is_fair: bool) -> Plain {
    let sets = automaton.sets().max(1);
    let mut numbers = BTreeMap::from([((0, automaton.initial()), 0)]);
    let mut pending = vec![(0, automaton.initial())];
    let mut edges = Vec::new();
    while let Some((node, state)) = pending.pop() {
        let source = numbers[&(node, state)];
        let mut moves = Vec::new();
        if model.is_transient[node] {
            moves.push((state, 0));
        } else {
            for edge in automaton.edges(state) {
                if edge.label.evaluate(|atom| model.valuations[node] >> atom.0 & 1 == 1) {
                    let marks = edge.marks.iter().fold(0, |bits, set| bits | 1 << set);
                    moves.push((edge.target, if automaton.sets() == 0 { 1 } else { marks }));
                }
            }
        }
        let edges_here = model.edges[node].iter().zip(&model.movers[node]);
        let mut targets: Vec<(usize, u32)> =
            edges_here.map(|(target, movers)| (usize::from(*target), u32::from(*movers))).collect();
        let able = targets.iter().fold(0, |able, (_, movers)| able | movers);
        if targets.is_empty() {
            targets.push((node, 0));
        }
        for (target, movers) in targets {
            let fair = if model.is_transient[node] { movers } else { movers | !able & 0b11 };
            for &(next, marks) in &moves {
                let marks = if is_fair { marks | fair << sets } else { marks };
                let fresh = numbers.len();
                let number = *numbers.entry((target, next)).or_insert_with(|| {
                    pending.push((target, next));
                    fresh
                });
                edges.push((source, number, marks));
            }
        }
    }
    Plain { nodes: numbers.len(), sets: if is_fair { sets + 2 } else { sets }, edges }
}

/// The word that a lasso's visible states spell.
fn word<P>(product: &Product<Stutter<Model>, P>, model: &Model, lasso: &Lasso<Step>) -> Word
where
    P: search::product::Atoms<()>,
{
    let mut at = 0;
    let mut letters = |moves: &[Move<Step>]| {
        let mut letters: Vec<Letter> = Vec::new();
        for next in moves {
            if next.step.edge.is_some() {
                letters.push((0..2).map(|atom| Some(model.valuations[at] >> atom & 1 == 1)).collect());
            }
            at = usize::from(product.split(&next.state).0[0]);
        }
        letters
    };
    let stem = letters(&lasso.stem);
    let cycle = letters(&lasso.cycle);
    Word::new(vec!["a".to_owned(), "b".to_owned()], stem, cycle)
}

#[test]
fn products_are_what_the_definition_says() {
    let mut verdicts = [0, 0];
    for seed in 0..1500 {
        let model = Model::random(seed);
        let sets = seed as u32 % 3;
        let shape = Shape { states: 1 + seed as u32 % 5, sets, density: 0.2, marking: 0.2, ..Shape::default() };
        let mut automaton = random_automaton(&shape, seed);
        if seed % 2 == 0 {
            // State-based: what the first edge of a state carries.
            for state in automaton.states() {
                let marks = automaton.edges(state).first().map_or(Marks::NONE, |edge| edge.marks);
                automaton.edges_mut(state).iter_mut().for_each(|edge| edge.marks = marks);
            }
        }
        let shortest = by_definition(&model, &automaton, false).shortest();
        verdicts[usize::from(shortest.is_some())] += 1;
        for order in EdgeOrder::ALL {
            let property = Property::new(&automaton, order).unwrap();
            let valuations = |state: &[u8]| model.valuations[usize::from(state[0])];
            let product = Product::new(model.stuttering(), valuations, property);
            check_laws(&product, 1000);
            let what = format!("seed {seed}, {order:?}");
            for search in Emptiness::ALL {
                let budget = Budget::unlimited();
                let options = emptiness::EmptinessOptions {
                    budget: &budget,
                    components: true,
                    store: Store::Exact,
                    progress: &mut |_| {},
                };
                let outcome = search.search(&product, options);
                assert_eq!(outcome.end() == End::Found, shortest.is_some(), "{what}, {}", search.name());
                if let Some(lasso) = outcome.lasso {
                    assert_eq!(lasso.check(&product), Ok(()), "{what}, {}", search.name());
                    assert!(accepts(&automaton, &word(&product, &model, &lasso)), "{what}, {}", search.name());
                }
            }
            for search in Shortening::ALL {
                let is_exact = search.is_exact() && !search.counts(&product);
                let budget = Budget::unlimited();
                let (max_length, progress) = (None, &mut |_: &Statistics| {});
                let options = shorten::ShorteningOptions {
                    budget: &budget,
                    components: true,
                    store: Store::Exact,
                    max_length,
                    patience: None,
                    progress,
                };
                let lasso = search.search(&product, options).lasso;
                assert_eq!(lasso.is_some(), shortest.is_some(), "{what}, {}", search.name());
                if let Some(lasso) = lasso {
                    assert_eq!(lasso.check(&product), Ok(()), "{what}, {}", search.name());
                    assert!(!is_exact || Some(lasso.length()) == shortest, "{what}, {}", search.name());
                    assert!(accepts(&automaton, &word(&product, &model, &lasso)), "{what}, {}", search.name());
                }
            }
        }
    }
    assert!(verdicts.iter().all(|count| *count > 300), "both verdicts occur: {verdicts:?}");
}

/// The shortest lasso of a model, whose only atom holds in one node, that the automaton accepts.
fn lasso_length(edges: &[&[u8]], transient: &[usize], holds_in: usize, automaton: &Automaton) -> Option<usize> {
    let model = Model {
        edges: edges.iter().map(|targets| targets.to_vec()).collect(),
        movers: edges.iter().map(|targets| vec![1; targets.len()]).collect(),
        is_transient: (0..edges.len()).map(|node| transient.contains(&node)).collect(),
        valuations: (0..edges.len()).map(|node| Valuation::from(node == holds_in)).collect(),
        is_nameless: false,
    };
    let property = Property::new(automaton, EdgeOrder::Automatic).unwrap();
    let valuations = |state: &[u8]| model.valuations[usize::from(state[0])];
    let product = Product::new(model.stuttering(), valuations, property);
    let (budget, max_length, progress) = (Budget::unlimited(), None, &mut |_: &Statistics| {});
    let options = shorten::ShorteningOptions {
        budget: &budget,
        components: true,
        store: Store::Exact,
        max_length,
        patience: None,
        progress,
    };
    Shortening::choose(&product, Store::Exact).search(&product, options).lasso.map(|lasso| lasso.length())
}

/// `F a`, as an automaton with two states; or the automaton for all words.
fn finally(trivially: bool) -> Automaton {
    let mut automaton = Automaton::new(["a"], 1);
    automaton.add_states(2);
    let (a, yes) = (automaton.atom(0), automaton.manager().yes());
    automaton.add_edge(0, 0, &!&a, if trivially { Marks::one(0) } else { Marks::NONE });
    automaton.add_edge(0, 1, &a, if trivially { Marks::one(0) } else { Marks::NONE });
    automaton.add_edge(1, 1, &yes, Marks::one(0));
    automaton
}

#[test]
fn ends_repeat_and_only_ends_do() {
    assert_eq!(lasso_length(&[&[1], &[]], &[], 1, &finally(false)), Some(3));
    assert_eq!(lasso_length(&[&[]], &[], 0, &finally(false)), Some(2));
    assert_eq!(lasso_length(&[&[0], &[]], &[], 1, &finally(false)), None);
}

#[test]
fn the_automaton_does_not_see_inside_atomic_sequences() {
    // 0, then 1 and 2 inside one atomic sequence, then 3 forever.
    let edges: [&[u8]; 4] = [&[1], &[2], &[3], &[3]];
    assert_eq!(lasso_length(&edges, &[1, 2], 2, &finally(false)), None);
    assert_eq!(lasso_length(&edges, &[], 2, &finally(false)), Some(4));
    assert_eq!(lasso_length(&edges, &[1, 2], 3, &finally(false)), Some(5));
}

#[test]
fn an_atomic_sequence_that_never_ends_is_no_run() {
    let edges: [&[u8]; 3] = [&[1], &[2], &[1]];
    assert_eq!(lasso_length(&edges, &[1, 2], 0, &finally(true)), None);
    assert_eq!(lasso_length(&edges, &[], 0, &finally(true)), Some(3));
}

#[test]
fn too_many_atoms_are_refused() {
    let names: Vec<String> = (0..129).map(|number| format!("p{number}")).collect();
    let mut automaton = Automaton::new(names, 1);
    automaton.add_state();
    assert_eq!(Property::new(&automaton, EdgeOrder::AsGiven).map(|_| ()), Err(NoProperty::TooManyAtoms));
}

#[test]
fn labels_with_exponentially_many_products_are_refused() {
    let mut automaton = Automaton::new((0..64).map(|number| format!("p{number}")), 1);
    automaton.add_state();
    let pair = |at: usize| automaton.atom(2 * at) & automaton.atom(2 * at + 1);
    let pairs: Vec<_> = (0..32).map(pair).collect();
    let label = !automaton.manager().disjunction(&pairs);
    automaton.add_edge(0, 0, &label, Marks::NONE);
    assert_eq!(Property::new(&automaton, EdgeOrder::AsGiven).map(|_| ()), Err(NoProperty::LongLabels));
}

#[test]
fn edges_nearest_to_acceptance_come_first() {
    let property = Property::new(&finally(false), EdgeOrder::Automatic).unwrap();
    let mut both = finally(false);
    let yes = both.manager().yes();
    both.edges_mut(0).iter_mut().for_each(|edge| edge.label = yes.clone());
    let targets = |order: EdgeOrder| -> Vec<u32> {
        Property::new(&both, order).unwrap().enabled(0, 0).map(|(_, target)| target).collect()
    };
    assert_eq!(targets(EdgeOrder::AsGiven), [0, 1]);
    assert_eq!(targets(EdgeOrder::AcceptingFirst), [1, 0]);
    assert_eq!(targets(EdgeOrder::Automatic), [1, 0]);
    assert!(property.accepting(1) && !property.accepting(0) && property.is_state_based());
}

#[test]
fn fair_runs_are_what_the_definition_says() {
    let mut changed = 0;
    for seed in 0..3000 {
        let model = Model { is_nameless: seed % 2 == 0, ..Model::random(seed) };
        let sets = seed as u32 % 3;
        let shape = Shape { states: 1 + seed as u32 % 4, sets, density: 0.6, marking: 0.6, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let shortest = by_definition(&model, &automaton, true).shortest();
        changed += usize::from(by_definition(&model, &automaton, false).shortest() != shortest);
        let property = Property::new(&automaton, EdgeOrder::Automatic).unwrap();
        let valuations = |state: &[u8]| model.valuations[usize::from(state[0])];
        let fair = Fair::new(Product::new(model.stuttering(), valuations, property)).unwrap();
        check_laws(&fair, 1000);
        check_laws(&Counted::new(&fair), 3000);
        for store in [Store::Exact, Store::HASH_COMPACT, Store::Bitstate { size: 16, hashes: 4 }] {
            all_searches_find(&fair, store, shortest, &format!("seed {seed}, {}", store.name()));
        }
        if seed % 5 == 0 {
            let (end, ..) = crate::distributed::found(&fair, 1 + seed as usize % 3, &Budget::unlimited());
            assert_eq!(end == End::Found, shortest.is_some(), "seed {seed}, by several workers");
        }
    }
    assert!(changed > 100, "fairness matters: {changed}");
}

/// Every search of a fair product that takes the store has this answer, if nothing is confused in it.
fn all_searches_find<A: Accepting>(fair: &A, store: Store, shortest: Option<usize>, what: &str) {
    let budget = Budget::unlimited();
    for search in Emptiness::ALL.into_iter().filter(|search| search.takes(store)) {
        let options = emptiness::EmptinessOptions { budget: &budget, components: true, store, progress: &mut |_| {} };
        let outcome = search.search(fair, options);
        assert_eq!(outcome.lasso.is_some(), shortest.is_some(), "{what}, {}", search.name());
        assert!(outcome.lasso.is_none_or(|lasso| lasso.check(fair) == Ok(())), "{what}, {}", search.name());
    }
    for search in Shortening::ALL.into_iter().filter(|search| search.takes(store)) {
        let (max_length, patience, progress) = (None, None, &mut |_: &Statistics| {});
        let options =
            shorten::ShorteningOptions { budget: &budget, components: true, store, max_length, patience, progress };
        let outcome = search.search(fair, options);
        let length = outcome.lasso.as_ref().map(Lasso::length);
        assert_eq!(length.is_some(), shortest.is_some(), "{what}, {}", search.name());
        assert!(!search.is_generalised() || length == shortest, "{what}, {}", search.name());
        assert!(length >= shortest, "{what}, {}", search.name());
        let is_proved = search.is_generalised() && store == Store::Exact && length.is_some();
        assert_eq!(outcome.is_minimal, is_proved, "{what}, {}", search.name());
        assert!(outcome.lasso.is_none_or(|lasso| lasso.check(fair) == Ok(())), "{what}, {}", search.name());
    }
}

/// The steps of a shortest accepting run, one that ends counted as the way to its end and one repetition, by definition.
fn shortest_of_model(model: &Model, automaton: &Automaton) -> Option<usize> {
    let sets = automaton.sets().max(1);
    let bits = |marks: Marks| if automaton.sets() == 0 { 1 } else { marks.iter().fold(0, |bits, set| bits | 1 << set) };
    let enabled = |state: u32, node: usize| {
        let edges = automaton.edges(state).iter();
        edges.filter(move |edge| edge.label.evaluate(|atom| model.valuations[node] >> atom.0 & 1 == 1))
    };
    // Reachable pairs by their distance, and the product in which nothing repeats.
    let mut numbers = BTreeMap::from([((0, automaton.initial()), 0)]);
    let mut queue = std::collections::VecDeque::from([(0, automaton.initial(), 0)]);
    let (mut edges, mut best) = (Vec::new(), None);
    while let Some((node, state, distance)) = queue.pop_front() {
        if model.edges[node].is_empty() {
            // The automaton alone on the letter of the last node, with its state in front.
            let swapped = |other: u32| if other == state { 0 } else if other == 0 { state } else { other } as usize;
            let alone = automaton.states().flat_map(|from| enabled(from, node).map(move |edge| (from, edge)));
            let alone = alone.map(|(from, edge)| (swapped(from), swapped(edge.target), bits(edge.marks))).collect();
            let alone = Plain { nodes: automaton.state_count(), sets, edges: alone };
            if alone.shortest().is_some() {
                best = best.into_iter().chain([distance + 1]).min();
            }
        }
        let moves: Vec<(u32, u32)> = match model.is_transient[node] {
            true => vec![(state, 0)],
            false => enabled(state, node).map(|edge| (edge.target, bits(edge.marks))).collect(),
        };
        for &target in &model.edges[node] {
            for &(next, marks) in &moves {
                let fresh = numbers.len();
                let number = *numbers.entry((usize::from(target), next)).or_insert_with(|| {
                    queue.push_back((usize::from(target), next, distance + 1));
                    fresh
                });
                edges.push((numbers[&(node, state)], number, marks));
            }
        }
    }
    Plain { nodes: numbers.len(), sets, edges }.shortest().into_iter().chain(best).min()
}

#[test]
fn runs_that_end_are_as_long_as_they_are_in_the_model() {
    let mut longer = 0;
    for seed in 0..1500 {
        let model = Model::random(seed);
        let shape = Shape { states: 1 + seed as u32 % 6, sets: seed as u32 % 3, density: 0.3, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let shortest = shortest_of_model(&model, &automaton);
        longer += usize::from(by_definition(&model, &automaton, false).shortest() > shortest);
        for max_length in std::iter::once(None).chain((0..8).map(Some)) {
            let property = Property::new(&automaton, EdgeOrder::Automatic).unwrap();
            let valuations = |state: &[u8]| model.valuations[usize::from(state[0])];
            let product = Product::new(model.stuttering(), valuations, property);
            let options = temporal::TemporalOptions {
                budget: &Budget::unlimited(),
                emptiness: None,
                shortening: Some(Shortening::Generalised),
                effort: temporal::Effort::Shortest,
                max_length,
                store: Store::Exact,
                prefixes: false,
                threads: None,
                checkpoints: None,
                orders: None,
                strength: omega::analyse::strength::strength_of(&automaton),
                progress: &mut |_| {},
            };
            let outcome = temporal::check(&product, &product, |step| step.model, options);
            let expected = shortest.filter(|length| max_length.is_none_or(|most| *length as u64 <= most));
            let what = format!("seed {seed}, at most {max_length:?}: {outcome:?}");
            assert_eq!(outcome.run.as_ref().map(|run| run.length() as usize), expected, "{what}");
            assert_eq!(outcome.is_minimal, expected.is_some(), "{what}");
        }
    }
    assert!(longer > 20, "the automaton takes its time at ends: {longer}");
}

/// Two threads or more that begin at once: the same verdict, the same shortest length, the same proof of it.
#[test]
fn threads_do_not_change_the_outcome() {
    let mut found = BTreeMap::new();
    for seed in 0..1200 {
        let model = Model::random(seed);
        let shape = Shape { states: 1 + seed as u32 % 6, sets: 1, density: 0.3, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let check = |threads: Option<Threads>, effort, prefixes| {
            let property = Property::new(&automaton, EdgeOrder::Automatic).unwrap();
            let valuations = |state: &[u8]| model.valuations[usize::from(state[0])];
            let product = Product::new(model.stuttering(), valuations, property);
            let options = temporal::TemporalOptions {
                budget: &Budget::unlimited(),
                emptiness: None,
                shortening: None,
                effort,
                max_length: None,
                store: Store::Exact,
                prefixes,
                threads,
                checkpoints: None,
                orders: None,
                strength: omega::analyse::strength::strength_of(&automaton),
                progress: &mut |_| {},
            };
            temporal::check(&product, &product, |step| step.model, options)
        };
        for prefixes in [false, true] {
            let one = check(None, temporal::Effort::Shortest, prefixes);
            for head_start in [0, 10] {
                let count = 2 + seed as usize % 5;
                let threads = Some(Threads { head_start, piece: 1, least_share: 1, ..Threads::new(count) });
                let first = check(threads, temporal::Effort::First, prefixes);
                assert_eq!((first.end(), first.run.is_some()), (one.end(), one.run.is_some()), "seed {seed}");
                let many = check(threads, temporal::Effort::Shortest, prefixes);
                let facts = |outcome: &temporal::TemporalResult<_>| {
                    (outcome.end(), outcome.run.as_ref().map(temporal::Run::length), outcome.is_minimal)
                };
                assert_eq!(facts(&many), facts(&one), "seed {seed}, {count} threads, prefixes {prefixes}: {many:?}");
                let is_on_threads = many.method.contains("cndfs") || many.statistics.threads > 1;
                *found.entry((one.run.is_some(), is_on_threads)).or_insert(0) += 1;
            }
        }
    }
    println!("searches by (violated, on threads): {found:?}");
    assert!(found[&(true, true)] > 100 && found[&(false, true)] > 100, "{found:?}");
}

/// Two processes: one can always go round in node 0, the other can leave it for good.
#[test]
fn a_process_that_can_always_move_moves() {
    let model = Model {
        edges: vec![vec![0, 1], vec![1]],
        movers: vec![vec![0b01, 0b10], vec![0b01]],
        is_transient: vec![false; 2],
        valuations: vec![0, 1],
        is_nameless: false,
    };
    // G !a.
    let mut never = Automaton::new(["a"], 1);
    never.add_state();
    never.add_edge(0, 0, &!never.atom(0), Marks::one(0));
    let valuations = |state: &[u8]| model.valuations[usize::from(state[0])];
    let product = || {
        let property = Property::new(&never, EdgeOrder::AsGiven).unwrap();
        Product::new(model.stuttering(), valuations, property)
    };
    let (all, fair) = (product(), Fair::new(product()).unwrap());
    let budget = Budget::unlimited();
    let options =
        emptiness::EmptinessOptions { budget: &budget, components: true, store: Store::Exact, progress: &mut |_| {} };
    assert_eq!(Emptiness::Scc.search(&all, options).end(), End::Found);
    let options =
        emptiness::EmptinessOptions { budget: &budget, components: true, store: Store::Exact, progress: &mut |_| {} };
    assert_eq!(Emptiness::Scc.search(&fair, options).end(), End::Complete);
}
