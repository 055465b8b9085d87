//! Values of a recorded trace as cubes of bits.

use bdd::Cube;

use super::Tree;
use crate::encode::Encoding;
use crate::report::{Trace, TraceState};
use crate::strip::PositionValues;
use crate::witness::Path;
use flat::model::{Model, Value, VariableId, VariableKind};
use flat::order;

/// Turns values into cubes.
pub(super) struct Cubes<'m> {
    pub(super) model: &'m Model,
    pub(super) encoding: &'m Encoding,
}

impl Cubes<'_> {
    /// The values of some variables as a cube.
    pub(super) fn cube(&self, valuation: &[Value], variables: impl Iterator<Item = VariableId>) -> Cube {
        let literals = variables.flat_map(|id| self.encoding.literals(self.model, id, &valuation[id.0 as usize]));
        Cube::new(literals).expect("each bit once")
    }

    fn of_kind(&self, input: bool) -> impl Iterator<Item = VariableId> {
        let model = self.model;
        model.variable_ids().filter(move |id| (model.variable(*id).kind == VariableKind::Input) == input)
    }

    /// The states and inputs.
    pub(super) fn path(&self, tree: &Tree) -> Path {
        let states = tree.states.iter().map(|state| self.cube(state, self.of_kind(false))).collect();
        let steps = tree.states.len() - usize::from(tree.loop_start.is_none());
        let inputs = tree.states[..steps].iter().map(|state| self.cube(state, self.of_kind(true))).collect();
        Path { states, inputs, loop_start: tree.loop_start }
    }

    /// The values of some variables, or bits of them, that a state says matter; all of them where it does not say.
    fn relevant(&self, state: &TraceState, values: &[Value], variables: impl Iterator<Item = VariableId>) -> Cube {
        let Some(names) = &state.relevant else { return self.cube(values, variables) };
        let literals = variables.flat_map(|id| {
            let name = &self.model.variable(id).name;
            let mut places = names.iter().map(|one| order::split(one)).filter(|(of, _)| of == name);
            let places: Vec<Option<u32>> = places.by_ref().map(|(_, place)| place).collect();
            let literals = (0..).zip(self.encoding.literals(self.model, id, &values[id.0 as usize]));
            let matters = move |place: u32| places.iter().any(|one| one.is_none_or(|one| one == place));
            literals.filter(move |(place, _)| matters(*place)).map(|(_, literal)| literal)
        });
        Cube::new(literals).expect("each bit once")
    }

    /// The values that the trace marks as relevant; all values if the trace marks none.
    pub(super) fn places(&self, trace: &Trace, tree: &Tree) -> Vec<PositionValues> {
        let place = |(state, values): (&TraceState, &Vec<Value>)| {
            let has_step = !state.inputs.is_empty();
            PositionValues {
                state: self.relevant(state, values, self.of_kind(false)),
                input: self.relevant(state, values, self.of_kind(true).filter(|_| has_step)),
            }
        };
        trace.states.iter().zip(&tree.states).map(place).collect()
    }
}
