//! Successors by number, remembered so that a state that is visited again and again is not executed again.
//!
//! This is a cache only: a search that runs out of memory drops it and continues. It takes four bytes for each state and
//! six for each step.

use crate::store::number::StateId;
use crate::thresholds::product::REMEMBERED_MARKS;
use omega::automaton::Marks;

#[derive(Debug, Default)]
pub(super) struct Remembered {
    /// By number of state: where its successors begin, plus 1; 0 if they are not known.
    starts: Vec<u32>,
    /// The number of successors, as that of a state, then these, for one state after the other.
    targets: Vec<StateId>,
    /// Beside each target the index of the marks of its step.
    marks: Vec<u8>,
    distinct: Vec<Marks>,
}

impl Remembered {
    /// Appends the successors of a state and the marks of the steps to them to `into`; says whether they are known.
    #[inline]
    pub(super) fn recall(&self, state: StateId, into: &mut Vec<(StateId, Marks)>) -> bool {
        let start = self.starts.get(state.index()).copied().unwrap_or(0) as usize;
        if start == 0 {
            return false;
        }
        let range = start..start + self.targets[start - 1].index();
        let marks = self.marks[range.clone()].iter().map(|&index| self.distinct[usize::from(index)]);
        into.extend(self.targets[range].iter().copied().zip(marks));
        true
    }

    /// Remembers the successors of a state, if there is room for their numbers; says whether there was.
    pub(super) fn learn(&mut self, state: StateId, successors: &[(StateId, Marks)]) -> bool {
        let (Ok(start), Some(count)) = (u32::try_from(self.targets.len() + 1), StateId::new(successors.len())) else {
            return false;
        };
        let before = self.marks.len();
        self.marks.push(0);
        for (_, marks) in successors {
            let Some(index) = self.index(*marks) else {
                self.marks.truncate(before);
                return false;
            };
            self.marks.push(index);
        }
        self.targets.push(count);
        self.targets.extend(successors.iter().map(|(target, _)| *target));
        let index = state.index();
        if index >= self.starts.len() {
            self.starts.resize(index + index / 2 + 1, 0);
        }
        self.starts[index] = start;
        true
    }

    fn index(&mut self, marks: Marks) -> Option<u8> {
        let found = self.distinct.iter().position(|other| *other == marks);
        let index = found.or_else(|| {
            (self.distinct.len() < REMEMBERED_MARKS).then(|| {
                self.distinct.push(marks);
                self.distinct.len() - 1
            })
        });
        index.and_then(|index| u8::try_from(index).ok())
    }

    pub(super) fn bytes(&self) -> u64 {
        let targets = self.targets.capacity() * size_of::<StateId>();
        (self.starts.capacity() * size_of::<u32>() + targets + self.marks.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_is_remembered_until_marks_run_out() {
        fn number(state: u32) -> StateId {
            StateId::new(state as usize).unwrap()
        }
        fn recalled(remembered: &Remembered, state: u32) -> Option<Vec<(StateId, Marks)>> {
            let mut found = Vec::new();
            remembered.recall(number(state), &mut found).then_some(found)
        }
        let mut remembered = Remembered::default();
        let successors = |state: u32| vec![(number(state + 1), Marks::one(state % 100)), (number(7), Marks::NONE)];
        for state in [9, 0, 300, 5] {
            assert_eq!(recalled(&remembered, state), None);
            remembered.learn(number(state), &successors(state));
        }
        remembered.learn(number(2), &[]);
        for state in [0, 300, 5, 9] {
            assert_eq!(recalled(&remembered, state), Some(successors(state)));
        }
        assert_eq!(recalled(&remembered, 2), Some(Vec::new()));
        for pair in 0..400 {
            remembered.learn(number(1000), &[(number(1), [pair % 20, 20 + pair / 20].into_iter().collect())]);
        }
        remembered.learn(number(400), &[(number(1), Marks::one(99))]);
        assert_eq!(recalled(&remembered, 400), None, "more distinct marks than can be told apart");
        assert_eq!(recalled(&remembered, 300), Some(successors(300)));
    }
}
