//! Claims and assertions about events through the real binary, options that contradict each other, and what the shipped
//! models say about their formulas.

mod common;

use common::Folder;
use serde_json::Value;

const ROUND: &str = "byte x; bool b; active proctype P() { do :: x < 4 -> x++ :: x == 4 -> x = 0 :: b = !b od }";

#[track_caller]
fn first(folder: &Folder, arguments: &[&str], code: i32) -> Value {
    let arguments: Vec<&str> = ["check", "--format", "json"].iter().chain(arguments).copied().collect();
    let report: Value = serde_json::from_str(&folder.expect(&arguments, code)).expect("JSON on standard output");
    let mut list = report["properties"].as_array().cloned().expect("a list");
    list.retain(|property| {
        !["assertions", "run-time errors", "end states"].iter().any(|name| property["name"] == *name)
    });
    list.swap_remove(0)
}

#[test]
fn claims_have_variables_sequences_and_escapes() {
    let folder = Folder::new("variables");
    let model = folder.file("m.pml", ROUND).display().to_string();
    // The second visit of 3 is after 11 steps: the claim needs one of its own steps more than the formula.
    let counts = "never { byte n; do :: x == 3 -> n++; if :: n == 2 -> break :: else fi :: else od }";
    let watches = "never { bit old; do :: b != old -> break :: old = b od }";
    let sequence = "never { byte n; do :: d_step { x == 4 -> n++; n == 1 -> n++ } -> break :: x != 4 od }";
    let escapes = "never { do :: true od unless { x == 2 -> x == 2 } }";
    for (claim, steps) in [(counts, 11), (watches, 1), (sequence, 8), (escapes, 5)] {
        folder.file("claim", claim);
        let property = first(&folder, &["--never", "claim", &model], 1);
        let length = property["counterexample"]["length"].as_u64().expect("a number");
        assert!((steps..=steps + 1).contains(&length), "{claim}: {length}");
        folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
    }
    let never = "never { byte n; do :: x == 9 -> n++; n == 1 -> break :: else od }";
    folder.file("claim", never);
    assert_eq!(first(&folder, &["--never", "claim", &model], 0)["verdict"], "holds");
    for (claim, words) in [
        ("never { do :: x == 3 -> b = 1; break :: else od }", "`b = 1`: it changes the model"),
        ("never { byte n[2]; do :: x == 3 -> n[0] = 1; break :: else od }", "`n` is more than a number"),
        ("never { int n; do :: n = x :: n == 3 -> break od }", "`n = x`: a variable of the claim"),
    ] {
        folder.file("claim", claim);
        let property = first(&folder, &["--never", "claim", &model], 2);
        assert!(property["reason"].as_str().is_some_and(|reason| reason.contains(words)), "{property}");
    }
}

#[test]
fn formulas_may_be_written_in_the_letters_of_logic() {
    let folder = Folder::new("letters");
    let model = folder.file("m.pml", ROUND).display().to_string();
    for (letters, signs) in [("G F b", "[] <> b"), ("G(b -> F !b)", "[] (b -> <> !b)"), ("b R (x < 9)", "b V (x < 9)")]
    {
        let [ours, theirs] = [letters, signs].map(|formula| {
            let output = folder.lariat(&["check", "--no-save", "--format", "json", "--ltl", formula, &model], "");
            let report: Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
            report["properties"][0]["formula"].clone()
        });
        assert!(ours.is_string() && ours == theirs, "{letters}: {ours}, {theirs}");
    }
    // A variable of that name is one.
    let named = folder.file("n.pml", "bool G, F; active proctype P() { G = 1; F = 1 }").display().to_string();
    assert_eq!(first(&folder, &["--ltl", "<> (G && F)", &named], 0)["verdict"], "holds");
}

#[test]
fn premises_that_never_hold_together_are_reported() {
    let folder = Folder::new("nested");
    let model = folder.file("m.pml", ROUND).display().to_string();
    let property = first(&folder, &["--ltl", "[] (x == 1 -> (x == 2 -> <> b))", &model], 0);
    assert_eq!(property["vacuous"], true);
    assert!(property["reason"].as_str().is_some_and(|reason| reason.contains("never hold together")), "{property}");
    let property = first(&folder, &["--ltl", "[] (x == 1 -> (b -> x < 9))", &model], 0);
    assert!(property.get("vacuous").is_none(), "{property}");
}

