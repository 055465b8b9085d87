//! Reading and printing formulas: the same formula comes back; wrong text is explained where it goes wrong; nothing
//! panics or overflows.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use kernel::span::{FileId, Span};
use omega::formula::Formulas;
use omega::parse::{Syntax, parse, parse_verbatim_at};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random, word};
use omega::semantics::satisfies;

const SEED: u64 = 20_240_917;

/// Names that are hard on one notation or another.
const NAMES: [&str; 18] = [
    "a",
    "p0",
    "p12",
    "U",
    "F",
    "Fa",
    "X1",
    "true",
    "t",
    "i",
    "until",
    "x == 1",
    "len(q) < 3",
    "state = busy",
    "say \"hi\" \\ there",
    "p[0]@end",
    "ünïcode",
    "(a) (b",
];

fn readable(notation: Notation) -> Option<Syntax> {
    match notation {
        Notation::Spot | Notation::Utf8 | Notation::Wring => Some(Syntax::Spot),
        Notation::Spin => Some(Syntax::Spin),
        Notation::NuSmv => Some(Syntax::NuSmv),
        Notation::Lbt => Some(Syntax::Lbt),
        Notation::Latex => None,
    }
}

/// Whether a notation has all operators, so that reading gives the very formula back.
fn has_all_operators(notation: Notation) -> bool {
    !matches!(notation, Notation::Spin | Notation::NuSmv | Notation::Wring)
}

#[test]
fn what_is_read_verbatim_stays_as_it_was_drawn() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let mut shape = FormulaShape::new(0, 0);
    shape.atoms = NAMES.iter().map(|name| (*name).to_owned()).collect();
    for symbols in 1..400 {
        shape.symbols = 1 + symbols % 40;
        for notation in [Notation::Spot, Notation::Lbt, Notation::Utf8] {
            let mut formulas = Formulas::new();
            let formula = shape.draw_verbatim(&mut formulas, &mut random);
            let text = print(&formulas, formula, notation);
            let (syntax, place) = (readable(notation).expect("these can be read"), Span::new(FileId(0), 0, 0));
            let read = parse_verbatim_at(&mut formulas, &text, syntax, place).expect("it was printed");
            assert_eq!((read, formulas.size(read)), (formula, shape.symbols as u64), "{notation:?}: {text}");
        }
    }
}

#[test]
fn what_is_printed_reads_back() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let mut shape = FormulaShape::new(0, 0);
    shape.atoms = NAMES.iter().map(|name| (*name).to_owned()).collect();
    for symbols in 1..400 {
        shape.symbols = 1 + symbols % 40;
        for notation in
            [Notation::Spot, Notation::Spin, Notation::NuSmv, Notation::Lbt, Notation::Utf8, Notation::Wring]
        {
            let mut formulas = Formulas::new();
            let formula = shape.draw(&mut formulas, &mut random);
            let text = print(&formulas, formula, notation);
            let syntax = readable(notation).expect("these can be read");
            let read = parse(&mut formulas, &text, syntax).unwrap_or_else(|e| panic!("{notation:?}: {text}: {e:?}"));
            let became = format!("{notation:?}: {text} became {}", print(&formulas, read, Notation::Spot));
            assert!(read == formula || !has_all_operators(notation), "{became}");
            for _ in 0..10 {
                let word = word(&shape.atoms, 6, &mut random);
                let truth = [formula, read].map(|formula| satisfies(&formulas, formula, &word));
                assert_eq!(truth[0], truth[1], "{became}, on {word}");
            }
        }
    }
}

/// The Spot notation of what a text means.
fn means(text: &str, syntax: Syntax) -> String {
    let mut formulas = Formulas::new();
    match parse(&mut formulas, text, syntax) {
        Ok(formula) => print(&formulas, formula, Notation::Spot),
        Err(error) => format!("{} at {}..{}", error.code, error.primary.span.lo, error.primary.span.hi),
    }
}

