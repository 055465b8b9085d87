//! Windows of a tableau as counters: `F [0, b] p` and `G [0, b] p` take as many bits as the number `b` has.
//!
//! What: written out, `G [0, b] p` has a promise for each of its steps: that `p` holds at the next position, at the next
//! two, and so on. The promises of such a chain are the values of one number, for how many positions from the next one on the
//! condition holds, up to the length of the chain. That number is encoded in binary.
//!
//! Contract: each promise of a chain has the same value in every path of the product as it would have with a bit of its own. A
//! promise belongs to at most one chain; short chains are left as they are. `F` is the negation of such a chain.
//!
//! Deviations: a window that begins later, as in `F [a, b] p`, needs a bit for each of the `a` steps before: which of
//! them were asked for is not a number. Windows of the past keep their bits, too.
//!
//! Tested by `tests/windows.rs`.

use bdd::{Bdd, Manager};
use kernel::budget::Exhausted;
use omega::tableau::{Condition, Gate, Law, Tableau};
use std::collections::HashMap;

/// Promises up to which a chain keeps its bits.
const SHORTEST: usize = 4;

/// A chain: its last promise is that the condition holds at the next `length` positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) condition: Condition,
    pub(super) length: usize,
}

/// What a variable of the tableau says: that the condition of a window holds at the next positions, or the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) window: usize,
    pub(super) positions: usize,
    pub(super) is_negated: bool,
}

/// The chains of a tableau, and the place of each variable that belongs to one.
pub(super) fn windows(tableau: &Tableau) -> (Vec<Window>, HashMap<usize, Place>) {
    let mut windows: Vec<Window> = Vec::new();
    let mut places: HashMap<usize, Place> = HashMap::new();
    for (variable, law) in tableau.laws().iter().enumerate() {
        let Law::Promise(promised) = law else { continue };
        let Gate::And(members) = &tableau.gates()[promised.gate()] else { continue };
        let ([a, b], false) = (&members[..], promised.is_negated()) else { continue };
        let found = [(*a, *b), (*b, *a)].into_iter().find_map(|(condition, before)| {
            let Gate::Variable(shorter) = tableau.gates()[before.gate()] else { return None };
            let continued = places.get(&shorter).copied().filter(|place| {
                let window = windows[place.window];
                window.condition == condition
                    && window.length == place.positions
                    && place.is_negated == before.is_negated()
            });
            if let Some(place) = continued {
                return Some((place.window, place.positions + 1));
            }
            // The first promise of a chain is that the condition holds at the next position.
            let Law::Promise(first) = tableau.laws()[shorter] else { return None };
            let is_first = first == if before.is_negated() { !condition } else { condition };
            is_first.then(|| {
                let window = windows.len();
                windows.push(Window { condition, length: 1 });
                let place = Place { window, positions: 1, is_negated: before.is_negated() };
                places.entry(shorter).or_insert(place);
                (window, 2)
            })
        });
        if let Some((window, positions)) = found {
            windows[window].length = positions;
            places.insert(variable, Place { window, positions, is_negated: false });
        }
    }
    places.retain(|_, place| windows[place.window].length >= SHORTEST);
    (windows, places)
}

/// A number in binary, the least significant bit first.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) now: Vec<Bdd>,
    pub(super) next: Vec<Bdd>,
}

/// The bits that count up to a number.
pub(super) fn width(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

/// Where a number is at least `least`.
pub(super) fn at_least(manager: &Manager, bits: &[Bdd], least: usize) -> Result<Bdd, Exhausted> {
    if least >> bits.len() != 0 {
        return Ok(manager.no());
    }
    // From the least significant bit on: what the bits so far say about the digits of `least` so far.
    let mut result = manager.yes();
    for (place, bit) in bits.iter().enumerate() {
        result = if least >> place & 1 == 1 { bit.try_and(&result)? } else { bit.try_or(&result)? };
    }
    Ok(result)
}

/// What holds between the values of a window's number at a position and at the next: `there` is the condition at the next.
pub(super) fn laws(manager: &Manager, counter: &Counter, most: usize, there: &Bdd) -> Result<Vec<Bdd>, Exhausted> {
    let is_full = at_least(manager, &counter.next, most)?;
    let mut laws = vec![!at_least(manager, &counter.now, most + 1)?];
    let mut carry = manager.yes();
    for (place, (now, next)) in counter.now.iter().zip(&counter.next).enumerate() {
        let sum = next.try_xor(&carry)?;
        carry = carry.try_and(next)?;
        let kept = if most >> place & 1 == 1 { sum.try_or(&is_full)? } else { sum.try_and(&!&is_full)? };
        laws.push(!now.try_xor(&kept.try_and(there)?)?);
    }
    Ok(laws)
}
