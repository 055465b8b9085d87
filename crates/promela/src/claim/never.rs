//! A `never` claim as a Büchi automaton over the conditions it tests.
//!
//! *What.* A state is a location of the claim together with the values of its own variables; it is accepting if the
//! location has an `accept` label. The statements between two steps of the system are an edge, labelled with what they
//! ask for. The closing brace, and an assertion that is false, lead to one more state from which everything is accepted:
//! to get there is a violation whatever follows. In an atomic sequence the claim goes on without a step of the system; a
//! `d_step` is one step of the claim. Escapes of `unless` come before what they guard.
//!
//! *Contract.* The automaton accepts exactly the runs that the claim matches. A claim that changes the model, or whose
//! variables take more values than can be told apart, is refused with the statement that does it.
//!
//! *Source.* [holzmann.03.spin], and SPIN 6.5.2 observed from outside. *Tested by* the corpus's claims, and by claims
//! written for formulas, compared with the formulas, in the tests of the tool.

use super::Binder;
use super::own::{Own, Values, and, constant, not, or, truth};
use crate::flow::{self, EdgeAction, Graph, Inner};
use crate::snapshot::Location;
use crate::thresholds::claim::{MOST_STATES, MOST_STEPS};
use crate::typed::{Expr, ProcId, Program, Stmt, StmtKind};
use kernel::budget::{Budget, Exhausted};
use omega::automaton::{Automaton, Marks, State};
use std::collections::BTreeMap;

/// The automaton of a claim, and the expressions of its atoms.
#[derive(Clone, Debug)]
pub struct Never {
    /// Accepts what must not happen.
    pub automaton: Automaton,
    /// The name and the expression of each atom, at the index by which the automaton knows it.
    pub atoms: Vec<(String, Expr)>,
}

impl Never {
    /// Makes an automaton of a claim of the program.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn new(program: &Program, claim: ProcId, budget: &Budget) -> Result<Self, String> {
        let exhausted = |_| "a limit was reached while the claim was read".to_string();
        let graphs = flow::graphs_within(program, budget).map_err(exhausted)?;
        let proc = &program.procs[claim.0 as usize];
        let (own, values) = Own::of(proc)?;
        let mut unfolding = Unfolding {
            program,
            graph: &graphs[claim.0 as usize],
            own,
            yes: truth(true, proc.span),
            no: truth(false, proc.span),
            numbers: BTreeMap::new(),
            places: Vec::new(),
            edges: Vec::new(),
        };
        unfolding.number(0, values)?;
        let mut next = 0;
        while next < unfolding.places.len() {
            budget.check().map_err(exhausted)?;
            unfolding.state(next)?;
            next += 1;
        }
        unfolding.automaton(claim, budget).map_err(exhausted)
    }
}

/// An edge from one state to another; without a target it leads to the state in which the claim is violated.
struct Way {
    source: usize,
    condition: Expr,
    target: Option<usize>,
}

/// One result of executing a statement of the claim: the condition, and the values of the claim's variables after it.
struct Effect {
    condition: Expr,
    /// The values afterwards; none if an assertion is false.
    values: Option<Values>,
}

/// The states of a claim as they are found.
struct Unfolding<'p> {
    program: &'p Program,
    graph: &'p Graph<'p>,
    own: Own<'p>,
    yes: Expr,
    no: Expr,
    numbers: BTreeMap<(usize, Values), usize>,
    places: Vec<(usize, Values)>,
    edges: Vec<Way>,
}

