//! The editor and the checks: diagnostics while typing, then verdicts as they become known.

use crate::server::{Given, Shared};
use crate::work::Reporter;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use checker::model::Preprocessing;
use checker::report::{Count, DiagnosticNote, PropertyReport, Stage, Statistics};
use checker::{Error, Model, Observer, Selection};
use kernel::budget::Budget;
use page::report::Checked;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Progress is told at most this often.
const PAUSE: Duration = Duration::from_millis(150);

/// Reads a model in the language that its name tells.
pub(crate) fn load(shared: &Shared, given: &Given, budget: &Budget) -> Result<Model, Error> {
    let Given { name, text } = given;
    match name.to_ascii_lowercase().ends_with(".smv") {
        true => Model::smv_within(name, text, budget),
        false => {
            let files = Arc::new(shared.options.folder.clone());
            Model::promela_with(name, text, &Preprocessing::default(), files, budget)
        }
    }
}

/// An error as the page shows it.
pub(crate) fn refused(error: &Error) -> Value {
    match error {
        Error::Rejected(rejected) => json!({ "error": rejected.summary(), "diagnostics": rejected.notes() }),
        other => json!({ "error": other.to_string(), "diagnostics": [] }),
    }
}

/// Diagnostics, and the properties that can be checked.
pub(crate) async fn diagnose(State(shared): State<Arc<Shared>>, Json(given): Json<Given>) -> Response {
    let options = Arc::clone(&shared);
    shared.work.start(&shared.options, move |budget, reporter| {
        let answer = match load(&options, &given, budget) {
            Err(error) => refused(&error),
            Ok(model) => {
                let notes = model.warnings().iter().map(|warning| DiagnosticNote::of(model.sources(), warning));
                json!({ "diagnostics": notes.collect::<Vec<_>>(), "properties": properties(&model, budget) })
            }
        };
        reporter.tell(&answer);
    })
}

/// The properties of a model.
fn properties(model: &Model, budget: &Budget) -> Vec<Value> {
    let shown = |one: PropertyReport| json!({ "name": one.name, "kind": one.kind.word(), "formula": one.formula });
    checker::listing::properties(model, budget).into_iter().map(shown).collect()
}

/// What to check.
#[derive(Deserialize)]
pub(crate) struct Wish {
    #[serde(flatten)]
    given: Given,
    /// The name of a property of the model.
    #[serde(default)]
    property: Option<String>,
    /// A formula given beside the model.
    #[serde(default)]
    ltl: Option<String>,
    #[serde(default)]
    explain: bool,
}

pub(crate) fn selection(property: Option<&String>, ltl: Option<&String>) -> Selection {
    match (property, ltl) {
        (Some(name), _) => Selection::reported(name),
        (None, Some(formula)) if !formula.trim().is_empty() => Selection::ltl(formula.clone()),
        (None, _) => Selection::all(),
    }
}

/// Checks, and tells how far it is.
pub(crate) async fn check(State(shared): State<Arc<Shared>>, Json(wish): Json<Wish>) -> Response {
    let options = Arc::clone(&shared);
    shared.work.start(&shared.options, move |budget, reporter| {
        let model = match load(&options, &wish.given, budget) {
            Ok(model) => model,
            Err(error) => {
                reporter.tell(&refused(&error));
                return;
            }
        };
        let mut how = checker::Options::default();
        (how.promela.explain, how.smv.explain) = (wish.explain, wish.explain);
        (how.promela.observe, how.smv.observe) = (true, true);
        let mut teller = Teller { reporter, last: Instant::now(), stage: String::new() };
        let wanted = selection(wish.property.as_ref(), wish.ltl.as_ref());
        reporter.tell(&match checker::check(&model, &wanted, &how, budget, &mut teller) {
            Ok(report) => {
                let html = page::report::body(&Checked { report: &report, sources: model.sources() }, 0);
                let verdicts: Vec<Value> = report
                    .properties
                    .iter()
                    .map(|one| json!({ "name": one.name, "verdict": one.verdict.words() }))
                    .collect();
                json!({ "html": html, "verdicts": verdicts })
            }
            Err(error) => refused(&error),
        });
    })
}

/// Tells the page what a check does.
struct Teller<'a> {
    reporter: &'a Reporter,
    last: Instant,
    stage: String,
}

impl Observer for Teller<'_> {
    fn stage(&mut self, stage: Stage, property: Option<&str>) {
        let stage = format!("{stage:?}").to_lowercase();
        self.stage = property.map_or_else(|| stage.clone(), |property| format!("{stage} for {property}"));
        self.reporter.tell(&json!({ "stage": self.stage }));
    }

    fn progress(&mut self, statistics: &Statistics, seconds: f64) {
        if self.last.elapsed() < PAUSE {
            return;
        }
        self.last = Instant::now();
        let states = match statistics.states {
            Some(Count::Exact(states)) => states as f64,
            Some(Count::About(states)) => states,
            None => 0.0,
        };
        self.reporter.mention(&json!({
            "progress": { "states": states, "seconds": seconds, "depth": statistics.depth, "waiting": statistics.waiting, "left": statistics.left, "bytes": statistics.peak_memory_bytes }
        }));
    }

    fn property(&mut self, report: &PropertyReport) {
        self.reporter.tell(&json!({ "property": { "name": report.name, "verdict": report.verdict.words() } }));
    }
}
