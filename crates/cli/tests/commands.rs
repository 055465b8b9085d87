//! The real binary on small models: exit codes, reports, traces, simulation.

mod common;

use common::{Folder, wait_for_search};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The verdict on a property.
fn verdict<'a>(report: &'a Value, name: &str) -> &'a str {
    let properties = report["properties"].as_array().expect("a list");
    let property = properties.iter().find(|property| property["name"] == name).expect("the property is listed");
    property["verdict"].as_str().expect("a word")
}

const COUNTER: &str = "byte x; active proctype P() { x = 1; x = x + 1; printf(\"x is %d\\n\", x); assert(x == 3) }";
const HANDSHAKE: &str = "mtype = { PING, PONG }; chan c = [0] of { mtype, byte }; chan d = [2] of { byte };
active proctype A() { c!PING,7; d!3; d!4 }
active proctype B() { byte n; c?PING,n; d?n; do :: n > 9 -> break od }";

#[test]
fn exit_codes_tell_the_verdict() {
    let folder = Folder::new("exit");
    let write = |name: &str, text: &str| folder.file(name, text).display().to_string();
    let good = write("good.pml", "byte x; active proctype P() { x = 1; assert(x == 1) }");
    let bad = write("bad.pml", COUNTER);
    let wrong = write("wrong.pml", "active proctype P() { y = 1 }");
    let open = write("open.pml", "byte x; ltl p { [] (x == 0) } active proctype P() { x = 1 }");
    let endless = write("endless.pml", "int x; active proctype P() { do :: x >= 0 -> x++ od }");
    folder.expect(&["check", &good], 0);
    folder.expect(&["check", &bad], 1);
    folder.expect(&["check", &open], 1);
    folder.expect(&["check", "--safety", &open], 0);
    folder.expect(&["check", "--max-depth", "100", &endless], 2);
    folder.expect(&["check", "--memory-limit", "1M", &endless], 2);
    folder.expect(&["check", "--time-limit", "20ms", &endless], 2);
    folder.expect(&["check", "--frobnicate", &good], 3);
    folder.expect(&["check", "missing.pml"], 3);
    folder.expect(&["check", &wrong], 4);
    folder.expect(&["--help"], 0);
    folder.expect(&["--version"], 0);
}

#[test]
fn a_violation_is_not_lost_where_memory_runs_out_and_another_order_is_tried() {
    let folder = Folder::new("memory");
    let text = "byte w, x, y, z, k; bool moved;
        active proctype bad() { atomic { !moved -> k = 1 }; assert(k == 0) }
        active proctype first() { do :: atomic { moved = 1; w = (w + 1) % 250 } od }
        active proctype second() { do :: atomic { moved = 1; x = (x + 1) % 250 } od }
        active proctype third() { do :: atomic { moved = 1; y = (y + 1) % 250 } od }
        active proctype fourth() { do :: atomic { moved = 1; z = (z + 1) % 250 } od }";
    let model = folder.file("m.pml", text).display().to_string();
    for threads in ["1", "2"] {
        let limited = ["--safety", "--all-errors", "--reduce", "off", "--memory-limit", "8M", "--threads", threads];
        let report = folder.json(&[&["check", "--format", "json"], &limited[..], &[&model]].concat(), 1);
        assert_eq!(report["properties"][0]["verdict"], "violated", "{report}");
    }
}

#[test]
fn a_cut_search_never_says_holds() {
    let folder = Folder::new("cut");
    let model = folder.file("m.pml", "int x; active proctype P() { do :: x >= 0 -> x++ od }").display().to_string();
    for (limit, value, reason) in
        [("--max-depth", "50", "depth"), ("--memory-limit", "1M", "memory"), ("--time-limit", "30ms", "time")]
    {
        let report = folder.json(&["check", "--format", "json", limit, value, &model], 2);
        assert_eq!(report["complete"], false);
        for property in report["properties"].as_array().expect("a list") {
            assert_eq!(property["verdict"], "unknown", "{property}");
            assert!(property["reason"].as_str().expect("a reason").contains(reason), "{property}");
            // How much is searched in a given time depends on the machine.
            assert!(limit == "--time-limit" || property["states"].as_u64() > Some(10));
        }
        assert!(report.get("unreached").is_none());
    }
}

