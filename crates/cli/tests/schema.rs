//! The JSON of `check` and its schema, `docs/schema/report-2.json`, which is generated from the types of the report.
//!
//! With `UPDATE_EXPECT=1` the file is written again instead of compared.

mod common;

use common::Folder;
use jsonschema::Validator;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

fn schema_file() -> PathBuf {
    root().join("docs/schema/report-2.json")
}

fn validator() -> Validator {
    validator_of("report-2.json")
}

fn validator_of(name: &str) -> Validator {
    let text = std::fs::read_to_string(root().join("docs/schema").join(name)).expect("the schema is there");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

#[track_caller]
fn assert_valid(validator: &Validator, report: &Value, what: &str) {
    let errors: Vec<String> =
        validator.iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}\n{}\n{report:#}", errors.join("\n"));
}

/// The models that come with Lariat, in both languages.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![root().join("models")];
    let mut models = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of models") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "pml" || end == "smv") {
                models.push(path);
            }
        }
    }
    models.sort();
    models
}

#[test]
fn the_schema_is_that_of_the_types() {
    let expected = format!("{:#}\n", checker::Report::schema());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(schema_file(), &expected).expect("the schema can be written");
    }
    let found = std::fs::read_to_string(schema_file()).unwrap_or_default();
    assert!(found == expected, "docs/schema/report-2.json is not up to date: run this test with UPDATE_EXPECT=1");
}

#[test]
fn the_reports_on_all_models_have_this_schema() {
    let (folder, validator) = (Folder::new("schema-models"), validator());
    let models = models();
    for end in ["pml", "smv"] {
        let count = models.iter().filter(|path| path.extension().is_some_and(|other| other == end)).count();
        assert!(count > 5, "there are models in both languages: {models:?}");
    }
    for model in &models {
        let path = model.to_string_lossy();
        let output = folder.lariat(&["check", &path, "--format", "json", "--no-save", "--time-limit", "5s"], "");
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{path}: {error}\n{}", String::from_utf8_lossy(&output.stderr)));
        assert_valid(&validator, &report, &path);
    }
}

#[test]
fn the_reports_of_all_options_have_this_schema() {
    let (folder, validator) = (Folder::new("schema-options"), validator());
    let counter = "byte x; active proctype P() { do :: x = (x + 1) % 4 :: x == 3 -> assert(false) od }\n\
                   ltl low { [] (x < 3) }\nltl again { []<> (x == 0) }\n";
    folder.file("counter.pml", counter);
    folder.file("broken.pml", "active proctype P() { y = 1 }\n");
    folder.file(
        "states.pml",
        "int x; active [3] proctype P() { do :: x < 2000000000 -> x++ :: x > -2000000000 -> x-- od }\n",
    );
    let toggle = "MODULE main\nVAR b : boolean; c : 0..3;\nIVAR i : boolean;\nDEFINE d := b & c = 1;\n\
                  ASSIGN next(b) := !b; next(c) := case i : (c + 1) mod 4; TRUE : c; esac;\n\
                  CTLSPEC AG EF c = 3\nCTLSPEC AG !d\nLTLSPEC G F b\nINVARSPEC c < 3\nCOMPUTE MIN [b, c = 3]\n";
    folder.file("toggle.smv", toggle);
    folder.file("broken.smv", "MODULE main VAR b : boolea;\n");
    let several = folder.json(&["check", "--format", "json", "counter.pml", "broken.smv", "toggle.smv"], 4);
    assert_valid(&validator, &several, "several models");
    let cases: [(&[&str], i32); 10] = [
        (&["counter.pml", "--explain"], 1),
        (&["counter.pml", "--all-errors", "--fair", "weak", "--check-facts"], 1),
        (&["counter.pml", "--ltl", "low", "--store", "bitstate", "--store-bits", "20"], 1),
        (&["counter.pml", "--property", "again", "--all-minimal"], 1),
        (&["broken.pml"], 4),
        (&["states.pml", "--time-limit", "300ms"], 2),
        (&["toggle.smv"], 1),
        (&["toggle.smv", "--coi"], 1),
        (&["toggle.smv", "--diameter", "--strip", "exact"], 1),
        (&["broken.smv"], 4),
    ];
    for (arguments, code) in cases {
        let all: Vec<&str> = ["check", "--format", "json"].iter().chain(arguments).copied().collect();
        let report = folder.json(&all, code);
        assert_valid(&validator, &report, &format!("{arguments:?}"));
        assert_eq!(report["schema"], 2);
        assert!(!has_null(&report), "{arguments:?}: something is null\n{report:#}");
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.iter().any(has_null),
        Value::Object(map) => map.values().any(has_null),
        _ => false,
    }
}

