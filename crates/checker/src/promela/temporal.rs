//! One temporal property, stage by stage: [`prepare`] the automata of its violations (translate, refine), search their
//! products with the model ([`mod@search`]: multiply, decide, shorten), validate what was found ([`mod@confirm`]), and say what
//! it means. [`check`] names every stage.

mod confirm;
mod formula;
mod search;

use self::confirm::{Confirmed, Unconfirmed, confirm, confirm_all};
use self::formula::recognises_prefixes;
use self::search::{Question, Searched, Step, join, once_more, search, search_each, search_prefix, shortening};
use super::automata::{of_violations, prepare};
use super::reduction::Temporally;
use super::refine::Prepared;
use super::trimming::{Follower, Purpose, trimmed, unrolled};
use super::{Context, UNSEEN, disagreement, events, proof, refine, vacuity};
use crate::error::Error;
use crate::options::{Among, Fairness, PromelaOptions};
use crate::promela::property::{Content, Temporal};
use crate::promela::report::{Counterexample, Engine, Named, Numbers, Property};
use crate::report::{Hint, PropertyKind, Sense, Stage};
use crate::thresholds::time::{PREPARATION, PREPARATION_SHARE, UNREDUCED_SEARCH};
use crate::words::count;
use ::search::emptiness::End;
use ::search::shorten::Moment;
use ::search::temporal::{Run, TemporalResult};
use kernel::budget::{Budget, Exhausted};
use kernel::decision::{Decision, Reason};
use omega::analyse::classify::{Classifier, Traits};
use omega::analyse::strength::{Strength, strength_of};
use omega::automaton::Automaton;
use omega::formula::Formula;
use promela::claim::Claim;
use promela::compiled::Model;
use promela::typed::Expr;
use promela::validate::{Continuation, Validated, ViolatingRun};
use std::time::Instant;

/// The budget for the first preparation of an automaton.
fn preparation(budget: &Budget) -> Budget {
    let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / PREPARATION_SHARE);
    budget.stage().within(left.map_or(PREPARATION, |left| left.min(PREPARATION)))
}

/// Checks a property.
///
/// Preparing the automaton has a budget of its own at first. If that is exhausted, the unreduced automaton is searched for
/// some time; only then is the automaton prepared for as long as it takes.
pub(super) fn check(context: &Context<'_>, property: &Temporal) -> Result<Property, Error> {
    if let Content::Events(trace) = property.content {
        return events::check(context, property, trace);
    }
    let found = check_with_options(context, property)?;
    let is_broken = matches!(found.verdict, Decision::Unknown(Reason::RuntimeErrors));
    if is_broken && context.options.shortest == Some(Among::Formula) {
        // Where runs break off, there may be no lasso, but a prefix that decides; only the property's own automaton shows it.
        let options = &PromelaOptions { shortest: Some(Among::Automaton), ..context.options.clone() };
        return check_with_options(&Context { options, ..*context }, property);
    }
    Ok(found)
}

fn check_with_options(context: &Context<'_>, property: &Temporal) -> Result<Property, Error> {
    context.patience_ends.set(None);
    let prepare =
        |budget: &Budget| context.watch.during(Stage::Translate, || prepare(&Context { budget, ..*context }, property));
    let stage = preparation(context.budget);
    let mut prepared = prepare(&stage);
    let is_slow = prepared.is_err() && stage.exhausted(0).is_some() && context.budget.exhausted(0).is_none();
    if let (true, Content::Formula(claim)) = (is_slow, &property.content) {
        let unreduced = context.watch.during(Stage::Translate, || refine::unreduced(context, claim));
        if let Some(unreduced) = unreduced {
            let stage = context.budget.stage().within(UNREDUCED_SEARCH);
            let of_stage = Context { budget: &stage, checkpoints: None, ..*context };
            let found = check_prepared(&of_stage, property, unreduced)?;
            let is_cut = matches!(found.verdict, Decision::Unknown(Reason::Limit(_)));
            if !is_cut || context.budget.exhausted(0).is_some() {
                return Ok(found);
            }
        }
        prepared = prepare(context.budget);
    }
    match prepared {
        Ok(prepared) => check_prepared(context, property, prepared),
        Err(words) => Ok(unsupported(context, property, words)),
    }
}

