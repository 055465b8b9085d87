//! Shortest lassos of automata with random acceptance conditions, against brute force on the states of the file.

use checker::lasso::{Algorithm, NoAnswer, find};
use kernel::budget::{Budget, Exhausted};
use kernel::span::FileId;
use omega::automaton::emerson_lei::EmersonLei;
use omega::automaton::{Automaton, Marks, State};
use omega::io::{Format, hoa, read_stated};
use omega::random::Random;
use omega::random_automaton::{Shape, random_automaton};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// An acceptance condition as a tree, evaluated by definition.
enum Condition {
    Inf { set: u32, outside: bool },
    Fin { set: u32, outside: bool },
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    fn random(random: &mut Random, sets: u32, depth: u32) -> Self {
        let (set, outside) = (random.below(u64::from(sets)) as u32, random.chance(0.2));
        let mut deeper = || Box::new(Self::random(random, sets, depth - 1));
        if depth == 0 {
            return if random.chance(0.5) { Self::Inf { set, outside } } else { Self::Fin { set, outside } };
        }
        let (left, right) = (deeper(), deeper());
        if random.chance(0.5) { Self::And(left, right) } else { Self::Or(left, right) }
    }

    fn text(&self) -> String {
        let sign = |outside: bool| if outside { "!" } else { "" };
        match self {
            Self::Inf { set, outside } => format!("Inf({}{set})", sign(*outside)),
            Self::Fin { set, outside } => format!("Fin({}{set})", sign(*outside)),
            Self::And(left, right) => format!("({} & {})", left.text(), right.text()),
            Self::Or(left, right) => format!("({} | {})", left.text(), right.text()),
        }
    }

    /// True for a loop, given the sets that some edge lies in and the sets that some edge lies outside of.
    fn holds(&self, inside: Marks, without: Marks) -> bool {
        let met = |set: u32, outside: bool| if outside { without.contains(set) } else { inside.contains(set) };
        match self {
            Self::Inf { set, outside } => met(*set, *outside),
            Self::Fin { set, outside } => !met(*set, *outside),
            Self::And(left, right) => left.holds(inside, without) && right.holds(inside, without),
            Self::Or(left, right) => left.holds(inside, without) || right.holds(inside, without),
        }
    }
}

fn stated(text: &str) -> EmersonLei {
    let mut all = read_stated(text, Format::Hoa, FileId(0));
    assert_eq!(all.len(), 1);
    all.pop().expect("one automaton").expect("a well-formed automaton").automaton
}

