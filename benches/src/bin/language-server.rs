//! Drives the language server over every model of some folders, and measures how long answers take.
//!
//! `language-server FOLDER… [--only TEXT] [--every NUMBER] [--seconds NUMBER]`: for each file, every request at several places;
//! then single characters typed and taken back, each followed at once by the requests that an editor sends while one types,
//! and by its diagnostics; then damage, such as lines taken out and brackets put in, with requests between. `--every 10` takes every tenth
//! file and the largest; after `--seconds` no further file is begun, and the program says how many are missing.
//!
//! *Times.* Wall clock. A *keystroke* lasts from the change to the last of its answers and diagnostics. The first of the six in a file
//! is left out of the summary if others are there: it pays for what later ones find in the caches of the processor. Times are told and
//! not judged, because a busy machine is slower. The exit code is 1 if the server ends or does not answer.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an answer may take before the program gives up.
const PATIENCE: Duration = Duration::from_secs(60);
/// The goal for the time after a keystroke, in milliseconds.
const GOAL: f64 = 200.0;
/// What an editor asks while one types.
const WHILE_TYPING: [&str; 4] = ["completion", "hover", "documentSymbol", "codeLens"];
/// What else it may ask.
const ALL: [&str; 8] =
    ["hover", "definition", "references", "documentSymbol", "prepareRename", "rename", "completion", "codeLens"];
/// What damages a text.
const DAMAGE: [&str; 14] =
    ["{", "}", "(", "/*", "\\\n", "\"", "#define x", "#if", "::", "--", "\u{1f600}", "\r\n", "MODULE", "esac"];

/// The time of something, and what it was.
type Timed = (Duration, String);

struct Client {
    connection: Connection,
    next: i32,
    answers: Vec<Timed>,
    keystrokes: Vec<(Duration, usize, String)>,
}

impl Client {
    fn tell(&self, method: &str, parameters: Value) {
        self.connection.sender.send(Notification::new(method.into(), parameters).into()).expect("the server listens");
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers")
    }

    fn send(&mut self, method: &str, parameters: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.into(), parameters);
        self.connection.sender.send(request.into()).expect("the server listens");
        id
    }

    /// Asks, and notes the time until the answer; errors are answers too.
    fn ask(&mut self, method: &str, parameters: Value, what: &str) -> Response {
        let started = Instant::now();
        let id = self.send(method, parameters);
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                self.answers.push((started.elapsed(), format!("{method} {what}")));
                return response;
            }
        }
    }

    /// Waits for the diagnostics of a version and for the answers to these requests.
    fn wait(&self, version: i64, mut asked: Vec<RequestId>) {
        let mut is_diagnosed = false;
        while !is_diagnosed || !asked.is_empty() {
            match self.receive() {
                Message::Response(response) => asked.retain(|id| *id != response.id),
                Message::Notification(note) if note.method == "textDocument/publishDiagnostics" => {
                    is_diagnosed |= note.params["version"] == version;
                }
                _ => {}
            }
        }
    }
}

/// What the command line says.
#[derive(Default)]
struct Wish {
    folders: Vec<PathBuf>,
    only: String,
    every: usize,
    seconds: Option<u64>,
}

fn wish() -> Wish {
    let mut wish = Wish { every: 1, ..Wish::default() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--only" => wish.only = value(),
            "--every" => wish.every = value().parse().expect("a number"),
            "--seconds" => wish.seconds = Some(value().parse().expect("a number")),
            _ => wish.folders.push(argument.into()),
        }
    }
    wish
}

/// The models of the folders, in the order of their names.
fn models(wish: &Wish) -> Vec<PathBuf> {
    let (mut folders, mut files) = (wish.folders.clone(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension().and_then(|end| end.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("pml" | "prom" | "promela" | "pm" | "smv") if path.display().to_string().contains(&wish.only) => {
                    files.push(path)
                }
                _ => {}
            }
        }
    }
    files.sort();
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |found| found.len());
    let largest = files.iter().max_by_key(|path| size(path)).cloned();
    let chosen = files.into_iter().enumerate();
    let chosen = chosen.filter(|(index, path)| index % wish.every.max(1) == 0 || Some(path) == largest.as_ref());
    chosen.map(|(_, path)| path).collect()
}

