//! Live variables: those whose value may be read before it is overwritten.
//!
//! *Contract.* A candidate variable that is not live at a location is overwritten as a whole before it is read, on every
//! path of the control flow from there. `live` over-approximates.
//!
//! *How.* Backward analysis over the locations and the inside of each `d_step`. Escapes of `unless` are edges of every
//! location of the body in [`flow`](crate::flow), and so is what an escape reads. A `provided` clause is read everywhere.
//!
//! *Source.* A textbook analysis [nielson.99.springer].

use super::Variable;
use super::effect::{effect, reads};
use super::set::Set;
use crate::flow::{EdgeAction, Graph};
use crate::typed::{ProcId, Program, Stmt};
use kernel::budget::{Budget, Exhausted};
use std::collections::BTreeMap;

/// One way on from a place.
struct Way {
    reads: Set,
    kills: Set,
    /// None where the process ends.
    target: Option<usize>,
}

/// For each location of a definition, which of the candidates are live there.
pub(super) fn live(
    program: &Program,
    proc: ProcId,
    graph: &Graph<'_>,
    candidates: &[Variable],
    budget: &Budget,
) -> Result<Vec<Set>, Exhausted> {
    let places = Places::of(program, proc, graph, candidates, budget)?.places;
    let mut live = vec![Set::new(candidates.len()); places.len()];
    loop {
        budget.check()?;
        let mut is_stable = true;
        for place in (0..places.len()).rev() {
            let mut next = Set::new(candidates.len());
            for way in &places[place] {
                next.add(&way.reads);
                if let Some(target) = way.target {
                    next.add_except(&live[target], &way.kills);
                }
            }
            is_stable &= next == live[place];
            live[place] = next;
        }
        if is_stable {
            live.truncate(graph.nodes.len());
            return Ok(live);
        }
    }
}

/// The places of a definition: its locations, then those inside each `d_step`.
struct Places<'p> {
    program: &'p Program,
    proc: ProcId,
    numbers: BTreeMap<Variable, usize>,
    places: Vec<Vec<Way>>,
}

impl<'p> Places<'p> {
    fn of(
        program: &'p Program,
        proc: ProcId,
        graph: &Graph<'_>,
        candidates: &[Variable],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let numbers = candidates.iter().copied().zip(0..).collect();
        let places = graph.nodes.iter().map(|_| Vec::new()).collect();
        let mut all = Self { program, proc, numbers, places };
        let mut provided = Vec::new();
        if let Some(condition) = &program.procs[proc.0 as usize].provided {
            reads(proc, condition, &mut provided);
        }
        for (location, node) in graph.nodes.iter().enumerate() {
            budget.check()?;
            let restriction = Way { reads: all.set(&provided), kills: all.set(&[]), target: None };
            let mut ways = vec![restriction];
            for edge in &node.edges {
                ways.push(match &edge.action {
                    EdgeAction::Basic(statement) => all.way(Some(statement), Some(edge.target)),
                    EdgeAction::Jump(_) | EdgeAction::Exit(_) => all.way(None, Some(edge.target)),
                    EdgeAction::Terminate => all.way(None, None),
                    EdgeAction::DStep(_, inner) => {
                        let first = all.places.len();
                        for edges in &inner.nodes {
                            let target = |inside: Option<usize>| inside.map_or(edge.target, |inside| first + inside);
                            let ways = edges.iter().map(|way| all.way(way.statement, Some(target(way.target))));
                            let ways = ways.collect();
                            all.places.push(ways);
                        }
                        all.way(None, Some(if inner.nodes.is_empty() { edge.target } else { first }))
                    }
                });
            }
            all.places[location] = ways;
        }
        Ok(all)
    }

    fn way(&self, statement: Option<&Stmt>, target: Option<usize>) -> Way {
        let effect = statement.map(|statement| effect(self.program, self.proc, statement)).unwrap_or_default();
        Way { reads: self.set(&effect.reads), kills: self.set(&effect.kills), target }
    }

    /// The numbers of those of the variables that are candidates.
    fn set(&self, variables: &[Variable]) -> Set {
        let mut set = Set::new(self.numbers.len());
        variables.iter().filter_map(|variable| self.numbers.get(variable)).for_each(|number| set.insert(*number));
        set
    }
}
