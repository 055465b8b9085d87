//! Which worker owns a state.
//!
//! *Contract.* The owner depends on the bytes of the state alone, and all workers agree on it for a whole search.
//!
//! *How.* If the hash of the whole state says who owns it, almost every step leads to a state of another worker, and travels. Most steps
//! change few bytes: those of the process that takes the step. So the owner is told by a few bytes that steps rarely change. A
//! step that leaves them alone stays where it is. The price is balance: fewer bytes have fewer values, and a worker may own more
//! states than another.
//!
//! The bytes are chosen by a sample of states and steps ([`Sample`]), one after the other: each time the byte that tells most states
//! apart for the steps that change it. Of all the sets that arise, the one with the least cost is taken, or the whole state if that costs less. The cost is
//! the share of steps that travel, plus how much more than its share the worker with the most states is expected to own.
//! One counts as much as the other: on the models measured, a step that travels cost about as much time again as one that stays (0.6 to 1.0 times).
//!
//! *Source.* [lerda.99.spin] for owners by a part of the state, there that of one process. Ours: the choice by a sample, for any system.
//!
//! *Tested by* samples of which the best choice is known, below, and by all searches of several workers.

use super::message::{Reader, put_numbers};
use super::sample::Sample;
use crate::store::exact::StateHash;

/// The most words in which chosen bytes lie: each takes time at every step.
const MOST_WORDS: usize = 8;
/// A byte that no step of the sample changes counts as if a step out of this many changed it.
const LEAST_SHARE: usize = 256;
/// How many ways to share the values among the workers are tried on the sample.
const SEEDS: u64 = 16;

/// Any odd number of 64 random bits, and any number.
const FACTOR: u128 = 0xa076_1d64_78bd_642f;
const LAST: u64 = 0xe703_7ed1_a0b4_28db;

/// See the module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owners {
    workers: usize,
    /// The offsets of words, and the bytes of them that tell the owner. None: the whole state does.
    words: Vec<(usize, u64)>,
    seed: u64,
}

impl Owners {
    /// The whole state tells the owner.
    pub(crate) fn whole(workers: usize) -> Self {
        Self { workers, words: Vec::new(), seed: 0 }
    }

    fn of_bytes(workers: usize, bytes: &[usize], seed: u64) -> Self {
        let mut words: Vec<(usize, u64)> = Vec::new();
        for byte in bytes {
            let (offset, mask) = (byte / 8 * 8, 0xff << (byte % 8 * 8));
            match words.iter_mut().find(|(other, _)| *other == offset) {
                Some((_, other)) => *other |= mask,
                None => words.push((offset, mask)),
            }
        }
        words.sort_unstable();
        Self { workers, words, seed }
    }

    /// How many workers there are.
    #[inline]
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// The owner of a state with this hash.
    #[inline]
    pub(crate) fn of(&self, hash: StateHash, state: &[u8]) -> usize {
        if self.words.is_empty() { hash.owner(self.workers) } else { self.by_words(state) }
    }

    #[inline]
    fn by_words(&self, state: &[u8]) -> usize {
        let mixed = self.words.iter().fold(self.seed, |mixed, (offset, mask)| {
            let rest = state.get(*offset..).unwrap_or_default();
            let word = match rest.first_chunk() {
                Some(word) => u64::from_le_bytes(*word),
                None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            };
            fold(mixed ^ (word & mask))
        });
        // Once more, since one product tells words that differ by one bit apart too well: all such steps would cross.
        let mixed = fold(fold(mixed ^ LAST));
        ((u128::from(mixed) * self.workers as u128) >> 64) as usize
    }

    /// As the numbers of a message.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut message = Vec::new();
        put_numbers(&mut message, &[self.seed]);
        self.words.iter().for_each(|(offset, mask)| put_numbers(&mut message, &[*offset as u64, *mask]));
        message
    }

    /// Of such a message.
    pub(crate) fn decode(message: &[u8], workers: usize) -> Self {
        let mut reader = Reader { rest: message };
        let (seed, mut words) = (reader.number(), Vec::new());
        while !reader.rest.is_empty() {
            words.push((reader.number() as usize, reader.number()));
        }
        Self { workers, words, seed }
    }

    /// Those that cost least, as far as the sample tells.
    pub(crate) fn choose(sample: &Sample, workers: usize) -> Self {
        let mut choice = Choice::new(sample);
        let mut best = (cost(1.0, 0.0, 0.0, workers), Self::whole(workers));
        while let Some(byte) = choice.next() {
            choice.take(byte);
            let seeds = (1..=SEEDS).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let owners = seeds.map(|seed| Self::of_bytes(workers, &choice.chosen, seed));
            let Some((largest, owners)) = owners.map(|owners| (owners.largest(sample), owners)).min_by_key(|one| one.0)
            else {
                break;
            };
            // Chance alone has some worker exceed its share of a sample.
            let states = sample.states().len().max(1) as f64;
            let chance = ((workers - 1) as f64 / states).sqrt();
            let excess = (largest as f64 * workers as f64 / states - 1.0 - chance).max(0.0);
            let cost = cost(choice.share_changed(), choice.share_equal(), excess, workers);
            if cost < best.0 {
                best = (cost, owners);
            }
        }
        best.1
    }

    /// How many states of a sample the worker has that has most of them.
    fn largest(&self, sample: &Sample) -> usize {
        let mut counts = vec![0; self.workers];
        sample.states().for_each(|state| counts[self.by_words(state)] += 1);
        counts.into_iter().max().unwrap_or(0)
    }
}

