//! The tables of one process: what its edges do, and what it may do from each location on.
//!
//! *What.* Processes of one definition that differ in nothing that its indices and channels depend on share an instance.
//! `Tables::generic` knows nothing but the definition and stands for processes that do not exist yet.
//!
//! *Contract.* A function of the model, the property and what the instance is told apart by.

use super::access::Survey;
use super::balance::{Balance, Member, started_again};
use super::known::{Frozen, Identity, Known, Used};
use super::mutant::Mutant;
use super::resource::Resources;
use super::sequence::Sequences;
use super::set::Access;
use super::sticky::{Circumstances, Graph, endless, graph};
use crate::atomic::may_stay_atomic;
use crate::compiled::atoms::Atoms;
use crate::compiled::code::{Action, Code, Edge, Guard, Pattern, Start};
use crate::compiled::model::{Model, Node};
use crate::dataflow::may_be_several;
use crate::typed::ProcId;
use kernel::budget::{Budget, Exhausted};
use std::collections::HashMap;
use std::ops::Range;

/// What one instance may do.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) definition: usize,
    /// What it is told apart by.
    process: Identity,
    /// For each edge of the definition, from its first one on, what it and the rest of its atomic sequence do.
    pub(super) edges: Vec<Access>,
    /// For each edge, whether it may change the truth of an atom.
    pub(super) visible: Vec<bool>,
    /// For each location, the number of its future. All locations on a cycle have the same one, so that there are few.
    pub(super) future_at: Vec<u32>,
    /// The futures: everything that may happen from a location on.
    pub(super) futures: Vec<Access>,
    /// The same without the ends of processes: they end from the last one on, so that another process ends only after it.
    pub(super) lasting: Vec<Access>,
}

/// What one instance may do, while it is found out, or any instance of a definition.
#[derive(Debug)]
struct Draft {
    edges: Vec<Access>,
    visible: Vec<bool>,
    /// For each edge, whether its sequence may pass control to a receiver on the way.
    hands_over: Vec<bool>,
    /// For each location, everything that may happen from there on.
    futures: Vec<Access>,
}

/// What holds for all instances.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) resources: Resources,
    frozen: Frozen,
    pub(super) mutant: Option<Mutant>,
    pub(super) partners_look: bool,
    /// What the property looks at.
    atoms: Option<Access>,
    generic: Vec<Draft>,
    /// For each edge of the model, whether a state in which it is taken must be expanded fully.
    pub(super) sticky: Vec<bool>,
    /// Those of them that stay sticky, whatever processes there are.
    kept: Vec<bool>,
    /// The graph of each definition.
    graphs: Vec<Graph>,
    /// Sticky edges may differ between processes of a definition.
    pub(super) relieves: bool,
    /// For each definition, the number of its first edge.
    pub(super) first: Vec<usize>,
    /// For each location of each definition, whether no step of another process can disturb its steps, which are
    /// invisible and not all sticky.
    pub(super) local: Vec<Vec<bool>>,
    /// Whether there is such a location, in each definition and in some.
    pub(super) has_local_in: Vec<bool>,
    pub(super) has_local: bool,
    pub(super) used: Vec<Used>,
    /// For each definition, whether it may have more than one process.
    pub(super) several: Vec<bool>,
}

impl Tables {
    pub(super) fn new(
        model: &Model,
        atoms: Option<&Atoms>,
        mutant: Option<Mutant>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let first = Self::with_labels(model, atoms, mutant, Vec::new(), budget)?;
        let labels: Vec<(usize, usize)> = first.frozen.labels().iter().copied().collect();
        // Which locations expressions ask for is known once all of them were looked at.
        if labels.is_empty() { Ok(first) } else { Self::with_labels(model, atoms, mutant, labels, budget) }
    }

