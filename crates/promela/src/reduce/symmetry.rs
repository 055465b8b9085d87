//! Symmetry: states that differ by an exchange of interchangeable processes are one.
//!
//! *What.* The processes of a definition are interchangeable if nothing tells them apart but where they stand, their
//! variables, and the elements of global arrays that each uses as `a[_pid]` and nobody uses otherwise. Then an exchange of
//! two of them, with these elements, is an automorphism of the model, and the orbits of states are bisimilar to the states
//! [ip.96.fmsd]. The representative of an orbit has the processes in the order of their bytes.
//!
//! *Conditions*, for a definition: its processes never end, since processes end in reverse order of creation and the last
//! one could do what another could not; `_pid` occurs as an index of such arrays only; no expression and no atom refers to
//! one of its processes or elements; the number that `run` returns is not used; its processes have no channels of their
//! own, whose numbers depend on the order; an element that is never written is the same for all. Positions beyond the end
//! of an array are left alone: an access is an error there.
//!
//! *With partial order.* Choices are made on representatives. A cycle of representatives, followed as often as it takes to
//! close in the model, takes the same edges again, so that it contains a sticky one [emerson.97.tacas].
//!
//! *Tested by* `testbench::oracle::symmetry`, against the model itself, and by mutants.

use super::mutant::Mutant;
use super::walk::{self, Part};
use crate::compiled::ModelStep;
use crate::compiled::atoms::Atoms;
use crate::compiled::code::{Action, Address, Code, Guard, Root, Start};
use crate::compiled::layout::{EXCLUSIVE_BIT, Slot};
use crate::compiled::model::Model;
use crate::compiled::shape::Shape;
use crate::typed::ProcId;
use kernel::system::{Fault, Successor, System, Visitor};
use std::cmp::Ordering;

/// The interchangeable processes of a model, for one property.
#[derive(Debug)]
pub struct Symmetry {
    groups: Vec<Group>,
}

/// The processes of one definition.
#[derive(Debug)]
struct Group {
    definition: u8,
    /// The arrays of which each process has an element: where they begin, and the size of an element.
    arrays: Vec<(usize, usize)>,
    /// Processes from this number on are left alone.
    end: usize,
}

/// Room for the bytes of processes.
#[derive(Debug, Default)]
pub(super) struct Room {
    shape: Shape,
    members: Vec<usize>,
    parts: Vec<Vec<u8>>,
    state: Vec<u8>,
}

impl Symmetry {
    /// The interchangeable processes.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn new(
        model: &Model,
        atoms: Option<&Atoms>,
        mutant: Option<Mutant>,
        several: &[bool],
    ) -> Result<Self, String> {
        if model.monitor.is_some() {
            return Err("the assertion about events may tell processes apart".into());
        }
        let several = (0..model.definitions.len()).filter(|definition| several[*definition]);
        let (mut groups, mut reason) = (Vec::new(), "no definition has several processes".to_owned());
        for definition in several {
            match group(model, definition, atoms, mutant) {
                Ok(group) => groups.push(group),
                Err(why) => reason = format!("`{}` {why}", model.program.procs[definition].name),
            }
        }
        if groups.is_empty() { Err(reason) } else { Ok(Self { groups }) }
    }

    /// The representative of a state between steps; none if that is the state itself.
    pub(super) fn canonical<'r>(&self, model: &Model, room: &'r mut Room, state: &[u8]) -> Option<&'r [u8]> {
        let Room { shape, members, parts, state: sorted } = room;
        shape.read(model, state);
        let mut changed = false;
        for group in &self.groups {
            let bases = &shape.bases[..shape.bases.len().min(group.end)];
            members.clear();
            members.extend((0..bases.len()).filter(|pid| state[bases[*pid] as usize] == group.definition));
            let size = model.layout.processes[usize::from(group.definition)].size as usize;
            let own = |pid: usize| &state[bases[pid] as usize..][..size];
            let element = |pid: usize, (first, width): &(usize, usize)| &state[first + pid * width..][..*width];
            let order = |one: usize, two: usize| {
                let elements = group.arrays.iter().map(|array| element(one, array).cmp(element(two, array)));
                elements.fold(own(one).cmp(own(two)), Ordering::then)
            };
            if members.is_sorted_by(|one, two| order(*one, *two).is_le()) {
                continue;
            }
            let part = |pid: usize, into: &mut Vec<u8>| {
                into.clear();
                into.extend_from_slice(own(pid));
                group.arrays.iter().for_each(|array| into.extend_from_slice(element(pid, array)));
            };
            if parts.len() < members.len() {
                parts.resize_with(members.len(), Vec::new);
            }
            members.iter().zip(&mut *parts).for_each(|(pid, into)| part(*pid, into));
            let parts = &mut parts[..members.len()];
            parts.sort_unstable();
            if !changed {
                sorted.clear();
                sorted.extend_from_slice(state);
                changed = true;
            }
            for (pid, from) in members.iter().zip(parts) {
                sorted[bases[*pid] as usize..][..size].copy_from_slice(&from[..size]);
                let mut next = size;
                for (first, width) in &group.arrays {
                    sorted[first + pid * width..][..*width].copy_from_slice(&from[next..next + width]);
                    next += width;
                }
            }
        }
        changed.then_some(&sorted[..])
    }
}

