//! Charts of small models against golden files. With `UPDATE_EXPECT=1` the files are written again.

use checker::{Model, Options, Selection, check};
use expect_test::expect_file;
use kernel::budget::Budget;
use page::chart::Chart;

/// The chart of the first counterexample of a model.
fn chart(text: &str) -> Chart {
    let model = Model::promela("m.pml", text).expect("a model");
    let report =
        check(&model, &Selection::all(), &Options::default(), &Budget::unlimited(), &mut ()).expect("a report");
    let shown = report.properties.iter().flat_map(|property| property.counterexamples()).next();
    let shown = shown.expect("a counterexample");
    Chart::of(shown, shown.waiting())
}

const MESSAGES: &str = "mtype = { PING, PONG }; chan c = [0] of { mtype, byte }; chan d = [2] of { byte };
active proctype A() { c!PING,7; d!3; d!4 }
active proctype B() { byte n; c?PING,n; d?n; do :: n > 9 -> break od }";

#[test]
fn messages_are_arrows() {
    let chart = chart(MESSAGES);
    let ends: Vec<_> = chart.arrows.iter().map(|arrow| (arrow.is_handshake, arrow.to.is_some())).collect();
    // A handshake, a message that is received, and one that stays in its channel.
    assert_eq!(ends, [(true, true), (false, true), (false, false)]);
    expect_file!["charts/messages.txt"].assert_eq(&chart.text());
    expect_file!["charts/messages.mmd"].assert_eq(&chart.mermaid());
    expect_file!["charts/messages.svg"].assert_eq(&chart.svg());
}

#[test]
fn a_look_at_a_message_does_not_take_it() {
    let chart = chart("chan c = [2] of { byte }; active proctype A() { byte n; c!5; c?<n>; c?n; assert(false) }");
    let arrow = &chart.arrows[0];
    assert_eq!((arrow.from.1, arrow.to), (0, Some((0, 2))));
}

#[test]
fn loops_atomic_sequences_and_new_processes_are_shown() {
    let chart = chart(
        "byte x; proctype Q() { do :: atomic { x = 1; x = 2 } od }
         init { run Q() } ltl p { [] <> (x == 3) }",
    );
    assert!(chart.repeats.is_some() && !chart.blocks.is_empty());
    assert_eq!(chart.lines.iter().map(|line| line.starts.is_some()).collect::<Vec<_>>(), [false, true]);
    expect_file!["charts/loop.txt"].assert_eq(&chart.text());
    expect_file!["charts/loop.mmd"].assert_eq(&chart.mermaid());
}

/// Whatever a model writes, the formats keep their structure.
#[test]
fn hostile_text_stays_text() {
    let chart = chart(
        "active proctype A() { printf(\"</svg><script>alert(1)</script>\\n\"); printf(\"end; ;# \\t%%\\n\"); assert(false) }",
    );
    let (svg, mermaid) = (chart.svg(), chart.mermaid());
    assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1, "{svg}");
    assert!(
        !mermaid.contains("<script") && mermaid.lines().all(|line| !line.contains(';') || line.contains('#')),
        "{mermaid}"
    );
    assert_eq!(mermaid.lines().filter(|line| line.trim() == "end").count(), 0, "{mermaid}");
}
