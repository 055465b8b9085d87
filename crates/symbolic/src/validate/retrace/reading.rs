//! A recorded trace read as a word, and its property as a formula of linear time that is false on the word.
//!
//! What: a proof that the property is violated is one for this formula on this word ([`omega::semantics`]). A formula of
//! linear time is read as it is. Of one of branching time the path quantifiers are dropped: what a formula demands of all
//! paths it demands of this one, so that a path on which the formula without them is false is a counterexample. The
//! operators that no path can falsify (about some path, or about all paths under a negation) become atoms with the truth
//! that the trace shows, by its branches or by enumeration. Where the main line alone does not falsify the
//! formula, because branches show a part of it, the operators that the branches are about become atoms, too.
//!
//! Contract: the formula is false at the first position of the word, and every fact that its falsity rests on is one that the
//! trace shows. Of a finite path this must not depend on what follows: after the end, each atom has the truth that speaks
//! for the formula. For that each atom is there twice, once for its occurrences under an even number of negations.
//! Tested by `tests/explained.rs`: the facts that proofs rest on, against enumeration.

use omega::formula::{Formula, Formulas, Node};
use omega::propositions::Propositions;
use omega::semantics::satisfies;
use omega::word::{Letter, Word};

use super::shown::Judge;
use super::{Tree, Wrong, is_of_cone, read};
use crate::report::Trace;
use crate::thresholds::validate::LARGEST_EXPLAINED_BOUND;
use flat::cone;
use flat::enumerate::Rules;
use flat::model::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, Model, NodeId, Property, Question};

/// What an atom of the formula says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A Boolean expression of the model.
    Node(NodeId),
    /// A formula of branching time that the main line does not show.
    Branching(CtlFormula),
}

/// A trace read as a word.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The pool of the formula.
    pub formulas: Formulas,
    /// The formula, false on the word.
    pub formula: Formula,
    /// The meaning of each atom of the pool, by its number.
    pub atoms: Vec<Meaning>,
    /// The word. Its positions are the states of the trace; of a finite path one more, after its end.
    pub word: Word,
}

/// The reading of a trace that shows that a property is false; none if the main line and the truth that the trace shows of
/// other formulas do not falsify it.
///
/// # Errors
/// Where the trace has values that the model does not have.
pub fn reading(model: &Model, property: &Property, trace: &Trace) -> Result<Option<Reading>, Wrong> {
    let sliced = is_of_cone(model, trace).then(|| cone::slice(model, &property.question.atoms()));
    let (model, cone) = sliced.as_ref().map_or((model, None), |(model, cone)| (model, Some(cone)));
    let tree = read(model, cone, trace)?;
    let mut reader = Reader { rules: Rules::new(model), judge: Judge::new(model), tree: &tree };
    match &property.question {
        Question::Ltl(formula) => Ok(tree.loop_start.map(|loop_start| {
            let word = formula.word(tree.states.len(), loop_start, |node, at| Some(reader.holds(node, at)));
            let atoms = formula.nodes().iter().map(|node| Meaning::Node(*node)).collect();
            Reading { formulas: formula.formulas().clone(), formula: formula.root(), atoms, word }
        })),
        Question::Ctl(formula) => {
            let whole = Writer::default().read(formula, &mut reader);
            let along = || Writer { follows_main_line: true, ..Writer::default() }.read(formula, &mut reader);
            Ok(whole.or_else(along))
        }
        Question::Invariant(node) => {
            let globally = CtlFormula::Unary(CtlUnary::AG, Box::new(CtlFormula::Atom(*node)));
            Ok(Writer::default().read(&globally, &mut reader))
        }
        Question::Shortest(..) | Question::Longest(..) => Ok(None),
    }
}

/// Finds the truth of atoms at the positions of a trace.
struct Reader<'a> {
    rules: Rules<'a>,
    judge: Judge<'a>,
    tree: &'a Tree,
}