impl Unfolding<'_> {
    fn number(&mut self, node: usize, values: Values) -> Result<usize, String> {
        let next = self.places.len();
        let number = *self.numbers.entry((node, values.clone())).or_insert(next);
        if number == next {
            self.places.push((node, values));
        }
        if next > MOST_STATES {
            return Err(format!("the variables of the claim make more than {MOST_STATES} states of it"));
        }
        Ok(number)
    }

    /// All edges of a state: the paths of the claim up to the point where it waits for a step of the system.
    fn state(&mut self, source: usize) -> Result<(), String> {
        let (node, values) = self.places[source].clone();
        if self.graph.nodes[node].location == Location::End {
            self.edges.push(Way { source, condition: self.yes.clone(), target: None });
            return Ok(());
        }
        let mut pending = vec![(vec![(node, values)], self.yes.clone())];
        while let Some((way, condition)) = pending.pop() {
            let (node, values) = &way[way.len() - 1];
            if way.len() > MOST_STEPS || self.graph.nodes[*node].edges.len() > MOST_STEPS {
                return Err(format!("the claim has a sequence or a choice of more than {MOST_STEPS} statements"));
            }
            for (effect, target, is_atomic) in self.moves(*node, values)? {
                let condition = and(condition.clone(), effect.condition);
                if constant(&condition) == Some(0) {
                    continue;
                }
                let Some(values) = effect.values else {
                    self.edges.push(Way { source, condition, target: None });
                    continue;
                };
                let place = (target, values);
                if is_atomic {
                    // A sequence that comes back to itself never lets the system move.
                    if !way.contains(&place) {
                        pending.push((way.iter().cloned().chain([place]).collect(), condition));
                    }
                } else {
                    let target = match self.graph.nodes[place.0].location {
                        Location::End => None,
                        _ => Some(self.number(place.0, place.1)?),
                    };
                    self.edges.push(Way { source, condition, target });
                }
            }
        }
        Ok(())
    }

    /// The moves of the claim at a node: effect, target node, and whether the claim continues without waiting for the system.
    fn moves(&self, node: usize, values: &Values) -> Result<Vec<(Effect, usize, bool)>, String> {
        let mut moves = Vec::new();
        let (mut before, mut within, mut group) = (self.no.clone(), self.no.clone(), 0);
        for edge in &self.graph.nodes[node].edges {
            if edge.group != group {
                (before, group) = (or(before, within), edge.group);
                within = self.no.clone();
            }
            let effects = match &edge.action {
                EdgeAction::Basic(statement) => self.statement(statement, values, &within)?,
                EdgeAction::DStep(_, inner) => self.d_step(inner, values)?,
                EdgeAction::Jump(_) | EdgeAction::Exit(_) | EdgeAction::Terminate => vec![self.passed(values)],
            };
            for Effect { condition, values } in effects {
                within = or(within, condition.clone());
                let condition = and(condition, not(before.clone()));
                moves.push((Effect { condition, values }, edge.target, edge.atomic));
            }
        }
        Ok(moves)
    }

    fn passed(&self, values: &Values) -> Effect {
        Effect { condition: self.yes.clone(), values: Some(values.clone()) }
    }

    /// The effects of a statement; `others` is the condition under which an earlier option can be executed.
    fn statement(&self, statement: &Stmt, values: &Values, others: &Expr) -> Result<Vec<Effect>, String> {
        let name = || &self.program.statements[statement.id.0 as usize].text;
        let refuse = |why: &str| Err(format!("the claim's statement `{}`: {why}", name()));
        let substitute = |expr: &Expr| {
            let why = |why: String| format!("the claim's statement `{}`: {why}", name());
            self.own.substitute(expr, values).map_err(why)
        };
        let kept = |condition: Expr| Effect { condition, values: Some(values.clone()) };
        Ok(match &statement.kind {
            StmtKind::Expr(expr) => vec![kept(substitute(expr)?)],
            StmtKind::Assert(expr) => {
                let condition = substitute(expr)?;
                vec![kept(condition.clone()), Effect { condition: not(condition), values: None }]
            }
            StmtKind::Else => vec![kept(not(others.clone()))],
            StmtKind::Printf(..) | StmtKind::Printm(_) => vec![self.passed(values)],
            StmtKind::Assign(place, expr) => {
                let Some(variable) = Own::variable(place) else {
                    return refuse("it changes the model; a claim only watches");
                };
                let Some(ways) = self.own.assigned(variable, &substitute(expr)?) else {
                    return refuse("a variable of the claim that takes values of the model has at most 8 bits here");
                };
                let way = |(condition, value): (Expr, i32)| {
                    let mut values = values.clone();
                    values[variable.0 as usize] = value;
                    Effect { condition, values: Some(values) }
                };
                ways.into_iter().map(way).collect()
            }
            _ => return refuse("a claim can test, assert, jump, and assign to its own variables"),
        })
    }

    /// All paths through a `d_step`. A path that blocks inside matches nothing.
    fn d_step(&self, inner: &Inner<'_>, values: &Values) -> Result<Vec<Effect>, String> {
        let mut effects = Vec::new();
        let mut pending = vec![(0, self.passed(values), 0)];
        while let Some((node, Effect { condition, values }, steps)) = pending.pop() {
            let Some(values) = values else { continue };
            if steps == MOST_STEPS {
                return Err(format!("a `d_step` of the claim has more than {MOST_STEPS} steps"));
            }
            let mut before = self.no.clone();
            for edge in &inner.nodes[node] {
                let next = match edge.statement {
                    Some(statement) => self.statement(statement, &values, &before)?,
                    None => vec![self.passed(&values)],
                };
                let mut enabled = self.no.clone();
                for effect in next {
                    enabled = or(enabled, effect.condition.clone());
                    let condition = and(condition.clone(), and(effect.condition, not(before.clone())));
                    let effect = Effect { condition, values: effect.values };
                    match edge.target.filter(|_| effect.values.is_some()) {
                        _ if constant(&effect.condition) == Some(0) => {}
                        Some(target) => pending.push((target, effect, steps + 1)),
                        None => effects.push(effect),
                    }
                }
                before = or(before, enabled);
            }
        }
        Ok(effects)
    }

    /// Builds the automaton from the edges.
    fn automaton(self, claim: ProcId, budget: &Budget) -> Result<Never, Exhausted> {
        let mut binder = Binder::new(self.program);
        let mut conditions = Vec::new();
        for way in &self.edges {
            budget.check()?;
            conditions.push(binder.state(&way.condition));
        }
        let Binder { formulas, atoms, .. } = binder;
        let proc = &self.program.procs[claim.0 as usize];
        let mut automaton = Automaton::new(atoms.iter().map(|(name, _)| name.as_str()), 1);
        automaton.name = Some(proc.name.clone());
        automaton.add_states(self.places.len() + 1);
        let lost = self.places.len() as State;
        let is_accepting = |state: usize| {
            let labels = &self.graph.nodes[self.places[state].0].labels;
            labels.iter().any(|label| proc.labels[label.0 as usize].name.starts_with("accept"))
        };
        for (way, condition) in self.edges.iter().zip(conditions) {
            budget.check()?;
            let label = automaton.label(&formulas, condition).expect("conditions are Boolean");
            let marks = if is_accepting(way.source) { Marks::one(0) } else { Marks::NONE };
            if !label.is_false() {
                automaton.add_edge(
                    way.source as State,
                    way.target.map_or(lost, |target| target as State),
                    &label,
                    marks,
                );
            }
        }
        let yes = automaton.manager().yes();
        automaton.add_edge(lost, lost, &yes, Marks::one(0));
        automaton.merge_edges();
        Ok(Never { automaton, atoms })
    }
}