fn check_all(syntax: Syntax, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(means(text, syntax), *expected, "{text} as {syntax:?}");
    }
}

#[test]
fn spot_syntax() {
    check_all(
        Syntax::Spot,
        &[
            ("a U b U c", "a U (b U c)"),
            ("a -> b -> c", "a -> (b -> c)"),
            ("a xor b | c & d U e", "a xor (b | (c & (d U e)))"),
            ("!a U b", "!a U b"),
            ("[]<>a && ()b", "GFa & Xb"),
            ("GFa R XXb V c", "GFa R (XXb R c)"),
            ("X0 | X(0) | G1 | Foo", "X0 | G1 | Foo"),
            ("p0=1 U p1=0", "p0 U !p1"),
            ("\"a b\"=0 * c=1 + d=1", "d | (!\"a b\" & c)"),
            ("a /\\ b \\/ ~c", "!c | (a & b)"),
            ("a => b <=> c", "a -> (b <-> c)"),
            ("a --> b", "a -> b"),
            ("TRUE U a M FALSE", "0"),
            ("X[2]a & F[1:2]b & G[2:]c & G[:1]d", "XXa & X(b | Xb) & XXGc & d & Xd"),
            ("□(a → ◇¬b) ∧ ○(c ⊕ d ↔ ⊤)", "G(a -> F!b) & X(c xor d)"),
            ("\"\\\"q\\\"\"", "\"\\\"q\\\"\""),
            ("a W b M c", "a W (b M c)"),
        ],
    );
}

#[test]
fn spin_syntax() {
    check_all(
        Syntax::Spin,
        &[
            ("a U b U c", "(a U b) U c"),
            ("a -> b -> c", "(a -> b) -> c"),
            ("a || b && c U d", "a | (b & (c U d))"),
            ("[](p -> <>!q)", "G(p -> F!q)"),
            ("always (p implies eventually not q)", "G(p -> F!q)"),
            ("p until q weakuntil r", "(p U q) W r"),
            ("p release q equivalent next r", "(p R q) <-> Xr"),
            ("a /\\ b \\/ c", "c | (a & b)"),
            ("[] x==1 && len( q )<3", "G\"x == 1\" & \"len(q) < 3\""),
            ("(x + y) > 3 U {any text: a -> b}", "\"(x + y) > 3\" U \"any text:a -> b\""),
            ("<> (proc[1]@done || chan[2].field != 0)", "F(\"proc[1]@done\" | \"chan[2].field != 0\")"),
            ("X Xa", "X\"Xa\""),
            ("true U 1", "1"),
            ("! x == 1", "L0109 at 0..8"),
            ("[] a b", "L0103 at 5..6"),
            ("a U ", "L0102 at 3..3"),
            ("{}", "L0101 at 0..1"),
        ],
    );
}

#[test]
fn nusmv_syntax() {
    check_all(
        Syntax::NuSmv,
        &[
            ("G (a = b -> F state = busy)", "G(\"a = b\" -> F\"state = busy\")"),
            ("a -> b -> c", "a -> (b -> c)"),
            ("a <-> b -> c", "(a <-> b) -> c"),
            ("a U b V c", "(a U b) R c"),
            ("a xor b | c & d", "(a xor b) | (c & d)"),
            ("X TRUE | F FALSE | m.x[1] | a-b", "1"),
            ("G proc1.state in {idle, busy}", "G\"proc1.state in {idle,busy}\""),
            ("F (x + 1) mod 4 = 0", "F\"(x + 1) mod 4 = 0\""),
            ("a S b", "a S b"),
            ("G O a", "GO a"),
            ("a S b T c & Z Y d", "((a S b) T c) & Z Y d"),
            ("S", "L0102 at 0..1"),
            ("a U O", "L0102 at 5..5"),
        ],
    );
}

