//! The truth of a formula on a finite prefix: equal for all continuations, or open.
//!
//! What: Kleene's three values, from the leaves up and from the last letter back; what comes after the last letter is
//! open. Contract: if the answer is a truth value, every infinite word with this prefix has it. The converse does not
//! hold: `X a & X !a` is open on a prefix of one letter. Prefixes on which a formula is decided in this way are called
//! informative [kupferman.01.fmsd]. Operators of the past go forwards from the first letter: what lies before it is known.
//!
//! Tested by: all continuations that [`super::satisfies`] is asked about, on random formulas and prefixes (below).

use crate::formula::{Formula, Formulas, Node};
use crate::propositions::Propositions;
use crate::table::HashMap;
use crate::word::Letter;

/// The truth of the formula on all words that begin with these letters, if they are enough to know it.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::propositions::Propositions;
/// use omega::semantics::decided;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(a -> X b)", Syntax::Spot).unwrap();
/// let atoms = Propositions::named(["a", "b"]);
/// let letter = |a, b| vec![Some(a), Some(b)];
/// assert_eq!(decided(&formulas, formula, &atoms, &[letter(true, false)]), None);
/// assert_eq!(decided(&formulas, formula, &atoms, &[letter(true, false), letter(false, false)]), Some(false));
/// ```
#[must_use]
pub fn decided(formulas: &Formulas, formula: Formula, atoms: &Propositions, prefix: &[Letter]) -> Option<bool> {
    let mut rows: HashMap<Formula, Vec<Option<bool>>> = HashMap::default();
    for subformula in formulas.subformulas(formula) {
        let row = row(formulas, subformula, atoms, prefix, &rows);
        rows.insert(subformula, row);
    }
    rows[&formula].first().copied().flatten()
}

type Rows = HashMap<Formula, Vec<Option<bool>>>;

fn row(
    formulas: &Formulas,
    formula: Formula,
    atoms: &Propositions,
    prefix: &[Letter],
    rows: &Rows,
) -> Vec<Option<bool>> {
    let of = |child: Formula, i: usize| rows[&child][i];
    let here = |truth: &dyn Fn(usize) -> Option<bool>| (0..prefix.len()).map(truth).collect();
    let back = |step: &dyn Fn(usize, Option<bool>) -> Option<bool>| {
        let mut row = vec![None; prefix.len()];
        let mut later = None;
        for i in (0..prefix.len()).rev() {
            later = step(i, later);
            row[i] = later;
        }
        row
    };
    let forth = |start: bool, step: &dyn Fn(usize, Option<bool>) -> Option<bool>| {
        let mut before = Some(start);
        let mut next = |i: usize| {
            before = step(i, before);
            before
        };
        (0..prefix.len()).map(&mut next).collect()
    };
    let previous = |a: Formula, i: usize, first: bool| if i == 0 { Some(first) } else { of(a, i - 1) };
    match *formulas.node(formula) {
        Node::True => vec![Some(true); prefix.len()],
        Node::False => vec![Some(false); prefix.len()],
        Node::Atom(atom) => {
            let index = atoms.place_of(formulas, atom);
            here(&|i| index.map_or(Some(false), |index| prefix[i][index]))
        }
        Node::Not(a) => here(&|i| not(of(a, i))),
        Node::And(ref members) => here(&|i| members.iter().map(|a| of(*a, i)).reduce(and).unwrap_or(Some(true))),
        Node::Or(ref members) => here(&|i| members.iter().map(|a| of(*a, i)).reduce(or).unwrap_or(Some(false))),
        Node::Xor(a, b) => here(&|i| Some(of(a, i)? != of(b, i)?)),
        Node::Iff(a, b) => here(&|i| Some(of(a, i)? == of(b, i)?)),
        Node::Implies(a, b) => here(&|i| or(not(of(a, i)), of(b, i))),
        Node::Next(a) => here(&|i| rows[&a].get(i + 1).copied().flatten()),
        Node::Eventually(a) => back(&|i, later| or(of(a, i), later)),
        Node::Always(a) => back(&|i, later| and(of(a, i), later)),
        Node::Until(a, b) | Node::WeakUntil(a, b) => back(&|i, later| or(of(b, i), and(of(a, i), later))),
        Node::Release(a, b) | Node::StrongRelease(a, b) => back(&|i, later| and(of(b, i), or(of(a, i), later))),
        Node::Previously(a) => here(&|i| previous(a, i, false)),
        Node::WeakPreviously(a) => here(&|i| previous(a, i, true)),
        Node::Once(a) => forth(false, &|i, before| or(of(a, i), before)),
        Node::Historically(a) => forth(true, &|i, before| and(of(a, i), before)),
        Node::Since(a, b) => forth(false, &|i, before| or(of(b, i), and(of(a, i), before))),
        Node::Triggered(a, b) => forth(true, &|i, before| and(of(b, i), or(of(a, i), before))),
    }
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(and(not(a), not(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{FormulaShape, Random, word};
    use crate::semantics::satisfies;
    use crate::word::Word;

    #[test]
    fn what_is_decided_holds_on_all_continuations() {
        let mut random = Random::new(2001);
        let atoms = ["p0".to_owned(), "p1".to_owned()];
        let mut count = [0, 0, 0];
        for round in 0..2000 {
            let mut formulas = Formulas::new();
            let formula = FormulaShape::new(1 + round % 9, 2).draw(&mut formulas, &mut random);
            let start = word(&atoms, 4, &mut random);
            let prefix: Vec<Letter> = (0..start.len()).map(|i| start.letter(i).clone()).collect();
            let answer = decided(&formulas, formula, start.propositions(), &prefix);
            count[answer.map_or(2, usize::from)] += 1;
            let Some(truth) = answer else { continue };
            for _ in 0..20 {
                let rest = word(&atoms, 4, &mut random);
                let stem = prefix.iter().chain(rest.stem()).cloned().collect();
                let whole = Word::new(atoms.to_vec(), stem, rest.cycle().to_vec());
                assert_eq!(satisfies(&formulas, formula, &whole), truth, "round {round}: {whole}");
            }
        }
        assert!(count.iter().all(|count| *count > 100), "{count:?}");
    }
}
