//! The symbolic tableau of a formula with past operators: Boolean variables, and conditions on how they change.
//!
//! What: [`Tableau::new`] describes all words that satisfy a formula by *elementary variables*, one for each temporal
//! subformula. It uses no states, no decision diagrams and no system: a symbolic engine encodes the variables and conditions
//! in its own way and joins them to its model.
//!
//! ```text
//! X p      has a variable v, a promise: v now is the value of p at the next position
//! p U q    has a promise v of "p U q": the formula is u = q | (p & v), and q | !u must hold infinitely often
//! Y p      has a variable v, a memory: false at the first position; v at the next position is the value of p now
//! p S q    has a memory v of "p S q": the formula is q | (p & v)
//! ```
//!
//! All other operators are written with these and with negation, and a formula and its negation share their variables.
//!
//! Contract: a word satisfies the formula if and only if there is a sequence of values of the variables, one for each position,
//! such that [`Tableau::truth`] holds at the first position, memories are false there, each law holds between any two
//! consecutive positions, and each condition of [`Tableau::fairness`] holds infinitely often. There is at most one such
//! sequence. The operands of a condition have smaller numbers than it. Variables come in the order in which a reader of the
//! formula meets the end of their subformulas. Explicit stack.
//!
//! Source: [clarke.97.fmsd]; for past operators, and for variables that are equal to their formulas rather than only implied
//! by them, [kesten.98.icalp].
//!
//! Tested by: an explicit search for such a sequence on random formulas and words (`tests/tableau.rs`), against
//! [`crate::semantics`].

use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::table::HashMap;

/// A Boolean expression over atoms and elementary variables: a gate of the tableau, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition(u32);

impl Condition {
    /// Truth; the first gate of every tableau.
    pub const TRUE: Condition = Condition(0);
    /// Falsehood.
    pub const FALSE: Condition = Condition(1);

    /// The number of the gate.
    #[must_use]
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// True if the gate is negated.
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Condition {
    type Output = Condition;

    fn not(self) -> Condition {
        Condition(self.0 ^ 1)
    }
}

/// A part of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Truth.
    True,
    /// An atomic proposition at the present position.
    Atom(AtomId),
    /// An elementary variable, by its number.
    Variable(usize),
    /// All of at least two conditions hold.
    And(Vec<Condition>),
    /// Exactly one of the two conditions holds.
    Xor(Condition, Condition),
}

/// How an elementary variable changes from a position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The variable now has the value that the condition has at the next position.
    Promise(Condition),
    /// The variable at the next position has the value that the condition has now. At the first position it is false.
    Memory(Condition),
}

/// What a subformula that has a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Elementary {
    Next(Condition),
    Until(Condition, Condition),
    Previously(Condition),
    Since(Condition, Condition),
}

/// Elementary variables and conditions that describe the words of a formula.
#[derive(Clone, Debug, Default)]
pub struct Tableau {
    gates: Vec<Gate>,
    laws: Vec<Law>,
    truth: Condition,
    fairness: Vec<Condition>,
}

impl Default for Condition {
    fn default() -> Self {
        Condition::TRUE
    }
}

impl Tableau {
    /// The tableau of a formula.
    ///
    /// ```
    /// use omega::formula::Formulas;
    /// use omega::parse::{Syntax, parse};
    /// use omega::tableau::Tableau;
    ///
    /// let mut formulas = Formulas::new();
    /// let formula = parse(&mut formulas, "G (p -> F q) & (r S p)", Syntax::NuSmv).unwrap();
    /// let tableau = Tableau::new(&formulas, formula);
    /// assert_eq!((tableau.laws().len(), tableau.fairness().len()), (3, 2));
    /// ```
    #[must_use]
    pub fn new(formulas: &Formulas, formula: Formula) -> Tableau {
        let mut builder = Builder {
            tableau: Tableau { gates: vec![Gate::True], ..Tableau::default() },
            known: HashMap::from_iter([(Gate::True, 0)]),
            elementary: HashMap::default(),
        };
        let mut conditions: HashMap<Formula, Condition> = HashMap::default();
        let mut stack = vec![formula];
        while let Some(&part) = stack.last() {
            let node = formulas.node(part);
            let before = stack.len();
            stack.extend(node.children().rev().filter(|child| !conditions.contains_key(child)));
            if stack.len() == before {
                let condition = builder.condition(node, &|child| conditions[&child]);
                conditions.insert(part, condition);
                stack.pop();
            }
        }
        builder.tableau.truth = conditions[&formula];
        builder.tableau
    }

    /// The parts of all conditions, operands before what they are operands of.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The law of each elementary variable.
    #[must_use]
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The condition that says that the formula holds at the present position.
    #[must_use]
    pub fn truth(&self) -> Condition {
        self.truth
    }

    /// The conditions that must hold infinitely often.
    #[must_use]
    pub fn fairness(&self) -> &[Condition] {
        &self.fairness
    }
}

struct Builder {
    tableau: Tableau,
    /// Gates by their parts.
    known: HashMap<Gate, u32>,
    /// The conditions of temporal subformulas that have a variable.
    elementary: HashMap<Elementary, Condition>,
}

