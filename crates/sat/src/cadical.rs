//! CaDiCaL behind the trait [`Sat`], with the cargo feature `cadical`, which needs a C++ compiler.
//!
//! Contract: that of [`Sat`]. The model and the core of a query are copied when it ends, because CaDiCaL forgets them when a
//! clause is added. Its literals are numbers from 1 on, negative where they are negated.
//!
//! Deviations: bytes are those of the clauses that were added, twice, since CaDiCaL does not say how many of the clauses
//! that it learns it keeps.

use ::cadical::{Callbacks, Solver};
use kernel::budget::{Budget, Exhausted, Share};

use crate::solver::{BYTES_PER_LITERAL, BYTES_PER_VARIABLE, Lit, Sat, check};

/// Stops the solver when the budget is exhausted.
struct Guard {
    budget: Budget,
    stopped: Option<Exhausted>,
}

impl Callbacks for Guard {
    fn terminate(&mut self) -> bool {
        if self.stopped.is_none() {
            self.stopped = check(&self.budget).err();
        }
        self.stopped.is_some()
    }
}

/// CaDiCaL.
pub struct CaDiCaL {
    solver: Solver<Guard>,
    budget: Budget,
    share: Share,
    variables: u32,
    literals: u64,
    /// The value of each variable in the last model.
    model: Vec<bool>,
    core: Vec<Lit>,
}

impl CaDiCaL {
    fn outer(lit: Lit) -> i32 {
        let number = i32::try_from(lit.variable() + 1).expect("fewer than 2^31 variables");
        if lit.is_positive() { number } else { -number }
    }
}

impl Sat for CaDiCaL {
    fn new(budget: &Budget) -> Self {
        let (budget, share) = (budget.clone(), budget.share());
        CaDiCaL { solver: Solver::new(), budget, share, variables: 0, literals: 0, model: Vec::new(), core: Vec::new() }
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.share = budget.share();
        self.share.set(self.bytes());
    }

    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::of(self.variables - 1, true)
    }

    fn add(&mut self, clause: &[Lit]) {
        self.literals += clause.len() as u64;
        self.solver.add_clause(clause.iter().map(|lit| Self::outer(*lit)));
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        self.share.set(self.bytes());
        self.budget.check_now(0)?;
        let guard = Guard { budget: self.budget.clone(), stopped: None };
        self.solver.set_callbacks(Some(guard));
        let answer = self.solver.solve_with(assumptions.iter().map(|lit| Self::outer(*lit)));
        match answer {
            // Signs are asked of variables: the binding gives a negated literal the value of its variable.
            Some(true) => {
                let variables = (0..self.variables).map(|variable| Self::outer(Lit::of(variable, true)));
                self.model = variables.map(|lit| self.solver.value(lit) == Some(true)).collect();
            }
            Some(false) => {
                let used = |lit: &&Lit| self.solver.failed(Self::outer(**lit));
                self.core = assumptions.iter().filter(used).copied().collect();
            }
            None => {}
        }
        let stopped = self.solver.get_callbacks().and_then(|guard| guard.stopped);
        answer.ok_or(stopped.unwrap_or(Exhausted::Time))
    }

    fn value(&self, lit: Lit) -> bool {
        self.model.get(lit.variable()).copied().unwrap_or(false) == lit.is_positive()
    }

    fn core(&mut self) -> Vec<Lit> {
        std::mem::take(&mut self.core)
    }

    fn variables(&self) -> usize {
        self.variables as usize
    }

    fn bytes(&self) -> u64 {
        2 * self.literals * BYTES_PER_LITERAL + u64::from(self.variables) * BYTES_PER_VARIABLE
    }
}
