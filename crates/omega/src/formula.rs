//! Linear temporal logic, hash-consed: equal formulas have equal ids, so comparing them costs one comparison.
//!
//! What: a [`Formulas`] pool owns all nodes; a [`Formula`] is a `Copy` id into it. Dropping a pool drops two vectors
//! and two tables, regardless of the depth of the formulas.
//!
//! Contract:
//! - A child's id is smaller than its parent's, so ascending ids are a bottom-up order and no traversal here recurses.
//! - Ids, and with them the order inside conjunctions and disjunctions, follow the order of construction only: the
//!   same calls give the same pool.
//! - The constructors apply exactly the identities below; everything else is the business of the rewriting rules.
//!   [`Formulas::intern`] applies none, for those who want to test a tool on `true U (a & a)` as it stands.
//!
//! Trivial identities, each with its commutative variant:
//!
//! ```text
//! !1 = 0     !0 = 1     !!a = a
//! &, |       flat, sorted, without repetition; 0, 1 absorb or vanish; a & !a = 0; a | !a = 1; one member is itself
//! a ^ 0 = a   a ^ 1 = !a   a ^ a = 0   a ^ !a = 1     a <-> 0 = !a   a <-> 1 = a   a <-> a = 1   a <-> !a = 0
//! 0 -> a = 1  1 -> a = a   a -> 0 = !a  a -> 1 = 1     a -> a = 1
//! X0 = 0  X1 = 1  F0 = 0  F1 = 1  FFa = Fa  G0 = 0  G1 = 1  GGa = Ga
//! a U 0 = 0    a U 1 = 1    0 U a = a   1 U a = Fa     a U a = a
//! a R 0 = 0    a R 1 = 1    0 R a = Ga  1 R a = a      a R a = a
//! a W 0 = Ga   a W 1 = 1    0 W a = a   1 W a = 1      a W a = a
//! a M 0 = 0    a M 1 = Fa   0 M a = 0   1 M a = a      a M a = a
//! Y0 = 0  Z1 = 1  O0 = 0  O1 = 1  OOa = Oa  H0 = 0  H1 = 1  HHa = Ha      (Y1 and Z0 tell where the word begins)
//! a S 0 = 0    a S 1 = 1    0 S a = a   1 S a = Oa     a S a = a
//! a T 0 = 0    a T 1 = 1    0 T a = Ha  1 T a = a      a T a = a
//! ```
//!
//! Tested by: the semantics on lassos (`tests/semantics.rs`).

mod node;
mod past;

pub use node::Node;

use crate::table::{HashMap, HashSet};
use std::sync::Arc;

/// A formula of some [`Formulas`]; meaningless with another pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

impl Formula {
    /// Truth; the same id in every pool.
    pub const TRUE: Formula = Formula(0);
    /// Falsehood; the same id in every pool.
    pub const FALSE: Formula = Formula(1);

    /// A dense number: pools number their formulas from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is one of the two constants.
    #[must_use]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// An atomic proposition of some [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(u32);

impl AtomId {
    /// A dense number: pools number their atoms from 0 in the order of first use.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The atom of an index, in a pool that has as many.
    pub(crate) fn nth(index: usize) -> Self {
        AtomId(u32::try_from(index).expect("a pool holds fewer than 2^32 atoms"))
    }
}

/// A pool of formulas.
///
/// ```
/// use omega::formula::{Formula, Formulas};
///
/// let mut formulas = Formulas::new();
/// let (a, b) = (formulas.atom("a"), formulas.atom("b"));
/// let ab = formulas.and([a, b]);
/// assert_eq!(ab, formulas.and([b, a, b, Formula::TRUE]));
/// assert_eq!(formulas.size(ab), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    /// For each node what [`Formulas::size`] says.
    sizes: Vec<u64>,
    /// For each node what [`Formulas::past_depth`] says.
    past_depths: Vec<u32>,
    ids: HashMap<Node, Formula>,
    atoms: Vec<Arc<str>>,
    atom_ids: HashMap<Arc<str>, AtomId>,
}

impl Default for Formulas {
    fn default() -> Self {
        Self::new()
    }
}

impl Formulas {
    /// A pool that holds the two constants.
    #[must_use]
    pub fn new() -> Self {
        let mut pool = Self {
            nodes: Vec::new(),
            sizes: Vec::new(),
            past_depths: Vec::new(),
            ids: HashMap::default(),
            atoms: Vec::new(),
            atom_ids: HashMap::default(),
        };
        pool.intern(Node::True);
        pool.intern(Node::False);
        pool
    }

