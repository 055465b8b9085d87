//! Claims that one line can show, as graphs whose lines show them.
//!
//! What: where no conjunction joins two claims about paths, evidence is one path or lasso, and at each of its states one
//! operator is at work. Nodes are pairs of a state and such a *phase*: an operator that goes on to the next state, with the
//! steps it has done if it counts them, or the end. Contract: the lines of the graph that end, or enter a fair loop, are the main
//! lines of all evidence for the claim, step by step; [`Lines::evidence`] turns one back. What is claimed of every state on the
//! way is true there by the sets of the claims; it has no steps on the line.

use bdd::{Bdd, Cube, Variable};

use super::graph::{Edge, Graph, Line};
use super::listing::Listing;
use crate::witness::claim::{Claim, Kind};
use crate::witness::{Evidence, Path, Witness};
use kernel::budget::Exhausted;

/// Nodes that a graph may have: pairs of a state and a phase.
const NODES: usize = 60_000;

/// States that are listed, where each has few steps.
const STATES: usize = 10_000;

/// Edges that a graph may have.
const EDGES: usize = 1_000_000;

/// Nodes of the relation up to which that many states are listed; fewer if there are more.
const RELATION: usize = 400;

/// The end of a line.
const END: u32 = 0;

/// An operator at work, and how many steps it has done, if it counts them.
#[derive(Clone, Copy)]
struct Phase<'c> {
    claim: &'c Claim,
    done: u32,
}

/// The pairs that were listed so far.
pub(super) struct Lines<'c, 's> {
    pub(super) listing: Listing<'s>,
    witness: Witness<'c, 's>,
    claim: &'c Claim,
    /// The phases, from number 1 on.
    phases: Vec<Phase<'c>>,
    /// The state and the phase of each node.
    pub(super) nodes: Vec<(u32, u32)>,
    /// For each state its nodes, by phase.
    known: Vec<Vec<(u32, u32)>>,
    pub(super) graph: Graph,
}

impl<'c, 's> Lines<'c, 's> {
    /// Prepares the lines of a claim; none if too many inputs are telling. `more` are inputs that tell steps apart beside
    /// those that fairness is about.
    pub(super) fn new(witness: Witness<'c, 's>, claim: &'c Claim, more: &[Variable]) -> Option<Self> {
        let system = witness.system();
        let is_input = |bit: &Variable| system.parts().inputs.contains(bit);
        let compassion = system.compassion().iter().flat_map(|(often, then)| [often, then]);
        let fairness = system.justice().iter().chain(compassion);
        let mut telling: Vec<Variable> =
            fairness.flat_map(Bdd::support).filter(is_input).chain(more.iter().copied()).collect();
        telling.sort();
        telling.dedup();
        let graph = Graph {
            justice: u32::try_from(system.justice().len()).ok()?,
            compassion: u32::try_from(system.compassion().len()).ok()?,
            ..Graph::default()
        };
        if graph.justice + 2 * graph.compassion > 30 {
            return None;
        }
        Some(Lines {
            listing: Listing::new(system, witness.fixpoints.fair(), &telling)?,
            witness,
            claim,
            phases: vec![Phase { claim, done: 0 }],
            nodes: Vec::new(),
            known: Vec::new(),
            graph,
        })
    }

