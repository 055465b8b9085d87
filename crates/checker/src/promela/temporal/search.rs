//! Multiply, decide, shorten: the model in step with the automata of a property, and what the searches of it tell.

use crate::observer::Checkpoints;
use crate::options::Fairness;
use crate::promela::binding::{self, ModelProduct as Whole};
use crate::promela::distributed::with_product;
use crate::promela::reduction::{RUNTIME_ERRORS, Temporally};
use crate::promela::saver::Noticing;
use crate::promela::trimming::{Follower, unrolled};
use crate::promela::{Context, PATIENCE, safety};
use crate::reduction::ReductionReport;
use crate::report::Stage;
use crate::thresholds::temporal::MOST_LASSOS;
use crate::thresholds::time::SHORTENING_SHARE;
use kernel::budget::{Budget, Exhausted};
use omega::analyse::strength::{Strength, strength_of};
use omega::automaton::Automaton;
use promela::compiled::ModelStep;
use promela::reduce::Reduced;
use promela::typed::Expr;
use search::accepting::Accepting;
use search::emptiness::End;
use search::fairness::Fair;
use search::meter::Statistics;
use search::shorten::{Moment, Patience, Shortening, Spent};
use search::stutter::Stuttered;
use search::temporal::{self, Effort, Run, TemporalOptions, TemporalResult};
use std::time::{Duration, Instant};

/// A step of the model, or none.
pub(super) type Step = Stuttered<ModelStep>;

/// What is searched for.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    /// The automata whose runs are the violations, together.
    pub(super) automata: &'a [Automaton],
    /// Automata with the same runs, for a preliminary search.
    pub(super) preliminary: &'a [Automaton],
    /// Automata with the same runs that recognise bad prefixes, where the others do not.
    pub(super) for_prefixes: &'a [Automaton],
    pub(super) atoms: &'a [(String, Expr)],
    /// Whether runs that end count as runs that repeat their last state.
    pub(super) stutters: bool,
    /// Whether any run will do, of any length.
    pub(super) is_first: bool,
    /// The length of a run that is known already: shorter ones are searched in the model itself, and nothing is decided.
    pub(super) known: Option<u64>,
    /// How the model may be reduced.
    pub(super) reduction: &'a Temporally,
}

/// What a search told, and what was noticed on the way.
#[derive(Clone)]
pub(super) struct Searched {
    pub(super) outcome: TemporalResult<Step>,
    /// The runs to show.
    pub(super) runs: Vec<Run<Step>>,
    /// Further runs.
    pub(super) omitted: u64,
    pub(super) strength: Strength,
    pub(super) automaton_states: usize,
    /// Whether some run ended in a run-time error.
    pub(super) is_broken: bool,
    /// True if this is the result of the preliminary search, because the requested search reached a limit.
    pub(super) is_preliminary: bool,
    /// True if no violation of the formula is shorter, whatever its automaton.
    pub(super) is_shortest_of_formula: bool,
    /// An atom that met a run-time error in some state.
    pub(super) failing_atom: Option<String>,
    /// Which reductions of the model were used.
    pub(super) reduction: ReductionReport,
}

impl Searched {
    /// Takes over a run of the full model that is at most as long, and the statistics of the search for it.
    fn take(&mut self, shorter: TemporalResult<Step>, took: Duration) {
        let length = |run: &Option<Run<Step>>| run.as_ref().map_or(u64::MAX, Run::length);
        let outcome = &mut self.outcome;
        let statistics = outcome.statistics.then(shorter.statistics);
        outcome.statistics = Statistics { shortening: took, ..statistics };
        outcome.method = format!("{}; then {}", outcome.method, shorter.method);
        outcome.is_counted = shorter.is_counted;
        if length(&shorter.run) <= length(&outcome.run) {
            (outcome.run, outcome.is_minimal) = (shorter.run, shorter.is_minimal);
            self.runs = outcome.run.iter().cloned().collect();
        }
    }

    pub(super) fn is_shorter_than(&self, other: &Searched) -> bool {
        let length = |search: &Searched| search.outcome.run.as_ref().map_or(u64::MAX, Run::length);
        length(self) < length(other)
    }
}

/// Searches the products with all automata for a run, a shortest one if several have some.
pub(super) fn search(context: &Context<'_>, question: Question<'_>, prefixes: bool) -> Result<Searched, String> {
    let mut best: Option<Searched> = None;
    for automaton in question.automata {
        let next = search_one(context, automaton, question, prefixes)?;
        best = Some(match best {
            None => next,
            Some(before) => join(context, before, next),
        });
    }
    Ok(best.expect("there is an automaton"))
}

