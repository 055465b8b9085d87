//! Translators with one mistake each, which the testbench must find.
//!
//! What: [`MUTANTS`] lists wrong translators, each made from a correct one (Couvreur's construction, lightly reduced) by one
//! change: to the formula before, as a wrong rule would; to the automaton after; or to the behaviour of the program. The
//! binary `mutant` makes commands of them.
//!
//! Contract: a mutant is wrong on some formula and right on most. Used by: `tests/mutants.rs`.

use kernel::budget::Budget;
use omega::automaton::{Automaton, Marks, State};
use omega::formula::{Formula, Formulas, Node};
use omega::io::hoa;
use omega::pipeline::{Level, Output, TranslationOptions, translate};

/// One wrong translator.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// Its name.
    pub name: &'static str,
    /// Its mistake.
    mistake: Mistake,
}

#[derive(Clone, Copy, Debug)]
enum Mistake {
    /// None: it is correct, for comparison.
    None,
    /// A wrong rule for one operator, applied wherever it fits.
    Rule(fn(&mut Formulas, &Node) -> Option<Formula>),
    /// A change to the formula as a whole.
    Formula(fn(&mut Formulas, Formula) -> Formula),
    /// A change to the state-based automaton.
    Automaton(fn(&Automaton) -> Automaton),
    /// A change to the automaton with several acceptance sets.
    Generalized(fn(&Automaton) -> Automaton),
    /// A change to the text.
    Text(fn(&str) -> String),
    /// Something that the program does where a formula has some operator.
    Behaviour(Behaviour, fn(&Node) -> bool),
}

/// The misbehaviours of an external program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Never end.
    Loop,
    /// End by a signal.
    Crash,
    /// End with an exit code.
    Exit,
    /// Take memory without end.
    Memory,
}

/// The result of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// This text.
    Text(String),
    /// This behaviour.
    Behaviour(Behaviour),
}

const fn rule(name: &'static str, rule: fn(&mut Formulas, &Node) -> Option<Formula>) -> Mutant {
    Mutant { name, mistake: Mistake::Rule(rule) }
}

const fn formula(name: &'static str, change: fn(&mut Formulas, Formula) -> Formula) -> Mutant {
    Mutant { name, mistake: Mistake::Formula(change) }
}

const fn automaton(name: &'static str, change: fn(&Automaton) -> Automaton) -> Mutant {
    Mutant { name, mistake: Mistake::Automaton(change) }
}

const fn generalized(name: &'static str, change: fn(&Automaton) -> Automaton) -> Mutant {
    Mutant { name, mistake: Mistake::Generalized(change) }
}

const fn text(name: &'static str, change: fn(&str) -> String) -> Mutant {
    Mutant { name, mistake: Mistake::Text(change) }
}

const fn behaviour(name: &'static str, what: Behaviour, on: fn(&Node) -> bool) -> Mutant {
    Mutant { name, mistake: Mistake::Behaviour(what, on) }
}