/// The halves of a product, which both depend on all bits.
#[inline]
fn fold(word: u64) -> u64 {
    let product = u128::from(word) * FACTOR;
    (product >> 64) as u64 ^ product as u64
}

/// What it costs if this share of steps changes the owner's bytes, if these are equal in this share of pairs of states, and if the sample
/// has a worker that exceeds its share by so much.
///
/// Without a sample, the number of states of a worker would have a relative deviation of `sqrt((workers - 1) * equal)`, and the greatest of
/// several would exceed the mean by about that much times `sqrt(2 * ln workers)`. Half of that is added to what the sample tells, since
/// levels differ from each other, and the sample from all states.
fn cost(changed: f64, equal: f64, excess: f64, workers: usize) -> f64 {
    let workers = workers as f64;
    changed * (1.0 - 1.0 / workers) + excess + (2.0 * workers.ln() * (workers - 1.0) * equal).sqrt() / 2.0
}

/// The bytes chosen so far.
struct Choice<'a> {
    sample: &'a Sample,
    chosen: Vec<usize>,
    /// By byte: the steps of the sample that change it, as a set; nothing if it never differs among states.
    changes: Vec<Option<Vec<u64>>>,
    /// The steps that change a chosen byte.
    changed: Vec<u64>,
    /// The states in which all chosen bytes are equal, by numbers: groups of at least two, back to back, and the ends of the groups.
    groups: Vec<u32>,
    ends: Vec<usize>,
    /// The pairs of states from one walk whose chosen bytes are equal: neighbours on a walk are alike for another reason.
    kin: Vec<(u32, u32)>,
    /// How many pairs of states from different walks have equal chosen bytes, and how many there are.
    equal: usize,
    pairs: usize,
}

