//! The real binary on SMV models: verdicts, exit codes, formats, traces, limits.

mod common;

use common::Folder;
use common::smv::{COUNTER, property};
use expect_test::{Expect, expect};
use serde_json::Value;

/// A model whose only way ends in a state without a next one.
const STUCK: &str = "MODULE main\nVAR x : 0..2;\nINIT x = 0\nTRANS next(x) = x + 1\nSPEC AG x < 3\n";

/// The text without the line of numbers, which has a time in it.
#[track_caller]
fn shows(text: &str, expected: &Expect) {
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains(" bits), ")).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn a_report_says_what_is_false_and_which_values_matter() {
    let folder = Folder::new("text");
    folder.file("counter.smv", COUNTER);
    let text = folder.expect(&["check", "counter.smv", "--property", "small", "--no-save"], 1);
    shows(
        &text,
        &expect![[r#"
            small     violated: n < 2 is false
              at counter.smv:8:25
              2 steps; no trace is shorter
              5 of 9 values matter; no single value can be dropped; irrelevant ones are in parentheses
             state  values
                 0  n = 0  idle = FALSE  (other = FALSE)
                 1  n = 1  idle = FALSE
                 2  n = 2

            deadlock  holds: every reachable state has a successor
            fairness  holds: some path from an initial state is fair and infinite
            1 of 3 properties is violated: small
        "#]],
    );
}

#[test]
fn every_kind_of_property_is_answered() {
    let folder = Folder::new("kinds");
    folder.file("counter.smv", COUNTER);
    let report = folder.json(&["check", "counter.smv", "--format", "json", "--no-save", "--diameter"], 1);
    assert_eq!(report["schema"], 2);
    let found: Vec<(&str, &str)> = report["properties"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["verdict"].as_str().unwrap()))
        .collect();
    let expected = [
        ("ctl", "violated"),
        ("ltl", "violated"),
        ("invariant", "violated"),
        ("invariant", "holds"),
        ("compute", "holds"),
        ("deadlock", "holds"),
        ("fairness", "holds"),
    ];
    assert_eq!(found, expected);
    assert_eq!(report["statistics"]["diameter"], 3);
    assert_eq!(report["statistics"]["states"], 12);
    assert_eq!(property(&report, "compute-5")["steps"], 2);
    for name in ["returns", "again", "small"] {
        let shown = &property(&report, name)["counterexample"];
        let length = shown["stem"].as_array().unwrap().len() + shown["loop"].as_array().unwrap().len();
        assert_eq!(shown["length"], length, "{name}");
        assert_eq!((&shown["validated"], &shown["complete"]), (&true.into(), &true.into()));
        let minimised = &shown["minimised"];
        assert!(minimised["values_after"].as_u64() < minimised["values_before"].as_u64(), "{shown}");
    }
    // `other` never matters to anything.
    assert!(!report.to_string().contains(r#""relevant":["n","idle","other"]"#));
}

#[test]
fn the_layout_of_nusmv() {
    let folder = Folder::new("nusmv");
    folder.file("counter.smv", COUNTER);
    let text = folder.expect(&["check", "counter.smv", "--nusmv-output", "--no-save"], 1);
    assert!(text.contains("-- specification AG (AF n = 0)  is false\n"), "{text}");
    assert!(text.contains("-- invariant n <= 2  is true\n"), "{text}");
    assert!(text.contains("-- the result of MIN [ n = 0 , n = 2 ] is 2\n"), "{text}");
    let trace = text.split("-- invariant n < 2  is false\n").nth(1).unwrap().split("-- invariant").next().unwrap();
    shows(
        trace,
        &expect![[r#"
            -- as demonstrated by the following execution sequence
            Trace Description: AG alpha Counterexample 
            Trace Type: Counterexample 
              -> State: 3.1 <-
                n = 0
                idle = FALSE
                other = FALSE
              -> State: 3.2 <-
                n = 1
              -> State: 3.3 <-
                n = 2
        "#]],
    );
    assert!(text.contains("  -- Loop starts here\n"), "{text}");
}

#[test]
fn the_layout_of_nusmv_for_linear_time_and_processes() {
    let folder = Folder::new("nusmv-processes");
    let model = "MODULE main\nVAR x : boolean; one : process cell(x); two : process cell(x);\nASSIGN init(x) := FALSE;\n\
        LTLSPEC (G F x) -> F x\nLTLSPEC !(G x)\nLTLSPEC G !x\nLTLSPEC x U x\n\
        CTLSPEC AG (!x -> A [ !x U x ])\n\
        MODULE cell(x)\nASSIGN next(x) := TRUE;\nFAIRNESS running\n";
    folder.file("p.smv", model);
    let text = folder.expect(&["check", "p.smv", "--nusmv-output", "--no-save"], 1);
    for line in [
        "-- specification ( G ( F x) ->  F x)  is true\n",
        "-- specification !( G x)  is true\n",
        "-- specification  G !x  is false\n",
        "-- specification (x U x)  is false\n",
        "-- specification AG (!x -> A [ !x U x ] )  is true\n",
    ] {
        assert!(text.contains(line), "no {line} in {text}");
    }
    let inputs = text.split("-- specification  G !x  is false").nth(1).unwrap().split("-> Input: 1.2 <-\n").nth(1);
    let block = inputs.unwrap().split("  ->").next().unwrap();
    let lines: Vec<&str> = block.lines().map(str::trim).collect();
    let moving = lines[0].strip_prefix("_process_selector_ = ").unwrap();
    let is = |name: &str| if moving == name { "TRUE" } else { "FALSE" };
    let expected = [
        format!("running = {}", is("main")),
        format!("two.running = {}", is("two")),
        format!("one.running = {}", is("one")),
    ];
    assert_eq!(lines[1..4], expected, "{text}");
}

#[test]
fn a_cone_of_influence_is_told() {
    let folder = Folder::new("cone");
    let model = "MODULE main\nVAR uptime : 0..9; door : {shut, opening, open};\nASSIGN\n  init(uptime) := 0;\n  \
        init(door) := shut;\n  next(uptime) := uptime < 9 ? uptime + 1 : 9;\n  \
        next(door) := case door = shut : opening; TRUE : open; esac;\nINVARSPEC NAME never_open := door != open\n";
    folder.file("door.smv", model);
    let run = folder.lariat(&["check", "door.smv", "--coi", "--no-save"], "");
    let warning = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        warning.contains("never_open is checked without variables on which it does not depend: uptime"),
        "{warning}"
    );
    shows(
        &String::from_utf8_lossy(&run.stdout),
        &expect![[r#"
            never_open  violated: door != open is false
              at door.smv:8:30
              of the part of the model that it depends on: without uptime
              2 steps; no trace of that part is shorter
              3 of 3 values matter; no single value can be dropped
             state  values
                 0  door = shut
                 1  door = opening
                 2  door = open

            deadlock    holds: every reachable state has a successor
            fairness    holds: some path from an initial state is fair and infinite
            1 of 3 properties is violated: never_open
        "#]],
    );
    for arguments in [&["--coi", "--diameter"][..], &["--nusmv-output", "--format", "json"], &["--search", "bfs"]] {
        folder.expect(&[&["check", "door.smv", "--no-save"], arguments].concat(), 3);
    }
}

#[test]
fn what_a_saved_trace_says_is_found_out_again() {
    let folder = Folder::new("sayings");
    let model = "MODULE main\nVAR uptime : 0..9; door : {shut, opening, open};\nASSIGN\n  init(uptime) := 0;\n  \
        init(door) := shut;\n  next(uptime) := uptime < 9 ? uptime + 1 : 9;\n  \
        next(door) := case door = shut : opening; TRUE : open; esac;\nINVARSPEC NAME never_open := door != open\n";
    folder.file("door.smv", model);
    folder.expect(&["check", "door.smv", "--trace", "whole.json"], 1);
    let answer = folder.json(&["validate", "door.smv", "whole.json", "--format", "json"], 0);
    assert_eq!((&answer["relevant"], &answer["minimal"]), (&"verified".into(), &"verified".into()), "{answer}");
    folder.expect(&["check", "door.smv", "--trace", "cone.json", "--coi"], 1);
    let answer = folder.json(&["validate", "door.smv", "cone.json", "--format", "json"], 0);
    assert_eq!((&answer["left_out"], &answer["whole_model"]), (&1.into(), &true.into()), "{answer}");
    assert_eq!((&answer["relevant"], &answer["minimal"]), (&"not-checked".into(), &"not-checked".into()), "{answer}");
    // Only the door at the end is said to matter: from another door no step need lead there.
    let text = folder.read("whole.json").replacen("\"relevant\":[\"door\"]", "\"relevant\":[]", 2);
    folder.file("forged.json", &text);
    let text = folder.expect(&["validate", "door.smv", "forged.json"], 1);
    assert!(text.contains("the values that the trace marks as relevant do not suffice"), "{text}");
}

#[test]
fn definitions_of_the_property_are_shown() {
    let folder = Folder::new("definitions");
    let model = "MODULE main\nVAR n : 0..3; m : 0..3;\nIVAR i : boolean;\nDEFINE total := n + m; go := i & total > 1; other := n - m;\n\
        ASSIGN\n  init(n) := 0; init(m) := 0;\n  next(n) := i & n < 3 ? n + 1 : n; next(m) := n;\n\
        INVARSPEC NAME small := total < 2\nLTLSPEC NAME stays := G !go\n";
    folder.file("sum.smv", model);
    let text = folder.expect(&["check", "sum.smv", "--no-save", "--strip", "off"], 1);
    shows(
        &text,
        &expect![[r#"
            small     violated: total < 2 is false
              at sum.smv:8:25
              2 steps; no trace is shorter
             state  values
                 0  n = 0  m = 0  total := 0
                    by i = TRUE
                 1  n = 1  total := 1
                    by i = FALSE
                 2  m = 1  total := 2

            stays     violated: G !go is false
              at sum.smv:9:23
              a loop after a stem, 5 steps; no trace is shorter
             state  values
                 0  n = 0  m = 0
                    by i = TRUE, go := FALSE
                 1  n = 1
                    by i = FALSE, go := FALSE
                 2  m = 1
                    by i = TRUE, go := TRUE
                 3  n = 2
                    by i = FALSE, go := FALSE
                    -- the loop starts here
                 4  m = 2
                    -- and back to state 4 by i = FALSE, go := FALSE

            deadlock  holds: every reachable state has a successor
            fairness  holds: some path from an initial state is fair and infinite
            2 of 4 properties are violated: small, stays
        "#]],
    );
}

#[test]
fn what_is_asked_of_every_model_is_told_by_what_was_found() {
    let folder = Folder::new("told");
    folder.file("stuck.smv", &format!("{STUCK}COMPUTE MIN [x = 0, x = 1]\nCOMPUTE MAX [x = 0, x = 0]\nCOMPUTE MIN [x = 1, x = 0]\nSPEC EF (A [x = 0 U x = 1])\n"));
    let text = folder.expect(&["check", "stuck.smv", "--no-save"], 1);
    let summary: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("ctlspec-1")).collect();
    shows(
        &summary.join("\n"),
        &expect![[r#"
            ctlspec-1  holds vacuously: AG x < 3 (no path from an initial state is fair and infinite)
            compute-2  infinitely many steps: MIN [ x = 0 , x = 1 ]
            compute-3  infinitely many steps: MAX [ x = 0 , x = 0 ]
            compute-4  infinitely many steps: MIN [ x = 1 , x = 0 ]
            ctlspec-5  holds vacuously: EF A [ x = 0 U x = 1 ] (no path from an initial state is fair and infinite)
            deadlock   violated: a state without a successor is reached
              2 steps; no trace is shorter
              3 of 3 values matter; no single value can be dropped
             state  values
                 0  x = 0
                 1  x = 1
                 2  x = 2

            fairness   violated: no path from an initial state is fair and infinite
            2 of 7 properties are violated: deadlock, fairness
        "#]],
    );
    folder.file("empty.smv", "MODULE main\nVAR x : boolean;\nINIT x & !x\n");
    let report = folder.json(&["check", "empty.smv", "--diameter", "--format", "json"], 1);
    let statistics = &report["statistics"];
    assert_eq!((&statistics["diameter"], &statistics["states"]), (&0.into(), &0.into()));
}

#[test]
fn deadlocks_and_missing_fair_paths_are_part_of_the_verdict() {
    let folder = Folder::new("stuck");
    folder.file("stuck.smv", STUCK);
    let report = folder.json(&["check", "stuck.smv", "--format", "json"], 1);
    assert_eq!(property(&report, "deadlock")["verdict"], "violated");
    assert_eq!(property(&report, "deadlock")["counterexample"]["length"], 2);
    assert_eq!(property(&report, "fairness")["verdict"], "violated");
    let spec = property(&report, "ctlspec-1");
    assert_eq!((&spec["verdict"], &spec["vacuous"]), (&"holds".into(), &true.into()));
    assert!(folder.expect(&["validate", "stuck.smv", "stuck.smv.trace.json"], 0).starts_with("valid: 2 steps"));
    folder.file("unfair.smv", "MODULE main\nVAR x : boolean;\nFAIRNESS x & !x\nSPEC AG x\n");
    let report = folder.json(&["check", "unfair.smv", "--format", "json"], 1);
    assert_eq!(property(&report, "fairness")["verdict"], "violated");
    folder.file("counter.smv", COUNTER);
    assert!(folder.expect(&["check", "counter.smv", "--no-save"], 1).contains("  2 steps: MIN [ n = 0 , n = 2 ]\n"));
    let text = folder.expect(&["check", "stuck.smv", "--allow-deadlock", "--no-save"], 1);
    assert!(!text.contains("deadlock "), "{text}");
}

#[test]
fn saved_traces_are_validated_and_replayed_and_tampering_is_noticed() {
    let folder = Folder::new("traces");
    folder.file("counter.smv", COUNTER);
    folder.expect(&["check", "counter.smv"], 1);
    for name in ["counter.smv.trace.json", "counter.smv.2.trace.json", "counter.smv.3.trace.json"] {
        let answer = folder.json(&["validate", "counter.smv", name, "--format", "json"], 0);
        assert_eq!((&answer["valid"], &answer["complete"]), (&true.into(), &true.into()), "{name}");
        assert!(folder.expect(&["replay", "counter.smv", name], 0).contains("is false"));
    }
    let saved = folder.read("counter.smv.3.trace.json");
    for (from, to, wrong) in [
        (r#"{"name":"n","value":2}"#, r#"{"name":"n","value":0}"#, "no transition of the model leads there"),
        (r#"{"name":"n","value":2}"#, r#"{"name":"n","value":7}"#, "`7` is not a value of `n`"),
        (r#"{"name":"n","value":2},"#, "", "`n` is marked as relevant, but has no value"),
        (r#"{"name":"n","value":0}"#, r#"{"name":"n","value":1}"#, "the first state is not an initial state"),
        (r#""property":"small""#, r#""property":"large""#, "the model has no property `large`"),
        (r#""kind":"invariant""#, r#""kind":"ltl""#, "`small` is of the kind `invariant`, not `ltl`"),
        (r#" is false""#, r#" is a lie""#, "what is shown is"),
    ] {
        assert!(saved.contains(from), "{saved}");
        folder.file("tampered.json", &saved.replacen(from, to, 1));
        let text = folder.expect(&["validate", "counter.smv", "tampered.json"], 1);
        assert!(text.contains(wrong), "{text}");
    }
    let walked = folder.lariat(&["replay", "counter.smv", "counter.smv.3.trace.json", "-i"], "n 2\nu\nv\nq\n");
    assert!(String::from_utf8_lossy(&walked.stdout).contains("n = 2"), "{walked:?}");
}

#[test]
fn simulation_repeats_itself_and_can_be_steered() {
    let folder = Folder::new("simulate");
    folder.file("counter.smv", COUNTER);
    let run = ["simulate", "counter.smv", "--seed", "7", "--steps", "5"];
    let first = folder.expect(&run, 0);
    assert_eq!(first, folder.expect(&run, 0));
    assert_eq!(first.lines().count(), 7, "{first}");
    folder.file("stuck.smv", STUCK);
    assert!(folder.expect(&["simulate", "stuck.smv"], 1).contains("deadlock after 2 steps"));
    let output = folder.lariat(&["simulate", "stuck.smv", "-i"], "1\n\nr 5\nu 2\nv\n?\nwhat\nq\n");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for expected in
        ["initial states:", "after step 2: deadlock", "(the trace has 2 more)", "`what` is neither an offered step"]
    {
        assert!(text.contains(expected), "no `{expected}` in {text}");
    }
}

#[test]
fn every_input_of_a_step_is_offered() {
    let folder = Folder::new("inputs");
    let model = "MODULE main\nIVAR tick : boolean; k : 0..30;\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := x = 3 ? 3 : x + 1;\n";
    folder.file("inputs.smv", model);
    let run = folder.expect(&["simulate", "inputs.smv", "--seed", "1", "--steps", "40"], 0);
    assert!(run.contains("[tick = FALSE]") && run.contains("[tick = TRUE]"), "{run}");
    let typed = "\nm\nm\nm\nm\ntick = TRUE\nk = 31\ny = 1\nx = 3\nk = 30\n1\nq\n";
    let output = folder.lariat(&["simulate", "inputs.smv", "-i"], typed);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for expected in [
        "and more; `m` shows more of them",
        "  62  [tick = TRUE], [k = 30], x = 1",
        "there are no more",
        "`31` is not a value of `k`",
        "there is no variable or input `y`",
        "no step has x = 3",
        ">    1  [tick = TRUE], [k = 30], x = 1\n",
    ] {
        assert!(text.contains(expected), "no `{expected}` in {text}");
    }
    // A trace that takes a step which only one process can take is offered again.
    let processes = "MODULE main\nVAR x : boolean; a : process p(x); b : process p(x);\nASSIGN init(x) := FALSE;\nINVARSPEC !x\n\
        MODULE p(x)\nVAR u : boolean;\nASSIGN init(u) := FALSE; next(x) := {x, !x}; next(u) := u;\n";
    folder.file("processes.smv", processes);
    folder.expect(&["check", "processes.smv"], 1);
    let output = folder.lariat(&["replay", "processes.smv", "processes.smv.trace.json", "-i"], "q\n");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for process in
        ["[_process_selector_ = a], x = TRUE", "[_process_selector_ = b], x = TRUE", "[_process_selector_ = main]"]
    {
        assert!(text.contains(process), "no `{process}` in {text}");
    }
}

#[test]
fn limits_end_in_unknown() {
    let folder = Folder::new("limits");
    // A product of two words has no small diagram under any order.
    let text = "MODULE main\nVAR a : word[14]; b : word[14]; c : word[14];\nASSIGN next(c) := a * b;\nSPEC AG EF c = 0ud14_9\n";
    folder.file("hard.smv", text);
    let report = folder.json(&["check", "hard.smv", "--memory-limit", "200k", "--format", "json"], 2);
    let spec = property(&report, "ctlspec-1");
    assert_eq!(spec["verdict"], "unknown");
    assert!(spec["reason"].as_str().unwrap().contains("memory"), "{spec}");
    let report = folder.json(&["check", "hard.smv", "--time-limit", "1ms", "--format", "json"], 2);
    assert!(property(&report, "ctlspec-1")["reason"].as_str().unwrap().contains("time"));
}

#[test]
fn orders_cones_and_efforts() {
    let folder = Folder::new("options");
    folder.file("counter.smv", COUNTER);
    folder.expect(&["check", "counter.smv", "--no-save", "--write-order", "order.txt"], 1);
    let order = folder.read("order.txt");
    assert_eq!(order.lines().count(), 4, "{order}");
    folder.expect(&["check", "counter.smv", "--no-save", "--order", "order.txt", "--reorder"], 1);
    // What cannot be written is an error, but does not hide a violation.
    folder.file("fine.smv", "MODULE main\nVAR x : boolean;\nSPEC EF x\n");
    folder.expect(&["check", "fine.smv", "--write-order", "no/such/folder"], 3);
    folder.expect(&["check", "counter.smv", "--no-save", "--write-order", "no/such/folder"], 1);
    folder.file("wrong.txt", "n.7\n");
    folder.expect(&["check", "counter.smv", "--no-save", "--order", "wrong.txt"], 4);
    let report = folder.json(&["check", "counter.smv", "--coi", "--format", "json"], 1);
    for shown in report["properties"].as_array().unwrap().iter().filter_map(|one| one.get("counterexample")) {
        assert!(shown["left_out"].as_array().unwrap().contains(&"other".into()), "{shown}");
        assert!(["initial", "stem", "loop"].iter().all(|part| !shown[part].to_string().contains("other")), "{shown}");
    }
    folder.expect(&["validate", "counter.smv", "counter.smv.trace.json"], 0);
    let values = |effort: &str| {
        let report = folder.json(&["check", "counter.smv", "--strip", effort, "--format", "json", "--no-save"], 1);
        property(&report, "small")["counterexample"]["minimised"]["values_after"].as_u64()
    };
    assert_eq!(values("off"), None);
    assert!(values("paper") >= values("irredundant") && values("irredundant") >= values("exact"));
}

#[test]
fn wrong_usage_and_wrong_models() {
    let folder = Folder::new("wrong");
    folder.file("counter.smv", COUNTER);
    folder.expect(&["check", "counter.smv", "--max-depth", "3"], 3);
    folder.expect(&["check", "counter.smv", "-DX"], 3);
    folder.expect(&["check", "counter.smv", "--property", "nothing"], 3);
    folder.file("model.pml", "active proctype p() { skip }\n");
    folder.expect(&["check", "model.pml", "--coi"], 3);
    let refused = folder.lariat(&["check", "counter.smv", "--safety"], "");
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(text.contains("`--safety` is for Promela models") && text.contains("--property"), "{text}");
    folder.file("typo.smv", "MODULE main\nVAR count : 0..3;\nASSIGN next(cuont) := 0;\nSPEC AG count < 4;\n");
    let report = folder.json(&["check", "typo.smv", "--format", "json"], 4);
    assert!(report["diagnostics"][0]["code"].as_str().unwrap().starts_with('S'), "{report}");
    let output = folder.lariat(&["check", "-", "--language", "smv"], "MODULE main\nVAR x : boolean;\nSPEC EF x\n");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = folder.lariat(&["check", "-"], "-- a model\nMODULE main\nVAR x : boolean;\nSPEC EF x\n");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), text.as_str()),
        (Some(4), "error: the model reads like SMV: add `--language smv`\n")
    );
    folder.file("promela.smv", "byte x;\nactive proctype p() { x = 1 }\n");
    let output = folder.lariat(&["check", "promela.smv"], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("add `--language promela`"), "{output:?}");
    let sarif = folder.expect(&["check", "counter.smv", "--no-save", "--property", "small", "--format", "sarif"], 1);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let flow = &sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let texts: Vec<&str> =
        flow.as_array().unwrap().iter().map(|one| one["location"]["message"]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["state 0: n = 0, idle = FALSE, other = FALSE", "state 1: n = 1", "state 2: n = 2"]);
    for format in ["sarif", "junit"] {
        let text = folder.expect(&["check", "counter.smv", "--no-save", "--format", format], 1);
        assert!(text.contains("n &lt; 2 is false") || text.contains("n < 2 is false"), "{text}");
    }
}

#[test]
fn simulation_of_wide_words_begins_at_once_and_reports_a_search_that_a_limit_ends() {
    let folder = Folder::new("wide");
    folder.file("wide.smv", "MODULE main\nVAR w : word[32]; v : word[32];\nASSIGN next(w) := w * v + 0ud32_7;\n");
    let run = folder.expect(&["simulate", "wide.smv", "--seed", "1", "--steps", "3"], 0);
    assert!(run.ends_with("stopped after 3 steps\n"), "{run}");
    let typed = "r 2\nv = 0ud32_4000000000\n1\nq\n";
    let output = folder.lariat(&["simulate", "wide.smv", "-i", "--seed", "1"], typed);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("v = 0ud32_4000000000"), "{text}");
    // No assignment gives a value of either variable: the values are tried, and no combination is right.
    let hard = "MODULE main\nVAR a : word[32]; b : word[32];\nINIT a * b = 0ud32_7 & b[0:0] = 0ud1_0\n";
    folder.file("hard.smv", hard);
    // On a busy machine, reading the model may take longer than a short limit.
    let simulated = |limit: &str| {
        let output = folder.lariat(&["simulate", "hard.smv", "--seed", "1", "--time-limit", limit], "");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        message
    };
    let mut messages = ["100ms", "1s", "10s", "100s"].into_iter().map(simulated);
    let message = messages.find(|message| !message.contains("while the model was read")).expect("it is read");
    assert!(message.contains("the time limit was reached: no initial state was found"), "{message}");
    assert!(message.contains("solved by trying values"), "{message}");
}

#[test]
fn nusmv_lists_the_properties_of_instances_first_and_every_branch_is_shown() {
    let folder = Folder::new("nusmv-order");
    let text = "MODULE main\nSPEC AG TRUE\nLTLSPEC G TRUE\nVAR a : pair; b : cell;\nINVARSPEC TRUE\n\
        MODULE pair\nSPEC AG !FALSE\nVAR x : cell; y : cell;\nMODULE cell\nVAR z : boolean;\nSPEC AG (z | !z)\n";
    folder.file("order.smv", text);
    let printed = folder.expect(&["check", "order.smv", "--nusmv-output", "--no-save"], 0);
    let ends: Vec<&str> = printed
        .lines()
        .map(|line| line.split(" IN ").nth(1).unwrap_or("main").split_whitespace().next().unwrap())
        .collect();
    assert_eq!(ends, ["a.x", "a.y", "a", "b", "main", "main", "main"], "{printed}");
    let tree = "MODULE main\nVAR y : boolean; z : boolean; w : boolean;\nASSIGN init(y) := FALSE; init(z) := FALSE;\n\
        next(y) := w; next(z) := !w;\nSPEC AG !y | AG !z\n";
    folder.file("tree.smv", tree);
    let printed = folder.expect(&["check", "tree.smv", "--nusmv-output", "--no-save"], 1);
    for expected in
        ["  -> State: 1.2 <-", "which begins in state 1.1", "  -> State: 2.2 <-", "    y = TRUE", "    z = TRUE"]
    {
        assert!(printed.contains(expected), "no `{expected}` in {printed}");
    }
}

#[test]
fn numbers_and_truth_values_are_json_numbers_and_booleans_and_old_trace_files_are_read() {
    let folder = Folder::new("values");
    let text = "MODULE main\nVAR n : -1..2; b : boolean; s : {idle, 7}; w : word[4];\nIVAR i : boolean;\n\
        ASSIGN init(n) := -1; init(b) := FALSE; init(s) := 7; init(w) := 0ud4_3; next(b) := i;\nINVARSPEC !b\n";
    folder.file("m.smv", text);
    let report = folder.json(&["check", "m.smv", "--format", "json"], 1);
    let shown = &property(&report, "invarspec-1")["counterexample"];
    let value = |name: &str| {
        let values = shown["initial"]["values"].as_array().unwrap();
        values.iter().find(|one| one["name"] == name).unwrap()["value"].clone()
    };
    let values = [value("n"), value("b"), value("s"), value("w")];
    assert_eq!(Value::from(values.to_vec()), serde_json::json!([-1, false, 7, "0ud4_3"]));
    assert_eq!(shown["stem"][0]["inputs"]["values"][0]["value"], true);
    assert_eq!(folder.expect(&["replay", "m.smv", "m.smv.trace.json"], 0).matches("n = -1").count(), 1);
    // A file of version 2, in which all values are strings, with its hash.
    let old: String = folder.read("m.smv.trace.json").lines().filter(|line| !line.contains("\"sha256\": \"")).fold(
        String::new(),
        |text, line| {
            let line = line.replacen("\"schema\": 3,", "\"schema\": 2,", 1);
            let line = line.replace(":true", ":\"TRUE\"").replace(":false", ":\"FALSE\"");
            text + &line.replace("\"value\":7", "\"value\":\"7\"").replace("\"value\":-1", "\"value\":\"-1\"") + "\n"
        },
    );
    let old = old.trim_end_matches("}\n");
    use sha2::Digest;
    let digest: String = sha2::Sha256::digest(old.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    folder.file("old.json", &format!("{old}\"sha256\": \"{digest}\"\n}}\n"));
    assert!(folder.expect(&["validate", "m.smv", "old.json"], 0).starts_with("valid"));
    let again = folder.json(&["replay", "m.smv", "old.json", "--format", "json"], 0);
    assert_eq!(again["initial"]["values"][0]["value"], -1);
}

#[cfg(unix)]
#[test]
fn an_interrupted_simulation_reports_its_steps() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let folder = Folder::new("interrupted");
    folder.file("m.smv", "MODULE main\nVAR x : boolean;\nASSIGN next(x) := !x;\n");
    folder.file("m.pml", "byte x; active proctype P() { do :: x = 1 - x od }\n");
    for model in ["m.smv", "m.pml"] {
        let show: &[&str] = if model == "m.pml" { &["-p"] } else { &[] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["simulate", model, "--seed", "1", "--steps", "1000000000000"])
            .args(show)
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lariat starts");
        // Once there is output, the simulation runs.
        child.stdout.as_mut().expect("a pipe").read_exact(&mut [0; 64]).expect("steps");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
        let output = child.wait_with_output().expect("lariat ends");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("interrupted") && !message.contains("search"), "{message}");
    }
}
