//! Fuzzing: every target gets random and damaged input for a given time, from a printed seed.
//!
//! `lariat-fuzz [--seconds N] [--seed S] [--target NAME] [--corpus FOLDER…]`
//!
//! A panic, an input that takes longer than [`TOO_LONG`], or memory beyond [`TOO_MUCH`] is a
//! failure: the input is written to `fuzz-failure.txt`, and the exit code is 1.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

mod mutate;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use targets::{TARGETS, Target};

/// No input may take longer.
const TOO_LONG: Duration = Duration::from_secs(20);

/// Bytes of memory in use that mean that something ran away.
const TOO_MUCH: u64 = 6 << 30;

/// Deep trees are walked recursively: the tool runs on a stack of this size, and so do we.
const STACK: usize = 512 << 20;

struct Options {
    seconds: u64,
    seed: u64,
    target: Option<String>,
    corpus: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let mut options = Options { seconds: 10, seed: 1, target: None, corpus: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--seconds" => options.seconds = value().parse().unwrap_or(10),
            "--seed" => options.seed = value().parse().unwrap_or(1),
            "--target" => options.target = Some(value()),
            "--corpus" => {}
            folder => options.corpus.push(folder.into()),
        }
    }
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&options));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        _ => ExitCode::FAILURE,
    }
}

fn run(options: &Options) -> ExitCode {
    for target in TARGETS.iter().filter(|target| options.target.as_ref().is_none_or(|name| name == target.name)) {
        let seeds = collect(&options.corpus, target.extensions);
        println!("{}: seed {}, {} files to start from", target.name, options.seed, seeds.len());
        match fuzz(target, &seeds, options) {
            Ok(count) => println!("{}: {count} inputs, nothing found", target.name),
            Err((input, what)) => {
                let written = std::fs::write("fuzz-failure.txt", &input);
                println!("{}: {what}; input in fuzz-failure.txt ({written:?})", target.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn fuzz(target: &Target, seeds: &[String], options: &Options) -> Result<u64, (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let deadline = Instant::now() + Duration::from_secs(options.seconds);
    let mut count = 0;
    while Instant::now() < deadline {
        let generated = target.generate.map(|generate| generate(random.random()));
        let start = match generated {
            Some(text) if seeds.is_empty() || random.random_range(0..3) == 0 => Some(text),
            _ => seeds.choose(&mut random).cloned(),
        };
        let input = match start {
            Some(text) if random.random_range(0..20) > 0 => mutate::mutate(&mut random, &text, seeds),
            _ => mutate::noise(&mut random),
        };
        let started = Instant::now();
        let outcome = std::panic::catch_unwind(|| (target.run)(&input));
        if let Err(panic) = outcome {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            return Err((input, format!("panic: {}", message.unwrap_or_default())));
        }
        if started.elapsed() > TOO_LONG {
            return Err((input, format!("took {:?}", started.elapsed())));
        }
        if resident() > TOO_MUCH {
            return Err((input, format!("{} bytes of memory", resident())));
        }
        count += 1;
    }
    Ok(count)
}

/// Bytes of memory in use, where the system tells.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// The texts below some folders that have one of some extensions; of large ones, the beginning.
fn collect(folders: &[PathBuf], extensions: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    let mut pending = folders.to_vec();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().filter_map(|path| Some(beginning(std::fs::read_to_string(path).ok()?))).collect()
}

/// The whole lines of a text that fit into a small input.
fn beginning(mut text: String) -> String {
    const MOST: usize = 60_000;
    if text.len() > MOST {
        let end = text.bytes().take(MOST).rposition(|byte| byte == b'\n').map_or(0, |last| last + 1);
        text.truncate(end);
    }
    text
}
