//! A search that does not fit into memory goes on with files.
//!
//! *Contract.* As that of the search in memory: the same verdicts, counts, findings and paths, shortest ones where every step
//! counts. The search needs files in which each state lies twice, three times while runs are
//! merged, and memory for one buffer and for the first string of each block. A violation that was met in the level in which
//! a limit ends the search is only counted. If a file cannot be written, the search ends as if the memory limit had been
//! reached, and [`Disk::failure`] says why.
//!
//! *How.* Level by level, on one thread. The search in memory gives up the level in which memory ran out and hands over the
//! levels before. From then on successors are collected in a buffer, sorted, and written as runs; at the end of a level
//! the runs are merged, and what occurs in the runs of visited states is left out: *delayed duplicate detection*. The new states are a
//! sorted run themselves, and the next level. Runs of visited states are merged so that each is more than twice as long as the
//! next: their number grows with the logarithm of the number of states. A small level looks up its states in a few blocks of them instead of
//! reading them all. A path is found backwards, level by level, as in memory.
//!
//! *Source.* [korf.03.ijcai] for delayed detection; merging by size is that of log-structured stores. *Tested by* comparison with searches in
//! memory on random systems, `tests/disk.rs`.

mod paths;

use super::{Grain, Search, worker};
use crate::disk::{Disk, Log, Merge, Run, RunWriter};
use crate::divergence::{Watch, returns};
use crate::expansion::Expansion;
use crate::explore::findings::Findings;
use crate::explore::{End, ExplorationResult, Occurrence, SafetyKind};
use crate::interruption::Interruption;
use crate::meter::{Meter, Statistics};
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, System};
use paths::Violation;
use std::collections::BTreeMap;
use std::io;

/// The part of the memory limit that the buffer takes, as a divisor.
const BUFFER_SHARE: u64 = 4;
/// The buffer has at least, and at most, this many bytes.
const BUFFER_BYTES: std::ops::RangeInclusive<u64> = 1 << 16..=1 << 30;
/// More runs of new states than this are merged before the level ends.
const MOST_RUNS: usize = 16;
/// States of the store that are sorted at a time.
const SORTED_AT_ONCE: usize = 1 << 18;
/// Records between two looks at the budget.
const RECORDS_PER_LOOK: u64 = 1 << 12;

/// A violation in the level at hand: steps from its source, the source, and its index among the faults or ends there. The
/// least one is chosen.
type Met = (u32, Vec<u8>, u32);

/// Writes the record of a state over `into`: its length and its bytes. So records are ordered by length first, and a byte may be added
/// behind them without changing the order.
fn record(state: &[u8], into: &mut Vec<u8>) {
    into.clear();
    append_record(state, into);
}

fn append_record(state: &[u8], into: &mut Vec<u8>) {
    into.extend_from_slice(&(state.len() as u32).to_be_bytes());
    into.extend_from_slice(state);
}

/// The state of a record.
fn state_of(record: &[u8]) -> &[u8] {
    &record[size_of::<u32>()..]
}

/// A search with files.
struct OnDisk<'a, 'd, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    expansion: Expansion<M::Step, ()>,
    grain: Grain,
    watch: Watch,
    budget: &'a Budget,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
    disk: &'d Disk<'d>,
    /// All states, in sorted runs of records ([`record`]).
    visited: Vec<Run<'d>>,
    /// The states themselves by level.
    levels: Log<'d>,
    buffer: Buffer,
    /// What did not fit into the buffer.
    runs: Vec<Run<'d>>,
    met: BTreeMap<(SafetyKind, u64), Met>,
    diverges: bool,
}

/// Successors that have not been sorted: their records, each with a byte that tells whether the state is transient.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    places: Vec<(u32, u32)>,
    most: u64,
}

impl Buffer {
    fn new(memory: u64) -> Self {
        Self { most: (memory / BUFFER_SHARE).clamp(*BUFFER_BYTES.start(), *BUFFER_BYTES.end()), ..Self::default() }
    }

    fn push(&mut self, state: &[u8], is_transient: bool) {
        let start = self.bytes.len() as u32;
        append_record(state, &mut self.bytes);
        self.bytes.push(u8::from(is_transient));
        self.places.push((start, self.bytes.len() as u32));
    }

    fn is_full(&self) -> bool {
        self.held() >= self.most
    }

    /// The bytes in use.
    fn held(&self) -> u64 {
        (self.bytes.len() + self.places.len() * size_of::<(u32, u32)>()) as u64
    }

