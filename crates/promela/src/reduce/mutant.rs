//! Deliberate mistakes in the analysis, so that tests can show that each condition matters and that the oracle sees it.

/// A condition that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Two writes of a variable are taken for independent.
    WriteWrite,
    /// A read and a write of a variable are taken for independent.
    ReadWrite,
    /// What an index depends on does not enable a statement.
    IndexEnables,
    /// A rendezvous send does not wait for its partner.
    PartnerEnables,
    /// `else` does not depend on the guards before it.
    ElseGuards,
    /// `run` does not read what initial values read.
    InitialReads,
    /// Creation is local.
    CreationLocal,
    /// The end of a process is local.
    DeathLocal,
    /// What a process does after it has been started does not count as the future of the process that starts it.
    CreatedFuture,
    /// The rest of an atomic sequence does not count.
    AtomicRest,
    /// Whether a handshake inside an atomic sequence is possible depends on nobody.
    AtomicHandshake,
    /// A sequence that may pass control to a receiver is not sticky for that reason.
    HandOverLoose,
    /// A sorted send is independent of receives.
    SortedSend,
    /// Events are independent although an assertion about events watches them.
    Monitor,
    /// The `provided` clause is forgotten.
    Provided,
    /// Only steps into a label are visible.
    LabelEntryOnly,
    /// Self-loops need no sticky edge.
    SelfLoop,
    /// In a ring of processes each relies on the sticky edges of the others.
    RelievedRing,
    /// No edge is sticky.
    NoProviso,
    /// No step is visible.
    NothingVisible,
    /// A chain may contain a sticky edge.
    ChainSticky,
    /// Interchangeable processes may end.
    SymmetricDeath,
    /// Interchangeable processes may compute with their numbers.
    SymmetricArithmetic,
    /// The property may look at one of several interchangeable processes.
    SymmetricAtoms,
    /// Looking at a message counts as taking it.
    PeekTakes,
    /// Processes that are started again and again count as existing during a whole cycle.
    StartedStays,
    /// Not even the end of the last process counts.
    LastEnds,
    /// The channels of a process exist without it.
    ChannelsStay,
    /// A statement does not depend on the guards of the escapes around it.
    EscapeGuards,
    /// A `D_proctype` is a process like any other.
    Deterministic,
    /// `_nr_pr` is a constant.
    ProcessCount,
    /// `enabled` depends on nothing.
    EnabledLooks,
    /// `P@label` and `P:x` depend on nothing.
    RemoteReads,
}
