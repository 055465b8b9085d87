//! Counterexamples of the SAT engines, stripped to the values that matter.
//!
//! What: the demands of a counterexample, put to [`sat::strip`]. Contract: the promise is that of decision diagrams
//! (`docs/semantics-smv.md`), for models of any size. The work is bounded; what it leaves open is said in the report. The published
//! algorithms ([`Effort::Paper`]), which are about diagrams, are not available here.
//!
//! Tested by `sat/tests/stripped.rs`, and by `tests/stripped.rs` against the values that diagrams keep.

use crate::thresholds::smv::{STRIPPING_CHECKS, STRIPPING_WORK};
use flat::cone;
use flat::enumerate::{Rules, Valuation};
use flat::model::{Linear, Model, NodeId, Question, VariableId};
use kernel::budget::Budget;
use sat::certificate::Defect;
use sat::circuit::Trace;
use sat::design::Design;
use sat::strip::{Stripped, Wanted, strip};
use std::time::Instant;
use symbolic::report::Minimised;
use symbolic::strip::{Effort, linear};

/// For each position the expressions demanded there, with their truth.
type Demands = Vec<Vec<(NodeId, bool)>>;

/// The names of the variables that matter at each position.
type Relevant = Vec<Vec<String>>;

/// The names of the variables that matter at each position of a counterexample, and the figures; none if it is left as it is.
///
/// # Errors
/// What an invariant lacks that was claimed to be inductive: a bug in Lariat.
pub(super) fn stripped(
    design: &mut Design<'_>,
    question: &Question,
    trace: &Trace,
    positions: &[Valuation],
    effort: Effort,
    budget: &Budget,
) -> Result<Option<(Relevant, Minimised)>, Defect> {
    if matches!(effort, Effort::Off | Effort::Paper) {
        return Ok(None);
    }
    let begin = Instant::now();
    let model = design.model();
    let Some(demands) = demands(model, question, positions, trace.loop_start) else { return Ok(None) };
    let (order, outside) = cone::by_distance(model, &question.atoms());
    let wanted = Wanted {
        demands: &demands,
        order: &order,
        outside,
        irredundant: effort != Effort::Guided,
        minimum: effort == Effort::Exact,
    };
    let checks = (STRIPPING_WORK / design.circuit.aig.len().max(1) as u64).min(STRIPPING_CHECKS);
    let Ok(stripped) = strip(design, trace, wanted, &budget.stage().within_checks(checks)) else { return Ok(None) };
    if let Some(defect) = stripped.defect {
        return Err(defect);
    }
    let name = |id: &VariableId| model.variable(*id).name.clone();
    let names = |ids: &Vec<VariableId>| {
        let mut ids = ids.clone();
        ids.sort_unstable();
        ids.iter().map(name).collect()
    };
    let relevant = stripped.kept.iter().map(names).collect();
    Ok(Some((relevant, figures(model, &stripped, begin))))
}

fn figures(model: &Model, stripped: &Stripped, begin: Instant) -> Minimised {
    let values = |list: &[Vec<VariableId>]| list.iter().map(Vec::len).sum::<usize>();
    let bits = |list: &[Vec<VariableId>]| {
        list.iter().flatten().map(|id| model.variable(*id).domain.bits() as usize).sum::<usize>()
    };
    Minimised {
        values_before: values(&stripped.before),
        values_after: values(&stripped.kept),
        bits_before: bits(&stripped.before),
        bits_after: bits(&stripped.kept),
        by_bits: false,
        irredundant: stripped.irredundant,
        minimum: stripped.minimum,
        undecided: stripped.undecided,
        every_path: values(&stripped.kept) == 0,
        seconds: begin.elapsed().as_secs_f64(),
    }
}

/// What the counterexample demands at each position; none if it is not of a form that the engines give.
fn demands(model: &Model, question: &Question, positions: &[Valuation], loop_start: Option<usize>) -> Option<Demands> {
    match (question, loop_start) {
        (Question::Invariant(node), None) => {
            let mentions = model.facts(*node).mentions;
            let last = positions.len() - 1;
            let at = if mentions.next || mentions.input { last.checked_sub(1)? } else { last };
            let mut demands = vec![Vec::new(); positions.len()];
            demands[at].push((*node, false));
            Some(demands)
        }
        (Question::Ltl(formula), Some(start)) => of_lasso(model, formula, positions, start),
        // What a lasso shows of a formula of branching time is not a matter of its positions alone.
        _ => None,
    }
}

/// The atoms that make a formula false on a lasso, and what makes the lasso fair.
fn of_lasso(model: &Model, formula: &Linear, positions: &[Valuation], start: usize) -> Option<Demands> {
    let mut rules = Rules::new(model);
    let atoms = formula.atoms();
    let mut truth = Vec::new();
    for (at, position) in positions.iter().enumerate() {
        let next = positions.get(at + 1).unwrap_or(&positions[start]);
        truth.push(atoms.iter().map(|atom| (*atom, rules.holds(*atom, position, Some(next)))).collect());
    }
    let mut demands = linear::demands(formula, start, &truth)?;
    let in_loop = start..positions.len();
    let mut met = |node: NodeId| in_loop.clone().find(|at| rules.holds(node, &positions[*at], None));
    for justice in &model.justice {
        demands[met(*justice)?].push((*justice, true));
    }
    for (often, then_often) in &model.compassion {
        match met(*then_often) {
            Some(at) => demands[at].push((*then_often, true)),
            None => in_loop.clone().for_each(|at| demands[at].push((*often, false))),
        }
    }
    Some(demands)
}
