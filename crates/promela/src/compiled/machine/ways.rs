//! The edges of a location, in machine code: which of them can be taken, or the successors by all that can.
//!
//! *How.* The edges are asked in order. Edges one after the other whose guards are conjunctions that begin alike ask what they have in common
//! once, and pass over all of them if it is false: many models have locations where each guard begins with the same test of a
//! turn or a phase. What is asked once cannot go wrong, so that no run-time error is lost or added.
//!
//! *Tested by* `testbench::oracle::machine`, with flaws that it must notice.

use super::translate::{Translator, is_simple};
use crate::compiled::code::{Action, Code, Edge, Guard};
use crate::compiled::flaw::Flaw;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

/// An edge, its place among the edges of the location, and what is left to be asked if its guard is a conjunction.
#[derive(Clone, Copy)]
struct Way<'e> {
    bit: i64,
    edge: &'e Edge,
    rest: Option<&'e [Code]>,
}

impl<'e> Way<'e> {
    fn new((bit, edge): (i64, &'e Edge)) -> Self {
        let rest = match &edge.guard {
            Guard::Test(Code::All(parts)) => Some(&**parts),
            Guard::Test(code) => Some(std::slice::from_ref(code)),
            _ => None,
        };
        Self { bit, edge, rest }
    }

    /// What is asked first, if that cannot go wrong.
    fn first(&self) -> Option<&'e Code> {
        self.rest.and_then(<[Code]>::first).filter(|code| is_simple(code))
    }

    fn without_first(self) -> Self {
        Self { rest: self.rest.map(|rest| &rest[1..]), ..self }
    }
}

/// What is done with the edges.
#[derive(Clone, Copy)]
enum Purpose {
    /// Their set is wanted. All guards are supported (the field is true), and groups, `else` and the end of the last process are decided, too;
    /// otherwise an edge that has to be asked is in the set.
    Set(bool),
    /// Their successors are written one behind the other, and their set is wanted. All guards are supported.
    Successors { place: Variable, wide_location: bool },
}

/// The variables and blocks of a function for the edges of a location.
struct Frame {
    purpose: Purpose,
    /// The set of edges so far.
    taken: Variable,
    done: Block,
}

impl Frame {
    fn is_whole(&self) -> bool {
        !matches!(self.purpose, Purpose::Set(false))
    }
}

impl Translator<'_, '_> {
    /// The set of the edges of a location that can be taken. If not all guards are supported (`is_whole`), an edge that has to be asked is in it.
    pub(super) fn guards(&mut self, edges: &[Edge], is_whole: bool) -> Value {
        self.each(edges, Purpose::Set(is_whole))
    }

    /// Writes a successor for each edge of a location that can be taken, one behind the other; gives the set of these
    /// edges.
    pub(super) fn steps(&mut self, edges: &[Edge], wide_location: bool) -> Value {
        let (place, first) = (self.b.declare_var(types::I64), self.successors);
        self.b.def_var(place, first);
        self.each(edges, Purpose::Successors { place, wide_location })
    }

    fn each(&mut self, edges: &[Edge], purpose: Purpose) -> Value {
        let taken = self.b.declare_var(types::I64);
        let none = self.ins().iconst(types::I64, 0);
        self.b.def_var(taken, none);
        let frame = Frame { purpose, taken, done: self.block() };
        let ways: Vec<_> = (0..).zip(edges).map(Way::new).collect();
        match frame.is_whole() {
            false => self.ways(&frame, &ways),
            true => {
                for (index, group) in ways.chunk_by(|one, other| one.edge.group == other.edge.group).enumerate() {
                    if index > 0 {
                        // The first group with an executable edge decides.
                        let (so_far, next) = (self.b.use_var(taken), self.block());
                        self.ins().brif(so_far, frame.done, &[], next, &[]);
                        self.b.switch_to_block(next);
                    }
                    self.ways(&frame, group);
                }
            }
        }
        self.ins().jump(frame.done, &[]);
        self.b.switch_to_block(frame.done);
        self.b.use_var(taken)
    }

