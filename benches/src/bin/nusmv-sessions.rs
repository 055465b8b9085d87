//! Recorded sessions with NuSMV beside what `lariat nusmv` answers: `nusmv-sessions FOLDER`. Fails if one is not reproduced.

#![allow(clippy::print_stdout, reason = "the table is the result")]

use benches::sessions::{Outcome, read};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "../shared/corpus/nusmv-sessions".into());
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/smv");
    let models = models.canonicalize().unwrap_or(models);
    let sessions = match read(Path::new(&folder)) {
        Ok(sessions) if !sessions.is_empty() => sessions,
        Ok(_) => {
            println!("{folder} has no sessions");
            return ExitCode::FAILURE;
        }
        Err(message) => {
            println!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let mut reproduced = 0;
    for session in &sessions {
        let outcome = session.compare(&models).unwrap_or_else(Outcome::Differs);
        reproduced += usize::from(!matches!(outcome, Outcome::Differs(_)));
        let words = match outcome {
            Outcome::Equal => "equal".into(),
            Outcome::OtherTraces(1) => "equal, except for the states of 1 trace".into(),
            Outcome::OtherTraces(count) => format!("equal, except for the states of {count} traces"),
            Outcome::OnlyHere => "ends here; the recording does not end".into(),
            Outcome::Differs(words) => format!("DIFFERS: {words}"),
        };
        println!("{:<32} {words}", session.name);
    }
    println!("{reproduced} of {} sessions reproduced", sessions.len());
    if reproduced == sessions.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
