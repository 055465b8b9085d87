//! A model checked from end to end; each stage is named here once.
//!
//! Contract: every property gets an answer; one that a limit left open is `unknown` with the reason, never `holds`. Every
//! counterexample has been replayed by the enumerator's rules before it is given out; a refusal there is a bug of the
//! engine, and a [`Disagreement`] instead of a report.
//!
//! The path: bits in order, [`Machine`], a short search for what breaks invariants, reachable states, deadlocks, fair states, then each property: branching time by
//! [`ctl`](crate::fixpoint::ctl) and [`claim`](crate::witness::claim), linear time by [`tableau`](crate::fixpoint::tableau), invariants by breadth-first search,
//! lengths by [`compute`]; counterexamples by [`witness`](crate::witness), shortened and stripped. Small machines are
//! decided a second time by enumeration.

mod branching;
mod early;
mod linear_time;
mod outcome;
mod repeated;
mod safety;
mod second;
mod stripping;
mod vacuity;

use crate::thresholds::check::{MOST_NAMES, TRIAL_NODES};
pub use outcome::{Disagreement, Error};
use outcome::{Found, Stopped};

use std::time::Instant;

use bdd::{Bdd, Manager, Variable};
use kernel::budget::{Budget, Exhausted};

use crate::fixpoint::Fixpoints;
use crate::fixpoint::compute;
use crate::image::machine::{Failure, Machine};
use crate::image::system::System;
use crate::image::{force, reach};
use crate::report::trace;
use crate::report::{Answer, CheckResult, FixpointCoverage, Minimised, PropertyResult, Trace};
use crate::strip::Effort;
use crate::validate;
use crate::witness::Path;
use crate::witness::explicit::ShortestSearch;
use crate::witness::shorter::Shortener;
use flat::cone;
use flat::model::{Model, NodeId, Property, Question, VariableId, VariableKind};
use flat::order::{self, Bit};

/// When to look for a better order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reorder {
    /// Never.
    Never,
    /// Whenever the diagrams have grown to this many nodes, and then whenever they have doubled.
    From(usize),
}

/// How to check.
#[derive(Clone, Debug)]
pub struct SymbolicOptions {
    /// When to look for a better order.
    pub reorder: Reorder,
    /// The bits from the root down, as an order file gives them; by default in an order that the model suggests.
    pub order: Option<Vec<Bit>>,
    /// Whether to check each property on the part of the model it can depend on.
    pub cone_of_influence: bool,
    /// Whether to look for deadlocks.
    pub deadlocks: bool,
    /// Whether to count the rings of a breadth-first search.
    pub diameter: bool,
    /// Whether violated properties get counterexamples.
    pub counterexamples: bool,
    /// How far to strip counterexamples.
    pub minimise: Effort,
    /// The explicit search that shortens counterexamples and decides small machines a second time, if there is one.
    pub search: Option<ShortestSearch>,
}

impl Default for SymbolicOptions {
    fn default() -> Self {
        SymbolicOptions {
            reorder: Reorder::From(40_000),
            order: None,
            cone_of_influence: false,
            deadlocks: true,
            diameter: false,
            counterexamples: true,
            minimise: Effort::Irredundant,
            search: None,
        }
    }
}

/// The progress of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress<'a> {
    /// The machine is being built.
    Building,
    /// The reachable states are being found.
    Reaching,
    /// The property with this number is being checked.
    Checking(usize),
    /// The property with this number is decided: this was found, and the report on the model has come so far. Properties
    /// of every model have the numbers after those that the model states.
    Decided(usize, &'a PropertyResult, &'a CheckResult),
}

/// Why everything holds of a model without one.
const NO_INITIAL_STATE: &str = "there is no initial state";

/// The text of the property `deadlock` of every model.
pub const EVERY_STATE_HAS_A_SUCCESSOR: &str = "every reachable state has a successor";

/// The text of the property `fairness` of every model.
pub const SOME_PATH_IS_FAIR: &str = "some path from an initial state is fair and infinite";

/// Bytes that a node costs, with its share of the tables.
pub const BYTES_PER_NODE: u64 = 48;

