//! Runs are accepted if and only if the reference interpreter can follow them; what they changed is
//! told in the program's words.

use kernel::budget::Budget;
use kernel::span::SourceMap;
use kernel::system::{System, record};
use promela::compiled::Model;
use promela::explain::{Change, ChannelName, Describer, Direction, Slot, Value};
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reference::{Reference, Transition};
use promela::snapshot::{Action, ProcessStep, Snapshot};
use promela::typed::{Program, StmtId};
use promela::validate::{Led, Rejection, Validated, ValidationError, ViolatingRun, Violation, validate};

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text, None);
    front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles).program.expect("the model is accepted")
}

/// The first run of the compiled model, always taking the step with the given rank.
fn run(model: &Model, rank: usize) -> Vec<(ProcessStep, Option<Snapshot>)> {
    let mut scratch = model.scratch();
    let mut state = Vec::new();
    model.initial(&mut state);
    let mut path = Vec::new();
    loop {
        let seen = record(model, &mut scratch, &state);
        if let Some((step, _)) = seen.faults.first() {
            let after = seen.successors.iter().find(|(other, _, _)| other == step);
            path.push((model.step(*step), after.map(|(_, state, _)| model.snapshot(state))));
            return path;
        }
        let Some((step, next, _)) = seen.successors.into_iter().cycle().nth(rank) else { return path };
        path.push((model.step(step), Some(model.snapshot(&next))));
        state = next;
    }
}

fn follow(
    program: &Program,
    path: &[(ProcessStep, Option<Snapshot>)],
    violation: Violation,
) -> Result<Validated<ViolatingRun>, Rejection> {
    let mut guide = |taken: usize, _: &Snapshot, transitions: &[Transition]| match path.get(taken) {
        None => Ok(None),
        Some((step, next)) => {
            let wanted = transitions.iter().position(|transition| transition.step == *step && transition.next == *next);
            wanted.map(Some).ok_or_else(|| "no such step".to_string())
        }
    };
    let (reference, describer) = (Reference::new(program), Describer::new(program));
    validate(&reference, &describer, &mut guide, violation, &Budget::unlimited()).map_err(|error| match error {
        ValidationError::Rejected(rejection) => rejection,
        ValidationError::Exhausted(_) => unreachable!("the budget is unlimited"),
    })
}

const FAILING: &str = "byte x; active proctype P() { x = 1; x = x + 1; assert(x == 1) }";
const CRASHING: &str = "byte x; active proctype P() { x = 3; x = 7 / (x - 3) }";
const STUCK: &str = "mtype = { GO, STOP }; chan c = [1] of { mtype, byte }; bool done;
    active proctype P() { chan own = [1] of { byte }; c!GO,5; own!1; done = true; c!STOP,6 }";

#[test]
fn runs_of_the_compiled_model_are_accepted() {
    for (text, violation, steps) in
        [(FAILING, Violation::Assertion, 3), (CRASHING, Violation::Runtime, 2), (STUCK, Violation::InvalidEnd, 3)]
    {
        let program = program(text);
        let model = Model::new(&program).expect("a small model");
        let path = run(&model, 0);
        let run = follow(&program, &path, violation).expect(text);
        assert_eq!((run.steps.len(), run.violation), (steps, violation), "{text}");
        assert_eq!(run.at.is_some(), violation != Violation::InvalidEnd, "{text}");
    }
}

#[test]
fn a_run_may_fail_an_assertion_in_its_last_step_and_be_stuck_after_it() {
    let program = program("active proctype P() { assert(false); false }");
    let path = run(&Model::new(&program).expect("a small model"), 0);
    for (violation, has_statement) in [(Violation::Assertion, true), (Violation::InvalidEnd, false)] {
        let run = follow(&program, &path, violation).expect("both are violated");
        assert_eq!((run.steps.len(), run.at.is_some()), (1, has_statement), "{violation:?}");
    }
}

#[test]
fn a_guide_that_names_a_process_proves_no_end_where_another_one_can_move() {
    let program = program("byte x; active proctype P() { x = 1; false } active proctype Q() { x == 1; x = 2; x = 3 }");
    let path = run(&Model::new(&program).expect("a small model"), 0);
    for steps in 0..=path.len() {
        // At the end it names a process that cannot move, and then stops.
        let mover = |taken: usize| Some(if taken < steps { path[taken].0.pid } else { 0 });
        let choose = |taken: usize, _: &Snapshot, transitions: &[Transition]| match path[..steps].get(taken) {
            None => Ok(None),
            Some((step, _)) => Ok(transitions.iter().position(|transition| transition.step == *step)),
        };
        let (reference, describer) = (Reference::new(&program), Describer::new(&program));
        let mut guide = Led { mover, choose };
        let found = validate(&reference, &describer, &mut guide, Violation::InvalidEnd, &Budget::unlimited());
        assert_eq!(found.is_ok(), steps == path.len(), "{steps} of {} steps", path.len());
    }
}

