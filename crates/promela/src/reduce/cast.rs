//! Who the processes of a state are, and which of them can begin a set that leaves something out.
//!
//! *What.* The *cast* of a state says which instance ([`super::instance`]) each process is. For each process of a cast and each
//! location it is known, from the tables of pairs ([`super::pair`]), which processes every closed set with it contains. The
//! closure over these needs is part of every closed set. Where it contains every process that may be able to move, or one that
//! must be expanded fully, the process begins no set.
//!
//! *How.* Most locations need another process wherever that stands, or nowhere: these needs are words of bits that are made
//! once for a cast. The few others are looked up. States met one after the other mostly have the same cast: it is kept while
//! the shape of the state and the values that tell instances apart stay.
//! What follows from where all processes stand is kept in a profile, for the next state in which they stand there
//! ([`super::combination`]).
//!
//! *Contract.* [`Profile::seeds`] contains every process from which [`super::choice`] would find a set, and follows from the bytes of
//! the state. So it changes nothing but the time that the choice takes: where it is empty, no guard is evaluated.
//!
//! *Tested by* the unit tests below, and with the choice.

use super::combination::{Combination, Combinations, SLOTS, digits};
use super::instance::{Instance, Tables, is_never_taken};
use super::known::{Identity, UNKNOWN};
use super::needs::{EdgeNeeds, Needs, edge_needs};
use super::pair::{MAY, MOVING, MUST, Pair};
use super::piece::Piece;
use super::quiet::{Met, quiet};
use crate::compiled::code::Guard;
use crate::compiled::eval::View;
use crate::compiled::layout::{Kind, location};
use crate::compiled::model::Model;
use std::collections::HashMap;

/// Values of frozen variables in this range tell instances apart; others are taken for unknown.
const VALUES: std::ops::Range<i32> = 0..256;

/// How many places all casts have that are kept. Models that start processes in many ways may have more, which are then made
/// again.
const MOST_PLACES: usize = 1 << 17;

/// How many states without seeds are met, after the last new place, before it is found out which places are quiet.
const PATIENCE: u32 = 256;

/// Tables that grow as processes are met; their contents do not depend on the order in which that happens.
#[derive(Debug, Default)]
pub(super) struct Casts {
    pub(super) instances: Vec<Instance>,
    numbers: HashMap<(usize, Identity), u32>,
    pairs: Vec<Pair>,
    /// For two instances, the number of their table, if it was made.
    pair_numbers: Vec<Vec<Option<u32>>>,
    casts: Vec<Cast>,
    cast_numbers: HashMap<Vec<u32>, usize>,
    /// How many places these casts have.
    places: usize,
    /// The combinations of which it is known where a set may begin.
    combinations: Combinations,
    /// What is known of each of them, by its slot. The last one is for states whose locations are no combination.
    profiles: Vec<Profile>,
    /// The profile of the state at hand.
    at: usize,
    /// The cast of the state at hand, the version of its shape, and the values of frozen variables at their places; and the same as
    /// bits of the state.
    current: usize,
    version: u64,
    frozen: Vec<(usize, Kind, i32)>,
    pieces: Vec<Piece>,
    /// For each position, the definition and the instance of the process that was looked at last.
    last: Vec<Option<(usize, Identity, u32)>>,
    identity: Identity,
}

/// What follows from who the processes of a state are and where they stand.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Where each process stands.
    standing: Vec<Standing>,
    /// The processes that may be able to move.
    pub(super) movable: u64,
    /// Those of which each step must be expanded fully, and those of them that can move.
    barred: u64,
    walls: u64,
    /// Those that may have a step that is local by the text.
    pub(super) local: u64,
    /// Those from which a closed set may be found.
    pub(super) seeds: u64,
    /// What the edges of processes need, where that depends on where others stand: where the first edge of a process is, once
    /// that was asked for.
    first_edges: Vec<Option<u32>>,
    edges: Vec<EdgeNeeds>,
}

/// Where a process stands: its place in the cast, and its location.
#[derive(Clone, Copy, Debug)]
struct Standing {
    place: u32,
    location: u32,
}

