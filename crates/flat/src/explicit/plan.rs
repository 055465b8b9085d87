//! An order in which to choose the unknown values of a completion, and the search that follows it.
//!
//! Contract: [`Plan::run`] visits every valuation of the unknowns that meets all conditions of the plan, each once. Slots
//! whose values an assignment or an equation gives come first, as soon as what they depend on is chosen; the others run
//! through their domains. A condition is evaluated as soon as everything that it reads has a value.

use std::collections::HashSet;
use std::ops::ControlFlow;

use kernel::budget::Budget;

use crate::enumerate::Valuation;
use crate::evaluate::Evaluator;
use crate::model::{Domain, Model, Natural, Node, NodeId, Type, Value, VariableId};

/// A variable in the current (`false`) or in the next state (`true`).
pub(super) type Slot = (VariableId, bool);

/// The states that an expression is evaluated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame {
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
    /// A Boolean expression has this truth value.
    Is(NodeId, bool),
    /// A Boolean expression does not have this truth value: it has the other one, or none.
    IsNot(NodeId, bool),
    /// A variable has one of the choices of an expression.
    Chosen(Slot, NodeId),
}

/// A requirement, and the states in which it is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    requirement: Requirement,
    frame: Frame,
}

/// The values to try for an unknown.
#[derive(Clone, Debug)]
enum Source {
    /// All of the domain.
    Domain,
    /// The choices of an expression.
    Choices(NodeId, Frame),
    /// The negation of a Boolean expression.
    Negation(NodeId, Frame),
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
pub(super) struct Plan {
    /// Conditions that mention no unknown.
    first: Vec<Condition>,
    choices: Vec<Choice>,
}

/// Receives a completion, and decides whether the search continues.
pub(super) type Visit<'v, 'm, B> = dyn FnMut(&mut Space<'m>) -> ControlFlow<B> + 'v;

/// Space for a search; used again and again.
#[derive(Debug)]
pub(super) struct Space<'m> {
    pub(super) evaluator: Evaluator<'m>,
    /// The current state, with the inputs of the step that leaves it.
    pub(super) current: Valuation,
    /// The next state.
    pub(super) next: Valuation,
    /// Values that completions must have. Those of slots that a plan does not choose have no effect.
    pub(super) fixed: Vec<(Slot, Value)>,
    stack: Vec<Candidates>,
}

impl<'m> Space<'m> {
    /// For completions of valuations of a model.
    pub(super) fn new(model: &'m Model) -> Self {
        let first: Valuation = crate::enumerate::valuation(model, []);
        let (fixed, stack) = (Vec::new(), Vec::new());
        Space { evaluator: Evaluator::new(model), current: first.clone(), next: first, fixed, stack }
    }
}

/// The values that are left to try for an unknown.
#[derive(Debug)]
enum Candidates {
    /// The number of values left, and the number of the next one.
    Domain { left: u128, next: Natural },
    /// Values, and the number of values left and of the next one.
    List { values: Vec<Value>, left: usize, next: usize },
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
    /// A Boolean expression has a truth value.
    pub(super) fn is(node: NodeId, truth: bool, frame: Frame) -> Self {
        Condition { requirement: Requirement::Is(node, truth), frame }
    }

    /// A Boolean expression has the other truth value, or none.
    pub(super) fn is_not(node: NodeId, truth: bool, frame: Frame) -> Self {
        Condition { requirement: Requirement::IsNot(node, truth), frame }
    }

    /// A variable has one of the choices of an expression.
    pub(super) fn chosen(slot: Slot, value: NodeId, frame: Frame) -> Self {
        Condition { requirement: Requirement::Chosen(slot, value), frame }
    }

