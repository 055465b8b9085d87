//! One random model, checked by each engine of this crate and by the enumerator: verdicts, counterexamples, shortest lengths.
//!
//! Used by `engines.rs`, by `mutants.rs` and, for long runs, by the program `random-sat` of `benches`.
#![allow(dead_code, reason = "each program uses the part it needs")]

pub(crate) mod walks;

use super::common::Generator;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::linear;
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, Valuation};
use flat::model::{Linear, Model, NodeId, Question};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use sat::bounded::{self, Extended};
use sat::certificate::recheck;
use sat::circuit::{Bad, Circuit, Trace};
use sat::design::{Design, Failure};
use sat::engine::{self, Engine, Outcome};
use sat::ic3::{Answer, Ic3};
use sat::induction::Step;
use sat::liveness;
use sat::mutant::Mutant;
use sat::solver::Solver;
use std::time::Duration;

/// The work for one answer of a prover, in questions to its budget; beyond it the answer stays open.
const MOST_WORK: u64 = 200_000;

/// The same for an engine with a mistake, which may have no answer at all.
const MOST_WORK_OF_MUTANTS: u64 = 20_000;

/// The time for an answer of engines that take turns by the clock, whose work is not counted together.
const LONGEST: Duration = Duration::from_secs(1);

/// Valuations of state variables, or of inputs, up to which a machine is enumerated.
const VALUATIONS: usize = 1 << 10;

/// States up to which induction has to find a proof.
const FEW_STATES: usize = 8;

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Answers that were not there in time.
    pub(crate) open: usize,
    pub(crate) violated: usize,
    pub(crate) holds: usize,
    /// Lengths that brute force confirmed, by the depth of the past; the last entry is for three and more.
    pub(crate) shortest: [usize; 4],
    /// Properties by what their models have: justice, compassion, dead ends, several initial states.
    pub(crate) justice: usize,
    pub(crate) compassion: usize,
    pub(crate) dead_ends: usize,
    pub(crate) several_initial: usize,
    /// Properties that hold, and the rounds that k-liveness had to count.
    pub(crate) counted: [usize; 4],
}

/// What is wrong.
pub(crate) type Disagreement = String;

/// Fails with these words unless a condition is true.
fn ensure(condition: bool, words: impl FnOnce() -> String) -> Result<(), Disagreement> {
    if condition { Ok(()) } else { Err(words()) }
}

pub(crate) fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

/// A random model with three formulas of linear time and an invariant.
pub(crate) fn text(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    let is_tiny = !seed.is_multiple_of(4);
    let model = if is_tiny { generator.tiny() } else { generator.model() };
    let mut properties = String::new();
    for _ in 0..3 {
        let depth = 1 + u32::try_from(generator.random.below(3)).expect("small");
        properties += &format!("LTLSPEC {}\n", generator.tiny_formula(true, depth));
    }
    // The past inside the past, under a future operator, and about the value of a formula on the loop.
    if generator.random.chance(30) {
        let (a, b) = (generator.tiny_formula(true, 0), generator.tiny_formula(true, 0));
        let past =
            ["Y (O ({a} & Y {b}))", "H (O {a} -> Y Y {b})", "(({a}) S (Y ({b} S Y {a})))", "O ({a} & H (O {b}))"];
        let future = ["G ", "F ", "G F ", "F G ", "!F "];
        let past = generator.random.pick(&past).replace("{a}", &a).replace("{b}", &b);
        properties += &format!("LTLSPEC {}({past})\n", generator.random.pick(&future));
    }
    properties += &format!("INVARSPEC {} | n = 0\n", generator.tiny_formula(true, 0));
    model.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1)
}