    /// The records in order, each once; the buffer is empty afterwards.
    fn drain(&mut self, mut sink: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let bytes = &self.bytes;
        let record = |place: &(u32, u32)| &bytes[place.0 as usize..place.1 as usize];
        self.places.sort_unstable_by(|one, other| record(one).cmp(record(other)));
        self.places.dedup_by(|one, other| record(one) == record(other));
        let written = self.places.iter().try_for_each(|place| sink(record(place)));
        self.places.clear();
        self.bytes.clear();
        written
    }
}

/// Goes on with files where a search in memory has ended. The level in which memory ran out begins anew.
pub(super) fn go_on<'a, M: System>(
    mut search: Search<'a, M>,
    disk: &Disk<'_>,
    budget: &'a Budget,
    silent: &mut dyn FnMut(&Statistics),
) -> ExplorationResult<M> {
    // Memory is what ran out; the other limits hold.
    let stage = budget.stage();
    let look = || stage.check_now(0);
    match write_levels(&search, disk, look).and_then(|levels| Ok((levels, write_states(&search, disk, look)?))) {
        Ok((levels, visited)) => {
            let known = paths::with_paths(&mut search, silent);
            let mut search = OnDisk::new(search, disk, budget, levels, visited);
            let end = search.run(known);
            search.report(end)
        }
        Err(why) => {
            let limit = match why {
                Interruption::Limit(limit) => limit,
                Interruption::Files(error) => {
                    disk.fail(&error);
                    Exhausted::Memory
                }
            };
            let end = search.interrupt(limit);
            let paths = search.paths(silent);
            search.report(end, paths)
        }
    }
}

/// The initial state.
fn initial<M: System>(system: &M) -> Vec<u8> {
    let mut state = Vec::new();
    system.initial(&mut state);
    state
}

/// The states by level; the initial one alone if there was no memory for it.
fn write_levels<'d, M: System>(
    search: &Search<'_, M>,
    disk: &'d Disk<'d>,
    look: impl Fn() -> Result<(), Exhausted>,
) -> Result<Log<'d>, Interruption> {
    let (mut log, mut buffer) = (Log::new(disk)?, Vec::new());
    if search.levels.len() == 0 {
        log.push(&initial(search.system))?;
        log.end_part()?;
    }
    for level in 0..search.levels.len() {
        for range in search.levels.get(level) {
            look()?;
            range.numbers().try_for_each(|number| log.push(search.store.read(number, &mut buffer)))?;
        }
        log.end_part()?;
    }
    Ok(log)
}

/// The same states in sorted runs.
fn write_states<'d, M: System>(
    search: &Search<'_, M>,
    disk: &'d Disk<'d>,
    look: impl Fn() -> Result<(), Exhausted>,
) -> Result<Vec<Run<'d>>, Interruption> {
    let (mut runs, mut next): (Vec<Run<'d>>, Vec<u8>) = (Vec::new(), Vec::new());
    let (mut one, mut other) = (Vec::new(), Vec::new());
    let levels = 0..search.levels.len();
    let mut numbers = levels.flat_map(|level| search.levels.get(level)).flat_map(|range| range.numbers()).peekable();
    while numbers.peek().is_some() {
        let mut part: Vec<_> = numbers.by_ref().take(SORTED_AT_ONCE).collect();
        part.sort_unstable_by(|first, second| {
            let (first, second) = (search.store.read(*first, &mut one), search.store.read(*second, &mut other));
            first.len().cmp(&second.len()).then_with(|| first.cmp(second))
        });
        look()?;
        let mut writer = RunWriter::new(disk)?;
        for number in part {
            record(search.store.read(number, &mut one), &mut next);
            writer.push(&next)?;
        }
        runs.push(writer.finish()?);
        if runs.len() == MOST_RUNS {
            runs = vec![union(disk, &runs, &look)?];
        }
    }
    if runs.is_empty() {
        let mut writer = RunWriter::new(disk)?;
        record(&initial(search.system), &mut next);
        writer.push(&next)?;
        runs.push(writer.finish()?);
    }
    Ok(runs)
}

/// One run of the records of all; looks at the budget from time to time.
fn union<'d>(
    disk: &'d Disk<'d>,
    runs: &[Run<'d>],
    mut look: impl FnMut() -> Result<(), Exhausted>,
) -> Result<Run<'d>, Interruption> {
    let (mut merge, mut writer, mut record) = (Merge::new(runs)?, RunWriter::new(disk)?, Vec::new());
    let mut written = 0_u64;
    while merge.next(&mut record)? {
        writer.push(&record)?;
        written += 1;
        if written.is_multiple_of(RECORDS_PER_LOOK) {
            look()?;
        }
    }
    Ok(writer.finish()?)
}

