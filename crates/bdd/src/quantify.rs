//! Existential quantification, alone and fused with conjunction (the relational product of [burch.92.ic]).
//!
//! Contract: the quantified variables come as a cube of positive literals. Universal quantification is the dual, by
//! complement. Recurses once a level. Tested by the truth tables in `tests/`.

use crate::cache::Operation;
use crate::manager::OutOfNodes;
use crate::store::{Edge, Store};

impl Store {
    pub(crate) fn exists(&mut self, f: Edge, mut cube: Edge) -> Result<Edge, OutOfNodes> {
        while !cube.is_constant() && self.level(cube) < self.level(f) {
            cube = self.rest_of_cube(cube).1;
        }
        if f.is_constant() || cube.is_constant() {
            return Ok(f);
        }
        let operands = [f, cube, Edge::TRUE];
        if let Some(result) = self.cached(Operation::Exists, operands) {
            return Ok(result);
        }
        let level = self.level(f);
        let (low, high) = self.children(f);
        let result = if self.level(cube) == level {
            let rest = self.rest_of_cube(cube).1;
            let low = self.exists(low, rest)?;
            if low == Edge::TRUE {
                low
            } else {
                let high = self.exists(high, rest)?;
                self.or(low, high)?
            }
        } else {
            let low = self.exists(low, cube)?;
            let high = self.exists(high, cube)?;
            self.make(level, low, high)?
        };
        Ok(self.remember(Operation::Exists, operands, result))
    }

    /// `exists(and(f, g), cube)` without building the conjunction.
    pub(crate) fn and_exists(&mut self, f: Edge, g: Edge, mut cube: Edge) -> Result<Edge, OutOfNodes> {
        if f == Edge::FALSE || g == Edge::FALSE || f == g.not() {
            return Ok(Edge::FALSE);
        }
        if f == Edge::TRUE || f == g {
            return self.exists(g, cube);
        }
        if g == Edge::TRUE {
            return self.exists(f, cube);
        }
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        let level = self.level(f).min(self.level(g));
        while !cube.is_constant() && self.level(cube) < level {
            cube = self.rest_of_cube(cube).1;
        }
        if cube.is_constant() {
            return self.and(f, g);
        }
        let operands = [f, g, cube];
        if let Some(result) = self.cached(Operation::AndExists, operands) {
            return Ok(result);
        }
        let ((f_low, f_high), (g_low, g_high)) = (self.cofactors(f, level), self.cofactors(g, level));
        let result = if self.level(cube) == level {
            let rest = self.rest_of_cube(cube).1;
            let low = self.and_exists(f_low, g_low, rest)?;
            if low == Edge::TRUE {
                low
            } else {
                let high = self.and_exists(f_high, g_high, rest)?;
                self.or(low, high)?
            }
        } else {
            let low = self.and_exists(f_low, g_low, cube)?;
            let high = self.and_exists(f_high, g_high, cube)?;
            self.make(level, low, high)?
        };
        Ok(self.remember(Operation::AndExists, operands, result))
    }
}
