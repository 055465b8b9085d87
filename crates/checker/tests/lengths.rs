//! Deep violations are found, lengths that are claimed or bounded are right, and limits on them hold.

use checker::options::{Among, PromelaOptions, Reduction, Reductions};
use checker::report::{Outcome, Reason};
use checker::selection::Wanted;
use checker::{Model, Options, Report, Selection, Verdict, check};
use kernel::budget::{Budget, Exhausted};

fn run(text: &str, selection: &Selection, promela: PromelaOptions, budget: &Budget) -> Report {
    let model = Model::promela("model.pml", text).expect("the model is correct");
    let options = Options { promela, ..Options::default() };
    check(&model, selection, &options, budget, &mut ()).expect("the check ends")
}

fn named(name: &str) -> Selection {
    Selection::only(Wanted::Named(name.into()))
}

/// The length of the first counterexample, and whether it is proved to be shortest.
fn length(report: &Report, name: &str) -> Option<(usize, bool)> {
    let counterexample = report.property(name)?.counterexamples().first()?;
    Some((counterexample.length(), counterexample.is_shortest()))
}

/// Four processes that count to 200 each: more than a billion states, and the violation is where all have ended.
fn counters(end: &str) -> String {
    let process = |name: &str| {
        format!("active proctype {name}() {{ do :: x{name} < 200 -> x{name}++ :: else -> break od; {end} }}\n")
    };
    let processes: String = ["A", "B", "C", "D"].map(process).concat();
    format!("byte xA, xB, xC, xD;\n{processes}ltl p {{ [] !(xA == 200 && xB == 200 && xC == 200 && xD == 200) }}\n")
}

/// A memory limit that ends every search of all states, whatever the speed of the machine.
fn small() -> Budget {
    let mut budget = Budget::unlimited();
    budget.memory = Some(20_000_000);
    budget
}

#[test]
fn a_deep_violation_of_a_terminal_property_is_found() {
    for shortest in [None, Some(Among::Automaton)] {
        let options = PromelaOptions { shortest, ..PromelaOptions::default() };
        let report = run(&counters("skip"), &named("p"), options, &small());
        let (steps, is_shortest) = length(&report, "p").expect("it is violated");
        assert!((800..2000).contains(&steps), "{steps}");
        assert!(!is_shortest, "no search compared all runs");
    }
}

#[test]
fn deep_violations_of_safety_are_found() {
    let end = "assert(!(xA == 200 && xB == 200 && xC == 200 && xD == 200)); false";
    for shortest in [None, Some(Among::Automaton)] {
        let options = PromelaOptions { shortest, ..PromelaOptions::default() };
        let report = run(&counters(end), &Selection::only(Wanted::Safety), options, &small());
        for name in ["assertions", "end states"] {
            let (steps, _) = length(&report, name).unwrap_or_else(|| panic!("{name} are violated"));
            assert!((800..3000).contains(&steps), "{name}: {steps}");
        }
    }
}

/// Three bytes that are incremented freely, beside a counter to 60,000 that a depth-first search follows first.
const LONG: &str = "int x; byte y, z, w; active proctype B() { do :: y++ od } active proctype C() { do :: z++ od }
    active proctype D() { do :: w++ od }";

#[test]
fn a_run_of_many_steps_is_sought_a_shorter_one_for_with_more_effort() {
    let met = "(x == 60000 || (y == 14 && z == 14 && w == 14))";
    let long = "d_step { x < 60000 -> x++ }";
    let temporal = format!("{LONG} active proctype A() {{ do :: {long} od }} ltl p {{ [] !{met} }}");
    let safety = format!("{LONG} active proctype A() {{ do :: {long} :: atomic {{ {met} -> assert(false) }} od }}");
    let chaining = Reductions::Only(vec![Reduction::Chain]);
    for (text, name, reductions, steps) in [
        (&temporal, "p", Reductions::Auto, 42),
        // Here, the model itself is searched from the beginning.
        (&temporal, "p", chaining, 42),
        (&safety, "assertions", Reductions::Auto, 44),
    ] {
        let selection = if name == "p" { named(name) } else { Selection::only(Wanted::Safety) };
        let options = PromelaOptions { reductions, ..PromelaOptions::default() };
        let report = run(text, &selection, options, &Budget::unlimited());
        assert_eq!(length(&report, name), Some((steps, true)), "{name}");
    }
}

