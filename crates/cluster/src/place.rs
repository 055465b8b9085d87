//! Which process of a cluster this is, which others there are, and how it tells its user about them.

use checker::{Error, Report};
use search::team::Folder;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

/// The most processes of a cluster.
pub const MOST_PROCESSES: usize = 1000;

/// The addresses of all processes, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    addresses: Vec<String>,
}

impl Hosts {
    /// Reads a list: one address a line, as `host:port`; blank lines and lines that begin with `#` are ignored.
    ///
    /// ```
    /// let hosts = cluster::Hosts::parse("# two machines\none.example:4700\n10.0.0.2:4700\n").unwrap();
    /// assert_eq!(hosts.len(), 2);
    /// assert_eq!(hosts.name(1), "process 1 at 10.0.0.2:4700");
    /// assert!(cluster::Hosts::parse("one.example").is_err());
    /// ```
    ///
    /// # Errors
    /// What is wrong with the list, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut addresses: Vec<String> = Vec::new();
        let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let port = line.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
            if !matches!(port, Some(Ok(port)) if port > 0) {
                return Err(format!("line {number}: `{line}` is not an address such as `machine.example:4700`"));
            }
            if addresses.iter().any(|other| other == line) {
                return Err(format!("line {number}: `{line}` is listed twice"));
            }
            addresses.push(line.into());
        }
        match addresses.len() {
            0 => Err("it lists no address".into()),
            count if count > MOST_PROCESSES => Err(format!("it lists more than {MOST_PROCESSES} addresses")),
            _ => Ok(Self { addresses }),
        }
    }

    /// How many processes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Never true: a list has an address.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// A process by number and address, for messages.
    #[must_use]
    pub fn name(&self, index: usize) -> String {
        format!("process {index} at {}", self.addresses[index])
    }

    /// The addresses that the name of a process stands for.
    pub(crate) fn resolve(&self, index: usize) -> std::io::Result<Vec<SocketAddr>> {
        Ok(self.addresses[index].to_socket_addrs()?.collect())
    }
}

/// The place of this process in its cluster.
#[derive(Clone, Debug)]
pub struct Place {
    /// All processes.
    pub hosts: Hosts,
    /// The number of this one.
    pub index: usize,
    /// The workers of each process.
    pub workers: usize,
    /// What only the processes of this cluster know.
    pub secret: Vec<u8>,
    /// How long to wait for the others.
    pub wait: Duration,
    /// The bytes of the stack of each worker.
    pub stack: usize,
}

/// Why a cluster cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It did not come together: a process is missing, or has another secret, version, model or options.
    Incomplete(String),
    /// A process was lost during the check.
    Lost(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Incomplete(words) | Failure::Lost(words)) = self;
        f.write_str(words)
    }
}

/// The front end of a process.
pub trait Front: Send + Sync {
    /// Shows a message, such as that somebody was refused.
    fn log(&self, message: &str);

    /// Where searches are saved, if they are.
    fn folder(&self) -> Option<Arc<dyn Folder>> {
        None
    }

    /// The exit code for a report of process 0, with which the other processes end, too.
    fn exit_code(&self, report: &Result<Report, Error>) -> u8;

    /// Tells the user why the cluster cannot go on, and ends this process: the workers may never return.
    fn fail(&self, failure: &Failure) -> !;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_lists_are_refused() {
        for (text, words) in [
            ("", "no address"),
            ("# nobody\n\n", "no address"),
            ("a:1\nb\n", "line 2: `b`"),
            ("a:0", "`a:0` is not an address"),
            (":4700", "is not an address"),
            ("a:70000", "is not an address"),
            ("a:1\n\na:1", "line 3: `a:1` is listed twice"),
        ] {
            let error = Hosts::parse(text).expect_err(text);
            assert!(error.contains(words), "{text:?}: {error}");
        }
        let many: String = (0..=MOST_PROCESSES).map(|number| format!("h{number}:1\n")).collect();
        assert!(Hosts::parse(&many).is_err());
        assert_eq!(Hosts::parse("[::1]:4700\n").map(|hosts| hosts.len()), Ok(1));
    }
}
