//! From formula to small automaton: simplify, construct, reduce.
//!
//! What: [`translate`] chooses and orders the steps that [`Options`] ask for, and records the size after each.
//!
//! Contract: the automaton accepts exactly the words that satisfy the formula. With [`Output::Buchi`] it has one
//! acceptance set, and acceptance is state-based. Its atoms are those that its labels mention. Deterministic.
//!
//! The levels differ in what they do, not in what they promise:
//!
//! | level | formula | automaton |
//! |---|---|---|
//! | low | negation normal form | useless states and acceptance sets go |
//! | medium | all rewriting rules | simulation both ways until stable; the minimal automaton of an obligation |
//! | high | as medium | merging by trial; several ways side by side, of which the best counts |
//!
//! Tested by: `tests/pipeline.rs` on random formulas; the sizes by the program `corpus-ltl` in `benches/`.

pub mod reduce;

use bdd::Variable;

use crate::automaton::{Automaton, MAX_SETS, Marks};
use crate::combine::product::intersection;
use crate::formula::{Formula, Formulas};
use crate::reduce::cosimulation::{Acceptance, cosimulation};
use crate::reduce::degeneralize::degeneralize;
use crate::reduce::marking::{on_entry, saturate};
use crate::reduce::merge::merge;
use crate::reduce::obligation::obligation;
use crate::reduce::prune::prune;
use crate::reduce::recurrence::recurrence;
use crate::reduce::sets::drop_superfluous;
use crate::reduce::simulation::simulation;
use crate::reduce::statewise::{Guessing, statewise};
use crate::rewrite::{Nnf, Simplifier};
use crate::translate::TooLarge;
use crate::translate::couvreur::{self, Branching};
use crate::translate::{go, gpvw, past, recurrences, tight};

/// How a formula becomes an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construction {
    /// [`couvreur`], the default.
    Couvreur,
    /// [`go`].
    Go,
    /// [`gpvw`].
    Gpvw,
    /// [`tight`]; what is reduced afterwards is no longer tight.
    Tight,
}

/// The kind of automaton asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// One acceptance set, state-based.
    Buchi,
    /// Any number of sets, transition-based.
    Generalized,
}

/// Which of several automata is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The one with fewer states.
    Small,
    /// A deterministic one, if there is one with at most twice the edges of the smallest.
    Deterministic,
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What is linear.
    Low,
    /// What needs no automaton for the negation, and obligations.
    Medium,
    /// Everything.
    High,
}

/// What to translate into, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The construction.
    pub construction: Construction,
    /// The kind of automaton.
    pub output: Output,
    /// What counts as better.
    pub preference: Preference,
    /// How much is done.
    pub level: Level,
    /// The most states a construction may have before reductions.
    pub limit: usize,
}

impl Default for Options {
    /// A small state-based Büchi automaton, whatever it takes.
    fn default() -> Self {
        Options {
            construction: Construction::Couvreur,
            output: Output::Buchi,
            preference: Preference::Small,
            level: Level::High,
            limit: 20_000,
        }
    }
}

/// The size after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was done.
    pub name: &'static str,
    /// The number of states after it.
    pub states: usize,
    /// The number of edges after it.
    pub edges: usize,
    /// The number of acceptance sets after it.
    pub sets: u32,
}

/// An automaton and how it came about.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The automaton.
    pub automaton: Automaton,
    /// The steps in order.
    pub steps: Vec<Step>,
}

