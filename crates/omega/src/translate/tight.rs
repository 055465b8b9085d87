//! Formula to generalised Büchi automaton by elementary subformulas: the construction whose lassos are as short as words.
//!
//! What: [`translate`] gives an automaton with the models of any formula that is *tight*: for each word `u v v v …` that
//! satisfies the formula it has an accepting run with a stem as long as `u` and a cycle as long as `v`. A shortest
//! accepting lasso of the product with a system is therefore a shortest counterexample to the *formula*; other automata
//! may need to go around the cycle more than once, or enter it later.
//!
//! Source: the tableau of [clarke.97.fmsd], shown to be tight for formulas without past operators by
//! [schuppan.05.tacas]. Deviations: states do not hold the letter, which stands on the edge that leaves them; all
//! operators are elementary by themselves instead of being reduced to `X` and `U`; states are found on the fly.
//!
//! How: a state says which *elementary* formulas are true at a position: the operands of `X`, and the formulas with an
//! operator that looks arbitrarily far; of a formula and its negation, only one. From a letter and the state at the
//! next position all of them can be computed, `a U b` being `b | (a & X(a U b))`; there is an edge where this agrees
//! with the source. For each elementary `a U b` there is an acceptance set: the edges where it is false, or b is true.
//! Where the equation of an operator has its greatest solution, as for `a R b`, it is the other way around: where it is
//! true, or b is false.
//!
//! Why it is tight: each word has exactly one run from a given truth of all elementary formulas, the one that says what
//! is true. On `u v v v …` what is true at a position of the cycle is true again one cycle later, so the run closes
//! where the word does.
//!
//! Contract: there may be several initial states, [`Tight::initial`]; the initial state of the automaton itself has
//! their edges, so that its language is right, but only runs from [`Tight::initial`] have the shape of their word.
//! Exponential; beyond `limit` states, or fifty times as many edges, or ten times that many choices on the way to them, it
//! gives up.
//!
//! Tested by: [`crate::semantics`], and a search for a run of the same shape, on random words (`tests/reference.rs`).

use super::TooLarge;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::formula::{Formula, Formulas, Node};
use crate::rewrite::Nnf;
use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use std::collections::HashMap;

/// A tight automaton.
#[derive(Clone, Debug)]
pub struct Tight {
    /// The automaton, with an extra initial state.
    pub automaton: Automaton,
    /// The states from which runs have the shape of the word they read.
    pub initial: Vec<State>,
}

/// Translates a formula.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::translate::tight::translate;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "GFa", Syntax::Spot).unwrap();
/// let tight = translate(&mut formulas, formula, 1_000).unwrap();
/// // GFa and Fa are both true at every position: one state, and the extra one.
/// assert_eq!((tight.automaton.state_count(), tight.initial.len()), (2, 1));
/// ```
///
/// # Errors
///
/// Where the automaton would have more than `limit` states, or the formula too many atoms, elementary formulas or
/// acceptance sets.
pub fn translate(formulas: &mut Formulas, formula: Formula, limit: usize) -> Result<Tight, TooLarge> {
    let equations = Equations::of(formulas, formula)?;
    Search::new(equations, limit).run()
}

/// How many values may be chosen for each edge that there may be.
const CHOICES_AN_EDGE: usize = 10;

/// The value of each elementary formula at a position.
type Valuation = Vec<bool>;

/// The elementary formulas; of a formula and its negation only one.
struct Elementary {
    formulas: Vec<Formula>,
    /// Where an elementary formula stands, and whether it stands there itself and not its negation.
    place: HashMap<Formula, (usize, bool)>,
}

