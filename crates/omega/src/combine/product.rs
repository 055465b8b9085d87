//! The intersection of two languages.
//!
//! What: pairs of states that can be reached together; the acceptance sets of the second automaton come after those of the
//! first. [`intersection_before_terminal`] goes no further than to states in which the first automaton accepts every continuation: what
//! the second one says about that is not asked.
//!
//! Contract: at most the product of the sizes; breadth-first numbering, deterministic. Where the two have more than
//! [`MAX_SETS`] acceptance sets together, those of each are first made one by counting ([`crate::combine::counter`]).

use crate::table::HashMap;

use kernel::budget::{Budget, Exhausted};

use crate::analyse::strength::{Strength, strengths};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Bdd, Edge, MAX_SETS, Marks, State};
use crate::combine::counter::one_set;

/// An automaton that accepts the words that both accept.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn intersection(first: &Automaton, second: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    first.manager().within(budget, || product(first, second, false, budget))
}

/// An automaton that accepts the words that both accept, and of the others at most such as the first accepts. Terminal
/// components of the first ([`crate::analyse::strength`]) are left as they are, so that bad prefixes stay visible.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn intersection_before_terminal(
    first: &Automaton,
    second: &Automaton,
    budget: &Budget,
) -> Result<Automaton, Exhausted> {
    first.manager().within(budget, || product(first, second, true, budget))
}

fn product(first: &Automaton, second: &Automaton, stops: bool, budget: &Budget) -> Result<Automaton, Exhausted> {
    let first = &first.with_one_initial_state();
    let second = &second.with_one_initial_state();
    if first.sets() + second.sets() > MAX_SETS {
        return product(&one_set(first, budget)?, &one_set(second, budget)?, stops, budget);
    }
    let (first, second) = Automaton::aligned(first, second);
    let components = Components::of(&first);
    let strengths = if stops { strengths(&first, &components) } else { Vec::new() };
    let is_decided = |state: State| {
        components.number(state).is_some_and(|component| strengths.get(component as usize) == Some(&Strength::Terminal))
    };
    let mut product = first.empty_like(first.sets() + second.sets());
    product.name = None;
    // There is no second state where the first state decides alone.
    let pair = |one: State, two: State| (one, (!is_decided(one)).then_some(two));
    let mut pairs = vec![pair(first.initial(), second.initial())];
    let mut number: HashMap<(State, Option<State>), State> = HashMap::from_iter([(pairs[0], product.add_state())]);
    let mut done = 0;
    while let Some(&(one, two)) = pairs.get(done) {
        let source = done as State;
        done += 1;
        for left in first.edges(one) {
            budget.check()?;
            let next: Vec<((State, Option<State>), Bdd, Marks)> = match two {
                None => vec![((left.target, None), left.label.clone(), second.all_marks())],
                Some(two) => {
                    let joint =
                        |right: &Edge| (pair(left.target, right.target), &left.label & &right.label, right.marks);
                    second.edges(two).iter().map(joint).collect()
                }
            };
            for (pair, label, marks) in next.into_iter().filter(|(_, label, _)| !label.is_false()) {
                let target = *number.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    product.add_state()
                });
                product.add_edge(source, target, &label, left.marks.union(marks.shifted(first.sets())));
            }
        }
    }
    Ok(product)
}
