//! The compiled model: what a program becomes before it is explored.
//!
//! *Contract.* A [`Model`] is a [`kernel::system::System`] over packed states
//! ([`layout`](super::layout)) whose steps are those that `docs/semantics-promela.md` defines; the
//! successor function is in [`successors`](super::successors).
//!
//! *Tested by* the reference interpreter, state by state, on random walks and random programs.

use std::cell::Cell;
use std::sync::OnceLock;

use super::code::{Clear, Code, Edge, Guard, Root, Store};
use super::compile::Compiler;
use super::eval::{ChannelAt, small};
use super::flaw::Flaw;
use super::layout::{self, Kind, Layout};
use super::machine::Machine;
use super::probe::{self, Head, Probe};
use super::trace::Monitor;
use crate::dataflow::{Trim, Variable};
use crate::flow;
use crate::snapshot::Location;
use crate::thresholds::compiled::INTERPRETED_STATES;
use crate::typed::{ProcId, ProcKind, Program};
use kernel::budget::{Budget, Exhausted};

/// The greatest number of process definitions: a byte of a process holds its definition.
const MOST_DEFINITIONS: usize = u8::MAX as usize;

/// The greatest number of locations of a process: two bytes of a process hold its location.
const MOST_LOCATIONS: usize = u16::MAX as usize;

/// A place where a process can stand, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Index of the first edge in [`Model::edges`].
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) location: Location,
    pub(crate) valid_end: bool,
    pub(crate) progress: bool,
    pub(crate) acceptance: bool,
    /// Some edge is a receive, or a `d_step`, which may begin with one.
    pub(crate) has_receive: bool,
    /// What `pc_value` says here.
    pub(crate) pc_value: i32,
    /// The definition has a `provided` clause or is deterministic.
    pub(crate) is_restricted: bool,
}

/// A process definition, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// Its instances have a two-byte location.
    pub(crate) wide_location: bool,
    pub(crate) nodes: Vec<Node>,
    pub(crate) provided: Option<Code>,
    pub(crate) deterministic: bool,
    /// Where arguments go, records flattened.
    pub(crate) parameters: Vec<(u32, Kind)>,
    pub(crate) initial: Box<[Store]>,
    /// What gets its canonical value when an instance starts.
    pub(crate) clears: Box<[Clear]>,
}

/// A program compiled to a transition system over packed states.
#[derive(Debug)]
pub struct Model {
    pub(crate) program: Program,
    pub(crate) layout: Layout,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) edges: Vec<Edge>,
    /// How the guard of each edge begins.
    pub(crate) heads: Vec<Head>,
    /// What the heads refer to.
    pub(crate) probes: Vec<Probe>,
    pub(crate) initial: Box<[Store]>,
    /// Definitions with the number of instances that run from the start, in order.
    pub(crate) active: Vec<(usize, u32)>,
    pub(crate) uses_timeout: bool,
    /// Some statement runs a process.
    pub(crate) starts_processes: bool,
    /// The `trace` assertion that is carried along.
    pub(crate) monitor: Option<Monitor>,
    /// What is left out of the states.
    pub(crate) trim: Trim,
    /// How guards and effects are executed.
    execution: Execution,
    flaw: Option<Flaw>,
    /// Machine code, once it was asked for; none if it cannot be made.
    machine: OnceLock<Option<Machine>>,
}

/// How the guards and effects of a model are executed. The successors are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// By machine code if a search lasts, else by the interpreter.
    #[default]
    Auto,
    /// By the interpreter.
    Interpreted,
    /// By machine code from the first state on, where it can be made.
    Compiled,
}

/// Why a program cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub String);

/// Why there is no compiled model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// The program exceeds a limit of the packed state; the text is shown to the user.
    TooLarge(String),
    /// A limit of the budget ended the compilation.
    Exhausted(Exhausted),
}

impl From<Exhausted> for CompileError {
    fn from(limit: Exhausted) -> Self {
        CompileError::Exhausted(limit)
    }
}

impl CompileError {
    /// The error of a compilation with an unlimited budget.
    pub(crate) fn too_large(self) -> TooLarge {
        match self {
            CompileError::TooLarge(reason) => TooLarge(reason),
            CompileError::Exhausted(_) => unreachable!("an unlimited budget is never exhausted"),
        }
    }
}