/// Checks a property whose automata are ready.
fn check_prepared(context: &Context<'_>, property: &Temporal, mut prepared: Prepared) -> Result<Property, Error> {
    let atoms = match &property.content {
        Content::Formula(claim) => &claim.atoms,
        Content::Automaton(_, atoms) => atoms,
        Content::Events(_) => unreachable!("assertions about events are checked elsewhere"),
        Content::Unsupported(reason) => return Ok(unsupported(context, property, reason.clone())),
    };
    let stutters = property.stutters();
    let reduction = Temporally::new(context, property);
    let question = question(&prepared, atoms, stutters, &reduction);
    let decided = context.watch.during(Stage::Refine, || match &property.content {
        Content::Formula(claim) => refine::formula_decided(context, claim, &prepared),
        Content::Automaton(automaton, atoms) => refine::automaton_decided(context, automaton, atoms, &prepared),
        Content::Events(_) | Content::Unsupported(_) => None,
    });
    let trimmed = context.watch.during(Stage::Refine, || trimmed(context, Purpose::Temporal(atoms)));
    let small = trimmed.model.as_ref();
    let (mut search, mut runs) = match search_reduced(context, small, property, question, prepared.unrefined()) {
        Ok(found) => found,
        Err(reason) => return Ok(unsupported(context, property, reason)),
    };
    if search.outcome.end() == End::Complete && search.runs.is_empty() && search.is_broken {
        // By facts a prefix may be bad that is none for the formula itself, and the runs after it may all break off.
        match prepared.without_refinement("some runs end in a run-time error") {
            Ok(plain) => {
                prepared = plain;
                let question = self::question(&prepared, atoms, stutters, &reduction);
                (search, runs) = search_reduced(context, small, property, question, None).unwrap_or((search, runs));
            }
            Err(refined) => prepared = refined,
        }
    }
    let mut runs = match runs {
        Ok(runs) => runs,
        Err(Unconfirmed::Run(rejection) | Unconfirmed::BadPrefix(rejection)) => return Err(disagreement(rejection)),
        Err(Unconfirmed::Exhausted { limit, draft }) => {
            let reason = Reason::Unconfirmed { steps: draft.length() as u64, limit };
            return Ok(Property { draft: Some(draft), ..undecided(context, property, reason) });
        }
    };
    let (question, unrefined) = (self::question(&prepared, atoms, stutters, &reduction), prepared.unrefined());
    let mut endless = Endless { is_found: Ok(false), matters: !is_safety(property) };
    if runs.is_empty() && !search.is_broken && search.outcome.end() == End::Complete {
        if search.outcome.absence().is_ok() {
            endless.is_found = context.is_endless(search.outcome.statistics.transitions);
        }
        context.decide_endless_by_text();
        if context.endless.get() != Some(&false) && is_about_lassos(context, &search) {
            runs = match seek_hidden_prefix(context, property, question, unrefined, &mut search) {
                Ok(runs) => runs,
                Err(reason) => return Ok(unsupported(context, property, reason)),
            };
        }
    }
    let context = &Context { model: trimmed.model(context.model), ..*context };
    let mut property = decide(context, property, search, runs, endless);
    property.engine.reduction.add(trimmed.report);
    (property.engine.refinement, property.engine.decided) = (prepared.refinement, decided);
    Ok(property)
}

/// Whether some run never leaves an atomic sequence, and whether that leaves the property open.
struct Endless {
    is_found: Result<bool, Exhausted>,
    matters: bool,
}

/// True if a finite run shows each violation of the property, by the form of its formula. Then a run that never leaves an
/// atomic sequence violates the property only if what is observed before does.
fn is_safety(property: &Temporal) -> bool {
    match &property.content {
        _ if matches!(property.kind, PropertyKind::Acceptance | PropertyKind::NonProgress) => false,
        Content::Formula(claim) => Classifier::new().traits(&claim.formulas, claim.formula).has(Traits::SAFETY),
        Content::Automaton(automaton, _) => strength_of(automaton) == Strength::Terminal,
        Content::Events(_) | Content::Unsupported(_) => false,
    }
}

