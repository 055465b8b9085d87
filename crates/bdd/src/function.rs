//! The handle to one Boolean function, on which every operation of the crate is offered.
//!
//! Operations come in two forms. The plain ones (`and`, `exists`, the operators `& | ^ !` …) never fail on a manager
//! made by [`Manager::new`]; inside [`Manager::within`] they return false once the budget is exhausted. The ones that
//! start with `try_` return an error where the limit of [`Manager::with_limit`] or a budget is reached.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::cube::{Cube, Cubes};
use crate::manager::{Manager, OutOfNodes};
use crate::store::{Edge, Store, Variable};

/// A Boolean function of a [`Manager`].
///
/// Equal functions of one manager are equal handles. The order is arbitrary but the same in every run.
///
/// All operations on two functions panic if they belong to different managers.
pub struct Bdd {
    manager: Manager,
    edge: Edge,
}

impl Bdd {
    /// Takes over a reference that was counted already.
    pub(crate) fn from_retained(manager: Manager, edge: Edge) -> Self {
        Bdd { manager, edge }
    }

    pub(crate) fn edge(&self) -> Edge {
        self.edge
    }

    /// The manager this function belongs to.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// Whether the function is true everywhere.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.edge == Edge::TRUE
    }

    /// Whether the function is false everywhere, that is, unsatisfiable.
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.edge == Edge::FALSE
    }

    /// The variable of the root node, the first the function depends on; none for constants.
    #[must_use]
    pub fn root(&self) -> Option<Variable> {
        (!self.edge.is_constant()).then(|| {
            let store = self.manager.lock();
            store.order.variable(store.level(self.edge))
        })
    }

    /// Conjunction.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_and(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.with([other], |store| store.and(self.edge, other.edge))
    }

    /// Disjunction.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_or(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.with([other], |store| store.or(self.edge, other.edge))
    }

    /// Exclusive or.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_xor(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.with([other], |store| store.xor(self.edge, other.edge))
    }

    /// `then` where this function is true, `otherwise` elsewhere.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_if_then_else(&self, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.with([then, otherwise], |store| store.if_then_else(self.edge, then.edge, otherwise.edge))
    }

    /// The cofactor by all literals of a cube.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_restrict(&self, cube: &Cube) -> Result<Bdd, OutOfNodes> {
        self.with([], |store| {
            let cube = store.cube(cube.literals())?;
            store.restrict(self.edge, cube)
        })
    }

    /// True where some values of the variables make the function true.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_exists(&self, variables: &[Variable]) -> Result<Bdd, OutOfNodes> {
        self.with([], |store| {
            let cube = positive_cube(store, variables)?;
            store.exists(self.edge, cube)
        })
    }

    /// True where all values of the variables make the function true.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_forall(&self, variables: &[Variable]) -> Result<Bdd, OutOfNodes> {
        self.with([], |store| {
            let cube = positive_cube(store, variables)?;
            Ok(store.exists(self.edge.not(), cube)?.not())
        })
    }

    /// The conjunction with the variables quantified away, without building the conjunction.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_and_exists(&self, other: &Bdd, variables: &[Variable]) -> Result<Bdd, OutOfNodes> {
        self.with([other], |store| {
            let cube = positive_cube(store, variables)?;
            store.and_exists(self.edge, other.edge, cube)
        })
    }

    /// The function with other functions in place of variables, all at once.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_substitute(&self, by: &[(Variable, Bdd)]) -> Result<Bdd, OutOfNodes> {
        for (_, function) in by {
            assert!(self.manager.same(&function.manager), "functions of one manager");
        }
        self.with([], |store| {
            let map: HashMap<u32, Edge> =
                by.iter().map(|(variable, function)| (store.order.level(*variable), function.edge)).collect();
            store.substitute(self.edge, &map)
        })
    }

    /// A function that agrees with this one wherever `care` is true, and is often smaller.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    ///
    /// # Panics
    /// If `care` is never true.
    pub fn try_simplify(&self, care: &Bdd) -> Result<Bdd, OutOfNodes> {
        assert!(!care.is_false(), "some value matters");
        self.with([care], |store| store.simplify(self.edge, care.edge))
    }

    /// The function with variables renamed, all at once.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_rename(&self, pairs: &[(Variable, Variable)]) -> Result<Bdd, OutOfNodes> {
        self.with([], |store| {
            let renaming = store.renaming(pairs);
            store.rename(self.edge, renaming)
        })
    }

    /// The image of this set under a relation or, `backward`, its preimage. `pairs` are the
    /// variables that can change, each with its partner for the next state, and the inputs, each with itself; neither
    /// the set nor, for the others, the relation mentions partners. None if some variable does not stand directly above
    /// its partner.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_step(
        &self,
        relation: &Bdd,
        pairs: &[(Variable, Variable)],
        backward: bool,
    ) -> Result<Option<Bdd>, OutOfNodes> {
        let mut possible = true;
        let result = self.with([relation], |store| match store.step(self.edge, relation.edge, pairs, backward) {
            Some(result) => result,
            None => {
                possible = false;
                Ok(Edge::FALSE)
            }
        })?;
        Ok(possible.then_some(result))
    }

    /// Irredundant cubes whose union lies between this function and `upper`, together with that union.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    ///
    /// # Panics
    /// Where this function does not imply `upper`.
    pub fn try_cover_up_to(&self, upper: &Bdd) -> Result<(Vec<Cube>, Bdd), OutOfNodes> {
        Ok(self.bounded_cover(upper, usize::MAX)?.expect("no limit on cubes"))
    }

    /// An irredundant sum of products of the function, unless it has more than `limit` cubes. Takes time in proportion
    /// to the limit for every function.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_cover_at_most(&self, limit: usize) -> Result<Option<Vec<Cube>>, OutOfNodes> {
        Ok(self.bounded_cover(self, limit)?.map(|(cubes, _)| cubes))
    }

    /// As [`Bdd::try_cover_up_to`], unless there are more than `limit` cubes. Takes time in proportion to the limit.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    ///
    /// # Panics
    /// Where this function does not imply `upper`.
    pub fn try_cover_up_to_at_most(&self, upper: &Bdd, limit: usize) -> Result<Option<(Vec<Cube>, Bdd)>, OutOfNodes> {
        self.bounded_cover(upper, limit)
    }

    fn bounded_cover(&self, upper: &Bdd, limit: usize) -> Result<Option<(Vec<Cube>, Bdd)>, OutOfNodes> {
        assert!(self.try_implies(upper)?, "a cover exists only if the lower bound implies the upper");
        let mut cubes = Vec::new();
        let mut complete = true;
        let function = self.with([upper], |store| {
            cubes.clear();
            let function = store.cover(self.edge, upper.edge, limit, &mut cubes)?;
            complete = function.is_some();
            Ok(function.unwrap_or(Edge::FALSE))
        })?;
        Ok(complete.then_some((cubes, function)))
    }

    /// Whether `other` is true wherever this function is.
    ///
    /// # Errors
    /// Where the manager's limit on nodes is reached.
    pub fn try_implies(&self, other: &Bdd) -> Result<bool, OutOfNodes> {
        self.check_manager(other);
        let both = self.manager.lock().attempt(|store| store.and(self.edge, other.edge.not()))?;
        Ok(both == Edge::FALSE)
    }

    pub(crate) fn with<'o>(
        &self,
        others: impl IntoIterator<Item = &'o Bdd>,
        operation: impl FnMut(&mut Store) -> Result<Edge, OutOfNodes>,
    ) -> Result<Bdd, OutOfNodes> {
        others.into_iter().for_each(|other| self.check_manager(other));
        let mut store = self.manager.lock();
        let edge = store.attempt(operation)?;
        Ok(self.manager.wrap(&mut store, edge))
    }

    fn check_manager(&self, other: &Bdd) {
        assert!(self.manager.same(&other.manager), "functions of one manager");
    }
}