/// The instances of the processes of a state, by their numbers.
#[derive(Debug)]
struct Cast {
    instances: Box<[u32]>,
    /// The table of each pair of processes, all pairs of the first process first.
    pairs: Box<[u32]>,
    members: Box<[Member]>,
    /// For each process, which of the edges of its definition are sticky.
    sticky: Box<[Box<[bool]>]>,
    /// What is known of each process at each location, once it was met there.
    places: Box<[Option<Place>]>,
    /// What the edges of places need, where that does not depend on where others stand.
    edges: Vec<EdgeNeeds>,
    /// For each process, the value of its digit in the number of a combination of locations; none if that is too large.
    digits: Option<Box<[u64]>>,
    /// How many states without seeds are still to be met before it is found out which places are quiet.
    patience: u32,
}

/// A process of a cast: where its places begin, whether its location has two bytes, and at which of its first 64 locations it is
/// quiet ([`super::quiet`]).
#[derive(Clone, Copy, Debug)]
struct Member {
    first: usize,
    is_wide: bool,
    quiet: u64,
}

/// What is known of a process at a location, whatever the state is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The processes that it needs, whatever it can do, and those that it needs if it can move.
    must: Needs,
    moving: Needs,
    future: u32,
    /// Its steps are local by the text, and it may be able to take one.
    is_local: bool,
    /// It cannot move by itself.
    is_idle: bool,
    /// Each of its steps must be expanded fully.
    is_barred: bool,
    /// That, and it can move.
    is_wall: bool,
    /// The edges that must be expanded fully, of the first 64.
    barred_edges: u64,
    /// Where in the cast it is said what its edges need; none if that depends on where others stand.
    edges: Option<usize>,
}

impl Casts {
    /// Finds out who the processes of a state are, which has a shape of this version.
    #[inline]
    pub(super) fn meet(&mut self, model: &Model, tables: &Tables, view: &View<'_>, version: u64) {
        if version != self.version || !self.pieces.iter().all(|piece| piece.is_in(view.bytes)) {
            self.compare(model, tables, view, version);
        }
    }

    /// The same where some bits differ, which need not tell instances apart.
    #[cold]
    fn compare(&mut self, model: &Model, tables: &Tables, view: &View<'_>, version: u64) {
        let is_same = |(at, kind, value): &(usize, Kind, i32)| telling(kind.load(view.bytes, *at)) == *value;
        if version != self.version || !self.frozen.iter().all(is_same) {
            self.change(model, tables, view);
            self.version = version;
        }
        self.pieces.clear();
        for (at, kind, _) in &self.frozen {
            Piece::add(&mut self.pieces, view.bytes, (*at, *kind));
        }
    }

    fn change(&mut self, model: &Model, tables: &Tables, view: &View<'_>) {
        self.frozen.clear();
        let mut instances = Vec::with_capacity(view.bases.len());
        for (pid, base) in view.bases.iter().enumerate() {
            let definition = model.definition_of(view, pid);
            instances.push(self.instance(model, tables, view, pid));
            self.frozen.extend(tables.used[definition].locals.iter().map(|&(offset, kind)| {
                let at = (base + offset) as usize;
                (at, kind, telling(kind.load(view.bytes, at)))
            }));
        }
        if let Some(number) = self.cast_numbers.get(&instances) {
            self.current = *number;
            return;
        }
        let cast = self.cast(model, tables, &instances);
        if self.places + cast.places.len() > MOST_PLACES {
            self.casts.clear();
            self.cast_numbers.clear();
            self.combinations.clear();
            self.places = 0;
        }
        self.places += cast.places.len();
        self.current = self.casts.len();
        self.casts.push(cast);
        self.cast_numbers.insert(instances, self.current);
    }

