//! Formula to transition-based generalised Büchi automaton: a tableau whose steps are decision diagrams.
//!
//! What: [`translate`] gives an automaton for the models of a formula in negation normal form.
//!
//! Source: [couvreur.99.fm], in the form of [duretlutz.14.ijccbs]. A formula is unfolded into what must hold now and
//! what must hold next, as a Boolean function over three kinds of variables: the atoms; `next[f]`, "f holds from the next
//! position on"; and `promise[g]`, "g is due and was put off".
//!
//! ```text
//! step(a U b) = step(b) | step(a) & next[a U b] & promise[b]        step(X a) = next[a]
//! step(a M b) = step(b) & (step(a) | next[a M b] & promise[a])      F, G, R, W alike; W and R promise nothing
//! ```
//!
//! States are formulas; two formulas with one function are one state, which is sound because the function alone
//! determines the edges. After a letter, each prime implicant of what remains is an edge: its `next` formulas are the
//! target, and it belongs to the acceptance sets of those promises it does not make.
//!
//! Deviations: prime implicants are taken letter by letter, not of the whole function, so that a letter never has an edge
//! that another edge of this letter makes superfluous. With [`Branching::Postponed`], the alternatives of one letter that
//! make the same promises become one target, their disjunction, as [sebastiani.03.charme] proposes; this gives more
//! deterministic automata that are at times larger and at times smaller.
//!
//! Contract: the states are found breadth first; deterministic; no recursion on the formula. The result has one set for
//! each promise and may have useless states. A letter with more than `limit` alternatives counts as too many states.
//!
//! Tested by: [`crate::semantics`] on random lassos, emptiness of the product with the negation (`tests/translate.rs`).

use crate::table::{HashMap, HashSet};
use crate::thresholds::translate::MOST_LETTERS;
use std::collections::BTreeMap;

use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::budget::Budget;

use super::past;
use crate::automaton::branches::{branches, choices};
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::formula::{Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::propositions::Propositions;

/// What becomes of several alternatives for one letter that make the same promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branching {
    /// An edge for each.
    Immediate,
    /// One edge, to the disjunction of all.
    Postponed,
}

/// Translates a formula in negation normal form into an automaton with at most `limit` states.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::translate::couvreur::{Branching, translate};
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(!a | Fb)", Syntax::Spot).unwrap();
/// let automaton = translate(&mut formulas, formula, Branching::Immediate, 100, &Budget::unlimited()).unwrap();
/// assert_eq!((automaton.state_count(), automaton.sets()), (2, 1));
/// ```
///
/// # Errors
/// Where the formula is too large for decision diagrams or acceptance sets, the automaton has more states, or the budget
/// is exhausted.
///
/// # Panics
/// Where the formula is not in negation normal form.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    branching: Branching,
    limit: usize,
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    Ok(translate_noting(formulas, formula, branching, limit, budget)?.0)
}

/// As [`translate`], and whether the other kind of branching may give another automaton: some letter leaves alternatives that make
/// the same promises, or that are not in the order of their promises. Otherwise both kinds give the same one, state for state.
///
/// # Errors
/// As [`translate`].
pub(crate) fn translate_noting(
    formulas: &mut Formulas,
    formula: Formula,
    branching: Branching,
    limit: usize,
    budget: &Budget,
) -> Result<(Automaton, bool), Incomplete> {
    let mut has_alternatives = false;
    let automaton = past::translate(formulas, formula, limit, budget, |formulas, future| {
        let (automaton, is_noted) = without_past(formulas, future, branching, limit, budget)?;
        has_alternatives |= is_noted;
        Ok(automaton)
    })?;
    Ok((automaton, has_alternatives))
}

fn without_past(
    formulas: &mut Formulas,
    formula: Formula,
    branching: Branching,
    limit: usize,
    budget: &Budget,
) -> Result<(Automaton, bool), Incomplete> {
    let mut tableau = Tableau::new(formulas, formula, branching, limit, budget)?;
    let manager = tableau.manager.clone();
    manager.within(budget, || {
        tableau.state_of(formula)?;
        let mut edges = Vec::new();
        while edges.len() < tableau.functions.len() {
            edges.push(tableau.edges(edges.len())?);
            if tableau.functions.len() > limit {
                return Err(TooLarge::States(limit).into());
            }
        }
        let has_alternatives = tableau.has_alternatives;
        Ok((tableau.into_automaton(edges), has_alternatives))
    })
}

/// The meaning of a variable beyond the atoms.
#[derive(Clone, Copy)]
enum Meaning {
    Next(Formula),
    Promise(u32),
}

/// An edge while the number of promises is not known yet: target, promises made.
type Step = (State, Marks);

