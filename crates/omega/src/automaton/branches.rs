//! Functions over letters and over something else, taken apart letter by letter.
//!
//! What: a function over atoms (the variables below a bound) and further variables is, for each valuation of the atoms,
//! a function of the further variables alone. [`branches`] lists these remainders, each with the label of the valuations
//! that lead to it. [`choices`] lists the prime implicants of a remainder that is monotone, as sets of variables.
//!
//! Contract: labels are satisfiable, pairwise disjoint, and cover all valuations with a satisfiable remainder; remainders
//! are pairwise different. Both results are in an order that depends on the functions only. Linear in the diagram above
//! the bound. Tested by: the functions put together again (below).

use std::collections::BTreeMap;

use bdd::{Bdd, Variable};
use kernel::budget::{Budget, Exhausted};

/// The remainders of `function` after each valuation of the variables below `bound`, with their labels; none if there are
/// more than `limit`, or as many on the way.
pub(crate) fn branches(
    function: &Bdd,
    bound: u32,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Vec<(Bdd, Bdd)>>, Exhausted> {
    let level = |function: &Bdd| function.root().map_or(u32::MAX, |variable| variable.0);
    let mut pending = BTreeMap::from([((level(function), function.clone()), function.manager().yes())]);
    let mut found = Vec::new();
    // Levels grow along every path, so that all predecessors of the first entry have been visited.
    while let Some(((at, function), label)) = pending.pop_first() {
        budget.check()?;
        if pending.len() + found.len() > limit {
            return Ok(None);
        }
        if function.is_false() {
            continue;
        }
        if at >= bound {
            found.push((label, function));
            continue;
        }
        let variable = function.manager().variable(Variable(at));
        for value in [false, true] {
            let below = function.cofactor(Variable(at), value);
            let step = if value { &label & &variable } else { label.minus(&variable) };
            let entry = pending.entry((level(&below), below));
            entry.and_modify(|known| *known = &*known | &step).or_insert(step);
        }
    }
    Ok(Some(found))
}

/// The prime implicants of a function that is monotone in all its variables, each as a sorted list of variables; none if
/// there are more than `limit`. The manager keeps to the budget.
pub(crate) fn choices(function: &Bdd, limit: usize, budget: &Budget) -> Result<Option<Vec<Vec<Variable>>>, Exhausted> {
    let positive = |&(variable, value): &(Variable, bool)| {
        assert!(value, "a monotone function has monotone prime implicants");
        variable
    };
    let Ok(cubes) = function.try_cover_at_most(limit) else {
        budget.check_now(0)?;
        unreachable!("only an exhausted budget ends an operation of a manager without a limit on nodes");
    };
    Ok(cubes.map(|cubes| cubes.iter().map(|cube| cube.literals().iter().map(positive).collect()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use bdd::{Cube, Manager};

    #[test]
    fn too_many_parts_are_refused() {
        let manager = Manager::new();
        // Each valuation of eight atoms leaves another conjunction of eight variables.
        let pairs: Vec<Bdd> =
            (0..8).map(|at| manager.variable(Variable(at)).iff(&manager.variable(Variable(at + 8)))).collect();
        let function = manager.conjunction(&pairs);
        let parts = |limit| branches(&function, 8, limit, &Budget::unlimited()).unwrap();
        assert!(parts(100).is_none());
        assert_eq!(parts(300).expect("few enough").len(), 256);
    }

    #[test]
    fn the_parts_make_the_whole() {
        let (manager, budget) = (Manager::new(), Budget::unlimited());
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut function = manager.no();
            for _ in 0..5 {
                // Three atoms of any sign, three further variables that occur positively.
                let mut literals = Vec::new();
                for atom in 0..3 {
                    if random.below(2) == 0 {
                        literals.push((Variable(atom), random.chance(0.5)));
                    }
                }
                literals.extend((3..6).filter(|_| random.below(3) == 0).map(|variable| (Variable(variable), true)));
                function = function | manager.cube(&Cube::new(literals).expect("each variable occurs once"));
            }
            let mut whole = manager.no();
            let mut seen = manager.no();
            for (label, remainder) in branches(&function, 3, usize::MAX, &budget).unwrap().expect("no limit") {
                assert!(!label.is_false() && !label.intersects(&seen), "seed {seed}: labels are disjoint");
                seen = &seen | &label;
                for choice in choices(&remainder, usize::MAX, &budget).unwrap().expect("no limit") {
                    let cube = Cube::new(choice.into_iter().map(|variable| (variable, true))).expect("positive");
                    whole = whole | (&label & manager.cube(&cube));
                }
            }
            assert_eq!(whole, function, "seed {seed}");
        }
    }
}
