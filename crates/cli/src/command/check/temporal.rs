//! One temporal property: translate, multiply, search, shorten, validate.

use super::automata::{of_violations, prepare};
use super::{Context, PATIENCE, events, proof, refine, vacuity};
use crate::arguments::{Among, EmptinessCheck, Fairness, Minimiser};
use crate::binding::{Bound, BoundAtoms};
use crate::bug;
use crate::exit::Failure;
use crate::report::{Counterexample, Engine, Named, Numbers, Property, Sense};
use crate::temporal::{Content, Temporal};
use kernel::budget::Exhausted;
use kernel::verdict::{Reason, Verdict};
use omega::automaton::Automaton;
use omega::formula::Formula;
use omega::scc::Components;
use omega::strength::{Strength, strength_of, strengths};
use promela::claim::Claim;
use promela::compiled::ModelStep;
use promela::reference::Outcome as Reference;
use promela::snapshot::Snapshot;
use promela::typed::Expr;
use promela::validate::temporal::{Shape, validate};
use promela::validate::{Onward, Refusal, Story, Validated};
use search::accepting::Accepting;
use search::emptiness::{Emptiness, End};
use search::fairness::Fair;
use search::meter::Statistics;
use search::product::{EdgeOrder, Product, Property as Compiled};
use search::shorten::Shortening;
use search::store::Store;
use search::stutter::{Stutter, Stuttered};
use search::temporal::{self, Effort, Move, Options, Outcome, Run};
use std::time::Instant;

/// Lassos that are shown with `--all-minimal`, the shortest ones; further ones are counted.
const MOST_LASSOS: usize = 100;

/// A step of the model, or none.
type Step = Stuttered<ModelStep>;
/// The model in step with an automaton.
type Whole<'m> = Product<Stutter<Bound<'m>>, BoundAtoms<'m>>;

/// Checks a property.
pub(super) fn check(context: &Context<'_>, property: &Temporal) -> Result<Property, Failure> {
    if let Content::Events(trace) = property.content {
        return events::check(context, property, trace);
    }
    let mut prepared = match prepare(context, property) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(unsupported(context, property, reason)),
    };
    let atoms = match &property.content {
        Content::Formula(claim) => &claim.atoms,
        Content::Automaton(_, atoms) => atoms,
        Content::Events(_) => unreachable!("assertions about events are checked elsewhere"),
        Content::Unsupported(reason) => return Ok(unsupported(context, property, reason.clone())),
    };
    let question = Question { automata: &prepared.automata, atoms, stutters: property.stutters() };
    let decided = match &property.content {
        Content::Formula(claim) => refine::formula_decided(context, claim, &prepared),
        Content::Automaton(automaton, atoms) => refine::automaton_decided(context, automaton, atoms, &prepared),
        Content::Events(_) | Content::Unsupported(_) => None,
    };
    let (mut search, mut stories) = match found(context, property, question, prepared.unrefined()) {
        Ok(found) => found,
        Err(reason) => return Ok(unsupported(context, property, reason)),
    };
    if search.outcome.end == End::Complete && search.runs.is_empty() && search.is_broken {
        // By facts a prefix may be bad that is none for the formula itself, and the runs after it may all break off.
        match prepared.without_refinement("some runs end in a run-time error") {
            Ok(plain) => {
                prepared = plain;
                let question = Question { automata: &prepared.automata, atoms, stutters: property.stutters() };
                (search, stories) = found(context, property, question, None).unwrap_or((search, stories));
            }
            Err(refined) => prepared = refined,
        }
    }
    let stories = stories.map_err(|(refusal, _)| bug::disagreement(context.input, &refusal))?;
    let mut property = decide(context, property, search, stories);
    (property.engine.refinement, property.engine.decided) = (prepared.refinement, decided);
    Ok(property)
}

