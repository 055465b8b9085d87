//! Evidence replayed on the model, by definition and without decision diagrams.
//!
//! Contract: [`evidence`] accepts what the witness found only if every state is a state, every step a step, every lasso
//! closed and fair, and every plain claim true where it is made, as [`Rules`] define it. What cannot be shown by a path is
//! not looked at; [`Extent`] says whether there was such a thing. A refusal is a bug of the engine, never of the model.

pub mod retrace;

use crate::encode::Encoding;
use crate::report::{Trace, trace};
use crate::witness::claim::{Claim, ClaimKind};
use crate::witness::explicit;
use crate::witness::{Evidence, Path};
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::{Rules, Valuation};
use flat::model::{CtlFormula, Linear, Model, NodeId, Question, Value, VariableKind};

/// How much of the claim was confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// What the paths show; the rest is about all paths, or about every state of a lasso.
    Partly,
    /// All of it.
    Fully,
}

/// Why evidence is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The number of steps that are right.
    pub steps: usize,
    /// The mistake after these steps.
    pub reason: String,
}

/// That evidence passed one of the functions of this module, which are the only ones to make a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmation(Extent);

impl Confirmation {
    /// How much of the claim was confirmed.
    #[must_use]
    pub fn extent(self) -> Extent {
        self.0
    }

    /// Marks the description of the evidence as confirmed.
    pub(crate) fn seal<T>(self, description: T) -> Validated<T> {
        Validated(description)
    }
}

/// The description of evidence that passed validation. There is no other way to make one:
///
/// ```compile_fail
/// fn claim(trace: symbolic::report::Trace) -> symbolic::validate::Validated<symbolic::report::Trace> {
///     symbolic::validate::Validated(trace)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validated<T>(T);

impl Validated<Trace> {
    /// The same trace, with the names of the variables that matter in each state.
    #[must_use]
    pub fn with_relevant(mut self, relevant: Vec<Vec<String>>) -> Self {
        for (state, names) in self.0.states.iter_mut().zip(relevant) {
            state.relevant = Some(names);
        }
        self
    }
}

impl<T> std::ops::Deref for Validated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

type Checked = Result<Extent, Refusal>;

fn refuse<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    refuse_after(0, reason)
}

fn refuse_after<T>(steps: usize, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { steps, reason: reason.into() })
}

/// The valuations of a path, each with the inputs of the step that leaves it.
#[must_use]
pub fn valuations(encoding: &Encoding, rules: &Rules<'_>, path: &Path) -> Vec<Valuation> {
    let model = rules.model();
    let states = path.states.iter().map(|state| encoding.decode(model, state));
    states
        .enumerate()
        .map(|(at, mut valuation)| {
            if let Some(input) = path.inputs.get(at) {
                let inputs = encoding.decode(model, input);
                for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
                    valuation[id.0 as usize] = inputs[id.0 as usize].clone();
                }
            }
            valuation
        })
        .collect()
}

/// Checks that evidence shows a claim in an initial state.
///
/// # Errors
/// Where it does not.
pub fn evidence(
    encoding: &Encoding,
    rules: &mut Rules<'_>,
    claim: &Claim,
    shown: &Evidence,
    start: &Valuation,
) -> Result<Confirmation, Refusal> {
    if !rules.is_initial(start) {
        return refuse("the first state is not initial");
    }
    Validator { encoding, rules }.check(claim, shown, start).map(Confirmation)
}

/// Checks that a path is one of the model from an initial state.
///
/// # Errors
/// Where it is not.
pub fn path(encoding: &Encoding, rules: &mut Rules<'_>, path: &Path) -> Result<Confirmation, Refusal> {
    let states = valuations(encoding, rules, path);
    if !rules.is_initial(&states[0]) {
        return refuse("the first state is not initial");
    }
    steps(rules, &states, path.loop_start)?;
    Ok(Confirmation(Extent::Fully))
}

/// Checks that a path is one of the model from an initial state, and that its last state, or last step, breaks an
/// invariant.
///
/// # Errors
/// Where it does not.
pub fn invariant(
    encoding: &Encoding,
    rules: &mut Rules<'_>,
    broken: NodeId,
    path: &Path,
) -> Result<Confirmation, Refusal> {
    let states = valuations(encoding, rules, path);
    breaks(rules, broken, &states)
}

/// Checks that states form a path of the model from an initial state, and that the last one, or the last step, breaks an
/// invariant.
fn breaks(rules: &mut Rules<'_>, broken: NodeId, states: &[Valuation]) -> Result<Confirmation, Refusal> {
    if !rules.is_initial(&states[0]) {
        return refuse("the first state is not initial");
    }
    steps(rules, states, None)?;
    let last = states.len() - 1;
    let mentions = rules.model().facts(broken).mentions;
    let holds = if mentions.next || mentions.input {
        if last == 0 {
            return refuse("a step is missing");
        }
        rules.holds(broken, &states[last - 1], Some(&states[last]))
    } else {
        rules.holds(broken, &states[last], None)
    };
    if holds { refuse_after(last, "the invariant is true at the end") } else { Ok(Confirmation(Extent::Fully)) }
}