/// The better of two searches of the same question.
pub(super) fn join(context: &Context<'_>, one: Searched, two: Searched) -> Searched {
    let is_minimal = |search: &Searched| search.outcome.run.is_none() || search.outcome.is_minimal;
    let all_minimal = is_minimal(&one) && is_minimal(&two);
    let (is_broken, strength) = (one.is_broken || two.is_broken, one.strength.max(two.strength));
    let is_counted = one.outcome.is_counted || two.outcome.is_counted;
    let failing_atom = one.failing_atom.clone().or_else(|| two.failing_atom.clone());
    let statistics = one.outcome.statistics.then(two.outcome.statistics);
    let (mut better, other) = if two.is_shorter_than(&one) { (two, one) } else { (one, two) };
    if let (None, End::Limit(limit)) = (&better.outcome.run, other.outcome.end()) {
        better.outcome.end_by(limit);
    }
    // With a bound on the length, what is left out is longer.
    let is_bounded = context.options.max_length.is_some() && context.budget.depth.is_none();
    let is_cut = matches!(other.outcome.end(), End::Limit(limit) if !(is_bounded && limit == Exhausted::Depth));
    better.outcome.is_minimal = all_minimal && !is_cut && better.outcome.run.is_some();
    (better.is_broken, better.strength, better.outcome.statistics) = (is_broken, strength, statistics);
    better.runs = better.outcome.run.iter().cloned().collect();
    better.outcome.is_counted = is_counted;
    better.failing_atom = failing_atom;
    better
}

fn search_one(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    prefixes: bool,
) -> Result<Searched, String> {
    if let Some(length) = question.known {
        return search_below(context, automaton, question, prefixes, length);
    }
    let mut reduction = ReductionReport::default();
    let atoms = context.model.atoms(question.atoms.iter().map(|(_, expression)| expression));
    let reduced = question.reduction.reduced(context, &atoms, &mut reduction);
    let measured = reduced.as_ref().map(Reduced::measured);
    let is_reduced = reduced.is_some();
    let found = match reduced {
        Some(reduced) => search_reduced(context, automaton, question, prefixes, reduced)?,
        None => None,
    };
    reduction.measure(measured.map(|measured| measured.counts()).unwrap_or_default());
    if is_reduced && found.is_none() {
        reduction.withdraw(RUNTIME_ERRORS);
    }
    let found = found.map_or_else(|| search_full(context, automaton, question, prefixes), Ok)?;
    Ok(Searched { reduction, ..found })
}

/// Decides on the reduced model; a run that it finds bounds the search for a shortest one on the full model. Nothing if the
/// reduced model does not decide.
fn search_reduced(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    prefixes: bool,
    reduced: Reduced<'_>,
) -> Result<Option<Searched>, String> {
    let started = Moment::now(context.budget);
    let symmetry = reduced.symmetry();
    let whole = binding::product(reduced, automaton, question.atoms, context.options.edge_order, question.stutters)?;
    let strength = strength_of(automaton);
    let mut tell = |statistics: &Statistics| (context.progress)(statistics);
    let noticing = noticing(context, &whole);
    let checkpoints = noticing.as_ref().map(|noticing| noticing as &dyn Checkpoints);
    let mut first = with_product(context, automaton, &whole, question.stutters, |orders| {
        let options = options(context, strength, prefixes, true, &mut tell);
        let options = TemporalOptions { checkpoints, ..options }.ordering(orders);
        temporal::check(&whole, &whole, |step| step.model, options)
    });
    let found_after = started.spent(context.budget);
    let is_broken = whole.model().inner().is_broken();
    if is_broken && first.end() == End::Complete {
        // A step that goes wrong ends the runs in which it comes first, and those which it was chosen before.
        return Ok(None);
    }
    if let (Some(run), Some(_)) = (&first.run, &symmetry) {
        let follower = Follower::new(context.model, context.model, symmetry);
        first.run = unrolled(context, follower, run);
        if first.run.is_none() {
            return Ok(None);
        }
    }
    let is_enough = question.is_first || context.options.first;
    let (automaton_states, failing_atom) = (automaton.state_count(), failing_atom(&whole, automaton));
    let mut found = Searched {
        runs: first.run.iter().cloned().collect(),
        outcome: first,
        omitted: 0,
        strength,
        automaton_states,
        is_broken,
        is_preliminary: false,
        is_shortest_of_formula: false,
        failing_atom,
        reduction: ReductionReport::default(),
    };
    note_shortening(context, &found.outcome, started);
    if let (Some(run), false) = (&found.outcome.run, is_enough) {
        let (length, started) = (run.length(), Instant::now());
        let below = |budget: &Budget| shorter(&Context { budget, ..*context }, automaton, question, prefixes, length);
        let (mut shorter, _) = below(&shortening(context, found_after))?;
        if let (None, Some(budget)) = (&shorter.run, once_more(context, length, strength, &shorter.statistics)) {
            let before = shorter.statistics;
            shorter = below(&budget)?.0;
            shorter.statistics = before.then(shorter.statistics);
        }
        found.take(shorter, started.elapsed());
    }
    context.watch.transfer(Stage::Shorten, found.outcome.statistics.shortening);
    Ok(Some(found))
}

