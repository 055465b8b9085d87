//! Formulas, conditions and claims that are given beside a model.

mod support;

use kernel::budget::Budget;
use promela::front::NoFiles;
use promela::property::{add_never, parse_expression, parse_ltl};
use promela::typed::{ExprKind, Ltl, ProcKind};
use support::load;

const MODEL: &str = "#define done (x == 2)\nmtype = { A };\nbyte x;\nactive proctype P() { byte k; L: k = 1; x = k }";

#[test]
fn formulas_see_the_macros_and_names_of_the_model() {
    let (mut sources, loaded) = load(MODEL);
    let mut program = loaded.program.expect("accepted");
    let file = sources.add_file("<formula>", "[] (done -> <> (P@L && P:k == A && _last == 0))", None);
    let formula =
        parse_ltl(&mut sources, file, &mut program, &loaded.definitions, &Budget::unlimited()).expect("a formula");
    assert!(matches!(formula, Ltl::Always(_)));
    assert!(program.uses.last);
}

#[test]
fn mistakes_in_formulas_are_reported_in_their_own_text() {
    let (mut sources, loaded) = load(MODEL);
    let mut program = loaded.program.expect("accepted");
    for (text, code) in [("[] (y == 1)", "P0301"), ("<> run P()", "P0418"), ("x ==", "P0214"), ("x x", "P0201")] {
        let file = sources.add_file("<formula>", text, None);
        let findings =
            parse_ltl(&mut sources, file, &mut program, &loaded.definitions, &Budget::unlimited()).expect_err(text);
        assert_eq!(findings[0].code, code, "{text}");
        assert_eq!(findings[0].primary.span.file, file);
    }
}

#[test]
fn conditions_have_no_temporal_operators() {
    let (mut sources, loaded) = load(MODEL);
    let mut program = loaded.program.expect("accepted");
    let file = sources.add_file("<condition>", "done && P[0]@L", None);
    let condition = parse_expression(&mut sources, file, &mut program, &loaded.definitions, &Budget::unlimited())
        .expect("a condition");
    assert!(matches!(condition.kind, ExprKind::Binary(..)));
    let file = sources.add_file("<condition>", "<> done", None);
    assert!(parse_expression(&mut sources, file, &mut program, &loaded.definitions, &Budget::unlimited()).is_err());
}

#[test]
fn claims_are_added_whole_or_not_at_all() {
    let (mut sources, loaded) = load(MODEL);
    let mut program = loaded.program.expect("accepted");
    let (procs, statements) = (program.procs.len(), program.statements.len());
    let wrong = sources.add_file("wrong", "never { T0: if :: done -> goto T1 :: nothing fi }", None);
    assert!(add_never(&mut sources, wrong, &NoFiles, &mut program, &loaded.definitions, &Budget::unlimited()).is_err());
    assert_eq!((program.procs.len(), program.statements.len()), (procs, statements));
    let text = "#define p !done\nnever { T0: do :: p -> goto accept :: skip od; accept: do :: p od }";
    let right = sources.add_file("right", text, None);
    let id = add_never(&mut sources, right, &NoFiles, &mut program, &loaded.definitions, &Budget::unlimited())
        .expect("a claim");
    let claim = &program.procs[id.0 as usize];
    assert_eq!((claim.kind, claim.labels.len()), (ProcKind::Never, 2));
    assert!(program.statements.len() > statements);
}
