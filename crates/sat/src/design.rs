//! A flat model as a circuit.
//!
//! What: each state and frozen variable becomes latches. Where the text determines the next value of a variable, by an
//! assignment or by a conjunct `next(x) = e` of `TRANS`, its latches have that function. An assignment of a set becomes a
//! function of the state and of an *oracle*, inputs that propose a value; a proposal that is not in the set is replaced by
//! the first value that is, so that the function never fails. Variables about which the text only states constraints take
//! their next value from an oracle. What remains of `TRANS`, the invariants of the next state and the domains of oracles
//! and inputs form the condition that a step satisfies.
//!
//! Contract: paths of the circuit are those of [`Rules`](flat::enumerate::Rules), by which this is tested. A Boolean, a
//! word and an enumeration have the bits that they are expected to have; a range has the number itself in binary.
//! Mistakes of the model that only show when it is encoded are found as by decision diagrams: over all values within
//! domains, reachable or not (`defined`).

use std::collections::HashMap;
use std::rc::Rc;

use flat::enumerate::{self, Valuation};
use flat::model::{AssignmentKind, Domain, Model, Natural, Node, NodeId, Value, VariableId, VariableKind};
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;

use crate::aig::{Aig, Signal};
use crate::bits::{self, Bits};
use crate::circuit::{Circuit, Latch, Trace};
use crate::expression::{Encoded, Expressions, member};
use crate::term::{Choice, Term, bits_for};

/// Why there is no circuit.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Something is wrong with the model that only shows when it is encoded.
    Wrong(Vec<Diagnostic>),
    /// A limit was reached.
    Stopped(Exhausted),
}

impl From<Exhausted> for Failure {
    fn from(stopped: Exhausted) -> Self {
        Failure::Stopped(stopped)
    }
}

/// A model with its circuit.
#[derive(Debug)]
pub struct Design<'m> {
    model: &'m Model,
    /// The circuit.
    pub circuit: Circuit,
    expressions: Expressions<'m>,
    /// The bits of each variable, now.
    now: Vec<Bits>,
    /// The bits of each variable in the next state, as expressions see them.
    next: Vec<Bits>,
    /// What stands for the free bits of next values, and for what was rebuilt from them.
    replaced: HashMap<usize, Signal>,
}