fn main() {
    let wish = wish();
    let files = models(&wish);
    let (server, connection) = Connection::memory();
    let options = lsp::Options { time_limit: Duration::from_secs(10), memory_limit: 1 << 30 };
    let server = std::thread::spawn(move || lsp::serve(server, options));
    let mut client = Client { connection, next: 0, answers: Vec::new(), keystrokes: Vec::new() };
    client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }), "");
    client.tell("initialized", json!({}));
    let end = wish.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut done = 0;
    // The largest ones first: they are what the goal is about.
    let mut order = files.clone();
    order.sort_by_key(|path| std::cmp::Reverse(std::fs::metadata(path).map_or(0, |found| found.len())));
    for path in order.iter().take_while(|_| end.is_none_or(|end| Instant::now() < end)) {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
        one(&mut client, path, &text);
        done += 1;
    }
    client.ask("shutdown", Value::Null, "");
    client.tell("exit", Value::Null);
    server.join().expect("the server does not panic").expect("the server ends well");
    if done < files.len() {
        println!("{} of {} files were not begun within the time", files.len() - done, files.len());
    }
    summary(&mut client, done);
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn summary(client: &mut Client, files: usize) {
    client.answers.sort_by(|one, two| two.cmp(one));
    client.keystrokes.sort_by(|one, two| two.cmp(one));
    let (answers, keystrokes) = (&client.answers, &client.keystrokes);
    println!("{files} files, {} answers, {} keystrokes; the server answered all", answers.len(), keystrokes.len());
    for (time, what) in answers.iter().take(5) {
        println!("  answer in {:7.1} ms: {what}", milliseconds(*time));
    }
    for (time, size, what) in keystrokes.iter().take(5) {
        println!("  keystroke {:7.1} ms: {what} ({size} bytes)", milliseconds(*time));
    }
    let Some((median, ..)) = keystrokes.get(keystrokes.len() / 2) else { return };
    let above = keystrokes.iter().filter(|(time, ..)| milliseconds(*time) > GOAL).count();
    println!("  median keystroke {:.1} ms; {above} of {} above {GOAL} ms", milliseconds(*median), keystrokes.len());
    if let Some((_, largest, name)) = keystrokes.iter().max_by_key(|(_, size, _)| *size) {
        let times = keystrokes.iter().filter(|(_, size, _)| size == largest).map(|(time, ..)| milliseconds(*time));
        let times: Vec<String> = times.map(|time| format!("{time:.1}")).collect();
        println!("  the largest file, {name} ({largest} bytes): {} ms", times.join(", "));
    }
}

/// All requests on one file.
fn one(client: &mut Client, path: &Path, text: &str) {
    let name = path.display().to_string();
    // Names of folders contain blanks; an address does not.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~+".contains(&byte);
    let encode = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let uri: String = format!("file://{}", name.bytes().map(encode).collect::<String>());
    let name = name.rsplit('/').next().unwrap_or_default().to_owned();
    let language = if name.ends_with(".smv") { "smv" } else { "promela" };
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": uri, "languageId": language, "version": 1, "text": text } }),
    );
    client.wait(1, Vec::new());
    let lines = text.lines().count().max(1);
    let at = |line: usize, character: usize| json!({ "line": line, "character": character });
    let request = |position: &Value| {
        let context = json!({ "includeDeclaration": true, "diagnostics": [] });
        json!({
            "textDocument": { "uri": uri }, "position": position, "newName": "another_name", "context": context,
            "range": { "start": position, "end": position }, "options": { "tabSize": 4, "insertSpaces": true },
        })
    };
    let change = |client: &mut Client, version: i64, from: &Value, to: &Value, text: &str| {
        let change = json!({ "range": { "start": from, "end": to }, "text": text });
        let parameters = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] });
        client.tell("textDocument/didChange", parameters);
    };
    let mut version = 1;
    for part in 1..4 {
        let (here, after) = (at(lines * part / 4, 4), at(lines * part / 4, 5));
        for method in ALL {
            client.ask(&format!("textDocument/{method}"), request(&here), &name);
        }
        for (to, typed) in [(&here, "x"), (&after, "")] {
            version += 1;
            let started = Instant::now();
            change(client, version, &here, to, typed);
            let asked = WHILE_TYPING.map(|method| client.send(&format!("textDocument/{method}"), request(&here)));
            client.wait(version, asked.to_vec());
            if version > 2 {
                client.keystrokes.push((started.elapsed(), text.len(), name.clone()));
            }
        }
    }
    // These read the text as a model, several times.
    for method in ["codeAction", "formatting"] {
        client.ask(&format!("textDocument/{method}"), request(&at(lines / 2, 4)), &name);
    }
    let mut random = ChaCha8Rng::seed_from_u64(text.len() as u64);
    for _ in 0..4 {
        version += 1;
        let line = random.random_range(0..lines);
        let from = at(line, random.random_range(0..30));
        let to = at(line + random.random_range(0..3), random.random_range(0..30));
        change(client, version, &from, &to, DAMAGE[random.random_range(0..DAMAGE.len())]);
        let methods = ALL.iter().chain(&["codeAction", "formatting"]);
        let asked = methods.map(|method| client.send(&format!("textDocument/{method}"), request(&from)));
        let asked = asked.collect();
        client.wait(version, asked);
    }
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
}