#[test]
fn bad_prefixes_compete_with_lassos() {
    let text = "byte x; active proctype P() { x = 1; do :: x = 2; x = 3; x = 4; x = 5 od } ltl p { [] (x != 1) }";
    for shortest in [Among::Automaton, Among::Formula] {
        let options = PromelaOptions { shortest: Some(shortest), ..PromelaOptions::default() };
        let report = run(text, &named("p"), options, &Budget::unlimited());
        assert_eq!(length(&report, "p"), Some((1, true)), "{shortest:?}");
    }
    let options = PromelaOptions { shortest: Some(Among::Formula), max_length: Some(1), ..PromelaOptions::default() };
    let report = run(text, &named("p"), options, &Budget::unlimited());
    assert_eq!(length(&report, "p"), Some((1, true)));
}

#[test]
fn a_bound_on_the_length_has_a_reason_of_its_own() {
    let text = "byte x; active proctype P() { x = 1; x = 2; x = 3; x = 4 } ltl p { <> (x == 9) }";
    let options = PromelaOptions { max_length: Some(3), ..PromelaOptions::default() };
    let report = run(text, &named("p"), options, &Budget::unlimited());
    let verdict = &report.property("p").expect("it is there").verdict;
    assert!(matches!(verdict, Verdict::Unknown(Reason::LengthBound(_))), "{verdict:?}");
}

#[test]
fn no_violation_is_deeper_than_the_depth_limit() {
    // An atomic sequence of 30 steps comes first.
    let assignments = "y = 1; ".repeat(30);
    let text = format!(
        "byte x, y; init {{ atomic {{ {assignments} }}; do :: x = 1 - x od }} \
         ltl safe {{ [] (x == 0) }} ltl live {{ <> [] (x == 0) }}"
    );
    for property in ["safe", "live"] {
        // A depth limit is about the lassos of the property's automaton; the formula may have shorter ones.
        let of_automaton = PromelaOptions { shortest: Some(Among::Automaton), ..PromelaOptions::default() };
        let unlimited = run(&text, &named(property), of_automaton, &Budget::unlimited());
        let (steps, _) = length(&unlimited, property).expect("it is violated");
        assert!(steps > 30, "{property}: {steps}");
        for first in [false, true] {
            let options = PromelaOptions { first, ..PromelaOptions::default() };
            let mut budget = Budget::unlimited();
            budget.depth = Some(10);
            let report = run(&text, &named(property), options.clone(), &budget);
            let verdict = &report.property(property).expect("it is there").verdict;
            assert_eq!(*verdict, Verdict::Unknown(Reason::Limit(Exhausted::Depth)), "{property}, {first}");
            budget.depth = Some(steps as u64);
            let report = run(&text, &named(property), options, &budget);
            let (steps, _) = length(&report, property).expect("it is violated within the limit");
            assert!(steps as u64 <= budget.depth.expect("it was set"), "{property}: {steps}");
        }
    }
    assert_eq!(
        run(&text, &Selection::all(), PromelaOptions::default(), &Budget::unlimited()).outcome(),
        Outcome::Violated
    );
}

/// An automaton with a state too many: what is searched with a bound is what is searched for a shortest run.
#[test]
fn bounds_and_shortest_runs_of_a_given_automaton_agree() {
    let text = "byte x; active proctype P() { do :: x = (x + 1) % 3 od }";
    let automaton = "HOA: v1\nStates: 3\nStart: 0\nAP: 1 \"x == 1\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
                     State: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[t] 2\nState: 2\n[0] 1\n[!0] 2\n--END--\n";
    let selection = Selection::only(Wanted::Automaton { name: "a.hoa".into(), text: automaton.into() });
    let unlimited = Budget::unlimited();
    let shortest = PromelaOptions { shortest: Some(Among::Automaton), ..PromelaOptions::default() };
    let (least, is_shortest) = length(&run(text, &selection, shortest, &unlimited), "a.hoa").expect("it is violated");
    assert!(is_shortest && least > 1, "{least}");
    for most in 1..=least + 1 {
        let bounded = PromelaOptions { max_length: Some(most as u64), ..PromelaOptions::default() };
        let found = length(&run(text, &selection, bounded, &unlimited), "a.hoa");
        assert_eq!(found.map(|(length, _)| length), (most >= least).then_some(least), "at most {most}");
    }
}