#[test]
fn a_report_has_the_documented_fields() {
    let folder = Folder::new("report");
    let model = folder.file("m.pml", COUNTER).display().to_string();
    let report = folder.json(&["check", "--reduce", "off", "--format", "json", &model], 1);
    assert_eq!(report["schema"], 2);
    assert_eq!(report["model"]["file"], model.as_str());
    assert_eq!((verdict(&report, "assertions"), verdict(&report, "end states")), ("violated", "holds"));
    let property = &report["properties"][0];
    assert_eq!((&property["kind"], &property["states"]), (&"assertion".into(), &6.into()));
    for field in ["transitions", "depth", "peak_memory_bytes"] {
        assert!(property[field].is_number(), "{field}");
    }
    for stage in ["read", "translate", "refine", "search", "shorten", "validate"] {
        assert!(property["seconds"][stage].is_number() && report["seconds"][stage].is_number(), "{stage}");
    }
    let counterexample = &property["counterexample"];
    assert_eq!(counterexample["length"], 4);
    assert_eq!(counterexample["validated"], true);
    assert_eq!(counterexample["loop"], Value::Array(Vec::new()));
    let second = &counterexample["stem"][1];
    assert_eq!((&second["process"], &second["line"]), (&"P".into(), &1.into()));
    assert_eq!(second["changes"][0], serde_json::json!({"name": "x", "before": 1, "after": 2}));
    assert_eq!(counterexample["stem"][2]["output"], "x is 2\n");
}

#[test]
fn traces_are_shortest_and_say_so() {
    let folder = Folder::new("shortest");
    let model = "byte x; active proctype P() { do :: x < 9 -> x++ :: assert(x != 3) od }";
    let model = folder.file("m.pml", model).display().to_string();
    for search in ["dfs", "bfs"] {
        let report = folder.json(&["check", "--format", "json", "--search", search, &model], 1);
        let counterexample = &report["properties"][0]["counterexample"];
        assert_eq!((&counterexample["length"], &counterexample["minimal"]), (&7.into(), &true.into()));
    }
    let report = folder.json(&["check", "--format", "json", "--first", &model], 1);
    assert_eq!(report["properties"][0]["counterexample"]["minimal"], false);
}

#[test]
fn all_errors_are_told_once_each() {
    let folder = Folder::new("all");
    let model =
        "byte x; active [2] proctype P() { if :: x = 1; assert(x == 0) :: x = 2; assert(x == 1) fi; x = 7 / (x - 2) }";
    let model = folder.file("m.pml", model).display().to_string();
    let report = folder.json(&["check", "--format", "json", "--all-errors", &model], 1);
    let further = |index: usize| report["properties"][index]["further_counterexamples"].as_array().map(Vec::len);
    assert_eq!((verdict(&report, "assertions"), further(0)), ("violated", Some(1)));
    assert_eq!((verdict(&report, "run-time errors"), further(1)), ("violated", None));
    // Some runs end in the division, so nothing is said to hold, and not all is known to have been reached.
    assert_eq!((verdict(&report, "end states"), &report["complete"]), ("unknown", &false.into()));
    assert!(report.get("unreached").is_none());
    let first = folder.json(&["check", "--format", "json", "--first", &model], 1);
    let words: Vec<&str> = ["assertions", "run-time errors", "end states"].map(|name| verdict(&first, name)).into();
    assert_eq!(words.iter().filter(|word| **word == "violated").count(), 1, "{words:?}");
    assert_eq!(words.iter().filter(|word| **word == "unknown").count(), 2, "{words:?}");
}

