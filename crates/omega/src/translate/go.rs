//! Formula to automaton by way of a very weak alternating automaton: the construction of Gastin and Oddoux.
//!
//! What: [`translate`] gives a transition-based generalised Büchi automaton with the models of any formula.
//!
//! Source: [gastin.01.cav]. First the *alternating* automaton: its states are the literals and temporal subformulas; a
//! *move* of one is a conjunction, of literals that the letter must satisfy and of states that must all accept the rest
//! of the word. With `moves(a | b)` the union, `moves(a & b)` all pairs, and `start(a)` what a is as a disjunction of
//! conjunctions of states:
//!
//! ```text
//! moves(a U b) = moves(b) or moves(a) & {a U b}       moves(X a) = start(a)
//! moves(a R b) = moves(b) & (moves(a) or {a R b})     F, G, W and M alike
//! ```
//!
//! It is very weak: a state that is left never comes back. Acceptance is co-Büchi: no branch of a run stays in a
//! formula with U, F or M forever.
//!
//! Then the *generalised* automaton: its states are the sets of alternating states at one position, and a move of a set
//! is a move of each member together. For each f with U, F or M there is an acceptance set: the moves to sets without
//! f, and those where f could have been left, that is, which include a move of f that does not demand f again.
//!
//! What is simplified while the automaton is built: of two moves, the one that demands more and is in fewer acceptance
//! sets is dropped; two sets with the same moves are one state. Afterwards, states become one as long as any two have
//! the same edges.
//!
//! Deviations: literals and states stand in one set of numbers, so that "demands more" is inclusion; some moves are
//! dropped before all members of a set were looked at (`Sets::product` says why this is right); the choice of the
//! first set is one state; equal states of the alternating automaton are not looked for, as formulas are hash-consed.
//!
//! Contract: exponential at worst; beyond `limit` states, or a hundred thousand elementary steps for each, it gives up.
//! Deterministic; no recursion on the formula. The result may have useless states.
//!
//! Tested by: [`crate::semantics`] on random words, the reference [`super::gpvw`] on random formulas (`tests/go.rs`).

use super::past;
use crate::automaton::{Automaton, Edge, MAX_SETS, Marks, State};
use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::limit::{Incomplete, TooLarge};
use crate::propositions::Propositions;
use crate::rewrite::Nnf;
use crate::table::HashMap;
use crate::thresholds::translate::STEPS_PER_STATE;
use bdd::{MAX_VARIABLES, Manager, Variable};
use kernel::budget::{Budget, Exhausted};
use std::collections::BTreeSet;

/// Translates a formula into a transition-based generalised Büchi automaton.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::translate::go::translate;
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "GFa & GFb", Syntax::Spot).unwrap();
/// let automaton = translate(&mut formulas, formula, 100, &Budget::unlimited()).unwrap();
/// assert_eq!((automaton.state_count(), automaton.sets()), (1, 2));
/// ```
///
/// # Errors
///
/// Where the automaton would have more than `limit` states or take too long, or the formula has more atoms than labels
/// can have, or more eventualities than there can be acceptance sets, or the budget is exhausted.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    limit: usize,
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    past::translate(formulas, formula, limit, budget, |formulas, future| without_past(formulas, future, limit, budget))
}

fn without_past(
    formulas: &mut Formulas,
    formula: Formula,
    limit: usize,
    budget: &Budget,
) -> Result<Automaton, Incomplete> {
    let root = Nnf::new().of(formulas, formula);
    let mut effort = Effort { left: limit.saturating_mul(STEPS_PER_STATE), limit, budget };
    let alternating = Alternating::build(formulas, root, &mut effort)?;
    let mut sets = Sets::new(&alternating)?;
    sets.explore(&mut effort)?;
    let atoms = Propositions::of(formulas, alternating.atoms.iter().copied());
    let manager = Manager::new();
    manager.within(budget, || {
        let automaton = sets.into_automaton(&manager, atoms, budget)?;
        Ok(with_equal_states_merged(automaton, budget)?.reachable())
    })
}

/// The elementary steps that are left.
struct Effort<'a> {
    left: usize,
    limit: usize,
    budget: &'a Budget,
}

impl Effort<'_> {
    fn spend(&mut self, steps: usize) -> Result<(), Incomplete> {
        self.budget.check()?;
        self.left = self.left.checked_sub(steps).ok_or(TooLarge::States(self.limit))?;
        Ok(())
    }
}

