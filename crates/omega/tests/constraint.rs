//! Properties under constraints: figure 1 of the paper spelt out, and random formulas against the semantics.

use kernel::budget::Budget;
use kernel::span::FileId;
use omega::analyse::strength::{Strength, strength_of, strengths};
use omega::automaton::Automaton;
use omega::automaton::acceptance::accepts;
use omega::automaton::scc::Components;
use omega::combine::inclusion::not_included;
use omega::combine::isomorphism::{Isomorphism, isomorphism};
use omega::constraint::choice::{Knowledge, Way, Ways, candidates, refine};
use omega::constraint::exclusive;
use omega::constraint::labels::{self, label_length};
use omega::constraint::sanity::Sanity;
use omega::constraint::settle::settle;
use omega::formula::{Formula, Formulas};
use omega::io::{Format, read};
use omega::parse::{Syntax, parse};
use omega::pipeline::reduce::{self, reduce};
use omega::pipeline::{Level, Output, Preference, TranslationOptions, translate};
use omega::random::{FormulaShape, Random, word};
use omega::semantics::satisfies;
use omega::word::Word;

const FORMULA: &str = "F(Ga | (GFb <-> GFc))";

/// Figure 1(a): an automaton for the formula. State 0 is `Ga`, state 2 says that neither `b` nor `c` comes again, and 3, 4
/// and 5 wait for `c` and `b` in turn.
const FIGURE_A: &str = r#"HOA: v1 States: 6 Start: 1 AP: 3 "a" "b" "c" acc-name: Buchi Acceptance: 1 Inf(0)
--BODY--
State: 0 {0} [0] 0
State: 1 [t] 1 [0] 0 [!1 & !2] 2 [t] 3
State: 2 {0} [!1 & !2] 2
State: 3 [!2] 3 [!1 & 2] 4 [1 & 2] 5
State: 4 [!1] 4 [1] 5
State: 5 {0} [!2] 3 [!1 & 2] 4 [1 & 2] 5
--END--
"#;

/// Figure 1(b): state 0 and the edges under `b & c` are gone, and labels say that at most one of the three holds.
const FIGURE_B: &str = r#"HOA: v1 States: 5 Start: 0 AP: 3 "a" "b" "c" acc-name: Buchi Acceptance: 1 Inf(0)
Alias: @any !0 & !1 | !0 & !2 | !1 & !2
--BODY--
State: 0 [@any] 0 [!1 & !2] 1 [@any] 2
State: 1 {0} [!1 & !2] 1
State: 2 [!0 & !2 | !1 & !2] 2 [!0 & !1 & 2] 3
State: 3 [!0 & !1 | !1 & !2] 3 [!0 & 1 & !2] 4
State: 4 {0} [!0 & !2 | !1 & !2] 2 [!0 & !1 & 2] 3
--END--
"#;

/// Figure 1(d): the same with short labels.
const FIGURE_D: &str = r#"HOA: v1 States: 5 Start: 0 AP: 3 "a" "b" "c" acc-name: Buchi Acceptance: 1 Inf(0)
--BODY--
State: 0 [t] 0 [!1 & !2] 1 [t] 2
State: 1 {0} [!1 & !2] 1
State: 2 [!2] 2 [2] 3
State: 3 [!1] 3 [1] 4
State: 4 {0} [!2] 2 [2] 3
--END--
"#;

/// What our translation makes of the formula without a constraint: figure 1(a), in which a run may wait for `c` at the start,
/// so that the start and state 3 are one.
const OURS_A: &str = r#"HOA: v1 States: 5 Start: 0 AP: 3 "a" "b" "c" acc-name: Buchi Acceptance: 1 Inf(0)
--BODY--
State: 0 [t] 0 [!1 & 2] 1 [1 & 2] 2 [!1 & !2] 3 [0] 4
State: 1 [!1] 1 [1] 2
State: 2 {0} [!2] 0 [!1 & 2] 1 [1 & 2] 2
State: 3 {0} [!1 & !2] 3
State: 4 {0} [0] 4
--END--
"#;

/// What both refinements make of it: one state fewer, and figure 1(d) with the start and state 2 as one.
const OURS_D: &str = r#"HOA: v1 States: 4 Start: 0 AP: 3 "a" "b" "c" acc-name: Buchi Acceptance: 1 Inf(0)
--BODY--
State: 0 [t] 0 [2] 1 [!1 & !2] 2
State: 1 [!1] 1 [1] 3
State: 2 {0} [!1 & !2] 2
State: 3 {0} [!2] 0 [2] 1
--END--
"#;

fn hoa(text: &str) -> Automaton {
    read(text, Format::Hoa, FileId(0)).remove(0).expect("an automaton")
}

fn is_same(one: &Automaton, two: &Automaton) -> bool {
    matches!(isomorphism(one, two, &Budget::unlimited()).unwrap(), Isomorphism::Found(_))
}

fn formula(formulas: &mut Formulas, text: &str) -> Formula {
    parse(formulas, text, Syntax::Spot).expect("a formula")
}

