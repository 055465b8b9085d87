//! Variables that only ever grow, or only ever shrink (the outlook of [blahoudek.15.spin], section 7).
//!
//! *What.* A global grows if every statement that changes it puts a value into it that is at least the
//! one before: a number that is no less than all it can hold, or itself plus something that is not
//! negative, where the sum cannot wrap around; of a conditional expression, each branch where it is taken. An atom that is true from some value of it on then stays
//! true. *Contract.* Sound on every run: several growing changes in one `d_step` are one growing change.
//! *Tested by* `promela_facts`.

use super::atom::{Atom, Meaning, Quantity};
use super::expression::{Environment, range_of};
use super::location::{Here, Locations};
use super::range::RangeSet;
use super::value::{Source, Values, Write};
use super::{Constraint, Fact, Ground, Literal, Mutant};
use crate::flow::{EdgeAction, Graph};
use crate::typed::{Access, BinaryOp, Expr, ExprKind, Place, StmtId};
use std::collections::BTreeMap;

/// Which way a quantity moves: whether it may grow, whether it may shrink.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Motion {
    grows: bool,
    shrinks: bool,
}

impl Motion {
    const NONE: Motion = Motion { grows: false, shrinks: false };
    const UNKNOWN: Motion = Motion { grows: true, shrinks: true };

    /// One or the other.
    fn or(self, other: Motion) -> Motion {
        Motion { grows: self.grows || other.grows, shrinks: self.shrinks || other.shrinks }
    }

    /// That of the quantity times a factor.
    fn times(self, factor: i64) -> Motion {
        match factor {
            1.. => self,
            0 => Motion::NONE,
            _ => Motion { grows: self.shrinks, shrinks: self.grows },
        }
    }
}

/// The facts about atoms on quantities that move one way only.
pub(super) fn facts(
    atoms: &[Atom],
    quantities: &[Quantity],
    values: &Values<'_>,
    graphs: &[Graph<'_>],
    locations: &BTreeMap<usize, Locations>,
    mutant: Option<Mutant>,
) -> Vec<Fact> {
    let executed: BTreeMap<usize, Executed> = locations.keys().map(|proc| (*proc, executed(&graphs[*proc]))).collect();
    let motions: Vec<Motion> = quantities.iter().map(|q| motion(q, values, &executed, locations, mutant)).collect();
    let mut facts = Vec::new();
    for (index, atom) in atoms.iter().enumerate().filter(|(_, atom)| !atom.may_fail) {
        let (motion, set, domain, subject) = match &atom.meaning {
            Meaning::Within(quantity, set) => {
                let domain = quantities[*quantity].domain.clone();
                (motions[*quantity], set, domain, format!("`{}`", quantities[*quantity].name))
            }
            Meaning::Difference(plus, minus, set) => {
                let motion = motions[*plus].or(motions[*minus].times(-1));
                let domain = RangeSet::new(super::range::LOW, super::range::HIGH);
                let (first, second) = (&quantities[*plus].name, &quantities[*minus].name);
                (motion, set, domain, format!("`{first}` minus `{second}`"))
            }
            Meaning::Sum(terms, set) => {
                let all = terms.iter().map(|(quantity, factor)| motions[*quantity].times(*factor));
                let domain = RangeSet::new(super::range::LOW, super::range::HIGH);
                (all.fold(Motion::NONE, Motion::or), set, domain, format!("`{}`", show_sum(terms, quantities)))
            }
        };
        // A constant has its truth from the start.
        let (way, upwards) = match motion {
            Motion { grows: true, shrinks: false } => ("grows", true),
            Motion { grows: false, shrinks: true } => ("shrinks", false),
            Motion { .. } => continue,
        };
        for on in [true, false] {
            let set = if on { set.clone() } else { set.complement() };
            if closed(&set.intersect(&domain), &domain, upwards) {
                let name = &atom.name;
                let said = if on { format!("`{name}` stays true") } else { format!("`{name}` stays false") };
                let reason = format!("once so, {said}: {subject} only {way}");
                let constraint = Constraint::Stable(Literal { atom: index, on });
                facts.push(Fact { reason, ground: Ground::Statements, constraint });
            }
        }
    }
    facts
}

/// A sum, as a person writes it.
fn show_sum(terms: &[(usize, i64)], quantities: &[Quantity]) -> String {
    let mut text = String::new();
    for (quantity, factor) in terms {
        let sign = match (text.is_empty(), *factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let times = if factor.abs() == 1 { String::new() } else { format!("{} * ", factor.abs()) };
        text.push_str(&format!("{sign}{times}{}", quantities[*quantity].name));
    }
    text
}

/// Whether all of a domain above (or below) some member of a set is in the set.
fn closed(set: &RangeSet, domain: &RangeSet, upwards: bool) -> bool {
    let Some((low, high)) = set.hull() else { return false };
    let Some((least, greatest)) = domain.hull() else { return false };
    let beyond = if upwards { RangeSet::new(low, greatest) } else { RangeSet::new(least, high) };
    beyond.intersect(domain).is_subset(set)
}

fn motion(
    quantity: &Quantity,
    values: &Values<'_>,
    executed: &BTreeMap<usize, Executed>,
    locations: &BTreeMap<usize, Locations>,
    mutant: Option<Mutant>,
) -> Motion {
    let Some(cell) = quantity.cell.filter(|_| quantity.process.is_none()) else { return Motion::UNKNOWN };
    let mut all = Motion::NONE;
    for write in values.writes_to(cell) {
        for here in standing(write, executed, locations) {
            all = all.or(change(write, values, here, mutant));
        }
    }
    if mutant == Some(Mutant::NothingShrinks) {
        all.shrinks &= !all.grows;
    }
    all
}

/// The locations from which each statement is executed; those inside a `d_step` are not there.
type Executed = BTreeMap<StmtId, Vec<usize>>;

fn executed(graph: &Graph<'_>) -> Executed {
    let mut executed = Executed::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            if let EdgeAction::Basic(statement) = &edge.action {
                executed.entry(statement.id).or_default().push(number);
            }
        }
    }
    executed
}

