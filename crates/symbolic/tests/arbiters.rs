//! Whole checks of random models against the enumerator: verdicts of both logics with fairness, deadlocks, and every
//! counterexample retraced from its record.

mod common;

use common::Generator;
use common::small::Small;
use flat::enumerate::ctl::Checker;
use flat::enumerate::linear;
use flat::enumerate::machine::Explicit;
use flat::model::{Model, Question};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::check::{Progress, SymbolicOptions, check};
use symbolic::report::{Answer, PropertyResult};
use symbolic::strip::Effort;
use symbolic::validate::retrace::promise::{Relevance, relevance};
use symbolic::validate::retrace::{Claimed, retrace};

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

#[derive(Debug, Default)]
struct Tally {
    branching: [usize; 2],
    linear: [usize; 2],
    deadlocks: usize,
    traces: usize,
    verified: usize,
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
        properties += &format!("INVARSPEC {}\nINVARSPEC {}\n", generator.truth(2, false), generator.truth(2, true));
        let text = text.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1);
        let Some(model) = load(&text) else { continue };
        compare(seed, &text, &model, &mut tally);
    }
    let ample = |pair: [usize; 2]| pair[0] > 10 && pair[1] > 10;
    assert!(ample(tally.branching) && ample(tally.linear) && tally.deadlocks > 0 && tally.traces > 30, "{tally:?}");
}

#[test]
fn thousands_of_tiny_models_agree() {
    let mut tally = Tally::default();
    let count = std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(3000);
    for seed in 70_000..70_000 + count {
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        for depth in [1, 2] {
            text += &format!("SPEC {}\n", generator.tiny_formula(false, depth));
            text += &format!("LTLSPEC {}\n", generator.tiny_formula(true, depth));
        }
        let model = load(&text).unwrap_or_else(|| panic!("seed {seed}: not a model\n{text}"));
        compare(seed, &text, &model, &mut tally);
    }
    let ample = |pair: [usize; 2]| pair[0] > 100 && pair[1] > 100;
    assert!(ample(tally.branching) && ample(tally.linear) && tally.deadlocks > 100 && tally.traces > 300, "{tally:?}");
}

#[test]
fn thousands_of_small_models_agree() {
    let (mut tally, mut refused) = (Tally::default(), 0);
    let count = std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(2000_usize);
    for seed in (200_000..).take(count) {
        let text = Small::new(seed).model(2);
        match load(&text) {
            Some(model) => compare(seed, &text, &model, &mut tally),
            None => refused += 1,
        }
    }
    assert_eq!(refused, 0, "the front end refuses some models");
    let ample = |pair: [usize; 2]| pair[0] > count / 3 && pair[1] > count / 3;
    let deadlocks = tally.deadlocks > count / 10;
    assert!(ample(tally.branching) && ample(tally.linear) && deadlocks && tally.traces > count, "{tally:?}");
    assert!(tally.verified > count, "{tally:?}");
}

