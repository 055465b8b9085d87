//! The reductions of a state space: which may be used, and which were.

use schemars::JsonSchema;
use serde::Serialize;

/// A way to make the state space of a Promela model smaller without changing the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reduction {
    /// Partial-order reduction: of the orders of independent steps, one is explored.
    Por,
    /// Chaining: a state whose only explored step is local is passed through and not stored.
    Chain,
    /// Dead variables: a variable that is written before it is next read gets a canonical value.
    Dead,
    /// Slicing: variables that influence nothing are left out.
    Slice,
    /// Symmetry: states that differ by a permutation of interchangeable processes are merged.
    Symmetry,
}

impl Reduction {
    /// All reductions, in the order in which reports list them.
    pub const ALL: [Reduction; 5] =
        [Reduction::Por, Reduction::Chain, Reduction::Dead, Reduction::Slice, Reduction::Symmetry];

    /// The word for it in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Por => "por",
            Reduction::Chain => "chain",
            Reduction::Dead => "dead",
            Reduction::Slice => "slice",
            Reduction::Symmetry => "symmetry",
        }
    }

    /// What it is called in sentences.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Reduction::Por => "partial order",
            Reduction::Chain => "chaining",
            Reduction::Dead => "dead variables",
            Reduction::Slice => "slicing",
            Reduction::Symmetry => "symmetry",
        }
    }

    /// Whether it is used unless it is switched off.
    #[must_use]
    pub fn is_automatic(self) -> bool {
        self != Reduction::Symmetry
    }
}

/// Which reductions may be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reductions {
    /// Each that is sound for the property.
    #[default]
    Auto,
    /// Of these, each that is sound for the property; none if there are none.
    Only(Vec<Reduction>),
}

impl Reductions {
    /// No reduction.
    pub const OFF: Reductions = Reductions::Only(Vec::new());

    /// Whether a reduction may be used.
    #[must_use]
    pub fn allow(&self, reduction: Reduction) -> bool {
        match self {
            Reductions::Auto => reduction.is_automatic(),
            Reductions::Only(list) => list.contains(&reduction),
        }
    }

    /// Whether none may be used.
    #[must_use]
    pub fn is_off(&self) -> bool {
        Reduction::ALL.into_iter().all(|reduction| !self.allow(reduction))
    }
}

/// Which of the reductions that were allowed a search used.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ReductionReport {
    /// Those that were used.
    pub used: Vec<Reduction>,
    /// Those that were not, and why.
    pub unused: Vec<Unused>,
    /// The variables that get a canonical value where they are dead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub canonical: Vec<String>,
    /// The number of sends of a field that no receive looks at, and that is sent as zero.
    #[serde(skip_serializing_if = "is_zero")]
    pub silent: usize,
    /// The variables that influence nothing and are no part of the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// How often a state was expanded in the reduced search.
    #[serde(skip_serializing_if = "is_none")]
    pub expanded: u64,
    /// How often not all processes were explored there.
    #[serde(skip_serializing_if = "is_none")]
    pub reduced: u64,
    /// How often a state was passed through without being stored.
    #[serde(skip_serializing_if = "is_none")]
    pub passed: u64,
    /// How often a state was replaced by one with its processes exchanged.
    #[serde(skip_serializing_if = "is_none")]
    pub exchanged: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is given")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is given")]
fn is_none(number: &u64) -> bool {
    *number == 0
}

/// A reduction that was not used.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Unused {
    /// Which.
    pub reduction: Reduction,
    /// Why not, in words.
    pub reason: String,
}

impl ReductionReport {
    /// Notes what became of a reduction that was allowed: it is used, or the reason why it is not.
    pub fn note(&mut self, reduction: Reduction, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.used.push(reduction),
            Err(reason) => self.unused.push(Unused { reduction, reason }),
        }
    }

    /// Adds what became of further reductions.
    pub fn add(&mut self, other: ReductionReport) {
        self.count(&other);
        let ReductionReport { used, unused, canonical, silent, removed, .. } = other;
        self.used.extend(used);
        self.unused.extend(unused);
        self.canonical.extend(canonical);
        self.silent += silent;
        self.removed.extend(removed);
    }

    /// Adds what was measured in another search.
    pub fn count(&mut self, other: &ReductionReport) {
        self.expanded += other.expanded;
        self.reduced += other.reduced;
        self.passed += other.passed;
        self.exchanged += other.exchanged;
    }

    /// Notes what was measured in a reduced search; a reduction that changed nothing there was not used.
    pub(crate) fn measure(&mut self, counts: promela::reduce::Counts) {
        (self.expanded, self.reduced, self.passed) = (counts.expanded, counts.reduced, counts.passed);
        self.exchanged = counts.exchanged;
        if counts.reduced == 0 {
            self.turn_down(Reduction::Por, "every state that was visited had to be expanded fully");
        }
        if counts.passed == 0 {
            self.turn_down(Reduction::Chain, "no state that was visited could be passed through");
        }
        if counts.exchanged == 0 {
            self.turn_down(Reduction::Symmetry, "no two states that were visited differ by an exchange of processes");
        }
    }

    /// Notes that a reduction was not used after all, and why.
    fn turn_down(&mut self, reduction: Reduction, reason: &str) {
        if let Some(place) = self.used.iter().position(|used| *used == reduction) {
            self.used.remove(place);
            let place = self.unused.partition_point(|unused| unused.reduction < reduction);
            self.unused.insert(place, Unused { reduction, reason: reason.into() });
        }
    }

    /// Whether the same was done and not done, whatever was measured.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        self.uncounted() == other.uncounted()
    }

    /// The same without what was measured.
    fn uncounted(&self) -> Self {
        Self { expanded: 0, reduced: 0, passed: 0, exchanged: 0, ..self.clone() }
    }

    /// Notes that the answer comes from a search without those that were used, and why.
    pub(crate) fn withdraw(&mut self, reason: &str) {
        let used = std::mem::take(&mut self.used);
        let unused = used.into_iter().map(|reduction| Unused { reduction, reason: reason.into() });
        self.unused.splice(0..0, unused);
    }

    /// Whether nothing was allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used.is_empty() && self.unused.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetry_is_used_only_if_it_is_named() {
        assert!(Reductions::OFF.is_off());
        for reduction in Reduction::ALL {
            assert!(Reductions::Only(vec![reduction]).allow(reduction));
            assert_eq!(Reductions::Auto.allow(reduction), reduction != Reduction::Symmetry);
        }
    }
}
