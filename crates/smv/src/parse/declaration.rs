//! Variable declarations, types, and the paths that name things.

use kernel::diagnostic::Diagnostic;

use super::{Abort, Parsed, Parser};
use crate::ast::{Expr, ExprId, TypeExpr, VariableDeclaration};
use crate::codes;
use crate::lex::TokenKind;

impl Parser<'_> {
    /// `name : type ;`
    pub(super) fn variable(&mut self) -> Parsed<VariableDeclaration> {
        let name = self.named("the name of a variable")?;
        self.expect(":")?;
        let start = self.peek().span;
        let r#type = self.type_expression(0)?;
        let type_span = start.to(self.last_span());
        self.end_declaration();
        Ok(VariableDeclaration { name, r#type, type_span })
    }

    fn type_expression(&mut self, arrays: u32) -> Parsed<TypeExpr> {
        let token = self.peek();
        match (token.kind, token.text) {
            (TokenKind::Keyword, "boolean") => {
                self.next();
                Ok(TypeExpr::Boolean)
            }
            (TokenKind::Symbol, "{") => self.enumeration(),
            (TokenKind::Keyword, "word" | "unsigned" | "signed") => self.word_type(),
            (TokenKind::Keyword, "array") => self.array_type(arrays),
            (TokenKind::Keyword, "process") => {
                self.next();
                self.instance(true)
            }
            (TokenKind::Keyword, "integer" | "real") => {
                let message = format!("the type `{}` has infinitely many values", token.text);
                let finding = Diagnostic::error(codes::UNSUPPORTED, token.span, message)
                    .here("only finite types can be checked")
                    .hint("use a range such as `0..15`");
                self.diagnostics.push(finding);
                Err(Abort)
            }
            (TokenKind::Identifier, _) if !self.begins_range() => self.instance(false),
            (TokenKind::Identifier | TokenKind::Number, _) | (TokenKind::Symbol, "-" | "(") => {
                let (low, high) = self.bounds()?;
                Ok(TypeExpr::Range(low, high))
            }
            _ => Err(self.unexpected("a type")),
        }
    }

    /// Whether the name at hand is the lower bound of a range and not a module.
    fn begins_range(&self) -> bool {
        let mut at = self.at + 1;
        let mut depth = 0_u32;
        // Operators before the `;` tell: a module is followed by `(` or `;` only.
        while let Some(token) = self.tokens.get(at) {
            match token.text {
                _ if token.kind == TokenKind::End => return false,
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                ";" => return false,
                ".." if depth == 0 => return true,
                ":" | ":=" if depth == 0 => return false,
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn bounds(&mut self) -> Parsed<(ExprId, ExprId)> {
        let range = self.expression()?;
        if let Expr::Range(low, high) = *self.file.tree.get(range) {
            return Ok((low, high));
        }
        Err(self.unexpected("`..`"))
    }

    fn enumeration(&mut self) -> Parsed<TypeExpr> {
        let open = self.expect("{")?;
        let mut values = Vec::new();
        while !self.peek().is("}") {
            values.push(self.expression()?);
            if !self.accept(",") {
                break;
            }
        }
        self.close("}", open)?;
        Ok(TypeExpr::Enumeration(values))
    }

    fn word_type(&mut self) -> Parsed<TypeExpr> {
        let signed = self.peek().is("signed");
        if signed || self.peek().is("unsigned") {
            self.next();
        }
        self.expect("word")?;
        let open = self.expect("[")?;
        let width = self.expression()?;
        self.close("]", open)?;
        Ok(TypeExpr::Word(signed, width))
    }

    fn array_type(&mut self, arrays: u32) -> Parsed<TypeExpr> {
        let array = self.expect("array")?;
        if arrays >= 64 {
            let finding = Diagnostic::error(codes::TOO_DEEP, array, "arrays of arrays nested too deeply").here("here");
            self.diagnostics.push(finding);
            return Err(Abort);
        }
        let index = self.peek();
        if matches!(index.text, "word" | "unsigned" | "signed" | "integer") {
            let message = "arrays with words or integers as index are refused";
            let finding = Diagnostic::error(codes::UNSUPPORTED, index.span, message)
                .here("NuSMV has them for infinite models only")
                .hint("give the bounds, as in `array 0..3 of boolean`");
            self.diagnostics.push(finding);
            return Err(Abort);
        }
        let (low, high) = self.bounds()?;
        self.expect("of")?;
        let element = self.type_expression(arrays + 1)?;
        Ok(TypeExpr::Array(low, high, Box::new(element)))
    }

    fn instance(&mut self, process: bool) -> Parsed<TypeExpr> {
        let module = self.named("the name of a module")?;
        let mut arguments = Vec::new();
        if self.peek().is("(") {
            let open = self.next().span;
            while !self.peek().is(")") {
                arguments.push(self.expression()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.close(")", open)?;
        }
        Ok(TypeExpr::Instance { process, module, arguments })
    }

    /// `a.b[3].c`: what can stand on the left of an assignment or definition.
    pub(super) fn path(&mut self) -> Parsed<ExprId> {
        let start = self.peek().span;
        if self.peek().kind != TokenKind::Identifier && !self.peek().is("self") {
            return Err(self.unexpected("the name of a variable"));
        }
        let token = self.next();
        let expr = if token.is("self") { Expr::SelfName } else { Expr::Name(token.text.to_owned()) };
        let name = self.file.tree.add(expr, start);
        self.postfix(name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use crate::ast::{Item, TypeExpr};
    use kernel::span::FileId;

    fn check(declaration: &str, expected: &str) {
        let text = format!("MODULE main VAR x : {declaration};");
        let (file, diagnostics) = parse(FileId(0), &text, &kernel::budget::Budget::unlimited()).expect("no limit");
        assert_eq!(diagnostics, [], "{text}");
        let Item::Variables(_, list) = &file.modules[0].items[0] else { panic!("no variables in {text}") };
        let kind = match &list[0].r#type {
            TypeExpr::Boolean => "boolean".to_owned(),
            TypeExpr::Enumeration(values) => format!("enumeration {}", values.len()),
            TypeExpr::Range(..) => "range".to_owned(),
            TypeExpr::Word(signed, _) => format!("word {signed}"),
            TypeExpr::Array(..) => "array".to_owned(),
            TypeExpr::Instance { process, module, arguments } => {
                format!("instance {process} {} {}", module.name, arguments.len())
            }
            TypeExpr::Wrong => "wrong".to_owned(),
        };
        assert_eq!(kind, expected);
    }

    #[test]
    fn types() {
        check("boolean", "boolean");
        check("{a, -1, stop}", "enumeration 3");
        check("-2..N + 1", "range");
        check("low..high", "range");
        check("signed word[8]", "word true");
        check("array 0..3 of array 1..2 of boolean", "array");
        check("process cell(self, 1..2, x.y)", "instance true cell 3");
        check("user", "instance false user 0");
    }
}
