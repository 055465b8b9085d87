//! Strongly connected components of a plain graph.
//!
//! What: [`components`] numbers the component of every vertex reachable from a root, in reverse topological order. Contract:
//! linear, without recursion, deterministic. Source: [tarjan.72.siam].
//!
//! A twin of `graph::components` on purpose: translators built on the shared code are compared with products that do not
//! use it.
//!
//! Tested by: `omega::automaton::scc` on translated random formulas (`tests/products.rs`).

const UNSEEN: u32 = u32::MAX;

/// The component of each vertex, none for those that the root does not reach, and the number of components.
#[must_use]
pub fn components(successors: &[Vec<u32>], root: u32) -> (Vec<Option<u32>>, u32) {
    let size = successors.len();
    let (mut index, mut low) = (vec![UNSEEN; size], vec![UNSEEN; size]);
    let mut of: Vec<Option<u32>> = vec![None; size];
    let (mut stack, mut count, mut seen) = (vec![root], 0, 1);
    let mut path = vec![(root, 0)];
    (index[root as usize], low[root as usize]) = (0, 0);
    while let Some((vertex, next)) = path.last_mut() {
        let vertex = *vertex as usize;
        if let Some(&target) = successors[vertex].get(*next) {
            *next += 1;
            let to = target as usize;
            if index[to] == UNSEEN {
                (index[to], low[to]) = (seen, seen);
                seen += 1;
                stack.push(target);
                path.push((target, 0));
            } else if of[to].is_none() {
                low[vertex] = low[vertex].min(index[to]);
            }
            continue;
        }
        path.pop();
        if low[vertex] == index[vertex] {
            while let Some(member) = stack.pop() {
                of[member as usize] = Some(count);
                if member as usize == vertex {
                    break;
                }
            }
            count += 1;
        } else if let Some(&(parent, _)) = path.last() {
            low[parent as usize] = low[parent as usize].min(low[vertex]);
        }
    }
    (of, count)
}
