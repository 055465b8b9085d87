//! The symbolic tableau against the semantics: an explicit search over all values of its variables along a word.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use kernel::budget::Budget;
use omega::automaton::emptiness::accepting_run;
use omega::automaton::{Automaton, Marks};
use omega::formula::{Formula, Formulas};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random, word};
use omega::rewrite::{Nnf, simplify};
use omega::semantics::satisfies;
use omega::tableau::{Condition, Gate, Law, Tableau};
use omega::word::Word;

const SEED: u64 = 19_970_101;

/// The value of each gate at a position of a word, with these values of the variables.
fn gates(formulas: &Formulas, tableau: &Tableau, word: &Word, position: usize, variables: usize) -> Vec<bool> {
    let mut values: Vec<bool> = Vec::new();
    for gate in tableau.gates() {
        let of = |condition: Condition| values[condition.gate()] != condition.is_negated();
        let value = match gate {
            Gate::True => true,
            Gate::Atom(atom) => {
                let index = word.atoms().iter().position(|name| name == formulas.atom_name(*atom));
                index.is_some_and(|index| word.letter(position)[index] == Some(true))
            }
            Gate::Variable(number) => variables >> number & 1 == 1,
            Gate::And(members) => members.iter().all(|member| of(*member)),
            Gate::Xor(a, b) => of(*a) != of(*b),
        };
        values.push(value);
    }
    values
}

/// Searches for values of the variables along a word that meet all conditions. A state of the automaton is a position with
/// the values there, and an acceptance set a condition that must hold infinitely often.
fn has_fair_values(formulas: &Formulas, tableau: &Tableau, word: &Word) -> bool {
    let valuations = 1_usize << tableau.laws().len();
    let values: Vec<Vec<Vec<bool>>> = (0..word.len())
        .map(|position| (0..valuations).map(|v| gates(formulas, tableau, word, position, v)).collect())
        .collect();
    let of = |position: usize, valuation: usize, condition: Condition| {
        values[position][valuation][condition.gate()] != condition.is_negated()
    };
    let mut automaton = Automaton::new(Vec::<String>::new(), tableau.fairness().len() as u32);
    automaton.add_states(word.len() * valuations + 1);
    let (start, any) = ((word.len() * valuations) as u32, automaton.manager().yes());
    automaton.set_initial(start);
    let number = |position: usize, valuation: usize| (position * valuations + valuation) as u32;
    let is_memory = |variable: usize| matches!(tableau.laws()[variable], Law::Memory(_));
    for valuation in 0..valuations {
        let no_memory = (0..tableau.laws().len()).all(|v| !is_memory(v) || valuation >> v & 1 == 0);
        if no_memory && of(0, valuation, tableau.truth()) {
            automaton.add_edge(start, number(0, valuation), &any, Marks::NONE);
        }
    }
    for position in 0..word.len() {
        let after = word.successor(position);
        for now in 0..valuations {
            let fair = |(_, condition): &(u32, &Condition)| of(position, now, **condition);
            let marks = (0..)
                .zip(tableau.fairness())
                .filter(fair)
                .fold(Marks::NONE, |all, (set, _)| all.union(Marks::one(set)));
            for next in 0..valuations {
                let lawful = tableau.laws().iter().enumerate().all(|(variable, law)| match law {
                    Law::Promise(condition) => (now >> variable & 1 == 1) == of(after, next, *condition),
                    Law::Memory(condition) => (next >> variable & 1 == 1) == of(position, now, *condition),
                });
                if lawful {
                    automaton.add_edge(number(position, now), number(after, next), &any, marks);
                }
            }
        }
    }
    accepting_run(&automaton).is_some()
}

fn check(formulas: &Formulas, formula: Formula, words: &[Word]) -> bool {
    let tableau = Tableau::new(formulas, formula);
    if tableau.laws().len() > 5 {
        return false;
    }
    for word in words {
        let text = print(formulas, formula, Notation::Spot);
        let expected = satisfies(formulas, formula, word);
        assert_eq!(has_fair_values(formulas, &tableau, word), expected, "{text} on {word}: {tableau:?}");
    }
    true
}

#[test]
fn a_tableau_has_the_words_of_its_formula() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let names: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
    let mut checked = 0;
    for _ in 0..1_000 {
        let mut formulas = Formulas::new();
        let shape = FormulaShape::with_past(2 + random.below(9) as usize, 3);
        let formula = shape.draw_verbatim(&mut formulas, &mut random);
        let words: Vec<Word> = (0..4).map(|_| word(&names, 4, &mut random)).collect();
        checked += usize::from(check(&formulas, formula, &words));
        let simple = simplify(&mut formulas, formula, &Budget::unlimited()).unwrap();
        check(&formulas, simple, &words);
    }
    assert!(checked > 600, "only {checked} formulas were checked");
}

#[test]
fn a_formula_and_its_negation_have_the_same_variables() {
    let mut random = Random::new(SEED);
    for _ in 0..2_000 {
        let mut formulas = Formulas::new();
        // The normal form of an equivalence is not that of its negation with other signs.
        let mut shape = FormulaShape::with_past(12, 3);
        (shape.weights.iff, shape.weights.xor) = (0, 0);
        let formula = shape.draw(&mut formulas, &mut random);
        let [normal, negation] = {
            let mut nnf = Nnf::new();
            [nnf.of(&mut formulas, formula), nnf.negation(&mut formulas, formula)]
        };
        let both = formulas.and([normal, negation]);
        let sizes = [normal, negation, both].map(|formula| Tableau::new(&formulas, formula).laws().len());
        let text = print(&formulas, formula, Notation::Spot);
        assert!(sizes[0] == sizes[1] && (both == Formula::FALSE || sizes[2] == sizes[0]), "{text}: {sizes:?}");
    }
}
