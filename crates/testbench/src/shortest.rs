//! Shortest violations by brute force: random programs with random formulas, and the enumeration of all their short runs.
//!
//! *Contract.* [`Case::shorter`] finds a violation of at most so many steps exactly if there is one among those asked for, unless it
//! would compare more paths than allowed. A violation is a lasso of the model on which the formula is false, a run that ends and on which it is
//! false if the last state repeats, or a finite run after which every infinite word makes it false. Lengths count steps as reports
//! do: those inside atomic sequences, and one for the repetition of a last state.
//!
//! It shares nothing with the check but the front end: states come from the reference interpreter, lassos are judged by
//! [`omega::semantics`], and finite runs by the reference construction of automata for the formula itself (not for its negation): a
//! finite run is a violation if each state that the automaton can have reached accepts nothing.
//!
//! *Tested by* comparison with the check (`tests/lengths.rs`), which it has to agree with where the check proves
//! a length, and by a check that is told to stop at the first run, which it must catch.

use crate::generate::promela::program;
use crate::thresholds::compare::ENUMERATED_STATES;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::automaton::emptiness::is_empty;
use omega::automaton::{Automaton, State};
use omega::formula::{AtomId, Formula, Formulas};
use omega::print::{Notation, print_with};
use omega::random::{FormulaShape, Random};
use omega::semantics::satisfies;
use omega::translate::gpvw;
use omega::word::{Letter, Word};
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::property::parse_expression;
use promela::reference::Reference;
use promela::snapshot::Snapshot;
use promela::typed::{Expr, Program};

/// The names of the atoms in formulas.
const NAMES: [&str; 3] = ["p0", "p1", "p2"];

/// What they mean.
const ATOMS: [&str; 3] = ["a > 0", "flag", "len(buffer) == 0"];

/// Two processes that never end: most random programs end by themselves, and then few violations have a loop.
const RESTLESS: &str = "
    bit turn;
    active proctype Restless() { do :: turn = 1 - turn :: turn == 1 -> flag = 1 - flag od }";

/// A random program with a random formula.
#[derive(Debug)]
pub struct Case {
    /// The text of the program.
    pub text: String,
    /// The formula as the program would write it.
    pub written: String,
    program: Program,
    atoms: [Expr; 3],
    formulas: Formulas,
    formula: Formula,
    /// An automaton of the formula, and for each of its states whether it accepts some word.
    automaton: Automaton,
    is_live: Vec<bool>,
}

/// The violations that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Lassos, and runs that end.
    Lassos,
    /// These, and finite runs after which nothing satisfies the formula.
    All,
}

/// There are more paths than may be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPaths;

impl Case {
    /// The case of a seed; none if the automaton of the formula is too large. Every third program has a part that never ends.
    ///
    /// # Panics
    /// If a generated program is not accepted: then the generator is wrong.
    #[must_use]
    pub fn draw(seed: u64, round: usize) -> Option<Self> {
        let text = program(seed) + if seed.is_multiple_of(3) { RESTLESS } else { "" };
        let mut sources = SourceMap::new();
        let file = sources.add_file("random.pml", text.as_str(), None);
        let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
        let mut program = loaded.program.expect("generated programs are right");
        let atoms = ATOMS.map(|atom| {
            let place = sources.add_file("<atom>", atom, None);
            parse_expression(&mut sources, place, &mut program, &loaded.definitions, &Budget::unlimited())
                .expect("an atom of a generated program")
        });
        let mut formulas = Formulas::with_atoms(NAMES);
        let mut random = Random::new(seed.wrapping_mul(16).wrapping_add(round as u64));
        let formula = FormulaShape::new(3 + round, NAMES.len()).draw(&mut formulas, &mut random);
        let spell = |atom: AtomId| format!("({})", ATOMS[atom.index()]);
        let written = print_with(&formulas, formula, Notation::Spin, &spell);
        let automaton =
            gpvw::translate_generalized(&mut formulas, formula, ENUMERATED_STATES, &Budget::unlimited()).ok()?;
        let is_live = automaton.states().map(|state| {
            let mut from = automaton.clone();
            from.set_initial(state);
            !is_empty(&from)
        });
        let is_live = is_live.collect();
        Some(Self { text, written, program, atoms, formulas, formula, automaton, is_live })
    }

