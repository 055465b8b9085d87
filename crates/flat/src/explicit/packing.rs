//! States of a flat model as bytes.
//!
//! Contract: a packed state is one byte that is 1, followed by the numbers of the values of all state and frozen
//! variables, each in as many bits as its domain needs; the last byte is filled with zeros. Two states are equal if and
//! only if their bytes are. Inputs belong to steps and are not packed. The [root](Packing::root) is as long and consists
//! of zeros.

use crate::enumerate::Valuation;
use crate::model::{Model, Natural, Value, VariableId, VariableKind};

/// The layout of packed states.
#[derive(Debug)]
pub(super) struct Packing<'m> {
    model: &'m Model,
    /// State and frozen variables, with the number of bits of each.
    variables: Vec<(VariableId, u32)>,
    length: usize,
}

impl<'m> Packing<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let stored = model.variable_ids().filter(|id| model.variable(*id).kind != VariableKind::Input);
        let variables: Vec<(VariableId, u32)> = stored.map(|id| (id, model.variable(id).domain.bits())).collect();
        let bits: usize = variables.iter().map(|(_, bits)| *bits as usize).sum();
        Packing { model, variables, length: 1 + bits.div_ceil(8) }
    }

    /// Writes the state that stands before all initial states.
    pub(super) fn root(&self, into: &mut Vec<u8>) {
        into.clear();
        into.resize(self.length, 0);
    }

    /// Whether this is the state before all initial states.
    pub(super) fn is_root(state: &[u8]) -> bool {
        state[0] == 0
    }

    /// Writes a valuation; inputs are left out.
    ///
    /// # Panics
    /// If a value is outside the domain of its variable.
    pub(super) fn pack(&self, valuation: &[Value], into: &mut Vec<u8>) {
        into.clear();
        into.push(1);
        let (mut buffer, mut used) = (0_u128, 0_u32);
        for &(id, bits) in &self.variables {
            let domain = &self.model.variable(id).domain;
            let number = domain.index(&valuation[id.0 as usize]).expect("a value of the domain");
            let mut write = |digit: u64, bits: u32| {
                buffer |= u128::from(digit) << used;
                used += bits;
                while used >= 8 {
                    into.push(buffer.to_le_bytes()[0]);
                    buffer >>= 8;
                    used -= 8;
                }
            };
            match number.small() {
                Some(number) if bits <= 64 => write(number, bits),
                _ => (0..bits).for_each(|place| write(u64::from(number.bit(place)), 1)),
            }
        }
        if used > 0 {
            into.push(buffer.to_le_bytes()[0]);
        }
    }

    /// Reads a state that is not the root; inputs keep the values they have in `valuation`.
    pub(super) fn unpack(&self, state: &[u8], valuation: &mut Valuation) {
        let mut bytes = state[1..].iter();
        let (mut buffer, mut available) = (0_u128, 0_u32);
        for &(id, bits) in &self.variables {
            let mut read = |bits: u32| {
                while available < bits {
                    buffer |= u128::from(*bytes.next().expect("as many bytes as packed")) << available;
                    available += 8;
                }
                let digit = u64::try_from(buffer & ((1_u128 << bits) - 1)).expect("at most 64 bits");
                buffer >>= bits;
                available -= bits;
                digit
            };
            let number = if bits <= 64 {
                read(bits).into()
            } else {
                Natural::from_bits(&(0..bits).map(|_| read(1) == 1).collect::<Vec<bool>>())
            };
            valuation[id.0 as usize] = self.model.variable(id).domain.value(number);
        }
    }
}
