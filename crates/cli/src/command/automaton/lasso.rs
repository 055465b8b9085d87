//! Accepting lassos of an automaton, by the searches of the explicit engine.

use crate::arguments::Algorithm;
use crate::exit::Failure;
use crate::view::count;
use crate::view::json::SCHEMA;
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::emptiness::{Run, Step};
use search::emptiness;
use search::graph::Graph;
use search::lasso::Lasso;
use search::shorten::{self, Shortening};
use search::store::Store;
use serde_json::json;

/// The lasso that a search finds, as a line.
pub(super) fn show(
    automaton: &Automaton,
    shown: &str,
    algorithm: Option<Algorithm>,
    is_json: bool,
) -> Result<String, Failure> {
    let mut lasso: Option<Lasso<Step>> = None;
    for from_start in automaton.from_each_initial_state() {
        let graph = Graph::new(&from_start);
        let Some(next) = find(&graph, shown, algorithm)? else { continue };
        next.check(&graph).map_err(|wrong| Failure::bug(format!("{shown}: a lasso that is none: {wrong}")))?;
        lasso = lasso.filter(|best| best.length() <= next.length()).or(Some(next));
    }
    let run = lasso.as_ref().map(Graph::run);
    let states = |steps: &[Step]| steps.iter().map(|step| step.source).collect::<Vec<_>>();
    let Some(Run { stem, cycle }) = run else {
        let none: [u32; 0] = [];
        let name = &automaton.name;
        let document =
            json!({ "schema": SCHEMA, "name": name, "empty": true, "length": null, "stem": none, "loop": none });
        return Ok(if is_json { format!("{document}\n") } else { format!("{shown}: empty\n") });
    };
    let length = stem.len() + cycle.len();
    let (stem, cycle) = (states(&stem), states(&cycle));
    if is_json {
        let name = &automaton.name;
        let document =
            json!({ "schema": SCHEMA, "name": name, "empty": false, "length": length, "stem": stem, "loop": cycle });
        return Ok(format!("{document}\n"));
    }
    let words = |states: &[u32]| states.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let stem = if stem.is_empty() { String::new() } else { format!("stem {}, ", words(&stem)) };
    Ok(format!("{shown}: {}: {stem}loop {}\n", count(length as u64, "step"), words(&cycle)))
}

fn find(graph: &Graph<'_>, shown: &str, algorithm: Option<Algorithm>) -> Result<Option<Lasso<Step>>, Failure> {
    let algorithm = algorithm.unwrap_or_else(|| Algorithm::Shortest(Shortening::choose(graph, Store::Exact)));
    if matches!(algorithm, Algorithm::Shortest(search) if search.is_exact() && search.counts(graph)) {
        return Err(Failure::usage(format!(
            "{shown}: this search finds shortest lassos for one acceptance set, on states, only: add --degeneralize, \
             or choose generalised"
        )));
    }
    let budget = Budget::unlimited();
    Ok(match algorithm {
        Algorithm::Shortest(shortening) => {
            let progress = &mut |_: &_| {};
            let options = shorten::Options {
                budget: &budget,
                components: true,
                store: Store::Exact,
                max_length: None,
                patience: None,
                progress,
            };
            shortening.search(graph, options).lasso
        }
        Algorithm::First(emptiness) => {
            let options =
                emptiness::Options { budget: &budget, components: true, store: Store::Exact, progress: &mut |_| {} };
            emptiness.search(graph, options).lasso
        }
    })
}
