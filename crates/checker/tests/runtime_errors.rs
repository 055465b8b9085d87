//! Run-time errors in places where the search and the reference interpreter could differ: what is printed, `enabled` and
//! `provided`. SPIN reports each of them.

use checker::options::{PromelaOptions, Reductions};
use checker::report::Outcome;
use checker::{Model, Options, Selection, check};
use kernel::budget::Budget;

/// The verdict on run-time errors; a disagreement of the two implementations would be an error of the check.
fn run_time_errors(text: &str, reductions: Reductions) -> Outcome {
    let model = Model::promela("m.pml", text).expect("a correct model");
    let promela = PromelaOptions { reductions, ..PromelaOptions::default() };
    let options = Options { promela, ..Options::default() };
    let report = check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).expect("a report");
    let named = report.properties.iter().find(|property| property.name == "run-time errors");
    named.expect("every model is checked for run-time errors").verdict.outcome()
}

fn all_violated(texts: &[&str]) {
    for text in texts {
        for reductions in [Reductions::Auto, Reductions::OFF] {
            assert_eq!(run_time_errors(text, reductions), Outcome::Violated, "{text}");
        }
    }
}

#[test]
fn arguments_of_printf_are_evaluated() {
    all_violated(&[
        "byte a[2]; active proctype P() { byte i = 5; byte j; j = i; printf(\"%d\", a[i]); j = 1 }",
        "byte a[2]; active proctype P() { byte i = 5; printf(\"%d %d\", i, a[i]); assert(false) }",
        "byte z; active proctype P() { printf(\"%d\", 1 / z) }",
        "byte z; active proctype P() { d_step { z = 1; z = 0; printf(\"%d\", 1 % z) } }",
    ]);
    let fine = "byte a[2]; active proctype P() { byte i = 1; printf(\"%d %d\", i, a[i]) }";
    assert_eq!(run_time_errors(fine, Reductions::Auto), Outcome::Holds);
}

#[test]
fn a_question_about_the_process_that_asks_is_an_error() {
    all_violated(&[
        "active proctype P() { enabled(0) }",
        "active proctype P() { d_step { enabled(0) } }",
        "active proctype P() { enabled(1) } active proctype Q() { enabled(0) }",
        "active proctype P() { enabled(1) || enabled(0) } active proctype Q() { false }",
    ]);
    // A statement that would fail is enabled.
    let fails =
        "byte a[2]; byte i = 5; active proctype P() { a[i] = 1 } active proctype Q() { enabled(0) -> assert(true) }";
    assert_eq!(run_time_errors(fails, Reductions::OFF), Outcome::Violated);
}

#[test]
fn errors_of_a_provided_clause_are_told_of_any_body() {
    for body in ["skip", "atomic { skip; skip }", "do :: skip :: break od", "if :: skip :: true fi", "d_step { skip }"]
    {
        let text = format!(
            "byte a[1]; active proctype P() {{ skip }} active proctype Q() provided (a[_pid] > 0) {{ {body} }}"
        );
        all_violated(&[&text]);
    }
    all_violated(&["byte a[1]; active proctype P() { skip }
        active proctype Q() provided (a[_pid] > 0) { { skip; skip } unless { false } }"]);
}
