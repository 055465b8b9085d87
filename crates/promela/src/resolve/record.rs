//! Symbols, record types and the sizes of variables.

use super::{Global, Resolver, index_u32};
use crate::ast::{Decl, Ident, TypeName};
use crate::codes;
use crate::thresholds::resolve::SYMBOL_LIMIT;
pub(super) use crate::thresholds::resolve::{ARRAY_LIMIT, CAPACITY_LIMIT, CHANNEL_LIMIT, SCALAR_LIMIT};
use crate::typed::{Record, RecordId, Symbol, Type, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;

impl Resolver {
    /// The symbols of one mtype declaration: the last one gets the next free value of its set.
    pub(super) fn symbols(&mut self, set: Option<Ident>, names: Vec<Ident>) {
        let key = set.as_ref().map(|set| set.name.clone());
        let first = self.program.symbols.len();
        for name in names {
            let index = self.program.symbols.len();
            if self.declare_global(&name, Global::Symbol(index)) {
                let set = key.as_ref().map(ToString::to_string);
                self.program.symbols.push(Symbol { name: name.name.to_string(), set, value: 0, span: name.span });
            }
        }
        let last = self.symbol_values.entry(key).or_insert(0);
        let before = *last;
        for symbol in self.program.symbols[first..].iter_mut().rev() {
            *last += 1;
            symbol.value = *last;
        }
        let (after, added) = (*last, self.program.symbols.len() - first);
        if before <= SYMBOL_LIMIT && after > SYMBOL_LIMIT {
            // The first symbol that is too many, in the order of the text.
            let place = usize::try_from(SYMBOL_LIMIT - before).map_or(0, |room| room.min(added - 1));
            let (span, set) = (self.program.symbols[first + place].span, self.program.symbols[first].set.clone());
            let set = set.map_or_else(|| "`mtype`".into(), |set| format!("`mtype:{set}`"));
            self.report(
                Diagnostic::error(codes::MTYPE_SIZE, span, format!("{set} has more than {SYMBOL_LIMIT} symbols"))
                    .here("a symbol is stored in one byte, and 0 stands for none")
                    .hint("distribute the symbols over several sets, such as `mtype:name = { … }`"),
            );
        }
    }

    /// A `typedef`.
    pub(super) fn record(&mut self, name: &Ident, fields: Vec<Decl>) {
        let mut variables: Vec<Variable> = Vec::new();
        for decl in fields {
            for variable in self.variables(decl, Some(&name.name)) {
                if let Some(first) = variables.iter().find(|field| field.name == variable.name).map(|field| field.span)
                {
                    let again = Ident { name: variable.name.as_str().into(), span: variable.span };
                    self.redeclared(&again, first);
                } else {
                    variables.push(variable);
                }
            }
        }
        let id = RecordId(index_u32(self.program.records.len()));
        self.add_record(Record { name: name.name.to_string(), fields: variables, span: name.span });
        self.declare_global(name, Global::Record(id));
    }

    fn add_record(&mut self, record: Record) {
        self.program.records.push(record);
        self.note_width(self.program.records.len() - 1);
    }

    /// Computes how many scalars a record has, once: records use only those before them.
    pub(super) fn note_width(&mut self, record: usize) {
        let fields = &self.program.records[record].fields;
        let width = fields.iter().fold(0_u64, |sum, field| sum.saturating_add(self.size(field)));
        self.widths.push(width);
    }

    /// The type that the name of a type denotes; `bits` is the width of an `unsigned`.
    pub(super) fn ty(&mut self, name: &TypeName, bits: Option<u8>, inside: Option<&str>) -> Option<Type> {
        Some(match name {
            TypeName::Bit => Type::Bit,
            TypeName::Bool => Type::Bool,
            TypeName::Byte => Type::Byte,
            TypeName::Pid => Type::Pid,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Unsigned => Type::Unsigned(bits.unwrap_or(32)),
            TypeName::Mtype(set) => Type::Mtype(set.as_ref().map(|set| set.name.to_string())),
            TypeName::Chan => Type::Chan,
            TypeName::Named(name) => return self.record_type(name, inside),
        })
    }

    fn record_type(&mut self, name: &Ident, inside: Option<&str>) -> Option<Type> {
        if let Some(Global::Record(id)) = self.globals.get(&name.name) {
            return Some(Type::Record(*id));
        }
        if inside == Some(&*name.name) {
            self.report(
                Diagnostic::error(
                    codes::RECORD_RECURSIVE,
                    name.span,
                    format!("record `{}` contains itself", name.name),
                )
                .here("it would have no end")
                .hint("keep the elements in an array and refer to them by index"),
            );
            return None;
        }
        let mut known: Vec<&str> = self.program.records.iter().map(|record| record.name.as_str()).collect();
        known.extend(["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"]);
        known.extend(["typedef", "proctype", "inline", "active", "init", "never", "hidden", "local", "show"]);
        let mut finding =
            Diagnostic::error(codes::TYPE_UNKNOWN, name.span, format!("there is no type `{}`", name.name))
                .here("not a type");
        finding = match near::nearest(&name.name, known) {
            Some(near) => finding.hint(format!("did you mean `{near}`?")),
            None => finding.hint("declare it before with `typedef`"),
        };
        self.report(finding);
        None
    }

    /// How many scalars a type has.
    pub(super) fn width(&self, ty: &Type) -> u64 {
        match ty {
            Type::Record(id) => self.widths[id.0 as usize],
            _ => 1,
        }
    }

    /// How many scalars a variable has.
    pub(super) fn size(&self, variable: &Variable) -> u64 {
        self.width(&variable.ty).saturating_mul(u64::from(variable.len.unwrap_or(1)))
    }

    /// Counts scalars towards the limit, and reports when it is passed.
    pub(super) fn count_scalars(&mut self, scalars: u64, span: Span) -> bool {
        let before = self.scalars;
        self.scalars = self.scalars.saturating_add(scalars);
        if before <= SCALAR_LIMIT && self.scalars > SCALAR_LIMIT {
            self.report(
                Diagnostic::error(codes::LIMIT_SIZE, span, "the variables of this model are too large")
                    .here(format!("more than {SCALAR_LIMIT} values with this one")),
            );
        }
        self.scalars <= SCALAR_LIMIT
    }
}
