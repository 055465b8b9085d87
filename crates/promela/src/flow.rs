//! Control flow: from the statement tree of one process definition to locations and edges.
//!
//! *Contract.* The graph has a location wherever a process can stand between two steps, as sections 3
//! to 6 of `docs/semantics-promela.md` define it: silent jumps are followed; the heads of nested
//! choices are merged into the outermost one; a `d_step` is one edge with a small graph of its own.
//! Edges stand in the order in which they are tried: the escapes of each `unless` in turn, then the
//! statements of the location itself.
//!
//! *Tested by* the reference interpreter, which finds its way over the tree without this graph.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::named::named_targets;
use crate::snapshot::Location;
use kernel::budget::{Budget, Exhausted};

use crate::typed::{Label, LabelId, Proc, Program, Seq, Stmt, StmtId, StmtKind};

/// The control-flow graph of one process definition.
#[derive(Clone, Debug)]
pub struct Graph<'p> {
    /// The locations of a process; entry 0 is the initial one.
    pub nodes: Vec<Node<'p>>,
    /// For each label of the process, the node it names, if a process can stand there.
    pub labels: Vec<Option<usize>>,
}

/// One place where a process can stand.
#[derive(Clone, Debug)]
pub struct Node<'p> {
    /// The place in terms of the program.
    pub location: Location,
    /// What can be done here, in order.
    pub edges: Vec<Edge<'p>>,
    /// The labels of this place.
    pub labels: Vec<LabelId>,
}

/// The action and the target of an edge.
#[derive(Clone, Debug)]
pub struct Edge<'p> {
    /// The statement that the edge executes.
    pub action: EdgeAction<'p>,
    /// The node it leads to; meaningless for [`EdgeAction::Terminate`].
    pub target: usize,
    /// The step stays atomic: the process was inside an atomic sequence and still is.
    pub atomic: bool,
    /// Edges of a node come in groups, one for the escapes of each `unless` and one for the rest.
    /// The first group with an executable edge decides; the others cannot be taken.
    pub group: usize,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum EdgeAction<'p> {
    /// Executes a basic statement, that is, neither a compound statement nor a jump.
    Basic(&'p Stmt),
    /// A jump that is a step: `goto` or `break`.
    Jump(StmtId),
    /// Leaves an `if`, `do` or `unless` inside an atomic sequence.
    Exit(StmtId),
    /// A whole `d_step`.
    DStep(StmtId, Inner<'p>),
    /// The process disappears.
    Terminate,
}

/// The graph inside a `d_step`; entry 0 is the initial node. At each point the first executable edge is
/// taken.
#[derive(Clone, Debug)]
pub struct Inner<'p> {
    /// What can be done at each point inside.
    pub nodes: Vec<Vec<InnerEdge<'p>>>,
}

/// An edge inside a `d_step`.
#[derive(Clone, Debug)]
pub struct InnerEdge<'p> {
    /// A basic statement, or nothing for a bare jump.
    pub statement: Option<&'p Stmt>,
    /// The target, or `None` at the end of the `d_step`.
    pub target: Option<usize>,
}

/// A point between statements, before jumps are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Before(StmtId),
    Exit(StmtId),
    End,
}

/// What the tree says about a statement's surroundings.
struct Surroundings<'p> {
    statement: &'p Stmt,
    /// Where control goes when the statement is done.
    after: Point,
    /// The outermost atomic sequence around it.
    atomic: Option<StmtId>,
    /// The outermost `d_step` around it.
    d_step: Option<StmtId>,
    /// The escapes of the `unless` statements in whose bodies it lies, outermost first.
    escapes: Vec<&'p Seq>,
}

/// Builds the graphs of all process definitions.
#[must_use]
pub fn graphs(program: &Program) -> Vec<Graph<'_>> {
    graphs_within(program, &Budget::unlimited()).expect("an unlimited budget is never exhausted")
}

/// Builds the graphs of all process definitions.
///
/// # Errors
/// The limit that ended the work.
pub fn graphs_within<'p>(program: &'p Program, budget: &Budget) -> Result<Vec<Graph<'p>>, Exhausted> {
    graphs_where(program, |_| true, budget)
}

/// Builds the graphs of the process definitions that are wanted, by their numbers; the others are left empty.
///
/// # Errors
/// The limit that ended the work.
pub(crate) fn graphs_where<'p>(
    program: &'p Program,
    wanted: impl Fn(usize) -> bool,
    budget: &Budget,
) -> Result<Vec<Graph<'p>>, Exhausted> {
    let mut named = None;
    let graph = |(number, proc)| match wanted(number) {
        true => graph(proc, named.get_or_insert_with(|| named_targets(program)), budget),
        false => Ok(Graph { nodes: Vec::new(), labels: Vec::new() }),
    };
    program.procs.iter().enumerate().map(graph).collect()
}

