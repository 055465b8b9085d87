//! Expressions of a model as signals.
//!
//! Contract: for every valuation of the variables within their domains, the signals of an expression agree with the
//! definition in [`evaluate`](flat::evaluate), and so does the signal that says where it has no value. Where it has none,
//! the other signals mean nothing. Values of the next state are free inputs; [`design`](crate::design) replaces them.
//! Nothing recurses. Tested through the engines, by `tests/engines.rs` on random models.

use std::collections::{BTreeSet, HashMap};

use flat::model::{Model, Node, NodeId, Type, Value, VariableId};
use kernel::budget::{Budget, Exhausted};

use crate::aig::{Aig, Signal};
use crate::bits::{self, Bits};
use crate::term::{Choice, Term};

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    /// Its choices, each with the condition under which it is one.
    pub(crate) choices: Vec<(Signal, Choice)>,
    /// Where it has no value.
    pub(crate) undefined: Signal,
}

impl Encoded {
    fn one(term: Term) -> Self {
        Encoded { choices: vec![(Signal::TRUE, Choice::One(term))], undefined: Signal::FALSE }
    }

    /// The value of an expression that is one value.
    pub(crate) fn term(&self) -> &Term {
        match &self.choices[..] {
            [(_, Choice::One(term))] => term,
            other => unreachable!("invariant 3: one value, not {other:?}"),
        }
    }
}

/// Encodes expressions, and keeps the results.
#[derive(Debug)]
pub(crate) struct Expressions<'m> {
    model: &'m Model,
    /// For each variable its term now and in the next state.
    variables: Vec<(Term, Term)>,
    encoded: HashMap<(NodeId, bool), Encoded>,
}

impl<'m> Expressions<'m> {
    pub(crate) fn new(model: &'m Model, variables: Vec<(Term, Term)>) -> Self {
        Expressions { model, variables, encoded: HashMap::new() }
    }

    /// The term of a variable, now or in the next state.
    pub(crate) fn variable(&self, id: VariableId, of_next: bool) -> &Term {
        let (now, next) = &self.variables[id.0 as usize];
        if of_next { next } else { now }
    }

    /// An expression, in the present state or as it will be in the next one.
    ///
    /// # Errors
    /// The limit that was exhausted.
    pub(crate) fn encode(
        &mut self,
        root: NodeId,
        of_next: bool,
        aig: &mut Aig,
        budget: &Budget,
    ) -> Result<Encoded, Exhausted> {
        let mut needed = BTreeSet::new();
        let mut pending = vec![(root, of_next)];
        while let Some(key) = pending.pop() {
            if !self.encoded.contains_key(&key) && needed.insert(key) {
                pending.extend(self.below(key));
            }
        }
        // A definition can have a larger number than a node that uses it: wait until its body is known.
        let mut order: Vec<(NodeId, bool)> = needed.into_iter().rev().collect();
        while let Some(key) = order.last().copied() {
            if self.encoded.contains_key(&key) {
                order.pop();
                continue;
            }
            let missing: Vec<_> = self.below(key).into_iter().filter(|one| !self.encoded.contains_key(one)).collect();
            if missing.is_empty() {
                bits::check(aig, budget)?;
                let encoded = self.encode_node(key, aig, budget)?;
                self.encoded.insert(key, encoded);
                order.pop();
            } else {
                order.extend(missing);
            }
        }
        Ok(self.encoded[&(root, of_next)].clone())
    }

    fn below(&self, (node, of_next): (NodeId, bool)) -> Vec<(NodeId, bool)> {
        match self.model.node(node) {
            Node::Define(define) => vec![(self.model.defines[define.0 as usize].body, of_next)],
            Node::Next(operand) => vec![(*operand, true)],
            other => other.operands().into_iter().map(|operand| (operand, of_next)).collect(),
        }
    }