#[test]
fn figure_1_by_automaton_refinement() {
    let mut formulas = Formulas::new();
    let constraint = exclusive(&mut formulas, ["a", "b", "c"]);
    let precise = labels::refine(&hoa(FIGURE_A), &formulas, constraint, &Budget::unlimited()).unwrap();
    // Figure 1(c): the two edges under `b & c` are gone, all six states are there.
    assert_eq!((precise.state_count(), precise.edge_count()), (6, 12));
    let options =
        reduce::ReductionOptions { output: Output::Buchi, preference: Preference::Small, level: Level::Medium };
    let simulated = reduce(&precise, options, &Budget::unlimited()).unwrap().automaton;
    assert!(is_same(&simulated, &hoa(FIGURE_B)), "{}", omega::io::hoa::write(&simulated));
    let short = labels::simplify(&simulated, &formulas, constraint, &Budget::unlimited()).unwrap();
    assert!(is_same(&short, &hoa(FIGURE_D)), "{}", omega::io::hoa::write(&short));
    assert!(label_length(&short) < label_length(&hoa(FIGURE_A)));
}

#[test]
fn figure_1_by_both_refinements_of_our_automaton() {
    let mut formulas = Formulas::new();
    let property = formula(&mut formulas, FORMULA);
    let knowledge = Knowledge { constraint: exclusive(&mut formulas, ["a", "b", "c"]), stricter: None };
    let all = candidates(
        &mut formulas,
        property,
        &knowledge,
        &TranslationOptions::default(),
        Ways::BOTH,
        &Budget::unlimited(),
    )
    .unwrap();
    assert_eq!(all.iter().map(|(way, _)| *way).collect::<Vec<_>>(), [Way::None, Way::Automaton, Way::Formula]);
    assert!(is_same(&all[0].1, &hoa(OURS_A)), "{}", omega::io::hoa::write(&all[0].1));
    for (way, automaton) in &all[1..] {
        assert_eq!(automaton.state_count() + 1, all[0].1.state_count(), "one state fewer by {way:?}");
        let short = labels::simplify(automaton, &formulas, knowledge.constraint, &Budget::unlimited()).unwrap();
        assert!(is_same(&short, &hoa(OURS_D)), "{}", omega::io::hoa::write(&short));
    }
    let found = refine(
        &mut formulas,
        property,
        &knowledge,
        &TranslationOptions::default(),
        Ways::BOTH,
        true,
        &Budget::unlimited(),
    )
    .unwrap();
    assert_eq!(found.sanity, Sanity::Open);
    assert!(found.way != Way::None && is_same(&found.automaton, &hoa(OURS_D)));
}

#[test]
fn our_figure_1_accepts_what_the_paper_s_does() {
    let mut formulas = Formulas::new();
    let constraint = exclusive(&mut formulas, ["a", "b", "c"]);
    let [ours, theirs] =
        [OURS_D, FIGURE_D].map(|text| labels::refine(&hoa(text), &formulas, constraint, &Budget::unlimited()).unwrap());
    for (one, two) in [(&ours, &theirs), (&theirs, &ours)] {
        assert_eq!(not_included(one, two, 10_000, &Budget::unlimited()), Ok(None));
    }
}

#[test]
fn what_the_constraint_decides_is_told() {
    for (text, stricter, expected) in [
        ("F(a & b)", None, Sanity::Impossible),
        ("G(a -> !b)", None, Sanity::Certain),
        ("F(a & Xb)", None, Sanity::Open),
        ("GFb", Some("FG!b"), Sanity::Impossible),
        ("F!a", Some("b"), Sanity::Certain),
    ] {
        let mut formulas = Formulas::new();
        let property = formula(&mut formulas, text);
        let stricter = stricter.map(|text| formula(&mut formulas, text));
        let knowledge = Knowledge { constraint: exclusive(&mut formulas, ["a", "b"]), stricter };
        let found = refine(
            &mut formulas,
            property,
            &knowledge,
            &TranslationOptions::default(),
            Ways::BOTH,
            true,
            &Budget::unlimited(),
        )
        .unwrap();
        assert_eq!(found.sanity, expected, "{text}");
    }
}

#[test]
fn a_temporal_constraint_is_refused() {
    let mut formulas = Formulas::new();
    let property = formula(&mut formulas, "GFa");
    let knowledge = Knowledge { constraint: formula(&mut formulas, "Xa"), stricter: None };
    let error = refine(
        &mut formulas,
        property,
        &knowledge,
        &TranslationOptions::default(),
        Ways::BOTH,
        true,
        &Budget::unlimited(),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "a constraint has no temporal operators");
}

/// A word whose letters have at most one atom.
fn exclusive_word(atoms: &[String], random: &mut Random) -> Word {
    let word = word(atoms, 6, random);
    let letter = |letter: &Vec<Option<bool>>| {
        let chosen = letter.iter().position(|value| *value == Some(true));
        (0..letter.len()).map(|at| Some(Some(at) == chosen)).collect::<Vec<_>>()
    };
    let [stem, cycle] = [word.stem(), word.cycle()].map(|part| part.iter().map(letter).collect());
    Word::new(atoms.to_vec(), stem, cycle)
}

