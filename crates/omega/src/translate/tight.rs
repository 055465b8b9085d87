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
//! Exponential; beyond `limit` states, or fifty times as many edges, it gives up.
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
    /// For each elementary formula its truth, over the letter (variables from 0) and the elementary formulas at the next
    /// position (the variables after those).
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
            manager.literal(Variable((atoms.len() + index) as u32), sign)
        };
        let mut truth: HashMap<Formula, Bdd> = HashMap::new();
        for part in formulas.subformulas(root) {
            let now = match *formulas.node(part) {
                Node::Atom(atom) => {
                    manager.variable(Variable(atoms.binary_search(&atom).expect("an atom of the formula") as u32))
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

    /// The letters and valuations at the next position that a valuation allows; false if it is inconsistent.
    fn step_from(&self, valuation: &Valuation) -> Bdd {
        let mut all = self.manager.yes();
        for (now, value) in self.now.iter().zip(valuation) {
            all = if *value { &all & now } else { all.minus(now) };
        }
        all
    }

    fn later(&self, index: usize) -> Variable {
        Variable((self.atoms.len() + index) as u32)
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

/// The search for reachable states.
struct Search {
    equations: Equations,
    limit: usize,
    automaton: Automaton,
    /// The number of each consistent valuation; none for inconsistent ones.
    numbers: HashMap<Valuation, Option<State>>,
    /// The valuations of states, and what they allow; the extra initial state is not among them.
    states: Vec<(Valuation, Bdd)>,
}

impl Search {
    fn new(equations: Equations, limit: usize) -> Self {
        let sets = equations.sets.len() as u32;
        let mut automaton = Automaton::in_manager(&equations.manager, equations.atoms.iter().cloned(), sets);
        automaton.add_state();
        Search { equations, limit, automaton, numbers: HashMap::new(), states: Vec::new() }
    }

    fn run(mut self) -> Result<Tight, TooLarge> {
        let initial = self.initial()?;
        let (mut done, mut edges) = (0, 0);
        while done < self.states.len() {
            let state = done as State + 1;
            let (valuation, allowed) = self.states[done].clone();
            done += 1;
            let count = valuation.len();
            // Choose the values at the next position one by one; what remains is about the letter.
            let mut stack: Vec<(Valuation, Bdd)> = vec![(Valuation::new(), allowed)];
            while let Some((mut next, rest)) = stack.pop() {
                if next.len() == count {
                    if let Some(target) = self.number(&next)? {
                        edges += self.connect(state, &valuation, target, &next, &rest);
                        super::check_edges(edges, self.limit)?;
                    }
                    continue;
                }
                let variable = self.equations.later(next.len());
                for value in [false, true] {
                    let rest = rest.cofactor(variable, value);
                    if !rest.is_false() {
                        next.push(value);
                        stack.push((next.clone(), rest));
                        next.pop();
                    }
                }
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

    /// All consistent valuations in which the formula is true.
    fn initial(&mut self) -> Result<Vec<State>, TooLarge> {
        let mut initial = Vec::new();
        let count = self.equations.now.len();
        let (root, sign) = self.equations.root;
        let mut stack: Vec<(Valuation, Bdd)> = vec![(Valuation::new(), self.equations.manager.yes())];
        while let Some((valuation, allowed)) = stack.pop() {
            if valuation.len() == count {
                initial.extend(self.number(&valuation)?);
                continue;
            }
            let now = &self.equations.now[valuation.len()];
            for (value, allowed) in [(false, allowed.minus(now)), (true, &allowed & now)] {
                let about_root = valuation.len() == root && value != sign;
                if !allowed.is_false() && !about_root {
                    let mut valuation = valuation.clone();
                    valuation.push(value);
                    stack.push((valuation, allowed));
                }
            }
        }
        Ok(initial)
    }

    /// The state of a valuation, new if need be; none if it is inconsistent.
    fn number(&mut self, valuation: &Valuation) -> Result<Option<State>, TooLarge> {
        if let Some(known) = self.numbers.get(valuation) {
            return Ok(*known);
        }
        let allowed = self.equations.step_from(valuation);
        let number = (!allowed.is_false()).then(|| self.automaton.add_state());
        if number.is_some() {
            self.states.push((valuation.clone(), allowed));
            if self.states.len() > self.limit {
                return Err(TooLarge::States(self.limit));
            }
        }
        self.numbers.insert(valuation.clone(), number);
        Ok(number)
    }

    /// Adds the edges between two states, split by the acceptance sets that depend on the letter; how many there are.
    fn connect(
        &mut self,
        state: State,
        valuation: &Valuation,
        target: State,
        next: &Valuation,
        letters: &Bdd,
    ) -> usize {
        let mut pieces: Vec<(Bdd, Marks)> = vec![(letters.clone(), Marks::NONE)];
        for (set, (index, lasting, otherwise)) in self.equations.sets.iter().enumerate() {
            let set = set as u32;
            if valuation[*index] == *lasting {
                pieces.iter_mut().for_each(|piece| piece.1 = piece.1.with(set));
                continue;
            }
            // Where the set depends on the next position, its values are known.
            let mut fair = otherwise.clone();
            for (later, value) in next.iter().enumerate() {
                fair = fair.cofactor(self.equations.later(later), *value);
            }
            let split =
                |(letters, marks): &(Bdd, Marks)| [(letters & &fair, marks.with(set)), (letters.minus(&fair), *marks)];
            pieces = pieces.iter().flat_map(split).filter(|(letters, _)| !letters.is_false()).collect();
        }
        for (letters, marks) in &pieces {
            self.automaton.add_edge(state, target, letters, *marks);
        }
        pieces.len()
    }
}
