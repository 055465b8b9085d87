//! The running server: who is answered, what is bounded, and that nothing is computed for nobody. The requests are written
//! by hand, so that no client library tidies them.

use serde_json::{Value, json};
use serve::folder::Folder;
use serve::{CHECKS, CONNECTIONS, Options, Running, start};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TOKEN: &str = "the-token";
const COUNTER: &str = "byte x; ltl p { [] (x < 3) } active proctype P() { do :: x = (x + 1) % 5 od }";
const ENDLESS: &str = "int x, y; active proctype P() { do :: x >= 0 -> x++ :: y >= 0 -> y++ od }";

/// After this time a test fails instead of waiting forever. No answer of the server depends on it.
const HANGS: Duration = Duration::from_secs(1200);

struct Server {
    running: Running,
    folder: TempDir,
}

impl Server {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.pml"), COUNTER).expect("written");
        std::fs::write(
            folder.path().join("m.smv"),
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; LTLSPEC G x < 2",
        )
        .expect("written");
        let options = Options {
            folder: Folder::open(folder.path()).expect("opened"),
            model: None,
            port: 0,
            token: TOKEN.into(),
            time_limit: HANGS,
            memory_limit: 4 << 30,
        };
        Self { running: start(options).expect("started"), folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.running.address).expect("connected");
        stream.set_read_timeout(Some(HANGS)).expect("a time limit");
        stream
    }

    /// Sends a request and gives status and body.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = self.connect();
        // A server that refuses a long body closes the connection before all of it is sent.
        let _ = stream.write_all(self.request(method, path, headers, body).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let body = answer.split_once("\r\n\r\n").map_or_else(String::new, |(_, body)| body.to_owned());
        (status, body)
    }

    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            let _ = write!(text, "host: {}\r\n", self.running.address);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let _ = write!(text, "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        text
    }

    /// The last line of a computation's answer.
    fn compute(&self, path: &str, body: &Value) -> Value {
        let (status, text) = self.send("POST", path, &[("x-lariat-token", TOKEN)], &body.to_string());
        assert_eq!(status, 200, "{path}: {text}");
        // The body comes in chunks, each after a line with its length.
        let mut lines =
            text.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).expect("JSON"));
        lines.next_back().expect("an answer")
    }

    fn wait_until_idle(&self) {
        let end = Instant::now() + HANGS;
        while self.running.running() > 0 {
            assert!(Instant::now() < end, "a computation goes on for nobody");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn strangers_are_refused_on_every_route() {
    let server = Server::new();
    let port = server.running.address.port();
    let foreign = format!("evil.example:{port}");
    let routes = ["/", "/api/files", "/api/file?name=m.pml", "/api/check", "/api/stop", "/nothing"];
    for route in routes {
        let method = if route.starts_with("/api/check") || route.starts_with("/api/stop") { "POST" } else { "GET" };
        let status = |headers: &[(&str, &str)]| server.send(method, route, headers, "{}").0;
        assert_eq!(status(&[]), 401, "{route}");
        assert_eq!(status(&[("x-lariat-token", "wrong")]), 401, "{route}");
        assert_eq!(status(&[("x-lariat-token", TOKEN), ("host", &foreign)]), 403, "{route}");
        assert_eq!(status(&[("x-lariat-token", TOKEN), ("host", "")]), 403, "{route}");
        assert_eq!(status(&[("x-lariat-token", TOKEN), ("origin", "https://evil.example")]), 403, "{route}");
        assert_eq!(status(&[("x-lariat-token", TOKEN), ("sec-fetch-site", "cross-site")]), 403, "{route}");
    }
    let (status, page) = server.send("GET", &format!("/?token={TOKEN}"), &[], "");
    assert_eq!(status, 200);
    assert!(page.contains("Content-Security-Policy") && !page.contains("unsafe-"));
    assert!(server.running.address.ip().is_loopback());
}

#[test]
fn files_outside_the_folder_do_not_exist() {
    let server = Server::new();
    let outside = server.folder.path().parent().expect("a parent").join("lariat-outside.pml");
    std::fs::write(&outside, "secret").expect("written");
    let know = [("x-lariat-token", TOKEN)];
    for name in ["../lariat-outside.pml", "..%2Flariat-outside.pml", "%2Fetc%2Fpasswd", "/etc/passwd", "m.pml%00"] {
        let (status, body) = server.send("GET", &format!("/api/file?name={name}"), &know, "");
        assert_ne!(status, 200, "{name}: {body}");
        assert!(!body.contains("secret"), "{name}");
    }
    let put = |name: &str| server.send("PUT", "/api/file", &know, &json!({ "name": name, "text": "x" }).to_string()).0;
    assert_eq!((put("../lariat-outside.pml"), put("notes.txt"), put(".hidden.pml")), (403, 403, 403));
    assert_eq!(put("m.pml"), 200);
    // A model cannot include what lies outside.
    let text = format!("#include \"{}\"\nactive proctype P() {{ skip }}", outside.display());
    let answer = server.compute("/api/diagnose", &json!({ "name": "m.pml", "text": text }));
    assert!(answer["error"].is_string() && !answer.to_string().contains("secret"), "{answer}");
    std::fs::remove_file(outside).expect("removed");
}

#[test]
fn sizes_and_numbers_are_bounded() {
    let server = Server::new();
    let long = json!({ "name": "m.pml", "text": "x".repeat(3 << 20) }).to_string();
    let (status, _) = server.send("POST", "/api/diagnose", &[("x-lariat-token", TOKEN)], &long);
    assert!(status == 413 || status == 0, "{status}");
    // Computations beyond the limit are refused, and those whose clients leave are stopped.
    let body = json!({ "name": "e.pml", "text": ENDLESS }).to_string();
    let request = server.request("POST", "/api/check", &[("x-lariat-token", TOKEN)], &body);
    let mut clients = Vec::new();
    for _ in 0..CHECKS {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("sent");
        let mut head = [0_u8; 12];
        stream.read_exact(&mut head).expect("answered");
        assert_eq!(&head, b"HTTP/1.1 200");
        clients.push(stream);
    }
    assert_eq!(server.send("POST", "/api/check", &[("x-lariat-token", TOKEN)], &body).0, 429);
    drop(clients);
    server.wait_until_idle();
    assert_eq!(
        server.compute("/api/diagnose", &json!({ "name": "m.pml", "text": COUNTER }))["properties"][3]["name"],
        "p"
    );
}

#[test]
fn a_check_is_stopped_by_its_number_and_reports() {
    let server = Server::new();
    let body = json!({ "name": "e.pml", "text": ENDLESS }).to_string();
    let mut stream = server.connect();
    stream
        .write_all(server.request("POST", "/api/check", &[("x-lariat-token", TOKEN)], &body).as_bytes())
        .expect("sent");
    let mut seen = String::new();
    let mut buffer = [0_u8; 4096];
    while !seen.contains("\"number\":") {
        let count = stream.read(&mut buffer).expect("an answer");
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    let number: u64 =
        seen.split("\"number\":").nth(1).and_then(|rest| rest.split('}').next()?.parse().ok()).expect("a number");
    let (status, answer) =
        server.send("POST", "/api/stop", &[("x-lariat-token", TOKEN)], &json!({ "number": number }).to_string());
    assert_eq!((status, answer.contains("true")), (200, true), "{answer}");
    let mut rest = String::new();
    stream.read_to_string(&mut rest).expect("the end");
    // The request may come while the model is still being read.
    let is_early = rest.contains("interrupted while the model was read");
    assert!(is_early || rest.contains("\"verdict\":\"unknown\""), "{rest}");
    server.wait_until_idle();
}

#[test]
fn views_answer() {
    let server = Server::new();
    let promela = json!({ "name": "m.pml", "text": COUNTER });
    let with = |more: Value| {
        let mut body = promela.clone();
        more.as_object().expect("an object").iter().for_each(|(key, value)| body[key] = value.clone());
        body
    };
    let answer = server.compute("/api/check", &with(json!({ "property": "p", "explain": true })));
    assert!(answer["html"].as_str().is_some_and(|html| html.contains("section class=\"trace\"")), "{answer}");
    let answer = server.compute("/api/simulate", &with(json!({ "path": [0, 0, 0] })));
    assert_eq!((answer["steps"].as_array().map(Vec::len), &answer["values"][0]["value"]), (Some(3), &json!(3)));
    let walked = server.compute("/api/simulate", &with(json!({ "path": [0], "random": 20, "seed": 7 })));
    let again = server.compute("/api/simulate", &with(json!({ "path": walked["path"] })));
    assert_eq!((&walked["values"], walked["path"].as_array().map(Vec::len)), (&again["values"], Some(21)));
    let answer = server.compute("/api/graph", &with(json!({ "property": "p" })));
    assert_eq!(
        (&answer["states"], &answer["complete"], answer["path"].as_u64() > Some(2)),
        (&json!(5), &json!(true), true),
        "{answer}"
    );
    let path = server.compute("/api/graph", &with(json!({ "between": [1, 0] })));
    assert_eq!(path["path"], 5, "{path}");
    let smv =
        json!({ "name": "m.smv", "text": std::fs::read_to_string(server.folder.path().join("m.smv")).expect("text") });
    let mut body = smv.clone();
    body["path"] = json!([0, 0]);
    let answer = server.compute("/api/simulate", &body);
    assert_eq!(answer["values"][0], json!({ "name": "x", "value": 1 }), "{answer}");
    assert_eq!(server.compute("/api/graph", &smv)["states"], 4);
    let answer = server
        .compute("/api/formula", &json!({ "formula": "G(a -> F b)", "other": "GF(a->b)", "constraint": "!(a & b)" }));
    assert_eq!(
        (&answer["comparison"]["equivalent"], answer["automaton"]["svg"].is_string()),
        (&json!(false), true),
        "{answer}"
    );
    assert!(answer["refined"]["states"].is_number() && answer["class"] == "recurrence", "{answer}");
    assert!(
        server.compute("/api/formula", &json!({ "formula": "G(a -> " }))["error"]
            .as_str()
            .is_some_and(|error| error.contains("column"))
    );
    let answer = server.compute("/api/testbench", &json!({ "formulas": 8, "seed": 1 }));
    assert_eq!((&answer["over"], &answer["faults"]), (&json!(true), &json!(0)), "{answer}");
}

/// 50 clients and 1,000 requests, beside readers who do not read and connections that send nothing.
#[test]
fn many_clients_are_served_beside_slow_ones() {
    let server = Server::new();
    let half_open: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut stream = server.connect();
        let body = json!({ "name": "m.pml", "text": COUNTER, "path": [], "random": 5000 }).to_string();
        stream
            .write_all(server.request("POST", "/api/simulate", &[("x-lariat-token", TOKEN)], &body).as_bytes())
            .expect("sent");
        slow.push(stream);
    }
    assert!(half_open.len() + slow.len() + 50 < CONNECTIONS);
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(server.send("GET", "/api/files", &[("x-lariat-token", TOKEN)], "").0, 200);
                }
            });
        }
    });
    drop((half_open, slow));
    server.wait_until_idle();
}