/// Translates a formula.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::pipeline::{Options, translate};
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(request -> F grant)", Syntax::Spot).unwrap();
/// let translation = translate(&mut formulas, formula, &Options::default()).unwrap();
/// assert_eq!(translation.automaton.state_count(), 2);
/// ```
///
/// # Errors
/// Where the construction is too large.
pub fn translate(formulas: &mut Formulas, formula: Formula, options: &Options) -> Result<Translation, TooLarge> {
    let negation = formulas.not(formula);
    let [formula, negation] = match options.level {
        Level::Low => {
            let mut nnf = Nnf::new();
            [formula, negation].map(|formula| nnf.of(formulas, formula))
        }
        Level::Medium | Level::High => {
            let mut simplifier = Simplifier::new();
            [formula, negation].map(|formula| simplifier.simplify(formulas, formula))
        }
    };
    let mut run = Run { options, steps: Vec::new() };
    let mut found: Vec<Automaton> = Vec::new();
    // A deterministic automaton with generalised acceptance has an edge for each set of members anyway.
    let explicit = options.output == Output::Generalized && options.preference == Preference::Deterministic;
    if options.construction == Construction::Couvreur
        && !explicit
        && let Some((rest, members)) = recurrences::split(formulas, formula)
    {
        run.apart(formulas, rest, &members, &mut found)?;
        return Ok(run.finish(&found));
    }
    let complement = if options.level > Level::Low { complement(formulas, negation, options) } else { None };
    for (name, automaton) in constructions(formulas, formula, options)? {
        let automaton = run.record(name, automaton);
        match &complement {
            Some(complement) => {
                let (automaton, complement) = Automaton::aligned(&automaton, complement);
                run.reductions(automaton, Some(&complement), &mut found);
            }
            None => run.reductions(automaton, None, &mut found),
        }
    }
    Ok(run.finish(&found))
}

/// A deterministic automaton is preferred up to so many times the edges of the smallest one.
const WORTH_OF_DETERMINISM: usize = 2;

/// What is compared to find the best: the smaller, the better.
fn rank(automaton: &Automaton, preference: Preference, fewest_edges: usize) -> [usize; 4] {
    let (states, edges) = (automaton.state_count(), automaton.edge_count());
    let nondeterministic = automaton.nondeterministic_state_count();
    match preference {
        Preference::Small => [states, nondeterministic, edges, 0],
        Preference::Deterministic => {
            let unwanted = nondeterministic > 0 || edges > WORTH_OF_DETERMINISM * fewest_edges;
            [usize::from(unwanted), states, nondeterministic, edges]
        }
    }
}

/// The automata to start from.
fn constructions(
    formulas: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<Vec<(&'static str, Automaton)>, TooLarge> {
    Ok(match options.construction {
        Construction::Couvreur => {
            let immediate = couvreur::translate(formulas, formula, Branching::Immediate, options.limit)?;
            // Postponed branching can be exponentially larger; then it is of no use.
            let limit = 2 * immediate.state_count() + 10;
            let mut all = vec![("couvreur", immediate)];
            if options.level == Level::High && !all[0].1.is_deterministic() {
                let postponed = couvreur::translate(formulas, formula, Branching::Postponed, limit);
                all.extend(postponed.ok().map(|automaton| ("couvreur, branching postponed", automaton)));
            }
            all
        }
        Construction::Go => vec![("go", go::translate(formulas, formula, options.limit)?)],
        Construction::Gpvw => vec![("gpvw", gpvw::translate_generalized(formulas, formula, options.limit)?)],
        Construction::Tight => {
            let tight = |formulas: &mut Formulas, future| {
                tight::translate(formulas, future, options.limit).map(|tight| tight.automaton)
            };
            vec![("tight", past::translate(formulas, formula, options.limit, tight)?)]
        }
    })
}

/// Up to so many states the automaton for the negation is itself reduced.
const SMALL_COMPLEMENT: usize = 100;

/// Up to so many pairs of edges an automaton is compared with one for the negation.
const LARGEST_PRODUCT: usize = 20_000_000;

/// An automaton for the negation, to compare with; none if it is too large.
fn complement(formulas: &mut Formulas, negation: Formula, options: &Options) -> Option<Automaton> {
    let options = Options { level: Level::Medium, ..*options };
    let (_, automaton) = constructions(formulas, negation, &options).ok()?.pop()?;
    let automaton = drop_superfluous(&saturate(&prune(&automaton), Marks::NONE));
    let small = automaton.state_count() <= SMALL_COMPLEMENT;
    Some(if small { prune(&simulation(&automaton)) } else { automaton })
}

/// A translation on its way.
struct Run<'a> {
    options: &'a Options,
    steps: Vec<Step>,
}

