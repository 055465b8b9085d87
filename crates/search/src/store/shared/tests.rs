//! The shared store beside a tree map, and within its limit.

use super::*;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;

/// Each thread inserts its states; the threads pause whenever a segment is crowded.
fn fill(store: &mut SharedStore<AtomicU32>, parts: &[Vec<Vec<u8>>]) -> (Vec<Vec<Number>>, u64, Vec<Range>) {
    let mut writers: Vec<_> = parts.iter().map(|_| Writer::new()).collect();
    let mut numbers = vec![Vec::new(); parts.len()];
    let (mut new, mut level) = (0, Vec::new());
    while numbers.iter().zip(parts).any(|(numbers, part)| numbers.len() < part.len()) {
        writers.iter_mut().for_each(|writer| writer.settle(store));
        store.grow(parts.len()).unwrap();
        writers.iter_mut().for_each(|writer| writer.allow(store, parts.len()));
        let store = &*store;
        let count = |(writer, (numbers, part)): (&mut Writer, (&mut Vec<Number>, &Vec<Vec<u8>>))| {
            let mut new = 0;
            while let Some(state) = part.get(numbers.len()) {
                let note = |note: &AtomicU32| note.store(state.len() as u32, Ordering::Relaxed);
                match writer.insert(store, StateHash::of(state), state, note) {
                    Ok((number, is_new)) => {
                        assert_eq!(store.note(number).load(Ordering::Relaxed), state.len() as u32);
                        numbers.push(number);
                        new += u64::from(is_new);
                    }
                    Err(Refusal::Crowded) => break,
                    Err(Refusal::Full) => panic!("there is no limit"),
                }
            }
            new
        };
        let count = &count;
        new += std::thread::scope(|scope| {
            let work = writers.iter_mut().zip(numbers.iter_mut().zip(parts));
            let threads: Vec<_> = work.map(|work| scope.spawn(move || count(work))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u64>()
        });
    }
    for writer in &mut writers {
        writer.settle(store);
        writer.close(&mut level);
    }
    (numbers, new, level)
}

/// Random states of several lengths: some are alike, others have nothing in common.
fn states(random: &mut rand_chacha::ChaCha8Rng, longest: usize, letters: u8) -> Vec<Vec<u8>> {
    let mut states: Vec<Vec<u8>> = Vec::new();
    for _ in 0..4000 {
        let length = random.random_range(0..=longest);
        let like = random.random_range(0..4) > 0;
        let old = states.last().filter(|state| like && !state.is_empty()).cloned();
        states.push(match old {
            Some(mut state) => {
                let at = random.random_range(0..state.len());
                state[at] = random.random_range(0..letters);
                state
            }
            None => (0..length).map(|_| random.random_range(0..letters)).collect(),
        });
    }
    states
}

#[test]
fn agrees_with_a_tree_map_on_random_insertions_by_several_threads() {
    for seed in 0..60 {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let threads = random.random_range(1..=8);
        let (longest, letters) = (random.random_range(0..70), random.random_range(1..=4_u8));
        let parts: Vec<Vec<Vec<u8>>> = (0..threads).map(|_| states(&mut random, longest, letters)).collect();
        let kind = [Store::Exact, Store::Auto, Store::Compressed][seed as usize % 3];
        let mut store = SharedStore::<AtomicU32>::new(kind, u64::MAX);
        let (numbers, new, level) = fill(&mut store, &parts);
        let mut twin: BTreeMap<&[u8], Number> = BTreeMap::new();
        let mut buffer = Vec::new();
        for (state, number) in parts.iter().flatten().zip(numbers.iter().flatten()) {
            assert_eq!(*twin.entry(state).or_insert(*number), *number, "seed {seed}");
            assert_eq!(store.find(StateHash::of(state), state), Some(*number), "seed {seed}");
            assert_eq!((&*store.state(*number), store.read(*number, &mut buffer)), (&**state, &**state));
            let is_long = state.len() >= kind.least_compressed()[0];
            assert_eq!(store.block(number.block()).layout().is_some(), is_long, "seed {seed}");
        }
        assert_eq!(new, twin.len() as u64, "seed {seed}");
        let listed: Vec<Number> = level.iter().flat_map(|range| range.numbers()).collect();
        let distinct: std::collections::BTreeSet<Number> = listed.iter().copied().collect();
        assert_eq!((listed.len(), distinct.len()), (twin.len(), twin.len()), "seed {seed}");
        assert!(twin.values().all(|number| distinct.contains(number)), "seed {seed}");
    }
}

/// One hash for all: only lengths and bytes tell the states apart.
#[test]
fn every_byte_and_the_length_of_a_compressed_state_decide() {
    let mut store = SharedStore::<AtomicU32>::new(Store::Compressed, u64::MAX);
    let mut writer = Writer::new();
    writer.allow(&store, 1);
    let hash = StateHash::of(b"");
    for length in 0..50 {
        for at in 0..=length {
            let mut state = vec![0; length];
            state.iter_mut().skip(at).take(1).for_each(|byte| *byte = 1);
            for is_new in [true, false] {
                writer.settle(&mut store);
                store.grow(1).unwrap();
                writer.allow(&store, 1);
                assert_eq!(writer.insert(&store, hash, &state, |_| {}).unwrap().1, is_new, "{at} of {length}");
            }
        }
    }
}

/// All states belong into one line, and few have a tag of their own.
#[test]
fn an_insertion_after_an_old_look_finds_what_was_inserted_since() {
    for seed in 0..200 {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let store = SharedStore::<AtomicU32>::new(Store::Exact, u64::MAX);
        let mut writer = Writer::new();
        writer.allow(&store, random.random_range(1..=2));
        let mut numbers = BTreeMap::new();
        for _ in 0..4 {
            let states: Vec<[u8; 2]> =
                (0..40).map(|_| [random.random_range(0..8), random.random_range(0..8)]).collect();
            let hash = |[first, _]: &[u8; 2]| StateHash(u64::from(*first) << 26);
            let looks: Vec<_> = states.iter().map(|state| store.look(hash(state))).collect();
            for (state, look) in states.iter().zip(&looks) {
                let (number, is_new) = writer.insert_from(&store, hash(state), state, look, |_| {}).unwrap();
                assert_eq!(numbers.insert(*state, number).is_none(), is_new, "seed {seed}, {state:?}");
                assert!(store.is(number, state), "seed {seed}, {state:?}");
            }
        }
        assert_eq!(numbers.values().collect::<std::collections::BTreeSet<_>>().len(), numbers.len(), "seed {seed}");
    }
}

/// Bytes are counted before they are allocated, whatever the states are.
#[test]
fn a_store_stays_within_its_limit() {
    let counter = |n: u64| n.to_be_bytes().to_vec();
    let alike =
        |n: u64| [[7; 8]; 10].into_iter().chain([(n % 1000).to_be_bytes(), n.to_be_bytes()]).flatten().collect();
    let unlike = |n: u64| (0..8).flat_map(|at| super::super::mix(n * 8 + at).to_be_bytes()).collect();
    type States<'a> = &'a dyn Fn(u64) -> Vec<u8>;
    let kinds: [(Store, States<'_>, u64); 4] = [
        (Store::Exact, &counter, 70_000),
        (Store::Exact, &alike, 20_000),
        (Store::Compressed, &alike, 40_000),
        (Store::Compressed, &unlike, 20_000),
    ];
    for (kind, state, least) in kinds {
        let mut store = SharedStore::<AtomicU32>::new(kind, 3_000_000);
        let mut writer = Writer::new();
        let mut inserted = 0_u64;
        let refusal = loop {
            writer.settle(&mut store);
            if store.grow(1).is_err() {
                break Refusal::Full;
            }
            writer.allow(&store, 1);
            let state = state(inserted);
            match writer.insert(&store, StateHash::of(&state), &state, |_| {}) {
                Ok(_) => inserted += 1,
                Err(Refusal::Crowded) => panic!("the store has just grown"),
                Err(Refusal::Full) => break Refusal::Full,
            }
        };
        assert_eq!(refusal, Refusal::Full);
        assert!(store.bytes() <= 3_000_000 && inserted > least, "{} bytes, {inserted} states", store.bytes());
    }
}

#[test]
fn shorter_states_are_compressed_when_memory_becomes_scarce() {
    for (limit, most) in [(u64::MAX, 0), (4_000_000, 30_000)] {
        let mut store = SharedStore::<AtomicU32>::new(Store::Auto, limit);
        let mut writer = Writer::new();
        let mut compressed = 0;
        for n in 0..30_000_u64 {
            writer.settle(&mut store);
            store.grow(1).unwrap();
            writer.allow(&store, 1);
            let state = [7, 7, 7, n % 1000, n / 1000].map(u64::to_be_bytes).concat();
            let (number, _) = writer.insert(&store, StateHash::of(&state), &state, |_| {}).unwrap();
            compressed += u64::from(store.block(number.block()).layout().is_some());
            assert_eq!(&*store.state(number), state);
        }
        assert!(compressed <= most && (most == 0 || compressed > most / 4), "{compressed} of {most}");
    }
}
