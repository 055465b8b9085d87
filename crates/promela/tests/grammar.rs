//! What is accepted and what it becomes: the statements of small models, as their texts show them.
//! The expected lists are those of SPIN's own listing (`pan -d`), statement by statement, with the
//! compound statements added.

mod support;

use promela::typed::{ExprKind, Initial, Ltl, LtlOp, StmtKind, Type};
use support::{codes, listing, load};

const GLOBALS: &str = "byte a, b, c, x, y; chan ch = [2] of { byte }; chan two = [2] of { byte, byte };\n\
                       mtype = { A, B }; typedef M { byte v; byte w[2] }; M m;\n";

/// The statements of a body, after the globals above.
fn check(body: &str, expected: &[&str]) {
    let text = format!("{GLOBALS}active proctype P() {{\n{body}\n}}\n");
    let shown = listing(&text);
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{body}");
}

/// Two texts that must be the same tree.
fn same(body: &str, bracketed: &str) {
    let shown = |body: &str| listing(&format!("{GLOBALS}active proctype P() {{\n{body}\n}}\n"));
    assert_eq!(shown(body), shown(bracketed), "{body}");
}

#[test]
fn operators_bind_as_in_spin() {
    same("a | b & c ^ x", "a | ((b & c) ^ x)");
    same("a == b & c", "(a == b) & c");
    same("a < b == c", "(a < b) == c");
    same("!a == b; -a * b; ~a + b", "(!a) == b; (-a) * b; (~a) + b");
    same("a << b + c; a && b || c && x", "a << (b + c); (a && b) || (c && x)");
    same("a - b - c; a / b * c % x", "(a - b) - c; ((a / b) * c) % x");
    check("x = (a -> b : c) + 1", &["x = (a -> b : c)+1"]);
    check("x = 'a'; x = '\\n'; x = true; skip", &["x = 97", "x = 10", "x = 1", "skip"]);
}

#[test]
fn texts_have_the_brackets_they_need() {
    check("a - (b - c); (a + b) * c; a + b * c", &["a-(b-c)", "(a+b)*c", "a+b*c"]);
    check("a - -1; !(!a); !(a == b); -(a + b)", &["a-(-1)", "!(!a)", "!(a==b)", "-(a+b)"]);
    check("a && (b || c); (a && b) || c; a && b && c", &["a && (b || c)", "(a && b) || c", "a && b && c"]);
    check("a & (b + 1); (a & b) == c; a == (b == c)", &["a&(b+1)", "(a&b)==c", "a==(b==c)"]);
    check("m.w[a + 1] == -1; x = -2", &["m.w[a+1]==-1", "x = -2"]);
}

#[test]
fn line_ends_separate_statements() {
    check("x = 1\ny = 2", &["x = 1", "y = 2"]);
    check("x = a\n-1 -> y = 1", &["x = a", "-1", "y = 1"]);
    check("ch\n!1", &["ch", "!1"]);
    check("a\n(b)", &["a", "b"]);
    check("(a\n|| b) -> x = 1", &["a || b", "x = 1"]);
    check("a ||\nb -> x = 1", &["a || b", "x = 1"]);
    check("a\n|| b -> x = 1", &["a || b", "x = 1"]);
    check("x\n= 1;; y = 1;", &["x = 1", "y = 1"]);
    check("x = 1\n; y = 2\n-> y = 3", &["x = 1", "y = 2", "y = 3"]);
    check("{ x = 1 } y = 1", &["{", "x = 1", "y = 1"]);
}

#[test]
fn choices_and_loops() {
    check("if :: a -> x = 1 :: else x = 2 fi", &["if", "a", "x = 1", "else", "x = 2"]);
    check("do :: a -> break :: else -> skip od", &["do", "a", "break", "else", "skip"]);
    check("if :: a -> :: b; fi", &["if", "a", "b"]);
    check("L: goto M; M: skip", &["goto M", "skip"]);
    check("if :: a -> L: fi; M:", &["if", "a", "skip", "skip"]);
    check("{ x = 1 } unless { y = 1 }", &["unless", "x = 1", "y = 1"]);
    check("atomic { x = 1; d_step { y = 1; y = 2 } }", &["atomic", "x = 1", "d_step", "y = 1", "y = 2"]);
}

