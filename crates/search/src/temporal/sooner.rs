//! Runs that are found by reachability, breadth first: bad prefixes, and runs that end.
//!
//! *Contract.* What is found is a shortest one of its kind, unless depth first was asked for; a run that is there already
//! is replaced by a shorter one only, and stays proved to be minimal only if the search for a shorter one came to its end.

use super::{Move, Options, Outcome, Run};
use crate::emptiness::End;
use crate::ends::Ends;
use crate::explore::{self, Kind, Occurrence, Until};
use crate::meter::Statistics;
use crate::prefix::Prefixes;
use crate::product::{Atoms, Product, ProductStep};
use crate::stutter::Repeats;
use kernel::budget::Exhausted;
use kernel::system::System;

/// Kinds of runs that are sought breadth first.
#[derive(Clone, Copy)]
pub(super) enum Sooner {
    /// Those after which all is lost.
    Prefix,
    /// Those that end.
    End,
}

/// Looks for a run of a kind that is shorter than the one there is, or than the bound if there is none.
pub(super) fn seek_sooner<M, P>(
    product: &Product<M, P>,
    kind: Sooner,
    outcome: &mut Outcome<M::Step>,
    options: &mut Options<'_>,
) where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let most = outcome.run.as_ref().map_or(options.max_length, |run| run.length().checked_sub(1));
    let Some(most) = most else { return };
    let (end, run, statistics) = match kind {
        Sooner::Prefix => {
            let asked = options.max_length.replace(most);
            let sought = seek_prefix(product, options, true);
            options.max_length = asked;
            sought
        }
        // The repetition is a step, too.
        Sooner::End => {
            let Some(most) = most.checked_sub(1) else { return };
            seek_end(product, options, most)
        }
    };
    outcome.statistics = outcome.statistics.then(statistics);
    outcome.method.push_str(match kind {
        Sooner::Prefix => "; then breadth-first reachability",
        Sooner::End => "; then breadth-first reachability of ends",
    });
    match (run, end) {
        // With a bound, everything else that short was looked for before.
        (Some(run), _) if outcome.run.is_none() => {
            (outcome.end, outcome.is_minimal) = (End::Found, true);
            outcome.first_length = Some(run.length());
            outcome.run = Some(run);
        }
        // A shortest run of this kind is shorter than the lasso; that the lasso was not shortest does not matter then,
        // unless a shorter one is also shorter than this run.
        (Some(run), _) => outcome.run = Some(run),
        (None, End::Limit(exhausted)) if exhausted != Exhausted::Depth => outcome.is_minimal = false,
        (None, _) => {}
    }
}

/// Looks for one bad prefix.
pub(super) fn seek_prefix<M, P>(
    product: &Product<M, P>,
    options: &mut Options<'_>,
    is_breadth_first: bool,
) -> Sought<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let most = options.max_length;
    let (end, path, statistics) = reach(&Prefixes::new(product), options, most, is_breadth_first);
    (end, path.map(|moves| run(product, moves, Vec::new())), statistics)
}

/// Looks for a shortest run that ends after so many steps at most, and is accepted.
fn seek_end<M, P>(product: &Product<M, P>, options: &mut Options<'_>, most: u64) -> Sought<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let view = Ends::new(product);
    let (end, path, statistics) = reach(&view, options, Some(most), true);
    let run = path.map(|moves| {
        let mut last = Vec::new();
        view.initial(&mut last);
        let last: Box<[u8]> = moves.last().map_or(last.into(), |next| next.state.clone());
        let step = view.repetition(&mut view.scratch(), &last).expect("the path leads to an end that is accepted");
        let repetition = Move { step: ProductStep { model: step, edge: None }, state: last };
        run(product, moves, vec![repetition])
    });
    (end, run, statistics)
}

/// How a search for one run ended, the run, and numbers.
type Sought<S> = (End, Option<Run<S>>, Statistics);

/// The steps of a path, with the states after them.
type Path<S> = Vec<Move<S>>;

/// Looks for a path to an invalid end of at most so many steps.
fn reach<V: System>(
    view: &V,
    options: &mut Options<'_>,
    most: Option<u64>,
    is_breadth_first: bool,
) -> (End, Option<Path<V::Step>>, Statistics) {
    let mut budget = options.budget.stage();
    budget.depth = match (budget.depth, most) {
        (Some(depth), Some(length)) => Some(depth.min(length)),
        (depth, length) => depth.or(length),
    };
    let identity = |_: &Occurrence<'_, V::Step>| 0;
    let progress = &mut *options.progress;
    let how = explore::Options { until: Until::First, budget: &budget, identity: &identity, progress };
    let report = match is_breadth_first {
        true => explore::bfs::search(view, how),
        false => explore::dfs::search(view, how),
    };
    let found = report.findings.into_iter().find(|finding| finding.kind == Kind::InvalidEnd);
    let path = found.map(|finding| finding.path.moves);
    let end = match (report.end, &path) {
        (_, Some(_)) | (explore::End::Enough, None) => End::Found,
        (explore::End::Complete, None) => End::Complete,
        (explore::End::Limit(exhausted), None) => End::Limit(exhausted),
    };
    (end, path, report.statistics)
}

/// The model's part of moves of the product. Where nothing moves once, nothing ever does, however many times the
/// automaton goes on by itself: then the cycle is one repetition.
fn run<M, P>(
    product: &Product<M, P>,
    stem: Path<ProductStep<M::Step>>,
    cycle: Path<ProductStep<M::Step>>,
) -> Run<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    run_by(product, stem, cycle, &|step: ProductStep<M::Step>| step.model)
}

/// The same for a wrapper over the product.
pub(super) fn run_by<M, P, S>(
    product: &Product<M, P>,
    stem: Path<S>,
    cycle: Path<S>,
    strip: &impl Fn(S) -> M::Step,
) -> Run<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    S: Copy,
{
    let one = |next: Move<S>| Move { step: strip(next.step), state: product.split(&next.state).0.into() };
    let mut stem: Path<M::Step> = stem.into_iter().map(one).collect();
    let mut cycle: Path<M::Step> = cycle.into_iter().map(one).collect();
    let is_repetition = |next: &Move<M::Step>| product.model().is_repetition(next.step);
    if let Some(end) = stem.iter().position(is_repetition) {
        cycle = vec![stem.swap_remove(end)];
        stem.truncate(end);
    } else if cycle.first().is_some_and(is_repetition) {
        cycle.truncate(1);
    }
    Run { stem, cycle }
}
