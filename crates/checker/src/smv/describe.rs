//! The findings of the symbolic engine, put into the words of a [`Report`](crate::report::Report).

use super::{Input, proof};
use crate::report::{
    About, Action, Branch, Change, Count, Counterexample, Engine, Location, NamedValue, PropertyKind, PropertyReport,
    PropertySource, Reason, Run, Seconds, Sense, Statistics, Step, Valuation, Value, Verdict, Violation,
};
use flat::model::{Model, NodeId, Property, Question};
use kernel::budget::Budget;
use symbolic::check::{BYTES_PER_NODE, EVERY_STATE_HAS_A_SUCCESSOR, SOME_PATH_IS_FAIR, name};
use symbolic::report::{Answer, CheckResult, PropertyResult, Setting, Trace, TraceState};
use symbolic::validate::Validated;

/// The name of the sets that the engine works with.
const STORE: &str = "decision diagrams";

/// One property, the one with this number in the model if the model states it.
pub(super) fn property(
    input: &Input,
    model: &Model,
    found: &PropertyResult,
    so_far: &CheckResult,
    index: usize,
    seconds: Seconds,
    (explaining, observing): (Option<&Budget>, Option<&Budget>),
) -> PropertyReport {
    let stated = model.properties.get(index).filter(|_| !found.section.is_empty());
    let at = stated.map(|property| Location::of(&input.sources, property.span));
    PropertyReport {
        name: found.name.clone(),
        kind: PropertyKind::of_word(&found.kind).expect("the engine has kinds of its own"),
        formula: Some(located(&found.text, &found.instance)),
        section: (!found.section.is_empty()).then(|| found.section.clone()),
        at: at.clone(),
        source: stated
            .and_then(|property| input.beside(property))
            .map_or(PropertySource::Model, |text| PropertySource::Formula(text.into())),
        verdict: verdict(&Context { input, model, explaining, observing }, found, stated, at),
        warnings: Vec::new(),
        statistics: Statistics { states: states(so_far), ..Statistics::default() },
        engine: Engine {
            reduction: None,
            search: Some("symbolic".into()),
            store: Some(STORE.into()),
            events: Some(so_far.events),
            is_for_sat: stated.is_some_and(|property| is_for_sat(&property.question)),
            ..Engine::default()
        },
        seconds,
        unconfirmed_trace_file: None,
        draft: None,
    }
}

/// The properties of a model before the check, all undecided: those that it states, and those of every model.
pub(super) fn announced(input: &Input, model: &Model, deadlocks: bool) -> Vec<PropertyReport> {
    let undecided = |name: String, kind: &str| PropertyReport {
        name,
        kind: PropertyKind::of_word(kind).expect("the engine has kinds of its own"),
        formula: None,
        section: None,
        at: None,
        source: PropertySource::Model,
        verdict: Verdict::Unknown(Reason::Unfinished),
        warnings: Vec::new(),
        statistics: Statistics::default(),
        engine: Engine::default(),
        seconds: Seconds::default(),
        unconfirmed_trace_file: None,
        draft: None,
    };
    let stated = model.properties.iter().enumerate().map(|(index, property)| PropertyReport {
        formula: Some(located(&property.text, &property.instance)),
        section: Some(property.section.to_owned()),
        at: Some(Location::of(&input.sources, property.span)),
        engine: Engine { is_for_sat: is_for_sat(&property.question), ..Engine::default() },
        ..undecided(name(index, property), property.question.kind())
    });
    let of_every_model = [("deadlock", EVERY_STATE_HAS_A_SUCCESSOR), ("fairness", SOME_PATH_IS_FAIR)].into_iter();
    let of_every_model = of_every_model.filter(|(name, _)| deadlocks || *name != "deadlock");
    let of_every_model = of_every_model
        .map(|(name, text)| PropertyReport { formula: Some(text.into()), ..undecided(name.into(), name) });
    stated.chain(of_every_model).collect()
}

/// Whether SAT can decide a property.
fn is_for_sat(question: &Question) -> bool {
    match question {
        Question::Invariant(_) | Question::Ltl(_) => true,
        Question::Ctl(formula) => formula.as_linear().is_some(),
        Question::Shortest(..) | Question::Longest(..) => false,
    }
}

/// A property that was never begun, because a limit was reached before.
pub(super) fn unbegun(announced: PropertyReport, budget: &Budget) -> PropertyReport {
    let reason = budget.exhausted(0).map_or(Reason::Unfinished, Reason::Limit);
    PropertyReport { verdict: Verdict::Unknown(reason), ..announced }
}

/// What a description of a counterexample takes.
struct Context<'a> {
    input: &'a Input,
    model: &'a Model,
    /// The limits of a proof, if one is wanted.
    explaining: Option<&'a Budget>,
    observing: Option<&'a Budget>,
}

fn verdict(context: &Context<'_>, found: &PropertyResult, stated: Option<&Property>, at: Option<Location>) -> Verdict {
    match (&found.answer, found.coverage()) {
        (Answer::Unknown { limit }, _) => Verdict::Unknown(Reason::Limit(*limit)),
        (_, None) => Verdict::Unknown(Reason::Unsupported("the engine gives no proof of its answer".into())),
        (Answer::Holds { vacuous: None }, Some(coverage)) => Verdict::Holds { coverage: coverage.into() },
        (Answer::Holds { vacuous: Some(reason) }, Some(coverage)) => {
            Verdict::HoldsVacuously { coverage: coverage.into(), reason: reason.clone() }
        }
        (Answer::Length { steps }, Some(coverage)) => Verdict::Computed { coverage: coverage.into(), steps: *steps },
        (Answer::Violated, Some(coverage)) => Verdict::Violated(match &found.counterexample {
            Some(trace) => Violation::shown(vec![counterexample(context, found, stated, trace, at)], 0),
            None => Violation::computed(coverage),
        }),
    }
}