#[test]
fn assertions_about_events_are_checked_and_their_traces_validated() {
    let folder = Folder::new("events");
    let text = "chan c = [2] of { byte }; active proctype S() { c!1; c!2; c!3 } \
        active proctype R() { byte x; c?x; c?x; c?x }";
    let model = folder.file("m.pml", &format!("{text} trace {{ c!1; c!2 }}")).display().to_string();
    let property = first(&folder, &[&model], 1);
    assert_eq!((&property["kind"], &property["verdict"]), (&"trace".into(), &"violated".into()));
    let counterexample = &property["counterexample"];
    assert_eq!((&counterexample["length"], &counterexample["minimal"]), (&4.into(), &true.into()));
    assert!(counterexample["message"].as_str().is_some_and(|message| message.contains("c!3")), "{counterexample}");
    folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
    folder.expect(&["replay", &model, "m.pml.trace.json"], 0);
    // A run that the assertion allows is no counterexample.
    let mut trace: Value = serde_json::from_str(&folder.read("m.pml.trace.json")).expect("JSON");
    trace["stem"].as_array_mut().expect("a list").pop();
    folder.file("m.pml.trace.json", &trace.to_string());
    assert!(folder.expect(&["validate", &model, "m.pml.trace.json"], 1).contains("should end in"));
    let fine = folder.file("n.pml", &format!("{text} notrace {{ c!2; c!1 }}")).display().to_string();
    assert_eq!(first(&folder, &[&fine], 0)["verdict"], "holds");
    let forbidden = folder.file("o.pml", &format!("{text} notrace {{ c!1; c!2; c?1 }}")).display().to_string();
    assert_eq!(first(&folder, &["--search", "bfs", &forbidden], 1)["counterexample"]["length"], 3);
}

