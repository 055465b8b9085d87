//! What the atoms of a property say, as constraints on quantities: a quantity lies in a set, or the
//! difference of two does, or a sum of several.
//!
//! *What.* Quantities are variables, remote variables, the location of a process, the length of a
//! channel, and every other expression that is compared. Comparisons of sums and differences of at most
//! [`TERMS`] quantities and numbers are taken apart; what is not of this form is a quantity of its own.
//!
//! *Contract.* In every state, an atom holds if and only if its constraint does, unless it meets a
//! run-time error, when it does not hold: then only its truth says something ([`Atom::may_fail`]). A
//! calculation that can wrap around is not taken apart.

use super::expression::Environment;
use super::location::compared;
use super::range::RangeSet;
use super::value::Values;
use crate::flow::Graph;
use crate::resolve::value_of;
use crate::show;
use crate::thresholds::mine::TERMS;
use crate::typed::{
    Access, BinaryOp, ChannelTest, Expr, ExprKind, Initial, LabelId, Place, ProcId, Program, Type, VarRef,
};
use std::collections::BTreeMap;

/// Something that has a value in every state.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    /// As in the text; for a location, the process.
    pub(super) name: String,
    /// All it can be.
    pub(super) domain: RangeSet,
    /// The variable it is, if it is one.
    pub(super) cell: Option<usize>,
    /// The process it belongs to, as written; for a location, without the number of an only instance.
    pub(super) process: Option<Process>,
    /// Whether it is the location of that process.
    pub(super) is_location: bool,
}

impl Quantity {
    /// Whether it is the value of an atom that says nothing but that it is not zero, and no variable.
    pub(super) fn is_truth(&self, atom: &str) -> bool {
        self.cell.is_none() && self.name == atom
    }
}

/// A process that a remote reference means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Process {
    pub(super) proc: usize,
    /// The text of its number; none for the oldest instance, or the only one.
    pub(super) number: Option<String>,
    /// Whether the number, if there is one, is the same in every state.
    pub(super) is_fixed: bool,
}

/// What an atom says.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// The quantity is in the set.
    Within(usize, RangeSet),
    /// The first quantity minus the second is in the set.
    Difference(usize, usize, RangeSet),
    /// The sum of the quantities, each times its factor, is in the set.
    Sum(Vec<(usize, i64)>, RangeSet),
}

/// An atom.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) name: String,
    pub(super) meaning: Meaning,
    /// The process that it says is at a location, as written.
    pub(super) at: Option<Process>,
    /// It can meet a run-time error, and is false then whatever it says.
    pub(super) may_fail: bool,
}

/// The atoms of a property and the quantities they are about.
pub(super) struct Reader<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) graphs: &'a [Graph<'p>],
    pub(super) values: &'a Values<'p>,
    pub(super) quantities: Vec<Quantity>,
    names: BTreeMap<String, usize>,
}

/// A sum: quantities with their factors, and a number.
struct Sum {
    terms: Vec<(usize, i64)>,
    number: i64,
}

