//! Formulas with past operators: monitors in product with an automaton for the rest.
//!
//! What: [`translate`] turns a construction for formulas without past operators into one for all formulas.
//!
//! How: at each position the truth of a past operator follows from the truth of its operands here and from one remembered
//! bit, so each is replaced by a new proposition whose value a deterministic *monitor* determines:
//!
//! ```text
//! operator  bit at first  value here             bit for the next position
//! Y a       0             bit                    a
//! Z a       1             bit                    a
//! O a       0             a | bit                the value
//! H a       1             a & bit                the value
//! a S b     0             b | (a & bit)          the value
//! a T b     1             b & (a | bit)          the value
//! ```
//!
//! An operand that looks into the future becomes a second new proposition p, with the constraint `G(p <-> operand)` beside the
//! formula. The construction translates what results, which has no past operators. The product of its automaton with the
//! monitor is then projected to the propositions of the formula.
//!
//! Contract: an automaton for exactly the models of the formula. The new propositions have exactly one value at each
//! position of a word, so a run of the product reads exactly the words that the formula accepts. At most `limit` states; up
//! to 2^n for each state of the automaton, with n past operators, of which only reachable ones are built. A
//! formula without past operators is passed on as it is.
//!
//! Source: the value of a past formula as a variable with an initial value and a law for each step is the tester of
//! [kesten.98.icalp]; past operators in temporal tableaux begin with [lichtenstein.85.lop]. Deviation: testers for the
//! future are not used; any construction of this crate takes their place.
//!
//! Tested by: `tests/past.rs`, all constructions on random formulas against [`crate::semantics`].

use crate::table::HashMap;

use bdd::{Bdd, MAX_VARIABLES, Variable};
use kernel::budget::{Budget, Exhausted};

use super::check_edges;
use crate::automaton::label::label_of;
use crate::automaton::{Automaton, State};
use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::propositions::Propositions;
use crate::rewrite::Nnf;

/// Translates a formula with the help of a construction for formulas without past operators in negation normal form.
///
/// # Errors
/// As the construction; where the product has more than `limit` states, there are too many propositions, or the budget is
/// exhausted.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    limit: usize,
    budget: &Budget,
    construction: impl FnOnce(&mut Formulas, Formula) -> Result<Automaton, Incomplete>,
) -> Result<Automaton, Incomplete> {
    if !formulas.has_past(formula) {
        return construction(formulas, formula);
    }
    let own = formulas.atoms(formula);
    let split = Split::of(formulas, formula, &own);
    let atoms = Propositions::of(formulas, own.iter().chain(&split.added).copied());
    if atoms.len() >= MAX_VARIABLES as usize {
        return Err(TooLarge::Variables.into());
    }
    let automaton = construction(formulas, split.future)?;
    let manager = automaton.manager().clone();
    manager.within(budget, || {
        let automaton = automaton.over(&manager, &atoms);
        let monitor = Monitor::new(formulas, &split, &atoms, &automaton, budget)?;
        Product { automaton: &automaton, monitor, own: own.len(), limit, budget }.build()
    })
}

/// A past operator, its operands propositional.
struct Memory {
    node: Node,
    /// The proposition that has its value.
    value: AtomId,
}

/// A formula without past operators, and what determines the propositions that were added to it.
struct Split {
    future: Formula,
    /// Operands before what they are operands of.
    memories: Vec<Memory>,
    /// All propositions that were added.
    added: Vec<AtomId>,
}

impl Split {
    fn of(formulas: &mut Formulas, root: Formula, own: &[AtomId]) -> Split {
        let mut split = Split { future: root, memories: Vec::new(), added: Vec::new() };
        let mut constraints = Vec::new();
        let mut replaced: HashMap<Formula, Formula> = HashMap::default();
        // The operands with future operators, by the propositions that replace them.
        let mut named: HashMap<Formula, Formula> = HashMap::default();
        for part in formulas.subformulas(root) {
            let node = formulas.node(part).map(|child| replaced[&child]);
            let result = if node.is_past() {
                let node = node.map(|operand| {
                    if is_propositional(formulas, operand) {
                        return operand;
                    }
                    *named.entry(operand).or_insert_with(|| {
                        let atom = split.add(formulas, own);
                        let atom = formulas.make(Node::Atom(atom));
                        let equal = formulas.iff(atom, operand);
                        constraints.push(formulas.always(equal));
                        atom
                    })
                });
                let value = split.add(formulas, own);
                split.memories.push(Memory { node, value });
                formulas.make(Node::Atom(value))
            } else {
                formulas.make(node)
            };
            replaced.insert(part, result);
        }
        constraints.push(replaced[&root]);
        let all = formulas.and(constraints);
        split.future = Nnf::new().of(formulas, all);
        split
    }

    /// A proposition that does not occur in the formula.
    fn add(&mut self, formulas: &mut Formulas, own: &[AtomId]) -> AtomId {
        let mut fresh = (self.added.len()..).map(|number| formulas.atom_id(&format!("past {number}")));
        let is_free = |atom: &AtomId| !own.contains(atom) && !self.added.contains(atom);
        let atom = fresh.find(is_free).expect("there are more names than propositions");
        self.added.push(atom);
        atom
    }
}

fn is_propositional(formulas: &Formulas, formula: Formula) -> bool {
    formulas.subformulas(formula).into_iter().all(|part| !formulas.node(part).is_temporal())
}

