//! Recorded traces are judged whole: what they say matters, and what a cone of influence leaves out.

use flat::model::Model;
use kernel::budget::{Budget, Exhausted};
use kernel::span::SourceMap;
use symbolic::check::{Disagreement, Error, SymbolicOptions, check};
use symbolic::report::{Answer, CheckResult, Trace};
use symbolic::validate::retrace::length::{Shortness, shortness};
use symbolic::validate::retrace::promise::{Relevance, relevance};
use symbolic::validate::retrace::whole::{extends, leaves_out};
use symbolic::validate::retrace::{Claimed, retrace};
use symbolic::witness::explicit::{Line, Shortest, Wanted};

fn load(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add_file("model.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model.expect("a model")
}

fn checked(model: &Model, cone_of_influence: bool) -> CheckResult {
    let options = SymbolicOptions { cone_of_influence, ..SymbolicOptions::default() };
    check(model, &options, &Budget::unlimited(), &mut |_| {}).expect("a model")
}

const LIGHTS: &str = "MODULE main IVAR i : boolean; VAR x : 0..2; y : boolean; z : boolean; \
    ASSIGN init(x) := 0; next(x) := y ? (x + 1) mod 3 : x; init(y) := TRUE; next(y) := i; init(z) := FALSE; \
    FAIRNESS i SPEC AG x < 2 LTLSPEC F z INVARSPEC x < 2";

#[test]
fn what_matters_must_be_known_and_enough() {
    let model = load(LIGHTS);
    for (found, property) in checked(&model, false).properties.iter().zip(&model.properties) {
        let trace = found.counterexample.as_ref().expect("it is violated");
        let names: Vec<&String> = trace.states.iter().flat_map(|state| state.relevant.iter().flatten()).collect();
        assert!(!names.is_empty(), "{trace:?}");
        assert!(retrace(&model, Claimed::False(property), trace).is_ok(), "{}", found.text);

        let mut forged = Trace::clone(trace);
        forged.states.iter_mut().for_each(|state| state.relevant = Some(Vec::new()));
        let wrong = retrace(&model, Claimed::False(property), &forged).expect_err("nothing matters");
        assert!(wrong.reason.contains("irrelevant"), "{}: {}", found.text, wrong.reason);

        let mut forged = Trace::clone(trace);
        forged.states[0].relevant = Some(vec!["nobody".to_owned()]);
        let wrong = retrace(&model, Claimed::False(property), &forged).expect_err("an unknown name");
        assert_eq!((wrong.step, wrong.reason.as_str()), (0, "`nobody` is marked as relevant, but has no value"));
    }
}

#[test]
fn a_cone_of_influence_changes_no_verdict() {
    // `y` runs into a dead end: no path is infinite.
    let dead = "MODULE main VAR x : 0..2; y : 0..2; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 3}; init(y) := 0; \
        TRANS y < 2 & next(y) = y + 1 SPEC AG x < 3 SPEC EF x = 2 LTLSPEC G x < 2 INVARSPEC x < 2";
    // Nothing but assignments: `y` can be left out.
    let free = "MODULE main VAR x : 0..2; y : 0..2; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 3}; init(y) := 0; \
        next(y) := (y + x) mod 3; SPEC AG x < 2 SPEC EF x = 2 LTLSPEC G x < 2 INVARSPEC x < 2";
    for text in [dead, free] {
        let model = load(text);
        let (whole, part) = (checked(&model, false), checked(&model, true));
        let answers = |report: &CheckResult| -> Vec<(String, Answer)> {
            report.properties.iter().map(|found| (found.name.clone(), found.answer.clone())).collect()
        };
        assert_eq!(answers(&whole), answers(&part), "{text}");
        let left_out = part.warnings.iter().filter(|warning| warning.contains("does not depend: y")).count();
        assert_eq!(left_out, if text == free { 4 } else { 0 }, "{:?}", part.warnings);
        for (found, property) in part.properties.iter().zip(&model.properties) {
            if let Some(trace) = &found.counterexample {
                assert!(retrace(&model, Claimed::False(property), trace).is_ok(), "{}", found.text);
                assert_eq!(extends(&model, trace, &Budget::unlimited()), Some(true), "{}", found.text);
                assert_eq!(leaves_out(&model, trace), usize::from(text == free), "{}", found.text);
                let mut forged = Trace::clone(trace);
                forged.states[0].state[0].value = "2".to_owned();
                assert_eq!(extends(&model, &forged, &Budget::unlimited()), Some(false), "{}", found.text);
            }
        }
    }
}

#[test]
fn an_assignment_outside_the_cone_is_checked_all_the_same() {
    let model = load("MODULE main VAR x : boolean; y : 0..2; ASSIGN next(x) := !x; next(y) := y + 1; SPEC AF x");
    for cone_of_influence in [false, true] {
        let options = SymbolicOptions { cone_of_influence, ..SymbolicOptions::default() };
        let error = check(&model, &options, &Budget::unlimited(), &mut |_| {}).expect_err("3 is no value of y");
        let Error::Wrong(findings) = error else { panic!("{error:?}") };
        assert_eq!(findings[0].code, smv::codes::VALUE_OUT_OF_RANGE);
    }
}

/// A counter too large to enumerate, beside a light; `x` is in the way of `AF`, `y` and `big` are not.
const LARGE: &str = "MODULE main IVAR i : boolean; VAR x : 0..3; y : boolean; big : 0..4095; \
    ASSIGN init(x) := 0; next(x) := i & x < 3 ? x + 1 : x; init(y) := TRUE; next(y) := !y; \
    init(big) := 0; FAIRNESS y INVARSPEC x < 2 INVARSPEC !(x = 1 & i) SPEC AG x < 2 SPEC AF x = 1 SPEC AX x = 0 | AX x = 1 \
    SPEC AG (x = 1 -> AX x = 1) LTLSPEC F x = 1 LTLSPEC G (x = 1 -> Y x = 1) LTLSPEC G !(x = 2 & i)";

#[test]
fn what_matters_is_verified_on_machines_of_any_size() {
    let model = load(LARGE);
    let budget = Budget::unlimited();
    for (found, property) in checked(&model, false).properties.iter().zip(&model.properties) {
        let trace = found.counterexample.as_ref().expect("it is violated");
        let claimed = Claimed::False(property);
        assert_eq!(relevance(&model, claimed, trace, &budget), Ok(Relevance::Verified), "{}: {trace:#?}", found.text);
        // Without any one of the values that matter the argument breaks.
        for at in 0..trace.states.len() {
            for index in 0..trace.states[at].relevant.as_ref().map_or(0, Vec::len) {
                let mut forged = Trace::clone(trace);
                let dropped = forged.states[at].relevant.as_mut().map(|names| names.remove(index));
                let answer = relevance(&model, claimed, &forged, &budget);
                assert!(answer.is_err(), "{}: {dropped:?} at {at} can go from {trace:#?}", found.text);
            }
        }
        assert_eq!(trace.branches.is_empty(), !found.text.contains('|'), "{}", found.text);
        for at in 0..trace.branches.len() {
            let mut forged = Trace::clone(trace);
            forged.branches[at].trace.states.iter_mut().for_each(|state| state.relevant = Some(Vec::new()));
            assert!(relevance(&model, claimed, &forged, &budget).is_err(), "{}: a branch", found.text);
        }
    }
}

#[test]
fn what_is_said_to_be_shortest_is_checked_again() {
    let model = load(
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4}; INVARSPEC x < 2 LTLSPEC F x = 3",
    );
    let budget = Budget::unlimited();
    let report = checked(&model, false);
    for (found, property) in report.properties.iter().zip(&model.properties) {
        let trace = found.counterexample.as_ref().expect("it is violated");
        assert_eq!(shortness(&model, Claimed::False(property), trace, None, &budget), Shortness::Verified);
        let mut longer = Trace::clone(trace);
        longer.states.insert(0, trace.states[0].clone());
        longer.loop_start = longer.loop_start.map(|start| start + 1);
        assert!(retrace(&model, Claimed::False(property), &longer).is_ok());
        let refuted = Shortness::Refuted(trace.length());
        assert_eq!(shortness(&model, Claimed::False(property), &longer, None, &budget), refuted);
    }
}

