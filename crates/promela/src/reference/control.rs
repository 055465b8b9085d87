//! Where control goes: for every statement of a program, what follows it, which atomic sequence
//! and which `unless` bodies it stands in, and what can happen first at a location.
//!
//! Input: the typed tree. Output: a table with one entry per statement, built once; every question
//! is answered from it without looking at a state. Contract: total and deterministic; a ring of
//! jumps (`L: goto L`) is not followed forever but stopped at.
//!
//! Source: sections 3 to 6 of `docs/semantics-promela.md`, which were found by experiment with the
//! verifier that SPIN generates [holzmann.03.spin]. Tested by the state counts of `models/semantics`.

use crate::named::{named_targets, visit};
use crate::snapshot::Location;
use crate::typed::{Expr, ExprKind, Proc, Program, Seq, Stmt, StmtId, StmtKind};

/// How a location relates to the outermost atomic sequence around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Outside every atomic sequence.
    Plain,
    /// Inside one, with more of the sequence to come.
    Inner,
    /// The last location of one.
    Last,
}

/// The position of one statement in the control flow.
#[derive(Clone, Debug)]
struct Point<'p> {
    stmt: &'p Stmt,
    /// The location right after the statement, before jumps are followed.
    next: Location,
    /// The standing of the location before the statement.
    before: Standing,
    /// The standing of [`Location::Exit`] of the statement, where it has one.
    after: Standing,
    /// The `unless` statements whose bodies hold this statement, outermost first.
    guarded_by: Vec<StmtId>,
    /// The `d_step` around it, if any.
    d_step: Option<StmtId>,
    /// Whether a label stands before it.
    labelled: bool,
    /// Whether a label does that begins with `end`, `progress` or `accept`, or that a remote
    /// reference names.
    marked: bool,
}

/// What can happen first at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// The first statements of escapes, a list for each `unless`, outermost first. Those of one
    /// list come before everything in later lists and in `body`.
    pub(super) escapes: Vec<Vec<StmtId>>,
    /// The statements that the location itself offers, as they are tried.
    pub(super) body: Vec<StmtId>,
}

impl Choice {
    /// The lists of statements in the order in which they count.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[StmtId]> {
        self.escapes.iter().chain([&self.body]).map(Vec::as_slice)
    }
}

/// The table for a whole program.
#[derive(Clone, Debug)]
pub(super) struct Control<'p> {
    points: Vec<Option<Point<'p>>>,
    /// What can happen first at each statement.
    choices: Vec<Choice>,
    /// By statement: see [`Self::blocks_without_trace`].
    traceless: Vec<bool>,
    program: &'p Program,
}

/// How the names of labels begin that say something about states.
const MARKS: [&str; 3] = ["end", "progress", "accept"];

/// The surroundings of a sequence while the table is built.
#[derive(Clone)]
struct Around {
    atomic: bool,
    /// The sequence ends the outermost atomic sequence.
    ends_atomic: bool,
    guarded_by: Vec<StmtId>,
    d_step: Option<StmtId>,
}

impl<'p> Control<'p> {
    /// Builds the table.
    pub(super) fn new(program: &'p Program) -> Self {
        let points = vec![None; program.statements.len()];
        let mut control = Self { points, choices: Vec::new(), traceless: Vec::new(), program };
        for proc in &program.procs {
            control.add_proc(proc);
        }
        for target in named_targets(program) {
            control.point_mut(target).marked = true;
        }
        let points = (0..).zip(&control.points);
        let choice = |(id, point): (u32, &Option<Point<'_>>)| point.as_ref().map(|_| control.found_choice(StmtId(id)));
        control.choices = points.map(|point| choice(point).unwrap_or_default()).collect();
        let points = (0..).zip(&control.points);
        let is_traceless = |(id, point): (u32, &Option<_>)| point.is_some() && control.found_traceless(StmtId(id));
        control.traceless = points.map(is_traceless).collect();
        control
    }

    fn add_proc(&mut self, proc: &'p Proc) {
        let outside = Around { atomic: false, ends_atomic: false, guarded_by: Vec::new(), d_step: None };
        let mut pending = vec![(&proc.body, Location::End, outside)];
        while let Some((seq, follow, around)) = pending.pop() {
            for (index, stmt) in seq.iter().enumerate() {
                let is_last = index + 1 == seq.len();
                let next = if is_last { follow } else { Location::At(seq[index + 1].id) };
                let ends_atomic = around.ends_atomic && is_last;
                self.add_point(stmt, next, &around, ends_atomic);
                pending.extend(inside(stmt, next, &around, ends_atomic));
            }
        }
        for label in &proc.labels {
            let point = self.point_mut(label.target);
            point.labelled = true;
            point.marked |= MARKS.iter().any(|mark| label.name.starts_with(mark));
        }
    }

    fn add_point(&mut self, stmt: &'p Stmt, next: Location, around: &Around, ends_atomic: bool) {
        let inner = if around.atomic { Standing::Inner } else { Standing::Plain };
        let last = if ends_atomic { Standing::Last } else { inner };
        let (before, after) = match stmt.kind {
            StmtKind::If(_) | StmtKind::Do(_) | StmtKind::Unless(..) => (inner, last),
            StmtKind::Block(_) | StmtKind::Atomic(_) => (inner, inner),
            _ => (last, last),
        };
        self.points[stmt.id.0 as usize] = Some(Point {
            stmt,
            next,
            before,
            after,
            guarded_by: around.guarded_by.clone(),
            d_step: around.d_step,
            labelled: false,
            marked: false,
        });
    }

    fn point(&self, id: StmtId) -> &Point<'p> {
        self.points[id.0 as usize].as_ref().expect("every statement of the program is in the table")
    }