/// Checks all properties of a model.
///
/// # Errors
/// Where something is wrong with the model that only shows when it is encoded, or there is a bug in this crate.
pub fn check(
    model: &Model,
    options: &SymbolicOptions,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<CheckResult, Error> {
    let begin = Instant::now();
    let mut report = empty_result(model);
    if options.cone_of_influence && !model.properties.is_empty() {
        match Run::new(model, options, budget, None).check_assignments() {
            Ok(()) => {}
            Err(Failure::Wrong(diagnostics)) => return Err(Error::Wrong(diagnostics)),
            Err(Failure::Stopped(stopped)) => {
                report.properties = Run::new(model, options, budget, None).all_unknown(stopped);
                return Ok(report);
            }
        }
        let mut common = Vec::new();
        for (index, property) in model.properties.iter().enumerate() {
            progress(Progress::Checking(index));
            let (mut sliced, cone) = cone::slice(model, &property.question.atoms());
            sliced.properties = vec![property.clone()];
            let part = Run::new(&sliced, options, budget, Some(&cone)).run(&mut |_| {})?;
            let (own, of_model): (Vec<_>, Vec<_>) =
                part.properties.into_iter().partition(|one| !one.section.is_empty());
            for one in own {
                let outside = model.variable_ids().filter(|id| !cone.contains(id));
                let left_out = outside.map(|id| model.variable(id).name.clone()).collect();
                let found = PropertyResult { name: name(index, property), left_out, ..one };
                progress(Progress::Decided(index, &found, &report));
                report.properties.push(found);
            }
            // The properties of every model have the same answer in every cone.
            if common.is_empty() {
                common = of_model;
            }
            report.warnings.extend(left_out(model, &cone, &name(index, property)));
            report.warnings.extend(part.warnings.into_iter().filter(|_| index == 0));
            report.fair_path_exists = report.fair_path_exists.or(part.fair_path_exists);
            report.peak_nodes = report.peak_nodes.max(part.peak_nodes);
        }
        for found in common {
            progress(Progress::Decided(report.properties.len(), &found, &report));
            report.properties.push(found);
        }
    } else {
        report = Run::new(model, options, budget, None).run(progress)?;
    }
    report.seconds = begin.elapsed().as_secs_f64();
    Ok(report)
}

/// The machine of a model, built as a check builds it: with its suggested order, and reordered while it grows.
///
/// # Errors
/// Where something is wrong with the model, or a limit was reached.
pub fn machine<'m>(model: &'m Model, options: &'m SymbolicOptions, budget: &'m Budget) -> Result<Machine<'m>, Failure> {
    let run = Run { model, options, budget, manager: manager(budget), shown: None };
    run.build().map_err(|failure| match failure {
        // A manager without time has no nodes, either.
        Failure::Stopped(limit) => Failure::Stopped(budget.exhausted(0).unwrap_or(limit)),
        wrong @ Failure::Wrong(_) => wrong,
    })
}

/// The variables outside a cone of influence, in words.
fn left_out(model: &Model, cone: &std::collections::BTreeSet<VariableId>, property: &str) -> Option<String> {
    let names: Vec<&str> =
        model.variable_ids().filter(|id| !cone.contains(id)).map(|id| model.variable(id).name.as_str()).collect();
    let shown = names.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MOST_NAMES);
    match (names.len(), more) {
        (0, _) => None,
        (_, 0) => Some(format!("{property} is checked without variables on which it does not depend: {shown}")),
        _ => Some(format!(
            "{property} is checked without variables on which it does not depend: {shown} and {more} more"
        )),
    }
}

/// The name of a property: its own, or its section and its number among all properties.
#[must_use]
pub fn name(index: usize, property: &Property) -> String {
    property.name.clone().unwrap_or_else(|| format!("{}-{}", property.section.to_lowercase(), index + 1))
}

/// A manager that keeps to a budget.
pub(crate) fn manager(budget: &Budget) -> Manager {
    let limit = budget.memory.map_or(usize::MAX, |bytes| usize::try_from(bytes / BYTES_PER_NODE).unwrap_or(usize::MAX));
    let manager = Manager::with_limit(limit);
    // The limit on nodes is the memory of the budget.
    let mut time = budget.stage();
    time.memory = None;
    manager.set_budget(Some(&time));
    manager
}

fn empty_result(model: &Model) -> CheckResult {
    let inputs = model.variables.iter().filter(|variable| variable.kind == VariableKind::Input).count();
    CheckResult {
        state_variables: model.variables.len() - inputs,
        input_variables: inputs,
        bits: model.variables.iter().map(|variable| variable.domain.bits() as usize).sum(),
        ..CheckResult::default()
    }
}

/// One run over one model.
struct Run<'a> {
    model: &'a Model,
    options: &'a SymbolicOptions,
    budget: &'a Budget,
    /// The variables that traces show, if not all.
    shown: Option<&'a std::collections::BTreeSet<VariableId>>,
    manager: Manager,
}

