//! `lariat formula` from outside: changes, filters, classes, proofs, notations.

mod common;

use common::Folder;
use serde_json::Value;

#[test]
fn formulas_are_changed_in_a_fixed_order() {
    let folder = Folder::new("change");
    for (arguments, expected) in [
        (&["G(a -> Fb)"][..], "G(a -> Fb)\n"),
        (&["G(a -> Fb)", "--negate", "--nnf"], "F(a & G!b)\n"),
        (&["GF(a | X(b U c))", "--simplify"], "GF(a | c)\n"),
        (&["\"x > 1\" U (y & z)", "--relabel", "abc"], "a U (b & c)\n"),
        (&["b U a", "--relabel", "pnn"], "p0 U p1\n"),
        (&["G(a -> Fb)", "--to", "spin"], "[](a -> <>b)\n"),
        (&["G(a -> Fb)", "--to", "lbt"], "G i \"a\" F \"b\"\n"),
        (&["G(a -> Fb)", "--to", "utf8"], "□(a → ◇b)\n"),
        (&["G(a -> Fb)", "--to", "wring"], "G(a=1 -> F(b=1))\n"),
        (&["a U b", "--size"], "a U b: size 3\n"),
        (&["a U b", "Fa", "--count"], "2\n"),
    ] {
        let all: Vec<&str> = ["formula"].iter().chain(arguments).copied().collect();
        assert_eq!(folder.expect(&all, 0), expected, "{arguments:?}");
    }
}

#[test]
fn new_names_come_in_order_whatever_the_old_ones_were() {
    let folder = Folder::new("relabel");
    let given: Vec<String> = (0..60).map(|index| format!("p{index}")).collect();
    let text = folder.expect(&["formula", &given.join(" & "), "--relabel", "abc"], 0);
    let names: Vec<&str> = text.trim().split(" & ").collect();
    assert_eq!((names.len(), names[0], names[25], names[26], names[59]), (60, "a", "z", "a1", "h2"));
    assert_eq!(folder.expect(&["formula", "p1 & p0 & F p1", "--relabel", "pnn"], 0), "p0 & p1 & Fp0\n");
}

#[test]
fn the_lines_before_do_not_change_what_is_printed() {
    let folder = Folder::new("order");
    for formula in ["b & a", "c | X a | b", "d xor c", "b <-> a"] {
        let alone = folder.expect(&["formula", formula], 0);
        let after = folder.expect(&["formula", "a U b U c U d", "Fa & Xb", formula], 0);
        assert!(after.ends_with(&format!("\n{alone}")), "{after}");
    }
}

/// Both would take minutes or fill the disk.
#[test]
fn deep_formulas_are_simplified_and_long_ones_refused() {
    let folder = Folder::new("deep");
    let deep = format!("{}b{}", "F(a & ".repeat(20_000), ")".repeat(20_000));
    let file = folder.file("deep.ltl", &deep).display().to_string();
    let text = folder.expect(&["formula", "-F", &file, "--simplify", "--size"], 0);
    assert!(text.contains("size"), "{}", text.len());
    let nested = format!("{}z{}", "(X(".repeat(40), ") xor y)".repeat(40));
    let output = folder.lariat(&["formula", &nested, "--nnf"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("are not written out"));
}

#[test]
fn filters_keep_what_matches_and_say_so_in_the_exit_code() {
    let folder = Folder::new("filter");
    let file = folder.file("f.ltl", "a U b\nFb\nGb\na W b\n").display().to_string();
    let keep = |more: &[&str], code: i32, expected: &str| {
        let all: Vec<&str> = ["formula", "-F", &file].iter().chain(more).copied().collect();
        assert_eq!(folder.expect(&all, code), expected, "{more:?}");
    };
    keep(&["--implies", "Fb"], 0, "a U b\nFb\nGb\n");
    keep(&["--equivalent-to", "!(!b W (!a & !b))"], 0, "a U b\n");
    keep(&["--equivalent-to", "Xb"], 1, "");
    keep(&["--equivalent-to", "1 U b"], 0, "Fb\n");
    keep(&["--accept-word", "a; cycle{b}"], 0, "a U b\nFb\na W b\n");
    keep(&["--reject-word", "a; cycle{b}"], 0, "Gb\n");
    keep(&["--accept-word", "cycle{!a & !b}"], 1, "");
    keep(&["--accept-word", "cycle{b}", "--reject-word", "a; cycle{!b; b}", "--count"], 0, "3\n");
}

#[test]
fn answers_are_proved() {
    let folder = Folder::new("proof");
    let text = folder.expect(&["formula", "a W b", "--implies", "a U b", "--explain"], 1);
    assert_eq!(text, "a W b\n  implies a U b: no\n    on cycle{a & !b} the first holds, the second does not\n");
    let text = folder.expect(&["formula", "a U b", "--accept-word", "a; cycle{b}", "--explain"], 0);
    assert!(text.contains("[1] at 0: a U b is true, decided at position 1, by [2] [3]"), "{text}");
    let text = folder.expect(&["formula", "a U b", "--equivalent-to", "Fb", "--format", "json", "--explain"], 1);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let answer = &document["answers"][0];
    assert_eq!(answer["answer"], false);
    // The word that the answer gives is one on which exactly the second formula holds.
    let word = answer["word"].as_str().expect("a word");
    folder.expect(&["formula", "Fb", "--accept-word", word], 0);
    folder.expect(&["formula", "a U b", "--reject-word", word], 0);
}

#[test]
fn classes_by_meaning_and_by_shape() {
    let folder = Folder::new("class");
    for (formula, class, shape, invariant) in [
        ("Ga", "safety", "safety", true),
        ("Fa", "guarantee", "guarantee", true),
        ("Ga | Fb", "obligation", "obligation", true),
        ("GFa", "recurrence", "recurrence", true),
        ("FGa", "persistence", "persistence", true),
        ("GFa -> GFb", "reactivity", "reactivity", true),
        ("F(a & Xa)", "guarantee", "guarantee", false),
        ("F(a & X!a)", "guarantee", "guarantee", true),
        ("(GFa & Fb) | (FG!a & Fb)", "guarantee", "reactivity", true),
    ] {
        let text = folder.expect(&["formula", formula, "--classify", "--format", "json"], 0);
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["class"], class, "{formula}");
        assert_eq!(document["class_by_shape"], shape, "{formula}");
        assert_eq!(document["stutter_invariant"], invariant, "{formula}");
    }
    let text = folder.expect(&["formula", "X X a", "--classify"], 0);
    assert_eq!(text, "XXa: safety and guarantee (by shape safety and guarantee), not stutter-invariant\n");
}

#[test]
fn wrong_texts_are_shown_with_their_place() {
    let folder = Folder::new("wrong");
    let output = folder.lariat(&["formula", "a", "b U", "c"], "");
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a\nc\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("<command line>:1:4"));
    for text in ["LTLSPEC G a", "ltl p { [] a }"] {
        let output = folder.lariat(&["formula", text], "");
        assert!(String::from_utf8_lossy(&output.stderr).contains("give the formula alone"), "{text}");
    }
    folder.expect(&["formula", "a", "--implies", "b U"], 4);
    folder.expect(&["formula", "a", "--accept-word", "b"], 4);
    folder.expect(&["formula"], 3);
    folder.expect(&["formula", "a", "--to", "klingon"], 3);
}

#[test]
fn a_reader_that_goes_away_is_no_bug() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["formula", "-F", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat starts");
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), &b"a U b\n".repeat(10_000)).expect("it reads");
    let output = child.wait_with_output().expect("lariat ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
