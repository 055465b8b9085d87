//! Why a trace of an SMV model violates its property, state by state.
//!
//! The trace is read as a word, and the property as a formula of linear time that is false on it
//! ([`symbolic::validate::retrace::reading`]); the proof is the same as for Promela models ([`crate::proof`]).

use crate::observation::{Falsified, observe};
use crate::proof::{self, Positions};
use crate::report::Observation;
use flat::model::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, Model, NodeId, Property, Question};
use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::formula::{AtomId, Formula, Formulas, Node};
use omega::print::{Notation, print_with};
use omega::word::Word;
use std::collections::HashMap;
use symbolic::report::Trace;
use symbolic::validate::retrace::reading::{Meaning, Reading, reading};

/// Said where the main line of a tree does not suffice.
const IN_PART: &str = "a proof needs more than the states of the main line: what is true on all paths, or on branches";

/// Said where a limit is reached.
const CUT_SHORT: &str = "a limit was reached before the proof was complete";

/// The proof that a trace shows a property to be false, one fact a line.
#[must_use]
pub fn lines(sources: &SourceMap, model: &Model, property: &Property, trace: &Trace, budget: &Budget) -> Vec<String> {
    let Ok(Some(reading)) = reading(model, property, trace) else { return vec![IN_PART.into()] };
    let speller = Speller::new(sources, model, &reading);
    let places: Vec<usize> = (0..reading.word.len()).collect();
    let Reading { formulas, formula, word, .. } = &reading;
    let read = proof::Reading { formulas, formula: *formula, word, places: &places, positions: Positions::States };
    let Ok(mut lines) = proof::lines(read, &|formula| speller.spell(formula), budget) else {
        return vec![CUT_SHORT.into()];
    };
    if matches!(property.question, Question::Ctl(_)) {
        let linear = speller.spell(*formula);
        lines.insert(0, format!("on this path {linear} is false, which the property demands of every path:"));
    }
    lines
}

/// How the automaton of the negated formula reads a trace.
#[must_use]
pub fn observation(
    sources: &SourceMap,
    model: &Model,
    property: &Property,
    trace: &Trace,
    budget: &Budget,
) -> Option<Observation> {
    let Question::Ltl(_) = property.question else { return None };
    let reading = reading(model, property, trace).ok()??;
    let speller = Speller::new(sources, model, &reading);
    let word = Word::new(speller.names.clone(), reading.word.stem().to_vec(), reading.word.cycle().to_vec());
    let places: Vec<usize> = (0..word.len()).collect();
    let (formulas, formula) = speller.spelled_out(reading.formula);
    let length = trace.states.len().saturating_sub(1) + usize::from(trace.loop_start.is_some());
    observe(&Falsified { formulas: &formulas, formula, word: &word, places: &places, length }, budget)
}

/// An expression as the text of the model writes it, on one line.
#[must_use]
pub fn expression(sources: &SourceMap, model: &Model, node: NodeId) -> String {
    let text = sources.snippet(sources.place(model.facts(node).span));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes formulas whose atoms are expressions of a model.
struct Speller<'a> {
    formulas: &'a Formulas,
    /// The text of each atom, by its number.
    names: Vec<String>,
}

impl<'a> Speller<'a> {
    fn new(sources: &SourceMap, model: &Model, reading: &'a Reading) -> Self {
        let words = Words { sources, model };
        let name = |atom: &Meaning| match atom {
            Meaning::Node(node) => expression(sources, model, *node),
            Meaning::Branching(formula) => words.formula(formula),
        };
        Speller { formulas: &reading.formulas, names: reading.atoms.iter().map(name).collect() }
    }

    /// The same formula in a pool whose atoms have the texts as their names.
    fn spelled_out(&self, formula: Formula) -> (Formulas, Formula) {
        let (mut formulas, mut same) = (Formulas::new(), HashMap::new());
        // Operands come before what is made of them.
        for part in self.formulas.subformulas(formula) {
            let copy = match self.formulas.node(part) {
                Node::Atom(atom) => formulas.atom(&self.names[atom.index()]),
                node => formulas.intern(node.map(|operand| same[&operand])),
            };
            same.insert(part, copy);
        }
        (formulas, same[&formula])
    }

    fn spell(&self, formula: Formula) -> String {
        let spell = |atom: AtomId| omega::print::expression(&self.names[atom.index()], Notation::NuSmv);
        print_with(self.formulas, formula, Notation::NuSmv, &spell)
    }
}

/// Formulas of branching time in words of the model.
struct Words<'a> {
    sources: &'a SourceMap,
    model: &'a Model,
}

impl Words<'_> {
    /// Recurses no deeper than the formula, which is limited.
    fn formula(&self, formula: &CtlFormula) -> String {
        let joined = |parts: &[CtlFormula], sign: &str| {
            parts.iter().map(|part| self.operand(part)).collect::<Vec<_>>().join(sign)
        };
        match formula {
            CtlFormula::Atom(node) => expression(self.sources, self.model, *node),
            CtlFormula::Not(a) => format!("!{}", self.operand(a)),
            CtlFormula::And(parts) => joined(parts, " & "),
            CtlFormula::Or(parts) => joined(parts, " | "),
            CtlFormula::Xor(a, b) => format!("{} xor {}", self.operand(a), self.operand(b)),
            CtlFormula::Unary(operator, a) => {
                let operator = match operator {
                    CtlUnary::EX => "EX",
                    CtlUnary::AX => "AX",
                    CtlUnary::EF => "EF",
                    CtlUnary::AF => "AF",
                    CtlUnary::EG => "EG",
                    CtlUnary::AG => "AG",
                };
                format!("{operator} {}", self.operand(a))
            }
            CtlFormula::Bounded(operator, low, high, a) => {
                let operator = match operator {
                    CtlBounded::EBF => "EBF",
                    CtlBounded::ABF => "ABF",
                    CtlBounded::EBG => "EBG",
                    CtlBounded::ABG => "ABG",
                };
                format!("{operator} {low}..{high} {}", self.operand(a))
            }
            CtlFormula::Binary(operator, a, b) => {
                let quantifier = if *operator == CtlBinary::EU { "E" } else { "A" };
                format!("{quantifier} [ {} U {} ]", self.operand(a), self.operand(b))
            }
            CtlFormula::BoundedUntil(all, low, high, a, b) => {
                let quantifier = if *all { "A" } else { "E" };
                format!("{quantifier} [ {} BU {low}..{high} {} ]", self.operand(a), self.operand(b))
            }
        }
    }

    /// A formula in parentheses, unless it is one word.
    fn operand(&self, formula: &CtlFormula) -> String {
        let text = self.formula(formula);
        let is_word = text.chars().all(|letter| letter.is_alphanumeric() || "_.[]".contains(letter));
        if is_word { text } else { format!("({text})") }
    }
}
