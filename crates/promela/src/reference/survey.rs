//! Everything reachable, by the reference interpreter alone: the slow twin of the search engine.
//!
//! Input: a prepared program and a limit on states. Output: how many states and steps there are,
//! and after how many steps each kind of violation can first be met.
//!
//! Contract: breadth first, transient states being visited but not counted as states; violations
//! do not stop it; a step that ends in a run-time error leads nowhere. Exact unless the limit was
//! reached, which [`Survey::complete`] tells.

use super::{FaultKind, Reference};
use crate::snapshot::Snapshot;
use std::collections::{HashSet, VecDeque};

/// The results of a survey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Reachable states that are not transient.
    pub states: u64,
    /// Reachable transient states.
    pub transient: u64,
    /// Steps, from states of both kinds.
    pub steps: u64,
    /// The fewest steps after which an assertion is violated.
    pub assertion: Option<u64>,
    /// The fewest steps after which a run-time error is met.
    pub runtime: Option<u64>,
    /// The fewest steps after which nothing can move though something should.
    pub invalid_end: Option<u64>,
    /// Whether every reachable state was visited.
    pub complete: bool,
}

impl Survey {
    /// The fewest steps to a violation of any kind.
    #[must_use]
    pub fn shortest(&self) -> Option<u64> {
        [self.assertion, self.runtime, self.invalid_end].into_iter().flatten().min()
    }
}

impl Reference<'_> {
    /// Visits every reachable state, but not more than `limit`.
    #[must_use]
    pub fn survey(&self, limit: usize) -> Survey {
        let mut survey = Survey {
            states: 1,
            transient: 0,
            steps: 0,
            assertion: None,
            runtime: None,
            invalid_end: None,
            complete: true,
        };
        let initial = self.initial();
        let mut seen = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([(initial, 0)]);
        while let Some((state, depth)) = queue.pop_front() {
            for next in self.visit(&state, depth, &mut survey) {
                if seen.len() >= limit {
                    survey.complete = false;
                    return survey;
                }
                if seen.insert(next.clone()) {
                    *if next.exclusive.is_some() { &mut survey.transient } else { &mut survey.states } += 1;
                    queue.push_back((next, depth + 1));
                }
            }
        }
        survey
    }

    fn visit(&self, state: &Snapshot, depth: u64, survey: &mut Survey) -> Vec<Snapshot> {
        let transitions = self.transitions(state);
        survey.steps += transitions.len() as u64;
        if transitions.is_empty() && !self.is_valid_end(state) {
            survey.invalid_end.get_or_insert(depth);
        }
        for fault in transitions.iter().filter_map(|transition| transition.fault.as_ref()) {
            match fault.kind {
                FaultKind::Assertion => survey.assertion.get_or_insert(depth + 1),
                FaultKind::Runtime => survey.runtime.get_or_insert(depth + 1),
            };
        }
        transitions.into_iter().filter_map(|transition| transition.next).collect()
    }
}
