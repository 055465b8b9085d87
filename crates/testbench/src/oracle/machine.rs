//! The law: with machine code, a compiled model is the same transition system, byte for byte.
//!
//! Two copies of a model, one executed by the interpreter and one by machine code, are asked about the same states. Steps, their
//! order, the states after them, what goes wrong, what is transient, which states are passed and which edges were
//! executed must agree.

use kernel::system::{Fault, Record, Successor, System, Visitor, record};
use promela::compiled::{Execution, Flaw, Model, ModelStep, Scratch};
use std::collections::{BTreeSet, VecDeque};

/// A model twice.
pub struct Twins {
    interpreted: (Model, Scratch),
    compiled: (Model, Scratch),
}

impl Twins {
    /// Makes the twins, with a flaw in the machine code if one is wanted.
    pub fn new(make: impl Fn() -> Model, flaw: Option<Flaw>) -> Self {
        let interpreted = make().with_execution(Execution::Interpreted);
        let compiled = make().with_execution(Execution::Compiled);
        let compiled = match flaw {
            Some(flaw) => compiled.with_flaw(flaw),
            None => compiled,
        };
        let scratch = |model: &Model| model.scratch();
        let scratches = (scratch(&interpreted), scratch(&compiled));
        Self { interpreted: (interpreted, scratches.0), compiled: (compiled, scratches.1) }
    }

    /// The edges for whose guards and for whose effects there is code, and all edges.
    #[must_use]
    pub fn translated(&self) -> [usize; 3] {
        self.compiled.0.translated()
    }

    /// Compares what both say about a state.
    ///
    /// # Errors
    /// The disagreement, in words.
    pub fn agree_on(&mut self, state: &[u8]) -> Result<(), String> {
        let ((model, scratch), (machine, machine_scratch)) = (&mut self.interpreted, &mut self.compiled);
        let (ours, theirs) = (record(machine, machine_scratch, state), record(model, scratch, state));
        if ours != theirs {
            return Err(format!("machine code {ours:?}\ninterpreter  {theirs:?}"));
        }
        let (ours, theirs) = (Passing::of(machine, machine_scratch, state), Passing::of(model, scratch, state));
        if ours != theirs {
            return Err(format!("passing:\nmachine code {ours:?}\ninterpreter  {theirs:?}"));
        }
        let (ours, theirs) = (machine_scratch.executed(), scratch.executed());
        if ours == theirs { Ok(()) } else { Err(format!("executed:\nmachine code {ours:?}\ninterpreter  {theirs:?}")) }
    }

    /// Compares both in at most `limit` states, breadth first; gives the number of states.
    ///
    /// # Errors
    /// The first disagreement, in words.
    pub fn agree(&mut self, limit: usize) -> Result<usize, String> {
        let mut initial = Vec::new();
        self.interpreted.0.initial(&mut initial);
        let mut seen = BTreeSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        while let Some(state) = queue.pop_front() {
            self.agree_on(&state).map_err(|what| format!("in {:?}\n{what}", self.interpreted.0.snapshot(&state)))?;
            for (_, next, _) in record(&self.interpreted.0, &mut self.interpreted.1, &state).successors {
                if seen.len() < limit && seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        Ok(seen.len())
    }
}

/// What a visit reports that may pass through states, and how many it had passed at each successor.
#[derive(Debug, PartialEq, Eq)]
struct Passing {
    record: Record<ModelStep>,
    counts: Vec<usize>,
    count: usize,
}

impl Passing {
    fn of(model: &Model, scratch: &mut Scratch, state: &[u8]) -> Self {
        let record = Record { successors: Vec::new(), faults: Vec::new() };
        let mut passing = Self { record, counts: Vec::new(), count: 0 };
        model.successors(scratch, state, &mut passing);
        passing
    }
}

impl Visitor<ModelStep> for Passing {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        self.record.successor(successor);
        self.counts.push(self.count);
    }

    fn fault(&mut self, step: ModelStep, fault: Fault) {
        self.record.fault(step, fault);
    }

    fn passes_through(&self) -> bool {
        true
    }

    fn passed(&mut self) {
        self.count += 1;
    }
}