    fn cast(&mut self, model: &Model, tables: &Tables, instances: &[u32]) -> Cast {
        let mut pairs = Vec::with_capacity(instances.len() * instances.len());
        for one in instances {
            pairs.extend(instances.iter().map(|two| self.pair(model, *one, *two)));
        }
        let mut places = 0;
        let mut members = Vec::with_capacity(instances.len());
        for instance in instances {
            let instance = &self.instances[*instance as usize];
            let is_wide = model.definitions[instance.definition].wide_location;
            members.push(Member { first: places, is_wide, quiet: 0 });
            places += instance.future_at.len();
        }
        let places = vec![None; places].into();
        let processes: Vec<&Instance> = instances.iter().map(|number| &self.instances[*number as usize]).collect();
        let sticky = tables.sticky_edges(model, &processes).into();
        Cast {
            sticky,
            instances: instances.into(),
            pairs: pairs.into(),
            members: members.into(),
            places,
            edges: Vec::new(),
            digits: digits(processes.iter().map(|process| process.future_at.len())),
            patience: PATIENCE,
        }
    }

    /// The number of the table of two instances, which is made if they are met for the first time.
    fn pair(&mut self, model: &Model, one: u32, two: u32) -> u32 {
        let Self { instances, pairs, pair_numbers, .. } = self;
        let (one, two) = (one as usize, two as usize);
        if pair_numbers.len() < instances.len() {
            pair_numbers.resize_with(instances.len(), Vec::new);
            pair_numbers.iter_mut().for_each(|row| row.resize(instances.len(), None));
        }
        *pair_numbers[one][two].get_or_insert_with(|| {
            pairs.push(Pair::new(model, &instances[one], &instances[two]));
            narrow(pairs.len() - 1)
        })
    }

    /// The number of the instance that a process is, which is made if it is new.
    pub(super) fn instance(&mut self, model: &Model, tables: &Tables, view: &View<'_>, pid: usize) -> u32 {
        let definition = model.definition_of(view, pid);
        let (used, base) = (&tables.used[definition], view.bases[pid]);
        let Identity { pid: number, channels, values } = &mut self.identity;
        *number = used.pid.then_some(pid);
        *channels = (!model.layout.processes[definition].channels.is_empty())
            .then(|| tables.numbered_channel(view.channels.partition_point(|channel| channel.offset < base) + 1));
        values.clear();
        values
            .extend(used.locals.iter().map(|(offset, kind)| telling(kind.load(view.bytes, (base + offset) as usize))));
        if self.last.len() <= pid {
            self.last.resize_with(pid + 1, || None);
        }
        if let Some((same, identity, instance)) = &self.last[pid]
            && *same == definition
            && *identity == self.identity
        {
            return *instance;
        }
        let key = (definition, self.identity.clone());
        let instance = match self.numbers.get(&key) {
            Some(number) => *number,
            None => {
                let number = narrow(self.instances.len());
                self.instances.push(tables.instance(model, definition, &key.1));
                self.numbers.insert(key, number);
                number
            }
        };
        self.last[pid] = Some((definition, self.identity.clone(), instance));
        instance
    }

    /// Whether no set begins in a state of which it is known who its processes are, and no step is local by the text: a quick
    /// look, which says no if in doubt.
    #[inline]
    pub(super) fn is_quiet(&self, view: &View<'_>) -> bool {
        let members = &self.casts[self.current].members;
        view.bases.iter().zip(members).all(|(base, member)| {
            let location = location(member.is_wide, view.bytes, *base as usize);
            location < 64 && member.quiet >> location & 1 != 0
        })
    }

    /// Who the processes of a state are, of which that is known, and where they stand, if a number can say it.
    #[inline]
    pub(super) fn combination(&self, view: &View<'_>) -> Option<Combination> {
        let cast = &self.casts[self.current];
        let digits = cast.digits.as_deref()?;
        let mut locations = 0;
        for ((base, member), digit) in view.bases.iter().zip(&cast.members).zip(digits) {
            locations += location(member.is_wide, view.bytes, *base as usize) as u64 * digit;
        }
        Some(Combination { cast: self.current, locations })
    }

    /// Finds the profile of a state of which it is known who its processes are. Where no set begins so often enough, it is
    /// found out which places are quiet.
    #[inline]
    pub(super) fn stand(&mut self, model: &Model, tables: &Tables, view: &View<'_>) {
        let combination = self.combination(view);
        let (slot, is_known) = combination.map_or((SLOTS, false), |combination| self.combinations.slot(combination));
        self.at = slot;
        if !is_known {
            self.describe_profile(model, tables, view);
            combination.into_iter().for_each(|combination| self.combinations.know(combination));
        }
    }

