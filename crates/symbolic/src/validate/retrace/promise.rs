//! Whether the values that a recorded trace marks as relevant suffice, by decision diagrams: the contract of
//! [`strip`](crate::strip), for machines of any size.
//!
//! Contract: [`relevance`] reads the cubes off a trace that [`retrace`](super::retrace) accepts. It accepts them only if
//! every path of the trace satisfies the contract for a claim that it shows. For branching time, evidence is fitted to the
//! path (`fit`). For linear time, the atoms
//! that have one truth value in a whole cube must decide the formula. The result says where a limit ended the search, or
//! where the trace belongs to a cone of influence.
//! Tested by `tests/retraced.rs`, and on the traces of random models.

use crate::thresholds::validate::LONGEST_PROMISE;
use std::collections::BTreeMap;

use bdd::{Bdd, Cube, Variable};
use kernel::budget::{Budget, Exhausted};

use super::cubes::Cubes;
use super::whole::leaves_out;
use super::{Claimed, Tree, Wrong, read};
use crate::check;
use crate::fixpoint::Fixpoints;
use crate::image::machine::{Failure, Machine};
use crate::image::{force, reach};
use crate::report::Trace;
use crate::strip::{Frame, PositionValues, linear};
use crate::witness::claim::{Claim, ClaimKind, Claims};
use crate::witness::{Path, fit};
use flat::model::{Linear, Model, NodeId, Property, Question};
use flat::order;

/// The result of checking the values that a trace marks as relevant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// The trace marks none.
    Unstripped,
    /// They suffice.
    Verified,
    /// Not decided, for this reason.
    Open(String),
}

/// Checks the values that an accepted trace marks as relevant.
///
/// # Errors
/// Where they do not suffice.
pub fn relevance(model: &Model, claimed: Claimed<'_>, trace: &Trace, budget: &Budget) -> Result<Relevance, Wrong> {
    if !is_stripped(trace) {
        return Ok(Relevance::Unstripped);
    }
    if trace.states.len() > LONGEST_PROMISE {
        return Ok(Relevance::Open("the trace is too long".to_owned()));
    }
    if leaves_out(model, trace) > 0 {
        return Ok(Relevance::Open("the trace omits variables".to_owned()));
    }
    let tree = read(model, None, trace)?;
    let stopped = || Ok(Relevance::Open("a limit was reached".to_owned()));
    let manager = check::manager(budget);
    let bits = order::bits(model, &force::arranged(model, &order::declared(model), budget));
    let mut machine = match Machine::within(model, manager, &bits, budget) {
        Ok(machine) => machine,
        Err(Failure::Stopped(_)) => return stopped(),
        Err(Failure::Wrong(_)) => return Ok(Relevance::Open("the model has an error".to_owned())),
    };
    match kept(model, &mut machine, claimed, trace, &tree) {
        Ok(true) => Ok(Relevance::Verified),
        Ok(false) => {
            let reason = "the values that the trace marks as relevant do not suffice: with other irrelevant values, \
                some step no longer shows the violation";
            Err(Wrong { step: tree.states.len(), reason: reason.to_owned() })
        }
        Err(_) => stopped(),
    }
}

fn is_stripped(trace: &Trace) -> bool {
    trace.states.iter().any(|state| state.relevant.is_some())
        || trace.branches.iter().any(|branch| is_stripped(&branch.trace))
}

/// Whether the cubes of a trace suffice to violate the property.
fn kept(
    model: &Model,
    machine: &mut Machine<'_>,
    claimed: Claimed<'_>,
    trace: &Trace,
    tree: &Tree,
) -> Result<bool, Exhausted> {
    let system = machine.system().clone();
    let encoding = machine.encoding().clone();
    let cubes = Cubes { model, encoding: &encoding };
    let (path, places) = (cubes.path(tree), cubes.places(trace, tree));
    if let Claimed::False(Property { question: Question::Invariant(node), .. }) = claimed {
        // What is kept from all states is kept from the reachable ones, which may be too many to be found.
        let anywhere = Fixpoints::without_fairness(&system, system.states().clone());
        if forbids(*node, machine, &anywhere, path.clone(), &places)? {
            return Ok(true);
        }
    }
    let fixpoints = Fixpoints::new(&system, reach::reachable(&system, system.initial())?)?;
    let question = match claimed {
        Claimed::Deadlock => {
            let stuck = fixpoints.universe().try_and(&!fixpoints.alive())?;
            let mut frame = Frame::new(&fixpoints, path);
            frame.demand(places.len() - 1, &stuck)?;
            return Ok(frame.check(&places)?.is_ok());
        }
        Claimed::False(property) => &property.question,
    };
    match question {
        Question::Invariant(node) => forbids(*node, machine, &fixpoints, path, &places),
        Question::Ltl(formula) => linear_time(formula, machine, &fixpoints, path, &places),
        Question::Ctl(formula) => {
            let claim = Claims::new(&fixpoints, &mut |atom| machine.truth(atom)).claim(formula, false)?;
            if !fits(&fixpoints, &claim, &path, &places)? {
                return Ok(false);
            }
            branches(&cubes, &fixpoints, &claim, trace, tree)
        }
        Question::Shortest(..) | Question::Longest(..) => Ok(false),
    }
}

