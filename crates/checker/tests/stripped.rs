//! Counterexamples that SAT stripped, judged by decision diagrams: on random models, the values that are said to matter are
//! enough. And a model whose product no diagram holds is stripped all the same.

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;

use checker::options::SmvEngine;
use checker::report::Report;
use checker::{Model, Options, Selection};
use common::Generator;
use kernel::budget::Budget;
use symbolic::strip::Effort;
use symbolic::validate::retrace::promise::{Relevance, relevance};
use symbolic::validate::retrace::{Claimed, retrace};

fn check(model: &Model, effort: Effort) -> Option<Report> {
    let mut options = Options::default();
    (options.smv.engine, options.smv.bound, options.smv.strip) = (SmvEngine::Bmc, Some(6), effort);
    match checker::check(model, &Selection::all(), &options, &Budget::unlimited(), &mut ()) {
        Ok(report) => Some(report),
        Err(checker::Error::Rejected(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn diagrams_confirm_what_sat_keeps() {
    let (mut judged, mut dropped) = (0, 0);
    for seed in 0..120 {
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        for depth in [1, 2] {
            text += &format!("LTLSPEC {}\n", generator.tiny_formula(true, depth));
        }
        text += &format!("INVARSPEC {} | p\nINVARSPEC n = 0 | next(n) != n\n", generator.tiny_formula(true, 0));
        let Ok(model) = Model::smv("model.smv", &text) else { continue };
        let effort = if seed % 2 == 0 { Effort::Irredundant } else { Effort::Exact };
        let Some(report) = check(&model, effort) else { continue };
        let input = Model::smv("model.smv", &text).expect("the same model").into_smv().expect("an SMV model");
        for (property, stated) in report.properties.iter().zip(&input.model.properties) {
            let Some(shown) = property.counterexamples().first() else { continue };
            let figures = shown.minimised().unwrap_or_else(|| panic!("not stripped\n{text}"));
            let trace = checker::smv::trace(&shown.shared_run()).expect("a trace of an SMV model");
            let context = || format!("seed {seed}, {}\n{text}\n{trace:?}", stated.text);
            let claimed = Claimed::False(stated);
            retrace(&input.model, claimed, &trace).unwrap_or_else(|wrong| panic!("{wrong:?}: {}", context()));
            let verified = relevance(&input.model, claimed, &trace, &Budget::unlimited());
            assert_eq!(verified, Ok(Relevance::Verified), "{}", context());
            judged += 1;
            dropped += usize::from(figures.values_after < figures.values_before);
        }
    }
    assert!(judged > 60 && dropped > 30, "{judged} judged, values dropped in {dropped}");
}

/// The product is stored two steps later: the factors matter first, then the product, then what was stored. The bystander never does.
#[test]
fn values_of_a_product_of_wide_words_are_stripped() {
    let text = "MODULE main
VAR a : unsigned word[32]; b : unsigned word[32]; product : unsigned word[32]; last : unsigned word[32];
  bystander : unsigned word[32];
ASSIGN
  init(product) := 0ud32_0; init(last) := 0ud32_0;
  next(a) := a; next(b) := b; next(product) := a * b; next(last) := product; next(bystander) := bystander + a;
INVARSPEC last != 0ud32_3000000021
";
    let model = Model::smv("model.smv", text).expect("a model");
    let report = check(&model, Effort::Irredundant).expect("a report");
    let shown = &report.properties[0].counterexamples()[0];
    let figures = shown.minimised().expect("stripped");
    assert!(figures.values_before == 15 && figures.values_after < 10, "{figures:?}");
    let trace = checker::smv::trace(&shown.shared_run()).expect("a trace of an SMV model");
    for (state, name) in trace.states.iter().zip(["a", "product", "last"]) {
        let relevant = state.relevant.as_deref().unwrap_or_default();
        assert!(
            relevant.iter().any(|one| one == name) && !relevant.iter().any(|one| one == "bystander"),
            "{relevant:?}"
        );
    }
}
