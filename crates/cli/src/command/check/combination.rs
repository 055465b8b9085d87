//! Options of `check` that cannot be combined, and what to use instead.
//!
//! Weak fairness, and the shortest lasso for a formula, are searched with several acceptance sets. All searches take
//! them, but those that know one set count the others, and a shortest lasso with a counter need not be a shortest one
//! without. So they are refused where a shortest lasso, or a bound on its length, is insisted on. An option that the
//! others leave nothing to do for is refused rather than ignored. That is decided before anything is read, as a mistake
//! in the command line.

use crate::arguments::{Among, Choice, Engine, Fairness, StateStore};
use crate::exit::Failure;
use search::emptiness::Emptiness;
use search::shorten::Shortening;
use search::store::Store;

/// Refuses options that contradict each other.
pub(super) fn check(engine: &Engine, choice: &Choice) -> Result<(), Failure> {
    let words = idle(engine, choice).map(str::to_owned).or_else(|| several(engine)).or_else(|| numbered(engine));
    words.map_or(Ok(()), |words| Err(Failure::usage(words)))
}

/// What is wrong with an option that has no effect beside the others.
fn idle(engine: &Engine, choice: &Choice) -> Option<&'static str> {
    match engine.minimiser {
        Some(Shortening::Dfs | Shortening::SpinI | Shortening::Generalised) if engine.all_minimal => {
            Some("`--all-minimal` is a search of its own, by `bfs`: leave `--minimiser` out")
        }
        Some(Shortening::SpinI) if engine.shortest.is_some() => Some(
            "`--minimiser spin-i` may miss the shortest lasso, on which `--shortest` insists: use `--minimiser bfs`",
        ),
        _ if engine.max_length.is_some() && choice.is_safety_only() => Some(
            "`--max-length` is for temporal properties: use `--max-depth`, with `--search bfs` for shortest traces",
        ),
        _ => None,
    }
}

/// What cannot be done where there are several acceptance sets.
fn several(engine: &Engine) -> Option<String> {
    let (option, why) = match (engine.fair, engine.shortest) {
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
    let counting = match engine.minimiser {
        Some(search) if !search.is_generalised() => format!("--minimiser {}", search.name()),
        None if engine.store == StateStore::Bitstate => "--store bitstate".to_owned(),
        _ => return None,
    };
    let instead = match engine.store {
        StateStore::Bitstate => "use `--store hash-compact` and no `--minimiser`",
        StateStore::Exact | StateStore::HashCompact => "use `--minimiser generalised`",
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
fn numbered(engine: &Engine) -> Option<String> {
    let store = match engine.store {
        StateStore::Bitstate => Store::BITSTATE,
        StateStore::Exact | StateStore::HashCompact => return None,
    };
    let names = |all: Vec<String>| all.join("` or `");
    let other = if engine.emptiness.is_some_and(|search| !search.takes(store)) {
        let taking = Emptiness::ALL.into_iter().filter(|search| search.takes(store));
        names(taking.map(|search| format!("--emptiness {}", search.name())).collect())
    } else if engine.minimiser.is_some_and(|search| !search.takes(store)) {
        let taking = Shortening::ALL.into_iter().filter(|search| search.takes(store));
        names(taking.map(|search| format!("--minimiser {}", search.name())).collect())
    } else {
        return None;
    };
    Some(format!(
        "`--store bitstate` cannot number states, as this search must: use `{other}`, or `--store hash-compact`"
    ))
}
