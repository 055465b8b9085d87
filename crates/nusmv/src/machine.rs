//! Sets of states and single choices from them, for simulation and lists of states.
//!
//! Choices are those of NuSMV as far as its behaviour shows them: bit by bit in the order of [`listing`], a
//! bit on which the rest of the set does not depend becomes false, and another one true if it can.

use crate::listing::{self, Row};
use crate::model::{complaint, first_error};
use crate::session::Session;
use bdd::{Bdd, Cube, Variable};
use flat::enumerate::Valuation;
use flat::model::{Model, NodeId, VariableKind};
use kernel::budget::{Budget, Exhausted};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use symbolic::check::SymbolicOptions;
use symbolic::image::machine::{Failure, Machine};

/// A machine with its bits in NuSMV's order.
#[derive(Debug)]
pub struct Space<'m> {
    /// The machine.
    pub machine: Machine<'m>,
    model: &'m Model,
    states: Vec<Variable>,
    inputs: Vec<Variable>,
}

/// Options of machines that are not used to check properties.
#[must_use]
pub fn options() -> SymbolicOptions {
    SymbolicOptions { deadlocks: false, counterexamples: false, ..SymbolicOptions::default() }
}

impl<'m> Space<'m> {
    /// The machine of a model.
    ///
    /// # Errors
    /// What is wrong with the model, in NuSMV's words, or the limit that was exhausted.
    pub fn new(
        session: &Session<'_>,
        model: &'m Model,
        options: &'m SymbolicOptions,
        budget: &'m Budget,
    ) -> Result<Self, String> {
        let machine = symbolic::check::machine(model, options, budget).map_err(|failure| match failure {
            Failure::Wrong(diagnostics) => {
                let sources = &session.input.as_ref().expect("the hierarchy was flattened").sources;
                complaint(sources, first_error(&diagnostics))
            }
            Failure::Stopped(limit) => format!("The command was ended: {}.\n", checker::report::Reason::Limit(limit)),
        })?;
        let bits = |inputs: bool| -> Vec<Variable> {
            let bits = listing::bits(model, &session.order, inputs).into_iter();
            bits.map(|(id, place)| machine.encoding().bits_now(id)[place]).collect()
        };
        Ok(Self { model, states: bits(false), inputs: bits(true), machine })
    }

