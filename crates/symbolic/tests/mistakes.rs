//! Ordinary mistakes, and what a user is told about them: `golden/mistakes.txt` holds the texts that a person reads. To
//! change one on purpose, run the test with `UPDATE_EXPECT=1` and read the difference.

use std::fmt::Write;

use bdd::Manager;
use expect_test::expect_file;
use flat::order;
use kernel::budget::Budget;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{SourceMap, Span};
use symbolic::image::machine::{Failure, Machine};

/// What the mistake is, and a text that has it.
const MISTAKES: &[(&str, &str)] = &[
    ("a name with a typo", "MODULE main\nVAR counter : 0..3;\nASSIGN next(conuter) := 0;\n"),
    ("`=` for `:=`", "MODULE main\nVAR x : boolean;\nASSIGN\n  init(x) = TRUE;\n"),
    ("an operator of C", "MODULE main\nVAR x : boolean; y : boolean;\nINVAR x && y\n"),
    ("equality of C", "MODULE main\nVAR x : 0..3;\nINIT x == 0\n"),
    ("a missing semicolon", "MODULE main\nVAR\n  x : boolean\n  y : boolean;\n"),
    (
        "a `case` without `esac`",
        "MODULE main\nVAR x : 0..3;\nASSIGN\n  next(x) := case\n    x < 3 : x + 1;\n    TRUE : 0;\nSPEC AG x < 4\n",
    ),
    (
        "a `case` that does not cover everything",
        "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := case x < 3 : x + 1; esac;\n",
    ),
    ("a value that leaves the range", "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;\n"),
    ("two assignments", "MODULE main\nVAR x : boolean;\nASSIGN\n  init(x) := TRUE;\n  init(x) := FALSE;\n"),
    ("an assignment beside `init`", "MODULE main\nVAR x : boolean;\nASSIGN\n  x := TRUE;\n  next(x) := FALSE;\n"),
    ("a circle of definitions", "MODULE main\nDEFINE a := b; b := c; c := !a;\nVAR x : boolean;\nINVAR x = a\n"),
    (
        "a circle of assignments",
        "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN\n  next(x) := !next(y);\n  next(y) := next(x);\n",
    ),
    ("a number for a truth value", "MODULE main\nVAR x : boolean;\nASSIGN init(x) := 0;\n"),
    ("a number as condition", "MODULE main\nVAR x : 0..3;\nSPEC AG x\n"),
    ("a name of another enumeration", "MODULE main\nVAR s : {idle, busy}; n : 0..3;\nINVAR s = n\n"),
    ("words of different width", "MODULE main\nVAR a : word[4]; b : word[8];\nINVAR a + b = b\n"),
    ("too few arguments", "MODULE cell(input, output)\nVAR x : boolean;\nMODULE main\nVAR c : cell(TRUE);\n"),
    ("a module with a typo", "MODULE counter\nVAR x : boolean;\nMODULE main\nVAR c : countr;\n"),
    ("a module inside itself", "MODULE cell\nVAR inner : cell;\nMODULE main\nVAR c : cell;\n"),
    ("no module `main`", "MODULE Main\nVAR x : boolean;\n"),
    ("no module at all", "-- a comment\n"),
    ("the same name twice", "MODULE main\nVAR x : boolean;\nDEFINE x := TRUE;\n"),
    ("the same name twice, a definition first", "MODULE main\nDEFINE x := TRUE;\nVAR x : boolean;\n"),
    ("a binary file", "\u{fffd}PNG\u{fffd}\u{fffd}"),
    ("`next` in an invariant", "MODULE main\nVAR x : boolean;\nINVAR next(x) = x\n"),
    ("`next` of `next`", "MODULE main\nVAR x : boolean;\nTRANS next(next(x))\n"),
    ("an input in a state", "MODULE main\nIVAR go : boolean;\nVAR x : boolean;\nINIT go\n"),
    ("two logics in one formula", "MODULE main\nVAR x : boolean;\nSPEC AG (x -> F x)\n"),
    ("an operator of time in a definition", "MODULE main\nVAR x : boolean;\nDEFINE soon := AF x;\nSPEC AG soon\n"),
    ("an empty range", "MODULE main\nVAR x : 5..2;\n"),
    ("an index outside an array", "MODULE main\nVAR a : array 0..3 of boolean;\nINVAR a[4]\n"),
    (
        "a sequence of PSL that repeats without bound",
        "MODULE main\nVAR a : boolean; b : boolean;\nPSLSPEC always {{a; b}[*]; a} |-> b\nSPEC AG c\n",
    ),
    ("two sequences at once", "MODULE main\nVAR a : boolean; b : boolean;\nPSLSPEC {{a; b} && {b; a}} |-> a\n"),
    ("an operator of time in a sequence", "MODULE main\nVAR a : boolean;\nPSLSPEC {a; X a} |=> a\n"),
    ("an operator of time before an implication", "MODULE main\nVAR a : boolean;\nPSLSPEC always (F a) |-> a\n"),
    ("an empty range of steps", "MODULE main\nVAR a : boolean;\nPSLSPEC next_e[3..1] a\n"),
    ("a clock of PSL", "MODULE main\nVAR a : boolean;\nPSLSPEC always a @clk\n"),
    ("a bound that is too large", "MODULE main\nVAR a : boolean;\nLTLSPEC F [0, 100000] a\n"),
    ("an array of infinite models", "MODULE main\nVAR a : array word[2] of boolean;\n"),
    ("its functions", "MODULE main\nVAR a : array 0..1 of boolean;\nINVAR READ(a, 0)\n"),
    ("more indices than arrays", "MODULE main\nVAR a : array 0..1 of boolean; n : 0..1;\nINVAR a[n][n][n]\n"),
    ("an infinite type", "MODULE main\nVAR x : integer;\n"),
    ("a set as a value", "MODULE main\nVAR x : 0..3;\nINVAR x = {1, 2}\n"),
    ("a constant that does not fit its word", "MODULE main\nVAR w : word[4];\nINVAR w = 0ud4_16\n"),
    ("a signed constant that does not fit", "MODULE main\nVAR w : signed word[4];\nINVAR w = 0sd4_15\n"),
    ("a digit of another base", "MODULE main\nVAR w : word[4];\nINVAR w = 0ub4_12\n"),
    ("a constant without its width", "MODULE main\nVAR w : word[4];\nINVAR w = 0hF\n"),
    ("a word made longer by less than nothing", "MODULE main\nVAR w : word[4];\nINVAR extend(w, -1) = w\n"),
    ("a divisor that can be zero", "MODULE main\nVAR x : 0..3;\nINVAR 4 / x > 1\n"),
    (
        "a forgotten `esac` before an assignment",
        "MODULE main\nVAR x : 0..3; y : boolean;\nASSIGN\n  next(x) := case\n    x < 3 : x + 1;\n    TRUE : 0;\n  next(y) := !y;\n  init(z) := 0;\n",
    ),
    ("always of SPIN", "MODULE main\nVAR x : boolean; y : boolean;\nLTLSPEC [] (x -> <> y)\n"),
    ("eventually of SPIN", "MODULE main\nVAR x : boolean;\nLTLSPEC G <> x\n"),
    ("another arrow", "MODULE main\nVAR x : boolean; y : boolean;\nSPEC AG (x => y)\n"),
    ("another unequal", "MODULE main\nVAR x : 0..3;\nSPEC AG x <> 3\n"),
    ("another less or equal", "MODULE main\nVAR x : 0..3;\nSPEC AG x =< 3\n"),
    (
        "a connective in words",
        "MODULE main\nVAR x : boolean; y : boolean;\nINVAR x and y\nINVAR x or y\nDEFINE d := x implies y;\n",
    ),
    ("a negation in words", "MODULE main\nVAR x : boolean;\nINVAR not x\n"),
    (
        "an `if`",
        "MODULE main\nVAR x : boolean;\nASSIGN\n  next(x) := if x then FALSE else TRUE;\n  init(x) := if (x) TRUE;\n",
    ),
    ("comments of C", "MODULE main // the model\nVAR x : boolean; /* one\n variable */\nINIT x\n"),
    ("`bool` for `boolean`", "MODULE main\nVAR x : bool;\n"),
    ("an array by its length", "MODULE main\nVAR x : array 3 of boolean;\n"),
    ("an assignment as a constraint", "MODULE main\nVAR x : boolean;\nINIT x := TRUE\n"),
    ("a constraint in the place of an assignment", "MODULE main\nVAR x : boolean;\nASSIGN\n  INIT(x) := TRUE;\n"),
    ("an assignment outside ASSIGN", "MODULE main\nVAR\n  x : boolean;\n  init(x) := TRUE;\n"),
    ("`next` in capitals", "MODULE main\nVAR x : boolean;\nASSIGN NEXT(x) := TRUE;\n"),
    ("a quantifier apart", "MODULE main\nVAR x : boolean;\nSPEC A (G x)\n"),
    ("a value that is a word of the language", "MODULE main\nVAR x : {R, S, X};\n"),
    ("a real number", "MODULE main\nVAR x : 0..3;\nINVARSPEC x < 3.5\nINVARSPEC x < 1e3\nINVARSPEC x < f'1/2\n"),
    ("CTL in an LTL section", "MODULE main\nVAR x : boolean;\nLTLSPEC AG x\nLTLSPEC G (EF x)\nLTLSPEC G (x -> AF x)\n"),
    ("LTL in a CTL section", "MODULE main\nVAR x : boolean;\nSPEC G x\n"),
    (
        "time in an invariant",
        "MODULE main\nVAR x : boolean;\nINVARSPEC AG x\nINVARSPEC x -> F x\nINVARSPEC x -> EF x\n",
    ),
    ("an until without a quantifier", "MODULE main\nVAR x : boolean;\nSPEC AG (x U x)\n"),
    ("types of C", "MODULE main\nVAR x : int; y : Boolean;\n"),
    ("`next` deep in a property", "MODULE main\nVAR x : boolean; y : boolean;\nSPEC AG (x -> next(y))\n"),
    (
        "a next value in a compassion constraint",
        "MODULE main\nIVAR i : boolean;\nVAR x : boolean;\nCOMPASSION (x & i, next(x))\n",
    ),
    (
        "a number beside a word",
        "MODULE main\nVAR a : word[4]; s : signed word[4];\nASSIGN init(a) := 0;\nINVAR a + 1 = a\nINVAR a = 3\nINVAR s = -2\nINVAR a = 16\n",
    ),
    ("a number beside a truth value", "MODULE main\nVAR x : boolean;\nSPEC AG x = 1\n"),
    ("an argument too many", "MODULE cell(input)\nVAR x : boolean;\nMODULE main\nVAR c : cell(TRUE, FALSE);\n"),
    (
        "an index that can be out of bounds",
        "MODULE main\nVAR a : array 0..2 of boolean; i : 0..3;\nINVAR a[i] & i != 3 | i = 0\nINVAR a[i] | i = 2\n",
    ),
    (
        "an index of the next state within a `case`",
        "MODULE main\nVAR a : array 0..2 of boolean; i : 0..3; x : boolean;\nASSIGN next(x) := case i = 0 : TRUE; TRUE : next(a[i]); esac;\n",
    ),
    (
        "a difference that reads like a name",
        "MODULE main\nVAR m : 0..3; e : array 0..3 of boolean;\nINVAR m > 0 -> e[m-1]\n",
    ),
    (
        "a negation that is meant to reach further",
        "MODULE main\nVAR x : 0..3; s : {idle, busy}; b : boolean;\nINVAR ! x = 1\nSPEC AG (! s = idle | ! x > 1)\nINVAR ! b = TRUE\n",
    ),
    (
        "a word of the language as a name",
        "MODULE main\nVAR count : 0..3; y : 0..3;\nASSIGN\n  init(count) := 0;\n  next(y) := count;\nINVARSPEC count < 3\n",
    ),
    (
        "macros of C",
        "#define N \\\n  4\nMODULE main\n#include \"cell.smv\"\nVAR x : 0..3;\n  #ifdef N\nINIT x = 0\n#endif\n",
    ),
    ("a sharp in the middle", "MODULE main\nVAR x # y : boolean;\n"),
    (
        "further parts of PSL",
        "MODULE main\nVAR a : boolean; b : boolean; n : 0..3;\nPSLSPEC a[*3]\nPSLSPEC next_event(a)[0](b)\nPSLSPEC forall i in {0..n} : a\nPSLSPEC a abort b\nPSLSPEC {a[*300]} |-> b\nPSLSPEC {{{{a[*0..50]; b}[*50]}[*50]}[*50]} |-> b\nPSLSPEC next_a[2..inf] b\n",
    ),
    (
        "several at once",
        "MODULE main\nVAR x : 0..3; y : booleen;\nASSIGN\n  init(z) := 0;\n  next(x) := TRUE;\nSPEC AG (x -> y)\n",
    ),
];

