//! `lariat testbench` under pressure: time limits, requests to end, greedy translators, and runs that test nothing.

mod common;

use common::Folder;
use serde_json::Value;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A translator that writes its process number and sleeps for years, in a child that it does not wait for, too. Where a limit
/// or a request does not end it, the test does not end.
const SLEEPER: &str = "{sleeper} sleep 99999999 & echo $! >child; echo $$ >started; sleep 99999999; echo %f";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Starts the tool with a folder for temporary files that can be looked at afterwards.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    std::fs::create_dir_all(folder.0.join("temporary")).expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .current_dir(&folder.0)
        .env("TMPDIR", folder.0.join("temporary"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat starts")
}

/// Waits for a file that a translator writes while the command runs.
fn wait_for(folder: &Folder, name: &str, child: &mut Child) {
    while folder.0.join(name).metadata().map_or(0, |data| data.len()) == 0 {
        assert_eq!(child.try_wait().expect("a child"), None, "it ends before {name} is written");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a process has ended, by the number in a file; a zombie has. On a busy machine the file need not be there: a
/// limit can end a translator before it has written anything.
fn wait_for_end(folder: &Folder, name: &str) {
    let id = std::fs::read_to_string(folder.0.join(name)).unwrap_or_default().trim().to_owned();
    while std::fs::read_to_string(format!("/proc/{id}/status"))
        .is_ok_and(|status| !id.is_empty() && !status.contains("State:\tZ"))
    {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The output of a command under a time limit that is long enough on this machine: the limit grows until `is_enough`.
fn under_a_limit(folder: &Folder, arguments: &[&str], is_enough: impl Fn(&str) -> bool) -> (Option<i32>, String) {
    for seconds in [1, 4, 16, 64, 256, 1024] {
        let limit = format!("{seconds}s");
        let output =
            start(folder, &[arguments, &["--time-limit", &limit]].concat()).wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if is_enough(&text) {
            return (output.status.code(), text);
        }
    }
    panic!("nothing is done in minutes: {arguments:?}");
}

fn is_tidy(folder: &Folder) -> bool {
    std::fs::read_dir(folder.0.join("temporary")).expect("a folder").next().is_none()
}

#[test]
fn the_time_limit_ends_what_is_under_way() {
    let folder = Folder::new("limit");
    let child = start(&folder, &["testbench", "go", SLEEPER, "--run-time", "1h", "--time-limit", "1s"]);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("Nothing was tested: the time was over before the first formula was done."), "{text}");
    wait_for_end(&folder, "started");
    wait_for_end(&folder, "child");
    assert!(is_tidy(&folder));
}

#[test]
fn the_time_limit_holds_for_shrinking() {
    let folder = Folder::new("shrinking");
    folder.file("one", "a U b\n");
    // Both runs of the formula fail at once, and those of smaller ones take forever.
    let command = "{once} test %f != 'a U b' && test %f != '!(a U b)' && sleep 99999999; exit 3";
    let arguments = ["testbench", command, "-F", "one", "--run-time", "1h"];
    let (code, text) = under_a_limit(&folder, &arguments, |text| !text.contains("Nothing was tested"));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("`once` failed to translate 2 times (exit-code: 2)."), "{text}");
    assert!(is_tidy(&folder));
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_to_end_leaves_nothing_behind_and_reports() {
    for signal in ["-TERM", "-INT"] {
        let folder = Folder::new(&format!("request{signal}"));
        let mut child = start(&folder, &["testbench", "go", SLEEPER, "--run-time", "1h"]);
        wait_for(&folder, "started", &mut child);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
        assert!(sent.success());
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("interrupted before the end of 1,000"), "{text}");
        wait_for_end(&folder, "started");
        wait_for_end(&folder, "child");
        assert!(is_tidy(&folder), "{signal}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_hears_a_request_while_it_waits_for_a_command() {
    let folder = Folder::new("session");
    let mut child = start(&folder, &["testbench", "go", "--interactive=always", "{x} echo ran >ran; echo %f"]);
    wait_for(&folder, "ran", &mut child);
    let _open = child.stdin.take();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stdout).contains("interrupted"));
    assert!(is_tidy(&folder));
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_translator_leaves_running_is_ended() {
    let folder = Folder::new("leftover");
    let command = format!(
        "{{leaver}} sleep 99999999 >/dev/null 2>&1 & echo $! >child; '{}' translate %f >%O",
        env!("CARGO_BIN_EXE_lariat")
    );
    let output = start(&folder, &["testbench", "go", &command, "--formulas", "1"]).wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    wait_for_end(&folder, "child");
    assert!(is_tidy(&folder));
}

#[test]
fn greed_is_called_by_its_name() {
    let folder = Folder::new("greed");
    let commands = ["{flood} yes %f", "{throws} echo MemoryError >&2; echo %f; exit 1"];
    let arguments = [&["testbench"], &commands[..], &["--formulas", "1", "--no-shrink", "--format", "json"]].concat();
    let report = json(&folder.expect(&arguments, 1));
    assert_eq!(report["translators"][0]["failures"], serde_json::json!({ "too-much-output": 2 }), "{report}");
    assert_eq!(report["translators"][1]["failures"], serde_json::json!({ "memory": 2 }), "{report}");
}

#[test]
fn skipped_comparisons_are_counted_and_said() {
    let folder = Folder::new("skipped");
    let states: u32 = 2001;
    let mut hoa = format!("HOA: v1\nStates: {states}\nStart: 0\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\n");
    (0..states).for_each(|state| hoa.push_str(&format!("State: {state} {{0}}\n[t] 0\n")));
    folder.file("large.hoa", &(hoa + "--END--\n"));
    let large = "{large} cat large.hoa; : %f";
    let arguments = ["testbench", "go", large, "--formulas", "2", "--checks", "intersection", "--no-shrink"];
    let report = json(&folder.expect(&[&arguments[..], &["--format", "json"]].concat(), 1));
    assert_eq!(report["comparisons"]["skipped"], 2, "{report}");
    assert_eq!(report["translators"][1]["checks"]["intersection"]["skipped"], 2, "{report}");
    assert_eq!(report["translators"][0]["checks"]["intersection"]["skipped"], 0, "{report}");
    let text = folder.expect(&arguments, 1);
    assert!(text.ends_with("2 comparisons were skipped because they are too large.\n"), "{text}");
}

#[test]
fn a_run_that_tests_nothing_does_not_pass() {
    let folder = Folder::new("nothing");
    folder.file("comments", "# nothing\n\n");
    for (arguments, said) in [
        (&["testbench", "--formulas", "0"][..], "--formulas takes a number from 1"),
        (&["testbench", "-F", "comments"], "there is no formula in `comments`"),
        (&["testbench", "--checks", "path"], "--checks path needs paths"),
        (&["testbench", "go", "--checks", "cross"], "name two or more"),
        (&["testbench", "-F", "-", "--interactive"], "both read standard input"),
        (&["testbench", "--word", "cycle{a}", "--structure", "graph"], "cannot be used with"),
    ] {
        let output = folder.lariat(arguments, "");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(3) && text.contains(said), "{arguments:?}: {text}");
    }
    folder.file("liveness", "GFa\n");
    let text = folder.expect(&["testbench", "-F", "liveness", "--checks", "prefix"], 2);
    assert!(text.contains("Nothing was compared"), "{text}");
}

#[test]
fn a_preset_that_is_not_installed_is_said_once() {
    let folder = Folder::new("preset");
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["testbench", "go", "{mine} ltl2ba -o"])
        .env("PATH", &folder.0)
        .output()
        .expect("lariat starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), text.matches("`ltl2ba` is not installed").count()), (Some(3), 1), "{text}");
}

#[test]
fn given_formulas_reach_translators_as_they_are_written() {
    let folder = Folder::new("verbatim");
    let written = ["!!a", "F1 & (a & a)", "a & b & a", "G(a | !a) U (b & (b & 0))"];
    folder.file("formulas", &written.join("\n"));
    let command = format!("{{x}} echo %f >>given; '{}' translate %f >%O", env!("CARGO_BIN_EXE_lariat"));
    let arguments = ["testbench", "go", &command, "-F", "formulas", "--threads", "1"];
    folder.expect(&arguments, 0);
    let expected: Vec<String> = ["!!a", "!!!a"]
        .map(String::from)
        .into_iter()
        .chain(written[1..].iter().flat_map(|text| [(*text).to_owned(), format!("!({text})")]))
        .collect();
    assert_eq!(folder.read("given").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn random_formulas_reach_translators_with_all_their_symbols() {
    let folder = Folder::new("symbols");
    let command = "{x} echo %l >>given; exit 1";
    folder.expect(&["testbench", command, "--formulas", "40", "--symbols", "9", "--no-shrink", "--threads", "1"], 1);
    let text = folder.read("given");
    // Prefix notation has a word for each symbol; the negation has one more.
    let symbols: Vec<usize> = text.lines().map(|line| line.split_whitespace().count()).collect();
    assert_eq!(symbols, [9, 10].repeat(40));
}

#[test]
fn a_shrunk_case_fails_again_on_its_word() {
    let folder = Folder::new("again");
    let weak = format!("{{weak}} echo %f | tr U W | '{}' translate --level low -F - >%O", env!("CARGO_BIN_EXE_lariat"));
    let report = json(&folder.expect(&["testbench", "go", &weak, "--formulas", "20", "--format", "json"], 1));
    let cases = report["cases"].as_array().expect("a list");
    assert!(!cases.is_empty());
    for case in cases {
        let text = |name: &str| case["shrunk"][name].as_str().expect("a text");
        let arguments = ["testbench", "go", &weak, "-F", "-", "--word", text("word"), "--format", "json"];
        let output = folder.lariat(&arguments, text("formula"));
        let again = json(&String::from_utf8_lossy(&output.stdout));
        let blamed = &again["translators"][1]["blamed_by_check"];
        assert!(blamed[text("check")].as_u64() > Some(0), "{case}\n{again}");
    }
}

/// Strong fairness for so many processes, which is exponential for every construction.
fn fairness(processes: usize) -> String {
    let one = |n: usize| format!("(G F a{n} -> G F b{n})");
    (0..processes).map(one).collect::<Vec<_>>().join(" & ")
}

#[test]
fn a_run_of_our_own_has_a_time_limit() {
    let folder = Folder::new("own");
    // No machine finishes anything on such a formula in a millisecond, not even by reaching another limit.
    folder.file("hard", &(fairness(20) + "\n"));
    let arguments = ["testbench", "gpvw", "couvreur", "tight", "go", "-F", "hard", "--run-time", "1ms"];
    let more = ["--no-shrink", "--threads", "1", "--checks", "consistency", "--format", "json"];
    let report = json(&folder.expect(&[&arguments[..], &more].concat(), 1));
    for translator in report["translators"].as_array().expect("a list") {
        assert!(translator["failures"]["time-out"].as_u64() > Some(0), "{translator}");
    }
}

#[test]
fn a_run_of_our_own_has_a_memory_limit() {
    let folder = Folder::new("own-memory");
    folder.file("hard", &(fairness(10) + "\n"));
    let arguments = ["testbench", "couvreur", "tight", "-F", "hard", "--run-time", "1h", "--run-memory", "5M"];
    let more = ["--no-shrink", "--threads", "1", "--checks", "consistency", "--format", "json"];
    let report = json(&folder.expect(&[&arguments[..], &more].concat(), 1));
    for translator in report["translators"].as_array().expect("a list") {
        assert_eq!(translator["failures"], serde_json::json!({ "memory": 2 }), "{translator}");
    }
}

#[test]
fn without_a_number_of_formulas_the_time_limit_is_the_end() {
    let folder = Folder::new("endless");
    let is_tested = |text: &str| json(text)["formulas"].as_u64() > Some(0);
    let (code, text) = under_a_limit(&folder, &["testbench", "go", "--format", "json"], is_tested);
    let report = json(&text);
    assert_eq!((code, &report["stopped"]), (Some(0), &"time-limit".into()), "{report}");
    assert_eq!(report["options"]["formulas"], Value::Null, "{report}");
    let (code, text) = under_a_limit(&folder, &["testbench", "go"], |text| !text.contains("Nothing was tested"));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("until the time was over") && !text.contains("before the end of"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_request_ends_it_by_its_signal() {
    let folder = Folder::new("twice");
    // Nobody reads the report, so that it is still being written when the requests come.
    let arguments = ["testbench", "go", "--formulas", "1500", "--format", "csv", "--csv", "done.csv"];
    let mut child = start(&folder, &arguments);
    wait_for(&folder, "done.csv", &mut child);
    let status = loop {
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status.code(), Some(143));
}

#[test]
fn a_proposition_of_the_word_that_no_formula_has_is_told() {
    let folder = Folder::new("strangers");
    let output = folder.lariat(&["testbench", "go", "-F", "-", "--word", "a & grnat; cycle{b}"], "a U b\n");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("no formula has the proposition `grnat`") && text.matches("warning").count() == 1, "{text}");
}
