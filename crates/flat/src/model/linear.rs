//! Formulas of linear time over Boolean expressions of a flat model: formulas of [`omega`] whose atoms are nodes of the model.
//!
//! What: a [`Linear`] owns a pool of formulas, names one of them as its root, and knows the node of each atom.
//!
//! Contract: a formula keeps the operators that were given to it; nothing is simplified unless asked for. An atom is the
//! number of its node: two occurrences of a node are one atom, even if their texts differ.

use kernel::budget::Budget;
use omega::formula::{AtomId, Formula, Formulas, Node};
use omega::propositions::Propositions;
use omega::rewrite::simplify;
use omega::semantics::{decided_on, satisfies};
use omega::word::{Letter, Word};

use super::NodeId;

/// A formula with more different subformulas than this is not simplified: bounded operators are written out, and rules that
/// compare parts with each other would take longer than they save.
const LARGEST_SIMPLIFIED: usize = 200;

/// A formula of linear time, with past operators.
#[derive(Clone, Debug)]
pub struct Linear {
    formulas: Formulas,
    root: Formula,
    /// The node of each atom, by the number of the atom.
    nodes: Vec<NodeId>,
}

impl Default for Linear {
    fn default() -> Self {
        Self::new()
    }
}

impl Linear {
    /// The formula that is always true, to build others from.
    #[must_use]
    pub fn new() -> Self {
        Linear { formulas: Formulas::new(), root: Formula::TRUE, nodes: Vec::new() }
    }

    /// The formula that is a node of the model.
    pub fn atom(&mut self, node: NodeId) -> Formula {
        let atom = self.formulas.atom_id(&node.0.to_string());
        if atom.index() == self.nodes.len() {
            self.nodes.push(node);
        }
        self.formulas.intern(Node::Atom(atom))
    }

    /// The formula of an operator with its operands, which must be formulas of this pool.
    pub fn make(&mut self, operator: Node) -> Formula {
        self.formulas.intern(operator)
    }

    /// The same pool with another root.
    #[must_use]
    pub fn with_root(mut self, root: Formula) -> Self {
        self.root = root;
        self
    }

    /// The pool.
    #[must_use]
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Formula {
        self.root
    }

    /// The node of an atom of the pool.
    #[must_use]
    pub fn node(&self, atom: AtomId) -> NodeId {
        self.nodes[atom.index()]
    }

    /// The nodes of all atoms of the pool, by the number of the atom.
    #[must_use]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The nodes that the formula is about, each once, in the order of their last occurrences from right to left.
    #[must_use]
    pub fn atoms(&self) -> Vec<NodeId> {
        let mut atoms = Vec::new();
        let mut seen = vec![false; self.formulas.len()];
        let mut pending = vec![self.root];
        while let Some(formula) = pending.pop() {
            if std::mem::replace(&mut seen[formula.index()], true) {
                continue;
            }
            match self.formulas.node(formula) {
                Node::Atom(atom) => atoms.push(self.node(*atom)),
                node => pending.extend(node.children()),
            }
        }
        atoms
    }

    /// How deeply operators of the past nest.
    #[must_use]
    pub fn past_depth(&self) -> usize {
        self.formulas.past_depth(self.root)
    }

    /// The negation.
    #[must_use]
    pub fn negated(&self) -> Self {
        let mut negation = self.clone();
        negation.root = negation.formulas.not(self.root);
        negation
    }

    /// An equivalent formula, usually smaller; the same one where the budget is exhausted first.
    #[must_use]
    pub fn simplified(&self, budget: &Budget) -> Self {
        let mut simple = self.clone();
        if self.formulas.subformulas_at_most(self.root, LARGEST_SIMPLIFIED).is_some()
            && let Ok(root) = simplify(&mut simple.formulas, self.root, budget)
        {
            simple.root = root;
        }
        simple
    }

    /// True if the formula holds on a path of which `truth` gives the truth of a node at a position. The position after the
    /// last one is `loop_start`.
    pub fn holds(&self, positions: usize, loop_start: usize, mut truth: impl FnMut(NodeId, usize) -> bool) -> bool {
        let word = self.word(positions, loop_start, |node, position| Some(truth(node, position)));
        satisfies(&self.formulas, self.root, &word)
    }

    /// The truth of the formula on all paths with the given truth of nodes at positions, if what is given is enough to know
    /// it.
    pub fn decided(
        &self,
        positions: usize,
        loop_start: usize,
        truth: impl FnMut(NodeId, usize) -> Option<bool>,
    ) -> Option<bool> {
        decided_on(&self.formulas, self.root, &self.word(positions, loop_start, truth))
    }

    /// A path as a word over the atoms of the formula; what `truth` does not give is open.
    pub fn word(
        &self,
        positions: usize,
        loop_start: usize,
        mut truth: impl FnMut(NodeId, usize) -> Option<bool>,
    ) -> Word {
        let atoms = self.formulas.atoms(self.root);
        let mut letter = |at: usize| -> Letter { atoms.iter().map(|atom| truth(self.node(*atom), at)).collect() };
        let mut stem: Vec<Letter> = (0..positions).map(&mut letter).collect();
        let cycle = stem.split_off(loop_start);
        Word::new(Propositions::of(&self.formulas, atoms.iter().copied()), stem, cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_evaluated_by_the_truth_of_nodes() {
        let mut linear = Linear::new();
        let (a, b) = (linear.atom(NodeId(7)), linear.atom(NodeId(3)));
        let before = linear.make(Node::Once(a));
        let implies = linear.make(Node::Implies(b, before));
        let always = linear.make(Node::Always(implies));
        let linear = linear.with_root(always);
        assert_eq!((linear.atoms(), linear.past_depth()), (vec![NodeId(7), NodeId(3)], 1));
        let at = |node: NodeId, position: usize| if node == NodeId(7) { position == 1 } else { position == 2 };
        assert!(
            linear.holds(3, 0, at)
                && linear.simplified(&Budget::unlimited()).holds(3, 0, at)
                && !linear.negated().holds(3, 0, at)
        );
        let open = |node: NodeId, position: usize| (position > 0).then(|| at(node, position));
        assert_eq!(linear.decided(3, 0, open), None);
        assert_eq!(linear.decided(3, 1, |node, position| Some(at(node, position))), Some(true));
    }
}