/// True if a search looked for lassos, and not for bad prefixes.
fn is_about_lassos(context: &Context<'_>, search: &Searched) -> bool {
    context.store.is_lossy()
        || context.options.all_minimal
        || context.options.shortest == Some(Among::Formula)
        || !matches!(search.strength, Strength::Terminal | Strength::Rejecting)
}

/// Looks for a bad prefix after which every run stays inside an atomic sequence, where no lasso shows it.
fn seek_hidden_prefix(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
    search: &mut Searched,
) -> Result<Vec<Validated<ViolatingRun>>, String> {
    let most = context.options.max_length.unwrap_or(u64::MAX);
    let automata = question.for_prefixes.iter().chain(question.automata).chain(unrefined);
    for automaton in automata.filter(|automaton| recognises_prefixes(automaton)) {
        let prefix = search_prefix(context, automaton, question, most)?;
        let confirmed = prefix.run.as_ref().map(|run| confirm_all(context, property, std::slice::from_ref(run)));
        search.outcome.add_prefix(prefix, matches!(confirmed, Some(Ok(_))));
        if let Some(Ok(runs)) = confirmed {
            search.outcome.is_minimal &= !context.store.is_lossy();
            search.runs = search.outcome.run.iter().cloned().collect();
            return Ok(runs);
        }
    }
    Ok(Vec::new())
}

/// What is searched for a property whose automata are ready.
fn question<'a>(
    prepared: &'a Prepared,
    atoms: &'a [(String, Expr)],
    stutters: bool,
    reduction: &'a Temporally,
) -> Question<'a> {
    let (preliminary, for_prefixes) = (prepared.preliminary(), prepared.for_prefixes());
    let automata = &prepared.automata;
    Question { automata, preliminary, for_prefixes, atoms, stutters, is_first: false, known: None, reduction }
}

/// Searches the trimmed model, if there is one. Where it has a run that violates the property, so has the model; then the
/// model itself is searched for a shorter one, within the patience.
fn search_reduced(
    context: &Context<'_>,
    small: Option<&Model>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
) -> Result<(Searched, Confirmed), String> {
    let Some(model) = small else { return search_and_confirm(context, property, question, unrefined) };
    let preliminary = Question { automata: question.preliminary, is_first: true, ..question };
    let started = Moment::now(context.budget);
    let mut first = search(&Context { model, ..*context }, preliminary, true)?;
    let Some(run) = &first.outcome.run else { return Ok((first, Ok(Vec::new()))) };
    let follower = Follower::new(context.whole, model, None);
    first.runs = unrolled(context, follower, run).into_iter().collect();
    let confirmed = confirm_all(context, property, &first.runs);
    if first.runs.is_empty() || matches!(confirmed, Err(Unconfirmed::BadPrefix(_))) {
        return search_and_confirm(context, property, question, unrefined);
    }
    first.outcome.run = first.runs.first().cloned();
    let length = first.outcome.run.as_ref().map(Run::length);
    (first.outcome.is_minimal, first.outcome.first_length) = (false, length);
    if !context.options.first {
        // Other questions are about runs of other automata, or about fair ones.
        let is_plain = context.options.shortest != Some(Among::Formula) && context.options.fairness == Fairness::None;
        let question = Question { known: length.filter(|_| is_plain), ..question };
        let mut stage = Some(shortening(context, started.spent(context.budget)));
        let mut is_second = false;
        while let Some(budget) = stage.take() {
            let of_stage = Context { budget: &budget, checkpoints: None, ..*context };
            let (mut found, runs) = search_and_confirm(&of_stage, property, question, unrefined)?;
            if let (true, false, Some(length)) = (found.runs.is_empty(), is_second, length) {
                stage = once_more(context, length, first.strength, &found.outcome.statistics);
                is_second = true;
            }
            found.outcome.statistics = first.outcome.statistics.then(found.outcome.statistics);
            if !found.runs.is_empty() {
                found.outcome.method = format!("{}; then {}", first.outcome.method, found.outcome.method);
                (found.outcome.first_length, found.reduction) = (length, first.reduction);
                return Ok((found, runs));
            }
            first.outcome.statistics = found.outcome.statistics;
        }
    }
    Ok((first, confirmed))
}

