//! Values of a recorded trace as cubes of bits.

use bdd::Cube;

use super::Tree;
use crate::encode::Encoding;
use crate::report::{Trace, TraceState};
use crate::strip::Place;
use crate::witness::Path;
use flat::model::{Model, Value, VariableId, VariableKind};

/// Turns values into cubes.
pub(super) struct Cubes<'m> {
    pub(super) model: &'m Model,
    pub(super) encoding: &'m Encoding,
}

impl Cubes<'_> {
    /// The values of some variables as a cube.
    pub(super) fn cube(&self, valuation: &[Value], variables: impl Iterator<Item = VariableId>) -> Cube {
        let literals = variables.flat_map(|id| self.encoding.literals(self.model, id, valuation[id.0 as usize]));
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

    /// The values that the trace marks as relevant; all values if the trace marks none.
    pub(super) fn places(&self, trace: &Trace, tree: &Tree) -> Vec<Place> {
        let place = |(state, values): (&TraceState, &Vec<Value>)| {
            let has_step = !state.inputs.is_empty();
            let matters = |id: &VariableId| {
                state.relevant.as_ref().is_none_or(|names| names.contains(&self.model.variable(*id).name))
            };
            Place {
                state: self.cube(values, self.of_kind(false).filter(matters)),
                input: self.cube(values, self.of_kind(true).filter(|id| has_step && matters(id))),
            }
        };
        trace.states.iter().zip(&tree.states).map(place).collect()
    }
}