impl Reader<'_> {
    fn holds(&mut self, node: NodeId, at: usize) -> bool {
        let next = self.tree.after(at).map(|next| self.tree.states[next].as_slice());
        self.rules.holds(node, &self.tree.states[at], next)
    }

    /// The truth of an atom, if it is known.
    fn truth(&mut self, meaning: &Meaning, at: usize) -> Option<bool> {
        match meaning {
            Meaning::Node(node) => {
                let mentions = self.rules.model().facts(*node).mentions;
                let is_about_steps = mentions.next || mentions.input;
                (!is_about_steps || self.tree.after(at).is_some()).then(|| self.holds(*node, at))
            }
            Meaning::Branching(formula) => self.judge.truth(formula, self.tree, at),
        }
    }
}

/// Writes a formula of branching time as one of linear time.
#[derive(Default)]
struct Writer {
    formulas: Formulas,
    /// The atoms by their numbers, with whether they stand under an even number of negations.
    atoms: Vec<(Meaning, bool)>,
    /// Whether what the main line of a tree does not go on to show becomes an atom.
    follows_main_line: bool,
}

impl Writer {
    /// The formula and the word, if the formula is false on it.
    fn read(mut self, formula: &CtlFormula, reader: &mut Reader<'_>) -> Option<Reading> {
        let formula = self.write(formula, true);
        let tree = reader.tree;
        let states = tree.states.len();
        // What is not known, and what comes after the end, speaks for the formula.
        let mut letter = |at: usize| -> Letter {
            let truth = |(meaning, favourable): &(Meaning, bool)| {
                let known = if at < states { reader.truth(meaning, at) } else { None };
                Some(known.unwrap_or(*favourable))
            };
            self.atoms.iter().map(truth).collect()
        };
        let last = states - usize::from(tree.loop_start.is_some());
        let mut stem: Vec<Letter> = (0..=last).map(&mut letter).collect();
        let cycle = stem.split_off(tree.loop_start.unwrap_or(states));
        let names = (0..self.atoms.len()).map(|atom| atom.to_string());
        let word = Word::new(Propositions::named(names), stem, cycle);
        let atoms = self.atoms.iter().map(|(meaning, _)| meaning.clone()).collect();
        let is_false = !satisfies(&self.formulas, formula, &word);
        is_false.then_some(Reading { formulas: self.formulas, formula, atoms, word })
    }

    fn atom(&mut self, meaning: Meaning, favourable: bool) -> Formula {
        let atom = (meaning, favourable);
        let number = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        self.formulas.atom(&number.to_string())
    }

    fn opaque(&mut self, formula: &CtlFormula, favourable: bool) -> Formula {
        match formula {
            CtlFormula::Atom(node) => self.atom(Meaning::Node(*node), favourable),
            _ => self.atom(Meaning::Branching(formula.clone()), favourable),
        }
    }

    /// What must be shown at each state on the way: the main line shows it of the states alone.
    fn on_the_way(&mut self, formula: &CtlFormula, positive: bool) -> Formula {
        match self.follows_main_line && is_temporal(formula) {
            true => self.opaque(formula, positive),
            false => self.write(formula, positive),
        }
    }

