//! A recorded trace checked against the model, by definition and without decision diagrams.
//!
//! Contract: [`retrace`] accepts a trace only if its values are values of the variables, its states are states, its
//! steps are steps, its loops are closed and fair, and it shows that the property is false. What a path cannot show, since it
//! is about all paths, is decided by enumeration on small machines and is otherwise left open ([`Extent::Partly`]). A
//! trace that leaves out variables is one of the cone of influence of its property and is checked on that; what the cone
//! leaves out can always go along, and [`whole`] finds out that it does. What a trace says matters must be enough, which `relevance` finds out on small
//! machines by trying, and [`promise`] on others. None of this but [`promise`], [`whole`] and [`length`]
//! comes from the engine that found the trace; only [`Rules`] and the enumerator are asked. Tested on the traces of
//! random models, and on the same traces tampered with.

mod cubes;
pub mod length;
pub mod promise;
pub mod reading;
mod relevance;
mod shown;
pub mod whole;

use std::collections::BTreeSet;

use crate::report::{Setting, Trace};
use crate::validate::Extent;
use flat::cone;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::{Rules, Valuation};
use flat::model::{CtlFormula, Domain, Model, Natural, NodeId, Property, Question, Value, VariableId, VariableKind};
use shown::{Judge, Shown};

/// The mistake in a trace: the step (0 is the initial state) and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The step; one more than there are if all are right, but show nothing.
    pub step: usize,
    /// Why.
    pub reason: String,
}

/// The claim of a trace.
#[derive(Clone, Copy, Debug)]
pub enum Claimed<'m> {
    /// That a property of the model is false.
    False(&'m Property),
    /// That a state without a next one can be reached.
    Deadlock,
}

/// A trace as values.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Each state with the inputs of the step that leaves it.
    pub(crate) states: Vec<Valuation>,
    pub(crate) loop_start: Option<usize>,
    pub(crate) branches: Vec<(usize, Tree)>,
}

impl Tree {
    /// The position after this one.
    pub(crate) fn after(&self, position: usize) -> Option<usize> {
        if position + 1 < self.states.len() { Some(position + 1) } else { self.loop_start }
    }
}

/// Whether a trace leaves out variables, and so is one of the cone of influence of its property.
fn is_of_cone(model: &Model, trace: &Trace) -> bool {
    model.variable_ids().any(|id| whole::is_left_out(model, trace, id))
}

/// Checks a trace.
///
/// # Errors
/// Where it is not a trace of the model that shows what it claims.
pub fn retrace(model: &Model, claimed: Claimed<'_>, trace: &Trace) -> Result<Extent, Wrong> {
    let sliced;
    let (rules_of, cone) = if is_of_cone(model, trace) {
        let atoms = match claimed {
            Claimed::False(property) => property.question.atoms(),
            Claimed::Deadlock => Vec::new(),
        };
        let (model, cone) = cone::slice(model, &atoms);
        sliced = model;
        (&sliced, Some(cone))
    } else {
        (model, None)
    };
    relevance::names(trace)?;
    let tree = read(rules_of, cone.as_ref(), trace)?;
    let mut rules = Rules::new(rules_of);
    if tree.states.is_empty() || !rules.is_initial(&tree.states[0]) {
        return Err(Wrong { step: 0, reason: "the first state is not an initial state".to_owned() });
    }
    steps(&mut rules, &tree)?;
    let beyond = |reason: String| Wrong { step: tree.states.len(), reason };
    let mut judge = Judge::new(rules_of);
    let extent = shows(&mut judge, &mut rules, claimed, &tree).map_err(beyond)?;
    if cone.is_none() {
        relevance::enough(&mut judge, &mut rules, claimed, trace, &tree)?;
    }
    Ok(extent)
}