impl Symmetry {
    /// What all states of an orbit have in common and no other state has. Inside an atomic sequence that is the state without
    /// the number of the process inside, and the bytes of that process.
    pub(super) fn orbit(&self, model: &Model, room: &mut Room, state: &[u8]) -> Vec<u8> {
        let Some(pid) = room.shape.read(model, state) else {
            return self.canonical(model, room, state).unwrap_or(state).to_vec();
        };
        let base = room.shape.bases[pid] as usize;
        let mut between = state[..state.len() - 2].to_vec();
        let size = model.layout.processes[usize::from(state[base])].size as usize;
        let mut inside = between[base..base + size].to_vec();
        let group = self.groups.iter().find(|group| group.definition == state[base] && pid < group.end);
        match group {
            Some(group) => group.arrays.iter().for_each(|(first, width)| {
                inside.extend_from_slice(&between[first + pid * width..][..*width]);
            }),
            None => inside.extend_from_slice(&state[state.len() - 2..]),
        }
        between[0] &= !EXCLUSIVE_BIT;
        let mut orbit = self.canonical(model, room, &between).unwrap_or(&between).to_vec();
        orbit.extend(inside);
        orbit
    }
}

/// Passes on the representatives of successors; those inside atomic sequences as they are.
pub(super) struct Representatives<'a, V> {
    pub(super) model: &'a Model,
    pub(super) symmetry: &'a Symmetry,
    pub(super) room: &'a mut Room,
    pub(super) visitor: &'a mut V,
    /// How many states were replaced.
    pub(super) exchanged: &'a mut u64,
}

impl<V: Visitor<ModelStep>> Visitor<ModelStep> for Representatives<'_, V> {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        let Successor { step, state, transient } = successor;
        let state = match transient {
            true => state,
            false => match self.symmetry.canonical(self.model, self.room, state) {
                Some(representative) => {
                    *self.exchanged += 1;
                    representative
                }
                None => state,
            },
        };
        self.visitor.successor(Successor { step, state, transient });
    }

    fn fault(&mut self, step: ModelStep, fault: Fault) {
        self.visitor.fault(step, fault);
    }

    fn passes_through(&self) -> bool {
        self.visitor.passes_through()
    }

    fn passed(&mut self) {
        self.visitor.passed();
    }
}

/// The edges of a definition, by the numbers of their nodes.
fn edges(model: &Model, definition: usize) -> impl Iterator<Item = &crate::compiled::code::Edge> {
    model.definitions[definition].nodes.iter().flat_map(|node| model.edges_of(node))
}

