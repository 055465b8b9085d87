//! The manager: variables, constants, limits, and functions brought over from another manager.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::budget::{Budget, Exhausted};

use crate::bounds::{Bounds, Plain};
use crate::cube::Cube;
use crate::function::Bdd;
use crate::sift::{Automatic, Sifting};
use crate::store::{Edge, MAX_VARIABLES, Store, Variable};

/// The manager's limit on nodes was reached, and the result was not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfNodes;

impl std::fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the decision diagram manager reached its limit on nodes")
    }
}

impl std::error::Error for OutOfNodes {}

/// Where a budget bounds the manager, the budget itself says whether it was another limit that ended the operation.
impl From<OutOfNodes> for Exhausted {
    fn from(_: OutOfNodes) -> Self {
        Exhausted::Memory
    }
}

/// Owner of nodes and variables; clones are the same manager.
///
/// Variables need not be declared: all of `Variable(0)` to `Variable(MAX_VARIABLES - 1)` exist, in this order unless
/// [`Manager::sift`] finds a better one.
#[derive(Clone, Debug)]
pub struct Manager {
    store: Arc<Mutex<Store>>,
}

impl Manager {
    /// A manager without a limit of its own: no operation on its functions fails.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(usize::MAX)
    }

    /// A manager that holds at most `nodes` live nodes at a time. Use the operations of [`Bdd`] that start with `try_`
    /// on its functions; the others panic when the limit is reached.
    #[must_use]
    pub fn with_limit(nodes: usize) -> Self {
        Manager { store: Arc::new(Mutex::new(Store::new(nodes))) }
    }

    /// Changes the limit on live nodes; nodes beyond a smaller limit stay until they are reclaimed.
    pub fn set_limit(&self, nodes: usize) {
        self.lock().set_limit(nodes);
    }

    /// The constant `value`.
    #[must_use]
    pub fn constant(&self, value: bool) -> Bdd {
        self.wrap(&mut self.lock(), if value { Edge::TRUE } else { Edge::FALSE })
    }

    /// The function that is true.
    #[must_use]
    pub fn yes(&self) -> Bdd {
        self.constant(true)
    }

    /// The function that is false.
    #[must_use]
    pub fn no(&self) -> Bdd {
        self.constant(false)
    }

    /// The function that is true where `variable` is.
    ///
    /// # Panics
    /// Where `variable` is not below [`MAX_VARIABLES`], or the limit on nodes is reached.
    #[must_use]
    pub fn variable(&self, variable: Variable) -> Bdd {
        self.try_variable(variable).unwrap_or_else(|_| self.without_result())
    }

    /// As [`Manager::variable`], with the limit as a value.
    ///
    /// # Errors
    /// Where the limit on nodes is reached.
    ///
    /// # Panics
    /// Where `variable` is not below [`MAX_VARIABLES`].
    pub fn try_variable(&self, variable: Variable) -> Result<Bdd, OutOfNodes> {
        assert!(variable.0 < MAX_VARIABLES, "variables are numbered below MAX_VARIABLES");
        let mut store = self.lock();
        let edge = store.attempt(|store| store.make(store.order.level(variable), Edge::FALSE, Edge::TRUE))?;
        Ok(self.wrap(&mut store, edge))
    }

    /// The function that is true where `variable` has this `value`.
    #[must_use]
    pub fn literal(&self, variable: Variable, value: bool) -> Bdd {
        let positive = self.variable(variable);
        if value { positive } else { !positive }
    }

    /// The conjunction of the literals of a cube.
    ///
    /// # Panics
    /// Where the limit on nodes is reached.
    #[must_use]
    pub fn cube(&self, cube: &Cube) -> Bdd {
        self.try_cube(cube).unwrap_or_else(|_| self.without_result())
    }

    /// As [`Manager::cube`], with the limit as a value.
    ///
    /// # Errors
    /// Where the limit on nodes is reached.
    pub fn try_cube(&self, cube: &Cube) -> Result<Bdd, OutOfNodes> {
        let mut store = self.lock();
        let edge = store.attempt(|store| store.cube(cube.literals()))?;
        Ok(self.wrap(&mut store, edge))
    }

    /// The conjunction of all functions.
    #[must_use]
    pub fn conjunction<'a>(&self, functions: impl IntoIterator<Item = &'a Bdd>) -> Bdd {
        functions.into_iter().fold(self.yes(), |all, function| all & function)
    }

    /// The disjunction of all functions.
    #[must_use]
    pub fn disjunction<'a>(&self, functions: impl IntoIterator<Item = &'a Bdd>) -> Bdd {
        functions.into_iter().fold(self.no(), |any, function| any | function)
    }

    /// The function of another manager, with its variables renamed, as a function of this one.
    ///
    /// # Panics
    /// Where `rename` leaves [`MAX_VARIABLES`], or the limit on nodes is reached.
    #[must_use]
    pub fn import(&self, function: &Bdd, mut rename: impl FnMut(Variable) -> Variable) -> Bdd {
        if self.same(function.manager()) {
            let map = function.support().into_iter().map(|v| (v, self.variable(rename(v)))).collect::<Vec<_>>();
            return function.substitute(&map);
        }
        // Both managers are never locked at once: first flatten the source, children before parents.
        let source = function.manager().lock();
        let nodes = source.topological(function.edge());
        let variables: Vec<Variable> = nodes.iter().map(|&(_, level, _, _)| source.order.variable(level)).collect();
        drop(source);
        let renamed: Vec<Variable> = variables.into_iter().map(&mut rename).collect();
        assert!(renamed.iter().all(|v| v.0 < MAX_VARIABLES), "variables are numbered below MAX_VARIABLES");
        let mut store = self.lock();
        let edge = store.attempt(|store| {
            let mut built: HashMap<Edge, Edge> = HashMap::from([(Edge::TRUE, Edge::TRUE), (Edge::FALSE, Edge::FALSE)]);
            for (&(edge, _, low, high), &variable) in nodes.iter().zip(&renamed) {
                let variable = store.make(store.order.level(variable), Edge::FALSE, Edge::TRUE)?;
                let result = store.if_then_else(variable, built[&high], built[&low])?;
                built.insert(edge, result);
                built.insert(edge.not(), result.not());
            }
            Ok(built[&function.edge()])
        });
        if let Ok(edge) = edge {
            return self.wrap(&mut store, edge);
        }
        drop(store);
        self.without_result()
    }

    /// Whether both are one manager.
    #[must_use]
    pub fn same(&self, other: &Manager) -> bool {
        Arc::ptr_eq(&self.store, &other.store)
    }

    /// Nodes in use, reclaimable ones included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.lock().live_nodes()
    }

    /// Most nodes in use at one time so far, reclaimable ones included.
    #[must_use]
    pub fn peak_node_count(&self) -> usize {
        self.lock().peak_nodes()
    }

    /// Reclaims the nodes that no function reaches. Happens by itself when they pile up.
    pub fn collect(&self) {
        self.lock().collect();
    }

    /// Searches for an order of the variables with smaller diagrams. The functions do not change; do not hold a
    /// [`Cubes`](crate::Cubes) while this runs. Asks `go_on` from time to time, with the number of live nodes.
    pub fn sift(&self, sifting: &Sifting<'_>, go_on: impl FnMut(usize) -> bool) {
        self.lock().sift(sifting, go_on);
    }

    /// Sifts by itself whenever `nodes` nodes are in use, and from then on whenever their number has doubled; `blocks`
    /// as in [`Sifting::blocks`]. None: not any more.
    pub fn sift_automatically(&self, when: Option<(usize, Vec<Vec<Variable>>)>) {
        self.lock().set_automatic(when.map(|(due_at, blocks)| Automatic { blocks, due_at, spent: 0 }));
    }

    /// The first `count` variables in the order of their levels, from the root down.
    #[must_use]
    pub fn order(&self, count: u32) -> Vec<Variable> {
        let store = self.lock();
        (0..count).map(|level| store.order.variable(level)).collect()
    }

    /// Bounds the operations that start with `try_`: after the budget is exhausted, those that need a new node fail with
    /// [`OutOfNodes`]. Plain operations panic then. Others who keep to the memory of this budget see the memory of the
    /// nodes; the nodes themselves may take all of it. None: operations are not bounded any more.
    pub fn set_budget(&self, budget: Option<&Budget>) {
        let mut store = self.lock();
        store.bounds = budget.map_or_else(Bounds::default, |budget| Bounds::new(budget, Plain::Panic));
        store.held = budget.map(Budget::share).unwrap_or_default();
    }

    /// Does some work whose operations on functions of this manager keep to a budget.
    ///
    /// *Contract.* When an operation notices that the budget is exhausted (time, cancellation, or more live nodes than
    /// its memory allows) it marks the budget as exhausted. From then on all plain operations of this manager return
    /// the constant false at once, until the work ends: `work` may go on with useless functions until its next
    /// [`Budget::check`], and this function returns the exhausted limit instead of its result. So no result that depends
    /// on such a function leaves it. The functions that existed before do not change. Calls may be nested; the
    /// budget of the innermost one applies.
    ///
    /// ```
    /// use bdd::{Manager, Variable};
    /// use kernel::budget::{Budget, Exhausted};
    ///
    /// let manager = Manager::new();
    /// let mut budget = Budget::unlimited();
    /// budget.memory = Some(1_000);
    /// // The parity of a hundred variables needs two hundred nodes.
    /// let parity = || (0..100).fold(manager.no(), |parity, v| parity ^ manager.variable(Variable(v)));
    /// assert_eq!(manager.within(&budget, || Ok::<_, Exhausted>(parity())), Err(Exhausted::Memory));
    /// assert_eq!(parity().count(100), Some(1 << 99));
    /// ```
    ///
    /// # Errors
    /// The error of `work`, or the limit that was exhausted.
    pub fn within<T, E: From<Exhausted>>(&self, budget: &Budget, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let outer = std::mem::replace(&mut self.lock().bounds, Bounds::new(budget, Plain::ReturnFalse));
        let mut restore = Restore { manager: self, outer: Some(outer) };
        let result = work();
        match restore.now() {
            Some(limit) => Err(limit.into()),
            None => result,
        }
    }

    /// The constant false where a plain operation has no result to return.
    pub(crate) fn without_result(&self) -> Bdd {
        assert!(self.lock().bounds.fails_at_once(), "the node limit was reached by an operation that cannot report it");
        self.no()
    }

    /// Checks the invariants of the representation; for tests.
    ///
    /// # Panics
    /// Where one does not hold.
    pub fn verify(&self) {
        self.lock().verify();
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Store> {
        // A panic inside an operation leaves no half-made node behind, so the store stays usable.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wrap(&self, store: &mut Store, edge: Edge) -> Bdd {
        store.retain(edge);
        Bdd::from_retained(self.clone(), edge)
    }
}

/// Puts the bounds back that a manager had before, even after a panic.
struct Restore<'a> {
    manager: &'a Manager,
    outer: Option<Bounds>,
}

impl Restore<'_> {
    /// Puts them back, and returns the limit that was exhausted meanwhile.
    fn now(&mut self) -> Option<Exhausted> {
        let outer = self.outer.take()?;
        std::mem::replace(&mut self.manager.lock().bounds, outer).limit()
    }
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        self.now();
    }
}

impl Default for Manager {
    fn default() -> Self {
        Self::new()
    }
}
