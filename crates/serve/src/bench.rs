//! The testbench with live statistics: Lariat's own constructions against each other on random formulas. No command is run.

use crate::server::Shared;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

use std::time::{Duration, Instant};
use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::oracle::Check;
use testbench::run::{Bench, Input, Plan, StructureKind};
use testbench::statistics::Statistics;
use testbench::translator::{BUILTIN_NAMES, Limits, Translator};

/// The most formulas of one run.
const MOST: usize = 5_000;
/// Statistics are told at most this often.
const PAUSE: Duration = Duration::from_millis(200);

/// What to run.
#[derive(Deserialize)]
pub(crate) struct Wish {
    formulas: usize,
    #[serde(default)]
    seed: u64,
}

/// Runs the testbench.
pub(crate) async fn testbench(State(shared): State<Arc<Shared>>, Json(wish): Json<Wish>) -> Response {
    let time_limit = shared.options.time_limit;
    shared.work.start(&shared.options, move |budget, reporter| {
        let translators = BUILTIN_NAMES.iter().filter_map(|name| Translator::parse(name).ok()).collect();
        let sets = SymbolSet::of_paper(5).to_vec();
        let count = wish.formulas.clamp(1, MOST).div_ceil(sets.len());
        let plan = Plan {
            translators,
            input: Input::Random { sets, sizes: 4..=7, count },
            kinds: vec![StructureKind::Graph, StructureKind::Path],
            shape: StructureShape::default(),
            given_structure: None,
            formulas_per_structure: 10,
            structures_per_formula: 1,
            checks: Check::ALL.into_iter().collect(),
            seed: wish.seed,
            limits: Limits::default(),
            is_endless: false,
            threads: 1,
            stop_at_failure: false,
            time_limit: Some(time_limit),
            kept_back: Duration::ZERO,
        };
        let bench = match Bench::new(plan) {
            Ok(bench) => bench,
            Err(error) => {
                reporter.tell(&json!({ "error": error.to_string() }));
                return;
            }
        };
        let total = bench.item_count();
        let mut statistics = Statistics::new(BUILTIN_NAMES.len());
        let (mut last, switch) = (Instant::now(), budget.cancel_switch());
        bench.run(&switch, |record, done| {
            statistics.add(&record);
            if last.elapsed() > PAUSE {
                last = Instant::now();
                reporter.mention(&told(&statistics, done, total, false));
            }
        });
        bench.workplace.close();
        let done = usize::try_from(statistics.formulas).unwrap_or(usize::MAX);
        reporter.tell(&told(&statistics, done, total, true));
    })
}

fn told(statistics: &Statistics, done: usize, total: usize, is_over: bool) -> Value {
    let scores = BUILTIN_NAMES.iter().zip(&statistics.scores).map(|(name, score)| {
        let comparisons: u64 = score.checks.values().map(|ratio| ratio.of).sum();
        json!({
            "name": name, "attempts": score.attempts, "failures": score.failure_count(), "blamed": score.blame_count(),
            "comparisons": comparisons, "states": score.spread(0, None).mean
        })
    });
    json!({
        "done": done, "total": total, "over": is_over, "comparisons": statistics.comparisons.of,
        "faults": statistics.formulas - statistics.clean, "scores": scores.collect::<Vec<_>>()
    })
}
