//! Circuits in the AIGER format, version 1.9, as text (`.aag`) or binary (`.aig`).
//!
//! What: [`Export`] makes an AIGER circuit of a circuit whose initial states are a formula and whose steps have a condition.
//! AIGER has neither. A latch `started` makes the first frame read the state from inputs, under the condition that it is
//! initial; a latch `broken` remembers that a condition of a step was violated, after which nothing counts. Lengths are
//! the same as in the circuit.
//!
//! Source: [biere.11.aiger].
//!
//! Contract: the condition of steps is not an AIGER constraint, which would have to hold in the bad frame too: a violating
//! state without a successor would be lost.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use flat::model::Question;
use kernel::budget::{Budget, Exhausted};

use crate::aig::{Aig, Gate, Signal};
use crate::circuit::Circuit;
use crate::design::Design;
use crate::liveness;

/// The circuit of a model with its invariants and formulas of linear time. A formula adds its monitor to the circuit, so that
/// the circuit of a model with several formulas has all of their monitors.
///
/// # Errors
/// The limit that was exhausted.
pub fn of_design(design: &mut Design<'_>, budget: &Budget) -> Result<Export, Exhausted> {
    let model = design.model();
    let mut properties = Vec::new();
    let name = |at: usize| {
        let property = &model.properties[at];
        property.name.clone().unwrap_or_else(|| format!("{}-{}", property.section.to_lowercase(), at + 1))
    };
    for (at, property) in model.properties.iter().enumerate() {
        if let Question::Invariant(node) = property.question {
            let kind = design.violation(node, budget)?;
            properties.push((name(at), Property::Bad(design.circuit.bad(kind))));
        }
    }
    // All signals first: monitors grow on a copy of the circuit.
    for property in &model.properties {
        if let Question::Ltl(formula) = &property.question {
            design.lassos(formula, budget)?;
        }
    }
    let mut circuit = design.circuit.clone();
    for (at, property) in model.properties.iter().enumerate() {
        if let Question::Ltl(formula) = &property.question {
            let negation = formula.negated();
            let wanted = design.lassos(&negation, budget)?;
            let (monitored, often, demand) = liveness::beside(circuit, &wanted);
            circuit = monitored;
            properties.push((name(at), Property::Justice { often, demand }));
        }
    }
    Ok(Export::new(&circuit, &properties))
}

/// One property of an exported circuit.
#[derive(Clone, Debug)]
pub enum Property {
    /// This must never be true; over latches and inputs.
    Bad(Signal),
    /// These must not all be true infinitely often while steps satisfy the demand.
    Justice {
        /// What must not all be true infinitely often.
        often: Vec<Signal>,
        /// What all steps satisfy.
        demand: Signal,
    },
}

/// An AIGER circuit.
#[derive(Clone, Debug)]
pub struct Export {
    aig: Aig,
    inputs: Vec<Signal>,
    /// Latches with their next values; all are false at the beginning.
    latches: Vec<(Signal, Signal)>,
    bad: Vec<(String, Signal)>,
    justice: Vec<(String, Vec<Signal>)>,
}

impl Export {
    /// A circuit with named properties.
    #[must_use]
    pub fn new(circuit: &Circuit, properties: &[(String, Property)]) -> Self {
        let mut aig = circuit.aig.clone();
        let mut inputs = circuit.inputs.clone();
        let (started, broken) = (aig.input(), aig.input());
        // In the first frame, the state is what further inputs say.
        let mut state = HashMap::new();
        for latch in &circuit.latches {
            let oracle = aig.input();
            inputs.push(oracle);
            let stored = aig.input();
            let seen = aig.select(started, stored, oracle);
            state.insert(latch.now.node(), (stored, seen));
        }
        let mut seen: HashMap<usize, Signal> = state.iter().map(|(node, (_, seen))| (*node, *seen)).collect();
        let mut latches = vec![(started, Signal::TRUE)];
        for latch in &circuit.latches {
            let next = aig.substitute(latch.next, &mut seen);
            latches.push((state[&latch.now.node()].0, next));
        }
        let (init, step) = (aig.substitute(circuit.init, &mut seen), aig.substitute(circuit.step, &mut seen));
        let begins = aig.or(started, init);
        let now = aig.and(!broken, begins);
        let goes_on = aig.and(now, step);
        latches.push((broken, !goes_on));
        let mut export = Export { aig, inputs, latches, bad: Vec::new(), justice: Vec::new() };
        for (name, property) in properties {
            match property {
                Property::Bad(signal) => {
                    let signal = export.aig.substitute(*signal, &mut seen);
                    let bad = export.aig.and(now, signal);
                    export.bad.push((name.clone(), bad));
                }
                Property::Justice { often, demand } => {
                    let strayed = export.aig.input();
                    let demand = export.aig.substitute(*demand, &mut seen);
                    let follows = export.aig.all([!strayed, goes_on, demand]);
                    export.latches.push((strayed, !follows));
                    let mut all = vec![follows];
                    all.extend(often.iter().map(|signal| export.aig.substitute(*signal, &mut seen)));
                    export.justice.push((name.clone(), all));
                }
            }
        }
        export
    }

