//! Variables with indices and fields.

use super::name::Meaning;
use super::record::SCALAR_LIMIT;
use super::{Resolver, number_expr, value_of};
use crate::ast;
use crate::codes;
use crate::typed::{Access, ChannelSpec, Expr, ExprKind, Initial, Place, ProcId, Type, VarRef, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;

/// What a place written in the text turns out to be.
pub(super) enum Target {
    /// A variable, or a part of one.
    Place(Place),
    /// Something with a fixed value, such as a symbol or `_pid`.
    Value(Expr),
    /// `_`
    Scratch,
}

impl Resolver {
    /// The variable a reference is about.
    pub(super) fn variable(&self, base: VarRef, proc: Option<ProcId>) -> Option<&Variable> {
        match base {
            VarRef::Global(id) => self.program.globals.get(id.0 as usize),
            VarRef::Local(id) => {
                let proc = proc.or(self.body.as_ref().map(|body| body.proc))?;
                self.program.procs[proc.0 as usize].locals.get(id.0 as usize)
            }
            VarRef::Scratch => None,
        }
    }

    /// Resolves a place; reports a name that is not declared.
    pub(super) fn target(&mut self, place: ast::Place) -> Option<Target> {
        if let Some(value) = self.predefined(&place) {
            return Some(value);
        }
        let span = place.span;
        match self.meaning(&place.name)? {
            Meaning::Symbol(index) => {
                if !place.path.is_empty() {
                    self.not_an_array(span, &place.name.name);
                    return None;
                }
                self.program.symbol_uses.insert(span, index);
                Some(Target::Value(number_expr(self.program.symbols[index].value, span)))
            }
            Meaning::Variable(base) => self.place(base, None, place).map(Target::Place),
        }
    }

    /// `_pid` and the other names that the language gives a meaning.
    fn predefined(&mut self, place: &ast::Place) -> Option<Target> {
        if !place.path.is_empty() {
            return None;
        }
        let span = place.span;
        let kind = match &*place.name.name {
            "_" => return Some(Target::Scratch),
            "_pid" => ExprKind::Pid,
            "_nr_pr" => ExprKind::NrPr,
            "_last" => {
                self.program.uses.last = true;
                ExprKind::Last
            }
            "np_" => {
                self.program.uses.non_progress = true;
                ExprKind::NonProgress
            }
            "_priority" => {
                self.program.uses.priorities = true;
                ExprKind::GetPriority(Box::new(Expr { kind: ExprKind::Pid, span }))
            }
            _ => return None,
        };
        Some(Target::Value(Expr { kind, span }))
    }

    /// A place in a variable of the program or, for remote references, of another process.
    pub(super) fn place(&mut self, base: VarRef, proc: Option<ProcId>, place: ast::Place) -> Option<Place> {
        self.mark_used(base, proc);
        let variable = self.variable(base, proc).expect("the name was resolved").clone();
        let ast::Place { name, path: steps, span } = place;
        let (mut ty, mut len) = (variable.ty, variable.len);
        let mut owner = name.name.to_string();
        let mut path = Vec::new();
        for step in steps {
            match step {
                ast::Access::Index(index) => {
                    let Some(elements) = len.take() else {
                        self.not_an_array(span, &owner);
                        return None;
                    };
                    let index = self.expression(index)?;
                    self.check_index(&index, &owner, elements);
                    path.push(Access::Index(index));
                }
                ast::Access::Field(field) => {
                    if len.take().is_some() {
                        self.missing_index(span, &owner);
                        return None;
                    }
                    let (number, found) = self.field(&ty, &owner, &field)?;
                    path.push(Access::Field(number));
                    (ty, len) = (found.ty, found.len);
                    owner = found.name;
                }
            }
        }
        if len.is_some() {
            self.missing_index(span, &owner);
            return None;
        }
        Some(Place { base, path, ty, span })
    }

    fn field(&mut self, ty: &Type, owner: &str, field: &ast::Ident) -> Option<(u32, Variable)> {
        let Type::Record(id) = ty else {
            self.report(
                Diagnostic::error(codes::NOT_A_RECORD, field.span, format!("`{owner}` is not a record"))
                    .here("it has no fields"),
            );
            return None;
        };
        let record = &self.program.records[id.0 as usize];
        if let Some(number) = record.fields.iter().position(|variable| variable.name == *field.name) {
            return Some((super::index_u32(number), record.fields[number].clone()));
        }
        let mut finding = Diagnostic::error(
            codes::FIELD_UNKNOWN,
            field.span,
            format!("record `{}` has no field `{}`", record.name, field.name),
        )
        .here("no such field")
        .label(record.span, "the record");
        if let Some(near) = near::nearest(&field.name, record.fields.iter().map(|field| field.name.as_str())) {
            finding = finding.hint(format!("did you mean `{near}`?"));
        }
        self.report(finding);
        None
    }

    /// Warns about a constant index outside the array. Like SPIN, Lariat reports the error when the index is evaluated.
    fn check_index(&mut self, index: &Expr, name: &str, elements: u32) {
        let Some(value) = value_of(index) else { return };
        if u32::try_from(value).is_ok_and(|value| value < elements) {
            return;
        }
        let last = elements - 1;
        let (plural, range) =
            if last == 0 { ("element", "only 0".into()) } else { ("elements", format!("0 to {last}")) };
        self.report(
            Diagnostic::warning(codes::INDEX_RANGE, index.span, format!("`{name}` has no element {value}"))
                .here("an error at run time if it is used")
                .note(format!("`{name}` has {elements} {plural}: {range}")),
        );
    }

    fn not_an_array(&mut self, span: Span, name: &str) {
        self.report(
            Diagnostic::error(codes::NOT_AN_ARRAY, span, format!("`{name}` is not an array"))
                .here("has an index")
                .hint("remove the index, or declare it as an array"),
        );
    }

    fn missing_index(&mut self, span: Span, name: &str) {
        self.report(
            Diagnostic::error(codes::ARRAY_AS_SCALAR, span, format!("array `{name}` is used without an index"))
                .here("which element?")
                .hint(format!("write `{name}[0]` for the first one")),
        );
    }

    /// A place that must be one value; reports when it is a record.
    pub(super) fn scalar(&mut self, place: Place) -> Option<Place> {
        if let Type::Record(id) = place.ty {
            let record = &self.program.records[id.0 as usize].name;
            let message = format!("a record of type `{record}` stands where one value is required");
            self.report(
                Diagnostic::error(codes::RECORD_AS_VALUE, place.span, message)
                    .here("a whole record")
                    .hint("name one of its fields"),
            );
            return None;
        }
        Some(place)
    }

    /// The scalars inside a place, in order; none if they are too many, which has been reported.
    pub(super) fn scalars_of(&self, place: &Place) -> Vec<Place> {
        let mut result = Vec::new();
        if self.width(&place.ty) > SCALAR_LIMIT {
            return result;
        }
        self.collect_scalars(place.clone(), &mut result);
        result
    }

    fn collect_scalars(&self, place: Place, into: &mut Vec<Place>) {
        let Type::Record(id) = place.ty else {
            into.push(place);
            return;
        };
        for (number, field) in self.program.records[id.0 as usize].fields.iter().enumerate() {
            for element in 0..field.len.unwrap_or(1) {
                let mut part = place.clone();
                part.path.push(Access::Field(super::index_u32(number)));
                if field.len.is_some() {
                    let index = i32::try_from(element).expect("arrays are bounded");
                    part.path.push(Access::Index(number_expr(index, place.span)));
                }
                part.ty = field.ty.clone();
                self.collect_scalars(part, into);
            }
        }
    }

    /// The messages of the channel at a place, where its declaration tells.
    pub(super) fn spec_at(&self, place: &Place) -> Option<&ChannelSpec> {
        let mut variable = self.variable(place.base, None)?;
        for step in &place.path {
            if let (Access::Field(number), Type::Record(id)) = (step, &variable.ty) {
                variable = &self.program.records[id.0 as usize].fields[*number as usize];
            }
        }
        match &variable.initial {
            Initial::Channel(spec) => Some(spec),
            _ => None,
        }
    }
}
