//! Single runs of a machine: what may come first, what may come next, and one of them at random.
//!
//! Contract: what may come next are pairs of an input and a state, all of them, so that no input of a step is out of reach
//! because another one leads to the same state. Sets of them come from the decision diagrams, so that a state with
//! millions of successors costs nothing; whatever is picked from them is checked by [`Rules`] before it is given out. A
//! random pick is uniform over the pairs of the set. Tested against the enumerator by `tests/simulated.rs`.

use bdd::{Bdd, Cube, Manager, Variable};
use kernel::budget::Budget;

use crate::image::machine::{Failure, Machine};
use crate::stop::Step;
use flat::enumerate::{Rules, Valuation};
use flat::model::{Model, Value, VariableId, VariableKind};
use flat::order;

/// A machine to walk on.
#[derive(Debug)]
pub struct Walk<'m> {
    machine: Machine<'m>,
    rules: Rules<'m>,
}

/// A state of a run, and how it was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    cube: Cube,
    /// The values of all variables; those of inputs are of the step that led here.
    pub values: Valuation,
}

/// What may come next: pairs of an input and a state, or initial states.
#[derive(Clone, Debug)]
pub struct Choices {
    set: Bdd,
    /// The bits of states, and of inputs where a step is chosen.
    bits: Vec<Variable>,
    from: Option<Place>,
}

impl<'m> Walk<'m> {
    /// Builds the machine.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn new(model: &'m Model, budget: &Budget) -> Result<Self, Failure> {
        let manager = Manager::new();
        let mut time = budget.stage();
        time.memory = None;
        manager.set_budget(Some(&time));
        let machine = Machine::new(model, manager, &order::bits(model, &order::declared(model)))?;
        Ok(Walk { machine, rules: Rules::new(model) })
    }

    /// What may come first, or next.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn following(&self, from: Option<&Place>) -> Step<Choices> {
        let system = self.machine.system();
        let mut bits = system.state_bits().to_vec();
        let set = match from {
            None => system.initial().clone(),
            Some(place) => {
                bits.extend(&system.parts().inputs);
                self.steps(&place.cube)?
            }
        };
        Ok(Choices { set, bits, from: from.cloned() })
    }

    /// The inputs, in their own bits, and the states, in present bits, with which a state can be left.
    fn steps(&self, from: &Cube) -> Step<Bdd> {
        let (parts, model) = (self.machine.system().parts(), self.machine.model());
        let mut steps = parts.manager.no();
        for split in &parts.splits {
            let changed = parts.pairs.iter().filter(|(now, _)| split.kept.binary_search(now).is_err());
            let to_present: Vec<(Variable, Variable)> = changed.map(|(now, next)| (*next, *now)).collect();
            let mut here = parts.manager.try_cube(&split.selects)?;
            for conjunct in &split.conjuncts {
                here = here.try_and(&conjunct.try_restrict(from)?)?;
            }
            let stays = |(bit, _): &&(Variable, bool)| !to_present.iter().any(|(_, now)| now == bit);
            let kept = Cube::new(from.literals().iter().filter(stays).copied()).expect("bits of a cube");
            steps = steps.try_or(&here.try_rename(&to_present)?.try_and(&parts.manager.try_cube(&kept)?)?)?;
        }
        for id in inputs(model) {
            steps = steps.try_and(&self.machine.encoding().valid(model, id, false)?)?;
        }
        Ok(steps)
    }

    /// Takes the first pairs out of a set, at most so many; where not all fit, each state comes once before any comes
    /// with another input.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn some(&mut self, choices: &mut Choices, most: usize) -> Step<Vec<Place>> {
        let manager = self.machine.system().manager().clone();
        let mut found = Vec::new();
        if choices.count() > most as f64 {
            let mut states = choices.set.try_exists(&self.machine.system().parts().inputs)?;
            while found.len() < most && !states.is_false() {
                let state = descend(&states, self.machine.system().state_bits(), &mut |_, _| false);
                let state = manager.try_cube(&state)?;
                states = states.try_and(&!state.clone())?;
                let chosen = descend(&choices.set.try_and(&state)?, &choices.bits, &mut |_, _| false);
                found.push(self.take(choices, &chosen)?);
            }
        }
        while found.len() < most && !choices.is_empty() {
            let chosen = descend(&choices.set, &choices.bits, &mut |_, _| false);
            found.push(self.take(choices, &chosen)?);
        }
        Ok(found)
    }

    fn take(&mut self, choices: &mut Choices, chosen: &Cube) -> Step<Place> {
        choices.set = choices.set.try_and(&!self.machine.system().manager().try_cube(chosen)?)?;
        Ok(self.place(choices, chosen))
    }

    /// One pair of a set that is not empty; `random` gives numbers from 0 up to, and without, 1.
    pub fn any(&mut self, choices: &Choices, random: &mut dyn FnMut() -> f64) -> Place {
        let chosen = descend(&choices.set, &choices.bits, &mut |low, high| random() * (low + high) >= low);
        self.place(choices, &chosen)
    }

    /// Leaves only the pairs in which a variable, in the state entered, or an input of the step has this value.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn narrow(&self, choices: &mut Choices, id: VariableId, value: Value) -> Step<()> {
        let literals = self.machine.encoding().literals(self.machine.model(), id, value);
        let cube = Cube::new(literals).expect("each bit once");
        choices.set = choices.set.try_and(&self.machine.system().manager().try_cube(&cube)?)?;
        Ok(())
    }

    /// A state given by its values, with the inputs of the step that leads there.
    #[must_use]
    pub fn at(&self, values: Valuation) -> Place {
        Place { cube: self.machine.encoding().state(self.machine.model(), &values), values }
    }

    fn place(&mut self, choices: &Choices, chosen: &Cube) -> Place {
        let model = self.machine.model();
        let values = self.machine.encoding().decode(model, chosen);
        match &choices.from {
            None => assert!(self.rules.is_initial(&values), "what comes first is an initial state"),
            Some(from) => {
                let mut before = from.values.clone();
                for id in inputs(model) {
                    before[id.0 as usize] = values[id.0 as usize];
                }
                assert!(self.rules.is_step(&before, &values), "what comes next is a step");
            }
        }
        self.at(values)
    }
}

impl Choices {
    /// Whether there is nothing to choose from.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.set.is_false()
    }

    /// How many pairs there are, approximately where there are very many.
    #[must_use]
    pub fn count(&self) -> f64 {
        let bits = u32::try_from(self.bits.len()).expect("few bits");
        self.set.count(bits).map_or(f64::INFINITY, |count| count as f64)
    }
}

fn inputs(model: &Model) -> impl Iterator<Item = VariableId> {
    model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input)
}

/// Walks down a diagram to a cube that gives all bits a value; `choose` is given the weights of both values of a bit and
/// says whether it is true.
fn descend(set: &Bdd, bits: &[Variable], choose: &mut dyn FnMut(f64, f64) -> bool) -> Cube {
    let mut at = set.clone();
    let mut literals: Vec<(Variable, bool)> = Vec::new();
    while let Some(bit) = at.root() {
        let (low, high) = (at.cofactor(bit, false), at.cofactor(bit, true));
        let value = low.is_false() || !high.is_false() && choose(low.fraction(), high.fraction());
        literals.push((bit, value));
        at = if value { high } else { low };
    }
    let chosen = Cube::new(literals).expect("each bit once");
    let open = bits.iter().map(|bit| (*bit, chosen.value(*bit).unwrap_or_else(|| choose(1.0, 1.0))));
    Cube::new(open).expect("each bit once")
}