impl Elementary {
    fn of(formulas: &mut Formulas, root: Formula) -> Elementary {
        let operand = |part: Formula, formulas: &Formulas| match *formulas.node(part) {
            Node::Next(a) => Some(a),
            ref node if node.is_temporal() || part == root => Some(part),
            _ => None,
        };
        let mut nnf = Nnf::new();
        let mut known: HashMap<Formula, (usize, bool)> = HashMap::new();
        let mut elementary = Elementary { formulas: Vec::new(), place: HashMap::new() };
        let parts = formulas.subformulas(root);
        let root_itself = [root].into_iter().filter(|root| matches!(formulas.node(*root), Node::Next(_)));
        let list: Vec<Formula> = parts.iter().filter_map(|part| operand(*part, formulas)).chain(root_itself).collect();
        for part in list {
            let place = match known.get(&nnf.of(formulas, part)) {
                Some(place) => *place,
                None => {
                    let place = (elementary.formulas.len(), true);
                    elementary.formulas.push(part);
                    known.insert(nnf.of(formulas, part), place);
                    known.insert(nnf.negation(formulas, part), (place.0, false));
                    place
                }
            };
            elementary.place.insert(part, place);
        }
        elementary
    }
}

/// What relates a position to the next one.
struct Equations {
    manager: Manager,
    atoms: Vec<String>,
    /// For each elementary formula its truth, over the elementary formulas at the next position (variables from 0, so that
    /// choosing their values goes down the diagrams) and the letter (the variables after those).
    now: Vec<Bdd>,
    /// For each acceptance set the elementary formula it is about, whether the set holds it where it is true, and
    /// else where.
    sets: Vec<(usize, bool, Bdd)>,
    /// Where the whole formula stands, and whether it stands there itself and not its negation.
    root: (usize, bool),
}

impl Equations {
    fn of(formulas: &mut Formulas, root: Formula) -> Result<Equations, TooLarge> {
        let elementary = Elementary::of(formulas, root);
        let atoms = formulas.atoms(root);
        if atoms.len() + elementary.formulas.len() > MAX_VARIABLES as usize {
            return Err(TooLarge::Variables);
        }
        let manager = Manager::new();
        let later = |part: Formula| {
            let (index, sign) = elementary.place[&part];
            manager.literal(Variable(index as u32), sign)
        };
        let mut truth: HashMap<Formula, Bdd> = HashMap::new();
        for part in formulas.subformulas(root) {
            let now = match *formulas.node(part) {
                Node::Atom(atom) => {
                    let place = elementary.formulas.len() + atoms.binary_search(&atom).expect("an atom of the formula");
                    manager.variable(Variable(place as u32))
                }
                ref node => step(&manager, node, &truth, &later, part),
            };
            truth.insert(part, now);
        }
        let fair = |(index, part): (usize, &Formula)| {
            fairness(formulas.node(*part), &truth).map(|(lasting, otherwise)| (index, lasting, otherwise))
        };
        let sets: Vec<(usize, bool, Bdd)> = elementary.formulas.iter().enumerate().filter_map(fair).collect();
        if sets.len() > MAX_SETS as usize {
            return Err(TooLarge::Sets);
        }
        Ok(Equations {
            atoms: atoms.iter().map(|atom| formulas.atom_name(*atom).to_owned()).collect(),
            now: elementary.formulas.iter().map(|part| truth[part].clone()).collect(),
            root: elementary.place[&root],
            manager,
            sets,
        })
    }

    /// Of what values of the first elementary formulas allow, the part where the next one has a value, for both values.
    fn narrowed(&self, allowed: &Bdd, index: usize) -> [(bool, Bdd); 2] {
        let now = &self.now[index];
        [(false, allowed.minus(now)), (true, allowed & now)]
    }
}

/// The truth of a formula at a position, from that of its operands there and of itself at the next one.
fn step(
    manager: &Manager,
    node: &Node,
    truth: &HashMap<Formula, Bdd>,
    later: &dyn Fn(Formula) -> Bdd,
    whole: Formula,
) -> Bdd {
    let of = |a: &Formula| &truth[a];
    match node {
        Node::True => manager.yes(),
        Node::False => manager.no(),
        Node::Not(a) => !of(a),
        Node::And(members) => manager.conjunction(members.iter().map(of)),
        Node::Or(members) => manager.disjunction(members.iter().map(of)),
        Node::Next(a) => later(*a),
        Node::Eventually(a) => of(a) | &later(whole),
        Node::Always(a) => of(a) & &later(whole),
        Node::Until(a, b) | Node::WeakUntil(a, b) => of(b) | &(of(a) & &later(whole)),
        Node::Release(a, b) | Node::StrongRelease(a, b) => of(b) & &(of(a) | &later(whole)),
        Node::Xor(a, b) => of(a).xor(of(b)),
        Node::Implies(a, b) => &!of(a) | of(b),
        Node::Iff(a, b) => of(a).iff(of(b)),
        Node::Atom(_) => unreachable!("propositions are variables"),
    }
}