#[test]
fn lbt_syntax() {
    check_all(
        Syntax::Lbt,
        &[
            ("G i p0 F p1", "G(p0 -> Fp1)"),
            ("& p0 | p1 ! p2", "p0 & (p1 | !p2)"),
            ("U t \"a b\"", "F\"a b\""),
            ("^ e p0 p1 V p0 M p1 W p0 f", "(p0 <-> p1) xor (p0 R (p1 M Gp0))"),
            ("& p0", "L0102 at 4..4"),
            ("p0 p1", "L0103 at 3..5"),
            ("( p0 )", "L0101 at 0..1"),
            // As LBT itself reads them.
            ("Gp0", "Gp0"),
            ("&p0p1", "p0 & p1"),
            ("Up0GFp01", "p0 U GFp1"),
            ("& Gt \"a b\"", "\"a b\""),
            ("& Gate pump", "\"Gate\" & pump"),
            ("Xp1p2", "L0103 at 3..5"),
        ],
    );
    let mut formulas = Formulas::new();
    let deep = parse(&mut formulas, &format!("{}p0", "X".repeat(DEEP)), Syntax::Lbt).unwrap();
    assert_eq!(formulas.size(deep), DEEP as u64 + 1);
    let padded = formulas.atom("p01");
    assert_eq!(print(&formulas, padded, Notation::Lbt), "\"p01\"");
}

#[test]
fn any_syntax_takes_the_first_that_fits() {
    check_all(
        Syntax::Any,
        &[
            ("GFa", "GFa"),
            ("always eventually a", "GFa"),
            ("[] (x == 1)", "G\"x == 1\""),
            ("G a = b", "G\"a = b\""),
            ("G i p0 F p1", "G(p0 -> Fp1)"),
            ("G(a -> F)", "L0102 at 8..9"),
            ("a until b until c", "(a U b) U c"),
            ("always (p U x == 1)", "G(p U \"x == 1\")"),
            ("light = GREEN U {Fa & x}", "L0101 at 16..17"),
            ("G light = GREEN", "G\"light = GREEN\""),
            ("a && x == 1 -> y == F0", "(a & \"x == 1\") -> \"y == F0\""),
            // What SPIN takes for one proposition is a disjunction for NuSMV, as it would be for Spot.
            ("a | x != 1", "a | \"x != 1\""),
            ("{Fa & x} U y == 1", "\"Fa & x\" U \"y == 1\""),
        ],
    );
}

#[test]
fn any_syntax_never_changes_what_a_part_means() {
    check_all(
        Syntax::Any,
        &[
            ("GFa -> b=3", "L0110 at 0..3"),
            ("Fa & x == 1", "L0110 at 0..2"),
            ("x == 1 & Fa", "L0110 at 7..8"),
            ("a & x == 1", "L0110 at 2..3"),
            ("FGa -> x >= 0", "L0110 at 0..3"),
            ("Ga U x@l", "L0110 at 0..2"),
            ("x@l U (b && ! Xfer)", "L0110 at 14..18"),
            ("F[3] == 1", "L0110 at 0..1"),
            ("TRUE && x == 1", "L0110 at 0..4"),
            ("true & x = 1", "L0110 at 0..4"),
            ("a U b U c==1", "L0110 at 6..7"),
            ("a -> b -> c==1", "L0110 at 7..9"),
            ("a <-> b -> c=1", "L0110 at 8..10"),
            ("a xor b | c=1", "L0110 at 8..9"),
            ("& Ga b", "L0110 at 2..4"),
            // Without doubt: parentheses, one operator, words of SPIN's alone, quotes.
            ("(a U b) U c==1", "(a U b) U \"c == 1\""),
            ("a <-> b <-> c==1", "(a <-> b) <-> \"c == 1\""),
            ("a implies b implies c==1", "(a -> b) -> \"c == 1\""),
            ("\"GFa\" -> b=3", "\"GFa\" -> \"b = 3\""),
            ("G F a -> b=3", "GFa -> \"b = 3\""),
            ("GFa -> \"b=3\"", "GFa -> \"b=3\""),
            // Operators without an operand are no propositions.
            ("G", "L0102 at 1..1"),
            ("GF", "L0102 at 2..2"),
            ("a & X", "L0102 at 5..5"),
        ],
    );
    let mut formulas = Formulas::new();
    let error = parse(&mut formulas, "GFa -> b=3", Syntax::Any).unwrap_err();
    assert_eq!(error.primary.text, "`G F a` for Spot, the proposition `GFa` for NuSMV");
    assert!(error.hints.iter().any(|hint| hint.contains("--syntax nusmv")), "{error:?}");
}