    fn point_mut(&mut self, id: StmtId) -> &mut Point<'p> {
        self.points[id.0 as usize].as_mut().expect("every statement of the program is in the table")
    }

    /// The statement with a number.
    pub(super) fn stmt(&self, id: StmtId) -> &'p Stmt {
        self.point(id).stmt
    }

    /// Where a process begins.
    pub(super) fn start(&self, proc: &Proc) -> Location {
        match proc.body.first() {
            Some(first) => self.settle(Location::At(first.id)),
            None => Location::End,
        }
    }

    fn standing(&self, location: Location) -> Standing {
        match location {
            Location::At(id) => self.point(id).before,
            Location::Exit(id) => self.point(id).after,
            Location::End => Standing::Plain,
        }
    }

    /// The location right after a statement was executed, jumps not yet followed.
    pub(super) fn after(&self, id: StmtId) -> Location {
        let point = self.point(id);
        match point.stmt.kind {
            StmtKind::Goto(label) => {
                let proc = &self.program.procs[self.program.statements[id.0 as usize].proc.0 as usize];
                Location::At(proc.labels[label.0 as usize].target)
            }
            StmtKind::Break(of) => Location::Exit(of),
            _ => point.next,
        }
    }

    /// The location right after an exit location was left.
    pub(super) fn after_exit(&self, id: StmtId) -> Location {
        self.point(id).next
    }

    /// The target of a location that only jumps; none for other locations.
    pub(super) fn jump(&self, location: Location) -> Option<Location> {
        match location {
            Location::At(id) => match &self.stmt(id).kind {
                StmtKind::Goto(_) | StmtKind::Break(_) => Some(self.after(id)),
                StmtKind::Block(seq) | StmtKind::Atomic(seq) | StmtKind::DStep(seq) if seq.is_empty() => {
                    Some(self.after(id))
                }
                _ => None,
            },
            Location::Exit(id) => Some(self.after_exit(id)),
            Location::End => None,
        }
    }

    /// Follows jumps as far as they are no steps, and enters `unless` bodies.
    pub(super) fn settle(&self, mut location: Location) -> Location {
        for _ in 0..=2 * self.points.len() {
            location = match (self.jump(location), self.entered(location)) {
                (Some(target), _) if self.is_silent(location, target) => target,
                (None, Some(first)) => first,
                _ => return location,
            };
        }
        location
    }

    /// Whether the jump from `location` to `target` is no step of its own: everywhere outside
    /// atomic sequences, and inside them when more of a sequence follows after the target; but
    /// never where a label wants the location to exist.
    fn is_silent(&self, location: Location, target: Location) -> bool {
        if let Location::At(id) = location
            && self.point(id).marked
        {
            return false;
        }
        self.standing(location) == Standing::Plain || self.standing(target) == Standing::Inner
    }

    /// An `unless` without a label has no location of its own: its body's first statement is.
    fn entered(&self, location: Location) -> Option<Location> {
        let Location::At(id) = location else { return None };
        let point = self.point(id);
        match &point.stmt.kind {
            StmtKind::Unless(body, _) if !point.labelled => body.first().map(|first| Location::At(first.id)),
            _ => None,
        }
    }

    /// Whether a step from `from`, with `to` right after it, stays inside atomic sequences.
    pub(super) fn stays_atomic(&self, from: Location, to: Location) -> bool {
        self.standing(from) != Standing::Plain && self.standing(to) != Standing::Plain
    }

    /// Whether a location lies inside the given `d_step`.
    pub(super) fn is_inside(&self, location: Location, d_step: StmtId) -> bool {
        match location {
            Location::At(id) | Location::Exit(id) => self.point(id).d_step == Some(d_step),
            Location::End => false,
        }
    }

    /// Whether a statement is simple and never blocks, though it may fail.
    pub(super) fn never_blocks(&self, id: StmtId) -> bool {
        matches!(
            self.stmt(id).kind,
            StmtKind::Assign(..)
                | StmtKind::AssignAll(..)
                | StmtKind::Assert(_)
                | StmtKind::Printf(..)
                | StmtKind::Printm(_)
                | StmtKind::Goto(_)
                | StmtKind::Break(_)
        )
    }

    /// Whether a statement that blocks leaves the state as it was: conditions that start processes may not.
    pub(super) fn blocks_without_trace(&self, id: StmtId) -> bool {
        self.traceless[id.0 as usize]
    }

    fn found_traceless(&self, id: StmtId) -> bool {
        let mut changes = false;
        let mut look = |part: &Expr| changes |= matches!(part.kind, ExprKind::Run(..) | ExprKind::SetPriority(..));
        match &self.stmt(id).kind {
            StmtKind::Expr(expr) => visit(expr, &mut look),
            _ => return self.never_blocks(id),
        }
        !changes
    }

    /// Whether a location offers one simple statement that never blocks, though it may fail, and nothing else.
    pub(super) fn is_always_executable(&self, at: StmtId) -> bool {
        self.never_blocks(at) && self.point(at).guarded_by.is_empty()
    }

    /// What can happen first at a statement.
    pub(super) fn choice(&self, at: StmtId) -> &Choice {
        &self.choices[at.0 as usize]
    }

    fn found_choice(&self, at: StmtId) -> Choice {
        let (body, met) = self.heads(at);
        let guards = self.point(at).guarded_by.iter().chain(&met);
        Choice { escapes: guards.map(|unless| self.escape(*unless)).collect(), body }
    }

    /// The statements that a statement can begin with, and the `unless` statements met on the way.
    fn heads(&self, at: StmtId) -> (Vec<StmtId>, Vec<StmtId>) {
        let (mut heads, mut met) = (Vec::new(), Vec::new());
        let mut pending = vec![at];
        while let Some(id) = pending.pop() {
            match &self.stmt(id).kind {
                StmtKind::If(options) | StmtKind::Do(options) => pending.extend(first_statements(options).iter().rev()),
                StmtKind::Block(seq) | StmtKind::Atomic(seq) if !seq.is_empty() => pending.push(seq[0].id),
                StmtKind::DStep(seq) if self.point(id).d_step.is_some() && !seq.is_empty() => pending.push(seq[0].id),
                StmtKind::Unless(body, _) => {
                    met.push(id);
                    pending.extend(body.first().map(|first| first.id));
                }
                _ => heads.push(id),
            }
        }
        (heads, met)
    }

    /// The statements with which an `unless` can escape, in the order in which they are tried:
    /// options from the last to the first. An `unless` inside the escape does not matter yet.
    fn escape(&self, unless: StmtId) -> Vec<StmtId> {
        let StmtKind::Unless(_, escape) = &self.stmt(unless).kind else {
            unreachable!("only unless statements guard others")
        };
        let mut heads = escape.first().map(|first| self.heads(first.id).0).unwrap_or_default();
        heads.reverse();
        heads
    }
}

