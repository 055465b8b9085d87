//! Single steps of the reference interpreter: their order, their names, what they print.

use kernel::span::SourceMap;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reference::{FaultKind, Reference, Transition};
use promela::snapshot::{Action, Location};
use promela::typed::Program;

fn load(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    loaded.program.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// The transitions of a state as `process: statement`, a handshake with both statements.
fn told(program: &Program, transitions: &[Transition]) -> Vec<String> {
    let text = |id: promela::typed::StmtId| program.statements[id.0 as usize].text.clone();
    let tell = |transition: &Transition| match transition.step.action {
        Action::Execute(id) => text(id),
        Action::Exit(_) => "exit".to_string(),
        Action::Handshake { send, receiver, receive } => format!("{} > {receiver}: {}", text(send), text(receive)),
        Action::Terminate => "end".to_string(),
    };
    transitions.iter().map(|transition| format!("{}: {}", transition.step.pid, tell(transition))).collect()
}

/// Takes the first transition again and again and tells which ones those were.
fn first_run(text: &str) -> Vec<String> {
    let program = load(text);
    let reference = Reference::new(&program);
    let mut state = reference.initial();
    let mut run = Vec::new();
    for _ in 0..100 {
        let transitions = reference.transitions(&state);
        let Some(first) = transitions.first() else { break };
        run.push(told(&program, &transitions[..1]).remove(0));
        let Some(next) = first.next.clone() else { break };
        state = next;
    }
    run
}

#[test]
fn the_youngest_process_and_the_first_option_come_first() {
    let program = load(
        "byte x; active proctype p() { if :: x = 1 :: x = 2 fi }
         active proctype q() { if :: x = 3 :: else -> x = 4 :: x = 5 fi }",
    );
    let reference = Reference::new(&program);
    let transitions = reference.transitions(&reference.initial());
    assert_eq!(told(&program, &transitions), ["1: x = 3", "1: x = 5", "0: x = 1", "0: x = 2"]);
}

#[test]
fn a_handshake_is_one_step_of_two_processes() {
    let program = load(
        "chan c = [0] of { byte }; byte x; active proctype p() { c!7 }
         active proctype q() { c?x } active proctype r() { c?7 }",
    );
    let reference = Reference::new(&program);
    let transitions = reference.transitions(&reference.initial());
    assert_eq!(told(&program, &transitions), ["0: c!7 > 2: c?7", "0: c!7 > 1: c?x"]);
    let next = transitions[1].next.as_ref().expect("the step succeeds");
    assert_eq!(next.globals, [1, 7]);
    assert_eq!([next.processes[0].location, next.processes[1].location], [Location::End, Location::End]);
}

#[test]
fn an_atomic_sequence_holds_control_until_its_last_statement() {
    let program = load("byte x; active proctype p() { atomic { x = 1; x = 2; x = 3 } } active proctype q() { x = 9 }");
    let reference = Reference::new(&program);
    let mut state = reference.initial();
    state = reference.transitions(&state)[1].next.clone().expect("p moves");
    assert_eq!(state.exclusive, Some(0));
    let transitions = reference.transitions(&state);
    assert_eq!(told(&program, &transitions), ["0: x = 2"]);
    assert!(transitions[0].transient);
    state = transitions[0].next.clone().expect("p moves");
    let transitions = reference.transitions(&state);
    assert!(!transitions[0].transient);
    assert_eq!(transitions[0].next.as_ref().expect("p moves").exclusive, None);
}

#[test]
fn jumps_are_steps_only_where_an_atomic_sequence_ends() {
    let run =
        first_run("byte x; active proctype p() { atomic { x = 1; if :: x = 2 :: x = 3 fi }; goto L; x = 4; L: x = 5 }");
    assert_eq!(run, ["0: x = 1", "0: x = 2", "0: exit", "0: x = 5", "0: end"]);
    let run = first_run("byte x; active proctype p() { atomic { x = 1; do :: x < 3 -> x++; break od; x = 7; x = 8 } }");
    assert_eq!(run, ["0: x = 1", "0: x<3", "0: x = x+1", "0: x = 7", "0: x = 8", "0: end"]);
}

#[test]
fn printing_is_reported_with_the_step() {
    let program = load(
        "mtype = { red, green }; active proctype p() { d_step { printf(\"%d %e%%|%x\\n\", -3, red, 255); printm(green) } }",
    );
    let reference = Reference::new(&program);
    let transitions = reference.transitions(&reference.initial());
    assert_eq!(transitions[0].output, ["-3 red%|ff\n", "green"]);
}

#[test]
fn run_time_errors_end_the_run_and_false_assertions_do_not() {
    let program = load("byte x, a[2]; active proctype p() { assert(x == 1); a[x + 2] = 1 }");
    let reference = Reference::new(&program);
    let transitions = reference.transitions(&reference.initial());
    let fault = transitions[0].fault.as_ref().expect("the assertion is false");
    assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Assertion, "assert(x==1) is false"));
    let next = transitions[0].next.as_ref().expect("the run goes on");
    let transitions = reference.transitions(next);
    let fault = transitions[0].fault.as_ref().expect("the index is wrong");
    assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Runtime, "index 2 is outside a[2]"));
    assert_eq!(transitions[0].next, None);
}

