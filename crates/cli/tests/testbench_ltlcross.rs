//! `lariat testbench` with the options that users of `ltlcross` type, and exact comparisons in all reports.

mod common;

use common::Folder;
use serde_json::Value;

/// A translator that takes every until for a weak until.
fn weak() -> String {
    format!("{{weak}} echo %f | tr U W | '{}' translate --level low -F - >%O", env!("CARGO_BIN_EXE_lariat"))
}

/// A translator that is wrong only on words that begin with a pattern of twelve letters.
fn rare() -> String {
    let letters: Vec<String> = (0..12).map(|at| format!("{}{}p0", "X".repeat(at), ["!", ""][at % 2])).collect();
    let lariat = env!("CARGO_BIN_EXE_lariat");
    format!("{{rare}} echo \"(\"%f\") & !({})\" | '{lariat}' translate --level low -F - >%O", letters.join(" & "))
}

#[test]
fn options_of_ltlcross_work() {
    let folder = Folder::new("ltlcross-options");
    folder.file("more.ltl", "G p0\nX p1 U p0\n");
    let weak = weak();
    let arguments = [
        &["testbench", "go", &weak, "gpvw", "-f", "p0 U p1", "-f", "F p0", "-F", "more.ltl"][..],
        &["--timeout=36000", "--products=3", "--json=report.json", "--csv=runs.csv"],
        &["--save-bogus=bogus.ltl", "--grind=small.ltl"],
    ]
    .concat();
    folder.expect(&arguments, 1);
    assert_eq!(folder.read("bogus.ltl"), "p0 U p1\nXp1 U p0\n");
    let small: Vec<String> = folder.read("small.ltl").lines().map(str::to_owned).collect();
    assert!(!small.is_empty() && small.iter().all(|formula| formula.len() <= 8), "{small:?}");
    let report: Value = serde_json::from_str(&folder.read("report.json")).expect("JSON");
    assert_eq!((&report["options"]["run_time"], &report["options"]["products"]), (&36000.0.into(), &3.into()));
    // Both sides of three pairs: in each of three structures, and once as languages.
    let made = |check: &str| report["translators"][0]["checks"][check]["made"].as_u64().expect("a number");
    assert_eq!((made("cross-comparison"), made("equivalence")), (4 * 2 * 2 * 3, 4 * 2 * 2));
    assert_eq!(folder.read("runs.csv").lines().count(), 1 + 4 * 2 * 3);
    let first = folder.expect(&[&arguments[..], &["--stop-on-error"]].concat(), 1);
    assert!(first.contains("1 given formula and its negation") && first.contains("stopped at the first failure"));
}

#[test]
fn two_angle_brackets_add_to_a_file() {
    let folder = Folder::new("ltlcross-append");
    folder.file("bogus.ltl", "F p9\n");
    let weak = weak();
    let arguments = [
        &["testbench", "go", &weak, "-f", "p0 U p1", "--csv=>>runs.csv"][..],
        &["--save-bogus=>>bogus.ltl", "--grind=>>small.ltl"],
    ]
    .concat();
    folder.expect(&arguments, 1);
    folder.expect(&arguments, 1);
    assert_eq!(folder.read("bogus.ltl"), "F p9\np0 U p1\np0 U p1\n");
    let small = folder.read("small.ltl");
    let lines: Vec<&str> = small.lines().collect();
    let (first, second) = lines.split_at(lines.len() / 2);
    assert!(!first.is_empty() && first == second, "{small}");
    let runs = folder.read("runs.csv");
    assert_eq!(runs.lines().count(), 1 + 2 * 2 * 2, "{runs}");
    assert_eq!(runs.matches("formula,tool,").count(), 1, "{runs}");
    for wrong in ["--json=>>report.json", "--html=>>report.html", "--csv=>>"] {
        folder.expect(&["testbench", "go", "-f", "Ga", wrong], 3);
    }
}

