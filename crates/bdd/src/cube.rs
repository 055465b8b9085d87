//! Conjunctions of literals: one path of a diagram, all its paths, and irredundant covers.
//!
//! The cover is the irredundant sum of products of [minato.92.sasimi], computed between a lower and an upper bound as in
//! Morreale's recursion: the result covers the lower bound, stays within the upper one, and no cube or literal of it can
//! be dropped. The order of the cubes is fixed by the order of the variables. Recurses once a level. Tested against the
//! truth tables in `tests/`, irredundancy included.

use crate::function::Bdd;
use crate::manager::OutOfNodes;
use crate::store::{Edge, Store, Variable};

/// A variable and the value it is to have.
type Literal = (Variable, bool);

/// A conjunction of literals, each variable at most once, in the order of variables. No literals: true.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    literals: Vec<Literal>,
}

impl Cube {
    /// The conjunction of these literals, or none if two contradict each other.
    #[must_use]
    pub fn new(literals: impl IntoIterator<Item = (Variable, bool)>) -> Option<Self> {
        let mut literals: Vec<_> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        let consistent = literals.windows(2).all(|pair| pair[0].0 != pair[1].0);
        consistent.then_some(Cube { literals })
    }

    /// The conjunction of literals that are consistent, in any order.
    fn of_path(mut literals: Vec<Literal>) -> Self {
        literals.sort_unstable();
        Cube { literals }
    }

    /// The literals: variable and value, in the order of variables.
    #[must_use]
    pub fn literals(&self) -> &[(Variable, bool)] {
        &self.literals
    }

    /// The value the cube fixes for a variable, if it does.
    #[must_use]
    pub fn value(&self, variable: Variable) -> Option<bool> {
        self.literals.binary_search_by_key(&variable, |literal| literal.0).ok().map(|at| self.literals[at].1)
    }

    /// Whether no literal is left: the cube that is true everywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }
}

/// All paths of a diagram to *true*, as pairwise disjoint cubes whose union is the function; the false branch first.
#[derive(Debug)]
pub struct Cubes {
    function: Bdd,
    /// Edges still to visit, each with the length of the path above it and the literal that leads to it.
    pending: Vec<(Edge, usize, Option<Literal>)>,
    path: Vec<Literal>,
}

impl Cubes {
    pub(crate) fn new(function: Bdd) -> Self {
        let root = function.edge();
        Cubes { function, pending: vec![(root, 0, None)], path: Vec::new() }
    }
}

impl Iterator for Cubes {
    type Item = Cube;

    fn next(&mut self) -> Option<Cube> {
        // The handle keeps every node below the root alive, so edges may be kept between calls.
        let store = self.function.manager().lock();
        while let Some((edge, length, literal)) = self.pending.pop() {
            self.path.truncate(length);
            self.path.extend(literal);
            if edge == Edge::TRUE {
                return Some(Cube::of_path(self.path.clone()));
            }
            if edge != Edge::FALSE {
                let (low, high) = store.children(edge);
                let variable = store.order.variable(store.level(edge));
                self.pending.push((high, self.path.len(), Some((variable, true))));
                self.pending.push((low, self.path.len(), Some((variable, false))));
            }
        }
        None
    }
}

impl Store {
    /// One path of `f` to *true*, the first of [`Cubes`]; none for the constant false.
    pub(crate) fn one_cube(&self, f: Edge) -> Option<Cube> {
        if f == Edge::FALSE {
            return None;
        }
        let mut literals = Vec::new();
        let mut at = f;
        while !at.is_constant() {
            let (low, high) = self.children(at);
            // Every function but false has a path to true, so a branch that is not false will do.
            let value = low == Edge::FALSE;
            literals.push((self.order.variable(self.level(at)), value));
            at = if value { high } else { low };
        }
        Some(Cube::of_path(literals))
    }

    /// An irredundant sum of products between two bounds; `lower` implies `upper`. Returns the function of the cover,
    /// unless it gets more than `limit` cubes. Each call adds a cube or ends, so the limit also bounds the time.
    pub(crate) fn cover(
        &mut self,
        lower: Edge,
        upper: Edge,
        limit: usize,
        cover: &mut Vec<Cube>,
    ) -> Result<Option<Edge>, OutOfNodes> {
        let function = self.cover_below(lower, upper, limit, &mut Vec::new(), cover)?;
        Ok((cover.len() <= limit).then_some(function))
    }

    fn cover_below(
        &mut self,
        lower: Edge,
        upper: Edge,
        limit: usize,
        path: &mut Vec<Literal>,
        cover: &mut Vec<Cube>,
    ) -> Result<Edge, OutOfNodes> {
        if lower == Edge::FALSE || cover.len() > limit {
            return Ok(Edge::FALSE);
        }
        // A cover may have exponentially many cubes while it makes few nodes.
        if !self.bounds.allow_node(self.live) {
            return Err(OutOfNodes);
        }
        if upper == Edge::TRUE {
            cover.push(Cube::of_path(path.clone()));
            return Ok(Edge::TRUE);
        }
        let level = self.level(lower).min(self.level(upper));
        let ((lower_low, lower_high), (upper_low, upper_high)) =
            (self.cofactors(lower, level), self.cofactors(upper, level));

        // First the part that needs the variable false, then the part that needs it true, then the rest without it.
        let variable = self.order.variable(level);
        path.push((variable, false));
        let needs_false = self.and(lower_low, upper_high.not())?;
        let by_false = self.cover_below(needs_false, upper_low, limit, path, cover)?;
        path.pop();
        path.push((variable, true));
        let needs_true = self.and(lower_high, upper_low.not())?;
        let by_true = self.cover_below(needs_true, upper_high, limit, path, cover)?;
        path.pop();

        let left_low = self.and(lower_low, by_false.not())?;
        let left_high = self.and(lower_high, by_true.not())?;
        let left = self.or(left_low, left_high)?;
        let within = self.and(upper_low, upper_high)?;
        let by_rest = self.cover_below(left, within, limit, path, cover)?;
        let by_variable = self.make(level, by_false, by_true)?;
        self.or(by_variable, by_rest)
    }
}