/// Searches, and confirms what was found. `unrefined` is the automaton before refinement, where there was some.
fn search_and_confirm(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
) -> Result<(Searched, Confirmed), String> {
    let preliminary = preliminary_search(context, question)?;
    let is_over = |search: &&Searched| search.outcome.end() != End::Limit(Exhausted::Depth);
    let is_final = |search: &&Searched| search.runs.is_empty() && !search.is_broken && is_over(search);
    if let Some(search) = preliminary.as_ref().filter(is_final) {
        return Ok((search.clone(), Ok(Vec::new())));
    }
    let mut found = match context.options.all_minimal {
        true => search_each(context, question)?,
        // A tight automaton gives lassos of the model; it does not recognise bad prefixes.
        false => search(context, question, context.options.shortest != Some(Among::Formula))?,
    };
    if let (Some(mut preliminary), true, End::Limit(_)) = (preliminary, found.runs.is_empty(), found.outcome.end()) {
        preliminary.outcome.statistics = preliminary.outcome.statistics.then(found.outcome.statistics);
        preliminary.is_preliminary = true;
        let runs = confirm_all(context, property, &preliminary.runs);
        return Ok((preliminary, runs));
    }
    if context.options.all_minimal {
        add_prefix(context, property, question, unrefined, &mut found)?;
    }
    let mut runs = confirm_all(context, property, &found.runs);
    if context.options.shortest == Some(Among::Formula) && !context.options.all_minimal {
        prefer_prefix(context, property, question, &mut found, &mut runs)?;
    }
    if matches!(&runs, Err(Unconfirmed::BadPrefix(_))) {
        let context = &Context { checkpoints: None, ..*context };
        // The evaluator cannot confirm every bad prefix. Then search for a lasso, and for a prefix that is bad in the
        // unrefined automaton.
        found = search(context, question, false)?;
        runs = confirm_all(context, property, &found.runs);
        if let Some(automaton) = unrefined {
            let question = Question { automata: std::slice::from_ref(automaton), ..question };
            let other = search(context, question, true)?;
            let confirmed = confirm_all(context, property, &other.runs);
            if !matches!(&confirmed, Err(Unconfirmed::BadPrefix(_))) {
                let is_better = other.is_shorter_than(&found);
                found = join(context, found, other);
                runs = if is_better { confirmed } else { runs };
            }
        }
    }
    let context = &Context { checkpoints: None, ..*context };
    formula::shorten(context, property, question, unrefined, &mut found, &mut runs)?;
    Ok((found, runs))
}

/// A search for any violation, so that one is reported even if the requested search reaches a limit.
fn preliminary_search(context: &Context<'_>, question: Question<'_>) -> Result<Option<Searched>, String> {
    let engine = context.options;
    if engine.max_length.is_some() || !engine.all_minimal && engine.shortest != Some(Among::Formula) {
        return Ok(None);
    }
    let preliminary = Question { automata: question.preliminary, is_first: true, ..question };
    search(context, preliminary, false).map(Some)
}

/// Replaces a shortest lasso by a bad prefix, if one is shorter and is confirmed.
fn prefer_prefix(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    found: &mut Searched,
    runs: &mut Confirmed,
) -> Result<(), String> {
    for automaton in question.for_prefixes {
        let most = match &found.outcome.run {
            Some(run) => run.length().checked_sub(1),
            None => context.options.max_length,
        };
        let Some(most) = most else { return Ok(()) };
        let prefix = search_prefix(context, automaton, question, most)?;
        let confirmed = prefix.run.as_ref().map(|run| confirm_all(context, property, std::slice::from_ref(run)));
        found.outcome.add_prefix(prefix, matches!(confirmed, Some(Ok(_))));
        if let Some(Ok(confirmed)) = confirmed {
            found.runs = found.outcome.run.iter().cloned().collect();
            *runs = Ok(confirmed);
        }
    }
    Ok(())
}

