//! The insertion into a table that several threads fill: one lock-free loop.
//!
//! *Contract.* An entry is a tag of 32 bits and the number of a state, never zero; an empty slot is zero. Entries neither
//! change nor vanish while threads insert. [`insert`] gives each state one number: all threads that insert equal states
//! probe the same slots in the same order and so meet at the same first empty slot, which only one of them can fill. The
//! order visits all slots of a line of the cache before it goes on to the next line, so that few lookups need two lines.
//!
//! *Memory ordering.* A thread writes the bytes of a new state before it publishes the entry with a compare-and-exchange
//! that releases. Another thread learns the number only from an entry that it has loaded, or failed to replace, with
//! acquire; so it sees these bytes. Nothing else passes between threads while they insert. The initial zeros of the table
//! were written before the threads began.
//!
//! *Tested by* loom, which executes this code for two and three threads in every order, below; broken orderings and a lost
//! comparison are found there. Loom takes stronger orderings for what they are worth, but does not reorder a load with a
//! later store: passing is evidence, not proof.

use super::Full;

/// The slots in a line of the cache.
pub(super) const LINE: usize = 8;

/// A table of slots: lines of [`LINE`] slots each.
pub(super) trait Slots {
    /// A line.
    type Line;
    /// All of them.
    fn lines(&self) -> &[Self::Line];
    /// The entry in a slot of a line, with acquire.
    fn load(&self, line: &Self::Line, slot: usize) -> u64;
    /// Fills an empty slot of a line, with release; else gives the entry that is there, with acquire.
    fn publish(&self, line: &Self::Line, slot: usize, entry: u64) -> Result<(), u64>;
}

/// An entry.
#[inline]
pub(super) fn entry(tag: u32, number: u32) -> u64 {
    u64::from(tag) << 32 | (u64::from(number) + 1)
}

/// The tag of an entry.
#[inline]
pub(super) fn tag_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// The number in an entry.
#[inline]
pub(super) fn number_of(entry: u64) -> u32 {
    entry as u32 - 1
}

/// The line for a tag, monotone in the tag for any number of lines, and the slot in it that is looked at first.
#[inline]
pub(super) fn home(tag: u32, lines: usize) -> (usize, usize) {
    let product = u64::from(tag) * lines as u64;
    ((product >> 32) as usize, (product >> 29) as usize % LINE)
}

/// The slots of a line in the order in which they are looked at.
#[inline]
pub(super) fn turns(first: usize) -> impl Iterator<Item = usize> {
    (0..LINE).map(move |turn| (first ^ turn) % LINE)
}

/// The line that is looked at after another one.
#[inline]
pub(super) fn after(line: usize, lines: usize) -> usize {
    if line + 1 == lines { 0 } else { line + 1 }
}

/// The number of a state, if it is in the table.
#[inline]
pub(super) fn find(table: &impl Slots, tag: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
    let lines = table.lines();
    let (mut index, first) = home(tag, lines.len());
    loop {
        let line = &lines[index];
        for slot in turns(first) {
            match table.load(line, slot) {
                0 => return None,
                entry if tag_of(entry) == tag && is_same(number_of(entry)) => return Some(number_of(entry)),
                _ => {}
            }
        }
        index = after(index, lines.len());
    }
}

/// Where a lookup goes on: none of the slots before this one, in the order of the lookup, has the tag.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    line: usize,
    turn: usize,
}

impl Place {
    /// The place where a lookup begins.
    #[inline]
    pub(super) fn first(tag: u32, lines: usize) -> Self {
        Self { line: home(tag, lines).0, turn: 0 }
    }
}

/// A look at the home line alone: the number of the first state in it that has this tag, or where a lookup goes on.
#[inline]
pub(super) fn look(table: &impl Slots, tag: u32) -> Result<u32, Place> {
    let lines = table.lines();
    let (index, first) = home(tag, lines.len());
    for (turn, slot) in turns(first).enumerate() {
        match table.load(&lines[index], slot) {
            0 => return Err(Place { line: index, turn }),
            entry if tag_of(entry) == tag => return Ok(number_of(entry)),
            _ => {}
        }
    }
    Err(Place { line: after(index, lines.len()), turn: 0 })
}

