//! Declarations of variables, parameters and fields.

use super::Parser;
use crate::ast::{Decl, Declarator, Expr, ExprKind, Ident, Init, TypeName};
use crate::lex::TokenKind;
use crate::typed::Mark;
use kernel::span::Span;

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn starts_declaration(&self) -> bool {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return false;
        }
        match &*token.text {
            word if starts_type(word) => true,
            // `T x` declares even where `T` is no type, so that the message can be about the type;
            // on two lines it is two statements.
            name => {
                let next = self.peek_at(1);
                let declared = next.kind == TokenKind::Word && !super::is_keyword(&next.text);
                // A type is no operand, so that a name after it is a name even where it is also an operator.
                if self.scope.typedefs.contains(name) {
                    declared
                } else {
                    declared && !is_infix(&next.text) && !next.fresh && !super::is_keyword(name)
                }
            }
        }
    }

    /// One declaration without the separator after it.
    pub(super) fn declaration(&mut self) -> Option<Decl> {
        let start = self.peek().span;
        let mark = self.mark();
        let Some(ty) = self.type_name() else {
            self.recover();
            return None;
        };
        let span = self.since(start);
        let mut variables = Vec::new();
        loop {
            match self.declarator() {
                Some(variable) => variables.push(variable),
                None => {
                    self.recover();
                    break;
                }
            }
            // In a parameter list, a comma may also begin the next declaration.
            if self.at(",") && !self.comma_begins_declaration() {
                self.bump();
                continue;
            }
            break;
        }
        Some(Decl { mark, ty, variables, span })
    }

    fn comma_begins_declaration(&self) -> bool {
        let (type_word, name) = (self.peek_at(1), self.peek_at(2));
        type_word.kind == TokenKind::Word
            && (starts_type(&type_word.text) || name.kind == TokenKind::Word && !name.fresh)
    }

    fn mark(&mut self) -> Mark {
        let mut mark = Mark::None;
        loop {
            mark = match &*self.peek().text {
                "hidden" => Mark::Hidden,
                "local" => Mark::Local,
                "show" => Mark::Show,
                _ => return mark,
            };
            self.bump();
        }
    }

    /// The name of a type.
    pub(super) fn type_name(&mut self) -> Option<TypeName> {
        let token = self.peek().clone();
        let simple = match &*token.text {
            "bit" => TypeName::Bit,
            "bool" => TypeName::Bool,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned,
            "chan" => TypeName::Chan,
            "mtype" => {
                self.bump();
                let set = if self.eat(":") { Some(self.ident("the name of an mtype set")?) } else { None };
                return Some(TypeName::Mtype(set));
            }
            _ => return self.ident("a type").map(TypeName::Named),
        };
        self.bump();
        Some(simple)
    }

    fn declarator(&mut self) -> Option<Declarator> {
        let name: Ident = self.ident("a name")?;
        let bits = if self.eat(":") { Some(self.operand()) } else { None };
        let opened = self.peek().span;
        let mut len = if self.eat("[") {
            let len = self.bracketed_expression();
            self.close("[", "]", opened);
            Some(len)
        } else {
            None
        };
        let init = if self.eat("=") {
            Some(self.initialiser()?)
        } else if let Some(size) = len.take_if(|_| self.at("of")) {
            self.capacity_as_size(&name.name, size.span);
            Some(self.channel_fields(opened, Box::new(size))?)
        } else {
            None
        };
        Some(Declarator { name, bits, len, init })
    }

    fn initialiser(&mut self) -> Option<Init> {
        let start = self.peek().span;
        if self.at("{") {
            self.bump();
            let values = self.expressions("}");
            self.close("{", "}", start);
            return Some(Init::List(values, self.since(start)));
        }
        if self.at("[") {
            return self.channel_initialiser(start);
        }
        if self.at("of") {
            self.missing_capacity(start);
            let none = Expr { kind: ExprKind::Wrong, span: start, depth: 1 };
            return self.channel_fields(start, Box::new(none));
        }
        Some(Init::Value(self.expression()))
    }

    /// `[capacity] of { types }`
    fn channel_initialiser(&mut self, start: Span) -> Option<Init> {
        self.bump();
        if self.at("]") {
            let brackets = start.to(self.peek().span);
            self.missing_capacity(brackets);
        }
        let capacity = Box::new(self.bracketed_expression());
        self.close("[", "]", start);
        self.channel_fields(start, capacity)
    }

    /// `of { types }`
    fn channel_fields(&mut self, start: Span, capacity: Box<Expr>) -> Option<Init> {
        if !self.expect("of") {
            return None;
        }
        let opened = self.peek().span;
        if !self.expect("{") {
            return None;
        }
        let mut fields = Vec::new();
        while !self.at("}") && !self.at_end() {
            let place = self.peek().span;
            match self.type_name() {
                Some(ty) => fields.push((ty, self.since(place))),
                None => self.skip_group(),
            }
            if !self.eat(",") && !self.eat(";") {
                break;
            }
        }
        self.close("{", "}", opened);
        Some(Init::Channel { capacity, fields, span: self.since(start) })
    }
}

/// True for the keywords that a declaration can begin with.
fn starts_type(word: &str) -> bool {
    let types = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];
    types.contains(&word) || matches!(word, "hidden" | "local" | "show")
}

/// Words that act as operators inside formulas.
fn is_infix(word: &str) -> bool {
    matches!(
        word,
        "U" | "V" | "W" | "until" | "stronguntil" | "weakuntil" | "release" | "implies" | "equivalent" | "in"
    )
}