/// Checks that a line that another engine found is one of the model and shows that a property is false, and describes it.
/// `shortest` says whether that engine proved that no line has fewer steps.
///
/// # Errors
/// Where it is not, or where the property is neither an invariant nor a formula of linear time.
pub fn line(
    model: &Model,
    question: &Question,
    line: &explicit::Line,
    shortest: bool,
) -> Result<Validated<Trace>, Refusal> {
    let mut rules = Rules::new(model);
    let confirmation = match (question, line.loop_start) {
        (Question::Invariant(node), None) => breaks(&mut rules, *node, &line.positions)?,
        (Question::Ltl(formula), Some(loop_start)) => {
            let lasso = fair(&mut rules, line.positions.clone(), loop_start)?;
            violates(&mut rules, formula, &lasso)?
        }
        (Question::Ctl(formula), Some(loop_start)) => {
            let lasso = fair(&mut rules, line.positions.clone(), loop_start)?;
            match retrace::falsifies(model, formula, lasso.positions, loop_start) {
                Some(extent) => Confirmation(extent),
                None => return refuse("the lasso does not show that the formula is false"),
            }
        }
        _ => return refuse("a line of this form cannot show that the property is false"),
    };
    Ok(confirmation.seal(trace::of_line(model, line, confirmation.extent(), shortest, None)))
}

/// The positions of a path, which must be a fair lasso of the model from an initial state.
fn fair_lasso(encoding: &Encoding, rules: &mut Rules<'_>, path: &Path) -> Result<Lasso, Refusal> {
    let positions = valuations(encoding, rules, path);
    let Some(loop_start) = path.loop_start else { return refuse("not a lasso") };
    fair(rules, positions, loop_start)
}

/// The positions of a lasso, which must be a fair one of the model from an initial state.
fn fair(rules: &mut Rules<'_>, positions: Vec<Valuation>, loop_start: usize) -> Result<Lasso, Refusal> {
    if !rules.is_initial(&positions[0]) {
        return refuse("the first state is not initial");
    }
    steps(rules, &positions, Some(loop_start))?;
    fair_loop(rules, &positions[loop_start..])?;
    Ok(Lasso { positions, loop_start })
}

/// Checks that a formula is false on a lasso.
fn violates(rules: &mut Rules<'_>, formula: &Linear, lasso: &Lasso) -> Result<Confirmation, Refusal> {
    if lasso::holds(rules, lasso, formula) {
        return refuse_after(lasso.positions.len(), "the formula is true on the lasso");
    }
    Ok(Confirmation(Extent::Fully))
}

/// Checks that a lasso is a fair one of the model from an initial state on which a formula is false.
///
/// # Errors
/// Where it is not.
pub fn linear(
    encoding: &Encoding,
    rules: &mut Rules<'_>,
    formula: &Linear,
    path: &Path,
) -> Result<Confirmation, Refusal> {
    let lasso = fair_lasso(encoding, rules, path)?;
    violates(rules, formula, &lasso)
}

/// Checks that a lasso is a fair one of the model from an initial state, and that it shows that a formula of branching time
/// is false there. Its loop may close anywhere, and operators that count steps may go around it.
///
/// # Errors
/// Where it does not.
pub fn branching(
    encoding: &Encoding,
    rules: &mut Rules<'_>,
    formula: &CtlFormula,
    path: &Path,
) -> Result<Confirmation, Refusal> {
    let Lasso { positions, loop_start } = fair_lasso(encoding, rules, path)?;
    match retrace::falsifies(rules.model(), formula, positions, loop_start) {
        Some(extent) => Ok(Confirmation(extent)),
        None => refuse_after(path.inputs.len(), "the lasso does not show that the formula is false"),
    }
}

struct Validator<'v, 'm> {
    encoding: &'v Encoding,
    rules: &'v mut Rules<'m>,
}

impl Validator<'_, '_> {
    fn check(&mut self, claim: &Claim, shown: &Evidence, state: &[Value]) -> Checked {
        match (shown, &claim.kind) {
            (Evidence::Unshown, _) => Ok(Extent::Partly),
            (Evidence::Plain, _) => self.plain(claim, state),
            (Evidence::All(shown), ClaimKind::And(parts)) => {
                let mut extent = Extent::Fully;
                for (part, shown) in parts.iter().zip(shown) {
                    extent = extent.min(self.check(part, shown, state)?);
                }
                Ok(extent)
            }
            (Evidence::One(index, shown), ClaimKind::Or(parts)) => self.check(&parts[*index], shown, state),
            (Evidence::Path(path, on_the_way, rest), kind) => {
                let states = valuations(self.encoding, self.rules, path);
                let kept = |id: &usize| self.rules.model().variables[*id].kind != VariableKind::Input;
                if !(0..state.len()).filter(kept).all(|id| state[id] == states[0][id]) {
                    return refuse("the path begins elsewhere");
                }
                steps(self.rules, &states, path.loop_start)?;
                self.along(kind, &states, path.loop_start, on_the_way, rest)
            }
            (shown, kind) => refuse(format!("{shown:?} cannot show {kind:?}")),
        }
    }

