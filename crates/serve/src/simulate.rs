//! Simulation: a run is the list of its choices, so that it can be undone, passed on and reloaded. Each request begins at the
//! initial state and follows the choices; the answer is where that leads, and what can be chosen there.

use crate::check::{load, refused};
use crate::server::{Given, Shared};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use checker::promela::record::Recorder;
use checker::report::{Change, NamedValue, Run, Step, Valuation, Value as Datum};
use flat::explicit::walk::{Place, Walk};
use flat::model::{Model as Flat, VariableKind};
use kernel::budget::Budget;
use page::chart::Chart;
use promela::explain::Describer;
use promela::reference::{Reference, Transition};
use promela::snapshot::Snapshot;
use promela::validate::describe;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest run.
const LONGEST: usize = 5_000;
/// Choices beyond this number are not offered.
const OFFERED: usize = 60;

/// A run, and how to go on.
#[derive(Deserialize)]
pub(crate) struct Wish {
    #[serde(flatten)]
    given: Given,
    /// The choice at each step, from 0.
    path: Vec<usize>,
    /// Then this many steps at random.
    #[serde(default)]
    random: usize,
    #[serde(default)]
    seed: u64,
}

/// Follows the choices.
pub(crate) async fn simulate(State(shared): State<Arc<Shared>>, Json(mut wish): Json<Wish>) -> Response {
    wish.path.truncate(LONGEST);
    wish.random = wish.random.min(LONGEST - wish.path.len());
    let options = Arc::clone(&shared);
    shared.work.start(&shared.options, move |budget, reporter| {
        reporter.tell(&match load(&options, &wish.given, budget) {
            Err(error) => refused(&error),
            Ok(model) if model.language() == checker::report::Language::Smv => {
                let input = model.into_smv().expect("the language is SMV");
                of_smv(&input.model, &wish, budget)
            }
            Ok(model) => {
                let input = model.into_promela().expect("the language is Promela");
                let describer = Describer::new(&input.program);
                let recorder = Recorder { describer: &describer, sources: &input.sources };
                of_promela(&Reference::new(&input.program), recorder, &wish, budget)
            }
        });
    })
}

fn of_promela(reference: &Reference<'_>, recorder: Recorder<'_>, wish: &Wish, budget: &Budget) -> Value {
    let initial = reference.initial();
    let (mut state, mut steps, mut path) = (initial.clone(), Vec::new(), Vec::new());
    let mut random = ChaCha8Rng::seed_from_u64(wish.seed);
    let mut fault = None;
    let record = |state: &Snapshot, transition: &Transition| {
        recorder.step(&describe(reference, recorder.describer, state, transition))
    };
    for index in 0..wish.path.len() + wish.random {
        if let Err(limit) = budget.check() {
            return json!({ "error": limit.to_string() });
        }
        let transitions = reference.transitions(&state);
        let choice = match wish.path.get(index) {
            Some(choice) => *choice,
            None if transitions.is_empty() => break,
            None => random.random_range(0..transitions.len()),
        };
        let Some(transition) = transitions.get(choice) else { break };
        steps.push(record(&state, transition));
        path.push(choice);
        fault = transition.fault.as_ref().map(|fault| fault.message.clone());
        match &transition.next {
            Some(next) if fault.is_none() => state = next.clone(),
            _ => break,
        }
    }
    let transitions = if fault.is_some() { Vec::new() } else { reference.transitions(&state) };
    let offered = transitions.iter().take(OFFERED).map(|transition| {
        let step = record(&state, transition);
        json!({ "text": step.to_string(), "line": step.at.as_ref().map(|at| at.line), "fault": transition.fault.is_some() })
    });
    let end = match (&fault, transitions.is_empty()) {
        (Some(fault), _) => Some(fault.clone()),
        (None, true) if reference.is_valid_end(&state) => Some("the run has ended".into()),
        (None, true) => Some("invalid end state: no process can move".into()),
        _ => None,
    };
    let offered: Vec<Value> = offered.collect();
    let values = recorder.values(&state);
    let initial = Valuation { values: recorder.values(&initial), ..Valuation::default() };
    let more = transitions.len().saturating_sub(OFFERED);
    answer(Run { initial, stem: steps, cycle: Vec::new(), branches: Vec::new() }, &path, offered, &values, end, more)
}

