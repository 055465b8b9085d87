//! Single runs of a machine: what may come first, what may come next, and one of them at random.
//!
//! Contract: sets of states come from the decision diagrams, so that a state with millions of successors costs nothing;
//! whatever is picked from them is checked by [`Rules`] before it is given out. A random pick is uniform over the states
//! of the set.

use bdd::{Bdd, Cube, Manager, Variable};
use kernel::budget::Budget;

use crate::enumerate::{Rules, Valuation};
use crate::machine::{Failure, Machine};
use crate::model::{Model, VariableKind};
use crate::order;
use crate::stop::Step;

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

impl<'m> Walk<'m> {
    /// Builds the machine.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn new(model: &'m Model, budget: &Budget) -> Result<Self, Failure> {
        let manager = Manager::new();
        let watched = budget.clone();
        manager.set_watch(Some(Box::new(move |_| watched.exhausted(0).is_none())));
        let machine = Machine::new(model, manager, &order::bits(model, &order::declared(model)))?;
        Ok(Walk { machine, rules: Rules::new(model) })
    }

    /// The states that may come first, or next.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn following(&self, place: Option<&Place>) -> Step<Bdd> {
        let system = self.machine.system();
        match place {
            None => Ok(system.initial().clone()),
            Some(place) => system.image(&system.manager().try_cube(&place.cube)?),
        }
    }

    /// How many states a set has, approximately where there are very many.
    #[must_use]
    pub fn count(&self, set: &Bdd) -> f64 {
        let bits = u32::try_from(self.machine.system().state_bits().len()).expect("few bits");
        set.count(bits).map_or(f64::INFINITY, |count| count as f64)
    }

    /// The first states of a set, at most so many.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn some(&mut self, set: &Bdd, from: Option<&Place>, most: usize) -> Step<Vec<Place>> {
        let mut rest = set.clone();
        let mut found = Vec::new();
        while found.len() < most && !rest.is_false() {
            let cube = self.descend(&rest, &mut |_, _| false);
            rest = rest.try_and(&!self.machine.system().manager().try_cube(&cube)?)?;
            found.push(self.place(from, cube)?);
        }
        Ok(found)
    }

    /// One state of a set that is not empty; `random` gives numbers from 0 up to, and without, 1.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn any(&mut self, set: &Bdd, from: Option<&Place>, random: &mut dyn FnMut() -> f64) -> Step<Place> {
        let cube = self.descend(set, &mut |low, high| random() * (low + high) >= low);
        self.place(from, cube)
    }

    /// Walks down a diagram; `choose` is given the weights of both values of a bit and says whether it is true.
    fn descend(&self, set: &Bdd, choose: &mut dyn FnMut(f64, f64) -> bool) -> Cube {
        let mut at = set.clone();
        let mut literals: Vec<(Variable, bool)> = Vec::new();
        while let Some(bit) = at.root() {
            let (low, high) = (at.cofactor(bit, false), at.cofactor(bit, true));
            let value = low.is_false() || !high.is_false() && choose(low.fraction(), high.fraction());
            literals.push((bit, value));
            at = if value { high } else { low };
        }
        let chosen = Cube::new(literals).expect("each bit once");
        let bits = self.machine.system().state_bits().iter();
        let open = bits.map(|bit| (*bit, chosen.value(*bit).unwrap_or_else(|| choose(1.0, 1.0))));
        Cube::new(open).expect("each bit once")
    }

    /// A state given by its values, with the inputs of the step that leads there.
    #[must_use]
    pub fn at(&self, values: Valuation) -> Place {
        Place { cube: self.machine.encoding().state(self.machine.model(), &values), values }
    }

    fn place(&mut self, from: Option<&Place>, cube: Cube) -> Step<Place> {
        let model = self.machine.model();
        let mut values = self.machine.encoding().decode(model, &cube);
        match from {
            None => assert!(self.rules.is_initial(&values), "what comes first is an initial state"),
            Some(from) => {
                let inputs = self.machine.system().inputs_between(&from.cube, &cube)?;
                let input = self.machine.encoding().decode(model, &inputs.one_cube().expect("a step has an input"));
                let mut before = from.values.clone();
                for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
                    let at = id.0 as usize;
                    (before[at], values[at]) = (input[at], input[at]);
                }
                assert!(self.rules.is_step(&before, &values), "what comes next is a step");
            }
        }
        Ok(Place { cube, values })
    }
}
