//! A whole check beside a whole run of SPIN, with the defaults of both: processor time by size.
//!
//! `versus-spin-defaults FOLDER [--ltl] [--time-limit SECONDS] [--slow SECONDS] [--only TEXT] [--violated]`
//!
//! `FOLDER` is a Promela corpus. For each model: the processor seconds of `spin -a`, `gcc -O2` and the verifier, and those of
//! `lariat check`, with the reductions that each side uses by default. Without `--ltl` assertions and invalid end states are
//! checked (`-DSAFETY -DNOCLAIM`, `--safety`); with it, each `ltl` block for which the corpus has SPIN's verdict (`pan -a -N NAME`,
//! `--property NAME`). Where the verifier's usual stack was too small and it found nothing,
//! it is run anew with a deeper one; only that run counts. Models
//! on which a side does not finish in time are counted, and so are different verdicts. With `--slow`, SPIN runs only where a check
//! takes at least so long; the compiler alone takes about a second, so that `--slow 0.05` leaves out no model on which a check could
//! be less than ten times as fast, and the verdicts of the corpus stand for SPIN's on the others. Then a table by the number of states that SPIN
//! stores: how many times faster the whole check is. The verifier stops at its first error. By default a check goes on: it decides
//! the other properties and searches for a shortest counterexample. So where something is violated, `lariat check --first`, which
//! also stops at the first error, is measured as well. With `--violated`, only what is violated according to the corpus is checked.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::corpus::Model;
use benches::{corpus, cpu, geometric_mean, lariat, spin};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The sizes of the table, by SPIN's states.
const SIZES: [(&str, std::ops::Range<u64>); 3] = [
    ("fewer than 10,000", 0..10_000),
    ("10,000 to a million", 10_000..1_000_000),
    ("a million and more", 1_000_000..u64::MAX),
];

/// What is asked for.
struct Wanted {
    folder: PathBuf,
    seconds: String,
    only: String,
    is_temporal: bool,
    only_violated: bool,
    slow: f64,
}

fn wanted() -> Wanted {
    let (folder, only) = (PathBuf::new(), String::new());
    let mut wanted = Wanted { folder, seconds: "20".into(), only, is_temporal: false, only_violated: false, slow: 0.0 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => wanted.seconds = arguments.next().unwrap_or_default(),
            "--only" => wanted.only = arguments.next().unwrap_or_default(),
            "--ltl" => wanted.is_temporal = true,
            "--violated" => wanted.only_violated = true,
            "--slow" => wanted.slow = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0.0),
            _ => wanted.folder = argument.into(),
        }
    }
    wanted
}

/// One side's answer: whether something is violated, states, processor seconds.
struct Answer {
    is_violated: bool,
    states: u64,
    seconds: f64,
}

fn main() -> ExitCode {
    let wanted = wanted();
    if !spin::installed() {
        println!("skipped: SPIN and gcc are not installed");
        return ExitCode::SUCCESS;
    }
    let models = match corpus::models(&wanted.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("versus-spin-defaults: {message}");
            return ExitCode::from(3);
        }
    };
    println!(
        "{:>10} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8}  model",
        "SPIN", "ours", "SPIN s", "ours s", "faster", "first s", "faster"
    );
    let (mut faster, mut unfinished, mut different, mut quick) = (Vec::new(), 0, 0, 0);
    let mut stopping = Vec::new();
    for model in models.iter().filter(|model| model.expect["accepted"] == true && model.id.contains(&wanted.only)) {
        for name in names(model, wanted.is_temporal) {
            if wanted.only_violated && known(model, name.as_deref()) != Some(true) {
                continue;
            }
            let label = name.as_deref().map_or(model.id.clone(), |name| format!("{} {name}", model.id));
            let Some(ours) = ours(model, name.as_deref(), &wanted.seconds, false) else {
                unfinished += 1;
                continue;
            };
            if ours.seconds < wanted.slow {
                quick += 1;
                if known(model, name.as_deref()).is_some_and(|is_violated| is_violated != ours.is_violated) {
                    different += 1;
                    println!("{label}: violated: {} by Lariat, which is not what the corpus says", ours.is_violated);
                }
                continue;
            }
            let Some(theirs) = theirs(model, name.as_deref(), &wanted.seconds) else {
                unfinished += 1;
                println!("{:>10} {:>10} {:>8} {:>8.3} {:>26}  {label}", "?", ours.states, "?", ours.seconds, "?");
                continue;
            };
            if theirs.is_violated != ours.is_violated {
                different += 1;
                println!("{label}: violated: {} by SPIN, {} by Lariat", theirs.is_violated, ours.is_violated);
                continue;
            }
            let ratio = theirs.seconds / ours.seconds.max(0.001);
            faster.push((theirs.states, ratio));
            let first = if ours.is_violated { first(model, name.as_deref(), &wanted.seconds) } else { None };
            let first_ratio = first.map_or(ratio, |seconds| theirs.seconds / seconds.max(0.001));
            stopping.push((theirs.states, first_ratio));
            println!(
                "{:>10} {:>10} {:>8.3} {:>8.3} {ratio:>8.2} {:>8.3} {first_ratio:>8.2}  {label}",
                theirs.states,
                ours.states,
                theirs.seconds,
                ours.seconds,
                first.unwrap_or(ours.seconds)
            );
        }
    }
    println!(
        "\n{} compared, {unfinished} not finished by both, {different} with different verdicts; {quick} not compared, on which a \
         check takes less than {} s",
        faster.len(),
        wanted.slow
    );
    println!("Without options:");
    summarise(&faster);
    println!("With `--first` where something is violated:");
    summarise(&stopping);
    ExitCode::SUCCESS
}

