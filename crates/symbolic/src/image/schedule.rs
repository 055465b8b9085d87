//! Steps of sets of states: forward and backward, through a relation kept in parts.
//!
//! Contract: a `Schedule` holds the conjuncts of a relation, clustered and ordered, and quantifies each variable as soon
//! as no later conjunct mentions it (conjunctive partitioning with early quantification, [burch.91.vlsi]). The order is
//! greedy, weighing variables that go against variables that come as in [ranjan.95.iwls], but chooses a variable and all
//! its conjuncts at a time; conjuncts are multiplied out while the product stays small. The result is that of the monolithic relation, whatever
//! the order; tested against the enumerator.

use crate::thresholds::image::CLUSTER_NODES;
use bdd::{Bdd, Manager, Variable};

use kernel::budget::Exhausted;

/// The conjuncts of a relation in order, with the variables to quantify after each.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// Variables that no conjunct mentions: quantified first.
    unmentioned: Vec<Variable>,
    clusters: Vec<(Bdd, Vec<Variable>)>,
}

impl Schedule {
    /// Orders and clusters conjuncts for the quantification of these variables.
    pub(crate) fn new(manager: &Manager, conjuncts: &[Bdd], quantified: &[Variable]) -> Result<Self, Exhausted> {
        let ordered = ordered(conjuncts, quantified);
        let mut clusters: Vec<Bdd> = Vec::new();
        let mut current = manager.yes();
        for part in ordered {
            let product =
                if current.size() + part.size() < CLUSTER_NODES { Some(current.try_and(&part)?) } else { None };
            match product {
                Some(product) if product.size() <= CLUSTER_NODES => current = product,
                _ => clusters.push(std::mem::replace(&mut current, part)),
            }
        }
        clusters.push(current);
        clusters.retain(|cluster| !cluster.is_true());
        Ok(Self::with_last_use(clusters, quantified))
    }

    fn with_last_use(clusters: Vec<Bdd>, quantified: &[Variable]) -> Self {
        let supports: Vec<Vec<Variable>> = clusters.iter().map(Bdd::support).collect();
        let mut unmentioned = Vec::new();
        let mut last_use: Vec<Vec<Variable>> = vec![Vec::new(); clusters.len()];
        for &variable in quantified {
            match supports.iter().rposition(|support| support.binary_search(&variable).is_ok()) {
                Some(last) => last_use[last].push(variable),
                None => unmentioned.push(variable),
            }
        }
        Schedule { unmentioned, clusters: clusters.into_iter().zip(last_use).collect() }
    }

    /// The conjunction of the set with all conjuncts, without the quantified variables.
    pub(crate) fn apply(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        let mut result = if self.unmentioned.is_empty() { set.clone() } else { set.try_exists(&self.unmentioned)? };
        for (cluster, done) in &self.clusters {
            result = if done.is_empty() { result.try_and(cluster)? } else { result.try_and_exists(cluster, done)? };
            if result.is_false() {
                break;
            }
        }
        Ok(result)
    }

    /// The whole relation, if it is one cluster.
    pub(crate) fn single(&self) -> Option<&Bdd> {
        match self.clusters.as_slice() {
            [(cluster, _)] => Some(cluster),
            _ => None,
        }
    }

    /// The nodes of each cluster.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = usize> {
        self.clusters.iter().map(|(cluster, _)| cluster.size())
    }

    /// The nodes of all clusters together.
    pub(crate) fn size(&self) -> usize {
        self.sizes().sum()
    }

    /// How many clusters there are.
    pub(crate) fn len(&self) -> usize {
        self.clusters.len()
    }
}

/// The conjuncts in an order that lets variables go early: again and again the variable whose conjuncts bring the fewest
/// others in, and let the most go, is chosen, and its conjuncts come next.
fn ordered(conjuncts: &[Bdd], quantified: &[Variable]) -> Vec<Bdd> {
    let parts: Vec<(Vec<Variable>, &Bdd)> = conjuncts.iter().map(|part| (part.support(), part)).collect();
    let numbers = parts.iter().flat_map(|(support, _)| support).chain(quantified).map(|variable| variable.0 as usize);
    let size = numbers.max().map_or(0, |largest| largest + 1);
    // For each variable, the parts left that mention it.
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); size];
    for (at, (support, _)) in parts.iter().enumerate() {
        support.iter().for_each(|variable| users[variable.0 as usize].push(at));
    }
    let mut goes = vec![false; size];
    quantified.iter().for_each(|variable| goes[variable.0 as usize] = true);
    let mut seen = vec![false; size];
    let mut done: Vec<bool> = parts.iter().map(|(support, part)| support.is_empty() && !part.is_false()).collect();
    let mut ordered = Vec::with_capacity(parts.len());
    while let Some(next) = next_variable(&parts, &users, &goes, &seen) {
        let mut group = std::mem::take(&mut users[next]);
        // Within the group, the conjunct that introduces the fewest new variables comes first.
        group.sort_by_key(|at| (parts[*at].0.iter().filter(|variable| !seen[variable.0 as usize]).count(), *at));
        for at in group {
            done[at] = true;
            ordered.push(parts[at].1.clone());
            for variable in &parts[at].0 {
                seen[variable.0 as usize] = true;
                users[variable.0 as usize].retain(|user| *user != at);
            }
        }
    }
    ordered.extend(parts.iter().zip(done).filter(|(_, done)| !done).map(|((_, part), _)| (*part).clone()));
    ordered
}

/// The variable to be quantified that costs least to let go.
fn next_variable(parts: &[(Vec<Variable>, &Bdd)], users: &[Vec<usize>], goes: &[bool], seen: &[bool]) -> Option<usize> {
    let candidates = (0..users.len()).filter(|variable| goes[*variable] && !users[*variable].is_empty());
    let cost = |variable: usize| {
        let mut mentioned: Vec<usize> =
            users[variable].iter().flat_map(|at| &parts[*at].0).map(|variable| variable.0 as usize).collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        let coming = mentioned.iter().filter(|other| !seen[**other]).count() as i64;
        let own = &users[variable];
        let going = mentioned.iter().filter(|other| goes[**other] && users[**other].iter().all(|at| own.contains(at)));
        coming - 2 * going.count() as i64
    };
    candidates.min_by_key(|variable| (cost(*variable), *variable))
}
