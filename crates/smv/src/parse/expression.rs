//! Expressions and formulas, by operator precedence.
//!
//! The table is the manual's, tightest last: `->` (right), `<->`, `? :`, `| xor xnor`, `&`, `U V S T`, the temporal
//! operators with one operand, comparisons, `in`, `union`, `..`, shifts, `+ -`, `* / mod`, unary `-`, `::`, `!`,
//! subscripts. Operators of one row associate to the left.

use flat::model::{Natural, WIDEST_WORD};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::{Abort, Parsed, Parser, psl};
use crate::ast::{
    Binary, Chain, CtlBinary, CtlBounded, CtlUnary, DEPTH_LIMIT, Expr, ExprId, Function, LtlBinary, LtlUnary,
};
use crate::codes;
use crate::lex::{Token, TokenKind};
use crate::print::{ctl_name, ltl_name};

/// What stands between two operands.
#[derive(Clone, Copy, Debug)]
enum Infix {
    Chain(Chain),
    Binary(Binary),
    Ltl(LtlBinary),
    Range,
    Conditional,
    /// A word of PSL.
    Word,
    /// PSL's `|->` and `|=>`.
    Suffix,
}

pub(super) const IMPLIES: u32 = 10;
const IFF: u32 = 20;
pub(super) const CONDITIONAL: u32 = 30;
const OR: u32 = 40;
pub(super) const AND: u32 = 50;
pub(super) const UNTIL: u32 = 60;
const TEMPORAL: u32 = 70;
const COMPARE: u32 = 80;
const IN: u32 = 90;
const UNION: u32 = 100;
pub(super) const RANGE: u32 = 105;
const SHIFT: u32 = 110;
const ADD: u32 = 120;
const MULTIPLY: u32 = 130;
const NEGATE: u32 = 140;
const CONCATENATE: u32 = 150;
const NOT: u32 = 160;