/// The sets that all properties share.
struct Common<'s> {
    fixpoints: Fixpoints<'s>,
}

impl<'a> Run<'a> {
    fn new(
        model: &'a Model,
        options: &'a SymbolicOptions,
        budget: &'a Budget,
        shown: Option<&'a std::collections::BTreeSet<VariableId>>,
    ) -> Self {
        let manager = manager(budget);
        Run { model, options, budget, shown, manager }
    }

    fn run(&mut self, progress: &mut dyn FnMut(Progress<'_>)) -> Result<CheckResult, Error> {
        let mut report = empty_result(self.model);
        progress(Progress::Building);
        let begin = Instant::now();
        let built = self.build();
        report.build_seconds = begin.elapsed().as_secs_f64();
        let mut machine = match built {
            Ok(machine) => machine,
            Err(Failure::Wrong(diagnostics)) => return Err(Error::Wrong(diagnostics)),
            Err(Failure::Stopped(stopped)) => {
                report.properties = self.all_unknown(stopped);
                report.peak_nodes = self.manager.peak_node_count();
                return Ok(report);
            }
        };
        let system = machine.system().clone();
        report.events = system.event_count();
        progress(Progress::Reaching);
        let begin = Instant::now();
        let mut early = self.early(&system, &mut machine).unwrap_or_default();
        let second = second::Second::new(self.model);
        // A violation that is found early is reported before the reachable states are computed.
        let mut refuted = Vec::new();
        for (index, found) in std::mem::take(&mut early.refuted).into_iter().enumerate() {
            let found = found.transpose()?;
            if let (Some(found), Some(second)) = (&found, &second) {
                second.confirm(&self.model.properties[index], &found.answer)?;
            }
            if let Some(found) = &found {
                progress(Progress::Decided(index, found, &report));
            }
            refuted.push(found);
        }
        let reached = match early.all && !self.options.diameter {
            true => Ok(system.states().clone()),
            false => self.reached(&system, early.reached.take(), &mut report),
        };
        let (common_system, common);
        match reached.and_then(|reached| Ok((system.simplified(&reached)?, reached))) {
            Ok((simplified, reached)) => {
                common_system = simplified;
                common = self.common(&common_system, reached, &mut report);
            }
            Err(stopped) => common = Err(stopped),
        }
        report.reach_seconds = begin.elapsed().as_secs_f64();
        let deadlock = self.options.deadlocks.then(|| self.deadlock(&machine, &common)).transpose()?;
        if let Some(second) = &second {
            second.confirm_machine(&report)?;
        }
        let mut repeated = repeated::Repeated::new(self.model);
        for (index, property) in self.model.properties.iter().enumerate() {
            if let Some(found) = refuted.get_mut(index).and_then(Option::take) {
                report.properties.push(found);
                continue;
            }
            progress(Progress::Checking(index));
            let may_serve = |earlier: usize| {
                let known = &report.properties[earlier];
                known.counterexample.is_some() && known.constants.is_empty()
            };
            let found = match repeated.earlier(index, may_serve) {
                Some(earlier) => self.again(index, property, &report.properties[earlier]),
                None => self.property(index, property, &mut machine, &common)?,
            };
            if let Some(second) = &second {
                second.confirm(property, &found.answer)?;
                self.confirm_by_search(property, &found.answer, &machine)?;
            }
            progress(Progress::Decided(index, &found, &report));
            report.properties.push(found);
        }
        for found in deadlock.into_iter().chain([self.fairness(&common)]) {
            progress(Progress::Decided(report.properties.len(), &found, &report));
            report.properties.push(found);
        }
        report.order = self.final_order(&machine);
        report.peak_nodes = self.manager.peak_node_count();
        Ok(report)
    }

    /// Whether every assignment has a value in every state.
    fn check_assignments(&self) -> Result<(), Failure> {
        Machine::check_assignments(self.model, self.manager.clone(), &self.first_order(), self.budget)
    }

    /// The bits as they stand at the beginning.
    fn first_order(&self) -> Vec<Bit> {
        match &self.options.order {
            Some(bits) => bits.clone(),
            None => self.suggested_order(),
        }
    }

    /// The order of the declarations, or that by dependencies, whichever has the smaller relation.
    fn suggested_order(&self) -> Vec<Bit> {
        let declared = order::declared(self.model);
        let arranged = force::arranged(self.model, &declared, self.budget);
        let (declared, arranged) = (order::bits(self.model, &declared), order::bits(self.model, &arranged));
        if declared == arranged {
            return declared;
        }
        let size = |bits: &[Bit]| {
            let mut budget = self.budget.stage();
            budget.memory = Some(budget.memory.unwrap_or(u64::MAX).min(TRIAL_NODES * BYTES_PER_NODE));
            Machine::relation_size(self.model, manager(&budget), bits, &budget).unwrap_or(usize::MAX)
        };
        if size(&declared) < size(&arranged) { declared } else { arranged }
    }

    fn build(&self) -> Result<Machine<'a>, Failure> {
        let bits = self.first_order();
        if let Reorder::From(nodes) = self.options.reorder {
            let widths = bits.iter().map(|bit| self.model.variable(bit.variable).kind);
            // Each state bit is followed by its partner for the next state.
            let mut next = 0;
            let mut blocks = Vec::new();
            for kind in widths {
                let size = if kind == VariableKind::State { 2 } else { 1 };
                blocks.push((next..next + size).map(Variable).collect());
                next += size;
            }
            self.manager.sift_automatically(Some((nodes, blocks)));
        }
        Machine::within(self.model, self.manager.clone(), &bits, self.budget)
    }

