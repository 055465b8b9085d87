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
//! needs form a word of bits, from tables of pairs of locations and, where those say that something may conflict, of the
//! edges. The closure from each process is taken; the set with the fewest possible steps wins, the highest process number
//! among equals. Nothing is allocated once the tables of the instances exist.
//!
//! *Contract.* A function of the bytes of the state alone.

use super::instance::{Instance, Tables};
use super::mutant::Mutant;
use crate::compiled::code::{Action, Guard};
use crate::compiled::enabled::Room;
use crate::compiled::eval::{ChannelAt, View};
use crate::compiled::model::{Model, Node};
use crate::compiled::probe::Rule;
use crate::compiled::shape::Shape;
use std::cell::Cell;
use std::collections::HashMap;

/// With more processes than a word has bits, a state is expanded fully.
const MOST_PROCESSES: usize = 64;

/// Values of frozen variables in this range tell instances apart; others are taken for unknown.
const VALUES: std::ops::Range<i32> = 0..256;

/// What is explored in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Everything.
    All,
    /// The steps of the processes in this set, by their numbers.
    Only {
        processes: u64,
        /// There is one such step, of a process at a local location.
        is_one: bool,
    },
}

/// Tables that grow as processes are met; their contents do not depend on the order in which that happens.
#[derive(Debug, Default)]
pub(super) struct Memory {
    instances: Vec<Known>,
    numbers: HashMap<(usize, usize, Vec<i32>), usize>,
    /// For a pair of instances and of their locations, whether the first may need the second, as bits.
    pairs: Vec<Vec<Option<Box<[u64]>>>>,
    /// What the process at each position was when it was looked at last.
    last: Vec<Last>,
    key: Vec<i32>,
    places: Vec<Place>,
}

#[derive(Debug)]
struct Known {
    definition: usize,
    tables: Instance,
}

#[derive(Debug, Default)]
struct Last {
    definition: usize,
    values: Vec<i32>,
    instance: usize,
    is_known: bool,
}

/// Where a process stands in the state at hand.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    definition: usize,
    location: usize,
    instance: usize,
    /// Which edges of its location can be taken.
    enabled: u64,
    /// The processes that it needs.
    needs: u64,
    /// A possible step may not be explored alone.
    is_barred: bool,
}

/// The choice for one model and one property.
#[derive(Debug)]
pub(super) struct Chooser {
    tables: Tables,
    mutant: Option<Mutant>,
}

impl Chooser {
    pub(super) fn new(tables: Tables, mutant: Option<Mutant>) -> Self {
        Self { tables, mutant }
    }

    /// What is explored in a state that is not inside an atomic sequence, as far as the text decides it.
    #[inline]
    pub(super) fn choose_by_text(&self, model: &Model, shape: &Shape, bytes: &[u8]) -> Choice {
        if !self.tables.has_local || shape.bases.len() > MOST_PROCESSES {
            return Choice::All;
        }
        let fault = Cell::new(false);
        self.by_text(model, &view(model, shape, bytes, &fault)).unwrap_or(Choice::All)
    }

    /// What is explored in a state that is not inside an atomic sequence.
    pub(super) fn choose(&self, model: &Model, memory: &mut Memory, shape: &Shape, bytes: &[u8]) -> Choice {
        let count = shape.bases.len();
        if count > MOST_PROCESSES {
            return Choice::All;
        }
        let fault = Cell::new(false);
        let view = view(model, shape, bytes, &fault);
        self.by_text(model, &view).unwrap_or_else(|| match count {
            0 | 1 => Choice::All,
            _ => self.by_closure(model, memory, &view).unwrap_or(Choice::All),
        })
    }

