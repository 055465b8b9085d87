//! Does an automaton accept a word? And the word that a run reads.
//!
//! What: [`accepts`] follows the automaton along an ultimately periodic word: the pairs of a state and a position form a
//! finite graph, and the word is accepted if an accepting cycle of that graph is reachable. [`accepts_some`] asks the same
//! of all words that a word with open values stands for, [`accepts_all_after`] and [`rejects_all_after`] of all words with a
//! prefix, and [`word_of`] goes the other way.
//!
//! Contract: linear in the edges times the positions. As everywhere, an atom of the automaton that the word does not fix
//! counts as false where one word is meant ([`accepts`]), so that the answer can be compared with [`crate::semantics`].
//!
//! This is the reference implementation for the operations in [`crate::combine`]; it shares with them the components of [`crate::automaton::scc`] only.
//! Tested by: automata written by hand, and by [`word_of`] an accepted word for each random automaton that has one.

use bdd::{Bdd, Cube, Variable};
use kernel::budget::{Budget, Exhausted};

use crate::analyse::strength::{Strength, strengths};
use crate::automaton::emptiness::{self, Run, RunEdge};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, State};
use crate::propositions::Propositions;
use crate::word::{Letter, Word};
use std::collections::BTreeSet;

/// True if the automaton accepts the word; open values count as false.
///
/// ```
/// use omega::automaton::acceptance::accepts;
/// use omega::automaton::{Automaton, Marks};
/// use omega::word::Word;
///
/// // G a
/// let mut automaton = Automaton::new(["a"], 0);
/// let state = automaton.add_state();
/// automaton.add_edge(state, state, &automaton.atom(0), Marks::NONE);
/// assert!(accepts(&automaton, &Word::parse("a; cycle{a; a & b}").unwrap()));
/// assert!(!accepts(&automaton, &Word::parse("a; cycle{a; b}").unwrap()));
/// ```
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn accepts(automaton: &Automaton, word: &Word) -> bool {
    accepts_within(automaton, word, &Budget::unlimited()).expect("a budget without limits is never exhausted")
}

/// As [`accepts`], within a budget.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn accepts_within(automaton: &Automaton, word: &Word, budget: &Budget) -> Result<bool, Exhausted> {
    let place = places(automaton, word);
    let fits = |letter: &Letter, label: &Bdd| {
        label.evaluate(|atom| place[atom.0 as usize].is_some_and(|index| letter[index] == Some(true)))
    };
    Ok(!emptiness::is_empty_within(&along(automaton, word, fits, budget)?, budget)?)
}

/// The states and positions of the word along an accepting run on it, stem and cycle, if the automaton accepts it; open
/// values count as false. The cycle may go through that of the word several times.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn accepting_run_on(automaton: &Automaton, word: &Word, budget: &Budget) -> Result<Option<RunOnWord>, Exhausted> {
    let place = places(automaton, word);
    let fits = |letter: &Letter, label: &Bdd| {
        label.evaluate(|atom| place[atom.0 as usize].is_some_and(|index| letter[index] == Some(true)))
    };
    let graph = along(automaton, word, fits, budget)?;
    let pair = |step: &RunEdge| {
        let (state, position) = (step.source as usize / word.len(), step.source as usize % word.len());
        (State::try_from(state).expect("a state of the automaton"), position)
    };
    let pairs = |steps: &[RunEdge]| steps.iter().map(pair).collect();
    Ok(emptiness::accepting_run_within(&graph, budget)?
        .map(|run| RunOnWord { stem: pairs(&run.stem), cycle: pairs(&run.cycle) }))
}

/// An accepting run on a word: each state, and the position of the word that is read there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOnWord {
    /// Before the cycle.
    pub stem: Vec<(State, usize)>,
    /// What repeats.
    pub cycle: Vec<(State, usize)>,
}

/// Whether the automaton accepts every word that begins with these letters, over these atoms, because some run of it is
/// then in a component that no word can leave and in which every cycle is accepting. Open values count as false.
#[must_use]
pub fn accepts_all_after(automaton: &Automaton, atoms: &Propositions, prefix: &[Letter]) -> bool {
    let reached = reached_by(automaton, atoms, prefix);
    let components = Components::of(automaton);
    let strengths = strengths(automaton, &components);
    let is_terminal = |number: u32| strengths[number as usize] == Strength::Terminal;
    reached.iter().any(|state| components.number(*state).is_some_and(is_terminal))
}

