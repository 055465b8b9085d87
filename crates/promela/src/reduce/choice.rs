//! Which processes are explored in a state: a stubborn set that consists of whole processes.
//!
//! *What.* A set of processes is *closed* if for each of its processes and each edge at its location: where the edge can
//! be taken, every process that may ever do something that does not accord with it is in the set; where it cannot, every
//! process that may ever make it possible is. Then all transitions of the processes in the set, now and later, are a
//! strong stubborn set [valmari.89.apn]: what other processes do can neither disturb a step of the set that is possible, nor
//! make another one possible. A closed set with a possible step may be explored alone if none of its possible steps is
//! sticky ([`super::sticky`]) or visible.
//!
//! *How.* A location all of whose steps are local by the text decides at once. Otherwise the processes that each process
//! needs form a word of bits, from tables of pairs ([`super::pair`]). The closure from each process that can begin a set
//! ([`super::cast`]) is taken; the set with the fewest possible steps wins, the highest process number among equals. What a
//! process can do is found out when a closure comes to it. Nothing is allocated once the tables of the instances exist.
//!
//! *Ends.* Processes end from the last one on. So a set that contains the last process, or that does not need it, need not
//! count the ends of others: before one of them, the last process or a new one would have to end.
//!
//! *Contract.* A function of the bytes of the state alone.

use super::cast::{Casts, Profile, bits};
use super::instance::Tables;
use super::mutant::Mutant;
use crate::compiled::code::{Action, Guard};
use crate::compiled::enabled::Room;
use crate::compiled::eval::{ChannelAt, View};
use crate::compiled::machine::{Frame, Machine};
use crate::compiled::model::{Model, Node};
use crate::compiled::probe::Rule;
use crate::compiled::shape::Shape;
use crate::compiled::successors::ModelStep;
use std::cell::Cell;

/// With more processes than a word has bits, a state is expanded fully.
const MOST_PROCESSES: usize = 64;

/// What is explored in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Everything.
    All {
        /// The processes that may have a step, by their numbers: others need not be looked at.
        able: u64,
    },
    /// The steps of the processes in this set, by their numbers.
    Only {
        processes: u64,
        /// There is one such step, of a process at a local location.
        is_one: bool,
    },
}

/// What one explorer knows of processes, and of the state at hand.
#[derive(Debug, Default)]
pub(super) struct Memory {
    casts: Casts,
    /// The processes of which it is known which edges they can take, and those that cannot move by themselves.
    tested: u64,
    unable: u64,
    /// The processes of which it is known what they need, and those with a possible step that may not be explored alone.
    surveyed: u64,
    barred: u64,
    /// For each process, what it can do; where it is known.
    abilities: Vec<Ability>,
}

impl Memory {
    /// Forgets what processes can do: another state is looked at.
    #[inline]
    fn forget(&mut self) {
        (self.tested, self.unable, self.surveyed, self.barred) = (0, 0, 0, 0);
    }

    /// The processes that may have a step in the state at hand: what was found out about them is not asked again.
    fn able(&self) -> u64 {
        self.casts.profile().movable & !self.unable
    }
}

/// What a process can do in the state at hand.
#[derive(Clone, Copy, Debug, Default)]
struct Ability {
    /// Which edges of its location can be taken, those with which it receives from another process included.
    enabled: u64,
    /// The processes that it needs.
    needs: u64,
}

/// A state whose guards are asked, by machine code where there is some.
struct Asked<'a> {
    view: &'a View<'a>,
    machine: Option<&'a Machine>,
    frame: Frame<'a>,
}

/// The choice for one model and one property.
#[derive(Debug)]
pub(super) struct Chooser {
    tables: Tables,
    mutant: Option<Mutant>,
    /// Two processes may take a step together.
    has_handshakes: bool,
}

impl Choice {
    /// Everything, of processes of which nothing is known.
    const UNKNOWN: Choice = Choice::All { able: u64::MAX };
}

impl Chooser {
    pub(super) fn new(model: &Model, tables: Tables, mutant: Option<Mutant>) -> Self {
        let has_handshakes = model.layout.channels.iter().any(|channel| channel.capacity == 0);
        Self { tables, mutant, has_handshakes }
    }

