//! Does repeating letters ever change whether a word is in a language?
//!
//! What: [`is_stutter_invariant`] takes an automaton for a language and one for its complement. Partial-order reduction is
//! sound only for properties that answer yes.
//!
//! How: an automaton can be changed so that it also accepts each of its words with letters repeated, any finite number of
//! times, by letting it wait while the letter it has just read comes again. The language is invariant exactly if the
//! automaton and that of the complement, both changed so, have no word in common [michaud.15.spin]. Deviation: the changed
//! automata are not built; their product is explored directly, in which both have just read the same letter, so that one
//! letter serves both and no step is looked at in which both wait.
//!
//! Contract: letters are valuations of the atoms that occur in labels, one by one, so their number is exponential in the
//! atoms. States of the product are limited; beyond that the answer is [`TooLarge`]. Deterministic.
//!
//! Tested by: all short words and their stutterings, on random formulas (`tests/hierarchy.rs`).

use crate::table::HashMap;

use bdd::{Bdd, Variable};
use kernel::budget::Budget;

use crate::automaton::emptiness::is_empty_within;
use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::combine::counter::one_set;
use crate::limit::{Incomplete, TooLarge};

/// States of the product that may be explored, unless told otherwise.
pub const DEFAULT_LIMIT: usize = 1 << 16;

/// Whether the language of `automaton` is closed under repeating letters and under removing repetitions; `complement`
/// accepts exactly the other words.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::analyse::stutter::{DEFAULT_LIMIT, is_stutter_invariant};
/// use omega::translate::gpvw;
///
/// let budget = Budget::unlimited();
/// let mut invariant = |text: &str| {
///     let mut formulas = Formulas::new();
///     let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
///     let negation = formulas.not(formula);
///     let [yes, no] = [formula, negation].map(|formula| gpvw::translate(&mut formulas, formula, 100, &budget).unwrap());
///     is_stutter_invariant(&yes, &no, DEFAULT_LIMIT, &budget).unwrap()
/// };
/// assert!(invariant("a U b") && invariant("F(a & X!a)") && !invariant("F(a & Xa)"));
/// ```
///
/// # Errors
/// If the search would visit more than `limit` states, or the budget is exhausted.
pub fn is_stutter_invariant(
    automaton: &Automaton,
    complement: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<bool, Incomplete> {
    automaton.manager().within(budget, || decide(automaton, complement, limit, budget))
}

fn decide(automaton: &Automaton, complement: &Automaton, limit: usize, budget: &Budget) -> Result<bool, Incomplete> {
    let automaton = &automaton.with_one_initial_state();
    let complement = &complement.with_one_initial_state();
    let (first, second) = Automaton::aligned(&with_sets(automaton), &with_sets(complement));
    let too_many = first.sets() + second.sets() > MAX_SETS;
    let [first, second] =
        if too_many { [one_set(&first, budget)?, one_set(&second, budget)?] } else { [first, second] };
    Ok(is_empty_within(&Product::explore(&first, &second, limit, budget)?, budget)?)
}

/// At least one acceptance set: without any, a run that waits forever would be accepting.
fn with_sets(automaton: &Automaton) -> Automaton {
    let mut automaton = automaton.clone();
    if automaton.sets() == 0 {
        automaton.set_sets(1);
        for state in automaton.states() {
            automaton.edges_mut(state).iter_mut().for_each(|edge| edge.marks = Marks::one(0));
        }
    }
    automaton
}

/// A state of each automaton, and the letter both have just read.
type Place = (State, State, Option<Bdd>);

struct Product {
    result: Automaton,
    number: HashMap<Place, State>,
    order: Vec<Place>,
    limit: usize,
}

impl Product {
    fn explore(first: &Automaton, second: &Automaton, limit: usize, budget: &Budget) -> Result<Automaton, Incomplete> {
        let atoms = used_atoms([first, second]);
        let result = first.empty_like(first.sets() + second.sets());
        let mut product = Product { result, number: HashMap::default(), order: Vec::new(), limit };
        product.visit((first.initial(), second.initial(), None))?;
        let mut done = 0;
        while let Some((one, two, last)) = product.order.get(done).cloned() {
            let source = done as State;
            done += 1;
            for left in first.edges(one) {
                for right in second.edges(two) {
                    budget.check()?;
                    for letter in letters(&(&left.label & &right.label), &atoms, limit, budget)? {
                        let marks = left.marks.union(right.marks.shifted(first.sets()));
                        product.step(source, (left.target, right.target, Some(letter)), marks)?;
                    }
                }
            }
            let Some(last) = last else { continue };
            for left in first.edges(one).iter().filter(|edge| edge.label.intersects(&last)) {
                product.step(source, (left.target, two, Some(last.clone())), left.marks)?;
            }
            for right in second.edges(two).iter().filter(|edge| edge.label.intersects(&last)) {
                product.step(source, (one, right.target, Some(last.clone())), right.marks.shifted(first.sets()))?;
            }
        }
        Ok(product.result)
    }

    fn step(&mut self, source: State, place: Place, marks: Marks) -> Result<(), TooLarge> {
        let label = place.2.clone().expect("a step reads a letter");
        let target = self.visit(place)?;
        self.result.add_edge(source, target, &label, marks);
        Ok(())
    }

    fn visit(&mut self, place: Place) -> Result<State, TooLarge> {
        if let Some(&known) = self.number.get(&place) {
            return Ok(known);
        }
        if self.order.len() == self.limit {
            return Err(TooLarge::States(self.limit));
        }
        let fresh = self.result.add_state();
        self.number.insert(place.clone(), fresh);
        self.order.push(place);
        Ok(fresh)
    }
}

/// The atoms that some label mentions.
fn used_atoms(automata: [&Automaton; 2]) -> Vec<Variable> {
    let labels = automata.into_iter().flat_map(|automaton| automaton.all_edges().map(|(_, edge)| &edge.label));
    let mut atoms: Vec<Variable> = labels.flat_map(Bdd::support).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// The valuations of these atoms that a label allows, one by one.
fn letters(label: &Bdd, atoms: &[Variable], limit: usize, budget: &Budget) -> Result<Vec<Bdd>, Incomplete> {
    let mut letters = if label.is_false() { Vec::new() } else { vec![label.clone()] };
    for &atom in atoms {
        budget.check()?;
        let literals = [true, false].map(|value| label.manager().literal(atom, value));
        letters = letters.iter().flat_map(|letter| literals.each_ref().map(|literal| letter & literal)).collect();
        letters.retain(|letter| !letter.is_false());
        if letters.len() > limit {
            return Err(TooLarge::States(limit).into());
        }
    }
    Ok(letters)
}
