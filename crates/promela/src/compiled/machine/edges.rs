//! The guard and the effect of an edge, in machine code.

use super::translate::{Scalar, Translator, signed};
use crate::compiled::batch::PIECE;
use crate::compiled::code::{Action, Clear, Edge, Guard, InnerEdge, InnerNode};
use crate::compiled::flaw::Flaw;
use crate::compiled::layout::Kind;
use crate::thresholds::compiled::D_STEP_LIMIT;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

impl Translator<'_, '_> {
    pub(super) fn guard(&mut self, guard: &Guard, action: &Action) -> Value {
        match (guard, action) {
            (Guard::Test(code), _) => self.truth(code),
            (Guard::Send, Action::Send { channel, message, .. }) => {
                let room = self.has_room(channel, message);
                self.ins().icmp_imm(IntCC::NotEqual, room, 0)
            }
            (Guard::Receive, Action::Receive(reception)) => {
                let message = self.has_message(reception);
                self.ins().icmp_imm(IntCC::NotEqual, message, 0)
            }
            _ => self.ins().iconst(types::I8, 1),
        }
    }

    /// Whether there is a way on at a point inside a `d_step`.
    pub(super) fn some_way(&mut self, node: &InnerNode) -> Value {
        let join = self.block();
        let result = self.b.append_block_param(join, types::I8);
        for edge in node {
            let (holds, next) = (self.guard(&edge.guard, &edge.action), self.block());
            self.ins().brif(holds, join, &[holds.into()], next, &[]);
            self.b.switch_to_block(next);
        }
        let no = self.ins().iconst(types::I8, 0);
        self.ins().jump(join, &[no.into()]);
        self.b.switch_to_block(join);
        result
    }

    /// Copies a stretch of whole pieces.
    pub(super) fn copy(&mut self, from: Value, to: Value, length: Value) {
        let (piece, next) = (self.block(), self.block());
        let at = self.b.append_block_param(piece, types::I64);
        let zero = self.ins().iconst(types::I64, 0);
        self.ins().jump(piece, &[zero.into()]);
        self.b.switch_to_block(piece);
        let (source, target) = (self.ins().iadd(from, at), self.ins().iadd(to, at));
        let bytes = self.load_raw(types::I8X16, source, 0);
        self.store_raw(target, 0, bytes);
        let after = self.ins().iadd_imm(at, PIECE as i64);
        let goes_on = self.ins().icmp(IntCC::UnsignedLessThan, after, length);
        self.ins().brif(goes_on, piece, &[after.into()], next, &[]);
        self.b.switch_to_block(next);
    }

    /// What an edge does: its action, then the process arrives at its target.
    pub(super) fn effect(&mut self, edge: &Edge, wide_location: bool) {
        self.action(&edge.action, false);
        let kind = if wide_location { Kind::U16 { mask: u16::MAX } } else { Kind::Bits { shift: 0, mask: 0xff } };
        let target = self.constant(i32::from(edge.target));
        let base = self.base;
        self.store(base, Scalar { offset: 1, kind }, target);
        if !self.is(Flaw::Clear) {
            edge.clears.iter().for_each(|clear| self.clear(clear));
        }
    }

    fn clear(&mut self, clear: &Clear) {
        let start = self.root(clear.root);
        if clear.size > 0 {
            return self.zero(start, clear.offset, clear.size);
        }
        let byte = self.ins().uload8(types::I32, Self::flags(), start, signed(clear.offset));
        let byte = self.ins().band_imm(byte, i64::from(clear.keep));
        self.ins().istore8(Self::flags(), byte, start, signed(clear.offset));
    }

    /// An action; `unasked` if nobody has asked yet whether it can be executed.
    fn action(&mut self, action: &Action, unasked: bool) {
        match action {
            Action::Assign(address, value) => {
                let value = self.eval(value);
                self.store_at(address, value);
            }
            Action::AssignAll(pairs) => {
                for (address, value) in pairs {
                    let value = self.eval(value);
                    self.store_at(address, value);
                }
            }
            Action::Assert(test) => {
                let truth = self.truth(test);
                let is_false = self.ins().bxor_imm(truth, 1);
                self.leave_if(is_false);
            }
            Action::Evaluate(codes) => codes.iter().for_each(|code| _ = self.eval(code)),
            Action::Send { channel, message, .. } => self.send(channel, message),
            Action::Receive(reception) => {
                if unasked {
                    let message = self.has_message(reception);
                    let is_missing = self.ins().icmp_imm(IntCC::Equal, message, 0);
                    self.leave_if(is_missing);
                }
                self.receive(reception);
            }
            Action::Straight(actions) => actions.iter().for_each(|action| self.action(action, true)),
            Action::DStep(nodes) => self.d_step(nodes),
            Action::Nothing
            | Action::SetPriority(_)
            | Action::Start(..)
            | Action::StartTest(..)
            | Action::Terminate => {}
        }
    }

    /// A `d_step` with choices: a block for each point, and a counter that ends what seems endless.
    fn d_step(&mut self, nodes: &[InnerNode]) {
        let blocks: Vec<Block> = nodes.iter().map(|_| self.block()).collect();
        let (end, steps) = (self.block(), self.b.declare_var(types::I32));
        let none = self.constant(0);
        self.b.def_var(steps, none);
        self.ins().jump(blocks.first().copied().unwrap_or(end), &[]);
        for (block, node) in blocks.iter().zip(nodes) {
            self.b.switch_to_block(*block);
            let taken = self.b.use_var(steps);
            let taken = self.ins().iadd_imm(taken, 1);
            self.b.def_var(steps, taken);
            let is_endless = self.ins().icmp_imm(IntCC::UnsignedGreaterThan, taken, i64::from(D_STEP_LIMIT));
            self.leave_if(is_endless);
            for InnerEdge { guard, action, target } in node {
                let next = self.block();
                if matches!(guard, Guard::Test(_) | Guard::Send | Guard::Receive) {
                    let (holds, here) = (self.guard(guard, action), self.block());
                    self.ins().brif(holds, here, &[], next, &[]);
                    self.b.switch_to_block(here);
                }
                self.action(action, false);
                self.ins().jump(target.map_or(end, |target| blocks[target]), &[]);
                self.b.switch_to_block(next);
            }
            // Blocked inside: a run-time error.
            self.can_leave = true;
            let exit = self.exit;
            self.ins().jump(exit, &[]);
        }
        self.b.switch_to_block(end);
    }
}