impl Builder {
    fn gate(&mut self, gate: Gate) -> Condition {
        let gates = &mut self.tableau.gates;
        let number = *self.known.entry(gate).or_insert_with_key(|gate| {
            gates.push(gate.clone());
            u32::try_from(gates.len() - 1).expect("a tableau has fewer than 2^31 gates")
        });
        Condition(number << 1)
    }

    fn and(&mut self, members: impl IntoIterator<Item = Condition>) -> Condition {
        let mut members: Vec<Condition> = members.into_iter().filter(|member| *member != Condition::TRUE).collect();
        members.sort_unstable();
        members.dedup();
        // A condition and its negation are neighbours in the order.
        if members.contains(&Condition::FALSE) || members.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Condition::FALSE;
        }
        match members[..] {
            [] => Condition::TRUE,
            [only] => only,
            _ => self.gate(Gate::And(members)),
        }
    }

    fn or(&mut self, members: impl IntoIterator<Item = Condition>) -> Condition {
        !self.and(members.into_iter().map(|member| !member))
    }

    fn xor(&mut self, a: Condition, b: Condition) -> Condition {
        let is_negated = a.is_negated() != b.is_negated();
        let plain = |condition: Condition| if condition.is_negated() { !condition } else { condition };
        let (a, b) = (plain(a).min(plain(b)), plain(a).max(plain(b)));
        let xor = match a {
            _ if a == b => Condition::FALSE,
            Condition::TRUE => !b,
            _ => self.gate(Gate::Xor(a, b)),
        };
        if is_negated { !xor } else { xor }
    }

    /// The condition of a subformula, from those of its operands.
    fn condition(&mut self, node: &Node, of: &dyn Fn(Formula) -> Condition) -> Condition {
        match *node {
            Node::True => Condition::TRUE,
            Node::False => Condition::FALSE,
            Node::Atom(atom) => self.gate(Gate::Atom(atom)),
            Node::Not(a) => !of(a),
            Node::And(ref members) => self.and(members.iter().map(|a| of(*a))),
            Node::Or(ref members) => self.or(members.iter().map(|a| of(*a))),
            Node::Xor(a, b) => self.xor(of(a), of(b)),
            Node::Iff(a, b) => !self.xor(of(a), of(b)),
            Node::Implies(a, b) => self.or([!of(a), of(b)]),
            // The negation of `X a` is `X !a`: both share a variable.
            Node::Next(a) if of(a).is_negated() => !self.elementary(Elementary::Next(!of(a))),
            Node::Next(a) => self.elementary(Elementary::Next(of(a))),
            Node::Eventually(a) => self.until(Condition::TRUE, of(a)),
            Node::Always(a) => !self.until(Condition::TRUE, !of(a)),
            Node::Until(a, b) => self.until(of(a), of(b)),
            Node::Release(a, b) => !self.until(!of(a), !of(b)),
            // `a W b` fails when `!b` lasts until neither holds; `a M b` is `b U (a & b)`.
            Node::WeakUntil(a, b) => {
                let neither = self.and([!of(a), !of(b)]);
                !self.until(!of(b), neither)
            }
            Node::StrongRelease(a, b) => {
                let both = self.and([of(a), of(b)]);
                self.until(of(b), both)
            }
            Node::Previously(a) => self.elementary(Elementary::Previously(of(a))),
            Node::WeakPreviously(a) => !self.elementary(Elementary::Previously(!of(a))),
            Node::Once(a) => self.elementary(Elementary::Since(Condition::TRUE, of(a))),
            Node::Historically(a) => !self.elementary(Elementary::Since(Condition::TRUE, !of(a))),
            Node::Since(a, b) => self.elementary(Elementary::Since(of(a), of(b))),
            Node::Triggered(a, b) => !self.elementary(Elementary::Since(!of(a), !of(b))),
        }
    }

    fn until(&mut self, a: Condition, b: Condition) -> Condition {
        self.elementary(Elementary::Until(a, b))
    }

    /// The condition of a subformula that has a variable of its own.
    fn elementary(&mut self, elementary: Elementary) -> Condition {
        // Constant operands need no variable.
        match elementary {
            Elementary::Next(a) if a.gate() == 0 => return a,
            Elementary::Previously(Condition::FALSE) => return Condition::FALSE,
            Elementary::Until(a, b) | Elementary::Since(a, b) if b.gate() == 0 || a == Condition::FALSE || a == b => {
                return b;
            }
            _ => {}
        }
        if let Some(known) = self.elementary.get(&elementary) {
            return *known;
        }
        let number = self.tableau.laws.len();
        let variable = self.gate(Gate::Variable(number));
        let (condition, law) = match elementary {
            Elementary::Next(a) => (variable, Law::Promise(a)),
            Elementary::Previously(a) => (variable, Law::Memory(a)),
            Elementary::Until(a, b) => {
                let until = self.unfolded(a, b, variable);
                let fair = self.or([b, !until]);
                self.tableau.fairness.push(fair);
                (until, Law::Promise(until))
            }
            Elementary::Since(a, b) => {
                let since = self.unfolded(a, b, variable);
                (since, Law::Memory(since))
            }
        };
        self.tableau.laws.push(law);
        self.elementary.insert(elementary, condition);
        condition
    }

    /// `b | (a & rest)`
    fn unfolded(&mut self, a: Condition, b: Condition, rest: Condition) -> Condition {
        let more = self.and([a, rest]);
        self.or([b, more])
    }
}
