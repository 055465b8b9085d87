//! A state and the numbers of all parts of its tree.
//!
//! *Shape.* The words of a state have one number each; these are the lowest level. The numbers of each level are joined in
//! pairs to words, whose numbers are the next level; a last one without a partner moves up as it is. The two numbers of the
//! highest level are the root. A state of one word is its own root. So the shape depends on the length of the state alone.

use super::nodes::Nodes;
use crate::store::number::StateId;

/// The bytes of a word.
const WORD: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct Image {
    /// The number of the state, if it is known.
    pub(super) number: Option<StateId>,
    length: usize,
    /// The state, with zeros to the end of the last word.
    bytes: Vec<u8>,
    /// The numbers of its parts, level by level from the lowest.
    parts: Vec<u32>,
    /// Places on the level that is being numbered.
    changed: Vec<usize>,
}

impl Image {
    pub(super) fn state(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Writes the numbers of the parts of `state` over those of this image, and gives the root; none if `number_of` has none for a
    /// part. Parts that are the same in `base` are not looked up.
    #[inline]
    pub(super) fn climb(
        &mut self,
        base: &Image,
        state: &[u8],
        mut number_of: impl FnMut(u64) -> Option<u32>,
    ) -> Option<u64> {
        let words = state.len().div_ceil(WORD);
        if words <= 1 {
            return Some(word(state, 0));
        }
        let Self { parts, changed, .. } = self;
        changed.clear();
        if base.length == state.len() {
            parts.clone_from(&base.parts);
            changed.extend((0..words).filter(|&at| word(state, at) != word(&base.bytes, at)));
        } else {
            parts.clear();
            parts.resize(size(words), 0);
            changed.extend(0..words);
        }
        for &at in &*changed {
            parts[at] = number_of(word(state, at))?;
        }
        let (mut start, mut count) = (0, words);
        while count > 2 {
            let above = start + count;
            let mut kept = 0;
            for index in 0..changed.len() {
                let parent = changed[index] / 2;
                if kept > 0 && changed[kept - 1] == parent {
                    continue;
                }
                changed[kept] = parent;
                kept += 1;
                let left = start + 2 * parent;
                parts[above + parent] =
                    if left + 1 < above { number_of(pair(parts[left], parts[left + 1]))? } else { parts[left] };
            }
            changed.truncate(kept);
            (start, count) = (above, count.div_ceil(2));
        }
        Some(pair(parts[start], parts[start + 1]))
    }

    /// Makes this the image of `state`, whose parts [`Self::climb`] has written.
    #[inline]
    pub(super) fn take(&mut self, state: &[u8], number: Option<StateId>) {
        (self.number, self.length) = (number, state.len());
        self.bytes.clear();
        self.bytes.extend_from_slice(state);
        self.bytes.resize(state.len().next_multiple_of(WORD), 0);
    }

    /// Makes this the image of the state of this length and root. Parts that are the same in the state before are not looked up.
    pub(super) fn descend(&mut self, nodes: &Nodes, length: usize, root: u64) {
        let words = length.div_ceil(WORD);
        let is_new = self.length != length || self.number.is_none();
        if is_new {
            self.bytes.clear();
            self.bytes.resize(words * WORD, 0);
            self.parts.clear();
            self.parts.resize(size(words), 0);
            self.length = length;
        }
        if words <= 1 {
            if words == 1 {
                self.bytes.copy_from_slice(&root.to_le_bytes());
            }
            return;
        }
        let levels: Vec<Level> = levels(words).collect();
        let mut descent = Descent { nodes, parts: &mut self.parts, bytes: &mut self.bytes, is_new };
        for (at, part) in split(root).into_iter().enumerate() {
            descent.write(&levels, at, part);
        }
    }
}

/// The numbers of one level of a tree.
#[derive(Clone, Copy, Debug)]
struct Level {
    start: usize,
    count: usize,
}

/// The levels of a tree over so many words, from the lowest.
fn levels(words: usize) -> impl Iterator<Item = Level> {
    let above = |level: &Level| {
        let Level { start, count } = *level;
        (count > 2).then(|| Level { start: start + count, count: count.div_ceil(2) })
    };
    std::iter::successors((words > 1).then_some(Level { start: 0, count: words }), above)
}

/// The way down from the root of a tree.
struct Descent<'a> {
    nodes: &'a Nodes,
    parts: &'a mut [u32],
    bytes: &'a mut [u8],
    /// True if there is nothing that could be the same.
    is_new: bool,
}

impl Descent<'_> {
    /// Writes a part at this place of the last of these levels, and all below it.
    fn write(&mut self, levels: &[Level], at: usize, part: u32) {
        let Some((level, lower)) = levels.split_last() else { return };
        let known = &mut self.parts[level.start + at];
        if *known == part && !self.is_new {
            return;
        }
        *known = part;
        match lower.last() {
            None => self.bytes[at * WORD..(at + 1) * WORD].copy_from_slice(&self.nodes.get(part).to_le_bytes()),
            Some(below) if 2 * at + 1 == below.count => self.write(lower, 2 * at, part),
            Some(_) => {
                let [left, right] = split(self.nodes.get(part));
                self.write(lower, 2 * at, left);
                self.write(lower, 2 * at + 1, right);
            }
        }
    }
}

/// The word at this place, with zeros where the state ends.
#[inline]
fn word(state: &[u8], at: usize) -> u64 {
    let rest = &state[at * WORD..];
    match rest.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => {
            let mut word = [0; WORD];
            word[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(word)
        }
    }
}

#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(right) << 32 | u64::from(left)
}

#[inline]
fn split(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// How many parts the tree of a state of so many words has.
fn size(words: usize) -> usize {
    levels(words).map(|level| level.count).sum()
}