    fn encode_node(&self, key: (NodeId, bool), aig: &mut Aig, budget: &Budget) -> Result<Encoded, Exhausted> {
        let (node, of_next) = key;
        let operands: Vec<&Encoded> = self.below(key).iter().map(|below| &self.encoded[below]).collect();
        Ok(match self.model.node(node) {
            Node::Value(value) => Encoded::one(Term::constant(value, self.model.facts(node).r#type)),
            Node::Variable(id) => Encoded::one(self.variable(*id, of_next).clone()),
            Node::Define(_) | Node::Next(_) => operands[0].clone(),
            Node::Range(low, high) => {
                Encoded { choices: vec![(Signal::TRUE, Choice::Between(*low, *high))], undefined: Signal::FALSE }
            }
            Node::Set(_) => {
                let choices = operands.iter().flat_map(|operand| operand.choices.iter().cloned()).collect();
                Encoded { choices, undefined: any_undefined(&operands, aig) }
            }
            Node::Case(_) => self.case(node, &operands, aig),
            Node::In(..) => {
                let truth = contained(operands[0], operands[1], aig);
                let undefined = any_undefined(&operands, aig);
                Encoded { undefined, ..Encoded::one(Term::Boolean(truth)) }
            }
            other => {
                let terms: Vec<&Term> = operands.iter().map(|operand| operand.term()).collect();
                let mut undefined = any_undefined(&operands, aig);
                match other {
                    Node::Divide(..) | Node::Modulo(..) => {
                        let zero = is_zero(terms[1], aig);
                        undefined = aig.or(undefined, zero);
                    }
                    Node::And(_) | Node::Or(_) | Node::Implies(..) if undefined != Signal::FALSE => {
                        let decided = decided(other, &operands, aig);
                        undefined = aig.and(undefined, !decided);
                    }
                    _ => {}
                }
                let term = match self.model.facts(node).r#type {
                    Type::Boolean => Term::Boolean(self.truth(other, &terms, aig)),
                    Type::Word(_, width) => Term::Word(self.word(other, &terms, width as usize, aig, budget)?),
                    Type::Integer | Type::Symbolic | Type::Mixed => {
                        Term::Number(bits::trim(self.number(other, &terms, aig, budget)?))
                    }
                };
                Encoded { undefined, ..Encoded::one(term) }
            }
        })
    }

    fn case(&self, node: NodeId, operands: &[&Encoded], aig: &mut Aig) -> Encoded {
        let mut open = Signal::TRUE;
        let mut undefined = Signal::FALSE;
        let mut taken: Vec<(Signal, &Encoded)> = Vec::new();
        for branch in operands.chunks_exact(2) {
            let condition = branch[0].term().truth();
            let unclear = aig.and(open, branch[0].undefined);
            let here = aig.and(open, condition);
            let valueless = aig.and(here, branch[1].undefined);
            undefined = aig.any([undefined, unclear, valueless]);
            if here != Signal::FALSE {
                taken.push((here, branch[1]));
            }
            open = aig.and(open, !condition);
        }
        undefined = aig.or(undefined, open);
        if taken.is_empty() {
            // No branch ever applies; any value will do, since the expression never has one.
            taken.push((Signal::TRUE, operands[1]));
        }
        if self.model.facts(node).set {
            let mut choices = Vec::new();
            for (here, value) in taken {
                for (condition, choice) in &value.choices {
                    choices.push((aig.and(here, *condition), choice.clone()));
                }
            }
            return Encoded { choices, undefined };
        }
        let (_, last) = taken.pop().expect("at least one branch");
        let mut term = last.term().clone();
        for (here, value) in taken.into_iter().rev() {
            term = Term::select(here, value.term(), &term, aig);
        }
        Encoded { undefined, ..Encoded::one(term) }
    }

    fn truth(&self, node: &Node, terms: &[&Term], aig: &mut Aig) -> Signal {
        match node {
            Node::Not(_) => !terms[0].truth(),
            Node::And(_) => aig.all(terms.iter().map(|term| term.truth())),
            Node::Or(_) => aig.any(terms.iter().map(|term| term.truth())),
            Node::Xor(..) => aig.xor(terms[0].truth(), terms[1].truth()),
            Node::Implies(..) => aig.or(!terms[0].truth(), terms[1].truth()),
            Node::Equal(..) => terms[0].equal(terms[1], aig),
            Node::Less(a, _) => self.less(*a, terms[0], terms[1], aig),
            Node::LessEqual(a, _) => !self.less(*a, terms[1], terms[0], aig),
            Node::ToBoolean(_) => !is_zero(terms[0], aig),
            other => unreachable!("{other:?} gives no truth value"),
        }
    }

    fn less(&self, operand: NodeId, a: &Term, b: &Term, aig: &mut Aig) -> Signal {
        match self.model.facts(operand).r#type {
            Type::Word(false, _) => bits::less(aig, a.word(), b.word()),
            Type::Word(true, _) => bits::less_signed(aig, a.word(), b.word()),
            _ => {
                let (a, b) = same_width(a, b, 0, aig);
                bits::less_signed(aig, &a, &b)
            }
        }
    }

