//! One formula, one structure, and the result of every translator.
//!
//! What: [`Trial::new`] lets each translator turn the formula and its negation into automata and combines each automaton with
//! the structure; the checks of [`crate::oracle`] compare what came out. Figure 1 of [tauriainen.00.spin].

use std::sync::Arc;

use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas, Node};

use crate::components::components;
use crate::explicit::{Explicit, Universe};
use crate::oracle::equivalence::{Differences, Effort};
use crate::product::{Product, product};
use crate::structure::Structure;
use crate::translator::{Attempt, Translator, Workplace};

/// The formula or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The formula.
    Formula,
    /// Its negation.
    Negation,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Formula, Side::Negation];

    /// The index in arrays of both.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self == Side::Negation)
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Side {
        if self == Side::Formula { Side::Negation } else { Side::Formula }
    }
}

/// An automaton that a translator made, and its product with the structure.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The automaton over the states of the structure.
    pub over_states: Explicit,
    /// The product.
    pub product: Product,
    /// The automaton over all letters; none if there are too many propositions to spell them out.
    pub over_letters: Option<Explicit>,
}

/// A formula, a structure, and the results of some translators.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The pool of the formula.
    pub formulas: Formulas,
    /// The formula and its negation.
    pub sides: [Formula; 2],
    /// The structure.
    pub structure: Arc<Structure>,
    /// The automata of each translator for both sides.
    pub attempts: Vec<[Attempt; 2]>,
    /// The automata in the structure, with their products; `None` where a translator failed.
    pub translations: Vec<[Option<Translation>; 2]>,
    /// All letters over the propositions of the formula, if they can be spelt out.
    letters: Option<Universe>,
    /// The work that the equivalence check may spend.
    pub effort: Effort,
    /// Words in which languages differ, once the equivalence check was made.
    pub differences: Differences,
}

/// Sizes of an automaton, as the literature counts them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// States.
    pub states: u64,
    /// Edges.
    pub edges: u64,
    /// Transitions: edges for each letter over the automaton's propositions.
    pub transitions: u64,
    /// Acceptance sets.
    pub sets: u32,
    /// Strongly connected components.
    pub components: u64,
    /// States with a choice.
    pub nondeterministic_states: u64,
    /// Whether every state has an edge for every letter.
    pub complete: bool,
}

impl Trial {
    /// Runs all translators; none if the workplace's switch said stop before the end.
    #[must_use]
    pub fn new(
        translators: &[Translator],
        mut formulas: Formulas,
        formula: Formula,
        structure: Arc<Structure>,
        workplace: &Workplace,
    ) -> Option<Self> {
        let sides = [formula, formulas.intern(Node::Not(formula))];
        let mut attempts = Vec::with_capacity(translators.len());
        for translator in translators {
            let mut attempt = |side| translator.translate(&mut formulas, side, workplace);
            attempts.push([attempt(sides[0])?, attempt(sides[1])?]);
        }
        let names: Vec<String> =
            formulas.atoms(formula).into_iter().map(|atom| formulas.atom_name(atom).to_owned()).collect();
        let letters = Universe::letters(&names);
        let effort = workplace.limits().effort;
        let (translations, differences) = (Vec::new(), Differences::new());
        let mut trial = Trial { formulas, sides, structure, attempts, translations, letters, effort, differences };
        trial.combine();
        Some(trial)
    }

    /// The same automata with another structure.
    #[must_use]
    pub fn with_structure(&self, structure: &Arc<Structure>) -> Trial {
        let mut trial = Trial { structure: Arc::clone(structure), translations: Vec::new(), ..self.clone() };
        trial.combine();
        trial
    }

    /// Multiplies all automata with the structure.
    fn combine(&mut self) {
        let universe = Universe::states(&self.structure);
        let multiplied = |attempt: &Attempt| {
            let automaton = attempt.outcome.as_ref().ok()?;
            let over_states = Explicit::over(automaton, &universe);
            let product = product(&self.structure, &over_states);
            let over_letters = self.letters.as_ref().map(|letters| Explicit::over(automaton, letters));
            Some(Translation { over_states, product, over_letters })
        };
        self.translations = self.attempts.iter().map(|both| [multiplied(&both[0]), multiplied(&both[1])]).collect();
    }

    /// The automaton of a translator for a side, and its product; `None` if the translator failed.
    #[must_use]
    pub fn translation(&self, translator: usize, side: Side) -> Option<&Translation> {
        self.translations[translator][side.index()].as_ref()
    }

    /// The automaton a translator made of a side; none if it failed.
    #[must_use]
    pub fn automaton(&self, translator: usize, side: Side) -> Option<&Automaton> {
        self.attempts[translator][side.index()].outcome.as_ref().ok()
    }

    /// The sizes of an automaton; none if the translator failed.
    #[must_use]
    pub fn sizes(&self, translator: usize, side: Side) -> Option<Sizes> {
        let automaton = self.automaton(translator, side)?;
        let spelt = self.translation(translator, side)?;
        let graph = spelt.over_states.graph();
        let components = u64::from(components(&graph, automaton.initial()).1);
        let (states, edges) = (automaton.state_count() as u64, automaton.edge_count() as u64);
        let (transitions, nondeterministic, complete) = match (&spelt.over_letters, &self.letters) {
            // Letters over more propositions than the automaton has count each of its transitions several times.
            (Some(spelt), Some(letters)) if 1 << automaton.atoms().len() <= letters.size() => {
                let times = (letters.size() >> automaton.atoms().len()) as u64;
                let complete = spelt.is_complete(letters.size());
                (spelt.permission_count() / times, spelt.nondeterministic_state_count(), complete)
            }
            _ => {
                let transitions = u64::try_from(automaton.transition_count()).unwrap_or(u64::MAX);
                (transitions, automaton.nondeterministic_state_count(), automaton.is_complete())
            }
        };
        let nondeterministic_states = nondeterministic as u64;
        Some(Sizes {
            states,
            edges,
            transitions,
            sets: automaton.sets(),
            components,
            nondeterministic_states,
            complete,
        })
    }

    /// The number of translators.
    #[must_use]
    pub fn translator_count(&self) -> usize {
        self.attempts.len()
    }
}
