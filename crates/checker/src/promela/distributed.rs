//! A check by several workers that share no memory.
//!
//! One worker leads. It runs the check as it would alone; where a search is to be made by all, it announces a [`Job`]: which
//! property it is about, how the model is reduced, and the automaton. The others make the same system from that ([`follow`]) and
//! follow the orders of the search ([`search::team`]). They decide nothing, so that they cannot disagree.

use super::Context;
use super::binding::{self, Bound, BoundAtoms, ModelProduct};
use super::events::Watched;
use super::property::{Content, Temporal};
use super::reduction;
use super::safety::identity;
use super::selection::Selection;
use super::trimming::{Purpose, trimmed};
use crate::error::Error;
use crate::options::{Fairness, PromelaOptions};
use kernel::budget::Exhausted;
use kernel::system::System;
use omega::automaton::Automaton;
use promela::compiled::{Model, ModelStep};
use promela::reduce::{Reduced, Scratch};
use promela::typed::Expr;
use search::check::follow_safety;
use search::explore::Occurrence;
use search::fairness::Fair;
use search::product::Property;
use search::store::Store;
use search::team::message::{Reader, limit_of, number_of, put_numbers};
use search::team::{Exchange, LEADER, Member, Notes, Noticed, Orders};
use search::temporal;
use sha2::{Digest, Sha256};
use std::cell::RefCell;

/// What explorers of a model note, as bytes.
pub(super) struct NotesOfModel;

impl<M: System<Scratch = Scratch>> Notes<M> for NotesOfModel {
    fn write(&self, scratch: &Scratch) -> Vec<u8> {
        scratch.notes()
    }

    fn add(&self, scratch: &mut Scratch, notes: &[u8]) {
        scratch.add_notes(notes);
    }
}

/// The same, and whether a run-time error was met.
pub(super) struct NotesOfEvents<'a>(pub(super) &'a Bound<'a>);

impl<M: System<Scratch = Scratch>> Notes<M> for NotesOfEvents<'_> {
    fn write(&self, scratch: &Scratch) -> Vec<u8> {
        let mut notes = scratch.notes();
        notes.push(u8::from(self.0.is_broken()));
        notes
    }

    fn add(&self, scratch: &mut Scratch, notes: &[u8]) {
        if let Some((is_broken, notes)) = notes.split_last() {
            self.0.recall(*is_broken != 0);
            scratch.add_notes(notes);
        }
    }
}

/// What explorers of a product notice.
struct NoticedByProduct<'a> {
    bound: &'a Bound<'a>,
    atoms: &'a BoundAtoms<'a>,
}

impl Noticed for NoticedByProduct<'_> {
    fn write(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.bound.is_broken()) | u8::from(self.bound.is_crowded()) << 1];
        put_numbers(&mut bytes, &[self.atoms.failed().map_or(u64::MAX, |index| index as u64)]);
        bytes
    }

    fn add(&self, noticed: &[u8]) {
        let mut reader = Reader { rest: noticed };
        let flags = reader.bytes(1)[0];
        self.bound.recall(flags & 1 == 1);
        self.bound.recall_crowd(flags & 2 == 2);
        self.atoms.recall(usize::try_from(reader.number()).unwrap_or(usize::MAX));
    }
}

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Violations of safety.
    Safety,
    /// Violations of an assertion about events.
    Events,
    /// Runs that an automaton accepts.
    Product,
}

/// What all workers are to search.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Job {
    subject: Subject,
    /// The number of the temporal property.
    property: usize,
    /// Whether the model lacks data that cannot matter.
    is_trimmed: bool,
    /// The reductions of the model, in words that are the same for the same reductions; none if it is not reduced.
    reduced: Option<String>,
    /// Of a product: whether runs that end count, the atoms of the automaton by number, and the automaton.
    stutters: bool,
    atoms: Vec<u64>,
    automaton: Vec<u8>,
}

/// The message after the last job.
const DONE: u64 = 3;

impl Job {
    fn new(context: &Context<'_>, subject: Subject, reduced: Option<&Reduced<'_>>) -> Self {
        Self {
            subject,
            property: context.team.map_or(0, |team| team.property),
            is_trimmed: !std::ptr::eq(context.model, context.whole),
            reduced: reduced.map(words),
            stutters: false,
            atoms: Vec::new(),
            automaton: Vec::new(),
        }
    }

    fn encode(&self) -> Vec<u8> {
        let subject = match self.subject {
            Subject::Safety => 0,
            Subject::Events => 1,
            Subject::Product => 2,
        };
        let words = self.reduced.as_deref().unwrap_or_default();
        let flags = u64::from(self.is_trimmed) | u64::from(self.reduced.is_some()) << 1 | u64::from(self.stutters) << 2;
        let mut bytes = Vec::new();
        put_numbers(&mut bytes, &[subject, self.property as u64, flags, words.len() as u64, self.atoms.len() as u64]);
        bytes.extend_from_slice(words.as_bytes());
        put_numbers(&mut bytes, &self.atoms);
        bytes.extend_from_slice(&self.automaton);
        bytes
    }

