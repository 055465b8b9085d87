//! `--check-facts`: the facts that refinement uses, against the reachable states.

use super::Context;
use crate::bug;
use crate::exit::Failure;
use crate::refinement::FactCheck;
use crate::temporal::{Content, Temporal};
use promela::mine::confirm::Space;
use promela::mine::facts;

/// How many states are visited at most; they are all kept.
const MOST_STATES: usize = 2_000_000;

/// Confirms the facts about the atoms of all properties; one that is wrong is a bug of ours.
pub(super) fn check(context: &Context<'_>, properties: &[Temporal]) -> Result<FactCheck, Failure> {
    let space = Space::explore(context.model, MOST_STATES);
    let mut confirmed = 0;
    for property in properties {
        let atoms = match &property.content {
            Content::Formula(claim) => &claim.atoms,
            Content::Automaton(_, atoms) => atoms,
            Content::Events(_) | Content::Unsupported(_) => continue,
        };
        let facts = facts(context.model, atoms);
        if let Some((fact, _)) = space.refuted(context.model, atoms, &facts) {
            return Err(bug::wrong_fact(context.input, &property.name, &fact.reason));
        }
        confirmed += facts.all.len();
    }
    Ok(FactCheck { confirmed, states: space.states(), is_complete: space.is_complete() })
}
