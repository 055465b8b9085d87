//! Mistakes of a model that only show when it is encoded: expressions without a value, and values outside a type.
//!
//! Contract: the questions are those that the machine of decision diagrams asks, over all values within domains, now and
//! next, reachable or not; one query for each place that is not obviously right. So every engine refuses the same models.

use flat::model::{Assignment, Model, NodeId, Value, VariableId};
use flat::undefined;
use kernel::budget::Exhausted;
use kernel::diagnostic::Diagnostic;

use crate::aig::{Aig, Signal};
use crate::circuit::Circuit;
use crate::design::{Builder, Failure};
use crate::expression::Encoded;
use crate::solver::{Sat, Solver};
use crate::term::Choice;
use crate::unroll::Unrolling;

/// The most values that an example mentions.
const MOST_VALUES: usize = 8;

/// Checks all expressions of a model.
pub(crate) fn check(builder: &mut Builder<'_, '_>) -> Result<(), Failure> {
    let model = builder.model;
    let mut checker = Checker { wrong: Vec::new(), asked: None };
    for assignment in &model.assignments {
        let encoded = builder.encode(assignment.value, false)?;
        checker.defined(builder, assignment.value, encoded.undefined)?;
        checker.range(builder, assignment, &encoded)?;
    }
    let constraints = model.init.iter().chain(&model.invar).chain(&model.trans).chain(&model.justice).copied();
    let compassion = model.compassion.iter().flat_map(|(often, then)| [*often, *then]);
    let atoms = model.properties.iter().flat_map(|property| property.question.atoms());
    for node in constraints.chain(compassion).chain(atoms).collect::<Vec<_>>() {
        let encoded = builder.encode(node, false)?;
        checker.defined(builder, node, encoded.undefined)?;
    }
    if checker.wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(checker.wrong)) }
}

struct Checker {
    wrong: Vec<Diagnostic>,
    asked: Option<Unrolling<Solver>>,
}

impl Checker {
    /// Whether a signal can be true of values within their domains; the last model then shows where.
    fn possible(&mut self, builder: &mut Builder<'_, '_>, signal: Signal) -> Result<bool, Exhausted> {
        if signal == Signal::FALSE {
            return Ok(false);
        }
        let valid = builder.all_valid();
        let aig = std::mem::replace(&mut builder.aig, Aig::new(true));
        let circuit = Circuit::new(aig, Vec::new(), Vec::new());
        let asked = self.asked.get_or_insert_with(|| Unrolling::free(Solver::new(builder.budget)));
        asked.demand(&circuit, 0, valid);
        let lit = asked.lit(&circuit, 0, signal);
        builder.aig = circuit.aig;
        asked.gates.solver.solve(&[lit])
    }

    fn defined(&mut self, builder: &mut Builder<'_, '_>, node: NodeId, undefined: Signal) -> Result<(), Exhausted> {
        if !self.possible(builder, undefined)? {
            return Ok(());
        }
        let (now, next) = self.example(builder);
        let cause = undefined::cause(builder.model, node, &now, &next);
        let finding =
            Diagnostic::error(flat::codes::INCOMPLETE_CASE, cause.span, "this expression does not always have a value")
                .here(cause.what)
                .note(format!("for example, if {}", self.shown(builder, undefined)));
        self.report(if let Some(hint) = cause.hint { finding.hint(hint) } else { finding });
        Ok(())
    }

    fn range(
        &mut self,
        builder: &mut Builder<'_, '_>,
        assignment: &Assignment,
        encoded: &Encoded,
    ) -> Result<(), Exhausted> {
        let variable = builder.model.variable(assignment.variable);
        for (condition, choice) in &encoded.choices {
            let outside = match choice {
                Choice::One(term) => {
                    let inside = term.in_domain(&variable.domain, &mut builder.aig);
                    builder.aig.and(*condition, !inside)
                }
                Choice::Between(low, high) => {
                    let inside = [low, high].iter().all(|end| variable.domain.contains(&Value::Integer(**end)));
                    if inside { Signal::FALSE } else { *condition }
                }
            };
            let bad = builder.aig.and(outside, !encoded.undefined);
            if self.possible(builder, bad)? {
                let (now, next) = self.example(builder);
                let value = match choice {
                    Choice::Between(low, high) => format!("{low}..{high}"),
                    Choice::One(_) => assigned_outside(builder.model, assignment, &now, &next),
                };
                let finding = Diagnostic::error(
                    flat::codes::VALUE_OUT_OF_RANGE,
                    builder.model.facts(assignment.value).span,
                    format!("`{}` can be assigned {value}, which is not one of its values", variable.name),
                )
                .here("this value can be outside")
                .label(variable.span, "declared here")
                .note(format!("for example, if {}", self.shown(builder, bad)));
                self.report(finding);
                return Ok(());
            }
        }
        Ok(())
    }

    fn report(&mut self, finding: Diagnostic) {
        if !self.wrong.iter().any(|known| known.primary.span == finding.primary.span) {
            self.wrong.push(finding);
        }
    }

    fn example(&self, builder: &Builder<'_, '_>) -> (Vec<Value>, Vec<Value>) {
        builder.decode(|bit| self.asked.as_ref().is_some_and(|asked| asked.value(0, bit)))
    }

    /// The values of the variables on which a signal depends.
    fn shown(&self, builder: &Builder<'_, '_>, signal: Signal) -> String {
        let model = builder.model;
        let (now, next) = self.example(builder);
        let (of_now, of_next) = builder.support(signal);
        let show =
            |id: &VariableId, values: &[Value]| model.show(&values[id.0 as usize], model.variable(*id).domain.r#type());
        let name = |id: &VariableId| &model.variable(*id).name;
        let mut parts: Vec<String> = of_now.iter().map(|id| format!("{} = {}", name(id), show(id, &now))).collect();
        parts.extend(of_next.iter().map(|id| format!("next({}) = {}", name(id), show(id, &next))));
        parts.truncate(MOST_VALUES);
        if parts.is_empty() { "always".to_owned() } else { parts.join(", ") }
    }
}

/// A value outside the domain that an assignment offers, in words.
fn assigned_outside(model: &Model, assignment: &Assignment, now: &[Value], next: &[Value]) -> String {
    let choices = flat::evaluate::Evaluator::new(model).choices(assignment.value, now, Some(next)).unwrap_or_default();
    let domain = &model.variable(assignment.variable).domain;
    let outside = choices.into_iter().find(|value| !domain.contains(value));
    outside.map_or_else(|| "a value".to_owned(), |value| model.show(&value, model.facts(assignment.value).r#type))
}
