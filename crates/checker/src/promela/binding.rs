//! A compiled Promela model as the explicit engine's products and fairness want it: the two do not know each other.
//!
//! [`product`] is the only place that multiplies a Promela model with an automaton: checks, tests and benchmarks use it.

use crate::thresholds::temporal::MOST_PROCESSES;
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::automaton::{Automaton, Marks};
use promela::compiled::{self, Model, ModelStep};
use promela::reduce::{Reduced, Scratch};
use promela::snapshot::Action;
use promela::typed::{Expr, Program};
use search::fairness::Movers;
use search::product::{Atoms, EdgeOrder, Product, Property, Valuation};
use search::stutter::Stutter;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The model in step with an automaton.
pub type ModelProduct<'m> = Product<Stutter<Bound<'m>>, BoundAtoms<'m>>;

/// Multiplies a model with an automaton. `atoms` has the expression of each atom at the index by which the automaton knows it. If `stutters`, a run that ends counts
/// as a run that repeats its last state.
///
/// # Errors
/// If the automaton has more atoms than a product can have, in words.
///
/// # Panics
/// If the automaton has an atom that is not in the list.
pub fn product<'m>(
    reduced: Reduced<'m>,
    automaton: &Automaton,
    atoms: &[(String, Expr)],
    order: EdgeOrder,
    stutters: bool,
) -> Result<ModelProduct<'m>, String> {
    let property = Property::new(automaton, order).map_err(|reason| reason.to_string())?;
    let propositions = automaton.propositions();
    let bound = propositions.ids().iter().map(|id| &atoms[id.index()]);
    debug_assert!(
        bound.clone().map(|(name, _)| name).eq(propositions.names()),
        "the automaton has the atoms of the list"
    );
    let expressions: Vec<&Expr> = bound.map(|(_, expression)| expression).collect();
    Ok(product_with(reduced, property, expressions, stutters))
}

/// The same, given the compiled automaton and the expressions of its atoms.
pub(crate) fn product_with<'m>(
    reduced: Reduced<'m>,
    property: Property,
    expressions: Vec<&Expr>,
    stutters: bool,
) -> ModelProduct<'m> {
    let model = reduced.model();
    let bound = Bound::new(reduced);
    let runs = if stutters { Stutter::new(bound) } else { Stutter::off(bound) };
    Product::new(runs, BoundAtoms::new(model, expressions), property)
}

/// A model, and the events that a search noticed while it explored the model.
#[derive(Debug)]
pub struct Bound<'m> {
    model: Reduced<'m>,
    processes: u32,
    /// Some run ended in a run-time error.
    is_broken: AtomicBool,
    /// Some process has too high a number for fairness.
    is_crowded: AtomicBool,
}

impl<'m> Bound<'m> {
    /// Binds a model.
    #[must_use]
    pub fn new(model: Reduced<'m>) -> Self {
        let (is_broken, is_crowded) = (AtomicBool::new(false), AtomicBool::new(false));
        let processes = processes(model.model().program());
        Self { model, processes, is_broken, is_crowded }
    }

    /// Whether some run ended in a run-time error, as far as it was explored.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Takes over what another search of the same model noticed.
    pub(super) fn recall(&self, is_broken: bool) {
        self.is_broken.fetch_or(is_broken, Ordering::Relaxed);
    }

    /// The same for processes with too high a number.
    pub(super) fn recall_crowd(&self, is_crowded: bool) {
        self.is_crowded.fetch_or(is_crowded, Ordering::Relaxed);
    }

    /// The model.
    pub(super) fn reduced(&self) -> &Reduced<'m> {
        &self.model
    }

    /// Whether there were more processes than fairness can tell apart.
    pub(crate) fn is_crowded(&self) -> bool {
        self.is_crowded.load(Ordering::Relaxed)
    }
}

/// How many processes there can be, as far as the text tells.
fn processes(program: &Program) -> u32 {
    let active: u32 = program.procs.iter().map(|proc| proc.active).sum();
    if program.runs_processes() { MOST_PROCESSES.max(active) } else { active }
}

impl System for Bound<'_> {
    type Step = ModelStep;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        self.model.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.model.initial(into);
    }

    #[inline]
    fn successors<V: Visitor<ModelStep>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        self.model.successors(scratch, state, &mut Watch { visitor, is_broken: &self.is_broken });
    }

    fn ending(&self, scratch: &mut Scratch, state: &[u8]) -> Ending {
        self.model.ending(scratch, state)
    }

    fn merge_notes(&self, scratch: &mut Scratch, other: &Scratch) {
        self.model.merge_notes(scratch, other);
    }
}

/// Notes run-time errors.
struct Watch<'a, V> {
    visitor: &'a mut V,
    is_broken: &'a AtomicBool,
}

impl<V: Visitor<ModelStep>> Visitor<ModelStep> for Watch<'_, V> {
    #[inline]
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        self.visitor.successor(successor);
    }

    fn fault(&mut self, step: ModelStep, fault: Fault) {
        if fault == Fault::Runtime {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        self.visitor.fault(step, fault);
    }

    #[inline]
    fn passes_through(&self) -> bool {
        self.visitor.passes_through()
    }

    #[inline]
    fn passed(&mut self) {
        self.visitor.passed();
    }
}

impl Movers for Bound<'_> {
    fn processes(&self) -> u32 {
        self.processes
    }

    fn movers(&self, step: ModelStep) -> Marks {
        let step = self.model.model().step(step);
        let receiver = match step.action {
            Action::Handshake { receiver, .. } => Some(receiver),
            _ => None,
        };
        let mut movers = Marks::NONE;
        for pid in std::iter::once(step.pid).chain(receiver) {
            match pid < self.processes {
                true => movers = movers.union(Marks::one(pid)),
                false => self.is_crowded.store(true, Ordering::Relaxed),
            }
        }
        movers
    }
}

/// No atom met a run-time error.
const NONE_FAILED: usize = usize::MAX;

/// The atoms of a property on the packed states of a model.
#[derive(Debug)]
pub struct BoundAtoms<'m> {
    model: &'m Model,
    atoms: compiled::Atoms,
    /// An atom that met a run-time error in some state, or [`NONE_FAILED`].
    failed: AtomicUsize,
}

impl<'m> BoundAtoms<'m> {
    /// Binds expressions, in the order of the bits of a valuation.
    pub(crate) fn new<'e>(model: &'m Model, expressions: impl IntoIterator<Item = &'e Expr>) -> Self {
        Self { model, atoms: model.atoms(expressions), failed: AtomicUsize::new(NONE_FAILED) }
    }

    /// The number of an atom that met a run-time error in some state, as far as was explored.
    pub(crate) fn failed(&self) -> Option<usize> {
        Some(self.failed.load(Ordering::Relaxed)).filter(|index| *index != NONE_FAILED)
    }
}

impl BoundAtoms<'_> {
    /// Takes over what another search of the same model noticed: [`Self::failed`], or [`NONE_FAILED`].
    pub(super) fn recall(&self, failed: usize) {
        if failed != NONE_FAILED {
            self.failed.store(failed, Ordering::Relaxed);
        }
    }
}

impl Atoms<Scratch> for BoundAtoms<'_> {
    #[inline]
    fn valuation(&self, scratch: &mut Scratch, state: &[u8]) -> Valuation {
        let truth = self.model.truth(scratch.model(), &self.atoms, state);
        truth.enumerate().fold(0, |bits, (index, truth)| {
            let truth = truth.unwrap_or_else(|| {
                self.failed.store(index, Ordering::Relaxed);
                false
            });
            bits | Valuation::from(truth) << index
        })
    }
}
