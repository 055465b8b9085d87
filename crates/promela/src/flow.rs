//! Control flow: from the statement tree of one process definition to locations and edges.
//!
//! *Contract.* The graph has a location wherever a process can stand between two steps, as
//! `docs/semantics-promela.md` defines steps: jumps are followed, except inside an atomic sequence
//! when they lead out of it; the heads of nested choices are merged into the outermost one; a
//! `d_step` is one edge with a small graph of its own. Edges stand in the order in which they are
//! tried: escapes of `unless` first, outermost first, then the options as written.
//!
//! *Tested by* the reference interpreter, which finds its way over the tree without this graph.

use std::collections::BTreeMap;

use crate::snapshot::Location;
use crate::typed::{LabelId, Proc, Seq, Stmt, StmtId, StmtKind};

/// The control-flow graph of one process definition.
#[derive(Clone, Debug)]
pub struct Graph<'p> {
    /// Where a process can stand; entry 0 is where it starts.
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

/// What an edge does, and where it leads.
#[derive(Clone, Debug)]
pub struct Edge<'p> {
    /// What is executed.
    pub action: EdgeAction<'p>,
    /// The node it leads to; meaningless for [`EdgeAction::Terminate`].
    pub target: usize,
    /// True if the process is inside an atomic sequence afterwards, and was before.
    pub atomic: bool,
    /// Edges of the same node (by index) whose executability rules this one out: the escapes of
    /// the `unless` statements around it.
    pub overruled_by: Vec<usize>,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum EdgeAction<'p> {
    /// Executes a basic statement: none of the compound ones, no jump.
    Basic(&'p Stmt),
    /// A jump that is a step: `goto` or `break`.
    Jump(StmtId),
    /// Leaves an `if` or `do` that ends an atomic sequence.
    Exit(StmtId),
    /// A whole `d_step`.
    DStep(StmtId, Inner<'p>),
    /// The process disappears.
    Terminate,
}

/// The inside of a `d_step`; entry 0 is where it starts.
#[derive(Clone, Debug)]
pub struct Inner<'p> {
    /// What can be done at each point inside.
    pub nodes: Vec<Vec<InnerEdge<'p>>>,
}

/// One way on inside a `d_step`.
#[derive(Clone, Debug)]
pub struct InnerEdge<'p> {
    /// A basic statement, or nothing for a bare jump.
    pub statement: Option<&'p Stmt>,
    /// Where it leads, or `None` at the end of the `d_step`.
    pub target: Option<usize>,
    /// Inner edges of the same point whose executability rules this one out.
    pub overruled_by: Vec<usize>,
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
    /// Strictly inside an atomic sequence.
    in_atomic: bool,
    /// The outermost `d_step` around it.
    d_step: Option<StmtId>,
    /// The first statements of the escapes around it, outermost first.
    escapes: Vec<StmtId>,
}

/// Builds the graph of a process definition.
#[must_use]
pub fn graph(proc: &Proc) -> Graph<'_> {
    let mut surroundings = BTreeMap::new();
    let start = survey(&mut surroundings, &proc.body);
    let mut builder = Builder { proc, surroundings, numbers: BTreeMap::new(), points: Vec::new() };
    builder.number(builder.settle(start));
    let mut nodes = Vec::new();
    while let Some(point) = builder.points.get(nodes.len()).copied() {
        nodes.push(builder.node(point));
    }
    let label_nodes =
        proc.labels.iter().map(|label| builder.numbers.get(&builder.enter(label.target)).copied()).collect::<Vec<_>>();
    for (index, node) in label_nodes.iter().enumerate() {
        if let Some(node) = node {
            nodes[*node].labels.push(LabelId(u32::try_from(index).expect("few labels")));
        }
    }
    Graph { nodes, labels: label_nodes }
}