    /// A formula, to be shown false if `positive` is true, and true otherwise. Recurses no deeper than the formula, which is
    /// limited.
    fn write(&mut self, formula: &CtlFormula, positive: bool) -> Formula {
        if !is_shown_by_paths(formula, positive) {
            return self.opaque(formula, positive);
        }
        match formula {
            CtlFormula::Atom(node) => self.atom(Meaning::Node(*node), positive),
            CtlFormula::Not(a) => {
                let a = self.write(a, !positive);
                self.formulas.intern(Node::Not(a))
            }
            CtlFormula::And(parts) => {
                let parts = self.parts(parts, positive, !positive);
                self.formulas.and(parts)
            }
            CtlFormula::Or(parts) => {
                let parts = self.parts(parts, positive, positive);
                // An implication is one again.
                match (parts.as_slice(), parts.first().map(|first| self.formulas.node(*first).clone())) {
                    (&[_, then], Some(Node::Not(condition))) => self.formulas.intern(Node::Implies(condition, then)),
                    _ => self.formulas.or(parts),
                }
            }
            CtlFormula::Unary(operator, a) => {
                let goal = matches!(operator, CtlUnary::AX | CtlUnary::EX | CtlUnary::AG | CtlUnary::EF);
                let a = if goal { self.write(a, positive) } else { self.on_the_way(a, positive) };
                self.formulas.intern(match operator {
                    CtlUnary::AX | CtlUnary::EX => Node::Next(a),
                    CtlUnary::AF | CtlUnary::EF => Node::Eventually(a),
                    CtlUnary::AG | CtlUnary::EG => Node::Always(a),
                })
            }
            CtlFormula::Binary(operator, a, b) => {
                let (a, b) = match operator {
                    CtlBinary::AU => (self.write(a, positive), self.on_the_way(b, positive)),
                    CtlBinary::EU => (self.on_the_way(a, positive), self.write(b, positive)),
                };
                self.formulas.intern(Node::Until(a, b))
            }
            CtlFormula::Bounded(operator, low, high, a) => {
                let is_always = matches!(operator, CtlBounded::ABG | CtlBounded::EBG);
                let goal = matches!(operator, CtlBounded::ABG | CtlBounded::EBF);
                let a = if goal { self.write(a, positive) } else { self.on_the_way(a, positive) };
                self.written_out(*low, *high, |formulas, here, rest| {
                    let both = here.then_some(a).into_iter().chain(rest);
                    if is_always { formulas.and(both) } else { formulas.or(both) }
                })
            }
            CtlFormula::BoundedUntil(all, low, high, a, b) => {
                let (a, b) = match all {
                    true => (self.write(a, positive), self.on_the_way(b, positive)),
                    false => (self.on_the_way(a, positive), self.write(b, positive)),
                };
                self.written_out(*low, *high, |formulas, here, rest| {
                    let wait = rest.map(|rest| formulas.and([a, rest]));
                    formulas.or(here.then_some(b).into_iter().chain(wait))
                })
            }
            CtlFormula::Xor(..) => self.opaque(formula, positive),
        }
    }

    /// The operands of a junction; where all of them are to be shown, the main line goes on with the first about paths.
    fn parts(&mut self, parts: &[CtlFormula], positive: bool, all: bool) -> Vec<Formula> {
        let on_line = |part: &CtlFormula| is_temporal(part) && is_shown_by_paths(part, positive);
        let main = parts.iter().position(on_line);
        let is_branch = |at: usize| self.follows_main_line && all && Some(at) != main && is_temporal(&parts[at]);
        let branches: Vec<bool> = (0..parts.len()).map(is_branch).collect();
        let part = |(part, branch): (&CtlFormula, bool)| match branch {
            true => self.opaque(part, positive),
            false => self.write(part, positive),
        };
        parts.iter().zip(branches).map(part).collect()
    }

    /// A bounded operator as nested next operators.
    fn written_out(
        &mut self,
        low: u32,
        high: u32,
        at: impl Fn(&mut Formulas, bool, Option<Formula>) -> Formula,
    ) -> Formula {
        let mut rest = None;
        for done in (0..=high).rev() {
            let next = rest.map(|rest| self.formulas.next(rest));
            rest = Some(at(&mut self.formulas, done >= low, next));
        }
        rest.expect("at least one step")
    }
}

fn is_temporal(formula: &CtlFormula) -> bool {
    match formula {
        CtlFormula::Atom(_) => false,
        CtlFormula::Not(_) | CtlFormula::And(_) | CtlFormula::Or(_) | CtlFormula::Xor(..) => {
            formula.operands().into_iter().any(is_temporal)
        }
        _ => true,
    }
}

/// Whether a path can show the outermost operator false, or true if `positive` is false.
fn is_shown_by_paths(formula: &CtlFormula, positive: bool) -> bool {
    let is_about_all_paths = match formula {
        CtlFormula::Unary(operator, _) => matches!(operator, CtlUnary::AX | CtlUnary::AF | CtlUnary::AG),
        CtlFormula::Binary(operator, ..) => *operator == CtlBinary::AU,
        CtlFormula::Bounded(operator, _, high, _) if *high <= LARGEST_EXPLAINED_BOUND => {
            matches!(operator, CtlBounded::ABF | CtlBounded::ABG)
        }
        CtlFormula::BoundedUntil(all, _, high, ..) if *high <= LARGEST_EXPLAINED_BOUND => *all,
        CtlFormula::Bounded(..) | CtlFormula::BoundedUntil(..) | CtlFormula::Xor(..) => return false,
        CtlFormula::Atom(_) | CtlFormula::Not(_) | CtlFormula::And(_) | CtlFormula::Or(_) => return true,
    };
    is_about_all_paths == positive
}