#[test]
fn a_report_without_a_file_goes_to_standard_output() {
    let folder = Folder::new("ltlcross-output");
    let run = |options: &[&str], code: i32| {
        folder.expect(&[&["testbench", "go", "gpvw", "-f", "Ga"], options].concat(), code)
    };
    assert!(run(&["--json"], 0).starts_with("{\"schema\":2,"));
    assert!(run(&["--csv"], 0).starts_with("formula,tool,"));
    assert!(run(&["--csv=-", "--threads", "1"], 0).starts_with("formula,tool,"));
    for both in [&["--json", "--csv"][..], &["--json", "--format", "html"]] {
        run(both, 3);
    }
    run(&["--products", "0"], 3);
    run(&["--grind", "x", "--no-shrink"], 3);
}

#[test]
fn a_rare_error_is_found_and_counted_in_every_report() {
    let folder = Folder::new("rare");
    let rare = rare();
    let formulas = ["testbench", "go", &rare, "gpvw", "-f", "p0 U p1", "-f", "G(p0 -> F p1)", "-f", "X p0 | p1"];
    let text = folder.expect(&[&formulas[..], &["--csv=runs.csv", "--html=page.html"]].concat(), 1);
    assert!(text.contains("Equivalence: 18 pairs of automata decided\n"), "{text}");
    assert!(text.contains("equivalence of `go` and `rare`") && text.contains("`rare` is wrong"), "{text}");
    assert!(folder.read("page.html").contains("Equivalence: 18 pairs of automata decided"));
    let csv = folder.read("runs.csv");
    assert!(csv.lines().next().unwrap().ends_with("equivalences_decided,equivalences_abandoned"), "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.ends_with(",2,0")), "{csv}");
    // Sampling does not see it.
    let sampling = ["--checks", "cross,consistency,path,intersection,prefix", "--structure", "both"];
    folder.expect(&[&formulas[..], &sampling].concat(), 0);
    // What is not decided is not passed over in silence.
    let few = folder.expect(&[&formulas[..], &["--equivalence-steps", "1000", "--json"]].concat(), 0);
    let report: Value = serde_json::from_str(&few).expect("JSON");
    let of = |name: &str| report["equivalence"][name].as_u64().expect("a number");
    assert!(
        of("abandoned") > 0 && of("decided") > 0 && of("decided") + of("abandoned") == 18,
        "{}",
        report["equivalence"]
    );
    let few = folder.expect(&["testbench", "go", "gpvw", "--formulas", "1", "--equivalence-steps", "0"], 0);
    assert!(few.contains("The equivalence of 2 pairs was abandoned: it takes more steps than allowed."), "{few}");
}

#[test]
fn finite_automata_of_safety_formulas_are_compared() {
    let folder = Folder::new("finite");
    let lariat = env!("CARGO_BIN_EXE_lariat");
    let prefixes = format!("{{prefixes}} bad-prefixes: echo \"!(\"%f\")\" | '{lariat}' translate -F - >%O");
    let monitor = format!("{{monitor}} monitor: '{lariat}' translate %f >%O");
    let claim = format!("{{claim}} bad-prefixes: echo \"!(\"%s\")\" | '{lariat}' translate -F - --format never >%O");
    let formulas = ["-f", "G(p0 -> X p1)", "-f", "p0 W p1", "-f", "GF p0"];
    let text = folder.expect(&[&["testbench", "go", &prefixes, &monitor, &claim], &formulas[..]].concat(), 0);
    assert!(text.contains("`monitor` does not support formulas that are not safety by their shape"), "{text}");
    // It does not look at the first letter.
    let wrong = prefixes.replace("\"!(\"", "\"X !(\"");
    let text = folder.expect(&[&["testbench", "go", &wrong], &formulas[..]].concat(), 1);
    assert!(text.contains("`prefixes` is wrong: its automaton for"), "{text}");
}
