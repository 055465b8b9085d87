//! The product of a system with the symbolic tableau of an LTL formula with past operators [clarke.97.fmsd].
//!
//! What: [`omega::tableau`] describes the infinite words that satisfy a formula by Boolean variables and conditions; here each
//! variable becomes a bit and each condition a diagram. Contract: the product has a fair path from an initial state if and
//! only if the system has a fair path that satisfies the formula, and projecting the first gives the second.
//!
//! How: every step checks the laws of all variables: a promise is kept by the next state, a memory is handed to it. Atoms that
//! mention inputs or the next state get a bit too, which each step checks. The formula is simplified first. The promises of
//! a window such as `G [0, 100] p` are one number (`windows`).
//!
//! Tested by: the enumerator's lassos (`tests/witnesses.rs`).

use bdd::{Bdd, Variable};
use flat::model::{Linear, NodeId};
use kernel::budget::Exhausted;
use omega::tableau::{Condition, Gate, Law, Tableau};
use std::collections::HashMap;

use super::windows::{self, Counter, Place, Window};
use crate::image::machine::Machine;
use crate::image::system::{Parts, Split, System};

/// The product of the machine's system with a formula that paths must satisfy.
///
/// # Errors
/// Where a limit was reached.
pub fn product(machine: &mut Machine<'_>, formula: &Linear) -> Result<System, Exhausted> {
    let tableau = Tableau::new(formula.formulas(), formula.root());
    let (windows, places) = windows::windows(&tableau);
    let counters = vec![None; windows.len()];
    let mut encoded = Encoded {
        machine,
        formula,
        bits: Vec::new(),
        variables: Vec::new(),
        windows,
        places,
        counters,
        gates: Vec::new(),
        checks: Vec::new(),
    };
    encoded.gates(&tableau)?;
    encoded.laws(&tableau)?;
    let mut initial = vec![encoded.condition(tableau.truth())];
    initial.extend(encoded.forgotten(&tableau));
    let justice: Vec<Bdd> = tableau.fairness().iter().map(|condition| encoded.condition(*condition)).collect();
    let Encoded { bits, checks, .. } = encoded;
    let base = machine.system().parts();
    let mut parts = Parts {
        pairs: base.pairs.iter().copied().chain(bits.iter().copied()).collect(),
        state_bits: base.state_bits.iter().copied().chain(bits.iter().map(|bit| bit.0)).collect(),
        justice: base.justice.iter().cloned().chain(justice).collect(),
        splits: Vec::new(),
        ..base.clone()
    };
    for condition in initial {
        parts.initial = parts.initial.try_and(&condition)?;
    }
    for split in &base.splits {
        let kept_pairs: Vec<(Variable, Variable)> = base
            .pairs
            .iter()
            .filter(|(now, _)| split.kept.binary_search(now).is_ok())
            .map(|(now, next)| (*next, *now))
            .collect();
        let mut conjuncts = split.conjuncts.clone();
        for check in &checks {
            // Where the event keeps a bit, its next value is its present one.
            conjuncts.push(check.try_restrict(&split.selects)?.try_rename(&kept_pairs)?);
        }
        parts.splits.push(Split { selects: split.selects.clone(), conjuncts, kept: split.kept.clone() });
    }
    System::new(parts)
}

/// A tableau in decision diagrams.
struct Encoded<'a, 'm> {
    machine: &'a mut Machine<'m>,
    formula: &'a Linear,
    /// All new bits with their partners in the next state.
    bits: Vec<(Variable, Variable)>,
    /// The bit of each elementary variable, now and next; or what it says about the number of its window.
    variables: Vec<(Bdd, Bdd)>,
    /// Windows, the variables that belong to them, and their numbers as far as they are encoded.
    windows: Vec<Window>,
    places: HashMap<usize, Place>,
    counters: Vec<Option<Counter>>,
    /// The diagram of each gate.
    gates: Vec<Bdd>,
    /// The constraint on every step.
    checks: Vec<Bdd>,
}

