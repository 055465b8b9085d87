//! Conjunctions with many `GF b`, for Boolean `b`: one automaton for all of them, in product with one for the rest.
//!
//! What: [`split`] takes the members `GF b1, …, GF bn` out of a conjunction that has more than [`FEW`] of them. [`choosing`]
//! and [`counting`] are automata for those members, to be multiplied with one for the rest:
//!
//! - `choosing` has one state, an acceptance set for each member and n + 1 edges: a run says at each position which one of
//!   the members that are due it counts, or none. Nothing is lost: a member that always waits for the others is counted at the latest
//!   when each of them has been counted once since;
//! - `counting` has n states and one acceptance set, and is deterministic: a state waits for one member, and reading `bi`
//!   it waits for the next one that is not true as well.
//!
//! Why: a tableau has an edge for each set of members that are true together, 2^n in all. This is what the deterministic
//! automaton with one state needs, whoever builds it.
//!
//! Contract: the languages are those of the conjunction of all `GF b`. Linear and quadratic in n, apart from the labels.
//!
//! Source: ours; that such members can be translated apart from the rest is the point of [babiak.13.spin].
//! Tested by: the tableau on conjunctions that are not too large (`tests/pipeline.rs`).

use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::budget::Budget;

use crate::automaton::label::label_of;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::constraint::is_boolean;
use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::propositions::Propositions;

/// Conjunctions with at most this many members `GF b` are left to the tableau, which gives automata as small.
pub const FEW: usize = 8;

/// A conjunction without its members `GF b`, and the `b`; none if there are not more than [`FEW`].
pub fn split(formulas: &mut Formulas, formula: Formula) -> Option<(Formula, Vec<Formula>)> {
    let Node::And(members) = formulas.node(formula).clone() else { return None };
    let recurrent = |member: &Formula| {
        let Node::Always(inner) = *formulas.node(*member) else { return None };
        let Node::Eventually(b) = *formulas.node(inner) else { return None };
        is_boolean(formulas, b).then_some(b)
    };
    let found: Vec<Formula> = members.iter().filter_map(recurrent).collect();
    if found.len() <= FEW {
        return None;
    }
    let rest: Vec<Formula> = members.iter().copied().filter(|member| recurrent(member).is_none()).collect();
    Some((formulas.and(rest), found))
}

/// One state, an acceptance set for each member.
///
/// # Errors
/// Where there are too many members or atoms, or the budget is exhausted.
pub fn choosing(formulas: &Formulas, members: &[Formula], budget: &Budget) -> Result<Automaton, Incomplete> {
    if members.len() > MAX_SETS as usize {
        return Err(TooLarge::Sets.into());
    }
    let manager = Manager::new();
    manager.within(budget, || chosen(&manager, formulas, members, budget))
}

fn chosen(
    manager: &Manager,
    formulas: &Formulas,
    members: &[Formula],
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    let (mut automaton, labels) = labelled(manager, formulas, members, members.len() as u32, budget)?;
    let state = automaton.add_state();
    automaton.add_edge(state, state, &automaton.manager().yes(), Marks::NONE);
    for (set, label) in (0..).zip(&labels) {
        automaton.add_edge(state, state, label, Marks::one(set));
    }
    Ok(automaton)
}

/// A state for each member, one acceptance set, deterministic.
///
/// # Errors
/// Where there are too many atoms, or the budget is exhausted.
pub fn counting(formulas: &Formulas, members: &[Formula], budget: &Budget) -> Result<Automaton, Incomplete> {
    let manager = Manager::new();
    manager.within(budget, || counted(&manager, formulas, members, budget))
}

fn counted(
    manager: &Manager,
    formulas: &Formulas,
    members: &[Formula],
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    let (mut automaton, labels) = labelled(manager, formulas, members, 1, budget)?;
    automaton.add_states(members.len());
    for from in 0..members.len() {
        // The members that were waited for and are true.
        let mut met = automaton.manager().yes();
        for (to, label) in labels.iter().enumerate().skip(from) {
            budget.check()?;
            automaton.add_edge(from as State, to as State, &met.minus(label), Marks::NONE);
            met = &met & label;
        }
        automaton.add_edge(from as State, 0, &met, Marks::one(0));
    }
    Ok(automaton)
}

/// An automaton without states over the atoms of the members, and their labels.
fn labelled(
    manager: &Manager,
    formulas: &Formulas,
    members: &[Formula],
    sets: u32,
    budget: &Budget,
) -> Result<(Automaton, Vec<Bdd>), Incomplete> {
    let mut atoms: Vec<AtomId> = members.iter().flat_map(|&member| formulas.atoms(member)).collect();
    atoms.sort_unstable();
    atoms.dedup();
    if atoms.len() > MAX_VARIABLES as usize {
        return Err(TooLarge::Variables.into());
    }
    let automaton = Automaton::in_manager(manager, Propositions::of(formulas, atoms.iter().copied()), sets);
    let variable = |atom: AtomId| Variable(atoms.binary_search(&atom).expect("an atom of a member") as u32);
    let mut labels = Vec::new();
    for &member in members {
        let Ok(label) = label_of(manager, formulas, member, variable) else {
            budget.check_now(0)?;
            unreachable!("a Boolean formula has a label if the budget suffices");
        };
        labels.push(label);
    }
    Ok((automaton, labels))
}