fn compare(seed: u64, text: &str, model: &Model, tally: &mut Tally) {
    let efforts = [Effort::Off, Effort::Paper, Effort::Guided, Effort::Irredundant];
    let minimise = efforts[usize::try_from(seed % 4).expect("small")];
    let options = SymbolicOptions { minimise, ..SymbolicOptions::default() };
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
            let relevant = relevance(model, Claimed::False(property), trace, &Budget::unlimited());
            assert!(
                matches!(relevant, Ok(Relevance::Verified | Relevance::Unstripped)),
                "seed {seed}: {relevant:?} for {}\n{text}\n{trace:#?}",
                found.text
            );
            tally.verified += usize::from(relevant == Ok(Relevance::Verified));
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

/// The answers on one model, each with the number of values that matter in its counterexample.
fn answers(text: &str) -> Vec<(String, Answer, Option<usize>)> {
    let model = load(text).expect("a model");
    let report = check(&model, &SymbolicOptions::default(), &Budget::unlimited(), &mut |_| {}).expect("a model");
    let left = |found: &PropertyResult| found.minimised.as_ref().map(|minimised| minimised.values_after);
    report.properties.iter().map(|found| (found.kind.clone(), found.answer.clone(), left(found))).collect()
}

#[test]
fn paths_that_end_or_are_unfair_do_not_count_for_linear_time() {
    let deadlock = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; TRANS (x = 0 -> next(x) in {1, 2}) & \
        (x = 1 -> next(x) = 1) & (x = 2 -> FALSE) LTLSPEC X x = 1 LTLSPEC X x = 2";
    let compassion = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := x = 0 ? {1, 2} : x; \
        COMPASSION (x = 2, FALSE) LTLSPEC X x = 1 LTLSPEC X x = 2";
    for text in [deadlock, compassion] {
        let found = answers(text);
        assert_eq!(found[0].1, Answer::Holds { vacuous: None }, "{text}");
        assert_eq!(found[1].1, Answer::Violated, "{text}");
    }
}

#[test]
fn an_input_that_fairness_asks_for_matters() {
    let text = "MODULE main IVAR i : boolean; VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; next(x) := x; \
        init(y) := TRUE; next(y) := i; FAIRNESS i SPEC AF x LTLSPEC F x";
    let found = answers(text);
    // `x` is false in all reachable states; what matters is that `i` is true in a step of the loop.
    assert_eq!(found[0].2, Some(1), "{found:?}");
    assert_eq!(found[1].2, Some(1), "{found:?}");
}

#[test]
fn inputs_take_only_the_values_they_have() {
    // Three values in two bits: the fourth code must not be a step of its own.
    let found = answers(
        "MODULE main\nVAR x : boolean; c : 0..16777215;\nIVAR i : 0..2;\n\
         ASSIGN init(x) := FALSE; next(x) := !(i in 0..2);\nSPEC EF x\nLTLSPEC G (i = 0 | i = 1 | i = 2)\n",
    );
    assert_eq!([&found[0].1, &found[1].1], [&Answer::Violated, &Answer::Holds { vacuous: None }]);
    let found = answers(
        "MODULE main\nVAR x : boolean;\nIVAR i : {p, r, s};\nASSIGN next(x) := x;\n\
         FAIRNESS i != p & i != r & i != s\nSPEC EG !x\n",
    );
    let fairness = found.iter().find(|(name, ..)| name == "fairness").expect("reported of every model");
    assert_eq!(fairness.1, Answer::Violated);
}

#[test]
fn what_holds_because_its_condition_is_never_true_is_called_vacuous() {
    let model = "MODULE main IVAR i : boolean; VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3;";
    let vacuous = ["SPEC AG (x = 3 -> x = 1)", "SPEC AG (EF x = 3 -> x = 1)", "SPEC AG (x = 3 -> AF x = 1)"];
    let vacuous_too =
        ["LTLSPEC G (x = 3 -> x = 1)", "LTLSPEC G (F x = 3 -> F x = 1)", "LTLSPEC G (next(x) = 3 -> x = 1)"];
    let vacuous_as_well = ["INVARSPEC x = 3 -> x = 1", "SPEC x = 1 -> AF x = 3", "LTLSPEC X x = 3 -> F x = 3"];
    let telling = ["SPEC AG (x = 2 -> x != 1)", "SPEC AG (EF x = 2 -> x != 3)", "LTLSPEC G (x = 2 -> x != 1)"];
    let telling_too =
        ["LTLSPEC G (F x = 2 -> F x = 1)", "INVARSPEC x = 2 -> x != 1", "SPEC AG (x = 2 -> x < 3) & AG x < 3"];
    let telling_as_well = ["SPEC AG ((x = 3 -> x = 1) & (x = 2 -> AX x = 0))", "LTLSPEC G (i -> x < 3)"];
    let all = [&vacuous[..], &vacuous_too, &vacuous_as_well, &telling, &telling_too, &telling_as_well].concat();
    for (at, property) in all.into_iter().enumerate() {
        let found = &answers(&format!("{model} {property}"))[0].1;
        let expected = (at < 9).then(|| "its condition is never true".to_owned());
        assert_eq!(*found, Answer::Holds { vacuous: expected }, "{property}");
    }
    let together = ["SPEC AG (x = 1 -> (x = 2 -> AX x = 1))", "LTLSPEC G (x = 1 -> x = 2 -> F x = 3)"];
    let together_too =
        ["INVARSPEC x = 1 -> (x = 2 -> x = 3) & (x = 0 -> x = 3)", "INVARSPEC x = 3 | !(x = 1) | !(x = 2)"];
    let alone =
        ["SPEC AG (!(x = 3) | AF x = 2)", "SPEC AG (AF x = 2 | x = 1 | !(x = 3))", "LTLSPEC G (!(x = 3) | F x = 2)"];
    let alone_too = ["INVARSPEC !(x = 3) | x = 2", "LTLSPEC G (!(F x = 3) | F x = 2)", "SPEC AG (!(x = 3) | !(x = 1))"];
    let telling = ["SPEC AG (!(x = 2) | AF x = 1)", "SPEC AG (!(x = 2) | !(x = 1))", "INVARSPEC x >= 0 | x = 1"];
    let telling_too = ["SPEC AG (x < 2 -> (x = 1 -> AX x = 2))", "SPEC AG !(x = 3)", "INVARSPEC !(x = 1 & x = 3)"];
    let telling_as_well = ["LTLSPEC G (x < 2 -> i -> x < 3)", "INVARSPEC x < 2 -> (x = 2 -> x = 3) & (x = 1 -> x < 3)"];
    let nested = [&together[..], &together_too, &alone, &alone_too, &telling, &telling_too, &telling_as_well].concat();
    for (at, property) in nested.into_iter().enumerate() {
        let found = &answers(&format!("{model} {property}"))[0].1;
        let expected = match at {
            0..4 => Some("its conditions are never true together".to_owned()),
            4..10 => Some("its condition is never true".to_owned()),
            _ => None,
        };
        assert_eq!(*found, Answer::Holds { vacuous: expected }, "{property}");
    }
    let nothing = "MODULE main VAR x : boolean; INIT x & !x SPEC EF x LTLSPEC FALSE INVARSPEC FALSE";
    for (kind, answer, _) in &answers(nothing)[..3] {
        assert_eq!(*answer, Answer::Holds { vacuous: Some("there is no initial state".to_owned()) }, "{kind}");
    }
}

#[test]
fn operators_of_linear_time_within_bounds() {
    let model = "MODULE main VAR x : 0..5; ASSIGN init(x) := 0; next(x) := x < 5 ? x + 1 : 5;";
    let holds = ["F [2, 2] x = 2", "F [0, 3] x = 3", "G [0, 2] x < 3", "G [3, 9] x > 2", "G (x = 4 -> O [1, 3] x = 1)"];
    let holds_too = ["G (x = 4 -> O [3, 3] x = 1)", "H [1, 5] FALSE", "G (x = 3 -> H [1, 2] (x = 1 | x = 2))"];
    let violated =
        ["F [0, 2] x = 3", "G [0, 3] x < 3", "G (x = 4 -> O [1, 2] x = 1)", "X H [1, 5] FALSE", "O [1, 1] TRUE"];
    for (at, formula) in holds.iter().chain(&holds_too).chain(&violated).enumerate() {
        let found = &answers(&format!("{model} LTLSPEC {formula}"))[0].1;
        assert_eq!(matches!(found, Answer::Holds { .. }), at < 8, "{formula}: {found:?}");
    }
}

#[test]
fn what_is_about_steps_is_stripped_too() {
    let text = "MODULE main IVAR i : boolean; j : boolean; VAR x : 0..3; y : boolean; ASSIGN init(x) := 0; \
        next(x) := i & x < 3 ? x + 1 : x; INVARSPEC !(x = 0 & i) INVARSPEC next(x) = x LTLSPEC G !(x = 1 & i) \
        LTLSPEC F (next(x) = 3)";
    let found = answers(text);
    // `x` and `i` in the first step; `i` there, or `x` on both of its sides; then `i` twice with what it needs.
    for (kind, answer, left) in &found[..4] {
        assert_eq!(*answer, Answer::Violated, "{kind}");
        assert!(left.is_some(), "{kind} is not stripped: {found:?}");
    }
    assert_eq!(found[0].2, Some(2), "{found:?}");
}

#[test]
fn indices_may_depend_on_the_state() {
    let text = "MODULE main VAR a : array 0..2 of array 1..2 of boolean; n : 0..2; m : 0..1; w : word[2]; \
        b : array 0..3 of 0..3; DEFINE dd := [[1, 2], [3, 4]]; \
        INVARSPEC n = 1 -> (a[n][2] <-> a[1][2]) INVARSPEC dd[m][m] in {1, 4} INVARSPEC w = 0ud2_3 -> b[w] = b[3] \
        INVARSPEC dd[m][1] = 2 VAR v : array 0..1 of word[2]; INVARSPEC m = 1 -> v[m][0:0] = v[1][0:0]";
    let found = answers(text);
    for (kind, answer, _) in &found[..3] {
        assert_eq!(*answer, Answer::Holds { vacuous: None }, "{kind}");
    }
    assert_eq!((&found[3].1, &found[4].1), (&Answer::Violated, &Answer::Holds { vacuous: None }));
}

#[test]
fn violations_nearby_are_found_however_many_states_there_are() {
    let counter = |more: &str| {
        format!(
            "MODULE main VAR w : unsigned word[32]; ASSIGN init(w) := 0ud32_0; next(w) := w + 0ud32_1; \
             INVARSPEC w < 0ud32_5 SPEC AG w < 0ud32_7 {more}"
        )
    };
    // Nothing else needs the reachable states, which are far too many to be counted step by step.
    let model = load(&counter("")).expect("a right text");
    let report = check(&model, &SymbolicOptions::default(), &Budget::unlimited(), &mut |_| {}).expect("a right model");
    let lengths: Vec<Option<usize>> = report
        .properties
        .iter()
        .map(|property| property.counterexample.as_ref().map(|trace| trace.states.len() - 1))
        .collect();
    assert_eq!(lengths, [Some(5), Some(7), None, None]);
    assert_eq!(report.reachable_states, None);
    let holds = Answer::Holds { vacuous: None };
    assert!(report.properties[2..].iter().all(|property| property.answer == holds), "{report:#?}");
    // Something else does, and is left open; with fairness only the invariant is about all paths.
    for (more, violated) in [("SPEC AG EF w = 0ud32_0", 2), ("FAIRNESS w = 0ud32_3", 1)] {
        let model = load(&counter(more)).expect("a right text");
        // The check is ended as soon as the violations are reported; without them it would not end.
        let budget = Budget::unlimited();
        let (switch, mut open) = (budget.cancel_switch(), violated);
        let mut progress = |progress: Progress<'_>| {
            if let Progress::Decided(_, found, _) = progress
                && found.answer == Answer::Violated
            {
                open -= 1;
                switch.store(open == 0, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let report = check(&model, &SymbolicOptions::default(), &budget, &mut progress).expect("a right model");
        let count = report.properties.iter().filter(|property| property.answer == Answer::Violated).count();
        assert_eq!(count, violated, "{more}: {report:#?}");
    }
}
