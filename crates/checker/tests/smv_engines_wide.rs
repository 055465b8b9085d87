//! Models with more bits than decision diagrams can have.

use checker::options::SmvEngine;
use checker::report::Outcome;
use checker::{Model, Options, Selection, check};
use kernel::budget::Budget;

#[test]
fn sat_decides_what_diagrams_cannot_represent() {
    let text = "MODULE main VAR a : array 0..60 of unsigned word[64]; INVARSPEC a[0] = 0ud64_0;";
    let model = Model::smv("wide.smv", text).expect("a correct model");
    let mut options = Options::default();
    options.smv.engine = SmvEngine::Auto;
    let report = check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).expect("a report");
    assert_eq!(report.properties[0].verdict.outcome(), Outcome::Violated);
    assert!(report.warnings.iter().any(|warning| warning.contains("deadlock")), "{:?}", report.warnings);
    options.smv.engine = SmvEngine::Bdd;
    assert!(check(&model, &Selection::all(), &options, &Budget::unlimited(), &mut ()).is_err());
}
