//! Properties: formulas over Boolean nodes, in one logic each.

use crate::thresholds::flatten::MOST_STEPS;
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::assign::Place;
use super::{Flattener, InstanceId, Items};
use crate::ast::{Binary, Chain, Expr, ExprId, Item, LtlBinary, LtlUnary, PropertyKind};
use crate::codes;
use crate::print;
use flat::model::{CtlFormula, Linear, Property, Question};
use omega::formula::{Formula, Node};
use std::collections::HashMap;

/// Which logics the operators of a formula belong to.
#[derive(Clone, Copy, Debug, Default)]
struct Logics {
    /// The first operator of each, if there is one.
    branching: Option<ExprId>,
    linear: Option<ExprId>,
}

impl Logics {
    /// True if there is an operator of either logic.
    fn are_temporal(self) -> bool {
        self.branching.is_some() || self.linear.is_some()
    }
}

impl<'a> Flattener<'a> {
    pub(super) fn properties(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        self.number_after_parts();
        for (instance, items) in instances {
            for item in items {
                let name = match item {
                    Item::Property(_, name, _) | Item::Compute(_, name, ..) => name.as_ref(),
                    _ => continue,
                };
                self.stated(name.map(|name| name.name.as_str()), item, *instance);
            }
        }
    }

    /// Adds the property that a section states, unless it is wrong.
    pub(super) fn stated(&mut self, name: Option<&str>, item: &Item, instance: InstanceId) {
        match item {
            Item::Property(kind, _, formula) => self.property(name, *kind, *formula, instance),
            Item::Compute(longest, _, from, to) => {
                let first = self.truth(*from, instance, Place::State);
                let second = self.truth(*to, instance, Place::State);
                let (Some(first), Some(second)) = (first, second) else { return };
                let question =
                    if *longest { Question::Longest(first, second) } else { Question::Shortest(first, second) };
                let word = if *longest { "MAX" } else { "MIN" };
                let joined = |from: String, to: String| format!("{word} [ {from} , {to} ]");
                let own = |id: ExprId| print::expression(self.tree, id);
                let nusmv = |id: ExprId| print::nusmv(self.tree, id, false);
                let texts = [joined(own(*from), own(*to)), joined(nusmv(*from), nusmv(*to))];
                self.add_property(name.map(str::to_owned), question, "COMPUTE", texts, *from, instance);
            }
            _ => {}
        }
    }

