//! The law: a reduced model has the ends, the faults, the executed statements and the temporal properties of the model.
//!
//! Both graphs are built whole, and nothing but the reduced system itself is shared. Deadlocks are compared as sets of
//! states. If no run ends in a run-time error, then so are the failing statements and the executed edges; if some run
//! does, both must say so. Properties are decided on the products with the same automaton.

pub(super) use crate::thresholds::compare::REDUCED_STATES;
use checker::promela::binding;
use kernel::budget::Budget;
use kernel::system::{Ending, Fault, System, laws, record};
use omega::analyse::questions::is_invariant;
use omega::automaton::Automaton;
use omega::pipeline::{self, translate};
use promela::claim::Claim;
use promela::compiled::{Model, ModelStep};
use promela::reduce::{Plan, Reduced};
use promela::snapshot::ProcessStep;
use promela::typed::{ProcId, ProcKind, Program};
use search::emptiness::{self, Emptiness, End};
use search::product::EdgeOrder;
use search::store::Store;
use std::collections::{BTreeMap, BTreeSet};

/// What the graph of a system shows.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// States that are stored.
    pub states: u64,
    /// Steps between states, those through transient states included.
    pub steps: u64,
    /// States without successors, and of what kind they are.
    pub(super) ends: BTreeSet<(Vec<u8>, bool)>,
    /// Assertions that fail, and whether a step goes wrong.
    faults: BTreeSet<String>,
    pub(super) is_broken: bool,
    executed: BTreeSet<String>,
}

