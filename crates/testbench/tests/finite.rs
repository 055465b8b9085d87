//! Finite automata of safety formulas, written by commands, are compared like all others; wrong ones are caught.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::oracle::Check;
use testbench::run::{Bench, Input, Plan, Record, StructureKind};
use testbench::shrink::Problem;
use testbench::statistics::Statistics;
use testbench::translator::{FailureKind, Limits, Translator};

use omega::formula::Formulas;
use omega::parse::{Syntax, parse};

fn bench(command: &str, input: Input) -> Arc<Bench> {
    let translators = ["couvreur", command, "gpvw"].map(|text| Translator::parse(text).unwrap()).to_vec();
    Bench::new(Plan {
        translators,
        input,
        kinds: vec![StructureKind::Graph],
        shape: StructureShape { states: 20, ..StructureShape::default() },
        given_structure: None,
        formulas_per_structure: 10,
        structures_per_formula: 1,
        checks: Check::ALL.to_vec(),
        seed: 3,
        limits: Limits { time: Duration::from_secs(36_000), ..Limits::default() },
        is_endless: false,
        threads: 2,
        stop_at_failure: false,
        time_limit: None,
        kept_back: Duration::ZERO,
    })
    .unwrap()
}

fn run(bench: &Arc<Bench>) -> (Vec<Record>, Statistics) {
    let (mut records, mut statistics) = (Vec::new(), Statistics::new(3));
    bench.run(&AtomicBool::new(false), |record, _| {
        statistics.add(&record);
        records.push(record);
    });
    (records, statistics)
}

fn given(texts: &[&str]) -> Input {
    let formula = |text: &&str| {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
        (formulas, formula)
    };
    Input::Given(texts.iter().map(formula).collect())
}

/// A finite automaton for `G p0`: after the first letter without `p0`, state 1 is final, and it has no edges.
const BAD_PREFIXES_OF_ALWAYS: &str = "{finite} bad-prefixes: : %f; printf '%%s\\n' 'HOA: v1' 'States: 2' 'Start: 0' \
     'AP: 1 \"p0\"' 'Acceptance: 1 Inf(0)' '--BODY--' 'State: 0' '[0] 0' '[!0] 1' 'State: 1 {0}' '--END--' >%O";

#[test]
fn a_final_state_without_edges_accepts_whatever_follows() {
    let bench = bench(BAD_PREFIXES_OF_ALWAYS, given(&["G p0", "!G p0", "F !p0", "G F p0"]));
    let (records, statistics) = run(&bench);
    for record in &records {
        assert!(record.is_clean(), "{}: {:?}", record.texts[0], record.cases[0].problem);
    }
    // Of each formula and its negation one is given to the tool, except for the last one.
    assert_eq!(statistics.scores[1].unsupported.values().sum::<u64>(), 3 + 2);
    assert_eq!(statistics.scores[1].checks[&Check::Equivalence].of, 3 * 2);
    assert_eq!(statistics.scores[1].checks[&Check::Prefix].of, 3);
}

#[test]
fn a_wrong_finite_automaton_is_blamed() {
    // It takes `G p0` for `X G p0`.
    let late = BAD_PREFIXES_OF_ALWAYS.replace("'[0] 0' '[!0] 1'", "'[t] 2' 'State: 2' '[0] 2' '[!0] 1'");
    let late = late.replace("States: 2", "States: 3");
    let (records, statistics) = run(&bench(&late, given(&["G p0"])));
    assert!(statistics.scores[1].blame_count() > 0 && statistics.scores[0].blame_count() == 0);
    for case in &records[0].cases {
        assert_eq!(case.culprit(), Some(1), "{:?}", case.problem);
    }
}

#[test]
fn what_is_no_finite_automaton_is_told_so() {
    for (acceptance, what) in [("0 t", "no acceptance set"), ("1 Inf(0)", "marks on edges")] {
        let text = BAD_PREFIXES_OF_ALWAYS.replace("1 Inf(0)", acceptance).replace("State: 1 {0}", "State: 1");
        let text = if acceptance == "0 t" { text } else { text.replace("[!0] 1", "[!0] 1 {0}") };
        let (records, _) = run(&bench(&text, given(&["G p0"])));
        let Problem::Failed { failure, .. } = &records[0].cases[0].problem else { panic!("{what}") };
        assert_eq!(failure.kind, FailureKind::Nonsensical);
        assert!(failure.detail.contains(what), "{}", failure.detail);
    }
}

#[test]
fn correct_commands_agree_on_random_formulas() {
    let mutant = env!("CARGO_BIN_EXE_mutant");
    let input = || Input::Random { sets: vec![SymbolSet::new("all", 3)], sizes: 3..=6, count: 60 };
    // Automata of guarantees are terminal: their accepting states accept whatever follows.
    let prefixes = format!("{{finite}} bad-prefixes: '{mutant}' none \"!(\"%f\")\" >%O");
    let monitor = format!("{{finite}} monitor: '{mutant}' none %f >%O");
    for command in [prefixes, monitor] {
        let (records, statistics) = run(&bench(&command, input()));
        for record in &records {
            assert!(record.is_clean(), "{}: {:?}", record.texts[0], record.cases[0].problem);
        }
        let score = &statistics.scores[1];
        let unsupported = score.unsupported.values().sum::<u64>();
        assert!(unsupported > 20 && score.attempts - unsupported > 20, "{unsupported} of {}", score.attempts);
    }
    // A mutant in their place is caught.
    let wrong = format!("{{finite}} monitor: '{mutant}' release-is-until %f >%O");
    let (_, statistics) = run(&bench(&wrong, input()));
    assert!(statistics.scores[1].blame_count() > 0);
}