/// The forms that cannot fail on a manager without a limit.
impl Bdd {
    /// Conjunction; also `&a & &b`.
    #[must_use]
    pub fn and(&self, other: &Bdd) -> Bdd {
        self.try_and(other).unwrap_or_else(|_| self.manager.without_result())
    }

    /// Disjunction; also `&a | &b`.
    #[must_use]
    pub fn or(&self, other: &Bdd) -> Bdd {
        self.try_or(other).unwrap_or_else(|_| self.manager.without_result())
    }

    /// Exclusive or; also `&a ^ &b`.
    #[must_use]
    pub fn xor(&self, other: &Bdd) -> Bdd {
        self.try_xor(other).unwrap_or_else(|_| self.manager.without_result())
    }

    /// Equivalence.
    #[must_use]
    pub fn iff(&self, other: &Bdd) -> Bdd {
        !self.xor(other)
    }

    /// True where this function is and `other` is not.
    #[must_use]
    pub fn minus(&self, other: &Bdd) -> Bdd {
        self.with([other], |store| store.and(self.edge, other.edge.not()))
            .unwrap_or_else(|_| self.manager.without_result())
    }

    /// `then` where this function is true, `otherwise` elsewhere.
    #[must_use]
    pub fn if_then_else(&self, then: &Bdd, otherwise: &Bdd) -> Bdd {
        self.try_if_then_else(then, otherwise).unwrap_or_else(|_| self.manager.without_result())
    }