/// Visits all states; nothing if there are more than `most`.
pub fn graph<M: System<Step = ModelStep>>(system: &M, model: &Model, most: usize) -> Option<Graph> {
    let mut graph = Graph::default();
    let mut scratch = system.scratch();
    let mut initial = Vec::new();
    system.initial(&mut initial);
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![(initial, false)];
    while let Some((state, is_transient)) = open.pop() {
        graph.states += u64::from(!is_transient);
        let record = record(system, &mut scratch, &state);
        if record.successors.is_empty() && record.faults.is_empty() {
            let is_valid = system.ending(&mut scratch, &state) == Ending::Valid;
            graph.ends.insert((state, is_valid));
            continue;
        }
        for (step, fault) in &record.faults {
            graph.is_broken |= *fault == Fault::Runtime;
            graph.faults.insert(format!("{:?} {:?}", named(model.step(*step)), fault == &Fault::Runtime));
        }
        for (step, next, is_transient) in record.successors {
            graph.steps += 1;
            graph.executed.insert(named(model.step(step)));
            if seen.insert(next.clone()) {
                open.push((next, is_transient));
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(graph)
}

/// A step without the number of the process.
fn named(step: ProcessStep) -> String {
    match step.action {
        promela::snapshot::Action::Handshake { send, receive, .. } => format!("handshake {send:?} {receive:?}"),
        action => format!("{action:?}"),
    }
}

/// Compares the graphs.
///
/// # Errors
/// What differs.
pub fn same_graph(full: &Graph, reduced: &Graph) -> Result<(), String> {
    if full.is_broken != reduced.is_broken {
        return Err(format!("run-time errors: {} in full, {} reduced", full.is_broken, reduced.is_broken));
    }
    if full.is_broken {
        return Ok(());
    }
    if full.ends != reduced.ends {
        let (full, reduced) = (full.ends.len(), reduced.ends.len());
        return Err(format!("{full} ends in full, {reduced} reduced, and not the same"));
    }
    same_statements(full, reduced)
}

/// Compares what fails and what is executed, where no run ends in a run-time error.
pub(super) fn same_statements(full: &Graph, reduced: &Graph) -> Result<(), String> {
    let differ = |what: &str, full: &BTreeSet<String>, reduced: &BTreeSet<String>| match full == reduced {
        true => Ok(()),
        false => Err(format!("{what}: {:?}", full.symmetric_difference(reduced).collect::<Vec<_>>())),
    };
    differ("faults", &full.faults, &reduced.faults)?;
    differ("executed", &full.executed, &reduced.executed)
}

/// A property of a program, ready to be decided.
pub struct Question {
    pub(super) name: String,
    pub(super) claim: Claim,
    automaton: Automaton,
    pub(super) is_invariant: bool,
}

/// The stated formulas of a program.
#[must_use]
pub fn questions(program: &Program) -> Vec<Question> {
    let budget = Budget::unlimited();
    let question = |ltl: &promela::typed::LtlBlock| {
        let mut claim = Claim::new(program, &ltl.formula);
        let negation = claim.formulas.not(claim.formula);
        let automaton =
            translate(&mut claim.formulas, negation, &pipeline::TranslationOptions::default(), &budget).ok()?.automaton;
        let mut formulas = claim.formulas.clone();
        let is_invariant = is_invariant(&mut formulas, claim.formula, &budget).ok()?;
        Some(Question { name: ltl.name.clone(), claim, automaton, is_invariant })
    };
    program.ltl.iter().filter_map(question).collect()
}

impl Question {
    /// Whether some run of a system violates the formula; nothing if a run ends in a run-time error.
    pub(super) fn is_violated(&self, system: Reduced<'_>) -> bool {
        let product = binding::product(system, &self.automaton, &self.claim.atoms, EdgeOrder::AsGiven, true);
        let product = product.expect("few atoms");
        let budget = Budget::unlimited();
        let options = emptiness::EmptinessOptions {
            budget: &budget,
            components: true,
            store: Store::Exact,
            progress: &mut |_| {},
        };
        Emptiness::Scc.search(&product, options).end() == End::Found
    }
}

/// How often something happened.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs, those with run-time errors, and those too large.
    pub programs: [u64; 3],
    /// States in full and reduced.
    pub states: [u64; 2],
    /// Properties compared, and how many were violated.
    pub properties: [u64; 2],
    /// Programs in which each construct occurs.
    pub constructs: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Counts a program by what some of its runs come to.
    fn note_outcomes(&mut self, graph: &Graph) {
        let outcomes = [
            ("reached: valid end state", graph.ends.iter().any(|(_, is_valid)| *is_valid)),
            ("reached: invalid end state", graph.ends.iter().any(|(_, is_valid)| !is_valid)),
            ("reached: run-time error", graph.is_broken),
            ("reached: failed assertion", graph.faults.len() > usize::from(graph.is_broken)),
        ];
        for (outcome, _) in outcomes.into_iter().filter(|(_, is_reached)| *is_reached) {
            *self.constructs.entry(outcome).or_default() += 1;
        }
    }
}

/// Compares a program with its reductions: each alone, and both together.
///
/// # Errors
/// What differs.
pub fn agree(program: &Program, mutant: Option<promela::reduce::Mutant>, tally: &mut Tally) -> Result<(), String> {
    let is_trace = |proc: &promela::typed::Proc| matches!(proc.kind, ProcKind::Trace | ProcKind::Notrace);
    let trace = program.procs.iter().position(is_trace);
    let model = match trace.and_then(|trace| u32::try_from(trace).ok()) {
        Some(trace) => Model::with_trace(program, ProcId(trace)),
        None => Model::new(program),
    };
    agree_on(&model.map_err(|too_large| too_large.0)?, program, mutant, tally)
}

/// The same for a model that may carry an assertion about events along.
///
/// # Errors
/// What differs.
pub fn agree_on(
    model: &Model,
    program: &Program,
    mutant: Option<promela::reduce::Mutant>,
    tally: &mut Tally,
) -> Result<(), String> {
    tally.programs[0] += 1;
    let Some(full) = graph(model, model, REDUCED_STATES) else {
        tally.programs[2] += 1;
        return Ok(());
    };
    tally.programs[1] += u64::from(full.is_broken);
    tally.note_outcomes(&full);
    let questions = questions(program);
    for (partial_order, chain) in [(true, false), (false, true), (true, true)] {
        let plan = Plan { partial_order, chain, symmetry: false, atoms: None, mutant };
        let which = || format!("partial order {partial_order}, chaining {chain}");
        let Ok(reduced) = Reduced::new(model, plan, &Budget::unlimited()) else { continue };
        if mutant.is_none() {
            laws::check(&reduced, 300);
        }
        let small = graph(&reduced, model, 2 * REDUCED_STATES).ok_or("the reduced graph is larger")?;
        same_graph(&full, &small).map_err(|what| format!("{}: {what}", which()))?;
        if partial_order && chain {
            tally.states[0] += full.states;
            tally.states[1] += small.states;
        }
        if full.is_broken {
            continue;
        }
        for question in questions.iter().filter(|question| question.is_invariant) {
            let atoms = model.atoms(question.claim.atoms.iter().map(|(_, expression)| expression));
            let plan = Plan { atoms: Some(&atoms), ..plan };
            let Ok(reduced) = Reduced::new(model, plan, &Budget::unlimited()) else { continue };
            let expected = question.is_violated(Reduced::full(model));
            let found = question.is_violated(reduced);
            tally.properties[0] += 1;
            tally.properties[1] += u64::from(expected);
            if expected != found {
                return Err(format!("{}: {} is violated: {expected} in full, {found} reduced", which(), question.name));
            }
        }
    }
    Ok(())
}
