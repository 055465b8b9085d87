//! What each edge reads and writes, without running it.
//!
//! *Contract.* Sound over-approximation: whatever an execution of the edge changes lies in
//! `writes`, and two states that agree on `reads` agree on whether the edge can be taken and on
//! what it writes. Reductions and refinement build on this.
//!
//! *Tested by* comparing the bytes that change along random walks with `writes`.

use super::code::{Action, Address, Code, Comparison, Edge, Guard, IndexStep, Load, Pattern, Reception, Root};
use super::eval::ChannelAt;
use super::layout::EXCLUSIVE_BIT;
use super::model::Model;
use super::shape::Shape;
use super::successors::{ModelStep, NO_EDGE};

/// A part of the state, as one process sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// Bytes of the global part: the first, and one past the last.
    Globals(u32, u32),
    /// Bytes of the process that executes, from its start, likewise.
    Locals(u32, u32),
    /// The contents of the channel with this number.
    Channel(u32),
    /// The contents of some channel.
    AnyChannel,
    /// Which processes there are.
    Processes,
    /// Where processes of a definition stand, and their variables.
    Definition(u32),
    /// Anything: `timeout`, `enabled`, `np_` and the like.
    Everything,
}

/// What an edge reads and writes, apart from the location of the process that takes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// What it depends on, sorted.
    pub reads: Vec<Region>,
    /// What it may change, sorted.
    pub writes: Vec<Region>,
}

impl Model {
    /// The footprints of all edges, in the order of their numbers.
    #[must_use]
    pub fn footprints(&self) -> Vec<Footprint> {
        let constant = self.constant_channels();
        let survey = |edge: &Edge| {
            let mut survey = Survey { constant: &constant, footprint: Footprint::default() };
            survey.guard(&edge.guard);
            survey.action(&edge.action);
            let Footprint { mut reads, mut writes } = survey.footprint;
            reads.sort();
            reads.dedup();
            writes.sort();
            writes.dedup();
            Footprint { reads, writes }
        };
        self.edges.iter().map(survey).collect()
    }

    /// Global channel variables that no edge assigns: their offset and channel number.
    pub(crate) fn constant_channels(&self) -> Vec<(u32, u32)> {
        let mut survey = Survey { constant: &[], footprint: Footprint::default() };
        for edge in &self.edges {
            survey.action(&edge.action);
        }
        let written = |offset: u32| {
            survey.footprint.writes.iter().any(|region| match region {
                Region::Globals(from, to) => (*from..*to).contains(&offset),
                Region::Everything => true,
                _ => false,
            })
        };
        let channels = self.layout.global_channels.iter().zip(1..);
        channels.map(|(channel, number)| (channel.variable.0, number)).filter(|(offset, _)| !written(*offset)).collect()
    }
}

impl Model {
    /// Whether a step changed only what its footprint (and, in a handshake, the receiver's) allows.
    ///
    /// # Errors
    /// The first byte that changed although nobody announced it.
    pub fn stays_within(
        &self,
        footprints: &[Footprint],
        before: &[u8],
        step: ModelStep,
        after: &[u8],
    ) -> Result<(), String> {
        let mut shape = Shape::default();
        shape.read(self, before);
        let Shape { bases, channels, .. } = shape;
        let mut takers = vec![(usize::from(step.pid), step.edge as usize)];
        if step.receive != NO_EDGE {
            takers.push((usize::from(step.receiver), step.receive as usize));
        }
        let bare = |state: &[u8], at: usize| if at == 0 { state[0] & !EXCLUSIVE_BIT } else { state[at] };
        for at in (0..before.len().min(after.len())).filter(|at| bare(before, *at) != bare(after, *at)) {
            let allowed = takers.iter().any(|(pid, edge)| {
                let start = bases[*pid] as usize;
                let writes = &footprints[*edge].writes;
                self.announced(writes, at, start, before, &channels)
            });
            if !allowed {
                return Err(format!("byte {at} changed, but the footprint of {step:?} does not say so"));
            }
        }
        Ok(())
    }

    /// Whether a byte may change in a step of the process that starts at `start`.
    fn announced(&self, writes: &[Region], at: usize, start: usize, state: &[u8], channels: &[ChannelAt]) -> bool {
        let process = &self.layout.processes[usize::from(state[start])];
        let is_location = at > start && at <= start + 1 + usize::from(process.wide_location);
        let is_last = self.layout.last.is_some_and(|(last, kind)| within(at, last, last + kind.size()));
        let in_channel = |number: usize| {
            let channel = channels[number];
            let size = self.layout.channels[usize::from(channel.layout)].size();
            within(at, channel.offset, channel.offset + size)
        };
        let ends = state.len() - if state[0] & EXCLUSIVE_BIT == 0 { 0 } else { 2 };
        is_location
            || is_last
            || at >= ends
            || writes.iter().any(|region| match region {
                Region::Globals(from, to) => within(at, *from, *to),
                Region::Locals(from, to) => at >= start && within(at - start, *from, *to),
                Region::Channel(number) => in_channel(*number as usize - 1),
                Region::AnyChannel => (0..channels.len()).any(in_channel),
                // The process that disappears is the last one.
                Region::Processes => at >= start,
                Region::Definition(_) => false,
                Region::Everything => true,
            })
    }
}

fn within(at: usize, from: u32, to: u32) -> bool {
    (from as usize..to as usize).contains(&at)
}

struct Survey<'a> {
    constant: &'a [(u32, u32)],
    footprint: Footprint,
}