/// Where a run leads, for the page.
fn answer(
    run: Run,
    path: &[usize],
    offered: Vec<Value>,
    values: &[NamedValue],
    end: Option<String>,
    more: usize,
) -> Value {
    let chart = Chart::of(&run, &[]);
    let chart = (!chart.is_empty()).then(|| json!({ "head": chart.svg_head(), "rows": chart.svg_rows() }));
    let steps: Vec<Value> = run
        .stem
        .iter()
        .map(|step| json!({ "text": step.to_string(), "line": step.at.as_ref().map(|at| at.line), "changes": step.changes }))
        .collect();
    json!({ "path": path, "steps": steps, "offered": offered, "more": more, "values": values, "end": end, "chart": chart })
}

fn of_smv(model: &Flat, wish: &Wish, budget: &Budget) -> Value {
    let mut walk = Walk::new(model, budget);
    let (mut places, mut path): (Vec<Place>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut random = ChaCha8Rng::seed_from_u64(wish.seed);
    for index in 0..wish.path.len() + wish.random {
        let found = match wish.path.get(index) {
            Some(choice) => walk.following(places.last(), &[], *choice, 1).map(|found| found.into_iter().next()),
            None => walk.any(places.last(), &mut || random.random_range(0.0..1.0)),
        };
        let next = match found {
            Err(limit) => return json!({ "error": limit.to_string() }),
            Ok(Some(next)) => next,
            Ok(None) => break,
        };
        // A choice is known by its number, also one that was made at random.
        let choice = match wish.path.get(index) {
            Some(choice) => Some(*choice),
            None => match walk.following(places.last(), &[], 0, 10_000) {
                Ok(all) => all.iter().position(|one| *one == next),
                Err(limit) => return json!({ "error": limit.to_string() }),
            },
        };
        let Some(choice) = choice else { break };
        path.push(choice);
        places.push(next);
    }
    let offered = match walk.following(places.last(), &[], 0, OFFERED + 1) {
        Ok(offered) => offered,
        Err(limit) => return json!({ "error": limit.to_string() }),
    };
    let steps: Vec<Step> = (0..places.len())
        .map(|index| smv_step(model, index.checked_sub(1).map(|at| &places[at]), &places[index]))
        .collect();
    let shown =
        offered.iter().take(OFFERED).map(|next| json!({ "text": smv_step(model, places.last(), next).to_string() }));
    let end = (offered.is_empty()).then(|| {
        if places.is_empty() {
            "there is no initial state".into()
        } else {
            "deadlock: the state has no successor".to_string()
        }
    });
    let values = places.last().map_or_else(Vec::new, |place| smv_values(model, place));
    let (shown, more) = (shown.collect(), usize::from(offered.len() > OFFERED));
    let run = Run { initial: Valuation::default(), stem: steps, cycle: Vec::new(), branches: Vec::new() };
    answer(run, &path, shown, &values, end, more)
}

/// The values of a state.
pub(crate) fn smv_values(model: &Flat, place: &Place) -> Vec<NamedValue> {
    let value = |id: flat::model::VariableId| {
        let variable = model.variable(id);
        let shown = model.show(&place[id.0 as usize], variable.domain.r#type());
        NamedValue { name: variable.name.clone(), value: Datum::of_smv(&shown) }
    };
    model.variable_ids().map(value).collect()
}

/// What changes on the way from one state to another; everything, if there is none before.
fn smv_step(model: &Flat, before: Option<&Place>, after: &Place) -> Step {
    let old = before.map(|before| smv_values(model, before));
    let is_input =
        |name: &str| model.find_variable(name).is_some_and(|id| model.variable(id).kind == VariableKind::Input);
    let changes = smv_values(model, after).into_iter().enumerate().filter_map(|(index, one)| {
        let before = old.as_ref().map(|old| old[index].value.clone());
        let is_shown = before.as_ref() != Some(&one.value) || is_input(&one.name);
        is_shown.then_some(Change { name: one.name, before, after: Some(one.value) })
    });
    Step { changes: changes.collect(), ..Step::new(checker::report::Action::Transition) }
}