    /// Lists the nodes of all lines with fewer than `bound` steps; says whether these are all, or too many.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(super) fn explore(&mut self, starts: &Bdd, bound: usize) -> Result<bool, Exhausted> {
        let (_, size) = self.witness.system().relation_size();
        let most = STATES * RELATION / size.max(RELATION) / self.listing.label_count();
        let Some(states) = self.listing.list(starts, most) else { return Ok(false) };
        for state in states {
            for phase in self.entered(self.claim, 0, state, true) {
                let node = self.node(state, phase);
                self.graph.starts.push(node);
            }
        }
        let (mut layer, mut edges, mut next) = (self.graph.edges.len(), 0, 0);
        // Nodes are numbered in the order of a breadth-first search.
        let mut depth = 0;
        while next < self.graph.edges.len() {
            if next == layer {
                depth += 1;
                layer = self.graph.edges.len();
            }
            if depth + 1 >= bound {
                return Ok(true);
            }
            let (state, phase) = self.nodes[next];
            if phase != END {
                let Some(steps) = self.listing.steps(state, EDGES)? else { return Ok(false) };
                let found = self.edges(state, phase, &steps);
                edges += found.len();
                self.graph.edges[next] = found;
            }
            if self.listing.count() > most || self.graph.edges.len() > NODES || edges > EDGES {
                return Ok(false);
            }
            next += 1;
        }
        Ok(true)
    }

    fn edges(&mut self, state: u32, phase: u32, steps: &[(u32, u32)]) -> Vec<Edge> {
        let Phase { claim, done } = self.phases[phase as usize];
        let mut edges = Vec::new();
        let mut marks: Vec<Option<u32>> = Vec::new();
        for &(label, next) in steps {
            let entered = match &claim.kind {
                Kind::Next(a) => self.entered(a, 0, next, true),
                // The set of the whole claim may be that of the starts alone.
                Kind::Until(..) => self.entered(claim, 0, next, !std::ptr::eq(claim, self.claim)),
                Kind::Always(_) => self.entered(claim, 0, next, true),
                _ => self.entered(claim, done + 1, next, false),
            };
            marks.resize(marks.len().max(label as usize + 1), None);
            let marks = *marks[label as usize].get_or_insert_with(|| self.marks(state, label));
            for phase in entered {
                edges.push(Edge { to: self.node(next, phase), label, marks });
            }
        }
        edges
    }

    /// The fairness marks of a step.
    fn marks(&self, state: u32, label: u32) -> u32 {
        let system = self.witness.system();
        let compassion = system.compassion().iter().flat_map(|(often, then)| [often, then]);
        let all = system.justice().iter().chain(compassion);
        (0..).zip(all).map(|(at, constraint)| u32::from(self.listing.meets(constraint, state, label)) << at).sum()
    }

    fn node(&mut self, state: u32, phase: u32) -> u32 {
        self.known.resize(self.known.len().max(self.listing.count()), Vec::new());
        let known = &mut self.known[state as usize];
        if let Some((_, node)) = known.iter().find(|(other, _)| *other == phase) {
            return *node;
        }
        let node = u32::try_from(self.nodes.len()).expect("few nodes");
        known.push((phase, node));
        self.nodes.push((state, phase));
        self.graph.edges.push(Vec::new());
        self.graph.ends.push(phase == END);
        let is_loop = phase != END && matches!(self.phases[phase as usize].claim.kind, Kind::Always(_));
        self.graph.loops.push(is_loop);
        node
    }

    fn phase(&mut self, claim: &'c Claim, done: u32) -> u32 {
        let same = |phase: &Phase<'c>| std::ptr::eq(phase.claim, claim) && phase.done == done;
        let at = self.phases[1..].iter().position(same).map_or(self.phases.len(), |at| at + 1);
        if at == self.phases.len() {
            self.phases.push(Phase { claim, done });
        }
        u32::try_from(at).expect("few phases")
    }

    /// The phases in which a line can show a claim from a state on, of which an operator has done some steps.
    fn entered(&mut self, claim: &'c Claim, done: u32, state: u32, is_new: bool) -> Vec<u32> {
        let is_in = |lines: &Self, set: &Bdd| lines.listing.contains(set, state);
        if is_new && !is_in(self, &claim.set) {
            return Vec::new();
        }
        if claim.is_plain() {
            return vec![END];
        }
        match &claim.kind {
            Kind::Atom(..) | Kind::AllPaths => vec![END],
            Kind::And(parts) => match parts.iter().find(|part| part.goes_on()) {
                Some(part) => self.entered(part, 0, state, true),
                None => vec![END],
            },
            Kind::Or(parts) => {
                let mut phases: Vec<u32> = parts.iter().flat_map(|part| self.entered(part, 0, state, true)).collect();
                phases.sort_unstable();
                phases.dedup();
                phases
            }
            Kind::Next(_) | Kind::Always(_) => vec![self.phase(claim, 0)],
            Kind::Until(a, b) => {
                let mut phases = self.entered(b, 0, state, true);
                if is_in(self, &a.set) {
                    phases.push(self.phase(claim, 0));
                }
                phases
            }
            Kind::BoundedUntil(low, high, a, b) => {
                let mut phases = if done >= *low { self.entered(b, 0, state, true) } else { Vec::new() };
                if done < *high && is_in(self, &a.set) {
                    phases.push(self.phase(claim, done));
                }
                phases
            }
            Kind::BoundedAlways(low, high, a) => match done >= *low && !is_in(self, &a.set) {
                true => Vec::new(),
                false if done == *high => vec![END],
                false => vec![self.phase(claim, done)],
            },
            Kind::BoundedRelease(low, high, not_a, not_b) => match done >= *low && !is_in(self, &not_b.set) {
                true => Vec::new(),
                false if done == *high || is_in(self, &not_a.set) => vec![END],
                false => vec![self.phase(claim, done)],
            },
        }
    }

    /// The evidence that a line of the graph is.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(super) fn evidence(&mut self, line: &Line) -> Result<(Cube, Evidence), Exhausted> {
        let start = self.listing.cube(self.nodes[line.nodes[0].0 as usize].0);
        Ok((start, self.shown(self.claim, line, 0)?))
    }

    /// Recurses no deeper than the formula, which is limited.
    fn shown(&mut self, claim: &'c Claim, line: &Line, at: usize) -> Result<Evidence, Exhausted> {
        if claim.is_plain() {
            return Ok(Evidence::Plain);
        }
        let (state, phase) = self.nodes[line.nodes[at].0 as usize];
        let is_at_work = |lines: &Self, position: usize| {
            let (_, phase) = lines.nodes[line.nodes[position].0 as usize];
            phase != END && std::ptr::eq(lines.phases[phase as usize].claim, claim)
        };
        // Where the operator hands on.
        let ends = |lines: &Self| (at..line.nodes.len()).find(|position| !is_at_work(lines, *position));
        match &claim.kind {
            Kind::Atom(..) => Ok(Evidence::Plain),
            Kind::AllPaths => Ok(Evidence::Unshown),
            Kind::And(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.push(self.shown(part, line, at)?);
                }
                Ok(Evidence::All(all))
            }
            Kind::Or(parts) => {
                let chosen = |lines: &mut Self, part: &'c Claim| lines.entered(part, 0, state, true).contains(&phase);
                let index = parts.iter().position(|part| chosen(self, part)).expect("the line shows one part");
                Ok(Evidence::One(index, Box::new(self.shown(&parts[index], line, at)?)))
            }
            Kind::Next(a) => self.then(a, line, at, at + 1),
            Kind::Until(_, b) | Kind::BoundedUntil(_, _, _, b) => {
                let end = ends(self).expect("an until comes to an end");
                self.then(b, line, at, end)
            }
            Kind::Always(_) => {
                let path = self.path(line, at, line.nodes.len())?;
                Ok(Evidence::Path(path, Vec::new(), Box::new(Evidence::Plain)))
            }
            Kind::BoundedAlways(..) | Kind::BoundedRelease(..) => {
                let end = ends(self).expect("it comes to an end");
                Ok(Evidence::Path(self.path(line, at, end)?, Vec::new(), Box::new(Evidence::Plain)))
            }
        }
    }

    fn then(&mut self, claim: &'c Claim, line: &Line, from: usize, to: usize) -> Result<Evidence, Exhausted> {
        let path = self.path(line, from, to)?;
        Ok(Evidence::Path(path, Vec::new(), Box::new(self.shown(claim, line, to)?)))
    }

    /// The states of a line between two positions; if the second is beyond its end, with its loop.
    pub(super) fn path(&self, line: &Line, from: usize, to: usize) -> Result<Path, Exhausted> {
        let cube = |position: usize| self.listing.cube(self.nodes[line.nodes[position].0 as usize].0);
        let manager = self.witness.system().manager();
        let mut path = Path::at(cube(from));
        for position in from..to {
            let next = if position + 1 < line.nodes.len() { position + 1 } else { line.loop_start.expect("a lasso") };
            let condition = manager.try_cube(self.listing.label(line.nodes[position].1))?;
            path = self.witness.step_with(path, &condition, &manager.try_cube(&cube(next))?)?;
        }
        if to == line.nodes.len() {
            path.states.pop();
            path.loop_start = Some(line.loop_start.expect("a lasso") - from);
        }
        Ok(path)
    }
}
