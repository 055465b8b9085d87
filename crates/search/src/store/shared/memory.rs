//! Memory of the shared store: stretches that are cut from large mappings, and that can be used again.
//!
//! *Why.* The system gives memory page by page, when it is first touched. For a search that lasts, this took 10 to 16 % of the processor
//! time with the pages of 4 KiB that an allocator gets. A large mapping can have pages of 2 MiB; and what a segment of the
//! table leaves when it grows becomes the place of further states, instead of going back to the system and being
//! touched anew (decision 0021).
//!
//! *Contract.* A [`Stretch`] belongs to one owner, and its bytes to nobody else. It starts at a line of the cache. [`Pool::fresh`] gives zeros;
//! what [`Pool::recycled`] gives has the bytes of its last owner. Mapped memory that has not been handed out was not touched either,
//! except for the rest of a large page, and takes no room.
//!
//! *Why unsafe.* Lines, notes and the bytes of states are parts of one mapping, and the standard library cannot cut a box in pieces that are freed
//! together.
//!
//! *Why it is safe.* A stretch holds its mapping, so that this outlives it. Stretches of one mapping are disjoint: one is made by
//! [`Pool::fresh`] from bytes that no other has got, or cut off another one by [`Stretch::split`], which loses these bytes. All
//! bytes are initialised, first by the system. Bytes are shared as cells, or as a [`Plain`] type, whose values are shared by atomic accesses.

use super::Full;
use memmap2::{MmapMut, MmapOptions};
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Where stretches start: at a line of the cache. Their lengths are multiples of it.
pub(super) const LINE_BYTES: usize = 64;

/// The bytes of a page that is not large, or less.
const SMALL_PAGE: usize = 1 << 12;

/// The bytes of a large page.
const LARGE_PAGE: usize = 1 << 21;

/// The least and the greatest mapping; between them a mapping has half of the bytes of all before it. The unused end of the last one is not touched,
/// except for the rest of a large page.
const LEAST_MAPPING: usize = 1 << 18;
const GREATEST_MAPPING: usize = 1 << 28;

/// From this size on a mapping has large pages.
const LEAST_LARGE: usize = 2 * LARGE_PAGE;

/// If the system takes longer than this to provide a large page, the next ones are small. In a virtual machine, memory that was never
/// used since it was started takes some four milliseconds for a large page, because the host provides it only then, piece by piece; other memory takes a
/// tenth of a millisecond. Small pages come mostly from memory that was used lately.
const SLOW_TOUCH: Duration = Duration::from_millis(1);

/// After the first slow page so many are small, after each further one twice as many.
const FIRST_SMALL: usize = 16;

/// A free stretch with less bytes than this is not worth a block.
const LEAST_RECYCLED: usize = 1 << 12;

/// Types of which any bytes are a value, and whose values are changed by atomic accesses alone.
///
/// # Safety
/// The type has these properties, need not be dropped, and is aligned to at most [`LINE_BYTES`].
#[expect(unsafe_code, reason = "see the module's text")]
pub(crate) unsafe trait Plain: Sync {}

#[expect(unsafe_code, reason = "an atomic integer has these properties")]
// SAFETY: any bytes are an atomic integer, which changes by atomic accesses alone.
unsafe impl Plain for AtomicU8 {}

#[expect(unsafe_code, reason = "an atomic integer has these properties")]
// SAFETY: any bytes are an atomic integer, which changes by atomic accesses alone.
unsafe impl Plain for AtomicU32 {}

/// A part of a mapping that has one owner.
pub(super) struct Stretch {
    start: NonNull<u8>,
    length: usize,
    /// Keeps the memory.
    mapping: Arc<MmapMut>,
}

#[expect(unsafe_code, reason = "see the module's text")]
// SAFETY: a stretch owns its bytes, as a box does.
unsafe impl Send for Stretch {}

#[expect(unsafe_code, reason = "see the module's text")]
// SAFETY: a shared stretch gives only cells, whose users answer for the order of accesses, and values that are changed atomically.
unsafe impl Sync for Stretch {}

#[expect(unsafe_code, reason = "see the module's text")]
impl Stretch {
    /// The bytes that it has.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Its bytes.
    #[inline]
    pub(super) fn cells(&self) -> &[UnsafeCell<u8>] {
        // SAFETY: the bytes are initialised and belong to this stretch; a cell has the layout of its content.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), self.length) }
    }

