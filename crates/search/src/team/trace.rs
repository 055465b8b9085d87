//! Paths without parents: each state on a path is the least predecessor of the next one.
//!
//! *How.* Backwards, level by level. Every worker expands its states of a level again and compares their successors with the
//! states at hand, one for each goal; the least predecessor of all workers is the next state at hand. Only these
//! states travel, and nothing is stored.

use super::Outbox;
use super::message::{Reader, put_numbers};
use super::part::Part;
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use std::collections::{BTreeMap, HashMap};

/// The states of a path.
pub(crate) type Chain = Vec<Box<[u8]>>;

/// Gives each successor of a state to the second argument.
pub(crate) type Expand<'e> = dyn FnMut(&[u8], &mut dyn FnMut(StateHash, &[u8])) -> Result<(), Exhausted> + 'e;

/// For each goal, which is a state and its level, the states of a path to it, the initial one first. All workers have the same
/// goals.
pub(crate) fn chains(
    outbox: &mut Outbox<'_>,
    part: &Part,
    goals: &[(usize, Box<[u8]>)],
    expand: &mut Expand<'_>,
) -> Result<Vec<Chain>, Exhausted> {
    let mut chains: Vec<Chain> = goals.iter().map(|(_, state)| vec![state.clone()]).collect();
    let deepest = goals.iter().map(|(level, _)| *level).max().unwrap_or(0);
    for level in (0..deepest).rev() {
        let open: Vec<usize> = (0..chains.len()).filter(|goal| goals[*goal].0 > level).collect();
        let found = predecessors(part, level, &open, &chains, expand);
        let message = match &found {
            Err(_) => vec![1],
            Ok(found) => message(&open, found),
        };
        let messages = outbox.gather(&message);
        if messages.iter().any(|message| message[0] != 0) {
            return Err(found.err().unwrap_or(Exhausted::Time));
        }
        let mut readers: Vec<_> = messages.iter().map(|message| Reader { rest: &message[1..] }).collect();
        for goal in open {
            let states = readers.iter_mut().filter_map(|reader| {
                let length = reader.number();
                length.checked_sub(1).map(|length| reader.bytes(length as usize))
            });
            let least = states.min().expect("a state of a level has a predecessor in the level before");
            chains[goal].push(least.into());
        }
    }
    chains.iter_mut().for_each(|chain| chain.reverse());
    Ok(chains)
}

/// The message that no limit was reached, and for each goal the predecessor that was found: its length plus 1, and its
/// bytes.
fn message(open: &[usize], found: &BTreeMap<usize, Vec<u8>>) -> Vec<u8> {
    let mut message = vec![0];
    for goal in open {
        let state = found.get(goal);
        put_numbers(&mut message, &[state.map_or(0, |state| state.len() as u64 + 1)]);
        message.extend_from_slice(state.map_or(&[], Vec::as_slice));
    }
    message
}

/// The least predecessors that this worker has in a level.
fn predecessors(
    part: &Part,
    level: usize,
    open: &[usize],
    chains: &[Chain],
    expand: &mut Expand<'_>,
) -> Result<BTreeMap<usize, Vec<u8>>, Exhausted> {
    let head = |goal: usize| &**chains[goal].last().expect("a path has a state");
    let mut heads: HashMap<u64, Vec<usize>> = HashMap::new();
    for goal in open {
        heads.entry(StateHash::of(head(*goal)).0).or_default().push(*goal);
    }
    let (mut least, mut source): (BTreeMap<usize, Vec<u8>>, Vec<u8>) = Default::default();
    for number in part.numbers(level) {
        part.store.copy(number, &mut source);
        expand(&source, &mut |hash, state| {
            for goal in heads.get(&hash.0).into_iter().flatten().filter(|goal| head(**goal) == state) {
                let best = least.entry(*goal).or_insert_with(|| source.clone());
                if source < *best {
                    best.clone_from(&source);
                }
            }
        })?;
    }
    Ok(least)
}