    /// What is known of the state at hand.
    #[inline]
    pub(super) fn profile(&self) -> &Profile {
        &self.profiles[self.at]
    }

    /// Fills the profile of the state at hand.
    fn describe_profile(&mut self, model: &Model, tables: &Tables, view: &View<'_>) {
        if self.profiles.is_empty() {
            self.profiles.resize_with(SLOTS + 1, Profile::default);
        }
        // What was allocated is used again.
        let Profile { standing, first_edges, edges, .. } = std::mem::take(&mut self.profiles[self.at]);
        let mut profile = Profile { standing, first_edges, edges, ..Profile::default() };
        profile.standing.clear();
        profile.edges.clear();
        profile.first_edges.clear();
        profile.first_edges.resize(view.bases.len(), None);
        let Self { casts, current, pairs, instances, .. } = self;
        let cast = &mut casts[*current];
        for (pid, base) in view.bases.iter().enumerate() {
            let Member { first, is_wide, .. } = cast.members[pid];
            let location = location(is_wide, view.bytes, *base as usize);
            let number = first + location;
            let place = match &cast.places[number] {
                Some(place) => place,
                None => {
                    let mut place = describe(model, tables, instances, pairs, (&*cast, pid, location));
                    if let Some(edges) = needs_everywhere(model, tables, instances, pairs, (&*cast, pid, location)) {
                        place.edges = Some(cast.edges.len());
                        cast.edges.extend(edges);
                    }
                    cast.patience = PATIENCE;
                    cast.members.iter_mut().for_each(|member| member.quiet = 0);
                    cast.places[number].insert(place)
                }
            };
            profile.movable |= u64::from(!place.is_idle) << pid;
            profile.barred |= u64::from(place.is_barred) << pid;
            profile.walls |= u64::from(place.is_wall) << pid;
            profile.local |= u64::from(place.is_local) << pid;
            profile.standing.push(Standing { place: narrow(number), location: narrow(location) });
        }
        profile.seeds = self.seeds(&profile);
        if profile.seeds == 0 {
            let cast = &mut self.casts[self.current];
            cast.patience = cast.patience.saturating_sub(1);
            if cast.patience == 1 {
                cast.settle();
            }
        }
        self.profiles[self.at] = profile;
    }

    /// The processes from which a closed set may be found, by where all processes stand.
    fn seeds(&self, profile: &Profile) -> u64 {
        let (pairs, Profile { standing, movable, .. }) = (&self.pairs, profile);
        let cast = &self.casts[self.current];
        let place = |pid: usize| cast.places[standing[pid].place as usize].as_ref().expect("it was met there");
        // A set with such a process leaves nothing out.
        let is_hub = |pid: &usize| movable & !(place(*pid).must.always | 1 << pid) == 0;
        let fatal = profile.walls | word((0..standing.len()).filter(is_hub));
        let look_up = |needs: Needs, pid: usize, flag: u8| {
            let is_needed = |other: &usize| {
                let pair = &pairs[cast.pairs[pid * standing.len() + other] as usize];
                pair.place(standing[pid].location as usize, place(*other).future) & flag != 0
            };
            needs.always | word(bits(needs.sometimes).filter(is_needed))
        };
        let must = |pid: usize| look_up(place(pid).must, pid, MUST);
        let begins = |seed: &usize| {
            let moving = place(*seed).moving;
            moving.always & fatal == 0 && is_seed((*seed, look_up(moving, *seed, MOVING)), must, *movable, fatal)
        };
        word(bits(movable & !profile.barred).filter(begins))
    }

    /// Where a process of the state at hand stands.
    #[inline]
    pub(super) fn location(&self, pid: usize) -> usize {
        self.profile().standing[pid].location as usize
    }

    /// Which edges of a process of the state at hand must be expanded fully, of the first 64.
    #[inline]
    pub(super) fn barred_edges(&self, pid: usize) -> u64 {
        self.place(pid).barred_edges
    }