/// Compares all engines on a model. With `turns`, also those that divide their time by the clock.
pub(crate) fn compare(text: &str, mutant: Option<Mutant>, turns: bool, tally: &mut Tally) -> Result<(), Disagreement> {
    let Some(model) = load(text) else { return Ok(()) };
    let mut design = match Design::new(&model, true, &Budget::unlimited()) {
        Ok(design) => design,
        Err(Failure::Wrong(_)) => return Ok(()),
        Err(Failure::Stopped(stopped)) => return Err(format!("{stopped:?} without a limit")),
    };
    design.circuit.mutant = mutant;
    let explicit = Explicit::new(&model, VALUATIONS).expect("a small machine");
    let (reached, _) = explicit.reachable();
    let is_dead = |state: usize| reached[state] && !explicit.edges.iter().any(|edge| edge.from == state);
    tally.dead_ends += usize::from((0..explicit.states.len()).any(is_dead));
    tally.several_initial += usize::from(explicit.initial.len() > 1);
    tally.justice += usize::from(!model.justice.is_empty());
    tally.compassion += usize::from(!model.compassion.is_empty());
    for (index, property) in model.properties.iter().enumerate() {
        let compared = match &property.question {
            Question::Ltl(formula) => compare_linear(&mut design, &explicit, formula, turns, tally),
            Question::Invariant(node) => compare_invariant(&mut design, &explicit, *node, turns, tally),
            _ => Ok(()),
        };
        compared.map_err(|words| format!("property {}: {words}", index + 1))?;
    }
    Ok(())
}

/// Fails unless positions form a path of the model.
fn is_path(rules: &mut Rules<'_>, positions: &[Valuation], loop_start: Option<usize>) -> Result<(), Disagreement> {
    ensure(rules.is_initial(&positions[0]), || "the first state is not initial".into())?;
    for position in positions {
        ensure(rules.is_state(position), || "a position is no state".into())?;
    }
    for pair in positions.windows(2) {
        ensure(rules.is_step(&pair[0], &pair[1]), || "two positions are no step".into())?;
    }
    if let Some(start) = loop_start {
        let last = &positions[positions.len() - 1];
        ensure(rules.is_step(last, &positions[start]), || "the loop does not close".into())?;
    }
    Ok(())
}

/// A shortest counterexample, or none if none has at most this many steps.
fn search(mut extend: impl FnMut() -> Extended, most: usize) -> Option<Trace> {
    for _ in 0..most {
        match extend() {
            Extended::Found(trace) => return Some(trace),
            Extended::Refuted => {}
            Extended::Complete => return None,
        }
    }
    None
}

/// Fails if an answer is wrong; that an engine has none in time is counted.
fn agrees(answer: &Outcome, holds: bool, tally: &mut Tally, engine: Engine) -> Result<(), Disagreement> {
    match answer {
        Outcome::Holds(_) => ensure(holds, || format!("{engine:?} proves what does not hold")),
        Outcome::Violated(_) => ensure(!holds, || format!("{engine:?} refutes what holds")),
        Outcome::Defective(defect) => Err(format!("{engine:?} gives a wrong proof: {defect:?}")),
        Outcome::Open { .. } => {
            tally.open += 1;
            Ok(())
        }
    }
}

/// Fails if IC3 is wrong about `bad`; whether it proved that nothing bad is reachable, if it had time to answer.
fn ic3(circuit: &Circuit, bad: sat::aig::Signal, name: &str) -> Result<Option<bool>, Disagreement> {
    let most = if circuit.mutant.is_some() { MOST_WORK_OF_MUTANTS } else { MOST_WORK };
    let budget = Budget::unlimited().within_checks(most);
    match Ic3::<Solver>::new(circuit, bad, &budget).run(&budget) {
        Ok(Answer::Violated) => Ok(Some(false)),
        Err(_) => Ok(None),
        Ok(Answer::Holds(found)) => match recheck::<Solver>(circuit, bad, &found, &Budget::unlimited()) {
            Ok(Ok(())) => Ok(Some(true)),
            other => Err(format!("{name} gives a wrong proof: {other:?}")),
        },
    }
}

