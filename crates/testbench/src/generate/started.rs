//! Random Promela programs about processes that are started: parameters of all sizes, channels as parameters, and starters
//! with variables and channels of their own in the same places.
//!
//! *Contract.* The text depends on the seed alone. The formula at the end is stutter-invariant.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

/// Values of parameters: in a byte, at its edge, beyond it, and negative.
const VALUES: [i32; 8] = [0, 2, 255, 256, 300, 1000, -1, -300];
/// What a started process does, with `I` for an index that is always in bounds.
const STARTED: [&str; 12] = [
    "d?v",
    "d!1",
    "d?eval(g)",
    "cell[I] = 1",
    "assert(cell[I] == 0)",
    "cell[I] == 1",
    "g = v",
    "v = g",
    "assert(g != 2)",
    "if :: d!2 :: else -> g = 2 fi",
    "if :: d?v :: else -> g = 1 fi",
    "nempty(two)",
];
/// What the others do beside starting processes.
const OTHERS: [&str; 12] = [
    "if :: one!1 :: else -> g = 2 fi",
    "one!1",
    "one?x",
    "two!1",
    "two?x",
    "x = g",
    "g = 1",
    "assert(cell[0] == 0 || g == 0)",
    "assert(cell[0] == 0)",
    "if :: cell[0] == 1 -> g = 2 :: else fi",
    "own!1",
    "own?x",
];
const FORMULAS: [&str; 5] =
    ["[] (g != 2)", "<> (g == 1)", "[]<> (cell[0] == 0)", "<>[] (len(two) == 0)", "[] (g == 1 -> <> (cell[1] == 1))"];

/// A random program.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let value = pick(&mut random, &VALUES);
    let mut text = "byte g; byte cell[2];\nchan one = [0] of { byte };\nchan two = [1] of { byte };\n".to_owned();
    let (number, channel) = ("short i", "chan d");
    let parameters = if random.random() { [number, channel] } else { [channel, number] };
    let _ = write!(text, "proctype R({}) {{\nbyte v;\n", parameters.join("; "));
    for _ in 0..random.random_range(1..=3) {
        let index = ["i - V", "V - i", "(i - V) % 2 + 1"][random.random_range(0..3)];
        let statement = pick(&mut random, &STARTED).replace('I', &index.replace('V', &format!("({value})")));
        let _ = writeln!(text, "{statement};");
    }
    ending(&mut random, &mut text);
    for process in 0..2 {
        let own =
            ["chan own = [1] of { byte }; byte x", "chan own = [0] of { byte }; byte x", "byte x; chan own = two"];
        let _ = write!(text, "active proctype P{process}() {{\n{};\n", pick(&mut random, &own));
        for _ in 0..random.random_range(1..=2) {
            let _ = writeln!(text, "{};", pick(&mut random, &OTHERS));
        }
        if process == 0 || random.random() {
            let channel = pick(&mut random, &["one", "two", "own"]);
            let arguments = parameters.map(|one| if one == number { value.to_string() } else { channel.to_owned() });
            let _ = writeln!(text, "run R({});", arguments.join(", "));
        }
        if random.random() {
            let _ = writeln!(text, "{};", pick(&mut random, &OTHERS));
        }
        ending(&mut random, &mut text);
    }
    let _ = writeln!(text, "ltl p {{ {} }}", pick(&mut random, &FORMULAS));
    text
}

fn pick<T: Copy>(random: &mut ChaCha8Rng, list: &[T]) -> T {
    *list.choose(random).expect("not empty")
}

/// The process ends, or stays at a valid end.
fn ending(random: &mut ChaCha8Rng, text: &mut String) {
    text.push_str(if random.random() { "skip\n}\n" } else { "end: do :: false od\n}\n" });
}