    /// What each edge of a process of the state at hand needs.
    #[inline]
    pub(super) fn edges(&mut self, model: &Model, tables: &Tables, pid: usize) -> &[EdgeNeeds] {
        if let Some(first) = self.place(pid).edges {
            return &self.casts[self.current].edges[first..];
        }
        let first = match self.profile().first_edges[pid] {
            Some(first) => first,
            None => self.note_edges(model, tables, pid),
        };
        &self.profile().edges[first as usize..]
    }

    /// Notes what each edge of a process needs where all processes stand now.
    #[cold]
    fn note_edges(&mut self, model: &Model, tables: &Tables, pid: usize) -> u32 {
        let (cast, standing) = (&self.casts[self.current], &self.profile().standing);
        let count = standing.len();
        let pair = |other: usize| &self.pairs[cast.pairs[pid * count + other] as usize];
        let future = |other: usize| self.tables(other).future_at[self.location(other)];
        let location = self.location(pid);
        let is_related = |other: &usize| *other != pid && pair(*other).place(location, future(*other)) & MAY != 0;
        let relation = |other: usize, edge| {
            Some(pair(other).edge(edge, future(other) as usize, tables.counts_ends_of(other, count)))
        };
        let others = (0..count).filter(is_related);
        let edges =
            edge_needs(model, tables, (self.tables(pid), pid, location), others, relation).expect("all is known");
        let profile = &mut self.profiles[self.at];
        let first = narrow(profile.edges.len());
        profile.edges.extend(edges);
        profile.first_edges[pid] = Some(first);
        first
    }

    /// The place of a process of the state at hand.
    #[inline]
    fn place(&self, pid: usize) -> &Place {
        let number = self.profile().standing[pid].place as usize;
        self.casts[self.current].places[number].as_ref().expect("it was met there")
    }

    /// The tables of a process of the state at hand.
    #[inline]
    pub(super) fn tables(&self, pid: usize) -> &Instance {
        &self.instances[self.casts[self.current].instances[pid] as usize]
    }
}

impl Cast {
    /// Finds out which of the places that were met are quiet.
    #[cold]
    fn settle(&mut self) {
        let (mut met, mut at) = (Vec::new(), Vec::new());
        for (pid, member) in self.members.iter().enumerate() {
            let end = self.members.get(pid + 1).map_or(self.places.len(), |next| next.first);
            for (location, place) in self.places[member.first..end].iter().enumerate() {
                let Some(Place { must, moving, is_local, is_idle, is_barred, is_wall, .. }) = *place else { continue };
                let (must, moving, is_barred) = (must.always, moving.always, is_barred || is_idle);
                met.push(Met { pid, must, moving, is_movable: !is_idle, is_wall, is_barred, is_local });
                at.push((pid, location));
            }
        }
        for ((pid, location), is_quiet) in at.into_iter().zip(quiet(&met)) {
            if is_quiet && location < 64 {
                self.members[pid].quiet |= 1 << location;
            }
        }
    }
}

/// What is known of a process of a cast at a location.
fn describe(
    model: &Model,
    tables: &Tables,
    instances: &[Instance],
    pairs: &[Pair],
    (cast, pid, location): (&Cast, usize, usize),
) -> Place {
    let instance = &instances[cast.instances[pid] as usize];
    let node = &model.definitions[instance.definition].nodes[location];
    let edges = model.edges_of(node);
    let count = cast.instances.len();
    let (mut must, mut moving) = (Needs::default(), Needs::default());
    for other in (0..count).filter(|other| *other != pid) {
        let (all, some) = pairs[cast.pairs[pid * count + other] as usize].places(location);
        must.add(other, all & MUST != 0, some & MUST != 0);
        moving.add(other, all & MOVING != 0, some & MOVING != 0);
    }
    let is_last = pid + 1 == count;
    let is_idle = !node.is_restricted
        && edges.iter().all(|edge| is_never_taken(edge) || matches!(edge.guard, Guard::Terminate) && !is_last);
    let first = node.first - tables.first[instance.definition];
    let sticky = &cast.sticky[pid][first..first + node.count];
    let is_barred =
        sticky.iter().zip(&instance.visible[first..first + node.count]).all(|(sticky, visible)| *sticky || *visible);
    let can_move = !node.is_restricted && edges.iter().any(|edge| matches!(edge.guard, Guard::Always | Guard::Else));
    let future = instance.future_at[location];
    let is_local = tables.local[instance.definition][location] && !is_idle;
    let visible = instance.visible[first..first + node.count].iter();
    let is_kept = |(edge, (sticky, visible)): (usize, (&bool, &bool))| (*sticky || *visible).then_some(edge);
    let barred_edges = word(sticky.iter().zip(visible).enumerate().take(64).filter_map(is_kept));
    let is_wall = is_barred && can_move;
    Place { must, moving, future, is_local, is_idle, is_barred, is_wall, barred_edges, edges: None }
}

