//! The rows of a run of a Promela model: one for each step, or one for the steps of an atomic sequence.

use checker::report::{Action, Change, Run, Step};

/// Steps that are shown in one row.
pub(super) struct Row<'a> {
    /// The number of the first step, counted from 1.
    pub(super) number: usize,
    /// The steps, at least one.
    pub(super) steps: Vec<&'a Step>,
}

impl Row<'_> {
    /// True if the row stands for several steps.
    pub(super) fn is_folded(&self) -> bool {
        self.steps.len() > 1
    }

    /// The changes of all steps together; a value that ends where it began is none.
    pub(super) fn changes(&self) -> Vec<Change> {
        let mut net: Vec<Change> = Vec::new();
        for change in self.steps.iter().flat_map(|step| &step.changes) {
            match net.iter_mut().find(|known| known.name == change.name) {
                Some(known) => known.after.clone_from(&change.after),
                None => net.push(change.clone()),
            }
        }
        net.retain(|change| change.before != change.after);
        net
    }

    /// The first and the last line of the statements, if all of them are in one file.
    pub(super) fn lines(&self) -> Option<(u32, u32)> {
        let places: Vec<_> = self.steps.iter().filter_map(|step| step.at.as_ref()).collect();
        let file = &places.first()?.file;
        let lines = || places.iter().map(|place| place.line);
        places.iter().all(|place| place.file == *file).then(|| Some((lines().min()?, lines().max()?))).flatten()
    }
}

/// The rows of a run. Steps of one atomic sequence are one row unless all steps are wanted. The last step of a finite run
/// always has a row of its own, because it shows the violation.
pub(super) fn rows(run: &Run, is_unfolded: bool) -> Vec<Row<'_>> {
    let steps: Vec<&Step> = run.steps().collect();
    let first_of_loop = run.stem.len();
    let last = if run.cycle.is_empty() { steps.len().checked_sub(1) } else { None };
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| steps[before]);
        let is_continued = before.is_some_and(|before| before.atomic && before.pid == step.pid);
        let is_apart = is_unfolded || index == first_of_loop || Some(index) == last || step.does == Action::Stutter;
        match rows.last_mut().filter(|_| is_continued && !is_apart) {
            Some(row) => row.steps.push(step),
            None => rows.push(Row { number: index + 1, steps: vec![step] }),
        }
    }
    rows
}
