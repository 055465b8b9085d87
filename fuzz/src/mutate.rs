//! Mutation of texts: the usual small damages, at random places.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Fragments that parsers stumble over.
const FRAGMENTS: [&str; 24] = [
    "{",
    "}",
    "(",
    ")",
    "((((((((",
    "::",
    "->",
    "#define x x x\n",
    "#include \"a\"\n",
    "/*",
    "*/",
    "\"",
    "'",
    "\\\n",
    "\0",
    "99999999999999999999",
    "do",
    "od",
    "if",
    "fi",
    "atomic {",
    ";;;;",
    "\u{e9}\u{1f980}",
    "##",
];

/// Damages a text a few times; `others` are texts from which pieces may come.
pub(crate) fn mutate(random: &mut ChaCha8Rng, text: &str, others: &[String]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.random_range(1..=6) {
        let at = random.random_range(0..=bytes.len());
        let end = (at + random.random_range(0..40)).min(bytes.len());
        match random.random_range(0..8) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            2 | 3 => {
                let fragment = FRAGMENTS.choose(random).expect("not empty");
                bytes.splice(at..at, fragment.bytes());
            }
            4 => bytes.splice(at..end, std::iter::once(random.random())).for_each(drop),
            5 => {
                if let Some(other) = others.choose(random) {
                    let other = other.as_bytes();
                    let from = random.random_range(0..=other.len());
                    let to = (from + random.random_range(0..200)).min(other.len());
                    bytes.splice(at..at, other[from..to].iter().copied());
                }
            }
            6 => bytes.truncate(at),
            _ => {
                let fragment = FRAGMENTS.choose(random).expect("not empty");
                let bomb = fragment.repeat(random.random_range(1..3000));
                bytes.splice(at..at, bomb.bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text of random bytes and fragments.
pub(crate) fn noise(random: &mut ChaCha8Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.random_range(0..200) {
        if random.random_range(0..2) == 0 {
            text.push_str(FRAGMENTS.choose(random).expect("not empty"));
        } else {
            text.push(char::from(random.random_range(9..127_u8)));
        }
    }
    text
}