    /// The first bytes, as so many values.
    #[inline]
    pub(super) fn values<T: Plain>(&self, count: usize) -> &[T] {
        const { assert!(align_of::<T>() <= LINE_BYTES, "stretches start at a line of the cache") };
        assert!(count * size_of::<T>() <= self.length, "the values lie in the stretch");
        // SAFETY: the stretch is aligned, was compared with the length of the values, and any bytes are values of a plain type.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), count) }
    }

    /// The same, for the only one who has the stretch.
    pub(super) fn values_mut<T: Plain>(&mut self, count: usize) -> &mut [T] {
        let first: NonNull<T> = self.start.cast();
        assert_eq!(self.values::<T>(count).len(), count, "the values lie in the stretch");
        // SAFETY: as above, and the stretch is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(first.as_ptr(), count) }
    }

    /// Writes to each page of fresh memory. A page that is read first is a shared page of zeros, until it is written to; then all
    /// threads are interrupted so that they forget it.
    pub(super) fn touch(&mut self) {
        for value in self.values_mut::<AtomicU8>(self.length).iter_mut().step_by(SMALL_PAGE) {
            // A plain store of the zero that is there might be left out.
            value.store(0, Ordering::Relaxed);
        }
    }

    /// Sets the first bytes to zero.
    pub(super) fn clear(&mut self, count: usize) {
        assert!(count <= self.length, "the bytes lie in the stretch");
        // SAFETY: the bytes belong to this stretch, which is borrowed exclusively.
        unsafe { self.start.write_bytes(0, count) };
    }

    /// Cuts off the first bytes, a multiple of [`LINE_BYTES`].
    fn split(&mut self, length: usize) -> Self {
        assert!(length <= self.length && length.is_multiple_of(LINE_BYTES), "a part in whole lines");
        let first = Self { start: self.start, length, mapping: Arc::clone(&self.mapping) };
        // SAFETY: the offset is at most the length, so that the pointer stays in the mapping or one past its end.
        self.start = unsafe { self.start.add(length) };
        self.length -= length;
        first
    }

    /// A mapping of at least so many bytes, which are zeros. Large ones start at a large page.
    fn map(length: usize) -> Result<Self, Full> {
        let slack = if length >= LEAST_LARGE { LARGE_PAGE } else { 0 };
        let mut mapping = MmapOptions::new().len(length + slack).map_anon().map_err(|_| Full)?;
        let start = NonNull::new(mapping.as_mut_ptr()).ok_or(Full)?;
        let skipped = start.align_offset(LARGE_PAGE).min(slack);
        let mut all = Self { start, length: length + slack, mapping: Arc::new(mapping) };
        let _ = all.split(skipped);
        Ok(all)
    }

    /// Asks for a large page at a distance from the start, which nobody has touched, and touches it; says whether that was worth it.
    fn enlarge(&mut self, at: usize) -> bool {
        assert!(at + LARGE_PAGE <= self.length, "the page lies in the stretch");
        let offset = self.start.as_ptr() as usize - self.mapping.as_ptr() as usize + at;
        if !ask_for_large_page(&self.mapping, offset) {
            return false;
        }
        let before = Instant::now();
        // SAFETY: the byte belongs to this stretch, which is borrowed exclusively.
        unsafe { self.start.add(at).write_volatile(0) };
        before.elapsed() < SLOW_TOUCH
    }
}

/// Says whether the system takes the advice.
#[cfg(target_os = "linux")]
fn ask_for_large_page(mapping: &MmapMut, offset: usize) -> bool {
    mapping.advise_range(memmap2::Advice::HugePage, offset, LARGE_PAGE).is_ok()
}

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
fn ask_for_large_page(_mapping: &MmapMut, _offset: usize) -> bool {
    false
}

/// Rounds up to whole lines of the cache.
pub(super) fn in_lines(bytes: usize) -> usize {
    bytes.next_multiple_of(LINE_BYTES)
}

/// Where stretches come from.
pub(super) struct Pool {
    /// The part of the last mapping that was not handed out.
    rest: Option<Stretch>,
    /// The bytes of all mappings.
    mapped: usize,
    /// The bytes of `rest`, from its end, whose pages are still as the system chooses; the others are decided.
    undecided: usize,
    /// The pages that stay small until a large one is tried again, and how many that were the last time.
    small: usize,
    last_small: usize,
    /// Stretches that were given back.
    free: Vec<Stretch>,
}