/// The number of a state, and whether this call has inserted it. The lookup begins at a place that [`look`] gave, or at the first one. `write`
/// writes the state where no other thread looks, and gives its number; if the state turns out to be known, that number stays free.
#[inline]
pub(super) fn insert(
    table: &impl Slots,
    tag: u32,
    from: Place,
    is_same: impl Fn(u32) -> bool,
    mut write: impl FnMut() -> Result<u32, Full>,
) -> Result<(u32, bool), Full> {
    let lines = table.lines();
    let (_, first) = home(tag, lines.len());
    let Place { line: mut index, mut turn } = from;
    let mut written = None;
    loop {
        let line = &lines[index];
        while turn < LINE {
            let slot = (first ^ turn) % LINE;
            let mut found = table.load(line, slot);
            if found == 0 {
                let number = match written {
                    Some(number) => number,
                    None => *written.insert(write()?),
                };
                match table.publish(line, slot, entry(tag, number)) {
                    Ok(()) => return Ok((number, true)),
                    Err(other) => found = other,
                }
            }
            if tag_of(found) == tag && is_same(number_of(found)) {
                return Ok((number_of(found), false));
            }
            turn += 1;
        }
        (index, turn) = (after(index, lines.len()), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicU64, Ordering};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// How the table is broken.
    #[derive(Clone, Copy, PartialEq)]
    enum Mutant {
        None,
        /// Entries are loaded without acquire.
        RelaxedLoad,
        /// Entries are published without release.
        RelaxedPublish,
        /// A slot is filled even if another thread was faster.
        BlindStore,
    }

    /// Two lines, and two states for each of three threads. A state is one byte.
    struct Table {
        lines: Vec<Vec<AtomicU64>>,
        states: Vec<UnsafeCell<u8>>,
        mutant: Mutant,
    }

    impl Slots for Table {
        type Line = Vec<AtomicU64>;

        fn lines(&self) -> &[Self::Line] {
            &self.lines
        }

        fn load(&self, line: &Self::Line, slot: usize) -> u64 {
            let is_broken = self.mutant == Mutant::RelaxedLoad;
            line[slot].load(if is_broken { Ordering::Relaxed } else { Ordering::Acquire })
        }

        fn publish(&self, line: &Self::Line, slot: usize, entry: u64) -> Result<(), u64> {
            let slot = &line[slot];
            match self.mutant {
                Mutant::BlindStore => {
                    slot.store(entry, Ordering::Release);
                    Ok(())
                }
                Mutant::RelaxedPublish => {
                    slot.compare_exchange(0, entry, Ordering::Relaxed, Ordering::Acquire).map(|_| ())
                }
                _ => slot.compare_exchange(0, entry, Ordering::Release, Ordering::Acquire).map(|_| ()),
            }
        }
    }

    impl Table {
        /// Inserts a state for the thread that owns the numbers from `first` on, `used` of which are taken.
        fn add(&self, state: u8, tag: u32, first: u32, used: &mut u32) -> (u32, bool) {
            let is_same = |number: u32| self.states[number as usize].with(unsafe_read) == state;
            let free = first + *used;
            let write = || {
                self.states[free as usize].with_mut(|byte| unsafe_write(byte, state));
                Ok(free)
            };
            let from = look(self, tag).err().unwrap_or(Place::first(tag, self.lines.len()));
            let (number, is_new) = insert(self, tag, from, is_same, write).unwrap();
            *used += u32::from(is_new);
            (number, is_new)
        }
    }

    #[expect(unsafe_code, reason = "loom hands out pointers and reports every access that is not ordered")]
    fn unsafe_read(byte: *const u8) -> u8 {
        // SAFETY: loom fails the test before two threads access the cell at once.
        unsafe { *byte }
    }

    #[expect(unsafe_code, reason = "loom hands out pointers and reports every access that is not ordered")]
    fn unsafe_write(byte: *mut u8, state: u8) {
        // SAFETY: as above.
        unsafe { *byte = state }
    }

    /// Every thread inserts its states in every order of steps; equal states must get equal numbers, and one inserter.
    fn explore(mutant: Mutant, threads: &'static [&'static [(u8, u32)]]) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let line = || (0..LINE).map(|_| AtomicU64::new(0)).collect();
            let lines = vec![line(), line()];
            let states = (0..2 * threads.len()).map(|_| UnsafeCell::new(0)).collect();
            let table = Arc::new(Table { lines, states, mutant });
            let work = |table: Arc<Table>, index: usize| {
                let mut used = 0;
                let add = |(state, tag): &(u8, u32)| (*state, table.add(*state, *tag, 2 * index as u32, &mut used));
                threads[index].iter().map(add).collect::<Vec<_>>()
            };
            let others: Vec<_> = (1..threads.len())
                .map(|index| {
                    let table = Arc::clone(&table);
                    loom::thread::spawn(move || work(table, index))
                })
                .collect();
            let mut all = work(Arc::clone(&table), 0);
            for other in others {
                all.extend(other.join().unwrap());
            }
            for (state, (number, _)) in &all {
                let same = || all.iter().filter(|(other, _)| other == state);
                assert!(same().all(|(_, (other, _))| other == number), "one state has two numbers");
                assert_eq!(same().filter(|(_, (_, is_new))| *is_new).count(), 1, "inserted once");
            }
        });
    }

    /// Two threads that race for one state and for one slot; and three that race for one state.
    const RACE: &[&[(u8, u32)]] = &[&[(1, 0), (2, 0)], &[(2, 0), (1, 0)]];
    const THREE: &[&[(u8, u32)]] = &[&[(1, 0)], &[(1, 0)], &[(2, 0)]];

    #[test]
    fn states_are_inserted_once_and_seen_whole() {
        explore(Mutant::None, RACE);
        explore(Mutant::None, THREE);
    }

    #[test]
    fn broken_orderings_are_found() {
        for mutant in [Mutant::RelaxedLoad, Mutant::RelaxedPublish, Mutant::BlindStore] {
            let result = catch_unwind(AssertUnwindSafe(|| explore(mutant, RACE)));
            assert!(result.is_err(), "a broken table passes");
        }
    }
}