/// Records the surroundings of all statements of a body; returns the point where it starts.
fn survey<'p>(into: &mut BTreeMap<StmtId, Surroundings<'p>>, body: &'p Seq) -> Point {
    struct Work<'p> {
        seq: &'p Seq,
        after: Point,
        in_atomic: bool,
        d_step: Option<StmtId>,
        escapes: Vec<StmtId>,
    }
    let mut work = vec![Work { seq: body, after: Point::End, in_atomic: false, d_step: None, escapes: Vec::new() }];
    while let Some(Work { seq, after, in_atomic, d_step, escapes }) = work.pop() {
        for (index, statement) in seq.iter().enumerate() {
            let after = seq.get(index + 1).map_or(after, |next| Point::Before(next.id));
            let mut inside =
                |seq: &'p Seq, after: Point, in_atomic: bool, d_step: Option<StmtId>, escapes: &[StmtId]| {
                    work.push(Work { seq, after, in_atomic, d_step, escapes: escapes.to_vec() });
                };
            match &statement.kind {
                StmtKind::If(options) => {
                    for option in options {
                        inside(option, Point::Exit(statement.id), in_atomic, d_step, &escapes);
                    }
                }
                StmtKind::Do(options) => {
                    for option in options {
                        inside(option, Point::Before(statement.id), in_atomic, d_step, &escapes);
                    }
                }
                StmtKind::Block(body) => inside(body, after, in_atomic, d_step, &escapes),
                StmtKind::Atomic(body) => inside(body, after, true, d_step, &escapes),
                StmtKind::DStep(body) => inside(body, after, in_atomic, d_step.or(Some(statement.id)), &escapes),
                StmtKind::Unless(body, escape) => {
                    inside(escape, after, in_atomic, d_step, &escapes);
                    let mut deeper = escapes.clone();
                    deeper.extend(escape.first().map(|first| first.id));
                    inside(body, after, in_atomic, d_step, &deeper);
                }
                _ => {}
            }
            let escapes = escapes.clone();
            into.insert(statement.id, Surroundings { statement, after, in_atomic, d_step, escapes });
        }
    }
    body.first().map_or(Point::End, |first| Point::Before(first.id))
}

struct Builder<'p> {
    proc: &'p Proc,
    surroundings: BTreeMap<StmtId, Surroundings<'p>>,
    /// The nodes numbered so far.
    numbers: BTreeMap<Point, usize>,
    /// The points of those nodes, in order.
    points: Vec<Point>,
}

/// A statement that can be executed at a point, and the escapes that can overrule it.
struct Choice<'p> {
    statement: &'p Stmt,
    /// The first statements of the escapes around it that are open at this point.
    escapes: Vec<StmtId>,
    /// The escape (by its first statement) that this choice begins, if any.
    begins: Option<StmtId>,
}

impl<'p> Builder<'p> {
    fn number(&mut self, point: Point) -> usize {
        let next = self.points.len();
        *self.numbers.entry(point).or_insert_with(|| {
            self.points.push(point);
            next
        })
    }

    /// Where a process stands that is to execute a statement next: an `unless` is entered through
    /// its body.
    fn enter(&self, id: StmtId) -> Point {
        let mut id = id;
        while let StmtKind::Unless(body, _) = &self.surroundings[&id].statement.kind {
            let Some(first) = body.first() else { break };
            id = first.id;
        }
        Point::Before(id)
    }

    /// One jump on from a point, or `None` where a process can stand.
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

    /// Follows all jumps. A ring of jumps ends where it began: going round it is a step.
    fn settle(&self, start: Point) -> Point {
        let mut seen = Vec::new();
        let mut point = self.entered(start);
        while let Some(next) = self.jump(point) {
            if seen.contains(&point) {
                return point;
            }
            seen.push(point);
            point = self.entered(next);
        }
        point
    }

    fn entered(&self, point: Point) -> Point {
        match point {
            Point::Before(id) => self.enter(id),
            other => other,
        }
    }

    /// Strictly inside an atomic sequence.
    fn in_atomic(&self, point: Point) -> bool {
        match point {
            Point::Before(id) | Point::Exit(id) => self.surroundings[&id].in_atomic,
            Point::End => false,
        }
    }

    /// Where a statement leads whose successor is `after`: jumps are followed, but a chain of jumps
    /// that leaves an atomic sequence is walked step by step as long as it is inside.
    fn target(&self, from_atomic: bool, after: Point) -> Point {
        let settled = self.settle(after);
        let after = self.entered(after);
        let leaves = from_atomic && !self.in_atomic(settled);
        if leaves && self.in_atomic(after) { after } else { settled }
    }

