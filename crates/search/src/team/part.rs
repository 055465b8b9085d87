//! The states that one worker owns, by distance from the initial one.
//!
//! A level is a list of ranges of numbers: the store numbers the states of one length in the order of their insertion, and
//! insertion is by level. So levels take almost no memory, and no list of the states to be expanded is needed.

use super::arrivals::Arrivals;
use crate::expansion::Prefetch;
use crate::store::Store;
use crate::store::exact::StateHash;
use crate::store::number::StateId;
use crate::store::recent::Recent;
use crate::store::states::States;
use kernel::budget::Exhausted;

/// See the module's text.
pub(crate) struct Part {
    pub(crate) store: States,
    recent: Recent<StateId>,
    /// The states of the level that is being stored.
    next: Vec<StateId>,
    /// How many of them are not transient.
    visible: u64,
    /// Ranges of numbers, each as its first number and how many there are.
    ranges: Vec<(StateId, u32)>,
    /// By level: the end of its ranges.
    ends: Vec<usize>,
    memory: u64,
    /// True if the depth limit allows no further level: successors are looked up and not stored.
    pub(crate) is_deepest: bool,
    /// True if the depth limit cut off some run.
    pub(crate) is_cut: bool,
    /// The limit that this worker reached.
    pub(crate) limit: Option<Exhausted>,
    /// True if the other workers know of it.
    is_told: bool,
    /// True if another worker reached a limit.
    is_asked_to_stop: bool,
    /// Where packets are unpacked.
    pub(crate) arrivals: Arrivals,
}

impl Part {
    /// No states, how they are kept, and the bytes that they may take.
    pub(crate) fn new(store: Store, memory: u64) -> Self {
        Self {
            store: States::new(store),
            recent: Recent::default(),
            next: Vec::new(),
            visible: 0,
            ranges: Vec::new(),
            ends: Vec::new(),
            memory,
            is_deepest: false,
            is_cut: false,
            limit: None,
            is_told: false,
            is_asked_to_stop: false,
            arrivals: Arrivals::default(),
        }
    }

    /// True if no further state is to be expanded.
    pub(crate) fn is_stopped(&self) -> bool {
        self.limit.is_some() || self.is_asked_to_stop
    }

    /// Another worker has reached a limit.
    pub(crate) fn ask_to_stop(&mut self) {
        self.is_asked_to_stop = true;
    }

    /// True if the other workers are to be told of a limit; true once.
    pub(crate) fn is_news_that_it_stops(&mut self) -> bool {
        self.limit.is_some() && !std::mem::replace(&mut self.is_told, true)
    }

    /// Takes the states of a packet, whose flags say which are transient.
    pub(crate) fn accept(&mut self, packet: &[u8]) {
        if packet.is_empty() {
            self.ask_to_stop();
            return;
        }
        let (mut rest, mut arrivals) = (packet, std::mem::take(&mut self.arrivals));
        arrivals.begin();
        while arrivals.fill(&mut rest, 0, &self.store) {
            for (hash, state, _, is_transient) in arrivals.each() {
                self.insert_hashed(hash, state, is_transient);
            }
        }
        self.arrivals = arrivals;
    }

    /// Begins to fetch what [`Self::insert_hashed`] will read first.
    #[inline]
    pub(crate) fn prefetch(&self, hash: StateHash) {
        if self.recent.get(hash).is_none() {
            self.store.prefetch(hash);
        }
    }

    /// Stores a state.
    pub(crate) fn insert(&mut self, state: &[u8], is_transient: bool) {
        self.insert_hashed(StateHash::of(state), state, is_transient);
    }

    /// The same, given the hash; its number, and whether it is new. Nothing if a limit forbids to store it.
    #[inline]
    pub(crate) fn insert_hashed(
        &mut self,
        hash: StateHash,
        state: &[u8],
        is_transient: bool,
    ) -> Option<(StateId, bool)> {
        if self.limit.is_some() {
            return None;
        }
        if let Some(number) = self.recent.get(hash).filter(|number| self.store.lent(*number) == Some(state)) {
            return Some((number, false));
        }
        if self.is_deepest {
            let known = self.store.find(hash, state);
            self.is_cut |= known.is_none();
            return known.map(|number| (number, false));
        }
        match self.store.insert(hash, state) {
            Ok((number, is_new)) => {
                if is_new {
                    self.next.push(number);
                    self.visible += u64::from(!is_transient);
                    if self.bytes() > self.memory {
                        self.limit = Some(Exhausted::Memory);
                    }
                }
                self.recent.set(hash, number);
                Some((number, is_new))
            }
            Err(_) => {
                self.limit = Some(Exhausted::Memory);
                None
            }
        }
    }