/// Searches, and confirms what was found. `unrefined` is the automaton before refinement, where there was some.
fn found(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
) -> Result<(Searched, Confirmed), String> {
    let mut found = match context.arguments.engine.all_minimal {
        true => search_each(context, question)?,
        false => search(context, question, true)?,
    };
    if context.arguments.engine.all_minimal {
        add_prefix(context, property, question, unrefined, &mut found)?;
    }
    let mut stories = confirm_all(context, property, &found.runs);
    if matches!(&stories, Err((_, Doubt::Violation))) {
        // A prefix after which all is lost need not show it on its face; then a lasso must, or a prefix after which all
        // is lost whatever the model does.
        found = search(context, question, false)?;
        stories = confirm_all(context, property, &found.runs);
        if let Some(automaton) = unrefined {
            let question = Question { automata: std::slice::from_ref(automaton), ..question };
            let other = search(context, question, true)?;
            let confirmed = confirm_all(context, property, &other.runs);
            if !matches!(&confirmed, Err((_, Doubt::Violation))) {
                let is_better = other.is_shorter_than(&found);
                found = join(context, found, other);
                stories = if is_better { confirmed } else { stories };
            }
        }
    }
    Ok((found, stories))
}

/// Adds a shortest bad prefix, if it is shorter than all lassos: it passes no accepting state.
fn add_prefix(
    context: &Context<'_>,
    property: &Temporal,
    question: Question<'_>,
    unrefined: Option<&Automaton>,
    found: &mut Searched,
) -> Result<(), String> {
    let decides =
        |automaton: &Automaton| strengths(automaton, &Components::of(automaton)).contains(&Strength::Terminal);
    // What is bad by facts need not be so on its face.
    for automata in std::iter::once(question.automata).chain(unrefined.map(std::slice::from_ref)) {
        if !automata.iter().any(decides) {
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

/// What came of the confirmation of runs.
type Confirmed = Result<Vec<Validated<Story>>, (Refusal, Doubt)>;

/// What is not confirmed.
enum Doubt {
    /// That this is a run, or that a lasso violates the property: engine and reference disagree.
    Run,
    /// That a run without a cycle, each step of which is confirmed, violates the property whatever follows.
    Violation,
}

fn confirm_all(context: &Context<'_>, property: &Temporal, runs: &[Run<Step>]) -> Confirmed {
    let confirmed = |run: &Run<Step>| {
        confirm(context, property, run).map_err(|refusal| {
            let is_prefix = run.cycle.is_empty() && refusal.step > run.stem.len();
            (refusal, if is_prefix { Doubt::Violation } else { Doubt::Run })
        })
    };
    runs.iter().map(confirmed).collect()
}

/// What is searched for.
#[derive(Clone, Copy)]
struct Question<'a> {
    /// The automata whose runs are the violations, together.
    automata: &'a [Automaton],
    atoms: &'a [(String, Expr)],
    /// Whether runs that end count as runs that repeat their last state.
    stutters: bool,
}

/// What a search told, and what was noticed on the way.
struct Searched {
    outcome: Outcome<Step>,
    /// The runs to show.
    runs: Vec<Run<Step>>,
    /// Further runs.
    omitted: u64,
    strength: Strength,
    automaton_states: usize,
    /// Whether some run ended in a run-time error.
    is_broken: bool,
    /// An atom that met a run-time error in some state.
    failing_atom: Option<String>,
}

impl Searched {
    fn is_shorter_than(&self, other: &Searched) -> bool {
        let length = |search: &Searched| search.outcome.run.as_ref().map_or(u64::MAX, Run::length);
        length(self) < length(other)
    }
}

fn decide(context: &Context<'_>, property: &Temporal, search: Searched, stories: Vec<Validated<Story>>) -> Property {
    let Searched { outcome, omitted, strength, automaton_states, is_broken, failing_atom, .. } = search;
    let mut numbers = Numbers::of(&outcome.statistics);
    numbers.omitted = omitted;
    let mut engine = Engine::of_search(outcome.method.clone(), strength, automaton_states);
    engine.is_fair = context.arguments.engine.fair == Fairness::Weak;
    engine.store = context.store.name();
    engine.missed = outcome.statistics.missed;
    engine.failing_atom = failing_atom;
    let mut vacuous = None;
    let verdict = match outcome.absence() {
        _ if !stories.is_empty() => {
            let show = |story| counterexample(context, property, story, &outcome);
            Verdict::Violated(stories.into_iter().map(show).collect())
        }
        Ok(_) | Err(Reason::LossyStore) if is_broken => Verdict::Unknown(Reason::BrokenOff),
        Ok(coverage) => match context.endless() {
            Some(reason) => Verdict::Unknown(reason),
            None => {
                vacuous = vacuity::reason(context, property);
                Verdict::Holds(coverage)
            }
        },
        Err(Reason::Stopped) => unreachable!("what was found was validated"),
        Err(Reason::Limit(Exhausted::Depth)) if context.budget.depth.is_none() => {
            let length = context.arguments.engine.max_length.unwrap_or(u64::MAX);
            let what = match context.arguments.engine.shortest {
                Some(Among::Formula) => "no lasso of the model that violates the formula",
                _ => "no lasso of this automaton, and no prefix that violates the property whatever follows,",
            };
            let words = format!("{what} has at most {length} steps; longer ones were not looked for");
            Verdict::Unknown(Reason::Unsupported(words))
        }
        Err(reason) => Verdict::Unknown(reason),
    };
    let (name, kind) = (property.name.clone(), property.kind);
    Property { name, kind, verdict, vacuous, temporal: Some(named(context, property)), numbers, engine }
}

fn counterexample(
    context: &Context<'_>,
    property: &Temporal,
    story: Validated<Story>,
    outcome: &Outcome<Step>,
) -> Counterexample {
    let engine = &context.arguments.engine;
    let sense = match (&story.onward, engine.shortest) {
        (Onward::Anyhow, _) => Sense::Prefix,
        _ if engine.all_minimal => Sense::AcceptingState,
        (_, Some(Among::Formula)) => Sense::Formula,
        (_, _) => Sense::Automaton,
    };
    let shortest = outcome.run.as_ref().map(Run::length);
    let proof = match (&property.content, context.arguments.explain) {
        (Content::Formula(claim), true) => proof::lines(claim, &story),
        _ => Vec::new(),
    };
    let is_shortest = engine.all_minimal || outcome.is_minimal && shortest >= Some(story.length() as u64);
    Counterexample {
        is_shortest,
        sense,
        hint: hint(context, property, is_shortest, sense),
        first_length: outcome.first_length,
        proof,
        saved: None,
        story,
    }
}

/// How to ask for a shorter run than this one.
fn hint(context: &Context<'_>, property: &Temporal, is_shortest: bool, sense: Sense) -> Option<&'static str> {
    let is_formula = matches!(property.content, Content::Formula(_));
    match (is_shortest, sense) {
        (false, _) if context.store.is_lossy() => Some("only --store exact proves it"),
        (false, _) if context.arguments.engine.shortest.is_none() => Some("--shortest looks for a shortest run"),
        (true, Sense::Automaton) if is_formula => {
            Some("--shortest=formula looks among all lassos of the model that violate the formula")
        }
        _ => None,
    }
}

pub(super) fn named(context: &Context<'_>, property: &Temporal) -> Named {
    Named {
        text: property.text(),
        source: property.source.clone(),
        span: property.span,
        is_fair: context.arguments.engine.fair == Fairness::Weak,
    }
}

fn unsupported(context: &Context<'_>, property: &Temporal, reason: String) -> Property {
    Property {
        name: property.name.clone(),
        kind: property.kind,
        verdict: Verdict::Unknown(Reason::Unsupported(reason)),
        vacuous: None,
        temporal: Some(named(context, property)),
        numbers: Numbers::default(),
        engine: Engine::none(),
    }
}

/// Whether a formula over the atoms of a claim holds, as far as it can be decided.
pub(super) fn holds(context: &Context<'_>, claim: &Claim, formula: Formula) -> Option<bool> {
    let prepared = of_violations(context, claim, formula).ok()?;
    let question = Question { automata: &prepared.automata, atoms: &claim.atoms, stutters: true };
    let outcome = search(context, question, true).ok()?.outcome;
    match outcome.end {
        End::Found => Some(false),
        End::Complete if outcome.statistics.missed.is_none() => Some(true),
        End::Complete | End::Limit(_) => None,
    }
}

/// Searches the products with all automata for a run, a shortest one if several have some.
fn search(context: &Context<'_>, question: Question<'_>, prefixes: bool) -> Result<Searched, String> {
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
fn join(context: &Context<'_>, one: Searched, two: Searched) -> Searched {
    let is_minimal = |search: &Searched| search.outcome.run.is_none() || search.outcome.is_minimal;
    let all_minimal = is_minimal(&one) && is_minimal(&two);
    let (is_broken, strength) = (one.is_broken || two.is_broken, one.strength.max(two.strength));
    let failing_atom = one.failing_atom.clone().or_else(|| two.failing_atom.clone());
    let statistics = one.outcome.statistics.then(two.outcome.statistics);
    let (mut better, other) = if two.is_shorter_than(&one) { (two, one) } else { (one, two) };
    if let (None, End::Limit(_)) = (&better.outcome.run, other.outcome.end) {
        better.outcome.end = other.outcome.end;
    }
    // With a bound on the length, what is left out is longer.
    let is_bounded = context.arguments.engine.max_length.is_some() && context.budget.depth.is_none();
    let is_cut = matches!(other.outcome.end, End::Limit(limit) if !(is_bounded && limit == Exhausted::Depth));
    better.outcome.is_minimal = all_minimal && !is_cut && better.outcome.run.is_some();
    (better.is_broken, better.strength, better.outcome.statistics) = (is_broken, strength, statistics);
    better.runs = better.outcome.run.iter().cloned().collect();
    better.failing_atom = failing_atom;
    better
}

fn search_one(
    context: &Context<'_>,
    automaton: &Automaton,
    question: Question<'_>,
    prefixes: bool,
) -> Result<Searched, String> {
    let whole = product(context, automaton, question)?;
    let strength = strength_of(automaton);
    let mut tell = |statistics: &Statistics| context.progress.tell(statistics);
    let options = options(context, strength, prefixes, &mut tell);
    let automaton_states = automaton.state_count();
    let (outcome, is_broken, failing_atom) = match context.arguments.engine.fair {
        Fairness::None => {
            allow(&whole, &options)?;
            let outcome = temporal::check(&whole, &whole, |step| step.model, options);
            (outcome, whole.model().inner().is_broken(), failing_atom(&whole, automaton))
        }
        Fairness::Weak => {
            let fair = Fair::new(whole).map_err(|_| "there are too many processes for --fair weak".to_string())?;
            allow(&fair, &options)?;
            let outcome = temporal::check(fair.inner(), &fair, |step| step.step.model, options);
            let bound = fair.inner().model().inner();
            if bound.is_crowded() {
                return Err("there are too many processes for --fair weak".into());
            }
            (outcome, bound.is_broken(), failing_atom(fair.inner(), automaton))
        }
    };
    let runs = outcome.run.iter().cloned().collect();
    Ok(Searched { outcome, runs, omitted: 0, strength, automaton_states, is_broken, failing_atom })
}

/// Searches for a shortest lasso through each accepting state of the products.
fn search_each(context: &Context<'_>, question: Question<'_>) -> Result<Searched, String> {
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
    if context.arguments.engine.fair == Fairness::Weak || !whole.is_state_based() {
        return Err("--all-minimal needs one acceptance set on states; here there are several, or fairness".into());
    }
    let strength = strength_of(automaton);
    let mut tell = |statistics: &Statistics| context.progress.tell(statistics);
    let options = options(context, strength, false, &mut tell);
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
    let runs = Vec::new();
    Ok(Searched { outcome, runs, omitted: 0, strength, automaton_states, is_broken, failing_atom })
}

/// An atom that met a run-time error, after the search.
fn failing_atom(whole: &Whole<'_>, automaton: &Automaton) -> Option<String> {
    whole.atoms().failed().map(|index| automaton.atoms()[index].clone())
}

/// The model in step with an automaton.
fn product<'m>(context: &Context<'m>, automaton: &Automaton, question: Question<'_>) -> Result<Whole<'m>, String> {
    let compiled = Compiled::new(automaton, EdgeOrder::AcceptingFirst)
        .map_err(|_| "the property has more than 128 atoms".to_string())?;
    let expression = |name: &String| question.atoms.iter().find(|(known, _)| known == name).map(|(_, expr)| expr);
    let expressions: Option<Vec<&Expr>> = automaton.atoms().iter().map(expression).collect();
    let expressions = expressions.expect("the automaton has the atoms of the property");
    let model = context.model;
    let bound = Bound::new(model);
    let runs = if question.stutters { Stutter::new(bound) } else { Stutter::off(bound) };
    Ok(Product::new(runs, BoundAtoms::new(model, expressions), compiled))
}

fn options<'a>(
    context: &Context<'a>,
    strength: Strength,
    prefixes: bool,
    progress: &'a mut dyn FnMut(&Statistics),
) -> Options<'a> {
    let engine = &context.arguments.engine;
    Options {
        budget: context.budget,
        emptiness: engine.emptiness.map(emptiness),
        shortening: engine.minimiser.map(shortening),
        effort: effort(context),
        max_length: engine.max_length,
        store: context.store,
        // A tight automaton gives lassos of the model; a prefix is cut by what the automaton can foresee.
        prefixes: prefixes && engine.shortest != Some(Among::Formula) && !context.store.is_lossy(),
        strength,
        progress,
    }
}

/// Whether the searches asked for can be made.
fn allow<A: Accepting>(system: &A, options: &Options<'_>) -> Result<(), String> {
    let refused = |name: &str| Err(format!("`{name}` cannot be combined with --store {}", options.store.name()));
    if !system.is_state_based() && matches!(options.store, Store::Bitstate { .. }) {
        return Err("--store bitstate needs one acceptance set on states; here there are several, or fairness".into());
    }
    if let Some(search) = options.emptiness.filter(|search| !search.takes(options.store)) {
        return refused(search.name());
    }
    if let Some(search) = options.shortening.filter(|search| !search.takes(options.store)) {
        return refused(search.name());
    }
    if system.is_state_based() {
        return Ok(());
    }
    let emptiness = options.emptiness.filter(|search| !search.is_generalised()).map(Emptiness::name);
    let shortening = options.shortening.filter(|search| !search.is_generalised()).map(Shortening::name);
    match emptiness.or(shortening) {
        Some(name) => Err(format!("`{name}` needs one acceptance set on states; here there are several, or fairness")),
        None => Ok(()),
    }
}

fn effort(context: &Context<'_>) -> Effort {
    match (context.arguments.first, context.arguments.engine.shortest) {
        (true, _) => Effort::First,
        (false, Some(_)) => Effort::Shortest,
        (false, None) => Effort::Within(PATIENCE),
    }
}

fn emptiness(check: EmptinessCheck) -> Emptiness {
    match check {
        EmptinessCheck::Spin => Emptiness::Spin,
        EmptinessCheck::Gmz => Emptiness::Gmz,
        EmptinessCheck::Se => Emptiness::Se,
        EmptinessCheck::Scc => Emptiness::Scc,
    }
}

fn shortening(minimiser: Minimiser) -> Shortening {
    match minimiser {
        Minimiser::SpinI => Shortening::SpinI,
        Minimiser::Dfs => Shortening::Dfs,
        Minimiser::Bfs => Shortening::Bfs,
        Minimiser::Generalised => Shortening::Generalised,
    }
}

/// Has the reference interpreter walk along a run, and the direct evaluator read it.
fn confirm(context: &Context<'_>, property: &Temporal, run: &Run<Step>) -> Result<Validated<Story>, Refusal> {
    let started = Instant::now();
    let is_fair = context.arguments.engine.fair == Fairness::Weak;
    let demand = property.demand(is_fair).expect("a property that was searched says something");
    let model = context.model;
    let mut steps: Vec<&Move<Step>> = run.stem.iter().chain(&run.cycle).collect();
    // Where nothing moves once, nothing ever does, however many times the automaton goes on by itself.
    let end = steps.iter().position(|next| next.step == Stuttered::Repeat);
    steps.truncate(end.unwrap_or(steps.len()));
    let (stem, cycle) = end.map_or((run.stem.len(), run.cycle.len()), |end| (end, 0));
    let mut guide = |taken: usize, _: &Snapshot, outcomes: &[Reference]| {
        let Some(next) = steps.get(taken) else { return Ok(None) };
        let Stuttered::Step(step) = next.step else { return Err("nothing moves here, but later".to_string()) };
        let (wanted, state) = (model.step(step), Some(model.snapshot(&next.state)));
        match outcomes.iter().position(|outcome| outcome.step == wanted && outcome.next == state) {
            Some(index) => Ok(Some(index)),
            None => Err(format!("{wanted:?} to {state:?} is not among the outcomes {outcomes:#?}")),
        }
    };
    let shape = Shape { stem, cycle, stutters: end.is_some() };
    let answer = validate(context.reference, context.narrator, &mut guide, shape, demand);
    context.validating.set(context.validating.get() + started.elapsed().as_secs_f64());
    answer
}
