//! Options of `check` that cannot be combined, and what to use instead.
//!
//! Weak fairness, and the shortest lasso for a formula, are searched with several acceptance sets. All searches take
//! them, but those that know one set count the others, and a shortest lasso with a counter need not be a shortest one
//! without. So they are refused where a shortest lasso, or a bound on its length, is insisted on. An option that the
//! others leave nothing to do for is refused rather than ignored. That is decided before anything is read, as a mistake
//! in the command line.

use crate::error::Error;
use crate::options::{Among, Fairness, PromelaOptions};
use search::emptiness::Emptiness;
use search::shorten::Shortening;
use search::store::Store;

/// Refuses options that contradict each other. `has_temporal` is false if no temporal property is selected.
///
/// # Errors
/// What the contradiction is, and what to use instead.
pub fn check(options: &PromelaOptions, has_temporal: bool) -> Result<(), Error> {
    let idle = idle(options, has_temporal).map(str::to_owned);
    let words = idle.or_else(|| several(options)).or_else(|| numbered(options));
    words.map_or(Ok(()), |words| Err(Error::Options(words)))
}

/// What is wrong with an option that has no effect beside the others.
fn idle(engine: &PromelaOptions, has_temporal: bool) -> Option<&'static str> {
    match engine.shortening {
        Some(Shortening::Dfs | Shortening::SpinI | Shortening::Generalised) if engine.all_minimal => {
            Some("`--all-minimal` is a search of its own, by `bfs`: leave `--shorten-with` out")
        }
        Some(Shortening::SpinI) if engine.shortest.is_some() => Some(
            "`--shorten-with spin-i` may miss the shortest lasso, on which `--shortest` insists: use `--shorten-with bfs`",
        ),
        _ if engine.max_length.is_some() && !has_temporal => Some(
            "`--max-length` is for temporal properties: use `--max-depth`, with `--search bfs` for shortest traces",
        ),
        _ => None,
    }
}

/// What cannot be done where there are several acceptance sets.
fn several(engine: &PromelaOptions) -> Option<String> {
    let (option, why) = match (engine.fairness, engine.shortest) {
        (Fairness::Weak, _) => ("--fair weak", "asks for a move of every process again and again"),
        (_, Some(Among::Formula)) => ("--shortest=formula", "uses an automaton with several acceptance sets"),
        _ => return None,
    };
    if engine.all_minimal {
        return Some(format!(
            "`--all-minimal` is about each accepting state, and `{option}` {why}, so that cycles accept and no state \
             does: leave one of them out"
        ));
    }
    let is_bitstate = matches!(engine.store, Store::Bitstate { .. });
    let counting = match engine.shortening {
        Some(search) if !search.is_generalised() => format!("--shorten-with {}", search.name()),
        None if is_bitstate => "--store bitstate".to_owned(),
        _ => return None,
    };
    let instead = match is_bitstate {
        true => "use `--store hash-compact` and no `--shorten-with`",
        false => "use `--shorten-with generalised`",
    };
    let asked = match (engine.shortest, engine.max_length) {
        (Some(Among::Formula), _) => "--shortest=formula",
        (Some(Among::Automaton), _) => "--shortest",
        (None, Some(_)) => "--max-length",
        (None, None) => return None,
    };
    Some(format!(
        "`{option}` {why}, which `{counting}` takes one after the other, so that its lassos can be longer than the \
         shortest; but `{asked}` is about the shortest: {instead}"
    ))
}

/// What cannot be done without numbers of states.
fn numbered(engine: &PromelaOptions) -> Option<String> {
    let store = match engine.store {
        Store::Bitstate { .. } => Store::BITSTATE,
        Store::Exact | Store::HashCompact { .. } => return None,
    };
    let names = |all: Vec<String>| all.join("` or `");
    let other = if engine.emptiness.is_some_and(|search| !search.takes(store)) {
        let taking = Emptiness::ALL.into_iter().filter(|search| search.takes(store));
        names(taking.map(|search| format!("--emptiness {}", search.name())).collect())
    } else if engine.shortening.is_some_and(|search| !search.takes(store)) {
        let taking = Shortening::ALL.into_iter().filter(|search| search.takes(store));
        names(taking.map(|search| format!("--shorten-with {}", search.name())).collect())
    } else {
        return None;
    };
    Some(format!(
        "`--store bitstate` cannot number states, as this search must: use `{other}`, or `--store hash-compact`"
    ))
}
