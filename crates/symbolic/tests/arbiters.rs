//! Whole checks of random models against the enumerator: verdicts of both logics with fairness, deadlocks, and every
//! counterexample retraced from its record.

mod common;

use common::Generator;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::check::{Options, check};
use symbolic::enumerate::ctl::Checker;
use symbolic::enumerate::linear;
use symbolic::enumerate::machine::Explicit;
use symbolic::minimise::Effort;
use symbolic::model::{Model, Question};
use symbolic::report::Answer;
use symbolic::retrace::{Claimed, retrace};

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    symbolic::load(&sources, file).model
}

#[derive(Debug, Default)]
struct Tally {
    branching: [usize; 2],
    linear: [usize; 2],
    deadlocks: usize,
    traces: usize,
}

#[test]
fn whole_checks_agree_with_the_enumerator() {
    let mut tally = Tally::default();
    for seed in 20_000..20_000 + models() {
        let mut generator = Generator::new(seed);
        let text = generator.model();
        let mut properties = String::new();
        for depth in 0..4 {
            properties += &format!("SPEC {}\n", generator.branching(1 + depth % 3));
            properties += &format!("LTLSPEC {}\n", generator.linear(1 + depth % 3));
        }
        properties += &format!("INVARSPEC {}\n", generator.truth(2, false));
        let text = text.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1);
        let Some(model) = load(&text) else { continue };
        compare(seed, &text, &model, &mut tally);
    }
    let ample = |pair: [usize; 2]| pair[0] > 10 && pair[1] > 10;
    assert!(ample(tally.branching) && ample(tally.linear) && tally.deadlocks > 0 && tally.traces > 30, "{tally:?}");
}

fn compare(seed: u64, text: &str, model: &Model, tally: &mut Tally) {
    let minimise = [Effort::Off, Effort::Paper, Effort::Irredundant][usize::try_from(seed % 3).expect("small")];
    let options = Options { minimise, ..Options::default() };
    let Ok(report) = check(model, &options, &Budget::unlimited(), &mut |_| {}) else { return };
    let explicit = Explicit::new(model, 1 << 10).expect("a small machine");
    let mut checker = Checker::new(model, &explicit);
    let fair = checker.fair_states().to_vec();
    for (property, found) in model.properties.iter().zip(&report.properties) {
        let holds = match found.answer {
            Answer::Holds { .. } => true,
            Answer::Violated => false,
            ref other => panic!("seed {seed}: {other:?}\n{text}"),
        };
        let expected = match &property.question {
            Question::Ctl(formula) => {
                let set = checker.satisfying(formula);
                tally.branching[usize::from(holds)] += 1;
                Some(explicit.initial.iter().all(|state| set[*state] || !fair[*state]))
            }
            Question::Ltl(formula) => {
                let expected = linear::holds(model, &explicit, formula);
                tally.linear[usize::from(holds)] += usize::from(expected.is_some());
                expected
            }
            _ => None,
        };
        assert!(
            expected.is_none_or(|expected| expected == holds),
            "seed {seed}: {} is not {holds}\n{text}",
            found.text
        );
        if let Some(trace) = &found.counterexample {
            tally.traces += 1;
            let answer = retrace(model, Claimed::False(property), trace);
            assert!(answer.is_ok(), "seed {seed}: {answer:?} for {}\n{text}\n{trace:#?}", found.text);
        }
    }
    let (reachable, _) = explicit.reachable();
    let stuck = (0..reachable.len()).any(|state| reachable[state] && explicit.is_deadlock(state));
    let deadlock = report.properties.iter().find(|found| found.kind == "deadlock").expect("asked of every model");
    assert_eq!(deadlock.answer == Answer::Violated, stuck, "seed {seed}\n{text}");
    if let Some(trace) = &deadlock.counterexample {
        tally.deadlocks += 1;
        assert!(retrace(model, Claimed::Deadlock, trace).is_ok(), "seed {seed}\n{text}");
    }
    let fairness = report.properties.last().expect("asked of every model");
    let exists = explicit.initial.iter().any(|state| fair[*state]);
    assert_eq!(fairness.answer == Answer::Violated, !exists, "seed {seed}\n{text}");
}