/// The formula, with the instance it is written in.
fn located(text: &str, instance: &str) -> String {
    if instance.is_empty() { text.into() } else { format!("{text} IN {instance}") }
}

/// What a counterexample to freedom from deadlocks shows.
pub const DEADLOCK: &str = "a state without a successor is reached";

/// What a counterexample to a formula shows.
#[must_use]
pub fn falsehood(text: &str, instance: &str) -> String {
    format!("{} is false", located(text, instance))
}

/// What a counterexample shows, in one line.
fn message(found: &PropertyResult) -> String {
    match found.kind.as_str() {
        "deadlock" => DEADLOCK.into(),
        "fairness" => "no path from an initial state is fair and infinite".into(),
        _ => falsehood(&found.text, &found.instance),
    }
}

fn counterexample(
    context: &Context<'_>,
    found: &PropertyResult,
    stated: Option<&Property>,
    trace: &Validated<Trace>,
    at: Option<Location>,
) -> Counterexample {
    let Context { input, model, explaining, observing } = context;
    let atoms = stated.map_or_else(Vec::new, |property| property.question.atoms());
    let explain = |budget: &Budget| {
        stated.map_or_else(Vec::new, |property| proof::lines(&input.sources, model, property, trace, budget))
    };
    let fact =
        |(node, truth): &(NodeId, bool)| format!("{} is {truth}", proof::expression(&input.sources, model, *node));
    let about = About {
        message: message(found),
        at,
        values: Vec::new(),
        waiting: Vec::new(),
        is_shortest: trace.shortest,
        sense: Sense::Model,
        hint: None,
        first_length: None,
        proof: explaining.map_or_else(Vec::new, explain),
        minimised: found.minimised,
        everywhere: found.constants.iter().map(fact).collect(),
        left_out: found.left_out.clone(),
        definitions: flat::cone::definitions(model, &atoms),
        observation: observing.and_then(|budget| {
            stated.and_then(|property| proof::observation(&input.sources, model, property, trace, budget))
        }),
    };
    Counterexample::confirmed(trace, run(trace), about)
}

/// A trace, which lists states, as a run, which lists steps.
pub(super) fn run(trace: &Trace) -> Run {
    let step = |from: &TraceState, to: &TraceState| Step {
        changes: changes(&from.state, &to.state),
        inputs: (!from.inputs.is_empty())
            .then(|| valuation(&from.inputs, from.relevant.as_ref(), &from.defined.inputs).into()),
        state: Some(state(to).into()),
        ..Step::new(Action::Transition)
    };
    let states = &trace.states;
    let steps: Vec<Step> = states.windows(2).map(|pair| step(&pair[0], &pair[1])).collect();
    let (mut stem, mut cycle) = (steps, Vec::new());
    if let (Some(start), Some(last)) = (trace.loop_start, states.last()) {
        cycle = stem.split_off(start);
        cycle.push(step(last, &states[start]));
    }
    let branches = trace.branches.iter().map(|branch| Branch { at: branch.at, run: run(&branch.trace) }).collect();
    Run { initial: state(&states[0]), stem, cycle, branches }
}

fn state(state: &TraceState) -> Valuation {
    valuation(&state.state, state.relevant.as_ref(), &state.defined.state)
}

fn named(setting: &Setting) -> NamedValue {
    NamedValue { name: setting.name.clone(), value: Value::of_smv(&setting.value) }
}

fn valuation(settings: &[Setting], relevant: Option<&Vec<String>>, defined: &[Setting]) -> Valuation {
    let among = |names: &Vec<String>| {
        let is_set = |name: &&String| settings.iter().any(|setting| setting.name == flat::order::split(name).0);
        names.iter().filter(is_set).cloned().collect()
    };
    Valuation {
        values: settings.iter().map(named).collect(),
        relevant: relevant.map(among),
        definitions: defined.iter().map(named).collect(),
    }
}

/// The values that differ between two states.
pub(super) fn changes(before: &[Setting], after: &[Setting]) -> Vec<Change> {
    let differs = |(before, after): &(&Setting, &Setting)| before.value != after.value;
    let change = |(before, after): (&Setting, &Setting)| Change {
        name: after.name.clone(),
        before: Some(Value::of_smv(&before.value)),
        after: Some(Value::of_smv(&after.value)),
    };
    before.iter().zip(after).filter(differs).map(change).collect()
}

fn states(report: &CheckResult) -> Option<Count> {
    let exact = report.reachable_states.as_ref().and_then(|text| text.parse().ok()).map(Count::Exact);
    exact.or_else(|| report.reachable_states_approximately.map(Count::About))
}

/// The numbers of the whole check.
pub(super) fn statistics(report: &CheckResult) -> Statistics {
    Statistics {
        states: states(report),
        diameter: report.diameter.map(|rings| rings as u64),
        peak_memory_bytes: Some(report.peak_nodes as u64 * BYTES_PER_NODE),
        peak_nodes: Some(report.peak_nodes as u64),
        state_variables: Some(report.state_variables as u64),
        input_variables: Some(report.input_variables as u64),
        bits: Some(report.bits as u64),
        ..Statistics::default()
    }
}
