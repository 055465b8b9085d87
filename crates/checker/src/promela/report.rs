//! What a check found out, ready to be shown in any format.

use crate::promela::input::Input;
use crate::promela::property::Source;
use crate::promela::record::Recorder;
use crate::promela::refinement::{Decided, FactCheck, Refinement};
use crate::reduction::ReductionReport;
use crate::report::{Draft, Location as Place, Observation, PropertyReport};
pub use crate::report::{Hint, PropertyKind, Sense};
use crate::thresholds::report::{LONGEST_MESSAGE, LONGEST_STATEMENT};
use crate::words::{count, cut};
use kernel::decision::{Decision, Reason};
use kernel::span::Span;
use omega::analyse::strength::Strength;
use promela::explain::Describer;
use promela::snapshot::Location;
use promela::validate::Continuation;
use promela::validate::{Validated, ViolatingRun, Violation};
use search::check::Order;
pub use search::coverage::SearchCoverage;
use search::explore::End;
use search::meter::Statistics;

/// A violation that can be shown.
pub struct Counterexample {
    pub run: Validated<ViolatingRun>,
    /// Whether no run to such a violation has fewer steps.
    pub is_shortest: bool,
    /// Among which runs.
    pub sense: Sense,
    /// How to ask for a shorter one, if that can be done.
    pub hint: Option<Hint>,
    /// How long it was before it was shortened.
    pub first_length: Option<u64>,
    /// Why it violates the formula, step by step, if that was asked for.
    pub proof: Vec<String>,
    /// How the automaton of the formula reads it, if that was asked for.
    pub observation: Option<Observation>,
}

impl Counterexample {
    /// A run to a violation of safety.
    pub fn of_safety(run: Validated<ViolatingRun>, is_shortest: bool) -> Self {
        let hint = (!is_shortest).then_some(Hint::InsistOnShortest);
        Self { run, is_shortest, sense: Sense::Safety, hint, first_length: None, proof: Vec::new(), observation: None }
    }
}

/// What is said about a temporal property besides its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// The formula.
    pub text: Option<String>,
    /// Where it comes from.
    pub source: Source,
    /// Where it stands.
    pub span: Option<Span>,
    /// Whether only weakly fair runs count.
    pub is_fair: bool,
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub seconds: f64,
    pub bytes: u64,
    /// Bytes of files, at their peak; zero if memory sufficed.
    pub disk: u64,
    /// The searches of a swarm; zero otherwise.
    pub searches: u64,
    /// The share of all states that a swarm visited, at most.
    pub coverage: Option<f64>,
    /// Violations that were met and are not shown.
    pub omitted: u64,
}

impl Numbers {
    /// Of a search, or of several together.
    pub fn of(statistics: &Statistics) -> Self {
        let Statistics { states, transitions, depth, bytes, disk, searching, searches, coverage, .. } = *statistics;
        let seconds = searching.as_secs_f64();
        Self { states, transitions, depth, seconds, bytes, disk, searches, coverage, omitted: 0 }
    }
}

/// How a property was decided.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The search, and why this one.
    pub search: String,
    pub store: &'static str,
    /// Steps into states that are not counted, where that is known.
    pub transient_steps: Option<u64>,
    /// The strength of the property's automaton.
    pub strength: Option<Strength>,
    /// The states of the property's automaton.
    pub automaton_states: Option<usize>,
    /// Whether only weakly fair runs counted.
    pub is_fair: bool,
    /// With a lossy store, the estimated probability that some state was never visited.
    pub missed: Option<f64>,
    /// An atom of the property that met a run-time error in some state, and counted as false there.
    pub failing_atom: Option<String>,
    /// What facts did to the automaton.
    pub refinement: Option<Refinement>,
    /// Which reductions of the state space were used.
    pub reduction: ReductionReport,
    /// That facts decide the property by themselves.
    pub decided: Option<Decided>,
}

impl Engine {
    /// Nothing was searched.
    pub fn none() -> Self {
        Self {
            search: "none".into(),
            store: "exact",
            transient_steps: None,
            strength: None,
            automaton_states: None,
            is_fair: false,
            missed: None,
            failing_atom: None,
            refinement: None,
            reduction: ReductionReport::default(),
            decided: None,
        }
    }

    /// The search for violations of safety, by several workers perhaps.
    pub fn of_exploration(order: Order, statistics: &Statistics, is_by_team: bool) -> Self {
        let search = match (statistics.threads, order) {
            (0 | 1, _) if statistics.searches > 0 => "swarm".into(),
            (threads, _) if statistics.searches > 0 => format!("swarm on {threads} threads"),
            (0, Order::DepthFirst) => "dfs".into(),
            // A search by levels says how many threads it has.
            (1, Order::DepthFirst) => "bfs".into(),
            (0 | 1, Order::BreadthFirst) => "bfs".into(),
            (workers, _) if is_by_team => format!("bfs by {workers} workers"),
            (threads, Order::DepthFirst) => format!("dfs, then bfs on {threads} threads"),
            (threads, Order::BreadthFirst) => format!("bfs on {threads} threads"),
        };
        let search = if statistics.disk > 0 { format!("{search}, then on disk") } else { search };
        let (transient_steps, missed) = (Some(statistics.transient_steps), statistics.missed);
        Self { search, transient_steps, missed, ..Self::none() }
    }

    /// The searches for a violation of a temporal property.
    pub fn of_search(search: String, strength: Strength, automaton_states: usize) -> Self {
        Self { search, strength: Some(strength), automaton_states: Some(automaton_states), ..Self::none() }
    }
}