fn group(model: &Model, definition: usize, atoms: Option<&Atoms>, mutant: Option<Mutant>) -> Result<Group, String> {
    let is = |one: Mutant| mutant == Some(one);
    if can_end(model, definition) && !is(Mutant::SymmetricDeath) {
        return Err("can end, and processes end in reverse order".into());
    }
    if !model.layout.processes[definition].channels.is_empty() {
        return Err("has channels of its own, whose numbers are ordered".into());
    }
    if keeps_number(model, definition) {
        return Err("has processes whose numbers are kept".into());
    }
    let mut survey =
        Survey { model, definition, arrays: Vec::new(), others: Vec::new(), written: Vec::new(), reason: None };
    for other in (0..model.definitions.len()).filter(|other| is_process(model, *other)) {
        let own = other == definition;
        edges(model, other).for_each(|edge| survey.edge(edge, own));
        let code = &model.definitions[other];
        code.provided.iter().for_each(|clause| survey.code(clause, own));
        code.initial.iter().for_each(|(_, _, value)| survey.code(value, own));
    }
    let of_numbers = survey.reason.take();
    if let Some(reason) = of_numbers.filter(|_| !is(Mutant::SymmetricArithmetic)) {
        return Err(reason);
    }
    if !is(Mutant::SymmetricAtoms) {
        atoms.into_iter().flat_map(Atoms::codes).for_each(|atom| survey.code(atom, false));
    }
    if survey.reason.is_some() {
        return Err("is referred to by the property".into());
    }
    survey.group()
}

fn is_process(model: &Model, definition: usize) -> bool {
    model.is_process(ProcId(u32::try_from(definition).expect("few definitions")))
}

/// Whether a process of a definition may end.
fn can_end(model: &Model, definition: usize) -> bool {
    let nodes = &model.definitions[definition].nodes;
    let mut seen = vec![false; nodes.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if at >= nodes.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        for edge in model.edges_of(&nodes[at]) {
            if matches!(edge.guard, Guard::Terminate) {
                return true;
            }
            open.push(usize::from(edge.target));
        }
    }
    false
}

/// Whether some statement uses the number of a process of this definition that it started.
fn keeps_number(model: &Model, definition: usize) -> bool {
    let starts_it = |list: &[Start]| list.iter().any(|start| start.proc as usize == definition);
    fn any(action: &Action, starts_it: &dyn Fn(&[Start]) -> bool) -> bool {
        let mentions = |code: &Code| {
            let mut found = false;
            walk::code(code, &mut |part| found |= matches!(part, Part::Code(Code::Started(_))));
            found
        };
        match action {
            // The number is at least 1.
            Action::StartTest(list, test) => starts_it(list) && !matches!(**test, Code::Started(_)) && mentions(test),
            Action::Start(list, then) => {
                let mut found = false;
                match &**then {
                    Action::Nothing | Action::Evaluate(_) => {}
                    _ => found = starts_it(list),
                }
                found || any(then, starts_it)
            }
            Action::Straight(actions) => actions.iter().any(|action| any(action, starts_it)),
            Action::DStep(nodes) => nodes.iter().flatten().any(|edge| any(&edge.action, starts_it)),
            _ => false,
        }
    }
    model.edges.iter().any(|edge| any(&edge.action, &starts_it))
}

/// What the code of a model does with the numbers of the processes of one definition.
struct Survey<'a> {
    model: &'a Model,
    definition: usize,
    /// Global variables whose elements belong to the processes, and global variables that are used otherwise.
    arrays: Vec<usize>,
    others: Vec<usize>,
    /// Global variables that are assigned.
    written: Vec<usize>,
    /// What tells the processes apart.
    reason: Option<String>,
}

impl<'a> Survey<'a> {
    /// An edge of the definition itself, or of another one.
    fn edge(&mut self, edge: &'a crate::compiled::code::Edge, is_own: bool) {
        let mut parts = Vec::new();
        walk::edge(edge, &mut |part| parts.push(part));
        self.parts(parts, is_own);
        let mut written = Vec::new();
        super::known::targets(&edge.action, &mut |address| written.push(address.offset));
        let written: Vec<usize> = written.into_iter().filter_map(|offset| self.variable(offset)).collect();
        self.written.extend(written);
        let cleared = edge.clears.iter().filter(|clear| clear.root == Root::Global).map(|clear| clear.offset);
        let cleared: Vec<usize> = cleared.filter_map(|offset| self.variable(offset)).collect();
        self.others.extend(cleared);
    }

