//! Deliberate mistakes in the analysis, so that a test can show that each condition matters and that the walk over the
//! reachable states sees it.

/// A condition that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Each definition of a process is taken for one process, however many run it.
    EveryProcessIsSingle,
    /// What a process writes is taken for its own, whoever else writes it.
    NobodyElseWrites,
    /// An assignment that can wrap around moves its variable one way only.
    SumsDoNotWrap,
    /// A variable that both grows and shrinks is taken for one that grows.
    NothingShrinks,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Mutant; 4] =
        [Mutant::EveryProcessIsSingle, Mutant::NobodyElseWrites, Mutant::SumsDoNotWrap, Mutant::NothingShrinks];
}