/// Prints, for each size of the state space, how many times faster checks are.
fn summarise(faster: &[(u64, f64)]) {
    for (what, range) in SIZES {
        let mut own: Vec<f64> =
            faster.iter().filter(|(states, _)| range.contains(states)).map(|(_, ratio)| *ratio).collect();
        own.sort_by(f64::total_cmp);
        let Some(least) = own.first() else { continue };
        let mean = geometric_mean(&own);
        let [slower, below_two, below_ten] =
            [1.0, 2.0, 10.0].map(|bound| own.iter().filter(|one| **one < bound).count());
        println!(
            "{what} states: {}, times faster: least {least:.2}, median {:.2}, geometric mean {mean:.2}; less than 10 times on \
             {below_ten}, less than twice on {below_two}, slower on {slower}",
            own.len(),
            own[own.len() / 2]
        );
    }
}

/// The processor seconds of a check that stops at the first violation; none if it finds none in time.
fn first(model: &Model, name: Option<&str>, seconds: &str) -> Option<f64> {
    ours(model, name, seconds, true).filter(|answer| answer.is_violated).map(|answer| answer.seconds)
}

/// The properties to compare: the claims that SPIN decided, or safety.
fn names(model: &Model, is_temporal: bool) -> Vec<Option<String>> {
    if !is_temporal {
        return vec![None];
    }
    let claims = model.expect["claims"].as_object().into_iter().flatten();
    claims.filter(|(_, verdict)| verdict.is_string()).map(|(name, _)| Some(name.clone())).collect()
}

/// Whether the corpus says that something is violated, where SPIN decided it.
fn known(model: &Model, name: Option<&str>) -> Option<bool> {
    let verdict = name.map_or(&model.expect["safety"], |name| &model.expect["claims"][name]);
    match verdict.as_str()? {
        "ok" | "holds" => Some(false),
        "error" | "violated" => Some(true),
        _ => None,
    }
}

fn ours(model: &Model, name: Option<&str>, seconds: &str, stops: bool) -> Option<Answer> {
    let mut command = vec![lariat::binary().display().to_string()];
    command.extend(["check", "--format", "json", "--no-save", "--time-limit"].map(String::from));
    command.push(format!("{seconds}s"));
    match name {
        Some(name) => command.extend(["--property".into(), name.into()]),
        None => command.push("--safety".into()),
    }
    command.extend(stops.then(|| "--first".into()));
    command.extend(model.flags.iter().cloned());
    command.push(model.file.display().to_string());
    let run = cpu::run(Path::new("."), &command).ok()?;
    let report: Value = serde_json::from_str(&run.stdout).ok()?;
    let verdicts: Vec<&str> =
        report["properties"].as_array()?.iter().filter_map(|property| property["verdict"].as_str()).collect();
    let is_violated = verdicts.contains(&"violated");
    if !is_violated && verdicts.iter().any(|verdict| *verdict != "holds") {
        return None;
    }
    Some(Answer { is_violated, states: report["properties"][0]["states"].as_u64().unwrap_or(0), seconds: run.cpu })
}

fn theirs(model: &Model, name: Option<&str>, seconds: &str) -> Option<Answer> {
    let compiler: &[&str] = if name.is_some() { &["-O2"] } else { &["-O2", "-DSAFETY", "-DNOCLAIM"] };
    let usual: Vec<&str> = name.map_or(vec![], |name| vec!["-a", "-N", name]);
    let options = spin::Options { spin: &model.flags, compiler, verifier: &usual };
    let built = spin::build(&model.file, &options).ok()?;
    let mut run = built.search_within(seconds, &options).ok()?;
    if !run.complete && run.errors == 0 {
        let deep = [usual.as_slice(), &["-m5000000"]].concat();
        run = built.search_within(seconds, &spin::Options { verifier: &deep, ..options }).ok()?;
    }
    // A verifier that was stopped prints no counts.
    let is_done = (run.complete || run.errors > 0) && run.states > 0;
    is_done.then_some(Answer { is_violated: run.errors > 0, states: run.states, seconds: run.whole_cpu })
}
