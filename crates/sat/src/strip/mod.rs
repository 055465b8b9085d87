//! Counterexamples stripped to the values that cause them, for models of any size.
//!
//! What: the promise is that of `symbolic::strip`: which variables matter at which position, such that from every
//! reachable state that agrees with them the counterexample goes on, and shows the same. Here a SAT solver decides it
//! (`promise`).
//!
//! Contract: what is kept always keeps the promise. [`Stripped::irredundant`] is claimed only if every single value was tried, and a
//! reachable state refutes that it can go; [`Stripped::minimum`] only if all smaller sets are refuted. If limits left
//! something open, [`Stripped::undecided`] says so.
//!
//! How: the solver's cores drop most values at once, from the end of the trace to its beginning. Then variables are tried at all positions
//! and around the loop, as in `symbolic::strip::irredundant`, and at last one by one.
//!
//! Tested by `tests/stripped.rs` against all states, listed one by one, and `checker/tests/stripped.rs` against decision diagrams.

mod exact;
mod promise;

use std::collections::HashMap;

use flat::model::{NodeId, VariableId, VariableKind};
use kernel::budget::{Budget, Exhausted};

use crate::aig::Signal;
use crate::certificate::Defect;
use crate::circuit::Trace;
use crate::design::Design;
use crate::solver::Solver;
use promise::{Answer, Group, Kept, Promise};

/// What to strip, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// For each position the expressions demanded there, with their truth. What one says about the next state is demanded
    /// of that state.
    pub demands: &'a [Vec<(NodeId, bool)>],
    /// The variables, those first that should go first.
    pub order: &'a [VariableId],
    /// How many of the first the property cannot depend on.
    pub outside: usize,
    /// Whether values are dropped until none can go.
    pub irredundant: bool,
    /// Whether as few values as possible are to be kept.
    pub minimum: bool,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stripped {
    /// The variables that matter at each position: of the state, and inputs of the step that leaves it.
    pub kept: Vec<Vec<VariableId>>,
    /// Those that were there before: all of the state, and the inputs that demands mention.
    pub before: Vec<Vec<VariableId>>,
    /// Whether no single value can be dropped.
    pub irredundant: bool,
    /// Whether no choice of fewer values exists.
    pub minimum: bool,
    /// Whether limits left open if some value could be dropped.
    pub undecided: bool,
    /// What a claimed invariant lacked, if the second solver refused one: a bug of this crate.
    pub defect: Option<Defect>,
}

/// Strips a trace that meets the demands.
///
/// # Errors
/// The limit that was exhausted before the work began.
pub fn strip(
    design: &mut Design<'_>,
    trace: &Trace,
    wanted: Wanted<'_>,
    budget: &Budget,
) -> Result<Stripped, Exhausted> {
    let groups = groups(design, wanted.order);
    let demands = demands(design, trace, wanted.demands, budget)?;
    let mut promise = Promise::<Solver>::new(design, trace, groups, demands, budget);
    let whole: Vec<Kept> = (0..trace.states.len()).map(|position| promise.whole(position)).collect();
    let mut work = Stripping { kept: whole.clone(), undecided: false };
    let mut result = Stripped::default();
    let outside = &wanted.order[..wanted.outside.min(wanted.order.len())];
    let outside: Vec<usize> =
        (0..promise.groups.len()).filter(|group| outside.contains(&promise.groups[*group].id)).collect();
    let finished = work.run(&mut promise, &outside, wanted.irredundant);
    result.irredundant = wanted.irredundant && finished.is_ok() && !work.undecided;
    if wanted.minimum && finished.is_ok() {
        match exact::strip(&mut promise, &work.kept) {
            Ok(Some(fewest)) => {
                work.kept = fewest;
                (result.irredundant, result.minimum) = (true, true);
            }
            Ok(None) | Err(_) => work.undecided = true,
        }
    }
    result.undecided = (work.undecided || finished.is_err()) && !result.minimum;
    result.defect = promise.defect;
    let names = |kept: &Kept| -> Vec<VariableId> {
        promise.groups.iter().zip(kept).filter(|(_, is_kept)| **is_kept).map(|(group, _)| group.id).collect()
    };
    result.kept = work.kept.iter().map(names).collect();
    result.before = whole.iter().map(names).collect();
    Ok(result)
}

/// The variables that have bits, in this order.
fn groups(design: &Design<'_>, order: &[VariableId]) -> Vec<Group> {
    let circuit = &design.circuit;
    let input: HashMap<usize, usize> = circuit.inputs.iter().enumerate().map(|(at, bit)| (bit.node(), at)).collect();
    let group = |id: &VariableId| {
        let bits = design.bits(*id).iter();
        let is_input = design.model().variable(*id).kind == VariableKind::Input;
        let (latches, inputs) = match is_input {
            true => (Vec::new(), bits.map(|bit| input[&bit.node()]).collect()),
            false => (bits.filter_map(|bit| circuit.latch(bit.node())).collect(), Vec::new()),
        };
        Group { id: *id, latches, inputs }
    };
    order.iter().map(group).filter(|group| !group.latches.is_empty() || !group.inputs.is_empty()).collect()
}

