//! Declarations: from declarators to variables, their sizes and initial values.

use super::record::{ARRAY_LIMIT, CAPACITY_LIMIT, CHANNEL_LIMIT, SCALAR_LIMIT};
use super::{Global, Resolver, index_u32};
use crate::ast::{Decl, Declarator, Expr as AstExpr, Init, TypeName};
use crate::codes;
use crate::typed::{ChannelSpec, Expr, GlobalId, Initial, Type, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

impl Resolver {
    /// Global variables.
    pub(super) fn global_declaration(&mut self, decl: Decl) {
        let names: Vec<_> = decl.variables.iter().map(|declarator| declarator.name.clone()).collect();
        for (name, variable) in names.iter().zip(self.variables(decl, None)) {
            let id = GlobalId(index_u32(self.program.globals.len()));
            if self.declare_global(name, Global::Variable(id)) {
                self.program.globals.push(variable);
            }
        }
    }

    /// The variables of a declaration with their initial values, as globals and fields have them.
    pub(super) fn variables(&mut self, decl: Decl, inside: Option<&str>) -> Vec<Variable> {
        let Decl { mark, ty, variables, .. } = decl;
        let mut result = Vec::new();
        for mut declarator in variables {
            let init = declarator.init.take();
            let mut variable = self.shape(&ty, declarator, mark, inside);
            if let Some(init) = init {
                variable.initial = self.initial(init, &variable).unwrap_or(Initial::Default);
            }
            result.push(variable);
        }
        result
    }

    /// A variable without its initial value. A mistake in its type or size leaves a plain one.
    pub(super) fn shape(
        &mut self,
        ty: &TypeName,
        declarator: Declarator,
        mark: crate::typed::Mark,
        inside: Option<&str>,
    ) -> Variable {
        let Declarator { name, bits, len, .. } = declarator;
        let bits = self.bits(ty, bits, name.span, &name.name);
        let ty = self.ty(ty, bits, inside).unwrap_or(Type::Int);
        let len = len.map(|len| self.length(len, &name.name).unwrap_or(1));
        let variable =
            Variable { name: name.name.to_string(), ty, len, initial: Initial::Default, mark, span: name.span };
        self.count_scalars(self.size(&variable), name.span);
        variable
    }

    /// The width of an `unsigned`; nothing else has one.
    fn bits(&mut self, ty: &TypeName, bits: Option<AstExpr>, place: Span, name: &str) -> Option<u8> {
        let unsigned = matches!(ty, TypeName::Unsigned);
        let Some(bits) = bits else {
            if unsigned {
                self.report(
                    Diagnostic::error(codes::SIZE_INVALID, place, format!("`unsigned {name}` has no width"))
                        .here("how many bits?")
                        .hint(format!("write `unsigned {name} : 4` for four bits")),
                );
            }
            return None;
        };
        let span = bits.span;
        if !unsigned {
            self.report(
                Diagnostic::error(codes::SIZE_INVALID, span, "only an `unsigned` variable can have a width")
                    .here("a number of bits")
                    .hint(format!("declare `unsigned {name} : …`")),
            );
            return None;
        }
        let value = self.constant(bits, "the width of an `unsigned`", true)?;
        if (1..=32).contains(&value) {
            return u8::try_from(value).ok();
        }
        self.report(
            Diagnostic::error(codes::SIZE_INVALID, span, format!("an `unsigned` cannot have {value} bits"))
                .here("must be 1 to 32"),
        );
        None
    }

    fn length(&mut self, len: AstExpr, name: &str) -> Option<u32> {
        let span = len.span;
        let value = self.constant(len, "the size of an array", true)?;
        if (1..=ARRAY_LIMIT).contains(&value) {
            return u32::try_from(value).ok();
        }
        let (code, why) = if value > ARRAY_LIMIT {
            (codes::LIMIT_SIZE, format!("at most {ARRAY_LIMIT} elements"))
        } else {
            (codes::SIZE_INVALID, "must be at least 1".to_string())
        };
        self.report(Diagnostic::error(code, span, format!("array `{name}` cannot have {value} elements")).here(why));
        None
    }

    /// The initial value of a variable.
    pub(super) fn initial(&mut self, init: Init, variable: &Variable) -> Option<Initial> {
        match init {
            Init::Channel { capacity, fields, span } => {
                if variable.ty != Type::Chan {
                    self.misfit(span, "only a `chan` can be initialised with a new channel", "declare it as `chan`");
                    return None;
                }
                let spec = self.channel_spec(*capacity, &fields, span)?;
                let copies = u64::from(variable.len.unwrap_or(1));
                self.count_channels(copies, span)?;
                let scalars = copies * u64::from(spec.capacity.max(1)) * (spec.fields.len() as u64).max(1);
                self.count_scalars(scalars, span).then_some(Initial::Channel(spec))
            }
            Init::List(values, span) => {
                let values = self.list(values, span, variable)?;
                Some(Initial::List(values))
            }
            Init::Value(value) => {
                let value = self.initial_value(value)?;
                if matches!(variable.ty, Type::Record(_)) {
                    self.report(
                        Diagnostic::warning(codes::INITIALISER_INVALID, value.span, "a record has no single value")
                            .here("ignored, as in SPIN")
                            .hint("assign its fields one by one, or give them values in the `typedef`"),
                    );
                    return None;
                }
                self.check_fit(&variable.ty, &value);
                Some(Initial::Value(value))
            }
        }
    }

    /// One value of an initialiser, which creates no process.
    pub(super) fn initial_value(&mut self, value: AstExpr) -> Option<Expr> {
        self.in_initialiser = true;
        let value = self.expression(value);
        self.in_initialiser = false;
        value
    }

    /// The values of a list, no more than there are elements.
    pub(super) fn list(&mut self, values: Vec<AstExpr>, span: Span, variable: &Variable) -> Option<Vec<Expr>> {
        let Some(len) = variable.len else {
            self.misfit(span, "a list can only initialise an array", "give the variable a size, or one value");
            return None;
        };
        if values.len() > len as usize {
            self.report(
                Diagnostic::warning(
                    codes::INITIALISER_INVALID,
                    span,
                    format!("{} values for {len} elements of `{}`", values.len(), variable.name),
                )
                .here("the surplus is ignored"),
            );
        }
        let mut typed = Vec::new();
        for value in values.into_iter().take(len as usize) {
            let value = self.initial_value(value)?;
            self.check_fit(&variable.ty, &value);
            typed.push(value);
        }
        Some(typed)
    }

    /// Counts channels towards the limit; `None`, and a finding, when it is passed.
    fn count_channels(&mut self, channels: u64, span: Span) -> Option<()> {
        self.channels += channels;
        if self.channels <= CHANNEL_LIMIT {
            return Some(());
        }
        let finding = Diagnostic::error(codes::LIMIT_SIZE, span, "this model has too many channels");
        self.report(finding.here(format!("more than {CHANNEL_LIMIT} with these")));
        None
    }

    fn misfit(&mut self, span: Span, message: &str, hint: &str) {
        self.report(Diagnostic::error(codes::INITIALISER_INVALID, span, message).here("does not fit").hint(hint));
    }

    fn channel_spec(&mut self, capacity: AstExpr, fields: &[(TypeName, Span)], span: Span) -> Option<ChannelSpec> {
        let place = capacity.span;
        let value = self.constant(capacity, "the capacity of a channel", false)?;
        if !(0..=CAPACITY_LIMIT).contains(&value) {
            let code = if value < 0 { codes::SIZE_INVALID } else { codes::LIMIT_SIZE };
            self.report(
                Diagnostic::error(code, place, format!("a channel cannot hold {value} messages"))
                    .here(format!("must be 0 to {CAPACITY_LIMIT}")),
            );
            return None;
        }
        let mut flat = Vec::new();
        for (name, place) in fields {
            let ty = self.ty(name, None, None)?;
            if self.width(&ty) > 1024 {
                let finding = Diagnostic::error(codes::LIMIT_SIZE, *place, "a message cannot be as large as this");
                self.report(finding.here("more than 1024 values"));
                return None;
            }
            self.flatten_type(&ty, &mut flat);
        }
        if flat.is_empty() {
            let finding = Diagnostic::error(codes::SIZE_INVALID, span, "the messages of this channel have no field");
            self.report(finding.here("at least one type is needed"));
            return None;
        }
        Some(ChannelSpec { capacity: value.unsigned_abs(), fields: flat })
    }

    /// The scalar types inside a type, in order; none if they are too many, which has been reported.
    pub(super) fn flatten_type(&self, ty: &Type, into: &mut Vec<Type>) {
        if self.width(ty) > SCALAR_LIMIT {
            return;
        }
        let Type::Record(id) = ty else {
            into.push(ty.clone());
            return;
        };
        for field in &self.program.records[id.0 as usize].fields {
            for _ in 0..field.len.unwrap_or(1) {
                self.flatten_type(&field.ty, into);
            }
        }
    }
}