    fn along(
        &mut self,
        kind: &ClaimKind,
        states: &[Valuation],
        loop_start: Option<usize>,
        on_the_way: &[(usize, Evidence)],
        rest: &Evidence,
    ) -> Checked {
        let steps = states.len() - 1;
        let within = |low: u32, high: u32| (low as usize..=high as usize).contains(&steps);
        match kind {
            ClaimKind::Next(a) if steps == 1 => self.check(a, rest, &states[1]),
            ClaimKind::Until(a, b) => {
                Ok(self.each(a, states, 0..steps, on_the_way)?.min(self.check(b, rest, &states[steps])?))
            }
            ClaimKind::BoundedUntil(low, high, a, b) if within(*low, *high) => {
                Ok(self.each(a, states, 0..steps, on_the_way)?.min(self.check(b, rest, &states[steps])?))
            }
            ClaimKind::Always(a) => {
                let Some(loop_start) = loop_start else { return refuse("not a lasso") };
                fair_loop(self.rules, &states[loop_start..])?;
                self.each(a, states, 0..steps + 1, on_the_way)
            }
            ClaimKind::BoundedAlways(low, high, a) if steps == *high as usize => {
                self.each(a, states, *low as usize..steps + 1, on_the_way)
            }
            ClaimKind::BoundedRelease(low, high, not_a, not_b) if steps <= *high as usize => {
                let due = states.get(*low as usize..).unwrap_or_default();
                let mut extent = self.everywhere(not_b, due)?;
                if steps < *high as usize {
                    extent = extent.min(self.everywhere(not_a, &states[steps..])?);
                }
                Ok(extent)
            }
            _ => refuse(format!("a path of {steps} steps cannot show this")),
        }
    }

    /// A claim about each of some states, plain or with evidence for each.
    fn each(
        &mut self,
        claim: &Claim,
        states: &[Valuation],
        positions: std::ops::Range<usize>,
        on_the_way: &[(usize, Evidence)],
    ) -> Checked {
        if claim.is_plain() || on_the_way.is_empty() {
            return self.everywhere(claim, &states[positions]);
        }
        let mut extent = Extent::Fully;
        for position in positions {
            let Some((_, shown)) = on_the_way.iter().find(|(at, _)| *at == position) else {
                return refuse(format!("nothing is shown for state {position}"));
            };
            extent = extent.min(self.check(claim, shown, &states[position])?);
        }
        Ok(extent)
    }

    /// Checks a claim in each of some states, if it is a claim about single states.
    fn everywhere(&mut self, claim: &Claim, states: &[Valuation]) -> Checked {
        if !claim.is_plain() && !states.is_empty() {
            return Ok(Extent::Partly);
        }
        states.iter().try_for_each(|state| self.plain(claim, state).map(|_| ()))?;
        Ok(Extent::Fully)
    }

    fn plain(&mut self, claim: &Claim, state: &[Value]) -> Checked {
        if self.truth(claim, state) { Ok(Extent::Fully) } else { refuse("a claim about a state is false") }
    }

    fn truth(&mut self, claim: &Claim, state: &[Value]) -> bool {
        match &claim.kind {
            ClaimKind::Atom(node, truth) => self.rules.holds(*node, state, None) == *truth,
            ClaimKind::And(parts) => parts.iter().all(|part| self.truth(part, state)),
            ClaimKind::Or(parts) => parts.iter().any(|part| self.truth(part, state)),
            _ => false,
        }
    }
}

/// Every state is a state and every step a step.
fn steps(rules: &mut Rules<'_>, states: &[Valuation], loop_start: Option<usize>) -> Result<(), Refusal> {
    if let Some(at) = states.iter().position(|state| !rules.is_state(state)) {
        return refuse_after(at, format!("state {at} of the path is not a state of the model"));
    }
    for (at, pair) in states.windows(2).enumerate() {
        if !rules.is_step(&pair[0], &pair[1]) {
            return refuse_after(at, format!("state {at} is not followed by state {}", at + 1));
        }
    }
    match loop_start {
        Some(start) if !rules.is_step(&states[states.len() - 1], &states[start]) => {
            refuse_after(states.len() - 1, format!("the loop does not return to state {start}"))
        }
        _ => Ok(()),
    }
}

/// The loop meets every constraint.
fn fair_loop(rules: &mut Rules<'_>, states: &[Valuation]) -> Result<(), Refusal> {
    let model = rules.model();
    for (number, justice) in model.justice.iter().enumerate() {
        if !states.iter().any(|state| rules.holds(*justice, state, None)) {
            return refuse(format!("the loop does not satisfy fairness constraint {number}"));
        }
    }
    for (number, (often, then_often)) in model.compassion.iter().enumerate() {
        let meets = |node: &NodeId, rules: &mut Rules<'_>| states.iter().any(|state| rules.holds(*node, state, None));
        if meets(often, rules) && !meets(then_often, rules) {
            return refuse(format!("the loop does not satisfy compassion constraint {number}"));
        }
    }
    Ok(())
}