    /// The set of one state.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn state(&self, place: &Valuation) -> Result<Bdd, Exhausted> {
        Ok(self.machine.system().manager().try_cube(&self.machine.encoding().state(self.model, place))?)
    }

    /// The initial states that satisfy an expression, if one is given.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn initial(&mut self, constraint: Option<NodeId>) -> Result<Bdd, Exhausted> {
        let initial = self.machine.system().initial().clone();
        Ok(match constraint {
            Some(node) => initial.try_and(&self.machine.truth(node)?)?,
            None => initial,
        })
    }

    /// The states that follow one: those that satisfy an expression, or are reached by steps that satisfy one.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn following(
        &mut self,
        place: &Valuation,
        state: Option<NodeId>,
        step: Option<NodeId>,
    ) -> Result<Bdd, Exhausted> {
        let from = self.state(place)?;
        let step = step.map(|node| self.machine.truth(node)).transpose()?;
        let next = match &step {
            Some(condition) => self.machine.system().image_with(&from, condition)?,
            None => self.machine.system().image(&from)?,
        };
        let states = self.machine.system().states();
        let next = next.try_and(states)?;
        Ok(match state {
            Some(node) => next.try_and(&self.machine.truth(node)?)?,
            None => next,
        })
    }

    /// The inputs with which a step leads from one state to another and satisfies an expression, if one is given.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn inputs_between(&mut self, from: &Valuation, to: &Valuation, step: Option<NodeId>) -> Result<Bdd, Exhausted> {
        let encoding = self.machine.encoding();
        let (now, next) = (encoding.state(self.model, from), encoding.state(self.model, to));
        let pairs = encoding.pairs();
        let inputs = self.machine.system().inputs_between(&now, &next)?;
        let Some(node) = step else { return Ok(inputs) };
        let targets = pairs.iter().filter_map(|(present, partner)| Some((*partner, next.value(*present)?)));
        let both = Cube::new(now.literals().iter().copied().chain(targets)).expect("present and next bits differ");
        Ok(inputs.try_and(&self.machine.truth(node)?.try_restrict(&both)?)?)
    }

    /// How many states a set has.
    #[must_use]
    pub fn count(&self, set: &Bdd) -> f64 {
        let bits = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        match set.count(bits) {
            Some(count) => count as f64,
            None => set.fraction() * 2_f64.powi(i32::try_from(bits).unwrap_or(i32::MAX)),
        }
    }

    /// The states of a set in NuSMV's order; none if there are more than `most`.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn list_states(&self, set: &Bdd, most: usize) -> Result<Option<Vec<Valuation>>, Exhausted> {
        self.list(set, &self.states, most)
    }

    /// The inputs of a set in NuSMV's order; none if there are more than `most`.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn list_inputs(&self, set: &Bdd, most: usize) -> Result<Option<Vec<Valuation>>, Exhausted> {
        self.list(set, &self.inputs, most)
    }

    fn list(&self, set: &Bdd, bits: &[Variable], most: usize) -> Result<Option<Vec<Valuation>>, Exhausted> {
        let mut rows: Vec<Row> = Vec::new();
        for cube in set.cubes() {
            let mut some = vec![Row::with_capacity(bits.len())];
            for bit in bits {
                let values: &[bool] = match cube.value(*bit) {
                    Some(true) => &[true],
                    Some(false) => &[false],
                    None => &[false, true],
                };
                if some.len() * values.len() + rows.len() > most {
                    return Ok(None);
                }
                let longer = |row: &Row| values.iter().map(|value| [row.as_slice(), &[*value]].concat()).collect();
                some = some.iter().flat_map::<Vec<Row>, _>(longer).collect();
            }
            rows.extend(some);
        }
        let literals = |row: &Row| bits.iter().copied().zip(row.iter().copied()).collect::<Vec<_>>();
        let place = |row: &Row| self.decoded(&Cube::new(literals(row)).expect("each bit once"));
        Ok(Some(listing::ordered(rows).iter().map(place).collect()))
    }

    fn decoded(&self, cube: &Cube) -> Valuation {
        self.machine.encoding().decode(self.model, cube)
    }

    /// The first state of a set.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn first_state(&self, set: &Bdd) -> Result<Option<Valuation>, Exhausted> {
        self.choose(set, &self.states, None)
    }

    /// The first inputs of a set.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn first_inputs(&self, set: &Bdd) -> Result<Option<Valuation>, Exhausted> {
        self.choose(set, &self.inputs, None)
    }

    /// A state of a set at random, each with the same probability.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn any_state(&self, set: &Bdd, random: &mut ChaCha8Rng) -> Result<Option<Valuation>, Exhausted> {
        self.choose(set, &self.states, Some(random))
    }

    /// Inputs of a set at random.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub fn any_inputs(&self, set: &Bdd, random: &mut ChaCha8Rng) -> Result<Option<Valuation>, Exhausted> {
        self.choose(set, &self.inputs, Some(random))
    }

    /// Chooses bit by bit, at random if there is a source of random numbers.
    fn choose(
        &self,
        set: &Bdd,
        bits: &[Variable],
        mut random: Option<&mut ChaCha8Rng>,
    ) -> Result<Option<Valuation>, Exhausted> {
        if set.is_false() {
            return Ok(None);
        }
        let mut rest = set.clone();
        let mut chosen = Vec::with_capacity(bits.len());
        for bit in bits {
            let part = |value| rest.try_restrict(&Cube::new([(*bit, value)]).expect("one literal"));
            let (low, high) = (part(false)?, part(true)?);
            let value = match &mut random {
                _ if low.is_false() => true,
                _ if high.is_false() => false,
                Some(random) => !is_low(&low, &high, random),
                None => low != high,
            };
            rest = if value { high } else { low };
            chosen.push((*bit, value));
        }
        Ok(Some(self.decoded(&Cube::new(chosen).expect("each bit once"))))
    }
}

/// Which half of a set to go on with, at random by their sizes.
fn is_low(low: &Bdd, high: &Bdd, random: &mut ChaCha8Rng) -> bool {
    let (low, high) = (low.fraction(), high.fraction());
    // Sets too small for floating-point numbers count as equal.
    let share = if low + high > 0.0 { low / (low + high) } else { 0.5 };
    random.random_range(0.0..1.0) < share
}

/// A state with the inputs of another valuation.
#[must_use]
pub fn with_inputs(model: &Model, state: &Valuation, inputs: &Valuation) -> Valuation {
    let mut place = state.clone();
    for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
        place[id.0 as usize] = inputs[id.0 as usize].clone();
    }
    place
}
