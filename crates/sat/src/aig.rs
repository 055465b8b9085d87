//! An and-inverter graph: Boolean functions of inputs, as conjunctions and negations.
//!
//! Contract: nodes are numbered so that operands come first. With folding, equal conjunctions are one node and constants
//! disappear; without it every conjunction is a node of its own, so that a circuit for re-checking an answer shares
//! nothing with the one that gave it. An input is a node without operands.

use std::collections::HashMap;

/// A node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

impl Signal {
    /// Always false.
    pub const FALSE: Signal = Signal(0);
    /// Always true.
    pub const TRUE: Signal = Signal(1);

    /// A constant.
    #[must_use]
    pub fn constant(value: bool) -> Self {
        Signal(u32::from(value))
    }

    /// The number of its node; 0 is the constant.
    #[must_use]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// True if it is the negation of its node.
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// This signal, negated if the flag is set.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        Signal(self.0 ^ u32::from(negated))
    }

    /// The node itself, without negation.
    #[must_use]
    pub fn positive(self) -> Self {
        Signal(self.0 & !1)
    }

    fn of(node: usize) -> Self {
        Signal(u32::try_from(node).expect("fewer than 2^31 nodes") << 1)
    }
}

impl std::ops::Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Signal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// False.
    Constant,
    /// A free input.
    Input,
    /// A conjunction.
    And(Signal, Signal),
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Aig {
    gates: Vec<Gate>,
    known: HashMap<(Signal, Signal), Signal>,
    folds: bool,
}

impl Aig {
    /// A graph without inputs; `folds` says whether equal conjunctions are one node.
    #[must_use]
    pub fn new(folds: bool) -> Self {
        Aig { gates: vec![Gate::Constant], known: HashMap::new(), folds }
    }

    /// A new input.
    pub fn input(&mut self) -> Signal {
        self.gates.push(Gate::Input);
        Signal::of(self.gates.len() - 1)
    }

