//! The check, in one process of a cluster: connect, start the workers, let each check, and part.

use crate::broken::{guarded, keep_panics};
use crate::connect::connect;
use crate::control::Control;
use crate::exchange::TimelyExchange;
use crate::handshake::Agreement;
use crate::place::{Failure, Front, Place};
use checker::options::PromelaOptions;
use checker::{Error, Model, Observer, Options, Report, Selection, dismiss, follow, lead};
use kernel::budget::Budget;
use search::team::message::{Reader, put_numbers};
use search::team::{Exchange, Folder, LEADER, PACKETS};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::initialize::Hooks;
use timely::worker::Worker;

/// What a cluster found, and what it sent.
#[derive(Debug)]
pub struct Checked {
    /// How the check ended.
    pub ended: Ended,
    /// What all workers sent to others.
    pub traffic: Traffic,
}

/// How a check ended.
#[derive(Debug)]
pub enum Ended {
    /// In process 0: the report, or why there is none.
    Led(Box<Result<Report, Error>>),
    /// In the others: the exit code of process 0.
    Followed(u8),
}

/// What workers sent to other workers, in the same process or in another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many packets.
    pub packets: u64,
    /// How many bytes they held.
    pub bytes: u64,
    /// The worker that waited least for others.
    pub slowest: usize,
    /// How long it waited.
    pub waited: Duration,
}

/// What is checked.
struct Job<'a> {
    model: &'a Model,
    wanted: &'a Selection,
    options: &'a Options,
    budget: Budget,
    control: Control,
    folder: Option<Arc<dyn Folder>>,
}

/// Checks properties of a model as one of several processes, which all make this call.
///
/// The limit on memory is for this process; each of its workers gets an equal share. Where the front end has a folder, searches are
/// saved there and continued from there; all processes have one, or none has.
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
    let folder = front.folder();
    let control = Control::new(&place.hosts, place.index, front);
    let mut agreed = agreement(place, model, wanted, options, budget);
    let saved = folder.as_ref().map(|folder| folder.continues());
    agreed.options = Sha256::digest(format!("{:?} {saved:?}", agreed.options)).into();
    let sockets = connect(place, agreed, &control).inspect_err(|failure| control.abort(&failure.to_string()))?;
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(place.workers, hooks.refill.clone(), hooks.spill.clone());
    let connected = initialize_networking_from_sockets(local, sockets, place.index, place.workers, hooks);
    let (builders, threads) = connected.map_err(|error| Failure::Incomplete(error.to_string()))?;
    let mut budget = budget.clone();
    budget.memory = budget.memory.map(|memory| memory / place.workers as u64);
    let job = Job { model, wanted, options, budget, control, folder };
    let checked = std::thread::scope(|scope| {
        let mut builders = builders.into_iter();
        let first = builders.next().expect("a process has a worker");
        for builder in builders {
            let thread = std::thread::Builder::new().name("worker".into()).stack_size(place.stack);
            let job = &job;
            // The first worker of a process says how the check ended.
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
    // Workers are compared by their number; how many cores a machine has does not matter.
    let promela = PromelaOptions { threads: place.workers, ..options.promela.clone() };
    let options = format!("{wanted:?} {promela:?} {:?} {}", budget.depth, cfg!(target_endian = "big"));
    Agreement {
        version: format!("{} (packets {PACKETS})", env!("CARGO_PKG_VERSION")),
        processes: number(place.hosts.len()),
        workers: number(place.workers),
        model: Sha256::digest(format!("{} {:?} {:?}", summary.sha256, summary.defines, summary.undefines)).into(),
        options: Sha256::digest(options).into(),
    }
}

/// The check of one worker.
fn work(builder: TcpBuilder, job: &Job<'_>, observer: &mut dyn Observer) -> Checked {
    let worker = Worker::new(WorkerConfig::default(), Allocator::Tcp(builder.build()), Some(Instant::now()));
    let exchange = RefCell::new(TimelyExchange::new(worker, job.folder.clone()));
    let Job { model, wanted, options, budget, control, .. } = job;
    let is_leader = exchange.borrow().index() == LEADER;
    let ended = if is_leader {
        let report = lead(model, wanted, options, budget, observer, &exchange);
        dismiss(&exchange, control.front.exit_code(&report));
        Ended::Led(Box::new(report))
    } else {
        Ended::Followed(follow(model, wanted, options, budget, &exchange))
    };
    let mut exchange = exchange.into_inner();
    let waited = u64::try_from(exchange.waited.as_micros()).unwrap_or(u64::MAX);
    let mut message = Vec::new();
    put_numbers(&mut message, &[exchange.sent.packets, exchange.sent.bytes, waited]);
    let mut traffic = Traffic { waited: Duration::MAX, ..Traffic::default() };
    for (worker, message) in exchange.gather(&message).iter().enumerate() {
        let mut reader = Reader { rest: message };
        traffic.packets += reader.number();
        traffic.bytes += reader.number();
        let waited = Duration::from_micros(reader.number());
        if waited < traffic.waited {
            (traffic.slowest, traffic.waited) = (worker, waited);
        }
    }
    exchange.finish();
    Checked { ended, traffic }
}
