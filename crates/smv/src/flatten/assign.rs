//! Constraints and assignments.
//!
//! Contract: after this stage each variable has at most one `init` and one `next` assignment or one that always holds.
//! Where there are processes, the `next` assignments of one variable become one value: that of the process which moves,
//! and the old value if it assigns none. What is assigned twice by one process is reported, and so is a value that
//! depends on itself at the same moment.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::typing::is_listed;
use super::{Entity, Flattener, InstanceId, Items, ProcessId};
use crate::ast::{AssignmentDeclaration, AssignmentKind, ConstraintKind, ExprId, Item, VariableKind};
use crate::codes;
use flat::model::{Assignment, Mentions, Node, NodeId, Type, Value, VariableId};

/// Where an expression stands, and hence what it may mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The present state only.
    State,
    /// The present state and the inputs.
    StateAndInput,
    /// A whole step.
    Step,
}

/// An assignment of one process.
struct Choice {
    process: ProcessId,
    value: NodeId,
    span: Span,
}

type Choices = BTreeMap<(VariableId, AssignmentKindKey), Vec<Choice>>;

/// Where each assigned variable is assigned, and the variables that its value needs at the same moment.
type Needs = BTreeMap<VariableId, (Span, Rc<BTreeSet<VariableId>>)>;

/// [`AssignmentKind`] with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AssignmentKindKey {
    Always,
    Init,
    Next,
}

