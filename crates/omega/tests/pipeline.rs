//! The whole way from formula to automaton, for every choice of options, against the semantics and against itself.

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::acceptance::accepts;
use omega::formula::{Formula, Formulas};
use omega::parse::{Syntax, parse};
use omega::pipeline::{Construction, Level, Output, Preference, TranslationOptions, translate};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random, word};
use omega::reduce::disjoint::disjoint;
use omega::semantics::satisfies;

const CONSTRUCTIONS: [Construction; 4] =
    [Construction::Couvreur, Construction::Go, Construction::Gpvw, Construction::Tight];
const LEVELS: [Level; 3] = [Level::Low, Level::Medium, Level::High];

/// All choices of options for a construction.
fn all_options(construction: Construction) -> Vec<TranslationOptions> {
    let mut all = Vec::new();
    for level in LEVELS {
        for output in [Output::Buchi, Output::Generalized] {
            for preference in [Preference::Small, Preference::Deterministic] {
                all.push(TranslationOptions {
                    construction,
                    output,
                    preference,
                    level,
                    ..TranslationOptions::default()
                });
            }
        }
    }
    all
}

fn automaton(formulas: &mut Formulas, formula: Formula, options: &TranslationOptions) -> Automaton {
    let translation = translate(formulas, formula, options, &Budget::unlimited()).expect("a small formula");
    let automaton = translation.automaton;
    automaton.verify();
    if options.output == Output::Buchi {
        assert!(automaton.is_state_based() && automaton.sets() == 1);
    }
    let last = translation.steps.last().expect("a step");
    assert_eq!((last.states, last.edges), (automaton.state_count(), automaton.edge_count()));
    automaton
}

/// Draws a formula of a size that depends on the seed.
fn draw(formulas: &mut Formulas, seed: u64, atoms: usize) -> Formula {
    let symbols = 3 + (seed % 9) as usize;
    FormulaShape::new(symbols, atoms).draw(formulas, &mut Random::new(seed))
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let names: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
    for (which, construction) in CONSTRUCTIONS.into_iter().enumerate() {
        for (index, options) in all_options(construction).iter().enumerate() {
            for round in 0..40 {
                let seed = 1_000_000 * which as u64 + 10_000 * index as u64 + round;
                let mut formulas = Formulas::new();
                let formula = draw(&mut formulas, seed, 3);
                let automaton = automaton(&mut formulas, formula, options);
                let mut random = Random::new(seed);
                for _ in 0..20 {
                    let word = word(&names, 6, &mut random);
                    let text = print(&formulas, formula, Notation::Spot);
                    let expected = satisfies(&formulas, formula, &word);
                    assert_eq!(accepts(&automaton, &word), expected, "seed {seed}: {text}, {word}, {options:?}");
                }
            }
        }
    }
}