/// Whether a tree of paths of the model shows the claim.
fn shows(judge: &mut Judge<'_>, rules: &mut Rules<'_>, claimed: Claimed<'_>, tree: &Tree) -> Result<Extent, String> {
    let Claimed::False(property) = claimed else { return deadlock(judge, rules, tree) };
    match &property.question {
        Question::Invariant(node) => invariant(rules, *node, tree),
        Question::Ltl(formula) => {
            let loop_start = tree.loop_start.ok_or("a lasso is needed")?;
            let lasso = Lasso { positions: tree.states.clone(), loop_start };
            match lasso::holds(rules, &lasso, formula) {
                true => Err("the formula is true on the lasso".to_owned()),
                false => Ok(Extent::Fully),
            }
        }
        Question::Ctl(formula) => match judge.shown(formula, false, tree) {
            Shown::Yes => Ok(Extent::Fully),
            Shown::Open => Ok(Extent::Partly),
            Shown::No => Err("the trace does not show that the formula is false".to_owned()),
        },
        Question::Shortest(..) | Question::Longest(..) => Err("a `COMPUTE` property has no trace".to_owned()),
    }
}

/// How far a fair lasso of the model shows that a formula of branching time is false in its first state; none if it does not.
pub(super) fn falsifies(
    model: &Model,
    formula: &CtlFormula,
    states: Vec<Valuation>,
    loop_start: usize,
) -> Option<Extent> {
    let tree = Tree { states, loop_start: Some(loop_start), branches: Vec::new() };
    match Judge::new(model).shown(formula, false, &tree) {
        Shown::Yes => Some(Extent::Fully),
        Shown::Open => Some(Extent::Partly),
        Shown::No => None,
    }
}

fn invariant(rules: &mut Rules<'_>, node: NodeId, tree: &Tree) -> Result<Extent, String> {
    let mentions = rules.model().facts(node).mentions;
    let last = tree.states.len() - 1;
    let holds = match mentions.next || mentions.input {
        true if last == 0 => return Err("a step is missing".to_owned()),
        true => rules.holds(node, &tree.states[last - 1], Some(&tree.states[last])),
        false => rules.holds(node, &tree.states[last], None),
    };
    if holds { Err("the invariant is true at the end".to_owned()) } else { Ok(Extent::Fully) }
}

/// That nothing follows can only be found out by trying everything.
fn deadlock(judge: &Judge<'_>, rules: &Rules<'_>, tree: &Tree) -> Result<Extent, String> {
    let model = rules.model();
    let last = &tree.states[tree.states.len() - 1];
    let Some(explicit) = judge.explicit() else { return Ok(Extent::Partly) };
    let kept = |id: &VariableId| model.variable(*id).kind != VariableKind::Input;
    let same =
        |state: &Valuation| model.variable_ids().filter(kept).all(|id| state[id.0 as usize] == last[id.0 as usize]);
    let number = explicit.states.iter().position(same).ok_or("the last state is not a state of the model")?;
    if explicit.is_deadlock(number) { Ok(Extent::Fully) } else { Err("the last state has a successor".to_owned()) }
}

/// Every state is a state, every step a step, every loop closed and fair.
fn steps(rules: &mut Rules<'_>, tree: &Tree) -> Result<(), Wrong> {
    let wrong = |step: usize, reason: String| Err(Wrong { step, reason });
    for (at, state) in tree.states.iter().enumerate() {
        if !rules.is_state(state) {
            return wrong(at, "the values are not a state of the model".to_owned());
        }
        if at > 0 && !rules.is_step(&tree.states[at - 1], state) {
            return wrong(at, "no transition of the model leads there".to_owned());
        }
    }
    if let Some(start) = tree.loop_start {
        let last = tree.states.len() - 1;
        if !rules.is_step(&tree.states[last], &tree.states[start]) {
            return wrong(last + 1, format!("no transition leads back to state {start}"));
        }
        let model = rules.model();
        let mut often = |node: NodeId| tree.states[start..].iter().any(|state| rules.holds(node, state, None));
        if let Some(number) = model.justice.iter().position(|justice| !often(*justice)) {
            return wrong(last + 1, format!("the loop does not satisfy fairness constraint {}", number + 1));
        }
        if let Some(number) = model.compassion.iter().position(|(p, q)| often(*p) && !often(*q)) {
            return wrong(last + 1, format!("the loop does not satisfy compassion constraint {}", number + 1));
        }
    }
    for (at, branch) in &tree.branches {
        let kept = |id: &VariableId| rules.model().variable(*id).kind != VariableKind::Input;
        let ids: Vec<VariableId> = rules.model().variable_ids().filter(kept).collect();
        let same = |a: &Valuation, b: &Valuation| ids.iter().all(|id| a[id.0 as usize] == b[id.0 as usize]);
        if !tree.states.get(*at).is_some_and(|state| branch.states.first().is_some_and(|first| same(state, first))) {
            return wrong(*at, "a branch does not begin at its state".to_owned());
        }
        steps(rules, branch).map_err(|wrong| Wrong { reason: format!("on a branch: {}", wrong.reason), step: *at })?;
    }
    Ok(())
}

