//! Which variables, and which fields of messages, influence anything but themselves.
//!
//! *Contract.* What is not [`Relevance::is_relevant`] influences no condition, index, assertion, atom, channel, argument of
//! a `run`, and nothing that can go wrong: two states that differ in irrelevant values only have the same steps, and the
//! states after each step again differ in irrelevant values only.
//!
//! *How.* What a step depends on directly is relevant. What is assigned to a relevant variable, or sent as a relevant field,
//! depends on the variables that the value reads; so they are relevant too. An expression that can go wrong is
//! evaluated whatever becomes of its value; so what it reads is relevant. A field is relevant if a receive or a poll
//! compares it, a receive stores it in a relevant variable, or messages are sorted.
//!
//! With [`Roots::loops`], no value that stays irrelevant depends on itself, and so it is the same after some turns of a loop.
//!
//! *Source.* Program slicing [weiser.84.tse], of data only: every step is kept.

use super::channels::Channels;
use super::effect::{expressions, indices, is_certain, reads};
use super::{Variable, definitions, globals, locals};
use crate::named::visit;
use crate::typed::{BinaryOp, Expr, ExprKind, Initial, Pattern, Place, ProcId, Program, Stmt, StmtId, StmtKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A variable, or a field of the messages of the channels that are declared with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Variable(Variable),
    Field(Variable, usize),
}

/// Which items are relevant.
#[derive(Debug)]
pub(super) struct Relevance {
    relevant: BTreeSet<Item>,
    /// The fields of sends whose values no receive looks at.
    pub(super) silent: BTreeSet<(StmtId, usize)>,
}

impl Relevance {
    pub(super) fn is_relevant(&self, item: Item) -> bool {
        self.relevant.contains(&item)
    }
}

/// What is relevant from the start.
pub(super) struct Roots<'a> {
    /// Expressions that stand outside any process: atoms.
    pub(super) outside: &'a [&'a Expr],
    /// All variables are relevant.
    pub(super) all_variables: bool,
    /// All fields of messages are relevant.
    pub(super) all_fields: bool,
    /// What depends on itself is relevant.
    pub(super) loops: bool,
}

/// Decides what is relevant in a program whose definitions have these basic statements.
pub(super) fn relevance(program: &Program, statements: &[(ProcId, &Stmt)], roots: &Roots<'_>) -> Relevance {
    let channels = Channels::of(program, statements);
    let mut survey = Survey { program, channels, roots: Vec::new(), needs: BTreeMap::new(), together: BTreeMap::new() };
    survey.declarations(roots);
    roots.outside.iter().for_each(|expr| survey.demand(ProcId(0), expr));
    for (proc, statement) in statements {
        survey.statement(*proc, statement);
    }
    let mut relevant = BTreeSet::new();
    survey.close(&mut relevant);
    if roots.loops {
        survey.roots = survey.circular(&relevant);
        survey.close(&mut relevant);
    }
    let channels = survey.channels;
    let mut silent = BTreeSet::new();
    for (proc, statement) in statements.iter().filter(|_| !roots.all_fields) {
        let StmtKind::Send { channel, message, .. } = &statement.kind else { continue };
        let Some(meant) = channels.meant(*proc, channel) else { continue };
        let is_silent = |field: &usize| !meant.iter().any(|channel| relevant.contains(&Item::Field(*channel, *field)));
        silent.extend((0..message.len()).filter(is_silent).map(|field| (statement.id, field)));
    }
    Relevance { relevant, silent }
}

struct Survey<'p> {
    program: &'p Program,
    channels: Channels<'p>,
    roots: Vec<Item>,
    /// What else is relevant if an item is.
    needs: BTreeMap<Item, Vec<Item>>,
    /// Fields of which all are relevant if one is.
    together: BTreeMap<Item, Vec<Item>>,
}