/// The operators of CTL with one operand.
const CTL: [CtlUnary; 6] = [CtlUnary::EX, CtlUnary::AX, CtlUnary::EF, CtlUnary::AF, CtlUnary::EG, CtlUnary::AG];
/// The operators of LTL with one operand.
const LTL: [LtlUnary; 7] = [LtlUnary::X, LtlUnary::F, LtlUnary::G, LtlUnary::Y, LtlUnary::Z, LtlUnary::H, LtlUnary::O];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let outer = std::mem::replace(&mut self.until_ends, false);
        let expression = self.expression_above(0);
        self.until_ends = outer;
        expression
    }

    /// An expression of operators that bind at least as tightly as `least`.
    pub(super) fn expression_above(&mut self, least: u32) -> Parsed<ExprId> {
        let start = self.peek().span;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(self.too_deep(start));
        }
        let mut left = match self.psl && least <= TEMPORAL && self.peek().is("{") {
            true => self.sequence_formula()?,
            false => self.operand()?,
        };
        while let Some((infix, power)) = self.infix() {
            if power < least {
                break;
            }
            left = self.infix_tail(left, infix, power, start)?;
            if self.file.tree.depth(left) > DEPTH_LIMIT {
                return Err(self.too_deep(start));
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    pub(super) fn too_deep(&mut self, span: Span) -> Abort {
        let message = format!("this expression nests more than {DEPTH_LIMIT} deep");
        let finding = Diagnostic::error(codes::TOO_DEEP, span, message)
            .here("begins here")
            .hint("name parts of it in a DEFINE section");
        self.diagnostics.push(finding);
        Abort
    }

    pub(super) fn add(&mut self, expr: Expr, start: Span) -> ExprId {
        let span = start.to(self.last_span());
        self.file.tree.add(expr, span)
    }

    /// The operator at hand and how tightly it binds.
    fn infix(&mut self) -> Option<(Infix, u32)> {
        let token = self.peek();
        if token.kind == TokenKind::Identifier && self.psl {
            return match token.text {
                "W" => Some((Infix::Ltl(LtlBinary::W), UNTIL)),
                word => psl::is_infix(word).then_some((Infix::Word, UNTIL)),
            };
        }
        if !matches!(token.kind, TokenKind::Keyword | TokenKind::Symbol) {
            return None;
        }
        let binary = |operator, power| Some((Infix::Binary(operator), power));
        match token.text {
            "U" | "BU" if self.until_ends => None,
            "->" => binary(Binary::Implies, IMPLIES),
            "<->" => binary(Binary::Iff, IFF),
            "?" => Some((Infix::Conditional, CONDITIONAL)),
            "|" if self.psl && self.suffix_implication().is_some() => Some((Infix::Suffix, IMPLIES)),
            "|" => Some((Infix::Chain(Chain::Or), OR)),
            "xor" => binary(Binary::Xor, OR),
            "xnor" => binary(Binary::Xnor, OR),
            "&" => Some((Infix::Chain(Chain::And), AND)),
            "U" => Some((Infix::Ltl(LtlBinary::U), UNTIL)),
            "V" => Some((Infix::Ltl(LtlBinary::V), UNTIL)),
            "S" => Some((Infix::Ltl(LtlBinary::S), UNTIL)),
            "T" => Some((Infix::Ltl(LtlBinary::T), UNTIL)),
            "=" => binary(Binary::Equal, COMPARE),
            "!=" => binary(Binary::NotEqual, COMPARE),
            "<" => binary(Binary::Less, COMPARE),
            "<=" => binary(Binary::LessEqual, COMPARE),
            ">" => binary(Binary::Greater, COMPARE),
            ">=" => binary(Binary::GreaterEqual, COMPARE),
            "in" => binary(Binary::In, IN),
            "union" => Some((Infix::Chain(Chain::Union), UNION)),
            ".." => Some((Infix::Range, RANGE)),
            "<<" => binary(Binary::ShiftLeft, SHIFT),
            ">>" => binary(Binary::ShiftRight, SHIFT),
            "+" => Some((Infix::Chain(Chain::Add), ADD)),
            "-" => binary(Binary::Subtract, ADD),
            "*" => Some((Infix::Chain(Chain::Multiply), MULTIPLY)),
            "/" => binary(Binary::Divide, MULTIPLY),
            "mod" => binary(Binary::Modulo, MULTIPLY),
            "::" => Some((Infix::Chain(Chain::Concatenate), CONCATENATE)),
            "&&" | "||" | "==" => self.foreign_operator(&token),
            _ => None,
        }
    }

    /// `&&`, `||` and `==`: part of PSL; elsewhere a slip that is reported once and understood.
    fn foreign_operator(&mut self, token: &Token<'_>) -> Option<(Infix, u32)> {
        let (infix, power, meant) = match token.text {
            "&&" => (Infix::Chain(Chain::And), AND, "&"),
            "||" => (Infix::Chain(Chain::Or), OR, "|"),
            _ => (Infix::Binary(Binary::Equal), COMPARE, "="),
        };
        let reported = self.diagnostics.iter().any(|finding| finding.primary.span == token.span);
        if !self.psl && !reported {
            let message = format!("`{}` is not an operator of SMV", token.text);
            let finding = Diagnostic::error(codes::FOREIGN_OPERATOR, token.span, message)
                .here("unknown operator")
                .hint(format!("write `{meant}`"));
            self.diagnostics.push(finding);
        }
        Some((infix, power))
    }

    /// Consumes the operator and what stands right of it.
    fn infix_tail(&mut self, left: ExprId, infix: Infix, power: u32, start: Span) -> Parsed<ExprId> {
        if let Infix::Suffix = infix {
            return self.suffix_tail(left, start);
        }
        let operator = self.next();
        let expr = match infix {
            Infix::Chain(chain) => {
                let continues = self.open_chain == Some(left);
                let right = self.expression_above(power + 1)?;
                return Ok(self.chain(chain, left, right, continues));
            }
            Infix::Binary(Binary::Implies) => Expr::Binary(Binary::Implies, left, self.expression_above(power)?),
            Infix::Binary(operator) => Expr::Binary(operator, left, self.expression_above(power + 1)?),
            Infix::Ltl(operator) => Expr::LtlBinary(operator, left, self.expression_above(power + 1)?),
            Infix::Range => Expr::Range(left, self.expression_above(power + 1)?),
            Infix::Conditional => {
                let then = self.expression_above(power + 1)?;
                self.expect(":")?;
                Expr::Conditional(left, then, self.expression_above(power)?)
            }
            Infix::Word | Infix::Suffix => return self.psl_infix_tail(left, operator.text, start),
        };
        Ok(self.add(expr, start))
    }

    /// One node for `a op b op c`, unless `a op b` stood in parentheses of its own.
    fn chain(&mut self, chain: Chain, left: ExprId, right: ExprId, continues: bool) -> ExprId {
        let span = self.file.tree.span(left).to(self.last_span());
        let node = if continues && self.file.tree.extend_chain(chain, left, right, span) {
            left
        } else {
            self.file.tree.add(Expr::Chain(chain, vec![left, right]), span)
        };
        self.open_chain = Some(node);
        node
    }

    fn operand(&mut self) -> Parsed<ExprId> {
        let token = self.peek();
        let start = token.span;
        let expr = match token.kind {
            TokenKind::Number => self.number()?,
            TokenKind::WordConstant => self.word_constant()?,
            TokenKind::Identifier if self.psl && psl::is_prefix(token.text) => return self.psl_prefix(),
            TokenKind::Identifier if self.replica(token.text).is_some() => {
                self.next();
                let value = self.replica(token.text).expect("just seen");
                return self.postfix(value);
            }
            TokenKind::Identifier if matches!(token.text, "READ" | "WRITE" | "CONSTARRAY") && self.calls() => {
                let message = format!("`{}` is refused", token.text);
                let finding = Diagnostic::error(codes::UNSUPPORTED, token.span, message)
                    .here("NuSMV has it for arrays of infinite models only")
                    .hint("an element is written `a[i]`, and `next(a[0]) := …` assigns one");
                self.diagnostics.push(finding);
                return Err(Abort);
            }
            TokenKind::Identifier => {
                self.next();
                Expr::Name(token.text.to_owned())
            }
            TokenKind::Keyword => return self.keyword_operand(),
            TokenKind::Symbol => return self.symbol_operand(),
            TokenKind::End => return Err(self.unexpected("an expression")),
        };
        let operand = self.add(expr, start);
        self.postfix(operand)
    }

    /// The value that a name of `forall` stands for here.
    fn replica(&self, name: &str) -> Option<ExprId> {
        self.replicas.iter().rev().find(|(bound, _)| bound == name).map(|(_, value)| *value)
    }

    /// Whether the name at hand is followed by `(`.
    fn calls(&self) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| token.is("("))
    }

    fn symbol_operand(&mut self) -> Parsed<ExprId> {
        let token = self.peek();
        let start = token.span;
        let expr = match token.text {
            "(" => {
                self.next();
                let inner = self.expression()?;
                self.close(")", start)?;
                self.open_chain = None;
                return self.postfix(inner);
            }
            "!" => {
                self.next();
                Expr::Not(self.expression_above(NOT)?)
            }
            "-" => {
                self.next();
                Expr::Negate(self.expression_above(NEGATE)?)
            }
            "{" => Expr::Set(self.bracketed("{", "}")?),
            "[" => Expr::List(self.bracketed("[", "]")?),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(self.add(expr, start))
    }

    /// A list between brackets, separated by commas, not empty.
    fn bracketed(&mut self, open: &str, close: &str) -> Parsed<Vec<ExprId>> {
        let begin = self.expect(open)?;
        let mut list = vec![self.expression()?];
        while self.accept(",") {
            list.push(self.expression()?);
        }
        self.close(close, begin)?;
        Ok(list)
    }

    fn keyword_operand(&mut self) -> Parsed<ExprId> {
        let token = self.peek();
        let start = token.span;
        if let Some(operator) = CTL.into_iter().find(|operator| ctl_name(*operator) == token.text) {
            self.next();
            self.strong_mark();
            let operand = self.expression_above(TEMPORAL)?;
            return Ok(self.add(Expr::Ctl(operator, operand), start));
        }
        if let Some(operator) = LTL.into_iter().find(|operator| ltl_name(*operator) == token.text) {
            self.next();
            self.strong_mark();
            if matches!(operator, LtlUnary::F | LtlUnary::G | LtlUnary::O | LtlUnary::H) && self.peek().is("[") {
                let (low, high) = self.window()?;
                let operand = self.expression_above(TEMPORAL)?;
                return Ok(self.add(Expr::Within(operator, low, high, operand), start));
            }
            let operand = self.expression_above(TEMPORAL)?;
            return Ok(self.add(Expr::Ltl(operator, operand), start));
        }
        let expr = match token.text {
            "TRUE" | "FALSE" => {
                self.next();
                Expr::Boolean(token.text == "TRUE")
            }
            "self" => {
                self.next();
                Expr::SelfName
            }
            "case" => self.case()?,
            "next" if self.psl => return self.psl_prefix(),
            "next" => {
                self.next();
                let open = self.expect("(")?;
                let inner = self.expression()?;
                self.close(")", open)?;
                Expr::Next(inner)
            }
            "A" | "E" => self.quantified_until()?,
            "EBF" | "ABF" | "EBG" | "ABG" => self.bounded()?,
            _ => self.call()?,
        };
        let operand = self.add(expr, start);
        self.postfix(operand)
    }

    fn case(&mut self) -> Parsed<Expr> {
        let open = self.expect("case")?;
        let mut branches = Vec::new();
        while !self.peek().is("esac") {
            if self.peek().kind == TokenKind::End || super::at_section(&self.peek()) {
                self.close("esac", open)?;
            }
            let begin = self.at;
            let condition = self.expression()?;
            if self.peek().is(":=") && !branches.is_empty() {
                return Err(self.missing_esac(open, begin));
            }
            self.expect(":")?;
            let value = self.expression()?;
            self.expect(";")?;
            branches.push((condition, value));
        }
        if branches.is_empty() {
            return Err(self.unexpected("a branch `condition : value;`"));
        }
        self.next();
        Ok(Expr::Case(branches))
    }

    /// What should be a branch is the next assignment: the parser goes on with that.
    fn missing_esac(&mut self, open: Span, begin: usize) -> Abort {
        let assignment = self.tokens[begin].span.to(self.last_span());
        let finding = Diagnostic::error(codes::UNCLOSED, assignment, "expected `esac`, found an assignment")
            .here("`esac;` is missing before this")
            .label(open, "the `case` begins here");
        self.diagnostics.push(finding);
        // The `;` of the last branch ends what is wrong.
        self.at = begin - 1;
        Abort
    }

    /// `A [ p U q ]`, `E [ p BU 1..3 q ]`.
    fn quantified_until(&mut self) -> Parsed<Expr> {
        let for_all = self.next().text == "A";
        let open = self.expect("[")?;
        let outer = std::mem::replace(&mut self.until_ends, true);
        let left = self.expression_above(0)?;
        let expr = if self.accept("BU") {
            let (low, high) = self.bound()?;
            Expr::BoundedUntil(for_all, low, high, left, self.expression_above(0)?)
        } else {
            self.expect("U")?;
            let operator = if for_all { CtlBinary::AU } else { CtlBinary::EU };
            Expr::CtlBinary(operator, left, self.expression_above(0)?)
        };
        self.until_ends = outer;
        self.close("]", open)?;
        Ok(expr)
    }

    fn bounded(&mut self) -> Parsed<Expr> {
        let operator = match self.next().text {
            "EBF" => CtlBounded::EBF,
            "ABF" => CtlBounded::ABF,
            "EBG" => CtlBounded::EBG,
            _ => CtlBounded::ABG,
        };
        let (low, high) = self.bound()?;
        Ok(Expr::Bounded(operator, low, high, self.expression_above(TEMPORAL)?))
    }

    /// `[3, 7]`, as natural numbers.
    fn window(&mut self) -> Parsed<(u32, u32)> {
        let open = self.expect("[")?;
        let bounds = self.ends(",")?;
        self.close("]", open)?;
        Ok(bounds)
    }

    /// `3..7`, as natural numbers.
    fn bound(&mut self) -> Parsed<(u32, u32)> {
        self.ends("..")
    }

    /// Two natural numbers with something between them.
    fn ends(&mut self, between: &str) -> Parsed<(u32, u32)> {
        let start = self.peek().span;
        let mut ends = [0, 0];
        for (place, end) in ends.iter_mut().enumerate() {
            if place == 1 {
                self.expect(between)?;
            }
            if self.peek().kind != TokenKind::Number {
                return Err(self.unexpected("a number"));
            }
            let token = self.next();
            *end = token.text.parse().map_err(|_| self.bad_number(&token, "a bound must be below 2^32"))?;
        }
        if ends[0] > ends[1] {
            let finding = Diagnostic::error(codes::EMPTY_RANGE, start.to(self.last_span()), "this bound is empty")
                .here("the first number is the larger one");
            self.diagnostics.push(finding);
        }
        Ok((ends[0], ends[1]))
    }

    fn call(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let (function, arguments) = match token.text {
            "bool" => (Function::Bool, 1..=1),
            "word1" => (Function::Word1, 1..=1),
            "toint" => (Function::ToInteger, 1..=1),
            "signed" => (Function::Signed, 1..=1),
            "unsigned" => (Function::Unsigned, 1..=1),
            "extend" => (Function::Extend, 2..=2),
            "resize" => (Function::Resize, 2..=2),
            "sizeof" => (Function::SizeOf, 1..=1),
            "uwconst" => (Function::UnsignedConstant, 2..=2),
            "swconst" => (Function::SignedConstant, 2..=2),
            "count" => (Function::Count, 1..=usize::MAX),
            "abs" => (Function::Absolute, 1..=1),
            "min" => (Function::Minimum, 2..=2),
            "max" => (Function::Maximum, 2..=2),
            _ => return Err(self.unexpected("an expression")),
        };
        self.next();
        let list = self.bracketed("(", ")")?;
        if !arguments.contains(&list.len()) {
            let message = format!("`{}` takes {} arguments, not {}", token.text, arguments.start(), list.len());
            self.diagnostics.push(Diagnostic::error(codes::WRONG_ARGUMENT_COUNT, token.span, message).here("here"));
            return Ok(Expr::Wrong);
        }
        Ok(Expr::Call(function, list))
    }

    /// Parts and subscripts after an operand.
    pub(super) fn postfix(&mut self, mut operand: ExprId) -> Parsed<ExprId> {
        let start = self.file.tree.span(operand);
        loop {
            if self.accept(".") {
                let expr = if self.peek().kind == TokenKind::Number {
                    // Some old models number parts: `e.1`.
                    Expr::Dot(operand, self.next().text.to_owned())
                } else {
                    Expr::Dot(operand, self.named("a name after `.`")?.name)
                };
                operand = self.add(expr, start);
            } else if self.peek().is("[") && !(self.psl && self.at_repetition()) {
                let open = self.next().span;
                let index = self.expression()?;
                let expr = if self.accept(":") {
                    Expr::Slice(operand, index, self.expression()?)
                } else {
                    Expr::Index(operand, index)
                };
                self.close("]", open)?;
                operand = self.add(expr, start);
            } else {
                return Ok(operand);
            }
            if self.file.tree.depth(operand) > DEPTH_LIMIT {
                return Err(self.too_deep(start));
            }
        }
    }

    pub(super) fn bad_number(&mut self, token: &Token<'_>, reason: &str) -> Abort {
        let message = format!("`{}` cannot be represented", token.text);
        self.diagnostics.push(Diagnostic::error(codes::BAD_NUMBER, token.span, message).here(reason));
        Abort
    }

    fn number(&mut self) -> Parsed<Expr> {
        let token = self.next();
        match token.text.parse::<i64>() {
            Ok(value) if value <= i64::from(i32::MAX) => Ok(Expr::Number(value)),
            _ => Err(self.bad_number(&token, "numbers must be below 2^31")),
        }
    }

    /// `0`, then `u` or `s`, the base, the width, `_` and the digits.
    fn word_constant(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let text = &token.text[1..];
        let signed = text.starts_with('s');
        let text = text.trim_start_matches(['u', 's']);
        let base = match text.as_bytes()[0].to_ascii_lowercase() {
            b'b' => 2,
            b'o' => 8,
            b'd' => 10,
            _ => 16,
        };
        let (width, digits) = text[1..].split_once('_').expect("the lexer saw an underscore");
        let digits = digits.replace('_', "");
        if let Some(digit) = digits.chars().find(|digit| !digit.is_digit(base)) {
            return Err(self.bad_number(&token, &format!("`{digit}` is not a digit of base {base}")));
        }
        // Digits that no width admits are not converted, which would take long.
        let bits = if digits.trim_start_matches('0').len() > WIDEST_WORD as usize {
            return Err(self.bad_number(&token, &format!("words have at most {WIDEST_WORD} bits")));
        } else {
            Natural::parse(&digits, base).ok_or_else(|| self.bad_number(&token, "there are no digits"))?
        };
        let width = match width.parse::<u32>() {
            Ok(width) => width,
            // Without a width, each digit counts for the bits of its base, a power of two.
            Err(_) if width.is_empty() && base != 10 => {
                u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(base.ilog2())
            }
            Err(_) => return Err(self.bad_number(&token, "the width is missing or too large")),
        };
        if width == 0 || width > WIDEST_WORD {
            return Err(self.bad_number(&token, &format!("the width of a word is 1 to {WIDEST_WORD}")));
        }
        if bits.bits() > u64::from(width) {
            return Err(self.bad_number(&token, &format!("the value does not fit {width} bits")));
        }
        // Other bases give the bits of a signed word, decimals its value; the least value is written `-0sd4_8`.
        if signed && base == 10 && bits > Natural::power_of_two(width - 1) {
            let largest = match Natural::power_of_two(width - 1).small() {
                Some(beyond) => (beyond - 1).to_string(),
                None => format!("2^{} - 1", width - 1),
            };
            let reason = format!("the largest value of a signed word of {width} bits is {largest}");
            return Err(self.bad_number(&token, &reason));
        }
        Ok(Expr::Word(signed, width, bits))
    }

    /// The `!` directly behind a word of PSL, which asks for the strong form; all forms agree on infinite paths.
    pub(super) fn strong_mark(&mut self) -> bool {
        let mark = self.peek();
        let found = self.psl && mark.is("!") && mark.span.lo == self.last_span().hi;
        if found {
            self.next();
        }
        found
    }
}
