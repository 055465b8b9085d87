//! A product, searched by Lariat.

use std::time::Duration;

use checker::promela::binding;
use kernel::budget::Budget;
use omega::analyse::strength::strength_of;
use omega::automaton::Automaton;
use promela::compiled::Model;
use promela::reduce::{Plan, Reduced};
use promela::typed::Expr;
use search::emptiness::End;
use search::product::EdgeOrder;
use search::store::Store;
use search::temporal::{self, Effort};

use super::Outcome;

/// The most bytes of a search.
const MEMORY: u64 = 1_500_000_000;

/// Searches the product of a model and an automaton, as `lariat check --first --refine off` does.
///
/// # Panics
/// If the automaton has atoms that are not in the list.
#[must_use]
pub fn search(
    model: &Model,
    atoms: &[(String, Expr)],
    automaton: &Automaton,
    reduces: bool,
    patience: Duration,
) -> Outcome {
    let full = || Reduced::full(model);
    let reduced = if reduces {
        let visible = model.atoms(atoms.iter().map(|(_, expr)| expr));
        let plan = Plan { partial_order: true, chain: true, symmetry: false, atoms: Some(&visible), mutant: None };
        Reduced::new(model, plan, &Budget::unlimited()).unwrap_or_else(|_| full())
    } else {
        full()
    };
    let product = binding::product(reduced, automaton, atoms, EdgeOrder::Automatic, true).expect("atoms of the task");
    let mut budget = Budget::unlimited().within(patience);
    budget.memory = Some(MEMORY);
    let options = temporal::TemporalOptions {
        budget: &budget,
        emptiness: None,
        shortening: None,
        effort: Effort::First,
        max_length: None,
        store: Store::Exact,
        prefixes: true,
        threads: None,
        checkpoints: None,
        orders: None,
        strength: strength_of(automaton),
        progress: &mut |_| {},
    };
    let outcome = temporal::check(&product, &product, |step| step.model, options);
    let transitions = outcome.statistics.transitions;
    match outcome.end() {
        End::Found => Outcome::Solved { transitions, violated: true },
        End::Complete => Outcome::Solved { transitions, violated: false },
        End::Limit(_) => Outcome::Failed,
    }
}