    /// The length of some violation of at most this many steps.
    ///
    /// # Errors
    /// That more paths would have to be compared than `most_paths`.
    pub fn shorter(&self, among: Among, most: usize, most_paths: usize) -> Result<Option<usize>, TooManyPaths> {
        let reference = Reference::new(&self.program);
        let initial = reference.initial();
        let mut all = Enumeration { case: self, among, reference, path: Vec::new(), paths: 0, most_paths };
        all.push(initial);
        all.violation(most)
    }
}

/// A state of the present path.
struct Position {
    state: Snapshot,
    /// The truth of the atoms; none inside an atomic sequence, of which formulas do not speak.
    letter: Option<Letter>,
    /// The states in which the automaton can be after this letter.
    reached: Vec<State>,
}

struct Enumeration<'a> {
    case: &'a Case,
    among: Among,
    reference: Reference<'a>,
    path: Vec<Position>,
    paths: usize,
    most_paths: usize,
}

impl Enumeration<'_> {
    fn push(&mut self, state: Snapshot) {
        let truth = |atom| self.reference.evaluate(&state, atom, None).is_ok_and(|value| value != 0);
        let values = self.case.atoms.each_ref().map(truth);
        let automaton = &self.case.automaton;
        let before = match self.path.last() {
            Some(position) => position.reached.clone(),
            None => automaton.initial_states().to_vec(),
        };
        let is_visible = state.exclusive.is_none();
        let reached = if is_visible { self.after(&before, values) } else { before };
        let letter = is_visible.then(|| values.iter().map(|value| Some(*value)).collect());
        self.path.push(Position { state, letter, reached });
    }

    /// The states of the automaton after one more letter.
    fn after(&self, before: &[State], values: [bool; 3]) -> Vec<State> {
        let automaton = &self.case.automaton;
        let value = |atom: bdd::Variable| values[automaton.propositions().ids()[atom.0 as usize].index()];
        let edges = before.iter().flat_map(|state| automaton.edges(*state));
        let mut after: Vec<State> = edges.filter(|edge| edge.label.evaluate(value)).map(|edge| edge.target).collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    fn letters(&self, from: usize, to: usize) -> Vec<Letter> {
        self.path[from..to].iter().filter_map(|position| position.letter.clone()).collect()
    }

    /// True if the present path, continued in its state of this index, violates the formula.
    fn closes(&self, index: usize) -> bool {
        let cycle = self.letters(index, self.path.len());
        let names = NAMES.map(String::from).to_vec();
        let case = self.case;
        !cycle.is_empty() && !satisfies(&case.formulas, case.formula, &Word::new(names, self.letters(0, index), cycle))
    }

    /// The length of a violation of at most this many steps that begins with the present path.
    fn violation(&mut self, most: usize) -> Result<Option<usize>, TooManyPaths> {
        self.paths += 1;
        if self.paths > self.most_paths {
            return Err(TooManyPaths);
        }
        let steps = self.path.len() - 1;
        let position = &self.path[steps];
        let is_live = |state: &State| self.case.is_live[*state as usize];
        let is_bad = position.letter.is_some() && !position.reached.iter().any(is_live);
        if is_bad && self.among == Among::All {
            return Ok(Some(steps));
        }
        if steps == most {
            return Ok(None);
        }
        let transitions = self.reference.transitions(&position.state);
        if transitions.is_empty() && self.closes(steps) {
            return Ok(Some(steps + 1));
        }
        for next in transitions.into_iter().filter_map(|transition| transition.next) {
            let ends: Vec<usize> = (0..=steps).filter(|index| self.path[*index].state == next).collect();
            if ends.into_iter().any(|index| self.closes(index)) {
                return Ok(Some(steps + 1));
            }
            self.push(next);
            let found = self.violation(most);
            self.path.pop();
            if !matches!(found, Ok(None)) {
                return found;
            }
        }
        Ok(None)
    }
}
