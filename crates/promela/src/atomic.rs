//! Loops inside atomic sequences that the text of the model proves to end.
//!
//! *Contract.* If [`may_stay_atomic`] is false, every run leaves each atomic sequence that it enters. If it is true, the
//! text does not decide the question.
//!
//! *How.* While a process is inside an atomic sequence, no other process moves, unless a rendezvous passes control on. A
//! run that never leaves atomic sequences therefore takes, from some point on, only edges of one strongly connected
//! component of the atomic edges of some process. A variable proves that the run takes some of them only finitely often:
//!
//! - every change of the variable in the component adds a constant of the same sign;
//! - each of these edges demands that the variable has not reached a limit, which nothing in the component changes;
//! - on each cycle through one of these edges, the variable changes;
//! - between two of these edges, no change is repeated, so that the variable cannot overflow.
//!
//! These edges are taken away, and what remains is examined in the same way, until no cycle is left.
//!
//! *Source.* Ranking functions, a textbook technique; several of them in turn form a lexicographic one. *Tested by* the
//! cases below, and by comparison with the exhaustive search for such runs in the tests of the tool.

mod effect;

use self::effect::{Effect, Limit, effect};
use crate::flow::{Edge, Graph, graphs_within};
use crate::typed::{Program, VarRef};
use graph::components::Components;
use kernel::budget::{Budget, Exhausted};
use std::collections::BTreeSet;

