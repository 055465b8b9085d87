//! What reductions know of a process before it runs: parameters, and variables that nothing assigns.

use checker::options::{PromelaOptions, Reductions};
use checker::report::Outcome;
use checker::{Model, Options, Selection, check};
use kernel::budget::Budget;

/// The names and the verdicts of all properties.
fn verdicts(text: &str, reductions: Reductions) -> Vec<(String, Outcome)> {
    let model = Model::promela("m.pml", text).expect("a correct model");
    let promela = PromelaOptions { reductions, ..PromelaOptions::default() };
    let options = Options { promela, ..Options::default() };
    let report = check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).expect("a report");
    report.properties.iter().map(|property| (property.name.clone(), property.verdict.outcome())).collect()
}

#[test]
fn a_parameter_is_looked_up_in_the_process_that_has_it() {
    // The process that starts `R` has a variable of its own where `R` has its parameter.
    let handshake = "chan c = [0] of { byte };
        proctype R(chan d) { byte v; d?v; endx: do :: false od }
        active proctype M() { chan o = [0] of { byte }; run R(c); endx: do :: false od }
        active proctype S() { if :: c!1 :: else -> assert(false) fi; endx: do :: false od }";
    assert!(verdicts(handshake, Reductions::Auto).contains(&("assertions".into(), Outcome::Violated)));
    // The process that starts `W` has no variables at all.
    let small = "chan c = [1] of { byte };
        proctype W(chan d) { byte v; d?v }
        active proctype P() { c!1 }
        init { run W(c) }";
    for text in [handshake, small] {
        assert_eq!(verdicts(text, Reductions::Auto), verdicts(text, Reductions::OFF), "{text}");
    }
}

#[test]
fn large_and_negative_parameters_are_unknown_not_wrong() {
    for value in [300, -1, 255, 256] {
        let text = format!(
            "byte a[2];
            proctype P(short i) {{ a[i - {value}] = 1; end1: do :: false od }}
            proctype Q(short i) {{ assert(a[i - {value}] == 0); end2: do :: false od }}
            init {{ atomic {{ run P({value}); run Q({value}) }}; end3: do :: false od }}"
        );
        assert!(verdicts(&text, Reductions::Auto).contains(&("assertions".into(), Outcome::Violated)), "{value}");
        assert_eq!(verdicts(&text, Reductions::Auto), verdicts(&text, Reductions::OFF), "{value}");
    }
}
