//! A folder for one test, and the real binary run in it.

#[allow(dead_code, reason = "not every test is about SMV")]
pub(crate) mod smv;

use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A trace file after an edit, with the hash that Lariat would write: whoever forges a trace can compute it, too.
#[allow(dead_code, reason = "not every test forges traces")]
pub(crate) fn rehashed(trace: &str) -> String {
    let body = &trace[..trace.rfind("\"sha256\": \"").expect("a trace file")];
    let hash: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}\"sha256\": \"{hash}\"\n}}\n")
}

/// A folder of its own for one test, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Makes it; the name must differ from those of other tests of the same file.
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lariat-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Writes a file into it.
    #[allow(dead_code, reason = "not every test writes files")]
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file for the test");
        path
    }

    /// Reads a file of it.
    #[allow(dead_code, reason = "not every test reads files")]
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file of the test")
    }

    /// Runs the tool.
    pub(crate) fn lariat(&self, arguments: &[&str], input: &(impl AsRef<[u8]> + ?Sized)) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lariat starts");
        // A command that does not read its input may be gone already.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_ref());
        child.wait_with_output().expect("lariat ends")
    }

    /// Runs the tool, looks at its exit code, and gives its output.
    #[track_caller]
    pub(crate) fn expect(&self, arguments: &[&str], code: i32) -> String {
        let output = self.lariat(arguments, "");
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(output.status.code(), Some(code), "lariat {arguments:?}\n{out}\n{err}");
        out
    }

    /// Runs the tool, looks at its exit code, and reads its output as JSON.
    #[allow(dead_code, reason = "not every test reads JSON")]
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str], code: i32) -> serde_json::Value {
        serde_json::from_str(&self.expect(arguments, code)).expect("JSON on standard output")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Waits until a search of a process has begun, which its memory shows, where the system tells it; or until the process has
/// ended.
#[allow(dead_code, reason = "not every test interrupts a search")]
pub(crate) fn wait_for_search(pid: u32) {
    let path = format!("/proc/{pid}/status");
    while let Ok(status) = std::fs::read_to_string(&path) {
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB"));
        if resident.is_none_or(|size| size.trim().parse::<u64>().is_ok_and(|size| size > 100_000)) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