    /// New inputs.
    pub fn inputs(&mut self, count: usize) -> Vec<Signal> {
        (0..count).map(|_| self.input()).collect()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// True if there is nothing but the constant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// The gate of a node.
    #[must_use]
    pub fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// The conjunction of two signals.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if self.folds {
            if a == Signal::FALSE || a == !b {
                return Signal::FALSE;
            }
            if a == Signal::TRUE || a == b {
                return b;
            }
            if let Some(simple) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
                return simple;
            }
            if let Some(known) = self.known.get(&(a, b)) {
                return *known;
            }
        }
        self.gates.push(Gate::And(a, b));
        let made = Signal::of(self.gates.len() - 1);
        if self.folds {
            self.known.insert((a, b), made);
        }
        made
    }

    /// The conjunction of `a` and a conjunction `b` that has `a` or its negation as an operand.
    fn absorbed(&self, a: Signal, b: Signal) -> Option<Signal> {
        let Gate::And(left, right) = self.gates[b.node()] else { return None };
        match b.is_negated() {
            false if left == a || right == a => Some(b),
            false if left == !a || right == !a => Some(Signal::FALSE),
            true if left == !a || right == !a => Some(a),
            _ => None,
        }
    }

    /// The disjunction of two signals.
    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    /// Whether two signals differ.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        if self.folds {
            if a == Signal::FALSE || a == Signal::TRUE {
                return b.negated_if(a == Signal::TRUE);
            }
            if b == Signal::FALSE || b == Signal::TRUE {
                return a.negated_if(b == Signal::TRUE);
            }
        }
        // The negations of operands move to the result, so that equal parts fold.
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        let (only_a, only_b) = (self.and(a, !b), self.and(!a, b));
        self.or(only_a, only_b).negated_if(negated)
    }

    /// Whether two signals are equal.
    pub fn iff(&mut self, a: Signal, b: Signal) -> Signal {
        !self.xor(a, b)
    }

    /// `a` where the condition is true, `b` elsewhere.
    pub fn select(&mut self, condition: Signal, a: Signal, b: Signal) -> Signal {
        if a == b && self.folds {
            return a;
        }
        let (on, off) = (self.and(condition, a), self.and(!condition, b));
        self.or(on, off)
    }

    /// The conjunction of all signals, as a balanced tree.
    pub fn all(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        let mut layer: Vec<Signal> = signals.into_iter().collect();
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| if let [a, b] = pair { self.and(*a, *b) } else { pair[0] }).collect();
        }
        layer.pop().unwrap_or(Signal::TRUE)
    }

    /// The disjunction of all signals.
    pub fn any(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        let negated: Vec<Signal> = signals.into_iter().map(|signal| !signal).collect();
        !self.all(negated)
    }

    /// The nodes on which a signal depends, operands first.
    #[must_use]
    pub fn cone(&self, roots: &[Signal]) -> Vec<usize> {
        let mut seen = std::collections::HashSet::new();
        let mut pending: Vec<usize> = roots.iter().map(|root| root.node()).collect();
        let mut cone = Vec::new();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            cone.push(node);
            if let Gate::And(a, b) = self.gates[node] {
                pending.extend([a.node(), b.node()]);
            }
        }
        cone.sort_unstable();
        cone
    }

    /// The conjuncts of a signal: it is true exactly if all of them are.
    #[must_use]
    pub fn conjuncts(&self, root: Signal) -> Vec<Signal> {
        let mut pending = vec![root];
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        while let Some(signal) = pending.pop() {
            if !seen.insert(signal) {
                continue;
            }
            match self.gates[signal.node()] {
                Gate::And(a, b) if !signal.is_negated() => pending.extend([a, b]),
                _ => found.push(signal),
            }
        }
        found
    }

    /// A signal with some nodes replaced by other signals. `replaced` maps nodes to what stands for them, and collects
    /// what was rebuilt, so that it can be used again with the same replacements.
    pub fn substitute(&mut self, root: Signal, replaced: &mut HashMap<usize, Signal>) -> Signal {
        let mut pending = vec![root.node()];
        while let Some(&node) = pending.last() {
            if replaced.contains_key(&node) {
                pending.pop();
                continue;
            }
            match self.gates[node] {
                Gate::And(a, b) => match (replaced.get(&a.node()).copied(), replaced.get(&b.node()).copied()) {
                    (Some(left), Some(right)) => {
                        let same = left == a.positive() && right == b.positive();
                        let made = match same {
                            true => Signal::of(node),
                            false => self.and(left.negated_if(a.is_negated()), right.negated_if(b.is_negated())),
                        };
                        replaced.insert(node, made);
                        pending.pop();
                    }
                    (left, right) => {
                        pending.extend(left.is_none().then_some(a.node()));
                        pending.extend(right.is_none().then_some(b.node()));
                    }
                },
                Gate::Constant | Gate::Input => {
                    replaced.insert(node, Signal::of(node));
                    pending.pop();
                }
            }
        }
        replaced[&root.node()].negated_if(root.is_negated())
    }

    /// The value of each node of a cone where the inputs have these values, for tests and replays.
    #[must_use]
    pub fn evaluate(&self, roots: &[Signal], input: impl Fn(Signal) -> bool) -> Vec<bool> {
        let mut values: HashMap<usize, bool> = HashMap::new();
        for node in self.cone(roots) {
            let value = match self.gates[node] {
                Gate::Constant => false,
                Gate::Input => input(Signal::of(node)),
                Gate::And(a, b) => (values[&a.node()] != a.is_negated()) && (values[&b.node()] != b.is_negated()),
            };
            values.insert(node, value);
        }
        roots.iter().map(|root| values[&root.node()] != root.is_negated()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_shared_and_substituted() {
        let mut aig = Aig::new(true);
        let (a, b, c) = (aig.input(), aig.input(), aig.input());
        let x = aig.xor(a, b);
        assert_eq!(x, aig.xor(b, a));
        assert_eq!(aig.xor(!a, b), !x);
        let chosen = aig.select(c, a, b);
        let and = aig.and(a, b);
        assert_eq!(aig.and(a, and), and);
        assert_eq!(aig.and(!a, and), Signal::FALSE);
        for bits in 0..8_u32 {
            let value = |signal: Signal| bits >> (signal.node() - 1) & 1 == 1;
            let found = aig.evaluate(&[x, chosen], value);
            assert_eq!(found, [value(a) != value(b), if value(c) { value(a) } else { value(b) }]);
        }
        let mut replaced = HashMap::from([(a.node(), !b)]);
        assert_eq!(aig.substitute(x, &mut replaced), Signal::TRUE);
    }
}