    fn node(&self) -> NodeId {
        match self.requirement {
            Requirement::Is(node, _) | Requirement::IsNot(node, _) | Requirement::Chosen(_, node) => node,
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

    /// True if the condition reads one of some slots.
    pub(super) fn reads_any(&self, model: &Model, slots: &HashSet<Slot>) -> bool {
        self.reads(model).iter().any(|slot| slots.contains(slot))
    }

    /// True if the condition reads a value of the next state.
    pub(super) fn reads_next(&self, model: &Model) -> bool {
        self.reads(model).iter().any(|(_, of_next)| *of_next)
    }

    /// True if the condition relates inputs and the next state, and gives no value of either.
    pub(super) fn is_entangled(&self, model: &Model) -> bool {
        let mentions = model.facts(self.node()).mentions;
        self.frame == Frame::Step && mentions.input && mentions.next && self.sources(model).is_empty()
    }

    /// The slots that the condition gives values to, and which these are.
    fn sources(&self, model: &Model) -> Vec<(Slot, Source)> {
        let (node, truth) = match self.requirement {
            Requirement::Chosen(slot, node) => return vec![(slot, Source::Choices(node, self.frame))],
            Requirement::IsNot(..) => return Vec::new(),
            Requirement::Is(node, truth) => (node, truth),
        };
        let named = |node: NodeId| self.frame.named(model, node);
        let mut sources = Vec::new();
        let mut give = |target: NodeId, source: Source| sources.extend(named(target).map(|slot| (slot, source)));
        let is_boolean = |node: &NodeId| model.facts(*node).r#type == Type::Boolean;
        match model.node(node) {
            Node::Equal(a, b) if truth => {
                give(*a, Source::Choices(*b, self.frame));
                give(*b, Source::Choices(*a, self.frame));
            }
            Node::Xor(a, b) if !truth => {
                give(*a, Source::Choices(*b, self.frame));
                give(*b, Source::Choices(*a, self.frame));
            }
            Node::Xor(a, b) | Node::Equal(a, b) if is_boolean(a) => {
                give(*a, Source::Negation(*b, self.frame));
                give(*b, Source::Negation(*a, self.frame));
            }
            Node::In(a, b) if truth => give(*a, Source::Choices(*b, self.frame)),
            _ => give(node, Source::Constant(Value::Boolean(truth))),
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
            Requirement::Is(node, truth) => space.evaluator.truth(node, current, next) == Ok(truth),
            Requirement::IsNot(node, truth) => space.evaluator.truth(node, current, next) != Ok(truth),
            Requirement::Chosen((id, of_next), node) => {
                let value = if of_next { &space.next[id.0 as usize] } else { &space.current[id.0 as usize] };
                let mut moment = space.evaluator.at(current, next);
                moment.choices(node).as_ref().is_ok_and(|choices| choices.contains(value))
            }
        }
    }
}

impl Plan {
    /// An order for some unknowns. Slots that are not among them are known.
    pub(super) fn new(model: &Model, unknown: &[Slot], conditions: &[Condition]) -> Self {
        let is_unknown: HashSet<Slot> = unknown.iter().copied().collect();
        let mut plan = Planner::default();
        for (number, condition) in conditions.iter().enumerate() {
            let mut reads = condition.reads(model);
            reads.retain(|slot| is_unknown.contains(slot));
            plan.add_condition(number, &reads);
            for (slot, source) in condition.sources(model) {
                let needs = match &source {
                    Source::Choices(node, frame) | Source::Negation(node, frame) => {
                        reads_of(model, *node, *frame, &is_unknown)
                    }
                    _ => HashSet::new(),
                };
                if is_unknown.contains(&slot) && !needs.contains(&slot) {
                    plan.add_source(slot, source, &needs);
                }
            }
        }
        // A slot that has a source gets its value once what the source needs is chosen. Guesses are for the others.
        let sourced: HashSet<Slot> = plan.sources.iter().map(|(slot, ..)| *slot).collect();
        let mut free: Vec<Slot> = unknown.to_vec();
        free.sort_by_key(|slot| {
            let (id, of_next) = *slot;
            (sourced.contains(slot), of_next, model.variable(id).domain.size(), id)
        });
        plan.arrange(&free, conditions)
    }

    /// Visits all completions. `first` gives, for a number of candidates, the number of the one to try first.
    pub(super) fn run<'m, B>(
        &self,
        model: &'m Model,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut Visit<'_, 'm, B>,
    ) -> ControlFlow<B> {
        if !self.first.iter().all(|condition| condition.is_met(space)) {
            return ControlFlow::Continue(());
        }
        if self.choices.is_empty() {
            return visit(space);
        }
        // The visitor may search with the same space: the stack of this search is its own.
        let mut stack = std::mem::take(&mut space.stack);
        stack.clear();
        let candidates = self.choices[0].candidates(model, space, first);
        stack.push(candidates);
        while let Some(depth) = stack.len().checked_sub(1) {
            if budget.check().is_err() {
                break;
            }
            let at = self.choices[depth].slot;
            let domain = &model.variable(at.0).domain;
            let Some(value) = stack[depth].take(domain) else {
                stack.pop();
                continue;
            };
            let target = if at.1 { &mut space.next } else { &mut space.current };
            target[at.0.0 as usize] = value;
            if !self.choices[depth].conditions.iter().all(|condition| condition.is_met(space)) {
                continue;
            }
            if depth + 1 == self.choices.len() {
                let decision = visit(space);
                if decision.is_break() {
                    return decision;
                }
            } else {
                let candidates = self.choices[depth + 1].candidates(model, space, first);
                stack.push(candidates);
            }
        }
        space.stack = stack;
        ControlFlow::Continue(())
    }
}

/// The unknowns that no condition gives a value to.
pub(super) fn without_source(model: &Model, unknown: &[Slot], conditions: &[Condition]) -> HashSet<Slot> {
    let mut slots: HashSet<Slot> = unknown.iter().copied().collect();
    for (slot, _) in conditions.iter().flat_map(|condition| condition.sources(model)) {
        slots.remove(&slot);
    }
    slots
}

/// The other truth value.
fn negated(value: Value) -> Value {
    if let Value::Boolean(truth) = value { Value::Boolean(!truth) } else { value }
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
                Some(number) => (self.sources[number].0, self.sources[number].1.clone()),
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
        let fixed = space.fixed.iter().find(|(slot, _)| *slot == self.slot).map(|(_, value)| value.clone());
        let values = match &self.source {
            Source::Domain if fixed.is_some() => fixed.iter().cloned().collect(),
            Source::Domain => {
                let left = domain.size();
                return Candidates::Domain { left, next: u64::try_from(first(left)).unwrap_or(0).into() };
            }
            Source::Constant(value) => vec![value.clone()],
            Source::Choices(node, frame) | Source::Negation(node, frame) => {
                let (current, next) = match frame {
                    Frame::Current => (&space.current, None),
                    Frame::Step => (&space.current, Some(&space.next[..])),
                    Frame::Next => (&space.next, None),
                };
                let choices = space.evaluator.choices(*node, current, next).unwrap_or_default();
                match self.source {
                    Source::Negation(..) => choices.into_iter().map(negated).collect(),
                    _ => choices,
                }
            }
        };
        let is_allowed = |value: &Value| domain.contains(value) && fixed.as_ref().is_none_or(|fixed| fixed == value);
        let values: Vec<Value> = values.into_iter().filter(is_allowed).collect();
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
                let value = domain.value(next.clone());
                *next = next.successor();
                if !domain.numbers(next) {
                    *next = Natural::ZERO;
                }
                Some(value)
            }
            Candidates::List { values, left, next } => {
                *left = left.checked_sub(1)?;
                let value = values[*next].clone();
                *next = (*next + 1) % values.len();
                Some(value)
            }
        }
    }
}
