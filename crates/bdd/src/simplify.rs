//! Simplification of a function with a care set: its value outside of the set does not matter [coudert.89.avms].
//!
//! What: `simplify(f, care)` agrees with `f` wherever `care` is true and is anything elsewhere, chosen so that the diagram
//! tends to be smaller (their *restrict* operator). Contract: `care` is not constantly false. Depends on the order. The
//! result mentions no variable that `f` does not. Recurses once a level. Tested by the truth tables in `tests/`.

use crate::cache::Operation;
use crate::manager::OutOfNodes;
use crate::store::{Edge, Store};

impl Store {
    pub(crate) fn simplify(&mut self, f: Edge, mut care: Edge) -> Result<Edge, OutOfNodes> {
        if f.is_constant() || care == Edge::TRUE {
            return Ok(f);
        }
        if f.is_complemented() {
            return Ok(self.simplify(f.not(), care)?.not());
        }
        let level = self.level(f);
        // A variable on which only the care set depends is quantified away.
        while !care.is_constant() && self.level(care) < level {
            let (low, high) = self.children(care);
            care = self.or(low, high)?;
        }
        if care == Edge::TRUE {
            return Ok(f);
        }
        let operands = [f, care, Edge::TRUE];
        if let Some(result) = self.cached(Operation::Simplify, operands) {
            return Ok(result);
        }
        let ((low, high), (care_low, care_high)) = (self.children(f), self.cofactors(care, level));
        let result = if care_low == Edge::FALSE {
            self.simplify(high, care_high)?
        } else if care_high == Edge::FALSE {
            self.simplify(low, care_low)?
        } else {
            let low = self.simplify(low, care_low)?;
            let high = self.simplify(high, care_high)?;
            self.make(level, low, high)?
        };
        Ok(self.remember(Operation::Simplify, operands, result))
    }
}
