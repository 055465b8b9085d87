//! Boolean expressions with `!`, `&`, `|` and parentheses, evaluated while they are read.
//!
//! What: an operator-precedence reader with explicit stacks, shared by the labels and the acceptance conditions of the
//! HOA format. The caller feeds operands and signs and gets the value; nesting is limited by memory only.

use bdd::{Bdd, OutOfNodes};

/// What went wrong with an expression; the caller knows where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// An operator where an operand is needed, or the reverse.
    Misplaced,
    /// A parenthesis without its partner.
    Unbalanced,
    /// The value outgrew the limit of the manager.
    TooLarge,
}

impl From<OutOfNodes> for Fault {
    fn from(OutOfNodes: OutOfNodes) -> Self {
        Fault::TooLarge
    }
}

/// An expression that is being read.
#[derive(Default)]
pub(super) struct Expression {
    operands: Vec<Bdd>,
    operators: Vec<char>,
    /// Whether an operand has just been completed.
    complete: bool,
}

impl Expression {
    /// The next token is an operand.
    pub(super) fn operand(&mut self, value: Bdd) -> Result<(), Fault> {
        if self.complete {
            return Err(Fault::Misplaced);
        }
        self.operands.push(value);
        self.complete = true;
        Ok(())
    }

    /// The next token is one of `! & | ( )`.
    pub(super) fn sign(&mut self, sign: char) -> Result<(), Fault> {
        match sign {
            '!' | '(' if !self.complete => self.operators.push(sign),
            '&' | '|' if self.complete => {
                self.reduce(sign)?;
                self.operators.push(sign);
                self.complete = false;
            }
            ')' if self.complete => {
                self.reduce('|')?;
                if self.operators.pop() != Some('(') {
                    return Err(Fault::Unbalanced);
                }
            }
            _ => return Err(Fault::Misplaced),
        }
        Ok(())
    }

    /// The expression ends here.
    pub(super) fn finish(mut self) -> Result<Bdd, Fault> {
        if !self.complete {
            return Err(Fault::Misplaced);
        }
        self.reduce('|')?;
        match (self.operands.pop(), self.operators.is_empty()) {
            (Some(value), true) => Ok(value),
            _ => Err(Fault::Unbalanced),
        }
    }

    /// Applies the operators on top of the stack that bind at least as tightly as `next`.
    fn reduce(&mut self, next: char) -> Result<(), Fault> {
        let binding = |operator: char| match operator {
            '!' => 3,
            '&' => 2,
            '|' => 1,
            _ => 0,
        };
        while let Some(&operator) = self.operators.last()
            && binding(operator) >= binding(next)
        {
            self.operators.pop();
            let right = self.operands.pop().ok_or(Fault::Misplaced)?;
            let value = if operator == '!' {
                !right
            } else {
                let left = self.operands.pop().ok_or(Fault::Misplaced)?;
                if operator == '&' { left.try_and(&right)? } else { left.try_or(&right)? }
            };
            self.operands.push(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bdd::{Manager, Variable};

    fn value(manager: &Manager, text: &str) -> Result<Bdd, Fault> {
        let mut expression = Expression::default();
        for c in text.chars().filter(|c| *c != ' ') {
            match c.to_digit(10) {
                Some(digit) => expression.operand(manager.variable(Variable(digit)))?,
                None => expression.sign(c)?,
            }
        }
        expression.finish()
    }

    #[test]
    fn precedence_is_not_and_or() {
        let manager = Manager::new();
        let [a, b, c] = [0, 1, 2].map(|v| manager.variable(Variable(v)));
        let check = |text: &str, expected: Bdd| assert_eq!(value(&manager, text), Ok(expected), "{text}");
        check("!0 & 1 | 2", (!&a & &b) | &c);
        check("2 | 1 & !0", (!&a & &b) | &c);
        check("!(0 & 1 | !!2)", !((&a & &b) | &c));
        check("(0 | 1) & 2", (&a | &b) & &c);
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let manager = Manager::new();
        for text in ["", "!", "0 &", "& 0", "0 1", "()", "0 !", "(0)(1)"] {
            assert_eq!(value(&manager, text), Err(Fault::Misplaced), "{text}");
        }
        for text in ["(0", "0)", "((0)", "!(0 | 1"] {
            assert_eq!(value(&manager, text), Err(Fault::Unbalanced), "{text}");
        }
    }

    #[test]
    fn nesting_needs_no_stack() {
        let manager = Manager::new();
        let text = format!("{}0{}", "(".repeat(200_000), ")".repeat(200_000));
        assert_eq!(value(&manager, &text), Ok(manager.variable(Variable(0))));
        let text = format!("{}0", "!".repeat(200_001));
        assert_eq!(value(&manager, &text), Ok(!manager.variable(Variable(0))));
    }
}
