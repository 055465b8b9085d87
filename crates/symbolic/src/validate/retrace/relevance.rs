//! Whether the values that a trace says matter are enough: other values of the rest show the same (Definition 1 of
//! [shen.05.charme]).
//!
//! Contract: every name is that of a variable or input with a value there. On machines small enough to enumerate, paths of
//! reachable states with the same shape that agree with the trace on the relevant values, up to `PATHS` of them, must show
//! the same. Other machines, traces with more than `LONGEST_COMPARED` states, trees, formulas that one path does not decide,
//! and traces of a cone of influence are left open. The check follows the definition and uses no decision
//! diagrams. Tested by `tests/retraced.rs`.

use super::shown::Judge;
use super::{Claimed, Tree, Wrong, shows, steps};
use crate::report::{Trace, TraceState};
use crate::thresholds::validate::{LONGEST_COMPARED, PATHS};
use flat::enumerate::Rules;
use flat::enumerate::machine::Explicit;
use flat::model::{CtlFormula, Model, Question, Value, VariableId};
use flat::order;

/// Checks the names of a trace and of its branches.
pub(super) fn names(trace: &Trace) -> Result<(), Wrong> {
    for (step, state) in trace.states.iter().enumerate() {
        for name in state.relevant.iter().flatten() {
            let (variable, _) = order::split(name);
            if !state.state.iter().chain(&state.inputs).any(|setting| setting.name == variable) {
                return Err(Wrong { step, reason: format!("`{name}` is marked as relevant, but has no value") });
            }
        }
    }
    trace.branches.iter().try_for_each(|branch| names(&branch.trace))
}

/// Checks that the relevant values suffice, on models that are small enough.
pub(super) fn enough(
    judge: &mut Judge<'_>,
    rules: &mut Rules<'_>,
    claimed: Claimed<'_>,
    trace: &Trace,
    tree: &Tree,
) -> Result<(), Wrong> {
    let stripped = trace.states.iter().any(|state| state.relevant.is_some());
    let several_lines = match claimed {
        Claimed::False(property) => matches!(&property.question, Question::Ctl(formula) if !one_path_tells(formula)),
        Claimed::Deadlock => false,
    };
    if !stripped || !trace.branches.is_empty() || several_lines || trace.states.len() > LONGEST_COMPARED {
        return Ok(());
    }
    let Some(explicit) = judge.explicit() else { return Ok(()) };
    let (reachable, _) = explicit.reachable();
    for path in paths(rules.model(), explicit, &reachable, trace, tree) {
        let other = Tree { states: path, loop_start: tree.loop_start, branches: Vec::new() };
        let refused = steps(rules, &other).is_err() || shows(judge, rules, claimed, &other).is_err();
        if refused {
            let reason = "with other irrelevant values the trace no longer shows the violation".to_owned();
            return Err(Wrong { step: tree.states.len(), reason });
        }
    }
    Ok(())
}

/// Whether one path can tell: no operator joins two formulas about paths.
fn one_path_tells(formula: &CtlFormula) -> bool {
    let mut here = formula;
    loop {
        let mut about_paths = here.operands().into_iter().filter(|operand| !matches!(operand, CtlFormula::Atom(_)));
        match (about_paths.next(), about_paths.next()) {
            (None, _) => return true,
            (Some(only), None) if !matches!(here, CtlFormula::Xor(..)) => here = only,
            _ => return false,
        }
    }
}

/// Paths of the same shape that agree with the trace on the relevant values.
fn paths(
    model: &Model,
    explicit: &Explicit,
    reachable: &[bool],
    trace: &Trace,
    tree: &Tree,
) -> Vec<Vec<flat::enumerate::Valuation>> {
    let wanted: Vec<Vec<Matters>> = trace.states.iter().map(|state| matters(model, state)).collect();
    let agrees = |position: usize, state: usize, input: Option<usize>| {
        let valuation = input.map_or_else(|| explicit.states[state].clone(), |input| explicit.with_input(state, input));
        let is_input =
            |id: &VariableId| explicit.inputs.first().is_some_and(|first| first.iter().any(|(i, _)| i == id));
        wanted[position].iter().all(|Matters { variable: id, place }| {
            let (one, other) = (&valuation[id.0 as usize], &tree.states[position][id.0 as usize]);
            let bit = |value: &Value, place: u32| {
                model.variable(*id).domain.index(value).is_some_and(|index| index.bit(place))
            };
            let same = place.map_or(one == other, |place| bit(one, place) == bit(other, place));
            (input.is_none() && is_input(id)) || same
        })
    };
    let last = tree.states.len() - 1;
    let starts = (0..explicit.states.len()).filter(|state| reachable[*state] && agrees(0, *state, None));
    let mut pending: Vec<(Vec<usize>, Vec<usize>)> = starts.map(|state| (vec![state], Vec::new())).collect();
    let mut found = Vec::new();
    while let Some((states, inputs)) = pending.pop() {
        let at = states.len() - 1;
        if at == last && tree.loop_start.is_none() {
            let mut path: Vec<_> =
                inputs.iter().zip(&states).map(|(input, state)| explicit.with_input(*state, *input)).collect();
            path.push(explicit.states[states[last]].clone());
            found.push(path);
        }
        if found.len() >= PATHS || pending.len() > 100 * PATHS {
            break;
        }
        for edge in
            explicit.edges.iter().filter(|edge| edge.from == states[at] && agrees(at, edge.from, Some(edge.input)))
        {
            let mut taken = inputs.clone();
            taken.push(edge.input);
            if at < last && agrees(at + 1, edge.to, None) {
                let mut longer = states.clone();
                longer.push(edge.to);
                pending.push((longer, taken));
            } else if at == last && tree.loop_start.is_some_and(|start| states[start] == edge.to) {
                found.push(
                    states.iter().zip(&taken).map(|(state, input)| explicit.with_input(*state, *input)).collect(),
                );
            }
        }
    }
    found
}

/// A variable whose value matters, or the bit of it that does.
struct Matters {
    variable: VariableId,
    place: Option<u32>,
}

/// The variables and inputs that matter at a state.
fn matters(model: &Model, state: &TraceState) -> Vec<Matters> {
    let named = |name: &str| {
        let (variable, place) = order::split(name);
        Some(Matters { variable: model.find_variable(variable)?, place })
    };
    match &state.relevant {
        Some(names) => names.iter().filter_map(|name| named(name)).collect(),
        None => state.state.iter().chain(&state.inputs).filter_map(|one| named(&one.name)).collect(),
    }
}