#[test]
fn a_d_step_that_does_not_end_is_an_error() {
    let program = load("byte x; active proctype p() { d_step { x = 1; do :: x = 2 od } }");
    let reference = Reference::new(&program);
    let transitions = reference.transitions(&reference.initial());
    let fault = transitions[0].fault.as_ref().expect("it does not end");
    assert_eq!(fault.message, "a d_step does not end within 1000000 statements");
}

#[test]
fn expressions_are_evaluated_for_the_system_as_a_whole() {
    let program = load("byte x = 4; active proctype p() { assert(x > 3); assert(_pid == 0) }");
    let reference = Reference::new(&program);
    let state = reference.initial();
    let promela::typed::StmtKind::Assert(condition) = &program.procs[0].body[0].kind else { panic!("an assertion") };
    assert_eq!(reference.evaluate(&state, condition, None), Ok(1));
    let promela::typed::StmtKind::Assert(condition) = &program.procs[0].body[1].kind else { panic!("an assertion") };
    assert_eq!(reference.evaluate(&state, condition, Some(0)), Ok(1));
    assert!(reference.evaluate(&state, condition, None).is_err());
}

#[test]
fn the_transitions_of_a_process_are_those_of_it_among_all() {
    let texts = [
        "byte x; active [2] proctype p() { atomic { x = 1; if :: x == 1 -> x = 2 :: x == 3 fi }; x = 4 } \
         active proctype q() { x == 2; x = 3 }",
        "byte x; active proctype p() { timeout; x = 1 } active proctype q() { x == 1; timeout }",
        "byte x; active proctype p() priority 2 { x = 1; set_priority(_pid, 1); x = 2 } active proctype q() { x = 3 }",
        "chan c = [0] of { byte }; byte x; active proctype p() { atomic { c!7; x = 1 } } \
         active proctype q() { atomic { c?x; x == 3; x = 4 } } active proctype r() { x = 3; c?7 }",
        "byte x; active proctype p() { { x = 1; x = 2 } unless { x == 3 } } active proctype q() provided (x < 2) { x = 3; x = 1 / 0 }",
    ];
    for text in texts {
        let program = load(text);
        let reference = Reference::new(&program);
        let (mut waiting, mut seen) = (vec![reference.initial()], Vec::new());
        while let Some(state) = waiting.pop() {
            if seen.contains(&state) {
                continue;
            }
            let all = reference.transitions(&state);
            for pid in 0..=state.processes.len() as u32 {
                let own: Vec<_> = all.iter().filter(|one| one.step.pid == pid).cloned().collect();
                assert_eq!(reference.transitions_of(&state, pid), own, "{text}: process {pid} in {state:?}");
            }
            waiting.extend(all.into_iter().filter_map(|one| one.next));
            seen.push(state);
        }
        assert!(seen.len() > 3, "{text}: {} states", seen.len());
    }
}
