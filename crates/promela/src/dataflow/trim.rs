//! What of the data of a program can be left out for one property.
//!
//! *Contract.* A [`Trim`] depends on the text of the model and of the property alone. Call two states similar if they differ
//! only in variables that are removed, in variables that are dead where their processes stand, and in fields of messages
//! that nobody looks at. Similar states have the same steps, with the same errors; each step leads to similar states;
//! and the atoms of the property have the same values in both. `docs/reduction.md` has the argument.
//!
//! A global variable counts as local to a process if one instance of one definition is all that ever uses it.
//!
//! *Tested by* [`similar`](crate::compiled::similar) on small programs, one for each special case, on the shipped models and on random
//! programs, and by verdicts and lengths with and without it.

use super::effect::{basic_statements, effect, expressions, reads, remote_reads, statements_of};
use super::instances::{Count, instances};
use super::liveness::live;
use super::relevance::{Item, Roots, relevance};
use super::{Variable, definitions, globals, locals};
use crate::flow::{Edge, EdgeAction, Graph, graphs_within};
use crate::typed::{Expr, Initial, ProcId, Program, Stmt, StmtId, Type};
use kernel::budget::{Budget, Exhausted};
use std::collections::{BTreeMap, BTreeSet};

/// What may be left out, and for which property.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Dead variables, and fields that nobody looks at, get a canonical value.
    pub dead: bool,
    /// Variables that influence nothing are removed.
    pub slice: bool,
    /// Loops are searched for: what changes in each turn of a loop stays.
    pub loops: bool,
    /// The atoms of the property.
    pub atoms: &'a [&'a Expr],
    /// The assertion about events that is checked.
    pub trace: Option<ProcId>,
}

/// What can be left out.
#[derive(Clone, Debug, Default)]
pub struct Trim {
    /// Variables that are no part of the state.
    pub(crate) removed: BTreeSet<Variable>,
    /// Fields of sends that are sent as zero.
    pub(crate) silent: BTreeSet<(StmtId, usize)>,
    /// Fields of the channels declared with a variable, likewise.
    pub(crate) silent_fields: BTreeSet<(Variable, usize)>,
    /// For each definition.
    pub(crate) definitions: Vec<DeadVariables>,
}

/// Where the variables of a definition are dead.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeadVariables {
    /// The variables that are dead somewhere.
    pub(crate) variables: BTreeSet<Variable>,
    /// At each location.
    pub(crate) at: Vec<Vec<Variable>>,
    /// Those that are dead where an instance starts and may begin with a value other than the canonical one.
    pub(crate) at_start: Vec<Variable>,
    /// For each edge of each location: those that are dead after it and may have a value other than the canonical one.
    pub(crate) after: Vec<Vec<Vec<Variable>>>,
}

impl Trim {
    /// Decides what can be left out.
    ///
    /// # Errors
    /// The limit that ended the analysis.
    pub fn new(program: &Program, wanted: Wanted<'_>, budget: &Budget) -> Result<Self, Exhausted> {
        let graphs = graphs_within(program, budget)?;
        let counts = instances(program, &graphs);
        let mut statements: Vec<(ProcId, &Stmt)> = Vec::new();
        for (id, proc) in definitions(program).filter(|(id, _)| counts[id.0 as usize] != Count::None) {
            basic_statements(&proc.body, &mut |statement| statements.push((id, statement)));
        }
        let mut outside = wanted.atoms.to_vec();
        if let Some(trace) = wanted.trace {
            basic_statements(&program.procs[trace.0 as usize].body, &mut |statement| {
                expressions(statement, &mut |expr| outside.push(expr));
            });
        }
        // An assertion about events looks at messages.
        let all_fields = !wanted.dead || wanted.trace.is_some();
        let roots = Roots { outside: &outside, all_variables: !wanted.slice, all_fields, loops: wanted.loops };
        let relevance = relevance(program, &statements, &roots);
        let all = definitions(program).flat_map(|(id, proc)| locals(id, proc));
        let all: Vec<_> = globals(program).chain(all).collect();
        let is_irrelevant = |variable: &Variable| !relevance.is_relevant(Item::Variable(*variable));
        let mut trim = Trim {
            removed: all.iter().map(|(variable, _)| *variable).filter(is_irrelevant).collect(),
            ..Trim::default()
        };
        if wanted.dead {
            let channels = all.iter().filter_map(|(variable, declaration)| match &declaration.initial {
                Initial::Channel(spec) => Some((*variable, spec.fields.len())),
                _ => None,
            });
            let fields = channels.flat_map(|(channel, width)| (0..width).map(move |field| (channel, field)));
            let is_silent =
                |(channel, field): &(Variable, usize)| !relevance.is_relevant(Item::Field(*channel, *field));
            trim.silent_fields = fields.filter(is_silent).collect();
            let owners = Owners { program, counts: &counts, statements: &statements, outside: &outside };
            let candidates = owners.candidates(&trim.removed);
            for (number, graph) in graphs.iter().enumerate() {
                let proc = ProcId(u32::try_from(number).expect("few definitions"));
                let candidates = candidates.get(&proc).map_or(&[][..], Vec::as_slice);
                trim.definitions.push(dead(program, proc, graph, candidates, budget)?);
            }
        }
        trim.silent = relevance.silent;
        Ok(trim)
    }

    /// The names of the variables that are no part of the state.
    #[must_use]
    pub fn removed(&self, program: &Program) -> Vec<String> {
        self.removed.iter().map(|variable| variable.name(program)).collect()
    }

