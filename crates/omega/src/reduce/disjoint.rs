//! Whether two automata have no word in common, without building their product; and the same question many times.
//!
//! What: [`disjoint`] answers it once. An `Oracle` keeps one of the two, prepared for the labels of the other, and is asked
//! about many variants of the other one: all that a variant may change is which states there are and how edges run
//! between them, not the labels.
//!
//! How: explores the pairs of states depth first, keeps the components of the current path on a stack with the marks seen
//! inside, merges components when an edge closes a cycle, and stops as soon as one has all marks.
//!
//! Contract: both automata have the same manager and the same atoms. Explores each pair once. An oracle has a number
//! of steps, each an edge of the product; once they are spent every answer is `None`. Deterministic.
//!
//! Source: the emptiness check of [couvreur.99.fm]. Tested by: [`crate::automaton::emptiness`] on the product (below).

use crate::table::HashMap;

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use crate::automaton::{Automaton, MAX_SETS, Marks, State};
use crate::propositions::Propositions;

/// Whether no word is accepted by both.
///
/// # Errors
/// The limit of the budget that is exhausted.
///
/// # Panics
/// Where the automata have different managers or atoms, or more than [`MAX_SETS`] acceptance sets together.
pub fn disjoint(one: &Automaton, two: &Automaton, budget: &Budget) -> Result<bool, Exhausted> {
    one.manager().within(budget, || {
        let graph = Graph::new(one);
        let answer = Oracle::new(&graph, two, u64::MAX, budget)?.is_disjoint(&graph)?;
        Ok(answer.expect("as many steps as it takes"))
    })
}

/// An edge with a numbered label.
pub(crate) type Step = (State, u32, Marks);

/// Something like an automaton, whose labels are numbers.
pub(crate) trait Steps {
    fn initial(&self) -> State;
    /// The number of states; all are below it.
    fn state_count(&self) -> usize;
    fn for_each(&self, state: State, visit: impl FnMut(Step));
}

/// An automaton with its labels numbered.
#[derive(Clone)]
pub(crate) struct Graph {
    pub(crate) initial: State,
    pub(crate) sets: u32,
    pub(crate) edges: Vec<Vec<Step>>,
    pub(crate) labels: Vec<Bdd>,
    atoms: Propositions,
}

impl Graph {
    pub(crate) fn new(automaton: &Automaton) -> Self {
        let mut numbers: HashMap<Bdd, u32> = HashMap::default();
        let mut labels = Vec::new();
        let mut number = |label: &Bdd| {
            *numbers.entry(label.clone()).or_insert_with(|| {
                labels.push(label.clone());
                labels.len() as u32 - 1
            })
        };
        let edges = automaton.states().map(|state| {
            let edges = automaton.edges(state).iter();
            edges.map(|edge| (edge.target, number(&edge.label), edge.marks)).collect()
        });
        let edges = edges.collect();
        Graph {
            initial: automaton.initial(),
            sets: automaton.sets(),
            edges,
            labels,
            atoms: automaton.propositions().clone(),
        }
    }
}

impl Steps for Graph {
    fn initial(&self) -> State {
        self.initial
    }

    fn state_count(&self) -> usize {
        self.edges.len()
    }

    fn for_each(&self, state: State, visit: impl FnMut(Step)) {
        self.edges[state as usize].iter().copied().for_each(visit);
    }
}

/// An automaton that graphs with known labels are compared with.
pub(crate) struct Oracle<'a> {
    initial: State,
    labels: usize,
    states: usize,
    /// For each state and label, the edges that can be taken together with it: those before its place.
    edges: Vec<(State, Marks)>,
    places: Vec<usize>,
    all: Marks,
    /// The steps that are left.
    steps: u64,
    budget: &'a Budget,
    /// For each pair of states when it was discovered.
    order: Vec<u32>,
    /// The pairs that the last question discovered.
    discovered: Vec<usize>,
}

const UNSEEN: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