    /// What is explored in a state that is not inside an atomic sequence, as far as the text decides it. Only these processes
    /// are looked at, where it is known that the text says nothing about the others.
    #[inline]
    pub(super) fn choose_by_text(&self, model: &Model, shape: &Shape, bytes: &[u8], among: u64) -> Choice {
        if !self.tables.has_local || shape.bases.len() > MOST_PROCESSES {
            return Choice::UNKNOWN;
        }
        let fault = Cell::new(false);
        self.by_text(model, &view(model, shape, bytes, &fault), among).unwrap_or(Choice::UNKNOWN)
    }

    /// What is explored in a state that is not inside an atomic sequence, and whether the text decided it.
    pub(super) fn choose(&self, model: &Model, memory: &mut Memory, shape: &Shape, bytes: &[u8]) -> (Choice, bool) {
        let count = shape.bases.len();
        if count > MOST_PROCESSES {
            return (Choice::UNKNOWN, true);
        }
        let fault = Cell::new(false);
        let view = view(model, shape, bytes, &fault);
        if count < 2 {
            let choice = self.by_text(model, &view, u64::MAX);
            return (choice.unwrap_or(Choice::UNKNOWN), choice.is_some());
        }
        memory.forget();
        memory.casts.meet(model, &self.tables, &view, shape.version);
        if memory.casts.is_quiet(&view) {
            return (Choice::UNKNOWN, false);
        }
        memory.casts.stand(model, &self.tables, &view);
        let Profile { local, seeds, .. } = *memory.casts.profile();
        if local != 0
            && let Some(choice) = self.by_text(model, &view, local)
        {
            return (choice, true);
        }
        let choice = if seeds == 0 { None } else { self.by_closure(model, memory, &view, seeds) };
        (choice.unwrap_or_else(|| Choice::All { able: memory.able() }), false)
    }

    /// Whether the steps of the process that begins there are local by the text.
    #[inline]
    pub(super) fn is_local_at(&self, model: &Model, bytes: &[u8], base: usize) -> bool {
        let definition = usize::from(bytes[base]);
        self.tables.has_local_in[definition]
            && self.tables.local[definition][model.layout.processes[definition].location(bytes, base)]
    }

    /// A process at a location whose steps are local by the text, if it has one.
    fn by_text(&self, model: &Model, view: &View<'_>, among: u64) -> Option<Choice> {
        if !self.tables.has_local {
            return None;
        }
        for pid in bits_down(among & all(view.bases.len())) {
            let definition = model.definition_of(view, pid);
            if !self.tables.has_local_in[definition] {
                continue;
            }
            let location = model.location(view, pid);
            if !self.tables.local[definition][location] {
                continue;
            }
            let node = &model.definitions[definition].nodes[location];
            let Some(enabled) = enabled(model, &view.of(pid), node, |_, _| {}) else { continue };
            if enabled != 0 && !self.is_sticky(node, enabled) {
                return Some(Choice::Only { processes: 1 << pid, is_one: enabled.is_power_of_two() });
            }
        }
        None
    }

    fn is_sticky(&self, node: &Node, enabled: u64) -> bool {
        self.mutant != Some(Mutant::ChainSticky) && bits(enabled).any(|edge| self.tables.sticky[node.first + edge])
    }

    /// The best closed set from one of these processes; none if everything must be explored.
    fn by_closure(&self, model: &Model, memory: &mut Memory, view: &View<'_>, seeds: u64) -> Option<Choice> {
        let count = view.bases.len();
        if memory.abilities.len() < count {
            memory.abilities.resize(count, Ability::default());
        }
        let frame = Frame::new(view.channels, view.bytes.len(), count);
        let asked = Asked { view, machine: model.made_machine(), frame };
        if self.has_handshakes {
            memory.abilities.fill(Ability::default());
            // Whether a receive is possible is known once all senders were asked.
            (0..count).try_for_each(|pid| self.test(model, memory, &asked, pid))?;
        }
        let mut best: Option<(u32, u64)> = None;
        for seed in bits_down(seeds) {
            self.test(model, memory, &asked, seed)?;
            // Where nothing can move, or only `timeout`, everything is looked at.
            if memory.unable >> seed & 1 != 0 {
                continue;
            }
            let Some(closed) = self.closure(model, memory, &asked, seed)? else { continue };
            let steps = bits(closed).map(|pid| memory.abilities[pid].enabled.count_ones()).sum();
            if best.is_none_or(|(fewest, _)| steps < fewest) {
                best = Some((steps, closed));
            }
            if steps == 1 {
                break;
            }
        }
        let (_, processes) = best?;
        // A set outside of which nothing can move leaves nothing out.
        for pid in bits(memory.casts.profile().movable & !processes) {
            self.test(model, memory, &asked, pid)?;
            if memory.unable >> pid & 1 == 0 {
                return Some(Choice::Only { processes, is_one: false });
            }
        }
        None
    }

