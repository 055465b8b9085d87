//! `--exclusive`, `--constraint` and `--simplify-labels` from outside, and what is refused around them.

mod common;

use common::Folder;

const FORMULA: &str = "F(Ga | (GFb <-> GFc))";

/// The number of states in a row of `--stats`, after the name of the formula.
fn states(text: &str) -> u32 {
    let sizes = text.rsplit_once(": ").map_or("", |(_, sizes)| sizes);
    sizes.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number of states")
}

#[test]
fn constraints_make_automata_smaller() {
    let folder = Folder::new("smaller");
    let plain = states(&folder.expect(&["translate", FORMULA, "--stats"], 0));
    let refined = states(&folder.expect(&["translate", FORMULA, "--stats", "--exclusive", "a,b,c"], 0));
    assert!(refined < plain, "{refined} states instead of {plain}");
    let spelt = "(a -> !b & !c) & (b -> !c)";
    let other = states(&folder.expect(&["translate", FORMULA, "--stats", "--constraint", spelt], 0));
    assert_eq!(other, refined);
    let verbose = folder.lariat(&["translate", FORMULA, "--stats", "--exclusive", "a,b,c", "--verbose"], "");
    let steps = String::from_utf8_lossy(&verbose.stderr).into_owned();
    assert!(steps.contains("formula refinement") && steps.contains("automaton refinement"), "{steps}");
}

#[test]
fn labels_become_shorter() {
    let folder = Folder::new("labels");
    let file = folder.file("a.hoa", &folder.expect(&["translate", "G((b & !c) -> Xc)"], 0)).display().to_string();
    let precise = folder.expect(&["automaton", &file, "--exclusive", "b,c"], 0);
    let short = folder.expect(&["automaton", &file, "--exclusive", "b,c", "--simplify", "--simplify-labels"], 0);
    assert!(short.len() < precise.len(), "{precise}\n{short}");
    assert!(short.contains("[0]") && short.contains("[!0]"), "{short}");
}

#[test]
fn acceptance_stays_on_states_where_it_costs_nothing() {
    let folder = Folder::new("acceptance");
    let original = folder.expect(&["translate", FORMULA], 0);
    assert!(original.contains("state-acc"), "{original}");
    let file = folder.file("a.hoa", &original).display().to_string();
    let arguments = ["automaton", &file, "--exclusive", "a,b,c", "--simplify", "--simplify-labels"];
    let refined = folder.expect(&arguments, 0);
    assert!(refined.contains("state-acc") && refined.contains("States: 4"), "{refined}");
    folder.expect(&[&arguments[..], &["--format", "never"]].concat(), 0);
}

#[test]
fn formulas_are_refined_or_shortened() {
    let folder = Folder::new("formulas");
    let refined = folder.expect(&["formula", "Fa", "--exclusive", "a,b"], 0);
    assert_eq!(refined, "Fa & G!(a & b)\n");
    let short = folder.expect(&["formula", "F(a & !b)", "--exclusive", "a,b", "--simplify-labels"], 0);
    assert_eq!(short, "Fa\n");
    let propositions = folder.expect(&["formula", "Fa", "--exclusive", "\"x, y\",f(1,2)"], 0);
    assert_eq!(propositions, "Fa & G!(\"x, y\" & \"f(1,2)\")\n");
}

#[test]
fn what_a_constraint_decides_is_a_warning() {
    let folder = Folder::new("sanity");
    let impossible = folder.lariat(&["translate", "F(a & b)", "--exclusive", "a,b"], "");
    let warning = String::from_utf8_lossy(&impossible.stderr).into_owned();
    assert_eq!(warning, "warning: no word that satisfies the constraint satisfies `F(a & b)`\n");
    let certain = folder.lariat(&["translate", "G(a -> !b)", "--exclusive", "a,b"], "");
    assert!(String::from_utf8_lossy(&certain.stderr).contains("every word that satisfies the constraint"));
}

#[test]
fn strangers_in_constraints_are_named() {
    let folder = Folder::new("strangers");
    let file = folder.file("a.hoa", &folder.expect(&["translate", "GFa & Fb"], 0)).display().to_string();
    let formulas = folder.file("f.ltl", "Fa\nFb\n").display().to_string();
    for (input, exclusive, stranger) in [
        (&["translate", "Ga & Fb"][..], "a,bb", Some("bb")),
        (&["formula", "Ga & Fb"], "a,b,zz", Some("zz")),
        (&["automaton", &file], "a,bc", Some("bc")),
        (&["formula", "-F", &formulas], "a,b", None),
        (&["automaton", &file], "a,b", None),
    ] {
        let output = folder.lariat(&[input, &["--exclusive", exclusive]].concat(), "");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected =
            stranger.map(|name| format!("warning: the constraint speaks of `{name}`, which occurs nowhere else\n"));
        assert_eq!(told, expected.unwrap_or_default(), "{input:?}");
    }
}

#[test]
fn contradictions_are_no_constraints() {
    let folder = Folder::new("contradictions");
    let file = folder.file("a.hoa", &folder.expect(&["translate", "GFa & Fb"], 0)).display().to_string();
    for input in [&["translate", "Ga"][..], &["formula", "Fa"], &["automaton", &file]] {
        for constraint in [&["--constraint", "a & !a"][..], &["--constraint", "a & b", "--exclusive", "a,b"]] {
            let output = folder.lariat(&[input, constraint].concat(), "");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(told.contains("no word satisfies the constraint"), "{input:?} {constraint:?}: {told}");
            assert_eq!(output.status.code(), Some(4), "{told}");
        }
    }
}

#[test]
fn what_is_no_constraint_is_refused() {
    let folder = Folder::new("refused");
    folder.expect(&["translate", "Fa", "--constraint", "Xa"], 4);
    folder.expect(&["translate", "Fa", "--constraint", "a &"], 4);
    folder.expect(&["translate", "Fa", "--exclusive", "a"], 3);
    folder.expect(&["translate", "Fa", "--simplify-labels"], 3);
}

#[test]
fn files_without_automata_are_refused() {
    let folder = Folder::new("files");
    for (name, text) in [("empty", ""), ("blank", "\n \n"), ("binary", "\u{0}\u{1}"), ("prose", "no automaton")] {
        let file = folder.file(name, text).display().to_string();
        folder.expect(&["automaton", &file, "--is-empty"], 4);
    }
    let marked = folder.file("marked.ltl", "\u{feff}G a\n").display().to_string();
    assert_eq!(folder.expect(&["formula", "-F", &marked], 0), "Ga\n");
}

#[test]
fn equations_are_comparisons_unless_told_otherwise() {
    let folder = Folder::new("equations");
    assert_eq!(folder.expect(&["formula", "G(x=1)", "x=1 & y=2"], 0), "G\"x = 1\"\n\"x = 1\" & \"y = 2\"\n");
    assert_eq!(folder.expect(&["formula", "G(x=1)", "--syntax", "spot"], 0), "Gx\n");
    let claim = folder.expect(&["translate", "G \"x>3\"", "--format", "never"], 0);
    assert!(claim.contains("(x > 3)"), "{claim}");
}