/// For an operator with a fixpoint: the value that may last forever, and what else keeps it fair.
fn fairness(node: &Node, truth: &HashMap<Formula, Bdd>) -> Option<(bool, Bdd)> {
    let of = |a: &Formula| &truth[a];
    match node {
        // Least fixpoints may be false forever; else what they wait for must come.
        Node::Eventually(b) | Node::Until(_, b) => Some((false, of(b).clone())),
        Node::StrongRelease(a, b) => Some((false, of(a) & of(b))),
        // Greatest fixpoints may be true forever; else what refutes them must come.
        Node::Always(b) | Node::Release(_, b) => Some((true, !of(b))),
        Node::WeakUntil(a, b) => Some((true, !&(of(a) | of(b)))),
        _ => None,
    }
}

/// A valuation while its values are chosen one by one.
#[derive(Clone)]
struct Choice {
    values: Valuation,
    /// The letters and values at the position after that the values so far allow; not false.
    allowed: Bdd,
    /// What the source allows, with the values so far in place: in the end, letters.
    letters: Bdd,
    /// For the acceptance sets that the source does not meet by itself, which one, and where it is met, with the values so
    /// far in place.
    fair: Vec<(u32, Bdd)>,
}

/// The search for reachable states.
struct Search {
    equations: Equations,
    limit: usize,
    automaton: Automaton,
    /// The number of each valuation that was met.
    numbers: HashMap<Valuation, State>,
    /// The valuations of states, and what they allow; the extra initial state is not among them.
    states: Vec<(Valuation, Bdd)>,
    /// Labels of the automaton, by what they are in the equations.
    labels: HashMap<Bdd, Bdd>,
    /// For each acceptance set the elementary formulas at the next position that it depends on.
    depends: Vec<Vec<bool>>,
}

impl Search {
    fn new(equations: Equations, limit: usize) -> Self {
        let sets = equations.sets.len() as u32;
        let mut automaton = Automaton::in_manager(&equations.manager, equations.atoms.iter().cloned(), sets);
        automaton.add_state();
        let depends = |(_, _, otherwise): &(usize, bool, Bdd)| {
            let mut depends = vec![false; equations.now.len()];
            for variable in otherwise.support() {
                if let Some(place) = depends.get_mut(variable.0 as usize) {
                    *place = true;
                }
            }
            depends
        };
        let depends = equations.sets.iter().map(depends).collect();
        let (numbers, states, labels) = (HashMap::new(), Vec::new(), HashMap::new());
        Search { equations, limit, automaton, numbers, states, labels, depends }
    }

    fn run(mut self) -> Result<Tight, TooLarge> {
        let initial = self.initial()?;
        let (mut done, mut edges, mut choices) = (0, 0, 0);
        while done < self.states.len() {
            let state = done as State + 1;
            let (valuation, allowed) = self.states[done].clone();
            done += 1;
            let (met, fair) = self.fairness_of(&valuation);
            let yes = self.equations.manager.yes();
            let mut stack = vec![Choice { values: Valuation::new(), allowed: yes, letters: allowed, fair }];
            while let Some(choice) = stack.pop() {
                choices += 1;
                super::check_edges(choices / CHOICES_AN_EDGE, self.limit)?;
                if choice.values.len() < valuation.len() {
                    self.narrow(&choice, &mut stack);
                    continue;
                }
                let target = self.number(&choice.values, &choice.allowed)?;
                edges += self.connect(state, met, target, &choice);
                super::check_edges(edges, self.limit)?;
            }
        }
        for state in &initial {
            for edge in self.automaton.edges(*state).to_vec() {
                self.automaton.add_edge(0, edge.target, &edge.label, edge.marks);
            }
        }
        self.automaton.merge_edges();
        Ok(Tight { automaton: self.automaton, initial })
    }

