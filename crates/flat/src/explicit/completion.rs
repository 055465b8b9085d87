//! All ways to complete a partial valuation: initial states of a model, or the steps that leave a state.
//!
//! What: the unknown values are chosen one after the other, depth first. Where an assignment or an equation gives a value
//! from values that are known, only its choices are tried; the others run through their domains. A constraint is checked
//! as soon as everything it mentions has a value. A transition relation that is a disjunction is completed disjunct by
//! disjunct, since the equations that determine the next state stand inside of the disjuncts.
//!
//! Contract: visits exactly the completions that [`Rules`](crate::enumerate::Rules) accept, each once, in an order that
//! depends on the model, the partial valuation and `first` alone. Every constraint is evaluated on the complete valuation
//! or on the part of it that it mentions, so the choice of the order cannot make the result wrong. Constraints without
//! equations are solved by trying, which takes time exponential in the number of variables they relate.
//!
//! Tested by: `symbolic/tests/successors.rs`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use kernel::budget::Budget;

use crate::enumerate::Valuation;
use crate::evaluate::Evaluator;
use crate::model::{AssignmentKind, Domain, Model, Node, NodeId, Value, VariableId, VariableKind};

/// A variable in the current (`false`) or in the next state (`true`).
type Slot = (VariableId, bool);

/// The states that an expression is evaluated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    /// The current state.
    Current,
    /// The current state, its inputs, and the next state.
    Step,
    /// The next state, in place of the current one.
    Next,
}

/// A requirement on a complete valuation.
#[derive(Clone, Copy, Debug)]
enum Requirement {
    /// A Boolean expression is true.
    Holds(NodeId),
    /// A Boolean expression is false or has no value.
    Fails(NodeId),
    /// A variable has one of the choices of an expression.
    Chosen(Slot, NodeId),
}

#[derive(Clone, Copy, Debug)]
struct Condition {
    requirement: Requirement,
    frame: Frame,
}

/// The values to try for an unknown.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// All of the domain.
    Domain,
    /// The choices of an expression.
    Choices(NodeId, Frame),
    /// One value.
    Constant(Value),
}

/// One unknown, with the conditions that can be checked once it has a value.
#[derive(Debug)]
struct Choice {
    slot: Slot,
    source: Source,
    conditions: Vec<Condition>,
}

/// An order in which to choose the unknowns.
#[derive(Debug)]
struct Plan {
    /// Conditions that mention no unknown.
    first: Vec<Condition>,
    choices: Vec<Choice>,
}

/// Completes partial valuations of one model.
#[derive(Debug)]
pub(super) struct Completion<'m> {
    model: &'m Model,
    initial: Plan,
    /// The completions of these plans together are the steps; no step is a completion of two.
    steps: Vec<Plan>,
}

/// Space for a search; used again and again.
#[derive(Debug)]
pub(super) struct Space<'m> {
    evaluator: Evaluator<'m>,
    /// The current state, with the inputs of the step that leaves it.
    pub(super) current: Valuation,
    /// The next state.
    pub(super) next: Valuation,
    stack: Vec<Candidates>,
}

/// The values that are left to try for an unknown.
#[derive(Debug)]
enum Candidates {
    /// The number of values left, and the number of the next one.
    Domain { left: u128, next: u64 },
    /// Values, and the number of values left and of the next one.
    List { values: Vec<Value>, left: usize, next: usize },
}