/// Whether a path ends in a state or step that breaks an invariant, with these cubes.
fn forbids(
    invariant: NodeId,
    machine: &mut Machine<'_>,
    fixpoints: &Fixpoints<'_>,
    path: Path,
    places: &[PositionValues],
) -> Result<bool, Exhausted> {
    let truth = machine.truth(invariant)?;
    let mentions = machine.model().facts(invariant).mentions;
    let mut frame = Frame::new(fixpoints, path);
    if mentions.next || mentions.input {
        frame.demand_of_step(places.len() - 2, &!truth)?;
    } else {
        frame.demand(places.len() - 1, &!truth)?;
    }
    Ok(frame.check(places)?.is_ok())
}

/// Whether each branch shows some part of a claim, with its cubes.
fn branches(
    cubes: &Cubes<'_>,
    fixpoints: &Fixpoints<'_>,
    claim: &Claim,
    trace: &Trace,
    tree: &Tree,
) -> Result<bool, Exhausted> {
    for (branch, (_, tree)) in trace.branches.iter().zip(&tree.branches) {
        let (path, places) = (cubes.path(tree), cubes.places(&branch.trace, tree));
        let mut shown = None;
        for part in parts(claim) {
            let begins = part.set.evaluate(|bit| path.states[0].value(bit) == Some(true));
            if begins
                && fits(fixpoints, part, &path, &places)?
                && branches(cubes, fixpoints, part, &branch.trace, tree)?
            {
                shown = Some(part);
                break;
            }
        }
        if shown.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// All parts of a claim that are about paths, and it.
fn parts(claim: &Claim) -> Vec<&Claim> {
    let mut found = Vec::new();
    let mut pending = vec![claim];
    while let Some(claim) = pending.pop() {
        if claim.is_plain() {
            continue;
        }
        found.push(claim);
        match &claim.kind {
            ClaimKind::Atom(..) | ClaimKind::AllPaths => {}
            ClaimKind::And(parts) | ClaimKind::Or(parts) => pending.extend(parts),
            ClaimKind::Next(a) | ClaimKind::Always(a) | ClaimKind::BoundedAlways(_, _, a) => pending.push(a),
            ClaimKind::Until(a, b) | ClaimKind::BoundedUntil(_, _, a, b) | ClaimKind::BoundedRelease(_, _, a, b) => {
                pending.extend([a.as_ref(), b.as_ref()]);
            }
        }
    }
    found
}

/// Whether some evidence along a path shows a claim, with these cubes.
fn fits(fixpoints: &Fixpoints<'_>, claim: &Claim, path: &Path, places: &[PositionValues]) -> Result<bool, Exhausted> {
    for frame in fit::frames(fixpoints, claim, path)? {
        if frame.check(places)?.is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the atoms that have one truth in a whole cube decide a formula, on fair loops through cubes that lead on.
fn linear_time(
    formula: &Linear,
    machine: &mut Machine<'_>,
    fixpoints: &Fixpoints<'_>,
    path: Path,
    places: &[PositionValues],
) -> Result<bool, Exhausted> {
    let Some(loop_start) = path.loop_start else { return Ok(false) };
    let system = fixpoints.system();
    let manager = system.manager();
    let mut known: linear::Demands = vec![Vec::new(); places.len()];
    let mut atoms = formula.atoms();
    atoms.sort();
    atoms.dedup();
    let pairs: BTreeMap<Variable, Variable> = system.parts().pairs.iter().copied().collect();
    let later = |cube: &Cube| {
        Cube::new(cube.literals().iter().filter_map(|(bit, value)| Some((*pairs.get(bit)?, *value))))
            .expect("each bit once")
    };
    let reachable_later = fixpoints.universe().try_rename(&system.parts().pairs)?;
    let mut here = Vec::new();
    for (position, PositionValues { state, input }) in places.iter().enumerate() {
        let after = if position + 1 < places.len() { position + 1 } else { loop_start };
        let states = manager.try_cube(state)?.try_and(fixpoints.universe())?.try_and(&manager.try_cube(input)?)?;
        let states = states.try_and(&system.parts().valid_inputs)?;
        here.push(states.clone());
        let next = manager.try_cube(&later(&places[after].state))?.try_and(&reachable_later)?;
        let steps = states.try_and(&next)?;
        for atom in &atoms {
            let truth = machine.truth(*atom)?;
            let is_step = machine.model().facts(*atom).mentions;
            let set = if is_step.next || is_step.input { &steps } else { &states };
            if set.try_implies(&truth)? {
                known[position].push((*atom, true));
            } else if set.try_implies(&!truth)? {
                known[position].push((*atom, false));
            }
        }
    }
    let frame = Frame::new(fixpoints, path);
    Ok(linear::decides(formula, loop_start, &known)
        && is_fair(fixpoints, &here[loop_start..])?
        && frame.check(places)?.is_ok())
}

/// Whether every loop through these sets of states and inputs is fair.
fn is_fair(fixpoints: &Fixpoints<'_>, sets: &[Bdd]) -> Result<bool, Exhausted> {
    let always = |constraint: &Bdd| -> Result<bool, Exhausted> {
        for set in sets {
            if set.try_implies(constraint)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    for justice in fixpoints.system().justice() {
        if !always(justice)? {
            return Ok(false);
        }
    }
    for (often, then_often) in fixpoints.system().compassion() {
        let mut never = true;
        for set in sets {
            never &= set.try_and(often)?.is_false();
        }
        if !never && !always(then_often)? {
            return Ok(false);
        }
    }
    Ok(true)
}
