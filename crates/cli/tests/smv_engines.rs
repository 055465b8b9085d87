//! The real binary on SMV models with engines other than decision diagrams, and under the name of NuSMV.

mod common;

use common::Folder;
use common::smv::COUNTER;

/// Words whose product no decision diagram holds; the formula is false after two steps.
const PRODUCT: &str = "MODULE main
VAR a : unsigned word[32]; b : unsigned word[32]; product : unsigned word[32]; last : unsigned word[32];
ASSIGN
  init(product) := 0ud32_0; init(last) := 0ud32_0;
  next(a) := a; next(b) := b; next(product) := a * b; next(last) := product;
LTLSPEC G last != 0ud32_3000000021
CTLSPEC AG last != 0ud32_3000000021
CTLSPEC EF last = 0ud32_3000000021
";

#[test]
fn a_limit_of_decision_diagrams_suggests_sat() {
    let folder = Folder::new("suggestion");
    folder.file("product.smv", PRODUCT);
    let text = folder.expect(&["check", "product.smv", "--engine", "bdd", "--time-limit", "3s", "--no-save"], 2);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("--engine auto also tries SAT")).collect();
    let names: Vec<&str> = lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["ltlspec-1", "ctlspec-2"], "{text}");
}

/// What a user gets who names no engine: a shortest violation of a product that no diagram holds.
#[test]
fn the_default_engine_refutes_a_product_of_wide_words() {
    let folder = Folder::new("default");
    folder.file("product.smv", PRODUCT);
    let report = folder.json(&["check", "product.smv", "--property", "ltlspec-1", "--format", "json", "--no-save"], 1);
    let shown = &report["properties"][0];
    assert_eq!(shown["engine"]["search"].as_str(), Some("bmc"), "{report}");
    assert_eq!(shown["counterexample"]["minimal"].as_bool(), Some(true), "{report}");
}

/// Diagrams decide a small model before SAT begins, and give no certificate.
#[test]
fn a_file_for_certificates_says_if_there_is_none() {
    let folder = Folder::new("no-certificate");
    folder.file("counter.smv", COUNTER);
    folder.expect(&["check", "counter.smv", "--no-save", "--certificate", "proofs.smv"], 1);
    let text = folder.read("proofs.smv");
    assert!(text.starts_with("-- SAT proved no property"), "{text}");
}

/// What diagrams leave open is reported once, as SAT decides it, and its counterexample is the one that is saved.
#[test]
fn the_engines_together_report_each_property_once() {
    let folder = Folder::new("together");
    folder.file("product.smv", PRODUCT);
    let arguments = ["check", "product.smv", "--engine", "auto", "--property", "ltlspec-1", "--trace", "t.json"];
    let text = folder.expect(&arguments, 1);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("ltlspec-1 ")).collect();
    assert!(matches!(lines[..], [only] if only.contains("violated")), "{text}");
    folder.expect(&["validate", "product.smv", "t.json"], 0);
}

/// More states than can be listed: SAT proves the lasso that diagrams found to be a shortest one.
#[test]
fn a_lasso_of_a_large_model_is_proved_shortest() {
    let folder = Folder::new("large-shortest");
    let path = format!("{}/../../models/smv/rotation.smv", env!("CARGO_MANIFEST_DIR"));
    let report = folder.json(&["check", &path, "--format", "json", "--no-save"], 1);
    let shown = &report["properties"][0]["counterexample"];
    assert_eq!((shown["length"].as_u64(), shown["minimal"].as_bool()), (Some(3), Some(true)), "{report}");
}

/// What says the same as LTL is decided by SAT; that a state can be reached is not.
#[test]
fn sat_decides_branching_time_that_is_linear() {
    let folder = Folder::new("branching");
    folder.file("product.smv", PRODUCT);
    let report = folder.json(&["check", "product.smv", "--engine", "bmc", "--format", "json", "--no-save"], 1);
    let verdicts: Vec<&str> =
        report["properties"].as_array().expect("properties").iter().filter_map(|one| one["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["violated", "violated", "unknown"]);
}

/// A property that is never proved does not keep those after it from an answer.
#[test]
fn a_property_without_an_answer_does_not_keep_the_others_waiting() {
    let folder = Folder::new("turns");
    folder.file("turns.smv", "MODULE main\nVAR p : boolean;\nINIT p\nTRANS next(p) = p\nLTLSPEC G F p\nLTLSPEC F !p\n");
    let text = folder.expect(&["check", "turns.smv", "--engine", "bmc", "--time-limit", "4s", "--no-save"], 1);
    assert!(text.contains("ltlspec-2  violated"), "{text}");
    let open = text.lines().find(|line| line.starts_with("ltlspec-1")).expect("a line for each property");
    assert!(open.contains("unknown") && open.contains("no counterexample has fewer than"), "{text}");
}

/// Scripts that call `NuSMV` need no change.
#[cfg(unix)]
/// Its only state that follows another has no successor, and it states no property.
const DEAD_END: &str = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := TRUE;\nTRANS !x\n";

#[test]
fn what_no_engine_decided_is_not_called_complete() {
    let folder = Folder::new("dead-end");
    folder.file("m.smv", DEAD_END);
    let check = |arguments: &[&str]| {
        let output = folder.lariat(&[&["check", "--no-save", "m.smv"], arguments].concat(), "");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (code, text) = check(&["--engine", "auto"]);
    assert_eq!(code, Some(1), "{text}");
    for more in [&[][..], &["--kind", "deadlock"]] {
        let (code, text) = check(&[&["--engine", "auto", "--time-limit", "0s"], more].concat());
        assert_eq!(code, Some(2), "{text}");
        assert!(!text.contains("SAT had answered"), "{text}");
    }
    let (code, text) = check(&["--engine", "ic3", "--property", "deadlock"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("`deadlock` and `fairness` need decision diagrams"), "{text}");
    let (_, text) = check(&["--engine", "bmc"]);
    assert!(text.contains("nothing was checked"), "{text}");
    let (code, text) = check(&["--engine", "auto", "--time-limit", "0s", "--ltl", "F x"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(!text.contains("also tries SAT"), "{text}");
}

#[test]
fn a_link_named_nusmv_is_the_shell_of_nusmv() {
    let folder = Folder::new("link");
    folder.file("counter.smv", COUNTER);
    folder.file("script", "read_model -i counter.smv\ngo\ncheck_property\nquit\n");
    for arguments in [&["counter.smv"][..], &["-source", "script"]] {
        let expected = folder.lariat(&[&["nusmv"], arguments].concat(), "");
        for name in ["NuSMV", "nusmv"] {
            let link = folder.0.join(name);
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_lariat"), &link).expect("a link");
            let run = std::process::Command::new(&link).args(arguments).current_dir(&folder.0).output();
            let found = run.expect("the link starts");
            assert_eq!(String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&expected.stdout));
            assert_eq!(found.status.code(), expected.status.code());
        }
        assert!(String::from_utf8_lossy(&expected.stdout).contains("-- "), "{expected:?}");
    }
}
