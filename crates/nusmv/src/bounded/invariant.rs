//! Invariants by induction and by paths of growing length.
//!
//! Contract: every violation is confirmed by the definition of the model before it is returned. A path on which induction fails need not begin
//! in an initial state, so that it is only shown.

use super::{Line, Stop, line};
use flat::model::{Model, NodeId, Question};
use kernel::budget::Budget;
use sat::bounded::{Extended, invariant};
use sat::circuit::{Circuit, Trace};
use sat::design::Design;
use sat::induction::Step;
use sat::solver::Solver;
use symbolic::validate;
use symbolic::witness::explicit;

/// The result of induction.
#[derive(Clone, Debug)]
pub enum Induction {
    /// The expression is an invariant.
    Proved,
    /// An initial state violates it.
    Violated(Line),
    /// A step leads from a state that satisfies it to one that does not.
    Fails(Line),
}

/// Whether an invariant about states is violated by paths of so many steps, or proved by induction over as many.
pub struct Depths<'m, 'c> {
    design: &'c Design<'m>,
    node: NodeId,
    search: invariant::Search<'c, Solver>,
    step: Step<'c, Solver>,
    /// Whether no path has more steps than were tried.
    is_complete: bool,
    budget: &'c Budget,
}

/// A circuit, and what an invariant about states forbids in it.
///
/// # Errors
/// Why there is none.
pub fn design<'m>(model: &'m Model, node: NodeId, budget: &Budget) -> Result<(Design<'m>, sat::circuit::Bad), Stop> {
    let mut design = Design::new(model, true, budget)?;
    let bad = design.violation(node, budget)?;
    Ok((design, bad))
}

impl<'m, 'c> Depths<'m, 'c> {
    /// Begins with paths of no steps. `circuit` is that of the design.
    #[must_use]
    pub fn new(
        (design, circuit): (&'c Design<'m>, &'c mut Circuit),
        kind: sat::circuit::Bad,
        node: NodeId,
        budget: &'c Budget,
    ) -> Self {
        let bad = circuit.bad(kind);
        let search = invariant::Search::new(circuit, kind, bad, budget);
        let step = Step::new(circuit, bad, budget);
        Self { design, node, search, step, is_complete: false, budget }
    }

    /// A shortest path to a violation with one step more than the last call tried; none at first.
    ///
    /// # Errors
    /// Why this is not known.
    pub fn violation(&mut self) -> Result<Option<Line>, Stop> {
        if self.is_complete {
            return Ok(None);
        }
        match self.search.extend(self.budget)? {
            Extended::Found(trace) => self.confirmed(&trace).map(Some),
            Extended::Refuted => Ok(None),
            Extended::Complete => {
                self.is_complete = true;
                Ok(None)
            }
        }
    }

    /// Whether induction over one step more than the last call tried proves the invariant, or no path has so many steps.
    ///
    /// # Errors
    /// Why this is not known.
    pub fn is_proved(&mut self) -> Result<bool, Stop> {
        Ok(self.is_complete || self.step.extend(self.budget)?)
    }

    /// Plain induction: all initial states satisfy the expression, and every step from a state that does leads to another one.
    ///
    /// # Errors
    /// Why this is not known.
    pub fn induction(mut self) -> Result<Induction, Stop> {
        // No state at all violates it, or no step leads from a state that does not.
        if !self.step.extend(self.budget)?
            && let Some(trace) = self.step.failure(self.budget)?
        {
            let positions = self.design.positions(&trace);
            return Ok(Induction::Fails(line(self.design.model(), &positions, None)));
        }
        Ok(self.violation()?.map_or(Induction::Proved, Induction::Violated))
    }

    /// A path to a violation, once the definition of the model confirms it.
    fn confirmed(&self, trace: &Trace) -> Result<Line, Stop> {
        let (model, positions) = (self.design.model(), self.design.positions(trace));
        let shown = line(model, &positions, None);
        let path = explicit::Line { positions, loop_start: None };
        match validate::line(model, &Question::Invariant(self.node), &path, false) {
            Ok(_) => Ok(shown),
            Err(refusal) => Err(Stop::refused(&refusal.reason)),
        }
    }
}
