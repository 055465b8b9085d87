//! The satisfiability solver behind one small trait.
//!
//! What: [`Sat`] is all that the engines ask of a solver: variables, clauses, queries under assumptions, values, cores.
//! [`BatSat`] implements it with the solver of the same name, a descendant of MiniSat in pure Rust, through `rustsat`. The
//! engines use [`Solver`], which is BatSat, or CaDiCaL with the feature of that name.
//!
//! Contract: a query ends with the limit that is exhausted instead of an answer when its [`Budget`] is. After that the
//! solver can be asked again. A core is a subset of the assumptions of the last unsatisfiable query, as they were given.
//!
//! Deviations: `rustsat` reports negated assumptions as the core; this trait gives the assumptions themselves.

use std::cell::{Cell, RefCell};

use batsat::Callbacks;
use kernel::budget::{Budget, Exhausted, Share};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, TernaryVal, Var};

/// Bytes that a literal of a clause costs, with its share of headers and watches.
pub(crate) const BYTES_PER_LITERAL: u64 = 12;

/// Bytes that a variable costs in the tables of a solver.
pub(crate) const BYTES_PER_VARIABLE: u64 = 100;

/// The solver asks whether to stop at every decision; the budget is asked once in this many times.
const DECISIONS_PER_CHECK: u32 = 16;

/// A literal: a variable, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a variable that is true or false as `positive` says.
    pub(crate) fn of(variable: u32, positive: bool) -> Self {
        Lit(variable << 1 | u32::from(!positive))
    }

    /// The number of its variable.
    #[must_use]
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// True if it is the variable itself.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// This literal, negated if the flag is set.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        Lit(self.0 ^ u32::from(negated))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.variable())
    }
}

/// The solver of the engines.
#[cfg(not(feature = "cadical"))]
pub type Solver = BatSat;
/// The solver of the engines.
#[cfg(feature = "cadical")]
pub type Solver = crate::cadical::CaDiCaL;

/// An incremental solver.
pub trait Sat {
    /// A solver without clauses that keeps to a budget.
    fn new(budget: &Budget) -> Self
    where
        Self: Sized;

    /// Sets the budget of further queries.
    fn set_budget(&mut self, budget: &Budget);

    /// A new variable, as its positive literal.
    fn fresh(&mut self) -> Lit;

    /// Adds a clause.
    fn add(&mut self, clause: &[Lit]);

    /// Whether the clauses are satisfiable together with the assumptions.
    ///
    /// # Errors
    /// The limit that was exhausted before there was an answer.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted>;

    /// The value of a literal in the model of the last satisfiable query; false if the query left it open. A solver may drop the
    /// model when a clause is added, so values are asked for before that.
    fn value(&self, lit: Lit) -> bool;

    /// Assumptions of the last unsatisfiable query that suffice for that answer.
    fn core(&mut self) -> Vec<Lit>;

    /// How many variables there are.
    fn variables(&self) -> usize;

    /// The bytes that it occupies, approximately.
    fn bytes(&self) -> u64;
}

/// Whether a solver may go on whose share of the memory is up to date.
pub(crate) fn check(budget: &Budget) -> Result<(), Exhausted> {
    if budget.is_full(0) { budget.check_now(0) } else { budget.check() }
}

/// Stops the solver when the budget is exhausted, and counts literals.
#[derive(Default)]
struct Guard {
    budget: Budget,
    share: RefCell<Share>,
    literals: u64,
    variables: u64,
    decisions: Cell<u32>,
    stopped: RefCell<Option<Exhausted>>,
}

impl Guard {
    fn bytes(&self) -> u64 {
        self.literals * BYTES_PER_LITERAL + self.variables * BYTES_PER_VARIABLE
    }
}

impl Callbacks for Guard {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], _: batsat::ClauseKind) {
        self.literals += clause.len() as u64;
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        self.literals = self.literals.saturating_sub(clause.len() as u64);
    }

    fn stop(&self) -> bool {
        // The solver asks again after it was told to stop.
        if self.stopped.borrow().is_some() {
            return true;
        }
        let decisions = self.decisions.get() + 1;
        if decisions < DECISIONS_PER_CHECK {
            self.decisions.set(decisions);
            return false;
        }
        self.decisions.set(0);
        self.share.borrow_mut().set(self.bytes());
        if let Err(limit) = check(&self.budget) {
            *self.stopped.borrow_mut() = Some(limit);
            return true;
        }
        false
    }
}