impl Survey<'_> {
    /// Adds what is relevant by the roots.
    fn close(&mut self, relevant: &mut BTreeSet<Item>) {
        while let Some(item) = self.roots.pop() {
            if relevant.insert(item) {
                let others = [&self.needs, &self.together].into_iter().filter_map(|map| map.get(&item));
                self.roots.extend(others.flatten().copied());
            }
        }
    }

    /// The irrelevant items that depend on themselves, or on one that does: those that are left when items whose needs are
    /// all taken away are taken away, again and again.
    fn circular(&self, relevant: &BTreeSet<Item>) -> Vec<Item> {
        let is_open = |item: &&Item| !relevant.contains(item);
        let mut left: BTreeSet<Item> = self.needs.keys().filter(is_open).copied().collect();
        loop {
            let before = left.len();
            let needs_one = |item: &Item| self.needs[item].iter().any(|need| left.contains(need));
            let kept = left.iter().copied().filter(needs_one).collect();
            left = kept;
            if left.len() == before {
                return left.into_iter().collect();
            }
        }
    }

    /// Variables that stay in any case, and what initial values depend on.
    fn declarations(&mut self, roots: &Roots<'_>) {
        let program = self.program;
        let all = definitions(program).flat_map(|(id, proc)| locals(id, proc));
        for (variable, declaration) in globals(program).chain(all) {
            let (proc, is_parameter) = match variable {
                Variable::Global(_) => (ProcId(0), false),
                Variable::Local(proc, id) => (proc, id.0 < program.procs[proc.0 as usize].params),
            };
            if let Initial::Channel(spec) = &declaration.initial {
                let fields = (0..spec.fields.len()).filter(|_| roots.all_fields);
                self.roots.extend(fields.map(|field| Item::Field(variable, field)));
            }
            let initial: Vec<&Expr> = match &declaration.initial {
                Initial::Value(value) => vec![value],
                Initial::List(values) => values.iter().collect(),
                Initial::Default | Initial::Channel(_) => Vec::new(),
            };
            let is_kept = roots.all_variables
                || is_parameter
                || must_stay(program, &declaration.ty)
                || initial.iter().any(|value| can_fail(program, proc, value));
            if is_kept {
                self.roots.push(Item::Variable(variable));
            }
            initial.into_iter().for_each(|value| self.need(Item::Variable(variable), proc, value));
        }
        for field in program.records.iter().flat_map(|record| &record.fields) {
            match &field.initial {
                Initial::Value(value) => self.demand(ProcId(0), value),
                Initial::List(values) => values.iter().for_each(|value| self.demand(ProcId(0), value)),
                Initial::Default | Initial::Channel(_) => {}
            }
        }
        for (id, proc) in definitions(program) {
            proc.provided.iter().for_each(|condition| self.demand(id, condition));
        }
    }

    fn statement(&mut self, proc: ProcId, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) => self.assign(proc, place, [value]),
            StmtKind::AssignAll(place, values) => self.assign(proc, place, values),
            StmtKind::Send { channel, message, sorted } => self.send(proc, channel, message, *sorted),
            StmtKind::Receive { channel, pattern, .. } => {
                self.demand(proc, channel);
                self.compared(proc, channel, pattern);
                let meant = self.channels.meant(proc, channel);
                for (number, field) in pattern.iter().enumerate() {
                    if let Pattern::Bind(place) = field {
                        self.bind(proc, place, meant.as_ref(), number);
                    }
                }
            }
            _ => expressions(statement, &mut |expr| self.demand(proc, expr)),
        }
    }

    fn assign<'e>(&mut self, proc: ProcId, place: &Place, values: impl IntoIterator<Item = &'e Expr>) {
        indices(place).for_each(|index| self.demand(proc, index));
        let target = Variable::of(proc, place.base).map(Item::Variable);
        for value in values {
            match target {
                Some(target) if !can_fail(self.program, proc, value) => self.need(target, proc, value),
                _ => self.demand(proc, value),
            }
        }
    }

    fn send(&mut self, proc: ProcId, channel: &Expr, message: &[Expr], sorted: bool) {
        self.demand(proc, channel);
        let meant = self.channels.meant(proc, channel);
        for (number, value) in message.iter().enumerate() {
            match &meant {
                Some(meant) if !can_fail(self.program, proc, value) => {
                    meant.iter().for_each(|channel| self.need(Item::Field(*channel, number), proc, value));
                }
                _ => self.demand(proc, value),
            }
            if sorted {
                self.inspected(meant.as_ref(), number);
            }
            // A value is sent as it is, or not, whichever of the channels it goes to.
            let fields: Vec<Item> = meant.iter().flatten().map(|channel| Item::Field(*channel, number)).collect();
            for field in &fields {
                self.together.entry(*field).or_default().extend(&fields);
            }
        }
    }

    /// A receive stores a field: the variable depends on it.
    fn bind(&mut self, proc: ProcId, place: &Place, meant: Option<&BTreeSet<Variable>>, field: usize) {
        indices(place).for_each(|index| self.demand(proc, index));
        let Some(variable) = Variable::of(proc, place.base) else { return };
        // Where nothing is known of channels, all values that are sent are relevant anyway.
        let fields = meant.into_iter().flatten().map(|channel| Item::Field(*channel, field));
        self.needs.entry(Item::Variable(variable)).or_default().extend(fields);
        if !is_certain(self.program, proc, place) {
            self.roots.push(Item::Variable(variable));
        }
    }

    /// The fields that a receive or a poll compares with something are relevant.
    fn compared(&mut self, proc: ProcId, channel: &Expr, pattern: &[Pattern]) {
        let meant = self.channels.meant(proc, channel);
        for (number, field) in pattern.iter().enumerate() {
            if let Pattern::Match(expr) = field {
                self.inspected(meant.as_ref(), number);
                self.demand(proc, expr);
            }
        }
    }

    fn inspected(&mut self, meant: Option<&BTreeSet<Variable>>, field: usize) {
        self.roots.extend(meant.into_iter().flatten().map(|channel| Item::Field(*channel, field)));
    }

    /// If the item is relevant, so is what the value reads.
    fn need(&mut self, item: Item, proc: ProcId, value: &Expr) {
        let mut found = Vec::new();
        reads(proc, value, &mut found);
        self.needs.entry(item).or_default().extend(found.into_iter().map(Item::Variable));
    }

    /// What the expression reads is relevant.
    fn demand(&mut self, proc: ProcId, expr: &Expr) {
        let mut found = Vec::new();
        reads(proc, expr, &mut found);
        self.roots.extend(found.into_iter().map(Item::Variable));
        visit(expr, &mut |part| {
            if let ExprKind::Poll { channel, pattern, .. } = &part.kind {
                let meant = self.channels.meant(proc, channel);
                let compared = pattern.iter().enumerate().filter(|(_, field)| matches!(field, Pattern::Match(_)));
                compared.for_each(|(number, _)| self.inspected(meant.as_ref(), number));
            }
        });
    }
}