#[test]
fn assertions_that_nothing_reaches_hold_vacuously() {
    let folder = Folder::new("vacuous");
    let none = folder.file("none.pml", "active proctype P() { skip }").display().to_string();
    let dead = "byte x; active proctype P() { end: if :: x > 0 -> assert(false) fi }";
    let dead = folder.file("dead.pml", dead).display().to_string();
    for model in [&none, &dead] {
        let report = folder.json(&["check", "--format", "json", model], 0);
        assert_eq!(report["properties"][0]["vacuous"], true);
        assert!(folder.expect(&["check", model], 0).contains("holds vacuously"));
    }
    let report = folder.json(&["check", "--format", "json", &dead], 0);
    let unreached = report["unreached"].as_array().expect("a list");
    let is_assertion = |place: &Value| place["statement"].as_str().is_some_and(|text| text.starts_with("assert"));
    assert!(unreached.iter().any(is_assertion), "{unreached:?}");
}

#[test]
fn a_saved_trace_is_valid_and_a_tampered_one_is_not() {
    let folder = Folder::new("trace");
    let model = folder.file("m.pml", HANDSHAKE).display().to_string();
    folder.expect(&["check", &model], 1);
    let trace = folder.0.join("m.pml.trace.json");
    let saved = std::fs::read_to_string(&trace).expect("the trace was saved");
    let trace = trace.display().to_string();
    folder.expect(&["validate", &model, &trace], 0);
    for view in ["steps", "states", "changes"] {
        assert!(folder.expect(&["replay", &model, &trace, "--trace-view", view], 0).contains("c!PING,7"), "{view}");
    }
    let replayed = folder.json(&["replay", &model, &trace, "--format", "json"], 0);
    assert_eq!(replayed, serde_json::from_str::<Value>(&saved).expect("JSON"));

    let tampered = tamper(&saved, |trace| trace["stem"][1]["changes"][0]["after"] = 200.into());
    refused(&folder, &model, &tampered, 2);
    let tampered = tamper(&saved, |trace| trace["stem"][0]["pid"] = 1.into());
    refused(&folder, &model, &tampered, 1);
    let tampered = tamper(&saved, |trace| trace["violation"]["kind"] = "assertion".into());
    let length = serde_json::from_str::<Value>(&saved).expect("JSON")["stem"].as_array().expect("steps").len();
    refused(&folder, &model, &tampered, length + 1);
    let tampered = tamper(&saved, |trace| {
        trace["stem"].as_array_mut().expect("steps").pop();
    });
    refused(&folder, &model, &tampered, length);
    let tampered = tamper(&saved, |trace| trace["initial"]["values"][0]["value"] = 1.into());
    refused(&folder, &model, &tampered, 1);
}

fn tamper(saved: &str, change: impl Fn(&mut Value)) -> String {
    let mut trace: Value = serde_json::from_str(saved).expect("JSON");
    let before = trace.clone();
    change(&mut trace);
    assert_ne!(trace, before, "the change changes nothing");
    trace.to_string()
}

#[track_caller]
fn refused(folder: &Folder, model: &str, trace: &str, step: usize) {
    let trace = folder.file("tampered.json", trace).display().to_string();
    let answer = folder.json(&["validate", model, &trace, "--format", "json"], 1);
    assert_eq!(answer["valid"], false);
    assert_eq!(answer["first_wrong_step"], step, "{answer}");
    folder.expect(&["replay", model, &trace], 1);
}

