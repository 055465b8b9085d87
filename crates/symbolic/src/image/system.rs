//! States, steps and fairness as decision diagrams: all that fixpoints need to know.
//!
//! Contract: a set of states is a diagram over the present bits of the state. The steps are a disjunction of events, each
//! a conjunction of parts in which some bits keep their values. An event mentions only what it changes and tests, so its
//! step costs little however many variables stand by (disjunctive partitioning, [burch.91.vlsi]); its conjuncts are
//! scheduled by [`image`](crate::image). Both a model and the product of a model with a formula are systems. Tested
//! against the enumerator.

use crate::thresholds::image::SMALLER_RELATION_PERCENT;
use bdd::{Bdd, Cube, Manager, Relation, Variable};

use crate::image::schedule::Schedule;
use kernel::budget::{Budget, Exhausted};

/// The conjuncts of one event, before they are scheduled.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// Values of inputs that select this event; the conjuncts no longer mention those inputs.
    pub(crate) selects: Cube,
    pub(crate) conjuncts: Vec<Bdd>,
    /// Present bits whose next value is the same.
    pub(crate) kept: Vec<Variable>,
}

/// The parts of a system.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) budget: Budget,
    pub(crate) manager: Manager,
    /// The bits of the state that can change, with their partners in the next state.
    pub(crate) pairs: Vec<(Variable, Variable)>,
    pub(crate) inputs: Vec<Variable>,
    /// Where all inputs have values of their domains.
    pub(crate) valid_inputs: Bdd,
    /// All bits of the present state.
    pub(crate) state_bits: Vec<Variable>,
    pub(crate) states: Bdd,
    pub(crate) initial: Bdd,
    pub(crate) justice: Vec<Bdd>,
    pub(crate) compassion: Vec<(Bdd, Bdd)>,
    pub(crate) splits: Vec<Split>,
}

/// One event, ready for use.
#[derive(Clone, Debug)]
struct Event {
    /// Present bits and their partners, and back.
    to_next: Vec<(Variable, Variable)>,
    to_present: Vec<(Variable, Variable)>,
    /// Partners of the bits that the event keeps, and those bits.
    kept: Vec<(Variable, Variable)>,
    forward: Schedule,
    backward: Schedule,
    /// Pairs of present and next bits that can change; an input bit is paired with itself.
    pairs: Vec<(Variable, Variable)>,
}

/// The system.
#[derive(Clone, Debug)]
pub struct System {
    parts: Parts,
    events: Vec<Event>,
}

impl System {
    pub(crate) fn new(parts: Parts) -> Result<Self, Exhausted> {
        let events =
            parts.splits.iter().map(|split| Event::new(&parts, split)).collect::<Result<Vec<_>, Exhausted>>()?;
        Ok(System { parts, events })
    }

    /// The same system with steps that need only be right from the states of a set which steps do not leave. The relation
    /// is kept as it is unless this makes it clearly smaller: otherwise it only mixes up what parts depend on.
    pub(crate) fn simplified(&self, care: &Bdd) -> Result<Self, Exhausted> {
        if care.is_false() {
            return Ok(self.clone());
        }
        let mut parts = self.parts.clone();
        parts.states = care.clone();
        let kept = System { parts: parts.clone(), events: self.events.clone() };
        for conjunct in parts.splits.iter_mut().flat_map(|split| &mut split.conjuncts) {
            *conjunct = conjunct.try_simplify(care)?;
        }
        let smaller = System::new(parts)?;
        let (before, after) = (kept.relation_size().1, smaller.relation_size().1);
        Ok(if after * 100 <= before * SMALLER_RELATION_PERCENT { smaller } else { kept })
    }

    /// The system with one more bit for each constraint on state and input, which is true once the constraint was met;
    /// and the new bits.
    pub(crate) fn monitored(&self, constraints: &[Bdd]) -> Result<(Self, Vec<Variable>), Exhausted> {
        let mut parts = self.parts.clone();
        let used = parts.pairs.iter().flat_map(|pair| [pair.0, pair.1]).chain(parts.inputs.iter().copied());
        let first = used.chain(parts.state_bits.iter().copied()).map(|bit| bit.0 + 1).max().unwrap_or(0);
        let mut bits = Vec::new();
        for (pair, constraint) in (0..).zip(constraints) {
            let (now, next) = (Variable(first + 2 * pair), Variable(first + 2 * pair + 1));
            let met = parts.manager.try_variable(now)?.try_or(constraint)?;
            let remembers = !parts.manager.try_variable(next)?.try_xor(&met)?;
            for split in &mut parts.splits {
                split.conjuncts.push(remembers.try_restrict(&split.selects)?);
            }
            parts.pairs.push((now, next));
            parts.state_bits.push(now);
            bits.push(now);
        }
        Ok((System::new(parts)?, bits))
    }

