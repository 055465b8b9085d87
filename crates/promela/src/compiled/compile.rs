//! From typed statements to [`code`](super::code): names become addresses in the state vector.

use std::cell::Cell;

use super::code::{
    Action, Address, Code, Comparison, Edge, Guard, IndexStep, InnerEdge, InnerNode, Load, Origin, Pattern, Reception,
    Root, Start, Store,
};
use super::layout::{Area, Content, Kind, Layout, Slot};
use crate::arithmetic::arithmetic;
use crate::dataflow::{Trim, Variable, can_fail, is_certain, printed};
use crate::flow;
use crate::typed::{
    self, Access, BinaryOp, Expr, ExprKind, Initial, Place, ProcId, Program, Stmt, StmtKind, Type, UnaryOp, VarRef,
};

/// What is needed to compile the statements of one process definition.
pub(crate) struct Compiler<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) graphs: &'a [flow::Graph<'a>],
    /// The definition at hand, for its local variables.
    pub(crate) proc: usize,
    /// Set when `timeout` occurs.
    pub(crate) timeout: &'a Cell<bool>,
    /// What is left out of the states.
    pub(crate) trim: &'a Trim,
}

impl Compiler<'_> {
    /// Compiles an edge of the control-flow graph.
    pub(crate) fn edge(&self, edge: &flow::Edge<'_>) -> Edge {
        let (guard, action) = match &edge.action {
            flow::EdgeAction::Basic(statement) => self.statement(statement),
            flow::EdgeAction::Jump(_) | flow::EdgeAction::Exit(_) => (Guard::Always, Action::Nothing),
            flow::EdgeAction::DStep(_, inner) => {
                let nodes = self.inner(inner);
                (d_step_guard(&nodes), d_step_action(nodes))
            }
            flow::EdgeAction::Terminate => (Guard::Terminate, Action::Terminate),
        };
        Edge {
            guard,
            action,
            rest: None,
            target: u16::try_from(edge.target).expect("locations are numbered to fit"),
            atomic: edge.atomic,
            group: edge.group,
            clears: Box::default(),
            origin: Origin::of(&edge.action),
        }
    }

    /// The initial values of variables other than channels, those of the first `skip` left out.
    pub(crate) fn initial(&self, variables: &[typed::Variable], area: &Area, skip: usize) -> Box<[Store]> {
        let mut stores = Vec::new();
        for (variable, slot) in variables.iter().zip(&area.slots).skip(skip) {
            self.initial_variable(variable, slot, 0, &mut stores);
        }
        stores.into()
    }

    fn initial_variable(&self, variable: &typed::Variable, slot: &Slot, base: u32, into: &mut Vec<Store>) {
        for index in 0..slot.len.unwrap_or(1) {
            let at = base + slot.offset + index * slot.stride;
            match (slot.content, &variable.initial) {
                (Content::Record(id), _) => {
                    let fields = &self.program.records[id.0 as usize].fields;
                    for (field, slot) in fields.iter().zip(&self.layout.records[id.0 as usize].slots) {
                        self.initial_variable(field, slot, at, into);
                    }
                }
                (Content::Scalar(kind), Initial::Value(value)) => into.push((at, kind, self.pure(value))),
                (Content::Scalar(kind), Initial::List(values)) => {
                    into.extend(values.get(index as usize).map(|value| (at, kind, self.pure(value))));
                }
                (Content::Scalar(_), Initial::Default | Initial::Channel(_)) | (Content::Removed(_), _) => {}
            }
        }
    }

    fn inner(&self, inner: &flow::Inner<'_>) -> Box<[Box<[InnerEdge]>]> {
        let edge = |edge: &flow::InnerEdge<'_>| {
            let (guard, action) =
                edge.statement.map_or((Guard::Always, Action::Nothing), |statement| self.statement(statement));
            InnerEdge { guard, action, target: edge.target }
        };
        inner.nodes.iter().map(|edges| edges.iter().map(edge).collect()).collect()
    }

    fn statement(&self, statement: &Stmt) -> (Guard, Action) {
        let mut started = Vec::new();
        let (guard, action) = match &statement.kind {
            StmtKind::Expr(Expr { kind: ExprKind::SetPriority(process, value), .. }) => {
                let pair = (self.pure(process), self.pure(value));
                (Guard::Always, Action::SetPriority(Box::new(pair)))
            }
            StmtKind::Expr(expr) => {
                let code = self.expr(expr, &mut started);
                if started.is_empty() {
                    (test(code), Action::Nothing)
                } else {
                    return (Guard::Always, Action::StartTest(started.into(), Box::new(code)));
                }
            }
            StmtKind::Assign(place, typed) => {
                let value = self.expr(typed, &mut started);
                let assign = match self.place(place) {
                    Some(address) => Action::Assign(address, value),
                    None => self.evaluate(place, std::slice::from_ref(typed)),
                };
                (Guard::Always, assign)
            }
            StmtKind::AssignAll(place, values) => {
                let is_removed = Variable::of(self.id(), place.base).is_some_and(|it| self.trim.removed.contains(&it));
                let assign = if is_removed { self.evaluate(place, values) } else { self.assign_all(place, values) };
                (Guard::Always, assign)
            }
            StmtKind::Assert(expr) => (Guard::Always, Action::Assert(self.pure(expr))),
            StmtKind::Send { channel, message, sorted } => {
                let field = |(number, field)| match self.trim.silent.contains(&(statement.id, number)) {
                    true => self.silent(field),
                    false => self.pure(field),
                };
                let message = message.iter().enumerate().map(field).collect();
                (Guard::Send, Action::Send { channel: self.pure(channel), message, sorted: *sorted })
            }
            StmtKind::Receive { channel, pattern, random, peek } => {
                let reception = self.reception(channel, pattern, *random, *peek);
                (Guard::Receive, Action::Receive(Box::new(reception)))
            }
            StmtKind::Else => (Guard::Else, Action::Nothing),
            // Output is for simulation; only run-time errors of the arguments count.
            StmtKind::Printf(..) | StmtKind::Printm(_) => {
                let codes: Box<[Code]> = printed(statement).map(|argument| self.pure(argument)).collect();
                (Guard::Always, if codes.is_empty() { Action::Nothing } else { Action::Evaluate(codes) })
            }
            StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Block(_)
            | StmtKind::Atomic(_)
            | StmtKind::DStep(_)
            | StmtKind::Unless(..)
            | StmtKind::Goto(_)
            | StmtKind::Break(_) => unreachable!("the control-flow graph has no compound statements"),
        };
        if started.is_empty() { (guard, action) } else { (guard, Action::Start(started.into(), Box::new(action))) }
    }

    /// The definition at hand.
    fn id(&self) -> ProcId {
        ProcId(u32::try_from(self.proc).expect("few definitions"))
    }

    /// What remains of an assignment to a place that is no part of the state: its errors.
    fn evaluate(&self, place: &Place, values: &[Expr]) -> Action {
        let Some(variable) = Variable::of(self.id(), place.base) else { return Action::Nothing };
        let values = values.iter().filter(|value| can_fail(self.program, self.id(), value));
        let mut codes: Vec<Code> = values.map(|value| self.pure(value)).collect();
        if !is_certain(self.program, self.id(), place) {
            codes.push(self.bounds(variable, place));
        }
        if codes.is_empty() { Action::Nothing } else { Action::Evaluate(codes.into()) }
    }

    /// The indices of a place that is no part of the state, compared with their bounds: an element without extent.
    fn bounds(&self, variable: Variable, place: &Place) -> Code {
        let mut declaration = variable.declaration(self.program);
        let mut steps = Vec::new();
        for access in &place.path {
            match (access, &declaration.ty) {
                (Access::Index(index), _) => {
                    let len = declaration.len.unwrap_or(1);
                    steps.push(IndexStep { index: self.pure(index), stride: 0, len });
                }
                (Access::Field(field), Type::Record(id)) => {
                    declaration = &self.program.records[id.0 as usize].fields[*field as usize];
                }
                (Access::Field(_), _) => unreachable!("only records have fields"),
            }
        }
        let kind = Kind::Bits { shift: 0, mask: 0xff };
        Code::Element(Box::new(Address { root: Root::Global, offset: 0, kind, steps: steps.into() }))
    }

    /// A field of a message that nobody looks at: zero, after the errors of its value.
    fn silent(&self, field: &Expr) -> Code {
        match can_fail(self.program, self.id(), field) {
            true => Code::Binary(BinaryOp::Mul, Box::new((self.pure(field), Code::Const(0)))),
            false => Code::Const(0),
        }
    }

    fn assign_all(&self, place: &Place, values: &[Expr]) -> Action {
        let element = |(index, value): (usize, &Expr)| {
            let mut place = place.clone();
            let index = i32::try_from(index).expect("array sizes fit an int");
            place.path.push(Access::Index(Expr { kind: ExprKind::Const(index), span: place.span }));
            Some((self.place(&place)?, self.pure(value)))
        };
        Action::AssignAll(values.iter().enumerate().filter_map(element).collect())
    }

    fn reception(&self, channel: &Expr, pattern: &[typed::Pattern], random: bool, peek: bool) -> Reception {
        let field = |pattern: &typed::Pattern| match pattern {
            typed::Pattern::Bind(place) => self.place(place).map_or(Pattern::Ignore, Pattern::Bind),
            typed::Pattern::Match(expr) => Pattern::Match(self.pure(expr)),
            typed::Pattern::Ignore => Pattern::Ignore,
        };
        Reception { channel: self.pure(channel), pattern: pattern.iter().map(field).collect(), random, peek }
    }

    /// An expression in which no process is started.
    pub(crate) fn pure(&self, expr: &Expr) -> Code {
        self.expr(expr, &mut Vec::new())
    }

    fn expr(&self, expr: &Expr, started: &mut Vec<Start>) -> Code {
        match &expr.kind {
            ExprKind::Const(value) => Code::Const(*value),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, operand) => match (op, self.expr(operand, started)) {
                (UnaryOp::Minus, Code::Const(value)) => Code::Const(value.wrapping_neg()),
                (op, operand) => Code::Unary(*op, Box::new(operand)),
            },
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left, started);
                binary(*op, left, self.expr(right, started))
            }
            ExprKind::Cond(test, yes, no) => {
                let test = self.expr(test, started);
                let yes = self.expr(yes, started);
                Code::Cond(Box::new((test, yes, self.expr(no, started))))
            }
            ExprKind::Run(proc, arguments, priority) => {
                let arguments = arguments.iter().map(|argument| self.expr(argument, started)).collect();
                started.push(Start { proc: proc.0, arguments, priority: *priority });
                Code::Started(started.len() - 1)
            }
            ExprKind::Len(channel) => Code::Len(Box::new(self.pure(channel))),
            ExprKind::ChannelTest(test, channel) => Code::ChannelTest(*test, Box::new(self.pure(channel))),
            ExprKind::Poll { channel, pattern, random } => {
                Code::Poll(Box::new(self.reception(channel, pattern, *random, true)))
            }
            ExprKind::Timeout => {
                self.timeout.set(true);
                Code::Timeout
            }
            ExprKind::NonProgress => Code::NonProgress,
            ExprKind::Acceptance => Code::Acceptance,
            ExprKind::Pid => Code::Pid,
            ExprKind::NrPr => Code::NrPr,
            ExprKind::Last => Code::Last,
            ExprKind::Enabled(process) => Code::Enabled(Box::new(self.pure(process))),
            ExprKind::PcValue(process) => Code::PcValue(Box::new(self.pure(process))),
            ExprKind::GetPriority(process) => Code::GetPriority(Box::new(self.pure(process))),
            ExprKind::SetPriority(..) => Code::Const(1),
            ExprKind::RemoteLabel(proc, process, label) => {
                let node = self.graphs[proc.0 as usize].labels[label.0 as usize];
                let node = node.map(|node| u16::try_from(node).expect("locations are numbered to fit"));
                Code::RemoteLabel(proc.0, process.as_ref().map(|process| Box::new(self.pure(process))), node)
            }
            ExprKind::RemoteRead(proc, process, place) => {
                let process = process.as_ref().map(|process| Box::new(self.pure(process)));
                // The place is a local of the other definition; indices are evaluated here.
                match self.address(place, self.local_slot(proc.0 as usize, place)) {
                    Some(address) => Code::RemoteRead(proc.0, process, Box::new(address)),
                    None => Code::OutOfBounds,
                }
            }
        }
    }

    fn read(&self, place: &Place) -> Code {
        let Some(address) = self.place(place) else { return Code::OutOfBounds };
        if address.steps.is_empty() {
            Code::Load(Load { root: address.root, offset: address.offset, kind: address.kind })
        } else {
            Code::Element(Box::new(address))
        }
    }

    /// The address of a place; `None` for `_`. A constant index out of bounds becomes an index
    /// step, so that it is a run-time error where it is executed.
    fn place(&self, place: &Place) -> Option<Address> {
        match place.base {
            VarRef::Global(id) => self.address(place, Some((Root::Global, &self.layout.globals.slots[id.0 as usize]))),
            VarRef::Local(_) => self.address(place, self.local_slot(self.proc, place)),
            VarRef::Scratch => None,
        }
    }

    fn local_slot(&self, proc: usize, place: &Place) -> Option<(Root, &Slot)> {
        match place.base {
            VarRef::Local(id) => Some((Root::Local, &self.layout.processes[proc].area.slots[id.0 as usize])),
            VarRef::Global(_) | VarRef::Scratch => None,
        }
    }

    /// None also for a variable that is no part of the state.
    fn address(&self, place: &Place, slot: Option<(Root, &Slot)>) -> Option<Address> {
        let (root, mut slot) = slot?;
        let mut offset = slot.offset;
        let mut steps = Vec::new();
        let mut path = place.path.iter().peekable();
        loop {
            match (slot.len, path.peek()) {
                (Some(len), Some(Access::Index(index))) => {
                    path.next();
                    match self.pure(index) {
                        Code::Const(value) if u32::try_from(value).is_ok_and(|value| value < len) => {
                            offset += value.unsigned_abs() * slot.stride;
                        }
                        index => steps.push(IndexStep { index, stride: slot.stride, len }),
                    }
                }
                // A scalar may be indexed too: it is an array of one.
                (None, Some(Access::Index(index))) => {
                    path.next();
                    match self.pure(index) {
                        Code::Const(0) => {}
                        index => steps.push(IndexStep { index, stride: slot.stride, len: 1 }),
                    }
                }
                _ => {}
            }
            match slot.content {
                Content::Removed(_) => return None,
                Content::Scalar(kind) => return Some(Address { root, offset, kind, steps: steps.into() }),
                Content::Record(id) => {
                    let Some(Access::Field(field)) = path.next() else {
                        unreachable!("a place in the checked program ends at a scalar")
                    };
                    slot = &self.layout.records[id.0 as usize].slots[*field as usize];
                    offset += slot.offset;
                }
            }
        }
    }
}

