//! Runs that never leave an atomic sequence: the search for them costs no more than the search that decides a property,
//! and a decided property stays decided.

use checker::report::Outcome;
use checker::selection::Wanted;
use checker::{Model, Options, Report, Selection, check};
use kernel::budget::Budget;

/// Three processes that count to 20 together, each step of which is an atomic sequence with this loop.
fn counting(inner: &str) -> String {
    let option = |name: &str| format!(":: atomic {{ {name} < 20 -> i = 0; {inner}; i = 0; {name}++ }}");
    let options: String = ["a", "b", "c"].map(option).concat();
    format!(
        "byte a, b, c; bool bad; active [3] proctype P() {{ byte i; do {options} \
         :: a == 20 && b == 20 && c == 20 -> a = 0; b = 0; c = 0 od }} ltl inv {{ [] !bad }}"
    )
}

fn report(text: &str, selection: &Selection, budget: &Budget) -> Report {
    let model = Model::promela("model.pml", text).expect("the model is correct");
    check(&model, selection, &Options::default(), budget, &mut ()).expect("the check ends")
}

fn inv() -> Selection {
    Selection::only(Wanted::Named("inv".into()))
}

#[test]
fn the_text_decides_that_counting_loops_end() {
    let mut budget = Budget::unlimited();
    // Far less than the states inside the sequences would take.
    budget.memory = Some(1 << 22);
    let text = counting("do :: i < 40 -> i++ :: else -> break od");
    let report = report(&text, &inv(), &budget);
    assert_eq!((report.outcome(), report.endless_atomic), (Outcome::Holds, Some(false)));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn what_was_not_checked_is_a_note_and_the_verdict_stays() {
    let mut budget = Budget::unlimited();
    budget.memory = Some(1 << 22);
    let text = counting("do :: i < 40 -> i = 2 * i + 1 :: else -> break od");
    let report = report(&text, &inv(), &budget);
    assert_eq!((report.outcome(), report.endless_atomic), (Outcome::Holds, None));
    assert!(report.warnings.iter().any(|warning| warning.contains("it was not checked whether")));
}

#[test]
fn a_search_for_safety_notes_endless_sequences_on_its_way() {
    // The text does not decide either of these loops.
    for (inner, is_endless) in [("i = 2 * i + 1", false), ("if :: i = 2 * i + 1 :: skip fi", true)] {
        let text = format!(
            "byte x; active proctype P() {{ byte i; atomic {{ do :: i < 40 -> {inner} :: else -> break od }}; x = 1 }} \
             ltl p {{ [] (x < 2) }}"
        );
        let all = report(&text, &Selection::all(), &Budget::unlimited());
        assert_eq!(all.endless_atomic, Some(is_endless), "{inner}");
        let alone = report(&text, &Selection::only(Wanted::Named("p".into())), &Budget::unlimited());
        let expected = if is_endless { Outcome::Unknown } else { Outcome::Holds };
        assert_eq!((alone.outcome(), alone.endless_atomic), (expected, Some(is_endless)), "{inner}");
    }
}
