//! The published minimisation of counterexamples, compared with its algorithms on explicit sets of states.
//!
//! Random machines of two to four bits, given as tables; the counterexamples are the engine's, the cubes must be exactly those
//! that Algorithms 1 to 5 of [shen.05.charme] give by definition.

#![allow(clippy::print_stdout, reason = "a test shows what it compared")]

mod common;

use common::Random;
use flat::model::Model;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::check::{SymbolicOptions, check};
use symbolic::report::Trace;
use symbolic::strip::Effort;

/// A set of states: bit s is set if state s is in it. In state s, variable v has the value of bit v of s.
type Set = u16;

/// A cube: a mask of variables, which have their values in the state around which the cube is.
type Cube = u16;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A total machine over a few bits, as a table of successors.
struct Machine {
    bits: usize,
    next: Vec<Set>,
}

impl Machine {
    fn random(random: &mut Random) -> Self {
        let bits = 2 + random.below(3) as usize;
        let next = (0..1 << bits).map(|_| {
            let mut successors = 1 << random.below(1 << bits);
            while random.chance(30) {
                successors |= 1 << random.below(1 << bits);
            }
            successors
        });
        Machine { bits, next: next.collect() }
    }

    fn all(&self) -> Set {
        Set::MAX >> (16 - (1 << self.bits))
    }

    fn states(&self) -> impl Iterator<Item = usize> + use<> {
        0..1 << self.bits
    }

    fn random_set(&self, random: &mut Random, percent: u64) -> Set {
        self.states().filter(|_| random.chance(percent)).fold(0, |set, state| set | 1 << state)
    }

    fn preimage(&self, set: Set) -> Set {
        self.states().filter(|state| self.next[*state] & set != 0).fold(0, |found, state| found | 1 << state)
    }

    /// Check(EG f).
    fn always(&self, f: Set) -> Set {
        let mut set = f;
        loop {
            let smaller = set & self.preimage(set);
            if smaller == set {
                return set;
            }
            set = smaller;
        }
    }

    /// The states of a cube.
    fn members(&self, cube: Cube, around: usize) -> Set {
        let agrees = |state: &usize| (state ^ around) & cube as usize == 0;
        self.states().filter(agrees).fold(0, |set, state| set | 1 << state)
    }

    /// Algorithm 1: variable v is on the path if the set, with the values of the variables before v, depends on it.
    fn guided(&self, set: Set, state: usize) -> Cube {
        let mut cube = 0;
        for v in 0..self.bits {
            let before = (1 << v) - 1;
            let depends = |x: usize| (x ^ state) & before == 0 && (set >> x ^ set >> (x ^ 1 << v)) & 1 == 1;
            cube |= Cube::from(self.states().any(depends)) << v;
        }
        cube
    }

    /// A set as a formula.
    fn formula(&self, set: Set) -> String {
        let literal = |state: usize, v: usize| format!("{}{}", if state >> v & 1 == 1 { "" } else { "!" }, NAMES[v]);
        let state = |state: usize| (0..self.bits).map(|v| literal(state, v)).collect::<Vec<_>>().join(" & ");
        let members: Vec<String> = self.states().filter(|s| set >> s & 1 == 1).map(state).collect();
        if members.is_empty() { "FALSE".to_owned() } else { format!("({})", members.join(" | ")) }
    }

    fn text(&self, initial: usize, specifications: &[String]) -> String {
        let variables: String = NAMES[..self.bits].iter().map(|name| format!("VAR {name} : boolean;\n")).collect();
        let next = |text: String| NAMES.iter().fold(text, |text, name| text.replace(name, &format!("next({name})")));
        let step = |state: usize| format!("({} & {})", self.formula(1 << state), next(self.formula(self.next[state])));
        let steps = self.states().map(step).collect::<Vec<_>>().join(" | ");
        let specifications: String = specifications.iter().map(|text| format!("SPEC {text}\n")).collect();
        format!("MODULE main\n{variables}INIT {}\nTRANS {steps}\n{specifications}", self.formula(1 << initial))
    }
}