struct Tableau<'a> {
    formulas: &'a mut Formulas,
    branching: Branching,
    /// The most states, and the most alternatives for one letter.
    limit: usize,
    budget: &'a Budget,
    manager: Manager,
    /// The atoms; the one of index `i` is `Variable(i)`.
    atoms: Vec<Formula>,
    /// The variables after those of the atoms.
    meanings: Vec<Meaning>,
    next_variables: HashMap<Formula, Variable>,
    promise_variables: HashMap<Formula, Variable>,
    promises: u32,
    /// The function of each formula that occurs in a state.
    steps: HashMap<Formula, Bdd>,
    /// The function of each state.
    functions: Vec<Bdd>,
    states: HashMap<Bdd, State>,
    /// The edges for each function that remained after some letter: letters of several states may leave the same one.
    remainders: HashMap<Bdd, Vec<Step>>,
    /// Whether the other kind of branching may give another automaton.
    has_alternatives: bool,
}

impl<'a> Tableau<'a> {
    fn new(
        formulas: &'a mut Formulas,
        root: Formula,
        branching: Branching,
        limit: usize,
        budget: &'a Budget,
    ) -> Result<Self, TooLarge> {
        let is_atom = |part: &Formula| matches!(formulas.node(*part), Node::Atom(_));
        let atoms: Vec<Formula> = formulas.subformulas(root).into_iter().filter(is_atom).collect();
        if atoms.len() >= MAX_VARIABLES as usize {
            return Err(TooLarge::Variables);
        }
        Ok(Tableau {
            formulas,
            branching,
            limit,
            budget,
            manager: Manager::new(),
            atoms,
            meanings: Vec::new(),
            next_variables: HashMap::default(),
            promise_variables: HashMap::default(),
            promises: 0,
            steps: HashMap::default(),
            functions: Vec::new(),
            states: HashMap::default(),
            remainders: HashMap::default(),
            has_alternatives: false,
        })
    }

    /// The number of the state of a formula.
    fn state_of(&mut self, formula: Formula) -> Result<State, Incomplete> {
        let function = self.step(formula)?;
        let fresh = self.functions.len() as State;
        let state = *self.states.entry(function.clone()).or_insert(fresh);
        if state == fresh {
            self.functions.push(function);
        }
        Ok(state)
    }

    /// The edges of a state with their labels.
    fn edges(&mut self, state: usize) -> Result<BTreeMap<Step, Bdd>, Incomplete> {
        let mut edges: BTreeMap<Step, Bdd> = BTreeMap::new();
        let function = self.functions[state].clone();
        let parts = branches(&function, self.atoms.len() as u32, MOST_LETTERS, self.budget)?;
        let parts = parts.ok_or(TooLarge::Edges(MOST_LETTERS))?;
        for (label, remainder) in parts {
            if !self.remainders.contains_key(&remainder) {
                let mut steps = Vec::new();
                for (promises, target) in self.targets(&remainder)? {
                    self.budget.check()?;
                    steps.push((self.state_of(target)?, promises));
                }
                self.remainders.insert(remainder.clone(), steps);
            }
            for &step in &self.remainders[&remainder] {
                let entry = edges.entry(step);
                entry.and_modify(|known| *known = &*known | &label).or_insert_with(|| label.clone());
            }
        }
        Ok(edges)
    }

    /// The alternatives after one letter: promises made, and what must hold from the next position on.
    fn targets(&mut self, remainder: &Bdd) -> Result<Vec<(Marks, Formula)>, Incomplete> {
        let mut targets: Vec<(Marks, Formula)> = Vec::new();
        for choice in choices(remainder, self.limit, self.budget)?.ok_or(TooLarge::Edges(self.limit))? {
            self.budget.check()?;
            let mut promises = Marks::NONE;
            let mut nexts = Vec::new();
            for variable in choice {
                match self.meanings[variable.0 as usize - self.atoms.len()] {
                    Meaning::Next(formula) => nexts.push(formula),
                    Meaning::Promise(set) => promises = promises.with(set),
                }
            }
            targets.push((promises, self.formulas.and(nexts)));
        }
        // Postponed branching puts alternatives in the order of their promises.
        self.has_alternatives |= targets.windows(2).any(|pair| pair[0].0 >= pair[1].0);
        if self.branching == Branching::Immediate {
            return Ok(targets);
        }
        let mut together: BTreeMap<Marks, Vec<Formula>> = BTreeMap::new();
        for (promises, target) in targets {
            together.entry(promises).or_default().push(target);
        }
        Ok(together.into_iter().map(|(promises, list)| (promises, self.formulas.or(list))).collect())
    }