impl Encoded<'_, '_> {
    /// A new bit: now and next. There are as many as diagrams have variables; a window that begins after thousands of steps
    /// needs more, which counts as memory.
    fn bit(&mut self) -> Result<(Bdd, Bdd), Exhausted> {
        let encoding = self.machine.encoding_mut();
        if encoding.remaining() < 2 {
            return Err(Exhausted::Memory);
        }
        let pair = (encoding.fresh(), encoding.fresh());
        self.bits.push(pair);
        let manager = self.machine.system().manager();
        Ok((manager.try_variable(pair.0)?, manager.try_variable(pair.1)?))
    }

    fn gates(&mut self, tableau: &Tableau) -> Result<(), Exhausted> {
        let manager = self.machine.system().manager().clone();
        for gate in tableau.gates() {
            let diagram = match gate {
                Gate::True => manager.yes(),
                Gate::Atom(atom) => self.atom(self.formula.node(*atom))?,
                Gate::Variable(number) => {
                    let (now, next) = match self.places.get(number).copied() {
                        Some(place) => self.promise_of_window(place)?,
                        None => self.bit()?,
                    };
                    self.variables.push((now.clone(), next));
                    now
                }
                Gate::And(members) => {
                    let mut all = manager.yes();
                    for member in members {
                        all = all.try_and(&self.condition(*member))?;
                    }
                    all
                }
                Gate::Xor(a, b) => self.condition(*a).try_xor(&self.condition(*b))?,
            };
            self.gates.push(diagram);
        }
        Ok(())
    }

    /// What a promise says about the number of its window: now and next.
    fn promise_of_window(&mut self, place: Place) -> Result<(Bdd, Bdd), Exhausted> {
        let manager = self.machine.system().manager().clone();
        if self.counters[place.window].is_none() {
            let mut counter = Counter { now: Vec::new(), next: Vec::new() };
            for _ in 0..windows::width(self.windows[place.window].length) {
                let (now, next) = self.bit()?;
                counter.now.push(now);
                counter.next.push(next);
            }
            self.counters[place.window] = Some(counter);
        }
        let counter = self.counters[place.window].as_ref().expect("just made");
        let now = windows::at_least(&manager, &counter.now, place.positions)?;
        let next = windows::at_least(&manager, &counter.next, place.positions)?;
        Ok(if place.is_negated { (!now, !next) } else { (now, next) })
    }

    fn condition(&self, condition: Condition) -> Bdd {
        let gate = &self.gates[condition.gate()];
        if condition.is_negated() { !gate } else { gate.clone() }
    }

    fn atom(&mut self, node: NodeId) -> Result<Bdd, Exhausted> {
        let truth = self.machine.truth(node)?;
        let mentions = self.machine.model().facts(node).mentions;
        if !mentions.next && !mentions.input {
            return Ok(truth);
        }
        let (now, _) = self.bit()?;
        self.checks.push(!now.try_xor(&truth)?);
        Ok(now)
    }

    fn laws(&mut self, tableau: &Tableau) -> Result<(), Exhausted> {
        let pairs: Vec<_> =
            self.machine.system().parts().pairs.iter().copied().chain(self.bits.iter().copied()).collect();
        for (number, (law, (now, next))) in tableau.laws().iter().zip(&self.variables).enumerate() {
            if self.places.contains_key(&number) {
                continue;
            }
            let check = match law {
                Law::Promise(condition) => now.try_xor(&self.condition(*condition).try_rename(&pairs)?)?,
                Law::Memory(condition) => next.try_xor(&self.condition(*condition))?,
            };
            self.checks.push(!check);
        }
        let manager = self.machine.system().manager().clone();
        for (window, counter) in self.windows.iter().zip(&self.counters) {
            if let Some(counter) = counter {
                let there = self.condition(window.condition).try_rename(&pairs)?;
                self.checks.extend(windows::laws(&manager, counter, window.length, &there)?);
            }
        }
        Ok(())
    }

    /// That each memory is false, as in an initial state.
    fn forgotten(&self, tableau: &Tableau) -> Vec<Bdd> {
        let memories = tableau.laws().iter().zip(&self.variables);
        memories.filter(|(law, _)| matches!(law, Law::Memory(_))).map(|(_, (now, _))| !now).collect()
    }
}
