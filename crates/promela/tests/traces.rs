//! `trace` and `notrace` assertions: verdicts that SPIN 6.5.2's verifier gives as well, and, state by state, the compiled
//! model against the reference interpreter.

use kernel::span::SourceMap;
use kernel::system::{Fault, System, record};
use promela::compiled::Model;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reference::Reference;
use promela::typed::{ProcId, ProcKind, Program};
use std::collections::{BTreeSet, VecDeque};

fn load(text: &str) -> Result<Program, Vec<String>> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    loaded.program.ok_or_else(|| loaded.diagnostics.iter().map(|finding| finding.message.clone()).collect())
}

/// Whether a run violates the assertion; on the way both executors are compared in every state.
fn is_violated(text: &str) -> bool {
    let program = load(text).unwrap_or_else(|findings| panic!("{text}: {findings:?}"));
    let claim = (0..).zip(&program.procs).find(|(_, proc)| matches!(proc.kind, ProcKind::Trace | ProcKind::Notrace));
    let trace = ProcId(claim.expect("an assertion about events").0);
    let (model, reference) =
        (Model::with_trace(&program, trace).expect("small"), Reference::with_trace(&program, trace));
    let (mut scratch, mut initial) = (model.scratch(), Vec::new());
    model.initial(&mut initial);
    assert_eq!(model.snapshot(&initial), reference.initial(), "{text}");
    let (mut seen, mut queue) = (BTreeSet::from([initial.clone()]), VecDeque::from([initial]));
    let mut is_violated = false;
    while let Some(state) = queue.pop_front() {
        let found = record(&model, &mut scratch, &state);
        let transitions = reference.transitions(&model.snapshot(&state));
        let ours: Vec<_> =
            found.successors.iter().map(|(step, next, _)| (model.step(*step), model.snapshot(next))).collect();
        let theirs: Vec<_> = transitions.iter().map(|one| (one.step, one.next.clone().expect("no error"))).collect();
        assert_eq!(ours, theirs, "{text}");
        let ours: Vec<_> = found.faults.iter().map(|(step, fault)| (model.step(*step), *fault)).collect();
        let faulty = transitions.iter().filter_map(|one| one.fault.as_ref().map(|fault| (one.step, fault.kind)));
        assert_eq!(ours, faulty.collect::<Vec<_>>(), "{text}");
        is_violated |= ours.iter().any(|(_, fault)| *fault == Fault::Assertion);
        for (_, next, _) in found.successors {
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    is_violated
}

/// A sender and a receiver of two messages on a channel of this capacity.
fn pair(capacity: u32, assertion: &str) -> String {
    format!(
        "chan c = [{capacity}] of {{ byte }}; active proctype S() {{ c!1; c!2 }}
         active proctype R() {{ byte x; c?x; c?x }} {assertion}"
    )
}

#[test]
fn events_are_followed() {
    for (capacity, assertion, expected) in [
        (2, "trace { c!1 }", true),
        (2, "trace { c!1; c!2; c!3 }", false),
        (2, "trace { do :: c!1 :: c!2 od }", false),
        (2, "trace { do :: c!1 -> c!2; goto done od; done: c!4 }", false),
        (2, "trace { c!1; c?1; c!2; c?2 }", true),
        (1, "trace { do :: c!1; c?1 :: c!2; c?_ od }", false),
        (1, "trace { { c!1 }; atomic { c!2 } }", false),
        (0, "trace { c!1; c?1; c!2; c?2 }", false),
        (0, "trace { c?1; c?2 }", false),
        (0, "trace { c?1; c!1; c!2 }", true),
        (2, "notrace { c!1; c!2 }", true),
        (2, "notrace { c!2 }", false),
        (2, "notrace { do :: c!1 :: c!2 -> break od }", true),
        (2, "notrace { do :: c!1 :: c!2; c!3; break od }", false),
        (2, "notrace { c!1; end: c!3 }", false),
        (2, "notrace { c!1; progress: goto over; c!3; over: c!2 }", true),
        (0, "notrace { c!1; c?1; c!2 }", true),
    ] {
        assert_eq!(is_violated(&pair(capacity, assertion)), expected, "[{capacity}] {assertion}");
    }
}

#[test]
fn only_what_is_named_counts() {
    let array = "chan q[2] = [2] of { byte }; active proctype S() { q[1]!5; q[0]!1 } trace { q[0]!1 }";
    assert!(!is_violated(array));
    let fields = "chan c = [2] of { byte, byte }; active proctype S() { byte x, y; c!1,7; c?x,y; c!2,8; c?x,y }";
    assert!(!is_violated(&format!("{fields} trace {{ c!1,_; c?1,_; do :: c!_,8 :: c?2,_ od }}")));
    assert!(is_violated(&format!("{fields} trace {{ c!1,_; c?1,_; do :: c!_,9 :: c?2,_ od }}")));
    let other_name = "chan d = [1] of { byte }; active proctype S() { byte x; chan e = d; e!1; e?x; e!2; e?x; e!3 }";
    assert!(is_violated(&format!("{other_name} trace {{ d!1; d!2 }}")));
    let truncated = "chan c = [2] of { byte }; int w = 257; active proctype S() { c!w } trace { c!1 }";
    assert!(!is_violated(truncated));
}

#[test]
fn every_way_to_use_a_channel_is_seen() {
    let d_step = "chan c = [2] of { byte }; byte x; active proctype S() { d_step { c!1; c!2 }; atomic { c?x; c?x } }";
    assert!(is_violated(&format!("{d_step} trace {{ c!1; c?1; c!2; c?2 }}")));
    assert!(!is_violated(&format!("{d_step} trace {{ c!1; c!2; c?1; c?2 }}")));
    let rendezvous = "chan c = [0] of { byte }; byte x; active proctype S() { c!1 }
        active proctype R() { d_step { c?x; x = 2 } }";
    assert!(!is_violated(&format!("{rendezvous} trace {{ c!1; c?1 }}")));
    let look = "chan c = [2] of { byte }; byte x; active proctype S() { c!2; c?<x>; c?x } trace { c?2 }";
    assert!(!is_violated(look));
    // Here SPIN compares with the message at the end or the front of the channel instead.
    let sorted = "chan c = [2] of { byte }; byte x; active proctype S() { c!!2; c!!1; c??2; c?x }";
    assert!(!is_violated(&format!("{sorted} trace {{ c!2; c!1; c?2; c?1 }}")));
}

#[test]
fn what_an_assertion_cannot_be() {
    for (assertion, words) in [
        ("trace { if :: c!1; c!3 :: c!1; c!2 fi }", "deterministic"),
        ("trace { if :: c!_ :: c!2 fi }", "deterministic"),
        ("trace { c!1; skip }", "sends and receives"),
        ("trace { if :: c!1 :: else fi }", "sends and receives"),
        ("trace { c!!1 }", "sorted"),
        ("trace { c??1 }", "where a message stood"),
        ("trace { c?<1> }", "look"),
        ("byte k; trace { c!k }", "constant"),
        ("byte k; trace { c?k }", "constant"),
    ] {
        let findings = load(&pair(2, assertion)).expect_err(assertion);
        assert!(findings.iter().any(|finding| finding.contains(words)), "{assertion}: {findings:?}");
    }
}