/// The text of an automaton with another acceptance condition.
fn with_condition(automaton: &Automaton, condition: &str) -> String {
    let text = hoa::write(automaton);
    let line = |line: &str| match line.split_once(": ") {
        Some(("Acceptance", _)) => format!("Acceptance: {} {condition}\n", automaton.sets()),
        Some(("acc-name", _)) => String::new(),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The length of a shortest accepting lasso: from each reachable state a search over all sets that a walk can meet.
fn shortest_by_brute_force(automaton: &Automaton, condition: &Condition) -> Option<usize> {
    let all = automaton.all_marks();
    let mut distances: BTreeMap<State, usize> = automaton.initial_states().iter().map(|&state| (state, 0)).collect();
    let mut queue: VecDeque<State> = distances.keys().copied().collect();
    while let Some(state) = queue.pop_front() {
        for edge in automaton.edges(state) {
            if !distances.contains_key(&edge.target) {
                distances.insert(edge.target, distances[&state] + 1);
                queue.push_back(edge.target);
            }
        }
    }
    let loop_at = |knot: State| {
        let mut seen: BTreeSet<(State, Marks, Marks)> = BTreeSet::new();
        let mut queue = VecDeque::from([((knot, Marks::NONE, Marks::NONE), 0)]);
        while let Some(((state, inside, without), length)) = queue.pop_front() {
            for edge in automaton.edges(state) {
                let (inside, without) = (inside.union(edge.marks), without.union(all.minus(edge.marks)));
                if edge.target == knot && condition.holds(inside, without) {
                    return Some(length + 1);
                }
                let next = (edge.target, inside, without);
                if seen.insert(next) {
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    };
    distances.iter().filter_map(|(&knot, distance)| Some(distance + loop_at(knot)?)).min()
}

#[test]
fn lassos_of_random_conditions_are_shortest_and_use_the_states_of_the_file() {
    let (mut empty, mut stems) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let sets = 1 + (seed % 4) as u32;
        let states = 1 + (seed % 6) as u32;
        let shape = Shape { states, sets, density: 0.25, marking: 0.4, atoms: 1, ..Shape::default() };
        let mut automaton = random_automaton(&shape, seed);
        if seed % 3 == 0 {
            automaton.set_initial_states(&[0, states - 1]);
        }
        let condition = Condition::random(&mut random, sets, (seed % 4) as u32);
        let given = stated(&with_condition(&automaton, &condition.text()));
        let found = find(&given, None, &Budget::unlimited()).expect("an answer");
        let length = found.as_ref().map(|found| found.run.stem.len() + found.run.cycle.len());
        assert_eq!(length, shortest_by_brute_force(&automaton, &condition), "seed {seed}: {}", condition.text());
        empty += usize::from(found.is_none());
        if let Some(found) = found {
            let marks: Vec<Marks> = found.run.cycle.iter().map(|step| step.of(&automaton).marks).collect();
            let inside = marks.iter().fold(Marks::NONE, |all, &marks| all.union(marks));
            let without = marks.iter().fold(Marks::NONE, |all, &one| all.union(automaton.all_marks().minus(one)));
            assert!(found.is_minimal && found.limit.is_none(), "seed {seed}");
            assert!(found.run.is_lasso_of(&automaton) && condition.holds(inside, without), "seed {seed}");
            stems += usize::from(!found.run.stem.is_empty());
        }
    }
    assert!(empty > 20 && stems > 20, "{empty} empty, {stems} with a stem");
}

#[test]
fn every_search_finds_a_lasso_exactly_where_there_is_one() {
    for seed in 0..40 {
        let shape = Shape { states: 4, sets: 2, density: 0.25, marking: 0.4, atoms: 1, ..Shape::default() };
        let automaton = random_automaton(&shape, seed);
        let mut random = Random::new(seed);
        let condition = Condition::random(&mut random, 2, 2);
        let given = stated(&with_condition(&automaton, &condition.text()));
        let is_empty = shortest_by_brute_force(&automaton, &condition).is_none();
        for algorithm in Algorithm::all() {
            match find(&given, Some(algorithm), &Budget::unlimited()) {
                Ok(found) => assert_eq!(found.is_none(), is_empty, "seed {seed}, {}", algorithm.name()),
                Err(reason) => assert_eq!(reason, NoAnswer::SeveralSets, "seed {seed}, {}", algorithm.name()),
            }
        }
    }
}

/// Two states, the edges of the second of which carry one of many acceptance sets each.
fn many_sets(sets: u32) -> String {
    let condition: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    let edges: String = (0..sets).map(|set| format!("[t] {} {{{set}}}\n", set % 2)).collect();
    let acceptance = condition.join(" & ");
    format!(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 0\nAcceptance: {sets} {acceptance}\n--BODY--\nState: 0\n[t] 1\n{edges}State: 1\n\
         [t] 0\n{edges}--END--\n"
    )
}

#[test]
fn a_search_among_sixty_sets_ends_at_its_limits_with_the_best_lasso() {
    let given = stated(&many_sets(60));
    let mut small = Budget::unlimited();
    small.memory = Some(20_000_000);
    let over = small.stage().within(Duration::ZERO);
    for (budget, limit) in [(small, Exhausted::Memory), (over, Exhausted::Time)] {
        match find(&given, None, &budget) {
            Ok(Some(found)) => {
                assert!(given.accepts(&found.run) && !found.is_minimal);
                assert_eq!(found.limit, Some(limit));
            }
            other => assert_eq!(other, Err(NoAnswer::Limit(limit))),
        }
    }
}
