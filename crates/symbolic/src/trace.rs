//! Paths as traces in the words of the model.

use std::collections::BTreeSet;

use bdd::Cube;

use crate::encode::Encoding;
use crate::enumerate::Rules;
use crate::model::{Model, Value, VariableId, VariableKind};
use crate::report::{Extent, Setting, Trace, TraceState};
use crate::validate;
use crate::witness::{Evidence, Path};

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
    let states = valuations.iter().enumerate().map(|(at, valuation)| TraceState {
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