/// Adds a shortest bad prefix, if it is shorter than all lassos: it passes no accepting state.
fn add_prefix(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
    found: &mut Searched,
) -> Result<(), String> {
    // What is bad by facts need not be so on its face.
    for automata in std::iter::once(question.automata).chain(unrefined.map(std::slice::from_ref)) {
        if !automata.iter().any(recognises_prefixes) {
            continue;
        }
        let other = search(context, Question { automata, ..question }, true)?;
        found.outcome.statistics = found.outcome.statistics.then(other.outcome.statistics);
        let prefix = other.runs.into_iter().find(|run| run.cycle.is_empty());
        if let Some(run) = prefix.filter(|run| confirm(context, property, run).is_ok()) {
            found.runs.insert(0, run);
            break;
        }
    }
    Ok(())
}

fn decide(
    context: &Context<'_>,
    property: &Temporal,
    search: Searched,
    runs: Vec<Validated<ViolatingRun>>,
    endless: Endless,
) -> Property {
    let Searched { outcome, omitted, strength, automaton_states, is_broken, failing_atom, reduction, .. } = search;
    let known = Known { is_preliminary: search.is_preliminary, of_formula: search.is_shortest_of_formula };
    let mut numbers = Numbers::of(&outcome.statistics);
    numbers.omitted = omitted;
    let mut engine = Engine::of_search(outcome.method.clone(), strength, automaton_states);
    engine.is_fair = context.options.fairness == Fairness::Weak;
    engine.store = context.store.used(outcome.statistics.compressed);
    engine.missed = outcome.statistics.missed;
    engine.failing_atom = failing_atom;
    engine.reduction = reduction;
    let mut vacuous = None;
    let verdict = match outcome.absence() {
        _ if !runs.is_empty() => {
            let show = |run| counterexample(context, property, run, &outcome, known);
            Decision::Violated(runs.into_iter().map(show).collect())
        }
        Ok(_) | Err(Reason::LossyStore { .. }) if is_broken => Decision::Unknown(Reason::RuntimeErrors),
        Ok(coverage) => match endless.is_found {
            Ok(true) if endless.matters => Decision::Unknown(Reason::Unsupported(UNSEEN.into())),
            Err(limit) if endless.matters => Decision::Unknown(Reason::Limit(limit)),
            Ok(_) | Err(_) => {
                vacuous = vacuity::reason(context, property);
                Decision::Holds(coverage)
            }
        },
        Err(Reason::Stopped) => unreachable!("what was found was validated"),
        Err(Reason::Limit(Exhausted::Depth)) if context.budget.depth.is_none() => {
            let length = context.options.max_length.unwrap_or(u64::MAX);
            let what = match context.options.shortest {
                Some(Among::Formula) => "no lasso of the model that violates the formula",
                _ => {
                    "no lasso of the model with this automaton, and no prefix all of whose continuations violate the property,"
                }
            };
            let steps = count(length, "step");
            let words = format!("{what} has at most {steps}; longer ones were not looked for");
            Decision::Unknown(Reason::LengthBound(words))
        }
        Err(reason) => Decision::Unknown(reason),
    };
    let (name, kind) = (property.name.clone(), property.kind);
    let temporal = Some(named(context, property));
    Property { name, kind, verdict, vacuous, temporal, numbers, engine, draft: None }
}

/// What is known about the length of a run.
#[derive(Clone, Copy)]
struct Known {
    /// Nothing: the run is that of a preliminary search.
    is_preliminary: bool,
    /// No violation of the formula is shorter, whatever its automaton.
    of_formula: bool,
}