impl<'a> Flattener<'a> {
    pub(super) fn constraints(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        for (instance, items) in instances {
            for item in items {
                match item {
                    Item::Constraint(kind, expr) => self.constraint(*kind, *expr, *instance),
                    Item::Compassion(often, then_often) => {
                        let first = self.truth(*often, *instance, Place::StateAndInput);
                        let second = self.truth(*then_often, *instance, Place::StateAndInput);
                        if let (Some(first), Some(second)) = (first, second) {
                            self.model.compassion.push((first, second));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn constraint(&mut self, kind: ConstraintKind, expr: ExprId, instance: InstanceId) {
        let place = match kind {
            ConstraintKind::Init | ConstraintKind::Invar => Place::State,
            ConstraintKind::Justice => Place::StateAndInput,
            ConstraintKind::Trans => Place::Step,
        };
        let Some(node) = self.truth(expr, instance, place) else { return };
        match kind {
            ConstraintKind::Init => self.model.init.push(node),
            ConstraintKind::Invar => self.model.invar.push(node),
            ConstraintKind::Trans => self.model.trans.push(node),
            ConstraintKind::Justice => self.model.justice.push(node),
        }
    }

    /// A truth value that mentions only what its place allows.
    pub(super) fn truth(&mut self, expr: ExprId, instance: InstanceId, place: Place) -> Option<NodeId> {
        let node = self.boolean(expr, instance)?;
        self.check_place(node, self.tree.span(expr), place).then_some(node)
    }

    fn check_place(&mut self, node: NodeId, span: Span, place: Place) -> bool {
        let mentions = self.model.facts(node).mentions;
        let finding = if mentions.next && place != Place::Step {
            let span = self.culprit(node, span, |mentions| mentions.next);
            Diagnostic::error(codes::NEXT_NOT_ALLOWED, span, "`next` where only the present may be mentioned")
                .here("mentions the next state")
        } else if mentions.input && place == Place::State {
            let span = self.culprit(node, span, |mentions| mentions.input);
            Diagnostic::error(codes::INPUT_NOT_ALLOWED, span, "an input where only the state may be mentioned")
                .here("mentions an input variable")
        } else {
            return true;
        };
        self.report_once(finding);
        false
    }

    /// The smallest part of an expression that mentions something, within the text of the expression.
    fn culprit(&self, root: NodeId, whole: Span, mentions: impl Fn(Mentions) -> bool) -> Span {
        let mut at = root;
        while !matches!(self.model.node(at), Node::Next(_) | Node::Define(_)) {
            let operands = self.model.node(at).operands();
            let Some(below) = operands.into_iter().find(|below| mentions(self.model.facts(*below).mentions)) else {
                break;
            };
            at = below;
        }
        let span = self.model.facts(at).span;
        let is_within = span.file == whole.file && span.lo >= whole.lo && span.hi <= whole.hi;
        if is_within { span } else { whole }
    }

    pub(super) fn assignments(&mut self, instances: &[(InstanceId, Items<'a>)]) {
        let mut choices = Choices::new();
        for (instance, items) in instances {
            for item in items {
                let Item::Assignments(list) = item else { continue };
                for assignment in list {
                    self.assignment(assignment, *instance, &mut choices);
                }
            }
        }
        self.check_mixed(&choices);
        self.check_circles(&choices);
        for ((variable, kind), list) in choices {
            let first = list[0].span;
            let (kind, value) = match kind {
                AssignmentKindKey::Always => (AssignmentKind::Always, list[0].value),
                AssignmentKindKey::Init => (AssignmentKind::Init, list[0].value),
                AssignmentKindKey::Next => {
                    let Some(value) = self.next_by_process(variable, &list) else { continue };
                    (AssignmentKind::Next, value)
                }
            };
            self.model.assignments.push(Assignment { variable, kind, value, span: first });
        }
    }

    fn assignment(&mut self, declared: &AssignmentDeclaration, instance: InstanceId, choices: &mut Choices) {
        let span = self.tree.span(declared.target);
        let Some(variable) = self.assigned_variable(declared, instance) else { return };
        let Some(value) = self.node(declared.value, instance) else { return };
        let (place, key) = match declared.kind {
            AssignmentKind::Always => (Place::State, AssignmentKindKey::Always),
            AssignmentKind::Init => (Place::State, AssignmentKindKey::Init),
            AssignmentKind::Next => (Place::Step, AssignmentKindKey::Next),
        };
        let fits = self.check_place(value, self.tree.span(declared.value), place);
        if !fits || !self.check_assigned_type(variable, value, declared) {
            return;
        }
        let process = self.instance(instance).process;
        let list = choices.entry((variable, key)).or_default();
        let clash = list.iter().find(|choice| key != AssignmentKindKey::Next || choice.process == process);
        if let Some(first) = clash {
            let name = self.model.variable(variable).name.clone();
            let finding = Diagnostic::error(codes::DOUBLE_ASSIGNMENT, span, format!("`{name}` is assigned twice"))
                .here("assigned again here")
                .label(first.span, "first assigned here");
            self.report_once(finding);
            return;
        }
        list.push(Choice { process, value, span });
    }

    fn assigned_variable(&mut self, declared: &AssignmentDeclaration, instance: InstanceId) -> Option<VariableId> {
        let span = self.tree.span(declared.target);
        let reason = match self.entity(declared.target, instance) {
            Entity::Wrong => return None,
            Entity::Variable(id) => match (self.model.variable(id).kind, declared.kind) {
                (VariableKind::State, _) | (VariableKind::Frozen, AssignmentKind::Init) => return Some(id),
                (VariableKind::Frozen, _) => "a frozen variable keeps its value; only `init` can set it",
                (VariableKind::Input, _) => "an input variable cannot be assigned",
            },
            Entity::Define(_) => "a definition cannot be assigned",
            Entity::Array(..) => "an array is assigned element by element",
            Entity::Instance(_) => "a module instance cannot be assigned",
            _ => "only variables can be assigned",
        };
        self.report_once(Diagnostic::error(codes::NOT_ASSIGNABLE, span, reason).here("cannot be assigned"));
        None
    }

    fn check_assigned_type(&mut self, variable: VariableId, value: NodeId, declared: &AssignmentDeclaration) -> bool {
        let wanted = self.model.variable(variable).domain.r#type();
        let found = self.model.facts(value).r#type;
        let strangers = matches!((wanted, found), (Type::Integer, Type::Symbolic) | (Type::Symbolic, Type::Integer));
        if wanted == found || is_listed(wanted) && is_listed(found) && !strangers {
            return true;
        }
        let hint = self.constant_hint(value, wanted);
        let (wanted, found) = (super::typing::describe(wanted), super::typing::describe(found));
        let name = &self.model.variable(variable).name;
        let mut finding = Diagnostic::error(
            codes::TYPE_MISMATCH,
            self.tree.span(declared.value),
            format!("`{name}` is a {wanted} and cannot become a {found}"),
        )
        .here(format!("this is a {found}"))
        .label(self.model.variable(variable).span, format!("declared as a {wanted}"));
        if let Some(hint) = hint {
            finding = finding.hint(hint);
        } else if wanted == "truth value" && found == "number" {
            finding = finding.hint("truth values are written `TRUE` and `FALSE`");
        }
        self.report_once(finding);
        false
    }

    /// `x := …` leaves no room for `init(x)` and `next(x)`.
    fn check_mixed(&mut self, choices: &Choices) {
        for (&(variable, kind), list) in choices {
            if kind == AssignmentKindKey::Always {
                continue;
            }
            if let Some(always) = choices.get(&(variable, AssignmentKindKey::Always)) {
                let name = self.model.variable(variable).name.clone();
                let finding =
                    Diagnostic::error(codes::DOUBLE_ASSIGNMENT, list[0].span, format!("`{name}` is assigned twice"))
                        .here("assigned again here")
                        .label(always[0].span, "always has this value");
                self.report_once(finding);
            }
        }
    }

    /// The next value by the process that moves.
    fn next_by_process(&mut self, variable: VariableId, list: &[Choice]) -> Option<NodeId> {
        let Some((selector, values)) = self.selector.clone() else { return Some(list[0].value) };
        let span = list[0].span;
        let mut branches = Vec::new();
        for choice in list {
            let chosen = self.make(Node::Variable(selector), Type::Symbolic, choice.span);
            let this = self.value(values[choice.process.0 as usize].clone(), Type::Symbolic, choice.span);
            let condition = self.make(Node::Equal(chosen, this), Type::Boolean, choice.span);
            branches.push((condition, choice.value));
        }
        let always = self.value(Value::Boolean(true), Type::Boolean, span);
        let r#type = self.model.variable(variable).domain.r#type();
        let unchanged = self.make(Node::Variable(variable), r#type, span);
        branches.push((always, unchanged));
        self.branches(branches, span)
    }

    /// Reports values that depend on themselves at the same moment, for each process on its own.
    fn check_circles(&mut self, choices: &Choices) {
        let mut below = HashMap::new();
        for process in 0..self.processes.len() {
            let process = ProcessId(u32::try_from(process).expect("few processes"));
            for moment in [AssignmentKindKey::Init, AssignmentKindKey::Next] {
                if self.is_exhausted() {
                    return;
                }
                self.check_circles_at(choices, process, moment, &mut below);
            }
        }
    }

    fn check_circles_at(
        &mut self,
        choices: &Choices,
        process: ProcessId,
        moment: AssignmentKindKey,
        below: &mut HashMap<(NodeId, bool), Rc<BTreeSet<VariableId>>>,
    ) {
        // Edges from each assigned variable to those its value needs at the same moment.
        let mut needs: Needs = BTreeMap::new();
        for (&(variable, kind), list) in choices {
            for choice in list {
                let same = kind == moment && (moment == AssignmentKindKey::Init || choice.process == process);
                if kind == AssignmentKindKey::Always || same {
                    let of_next = kind == AssignmentKindKey::Next;
                    if self.is_exhausted() {
                        return;
                    }
                    let read = below
                        .entry((choice.value, of_next))
                        .or_insert_with(|| Rc::new(self.variables_below(choice.value, of_next)));
                    needs.insert(variable, (choice.span, Rc::clone(read)));
                }
            }
        }
        let mut finished = BTreeSet::new();
        for &start in needs.keys() {
            if let Some(circle) = find_circle(start, &needs, &mut finished) {
                let (span, _) = needs[&circle[0]];
                let name = &self.model.variable(circle[0]).name;
                let mut finding = Diagnostic::error(
                    codes::CIRCULAR_ASSIGNMENT,
                    span,
                    format!("the value of `{name}` depends on itself at the same moment"),
                )
                .here("assigned here");
                for other in circle.iter().skip(1).take(8) {
                    finding = finding.label(needs[other].0, format!("through `{}`", self.model.variable(*other).name));
                }
                self.report_once(finding);
                return;
            }
        }
    }

    /// The variables whose present (or, if `of_next`, next) value an expression reads.
    fn variables_below(&self, root: NodeId, of_next: bool) -> BTreeSet<VariableId> {
        let mut found = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut pending = vec![(root, false)];
        while let Some((node, in_next)) = pending.pop() {
            if !seen.insert((node, in_next)) {
                continue;
            }
            match self.model.node(node) {
                Node::Variable(id) if in_next == of_next => {
                    found.insert(*id);
                }
                Node::Define(id) => pending.push((self.model.defines[id.0 as usize].body, in_next)),
                Node::Next(operand) => pending.push((*operand, true)),
                other => pending.extend(other.operands().into_iter().map(|operand| (operand, in_next))),
            }
        }
        found
    }
}

/// A circle of needs reachable from `start`, without recursion; marks what lies on none.
fn find_circle(start: VariableId, needs: &Needs, finished: &mut BTreeSet<VariableId>) -> Option<Vec<VariableId>> {
    if finished.contains(&start) {
        return None;
    }
    let edges =
        |variable: VariableId| needs.get(&variable).map(|(_, list)| list.iter().copied().collect()).unwrap_or_default();
    let mut path: Vec<(VariableId, Vec<VariableId>)> = vec![(start, edges(start))];
    let mut on_path = BTreeSet::from([start]);
    while let Some((variable, left)) = path.last_mut() {
        if let Some(next) = left.pop() {
            if on_path.contains(&next) {
                let at = path.iter().position(|(variable, _)| *variable == next).expect("on the path");
                return Some(path[at..].iter().map(|(variable, _)| *variable).collect());
            }
            if needs.contains_key(&next) && !finished.contains(&next) {
                path.push((next, edges(next)));
                on_path.insert(next);
            }
        } else {
            finished.insert(*variable);
            on_path.remove(variable);
            path.pop();
        }
    }
    None
}
