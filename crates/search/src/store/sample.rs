//! How much of a state space a swarm has seen, estimated from what its searches saw in common.
//!
//! *What.* A fixed part of all states, chosen by their hashes, forms the sample. Of each state in it we count the searches that visited
//! it. If many were visited by a single search only, there are many that none visited.
//!
//! *Contract.* [`Sample::states`] is the number of different states that were visited: exact while the sample is everything,
//! an estimate afterwards. [`Sample::coverage`] is their share in a lower bound on the number of all states, so the true share
//! is in general smaller: say "at most about".
//!
//! *Source.* [chao.87.biometrics], the estimator for incidence data with its correction for small samples. It makes no assumption about how
//! likely states are to be visited, as long as searches are independent; those of a swarm are nearly so.

use super::mix;
use std::collections::HashMap;

/// A search samples fewer states when it has met this many.
const MOST_PER_SEARCH: usize = 1 << 14;
/// The sample shrinks when it has this many states.
const MOST: usize = 1 << 16;

/// The part of all states that is in a sample: those whose mixed hash begins with this many zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Share(u32);

impl Share {
    #[inline]
    fn includes(self, hash: u64) -> bool {
        mix(hash).leading_zeros() >= self.0
    }
}

/// The states of the sample that one search met, by their hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sampled {
    share: Share,
    hashes: Vec<u64>,
}

impl Sampled {
    /// Adds a state, which the search enters for the first time.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64) {
        if !self.share.includes(hash) {
            return;
        }
        self.hashes.push(hash);
        if self.hashes.len() == MOST_PER_SEARCH {
            self.share.0 += 1;
            let share = self.share;
            self.hashes.retain(|hash| share.includes(*hash));
        }
    }
}

/// The states that searches met, and how many did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    share: Share,
    searches: u64,
    met: HashMap<u64, u64, foldhash::fast::FixedState>,
}

impl Sample {
    /// Adds a search; true if it met nothing new.
    pub(crate) fn add(&mut self, sampled: &Sampled) -> bool {
        self.searches += 1;
        self.shrink(sampled.share);
        let before = self.met.len();
        let share = self.share;
        for hash in sampled.hashes.iter().filter(|hash| share.includes(**hash)) {
            *self.met.entry(*hash).or_default() += 1;
        }
        let is_quiet = self.met.len() == before;
        while self.met.len() > MOST {
            self.shrink(Share(self.share.0 + 1));
        }
        is_quiet
    }

    fn shrink(&mut self, share: Share) {
        if share > self.share {
            self.share = share;
            self.met.retain(|hash, _| share.includes(*hash));
        }
    }

    /// The number of different states that were visited.
    pub(crate) fn states(&self) -> u64 {
        (self.met.len() as u64) << self.share.0
    }

    /// The share of all states that were visited, at most; none after a single search.
    pub(crate) fn coverage(&self) -> Option<f64> {
        if self.searches < 2 || self.met.is_empty() {
            return None;
        }
        let met_by = |searches: u64| self.met.values().filter(|met| **met == searches).count() as f64;
        let (once, twice, searches) = (met_by(1), met_by(2), self.searches as f64);
        let unseen = (searches - 1.0) / searches * once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0));
        let seen = self.met.len() as f64;
        Some(seen / (seen + unseen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Searches that visit each state with the same probability, independently.
    fn sample(states: u64, searches: u64, probability: f64, seed: u64) -> (Sample, u64) {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let (mut sample, mut seen) = (Sample::default(), vec![false; states as usize]);
        for _ in 0..searches {
            let mut sampled = Sampled::default();
            for state in 0..states {
                if random.random_bool(probability) {
                    sampled.add(mix(state + 1));
                    seen[state as usize] = true;
                }
            }
            sample.add(&sampled);
        }
        (sample, seen.iter().filter(|seen| **seen).count() as u64)
    }

    #[test]
    fn the_estimate_is_near_the_truth_where_searches_are_independent() {
        for (states, searches, probability) in
            [(1_000, 4, 0.3), (10_000, 3, 0.2), (100_000, 5, 0.1), (300_000, 2, 0.5), (200_000, 8, 0.9)]
        {
            let (sample, seen) = sample(states, searches, probability, 7);
            let what = format!("{states} states, {searches} searches, {probability}");
            let truth = seen as f64 / states as f64;
            let coverage = sample.coverage().unwrap();
            assert!((coverage - truth).abs() < 0.05, "{what}: {coverage} instead of {truth}");
            let error = (sample.states() as f64 - seen as f64).abs() / seen as f64;
            assert!(error < 0.05, "{what}: {} instead of {seen}", sample.states());
        }
    }

    #[test]
    fn a_search_that_meets_nothing_new_is_quiet() {
        let mut sampled = Sampled::default();
        (1..100).for_each(|state| sampled.add(mix(state)));
        let mut sample = Sample::default();
        assert!(!sample.add(&sampled) && sample.coverage().is_none());
        assert!(sample.add(&sampled));
        assert_eq!((sample.states(), sample.coverage()), (99, Some(1.0)));
    }
}
