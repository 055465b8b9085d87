//! Finite automata of safety formulas: what a tool that writes them is given, and how its output is read.
//!
//! What: the text in front of a command says how its automata are meant. `bad-prefixes:` is a finite automaton that accepts
//! prefixes after which the formula is false whatever follows; `monitor:` is an automaton in which a word violates the formula
//! as soon as no run goes on. Both exist for safety formulas only, so the tool is called for formulas that are safety by their
//! shape, and any other formula is one that it does not support.
//!
//! How: each becomes an automaton on infinite words, and all checks apply. A finite automaton for the bad prefixes of `f` is one
//! for `!f`, once its final states accept whatever follows; a monitor of `f` is one for `f`, once every state is accepting.
//!
//! Contract: a final state is one that carries an acceptance mark in HOA, with or without edges, or whose edges all carry one in
//! the other formats; the end of a never claim is final. The prefixes need not be all bad ones, but every word that violates the
//! formula must have one. Marks of a monitor are not looked at.
//!
//! Source: the conclusion of [tauriainen.00.spin], which proposes to test tools that follow [kupferman.01.fmsd].
//! Tested by: `tests/finite.rs`.

use kernel::diagnostic::Diagnostic;
use omega::analyse::classify::{Classifier, Traits};
use omega::automaton::emerson_lei::EmersonLei;
use omega::automaton::{Automaton, Marks, State};
use omega::formula::{Formula, Formulas, Node};
use omega::io::Stated;
use omega::rewrite::Nnf;

use super::{Failure, FailureKind};

/// How the automata of a command are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reading {
    /// Automata on infinite words.
    #[default]
    Words,
    /// Finite automata that accept bad prefixes.
    BadPrefixes,
    /// Automata that accept as long as a run goes on.
    Monitor,
}

impl Reading {
    /// Splits what says how automata are meant from the front of a command.
    pub(super) fn split(text: &str) -> (Self, &str) {
        let known = [("bad-prefixes:", Reading::BadPrefixes), ("monitor:", Reading::Monitor)];
        let found = known.into_iter().find_map(|(word, reading)| Some((reading, text.strip_prefix(word)?.trim())));
        found.unwrap_or((Reading::Words, text))
    }

    /// The formula that a tool is given where an automaton for this one is wanted; none where the tool has no say.
    pub(super) fn question(self, formulas: &mut Formulas, wanted: Formula) -> Option<Formula> {
        let question = match self {
            Reading::Words => return Some(wanted),
            Reading::Monitor => wanted,
            Reading::BadPrefixes => match *formulas.node(wanted) {
                Node::Not(inner) => inner,
                _ => formulas.intern(Node::Not(wanted)),
            },
        };
        let normal = Nnf::new().of(formulas, question);
        Classifier::new().traits(formulas, normal).has(Traits::SAFETY).then_some(question)
    }

    /// The automaton on infinite words that an output means.
    pub(super) fn automaton(
        self,
        stated: &Stated,
        unreadable: impl Fn(Diagnostic) -> Failure,
    ) -> Result<Automaton, Failure> {
        match self {
            Reading::Words => stated.generalized_buchi().map_err(unreadable),
            Reading::Monitor => Ok(without_marks(&stated.automaton)),
            Reading::BadPrefixes => with_final_states(&stated.automaton, &stated.marked),
        }
    }
}

/// The same graph, every run of which is accepting.
fn without_marks(stated: &EmersonLei) -> Automaton {
    let given = stated.transitions();
    let mut automaton = given.empty_like(0);
    automaton.add_states(given.state_count());
    automaton.set_initial_states(given.initial_states());
    for (source, edge) in given.all_edges() {
        automaton.add_edge(source, edge.target, &edge.label, Marks::NONE);
    }
    automaton
}

/// The same graph, in which a final state accepts whatever follows.
fn with_final_states(stated: &EmersonLei, is_final: &[State]) -> Result<Automaton, Failure> {
    let given = stated.transitions();
    let on_edges =
        |(source, edge): (State, &omega::automaton::Edge)| !edge.marks.is_empty() && !is_final.contains(&source);
    if given.all_edges().any(on_edges) {
        let what = "a finite automaton has final states, this one has acceptance marks on edges";
        return Err(Failure::new(FailureKind::Nonsensical, what));
    }
    if given.sets() == 0 {
        let what =
            "a finite automaton marks its final states, as in `Acceptance: 1 Inf(0)`; this one has no acceptance set";
        return Err(Failure::new(FailureKind::Nonsensical, what));
    }
    let mut automaton = given.empty_like(1);
    automaton.add_states(given.state_count());
    automaton.set_initial_states(given.initial_states());
    let (end, any) = (automaton.add_state(), given.manager().yes());
    automaton.add_edge(end, end, &any, Marks::one(0));
    for &state in is_final {
        automaton.add_edge(state, end, &any, Marks::NONE);
    }
    for (source, edge) in given.all_edges().filter(|(source, _)| !is_final.contains(source)) {
        automaton.add_edge(source, edge.target, &edge.label, Marks::NONE);
    }
    Ok(automaton)
}
