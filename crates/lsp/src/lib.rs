//! A language server for Promela and SMV.
//!
//! Modules in reading order: [`document`] (texts that change), [`index`](mod@index) (names and their uses), `state` (what is open), `included` (texts that belong together),
//! `server` (messages), then what is asked: `findings` (diagnostics and quick fixes), `navigate` (hover, definition, references,
//! outline), `rename`, `complete`, `layout` (formatting), `lens` (properties and their verdicts).
//!
//! *Threads.* Messages are handled on one thread, in order; what they need there takes time linear in the text. Whatever reads a
//! text as a model, or checks one, runs on a thread of its own, within a budget, and is abandoned when the text changes, when the
//! client cancels the request, or when the server ends.
//!
//! Contract: no text and no message ends the server; what cannot be answered gets an error. Tested by the client in
//! `tests/client.rs`, and on a corpus by the program `language-server` in `benches`.

mod complete;
pub mod document;
mod findings;
mod included;
pub mod index;
mod layout;
mod lens;
mod navigate;
mod rename;
mod server;
mod state;

pub use server::serve;

use std::time::Duration;

/// What the server may use.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The time that the check of one property may take.
    pub time_limit: Duration,
    /// The memory that the check of one property may take, in bytes.
    pub memory_limit: u64,
}

/// Serves standard input and output until the client says `exit`.
///
/// # Errors
/// Why the connection ended early.
pub fn serve_standard_streams(options: Options) -> Result<(), String> {
    let (connection, threads) = lsp_server::Connection::stdio();
    let served = serve(connection, options);
    threads.join().map_err(|error| error.to_string())?;
    served
}
