//! Rewriting as a whole: the meaning stays, the form is reached, the document matches the table.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use kernel::budget::Budget;
use omega::analyse::classify::{Classifier, Traits};
use omega::formula::{Formula, Formulas, Node};
use omega::parse::{Syntax, parse};
use omega::print::{Notation, print};
use omega::random::{self, FormulaShape, Random};
use omega::rewrite::{Implication, Nnf, Simplifier, document, simplify};
use omega::semantics::satisfies;

const SEED: u64 = 9_311_405;

fn is_nnf(formulas: &Formulas, formula: Formula) -> bool {
    formulas.subformulas(formula).into_iter().all(|part| match formulas.node(part) {
        Node::Not(a) => matches!(formulas.node(*a), Node::Atom(_)),
        Node::Implies(..) | Node::Iff(..) | Node::Xor(..) => false,
        _ => true,
    })
}

/// Calls `check` with many random formulas of one pool.
fn many(count: usize, symbols: u64, mut check: impl FnMut(&mut Formulas, &mut Random, Formula)) {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    for _ in 0..count {
        let symbols = 1 + random.below(symbols) as usize;
        for shape in [FormulaShape::new(symbols, 3), FormulaShape::with_past(symbols, 3)] {
            let mut formulas = Formulas::new();
            let formula = shape.draw_verbatim(&mut formulas, &mut random);
            check(&mut formulas, &mut random, formula);
        }
    }
}

fn assert_equivalent(formulas: &Formulas, random: &mut Random, a: Formula, b: Formula) {
    let atoms: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
    for _ in 0..15 {
        let word = random::word(&atoms, 6, random);
        let (left, right) = (satisfies(formulas, a, &word), satisfies(formulas, b, &word));
        let show = |f| print(formulas, f, Notation::Spot);
        assert_eq!(left, right, "{} and {} differ on {word}", show(a), show(b));
    }
}

#[test]
fn normal_form_keeps_the_meaning() {
    many(5_000, 20, |formulas, random, formula| {
        let mut nnf = Nnf::new();
        let (normal, negation) = (nnf.of(formulas, formula), nnf.negation(formulas, formula));
        assert!(is_nnf(formulas, normal) && is_nnf(formulas, negation));
        assert_equivalent(formulas, random, formula, normal);
        let not = formulas.intern(Node::Not(formula));
        assert_equivalent(formulas, random, not, negation);
    });
}

#[test]
fn simplification_keeps_the_meaning_and_is_final() {
    many(10_000, 25, |formulas, random, formula| {
        let mut simplifier = Simplifier::new();
        let simple = simplifier.simplify(formulas, formula, &Budget::unlimited()).unwrap();
        assert!(is_nnf(formulas, simple));
        assert_equivalent(formulas, random, formula, simple);
        assert_eq!(simplifier.simplify(formulas, simple, &Budget::unlimited()).unwrap(), simple);
    });
}

#[test]
fn implication_is_sound() {
    let mut found = 0;
    many(20_000, 12, |formulas, random, formula| {
        let mut nnf = Nnf::new();
        let a = nnf.of(formulas, formula);
        let drawn = FormulaShape::new(1 + random.below(8) as usize, 2).draw(formulas, random);
        let b = nnf.of(formulas, drawn);
        if !Implication::new().holds(formulas, &mut Classifier::new(), a, b) {
            return;
        }
        found += usize::from(!a.is_constant() && !b.is_constant() && a != b);
        let both = formulas.implies(a, b);
        assert_equivalent(formulas, random, both, Formula::TRUE);
    });
    assert!(found > 200, "only {found} implications were found");
}

#[test]
fn traits_promise_what_words_keep() {
    many(10_000, 10, |formulas, random, formula| {
        let traits = Classifier::new().traits(formulas, formula);
        let atoms: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
        let word = random::word(&atoms, 6, random);
        // At a random position: with past operators the first one is not like the others.
        let steps = random.below(4);
        let here = (0..steps).fold(formula, |inner, _| formulas.intern(Node::Next(inner)));
        let later = formulas.intern(Node::Next(here));
        let (now, next) = (satisfies(formulas, here, &word), satisfies(formulas, later, &word));
        let text = print(formulas, formula, Notation::Spot);
        assert!(!traits.has(Traits::EVENTUAL) || now || !next, "{text} is not eventual on {word}");
        assert!(!traits.has(Traits::UNIVERSAL) || !now || next, "{text} is not universal on {word}");
        assert!(
            !traits.has(Traits::BOOLEAN)
                || !formulas.subformulas(formula).iter().any(|a| formulas.node(*a).is_temporal())
        );
    });
}

