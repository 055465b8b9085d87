//! The integer expressions of `#if` and `#elif`, computed in 64 bits as C99 asks.
//!
//! The right side of `&&`, `||` and the branches of `? :` are computed even when they do not count;
//! what is wrong there (a division by zero) then does not count either.

use crate::lex::{Token, TokenKind};
use crate::thresholds::front::CONDITION_DEPTH;
use kernel::span::Span;

/// An error message and its position.
type Wrong = (Span, String);

/// The value of an expression after macro expansion; names that are left count as 0.
pub(super) fn evaluate(tokens: &[Token], place: Span) -> Result<i64, Wrong> {
    let mut reader = Reader { tokens, at: 0, place };
    let value = reader.conditional(0)?;
    match tokens.get(reader.at) {
        Some(extra) => Err((extra.span, format!("`{}` does not continue the condition", extra.text))),
        None => value,
    }
}

/// A value, or the error to report if the value is needed.
type Value = Result<i64, Wrong>;

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    place: Span,
}

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token.is(text));
        self.at += usize::from(found);
        found
    }

    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.place, |token| token.span)
    }

    fn conditional(&mut self, depth: usize) -> Result<Value, Wrong> {
        if depth > CONDITION_DEPTH {
            return Err((self.here(), "the condition is nested too deeply".into()));
        }
        let condition = self.binary(0, depth)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.conditional(depth + 1)?;
        if !self.eat(":") {
            return Err((self.here(), "`:` is missing after `?`".into()));
        }
        let otherwise = self.conditional(depth + 1)?;
        Ok(condition.and_then(|c| if c != 0 { then } else { otherwise }))
    }

    fn binary(&mut self, minimum: u8, depth: usize) -> Result<Value, Wrong> {
        let mut left = self.unary(depth)?;
        while let Some(token) = self.tokens.get(self.at) {
            let Some(strength) = strength(&token.text).filter(|s| *s >= minimum && token.kind == TokenKind::Punct)
            else {
                break;
            };
            let (operator, span) = (token.text.clone(), token.span);
            self.at += 1;
            if depth > CONDITION_DEPTH {
                return Err((span, "the condition is nested too deeply".into()));
            }
            let right = self.binary(strength + 1, depth + 1)?;
            left = apply(&operator, left, right, span);
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Value, Wrong> {
        if depth > CONDITION_DEPTH {
            return Err((self.here(), "the condition is nested too deeply".into()));
        }
        if self.eat("!!") {
            return Ok(self.unary(depth + 1)?.map(|v| i64::from(v != 0)));
        }
        if self.eat("!") {
            return Ok(self.unary(depth + 1)?.map(|v| i64::from(v == 0)));
        }
        if self.eat("-") {
            return Ok(self.unary(depth + 1)?.map(i64::wrapping_neg));
        }
        if self.eat("+") {
            return self.unary(depth + 1);
        }
        if self.eat("~") {
            return Ok(self.unary(depth + 1)?.map(|v| !v));
        }
        if self.eat("(") {
            let inside = self.conditional(depth + 1)?;
            return if self.eat(")") { Ok(inside) } else { Err((self.here(), "`)` is missing".into())) };
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Value, Wrong> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err((self.place, "the condition is not complete".into()));
        };
        self.at += 1;
        match token.kind {
            TokenKind::Word => Ok(Ok(0)),
            TokenKind::Number => match number(&token.text) {
                Some(value) => Ok(Ok(value)),
                None => Err((token.span, format!("`{}` is not an integer", token.text))),
            },
            TokenKind::Char => Ok(Ok(crate::constant::character(&token.text).into())),
            _ => Err((token.span, format!("`{}` cannot stand in a condition", token.text))),
        }
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hexadecimal) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        return i64::from_str_radix(hexadecimal, 16).ok();
    }
    match digits.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8).ok(),
        _ => digits.parse().ok(),
    }
}

fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | "<=" | ">" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}

fn apply(operator: &str, left: Value, right: Value, span: Span) -> Value {
    let a = left?;
    match operator {
        "&&" if a == 0 => return Ok(0),
        "||" if a != 0 => return Ok(1),
        _ => {}
    }
    let b = right?;
    let divisor = || if b == 0 { Err((span, "division by zero".to_string())) } else { Ok(b) };
    let shift = u32::try_from(b.clamp(0, 63)).expect("clamped");
    Ok(match operator {
        "&&" | "||" => i64::from(b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "<<" => a.wrapping_shl(shift),
        ">>" => a >> shift,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.wrapping_div(divisor()?),
        _ => a.wrapping_rem(divisor()?),
    })
}