fn compare_linear(
    design: &mut Design<'_>,
    explicit: &Explicit,
    formula: &Linear,
    turns: bool,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    let (model, budget) = (design.model(), Budget::unlimited());
    let Some(holds) = linear::holds(model, explicit, formula) else { return Ok(()) };
    let negation = formula.negated();
    let wanted = design.lassos(&negation, &budget).expect("no limit");
    let mut bounded = bounded::lasso::Search::<Solver>::new(&design.circuit, wanted.clone(), &budget);
    let found = search(|| bounded.extend(&budget).expect("no limit"), if holds { 8 } else { 60 });
    let mut rules = Rules::new(model);
    match found {
        Some(trace) => {
            let lasso = Lasso { positions: design.positions(&trace), loop_start: trace.loop_start.expect("a lasso") };
            is_path(&mut rules, &lasso.positions, Some(lasso.loop_start))?;
            ensure(walks::is_fair(&mut rules, &lasso), || "the lasso is not fair".into())?;
            ensure(!lasso::holds(&mut rules, &lasso, formula), || "the lasso does not violate the formula".into())?;
            ensure(!holds, || "a lasso violates a formula that holds".into())?;
            tally.violated += 1;
            let shortest = walks::shortest_lasso(explicit, &mut rules, formula, trace.length());
            if let Some(shortest) = shortest {
                ensure(shortest == trace.length(), || format!("{} steps, not {shortest}", trace.length()))?;
                tally.shortest[formula.past_depth().min(3)] += 1;
            }
        }
        None => {
            ensure(holds, || "no lasso of at most 60 steps".into())?;
            tally.holds += 1;
        }
    }
    let (monitored, often) = liveness::monitored(&design.circuit, &wanted);
    for count in 0..tally.counted.len() {
        let (counting, bad) = liveness::k_liveness(monitored.clone(), &often, count);
        if ic3(&counting, bad, "k-liveness")? == Some(true) {
            ensure(holds, || format!("k-liveness proves with {count} what does not hold"))?;
            tally.counted[count] += 1;
            break;
        }
    }
    let (saved, bad) = liveness::to_safety(monitored, &often);
    match ic3(&saved, bad, "liveness-to-safety")? {
        Some(answer) => ensure(answer == holds, || format!("liveness-to-safety says {answer}, not {holds}"))?,
        None => tally.open += 1,
    }
    if turns {
        for engine in [Engine::Bounded(Some(20)), Engine::Induction, Engine::Ic3, Engine::Turns] {
            let answer = engine::linear(design, formula, engine, &budget.stage().within(LONGEST));
            agrees(&answer.map_err(|_| "no design")?, holds, tally, engine)?;
        }
    }
    Ok(())
}

fn compare_invariant(
    design: &mut Design<'_>,
    explicit: &Explicit,
    node: NodeId,
    turns: bool,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    let (model, budget) = (design.model(), Budget::unlimited());
    let mut rules = Rules::new(model);
    let expected = walks::shortest_violation(explicit, &mut rules, node);
    let kind = design.violation(node, &budget).expect("no limit");
    let bad = design.circuit.bad(kind);
    let mut bounded = bounded::invariant::Search::<Solver>::new(&design.circuit, kind, bad, &budget);
    let found = search(|| bounded.extend(&budget).expect("no limit"), explicit.states.len() + 1);
    let length = found.as_ref().map(Trace::length);
    ensure(length == expected, || format!("a violation of {length:?} steps, not {expected:?}"))?;
    match found {
        Some(trace) => {
            is_path(&mut rules, &design.positions(&trace), None)?;
            tally.violated += 1;
        }
        None => tally.holds += 1,
    }
    match ic3(&design.circuit, bad, "IC3")? {
        Some(answer) => ensure(answer == expected.is_none(), || format!("IC3 says {answer}"))?,
        None => tally.open += 1,
    }
    let mut step = Step::<Solver>::new(&design.circuit, bad, &budget);
    let proved = (0..=FEW_STATES).find(|_| step.extend(&budget).expect("no limit"));
    if let (Some(k), Some(steps)) = (proved, expected) {
        // The base case would find a violation of at most k steps; a condition on a step needs one more.
        let extra = usize::from(matches!(kind, Bad::Step(_)));
        ensure(steps <= k + extra, || format!("induction with {k} proves what fails after {steps} steps"))?;
    }
    if expected.is_none() && explicit.states.len() <= FEW_STATES {
        ensure(proved.is_some(), || "induction finds no proof about a few states".into())?;
    }
    let engines = if turns { &[Engine::Induction, Engine::Ic3, Engine::Turns][..] } else { &[Engine::Induction] };
    for engine in engines {
        let answer = engine::invariant(design, node, *engine, &budget.stage().within(LONGEST));
        let answer = answer.map_err(|_| "no design")?;
        agrees(&answer, expected.is_none(), tally, *engine)?;
        if let Outcome::Violated(trace) = &answer {
            ensure(Some(trace.length()) == expected, || format!("{engine:?} finds {} steps", trace.length()))?;
        }
    }
    Ok(())
}
