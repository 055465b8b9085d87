//! Leads the reference interpreter along a saved trace, comparing all that the file says with what happens.

use checker::promela::record::Recorder;
use checker::report::{Action, Change, Run, Step};
use promela::reference::{Reference, Transition};
use promela::snapshot::Snapshot;
use promela::validate::{Guide, describe};
use std::path::Path;

/// A guide along a saved trace.
pub(super) struct FileGuide<'a> {
    run: &'a Run,
    /// The steps that processes take.
    moves: Vec<&'a Step>,
    recorder: Recorder<'a>,
    reference: &'a Reference<'a>,
    /// Whether the model is the one the trace was recorded from; otherwise positions and numbers of statements are not
    /// compared.
    is_same_model: bool,
}

impl<'a> FileGuide<'a> {
    pub(super) fn new(run: &'a Run, recorder: Recorder<'a>, reference: &'a Reference<'a>, is_same_model: bool) -> Self {
        let moves = run.steps().filter(|step| step.does != Action::Stutter).collect();
        Self { run, moves, recorder, reference, is_same_model }
    }
}

/// Whether what repeats forever is a state in which no process can move.
pub(super) fn stutters(run: &Run) -> bool {
    matches!(run.cycle.as_slice(), [only] if only.does == Action::Stutter)
}

/// A step without what an edit of the model's text may move.
fn without_positions(step: &Step) -> Step {
    let mut step = Step { at: None, number: None, ..step.clone() };
    if let Some(receiver) = &mut step.receiver {
        (receiver.line, receiver.number) = (0, 0);
    }
    step
}

/// A step without the folder of the file: a model can be named by several paths.
fn without_folder(step: &Step) -> Step {
    let mut step = step.clone();
    if let Some(at) = &mut step.at {
        at.file = Path::new(&*at.file).file_name().map_or_else(Default::default, |name| name.to_string_lossy().into());
    }
    step
}

impl Guide for FileGuide<'_> {
    fn choose(&mut self, taken: usize, state: &Snapshot, transitions: &[Transition]) -> Result<Option<usize>, String> {
        if taken == 0 && self.recorder.values(state) != self.run.initial.values {
            return Err("the initial values differ from those of the model".into());
        }
        let Some(wanted) = self.moves.get(taken).copied() else { return Ok(None) };
        let describer = self.recorder.describer;
        let offered: Vec<Step> = transitions
            .iter()
            .map(|transition| self.recorder.step(&describe(self.reference, describer, state, transition)))
            // Files of former versions do not say which steps are inside atomic sequences.
            .map(|step| Step { atomic: step.atomic && wanted.atomic, ..step })
            .collect();
        let fits = |step: &Step| match self.is_same_model {
            true => step == wanted || without_folder(step) == without_folder(wanted),
            false => without_positions(step) == without_positions(wanted),
        };
        if let Some(index) = offered.iter().position(fits) {
            return Ok(Some(index));
        }
        Err(difference(wanted, &offered))
    }
}

/// The process, line and statement of a step.
fn name(step: &Step) -> String {
    let (process, pid) = (step.process.as_deref().unwrap_or_default(), step.pid.unwrap_or(0));
    let (line, statement) = (step.at.as_ref().map_or(0, |at| at.line), step.statement.as_deref().unwrap_or_default());
    format!("{process}({pid}) line {line} `{statement}`")
}

/// Why a step is not among those offered.
fn difference(wanted: &Step, offered: &[Step]) -> String {
    let same_move = |step: &&Step| {
        (step.pid, &step.process, step.does, &step.statement)
            == (wanted.pid, &wanted.process, wanted.does, &wanted.statement)
    };
    let Some(step) = offered.iter().find(same_move) else {
        return match offered {
            [] => format!("{} cannot happen: no step is possible", name(wanted)),
            _ => {
                let others: Vec<_> = offered.iter().map(name).collect();
                format!("{} cannot happen here; possible are: {}", name(wanted), others.join("; "))
            }
        };
    };
    if step.changes != wanted.changes {
        let shown = |step: &Step| {
            let one = |change: &Change| match &change.after {
                Some(after) => format!("{} = {after}", change.name),
                None => format!("{} ends", change.name),
            };
            let list: Vec<_> = step.changes.iter().map(one).collect();
            if list.is_empty() { "nothing".into() } else { list.join(", ") }
        };
        return format!("{} changes {}, not {}", name(wanted), shown(step), shown(wanted));
    }
    format!("{} happens, but not exactly as recorded", name(wanted))
}