#[test]
fn mistakes_are_explained() {
    let mut text = String::new();
    for (what, model) in MISTAKES {
        let _ = writeln!(text, "---- {what}");
        let findings = findings(model);
        assert!(!findings.is_empty(), "nothing is said about {what}");
        let _ = writeln!(text, "{findings}");
    }
    expect_file!["golden/mistakes.txt"].assert_eq(&text);
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    assert_eq!(findings("\u{feff}MODULE main\nVAR x : boolean;\n"), "");
}

#[test]
fn signed_constants_are_written_with_their_sign() {
    let text = "MODULE main\nVAR w : signed word[4];\nINVARSPEC w = 0sb4_1000 | w = -0sd4_8 | w = -0sb4_1111\n";
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.smv", text, None);
    let model = smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model.expect("a model");
    assert_eq!(model.properties[0].text, "((w = -0sd4_8 | w = -0sd4_8) | w = -(-0sd4_1))");
}

/// All findings about a text, those that only show when it is encoded included.
fn findings(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let mut all = loaded.diagnostics;
    if let Some(model) = &loaded.model
        && let Err(Failure::Wrong(more)) =
            Machine::new(model, Manager::new(), &order::bits(model, &order::declared(model)))
    {
        all.extend(more);
    }
    all.iter().map(|finding| render(&sources, finding)).collect()
}

fn render(sources: &SourceMap, finding: &Diagnostic) -> String {
    let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
    let mut text = format!("{severity}[{}]: {}\n", finding.code, finding.message);
    underline(&mut text, sources, finding.primary.span, '^', &finding.primary.text);
    for label in &finding.secondary {
        underline(&mut text, sources, label.span, '-', &label.text);
    }
    for note in &finding.notes {
        let _ = writeln!(text, "     = note: {note}");
    }
    for hint in &finding.hints {
        let _ = writeln!(text, "     = help: {hint}");
    }
    text
}

fn underline(text: &mut String, sources: &SourceMap, span: Span, mark: char, label: &str) {
    let (line, column) = sources.line_column(span);
    let source = sources.text(span.file).lines().nth(line as usize - 1).unwrap_or("");
    let room = (source.chars().count() + 1).saturating_sub(column as usize - 1).max(1);
    let width = ((span.hi - span.lo) as usize).clamp(1, room);
    let marks: String = std::iter::repeat_n(mark, width).collect();
    let indent = " ".repeat(column as usize - 1);
    let _ = writeln!(text, "{line:>4} | {source}\n     | {}", format!("{indent}{marks} {label}").trim_end());
}
