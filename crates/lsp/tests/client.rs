//! A client that drives every request, on written texts, on shipped models, and on damaged ones.

use lsp::Options;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an answer may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next: i32,
    /// The last diagnostics of each text, with their version.
    diagnostics: Vec<(String, i64, Vec<Value>)>,
    refreshes: usize,
    /// Responses that came while another one was waited for.
    early: Vec<Response>,
}

impl Client {
    fn start() -> Self {
        let (server, connection) = Connection::memory();
        let options = Options { time_limit: Duration::from_secs(60), memory_limit: 1 << 30 };
        let server = Some(std::thread::spawn(move || lsp::serve(server, options)));
        let mut client = Self { connection, server, next: 0, diagnostics: Vec::new(), refreshes: 0, early: Vec::new() };
        let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
        let answer =
            client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        client.tell("initialized", json!({}));
        client
    }

    fn tell(&self, method: &str, parameters: Value) {
        self.connection.sender.send(Notification::new(method.into(), parameters).into()).expect("the server listens");
    }

    fn send(&mut self, method: &str, parameters: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection
            .sender
            .send(Request::new(id.clone(), method.into(), parameters).into())
            .expect("the server listens");
        id
    }

    /// Takes the next message; a response is returned.
    fn receive(&mut self) -> Option<Response> {
        match self.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
            Message::Response(response) => return Some(response),
            Message::Request(request) => {
                self.refreshes += 1;
                self.connection.sender.send(Response::new_ok(request.id, ()).into()).expect("the server listens");
            }
            Message::Notification(note) if note.method == "textDocument/publishDiagnostics" => {
                let uri = note.params["uri"].as_str().expect("a text").to_owned();
                let found = note.params["diagnostics"].as_array().expect("a list").clone();
                self.diagnostics.retain(|(known, ..)| *known != uri);
                self.diagnostics.push((uri, note.params["version"].as_i64().unwrap_or(-1), found));
            }
            Message::Notification(_) => {}
        }
        None
    }

    /// The answer to a request, or its error.
    fn answer(&mut self, id: &RequestId) -> Result<Value, String> {
        loop {
            let known = self.early.iter().position(|response| response.id == *id);
            let received = known.map(|at| self.early.remove(at)).or_else(|| self.receive());
            if let Some(response) = received {
                if response.id != *id {
                    self.early.push(response);
                    continue;
                }
                let value = serde_json::to_value(response).expect("JSON");
                return match value.get("error") {
                    Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
                    None => Ok(value["result"].clone()),
                };
            }
        }
    }

    fn try_ask(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        let id = self.send(method, parameters);
        self.answer(&id)
    }

    #[track_caller]
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.try_ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn open(&self, uri: &str, text: &str) {
        let language = if uri.ends_with(".smv") { "smv" } else { "promela" };
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": language, "version": 1, "text": text } }),
        );
    }

    fn change(&self, uri: &str, version: i64, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }] }),
        );
    }

    /// The diagnostics of a version of a text.
    fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            if let Some((.., found)) = self.diagnostics.iter().find(|(known, of, _)| known == uri && *of == version) {
                return found.clone();
            }
            assert!(self.receive().is_none(), "no request is pending");
        }
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("a server");
        server.join().expect("the server does not panic").expect("the server ends well");
    }
}

/// The position of the first `^` in a marked text, and the text without it.
fn marked(text: &str) -> (Value, String) {
    let at = text.find('^').expect("a mark");
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
    (json!({ "line": line, "character": column }), text.replacen('^', "", 1))
}

const MODEL: &str = "#define LIMIT 3
#define step(v) v = v + 1
mtype = { idle, busy };
typedef Pair { byte left; byte right };
byte count; mtype mode = idle; Pair pair;
inline raise(target) { target = target + count }
ltl bounded { [] (count <= LIMIT) }
active proctype Worker() {
    byte mine;
start:
    do
    :: count < LIMIT -> step(count); raise(mine); pair.left = mine
    :: else -> goto start
    od
}
";

/// Asks at the `occurrence`-th place of a word.
fn place(text: &str, word: &str, occurrence: usize) -> Value {
    let (at, _) = text.match_indices(word).nth(occurrence).expect("the word occurs");
    let line = text[..at].matches('\n').count();
    json!({ "line": line, "character": at - text[..at].rfind('\n').map_or(0, |end| end + 1) })
}

fn at(uri: &str, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}

