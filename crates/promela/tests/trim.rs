//! Models without the data that can be left out, walked in step with the models themselves: one small program for each way in
//! which a variable that looks dead or useless is not.

use kernel::budget::Budget;
use kernel::span::SourceMap;
use promela::compiled::similar::{Walk, similar};
use promela::front::{self, Loaded, NoFiles, PreprocessorOptions};
use promela::property::parse_expression;
use promela::typed::{Expr, Program};

/// How many states of a model are visited.
const STATES: usize = 2000;

fn load(name: &str, text: &str) -> (SourceMap, Loaded) {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    (sources, loaded)
}

/// The atoms with these texts; those that the language refuses are left out.
fn expressions(sources: &mut SourceMap, loaded: &mut Loaded, texts: &[String]) -> (Program, Vec<Expr>) {
    let mut program = loaded.program.take().expect("accepted");
    let mut parse = |text: &String| {
        let file = sources.add_file("<atom>", text.as_str(), None);
        parse_expression(sources, file, &mut program, &loaded.definitions, &Budget::unlimited()).ok()
    };
    let atoms = texts.iter().filter_map(&mut parse).collect();
    (program, atoms)
}

/// Compares a program with itself trimmed in one mode.
#[track_caller]
fn walk(text: &str, atoms: &[&str], mode: (bool, bool)) -> Walk {
    let (mut sources, mut loaded) = load("m.pml", text);
    assert!(loaded.program.is_some(), "{:#?}\n{text}", loaded.diagnostics);
    let texts: Vec<String> = atoms.iter().map(|atom| (*atom).to_string()).collect();
    let (program, parsed) = expressions(&mut sources, &mut loaded, &texts);
    assert_eq!(parsed.len(), atoms.len(), "all atoms are accepted");
    match similar(&program, &parsed, None, mode, STATES) {
        Ok(walk) => walk,
        Err(what) => panic!("{what}\n{text}"),
    }
}

/// The variables that get a canonical value and those that are removed, by dead variables and slicing together.
#[track_caller]
fn left_out(text: &str, atoms: &[&str]) -> (Vec<String>, Vec<String>) {
    let walk = walk(text, atoms, (true, true));
    (walk.canonical, walk.removed)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}

#[test]
fn a_value_that_is_overwritten_before_it_is_read_gets_a_canonical_one() {
    let text = "active proctype P() { byte x; do :: x = 1; (x > 0); x = 2; (x > 1) od }";
    let walk = walk(text, &[], (true, false));
    assert_eq!(walk.canonical, ["P:x"]);
    // Without the value there are four places; with it, the first has one visit more.
    assert_eq!((walk.states, walk.trimmed), (5, 4));
}

#[test]
fn what_an_escape_reads_is_live_in_the_whole_body() {
    // Only the escape reads the variable: without it, each value is overwritten before it is read.
    let text = "byte s; active proctype P() { byte x;
            do :: { x = 1; s = 1; s = 2; x = 0; s = 0 } unless { x == 1 && s == 3 -> skip } od }
        active proctype R() { do :: s = 3 od }";
    assert_eq!(left_out(text, &[]), (names(&[]), names(&[])));
}

#[test]
fn what_an_atom_reads_is_live() {
    let text = "byte g; active proctype P() { byte x; do :: x = 1; g = x; x = 2; g = x od }";
    assert_eq!(left_out(text, &[]).1, names(&["g", "P:x"]));
    assert_eq!(left_out(text, &["g == 1"]), (names(&["P:x"]), names(&[])));
    assert_eq!(left_out(text, &["P:x == 1"]).0, names(&[]));
}

#[test]
fn a_global_variable_of_two_instances_is_nobodys() {
    let text = |instances: &str| {
        format!("byte g; active {instances} proctype P() {{ do :: g = 1; (g > 0); g = 2; (g > 1) od }}")
    };
    assert_eq!(left_out(&text(""), &[]).0, names(&["g"]));
    assert_eq!(left_out(&text("[2]"), &[]).0, names(&[]));
}

