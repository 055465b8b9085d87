//! Checks the temporal properties of the Promela corpus and compares verdicts and lengths with SPIN's.
//!
//! `corpus-temporal FOLDER [--time-limit SECONDS] [--only TEXT] [--lengths] [--trails]`
//!
//! Every `ltl` block, never claim, acceptance and non-progress verdict that SPIN has is compared, with and without weak
//! fairness, and every counterexample must be validated and no longer than SPIN's. The corpus records the number of moves
//! of SPIN's first lasso without reduction: those of the claim are included, merged statements are one. With `--trails`
//! SPIN is run anew, with `-i`, without reduction and without merging of statements, and lengths are compared in one unit:
//! moves of processes, of which a rendezvous is two and the repetition of a last state none. Where the trail of `-i` has no
//! loop, the first lasso that SPIN finds takes its place.
//!
//! Differences are allowed where `docs/versus-spin.md` argues about the property, in a row that begins with the model and
//! the name of the property, with `(length)` after it if it is about that; and only there. Time limits are counted. The
//! exit code is 1 if there is another difference. Runs that are not proved minimal in time are counted, and their lengths
//! are not compared.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{corpus, lariat, spin};
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
    /// Moves of SPIN's lasso, those of the claim included.
    trail: Option<u64>,
    /// How SPIN's verifier is told which property is meant, if `-i` was tried on it.
    choice: Option<Vec<String>>,
}

#[derive(Default)]
struct Answer {
    difference: Option<String>,
    is_compared: bool,
    is_cut: bool,
    is_unproved: bool,
    /// Our length, and that of SPIN's trail.
    lengths: Option<(u64, u64)>,
    /// SPIN was run again.
    trail: Option<spin::Trail>,
}

/// How to ask.
struct Settings {
    seconds: String,
    makes_trails: bool,
}