#[test]
fn classes_of_well_known_shapes() {
    let classes = [
        (Traits::SAFETY, "safety"),
        (Traits::GUARANTEE, "guarantee"),
        (Traits::OBLIGATION, "obligation"),
        (Traits::PERSISTENCE, "persistence"),
        (Traits::RECURRENCE, "recurrence"),
        (Traits::WITHOUT_NEXT, "stutter"),
    ];
    let cases = [
        ("a", "safety guarantee obligation persistence recurrence stutter"),
        ("G(a -> Xb)", "safety obligation persistence recurrence"),
        ("a W b", "safety obligation persistence recurrence stutter"),
        ("!(a W b)", "guarantee obligation persistence recurrence stutter"),
        ("a U (b M c)", "guarantee obligation persistence recurrence stutter"),
        ("Fa -> Fb", "obligation persistence recurrence stutter"),
        ("Ga xor Fb", "obligation persistence recurrence stutter"),
        ("GFa", "recurrence stutter"),
        ("G(a -> Fb)", "recurrence stutter"),
        ("FGa & Gb", "persistence stutter"),
        ("GFa -> GFb", "stutter"),
        ("X X a", "safety guarantee obligation persistence recurrence"),
    ];
    for (text, expected) in cases {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
        let traits = Classifier::new().traits(&formulas, formula);
        let names: Vec<&str> = classes.iter().filter(|(class, _)| traits.has(*class)).map(|(_, name)| *name).collect();
        assert_eq!(names.join(" "), expected, "{text}");
    }
}

#[test]
fn known_simplifications() {
    let cases = [
        ("d <-> (b <-> d)", "b"),
        ("F(a U b)", "Fb"),
        ("G(a R b)", "Gb"),
        ("GF(a & GFb)", "GFa & GFb"),
        ("FG(a | FGb)", "FGa | FGb"),
        ("XXGFa", "GFa"),
        ("a U (b | Fc)", "Fc | (a U b)"),
        ("Fa & (a R b)", "a M b"),
        ("Ga & F(b & a)", "Fb & Ga"),
        ("(a & Fb) | (!a & Fb) | G!b", "1"),
        ("(a | b) U b", "a U b"),
        ("a & (!a | Fb)", "a & Fb"),
        ("GFa & G(b | GFa)", "GFa"),
        ("!(GFa -> GFb)", "GFa & FG!b"),
        ("a U (a U (a U b))", "a U b"),
        ("(Xa U Xb) & X(c U b)", "X((a & c) U b)"),
        ("a | X(b | Fa)", "Fa | Xb"),
        ("G(a | XGb | GFc)", "GFc | (a W XGb)"),
        ("(a -> b) W (b & !b)", "G(b | !a)"),
    ];
    for (text, expected) in cases {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
        let expected = parse(&mut formulas, expected, Syntax::Spot).unwrap();
        let simple = simplify(&mut formulas, formula, &Budget::unlimited()).unwrap();
        assert_eq!(simple, expected, "{text} became {}", print(&formulas, simple, Notation::Spot));
    }
}

#[test]
fn deep_and_wide_formulas_are_simplified() {
    let mut formulas = Formulas::new();
    let deep = parse(&mut formulas, &format!("{}p0", "X U p1 ".repeat(30_000)), Syntax::Lbt).unwrap();
    let negation = formulas.not(deep);
    let simple = simplify(&mut formulas, negation, &Budget::unlimited()).unwrap();
    assert!(is_nnf(&formulas, simple));
    let wide: Vec<String> = (0..3_000).map(|index| format!("GFp{index}")).collect();
    let wide = parse(&mut formulas, &wide.join(" & "), Syntax::Spot).unwrap();
    assert_eq!(simplify(&mut formulas, wide, &Budget::unlimited()).unwrap(), wide);
}

#[test]
fn the_document_lists_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, document()).expect("docs/rules.md can be written");
    }
    let text = std::fs::read_to_string(path).expect("docs/rules.md can be read");
    assert!(text == document(), "docs/rules.md is out of date: run this test with UPDATE_EXPECT=1");
}