#[test]
fn a_definition_that_is_run_twice_has_two_instances() {
    let text =
        |runs: &str| format!("byte g; proctype P() {{ do :: g = 1; (g > 0); g = 2; (g > 1) od }} init {{ {runs} }}");
    assert_eq!(left_out(&text("run P()"), &[]).0, names(&["g"]));
    for runs in ["run P(); run P()", "do :: _nr_pr < 4 -> run P() :: break od"] {
        assert_eq!(left_out(&text(runs), &[]).0, names(&[]), "{runs}");
    }
}

#[test]
fn storing_an_element_kills_nothing() {
    let text = "active proctype P() { byte v[2], i; do :: v[0] = 1; v[1] = 2; i = 1 - i; (v[i] > 0) od }";
    assert_eq!(left_out(text, &[]), (names(&[]), names(&[])));
}

#[test]
fn remote_references_read() {
    let text = "active proctype P() { byte x; do :: x = 1; x = 2 od } active proctype R() { do :: (P:x == 2) od }";
    assert_eq!(left_out(text, &[]), (names(&[]), names(&[])));
}

#[test]
fn initial_values_indices_provided_clauses_and_eval_read() {
    let text = "byte g = 2, h = 1, k; byte v[3]; chan c = [1] of { byte };
        active proctype P() provided (h < 2) { byte x = g; byte y; do :: c!1; k = v[y]; (k == 0); y = 1 :: c?eval(h) od }";
    assert_eq!(walk(text, &[], (true, false)).canonical, names(&["g", "k", "P:x", "P:y"]));
    assert_eq!(walk(text, &[], (false, true)).removed, names(&["g", "P:x"]));
}

#[test]
fn what_can_go_wrong_is_still_evaluated() {
    let text = "byte d = 2, lost, v[2], i; active proctype P() { do :: lost = 4 / d; d = d - 1 :: v[i] = 1; i++ od }";
    let walk = walk(text, &[], (false, true));
    assert_eq!(walk.removed, ["lost", "v"]);
    assert!(walk.is_complete, "the division and the index end the runs");
}

#[test]
fn a_counter_that_nothing_reads_is_removed_unless_loops_count() {
    let text = "int count; bool b; active proctype P() { do :: count++; b = !b od }";
    let counted = walk(text, &[], (false, true));
    assert_eq!((counted.removed, counted.is_complete), (names(&["count", "b"]), false));
    assert_eq!(walk(text, &["b"], (false, true)).removed, names(&[]));
}

#[test]
fn fields_that_nobody_looks_at_are_sent_as_zero() {
    let text = |receive: &str| {
        format!(
            "chan c = [2] of {{ byte, byte }}; active proctype P() {{ byte x; do :: c!1,x; x = (x + 1) % 3 od }}
            active proctype R() {{ byte y; do :: {receive} od }}"
        )
    };
    assert_eq!(walk(&text("c?_,_"), &[], (true, true)).silent, 2);
    assert_eq!(walk(&text("c?1,_"), &[], (true, true)).silent, 1);
    assert_eq!(walk(&text("c?1,y"), &[], (true, true)).silent, 1, "nothing reads the variable");
    assert_eq!(walk(&text("c?1,y; (y > 0)"), &[], (true, true)).silent, 0);
    assert_eq!(walk(&text("c?_,eval(y)"), &[], (true, true)).silent, 1);
    assert_eq!(walk(&text("c?[1,2]; c?_,_"), &[], (true, true)).silent, 0);
    assert_eq!(walk(&text("c?_,_; c!!1,y"), &[], (true, true)).silent, 0, "messages are sorted");
    assert_eq!(walk(&text("chan d = c; d?1,2"), &[], (true, true)).silent, 0, "the channel has two names");
}

#[test]
fn the_value_of_a_field_is_live_where_it_is_sent() {
    let text = "chan c = [1] of { byte }; active proctype P() { byte x; do :: x = 1 - x; c!x od }
        active proctype R() { byte y; do :: c?y; assert(y < 2) od }";
    let walk = walk(text, &[], (true, true));
    assert_eq!((walk.canonical, walk.removed), (names(&["R:y"]), names(&[])));
}