/// All mutants.
pub const MUTANTS: [Mutant; 41] = [
    rule("until-is-release", |f, node| node_of(f, node, |n| matches!(n, Node::Until(..)), Formulas::release)),
    rule("release-is-until", |f, node| node_of(f, node, |n| matches!(n, Node::Release(..)), Formulas::until)),
    rule("until-is-weak", |f, node| node_of(f, node, |n| matches!(n, Node::Until(..)), Formulas::weak_until)),
    rule("release-is-strong", |f, node| node_of(f, node, |n| matches!(n, Node::Release(..)), Formulas::strong_release)),
    rule("until-turned-around", |f, node| node_of(f, node, |n| matches!(n, Node::Until(..)), |f, a, b| f.until(b, a))),
    rule("release-turned-around", |f, node| {
        node_of(f, node, |n| matches!(n, Node::Release(..)), |f, a, b| f.release(b, a))
    }),
    rule("implication-turned-around", |f, node| {
        node_of(f, node, |n| matches!(n, Node::Implies(..)), |f, a, b| f.implies(b, a))
    }),
    rule("equivalence-is-implication", |f, node| node_of(f, node, |n| matches!(n, Node::Iff(..)), Formulas::implies)),
    rule("until-looks-one-step-ahead", |f, node| {
        node_of(
            f,
            node,
            |n| matches!(n, Node::Until(..)),
            |f, a, b| {
                let later = f.next(b);
                let second = f.and([a, later]);
                f.or([b, second])
            },
        )
    }),
    rule("or-is-exclusive", |f, node| match node {
        Node::Or(members) if members.len() == 2 => Some(f.xor(members[0], members[1])),
        _ => None,
    }),
    rule("and-is-or", |f, node| match node {
        Node::And(members) => Some(f.or(members.iter().copied())),
        _ => None,
    }),
    rule("eventually-not-now", |f, node| match *node {
        Node::Eventually(a) => {
            let eventually = f.eventually(a);
            Some(f.next(eventually))
        }
        _ => None,
    }),
    rule("always-not-now", |f, node| match *node {
        Node::Always(a) => {
            let always = f.always(a);
            Some(f.next(always))
        }
        _ => None,
    }),
    rule("next-is-now", |_, node| if let Node::Next(a) = *node { Some(a) } else { None }),
    rule("next-next", |f, node| match *node {
        Node::Next(a) => {
            let next = f.next(a);
            Some(f.next(next))
        }
        _ => None,
    }),
    rule("negated-until-stays-until", |f, node| {
        negated(
            f,
            node,
            |inner| match *inner {
                Node::Until(a, b) => Some((a, b)),
                _ => None,
            },
            Formulas::until,
        )
    }),
    rule("negated-always-stays-always", |f, node| {
        negated(
            f,
            node,
            |inner| match *inner {
                Node::Always(a) => Some((Formula::FALSE, a)),
                _ => None,
            },
            |f, _, b| f.always(b),
        )
    }),
    rule("true-is-false", |_, node| (*node == Node::True).then_some(Formula::FALSE)),
    rule("infinitely-often-is-at-last", |f, node| match *node {
        Node::Always(a) => match *f.node(a) {
            Node::Eventually(inner) => {
                let always = f.always(inner);
                Some(f.eventually(always))
            }
            _ => None,
        },
        _ => None,
    }),
    formula("rejects-a-rare-alternation", |f, formula| without(f, formula, "101010101010")),
    formula("rejects-a-rare-sequence", |f, formula| without(f, formula, "110100010111")),
    automaton("lost-accepting-state", lost_accepting_state),
    automaton("everything-accepting", |a| remarked(a, 1, |_, _| Marks::one(0))),
    automaton("nothing-accepting", |a| remarked(a, 1, |_, _| Marks::NONE)),
    automaton("wrong-initial-state", |a| {
        let mut new = a.clone();
        new.set_initial(a.state_count() as State - 1);
        new
    }),
    automaton("lost-initial-edge", |a| without_last_edge(a, a.initial())),
    automaton("lost-last-edge", |a| without_last_edge(a, a.state_count() as State - 1)),
    automaton("negated-label", |a| relabelled(a, |label| !label)),
    automaton("forgotten-literal", |a| relabelled(a, |label| label.exists(&label.support()[..1]))),
    automaton("extra-loop", |a| {
        let mut new = a.clone();
        new.add_edge(a.initial(), a.initial(), &a.manager().yes(), Marks::one(0));
        new
    }),
    automaton("merged-states", |a| {
        let mut new = a.clone();
        let last = a.state_count() as State - 1;
        for state in a.states() {
            new.edges_mut(state)
                .iter_mut()
                .filter(|edge| edge.target == last)
                .for_each(|edge| edge.target = a.initial());
        }
        new
    }),
    automaton("swapped-propositions", swapped_propositions),
    generalized("any-set-is-enough", |a| {
        remarked(a, 1.min(a.sets()), |_, marks| if marks.is_empty() { marks } else { Marks::one(0) })
    }),
    generalized("last-set-forgotten", |a| {
        remarked(a, a.sets().saturating_sub(1), |sets, marks| marks.intersection(Marks::all(sets)))
    }),
    generalized("counter-stays-at-the-last-level", counter_stays_at_the_last_level),
    text("not-hoa", |_| "the automaton is left as an exercise\n".to_owned()),
    text("half-the-text", |text| text[..text.len() / 2].to_owned()),
    text("foreign-proposition", |text| text.replacen("\"p", "\"q", 1)),
    behaviour("endless-on-until", Behaviour::Loop, |node| matches!(node, Node::Until(..))),
    behaviour("crash-on-release", Behaviour::Crash, |node| matches!(node, Node::Release(..))),
    behaviour("memory-on-equivalence", Behaviour::Memory, |node| matches!(node, Node::Iff(..))),
];

