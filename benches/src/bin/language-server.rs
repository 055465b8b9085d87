//! Drives the language server over every model of some folders, with edits between the requests, and measures how long answers take.
//!
//! `language-server FOLDER… [--only TEXT]`: for each file, every request at several places, then single characters typed and taken back, with the
//! diagnostics after each. The time of a keystroke is from the change to its diagnostics, wall clock. The exit code is 1 if the server
//! ends or does not answer.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long an answer may take before the program gives up.
const PATIENCE: Duration = Duration::from_secs(60);

struct Client {
    connection: Connection,
    next: i32,
    slowest: Vec<(Duration, String)>,
}

impl Client {
    fn tell(&self, method: &str, parameters: Value) {
        self.connection.sender.send(Notification::new(method.into(), parameters).into()).expect("the server listens");
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers")
    }

    /// Asks, and notes the time until the answer; errors are answers too.
    fn ask(&mut self, method: &str, parameters: Value, what: &str) -> Response {
        self.next += 1;
        let id = RequestId::from(self.next);
        let started = Instant::now();
        let request = Request::new(id.clone(), method.into(), parameters);
        self.connection.sender.send(request.into()).expect("the server listens");
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                self.slowest.push((started.elapsed(), format!("{method} {what}")));
                return response;
            }
        }
    }

    /// Waits for the diagnostics of a version.
    fn diagnosed(&self, version: i64) {
        loop {
            if let Message::Notification(note) = self.receive()
                && note.method == "textDocument/publishDiagnostics"
                && note.params["version"] == version
            {
                return;
            }
        }
    }
}

fn main() {
    let mut folders = Vec::new();
    let mut only = String::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--only" => only = arguments.next().unwrap_or_default(),
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension().and_then(|end| end.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("pml" | "prom" | "promela" | "smv") if path.display().to_string().contains(&only) => {
                    files.push(path)
                }
                _ => {}
            }
        }
    }
    files.sort();
    let (server, connection) = Connection::memory();
    let options = lsp::Options { time_limit: Duration::from_secs(10), memory_limit: 1 << 30 };
    let server = std::thread::spawn(move || lsp::serve(server, options));
    let mut client = Client { connection, next: 0, slowest: Vec::new() };
    client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }), "");
    client.tell("initialized", json!({}));
    let mut keystrokes: Vec<(Duration, usize, String)> = Vec::new();
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
        keystrokes.extend(one(&mut client, path, &text));
    }
    client.ask("shutdown", Value::Null, "");
    client.tell("exit", Value::Null);
    server.join().expect("the server does not panic").expect("the server ends well");
    let answers = client.slowest.len();
    client.slowest.sort_by(|one, two| two.cmp(one));
    keystrokes.sort_by(|one, two| two.cmp(one));
    println!("{} files, {answers} answers, {} keystrokes", files.len(), keystrokes.len());
    for (time, what) in client.slowest.iter().take(5) {
        println!("  answer in {:6.1} ms: {what}", time.as_secs_f64() * 1e3);
    }
    for (time, size, what) in keystrokes.iter().take(5) {
        println!("  keystroke to diagnostics in {:6.1} ms: {what} ({size} bytes)", time.as_secs_f64() * 1e3);
    }
    if let Some((time, size, what)) = keystrokes.iter().max_by_key(|(_, size, _)| *size) {
        println!("  largest file: {:.1} ms: {what} ({size} bytes)", time.as_secs_f64() * 1e3);
    }
}

/// All requests on one file; the times of its keystrokes.
fn one(client: &mut Client, path: &std::path::Path, text: &str) -> Vec<(Duration, usize, String)> {
    let name = path.display().to_string();
    // Names of folders contain blanks; an address does not.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~+".contains(&byte);
    let encode = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let uri: String = format!("file://{}", name.bytes().map(encode).collect::<String>());
    let name = name.rsplit('/').next().unwrap_or_default();
    let language = if name.ends_with(".smv") { "smv" } else { "promela" };
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": uri, "languageId": language, "version": 1, "text": text } }),
    );
    client.diagnosed(1);
    let lines = text.lines().count().max(1);
    let mut times = Vec::new();
    for part in 1..4 {
        let line = lines * part / 4;
        let position = json!({ "line": line, "character": 4 });
        let mut wish = json!({
            "textDocument": { "uri": uri }, "position": position, "newName": "another_name", "range": { "start": position, "end": position },
            "options": { "tabSize": 4, "insertSpaces": true },
        });
        wish["context"] = json!({ "includeDeclaration": true, "diagnostics": [] });
        for method in [
            "hover",
            "definition",
            "references",
            "documentSymbol",
            "prepareRename",
            "rename",
            "completion",
            "codeLens",
            "codeAction",
            "formatting",
        ] {
            client.ask(&format!("textDocument/{method}"), wish.clone(), name);
        }
        let after = json!({ "line": line, "character": 5 });
        let changes = [
            json!({ "range": { "start": position, "end": position }, "text": "x" }),
            json!({ "range": { "start": position, "end": after }, "text": "" }),
        ];
        for (version, change) in (2 * part..).zip(changes) {
            let started = Instant::now();
            client.tell(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }),
            );
            client.diagnosed(version as i64);
            times.push((started.elapsed(), text.len(), name.to_owned()));
        }
    }
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    times
}
