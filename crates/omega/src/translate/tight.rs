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

use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::formula::{Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::propositions::Propositions;
use crate::rewrite::Nnf;
use crate::table::HashMap;
use crate::thresholds::translate::CHOICES_PER_EDGE;
use bdd::{Bdd, MAX_VARIABLES, Manager, Variable};
use kernel::budget::{Budget, Exhausted};

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
/// use kernel::budget::Budget;
/// use omega::parse::{Syntax, parse};
/// use omega::translate::tight::translate;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "GFa", Syntax::Spot).unwrap();
/// let tight = translate(&mut formulas, formula, 1_000, &Budget::unlimited()).unwrap();
/// // GFa and Fa are both true at every position: one state, and the extra one.
/// assert_eq!((tight.automaton.state_count(), tight.initial.len()), (2, 1));
/// ```
///
/// # Errors
///
/// Where the automaton would have more than `limit` states, or the formula too many atoms, elementary formulas or
/// acceptance sets; where the formula has past operators, whose truth need not have the shape of the word; or where the
/// budget is exhausted.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    limit: usize,
    budget: &Budget,
) -> Result<Tight, Incomplete> {
    // The product with a monitor would not be tight.
    if formulas.has_past(formula) {
        return Err(TooLarge::Past.into());
    }
    let manager = Manager::new();
    manager.within(budget, || {
        let equations = Equations::of(&manager, formulas, formula, budget)?;
        Search::new(equations, limit, budget).run()
    })
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
        let mut known: HashMap<Formula, (usize, bool)> = HashMap::default();
        let mut elementary = Elementary { formulas: Vec::new(), place: HashMap::default() };
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
    atoms: Propositions,
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
    fn of(manager: &Manager, formulas: &mut Formulas, root: Formula, budget: &Budget) -> Result<Equations, Incomplete> {
        let elementary = Elementary::of(formulas, root);
        let atoms = formulas.atoms(root);
        if atoms.len() + elementary.formulas.len() > MAX_VARIABLES as usize {
            return Err(TooLarge::Variables.into());
        }
        let later = |part: Formula| {
            let (index, sign) = elementary.place[&part];
            manager.literal(Variable(index as u32), sign)
        };
        let mut truth: HashMap<Formula, Bdd> = HashMap::default();
        for part in formulas.subformulas(root) {
            budget.check()?;
            let now = match *formulas.node(part) {
                Node::Atom(atom) => {
                    let place = elementary.formulas.len() + atoms.binary_search(&atom).expect("an atom of the formula");
                    manager.variable(Variable(place as u32))
                }
                ref node => step(manager, node, &truth, &later, part),
            };
            truth.insert(part, now);
        }
        let fair = |(index, part): (usize, &Formula)| {
            fairness(formulas.node(*part), &truth).map(|(lasting, otherwise)| (index, lasting, otherwise))
        };
        let sets: Vec<(usize, bool, Bdd)> = elementary.formulas.iter().enumerate().filter_map(fair).collect();
        if sets.len() > MAX_SETS as usize {
            return Err(TooLarge::Sets.into());
        }
        Ok(Equations {
            atoms: Propositions::of(formulas, atoms.iter().copied()),
            now: elementary.formulas.iter().map(|part| truth[part].clone()).collect(),
            root: elementary.place[&root],
            manager: manager.clone(),
            sets,
        })
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
        Node::Previously(_)
        | Node::WeakPreviously(_)
        | Node::Once(_)
        | Node::Historically(_)
        | Node::Since(..)
        | Node::Triggered(..) => unreachable!("formulas with past operators are refused"),
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

/// The values of the first elementary formulas, and what they allow.
struct Prefix {
    /// The letters and values at the position after that the values allow; not false.
    allowed: Bdd,
    /// For both values of the next elementary formula: whether it was examined, and the longer prefix if it is consistent.
    longer: [Option<Option<usize>>; 2],
    /// The state, if all values are there and it was met.
    state: Option<State>,
}

/// The prefixes of consistent valuations as a tree. Many states share a prefix, which is examined once.
struct Prefixes(Vec<Prefix>);

/// The prefix without values.
const EMPTY: usize = 0;

impl Prefixes {
    fn add(&mut self, allowed: Bdd) -> usize {
        self.0.push(Prefix { allowed, longer: [None, None], state: None });
        self.0.len() - 1
    }

    /// The prefix with one more value, if it is possible; `now` is the truth of the formula that has it.
    fn longer(&mut self, prefix: usize, now: &Bdd, value: bool) -> Option<usize> {
        if let Some(known) = self.0[prefix].longer[usize::from(value)] {
            return known;
        }
        let allowed = &self.0[prefix].allowed;
        let allowed = if value { allowed & now } else { allowed.minus(now) };
        let longer = if allowed.is_false() { None } else { Some(self.add(allowed)) };
        self.0[prefix].longer[usize::from(value)] = Some(longer);
        longer
    }
}

/// A valuation while its values are chosen one by one.
struct Choice {
    /// The values, and how many they are.
    prefix: usize,
    length: usize,
    /// The last of them; the others are those of the choice before.
    last: bool,
    /// What the source allows, with the values so far in place: in the end, letters.
    letters: Bdd,
    /// For the acceptance sets that the source does not meet by itself, which one, and where it is met, with the values so
    /// far in place.
    fair: Vec<(u32, Bdd)>,
}

impl Choice {
    fn first(letters: Bdd, fair: Vec<(u32, Bdd)>) -> Self {
        Choice { prefix: EMPTY, length: 0, last: false, letters, fair }
    }

    /// Brings the values of the choice that was looked at before to those of this one.
    fn bring(&self, values: &mut Valuation) {
        values.truncate(self.length.saturating_sub(1));
        if self.length > 0 {
            values.push(self.last);
        }
    }
}

/// A function where a variable has a value, if no variable above that one is left in it.
fn with_value(function: &Bdd, variable: Variable, value: bool) -> Bdd {
    if function.root() == Some(variable) { function.cofactor(variable, value) } else { function.clone() }
}

/// The search for reachable states.
struct Search<'a> {
    equations: Equations,
    limit: usize,
    budget: &'a Budget,
    automaton: Automaton,
    prefixes: Prefixes,
    /// The valuations of states, and what they allow; the extra initial state is not among them.
    states: Vec<(Valuation, Bdd)>,
    /// Labels of the automaton, by what they are in the equations.
    labels: HashMap<Bdd, Bdd>,
}

impl<'a> Search<'a> {
    fn new(equations: Equations, limit: usize, budget: &'a Budget) -> Self {
        let sets = equations.sets.len() as u32;
        let mut automaton = Automaton::in_manager(&equations.manager, equations.atoms.clone(), sets);
        automaton.add_state();
        let mut prefixes = Prefixes(Vec::new());
        prefixes.add(equations.manager.yes());
        let (states, labels) = (Vec::new(), HashMap::default());
        Search { equations, limit, budget, automaton, prefixes, states, labels }
    }

    fn run(mut self) -> Result<Tight, Incomplete> {
        let initial = self.initial()?;
        let (mut done, mut edges, mut choices) = (0, 0, 0);
        while done < self.states.len() {
            let state = done as State + 1;
            let (valuation, allowed) = self.states[done].clone();
            done += 1;
            let (met, fair) = self.fairness_of(&valuation);
            let (mut stack, mut values) = (vec![Choice::first(allowed, fair)], Valuation::new());
            while let Some(choice) = stack.pop() {
                self.budget.check()?;
                choices += 1;
                super::check_edges(choices / CHOICES_PER_EDGE, self.limit)?;
                choice.bring(&mut values);
                if values.len() < valuation.len() {
                    self.narrow(&choice, &mut stack);
                    continue;
                }
                let target = self.number(&values, choice.prefix)?;
                edges += self.connect(state, met, target, &choice)?;
                super::check_edges(edges, self.limit)?;
            }
        }
        for state in &initial {
            for edge in self.automaton.edges(*state).to_vec() {
                self.automaton.add_edge(0, edge.target, &edge.label, edge.marks);
            }
        }
        self.automaton.merge_edges_within(self.budget)?;
        Ok(Tight { automaton: self.automaton, initial })
    }

    /// Puts both values of the next elementary formula to a choice, as far as they are possible.
    fn narrow(&mut self, choice: &Choice, stack: &mut Vec<Choice>) {
        let index = choice.length;
        let variable = Variable(index as u32);
        for value in [false, true] {
            let letters = with_value(&choice.letters, variable, value);
            if letters.is_false() {
                continue;
            }
            let Some(prefix) = self.prefixes.longer(choice.prefix, &self.equations.now[index], value) else { continue };
            let fair = choice.fair.iter().map(|(set, fair)| (*set, with_value(fair, variable, value))).collect();
            stack.push(Choice { prefix, length: index + 1, last: value, letters, fair });
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
    fn initial(&mut self) -> Result<Vec<State>, Incomplete> {
        let mut initial = Vec::new();
        let count = self.equations.now.len();
        let (root, sign) = self.equations.root;
        let is_true = self.equations.manager.literal(Variable(root as u32), sign);
        let (mut stack, mut values) = (vec![Choice::first(is_true, Vec::new())], Valuation::new());
        while let Some(choice) = stack.pop() {
            self.budget.check()?;
            choice.bring(&mut values);
            if values.len() < count {
                self.narrow(&choice, &mut stack);
            } else {
                initial.push(self.number(&values, choice.prefix)?);
            }
        }
        Ok(initial)
    }

    /// The state of a consistent valuation, given as a prefix too; new if need be.
    fn number(&mut self, values: &Valuation, prefix: usize) -> Result<State, TooLarge> {
        let prefix = &mut self.prefixes.0[prefix];
        if let Some(known) = prefix.state {
            return Ok(known);
        }
        if self.states.len() >= self.limit {
            return Err(TooLarge::States(self.limit));
        }
        let number = self.automaton.add_state();
        prefix.state = Some(number);
        self.states.push((values.clone(), prefix.allowed.clone()));
        Ok(number)
    }

    /// Adds the edges between two states, split by the acceptance sets that depend on the letter; how many there are.
    fn connect(&mut self, state: State, met: Marks, target: State, choice: &Choice) -> Result<usize, Exhausted> {
        let mut pieces: Vec<(Bdd, Marks)> = vec![(choice.letters.clone(), met)];
        for (set, fair) in choice.fair.iter().filter(|(_, fair)| !fair.is_false()) {
            if fair.is_true() {
                pieces.iter_mut().for_each(|(_, marks)| *marks = marks.with(*set));
                continue;
            }
            self.budget.check()?;
            let split =
                |(letters, marks): &(Bdd, Marks)| [(letters & fair, marks.with(*set)), (letters.minus(fair), *marks)];
            pieces = pieces.iter().flat_map(split).filter(|(letters, _)| !letters.is_false()).collect();
        }
        for (letters, marks) in &pieces {
            self.budget.check()?;
            let label = self.label(letters);
            self.automaton.add_edge(state, target, &label, *marks);
        }
        Ok(pieces.len())
    }

    /// The label for letters as the equations have them.
    fn label(&mut self, letters: &Bdd) -> Bdd {
        let shift = self.equations.now.len() as u32;
        let manager = &self.equations.manager;
        let label = || manager.import(letters, |variable| Variable(variable.0 - shift));
        self.labels.entry(letters.clone()).or_insert_with(label).clone()
    }
}