/// A conjunction, as increasing numbers: of literals, then of alternating states. The literal of variable `v` is
/// `2 v` if it is negative, else `2 v + 1`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Demands {
    list: Vec<u32>,
    /// A bit for each demand, by its number modulo 64: most questions about inclusion are answered by it.
    summary: u64,
}

impl Demands {
    fn new(list: Vec<u32>) -> Self {
        let summary = list.iter().fold(0, |summary, demand| summary | 1 << (demand % 64));
        Demands { list, summary }
    }

    fn contains(&self, demand: u32) -> bool {
        self.list.binary_search(&demand).is_ok()
    }

    fn includes(&self, other: &Demands) -> bool {
        other.summary & !self.summary == 0
            && self.list.len() >= other.list.len()
            && self.beyond(other).count() + other.list.len() == self.list.len()
    }

    /// The demands of this move that the other does not have.
    fn beyond<'a>(&'a self, other: &'a Demands) -> impl Iterator<Item = u32> + 'a {
        let mut others = other.list.iter().peekable();
        self.list.iter().copied().filter(move |demand| {
            while others.next_if(|other| *other < demand).is_some() {}
            others.peek() != Some(&demand)
        })
    }

    /// Both together; none if they demand a literal and its opposite. Literals are below `literals`.
    fn with(&self, other: &Demands, literals: u32) -> Option<Demands> {
        let mut all: Vec<u32> = other.beyond(self).chain(self.list.iter().copied()).collect();
        all.sort_unstable();
        let opposite = |pair: &[u32]| pair[1] < literals && pair[0] ^ 1 == pair[1];
        (!all.windows(2).any(opposite)).then_some(Demands::new(all))
    }

    /// The literals, and the states.
    fn split(&self, literals: u32) -> (&[u32], &[u32]) {
        self.list.split_at(self.list.partition_point(|demand| *demand < literals))
    }
}

/// The pairs of two disjunctions, without impossible ones.
fn pairs(a: &[Demands], b: &[Demands], literals: u32, effort: &mut Effort<'_>) -> Result<Vec<Demands>, Incomplete> {
    let mut all = Vec::new();
    for left in a {
        for right in b {
            effort.spend(1 + left.list.len() + right.list.len())?;
            all.extend(left.with(right, literals));
        }
    }
    Ok(all)
}

/// The members of a disjunction that no other makes superfluous, smaller ones first. What makes a member superfluous
/// must be included in it, and the relation transitive.
fn minimal(
    mut members: Vec<Demands>,
    superfluous: impl Fn(&Demands, &Demands) -> bool,
    effort: &mut Effort<'_>,
) -> Result<Vec<Demands>, Incomplete> {
    members.sort_by(|a, b| a.list.len().cmp(&b.list.len()).then_with(|| a.cmp(b)));
    members.dedup();
    let mut kept: Vec<Demands> = Vec::new();
    for member in members {
        effort.spend(1 + kept.len())?;
        if !kept.iter().any(|better| member.includes(better) && superfluous(&member, better)) {
            kept.push(member);
        }
    }
    Ok(kept)
}

/// The very weak alternating automaton.
struct Alternating {
    atoms: Vec<AtomId>,
    /// Numbers below it are literals. State `s` is the subformula of index `s - literals`.
    literals: u32,
    /// For each subformula its moves.
    moves: Vec<Vec<Demands>>,
    /// Each subformula as a disjunction of conjunctions of states. The last one is the whole formula.
    starts: Vec<Vec<Demands>>,
    /// The states in which no branch may stay.
    eventualities: BTreeSet<u32>,
}

impl Alternating {
    fn build(formulas: &Formulas, root: Formula, effort: &mut Effort<'_>) -> Result<Alternating, Incomplete> {
        let atoms = formulas.atoms(root);
        if atoms.len() > MAX_VARIABLES as usize {
            return Err(TooLarge::Variables.into());
        }
        let literals = 2 * atoms.len() as u32;
        let (moves, starts, eventualities) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut automaton = Alternating { atoms, literals, moves, starts, eventualities };
        let mut places: HashMap<Formula, usize> = HashMap::default();
        for (place, part) in formulas.subformulas(root).into_iter().enumerate() {
            let node = formulas.node(part);
            let (moves, starts) = match node {
                Node::And(list) => {
                    let list: Vec<usize> = list.iter().map(|member| places[member]).collect();
                    (automaton.all(&automaton.moves, &list, effort)?, automaton.all(&automaton.starts, &list, effort)?)
                }
                Node::Or(list) => {
                    let together = |of: &[Vec<Demands>]| list.iter().flat_map(|a| of[places[a]].clone()).collect();
                    (together(&automaton.moves), together(&automaton.starts))
                }
                Node::True => (vec![Demands::default()], vec![Demands::default()]),
                Node::False => (Vec::new(), Vec::new()),
                _ => {
                    let state = literals + place as u32;
                    (automaton.state(formulas, node, state, &places, effort)?, vec![Demands::new(vec![state])])
                }
            };
            automaton.moves.push(minimal(moves, |_, _| true, effort)?);
            automaton.starts.push(minimal(starts, |_, _| true, effort)?);
            places.insert(part, place);
        }
        Ok(automaton)
    }

