//! Shortest counterexamples of SMV models, found by the explicit engine, or by SAT where states are too many to list.
//!
//! What: the symbolic engine knows some counterexample and asks whether a path or lasso with fewer steps shows the same,
//! as a formula of linear time ([`Wanted`]). The model, listed state by state through [`FlatSystem`], is multiplied with
//! the tight automaton of the formula ([`omega::translate::tight`]), and
//! [`search::shorten`] finds a shortest accepting lasso of the product. Since the automaton is tight, it is a shortest
//! lasso of the model.
//!
//! - [`listing`]: the states and transitions of the model, as far as a short lasso can reach;
//! - [`product`]: their product with the automaton;
//! - [`rounds`]: the same where the formula has past operators, for which no automaton is tight by itself, or the model has
//!   compassion constraints;
//! - [`unrolled`]: where one of these is too large, lengths are refuted by SAT.
//!
//! A finite path is a lasso, too: it ends in an artificial state with a transition to itself.
//!
//! Contract: a line that is found is a line of the model that satisfies the formula; the symbolic engine validates it. It
//! is proved shortest only if the listing, the product and the search were complete. Their limits are counts of states
//! and transitions, so that the result does not depend on the speed of the machine.
//! Tested by `tests/minimality.rs` against all lines of small random machines.

mod listing;
mod product;
mod rounds;
mod unrolled;

use crate::thresholds::smv::{AUTOMATON_STATES, MOST_SETS, PAST_DEPTH};
use flat::explicit::{FlatStep, FlatSystem};
use flat::model::NodeId;
use kernel::budget::{Budget, Exhausted};
use listing::Listing;
use omega::automaton::{Automaton, Marks, State};
use omega::formula::{AtomId, Formula, Formulas};
use omega::limit::Incomplete;
use omega::translate::{go, past, tight};
use product::{Factors, Product};
use rounds::Rounds;
use search::accepting::Accepting;
use search::emptiness::End;
use search::lasso::{Lasso, Move};
use search::product::{EdgeOrder, MAX_ATOMS, Property};
use search::shorten::{Shortening, ShorteningOptions};
use search::store::Store;
use symbolic::witness::explicit::{Atom, Line, Shortest, Wanted};

/// A step of a product: the number of the input valuation, and the acceptance sets it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taken {
    input: u64,
    marks: Marks,
}

/// A product whose lassos stand for lines of a listing.
trait Lines: Accepting<Step = Taken> {
    /// The number of the listed state that a state of the product stands for, if it stands for one.
    fn listed(&self, state: &[u8]) -> Option<u32>;

    /// The position at which the loop of the line begins: `states` are those of a lasso of the product without its first
    /// one, and the cycle of the lasso begins at the last of `stem` states.
    fn loop_start(&self, states: &[Move<Taken>], stem: usize) -> usize;

    /// True if the search was ended because it took too many steps.
    fn is_cut(&self) -> bool;
}

/// Searches for a shortest line.
///
/// # Errors
/// The exhausted limit of the budget.
pub(super) fn search(mut wanted: Wanted<'_>) -> Result<Shortest, Exhausted> {
    // The listing adds atoms of its own.
    let atoms = wanted.atoms.len();
    // The work below is counted, so that it ends soon.
    let _finishing = wanted.bound.is_some().then(|| wanted.budget.finishing());
    let listed = by_listing(&mut wanted)?;
    wanted.atoms.truncate(atoms);
    if listed.is_proved { Ok(listed) } else { unrolled::search(&wanted, listed) }
}

