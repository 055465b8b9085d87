//! Smaller words: letters left out, propositions made false.
//!
//! What: [`shorter`] makes a word smaller while a test holds. Contract: the result passes the test (if the given word does), and
//! no word that has one letter less in stem or loop, or one proposition less in a letter, passes it; it is written with the
//! shortest stem and loop. Source: leaving out many letters at first and fewer later is the idea of [zeller.02.tse].
//! Tested by: `tests/mutants.rs`, which leaves out every letter and every proposition of what was shrunk.

use omega::word::{Letter, Word};

/// Makes a word smaller.
pub(super) fn shorter(word: &Word, test: impl Fn(&Word) -> bool) -> Word {
    let atoms = word.atoms().to_vec();
    let mut parts = [word.stem().to_vec(), word.cycle().to_vec()];
    let holds = |parts: &[Vec<Letter>; 2]| {
        !parts[1].is_empty() && test(&Word::new(atoms.clone(), parts[0].clone(), parts[1].clone()))
    };
    loop {
        let before = parts.clone();
        fold(&mut parts);
        leave_out_letters(&mut parts, holds);
        make_false(&mut parts, holds);
        if parts == before {
            let [stem, cycle] = parts;
            return Word::new(atoms, stem, cycle);
        }
    }
}

/// The same word with the shortest loop, and then the shortest stem.
fn fold([stem, cycle]: &mut [Vec<Letter>; 2]) {
    let length = cycle.len();
    let repeats = |period: &usize| length % period == 0 && (*period..length).all(|at| cycle[at] == cycle[at - period]);
    if let Some(period) = (1..length).find(repeats) {
        cycle.truncate(period);
    }
    while stem.last().is_some_and(|last| cycle.last() == Some(last)) {
        stem.pop();
        cycle.rotate_right(1);
    }
}

/// Leaves out letters, many at a time at first.
fn leave_out_letters(parts: &mut [Vec<Letter>; 2], holds: impl Fn(&[Vec<Letter>; 2]) -> bool) {
    for part in [0, 1] {
        let mut chunk = parts[part].len();
        while chunk > 0 {
            let mut at = 0;
            while at < parts[part].len() {
                let mut fewer = parts.clone();
                fewer[part].drain(at..(at + chunk).min(parts[part].len()));
                if holds(&fewer) {
                    *parts = fewer;
                } else {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
    }
}

/// Makes propositions false, one by one.
fn make_false(parts: &mut [Vec<Letter>; 2], holds: impl Fn(&[Vec<Letter>; 2]) -> bool) {
    for part in [0, 1] {
        for at in 0..parts[part].len() {
            for atom in 0..parts[part][at].len() {
                if parts[part][at][atom] == Some(true) {
                    parts[part][at][atom] = Some(false);
                    if !holds(parts) {
                        parts[part][at][atom] = Some(true);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_be_left_out_of_what_is_left() {
        let word = Word::parse("a & b; b; cycle{a & b; !a & b; a & !b; a & b; !a & b; a & !b; a & b; !a & b; a & !b}")
            .unwrap();
        assert_eq!(shorter(&word, |_| true).to_string(), "cycle{!a & !b}");
        assert_eq!(shorter(&word, |word| word.letter(0)[0] == Some(true)).to_string(), "cycle{a & !b}");
        let alternates = |word: &Word| {
            word.cycle().iter().any(|l| l[0] == Some(true)) && word.cycle().iter().any(|l| l[0] != Some(true))
        };
        assert_eq!(shorter(&word, alternates).len(), 2);
    }

    #[test]
    fn what_repeats_is_written_once() {
        let word = Word::parse("b; a; cycle{b; a; b; a}").unwrap();
        let mut parts = [word.stem().to_vec(), word.cycle().to_vec()];
        fold(&mut parts);
        assert_eq!((parts[0].len(), parts[1].len()), (0, 2));
    }
}