#[test]
fn a_trace_survives_an_edit_that_does_not_matter() {
    let folder = Folder::new("edit");
    let model = folder.file("m.pml", COUNTER).display().to_string();
    folder.expect(&["check", &model], 1);
    folder.file("m.pml", &format!("/* a comment */\n\n{COUNTER}"));
    let output = folder.lariat(&["validate", "m.pml", "m.pml.trace.json"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("the model has changed"), "{}", text(&output.stderr));
    folder.file("m.pml", &COUNTER.replace("x = 1;", "x = 2;"));
    folder.expect(&["validate", "m.pml", "m.pml.trace.json"], 1);
}

#[test]
fn only_traces_are_overwritten() {
    let folder = Folder::new("overwrite");
    let model = folder.file("m.pml", COUNTER).display().to_string();
    let precious = folder.file("m.pml.trace.json", "my thesis");
    // The verdict is told all the same.
    folder.expect(&["check", &model], 1);
    let output = folder.lariat(&["check", &model], "");
    assert!(text(&output.stderr).contains("is not overwritten"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&precious).expect("still there"), "my thesis");
    folder.expect(&["check", "--no-save", &model], 1);
    folder.expect(&["check", "--trace", "other.json", &model], 1);
    folder.expect(&["check", "--trace", "other.json", &model], 1);
    // Where a file was asked for, its trouble is told before anything is searched.
    assert_eq!(folder.expect(&["check", "--trace", "no/such/folder.json", &model], 3), "");
    assert_eq!(folder.expect(&["check", "--trace", "m.pml.trace.json", &model], 3), "");
    assert!(Path::new(&folder.0.join("other.json")).exists());
    folder.expect(&["validate", &model, "m.pml.trace.json"], 4);
}

#[test]
fn messages_and_values_are_shown_in_the_models_words() {
    let folder = Folder::new("words");
    let model = folder.file("m.pml", HANDSHAKE).display().to_string();
    let shown = folder.expect(&["check", &model], 1);
    assert!(shown.contains("c hands over [PING,7]"), "{shown}");
    assert!(shown.contains("B(1):n: 0 → 7"), "{shown}");
    assert!(shown.contains("d: empty → [3]"), "{shown}");
    assert!(shown.contains("end states       violated: invalid end state: 1 process waits\n"), "{shown}");
    assert!(shown.contains("\n  B(1) waits at line 3 for n>9  (n = "), "{shown}");
}

#[test]
fn priorities_and_symbols_are_shown_too() {
    let folder = Folder::new("priorities");
    let text = "mtype = { idle, busy }; mtype st = idle;\n\
                active proctype P() priority 2 { set_priority(_pid, 7); st = busy; assert(st == idle) }\n\
                ltl rest { [] (st == idle) }\n";
    let model = folder.file("m.pml", text).display().to_string();
    let shown = folder.expect(&["check", "--no-save", &model], 1);
    assert!(shown.contains("P(0):_priority: 2 → 7"), "{shown}");
    assert!(shown.contains("st==idle"), "{shown}");
    let values = folder.expect(&["check", "--no-save", "--trace-view", "states", &model], 1);
    assert!(values.contains("P(0):_priority = 7"), "{values}");
}

#[test]
fn other_formats_are_well_formed() {
    let folder = Folder::new("formats");
    let model = folder.file("m.pml", COUNTER).display().to_string();
    let sarif = folder.json(&["check", "--format", "sarif", &model], 1);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "assertion");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    assert_eq!(steps.len(), 4);
    let undecided = folder.json(&["check", "--format", "sarif", "--max-depth", "1", &model], 2);
    let result = &undecided["runs"][0]["results"][0];
    assert_eq!((result["kind"].as_str(), result["level"].as_str()), (Some("open"), Some("none")), "{result}");
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains("undecided")), "{result}");
    let ends = "byte x; active proctype P() { x = 1 }\nltl often { [] <> (x == 0) }\n";
    let ends = folder.file("ends.pml", ends).display().to_string();
    let sarif = folder.json(&["check", "--format", "sarif", &ends], 1);
    let steps = &sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let last = &steps.as_array().expect("steps").last().expect("a step")["location"];
    assert!(last.get("physicalLocation").is_none() && last["message"]["text"].is_string(), "{last}");
    let junit = folder.expect(&["check", "--format", "junit", &model], 1);
    assert!(junit.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{junit}");
    assert!(junit.contains("<failure message="), "{junit}");
}

