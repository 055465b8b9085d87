//! Products, searched by SPIN: all claims of a task are part of one verifier, which is compiled once and searches the one that
//! it is told to.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::io::never::{self, Style};
use tempfile::TempDir;

use super::Outcome;
use super::instances::Instance;
use crate::spin::{Options, Run, Verifier, build};

/// The claims of a task, and a verifier of them.
#[derive(Debug)]
pub struct Pan {
    _folder: TempDir,
    verifier: Verifier,
    /// The number of states of the model.
    states: u64,
}

/// An automaton as the body of a never claim, if SPIN can have it.
#[must_use]
pub fn claim(automaton: &Automaton) -> Option<String> {
    let text = never::write(automaton, Style::If, &Budget::unlimited()).ok()?;
    Some(text.strip_prefix("never")?.to_owned())
}

impl Pan {
    /// Generates and compiles a verifier of a model and its claims.
    ///
    /// # Errors
    /// If a step fails, in words.
    pub fn new(instance: &Instance, states: u64, claims: &[String], reduces: bool) -> Result<Self, String> {
        let text = std::fs::read_to_string(&instance.file).map_err(|error| error.to_string())?;
        let mut text = without_properties(&text);
        for (number, claim) in claims.iter().enumerate() {
            let _ = write!(text, "\nnever c{number}{claim}");
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("model.pml");
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        // Merging of statements passes over states that formulas about locations look at (docs/versus-spin.md).
        let flags = [instance.flags.as_slice(), &["-o3".to_owned()]].concat();
        let verifier = build(&path, &options(&flags, &compiler(reduces), &[]))?;
        Ok(Pan { _folder: folder, verifier, states })
    }

    /// Searches one of the claims.
    #[must_use]
    pub fn search(&self, claim: usize, patience: Duration) -> Outcome {
        match self.run(claim, patience) {
            Some(run) if run.errors > 0 => Outcome::Solved { transitions: run.transitions, violated: true },
            Some(run) if run.complete => Outcome::Solved { transitions: run.transitions, violated: false },
            _ => Outcome::Failed,
        }
    }

    /// The same with all that SPIN says; none if it did not come to its end.
    #[must_use]
    pub fn run(&self, claim: usize, patience: Duration) -> Option<Run> {
        let (name, seconds) = (format!("c{claim}"), patience.as_secs().max(1).to_string());
        // SPIN allocates for the depth and the table that it is told, and clearing them takes longer than a small search.
        let depth = format!("-m{}", (self.states * 20 + 10_000).min(3_000_000));
        let table = format!("-w{}", self.states.ilog2().clamp(10, 22) + 2);
        // Assertions are not asked for.
        let flags = ["-a", "-A", "-N", &name, &depth, &table];
        let run = self.verifier.search_within(&seconds, &options(&[], &[], &flags)).ok()?;
        (run.states > 0).then_some(run)
    }
}

/// Flags of the compiler. With many claims, optimising takes far longer than the searches, of which only the transitions count.
fn compiler(reduces: bool) -> Vec<&'static str> {
    let mut flags = vec!["-O0", "-DMEMLIM=1500"];
    flags.extend((!reduces).then_some("-DNOREDUCE"));
    flags
}

fn options<'a>(spin: &'a [String], compiler: &'a [&'a str], verifier: &'a [&'a str]) -> Options<'a> {
    Options { spin, compiler, verifier }
}

/// The text of a model without its `ltl` blocks: SPIN would count their variables among those that are looked at.
fn without_properties(text: &str) -> String {
    let (mut kept, mut is_inside, mut opened, mut closed) = (String::new(), false, 0, 0);
    for line in text.split_inclusive('\n') {
        if !is_inside && line.trim_start().starts_with("ltl ") {
            (is_inside, opened, closed) = (true, 0, 0);
        }
        if !is_inside {
            kept.push_str(line);
            continue;
        }
        opened += line.matches('{').count();
        closed += line.matches('}').count();
        is_inside = opened == 0 || opened > closed;
    }
    kept
}

/// Whether a model can be given to SPIN in a folder of its own.
#[must_use]
pub fn is_self_contained(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| !text.contains("#include"))
}

#[cfg(test)]
mod tests {
    use super::without_properties;

    #[test]
    fn properties_are_taken_out_of_a_model() {
        let text = "byte x;\nltl a { [] (x < 3) }\nltl b {\n  <> (x == 1)\n}\nactive proctype P() { x++ }\n";
        assert_eq!(without_properties(text), "byte x;\nactive proctype P() { x++ }\n");
    }
}