/// The budget for the search of the model itself for a shorter run than one that was found after spending this.
pub(super) fn shortening(context: &Context<'_>, found_after: Spent) -> Budget {
    if context.options.shortest.is_some() {
        return context.budget.stage();
    }
    within(context, PATIENCE.allows(found_after))
}

/// The budget for another such search, if the run is long, and the first search, which had these statistics and found no
/// shorter one, passed wide levels. Where lassos are sought, too, levels say less, and such a search is not made.
pub(super) fn once_more(context: &Context<'_>, length: u64, strength: Strength, cut: &Statistics) -> Option<Budget> {
    let is_wanted = context.options.shortest.is_none() && matches!(strength, Strength::Terminal | Strength::Rejecting);
    let patience = PATIENCE.for_long_run(length, cut).filter(|_| is_wanted)?;
    Some(within(context, patience.allows(Spent::default())))
}

/// A part of the budget.
fn within(context: &Context<'_>, Spent { time, effort }: Spent) -> Budget {
    let budget = context.budget.stage();
    // The run that is known must still be confirmed and shown before a time limit.
    let left = context.budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    budget.within(left.map_or(time, |left| time.min(left / SHORTENING_SHARE))).within_effort(effort)
}

/// Searches the model itself for a run that is not longer than one that is known.
fn search_below(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    prefixes: bool,
    length: u64,
) -> Result<Searched, String> {
    let started = Instant::now();
    let (mut outcome, is_broken) = shorter(context, automaton, question, prefixes, length)?;
    outcome.statistics.shortening = started.elapsed();
    context.watch.transfer(Stage::Shorten, outcome.statistics.shortening);
    let runs = outcome.run.iter().cloned().collect();
    let (strength, automaton_states) = (strength_of(automaton), automaton.state_count());
    Ok(searched(outcome, runs, strength, automaton_states, is_broken, None))
}

/// Searches the full model for a shortest run of at most this many steps; says whether a run-time error was met, too.
fn shorter(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    prefixes: bool,
    length: u64,
) -> Result<(TemporalResult<Step>, bool), String> {
    let whole = product(context, automaton, question)?;
    let mut tell = |statistics: &Statistics| (context.progress)(statistics);
    let options = options(context, strength_of(automaton), prefixes, false, &mut tell);
    let options = bounded(TemporalOptions { effort: Effort::Shortest, ..options }, Some(length));
    let outcome = match allow(&whole, &options) {
        Ok(()) => with_product(context, automaton, &whole, question.stutters, |orders| {
            temporal::check(&whole, &whole, |step| step.model, options.ordering(orders))
        }),
        Err(reason) if context.options.shortest.is_some() => return Err(reason),
        // The search that was asked for knows no shortest lasso.
        Err(_) => {
            let options = TemporalOptions { effort: effort(context), max_length: None, ..options };
            temporal::check(&whole, &whole, |step| step.model, options)
        }
    };
    let is_broken = whole.model().inner().is_broken();
    Ok((outcome, is_broken))
}