#[test]
fn every_format_says_who_waits_where_at_a_deadlock() {
    let folder = Folder::new("waiting");
    let text =
        "chan c = [0] of { byte }; byte x;\nactive proctype P() {\n  if\n  :: c?x\n  :: x == 3 -> skip\n  fi\n}\n";
    let model = folder.file("m.pml", text).display().to_string();
    let wait = "P(0) waits at line 3 for c?x or x==3  (x = 0)";
    let written = |format: &str| folder.expect(&["check", "--no-save", "--format", format, &model], 1);
    assert!(written("text").contains(wait), "{}", written("text"));
    let junit = written("junit");
    assert!(junit.contains("message=\"invalid end state: 1 process waits\"") && junit.contains(wait), "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&written("sarif")).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains(wait)), "{result}");
    let place = &result["relatedLocations"][0];
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 3, "{result}");
    folder.expect(&["check", "--no-save", "--html", "r.html", &model], 1);
    let page = folder.read("r.html");
    assert!(page.contains(&format!("<li>{wait}")), "{page}");
    assert!(page.contains("The property demands: no assertion fails.<"), "{page}");
    assert!(page.contains("The property demands: no statement causes a run-time error.<"), "{page}");
}

#[test]
fn errors_in_a_model_are_told_as_text_and_as_json() {
    let folder = Folder::new("errors");
    folder.file("part.h", "byte counter;\n#define UP counter = countr + 1\n");
    let model = folder.file("m.pml", "#include \"part.h\"\nactive proctype P() { UP }\n").display().to_string();
    let output = folder.lariat(&["check", &model], "");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4));
    assert!(message.contains("part.h:2:22") && message.contains("in expansion of `UP`"), "{message}");
    assert!(message.contains("did you mean `counter`"), "{message}");
    let report = folder.json(&["check", "--format", "json", &model], 4);
    let error = &report["diagnostics"].as_array().expect("a list").iter().find(|one| one["severity"] == "error");
    assert_eq!(error.expect("an error")["line"], 2);
    let guarded = "#ifndef N\n#error no N\n#endif\nactive proctype P() { assert(N == 3) }\n";
    let guarded = folder.file("guarded.pml", guarded).display().to_string();
    folder.expect(&["check", &guarded], 4);
    folder.expect(&["check", "-D", "N=3", &guarded], 0);
    folder.expect(&["check", "-DN=4", "--no-save", &guarded], 1);
    folder.expect(&["check", "-DN=3", "-UN", &guarded], 4);
    folder.file("sub.pml", "#include \"deep.h\"\nactive proctype P() { assert(DEEP == 1) }\n");
    std::fs::create_dir_all(folder.0.join("headers")).expect("a folder");
    folder.file("headers/deep.h", "#define DEEP 1\n");
    folder.expect(&["check", "sub.pml"], 4);
    folder.expect(&["check", "-I", "headers", "sub.pml"], 0);
}

#[test]
fn a_simulation_repeats_itself_with_its_seed() {
    let folder = Folder::new("simulate");
    let model = "byte x; active [3] proctype P() { do :: x < 200 -> x++ :: x > 100 -> break od; printf(\"%d\\n\", x) }";
    let model = folder.file("m.pml", model).display().to_string();
    let run = |seed: &str| folder.expect(&["simulate", "--seed", seed, "-p", "-g", &model], 0);
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
    let unseeded = folder.expect(&["simulate", &model], 0);
    let seed = unseeded.lines().next().and_then(|line| line.strip_prefix("seed ")).expect("the seed is printed");
    let again = folder.expect(&["simulate", "--seed", seed, &model], 0);
    assert_eq!(unseeded.split_once('\n').expect("lines").1, again);
    assert!(folder.expect(&["simulate", "--steps", "5", &model], 0).contains("stopped after 5 steps"));
    let bad = folder.file("bad.pml", COUNTER).display().to_string();
    let shown = folder.expect(&["simulate", &bad], 1);
    assert!(shown.contains("x is 2") && shown.contains("assertion failed after 4 steps"), "{shown}");
}

