//! Smaller words: letters left out, propositions made false.
//!
//! What: [`shorter`] makes a word smaller while a test holds. Contract: the result passes the test (if the given word does),
//! and no word with one letter less passes it, wherever its loop begins, and no word with one proposition less in a letter.
//! If few enough words are smaller, none of them passes it. The result is written with the shortest stem and loop. Source:
//! the idea of leaving out many letters at first and fewer later is from [zeller.02.tse]. Tested by: `tests/mutants.rs`,
//! which leaves out every letter and every proposition of what was shrunk, and below.

use crate::thresholds::shrink::MOST_BITS;
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
        move_loop(&mut parts, holds);
        make_false(&mut parts, holds);
        if parts == before {
            try_all_smaller(&mut parts, atoms.len(), holds);
        }
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

/// Leaves out one letter and lets the loop begin anywhere, so that a letter of the stem can become the loop.
fn move_loop(parts: &mut [Vec<Letter>; 2], holds: impl Fn(&[Vec<Letter>; 2]) -> bool) {
    loop {
        let letters: Vec<Letter> = parts.concat();
        let split = |left_out: usize, start: usize| {
            let mut stem = letters.clone();
            stem.remove(left_out);
            let cycle = stem.split_off(start);
            [stem, cycle]
        };
        let mut candidates = (0..letters.len()).flat_map(|out| (0..letters.len() - 1).map(move |start| (out, start)));
        match candidates.find_map(|(out, start)| Some(split(out, start)).filter(&holds)) {
            Some(smaller) => *parts = smaller,
            None => return,
        }
    }
}

/// Tries all words that are smaller: shorter ones, and those of the same length with fewer true propositions.
fn try_all_smaller(parts: &mut [Vec<Letter>; 2], atoms: usize, holds: impl Fn(&[Vec<Letter>; 2]) -> bool) {
    let length = parts[0].len() + parts[1].len();
    let truths = parts.iter().flatten().flatten().filter(|value| **value == Some(true)).count() as u32;
    for shorter in 1..=length {
        let bits = atoms * shorter;
        if bits > MOST_BITS {
            return;
        }
        let mut values: Vec<u32> = (0..1 << bits).collect();
        values.sort_by_key(|value| value.count_ones());
        values.retain(|value| shorter < length || value.count_ones() < truths);
        for value in values {
            let letter = |at: usize| (0..atoms).map(|atom| Some(value >> (at * atoms + atom) & 1 == 1)).collect();
            let letters: Vec<Letter> = (0..shorter).map(letter).collect();
            for start in 0..shorter {
                let smaller = [letters[..start].to_vec(), letters[start..].to_vec()];
                if holds(&smaller) {
                    *parts = smaller;
                    return;
                }
            }
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
    fn a_letter_of_the_stem_can_become_the_loop() {
        let word = Word::parse("a & !b; cycle{!a & !b}").unwrap();
        let begins_with_a = |word: &Word| word.letter(0)[0] == Some(true);
        assert_eq!(shorter(&word, begins_with_a).to_string(), "cycle{a & !b}");
    }

    #[test]
    fn no_smaller_word_passes_the_test() {
        // No single step leads from `a` at the first letter to `b` at the first letter.
        let word = Word::parse("a & !b; cycle{a & b}").unwrap();
        let wanted = |word: &Word| {
            let letter = |at: usize| word.letter(at).iter().map(|value| *value == Some(true)).collect::<Vec<_>>();
            word.len() == 2 && letter(0) == [true, false] || word.len() == 1 && letter(0) == [false, true]
        };
        assert_eq!(shorter(&word, wanted).to_string(), "cycle{!a & b}");
    }

    #[test]
    fn what_repeats_is_written_once() {
        let word = Word::parse("b; a; cycle{b; a; b; a}").unwrap();
        let mut parts = [word.stem().to_vec(), word.cycle().to_vec()];
        fold(&mut parts);
        assert_eq!((parts[0].len(), parts[1].len()), (0, 2));
    }
}
