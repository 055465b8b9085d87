//! The law: the compiled model and the reference interpreter are the same transition system.
//!
//! Both are walked in step. In each state the steps, their order, the states after them, what goes
//! wrong and what is transient must agree; in the end, whether the end is valid. The footprints of
//! the compiled model are checked on the way: what changes must lie in what was announced. The model
//! is executed by its interpreter and by machine code ([`super::machine`]).

use super::machine::Twins;
use kernel::system::{Ending, Fault, System, laws, record};
use promela::compiled::Model;
use promela::reference::{FaultKind, Reference};
use promela::snapshot::{ProcessStep, Snapshot};
use promela::typed::Program;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How far to walk.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// How many walks from the initial state.
    pub walks: u32,
    /// How many steps each.
    pub steps: u32,
}

/// What one side says about one step: the step, the state after it, and what went wrong.
type Said = (ProcessStep, Option<Snapshot>, Option<Fault>, bool);

/// Compares the two on random walks.
///
/// # Errors
/// The first disagreement, in words.
pub fn agree(program: &Program, seed: u64, extent: Extent) -> Result<(), String> {
    let model = Model::new(program).map_err(|too_large| too_large.0)?;
    let reference = Reference::new(program);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut scratch = model.scratch();
    let mut twins = Twins::new(|| Model::new(program).expect("compiled above"), None);
    let footprints = model.footprints();
    let mut initial = Vec::new();
    model.initial(&mut initial);
    for _ in 0..extent.walks {
        let mut packed = initial.clone();
        let mut state = reference.initial();
        same("initial state", &model.snapshot(&packed), &state)?;
        let mut way = Vec::new();
        for _ in 0..extent.steps {
            twins.agree_on(&packed).map_err(|what| format!("after {way:?}\nin {state:?}\n{what}"))?;
            let ours = compiled_says(&model, &mut scratch, &packed);
            let theirs = reference_says(&reference, &state);
            compare(&ours, &theirs).map_err(|what| format!("after {way:?}\nin {state:?}\n{what}"))?;
            by_process(&reference, &state).map_err(|what| format!("after {way:?}\nin {state:?}\n{what}"))?;
            let goes_on: Vec<usize> = (0..theirs.len()).filter(|index| theirs[*index].1.is_some()).collect();
            let Some(chosen) = goes_on.choose(&mut random).copied() else {
                let valid = model.ending(&mut scratch, &packed) == Ending::Valid;
                if theirs.is_empty() && valid != reference.is_valid_end(&state) {
                    return Err(format!("after {way:?}: the compiled model says that a valid end is {valid}"));
                }
                break;
            };
            way.push(theirs[chosen].0);
            let record = record(&model, &mut scratch, &packed);
            laws::passage(&model, &mut scratch, &packed, &record).map_err(|what| format!("after {way:?}: {what}"))?;
            for (step, next, _) in &record.successors {
                model.stays_within(&footprints, &packed, *step, next)?;
            }
            let same_step = |(step, _, _): &&(_, Vec<u8>, bool)| model.step(*step) == theirs[chosen].0;
            packed = record.successors.iter().find(same_step).map(|(_, next, _)| next.clone()).unwrap_or_default();
            state = theirs[chosen].1.clone().unwrap_or(state);
        }
        // A different way next time, even from a state with few choices.
        random.random::<u64>();
    }
    Ok(())
}

/// What the reference says of one process is what it says of it among all.
fn by_process(reference: &Reference<'_>, state: &Snapshot) -> Result<(), String> {
    let all = reference.transitions(state);
    (0..=state.processes.len() as u32).try_for_each(|pid| {
        let mut own = all.clone();
        own.retain(|transition| transition.step.pid == pid);
        same(&format!("transitions of process {pid}"), &reference.transitions_of(state, pid), &own)
    })
}

fn compiled_says(model: &Model, scratch: &mut <Model as System>::Scratch, packed: &[u8]) -> Vec<Said> {
    let record = record(model, scratch, packed);
    let fault_of = |step| record.faults.iter().find(|(found, _)| *found == step).map(|(_, fault)| *fault);
    let mut said: Vec<Said> = record
        .successors
        .iter()
        .map(|(step, next, transient)| (model.step(*step), Some(model.snapshot(next)), fault_of(*step), *transient))
        .collect();
    let runtime = record.faults.iter().filter(|(_, fault)| *fault == Fault::Runtime);
    said.extend(runtime.map(|(step, fault)| (model.step(*step), None, Some(*fault), false)));
    said.sort_by_key(|(step, ..)| *step);
    said
}

fn reference_says(reference: &Reference<'_>, state: &Snapshot) -> Vec<Said> {
    let kind = |kind: FaultKind| match kind {
        FaultKind::Assertion => Fault::Assertion,
        FaultKind::Runtime => Fault::Runtime,
    };
    let transitions = reference.transitions(state).into_iter();
    let mut said: Vec<Said> = transitions
        .map(|transition| {
            (transition.step, transition.next, transition.fault.map(|fault| kind(fault.kind)), transition.transient)
        })
        .collect();
    said.sort_by_key(|(step, ..)| *step);
    said
}

fn compare(ours: &[Said], theirs: &[Said]) -> Result<(), String> {
    let steps = |said: &[Said]| said.iter().map(|(step, ..)| *step).collect::<Vec<_>>();
    same("steps", &steps(ours), &steps(theirs))?;
    for (ours, theirs) in ours.iter().zip(theirs) {
        same(&format!("transition of {:?}", ours.0), ours, theirs)?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}:\n  compiled  {ours:?}\n  reference {theirs:?}")) }
}
