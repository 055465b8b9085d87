//! Bounded checking against the enumerator, on random models: verdicts, lassos, and shortest lengths.
//!
//! The environment variable `SAT_MODELS` sets how many models are tried.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;

use common::Generator;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::linear;
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, Valuation};
use flat::model::{Linear, Model, NodeId, Question};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use sat::bounded::{self, Extended};
use sat::circuit::Trace;
use sat::design::{Design, Failure};
use sat::engine::{self, Engine, Outcome};
use sat::solver::BatSat;
use std::time::Duration;

/// The time for one answer; a test on a busy machine leaves some answers open.
const LONGEST: Duration = Duration::from_secs(2);

/// Lines that are looked at for one property.
const LINES: usize = 20_000;

fn models() -> u64 {
    std::env::var("SAT_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(120)
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

/// A walk of a machine: its states, and the inputs of its steps.
#[derive(Clone)]
struct Walk {
    states: Vec<usize>,
    inputs: Vec<usize>,
}

/// Calls `look` with all walks from initial states, shorter ones first, until it is satisfied or there are too many.
/// True if all walks of fewer than `steps` steps were looked at.
fn walks(explicit: &Explicit, steps: usize, mut look: impl FnMut(&Walk) -> bool) -> bool {
    let mut layer: Vec<Walk> =
        explicit.initial.iter().map(|state| Walk { states: vec![*state], inputs: Vec::new() }).collect();
    let mut seen = 0;
    for _ in 0..steps {
        seen += layer.len();
        if layer.iter().any(&mut look) || seen > LINES {
            return false;
        }
        let extended = |walk: &Walk| {
            let last = walk.states[walk.states.len() - 1];
            let edges = explicit.edges.iter().filter(move |edge| edge.from == last);
            edges
                .map(|edge| {
                    let mut longer = walk.clone();
                    longer.states.push(edge.to);
                    longer.inputs.push(edge.input);
                    longer
                })
                .collect::<Vec<_>>()
        };
        layer = layer.iter().flat_map(extended).collect();
    }
    true
}

fn lassos(explicit: &Explicit, walk: &Walk) -> Vec<Lasso> {
    let last = walk.states.len() - 1;
    let starts = (0..last).filter(|start| walk.states[*start] == walk.states[last]);
    let positions = || (0..last).map(|at| explicit.with_input(walk.states[at], walk.inputs[at])).collect();
    starts.map(|loop_start| Lasso { positions: positions(), loop_start }).collect()
}

fn is_fair(rules: &mut Rules<'_>, lasso: &Lasso) -> bool {
    let model = rules.model();
    let mut often =
        |node: NodeId| lasso.positions[lasso.loop_start..].iter().any(|position| rules.holds(node, position, None));
    model.justice.iter().all(|node| often(*node)) && model.compassion.iter().all(|(p, q)| !often(*p) || often(*q))
}

/// Asserts that positions form a path of the model.
fn assert_path(rules: &mut Rules<'_>, positions: &[Valuation], loop_start: Option<usize>) {
    assert!(rules.is_initial(&positions[0]));
    assert!(positions.iter().all(|position| rules.is_state(position)));
    assert!(positions.windows(2).all(|pair| rules.is_step(&pair[0], &pair[1])));
    if let Some(start) = loop_start {
        assert!(rules.is_step(&positions[positions.len() - 1], &positions[start]));
    }
}

/// A shortest counterexample, or that none has at most this many steps.
fn search(mut extend: impl FnMut() -> Extended, most: usize) -> Result<Trace, bool> {
    for _ in 0..most {
        match extend() {
            Extended::Found(trace) => return Ok(trace),
            Extended::Refuted => {}
            Extended::Complete => return Err(true),
        }
    }
    Err(false)
}

/// Asserts that an engine gives the right answer, if it gives one in time.
fn agrees(answer: &Outcome, holds: bool, tally: &mut Tally, engine: Engine) {
    match answer {
        Outcome::Holds(_) => assert!(holds, "{engine:?} proves what does not hold"),
        Outcome::Violated(_) => assert!(!holds, "{engine:?} refutes what holds"),
        Outcome::Open { .. } => tally.open += 1,
        Outcome::Defective(defect) => panic!("{engine:?} gives a wrong proof: {defect:?}"),
    }
}

#[derive(Debug, Default)]
struct Tally {
    open: usize,
    violated: usize,
    holds: usize,
    shortest: usize,
    with_past: [usize; 4],
    loops: usize,
}

fn check_linear(design: &mut Design<'_>, explicit: &Explicit, formula: &Linear, tally: &mut Tally) {
    let (model, budget) = (design.model(), Budget::unlimited());
    let Some(holds) = linear::holds(model, explicit, formula) else { return };
    let answer = engine::linear(design, formula, Engine::Ic3, &budget.stage().within(LONGEST)).expect("a model");
    agrees(&answer, holds, tally, Engine::Ic3);
    let negation = formula.negated();
    let wanted = design.lassos(&negation, &budget).expect("no limit");
    let mut bounded = bounded::lasso::Search::<BatSat>::new(&design.circuit, wanted, &budget);
    let found = search(|| bounded.extend(&budget).expect("no limit"), if holds { 8 } else { 60 });
    let mut rules = Rules::new(model);
    match found {
        Ok(trace) => {
            let lasso = Lasso { positions: design.positions(&trace), loop_start: trace.loop_start.expect("a lasso") };
            assert_path(&mut rules, &lasso.positions, Some(lasso.loop_start));
            assert!(is_fair(&mut rules, &lasso), "the lasso is not fair");
            assert!(!lasso::holds(&mut rules, &lasso, formula), "the lasso does not violate the formula");
            assert!(!holds, "a lasso violates a formula that holds");
            tally.violated += 1;
            tally.loops += usize::from(lasso.loop_start > 0);
            let complete = walks(explicit, trace.length(), |walk| {
                let violates = |lasso: &Lasso| is_fair(&mut rules, lasso) && !lasso::holds(&mut rules, lasso, formula);
                let shorter = lassos(explicit, walk).iter().any(violates);
                assert!(!shorter, "a lasso of {} steps, not {}", walk.inputs.len(), trace.length());
                false
            });
            if complete {
                tally.shortest += 1;
                tally.with_past[formula.past_depth().min(3)] += 1;
            }
        }
        Err(_) => {
            assert!(holds, "no lasso of at most 60 steps");
            tally.holds += 1;
        }
    }
}

fn check_invariant(design: &mut Design<'_>, explicit: &Explicit, node: NodeId, tally: &mut Tally) {
    let (model, budget) = (design.model(), Budget::unlimited());
    let mentions = model.facts(node).mentions;
    let of_step = mentions.next || mentions.input;
    let mut rules = Rules::new(model);
    let mut expected = None;
    walks(explicit, 14, |walk| {
        let last = walk.states.len() - 1;
        let bad = match of_step {
            true if last == 0 => false,
            true => {
                let from = explicit.with_input(walk.states[last - 1], walk.inputs[last - 1]);
                !rules.holds(node, &from, Some(&explicit.states[walk.states[last]]))
            }
            false => !rules.holds(node, &explicit.states[walk.states[last]], None),
        };
        if bad {
            expected = Some(last);
        }
        bad
    });
    for engine in [Engine::Ic3, Engine::Induction] {
        let answer = engine::invariant(design, node, engine, &budget.stage().within(LONGEST)).expect("a model");
        agrees(&answer, expected.is_none(), tally, engine);
        if let (Outcome::Violated(trace), Some(expected)) = (&answer, expected) {
            assert_eq!(trace.length(), expected, "the shortest violation");
        }
    }
    let kind = design.violation(node, &budget).expect("no limit");
    let bad = design.circuit.bad(kind);
    let mut bounded = bounded::invariant::Search::<BatSat>::new(&design.circuit, kind, bad, &budget);
    match search(|| bounded.extend(&budget).expect("no limit"), 12) {
        Ok(trace) => {
            assert_path(&mut rules, &design.positions(&trace), None);
            if let Some(expected) = expected {
                assert_eq!(trace.length(), expected, "the shortest violation");
            }
            tally.violated += 1;
        }
        Err(_) => {
            assert!(expected.is_none_or(|steps| steps > 12), "no violation, expected one after {expected:?} steps");
            tally.holds += 1;
        }
    }
}

#[test]
fn bounded_checking_agrees_with_the_enumerator() {
    let mut tally = Tally::default();
    for seed in 0..models() {
        println!("seed {seed}");
        let mut generator = Generator::new(seed);
        let is_tiny = !seed.is_multiple_of(4);
        let mut text = if is_tiny { generator.tiny() } else { generator.model() };
        for _ in 0..3 {
            let depth = 1 + u32::try_from(generator.random.below(3)).expect("small");
            text = text.replacen(
                "MODULE main\n",
                &format!("MODULE main\nLTLSPEC {}\n", generator.tiny_formula(true, depth)),
                1,
            );
        }
        let invariant = generator.tiny_formula(true, 0);
        text = text.replacen("MODULE main\n", &format!("MODULE main\nINVARSPEC {invariant} | n = 0\n"), 1);
        println!("{text}");
        let Some(model) = load(&text) else { continue };
        let mut design = match Design::new(&model, true, &Budget::unlimited()) {
            Ok(design) => design,
            Err(Failure::Wrong(_)) => continue,
            Err(Failure::Stopped(stopped)) => panic!("{stopped:?} without a limit"),
        };
        let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
        for property in &model.properties {
            match &property.question {
                Question::Ltl(formula) => check_linear(&mut design, &explicit, formula, &mut tally),
                Question::Invariant(node) => check_invariant(&mut design, &explicit, *node, &mut tally),
                _ => {}
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.violated > 50 && tally.holds > 50 && tally.shortest > 50 && tally.with_past[1] > 5, "{tally:?}");
}

/// Bounded checking proves a formula whose negation no path begins, and paths that end are told apart from that.
#[test]
fn the_end_of_all_paths_is_told_apart_from_the_end_of_the_search() {
    let endless = "MODULE main\nVAR p : boolean;\nASSIGN init(p) := TRUE; next(p) := TRUE;\nLTLSPEC X p\n";
    let ending = "MODULE main\nVAR p : boolean;\nINIT p\nTRANS p & !next(p)\nLTLSPEC X p\n";
    for (text, ends) in [(endless, false), (ending, true)] {
        let model = load(text).expect("a model");
        let mut design = Design::new(&model, true, &Budget::unlimited()).expect("a circuit");
        let Question::Ltl(formula) = &model.properties[0].question else { panic!("a formula") };
        for engine in [Engine::Bounded(Some(5)), Engine::Induction, Engine::Ic3, Engine::Turns] {
            let answer = engine::linear(&mut design, formula, engine, &Budget::unlimited()).expect("an answer");
            let Outcome::Holds(proof) = answer else { panic!("{engine:?}: {answer:?}\n{text}") };
            let says_that_paths_end = matches!(proof.argument(), engine::Argument::PathsEnd(_));
            assert!(ends || !says_that_paths_end, "{engine:?}: {proof:?}\n{text}");
            assert!(!ends || !matches!(proof.argument(), engine::Argument::NoBeginning(_)), "{engine:?}: {proof:?}");
        }
    }
}

/// A limit of memory ends all engines, although no time limit does.
#[test]
fn a_limit_of_memory_ends_the_turns() {
    let text = "MODULE main\nVAR a : unsigned word[16]; b : unsigned word[16];\n\
                ASSIGN next(a) := a * b; next(b) := b + a;\n\
                INVARSPEC (a + b) * (a + b) = a * a + a * b + a * b + b * b\n\
                LTLSPEC G (a + b) * (a + b) = a * a + a * b + a * b + b * b\n";
    let model = load(text).expect("a model");
    let mut design = Design::new(&model, true, &Budget::unlimited()).expect("a circuit");
    for property in &model.properties {
        for engine in [Engine::Bounded(None), Engine::Induction, Engine::Ic3, Engine::Turns] {
            let mut budget = Budget::unlimited();
            budget.memory = Some(700_000);
            let answer = match &property.question {
                Question::Ltl(formula) => engine::linear(&mut design, formula, engine, &budget),
                Question::Invariant(node) => engine::invariant(&mut design, *node, engine, &budget),
                _ => continue,
            };
            println!("{engine:?}: {answer:?}");
            let limit = match answer {
                Ok(Outcome::Open { limit, .. }) => limit,
                Err(Failure::Stopped(limit)) => Some(limit),
                answer => panic!("{engine:?}: {answer:?}"),
            };
            assert_eq!(limit, Some(kernel::budget::Exhausted::Memory), "{engine:?}");
        }
    }
}
