//! `lariat translate` from outside: formats, streams, options, errors; and SPIN as a reader of never claims.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

mod common;

use common::Folder;
use kernel::budget::Budget;
use kernel::span::FileId;
use omega::combine::complement::DEFAULT_LIMIT;
use omega::combine::inclusion::difference;
use omega::io::{Format, read};
use serde_json::Value;
use std::process::Command;

const FORMULAS: &str = "# one a line\nG(a -> Fb)\n\n  a U b\nGFa & GFb\nF(a & Xb)\n0\n1\n";
const ARGUMENTS: [&str; 6] = ["G(a -> Fb)", "a U b", "GFa & GFb", "F(a & Xb)", "0", "1"];

#[test]
fn all_formats_that_can_be_read_say_the_same() {
    let folder = Folder::new("formats");
    for formula in ARGUMENTS {
        let reference = folder.expect(&["translate", formula], 0);
        let automaton = |text: &str| {
            let mut all = read(text, Format::of(text), FileId(0));
            assert_eq!(all.len(), 1, "{text}");
            all.pop().expect("one").expect("our own text is read")
        };
        let reference = automaton(&reference);
        assert!(reference.sets() == 1 && reference.is_state_based());
        for more in [
            &["--format", "never"][..],
            &["--format", "never", "--claim-style", "do"],
            &["--format", "lbtt"],
            &["--generalized"],
            &["--generalized", "--format", "lbtt"],
            &["--with", "go", "--level", "low"],
            &["--with", "gpvw", "--level", "low"],
            &["--with", "tight", "--level", "medium"],
            &["--deterministic"],
        ] {
            let arguments: Vec<&str> = ["translate", formula].iter().chain(more).copied().collect();
            let other = automaton(&folder.expect(&arguments, 0));
            let word = difference(&reference, &other, DEFAULT_LIMIT, &Budget::unlimited()).expect("small");
            assert_eq!(word, None, "{arguments:?}");
        }
        let negation = automaton(&folder.expect(&["translate", formula, "--negate"], 0));
        assert!(
            difference(&reference, &negation, DEFAULT_LIMIT, &Budget::unlimited()).expect("small").is_some(),
            "{formula}"
        );
    }
}

#[test]
fn a_file_gives_the_same_as_arguments() {
    let folder = Folder::new("file");
    let file = folder.file("f.ltl", FORMULAS).display().to_string();
    let all: Vec<&str> = ["translate"].into_iter().chain(ARGUMENTS).collect();
    let expected = folder.expect(&all, 0);
    assert_eq!(folder.expect(&["translate", "-F", &file], 0), expected);
    let piped = folder.lariat(&["translate", "-F", "-"], FORMULAS);
    assert_eq!(String::from_utf8_lossy(&piped.stdout), expected);
    let sizes = folder.expect(&["translate", "-F", &file, "--stats"], 0);
    assert_eq!(sizes.lines().count(), 6);
    assert_eq!(sizes.lines().next(), Some("2 states, 4 edges, 8 transitions, deterministic"));
}

#[test]
fn sizes_as_json() {
    let folder = Folder::new("sizes");
    let text = folder.expect(&["translate", "GFa & GFb", "--generalized", "--stats", "--format", "json"], 0);
    let sizes: Value = serde_json::from_str(&text).expect("JSON");
    let expected = [("states", 1), ("acceptance_sets", 2), ("transitions", 4), ("nondeterministic_states", 0)];
    for (field, value) in expected {
        assert_eq!(sizes[field], value, "{sizes}");
    }
    assert_eq!((&sizes["name"], &sizes["deterministic"]), (&"GFa & GFb".into(), &true.into()));
    let automaton: Value =
        serde_json::from_str(&folder.expect(&["translate", "Ga", "--format", "json"], 0)).expect("JSON");
    assert_eq!(automaton["states"].as_array().map(Vec::len), Some(1));
    assert!(folder.expect(&["translate", "Ga", "--format", "dot"], 0).starts_with("digraph"));
}

#[test]
fn each_syntax_is_read() {
    let folder = Folder::new("syntax");
    let expected = folder.expect(&["translate", "G(a -> Fb)"], 0);
    for (syntax, formula) in [("spin", "[](a -> <>b)"), ("lbt", "G i a F b"), ("nusmv", "G (a -> F b)")] {
        assert_eq!(folder.expect(&["translate", "--syntax", syntax, formula], 0), expected, "{syntax}");
    }
}

#[test]
fn a_mistake_is_shown_and_the_rest_is_translated() {
    let folder = Folder::new("mistake");
    let file = folder.file("f.ltl", "Fa\nG(a -> \nGa\n").display().to_string();
    let output = folder.lariat(&["translate", "-F", &file, "--stats"], "");
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("error[L0102]") && errors.contains("f.ltl:2:7") && errors.contains('^'), "{errors}");
}

#[test]
fn wrong_usage_is_told_apart() {
    let folder = Folder::new("usage");
    folder.expect(&["translate"], 3);
    folder.expect(&["translate", "-F", "missing.ltl"], 3);
    folder.expect(&["translate", "a", "--format", "never", "--generalized"], 3);
    folder.expect(&["translate", "a", "--with", "magic"], 3);
    folder.expect(&["translate", "a", "--small", "--deterministic"], 3);
}

#[test]
fn every_step_is_shown_when_asked_for() {
    let folder = Folder::new("verbose");
    let output = folder.lariat(&["translate", "GFa & GFb", "--verbose"], "");
    let steps = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(steps.starts_with("GFa & GFb\n") && steps.contains("couvreur") && steps.contains("simulation"), "{steps}");
}

#[test]
fn deep_nesting_is_no_overflow() {
    let folder = Folder::new("deep");
    let text = format!("{}a{}\n", "(".repeat(200_000), ")".repeat(200_000));
    let output = folder.lariat(&["translate", "-F", "-", "--stats"], &text);
    assert_eq!(output.status.code(), Some(0));
}

/// SPIN makes verifiers of our claims, in both styles.
#[test]
fn spin_reads_our_never_claims() {
    if Command::new("spin").arg("-V").output().is_err() {
        println!("skipped: SPIN is not installed");
        return;
    }
    let folder = Folder::new("spin");
    let model = "bool a, b; active proctype P() { do :: a = !a :: b = !b od }";
    let model = folder.file("m.pml", model);
    let place = model.parent().expect("a file is in a folder");
    for formula in
        ["G(a -> Fb)", "a U b", "GFa & FG!b", "!(a xor b) W Xa", "0", "1", "G(\"a == b\" -> X(a U \"b > 0\"))"]
    {
        for style in ["if", "do"] {
            let claim = folder.expect(&["translate", formula, "--format", "never", "--claim-style", style], 0);
            let claim = folder.file("claim.never", &claim).display().to_string();
            let mut spin = Command::new("spin");
            let output = spin.args(["-a", "-N", &claim, "m.pml"]).current_dir(place).output().expect("SPIN starts");
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !said.contains("rror"), "{formula}, {style}: {said}");
            std::fs::remove_file(place.join("pan.c")).expect("SPIN has written a verifier");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let folder = Folder::new("full");
    let automaton = folder.expect(&["translate", "Ga"], 0);
    folder.file("a.hoa", &automaton);
    for arguments in
        [&["translate", "Ga"][..], &["formula", "Ga"], &["formula", "--count", "Ga"], &["automaton", "a.hoa"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
        let output = command.args(arguments).current_dir(&folder.0).stdout(full).output().expect("lariat runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {message}");
        assert!(message.contains("cannot write standard output"), "{arguments:?}: {message}");
    }
}
