//! Models written in Rust: check any [`System`] against assertions, end states and formulas of linear-time logic.
//!
//! *Contract.* A verdict [`Decision::Holds`] comes with the [`SearchCoverage`] of a search that visited every reachable state. A
//! [`Counterexample`] was walked again on the system, step by step, by code that shares nothing with the search
//! (`walk`), and the direct semantics of the formula ([`omega::semantics`]) found the formula false on it. If the two
//! disagree, the system breaks a law of [`System`] or Lariat has a bug: that is [`CheckError::Disagreement`].
//!
//! *Tested by* `tests/explicit.rs`.

mod walk;

use crate::ltl::{self, FormulaError};
use crate::thresholds::time::PATIENCE;
use kernel::budget::Budget;
use kernel::decision::{Decision, Reason};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::analyse::strength::strength_of;
use omega::formula::{AtomId, Formula, Formulas};
use search::check::{Order, Plan};
use search::explore::{self, Occurrence, Until};
use search::product::{EdgeOrder, NoProperty, Product, Property, Valuation};
use search::shorten::Patience;
use search::store::Store;
use search::stutter::{Stutter, Stuttered};
use search::temporal::{self, Effort, Run};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

pub use search::coverage::SearchCoverage;
pub use search::explore::SafetyKind;
pub use walk::{Counterexample, SystemStep};

/// Why a check has no verdict at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The formula cannot be checked.
    Formula(FormulaError),
    /// The second walk along a counterexample failed: the system breaks a law (see [`kernel::system::laws`]), or Lariat
    /// has a bug.
    Disagreement(String),
}

impl From<FormulaError> for CheckError {
    fn from(error: FormulaError) -> Self {
        CheckError::Formula(error)
    }
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckError::Formula(error) => write!(f, "{error}"),
            CheckError::Disagreement(words) => write!(f, "the search and the second walk disagree: {words}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// The verdict about a system.
pub type Answer<S> = Decision<SearchCoverage, Counterexample<S>>;

/// An atomic proposition: its name, and its truth in a packed state.
type Proposition<'a> = (String, Box<dyn Fn(&[u8]) -> bool + Sync + 'a>);

/// The truth of an atomic proposition in a packed state.
type Truth<'a> = &'a (dyn Fn(&[u8]) -> bool + Sync);

/// The truth of each atom of a formula, by its number.
type BoundAtoms<'a> = BTreeMap<AtomId, Truth<'a>>;

/// The verdicts about the kinds of safety violation.
pub type SafetyAnswers<S> = Vec<(SafetyKind, Answer<S>)>;

/// A check of a system.
///
/// ```
/// use checker::explicit::Check;
/// use kernel::system::{Ending, Successor, System, Visitor};
/// use kernel::decision::Decision;
///
/// /// A light that is off, or on at one of three levels.
/// struct Light;
///
/// impl System for Light {
///     type Step = &'static str;
///     type Scratch = ();
///     fn scratch(&self) {}
///     fn initial(&self, into: &mut Vec<u8>) {
///         into.clear();
///         into.push(0);
///     }
///     fn successors<V: Visitor<&'static str>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
///         visitor.successor(Successor { step: "turn", state: &[(state[0] + 1) % 4], transient: false });
///         if state[0] > 0 {
///             visitor.successor(Successor { step: "off", state: &[0], transient: false });
///         }
///     }
///     fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
///         Ending::Valid
///     }
/// }
///
/// let check = Check::new(&Light).proposition("on", |state| state[0] > 0).proposition("bright", |state| state[0] == 3);
/// assert!(matches!(check.ltl("G (bright -> on)")?, Decision::Holds(_)));
/// let Decision::Violated(lasso) = check.ltl("G F bright")? else { panic!("the light may never be bright") };
/// assert_eq!(lasso.cycle().iter().map(|step| step.step.unwrap()).collect::<Vec<_>>(), ["off", "turn"]);
/// # Ok::<(), checker::explicit::CheckError>(())
/// ```
pub struct Check<'a, M: System> {
    system: &'a M,
    propositions: Vec<Proposition<'a>>,
    budget: Budget,
    effort: Effort,
}

