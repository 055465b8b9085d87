//! From [`code`](crate::compiled::code) to Cranelift's intermediate language: expressions here, channels in
//! [`channels`](super::channels), guards and effects in [`edges`](super::edges).
//!
//! *Contract.* The code of a location's guards gives the set of its edges that can be taken; the code of an edge changes
//! the bytes of a state as the interpreter does. Wherever the interpreter would note a run-time error or a false
//! assertion, the code *leaves*: it returns [`LEFT`], and the interpreter does the whole work again. So the code need
//! not say what went wrong.
//!
//! *Memory.* The code touches the global part of the state, the process at hand, and channels whose place it has
//! compared with the length of the state; every index is compared with its bound.

use super::channels::Channels;
use super::supported::Supported;
use crate::compiled::code::{Address, Code, Comparison, IndexStep, Load, Root};
use crate::compiled::flaw::Flaw;
use crate::compiled::layout::Kind;
use crate::typed::{BinaryOp, UnaryOp};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlags, Type, Value, types};
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder};

/// What code returns that leaves the work to the interpreter.
pub(super) const LEFT: u64 = 1 << 63;

/// The most operands of a conjunction or disjunction that are computed without a branch.
const WITHOUT_BRANCH: usize = 4;

/// A scalar at a distance from some place.
#[derive(Clone, Copy)]
pub(super) struct Scalar {
    pub(super) offset: u32,
    pub(super) kind: Kind,
}

/// Makes the code of one function.
pub(super) struct Translator<'a, 'b> {
    pub(super) b: FunctionBuilder<'b>,
    pub(super) channels: &'a Channels<'a>,
    pub(super) supported: &'a Supported<'a>,
    /// The start of the state, and of the process at hand.
    pub(super) bytes: Value,
    pub(super) base: Value,
    pub(super) pid: Value,
    frame: Value,
    /// Where successors are written.
    pub(super) successors: Value,
    pub(super) exit: Block,
    /// Some code leaves.
    pub(super) can_leave: bool,
    flaw: Option<Flaw>,
}

/// The pieces of 8, 4, 2 and 1 bytes of a stretch of memory: where they begin, and their types.
pub(super) fn pieces(length: u32) -> Vec<(u32, Type)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < length {
        let (size, ty) = match length - at {
            8.. => (8, types::I64),
            4.. => (4, types::I32),
            2.. => (2, types::I16),
            _ => (1, types::I8),
        };
        found.push((at, ty));
        at += size;
    }
    found
}

pub(super) fn signed(offset: u32) -> i32 {
    i32::try_from(offset).expect("a state is smaller than 2 GiB")
}

impl<'a, 'b> Translator<'a, 'b> {
    /// Begins a function.
    pub(super) fn new(
        mut b: FunctionBuilder<'b>,
        channels: &'a Channels<'a>,
        supported: &'a Supported<'a>,
        flaw: Option<Flaw>,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let exit = b.create_block();
        let [bytes, base, pid, frame, successors] = *b.block_params(entry) else { unreachable!("five parameters") };
        Self { b, channels, supported, bytes, base, pid, frame, successors, exit, can_leave: false, flaw }
    }

    /// Ends the function with a result; says whether it can leave.
    pub(super) fn finish(mut self, result: Value) -> bool {
        self.ins().return_(&[result]);
        self.b.switch_to_block(self.exit);
        let left = self.ins().iconst(types::I64, LEFT.cast_signed());
        self.ins().return_(&[left]);
        self.b.seal_all_blocks();
        self.b.finalize();
        self.can_leave
    }