    /// Whether `other` is true wherever this function is.
    #[must_use]
    pub fn implies(&self, other: &Bdd) -> bool {
        self.try_implies(other).unwrap_or_else(|_| !self.manager.without_result().is_false())
    }

    /// Whether both are true somewhere.
    #[must_use]
    pub fn intersects(&self, other: &Bdd) -> bool {
        !self.and(other).is_false()
    }

    /// The cofactor by all literals of a cube.
    #[must_use]
    pub fn restrict(&self, cube: &Cube) -> Bdd {
        self.try_restrict(cube).unwrap_or_else(|_| self.manager.without_result())
    }

    /// The function where `variable` has this `value`.
    #[must_use]
    pub fn cofactor(&self, variable: Variable, value: bool) -> Bdd {
        self.restrict(&Cube::new([(variable, value)]).expect("one literal is consistent"))
    }

    /// True where some values of the variables make the function true.
    #[must_use]
    pub fn exists(&self, variables: &[Variable]) -> Bdd {
        self.try_exists(variables).unwrap_or_else(|_| self.manager.without_result())
    }

    /// True where all values of the variables make the function true.
    #[must_use]
    pub fn forall(&self, variables: &[Variable]) -> Bdd {
        self.try_forall(variables).unwrap_or_else(|_| self.manager.without_result())
    }

    /// The conjunction with the variables quantified away, without building the conjunction.
    #[must_use]
    pub fn and_exists(&self, other: &Bdd, variables: &[Variable]) -> Bdd {
        self.try_and_exists(other, variables).unwrap_or_else(|_| self.manager.without_result())
    }

    /// The function with other functions in place of variables, all at once.
    #[must_use]
    pub fn substitute(&self, by: &[(Variable, Bdd)]) -> Bdd {
        self.try_substitute(by).unwrap_or_else(|_| self.manager.without_result())
    }

    /// The function with variables renamed, all at once.
    #[must_use]
    pub fn rename(&self, pairs: &[(Variable, Variable)]) -> Bdd {
        self.try_rename(pairs).unwrap_or_else(|_| self.manager.without_result())
    }

    /// An irredundant sum of products of the function.
    #[must_use]
    pub fn cover(&self) -> Vec<Cube> {
        self.cover_up_to(self).0
    }

    /// Irredundant cubes whose union lies between this function and `upper`, together with that union.
    ///
    /// # Panics
    /// Where this function does not imply `upper`.
    #[must_use]
    pub fn cover_up_to(&self, upper: &Bdd) -> (Vec<Cube>, Bdd) {
        self.try_cover_up_to(upper).unwrap_or_else(|_| (Vec::new(), self.manager.without_result()))
    }
}

