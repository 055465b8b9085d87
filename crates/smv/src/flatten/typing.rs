//! Expressions to typed nodes: leaves, names, branches, sets. The operators are in [`operators`](super::operators).
//!
//! Contract: each expression is resolved once for each instance; `None` means that a diagnostic has been recorded for it
//! or for a part of it. Definitions are resolved before what uses them, so bodies have smaller numbers than uses
//! (invariant 1 of the model), and a chain of definitions needs no stack.

use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::{Entity, Flattener, InstanceId, PendingState};
use crate::ast::{DEPTH_LIMIT, Expr, ExprId};
use crate::codes;
use flat::evaluate;
use flat::model::{DefineId, Domain, Facts, INTEGER_LIMIT, Mentions, Node, NodeId, Type, Value, VariableKind};

impl Flattener<'_> {
    /// The node of an expression; none if something is wrong with it.
    pub(super) fn node(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        if let Some(known) = self.resolved.get(&(id, instance)) {
            return *known;
        }
        if self.is_exhausted() {
            return None;
        }
        self.depth += 1;
        let node = if self.depth > DEPTH_LIMIT + DEPTH_LIMIT / 4 {
            let finding = Diagnostic::error(codes::TOO_DEEP, self.tree.span(id), "parameters nest too deeply")
                .here("here")
                .hint("name parts of the expression in a DEFINE section");
            self.report_once(finding);
            None
        } else {
            self.new_node(id, instance)
        };
        self.depth -= 1;
        self.resolved.insert((id, instance), node);
        node
    }

    fn new_node(&mut self, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        let span = self.tree.span(id);
        match self.tree.get(id) {
            Expr::Boolean(value) => Some(self.value(Value::Boolean(*value), Type::Boolean, span)),
            Expr::Number(number) => Some(self.value(Value::Integer(*number), Type::Integer, span)),
            Expr::Word(signed, width, bits) => {
                Some(self.value(Value::Word(bits.clone()), Type::Word(*signed, *width), span))
            }
            Expr::Name(name) => {
                let constant = self.symbols.get(name).map(|(symbol, _)| Entity::Constant(*symbol));
                let entity = match (self.entity(id, instance), constant) {
                    // An instance has no value, so a constant of the same name must be meant.
                    (Entity::Instance(_) | Entity::Array(..), Some(constant)) => constant,
                    (entity, _) => entity,
                };
                self.entity_node(entity, span)
            }
            Expr::Dot(..) | Expr::SelfName | Expr::List(_) => {
                let entity = self.entity(id, instance);
                self.entity_node(entity, span)
            }
            Expr::Index(base, index) => self.index(*base, *index, id, instance),
            Expr::Next(inner) => self.next_node(*inner, instance, span),
            Expr::Case(branches) => self.case(&branches.clone(), instance, span),
            Expr::Conditional(condition, then, otherwise) => {
                self.conditional(*condition, *then, *otherwise, instance, span)
            }
            Expr::Set(elements) => self.set(&elements.clone(), instance, span),
            Expr::Range(low, high) => self.range(*low, *high, instance, span),
            Expr::Ctl(..)
            | Expr::CtlBinary(..)
            | Expr::Bounded(..)
            | Expr::BoundedUntil(..)
            | Expr::Ltl(..)
            | Expr::LtlBinary(..)
            | Expr::Within(..) => {
                let finding = Diagnostic::error(
                    codes::TEMPORAL_OUTSIDE_PROPERTY,
                    span,
                    "a temporal operator inside an expression",
                )
                .here("only properties speak about time");
                self.report_once(finding);
                None
            }
            Expr::Wrong => None,
            _ => self.operator(id, instance, span),
        }
    }

    /// Adds a node; what it depends on is taken from its operands.
    pub(super) fn make(&mut self, node: Node, r#type: Type, span: Span) -> NodeId {
        self.make_with(node, r#type, false, (0, 0), span)
    }

    /// Adds a number; none if it can leave the limit.
    pub(super) fn make_number(&mut self, node: Node, interval: Option<(i64, i64)>, span: Span) -> Option<NodeId> {
        match interval {
            Some((low, high)) if low >= -INTEGER_LIMIT && high <= INTEGER_LIMIT => {
                Some(self.make_with(node, Type::Integer, false, (low, high), span))
            }
            _ => {
                let finding = Diagnostic::error(codes::OVERFLOW, span, "these numbers can become too large")
                    .here("can leave the range from -2^40 to 2^40");
                self.report_once(finding);
                None
            }
        }
    }

    pub(super) fn make_with(
        &mut self,
        node: Node,
        r#type: Type,
        set: bool,
        interval: (i64, i64),
        span: Span,
    ) -> NodeId {
        let mut mentions = Mentions::default();
        match &node {
            Node::Variable(id) => mentions.input = self.model.variable(*id).kind == VariableKind::Input,
            Node::Define(id) => mentions = self.model.facts(self.model.defines[id.0 as usize].body).mentions,
            Node::Next(_) => mentions.next = true,
            _ => {}
        }
        for operand in node.operands() {
            let below = self.model.facts(operand).mentions;
            mentions.next |= below.next;
            mentions.input |= below.input;
        }
        self.model.add(node, Facts { r#type, set, interval, mentions, span })
    }

    pub(super) fn value(&mut self, value: Value, r#type: Type, span: Span) -> NodeId {
        let interval = if let Value::Integer(number) = value { (number, number) } else { (0, 0) };
        self.make_with(Node::Value(value), r#type, false, interval, span)
    }

    fn entity_node(&mut self, entity: Entity, span: Span) -> Option<NodeId> {
        match entity {
            Entity::Variable(id) => {
                let domain = &self.model.variable(id).domain;
                let interval = match domain {
                    Domain::Range(low, high) => (*low, *high),
                    Domain::Values(values) => {
                        let numbers =
                            values.iter().filter_map(|v| if let Value::Integer(n) = v { Some(*n) } else { None });
                        let (low, high) = numbers.fold((i64::MAX, i64::MIN), |(l, h), n| (l.min(n), h.max(n)));
                        if low <= high { (low, high) } else { (0, 0) }
                    }
                    _ => (0, 0),
                };
                let r#type = domain.r#type();
                Some(self.make_with(Node::Variable(id), r#type, false, interval, span))
            }
            Entity::Define(id) => self.define_node(id, span),
            Entity::Constant(symbol) => Some(self.value(Value::Symbol(symbol), Type::Symbolic, span)),
            Entity::Running(process) => match self.selector.clone() {
                None => Some(self.value(Value::Boolean(true), Type::Boolean, span)),
                Some((selector, values)) => {
                    let chosen = self.make(Node::Variable(selector), Type::Symbolic, span);
                    let this = self.value(values[process.0 as usize].clone(), Type::Symbolic, span);
                    Some(self.make(Node::Equal(chosen, this), Type::Boolean, span))
                }
            },
            Entity::Parameter(argument, owner) => self.node(argument, owner),
            Entity::Instance(_) => self.not_a_value(span, "a module instance"),
            Entity::Array(..) => self.not_a_value(span, "an array"),
            Entity::Wrong => None,
        }
    }

    fn not_a_value(&mut self, span: Span, what: &str) -> Option<NodeId> {
        let finding = Diagnostic::error(codes::NOT_A_VALUE, span, format!("{what} is used as a value"))
            .here("has no value of its own");
        self.report_once(finding);
        None
    }

    fn define_node(&mut self, id: DefineId, span: Span) -> Option<NodeId> {
        self.resolve_define(id);
        let body = self.model.defines[id.0 as usize].body;
        if self.pending[id.0 as usize].state != PendingState::Done || body.0 == u32::MAX {
            return None;
        }
        let facts = *self.model.facts(body);
        Some(self.make_with(Node::Define(id), facts.r#type, facts.set, facts.interval, span))
    }

    /// Resolves the body of a definition, after those it depends on; reports circles.
    pub(super) fn resolve_define(&mut self, id: DefineId) {
        if self.pending[id.0 as usize].state != PendingState::Untouched {
            return;
        }
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            if self.pending[top.0 as usize].state == PendingState::Untouched {
                self.pending[top.0 as usize].state = PendingState::Active;
                self.active.push(top);
                let needed = self.needed_defines(top);
                for &other in &needed {
                    match self.pending[other.0 as usize].state {
                        PendingState::Untouched => stack.push(other),
                        PendingState::Active => self.circular(other),
                        PendingState::Done => {}
                    }
                }
            } else {
                stack.pop();
                if self.active.last() == Some(&top) {
                    self.active.pop();
                    let (body, instance) = (self.pending[top.0 as usize].body, self.pending[top.0 as usize].instance);
                    if let Some(node) = self.node(body, instance) {
                        self.model.defines[top.0 as usize].body = node;
                    }
                    self.pending[top.0 as usize].state = PendingState::Done;
                }
            }
        }
    }

    fn circular(&mut self, id: DefineId) {
        let from = self.active.iter().position(|active| *active == id).unwrap_or(0);
        let define = &self.model.defines[id.0 as usize];
        let message = format!("the definition of `{}` depends on itself", define.name);
        let mut finding = Diagnostic::error(codes::CIRCULAR_DEFINITION, define.span, message).here("defined here");
        for other in self.active[from..].iter().skip(1).take(8) {
            let other = &self.model.defines[other.0 as usize];
            finding = finding.label(other.span, format!("through `{}`", other.name));
        }
        self.report_once(finding);
    }

    /// The definitions that the body of a definition names, through parameters too.
    fn needed_defines(&mut self, id: DefineId) -> Vec<DefineId> {
        let pending = &self.pending[id.0 as usize];
        let mut work = vec![(pending.body, pending.instance)];
        let mut seen = std::collections::HashSet::new();
        let mut needed = Vec::new();
        while let Some((expr, instance)) = work.pop() {
            if !seen.insert((expr, instance)) || self.resolved.contains_key(&(expr, instance)) {
                continue;
            }
            match self.tree.get(expr) {
                Expr::Name(_) | Expr::Dot(..) | Expr::Index(..) => match self.entity(expr, instance) {
                    Entity::Define(define) => needed.push(define),
                    Entity::Parameter(argument, owner) if (argument, owner) != (expr, instance) => {
                        work.push((argument, owner))
                    }
                    Entity::Parameter(..) => {
                        if let Expr::Index(base, index) = *self.tree.get(expr) {
                            work.extend([(base, instance), (index, instance)]);
                        }
                    }
                    Entity::Array(_, elements) => work.extend(elements.iter().filter_map(|element| match element {
                        Entity::Parameter(argument, owner) => Some((*argument, *owner)),
                        _ => None,
                    })),
                    _ => {}
                },
                other => work.extend(other.children().into_iter().map(|child| (child, instance))),
            }
        }
        needed
    }

    /// `a[i]`: an element, a choice among elements, or a bit of a word.
    fn index(&mut self, base: ExprId, index: ExprId, id: ExprId, instance: InstanceId) -> Option<NodeId> {
        let span = self.tree.span(id);
        match self.entity(id, instance) {
            Entity::Parameter(path, owner) if (path, owner) == (id, instance) => {}
            entity => return self.entity_node(entity, span),
        }
        // `a[i][j]` with `i` that depends on the state: both choose.
        let (mut root, mut indices) = (base, vec![index]);
        while let Expr::Index(inner, index) = *self.tree.get(root)
            && matches!(self.entity(root, instance), Entity::Parameter(path, owner) if (path, owner) == (root, instance))
        {
            indices.push(index);
            root = inner;
        }
        if let array @ Entity::Array(..) = self.entity(root, instance) {
            // One index more than there are arrays is the bit of a word.
            if self.dimensions(array.clone()) + 1 != indices.len() {
                return self.element_of(array, &mut indices, instance, span);
            }
        }
        let bit = self.constant(index, instance)?;
        self.slice(base, bit, bit, instance, span)
    }

    /// The element that indices choose, the last one first. Recurses no deeper than arrays are nested, which is limited.
    fn element_of(
        &mut self,
        entity: Entity,
        indices: &mut Vec<ExprId>,
        instance: InstanceId,
        span: Span,
    ) -> Option<NodeId> {
        let Some(index) = indices.pop() else { return self.entity_node(entity, span) };
        let Entity::Array(low, elements) = entity else {
            let finding =
                Diagnostic::error(codes::NOT_A_VALUE, span, "there are more indices than arrays").here("here");
            self.report_once(finding);
            return None;
        };
        let chosen = self.index_number(index, instance)?;
        let mut branches = Vec::new();
        for (offset, element) in elements.iter().cloned().enumerate() {
            let place = self.value(Value::Integer(low + offset as i64), Type::Integer, span);
            let condition = self.make(Node::Equal(chosen, place), Type::Boolean, span);
            let element = self.follow(element);
            branches.push((condition, self.element_of(element, indices, instance, span)?));
        }
        indices.push(index);
        self.branches(branches, span)
    }

    /// How many arrays are nested.
    fn dimensions(&mut self, entity: Entity) -> usize {
        let (mut entity, mut count) = (entity, 0);
        while let Entity::Array(_, elements) = entity {
            count += 1;
            let Some(first) = elements.first() else { break };
            entity = self.follow(first.clone());
        }
        count
    }

    /// An index: a number, or a word that stands for one.
    fn index_number(&mut self, index: ExprId, instance: InstanceId) -> Option<NodeId> {
        let node = self.node(index, instance)?;
        match self.model.facts(node).r#type {
            Type::Word(..) => self.integer_of(index, instance, self.tree.span(index)),
            _ => self.number(index, instance),
        }
    }

    fn next_node(&mut self, inner: ExprId, instance: InstanceId, span: Span) -> Option<NodeId> {
        let operand = self.node(inner, instance)?;
        let facts = *self.model.facts(operand);
        if facts.mentions.next {
            let finding =
                Diagnostic::error(codes::NESTED_NEXT, span, "`next` inside `next`").here("looks two steps ahead");
            self.report_once(finding);
            return None;
        }
        if facts.mentions.input {
            let finding = Diagnostic::error(codes::INPUT_NOT_ALLOWED, span, "`next` of an input variable")
                .here("the next step's input is not known yet");
            self.report_once(finding);
            return None;
        }
        Some(self.make_with(Node::Next(operand), facts.r#type, facts.set, facts.interval, span))
    }

    fn case(&mut self, branches: &[(ExprId, ExprId)], instance: InstanceId, span: Span) -> Option<NodeId> {
        let mut nodes = Vec::new();
        let mut complete = true;
        for &(condition, value) in branches {
            match (self.boolean(condition, instance), self.node(value, instance)) {
                (Some(condition), Some(value)) => nodes.push((condition, value)),
                _ => complete = false,
            }
        }
        if complete { self.branches(nodes, span) } else { None }
    }

    fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        instance: InstanceId,
        span: Span,
    ) -> Option<NodeId> {
        let condition = self.boolean(condition, instance);
        let (then, otherwise) = (self.node(then, instance), self.node(otherwise, instance));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let always = self.value(Value::Boolean(true), Type::Boolean, span);
        self.branches(vec![(condition, then), (always, otherwise)], span)
    }

    /// A `case` of these branches, whose types must fit each other.
    pub(super) fn branches(&mut self, branches: Vec<(NodeId, NodeId)>, span: Span) -> Option<NodeId> {
        let values: Vec<NodeId> = branches.iter().map(|branch| branch.1).collect();
        let (r#type, interval) = self.common_type(&values)?;
        let set = values.iter().any(|value| self.model.facts(*value).set);
        Some(self.make_with(Node::Case(branches), r#type, set, interval, span))
    }

    /// The type that covers all of these, with bounds for numbers; reports the first that does not fit.
    pub(super) fn common_type(&mut self, nodes: &[NodeId]) -> Option<(Type, (i64, i64))> {
        let mut common = *self.model.facts(nodes[0]);
        for &node in &nodes[1..] {
            let facts = *self.model.facts(node);
            common.r#type = match (common.r#type, facts.r#type) {
                (a, b) if a == b => a,
                (a, b) if is_listed(a) && is_listed(b) => Type::Mixed,
                (first, second) => {
                    let message = format!("a {} beside a {}", describe(first), describe(second));
                    let hint = self.constant_hint(node, first).or_else(|| self.constant_hint(nodes[0], second));
                    let finding = Diagnostic::error(codes::INCOMPATIBLE_TYPES, facts.span, message)
                        .here(format!("this is a {}", describe(second)))
                        .label(self.model.facts(nodes[0]).span, format!("this is a {}", describe(first)));
                    self.report_once(if let Some(hint) = hint { finding.hint(hint) } else { finding });
                    return None;
                }
            };
            common.interval = (common.interval.0.min(facts.interval.0), common.interval.1.max(facts.interval.1));
        }
        Some((common.r#type, common.interval))
    }

    /// How a constant number is written where another type is needed.
    pub(super) fn constant_hint(&mut self, node: NodeId, wanted: Type) -> Option<String> {
        let Some(Value::Integer(number)) = evaluate::constant(&self.model, node, &mut self.space) else { return None };
        match (wanted, number) {
            (Type::Boolean, 0) => Some("write `FALSE`".to_owned()),
            (Type::Boolean, 1) => Some("write `TRUE`".to_owned()),
            (Type::Boolean, _) => Some("truth values are `TRUE` and `FALSE`".to_owned()),
            (Type::Word(false, width), 0..) if width >= 40 || number < 1 << width => {
                Some(format!("write `0ud{width}_{number}`"))
            }
            (Type::Word(true, width), _)
                if width >= 40 || (-(1 << (width - 1))..1 << (width - 1)).contains(&number) =>
            {
                let sign = if number < 0 { "-" } else { "" };
                Some(format!("write `{sign}0sd{width}_{}`", number.unsigned_abs()))
            }
            _ => None,
        }
    }

    fn set(&mut self, elements: &[ExprId], instance: InstanceId, span: Span) -> Option<NodeId> {
        let nodes: Vec<Option<NodeId>> = elements.iter().map(|element| self.node(*element, instance)).collect();
        self.union(nodes.into_iter().collect::<Option<Vec<_>>>()?, span)
    }

    /// The choices of all nodes together.
    pub(super) fn union(&mut self, nodes: Vec<NodeId>, span: Span) -> Option<NodeId> {
        if let [single] = nodes[..] {
            return Some(single);
        }
        let (r#type, interval) = self.common_type(&nodes)?;
        Some(self.make_with(Node::Set(nodes), r#type, true, interval, span))
    }

    fn range(&mut self, low: ExprId, high: ExprId, instance: InstanceId, span: Span) -> Option<NodeId> {
        let (low, high) = (self.constant(low, instance), self.constant(high, instance));
        let (low, high) = (low?, high?);
        if low > high {
            let finding = Diagnostic::error(codes::EMPTY_RANGE, span, "this range has no values")
                .here(format!("{low} is above {high}"));
            self.report_once(finding);
            return None;
        }
        Some(self.make_with(Node::Range(low, high), Type::Integer, true, (low, high), span))
    }

    /// The value of a constant number; reports what is not one.
    pub(super) fn constant(&mut self, id: ExprId, instance: InstanceId) -> Option<i64> {
        let node = self.number(id, instance)?;
        if let Some(Value::Integer(number)) = evaluate::constant(&self.model, node, &mut self.space) {
            return Some(number);
        }
        let finding = Diagnostic::error(codes::NOT_CONSTANT, self.tree.span(id), "a constant is needed here")
            .here("depends on the state, or has no value");
        self.report_once(finding);
        None
    }

    /// The value of an expression if it is a constant number, without complaining if it is not.
    pub(super) fn constant_if_any(&mut self, id: ExprId, instance: InstanceId) -> Option<i64> {
        if let Expr::Number(number) = self.tree.get(id) {
            return Some(*number);
        }
        let node = self.node(id, instance)?;
        match evaluate::constant(&self.model, node, &mut self.space) {
            Some(Value::Integer(number)) => Some(number),
            _ => None,
        }
    }
}

/// Whether values of this type can be in one enumeration with others.
pub(super) fn is_listed(r#type: Type) -> bool {
    matches!(r#type, Type::Integer | Type::Symbolic | Type::Mixed)
}

/// A type in words.
pub(super) fn describe(r#type: Type) -> String {
    match r#type {
        Type::Boolean => "truth value".to_owned(),
        Type::Integer => "number".to_owned(),
        Type::Symbolic => "name of an enumeration".to_owned(),
        Type::Mixed => "name or number".to_owned(),
        Type::Word(true, width) => format!("signed word of {width} bits"),
        Type::Word(false, width) => format!("word of {width} bits"),
    }
}