#[test]
fn refined_automata_are_right_wherever_the_knowledge_is() {
    let names: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
    let (mut refined, mut smaller, mut judged) = (0, 0, [0; 2]);
    for seed in 0..200 {
        let mut formulas = Formulas::new();
        let mut random = Random::new(seed);
        let property = FormulaShape::new(4 + (seed % 9) as usize, 3).draw(&mut formulas, &mut random);
        let constraint = exclusive(&mut formulas, names.iter().map(String::as_str));
        let stricter = (seed % 2 == 0).then(|| FormulaShape::new(4, 3).draw(&mut formulas, &mut random));
        let knowledge = Knowledge { constraint, stricter };
        let ways = [Ways::BOTH, Ways { formula: true, automaton: false }, Ways { formula: false, automaton: true }];
        let ways = ways[(seed % 3) as usize];
        let found = refine(
            &mut formulas,
            property,
            &knowledge,
            &TranslationOptions::default(),
            ways,
            seed % 5 != 0,
            &Budget::unlimited(),
        )
        .unwrap();
        found.automaton.verify();
        refined += u32::from(found.way != Way::None);
        smaller += u32::from(found.size.states < found.compared[0].1.states);
        for _ in 0..40 {
            let word = exclusive_word(&names, &mut random);
            if stricter.is_some_and(|stricter| !satisfies(&formulas, stricter, &word)) {
                continue;
            }
            let expected = satisfies(&formulas, property, &word);
            assert_eq!(accepts(&found.automaton, &word), expected, "seed {seed}, {word}, {:?}", found.way);
            assert!(found.sanity != if expected { Sanity::Impossible } else { Sanity::Certain }, "seed {seed}, {word}");
            judged[usize::from(expected)] += 1;
        }
    }
    assert!(refined > 60 && smaller > 30, "{refined} refined, {smaller} smaller");
    assert!(judged.iter().all(|&count| count > 500), "{judged:?}");
}

#[test]
fn terminal_components_stay_terminal() {
    let names: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
    let (mut hidden, mut kept) = (0, 0);
    for seed in 0..300 {
        let mut formulas = Formulas::new();
        let mut random = Random::new(seed);
        let property = FormulaShape::new(4 + (seed % 9) as usize, 3).draw(&mut formulas, &mut random);
        let constraint = exclusive(&mut formulas, names.iter().map(String::as_str));
        let plain =
            translate(&mut formulas, property, &TranslationOptions::default(), &Budget::unlimited()).unwrap().automaton;
        let precise = labels::refine(&plain, &formulas, constraint, &Budget::unlimited()).unwrap();
        let settled = settle(&precise, &formulas, constraint, &Budget::unlimited()).unwrap();
        assert!(
            is_same(&labels::refine(&settled, &formulas, constraint, &Budget::unlimited()).unwrap(), &precise),
            "seed {seed}"
        );
        let strength_at = |automaton: &Automaton, state: u32| {
            let components = Components::of(automaton);
            components.number(state).map(|at| strengths(automaton, &components)[at as usize])
        };
        for state in plain.states().filter(|&state| strength_at(&plain, state) == Some(Strength::Terminal)) {
            hidden += u32::from(strength_at(&precise, state) == Some(Strength::Weak));
            let found = strength_at(&settled, state);
            assert!(found.is_none_or(|strength| strength == Strength::Terminal), "seed {seed}: {found:?}");
        }
        // Whatever else is known, the choice asks no more of a search.
        let stricter = (seed % 2 == 0).then(|| FormulaShape::new(4, 3).draw(&mut formulas, &mut random));
        let knowledge = Knowledge { constraint, stricter };
        let ways = [Ways::BOTH, Ways { formula: true, automaton: false }, Ways { formula: false, automaton: true }];
        let ways = ways[(seed % 3) as usize];
        let chosen = refine(
            &mut formulas,
            property,
            &knowledge,
            &TranslationOptions::default(),
            ways,
            seed % 5 == 0,
            &Budget::unlimited(),
        )
        .unwrap();
        assert!(strength_of(&chosen.automaton) <= strength_of(&plain), "seed {seed}");
        kept += u32::from(chosen.way != Way::None && strength_of(&chosen.automaton) == Strength::Terminal);
    }
    assert!(hidden > 20 && kept > 10, "{hidden} hidden by labels, {kept} kept");
}

#[test]
fn boolean_parts_of_formulas_become_shorter() {
    for (text, expected) in [
        ("G((b & !c) -> F(a & !b & !c))", "G(b -> Fa)"),
        ("F(a & b)", "0"),
        ("(!a | !b) U c", "Fc"),
        ("X(d & !a)", "X(d & !a)"),
    ] {
        let mut formulas = Formulas::new();
        let property = formula(&mut formulas, text);
        let constraint = exclusive(&mut formulas, ["a", "b", "c"]);
        let short = labels::simplify_formula(&mut formulas, property, constraint, &Budget::unlimited()).unwrap();
        let expected = formula(&mut formulas, expected);
        let shown = omega::print::print(&formulas, short, omega::print::Notation::Spot);
        assert_eq!(short, expected, "{text}: {shown}");
    }
}
