//! What `lariat testbench` reads and writes: outputs of translators that are no files, reports in files, and what is in them.

mod common;

use common::Folder;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// A translator that takes every until for a weak until.
fn weak() -> String {
    format!("{{weak}} echo %f | tr U W | '{}' translate --level low -F - >%O", env!("CARGO_BIN_EXE_lariat"))
}

/// A time limit for everything: what hangs leaves nothing tested.
const ENOUGH: &str = "10h";

fn failures(folder: &Folder, commands: &[&str]) -> Vec<(String, String)> {
    let options = ["--formulas", "1", "--no-shrink", "--cases", "9", "--time-limit", ENOUGH, "--format", "json"];
    let report = folder.json(&[&["testbench"], commands, &options].concat(), 1);
    let cases = report["cases"].as_array().expect("a list").iter();
    let failure = |case: &Value| {
        let failure = &case["found"]["failure"];
        let text = |name: &str| failure[name].as_str().unwrap_or_default().to_owned();
        (case["found"]["negated"] == false).then(|| (text("kind"), text("detail")))
    };
    cases.filter_map(failure).collect()
}

#[cfg(unix)]
#[test]
fn an_output_that_is_no_regular_file_is_not_opened() {
    let folder = Folder::new("irregular");
    let commands = [
        "{pipe} mkfifo %O; : %f",
        "{device} ln -s /dev/zero %O; : %f",
        "{folder} mkdir %O; : %f",
        "{link-to-pipe} mkfifo $(dirname %O)/pipe; ln -s pipe %O; : %f",
        "{instead-of-stdout} rm $(dirname %F)/stdout; mkfifo $(dirname %F)/stdout",
        "{failing} mkfifo %O; : %f; exit 3",
    ];
    let found = failures(&folder, &commands);
    let irregular = ("unreadable".to_owned(), "the output is not a regular file".to_owned());
    let mut expected = vec![irregular; 5];
    expected.push(("exit-code".to_owned(), "exit code 3".to_owned()));
    assert_eq!(found, expected);
    // A link to a regular file is one.
    let link = format!("{{link}} '{}' translate %f >$(dirname %O)/real; ln -s real %O", env!("CARGO_BIN_EXE_lariat"));
    folder.expect(&["testbench", "go", &link, "--formulas", "2"], 0);
}

#[test]
fn what_is_wrong_with_an_automaton_is_told_by_its_line() {
    let folder = Folder::new("banner");
    folder.file("banner", "Translator 1.0\nHOA: v1\nAcceptance: 0 t\n--BODY--\n--END--\n");
    folder.file("late", "\n\nHOA: v1.1\nAcceptance: 0 t\n--BODY--\n--END--\n");
    folder.file("two", "HOA: v1\nAcceptance: 0 t\n--BODY--\n--END--\n".repeat(2).as_str());
    let found = failures(&folder, &["{a} cat banner; : %f", "{b} cat late; : %f", "{c} cat two; : %f"]);
    let expected = [
        ("unreadable", "line 1 of the output: expected `HOA: v1`, found `Translator`"),
        ("unreadable", "line 3 of the output: version 1.1 of the format is not known"),
        ("nonsensical", "the output has 2 automata"),
    ];
    assert_eq!(found, expected.map(|(kind, detail)| (kind.to_owned(), detail.to_owned())));
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_the_run() {
    let folder = Folder::new("unwritable");
    folder.file("old.csv", "precious\n");
    std::fs::create_dir(folder.0.join("folder")).expect("a folder");
    let command = "{x} touch ran; echo %f";
    for (files, said) in [
        (&["--csv", "old.csv", "--html", "new.html", "--json", "no-such-folder/x.json"][..], "no-such-folder/x.json"),
        (&["--csv", "old.csv", "--html", "folder"], "cannot write `folder`"),
        (&["--csv", "old.csv", "--html", "./old.csv"], "--csv and --html both write `./old.csv`"),
        (&["--json", "new.html", "--html", "folder/../new.html"], "--json and --html both write"),
    ] {
        let output = folder.lariat(&[&["testbench", command, "--formulas", "1"], files].concat(), "");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(3) && text.contains(said), "{files:?}: {text}");
        assert!(!folder.0.join("ran").exists() && !folder.0.join("new.html").exists(), "{files:?}");
        assert_eq!(folder.read("old.csv"), "precious\n", "{files:?}");
    }
    // A longer report of before is gone altogether.
    folder.file("old.csv", &"precious\n".repeat(1000));
    folder.expect(&["testbench", "go", "--formulas", "1", "--csv", "old.csv", "--html", "/dev/null"], 0);
    let text = folder.read("old.csv");
    assert!(text.starts_with("formula,tool,") && text.lines().count() == 3, "{text}");
}

#[test]
fn a_report_that_is_lost_is_told() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["testbench", "go", "--formulas", "2"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("lariat starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && text.contains("cannot write standard output"), "{text}");
    // What is lost in a file keeps nothing from standard output.
    let folder = Folder::new("lost");
    let output = folder.lariat(&["testbench", "go", "--formulas", "2", "--json", "/dev/full"], "");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("No problem detected."));
}

/// The sum of some numbers of a report.
fn sum<'a>(values: impl IntoIterator<Item = &'a Value>) -> u64 {
    values.into_iter().map(|value| value.as_u64().unwrap_or(0)).sum()
}