/// What is known at each location from which a statement is executed.
fn standing<'l>(
    write: &Write<'_>,
    executed: &BTreeMap<usize, Executed>,
    locations: &'l BTreeMap<usize, Locations>,
) -> Vec<Option<&'l Here>> {
    let nodes = executed.get(&write.proc).and_then(|executed| executed.get(&write.statement));
    let (Some(known), Some(nodes)) = (locations.get(&write.proc), nodes) else { return vec![None] };
    // Where no process can get, nothing is changed.
    nodes.iter().filter_map(|node| known.at[*node].as_ref()).map(Some).collect()
}

/// Which way one statement moves a cell.
fn change(write: &Write<'_>, values: &Values<'_>, here: Option<&Here>, mutant: Option<Mutant>) -> Motion {
    let Source::Value(proc, value) = write.source else { return Motion::UNKNOWN };
    let before = values.before(write, here);
    assignment(write, value, &Environment { values, proc, here: before.as_ref().or(here) }, mutant)
}

/// Which way the assignment of a value moves a cell; each branch of a conditional expression where it is taken.
fn assignment(write: &Write<'_>, value: &Expr, environment: &Environment<'_, '_>, mutant: Option<Mutant>) -> Motion {
    if let ExprKind::Cond(condition, then, otherwise) = &value.kind {
        let branches = [(true, then), (false, otherwise)].map(|(holds, branch)| {
            let here = environment.assuming(condition, holds)?;
            Some(assignment(write, branch, &Environment { here: Some(&here), ..*environment }, mutant))
        });
        return branches.into_iter().flatten().fold(Motion::NONE, Motion::or);
    }
    let known = environment.here.and_then(|here| here.get(&write.cell));
    let old = known.unwrap_or(&environment.values.cells[write.cell].values);
    let (Some((old_low, old_high)), Some((low, high))) =
        (old.hull(), super::expression::fit(&write.place.ty, &environment.evaluate(value)).hull())
    else {
        return Motion::NONE;
    };
    let bounded = Motion { grows: high > old_low, shrinks: low < old_high };
    if !(bounded.grows && bounded.shrinks) {
        return bounded;
    }
    if is_itself(write.place, value) {
        return Motion::NONE;
    }
    let Some((sign, added)) = step(write.place, value) else { return Motion::UNKNOWN };
    let Some((least, greatest)) = environment.evaluate(added).hull() else { return Motion::UNKNOWN };
    let (least, greatest) = if sign > 0 { (least, greatest) } else { (-greatest, -least) };
    let fits = RangeSet::new(old_low + least, old_high + greatest).is_subset(&range_of(&write.place.ty));
    if !fits && mutant != Some(Mutant::SumsDoNotWrap) {
        return Motion::UNKNOWN;
    }
    Motion { grows: greatest > 0, shrinks: least < 0 }
}

/// `x + e` and `x - e`, where `x` is what is assigned: the sign and `e`.
fn step<'p>(place: &Place, value: &'p Expr) -> Option<(i64, &'p Expr)> {
    let ExprKind::Binary(operator, left, right) = &value.kind else { return None };
    match operator {
        BinaryOp::Add if is_itself(place, left) => Some((1, right)),
        BinaryOp::Add if is_itself(place, right) => Some((1, left)),
        BinaryOp::Sub if is_itself(place, left) => Some((-1, right)),
        _ => None,
    }
}

/// Whether an expression is the variable that is assigned.
fn is_itself(place: &Place, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Read(read) => read.base == place.base && plain(read) && plain(place),
        _ => false,
    }
}

/// Whether a place is a whole variable.
fn plain(place: &Place) -> bool {
    !place.path.iter().any(|step| matches!(step, Access::Index(_) | Access::Field(_)))
}