/// What each edge of a location of a process of a cast needs; none if that depends on where other processes stand.
fn needs_everywhere(
    model: &Model,
    tables: &Tables,
    instances: &[Instance],
    pairs: &[Pair],
    (cast, pid, location): (&Cast, usize, usize),
) -> Option<Vec<EdgeNeeds>> {
    let count = cast.instances.len();
    let pair = |other: usize| &pairs[cast.pairs[pid * count + other] as usize];
    let relation = |other: usize, edge| match pair(other).places(location) {
        (all, _) if all & MAY == 0 => None,
        _ => pair(other).edge_everywhere(edge, tables.counts_ends_of(other, count)),
    };
    let others = (0..count).filter(|other| *other != pid && pair(*other).places(location).1 & MAY != 0);
    edge_needs(model, tables, (&instances[cast.instances[pid] as usize], pid, location), others, relation)
}

/// Whether the closure from a process that needs these leaves out one that may move, and contains no fatal one.
#[inline]
fn is_seed((seed, needs): (usize, u64), must: impl Fn(usize) -> u64, movable: u64, fatal: u64) -> bool {
    let (mut closed, mut open) = (1_u64 << seed, needs);
    loop {
        if movable & !(closed | open) == 0 || open & fatal != 0 {
            return false;
        }
        if open == 0 {
            return true;
        }
        let next = open.trailing_zeros() as usize;
        closed |= 1 << next;
        open = (open | must(next)) & !closed;
    }
}

/// What a value of a frozen variable tells instances apart by.
#[inline]
fn telling(value: i32) -> i32 {
    if VALUES.contains(&value) { value } else { UNKNOWN }
}

/// A number of an instance or a table, of which there are few.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("few instances")
}

/// The numbers of the bits that are set.
#[inline]
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

/// The word in which these bits are set.
#[inline]
fn word(bits: impl Iterator<Item = usize>) -> u64 {
    bits.fold(0, |word, bit| word | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the first of three processes begins a set, by what it needs and what each needs in any case.
    fn begins(needs: u64, must: [u64; 3], movable: u64, fatal: u64) -> bool {
        is_seed((0, needs), |pid| must[pid], movable, fatal)
    }

    #[test]
    fn a_closure_follows_what_is_needed_in_any_case() {
        // The first needs the second if it moves, the second the third in any case, the third nobody.
        assert!(!begins(0b010, [0, 0b100, 0], 0b111, 0));
        assert!(begins(0b010, [0, 0, 0b001], 0b111, 0));
        assert!(begins(0, [0b110, 0b100, 0], 0b111, 0));
    }

    #[test]
    fn what_cannot_move_is_not_left_out() {
        assert!(!begins(0b010, [0; 3], 0b011, 0));
        assert!(!begins(0, [0; 3], 0b001, 0));
        assert!(begins(0b100, [0; 3], 0b111, 0));
    }

    #[test]
    fn a_set_contains_nothing_that_must_be_expanded_fully() {
        assert!(begins(0b010, [0; 3], 0b111, 0b100));
        assert!(!begins(0b010, [0; 3], 0b111, 0b010));
        assert!(!begins(0b010, [0, 0b101, 0], 0b1111, 0b100));
    }
}
