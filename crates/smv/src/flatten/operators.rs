//! The operators and functions of the language: which operands they take and what type they give.

use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::typing::describe;
use super::{Flattener, InstanceId};
use crate::ast::{Binary, Chain, Expr, ExprId, Function};
use crate::codes;
use crate::print;
use flat::model::{Natural, Node, NodeId, Type, Value};

impl Flattener<'_> {
    /// Operators and functions; everything else is in [`typing`](super::typing).
    pub(super) fn operator(&mut self, id: ExprId, instance: InstanceId, span: Span) -> Option<NodeId> {
        match self.tree.get(id).clone() {
            Expr::Not(operand) => {
                let operand = self.logical(operand, instance)?;
                let r#type = self.type_of(operand);
                Some(self.make(Node::Not(operand), r#type, span))
            }
            Expr::Negate(operand) => {
                let operand = self.arithmetic(operand, instance)?;
                let (low, high) = self.model.facts(operand).interval;
                self.arithmetic_node(Node::Negate(operand), operand, Some((-high, -low)), span)
            }
            Expr::Slice(base, high, low) => {
                let (high, low) = (self.constant(high, instance), self.constant(low, instance));
                self.slice(base, high?, low?, instance, span)
            }
            Expr::Chain(chain, operands) => self.chain(chain, &operands, instance, span),
            Expr::Binary(operator, left, right) => self.binary(operator, left, right, instance, span),
            Expr::Call(function, arguments) => self.call(function, &arguments, instance, span),
            other => unreachable!("{other:?} is no operator"),
        }
    }

    fn type_of(&self, node: NodeId) -> Type {
        self.model.facts(node).r#type
    }

    /// One value, not a set of choices.
    pub(super) fn scalar(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        let node = self.node(id, instance)?;
        if self.model.facts(node).set {
            let finding =
                Diagnostic::error(codes::SET_NOT_ALLOWED, self.tree.span(id), "a set where one value is needed")
                    .here("this is a set of choices")
                    .hint("sets can be assigned, and tested with `in`");
            self.report_once(finding);
            return None;
        }
        Some(node)
    }

    fn typed(&mut self, id: ExprId, instance: InstanceId, wanted: &str, fits: impl Fn(Type) -> bool) -> Option<NodeId> {
        let node = self.scalar(id, instance)?;
        let found = self.type_of(node);
        if fits(found) {
            return Some(node);
        }
        let message = format!("a {} where a {wanted} is needed", describe(found));
        let mut finding = Diagnostic::error(codes::TYPE_MISMATCH, self.tree.span(id), message)
            .here(format!("this is a {}", describe(found)));
        if wanted == "truth value" && found == Type::Integer {
            finding = finding.hint("write `TRUE` and `FALSE`, or compare with `!= 0`");
        }
        self.report_once(finding);
        None
    }

    pub(super) fn boolean(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        self.typed(id, instance, "truth value", |found| found == Type::Boolean)
    }

    pub(super) fn number(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        self.typed(id, instance, "number", |found| found == Type::Integer)
    }

    fn word(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        self.typed(id, instance, "word", |found| matches!(found, Type::Word(..)))
    }

    fn logical(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        self.typed(id, instance, "truth value", |found| matches!(found, Type::Boolean | Type::Word(..)))
    }

    fn arithmetic(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        self.typed(id, instance, "number", |found| matches!(found, Type::Integer | Type::Word(..)))
    }

    /// Refuses the negation of what is no truth value on the left of a comparison: in `! x = 1`, which is `(! x) = 1`,
    /// the comparison is meant.
    fn check_negated(&mut self, negated: ExprId, operator: Binary, right: ExprId, instance: InstanceId) -> Option<()> {
        let node = self.scalar(negated, instance)?;
        let found = self.type_of(node);
        if matches!(found, Type::Boolean | Type::Word(..)) {
            return Some(());
        }
        let [left, right] = [negated, right].map(|id| print::expression(self.tree, id));
        let name = print::binary_name(operator).trim();
        let message = format!("a {} where a truth value is needed", describe(found));
        let finding = Diagnostic::error(codes::TYPE_MISMATCH, self.tree.span(negated), message)
            .here(format!("this is a {}", describe(found)))
            .hint(format!("`!` applies to `{left}` alone here: write `!({left} {name} {right})`"));
        self.report_once(finding);
        None
    }

    /// All operands by `check`, which must then have one type.
    fn alike(
        &mut self,
        operands: &[ExprId],
        instance: InstanceId,
        check: impl Fn(&mut Self, ExprId, InstanceId) -> Option<NodeId>,
    ) -> Option<Vec<NodeId>> {
        let nodes: Vec<Option<NodeId>> = operands.iter().map(|operand| check(self, *operand, instance)).collect();
        let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
        self.common_type(&nodes)?;
        Some(nodes)
    }

    fn arithmetic_node(
        &mut self,
        node: Node,
        like: NodeId,
        interval: Option<(i64, i64)>,
        span: Span,
    ) -> Option<NodeId> {
        match self.type_of(like) {
            Type::Integer => self.make_number(node, interval, span),
            r#type => Some(self.make(node, r#type, span)),
        }
    }

    fn chain(&mut self, chain: Chain, operands: &[ExprId], instance: InstanceId, span: Span) -> Option<NodeId> {
        match chain {
            Chain::And | Chain::Or => {
                let nodes = self.alike(operands, instance, Self::logical)?;
                let r#type = self.type_of(nodes[0]);
                Some(self.make(if chain == Chain::And { Node::And(nodes) } else { Node::Or(nodes) }, r#type, span))
            }
            Chain::Union => {
                let nodes: Vec<_> = operands.iter().map(|operand| self.node(*operand, instance)).collect();
                self.union(nodes.into_iter().collect::<Option<Vec<_>>>()?, span)
            }
            Chain::Add => {
                let nodes = self.alike(operands, instance, Self::arithmetic)?;
                let intervals = nodes.iter().map(|node| self.model.facts(*node).interval);
                let total = intervals
                    .fold((0_i64, 0_i64), |(l, h), (low, high)| (l.saturating_add(low), h.saturating_add(high)));
                let first = nodes[0];
                self.arithmetic_node(Node::Add(nodes), first, Some(total), span)
            }
            Chain::Multiply => {
                let nodes = self.alike(operands, instance, Self::arithmetic)?;
                let intervals: Vec<_> = nodes.iter().map(|node| self.model.facts(*node).interval).collect();
                let total = intervals.into_iter().try_fold((1, 1), product);
                let first = nodes[0];
                self.arithmetic_node(Node::Multiply(nodes), first, total, span)
            }
            Chain::Concatenate => {
                let nodes: Vec<_> = operands.iter().map(|operand| self.word(*operand, instance)).collect();
                let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
                let width = nodes.iter().map(|node| i64::from(self.width(*node))).sum();
                let width = self.check_width(width, span)?;
                Some(self.make(Node::Concatenate(nodes), Type::Word(false, width), span))
            }
        }
    }

    fn width(&self, node: NodeId) -> u32 {
        match self.type_of(node) {
            Type::Word(_, width) => width,
            other => unreachable!("{other:?} is no word"),
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: ExprId,
        right: ExprId,
        instance: InstanceId,
        span: Span,
    ) -> Option<NodeId> {
        let operands = [left, right];
        if let Expr::Not(negated) = *self.tree.get(left)
            && matches!(
                operator,
                Binary::Equal
                    | Binary::NotEqual
                    | Binary::Less
                    | Binary::LessEqual
                    | Binary::Greater
                    | Binary::GreaterEqual
                    | Binary::In
            )
        {
            self.check_negated(negated, operator, right, instance)?;
        }
        match operator {
            Binary::Xor | Binary::Xnor | Binary::Implies | Binary::Iff => {
                let nodes = self.alike(&operands, instance, Self::logical)?;
                let (a, b) = (nodes[0], nodes[1]);
                let r#type = self.type_of(a);
                if operator == Binary::Implies {
                    return Some(self.make(Node::Implies(a, b), r#type, span));
                }
                let xor = self.make(Node::Xor(a, b), r#type, span);
                Some(if operator == Binary::Xor { xor } else { self.make(Node::Not(xor), r#type, span) })
            }
            Binary::Equal | Binary::NotEqual => {
                let nodes = self.alike(&operands, instance, Self::scalar)?;
                self.check_comparable(nodes[0], nodes[1], span)?;
                let equal = self.make(Node::Equal(nodes[0], nodes[1]), Type::Boolean, span);
                Some(if operator == Binary::Equal { equal } else { self.make(Node::Not(equal), Type::Boolean, span) })
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let nodes = self.alike(&operands, instance, Self::arithmetic)?;
                let node = match operator {
                    Binary::Less => Node::Less(nodes[0], nodes[1]),
                    Binary::LessEqual => Node::LessEqual(nodes[0], nodes[1]),
                    Binary::Greater => Node::Less(nodes[1], nodes[0]),
                    _ => Node::LessEqual(nodes[1], nodes[0]),
                };
                Some(self.make(node, Type::Boolean, span))
            }
            Binary::In => {
                let nodes = self.alike(&operands, instance, Self::node)?;
                self.check_comparable(nodes[0], nodes[1], span)?;
                Some(self.make(Node::In(nodes[0], nodes[1]), Type::Boolean, span))
            }
            Binary::Subtract | Binary::Divide | Binary::Modulo => {
                let nodes = self.alike(&operands, instance, Self::arithmetic)?;
                self.difference_or_quotient(operator, nodes[0], nodes[1], span)
            }
            Binary::ShiftLeft | Binary::ShiftRight => self.shift(operator, left, right, instance, span),
        }
    }

    /// Reports the comparison of a number with a name, which can never be equal.
    fn check_comparable(&mut self, a: NodeId, b: NodeId, span: Span) -> Option<()> {
        let (first, second) = (self.type_of(a), self.type_of(b));
        if !matches!((first, second), (Type::Integer, Type::Symbolic) | (Type::Symbolic, Type::Integer)) {
            return Some(());
        }
        let message = format!("a {} is compared with a {}", describe(first), describe(second));
        let finding = Diagnostic::error(codes::INCOMPATIBLE_TYPES, span, message)
            .here("these are never equal")
            .label(self.model.facts(a).span, format!("this is a {}", describe(first)))
            .label(self.model.facts(b).span, format!("this is a {}", describe(second)));
        self.report_once(finding);
        None
    }

    fn difference_or_quotient(&mut self, operator: Binary, a: NodeId, b: NodeId, span: Span) -> Option<NodeId> {
        let ((a_low, a_high), (b_low, b_high)) = (self.model.facts(a).interval, self.model.facts(b).interval);
        let a_size = a_low.abs().max(a_high.abs());
        let b_size = b_low.abs().max(b_high.abs());
        let (node, interval) = match operator {
            Binary::Subtract => (Node::Subtract(a, b), (a_low - b_high, a_high - b_low)),
            Binary::Divide => (Node::Divide(a, b), (-a_size, a_size)),
            _ => (Node::Modulo(a, b), (if a_low < 0 { -b_size } else { 0 }, b_size)),
        };
        self.arithmetic_node(node, a, Some(interval), span)
    }

    fn shift(
        &mut self,
        operator: Binary,
        left: ExprId,
        right: ExprId,
        instance: InstanceId,
        span: Span,
    ) -> Option<NodeId> {
        let word = self.word(left, instance);
        let by = self.typed(right, instance, "number", |found| matches!(found, Type::Integer | Type::Word(false, _)));
        let (word, by) = (word?, by?);
        if self.type_of(by) == Type::Integer && self.model.facts(by).interval.0 < 0 {
            let finding =
                Diagnostic::error(codes::OUT_OF_BOUNDS, self.tree.span(right), "a shift by a negative number")
                    .here("can be below zero");
            self.report_once(finding);
            return None;
        }
        let r#type = self.type_of(word);
        let node = if operator == Binary::ShiftLeft { Node::ShiftLeft(word, by) } else { Node::ShiftRight(word, by) };
        Some(self.make(node, r#type, span))
    }

    /// Bits of a word.
    pub(super) fn slice(
        &mut self,
        base: ExprId,
        high: i64,
        low: i64,
        instance: InstanceId,
        span: Span,
    ) -> Option<NodeId> {
        let word = self.word(base, instance)?;
        let width = i64::from(self.width(word));
        if low < 0 || high < low || high >= width {
            let finding = Diagnostic::error(codes::OUT_OF_BOUNDS, span, format!("there are no bits {high} to {low}"))
                .here(format!("the word has bits {} to 0", width - 1));
            self.report_once(finding);
            return None;
        }
        let narrow = |bit: i64| u32::try_from(bit).expect("a bit of a word");
        let r#type = Type::Word(false, narrow(high - low + 1));
        Some(self.make(Node::Slice(word, narrow(high), narrow(low)), r#type, span))
    }

    fn call(&mut self, function: Function, arguments: &[ExprId], instance: InstanceId, span: Span) -> Option<NodeId> {
        match function {
            Function::Bool => {
                let fits = |found| matches!(found, Type::Boolean | Type::Integer | Type::Word(_, 1));
                let node = self.typed(arguments[0], instance, "number or word of 1 bit", fits)?;
                Some(if self.type_of(node) == Type::Boolean {
                    node
                } else {
                    self.make(Node::ToBoolean(node), Type::Boolean, span)
                })
            }
            Function::Word1 => {
                let node = self.boolean(arguments[0], instance)?;
                Some(self.make(Node::ToWord(node), Type::Word(false, 1), span))
            }
            Function::ToInteger => self.integer_of(arguments[0], instance, span),
            Function::Signed | Function::Unsigned => {
                let word = self.word(arguments[0], instance)?;
                let r#type = Type::Word(function == Function::Signed, self.width(word));
                Some(self.make(Node::Reinterpret(word), r#type, span))
            }
            Function::Extend | Function::Resize => {
                let (word, amount) = (self.word(arguments[0], instance), self.constant(arguments[1], instance));
                let (word, amount) = (word?, amount?);
                let Type::Word(signed, width) = self.type_of(word) else { unreachable!("checked to be a word") };
                if function == Function::Extend && amount < 0 {
                    let at = self.tree.span(arguments[1]);
                    let message = format!("a word cannot be extended by {amount} bits");
                    let finding = Diagnostic::error(codes::BAD_NUMBER, at, message).here("this is below zero");
                    self.report_once(finding.hint("`resize` makes words shorter"));
                    return None;
                }
                let total = if function == Function::Extend { i64::from(width).saturating_add(amount) } else { amount };
                let width = self.check_width(total, self.tree.span(arguments[1]))?;
                Some(self.make(Node::Resize(word), Type::Word(signed, width), span))
            }
            Function::SizeOf => {
                let word = self.word(arguments[0], instance)?;
                let width = i64::from(self.width(word));
                Some(self.value(Value::Integer(width), Type::Integer, span))
            }
            Function::UnsignedConstant | Function::SignedConstant => {
                self.word_constant(function, arguments, instance, span)
            }
            Function::Count => {
                let nodes: Vec<_> = arguments.iter().map(|argument| self.boolean(*argument, instance)).collect();
                let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
                let most = nodes.len() as i64;
                self.make_number(Node::Count(nodes), Some((0, most)), span)
            }
            Function::Absolute => {
                let node = self.number(arguments[0], instance)?;
                let (low, high) = self.model.facts(node).interval;
                let zero = self.value(Value::Integer(0), Type::Integer, span);
                let negative = self.make(Node::Less(node, zero), Type::Boolean, span);
                let negated = self.make_number(Node::Negate(node), Some((-high, -low)), span)?;
                let always = self.value(Value::Boolean(true), Type::Boolean, span);
                self.branches(vec![(negative, negated), (always, node)], span)
            }
            Function::Minimum | Function::Maximum => {
                let nodes = self.alike(arguments, instance, Self::arithmetic)?;
                let (first, second) = if function == Function::Minimum { (0, 1) } else { (1, 0) };
                let less = self.make(Node::Less(nodes[0], nodes[1]), Type::Boolean, span);
                let always = self.value(Value::Boolean(true), Type::Boolean, span);
                self.branches(vec![(less, nodes[first]), (always, nodes[second])], span)
            }
        }
    }

    pub(super) fn integer_of(&mut self, argument: ExprId, instance: InstanceId, span: Span) -> Option<NodeId> {
        let node = self.typed(argument, instance, "truth value, number or word", |found| {
            !matches!(found, Type::Symbolic | Type::Mixed)
        })?;
        let interval = match self.type_of(node) {
            Type::Integer => return Some(node),
            Type::Boolean => (0, 1),
            Type::Word(_, width) if width > WIDEST_NUMBER => {
                let message = format!("a word of {width} bits is no number");
                let finding = Diagnostic::error(codes::OVERFLOW, span, message)
                    .here("numbers have at most 40 bits")
                    .hint("compute with words, or select the bits that matter, as in `w[39:0]`");
                self.report_once(finding);
                return None;
            }
            Type::Word(false, width) => (0, (1 << width) - 1),
            Type::Word(true, width) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            Type::Symbolic | Type::Mixed => unreachable!("checked above"),
        };
        self.make_number(Node::ToInteger(node), Some(interval), span)
    }

    fn word_constant(
        &mut self,
        function: Function,
        arguments: &[ExprId],
        instance: InstanceId,
        span: Span,
    ) -> Option<NodeId> {
        let (value, width) = (self.constant(arguments[0], instance), self.constant(arguments[1], instance));
        let (value, width) = (value?, width?);
        let width = self.check_width(width, self.tree.span(arguments[1]))?;
        let signed = function == Function::SignedConstant;
        let fits = match (signed, width) {
            (_, 42..) => signed || value >= 0,
            (true, _) => (-(1_i64 << (width - 1))..1_i64 << (width - 1)).contains(&value),
            (false, _) => (0..1_i64 << width).contains(&value),
        };
        if !fits {
            let finding = Diagnostic::error(codes::BAD_NUMBER, span, format!("{value} does not fit {width} bits"))
                .here("too large");
            self.report_once(finding);
            return None;
        }
        let bits = Natural::wrapped(&value.into(), width);
        Some(self.value(Value::Word(bits), Type::Word(signed, width), span))
    }
}

/// The widest word whose values are all within [`flat::model::INTEGER_LIMIT`].
const WIDEST_NUMBER: u32 = 40;

/// Bounds on the product of two numbers within bounds; none if they leave 64 bits.
fn product((a_low, a_high): (i64, i64), (b_low, b_high): (i64, i64)) -> Option<(i64, i64)> {
    let corners = [
        a_low.checked_mul(b_low)?,
        a_low.checked_mul(b_high)?,
        a_high.checked_mul(b_low)?,
        a_high.checked_mul(b_high)?,
    ];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}
