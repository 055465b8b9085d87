//! Expressions of the model as decision diagrams.
//!
//! Contract: for every valuation of the variables within their domains, the diagrams of an expression agree with the
//! definition in [`evaluate`](flat::evaluate), and so does the set of valuations for which the expression has no value.
//! Outside of that set the diagrams of the value are correct; inside of it they mean nothing. Every node is encoded once
//! for the current and once for the next state. The encoding does not recurse: operands have smaller numbers than the
//! nodes that use them. Tested by `tests/agreement.rs` and `tests/guarded.rs` on random models.

use std::collections::{BTreeSet, HashMap};

use bdd::{Bdd, Manager};

use super::bits::{self, Bits};
use super::term::{Choice, Encoded, Term};
use flat::model::{Model, Node, NodeId, Type, VariableId};
use kernel::budget::Exhausted;

/// Encodes expressions, and caches the results.
#[derive(Debug)]
pub(crate) struct Expressions<'m> {
    model: &'m Model,
    manager: Manager,
    /// For each variable its term now and in the next state.
    variables: Vec<(Term, Option<Term>)>,
    encoded: HashMap<(NodeId, bool), Encoded>,
}

impl<'m> Expressions<'m> {
    pub(crate) fn new(model: &'m Model, manager: Manager, variables: Vec<(Term, Option<Term>)>) -> Self {
        Expressions { model, manager, variables, encoded: HashMap::new() }
    }

    /// The term of a variable, now or in the next state.
    pub(crate) fn variable(&self, id: VariableId, of_next: bool) -> &Term {
        let (now, next) = &self.variables[id.0 as usize];
        match next {
            Some(next) if of_next => next,
            // Frozen variables have the same value in the next state, and inputs none.
            _ => now,
        }
    }

    /// An expression as diagrams.
    pub(crate) fn encode(&mut self, root: NodeId) -> Result<Encoded, Exhausted> {
        let mut needed = BTreeSet::new();
        let mut pending = vec![(root, false)];
        while let Some(key) = pending.pop() {
            if !self.encoded.contains_key(&key) && needed.insert(key) {
                pending.extend(self.below(key));
            }
        }
        for key in needed {
            let encoded = self.encode_node(key)?;
            self.encoded.insert(key, encoded);
        }
        Ok(self.encoded[&(root, false)].clone())
    }

    /// Clears the cache, so that its diagrams can be reclaimed.
    pub(crate) fn forget(&mut self) {
        self.encoded.clear();
    }

    fn below(&self, (node, of_next): (NodeId, bool)) -> Vec<(NodeId, bool)> {
        match self.model.node(node) {
            Node::Define(define) => vec![(self.model.defines[define.0 as usize].body, of_next)],
            Node::Next(operand) => vec![(*operand, true)],
            other => other.operands().into_iter().map(|operand| (operand, of_next)).collect(),
        }
    }

