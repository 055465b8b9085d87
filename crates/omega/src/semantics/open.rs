//! The truth of a formula on a word with open values: the same for all values that they may have, or open.
//!
//! What: Kleene's three values at each position, as two rows of truth values: what holds for certain, and what may hold.
//! Temporal operators are monotonic, so each row follows from that of the operands by the operator itself.
//!
//! Contract: if the answer is a truth value, every word that fills in the open values has it. The converse does not hold:
//! `a | !a` is open where a is.
//!
//! Tested by: random fillings of random words (below).

use super::timeline;
use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;
use crate::word::Word;

/// The truth of the formula on all words that fill in the open values of this one, if the values that are given are enough
/// to know it. Atoms that the word does not have are false.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::semantics::decided_on;
/// use omega::word::Word;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(a -> Fb)", Syntax::Spot).unwrap();
/// let decided = |text| decided_on(&formulas, formula, &Word::parse(text).unwrap());
/// assert_eq!(decided("b; cycle{1; b}"), Some(true));
/// assert_eq!(decided("a & !b; cycle{!b}"), Some(false));
/// assert_eq!(decided("a & b; cycle{!b}"), None);
/// ```
#[must_use]
pub fn decided_on(formulas: &Formulas, formula: Formula, word: &Word) -> Option<bool> {
    let word = word.unrolled(formulas.past_depth(formula));
    let mut rows: HashMap<Formula, Bounds> = HashMap::default();
    for part in formulas.subformulas(formula) {
        let bounds = bounds(formulas, part, &word, &rows);
        rows.insert(part, bounds);
    }
    let Bounds { certain, possible } = &rows[&formula];
    (certain[0] == possible[0]).then_some(certain[0])
}

/// At each position, whether a formula holds for certain and whether it may hold.
struct Bounds {
    certain: Vec<bool>,
    possible: Vec<bool>,
}

fn bounds(formulas: &Formulas, formula: Formula, word: &Word, rows: &HashMap<Formula, Bounds>) -> Bounds {
    let both = |truth: &dyn Fn(usize) -> Option<bool>| Bounds {
        certain: (0..word.len()).map(|i| truth(i).unwrap_or(false)).collect(),
        possible: (0..word.len()).map(|i| truth(i).unwrap_or(true)).collect(),
    };
    let at = |a: Formula, i: usize| (rows[&a].certain[i] == rows[&a].possible[i]).then_some(rows[&a].certain[i]);
    let row = |truth: &dyn Fn(usize) -> bool| (0..word.len()).map(truth).collect::<Vec<bool>>();
    let certain = |a: &Formula, i: usize| rows[a].certain[i];
    let possible = |a: &Formula, i: usize| rows[a].possible[i];
    match formulas.node(formula) {
        Node::True => both(&|_| Some(true)),
        Node::False => both(&|_| Some(false)),
        Node::Atom(atom) => {
            let index = word.propositions().place_of(formulas, *atom);
            both(&|i| index.map_or(Some(false), |index| word.letter(i)[index]))
        }
        Node::Not(a) => Bounds { certain: row(&|i| !possible(a, i)), possible: row(&|i| !certain(a, i)) },
        Node::And(list) => Bounds {
            certain: row(&|i| list.iter().all(|a| certain(a, i))),
            possible: row(&|i| list.iter().all(|a| possible(a, i))),
        },
        Node::Or(list) => Bounds {
            certain: row(&|i| list.iter().any(|a| certain(a, i))),
            possible: row(&|i| list.iter().any(|a| possible(a, i))),
        },
        Node::Implies(a, b) => Bounds {
            certain: row(&|i| !possible(a, i) || certain(b, i)),
            possible: row(&|i| !certain(a, i) || possible(b, i)),
        },
        Node::Xor(a, b) => both(&|i| Some(at(*a, i)? != at(*b, i)?)),
        Node::Iff(a, b) => both(&|i| Some(at(*a, i)? == at(*b, i)?)),
        temporal => Bounds {
            certain: timeline::row(word, temporal, &|child| &rows[&child].certain),
            possible: timeline::row(word, temporal, &|child| &rows[&child].possible),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{FormulaShape, Random, word};
    use crate::semantics::satisfies;
    use crate::word::Letter;

    #[test]
    fn what_is_decided_holds_for_all_fillings() {
        let mut random = Random::new(2003);
        let atoms = ["p0".to_owned(), "p1".to_owned()];
        let mut count = [0, 0, 0];
        for round in 0..2000 {
            let mut formulas = Formulas::new();
            let formula = FormulaShape::with_past(1 + round % 9, 2).draw(&mut formulas, &mut random);
            let full = word(&atoms, 5, &mut random);
            let mut blur = |letters: &[Letter]| -> Vec<Letter> {
                let mut open = |value: &Option<bool>| if random.chance(0.4) { None } else { *value };
                letters.iter().map(|letter| letter.iter().map(&mut open).collect()).collect()
            };
            let (stem, cycle) = (blur(full.stem()), blur(full.cycle()));
            let open = Word::new(atoms.to_vec(), stem, cycle);
            let answer = decided_on(&formulas, formula, &open);
            assert_eq!(decided_on(&formulas, formula, &full), Some(satisfies(&formulas, formula, &full)));
            count[answer.map_or(2, usize::from)] += 1;
            let Some(truth) = answer else { continue };
            for _ in 0..10 {
                let mut fill = |letters: &[Letter]| -> Vec<Letter> {
                    let mut value = |value: &Option<bool>| value.or_else(|| Some(random.chance(0.5)));
                    letters.iter().map(|letter| letter.iter().map(&mut value).collect()).collect()
                };
                // The rounds of the cycle may differ.
                let open = open.unrolled(2);
                let (stem, cycle) = (fill(open.stem()), fill(open.cycle()));
                let filled = Word::new(atoms.to_vec(), stem, cycle);
                assert_eq!(satisfies(&formulas, formula, &filled), truth, "round {round}: {filled}");
            }
        }
        assert!(count.iter().all(|count| *count > 100), "{count:?}");
    }
}
