//! Workers on one thread, in random order: a failure can be repeated by its seed.

use super::walk::{ACCEPTING, BLUE, Pass, RED, Step, Walk, World};
use crate::accepting::Component;
use omega::analyse::strength::Strength;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::convert::Infallible;

/// How the rules are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutant {
    None,
    /// Nobody waits for accepting states that others have not finished.
    NoWait,
    /// An inner search paints states red when it enters them.
    RedOnEntry,
    /// States become blue when they are entered.
    BlueOnEntry,
    /// Nothing becomes red.
    NeverRed,
    /// Inner searches see no successors.
    NoInnerSearch,
}

/// Where waiting matters: the cycle 1, 3, 2 goes through the accepting state 3, and an outer search that leaves 2 before it
/// enters 3 does not close it; from the accepting state 4, another worker's inner search meets all of it.
const HARD: [&[usize]; 5] = [&[1, 4], &[2, 3], &[1], &[2], &[2]];

/// A graph, the colours of its states, and the component of each.
#[derive(Debug)]
struct Board {
    edges: Vec<Vec<usize>>,
    colours: Vec<Cell<u8>>,
    components: Vec<Component>,
    mutant: Mutant,
}

impl Board {
    fn random(random: &mut ChaCha8Rng, mutant: Mutant) -> Self {
        let is_hard = random.random_bool(0.5);
        let nodes = random.random_range(if is_hard { 5..=7 } else { 2..=7_usize });
        let (degree, often) = (random.random_range(1..=3_usize), random.random_range(0.1..0.6));
        let (mut edges, mut is_accepting) = (vec![Vec::new(); nodes], vec![false; nodes]);
        if is_hard {
            for (state, successors) in HARD.iter().enumerate() {
                edges[state].extend_from_slice(successors);
            }
            (is_accepting[3], is_accepting[4]) = (true, true);
        }
        for state in (0..nodes).filter(|_| !is_hard || random.random_bool(0.2)).collect::<Vec<_>>() {
            is_accepting[state] |= random.random_bool(often);
            let more = random.random_range(0..=degree);
            edges[state].extend((0..more).map(|_| random.random_range(0..nodes)));
        }
        let mut board = Self {
            colours: is_accepting.iter().map(|&is| Cell::new(if is { ACCEPTING } else { 0 })).collect(),
            components: vec![Component::WHOLE; nodes],
            edges,
            mutant,
        };
        if random.random_bool(0.5) {
            board.find_components(&is_accepting);
        }
        board
    }

    /// The states that can be reached from this one by a step or more.
    fn reached(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut work = self.edges[from].clone();
        while let Some(state) = work.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                work.extend(&self.edges[state]);
            }
        }
        reached
    }

    /// Makes the strongly connected components of the graph those of the property, with the right strengths.
    fn find_components(&mut self, is_accepting: &[bool]) {
        let reached: Vec<Vec<bool>> = (0..self.edges.len()).map(|state| self.reached(state)).collect();
        for (state, from_here) in reached.iter().enumerate() {
            let is_same = |other: &usize| *other == state || from_here[*other] && reached[*other][state];
            let members: Vec<usize> = (0..self.edges.len()).filter(is_same).collect();
            let strength = match members.iter().filter(|member| is_accepting[**member]).count() {
                0 => Strength::Rejecting,
                count if count == members.len() => Strength::Weak,
                _ => Strength::Strong,
            };
            self.components[state] = Component { number: members[0] as u32, strength };
        }
    }

    fn has_accepting_cycle(&self) -> bool {
        let from_initial = self.reached(0);
        (0..self.edges.len()).any(|state| {
            let is_accepting = self.colours[state].get() & ACCEPTING != 0;
            is_accepting && (state == 0 || from_initial[state]) && self.reached(state)[state]
        })
    }
}

/// The board as a worker sees it, with the successors of each state in its own order.
struct View<'a> {
    board: &'a Board,
    turn: usize,
}