    /// Asks edges in order.
    fn ways(&mut self, frame: &Frame, ways: &[Way<'_>]) {
        let is_alike = |one: &Way<'_>, other: &Way<'_>| one.first().is_some() && one.first() == other.first();
        for alike in ways.chunk_by(is_alike) {
            let Some(first) = alike[0].first().filter(|_| alike.len() > 1 && frame.is_whole()) else {
                alike.iter().for_each(|way| self.way(frame, way));
                continue;
            };
            let (inside, next) = (self.block(), self.block());
            let truth = self.truth(first);
            self.ins().brif(truth, inside, &[], next, &[]);
            self.b.switch_to_block(inside);
            let count = if self.is(Flaw::Alike) { 1 } else { alike.len() };
            let rest: Vec<_> = alike[..count].iter().map(|way| way.without_first()).collect();
            self.ways(frame, &rest);
            self.ins().jump(next, &[]);
            self.b.switch_to_block(next);
        }
    }

    /// Asks an edge, and does what is wanted if it can be taken.
    fn way(&mut self, frame: &Frame, way: &Way<'_>) {
        let holds = self.holds(frame, way);
        let Purpose::Successors { place, wide_location } = frame.purpose else {
            let holds = self.ins().uextend(types::I64, holds);
            let holds = self.ins().ishl_imm(holds, way.bit);
            return self.note(frame, holds);
        };
        let (here, next) = (self.block(), self.block());
        self.ins().brif(holds, here, &[], next, &[]);
        self.b.switch_to_block(here);
        if self.supported.effect(way.edge) {
            self.successor(way, place, wide_location);
            let bit = self.ins().iconst(types::I64, 1 << way.bit);
            self.note(frame, bit);
        } else {
            self.leave();
        }
        self.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// Adds to the set of edges.
    fn note(&mut self, frame: &Frame, edges: Value) {
        let so_far = self.b.use_var(frame.taken);
        let more = self.ins().bor(so_far, edges);
        self.b.def_var(frame.taken, more);
    }

    fn holds(&mut self, frame: &Frame, way: &Way<'_>) -> Value {
        let Way { edge, rest, .. } = way;
        if !frame.is_whole() && !self.supported.guard(&edge.guard, &edge.action) {
            return self.ins().iconst(types::I8, 1);
        }
        match (&edge.guard, &edge.action, rest) {
            (_, _, Some(rest)) => self.chain(rest, true),
            (Guard::Else, ..) if frame.is_whole() && !self.is(Flaw::Else) => {
                let so_far = self.b.use_var(frame.taken);
                self.ins().icmp_imm(IntCC::Equal, so_far, 0)
            }
            (Guard::Terminate, ..) if frame.is_whole() => {
                let (pid, count) = (self.pid, self.process_count());
                let next = self.ins().iadd_imm(pid, 1);
                self.ins().icmp(IntCC::Equal, next, count)
            }
            (Guard::DStep, Action::DStep(nodes), _) => match nodes.first() {
                Some(node) => self.some_way(node),
                None => self.ins().iconst(types::I8, 0),
            },
            (guard, action, _) => self.guard(guard, action),
        }
    }

    /// Writes the successor by an edge.
    fn successor(&mut self, way: &Way<'_>, place: Variable, wide_location: bool) {
        let (parent, base, stride) = (self.bytes, self.base, self.stride());
        let start = self.b.use_var(place);
        if !(self.is(Flaw::Copy) && way.bit > 0) {
            self.copy(parent, start, stride);
        }
        let distance = self.ins().isub(base, parent);
        (self.bytes, self.base) = (start, self.ins().iadd(start, distance));
        self.effect(way.edge, wide_location);
        (self.bytes, self.base) = (parent, base);
        let after = self.ins().iadd(start, stride);
        self.b.def_var(place, after);
    }
}
