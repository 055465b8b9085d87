//! Budgets of stages that the manager of decision diagrams does not watch, by counting checks: no clock is read.

use bdd::Manager;
use flat::order;
use kernel::budget::{Budget, Exhausted};
use kernel::span::SourceMap;

use symbolic::image::machine::{Failure, Machine};

/// A relation of so many events, each of which changes one variable.
fn events(count: usize) -> flat::model::Model {
    let variables: String = (0..count).map(|n| format!("x{n} : boolean; ")).collect();
    let event = |moved: usize| {
        let parts =
            (0..count).map(|n| if n == moved { format!("next(x{n}) = !x{n}") } else { format!("next(x{n}) = x{n}") });
        format!("({})", parts.collect::<Vec<_>>().join(" & "))
    };
    let relation: Vec<String> = (0..count).map(event).collect();
    let text = format!("MODULE main\nVAR {variables}\nTRANS {}\n", relation.join(" | "));
    let mut sources = SourceMap::new();
    let file = sources.add_file("events.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model.expect("a correct model")
}

#[test]
fn building_a_relation_of_many_events_keeps_to_its_budget() {
    let model = events(30);
    let bits = order::bits(&model, &order::declared(&model));
    let build = |budget: &Budget| Machine::within(&model, Manager::new(), &bits, budget).map(|_| ());
    assert!(build(&Budget::unlimited()).is_ok());
    // Each event has as many conjuncts as there are variables, and each of them is looked at.
    for checks in [0, 30, 300, 900] {
        let stopped = build(&Budget::unlimited().within_checks(checks));
        assert!(matches!(stopped, Err(Failure::Stopped(Exhausted::Time))), "{checks} checks");
    }
}