#[test]
fn validation_ends_at_a_limit() {
    let program = program(FAILING);
    let (reference, describer) = (Reference::new(&program), Describer::new(&program));
    let budget = Budget::unlimited().within_checks(1);
    let mut first = |_: usize, _: &Snapshot, transitions: &[Transition]| Ok((!transitions.is_empty()).then_some(0));
    let result = validate(&reference, &describer, &mut first, Violation::Assertion, &budget);
    assert_eq!(result.err(), Some(ValidationError::Exhausted(kernel::budget::Exhausted::Time)));
}

#[test]
fn anything_else_is_refused_at_the_first_wrong_step() {
    let program = program(FAILING);
    let path = run(&Model::new(&program).expect("a small model"), 0);
    let refused = |path: &[_], violation| follow(&program, path, violation).expect_err("refused").step;
    assert_eq!(refused(&path, Violation::InvalidEnd), 4);
    assert_eq!(refused(&path, Violation::Runtime), 4);
    assert_eq!(refused(&path[..2], Violation::Assertion), 3);
    assert_eq!(refused(&[], Violation::InvalidEnd), 1);
    for step in 0..path.len() {
        let mut other_value = path.clone();
        other_value[step].1.as_mut().expect("a state").globals[0] ^= 1;
        assert_eq!(refused(&other_value, Violation::Assertion), step + 1);
        let mut other_process = path.clone();
        other_process[step].0.pid = 1;
        assert_eq!(refused(&other_process, Violation::Assertion), step + 1);
        let mut other_statement = path.clone();
        other_statement[step].0.action = Action::Execute(StmtId(77));
        assert_eq!(refused(&other_statement, Violation::Assertion), step + 1);
    }
    let mut longer = path.clone();
    longer.push(path[2].clone());
    assert_eq!(refused(&longer, Violation::Assertion), 4);
}

#[test]
fn a_story_tells_changes_and_messages_in_words() {
    let program = program(STUCK);
    let describer = Describer::new(&program);
    let path = run(&Model::new(&program).expect("a small model"), 0);
    let run = follow(&program, &path, Violation::InvalidEnd).expect("accepted");
    let sent = run.steps[0].message.as_ref().expect("a message");
    assert_eq!((sent.direction, describer.channel(sent.channel)), (Direction::Sent, "c".into()));
    let fields = describer.message(sent.channel, &sent.fields);
    assert_eq!(fields, [Value::Symbol("GO".into()), Value::Number(5)]);
    let own = run.steps[1].message.as_ref().expect("a message");
    assert_eq!(describer.channel(own.channel), "P(0):own");
    let [Change::Scalar { slot, before, after }] = run.steps[2].changes[..] else { panic!("one change") };
    assert_eq!(describer.slot(slot), "done");
    assert_eq!(
        (describer.value(slot, before), describer.value(slot, after)),
        (Value::Truth(false), Value::Truth(true))
    );
    assert_eq!(describer.statement(&run.steps[2]).1, "done = 1");
}

#[test]
fn handshakes_and_processes_are_told_from_both_sides() {
    let program = program(
        "chan c = [0] of { byte }; byte got;
         proctype Q(byte n) { c!n + 1 }
         init { run Q(4); c?got; _nr_pr == 1; assert(got == 4) }",
    );
    let describer = Describer::new(&program);
    let path = run(&Model::new(&program).expect("a small model"), 0);
    let run = follow(&program, &path, Violation::Assertion).expect("accepted");
    assert!(matches!(run.steps[0].changes[..], [Change::Started(1, _)]));
    let handshake = &run.steps[1];
    assert_eq!(handshake.partner.map(|proc| describer.proc(proc)), Some(":init:"));
    let message = handshake.message.as_ref().expect("a message");
    assert_eq!((message.direction, &message.fields[..]), (Direction::Handed, &[5][..]));
    assert_eq!(message.channel, ChannelName::Declared(Slot::Global(0)));
    let ended = run.steps.iter().flat_map(|described| &described.changes);
    assert!(ended.into_iter().any(|change| matches!(change, Change::Ended(1, _))));
}