    /// Finds out which edges a process can take; none if that is not known here.
    #[inline]
    fn test(&self, model: &Model, memory: &mut Memory, asked: &Asked<'_>, pid: usize) -> Option<()> {
        if memory.tested >> pid & 1 != 0 {
            return Some(());
        }
        let Memory { casts, abilities, .. } = memory;
        if !self.has_handshakes {
            abilities[pid].enabled = 0;
        }
        let own = match asked.quickly(pid) {
            Some(own) => own,
            None => {
                let node = |pid: usize| &model.definitions[casts.tables(pid).definition].nodes[casts.location(pid)];
                enabled(model, &asked.view.of(pid), node(pid), |partner, edge| {
                    abilities[partner].enabled |= 1 << (edge - node(partner).first);
                })?
            }
        };
        debug_assert!({
            let node = &model.definitions[casts.tables(pid).definition].nodes[casts.location(pid)];
            enabled(model, &asked.view.of(pid), node, |_, _| {}) == Some(own)
        });
        abilities[pid].enabled |= own;
        memory.tested |= 1 << pid;
        memory.unable |= u64::from(own == 0) << pid;
        Some(())
    }

    /// The closed set from a process, none if it leaves nothing out or must not be explored alone; none of either if what
    /// processes can do is not known here.
    fn closure(&self, model: &Model, memory: &mut Memory, asked: &Asked<'_>, seed: usize) -> Option<Option<u64>> {
        let movable = memory.casts.profile().movable;
        let (mut closed, mut open) = (0_u64, 1_u64 << seed);
        while open != 0 {
            // A process that was found unable to move is not left out, either.
            if movable & !(closed | open | memory.unable) == 0 {
                return Some(None);
            }
            let pid = open.trailing_zeros() as usize;
            closed |= 1 << pid;
            self.test(model, memory, asked, pid)?;
            if memory.surveyed >> pid & 1 == 0 {
                self.survey(model, memory, &asked.view.of(pid));
            }
            if memory.barred >> pid & 1 != 0 {
                return Some(None);
            }
            open = (open | memory.abilities[pid].needs) & !closed;
        }
        Some(Some(closed))
    }

    /// Notes what a process needs, and whether it may be explored alone.
    fn survey(&self, model: &Model, memory: &mut Memory, view: &View<'_>) {
        let pid = view.pid;
        let Memory { casts, abilities, surveyed, barred, .. } = memory;
        let ability = &mut abilities[pid];
        ability.needs = 0;
        *surveyed |= 1 << pid;
        if ability.enabled & casts.barred_edges(pid) != 0 {
            *barred |= 1 << pid;
            return;
        }
        let node = &model.definitions[casts.tables(pid).definition].nodes[casts.location(pid)];
        let needs = casts.edges(model, &self.tables, pid);
        for (edge, needs) in needs[..node.count].iter().enumerate() {
            let is_filled = || has_message(model, view, &model.edges[node.first + edge].action);
            ability.needs |= match ability.enabled >> edge & 1 != 0 {
                true => needs.conflict,
                false if needs.wake != needs.wake_filled && is_filled() => needs.wake_filled,
                false => needs.wake,
            };
        }
    }