    /// The conjunction of several disjunctions.
    fn all(&self, of: &[Vec<Demands>], list: &[usize], effort: &mut Effort<'_>) -> Result<Vec<Demands>, Incomplete> {
        let mut all = vec![Demands::default()];
        for place in list {
            all = minimal(pairs(&all, &of[*place], self.literals, effort)?, |_, _| true, effort)?;
        }
        Ok(all)
    }

    /// The moves of a literal or a temporal formula whose parts have theirs.
    fn state(
        &mut self,
        formulas: &Formulas,
        node: &Node,
        state: u32,
        places: &HashMap<Formula, usize>,
        effort: &mut Effort<'_>,
    ) -> Result<Vec<Demands>, Incomplete> {
        if matches!(node, Node::Until(..) | Node::Eventually(_) | Node::StrongRelease(..)) {
            self.eventualities.insert(state);
        }
        let variable = |atom: &AtomId| self.atoms.binary_search(atom).expect("an atom of the formula") as u32;
        let moves = |part: &Formula| self.moves[places[part]].clone();
        let again = [Demands::new(vec![state])];
        let or = |mut a: Vec<Demands>, b: &[Demands]| {
            a.extend_from_slice(b);
            a
        };
        Ok(match node {
            Node::Atom(atom) => vec![Demands::new(vec![2 * variable(atom) + 1])],
            Node::Not(a) => match formulas.node(*a) {
                Node::Atom(atom) => vec![Demands::new(vec![2 * variable(atom)])],
                _ => unreachable!("the formula is in negation normal form"),
            },
            Node::Next(a) => self.starts[places[a]].clone(),
            Node::Eventually(a) => or(moves(a), &again),
            Node::Always(a) => pairs(&moves(a), &again, self.literals, effort)?,
            Node::Until(a, b) | Node::WeakUntil(a, b) => {
                or(moves(b), &pairs(&moves(a), &again, self.literals, effort)?)
            }
            Node::Release(a, b) | Node::StrongRelease(a, b) => {
                pairs(&moves(b), &or(moves(a), &again), self.literals, effort)?
            }
            _ => unreachable!("the formula is in negation normal form and has no other states"),
        })
    }

    fn moves_of(&self, state: u32) -> &[Demands] {
        &self.moves[(state - self.literals) as usize]
    }

    /// The states that some run can reach.
    fn reachable(&self) -> BTreeSet<u32> {
        let states = |list: &[Demands]| -> Vec<u32> {
            list.iter().flat_map(|demands| demands.split(self.literals).1).copied().collect()
        };
        let mut reached = BTreeSet::new();
        let mut stack = states(self.start());
        while let Some(state) = stack.pop() {
            if reached.insert(state) {
                stack.extend(states(self.moves_of(state)));
            }
        }
        reached
    }

    fn start(&self) -> &[Demands] {
        self.starts.last().expect("a formula is a part of itself")
    }
}

/// Moves with the acceptance sets they belong to.
type Moves = Vec<(Demands, Marks)>;

/// The generalised automaton while it is built.
struct Sets<'a> {
    alternating: &'a Alternating,
    /// For each acceptance set its state, and the moves by which that is left.
    exits: Vec<(u32, Vec<Demands>)>,
    /// All that some exit demands.
    exit_demands: BTreeSet<u32>,
    /// For each state of the automaton its moves.
    states: Vec<Moves>,
    /// The state with given moves.
    known: HashMap<Moves, State>,
    /// The state of each set of alternating states that was met.
    numbers: HashMap<Demands, State>,
}