    /// The system without the steps that do not satisfy a condition on state and input.
    pub(crate) fn restricted(&self, condition: &Bdd) -> Result<Self, Exhausted> {
        let mut parts = self.parts.clone();
        for split in &mut parts.splits {
            split.conjuncts.push(condition.try_restrict(&split.selects)?);
        }
        System::new(parts)
    }

    /// The budget of loops whose operations may all be known already, so that the manager notices no limit.
    pub(crate) fn budget(&self) -> &Budget {
        &self.parts.budget
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The manager of all diagrams.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.parts.manager
    }

    /// All states, reachable or not.
    #[must_use]
    pub fn states(&self) -> &Bdd {
        &self.parts.states
    }

    /// The states in which paths begin.
    #[must_use]
    pub fn initial(&self) -> &Bdd {
        &self.parts.initial
    }

    /// The justice constraints, over states and inputs.
    #[must_use]
    pub fn justice(&self) -> &[Bdd] {
        &self.parts.justice
    }

    /// The compassion constraints, over states and inputs.
    #[must_use]
    pub fn compassion(&self) -> &[(Bdd, Bdd)] {
        &self.parts.compassion
    }

    /// Whether a condition mentions inputs.
    pub(crate) fn mentions_inputs(&self, condition: &Bdd) -> bool {
        let support = condition.support();
        self.parts.inputs.iter().any(|input| support.contains(input))
    }

    /// All bits of the present state.
    #[must_use]
    pub fn state_bits(&self) -> &[Variable] {
        &self.parts.state_bits
    }

    /// How many events there are.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// How many bits one event can change.
    pub(crate) fn changed_bits(&self, event: usize) -> usize {
        self.events[event].to_next.len()
    }

    /// Clusters and nodes of all schedules, forward.
    #[must_use]
    pub fn relation_size(&self) -> (usize, usize) {
        let clusters = self.events.iter().map(|event| event.forward.len()).sum();
        (clusters, self.events.iter().map(|event| event.forward.size()).sum())
    }

    /// The nodes of each cluster of all schedules, forward and backward.
    #[must_use]
    pub fn cluster_sizes(&self) -> (Vec<usize>, Vec<usize>) {
        let forward = self.events.iter().flat_map(|event| event.forward.sizes()).collect();
        (forward, self.events.iter().flat_map(|event| event.backward.sizes()).collect())
    }

