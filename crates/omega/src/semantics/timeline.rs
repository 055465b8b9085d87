//! The truth of a temporal operator at all positions of a word, from the truth of its operands: one fixpoint for each.
//!
//! Contract: as [`super`] says; the word is unrolled so far that all operands, and the result, are periodic on its cycle.

use crate::formula::{Formula, Node};
use crate::word::Word;

/// The truth of a temporal operator at each position.
///
/// # Panics
/// If the outermost operator is not temporal.
pub(super) fn row<'r>(word: &Word, node: &Node, of: &dyn Fn(Formula) -> &'r [bool]) -> Vec<bool> {
    let line = Line { word };
    match *node {
        Node::Next(a) => line.everywhere(|i| of(a)[word.successor(i)]),
        Node::Eventually(a) => line.backwards(false, |i, later| of(a)[i] || later),
        Node::Always(a) => line.backwards(true, |i, later| of(a)[i] && later),
        Node::Until(a, b) => line.backwards(false, |i, later| of(b)[i] || (of(a)[i] && later)),
        Node::WeakUntil(a, b) => line.backwards(true, |i, later| of(b)[i] || (of(a)[i] && later)),
        Node::Release(a, b) => line.backwards(true, |i, later| of(b)[i] && (of(a)[i] || later)),
        Node::StrongRelease(a, b) => line.backwards(false, |i, later| of(b)[i] && (of(a)[i] || later)),
        Node::Previously(a) => line.everywhere(|i| i > 0 && of(a)[i - 1]),
        Node::WeakPreviously(a) => line.everywhere(|i| i == 0 || of(a)[i - 1]),
        Node::Once(a) => line.forwards(false, |i, before| of(a)[i] || before),
        Node::Historically(a) => line.forwards(true, |i, before| of(a)[i] && before),
        Node::Since(a, b) => line.forwards(false, |i, before| of(b)[i] || (of(a)[i] && before)),
        Node::Triggered(a, b) => line.forwards(true, |i, before| of(b)[i] && (of(a)[i] || before)),
        _ => unreachable!("only temporal operators look at other positions"),
    }
}

struct Line<'w> {
    word: &'w Word,
}

impl Line<'_> {
    fn everywhere(&self, truth: impl FnMut(usize) -> bool) -> Vec<bool> {
        (0..self.word.len()).map(truth).collect()
    }

    /// The truth at each position from that at the previous one; `start` before the first.
    fn forwards(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut before = start;
        self.everywhere(|i| {
            before = step(i, before);
            before
        })
    }

    /// The fixpoint of "true here, given whether it is true at the next position": the least one if `start` is false,
    /// the greatest one if it is true.
    ///
    /// Once around the cycle from `start` gives its first position its final value, since a step that depends on the
    /// next position at all passes its value on unchanged; a second time around settles the others.
    fn backwards(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let first_of_cycle = self.word.stem().len();
        let around = |start: bool| (first_of_cycle..self.word.len()).rev().fold(start, |later, i| step(i, later));
        let mut later = around(start);
        let mut row = vec![false; self.word.len()];
        for i in (0..self.word.len()).rev() {
            later = step(i, later);
            row[i] = later;
        }
        row
    }
}
