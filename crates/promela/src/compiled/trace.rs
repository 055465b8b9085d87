//! A model that carries a `trace` or `notrace` assertion along and reports, in place of the model's own assertions,
//! that it is violated.
//!
//! *What.* Two bytes at the end of the global part say where the assertion stands, or that it is over. Every message put
//! into a channel or taken out of it moves it on; of a rendezvous it sees the send, then the receive. Channels, and
//! directions, that the assertion does not name are not its business.
//!
//! *Contract.* A `trace` is violated by an event that it does not take where it stands, a `notrace` by coming to its end.
//! Either is reported as [`Fault::Assertion`](kernel::system::Fault) of the step, once: then the assertion is over, as is a
//! `notrace` that meets an event it does not take.
//!
//! *Source.* Section 17 of `docs/semantics-promela.md`. *Tested by* the reference interpreter.

use super::code::Code;
use super::compile::Compiler;
use super::execute::Work;
use super::layout::Layout;
use super::model::{CompileError, Model, TooLarge};
use crate::dataflow::Trim;
use crate::events::{Event, Events};
use crate::flow::Graph;
use crate::snapshot::TracePosition;
use crate::typed::{ProcId, ProcKind, Program};
use kernel::budget::Budget;

/// The place that stands for an assertion that is over.
const OVER: u16 = u16::MAX;

/// An assertion, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Monitor {
    proc: usize,
    /// Where the state says how far the assertion has come.
    offset: usize,
    /// `notrace`
    is_forbidden: bool,
    /// The events that can be taken at each place.
    places: Vec<Vec<Awaited>>,
    ends: Vec<bool>,
}

/// An event that can be taken.
#[derive(Clone, Debug)]
struct Awaited {
    is_send: bool,
    channel: Code,
    fields: Vec<Option<i32>>,
    target: u16,
}

impl Monitor {
    /// Makes room for an assertion behind the global part.
    pub(crate) fn new(compiler: &Compiler<'_>, graph: &Graph<'_>, offset: u32) -> Self {
        let events = Events::of(graph);
        let awaited = |event: &Event<'_>| Awaited {
            is_send: event.is_send,
            channel: compiler.pure(event.channel),
            fields: event.fields.clone(),
            target: u16::try_from(event.target).expect("locations are numbered to fit"),
        };
        Self {
            proc: compiler.proc,
            offset: offset as usize,
            is_forbidden: compiler.program.procs[compiler.proc].kind == ProcKind::Notrace,
            places: events.places.iter().map(|events| events.iter().map(awaited).collect()).collect(),
            ends: events.ends,
        }
    }

    /// Takes two bytes for the assertion; says where.
    pub(crate) fn allocate(layout: &mut Layout) -> u32 {
        let offset = layout.globals_size;
        layout.globals_size += 2;
        offset
    }

    fn place(&self, bytes: &[u8]) -> u16 {
        u16::from_le_bytes([bytes[self.offset], bytes[self.offset + 1]])
    }
}

impl Model {
    /// Compiles a program together with one of its `trace` or `notrace` assertions.
    ///
    /// # Errors
    /// As [`Model::new`].
    pub fn with_trace(program: &Program, trace: ProcId) -> Result<Self, TooLarge> {
        Self::with_trace_within(program, trace, &Budget::unlimited()).map_err(CompileError::too_large)
    }

    /// Compiles a program together with one of its `trace` or `notrace` assertions.
    ///
    /// # Errors
    /// As [`Model::within`].
    pub fn with_trace_within(program: &Program, trace: ProcId, budget: &Budget) -> Result<Self, CompileError> {
        Self::build(program, Some(trace), Trim::default(), budget)
    }

    /// How far the assertion has come in a state.
    pub(crate) fn trace_position(&self, state: &[u8]) -> Option<TracePosition> {
        let monitor = self.monitor.as_ref()?;
        Some(match monitor.place(state) {
            OVER => TracePosition::Over,
            place => TracePosition::At(self.definitions[monitor.proc].nodes[usize::from(place)].location),
        })
    }
}

impl Work {
    /// Shows an event to the assertion that the model carries.
    pub(crate) fn see(&mut self, model: &Model, is_send: bool, number: i32, message: &[i32]) {
        let Some(monitor) = &model.monitor else { return };
        let place = monitor.place(&self.bytes);
        let view = self.view(model, 0);
        let is_watched = |one: &Awaited| one.is_send == is_send && view.eval(&one.channel) == number;
        if place == OVER || !monitor.places.iter().flatten().any(is_watched) {
            return;
        }
        let fits = |one: &&Awaited| {
            let mut fields = one.fields.iter().zip(message);
            is_watched(one) && fields.all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
        };
        let taken = monitor.places[usize::from(place)].iter().find(fits).map(|one| one.target);
        let is_over = taken.is_none_or(|target| monitor.is_forbidden && monitor.ends[usize::from(target)]);
        self.asserted |= is_over && taken.is_some() == monitor.is_forbidden;
        let next = taken.filter(|_| !is_over).unwrap_or(OVER);
        self.bytes[monitor.offset..monitor.offset + 2].copy_from_slice(&next.to_le_bytes());
    }
}