fn graph<'p>(proc: &'p Proc, named: &BTreeSet<StmtId>, budget: &Budget) -> Result<Graph<'p>, Exhausted> {
    let mut surroundings = BTreeMap::new();
    let start = survey(&mut surroundings, &proc.body);
    let kept = proc.labels.iter().filter(|label| has_meaning(label) || named.contains(&label.target));
    let kept = kept.map(|label| label.target).collect();
    let labelled = proc.labels.iter().map(|label| label.target).collect();
    let (numbers, points, settled) = (BTreeMap::new(), Vec::new(), RefCell::default());
    let mut builder = Builder { proc, kept, surroundings, numbers, points, labelled, settled };
    builder.number(builder.settle(start));
    let mut nodes = Vec::new();
    while let Some(point) = builder.points.get(nodes.len()).copied() {
        budget.check()?;
        nodes.push(builder.node(point));
    }
    let node_of = |label: &Label| builder.numbers.get(&Point::Before(label.target)).copied();
    let labels: Vec<_> = proc.labels.iter().map(node_of).collect();
    for (index, node) in labels.iter().enumerate() {
        if let Some(node) = node {
            nodes[*node].labels.push(LabelId(u32::try_from(index).expect("few labels")));
        }
    }
    Ok(Graph { nodes, labels })
}

fn has_meaning(label: &Label) -> bool {
    ["end", "progress", "accept"].iter().any(|word| label.name.starts_with(word))
}

/// A sequence of statements and the constructs around it.
struct Work<'p> {
    seq: &'p Seq,
    after: Point,
    atomic: Option<StmtId>,
    d_step: Option<StmtId>,
    escapes: Vec<&'p Seq>,
}

/// Records the surroundings of all statements of a body; returns the point where it starts.
fn survey<'p>(into: &mut BTreeMap<StmtId, Surroundings<'p>>, body: &'p Seq) -> Point {
    let mut work = vec![Work { seq: body, after: Point::End, atomic: None, d_step: None, escapes: Vec::new() }];
    while let Some(Work { seq, after, atomic, d_step, escapes }) = work.pop() {
        for (index, statement) in seq.iter().enumerate() {
            let after = seq.get(index + 1).map_or(after, |next| Point::Before(next.id));
            let id = statement.id;
            let inside = |seq, after| Work { seq, after, atomic, d_step, escapes: escapes.clone() };
            match &statement.kind {
                StmtKind::If(options) => work.extend(options.iter().map(|option| inside(option, Point::Exit(id)))),
                StmtKind::Do(options) => work.extend(options.iter().map(|option| inside(option, Point::Before(id)))),
                StmtKind::Block(body) => work.push(inside(body, after)),
                StmtKind::Atomic(body) => work.push(Work { atomic: atomic.or(Some(id)), ..inside(body, after) }),
                StmtKind::DStep(body) => work.push(Work { d_step: d_step.or(Some(id)), ..inside(body, after) }),
                StmtKind::Unless(body, escape) => {
                    work.push(inside(escape, Point::Exit(id)));
                    let mut body = inside(body, Point::Exit(id));
                    body.escapes.push(escape);
                    work.push(body);
                }
                _ => {}
            }
            let escapes = escapes.clone();
            into.insert(id, Surroundings { statement, after, atomic, d_step, escapes });
        }
    }
    body.first().map_or(Point::End, |first| Point::Before(first.id))
}

struct Builder<'p> {
    proc: &'p Proc,
    /// Jumps that are steps because of a label before them.
    kept: BTreeSet<StmtId>,
    surroundings: BTreeMap<StmtId, Surroundings<'p>>,
    /// The nodes numbered so far.
    numbers: BTreeMap<Point, usize>,
    /// The points of those nodes, in order.
    points: Vec<Point>,
    /// The statements that have a label.
    labelled: BTreeSet<StmtId>,
    /// Where silent jumps lead from the points they were followed from, rings excepted: chains of jumps are followed once.
    settled: RefCell<BTreeMap<Point, Point>>,
}

impl<'p> Builder<'p> {
    fn number(&mut self, point: Point) -> usize {
        let next = self.points.len();
        *self.numbers.entry(point).or_insert_with(|| {
            self.points.push(point);
            next
        })
    }

