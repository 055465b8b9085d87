//! What searches may cost: red searches that stay inside a component of the property, and the memory of `bfs`.

use kernel::budget::Budget;
use kernel::system::{Ending, Successor, System, Visitor};
use omega::analyse::strength::Strength;
use omega::automaton::Marks;
use search::accepting::{Accepting, Component, check_laws};
use search::emptiness::{self, Emptiness, End};
use search::meter::Statistics;
use search::shorten::{self, Shortening};
use search::store::Store;

/// A line of states, of which some first ones are accepting; the last one may lead back to the first.
struct Line {
    length: u32,
    accepting: u32,
    strength: Strength,
    closes: bool,
}

impl System for Line {
    type Step = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        *into = 0_u32.to_le_bytes().to_vec();
    }

    fn successors<V: Visitor<u32>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        let step = number(state);
        let next = if self.closes { (step + 1) % self.length } else { step + 1 };
        if next < self.length {
            visitor.successor(Successor { step, state: &next.to_le_bytes(), transient: false });
        }
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

fn number(state: &[u8]) -> u32 {
    u32::from_le_bytes(state.try_into().expect("four bytes"))
}

impl Accepting for Line {
    fn sets(&self) -> u32 {
        1
    }

    fn marks(&self, step: u32) -> Marks {
        if step < self.accepting { Marks::one(0) } else { Marks::NONE }
    }

    fn is_state_based(&self) -> bool {
        true
    }

    fn accepting(&self, state: &[u8]) -> bool {
        number(state) < self.accepting
    }

    fn component(&self, state: &[u8]) -> Component {
        match number(state) < self.accepting && !self.closes {
            true => Component { number: 1, strength: self.strength },
            false => Component { number: 2, strength: Strength::Strong },
        }
    }
}

fn visits(line: &Line, search: Emptiness, components: bool) -> u64 {
    let budget = Budget::unlimited();
    let options =
        emptiness::EmptinessOptions { budget: &budget, components, store: Store::Exact, progress: &mut |_| {} };
    let outcome = search.search(line, options);
    assert_eq!((outcome.end(), outcome.lasso.is_none()), (End::Complete, true));
    outcome.statistics.visits
}

/// Ten accepting states lead out of their component into a long line that cannot come back. Each of them is the start of
/// a red search; one that leaves the component walks along the whole line.
#[test]
fn red_searches_stay_inside_the_component() {
    for strength in [Strength::Strong, Strength::Weak] {
        let line = Line { length: 1000, accepting: 10, strength, closes: false };
        check_laws(&line, 2000);
        for search in [Emptiness::Spin, Emptiness::Gmz, Emptiness::Se, Emptiness::Seed] {
            let (inside, everywhere) = (visits(&line, search, true), visits(&line, search, false));
            // One visit of each state, and red ones of the few accepting states at most.
            assert!((1000..=1010 + 10).contains(&inside), "{}, {strength:?}: {inside}", search.name());
            assert!(inside <= everywhere, "{}: {inside}, {everywhere}", search.name());
        }
        // The search as SPIN makes it has no other way to know.
        assert!(visits(&line, Emptiness::Spin, false) >= 1990);
        // Where all cycles accept, there is no red search at all.
        if strength == Strength::Weak {
            assert_eq!(visits(&line, Emptiness::Gmz, true), 1000);
        }
    }
}

/// No cycle of a rejecting component accepts, so that red searches from it are of no use.
#[test]
fn no_red_search_begins_in_a_rejecting_component() {
    let line = Line { length: 1000, accepting: 10, strength: Strength::Rejecting, closes: false };
    check_laws(&line, 2000);
    for search in [Emptiness::Spin, Emptiness::Gmz, Emptiness::Se, Emptiness::Seed] {
        assert_eq!(visits(&line, search, true), 1000, "{}", search.name());
    }
    assert!(visits(&line, Emptiness::Seed, false) > 1990, "it knows nothing of components");
}

/// The visits of a search for a lasso of any length, in fixed memory and without an emptiness check before it.
fn visits_in_fixed_memory(strength: Strength, components: bool) -> u64 {
    let line = Line { length: 1000, accepting: 10, strength, closes: false };
    let budget = Budget::unlimited();
    let options = shorten::ShorteningOptions {
        budget: &budget,
        components,
        store: Store::Bitstate { size: 20, hashes: 3 },
        max_length: Some(10_000),
        patience: None,
        progress: &mut |_| {},
    };
    let outcome = Shortening::Bfs.search(&line, options);
    assert_eq!((outcome.end(), outcome.lasso.is_none()), (End::Complete, true));
    outcome.statistics.visits
}

#[test]
fn searches_in_fixed_memory_use_components() {
    let everywhere = visits_in_fixed_memory(Strength::Strong, false);
    let inside = visits_in_fixed_memory(Strength::Strong, true);
    let none = visits_in_fixed_memory(Strength::Rejecting, true);
    // Ten walks along the whole line, and ten inside the component of ten states; in a rejecting one there is no walk.
    assert!(3 * inside < everywhere && none < inside, "{everywhere}, {inside}, {none}");
}

/// The peak memory of a search for a shortest lasso, whose successors are remembered or not.
fn shortest(line: &Line, memory: Option<u64>) -> Statistics {
    let mut budget = Budget::unlimited();
    budget.memory = memory;
    let options = shorten::ShorteningOptions {
        budget: &budget,
        components: false,
        store: Store::Exact,
        max_length: None,
        patience: None,
        progress: &mut |_| {},
    };
    let outcome = Shortening::Bfs.search(line, options);
    assert_eq!(outcome.lasso.map(|lasso| lasso.length() as u32), Some(line.length));
    outcome.statistics
}

#[test]
fn the_breadth_first_minimiser_takes_little_more_than_the_store() {
    let line = Line { length: 1 << 16, accepting: 1, strength: Strength::Strong, closes: true };
    let budget = Budget::unlimited();
    let options =
        emptiness::EmptinessOptions { budget: &budget, components: false, store: Store::Exact, progress: &mut |_| {} };
    let alone = Emptiness::Se.search(&line, options).statistics.bytes;
    let whole = shortest(&line, None).bytes;
    // Distances and the order in which they were found (an integer and a queue), and what is remembered of successors:
    // four bytes a state and five a step. Vectors may have grown to twice their use.
    let most = 2 * u64::from(line.length) * (4 + 4 + 4 + 5);
    assert!(whole <= alone + most, "{whole} bytes, {alone} of them for the store and the stack; {most} more allowed");
}