    fn with_labels(
        model: &Model,
        atoms: Option<&Atoms>,
        mutant: Option<Mutant>,
        labels: Vec<(usize, usize)>,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let resources = Resources::new(&model.layout, labels);
        let frozen = Frozen::new(model, &resources);
        let first = model.definitions.iter().map(|definition| definition.nodes.first().map_or(0, |node| node.first));
        let mut tables = Self {
            first: first.collect(),
            partners_look: partners_look(model),
            atoms: None,
            generic: Vec::new(),
            sticky: Vec::new(),
            kept: Vec::new(),
            graphs: Vec::new(),
            relieves: true,
            local: Vec::new(),
            has_local_in: Vec::new(),
            has_local: false,
            used: Vec::new(),
            several: may_be_several(&model.program, budget)?,
            resources,
            frozen,
            mutant,
        };
        tables.atoms = atoms.map(|atoms| tables.looks(model, atoms));
        let mut generic: Vec<Draft> = (0..model.definitions.len())
            .map(|definition| tables.edges_only(model, definition, None, budget))
            .collect::<Result<_, _>>()?;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for definition in 0..generic.len() {
                changed |= tables.spread(model, definition, &mut generic, budget)?;
            }
        }
        tables.generic = generic;
        tables.used = (0..model.definitions.len()).map(|definition| tables.frozen.used(definition)).collect();
        tables.stick(model, budget)?;
        tables.local = tables.locals(model, budget)?;
        tables.has_local_in = tables.local.iter().map(|locations| locations.contains(&true)).collect();
        tables.has_local = tables.has_local_in.contains(&true);
        Ok(tables)
    }

    /// Whether every step is visible.
    pub(super) fn sees_everything(&self) -> bool {
        self.atoms.as_ref().is_some_and(|atoms| atoms.all)
    }

    /// The tables of a process.
    pub(super) fn instance(&self, model: &Model, definition: usize, process: &Identity) -> Instance {
        // One process takes no longer than its definition did.
        let unlimited = Budget::unlimited();
        let made = self.edges_only(model, definition, Some(process), &unlimited);
        let mut draft = made.expect("an unlimited budget is never exhausted");
        while self.follow_with(model, definition, &mut draft, |other| self.generic[other].futures.first()) {}
        let Draft { edges, visible, futures: all, .. } = draft;
        let (mut numbers, mut futures) = (HashMap::new(), Vec::new());
        let mut number = |future: Access| {
            let next = u32::try_from(futures.len()).expect("few locations");
            *numbers.entry(future).or_insert_with_key(|future| {
                futures.push(future.clone());
                next
            })
        };
        let future_at = all.into_iter().map(&mut number).collect();
        let lasting = futures.iter().map(|future| self.lasting(future)).collect();
        Instance { definition, process: process.clone(), edges, visible, future_at, futures, lasting }
    }

    /// Whether the end of a process matters, of so many: another one ends only after the last one.
    pub(super) fn counts_ends_of(&self, pid: usize, count: usize) -> bool {
        pid + 1 == count && self.mutant != Some(Mutant::LastEnds)
    }

    /// What stands for the channel with this number.
    pub(super) fn numbered_channel(&self, number: usize) -> usize {
        self.resources.numbered(number)
    }

    /// What a process may do before some process ends: what only the end of one does is left out.
    fn lasting(&self, future: &Access) -> Access {
        let (creation, death) = (self.resources.creation(), self.resources.death());
        let mut future = future.clone();
        future.reads.remove(creation);
        future.reads.remove(death);
        future.provides.remove(death);
        future
    }

    /// What the atoms of a property look at.
    fn looks(&self, model: &Model, atoms: &Atoms) -> Access {
        // Atoms belong to no process; they are compiled as if for the first definition.
        let known = Known { frozen: &self.frozen, resources: &self.resources, definition: 0, process: None };
        let survey = Survey { model, known, mutant: None, partners_look: self.partners_look };
        let mut access = survey.atoms(atoms.codes());
        access.all |= atoms.asks_timeout();
        access
    }

    fn edges_only(
        &self,
        model: &Model,
        definition: usize,
        process: Option<&Identity>,
        budget: &Budget,
    ) -> Result<Draft, Exhausted> {
        let known = Known { frozen: &self.frozen, resources: &self.resources, definition, process };
        let survey = Survey { model, known, mutant: self.mutant, partners_look: self.partners_look };
        let nodes = &model.definitions[definition].nodes;
        let single: Vec<Access> = nodes
            .iter()
            .enumerate()
            .flat_map(|(at, node)| (0..node.count).map(move |index| (at, index)))
            .map(|(at, index)| budget.check().map(|()| survey.edge(at, index)))
            .collect::<Result<_, _>>()?;
        let sequences = Sequences { model, tables: self, definition };
        let (edges, hands_over) = sequences.of(single, budget)?;
        let visible = edges.iter().map(|edge| self.is_visible(edge)).collect();
        let futures = vec![Access::new(self.resources.count()); nodes.len()];
        Ok(Draft { edges, visible, hands_over, futures })
    }

    fn is_visible(&self, edge: &Access) -> bool {
        self.mutant != Some(Mutant::NothingVisible) && self.atoms.as_ref().is_some_and(|atoms| atoms.conflicts(edge))
    }

    /// Adds to the futures of the definition what one more step may do; says whether that changed anything.
    fn spread(&self, model: &Model, definition: usize, all: &mut [Draft], budget: &Budget) -> Result<bool, Exhausted> {
        let none = Draft { edges: Vec::new(), visible: Vec::new(), hands_over: Vec::new(), futures: Vec::new() };
        let mut own = std::mem::replace(&mut all[definition], none);
        let mut changed = false;
        let created = |other: usize| all[other].futures.first().filter(|_| other != definition);
        while self.follow_with(model, definition, &mut own, created) {
            budget.check()?;
            changed = true;
        }
        all[definition] = own;
        Ok(changed)
    }

    /// Adds to the futures of a draft what one more step may do, given what the processes that it starts may do; says
    /// whether that changed anything.
    fn follow_with<'f>(
        &self,
        model: &Model,
        definition: usize,
        draft: &mut Draft,
        created: impl Fn(usize) -> Option<&'f Access>,
    ) -> bool {
        let first = self.first[definition];
        let mut changed = false;
        let nothing = Access::new(0);
        // Most edges lead forward, so that most is known at once from the back.
        for (number, node) in model.definitions[definition].nodes.iter().enumerate().rev() {
            let Draft { edges, futures, .. } = &mut *draft;
            let mut future = std::mem::replace(&mut futures[number], nothing.clone());
            for index in node.first..node.first + node.count {
                let edge = &model.edges[index];
                changed |= future.then(&edges[index - first]);
                if !matches!(edge.guard, Guard::Terminate) && usize::from(edge.target) != number {
                    changed |= future.then(&futures[usize::from(edge.target)]);
                }
                if self.mutant != Some(Mutant::CreatedFuture) {
                    starts(&edge.action, &mut |start| match created(start.proc as usize) {
                        Some(access) => changed |= future.then(access),
                        // A process of the same definition.
                        None if number != 0 => changed |= future.then(&futures[0]),
                        None => {}
                    });
                }
            }
            futures[number] = future;
        }
        changed
    }

    /// Chooses the sticky edges: those at locations that are shared anyway before others.
    fn stick(&mut self, model: &Model, budget: &Budget) -> Result<(), Exhausted> {
        let mut weights = vec![0; model.edges.len()];
        for (definition, code) in model.definitions.iter().enumerate() {
            let instance = &self.generic[definition];
            let first = self.first[definition];
            for node in &code.nodes {
                let own = node.first - first..node.first - first + node.count;
                let is_shared = |edge: usize| self.resources.is_shared(&instance.edges[edge]) || instance.visible[edge];
                let at_shared = u32::from(own.clone().any(is_shared));
                for edge in own {
                    let writes = !instance.edges[edge].writes.is_empty();
                    weights[first + edge] = 4 * u32::from(instance.visible[edge] || instance.edges[edge].all)
                        + 2 * at_shared
                        + u32::from(writes);
                }
            }
        }
        if self.mutant == Some(Mutant::NoProviso) {
            (self.sticky, self.kept) = (vec![false; model.edges.len()], vec![true; model.edges.len()]);
            return Ok(());
        }
        self.kept = self.starts_again(model);
        if self.mutant != Some(Mutant::HandOverLoose) {
            // The proviso looks at the first edge of a sequence, and a receiver may take a sticky one later.
            let hands_over = self.generic.iter().flat_map(|draft| &draft.hands_over);
            self.kept.iter_mut().zip(hands_over).for_each(|(kept, hands_over)| *kept |= hands_over);
        }
        if may_stay_atomic(&model.program, budget)? {
            self.kept.iter_mut().zip(endless(model, budget)?).for_each(|(kept, endless)| *kept |= endless);
        }
        self.graphs = model.definitions.iter().map(|definition| graph(model, definition)).collect();
        let members = (0..model.definitions.len()).map(|definition| Member { definition, process: None });
        let balance = Balance::new(model, (&self.frozen, &self.resources), self.mutant, members);
        let mut sticky = self.kept.clone();
        self.circumstances(&balance, budget).stick(&mut sticky, &weights)?;
        self.sticky = sticky;
        Ok(())
    }

    /// For each edge of the model, whether it may start a process that is started again and again.
    fn starts_again(&self, model: &Model) -> Vec<bool> {
        let is_started_again = started_again(model, self.mutant).contains(&true);
        let edges = self.generic.iter().flat_map(|draft| &draft.edges);
        let creation = self.resources.creation();
        edges.map(|edge| is_started_again && (edge.all || edge.writes.has_any(creation..creation + 1))).collect()
    }

    fn circumstances<'a>(&'a self, balance: &'a Balance<'a>, budget: &'a Budget) -> Circumstances<'a> {
        Circumstances { graphs: &self.graphs, balance, mutant: self.mutant, budget }
    }

    /// The sticky edges of each of these processes.
    pub(super) fn sticky_edges(&self, model: &Model, processes: &[&Instance]) -> Vec<Box<[bool]>> {
        let of_all = |all: &[bool]| -> Vec<bool> {
            processes.iter().flat_map(|process| &all[self.edges_of(model, process.definition)]).copied().collect()
        };
        let mut sticky = of_all(&self.sticky);
        if self.relieves && sticky.contains(&true) {
            let members = processes
                .iter()
                .map(|process| Member { definition: process.definition, process: Some(&process.process) });
            let balance = Balance::new(model, (&self.frozen, &self.resources), self.mutant, members);
            let relieved = self.circumstances(&balance, &Budget::unlimited()).relieve(&mut sticky, &of_all(&self.kept));
            relieved.expect("an unlimited budget is never exhausted");
        }
        let mut rest = sticky.as_slice();
        let own = |process: &&Instance| {
            let (own, others) = rest.split_at(process.edges.len());
            rest = others;
            own.into()
        };
        processes.iter().map(own).collect()
    }

    /// The edges of a definition, by their numbers in the model.
    fn edges_of(&self, model: &Model, definition: usize) -> Range<usize> {
        let count: usize = model.definitions[definition].nodes.iter().map(|node| node.count).sum();
        self.first[definition]..self.first[definition] + count
    }

    /// For each location, whether a process may stand there in a state that a choice is made for, other than as the only
    /// one in the initial state. Where it always goes on inside an atomic sequence, it alone moves.
    fn seen(&self, model: &Model, definition: usize) -> Vec<bool> {
        let mut is_started = false;
        let edges = model.edges.iter();
        edges.for_each(|edge| starts(&edge.action, &mut |start| is_started |= start.proc as usize == definition));
        let nodes = &model.definitions[definition].nodes;
        let mut seen = vec![false; nodes.len()];
        if let Some(beginning) = seen.first_mut() {
            *beginning = is_started || model.active != [(definition, 1)];
        }
        for edge in nodes.iter().flat_map(|node| model.edges_of(node)) {
            if matches!(edge.guard, Guard::Terminate) {
                continue;
            }
            let next = &nodes[usize::from(edge.target)];
            let edges = model.edges_of(next).iter();
            let goes_on = !next.is_restricted
                && edges.map(|edge| &edge.guard).any(|guard| matches!(guard, Guard::Always | Guard::Else));
            // A send may pass control to a receiver.
            seen[usize::from(edge.target)] |= !(edge.atomic && goes_on) || matches!(edge.guard, Guard::Send);
        }
        seen
    }

    /// Whether a process of the definition mostly has others above it, since it starts some, or another one begins after it.
    fn is_below_others(&self, model: &Model, definition: usize) -> bool {
        let mut starts_some = false;
        let nodes = &model.definitions[definition].nodes;
        let edges = nodes.iter().flat_map(|node| model.edges_of(node));
        edges.for_each(|edge| starts(&edge.action, &mut |_| starts_some = true));
        starts_some || model.active.last().is_some_and(|(last, _)| *last != definition)
    }

    /// Which locations have steps that nobody can disturb.
    fn locals(&self, model: &Model, budget: &Budget) -> Result<Vec<Vec<bool>>, Exhausted> {
        let whole = |definition: usize| {
            let mut whole = Access::new(self.resources.count());
            self.generic[definition].edges.iter().for_each(|edge| {
                whole.then(edge);
            });
            whole
        };
        let wholes: Vec<Access> = (0..model.definitions.len()).map(whole).collect();
        let is_process =
            |definition: &usize| model.is_process(ProcId(u32::try_from(*definition).expect("few definitions")));
        let others = |definition: usize| -> Vec<&Access> {
            (0..wholes.len())
                .filter(is_process)
                .filter(|other| *other != definition || self.several[definition])
                .map(|other| &wholes[other])
                .collect()
        };
        let local = |definition: usize| {
            budget.check()?;
            let others = others(definition);
            let first = self.first[definition];
            let instance = &self.generic[definition];
            let nodes = model.definitions[definition].nodes.iter();
            let is_local = |edge: usize| {
                let access = &instance.edges[edge];
                !instance.visible[edge]
                    && !others.iter().any(|other| access.conflicts(other) || access.is_woken_by(other))
            };
            // An end that is local waits for no other one, so that processes above it never end.
            let has_above = self.is_below_others(model, definition);
            // Where each step must be expanded fully, or is never possible, nothing is gained.
            let may_leave_out = |edge: usize| {
                let is_loose = !self.sticky[first + edge] || self.mutant == Some(Mutant::ChainSticky);
                let code = &model.edges[first + edge];
                is_loose && !is_never_taken(code) && !(has_above && matches!(code.guard, Guard::Terminate))
            };
            let is_seen = self.seen(model, definition);
            let local = |(number, node): (usize, &Node)| {
                let mut edges = node.first - first..node.first - first + node.count;
                is_seen[number] && edges.clone().all(is_local) && edges.any(may_leave_out)
            };
            Ok(nodes.enumerate().map(local).collect())
        };
        (0..wholes.len()).map(local).collect()
    }
}

