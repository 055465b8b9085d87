//! A shortest path to a state where neither states nor pointers to their parents are kept.
//!
//! *Contract.* What is found is a run. It is shortest unless two states within its length share a hash of 64 bits, and
//! there is none only for the same reason. It takes an integer and a hash for each state within the distance. These do not
//! count towards the memory limit, which would discard the finding for lack of its trace. The time limit holds.
//!
//! *Source.* Algorithm 1 of [gastin.07.min]; deviations as in the paths between numbered states of the minimisers: the
//! printed listing writes the distance of the wrong state, and a state from which the climb came back is forgotten.

use crate::meter::Meter;
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use kernel::system::{System, record};
use std::collections::HashMap;

/// The states along a shortest path from the initial state to this one, both included; `held` is what the search for
/// it holds.
pub(super) fn to<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    goal: &[u8],
    meter: &mut Meter<'_>,
    held: u64,
) -> Result<Option<Vec<Vec<u8>>>, Exhausted> {
    let mut initial = Vec::new();
    system.initial(&mut initial);
    if initial == goal {
        return Ok(Some(vec![initial]));
    }
    let mut depths = HashMap::from_iter([(StateHash::of(&initial).0, 0)]);
    let mut look = || meter.tick(held);
    let Some(length) = measure(system, scratch, (&initial, goal), &mut depths, &mut look)? else { return Ok(None) };
    let mut path = vec![initial];
    while let Some(top) = path.last() {
        look()?;
        let depth = path.len();
        let next = record(system, scratch, top).successors.into_iter().map(|(_, state, _)| state).find(|state| {
            let is_deeper = depths.get(&StateHash::of(state).0) == Some(&depth);
            is_deeper && (depth < length || state == goal)
        });
        if let Some(next) = next {
            path.push(next);
            if depth == length {
                return Ok(Some(path));
            }
        } else {
            depths.remove(&StateHash::of(top).0);
            path.pop();
        }
    }
    Ok(None)
}

/// Distances by hash.
type Depths = HashMap<u64, usize, foldhash::fast::FixedState>;

/// Writes down distances level by level until the goal is met; gives its distance.
fn measure<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    (initial, goal): (&[u8], &[u8]),
    depths: &mut Depths,
    look: &mut impl FnMut() -> Result<(), Exhausted>,
) -> Result<Option<usize>, Exhausted> {
    let mut level = vec![initial.to_vec()];
    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in level {
            look()?;
            for (_, state, _) in record(system, scratch, &state).successors {
                depths.entry(StateHash::of(&state).0).or_insert_with(|| {
                    next.push(state.clone());
                    depth
                });
                if state == goal {
                    return Ok((depths[&StateHash::of(&state).0] == depth).then_some(depth));
                }
            }
        }
        level = next;
    }
    Ok(None)
}