/// Searches for a shortest line among the states of the model, one by one.
fn by_listing(wanted: &mut Wanted<'_>) -> Result<Shortest, Exhausted> {
    let budget = wanted.budget;
    if wanted.bound.is_some_and(|bound| bound == 0) || wanted.formula == Formula::FALSE {
        return Ok(Shortest { line: None, is_proved: true });
    }
    let formula = complete_formula(wanted);
    let depth = wanted.formulas.past_depth(formula);
    if depth > PAST_DEPTH {
        return Ok(Shortest::default());
    }
    // Where any line would do, the automaton need not be tight, and can be much smaller.
    let is_tight = wanted.bound.is_some();
    let translation = match is_tight {
        true => translate(&mut wanted.formulas, formula, budget),
        false => any_automaton(&mut wanted.formulas, formula, budget),
    };
    let Some((automaton, initial)) = translation? else {
        return Ok(Shortest::default());
    };
    let Ok(property) = Property::new(&automaton, EdgeOrder::AsGiven) else { return Ok(Shortest::default()) };
    let mut atoms = automaton.propositions().ids().to_vec();
    let (justice, compassion) = fairness_bits(wanted, &mut atoms);
    if property.sets() as usize + justice.len() + 2 * compassion.len() > MOST_SETS || atoms.len() > MAX_ATOMS {
        return Ok(Shortest::default());
    }
    let limited = budget.stage();
    let Some(system) = FlatSystem::new(wanted.model, &limited) else { return Ok(Shortest::default()) };
    let listing = Listing::new(&system, wanted, &atoms, &limited);
    budget.check_now(0)?;
    // The artificial root takes a step. The end of a finite path takes one, and its repetition another; so does the goal of
    // a loop that is walked through in several rounds.
    let in_rounds = depth > 0 || !compassion.is_empty();
    let extra = if wanted.ends.is_some() { 3 } else { 1 + usize::from(in_rounds) };
    let longest = wanted.bound.map(|bound| (bound - 1 + extra) as u64);
    let (property, initial) = (&property, initial.as_slice());
    let factors = Factors { listing: &listing, property, initial, justice: &justice, compassion: &compassion };
    let product = Product::new(factors, longest.map(|longest| longest * (depth as u64 + 1)));
    let limited = budget.stage();
    let found = match in_rounds {
        false => run(&product, longest, &limited),
        true => run(&Rounds::new(&product, depth, &limited), longest, &limited),
    };
    budget.check_now(0)?;
    let is_shortest = is_tight || found.moves.is_none();
    let is_proved = found.is_proved && is_shortest && listing.is_whole && product.is_whole();
    Ok(Shortest { line: found.moves.map(|moves| line(&system, &listing, &moves)), is_proved })
}

/// The bits of letters that are the justice constraints, and the two parts of each compassion constraint; adds those that are no
/// atoms of the automaton. A finite path has none.
fn fairness_bits(wanted: &Wanted<'_>, atoms: &mut Vec<AtomId>) -> (Vec<usize>, Vec<(usize, usize)>) {
    if wanted.ends.is_some() {
        return (Vec::new(), Vec::new());
    }
    let mut bit = |node: NodeId| {
        let wanted =
            wanted.formulas.find_atom(&node.0.to_string()).expect("fairness constraints are atoms of the pool");
        atoms.iter().position(|atom| *atom == wanted).unwrap_or_else(|| {
            atoms.push(wanted);
            atoms.len() - 1
        })
    };
    let mut justice: Vec<usize> = wanted.model.justice.iter().map(|node| bit(*node)).collect();
    justice.sort_unstable();
    justice.dedup();
    (justice, wanted.model.compassion.iter().map(|(p, q)| (bit(*p), bit(*q))).collect())
}

/// Makes an expression of the model an atom of the pool.
fn add_atom(wanted: &mut Wanted<'_>, node: NodeId) {
    let atom = wanted.formulas.atom_id(&node.0.to_string());
    if atom.index() == wanted.atoms.len() {
        wanted.atoms.push(Atom::Node(node));
    }
}

/// The formula, with the demand that the path ends if a finite path is wanted. Fairness constraints are sets that loops of the
/// product visit; their expressions become atoms.
fn complete_formula(wanted: &mut Wanted<'_>) -> Formula {
    let mut all = vec![wanted.formula];
    if wanted.ends.is_some() {
        let is_end = |atom: &Atom<'_>| matches!(atom, Atom::End);
        let number = wanted.atoms.iter().position(is_end).unwrap_or_else(|| {
            wanted.atoms.push(Atom::End);
            wanted.atoms.len() - 1
        });
        let end = wanted.formulas.atom(&format!("set {number}"));
        all.push(wanted.formulas.eventually(end));
    } else {
        let model = wanted.model;
        for node in model.justice.iter().chain(model.compassion.iter().flat_map(|(p, q)| [p, q])) {
            add_atom(wanted, *node);
        }
    }
    wanted.formulas.and(all)
}