/// When a `d_step` can be executed: when what it begins with can.
fn d_step_guard(nodes: &[InnerNode]) -> Guard {
    match nodes.first().map(|node| &**node) {
        Some([InnerEdge { guard: guard @ (Guard::Test(_) | Guard::Always), .. }]) => guard.clone(),
        _ => Guard::DStep,
    }
}

/// What a `d_step` does, its guard being known to hold. Without a choice after that, it is a list.
fn d_step_action(nodes: Box<[InnerNode]>) -> Action {
    let mut actions = Vec::new();
    let mut next = Some(0);
    for position in 0..=nodes.len() {
        let Some(at) = next else { return Action::Straight(actions.into()) };
        match &*nodes[at] {
            [InnerEdge { guard: Guard::Always, action, target }] => {
                actions.push(action.clone());
                next = *target;
            }
            [InnerEdge { guard: Guard::Test(_), action: Action::Nothing, target }] if position == 0 => next = *target,
            _ => break,
        }
    }
    Action::DStep(nodes)
}

fn test(code: Code) -> Guard {
    match code {
        Code::Const(value) if value != 0 => Guard::Always,
        code => Guard::Test(code),
    }
}

fn binary(op: BinaryOp, left: Code, right: Code) -> Code {
    match (op, left, right) {
        (BinaryOp::And, left, right) => {
            let is_all = |code| if let Code::All(parts) = code { Ok(parts) } else { Err(code) };
            Code::All(flatten(left, right, is_all))
        }
        (BinaryOp::Or, left, right) => {
            let is_any = |code| if let Code::Any(parts) = code { Ok(parts) } else { Err(code) };
            Code::Any(flatten(left, right, is_any))
        }
        (op, Code::Const(left), Code::Const(right)) => match arithmetic(op, left, right) {
            Some(value) => Code::Const(value),
            None => Code::Binary(op, Box::new((Code::Const(left), Code::Const(right)))),
        },
        (op, Code::Load(load), Code::Const(value)) => match Comparison::new(op, load, value) {
            Some(comparison) => Code::Compare(comparison),
            None => match op {
                BinaryOp::Add => Code::Plus(load, value),
                BinaryOp::Sub => Code::Plus(load, value.wrapping_neg()),
                op => Code::Binary(op, Box::new((Code::Load(load), Code::Const(value)))),
            },
        },
        (op, left, right) => Code::Binary(op, Box::new((left, right))),
    }
}

/// The operands of a chain of one operator, in order.
fn flatten(left: Code, right: Code, same: impl Fn(Code) -> Result<Box<[Code]>, Code>) -> Box<[Code]> {
    let mut parts = Vec::new();
    for side in [left, right] {
        match same(side) {
            Ok(inner) => parts.extend(inner),
            Err(other) => parts.push(other),
        }
    }
    parts.into()
}