/// BatSat.
pub struct BatSat {
    solver: rustsat_batsat::Solver<Guard>,
    variables: u32,
}

impl BatSat {
    fn outer(lit: Lit) -> rustsat::types::Lit {
        rustsat::types::Lit::new(lit.0 >> 1, !lit.is_positive())
    }
}

impl Sat for BatSat {
    fn new(budget: &Budget) -> Self {
        let mut solver = BatSat { solver: rustsat_batsat::Solver::default(), variables: 0 };
        solver.set_budget(budget);
        solver
    }

    fn set_budget(&mut self, budget: &Budget) {
        let guard = self.solver.batsat_mut().cb_mut();
        guard.budget = budget.clone();
        guard.share = RefCell::new(budget.share());
        guard.share.get_mut().set(guard.literals * BYTES_PER_LITERAL + guard.variables * BYTES_PER_VARIABLE);
    }

    fn fresh(&mut self) -> Lit {
        let variable = self.variables;
        self.variables += 1;
        self.solver.reserve(Var::new(variable)).expect("the solver makes variables");
        self.solver.batsat_mut().cb_mut().variables += 1;
        Lit::of(variable, true)
    }

    fn add(&mut self, clause: &[Lit]) {
        let clause: Clause = clause.iter().map(|lit| Self::outer(*lit)).collect();
        self.solver.add_clause(clause).expect("the solver accepts clauses");
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        let guard = self.solver.batsat_ref().cb();
        guard.share.borrow_mut().set(guard.bytes());
        guard.budget.check_now(0)?;
        *guard.stopped.borrow_mut() = None;
        let assumptions: Vec<rustsat::types::Lit> = assumptions.iter().map(|lit| Self::outer(*lit)).collect();
        match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => Ok(true),
            Ok(SolverResult::Unsat) => Ok(false),
            Ok(SolverResult::Interrupted) | Err(_) => {
                Err(self.solver.batsat_ref().cb().stopped.borrow().unwrap_or(Exhausted::Time))
            }
        }
    }

    fn value(&self, lit: Lit) -> bool {
        matches!(self.solver.lit_val(Self::outer(lit)), Ok(TernaryVal::True))
    }

    fn core(&mut self) -> Vec<Lit> {
        let core = self.solver.core().unwrap_or_default();
        core.into_iter().map(|lit| Lit::of(lit.vidx32(), lit.is_neg())).collect()
    }

    fn variables(&self) -> usize {
        self.variables as usize
    }

    fn bytes(&self) -> u64 {
        self.solver.batsat_ref().cb().bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_assumptions_and_the_solver_goes_on() {
        let mut solver = Solver::new(&Budget::unlimited());
        let [a, b, c] = [(); 3].map(|()| solver.fresh());
        solver.add(&[!a, !b]);
        assert_eq!(solver.solve(&[a, b, c]), Ok(false));
        let mut core = solver.core();
        core.sort_unstable();
        assert_eq!(core, [a, b]);
        assert_eq!(solver.solve(&[a, c]), Ok(true));
        assert!(solver.value(a) && !solver.value(b) && solver.value(!b));
        solver.add(&[b, c]);
        solver.add(&[!a]);
        assert_eq!(solver.solve(&[a]), Ok(false));
        assert_eq!(solver.solve(&[]), Ok(true));
    }

    #[test]
    fn two_solvers_share_the_memory() {
        let mut budget = Budget::unlimited();
        budget.memory = Some(1_500);
        let with_variables = |count: usize| {
            let mut solver = Solver::new(&budget.stage());
            for _ in 0..count {
                solver.fresh();
            }
            solver
        };
        let (mut first, mut second) = (with_variables(10), with_variables(6));
        assert_eq!(first.solve(&[]), Ok(true));
        assert_eq!(second.solve(&[]), Err(Exhausted::Memory));
        drop(first);
        second.set_budget(&budget.stage());
        assert_eq!(second.solve(&[]), Ok(true));
    }

    /// One pigeon more than holes: hard for resolution.
    #[test]
    fn a_hard_query_ends_with_its_budget() {
        let mut solver = Solver::new(&Budget::unlimited().within_checks(200));
        let holes = 10;
        let at: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| solver.fresh()).collect()).collect();
        for pigeon in &at {
            solver.add(pigeon);
        }
        for hole in 0..holes {
            for (number, one) in at.iter().enumerate() {
                for other in &at[..number] {
                    solver.add(&[!one[hole], !other[hole]]);
                }
            }
        }
        assert_eq!(solver.solve(&[]), Err(Exhausted::Time));
    }
}
