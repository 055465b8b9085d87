//! Explanations of counterexamples: every fact that a proof rests on, compared with enumeration.
//!
//! The steps of proofs themselves are verified by the tests of `omega`; here it is what they take from the trace.

#![allow(clippy::print_stdout, reason = "a test shows what it compared")]

mod common;

use common::Generator;
use common::small::Small;
use flat::enumerate::Rules;
use flat::enumerate::ctl::Checker;
use flat::enumerate::machine::Explicit;
use flat::model::{Model, Question, VariableKind};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::formula::Node;
use omega::semantics::{Justification, evaluate};
use symbolic::check::{SymbolicOptions, check};
use symbolic::report::{Trace, TraceState};
use symbolic::strip::Effort;
use symbolic::validate::retrace::reading::{Meaning, reading};
use symbolic::validate::retrace::value_of;

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    explained: [usize; 3],
    /// Counterexamples of branching time that the main line does not explain.
    unexplained: usize,
    nodes: usize,
    branching: usize,
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
}

/// A state of a trace, with the inputs of the step that leaves it.
fn valuation(model: &Model, state: &TraceState) -> Vec<flat::model::Value> {
    let named = state.state.iter().chain(&state.inputs).map(|setting| {
        let id = model.find_variable(&setting.name).expect("a variable");
        (id, value_of(model, &model.variable(id).domain, &setting.value).expect("a value"))
    });
    flat::enumerate::valuation(model, named.collect::<Vec<_>>())
}

fn explain(seed: u64, text: &str, tally: &mut Tally) {
    let Some(model) = load(text) else { return };
    let options = SymbolicOptions { minimise: Effort::Off, ..SymbolicOptions::default() };
    let Ok(report) = check(&model, &options, &Budget::unlimited(), &mut |_| {}) else { return };
    let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
    for (property, found) in model.properties.iter().zip(&report.properties) {
        let Some(trace) = &found.counterexample else { continue };
        let context = format!("seed {seed}: {}\n{text}\n{trace:#?}", found.text);
        let kind = match property.question {
            Question::Ctl(_) => 0,
            Question::Ltl(_) => 1,
            _ => 2,
        };
        let Some(reading) = reading(&model, property, trace).expect("a trace of the model") else {
            assert_eq!(kind, 0, "{context}");
            tally.unexplained += 1;
            continue;
        };
        tally.explained[kind] += 1;
        let proof = evaluate(&reading.formulas, reading.formula, &reading.word).proof();
        assert!(!proof.steps[0].truth && proof.steps[0].position == 0, "{context}");
        for step in proof.steps.iter().filter(|step| step.reason == Justification::Letter) {
            let Node::Atom(atom) = reading.formulas.node(step.formula) else { panic!("{context}") };
            let at = original(&reading.word, step.position);
            let truth = match &reading.atoms[atom.index()] {
                Meaning::Node(node) => {
                    tally.nodes += 1;
                    let next = after(trace, at).map(|next| valuation(&model, &trace.states[next]));
                    Rules::new(&model).holds(*node, &valuation(&model, &trace.states[at]), next.as_deref())
                }
                Meaning::Branching(formula) => {
                    tally.branching += 1;
                    let state = valuation(&model, &trace.states[at]);
                    let kept = |id: &usize| model.variables[*id].kind != VariableKind::Input;
                    let same = |other: &Vec<_>| (0..state.len()).filter(kept).all(|id| other[id] == state[id]);
                    let number = explicit.states.iter().position(same).expect("a state");
                    Checker::new(&model, &explicit).satisfying(formula)[number]
                }
            };
            assert_eq!(truth, step.truth, "{:?} in state {at}; {context}", reading.atoms[atom.index()]);
        }
    }
}

/// The position of the trace that a position of the word with its loop unrolled stands for.
fn original(word: &omega::word::Word, position: usize) -> usize {
    let (stem, cycle) = (word.stem().len(), word.cycle().len());
    if position < stem { position } else { stem + (position - stem) % cycle }
}

fn after(trace: &Trace, at: usize) -> Option<usize> {
    if at + 1 < trace.states.len() { Some(at + 1) } else { trace.loop_start }
}

#[test]
fn proofs_rest_on_facts() {
    let mut tally = Tally::default();
    for seed in 300_000..300_500 {
        explain(seed, &Small::new(seed).model(2), &mut tally);
    }
    for seed in 310_000..310_400 {
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        for depth in [1, 2, 3] {
            text += &format!("SPEC {}\nSPEC {}\n", generator.tiny_actl(depth), generator.tiny_formula(false, depth));
        }
        explain(seed, &text, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.explained.iter().all(|count| *count > 100), "{tally:?}");
    assert!(tally.nodes > 1000 && tally.branching > 20 && tally.unexplained * 20 < tally.explained[0], "{tally:?}");
}
