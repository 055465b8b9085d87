//! Drives Chromium over the DevTools protocol, through a pair of pipes: requests and answers are JSON that ends with a zero
//! byte. Nothing is loaded from the network.
//!
//! *Bounds.* A thread reads the answers, so that no call waits longer than `LONGEST_CALL` and no condition longer than
//! `LONGEST_WAIT`. A call whose answer is lost because the page changes under it fails alone; conditions are asked again.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer of the browser may take.
const LONGEST_CALL: Duration = Duration::from_secs(20);
/// How long a condition in the page may take to become true.
const LONGEST_WAIT: Duration = Duration::from_secs(40);
/// How long the answer to one look at a condition may take before it counts as lost.
const LONGEST_LOOK: Duration = Duration::from_secs(5);

/// The names under which Chromium is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with one page.
pub struct Browser {
    child: Child,
    requests: File,
    answers: Receiver<Value>,
    session: String,
    next: u64,
    /// What the page asked in dialogs; each was accepted.
    pub dialogs: Vec<String>,
}

/// The command of an installed Chromium.
#[must_use]
pub fn installed() -> Option<&'static str> {
    let is_there = |name: &&&str| {
        let silent = Stdio::null;
        Command::new(name)
            .arg("--version")
            .stdout(silent())
            .stderr(silent())
            .status()
            .is_ok_and(|status| status.success())
    };
    NAMES.iter().find(is_there).copied()
}

impl Browser {
    /// Starts a browser whose files are in a folder.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn start(command: &str, folder: &Path) -> Self {
        let [to, from] = ["to", "from"].map(|name| folder.join(name));
        for pipe in [&to, &from] {
            assert!(Command::new("mkfifo").arg(pipe).status().expect("mkfifo runs").success(), "a pipe");
        }
        let options = "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update \
                       --disable-sync --disable-quic --no-first-run --remote-debugging-pipe --window-size=1400,1000";
        let script =
            format!("exec {command} {options} --user-data-dir=\"$1\" about:blank 3<\"$2\" 4>\"$3\" 2>/dev/null");
        let child = Command::new("sh")
            .args(["-c", &script, "browser"])
            .args([&folder.join("profile"), &to, &from])
            .stdout(Stdio::null())
            .spawn()
            .expect("the browser starts");
        // Both ends wait for each other in this order.
        let requests = File::options().write(true).open(to).expect("the pipe to the browser");
        let answers = listen(File::open(from).expect("the pipe from the browser"));
        let mut browser = Self { child, requests, answers, session: String::new(), next: 0, dialogs: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let id = target["targetId"].as_str().expect("a page").to_owned();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": id, "flatten": true }));
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        browser.call("Page.enable", json!({}));
        browser
    }

    /// Calls a method of the protocol.
    ///
    /// # Panics
    /// If the browser refuses it, does not answer in time, or is gone.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.ask(method, parameters.clone(), LONGEST_CALL);
        let answer = answer.unwrap_or_else(|| panic!("no answer in time: {method} {parameters}"));
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer to a call, if it comes in time.
    fn ask(&mut self, method: &str, parameters: Value, patience: Duration) -> Option<Value> {
        let number = self.send(method, parameters);
        let end = Instant::now() + patience;
        loop {
            let answer = self.answers.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
            if answer["id"] == number {
                return Some(answer);
            }
            // A page that asks whether to leave it waits for an answer, and all calls wait with it.
            if answer["method"] == "Page.javascriptDialogOpening" {
                self.dialogs.push(answer["params"]["message"].as_str().unwrap_or_default().to_owned());
                self.send("Page.handleJavaScriptDialog", json!({ "accept": true }));
            }
        }
    }

    fn send(&mut self, method: &str, parameters: Value) -> u64 {
        self.next += 1;
        let mut request = json!({ "id": self.next, "method": method, "params": parameters });
        if !self.session.is_empty() {
            request["sessionId"] = self.session.clone().into();
        }
        self.requests.write_all(request.to_string().as_bytes()).expect("the browser listens");
        self.requests.write_all(&[0]).expect("the browser listens");
        self.next
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        // The answer comes before the change. A second navigation before it would be dropped, and its call never answered.
        self.wait("document.readyState === 'complete' && location.href === 'about:blank'");
        self.call("Page.navigate", json!({ "url": address }));
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// Loads the address of the page again, from nothing. (A reload in place may lose the answer to a call.)
    pub fn reload(&mut self) {
        let address = self.evaluate("location.href");
        self.open(address.as_str().unwrap_or_default());
    }

    /// The value of an expression in the page.
    ///
    /// # Panics
    /// If it throws.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    ///
    /// # Panics
    /// If it is not in time.
    pub fn wait(&mut self, condition: &str) {
        let end = Instant::now() + LONGEST_WAIT;
        let look = json!({ "expression": condition, "returnByValue": true });
        // While one page replaces another there is nothing to evaluate in: that is an error or no answer at all.
        while self
            .ask("Runtime.evaluate", look.clone(), LONGEST_LOOK)
            .is_none_or(|answer| answer["result"]["result"]["value"] != true)
        {
            assert!(
                Instant::now() < end,
                "in vain: {condition}\n{}",
                self.evaluate("location.href + '\\n' + document.body.innerText.slice(0, 3000)")
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "code": key }));
        }
    }

    /// Chooses dark or light.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Writes a picture of the page.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn screenshot(&mut self, path: &Path, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let data = answer["data"].as_str().expect("a picture");
        let mut decode = Command::new("base64")
            .arg("-d")
            .stdin(Stdio::piped())
            .stdout(File::create(path).expect("a file"))
            .spawn()
            .expect("base64 runs");
        decode.stdin.take().expect("a pipe").write_all(data.as_bytes()).expect("written");
        decode.wait().expect("base64 ends");
    }
}

/// Reads answers and events until the browser is gone.
fn listen(pipe: File) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while pipe.read_until(0, &mut bytes).is_ok_and(|length| length > 0) {
            bytes.pop();
            let answer = serde_json::from_slice(&bytes).expect("the browser answers in JSON");
            if sender.send(answer).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    receiver
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