    /// Whether the tables say that two possible steps of different processes may disturb each other; and whether the
    /// second may make the first possible, which is not.
    pub(super) fn relation(
        &self,
        model: &Model,
        memory: &mut Memory,
        shape: &Shape,
        bytes: &[u8],
        (one, two): (ModelStep, ModelStep),
    ) -> (bool, bool) {
        let fault = Cell::new(false);
        let view = view(model, shape, bytes, &fault);
        let mut access = |step: ModelStep| {
            let instance = memory.casts.instance(model, &self.tables, &view, usize::from(step.pid));
            let instance = &memory.casts.instances[instance as usize];
            instance.edges[step.edge as usize - self.tables.first[instance.definition]].clone()
        };
        let (of_one, of_two) = (access(one), access(two));
        let edge = &model.edges[one.edge as usize];
        let is_filled =
            matches!(edge.guard, Guard::Receive) && has_message(model, &view.of(usize::from(one.pid)), &edge.action);
        let wakes = if is_filled { of_one.is_woken_while_filled_by(&of_two) } else { of_one.is_woken_by(&of_two) };
        (of_one.conflicts(&of_two), wakes)
    }
}

impl Asked<'_> {
    /// Which edges of its location a process can take, if machine code decides that.
    #[inline]
    fn quickly(&self, pid: usize) -> Option<u64> {
        let (bytes, base) = (self.view.bytes, self.view.bases[pid] as usize);
        let node = self.machine?.node(bytes, base);
        if node.is_whole && !node.is_restricted { node.ask(bytes, base, pid, &self.frame) } else { None }
    }
}

/// Which edges of its location a process can take, handshakes as sender included, which are told with the partner; none
/// if that is not known here.
fn enabled(model: &Model, view: &View<'_>, node: &Node, mut partner: impl FnMut(usize, usize)) -> Option<u64> {
    if node.count > 64 {
        return None;
    }
    if node.is_restricted {
        let is_allowed = model.allowed(view);
        if view.fault.replace(false) {
            return None;
        }
        if !is_allowed {
            return Some(0);
        }
    }
    let mut found = 0_u64;
    for (index, head) in model.heads_of(node).iter().enumerate() {
        if head.opens_group && found != 0 {
            break;
        }
        if !(head.probe.holds(view.bytes, view.base) && head.more_hold(&model.probes, view.bytes, view.base)) {
            continue;
        }
        let can = match head.rule {
            Rule::Take => true,
            Rule::Else => found == 0,
            Rule::Last => view.pid + 1 == view.bases.len(),
            Rule::Rest | Rule::Ask => {
                let edge = &model.edges[node.first + index];
                let can = match (&edge.guard, &edge.action) {
                    (Guard::Send, Action::Send { channel, message, .. }) => match model.room(view, channel, message) {
                        Room::Buffer => true,
                        Room::None => false,
                        Room::Rendezvous(number, layout) => {
                            // A partner that fits the wrong number of fields is an error of the step.
                            let mut can = message.len() != layout.fields.len();
                            if !can {
                                model.receivers(view, number, layout, message, |receiver| {
                                    partner(receiver.pid, receiver.edge);
                                    can = true;
                                });
                            }
                            // The message is computed even if nobody takes it.
                            message.iter().for_each(|field| {
                                view.eval(field);
                            });
                            can
                        }
                    },
                    _ => model.asked(view, edge),
                };
                view.fault.replace(false) || can
            }
        };
        found |= u64::from(can) << index;
    }
    Some(found)
}

/// Whether the buffer that a receive looks at has a message.
fn has_message(model: &Model, view: &View<'_>, action: &Action) -> bool {
    let Action::Receive(reception) = action else { return false };
    let at = view.channel(view.eval(&reception.channel));
    let is_broken = view.fault.replace(false);
    let count = |at: ChannelAt| model.layout.channels[usize::from(at.layout)].count(view.bytes, at.offset as usize);
    !is_broken && at.is_some_and(|at| count(at) > 0)
}

fn view<'a>(model: &'a Model, shape: &'a Shape, bytes: &'a [u8], fault: &'a Cell<bool>) -> View<'a> {
    let (bases, channels): (&[u32], &[ChannelAt]) = (&shape.bases, &shape.channels);
    View { model, bytes, bases, channels, pid: 0, base: 0, timeout: false, asking: false, started: &[], fault }
}

/// The word in which so many bits are set.
fn all(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - count) }
}

/// The numbers of the bits that are set, the highest first.
fn bits_down(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.checked_ilog2()?;
        word &= !(1 << bit);
        Some(bit as usize)
    })
}