impl Model {
    /// Compiles a program without limits; for small programs and tests.
    ///
    /// # Errors
    /// If it has more process definitions than a byte can number, or a process with more locations
    /// than two bytes can.
    pub fn new(program: &Program) -> Result<Self, TooLarge> {
        Self::within(program, &Budget::unlimited()).map_err(CompileError::too_large)
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// As for [`Model::new`], and the limit that ended the compilation.
    pub fn within(program: &Program, budget: &Budget) -> Result<Self, CompileError> {
        Self::build(program, None, Trim::default(), budget)
    }

    /// Compiles a program, with one of its assertions about events if that is given, and without the data that can be
    /// left out.
    ///
    /// # Errors
    /// As for [`Model::within`].
    pub fn trimmed(
        program: &Program,
        trace: Option<ProcId>,
        trim: Trim,
        budget: &Budget,
    ) -> Result<Self, CompileError> {
        Self::build(program, trace, trim, budget)
    }

    /// Compiles a program, and the assertion about events with this number.
    pub(crate) fn build(
        program: &Program,
        trace: Option<ProcId>,
        trim: Trim,
        budget: &Budget,
    ) -> Result<Self, CompileError> {
        if program.procs.len() > MOST_DEFINITIONS {
            let reason = format!("the model has more than {MOST_DEFINITIONS} process definitions");
            return Err(CompileError::TooLarge(reason));
        }
        let graphs = flow::graphs_within(program, budget)?;
        if let Some(index) = graphs.iter().position(|graph| graph.nodes.len() > MOST_LOCATIONS) {
            let reason = format!("`{}` has more than 65,535 locations", program.procs[index].name);
            return Err(CompileError::TooLarge(reason));
        }
        let locations: Vec<_> = graphs.iter().map(|graph| graph.nodes.len()).collect();
        let mut layout = layout::layout(program, &locations, &trim);
        let monitored = trace.map(|proc| (proc.0 as usize, Monitor::allocate(&mut layout)));
        let timeout = Cell::new(false);
        let compiler =
            |proc| Compiler { program, layout: &layout, graphs: &graphs, proc, timeout: &timeout, trim: &trim };
        let mut edges = Vec::new();
        let compiled = |proc| definition(&compiler(proc), &graphs[proc], &mut edges, budget);
        let definitions = (0..graphs.len()).map(compiled).collect::<Result<Vec<_>, _>>()?;
        let (mut heads, mut probes) = (Vec::new(), Vec::new());
        for node in definitions.iter().flat_map(|definition| &definition.nodes) {
            budget.check()?;
            let own = &mut edges[node.first..node.first + node.count];
            heads.extend(probe::heads(own, &mut probes, layout.globals_size));
        }
        let initial = compiler(0).initial(&program.globals, &layout.globals, 0);
        let is_process = |kind| matches!(kind, ProcKind::Proctype | ProcKind::Init);
        let active = program.procs.iter().enumerate().filter(|(_, proc)| is_process(proc.kind) && proc.active > 0);
        let active = active.map(|(index, proc)| (index, proc.active)).collect();
        let monitor = monitored.map(|(proc, offset)| Monitor::new(&compiler(proc), &graphs[proc], offset));
        let uses_timeout = timeout.get();
        let starts_processes = edges.iter().any(|edge| edge.action.starts_processes());
        let program = program.clone();
        Ok(Self {
            program,
            layout,
            definitions,
            edges,
            heads,
            probes,
            initial,
            active,
            uses_timeout,
            starts_processes,
            monitor,
            trim,
            execution: Execution::default(),
            flaw: None,
            machine: OnceLock::new(),
        })
    }

    /// The program this was made from.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The same model, executed like this.
    #[must_use]
    pub fn with_execution(self, execution: Execution) -> Self {
        Self { execution, ..self }
    }

    /// The same model with a flaw in its machine code; for tests of tests.
    #[must_use]
    pub fn with_flaw(self, flaw: Flaw) -> Self {
        Self { flaw: Some(flaw), ..self }
    }

    /// The edges for whose guards and for whose effects there is machine code, and all edges.
    #[must_use]
    pub fn translated(&self) -> [usize; 3] {
        let machine = self.machine.get_or_init(|| Machine::new(self, self.flaw));
        let [guards, effects] = machine.as_ref().map_or([0, 0], Machine::translated);
        [guards, effects, self.edges.len()]
    }

    /// The machine code to use for a state, given how many were expanded before, which is counted.
    #[inline]
    pub(crate) fn machine(&self, expansions: &mut u32) -> Option<&Machine> {
        match self.execution {
            Execution::Auto if *expansions < INTERPRETED_STATES => match self.machine.get() {
                // Another explorer has made it.
                Some(machine) => {
                    *expansions = INTERPRETED_STATES;
                    machine.as_ref()
                }
                None => {
                    *expansions += 1;
                    None
                }
            },
            Execution::Interpreted => None,
            Execution::Auto | Execution::Compiled => {
                self.machine.get_or_init(|| Machine::new(self, self.flaw)).as_ref()
            }
        }
    }

    /// The machine code, if it was made and may be used.
    #[inline]
    pub(crate) fn made_machine(&self) -> Option<&Machine> {
        let is_used = self.execution != Execution::Interpreted;
        self.machine.get().filter(|_| is_used).and_then(Option::as_ref)
    }

    /// How many messages a channel holds at most.
    pub(crate) fn capacity(&self, at: ChannelAt) -> u32 {
        self.layout.channels[usize::from(at.layout)].capacity
    }

    /// Whether a step does nothing beyond its statement, so that several can be done in one go.
    pub(crate) fn can_pass(&self) -> bool {
        self.monitor.is_none() && self.layout.last.is_none() && !self.program.uses.priorities
    }

    /// How the guards of the edges of a node begin, in order.
    #[inline]
    pub(crate) fn heads_of(&self, node: &Node) -> &[Head] {
        &self.heads[node.first..node.first + node.count]
    }

    /// The edges of a node, in order.
    #[inline]
    pub(crate) fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.first..node.first + node.count]
    }
}