    fn number(&self, node: &Node, terms: &[&Term], aig: &mut Aig, budget: &Budget) -> Result<Bits, Exhausted> {
        Ok(match node {
            Node::Negate(_) => {
                let number = terms[0].number(aig);
                bits::negate(aig, &bits::resize(&number, true, number.len() + 1))
            }
            Node::Add(_) => {
                let mut sum = Term::Number(terms[0].number(aig));
                for term in &terms[1..] {
                    let (a, b) = same_width(&sum, term, 1, aig);
                    sum = Term::Number(bits::trim(bits::add(aig, &a, &b, Signal::FALSE)));
                }
                sum.number(aig)
            }
            Node::Subtract(..) => {
                let (a, b) = same_width(terms[0], terms[1], 1, aig);
                bits::subtract(aig, &a, &b)
            }
            Node::Multiply(_) => {
                let mut product = terms[0].number(aig);
                for term in &terms[1..] {
                    let factor = term.number(aig);
                    let width = product.len() + factor.len();
                    let (a, b) = (bits::resize(&product, true, width), bits::resize(&factor, true, width));
                    product = bits::trim(bits::multiply(aig, &a, &b, budget)?);
                }
                product
            }
            Node::Divide(..) | Node::Modulo(..) => {
                let (a, b) = same_width(terms[0], terms[1], 1, aig);
                let (quotient, remainder) = bits::divide_signed(aig, &a, &b, budget)?;
                if matches!(node, Node::Divide(..)) { quotient } else { remainder }
            }
            Node::Count(_) => {
                let mut sum = Term::Number(vec![Signal::FALSE]);
                for term in terms {
                    let one = Term::Number(vec![term.truth(), Signal::FALSE]);
                    let (a, b) = same_width(&sum, &one, 1, aig);
                    sum = Term::Number(bits::trim(bits::add(aig, &a, &b, Signal::FALSE)));
                }
                sum.number(aig)
            }
            Node::ToInteger(operand) => match (terms[0], self.model.facts(*operand).r#type) {
                (Term::Boolean(truth), _) => vec![*truth, Signal::FALSE],
                (Term::Word(bits), Type::Word(true, _)) => bits.clone(),
                (Term::Word(bits), _) => bits::resize(bits, false, bits.len() + 1),
                (other, _) => unreachable!("{other:?} is no number"),
            },
            other => unreachable!("{other:?} gives no number"),
        })
    }

