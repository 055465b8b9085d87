//! Places at which no set begins, wherever the other processes stand: a quick answer where nothing can be left out.
//!
//! *What.* Of each process it is known at which locations of its cast ([`super::cast`]) it was met. What a process needs at
//! *each* of them it needs wherever it stands, so that the closure over these needs is part of every closed set. A process is
//! *doomed* if at each of them no set that leaves something out contains it. A place is *quiet* if no step there is local
//! by the text, and every closed set that begins there has a doomed process, or all processes that were ever able to move.
//!
//! *Contract.* Where all processes stand at quiet places, [`super::cast::Profile::seeds`] is empty. Which places were met depends on
//! the states that were visited; what is said of a state does not, since all its processes stand at places that were met.
//!
//! *Tested by* the unit tests below, and with the choice.

use super::cast::bits;

/// What is known of a process at a location where it was met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) pid: usize,
    /// The processes that it needs wherever they stand: whatever it can do, and if it can move.
    pub(super) must: u64,
    pub(super) moving: u64,
    /// It may be able to move.
    pub(super) is_movable: bool,
    /// It can move, and each of its steps must be expanded fully.
    pub(super) is_wall: bool,
    /// It begins no set: it cannot move by itself, or each of its steps must be expanded fully.
    pub(super) is_barred: bool,
    /// Its steps are local by the text.
    pub(super) is_local: bool,
}

/// For each place that was met, whether it is quiet.
pub(super) fn quiet(met: &[Met]) -> Vec<bool> {
    let count = met.iter().map(|place| place.pid + 1).max().unwrap_or(0);
    let movable = met.iter().filter(|place| place.is_movable).fold(0, |word, place| word | 1_u64 << place.pid);
    let mut least = vec![u64::MAX; count];
    met.iter().for_each(|place| least[place.pid] &= place.must);
    let closure = |pid: usize, needs: u64| {
        let (mut closed, mut open) = (1_u64 << pid, needs & !(1 << pid));
        while open != 0 {
            let next = open.trailing_zeros() as usize;
            closed |= 1 << next;
            open = (open | least[next]) & !closed;
        }
        closed
    };
    let mut doomed = 0_u64;
    let fails = |pid: usize, needs: u64, doomed: u64| {
        let closed = closure(pid, needs);
        closed & doomed != 0 || movable & !closed == 0
    };
    loop {
        let survives = |place: &&Met| !(place.is_wall || fails(place.pid, place.must, doomed));
        let surviving = met.iter().filter(survives).fold(0, |word, place| word | 1_u64 << place.pid);
        let next = bits(met.iter().fold(0, |word, place| word | 1_u64 << place.pid) & !surviving)
            .fold(doomed, |word, pid| word | 1 << pid);
        if next == doomed {
            break;
        }
        doomed = next;
    }
    met.iter().map(|place| !place.is_local && (place.is_barred || fails(place.pid, place.moving, doomed))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Met =
        Met { pid: 0, must: 0, moving: 0, is_movable: true, is_wall: false, is_barred: false, is_local: false };

    #[test]
    fn a_process_that_needs_a_doomed_one_begins_no_set() {
        let wall = Met { pid: 0, is_wall: true, is_barred: true, ..PLACE };
        let needing = Met { pid: 1, moving: 0b001, ..PLACE };
        let free = Met { pid: 2, ..PLACE };
        assert_eq!(quiet(&[wall, needing, free]), [true, true, false]);
        // Somewhere else the first process may be in a set.
        assert_eq!(quiet(&[wall, PLACE, needing, free]), [true, false, false, false]);
    }

    #[test]
    fn a_set_of_all_that_ever_move_leaves_nothing_out() {
        let idle = Met { pid: 0, is_movable: false, is_barred: true, ..PLACE };
        let one = Met { pid: 1, must: 0b100, moving: 0b100, ..PLACE };
        let two = Met { pid: 2, must: 0b010, moving: 0b010, ..PLACE };
        assert_eq!(quiet(&[idle, one, two]), [true, true, true]);
        let third = Met { pid: 3, moving: 0b010, ..PLACE };
        // The third process needs all the others, which do not need it.
        assert_eq!(quiet(&[idle, one, two, third]), [true, false, false, true]);
    }

    #[test]
    fn steps_that_are_local_are_never_quiet() {
        assert_eq!(quiet(&[Met { is_local: true, is_barred: true, ..PLACE }]), [false]);
    }
}