    /// A process at a location whose steps are local by the text, if it has one.
    fn by_text(&self, model: &Model, view: &View<'_>) -> Option<Choice> {
        if !self.tables.has_local {
            return None;
        }
        for pid in (0..view.bases.len()).rev() {
            let (definition, location) = (model.definition_of(view, pid), model.location(view, pid));
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

    /// The best closed set; none if everything must be explored.
    fn by_closure(&self, model: &Model, memory: &mut Memory, view: &View<'_>) -> Option<Choice> {
        let count = view.bases.len();
        memory.places.clear();
        for pid in 0..count {
            let (definition, location) = (model.definition_of(view, pid), model.location(view, pid));
            let instance = self.instance(model, memory, view, pid, definition);
            memory.places.push(Place { definition, location, instance, ..Place::default() });
        }
        let mut moving = 0_u64;
        for pid in 0..count {
            let Place { definition, location, .. } = memory.places[pid];
            let node = &model.definitions[definition].nodes[location];
            let places = &mut memory.places;
            let own = enabled(model, &view.of(pid), node, |partner, edge| {
                let Place { definition, location, .. } = places[partner];
                let first = model.definitions[definition].nodes[location].first;
                places[partner].enabled |= 1 << (edge - first);
            })?;
            places[pid].enabled |= own;
            moving |= u64::from(own != 0) << pid;
        }
        // Where nothing can move, or only `timeout`, everything is looked at.
        if moving == 0 {
            return None;
        }
        for pid in 0..count {
            self.survey(model, memory, &view.of(pid));
        }
        best(&memory.places, moving).map(|processes| Choice::Only { processes, is_one: false })
    }

    /// Notes what a process needs, and whether it may be explored alone.
    fn survey(&self, model: &Model, memory: &mut Memory, view: &View<'_>) {
        let pid = view.pid;
        let Place { definition, location, instance, enabled, .. } = memory.places[pid];
        let node = &model.definitions[definition].nodes[location];
        let first = node.first - self.tables.first[definition];
        let count = memory.places.len();
        let mut needs = 0_u64;
        for other in (0..count).filter(|other| *other != pid) {
            let Place { location: there, instance: partner, .. } = memory.places[other];
            memory.prepare(model, instance, partner);
            if !memory.may_need(instance, location, partner, there) {
                continue;
            }
            let own = &memory.instances[instance].tables;
            let future = &memory.instances[partner].tables.futures[there];
            let is_needed = |edge: usize| {
                let access = &own.edges[first + edge];
                let is_enabled = enabled >> edge & 1 != 0;
                match model.edges[node.first + edge].guard {
                    // The processes above it end first, from the last one on.
                    Guard::Terminate if !is_enabled && !node.is_restricted => other == pid + 1,
                    _ if is_enabled => access.conflicts(future),
                    Guard::Receive if has_message(model, view, &model.edges[node.first + edge].action) => {
                        access.is_woken_while_filled_by(future)
                    }
                    _ => access.is_woken_by(future),
                }
            };
            needs |= u64::from((0..node.count).any(is_needed)) << other;
        }
        let visible = &memory.instances[instance].tables.visible;
        let is_barred = bits(enabled).any(|edge| self.tables.sticky[node.first + edge] || visible[first + edge]);
        let place = &mut memory.places[pid];
        (place.needs, place.is_barred) = (needs, is_barred);
    }

    /// The instance that a process is, which is made if it is new.
    fn instance(&self, model: &Model, memory: &mut Memory, view: &View<'_>, pid: usize, definition: usize) -> usize {
        let used = &self.tables.used[definition];
        memory.key.clear();
        let base = view.bases[pid] as usize;
        let value = |&(offset, kind): &(u32, crate::compiled::layout::Kind)| {
            let value = kind.load(view.bytes, base + offset as usize);
            if VALUES.contains(&value) { value } else { -1 }
        };
        memory.key.extend(used.locals.iter().map(value));
        if memory.last.len() <= pid {
            memory.last.resize_with(pid + 1, Last::default);
        }
        let last = &memory.last[pid];
        if last.is_known && last.definition == definition && last.values == memory.key {
            return last.instance;
        }
        let key = (definition, if used.pid { pid } else { usize::MAX }, memory.key.clone());
        let number = match memory.numbers.get(&key) {
            Some(number) => *number,
            None => {
                let tables = self.tables.instance(model, definition, &(pid, key.2.clone()));
                memory.instances.push(Known { definition, tables });
                memory.numbers.insert(key, memory.instances.len() - 1);
                memory.instances.len() - 1
            }
        };
        let values = memory.key.clone();
        memory.last[pid] = Last { definition, values, instance: number, is_known: true };
        number
    }
}

impl Memory {
    /// Makes the table of a pair of instances.
    fn prepare(&mut self, model: &Model, one: usize, two: usize) {
        let count = self.instances.len();
        if self.pairs.len() < count {
            self.pairs.resize_with(count, Vec::new);
        }
        if self.pairs[one].len() < count {
            self.pairs[one].resize_with(count, || None);
        }
        if self.pairs[one][two].is_some() {
            return;
        }
        let (own, other) = (&self.instances[one], &self.instances[two]);
        let nodes = &model.definitions[own.definition].nodes;
        let base = nodes.first().map_or(0, |node| node.first);
        let width = other.tables.futures.len();
        let mut table = vec![0_u64; (nodes.len() * width).div_ceil(64)];
        for (location, node) in nodes.iter().enumerate() {
            let edges = &own.tables.edges[node.first - base..node.first - base + node.count];
            for (there, future) in other.tables.futures.iter().enumerate() {
                if edges.iter().any(|edge| edge.conflicts(future) || edge.is_woken_by(future)) {
                    let bit = location * width + there;
                    table[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        self.pairs[one][two] = Some(table.into());
    }

    #[inline]
    fn may_need(&self, one: usize, location: usize, two: usize, there: usize) -> bool {
        let width = self.instances[two].tables.futures.len();
        let bit = location * width + there;
        self.pairs[one][two].as_ref().is_some_and(|table| table[bit / 64] >> (bit % 64) & 1 != 0)
    }
}

/// The closed set with the fewest possible steps that may be explored alone.
fn best(places: &[Place], moving: u64) -> Option<u64> {
    let everything = if places.len() == 64 { u64::MAX } else { (1 << places.len()) - 1 };
    let mut best: Option<(u32, u64)> = None;
    for seed in (0..places.len()).rev().filter(|pid| moving >> pid & 1 != 0) {
        let (mut closed, mut open) = (0_u64, 1_u64 << seed);
        while open != 0 && closed | open != everything {
            let pid = open.trailing_zeros() as usize;
            closed |= 1 << pid;
            if places[pid].is_barred {
                break;
            }
            open = (open | places[pid].needs) & !closed;
        }
        if open != 0 {
            continue;
        }
        let steps = bits(closed).map(|pid| places[pid].enabled.count_ones()).sum();
        if best.is_none_or(|(fewest, _)| steps < fewest) {
            best = Some((steps, closed));
        }
        if steps == 1 {
            break;
        }
    }
    best.map(|(_, closed)| closed)
}

/// Which edges of its location a process can take, handshakes as sender included, which are told with the partner; none
/// if that is not known here.
fn enabled(model: &Model, view: &View<'_>, node: &Node, mut partner: impl FnMut(usize, usize)) -> Option<u64> {
    if node.count > 64 {
        return None;
    }
    if node.is_restricted && !model.allowed(view) {
        return if view.fault.replace(false) { None } else { Some(0) };
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

/// The numbers of the bits that are set.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}
