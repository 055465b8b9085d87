//! `lariat testbench` from outside: reports, exit codes, external commands, limits, the interactive session.

mod common;

use common::Folder;
use serde_json::Value;

/// A translator that takes every until for a weak until.
fn weak() -> String {
    format!("{{weak}} echo %f | tr U W | '{}' translate --level low -F - >%O", env!("CARGO_BIN_EXE_lariat"))
}

/// Where the files of a test are.
fn root(folder: &Folder) -> std::path::PathBuf {
    folder.file("here", "").parent().expect("a folder").to_path_buf()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn correct_translators_pass() {
    let folder = Folder::new("testbench-pass");
    let report = json(&folder.expect(&["testbench", "--formulas", "60", "--seed", "5", "--format", "json"], 0));
    assert_eq!((report["schema"].as_u64(), report["seed"].as_u64()), (Some(2), Some(5)));
    assert_eq!((report["formulas"].as_u64(), report["stopped"].as_str()), (Some(60), Some("done")));
    let translators = report["translators"].as_array().expect("a list");
    let names: Vec<&str> = translators.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["couvreur", "go", "gpvw", "tight"]);
    for translator in translators {
        assert_eq!(translator["attempts"], 120);
        assert_eq!(translator["failures"], serde_json::json!({}));
        assert_eq!(translator["blamed"], 0);
    }
    let text = folder.expect(&["testbench", "--formulas", "20", "--structure", "both"], 0);
    for part in ["Table 1.", "Table 2.", "Table 3.", "seed 1", "No problem detected."] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn the_wrong_translator_is_blamed_with_a_small_case() {
    let folder = Folder::new("testbench-blame");
    let weak = weak();
    let arguments = ["testbench", "couvreur", &weak, "gpvw", "--formulas", "40", "--format", "json"];
    let report = json(&folder.expect(&arguments, 1));
    let blamed: Vec<(&str, bool)> = report["translators"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["name"].as_str().expect("a name"), one["blamed"].as_u64() > Some(0)))
        .collect();
    assert_eq!(blamed, [("couvreur", false), ("weak", true), ("gpvw", false)]);
    assert_eq!(report["comparisons"]["undecided"], 0);
    let cases = report["cases"].as_array().expect("a list");
    assert!(!cases.is_empty());
    for case in cases {
        let shrunk = &case["shrunk"];
        assert_eq!((&shrunk["blamed"], &shrunk["symbols"]), (&"weak".into(), &3.into()), "{shrunk}");
        assert!(shrunk["structure"]["states"].as_u64() <= Some(2), "{shrunk}");
        assert!(!shrunk["proof"].as_array().expect("lines").is_empty());
    }
    // The same for any number of threads.
    let settled = |threads: &str| {
        let mut report = json(&folder.expect(&[&arguments[..], &["--threads", threads]].concat(), 1));
        report["seconds"] = Value::Null;
        report["options"]["threads"] = Value::Null;
        for translator in report["translators"].as_array_mut().expect("a list") {
            translator["sizes"]["seconds"] = Value::Null;
            translator["sizes_by_symbols"] = Value::Null;
        }
        report
    };
    assert_eq!(settled("1"), settled("3"));
}

