//! A check by several processes: the same answers as one process, and an orderly end when one is lost.

mod common;

use common::Folder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testbench::generate::concurrent::concurrent;
use testbench::generate::promela::program;

/// A secret that is long enough.
const SECRET: &str = "correct horse battery staple";

/// A model with 15 million states, which no test visits.
const LARGE: &str = "byte x, y, z;
active proctype A() { do :: x < 250 -> x++ :: x = 0 od }
active proctype B() { do :: y < 250 -> y++ :: y = 0 od }
active proctype C() { do :: z < 250 -> z++ :: z = 0 od }
";

/// How long a test waits for a process; the processes themselves promise ten seconds on an idle machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What must not depend on the number of processes: verdicts and reasons, the lengths of shortest traces, and if everything
/// was visited, the number of states, the code that no run reaches and the reductions that were used.
fn essence(report: &Value) -> Value {
    let properties = report["properties"].as_array().expect("a list");
    let is_complete = report["complete"] == true;
    let list = properties.iter().map(|property| {
        let states = if is_complete { property["states"].clone() } else { Value::Null };
        let is_safety = property["kind"] == "assertion" || property["kind"] == "end-state";
        // In searches for lassos the worker that leads counts its own reductions only.
        let is_counted = is_complete && is_safety;
        let reduction = if is_counted { property["engine"]["reduction"]["used"].clone() } else { Value::Null };
        // Searches for lassos on one machine stop at the first one, wherever it is.
        let states = if is_safety || property["verdict"] == "holds" { states } else { Value::Null };
        let length = property["counterexample"]["length"].clone();
        let is_shortest = property["counterexample"]["minimal"].clone();
        serde_json::json!([
            property["name"],
            property["verdict"],
            property["reason"],
            length,
            is_shortest,
            states,
            reduction
        ])
    });
    let list: Vec<Value> = list.collect();
    serde_json::json!([list, is_complete, report["unreached"], report["endless_atomic"]])
}

/// The report of a command that ends with one of these exit codes.
fn report(folder: &Folder, arguments: &[&str]) -> (i32, Value) {
    let output = folder.lariat(arguments, "");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    let code = output.status.code().expect("an exit code");
    assert!(code <= 2, "lariat {arguments:?}: {code}\n{out}\n{err}");
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}\n{err}")))
}

/// Compares one process with so many of so many workers each.
fn compare(folder: &Folder, model: &str, layouts: &[(&str, &str)]) -> i32 {
    let options = ["--shortest", "--format", "json", "--no-save", "--no-warnings", model];
    let (code, alone) = report(folder, &[&["check"], &options[..]].concat());
    for (processes, threads) in layouts {
        let layout = ["cluster", "--processes", processes, "--threads", threads];
        let (together_code, together) = report(folder, &[&layout, &options[..]].concat());
        assert_eq!(essence(&together), essence(&alone), "{model} with {processes} processes of {threads} workers");
        assert_eq!(together_code, code);
    }
    code
}

const LAYOUTS: [(&str, &str); 6] = [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"), ("4", "1"), ("4", "2")];

#[test]
fn models_have_the_same_answers_with_any_number_of_processes() {
    let folder = Folder::new("cluster-models");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let names = [
        "mutex/peterson.pml",
        "mutex/hyman-turns.pml",
        "protocols/leader.pml",
        "puzzles/philosophers.pml",
        "puzzles/bridge.pml",
        "scaled/butler.pml",
        "semantics/error_division.pml",
        "semantics/assertion_atomic.pml",
    ];
    let mut codes = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        // All layouts for one of them, and two for each.
        let layouts = if index == 0 { &LAYOUTS[..] } else { &[LAYOUTS[2], LAYOUTS[index % LAYOUTS.len()]] };
        codes.push(compare(&folder, models.join(name).to_str().expect("a name"), layouts));
    }
    assert!(codes.contains(&0) && codes.contains(&1), "{codes:?}");
}