    /// A pool with these atoms, numbered in this order.
    #[must_use]
    pub fn with_atoms<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut pool = Self::new();
        for name in names {
            pool.atom_id(name);
        }
        pool
    }

    /// How many distinct formulas there are; their [`Formula::index`] is below this.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a pool always holds the constants")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The formula of an index.
    ///
    /// # Panics
    ///
    /// If the pool has no such formula.
    #[must_use]
    pub fn nth(&self, index: usize) -> Formula {
        assert!(index < self.nodes.len(), "an index of the pool");
        Formula(u32::try_from(index).expect("a pool holds fewer than 2^32 formulas"))
    }

    /// The outermost operator of a formula.
    #[must_use]
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.index()]
    }

    /// The name of an atom.
    #[must_use]
    pub fn atom_name(&self, atom: AtomId) -> &str {
        &self.atoms[atom.index()]
    }

    /// The atom of a name, if some formula of this pool uses it.
    #[must_use]
    pub fn find_atom(&self, name: &str) -> Option<AtomId> {
        self.atom_ids.get(name).copied()
    }

    /// How many atoms there are; their [`AtomId::index`] is below this.
    #[must_use]
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The formula of a node as it is, without any identity applied. The operands must belong to this pool.
    pub fn intern(&mut self, node: Node) -> Formula {
        if let Some(known) = self.ids.get(&node) {
            return *known;
        }
        let id = Formula(u32::try_from(self.nodes.len()).expect("a pool holds fewer than 2^32 formulas"));
        assert!(node.children().all(|child| child < id), "operands belong to the pool");
        let own = node.children().len().saturating_sub(1).max(1) as u64;
        let size = node.children().fold(own, |sum, child| sum.saturating_add(self.sizes[child.index()]));
        let below = node.children().map(|child| self.past_depths[child.index()]).max().unwrap_or(0);
        self.sizes.push(size);
        self.past_depths.push(below + u32::from(node.is_past()));
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The formula of a node, through the constructors and their identities.
    pub fn make(&mut self, node: Node) -> Formula {
        match node {
            Node::True | Node::False | Node::Atom(_) => self.intern(node),
            Node::Not(a) => self.not(a),
            Node::And(list) => self.and(list.iter().copied()),
            Node::Or(list) => self.or(list.iter().copied()),
            Node::Xor(a, b) => self.xor(a, b),
            Node::Implies(a, b) => self.implies(a, b),
            Node::Iff(a, b) => self.iff(a, b),
            Node::Next(a) => self.next(a),
            Node::Eventually(a) => self.eventually(a),
            Node::Always(a) => self.always(a),
            Node::Until(a, b) => self.until(a, b),
            Node::Release(a, b) => self.release(a, b),
            Node::WeakUntil(a, b) => self.weak_until(a, b),
            Node::StrongRelease(a, b) => self.strong_release(a, b),
            Node::Previously(a) => self.previously(a),
            Node::WeakPreviously(a) => self.weak_previously(a),
            Node::Once(a) => self.once(a),
            Node::Historically(a) => self.historically(a),
            Node::Since(a, b) => self.since(a, b),
            Node::Triggered(a, b) => self.triggered(a, b),
        }
    }

    /// The atomic proposition of a name.
    pub fn atom(&mut self, name: &str) -> Formula {
        let atom = self.atom_id(name);
        self.intern(Node::Atom(atom))
    }

    /// The atomic proposition of a number.
    ///
    /// # Panics
    ///
    /// If the pool has no atom of this number.
    pub fn nth_atom(&mut self, index: usize) -> Formula {
        assert!(index < self.atoms.len(), "an atom of the pool");
        self.intern(Node::Atom(AtomId::nth(index)))
    }

    /// The id of a name, new if need be.
    pub fn atom_id(&mut self, name: &str) -> AtomId {
        if let Some(known) = self.atom_ids.get(name) {
            return *known;
        }
        let id = AtomId::nth(self.atoms.len());
        let name: Arc<str> = name.into();
        self.atoms.push(Arc::clone(&name));
        self.atom_ids.insert(name, id);
        id
    }

    /// One of the constants.
    #[must_use]
    pub fn constant(&self, value: bool) -> Formula {
        if value { Formula::TRUE } else { Formula::FALSE }
    }

    /// `!a`
    pub fn not(&mut self, a: Formula) -> Formula {
        match *self.node(a) {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// The conjunction of all; of none, truth.
    pub fn and(&mut self, members: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(members, Formula::TRUE, Formula::FALSE)
    }

    /// The disjunction of all; of none, falsehood.
    pub fn or(&mut self, members: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(members, Formula::FALSE, Formula::TRUE)
    }

    /// Both junctions: conjunction has truth as neutral and falsehood as absorbing member, disjunction the reverse.
    fn junction(
        &mut self,
        members: impl IntoIterator<Item = Formula>,
        neutral: Formula,
        absorbing: Formula,
    ) -> Formula {
        let mut flat = Vec::new();
        for member in members {
            match self.node(member) {
                Node::And(inner) if neutral == Formula::TRUE => flat.extend_from_slice(inner),
                Node::Or(inner) if neutral == Formula::FALSE => flat.extend_from_slice(inner),
                _ => flat.push(member),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|member| *member != neutral);
        let contradicts = |member: &Formula| match *self.node(*member) {
            Node::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => *member == absorbing,
        };
        if flat.iter().any(contradicts) {
            return absorbing;
        }
        match flat[..] {
            [] => neutral,
            [only] => only,
            _ if neutral == Formula::TRUE => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// Whether one is the negation of the other, by the look of it.
    fn opposite(&self, a: Formula, b: Formula) -> bool {
        matches!(*self.node(a), Node::Not(inner) if inner == b)
            || matches!(*self.node(b), Node::Not(inner) if inner == a)
    }

    /// `a ^ b`
    pub fn xor(&mut self, a: Formula, b: Formula) -> Formula {
        match (a.min(b), a.max(b)) {
            (Formula::TRUE, other) => self.not(other),
            (Formula::FALSE, other) => other,
            (a, b) if a == b => Formula::FALSE,
            (a, b) if self.opposite(a, b) => Formula::TRUE,
            (a, b) => self.intern(Node::Xor(a, b)),
        }
    }

    /// `a <-> b`
    pub fn iff(&mut self, a: Formula, b: Formula) -> Formula {
        match (a.min(b), a.max(b)) {
            (Formula::TRUE, other) => other,
            (Formula::FALSE, other) => self.not(other),
            (a, b) if a == b => Formula::TRUE,
            (a, b) if self.opposite(a, b) => Formula::FALSE,
            (a, b) => self.intern(Node::Iff(a, b)),
        }
    }

    /// `a -> b`
    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Formula::FALSE, _) | (_, Formula::TRUE) => Formula::TRUE,
            (Formula::TRUE, _) => b,
            (_, Formula::FALSE) => self.not(a),
            _ if a == b => Formula::TRUE,
            _ => self.intern(Node::Implies(a, b)),
        }
    }

    /// `X a`
    pub fn next(&mut self, a: Formula) -> Formula {
        if a.is_constant() { a } else { self.intern(Node::Next(a)) }
    }

    /// `F a`
    pub fn eventually(&mut self, a: Formula) -> Formula {
        match self.node(a) {
            Node::True | Node::False | Node::Eventually(_) => a,
            _ => self.intern(Node::Eventually(a)),
        }
    }

    /// `G a`
    pub fn always(&mut self, a: Formula) -> Formula {
        match self.node(a) {
            Node::True | Node::False | Node::Always(_) => a,
            _ => self.intern(Node::Always(a)),
        }
    }

    /// `a U b`
    pub fn until(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if a == b || b.is_constant() || a == Formula::FALSE => b,
            (Formula::TRUE, _) => self.eventually(b),
            _ => self.intern(Node::Until(a, b)),
        }
    }

    /// `a R b`
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            _ if a == b || b.is_constant() || a == Formula::TRUE => b,
            (Formula::FALSE, _) => self.always(b),
            _ => self.intern(Node::Release(a, b)),
        }
    }

    /// `a W b`
    pub fn weak_until(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Formula::TRUE, _) | (_, Formula::TRUE) => Formula::TRUE,
            _ if a == b || a == Formula::FALSE => b,
            (_, Formula::FALSE) => self.always(a),
            _ => self.intern(Node::WeakUntil(a, b)),
        }
    }

    /// `a M b`
    pub fn strong_release(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Formula::FALSE, _) | (_, Formula::FALSE) => Formula::FALSE,
            _ if a == b || a == Formula::TRUE => b,
            (_, Formula::TRUE) => self.eventually(a),
            _ => self.intern(Node::StrongRelease(a, b)),
        }
    }

    /// All distinct subformulas, the formula itself last, every one after its operands.
    ///
    /// ```
    /// use omega::formula::Formulas;
    ///
    /// let mut formulas = Formulas::new();
    /// let a = formulas.atom("a");
    /// let next = formulas.next(a);
    /// let until = formulas.until(a, next);
    /// assert_eq!(formulas.subformulas(until), [a, next, until]);
    /// ```
    #[must_use]
    pub fn subformulas(&self, root: Formula) -> Vec<Formula> {
        self.subformulas_at_most(root, usize::MAX).expect("there is no limit")
    }

    /// The distinct subformulas as [`Formulas::subformulas`] gives them, or none, soon, if there are more than `limit`.
    #[must_use]
    pub fn subformulas_at_most(&self, root: Formula, limit: usize) -> Option<Vec<Formula>> {
        let mut seen = HashSet::from_iter([root]);
        let mut order = vec![root];
        let mut done = 0;
        while done < order.len() {
            let node = self.node(order[done]);
            done += 1;
            order.extend(node.children().filter(|child| seen.insert(*child)));
            if order.len() > limit {
                return None;
            }
        }
        // Operands have smaller ids than what they are operands of.
        order.sort_unstable();
        Some(order)
    }

    /// The atoms of a formula, in the order of their ids.
    #[must_use]
    pub fn atoms(&self, root: Formula) -> Vec<AtomId> {
        let atom = |formula: Formula| match *self.node(formula) {
            Node::Atom(atom) => Some(atom),
            _ => None,
        };
        let mut atoms: Vec<AtomId> = self.subformulas(root).into_iter().filter_map(atom).collect();
        atoms.sort_unstable();
        atoms
    }

    /// The number of operators, constants and propositions of the formula written out with binary operators;
    /// `u64::MAX` if there are more. Shared subformulas count each time.
    #[must_use]
    pub fn size(&self, root: Formula) -> u64 {
        self.sizes[root.index()]
    }

    /// How deeply operators of the past nest: 0 for a formula about the present and the future.
    #[must_use]
    pub fn past_depth(&self, root: Formula) -> usize {
        self.past_depths[root.index()] as usize
    }

    /// True if the formula has an operator of the past.
    #[must_use]
    pub fn has_past(&self, root: Formula) -> bool {
        self.past_depth(root) > 0
    }

    /// Rebuilds a formula from the leaves up: `step` gets each subformula with its operands already rebuilt and says
    /// what to put in its place.
    ///
    /// ```
    /// use omega::formula::{Formulas, Node};
    ///
    /// // Replace `a` by `X a`.
    /// let mut formulas = Formulas::new();
    /// let a = formulas.atom("a");
    /// let next = formulas.next(a);
    /// let (before, after) = (formulas.always(a), formulas.always(next));
    /// let result = formulas.rebuild(before, |formulas, node| {
    ///     let is_atom = matches!(node, Node::Atom(_));
    ///     let same = formulas.make(node);
    ///     if is_atom { formulas.next(same) } else { same }
    /// });
    /// assert_eq!(result, after);
    /// ```
    pub fn rebuild(&mut self, root: Formula, mut step: impl FnMut(&mut Formulas, Node) -> Formula) -> Formula {
        let mut rebuilt: HashMap<Formula, Formula> = HashMap::default();
        for formula in self.subformulas(root) {
            let node = self.node(formula).map(|child| rebuilt[&child]);
            rebuilt.insert(formula, step(self, node));
        }
        rebuilt[&root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junctions_are_flat_sorted_and_without_contradiction() {
        let mut formulas = Formulas::new();
        let (a, b, c) = (formulas.atom("a"), formulas.atom("b"), formulas.atom("c"));
        let not_b = formulas.not(b);
        let ab = formulas.and([a, b]);
        let abc = formulas.and([c, ab]);
        assert_eq!(*formulas.node(abc), Node::And([a, b, c].into()));
        assert_eq!(formulas.and([abc, not_b]), Formula::FALSE);
        assert_eq!(formulas.or([a, b, not_b]), Formula::TRUE);
        assert_eq!(formulas.or([a, Formula::FALSE]), a);
        assert_eq!(formulas.or([]), Formula::FALSE);
    }

    #[test]
    fn a_hundred_thousand_operators_deep_is_fine() {
        let mut formulas = Formulas::new();
        let mut deep = formulas.atom("a");
        for _ in 0..100_000 {
            let next = formulas.next(deep);
            deep = formulas.not(next);
        }
        assert_eq!(formulas.size(deep), 200_001);
        assert_eq!(formulas.rebuild(deep, Formulas::make), deep);
    }

    #[test]
    fn the_size_of_a_shared_formula_saturates() {
        let mut formulas = Formulas::new();
        let mut big = formulas.atom("a");
        for _ in 0..70 {
            let next = formulas.next(big);
            big = formulas.until(big, next);
        }
        assert_eq!(formulas.size(big), u64::MAX);
        assert_eq!(formulas.subformulas(big).len(), 141);
    }
}
