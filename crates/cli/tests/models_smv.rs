//! The SMV models that come with Lariat have the verdicts that their headers promise, and valid traces.

mod common;

use common::Folder;
use serde_json::Value;
use std::path::Path;

/// `name verdict` pairs of a header.
fn expectations(text: &str) -> Vec<(String, String)> {
    let line = text.lines().find_map(|line| line.strip_prefix("-- expect: ")).expect("a header with expectations");
    let pair = |part: &str| part.trim().split_once(' ').map(|(name, verdict)| (name.into(), verdict.into()));
    line.split(';').map(|part| pair(part).expect("a name and a verdict")).collect()
}

#[test]
fn models_are_as_their_headers_say() {
    let folder = Folder::new("models-smv");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/smv");
    let mut files: Vec<_> =
        std::fs::read_dir(models).expect("models/smv").flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() >= 6, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a model");
        let expected = expectations(&text);
        let code = i32::from(expected.iter().any(|(_, verdict)| verdict == "violated"));
        let path = file.display().to_string();
        let report = folder.expect(&["check", &path, "--format", "json", "--trace", "trace.json"], code);
        let report: Value = serde_json::from_str(&report).expect("a report is JSON");
        let mut found: Vec<(String, String)> = Vec::new();
        for property in report["properties"].as_array().unwrap() {
            let word = |field: &str| property[field].as_str().unwrap().to_owned();
            found.push((word("name"), word("verdict")));
            if let Some(trace) = property["counterexample"]["trace_file"].as_str() {
                let answer = folder.expect(&["validate", &path, trace], 0);
                assert!(answer.starts_with("valid: "), "{path}: {answer}");
            }
        }
        let sorted = |mut list: Vec<(String, String)>| {
            list.sort();
            list
        };
        assert_eq!(sorted(found), sorted(expected), "{path}");
    }
}
