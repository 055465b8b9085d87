//! `lariat check --hosts`: this process is one of several that check together.

use super::{exit, exit_of_error};
use crate::arguments::{Check, Limits};
use crate::checkpoint::PartsFolder;
use crate::exit::{Exit, Failure};
use crate::input::reason;
use crate::output::eprint;
use crate::thresholds::input::STACK;
use crate::thresholds::time::CLUSTER_GRACE;
use crate::view::count;
use checker::{Error, Model, Observer, Options, Report, Selection};
use cluster::{Ended, Folder, Front, Hosts, Place};
use kernel::budget::Budget;
use kernel::escape::escaped;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The variable with the secret.
pub(crate) const SECRET: &str = "LARIAT_SECRET";
/// A shorter secret could be guessed.
const SHORTEST_SECRET: usize = 16;

/// The place of this process among those that check together.
pub(super) struct Member {
    place: Place,
    is_verbose: bool,
}

impl Member {
    /// The place that the command line gives to this process; none if it checks alone.
    pub(super) fn of(arguments: &Check, budget: &Budget) -> Result<Option<Self>, Failure> {
        let given = &arguments.cluster;
        let (Some(path), Some(index)) = (&given.hosts, given.index) else { return Ok(None) };
        if arguments.model.is_smv() {
            return Err(Failure::usage("several processes check Promela models only; check SMV models on one machine"));
        }
        if !arguments.more.is_empty() || Path::new(&arguments.model.model).is_dir() {
            return Err(Failure::usage("several processes check one model at a time"));
        }
        let hosts = Hosts::parse(&read(path)?)
            .map_err(|error| Failure::usage(format!("the list of hosts `{}`: {error}", path.display())))?;
        if index >= hosts.len() {
            let known = count(hosts.len() as u64, "host");
            return Err(Failure::usage(format!(
                "`--index {index}`: `{}` lists {known}, numbered from 0",
                path.display()
            )));
        }
        let secret = match &given.secret {
            Some(path) => read(path)?.trim().to_owned(),
            None => std::env::var(SECRET).unwrap_or_default(),
        };
        if hosts.len() > 1 && secret.len() < SHORTEST_SECRET {
            return Err(Failure::usage(format!(
                "the processes of a cluster need a common secret of at least {SHORTEST_SECRET} characters: set {SECRET} \
                 or use `--secret FILE`"
            )));
        }
        if given.with_parent {
            watch_parent(budget.cancel_switch());
        }
        let (workers, wait) = (arguments.promela.workers(), given.wait);
        let place = Place { hosts, index, workers, secret: secret.into_bytes(), wait, stack: STACK };
        Ok(Some(Self { place, is_verbose: arguments.is_verbose() }))
    }

    /// True if another process prints the report.
    pub(super) fn is_silent(&self) -> bool {
        self.place.index != 0
    }

    /// Checks together with the other processes.
    pub(super) fn check(
        &self,
        folder: Option<Arc<PartsFolder>>,
        model: &Model,
        selection: &Selection,
        options: &Options,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Ended, Failure> {
        let screen = Arc::new(Screen { folder });
        let checked = cluster::check(&self.place, screen, model, selection, options, budget, observer);
        let checked = checked.map_err(|failure| Failure::usage(failure.to_string()))?;
        if self.is_verbose && !self.is_silent() {
            let (packets, bytes) = (checked.traffic.packets, checked.traffic.bytes);
            eprint(&format!("note: the workers sent each other {} with {bytes} bytes\n", count(packets, "packet")));
            let (slowest, waited) = (checked.traffic.slowest, checked.traffic.waited.as_secs_f64());
            let process = slowest / self.place.workers;
            eprint(&format!(
                "note: worker {slowest}, in process {process}, was the slowest: it waited {waited:.1} s for others\n"
            ));
        }
        Ok(checked.ended)
    }
}

/// The limits at which a watchdog ends a process of a cluster: the processes have to agree that a limit is reached.
pub(super) fn watched_limits(limits: &Limits) -> Limits {
    Limits { time_limit: limits.time_limit.map(|time| time + CLUSTER_GRACE), ..*limits }
}

fn read(path: &Path) -> Result<String, Failure> {
    let cannot =
        |error: std::io::Error| Failure::usage(format!("cannot read `{}`: {}", path.display(), reason(&error)));
    std::fs::read_to_string(path).map_err(cannot)
}

/// Stops the check at the first byte on standard input, and ends this process at its end: whoever started it is gone.
fn watch_parent(switch: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let mut byte = [0];
        while matches!(std::io::stdin().read(&mut byte), Ok(1)) {
            switch.store(true, Ordering::Relaxed);
        }
        #[expect(clippy::exit, reason = "nobody waits for this process")]
        std::process::exit(Exit::Bug as i32);
    });
}

/// Messages of the cluster, on standard error.
struct Screen {
    folder: Option<Arc<PartsFolder>>,
}

impl Front for Screen {
    fn log(&self, message: &str) {
        eprint(&format!("note: {}\n", escaped(message)));
    }

    fn folder(&self) -> Option<Arc<dyn Folder>> {
        self.folder.clone().map(|folder| folder as Arc<dyn Folder>)
    }

    fn exit_code(&self, report: &Result<Report, Error>) -> u8 {
        match self.folder.as_ref().and_then(|folder| folder.refusal()) {
            Some(_) => Exit::Usage as u8,
            None => report.as_ref().map_or_else(exit_of_error, exit) as u8,
        }
    }

    fn fail(&self, failure: &cluster::Failure) -> ! {
        eprint(&format!("error: {}\n", escaped(&failure.to_string())));
        std::process::exit(Exit::Bug as i32);
    }
}
