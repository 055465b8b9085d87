//! Reachability with a lossy set of visited states: fingerprints or bits.
//!
//! *Contract.* As that of [`super::dfs`] and [`super::bfs`], except that a search may take a new state for a visited one and
//! miss what only that state leads to. [`crate::meter::Statistics::missed`] estimates how likely that is. A finding is
//! still real: its path is a run. No path with steps is called shortest.
//!
//! *How.* Depth first, the search is [`super::dfs`] with another set of visited states. Breadth first, only the states of two
//! levels are kept whole, and a second search finds the path to a finding (`trace`); a finding whose path is still unknown
//! when a limit is reached is only counted.
//!
//! *Tested by* the brute-force twin of the exact searches, `tests/random_systems.rs`.

mod bfs;
mod states;
mod trace;

use super::visited::OnPath;
use super::{ExplorationOptions, ExplorationResult, dfs};
use crate::check::Order;
use crate::store::filter::Filter;
use kernel::system::System;

/// Searches with this set of visited states.
pub fn search<M: System>(
    system: &M,
    order: Order,
    filter: Filter,
    options: ExplorationOptions<'_, M::Step>,
) -> ExplorationResult<M> {
    match order {
        Order::DepthFirst => dfs::search_in(system, OnPath::new(filter), options),
        Order::BreadthFirst => bfs::search(system, filter, options),
    }
}