fn main() -> ExitCode {
    let (mut folder, mut only, mut shows_lengths) = (PathBuf::new(), String::new(), false);
    let mut settings = Settings { seconds: "10".to_owned(), makes_trails: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => settings.seconds = arguments.next().unwrap_or_default(),
            "--only" => only = arguments.next().unwrap_or_default(),
            "--lengths" => shows_lengths = true,
            "--trails" => settings.makes_trails = spin::installed(),
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
    let is_asked = |one: &Question| {
        format!("{} {}", one.model.id, one.name).contains(&only) && (!settings.makes_trails || one.choice.is_some())
    };
    let questions: Vec<Question> = questions.into_iter().filter(is_asked).collect();
    let answers = all(&questions, &settings);
    tell(&questions, &answers, shows_lengths)
}

/// Asks all questions, two at a time.
fn all(questions: &[Question], settings: &Settings) -> Vec<Answer> {
    let answers = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(question) = questions.get(index) else { break };
                    let answer = ask(question, settings);
                    answers.lock().expect("no thread panics").push((index, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no thread panics");
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn tell(questions: &[Question], answers: &[Answer], shows_lengths: bool) -> ExitCode {
    let argued = corpus::argued(Path::new("docs/versus-spin.md"));
    let (mut failed, mut known) = (0, 0);
    for (question, answer) in questions.iter().zip(answers) {
        let what = format!("{} {}", question.model.id, question.name);
        if let (true, Some((ours, trail))) = (shows_lengths, answer.lengths) {
            println!("{what}: {ours}; SPIN {trail}");
        }
        let too_long = answer.lengths.filter(|(ours, trail)| ours > trail);
        let too_long = too_long.map(|(ours, trail)| format!("{ours} moves, but SPIN's trail has {trail}"));
        for (difference, what) in [(&answer.difference, what.clone()), (&too_long, format!("{what} (length)"))] {
            let Some(difference) = difference else { continue };
            if argued.contains(&what) {
                known += 1;
            } else {
                failed += 1;
                println!("{what} {:?}: {difference}", question.options);
            }
        }
    }
    let count = |is: fn(&Answer) -> bool| answers.iter().filter(|answer| is(answer)).count();
    let (compared, cut) = (count(|answer| answer.is_compared), count(|answer| answer.is_cut));
    println!("{} questions, {compared} verdicts compared with SPIN's, {cut} time limits reached", questions.len());
    println!("{} runs not proved minimal in time", count(|answer| answer.is_unproved));
    let trails = count(|answer| answer.trail.is_some());
    if trails > 0 {
        let lassos = count(|answer| answer.trail.is_some_and(|trail| trail.is_lasso));
        let lengths = count(|answer| answer.lengths.is_some());
        let shorter = count(|answer| answer.lengths.is_some_and(|(ours, trail)| ours < trail));
        println!("{trails} trails of -i, {lassos} of them have a loop");
        println!("{lengths} lengths compared in moves of processes, ours is less in {shorter}");
    }
    println!("{} passed, {failed} failed, {known} argued differences", questions.len() - failed);
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
        let mut add = |name: &str, options: &[&str], verdict: &Value, trail: Option<u64>, choice: Option<&[&str]>| {
            let is_violated = match verdict.as_str() {
                Some("violated" | "error: non_progress_cycle" | "error: acceptance_cycle") => true,
                Some("holds" | "no cycle") => false,
                _ => return,
            };
            let options = options.iter().map(ToString::to_string).collect();
            let choice = choice.map(|choice| choice.iter().map(ToString::to_string).collect());
            list.push(Question { model: model.clone(), name: name.into(), options, is_violated, trail, choice });
        };
        let pairs = |field: &str| expect[field].as_object().cloned().unwrap_or_default();
        for (name, verdict) in pairs("claims") {
            let run = &record["claims"][&name];
            let options: &[&str] = if run["kind"] == "ltl" { &["--ltl", &name] } else { &[] };
            let is_lasso = |of: &str| run[of]["error_kind"] == "acceptance_cycle";
            let trail = run["noreduce"]["trail_steps"].as_u64().filter(|_| is_lasso("noreduce"));
            let choice: &[&str] = if run["kind"] == "ltl" { &["-N", &name] } else { &[] };
            add(&name, options, &verdict, trail, is_lasso("short").then_some(choice));
        }
        for (name, verdict) in pairs("claims_weak_fairness") {
            let is_ltl = record["claims"][&name]["kind"] == "ltl";
            let options: &[&str] = if is_ltl { &["--ltl", &name, "--fair", "weak"] } else { &["--fair", "weak"] };
            add(&name, options, &verdict, None, None);
        }
        add("acceptance cycles", &["--acceptance"], &expect["accept"], None, None);
        add("acceptance cycles", &["--acceptance", "--fair", "weak"], &expect["accept_fair"], None, None);
        add("non-progress cycles", &["--non-progress"], &expect["progress"], None, None);
        add("non-progress cycles", &["--non-progress", "--fair", "weak"], &expect["progress_fair"], None, None);
    }
    Ok(list)
}

fn ask(question: &Question, settings: &Settings) -> Answer {
    let mut arguments = vec!["--time-limit".to_owned(), format!("{}s", settings.seconds)];
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
            return Answer { difference: (!is_limit).then(|| reason.to_owned()), is_cut: is_limit, ..answer };
        }
        _ => None,
    };
    answer.is_compared = true;
    // A run that was not shortened in time says nothing about lengths.
    if counterexample["minimal"] == false {
        answer.is_unproved = true;
        return answer;
    }
    let recorded = counterexample["length"].as_u64().zip(question.trail);
    // In a recorded trail, a whole atomic sequence can be one move. Where ours has more steps, only a trail of SPIN with each
    // statement by itself can tell.
    let is_doubtful = recorded.is_some_and(|(ours, trail)| ours > trail) && spin::installed();
    answer.lengths = recorded;
    if settings.makes_trails || is_doubtful {
        let trails = trails(question, &settings.seconds);
        if settings.makes_trails {
            answer.trail = trails.first().copied();
        }
        let lasso = trails.into_iter().find(|trail| trail.is_lasso);
        let exact = lasso.map(|trail| (moves(counterexample), trail.steps));
        answer.lengths = if settings.makes_trails { exact } else { exact.or(recorded) };
    }
    answer
}

/// The moves of processes in a counterexample: a rendezvous is two, the repetition of a last state none.
fn moves(counterexample: &Value) -> u64 {
    let steps = ["stem", "loop"].into_iter().filter_map(|part| counterexample[part].as_array()).flatten();
    steps.map(|step| if step["does"] == "stutter" { 0 } else { 1 + u64::from(step["receiver"].is_object()) }).sum()
}

/// What SPIN's `-i` comes to when each statement is a step, and then, where that is no lasso, what comes without it.
fn trails(question: &Question, seconds: &str) -> Vec<spin::Trail> {
    let mut flags: Vec<String> = ["-o1", "-o2", "-o3"].map(String::from).to_vec();
    flags.extend(question.model.flags.iter().cloned());
    let mut verifier = vec!["-a", "-A", "-E", "-m100000"];
    verifier.extend(question.choice.iter().flatten().map(String::as_str));
    let plain = spin::Options { spin: &flags, compiler: &["-DNOREDUCE", "-DREACH"], verifier: &verifier };
    let Ok(built) = spin::build(&question.model.file, &plain) else { return Vec::new() };
    let iterative: Vec<&str> = verifier.iter().copied().chain(["-i"]).collect();
    let mut found = Vec::new();
    for verifier in [&iterative, &verifier] {
        let run = built.search_within(seconds, &spin::Options { verifier, ..plain.clone() });
        found.extend(run.ok().and_then(|run| run.trail));
        if found.last().is_some_and(|trail| trail.is_lasso) {
            break;
        }
    }
    found
}