impl<'a, 'p> Reader<'a, 'p> {
    pub(super) fn new(program: &'p Program, graphs: &'a [Graph<'p>], values: &'a Values<'p>) -> Self {
        Reader { program, graphs, values, quantities: Vec::new(), names: BTreeMap::new() }
    }

    /// Reads one atom.
    pub(super) fn atom(&mut self, name: &str, expr: &'p Expr) -> Atom {
        let may_fail = self.may_fail(expr);
        let meaning = match &expr.kind {
            ExprKind::Binary(operator, left, right) => self.comparison(*operator, left, right),
            ExprKind::RemoteLabel(proc, number, label) => Some(self.label(*proc, number.as_deref(), *label)),
            ExprKind::ChannelTest(test, channel) => self.channel_test(*test, channel),
            _ => None,
        };
        let nonzero = RangeSet::one(0).complement();
        let meaning = meaning.unwrap_or_else(|| Meaning::Within(self.opaque(expr), nonzero));
        let at = match &expr.kind {
            ExprKind::RemoteLabel(proc, number, _) => Some(self.process(proc.0 as usize, number.as_deref())),
            _ => None,
        };
        Atom { name: name.to_string(), meaning, at, may_fail }
    }

    /// Whether a definition has exactly one instance, from the start, and never another.
    pub(super) fn is_single(&self, proc: usize) -> bool {
        self.program.procs[proc].active == 1 && !self.values.started[proc]
    }

    fn quantity(&mut self, key: String, make: impl FnOnce() -> Quantity) -> usize {
        if let Some(known) = self.names.get(&key) {
            return *known;
        }
        self.quantities.push(make());
        self.names.insert(key, self.quantities.len() - 1);
        self.quantities.len() - 1
    }

    /// A comparison; nothing if it cannot be taken apart.
    fn comparison(&mut self, operator: BinaryOp, left: &'p Expr, right: &'p Expr) -> Option<Meaning> {
        let allowed = compared(operator, 0)?;
        let (left, right) = (self.sum(left), self.sum(right));
        let mut terms = left.terms;
        for (quantity, factor) in right.terms {
            add(&mut terms, quantity, -factor);
        }
        terms.retain(|(_, factor)| *factor != 0);
        // terms + number ⋈ 0
        let allowed = allowed.shift(right.number - left.number);
        match *terms {
            [(quantity, 1)] => Some(Meaning::Within(quantity, allowed)),
            [(quantity, -1)] => Some(Meaning::Within(quantity, allowed.negate())),
            [(plus, 1), (minus, -1)] | [(minus, -1), (plus, 1)] => Some(Meaning::Difference(plus, minus, allowed)),
            [_, _, ..] if terms.len() <= TERMS => Some(Meaning::Sum(terms, allowed)),
            _ => None,
        }
    }

    /// An expression as a sum; itself as a quantity where it is none.
    fn sum(&mut self, expr: &'p Expr) -> Sum {
        if let Some(value) = value_of(expr) {
            return Sum { terms: Vec::new(), number: i64::from(value) };
        }
        if let ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub), left, right) = &expr.kind
            && self.cannot_wrap(*operator, left, right)
        {
            let sign = if *operator == BinaryOp::Add { 1 } else { -1 };
            let (mut sum, other) = (self.sum(left), self.sum(right));
            for (quantity, factor) in other.terms {
                add(&mut sum.terms, quantity, sign * factor);
            }
            sum.number += sign * other.number;
            return sum;
        }
        Sum { terms: vec![(self.opaque(expr), 1)], number: 0 }
    }

    fn cannot_wrap(&self, operator: BinaryOp, left: &Expr, right: &Expr) -> bool {
        let environment = Environment { values: self.values, proc: None, here: None };
        let (left, right) = (environment.evaluate(left), environment.evaluate(right));
        let (Some((a, b)), Some((c, d))) = (left.hull(), right.hull()) else { return false };
        let (low, high) = if operator == BinaryOp::Add { (a + c, b + d) } else { (a - d, b - c) };
        RangeSet::new(low, high).is_subset(&RangeSet::int())
    }

    /// An expression as one quantity.
    fn opaque(&mut self, expr: &'p Expr) -> usize {
        let name = show::condition(self.program, expr);
        let environment = Environment { values: self.values, proc: None, here: None };
        let domain = environment.evaluate(expr);
        let (cell, process) = match &expr.kind {
            ExprKind::Read(place) if is_fixed(place) => (self.values.cell(None, place), None),
            ExprKind::RemoteRead(proc, number, place) if is_fixed(place) => {
                let proc = proc.0 as usize;
                (self.values.cell(Some(proc), place), Some(self.process(proc, number.as_deref())))
            }
            ExprKind::Len(channel) => return self.length(channel, domain),
            _ => (None, None),
        };
        self.quantity(name.clone(), || Quantity { name, domain, cell, process, is_location: false })
    }

    /// The process that a reference means, as written.
    fn process(&self, proc: usize, number: Option<&Expr>) -> Process {
        let is_fixed = number.is_none_or(|number| value_of(number).is_some());
        Process { proc, number: number.map(|number| show::condition(self.program, number)), is_fixed }
    }

    fn label(&mut self, proc: ProcId, number: Option<&'p Expr>, label: LabelId) -> Meaning {
        let proc = proc.0 as usize;
        // The only instance is one process, however it is named. A number may be another's: the truth of
        // the atom still means that the instance is there, its falsehood means nothing (see `may_fail`).
        let process = self.process(proc, number.filter(|_| !self.is_single(proc)));
        let nodes = i64::try_from(self.graphs[proc].nodes.len()).expect("few locations");
        let name = match &process.number {
            Some(number) => format!("{}[{number}]", self.program.procs[proc].name),
            None => self.program.procs[proc].name.clone(),
        };
        let domain = RangeSet::new(0, nodes);
        let key = format!("@{process:?}");
        let process = Some(process);
        let quantity = self.quantity(key, || Quantity { name, domain, cell: None, process, is_location: true });
        let node = self.graphs[proc].labels[label.0 as usize];
        let set = node.map_or(RangeSet::empty(), |node| RangeSet::one(i64::try_from(node).expect("few locations")));
        Meaning::Within(quantity, set)
    }

    fn length(&mut self, channel: &'p Expr, mut domain: RangeSet) -> usize {
        let name = format!("len({})", show::condition(self.program, channel));
        if let Some(capacity) = self.capacity(channel) {
            domain = RangeSet::new(0, i64::from(capacity));
        }
        self.quantity(name.clone(), || Quantity { name, domain, cell: None, process: None, is_location: false })
    }

    fn channel_test(&mut self, test: ChannelTest, channel: &'p Expr) -> Option<Meaning> {
        let capacity = i64::from(self.capacity(channel)?);
        let quantity = self.length(channel, RangeSet::new(0, capacity));
        let (empty, full) = (RangeSet::one(0), RangeSet::one(capacity));
        Some(Meaning::Within(
            quantity,
            match test {
                ChannelTest::Empty => empty,
                ChannelTest::Nempty => empty.complement(),
                ChannelTest::Full => full,
                ChannelTest::Nfull => full.complement(),
            },
        ))
    }

    /// The capacity of a channel that is always the same: a global that nobody assigns.
    fn capacity(&self, channel: &Expr) -> Option<u32> {
        let ExprKind::Read(place) = &channel.kind else { return None };
        let VarRef::Global(id) = place.base else { return None };
        let cell = self.values.cell(None, place)?;
        if !place.path.is_empty() || self.values.writes_to(cell).next().is_some() {
            return None;
        }
        match &self.program.globals[id.0 as usize].initial {
            Initial::Channel(spec) => Some(spec.capacity),
            _ => None,
        }
    }

    /// Whether the evaluation of an atom can meet a run-time error, or a process number that is not
    /// that of the only instance. Everything that is not known to be harmless counts.
    fn may_fail(&self, expr: &Expr) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            let harmless = match &expr.kind {
                ExprKind::Const(_) | ExprKind::Pid | ExprKind::NrPr | ExprKind::Last | ExprKind::NonProgress => true,
                ExprKind::Acceptance => true,
                ExprKind::Timeout | ExprKind::PcValue(_) | ExprKind::GetPriority(_) | ExprKind::Unary(..) => true,
                ExprKind::Cond(..) => true,
                ExprKind::Binary(operator, _, right) => {
                    !matches!(operator, BinaryOp::Div | BinaryOp::Rem)
                        || value_of(right).is_some_and(|value| value != 0)
                }
                ExprKind::Read(place) => is_fixed(place) && self.in_range(&self.program.globals, place),
                ExprKind::RemoteRead(proc, _, place) => {
                    is_fixed(place) && self.in_range(&self.program.procs[proc.0 as usize].locals, place)
                }
                ExprKind::RemoteLabel(proc, number, _) => !self.is_ambiguous(*proc, number.as_deref()),
                ExprKind::Len(channel) | ExprKind::ChannelTest(_, channel) => self.capacity(channel).is_some(),
                ExprKind::Run(..) | ExprKind::Poll { .. } | ExprKind::Enabled(_) | ExprKind::SetPriority(..) => false,
            };
            if !harmless {
                return true;
            }
            crate::named::operands(expr, &mut pending);
        }
        false
    }

    /// A number given for the only instance of a definition, which may be another's.
    fn is_ambiguous(&self, proc: ProcId, number: Option<&Expr>) -> bool {
        number.is_some() && self.is_single(proc.0 as usize)
    }

    /// Whether the constant indices of a place are inside its arrays.
    fn in_range(&self, variables: &[crate::typed::Variable], place: &Place) -> bool {
        let number = match place.base {
            VarRef::Global(id) => id.0,
            VarRef::Local(id) => id.0,
            VarRef::Scratch => return false,
        };
        let Some(mut variable) = variables.get(number as usize) else { return false };
        for step in &place.path {
            match step {
                Access::Index(index) => {
                    let inside = |value: i32| u32::try_from(value).is_ok_and(|value| Some(value) < variable.len);
                    if !value_of(index).is_some_and(inside) {
                        return false;
                    }
                }
                Access::Field(field) => {
                    let Type::Record(id) = variable.ty else { return false };
                    variable = &self.program.records[id.0 as usize].fields[*field as usize];
                }
            }
        }
        true
    }
}

fn add(terms: &mut Vec<(usize, i64)>, quantity: usize, factor: i64) {
    match terms.iter_mut().find(|(known, _)| *known == quantity) {
        Some(term) => term.1 += factor,
        None => terms.push((quantity, factor)),
    }
}

/// Whether a place is always the same scalar: its indices are numbers.
fn is_fixed(place: &Place) -> bool {
    place.path.iter().all(|step| match step {
        Access::Index(index) => value_of(index).is_some(),
        Access::Field(_) => true,
    })
}