/// One more, which is not in the list because it never gives an automaton for `X`.
pub const EXIT_ON_NEXT: Mutant = behaviour("exit-on-next", Behaviour::Exit, |node| matches!(node, Node::Next(_)));

/// The formula, except for words that begin with a pattern: one value of the first proposition for each letter.
fn without(formulas: &mut Formulas, formula: Formula, pattern: &str) -> Formula {
    let Some(atom) = formulas.atoms(formula).into_iter().min() else { return formula };
    let name = formulas.atom_name(atom).to_owned();
    let (yes, mut rest) = (formulas.atom(&name), Formula::TRUE);
    let no = formulas.not(yes);
    for digit in pattern.chars().rev() {
        let later = formulas.next(rest);
        rest = formulas.and([if digit == '1' { yes } else { no }, later]);
    }
    let other = formulas.not(rest);
    formulas.and([formula, other])
}

/// One more, which makes no mistake.
pub const CORRECT: Mutant = Mutant { name: "none", mistake: Mistake::None };

/// Rewrites a binary operator that fits.
fn node_of(
    formulas: &mut Formulas,
    node: &Node,
    fits: fn(&Node) -> bool,
    make: impl Fn(&mut Formulas, Formula, Formula) -> Formula,
) -> Option<Formula> {
    match *node {
        Node::Until(a, b) | Node::Release(a, b) | Node::Implies(a, b) | Node::Iff(a, b) if fits(node) => {
            Some(make(formulas, a, b))
        }
        _ => None,
    }
}

/// Pulls a negation into both operands without exchanging the operator.
fn negated(
    formulas: &mut Formulas,
    node: &Node,
    operands: fn(&Node) -> Option<(Formula, Formula)>,
    make: fn(&mut Formulas, Formula, Formula) -> Formula,
) -> Option<Formula> {
    let Node::Not(inner) = *node else { return None };
    let (a, b) = operands(formulas.node(inner))?;
    let (a, b) = (formulas.not(a), formulas.not(b));
    Some(make(formulas, a, b))
}

fn remarked(a: &Automaton, sets: u32, marks: impl Fn(u32, Marks) -> Marks) -> Automaton {
    let mut new = a.clone();
    new.set_sets(sets);
    for state in a.states() {
        new.edges_mut(state).iter_mut().for_each(|edge| edge.marks = marks(sets, edge.marks));
    }
    new
}

fn lost_accepting_state(a: &Automaton) -> Automaton {
    let mut new = a.clone();
    let accepting = a.states().filter(|state| a.edges(*state).iter().any(|edge| !edge.marks.is_empty())).last();
    if let Some(state) = accepting {
        new.edges_mut(state).iter_mut().for_each(|edge| edge.marks = Marks::NONE);
    }
    new
}

