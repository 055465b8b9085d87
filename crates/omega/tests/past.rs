//! Formulas with operators of the past, from text to automaton, against the semantics on lassos.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use kernel::budget::Budget;
use omega::automaton::acceptance::accepts;
use omega::formula::{Formula, Formulas};
use omega::parse::{Syntax, parse};
use omega::pipeline::{Construction, Level, Output, Preference, TranslationOptions, translate};
use omega::print::{Notation, print, try_print};
use omega::random::{FormulaShape, Random, word};
use omega::semantics::{evaluate, satisfies};
use omega::word::Word;

const SEED: u64 = 19_850_617;

#[test]
fn automata_accept_what_satisfies_a_formula_with_past() {
    println!("seed {SEED}");
    let constructions = [Construction::Couvreur, Construction::Go, Construction::Gpvw, Construction::Tight];
    let names: Vec<String> = (0..2).map(|index| format!("p{index}")).collect();
    let mut random = Random::new(SEED);
    let (mut with_past, mut refused) = (0, 0);
    for round in 0..600_usize {
        let mut formulas = Formulas::new();
        let symbols = 2 + random.below(8) as usize;
        let formula = FormulaShape::with_past(symbols, 2).draw(&mut formulas, &mut random);
        with_past += usize::from(formulas.has_past(formula));
        let text = print(&formulas, formula, Notation::Spot);
        let words: Vec<Word> = (0..30).map(|_| word(&names, 6, &mut random)).collect();
        let expected: Vec<bool> = words.iter().map(|word| satisfies(&formulas, formula, word)).collect();
        for construction in constructions {
            let options = TranslationOptions {
                construction,
                output: [Output::Buchi, Output::Generalized][round % 2],
                preference: [Preference::Small, Preference::Deterministic][round / 2 % 2],
                level: [Level::Low, Level::Medium, Level::High][round % 3],
                limit: 5_000,
            };
            let Ok(translation) = translate(&mut formulas, formula, &options, &Budget::unlimited()) else {
                refused += 1;
                continue;
            };
            let automaton = translation.automaton;
            automaton.verify();
            assert!(automaton.atoms().iter().all(|atom| names.contains(atom)), "{text}: {:?}", automaton.atoms());
            for (word, expected) in words.iter().zip(&expected) {
                assert_eq!(accepts(&automaton, word), *expected, "{text} by {construction:?} on {word}");
            }
        }
    }
    assert!(with_past > 300 && refused < 20, "{with_past} formulas with past operators, {refused} refused");
}

#[test]
fn a_safety_property_with_past_has_the_automaton_of_its_future_twin() {
    let mut formulas = Formulas::new();
    // No grant without a request before or at the same time.
    let past = parse(&mut formulas, "G (grant -> O request)", Syntax::NuSmv).unwrap();
    let future = parse(&mut formulas, "request R (!grant | request)", Syntax::Spot).unwrap();
    let sizes = [past, future].map(|formula| {
        let automaton =
            translate(&mut formulas, formula, &TranslationOptions::default(), &Budget::unlimited()).unwrap().automaton;
        (automaton.state_count(), automaton.edge_count(), automaton.is_deterministic())
    });
    assert_eq!(sizes[0], sizes[1]);
}

fn read(formulas: &mut Formulas, text: &str, syntax: Syntax) -> Formula {
    parse(formulas, text, syntax).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn past_formulas_are_read_back_as_they_are_printed() {
    let mut random = Random::new(SEED);
    for _ in 0..5_000 {
        let mut formulas = Formulas::new();
        let mut shape = FormulaShape::with_past(1 + random.below(15) as usize, 4);
        shape.atoms = ["a", "Y", "O", "S"].map(str::to_owned).to_vec();
        let formula = shape.draw(&mut formulas, &mut random);
        for (notation, syntax) in [(Notation::Spot, Syntax::Spot), (Notation::Utf8, Syntax::Spot)] {
            let text = print(&formulas, formula, notation);
            assert_eq!(read(&mut formulas, &text, syntax), formula, "{text}");
        }
        // NuSMV reserves the letters; it has neither W nor M.
        shape.atoms = ["a", "b"].map(str::to_owned).to_vec();
        (shape.weights.weak_until, shape.weights.strong_release) = (0, 0);
        let formula = shape.draw(&mut formulas, &mut random);
        let text = print(&formulas, formula, Notation::NuSmv);
        assert_eq!(read(&mut formulas, &text, Syntax::NuSmv), formula, "{text}");
        let has_past = formulas.has_past(formula);
        for notation in [Notation::Spin, Notation::Lbt, Notation::Wring] {
            assert_eq!(try_print(&formulas, formula, notation).is_err(), has_past);
        }
    }
}

#[test]
fn the_letters_of_past_operators_stay_propositions_of_spots_syntax() {
    let mut formulas = Formulas::new();
    for text in ["O & a", "O U a", "S | T", "Y", "!Y", "Y -> O", "H W Z", "G(O <-> Y)", "Y=1", "Y xor Z", "O)"] {
        let has_past = parse(&mut formulas, text, Syntax::Spot).map(|formula| formulas.has_past(formula));
        assert!(!has_past.unwrap_or(false), "{text}");
    }
    let cases = [
        ("O a", "O a"),
        ("G(a -> Ob)", "G(a -> Ob)"),
        ("a S b S c", "a S (b S c)"),
        ("Y S b", "Y S b"),
        ("Y Y", "Y Y"),
        ("O(a & b)", "O (a & b)"),
        ("Z 0", "Z (0)"),
        ("!H!a", "!H !a"),
    ];
    for (text, printed) in cases {
        let formula = read(&mut formulas, text, Syntax::Spot);
        assert_eq!(print(&formulas, formula, Notation::Spot), printed);
    }
    // The first syntax that fits: NuSMV's, where Spot's does not.
    let any = read(&mut formulas, "G (x = 1 -> O [1, 2] y = 2)", Syntax::Any);
    let spelt = read(&mut formulas, "G (x = 1 -> Y (y = 2 | Y y = 2))", Syntax::NuSmv);
    assert_eq!(any, spelt);
}

#[test]
fn bounds_of_nusmv_are_written_out() {
    let mut formulas = Formulas::new();
    let cases = [
        ("F [1, 2] p", "X (p | X p)"),
        ("G [0, 1] p", "p & X p"),
        ("O [1, 2] p", "Y (p | Y p)"),
        ("H [1, 2] p", "Z (p & Z p)"),
        ("H[0,0]p", "p"),
    ];
    for (bounded, spelt) in cases {
        let [bounded, spelt] = [bounded, spelt].map(|text| read(&mut formulas, text, Syntax::NuSmv));
        assert_eq!(bounded, spelt);
    }
    for wrong in ["F [2, 1] p", "O [1] p", "H [a, b] p", "G [0, 1000000] p"] {
        assert_eq!(parse(&mut formulas, wrong, Syntax::NuSmv).unwrap_err().code, "L0106", "{wrong}");
    }
}

#[test]
fn a_proof_goes_back_to_the_position_that_decides() {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, "G (b -> O a)", Syntax::NuSmv);
    let word = Word::parse("a & !b; cycle{b & !a; !a & !b}").unwrap();
    let proof = evaluate(&formulas, formula, &word).proof().show(&formulas);
    assert!(proof.contains("O a is true, decided at the earlier position 0"), "{proof}");
}