#[test]
fn names_are_found_through_macros_inlines_and_records() {
    let mut client = Client::start();
    let uri = "file:///m.pml";
    client.open(uri, MODEL);
    assert!(client.diagnostics(uri, 1).iter().all(|one| one["severity"] != 1));
    let lines = |locations: &Value| -> Vec<u64> {
        locations
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one["range"]["start"]["line"].as_u64().expect("a line"))
            .collect()
    };
    let mut definition = |word: &str, occurrence: usize| {
        client.ask("textDocument/definition", at(uri, &place(MODEL, word, occurrence)))["range"]["start"]["line"]
            .clone()
    };
    assert_eq!(definition("LIMIT", 2), 0, "a macro");
    assert_eq!(definition("step", 1), 1, "a macro with parameters");
    assert_eq!(definition("v + 1", 0), 1, "a parameter of a macro");
    assert_eq!(definition("idle", 1), 2, "a symbol");
    assert_eq!(definition("raise", 1), 5, "an inline");
    assert_eq!(definition("target + count", 0), 5, "a parameter of an inline");
    assert_eq!(definition("left = mine", 0), 3, "a field");
    assert_eq!(definition("start\n", 0), 9, "a label");
    let mut wish = at(uri, &place(MODEL, "count", 0));
    wish["context"] = json!({ "includeDeclaration": true });
    assert_eq!(lines(&client.ask("textDocument/references", wish.clone())), [4, 5, 6, 11, 11]);
    wish["context"]["includeDeclaration"] = false.into();
    assert_eq!(lines(&client.ask("textDocument/references", wish)).len(), 4);
    let hover = client.ask("textDocument/hover", at(uri, &place(MODEL, "count", 1)));
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(words.contains("byte count") && words.contains("0 to 255"), "{words}");
    let outline = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names: Vec<&str> = outline.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["LIMIT", "step", "idle", "busy", "Pair", "count", "mode", "pair", "raise", "bounded", "Worker"]);
    client.end();
}

#[test]
fn rename_changes_all_uses_and_refuses_clashes() {
    let mut client = Client::start();
    let uri = "file:///m.pml";
    client.open(uri, MODEL);
    let mut wish = at(uri, &place(MODEL, "count", 0));
    assert_eq!(client.ask("textDocument/prepareRename", wish.clone())["start"]["line"], 4);
    wish["newName"] = "total".into();
    let edits = client.ask("textDocument/rename", wish.clone());
    assert_eq!(edits["changes"][uri].as_array().expect("edits").len(), 5);
    for (name, reason) in
        [("mine", "means something else"), ("mode", "means something else"), ("od", "a word"), ("1x", "not a name")]
    {
        wish["newName"] = name.into();
        let error = client.try_ask("textDocument/rename", wish.clone()).expect_err(name);
        assert!(error.contains(reason), "{name}: {error}");
    }
    client.end();
}

#[test]
fn names_of_included_files_are_found_and_renamed() {
    let mut client = Client::start();
    let (main, included) = ("file:///w/main.pml", "file:///w/parts/common.pml");
    let main_text = "#include \"parts/../parts/common.pml\"\nactive proctype P() { level = high; t.level = 1 }\n";
    let included_text = "byte level;\ntypedef T { byte level };\nT t;\ninline reset() { level = 0; high = 1 }\n";
    client.open(included, included_text);
    client.open(main, main_text);
    let definition = client.ask("textDocument/definition", at(main, &place(main_text, "level", 0)));
    assert_eq!((&definition["uri"], &definition["range"]["start"]["line"]), (&json!(included), &json!(0)));
    // From either file, both are changed; the field of the same name is not.
    for (uri, text) in [(main, main_text), (included, included_text)] {
        let mut wish = at(uri, &place(text, "level", 0));
        assert!(client.try_ask("textDocument/prepareRename", wish.clone()).is_ok());
        wish["newName"] = "depth".into();
        let edits = client.ask("textDocument/rename", wish.clone());
        let starts = |uri: &str| -> Vec<(u64, u64)> {
            let number = |one: &Value, key: &str| one["range"]["start"][key].as_u64().expect("a number");
            let list = edits["changes"][uri].as_array().expect("edits").iter();
            list.map(|one| (number(one, "line"), number(one, "character"))).collect()
        };
        assert_eq!(starts(included), [(0, 5), (3, 17)], "{edits}");
        assert_eq!(starts(main), [(1, 22)], "{edits}");
        wish["newName"] = "P".into();
        assert!(client.try_ask("textDocument/rename", wish).is_err_and(|error| error.contains("something else")));
    }
    client.end();
}