    /// The location of a process that reaches a point: an `unless` without label is entered through
    /// its body.
    fn enter(&self, point: Point) -> Point {
        let Point::Before(mut id) = point else { return point };
        while let StmtKind::Unless(body, _) = &self.surroundings[&id].statement.kind {
            match body.first() {
                Some(first) if !self.labelled.contains(&id) => id = first.id,
                _ => break,
            }
        }
        Point::Before(id)
    }

    /// Where a jump leads; `None` if the point is none.
    fn jump(&self, point: Point) -> Option<Point> {
        match point {
            Point::End => None,
            Point::Exit(id) => Some(self.surroundings[&id].after),
            Point::Before(id) => match &self.surroundings[&id].statement.kind {
                StmtKind::Goto(label) => Some(Point::Before(self.proc.labels[label.0 as usize].target)),
                StmtKind::Break(loop_id) => Some(Point::Exit(*loop_id)),
                _ => None,
            },
        }
    }

    /// The outermost atomic sequence that a point lies in.
    fn atomic(&self, point: Point) -> Option<StmtId> {
        match point {
            Point::Before(id) | Point::Exit(id) => self.surroundings[&id].atomic,
            Point::End => None,
        }
    }

    /// The last location of an atomic sequence.
    fn last_of(&self, atomic: StmtId) -> Option<Point> {
        let mut statement = self.surroundings[&atomic].statement;
        loop {
            match &statement.kind {
                StmtKind::Atomic(body) | StmtKind::Block(body) => statement = body.last()?,
                StmtKind::If(_) | StmtKind::Do(_) | StmtKind::Unless(..) => return Some(Point::Exit(statement.id)),
                _ => return Some(Point::Before(statement.id)),
            }
        }
    }