impl<'a, M: System> Check<'a, M> {
    /// A check without limits, which spends some time on making counterexamples shorter.
    pub fn new(system: &'a M) -> Self {
        Self { system, propositions: Vec::new(), budget: Budget::unlimited(), effort: Effort::Within(PATIENCE) }
    }

    /// Defines an atomic proposition: its truth in a packed state.
    #[must_use]
    pub fn proposition(mut self, name: &str, truth: impl Fn(&[u8]) -> bool + Sync + 'a) -> Self {
        self.propositions.push((name.into(), Box::new(truth)));
        self
    }

    /// Limits the check.
    #[must_use]
    pub fn within(mut self, budget: &Budget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// Accepts the first counterexample, of any length.
    #[must_use]
    pub fn first(mut self) -> Self {
        self.effort = Effort::First;
        self
    }

    /// Insists on a shortest counterexample, however long that takes.
    #[must_use]
    pub fn shortest(mut self) -> Self {
        self.effort = Effort::Shortest;
        self
    }

    /// Checks that no assertion fails, that no run-time error happens, and that no run ends in an invalid end: one
    /// verdict for each of [`SafetyKind::ALL`].
    ///
    /// # Errors
    /// If the second walk along a counterexample fails.
    pub fn safety(&self) -> Result<SafetyAnswers<M::Step>, CheckError> {
        let identity = |_: &Occurrence<'_, M::Step>| 0;
        let until = Until::EachKind { grace: u64::MAX };
        let options =
            explore::ExplorationOptions { until, budget: &self.budget, identity: &identity, progress: &mut |_| {} };
        let (order, patience) = match self.effort {
            Effort::First => (Order::DepthFirst, None),
            Effort::Within(patience) => (Order::DepthFirst, Some(patience)),
            Effort::Shortest => (Order::DepthFirst, Some(Patience::ENDLESS)),
        };
        let plan = Plan { order, patience, ..Plan::default() };
        let found = search::check::safety(self.system, plan, options, |finding| walk::finding(self.system, finding));
        let verdicts = found.map_err(CheckError::Disagreement)?.verdicts.into_iter();
        Ok(verdicts
            .map(|(kind, verdict)| {
                let verdict = match verdict {
                    Decision::Holds(coverage) => Decision::Holds(coverage),
                    Decision::Violated(list) => {
                        Decision::Violated(list.into_iter().next().expect("a violation has evidence"))
                    }
                    Decision::Unknown(reason) => Decision::Unknown(reason),
                };
                (kind, verdict)
            })
            .collect())
    }

    /// Checks that every run satisfies a formula over the propositions, in the syntax of Spot, SPIN, NuSMV or LBT. A run
    /// that ends repeats its last state forever.
    ///
    /// # Errors
    /// If the formula cannot be checked, or the second walk along a counterexample fails.
    pub fn ltl(&self, text: &str) -> Result<Answer<M::Step>, CheckError> {
        let mut formulas = Formulas::new();
        let formula = ltl::read(&mut formulas, text)?;
        let bound = self.bind(&formulas, formula)?;
        let negation = formulas.not(formula);
        let automaton = match ltl::automaton(&mut formulas, negation, &self.budget) {
            Ok(automaton) => automaton,
            Err(error) => {
                let limit = self.budget.exhausted(0).ok_or(error)?;
                return Ok(Decision::Unknown(Reason::Limit(limit)));
            }
        };
        let truths: Vec<Truth<'_>> = automaton.propositions().ids().iter().map(|atom| bound[atom]).collect();
        let too_large = |reason: NoProperty| FormulaError::TooLarge(reason.to_string());
        let property = Property::new(&automaton, EdgeOrder::Automatic).map_err(too_large)?;
        let valuation = |state: &[u8]| {
            let bits = truths.iter().enumerate().map(|(bit, truth)| Valuation::from(truth(state)) << bit);
            bits.fold(0, |all, bit| all | bit)
        };
        let watched = Watched { system: self.system, is_broken: AtomicBool::new(false) };
        let product = Product::new(Stutter::new(watched), valuation, property);
        // A bad prefix need not show on its face that every continuation violates the formula; a lasso does.
        for prefixes in [true, false] {
            let mut progress = |_: &_| {};
            let options = temporal::TemporalOptions {
                budget: &self.budget,
                emptiness: None,
                shortening: None,
                effort: self.effort,
                max_length: None,
                store: Store::Exact,
                prefixes,
                threads: None,
                checkpoints: None,
                orders: None,
                strength: strength_of(&automaton),
                progress: &mut progress,
            };
            let outcome = temporal::check(&product, &product, |step| step.model, options);
            let Some(run) = &outcome.run else {
                return Ok(match outcome.absence() {
                    Ok(_) if product.model().inner().is_broken.load(Ordering::Relaxed) => {
                        Decision::Unknown(Reason::RuntimeErrors)
                    }
                    Ok(coverage) => Decision::Holds(coverage),
                    Err(reason) => Decision::Unknown(reason),
                });
            };
            let goal = walk::Goal { formulas: &formulas, formula, atoms: &bound };
            match walk::lasso(self.system, run, &goal, outcome.is_minimal) {
                Ok(counterexample) => return Ok(Decision::Violated(counterexample)),
                Err(walk::Refusal::NoViolation) if prefixes && run.cycle.is_empty() => {}
                Err(walk::Refusal::NoViolation) => {
                    return Err(CheckError::Disagreement("the run does not violate the formula".into()));
                }
                Err(walk::Refusal::NoRun(words)) => return Err(CheckError::Disagreement(words)),
            }
        }
        unreachable!("a search without prefixes gives a lasso or none")
    }

    /// Binds the atoms of a formula to the propositions of these names.
    fn bind(&self, formulas: &Formulas, formula: Formula) -> Result<BoundAtoms<'_>, FormulaError> {
        let bind = |atom: AtomId| {
            let name = formulas.atom_name(atom);
            let found = self.propositions.iter().find(|(known, _)| known == name);
            let (_, truth) = found.ok_or_else(|| FormulaError::UnknownProposition(name.into()))?;
            Ok((atom, &**truth as Truth<'_>))
        };
        formulas.atoms(formula).into_iter().map(bind).collect()
    }
}

/// A system, and whether some run ended in a run-time error while it was explored: then nothing is known about what would
/// come after.
struct Watched<'a, M> {
    system: &'a M,
    is_broken: AtomicBool,
}

impl<M: System> System for Watched<'_, M> {
    type Step = M::Step;
    type Scratch = M::Scratch;

    fn scratch(&self) -> M::Scratch {
        self.system.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.system.initial(into);
    }

    fn successors<V: Visitor<M::Step>>(&self, scratch: &mut M::Scratch, state: &[u8], visitor: &mut V) {
        self.system.successors(scratch, state, &mut NotingFaults { visitor, is_broken: &self.is_broken });
    }

    fn ending(&self, scratch: &mut M::Scratch, state: &[u8]) -> Ending {
        self.system.ending(scratch, state)
    }
}

/// Passes everything on, and notes run-time errors.
struct NotingFaults<'a, V> {
    visitor: &'a mut V,
    is_broken: &'a AtomicBool,
}

impl<S, V: Visitor<S>> Visitor<S> for NotingFaults<'_, V> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.visitor.successor(successor);
    }

    fn fault(&mut self, step: S, fault: Fault) {
        if fault == Fault::Runtime {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        self.visitor.fault(step, fault);
    }
}

/// The run of a search over ends that repeat.
type Found<S> = Run<Stuttered<S>>;