    /// The states reached from the set in one step.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn image(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        let mut image = self.manager().no();
        for event in 0..self.events.len() {
            image = image.try_or(&self.image_of(event, set)?)?;
        }
        Ok(image)
    }

    /// The states reached from the set by one event.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn image_of(&self, event: usize, set: &Bdd) -> Result<Bdd, Exhausted> {
        let event = &self.events[event];
        if let Some(relation) = event.forward.single()
            && let Some(image) = set.try_step(relation, &event.pairs, false)?
        {
            return Ok(image);
        }
        Ok(event.forward.apply(set)?.try_rename(&event.to_present)?)
    }

    /// Whether the relation of an event is in one piece.
    pub(crate) fn is_single(&self, event: usize) -> bool {
        self.events[event].forward.single().is_some()
    }

    /// All states that the events whose relation is in one piece reach from a set, itself included; none if reordering has
    /// separated a bit from its partner.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(crate) fn saturated(&self, set: &Bdd) -> Result<Option<Bdd>, Exhausted> {
        let single = self
            .events
            .iter()
            .filter_map(|event| event.forward.single().map(|relation| Relation { relation, pairs: &event.pairs }));
        let relations: Vec<Relation<'_>> = single.collect();
        Ok(set.try_saturate(&relations)?)
    }

    /// A condition on state, input and next state, as one event sees it.
    fn seen_by(&self, event: usize, condition: &Bdd) -> Result<Bdd, Exhausted> {
        if condition.is_true() {
            return Ok(condition.clone());
        }
        Ok(condition.try_restrict(&self.parts.splits[event].selects)?.try_rename(&self.events[event].kept)?)
    }

    /// The states reached from the set in one step whose state, input and next state satisfy `condition`.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn image_with(&self, set: &Bdd, condition: &Bdd) -> Result<Bdd, Exhausted> {
        if condition.is_true() {
            return self.image(set);
        }
        let mut image = self.manager().no();
        for event in 0..self.events.len() {
            // The condition may mention the next state, which a step in one pass does not allow.
            let set = set.try_and(&self.seen_by(event, condition)?)?;
            let event = &self.events[event];
            image = image.try_or(&event.forward.apply(&set)?.try_rename(&event.to_present)?)?;
        }
        Ok(image)
    }

    /// The states that have some step.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn enabled(&self) -> Result<Bdd, Exhausted> {
        let mut enabled = self.manager().no();
        for event in &self.events {
            enabled = enabled.try_or(&event.backward.apply(&self.manager().yes())?)?;
        }
        Ok(enabled.try_and(self.states())?)
    }

    /// The events in the order of their topmost levels. Those that touch only the lower levels are first: a chain of
    /// events repeats them most often.
    pub(crate) fn events_from_below(&self) -> Vec<usize> {
        let order = self.manager().order(bdd::MAX_VARIABLES);
        let mut level = vec![0_u32; order.len()];
        for (at, variable) in (0..).zip(&order) {
            level[variable.0 as usize] = at;
        }
        let top = |split: &Split| {
            let mentioned = split.conjuncts.iter().flat_map(Bdd::support);
            mentioned.map(|variable| level[variable.0 as usize]).min().unwrap_or(0)
        };
        let tops: Vec<u32> = self.parts.splits.iter().map(top).collect();
        let mut events: Vec<usize> = (0..tops.len()).collect();
        events.sort_by_key(|event| (std::cmp::Reverse(tops[*event]), *event));
        events
    }

    /// The states from which one step leads into the set.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn preimage(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        self.preimage_with(&self.manager().yes(), set)
    }

    /// The states from which one step whose state, input and next state satisfy `condition` leads into the set.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn preimage_with(&self, condition: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        let mut preimage = self.manager().no();
        for event in 0..self.events.len() {
            preimage = preimage.try_or(&self.preimage_of(event, condition, set)?)?;
        }
        Ok(preimage.try_and(self.states())?)
    }

    /// The valuations from which one event, by a step that satisfies `condition`, leads into the set. They need not be states.
    pub(crate) fn preimage_of(&self, event: usize, condition: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        let Event { forward, backward, pairs, to_next, .. } = &self.events[event];
        if condition.is_true()
            && let Some(relation) = forward.single()
            && let Some(part) = set.try_step(relation, pairs, true)?
        {
            return Ok(part);
        }
        let targets = set.try_rename(to_next)?.try_and(&self.seen_by(event, condition)?)?;
        backward.apply(&targets)
    }

    /// The inputs with which a step leads from one state to another, both given as cubes of present bits.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn inputs_between(&self, from: &Cube, to: &Cube) -> Result<Bdd, Exhausted> {
        let manager = self.manager();
        let mut inputs = manager.no();
        for (event, split) in self.events.iter().zip(&self.parts.splits) {
            if split.kept.iter().any(|bit| from.value(*bit) != to.value(*bit)) {
                continue;
            }
            let next = event.to_next.iter().filter_map(|(now, next)| Some((*next, to.value(*now)?)));
            let step = Cube::new(from.literals().iter().copied().chain(next)).expect("present and next bits differ");
            let mut here = manager.cube(&split.selects);
            for conjunct in &split.conjuncts {
                here = here.try_and(&conjunct.try_restrict(&step)?)?;
            }
            inputs = inputs.try_or(&here)?;
        }
        Ok(inputs)
    }
}

impl Event {
    fn new(parts: &Parts, split: &Split) -> Result<Self, Exhausted> {
        let kept = |bit: &Variable| split.kept.binary_search(bit).is_ok();
        let to_next: Vec<(Variable, Variable)> = parts.pairs.iter().copied().filter(|(now, _)| !kept(now)).collect();
        let to_present: Vec<(Variable, Variable)> = to_next.iter().map(|(now, next)| (*next, *now)).collect();
        let present: Vec<Variable> = to_next.iter().map(|pair| pair.0).chain(parts.inputs.iter().copied()).collect();
        let next: Vec<Variable> = to_next.iter().map(|pair| pair.1).chain(parts.inputs.iter().copied()).collect();
        Ok(Event {
            forward: Schedule::new(&parts.manager, &split.conjuncts, &present)?,
            backward: Schedule::new(&parts.manager, &split.conjuncts, &next)?,
            kept: parts.pairs.iter().filter(|(now, _)| kept(now)).map(|(now, next)| (*next, *now)).collect(),
            pairs: to_next.iter().copied().chain(parts.inputs.iter().map(|input| (*input, *input))).collect(),
            to_next,
            to_present,
        })
    }
}
