//! What to do when the fault is ours: say so, and leave a file with which it can be reproduced.

use crate::exit::Failure;
use crate::file;
use checker::Model;
use std::fmt::Write;
use std::path::Path;

/// Where to send it.
const PLEASE: &str = "Please report it, with this file.";

/// The engine found a run that the reference interpreter does not accept.
pub(crate) fn disagreement(model: &Model, step: usize, reason: &str) -> Failure {
    let what = format!("the engine and the reference interpreter disagree at step {step}");
    let saved = saved(model, &format!("{what}: {reason}"));
    Failure::bug(format!("{what}.\nNo verdict is given, because one of them is wrong. {saved}"))
}

/// A fact that was mined is not one.
pub(crate) fn wrong_fact(model: &Model, property: &str, reason: &str) -> Failure {
    let what = format!("of {property}: some reachable state contradicts the fact that {reason}");
    Failure::bug(format!("{what}.\n{}", saved(model, &what)))
}

/// Leaves a file with which something can be reproduced, and says so.
fn saved(model: &Model, what: &str) -> String {
    let path = format!("lariat-bug-{}.txt", &model.summary().sha256[..12]);
    match file::write(Path::new(&path), &reproduction(model, what)) {
        Ok(()) => format!("What is needed to reproduce it is in `{path}`. {PLEASE}"),
        Err(_) => "The file with which to reproduce it could not be written.".into(),
    }
}

fn reproduction(model: &Model, what: &str) -> String {
    let mut text = format!("lariat {}\n{what}\n", env!("CARGO_PKG_VERSION"));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let _ = writeln!(text, "arguments: {arguments:?}");
    for file in model.sources().files() {
        let _ = writeln!(text, "\n==== {} ====\n{}", model.sources().name(file), model.sources().text(file));
    }
    text
}
