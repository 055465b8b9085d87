//! Which searches can be saved, and who watches a check that is.

use super::results::Results;
use crate::arguments::{Check, SelectionArguments};
use crate::checkpoint::{FileCheckpoints, PartsFolder, Subject};
use crate::exit::Failure;
use checker::observer::{Checkpoints, Observer};
use checker::options::{Among, EdgeOrder, Emptiness, Fairness, PromelaOptions, Reductions, SearchOrder, UseOfFacts};
use checker::report::{PropertyReport, Stage, Statistics};
use checker::{Model, Selection};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Shows the results of a check, and saves its search.
pub(super) struct Watching<'a> {
    pub(super) results: &'a Results,
    pub(super) checkpoints: Option<&'a FileCheckpoints>,
}

impl Observer for Watching<'_> {
    fn begin(&mut self, properties: &[PropertyReport]) {
        Observer::begin(&mut self.results, properties);
    }

    fn stage(&mut self, stage: Stage, property: Option<&str>) {
        Observer::stage(&mut self.results, stage, property);
    }

    fn progress(&mut self, statistics: &Statistics, seconds: f64) {
        Observer::progress(&mut self.results, statistics, seconds);
    }

    fn property(&mut self, report: &PropertyReport) {
        Observer::property(&mut self.results, report);
    }

    fn checkpoints(&mut self) -> Option<&dyn Checkpoints> {
        self.checkpoints.map(|checkpoints| checkpoints as &dyn Checkpoints)
    }
}

/// The checkpoints that the command line asks for.
pub(super) fn checkpoints(
    arguments: &Check,
    model: &Model,
    options: &PromelaOptions,
    is_single: bool,
) -> Result<Option<FileCheckpoints>, Failure> {
    let (path, option) = match (&arguments.checkpoint, &arguments.resume) {
        (Some(path), _) => (path, "--checkpoint"),
        (None, Some(path)) => (path, "--resume"),
        (None, None) => return Ok(None),
    };
    if let Some(why) = obstacle(arguments, options, is_single) {
        return Err(Failure::usage(format!("`{option}`: {why}")));
    }
    let subject = subject(model, relevant(arguments, options));
    let every = arguments.checkpoint_interval;
    match arguments.resume {
        Some(_) => FileCheckpoints::resume(path, every, subject),
        None => FileCheckpoints::new(path, every, subject),
    }
    .map(Some)
}

/// What is searched, with these options.
fn subject(model: &Model, mut words: Vec<String>) -> Subject {
    let summary = model.summary();
    words.extend(summary.defines.iter().map(|define| format!("-D {define}")));
    words.extend(summary.undefines.iter().map(|name| format!("-U {name}")));
    Subject { lariat: env!("CARGO_PKG_VERSION").into(), model: summary.sha256, options: words }
}

/// The folder that the command line of one of several processes asks for.
pub(super) fn folder(
    arguments: &Check,
    model: &Model,
    options: &PromelaOptions,
    selection: &Selection,
) -> Result<Option<Arc<PartsFolder>>, Failure> {
    let (path, continues) = match (&arguments.checkpoint, &arguments.resume) {
        (Some(path), _) => (path, false),
        (None, Some(path)) => (path, true),
        (None, None) => return Ok(None),
    };
    // The number of workers may change, and the time for shortening does not change a search.
    let mut words = relevant(arguments, options);
    let same = PromelaOptions { threads: 1, shortest: None, ..options.clone() };
    let all = Sha256::digest(format!("{selection:?} {same:?} {:?}", arguments.promela.max_depth));
    words.push(format!("(all options and properties: {})", hex(&all[..8])));
    PartsFolder::new(path, arguments.checkpoint_interval, subject(model, words), continues).map(Arc::new).map(Some)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why this check cannot be saved, if so.
fn obstacle(arguments: &Check, options: &PromelaOptions, is_single: bool) -> Option<&'static str> {
    let obstacles = [
        (!is_single, "only the check of a single model can be saved"),
        (arguments.model.is_smv(), "checks of SMV models cannot be saved yet"),
        (
            selected(arguments).is_none_or(|words| words.len() != 1),
            "only the check of one property can be saved: select `--safety`, or one of `--ltl`, `--invariant`, `--property`, \
             `--never`, `--automaton`, `--acceptance` and `--non-progress`",
        ),
        (options.disk.is_some(), "searches with `--disk` cannot be saved yet"),
        (options.store.is_lossy(), "only searches with `--store exact` can be saved"),
        (arguments.promela.max_depth.is_some(), "searches with `--max-depth` cannot be saved yet"),
        (options.max_length.is_some(), "searches with `--max-length` cannot be saved yet"),
        (options.all_minimal, "searches with `--all-minimal` cannot be saved yet"),
        (options.shortest == Some(Among::Formula), "searches with `--shortest=formula` cannot be saved yet"),
        (options.fairness == Fairness::Weak, "searches with `--fair weak` cannot be saved yet"),
        (
            options.emptiness.is_some_and(|search| search != Emptiness::Gmz),
            "of the emptiness checks only `gmz`, the default, can be saved",
        ),
        (options.check_facts, "the search of `--check-facts` cannot be saved"),
    ];
    obstacles.into_iter().find(|(is_there, _)| *is_there).map(|(_, words)| words)
}

/// The options that select properties, as on a command line; none if one of them may select several.
fn selected(arguments: &Check) -> Option<Vec<String>> {
    let (SelectionArguments { property, kind, ltl, ltl_file, ctl, invariant }, choice) =
        (&arguments.selection, &arguments.promela.choice);
    if !(kind.is_empty() && ltl_file.is_empty() && ctl.is_empty()) {
        return None;
    }
    let flags =
        [(choice.safety, "--safety"), (choice.acceptance, "--acceptance"), (choice.non_progress, "--non-progress")];
    let mut words: Vec<String> =
        flags.into_iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| flag.into()).collect();
    let lists = [
        ("--property", property),
        ("--ltl", ltl),
        ("--invariant", invariant),
        ("--never", &choice.never),
        ("--automaton", &choice.automaton),
    ];
    for (option, values) in lists {
        words.extend(values.iter().map(|value| format!("{option} {value}")));
    }
    Some(words)
}

/// The options that change which states are visited, in which order, or when the search ends.
fn relevant(arguments: &Check, options: &PromelaOptions) -> Vec<String> {
    let mut list = selected(arguments).unwrap_or_default();
    let flags = [
        (options.order == SearchOrder::Bfs, "--search bfs"),
        (options.first, "--first"),
        (options.all_errors, "--all-errors"),
        (options.shortest.is_some(), "--shortest"),
        (!options.simplify_labels, "--no-simplify-labels"),
        (options.refinement == UseOfFacts::Off, "--refine off"),
        (options.refinement == UseOfFacts::Formula, "--refine formula"),
        (options.refinement == UseOfFacts::Automaton, "--refine automaton"),
    ];
    list.extend(flags.into_iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| flag.into()));
    if options.edge_order != EdgeOrder::default() {
        list.push(format!("--edge-order {}", options.edge_order.name()));
    }
    if let Reductions::Only(chosen) = &options.reductions {
        let names: Vec<_> = chosen.iter().map(|reduction| reduction.name()).collect();
        list.push(format!("--reduce {}", if names.is_empty() { "off".into() } else { names.join(",") }));
    }
    list
}