impl World for View<'_> {
    type State = usize;
    type Pause = Infallible;

    fn successors(&mut self, state: usize, pass: Pass, into: &mut Vec<usize>) -> Result<(), Infallible> {
        match (self.board.mutant, pass) {
            (Mutant::RedOnEntry, Pass::Red) => self.paint(state, RED),
            (Mutant::BlueOnEntry, Pass::Blue) => self.paint(state, BLUE),
            (Mutant::NoInnerSearch, Pass::Red) => return Ok(()),
            _ => {}
        }
        let first = into.len();
        into.extend(&self.board.edges[state]);
        let count = (into.len() - first).max(1);
        into[first..].rotate_left((self.turn + state * self.turn) % count);
        Ok(())
    }

    fn colours(&self, state: usize) -> u8 {
        self.board.colours[state].get()
    }

    fn is_finished(&self, state: usize) -> bool {
        self.board.mutant == Mutant::NoWait || self.colours(state) & RED != 0
    }

    fn paint(&self, state: usize, colours: u8) {
        let colours = if self.board.mutant == Mutant::NeverRed { colours & !RED } else { colours };
        self.board.colours[state].set(self.colours(state) | colours);
    }

    fn component(&self, state: usize) -> Component {
        self.board.components[state]
    }

    fn reserve(&mut self, _bytes: u64) -> Result<(), Infallible> {
        Ok(())
    }
}

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Found,
    Complete,
    /// All workers that are not done wait.
    Stuck,
}

/// Lets this many workers search in a random order.
fn search(board: &Board, workers: usize, random: &mut ChaCha8Rng) -> Ended {
    let mut walks: Vec<_> = (0..workers).map(|turn| (Walk::new(0), View { board, turn })).collect();
    // Workers that wait since somebody last moved.
    let mut waiting = vec![false; workers];
    let longest = random.random_range(1..=12_u32);
    while !walks.is_empty() {
        let place = random.random_range(0..walks.len());
        for _ in 0..=random.next_u32() % longest {
            let (walk, view) = &mut walks[place];
            let Ok(step) = walk.step(view);
            match step {
                Step::Moved => waiting.fill(false),
                Step::Waiting => {
                    waiting[place] = true;
                    if waiting[..walks.len()].iter().all(|&waits| waits) {
                        return Ended::Stuck;
                    }
                    break;
                }
                Step::Closed(closed) => {
                    assert_is_accepting(board, &closed.path, closed.knot);
                    return Ended::Found;
                }
                Step::Done => {
                    walks.swap_remove(place);
                    waiting.fill(false);
                    break;
                }
            }
        }
    }
    Ended::Complete
}

fn assert_is_accepting(board: &Board, path: &[usize], knot: usize) {
    assert_eq!(path[0], 0, "the path begins in the initial state");
    let next = path.iter().skip(1).chain([&path[knot]]);
    assert!(path.iter().zip(next).all(|(from, to)| board.edges[*from].contains(to)), "{path:?} is a path");
    assert!(path[knot..].iter().any(|state| board.colours[*state].get() & ACCEPTING != 0), "{path:?} is accepting");
}

/// How many of these random searches end in a wrong way.
fn wrong(mutant: Mutant, seeds: std::ops::Range<u64>) -> usize {
    let is_wrong = |seed: &u64| {
        let mut random = ChaCha8Rng::seed_from_u64(*seed);
        let board = Board::random(&mut random, mutant);
        let expected = if board.has_accepting_cycle() { Ended::Found } else { Ended::Complete };
        let workers = random.random_range(1..=5);
        let ended = search(&board, workers, &mut random);
        assert!(
            mutant != Mutant::None || ended == expected,
            "seed {seed}: {ended:?} with {workers} workers, {board:?}"
        );
        ended != expected
    };
    seeds.filter(is_wrong).count()
}

#[test]
fn every_schedule_gives_the_right_answer() {
    assert_eq!(wrong(Mutant::None, 0..100_000), 0);
}

#[test]
fn broken_rules_are_found() {
    let mutants = [Mutant::NoWait, Mutant::RedOnEntry, Mutant::BlueOnEntry, Mutant::NeverRed, Mutant::NoInnerSearch];
    for mutant in mutants {
        assert!(wrong(mutant, 0..100_000) > 0, "{mutant:?} passes");
    }
}