/// How many random formulas the constructions are compared on: as many as the variable `LARIAT_RANDOM_FORMULAS` says.
fn amount() -> u64 {
    std::env::var("LARIAT_RANDOM_FORMULAS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

#[test]
fn no_word_satisfies_a_formula_and_its_negation() {
    for seed in 0..amount() {
        let mut formulas = Formulas::new();
        let formula = draw(&mut formulas, seed, 2);
        let negation = formulas.not(formula);
        let mut found = Vec::new();
        for construction in CONSTRUCTIONS {
            let options = TranslationOptions {
                construction,
                level: LEVELS[(seed % 3) as usize],
                ..TranslationOptions::default()
            };
            found.push([formula, negation].map(|formula| automaton(&mut formulas, formula, &options)));
        }
        for [positive, _] in &found {
            for [_, negative] in &found {
                let (one, two) = Automaton::aligned(positive, negative);
                let text = print(&formulas, formula, Notation::Spot);
                assert!(
                    disjoint(&one, &two, &Budget::unlimited()).unwrap(),
                    "seed {seed}: {text} and its negation have a word in common"
                );
            }
        }
    }
}

/// Formulas on which some construction or reduction was once wrong, or which have a shape of their own.
const FORMULAS: [&str; 16] = [
    "1",
    "0",
    "a",
    "X X a",
    "F(a U GXc)",
    "Xd W (d W b)",
    "Fd <-> ((d R c) -> !d)",
    "b W (Fc R XFb)",
    "(b & c) R XFd",
    "F(Fb xor (0 R Xd))",
    "X(Fb U (!Gb xor X(b xor Fc)))",
    "GX(Xa & (!a <-> GXb))",
    "G(a M Fb)",
    "GFa & GFb & GFc",
    "FGa | (GFb & FGc)",
    "(GFa -> GFb) & G(c W d)",
];

#[test]
fn constructions_agree_on_chosen_formulas() {
    for text in FORMULAS {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula");
        let negation = formulas.not(formula);
        let mut found = Vec::new();
        for construction in CONSTRUCTIONS {
            for level in LEVELS {
                let options = TranslationOptions { construction, level, ..TranslationOptions::default() };
                found.push([formula, negation].map(|formula| automaton(&mut formulas, formula, &options)));
            }
        }
        for [positive, _] in &found {
            for [_, negative] in &found {
                let (one, two) = Automaton::aligned(positive, negative);
                assert!(
                    disjoint(&one, &two, &Budget::unlimited()).unwrap(),
                    "{text} and its negation have a word in common"
                );
            }
        }
    }
}

#[test]
fn more_effort_is_never_worse() {
    let mut totals = [0; 3];
    for seed in 0..300 {
        let mut formulas = Formulas::new();
        let formula = draw(&mut formulas, seed, 3);
        for (total, level) in totals.iter_mut().zip(LEVELS) {
            *total += automaton(&mut formulas, formula, &TranslationOptions { level, ..TranslationOptions::default() })
                .state_count();
        }
    }
    assert!(totals[2] < totals[1] && totals[1] < totals[0], "states by level: {totals:?}");
}

#[test]
fn the_deterministic_automaton_is_preferred_if_asked_for() {
    let mut deterministic = [0; 2];
    for seed in 0..300 {
        let mut formulas = Formulas::new();
        let formula = draw(&mut formulas, seed, 3);
        for (count, preference) in deterministic.iter_mut().zip([Preference::Small, Preference::Deterministic]) {
            let options = TranslationOptions { preference, ..TranslationOptions::default() };
            *count += usize::from(automaton(&mut formulas, formula, &options).is_deterministic());
        }
    }
    assert!(deterministic[1] > deterministic[0], "deterministic automata: {deterministic:?}");
}

/// A conjunction of `GF` of this many propositions.
fn recurrences(count: usize) -> String {
    (0..count).map(|at| format!("GF p{at}")).collect::<Vec<_>>().join(" & ")
}

#[test]
fn many_recurrences_apart_mean_what_they_say() {
    let rests = ["1", "G(a -> F p0)", "FG a & (b U p1)", "GF(a & X b)", "G(a xor X p2)"];
    let names: Vec<String> = (0..9).map(|at| format!("p{at}")).chain(["a".into(), "b".into()]).collect();
    let mut found = [0; 2];
    for (index, rest) in rests.into_iter().enumerate() {
        let mut formulas = Formulas::new();
        let text = format!("{} & ({rest})", recurrences(9));
        let formula = parse(&mut formulas, &text, Syntax::Spot).expect("a formula");
        let negation = formulas.not(formula);
        let judge = automaton(
            &mut formulas,
            negation,
            &TranslationOptions { level: Level::Medium, ..TranslationOptions::default() },
        );
        for output in [Output::Buchi, Output::Generalized] {
            for level in LEVELS {
                let options = TranslationOptions { output, level, ..TranslationOptions::default() };
                let ours = automaton(&mut formulas, formula, &options);
                let (one, two) = Automaton::aligned(&ours, &judge);
                assert!(disjoint(&one, &two, &Budget::unlimited()).unwrap(), "{text}, {options:?}");
                let mut random = Random::new(index as u64);
                for _ in 0..100 {
                    let word = word(&names, 8, &mut random);
                    let expected = satisfies(&formulas, formula, &word);
                    assert_eq!(accepts(&ours, &word), expected, "{text}, {word}, {options:?}");
                    found[usize::from(expected)] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|&count| count > 50), "both answers occur: {found:?}");
}

#[test]
fn recurrences_grow_as_in_the_literature() {
    for count in [9, 13, 20, 40] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, &recurrences(count), Syntax::Spot).expect("a formula");
        let buchi = automaton(&mut formulas, formula, &TranslationOptions::default());
        assert_eq!((buchi.state_count(), buchi.is_deterministic()), (count + 1, true));
        let options = TranslationOptions { output: Output::Generalized, ..TranslationOptions::default() };
        let generalized = automaton(&mut formulas, formula, &options);
        let size = (generalized.state_count(), generalized.edge_count(), generalized.sets() as usize);
        assert_eq!(size, (1, count + 1, count));
    }
}
