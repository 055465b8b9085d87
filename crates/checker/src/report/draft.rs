//! A run that a search found and that a limit kept from being confirmed, in a form that takes little time and memory.

use std::sync::Arc;

/// A run that was found and not confirmed: a fingerprint of the state after each step. From these the model finds the run
/// again, and then a validator can confirm it.
///
/// Fingerprints are those of one version of Lariat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    fingerprints: Arc<[u64]>,
    shape: DraftShape,
}

/// What a draft says beside its states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DraftShape {
    /// The number of steps of the loop, which are the last ones.
    pub cycle: usize,
    /// Whether the last state repeats forever.
    pub stutters: bool,
    /// Whether one more step follows, which ends in a run-time error.
    pub breaks_off: bool,
}

impl Draft {
    /// A run with these fingerprints of the states after its steps.
    #[must_use]
    pub fn new(fingerprints: Vec<u64>, shape: DraftShape) -> Self {
        Self { fingerprints: fingerprints.into(), shape }
    }

    /// The fingerprints of the states after the steps.
    #[must_use]
    pub fn fingerprints(&self) -> &[u64] {
        &self.fingerprints
    }

    /// What is known beside the states.
    #[must_use]
    pub fn shape(&self) -> DraftShape {
        self.shape
    }

    /// The number of steps; a repeated last state counts as one.
    #[must_use]
    pub fn length(&self) -> usize {
        self.fingerprints.len() + usize::from(self.shape.breaks_off) + usize::from(self.shape.stutters)
    }
}
