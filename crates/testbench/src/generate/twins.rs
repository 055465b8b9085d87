//! Random Promela programs with interchangeable processes, and with some that are not quite.
//!
//! *Contract.* The text depends on the seed alone. Two to four processes of one definition, started together or by `run`,
//! work on variables of their own, on elements `own[_pid]`, on shared variables and channels. In some programs something
//! tells them apart: arithmetic on `_pid`, an element that somebody else uses, the end of a process, a property about one
//! of them.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Statements that do not tell processes apart.
const PLAIN: [&str; 18] = [
    "x = (x + 1) % 3",
    "y = x",
    "x = 0",
    "x > 0",
    "g = (g + 1) % 3",
    "g == 1",
    "h = !h",
    "h",
    "own[_pid] = x",
    "own[_pid] == 0",
    "own[_pid] = 1 - own[_pid]",
    "buf!x",
    "buf?x",
    "buf?1",
    "meet!x",
    "meet?y",
    "atomic { g = 0; x = 1; own[_pid] = g }",
    "d_step { h = false; y = own[_pid] }",
];

/// Statements that do.
const TELLING: [&str; 4] = ["g = _pid % 3", "x = own[0]", "assert(own[1] < 2)", "g = own[(_pid + 1) % 5]"];

/// A random program.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut chance = |percent: u32| random.random_range(0..100) < percent;
    let (tells, ends, is_run, asserts) = (chance(20), chance(15), chance(30), chance(30));
    let count = random.random_range(2..4);
    let mut statement = |tells: bool| {
        let list: &[&str] = if tells && random.random_range(0..3) == 0 { &TELLING } else { &PLAIN };
        *list.choose(&mut random).expect("not empty")
    };
    let mut body = String::new();
    for _ in 0..3 {
        body += &format!("    :: {}; {}\n", statement(tells), statement(tells));
    }
    if asserts {
        body += "    :: assert(g != 2 || h)\n";
    }
    if ends {
        body += "    :: g == 2 -> break\n";
    }
    let head = "byte g; bool h; byte own[6]; chan buf = [1] of { byte }; chan meet = [0] of { byte };\n";
    let other = format!("active proctype Other() {{ do :: {}; skip :: {} od }}\n", "g = 1", "buf!1");
    let twins = format!("proctype P() {{\n    byte x, y;\n    do\n{body}    od\n}}\n");
    let started = match is_run {
        true => format!("{twins}init {{ atomic {{ {} }} }}\n", "run P(); ".repeat(count)),
        false => format!("active [{count}] {twins}"),
    };
    let about_one = if tells { "ltl one { [] (own[1] == 0 || h) }\n" } else { "" };
    format!(
        "{head}{started}{other}ltl p {{ [] (g != 2 || h) }}\nltl q {{ [] <> (g == 1) }}\nltl r {{ <> [] h }}\n{about_one}"
    )
}
