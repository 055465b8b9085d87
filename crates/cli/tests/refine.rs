//! `check --refine` from outside: the same verdicts in every way, the line about sizes, the warnings, the facts confirmed.

mod common;

use common::Folder;
use serde_json::Value;

/// Three places of one process, a variable that only grows, and one that does not.
const MODEL: &str = "byte n; bool x;
active proctype P() { a: n++; x = !x; b: n++; x = !x; c: n++; d: do :: x = !x od }
active proctype Q() { do :: n >= 1 -> x = !x :: n == 0 -> skip od }
";

/// Formulas over its atoms, and whether they hold.
const FORMULAS: [(&str, bool); 9] = [
    ("[] (P@a -> <> P@b)", false),
    ("[] !(P@a && P@b)", true),
    ("<> (P@a && P@b)", false),
    ("<> ([] P@a || ([] <> P@b <-> [] <> P@c))", false),
    ("[] (P@c -> [] (n >= 2))", true),
    ("[] (n == 2 -> X (P@b || P@c))", false),
    ("[] <> (n == 3)", false),
    ("(P@a || P@b) U (n == 1)", false),
    ("[] (P@b -> (n == 1 && !(n > 2)))", true),
];

fn report(folder: &Folder, arguments: &[&str]) -> Value {
    let output = folder.lariat(&[&["check", "--format", "json", "--no-save"], arguments].concat(), "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn every_way_comes_to_the_same_verdict() {
    let folder = Folder::new("ways");
    let model = folder.file("m.pml", MODEL).display().to_string();
    let mut smaller = 0;
    for (formula, holds) in FORMULAS {
        for way in ["off", "formula", "automaton", "both"] {
            for more in
                [&[][..], &["--fair", "weak"], &["--shortest"], &["--shortest=formula"], &["--no-simplify-labels"]]
            {
                if *more == ["--fair", "weak"] && !holds {
                    continue;
                }
                let all = report(&folder, &[&[&model, "--ltl", formula, "--refine", way][..], more].concat());
                let property = &all["properties"][0];
                let expected = if holds { "holds" } else { "violated" };
                assert_eq!(property["verdict"], expected, "{formula} {way} {more:?}");
                let refinement = &property["engine"]["refinement"];
                assert_eq!(refinement.is_null(), way == "off", "{property}");
                if way != "off" && !more.contains(&"--shortest=formula") {
                    assert!(refinement["facts"].as_u64() > Some(0), "{property}");
                    let size = |which: &str| refinement[which]["states"].as_u64().expect("a number");
                    assert!(size("after") <= size("before"), "{property}");
                    smaller += u32::from(size("after") < size("before"));
                }
                if way != "off" && more.contains(&"--shortest=formula") {
                    assert!(refinement["way"] == "none" && refinement["reason"].is_string(), "{property}");
                }
            }
        }
    }
    assert!(smaller > 20, "only {smaller} automata became smaller");
}

/// Models and properties that do not hold, though each looks as if it had to: an operand that would fail is not looked
/// at, a process number is another's for a while.
const CLOSE: [(&str, &str); 7] = [
    ("bool ok; active proctype P() { do :: ok = (z == 0 || z / z < 2) :: ok = false od }", "[] !ok"),
    ("active proctype P() { (z == 0 || 9 / z > 1); a: skip }", "[] !P@a"),
    ("bool ok = (z == 0 || 3 / z); active proctype P() { skip }", "[] !ok"),
    ("active proctype P() { byte x = 5; x = (z && 9 % z) + 7; a: x == 7 }", "[] (P:x == 5)"),
    ("active proctype P() { do :: skip od }", "[] ((z == 0 || 9 / z > 1) + z < 1)"),
    (VARYING, "[] (P[z]@a -> (P[z]@a W [] !P[z]@a))"),
    (VARYING, "[]<> P[z]@a -> <>[] P[z]@a"),
];

const VARYING: &str = "active proctype P() { a: z == 7; skip } active proctype Q() { do :: z = 1 - z od }";

#[test]
fn what_cannot_fail_is_not_taken_for_a_failure() {
    let folder = Folder::new("close");
    for (text, formula) in CLOSE {
        let model = folder.file("m.pml", &format!("byte z; {text}")).display().to_string();
        for way in ["off", "formula", "automaton", "both"] {
            let all = report(&folder, &[&model, "--ltl", formula, "--refine", way, "--check-facts"]);
            assert_eq!(all["properties"][0]["verdict"], "violated", "{text} {formula} {way}");
        }
    }
}

#[test]
fn claims_and_automata_are_refined_too() {
    let folder = Folder::new("claims");
    let model = folder.file("m.pml", MODEL).display().to_string();
    let never =
        folder.file("c.never", "never { do :: P@a && P@b -> break :: P@c -> break :: else od }").display().to_string();
    let text = "HOA: v1 States: 3 Start: 0 AP: 2 \"P@a\" \"P@b\" acc-name: Buchi Acceptance: 1 Inf(0) --BODY--
        State: 0 [t] 0 [0&1] 1 [!0&1] 2 State: 1 {0} [t] 1 State: 2 {0} [!0&!1] 2 --END--";
    let automaton = folder.file("a.hoa", text).display().to_string();
    for arguments in [["--never", &never], ["--automaton", &automaton]] {
        for way in ["off", "automaton", "both"] {
            for more in [&[][..], &["--shortest"], &["--all-minimal"]] {
                let all = report(&folder, &[&[&model, "--refine", way], &arguments[..], more].concat());
                let property = &all["properties"][0];
                assert_eq!(property["verdict"], "violated", "{arguments:?} {way}: {property}");
                assert_eq!(property["counterexample"]["validated"], true);
                let refinement = &property["engine"]["refinement"];
                if way != "off" {
                    let size = |which: &str| refinement[which]["edges"].as_u64().expect("a number");
                    let is_fewer = size("after") < size("before");
                    assert!(is_fewer || arguments[0] == "--never" && size("after") == size("before"), "{property}");
                }
            }
        }
    }
}

#[test]
fn what_facts_decide_is_a_warning() {
    let folder = Folder::new("warning");
    let model = folder.file("m.pml", MODEL).display().to_string();
    let text = folder.expect(&["check", &model, "--no-save", "--ltl", "[] !(P@a && P@b)"], 0);
    let expected = "warning: [] !(P@a && P@b) cannot fail, whatever the model does:
  `P@a` and `P@b` exclude each other: a process is at one place at a time
";
    assert!(text.contains(expected), "{text}");
    let text = folder.expect(&["check", &model, "--no-save", "--ltl", "<> (P@a && P@b)"], 1);
    assert!(text.contains("cannot hold, whatever the model does"), "{text}");

    let warning = |formula: &str, more: &[&str]| {
        let all = report(&folder, &[&[&model, "--ltl", formula][..], more].concat());
        all["properties"][0]["warnings"][0].clone()
    };
    let decided = warning("[] (n == 5 -> n < 10)", &[]);
    assert!(decided["kind"] == "cannot-fail" && decided["facts"].as_array().is_some_and(|facts| facts.len() == 1));
    let decided = warning("[] (P@b -> [] !P@a)", &["--refine", "automaton"]);
    assert_eq!(decided["facts"][0], "after `P@b` never `P@a`: no way leads there", "{decided}");
    assert!(decided["message"].as_str().is_some_and(|text| text.contains("the text of the model")), "{decided}");
    assert!(warning("<> (x || !x)", &[]).get("facts").is_none());
    for (formula, more) in [("[] !(P@a && P@b)", &["--refine", "off"][..]), ("[] (P@a -> <> P@b)", &[])] {
        assert!(warning(formula, more).is_null(), "{formula}");
    }
}

#[test]
fn sizes_are_told_in_one_line() {
    let folder = Folder::new("line");
    let model = folder.file("m.pml", MODEL).display().to_string();
    let formula = "<> ([] P@a || ([] <> P@b <-> [] <> P@c))";
    let text = folder.expect(&["check", "-v", &model, "--no-save", "--ltl", formula], 1);
    let line = text.lines().find(|line| line.contains("automaton: ")).expect("a line about sizes");
    assert!(line.contains(" facts ") && line.contains("refinement)"), "{line}");
    let off = folder.expect(&["check", "-v", &model, "--no-save", "--ltl", formula, "--refine", "off"], 1);
    assert!(!off.contains("automaton: "), "{off}");
}

#[test]
fn facts_are_confirmed_on_demand() {
    let folder = Folder::new("facts");
    let model = folder.file("m.pml", MODEL).display().to_string();
    let all = report(&folder, &[&model, "--ltl", "[] (P@c -> n >= 2)", "--check-facts"]);
    let check = &all["fact_check"];
    assert!(check["confirmed"].as_u64() > Some(3) && check["complete"] == true, "{check}");
    let text = folder.expect(&["check", &model, "--no-save", "--ltl", "[] (P@c -> n >= 2)", "--check-facts"], 0);
    assert!(text.contains("facts confirmed in all reachable states"), "{text}");
    let text = folder.expect(&["check", &model, "--no-save", "--safety", "--check-facts"], 0);
    assert!(text.contains("no facts to confirm: no temporal property has any"), "{text}");
}

#[test]
fn facts_are_confirmed_within_the_limits() {
    let folder = Folder::new("limits");
    let model = folder.file("m.pml", "int n; bool x; active proctype P() { a: n = 1; do :: n++; x = !x od }");
    let model = model.display().to_string();
    for (limit, reason) in [
        (["--time-limit", "0.1"], "the time limit was reached"),
        (["--memory-limit", "1MiB"], "the memory limit was reached"),
        (["--max-depth", "100"], "some runs are longer than the depth limit"),
    ] {
        let all = report(&folder, &[&model, "--ltl", "[] (P@a -> !x)", "--check-facts", limit[0], limit[1]]);
        let check = &all["fact_check"];
        assert_eq!(check["complete"], false, "{limit:?}: {check}");
        // How many states are visited in a given time depends on the machine; there are billions.
        let is_timed = limit[0] == "--time-limit";
        assert!(is_timed || check["states"].as_u64() < Some(1_000_000), "{limit:?}: {check}");
        assert!(check["reason"].as_str().is_some_and(|text| text.starts_with(reason)), "{limit:?}: {check}");
    }
}

#[test]
fn warnings_are_seen_in_every_format() {
    let folder = Folder::new("formats");
    let model = folder.file("m.pml", MODEL).display().to_string();
    let shown = |format: &str, formula: &str, code: i32| {
        folder.expect(&["check", &model, "--no-save", "--format", format, "--ltl", formula], code)
    };
    for (formula, code, warning) in [
        ("[] !(P@a && P@b)", 0, "cannot fail, whatever the model does"),
        ("[] (1 / n < 9)", 1, "meets a run-time error"),
    ] {
        let document: Value = serde_json::from_str(&shown("sarif", formula, code)).expect("JSON");
        let results = document["runs"][0]["results"].as_array().expect("results");
        let found = results.iter().find(|result| result["level"] == "warning").expect("a warning");
        assert!(found["message"]["text"].as_str().is_some_and(|text| text.contains(warning)), "{found}");
        let text = shown("junit", formula, code);
        let printed = text.split("<system-out>").nth(1).expect("what was printed");
        assert!(printed.starts_with("warning: ") && printed.contains(warning), "{text}");
    }
    assert!(!shown("junit", "[] (P@a -> <> P@b)", 1).contains("system-out"));
}

/// Runs break off in an error after two steps; that `x` was 1 is enough, whatever would have come next.
#[test]
fn a_bad_prefix_is_found_on_runs_that_break_off() {
    let folder = Folder::new("breaks-off");
    let text = "byte x; active proctype p() { x = 1; d_step { x = 2; x == 1; x = 3 } }";
    let model = folder.file("m.pml", text).display().to_string();
    let formulas = ["[] (x == 1 -> x == 2)", "[] !(x == 1) && <> (x == 2)", "[] (x == 1 -> x == 2) && [] <> (x == 3)"];
    for formula in formulas {
        for way in ["off", "formula", "automaton", "both"] {
            for more in [&[][..], &["--no-simplify-labels"], &["--first", "--no-simplify-labels"], &["--shortest"]] {
                let all = report(&folder, &[&[&model, "--ltl", formula, "--refine", way][..], more].concat());
                assert_eq!(all["properties"][0]["verdict"], "violated", "{formula} {way} {more:?}");
            }
        }
    }
}
