//! Deliberate mistakes in the engines, so that tests can show that each condition matters and that the comparison sees it.
//!
//! A circuit carries the mistake to all engines that look at it. Tested by `tests/mutants.rs`.

/// A condition that is left out or got wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Bounded checking: the state after a loop need not be the one at its start.
    LoopOpen,
    /// Bounded checking: a formula has one value at a position, however often the loop was gone through.
    OneRound,
    /// Bounded checking: an eventuality may be postponed forever.
    Postponed,
    /// Bounded checking: justice that is met before the loop counts.
    JusticeBeforeLoop,
    /// Bounded checking: a premise of compassion that is true before the loop counts.
    CompassionBeforeLoop,
    /// Bounded checking: after a length without a counterexample, one length is left out.
    LengthLeftOut,
    /// Induction: states may be repeated in the induction step.
    StatesRepeat,
    /// Induction: states must differ in their first bit, though they could differ in another one.
    FirstBitDiffers,
    /// IC3: a cube is made larger although it then contains initial states.
    InitialExcluded,
    /// IC3: a cube is made larger although steps lead into it.
    EnteredExcluded,
    /// IC3: clauses are pushed to the next frame although a step contradicts them.
    PushedUnasked,
    /// IC3: a predecessor is enlarged to states whose steps are not allowed.
    StepForgotten,
    /// k-liveness: rounds count only if they follow each other at once.
    CountForgotten,
    /// k-liveness: one condition alone makes a round.
    OneConditionCounts,
    /// Liveness-to-safety: the state that is repeated is compared on its first bit only.
    FirstBitRepeats,
    /// Liveness-to-safety: conditions that were met before the state was saved count.
    MetBeforeSaving,
    /// Monitor: a guess need not turn out right.
    GuessUnchecked,
    /// Monitor: an eventuality may be postponed forever.
    PromiseForgotten,
    /// Monitor: the premise of compassion may become true again.
    PremiseReturns,
    /// Stripping: that a step leads from each state into the next cube is taken for granted.
    StepsUnasked,
    /// Stripping: every state that breaks the promise counts as reachable.
    AllStatesReachable,
    /// Stripping: only the choices of the trace itself are tried.
    ChoicesUnrefined,
}
