//! Checks the temporal properties of the Promela corpus and compares verdicts and lengths with SPIN's.
//!
//! `corpus-temporal FOLDER [--time-limit SECONDS] [--only TEXT] [--lengths]`
//!
//! Every `ltl` block, never claim, acceptance and non-progress verdict that SPIN has is compared, with and without weak
//! fairness, and every counterexample must be validated and no longer than the one that SPIN's `-i` came to. Differences
//! are allowed where `docs/versus-spin.md` argues about the property, in a row that begins with the model and the name of
//! the property, and only there. The exit code is 1 if there is another one.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{corpus, lariat};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One question about one model, and what SPIN says.
struct Question {
    model: corpus::Model,
    /// The property as reports name it.
    name: String,
    /// Options that choose it.
    options: Vec<String>,
    is_violated: bool,
    /// Steps of the trail of SPIN's `-i`, those of the claim included.
    trail: Option<u64>,
}

#[derive(Default)]
struct Answer {
    difference: Option<String>,
    is_compared: bool,
    /// Our length, and that of SPIN's trail.
    lengths: Option<(u64, u64)>,
}

fn main() -> ExitCode {
    let (mut folder, mut seconds, mut only, mut shows_lengths) =
        (PathBuf::new(), "10".to_owned(), String::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => seconds = arguments.next().unwrap_or_default(),
            "--only" => only = arguments.next().unwrap_or_default(),
            "--lengths" => shows_lengths = true,
            _ => folder = argument.into(),
        }
    }
    let questions = match questions(&folder) {
        Ok(questions) => questions,
        Err(message) => {
            eprintln!("corpus-temporal: {message}");
            return ExitCode::from(3);
        }
    };
    let questions: Vec<Question> = questions.into_iter().filter(|one| one.model.id.contains(&only)).collect();
    let answers = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(question) = questions.get(index) else { break };
                    let answer = ask(question, &seconds);
                    answers.lock().expect("no thread panics").push((index, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no thread panics");
    answers.sort_by_key(|(index, _)| *index);
    let argued = corpus::argued(Path::new("docs/versus-spin.md"));
    let (mut failed, mut compared, mut known) = (0, 0, 0);
    for (index, answer) in &answers {
        let question = &questions[*index];
        compared += usize::from(answer.is_compared);
        let what = format!("{} {}", question.model.id, question.name);
        if let (true, Some((ours, trail))) = (shows_lengths, answer.lengths) {
            println!("{what}: {ours} steps; SPIN's trail has {trail}");
        }
        let Some(difference) = &answer.difference else { continue };
        if argued.contains(&what) {
            known += 1;
        } else {
            failed += 1;
            println!("{what} {:?}: {difference}", question.options);
        }
    }
    println!("{} questions, {compared} verdicts compared with SPIN's, {known} argued differences", questions.len());
    println!("{} passed, {failed} failed", questions.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All that SPIN has an answer to.
fn questions(folder: &Path) -> Result<Vec<Question>, String> {
    let path = folder.join("verdicts.json");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let verdicts: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut list = Vec::new();
    for model in corpus::models(folder)? {
        let record = &verdicts["models"][&model.id];
        let expect = model.expect.clone();
        let mut add = |name: &str, options: &[&str], verdict: &Value, trail: Option<u64>| {
            let is_violated = match verdict.as_str() {
                Some("violated" | "error: non_progress_cycle" | "error: acceptance_cycle") => true,
                Some("holds" | "no cycle") => false,
                _ => return,
            };
            let options = options.iter().map(ToString::to_string).collect();
            list.push(Question { model: model.clone(), name: name.into(), options, is_violated, trail });
        };
        let pairs = |field: &str| expect[field].as_object().cloned().unwrap_or_default();
        for (name, verdict) in pairs("claims") {
            let run = &record["claims"][&name];
            let options: &[&str] = if run["kind"] == "ltl" { &["--ltl", &name] } else { &[] };
            let is_lasso = run["short"]["error_kind"] == "acceptance_cycle";
            let trail = run["short"]["trail_steps"].as_u64().filter(|_| is_lasso);
            add(&name, options, &verdict, trail);
        }
        for (name, verdict) in pairs("claims_weak_fairness") {
            let is_ltl = record["claims"][&name]["kind"] == "ltl";
            let options: &[&str] = if is_ltl { &["--ltl", &name, "--fair", "weak"] } else { &["--fair", "weak"] };
            add(&name, options, &verdict, None);
        }
        add("acceptance cycles", &["--acceptance"], &expect["accept"], None);
        add("acceptance cycles", &["--acceptance", "--fair", "weak"], &expect["accept_fair"], None);
        add("non-progress cycles", &["--non-progress"], &expect["progress"], None);
        add("non-progress cycles", &["--non-progress", "--fair", "weak"], &expect["progress_fair"], None);
    }
    Ok(list)
}

fn ask(question: &Question, seconds: &str) -> Answer {
    let mut arguments = vec!["--time-limit".to_owned(), format!("{seconds}s")];
    arguments.extend(question.model.flags.iter().chain(&question.options).cloned());
    let run = lariat::check(&question.model.file, &arguments);
    let Some(report) = run.report.as_ref().filter(|_| matches!(run.code, Some(0..=2))) else {
        let first = run.stderr.lines().next().unwrap_or("").to_owned();
        return Answer { difference: Some(format!("exit code {:?}: {first}", run.code)), ..Answer::default() };
    };
    let properties = report["properties"].as_array().cloned().unwrap_or_default();
    let Some(property) = properties.iter().find(|property| property["name"] == question.name.as_str()) else {
        return Answer { difference: Some("the report does not have the property".into()), ..Answer::default() };
    };
    let mut answer = Answer::default();
    let counterexample = &property["counterexample"];
    answer.difference = match property["verdict"].as_str() {
        Some("violated") if counterexample["validated"] != true => Some("not validated".into()),
        Some("violated") if !question.is_violated => Some("violated, but SPIN finds no error".into()),
        Some("holds") if question.is_violated => Some("holds, but SPIN finds an error".into()),
        Some("unknown") => {
            let reason = property["reason"].as_str().unwrap_or("");
            let is_limit = reason.contains("limit");
            return Answer { difference: (!is_limit).then(|| reason.to_owned()), ..answer };
        }
        _ => None,
    };
    answer.is_compared = true;
    if let (Some(ours), Some(trail)) = (counterexample["length"].as_u64(), question.trail) {
        answer.lengths = Some((ours, trail));
        if ours > trail && answer.difference.is_none() {
            answer.difference = Some(format!("{ours} steps, but SPIN's trail has {trail}"));
        }
    }
    answer
}
