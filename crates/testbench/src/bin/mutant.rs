//! A wrong translator as a command, for tests of the testbench: `mutant NAME FORMULA` writes an automaton in HOA.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "a command writes, complains and exits")]

use omega::formula::Formulas;
use omega::parse::{Syntax, parse};
use testbench::mutant::{Behaviour, MUTANTS, Mutant, Product};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, text] = &arguments[..] else {
        let names: Vec<&str> = MUTANTS.iter().map(|mutant| mutant.name).collect();
        eprintln!("usage: mutant NAME FORMULA, where the name is one of {}", names.join(", "));
        std::process::exit(2);
    };
    let Some(mutant) = Mutant::named(name) else {
        eprintln!("there is no mutant `{name}`");
        std::process::exit(2);
    };
    let mut formulas = Formulas::new();
    let Ok(formula) = parse(&mut formulas, text, Syntax::Spot) else {
        eprintln!("`{text}` is not a formula");
        std::process::exit(2);
    };
    match mutant.translate(&mut formulas, formula) {
        Product::Text(text) => print!("{text}"),
        Product::Behaviour(Behaviour::Loop) => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        Product::Behaviour(Behaviour::Crash) => std::process::abort(),
        Product::Behaviour(Behaviour::Exit) => std::process::exit(3),
        Product::Behaviour(Behaviour::Memory) => {
            let mut taken: Vec<Vec<u8>> = Vec::new();
            loop {
                taken.push(vec![1; 16 << 20]);
            }
        }
    }
}