impl Survey<'_> {
    fn read(&mut self, region: Region) {
        self.footprint.reads.push(region);
    }

    fn write(&mut self, region: Region) {
        self.footprint.writes.push(region);
    }

    fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Test(code) => self.code(code),
            // Depends on everything the other choices of the location depend on.
            Guard::Else => self.read(Region::Everything),
            Guard::Terminate => self.read(Region::Processes),
            // The action says what these read.
            Guard::Always | Guard::Send | Guard::Receive | Guard::DStep => {}
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Nothing => {}
            Action::Assign(address, value) => {
                self.code(value);
                self.target(address);
            }
            Action::AssignAll(pairs) => {
                for (address, value) in pairs {
                    self.code(value);
                    self.target(address);
                }
            }
            Action::Assert(test) => self.code(test),
            Action::Evaluate(codes) => codes.iter().for_each(|code| self.code(code)),
            Action::Send { channel, message, .. } => {
                message.iter().for_each(|field| self.code(field));
                self.channel(channel, true);
                // A rendezvous looks at, and moves, whoever waits on the other side.
                self.read(Region::Processes);
            }
            Action::Receive(reception) => self.reception(reception),
            Action::SetPriority(pair) => {
                self.code(&pair.0);
                self.code(&pair.1);
                self.write(Region::Everything);
            }
            Action::Start(starts, then) => {
                starts.iter().flat_map(|start| &start.arguments).for_each(|argument| self.code(argument));
                self.processes();
                self.action(then);
            }
            Action::StartTest(starts, test) => {
                starts.iter().flat_map(|start| &start.arguments).for_each(|argument| self.code(argument));
                self.processes();
                self.code(test);
            }
            Action::Straight(actions) => actions.iter().for_each(|action| self.action(action)),
            Action::DStep(nodes) => {
                for edge in nodes.iter().flatten() {
                    self.guard(&edge.guard);
                    self.action(&edge.action);
                }
            }
            Action::Terminate => self.processes(),
        }
    }

    fn processes(&mut self) {
        self.read(Region::Processes);
        self.write(Region::Processes);
    }

    fn reception(&mut self, reception: &Reception) {
        self.channel(&reception.channel, !reception.peek);
        for pattern in &reception.pattern {
            match pattern {
                Pattern::Bind(address) => self.target(address),
                Pattern::Match(code) => self.code(code),
                Pattern::Ignore => {}
            }
        }
    }

    fn channel(&mut self, channel: &Code, write: bool) {
        self.code(channel);
        let region = self.channel_region(channel);
        if write {
            self.write(region.clone());
        }
        self.read(region);
    }

    fn channel_region(&self, channel: &Code) -> Region {
        let number = match channel {
            Code::Load(Load { root: Root::Global, offset, .. }) => {
                self.constant.iter().find(|(variable, _)| variable == offset)
            }
            _ => None,
        };
        number.map_or(Region::AnyChannel, |(_, number)| Region::Channel(*number))
    }

    fn target(&mut self, address: &Address) {
        address.steps.iter().for_each(|step| self.code(&step.index));
        self.write(region(address));
    }

    fn code(&mut self, code: &Code) {
        match code {
            Code::Const(_) | Code::OutOfBounds | Code::Pid | Code::Started(_) => {}
            Code::Load(load) | Code::Plus(load, _) | Code::Compare(Comparison { load, .. }) => self.read(fixed(*load)),
            Code::All(parts) | Code::Any(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::Element(address) => {
                address.steps.iter().for_each(|step| self.code(&step.index));
                self.read(region(address));
            }
            Code::Unary(_, operand) => self.code(operand),
            Code::Binary(_, operands) => {
                self.code(&operands.0);
                self.code(&operands.1);
            }
            Code::Cond(parts) => {
                self.code(&parts.0);
                self.code(&parts.1);
                self.code(&parts.2);
            }
            Code::Len(channel) | Code::ChannelTest(_, channel) => self.channel(channel, false),
            Code::Poll(reception) => {
                self.channel(&reception.channel, false);
                for pattern in &reception.pattern {
                    if let Pattern::Match(code) = pattern {
                        self.code(code);
                    }
                }
            }
            Code::NrPr => self.read(Region::Processes),
            Code::RemoteLabel(proc, process, _) => self.remote(*proc, process.as_deref()),
            Code::RemoteRead(proc, process, address) => {
                address.steps.iter().for_each(|step| self.code(&step.index));
                self.remote(*proc, process.as_deref());
            }
            Code::Timeout
            | Code::NonProgress
            | Code::Acceptance
            | Code::Last
            | Code::Enabled(_)
            | Code::PcValue(_)
            | Code::GetPriority(_) => self.read(Region::Everything),
        }
    }

    fn remote(&mut self, proc: u32, process: Option<&Code>) {
        if let Some(process) = process {
            self.code(process);
        }
        self.read(Region::Processes);
        self.read(Region::Definition(proc));
    }
}

/// The bytes of a scalar at a fixed place.
fn fixed(load: Load) -> Region {
    let end = load.offset + load.kind.size();
    match load.root {
        Root::Global => Region::Globals(load.offset, end),
        Root::Local => Region::Locals(load.offset, end),
    }
}

/// All bytes that an address can mean.
fn region(address: &Address) -> Region {
    let reach = |step: &IndexStep| (step.len - 1) * step.stride;
    let span: u32 = address.steps.iter().map(reach).sum();
    let end = address.offset + span + address.kind.size();
    match address.root {
        Root::Global => Region::Globals(address.offset, end),
        Root::Local => Region::Locals(address.offset, end),
    }
}