impl<'a> Sets<'a> {
    fn new(alternating: &'a Alternating) -> Result<Sets<'a>, TooLarge> {
        let reachable = alternating.reachable();
        let exits: Vec<(u32, Vec<Demands>)> = alternating
            .eventualities
            .intersection(&reachable)
            .map(|&state| {
                let leaves = |demands: &&Demands| !demands.contains(state);
                (state, alternating.moves_of(state).iter().filter(leaves).cloned().collect())
            })
            .collect();
        if exits.len() > MAX_SETS as usize {
            return Err(TooLarge::Sets);
        }
        let exit_demands =
            exits.iter().flat_map(|(_, moves)| moves).flat_map(|demands| &demands.list).copied().collect();
        let (states, known, numbers) = (Vec::new(), HashMap::default(), HashMap::default());
        Ok(Sets { alternating, exits, exit_demands, states, known, numbers })
    }

    /// Finds all states; the first one is initial.
    fn explore(&mut self, effort: &mut Effort<'_>) -> Result<(), Incomplete> {
        let mut first = Vec::new();
        for start in self.alternating.start() {
            first.extend(self.product(&start.list, effort)?);
        }
        self.state_with(first, effort)?;
        let mut next = 0;
        while next < self.states.len() {
            for (demands, _) in self.states[next].clone() {
                let target = Demands::new(demands.split(self.alternating.literals).1.to_vec());
                if !self.numbers.contains_key(&target) {
                    let moves = self.product(&target.list, effort)?;
                    let state = self.state_with(moves, effort)?;
                    self.numbers.insert(target, state);
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// The moves of a set, among them perhaps some that are superfluous.
    ///
    /// A move goes before all members were looked at if another demands less and no exit demands the difference: then,
    /// whatever is added to both, an exit included in the larger is included in the smaller, which thus belongs to all
    /// acceptance sets of the larger.
    fn product(&self, members: &[u32], effort: &mut Effort<'_>) -> Result<Vec<Demands>, Incomplete> {
        let superfluous =
            |more: &Demands, less: &Demands| more.beyond(less).all(|demand| !self.exit_demands.contains(&demand));
        let mut product = vec![Demands::default()];
        for member in members {
            let moves = self.alternating.moves_of(*member);
            product = minimal(pairs(&product, moves, self.alternating.literals, effort)?, superfluous, effort)?;
        }
        Ok(product)
    }

    /// The acceptance sets of a move.
    fn marks(&self, demands: &Demands) -> Marks {
        let in_set = |(state, exits): &(u32, Vec<Demands>)| {
            !demands.contains(*state) || exits.iter().any(|exit| demands.includes(exit))
        };
        (0..self.exits.len() as u32).filter(|set| in_set(&self.exits[*set as usize])).collect()
    }

    /// The state with these moves; removes the superfluous ones.
    fn state_with(&mut self, moves: Vec<Demands>, effort: &mut Effort<'_>) -> Result<State, Incomplete> {
        let marks: HashMap<Demands, Marks> =
            moves.iter().map(|demands| (demands.clone(), self.marks(demands))).collect();
        let kept = minimal(moves, |more, less| marks[less].includes(marks[more]), effort)?;
        let moves: Moves = kept.iter().map(|demands| (demands.clone(), marks[demands])).collect();
        let fresh = self.states.len() as State;
        let state = *self.known.entry(moves.clone()).or_insert(fresh);
        if state == fresh {
            self.states.push(moves);
        }
        if self.states.len() > effort.limit { Err(TooLarge::States(effort.limit).into()) } else { Ok(state) }
    }

    fn into_automaton(self, manager: &Manager, atoms: Propositions, budget: &Budget) -> Result<Automaton, Exhausted> {
        let mut automaton = Automaton::in_manager(manager, atoms, self.exits.len() as u32);
        automaton.add_states(self.states.len());
        for (source, moves) in self.states.iter().enumerate() {
            for (demands, marks) in moves {
                budget.check()?;
                let (literals, target) = demands.split(self.alternating.literals);
                let literal = |literal: &u32| manager.literal(Variable(literal / 2), literal % 2 == 1);
                let label = literals.iter().fold(manager.yes(), |all, one| &all & &literal(one));
                automaton.add_edge(source as State, self.numbers[&Demands::new(target.to_vec())], &label, *marks);
            }
        }
        Ok(automaton)
    }
}

/// Makes states with the same edges one, until no two have the same.
fn with_equal_states_merged(mut automaton: Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    loop {
        automaton.merge_edges_within(budget)?;
        let mut known: HashMap<&[Edge], State> = HashMap::default();
        let mut order: Vec<State> = Vec::new();
        let mut number: Vec<State> = Vec::new();
        for state in automaton.states() {
            let fresh = order.len() as State;
            number.push(*known.entry(automaton.edges(state)).or_insert(fresh));
            if number.last() == Some(&fresh) {
                order.push(state);
            }
        }
        if order.len() == automaton.state_count() {
            return Ok(automaton);
        }
        automaton = automaton.with_states(&order, |state| Some(number[state as usize]));
    }
}
