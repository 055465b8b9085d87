//! Growth of the stacks of a search under a memory limit: the limit is checked before memory is allocated.
//!
//! *Contract.* After [`grow`] there is room for as many elements as were asked for, and everything
//! held stays within the limit; or nothing has changed and the answer is that memory is exhausted.
//!
//! *How.* Growth by a quarter rather than by doubling, so that little memory is unused; by the rest of the budget if
//! that is less.
//!
//! *Tested by* `tests/random_systems.rs`, which measures searches under small limits.

use crate::meter::Meter;
use crate::thresholds::explore::LEAST_GROWTH_BYTES;
use kernel::budget::Exhausted;

/// Makes room for `more` elements; `held` is how many bytes the search holds in all.
#[cold]
pub(super) fn grow<T>(stack: &mut Vec<T>, more: usize, held: u64, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let size = size_of::<T>().max(1);
    let free = stack.capacity() - stack.len();
    let wanted = more.max(free + stack.capacity() / 4).max(LEAST_GROWTH_BYTES / size);
    let left = usize::try_from(meter.memory.saturating_sub(held)).unwrap_or(usize::MAX) / size;
    let room = wanted.min(free.saturating_add(left));
    if room < more {
        return Err(Exhausted::Memory);
    }
    stack.reserve_exact(room);
    Ok(())
}
