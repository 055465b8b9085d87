//! Shorten for the formula: a violation that is shortest for one automaton need not be shortest for the formula.
//!
//! *Contract.* A run that was found is replaced by a shorter one that is confirmed, if there is one: a lasso of the model that
//! violates the formula, whatever the automaton of the property makes of it, or a bad prefix that only the automaton before
//! refinement recognises. [`Searched::is_shortest_of_formula`] is set only if complete searches exclude all shorter ones. All this
//! happens within the patience for the property; what is cut leaves the run as it was.
//!
//! *Source.* The last question of [gastin.04.spin]: the shortest counterexample to a formula instead of one automaton. The automaton
//! is the tight one ([`omega::translate::tight`]), the search [`search::shorten::generalised`] with a bound one below the length that
//! is known, so that its price is that of a proof.
//!
//! *Tested by* brute force on random programs and formulas, `crates/testbench/tests/lengths.rs`, and a thousand cases by the
//! program `default-lengths` of the benchmarks.

use super::confirm::{Confirmed, Unconfirmed, confirm_all};
use super::search::{Question, Searched, Step, search_lasso, search_prefix};
use crate::options::PromelaOptions;
use crate::promela::Context;
use crate::promela::automata::tight;
use crate::promela::property::{Content, Temporal};
use crate::report::Stage;
use kernel::budget::Exhausted;
use omega::analyse::strength::{Strength, strengths};
use omega::automaton::Automaton;
use omega::automaton::scc::Components;
use promela::claim::Claim;
use search::emptiness::End;
use search::meter::Statistics;
use search::store::Store;
use search::temporal::TemporalResult;

/// True if the options leave it to the check which runs compete for the shortest.
fn is_open(options: &PromelaOptions, store: Store) -> bool {
    let has_choice = options.shortest.is_some() || options.all_minimal || options.max_length.is_some();
    !options.first && !has_choice && options.shortening.is_none() && !store.is_lossy()
}

/// Looks for violations of the formula that are shorter than the one that was found and confirmed.
pub(super) fn shorten(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
    found: &mut Searched,
    runs: &mut Confirmed,
) -> Result<(), String> {
    let (Content::Formula(claim), Some(end)) = (&property.content, context.patience_ends.get()) else { return Ok(()) };
    if !is_open(context.options, context.store) || found.runs.is_empty() || runs.is_err() {
        return Ok(());
    }
    let stage = end.limit(context.budget.stage());
    let of_stage = Context { budget: &stage, ..*context };
    let competition = Competition { context, of_stage: &of_stage, property, question, found, runs };
    context.watch.during(Stage::Shorten, || competition.hold(claim, unrefined))
}

/// A run, and the searches for shorter ones.
struct Competition<'a, 'c> {
    context: &'a Context<'c>,
    /// The same within the patience.
    of_stage: &'a Context<'a>,
    property: &'a Temporal,
    question: Question<'a>,
    found: &'a mut Searched,
    runs: &'a mut Confirmed,
}

impl Competition<'_, '_> {
    fn hold(mut self, claim: &Claim, unrefined: Option<&Automaton>) -> Result<(), String> {
        let is_known = self.found.outcome.is_minimal;
        let mut is_excluded = true;
        if let (Some(automaton), Some(most)) =
            (unrefined.filter(|automaton| recognises_prefixes(automaton)), self.most())
        {
            let other = search_prefix(self.of_stage, automaton, self.question, most)?;
            is_excluded &= self.compare(other);
        }
        if self.most() > Some(0) {
            // Without a tight automaton nothing is claimed about the formula.
            let Ok(automata) = tight(self.of_stage, claim, claim.formula) else { return Ok(()) };
            for automaton in &automata {
                let Some(most) = self.most().filter(|most| *most > 0) else { break };
                if self.runs.is_err() || self.of_stage.budget.exhausted(0).is_some() {
                    is_excluded = false;
                    break;
                }
                let other = search_lasso(self.of_stage, automaton, self.question, most)?;
                is_excluded &= self.compare(other);
            }
            self.found.outcome.method.push_str("; then all lassos that violate the formula");
        }
        // Shorter bad prefixes are excluded by the searches of the property's own automaton.
        self.found.is_shortest_of_formula = is_excluded && is_known;
        Ok(())
    }

    /// The most steps of a shorter run.
    fn most(&self) -> Option<u64> {
        self.found.outcome.run.as_ref().and_then(|run| run.length().checked_sub(1))
    }

    /// Takes the run of another search instead, if it is confirmed; true if no run of that search is shorter than the one that is
    /// kept.
    fn compare(&mut self, other: TemporalResult<Step>) -> bool {
        self.count(&other.statistics);
        let end = other.end();
        let Some(run) = other.run else { return matches!(end, End::Complete | End::Limit(Exhausted::Depth)) };
        match confirm_all(self.context, self.property, std::slice::from_ref(&run)) {
            Ok(confirmed) => {
                self.found.runs = vec![run.clone()];
                self.found.outcome.run = Some(run);
                *self.runs = Ok(confirmed);
                other.is_minimal
            }
            Err(Unconfirmed::Run(rejection)) => {
                *self.runs = Err(Unconfirmed::Run(rejection));
                false
            }
            // The evaluator cannot confirm every bad prefix. That some are shorter does not concern a shortest lasso.
            Err(Unconfirmed::BadPrefix(_)) => self.found.runs.iter().all(|run| !run.cycle.is_empty()),
            Err(Unconfirmed::Exhausted { .. }) => false,
        }
    }

    /// Adds the time and the memory of another search. States and transitions remain those of the search with the property's own
    /// automaton.
    fn count(&mut self, other: &Statistics) {
        let all = &mut self.found.outcome.statistics;
        let spent = other.searching + other.tracing;
        (all.searching, all.tracing) = (all.searching + other.searching, all.tracing + other.tracing);
        (all.shortening, all.bytes) = (all.shortening + spent, all.bytes.max(other.bytes));
    }
}

/// True if some state of an automaton accepts whatever follows.
pub(super) fn recognises_prefixes(automaton: &Automaton) -> bool {
    strengths(automaton, &Components::of(automaton)).contains(&Strength::Terminal)
}