#[test]
fn what_has_another_schema_is_refused() {
    let (folder, validator) = (Folder::new("schema-refused"), validator());
    folder.file("counter.pml", "byte x; active proctype P() { do :: x = (x + 1) % 4 od }\nltl low { [] (x < 3) }\n");
    let report = folder.json(&["check", "--format", "json", "--no-save", "counter.pml"], 1);
    assert!(validator.is_valid(&report));
    let changes: [fn(&mut Value); 4] = [
        |report| report["schema"] = 1.into(),
        |report| report["properties"][0]["verdict"] = "computed".into(),
        |report| report["properties"][0]["seconds"] = 0.5.into(),
        |report| drop(report.as_object_mut().expect("an object").remove("model")),
    ];
    for change in changes {
        let mut changed = report.clone();
        change(&mut changed);
        assert!(!validator.is_valid(&changed), "{changed:#}");
    }
}

#[test]
fn the_lines_of_other_commands_have_their_schemas() {
    let folder = Folder::new("schema-lines");
    let formulas = ["translate", "GFa & b U c", "0", "1", "--generalized"];
    let text = folder.expect(&formulas, 0);
    let named = folder.file("named.hoa", &text).display().to_string();
    let nameless: String =
        text.lines().filter(|line| !line.starts_with("name")).map(|line| format!("{line}\n")).collect();
    let nameless = folder.file("nameless.hoa", &nameless).display().to_string();
    let model = folder.file("m.pml", "byte x; active proctype P() { x = 1; assert(x == 0) }").display().to_string();
    folder.expect(&["check", &model, "--trace", "t.json"], 1);
    folder.expect(&["translate", "Ga", "--negate"], 0);
    let wrong = folder.file("wrong.pml", "byte x; active proctype P() { x = 2; assert(x == 0) }").display().to_string();
    let cases: &[(&str, &[&str])] = &[
        ("formula-2.json", &["formula", "a W b", "Xa"]),
        ("formula-2.json", &["formula", "a W b", "Xa", "--size", "--classify", "--explain", "--implies", "a U b"]),
        ("formula-2.json", &["formula", "a W b", "--accept-word", "cycle{a}"]),
        ("automaton-2.json", &["translate", "a U b", "GFa"]),
        ("automaton-2.json", &["translate", "a U b", "GFa", "--stats"]),
        ("automaton-2.json", &["automaton", &named]),
        ("automaton-2.json", &["automaton", &nameless]),
        ("automaton-2.json", &["automaton", &nameless, "--stats"]),
        ("automaton-2.json", &["automaton", &nameless, "--strength"]),
        ("automaton-2.json", &["automaton", &named, "--shortest-lasso"]),
        ("automaton-2.json", &["automaton", &nameless, "--is-empty", "--is-universal", "--is-deterministic"]),
        ("testbench-2.json", &["testbench", "--formulas", "10", "--seed", "3"]),
        ("testbench-2.json", &["testbench", "go", "{wrong} echo never {} >%O #%s", "--formulas", "4"]),
        ("validation-2.json", &["validate", &model, "t.json"]),
        ("validation-2.json", &["validate", &wrong, "t.json"]),
    ];
    for (schema, arguments) in cases {
        let validator = validator_of(schema);
        let all: Vec<&str> = arguments.iter().chain(&["--format", "json"]).copied().collect();
        let output = folder.lariat(&all, "");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(!text.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).expect("JSON");
            assert_valid(&validator, &value, &format!("{arguments:?}"));
            assert_eq!(value["schema"], 2, "{arguments:?}");
            assert!(!has_null(&value), "{arguments:?}: something is null\n{value:#}");
            let mut changed = value.clone();
            changed["schema"] = "two".into();
            assert!(!validator.is_valid(&changed), "{arguments:?}");
        }
    }
}
