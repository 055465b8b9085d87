//! Violations of LTL formulas, bound by bound.
//!
//! A bound is a number of steps. A formula is violated with bound *k* by a path of *k* steps that shows the violation
//! whatever follows it, or by a lasso whose stem and loop have *k* steps together.
//!
//! Contract: a bound is called refuted only after SAT has refuted all paths and lassos of that length that were asked for. A
//! path counts only if a fair infinite path continues it. Every counterexample, with its continuation, is confirmed
//! by the definition of the model before it is returned.

use super::{Line, Stop, line};
use flat::enumerate::Valuation;
use flat::evaluate::Evaluator;
use flat::model::{Linear, Model, NodeId, Question};
use kernel::budget::{Budget, Exhausted};
use sat::bounded::{Extended, lasso, path};
use sat::circuit::Trace;
use sat::design::Design;
use sat::engine::{Outcome, continuation};
use sat::solver::Solver;
use symbolic::validate;
use symbolic::witness::explicit;

/// Which paths count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loopback {
    /// All: with or without loop.
    Any,
    /// Only paths without loop.
    Without,
    /// Only lassos whose loop begins at this position, counted from the end if negative.
    At(i64),
}

impl Loopback {
    /// Reads what NuSMV's option `-l` takes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "*" => Some(Loopback::Any),
            "X" | "x" => Some(Loopback::Without),
            _ => text.parse().ok().map(Loopback::At),
        }
    }

    /// The words after a bound.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Loopback::Any => String::new(),
            Loopback::Without => " and no loop".into(),
            Loopback::At(position) => format!(" and loop at {position}"),
        }
    }

    /// The position at which the loop of a lasso with this many steps begins, if the option names one that exists.
    fn start(self, steps: usize) -> Option<usize> {
        let Loopback::At(position) = self else { return None };
        let wanted = if position < 0 { i64::try_from(steps).ok()? + position } else { position };
        usize::try_from(wanted).ok().filter(|start| *start < steps)
    }
}

/// What is known about a bound.
#[derive(Debug)]
pub enum Bound {
    /// It has this counterexample.
    Found(Line),
    /// It has none of those that were asked for.
    Refuted,
    /// The loop of a lasso with this bound cannot begin where it was asked for.
    Skipped,
}

/// Tries the bounds up to the last one, and tells `report` what is known about each. Ends with the first counterexample.
///
/// # Errors
/// Why a bound has no answer.
pub fn search(
    model: &Model,
    question: &Question,
    (last, loopback): (usize, Loopback),
    budget: &Budget,
    mut report: impl FnMut(usize, Bound),
) -> Result<(), Stop> {
    let Question::Ltl(formula) = question else { return Err(Stop::Reason("This is no LTL formula.".into())) };
    let mut design = Design::new(model, true, budget)?;
    let negation = formula.negated();
    let wanted = design.lassos(&negation, budget)?;
    let circuit = design.circuit.clone();
    let is_step = negation.nodes().iter().map(|node| is_step(model, *node)).collect();
    let mut search = Search {
        design,
        question,
        formula,
        loopback,
        paths: path::Search::new(&circuit, wanted.clone(), is_step, budget),
        lassos: lasso::Search::new(&circuit, wanted, budget),
        complete: false,
        budget,
    };
    for bound in 0..=last {
        let known = search.at(bound)?;
        let found = matches!(known, Bound::Found(_));
        report(bound, known);
        if found {
            break;
        }
    }
    Ok(())
}

/// A search for counterexamples.
struct Search<'s, 'm> {
    design: Design<'m>,
    question: &'m Question,
    formula: &'m Linear,
    loopback: Loopback,
    paths: path::Search<'s, Solver>,
    lassos: lasso::Search<'s, Solver>,
    /// Whether no path that violates the formula has more steps than were tried.
    complete: bool,
    budget: &'s Budget,
}

impl Search<'_, '_> {
    /// Tries a bound; bounds must be tried in order.
    fn at(&mut self, bound: usize) -> Result<Bound, Stop> {
        if !matches!(self.loopback, Loopback::At(_))
            && !self.complete
            && let Some(line) = self.path()?
        {
            return Ok(Bound::Found(line));
        }
        let start = self.loopback.start(bound);
        if matches!(self.loopback, Loopback::At(_)) && start.is_none() {
            if bound > 0 && !self.complete {
                self.lassos.skip();
            }
            return Ok(Bound::Skipped);
        }
        if bound == 0 || self.complete || self.loopback == Loopback::Without {
            return Ok(Bound::Refuted);
        }
        match self.lassos.extend_with(start, self.budget)? {
            Extended::Found(trace) => {
                let positions = self.design.positions(&trace);
                self.confirm(&positions, trace.loop_start)?;
                Ok(Bound::Found(line(self.design.model(), &positions, trace.loop_start)))
            }
            Extended::Refuted => Ok(Bound::Refuted),
            Extended::Complete => {
                self.complete = true;
                Ok(Bound::Refuted)
            }
        }
    }
    /// A path with the next number of steps that shows the violation and that a fair path continues.
    fn path(&mut self) -> Result<Option<Line>, Stop> {
        loop {
            let trace = match self.paths.extend(self.budget)? {
                Extended::Found(trace) => trace,
                Extended::Refuted => return Ok(None),
                Extended::Complete => {
                    self.complete = true;
                    return Ok(None);
                }
            };
            let last = trace.states.last().map_or(&[][..], Vec::as_slice);
            match continuation(&mut self.design, last, self.budget)? {
                Outcome::Violated(rest) => return self.continued(&trace, &rest).map(Some),
                Outcome::Holds(_) => self.paths.exclude(&trace),
                Outcome::Open { limit, .. } => return Err(Stop::Limit(limit.unwrap_or(Exhausted::Cancelled))),
                Outcome::Defective(defect) => {
                    return Err(Stop::Reason(format!("A proof was refused by its check: {defect:?}.")));
                }
            }
        }
    }

    /// A path whose continuation is known, once both are confirmed.
    fn continued(&self, path: &Trace, rest: &Trace) -> Result<Line, Stop> {
        let (model, steps) = (self.design.model(), path.length());
        let mut positions = self.design.positions(path);
        positions.truncate(steps);
        positions.extend(self.design.positions(rest));
        self.confirm(&positions, rest.loop_start.map(|start| steps + start))?;
        let mut evaluator = Evaluator::new(model);
        let truth = |node: NodeId, at: usize| {
            if at > steps || at == steps && is_step(model, node) {
                return None;
            }
            evaluator.truth(node, &positions[at], positions.get(at + 1).map(Vec::as_slice)).ok()
        };
        if self.formula.decided(steps + 2, steps + 1, truth) != Some(false) {
            return Err(Stop::Reason("A path without loop does not show the violation.".into()));
        }
        Ok(line(model, &positions[..=steps], None))
    }

    /// Checks a lasso by the definition of the model.
    fn confirm(&self, positions: &[Valuation], loop_start: Option<usize>) -> Result<(), Stop> {
        let lasso = explicit::Line { positions: positions.to_vec(), loop_start };
        match validate::line(self.design.model(), self.question, &lasso, false) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(Stop::refused(&refusal.reason)),
        }
    }
}

/// Whether an expression is about a step, not about a state alone.
fn is_step(model: &Model, node: NodeId) -> bool {
    let mentions = model.facts(node).mentions;
    mentions.next || mentions.input
}
