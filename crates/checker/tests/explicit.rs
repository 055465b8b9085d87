//! Models written in Rust: verdicts, shortest counterexamples, ends, faults and limits.

use checker::explicit::{Answer, Check, CheckError, SafetyKind};
use checker::ltl::FormulaError;
use kernel::budget::Budget;
use kernel::decision::{Decision, Reason};
use kernel::system::{Ending, Fault, Successor, System, Visitor, laws};
use std::time::Duration;

/// A graph: for each state its successors. State 0 is initial; steps are named by where they lead.
struct Graph {
    edges: Vec<Vec<u8>>,
    /// Steps into this state violate an assertion.
    failing: Option<u8>,
    /// States out of which there is also a step that breaks off.
    broken: Option<u8>,
}

impl Graph {
    fn new(edges: &[&[u8]]) -> Self {
        Self { edges: edges.iter().map(|list| list.to_vec()).collect(), failing: None, broken: None }
    }
}

impl System for Graph {
    type Step = u8;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        into.clear();
        into.push(0);
    }

    fn successors<V: Visitor<u8>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        for &next in &self.edges[usize::from(state[0])] {
            if self.failing == Some(next) {
                visitor.fault(next, Fault::Assertion);
            }
            visitor.successor(Successor { step: next, state: &[next], transient: false });
        }
        if self.broken == Some(state[0]) {
            visitor.fault(255, Fault::Runtime);
        }
    }

    fn ending(&self, (): &mut (), state: &[u8]) -> Ending {
        if state[0] == 0 { Ending::Valid } else { Ending::Invalid }
    }
}

/// The lengths of stem and loop of a violation.
fn lengths(answer: &Answer<u8>) -> (usize, usize) {
    let Decision::Violated(run) = answer else { panic!("{answer:?} is no violation") };
    (run.stem().len(), run.cycle().len())
}

fn three(system: &Graph) -> Check<'_, Graph> {
    Check::new(system).proposition("three", |state| state[0] == 3).proposition("one", |state| state[0] == 1)
}

#[test]
fn the_shortest_lasso_is_found_and_walked_again() {
    // A loop of three states, and a loop of one state that takes longer to reach.
    let graph = Graph::new(&[&[1], &[2, 3], &[0], &[4], &[4]]);
    laws::check(&graph, 100);
    let check = three(&graph).shortest();
    assert!(matches!(check.ltl("G (three -> X !three)").unwrap(), Decision::Holds(coverage) if coverage.states() > 0));
    assert_eq!(lengths(&check.ltl("F three").unwrap()), (0, 3));
    let (stem, cycle) = lengths(&check.ltl("G F one").unwrap());
    assert_eq!((stem, cycle), (3, 1));
}

#[test]
fn an_end_repeats_its_last_state() {
    let graph = Graph::new(&[&[1], &[]]);
    let check = three(&graph);
    assert!(matches!(check.ltl("F G one").unwrap(), Decision::Holds(_)));
    let answer = check.ltl("G F three").unwrap();
    assert_eq!(lengths(&answer), (1, 1));
    let Decision::Violated(run) = answer else { unreachable!() };
    assert_eq!((run.cycle()[0].step, run.cycle()[0].state.as_deref()), (None, Some(&[1][..])));
}

#[test]
fn a_bad_prefix_needs_no_loop() {
    let graph = Graph::new(&[&[1, 2], &[0], &[3], &[0]]);
    assert_eq!(lengths(&three(&graph).shortest().ltl("G !three").unwrap()), (2, 0));
}

#[test]
fn assertions_errors_and_ends_are_told_apart() {
    let mut graph = Graph::new(&[&[1, 2], &[0], &[3], &[]]);
    (graph.failing, graph.broken) = (Some(1), Some(2));
    let found = Check::new(&graph).shortest().safety().unwrap();
    let of = |wanted| &found.iter().find(|(kind, _)| *kind == wanted).expect("all kinds").1;
    assert_eq!(lengths(of(SafetyKind::Assertion)), (1, 0));
    assert_eq!(lengths(of(SafetyKind::Runtime)), (2, 0));
    assert_eq!(lengths(of(SafetyKind::InvalidEnd)), (2, 0));
    let Decision::Violated(run) = of(SafetyKind::Runtime) else { unreachable!() };
    assert_eq!(run.stem()[1].state, None);
}

#[test]
fn nothing_is_said_about_what_would_come_after_a_run_time_error() {
    let mut graph = Graph::new(&[&[1], &[0]]);
    graph.broken = Some(1);
    let answer = three(&graph).ltl("G !three").unwrap();
    assert!(matches!(answer, Decision::Unknown(Reason::RuntimeErrors)), "{answer:?}");
}

#[test]
fn formulas_and_limits() {
    let graph = Graph::new(&[&[0]]);
    let wrong = three(&graph).ltl("G (three");
    assert!(matches!(wrong, Err(CheckError::Formula(FormulaError::Syntax { .. }))), "{wrong:?}");
    let unknown = three(&graph).ltl("G four").unwrap_err();
    assert_eq!(unknown.to_string(), "the proposition `four` is not defined");
    let budget = Budget::unlimited().within(Duration::ZERO);
    let stopped = three(&graph).within(&budget).ltl("G !three").unwrap();
    assert!(matches!(stopped, Decision::Unknown(Reason::Limit(_))), "{stopped:?}");
}
