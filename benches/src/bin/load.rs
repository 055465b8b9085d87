//! Load on `lariat serve`: 50 clients with 1,000 requests of all kinds, beside readers who are slow, readers who do not read, and
//! connections that send nothing or half a request. Then checks whose clients leave.
//!
//! `load` starts the server on the loopback address and ends it. It fails if an answer is wrong or missing, if the process grows
//! beyond [`MOST_MEMORY`], if it goes on computing for nobody, or if half a request keeps its connection. Every wait is bounded.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use benches::lariat;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: usize = 50;
const REQUESTS: usize = 1_000;
/// How long something may take before the program gives up.
const PATIENCE: Duration = Duration::from_secs(120);
/// The most memory that the process may take at its peak, in bytes: 128 connections and four computations fit easily.
const MOST_MEMORY: u64 = 512 << 20;

const COUNTER: &str = "byte x; ltl p { [] (x < 3) } active proctype P() { do :: x = (x + 1) % 5 od }";
const ENDLESS: &str = "int x, y; active proctype P() { do :: x >= 0 -> x++ :: y >= 0 -> y++ od }";

/// A server that ends with the program.
struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(folder: &std::path::Path) -> Self {
        let mut child = Command::new(lariat::binary())
            .args(["serve", "--no-open", "--memory-limit", "256M"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("lariat runs");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut address).expect("an address");
        let rest = address.trim().strip_prefix("http://").expect("an address");
        let (host, token) = rest.split_once("/?token=").expect("a token");
        Self { child, host: host.into(), token: token.into() }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("connected");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        stream
    }

    fn request(&self, method: &str, path: &str, body: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nx-lariat-token: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.host,
            self.token,
            body.len()
        )
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(self.request(method, path, body).as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer in time");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    /// A line of what the system says about the process, in bytes.
    fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix("kB"));
        line.and_then(|size| size.trim().parse::<u64>().ok()).unwrap_or(0) << 10
    }

    /// The processor time of the process so far, in ticks of the system.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
    }
}

/// The requests, one after the other: what is asked, and what a right answer contains.
fn wish(number: usize) -> (&'static str, &'static str, Value, &'static str) {
    let model = |more: Value| {
        let mut body = json!({ "name": "m.pml", "text": COUNTER });
        more.as_object().into_iter().flatten().for_each(|(key, value)| body[key] = value.clone());
        body
    };
    match number % 7 {
        0 => ("GET", "/api/files", Value::Null, "m.pml"),
        1 => ("GET", "/api/file?name=m.pml", Value::Null, "proctype"),
        2 => ("POST", "/api/diagnose", model(json!({})), "properties"),
        3 => ("POST", "/api/check", model(json!({ "property": "p" })), "\"verdict\":\"violated\""),
        4 => ("POST", "/api/simulate", model(json!({ "path": [0, 0], "random": 20, "seed": number })), "offered"),
        5 => ("POST", "/api/graph", model(json!({})), "\"states\":5"),
        _ => ("POST", "/api/formula", json!({ "formula": "G(a -> F b)" }), "recurrence"),
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.pml"), COUNTER).expect("written");
    let server = Server::start(folder.path());
    let started = Instant::now();
    let (refused, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    // Connections that send nothing, and connections that send half a request.
    let silent: Vec<TcpStream> = (0..10).map(|_| server.connect()).collect();
    let mut half: Vec<TcpStream> = (0..10).map(|_| server.connect()).collect();
    for stream in &mut half {
        let request = server.request("POST", "/api/check", "{}");
        stream.write_all(&request.as_bytes()[..60]).expect("sent");
    }
    let long = json!({ "name": "m.pml", "text": COUNTER, "path": [], "random": 5000 }).to_string();
    let begin = || {
        let mut stream = server.connect();
        stream.write_all(server.request("POST", "/api/simulate", &long).as_bytes()).expect("sent");
        stream
    };
    // Readers who do not read.
    let unread: Vec<TcpStream> = (0..6).map(|_| begin()).collect();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let (mut stream, mut byte) = (begin(), [0]);
                while !is_over.load(Ordering::Relaxed) && stream.read(&mut byte).is_ok_and(|count| count > 0) {
                    std::thread::sleep(Duration::from_millis(50));
                }
            });
        }
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (server, refused) = (&server, &refused);
                scope.spawn(move || {
                    for number in 0..REQUESTS / CLIENTS {
                        let (method, path, body, expected) = wish(client + number);
                        let body = if body.is_null() { String::new() } else { body.to_string() };
                        let end = Instant::now() + PATIENCE;
                        loop {
                            let (status, answer) = server.ask(method, path, &body);
                            // Four computations run at a time; others are told to come again.
                            if status == 429 && Instant::now() < end {
                                refused.fetch_add(1, Ordering::Relaxed);
                                std::thread::sleep(Duration::from_millis(20));
                                continue;
                            }
                            assert!(status == 200 && answer.contains(expected), "{path}: {answer}");
                            break;
                        }
                    }
                })
            })
            .collect();
        clients.into_iter().for_each(|client| client.join().expect("all answers are right"));
        is_over.store(true, Ordering::Relaxed);
    });
    println!(
        "{CLIENTS} clients, {REQUESTS} requests, all answered rightly; {} times a client was told to come again ({:.1} s)",
        refused.load(Ordering::Relaxed),
        started.elapsed().as_secs_f64()
    );
    for mut stream in half {
        // The answer is that the time is over, or nothing; in any case the connection ends.
        let read = stream.read_to_end(&mut Vec::new());
        let is_late = |error: &Error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        assert!(!read.as_ref().is_err_and(is_late), "half a request keeps its connection");
    }
    drop((silent, unread));
    abandoned(&server);
    let peak = server.memory("VmHWM:");
    assert!(peak < MOST_MEMORY, "{peak} bytes at the peak");
    println!("memory: {} MB at the peak, {} MB at the end", peak >> 20, server.memory("VmRSS:") >> 20);
}

/// Checks without end, whose clients leave: their places become free, and the process rests.
fn abandoned(server: &Server) {
    let body = json!({ "name": "e.pml", "text": ENDLESS }).to_string();
    let end = Instant::now() + PATIENCE;
    let mut clients = Vec::new();
    while clients.len() < 4 {
        assert!(Instant::now() < end, "there is no place for four checks");
        let mut stream = server.connect();
        stream.write_all(server.request("POST", "/api/check", &body).as_bytes()).expect("sent");
        let mut head = [0; 12];
        stream.read_exact(&mut head).expect("answered");
        if &head == b"HTTP/1.1 200" {
            clients.push(stream);
        }
    }
    assert_eq!(server.ask("POST", "/api/check", &body).0, 429, "four computations are the limit");
    let left = Instant::now();
    drop(clients);
    let mut before = u64::MAX;
    while server.ticks() != before {
        assert!(Instant::now() < end, "a computation goes on for nobody");
        before = server.ticks();
        std::thread::sleep(Duration::from_millis(500));
    }
    let (status, _) = server.ask("POST", "/api/diagnose", &json!({ "name": "m.pml", "text": COUNTER }).to_string());
    assert_eq!(status, 200, "the places are free");
    println!("four checks without end stopped when their clients left ({:.1} s)", left.elapsed().as_secs_f64());
}