/// Searches the model itself.
fn search_full(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    prefixes: bool,
) -> Result<Searched, String> {
    let whole = product(context, automaton, question)?;
    let started = Moment::now(context.budget);
    let strength = strength_of(automaton);
    let automaton_states = automaton.state_count();
    let mut tell = |statistics: &Statistics| (context.progress)(statistics);
    let (outcome, is_broken, failing_atom) = match context.options.fairness {
        Fairness::None => {
            let noticing = noticing(context, &whole);
            let checkpoints = noticing.as_ref().map(|noticing| noticing as &dyn Checkpoints);
            let outcome = within_depth(context, |max_length| {
                let options = options(context, strength, prefixes, question.is_first, &mut tell);
                let options = bounded(TemporalOptions { checkpoints, ..options }, max_length);
                allow(&whole, &options)?;
                Ok(with_product(context, automaton, &whole, question.stutters, |orders| {
                    temporal::check(&whole, &whole, |step| step.model, options.ordering(orders))
                }))
            })?;
            (outcome, whole.model().inner().is_broken(), failing_atom(&whole, automaton))
        }
        Fairness::Weak => {
            let fair = Fair::new(whole).map_err(|_| "there are too many processes for weak fairness".to_string())?;
            let outcome = within_depth(context, |max_length| {
                let options = options(context, strength, prefixes, question.is_first, &mut tell);
                let options = bounded(options, max_length);
                allow(&fair, &options)?;
                Ok(with_product(context, automaton, fair.inner(), question.stutters, |orders| {
                    let options = options.ordering(orders);
                    temporal::check(fair.inner(), &fair, |step| step.step.model, options)
                }))
            })?;
            let bound = fair.inner().model().inner();
            if bound.is_crowded() {
                return Err("there are too many processes for weak fairness".into());
            }
            (outcome, bound.is_broken(), failing_atom(fair.inner(), automaton))
        }
    };
    note_shortening(context, &outcome, started);
    let runs = outcome.run.iter().cloned().collect();
    Ok(searched(outcome, runs, strength, automaton_states, is_broken, failing_atom))
}

/// Where the search of a product is saved.
fn noticing<'a>(context: &Context<'a>, whole: &'a Whole<'_>) -> Option<Noticing<'a>> {
    let (bound, atoms) = (whole.model().inner(), whole.atoms());
    context.checkpoints.map(|checkpoints| Noticing { checkpoints, bound, atoms })
}

/// What a search told that found these runs and no others.
fn searched(
    outcome: TemporalResult<Step>,
    runs: Vec<Run<Step>>,
    strength: Strength,
    automaton_states: usize,
    is_broken: bool,
    failing_atom: Option<String>,
) -> Searched {
    Searched {
        outcome,
        runs,
        omitted: 0,
        strength,
        automaton_states,
        is_broken,
        is_preliminary: false,
        is_shortest_of_formula: false,
        failing_atom,
        reduction: ReductionReport::default(),
    }
}

/// Searches, and once more with a bound on the length if the run is longer than the depth limit: searches for lassos count
/// a sequence of steps inside an atomic sequence as one, while the user is shown all of them.
fn within_depth(
    context: &Context<'_>,
    mut search: impl FnMut(Option<u64>) -> Result<TemporalResult<Step>, String>,
) -> Result<TemporalResult<Step>, String> {
    let outcome = search(None)?;
    let is_too_long = |depth: &u64| outcome.run.as_ref().is_some_and(|run| run.length() > *depth);
    match context.budget.depth.filter(is_too_long) {
        None => Ok(outcome),
        Some(depth) => {
            let mut again = search(Some(depth))?;
            again.statistics = outcome.statistics.then(again.statistics);
            Ok(again)
        }
    }
}

