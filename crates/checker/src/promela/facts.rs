//! `--check-facts`: the facts that refinement uses, against the reachable states.

use super::Context;
use crate::error::Error;
use crate::promela::property::{Content, Temporal};
use crate::promela::refinement::FactCheck;
use crate::thresholds::temporal::STATES_FOR_FACTS;
use promela::mine::confirm::{Cut, Space};
use promela::mine::facts_within;

/// Confirms the facts about the atoms of all properties; one that is wrong is a bug of ours.
pub(super) fn check(context: &Context<'_>, properties: &[Temporal]) -> Result<FactCheck, Error> {
    let mut claims = Vec::new();
    for property in properties {
        let atoms = match &property.content {
            Content::Formula(claim) => &claim.atoms,
            Content::Automaton(_, atoms) => atoms,
            Content::Events(_) | Content::Unsupported(_) => continue,
        };
        claims.push((&property.name, atoms, facts_within(context.model, atoms, context.budget)?));
    }
    claims.retain(|(_, _, facts)| !facts.all.is_empty());
    if claims.is_empty() {
        return Ok(FactCheck { confirmed: 0, states: 0, cut: None });
    }
    let space = Space::explore(context.model, STATES_FOR_FACTS, context.budget);
    let (mut confirmed, mut cut) = (0, space.cut());
    for (name, atoms, facts) in &claims {
        match space.refuted(context.model, atoms, facts, context.budget) {
            Ok(None) => confirmed += facts.all.len(),
            Ok(Some((fact, _))) => {
                return Err(Error::WrongFact { property: (*name).clone(), fact: fact.reason.clone() });
            }
            Err(exhausted) => {
                cut = Some(Cut::Budget(exhausted));
                break;
            }
        }
    }
    Ok(FactCheck { confirmed, states: space.states(), cut })
}
