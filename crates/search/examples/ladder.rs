//! A family of automata on which depth-first minimisation takes exponential time and breadth-first linear.
//!
//! A ladder of `n` rungs: from each of `n` places two ways lead to the next, and from the last one back to the first,
//! which is accepting. Every lasso has length `2n`, and there are `2^n` of them; the depth-first search, careful from its
//! first state on, follows nearly all to see that none is shorter.
//!
//! Prints a table and a plot with a logarithmic scale: `cargo run --release -p lariat-search --example ladder`.
#![allow(clippy::print_stdout, reason = "a table is what this program is for")]

use kernel::budget::Budget;
use omega::automaton::{Automaton, Marks};
use search::graph::Graph;
use search::shorten::{Options, Shortening};

fn ladder(rungs: u32) -> Automaton {
    let mut automaton = Automaton::new(Vec::<String>::new(), 1);
    automaton.add_states(3 * rungs as usize);
    let yes = automaton.manager().yes();
    for rung in 0..rungs {
        let (place, next) = (3 * rung, 3 * ((rung + 1) % rungs));
        let marks = if rung == 0 { Marks::one(0) } else { Marks::NONE };
        for way in [place + 1, place + 2] {
            automaton.add_edge(place, way, &yes, marks);
            automaton.add_edge(way, next, &yes, Marks::NONE);
        }
    }
    automaton
}

fn main() {
    println!("rungs  states  length  dfs visits   dfs seconds  bfs visits  bfs seconds");
    let mut bars = Vec::new();
    for rungs in (2..=18).step_by(2) {
        let automaton = ladder(rungs);
        let graph = Graph::new(&automaton);
        let budget = Budget::unlimited();
        let [dfs, bfs] = [Shortening::Dfs, Shortening::Bfs].map(|search| {
            let options =
                Options { budget: &budget, components: true, max_length: None, patience: None, progress: &mut |_| {} };
            search.search(&graph, options)
        });
        let length = |lasso: &Option<search::lasso::Lasso<_>>| lasso.as_ref().map_or(0, |lasso| lasso.length());
        assert_eq!((length(&dfs.lasso), length(&bfs.lasso)), (2 * rungs as usize, 2 * rungs as usize));
        let (one, two) = (dfs.statistics, bfs.statistics);
        println!(
            "{rungs:5}  {:6}  {:6}  {:10}  {:12.6}  {:10}  {:11.6}",
            automaton.state_count(),
            length(&bfs.lasso),
            one.visits,
            one.searching.as_secs_f64(),
            two.visits,
            two.searching.as_secs_f64(),
        );
        bars.push((rungs, one.visits, two.visits));
    }
    println!("\nvisits, each character doubles them (# dfs, + bfs)");
    for (rungs, dfs, bfs) in bars {
        let bar = |character: &str, visits: u64| character.repeat(visits.ilog2() as usize);
        println!("{rungs:5}  {}\n       {}", bar("#", dfs), bar("+", bfs));
    }
}