/// The demands of each position on its state and its inputs.
fn demands(
    design: &mut Design<'_>,
    trace: &Trace,
    demanded: &[Vec<(NodeId, bool)>],
    budget: &Budget,
) -> Result<Vec<Signal>, Exhausted> {
    let mut demands = vec![Signal::TRUE; trace.states.len()];
    for (position, list) in demanded.iter().enumerate() {
        let next = if position + 1 < trace.states.len() { Some(position + 1) } else { trace.loop_start };
        for (node, truth) in list {
            let state = next.map(|next| &trace.states[next]);
            let (here, later) = design.truth_before(*node, state, budget)?;
            let aig = &mut design.circuit.aig;
            demands[position] = aig.and(demands[position], here.negated_if(!truth));
            if let Some(next) = next {
                demands[next] = aig.and(demands[next], later);
            }
        }
    }
    Ok(demands)
}

/// What is kept so far.
struct Stripping {
    kept: Vec<Kept>,
    undecided: bool,
}

impl Stripping {
    fn run(&mut self, promise: &mut Promise<'_, '_, Solver>, outside: &[usize], wholly: bool) -> Result<(), Exhausted> {
        self.try_without(promise, outside, 0)?;
        while self.sweep(promise)? {}
        if !wholly {
            return Ok(());
        }
        let loop_start = promise.trace().loop_start.unwrap_or(self.kept.len());
        for group in 0..promise.groups.len() {
            for from in [0, loop_start] {
                if self.kept.iter().skip(from).filter(|kept| kept[group]).count() > 1 {
                    self.try_without(promise, &[group], from)?;
                }
            }
        }
        self.undecided = false;
        while self.drop_one_by_one(promise)? {}
        Ok(())
    }

    /// Drops some variables from a position on if the promise holds without them.
    fn try_without(
        &mut self,
        promise: &mut Promise<'_, '_, Solver>,
        groups: &[usize],
        from: usize,
    ) -> Result<(), Exhausted> {
        let mut fewer = self.kept.clone();
        for kept in &mut fewer[from..] {
            groups.iter().for_each(|group| kept[*group] = false);
        }
        if fewer == self.kept {
            return Ok(());
        }
        for position in (0..fewer.len()).rev() {
            if !matches!(promise.holds_at(&fewer, position)?, Answer::Keeps(_)) {
                return Ok(());
            }
        }
        self.kept = fewer;
        Ok(())
    }

    /// Keeps at each position what the solver needed, from the end to the beginning. A larger cube only helps the position
    /// before it, so that no other position breaks the promise. Tells whether something was dropped.
    fn sweep(&mut self, promise: &mut Promise<'_, '_, Solver>) -> Result<bool, Exhausted> {
        let mut changed = false;
        for position in (0..self.kept.len()).rev() {
            if let Answer::Keeps(needed) = promise.holds_at(&self.kept, position)? {
                changed |= self.reduce(promise, position, &needed)?;
            }
        }
        Ok(changed)
    }

    /// Keeps only some of the variables at a position, if its part of the promise holds then: inputs that are no longer kept allow
    /// more inputs, which the core has not seen.
    fn reduce(
        &mut self,
        promise: &mut Promise<'_, '_, Solver>,
        position: usize,
        needed: &[usize],
    ) -> Result<bool, Exhausted> {
        let mut fewer = vec![false; self.kept[position].len()];
        needed.iter().for_each(|group| fewer[*group] = true);
        if fewer == self.kept[position] {
            return Ok(false);
        }
        let before = std::mem::replace(&mut self.kept[position], fewer);
        if matches!(promise.holds_at(&self.kept, position), Ok(Answer::Keeps(_))) {
            return Ok(true);
        }
        self.kept[position] = before;
        Ok(false)
    }

    /// Tries each value; tells whether one was dropped. What is open now may be decided after another one was.
    fn drop_one_by_one(&mut self, promise: &mut Promise<'_, '_, Solver>) -> Result<bool, Exhausted> {
        let mut changed = false;
        self.undecided = false;
        for position in (0..self.kept.len()).rev() {
            for group in 0..promise.groups.len() {
                if !self.kept[position][group] {
                    continue;
                }
                self.kept[position][group] = false;
                match promise.holds_at(&self.kept, position) {
                    Ok(Answer::Keeps(_)) => changed = true,
                    other => {
                        self.kept[position][group] = true;
                        self.undecided |= matches!(other?, Answer::Open);
                    }
                }
            }
        }
        Ok(changed)
    }
}
