//! Whether some atoms can hold and others not, all in one state: a decision procedure for constraints
//! on single quantities and on differences of two, over the integers.
//!
//! *What.* Each quantity has a domain; constraints are unions of intervals for a quantity or for the
//! difference of two. Intervals are chosen one by one, and a choice that cannot be met is not pursued; the
//! constraints of a choice are bounds on differences, and can be met if and only if their graph has no negative
//! cycle [cormen.09.algorithms].
//!
//! *Contract.* Exact: the answer is no if and only if no integers in the domains meet the constraints,
//! except where more than [`INTERVAL_CHOICES`] choices would have to be tried, or where there are sums, when it may be yes.
//!
//! *Tested by* trying all values of small domains.

use super::range::RangeSet;
use crate::thresholds::mine::{INTERVAL_CHOICES, SUM_ROUNDS};

/// The difference of two quantities, first minus second, and where it lies.
pub(super) type Difference<'s> = (usize, usize, &'s RangeSet);

/// A sum of quantities, each times its factor, and where it lies.
pub(super) type Sum<'s> = (&'s [(usize, i64)], &'s RangeSet);

/// Whether quantities with these domains can have these differences and sums, which are between them.
///
/// Sums are not decided but propagated: what each of their quantities can be, given the others, cuts its domain, which the
/// differences then have to meet. The answer no is right; yes may be wrong where there are sums.
pub(super) fn possible(domains: &[(usize, RangeSet)], differences: &[Difference<'_>], sums: &[Sum<'_>]) -> bool {
    if sums.is_empty() {
        return agree(domains, differences);
    }
    let mut domains = domains.to_vec();
    let pairs: Vec<([(usize, i64); 2], &RangeSet)> =
        differences.iter().map(|(plus, minus, set)| ([(*plus, 1), (*minus, -1)], *set)).collect();
    for _ in 0..SUM_ROUNDS {
        let mut changed = false;
        for (terms, set) in sums.iter().copied().chain(pairs.iter().map(|(terms, set)| (&terms[..], *set))) {
            match propagate(&mut domains, terms, set) {
                Some(cut) => changed |= cut,
                None => return false,
            }
        }
        if !changed {
            break;
        }
    }
    agree(&domains, differences)
}