#[test]
fn random_programs_have_the_same_answers_with_any_number_of_processes() {
    let folder = Folder::new("cluster-random");
    let mut codes = Vec::new();
    for seed in 0..20 {
        let text = program(seed);
        folder.file(&format!("{seed}.pml"), &text);
        let layout = LAYOUTS[1 + seed as usize % 5];
        codes.push(compare(&folder, &format!("{seed}.pml"), &[layout]));
    }
    assert!(codes.contains(&0) && codes.contains(&1), "{codes:?}");
}

#[test]
fn random_programs_with_formulas_have_the_same_answers_with_any_number_of_processes() {
    let folder = Folder::new("cluster-formulas");
    let mut codes = Vec::new();
    for seed in 0..20 {
        folder.file(&format!("{seed}.pml"), &concurrent(seed).text);
        let layout = LAYOUTS[1 + seed as usize % 5];
        codes.push(compare(&folder, &format!("{seed}.pml"), &[layout]));
    }
    assert!(codes.contains(&1), "{codes:?}");
}

#[test]
fn lassos_have_the_same_lengths_with_any_number_of_processes() {
    let folder = Folder::new("cluster-lassos");
    let model = "byte x, y; bool p; active proctype A() { do :: x = (x + 1) % 5 od }
        active proctype B() { do :: y < 3 -> y++ :: y == 3 -> y = 1; p = !p od }
        active proctype C() { do :: p -> progress: skip :: else -> atomic { y = 0; x = 0 } od }";
    folder.file("m.pml", model);
    for more in [
        &["--ltl", "[] <> (x == 4)"][..],
        &["--ltl", "<> [] (y > 0)"],
        &["--ltl", "[] (x < 4)"],
        &["--ltl", "[] <> (x == 4)", "--fair", "weak"],
        &["--ltl", "([] <> (x == 4)) -> ([] <> (y == 3))"],
        &["--ltl", "[] (p -> <> !p)", "--fair", "weak"],
        &["--non-progress"],
        &["--ltl", "<> (x == 3)", "--max-depth", "4"],
    ] {
        let options = [&["--shortest", "--format", "json", "--no-save", "--no-warnings", "m.pml"], more].concat();
        let options = if more.contains(&"--max-depth") { options[1..].to_vec() } else { options };
        let (code, alone) = report(&folder, &[&["check"], &options[..]].concat());
        for (processes, threads) in [LAYOUTS[2], LAYOUTS[1]] {
            let layout = ["cluster", "--processes", processes, "--threads", threads];
            let (other, together) = report(&folder, &[&layout, &options[..]].concat());
            assert_eq!((other, essence(&together)), (code, essence(&alone)), "{more:?}");
        }
    }
}

/// The files in a folder.
fn files(folder: &Folder, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.0.join(name)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_run_that_was_killed_continues_with_another_number_of_processes() {
    let folder = Folder::new("cluster-resume");
    folder.file("m.pml", &format!("{} ltl p {{ [] <> (x == 0) }}", LARGE.replace("250", "30")));
    for more in [&["--safety"][..], &["--ltl", "p"]] {
        let options = [&["--reduce", "off", "--format", "json", "--no-save", "--no-warnings", "m.pml"], more].concat();
        let (code, whole) = report(&folder, &[&["check"], &options[..]].concat());
        let saved = format!("saved{}", more.len());
        let mut parent = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["cluster", "--processes", "3", "--checkpoint", &saved, "--checkpoint-interval", "1ms"])
            .args(&options)
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("lariat starts");
        let begun = Instant::now();
        while !files(&folder, &saved).contains(&"list".to_owned()) && parent.try_wait().expect("a process").is_none() {
            assert!(begun.elapsed() < PATIENCE, "nothing is saved");
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = parent.kill();
        parent.wait().expect("a process");
        for processes in ["2", "3", "1"] {
            let resumed = [&["cluster", "--processes", processes, "--resume", &saved], &options[..]].concat();
            let (other, together) = report(&folder, &resumed);
            assert_eq!((other, essence(&together)), (code, essence(&whole)), "{more:?}");
        }
        let list = folder.0.join(&saved).join("list");
        let mut bytes = std::fs::read(&list).expect("a file");
        let last = bytes.len() - 40;
        bytes[last] ^= 1;
        std::fs::write(&list, bytes).expect("a file");
        for (options, words) in [(&options[..], "damaged"), (&["--safety", "--first", "m.pml"], "list")] {
            let output = folder.lariat(&[&["cluster", "--resume", &saved], options].concat(), "");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(3) && message.contains(words), "{message}");
        }
    }
}

