//! Whether a tree of paths shows that a formula of branching time is true or false in its first state.
//!
//! Contract: `Yes` only if the paths prove it; `No` if they should and do not; `Open` where no path can tell, and the
//! machine is too large to enumerate. Operators about some path are looked for along the main line and along the branches
//! that begin at the state. Along a path, at states that a trace gives no further path for, what is not shown is open.

use crate::thresholds::validate::ENUMERATED_VALUATIONS;
use std::cell::OnceCell;

use super::Tree;
use flat::enumerate::ctl::Checker;
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, Valuation};
use flat::model::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, Model, VariableKind};

/// How sure one can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    /// It is not shown.
    No,
    /// It cannot be shown by paths.
    Open,
    /// It is shown.
    Yes,
}

/// Whether a failure to show something counts against the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// The trace owes the proof here.
    Owed,
    /// It gives none here.
    Waived,
}

pub(super) struct Judge<'m> {
    model: &'m Model,
    rules: Rules<'m>,
    /// The machine, listed when it is first asked for; none if it is too large.
    explicit: OnceCell<Option<Explicit>>,
}

/// A place on a tree, and whether proof is owed there.
#[derive(Clone, Copy)]
struct Place<'t> {
    tree: &'t Tree,
    position: usize,
    duty: Duty,
}