/// Whether an edge can be taken in no state.
pub(super) fn is_never_taken(edge: &Edge) -> bool {
    matches!(edge.guard, Guard::Test(Code::Const(0)))
}

/// Visits the processes that an action starts.
pub(super) fn starts(action: &Action, visit: &mut impl FnMut(&Start)) {
    match action {
        Action::Start(list, then) => {
            list.iter().for_each(&mut *visit);
            starts(then, visit);
        }
        Action::StartTest(list, _) => list.iter().for_each(visit),
        Action::Straight(actions) => actions.iter().for_each(|action| starts(action, visit)),
        Action::DStep(nodes) => nodes.iter().flatten().for_each(|edge| starts(&edge.action, visit)),
        _ => {}
    }
}

/// Whether the readiness of a partner depends on more than where it stands and its own variables.
fn partners_look(model: &Model) -> bool {
    let has_clause = model.definitions.iter().any(|definition| definition.provided.is_some());
    let mut found = has_clause;
    for edge in &model.edges {
        receptions(&edge.action, &mut |pattern| {
            found |= !matches!(pattern, Pattern::Match(Code::Const(_)) | Pattern::Bind(_) | Pattern::Ignore);
        });
    }
    found
}

fn receptions(action: &Action, visit: &mut impl FnMut(&Pattern)) {
    match action {
        Action::Receive(reception) => reception.pattern.iter().for_each(visit),
        Action::DStep(nodes) => nodes.iter().flatten().for_each(|edge| receptions(&edge.action, visit)),
        _ => {}
    }
}