    fn node(&mut self, point: Point) -> Node<'p> {
        let (location, edges) = match point {
            Point::End => (Location::End, vec![self.edge(EdgeAction::Terminate, false, Point::End)]),
            Point::Exit(id) => {
                let after = self.surroundings[&id].after;
                let in_atomic = self.surroundings[&id].in_atomic;
                (Location::Exit(id), vec![self.edge(EdgeAction::Exit(id), in_atomic, after)])
            }
            Point::Before(id) => (Location::At(id), self.edges_at(id)),
        };
        Node { location, edges, labels: Vec::new() }
    }

    fn edge(&mut self, action: EdgeAction<'p>, from_atomic: bool, after: Point) -> Edge<'p> {
        let target = self.target(from_atomic, after);
        let atomic = from_atomic && self.in_atomic(target);
        let target = if matches!(action, EdgeAction::Terminate) { 0 } else { self.number(target) };
        Edge { action, target, atomic, overruled_by: Vec::new() }
    }

    fn edges_at(&mut self, id: StmtId) -> Vec<Edge<'p>> {
        let choices = self.choices_with_escapes(id);
        let overruled = overruled_by(&choices);
        let mut edges = Vec::new();
        for (choice, overruled_by) in choices.iter().zip(overruled) {
            let statement = choice.statement;
            let Surroundings { after, in_atomic, .. } = self.surroundings[&statement.id];
            let (action, after) = match &statement.kind {
                StmtKind::Goto(_) | StmtKind::Break(_) => {
                    let next = self.jump(Point::Before(statement.id)).expect("a jump");
                    (EdgeAction::Jump(statement.id), next)
                }
                StmtKind::DStep(body) => self.d_step(statement.id, body),
                _ => (EdgeAction::Basic(statement), after),
            };
            let edge = self.edge(action, in_atomic, after);
            edges.push(Edge { overruled_by, ..edge });
        }
        edges
    }

    /// What can be executed by a process that stands before a statement: its escapes, then itself;
    /// compound statements are replaced by what they begin with.
    fn choices_with_escapes(&self, id: StmtId) -> Vec<Choice<'p>> {
        let mut found = Vec::new();
        let escapes = self.surroundings[&id].escapes.clone();
        for (depth, escape) in escapes.iter().enumerate() {
            self.beginnings(self.surroundings[escape].statement, &escapes[..depth], Some(*escape), &mut found);
        }
        self.beginnings(self.surroundings[&id].statement, &escapes, None, &mut found);
        found
    }

    /// The statements that a statement can begin with. `known` are the escapes listed already.
    fn beginnings(&self, statement: &'p Stmt, known: &[StmtId], begins: Option<StmtId>, into: &mut Vec<Choice<'p>>) {
        match &statement.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                for first in options.iter().filter_map(|option| option.first()) {
                    self.beginnings(first, known, begins, into);
                }
            }
            StmtKind::Block(body) | StmtKind::Atomic(body) => {
                if let Some(first) = body.first() {
                    self.beginnings(first, known, begins, into);
                }
            }
            StmtKind::Unless(body, escape) => {
                let mut deeper = known.to_vec();
                if let Some(first) = escape.first() {
                    self.beginnings(first, known, Some(first.id), into);
                    deeper.push(first.id);
                }
                if let Some(first) = body.first() {
                    self.beginnings(first, &deeper, begins, into);
                }
            }
            // A `d_step` inside a `d_step` is a block.
            StmtKind::DStep(body) if self.surroundings[&statement.id].d_step.is_some() => {
                if let Some(first) = body.first() {
                    self.beginnings(first, known, begins, into);
                }
            }
            _ => into.push(Choice { statement, escapes: known.to_vec(), begins }),
        }
    }

    /// The graph inside a `d_step`, and the point to which it leads.
    fn d_step(&self, id: StmtId, body: &'p Seq) -> (EdgeAction<'p>, Point) {
        let mut numbers = BTreeMap::new();
        let mut points = Vec::new();
        let mut leaves_to = self.surroundings[&id].after;
        let mut nodes: Vec<Vec<InnerEdge<'p>>> = Vec::new();
        if let Some(first) = body.first() {
            let start = self.settle(Point::Before(first.id));
            numbers.insert(start, 0);
            points.push(start);
        }
        while let Some(point) = points.get(nodes.len()).copied() {
            let Point::Before(at) = point else { unreachable!("a d_step never stands at its end") };
            let choices = self.choices_with_escapes(at);
            let overruled = overruled_by(&choices);
            let mut edges = Vec::new();
            for (choice, overruled_by) in choices.iter().zip(overruled) {
                let here = Point::Before(choice.statement.id);
                let jump = self.jump(here);
                let next = self.settle(jump.unwrap_or(self.surroundings[&choice.statement.id].after));
                let inside = matches!(next, Point::Before(to) if self.surroundings[&to].d_step == Some(id));
                let target = inside.then(|| {
                    *numbers.entry(next).or_insert_with(|| {
                        points.push(next);
                        points.len() - 1
                    })
                });
                if !inside && jump.is_some() {
                    leaves_to = next;
                }
                let statement = jump.is_none().then_some(choice.statement);
                edges.push(InnerEdge { statement, target, overruled_by });
            }
            nodes.push(edges);
        }
        (EdgeAction::DStep(id, Inner { nodes }), leaves_to)
    }
}

/// For each choice, the indices of the choices that begin one of its escapes.
fn overruled_by(choices: &[Choice<'_>]) -> Vec<Vec<usize>> {
    choices
        .iter()
        .map(|choice| {
            let by = |other: &Choice<'_>| other.begins.is_some_and(|escape| choice.escapes.contains(&escape));
            choices.iter().enumerate().filter(|(_, other)| by(other)).map(|(index, _)| index).collect()
        })
        .collect()
}