#[test]
fn options_that_contradict_each_other_are_mistakes_of_the_command_line() {
    let folder = Folder::new("contradictions");
    let model = folder.file("m.pml", ROUND).display().to_string();
    for (options, instead) in [
        (&["--fair", "weak", "--shorten-with", "bfs", "--shortest"][..], "--shorten-with generalised"),
        (&["--fair", "weak", "--shorten-with", "dfs", "--max-length", "9"], "--shorten-with generalised"),
        (&["--fair", "weak", "--store", "bitstate", "--shortest"], "--store hash-compact"),
        (&["--fair", "weak", "--all-minimal"], "leave one"),
        (&["--shortest=formula", "--shorten-with", "dfs"], "--shorten-with generalised"),
        (&["--store", "bitstate", "--emptiness", "se"], "--emptiness gmz"),
        (&["--all-minimal", "--shorten-with", "dfs"], "leave `--shorten-with` out"),
        (&["--shortest", "--shorten-with", "spin-i"], "--shorten-with bfs"),
    ] {
        let arguments: Vec<&str> =
            ["check", "--ltl", "[] <> b"].iter().chain(options).copied().chain([model.as_str()]).collect();
        let output = folder.lariat(&arguments, "");
        assert_eq!(output.status.code(), Some(3), "{options:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(options[1].trim_start_matches("--")) && said.contains(instead), "{said}");
    }
    let output = folder.lariat(&["check", "--safety", "--max-length", "3", &model], "");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--max-depth"));
    // An automaton with two sets is searched by all; what counts the sets proves nothing about lengths.
    let hoa = "HOA: v1 States: 1 Start: 0 AP: 2 \"x == 1\" \"b\" acc-name: generalized-Buchi 2
        Acceptance: 2 Inf(0)&Inf(1) --BODY-- State: 0 [0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--";
    folder.file("two.hoa", hoa);
    for options in [&["--emptiness", "gmz"][..], &["--store", "bitstate"], &["--all-minimal"], &["--emptiness", "scc"]]
    {
        let arguments: Vec<&str> =
            ["--automaton", "two.hoa"].iter().chain(options).copied().chain([model.as_str()]).collect();
        assert_eq!(first(&folder, &arguments, 1)["verdict"], "violated", "{options:?}");
    }
    for options in [&["--shortest", "--shorten-with", "bfs"][..], &["--max-length", "9", "--store", "bitstate"]] {
        let arguments: Vec<&str> =
            ["--automaton", "two.hoa"].iter().chain(options).copied().chain([model.as_str()]).collect();
        let property = first(&folder, &arguments, 2);
        assert!(property["reason"].as_str().is_some_and(|reason| reason.contains("generalised")), "{property}");
    }
    for (minimiser, is_proved) in [("generalised", true), ("bfs", false), ("dfs", false), ("spin-i", false)] {
        let property = first(&folder, &["--automaton", "two.hoa", "--shorten-with", minimiser, &model], 1);
        assert_eq!(property["counterexample"]["minimal"], is_proved, "{minimiser}");
    }
}

#[test]
fn shipped_models_say_how_long_their_shortest_lassos_are() {
    let folder = Folder::new("shipped");
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/mutex");
    let mut checked = 0;
    for entry in std::fs::read_dir(models).expect("a folder of models") {
        let path = entry.expect("a readable entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable model");
        for line in text.lines().filter_map(|line| line.strip_prefix("// expect: ltl ")) {
            let words: Vec<&str> = line.split([' ', ';']).filter(|word| !word.is_empty()).collect();
            let [name, "violated", "shortest", length] = words[..] else { panic!("{}: {line}", path.display()) };
            let arguments = ["--no-save", "--ltl", name, "--shortest", path.to_str().expect("a name in Unicode")];
            let counterexample = &first(&folder, &arguments, 1)["counterexample"];
            assert_eq!(counterexample["length"].to_string(), length, "{}", path.display());
            assert_eq!(counterexample["minimal"], true, "{}", path.display());
            checked += 1;
        }
    }
    assert!(checked >= 4, "the models of Table 1 are there");
}

#[test]
fn a_run_that_stays_inside_an_atomic_sequence_leaves_temporal_properties_open() {
    let folder = Folder::new("endless");
    let text = "byte x; active proctype A() { atomic { do :: x = 1; x = 2 od } }";
    let endless = folder.file("endless.pml", text).display().to_string();
    // One that ends, though control flow alone does not tell.
    let text = "byte x; active proctype A() { atomic { do :: x < 5 -> x++ :: else -> break od } }";
    let bounded = folder.file("bounded.pml", text).display().to_string();
    for options in [&["--ltl", "<> (x == 5)"][..], &["--acceptance"], &["--non-progress"]] {
        for store in ["exact", "compressed", "bitstate", "hash-compact"] {
            let with = |model| -> Vec<&str> { options.iter().copied().chain(["--store", store, model]).collect() };
            let property = first(&folder, &with(endless.as_str()), 2);
            assert_eq!(property["verdict"], "unknown", "{options:?} {store}");
            if store == "exact" || store == "compressed" {
                let reason = property["reason"].as_str().expect("a reason");
                assert!(reason.contains("never leaves an atomic sequence"), "{reason}");
                assert_eq!(first(&folder, &with(bounded.as_str()), 0)["verdict"], "holds", "{options:?}");
            }
        }
    }
}

/// The verdicts are those of SPIN without reduction.
#[test]
fn timeout_in_a_formula_is_true_where_no_process_can_move() {
    let folder = Folder::new("timeout");
    let stuck = folder.file("stuck.pml", "byte x; active proctype A() { x = 1; x == 2 }").display().to_string();
    let taken = "byte x; active proctype A() { x = 1; x == 2 } active proctype B() { timeout -> x = 2 }";
    let taken = folder.file("taken.pml", taken).display().to_string();
    for (model, formula, verdict) in [
        (&stuck, "[] <> timeout", "holds"),
        (&stuck, "[] !timeout", "violated"),
        (&stuck, "<> timeout", "holds"),
        (&taken, "<> (x == 1 && timeout)", "holds"),
        (&taken, "[] (timeout -> x > 0)", "holds"),
        (&taken, "[] (timeout -> x == 1)", "violated"),
    ] {
        let code = i32::from(verdict == "violated");
        for reduce in ["auto", "off"] {
            let property = first(&folder, &["--reduce", reduce, "--ltl", formula, model], code);
            assert_eq!(property["verdict"], verdict, "{formula}: {property}");
        }
    }
}