    /// Puts both values of the next elementary formula to a choice, as far as they are possible.
    fn narrow(&self, choice: &Choice, stack: &mut Vec<Choice>) {
        let index = choice.values.len();
        let variable = Variable(index as u32);
        for (value, allowed) in self.equations.narrowed(&choice.allowed, index) {
            let letters = choice.letters.cofactor(variable, value);
            if allowed.is_false() || letters.is_false() {
                continue;
            }
            // Most depend on few of the values.
            let in_place = |(set, fair): &(u32, Bdd)| match self.depends[*set as usize][index] {
                true => (*set, fair.cofactor(variable, value)),
                false => (*set, fair.clone()),
            };
            let fair = choice.fair.iter().map(in_place).collect();
            let mut values = choice.values.clone();
            values.push(value);
            stack.push(Choice { values, allowed, letters, fair });
        }
    }

    /// The acceptance sets that a valuation meets by itself, and where it meets the others, in their order.
    fn fairness_of(&self, valuation: &Valuation) -> (Marks, Vec<(u32, Bdd)>) {
        let (mut met, mut fair) = (Marks::NONE, Vec::new());
        for (set, (index, lasting, otherwise)) in (0..).zip(&self.equations.sets) {
            if valuation[*index] == *lasting {
                met = met.with(set);
            } else {
                fair.push((set, otherwise.clone()));
            }
        }
        (met, fair)
    }

    /// All consistent valuations in which the formula is true.
    fn initial(&mut self) -> Result<Vec<State>, TooLarge> {
        let mut initial = Vec::new();
        let count = self.equations.now.len();
        let (root, sign) = self.equations.root;
        let mut stack: Vec<(Valuation, Bdd)> = vec![(Valuation::new(), self.equations.manager.yes())];
        while let Some((valuation, allowed)) = stack.pop() {
            let index = valuation.len();
            if index == count {
                initial.push(self.number(&valuation, &allowed)?);
                continue;
            }
            for (value, allowed) in self.equations.narrowed(&allowed, index) {
                if !allowed.is_false() && (index != root || value == sign) {
                    let mut valuation = valuation.clone();
                    valuation.push(value);
                    stack.push((valuation, allowed));
                }
            }
        }
        Ok(initial)
    }

    /// The state of a consistent valuation, new if need be.
    fn number(&mut self, valuation: &Valuation, allowed: &Bdd) -> Result<State, TooLarge> {
        if let Some(known) = self.numbers.get(valuation) {
            return Ok(*known);
        }
        let number = self.automaton.add_state();
        self.states.push((valuation.clone(), allowed.clone()));
        if self.states.len() > self.limit {
            return Err(TooLarge::States(self.limit));
        }
        self.numbers.insert(valuation.clone(), number);
        Ok(number)
    }

    /// Adds the edges between two states, split by the acceptance sets that depend on the letter; how many there are.
    fn connect(&mut self, state: State, met: Marks, target: State, choice: &Choice) -> usize {
        let mut pieces: Vec<(Bdd, Marks)> = vec![(choice.letters.clone(), met)];
        for (set, fair) in choice.fair.iter().filter(|(_, fair)| !fair.is_false()) {
            if fair.is_true() {
                pieces.iter_mut().for_each(|(_, marks)| *marks = marks.with(*set));
                continue;
            }
            let split =
                |(letters, marks): &(Bdd, Marks)| [(letters & fair, marks.with(*set)), (letters.minus(fair), *marks)];
            pieces = pieces.iter().flat_map(split).filter(|(letters, _)| !letters.is_false()).collect();
        }
        for (letters, marks) in &pieces {
            let label = self.label(letters);
            self.automaton.add_edge(state, target, &label, *marks);
        }
        pieces.len()
    }

    /// The label for letters as the equations have them.
    fn label(&mut self, letters: &Bdd) -> Bdd {
        let shift = self.equations.now.len() as u32;
        let manager = &self.equations.manager;
        let label = || manager.import(letters, |variable| Variable(variable.0 - shift));
        self.labels.entry(letters.clone()).or_insert_with(label).clone()
    }
}