#[test]
fn hints_are_quick_fixes_that_mend() {
    let mut client = Client::start();
    let cases = [
        ("file:///a.pml", "byte count;\nactive proctype P() { cuont = 1 }\n", "count"),
        ("file:///b.pml", "active proctype P() { y = 1 }\n", "byte y;"),
        ("file:///c.smv", "MODULE main\nVAR request : boolean;\nINVARSPEC requset\n", "request"),
    ];
    for (uri, text, expected) in cases {
        client.open(uri, text);
        let found = client.diagnostics(uri, 1);
        assert!(!found.is_empty(), "{text}");
        let wish =
            json!({ "textDocument": { "uri": uri }, "range": found[0]["range"], "context": { "diagnostics": found } });
        let actions = client.ask("textDocument/codeAction", wish);
        let edit = &actions[0]["edit"]["changes"][uri][0];
        assert_eq!(edit["newText"].as_str().map(str::trim), Some(expected), "{actions}");
        // The edit mends the text.
        let change = json!({ "range": edit["range"], "text": edit["newText"] });
        client.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [change] }),
        );
        let errors = client.diagnostics(uri, 2).into_iter().filter(|one| one["severity"] == 1).count();
        assert_eq!(errors, 0, "{text}");
    }
    client.end();
}

#[test]
fn completion_knows_scopes_fields_and_labels() {
    let mut client = Client::start();
    let mut labels = |uri: &str, text: &str| -> Vec<String> {
        let (position, text) = marked(text);
        client.open(uri, &text);
        let items = client.ask("textDocument/completion", at(uri, &position));
        items.as_array().expect("a list").iter().filter_map(|one| Some(one["label"].as_str()?.to_owned())).collect()
    };
    let fields = labels("file:///m.pml", "typedef T { byte a; byte b };\nT t;\nactive proctype P() { t.^a = 1 }\n");
    assert_eq!(fields, ["a", "b"]);
    let visible =
        labels("file:///m.pml", "byte g;\nactive proctype P() { byte l; ^skip }\nactive proctype Q() { byte other }\n");
    assert!(visible.contains(&"g".into()) && visible.contains(&"l".into()) && !visible.contains(&"other".into()));
    assert!(visible.contains(&"atomic".into()));
    assert_eq!(labels("file:///m.pml", "active proctype P() { again: skip; goto ^again }\n"), ["again"]);
    let parts =
        labels("file:///m.smv", "MODULE cell\nVAR full : boolean;\nMODULE main\nVAR c : cell;\nINVARSPEC c.^full\n");
    assert_eq!(parts, ["full"]);
    client.end();
}

#[test]
fn formatting_edits_only_lines_that_change() {
    let mut client = Client::start();
    let uri = "file:///m.pml";
    let text = "byte x;\nactive proctype P() {\nx=1 // one\n}\n";
    client.open(uri, text);
    let options = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", options.clone());
    assert_eq!(
        edits,
        json!([{ "range": { "start": { "line": 2, "character": 0 }, "end": { "line": 3, "character": 0 } }, "newText": "    x = 1 // one\n" }])
    );
    client.change(uri, 2, "byte x;\nactive proctype P() {\nz=1 // one\n}\n");
    let error = client.try_ask("textDocument/formatting", options).expect_err("an error in the model");
    assert!(error.contains("a text with errors is not formatted"), "{error}");
    client.end();
}