    /// Whether this error is made on purpose.
    pub(super) fn is(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    pub(super) fn ins(&mut self) -> FuncInstBuilder<'_, 'b> {
        self.b.ins()
    }

    pub(super) fn block(&mut self) -> Block {
        self.b.create_block()
    }

    pub(super) fn constant(&mut self, value: i32) -> Value {
        self.ins().iconst(types::I32, i64::from(value))
    }

    /// The result of a function that did its work.
    pub(super) fn nothing(&mut self) -> Value {
        self.ins().iconst(types::I64, 0)
    }

    /// Leaves the work to the interpreter.
    pub(super) fn leave(&mut self) {
        self.can_leave = true;
        let exit = self.exit;
        self.ins().jump(exit, &[]);
        let unreachable = self.block();
        self.b.switch_to_block(unreachable);
    }

    pub(super) fn leave_if(&mut self, condition: Value) {
        self.can_leave = true;
        let (exit, next) = (self.exit, self.block());
        self.ins().brif(condition, exit, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// The flags of accesses to the state: they never fail, and are not aligned.
    pub(super) fn flags() -> MemFlags {
        MemFlags::new().with_notrap()
    }

    pub(super) fn load_raw(&mut self, ty: Type, start: Value, offset: u32) -> Value {
        self.ins().load(ty, Self::flags(), start, signed(offset))
    }

    pub(super) fn store_raw(&mut self, start: Value, offset: u32, value: Value) {
        self.ins().store(Self::flags(), value, start, signed(offset));
    }

    /// Reads from the frame or the table of channels, which the code never writes.
    pub(super) fn load_table(&mut self, ty: Type, start: Value, offset: i32) -> Value {
        self.ins().load(ty, MemFlags::new().with_notrap().with_readonly(), start, offset)
    }

    /// The table of channels and how many it has.
    pub(super) fn channel_table(&mut self) -> (Value, Value) {
        let frame = self.frame;
        let table = self.load_table(types::I64, frame, super::entry::FRAME_CHANNELS);
        (table, self.load_table(types::I64, frame, super::entry::FRAME_CHANNEL_COUNT))
    }

    /// The length of the state.
    pub(super) fn state_length(&mut self) -> Value {
        let frame = self.frame;
        self.load_table(types::I64, frame, super::entry::FRAME_LENGTH)
    }

    /// The distance between two successors.
    pub(super) fn stride(&mut self) -> Value {
        let frame = self.frame;
        self.load_table(types::I64, frame, super::entry::FRAME_STRIDE)
    }

    pub(super) fn process_count(&mut self) -> Value {
        let frame = self.frame;
        self.load_table(types::I32, frame, super::entry::FRAME_PROCESSES)
    }

    pub(super) fn root(&self, root: Root) -> Value {
        match root {
            Root::Global => self.bytes,
            Root::Local => self.base,
        }
    }

    pub(super) fn load(&mut self, start: Value, Scalar { offset, kind }: Scalar) -> Value {
        let (flags, offset) = (Self::flags(), signed(offset));
        match kind {
            Kind::Bits { shift, mask } => {
                let byte = self.ins().uload8(types::I32, flags, start, offset);
                let value = if shift == 0 { byte } else { self.ins().ushr_imm(byte, i64::from(shift)) };
                if mask == 0xff { value } else { self.ins().band_imm(value, i64::from(mask)) }
            }
            Kind::U16 { .. } => self.ins().uload16(types::I32, flags, start, offset),
            Kind::I16 => self.ins().sload16(types::I32, flags, start, offset),
            Kind::I32 { .. } => self.ins().load(types::I32, flags, start, offset),
        }
    }

    pub(super) fn store(&mut self, start: Value, Scalar { offset, kind }: Scalar, value: Value) {
        let (flags, offset) = (Self::flags(), signed(offset));
        match kind {
            Kind::Bits { shift: 0, mask: 0xff } => _ = self.ins().istore8(flags, value, start, offset),
            Kind::Bits { shift, mask } => {
                let byte = self.ins().uload8(types::I32, flags, start, offset);
                let others = self.ins().band_imm(byte, i64::from(!(mask << shift)));
                let kept = if self.is(Flaw::Truncation) { 0xff } else { mask };
                let value = self.ins().band_imm(value, i64::from(kept));
                let value = self.ins().ishl_imm(value, i64::from(shift));
                let byte = self.ins().bor(others, value);
                self.ins().istore8(flags, byte, start, offset);
            }
            Kind::I16 => _ = self.ins().istore16(flags, value, start, offset),
            Kind::U16 { mask } => {
                let value = if mask == u16::MAX { value } else { self.ins().band_imm(value, i64::from(mask)) };
                self.ins().istore16(flags, value, start, offset);
            }
            Kind::I32 { mask } => {
                let value = if mask == u32::MAX { value } else { self.ins().band_imm(value, i64::from(mask)) };
                self.ins().store(flags, value, start, offset);
            }
        }
    }

    /// Sets bytes to zero.
    pub(super) fn zero(&mut self, start: Value, offset: u32, length: u32) {
        for (at, ty) in pieces(length) {
            let zero = self.ins().iconst(ty, 0);
            self.store_raw(start, offset + at, zero);
        }
    }

    fn load_fixed(&mut self, load: &Load) -> Value {
        let start = self.root(load.root);
        self.load(start, Scalar { offset: load.offset, kind: load.kind })
    }

    /// The place from which the offset of an address counts, with its indices.
    fn locate(&mut self, root: Root, steps: &[IndexStep]) -> Value {
        let mut start = self.root(root);
        for step in steps {
            let mut index = self.eval(&step.index);
            let is_outside = self.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, index, i64::from(step.len));
            if self.is(Flaw::Bounds) {
                let first = self.constant(0);
                index = self.ins().select(is_outside, first, index);
            } else {
                self.leave_if(is_outside);
            }
            let distance = self.ins().imul_imm(index, i64::from(step.stride));
            let distance = self.ins().uextend(types::I64, distance);
            start = self.ins().iadd(start, distance);
        }
        start
    }

    /// Assigns to a place.
    pub(super) fn store_at(&mut self, address: &Address, value: Value) {
        let start = self.locate(address.root, &address.steps);
        self.store(start, Scalar { offset: address.offset, kind: address.kind }, value);
    }

    /// The value of an expression.
    pub(super) fn eval(&mut self, code: &Code) -> Value {
        match code {
            Code::Const(value) => self.constant(*value),
            Code::Load(load) => self.load_fixed(load),
            Code::Plus(load, value) => {
                let loaded = self.load_fixed(load);
                self.ins().iadd_imm(loaded, i64::from(*value))
            }
            Code::Element(address) => {
                let start = self.locate(address.root, &address.steps);
                self.load(start, Scalar { offset: address.offset, kind: address.kind })
            }
            Code::OutOfBounds => {
                self.leave();
                self.constant(0)
            }
            Code::Unary(UnaryOp::Minus, operand) => {
                let value = self.eval(operand);
                self.ins().ineg(value)
            }
            Code::Unary(UnaryOp::Complement, operand) => {
                let value = self.eval(operand);
                self.ins().bnot(value)
            }
            Code::Binary(op, operands) if comparison(*op).is_none() => self.binary(*op, &operands.0, &operands.1),
            Code::Cond(parts) => {
                let (test, yes, no) = &**parts;
                let test = self.truth(test);
                let (then, otherwise, join) = (self.block(), self.block(), self.block());
                let result = self.b.append_block_param(join, types::I32);
                self.ins().brif(test, then, &[], otherwise, &[]);
                for (block, code) in [(then, yes), (otherwise, no)] {
                    self.b.switch_to_block(block);
                    let value = self.eval(code);
                    self.ins().jump(join, &[value.into()]);
                }
                self.b.switch_to_block(join);
                result
            }
            Code::Len(channel) => self.length(channel),
            Code::ChannelTest(test, channel) => self.channel_test(*test, channel),
            Code::Poll(reception) => self.has_message(reception),
            Code::Pid => self.pid,
            Code::NrPr => self.process_count(),
            Code::Compare(_) | Code::All(_) | Code::Any(_) | Code::Unary(..) | Code::Binary(..) => {
                let truth = self.truth(code);
                self.ins().uextend(types::I32, truth)
            }
            // No code is made for the others (`Supported::code`).
            _ => unreachable!("not supported"),
        }
    }

    /// Whether an expression is not zero.
    pub(super) fn truth(&mut self, code: &Code) -> Value {
        match code {
            Code::Compare(comparison) => self.compare(comparison),
            Code::All(parts) => self.chain(parts, true),
            Code::Any(parts) => self.chain(parts, false),
            Code::Unary(UnaryOp::Not, operand) => {
                let truth = self.truth(operand);
                self.ins().bxor_imm(truth, 1)
            }
            Code::Binary(op, operands) => match comparison(*op) {
                Some(operator) => {
                    let (left, right) = (self.eval(&operands.0), self.eval(&operands.1));
                    self.ins().icmp(operator, left, right)
                }
                None => {
                    let value = self.binary(*op, &operands.0, &operands.1);
                    self.ins().icmp_imm(IntCC::NotEqual, value, 0)
                }
            },
            other => {
                let value = self.eval(other);
                self.ins().icmp_imm(IntCC::NotEqual, value, 0)
            }
        }
    }

    fn compare(&mut self, comparison: &Comparison) -> Value {
        let value = self.load_fixed(&comparison.load);
        let (low, high, outside) = comparison.range();
        if low == high {
            let operator = if outside { IntCC::NotEqual } else { IntCC::Equal };
            return self.ins().icmp_imm(operator, value, i64::from(low));
        }
        let span = high.wrapping_sub(low);
        let distance = if low == 0 { value } else { self.ins().iadd_imm(value, -i64::from(low)) };
        let operator = if outside { IntCC::UnsignedGreaterThan } else { IntCC::UnsignedLessThanOrEqual };
        self.ins().icmp_imm(operator, distance, i64::from(span))
    }

    /// A conjunction, or a disjunction: no operand is computed that could go wrong after the first that decides.
    pub(super) fn chain(&mut self, parts: &[Code], is_all: bool) -> Value {
        let Some((first, rest)) = parts.split_first() else { return self.ins().iconst(types::I8, i64::from(is_all)) };
        let mut truth = self.truth(first);
        let mut join = None;
        let mut without_branch = 1;
        for part in rest {
            if is_simple(part) && without_branch < WITHOUT_BRANCH {
                without_branch += 1;
                let next = self.truth(part);
                truth = if is_all { self.ins().band(truth, next) } else { self.ins().bor(truth, next) };
                continue;
            }
            without_branch = 1;
            let (end, _) = *join.get_or_insert_with(|| {
                let join = self.b.create_block();
                (join, self.b.append_block_param(join, types::I8))
            });
            let next = self.block();
            let decided = self.ins().iconst(types::I8, i64::from(!is_all));
            if is_all {
                self.ins().brif(truth, next, &[], end, &[decided.into()]);
            } else {
                self.ins().brif(truth, end, &[decided.into()], next, &[]);
            }
            self.b.switch_to_block(next);
            truth = self.truth(part);
        }
        match join {
            None => truth,
            Some((join, result)) => {
                self.ins().jump(join, &[truth.into()]);
                self.b.switch_to_block(join);
                result
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Code, right: &Code) -> Value {
        let (a, b) = (self.eval(left), self.eval(right));
        match op {
            BinaryOp::Add => self.ins().iadd(a, b),
            BinaryOp::Sub => self.ins().isub(a, b),
            BinaryOp::Mul => self.ins().imul(a, b),
            BinaryOp::Div | BinaryOp::Rem => {
                // Division by zero is an error, and division by -1 can overflow: both are left to the interpreter.
                if !matches!(right, Code::Const(value) if *value != 0 && *value != -1) {
                    let next = self.ins().iadd_imm(b, 1);
                    let is_special = self.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, next, 1);
                    self.leave_if(is_special);
                }
                if op == BinaryOp::Div { self.ins().sdiv(a, b) } else { self.ins().srem(a, b) }
            }
            BinaryOp::Shl => self.ins().ishl(a, b),
            BinaryOp::Shr => self.ins().sshr(a, b),
            BinaryOp::BitAnd => self.ins().band(a, b),
            BinaryOp::BitOr => self.ins().bor(a, b),
            BinaryOp::BitXor => self.ins().bxor(a, b),
            BinaryOp::And | BinaryOp::Or => {
                let a = self.ins().icmp_imm(IntCC::NotEqual, a, 0);
                let b = self.ins().icmp_imm(IntCC::NotEqual, b, 0);
                let truth = if op == BinaryOp::And { self.ins().band(a, b) } else { self.ins().bor(a, b) };
                self.ins().uextend(types::I32, truth)
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                unreachable!("a comparison")
            }
        }
    }
}

/// A comparison of two numbers.
fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}

/// Whether an expression takes a few instructions and cannot go wrong.
pub(super) fn is_simple(code: &Code) -> bool {
    match code {
        Code::Const(_) | Code::Load(_) | Code::Plus(..) | Code::Compare(_) | Code::Pid => true,
        Code::Unary(UnaryOp::Not, operand) => is_simple(operand),
        Code::Binary(op, operands) if comparison(*op).is_some() => {
            let is_plain = |code: &Code| matches!(code, Code::Const(_) | Code::Load(_) | Code::Plus(..) | Code::Pid);
            is_plain(&operands.0) && is_plain(&operands.1)
        }
        _ => false,
    }
}