#[test]
fn traces_are_saved_and_confirmed() {
    let folder = Folder::new("cluster-trace");
    folder.file("m.pml", "byte x; active [2] proctype P() { do :: x < 9 -> x++; assert(x < 7) od }");
    folder.expect(&["cluster", "m.pml"], 1);
    folder.expect(&["validate", "m.pml", "m.pml.trace.json"], 0);
}

#[test]
fn what_one_process_cannot_hold_two_can() {
    let folder = Folder::new("cluster-memory");
    folder.file("m.pml", &LARGE.replace("250", "40"));
    let run = |processes: &str, limit: &str| {
        let options =
            ["--safety", "--reduce", "off", "--format", "json", "--no-save", "--memory-limit", limit, "m.pml"];
        report(&folder, &[&["cluster", "--processes", processes], &options[..]].concat())
    };
    let (code, whole) = run("1", "1G");
    assert_eq!(code, 0);
    let bytes = whole["statistics"]["peak_memory_bytes"].as_u64().expect("a number");
    let limit = (bytes * 3 / 4).to_string();
    let (code, alone) = run("1", &limit);
    assert_eq!(code, 2, "{alone}");
    assert!(alone["properties"][0]["reason"].as_str().expect("words").contains("memory limit"), "{alone}");
    let (code, together) = run("2", &limit);
    assert_eq!(code, 0, "{together}");
    assert_eq!(together["statistics"]["states"], whole["statistics"]["states"]);
}

#[test]
fn a_time_limit_ends_all_processes() {
    let folder = Folder::new("cluster-time");
    folder.file("m.pml", LARGE);
    let options = ["cluster", "--safety", "--reduce", "off", "--format", "json", "--time-limit", "5s", "m.pml"];
    let (code, report) = report(&folder, &options);
    assert_eq!(code, 2);
    assert!(report["properties"][0]["reason"].as_str().expect("words").contains("time limit"), "{report}");
}

#[test]
fn what_several_processes_cannot_check_is_refused() {
    let folder = Folder::new("cluster-refused");
    folder.file("m.pml", "byte x; ltl p { <> (x == 1) } active proctype P() { x = 1 }");
    folder.file("m.smv", "MODULE main VAR x : boolean; INVARSPEC x | !x");
    for (arguments, words) in [
        (&["cluster", "--emptiness", "se", "m.pml"][..], "without `--hosts`"),
        (&["cluster", "--safety", "--store", "bitstate", "m.pml"], "lossy store"),
        (&["cluster", "m.smv"], "Promela"),
        (&["cluster", "-"], "standard input"),
        (&["cluster", "--frobnicate", "m.pml"], "--frobnicate"),
        (&["cluster", "missing.pml"], "missing.pml"),
        (&["check", "--hosts", "hosts", "--index", "0", "m.pml"], "cannot read `hosts`"),
        (&["check", "--hosts", "m.pml", "--index", "0", "m.pml"], "line 1"),
    ] {
        let output = folder.lariat(arguments, "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(3) && message.contains(words), "{arguments:?}: {message}");
    }
    folder.expect(&["cluster", "m.pml"], 0);
}

/// Processes that are started one by one.
struct Cluster<'a> {
    folder: &'a Folder,
    ports: Vec<u16>,
    children: Vec<Child>,
}

impl<'a> Cluster<'a> {
    fn new(folder: &'a Folder, processes: usize) -> Self {
        let listeners: Vec<_> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
        let ports: Vec<u16> = listeners.iter().map(|one| one.local_addr().expect("an address").port()).collect();
        let text: String = ports.iter().map(|port| format!("127.0.0.1:{port}\n")).collect();
        folder.file("hosts", &text);
        Self { folder, ports, children: Vec::new() }
    }

    fn start(&mut self, index: usize, secret: &str, more: &[&str]) {
        let child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["check", "--safety", "--no-save", "--hosts", "hosts", "--index", &index.to_string()])
            .args(if more.contains(&"--wait") { &[][..] } else { &["--wait", "50s"] })
            .args(more)
            .env("LARIAT_SECRET", secret)
            .current_dir(&self.folder.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        self.children.push(child.expect("lariat starts"));
    }