#[test]
fn any_syntax_shows_the_diagnostic_that_helps() {
    check_all(
        Syntax::Any,
        &[
            ("X[10001] a", "L0106 at 0..8"),
            ("a & F[5:2] b", "L0106 at 4..10"),
            ("O a", "O a"),
            ("a S b", "a S b"),
            ("G(a -> Y (b))", "G(a -> Y b)"),
            ("O [2, 1] a", "L0106 at 0..8"),
            // `O` is a proposition for Spot, and something else is wrong.
            ("G(O & )", "L0102 at 6..7"),
            ("()", "L0102 at 1..2"),
            ("a U (())", "L0102 at 6..7"),
        ],
    );
}

#[test]
fn diagnostics_point_and_help() {
    check_all(
        Syntax::Spot,
        &[
            ("", "L0102 at 0..0"),
            ("   ", "L0102 at 0..0"),
            ("(a U b", "L0104 at 6..6"),
            ("a U b) U c", "L0104 at 5..6"),
            ("a b", "L0103 at 2..3"),
            ("a & & b", "L0102 at 4..5"),
            ("a == b", "L0101 at 2..3"),
            ("G\"abc", "L0105 at 1..5"),
            ("F[5:2]a", "L0106 at 0..6"),
            ("F[5:99999999]a", "L0106 at 0..13"),
            ("X[1:2]a", "L0106 at 0..6"),
            ("a $ b", "L0101 at 2..3"),
            ("12", "L0101 at 0..2"),
            ("()", "L0102 at 1..2"),
            ("G(())", "L0102 at 3..4"),
        ],
    );
    let mut formulas = Formulas::new();
    let error = parse(&mut formulas, "a U (b", Syntax::Spot).unwrap_err();
    assert_eq!(error.secondary[0].text, "this parenthesis is never closed");
    assert_eq!(error.secondary[0].span.lo, 4);
}

const DEEP: usize = 100_000;

#[test]
fn deep_nesting_overflows_no_stack() {
    let all = [Syntax::Spot, Syntax::Spin, Syntax::NuSmv, Syntax::Any];
    for syntax in all {
        let mut formulas = Formulas::new();
        let parentheses = format!("{}a{}", "(".repeat(DEEP), ")".repeat(DEEP));
        assert_eq!(parse(&mut formulas, &parentheses, syntax).unwrap(), formulas.atom("a"));
        let negations = format!("{}a", "! ".repeat(DEEP));
        assert_eq!(parse(&mut formulas, &negations, syntax).unwrap(), formulas.atom("a"));
        let nexts = format!("{}a", "X ".repeat(DEEP));
        let deep = parse(&mut formulas, &nexts, syntax).unwrap();
        assert_eq!(formulas.size(deep), DEEP as u64 + 1);
        assert!(parse(&mut formulas, &"(".repeat(DEEP), syntax).is_err());
        assert!(parse(&mut formulas, &"!".repeat(DEEP), syntax).is_err());
        assert!(parse(&mut formulas, &")".repeat(DEEP), syntax).is_err());
    }
    for notation in [Notation::Spot, Notation::Spin, Notation::NuSmv, Notation::Lbt, Notation::Latex] {
        let mut formulas = Formulas::new();
        let deep = parse(&mut formulas, &format!("{}a", "! X ".repeat(DEEP)), Syntax::Lbt).unwrap();
        assert!(print(&formulas, deep, notation).len() > DEEP);
    }
}

