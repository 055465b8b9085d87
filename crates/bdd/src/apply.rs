//! Conjunction, exclusive or, if-then-else and restriction, after [brace.90.dac].
//!
//! Contract: canonical results, at most the product of the operands' sizes in time with a cache that forgets nothing
//! (ours forgets, see `store`). Each function recurses once a level, so at most [`MAX_VARIABLES`] deep. Disjunction is
//! conjunction under complement, which costs nothing here. Tested by the truth tables in `tests/`.
//!
//! [`MAX_VARIABLES`]: crate::MAX_VARIABLES

use crate::cache::Operation;
use crate::manager::OutOfNodes;
use crate::store::{Edge, Store, Variable};

impl Store {
    pub(crate) fn and(&mut self, f: Edge, g: Edge) -> Result<Edge, OutOfNodes> {
        // The smaller operand first, so that both orders share one cache entry.
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        match f {
            Edge::TRUE => return Ok(g),
            Edge::FALSE => return Ok(Edge::FALSE),
            _ if f == g => return Ok(f),
            _ if f == g.not() => return Ok(Edge::FALSE),
            _ => {}
        }
        let operands = [f, g, Edge::TRUE];
        if let Some(result) = self.cached(Operation::And, operands) {
            return Ok(result);
        }
        let level = self.level(f).min(self.level(g));
        let ((f_low, f_high), (g_low, g_high)) = (self.cofactors(f, level), self.cofactors(g, level));
        let low = self.and(f_low, g_low)?;
        let high = self.and(f_high, g_high)?;
        let result = self.make(level, low, high)?;
        Ok(self.remember(Operation::And, operands, result))
    }

    pub(crate) fn or(&mut self, f: Edge, g: Edge) -> Result<Edge, OutOfNodes> {
        Ok(self.and(f.not(), g.not())?.not())
    }

    pub(crate) fn xor(&mut self, f: Edge, g: Edge) -> Result<Edge, OutOfNodes> {
        // Exclusive or commutes with complement: work on regular edges and put the sign back.
        let negate = f.is_complemented() != g.is_complemented();
        let (f, g) = (f.regular().min(g.regular()), f.regular().max(g.regular()));
        let result = self.xor_regular(f, g)?;
        Ok(if negate { result.not() } else { result })
    }

    fn xor_regular(&mut self, f: Edge, g: Edge) -> Result<Edge, OutOfNodes> {
        if f == g {
            return Ok(Edge::FALSE);
        }
        if f == Edge::TRUE {
            return Ok(g.not());
        }
        let operands = [f, g, Edge::TRUE];
        if let Some(result) = self.cached(Operation::Xor, operands) {
            return Ok(result);
        }
        let level = self.level(f).min(self.level(g));
        let ((f_low, f_high), (g_low, g_high)) = (self.cofactors(f, level), self.cofactors(g, level));
        let low = self.xor(f_low, g_low)?;
        let high = self.xor(f_high, g_high)?;
        let result = self.make(level, low, high)?;
        Ok(self.remember(Operation::Xor, operands, result))
    }

    pub(crate) fn if_then_else(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, OutOfNodes> {
        // A positive condition, so that both forms share one cache entry.
        let (f, g, h) = if f.is_complemented() { (f.not(), h, g) } else { (f, g, h) };
        if f == Edge::TRUE || g == h {
            return Ok(g);
        }
        if g.is_constant() {
            return if g == Edge::TRUE { self.or(f, h) } else { self.and(f.not(), h) };
        }
        if h.is_constant() {
            return if h == Edge::TRUE { self.or(f.not(), g) } else { self.and(f, g) };
        }
        let operands = [f, g, h];
        if let Some(result) = self.cached(Operation::IfThenElse, operands) {
            return Ok(result);
        }
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (f_low, f_high) = self.cofactors(f, level);
        let ((g_low, g_high), (h_low, h_high)) = (self.cofactors(g, level), self.cofactors(h, level));
        let low = self.if_then_else(f_low, g_low, h_low)?;
        let high = self.if_then_else(f_high, g_high, h_high)?;
        let result = self.make(level, low, high)?;
        Ok(self.remember(Operation::IfThenElse, operands, result))
    }

    /// The cofactor of `f` by all literals of `cube`, a conjunction of literals.
    pub(crate) fn restrict(&mut self, f: Edge, mut cube: Edge) -> Result<Edge, OutOfNodes> {
        while !cube.is_constant() && self.level(cube) < self.level(f) {
            cube = self.rest_of_cube(cube).1;
        }
        if f.is_constant() || cube.is_constant() {
            return Ok(f);
        }
        let operands = [f.regular(), cube, Edge::TRUE];
        let result = if let Some(result) = self.cached(Operation::Restrict, operands) {
            result
        } else {
            let level = self.level(f);
            let (low, high) = self.children(f.regular());
            let result = if self.level(cube) == level {
                let (value, rest) = self.rest_of_cube(cube);
                self.restrict(if value { high } else { low }, rest)?
            } else {
                let low = self.restrict(low, cube)?;
                let high = self.restrict(high, cube)?;
                self.make(level, low, high)?
            };
            self.remember(Operation::Restrict, operands, result)
        };
        Ok(if f.is_complemented() { result.not() } else { result })
    }

    /// The value of the first literal of a cube, and the cube without it.
    pub(crate) fn rest_of_cube(&self, cube: Edge) -> (bool, Edge) {
        let (low, high) = self.children(cube);
        if low == Edge::FALSE { (true, high) } else { (false, low) }
    }

    /// The conjunction of literals, each variable at most once.
    pub(crate) fn cube(&mut self, literals: &[(Variable, bool)]) -> Result<Edge, OutOfNodes> {
        let mut by_level: Vec<(u32, bool)> = literals.iter().map(|(v, value)| (self.order.level(*v), *value)).collect();
        by_level.sort_unstable();
        let mut cube = Edge::TRUE;
        for &(level, value) in by_level.iter().rev() {
            let (low, high) = if value { (Edge::FALSE, cube) } else { (cube, Edge::FALSE) };
            cube = self.make(level, low, high)?;
        }
        Ok(cube)
    }
}
