//! The fuzz targets: what gets the input, and where it comes from.

use flat::explicit::walk::Walk;
use kernel::budget::Budget;
use kernel::span::{FileId, SourceMap};
use kernel::system::{System, record};
use omega::formula::Formulas;
use omega::io::never::Style;
use omega::io::{Format, hoa, lbtt, never};
use omega::parse::Syntax;
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use omega::random_automaton::{Shape, random_automaton};
use promela::compiled::Model;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reference::Reference;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;
use symbolic::validate::retrace::{Claimed, retrace};
use testbench::generate;
use testbench::oracle::promela::{Extent, agree};

/// One target.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Files with these extensions are damaged for input.
    pub(crate) extensions: &'static [&'static str],
    /// Makes valid input from a seed.
    pub(crate) generate: Option<fn(u64) -> String>,
    /// Must not panic, whatever the input.
    pub(crate) run: fn(&str),
}

/// All targets.
pub(crate) const TARGETS: [Target; 6] = [
    Target { name: "promela-text", extensions: PROMELA, generate: Some(generate::promela::program), run: promela_text },
    Target { name: "promela-run", extensions: PROMELA, generate: Some(generate::promela::program), run: promela_run },
    Target { name: "smv-text", extensions: &["smv"], generate: None, run: smv_text },
    Target { name: "smv-run", extensions: &["smv"], generate: None, run: smv_run },
    Target { name: "formula", extensions: &["ltl"], generate: Some(some_formula), run: formula },
    Target { name: "automaton", extensions: &["hoa"], generate: Some(some_automaton), run: automaton },
];

const PROMELA: &[&str] = &["pml", "prom", "promela", "pm", "prm", "spin"];

/// Preprocessor, parser and resolver.
fn promela_text(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    assert_eq!(
        loaded.program.is_some(),
        loaded.diagnostics.iter().all(|finding| finding.severity < kernel::diagnostic::Severity::Error),
        "a program comes with errors, or neither comes"
    );
}

/// The whole pipeline: what is accepted must run, and mean the same twice.
fn promela_run(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let Some(program) = loaded.program else { return };
    let Ok(model) = Model::new(&program) else { return };
    let mut initial = Vec::new();
    model.initial(&mut initial);
    // Huge states are legal; walking them in the slow interpreter would only burn time.
    if initial.len() > 20_000 {
        record(&model, &mut model.scratch(), &initial);
        return;
    }
    let _ = Reference::new(&program).initial();
    if let Err(what) = agree(&program, 1, Extent { walks: 2, steps: 15 }) {
        panic!("{what}");
    }
}

/// Parser and type checker.
fn smv_text(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.smv", text, None);
    let loaded = smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let accepted = loaded.diagnostics.iter().all(|finding| finding.severity < kernel::diagnostic::Severity::Error);
    assert_eq!(loaded.model.is_some(), accepted, "a model comes with errors, or neither comes");
}

/// The whole pipeline for a moment: verdicts, and counterexamples that the recorded trace still shows.
fn smv_run(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.smv", text, None);
    let Some(model) = smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model else { return };
    let mut budget = Budget::unlimited().within(Duration::from_secs(1));
    budget.memory = Some(200 << 20);
    let options = symbolic::check::SymbolicOptions { diameter: true, ..symbolic::check::SymbolicOptions::default() };
    let Ok(report) = symbolic::check::check(&model, &options, &budget, &mut |_| {}) else { return };
    wander(&model, &budget);
    for (property, found) in model.properties.iter().zip(&report.properties) {
        if let Some(trace) = &found.counterexample {
            let answer = retrace(&model, Claimed::False(property), trace);
            assert!(answer.is_ok(), "the trace of `{}` is refused: {answer:?}", found.text);
        }
    }
}

/// A few steps at random; that each is one of the model is checked on the way.
fn wander(model: &flat::model::Model, budget: &Budget) {
    let mut walk = Walk::new(model, budget);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut place = None;
    for _ in 0..10 {
        match walk.any(place.as_ref(), &mut || random.random_range(0.0..1.0)) {
            Ok(Some(chosen)) => place = Some(chosen),
            _ => return,
        }
    }
}

/// The readers of formulas.
fn formula(text: &str) {
    for line in text.lines().take(20) {
        for syntax in [Syntax::Spot, Syntax::Spin, Syntax::NuSmv, Syntax::Lbt, Syntax::Any] {
            let mut formulas = Formulas::new();
            let _ = omega::parse::parse(&mut formulas, line, syntax);
        }
    }
}

/// The readers of automata, and the writer whose output they must take.
fn automaton(text: &str) {
    for read in omega::io::read(text, Format::of(text), FileId(0)).into_iter().flatten() {
        let written = hoa::write(&read);
        let again = omega::io::read(&written, Format::Hoa, FileId(0));
        assert!(matches!(&*again, [Ok(same)] if same.state_count() == read.state_count()), "{again:?}\n{written}");
    }
}

/// A formula in some notation.
fn some_formula(seed: u64) -> String {
    let (mut formulas, mut random) = (Formulas::new(), Random::new(seed));
    let symbols = 1 + random.below(40) as usize;
    let formula = FormulaShape::new(symbols, 4).draw_verbatim(&mut formulas, &mut random);
    let notations = [Notation::Spot, Notation::Spin, Notation::NuSmv, Notation::Lbt, Notation::Utf8];
    print(&formulas, formula, notations[random.below(notations.len() as u64) as usize])
}

/// An automaton in some format.
fn some_automaton(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = |bound: u64| random.below(bound) as u32;
    let shape = Shape { states: 1 + below(8), atoms: below(4), sets: below(4), ..Shape::default() };
    let automaton = random_automaton(&shape, seed);
    let claim = |style| never::write(&automaton, style, &Budget::unlimited()).ok();
    match below(4) {
        0 => claim(Style::If),
        1 => claim(Style::Do),
        2 => lbtt::write(&automaton, &Budget::unlimited()).ok(),
        _ => None,
    }
    .unwrap_or_else(|| hoa::write(&automaton))
}