/// Cuts the domains of the quantities of a sum to what the others leave them; whether anything changed, none if nothing is
/// left of one.
fn propagate(domains: &mut [(usize, RangeSet)], terms: &[(usize, i64)], set: &RangeSet) -> Option<bool> {
    let place =
        |domains: &[(usize, RangeSet)], quantity: usize| domains.iter().position(|(known, _)| *known == quantity);
    let mut scaled = Vec::with_capacity(terms.len());
    for (quantity, factor) in terms {
        let (low, high) = domains[place(domains, *quantity)?].1.hull()?;
        scaled.push(if *factor < 0 { (high * factor, low * factor) } else { (low * factor, high * factor) });
    }
    let all = scaled.iter().fold((0, 0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
    let (least, greatest) = set.intersect(&RangeSet::new(all.0, all.1)).hull()?;
    let mut changed = false;
    for ((quantity, factor), term) in terms.iter().zip(scaled) {
        // factor × quantity lies between these; the others take between all - term.
        let (low, high) = (least - (all.1 - term.1), greatest - (all.0 - term.0));
        let (low, high) = if *factor < 0 { (-high, -low) } else { (low, high) };
        let factor = factor.abs();
        let bounds =
            RangeSet::new(low.div_euclid(factor) + i64::from(low.rem_euclid(factor) != 0), high.div_euclid(factor));
        let domain = &mut domains[place(domains, *quantity)?].1;
        let cut = domain.intersect(&bounds);
        if cut.is_empty() {
            return None;
        }
        changed |= cut != *domain;
        *domain = cut;
    }
    Some(changed)
}

/// Whether quantities with these domains can have these differences.
fn agree(domains: &[(usize, RangeSet)], differences: &[Difference<'_>]) -> bool {
    if domains.iter().any(|(_, set)| set.is_empty()) || differences.iter().any(|(_, _, set)| set.is_empty()) {
        return false;
    }
    if differences.is_empty() {
        return true;
    }
    // Vertex 0 is the number 0; bounds are `to - from <= bound`.
    let vertex =
        |quantity: usize| domains.iter().position(|(known, _)| *known == quantity).map_or(0, |index| index + 1);
    let single = domains.iter().enumerate().map(|(index, (_, set))| (index + 1, 0, set));
    let pairs = differences.iter().map(|(plus, minus, set)| (vertex(*plus), vertex(*minus), *set));
    let mut constraints: Vec<(usize, usize, &RangeSet)> = single.chain(pairs).collect();
    // Where there is no choice first: what contradicts it is then never pursued.
    constraints.sort_by_key(|(_, _, set)| set.pieces().len());
    let (mut edges, mut effort) = (Vec::with_capacity(2 * constraints.len()), INTERVAL_CHOICES);
    chosen(domains.len() + 1, &constraints, &mut edges, &mut effort)
}

/// Whether the constraints can be met together with the bounds chosen so far, as far as the effort goes; as deep as there
/// are constraints.
fn chosen(
    vertices: usize,
    constraints: &[(usize, usize, &RangeSet)],
    edges: &mut Vec<(usize, usize, i64)>,
    effort: &mut usize,
) -> bool {
    let Some(((plus, minus, set), rest)) = constraints.split_first() else { return has_solution(vertices, edges) };
    let pieces = set.pieces();
    if pieces.len() > 1 && !has_solution(vertices, edges) {
        return false;
    }
    pieces.iter().any(|(low, high)| {
        if *effort == 0 {
            return true;
        }
        *effort -= usize::from(pieces.len() > 1);
        edges.push((*minus, *plus, *high));
        edges.push((*plus, *minus, -low));
        let found = chosen(vertices, rest, edges, effort);
        edges.truncate(edges.len() - 2);
        found
    })
}

/// Bellman and Ford: whether a graph of bounds has no negative cycle.
fn has_solution(vertices: usize, edges: &[(usize, usize, i64)]) -> bool {
    let mut distance = vec![0_i64; vertices];
    for _ in 0..vertices {
        let mut changed = false;
        for (from, to, bound) in edges {
            let through = distance[*from] + bound;
            if through < distance[*to] {
                distance[*to] = through;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use omega::random::Random;

    fn random_set(random: &mut Random, low: i64, high: i64) -> RangeSet {
        let bits = random.bits();
        (low..=high).enumerate().fold(RangeSet::empty(), |all, (index, value)| {
            if bits & (1 << index) != 0 { all.union(&RangeSet::one(value)) } else { all }
        })
    }

    #[test]
    fn agrees_with_trying_all_values() {
        let mut random = Random::new(1);
        let mut both = [0, 0];
        for _ in 0..10_000 {
            let domains: Vec<(usize, RangeSet)> = (0..3).map(|q| (q, random_set(&mut random, 0, 4))).collect();
            let differences: Vec<(usize, usize, RangeSet)> = [(0, 1), (1, 2), (2, 0)]
                .into_iter()
                .filter(|_| !random.bits().is_multiple_of(4))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(a, b)| (a, b, random_set(&mut random, -4, 4)))
                .collect();
            let meets = |values: [i64; 3]| {
                (0..3).all(|q| domains[q].1.contains(values[q]))
                    && differences.iter().all(|(a, b, set)| set.contains(values[*a] - values[*b]))
            };
            let all = (0..125_i64).map(|n| [n % 5, n / 5 % 5, n / 25]);
            let expected = all.into_iter().any(meets);
            let borrowed: Vec<Difference<'_>> = differences.iter().map(|(a, b, set)| (*a, *b, set)).collect();
            assert_eq!(possible(&domains, &borrowed, &[]), expected, "{domains:?} {differences:?}");
            both[usize::from(expected)] += 1;
        }
        assert!(both.iter().all(|count| *count > 300), "both answers occur: {both:?}");
    }

    #[test]
    fn sums_that_are_refused_have_no_values() {
        let mut random = Random::new(2);
        let mut counts = [0, 0];
        for _ in 0..5_000 {
            let domains: Vec<(usize, RangeSet)> = (0..3).map(|q| (q, random_set(&mut random, 0, 4))).collect();
            let factor = |random: &mut Random| [-2, -1, 1, 2][random.below(4) as usize];
            let sums: Vec<(Vec<(usize, i64)>, RangeSet)> = (0..2)
                .map(|_| ((0..3).map(|q| (q, factor(&mut random))).collect(), random_set(&mut random, -6, 10)))
                .collect();
            let difference = random_set(&mut random, -3, 3);
            let meets = |values: [i64; 3]| {
                (0..3).all(|q| domains[q].1.contains(values[q]))
                    && difference.contains(values[0] - values[1])
                    && sums.iter().all(|(terms, set)| set.contains(terms.iter().map(|(q, f)| f * values[*q]).sum()))
            };
            let expected = (0..125_i64).map(|n| [n % 5, n / 5 % 5, n / 25]).any(meets);
            let borrowed: Vec<Sum<'_>> = sums.iter().map(|(terms, set)| (&terms[..], set)).collect();
            let found = possible(&domains, &[(0, 1, &difference)], &borrowed);
            assert!(found || !expected, "{domains:?} {sums:?} {difference:?}");
            counts[0] += u32::from(!expected);
            counts[1] += u32::from(!found);
        }
        assert!(counts[1] > 500, "{counts:?}: without values, refused");
    }
}
