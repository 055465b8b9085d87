//! Temporal properties through the real binary: verdicts, lassos, traces that are checked again, and tampering.

mod common;

use common::Folder;
use serde_json::Value;

/// A counter that goes round, and a bit that can toggle forever.
const ROUND: &str = "byte x; bool b;
ltl below { [] (x < 3) }
ltl returns { [] (x == 1 -> <> (x == 0)) }
ltl five { <> (x == 5) }
ltl idle { [] (x == 9 -> <> b) }
ltl small { [] (x <= 4) }
active proctype P() { do :: x < 4 -> x++ :: x == 4 -> x = 0 :: b = !b od }";

#[track_caller]
fn report(folder: &Folder, arguments: &[&str], code: i32) -> Value {
    let arguments: Vec<&str> = ["check", "--format", "json"].iter().chain(arguments).copied().collect();
    serde_json::from_str(&folder.expect(&arguments, code)).expect("JSON on standard output")
}

#[track_caller]
fn property<'a>(report: &'a Value, name: &str) -> &'a Value {
    let properties = report["properties"].as_array().expect("a list");
    properties.iter().find(|property| property["name"] == name).unwrap_or_else(|| panic!("no `{name}` in {report}"))
}

/// A name, and what is changed in a trace.
type Change = (&'static str, fn(&mut Value));

fn length(steps: &Value) -> usize {
    steps.as_array().expect("a list of steps").len()
}

#[test]
fn all_blocks_are_checked_in_one_run() {
    let folder = Folder::new("blocks");
    let model = folder.file("m.pml", ROUND).display().to_string();
    let report = report(&folder, &[&model], 1);
    let verdicts: Vec<&str> = ["below", "returns", "five", "idle", "small"]
        .map(|name| property(&report, name)["verdict"].as_str().expect("a word"))
        .into();
    assert_eq!(verdicts, ["violated", "violated", "violated", "holds", "holds"]);
    assert_eq!(property(&report, "idle")["vacuous"], true);
    assert!(property(&report, "small").get("vacuous").is_none());
    for (name, stem, cycle, among) in
        [("below", 6, 0, "formula-prefix"), ("returns", 2, 2, "formula"), ("five", 0, 2, "formula")]
    {
        let property = property(&report, name);
        assert_eq!(property["kind"], "ltl");
        let counterexample = &property["counterexample"];
        assert_eq!((length(&counterexample["stem"]), length(&counterexample["loop"])), (stem, cycle), "{name}");
        assert_eq!(counterexample["length"], stem + cycle);
        assert_eq!(counterexample["validated"], true);
        assert_eq!((&counterexample["minimal"], &counterexample["minimal_among"]), (&true.into(), &among.into()));
        assert!(property["states"].as_u64() > Some(1) && property["engine"]["strength"].is_string(), "{property}");
    }
    for number in ["", ".2", ".3"] {
        folder.expect(&["validate", &model, &format!("m.pml{number}.trace.json")], 0);
        folder.expect(&["replay", &model, &format!("m.pml{number}.trace.json")], 0);
    }
}

#[test]
fn the_shortest_lasso_of_the_formula_can_be_shorter_than_that_of_an_automaton() {
    let folder = Folder::new("formula");
    let model = folder.file("m.pml", ROUND).display().to_string();
    let report = report(&folder, &["--ltl", "returns", "--shortest=formula", &model], 1);
    let counterexample = &property(&report, "returns")["counterexample"];
    assert_eq!((&counterexample["length"], &counterexample["minimal"]), (&4.into(), &true.into()));
    assert_eq!(counterexample["minimal_among"], "formula");
}

#[test]
fn runs_that_end_are_extended_by_their_last_state() {
    let folder = Folder::new("ends");
    let model = "byte x; ltl later { <> (x == 2) } ltl stays { <> [] (x == 1) } active proctype P() { x = 1 }";
    let model = folder.file("m.pml", model).display().to_string();
    let report = report(&folder, &[&model], 1);
    assert_eq!(property(&report, "stays")["verdict"], "holds");
    let counterexample = &property(&report, "later")["counterexample"];
    assert_eq!(counterexample["loop"][0]["does"], "stutter");
    assert_eq!(counterexample["length"], 3);
    folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
    assert!(folder.expect(&["replay", &model, "m.pml.trace.json"], 0).contains("no process can move"));
}

#[test]
fn formulas_claims_and_automata_beside_the_model_say_the_same() {
    let folder = Folder::new("beside");
    let model = folder.file("m.pml", ROUND).display().to_string();
    folder.file("formulas", "# two of them\n[] (x < 3)\n\n<> (x == 5)\n");
    folder.file("claim", "never { T: do :: x >= 3 -> break :: true od }");
    folder.file("asserting", "never { do :: atomic { !(x < 3) -> assert(x < 3) } :: true od }");
    let hoa = "HOA: v1 States: 2 Start: 0 AP: 1 \"x == 5\" acc-name: Buchi Acceptance: 1 Inf(0)
        --BODY-- State: 0 [!0] 0 [!0] 1 State: 1 {0} [!0] 1 --END--";
    folder.file("five.hoa", hoa);
    let cases: [(&[&str], &str, u64); 6] = [
        (&["--ltl", "[] (x < 3)"], "ltl", 6),
        (&["--ltl", "!<> (x >= 3)"], "ltl", 6),
        (&["--ltl-file", "formulas"], "ltl", 6),
        (&["--never", "claim"], "never", 6),
        (&["--never", "asserting"], "never", 6),
        (&["--automaton", "five.hoa"], "never", 2),
    ];
    for (options, kind, steps) in cases {
        let arguments: Vec<&str> = options.iter().copied().chain([model.as_str()]).collect();
        let report = report(&folder, &arguments, 1);
        let first = &report["properties"][0];
        assert_eq!((&first["kind"], &first["verdict"]), (&kind.into(), &"violated".into()), "{options:?}");
        let length = first["counterexample"]["length"].as_u64();
        assert!(length == Some(steps) || kind == "never" && length == Some(steps + 1), "{options:?}: {length:?}");
        folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
    }
    for wrong in ["[] (y < 3)", "[] ("] {
        let output = folder.lariat(&["check", "--ltl", wrong, &model], "");
        assert_eq!(output.status.code(), Some(4), "{wrong}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("the formula is not accepted"));
    }
    folder.expect(&["check", "--never", "missing", &model], 3);
    folder.expect(&["check", "--never", "formulas", &model], 4);
}

#[test]
fn labels_are_properties() {
    let folder = Folder::new("labels");
    let text = "bool b; active proctype P() { do :: b -> accept: b = 0 :: !b -> progress: b = 1 od }
        active proctype Q() { end: b == 2 }";
    let model = folder.file("m.pml", text).display().to_string();
    let both = report(&folder, &[&model], 1);
    assert_eq!(property(&both, "acceptance cycles")["verdict"], "violated");
    assert_eq!(property(&both, "non-progress cycles")["verdict"], "holds");
    let only = report(&folder, &["--non-progress", &model], 0);
    assert_eq!(only["properties"].as_array().map(Vec::len), Some(1));
    let stuck = folder.file("n.pml", "bool b; active proctype P() { do :: b = !b od }").display().to_string();
    let report = report(&folder, &["--non-progress", &stuck], 1);
    assert_eq!(property(&report, "non-progress cycles")["counterexample"]["length"], 2);
    folder.expect(&["validate", &stuck, "n.pml.trace.json"], 0);
}

#[test]
fn a_run_that_ends_may_accept_but_is_no_cycle_without_progress() {
    let folder = Folder::new("endcycle");
    let text = "byte x; active proctype P() { progress: x = 1; accept: end: x == 2 }";
    let model = folder.file("m.pml", text).display().to_string();
    let report = report(&folder, &[&model], 1);
    assert_eq!(property(&report, "acceptance cycles")["counterexample"]["loop"][0]["does"], "stutter");
    assert_eq!(property(&report, "non-progress cycles")["verdict"], "holds");
}

#[test]
fn claims_go_on_where_nothing_moves() {
    let folder = Folder::new("claimend");
    let text = "byte x = 3; active proctype P() { x = 1 } never { x == 3; x == 1; x == 1; x == 1; x == 1 }";
    let model = folder.file("m.pml", text).display().to_string();
    let report = report(&folder, &[&model], 1);
    assert_eq!(property(&report, "never_0")["counterexample"]["loop"][0]["does"], "stutter");
    folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
}

#[test]
fn fairness_rules_out_runs_that_leave_a_process_behind() {
    let folder = Folder::new("fair");
    let text = "bool b, done; chan c = [0] of { bit };
        active proctype P() { do :: b = !b od }
        active proctype Q() { c!1 }
        active proctype R() { c?1; done = 1 }
        ltl served { <> done }
        ltl never_b { [] !b }";
    let model = folder.file("m.pml", text).display().to_string();
    let unfair = report(&folder, &["--ltl", "served", &model], 1);
    assert_eq!(property(&unfair, "served")["counterexample"]["length"], 2);
    let fair = report(&folder, &["--ltl", "served", "--fair", "weak", &model], 0);
    assert_eq!(property(&fair, "served")["engine"]["fair"], "weak");
    let fair = report(&folder, &["--ltl", "never_b", "--fair", "weak", &model], 1);
    assert_eq!(property(&fair, "never_b")["counterexample"]["length"], 1);
    // A process that only waits is not left behind, and a run that ends is fair.
    let waits = "bool go, done; active proctype P() { do :: skip od } active proctype Q() { go; done = 1 }
        ltl served { <> done }";
    let waits = folder.file("w.pml", waits).display().to_string();
    let report = report(&folder, &["--ltl", "served", "--fair", "weak", &waits], 1);
    assert_eq!(property(&report, "served")["counterexample"]["validated"], true);
    folder.expect(&["validate", &waits, "w.pml.trace.json"], 0);
}

#[test]
fn every_search_finds_the_violation() {
    let folder = Folder::new("searches");
    let model = folder.file("m.pml", ROUND).display().to_string();
    for search in ["spin", "gmz", "se", "scc"] {
        for more in ["--first", "--shortest"] {
            let report = report(&folder, &["--ltl", "returns", "--emptiness", search, more, &model], 1);
            let found = property(&report, "returns");
            assert!(found["engine"]["search"].as_str().is_some_and(|words| words.starts_with(search)), "{found}");
            let minimal = &found["counterexample"]["minimal"];
            assert_eq!(*minimal, more == "--shortest", "{search} {more}: {found}");
            folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
        }
    }
    for (minimiser, is_exact) in [("bfs", true), ("dfs", true), ("spin-i", false), ("generalised", true)] {
        let report = report(&folder, &["--ltl", "returns", "--shorten-with", minimiser, &model], 1);
        assert_eq!(property(&report, "returns")["counterexample"]["minimal"], is_exact, "{minimiser}");
    }
    let bounded = report(&folder, &["--ltl", "returns", "--max-length", "5", &model], 1);
    assert_eq!(property(&bounded, "returns")["counterexample"]["length"], 5);
    let reason =
        property(&report(&folder, &["--ltl", "returns", "--max-length", "4", &model], 2), "returns")["reason"].clone();
    assert!(reason.as_str().is_some_and(|reason| reason.contains("at most 4 steps")), "{reason}");
}

#[test]
fn lossy_stores_find_violations_and_prove_nothing() {
    let folder = Folder::new("stores");
    let model = folder.file("m.pml", ROUND).display().to_string();
    for store in ["hash-compact", "bitstate"] {
        let found = report(&folder, &["--ltl", "returns", "--store", store, &model], 1);
        let property = property(&found, "returns");
        assert_eq!(
            (&property["engine"]["store"], &property["counterexample"]["validated"]),
            (&store.into(), &true.into())
        );
        folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
        let open = report(&folder, &["--ltl", "small", "--store", store, &model], 2);
        let property = &open["properties"][0];
        assert_eq!(property["verdict"], "unknown");
        assert!(property["missed_probability"].as_f64().is_some_and(|missed| missed < 0.01), "{property}");
    }
}

#[test]
fn lossy_stores_are_for_safety_too() {
    let folder = Folder::new("lossy-safety");
    let text = "byte x; active proctype P() { do :: x < 100 -> x++ :: x == 100 -> x = 0 od }";
    let good = folder.file("good.pml", text).display().to_string();
    let bad = folder.file("bad.pml", &text.replace("x = 0", "assert(false)")).display().to_string();
    let usual = report(&folder, &["--reduce", "off", "--safety", &good], 0);
    for how in [
        &["--store", "hash-compact"][..],
        &["--store", "hash-compact", "--store-bits", "40", "--search", "bfs"],
        &["--store", "bitstate", "--store-bits", "24", "--store-hashes", "4"],
        &["--store", "bitstate", "--search", "bfs"],
    ] {
        let open = report(&folder, &[how, &["--reduce", "off", "--safety", good.as_str()]].concat(), 2);
        for (property, exact) in open["properties"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(usual["properties"].as_array().into_iter().flatten())
        {
            assert_eq!(
                (&property["verdict"], &property["states"]),
                (&"unknown".into(), &exact["states"]),
                "{property}"
            );
            assert!(property["missed_probability"].as_f64().is_some_and(|missed| missed < 0.01), "{property}");
        }
        let found = report(&folder, &[how, &["--safety", "--first", bad.as_str()]].concat(), 1);
        let violated = &found["properties"][0]["counterexample"];
        assert_eq!((&violated["validated"], &violated["minimal"]), (&true.into(), &false.into()), "{found}");
    }
    folder.expect(&["check", "--store-bits", "20", &good], 3);
    folder.expect(&["check", "--store", "hash-compact", "--store-hashes", "2", &good], 3);
    folder.expect(&["check", "--store", "bitstate", "--store-bits", "64", &good], 3);
}

#[test]
fn tampering_with_a_trace_is_noticed() {
    let folder = Folder::new("tamper");
    let model = folder.file("m.pml", ROUND).display().to_string();
    folder.expect(&["check", "--ltl", "returns", &model], 1);
    let path = "m.pml.trace.json";
    let text = folder.read(path);
    let good: Value = serde_json::from_str(&text).expect("a trace is JSON");
    folder.expect(&["validate", &model, path], 0);
    let changes: [Change; 9] = [
        ("minimal", |trace| trace["minimal"] = false.into()),
        ("message", |trace| trace["violation"]["message"] = "all is well".into()),
        ("property", |trace| trace["violation"]["property"] = "below".into()),
        ("formula", |trace| trace["violation"]["formula"] = "[]true".into()),
        ("kind", |trace| trace["violation"]["kind"] = "non-progress".into()),
        ("loop", |trace| trace["loop"].as_array_mut().expect("a list").truncate(1)),
        ("no loop", |trace| trace["loop"] = Value::Array(Vec::new())),
        ("changes", |trace| trace["loop"][0]["changes"][0]["after"] = 7.into()),
        ("defines", |trace| trace["model"]["defines"] = serde_json::json!(["N=3"])),
    ];
    for (what, change) in changes {
        let mut trace = good.clone();
        change(&mut trace);
        folder.file("tampered.json", &trace.to_string());
        let answer: Value =
            serde_json::from_str(&folder.expect(&["validate", "--format", "json", &model, "tampered.json"], 1))
                .expect("JSON");
        assert_eq!(answer["valid"], false, "{what}");
    }
    // Another order of the keys changes nothing that is said.
    folder.file("same.json", &good.to_string());
    folder.expect(&["validate", &model, "same.json"], 0);
    // A loop has no place after a violation of safety.
    let failing = folder.file("f.pml", "byte x; active proctype P() { x = 1; assert(x == 0) }").display().to_string();
    folder.expect(&["check", &failing], 1);
    let mut trace: Value = serde_json::from_str(&folder.read("f.pml.trace.json")).expect("JSON");
    trace["loop"] = trace["stem"].clone();
    folder.file("tampered.json", &trace.to_string());
    folder.expect(&["validate", &failing, "tampered.json"], 1);
    // A model that changed is told, and the rest is still checked.
    folder.file("m.pml", &ROUND.replace("x == 4 -> x = 0", "x == 4 -> x = 1"));
    let output = folder.lariat(&["validate", &model, path], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the model has changed"));
    assert_eq!(output.status.code(), Some(0), "the run is still one");
    folder.file("m.pml", &ROUND.replace("x == 1 -> <> (x == 0)", "x == 1 -> <> (x == 2)"));
    folder.expect(&["validate", &model, path], 1);
}

#[test]
fn a_run_time_error_leaves_other_properties_open() {
    let folder = Folder::new("broken");
    let text = "byte x; ltl safe { [] (x < 2) } ltl lost { [] (x != 1) }
        active proctype P() { x = 1; x = 1 / (x - 1); x = 5 }";
    let model = folder.file("m.pml", text).display().to_string();
    let report = report(&folder, &[&model], 1);
    assert_eq!(property(&report, "safe")["verdict"], "unknown");
    assert_eq!(property(&report, "assertions")["verdict"], "unknown");
    assert_eq!(property(&report, "lost")["counterexample"]["length"], 1);
    assert_eq!(report["complete"], false);
}

#[test]
fn vacuity_is_told_of_whole_properties_and_in_true_words() {
    let folder = Folder::new("vacuity");
    let model = folder.file("m.pml", ROUND).display().to_string();
    for (formula, reason) in [
        ("[] (x==90 -> <> (x==91))", Some("its premise `(x==90)` never happens")),
        ("(x==1) -> <> (x==91)", Some("its premise `(x==1)` is false wherever the formula refers to it")),
        ("[] (x==90 -> <> (x==91)) && [] (x<90)", None),
    ] {
        let report = report(&folder, &[&model, "--ltl", formula], 0);
        let property = &report["properties"][0];
        assert_eq!(property["verdict"], "holds", "{formula}");
        assert_eq!(property["reason"].as_str(), reason, "{formula}");
    }
}

#[test]
fn an_atom_that_fails_is_named() {
    let folder = Folder::new("failing-atom");
    let model = folder.file("m.pml", ROUND).display().to_string();
    let report = report(&folder, &[&model, "--ltl", "[] !(1/x == 5)"], 0);
    let warning = &report["properties"][0]["warnings"][0];
    assert_eq!(warning["kind"], "failing-atom");
    assert!(warning["message"].as_str().is_some_and(|text| text.contains("`1/x==5`")), "{warning}");
}

#[test]
fn lassos_that_are_not_shown_are_counted() {
    let folder = Folder::new("all-minimal");
    let text =
        "byte a, b;\nactive proctype P() { do :: a < 20 -> a++ :: b < 20 -> b++ :: skip od }\nltl p { <> false }\n";
    let model = folder.file("m.pml", text).display().to_string();
    let report = folder.json(&["check", "--ltl", "p", "--all-minimal", "--no-save", "--format", "json", &model], 1);
    // One through each of the 21 times 21 accepting states, a hundred of them shown.
    assert_eq!(property(&report, "p")["omitted_counterexamples"], 341, "{report}");
}

#[test]
fn a_prefix_that_facts_make_bad_does_not_hide_a_shorter_one() {
    let folder = Folder::new("fact-prefix");
    let text = "byte x; active proctype A() { do :: x < 100 -> x++ :: else -> x = 0 od }
ltl until { [] (x == 1 -> ((x == 1) U (x == 200))) } ltl next { X (x == 200) }";
    let model = folder.file("m.pml", text).display().to_string();
    for (name, expected) in [("until", 4), ("next", 1)] {
        for options in [&[][..], &["--shortest"], &["--refine", "off"]] {
            let arguments: Vec<&str> = ["--ltl", name].iter().chain(options).copied().chain([model.as_str()]).collect();
            let report = report(&folder, &arguments, 1);
            let counterexample = &property(&report, name)["counterexample"];
            assert_eq!(
                (&counterexample["length"], &counterexample["minimal"]),
                (&expected.into(), &true.into()),
                "{name}"
            );
        }
    }
    let all = report(&folder, &["--ltl", "until", "--all-minimal", "--no-save", &model], 1);
    let counterexample = &property(&all, "until")["counterexample"];
    assert_eq!((&counterexample["length"], &counterexample["minimal_among"]), (&4.into(), &"prefix".into()));
    let report = report(&folder, &["--ltl", "until", "--max-length", "3", &model], 2);
    assert!(property(&report, "until")["reason"].as_str().is_some_and(|why| why.contains("no prefix")), "{report}");
}

#[test]
fn states_of_the_model_accept_without_a_detour() {
    let folder = Folder::new("acceptance");
    for (text, expected) in [
        (
            "byte x; active proctype A() { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od unless { x == 3 -> accept: x = 4 } }
active proctype B() { do :: x = 3 :: x = 0 od }",
            3,
        ),
        (
            "chan c = [0] of { byte }; byte x; active proctype A() { do :: c!1; x = 1; accept1: x = 0 od }
active proctype B() { do :: c?1 :: x == 1 -> x = 0 :: x == 0 -> x = 1 od }",
            3,
        ),
        ("bool x; active proctype A() { accept: x = !x; goto accept }", 2),
    ] {
        let model = folder.file("m.pml", text).display().to_string();
        for options in [
            &[][..],
            &["--shortest"],
            &["--shorten-with", "dfs"],
            &["--emptiness", "scc"],
            &["--emptiness", "se"],
            &["--max-length", "3"],
            &["--all-minimal"],
        ] {
            let arguments: Vec<&str> = ["--acceptance"].iter().chain(options).copied().chain([model.as_str()]).collect();
            let report = report(&folder, &arguments, 1);
            let counterexample = &property(&report, "acceptance cycles")["counterexample"];
            assert_eq!((&counterexample["length"], &counterexample["minimal"]), (&expected.into(), &true.into()), "{options:?}: {text}");
        }
    }
}

#[test]
fn a_file_without_formulas_is_a_mistake() {
    let folder = Folder::new("no-formulas");
    let model = folder.file("m.pml", ROUND).display().to_string();
    let file = folder.file("empty.ltl", "\n# nothing\n").display().to_string();
    let output = folder.lariat(&["check", "--ltl-file", &file, &model], "");
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no formulas in"));
}

#[test]
fn automata_start_in_all_their_initial_states() {
    let folder = Folder::new("starts");
    let model = folder.file("m.pml", "byte x; active proctype A() { do :: x = 0 od }").display().to_string();
    let states = "AP: 1 \"x == 1\" Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [!0] 0 State: 1 {0} [0] 1 --END--";
    for starts in ["Start: 0", "Start: 0 Start: 1"] {
        let file = folder.file("a.hoa", &format!("HOA: v1 States: 2 {starts} {states}")).display().to_string();
        let report = report(&folder, &["--automaton", &file, &model], 1);
        assert_eq!(report["properties"][0]["counterexample"]["length"], 1, "{starts}: {report}");
    }
}

#[test]
fn a_bound_on_the_length_is_one_on_what_is_shown() {
    let folder = Folder::new("bounds");
    // Lost after a step, though the automaton is not terminal.
    let text = "byte m, x; active proctype P() { m = 1; do :: m = 2; m = 3; m = 4; m = 5; m = 6 od }
        ltl p { (m == 0) U (x == 1) }";
    let prefix = folder.file("prefix.pml", text).display().to_string();
    // A run that ends, at whose end the automaton takes its time.
    let text = "byte x; active proctype P0() { end2: do :: x = 0; end3: (x > 0) od } ltl p { <>[] (P0@end2) }";
    let ends = folder.file("ends.pml", text).display().to_string();
    for (model, length) in [(&prefix, 1), (&ends, 2)] {
        let shortest = report(&folder, &["--ltl", "p", "--shortest", model], 1);
        assert_eq!(property(&shortest, "p")["counterexample"]["length"], length, "{model}");
        for most in 0..5 {
            let bound = most.to_string();
            let bounded =
                report(&folder, &["--ltl", "p", "--max-length", &bound, model], if most < length { 2 } else { 1 });
            let property = property(&bounded, "p");
            assert_eq!(property["verdict"], if most < length { "unknown" } else { "violated" }, "{model}, {most}");
            if most >= length {
                let found = &property["counterexample"];
                assert_eq!((&found["length"], &found["minimal"]), (&length.into(), &true.into()), "{model}, {most}");
            }
        }
    }
}

#[test]
fn an_alternative_with_a_negation_is_an_implication() {
    let folder = Folder::new("alternative");
    let text = "byte x, y; active proctype P() { do :: x = 1 - x od }
        ltl p { [] (!(y == 1) || <> (x == 1)) } ltl q { [] (!(x == 1) || <> (x == 0)) } ltl r { [] (x < 2 || y < 2) }";
    let model = folder.file("m.pml", text).display().to_string();
    let report = report(&folder, &["--refine", "off", "--ltl", "p", "--ltl", "q", "--ltl", "r", &model], 0);
    assert_eq!(property(&report, "p")["vacuous"], true);
    assert!(property(&report, "p")["reason"].as_str().is_some_and(|reason| reason.contains("premise `(y==1)`")));
    assert_ne!(property(&report, "q")["vacuous"], true);
    assert_ne!(property(&report, "r")["vacuous"], true);
}