impl<'a, 'd, M: System> OnDisk<'a, 'd, M> {
    /// Takes over from a search in memory whose levels, and whose states in sorted runs, have been written.
    fn new(
        search: Search<'a, M>,
        disk: &'d Disk<'d>,
        budget: &'a Budget,
        levels: Log<'d>,
        visited: Vec<Run<'d>>,
    ) -> Self {
        let diverges = search.workers.iter().any(|worker| worker.diverges);
        let Search { system, workers, grain, watch, mut meter, findings, at_level, .. } = search;
        let mut workers = workers.into_iter();
        let mut scratch = workers.next().expect("there is a worker").scratch;
        workers.for_each(|worker| system.merge_notes(&mut scratch, &worker.scratch));
        // What was counted in the level that begins anew is counted again.
        let Statistics { states, transitions, transient_steps, depth, .. } = at_level;
        let states = states.max(1);
        meter.statistics = Statistics { states, transitions, transient_steps, depth, ..meter.statistics };
        meter.renew(budget);
        Self {
            system,
            scratch,
            expansion: Expansion::new(),
            grain,
            watch,
            budget,
            buffer: Buffer::new(meter.memory),
            meter,
            findings,
            disk,
            visited,
            levels,
            runs: Vec::new(),
            met: BTreeMap::new(),
            diverges,
        }
    }

    /// Tells the violations that are known, and visits level after level.
    fn run(&mut self, known: Vec<Violation<M::Step>>) -> End {
        let end = match self.tell(known).and_then(|()| self.levels()) {
            Ok(end) => end,
            Err(Interruption::Limit(limit)) => End::Limit(limit),
            Err(Interruption::Files(error)) => {
                self.disk.fail(&error);
                End::Limit(Exhausted::Memory)
            }
        };
        // A path takes a pass over all levels, for which a limit leaves no time.
        for (kind, identity) in std::mem::take(&mut self.met).into_keys() {
            self.findings.omitted += u64::from(self.findings.is_news_of(kind, identity));
        }
        self.meter.statistics.disk = self.disk.peak();
        end
    }

    /// Visits levels until the search is over.
    fn levels(&mut self) -> Result<End, Interruption> {
        loop {
            if let Some(end) = self.level()? {
                return Ok(end);
            }
        }
    }