/// Whether the automaton accepts no word that begins with these letters, over these atoms. Open values count as false.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn rejects_all_after(
    automaton: &Automaton,
    atoms: &Propositions,
    prefix: &[Letter],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let reached: Vec<State> = reached_by(automaton, atoms, prefix).into_iter().collect();
    if reached.is_empty() {
        return Ok(true);
    }
    let mut rest = automaton.clone();
    rest.set_initial_states(&reached);
    emptiness::is_empty_within(&rest, budget)
}

/// The states that the automaton can have reached after these letters.
fn reached_by(automaton: &Automaton, atoms: &Propositions, prefix: &[Letter]) -> BTreeSet<State> {
    let place = atoms.places_of(automaton.propositions());
    let mut reached: BTreeSet<State> = automaton.initial_states().iter().copied().collect();
    for letter in prefix {
        let value = |atom: Variable| place[atom.0 as usize].is_some_and(|index| letter[index] == Some(true));
        let edges = reached.iter().flat_map(|state| automaton.edges(*state));
        reached = edges.filter(|edge| edge.label.evaluate(value)).map(|edge| edge.target).collect();
    }
    reached
}

/// True if the automaton accepts some word that gives the open values of this one, each place on its own.
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn accepts_some(automaton: &Automaton, word: &Word) -> bool {
    let place = places(automaton, word);
    let fits = |letter: &Letter, label: &Bdd| {
        let fixed = place.iter().zip(0..).filter_map(|(index, atom)| Some((Variable(atom), letter[(*index)?]?)));
        !label.restrict(&Cube::new(fixed).expect("each atom has one value")).is_false()
    };
    let budget = Budget::unlimited();
    let graph = along(automaton, word, fits, &budget).expect("a budget without limits is never exhausted");
    !emptiness::is_empty(&graph)
}

/// The word that a run reads. Values that do not matter are open: the run reads every word that fills them in.
#[must_use]
pub fn word_of(automaton: &Automaton, run: &Run) -> Word {
    let letter = |step: &RunEdge| {
        let cube = step.of(automaton).label.one_cube().expect("labels are satisfiable");
        (0..automaton.atoms().len() as u32).map(|atom| cube.value(Variable(atom))).collect::<Letter>()
    };
    let letters = |steps: &[RunEdge]| steps.iter().map(letter).collect();
    Word::new(automaton.propositions().clone(), letters(&run.stem), letters(&run.cycle))
}

/// A word that the automaton accepts, if there is one.
#[must_use]
pub fn accepted_word(automaton: &Automaton) -> Option<Word> {
    Some(word_of(automaton, &emptiness::accepting_run(automaton)?))
}

/// As [`accepted_word`], within a budget.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn accepted_word_within(automaton: &Automaton, budget: &Budget) -> Result<Option<Word>, Exhausted> {
    Ok(emptiness::accepting_run_within(automaton, budget)?.map(|run| word_of(automaton, &run)))
}

/// For each atom of the automaton its index among those of the word.
fn places(automaton: &Automaton, word: &Word) -> Vec<Option<usize>> {
    word.propositions().places_of(automaton.propositions())
}

