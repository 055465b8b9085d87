//! Each condition of the engines matters: the comparison of `engines.rs` sees that it was left out.

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;
mod compared;

use compared::{Tally, compare, load, text};
use flat::model::Question;
use kernel::budget::Budget;
use sat::design::Design;
use sat::ic3::{Answer, Ic3};
use sat::liveness;
use sat::mutant::Mutant;
use sat::solver::Solver;

/// Models among which each mistake shows.
const MODELS: u64 = 400;

/// Some random model shows a mistake; that none fails without it is the test in `engines.rs`.
fn is_caught(mutant: Mutant) {
    let mut tally = Tally::default();
    let caught = (0..MODELS).find(|seed| compare(&text(*seed), Some(mutant), false, &mut tally).is_err());
    let Some(seed) = caught else { panic!("{mutant:?} is not seen in {MODELS} models") };
    let right = compare(&text(seed), None, false, &mut tally);
    assert_eq!(right, Ok(()), "seed {seed}");
}

#[test]
fn a_loop_ends_in_the_state_in_which_it_begins() {
    is_caught(Mutant::LoopOpen);
}

#[test]
fn a_formula_about_the_past_changes_its_value_from_round_to_round() {
    is_caught(Mutant::OneRound);
}

#[test]
fn an_eventuality_is_met_in_the_loop() {
    is_caught(Mutant::Postponed);
}

#[test]
fn justice_is_met_in_the_loop() {
    is_caught(Mutant::JusticeBeforeLoop);
}

#[test]
fn a_premise_of_compassion_counts_in_the_loop() {
    is_caught(Mutant::CompassionBeforeLoop);
}

#[test]
fn no_length_is_left_out() {
    is_caught(Mutant::LengthLeftOut);
}

#[test]
fn states_of_an_induction_step_differ() {
    is_caught(Mutant::StatesRepeat);
}

/// A counter that may wait: its violation is deeper than paths whose states all differ in one bit.
#[test]
fn states_of_an_induction_step_may_differ_in_any_bit() {
    let text = "MODULE main\nVAR n : 0..7; go : boolean;\n\
                ASSIGN init(n) := 0; next(n) := go & n < 7 ? n + 1 : n;\nINVARSPEC n != 7\n";
    let mut tally = Tally::default();
    assert_eq!(compare(text, None, false, &mut tally), Ok(()));
    let caught = compare(text, Some(Mutant::FirstBitDiffers), false, &mut tally);
    assert!(caught.is_err_and(|words| words.contains("induction with")));
}

#[test]
fn a_generalised_cube_contains_no_initial_state() {
    is_caught(Mutant::InitialExcluded);
}

#[test]
fn no_step_enters_a_generalised_cube() {
    is_caught(Mutant::EnteredExcluded);
}

#[test]
fn a_clause_is_pushed_only_if_steps_keep_it() {
    is_caught(Mutant::PushedUnasked);
}

#[test]
fn the_steps_of_an_enlarged_predecessor_are_allowed() {
    is_caught(Mutant::StepForgotten);
}

#[test]
fn rounds_are_counted_however_far_apart() {
    is_caught(Mutant::CountForgotten);
}

/// Too many rounds make no answer wrong; but then nothing is proved here.
#[test]
fn a_round_needs_all_conditions() {
    let text = "MODULE main\nFROZENVAR p : boolean;\nFAIRNESS p\nFAIRNESS !p\nLTLSPEC FALSE\n";
    let model = load(text).expect("a model");
    let Question::Ltl(formula) = &model.properties[0].question else { panic!("a formula") };
    let (negation, budget) = (formula.negated(), Budget::unlimited());
    for mutant in [None, Some(Mutant::OneConditionCounts)] {
        let mut design = Design::new(&model, true, &budget).expect("a circuit");
        design.circuit.mutant = mutant;
        let wanted = design.lassos(&negation, &budget).expect("no limit");
        let (monitored, often) = liveness::monitored(&design.circuit, &wanted);
        let (counting, bad) = liveness::k_liveness(monitored, &often, 2);
        let answer = Ic3::<Solver>::new(&counting, bad, &budget).run(&budget).expect("no limit");
        assert_eq!(matches!(answer, Answer::Holds(_)), mutant.is_none(), "{mutant:?}");
    }
}

#[test]
fn all_bits_of_a_repeated_state_are_compared() {
    is_caught(Mutant::FirstBitRepeats);
}

#[test]
fn conditions_are_met_after_a_state_was_saved() {
    is_caught(Mutant::MetBeforeSaving);
}

#[test]
fn guesses_of_the_monitor_turn_out_right() {
    is_caught(Mutant::GuessUnchecked);
}

#[test]
fn eventualities_of_the_monitor_are_met() {
    is_caught(Mutant::PromiseForgotten);
}

#[test]
fn a_premise_that_was_given_up_stays_false() {
    is_caught(Mutant::PremiseReturns);
}