fn definition(
    compiler: &Compiler<'_>,
    graph: &flow::Graph<'_>,
    edges: &mut Vec<Edge>,
    budget: &Budget,
) -> Result<Definition, Exhausted> {
    let proc = &compiler.program.procs[compiler.proc];
    let named = |node: &flow::Node<'_>, prefix: &str| {
        node.labels.iter().any(|label| proc.labels[label.0 as usize].name.starts_with(prefix))
    };
    let infos = (0..).zip(&compiler.program.statements);
    let statements: Vec<u32> =
        infos.filter(|(_, info)| info.proc.0 as usize == compiler.proc).map(|(index, _)| index).collect();
    let dead = compiler.trim.definitions.get(compiler.proc);
    let mut nodes = Vec::new();
    for node in &graph.nodes {
        budget.check()?;
        let first = edges.len();
        edges.extend(node.edges.iter().map(|edge| compiler.edge(edge)));
        if let Some(dead) = dead {
            for (edge, variables) in edges[first..].iter_mut().zip(&dead.after[nodes.len()]) {
                edge.clears = clears(compiler.layout, variables);
            }
        }
        let own = &edges[first..];
        nodes.push(Node {
            first,
            count: own.len(),
            location: node.location,
            valid_end: node.location == Location::End || named(node, "end"),
            progress: named(node, "progress"),
            acceptance: named(node, "accept"),
            has_receive: own.iter().any(|edge| matches!(edge.guard, Guard::Receive | Guard::DStep)),
            pc_value: pc_value(&statements, node.location),
            is_restricted: proc.provided.is_some() || proc.deterministic,
        });
    }
    let area = &compiler.layout.processes[compiler.proc].area;
    let params = proc.params as usize;
    let mut parameters = Vec::new();
    layout::scalar_slots(compiler.layout, &area.slots[..params], 0, &mut parameters);
    Ok(Definition {
        wide_location: compiler.layout.processes[compiler.proc].wide_location,
        nodes,
        parameters,
        deterministic: proc.deterministic,
        provided: proc.provided.as_ref().map(|provided| compiler.pure(provided)),
        initial: compiler.initial(&proc.locals, area, params),
        clears: dead.map(|dead| clears(compiler.layout, &dead.at_start)).unwrap_or_default(),
    })
}

/// Where dead variables lie.
fn clears(layout: &Layout, variables: &[Variable]) -> Box<[Clear]> {
    let clear = |variable: &Variable| match variable {
        Variable::Global(id) => Clear::new(Root::Global, &layout.globals.slots[id.0 as usize]),
        Variable::Local(proc, id) => {
            Clear::new(Root::Local, &layout.processes[proc.0 as usize].area.slots[id.0 as usize])
        }
    };
    variables.iter().map(clear).collect()
}

/// The position of a statement among those of its process definition, counted from 1.
fn pc_value(own: &[u32], location: Location) -> i32 {
    let before = match location {
        Location::At(id) | Location::Exit(id) => own.binary_search(&id.0).unwrap_or(0),
        Location::End => own.len(),
    };
    small(before + 1)
}