impl<'m> Completion<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let kept = |id: &VariableId| model.variable(*id).kind != VariableKind::Input;
        let initial: Vec<Slot> = model.variable_ids().filter(kept).map(|id| (id, false)).collect();
        let of_kind = |kind| model.assignments.iter().filter(move |one| one.kind == kind);
        let mut conditions = Vec::new();
        for node in model.init.iter().chain(&model.invar) {
            conditions.extend(conjuncts(model, *node).map(|node| holds(node, Frame::Current)));
        }
        for one in of_kind(AssignmentKind::Init).chain(of_kind(AssignmentKind::Always)) {
            conditions.push(chosen((one.variable, false), one.value, Frame::Current));
        }
        let initial = Plan::new(model, &initial, &conditions);

        let input = |id: &VariableId| model.variable(*id).kind == VariableKind::Input;
        let inputs = model.variable_ids().filter(input).map(|id| (id, false));
        let changing = |id: &VariableId| model.variable(*id).kind == VariableKind::State;
        let unknown: Vec<Slot> = inputs.chain(model.variable_ids().filter(changing).map(|id| (id, true))).collect();
        let mut conditions = Vec::new();
        for one in of_kind(AssignmentKind::Next) {
            conditions.push(chosen((one.variable, true), one.value, Frame::Step));
        }
        for one in of_kind(AssignmentKind::Always) {
            conditions.push(chosen((one.variable, true), one.value, Frame::Next));
        }
        for node in &model.invar {
            conditions.extend(conjuncts(model, *node).map(|node| holds(node, Frame::Next)));
        }
        for node in &model.trans {
            conditions.extend(conjuncts(model, *node).map(|node| holds(node, Frame::Step)));
        }
        let steps = match events(model) {
            None => vec![Plan::new(model, &unknown, &conditions)],
            Some(events) => {
                let plan = |number: usize| {
                    let mut conditions = conditions.clone();
                    conditions.extend(conjuncts(model, events[number]).map(|node| holds(node, Frame::Step)));
                    let fails =
                        |node: &NodeId| Condition { requirement: Requirement::Fails(*node), frame: Frame::Step };
                    conditions.extend(events[..number].iter().map(fails));
                    Plan::new(model, &unknown, &conditions)
                };
                (0..events.len()).map(plan).collect()
            }
        };
        Completion { model, initial, steps }
    }

    pub(super) fn space(&self) -> Space<'m> {
        let first: Valuation = crate::enumerate::valuation(self.model, []);
        Space { evaluator: Evaluator::new(self.model), current: first.clone(), next: first, stack: Vec::new() }
    }

    /// Visits all initial states, as `space.current`. `first` gives, for a number of candidates, the number of the one to
    /// try first. Ends early where the visitor breaks or the budget is exhausted.
    pub(super) fn initial_states<B>(
        &self,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut dyn FnMut(&Space<'m>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.initial.run(self.model, space, budget, first, visit)
    }

    /// Visits all steps that leave `space.current`: `space.current` with its inputs, and `space.next`.
    pub(super) fn steps<B>(
        &self,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut dyn FnMut(&Space<'m>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for id in self.model.variable_ids().filter(|id| self.model.variable(*id).kind == VariableKind::Frozen) {
            space.next[id.0 as usize] = space.current[id.0 as usize];
        }
        let begin = usize::try_from(first(self.steps.len() as u128)).unwrap_or(0);
        for number in 0..self.steps.len() {
            let plan = &self.steps[(begin + number) % self.steps.len()];
            plan.run(self.model, space, budget, first, visit)?;
        }
        ControlFlow::Continue(())
    }
}

fn holds(node: NodeId, frame: Frame) -> Condition {
    Condition { requirement: Requirement::Holds(node), frame }
}

fn chosen(slot: Slot, value: NodeId, frame: Frame) -> Condition {
    Condition { requirement: Requirement::Chosen(slot, value), frame }
}

/// The operands of nested conjunctions, through definitions.
fn conjuncts(model: &Model, root: NodeId) -> impl Iterator<Item = NodeId> {
    let mut pending = vec![root];
    std::iter::from_fn(move || {
        while let Some(id) = pending.pop() {
            match model.node(id) {
                Node::And(list) => pending.extend(list.iter().rev()),
                Node::Define(define) => pending.push(model.defines[define.0 as usize].body),
                _ => return Some(id),
            }
        }
        None
    })
}

/// The disjuncts of the conjunct of the transition relation that has most of them, if it is about the next state.
fn events(model: &Model) -> Option<Vec<NodeId>> {
    let all = model.trans.iter().flat_map(|node| conjuncts(model, *node));
    let disjunctive = all.filter(|node| model.facts(*node).mentions.next);
    let best = disjunctive.map(|node| disjuncts(model, node)).max_by_key(Vec::len)?;
    (best.len() > 1).then_some(best)
}

fn disjuncts(model: &Model, root: NodeId) -> Vec<NodeId> {
    let (mut found, mut pending) = (Vec::new(), vec![root]);
    while let Some(id) = pending.pop() {
        match model.node(id) {
            Node::Or(list) => pending.extend(list.iter().rev()),
            Node::Define(define) => pending.push(model.defines[define.0 as usize].body),
            _ => found.push(id),
        }
    }
    found
}

impl Frame {
    fn slot(self, variable: VariableId, of_next: bool) -> Slot {
        (variable, of_next || self == Frame::Next)
    }

