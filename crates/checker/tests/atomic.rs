//! Runs that never leave an atomic sequence: the search for them costs no more than the search that decides a property,
//! and a decided property stays decided.

use checker::options::{Among, PromelaOptions, Store};
use checker::report::{Outcome, Reason};
use checker::selection::Wanted;
use checker::{Model, Options, Report, Selection, Verdict, check};
use kernel::budget::{Budget, Exhausted};

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
        // What is observed before an endless sequence decides a property whose violations finite runs show, and no other.
        let alone = report(&text, &Selection::only(Wanted::Named("p".into())), &Budget::unlimited());
        assert_eq!((alone.outcome(), alone.endless_atomic), (Outcome::Holds, Some(is_endless)), "{inner}");
        let live = report(&text, &Selection::ltl("[]<> (x < 2)"), &Budget::unlimited());
        let expected = if is_endless { Outcome::Unknown } else { Outcome::Holds };
        assert_eq!((live.outcome(), live.endless_atomic), (expected, Some(is_endless)), "{inner}");
    }
}

/// Where a small limit would leave it open whether some run never leaves an atomic sequence, and a larger one shows such a
/// run, a verdict at the small limit would be taken back.
#[test]
fn no_larger_limit_takes_a_verdict_back() {
    // The endless sequence is deep, and the property is decided by the text alone.
    let text = "int x; bool bad; active proctype P() { byte i; do \
                :: x < 5000 -> atomic { i = 0; do :: i < 9 -> i = 2 * i + 1 :: else -> break od; i = 0; x++ } \
                :: x == 5000 -> atomic { do :: i = 1 - i od } od }";
    let verdict = |memory: u64| {
        let mut budget = Budget::unlimited();
        budget.memory = Some(memory);
        report(text, &Selection::ltl("[]<> !bad"), &budget).properties[0].verdict.clone()
    };
    let verdicts: Vec<Verdict> = (12..26).map(|power| verdict(1 << power)).collect();
    let is_limited = |verdict: &Verdict| *verdict == Verdict::Unknown(Reason::Limit(Exhausted::Memory));
    assert!(verdicts.iter().any(is_limited), "{verdicts:?}");
    assert!(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Unknown(_))), "{verdicts:?}");
    assert!(matches!(verdicts.last(), Some(Verdict::Unknown(Reason::Unsupported(_)))), "{verdicts:?}");
}

/// After `x = 1` there is nothing but an endless sequence, so that no lasso shows the violation.
#[test]
fn a_bad_prefix_before_an_endless_sequence_is_found_whatever_the_search() {
    let text = "byte x, y; active proctype P() { x = 1; atomic { do :: y = 1; y = 2 od } }";
    let model = Model::promela("model.pml", text).expect("the model is correct");
    let promela = PromelaOptions::default;
    let ways = [
        promela(),
        PromelaOptions { first: true, ..promela() },
        PromelaOptions { shortest: Some(Among::Formula), ..promela() },
        PromelaOptions { all_minimal: true, ..promela() },
        PromelaOptions { store: Store::Bitstate { size: 20, hashes: 3 }, ..promela() },
        PromelaOptions { store: Store::HASH_COMPACT, ..promela() },
    ];
    for formula in ["[] (x != 1)", "[] (x != 1) && []<> (y < 3)"] {
        for promela in &ways {
            let options = Options { promela: promela.clone(), ..Options::default() };
            let report = check(&model, &Selection::ltl(formula), &options, &Budget::unlimited(), &mut ());
            let report = report.expect("the check ends");
            assert_eq!(report.outcome(), Outcome::Violated, "{formula}, {promela:?}: {:?}", report.properties);
            assert_eq!(report.properties[0].counterexamples()[0].length(), 1, "{formula}, {promela:?}");
        }
    }
}