    fn code(&mut self, code: &'a Code, is_own: bool) {
        let mut parts = Vec::new();
        walk::code(code, &mut |part| parts.push(part));
        self.parts(parts, is_own);
    }

    fn parts(&mut self, parts: Vec<Part<'a>>, is_own: bool) {
        // Numbers that are indices of arrays of elements.
        let mut indices = 0_usize;
        let mut numbers = 0_usize;
        for part in parts {
            match part {
                Part::Address(address) if address.root == Root::Global => match self.element(address) {
                    Some(array) if is_own => {
                        indices += 1;
                        self.arrays.push(array);
                    }
                    _ => self.others.extend(self.variable(address.offset)),
                },
                Part::Load(load) if load.root == Root::Global => self.others.extend(self.variable(load.offset)),
                Part::Code(Code::Pid) => numbers += usize::from(is_own),
                Part::Code(Code::RemoteLabel(proc, ..) | Code::RemoteRead(proc, ..))
                    if *proc as usize == self.definition =>
                {
                    self.reason = Some("is referred to by `@` or `:`".into());
                }
                Part::Code(Code::Enabled(_) | Code::PcValue(_) | Code::Last | Code::GetPriority(_)) => {
                    self.reason = Some("may be told apart by `enabled`, `pc_value` or priorities".into());
                }
                _ => {}
            }
        }
        if numbers > indices {
            self.reason = Some("uses `_pid` for more than as an index of its own".into());
        }
    }

    /// The array whose element for the process at hand an address lies in.
    fn element(&self, address: &Address) -> Option<usize> {
        let number = self.variable(address.offset)?;
        let slot = &self.model.layout.globals.slots[number];
        let step = address.steps.first()?;
        let is_outermost = step.stride == slot.stride && Some(step.len) == slot.len;
        // A further index may not lead out of the element.
        let rest: u32 = address.steps[1..].iter().map(|step| (step.len - 1) * step.stride).sum();
        let is_inside = address.offset - slot.offset + rest + address.kind.size() <= slot.stride;
        (is_outermost && is_inside && matches!(step.index, Code::Pid)).then_some(number)
    }

    /// The global variable at an offset.
    fn variable(&self, offset: u32) -> Option<usize> {
        let reach = |slot: &Slot| slot.stride.max(1) * slot.len.unwrap_or(1);
        let slots = &self.model.layout.globals.slots;
        slots.iter().position(|slot| slot.len.is_some() && (slot.offset..slot.offset + reach(slot)).contains(&offset))
    }

    fn group(mut self) -> Result<Group, String> {
        self.arrays.sort_unstable();
        self.arrays.dedup();
        let names = &self.model.program.globals;
        if let Some(shared) = self.arrays.iter().find(|array| self.others.contains(array)) {
            return Err(format!("has elements of `{}` that others use, too", names[*shared].name));
        }
        let mut initial = Vec::new();
        self.model.initial(&mut initial);
        let slots = &self.model.layout.globals.slots;
        let mut end = usize::MAX;
        let mut arrays = Vec::new();
        for array in &self.arrays {
            let slot = &slots[*array];
            let (first, width, count) = (slot.offset as usize, slot.stride as usize, slot.len.unwrap_or(1) as usize);
            let bytes = &initial[first..first + width * count];
            if !self.written.contains(array) && bytes.chunks(width).any(|one| *one != bytes[..width]) {
                return Err(format!("has constants of its own in `{}`", names[*array].name));
            }
            end = end.min(count);
            arrays.push((first, width));
        }
        let definition = u8::try_from(self.definition).expect("a byte holds the definition");
        Ok(Group { definition, arrays, end })
    }
}