impl<'a> Oracle<'a> {
    pub(crate) fn new(graph: &Graph, automaton: &Automaton, steps: u64, budget: &'a Budget) -> Result<Self, Exhausted> {
        assert!(graph.sets + automaton.sets() <= MAX_SETS, "all acceptance sets together");
        assert!(graph.atoms.names() == automaton.atoms(), "automata over the same letters");
        let own = Graph::new(automaton);
        let compatible = compatible(&own.labels, &graph.labels, budget)?;
        let (mut edges, mut places) = (Vec::new(), Vec::with_capacity(own.edges.len() * graph.labels.len() + 1));
        places.push(0);
        for list in &own.edges {
            for label in 0..graph.labels.len() {
                budget.check()?;
                let fits = |edge: &&Step| compatible[edge.1 as usize * graph.labels.len() + label];
                edges.extend(list.iter().filter(fits).map(|edge| (edge.0, edge.2.shifted(graph.sets))));
                places.push(edges.len());
            }
        }
        Ok(Oracle {
            initial: automaton.initial(),
            labels: graph.labels.len(),
            states: automaton.state_count(),
            edges,
            places,
            all: Marks::all(graph.sets + automaton.sets()),
            steps,
            budget,
            order: Vec::new(),
            discovered: Vec::new(),
        })
    }

    /// Whether the graph has no word in common with the automaton; none if the steps do not suffice to decide it.
    pub(crate) fn is_disjoint(&mut self, graph: &impl Steps) -> Result<Option<bool>, Exhausted> {
        self.is_disjoint_from(graph, &[self.first_pair(graph)])
    }

    /// Whether no pair of runs that begins in one of these pairs of states accepts a common word; none if the steps do not suffice
    /// to decide it. If there is none, [`Oracle::discovered`] are the pairs that these pairs lead to, and themselves.
    pub(crate) fn is_disjoint_from(&mut self, graph: &impl Steps, starts: &[usize]) -> Result<Option<bool>, Exhausted> {
        let (mut order, mut discovered) = (std::mem::take(&mut self.order), std::mem::take(&mut self.discovered));
        // Most questions discover few of the pairs.
        discovered.drain(..).for_each(|pair| order[pair] = UNSEEN);
        order.resize(graph.state_count() * self.states, UNSEEN);
        let mut answer = Ok(Some(true));
        for &start in starts {
            if answer == Ok(Some(true)) && order[start] == UNSEEN {
                answer = self.search(graph, start, &mut order, &mut discovered);
            }
        }
        (self.order, self.discovered) = (order, discovered);
        answer
    }

    /// The pairs that the last question discovered.
    pub(crate) fn discovered(&self) -> &[usize] {
        &self.discovered
    }

    fn search(
        &mut self,
        graph: &impl Steps,
        start: usize,
        order: &mut [u32],
        discovered: &mut Vec<usize>,
    ) -> Result<Option<bool>, Exhausted> {
        let mut open = vec![start];
        order[start] = 0;
        discovered.push(start);
        // The components of the path: the first pair, the marks inside, the marks of the edge that leads here.
        let mut roots = vec![(0_u32, Marks::NONE, Marks::NONE)];
        // Edges still to take; each entry of the path owns those from its place on.
        let mut pending = Vec::new();
        let mut path = vec![(0_u32, pending.len())];
        self.push_successors(graph, start, &mut pending);
        while let Some(&(position, from)) = path.last() {
            self.budget.check()?;
            if pending.len() == from {
                path.pop();
                if roots.last().is_some_and(|root| root.0 == position) {
                    roots.pop();
                    open.drain(position as usize..).for_each(|pair| order[pair] = DONE);
                }
                continue;
            }
            let (target, marks) = pending.pop().expect("an edge of the last entry");
            let Some(steps) = self.steps.checked_sub(1) else { return Ok(None) };
            self.steps = steps;
            match order[target] {
                DONE => {}
                UNSEEN => {
                    let position = open.len() as u32;
                    order[target] = position;
                    discovered.push(target);
                    open.push(target);
                    roots.push((position, Marks::NONE, marks));
                    path.push((position, pending.len()));
                    self.push_successors(graph, target, &mut pending);
                }
                known => {
                    if close_cycle(&mut roots, known, marks).includes(self.all) {
                        return Ok(Some(false));
                    }
                }
            }
        }
        Ok(Some(true))
    }