impl<'m> Design<'m> {
    /// Builds the circuit of a model. `folds` says whether equal parts of it are shared; a circuit that re-checks an answer
    /// is built without.
    ///
    /// # Errors
    /// Where the model can assign a value outside a variable's type, or has an expression without a value, or where a
    /// limit was reached.
    pub fn new(model: &'m Model, folds: bool, budget: &Budget) -> Result<Self, Failure> {
        let mut builder = Builder::new(model, folds, budget);
        crate::defined::check(&mut builder)?;
        Ok(builder.finish()?)
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Where a Boolean expression is true, over latches and inputs; false where it has no value.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn truth(&mut self, node: NodeId, budget: &Budget) -> Result<Signal, Exhausted> {
        let aig = &mut self.circuit.aig;
        let encoded = self.expressions.encode(node, false, aig, budget)?;
        let truth = aig.and(encoded.term().truth(), !encoded.undefined);
        Ok(aig.substitute(truth, &mut self.replaced))
    }

    /// Where a Boolean expression is true, over latches and inputs, if the next state has these latches; and where the variables
    /// that it mentions in the next state have these values, over the latches there.
    pub(crate) fn truth_before(
        &mut self,
        node: NodeId,
        next: Option<&Vec<bool>>,
        budget: &Budget,
    ) -> Result<(Signal, Signal), Exhausted> {
        let aig = &mut self.circuit.aig;
        let encoded = self.expressions.encode(node, false, aig, budget)?;
        let truth = aig.and(encoded.term().truth(), !encoded.undefined);
        let Some(next) = next else { return Ok((truth, Signal::TRUE)) };
        let cone = aig.cone(&[truth]);
        let (mut constants, mut pinned) = (HashMap::new(), Vec::new());
        for id in self.model.variable_ids().filter(|id| self.model.variable(*id).kind == VariableKind::State) {
            let (now, later) = (&self.now[id.0 as usize], &self.next[id.0 as usize]);
            if !later.iter().any(|bit| cone.binary_search(&bit.node()).is_ok()) {
                continue;
            }
            for (now, later) in now.iter().zip(later) {
                let value = self.circuit.latch(now.node()).is_some_and(|at| next[at]);
                constants.insert(later.node(), Signal::constant(value));
                pinned.push(now.negated_if(!value));
            }
        }
        let aig = &mut self.circuit.aig;
        Ok((aig.substitute(truth, &mut constants), aig.all(pinned)))
    }

    /// Where all inputs of the model have values of their domains.
    pub(crate) fn inputs_valid(&mut self) -> Signal {
        let mut parts = Vec::new();
        for id in self.model.variable_ids().filter(|id| self.model.variable(*id).kind == VariableKind::Input) {
            parts.push(valid(&self.model.variable(id).domain, &self.now[id.0 as usize], &mut self.circuit.aig));
        }
        self.circuit.aig.all(parts)
    }

    /// The valuation in which the bits of variables have these values.
    #[must_use]
    pub fn decode(&self, value: impl Fn(Signal) -> bool) -> Valuation {
        let of = |id: VariableId| {
            let bits: Vec<bool> = self.now[id.0 as usize].iter().map(|bit| value(*bit)).collect();
            (id, decoded(&self.model.variable(id).domain, &bits))
        };
        enumerate::valuation(self.model, self.model.variable_ids().map(of))
    }

    /// The positions of a trace of the circuit as valuations, each with the inputs of the step that leaves it.
    #[must_use]
    pub fn positions(&self, trace: &Trace) -> Vec<Valuation> {
        let position = |at: usize| {
            let mut values: HashMap<usize, bool> = HashMap::new();
            let latches = self.circuit.latches.iter().map(|latch| latch.now);
            values.extend(latches.zip(&trace.states[at]).map(|(bit, value)| (bit.node(), *value)));
            if let Some(inputs) = trace.inputs.get(at) {
                values.extend(self.circuit.inputs.iter().zip(inputs).map(|(bit, value)| (bit.node(), *value)));
            }
            self.decode(|bit| values.get(&bit.node()).copied().unwrap_or(false))
        };
        (0..trace.states.len()).map(position).collect()
    }

    /// The bits of a variable's present value, least significant first.
    #[must_use]
    pub fn bits(&self, id: VariableId) -> &[Signal] {
        &self.now[id.0 as usize]
    }
}

/// The bits that a variable with this domain has.
#[must_use]
pub fn width(domain: &Domain) -> usize {
    match domain {
        Domain::Boolean => 1,
        Domain::Word(_, width) => *width as usize,
        Domain::Values(values) => bits_for(values.len()),
        Domain::Range(low, high) => {
            let magnitude =
                |number: i64| (i64::BITS - if number < 0 { !number } else { number }.leading_zeros()) as usize;
            let size = magnitude(*low).max(magnitude(*high));
            // A sign is needed only where there are negative numbers.
            size + usize::from(*low < 0)
        }
    }
}

/// The value that bits stand for; the first value of the domain if they stand for none.
fn decoded(domain: &Domain, bits: &[bool]) -> Value {
    if let Domain::Word(..) = domain {
        return Value::Word(Natural::from_bits(bits));
    }
    let code = bits.iter().enumerate().take(64).fold(0_u64, |sum, (at, bit)| sum | u64::from(*bit) << at);
    let value = match domain {
        Domain::Range(low, _) if *low < 0 => {
            let unused = 64 - bits.len();
            Value::Integer((code << unused).cast_signed() >> unused)
        }
        Domain::Range(..) => Value::Integer(code.cast_signed()),
        Domain::Values(values) => {
            usize::try_from(code).ok().and_then(|at| values.get(at)).unwrap_or(&values[0]).clone()
        }
        Domain::Boolean | Domain::Word(..) => domain.value(code),
    };
    if domain.contains(&value) { value } else { domain.value(0_u64) }
}

/// The term of a variable with these bits.
fn variable_term(domain: &Domain, bits: &[Signal], aig: &mut Aig) -> Term {
    match domain {
        Domain::Boolean => Term::Boolean(bits[0]),
        Domain::Word(..) => Term::Word(bits.to_vec()),
        Domain::Range(low, _) if *low < 0 => Term::Number(bits.to_vec()),
        Domain::Range(..) => Term::Number(bits::resize(bits, false, bits.len() + 1)),
        Domain::Values(values) => {
            let coded = Term::Coded(Rc::from(values.as_slice()), bits.to_vec());
            match values.iter().all(|value| matches!(value, Value::Boolean(_))) {
                true => Term::Boolean(coded.is(&Value::Boolean(true), aig)),
                false => coded,
            }
        }
    }
}

/// The bits that give a variable the value of a term.
fn code_of(term: &Term, domain: &Domain, aig: &mut Aig) -> Bits {
    match domain {
        Domain::Boolean => vec![term.truth()],
        Domain::Word(..) => term.word().clone(),
        Domain::Range(..) => {
            let number = term.number(aig);
            bits::resize(&number, true, width(domain))
        }
        Domain::Values(values) => term.coded(&Rc::from(values.as_slice()), aig),
    }
}

/// Where bits stand for a value of the domain.
fn valid(domain: &Domain, bits: &[Signal], aig: &mut Aig) -> Signal {
    match domain {
        Domain::Boolean | Domain::Word(..) => Signal::TRUE,
        Domain::Range(low, high) => {
            let term = variable_term(domain, bits, aig);
            Choice::Between(*low, *high).contains(&term, aig)
        }
        Domain::Values(values) => {
            let last = bits::constant(values.len() as i128 - 1, bits.len());
            !bits::less(aig, &last, bits)
        }
    }
}

/// Builds a design.
pub(crate) struct Builder<'m, 'b> {
    pub(crate) model: &'m Model,
    pub(crate) aig: Aig,
    pub(crate) expressions: Expressions<'m>,
    pub(crate) budget: &'b Budget,
    now: Vec<Bits>,
    next: Vec<Bits>,
    inputs: Vec<Signal>,
}

impl<'m, 'b> Builder<'m, 'b> {
    fn new(model: &'m Model, folds: bool, budget: &'b Budget) -> Self {
        let mut aig = Aig::new(folds);
        let (mut now, mut next, mut terms, mut inputs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for variable in &model.variables {
            let width = width(&variable.domain);
            let present = aig.inputs(width);
            let term = variable_term(&variable.domain, &present, &mut aig);
            let (later, next_term) = match variable.kind {
                VariableKind::State => {
                    let later = aig.inputs(width);
                    let term = variable_term(&variable.domain, &later, &mut aig);
                    (later, term)
                }
                VariableKind::Input => {
                    inputs.extend(&present);
                    (present.clone(), term.clone())
                }
                VariableKind::Frozen => (present.clone(), term.clone()),
            };
            terms.push((term, next_term));
            now.push(present);
            next.push(later);
        }
        Builder { model, aig, expressions: Expressions::new(model, terms), budget, now, next, inputs }
    }

    pub(crate) fn encode(&mut self, node: NodeId, of_next: bool) -> Result<Encoded, Exhausted> {
        self.expressions.encode(node, of_next, &mut self.aig, self.budget)
    }

    /// Where every value of every variable is in its domain, now and next.
    pub(crate) fn all_valid(&mut self) -> Signal {
        let mut parts = Vec::new();
        for id in self.model.variable_ids() {
            parts.push(self.valid(id, false));
            parts.push(self.valid(id, true));
        }
        self.aig.all(parts)
    }

    fn valid(&mut self, id: VariableId, of_next: bool) -> Signal {
        let bits = if of_next { &self.next } else { &self.now }[id.0 as usize].clone();
        valid(&self.model.variable(id).domain, &bits, &mut self.aig)
    }

    /// The valuations, now and next, in which bits have these values, and the variables that a signal depends on.
    pub(crate) fn decode(&self, value: impl Fn(Signal) -> bool) -> (Valuation, Valuation) {
        let of = |list: &[Bits]| {
            let value = |id: VariableId| {
                let bits: Vec<bool> = list[id.0 as usize].iter().map(|bit| value(*bit)).collect();
                (id, decoded(&self.model.variable(id).domain, &bits))
            };
            enumerate::valuation(self.model, self.model.variable_ids().map(value))
        };
        (of(&self.now), of(&self.next))
    }

    /// The variables whose present, and whose next, value a signal depends on.
    pub(crate) fn support(&self, root: Signal) -> (Vec<VariableId>, Vec<VariableId>) {
        let cone = self.aig.cone(&[root]);
        let within = |list: &[Bits], id: &VariableId| {
            list[id.0 as usize].iter().any(|bit| cone.binary_search(&bit.node()).is_ok())
        };
        let now = self.model.variable_ids().filter(|id| within(&self.now, id)).collect();
        let is_state = |id: &VariableId| self.model.variable(*id).kind == VariableKind::State;
        (now, self.model.variable_ids().filter(|id| is_state(id) && within(&self.next, id)).collect())
    }

    fn truths(&mut self, nodes: &[NodeId], of_next: bool) -> Result<Vec<Signal>, Exhausted> {
        let mut truths = Vec::new();
        for node in nodes {
            let encoded = self.encode(*node, of_next)?;
            truths.push(self.aig.and(encoded.term().truth(), !encoded.undefined));
        }
        Ok(truths)
    }

    /// Where variables have assigned values, for assignments of a kind.
    fn assigned(&mut self, kind: AssignmentKind) -> Result<Vec<Signal>, Exhausted> {
        let mut parts = Vec::new();
        for assignment in self.model.assignments.iter().filter(|assignment| assignment.kind == kind) {
            let encoded = self.encode(assignment.value, false)?;
            let term = self.expressions.variable(assignment.variable, false).clone();
            parts.push(member(&term, &encoded, &mut self.aig));
        }
        Ok(parts)
    }

    /// The bits that an assignment gives to a variable.
    fn function(&mut self, id: VariableId, value: NodeId, of_next: bool) -> Result<Bits, Exhausted> {
        let encoded = self.encode(value, of_next)?;
        let domain = &self.model.variable(id).domain;
        if let [(_, Choice::One(term))] = &encoded.choices[..] {
            return Ok(code_of(term, domain, &mut self.aig));
        }
        let oracle = self.aig.inputs(width(domain));
        self.inputs.extend(&oracle);
        let proposed = variable_term(domain, &oracle, &mut self.aig);
        let accepted = member(&proposed, &encoded, &mut self.aig);
        let mut first: Option<Bits> = None;
        for (condition, choice) in encoded.choices.iter().rev() {
            let code = match choice {
                Choice::One(term) => code_of(term, domain, &mut self.aig),
                Choice::Between(low, _) => {
                    let term = Term::constant(&Value::Integer(*low), flat::model::Type::Integer);
                    code_of(&term, domain, &mut self.aig)
                }
            };
            first = Some(match first {
                Some(later) => bits::select(&mut self.aig, *condition, &code, &later),
                None => code,
            });
        }
        let first = first.unwrap_or_else(|| oracle.clone());
        Ok(bits::select(&mut self.aig, accepted, &oracle, &first))
    }

    /// The functions of next values as far as the text gives them, and what else it demands of a step.
    fn functions(&mut self) -> Result<(Vec<Option<Bits>>, Vec<Signal>), Exhausted> {
        let model = self.model;
        let mut functions: Vec<Option<Bits>> = vec![None; model.variables.len()];
        let mut demands = Vec::new();
        for assignment in &model.assignments {
            let at = assignment.variable.0 as usize;
            if model.variable(assignment.variable).kind == VariableKind::State
                && functions[at].is_none()
                && assignment.kind != AssignmentKind::Init
            {
                let of_next = assignment.kind == AssignmentKind::Always;
                functions[at] = Some(self.function(assignment.variable, assignment.value, of_next)?);
            } else if assignment.kind == AssignmentKind::Always {
                let encoded = self.encode(assignment.value, true)?;
                let term = self.expressions.variable(assignment.variable, true).clone();
                demands.push(member(&term, &encoded, &mut self.aig));
            } else if assignment.kind == AssignmentKind::Next {
                let encoded = self.encode(assignment.value, false)?;
                let term = self.expressions.variable(assignment.variable, true).clone();
                demands.push(member(&term, &encoded, &mut self.aig));
            }
        }
        for node in &model.trans {
            for conjunct in conjuncts(model, *node) {
                match defined_next(model, conjunct) {
                    Some((id, value)) if functions[id.0 as usize].is_none() => {
                        let encoded = self.encode(value, false)?;
                        let domain = &model.variable(id).domain;
                        let inside = encoded.term().in_domain(domain, &mut self.aig);
                        demands.push(self.aig.and(inside, !encoded.undefined));
                        functions[id.0 as usize] = Some(code_of(encoded.term(), domain, &mut self.aig));
                    }
                    _ => demands.extend(self.truths(&[conjunct], false)?),
                }
            }
        }
        Ok((functions, demands))
    }

    fn finish(mut self) -> Result<Design<'m>, Exhausted> {
        let model = self.model;
        let is_input = |id: &VariableId| model.variable(*id).kind == VariableKind::Input;
        let mut states: Vec<Signal> = Vec::new();
        for id in model.variable_ids().filter(|id| !is_input(id)) {
            states.push(self.valid(id, false));
        }
        states.extend(self.truths(&model.invar, false)?);
        states.extend(self.assigned(AssignmentKind::Always)?);
        let mut init = states.clone();
        init.extend(self.truths(&model.init, false)?);
        init.extend(self.assigned(AssignmentKind::Init)?);
        let (mut functions, mut demands) = self.functions()?;
        demands.extend(self.truths(&model.invar, true)?);
        for id in model.variable_ids().filter(is_input) {
            demands.push(self.valid(id, false));
        }
        let mut replaced = self.resolve(&mut functions, &mut demands)?;
        for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::State) {
            if functions[id.0 as usize].is_none() {
                demands.push(self.valid(id, true));
                self.inputs.extend(&self.next[id.0 as usize]);
            }
        }
        let step = self.aig.all(demands);
        let step = self.aig.substitute(step, &mut replaced);
        let (init, states) = (self.aig.all(init), self.aig.all(states));
        let mut latches = Vec::new();
        for id in model.variable_ids().filter(|id| !is_input(id)) {
            let at = id.0 as usize;
            for (now, next) in self.now[at].iter().zip(&self.next[at]) {
                latches.push(Latch { now: *now, next: replaced.get(&next.node()).copied().unwrap_or(*next) });
            }
        }
        let mut circuit = Circuit::new(self.aig, latches, self.inputs);
        (circuit.init, circuit.step, circuit.states) = (init, step, states);
        Ok(Design { model, circuit, expressions: self.expressions, now: self.now, next: self.next, replaced })
    }