impl Default for Pool {
    fn default() -> Self {
        Self { rest: None, mapped: 0, undecided: 0, small: 0, last_small: FIRST_SMALL, free: Vec::new() }
    }
}

impl Pool {
    /// So many zeros, a multiple of [`LINE_BYTES`].
    pub(super) fn fresh(&mut self, length: usize) -> Result<Stretch, Full> {
        if self.rest.as_ref().is_none_or(|rest| rest.len() < length) {
            let size = in_lines(length.max((self.mapped / 2).clamp(LEAST_MAPPING, GREATEST_MAPPING)));
            let rest = self.rest.insert(Stretch::map(size)?);
            self.undecided = if size < LEAST_LARGE { 0 } else { rest.len() };
            self.mapped += size;
        }
        let rest = self.rest.as_mut().ok_or(Full)?;
        // Before the first of its bytes is touched, each page is decided on.
        while self.undecided >= LARGE_PAGE && rest.len() - self.undecided < length {
            let page = rest.len() - self.undecided;
            self.undecided -= LARGE_PAGE;
            if self.small > 0 {
                self.small -= 1;
            } else if !rest.enlarge(page) {
                (self.small, self.last_small) = (self.last_small, self.last_small * 2);
            }
        }
        Ok(rest.split(length))
    }

    /// Memory that was given back: at least and at most so many bytes, the latter a multiple of [`LINE_BYTES`].
    pub(super) fn recycled(&mut self, least: usize, most: usize) -> Option<Stretch> {
        let index = self.free.iter().rposition(|stretch| stretch.len() >= least)?;
        let stretch = &mut self.free[index];
        if stretch.len() < most.saturating_add(LEAST_RECYCLED) {
            return Some(self.free.swap_remove(index));
        }
        Some(stretch.split(most))
    }

    /// Takes memory back.
    pub(super) fn give_back(&mut self, stretch: Stretch) {
        if stretch.len() >= LEAST_RECYCLED {
            self.free.push(stretch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that tell stretches apart stay where they were written, in fresh and in recycled memory.
    #[test]
    fn stretches_are_disjoint() {
        let mut pool = Pool::default();
        let mut held: Vec<(u32, Stretch)> = Vec::new();
        for number in 1..600_u32 {
            let length = LINE_BYTES * (1 + number as usize * 7919 % 4000);
            let mut stretch = match pool.recycled(length / 2, length) {
                Some(stretch) => stretch,
                None => pool.fresh(length).unwrap(),
            };
            assert_eq!(stretch.cells().as_ptr().align_offset(LINE_BYTES), 0);
            stretch.values_mut::<AtomicU32>(stretch.len() / 4).iter_mut().for_each(|value| *value.get_mut() = number);
            held.push((number, stretch));
            if number % 3 == 0 {
                pool.give_back(held.swap_remove(number as usize % held.len()).1);
            }
        }
        for (number, stretch) in &held {
            let values = stretch.values::<AtomicU32>(stretch.len() / 4);
            assert!(values.iter().all(|value| value.load(Ordering::Relaxed) == *number));
        }
    }

    #[test]
    fn fresh_memory_is_zero_and_recycled_memory_is_cut() {
        let mut pool = Pool::default();
        for length in [LINE_BYTES, 1 << 12, 1 << 18, 1 << 20, 3 << 22] {
            let stretch = pool.fresh(length).unwrap();
            assert_eq!(stretch.len(), length);
            assert!(stretch.values::<AtomicU8>(length).iter().all(|value| value.load(Ordering::Relaxed) == 0));
            stretch.values::<AtomicU8>(length)[length - 1].store(1, Ordering::Relaxed);
        }
        let (large, small) = (pool.fresh(1 << 16).unwrap(), pool.fresh(LINE_BYTES).unwrap());
        pool.give_back(large);
        pool.give_back(small);
        let first = pool.recycled(1, 1 << 13).unwrap();
        let rest = pool.recycled(1, usize::MAX).unwrap();
        assert_eq!([first.len(), rest.len()], [1 << 13, (1 << 16) - (1 << 13)]);
        assert!(pool.recycled(1, 1).is_none(), "what is not worth a block is not kept");
    }
}