/// Questions that make no nodes.
impl Bdd {
    /// One satisfying cube, the first of [`Bdd::cubes`]; `None` if the function is false.
    #[must_use]
    pub fn one_cube(&self) -> Option<Cube> {
        self.manager.lock().one_cube(self.edge)
    }

    /// All paths to *true*, as pairwise disjoint cubes.
    #[must_use]
    pub fn cubes(&self) -> Cubes {
        Cubes::new(self.clone())
    }

    /// The variables the function depends on, in order.
    #[must_use]
    pub fn support(&self) -> Vec<Variable> {
        self.manager.lock().support(self.edge)
    }

    /// The value of the function where each variable has the value that `value` gives.
    ///
    /// `value` must not touch this manager.
    #[must_use]
    pub fn evaluate(&self, value: impl FnMut(Variable) -> bool) -> bool {
        self.manager.lock().evaluate(self.edge, value)
    }

    /// The number of satisfying assignments to `variables` variables, which include the support; none if it does not
    /// fit.
    ///
    /// # Panics
    /// Where the support is larger than `variables`.
    #[must_use]
    pub fn count(&self, variables: u32) -> Option<u128> {
        self.manager.lock().count(self.edge, variables)
    }

    /// The share of all assignments that satisfy the function.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.manager.lock().fraction(self.edge)
    }

    /// The number of inner nodes of the diagram.
    #[must_use]
    pub fn size(&self) -> usize {
        self.manager.lock().topological(self.edge).len()
    }
}

fn positive_cube(store: &mut Store, variables: &[Variable]) -> Result<Edge, OutOfNodes> {
    let cube = Cube::new(variables.iter().map(|&variable| (variable, true))).expect("positive literals agree");
    store.cube(cube.literals())
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        self.manager.wrap(&mut self.manager.lock(), self.edge)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.manager.lock().release(self.edge);
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge && self.manager.same(&other.manager)
    }
}

impl Eq for Bdd {}

impl PartialOrd for Bdd {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bdd {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.check_manager(other);
        self.edge.cmp(&other.edge)
    }
}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.0.hash(state);
    }
}

/// The cubes of a cover, such as `x0&!x2 | x1`.
impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_false() {
            return f.write_str("false");
        }
        for (index, cube) in self.cubes().enumerate() {
            f.write_str(if index > 0 { " | " } else { "" })?;
            if cube.is_empty() {
                f.write_str("true")?;
            }
            for (place, (variable, value)) in cube.literals().iter().enumerate() {
                let sign = if *value { "" } else { "!" };
                let and = if place > 0 { "&" } else { "" };
                write!(f, "{and}{sign}x{}", variable.0)?;
            }
        }
        Ok(())
    }
}

impl Not for &Bdd {
    type Output = Bdd;

    fn not(self) -> Bdd {
        self.manager.wrap(&mut self.manager.lock(), self.edge.not())
    }
}

impl Not for Bdd {
    type Output = Bdd;

    fn not(self) -> Bdd {
        !&self
    }
}

macro_rules! binary_operator {
    ($trait:ident, $method:ident, $operation:ident) => {
        impl $trait<&Bdd> for &Bdd {
            type Output = Bdd;
            fn $method(self, other: &Bdd) -> Bdd {
                self.$operation(other)
            }
        }
        impl $trait<&Bdd> for Bdd {
            type Output = Bdd;
            fn $method(self, other: &Bdd) -> Bdd {
                (&self).$operation(other)
            }
        }
        impl $trait<Bdd> for &Bdd {
            type Output = Bdd;
            fn $method(self, other: Bdd) -> Bdd {
                self.$operation(&other)
            }
        }
        impl $trait<Bdd> for Bdd {
            type Output = Bdd;
            fn $method(self, other: Bdd) -> Bdd {
                (&self).$operation(&other)
            }
        }
    };
}

binary_operator!(BitAnd, bitand, and);
binary_operator!(BitOr, bitor, or);
binary_operator!(BitXor, bitxor, xor);
