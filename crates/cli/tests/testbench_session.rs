//! The interactive session of `lariat testbench`: names with blanks, words that are none, and where it speaks.

mod common;

use common::Folder;

/// A translator that takes every until for a weak until, and whose name is its command.
fn weak() -> String {
    format!("echo %f | tr U W | '{}' translate --level low -F - >%O", env!("CARGO_BIN_EXE_lariat"))
}

#[test]
fn names_may_have_blanks() {
    let folder = Folder::new("blanks");
    let weak = weak();
    let script = format!(
        "automaton 2\nautomaton \"{weak}\" dot\nautomaton {weak} negation\nautomaton nobody\n\
         save my case.json\nsave \"my case 2\"\nsave third.json 1\nquit\n"
    );
    let arguments = ["testbench", "gpvw", &weak, "--interactive", "--states", "5", "--formulas", "60"];
    let output = folder.lariat(&arguments, &script);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("HOA: v1").count(), 2, "{text}");
    assert_eq!(text.matches("digraph").count(), 1, "{text}");
    assert!(text.contains("there is no translator `nobody`, only 1 `gpvw`, 2 `echo %f"), "{text}");
    for name in ["my case.json", "my case 2", "third.json"] {
        assert!(text.contains(&format!("saved in {name}")), "{name}: {text}");
        assert!(folder.read(name).contains("\"automata\""), "{name}");
    }
}

#[test]
fn a_translator_can_be_disabled_and_enabled_again() {
    let folder = Folder::new("disable");
    let weak = format!("{{weak}} {}", weak());
    let arguments =
        ["testbench", "gpvw", &weak, "go", "--interactive=always", "-f", "p U q", "-f", "q U p", "-f", "p U !q"];
    let script = "disable weak\ndisable nobody\nnext\nresults\nenable 2\nnext\nproblems\ndisable 1\ndisable 2\ndisable 3\nquit\n";
    let output = folder.lariat(&[&arguments[..], &["--states", "4"]].concat(), script);
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [
        "`weak` is left out from the next formula on",
        "there is no translator `nobody`",
        "formula 2: q U p  (0 problems;",
        "weak         formula  no automaton",
        "`weak` takes part from the next formula on",
        "one translator must take part",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("formula 3: p U !q  (") && !text.contains("formula 3: p U !q  (0 problems"), "{text}");
    // It is blamed for the first and the third formula, and nothing is said against it for the second.
    assert!(text.contains("`weak` is wrong in") && !text.contains("disabled"), "{text}");
}

#[test]
fn a_chosen_state_is_analysed() {
    let folder = Folder::new("analyse");
    let weak = format!("{{weak}} {}", weak());
    let word = "p & !q; cycle{p & !q}";
    let arguments = ["testbench", "gpvw", &weak, "--interactive=always", "-f", "p U q", "--word", word];
    let script = "analyse 1\nanalyse 0 gpvw negation\nanalyse 0 gpvw\nanalyse 7\nanalyse gpvw 0\nanalyse\nanalyse 0 weak dot\nquit\n";
    let output = folder.lariat(&arguments, script);
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [
        "state 1 {p} -> 1\n  gpvw         formula rejected, negation accepted\n  weak         formula accepted, negation",
        "the automaton of `weak` for the formula accepts this behaviour:\n    states    cycle{1}\n    word      cycle{p & !q}",
        "the formula is false on it:\n    [1] at 0: p U q is false",
        "`weak` is wrong: its automaton for the formula accepts this word",
        "the automaton of `gpvw` for the negation accepts this behaviour:\n    states    0; cycle{1}",
        "the automaton of `gpvw` for the formula accepts no behaviour from state 0",
        "`7` is not a state: they are numbered from 0 to 1",
        "`gpvw` is not a state: they are numbered from 0 to 1",
        "`analyse` needs the number of a state",
        "`dot` is not `negation`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_is_no_text_is_no_command() {
    let folder = Folder::new("bytes");
    let arguments = ["testbench", "go", "--interactive=always", "--formulas", "9"];
    let output = folder.lariat(&arguments, b"\xff\xfe\nresults\nquit\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("is not a command") && text.contains("go           formula"), "{text}");
}

#[test]
fn where_standard_output_is_for_scripts_the_session_is_on_standard_error() {
    let folder = Folder::new("voice");
    for format in ["json", "csv", "html"] {
        let arguments = ["testbench", "go", "--interactive=always", "--formulas", "2", "--format", format];
        let output = folder.lariat(&arguments, b"formula\nnext\nnext\n");
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert!(err.contains("> ") && err.contains("SPIN"), "{format}: {err}");
        assert!(!out.contains("help") && !out.contains("SPIN"), "{format}: {out}");
        if format == "json" {
            serde_json::from_str::<serde_json::Value>(&out).expect("nothing but JSON");
        }
    }
}