/// What the iteration around a loop did.
#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    loops: usize,
    /// The iteration of the paper comes back to a cube: Theorem 4 fails.
    endless: usize,
    /// Loops with a round that leaves the cube of the round before: Theorem 2 fails.
    not_monotonic: usize,
    /// Where the iteration begins makes a difference.
    entry_matters: usize,
}

/// The algorithms on explicit sets, along a path.
struct Published<'m> {
    machine: &'m Machine,
    path: Vec<usize>,
    f: Set,
    tally: &'m mut Tally,
}

impl Published<'_> {
    /// From position `last` back to position `first`, given the set after `last`.
    fn back(&self, first: usize, last: usize, mut next: Set) -> Vec<Cube> {
        let mut cubes = Vec::new();
        for position in (first..=last).rev() {
            let cube = self.machine.guided(self.machine.preimage(next) & self.f, self.path[position]);
            next = self.machine.members(cube, self.path[position]);
            cubes.push(cube);
        }
        cubes.reverse();
        cubes
    }

    /// Algorithms 2 and 3.
    fn path(&self, goal: Set) -> Vec<Cube> {
        let last = self.path.len() - 1;
        let end = self.machine.guided(goal, self.path[last]);
        let after = self.machine.members(end, self.path[last]);
        let mut cubes = if last > 0 { self.back(0, last - 1, after) } else { Vec::new() };
        cubes.push(end);
        cubes
    }

    /// Algorithms 4 and 5, beginning with a set; none if a cube comes back.
    fn around(&mut self, entry: usize, beginning: Set) -> Option<Vec<Cube>> {
        let (mut before, mut seen) = (beginning, Vec::new());
        loop {
            let cubes = self.back(entry, self.path.len() - 1, before);
            let set = self.machine.members(cubes[0], self.path[entry]);
            self.tally.not_monotonic += usize::from(!seen.is_empty() && set & !before != 0);
            if before & !set == 0 {
                return Some(cubes);
            }
            if seen.contains(&set) {
                return None;
            }
            seen.push(set);
            before = set;
        }
    }

    /// The iteration with each cube intersected with all before once one of them comes back.
    fn intersected(&self, entry: usize) -> Vec<Cube> {
        let (mut before, mut seen, mut all) = (self.machine.always(self.f), Vec::new(), 0);
        let mut comes_back = false;
        loop {
            let mut cubes = self.back(entry, self.path.len() - 1, before);
            all |= cubes[0];
            if comes_back {
                cubes[0] = all;
            }
            let set = self.machine.members(cubes[0], self.path[entry]);
            if before & !set == 0 {
                return cubes;
            }
            comes_back |= seen.contains(&cubes[0]);
            seen.push(cubes[0]);
            before = set;
        }
    }

    fn lasso(&mut self, entry: usize) -> Vec<Cube> {
        self.tally.loops += 1;
        let before = self.tally.not_monotonic;
        let differently = self.around(entry, self.f);
        self.tally.not_monotonic = before;
        let published = self.around(entry, self.machine.always(self.f));
        // Loops with such a round are counted, not the rounds.
        self.tally.not_monotonic = self.tally.not_monotonic.min(before + 1);
        self.tally.entry_matters += usize::from(published != differently);
        let around = published.unwrap_or_else(|| {
            self.tally.endless += 1;
            self.intersected(entry)
        });
        let after = self.machine.members(around[0], self.path[entry]);
        let mut cubes = if entry > 0 { self.back(0, entry - 1, after) } else { Vec::new() };
        cubes.extend(around);
        cubes
    }
}

fn load(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model.expect(text)
}

fn number(trace: &Trace, position: usize) -> usize {
    let bits = trace.states[position].state.iter().enumerate();
    bits.map(|(v, setting)| usize::from(setting.value == "TRUE") << v).sum()
}

fn cube(trace: &Trace, position: usize) -> Cube {
    let names = trace.states[position].relevant.as_ref().expect("a stripped trace");
    names.iter().map(|name| 1 << NAMES.iter().position(|known| known == name).expect("a variable")).sum()
}

