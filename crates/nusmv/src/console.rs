//! The three streams of a session.
//!
//! Output can be captured, for commands with an option `-o`: what they print then goes into a file.

use std::io::{BufRead, Write};

/// The streams. Errors of writing are the caller's to notice: a shell goes on without a reader.
pub struct Console<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    errors: &'a mut dyn Write,
    captured: Option<String>,
}

impl<'a> Console<'a> {
    /// A console on these streams.
    pub fn new(input: &'a mut dyn BufRead, output: &'a mut dyn Write, errors: &'a mut dyn Write) -> Self {
        Self { input, output, errors, captured: None }
    }

    /// Prints on standard output, or into what is being captured.
    pub fn print(&mut self, text: &str) {
        match &mut self.captured {
            Some(captured) => captured.push_str(text),
            None => {
                let _ = self.output.write_all(text.as_bytes());
            }
        }
    }

    /// Prints on standard error.
    pub fn error(&mut self, text: &str) {
        let _ = self.output.flush();
        let _ = self.errors.write_all(text.as_bytes());
    }

    /// The next line of standard input without its end; none at the end of the input. Bytes that are no text are replaced.
    pub fn line(&mut self) -> Option<String> {
        let _ = self.output.flush();
        let mut bytes = Vec::new();
        match self.input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => None,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                Some(line.trim_end_matches(['\n', '\r']).to_owned())
            }
        }
    }

    /// Begins to capture what is printed.
    pub fn capture(&mut self) {
        self.captured = Some(String::new());
    }

    /// Ends capturing; what was printed meanwhile.
    pub fn captured(&mut self) -> String {
        self.captured.take().unwrap_or_default()
    }
}

impl std::fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Console").finish_non_exhaustive()
    }
}
