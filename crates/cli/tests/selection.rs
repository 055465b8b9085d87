//! The selection of properties by name, by kind and as formulas, for models in both languages, and what follows from it:
//! trace files, `replay` and `validate`.

mod common;

use common::Folder;

const SMV: &str = "\
MODULE main
VAR n : 0..2; c : cell;
ASSIGN init(n) := 0; next(n) := (n + 1) mod 3;
LTLSPEC NAME again := G F n = 1
CTLSPEC AG n < 2
INVARSPEC NAME small := n <= 2
MODULE cell
VAR x : {idle, busy};
INVARSPEC x = idle
";

const PROMELA: &str = "\
byte n;
active proctype P() { do :: n = (n + 1) % 3 od }
ltl again { []<> (n == 1) }
ltl small { [] (n < 2) }
";

/// The names, kinds and verdicts of a report, without the two properties that every SMV model has.
fn verdicts(folder: &Folder, arguments: &[&str], code: i32) -> Vec<[String; 3]> {
    let arguments: Vec<&str> = [&["check", "--format", "json"], arguments].concat();
    let report = folder.json(&arguments, code);
    let all = report["properties"].as_array().expect("properties").iter();
    let own = all.filter(|one| one["kind"] != "deadlock" && one["kind"] != "fairness");
    own.map(|one| ["name", "kind", "verdict"].map(|key| one[key].as_str().expect("a text").to_owned())).collect()
}

#[test]
fn both_languages_select_by_name_kind_and_formula() {
    let folder = Folder::new("selection");
    folder.file("m.smv", SMV);
    folder.file("m.pml", PROMELA);
    folder.file("formulas.txt", "# two\nG n < 3\nF n = 2\n");
    let row = |name: &str, kind: &str, verdict: &str| [name.to_owned(), kind.to_owned(), verdict.to_owned()];
    for (arguments, code, expected) in [
        (&["m.smv", "--property", "small"][..], 0, vec![row("small", "invariant", "holds")]),
        (&["m.smv", "--kind", "ltl"], 0, vec![row("again", "ltl", "holds")]),
        (&["m.smv", "--ltl", "again"], 0, vec![row("again", "ltl", "holds")]),
        (&["m.smv", "--ctl", "ctlspec-2"], 1, vec![row("ctlspec-2", "ctl", "violated")]),
        (&["m.smv", "--ltl", "G  (n = 1 -> X n = 2)"], 0, vec![row("G (n = 1 -> X n = 2)", "ltl", "holds")]),
        (&["m.smv", "--ctl", "EF n = 2"], 0, vec![row("EF n = 2", "ctl", "holds")]),
        (&["m.smv", "--invariant", "c.x = idle"], 1, vec![row("c.x = idle", "invariant", "violated")]),
        (
            &["m.smv", "--ltl", "F n = 2", "--invariant", "n < 3", "--property", "small"],
            0,
            vec![
                row("small", "invariant", "holds"),
                row("F n = 2", "ltl", "holds"),
                row("n < 3", "invariant", "holds"),
            ],
        ),
        (
            &["m.smv", "--ltl-file", "formulas.txt"],
            0,
            vec![row("G n < 3", "ltl", "holds"), row("F n = 2", "ltl", "holds")],
        ),
        (&["m.pml", "--property", "again"], 0, vec![row("again", "ltl", "holds")]),
        (&["m.pml", "--kind", "ltl"], 1, vec![row("again", "ltl", "holds"), row("small", "ltl", "violated")]),
        (&["m.pml", "--ltl", "small"], 1, vec![row("small", "ltl", "violated")]),
        (&["m.pml", "--ltl", "<> (n == 2)"], 0, vec![row("<> (n == 2)", "ltl", "holds")]),
        (&["m.pml", "--invariant", "n < 3"], 0, vec![row("n < 3", "invariant", "holds")]),
        (&["m.pml", "--invariant", "n < 2 || n == 7"], 1, vec![row("n < 2 || n == 7", "invariant", "violated")]),
    ] {
        assert_eq!(verdicts(&folder, arguments, code), expected, "{arguments:?}");
    }
}

#[test]
fn selections_that_make_no_sense_are_explained() {
    let folder = Folder::new("senseless");
    folder.file("m.smv", SMV);
    folder.file("m.pml", PROMELA);
    for (arguments, code, expected) in [
        (&["m.pml", "--ctl", "AG EF n == 1"][..], 3, "a CTL formula is about the tree of all runs"),
        (&["m.pml", "--invariant", "<> (n == 1)"], 4, "a temporal operator in an invariant"),
        (&["m.pml", "--kind", "compute"], 3, "the model states no property of the kind `compute`"),
        (&["m.smv", "--kind", "never"], 3, "the model states no property of the kind `never`"),
        (&["m.smv", "--property", "no"], 3, "there is no property `no`"),
        (&["m.smv", "--ltl", "AG n = 1"], 4, "an operator of branching time in an LTL formula"),
        (&["m.smv", "--ctl", "AG (n = 1 &"], 4, "<command line>:1:"),
        (&["m.smv", "--invariant", "k = 1"], 4, "there is no variable, symbol or definition `k`"),
        (&["m.smv", "--ltl", "nosuch"], 4, "the properties of this model are `"),
        (&["m.smv", "--safety"], 3, "for SMV models there are `--ltl`, `--ctl`, `--invariant`"),
    ] {
        let output = folder.lariat(&[&["check", "--no-save"], arguments].concat(), "");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.contains(expected), "no `{expected}` in {message}");
    }
}