/// True if some run may stay inside atomic sequences forever, as far as the text of the model says.
///
/// # Errors
/// The limit that ended the analysis.
pub fn may_stay_atomic(program: &Program, budget: &Budget) -> Result<bool, Exhausted> {
    for graph in graphs_within(program, budget)? {
        if !ends(&graph, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// An edge that stays inside an atomic sequence.
struct AtomicEdge {
    from: usize,
    to: usize,
    effect: Effect,
}

/// True if no process with this control-flow graph can take atomic edges forever.
fn ends(graph: &Graph<'_>, budget: &Budget) -> Result<bool, Exhausted> {
    let mut edges = Vec::new();
    for (from, node) in graph.nodes.iter().enumerate() {
        budget.check()?;
        let is_atomic = |(_, edge): &(usize, &Edge<'_>)| edge.atomic;
        for (index, edge) in node.edges.iter().enumerate().filter(is_atomic) {
            edges.push(AtomicEdge { from, to: edge.target, effect: effect(node, index) });
        }
    }
    let nodes = graph.nodes.len();
    let mut left: Vec<&AtomicEdge> = edges.iter().collect();
    loop {
        let components = components(nodes, &left, budget)?;
        left.retain(|edge| components.same(vertex(edge.from), vertex(edge.to)));
        if left.is_empty() {
            return Ok(true);
        }
        let mut remaining = Vec::new();
        for number in 0..components.count() {
            let own = left.iter().copied().filter(|edge| components.number(vertex(edge.from)) == Some(number));
            remaining.extend(repeatable(nodes, own.collect(), budget)?);
        }
        if remaining.len() == left.len() {
            return Ok(false);
        }
        left = remaining;
    }
}

/// The edges of a component that a run may take infinitely often, as far as one variable decides it.
fn repeatable<'e>(
    nodes: usize,
    component: Vec<&'e AtomicEdge>,
    budget: &Budget,
) -> Result<Vec<&'e AtomicEdge>, Exhausted> {
    // A rendezvous lets another process move, which may change global variables.
    let hands_over = component.iter().any(|edge| edge.effect.hands_over);
    let is_private = |variable: VarRef| matches!(variable, VarRef::Local(_)) || !hands_over;
    let is_written = |variable| component.iter().any(|edge| edge.effect.writes(variable));
    let is_fixed = |limit: &Limit| limit.reads.iter().all(|read| is_private(*read) && !is_written(*read));
    let limits = component.iter().flat_map(|edge| &edge.effect.limits);
    let candidates: BTreeSet<_> = limits.map(|limit| (limit.variable, limit.kind)).collect();
    for (variable, kind) in candidates {
        budget.check()?;
        let changes = || component.iter().copied().filter(|edge| edge.effect.writes(variable));
        let Some(added) = changes().map(|edge| edge.effect.added(variable)).collect::<Option<Vec<i64>>>() else {
            continue;
        };
        if !is_private(variable) || !kind.is_approached_by(&added) {
            continue;
        }
        let is_change = |edge: &&AtomicEdge| edge.effect.writes(variable);
        let total: i64 = added.iter().sum();
        let is_limited = |edge: &AtomicEdge| {
            let mut own = edge.effect.limits.iter().filter(|limit| limit.variable == variable && limit.kind == kind);
            own.any(|limit| is_fixed(limit) && limit.excludes_overflow(total))
        };
        let unchanging = components_of(nodes, component.iter().copied().filter(|edge| !is_change(edge)), budget)?;
        let is_decided = |edge: &AtomicEdge| is_limited(edge) && !unchanging.same(vertex(edge.from), vertex(edge.to));
        let rest: Vec<&AtomicEdge> = component.iter().copied().filter(|edge| !is_decided(edge)).collect();
        let between = components(nodes, &rest, budget)?;
        let repeats_a_change = changes().any(|edge| between.same(vertex(edge.from), vertex(edge.to)));
        if rest.len() < component.len() && !repeats_a_change {
            return Ok(rest);
        }
    }
    Ok(component)
}

/// The strongly connected components of some edges.
fn components(nodes: usize, edges: &[&AtomicEdge], budget: &Budget) -> Result<Components, Exhausted> {
    components_of(nodes, edges.iter().copied(), budget)
}

fn components_of<'e>(
    nodes: usize,
    edges: impl Iterator<Item = &'e AtomicEdge>,
    budget: &Budget,
) -> Result<Components, Exhausted> {
    let mut targets = vec![Vec::new(); nodes];
    edges.for_each(|edge| targets[edge.from].push(vertex(edge.to)));
    Components::from_until(targets.as_slice(), 0..vertex(nodes), || budget.check())
}

fn vertex(node: usize) -> u32 {
    u32::try_from(node).expect("a control-flow graph has fewer than 2^32 nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::{NoFiles, PreprocessorOptions, load};
    use kernel::span::SourceMap;

    fn program(text: &str) -> Program {
        let mut sources = SourceMap::new();
        let file = sources.add_file("model.pml", text, None);
        let loaded = load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
        loaded.program.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
    }

    fn may_stay(text: &str) -> bool {
        may_stay_atomic(&program(text), &Budget::unlimited()).expect("there is no limit")
    }

    /// A process with this body inside an atomic sequence.
    fn body(text: &str) -> bool {
        may_stay(&format!("byte i, j, n; short s; int k; active proctype P() {{ atomic {{ {text} }} }}"))
    }

    #[test]
    fn counting_loops_end() {
        for text in [
            "i = 0; j = 1; n = 2",
            "do :: i < 40 -> i++ :: else -> break od",
            "do :: i < 40 -> i = i + 3 :: i >= 40 -> break od",
            "do :: i >= 40 -> break :: else -> i++ od",
            "do :: i == 40 -> break :: else -> i++ od",
            "do :: i != 40 -> i-- :: else -> break od",
            "do :: s > -7 -> s = s - 2 :: else -> break od",
            "do :: i < n -> i++ :: else -> break od",
            "do :: i < n && j != 3 -> i++ :: else -> break od",
            "do :: i < 9 -> j = 0; do :: j < 9 -> j++ :: else -> break od; i++ :: else -> break od",
            "do :: i < 9 -> i++ :: j < 9 -> j++ :: else -> break od",
            "for (i : 0 .. 9) { n = n + i }",
            "select (i : 0 .. 9); n = i",
            "do :: 10 > i -> i++; if :: i == 3 -> skip :: else -> n++ fi :: else -> break od",
            "skip; L: if :: k < 100 -> k++; goto L :: else fi",
        ] {
            assert!(!body(text), "{text}");
        }
    }

    #[test]
    fn other_loops_may_go_on() {
        for text in [
            "do :: i = 1; i = 2 od",
            "do :: i < 40 -> skip :: else -> break od",
            "do :: i < 40 -> i++ :: i > 3 -> i-- :: else -> break od",
            "do :: i < 40 -> i++; i = 0 :: else -> break od",
            "do :: i < 40 -> i++ :: n > 3 -> i = 0 :: else -> break od",
            // The sum wraps around before the limit stops it.
            "do :: i < 255 -> i = i + 2 :: else -> break od",
            "do :: i <= n -> i++ :: else -> break od",
            "do :: i < 1000 -> i++ :: else -> break od",
            "do :: i == 40 -> break :: else -> i = i + 3 od",
            // The bound grows together with the variable.
            "do :: i < n -> i++; n++ :: else -> break od",
            // One path round the cycle leaves the variable unchanged.
            "do :: i < 9 -> if :: i++ :: skip fi :: else -> break od",
            // The inner loop lets the variable wrap around between two comparisons.
            "do :: i < 9 -> do :: i++ :: break od :: else -> break od",
        ] {
            assert!(body(text), "{text}");
        }
    }

    #[test]
    fn another_process_may_reset_a_global_at_a_rendezvous() {
        let text = |declaration: &str, own: &str| {
            format!(
                "chan c = [0] of {{ byte }}; {declaration} active proctype P() {{ {own} byte x; \
                 atomic {{ do :: i < 9 -> i++; c!1; c?x :: else -> break od }} }}"
            )
        };
        assert!(may_stay(&text("byte i;", "")));
        assert!(!may_stay(&text("", "byte i;")));
    }

    #[test]
    fn the_analysis_takes_a_budget() {
        let program = program("active proctype P() { atomic { skip; skip } }");
        let budget = Budget::unlimited().within_checks(0);
        assert_eq!(may_stay_atomic(&program, &budget), Err(Exhausted::Time));
    }
}