    /// Ends the level that is being stored: how many states it has, and how many of them are not transient.
    pub(crate) fn close(&mut self) -> (u64, u64) {
        let stored = self.next.len() as u64;
        self.next.sort_unstable();
        for number in self.next.drain(..) {
            let start = self.ends.last().copied().unwrap_or(0);
            match self.ranges[start..].last_mut() {
                Some((first, count)) if first.index() + *count as usize == number.index() => *count += 1,
                _ => self.ranges.push((number, 1)),
            }
        }
        self.ends.push(self.ranges.len());
        (stored, std::mem::take(&mut self.visible))
    }

    /// The bytes of a state.
    pub(crate) fn copy(&self, number: StateId) -> Vec<u8> {
        let mut state = Vec::new();
        self.store.copy(number, &mut state);
        state
    }

    /// How many levels were closed.
    pub(crate) fn levels(&self) -> usize {
        self.ends.len()
    }

    /// The states of a level that was closed.
    pub(crate) fn numbers(&self, level: usize) -> Numbers {
        let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut ranges = self.ranges[start..self.ends[level]].to_vec();
        ranges.reverse();
        Numbers { ranges }
    }

    /// The level of a state.
    pub(crate) fn level_of(&self, number: StateId) -> usize {
        let holds = |level: &usize| {
            let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
            let ranges = &self.ranges[start..self.ends[*level]];
            let place = ranges.partition_point(|(first, _)| *first <= number);
            let (first, count) = match place.checked_sub(1) {
                Some(place) => ranges[place],
                None => return false,
            };
            number.index() - first.index() < count as usize
        };
        (0..self.levels()).find(holds).expect("a stored state belongs to a level")
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        let next = self.next.capacity() * size_of::<StateId>();
        let levels = self.ranges.capacity() * size_of::<(StateId, u32)>() + self.ends.capacity() * size_of::<usize>();
        self.store.bytes() + self.recent.bytes() + self.arrivals.bytes() + (next + levels) as u64
    }
}

/// The states of a level that are left.
#[derive(Default)]
pub(crate) struct Numbers {
    /// The last range first.
    ranges: Vec<(StateId, u32)>,
}

impl Iterator for Numbers {
    type Item = StateId;

    #[inline]
    fn next(&mut self) -> Option<StateId> {
        let (number, count) = *self.ranges.last()?;
        match StateId::new(number.index() + 1).filter(|_| count > 1) {
            Some(next) => *self.ranges.last_mut()? = (next, count - 1),
            None => drop(self.ranges.pop()),
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_the_states_in_them() {
        let mut part = Part::new(Store::Auto, u64::MAX);
        let state = |number: u32, length: usize| {
            let mut state = vec![0; length];
            state[..4].copy_from_slice(&number.to_le_bytes());
            state
        };
        let mut expected = Vec::new();
        for level in 0..6_u32 {
            let mut states: Vec<_> = (0..700).map(|i| state(level * 1000 + i, 4 + (i % 3) as usize)).collect();
            states.iter().for_each(|state| part.insert(state, false));
            states.iter().for_each(|state| part.insert(state, false));
            states.sort();
            assert_eq!(part.close(), (700, 700));
            expected.push(states);
        }
        for (level, states) in expected.iter().enumerate() {
            let mut found: Vec<_> = part.numbers(level).map(|number| part.copy(number)).collect();
            found.sort();
            assert_eq!(&found, states);
        }
        assert!(part.ranges.len() < 60, "{}", part.ranges.len());
    }

    #[test]
    fn memory_is_limited() {
        let mut part = Part::new(Store::Auto, 1 << 18);
        for number in 0..100_000_u32 {
            part.insert(&number.to_le_bytes(), false);
        }
        assert_eq!(part.limit, Some(Exhausted::Memory));
        assert!(part.bytes() < 1 << 19);
    }
}
