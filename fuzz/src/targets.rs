//! The fuzz targets: what gets the input, and where it comes from.

use kernel::budget::Budget;
use kernel::span::{FileId, SourceMap};
use kernel::system::{System, record};
use omega::formula::Formulas;
use omega::io::Format;
use omega::parse::Syntax;
use promela::compiled::Model;
use promela::front::{self, NoFiles, Options};
use promela::reference::Reference;
use std::time::Duration;
use symbolic::retrace::{Claimed, retrace};
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
    Target { name: "formula", extensions: &["ltl"], generate: None, run: formula },
    Target { name: "automaton", extensions: &["hoa"], generate: None, run: automaton },
];

const PROMELA: &[&str] = &["pml", "prom", "promela", "pm", "prm", "spin"];

/// Preprocessor, parser and resolver.
fn promela_text(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.pml", text, None);
    let loaded = front::load(&mut sources, file, &Options::default(), &NoFiles);
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
    let loaded = front::load(&mut sources, file, &Options::default(), &NoFiles);
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
    let loaded = symbolic::load(&sources, file);
    let accepted = loaded.diagnostics.iter().all(|finding| finding.severity < kernel::diagnostic::Severity::Error);
    assert_eq!(loaded.model.is_some(), accepted, "a model comes with errors, or neither comes");
}

/// The whole pipeline for a moment: verdicts, and counterexamples that the recorded trace still shows.
fn smv_run(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.smv", text, None);
    let Some(model) = symbolic::load(&sources, file).model else { return };
    let mut budget = Budget::unlimited().within(Duration::from_secs(1));
    budget.memory = Some(200 << 20);
    let options = symbolic::check::Options { diameter: true, ..symbolic::check::Options::default() };
    let Ok(report) = symbolic::check::check(&model, &options, &budget, &mut |_| {}) else { return };
    for (property, found) in model.properties.iter().zip(&report.properties) {
        if let Some(trace) = &found.counterexample {
            let answer = retrace(&model, Claimed::False(property), trace);
            assert!(answer.is_ok(), "the trace of `{}` is refused: {answer:?}", found.text);
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

/// The readers of automata.
fn automaton(text: &str) {
    let _ = omega::io::read(text, Format::of(text), FileId(0));
}
