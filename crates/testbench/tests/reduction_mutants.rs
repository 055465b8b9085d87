//! Each condition of the reduction matters: a program on which the oracle sees that it was left out.

use kernel::span::SourceMap;
use promela::compiled::Model;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reduce::{Mutant, accord};
use promela::typed::{ProcId, ProcKind};
use testbench::oracle::reduction::{Tally, agree_on};
use testbench::oracle::symmetry;

/// The program keeps its answers under the reduction, and loses one if the condition is left out.
fn is_caught(mutant: Mutant, text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("mutant.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let program = loaded.program.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics));
    let trace = program.procs.iter().position(|proc| proc.kind == ProcKind::Trace);
    let model = match trace {
        Some(trace) => Model::with_trace(&program, ProcId(u32::try_from(trace).expect("few definitions"))),
        None => Model::new(&program),
    };
    let model = model.expect("a small model");
    let mut tally = Tally::default();
    assert_eq!(agree_on(&model, &program, None, &mut tally), Ok(()), "{text}");
    assert!(agree_on(&model, &program, Some(mutant), &mut tally).is_err(), "{mutant:?} is not seen in\n{text}");
}

#[test]
fn two_writes_conflict() {
    is_caught(Mutant::WriteWrite, "byte g; active proctype Q() { g = 2 } active proctype P() { g = 1 }");
}

#[test]
fn a_read_and_a_write_conflict() {
    is_caught(Mutant::ReadWrite, "byte g, out; active proctype Q() { g = 1 } active proctype P() { out = g }");
}

#[test]
fn what_an_index_reads_can_enable() {
    is_caught(
        Mutant::IndexEnables,
        "byte g, out; byte cell[2] = {0, 1}; active proctype Q() { g = 1 }
         active proctype P() { if :: cell[g] == 1 -> out = 1 :: true -> out = 2 fi }",
    );
}

#[test]
fn a_partner_enables_a_rendezvous_send() {
    is_caught(
        Mutant::PartnerEnables,
        "chan m = [0] of { byte }; byte g, out; active proctype R() { g == 1 }
         active proctype Q() { g = 1; m?_ } active proctype P() { if :: m!1 -> out = 1 :: out = 2 fi }",
    );
}

#[test]
fn else_depends_on_whoever_may_come_to_a_receive() {
    is_caught(
        Mutant::ElseGuards,
        "chan m = [0] of { byte }; byte out; active proctype P() { if :: m!1 -> out = 1 :: else -> out = 2 fi }
         active proctype Q() { skip; end: m?_ }",
    );
}

#[test]
fn a_statement_depends_on_the_escapes_around_it() {
    is_caught(
        Mutant::EscapeGuards,
        "chan m = [0] of { byte }; byte out; active proctype P() { { out = 1 } unless { m!1; out = 2 } }
         active proctype Q() { skip; end: m?_ }",
    );
}

#[test]
fn the_number_of_processes_depends_on_their_ends() {
    is_caught(
        Mutant::ProcessCount,
        "byte out; active proctype P() { out = _nr_pr } active proctype Q() { skip; skip }",
    );
}

#[test]
fn whether_another_process_can_move_depends_on_what_it_reads() {
    is_caught(
        Mutant::EnabledLooks,
        "byte g, out; active proctype P() { if :: enabled(1) -> out = 1 :: out = 2 fi }
         active proctype Q() { g == 1 } active proctype R() { g = 1 }",
    );
}

#[test]
fn remote_references_depend_on_the_process_they_name() {
    is_caught(
        Mutant::RemoteReads,
        "byte out; active proctype Q() { byte x; x = 1; here: skip; end: false }
         active proctype P() { if :: Q@here -> out = 1 :: !Q@here -> out = 2 fi }",
    );
    is_caught(
        Mutant::RemoteReads,
        "byte out; active proctype Q() { byte x; x = 1; end: false } active proctype P() { out = Q:x }",
    );
}

#[test]
fn initial_values_are_read_when_a_process_starts() {
    is_caught(
        Mutant::InitialReads,
        "byte g, out; proctype Q() { byte x = g; out = x }
         active proctype R() { run Q() } active proctype W() { g = 1 }",
    );
}

#[test]
fn two_creations_conflict() {
    is_caught(
        Mutant::CreationLocal,
        "byte out[2]; proctype Q(byte a) { out[a] = _pid }
         active proctype P() { run Q(0) } active proctype R() { run Q(1) }",
    );
}

#[test]
fn the_end_of_a_process_and_a_creation_conflict() {
    is_caught(
        Mutant::DeathLocal,
        "byte out; proctype Q() { out = _pid } active proctype R() { run Q() } active proctype D() { skip }",
    );
}

#[test]
fn the_future_of_a_process_contains_those_it_starts() {
    is_caught(
        Mutant::CreatedFuture,
        "byte g; proctype Q() { g = 2 } active proctype R() { run Q() } active proctype P() { g = 1 }",
    );
}

#[test]
fn a_step_is_its_whole_atomic_sequence() {
    is_caught(
        Mutant::AtomicRest,
        "byte g; active proctype Q() { g = 2 } active proctype P() { byte x; atomic { x = 1; g = 1 } }",
    );
}

#[test]
fn a_sequence_with_a_handshake_depends_on_who_is_ready_to_receive() {
    is_caught(
        Mutant::AtomicHandshake,
        "chan m = [0] of { byte }; byte g; active proctype R() { assert(g == 0) }
         active proctype Q() { byte x; skip; atomic { m?x; g = 0 } }
         active proctype P() { atomic { g = 1; m!1 } }",
    );
}

#[test]
fn a_sequence_with_a_handshake_needs_a_full_expansion() {
    is_caught(
        Mutant::HandOverLoose,
        "chan m = [0] of { byte }; chan b = [1] of { byte }; byte g; active proctype R() { assert(g == 0) }
         active proctype W() { g = 1 } active proctype Q() { byte x; do :: b!x; m?x od }
         active proctype P() { byte y; do :: atomic { b?y; m!y } od }",
    );
}

#[test]
fn a_sorted_send_changes_what_is_received() {
    is_caught(
        Mutant::SortedSend,
        "chan b = [3] of { byte }; byte out; active proctype Q() { b?out; }
         active proctype P() { b!2; b!!1 }",
    );
}

#[test]
fn an_assertion_about_events_orders_them() {
    is_caught(
        Mutant::Monitor,
        "chan a = [1] of { byte }; chan b = [1] of { byte }; trace { a!1; b!1 }
         active proctype Q() { b!1 } active proctype P() { a!1 }",
    );
}

#[test]
fn a_provided_clause_is_a_guard_of_every_statement() {
    is_caught(
        Mutant::Provided,
        "byte h, out; active proctype Q() { h = 1 } active proctype P() provided (h == 0) { out = 1 }",
    );
}

#[test]
fn steps_out_of_a_label_are_visible() {
    is_caught(
        Mutant::LabelEntryOnly,
        "bool k; active proctype Q() { k = true } active proctype P() { here: skip; skip }
         ltl p { [] !(P@here && k) }",
    );
}

#[test]
fn a_loop_of_one_step_needs_a_full_expansion() {
    is_caught(Mutant::SelfLoop, "active proctype Q() { assert(false) } active proctype P() { do :: true od }");
}

#[test]
fn every_loop_needs_a_full_expansion() {
    let text = "active proctype Q() { assert(false) } active proctype P() { byte x; do :: x = 1; x = 0 od }";
    is_caught(Mutant::NoProviso, text);
    is_caught(Mutant::ChainSticky, text);
    is_caught(
        Mutant::NoProviso,
        "bool h; active proctype Q() { h = true } active proctype P() { byte x; do :: x = 1; x = 0 od }
         ltl p { [] !h }",
    );
}

#[test]
fn steps_that_change_atoms_are_visible() {
    is_caught(
        Mutant::NothingVisible,
        "bool g, h; active proctype Q() { h = true; h = false } active proctype P() { g = true; g = false }
         ltl p { [] !(g && h) }",
    );
}

/// The program keeps its answers under symmetry, and loses one if the condition is left out.
fn is_caught_by_symmetry(mutant: Mutant, text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("mutant.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let program = loaded.program.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics));
    let mut tally = Tally::default();
    symmetry::agree(&program, None, &mut tally).unwrap_or_else(|what| panic!("{what}\n{text}"));
    let found = symmetry::agree(&program, Some(mutant), &mut tally);
    assert!(found.is_err(), "{mutant:?} is not seen ({found:?}, {tally:?}) in\n{text}");
}

#[test]
fn the_order_in_which_processes_end_tells_them_apart() {
    // The second process has number 1 and can end at once, the first one only after it.
    is_caught_by_symmetry(
        Mutant::SymmetricDeath,
        "byte g; active [2] proctype P() { bool x; if :: x = true; g == 5 :: true fi } active proctype Q() { g = _nr_pr }",
    );
}

#[test]
fn arithmetic_on_numbers_tells_processes_apart() {
    is_caught_by_symmetry(
        Mutant::SymmetricArithmetic,
        "byte g; active [2] proctype P() { bool x; do :: !x -> x = true :: x && g == 0 -> g = _pid + 1 od }
         active proctype Q() { g == 2 -> assert(false) }",
    );
}

#[test]
fn a_property_about_one_process_tells_it_apart() {
    is_caught_by_symmetry(
        Mutant::SymmetricAtoms,
        "byte own[2]; byte g; active [2] proctype P() { do :: atomic { g == 0 -> g = 1 }; own[_pid] = 1 od }
         ltl p { [] (own[0] == 0) } ltl q { [] (own[1] == 0) }",
    );
}

#[test]
fn looking_at_a_message_does_not_take_it() {
    is_caught(
        Mutant::PeekTakes,
        "chan c = [1] of { byte }; active proctype Q() { assert(false) }
         active proctype P() { byte x; c!1; do :: c?<x> od }",
    );
}

#[test]
fn a_process_that_is_started_again_and_again_may_begin_and_end_on_a_cycle() {
    is_caught(
        Mutant::StartedStays,
        "chan c = [1] of { byte }; proctype Q() { c!1 }
         active proctype R() { assert(false); do :: true od }
         active proctype P() { byte x; do :: run Q(); c?x; _nr_pr == 2 od }",
    );
}

#[test]
fn some_process_of_a_ring_must_take_a_sticky_edge() {
    is_caught(
        Mutant::RelievedRing,
        "chan a = [1] of { byte }; chan b = [1] of { byte }; bool go;
         proctype N(chan i, o) { byte x; do :: i?x; o!x od }
         active proctype R() { go; assert(false) }
         init { atomic { run N(a, b); run N(b, a); a!1; go = true } }",
    );
}

#[test]
fn the_last_process_may_be_the_next_to_end() {
    is_caught(Mutant::LastEnds, "byte out; active proctype P() { out = _nr_pr } active proctype Q() { skip; skip }");
    is_caught(
        Mutant::LastEnds,
        "byte out; proctype N() { out = _pid } active proctype P() { run N() } active proctype Q() { skip; skip }",
    );
}

/// The tables obey their laws on the program, and break one if the condition is left out.
fn breaks_a_law(mutant: Mutant, text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("mutant.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let program = loaded.program.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diagnostics));
    let model = Model::new(&program).expect("a small model");
    let pairs = accord(&model, None, 1000).unwrap_or_else(|what| panic!("{what}\n{text}"));
    assert!(pairs.independent + pairs.dependent + pairs.woken > 0, "nothing was compared in\n{text}");
    assert!(accord(&model, Some(mutant), 1000).is_err(), "{mutant:?} breaks no law in\n{text}");
}

#[test]
fn independent_steps_accord() {
    breaks_a_law(Mutant::WriteWrite, "byte g; active proctype Q() { g = 2 } active proctype P() { g = 1 }");
    breaks_a_law(Mutant::ReadWrite, "byte g, out; active proctype Q() { g = 1 } active proctype P() { out = g }");
    breaks_a_law(
        Mutant::SortedSend,
        "chan b = [3] of { byte }; byte out; active proctype Q() { b?out } active proctype P() { b!2; b!!1 }",
    );
    breaks_a_law(
        Mutant::CreationLocal,
        "proctype Q(byte a) { skip } active proctype P() { run Q(0) } active proctype R() { run Q(1) }",
    );
    breaks_a_law(
        Mutant::DeathLocal,
        "proctype Q() { skip } active proctype R() { run Q() } active proctype D() { skip }",
    );
    breaks_a_law(
        Mutant::InitialReads,
        "byte g; proctype Q() { byte x = g; assert(x < 2) } active proctype R() { run Q() } active proctype W() { g = 1 }",
    );
    breaks_a_law(
        Mutant::Provided,
        "byte h, out; active proctype Q() { h = 1 } active proctype P() provided (h == 0) { out = 1 }",
    );
    breaks_a_law(
        Mutant::ElseGuards,
        "byte g, out; active proctype Q() { g = 1 } active proctype P() { if :: g == 1 -> out = 1 :: else -> out = 2 fi }",
    );
}

#[test]
fn how_often_a_deterministic_process_could_move_depends_on_all_its_guards() {
    breaks_a_law(
        Mutant::Deterministic,
        "byte g, out; active D_proctype P() { if :: g == 1 -> out = 2 :: out == 0 -> out = 1 fi }
         active proctype Q() { g = 1 }",
    );
}

#[test]
fn what_makes_a_step_possible_is_known_to_wake_it() {
    breaks_a_law(
        Mutant::IndexEnables,
        "byte g; byte cell[2] = {0, 1}; active proctype Q() { g = 1 } active proctype P() { cell[g] == 1 }",
    );
    breaks_a_law(
        Mutant::Provided,
        "byte h, out; active proctype Q() { h = 1 } active proctype P() provided (h == 1) { out = 1 }",
    );
    breaks_a_law(Mutant::DeathLocal, "active proctype P() { skip } active proctype Q() { skip }");
}

#[test]
fn the_channels_of_a_process_end_with_it() {
    breaks_a_law(
        Mutant::ChannelsStay,
        "chan g; byte out; active proctype Q() { g!1; out = 1 }
         active proctype P() { chan c = [1] of { byte }; g = c }",
    );
    // The number of a channel whose process has ended is given to a channel of another process.
    breaks_a_law(
        Mutant::ChannelsStay,
        "chan g; byte out; proctype First() { chan c = [1] of { byte }; g = c }
         proctype Holder(chan p) { p!1; out = 1 }
         init { run First(); (_nr_pr == 1); run Holder(g); run First() }",
    );
}
