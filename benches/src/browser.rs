//! Drives Chromium over the DevTools protocol, through a pair of pipes: requests and answers are JSON that ends with a zero
//! byte. Nothing is loaded from the network.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The names under which Chromium is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with one page.
pub struct Browser {
    child: Child,
    requests: File,
    answers: BufReader<File>,
    session: String,
    next: u64,
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
                       --disable-sync --no-first-run --remote-debugging-pipe --window-size=1400,1000";
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
        let answers = BufReader::new(File::open(from).expect("the pipe from the browser"));
        let mut browser = Self { child, requests, answers, session: String::new(), next: 0 };
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
    /// If the browser refuses it or is gone.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut request = json!({ "id": self.next, "method": method, "params": parameters });
        if !self.session.is_empty() {
            request["sessionId"] = self.session.clone().into();
        }
        self.requests.write_all(request.to_string().as_bytes()).expect("the browser listens");
        self.requests.write_all(&[0]).expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            self.answers.read_until(0, &mut bytes).expect("the browser answers");
            bytes.pop();
            let answer: Value = serde_json::from_slice(&bytes).expect("the browser answers in JSON");
            if answer["id"] == self.next {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": "about:blank" }));
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
    /// If it is not within a minute.
    pub fn wait(&mut self, condition: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.evaluate(condition) != true {
            assert!(
                Instant::now() < end,
                "in vain: {condition}\n{}",
                self.evaluate("document.body.innerText.slice(0, 3000)")
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

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
