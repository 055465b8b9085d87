//! Shorter counterexamples than those that sets of states suggest, by an explicit search.
//!
//! Contract: [`branching`] and [`linear`] begin with evidence that is known, and return evidence that is not longer, and
//! whether no path or lasso with fewer steps shows the same. Without a search, nothing becomes shorter, and only what
//! needs no proof is called shortest.

use bdd::{Bdd, Cube};

use super::claim::Claim;
use super::explicit::{Atom, Line, Shortest, ShortestSearch, Wanted};
use super::path_formula::{Form, PathFormula, states};
use super::{Evidence, Path, fit};
use crate::encode::Encoding;
use crate::fixpoint::Fixpoints;
use flat::model::{Linear, Model};
use kernel::budget::Budget;

/// The input of a search for shorter counterexamples.
#[derive(Clone, Copy)]
pub(crate) struct Shortener<'a> {
    /// The model.
    pub(crate) model: &'a Model,
    /// The bits of its variables.
    pub(crate) encoding: &'a Encoding,
    /// The search, if there is one.
    pub(crate) search: Option<ShortestSearch>,
    /// Limits.
    pub(crate) budget: &'a Budget,
}

/// How a claim is shown.
pub(crate) enum Shown {
    /// By evidence that starts in a state.
    Evidence(Cube, Evidence),
    /// By a lasso whose loop closes before the position from which on its claim holds, or that goes around several times.
    Folded(Path),
}

impl Shortener<'_> {
    /// A path of the model as cubes.
    fn path(&self, line: &Line) -> Path {
        let steps = line.positions.len() - usize::from(line.loop_start.is_none());
        Path {
            states: line.positions.iter().map(|state| self.encoding.state(self.model, state)).collect(),
            inputs: line.positions[..steps].iter().map(|state| self.encoding.inputs(self.model, state)).collect(),
            loop_start: line.loop_start,
        }
    }

    /// The shortest way to show a claim in one of its starts, and whether no path or lasso with fewer steps shows it.
    /// `is_shortest` is true if no finite path has fewer steps than the evidence that is known.
    pub(crate) fn branching(
        &self,
        fixpoints: &Fixpoints<'_>,
        claim: &Claim,
        (start, known): (Cube, Evidence),
        is_shortest: bool,
    ) -> (Shown, bool) {
        let mut steps = known.steps();
        let mut shown = Shown::Evidence(start, known);
        if steps == 0 || steps == 1 && claim.takes_a_step() {
            return (shown, true);
        }
        if !claim.is_one_line() {
            return (shown, is_shortest && !claim.can_wind());
        }
        let mut is_proved = true;
        let forms =
            [(Form::Path, claim.can_end() && !is_shortest), (Form::Lasso, claim.has_loop() || claim.can_wind())];
        for (form, _) in forms.into_iter().filter(|(_, is_needed)| *is_needed) {
            let found = self.search_claim(fixpoints, claim, form, steps);
            is_proved &= found.is_proved;
            if let Some(line) = found.line {
                let path = self.path(&line);
                let fewer = path.inputs.len();
                (shown, steps) = match fit::evidence(fixpoints, claim, &path) {
                    Ok(Some(evidence)) => (Shown::Evidence(path.states[0].clone(), evidence), fewer),
                    _ if path.loop_start.is_some() => (Shown::Folded(path), fewer),
                    _ => {
                        // A limit was reached, and the known path is longer.
                        is_proved = false;
                        (shown, steps)
                    }
                };
            }
        }
        (shown, is_proved)
    }

    /// Searches for a line of one form with fewer than `bound` steps that shows a claim.
    fn search_claim(&self, fixpoints: &Fixpoints<'_>, claim: &Claim, form: Form, bound: usize) -> Shortest {
        let Some(search) = self.search else { return Shortest::default() };
        let Some(formula) = PathFormula::new(claim, form, fixpoints.universe(), self.model) else {
            return Shortest::default();
        };
        let fair = || states(self.model, self.encoding, fixpoints.fair());
        search(Wanted {
            model: self.model,
            formulas: formula.formulas.clone(),
            formula: formula.formula,
            atoms: formula.atoms(self.model, self.encoding),
            within: fair(),
            ends: (form == Form::Path).then(fair),
            bound: Some(bound),
            budget: self.budget,
        })
        // The known path remains a counterexample if a limit is reached now.
        .unwrap_or_default()
    }

    /// A lasso that satisfies a formula with fewer steps than one that is known, if there is one, and whether no lasso
    /// has fewer. States outside the set `within` lie on no such lasso.
    pub(crate) fn linear(&self, formula: &Linear, known: Path, within: Option<&Bdd>) -> (Path, bool) {
        if known.states.len() == 1 {
            return (known, true);
        }
        let Shortest { line, is_proved } = self.search_linear(formula, Some(known.states.len()), within);
        (line.map_or(known, |line| self.path(&line)), is_proved)
    }

    /// Searches for a shortest lasso that satisfies a formula; finds none if a limit is reached.
    pub(crate) fn search_linear(&self, formula: &Linear, bound: Option<usize>, within: Option<&Bdd>) -> Shortest {
        let Some(search) = self.search else { return Shortest::default() };
        let formulas = formula.formulas().clone();
        let atoms = (0..formulas.atom_count()).map(|atom| Atom::Node(formula.nodes()[atom])).collect();
        search(Wanted {
            model: self.model,
            formulas,
            formula: formula.root(),
            atoms,
            within: match within {
                Some(set) => states(self.model, self.encoding, set),
                None => Box::new(|_| true),
            },
            ends: None,
            bound,
            budget: self.budget,
        })
        .unwrap_or_default()
    }
}
