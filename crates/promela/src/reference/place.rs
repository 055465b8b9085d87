//! Variables: where a place lies in the flattened state, what fits into it, reading and writing.
//!
//! Contract: [`fit`] is what every store does to a value (section 2 of
//! `docs/semantics-promela.md`); an index outside its array is a run-time error, never a panic.

use super::Reference;
use super::evaluate::Machine;
use super::fault::Fault;
use crate::snapshot;
use crate::typed::{Access, Place, Program, Type, VarRef, Variable};

/// What remains of a value when it is stored in a variable or message field of a type.
pub(super) fn fit(ty: &Type, value: i32) -> i32 {
    match ty {
        Type::Bit | Type::Bool => value & 1,
        Type::Byte | Type::Pid | Type::Mtype(_) => value & 0xff,
        Type::Short => i32::from(value as i16),
        Type::Unsigned(bits) if *bits < 32 => value & (i32::MAX >> (31 - bits)),
        Type::Int | Type::Unsigned(_) | Type::Chan | Type::Record(_) => value,
    }
}

/// The types of the scalars inside a variable, in the order of the flattened state.
pub(super) fn scalar_types(program: &Program, variable: &Variable) -> Vec<Type> {
    snapshot::scalars(program, std::slice::from_ref(variable)).into_iter().map(|scalar| scalar.ty).collect()
}

/// Where each variable of a list begins among the flattened ones.
pub(super) fn offsets(program: &Program, variables: &[Variable]) -> Vec<usize> {
    let sizes = variables.iter().map(|variable| snapshot::size(program, variable));
    let begin = |next: &mut usize, size: usize| Some(std::mem::replace(next, *next + size));
    sizes.scan(0, begin).collect()
}

impl Machine<'_, '_, '_> {
    /// Reads a scalar.
    pub(super) fn read(&mut self, place: &Place) -> Result<i32, Fault> {
        let VarRef::Local(_) = place.base else { return self.read_of(place, 0) };
        let process = self.moving()?;
        self.read_of(place, process)
    }

    /// Reads a scalar; `process` owns it if it is local.
    pub(super) fn read_of(&mut self, place: &Place, process: u32) -> Result<i32, Fault> {
        let offset = self.offset(place, process)?;
        match place.base {
            VarRef::Global(_) => Ok(self.state.globals[offset]),
            VarRef::Local(_) => Ok(self.state.processes[process as usize].locals[offset]),
            VarRef::Scratch => Ok(0),
        }
    }

    /// Stores what fits of a value.
    pub(super) fn write(&mut self, place: &Place, value: i32) -> Result<(), Fault> {
        self.write_nth(place, 0, value)
    }

    /// Stores what fits of a value into the scalar `nth` after the place.
    pub(super) fn write_nth(&mut self, place: &Place, nth: usize, value: i32) -> Result<(), Fault> {
        let value = fit(&place.ty, value);
        match place.base {
            VarRef::Global(_) => {
                let offset = self.offset(place, 0)? + nth;
                self.state.to_mut().globals[offset] = value;
            }
            VarRef::Local(_) => {
                let process = self.moving()?;
                let offset = self.offset(place, process)? + nth;
                self.state.to_mut().processes[process as usize].locals[offset] = value;
            }
            VarRef::Scratch => {}
        }
        Ok(())
    }

    /// The position of a place among the flattened globals or locals.
    fn offset(&mut self, place: &Place, process: u32) -> Result<usize, Fault> {
        let Reference { program, global_offsets, local_offsets, .. } = self.reference;
        let (mut offset, mut variable) = match place.base {
            VarRef::Global(id) => (global_offsets[id.0 as usize], &program.globals[id.0 as usize]),
            VarRef::Local(id) => {
                let proc = self.state.processes[process as usize].proc.0 as usize;
                (local_offsets[proc][id.0 as usize], &program.procs[proc].locals[id.0 as usize])
            }
            VarRef::Scratch => return Ok(0),
        };
        for access in &place.path {
            match access {
                Access::Index(expr) => {
                    let length = variable.len.unwrap_or(1);
                    let at = self.evaluate(expr)?;
                    let Some(at) = u32::try_from(at).ok().filter(|at| *at < length) else {
                        let name = &variable.name;
                        return Err(Fault::runtime(format!("index {at} is outside {name}[{length}]")));
                    };
                    offset += at as usize * snapshot::width(program, &variable.ty);
                }
                Access::Field(field) => {
                    let Type::Record(record) = variable.ty else { unreachable!("fields are of records") };
                    let fields = &program.records[record.0 as usize].fields;
                    let before = &fields[..*field as usize];
                    offset += before.iter().map(|field| snapshot::size(program, field)).sum::<usize>();
                    variable = &fields[*field as usize];
                }
            }
        }
        Ok(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_to_the_bits_of_their_type() {
        for (ty, value, expected) in [
            (Type::Bit, 2, 0),
            (Type::Bool, -1, 1),
            (Type::Byte, 256, 0),
            (Type::Byte, -1, 255),
            (Type::Pid, 257, 1),
            (Type::Mtype(None), 258, 2),
            (Type::Short, 32_768, -32_768),
            (Type::Short, 65_535, -1),
            (Type::Int, i32::MIN, i32::MIN),
            (Type::Unsigned(5), 33, 1),
            (Type::Unsigned(5), -1, 31),
            (Type::Unsigned(31), -1, i32::MAX),
            (Type::Unsigned(32), -1, -1),
        ] {
            assert_eq!(fit(&ty, value), expected, "{value} in {ty:?}");
        }
    }
}