#[test]
fn failures_and_comparisons_are_counted_by_formula_size_set_and_structure() {
    let folder = Folder::new("counts");
    let weak = weak();
    let fails = "{fails} test %f != '!p0'; exit 4";
    let mut arguments = vec!["testbench", "gpvw", &weak, "go", fails, "--formulas", "24", "--structure", "both"];
    arguments.extend(["--no-shrink", "--html", "page.html", "--json", "report.json"]);
    let text = folder.expect(&arguments, 1);
    let report: Value = serde_json::from_str(&folder.read("report.json")).expect("JSON");
    for (index, one) in report["translators"].as_array().expect("a list").iter().enumerate() {
        let generation = one["generation"].as_array().expect("a list");
        assert_eq!(sum(generation.iter().map(|entry| &entry["attempts"])), one["attempts"].as_u64().unwrap());
        assert_eq!(sum(generation.iter().map(|entry| &entry["failed"])), if index == 3 { 96 } else { 0 });
        assert_eq!(generation.iter().map(|entry| &entry["symbols"]).collect::<Vec<_>>(), [4, 5, 6, 7]);
        for check in ["cross-comparison", "consistency", "intersection"] {
            for count in ["made", "failed"] {
                let by_symbols = one["checks_by_symbols"].as_object().expect("by size").values();
                let by_symbols = sum(by_symbols.map(|size| &size[check][count]));
                assert_eq!(by_symbols, one["checks"][check][count].as_u64().unwrap_or(0), "{index} {check}: {one}");
            }
        }
        let structures = one["structures"].as_array().expect("a list");
        let kinds: Vec<(&Value, &Value)> = structures.iter().map(|one| (&one["set"], &one["structure"])).collect();
        assert_eq!(kinds, [(&json!("all"), &json!("graph")), (&json!("all"), &json!("path"))]);
        let pairs = structures.iter().flat_map(|one| one["cross_comparison"].as_object().expect("by name").values());
        let cross = &one["checks"]["cross-comparison"]["failed"];
        assert_eq!(sum(pairs.map(|pair| &pair["failed"])), cross.as_u64().unwrap_or(0));
        assert_eq!(sum([cross]) > 0, index < 3, "{one}");
    }
    let title = "Comparisons with a fault / performed, by formula size and check";
    assert!(text.contains(title) && folder.read("page.html").contains(title), "{text}");
}

#[test]
fn a_report_has_all_options() {
    let folder = Folder::new("options");
    let mut arguments = vec!["testbench", "{x} go:high", "--formulas", "3", "--symbols", "2..3", "--density", "0.5"];
    arguments.extend(["--weights", "X=3", "--states", "7", "--structure", "path", "--run-time", "1500ms"]);
    let options = &folder.json(&[&arguments[..], &["--format", "json"]].concat(), 0)["options"];
    for (name, value) in [
        ("translators", json!(["{x} go:high"])),
        ("formulas", json!(3)),
        ("symbols", json!("2..3")),
        ("density", json!(0.5)),
        ("weights", json!("X=3")),
        ("states", json!(7)),
        ("structure", json!("path")),
        ("run_time", json!(1.5)),
        ("truth", json!(0.5)),
        ("file", json!([])),
        ("time_limit", Value::Null),
    ] {
        assert_eq!(options[name], value, "{name}: {options}");
    }
    // Whatever is on the command line is there, apart from what only concerns the report, and from options without a
    // value, which are absent.
    let absent = ["word", "time_limit", "equivalence_time", "interactive"];
    let help = folder.expect(&["testbench", "--help"], 0);
    let all = help.lines().filter_map(|line| line.trim_start().split("--").nth(1).filter(|_| line.contains(" --")));
    let all = all.map(|rest| rest.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or_default());
    let mut seen = 0;
    // Also without second names of options.
    let others = [
        "color",
        "no-pager",
        "json",
        "csv",
        "html",
        "save-bogus",
        "grind",
        "format",
        "help",
        "timeout",
        "stop-on-error",
        "",
    ];
    for name in all.filter(|name| !others.contains(name)) {
        let name = name.replace('-', "_");
        assert_eq!(options.get(&name).is_none(), absent.contains(&name.as_str()), "{name}: {options}");
        seen += 1;
    }
    assert!(seen >= 20, "{help}");
}

/// A translator that refuses formulas with `X`, as some builds of SPIN do.
fn without_next() -> String {
    let lariat = env!("CARGO_BIN_EXE_lariat");
    format!(
        "{{old}} case %f in *X*) echo \"expected predicate, saw 'X'\"; exit 1;; esac; '{lariat}' translate --level low %f >%O"
    )
}

#[cfg(unix)]
#[test]
fn formulas_that_a_translator_does_not_support_are_no_failures() {
    let folder = Folder::new("unsupported");
    let file = folder.file("f.ltl", "p0 U p1\nX p0\nG(p0 -> X p1)\nF p0\n").display().to_string();
    let options = ["-F", &file, "--time-limit", ENOUGH];
    let old = without_next();
    let report = folder.json(&[&["testbench", "go", &old][..], &options, &["--format", "json"]].concat(), 0);
    let translator = &report["translators"][1];
    assert_eq!((&translator["unsupported"], &translator["failures"]), (&json!({ "X": 4 }), &json!({})), "{translator}");
    assert_eq!(report["cases"], json!([]));
    let text = folder.expect(&[&["testbench", "go", &old][..], &options].concat(), 0);
    assert!(text.contains("`old` does not support X: it skipped 4 formulas."), "{text}");
    // Whoever says nothing, crashes, or refuses a formula without a reason in its operators fails.
    for wrong in ["case %f in *X*) exit 1;; esac;", "case %f in *X*) kill -9 $$;; esac;", "echo no; exit 1;"] {
        let command = format!("{{wrong}} {wrong} '{}' translate %f >%O", env!("CARGO_BIN_EXE_lariat"));
        let report = folder.json(&[&["testbench", "go", &command][..], &options, &["--format", "json"]].concat(), 1);
        assert_eq!(report["translators"][1].get("unsupported"), None, "{wrong}");
    }
}