    /// The slot that an expression names, if it is a variable or `next` of one.
    fn named(self, model: &Model, node: NodeId) -> Option<Slot> {
        match model.node(node) {
            Node::Variable(id) => Some(self.slot(*id, false)),
            Node::Next(operand) => match model.node(*operand) {
                Node::Variable(id) => Some(self.slot(*id, true)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The slots that an expression reads.
fn reads(model: &Model, root: NodeId, frame: Frame) -> HashSet<Slot> {
    let (mut found, mut seen, mut pending) = (HashSet::new(), HashSet::new(), vec![(root, false)]);
    while let Some((node, of_next)) = pending.pop() {
        if !seen.insert((node, of_next)) {
            continue;
        }
        match model.node(node) {
            Node::Variable(id) => {
                found.insert(frame.slot(*id, of_next));
            }
            Node::Define(id) => pending.push((model.defines[id.0 as usize].body, of_next)),
            Node::Next(operand) => pending.push((*operand, true)),
            other => pending.extend(other.operands().into_iter().map(|operand| (operand, of_next))),
        }
    }
    found
}

impl Condition {
    fn node(&self) -> NodeId {
        match self.requirement {
            Requirement::Holds(node) | Requirement::Fails(node) | Requirement::Chosen(_, node) => node,
        }
    }

    /// The slots whose values decide the condition.
    fn reads(&self, model: &Model) -> HashSet<Slot> {
        let mut slots = reads(model, self.node(), self.frame);
        if let Requirement::Chosen(slot, _) = self.requirement {
            slots.insert(slot);
        }
        slots
    }

    /// The slots that the condition gives values to, and which these are.
    fn sources(&self, model: &Model) -> Vec<(Slot, Source)> {
        let node = match self.requirement {
            Requirement::Chosen(slot, node) => return vec![(slot, Source::Choices(node, self.frame))],
            Requirement::Fails(_) => return Vec::new(),
            Requirement::Holds(node) => node,
        };
        let named = |node: NodeId| self.frame.named(model, node);
        let mut sources = Vec::new();
        let mut give = |target: NodeId, source: Source| sources.extend(named(target).map(|slot| (slot, source)));
        match model.node(node) {
            Node::Equal(a, b) => {
                give(*a, Source::Choices(*b, self.frame));
                give(*b, Source::Choices(*a, self.frame));
            }
            Node::In(a, b) => give(*a, Source::Choices(*b, self.frame)),
            Node::Not(a) => give(*a, Source::Constant(Value::Boolean(false))),
            _ => give(node, Source::Constant(Value::Boolean(true))),
        }
        sources
    }

    fn is_met(&self, space: &mut Space<'_>) -> bool {
        let (current, next) = match self.frame {
            Frame::Current => (&space.current, None),
            Frame::Step => (&space.current, Some(&space.next[..])),
            Frame::Next => (&space.next, None),
        };
        match self.requirement {
            Requirement::Holds(node) => space.evaluator.truth(node, current, next) == Ok(true),
            Requirement::Fails(node) => space.evaluator.truth(node, current, next) != Ok(true),
            Requirement::Chosen((id, of_next), node) => {
                let value = if of_next { space.next[id.0 as usize] } else { space.current[id.0 as usize] };
                let mut moment = space.evaluator.at(current, next);
                moment.choices(node).as_ref().is_ok_and(|choices| choices.contains(&value))
            }
        }
    }
}

impl Plan {
    /// An order for some unknowns. Slots that are not among them are known.
    fn new(model: &Model, unknown: &[Slot], conditions: &[Condition]) -> Self {
        let is_unknown: HashSet<Slot> = unknown.iter().copied().collect();
        let mut plan = Planner::default();
        for (number, condition) in conditions.iter().enumerate() {
            let mut reads = condition.reads(model);
            reads.retain(|slot| is_unknown.contains(slot));
            plan.add_condition(number, &reads);
            for (slot, source) in condition.sources(model) {
                let needs = match source {
                    Source::Choices(node, frame) => reads_of(model, node, frame, &is_unknown),
                    _ => HashSet::new(),
                };
                if is_unknown.contains(&slot) && !needs.contains(&slot) {
                    plan.add_source(slot, source, &needs);
                }
            }
        }
        let mut free: Vec<Slot> = unknown.to_vec();
        free.sort_by_key(|(id, of_next)| (*of_next, model.variable(*id).domain.size(), *id));
        plan.arrange(&free, conditions)
    }

    fn run<'m, B>(
        &self,
        model: &'m Model,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut dyn FnMut(&Space<'m>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !self.first.iter().all(|condition| condition.is_met(space)) {
            return ControlFlow::Continue(());
        }
        if self.choices.is_empty() {
            return visit(space);
        }
        space.stack.clear();
        let candidates = self.choices[0].candidates(model, space, first);
        space.stack.push(candidates);
        while let Some(depth) = space.stack.len().checked_sub(1) {
            if budget.check().is_err() {
                break;
            }
            let at = self.choices[depth].slot;
            let domain = &model.variable(at.0).domain;
            let Some(value) = space.stack[depth].take(domain) else {
                space.stack.pop();
                continue;
            };
            let target = if at.1 { &mut space.next } else { &mut space.current };
            target[at.0.0 as usize] = value;
            if !self.choices[depth].conditions.iter().all(|condition| condition.is_met(space)) {
                continue;
            }
            if depth + 1 == self.choices.len() {
                visit(space)?;
            } else {
                let candidates = self.choices[depth + 1].candidates(model, space, first);
                space.stack.push(candidates);
            }
        }
        ControlFlow::Continue(())
    }
}

fn reads_of(model: &Model, node: NodeId, frame: Frame, unknown: &HashSet<Slot>) -> HashSet<Slot> {
    let mut slots = reads(model, node, frame);
    slots.retain(|slot| unknown.contains(slot));
    slots
}

/// Conditions and sources that wait for unknowns to get their values.
#[derive(Default)]
struct Planner {
    /// For each condition, the number of unknowns it waits for.
    missing: Vec<usize>,
    waiting_conditions: std::collections::HashMap<Slot, Vec<usize>>,
    sources: Vec<(Slot, Source, usize)>,
    waiting_sources: std::collections::HashMap<Slot, Vec<usize>>,
}

impl Planner {
    fn add_condition(&mut self, number: usize, reads: &HashSet<Slot>) {
        self.missing.push(reads.len());
        #[allow(clippy::iter_over_hash_type, reason = "each slot has a list of its own")]
        for slot in reads {
            self.waiting_conditions.entry(*slot).or_default().push(number);
        }
    }

    fn add_source(&mut self, slot: Slot, source: Source, needs: &HashSet<Slot>) {
        let number = self.sources.len();
        self.sources.push((slot, source, needs.len()));
        #[allow(clippy::iter_over_hash_type, reason = "each slot has a list of its own")]
        for need in needs {
            self.waiting_sources.entry(*need).or_default().push(number);
        }
    }

    /// Slots with a source that is ready come first, then the others in the order given.
    fn arrange(mut self, free: &[Slot], conditions: &[Condition]) -> Plan {
        let of = |numbers: &[usize]| numbers.iter().map(|number| conditions[*number]).collect::<Vec<_>>();
        let at_once: Vec<usize> = (0..self.missing.len()).filter(|number| self.missing[*number] == 0).collect();
        let mut ready: std::collections::VecDeque<usize> =
            (0..self.sources.len()).filter(|number| self.sources[*number].2 == 0).collect();
        let (mut placed, mut choices, mut free) = (HashSet::new(), Vec::new(), free.iter());
        loop {
            let (slot, source) = match ready.pop_front() {
                Some(number) => (self.sources[number].0, self.sources[number].1),
                None => match free.next() {
                    Some(slot) => (*slot, Source::Domain),
                    None => break,
                },
            };
            if !placed.insert(slot) {
                continue;
            }
            let mut complete = Vec::new();
            for number in self.waiting_conditions.remove(&slot).unwrap_or_default() {
                self.missing[number] -= 1;
                if self.missing[number] == 0 {
                    complete.push(number);
                }
            }
            for number in self.waiting_sources.remove(&slot).unwrap_or_default() {
                self.sources[number].2 -= 1;
                if self.sources[number].2 == 0 {
                    ready.push_back(number);
                }
            }
            choices.push(Choice { slot, source, conditions: of(&complete) });
        }
        Plan { first: of(&at_once), choices }
    }
}

impl Choice {
    fn candidates(&self, model: &Model, space: &mut Space<'_>, first: &mut dyn FnMut(u128) -> u128) -> Candidates {
        let domain = &model.variable(self.slot.0).domain;
        let values = match self.source {
            Source::Domain => {
                let left = domain.size();
                let next = u64::try_from(first(left)).unwrap_or(0);
                return Candidates::Domain { left, next };
            }
            Source::Constant(value) => vec![value],
            Source::Choices(node, frame) => {
                let (current, next) = match frame {
                    Frame::Current => (&space.current, None),
                    Frame::Step => (&space.current, Some(&space.next[..])),
                    Frame::Next => (&space.next, None),
                };
                space.evaluator.choices(node, current, next).unwrap_or_default()
            }
        };
        let values: Vec<Value> = values.into_iter().filter(|value| domain.index(*value).is_some()).collect();
        let next = if values.len() > 1 { usize::try_from(first(values.len() as u128)).unwrap_or(0) } else { 0 };
        Candidates::List { left: values.len(), next, values }
    }
}

impl Candidates {
    /// The next value, in the order of the domain or list, beginning anew after the last one.
    fn take(&mut self, domain: &Domain) -> Option<Value> {
        match self {
            Candidates::Domain { left, next } => {
                *left = left.checked_sub(1)?;
                let value = domain.value(*next);
                *next = if u128::from(*next) + 1 == domain.size() { 0 } else { *next + 1 };
                Some(value)
            }
            Candidates::List { values, left, next } => {
                *left = left.checked_sub(1)?;
                let value = values[*next];
                *next = (*next + 1) % values.len();
                Some(value)
            }
        }
    }
}