#[test]
fn abbreviations_become_the_loops_of_spin() {
    let turn = ["a = 1", "do", "a<=3", "x = a", "a = a+1", "else", "break"];
    check("for (a : 1 .. 3) { x = a }", &turn);
    check("select (a : 1 .. 3)", &["if", "a = 1", "a = 2", "a = 3"]);
    check("select (a : x .. 3)", &["a = x", "do", "break", "a<3", "a = a+1"]);
    check("select (a : 1 .. (2))", &["a = 1", "do", "break", "a<2", "a = a+1"]);
    check("for (a in m.w) { skip }", &["a = 0", "do", "a<=1", "skip", "a = a+1", "else", "break"]);
    check(
        "for (a in ch) { skip }",
        &["_for_0 = 0", "do", "_for_0<len(ch)", "ch?a", "ch!a", "skip", "_for_0 = _for_0+1", "else", "break"],
    );
    check("x++; m.w[1]--", &["x = x+1", "m.w[1] = m.w[1]-1"]);
}

#[test]
fn declarations_inside_bodies_are_steps() {
    check("byte z = 3; x = z; byte q; byte r = 2", &["x = z", "q = 0", "r = 2"]);
    check("{ byte q = x; y = q }", &["{", "q = x", "y = q"]);
    check("x = 1; byte t[2]; byte u[3] = { 1, 2 }", &["x = 1", "t = {0,0}", "u = {1,2,0}"]);
    check("x = 1; M n; n.v = 1", &["x = 1", "skip", "n.v = 1"]);
}

#[test]
fn messages_of_all_forms() {
    check("ch!1; ch!!x; two!A(x); two!m.v,2", &["ch!1", "ch!!x", "two!A,x", "two!m.v,2"]);
    check("two?A(x); two?eval(x),_; two??3,y", &["two?A,x", "two?eval(x),_", "two??3,y"]);
    check("two?<x,y>; two??<x,y>; two?(x,y)", &["two?<x,y>", "two??<x,y>", "two?x,y"]);
    check("ch?[x]; two??[A,_] && a; !ch?[1]", &["ch?[x]", "two??[A,_] && a", "!ch?[1]"]);
    check("ch?-3; len(ch) > 0; empty(ch); nfull(ch)", &["ch?-3", "len(ch)>0", "empty(ch)", "nfull(ch)"]);
}

