//! Where reductions are used, where they are not and why; and that shortest runs stay shortest.

use checker::options::{Among, Fairness, PromelaOptions, Reduction, Reductions};
use checker::report::{Count, PropertyReport};
use checker::{Model, Options, Selection, check};
use kernel::budget::Budget;
use std::collections::BTreeMap;

/// Two processes that work on variables of their own, and a violation.
const MODEL: &str = "bool done; byte g;
    active proctype P() { byte x; x = 1; x = 2; x = 3; done = true }
    active proctype Q() { byte y; do :: y < 3 -> y++ :: y == 3 -> break od; g = 1; assert(!done) }";

fn property(text: &str, wanted: &Selection, options: PromelaOptions) -> PropertyReport {
    let model = Model::promela("m.pml", text).expect("a correct model");
    let options = Options { promela: options, ..Options::default() };
    let report = check(&model, wanted, &options, &Budget::unlimited(), &mut ()).expect("a report");
    report.properties.into_iter().next().expect("a property")
}

fn reasons(property: &PropertyReport) -> Vec<String> {
    let reduction = property.engine.reduction.as_ref().expect("reductions were allowed");
    assert!(reduction.used.iter().all(|used| ![Reduction::Por, Reduction::Chain].contains(used)), "{reduction:?}");
    reduction.unused.iter().map(|unused| unused.reason.clone()).collect()
}

#[test]
fn reductions_store_fewer_states_and_find_runs_that_are_as_short() {
    let full = PromelaOptions { reductions: Reductions::OFF, ..PromelaOptions::default() };
    let shortest = PromelaOptions { shortest: Some(Among::Automaton), ..PromelaOptions::default() };
    for wanted in [Selection::all(), Selection::ltl("[] (g == 0)"), Selection::ltl("<> [] !done")] {
        let [full, reduced] = [full.clone(), shortest.clone()].map(|options| property(MODEL, &wanted, options));
        let length = |property: &PropertyReport| {
            let one = &property.counterexamples()[0];
            (one.length(), one.is_shortest())
        };
        assert_eq!(length(&full), length(&reduced), "{wanted:?}");
        assert!(full.engine.reduction.is_none());
        let used = &reduced.engine.reduction.as_ref().expect("allowed").used;
        assert!(used.contains(&Reduction::Por) && used.contains(&Reduction::Chain), "{used:?}");
    }
}

#[test]
fn what_a_reduction_would_change_is_searched_without_it() {
    let property = |formula: &str, options| property(MODEL, &Selection::ltl(formula), options);
    let variant = property("X X X X X (g == 0)", PromelaOptions::default());
    assert!(reasons(&variant)[0].contains("not stutter-invariant"), "{:?}", reasons(&variant));
    let fair = property("<> done", PromelaOptions { fairness: Fairness::Weak, ..PromelaOptions::default() });
    assert!(reasons(&fair)[0].contains("weak fairness"), "{:?}", reasons(&fair));
    let bounded = property("<> done", PromelaOptions { max_length: Some(5), ..PromelaOptions::default() });
    assert!(reasons(&bounded)[0].contains("bounded"), "{:?}", reasons(&bounded));
}

/// Two senders and two receivers, each with a channel of their own and a claim about it.
fn pairs(of_sender: &str, of_receiver: &str) -> String {
    format!(
        "chan c = [2] of {{ byte }}; chan d = [2] of {{ byte }};
         proctype S(chan out) {{ {of_sender} byte i; do :: i < 4 -> out!i; i++ :: i == 4 -> break od }}
         proctype R(chan in) {{ {of_receiver} byte x; do :: in?x; if :: x == 3 -> break :: else fi od }}
         init {{ atomic {{ run S(c); run R(c); run S(d); run R(d) }} }}"
    )
}

#[test]
fn that_a_channel_has_one_sender_and_one_receiver_is_found_without_claims() {
    let states = |text: &str, reductions: Reductions| {
        let options = PromelaOptions { reductions, ..PromelaOptions::default() };
        match property(text, &Selection::all(), options).statistics.states {
            Some(Count::Exact(states)) => states,
            other => panic!("{other:?}"),
        }
    };
    let only = || Reductions::Only(vec![Reduction::Por]);
    let full = states(&pairs("", ""), Reductions::OFF);
    let without = states(&pairs("", ""), only());
    assert!(2 * without < full, "{without} of {full}");
    assert_eq!(states(&pairs("xs out;", "xr in;"), only()), without);
    // A claim that is wrong changes nothing.
    assert_eq!(states(&pairs("xr out;", "xs in;"), only()), without);
}

#[test]
fn a_reduction_that_changed_nothing_is_not_called_used() {
    let unused = |text: &str| {
        let property = property(text, &Selection::all(), PromelaOptions::default());
        let reduction = property.engine.reduction.expect("reductions are allowed by default");
        let unused = reduction.unused.into_iter().map(|unused| (unused.reduction, unused.reason));
        let reasons = unused.collect::<BTreeMap<_, _>>().into_iter().collect::<Vec<_>>();
        let mut told: Vec<_> = reduction.used.iter().copied().chain(reasons.iter().map(|(one, _)| *one)).collect();
        told.retain(|reduction| *reduction != Reduction::Symmetry);
        assert_eq!(told.len(), 4, "each is told, symmetry where it could be used: {:?}, {reasons:?}", reduction.used);
        (reduction.used, reasons)
    };
    // One process whose steps are local: there is nothing to leave out, and much to pass.
    let (used, reasons) = unused("active proctype P() { byte x; x = 1; x = x + 1; assert(x == 2) }");
    assert_eq!(used, [Reduction::Chain, Reduction::Dead]);
    assert_eq!(reasons[0], (Reduction::Por, "there is one process".into()));
    // Every step reads and writes the same variable.
    let (used, reasons) = unused("byte g; active [2] proctype P() { do :: g == 0 -> g = 1 :: g == 1 -> g = 0 od }");
    assert_eq!(used, []);
    let expected = [
        (Reduction::Por, "every state that was visited had to be expanded fully"),
        (Reduction::Chain, "no step is local by the text"),
        (Reduction::Dead, "no value is ever useless"),
        (Reduction::Slice, "each variable influences something"),
        (Reduction::Symmetry, "processes are interchangeable, but exchanged only on request"),
    ];
    assert_eq!(reasons, expected.map(|(reduction, reason)| (reduction, reason.into())));
    // The local step comes first, in the initial state, which is never passed.
    let (used, reasons) = unused("byte g; active [2] proctype P() { skip; g++; g--; assert(g < 2) }");
    assert!(used.contains(&Reduction::Por), "{used:?}, {reasons:?}");
}