/// The options of a search for runs of at most this many steps.
fn bounded(options: TemporalOptions<'_>, max_length: Option<u64>) -> TemporalOptions<'_> {
    TemporalOptions { max_length: options.max_length.into_iter().chain(max_length).min(), ..options }
}

/// Searches the product with an automaton for a bad prefix of at most this many steps.
pub(super) fn search_prefix(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    most: u64,
) -> Result<TemporalResult<Step>, String> {
    let whole = product(context, automaton, question)?;
    let mut tell = |statistics: &Statistics| (context.progress)(statistics);
    let options = options(context, strength_of(automaton), true, false, &mut tell);
    Ok(with_product(context, automaton, &whole, question.stutters, |orders| {
        temporal::bad_prefix(&whole, most, options.ordering(orders))
    }))
}

/// Searches the product with an automaton for a shortest lasso of at most this many steps, and for nothing else.
pub(super) fn search_lasso(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    most: u64,
) -> Result<TemporalResult<Step>, String> {
    let whole = product(context, automaton, question)?;
    let mut tell = |statistics: &Statistics| (context.progress)(statistics);
    let usual = options(context, strength_of(automaton), false, false, &mut tell);
    let options = TemporalOptions { effort: Effort::Shortest, shortening: None, max_length: Some(most), ..usual };
    Ok(match context.options.fairness {
        Fairness::None => temporal::check(&whole, &whole, |step| step.model, options),
        Fairness::Weak => {
            let fair = Fair::new(whole).map_err(|_| "there are too many processes for weak fairness".to_string())?;
            temporal::check(fair.inner(), &fair, |step| step.step.model, options)
        }
    })
}

/// Attributes the time after the first run was found to shortening, and lets the patience for all further shortening of
/// this property begin with the first run.
fn note_shortening(context: &Context<'_>, outcome: &TemporalResult<Step>, started: Moment) {
    context.watch.transfer(Stage::Shorten, outcome.statistics.shortening);
    if outcome.run.is_some() && context.patience_ends.get().is_none() {
        context.patience_ends.set(Some(PATIENCE.end_of(started, outcome.found_after)));
    }
}

/// Searches for a shortest lasso through each accepting state of the products.
pub(super) fn search_each(context: &Context<'_>, question: Question<'_>) -> Result<Searched, String> {
    let (mut runs, mut omitted) = (Vec::new(), 0);
    let mut all: Option<Searched> = None;
    for automaton in question.automata {
        let next = search_each_of(context, automaton, question, &mut runs, &mut omitted)?;
        all = Some(match all {
            None => next,
            Some(before) => join(context, before, next),
        });
    }
    Ok(Searched { runs, omitted, ..all.expect("there is an automaton") })
}

/// The same for one product; runs are added to those of others.
fn search_each_of(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    runs: &mut Vec<Run<Step>>,
    omitted: &mut u64,
) -> Result<Searched, String> {
    let whole = product(context, automaton, question)?;
    if !whole.is_state_based() {
        return Err(
            "a shortest lasso through each accepting state needs one acceptance set on states; here there are several"
                .into(),
        );
    }
    let strength = strength_of(automaton);
    let mut tell = |statistics: &Statistics| (context.progress)(statistics);
    let options = bounded(options(context, strength, false, false, &mut tell), context.budget.depth);
    let outcome = temporal::each(&whole, options, |run| {
        if runs.contains(&run) {
            return;
        }
        runs.push(run);
        runs.sort_by_key(Run::length);
        *omitted += u64::from(runs.len() > MOST_LASSOS);
        runs.truncate(MOST_LASSOS);
    });
    let is_broken = whole.model().inner().is_broken();
    let (automaton_states, failing_atom) = (automaton.state_count(), failing_atom(&whole, automaton));
    Ok(searched(outcome, Vec::new(), strength, automaton_states, is_broken, failing_atom))
}

/// An atom that met a run-time error, after the search.
fn failing_atom(whole: &Whole<'_>, automaton: &Automaton) -> Option<String> {
    whole.atoms().failed().map(|index| automaton.atoms()[index].clone())
}

/// The model in step with an automaton.
fn product<'m>(context: &Context<'m>, automaton: &Automaton, question: Question<'_>) -> Result<Whole<'m>, String> {
    binding::product(
        Reduced::full(context.model),
        automaton,
        question.atoms,
        context.options.edge_order,
        question.stutters,
    )
}

fn options<'a>(
    context: &Context<'a>,
    strength: Strength,
    prefixes: bool,
    is_first: bool,
    progress: &'a mut dyn FnMut(&Statistics),
) -> TemporalOptions<'a> {
    let engine = context.options;
    TemporalOptions {
        budget: context.budget,
        emptiness: engine.emptiness,
        shortening: engine.shortening,
        effort: if is_first { Effort::First } else { effort(context) },
        max_length: engine.max_length.filter(|_| !is_first),
        store: context.store,
        prefixes: prefixes && !context.store.is_lossy(),
        threads: safety::threads(engine),
        checkpoints: None,
        orders: None,
        strength,
        progress,
    }
}

/// Whether the searches asked for can be made: what counts acceptance sets knows no shortest lasso.
fn allow<A: Accepting>(system: &A, options: &TemporalOptions<'_>) -> Result<(), String> {
    let shortening = options.shortening.unwrap_or_else(|| Shortening::choose(system, options.store));
    let demand = match (options.max_length, options.effort) {
        (Some(_), _) => "whether a lasso keeps to a length",
        (None, Effort::Shortest) => "which lasso is shortest",
        (None, Effort::First | Effort::Within(_)) => return Ok(()),
    };
    if shortening.counts(system) {
        let name = shortening.name();
        return Err(format!(
            "the search `{name}` does not decide {demand} here, because the automaton has several acceptance sets or \
             accepts on edges; the search `generalised` does, with a store that numbers states"
        ));
    }
    Ok(())
}

fn effort(context: &Context<'_>) -> Effort {
    match (context.options.first, context.options.shortest) {
        (true, _) => Effort::First,
        (false, Some(_)) => Effort::Shortest,
        (false, None) => match context.patience_ends.get() {
            None => Effort::Within(PATIENCE),
            // What is left of the patience for this property.
            Some(end) => match end.left(context.budget) {
                None => Effort::First,
                Some(least) => Effort::Within(Patience { share: 0.0, least }),
            },
        },
    }
}
