//! The playground of formulas: the automaton while typing, what the formula is equivalent to, and what facts make of it.

use crate::server::Shared;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use kernel::budget::Budget;
use kernel::span::{FileId, Span};
use omega::analyse::questions::{classes, is_invariant, not_implied};
use omega::constraint::choice::{Knowledge, Ways, refine};
use omega::formula::{Formula, Formulas};
use omega::parse::{Syntax, parse_at};
use omega::pipeline::{TranslationOptions, translate};
use omega::print::{Notation, print};
use omega::rewrite::simplify;
use page::drawing::{Direction, automaton};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The time for all answers about one formula.
const TRANSLATION: Duration = Duration::from_secs(5);
/// Larger automata are not drawn.
const MOST_DRAWN: usize = 120;

/// What is asked.
#[derive(Deserialize)]
pub(crate) struct Wish {
    formula: String,
    #[serde(default)]
    other: String,
    #[serde(default)]
    constraint: String,
}

/// Answers.
pub(crate) async fn formula(State(shared): State<Arc<Shared>>, Json(wish): Json<Wish>) -> Response {
    shared.work.start(&shared.options, move |budget, reporter| {
        let budget = budget.stage().within(TRANSLATION);
        let answer = answer(&wish, &budget);
        reporter.tell(&answer.unwrap_or_else(|error| json!({ "error": error })));
    })
}

/// Reads a formula; the error has the column.
fn read(formulas: &mut Formulas, text: &str, what: &str) -> Result<Formula, String> {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    parse_at(formulas, text, Syntax::Spot, Span::new(FileId(0), 0, end)).map_err(|diagnostic| {
        let column = text.get(..diagnostic.primary.span.lo as usize).map_or(1, |before| before.chars().count() + 1);
        format!("{what}, column {column}: {}", diagnostic.message)
    })
}

fn answer(wish: &Wish, budget: &Budget) -> Result<Value, String> {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, &wish.formula, "formula")?;
    let shown = |formulas: &Formulas, formula| print(formulas, formula, Notation::Spot);
    let simple = simplify(&mut formulas, formula, budget).map_err(|limit| limit.to_string())?;
    let mut out = json!({ "formula": shown(&formulas, formula), "simplified": shown(&formulas, simple) });
    match translate(&mut formulas, formula, &TranslationOptions::default(), budget) {
        Err(reason) => out["automaton"] = json!({ "error": reason.to_string() }),
        Ok(translation) => {
            let made = &translation.automaton;
            let hoa = omega::io::hoa::write_within(made, budget).unwrap_or_default();
            out["automaton"] = json!({
                "states": made.state_count(), "edges": made.edge_count(), "sets": made.sets(),
                "deterministic": made.is_deterministic(), "svg": drawing(made, budget), "hoa": hoa
            });
        }
    }
    if let (Ok(class), Ok(invariant)) =
        (classes(&mut formulas, formula, budget), is_invariant(&mut formulas, formula, budget))
    {
        out["class"] = class.name().into();
        out["stutter_invariant"] = invariant.into();
    }
    if !wish.other.trim().is_empty() {
        let other = read(&mut formulas, &wish.other, "second formula")?;
        out["comparison"] = compared(&mut formulas, formula, other, budget);
    }
    if !wish.constraint.trim().is_empty() {
        let constraint = read(&mut formulas, &wish.constraint, "fact")?;
        let knowledge = Knowledge { constraint, stricter: None };
        out["refined"] = match refine(
            &mut formulas,
            formula,
            &knowledge,
            &TranslationOptions::default(),
            Ways::BOTH,
            true,
            budget,
        ) {
            Ok(refined) => json!({
                "states": refined.automaton.state_count(), "edges": refined.automaton.edge_count(),
                "way": refined.way.name(), "svg": drawing(&refined.automaton, budget)
            }),
            Err(reason) => json!({ "error": reason.to_string() }),
        };
    }
    Ok(out)
}

fn drawing(made: &omega::automaton::Automaton, budget: &Budget) -> Option<String> {
    let plain = checker::observation::described(made, budget).filter(|plain| plain.states.len() <= MOST_DRAWN)?;
    let description = format!("Automaton: {} states, {} edges", plain.states.len(), plain.edges.len());
    Some(automaton(&plain).svg(&description, Direction::Right))
}

/// Whether two formulas are equivalent, and otherwise a word that tells them apart.
fn compared(formulas: &mut Formulas, one: Formula, two: Formula, budget: &Budget) -> Value {
    for (first, second, holds) in [
        (one, two, "the first formula holds, the second does not"),
        (two, one, "the second formula holds, the first does not"),
    ] {
        match not_implied(formulas, first, second, budget) {
            Ok(None) => {}
            Ok(Some(word)) => return json!({ "equivalent": false, "word": word.to_string(), "difference": holds }),
            Err(reason) => return json!({ "error": reason.to_string() }),
        }
    }
    json!({ "equivalent": true })
}