/// A property and what was found out about it.
pub struct Property {
    pub name: String,
    pub kind: PropertyKind,
    pub verdict: Decision<SearchCoverage, Vec<Counterexample>>,
    /// Why it holds vacuously, if it does.
    pub vacuous: Option<String>,
    /// What a temporal property says.
    pub temporal: Option<Named>,
    pub numbers: Numbers,
    pub engine: Engine,
    /// A run that violates it and that a limit kept from being confirmed.
    pub draft: Option<Draft>,
}

/// Something that no run executes.
pub struct UnreachedPlace {
    pub process: String,
    pub span: Span,
    pub statement: String,
}

/// What the search for violations of safety came to.
pub struct SafetySearch {
    pub order: Order,
    pub end: End,
    /// Violations that were met but are not among the counterexamples.
    pub omitted: u64,
    /// Whether some run ended in a run-time error.
    pub is_broken: bool,
    pub statistics: Statistics,
    /// What no run executes; nothing if the search did not see everything.
    pub unreached: Option<Vec<UnreachedPlace>>,
}

/// What all stages of a check found, before `describe` makes a report of it.
pub struct Findings<'a> {
    pub input: &'a Input,
    pub describer: &'a Describer<'a>,
    pub properties: Vec<Property>,
    /// The same, described for any front end.
    pub described: Vec<PropertyReport>,
    /// The search for violations of safety, if there was one.
    pub safety: Option<SafetySearch>,
    /// Whether some run never leaves an atomic sequence, if that was looked for.
    pub is_endless: Option<bool>,
    /// Why that is not known, if a property depends on it.
    pub endless_unchecked: Option<Reason>,
    /// What else there is to say, in sentences.
    pub notes: Vec<String>,
    /// What became of the facts, if they were checked.
    pub fact_check: Option<FactCheck>,
}

impl Findings<'_> {
    /// Whether every reachable state was visited.
    pub fn is_complete(&self) -> bool {
        match &self.safety {
            Some(safety) => safety.end == End::Complete && !safety.is_broken && safety.statistics.missed.is_none(),
            None => self.properties.iter().all(|property| matches!(property.verdict, Decision::Holds(_))),
        }
    }
}

/// What happens at the end of a run, in one line.
pub fn headline(recorder: Recorder<'_>, run: &ViolatingRun) -> String {
    match run.violation {
        Violation::InvalidEnd => {}
        Violation::Temporal => return temporal_headline(run),
        Violation::Assertion | Violation::Runtime | Violation::Trace => {
            return cut(run.message.clone(), LONGEST_MESSAGE);
        }
    }
    let stuck: Vec<String> = waiting(recorder, run)
        .into_iter()
        .map(|(process, span, statement)| {
            let (line, _) = recorder.sources.line_column(span);
            format!("{process} waits at line {line} `{statement}`")
        })
        .collect();
    format!("invalid end state: {}", stuck.join(", "))
}

/// What a run that violates a temporal property looks like.
fn temporal_headline(run: &ViolatingRun) -> String {
    let after = match run.steps.len() {
        0 => "from the start".to_owned(),
        stem => format!("after {}", count(stem as u64, "step")),
    };
    match &run.continuation {
        Continuation::AnySuffix if run.steps.is_empty() => "the initial state violates it".into(),
        Continuation::AnySuffix => format!("{after} every continuation violates it"),
        Continuation::Stutter => format!("{after} no process can move"),
        Continuation::Loop(cycle) => match cycle.len() {
            1 => format!("{after}, 1 step repeats forever"),
            length => format!("{after}, {length} steps repeat forever"),
        },
    }
}

/// The processes that have not reached their end, and where they stand.
pub fn waiting(recorder: Recorder<'_>, run: &ViolatingRun) -> Vec<(String, Span, String)> {
    let processes = run.last.processes.iter().enumerate();
    let place = |(pid, process): (usize, &promela::snapshot::Process)| {
        let name = format!("{}({pid})", recorder.describer.proc(process.proc));
        match process.location {
            Location::At(id) | Location::Exit(id) => {
                let (span, text) = recorder.describer.statement_text(id);
                Some((name, span, cut(text, LONGEST_STATEMENT)))
            }
            Location::End => None,
        }
    };
    processes.filter_map(place).collect()
}

/// Where a violation is reported: at the formula of a temporal property that is stated in a file, else where the run goes
/// wrong.
pub fn at(recorder: Recorder<'_>, run: &ViolatingRun, stated: Option<Span>) -> Option<Place> {
    let place = |span| Place::of(recorder.sources, span);
    match stated.filter(|_| run.violation == Violation::Temporal).map(place) {
        // A formula on the command line is in no file.
        Some(stated) => Some(stated).filter(|stated| !stated.file.starts_with('<')),
        None => self::place(recorder, run).map(place),
    }
}

/// Where a run goes wrong: the failing statement, or the place of the first process that waits.
pub fn place(recorder: Recorder<'_>, run: &ViolatingRun) -> Option<Span> {
    let failing = run.at.map(|id| recorder.describer.statement_text(id).0);
    let last = || run.steps.last().map(|described| recorder.describer.statement(described).0);
    let first_waiting = || waiting(recorder, run).first().map(|(_, span, _)| *span);
    match run.violation {
        Violation::InvalidEnd => first_waiting().or_else(last),
        Violation::Assertion | Violation::Runtime | Violation::Trace => failing.or_else(last),
        Violation::Temporal => {
            let first =
                run.continuation.loop_steps().first().map(|described| recorder.describer.statement(described).0);
            first.or_else(last)
        }
    }
}
