//! The check, in one process of a cluster: connect, start the workers, let each check, and part.

use crate::broken::{guarded, keep_panics};
use crate::connect::connect;
use crate::control::Control;
use crate::crew::Crew;
use crate::handshake::Agreement;
use crate::place::{Failure, Front, Place};
use checker::{Error, Model, Observer, Options, Report, Selection, check_spread};
use kernel::budget::Budget;
use search::explore::spread::Exchange;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::initialize::Hooks;
use timely::worker::Worker;

/// What a cluster found, and what it sent.
#[derive(Debug)]
pub struct Checked {
    /// The report, or why there is none. It is the same in all processes, apart from times.
    pub report: Result<Report, Error>,
    /// What all workers sent to others.
    pub traffic: Traffic,
}

/// What workers sent to other workers, in the same process or in another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many packets.
    pub packets: u64,
    /// How many bytes they held.
    pub bytes: u64,
}

/// What is checked.
struct Job<'a> {
    model: &'a Model,
    wanted: &'a Selection,
    options: &'a Options,
    budget: Budget,
    control: Control,
}

/// Checks properties of a model as one of several processes, which all make this call.
///
/// The limit on memory is for this process; each of its workers gets an equal share.
///
/// # Errors
/// Why the cluster did not come together. If it comes apart later, [`Front::fail`] is called and this function does not
/// return.
pub fn check(
    place: &Place,
    front: Arc<dyn Front>,
    model: &Model,
    wanted: &Selection,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Checked, Failure> {
    keep_panics();
    let control = Control::new(&place.hosts, place.index, front);
    let sockets = connect(place, agreement(place, model, wanted, options, budget), &control)
        .inspect_err(|failure| control.abort(&failure.to_string()))?;
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(place.workers, hooks.refill.clone(), hooks.spill.clone());
    let connected = initialize_networking_from_sockets(local, sockets, place.index, place.workers, hooks);
    let (builders, threads) = connected.map_err(|error| Failure::Incomplete(error.to_string()))?;
    let mut budget = budget.clone();
    budget.memory = budget.memory.map(|memory| memory / place.workers as u64);
    let job = Job { model, wanted, options, budget, control };
    let checked = std::thread::scope(|scope| {
        let mut builders = builders.into_iter();
        let first = builders.next().expect("a process has a worker");
        for builder in builders {
            let thread = std::thread::Builder::new().name("worker".into()).stack_size(place.stack);
            let job = &job;
            // All workers have the same report.
            let work = move || drop(guarded(&job.control, || work(builder, job, &mut ())));
            thread.spawn_scoped(scope, work).expect("a process can start a thread");
        }
        guarded(&job.control, || work(first, &job, observer))
    });
    // They end when all processes are done.
    guarded(&job.control, || drop(threads));
    job.control.finish();
    Ok(checked)
}

/// What all processes must agree on.
fn agreement(place: &Place, model: &Model, wanted: &Selection, options: &Options, budget: &Budget) -> Agreement {
    let number = |number: usize| u16::try_from(number).expect("there are few processes and workers");
    let summary = model.summary();
    let options = format!("{wanted:?} {:?} {:?} {}", options.promela, budget.depth, cfg!(target_endian = "big"));
    Agreement {
        version: env!("CARGO_PKG_VERSION").into(),
        processes: number(place.hosts.len()),
        workers: number(place.workers),
        model: Sha256::digest(format!("{} {:?} {:?}", summary.sha256, summary.defines, summary.undefines)).into(),
        options: Sha256::digest(options).into(),
    }
}

/// The check of one worker.
fn work(builder: TcpBuilder, job: &Job<'_>, observer: &mut dyn Observer) -> Checked {
    let worker = Worker::new(WorkerConfig::default(), Allocator::Tcp(builder.build()), Some(Instant::now()));
    let crew = RefCell::new(Crew::new(worker));
    let report = check_spread(job.model, job.wanted, job.options, &job.budget, observer, &crew);
    let mut crew = crew.into_inner();
    let sent = [crew.sent.packets.to_le_bytes(), crew.sent.bytes.to_le_bytes()].concat();
    let mut traffic = Traffic::default();
    for sent in crew.gather(&sent) {
        let number = |at: usize| u64::from_le_bytes(sent[at..at + 8].try_into().expect("eight bytes"));
        traffic.packets += number(0);
        traffic.bytes += number(8);
    }
    crew.finish();
    Checked { report, traffic }
}