    /// The names of the variables that get a canonical value somewhere.
    #[must_use]
    pub fn canonical(&self, program: &Program) -> Vec<String> {
        self.changed().collect::<BTreeSet<_>>().into_iter().map(|variable| variable.name(program)).collect()
    }

    /// The number of sends of a field that is sent as zero.
    #[must_use]
    pub fn silent(&self) -> usize {
        self.silent.len()
    }

    /// Whether nothing is left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.silent.is_empty() && self.changed().next().is_none()
    }

    /// The variables that get a canonical value somewhere, perhaps several times.
    fn changed(&self) -> impl Iterator<Item = &Variable> {
        self.definitions.iter().flat_map(|dead| dead.at_start.iter().chain(dead.after.iter().flatten().flatten()))
    }
}

/// Where candidates are dead.
fn dead(
    program: &Program,
    proc: ProcId,
    graph: &Graph<'_>,
    candidates: &[Variable],
    budget: &Budget,
) -> Result<DeadVariables, Exhausted> {
    let live = live(program, proc, graph, candidates, budget)?;
    let numbered = || candidates.iter().copied().enumerate();
    let live = &live;
    let is_dead = |location: usize| numbered().filter(move |(number, _)| !live[location].contains(*number));
    let dead_at = |location| is_dead(location).map(|(_, variable)| variable).collect();
    let at: Vec<Vec<Variable>> = (0..graph.nodes.len()).map(dead_at).collect();
    let begins_otherwise = |variable: &Variable| {
        let declaration = variable.declaration(program);
        let is_parameter = matches!(variable, Variable::Local(_, id) if id.0 < program.procs[proc.0 as usize].params);
        let is_zero = matches!(declaration.initial, Initial::Default) && !matches!(declaration.ty, Type::Record(_));
        is_parameter || !is_zero
    };
    let at_start = at.first().into_iter().flatten().copied().filter(begins_otherwise).collect();
    let mut after = Vec::new();
    for (location, node) in graph.nodes.iter().enumerate() {
        budget.check()?;
        let of_edge = |edge: &Edge<'_>| -> Vec<Variable> {
            if matches!(edge.action, EdgeAction::Terminate) {
                return Vec::new();
            }
            let written: Vec<Variable> =
                statements_of(edge).iter().flat_map(|statement| effect(program, proc, statement).writes).collect();
            let may_differ =
                |(number, variable): &(usize, Variable)| live[location].contains(*number) || written.contains(variable);
            is_dead(edge.target).filter(may_differ).map(|(_, variable)| variable).collect()
        };
        after.push(node.edges.iter().map(of_edge).collect());
    }
    let variables = at.iter().flatten().copied().collect();
    Ok(DeadVariables { variables, at, at_start, after })
}

/// Which process uses which variable.
struct Owners<'a> {
    program: &'a Program,
    counts: &'a [Count],
    statements: &'a [(ProcId, &'a Stmt)],
    outside: &'a [&'a Expr],
}

impl Owners<'_> {
    /// For each definition, the variables that nobody but the process at hand uses.
    fn candidates(&self, removed: &BTreeSet<Variable>) -> BTreeMap<ProcId, Vec<Variable>> {
        let mut users: BTreeMap<Variable, BTreeSet<ProcId>> = BTreeMap::new();
        let mut pinned: Vec<Variable> = Vec::new();
        self.outside.iter().for_each(|expr| reads(ProcId(0), expr, &mut pinned));
        for (proc, statement) in self.statements {
            let effect = effect(self.program, *proc, statement);
            for variable in effect.reads.into_iter().chain(effect.writes) {
                users.entry(variable).or_default().insert(*proc);
            }
            expressions(statement, &mut |expr| remote_reads(expr, &mut pinned));
        }
        let fields = self.program.records.iter().flat_map(|record| &record.fields);
        for expr in fields.flat_map(|field| initial_values(&field.initial)) {
            reads(ProcId(0), expr, &mut pinned);
        }
        let is_process = |(id, _): &(ProcId, _)| self.counts[id.0 as usize] != Count::None;
        for (id, proc) in definitions(self.program).filter(is_process) {
            let initial = proc.locals.iter().flat_map(|local| initial_values(&local.initial));
            for expr in proc.provided.iter().chain(initial) {
                let mut read = Vec::new();
                reads(id, expr, &mut read);
                read.into_iter().for_each(|variable| _ = users.entry(variable).or_default().insert(id));
                remote_reads(expr, &mut pinned);
            }
        }
        let is_free = |variable: &Variable| !pinned.contains(variable) && !removed.contains(variable);
        let mut candidates: BTreeMap<ProcId, Vec<Variable>> = BTreeMap::new();
        for (id, proc) in definitions(self.program) {
            let own = locals(id, proc).map(|(variable, _)| variable).filter(is_free);
            candidates.entry(id).or_default().extend(own);
        }
        for (global, _) in globals(self.program).filter(|(global, _)| is_free(global)) {
            let mut owners = users.get(&global).into_iter().flatten();
            if let (Some(owner), None) = (owners.next(), owners.next())
                && self.counts[owner.0 as usize] == Count::One
            {
                candidates.entry(*owner).or_default().push(global);
            }
        }
        candidates
    }
}

/// The expressions of an initial value.
fn initial_values(initial: &Initial) -> &[Expr] {
    match initial {
        Initial::Value(value) => std::slice::from_ref(value),
        Initial::List(values) => values,
        Initial::Default | Initial::Channel(_) => &[],
    }
}