#[test]
fn runs_are_limited_and_failures_counted_as_what_they_are() {
    let folder = Folder::new("testbench-limits");
    let commands = [
        ("silent", "true %f"),
        ("talker", "echo %s"),
        ("refuser", "echo %l >&2; exit 7"),
        ("killed", "kill -SEGV $$; echo %w"),
        ("absent", "no-such-command-anywhere %f"),
        ("reader", "test -s %F && test -s %S && test -s %L && test -s %W && echo 'never { accept: skip }' >%O"),
    ]
    .map(|(name, command)| format!("{{{name}}} {command}"));
    let mut arguments = vec!["testbench"];
    arguments.extend(commands.iter().map(String::as_str));
    // Only one of them reaches a time limit, on any machine.
    arguments.extend(["--formulas", "2", "--run-time", "1h", "--no-shrink", "--format", "json"]);
    let report = json(&folder.expect(&arguments, 1));
    let kinds: Vec<String> = report["translators"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["failures"].as_object().expect("by kind").keys().cloned().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(kinds, ["no-output", "unreadable", "exit-code", "crash", "not-started", ""]);
    // What accepts everything is wrong about a formula or its negation.
    assert!(report["translators"][5]["blamed"].as_u64() > Some(0), "{}", report["translators"][5]);
    let sleeper = ["testbench", "{sleeper} sleep 99999999 & sleep 99999999; echo %f", "--run-time", "300ms"];
    let options = ["--formulas", "2", "--no-shrink", "--format", "json"];
    let report = json(&folder.expect(&[&sleeper[..], &options].concat(), 1));
    assert_eq!(report["translators"][0]["failures"], serde_json::json!({ "time-out": 4 }), "{report}");
}

#[test]
fn formulas_can_come_from_a_file() {
    let folder = Folder::new("testbench-file");
    folder.file("formulas.ltl", "# two\nG(request -> F grant)\n\n\"x > 1\" U Xdone\n");
    let weak = weak();
    let lbtt = format!("{{lbtt}} '{}' translate -F %L --format lbtt", env!("CARGO_BIN_EXE_lariat"));
    let claim = format!("{{claim}} '{}' translate --syntax spin %s --format never", env!("CARGO_BIN_EXE_lariat"));
    let arguments = ["testbench", &weak, &lbtt, &claim, "tight:high", "-F", "formulas.ltl", "--format", "json"];
    let report = json(&folder.expect(&arguments, 1));
    let blamed: Vec<u64> =
        report["translators"].as_array().expect("a list").iter().map(|t| t["blamed"].as_u64().unwrap()).collect();
    assert!(blamed[0] > 0 && blamed[1..] == [0, 0, 0], "{report}");
    assert!(
        report["translators"].as_array().unwrap().iter().all(|one| one["failures"] == serde_json::json!({})),
        "{report}"
    );
    let output = folder.lariat(&["testbench", "-F", "-", "--format", "json"], "F a\nG(\n");
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn tables_plots_and_rows_can_be_written_at_once() {
    let folder = Folder::new("testbench-views");
    let files = ["--html", "report.html", "--csv", "runs.csv", "--json", "report.json"];
    let rows =
        folder.expect(&[&["testbench", "go", "tight", "--formulas", "8", "--format", "csv"][..], &files].concat(), 0);
    let header = rows.lines().next().expect("a heading");
    assert!(
        header.starts_with("formula,tool,exit_status,exit_code,time,states,edges,transitions,acc,scc,nondet_states,")
    );
    assert_eq!(rows.lines().count(), 1 + 8 * 2 * 2);
    for row in rows.lines().skip(1) {
        assert_eq!(row.split(',').count(), header.split(',').count(), "{row}");
        assert!(row.contains("\"ok\",0,"), "{row}");
    }
    let read = |name: &str| std::fs::read_to_string(root(&folder).join(name)).expect(name);
    assert_eq!(read("runs.csv").lines().count(), rows.lines().count());
    assert_eq!(json(&read("report.json"))["formulas"], 8);
    let page = read("report.html");
    assert!(page.matches("<svg").count() >= 3 && page.contains("Table 1.") && !page.contains("http"), "{page}");
}

#[test]
fn a_run_stops_at_the_first_failure_or_when_the_time_is_over() {
    let folder = Folder::new("testbench-stop");
    let weak = weak();
    let report = json(&folder.expect(&["testbench", "go", &weak, "--stop-at-failure", "--format", "json"], 1));
    assert_eq!(report["stopped"], "first-failure");
    let last = report["formulas"].as_u64().expect("a number");
    assert_eq!(report["cases"][0]["number"].as_u64(), Some(last));
    let report =
        json(&folder.expect(&["testbench", "--formulas", "1000000", "--time-limit", "2s", "--format", "json"], 2));
    assert_eq!(report["stopped"], "time-limit");
}

#[test]
fn a_session_answers_a_script() {
    let folder = Folder::new("testbench-session");
    let weak = weak();
    let script = "help\nformula\ngraph\ngraph dot\nresults\nproblems\nwitness 1\nproof\nautomaton weak\nautomaton gpvw negation dot\n\
                  shrink\nsave case.json\nnonsense\nwitness 999\nskip 3\nquit\n";
    let output =
        folder.lariat(&["testbench", "gpvw", &weak, "--interactive", "--states", "5", "--formulas", "60"], script);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in [
        "list",
        "SPIN",
        "digraph structure",
        "of 5:",
        "cross-comparison of `gpvw` and `weak`",
        "`weak` is wrong: its automaton for the formula accepts this word",
        "HOA: v1",
        "shrunk to",
        "saved in case.json",
        "`nonsense` is not a command",
        "problems are numbered from 1",
        "interrupted",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let saved = json(&std::fs::read_to_string(root(&folder).join("case.json")).expect("the case"));
    assert_eq!(saved["blamed"], "weak");
    assert!(saved["automata"][1]["formula"].as_str().expect("HOA").starts_with("HOA:"));
    // Every formula, and the end of the input ends the run.
    let output = folder.lariat(&["testbench", "go", "--interactive=always", "--formulas", "9"], "next\n\nresults\n");
    assert!(String::from_utf8_lossy(&output.stdout).matches("> ").count() > 3);
}

#[test]
fn wrong_usage_is_refused() {
    let folder = Folder::new("testbench-usage");
    for arguments in [
        &["testbench", "no-such-translator"][..],
        &["testbench", "go", "go"],
        &["testbench", "--weights", "Q=3"],
        &["testbench", "--symbols", "0"],
        &["testbench", "--symbols", "7..4"],
        &["testbench", "--states", "0"],
        &["testbench", "--density", "1.5"],
        &["testbench", "--paper", "--weights", "X=0"],
        &["testbench", "-F", "there-is-no-such-file"],
    ] {
        folder.expect(arguments, 3);
    }
}
