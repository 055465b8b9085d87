//! Temporal properties of a model, in terms of the logic: formulas over atoms that are expressions.
//!
//! *What.* [`Claim`] splits the formula of an `ltl` block: temporal and Boolean operators become an
//! [`omega`] formula, and each expression about one state becomes an atom, named by its text. Conjunctions,
//! disjunctions and negations inside an expression are split as well, so that `[] (a && b)` and
//! `[] a && [] b` have the same atoms.
//!
//! *Contract.* Equal texts are one atom. Constants become the constants of the logic.

pub mod never;
mod own;

use std::collections::BTreeMap;

use kernel::span::{FileId, Span};
use omega::formula::{Formula, Formulas};

use crate::show;
use crate::typed::{BinaryOp, Expr, ExprKind, Ltl, LtlOp, Program, UnaryOp};

/// A formula, and the expressions of its atoms.
#[derive(Debug)]
pub struct Claim {
    /// The pool that the formula lives in.
    pub formulas: Formulas,
    /// The formula.
    pub formula: Formula,
    /// The name and the expression of each atom, at the index that the pool gives it.
    pub atoms: Vec<(String, Expr)>,
}

impl Claim {
    /// No run stays away from `progress` labels forever.
    #[must_use]
    pub fn progress(program: &Program) -> Self {
        let atom = Box::new(Ltl::Atom(unwritten(ExprKind::NonProgress)));
        Self::new(program, &Ltl::Not(Box::new(Ltl::Eventually(Box::new(Ltl::Always(atom))))))
    }

    /// No run visits `accept` labels infinitely often.
    #[must_use]
    pub fn acceptance(program: &Program) -> Self {
        let atom = Box::new(Ltl::Atom(unwritten(ExprKind::Acceptance)));
        Self::new(program, &Ltl::Not(Box::new(Ltl::Always(Box::new(Ltl::Eventually(atom))))))
    }

    /// Splits a formula of a program into operators and atoms.
    #[must_use]
    pub fn new(program: &Program, ltl: &Ltl) -> Self {
        let mut binder = Binder::new(program);
        let formula = binder.ltl(ltl);
        Self { formulas: binder.formulas, formula, atoms: binder.atoms }
    }
}

/// An expression that the text of the model does not contain.
fn unwritten(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::new(FileId(0), 0, 0) }
}

/// Makes formulas of expressions, and numbers their atoms: equal texts are one atom.
struct Binder<'p> {
    program: &'p Program,
    formulas: Formulas,
    numbers: BTreeMap<String, Formula>,
    /// Name and expression of each atom, at the index that the pool gives it.
    atoms: Vec<(String, Expr)>,
}

impl<'p> Binder<'p> {
    fn new(program: &'p Program) -> Self {
        Self { program, formulas: Formulas::new(), numbers: BTreeMap::new(), atoms: Vec::new() }
    }

    fn ltl(&mut self, ltl: &Ltl) -> Formula {
        match ltl {
            Ltl::Atom(expr) => self.state(expr),
            Ltl::Not(inner) => {
                let inner = self.ltl(inner);
                self.formulas.not(inner)
            }
            Ltl::Next(inner) => {
                let inner = self.ltl(inner);
                self.formulas.next(inner)
            }
            Ltl::Always(inner) => {
                let inner = self.ltl(inner);
                self.formulas.always(inner)
            }
            Ltl::Eventually(inner) => {
                let inner = self.ltl(inner);
                self.formulas.eventually(inner)
            }
            Ltl::Binary(op, left, right) => {
                let (left, right) = (self.ltl(left), self.ltl(right));
                match op {
                    LtlOp::And => self.formulas.and([left, right]),
                    LtlOp::Or => self.formulas.or([left, right]),
                    LtlOp::Implies => self.formulas.implies(left, right),
                    LtlOp::Iff => self.formulas.iff(left, right),
                    LtlOp::Until => self.formulas.until(left, right),
                    LtlOp::Release => self.formulas.release(left, right),
                    LtlOp::WeakUntil => self.formulas.weak_until(left, right),
                }
            }
        }
    }

    /// The formula of an expression about one state. Recurses as deep as the expression, which the parser bounds.
    fn state(&mut self, expr: &Expr) -> Formula {
        match &expr.kind {
            ExprKind::Const(value) => self.formulas.constant(*value != 0),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.state(inner);
                self.formulas.not(inner)
            }
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (left, right) = (self.state(left), self.state(right));
                self.formulas.and([left, right])
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let (left, right) = (self.state(left), self.state(right));
                self.formulas.or([left, right])
            }
            _ => self.atom(expr),
        }
    }

    fn atom(&mut self, expr: &Expr) -> Formula {
        let name = show::condition(self.program, expr);
        if let Some(known) = self.numbers.get(&name) {
            return *known;
        }
        let atom = self.formulas.atom(&name);
        self.numbers.insert(name.clone(), atom);
        self.atoms.push((name, expr.clone()));
        atom
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::{self, NoFiles, PreprocessorOptions};
    use kernel::span::SourceMap;
    use omega::print::{Notation, print};

    #[track_caller]
    fn check(formula: &str, expected: &str, atoms: &[&str]) {
        let mut sources = SourceMap::new();
        let text = format!("byte x; bool b; active proctype P() {{ L: x = 1 }} ltl p {{ {formula} }}");
        let file = sources.add_file("m.pml", text, None);
        let program = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles)
            .program
            .expect("a correct model");
        let claim = Claim::new(&program, &program.ltl[0].formula);
        assert_eq!(print(&claim.formulas, claim.formula, Notation::Spot), expected);
        assert_eq!(claim.atoms.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), atoms);
    }

    #[test]
    fn atoms_are_shared_and_constants_vanish() {
        check("[] (x == 1 -> <> (x == 1 && b))", "G(\"x==1\" -> F(\"x==1\" & b))", &["x==1", "b"]);
        check("<> (P@L && !b)", "F(\"P@L\" & !b)", &["P@L", "b"]);
        check("[] (true || b)", "1", &["b"]);
    }
}