#[test]
fn lenses_check_properties_show_verdicts_and_stop() {
    let mut client = Client::start();
    let uri = "file:///m.pml";
    client.open(
        uri,
        "byte x;\nltl low { [] (x < 3) }\nltl any { [] (x < 9) }\nactive proctype P() { do :: x = (x + 1) % 5 od }\n",
    );
    client.diagnostics(uri, 1);
    let lenses = |client: &mut Client, uri: &str| -> Vec<(u64, String, Value)> {
        let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let one = |lens: &Value| {
            let line = lens["range"]["start"]["line"].as_u64().expect("a line");
            (line, lens["command"]["title"].as_str().expect("a title").to_owned(), lens["command"]["arguments"].clone())
        };
        lenses.as_array().expect("a list").iter().map(one).collect()
    };
    let of =
        |all: &[(u64, String, Value)], name: &str| all.iter().find(|one| one.2[1] == name).cloned().expect("a lens");
    let all = lenses(&mut client, uri);
    assert_eq!(of(&all, "low").0, 1);
    for (name, verdict, title) in [("low", "violated", "low is violated, in 3 steps"), ("any", "holds", "any holds")] {
        let (.., arguments) = of(&all, name);
        let answer =
            client.ask("workspace/executeCommand", json!({ "command": "lariat.check", "arguments": arguments }));
        assert_eq!(answer["verdict"], verdict, "{answer}");
        assert!(of(&lenses(&mut client, uri), name).1.starts_with(title), "{answer}");
    }
    assert!(client.refreshes > 0);
    // A check without end is stopped by its command, and by cancelling its request.
    let endless = "file:///endless.pml";
    client.open(endless, "int x, y; active proctype P() { do :: x >= 0 -> x++ :: y >= 0 -> y++ od }\n");
    client.diagnostics(endless, 1);
    let check = json!({ "command": "lariat.check", "arguments": [endless, "end states"] });
    for by_command in [true, false] {
        let id = client.send("workspace/executeCommand", check.clone());
        let end = Instant::now() + PATIENCE;
        while !lenses(&mut client, endless).iter().any(|one| one.1.contains("(stop)")) {
            assert!(Instant::now() < end, "the check does not begin");
        }
        if by_command {
            client.ask(
                "workspace/executeCommand",
                json!({ "command": "lariat.stop", "arguments": [endless, "end states"] }),
            );
        } else {
            client.tell("$/cancelRequest", json!({ "id": serde_json::to_value(&id).expect("JSON") }));
        }
        // Other answers may come first; this one comes before the limit of time.
        let answer = client.answer(&id);
        assert!(answer.is_err() || answer.is_ok_and(|answer| answer["verdict"] == "unknown"));
    }
    client.end();
}

/// All shipped models.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "pml" || end == "smv") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every request at one place of a text; errors are answers too.
fn everything(client: &mut Client, uri: &str, position: &Value) {
    let here = at(uri, position);
    for method in ["hover", "definition", "completion", "prepareRename"] {
        let _ = client.try_ask(&format!("textDocument/{method}"), here.clone());
    }
    let mut wish = here.clone();
    wish["newName"] = "renamed".into();
    wish["context"] = json!({ "includeDeclaration": true });
    let _ = client.try_ask("textDocument/rename", wish.clone());
    let _ = client.try_ask("textDocument/references", wish);
    let text = json!({ "textDocument": { "uri": uri } });
    client.ask("textDocument/documentSymbol", text.clone());
    client.ask("textDocument/codeLens", text.clone());
    let mut wish = text;
    wish["range"] = json!({ "start": position, "end": position });
    wish["context"] = json!({ "diagnostics": [] });
    wish["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    let _ = client.try_ask("textDocument/codeAction", wish.clone());
    let _ = client.try_ask("textDocument/formatting", wish);
}

#[test]
fn no_text_ends_the_server() {
    let mut client = Client::start();
    let mut seed = 2024_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below.max(1)
    };
    let inserted = [
        "{",
        "}",
        "(",
        "/*",
        "\\\n",
        "\"",
        "#define x",
        "#if",
        "do",
        "::",
        "--",
        "\u{1f600}",
        "\r\n",
        "esac",
        "MODULE",
        ".",
        ":",
        "@",
    ];
    let all = models();
    assert!(all.len() > 50);
    for path in all.iter().step_by(3) {
        let uri = format!("file://{}", path.display());
        client.open(&uri, &std::fs::read_to_string(path).expect("a text"));
        // Edits that damage the text, with all requests between them.
        for version in 2..5 {
            let lines = 60;
            let position = json!({ "line": random(lines), "character": random(30) });
            everything(&mut client, &uri, &position);
            let end = json!({ "line": random(lines), "character": random(30) });
            let change =
                json!({ "range": { "start": position, "end": end }, "text": inserted[random(inserted.len())] });
            client.tell(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }),
            );
        }
        client.diagnostics(&uri, 4);
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    // Messages that nobody should send.
    for method in ["textDocument/hover", "workspace/executeCommand", "textDocument/formatting", "nonsense"] {
        assert!(client.try_ask(method, json!({ "textDocument": 7 })).is_err());
    }
    client.tell("textDocument/didChange", json!(null));
    client.end();
}