    /// The exit code, the output and the messages of a process that was started, once it has ended by itself.
    #[track_caller]
    fn end(&mut self, position: usize) -> (Option<i32>, String, String) {
        let child = &mut self.children[position];
        let begun = Instant::now();
        let status = loop {
            match child.try_wait().expect("a process") {
                Some(status) => break status,
                None => assert!(begun.elapsed() < PATIENCE, "process {position} does not end"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
        (status.code(), out, err)
    }

    fn signal(&self, position: usize, signal: &str) {
        let id = self.children[position].id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
    }
}

impl Drop for Cluster<'_> {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until a process exchanges states with others: until it has the threads that send and receive, and a moment longer.
fn wait_for_exchange(id: u32) {
    let begun = Instant::now();
    let is_receiving = || {
        let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let mut names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
        names.any(|name| name.starts_with("timely:recv"))
    };
    while !is_receiving() {
        assert!(begun.elapsed() < PATIENCE, "process {id} does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
}

#[test]
fn when_a_process_is_killed_or_stopped_the_others_end_and_name_it() {
    let folder = Folder::new("cluster-lost");
    folder.file("m.pml", LARGE);
    for (lost, signal) in [(2, "-KILL"), (0, "-KILL"), (1, "-STOP"), (0, "-STOP")] {
        let mut cluster = Cluster::new(&folder, 3);
        (0..3).for_each(|index| cluster.start(index, SECRET, &["--reduce", "off", "m.pml"]));
        cluster.children.iter().for_each(|child| wait_for_exchange(child.id()));
        cluster.signal(lost, signal);
        for other in (0..3).filter(|other| *other != lost) {
            let (code, out, err) = cluster.end(other);
            assert_eq!(code, Some(5), "{other} of {signal} {lost}: {out}\n{err}");
            assert!(err.contains(&format!("process {lost} at 127.0.0.1:{}", cluster.ports[lost])), "{err}");
            assert!(!out.contains("holds") && !err.contains("panicked"), "{out}\n{err}");
        }
    }
}

#[test]
fn strangers_do_no_harm() {
    let folder = Folder::new("cluster-strangers");
    folder.file("m.pml", &LARGE.replace("250", "9"));
    folder.file("other.pml", &LARGE.replace("250", "8"));
    let mut cluster = Cluster::new(&folder, 2);
    cluster.start(0, SECRET, &["--wait", "60s", "m.pml"]);
    let begun = Instant::now();
    let connect = || loop {
        assert!(begun.elapsed() < PATIENCE, "process 0 does not listen");
        match TcpStream::connect(("127.0.0.1", cluster.ports[0])) {
            Ok(stream) => return stream,
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let _silent = connect();
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\x10\x00\x00", &[0xff; 600]] {
        // It may be refused before it is written.
        let _ = connect().write_all(garbage);
    }
    let wrong = "a secret that is wrong";
    for (position, secret, model, words) in
        [(1, wrong, "m.pml", "has another secret"), (2, SECRET, "other.pml", "has another model")]
    {
        cluster.start(1, secret, &[model]);
        let (code, _, err) = cluster.end(position);
        assert_eq!(code, Some(3), "{err}");
        let name = format!("process 0 at 127.0.0.1:{}", cluster.ports[0]);
        assert!(err.contains(&name) && err.contains(words), "{err}");
    }
    cluster.start(1, SECRET, &["m.pml"]);
    let (code, out, err) = cluster.end(0);
    assert_eq!(code, Some(0), "{out}\n{err}");
    assert!(out.contains("holds"), "{out}");
    for words in ["it is no process of Lariat", "it has another secret", "process 1 at 127.0.0.1", "another model"] {
        assert!(err.contains(words), "{words}: {err}");
    }
    let (code, out, _) = cluster.end(3);
    assert_eq!((code, out.as_str()), (Some(0), ""));
}

#[test]
fn a_process_that_is_started_twice_cannot_have_the_address() {
    let folder = Folder::new("cluster-twice");
    folder.file("m.pml", LARGE);
    let mut cluster = Cluster::new(&folder, 2);
    // The last process listens for nobody.
    let taken = TcpListener::bind(("127.0.0.1", cluster.ports[1])).expect("a free port");
    cluster.start(1, SECRET, &["m.pml"]);
    let (code, out, err) = cluster.end(0);
    let name = format!("cannot listen as process 1 at 127.0.0.1:{}", cluster.ports[1]);
    assert!(code == Some(3) && err.contains(&name) && out.is_empty(), "{code:?} {out} {err}");
    drop(taken);
}

/// The names of all fields, with those around them.
fn fields(value: &Value, around: &str, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            let name = format!("{around}.{name}");
            fields(value, &name, names);
            names.insert(name);
        }),
        Value::Array(list) => list.iter().for_each(|value| fields(value, around, names)),
        _ => {}
    }
}

#[test]
fn a_report_of_several_processes_has_the_form_of_one() {
    let folder = Folder::new("cluster-form");
    let text = "byte x; ltl p { [] <> (x == 0) } active [2] proctype P() { do :: x < 9 -> x++; assert(x < 7) od }";
    folder.file("m.pml", text);
    let [alone, together] = ["check", "cluster"].map(|command| {
        let (code, report) = report(&folder, &[command, "--shortest", "--format", "json", "--no-save", "m.pml"]);
        let mut names = BTreeSet::new();
        fields(&report, "", &mut names);
        (code, names, essence(&report)[0].clone())
    });
    assert_eq!(together.0, 1);
    assert!(together.1.contains(".properties.counterexample.length"), "{:?}", together.1);
    assert_eq!(together, alone);
}

#[test]
fn a_process_that_is_missing_is_named() {
    let folder = Folder::new("cluster-missing");
    folder.file("m.pml", LARGE);
    let mut cluster = Cluster::new(&folder, 3);
    // Process 0 has less patience, so that it tells the other, which dials until somebody listens.
    cluster.start(1, SECRET, &["--wait", "50s", "m.pml"]);
    cluster.start(0, SECRET, &["--wait", "8s", "m.pml"]);
    let name = format!("process 2 at 127.0.0.1:{}", cluster.ports[2]);
    for (position, expected) in [(1, 3), (0, 5)] {
        let (code, _, err) = cluster.end(position);
        assert!(code == Some(expected) && err.contains(&name) && err.contains("missing"), "{code:?} {err}");
    }
    let mut cluster = Cluster::new(&folder, 2);
    cluster.start(1, SECRET, &["--wait", "1s", "m.pml"]);
    let (code, _, err) = cluster.end(0);
    assert!(code == Some(3) && err.contains("process 0"), "{code:?} {err}");
    cluster.start(1, "short", &["m.pml"]);
    assert!(cluster.end(1).2.contains("at least 16 characters"));
}

#[test]
fn no_process_outlives_the_command() {
    let folder = Folder::new("cluster-orphans");
    folder.file("m.pml", LARGE);
    let mut parent = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["cluster", "--processes", "3", "--safety", "--reduce", "off", "m.pml"])
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("lariat starts");
    let children = || {
        let path = format!("/proc/{0}/task/{0}/children", parent.id());
        let list = std::fs::read_to_string(path).unwrap_or_default();
        // The command itself runs in a thread of its own, which is the parent.
        let threads = std::fs::read_dir(format!("/proc/{}/task", parent.id())).into_iter().flatten().flatten();
        let of_threads = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        let all = std::iter::once(list).chain(of_threads).collect::<String>();
        let ids: BTreeSet<u32> = all.split_whitespace().filter_map(|id| id.parse().ok()).collect();
        ids
    };
    let begun = Instant::now();
    while children().len() < 3 {
        assert!(begun.elapsed() < PATIENCE, "the processes do not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    let ids = children();
    parent.kill().expect("a process");
    parent.wait().expect("a process");
    let begun = Instant::now();
    while ids.iter().any(|id| std::fs::read_link(format!("/proc/{id}/exe")).is_ok()) {
        assert!(begun.elapsed() < PATIENCE, "{ids:?} outlive the command");
        std::thread::sleep(Duration::from_millis(20));
    }
}