impl Run<'_> {
    fn record(&mut self, name: &'static str, automaton: Automaton) -> Automaton {
        let (states, edges, sets) = (automaton.state_count(), automaton.edge_count(), automaton.sets());
        self.steps.push(Step { name, states, edges, sets });
        automaton
    }

    /// Takes the best of what was found.
    fn finish(mut self, found: &[Automaton]) -> Translation {
        let preference = self.options.preference;
        let fewest = found.iter().map(Automaton::edge_count).min().expect("a construction");
        let best = found.iter().min_by_key(|automaton| rank(automaton, preference, fewest)).expect("a construction");
        let automaton = self.record("best", with_used_atoms(best));
        Translation { automaton, steps: self.steps }
    }

    /// Translates a conjunction of `rest` and of `GF b` for all members, the latter apart, into `found`.
    fn apart(
        &mut self,
        formulas: &mut Formulas,
        rest: Formula,
        members: &[Formula],
        found: &mut Vec<Automaton>,
    ) -> Result<(), TooLarge> {
        let rest = translate(formulas, rest, &Options { output: Output::Generalized, ..*self.options })?;
        self.steps.extend(rest.steps);
        let others = match self.options.output {
            Output::Generalized => recurrences::choosing(formulas, members)?,
            Output::Buchi => recurrences::counting(formulas, members)?,
        };
        if rest.automaton.sets() + others.sets() > MAX_SETS {
            return Err(TooLarge::Sets);
        }
        let others = self.record("recurrences apart", others);
        let product = prune(&intersection(&rest.automaton, &others));
        let product = self.record("product", drop_superfluous(&saturate(&product, Marks::NONE)));
        self.output(product, None, found);
        Ok(())
    }

    /// Reduces what a construction gave, in one way or several, into `found`.
    fn reductions(&mut self, automaton: Automaton, complement: Option<&Automaton>, found: &mut Vec<Automaton>) {
        let automaton = self.record("prune", prune(&automaton));
        if self.options.level == Level::Low {
            let automaton = drop_superfluous(&saturate(&automaton, Marks::NONE));
            let automaton = self.record("drop sets", automaton);
            self.output(automaton, None, found);
            return;
        }
        let plain = self.simulated(automaton, Acceptance::ByEdge);
        let limit = 4 * plain.state_count() + 100;
        let edges = |complement: &Automaton| plain.edge_count().saturating_mul(complement.edge_count());
        let complement = complement.filter(|complement| edges(complement) <= LARGEST_PRODUCT);
        let minimal = complement.and_then(|complement| obligation(&plain, complement, limit));
        let is_obligation = minimal.is_some();
        found.extend(minimal.map(|minimal| self.record("obligation", minimal)));
        if self.is_determinism_wanted() && !is_obligation && !plain.is_deterministic() {
            let deterministic = complement.and_then(|complement| recurrence(&plain, complement, limit));
            if let Some(deterministic) = deterministic {
                let deterministic = self.record("recurrence", deterministic);
                let deterministic = self.simulated(deterministic, Acceptance::ByEdge);
                self.output(deterministic, complement, found);
            }
        }
        let merged = self.merged(plain.clone(), complement, Acceptance::ByEdge);
        if merged.state_count() < plain.state_count() {
            self.output(plain, complement, found);
        }
        self.output(merged, complement, found);
    }

    fn is_determinism_wanted(&self) -> bool {
        self.options.preference == Preference::Deterministic
    }

    /// Brings acceptance into the form asked for, in one way or several, into `found`.
    fn output(&mut self, automaton: Automaton, complement: Option<&Automaton>, found: &mut Vec<Automaton>) {
        if self.options.output == Output::Generalized {
            found.push(automaton);
            return;
        }
        let mut automaton = automaton;
        if automaton.sets() > 1 {
            if self.options.level == Level::High {
                let by_state = degeneralize(&on_entry(&automaton), Acceptance::ByState);
                let by_state = self.record("degeneralize by states", by_state);
                self.output_by_state(&by_state, complement, found);
            }
            automaton = self.record("degeneralize", degeneralize(&automaton, Acceptance::ByEdge));
            if self.options.level > Level::Low {
                automaton = self.simulated(automaton, Acceptance::ByEdge);
            }
        }
        self.output_by_state(&automaton, complement, found);
    }

    /// Moves one acceptance set from edges to states.
    fn output_by_state(&mut self, automaton: &Automaton, complement: Option<&Automaton>, found: &mut Vec<Automaton>) {
        let keep_determinism = self.is_determinism_wanted() && automaton.is_deterministic();
        let guessing = if keep_determinism { Guessing::Never } else { Guessing::Allowed };
        let automaton = self.record("statewise", prune(&statewise(automaton, guessing)));
        if self.options.level == Level::Low {
            found.push(automaton);
            return;
        }
        let automaton = self.simulated(automaton, Acceptance::ByState);
        if keep_determinism {
            found.push(automaton.clone());
        }
        found.push(self.merged(automaton, complement, Acceptance::ByState));
    }

    /// Merges by trial, and simulates again if that helped.
    fn merged(&mut self, automaton: Automaton, complement: Option<&Automaton>, acceptance: Acceptance) -> Automaton {
        let Some(complement) = complement.filter(|_| self.options.level == Level::High) else { return automaton };
        let before = automaton.state_count();
        let automaton = self.record("merge", merge(&automaton, complement, acceptance, 1_000_000));
        if automaton.state_count() < before { self.simulated(automaton, acceptance) } else { automaton }
    }

    /// Simulation in both directions until nothing changes.
    fn simulated(&mut self, mut automaton: Automaton, acceptance: Acceptance) -> Automaton {
        let by_edge = acceptance == Acceptance::ByEdge;
        let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count(), automaton.sets());
        // Each leaves nothing to itself: the end is reached when one changes nothing after the other has changed something.
        let mut before = None;
        loop {
            if by_edge {
                automaton = drop_superfluous(&saturate(&automaton, Marks::NONE));
                automaton = saturate(&automaton, automaton.all_marks());
            }
            automaton = self.record("simulation", prune(&simulation(&automaton)));
            if before == Some(size(&automaton)) {
                break;
            }
            before = Some(size(&automaton));
            if by_edge {
                automaton = saturate(&automaton, Marks::NONE);
            }
            automaton = self.record("reverse simulation", prune(&cosimulation(&automaton, acceptance)));
            if before == Some(size(&automaton)) {
                break;
            }
            before = Some(size(&automaton));
        }
        if by_edge {
            automaton = saturate(&automaton, Marks::NONE);
            automaton.merge_edges();
        }
        automaton
    }
}

/// The automaton over those of its atoms that some label mentions.
fn with_used_atoms(automaton: &Automaton) -> Automaton {
    let mut used = vec![false; automaton.atoms().len()];
    for (_, edge) in automaton.all_edges() {
        edge.label.support().into_iter().for_each(|atom| used[atom.0 as usize] = true);
    }
    let place: Vec<u32> =
        (0..used.len()).map(|atom| used[..atom].iter().filter(|&&used| used).count() as u32).collect();
    let names = automaton.atoms().iter().zip(&used).filter(|(_, used)| **used).map(|(name, _)| name.clone());
    let mut result = Automaton::in_manager(automaton.manager(), names, automaton.sets());
    result.name.clone_from(&automaton.name);
    result.add_states(automaton.state_count());
    result.set_initial(automaton.initial());
    for (source, edge) in automaton.all_edges() {
        let label = automaton.manager().import(&edge.label, |atom| Variable(place[atom.0 as usize]));
        result.add_edge(source, edge.target, &label, edge.marks);
    }
    result
}