    /// The AIGER numbers of nodes: inputs, latches, then conjunctions that something depends on, operands first.
    fn numbers(&self) -> (BTreeMap<usize, u32>, Vec<usize>) {
        let mut numbers = BTreeMap::from([(0, 0)]);
        let mut next = 1;
        for node in self.inputs.iter().map(|input| input.node()).chain(self.latches.iter().map(|one| one.0.node())) {
            numbers.insert(node, next);
            next += 1;
        }
        let mut roots: Vec<Signal> = self.latches.iter().map(|(_, next)| *next).collect();
        roots.extend(self.bad.iter().map(|(_, bad)| *bad));
        roots.extend(self.justice.iter().flat_map(|(_, all)| all.iter().copied()));
        let gates: Vec<usize> =
            self.aig.cone(&roots).into_iter().filter(|node| matches!(self.aig.gate(*node), Gate::And(..))).collect();
        for gate in &gates {
            numbers.insert(*gate, next);
            next += 1;
        }
        (numbers, gates)
    }

    fn header(&self, format: &str, gates: usize) -> String {
        let (inputs, latches) = (self.inputs.len(), self.latches.len());
        let variables = inputs + latches + gates;
        format!("{format} {variables} {inputs} {latches} 0 {gates} {} 0 {} 0\n", self.bad.len(), self.justice.len())
    }

    /// Everything between the inputs and the conjunctions, which both formats have in common.
    fn properties(&self, literal: &impl Fn(Signal) -> u32) -> String {
        let mut text = String::new();
        for (_, bad) in &self.bad {
            let _ = writeln!(text, "{}", literal(*bad));
        }
        for (_, all) in &self.justice {
            let _ = writeln!(text, "{}", all.len());
        }
        for signal in self.justice.iter().flat_map(|(_, all)| all) {
            let _ = writeln!(text, "{}", literal(*signal));
        }
        text
    }

    fn symbols(&self) -> String {
        let mut text = String::new();
        for (at, (name, _)) in self.bad.iter().enumerate() {
            let _ = writeln!(text, "b{at} {name}");
        }
        for (at, (name, _)) in self.justice.iter().enumerate() {
            let _ = writeln!(text, "j{at} {name}");
        }
        text
    }

    /// The text format.
    #[must_use]
    pub fn text(&self) -> String {
        let (numbers, gates) = self.numbers();
        let literal = |signal: Signal| 2 * numbers[&signal.node()] + u32::from(signal.is_negated());
        let mut text = self.header("aag", gates.len());
        for input in &self.inputs {
            let _ = writeln!(text, "{}", literal(*input));
        }
        for (latch, next) in &self.latches {
            let _ = writeln!(text, "{} {}", literal(*latch), literal(*next));
        }
        text += &self.properties(&literal);
        for gate in gates {
            if let Gate::And(a, b) = self.aig.gate(gate) {
                let _ = writeln!(text, "{} {} {}", 2 * numbers[&gate], literal(a), literal(b));
            }
        }
        text + &self.symbols()
    }

    /// The binary format.
    #[must_use]
    pub fn binary(&self) -> Vec<u8> {
        let (numbers, gates) = self.numbers();
        let literal = |signal: Signal| 2 * numbers[&signal.node()] + u32::from(signal.is_negated());
        let mut bytes = self.header("aig", gates.len()).into_bytes();
        for (_, next) in &self.latches {
            bytes.extend(format!("{}\n", literal(*next)).into_bytes());
        }
        bytes.extend(self.properties(&literal).into_bytes());
        for gate in gates {
            if let Gate::And(a, b) = self.aig.gate(gate) {
                let (a, b) = (literal(a).max(literal(b)), literal(a).min(literal(b)));
                difference(&mut bytes, 2 * numbers[&gate] - a);
                difference(&mut bytes, a - b);
            }
        }
        bytes.extend(self.symbols().into_bytes());
        bytes
    }
}

/// A number in groups of seven bits, least significant first.
fn difference(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