    fn encode_node(&self, key: (NodeId, bool)) -> Result<Encoded, Exhausted> {
        let (node, of_next) = key;
        let operands: Vec<&Encoded> = self.below(key).iter().map(|below| &self.encoded[below]).collect();
        let manager = &self.manager;
        match self.model.node(node) {
            Node::Value(value) => {
                Ok(Encoded::one(manager, Term::constant(manager, value, self.model.facts(node).r#type)))
            }
            Node::Variable(id) => Ok(Encoded::one(manager, self.variable(*id, of_next).clone())),
            Node::Define(_) | Node::Next(_) => Ok(operands[0].clone()),
            Node::Range(low, high) => {
                Ok(Encoded { choices: vec![(manager.yes(), Choice::Between(*low, *high))], undefined: manager.no() })
            }
            Node::Set(_) => {
                let choices = operands.iter().flat_map(|operand| operand.choices.iter().cloned()).collect();
                Ok(Encoded { choices, undefined: self.any_undefined(&operands)? })
            }
            Node::Case(_) => self.case(node, &operands),
            Node::In(..) => {
                let truth = self.contained(operands[0], operands[1])?;
                let choices = vec![(manager.yes(), Choice::One(Term::Boolean(truth)))];
                Ok(Encoded { choices, undefined: self.any_undefined(&operands)? })
            }
            _ => {
                let terms: Vec<&Term> = operands.iter().map(|operand| operand.term()).collect();
                let mut undefined = self.any_undefined(&operands)?;
                match self.model.node(node) {
                    Node::Divide(..) | Node::Modulo(..) => undefined = undefined.try_or(&self.is_zero(terms[1])?)?,
                    Node::And(_) | Node::Or(_) | Node::Implies(..) if !undefined.is_false() => {
                        undefined = undefined.try_and(&!self.decided(node, &operands)?)?;
                    }
                    _ => {}
                }
                let term = self.operator(node, &terms)?;
                Ok(Encoded { choices: vec![(manager.yes(), Choice::One(term))], undefined })
            }
        }
    }

    fn any_undefined(&self, operands: &[&Encoded]) -> Result<Bdd, Exhausted> {
        let mut undefined = self.manager.no();
        for operand in operands {
            undefined = undefined.try_or(&operand.undefined)?;
        }
        Ok(undefined)
    }

    /// Where one operand with a value determines the truth of a conjunction, a disjunction or an implication. The diagram
    /// of the truth value is correct there, whatever the diagrams of operands without a value are.
    fn decided(&self, node: NodeId, operands: &[&Encoded]) -> Result<Bdd, Exhausted> {
        let mut decided = self.manager.no();
        for (number, operand) in operands.iter().enumerate() {
            let Term::Boolean(truth) = operand.term() else { continue };
            let deciding = match self.model.node(node) {
                Node::And(_) => !truth,
                Node::Implies(..) if number == 0 => !truth,
                _ => truth.clone(),
            };
            decided = decided.try_or(&deciding.try_and(&!&operand.undefined)?)?;
        }
        Ok(decided)
    }

    fn is_zero(&self, term: &Term) -> Result<Bdd, Exhausted> {
        let bits = match term {
            Term::Word(bits) => bits.clone(),
            other => other.number(&self.manager)?,
        };
        bits::equal(&self.manager, &bits, &bits::constant(&self.manager, 0, bits.len()))
    }

    /// Where every choice on the left is among those on the right.
    fn contained(&self, left: &Encoded, right: &Encoded) -> Result<Bdd, Exhausted> {
        let mut all = self.manager.yes();
        for (condition, choice) in &left.choices {
            let terms = match choice {
                Choice::One(term) => vec![term.clone()],
                Choice::Between(low, high) => (*low..=*high)
                    .map(|number| Term::constant(&self.manager, &flat::model::Value::Integer(number), Type::Integer))
                    .collect(),
            };
            for term in terms {
                let inside = self.member(&term, right)?;
                all = all.try_and(&(!condition).try_or(&inside)?)?;
            }
        }
        Ok(all)
    }

    /// Where the value of a term is one of the choices.
    pub(crate) fn member(&self, term: &Term, choices: &Encoded) -> Result<Bdd, Exhausted> {
        let mut member = self.manager.no();
        for (condition, choice) in &choices.choices {
            member = member.try_or(&condition.try_and(&choice.contains(term, &self.manager)?)?)?;
        }
        Ok(member)
    }

    fn case(&self, node: NodeId, operands: &[&Encoded]) -> Result<Encoded, Exhausted> {
        let manager = &self.manager;
        let facts = self.model.facts(node);
        let mut open = manager.yes();
        let mut undefined = manager.no();
        let mut taken: Vec<(Bdd, &Encoded)> = Vec::new();
        for branch in operands.chunks_exact(2) {
            let condition = branch[0].term().truth();
            undefined = undefined.try_or(&open.try_and(&branch[0].undefined)?)?;
            let here = open.try_and(condition)?;
            if !here.is_false() {
                undefined = undefined.try_or(&here.try_and(&branch[1].undefined)?)?;
                taken.push((here, branch[1]));
            }
            open = open.try_and(&!condition)?;
        }
        undefined = undefined.try_or(&open)?;
        if taken.is_empty() {
            // No branch ever applies; any value will do, since the expression never has one.
            taken.push((manager.yes(), operands[1]));
        }
        if facts.set {
            let mut choices = Vec::new();
            for (here, value) in taken {
                for (condition, choice) in &value.choices {
                    let condition = here.try_and(condition)?;
                    if !condition.is_false() {
                        choices.push((condition, choice.clone()));
                    }
                }
            }
            return Ok(Encoded { choices, undefined });
        }
        let (_, last) = taken.pop().expect("at least one branch");
        let mut term = last.term().clone();
        for (here, value) in taken.into_iter().rev() {
            term = Term::select(&here, value.term(), &term, manager, facts.interval)?;
        }
        Ok(Encoded { choices: vec![(manager.yes(), Choice::One(term))], undefined })
    }

    fn operator(&self, node: NodeId, terms: &[&Term]) -> Result<Term, Exhausted> {
        match self.model.facts(node).r#type {
            Type::Boolean => Ok(Term::Boolean(self.truth(node, terms)?)),
            Type::Word(_, width) => Ok(Term::Word(self.word(node, terms, width as usize)?)),
            Type::Integer | Type::Symbolic | Type::Mixed => {
                let number = bits::trim(self.number(node, terms)?);
                Ok(Term::Number(number))
            }
        }
    }

    fn truth(&self, node: NodeId, terms: &[&Term]) -> Result<Bdd, Exhausted> {
        let manager = &self.manager;
        Ok(match self.model.node(node) {
            Node::Not(_) => !terms[0].truth(),
            Node::And(_) => conjunction(manager, terms.iter().map(|term| term.truth().clone()).collect())?,
            Node::Or(_) => !conjunction(manager, terms.iter().map(|term| !term.truth()).collect())?,
            Node::Xor(..) => terms[0].truth().try_xor(terms[1].truth())?,
            Node::Implies(..) => (!terms[0].truth()).try_or(terms[1].truth())?,
            Node::Equal(..) => terms[0].equal(terms[1], manager)?,
            Node::Less(a, _) => self.less(*a, terms[0], terms[1])?,
            Node::LessEqual(a, _) => !self.less(*a, terms[1], terms[0])?,
            Node::ToBoolean(_) => !self.is_zero(terms[0])?,
            other => unreachable!("{other:?} gives no truth value"),
        })
    }

    fn less(&self, operand: NodeId, a: &Term, b: &Term) -> Result<Bdd, Exhausted> {
        let manager = &self.manager;
        match self.model.facts(operand).r#type {
            Type::Word(false, _) => bits::less(manager, a.word(), b.word()),
            Type::Word(true, _) => bits::less_signed(manager, a.word(), b.word()),
            _ => {
                let (a, b) = self.same_width(a, b, 0)?;
                bits::less_signed(manager, &a, &b)
            }
        }
    }

    /// Two numbers with the same number of bits, at least `extra` more than they need.
    fn same_width(&self, a: &Term, b: &Term, extra: usize) -> Result<(Bits, Bits), Exhausted> {
        let (a, b) = (a.number(&self.manager)?, b.number(&self.manager)?);
        let width = a.len().max(b.len()) + extra;
        Ok((bits::resize(&self.manager, &a, true, width), bits::resize(&self.manager, &b, true, width)))
    }

    fn number(&self, node: NodeId, terms: &[&Term]) -> Result<Bits, Exhausted> {
        let manager = &self.manager;
        Ok(match self.model.node(node) {
            Node::Negate(_) => {
                let number = terms[0].number(manager)?;
                bits::negate(manager, &bits::resize(manager, &number, true, number.len() + 1))?
            }
            Node::Add(_) => {
                let mut sum = Term::Number(terms[0].number(manager)?);
                for term in &terms[1..] {
                    let (a, b) = self.same_width(&sum, term, 1)?;
                    sum = Term::Number(bits::trim(bits::add(&a, &b, manager.no())?));
                }
                sum.number(manager)?
            }
            Node::Subtract(..) => {
                let (a, b) = self.same_width(terms[0], terms[1], 1)?;
                bits::subtract(manager, &a, &b)?
            }
            Node::Multiply(_) => {
                let mut product = terms[0].number(manager)?;
                for term in &terms[1..] {
                    let factor = term.number(manager)?;
                    let width = product.len() + factor.len();
                    let a = bits::resize(manager, &product, true, width);
                    let b = bits::resize(manager, &factor, true, width);
                    product = bits::trim(bits::multiply(manager, &a, &b)?);
                }
                product
            }
            Node::Divide(..) => {
                let (a, b) = self.same_width(terms[0], terms[1], 1)?;
                bits::divide_signed(manager, &a, &b)?.0
            }
            Node::Modulo(..) => {
                let (a, b) = self.same_width(terms[0], terms[1], 1)?;
                bits::divide_signed(manager, &a, &b)?.1
            }
            Node::Count(_) => {
                let mut sum = Term::Number(vec![manager.no()]);
                for term in terms {
                    let one = Term::Number(vec![term.truth().clone(), manager.no()]);
                    let (a, b) = self.same_width(&sum, &one, 1)?;
                    sum = Term::Number(bits::trim(bits::add(&a, &b, manager.no())?));
                }
                sum.number(manager)?
            }
            Node::ToInteger(operand) => match (terms[0], self.model.facts(*operand).r#type) {
                (Term::Boolean(truth), _) => vec![truth.clone(), manager.no()],
                (Term::Word(bits), Type::Word(true, _)) => bits.clone(),
                (Term::Word(bits), _) => bits::resize(manager, bits, false, bits.len() + 1),
                (other, _) => unreachable!("{other:?} is no number"),
            },
            other => unreachable!("{other:?} gives no number"),
        })
    }

    fn word(&self, node: NodeId, terms: &[&Term], width: usize) -> Result<Bits, Exhausted> {
        let manager = &self.manager;
        let first_signed = |operand: &NodeId| matches!(self.model.facts(*operand).r#type, Type::Word(true, _));
        let fold = |operation: &dyn Fn(&Bdd, &Bdd) -> Result<Bdd, Exhausted>| -> Result<Bits, Exhausted> {
            let mut all = terms[0].word().clone();
            for term in &terms[1..] {
                all = bits::zip(&all, term.word(), operation)?;
            }
            Ok(all)
        };
        Ok(match self.model.node(node) {
            Node::Not(_) => bits::not(terms[0].word()),
            Node::And(_) => fold(&|a, b| Ok(a.try_and(b)?))?,
            Node::Or(_) => fold(&|a, b| Ok(a.try_or(b)?))?,
            Node::Xor(..) => fold(&|a, b| Ok(a.try_xor(b)?))?,
            Node::Implies(..) => fold(&|a, b| Ok((!a).try_or(b)?))?,
            Node::Negate(_) => bits::negate(manager, terms[0].word())?,
            Node::Add(_) => {
                let mut sum = terms[0].word().clone();
                for term in &terms[1..] {
                    sum = bits::add(&sum, term.word(), manager.no())?;
                }
                sum
            }
            Node::Subtract(..) => bits::subtract(manager, terms[0].word(), terms[1].word())?,
            Node::Multiply(_) => {
                let mut product = terms[0].word().clone();
                for term in &terms[1..] {
                    product = bits::multiply(manager, &product, term.word())?;
                }
                product
            }
            Node::Divide(a, _) | Node::Modulo(a, _) => {
                let divide = if first_signed(a) { bits::divide_signed } else { bits::divide };
                let (quotient, remainder) = divide(manager, terms[0].word(), terms[1].word())?;
                if matches!(self.model.node(node), Node::Divide(..)) { quotient } else { remainder }
            }
            Node::ShiftLeft(..) => bits::shift(terms[0].word(), &self.amount(terms[1])?, true, &manager.no())?,
            Node::ShiftRight(a, _) => {
                let word = terms[0].word();
                let fill = if first_signed(a) { word[word.len() - 1].clone() } else { manager.no() };
                bits::shift(word, &self.amount(terms[1])?, false, &fill)?
            }
            Node::Concatenate(_) => terms.iter().rev().flat_map(|term| term.word().iter().cloned()).collect(),
            Node::Slice(_, high, low) => terms[0].word()[*low as usize..=*high as usize].to_vec(),
            Node::Resize(operand) => self.resize(terms[0].word(), first_signed(operand), width),
            Node::ToWord(_) => vec![terms[0].truth().clone()],
            Node::Reinterpret(_) => terms[0].word().clone(),
            other => unreachable!("{other:?} gives no word"),
        })
    }

    /// The distance of a shift: a word, or a number that is not negative.
    fn amount(&self, term: &Term) -> Result<Bits, Exhausted> {
        match term {
            Term::Word(bits) => Ok(bits.clone()),
            other => other.number(&self.manager),
        }
    }

    fn resize(&self, word: &[Bdd], signed: bool, width: usize) -> Bits {
        let mut resized = bits::resize(&self.manager, word, signed, width);
        if signed && width < word.len() {
            // The sign is kept even where bits are cut off.
            resized[width - 1] = word[word.len() - 1].clone();
        }
        resized
    }
}

/// The conjunction of many functions, pairwise, so that no operand grows out of proportion early.
pub(crate) fn conjunction(manager: &Manager, mut functions: Vec<Bdd>) -> Result<Bdd, Exhausted> {
    while functions.len() > 1 {
        let mut halved = Vec::with_capacity(functions.len().div_ceil(2));
        for pair in functions.chunks(2) {
            halved.push(match pair {
                [a, b] => a.try_and(b)?,
                [a] => a.clone(),
                _ => unreachable!("chunks of two"),
            });
        }
        functions = halved;
    }
    Ok(functions.pop().unwrap_or_else(|| manager.yes()))
}