/// Whether a variable of a type stays in any case: it holds channels, or its fields have initial values that are computed.
fn must_stay(program: &Program, ty: &Type) -> bool {
    let is_plain = |field: &crate::typed::Variable| {
        let is_constant = |value: &Expr| matches!(value.kind, ExprKind::Const(_));
        !must_stay(program, &field.ty)
            && match &field.initial {
                Initial::Default => true,
                Initial::Value(value) => is_constant(value),
                Initial::List(values) => values.iter().all(is_constant),
                Initial::Channel(_) => false,
            }
    };
    match ty {
        Type::Chan => true,
        Type::Record(id) => !program.records[id.0 as usize].fields.iter().all(is_plain),
        _ => false,
    }
}

/// Whether the evaluation of an expression may be a run-time error, or do more than evaluate.
pub(crate) fn can_fail(program: &Program, proc: ProcId, expr: &Expr) -> bool {
    let mut can_fail = false;
    visit(expr, &mut |part| {
        can_fail |= match &part.kind {
            ExprKind::Read(place) => !is_certain(program, proc, place),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                !matches!(divisor.kind, ExprKind::Const(value) if value != 0)
            }
            ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cond(..)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Acceptance
            | ExprKind::Pid
            | ExprKind::NrPr
            | ExprKind::Last => false,
            _ => true,
        };
    });
    can_fail
}