    fn word(
        &self,
        node: &Node,
        terms: &[&Term],
        width: usize,
        aig: &mut Aig,
        budget: &Budget,
    ) -> Result<Bits, Exhausted> {
        let is_signed = |operand: &NodeId| matches!(self.model.facts(*operand).r#type, Type::Word(true, _));
        Ok(match node {
            Node::Not(_) => bits::not(terms[0].word()),
            Node::And(_) => fold(terms, aig, Aig::and),
            Node::Or(_) => fold(terms, aig, Aig::or),
            Node::Xor(..) => fold(terms, aig, Aig::xor),
            Node::Implies(..) => fold(terms, aig, |aig, a, b| aig.or(!a, b)),
            Node::Negate(_) => bits::negate(aig, terms[0].word()),
            Node::Add(_) => terms[1..]
                .iter()
                .fold(terms[0].word().clone(), |sum, term| bits::add(aig, &sum, term.word(), Signal::FALSE)),
            Node::Subtract(..) => bits::subtract(aig, terms[0].word(), terms[1].word()),
            Node::Multiply(_) => terms[1..].iter().try_fold(terms[0].word().clone(), |product, term| {
                bits::multiply(aig, &product, term.word(), budget)
            })?,
            Node::Divide(a, _) | Node::Modulo(a, _) => {
                let divide = if is_signed(a) { bits::divide_signed } else { bits::divide };
                let (quotient, remainder) = divide(aig, terms[0].word(), terms[1].word(), budget)?;
                if matches!(node, Node::Divide(..)) { quotient } else { remainder }
            }
            Node::ShiftLeft(..) => {
                let amount = amount(terms[1], aig);
                bits::shift(aig, terms[0].word(), &amount, true, Signal::FALSE)
            }
            Node::ShiftRight(a, _) => {
                let (word, amount) = (terms[0].word(), amount(terms[1], aig));
                let fill = if is_signed(a) { word[word.len() - 1] } else { Signal::FALSE };
                bits::shift(aig, word, &amount, false, fill)
            }
            Node::Concatenate(_) => terms.iter().rev().flat_map(|term| term.word().iter().copied()).collect(),
            Node::Slice(_, high, low) => terms[0].word()[*low as usize..=*high as usize].to_vec(),
            Node::Resize(operand) => {
                let word = terms[0].word();
                let mut resized = bits::resize(word, is_signed(operand), width);
                if is_signed(operand) && width < word.len() {
                    // The sign is kept even where bits are cut off.
                    resized[width - 1] = word[word.len() - 1];
                }
                resized
            }
            Node::ToWord(_) => vec![terms[0].truth()],
            Node::Reinterpret(_) => terms[0].word().clone(),
            other => unreachable!("{other:?} gives no word"),
        })
    }
}

fn fold(terms: &[&Term], aig: &mut Aig, operation: impl Fn(&mut Aig, Signal, Signal) -> Signal) -> Bits {
    terms[1..].iter().fold(terms[0].word().clone(), |all, term| {
        all.iter().zip(term.word()).map(|(a, b)| operation(aig, *a, *b)).collect()
    })
}

fn any_undefined(operands: &[&Encoded], aig: &mut Aig) -> Signal {
    aig.any(operands.iter().map(|operand| operand.undefined))
}

/// Where one operand with a value determines the truth of a conjunction, a disjunction or an implication.
fn decided(node: &Node, operands: &[&Encoded], aig: &mut Aig) -> Signal {
    let mut all = Vec::new();
    for (number, operand) in operands.iter().enumerate() {
        let Term::Boolean(truth) = operand.term() else { continue };
        let deciding = match node {
            Node::And(_) => !*truth,
            Node::Implies(..) if number == 0 => !*truth,
            _ => *truth,
        };
        all.push(aig.and(deciding, !operand.undefined));
    }
    aig.any(all)
}

fn is_zero(term: &Term, aig: &mut Aig) -> Signal {
    match term {
        Term::Word(bits) => bits::is_zero(aig, bits),
        other => {
            let number = other.number(aig);
            bits::is_zero(aig, &number)
        }
    }
}

/// The distance of a shift: a word, or a number that is not negative.
fn amount(term: &Term, aig: &mut Aig) -> Bits {
    match term {
        Term::Word(bits) => bits.clone(),
        other => other.number(aig),
    }
}

/// Two numbers with the same number of bits, at least `extra` more than they need.
fn same_width(a: &Term, b: &Term, extra: usize, aig: &mut Aig) -> (Bits, Bits) {
    let (a, b) = (a.number(aig), b.number(aig));
    let width = a.len().max(b.len()) + extra;
    (bits::resize(&a, true, width), bits::resize(&b, true, width))
}

/// Where every choice on the left is among those on the right.
fn contained(left: &Encoded, right: &Encoded, aig: &mut Aig) -> Signal {
    let mut all = Vec::new();
    for (condition, choice) in &left.choices {
        let terms = match choice {
            Choice::One(term) => vec![term.clone()],
            Choice::Between(low, high) => {
                (*low..=*high).map(|number| Term::constant(&Value::Integer(number), Type::Integer)).collect()
            }
        };
        for term in terms {
            let inside = member(&term, right, aig);
            all.push(aig.or(!*condition, inside));
        }
    }
    aig.all(all)
}

/// Where the value of a term is one of the choices.
pub(crate) fn member(term: &Term, choices: &Encoded, aig: &mut Aig) -> Signal {
    let mut any = Vec::new();
    for (condition, choice) in &choices.choices {
        let inside = choice.contains(term, aig);
        any.push(aig.and(*condition, inside));
    }
    aig.any(any)
}