/// The graph of pairs of a state and a position, as an automaton whose labels say nothing.
fn along(
    automaton: &Automaton,
    word: &Word,
    fits: impl Fn(&Letter, &Bdd) -> bool,
    budget: &Budget,
) -> Result<Automaton, Exhausted> {
    let pair = |state: State, position: usize| State::try_from(state as usize * word.len() + position);
    let mut graph = Automaton::new(Vec::<String>::new(), automaton.sets());
    graph.add_states(automaton.state_count() * word.len());
    let initial = automaton.initial_states().iter().map(|&state| pair(state, 0).expect("fewer than 2^32 pairs"));
    graph.set_initial_states(&initial.collect::<Vec<_>>());
    let any = graph.manager().yes();
    for (source, edge) in automaton.all_edges() {
        for position in (0..word.len()).filter(|&position| fits(word.letter(position), &edge.label)) {
            budget.check()?;
            let ends = [pair(source, position), pair(edge.target, word.successor(position))];
            let [from, to] = ends.map(|end| end.expect("fewer than 2^32 pairs"));
            graph.add_edge(from, to, &any, edge.marks);
        }
    }
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Marks;
    use crate::random_automaton::{Shape, random_automaton};

    fn word(text: &str) -> Word {
        Word::parse(text).expect("a word")
    }

    /// Infinitely often `a` and infinitely often `b`, generalised.
    fn infinitely_often_both() -> Automaton {
        let mut automaton = Automaton::new(["a", "b"], 2);
        let state = automaton.add_state();
        let (a, b) = (automaton.atom(0), automaton.atom(1));
        automaton.add_edge(state, state, &a, Marks::one(0));
        automaton.add_edge(state, state, &b, Marks::one(1));
        automaton.add_edge(state, state, &automaton.manager().yes(), Marks::NONE);
        automaton
    }

    #[test]
    fn acceptance_is_decided_on_the_cycle() {
        let automaton = infinitely_often_both();
        assert!(accepts(&automaton, &word("cycle{a; b}")));
        assert!(accepts(&automaton, &word("!a; cycle{!a & !b; a & b; a & c}")));
        assert!(!accepts(&automaton, &word("a & b; cycle{a; a}")));
    }

    #[test]
    fn an_accepting_run_reads_the_word() {
        let automaton = infinitely_often_both();
        let word = word("c; cycle{a; b}");
        let run = accepting_run_on(&automaton, &word, &Budget::unlimited()).expect("no limits").expect("accepted");
        let positions: Vec<usize> = run.stem.iter().chain(&run.cycle).map(|(_, position)| *position).collect();
        assert!(positions.windows(2).all(|pair| word.successor(pair[0]) == pair[1]), "{positions:?}");
        assert_eq!(run.cycle.first().map(|(_, position)| *position), positions.last().map(|at| word.successor(*at)));
        let never = self::word("cycle{a & !b}");
        assert_eq!(accepting_run_on(&automaton, &never, &Budget::unlimited()), Ok(None));
    }

    #[test]
    fn open_values_count_as_false_or_as_any() {
        let automaton = infinitely_often_both();
        assert!(!accepts(&automaton, &word("cycle{a}")));
        assert!(accepts_some(&automaton, &word("cycle{a}")));
        assert!(!accepts_some(&automaton, &word("cycle{a & !b}")));
    }

    /// A formula that contradicts itself in two positions is false after one letter, though no evaluation from the leaves up shows it.
    #[test]
    fn a_prefix_after_which_nothing_is_accepted() {
        let mut formulas = crate::formula::Formulas::new();
        let formula = crate::parse::parse(&mut formulas, "a & X a & X !a | X X b", crate::parse::Syntax::Spot)
            .expect("a formula");
        let budget = Budget::unlimited();
        let automaton = crate::translate::gpvw::translate_generalized(&mut formulas, formula, 1_000, &budget);
        let automaton = automaton.expect("a small automaton");
        let atoms = Propositions::named(["a", "b"]);
        let rejects = |prefix: &[(bool, bool)]| {
            let letters: Vec<Letter> = prefix.iter().map(|(a, b)| vec![Some(*a), Some(*b)]).collect();
            rejects_all_after(&automaton, &atoms, &letters, &budget)
        };
        assert_eq!(rejects(&[]), Ok(false));
        assert_eq!(rejects(&[(true, true), (false, false)]), Ok(false));
        assert_eq!(rejects(&[(true, true), (false, false), (true, true)]), Ok(false));
        assert_eq!(rejects(&[(true, true), (false, false), (true, false)]), Ok(true));
    }

    #[test]
    fn the_word_of_a_run_is_accepted() {
        let mut found = 0;
        for seed in 0..300 {
            let shape = Shape { atoms: 3, sets: (seed % 3) as u32, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            if let Some(word) = accepted_word(&automaton) {
                assert!(accepts(&automaton, &word) && accepts_some(&automaton, &word), "seed {seed}: {word}");
                found += 1;
            }
        }
        assert!(found > 100, "{found} automata accept something");
    }
}