    /// Whether a jump to `to` takes no step: outside atomic sequences always; inside, only if it
    /// stays inside and does not lead to the last location. A label with a meaning, or named by a
    /// remote reference, keeps it.
    fn is_silent(&self, from: Point, to: Point) -> bool {
        if matches!(from, Point::Before(id) if self.kept.contains(&id)) {
            return false;
        }
        let to = self.enter(to);
        match (self.atomic(from), self.atomic(to)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(_), Some(atomic)) => self.last_of(atomic) != Some(to),
        }
    }

    /// Where a process is after coming to a point: silent jumps followed. A ring of jumps ends where
    /// it closes: going round it is a step.
    fn settle(&self, start: Point) -> Point {
        let mut passed = BTreeSet::new();
        let mut point = self.enter(start);
        while let Some(next) = self.jump(point) {
            if let Some(known) = self.settled.borrow().get(&point) {
                point = *known;
                break;
            }
            if !self.is_silent(point, next) {
                break;
            }
            if !passed.insert(point) {
                // The location of a process on a cycle of jumps depends on where it entered the cycle.
                return point;
            }
            point = self.enter(next);
        }
        self.settled.borrow_mut().extend(passed.into_iter().map(|before| (before, point)));
        point
    }

    fn node(&mut self, point: Point) -> Node<'p> {
        let (location, edges) = match point {
            Point::End => {
                let edge = Edge { action: EdgeAction::Terminate, target: 0, atomic: false, group: 0 };
                (Location::End, vec![edge])
            }
            Point::Exit(id) => {
                let after = self.surroundings[&id].after;
                (Location::Exit(id), vec![self.edge(EdgeAction::Exit(id), point, after, 0)])
            }
            Point::Before(id) => (Location::At(id), self.edges_at(id)),
        };
        Node { location, edges, labels: Vec::new() }
    }

    fn edge(&mut self, action: EdgeAction<'p>, from: Point, after: Point, group: usize) -> Edge<'p> {
        let atomic = self.atomic(from).is_some() && self.atomic(self.enter(after)).is_some();
        let target = self.number(self.settle(after));
        Edge { action, target, atomic, group }
    }

    fn edges_at(&mut self, id: StmtId) -> Vec<Edge<'p>> {
        let choices = self.choices(id);
        let edge = |(group, statement): (usize, &'p Stmt)| {
            let from = Point::Before(statement.id);
            let after = self.jump(from).unwrap_or(self.surroundings[&statement.id].after);
            let action = match &statement.kind {
                StmtKind::Goto(_) | StmtKind::Break(_) => EdgeAction::Jump(statement.id),
                StmtKind::DStep(body) => EdgeAction::DStep(statement.id, self.inner(statement.id, body)),
                _ => EdgeAction::Basic(statement),
            };
            self.edge(action, from, after, group)
        };
        choices.into_iter().map(edge).collect()
    }

    /// What can be executed by a process that stands before a statement, in groups: the escapes of
    /// the `unless` statements around it, of those it begins with, then what it begins with.
    fn choices(&self, id: StmtId) -> Vec<(usize, &'p Stmt)> {
        let Surroundings { statement, escapes, .. } = &self.surroundings[&id];
        let mut escapes = escapes.clone();
        let mut own = Vec::new();
        self.beginnings(statement, &mut own, &mut escapes);
        let mut found = Vec::new();
        for (group, escape) in escapes.iter().enumerate() {
            let mut first = Vec::new();
            if let Some(statement) = escape.first() {
                // An `unless` inside an escape does not matter here.
                self.beginnings(statement, &mut first, &mut Vec::new());
            }
            found.extend(first.into_iter().rev().map(|statement| (group, statement)));
        }
        found.extend(own.into_iter().map(|statement| (escapes.len(), statement)));
        found
    }

    /// The statements that a statement can begin with, and the escapes met on the way.
    fn beginnings(&self, statement: &'p Stmt, into: &mut Vec<&'p Stmt>, escapes: &mut Vec<&'p Seq>) {
        let mut first_of = |seq: &'p Seq| {
            if let Some(first) = seq.first() {
                self.beginnings(first, into, escapes);
            }
        };
        match &statement.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                // An `else` comes after all other options.
                let is_else = |option: &&Seq| matches!(option.first(), Some(Stmt { kind: StmtKind::Else, .. }));
                options.iter().filter(|option| !is_else(option)).for_each(&mut first_of);
                options.iter().filter(is_else).for_each(first_of);
            }
            StmtKind::Block(body) | StmtKind::Atomic(body) => first_of(body),
            // A `d_step` inside a `d_step` is a block.
            StmtKind::DStep(body) if self.surroundings[&statement.id].d_step.is_some() => first_of(body),
            StmtKind::Unless(body, escape) => {
                escapes.push(escape);
                if let Some(first) = body.first() {
                    self.beginnings(first, into, escapes);
                }
            }
            _ => into.push(statement),
        }
    }

    /// The graph inside a `d_step`, where no jump takes a step.
    fn inner(&self, id: StmtId, body: &'p Seq) -> Inner<'p> {
        let mut numbers = BTreeMap::new();
        let mut points: Vec<StmtId> = Vec::new();
        let mut nodes: Vec<Vec<InnerEdge<'p>>> = Vec::new();
        let mut number = |points: &mut Vec<StmtId>, start: Point| {
            let at = self.inner_point(id, start)?;
            Some(*numbers.entry(at).or_insert_with(|| {
                points.push(at);
                points.len() - 1
            }))
        };
        if let Some(first) = body.first() {
            number(&mut points, Point::Before(first.id));
        }
        while let Some(at) = points.get(nodes.len()).copied() {
            let edge = |statement: &'p Stmt| {
                let jump = self.jump(Point::Before(statement.id));
                let after = jump.unwrap_or(self.surroundings[&statement.id].after);
                let statement = jump.is_none().then_some(statement);
                InnerEdge { statement, target: number(&mut points, after) }
            };
            nodes.push(self.choices_inside(id, at).into_iter().map(edge).collect());
        }
        Inner { nodes }
    }

    /// The statement inside a `d_step` that control comes to; `None` when it is left. A ring of
    /// jumps is a `d_step` that never ends: it stays at one of the jumps, which leads to itself.
    fn inner_point(&self, d_step: StmtId, start: Point) -> Option<StmtId> {
        let mut seen = BTreeSet::new();
        let mut point = self.enter(start);
        loop {
            let inside = match point {
                Point::Before(id) | Point::Exit(id) => self.surroundings[&id].d_step == Some(d_step),
                Point::End => false,
            };
            match (inside, point, self.jump(point)) {
                (false, ..) => return None,
                (true, Point::Before(id), None) => return Some(id),
                (true, Point::Before(id), Some(_)) if seen.contains(&point) => return Some(id),
                (true, _, Some(next)) => {
                    seen.insert(point);
                    point = self.enter(next);
                }
                (true, Point::Exit(_) | Point::End, None) => return None,
            }
        }
    }

    /// As [`Self::choices`], without the escapes of `unless` statements around the `d_step`: they
    /// matter only before it begins.
    fn choices_inside(&self, d_step: StmtId, at: StmtId) -> Vec<&'p Stmt> {
        let outside = self.surroundings[&d_step].escapes.len();
        let choices = self.choices(at).into_iter().filter(|(group, _)| *group >= outside);
        choices.map(|(_, statement)| statement).collect()
    }
}
