//! Steps of sets of states: forward and backward, through a relation kept in parts.
//!
//! Contract: a `Schedule` holds the conjuncts of a relation, clustered and ordered, and quantifies each variable as soon
//! as no later conjunct mentions it (conjunctive partitioning with early quantification, [burch.91.vlsi]). The order is
//! greedy, as in [ranjan.95.iwls]: next comes the conjunct that lets most variables go and brings fewest new ones;
//! conjuncts are multiplied out while the product stays small. The result is that of the monolithic relation, whatever
//! the order; tested against the enumerator.

use bdd::{Bdd, Manager, Variable};

use crate::stop::Step;

/// Nodes up to which conjuncts are multiplied out.
pub const CLUSTER_LIMIT: usize = 2_000;

/// The conjuncts of a relation in order, with the variables to quantify after each.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// Variables that no conjunct mentions: quantified first.
    unmentioned: Vec<Variable>,
    clusters: Vec<(Bdd, Vec<Variable>)>,
}

impl Schedule {
    /// Orders and clusters conjuncts for the quantification of these variables.
    pub(crate) fn new(manager: &Manager, conjuncts: &[Bdd], quantified: &[Variable]) -> Step<Self> {
        let ordered = ordered(conjuncts, quantified);
        let mut clusters: Vec<Bdd> = Vec::new();
        let mut current = manager.yes();
        for part in ordered {
            let product =
                if current.size() + part.size() < CLUSTER_LIMIT { Some(current.try_and(&part)?) } else { None };
            match product {
                Some(product) if product.size() <= CLUSTER_LIMIT => current = product,
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
    pub(crate) fn apply(&self, set: &Bdd) -> Step<Bdd> {
        let mut result = if self.unmentioned.is_empty() { set.clone() } else { set.try_exists(&self.unmentioned)? };
        for (cluster, done) in &self.clusters {
            result = if done.is_empty() { result.try_and(cluster)? } else { result.try_and_exists(cluster, done)? };
            if result.is_false() {
                break;
            }
        }
        Ok(result)
    }

    /// The nodes of all clusters together.
    pub(crate) fn size(&self) -> usize {
        self.clusters.iter().map(|(cluster, _)| cluster.size()).sum()
    }

    /// How many clusters there are.
    pub(crate) fn len(&self) -> usize {
        self.clusters.len()
    }
}

/// The conjuncts in greedy order.
fn ordered(conjuncts: &[Bdd], quantified: &[Variable]) -> Vec<Bdd> {
    let mut parts: Vec<(Vec<Variable>, Bdd)> = conjuncts.iter().map(|part| (part.support(), part.clone())).collect();
    parts.retain(|(support, part)| !support.is_empty() || part.is_false());
    let numbers = parts.iter().flat_map(|(support, _)| support).chain(quantified).map(|variable| variable.0 as usize);
    let size = numbers.max().map_or(0, |largest| largest + 1);
    let mut uses = vec![0_u32; size];
    parts.iter().flat_map(|(support, _)| support).for_each(|variable| uses[variable.0 as usize] += 1);
    let mut goes = vec![false; size];
    quantified.iter().for_each(|variable| goes[variable.0 as usize] = true);
    let mut seen = vec![false; size];
    let mut ordered = Vec::with_capacity(parts.len());
    while !parts.is_empty() {
        // Variables that can go if a part is taken next, against variables that come in.
        let benefit = |support: &[Variable]| -> i64 {
            let going = support.iter().filter(|v| goes[v.0 as usize] && uses[v.0 as usize] == 1).count() as i64;
            let coming = support.iter().filter(|v| !seen[v.0 as usize]).count() as i64;
            2 * going - coming
        };
        let best =
            (0..parts.len()).max_by_key(|&at| (benefit(&parts[at].0), std::cmp::Reverse(at))).expect("not empty");
        let (support, part) = parts.remove(best);
        for variable in support {
            uses[variable.0 as usize] -= 1;
            seen[variable.0 as usize] = true;
        }
        ordered.push(part);
    }
    ordered
}