#[test]
fn inlines_are_replaced_token_by_token() {
    let text = "byte x, y; inline f(v, w) { v = w * 2; g(v) } inline g(a) { a++ }\n\
                active proctype P() { f(x, y + 1); y = h(3) }\n\
                inline h(k) { x = 1; return k + 1 }";
    let expected = ["{", "x = y+1*2", "{", "x = x+1", "{", "x = 1", "y = 3+1"];
    assert_eq!(listing(text).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn labels_belong_to_their_block() {
    let text = "byte x; inline f() { x = 1; goto done; x = 2; done: skip }\n\
                active proctype P() { x = 0; f(); f(); goto done; done: x = 3 }";
    let (_, loaded) = load(text);
    let program = loaded.program.expect("accepted");
    let labels = &program.procs[0].labels;
    assert_eq!(labels.iter().map(|label| label.name.as_str()).collect::<Vec<_>>(), ["done"; 3]);
    let text_of = |id: promela::typed::StmtId| program.statements[id.0 as usize].text.as_str();
    assert_eq!(labels.iter().map(|label| text_of(label.target)).collect::<Vec<_>>(), ["skip", "skip", "x = 3"]);
    let StmtKind::Goto(last) = program.procs[0].body[3].kind else { panic!("a jump comes fourth") };
    assert_eq!(last.0, 2);
}

#[test]
fn symbols_are_numbered_as_in_spin() {
    let text = "mtype = { A, B, C }; mtype = { D, E }; mtype:f = { F, G }; mtype { H }; init { skip }";
    let program = load(text).1.program.expect("accepted");
    let values: Vec<(&str, i32)> = program.symbols.iter().map(|s| (s.name.as_str(), s.value)).collect();
    let expected = [("A", 3), ("B", 2), ("C", 1), ("D", 5), ("E", 4), ("F", 2), ("G", 1), ("H", 6)];
    assert_eq!(values, expected);
}

#[test]
fn declarations_of_all_forms() {
    let text = "hidden byte h; show bit s; local bool l; pid p; short t = -3; int i[3] = { 1, 2 };\n\
                unsigned u : 5 = 7; mtype = { A }; mtype k = A; mtype:z q; chan c[2] = [1] of { mtype, chan, R };\n\
                typedef R { byte v = 2; int w[2] }; R r[3]; chan e; byte n = t + 1\n init { skip }";
    let program = load(text).1.program;
    // `R` is used before its typedef: that must be said, and only that.
    assert!(program.is_none());
    assert!(codes(text).contains(&"P0304"));
    let fixed = text.replace(", R }", ", byte }");
    let program = load(&fixed).1.program.expect("accepted");
    let shape: Vec<(&str, &Type, Option<u32>)> =
        program.globals.iter().map(|v| (v.name.as_str(), &v.ty, v.len)).collect();
    assert_eq!(shape[5], ("i", &Type::Int, Some(3)));
    assert_eq!(shape[6], ("u", &Type::Unsigned(5), None));
    assert_eq!(shape[8], ("q", &Type::Mtype(Some("z".into())), None));
    let Initial::Channel(spec) = &program.globals[9].initial else { panic!("`c` is created") };
    assert_eq!((spec.capacity, spec.fields.len()), (1, 3));
    assert!(matches!(program.globals[5].initial, Initial::List(ref values) if values.len() == 2));
    assert!(matches!(program.globals[12].initial, Initial::Value(_)));
}

#[test]
fn operators_of_formulas_are_names_elsewhere() {
    let text = "typedef T { byte x };\ntypedef O { T U; T until; T in };\nO o; T W;\n\
                proctype A(chan in; byte always) { T implies; implies.x = always }\n\
                init { byte X, release; X = 2; o.in.x = X; o.U.x = 1; W.x = release }\n";
    assert_eq!(codes(text), Vec::<&str>::new());
}

#[test]
fn records_in_messages_and_arguments_are_flattened() {
    let text = "typedef M { byte v; byte w[2] }; chan q = [1] of { M, bit };\n\
                proctype Q(M k; byte z) { skip } active proctype P() { M n; q!n,1; q?n,_; run Q(n, 2) }";
    let expected = ["skip", "q!n.v,n.w[0],n.w[1],1", "q?n.v,n.w[0],n.w[1],_", "run Q(n.v,n.w[0],n.w[1],2)"];
    assert_eq!(listing(text).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn processes_of_all_forms() {
    let text = "active [3] proctype P() priority 5 provided (_pid > 0) { skip }\n\
                D_proctype Q(byte a, b; chan c) { skip }\n\
                proctype R(byte a, byte b) { skip }\n\
                init priority 2 { run Q(1, 2, 0) priority 7; run R(1, 2) }\n\
                never { do :: skip od } never named { skip } trace { do :: q!1 od } chan q = [1] of { bit }";
    let program = load(text).1.program.expect("accepted");
    let heads: Vec<_> = program.procs.iter().map(|p| (p.name.as_str(), p.active, p.priority, p.params)).collect();
    let expected = [
        ("P", 3, 5, 0),
        ("Q", 0, 1, 3),
        ("R", 0, 1, 2),
        (":init:", 1, 2, 0),
        ("never_0", 0, 1, 0),
        ("named", 0, 1, 0),
        ("trace", 0, 1, 0),
    ];
    assert_eq!(heads, expected);
    assert!(program.uses.priorities && program.procs[0].provided.is_some() && program.procs[1].deterministic);
}

#[test]
fn predefined_names_and_remote_references() {
    let text = "byte x; active proctype P() { byte k; L: x = _nr_pr; x = _last; _ = 3; k = _pid;\n\
                _priority = 2; x = get_priority(0); set_priority(0, 2); timeout; enabled(0); pc_value(0) }\n\
                never { P[0]@L; P@L; P[0]:k == 1; np_; skip }";
    let shown = listing(text);
    let expected = [
        "x = _nr_pr",
        "x = _last",
        "_ = 3",
        "k = _pid",
        "set_priority(_pid,2)",
        "x = get_priority(0)",
        "set_priority(0,2)",
        "timeout",
        "enabled(0)",
        "pc_value(0)",
        "P[0]@L",
        "P@L",
        "P[0]:k==1",
        "np_",
        "skip",
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
    let uses = load(text).1.program.expect("accepted").uses;
    assert!(uses.last && uses.priorities && uses.non_progress);
}

/// A formula in brackets, for comparison.
fn shape(formula: &Ltl) -> String {
    match formula {
        Ltl::Atom(atom) => match &atom.kind {
            ExprKind::Binary(..) => "cmp".to_string(),
            ExprKind::Read(_) => "var".to_string(),
            _ => "other".to_string(),
        },
        Ltl::Not(inner) => format!("!{}", shape(inner)),
        Ltl::Next(inner) => format!("X{}", shape(inner)),
        Ltl::Always(inner) => format!("[]{}", shape(inner)),
        Ltl::Eventually(inner) => format!("<>{}", shape(inner)),
        Ltl::Binary(operator, left, right) => {
            let sign = match operator {
                LtlOp::And => "&&",
                LtlOp::Or => "||",
                LtlOp::Implies => "->",
                LtlOp::Iff => "<->",
                LtlOp::Until => "U",
                LtlOp::Release => "V",
                LtlOp::WeakUntil => "W",
            };
            format!("({} {sign} {})", shape(left), shape(right))
        }
    }
}

#[test]
fn formulas_bind_as_in_spin() {
    let check = |formula: &str, expected: &str| {
        let text = format!("byte x, y, z; active proctype P() {{ L: skip }} ltl f {{ {formula} }}");
        let program = load(&text).1.program.unwrap_or_else(|| panic!("{formula} is accepted"));
        assert_eq!(shape(&program.ltl[0].formula), expected, "{formula}");
    };
    check("[] (x -> <> y)", "[](var -> <>var)");
    check("x U y U z", "((var U var) U var)");
    check("x U y && z U x", "((var U var) && (var U var))");
    check("x || y U z", "(var || (var U var))");
    check("x -> y -> z", "((var -> var) -> var)");
    check("x <-> y -> z", "((var <-> var) -> var)");
    check("x && y || z && x", "((var && var) || (var && var))");
    check("!x && X y", "(!var && Xvar)");
    check("always x implies eventually y until z", "([]var -> (<>var U var))");
    check("x weakuntil y", "(var W var)");
    check("x V (y release z)", "(var V (var V var))");
    check("[] x == 1", "[]cmp");
    check("(x + 1 > 2) && P@L && !(x == 1 || y)", "((cmp && other) && !(cmp || var))");
    check("[]<> (x -> y : z)", "[]<>other");
}

#[test]
fn unnamed_formulas_are_numbered() {
    let text = "byte x; init { skip } ltl { x } ltl p { []x } ltl { <>x; }";
    let program = load(text).1.program.expect("accepted");
    assert_eq!(program.ltl.iter().map(|block| block.name.as_str()).collect::<Vec<_>>(), ["ltl_0", "p", "ltl_1"]);
}

#[test]
fn places_survive_macros_and_inlines() {
    let text = "#define SET(v) v = 1\nbyte x; inline f(p) { SET(p) }\ninit { f(x); f(x) }";
    let (sources, loaded) = load(text);
    let program = loaded.program.expect("accepted");
    let assignment = program.statements.iter().find(|info| info.text == "x = 1").expect("there is one");
    // The target is spelt at the call, the rest in the macro; both are read in the body of the inline.
    assert_eq!(sources.line_column(assignment.span).0, 2);
    let value = match &program.procs[0].body[0].kind {
        StmtKind::Block(body) => match &body[0].kind {
            StmtKind::Assign(_, value) => value.span,
            _ => panic!("an assignment comes first"),
        },
        _ => panic!("an inline is a block"),
    };
    let names: Vec<_> = sources.expansions_of(value).iter().map(|e| e.name.clone()).collect();
    assert_eq!(names, ["SET", "f"]);
    assert_eq!(sources.snippet(value), "1");
}
