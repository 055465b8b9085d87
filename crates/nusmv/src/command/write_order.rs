//! `write_order`: the order of variables, as a file that `encode_variables -i` reads.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::machine::{Space, options};
use crate::session::{Outcome, Session, Stage};
use flat::order::{self, Bit};

/// The command.
pub const COMMAND: Command = Command {
    name: "write_order",
    meaning: "writes the order of variables",
    words: "",
    options: &[
        HELP,
        ('b', "", "bit by bit; the default"),
        ('o', "file", "the file; by default the one that the variable output_order_file names"),
        ('f', "file", "as -o"),
    ],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.count("of") > 1 {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Encoded) {
        return Outcome::Failed;
    }
    let given = arguments.value('o').or_else(|| arguments.value('f')).map(str::to_owned);
    let default = session.settings.text("output_order_file").unwrap_or("temp.ord").to_owned();
    let by_bits = arguments.has('b') || session.settings.is_on("write_order_dumps_bits");
    write(session, &given.unwrap_or(default), by_bits)
}

/// Writes the order that the model has when it is built, bit by bit or variable by variable.
pub fn write(session: &mut Session<'_>, file: &str, by_bits: bool) -> Outcome {
    let (model, options, budget) = (session.flat().clone(), options(), session.budget.clone());
    let text = match Space::new(session, &model, &options, &budget) {
        Ok(space) => {
            let encoding = space.machine.encoding();
            let order = space.machine.system().manager().order(bdd::MAX_VARIABLES);
            let mut bits: Vec<(usize, Bit)> = Vec::new();
            for id in model.variable_ids() {
                for (place, bit) in (0..).zip(encoding.bits_now(id)) {
                    let level = order.iter().position(|one| one == bit).unwrap_or(usize::MAX);
                    bits.push((level, Bit { variable: id, place }));
                }
            }
            bits.sort_by_key(|(level, _)| *level);
            let mut names: Vec<String> = Vec::new();
            for (_, bit) in bits {
                let name = match by_bits {
                    true => order::name(&model, bit),
                    false => model.variable(bit.variable).name.clone(),
                };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.iter().map(|name| format!("{name}\n")).collect::<String>()
        }
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    session.write(file, &text)
}