#[test]
fn traces_of_formulas_are_replayed_and_validated() {
    let folder = Folder::new("formulas");
    folder.file("m.smv", SMV);
    folder.file("m.pml", PROMELA);
    for (model, arguments) in [
        ("m.smv", ["--invariant", "c.x = idle & n < 2"]),
        ("m.smv", ["--ltl", "F G n = 1"]),
        ("m.smv", ["--ctl", "AG (n = 1 -> AX n = 0)"]),
        ("m.pml", ["--invariant", "n != 2"]),
        ("m.pml", ["--ltl", "<> [] (n == 1)"]),
    ] {
        folder.expect(&["check", model, arguments[0], arguments[1], "--trace", "t.json"], 1);
        folder.expect(&["replay", model, "t.json"], 0);
        let valid = folder.expect(&["validate", model, "t.json"], 0);
        assert!(valid.starts_with("valid"), "{valid}");
        let shown = folder.lariat(&["replay", model, "t.json", "-i"], "q\n");
        assert!(shown.status.success(), "{shown:?}");
        // The name is that of the formula, and the file is not changed.
        let saved = folder.read("t.json");
        for (from, to) in [("\"property\":\"", "\"property\":\"small "), ("\"formula\":\"", "\"formula\":\" ")] {
            assert!(saved.contains(from), "{saved}");
            folder.file("t.json", &saved.replace(from, to));
            assert_eq!(folder.lariat(&["validate", model, "t.json"], "").status.code(), Some(1), "{arguments:?}");
        }
    }
}

#[test]
fn a_property_that_the_model_lacks_has_one_exit_code() {
    let folder = Folder::new("lacks");
    for (model, text, other) in [
        ("m.smv", SMV.replace("small := n <= 2", "low := n < 2"), SMV.replace("small", "other")),
        ("m.pml", PROMELA.replace("ltl small", "ltl low"), PROMELA.replace("small", "other")),
    ] {
        folder.file(model, &text);
        folder.expect(&["check", model, "--property", "low", "--trace", "t.json"], 1);
        folder.file(model, &other);
        for command in ["replay", "validate"] {
            let output = folder.lariat(&[command, model, "t.json"], "");
            let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
            assert_eq!(output.status.code(), Some(1), "{command} {model}: {out}{err}");
            assert!((out + &err).contains("the model has no property `low`"), "{command} {model}");
        }
    }
}

#[test]
fn one_property_of_safety_can_be_selected() {
    let folder = Folder::new("one-of-safety");
    folder.file("failing.pml", "active proctype P() { assert(false) }");
    folder.file("broken.pml", "byte x; active proctype P() { if :: x = 1 / x :: assert(true) fi }");
    let names = |options: &[&str], code: i32| {
        let arguments: Vec<&str> = ["check", "--no-save", "--format", "json"].iter().chain(options).copied().collect();
        let report = folder.json(&arguments, code);
        let properties = report["properties"].as_array().expect("properties").clone();
        properties.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--property", "end states", "failing.pml"], 0), ["end states"]);
    assert_eq!(names(&["--kind", "end-state", "failing.pml"], 0), ["end states"]);
    assert_eq!(names(&["--property", "assertions", "--first", "failing.pml"], 1), ["assertions"]);
    assert_eq!(names(&["--kind", "assertion", "failing.pml"], 1), ["assertions", "run-time errors"]);
    // A run-time error hides the continuations of a run, also if it is not asked for.
    assert_eq!(names(&["--property", "end states", "broken.pml"], 2), ["end states"]);
}

#[test]
fn formulas_of_the_command_line_are_named_in_the_format_of_nusmv() {
    let folder = Folder::new("nusmv-named");
    folder.file("m.smv", "MODULE main VAR b : boolean; ASSIGN init(b) := FALSE; next(b) := b;");
    let text = folder.expect(&["check", "--no-save", "--nusmv-output", "--ctl", "AG !b", "m.smv"], 0);
    assert_eq!(text, "-- specification AG !b  is true\n");
    let text = folder.expect(&["check", "--no-save", "--property", "deadlock", "m.smv"], 0);
    assert!(text.contains("deadlock"), "{text}");
}
