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