/// The first statements of options as they are tried: an `else` after all others.
fn first_statements(options: &[Seq]) -> Vec<StmtId> {
    let firsts = options.iter().filter_map(|option| option.first());
    let (last_resort, usual): (Vec<_>, Vec<_>) = firsts.partition(|first| matches!(first.kind, StmtKind::Else));
    usual.into_iter().chain(last_resort).map(|first| first.id).collect()
}

/// The sequences inside a statement, with what follows them and their surroundings.
fn inside<'p>(stmt: &'p Stmt, next: Location, around: &Around, ends_atomic: bool) -> Vec<(&'p Seq, Location, Around)> {
    let same = Around { ends_atomic: false, ..around.clone() };
    match &stmt.kind {
        StmtKind::If(options) => options.iter().map(|seq| (seq, Location::Exit(stmt.id), same.clone())).collect(),
        StmtKind::Do(options) => options.iter().map(|seq| (seq, Location::At(stmt.id), same.clone())).collect(),
        StmtKind::Block(seq) => vec![(seq, next, Around { ends_atomic, ..same })],
        StmtKind::Atomic(seq) => {
            let ends_atomic = if around.atomic { ends_atomic } else { true };
            vec![(seq, next, Around { atomic: true, ends_atomic, ..same })]
        }
        StmtKind::DStep(seq) => {
            let d_step = Some(around.d_step.unwrap_or(stmt.id));
            vec![(seq, next, Around { d_step, ..same })]
        }
        StmtKind::Unless(body, escape) => {
            let mut guarded = same.clone();
            guarded.guarded_by.push(stmt.id);
            vec![(body, Location::Exit(stmt.id), guarded), (escape, Location::Exit(stmt.id), same)]
        }
        _ => Vec::new(),
    }
}