#[test]
fn an_interactive_simulation_can_go_back_and_forth() {
    let folder = Folder::new("interactive");
    let model = folder.file("m.pml", HANDSHAKE).display().to_string();
    let play = |input: &str| text(&folder.lariat(&["simulate", "-i", "-g", "-s", "-r", &model], input).stdout);
    let shown = play("1\n1\nv\nu\nj 2\nj 9\nnonsense\nr 3\nq\n");
    assert!(shown.contains("A(0)  2  c!PING,7"), "{shown}");
    assert!(shown.contains("c hands over [PING,7]"), "{shown}");
    assert!(shown.contains("d = [3]") && shown.contains("B(1):n = 7"), "{shown}");
    assert!(shown.contains("there are states after steps 0 to 2"), "{shown}");
    assert!(shown.contains("`nonsense` is neither"), "{shown}");
    assert_eq!(shown.matches("after step 2").count(), 5, "{shown}");
    assert_eq!(shown.matches("after step 1").count(), 2, "{shown}");
}

#[test]
fn a_trace_can_be_walked_along() {
    let folder = Folder::new("walk");
    let model = folder.file("m.pml", HANDSHAKE).display().to_string();
    folder.expect(&["check", &model], 1);
    let walk = |input: &str| text(&folder.lariat(&["replay", "-i", &model, "m.pml.trace.json"], input).stdout);
    let shown = walk("\nn 2\nu 2\nn 99\nq\n");
    assert!(shown.contains("     1  A(0)  2  c!PING,7  >  B(1)  3  c?PING,n"), "{shown}");
    assert!(shown.contains("the trace ends here"), "{shown}");
    assert!(shown.contains("invalid end state after 4 steps"), "{shown}");
}

#[test]
fn a_model_can_come_from_standard_input() {
    let folder = Folder::new("stdin");
    let output = folder.lariat(&["check", "-", "--no-save"], COUNTER);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("<standard input>:1:"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_it_covered() {
    let folder = Folder::new("interrupt");
    let model = folder.file("m.pml", "int x; active proctype P() { do :: x >= 0 -> x++ od }");
    let child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", "--format", "json", "--memory-limit", "4G"])
        .arg(&model)
        .stdout(Stdio::piped())
        .spawn()
        .expect("lariat starts");
    wait_for_search(child.id());
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let output = child.wait_with_output().expect("lariat ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(report["properties"][0]["reason"], "the search was interrupted");
    assert!(report["properties"][0]["states"].as_u64() > Some(0));
}

#[test]
fn deep_nesting_does_no_harm() {
    let folder = Folder::new("deep");
    let deep = [("(", ")", 200_000), ("!(", ")", 100_000), ("1+", "", 300_000)];
    for (open, close, depth) in deep {
        let expression = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let model = folder.file("m.pml", &format!("active proctype P() {{ assert({expression}) }}"));
        let output = folder.lariat(&["check", &model.display().to_string()], "");
        assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{open}: {:?}", output.status);
    }
    let body = format!("{}skip{}", "if :: ".repeat(50_000), " fi".repeat(50_000));
    let model = folder.file("m.pml", &format!("active proctype P() {{ {body} }}")).display().to_string();
    let output = folder.lariat(&["check", &model], "");
    assert!(matches!(output.status.code(), Some(0 | 4)), "{:?}", output.status);
}

#[test]
fn a_simulation_reads_standard_input() {
    let folder = Folder::new("stdin");
    let model = "chan STDIN; int c, n;
active proctype P() { do :: STDIN?c -> if :: c == -1 -> break :: else -> n++ fi od; printf(\"%d characters\\n\", n) }";
    let path = folder.file("count.pml", model).display().to_string();
    let output = folder.lariat(&["simulate", "--seed", "1", &path], "hello");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("5 characters"), "{}", text(&output.stdout));
}