#[test]
fn cubes_are_those_of_the_published_algorithms() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let machine = Machine::random(&mut random);
        let (f, g) = (machine.random_set(&mut random, 75), machine.random_set(&mut random, 40));
        let (f_text, g_text) = (machine.formula(f), machine.formula(g));
        let specifications = [format!("AX !{g_text}"), format!("!E [ {f_text} U {g_text} ]"), format!("AF !{f_text}")];
        let text = machine.text(random.below(1 << machine.bits) as usize, &specifications);
        let model = load(&text);
        let options = SymbolicOptions { minimise: Effort::Paper, ..SymbolicOptions::default() };
        let report = check(&model, &options, &Budget::unlimited(), &mut |_| {}).expect("no limit");
        for (index, property) in report.properties.iter().take(3).enumerate() {
            let Some(trace) = &property.counterexample else { continue };
            let path: Vec<usize> = (0..trace.states.len()).map(|at| number(trace, at)).collect();
            let found: Vec<Cube> = (0..path.len()).map(|at| cube(trace, at)).collect();
            let f = if index == 0 { machine.all() } else { f };
            let mut published = Published { machine: &machine, path: path.clone(), f, tally: &mut tally };
            let wanted = match trace.loop_start {
                Some(entry) => published.lasso(entry),
                None => published.path(g),
            };
            assert_eq!(found, wanted, "seed {seed}: {path:?} for {}\n{text}", property.text);
            keeps_the_promise(&machine, &path, &found, trace.loop_start, f, g, &format!("seed {seed}\n{text}"));
            tally.compared += 1;
        }
    }
    assert!(tally.compared > 300 && tally.endless > 0 && tally.not_monotonic >= tally.endless, "{tally:?}");
    assert!(tally.entry_matters > 0, "{tally:?}");
    println!("{tally:?}");
}

/// Equations (3) to (5) of Theorem 1, and what Algorithms 2 and 3 promise.
fn keeps_the_promise(
    machine: &Machine,
    path: &[usize],
    cubes: &[Cube],
    entry: Option<usize>,
    f: Set,
    g: Set,
    context: &str,
) {
    let set = |position: usize| machine.members(cubes[position], path[position]);
    for position in 0..path.len() {
        let after = if position + 1 < path.len() { Some(position + 1) } else { entry };
        let demanded = if after.is_none() { g } else { f };
        assert_eq!(set(position) & !demanded, 0, "cube {position} of {path:?}; {context}");
        if let Some(after) = after {
            assert_eq!(set(position) & !machine.preimage(set(after)), 0, "step {position} of {path:?}; {context}");
        }
    }
}

#[test]
fn the_published_iteration_does_not_end_on_a_swap() {
    // States by their number: 00, 10, 01, 11 in the order a, b, and each steps to the exchanged one.
    let machine = Machine { bits: 2, next: vec![1 << 0, 1 << 2, 1 << 1, 1 << 3] };
    let f = 0b1110;
    let mut tally = Tally::default();
    let mut published = Published { machine: &machine, path: vec![3], f, tally: &mut tally };
    let c = machine.always(f);
    let min = |set: Set| machine.members(published.back(0, 0, set)[0], 3);
    let rounds = [min(c), min(min(c)), min(min(min(c)))];
    assert_eq!((c, rounds), (0b1110, [0b1010, 0b1100, 0b1010]), "C, then a = 1, b = 1 and a = 1 again");
    assert!(rounds[0] & !c == 0 && rounds[1] & !rounds[0] != 0, "Min(C) ⊆ C, but Min(Min(C)) ⊄ Min(C)");
    assert_eq!((published.around(0, c), published.lasso(0)), (None, vec![0b11]));

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/smv/swap.smv");
    let model = load(&std::fs::read_to_string(path).expect("the model"));
    let options = SymbolicOptions { minimise: Effort::Paper, ..SymbolicOptions::default() };
    let report = check(&model, &options, &Budget::unlimited(), &mut |_| {}).expect("no limit");
    let trace = report.properties[0].counterexample.as_ref().expect("a counterexample");
    assert_eq!((trace.states.len(), trace.loop_start, cube(trace, 0)), (1, Some(0), 0b11));
}