    /// The job of such bytes, or what the last message says.
    fn decode(bytes: &[u8]) -> Result<Self, u8> {
        let mut reader = Reader { rest: bytes };
        let [subject, property, flags, words, atoms] = std::array::from_fn(|_| reader.number());
        let subject = match subject {
            0 => Subject::Safety,
            1 => Subject::Events,
            2 => Subject::Product,
            _ => return Err(property as u8),
        };
        let words = String::from_utf8_lossy(reader.bytes(words as usize)).into_owned();
        let atoms = (0..atoms).map(|_| reader.number()).collect();
        Ok(Self {
            subject,
            property: property as usize,
            is_trimmed: flags & 1 == 1,
            reduced: (flags & 2 == 2).then_some(words),
            stutters: flags & 4 == 4,
            atoms,
            automaton: reader.rest.to_vec(),
        })
    }
}

/// Which reductions a model has.
fn words(reduced: &Reduced<'_>) -> String {
    format!("{:?}", reduced.obstacles())
}

/// The other workers, for the one that leads.
#[derive(Clone, Copy)]
pub(super) struct Team<'a> {
    pub(super) exchange: &'a RefCell<dyn Exchange>,
    /// The number of the temporal property that is being checked.
    pub(super) property: usize,
}

impl<'a> Team<'a> {
    fn announce(&self, job: &Job, store: Store, noticed: &'a dyn Noticed) -> Orders<'a> {
        let message = job.encode();
        self.exchange.borrow_mut().gather(&message);
        let unready = agree(self.exchange, None);
        Orders { exchange: self.exchange, noticed, unready, key: key(&message), store }
    }
}

/// What tells the system of a job from others of the same check.
fn key(job: &[u8]) -> u64 {
    let sum = Sha256::digest(job);
    u64::from_le_bytes(sum[..8].try_into().expect("a checksum has eight bytes"))
}

/// Whether all workers are ready, or the limit that some worker has met.
fn agree(exchange: &RefCell<dyn Exchange>, limit: Option<Exhausted>) -> Option<Exhausted> {
    let mut message = Vec::new();
    put_numbers(&mut message, &[number_of(limit)]);
    let all = exchange.borrow_mut().gather(&message);
    all.iter().find_map(|message| limit_of(Reader { rest: message }.number()))
}

/// Announces a search for violations of safety.
pub(super) fn safety<'a>(context: &Context<'a>, reduced: Option<&Reduced<'_>>) -> Option<Orders<'a>> {
    context.team.map(|team| team.announce(&Job::new(context, Subject::Safety, reduced), context.store, &()))
}

/// Announces a search for violations of an assertion about events in a model, which may be a trimmed one.
pub(super) fn events<'a>(context: &Context<'a>, is_trimmed: bool, reduced: Option<&Reduced<'_>>) -> Option<Orders<'a>> {
    let job = Job { is_trimmed, ..Job::new(context, Subject::Events, reduced) };
    context.team.map(|team| team.announce(&job, context.store, &()))
}

/// Lets all workers make a product, searches it, and lets them forget it.
pub(super) fn with_product<T>(
    context: &Context<'_>,
    automaton: &Automaton,
    whole: &ModelProduct<'_>,
    stutters: bool,
    search: impl FnOnce(Option<Orders<'_>>) -> T,
) -> T {
    let Some(team) = context.team else { return search(None) };
    let (bound, atoms) = (whole.model().inner(), whole.atoms());
    let reduced = Some(bound.reduced()).filter(|reduced| reduced.is_reduced());
    let job = Job {
        stutters,
        atoms: automaton.propositions().ids().iter().map(|id| id.index() as u64).collect(),
        automaton: whole.property().encode(),
        ..Job::new(context, Subject::Product, reduced)
    };
    let noticed = NoticedByProduct { bound, atoms };
    let orders = Team { ..team }.announce(&job, context.store, &noticed);
    let found = search(Some(orders));
    orders.end();
    found
}

/// Tells the other workers that the check is done, and how it ended.
pub(crate) fn dismiss(exchange: &RefCell<dyn Exchange>, code: u8) {
    let mut message = Vec::new();
    put_numbers(&mut message, &[DONE, u64::from(code), 0, 0, 0]);
    exchange.borrow_mut().gather(&message);
}

/// Waits for the end of a check in which this worker can do nothing.
pub(crate) fn wait(exchange: &RefCell<dyn Exchange>) -> u8 {
    loop {
        if let Err(code) = Job::decode(&exchange.borrow_mut().gather(&[])[LEADER]) {
            return code;
        }
        agree(exchange, Some(Exhausted::Time));
    }
}

/// Takes part in all searches until the worker that leads is done; gives how it says that the check ended.
pub(super) fn follow(context: &Context<'_>, selection: &Selection, exchange: &RefCell<dyn Exchange>) -> u8 {
    loop {
        let job = match Job::decode(&exchange.borrow_mut().gather(&[])[LEADER]) {
            Ok(job) => job,
            Err(code) => return code,
        };
        // What the worker that leads could make, this one can make, unless a limit is in the way.
        if take_part(context, selection, exchange, &job).is_none() {
            let limit = context.budget.exhausted(0).unwrap_or(Exhausted::Time);
            agree(exchange, Some(limit));
        }
    }
}

/// Makes the system of a job and searches it with the others; none if the system cannot be made, before anybody was told.
fn take_part(context: &Context<'_>, selection: &Selection, exchange: &RefCell<dyn Exchange>, job: &Job) -> Option<()> {
    let (key, store) = (key(&job.encode()), context.store);
    let property = selection.temporal.get(job.property).map(|property| &property.content);
    match (job.subject, property) {
        (Subject::Safety, _) => {
            let trimmed = job.is_trimmed.then(|| trimmed(context, Purpose::Safety).model);
            let model = trimmed.as_ref().map_or(Some(context.model), Option::as_ref)?;
            let reduced = made(context, model, None, job)?;
            let full = reduced.is_some().then(|| Reduced::full(model));
            let system = reduced.unwrap_or_else(|| Reduced::full(model));
            let identity = |occurrence: &Occurrence<'_, ModelStep>| identity(model, occurrence);
            let member = Member { exchange, notes: &NotesOfModel, key, store };
            if agree(exchange, None).is_none() {
                follow_safety(&system, full.as_ref(), member, context.budget, &identity);
            }
        }
        (Subject::Events, Some(Content::Events(trace))) => {
            let trimmed = job.is_trimmed.then(|| trimmed(context, Purpose::Events(*trace)).model);
            let itself = Model::with_trace_within(&context.input.program, *trace, context.budget).ok()?;
            let model = trimmed.as_ref().map_or(Some(&itself), Option::as_ref)?;
            let reduced = made(context, model, None, job)?;
            let full = reduced.is_some().then(|| Watched(Bound::new(Reduced::full(model))));
            let system = Watched(Bound::new(reduced.unwrap_or_else(|| Reduced::full(model))));
            let member = Member { exchange, notes: &NotesOfEvents(&system.0), key, store };
            if agree(exchange, None).is_none() {
                follow_safety(&system, full.as_ref(), member, context.budget, &|_| 0);
            }
        }
        (Subject::Product, Some(Content::Formula(_) | Content::Automaton(..))) => {
            let property = &selection.temporal[job.property];
            let expressions = expressions(property);
            let trimmed = job.is_trimmed.then(|| trimmed(context, Purpose::Temporal(expressions)).model);
            let model = trimmed.as_ref().map_or(Some(context.model), Option::as_ref)?;
            let reduced = made(context, model, Some(expressions), job)?.unwrap_or_else(|| Reduced::full(model));
            let atoms = job.atoms.iter().map(|index| &expressions[*index as usize].1).collect();
            let whole = binding::product_with(reduced, Property::decode(&job.automaton), atoms, job.stutters);
            match context.options.fairness {
                Fairness::None => follow_product(context, exchange, &whole, &whole, key),
                Fairness::Weak => {
                    let fair = Fair::new(whole).ok()?;
                    follow_product(context, exchange, fair.inner(), &fair, key);
                }
            }
        }
        (Subject::Events | Subject::Product, _) => return None,
    }
    Some(())
}

fn follow_product<A: search::accepting::Accepting>(
    context: &Context<'_>,
    exchange: &RefCell<dyn Exchange>,
    whole: &ModelProduct<'_>,
    system: &A,
    key: u64,
) {
    let noticed = NoticedByProduct { bound: whole.model().inner(), atoms: whole.atoms() };
    let orders = Orders { exchange, noticed: &noticed, unready: None, key, store: context.store };
    if agree(exchange, None).is_none() {
        temporal::follow(whole, system, &orders, context.budget);
    }
}

/// The atoms of a property.
fn expressions(property: &Temporal) -> &[(String, Expr)] {
    match &property.content {
        Content::Formula(claim) => &claim.atoms,
        Content::Automaton(_, atoms) => atoms,
        Content::Events(_) | Content::Unsupported(_) => &[],
    }
}

/// The reduced model of a job, if it is reduced; none if it cannot be made.
fn made<'m>(
    context: &Context<'_>,
    model: &'m Model,
    atoms: Option<&[(String, Expr)]>,
    job: &Job,
) -> Option<Option<Reduced<'m>>> {
    let Some(wanted) = &job.reduced else { return Some(None) };
    let atoms = atoms.map(|list| model.atoms(list.iter().map(|(_, expression)| expression)));
    let reduced = reduction::as_told(context, model, atoms.as_ref())?;
    (words(&reduced) == *wanted).then_some(Some(reduced))
}

/// Refuses what only one process can check.
///
/// # Errors
/// What that is.
pub(super) fn refuse_others(options: &PromelaOptions) -> Result<(), Error> {
    let refused = [
        (options.store.is_lossy(), "a search with a lossy store"),
        (options.disk.is_some(), "a search with files"),
        (options.check_facts, "the confirmation of facts"),
        (options.emptiness.is_some(), "a search for lassos that was chosen by its name"),
        (options.all_minimal, "a lasso through each accepting state"),
    ];
    match refused.iter().find(|(is_wanted, _)| *is_wanted) {
        Some((_, what)) => Err(Error::OneProcess((*what).into())),
        None => Ok(()),
    }
}
