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
    assert_eq!(sizes.lines().next(), Some("G(a -> Fb): 2 states, 4 edges, 8 transitions, deterministic"));
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

#[test]
fn every_row_names_its_formula_in_every_format() {
    let folder = Folder::new("rows");
    let file = folder.file("f.ltl", "Fa\nG(a -> \nG(a -> \"x, y\")\n").display().to_string();
    let rows = |format: &str| {
        let output = folder.lariat(&["translate", "-F", &file, format], "");
        assert_eq!(output.status.code(), Some(4), "{format}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(
        rows("--stats"),
        "Fa: 2 states, 3 edges, 4 transitions, deterministic\n\
         G(a -> \"x, y\"): 1 state, 1 edge, 3 transitions, deterministic\n"
    );
    assert_eq!(
        rows("--stats=csv"),
        "number,name,states,edges,transitions,acceptance_sets,deterministic,nondeterministic_states,complete,state_based\n\
         1,\"Fa\",2,3,4,1,true,0,true,true\n3,\"G(a -> \"\"x, y\"\")\",1,1,3,1,true,0,false,true\n"
    );
    assert_eq!(rows("--stats=%l|%f|%s|%e|%t|%a|%n|%d|%p|%c%%").lines().next(), Some("1|Fa|2|3|4|1|0|1|1|2%"));
    let json = rows("--stats=json");
    let names: Vec<Value> = json.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect();
    assert_eq!((&names[0]["name"], &names[0]["number"]), (&"Fa".into(), &1.into()));
    assert_eq!((&names[1]["name"], &names[1]["number"]), (&"G(a -> \"x, y\")".into(), &3.into()));
    for wrong in ["--stats=%z", "--stats=xml", "--stats=50%"] {
        folder.expect(&["translate", "a", wrong], 3);
    }
    folder.expect(&["translate", "a", "--stats=csv", "--format", "json"], 3);
}

#[test]
fn filters_keep_sizes_classes_and_stutter_invariance() {
    let folder = Folder::new("filters");
    let formulas = ["Ga", "Fa", "GFa", "FGa", "Xa", "GFa & FGb", "a U b"];
    let kept = |command: &str, filter: &[&str], code: i32| -> Vec<String> {
        let name: &[&str] = if command == "translate" { &["--stats=%f"] } else { &[] };
        let all: Vec<&str> = [command].iter().chain(&formulas).chain(filter).chain(name).copied().collect();
        folder.expect(&all, code).lines().map(str::to_owned).collect()
    };
    for (filter, expected) in [
        (&["--class", "safety"][..], &["Ga", "Xa"][..]),
        (&["--class", "guarantee"], &["Fa", "Xa", "a U b"]),
        (&["--class", "obligation"], &["Ga", "Fa", "Xa", "a U b"]),
        (&["--class", "recurrence", "--class", "persistence"], &["Ga", "Fa", "Xa", "a U b"]),
        (&["--stutter-invariant=no"], &["Xa"]),
        (&["--stutter-invariant", "--class", "safety"], &["Ga"]),
        (&["--with-states", "1"], &["Ga"]),
        (&["--with-states", "..1"], &["Ga"]),
        (&["--with-states", "3.."], &["Xa"]),
    ] {
        for command in ["translate", "formula"] {
            let found = kept(command, filter, 0);
            let found: Vec<&str> = found
                .iter()
                .map(String::as_str)
                .filter(|name| *name != "GFa & FGb" || expected.contains(name))
                .collect();
            assert_eq!(found, expected, "{command} {filter:?}");
        }
    }
    for command in ["translate", "formula"] {
        assert_eq!(kept(command, &["--with-edges", "1000.."], 1), Vec::<String>::new());
    }
    let all: Vec<&str> = ["translate"].iter().chain(&formulas).copied().collect();
    let file = folder.file("all.hoa", &folder.expect(&all, 0)).display().to_string();
    for (filter, expected) in [
        (&["--class", "safety"][..], &["Ga", "Xa"][..]),
        (&["--stutter-invariant=no"], &["Xa"]),
        (&["--with-edges", "1"], &["Ga"]),
        (&["--complement", "--class", "safety"], &["Fa", "Xa", "a U b"]),
    ] {
        let all: Vec<&str> = ["automaton", &file, "--stats=%f"].iter().chain(filter).copied().collect();
        assert_eq!(folder.expect(&all, 0).lines().collect::<Vec<_>>(), expected, "{filter:?}");
    }
    folder.expect(&["automaton", &file, "--with-states", "50.."], 1);
    folder.expect(&["automaton", &file, "--with-states", "5..2"], 3);
}

#[test]
fn drawings_for_latex_are_one_document() {
    let folder = Folder::new("tikz");
    let text = folder.expect(&["translate", "Ga", "a U b", "--format", "tikz"], 0);
    assert!(text.starts_with("\\documentclass") && text.ends_with("\\end{document}\n"), "{text}");
    assert_eq!(text.matches("\\begin{tikzpicture}").count(), 2, "{text}");
    assert_eq!(text.matches("\\begin{document}").count(), 1, "{text}");
    let hoa = folder.file("a.hoa", &folder.expect(&["translate", "Ga", "a U b"], 0)).display().to_string();
    assert_eq!(folder.expect(&["automaton", &hoa, "--format", "tikz"], 0), text);
    if Command::new("pdflatex").arg("--version").output().is_err() {
        println!("not compiled: LaTeX is not installed");
        return;
    }
    folder.file("drawing.tex", &text);
    let mut latex = Command::new("pdflatex");
    let output = latex.args(["-interaction=nonstopmode", "drawing.tex"]).current_dir(&folder.0).output();
    let output = output.expect("LaTeX starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_limit_on_many_formulas_is_reported_once() {
    let folder = Folder::new("many");
    for command in ["translate", "formula"] {
        let output = folder.lariat(&[command, "--time-limit", "0s", "Ga", "Fa", "GFa"], "");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 2), "{errors}");
        assert!(errors.ends_with("2 further formulas not processed: the time limit was reached\n"), "{errors}");
    }
}
