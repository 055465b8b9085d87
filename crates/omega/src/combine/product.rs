//! The intersection of two languages.
//!
//! What: pairs of states that can be reached together; the acceptance sets of the second automaton come after those of the
//! first. Contract: at most the product of the sizes; breadth-first numbering, deterministic. Where the two have more than
//! [`MAX_SETS`] acceptance sets together, those of each are first made one by counting ([`crate::combine::counter`]).

use std::collections::HashMap;

use crate::automaton::{Automaton, MAX_SETS, State};
use crate::combine::counter::one_set;

/// An automaton that accepts the words that both accept.
#[must_use]
pub fn intersection(first: &Automaton, second: &Automaton) -> Automaton {
    if first.sets() + second.sets() > MAX_SETS {
        return intersection(&one_set(first), &one_set(second));
    }
    let (first, second) = Automaton::aligned(first, second);
    let mut product = first.empty_like(first.sets() + second.sets());
    product.name = None;
    let mut number: HashMap<(State, State), State> = HashMap::new();
    let mut pairs = vec![(first.initial(), second.initial())];
    number.insert(pairs[0], product.add_state());
    let mut done = 0;
    while let Some(&(one, two)) = pairs.get(done) {
        let source = done as State;
        done += 1;
        for left in first.edges(one) {
            for right in second.edges(two) {
                let label = &left.label & &right.label;
                if label.is_false() {
                    continue;
                }
                let pair = (left.target, right.target);
                let target = *number.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    product.add_state()
                });
                let marks = left.marks.union(right.marks.shifted(first.sets()));
                product.add_edge(source, target, &label, marks);
            }
        }
    }
    product
}