    /// Replaces next values in functions by their own functions, in an order in which every function follows those it
    /// uses. One that uses itself becomes a demand on an oracle.
    fn resolve(
        &mut self,
        functions: &mut [Option<Bits>],
        demands: &mut Vec<Signal>,
    ) -> Result<HashMap<usize, Signal>, Exhausted> {
        let mut owner = HashMap::new();
        for id in self.model.variable_ids().filter(|id| self.model.variable(*id).kind == VariableKind::State) {
            owner.extend(self.next[id.0 as usize].iter().map(|bit| (bit.node(), id.0 as usize)));
        }
        let mut waits_for: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        let mut used_by: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (at, function) in functions.iter().enumerate() {
            let Some(function) = function else { continue };
            bits::check(&self.aig, self.budget)?;
            let mut uses: Vec<usize> =
                self.aig.cone(function).iter().filter_map(|node| owner.get(node).copied()).collect();
            uses.sort_unstable();
            uses.dedup();
            uses.retain(|used| functions[*used].is_some());
            for used in &uses {
                used_by[*used].push(at);
            }
            waits_for[at] = uses;
        }
        let mut missing: Vec<usize> = waits_for.iter().map(Vec::len).collect();
        let mut is_done: Vec<bool> = functions.iter().map(Option::is_none).collect();
        let mut ready: Vec<usize> = (0..functions.len()).filter(|at| !is_done[*at] && missing[*at] == 0).collect();
        let mut replaced = HashMap::new();
        loop {
            while let Some(at) = ready.pop() {
                is_done[at] = true;
                let function = functions[at].clone().unwrap_or_default();
                for (bit, signal) in self.next[at].clone().iter().zip(function) {
                    let made = self.aig.substitute(signal, &mut replaced);
                    replaced.insert(bit.node(), made);
                }
                for user in &used_by[at] {
                    missing[*user] -= 1;
                    if missing[*user] == 0 && !is_done[*user] {
                        ready.push(*user);
                    }
                }
            }
            let Some(at) = (0..functions.len()).find(|at| !is_done[*at]) else { return Ok(replaced) };
            is_done[at] = true;
            let function = functions[at].take().unwrap_or_default();
            demands.push(bits::equal(&mut self.aig, &self.next[at].clone(), &function));
            for user in &used_by[at] {
                missing[*user] = missing[*user].saturating_sub(1);
                if missing[*user] == 0 && !is_done[*user] {
                    ready.push(*user);
                }
            }
        }
    }
}

/// The conjuncts of an expression, through definitions.
fn conjuncts(model: &Model, root: NodeId) -> Vec<NodeId> {
    let mut parts = Vec::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        match model.node(id) {
            Node::And(list) if model.facts(id).r#type == flat::model::Type::Boolean => {
                pending.extend(list.iter().rev())
            }
            Node::Define(define) => pending.push(model.defines[define.0 as usize].body),
            _ => parts.push(id),
        }
    }
    parts
}

/// The state variable and the value of a conjunct `next(x) = e`.
fn defined_next(model: &Model, conjunct: NodeId) -> Option<(VariableId, NodeId)> {
    let Node::Equal(left, right) = model.node(conjunct) else { return None };
    let target = |node: NodeId| match model.node(node) {
        Node::Next(inner) => match model.node(*inner) {
            Node::Variable(id) if model.variable(*id).kind == VariableKind::State => Some(*id),
            _ => None,
        },
        _ => None,
    };
    target(*left).map(|id| (id, *right)).or_else(|| target(*right).map(|id| (id, *left)))
}
