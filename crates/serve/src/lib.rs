//! A web page on this computer alone: edit, check, simulate, draw.
//!
//! Modules in reading order: [`guard`] (who is answered), [`folder`] (which files are reachable), `server` (connections and
//! routes), `patience` (readers who do not read), `work` (checks that run, and how they are stopped), then one module for each view: `check`, `simulate`, `graph`,
//! `formula`, `bench`. The page itself is `app.js` and `app.css`, with the script and the style of reports.
//!
//! *Limits.* At most [`CONNECTIONS`] connections at a time, each with [`READING`] for its headers and its body; bodies of at most
//! [`LONGEST_BODY`] bytes; at most [`CHECKS`] computations at a time, each of which ends when nobody waits for it any more,
//! or when the one who does takes nothing for [`UNREAD`].

mod bench;
mod check;
pub mod folder;
mod formula;
mod graph;
pub mod guard;
mod patience;
mod server;
mod simulate;
mod work;

use folder::Folder;
use std::net::SocketAddr;
use std::time::Duration;

pub use server::{Running, start};

/// Connections at a time; further ones wait.
pub const CONNECTIONS: usize = 128;
/// Computations at a time; further ones are refused.
pub const CHECKS: usize = 4;
/// The longest body of a request, in bytes.
pub const LONGEST_BODY: usize = 2 << 20;
/// How long the headers or the body of a request may take.
pub const READING: Duration = Duration::from_secs(15);

/// How long a client may leave an answer unread.
pub const UNREAD: Duration = Duration::from_secs(20);

/// What is served.
#[derive(Debug)]
pub struct Options {
    /// The folder whose models are shown.
    pub folder: Folder,
    /// The model that the page shows first, by its name in the folder.
    pub model: Option<String>,
    /// The port; 0 for a free one.
    pub port: u16,
    /// The secret that every request must know.
    pub token: String,
    /// The time that one computation may take.
    pub time_limit: Duration,
    /// The memory that one computation may take, in bytes.
    pub memory_limit: u64,
}

/// The address of the page, token included.
#[must_use]
pub fn url(address: SocketAddr, token: &str, model: Option<&str>) -> String {
    let route = model.map_or_else(String::new, |model| format!("#/edit/{}", percent(model)));
    format!("http://{address}/?token={token}{route}")
}

/// A name as a part of an address.
fn percent(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    name.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
