//! Shortest lassos of models that are too large to list, by SAT.
//!
//! What: bounded checking ([`sat::bounded::lasso`]) refutes one length after the other, up to the known one or a lasso that
//! it finds. Formulas about sets of states and finite paths are left to the listing.
//!
//! Contract: as [`search`](super::search). The work is counted in decisions of the solver, not timed, so the result does
//! not depend on the speed of the machine. Tested by `tests/engines.rs`.

use crate::thresholds::smv::{UNROLLED_GATES, UNROLLED_WORK};
use flat::model::NodeId;
use kernel::budget::Exhausted;
use sat::bounded::{Extended, lasso};
use sat::design::{Design, Failure};
use sat::solver::Solver;
use symbolic::witness::explicit::{Atom, Line, Shortest, Wanted};

/// A lasso with fewer steps than the bound, or than a line that was found before; or that there is none.
///
/// # Errors
/// The exhausted limit of the budget.
pub(super) fn search(wanted: &Wanted<'_>, known: Shortest) -> Result<Shortest, Exhausted> {
    let length = |line: &Line| line.positions.len();
    let Some(bound) = known.line.as_ref().map(length).or(wanted.bound) else { return Ok(known) };
    let Some(nodes) = nodes(wanted).filter(|_| wanted.ends.is_none()) else { return Ok(known) };
    let found = below(wanted, &nodes, bound);
    wanted.budget.check_now(0)?;
    Ok(match found {
        Ok(Some(line)) => Shortest { line: Some(line), is_proved: true },
        Ok(None) => Shortest { is_proved: true, ..known },
        Err(_) => known,
    })
}

/// The expressions that the atoms are; none if one of them is something else.
fn nodes(wanted: &Wanted<'_>) -> Option<Vec<NodeId>> {
    let node = |atom: &Atom<'_>| match atom {
        Atom::Node(node) => Some(*node),
        Atom::States(_) | Atom::End => None,
    };
    wanted.atoms.iter().map(node).collect()
}

/// A shortest lasso with fewer steps than the bound; none if there is none.
fn below(wanted: &Wanted<'_>, nodes: &[NodeId], bound: usize) -> Result<Option<Line>, Exhausted> {
    let stopped = |failure: Failure| match failure {
        Failure::Stopped(limit) => limit,
        // The other engine accepted the model; what is too large for a circuit is not proved.
        Failure::Wrong(_) => Exhausted::Memory,
    };
    let mut design =
        Design::new(wanted.model, true, &wanted.budget.stage().within_checks(UNROLLED_WORK)).map_err(stopped)?;
    let gates = design.circuit.aig.len() as u64 * bound as u64;
    if gates > UNROLLED_GATES {
        return Err(Exhausted::Memory);
    }
    let limited = wanted.budget.stage().within_checks(UNROLLED_WORK / gates.max(1));
    let lassos = design.lassos_of(&wanted.formulas, wanted.formula, nodes, &limited)?;
    let mut search = lasso::Search::<Solver>::new(&design.circuit, lassos, &limited);
    while search.length() < bound {
        match search.extend(&limited)? {
            Extended::Refuted => {}
            Extended::Complete => return Ok(None),
            Extended::Found(trace) => {
                return Ok(Some(Line { positions: design.positions(&trace), loop_start: trace.loop_start }));
            }
        }
    }
    Ok(None)
}