/// A degeneralisation whose counter waits for one set after the other, but does not begin again after the last.
fn counter_stays_at_the_last_level(a: &Automaton) -> Automaton {
    let last = a.sets();
    let place = |state: State, level: u32| state * (last + 1) + level;
    let mut new = a.empty_like(1);
    new.add_states(a.state_count() * (last as usize + 1));
    new.set_initial(place(a.initial(), 0));
    for (source, edge) in a.all_edges() {
        for level in 0..=last {
            let next = (level..last).find(|set| !edge.marks.contains(*set)).unwrap_or(last);
            let marks = if level == last { Marks::one(0) } else { Marks::NONE };
            new.add_edge(place(source, level), place(edge.target, next), &edge.label, marks);
        }
    }
    new
}

fn without_last_edge(a: &Automaton, state: State) -> Automaton {
    let mut new = a.clone();
    new.edges_mut(state).pop();
    new
}

/// Changes the label of the first edge that asks for something.
fn relabelled(a: &Automaton, change: impl Fn(&bdd::Bdd) -> bdd::Bdd) -> Automaton {
    let mut new = a.clone();
    for state in a.states() {
        if let Some(edge) = new.edges_mut(state).iter_mut().find(|edge| !edge.label.is_true()) {
            edge.label = change(&edge.label);
            return new;
        }
    }
    new
}

fn swapped_propositions(a: &Automaton) -> Automaton {
    let mut names = a.atoms().to_vec();
    if names.len() > 1 {
        names.swap(0, 1);
    }
    let mut new = Automaton::in_manager(a.manager(), names, a.sets());
    new.add_states(a.state_count());
    new.set_initial(a.initial());
    a.all_edges().for_each(|(source, edge)| new.add_edge(source, edge.target, &edge.label, edge.marks));
    new
}

impl Mutant {
    /// The mutant of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Mutant> {
        MUTANTS.into_iter().chain([EXIT_ON_NEXT, CORRECT]).find(|mutant| mutant.name == name)
    }

    /// Whether it misbehaves instead of giving a wrong automaton.
    #[must_use]
    pub fn misbehaves(&self) -> bool {
        matches!(self.mistake, Mistake::Behaviour(..) | Mistake::Text(_))
    }

    /// Whether it is wrong only on words that random structures hardly ever contain.
    #[must_use]
    pub fn is_rare(&self) -> bool {
        matches!(self.mistake, Mistake::Formula(_))
    }

    /// What it makes of a formula.
    #[must_use]
    pub fn translate(&self, formulas: &mut Formulas, formula: Formula) -> Product {
        let change =
            |automaton: Automaton, change: fn(&Automaton) -> Automaton| Product::Text(hoa::write(&change(&automaton)));
        match self.mistake {
            Mistake::None => Product::Text(hoa::write(&correct(formulas, formula, Output::Buchi))),
            Mistake::Rule(rule) => {
                let wrong = formulas
                    .rebuild(formula, |formulas, node| rule(formulas, &node).unwrap_or_else(|| formulas.make(node)));
                Product::Text(hoa::write(&correct(formulas, wrong, Output::Buchi)))
            }
            Mistake::Formula(change) => {
                let wrong = change(formulas, formula);
                Product::Text(hoa::write(&correct(formulas, wrong, Output::Buchi)))
            }
            Mistake::Automaton(wrong) => change(correct(formulas, formula, Output::Buchi), wrong),
            Mistake::Generalized(wrong) => change(correct(formulas, formula, Output::Generalized), wrong),
            Mistake::Text(wrong) => Product::Text(wrong(&hoa::write(&correct(formulas, formula, Output::Buchi)))),
            Mistake::Behaviour(behaviour, on) => {
                let meets = formulas.subformulas(formula).into_iter().any(|part| on(formulas.node(part)));
                match meets {
                    true => Product::Behaviour(behaviour),
                    false => Product::Text(hoa::write(&correct(formulas, formula, Output::Buchi))),
                }
            }
        }
    }
}

fn correct(formulas: &mut Formulas, formula: Formula, output: Output) -> Automaton {
    let options = TranslationOptions { output, level: Level::Low, ..TranslationOptions::default() };
    translate(formulas, formula, &options, &Budget::unlimited()).expect("formulas in tests are small").automaton
}