    /// The edges of a state of the automaton that can be taken together with a label of the graph.
    fn compatible(&self, state: usize, label: u32) -> &[(State, Marks)] {
        let place = state * self.labels + label as usize;
        &self.edges[self.places[place]..self.places[place + 1]]
    }

    pub(crate) fn state_count(&self) -> usize {
        self.states
    }

    /// What the marks of an accepting cycle of pairs include.
    pub(crate) fn all_marks(&self) -> Marks {
        self.all
    }

    /// The pair that a search starts from.
    pub(crate) fn first_pair(&self, graph: &impl Steps) -> usize {
        graph.initial() as usize * self.states + self.initial as usize
    }

    /// Whether the pairs of all states have no more edges together than there are steps left.
    pub(crate) fn affords_all_pairs(&self, graph: &Graph) -> bool {
        let mut uses = vec![0_u64; self.labels];
        graph.edges.iter().flatten().for_each(|edge| uses[edge.1 as usize] += 1);
        let edges = |place: usize| uses[place % self.labels] * (self.places[place + 1] - self.places[place]) as u64;
        (0..self.places.len() - 1).map(edges).sum::<u64>() <= self.steps
    }

    /// The pairs that follow a pair, with the marks of the edge.
    pub(crate) fn push_successors(&self, graph: &impl Steps, pair: usize, pending: &mut Vec<(usize, Marks)>) {
        let (one, two) = (pair / self.states, pair % self.states);
        graph.for_each(one as State, |(target, label, marks)| {
            let pairs = self
                .compatible(two, label)
                .iter()
                .map(|&(other, more)| (target as usize * self.states + other as usize, marks.union(more)));
            pending.extend(pairs);
        });
    }
}

/// For each label of the first list and each of the second, whether some letter has both.
fn compatible(ones: &[Bdd], twos: &[Bdd], budget: &Budget) -> Result<Vec<bool>, Exhausted> {
    let tables = |labels: &[Bdd]| labels.iter().map(Bdd::table).collect::<Option<Vec<u64>>>();
    if let (Some(ones), Some(twos)) = (tables(ones), tables(twos)) {
        return Ok(ones.iter().flat_map(|one| twos.iter().map(move |two| one & two != 0)).collect());
    }
    let mut compatible = Vec::with_capacity(ones.len() * twos.len());
    for one in ones {
        budget.check()?;
        compatible.extend(twos.iter().map(|two| one.intersects(two)));
    }
    Ok(compatible)
}

/// Merges the components from the one of the pair `known` to the last; the marks of the result.
fn close_cycle(roots: &mut Vec<(u32, Marks, Marks)>, known: u32, marks: Marks) -> Marks {
    let mut seen = marks;
    while let Some(root) = roots.last_mut() {
        seen = seen.union(root.1);
        if root.0 <= known {
            root.1 = seen;
            break;
        }
        seen = seen.union(root.2);
        roots.pop();
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::emptiness::is_empty;
    use crate::combine::product::intersection;
    use crate::random_automaton::{Shape, random_automaton};

    #[test]
    fn disjoint_is_an_empty_product() {
        let (mut found, budget) = ([0, 0], Budget::unlimited());
        for seed in 0..400 {
            let shape = |sets: u64| Shape { sets: sets as u32, states: 4, density: 0.2, ..Shape::default() };
            let one = random_automaton(&shape(seed % 3), seed);
            let two = random_automaton(&shape(seed % 2 + 1), seed + 1000);
            let (one, two) = Automaton::aligned(&one, &two);
            let expected = is_empty(&intersection(&one, &two, &budget).unwrap());
            assert_eq!(disjoint(&one, &two, &budget), Ok(expected), "seed {seed}");
            found[usize::from(expected)] += 1;
        }
        assert!(found.iter().all(|&count| count > 50), "both answers occur: {found:?}");
    }
}