#[test]
fn long_junctions_cost_linear_space() {
    let mut formulas = Formulas::new();
    let members: Vec<String> = (0..20_000).map(|index| format!("p{index}")).collect();
    let flat = parse(&mut formulas, &members.join(" & "), Syntax::Spot).unwrap();
    let nested = format!("{}{}", "(".repeat(members.len()), members.join(") & ") + ")");
    assert_eq!(parse(&mut formulas, &nested, Syntax::Spot).unwrap(), flat);
    let prefix = format!("{}{}", "& ".repeat(members.len() - 1), members.join(" "));
    assert_eq!(parse(&mut formulas, &prefix, Syntax::Lbt).unwrap(), flat);
}

#[test]
fn arbitrary_text_is_read_or_explained() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let pieces = [
        "a", "b0", "G", "F", "X", "U", "R", "W", "M", "V", "(", ")", "[", "]", "<>", "[]", "{", "}", "!", "&", "&&",
        "|", "->", "<->", "=", "==", "1", "0", "42", "\"", "\\", "x[", "in", "until", "always", ":", "@", "é", "□",
        " ", "-", "<", "p1", "i", "e", "^", "\n", "X[2]", "F[1:", ".", "\u{0}", "~", "t",
    ];
    for _ in 0..20_000 {
        let length = random.below(12);
        let text: String = (0..length)
            .map(|_| pieces[random.below(pieces.len() as u64) as usize])
            .collect::<Vec<_>>()
            .join(if random.chance(0.5) { " " } else { "" });
        let mut formulas = Formulas::new();
        for syntax in [Syntax::Spot, Syntax::Spin, Syntax::NuSmv, Syntax::Lbt, Syntax::Any] {
            if let Err(error) = parse(&mut formulas, &text, syntax) {
                let span = error.primary.span;
                assert!(span.lo <= span.hi && span.hi as usize <= text.len(), "{text:?}: {error:?}");
                assert!(text.is_char_boundary(span.lo as usize) && text.is_char_boundary(span.hi as usize));
            }
        }
    }
}

#[test]
fn latex_escapes_what_latex_would_eat() {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, "G(p0 -> a_b U \"x & {y}\")", Syntax::Spot).unwrap();
    assert_eq!(
        print(&formulas, formula, Notation::Latex),
        "\\mathsf{G}\\,(p_{0} \\rightarrow (\\mathit{a\\_b} \\mathbin{\\mathsf{U}} \\mathit{x\\ \\&\\ \\{y\\}}))"
    );
}

#[test]
fn operators_that_a_notation_lacks_repeat_the_shorter_operand() {
    let cases = [
        ("a W b", "b V (a || b)", "b V (a | b)"),
        ("a W (b & c)", "(a U (b && c)) || []a", "(a U (b & c)) | G a"),
        ("a M b", "b U (a && b)", "b U (a & b)"),
        ("a M X b", "(a V X b) && <>a", "(a V X b) & F a"),
    ];
    for (text, spin, nusmv) in cases {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
        let written = [Notation::Spin, Notation::NuSmv].map(|notation| print(&formulas, formula, notation));
        assert_eq!(written, [spin, nusmv]);
    }
    for operator in ["W", "M"] {
        let right = |inner: String| format!("p {operator} ({inner})");
        let left = |inner: String| format!("({inner}) {operator} p");
        for nested in [&right as &dyn Fn(String) -> String, &left] {
            let text = (0..200).fold("q".to_owned(), |inner, _| nested(inner));
            let mut formulas = Formulas::new();
            let formula = parse(&mut formulas, &text, Syntax::Spot).expect("a formula");
            for notation in [Notation::Spin, Notation::NuSmv, Notation::Wring] {
                assert!(print(&formulas, formula, notation).len() < 10_000, "{operator}, {notation:?}");
            }
        }
    }
}
