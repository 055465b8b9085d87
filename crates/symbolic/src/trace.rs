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

/// The definitions of one value about a state or its inputs; only those about the variables `shown`, if that is given.
fn shown_defines<'m>(model: &'m Model, shown: Option<&BTreeSet<VariableId>>) -> Vec<&'m Define> {
    let visible = |define: &&Define| {
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

/// The paths of the evidence besides its main line, each with the position on the main line at which it begins.
#[must_use]
pub fn branches(evidence: &Evidence, start: &Cube) -> Vec<(usize, Path)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut here = evidence;
    let mut last = start.clone();
    loop {
        match here {
            Evidence::Plain | Evidence::Unshown => return found,
            Evidence::One(_, shown) => here = shown,
            Evidence::Path(path, rest) => {
                at += path.states.len() - 1;
                last = path.last().clone();
                here = rest;
            }
            Evidence::All(parts) => {
                let mut lines = parts.iter().filter(|part| !matches!(part, Evidence::Plain | Evidence::Unshown));
                let Some(main) = lines.next() else { return found };
                for other in lines {
                    let mut path = Path::at(last.clone());
                    main_line(other, &mut path);
                    if path.states.len() > 1 || path.loop_start.is_some() {
                        found.push((at, path));
                    }
                }
                here = main;
            }
        }
    }
}

/// Appends the main line of the evidence to a path.
fn main_line(evidence: &Evidence, path: &mut Path) {
    let mut here = evidence;
    loop {
        match here {
            Evidence::Plain | Evidence::Unshown => return,
            Evidence::One(_, shown) => here = shown,
            Evidence::Path(more, rest) => {
                path.append(more.clone());
                here = rest;
            }
            Evidence::All(parts) => {
                match parts.iter().find(|part| !matches!(part, Evidence::Plain | Evidence::Unshown)) {
                    Some(main) => here = main,
                    None => return,
                }
            }
        }
    }
}