    /// The function of a formula, from those of its parts.
    fn step(&mut self, root: Formula) -> Result<Bdd, Incomplete> {
        // The parts without a function: if a part has one, so have its own parts.
        let mut seen: HashSet<Formula> = HashSet::default();
        let mut parts: Vec<Formula> = Vec::new();
        let mut pending = vec![root];
        while let Some(part) = pending.pop() {
            self.budget.check()?;
            if !self.steps.contains_key(&part) && seen.insert(part) {
                parts.push(part);
                pending.extend(self.formulas.node(part).children());
            }
        }
        // Operands have smaller numbers than what they are operands of.
        parts.sort_unstable();
        for part in parts {
            self.budget.check()?;
            let function = self.unfold(part)?;
            self.steps.insert(part, function);
        }
        Ok(self.steps[&root].clone())
    }

    /// The function of a formula whose parts have theirs.
    fn unfold(&mut self, formula: Formula) -> Result<Bdd, TooLarge> {
        let node = self.formulas.node(formula).clone();
        let part = |formula: Formula| self.steps[&formula].clone();
        Ok(match node {
            Node::True => self.manager.yes(),
            Node::False => self.manager.no(),
            Node::Atom(_) => {
                let index = self.atoms.iter().position(|&atom| atom == formula).expect("an atom of the formula");
                self.manager.variable(Variable(index as u32))
            }
            Node::Not(a) => {
                assert!(matches!(self.formulas.node(a), Node::Atom(_)), "negation normal form");
                !part(a)
            }
            Node::And(list) => self.manager.conjunction(list.iter().map(|a| &self.steps[a])),
            Node::Or(list) => self.manager.disjunction(list.iter().map(|a| &self.steps[a])),
            Node::Next(a) => self.next(a)?,
            Node::Eventually(a) => part(a) | (self.next(formula)? & self.promise(a)?),
            Node::Always(a) => part(a) & self.next(formula)?,
            Node::Until(a, b) => {
                let (now, meanwhile) = (part(b), part(a));
                now | (meanwhile & self.next(formula)? & self.promise(b)?)
            }
            Node::WeakUntil(a, b) => {
                let (now, meanwhile) = (part(b), part(a));
                now | (meanwhile & self.next(formula)?)
            }
            Node::Release(a, b) => {
                let (now, end) = (part(b), part(a));
                now & (end | self.next(formula)?)
            }
            Node::StrongRelease(a, b) => {
                let (now, end) = (part(b), part(a));
                now & (end | (self.next(formula)? & self.promise(a)?))
            }
            Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => panic!("negation normal form"),
            Node::Previously(_)
            | Node::WeakPreviously(_)
            | Node::Once(_)
            | Node::Historically(_)
            | Node::Since(..)
            | Node::Triggered(..) => unreachable!("past operators have been replaced"),
        })
    }

    fn next(&mut self, formula: Formula) -> Result<Bdd, TooLarge> {
        if let Some(known) = self.next_variables.get(&formula) {
            return Ok(self.manager.variable(*known));
        }
        let variable = self.add_variable(Meaning::Next(formula))?;
        self.next_variables.insert(formula, variable);
        Ok(self.manager.variable(variable))
    }

    fn promise(&mut self, formula: Formula) -> Result<Bdd, TooLarge> {
        if let Some(known) = self.promise_variables.get(&formula) {
            return Ok(self.manager.variable(*known));
        }
        if self.promises == MAX_SETS {
            return Err(TooLarge::Sets);
        }
        let variable = self.add_variable(Meaning::Promise(self.promises))?;
        self.promises += 1;
        self.promise_variables.insert(formula, variable);
        Ok(self.manager.variable(variable))
    }

    fn add_variable(&mut self, meaning: Meaning) -> Result<Variable, TooLarge> {
        let variable = (self.atoms.len() + self.meanings.len()) as u32;
        if variable == MAX_VARIABLES {
            return Err(TooLarge::Variables);
        }
        self.meanings.push(meaning);
        Ok(Variable(variable))
    }

    fn into_automaton(self, edges: Vec<BTreeMap<Step, Bdd>>) -> Automaton {
        let id = |atom: &Formula| match *self.formulas.node(*atom) {
            Node::Atom(atom) => atom,
            _ => unreachable!("only atoms are listed"),
        };
        let atoms = Propositions::of(self.formulas, self.atoms.iter().map(id));
        let mut automaton = Automaton::in_manager(&self.manager, atoms, self.promises);
        automaton.add_states(edges.len());
        let all = automaton.all_marks();
        for (source, edges) in edges.into_iter().enumerate() {
            for ((target, promises), label) in edges {
                automaton.add_edge(source as State, target, &label, all.minus(promises));
            }
        }
        automaton
    }
}
