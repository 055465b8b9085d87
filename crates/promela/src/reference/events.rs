//! Assertions about events: `trace` and `notrace` follow what is put into channels and taken out of them.
//!
//! Contract: an event on a channel, and in a direction, that the assertion names nowhere passes unseen. Any other one
//! must be among those that the assertion can take where it stands, jumps followed: a `trace` is violated if it is not, a
//! `notrace` if its closing brace can be reached after it. Then, or when a `notrace` cannot take an event, the assertion
//! is over and sees nothing any more. A rendezvous is a send and then a receive; a look (`?<…>`) is no event.
//!
//! Source: section 17 of `docs/semantics-promela.md`. Tested by `models/semantics/trace_*.pml`, and by comparing it with
//! the compiled model.

use super::Reference;
use super::evaluate::Machine;
use super::fault::Fault;
use crate::snapshot::{Location, TracePosition};
use crate::typed::{Expr, ExprKind, Pattern, ProcId, ProcKind, Program, Seq, Stmt, StmtId, StmtKind};

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Sent,
    Received,
}

/// A message put into a channel or taken out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) direction: Direction,
    /// The number of the channel.
    pub(super) channel: i32,
    pub(super) message: Vec<i32>,
}

impl<'p> Reference<'p> {
    /// Prepares a program of which one `trace` or `notrace` assertion is followed, and no other assertion counts.
    #[must_use]
    pub fn with_trace(program: &'p Program, trace: ProcId) -> Self {
        Self { trace: Some(trace), ..Self::new(program) }
    }

    /// Whether an assertion about events is followed.
    #[must_use]
    pub fn follows_trace(&self) -> bool {
        self.trace.is_some()
    }

    /// Where the assertion stands at first.
    pub(super) fn trace_start(&self) -> Option<TracePosition> {
        let trace = &self.program.procs[self.trace?.0 as usize];
        Some(TracePosition::At(self.control.start(trace)))
    }

    /// The places that are reached from a location without an event.
    fn around(&self, location: Location) -> Vec<Location> {
        let mut places = vec![location];
        let mut next = 0;
        while let Some(place) = places.get(next).copied() {
            next += 1;
            let beginnings = match place {
                Location::At(id) => self.control.choice(id).body.as_slice(),
                Location::Exit(_) | Location::End => &[],
            };
            let jumps = beginnings.iter().filter_map(|id| self.control.jump(Location::At(*id)));
            let targets = jumps.chain(self.control.jump(place)).map(|target| self.control.settle(target));
            for target in targets.collect::<Vec<_>>() {
                if !places.contains(&target) {
                    places.push(target);
                }
            }
        }
        places
    }
}

impl Machine<'_, '_, '_> {
    /// Shows what has happened to the assertion that is followed.
    pub(super) fn watch(&mut self, at: StmtId) -> Result<(), Fault> {
        for event in std::mem::take(&mut self.unseen) {
            if let Some(trace) = self.reference.trace {
                self.follow(trace, &event, at)?;
            }
        }
        Ok(())
    }

    fn follow(&mut self, trace: ProcId, event: &Event, at: StmtId) -> Result<(), Fault> {
        let Some(TracePosition::At(location)) = self.state.trace else { return Ok(()) };
        let proc = &self.reference.program.procs[trace.0 as usize];
        if !self.is_watched(&proc.body, event)? {
            return Ok(());
        }
        let control = &self.reference.control;
        let taken = self.taken(location, event)?.map(|id| control.settle(control.after(id)));
        let is_forbidden = proc.kind == ProcKind::Notrace;
        let is_done = taken.is_some_and(|after| self.reference.around(after).contains(&Location::End));
        let message = match (taken, is_forbidden) {
            (None, false) => Some(format!("the trace assertion does not allow {} here", self.spelled(event))),
            (Some(_), true) if is_done => Some(format!("{} completes the notrace assertion", self.spelled(event))),
            _ => None,
        };
        self.state.to_mut().trace = Some(match (taken, &message) {
            (Some(after), None) => TracePosition::At(after),
            _ => TracePosition::Over,
        });
        if let Some(message) = message {
            self.mismatch.get_or_insert(Fault::assertion(message).at(at));
        }
        Ok(())
    }

    /// Whether the assertion names the channel in this direction anywhere.
    fn is_watched(&mut self, body: &Seq, event: &Event) -> Result<bool, Fault> {
        let mut pending: Vec<&Stmt> = body.iter().collect();
        while let Some(statement) = pending.pop() {
            match &statement.kind {
                StmtKind::If(options) | StmtKind::Do(options) => pending.extend(options.iter().flatten()),
                StmtKind::Block(body) | StmtKind::Atomic(body) => pending.extend(body),
                kind => {
                    if self.is_on_channel(kind, event)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn is_on_channel(&mut self, kind: &StmtKind, event: &Event) -> Result<bool, Fault> {
        let (direction, channel) = match kind {
            StmtKind::Send { channel, .. } => (Direction::Sent, channel),
            StmtKind::Receive { channel, .. } => (Direction::Received, channel),
            _ => return Ok(false),
        };
        Ok(direction == event.direction && self.evaluate(channel)? == event.channel)
    }

    /// The statement of the assertion that takes an event.
    fn taken(&mut self, location: Location, event: &Event) -> Result<Option<StmtId>, Fault> {
        for place in self.reference.around(location) {
            let Location::At(id) = place else { continue };
            let reference = self.reference;
            for id in &reference.control.choice(id).body {
                let kind = &reference.control.stmt(*id).kind;
                if self.is_on_channel(kind, event)? && is_fitting(kind, &event.message) {
                    return Ok(Some(*id));
                }
            }
        }
        Ok(None)
    }

    fn spelled(&self, event: &Event) -> String {
        let sign = if event.direction == Direction::Sent { '!' } else { '?' };
        let fields: Vec<String> = event.message.iter().map(ToString::to_string).collect();
        format!("{}{sign}{}", self.channel_name(event.channel), fields.join(","))
    }

    /// The name of the global channel with a number.
    fn channel_name(&self, number: i32) -> String {
        let program = self.reference.program;
        let scalars = crate::snapshot::scalars(program, &program.globals);
        let mut named = scalars.iter().zip(&self.state.globals);
        let found = named.find(|(scalar, value)| scalar.ty == crate::typed::Type::Chan && **value == number);
        found.map_or_else(|| format!("channel {number}"), |(scalar, _)| scalar.name.clone())
    }
}

/// Whether a message has the constants that the assertion asks for.
fn is_fitting(kind: &StmtKind, message: &[i32]) -> bool {
    let is = |expr: &Expr, value: i32| !matches!(expr.kind, ExprKind::Const(wanted) if wanted != value);
    match kind {
        StmtKind::Send { message: fields, .. } => fields.iter().zip(message).all(|(field, value)| is(field, *value)),
        StmtKind::Receive { pattern, .. } => pattern.iter().zip(message).all(|(field, value)| match field {
            Pattern::Match(expr) => is(expr, *value),
            Pattern::Bind(_) | Pattern::Ignore => true,
        }),
        _ => false,
    }
}
