//! Functions of the first six variables as truth tables: 64 bits, one for each valuation.
//!
//! What: [`Bdd::table`] reads the table off the diagram, [`Manager::of_table`] makes the diagram again. Bit `i` of a table is
//! the value of the function where the value of variable `v` is bit `v` of `i`. On tables, the Boolean operations are single
//! instructions and make no nodes.
//!
//! Contract: a function has a table if it depends on none but these variables, in whatever order they stand. Tested by the
//! operations on tables and on diagrams in `tests/`.

use crate::function::Bdd;
use crate::manager::{Manager, OutOfNodes};
use crate::store::{Edge, Store, Variable};

/// The tables of the six variables.
const VARIABLES: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl Bdd {
    /// The truth table of the function; none if it depends on a variable other than the first six.
    #[must_use]
    pub fn table(&self) -> Option<u64> {
        self.manager().lock().table(self.edge())
    }
}

impl Manager {
    /// The function with this truth table.
    ///
    /// # Panics
    /// Where the limit on nodes is reached.
    #[must_use]
    pub fn of_table(&self, table: u64) -> Bdd {
        let mut store = self.lock();
        let mut variables = [0, 1, 2, 3, 4, 5].map(Variable);
        variables.sort_unstable_by_key(|&variable| store.order.level(variable));
        let Ok(edge) = store.attempt(|store| store.of_table(table, &variables)) else {
            drop(store);
            return self.without_result();
        };
        self.wrap(&mut store, edge)
    }
}

impl Store {
    fn table(&self, edge: Edge) -> Option<u64> {
        if edge.is_constant() {
            return Some(if edge == Edge::TRUE { u64::MAX } else { 0 });
        }
        let is_true = VARIABLES.get(self.order.variable(self.level(edge)).0 as usize)?;
        let (low, high) = self.children(edge);
        Some(self.table(low)? & !is_true | self.table(high)? & is_true)
    }

    /// The function with a table that depends on these variables only, which are in the order of their levels.
    fn of_table(&mut self, table: u64, variables: &[Variable]) -> Result<Edge, OutOfNodes> {
        let Some((&variable, below)) = variables.split_first().filter(|_| table != 0 && table != u64::MAX) else {
            return Ok(if table == 0 { Edge::FALSE } else { Edge::TRUE });
        };
        let (is_true, distance) = (VARIABLES[variable.0 as usize], 1 << variable.0);
        let (low, high) = (table & !is_true, table & is_true);
        let low = self.of_table(low | low << distance, below)?;
        let high = self.of_table(high | high >> distance, below)?;
        self.make(self.order.level(variable), low, high)
    }
}
