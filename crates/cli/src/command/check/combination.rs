//! Options of `check` that cannot be combined, and what to use instead.
//!
//! Weak fairness, and the shortest lasso for a formula, are searched with several acceptance sets; bit-state hashing and
//! some of the searches know one set only. An option that the others leave nothing to do for is refused rather than
//! ignored. That is decided before anything is read, as a mistake in the command line.

use crate::arguments::{Among, Choice, EmptinessCheck, Engine, Fairness, Minimiser, StateStore};
use crate::exit::Failure;

/// Refuses options that contradict each other.
pub(super) fn check(engine: &Engine, choice: &Choice) -> Result<(), Failure> {
    if let Some(words) = idle(engine, choice) {
        return Err(Failure::usage(words.to_owned()));
    }
    let several = match (engine.fair, engine.shortest) {
        (Fairness::Weak, _) => Some(("--fair weak", "asks for a move of every process again and again")),
        (_, Some(Among::Formula)) => Some(("--shortest=formula", "uses an automaton with several acceptance sets")),
        _ => None,
    };
    if let (Some((option, why)), Some((other, instead))) = (several, single(engine)) {
        return Err(Failure::usage(format!(
            "`{other}` knows one acceptance set only, and `{option}` {why}: {instead}"
        )));
    }
    if engine.store == StateStore::Bitstate {
        let other = match (engine.emptiness, engine.minimiser) {
            (Some(EmptinessCheck::Spin | EmptinessCheck::Se | EmptinessCheck::Scc), _) => "--emptiness gmz",
            (_, Some(Minimiser::SpinI | Minimiser::Generalised)) => "--minimiser bfs` or `--minimiser dfs",
            _ => return Ok(()),
        };
        return Err(Failure::usage(format!(
            "`--store bitstate` cannot number states, as this search must: use `{other}`, or `--store hash-compact`"
        )));
    }
    Ok(())
}

/// What is wrong with an option that has no effect beside the others.
fn idle(engine: &Engine, choice: &Choice) -> Option<&'static str> {
    match engine.minimiser {
        Some(Minimiser::Dfs | Minimiser::SpinI | Minimiser::Generalised) if engine.all_minimal => {
            Some("`--all-minimal` is a search of its own, by `bfs`: leave `--minimiser` out")
        }
        Some(Minimiser::SpinI) if engine.shortest.is_some() => Some(
            "`--minimiser spin-i` may miss the shortest lasso, on which `--shortest` insists: use `--minimiser bfs`",
        ),
        _ if engine.max_length.is_some() && choice.is_safety_only() => Some(
            "`--max-length` is for temporal properties: use `--max-depth`, with `--search bfs` for shortest traces",
        ),
        _ => None,
    }
}

/// An option that works with one acceptance set only, and what to use in its place.
fn single(engine: &Engine) -> Option<(&'static str, &'static str)> {
    let emptiness = match engine.emptiness {
        Some(EmptinessCheck::Spin) => Some("--emptiness spin"),
        Some(EmptinessCheck::Gmz) => Some("--emptiness gmz"),
        Some(EmptinessCheck::Se) => Some("--emptiness se"),
        Some(EmptinessCheck::Scc) | None => None,
    };
    let minimiser = match engine.minimiser {
        Some(Minimiser::SpinI) => Some("--minimiser spin-i"),
        Some(Minimiser::Dfs) => Some("--minimiser dfs"),
        Some(Minimiser::Bfs) => Some("--minimiser bfs"),
        Some(Minimiser::Generalised) | None => None,
    };
    let store = (engine.store == StateStore::Bitstate).then_some("--store bitstate");
    let all = engine.all_minimal.then_some("--all-minimal");
    emptiness
        .map(|name| (name, "use `--emptiness scc`"))
        .or(minimiser.map(|name| (name, "use `--minimiser generalised`")))
        .or(store.map(|name| (name, "use `--store hash-compact`")))
        .or(all.map(|name| (name, "leave one of them out")))
}

/// Whether a search was asked for that knows one acceptance set only.
pub(super) fn wants_one_set(engine: &Engine) -> bool {
    single(engine).is_some()
}
