//! Paths as traces in the words of the model.

use std::collections::BTreeSet;

use bdd::Cube;

use crate::encode::Encoding;
use crate::report::{Defined, Setting, Trace, TraceState};
use crate::validate::{self, Extent};
use crate::witness::claim::{Claim, ClaimKind};
use crate::witness::explicit;
use crate::witness::{Evidence, Path};
use flat::cone;
use flat::enumerate::Rules;
use flat::evaluate::Evaluator;
use flat::model::{Define, Model, Value, VariableId, VariableKind};

/// A path as a trace; only of the variables `shown`, if that is given.
#[must_use]
pub fn trace(
    model: &Model,
    encoding: &Encoding,
    path: &Path,
    extent: Extent,
    shortest: bool,
    shown: Option<&BTreeSet<VariableId>>,
) -> Trace {
    let line = explicit::Line {
        positions: validate::valuations(encoding, &Rules::new(model), path),
        loop_start: path.loop_start,
    };
    of_line(model, &line, extent, shortest, shown)
}

/// A line of the model as a trace; only of the variables `shown`, if that is given.
pub(crate) fn of_line(
    model: &Model,
    line: &explicit::Line,
    extent: Extent,
    shortest: bool,
    shown: Option<&BTreeSet<VariableId>>,
) -> Trace {
    let steps = line.positions.len() - usize::from(line.loop_start.is_none());
    let settings = |valuation: &[Value], wanted: &dyn Fn(VariableKind) -> bool| -> Vec<Setting> {
        let of_kind = model.variable_ids().filter(|id| wanted(model.variable(*id).kind));
        let visible = of_kind.filter(|id| shown.is_none_or(|shown| shown.contains(id)));
        visible
            .map(|id| {
                let variable = model.variable(id);
                let value = model.show(&valuation[id.0 as usize], variable.domain.r#type());
                Setting { name: variable.name.clone(), value }
            })
            .collect()
    };
    let mut evaluator = Evaluator::new(model);
    let defines = shown_defines(model, shown);
    let states = line.positions.iter().enumerate().map(|(at, valuation)| TraceState {
        defined: defined(&mut evaluator, &defines, valuation, at < steps),
        state: settings(valuation, &|kind| kind != VariableKind::Input),
        inputs: if at < steps { settings(valuation, &|kind| kind == VariableKind::Input) } else { Vec::new() },
        relevant: None,
    });
    Trace { states: states.collect(), loop_start: line.loop_start, branches: Vec::new(), validated: extent, shortest }
}

/// The values of all definitions of one value in a state; also of those about inputs if `step_follows`, with the inputs
/// of that step.
#[must_use]
pub fn definitions(model: &Model, valuation: &[Value], step_follows: bool) -> Defined {
    defined(&mut Evaluator::new(model), &shown_defines(model, None), valuation, step_follows)
}

/// The definitions of one value, not of arrays, about a state or its inputs; only those about the variables `shown`, if that is given.
fn shown_defines<'m>(model: &'m Model, shown: Option<&BTreeSet<VariableId>>) -> Vec<&'m Define> {
    let visible = |define: &&Define| {
        if define.body.0 as usize >= model.node_count() {
            return false;
        }
        let facts = model.facts(define.body);
        let mentioned = || cone::variables(model, define.body);
        !facts.set && !facts.mentions.next && shown.is_none_or(|shown| mentioned().is_subset(shown))
    };
    model.defines.iter().filter(visible).collect()
}

/// The values of definitions; those without one are left out, and those about inputs unless a step follows.
fn defined(evaluator: &mut Evaluator<'_>, defines: &[&Define], valuation: &[Value], step_follows: bool) -> Defined {
    let model = evaluator.model();
    let mut found = Defined::default();
    let mut moment = evaluator.at(valuation, None);
    for define in defines {
        let facts = model.facts(define.body);
        if facts.mentions.input && !step_follows {
            continue;
        }
        if let Ok([value]) = moment.choices(define.body).as_deref() {
            let setting = Setting { name: define.name.clone(), value: model.show(value, facts.r#type) };
            if facts.mentions.input { found.inputs.push(setting) } else { found.state.push(setting) }
        }
    }
    found
}

/// A path of the evidence, and the paths that begin at its states.
#[derive(Clone, Debug)]
pub struct Line<'e> {
    /// The claim about its first state.
    pub claim: &'e Claim,
    /// The evidence for the claim.
    pub evidence: &'e Evidence,
    /// The path.
    pub path: Path,
    /// Further ones, each with the position at which it begins.
    pub branches: Vec<(usize, Line<'e>)>,
}

/// The evidence for a claim as a tree of paths. Recurses no deeper than the formula, which is limited.
///
/// # Panics
/// If the evidence is not of the form of the claim.
#[must_use]
pub fn line<'e>(claim: &'e Claim, evidence: &'e Evidence, start: &Cube) -> Line<'e> {
    let mut line = Line { claim, evidence, path: Path::at(start.clone()), branches: Vec::new() };
    let (mut here, mut claimed) = (evidence, claim);
    loop {
        let at = line.path.states.len() - 1;
        match (here, &claimed.kind) {
            (Evidence::Plain | Evidence::Unshown, _) => break,
            (Evidence::One(index, shown), ClaimKind::Or(parts)) => (here, claimed) = (shown, &parts[*index]),
            (Evidence::Path(more, on_the_way, rest), kind) => {
                let (way, then) = match kind {
                    ClaimKind::Next(a) => (None, Some(a)),
                    ClaimKind::Until(a, b) | ClaimKind::BoundedUntil(_, _, a, b) => (Some(a), Some(b)),
                    ClaimKind::Always(a) | ClaimKind::BoundedAlways(_, _, a) => (Some(a), None),
                    _ => (None, None),
                };
                for (position, shown) in on_the_way {
                    let claim = way.expect("something is claimed on the way");
                    line.branches.push((at + position, self::line(claim, shown, &more.states[*position])));
                }
                line.path.append(more.clone());
                let Some(then) = then else { break };
                (here, claimed) = (rest, then);
            }
            (Evidence::All(shown), ClaimKind::And(parts)) => {
                let Some(main) = Evidence::main(shown) else { break };
                let start = line.path.last().clone();
                let others = shown.iter().zip(parts).skip(main + 1).filter(|(shown, _)| shown.goes_on());
                line.branches.extend(others.map(|(shown, part)| (at, self::line(part, shown, &start))));
                (here, claimed) = (&shown[main], &parts[main]);
            }
            (shown, kind) => unreachable!("{shown:?} cannot show {kind:?}"),
        }
    }
    let path = line.path.clone();
    line.branches.retain(|(at, branch)| !branch.is_part_of(&path, *at));
    line
}

impl Line<'_> {
    /// Whether another path goes the same way from a position on.
    fn is_part_of(&self, path: &Path, at: usize) -> bool {
        let mut position = Some(at);
        let follows = |state: &Cube| {
            let here = position;
            position = here.and_then(|at| if at + 1 < path.states.len() { Some(at + 1) } else { path.loop_start });
            here.is_some_and(|at| path.states[at] == *state)
        };
        self.branches.is_empty() && self.path.loop_start.is_none() && self.path.states.iter().all(follows)
    }
}
