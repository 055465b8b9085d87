//! Paths as traces in the words of the model.

use std::collections::BTreeSet;

use bdd::Cube;

use crate::encode::Encoding;
use crate::enumerate::Rules;
use crate::evaluate::Evaluator;
use crate::model::{Define, Model, Value, VariableId, VariableKind};
use crate::report::{Defined, Extent, Setting, Trace, TraceState};
use crate::witness::{Evidence, Path};
use crate::{cone, validate};

/// A path as a trace; only of the variables `shown`, if that is given.
#[must_use]
pub fn trace(
    model: &Model,
    encoding: &Encoding,
    path: &Path,
    extent: validate::Extent,
    shortest: bool,
    shown: Option<&BTreeSet<VariableId>>,
) -> Trace {
    let rules = Rules::new(model);
    let valuations = validate::valuations(encoding, &rules, path);
    let settings = |valuation: &[Value], wanted: &dyn Fn(VariableKind) -> bool| -> Vec<Setting> {
        let of_kind = model.variable_ids().filter(|id| wanted(model.variable(*id).kind));
        let visible = of_kind.filter(|id| shown.is_none_or(|shown| shown.contains(id)));
        visible
            .map(|id| {
                let variable = model.variable(id);
                let value = model.show(valuation[id.0 as usize], variable.domain.r#type());
                Setting { name: variable.name.clone(), value }
            })
            .collect()
    };
    let mut evaluator = Evaluator::new(model);
    let defines = shown_defines(model, shown);
    let states = valuations.iter().enumerate().map(|(at, valuation)| TraceState {
        defined: defined(&mut evaluator, &defines, valuation, at < path.inputs.len()),
        state: settings(valuation, &|kind| kind != VariableKind::Input),
        inputs: if at < path.inputs.len() {
            settings(valuation, &|kind| kind == VariableKind::Input)
        } else {
            Vec::new()
        },
        relevant: None,
    });
    Trace {
        states: states.collect(),
        loop_start: path.loop_start,
        branches: Vec::new(),
        validated: if extent == validate::Extent::Fully { Extent::Fully } else { Extent::Partly },
        shortest,
    }
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
    for define in defines {
        let facts = model.facts(define.body);
        if facts.mentions.input && !step_follows {
            continue;
        }
        if let Ok([value]) = evaluator.choices(define.body, valuation, None).as_deref() {
            let setting = Setting { name: define.name.clone(), value: model.show(*value, facts.r#type) };
            if facts.mentions.input { found.inputs.push(setting) } else { found.state.push(setting) }
        }
    }
    found
}

/// A path of the evidence, and the paths that begin at its states.
#[derive(Clone, Debug)]
pub struct Line {
    /// The path.
    pub path: Path,
    /// Further ones, each with the position at which it begins.
    pub branches: Vec<(usize, Line)>,
}

/// The evidence as a tree of paths. Recurses no deeper than the formula, which is limited.
#[must_use]
pub fn line(evidence: &Evidence, start: &Cube) -> Line {
    let mut line = Line { path: Path::at(start.clone()), branches: Vec::new() };
    let mut here = evidence;
    loop {
        let at = line.path.states.len() - 1;
        match here {
            Evidence::Plain | Evidence::Unshown => break,
            Evidence::One(_, shown) => here = shown,
            Evidence::Path(more, on_the_way, rest) => {
                for (position, shown) in on_the_way {
                    line.branches.push((at + position, self::line(shown, &more.states[*position])));
                }
                line.path.append(more.clone());
                here = rest;
            }
            Evidence::All(parts) => {
                let mut lines = parts.iter().filter(|part| !matches!(part, Evidence::Plain | Evidence::Unshown));
                let Some(main) = lines.next() else { break };
                let start = line.path.last().clone();
                line.branches.extend(lines.map(|other| (at, self::line(other, &start))));
                here = main;
            }
        }
    }
    let path = line.path.clone();
    line.branches.retain(|(at, branch)| !branch.is_part_of(&path, *at));
    line
}

impl Line {
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