fn counterexample(
    context: &Context<'_>,
    property: &Temporal,
    run: Validated<ViolatingRun>,
    outcome: &TemporalResult<Step>,
    known: Known,
) -> Counterexample {
    let (engine, is_preliminary) = (context.options, known.is_preliminary);
    let is_about_formula = known.of_formula || engine.shortest == Some(Among::Formula);
    let sense = match &run.continuation {
        Continuation::AnySuffix if is_about_formula && !engine.all_minimal => Sense::FormulaPrefix,
        Continuation::AnySuffix => Sense::Prefix,
        _ if engine.all_minimal => Sense::AcceptingState,
        _ if is_about_formula => Sense::Formula,
        _ => Sense::Automaton,
    };
    let shortest = outcome.run.as_ref().map(Run::length);
    let proof = match (&property.content, context.options.explain) {
        (Content::Formula(claim), true) => proof::lines(claim, &run),
        _ => Vec::new(),
    };
    let observation = match (&property.content, context.options.observe) {
        (Content::Formula(claim), true) => proof::observation(claim, &run, &context.confirmation()),
        _ => None,
    };
    let is_shortest_of_search = match engine.all_minimal {
        true => !context.store.is_lossy(),
        false => outcome.is_minimal && shortest >= Some(run.length() as u64),
    };
    let is_shortest = !is_preliminary && is_shortest_of_search;
    Counterexample {
        is_shortest,
        sense,
        hint: match is_preliminary {
            true => Some(Hint::LimitReached),
            false => hint(context, property, is_shortest, outcome.is_counted, sense),
        },
        first_length: outcome.first_length,
        proof,
        observation,
        run,
    }
}

/// How to ask for a shorter run than this one.
fn hint(context: &Context<'_>, property: &Temporal, is_shortest: bool, is_counted: bool, sense: Sense) -> Option<Hint> {
    let is_formula = matches!(property.content, Content::Formula(_));
    match (is_shortest, sense) {
        (false, _) if context.store.is_lossy() => Some(Hint::ExactStore),
        (false, _) if is_counted => Some(Hint::GeneralisedSearch),
        (false, _) if context.options.shortest.is_none() => Some(Hint::InsistOnShortest),
        (true, Sense::Automaton) if is_formula => Some(Hint::AmongAllLassos),
        _ => None,
    }
}

pub(super) fn named(context: &Context<'_>, property: &Temporal) -> Named {
    Named {
        text: property.text(),
        source: property.source.clone(),
        span: property.span,
        is_fair: context.options.fairness == Fairness::Weak,
    }
}

/// The report on a property that cannot be checked, for a limit or for this reason.
fn unsupported(context: &Context<'_>, property: &Temporal, words: String) -> Property {
    let limit = context.budget.exhausted(0).map(Reason::Limit);
    undecided(context, property, limit.unwrap_or(Reason::Unsupported(words)))
}

/// The report on a property that is undecided for this reason.
pub(super) fn undecided(context: &Context<'_>, property: &Temporal, reason: Reason) -> Property {
    Property {
        name: property.name.clone(),
        kind: property.kind,
        verdict: Decision::Unknown(reason),
        vacuous: None,
        temporal: Some(named(context, property)),
        numbers: Numbers::default(),
        engine: Engine::none(),
        draft: None,
    }
}

/// Whether a formula over the atoms of a claim holds, as far as it can be decided.
pub(super) fn holds(context: &Context<'_>, claim: &Claim, formula: Formula) -> Option<bool> {
    // That a property holds must not wait long for the news that it does so vacuously.
    let stage = preparation(context.budget);
    let prepared = of_violations(&Context { budget: &stage, ..*context }, claim, formula).ok()?;
    let reduction = Temporally::of_formula(context, claim, formula);
    let question = question(&prepared, &claim.atoms, true, &reduction);
    let question = Question { automata: question.preliminary, is_first: true, ..question };
    // Bounds on runs were not reached by the property itself.
    let mut budget = context.budget.stage();
    budget.depth = None;
    let outcome = search(&Context { budget: &budget, checkpoints: None, ..*context }, question, true).ok()?.outcome;
    match outcome.end() {
        End::Found => Some(false),
        End::Complete if outcome.statistics.missed.is_none() => Some(true),
        End::Complete | End::Limit(_) => None,
    }
}