/// What a monitor remembers: a bit for each memory.
type Bits = Vec<bool>;

/// The laws of all memories as functions of propositions, including the added ones.
struct Monitor {
    laws: Vec<Law>,
}

/// The law of one memory.
struct Law {
    node: Node,
    /// The first operand, or truth for an operator with one operand.
    left: Bdd,
    /// The second operand, or the only one.
    right: Bdd,
    value: Variable,
}

/// What a monitor does in one state: the value of each memory, and which letters lead where.
struct Moves {
    values: Vec<(Variable, Bdd)>,
    next: Vec<(Bdd, Bits)>,
}

impl Monitor {
    fn new(
        formulas: &Formulas,
        split: &Split,
        atoms: &Propositions,
        automaton: &Automaton,
        budget: &Budget,
    ) -> Result<Monitor, Exhausted> {
        let variable = |atom: AtomId| {
            let index = atoms.ids().iter().position(|known| *known == atom).expect("all propositions are listed");
            Variable(index as u32)
        };
        let mut laws = Vec::new();
        for memory in &split.memories {
            let mut operands: Vec<Bdd> = Vec::new();
            for operand in memory.node.children() {
                let Ok(label) = label_of(automaton.manager(), formulas, operand, variable) else {
                    budget.check_now(0)?;
                    unreachable!("operands are propositional");
                };
                operands.push(label);
            }
            let right = operands.last().expect("a past operator has operands").clone();
            let value = variable(memory.value);
            laws.push(Law { left: operands[0].clone(), right, node: memory.node.clone(), value });
        }
        Ok(Monitor { laws })
    }

    fn initial(&self) -> Bits {
        let starts_true =
            |law: &Law| matches!(law.node, Node::WeakPreviously(_) | Node::Historically(_) | Node::Triggered(..));
        self.laws.iter().map(starts_true).collect()
    }

    /// None if there are more than `limit` next states.
    fn moves(
        &self,
        bits: &Bits,
        automaton: &Automaton,
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<Moves>, Exhausted> {
        let manager = automaton.manager();
        let mut values: Vec<(Variable, Bdd)> = Vec::new();
        let mut next = vec![(manager.yes(), Bits::new())];
        for (law, bit) in self.laws.iter().zip(bits) {
            let bit = manager.constant(*bit);
            let (left, right) = (law.left.substitute(&values), law.right.substitute(&values));
            let value = match law.node {
                Node::Previously(_) | Node::WeakPreviously(_) => bit,
                Node::Once(_) => &right | &bit,
                Node::Historically(_) => &right & &bit,
                Node::Since(..) => &right | &(&left & &bit),
                _ => &right & &(&left | &bit),
            };
            let remembered = match law.node {
                Node::Previously(_) | Node::WeakPreviously(_) => &right,
                _ => &value,
            };
            let mut split = Vec::new();
            for (guard, bits) in next {
                budget.check()?;
                for (branch, bit) in [(&guard & remembered, true), (guard.minus(remembered), false)] {
                    if !branch.is_false() {
                        split.push((branch, bits.iter().copied().chain([bit]).collect()));
                    }
                }
            }
            if split.len() > limit {
                return Ok(None);
            }
            next = split;
            values.push((law.value, value));
        }
        Ok(Some(Moves { values, next }))
    }
}

/// The product of an automaton with a monitor, over the first `own` propositions only.
struct Product<'a> {
    automaton: &'a Automaton,
    monitor: Monitor,
    own: usize,
    limit: usize,
    budget: &'a Budget,
}

impl Product<'_> {
    fn build(&self) -> Result<Automaton, Incomplete> {
        let automaton = self.automaton;
        let atoms = automaton.propositions().filtered(|atom| atom < self.own);
        let added: Vec<Variable> = (self.own..automaton.atoms().len()).map(|index| Variable(index as u32)).collect();
        let mut product = Automaton::in_manager(automaton.manager(), atoms, automaton.sets());
        let mut pairs = vec![(automaton.initial(), self.monitor.initial())];
        let mut numbers: HashMap<(State, Bits), State> = HashMap::from_iter([(pairs[0].clone(), product.add_state())]);
        let mut known: HashMap<Bits, Moves> = HashMap::default();
        let mut done = 0;
        while let Some((state, bits)) = pairs.get(done).cloned() {
            let source = done as State;
            done += 1;
            if !known.contains_key(&bits) {
                let moves = self.monitor.moves(&bits, automaton, self.limit, self.budget)?;
                let moves = moves.ok_or(TooLarge::States(self.limit))?;
                known.insert(bits.clone(), moves);
            }
            let moves = &known[&bits];
            for edge in automaton.edges(state) {
                let label = edge.label.substitute(&moves.values);
                for (guard, next) in &moves.next {
                    self.budget.check()?;
                    let label = (&label & guard).exists(&added);
                    if label.is_false() {
                        continue;
                    }
                    let pair = (edge.target, next.clone());
                    let target = *numbers.entry(pair).or_insert_with_key(|pair| {
                        pairs.push(pair.clone());
                        product.add_state()
                    });
                    product.add_edge(source, target, &label, edge.marks);
                }
            }
            if product.state_count() > self.limit {
                return Err(TooLarge::States(self.limit).into());
            }
            check_edges(product.edge_count(), self.limit)?;
        }
        product.merge_edges_within(self.budget)?;
        Ok(product)
    }
}