/// A search that claims to have found a lasso with one state, whose values are the first of their domains.
#[expect(clippy::unnecessary_wraps, reason = "the type of a search")]
fn wrong_search(wanted: Wanted<'_>) -> Result<Shortest, Exhausted> {
    let positions = vec![flat::enumerate::valuation(wanted.model, [])];
    Ok(Shortest { line: Some(Line { positions, loop_start: Some(0) }), is_proved: true })
}

#[test]
fn a_wrong_search_is_a_disagreement() {
    let model = load(
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 1; next(x) := x < 3 ? x + 1 : x; LTLSPEC F x = 0 LTLSPEC F x = 1 \
         SPEC AF x = 0",
    );
    let reasons = [
        (0, "the first state is not initial"),
        (1, "the explicit search finds a lasso on which `F x = 1` is false"),
        (2, "the first state is not initial"),
    ];
    for (property, reason) in reasons {
        let mut model = model.clone();
        model.properties = vec![model.properties[property].clone()];
        let options = SymbolicOptions { search: Some(wrong_search), ..SymbolicOptions::default() };
        let error = check(&model, &options, &Budget::unlimited(), &mut |_| {}).expect_err("a wrong search");
        let Error::Disagreement(Disagreement { reason: found, .. }) = error else { panic!("{error:?}") };
        assert_eq!(found, reason);
    }
}

#[test]
fn a_trace_may_leave_out_inputs() {
    let model = load("MODULE main VAR a : boolean; IVAR i : boolean; LTLSPEC G a");
    let report = checked(&model, true);
    let found = &report.properties[0];
    let trace = found.counterexample.as_ref().expect("it is violated");
    assert_eq!((found.left_out.as_slice(), leaves_out(&model, trace)), (&["i".to_owned()][..], 1));
    let claimed = Claimed::False(&model.properties[0]);
    assert!(retrace(&model, claimed, trace).is_ok());
    assert_eq!(extends(&model, trace, &Budget::unlimited()), Some(true));
    // An input that the property depends on must have a value.
    let model = load("MODULE main VAR a : boolean; IVAR i : boolean; ASSIGN next(a) := i; LTLSPEC G a");
    let claimed = Claimed::False(&model.properties[0]);
    let refused = retrace(&model, claimed, trace).expect_err("no value of the input");
    assert_eq!(refused.reason, "`i` has no value");
}
