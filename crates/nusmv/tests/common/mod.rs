//! Sessions in a folder of their own.

#![allow(dead_code, reason = "each test file uses a part of this")]

use kernel::budget::Budget;
use nusmv::console::Console;
use std::sync::Mutex;
use tempfile::TempDir;

/// Sessions name files relative to the current folder, which a process has once.
static CURRENT_FOLDER: Mutex<()> = Mutex::new(());

/// What a session came to.
pub(crate) struct Session {
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) errors: String,
    /// The exit code.
    pub(crate) exit: u8,
}

impl Session {
    /// Standard output without the banner and its four empty lines.
    pub(crate) fn printed(&self) -> String {
        let mut rest = self.output.as_str();
        let mut empty = 0;
        while empty < 4 {
            let Some((line, after)) = rest.split_once('\n') else { break };
            empty += usize::from(line.is_empty());
            rest = after;
        }
        rest.to_owned()
    }
}

/// A folder with files.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a writable folder");
        }
        Self(folder)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).expect("the session wrote the file")
    }

    /// A session with these commands typed.
    pub(crate) fn interactive(&self, model: &str, typed: &str) -> Session {
        self.run(&["-int", model], typed)
    }

    /// A session with this command line and standard input.
    pub(crate) fn run(&self, arguments: &[&str], typed: &str) -> Session {
        self.with_budget(arguments, typed, &Budget::unlimited())
    }

    /// A session that is ended after some checks of its budget.
    pub(crate) fn limited(&self, arguments: &[&str], typed: &str, checks: u64) -> Session {
        self.with_budget(arguments, typed, &Budget::unlimited().within_checks(checks))
    }

    fn with_budget(&self, arguments: &[&str], typed: &str, budget: &Budget) -> Session {
        let guard = CURRENT_FOLDER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        std::env::set_current_dir(self.0.path()).expect("the folder exists");
        let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let mut input = typed.as_bytes();
        let exit = nusmv::run(&arguments, Console::new(&mut input, &mut output, &mut errors), budget);
        drop(guard);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("sessions print text");
        Session { output: text(output), errors: text(errors), exit }
    }
}