    /// Visits the last level; says whether the search is over.
    fn level(&mut self) -> Result<Option<End>, Interruption> {
        let level = self.levels.parts() - 1;
        let before = self.meter.statistics.states;
        let (mut place, mut state) = (self.levels.part(level), Vec::new());
        while self.levels.next(&mut place, &mut state)? {
            self.visit(&state, level as u64)?;
        }
        self.spill()?;
        // The states of the next level count before anything is decided, as in memory.
        let is_over = !self.keep_new(self.meter.is_too_deep(level as u64 + 1))?;
        self.choose(level)?;
        let Statistics { states, transitions, .. } = self.meter.statistics;
        let is_enough = self.findings.is_enough_before_level(transitions, states - before);
        if is_enough || self.watch == Watch::Stop && self.diverges {
            return Ok(Some(End::Enough));
        }
        if is_over {
            return Ok(Some(if self.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete }));
        }
        self.meter.statistics.depth = level as u64 + 1;
        Ok(None)
    }

    /// Puts the successors of a state into the buffer, and notes what goes wrong there.
    fn visit(&mut self, state: &[u8], depth: u64) -> Result<(), Interruption> {
        let held = self.bytes();
        self.meter.tick(held)?;
        self.expansion.clear();
        let Self { system, grain, expansion, scratch, meter, .. } = self;
        worker::expand(*system, *grain, &(), expansion, scratch, state, meter, held)?;
        self.meter.statistics.transient_steps += match self.grain {
            Grain::Single => self.expansion.targets.iter().filter(|target| target.is_transient).count() as u64,
            Grain::Visible => std::mem::take(&mut self.expansion.transient_steps),
        };
        if std::mem::take(&mut self.expansion.is_rejoined) && self.watch != Watch::Off && !self.diverges {
            self.diverges = returns(self.system, &mut self.scratch, state, &mut self.meter, held)?;
        }
        if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
            self.inspect(state, depth);
        }
        for target in &self.expansion.targets {
            self.buffer.push(self.expansion.state(target), target.is_transient);
        }
        if self.buffer.is_full() {
            self.spill()?;
        }
        Ok(())
    }

    /// Notes the faults and invalid ends of an expansion.
    #[cold]
    fn inspect(&mut self, source: &[u8], depth: u64) {
        for (index, faulty) in (0..).zip(&self.expansion.faults) {
            if self.meter.is_too_deep(depth + 1) {
                self.meter.is_cut = true;
                break;
            }
            let (kind, state) = (SafetyKind::from(faulty.fault), self.expansion.at(faulty.at, source));
            let identity = self.findings.identity(&Occurrence { kind, step: Some(faulty.step), state });
            note(&mut self.met, (kind, identity), (faulty.steps, source.to_vec(), index));
        }
        for (index, (at, steps)) in (0..).zip(&self.expansion.ends) {
            let state = self.expansion.at(*at, source);
            if self.system.ending(&mut self.scratch, state) == Ending::Invalid {
                let kind = SafetyKind::InvalidEnd;
                let identity = self.findings.identity(&Occurrence { kind, step: None, state });
                note(&mut self.met, (kind, identity), (*steps, source.to_vec(), index));
            }
        }
    }

    /// Writes the buffer as a run.
    fn spill(&mut self) -> Result<(), Interruption> {
        let mut writer = RunWriter::new(self.disk)?;
        self.buffer.drain(|record| writer.push(record))?;
        self.runs.push(writer.finish()?);
        let held = self.bytes();
        if self.runs.len() == MOST_RUNS {
            self.runs = vec![union(self.disk, &self.runs, || self.meter.look(held))?];
        }
        self.meter.look(held)?;
        Ok(())
    }

    /// Makes a level of the states in the runs that have not been visited; false if there are none, or if they lie beyond
    /// the depth limit.
    fn keep_new(&mut self, is_deepest: bool) -> Result<bool, Interruption> {
        let held = self.bytes();
        let runs = std::mem::take(&mut self.runs);
        let mut known = self.visited.iter().map(Run::reader).collect::<io::Result<Vec<_>>>()?;
        let (mut merge, mut writer) = (Merge::new(&runs)?, RunWriter::new(self.disk)?);
        let (mut next, mut read, mut kept) = (Vec::new(), 0_u64, 0_u64);
        while merge.next(&mut next)? {
            read += 1;
            if read % RECORDS_PER_LOOK == 0 {
                self.meter.look(held)?;
            }
            let is_transient = next.pop() == Some(1);
            let mut is_known = false;
            for run in &mut known {
                is_known |= run.skip_to(&next)?;
            }
            if is_known {
                continue;
            }
            if is_deepest {
                self.meter.is_cut = true;
                return Ok(false);
            }
            writer.push(&next)?;
            self.levels.push(state_of(&next))?;
            self.meter.statistics.states += u64::from(!is_transient);
            kept += 1;
        }
        drop(known);
        if kept == 0 {
            return Ok(false);
        }
        self.levels.end_part()?;
        self.visited.push(writer.finish()?);
        while let [.., before, last] = self.visited.as_slice()
            && before.len() <= 2 * last.len()
        {
            let last_two = &self.visited[self.visited.len() - 2..];
            let both = union(self.disk, last_two, || self.meter.look(held))?;
            self.visited.truncate(self.visited.len() - 2);
            self.visited.push(both);
            self.meter.look(held)?;
        }
        Ok(true)
    }

    /// Adds findings among what was met in a level, with their paths.
    fn choose(&mut self, level: usize) -> Result<(), Interruption> {
        let mut met: Vec<_> = std::mem::take(&mut self.met).into_iter().collect();
        met.sort_by(|((one, _), (steps, state, index)), ((other, _), (more, last, at))| {
            (steps, one, state, index).cmp(&(more, other, last, at))
        });
        let transitions = self.meter.statistics.transitions;
        let mut chosen = Vec::new();
        for ((kind, identity), (_, source, index)) in met {
            if self.findings.is_news_of(kind, identity) {
                self.findings.note(kind, transitions);
                chosen.push(Violation { kind, level, source, index, path: None });
            }
        }
        self.tell(chosen)
    }

    fn report(mut self, end: End) -> ExplorationResult<M> {
        let bytes = self.bytes();
        // As in memory, transient steps of all levels count, also those after a finding.
        if self.grain.of_levels(&self.meter.statistics) == Grain::Single {
            self.findings.list.iter_mut().for_each(|finding| finding.is_shortest = true);
        }
        let watches = self.watch != Watch::Off && self.grain == Grain::Visible;
        let diverges = (self.diverges || watches && end == End::Complete).then_some(self.diverges);
        ExplorationResult { diverges, ..ExplorationResult::new(end, self.findings, self.meter, bytes, self.scratch) }
    }

    /// The bytes of memory in use.
    fn bytes(&self) -> u64 {
        let runs = self.visited.iter().chain(&self.runs).map(Run::bytes).sum::<u64>();
        self.buffer.held() + self.expansion.bytes() + self.levels.bytes() + runs
    }
}

/// Notes a violation unless there is a better one.
fn note(met: &mut BTreeMap<(SafetyKind, u64), Met>, key: (SafetyKind, u64), one: Met) {
    match met.get_mut(&key) {
        Some(best) if *best <= one => {}
        Some(best) => *best = one,
        None => {
            met.insert(key, one);
        }
    }
}
