//! Words wider than a machine word: bounded checking against the reference evaluator, on random models.
//!
//! That a state of the only run is never reached must be refuted with exactly this run. That the state with another lowest bit
//! is never reached must not be refuted as early: the comparison would notice a wrong bit.

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;
mod compared;

use common::wide::{self, Scope};
use flat::model::Question;
use kernel::budget::Budget;
use sat::bounded::{self, Extended};
use sat::circuit::Trace;
use sat::design::Design;
use sat::solver::Solver;

/// The shortest violation of an invariant within the steps that are compared.
fn violation(design: &mut Design<'_>, property: usize) -> Option<Trace> {
    let (model, budget) = (design.model(), Budget::unlimited());
    let Question::Invariant(node) = model.properties[property].question else { panic!("an invariant") };
    let kind = design.violation(node, &budget).expect("no limit");
    let bad = design.circuit.bad(kind);
    let mut search = bounded::invariant::Search::<Solver>::new(&design.circuit, kind, bad, &budget);
    (0..=wide::STEPS).find_map(|_| match search.extend(&budget).expect("no limit") {
        Extended::Found(trace) => Some(trace),
        _ => None,
    })
}

fn compare(seed: u64, scope: Scope) {
    let text = wide::text(seed, scope);
    let run = {
        let model = compared::load(&text).unwrap_or_else(|| panic!("seed {seed}\n{text}"));
        let run = wide::run(&model);
        (run.iter().map(|state| wide::condition(&model, state)).collect::<Vec<_>>(), run)
    };
    let (conditions, states) = run;
    let mut whole = text;
    for condition in &conditions {
        let changed = condition.replacen("a = ", "(a xor resize(0ud1_1, sizeof(a))) = ", 1);
        whole += &format!("INVARSPEC !({condition})\nINVARSPEC !({changed})\n");
    }
    let model = compared::load(&whole).unwrap_or_else(|| panic!("seed {seed}\n{whole}"));
    let mut design = Design::new(&model, true, &Budget::unlimited()).unwrap_or_else(|_| panic!("seed {seed}\n{whole}"));
    for at in 0..states.len() {
        let first = states.iter().position(|state| *state == states[at]).expect("itself");
        let trace = violation(&mut design, 2 * at).unwrap_or_else(|| panic!("state {at}, seed {seed}\n{whole}"));
        assert_eq!(design.positions(&trace), states[..=first], "state {at}, seed {seed}\n{whole}");
        let rest = |state: &[flat::model::Value]| state[1..].to_vec();
        let alike = states.iter().enumerate().any(|(other, state)| other != at && rest(state) == rest(&states[at]));
        let early = violation(&mut design, 2 * at + 1).is_some();
        assert!(!early || alike, "changed state {at}, seed {seed}\n{whole}");
    }
}

#[test]
fn bounded_checking_agrees_with_the_definition() {
    for seed in 0..25 {
        compare(seed, Scope::Sums);
    }
}

#[test]
fn products_and_quotients_agree_with_the_definition() {
    for seed in 100..112 {
        compare(seed, Scope::Products);
    }
}

/// Whether the circuit of a model has another run than a second model has by definition.
fn has_another_run(circuit: &str, reference: &str) -> Option<bool> {
    let model = compared::load(reference)?;
    let states = wide::run(&model);
    let conditions = states.iter().map(|state| format!("INVARSPEC !({})\n", wide::condition(&model, state)));
    let whole = format!("{circuit}{}", conditions.collect::<String>());
    let model = compared::load(&whole)?;
    let mut design = Design::new(&model, true, &Budget::unlimited()).ok()?;
    Some((0..states.len()).any(|at| {
        let first = states.iter().position(|state| *state == states[at]).expect("itself");
        violation(&mut design, at).is_none_or(|trace| design.positions(&trace) != states[..=first])
    }))
}

/// Mutants of the operations: a circuit that computes something else than the definition is noticed.
#[test]
fn wrong_operations_are_noticed() {
    let mistakes = [
        (" + ", " - "),
        (" - ", " + "),
        (" xor ", " | "),
        (" & ", " xor "),
        (" | ", " & "),
        (" << ", " >> "),
        (" >> ", " << "),
        (" < ", " > "),
        (" >= ", " < "),
        (" * ", " + "),
        (" / ", " - "),
        (" mod ", " / "),
    ];
    for (right, wrong) in mistakes {
        let mut noticed = 0;
        for seed in 0..60 {
            let reference = wide::text(seed, if seed % 2 == 0 { Scope::Sums } else { Scope::Products });
            let changed = reference.replace(right, wrong);
            if changed == reference || noticed == 2 {
                continue;
            }
            noticed += usize::from(has_another_run(&changed, &reference) == Some(true));
        }
        assert_eq!(noticed, 2, "`{right}` as `{wrong}`");
    }
}

/// A machine word too little: all bits from the 64th on are lost.
#[test]
fn bits_beyond_a_machine_word_matter() {
    let mut noticed = 0;
    for seed in 0..8 {
        let reference = wide::text(seed, Scope::Sums);
        assert_eq!(has_another_run(&reference, &reference), Some(false), "the same model, seed {seed}\n{reference}");
        let start = reference.find("next(a) := ").expect("an assignment") + "next(a) := ".len();
        let end = start + reference[start..].find(';').expect("its end");
        let (before, rest) = reference.split_at(start);
        let (assigned, after) = rest.split_at(end - start);
        let changed = format!("{before}resize(resize({assigned}, 64), sizeof(a)){after}");
        noticed += usize::from(has_another_run(&changed, &reference) == Some(true));
    }
    assert!(noticed >= 4, "{noticed} of 8");
}