    /// Numbers the instances such that each follows its parts, and these are in order of declaration.
    fn number_after_parts(&mut self) {
        let mut parts: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, instance) in self.instances.iter().enumerate().skip(1) {
            let parent = instance.path.rsplit_once('.').map_or("", |(parent, _)| parent);
            parts.entry(parent).or_default().push(number);
        }
        // An instance is visited before its parts, and the last part first: the order wanted, from its end.
        let (mut places, mut place) = (vec![0; self.instances.len()], self.instances.len());
        let mut pending = vec![0];
        while let Some(number) = pending.pop() {
            place = place.saturating_sub(1);
            places[number] = u32::try_from(place).expect("few instances");
            pending.extend(parts.get(self.instances[number].path.as_str()).into_iter().flatten());
        }
        self.after_parts = places;
    }

    /// Adds a property, unless it is wrong.
    fn property(&mut self, name: Option<&str>, kind: PropertyKind, formula: ExprId, instance: InstanceId) {
        let Some((section, question)) = self.question(kind, formula, instance) else { return };
        let text = print::expression(self.tree, formula);
        let nusmv_text = print::nusmv(self.tree, formula, kind == PropertyKind::Psl);
        self.add_property(name.map(str::to_owned), question, section, [text, nusmv_text], formula, instance);
    }

    fn add_property(
        &mut self,
        name: Option<String>,
        question: Question,
        section: &'static str,
        [text, nusmv_text]: [String; 2],
        at: ExprId,
        instance: InstanceId,
    ) {
        let span = self.tree.span(at);
        let after_parts = self.after_parts[instance.0 as usize];
        let instance = self.instance(instance).path.clone();
        let property = Property { name, question, section, text, nusmv_text, instance, after_parts, span };
        self.model.properties.push(property);
    }

    fn question(
        &mut self,
        kind: PropertyKind,
        formula: ExprId,
        instance: InstanceId,
    ) -> Option<(&'static str, Question)> {
        let logics = self.logics(formula);
        let wrong = match (kind, logics.branching, logics.linear) {
            (PropertyKind::Ctl, _, Some(at)) => Some(("an operator of linear time in a CTL formula", at)),
            (PropertyKind::Ltl, Some(at), _) => Some(("an operator of branching time in an LTL formula", at)),
            (PropertyKind::Psl, Some(_), Some(at)) => Some(("branching and linear time in one formula", at)),
            (PropertyKind::Invariant, Some(at), _) | (PropertyKind::Invariant, None, Some(at)) => {
                Some(("a temporal operator in an invariant", at))
            }
            _ => None,
        };
        if let Some((message, at)) = wrong {
            let mut finding = Diagnostic::error(codes::MIXED_LOGICS, self.operator_span(at), message).here("this one");
            if let Some(hint) = self.other_logic(kind, at, logics) {
                finding = finding.hint(hint);
            }
            self.report_once(finding);
            return None;
        }
        match kind {
            PropertyKind::Ctl => Some(("CTLSPEC", Question::Ctl(self.branching(formula, instance)?))),
            PropertyKind::Ltl => Some(("LTLSPEC", Question::Ltl(self.linear(formula, instance)?))),
            PropertyKind::Psl if logics.branching.is_some() => {
                Some(("PSLSPEC", Question::Ctl(self.branching(formula, instance)?)))
            }
            PropertyKind::Psl => Some(("PSLSPEC", Question::Ltl(self.linear(formula, instance)?))),
            PropertyKind::Invariant => {
                Some(("INVARSPEC", Question::Invariant(self.truth(formula, instance, Place::Step)?)))
            }
        }
    }

    fn logics(&self, root: ExprId) -> Logics {
        let mut logics = Logics::default();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let expr = self.tree.get(id);
            if expr.is_ctl() {
                logics.branching = logics.branching.or(Some(id));
            }
            if expr.is_ltl() {
                logics.linear = logics.linear.or(Some(id));
            }
            pending.extend(expr.children().into_iter().rev());
        }
        logics
    }

    /// Where the operator of a temporal formula stands, if it stands before its operand; else the formula.
    fn operator_span(&self, at: ExprId) -> Span {
        let span = self.tree.span(at);
        let length = match self.tree.get(at) {
            Expr::Ctl(operator, _) => print::ctl_name(*operator).len(),
            Expr::Ltl(operator, _) | Expr::Within(operator, ..) => print::ltl_name(*operator).len(),
            Expr::Bounded(operator, ..) => print::bounded_name(*operator).len(),
            _ => return span,
        };
        Span::new(span.file, span.lo, span.lo + u32::try_from(length).expect("a short name"))
    }

    /// What to write instead of an operator of the wrong logic.
    fn other_logic(&self, kind: PropertyKind, at: ExprId, logics: Logics) -> Option<String> {
        let word = match self.tree.get(at) {
            Expr::Ctl(operator, _) => print::ctl_name(*operator),
            Expr::Ltl(operator, _) => print::ltl_name(*operator),
            Expr::LtlBinary(LtlBinary::U, ..) => "U",
            _ => "",
        };
        match (kind, word) {
            (PropertyKind::Ctl, _) if logics.branching.is_none() => {
                Some("write LTLSPEC for a formula of linear time".into())
            }
            (PropertyKind::Ctl, "X" | "F" | "G") => Some(format!("in a CTL formula, write `A{word}` or `E{word}`")),
            (PropertyKind::Ctl, "U") => Some("in a CTL formula, write `A [ p U q ]` or `E [ p U q ]`".into()),
            (PropertyKind::Ltl, _) if logics.linear.is_none() => {
                Some("write CTLSPEC for a formula of branching time".into())
            }
            (PropertyKind::Ltl, "AX" | "AF" | "AG") => {
                Some(format!("in an LTL formula, which is about all paths anyway, write `{}`", &word[1..]))
            }
            (PropertyKind::Ltl, "EX" | "EF" | "EG") => {
                Some("that some path exists cannot be said in linear time; a CTLSPEC can, as in `AG EF p`".into())
            }
            (PropertyKind::Invariant, "AG" | "G") => {
                Some(format!("an invariant is about all reachable states anyway: leave `{word}` out"))
            }
            (PropertyKind::Invariant, _) => {
                let section = if logics.branching.is_some() { "CTLSPEC" } else { "LTLSPEC" };
                Some(format!("write {section} for a property about time"))
            }
            _ => None,
        }
    }

    /// A formula of branching time; what holds no temporal operator is one atom.
    fn branching(&mut self, id: ExprId, instance: InstanceId) -> Option<CtlFormula> {
        if !self.logics(id).are_temporal() {
            return self.truth(id, instance, Place::State).map(CtlFormula::Atom);
        }
        let boxed = |flattener: &mut Self, id| flattener.branching(id, instance).map(Box::new);
        match self.tree.get(id).clone() {
            Expr::Not(operand) => Some(CtlFormula::Not(boxed(self, operand)?)),
            Expr::Chain(chain @ (Chain::And | Chain::Or), operands) => {
                let parts: Vec<_> = operands.iter().map(|operand| self.branching(*operand, instance)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                Some(if chain == Chain::And { CtlFormula::And(parts) } else { CtlFormula::Or(parts) })
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (boxed(self, left), boxed(self, right));
                let (left, right) = (left?, right?);
                match operator {
                    Binary::Implies => Some(CtlFormula::Or(vec![CtlFormula::Not(left), *right])),
                    Binary::Xor | Binary::NotEqual => Some(CtlFormula::Xor(left, right)),
                    Binary::Iff | Binary::Xnor | Binary::Equal => {
                        Some(CtlFormula::Not(Box::new(CtlFormula::Xor(left, right))))
                    }
                    _ => self.misplaced(id),
                }
            }
            Expr::Ctl(operator, operand) => Some(CtlFormula::Unary(operator, boxed(self, operand)?)),
            Expr::Bounded(operator, low, high, operand) => {
                Some(CtlFormula::Bounded(operator, low, high, boxed(self, operand)?))
            }
            Expr::CtlBinary(operator, left, right) => {
                let (left, right) = (boxed(self, left), boxed(self, right));
                Some(CtlFormula::Binary(operator, left?, right?))
            }
            Expr::BoundedUntil(for_all, low, high, left, right) => {
                let (left, right) = (boxed(self, left), boxed(self, right));
                Some(CtlFormula::BoundedUntil(for_all, low, high, left?, right?))
            }
            _ => self.misplaced(id),
        }
    }

    /// A formula of linear time.
    fn linear(&mut self, id: ExprId, instance: InstanceId) -> Option<Linear> {
        let mut linear = Linear::new();
        let root = self.linear_part(id, instance, &mut linear)?;
        Some(linear.with_root(root))
    }

    /// A part of a formula of linear time; what holds no temporal operator is one atom.
    fn linear_part(&mut self, id: ExprId, instance: InstanceId, linear: &mut Linear) -> Option<Formula> {
        if !self.logics(id).are_temporal() {
            return self.truth(id, instance, Place::Step).map(|node| linear.atom(node));
        }
        let operator = match self.tree.get(id).clone() {
            Expr::Not(operand) => Node::Not(self.linear_part(operand, instance, linear)?),
            Expr::Chain(chain @ (Chain::And | Chain::Or), operands) => {
                let parts: Vec<_> =
                    operands.iter().map(|operand| self.linear_part(*operand, instance, linear)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?.into();
                if chain == Chain::And { Node::And(parts) } else { Node::Or(parts) }
            }
            Expr::Binary(operator, left, right) => {
                let left = self.linear_part(left, instance, linear);
                let right = self.linear_part(right, instance, linear);
                let (left, right) = (left?, right?);
                match operator {
                    Binary::Implies => Node::Implies(left, right),
                    Binary::Xor | Binary::NotEqual => Node::Xor(left, right),
                    Binary::Iff | Binary::Xnor | Binary::Equal => Node::Iff(left, right),
                    _ => return self.misplaced(id),
                }
            }
            Expr::Ltl(operator, operand) => {
                let operand = self.linear_part(operand, instance, linear)?;
                match operator {
                    LtlUnary::X => Node::Next(operand),
                    LtlUnary::F => Node::Eventually(operand),
                    LtlUnary::G => Node::Always(operand),
                    LtlUnary::Y => Node::Previously(operand),
                    LtlUnary::Z => Node::WeakPreviously(operand),
                    LtlUnary::O => Node::Once(operand),
                    LtlUnary::H => Node::Historically(operand),
                }
            }
            Expr::Within(operator, low, high, operand) => {
                let operand = self.linear_part(operand, instance, linear)?;
                return self.within(operator, low, high, operand, id, linear);
            }
            Expr::LtlBinary(operator, left, right) => {
                let left = self.linear_part(left, instance, linear);
                let right = self.linear_part(right, instance, linear);
                let (left, right) = (left?, right?);
                match operator {
                    LtlBinary::U => Node::Until(left, right),
                    LtlBinary::V => Node::Release(left, right),
                    LtlBinary::S => Node::Since(left, right),
                    LtlBinary::T => Node::Triggered(left, right),
                    LtlBinary::W => Node::WeakUntil(left, right),
                }
            }
            _ => return self.misplaced(id),
        };
        Some(linear.make(operator))
    }

    /// `F [2, 3] p` is `X X (p | X p)`, and so on; one step at a time into the future or the past.
    fn within(
        &mut self,
        operator: LtlUnary,
        low: u32,
        high: u32,
        operand: Formula,
        at: ExprId,
        linear: &mut Linear,
    ) -> Option<Formula> {
        let copies = (high - low.min(high)) as usize + 1;
        if high as usize + linear.formulas().len() > MOST_STEPS {
            let message = format!("this formula looks {high} steps ahead or back");
            let finding = Diagnostic::error(codes::UNSUPPORTED, self.tree.span(at), message)
                .here(format!("the bounds of a formula, taken together, go up to about {MOST_STEPS}"))
                .hint("count the steps in a variable of the model");
            self.report_once(finding);
            return None;
        }
        let (step, some): (fn(Formula) -> Node, bool) = match operator {
            LtlUnary::F => (Node::Next, true),
            LtlUnary::G => (Node::Next, false),
            LtlUnary::O => (Node::Previously, true),
            _ => (Node::WeakPreviously, false),
        };
        let mut formula = operand;
        for _ in 1..copies {
            let beyond = linear.make(step(formula));
            let both = [operand, beyond].into();
            formula = linear.make(if some { Node::Or(both) } else { Node::And(both) });
        }
        for _ in 0..low {
            formula = linear.make(step(formula));
        }
        Some(formula)
    }

    fn misplaced<T>(&mut self, id: ExprId) -> Option<T> {
        let finding = Diagnostic::error(
            codes::TEMPORAL_OUTSIDE_PROPERTY,
            self.tree.span(id),
            "a temporal operator inside an expression that is no formula",
        )
        .here("only `! & | -> <-> xor xnor` combine formulas");
        self.report_once(finding);
        None
    }
}