/// The values of a trace; variables outside the cone get any.
fn read(model: &Model, cone: Option<&BTreeSet<VariableId>>, trace: &Trace) -> Result<Tree, Wrong> {
    let mut states = Vec::with_capacity(trace.states.len());
    let follows = trace.states.len() - usize::from(trace.loop_start.is_none() && !trace.states.is_empty());
    if trace.loop_start.is_some_and(|start| start >= trace.states.len()) {
        return Err(Wrong {
            step: trace.states.len(),
            reason: "the loop does not begin at a state of the trace".to_owned(),
        });
    }
    for (step, state) in trace.states.iter().enumerate() {
        let mut values = Vec::new();
        for Setting { name, value } in state.state.iter().chain(&state.inputs) {
            let wrong = |reason: String| Wrong { step, reason };
            let id = model.find_variable(name).ok_or_else(|| wrong(format!("there is no variable `{name}`")))?;
            let variable = model.variable(id);
            let read = value_of(model, &variable.domain, value);
            let read = read.ok_or_else(|| wrong(format!("`{value}` is not a value of `{name}`")))?;
            values.push((id, read));
        }
        let needed = model.variable_ids().filter(|id| match model.variable(*id).kind {
            VariableKind::Input => step < follows && cone.is_none_or(|cone| cone.contains(id)),
            VariableKind::State | VariableKind::Frozen => cone.is_none_or(|cone| cone.contains(id)),
        });
        for id in needed {
            if !values.iter().any(|(known, _)| *known == id) {
                let reason = format!("`{}` has no value", model.variable(id).name);
                return Err(Wrong { step, reason });
            }
        }
        states.push(flat::enumerate::valuation(model, values));
    }
    let branches = trace.branches.iter().map(|branch| Ok((branch.at, read(model, cone, &branch.trace)?)));
    Ok(Tree { states, loop_start: trace.loop_start, branches: branches.collect::<Result<_, Wrong>>()? })
}

/// A value as [`Model::show`] writes it.
#[must_use]
pub fn value_of(model: &Model, domain: &Domain, text: &str) -> Option<Value> {
    let value = match domain {
        Domain::Word(signed, width) => {
            let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
            let digits = rest.strip_prefix(&format!("0{}d{width}_", if *signed { 's' } else { 'u' }))?;
            // Longer texts are no values, and long to convert.
            let number = if digits.len() <= *width as usize { Natural::parse(digits, 10)? } else { return None };
            Value::Word(if negative { Natural::wrapped(&-number.integer(), *width) } else { number })
        }
        _ => match text {
            "TRUE" => Value::Boolean(true),
            "FALSE" => Value::Boolean(false),
            _ => match text.parse() {
                Ok(number) => Value::Integer(number),
                Err(_) => {
                    let at = model.symbols.iter().position(|symbol| symbol == text)?;
                    Value::Symbol(flat::model::SymbolId(u32::try_from(at).ok()?))
                }
            },
        },
    };
    domain.contains(&value).then_some(value)
}