impl<'m> Judge<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Judge { model, rules: Rules::new(model), explicit: OnceCell::new() }
    }

    /// The machine, if it is small enough to list.
    pub(super) fn explicit(&self) -> Option<&Explicit> {
        self.explicit.get_or_init(|| Explicit::new(self.model, ENUMERATED_VALUATIONS)).as_ref()
    }

    /// Whether the tree shows this truth of a formula in its first state.
    pub(super) fn shown(&mut self, formula: &CtlFormula, truth: bool, tree: &Tree) -> Shown {
        self.at(formula, truth, Place { tree, position: 0, duty: Duty::Owed })
    }

    /// The truth of a formula at a position, if the tree shows it.
    pub(super) fn truth(&mut self, formula: &CtlFormula, tree: &Tree, position: usize) -> Option<bool> {
        let place = Place { tree, position, duty: Duty::Waived };
        [true, false].into_iter().find(|truth| self.at(formula, *truth, place) == Shown::Yes)
    }

    fn at(&mut self, formula: &CtlFormula, truth: bool, place: Place<'_>) -> Shown {
        match formula {
            CtlFormula::Atom(node) => {
                let holds = self.rules.holds(*node, &place.tree.states[place.position], None);
                if holds == truth { Shown::Yes } else { Shown::No }
            }
            CtlFormula::Not(a) => self.at(a, !truth, place),
            CtlFormula::And(parts) => self.junction(parts, truth, truth, place),
            CtlFormula::Or(parts) => self.junction(parts, truth, !truth, place),
            CtlFormula::Xor(a, b) => {
                let first = self.at(a, true, place).min(self.at(b, !truth, place));
                first.max(self.at(a, false, place).min(self.at(b, truth, place)))
            }
            CtlFormula::Unary(CtlUnary::EX | CtlUnary::EF | CtlUnary::EG, _) if truth => self.some_path(formula, place),
            CtlFormula::Unary(CtlUnary::AX | CtlUnary::AF | CtlUnary::AG, _) if !truth => {
                self.some_path(formula, place)
            }
            CtlFormula::Binary(CtlBinary::EU, ..) | CtlFormula::BoundedUntil(false, ..) if truth => {
                self.some_path(formula, place)
            }
            CtlFormula::Binary(CtlBinary::AU, ..) | CtlFormula::BoundedUntil(true, ..) if !truth => {
                self.some_path(formula, place)
            }
            CtlFormula::Bounded(CtlBounded::EBF | CtlBounded::EBG, ..) if truth => self.some_path(formula, place),
            CtlFormula::Bounded(CtlBounded::ABF | CtlBounded::ABG, ..) if !truth => self.some_path(formula, place),
            _ => self.enumerated(formula, truth, &place.tree.states[place.position]),
        }
    }

    fn junction(&mut self, parts: &[CtlFormula], truth: bool, all: bool, place: Place<'_>) -> Shown {
        let shown = parts.iter().map(|part| self.at(part, truth, place));
        if all { shown.min().unwrap_or(Shown::Yes) } else { shown.max().unwrap_or(Shown::No) }
    }

    /// A formula about some path, true, or about all paths, false: along one of the lines from here.
    fn some_path(&mut self, formula: &CtlFormula, place: Place<'_>) -> Shown {
        let mut best = self.along(formula, place);
        for (_, branch) in place.tree.branches.iter().filter(|(at, _)| *at == place.position) {
            best = best.max(self.along(formula, Place { tree: branch, position: 0, duty: Duty::Waived }));
        }
        if best == Shown::No && place.duty == Duty::Waived {
            let truth = matches!(
                formula,
                CtlFormula::Unary(CtlUnary::EX | CtlUnary::EF | CtlUnary::EG, _)
                    | CtlFormula::Binary(CtlBinary::EU, ..)
                    | CtlFormula::BoundedUntil(false, ..)
                    | CtlFormula::Bounded(CtlBounded::EBF | CtlBounded::EBG, ..)
            );
            return self.enumerated(formula, truth, &place.tree.states[place.position]);
        }
        best
    }

    /// The same along the line on which the place is.
    fn along(&mut self, formula: &CtlFormula, place: Place<'_>) -> Shown {
        // Each position once: after that a lasso repeats itself.
        let line = line(place, place.tree.states.len());
        let endless = place.tree.loop_start.is_some();
        match formula {
            CtlFormula::Unary(CtlUnary::EX, a) => self.exactly(a, true, place, 1),
            CtlFormula::Unary(CtlUnary::AX, a) => self.exactly(a, false, place, 1),
            CtlFormula::Unary(CtlUnary::EF, a) => {
                line.iter().map(|at| self.at(a, true, *at)).max().unwrap_or(Shown::No)
            }
            CtlFormula::Unary(CtlUnary::AG, a) => {
                line.iter().map(|at| self.at(a, false, *at)).max().unwrap_or(Shown::No)
            }
            CtlFormula::Unary(CtlUnary::EG, a) if endless => self.everywhere(a, true, &line),
            CtlFormula::Unary(CtlUnary::AF, a) if endless => self.everywhere(a, false, &line),
            CtlFormula::Binary(CtlBinary::EU, a, b) => self.until(&[(a, true)], &[(b, true)], &line),
            CtlFormula::Binary(CtlBinary::AU, a, b) => {
                let forever = if endless { self.everywhere(b, false, &line) } else { Shown::No };
                forever.max(self.until(&[(b, false)], &[(a, false), (b, false)], &line))
            }
            CtlFormula::Bounded(operator, low, high, a) => self.bounded(*operator, *low, *high, a, place),
            CtlFormula::BoundedUntil(all, low, high, a, b) => self.bounded_until(*all, (*low, *high), a, b, place),
            _ => Shown::No,
        }
    }

    fn exactly(&mut self, a: &CtlFormula, truth: bool, place: Place<'_>, steps: usize) -> Shown {
        let line = line(place, steps + 1);
        line.get(steps).map_or(Shown::No, |at| self.at(a, truth, *at))
    }

    /// At each of these places; the trace need not prove claims about paths there.
    fn everywhere(&mut self, a: &CtlFormula, truth: bool, line: &[Place<'_>]) -> Shown {
        let waived = line.iter().map(|at| Place { duty: Duty::Waived, ..*at });
        waived.map(|at| self.at(a, truth, at)).min().unwrap_or(Shown::Yes)
    }

    /// All of the first up to a place with all of the second.
    fn until(&mut self, before: &[(&CtlFormula, bool)], goal: &[(&CtlFormula, bool)], line: &[Place<'_>]) -> Shown {
        let (mut so_far, mut best) = (Shown::Yes, Shown::No);
        for at in line {
            let here = goal.iter().map(|(a, truth)| self.at(a, *truth, *at)).min().unwrap_or(Shown::Yes);
            best = best.max(so_far.min(here));
            for (a, truth) in before {
                so_far = so_far.min(self.everywhere(a, *truth, &[*at]));
            }
            if so_far == Shown::No {
                break;
            }
        }
        best
    }

    fn bounded(&mut self, operator: CtlBounded, low: u32, high: u32, a: &CtlFormula, place: Place<'_>) -> Shown {
        let line = line(place, high as usize + 1);
        let window = line.get(low as usize..).unwrap_or_default();
        match operator {
            CtlBounded::EBF => window.iter().map(|at| self.at(a, true, *at)).max().unwrap_or(Shown::No),
            CtlBounded::ABG => window.iter().map(|at| self.at(a, false, *at)).max().unwrap_or(Shown::No),
            CtlBounded::EBG | CtlBounded::ABF if line.len() <= high as usize => Shown::No,
            CtlBounded::EBG => self.everywhere(a, true, window),
            CtlBounded::ABF => self.everywhere(a, false, window),
        }
    }

    fn bounded_until(
        &mut self,
        all: bool,
        bounds: (u32, u32),
        a: &CtlFormula,
        b: &CtlFormula,
        place: Place<'_>,
    ) -> Shown {
        let (low, high) = (bounds.0 as usize, bounds.1 as usize);
        let line = line(place, high + 1);
        let mut best = Shown::No;
        for end in 0..line.len() {
            let here = if all {
                // Up to here the second has never been true in time, and now it cannot be any more.
                let never = self.everywhere(b, false, line[..=end].get(low..).unwrap_or_default());
                let decided = if end == high { Shown::Yes } else { self.everywhere(a, false, &line[end..=end]) };
                never.min(decided)
            } else if end >= low {
                self.everywhere(a, true, &line[..end]).min(self.at(b, true, line[end]))
            } else {
                Shown::No
            };
            best = best.max(here);
        }
        best
    }

    /// Decides by enumeration a formula that no path can show, if the model is small enough.
    fn enumerated(&self, formula: &CtlFormula, truth: bool, state: &Valuation) -> Shown {
        let Some(explicit) = self.explicit() else { return Shown::Open };
        let kept = |id: &usize| self.model.variables[*id].kind != VariableKind::Input;
        let same = |other: &Valuation| (0..state.len()).filter(kept).all(|id| other[id] == state[id]);
        let Some(number) = explicit.states.iter().position(same) else { return Shown::No };
        let holds = Checker::new(self.model, explicit).satisfying(formula)[number];
        if holds == truth { Shown::Yes } else { Shown::No }
    }
}

/// The places from here on, at most this many.
fn line(place: Place<'_>, most: usize) -> Vec<Place<'_>> {
    let mut line = vec![place];
    while line.len() < most {
        let last = line[line.len() - 1];
        let Some(position) = place.tree.after(last.position) else { break };
        line.push(Place { position, ..last });
    }
    line
}
