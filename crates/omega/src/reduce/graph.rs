//! Components of plain graphs, where [`crate::automaton::scc`] only knows what the initial state of an automaton reaches.
//!
//! What: [`components`] numbers the strongly connected components of a graph given by successor lists, in reverse
//! topological order. Source: [tarjan.72.siam], without recursion. Tested by: reachability (below).

use kernel::budget::{Budget, Exhausted};

/// The number of the component of each vertex; an edge between components leads to a lower number.
pub(crate) fn components(successors: &[Vec<u32>], budget: &Budget) -> Result<Vec<u32>, Exhausted> {
    const UNSEEN: u32 = u32::MAX;
    let mut low = vec![UNSEEN; successors.len()];
    let mut of = vec![UNSEEN; successors.len()];
    let (mut seen, mut found) = (0, 0);
    let mut open: Vec<u32> = Vec::new();
    for root in 0..successors.len() as u32 {
        if low[root as usize] != UNSEEN {
            continue;
        }
        // Each entry is a vertex of the current path, its order of discovery, and the successor to look at next.
        let mut path = vec![(root, seen, 0)];
        low[root as usize] = seen;
        seen += 1;
        open.push(root);
        while let Some((vertex, index, next)) = path.last_mut() {
            budget.check()?;
            let (vertex, index) = (*vertex, *index);
            if let Some(&target) = successors[vertex as usize].get(*next) {
                *next += 1;
                if low[target as usize] == UNSEEN {
                    path.push((target, seen, 0));
                    low[target as usize] = seen;
                    seen += 1;
                    open.push(target);
                } else if of[target as usize] == UNSEEN {
                    low[vertex as usize] = low[vertex as usize].min(low[target as usize]);
                }
                continue;
            }
            path.pop();
            if low[vertex as usize] == index {
                let from = open.iter().rposition(|&other| other == vertex).expect("open until its component ends");
                open.drain(from..).for_each(|member| of[member as usize] = found);
                found += 1;
            } else if let Some(&(parent, ..)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[vertex as usize]);
            }
        }
    }
    Ok(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn components_are_mutual_reachability() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(9) as usize;
            let mut graph = vec![Vec::new(); count];
            let mut reach = vec![vec![false; count]; count];
            for from in 0..count {
                reach[from][from] = true;
                for to in (0..count).filter(|_| random.chance(0.2)) {
                    graph[from].push(to as u32);
                    reach[from][to] = true;
                }
            }
            for via in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        reach[from][to] |= reach[from][via] && reach[via][to];
                    }
                }
            }
            let of = components(&graph, &Budget::unlimited()).unwrap();
            for from in 0..count {
                for to in 0..count {
                    assert_eq!(of[from] == of[to], reach[from][to] && reach[to][from], "seed {seed}");
                    assert!(!reach[from][to] || of[to] <= of[from], "reverse topological order, seed {seed}");
                }
            }
        }
    }
}
