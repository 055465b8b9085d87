//! Intersection: no word is accepted both by an automaton for a formula and by an automaton for its negation.
//!
//! For every ordered pair of translators, each with itself included. Needs no structure. Source: the beginning of section 2 of
//! [tauriainen.00.spin], where it is discussed as a check that cannot stand alone, and its conclusion, where it is proposed as
//! an extra. Deviation: labels are compared letter by letter while there are few propositions.
//! Tested by: `tests/mutants.rs`, `tests/agreement.rs`; both ways against each other in `tests/products.rs`.

pub use crate::thresholds::compare::INTERSECTION_PAIRS;
use kernel::budget::Budget;
use omega::automaton::emptiness;
use omega::automaton::{Automaton, Marks};
use omega::combine::product::intersection;

use super::{Applied, Check, Comparison, Skip};
use crate::bits::meet;
use crate::components::components;
use crate::explicit::Explicit;
use crate::trial::{Side, Trial};

/// Intersects the automata of all pairs.
#[must_use]
pub fn compare(trial: &Trial) -> Applied {
    let mut applied = Applied::default();
    for first in 0..trial.translator_count() {
        for second in 0..trial.translator_count() {
            let Some(one) = trial.translation(first, Side::Formula) else { continue };
            let Some(other) = trial.translation(second, Side::Negation) else { continue };
            let check = Check::Intersection;
            if one.over_states.state_count() * other.over_states.state_count() > INTERSECTION_PAIRS {
                applied.skipped.push(Skip { check, side: Side::Formula, first, second: Some(second) });
                continue;
            }
            let meets = match (&one.over_letters, &other.over_letters) {
                (Some(one), Some(other)) => meets(one, other),
                _ => {
                    let automaton = |translator, side| trial.automaton(translator, side).expect("it has an outcome");
                    meets_by_diagrams(automaton(first, Side::Formula), automaton(second, Side::Negation))
                }
            };
            let fault = meets.then_some(0);
            applied.made.push(Comparison { check, side: Side::Formula, first, second: Some(second), fault });
        }
    }
    applied
}

/// Whether two automata accept a common word, by the labels' decision diagrams.
#[must_use]
pub fn meets_by_diagrams(one: &Automaton, other: &Automaton) -> bool {
    let both = intersection(one, other, &Budget::unlimited()).expect("a budget without limits is never exhausted");
    !emptiness::is_empty(&both)
}

/// Whether two automata over the same letters accept a common word.
#[must_use]
pub fn meets(one: &Explicit, other: &Explicit) -> bool {
    let width = other.state_count();
    let mut number = vec![u32::MAX; one.state_count() * width];
    let mut pairs = vec![(one.initial, other.initial)];
    number[one.initial as usize * width + other.initial as usize] = 0;
    let mut graph: Vec<Vec<u32>> = Vec::new();
    let mut marks: Vec<Vec<[Marks; 2]>> = Vec::new();
    while let Some(&(left, right)) = pairs.get(graph.len()) {
        let (mut targets, mut seen) = (Vec::new(), Vec::new());
        for first in one.outgoing(left) {
            for second in other.outgoing(right).filter(|&second| meet(one.extent(first), other.extent(second))) {
                let (first, second) = (one.arcs[first], other.arcs[second]);
                let place = &mut number[first.target as usize * width + second.target as usize];
                if *place == u32::MAX {
                    *place = pairs.len() as u32;
                    pairs.push((first.target, second.target));
                }
                targets.push(*place);
                seen.push([first.marks, second.marks]);
            }
        }
        graph.push(targets);
        marks.push(seen);
    }
    let (of, count) = components(&graph, 0);
    let mut inner = vec![None; count as usize];
    for (source, targets) in graph.iter().enumerate() {
        for (target, marks) in targets.iter().zip(&marks[source]) {
            if of[source] == of[*target as usize] {
                let component = of[source].expect("every pair was reached") as usize;
                let known: [Marks; 2] = inner[component].unwrap_or_default();
                inner[component] = Some([known[0].union(marks[0]), known[1].union(marks[1])]);
            }
        }
    }
    inner.into_iter().flatten().any(|marks| marks[0].includes(one.all) && marks[1].includes(other.all))
}
