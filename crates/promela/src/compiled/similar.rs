//! The law of trimmed models, as a test for any program: a model without the data that can be left out has the steps of
//! the model.
//!
//! Both are walked in step, through all pairs of states that the same steps lead to, up to a limit. In each pair the steps,
//! what goes wrong, what is transient, whether an end is valid and the truth of the atoms must agree; the states must
//! resemble each other; and a state of the model must meet one and the same trimmed state on all ways to it.

use super::{Model, ModelStep};
use crate::dataflow::{Trim, Wanted};
use crate::typed::{Expr, ProcId, Program};
use kernel::budget::Budget;
use kernel::system::{Ending, Fault, Record, System, laws, record};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What a walk saw.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The states of the model.
    pub states: usize,
    /// The states of the trimmed model.
    pub trimmed: usize,
    /// Whether the walk saw all states.
    pub is_complete: bool,
    /// The bytes of the largest state, without and with trimming.
    pub bytes: (usize, usize),
    /// The variables that are removed.
    pub removed: Vec<String>,
    /// The variables that get a canonical value somewhere.
    pub canonical: Vec<String>,
    /// The sends of a field that nobody looks at.
    pub silent: usize,
}

/// Compares a model with itself trimmed, in at most `limit` states.
///
/// # Errors
/// The first disagreement, in words.
///
/// # Panics
/// Never: there are no limits.
pub fn similar(
    program: &Program,
    atoms: &[Expr],
    trace: Option<ProcId>,
    (dead, slice): (bool, bool),
    limit: usize,
) -> Result<Walk, String> {
    let budget = Budget::unlimited();
    let full = match trace {
        None => Model::new(program),
        Some(trace) => Model::with_trace(program, trace),
    };
    let full = full.map_err(|too_large| too_large.0)?;
    let atoms: Vec<&Expr> = atoms.iter().collect();
    let trim = Trim::new(program, Wanted { dead, slice, loops: !atoms.is_empty(), atoms: &atoms, trace }, &budget)
        .expect("no limit");
    let (removed, canonical, silent) = (trim.removed(program), trim.canonical(program), trim.silent());
    let small = Model::trimmed(program, trace, trim, &budget).expect("as large as the model");
    let walk = Walk { removed, canonical, silent, ..Walk::default() };
    Pair { full: &full, small: &small, atoms: &atoms }.walk(walk, limit)
}

struct Pair<'a> {
    full: &'a Model,
    small: &'a Model,
    atoms: &'a [&'a Expr],
}

/// What a model says about a state, apart from the states after it.
type Said = (Vec<(ModelStep, bool)>, Vec<(ModelStep, Fault)>, Option<Ending>, Vec<Option<bool>>);

impl Pair<'_> {
    fn walk(&self, mut walk: Walk, limit: usize) -> Result<Walk, String> {
        let (mut full, mut small) = (Vec::new(), Vec::new());
        self.full.initial(&mut full);
        self.small.initial(&mut small);
        let mut partners = HashMap::from([(full.clone(), small.clone())]);
        let mut trimmed = BTreeSet::from([small.clone()]);
        let mut queue = VecDeque::from([(full, small)]);
        let (mut full_scratch, mut small_scratch) = (self.full.scratch(), self.small.scratch());
        walk.is_complete = true;
        while let Some((full, small)) = queue.pop_front() {
            walk.bytes = (walk.bytes.0.max(full.len()), walk.bytes.1.max(small.len()));
            let here = || format!("in {:?}\nwith {:?}", self.full.snapshot(&full), self.small.snapshot(&small));
            if !self.small.resembles(&small, &self.full.snapshot(&full)) {
                return Err(format!("the states differ {}", here()));
            }
            let theirs = record(self.full, &mut full_scratch, &full);
            let ours = record(self.small, &mut small_scratch, &small);
            laws::passage(self.small, &mut small_scratch, &small, &ours)
                .map_err(|what| format!("{what} {}", here()))?;
            let say = |model: &Model, scratch: &mut _, state: &[u8], record: &Record<ModelStep>| -> Said {
                let steps =
                    record.successors.iter().map(|(step, _, transient)| (*step, *transient)).collect::<Vec<_>>();
                let ending = steps.is_empty().then(|| model.ending(scratch, state));
                let atoms = model.atoms(self.atoms.iter().copied());
                let truth = model.truth(scratch, &atoms, state).collect();
                (steps, record.faults.clone(), ending, truth)
            };
            let theirs_said = say(self.full, &mut full_scratch, &full, &theirs);
            let ours_said = say(self.small, &mut small_scratch, &small, &ours);
            if theirs_said != ours_said {
                return Err(format!("{ours_said:?} instead of {theirs_said:?} {}", here()));
            }
            for ((step, next, _), (_, mine, _)) in theirs.successors.into_iter().zip(ours.successors) {
                match partners.get(&next) {
                    Some(known) if *known == mine => {}
                    Some(known) => {
                        let (one, two) = (self.small.snapshot(known), self.small.snapshot(&mine));
                        return Err(format!("{step:?} leads to {two:?} and not to {one:?} {}", here()));
                    }
                    None if partners.len() >= limit => walk.is_complete = false,
                    None => {
                        partners.insert(next.clone(), mine.clone());
                        trimmed.insert(mine.clone());
                        queue.push_back((next, mine));
                    }
                }
            }
        }
        (walk.states, walk.trimmed) = (partners.len(), trimmed.len());
        Ok(walk)
    }
}