impl<'a> Choice<'a> {
    fn new(sample: &'a Sample) -> Self {
        let count = sample.states().len();
        let longest = sample.states().map(<[u8]>::len).max().unwrap_or(0);
        let words = sample.steps().len().div_ceil(64);
        let kin = sample.kin();
        let differs = |byte: &usize| {
            let mut values = sample.states().map(|state| state.get(*byte));
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        let changes_of = |byte: usize| {
            let mut set = vec![0; words];
            for (index, (from, to)) in sample.steps().enumerate() {
                set[index / 64] |= u64::from(from.get(byte) != to.get(byte)) << (index % 64);
            }
            set
        };
        let pairs = count * count.saturating_sub(1) / 2 - kin.len();
        Self {
            sample,
            chosen: Vec::new(),
            changes: (0..longest).map(|byte| Some(byte).filter(differs).map(changes_of)).collect(),
            changed: vec![0; words],
            groups: (0..count as u32).collect(),
            ends: vec![count],
            kin,
            equal: pairs,
            pairs,
        }
    }

    fn share_changed(&self) -> f64 {
        let changed: u32 = self.changed.iter().map(|word| word.count_ones()).sum();
        f64::from(changed) / self.sample.steps().len().max(1) as f64
    }

    fn share_equal(&self) -> f64 {
        self.equal as f64 / self.pairs.max(1) as f64
    }

    /// The byte that tells most pairs of states apart for the steps that change it; none if no byte tells any apart.
    fn next(&self) -> Option<usize> {
        let least = self.sample.steps().len() as f64 / LEAST_SHARE as f64;
        let is_full = self.words() >= MOST_WORDS;
        let gain = |(byte, changes): (usize, &Option<Vec<u64>>)| {
            let changes = changes.as_ref()?;
            if self.chosen.contains(&byte) || is_full && !self.chosen.iter().any(|other| other / 8 == byte / 8) {
                return None;
            }
            let equal = self.equal_with(byte);
            let more: u32 = changes.iter().zip(&self.changed).map(|(new, old)| (new & !old).count_ones()).sum();
            // One pair more than there are, so that the logarithm is finite.
            let gain = ((self.equal + 1) as f64 / (equal + 1) as f64).ln() / (f64::from(more) + least);
            (equal < self.equal).then_some((gain, byte))
        };
        let gains = self.changes.iter().enumerate().filter_map(gain);
        gains.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, byte)| byte)
    }

    fn words(&self) -> usize {
        let mut words: Vec<usize> = self.chosen.iter().map(|byte| byte / 8).collect();
        words.sort_unstable();
        words.dedup();
        words.len()
    }

    fn value(&self, state: u32, byte: usize) -> usize {
        // A state that is too short for the byte is told from those that have it.
        self.sample.state(state as usize).get(byte).map_or(256, |value| usize::from(*value))
    }

    /// How many pairs of states from different walks would have equal chosen bytes if this one were chosen, too.
    fn equal_with(&self, byte: usize) -> usize {
        let (mut counts, mut equal, mut start) = ([0_usize; 257], 0, 0);
        for end in &self.ends {
            let group = &self.groups[start..*end];
            start = *end;
            for state in group {
                let count = &mut counts[self.value(*state, byte)];
                equal += *count;
                *count += 1;
            }
            group.iter().for_each(|state| counts[self.value(*state, byte)] = 0);
        }
        equal - self.kin.iter().filter(|(one, other)| self.value(*one, byte) == self.value(*other, byte)).count()
    }

    /// Chooses a byte.
    fn take(&mut self, byte: usize) {
        self.equal = self.equal_with(byte);
        self.chosen.push(byte);
        if let Some(changes) = &self.changes[byte] {
            self.changed.iter_mut().zip(changes).for_each(|(all, new)| *all |= new);
        }
        let (mut groups, mut ends, mut start) = (Vec::new(), Vec::new(), 0);
        for end in &self.ends {
            let mut group = self.groups[start..*end].to_vec();
            start = *end;
            group.sort_by_key(|state| self.value(*state, byte));
            for part in group.chunk_by(|one, other| self.value(*one, byte) == self.value(*other, byte)) {
                if part.len() > 1 {
                    groups.extend_from_slice(part);
                    ends.push(groups.len());
                }
            }
        }
        (self.groups, self.ends) = (groups, ends);
        let kin = std::mem::take(&mut self.kin);
        self.kin = kin.into_iter().filter(|(one, other)| self.value(*one, byte) == self.value(*other, byte)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Grain;
    use kernel::budget::Budget;
    use kernel::system::{Ending, Successor, System, Visitor};
    use rand::{RngExt, SeedableRng};

    /// Processes that count on their own, each up to its bound; a process is one byte.
    struct Counters(Vec<u8>);

    impl System for Counters {
        type Step = usize;
        type Scratch = ();

        fn scratch(&self) {}

        fn initial(&self, into: &mut Vec<u8>) {
            into.clear();
            into.resize(self.0.len(), 0);
        }

        fn successors<V: Visitor<usize>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
            for (process, bound) in self.0.iter().enumerate() {
                let mut next = state.to_vec();
                next[process] = (next[process] + 1) % bound;
                visitor.successor(Successor { step: process, state: &next, transient: false });
            }
        }

        fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
            Ending::Valid
        }
    }

    fn chosen(bounds: &[u8], workers: usize) -> Owners {
        Owners::choose(&Sample::of(&Counters(bounds.to_vec()), Grain::Single, &Budget::unlimited()), workers)
    }

    /// The share of steps that cross, and the greatest number of states of a worker beside the mean.
    fn quality(bounds: &[u8], owners: &Owners) -> (f64, f64) {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let (mut crossed, mut counts, tries) = (0, vec![0; owners.workers()], 20_000);
        for _ in 0..tries {
            let mut state: Vec<u8> = bounds.iter().map(|bound| random.random_range(0..*bound)).collect();
            let owner = owners.of(StateHash::of(&state), &state);
            counts[owner] += 1;
            let process = random.random_range(0..bounds.len());
            state[process] = (state[process] + 1) % bounds[process];
            crossed += u32::from(owners.of(StateHash::of(&state), &state) != owner);
        }
        let most = f64::from(counts.iter().copied().max().unwrap_or(0)) * counts.len() as f64;
        (f64::from(crossed) / f64::from(tries), most / f64::from(tries))
    }

    #[test]
    fn few_steps_change_the_owner_and_workers_own_equally_much() {
        for bounds in [[7; 20].as_slice(), &[9; 8], &[2, 2, 2, 2, 2, 2, 9, 9, 9]] {
            for workers in [2, 3, 8] {
                let (crossed, most) = quality(bounds, &chosen(bounds, workers));
                let whole = 1.0 - 1.0 / workers as f64;
                assert!(crossed < 0.75 * whole, "{bounds:?}, {workers} workers: {crossed}");
                assert!(most < 1.35, "{bounds:?}, {workers} workers: {most}");
            }
        }
    }

    #[test]
    fn where_every_step_changes_every_byte_the_whole_state_tells_the_owner() {
        assert_eq!(chosen(&[200], 2), Owners::whole(2));
        assert_eq!(Owners::choose(&Sample::default(), 4), Owners::whole(4));
    }

    #[test]
    fn owners_survive_the_way_and_states_that_are_too_short_have_one() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        for workers in [2, 5, 1000] {
            let owners = Owners::of_bytes(workers, &[3, 17, 8, 100], 77);
            assert_eq!(owners.words, [(0, 0xff << 24), (8, 0xff), (16, 0xff << 8), (96, 0xff << 32)]);
            let other = Owners::decode(&owners.encode(), workers);
            assert_eq!(other, owners);
            for length in 0..120 {
                let state: Vec<u8> = (0..length).map(|_| random.random_range(0..=255)).collect();
                assert!(owners.by_words(&state) < workers);
            }
        }
        assert_eq!(Owners::decode(&Owners::whole(3).encode(), 3), Owners::whole(3));
    }
}