/// An automaton and its initial states; none if it is too large.
type Translation = Result<Option<(Automaton, Vec<State>)>, Exhausted>;

/// The tight automaton of a formula and its initial states; none if it is too large.
fn translate(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Translation {
    let has_past = formulas.has_past(formula);
    let mut tight_initial = Vec::new();
    let automaton = past::translate(formulas, formula, AUTOMATON_STATES, budget, |formulas, formula| {
        let tight = tight::translate(formulas, formula, AUTOMATON_STATES, budget)?;
        tight_initial = tight.initial;
        Ok(tight.automaton)
    });
    Ok(or_too_large(automaton)?.map(|automaton| {
        // With past operators the first round of a loop is a round of its own, and one initial state will do.
        let initial = if has_past { vec![automaton.initial()] } else { tight_initial };
        (automaton, initial)
    }))
}

/// Some automaton of a formula and its initial state; none if it is too large.
fn any_automaton(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Translation {
    let automaton = or_too_large(go::translate(formulas, formula, AUTOMATON_STATES, budget))?;
    Ok(automaton.map(|automaton| {
        let initial = vec![automaton.initial()];
        (automaton, initial)
    }))
}

/// An automaton; none if it is too large.
fn or_too_large(automaton: Result<Automaton, Incomplete>) -> Result<Option<Automaton>, Exhausted> {
    match automaton {
        Ok(automaton) => Ok(Some(automaton)),
        Err(Incomplete::TooLarge(_)) => Ok(None),
        Err(Incomplete::Exhausted(limit)) => Err(limit),
    }
}

/// A lasso of a product, as the listed states it visits with the inputs of the steps to them.
struct Found {
    moves: Option<Moves>,
    is_proved: bool,
}

struct Moves {
    /// The listed state after each step, the artificial root being left out, and the input of the step to it. The first
    /// state that is none of the model, or else the last one, comes after the line.
    states: Vec<(Option<u32>, u64)>,
    /// The position at which the loop begins.
    loop_start: usize,
}

fn run<L: Lines>(system: &L, longest: Option<u64>, budget: &Budget) -> Found {
    let progress = &mut |_: &_| {};
    let options = ShorteningOptions {
        budget,
        components: true,
        store: Store::Exact,
        max_length: longest,
        patience: None,
        progress,
    };
    let found = Shortening::Generalised.search(system, options);
    let is_complete = match found.end() {
        End::Found => found.is_minimal,
        End::Complete => true,
        // The bound on the length, which is what was wanted.
        End::Limit(limit) => limit == Exhausted::Depth && longest.is_some(),
    };
    let moves = found.lasso.map(|Lasso { stem, cycle }| {
        let count = stem.len();
        let moves: Vec<Move<Taken>> = stem.into_iter().chain(cycle).collect();
        let loop_start = system.loop_start(&moves, count);
        Moves { states: moves.iter().map(|one| (system.listed(&one.state), one.step.input)).collect(), loop_start }
    });
    Found { moves, is_proved: is_complete && !system.is_cut() }
}

/// The line of the model that a lasso of the product stands for.
fn line(system: &FlatSystem<'_>, listing: &Listing, Moves { states, loop_start }: &Moves) -> Line {
    let is_end = |(state, _): &(Option<u32>, u64)| state.is_some_and(|state| listing.is_end(state));
    let is_path = states.iter().any(is_end);
    let count = states.iter().position(|one| one.0.is_none() || is_end(one)).unwrap_or(states.len() - 1);
    let position = |at: usize| {
        let state = listing.state(states[at].0.expect("a state of the model"));
        let mut valuation = system.valuation(state).expect("a state of the model");
        if at + 1 < count || !is_path {
            system.set_inputs(FlatStep::Input(states[at + 1].1), &mut valuation);
        }
        valuation
    };
    Line { positions: (0..count).map(position).collect(), loop_start: (!is_path).then_some(*loop_start) }
}
