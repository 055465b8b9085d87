//! Bounded model checking of LTL formulas: which bounds are refuted, and what counts as a counterexample.

mod common;

use common::Folder;

/// Counts to 3 and begins again, or stays at 3; where `stuck` is true, there is no step.
const MODEL: &str = "MODULE main
VAR n : 0..3; stuck : boolean;
INIT n = 0 & !stuck
TRANS !stuck & next(n) = (n + 1) mod 4 & (next(stuck) -> n = 0)
";

/// The lines that a command prints, without counterexamples, and its errors.
fn answers(command: &str) -> (Vec<String>, String) {
    let folder = Folder::new(&[("m.smv", MODEL)]);
    let found = folder.interactive("m.smv", &format!("go_bmc\nset counter_examples 0\n{command}\nquit\n"));
    let lines = found.printed().replace("NuSMV > ", "");
    (lines.lines().map(str::to_owned).collect(), found.errors)
}

fn refuted(bounds: std::ops::RangeInclusive<usize>, words: &str) -> Vec<String> {
    bounds.map(|bound| format!("-- no counterexample found with bound {bound}{words}")).collect()
}

#[test]
fn a_path_without_loop_is_found_with_as_many_steps_as_it_needs() {
    let mut expected = refuted(0..=1, "");
    expected.push("-- specification  G n < 2    is false".into());
    assert_eq!(answers("check_ltlspec_bmc -k 9 -p \"G n < 2\""), (expected, String::new()));
}

#[test]
fn a_path_that_no_infinite_path_continues_is_no_counterexample() {
    // One step leads to a state in which `stuck` is true, but nothing follows it.
    let expected = refuted(0..=6, "");
    assert_eq!(answers("check_ltlspec_bmc -k 6 -p \"G !stuck\"").0, expected);
}

#[test]
fn a_lasso_is_found_with_the_steps_of_its_stem_and_loop() {
    let mut expected = refuted(0..=3, "");
    expected.push("-- specification  F stuck    is false".into());
    assert_eq!(answers("check_ltlspec_bmc -k 9 -p \"F stuck\"").0, expected);
    assert_eq!(answers("check_ltlspec_bmc -k 6 -l X -p \"F stuck\"").0, refuted(0..=6, " and no loop"));
}

#[test]
fn a_bound_is_refuted_only_for_the_loop_that_was_asked_for() {
    // The loop has 4 steps: with 4 of them it begins at 0, with 6 at 2.
    let mut expected = refuted(3..=5, " and loop at 2");
    expected.push("-- specification  F stuck    is false".into());
    let (printed, errors) = answers("check_ltlspec_bmc -k 9 -l 2 -p \"F stuck\"");
    assert_eq!(printed, expected);
    assert_eq!(errors.matches("skipped").count(), 3, "{errors}");
    // A loop of two steps does not exist.
    let (printed, _) = answers("check_ltlspec_bmc_inc -k 6 -l -2 -p \"F stuck\"");
    assert_eq!(printed, refuted(2..=6, " and loop at -2"));
}