    /// The reachable states.
    fn reached(&self, system: &System, known: Option<Bdd>, report: &mut CheckResult) -> Result<Bdd, Exhausted> {
        let reached = match known {
            Some(known) => known,
            None => reach::reachable(system, system.initial())?,
        };
        let bits = u32::try_from(system.state_bits().len()).expect("few bits");
        report.reachable_states = reached.count(bits).map(|count| count.to_string());
        report.reachable_states_approximately =
            Some(reached.fraction() * 2_f64.powi(i32::try_from(bits).expect("few bits")));
        if system.initial().is_false() {
            report.warnings.push("there is no initial state: every property holds vacuously".to_owned());
        }
        if self.options.diameter {
            let is_empty = system.initial().is_false();
            report.diameter = Some(if is_empty { 0 } else { reach::rings(system, system.initial(), None)?.len() });
        }
        Ok(reached)
    }

    /// The fair states among the reachable ones.
    fn common<'s>(&self, system: &'s System, reached: Bdd, report: &mut CheckResult) -> Result<Common<'s>, Exhausted> {
        let fixpoints = Fixpoints::new(system, reached)?;
        let exists = !system.initial().try_and(fixpoints.fair())?.is_false();
        report.fair_path_exists = Some(exists);
        if !exists && !system.initial().is_false() {
            report
                .warnings
                .push("no path from an initial state is fair and infinite: properties hold vacuously".to_owned());
        }
        Ok(Common { fixpoints })
    }

    fn all_unknown(&self, stopped: Exhausted) -> Vec<PropertyResult> {
        let unknown =
            |(index, property): (usize, &Property)| self.report(index, property, self.unknown(stopped), Instant::now());
        self.model.properties.iter().enumerate().map(unknown).collect()
    }

    fn unknown(&self, limit: Exhausted) -> Answer {
        // A manager without room also says so where the time was over.
        Answer::Unknown { limit: self.budget.exhausted(0).unwrap_or(limit) }
    }

    fn report(&self, index: usize, property: &Property, answer: Answer, begin: Instant) -> PropertyResult {
        PropertyResult {
            name: name(index, property),
            kind: property.question.kind().to_owned(),
            section: property.section.to_owned(),
            text: property.text.clone(),
            instance: property.instance.clone(),
            coverage: FixpointCoverage::of(&answer),
            answer,
            seconds: begin.elapsed().as_secs_f64(),
            validation_seconds: 0.0,
            shortening_seconds: 0.0,
            left_out: Vec::new(),
            constants: Vec::new(),
            counterexample: None,
            minimised: None,
        }
    }

    /// The result for a property that asks what an earlier one asks, which has a counterexample.
    fn again(&self, index: usize, property: &Property, earlier: &PropertyResult) -> PropertyResult {
        PropertyResult {
            left_out: earlier.left_out.clone(),
            counterexample: earlier.counterexample.clone(),
            minimised: earlier.minimised.map(|minimised| Minimised { seconds: 0.0, ..minimised }),
            ..self.report(index, property, earlier.answer.clone(), Instant::now())
        }
    }

    fn property(
        &self,
        index: usize,
        property: &Property,
        machine: &mut Machine<'_>,
        common: &Result<Common<'_>, Exhausted>,
    ) -> Result<PropertyResult, Disagreement> {
        let begin = Instant::now();
        let found = match (&property.question, common) {
            (Question::Invariant(node), common) => self.invariant(*node, machine, common),
            (_, Err(stopped)) => Err(Stopped::Limit(*stopped)),
            (Question::Ctl(formula), Ok(common)) => self.branching(formula, machine, common),
            (Question::Ltl(formula), Ok(common)) => self.linear(formula, machine, common),
            (Question::Shortest(from, to), Ok(common)) => self.length(*from, *to, machine, common, compute::shortest),
            (Question::Longest(from, to), Ok(common)) => self.length(*from, *to, machine, common, compute::longest),
        };
        let found = self.or_unknown(found)?;
        let report = self.report(index, property, found.answer.clone(), begin);
        let mut report = found.into_report(report);
        if let (Some(Minimised { bits_after: 0, .. }), Ok(common)) = (report.minimised, common) {
            // A limit leaves open why no value matters.
            let constants = self.constants(&property.question.atoms(), machine, common.fixpoints.universe());
            report.constants = constants.unwrap_or_default();
        }
        Ok(report)
    }

    /// The result for a property; `unknown` if a limit was reached.
    fn or_unknown(&self, found: Result<Found, Stopped>) -> Result<Found, Disagreement> {
        match found {
            Ok(found) => Ok(found),
            Err(Stopped::Limit(limit)) => Ok(Found::of(self.unknown(limit))),
            Err(Stopped::Disagreement(disagreement)) => Err(disagreement),
        }
    }

    /// The counterexample to a property that is known to be violated; none if a limit was reached before it was complete.
    fn or_violated(found: Result<Found, Stopped>) -> Result<Found, Stopped> {
        match found {
            Err(Stopped::Limit(_)) => Ok(Found::violated()),
            found => found,
        }
    }

    /// The search for shorter counterexamples.
    fn shortener<'s>(&'s self, machine: &'s Machine<'_>) -> Shortener<'s> {
        let SymbolicOptions { search, .. } = self.options;
        Shortener { model: self.model, encoding: machine.encoding(), search: *search, budget: self.budget }
    }

    /// Decides a property of linear time that holds a second time, by the explicit search.
    fn confirm_by_search(
        &self,
        property: &Property,
        answer: &Answer,
        machine: &Machine<'_>,
    ) -> Result<(), Disagreement> {
        let (Question::Ltl(formula), Answer::Holds { .. }) = (&property.question, answer) else { return Ok(()) };
        let negation = formula.negated().simplified(self.budget);
        let Some(line) = self.shortener(machine).search_linear(&negation, None, None).line else { return Ok(()) };
        let reason = format!("the explicit search finds a lasso on which `{}` is false", property.text);
        Err(Disagreement { steps: line.positions.len(), reason })
    }

    fn length(
        &self,
        from: NodeId,
        to: NodeId,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
        measure: impl Fn(&Fixpoints<'_>, &Bdd, &Bdd) -> Result<Option<u64>, Exhausted>,
    ) -> Result<Found, Stopped> {
        let universe = common.fixpoints.universe();
        let (from, to) = (machine.truth(from)?.try_and(universe)?, machine.truth(to)?.try_and(universe)?);
        let steps = measure(&common.fixpoints, &from, &to)?;
        Ok(Found::of(Answer::Length { steps }))
    }

    /// A path as a trace.
    fn trace(&self, machine: &Machine<'_>, path: &Path, extent: validate::Extent, shortest: bool) -> Trace {
        trace::trace(self.model, machine.encoding(), path, extent, shortest, self.shown)
    }

    /// The bits in the order in which they stand now, from the root down.
    fn final_order(&self, machine: &Machine<'_>) -> Vec<String> {
        let encoding = machine.encoding();
        let mut place: Vec<(u32, String)> = Vec::new();
        let order = self.manager.order(bdd::MAX_VARIABLES);
        let mut level = vec![0; order.len()];
        for (at, variable) in (0..).zip(&order) {
            level[variable.0 as usize] = at;
        }
        for id in self.model.variable_ids() {
            for (bit, variable) in encoding.bits_now(id).iter().enumerate() {
                place.push((
                    level[variable.0 as usize],
                    order::name(self.model, Bit { variable: id, place: bit as u32 }),
                ));
            }
        }
        place.sort();
        place.into_iter().map(|(_, name)| name).collect()
    }
}
