//! What the preprocessor leaves of a text, and what it says about it.

mod support;

use kernel::span::SourceMap;
use promela::front::PreprocessorOptions;
use promela::lex::{Spellings, TokenKind};
use promela::preprocess::{Files, preprocess};
use support::Table;

/// The tokens that are left, with a `/` where a new line begins.
fn run(text: &str, options: &PreprocessorOptions, files: &dyn Files) -> (String, Vec<&'static str>) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text, None);
    let (tokens, findings, _) =
        preprocess(&mut sources, file, options, files, &mut Spellings::default(), &kernel::budget::Budget::unlimited());
    let mut shown = String::new();
    for token in tokens.iter().filter(|token| token.kind != TokenKind::End) {
        if !shown.is_empty() {
            shown.push_str(if token.fresh { " / " } else { " " });
        }
        shown.push_str(&token.text);
    }
    (shown, findings.iter().map(|finding| finding.code).collect())
}

fn check(text: &str, expected: &str) {
    let (shown, codes) = run(text, &PreprocessorOptions::default(), &Table(Vec::new()));
    assert_eq!((shown.as_str(), codes), (expected, vec![]), "{text}");
}

fn check_code(text: &str, expected: &[&str]) {
    let (_, codes) = run(text, &PreprocessorOptions::default(), &Table(Vec::new()));
    assert_eq!(codes, expected, "{text}");
}

#[test]
fn object_like_macros() {
    check("#define N 3\nx = N;", "x = 3 ;");
    check("#define A B\n#define B C\nA", "C");
    check("#define EMPTY\na EMPTY b", "a b");
    check("#define N 3\n#undef N\nN", "N");
    check("#define for_all(x) x\nfor_all", "for_all");
}

#[test]
fn a_macro_is_not_expanded_inside_itself() {
    check("#define x x + 1\nx", "x + 1");
    check("#define a b\n#define b a\na b", "a b");
    check("#define f(x) x + f(x)\nf(2)", "2 + f ( 2 )");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
}

#[test]
fn function_like_macros() {
    check("#define ADD(a, b) (a) + (b)\nADD(1, (2, 3))", "( 1 ) + ( ( 2 , 3 ) )");
    check("#define F() x\nF() F ()", "x x");
    check("#define G(a) [a]\nG() G(G(1))", "[ ] [ [ 1 ] ]");
    check("#define V(f, ...) f(__VA_ARGS__)\nV(printf, a, b) V(g)", "printf ( a , b ) g ( )");
    check("#define W(f, rest...) f(rest)\nW(p, 1, 2)", "p ( 1 , 2 )");
}

#[test]
fn strings_and_pasting() {
    check("#define S(x) #x\nS(a + \"b\\n\")", r#""a + \"b\\n\"""#);
    check("#define C(a, b) a##b\nC(x, 1) C(, y) C(z, )", "x1 y z");
    check("#define C(a, b) a ## b\n#define xy 7\nC(x, y)", "7");
    check("#define S(x) #x\n#define T(x) S(x)\n#define N 3\nS(N) T(N)", r#""N" "3""#);
}

#[test]
fn lines_are_those_of_the_c_preprocessor() {
    check("#define F(a,b) a; b\nA F(one,\n two) B\nC", "A one ; two / B / C");
    check("#define G(x) x \\\n y \\\n z\nG(1) C\nG\n(2)\nD", "1 y z C / 2 y z / D");
    check("u /* a\n b */ v", "u / v");
    check("x \\\n y", "x / y");
}

#[test]
fn conditionals() {
    check("#if 1\na\n#else\nb\n#endif", "a");
    check("#if 0\na\n#elif 2 > 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b");
    check("#ifdef X\na\n#else\nb\n#endif", "b");
    check("#define X\n#ifndef X\na\n#elif defined(X) && !defined Y\nb\n#endif", "b");
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n\" it's not looked at\n#else\nc\n#endif", "c");
    check("#define N 4\n#if N * 2 == 8 && (N >> 1) == 2 && -N < 0 && ~0 == -1\nyes\n#endif", "yes");
    check("#if UNKNOWN || 0x10 == 16 && 010 == 8 && 'a' == 97\nyes\n#endif", "yes");
    check("#if 0 && 1 / 0\nno\n#else\nyes\n#endif", "yes");
    check("#if (1 ? 0 : 1 / 0)\nno\n#else\nyes\n#endif", "yes");
}

#[test]
fn options_define_and_undefine() {
    let defines = vec![("N".into(), Some("5".into())), ("FLAG".into(), None), ("GONE".into(), None)];
    let options = PreprocessorOptions { defines, undefines: vec!["GONE".into()] };
    let (shown, codes) = run("N FLAG GONE", &options, &Table(Vec::new()));
    assert_eq!((shown.as_str(), codes), ("5 1 GONE", vec![]));
}

#[test]
fn includes() {
    let files = Table(vec![("a.h", "#ifndef A\n#define A\nfrom_a\n#include \"b.h\"\n#endif"), ("b.h", "from_b")]);
    let text = "#include \"a.h\"\n#include <a.h>\nhere";
    assert_eq!(run(text, &PreprocessorOptions::default(), &files).0, "from_a / from_b / here");
    let ring = Table(vec![("r.h", "x\n#include \"r.h\"")]);
    let (shown, codes) = run("#include \"r.h\"\ny", &PreprocessorOptions::default(), &ring);
    assert_eq!(codes, ["P0107"]);
    assert!(shown.starts_with("x / x /") && !shown.contains('y'), "nothing is read after a ring");
}

#[test]
fn ignored_directives() {
    check("#pragma once\n#line 3 \"x\"\n# 7 \"y\" 1\n#ident \"z\"\n#\na", "a");
}

#[test]
fn mistakes_in_directives() {
    check_code("#defin X", &["P0101"]);
    check_code("#define 3", &["P0102"]);
    check_code("#define F(a", &["P0102"]);
    check_code("#include", &["P0102"]);
    check_code("#if 1\na", &["P0103"]);
    check_code("#endif", &["P0104"]);
    check_code("#if 1\n#else\n#else\n#endif", &["P0104"]);
    check_code("#if (1\n#endif", &["P0105"]);
    check_code("#if 1 / 0\n#endif", &["P0105"]);
    check_code("#if 1 2\n#endif", &["P0105"]);
    check_code("#include \"nothing.h\"", &["P0106"]);
    check_code("#define F(a) a\nF(1, 2)", &["P0108"]);
    check_code("#define F(a) a\nF(1", &["P0109"]);
    check_code("#define N 1\n#define N 2\n#define N 2", &["P0110"]);
    check_code("#define P(a, b) a##b\nP(+, -)", &["P0111"]);
    check_code("#error stop here", &["P0112"]);
    check_code("#warning look here", &["P0113"]);
    check_code("/* open", &["P0001"]);
    check_code("a */ b", &["P0006"]);
}

#[test]
fn expansion_is_bounded() {
    let mut bomb = String::from("#define A0 x x\n");
    for level in 1..40 {
        bomb.push_str(&format!("#define A{level} A{0} A{0}\n", level - 1));
    }
    bomb.push_str("A39\n");
    check_code(&bomb, &["P0010"]);
    let nested = format!("#define F(a) a\n{}1{}", "F(".repeat(5000), ")".repeat(5000));
    let (_, codes) = run(&nested, &PreprocessorOptions::default(), &Table(Vec::new()));
    assert!(codes.contains(&"P0114"));
}
