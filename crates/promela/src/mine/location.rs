//! What variables can hold while a process is at a location: the same abstract interpretation as
//! [`super::value`], along the control-flow graph of one definition [cousot.77.popl].
//!
//! *What.* For each location and each cell that only this process changes (its own variables, and
//! globals that no other process assigns, if there is only one instance of it), the values the cell
//! can have there. Guards that compare such a cell with a number narrow what comes after them; if they stand before
//! an `else`, also what comes after that.
//!
//! *Contract.* Sound in every state, those inside atomic sequences included: a location's set is what
//! the cell can hold whenever the process stands there. Arrays are left out. A cell that still changes
//! at a location after [`VISITS`] visits gets all it can ever hold; what was widened like this is narrowed
//! again by rounds in which every location gets what its predecessors give it and no more, until nothing
//! changes or [`NARROWINGS`] were made. The whole is given up after [`LOCATION_CELLS`].
//!
//! *Tested by* walking the reachable states of models and random programs (`promela_facts`).

use super::expression::{Environment, fit};
use super::guard::narrow;
use super::range::RangeSet;
use super::value::Values;
use crate::flow::{EdgeAction, Graph, Inner};
use crate::thresholds::mine::{LOCATION_CELLS, NARROWINGS, VISITS};
use crate::typed::{BinaryOp, Expr, ExprKind, Pattern, Seq, Stmt, StmtKind};
use kernel::budget::Budget;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Whether the analysis of a definition with this body can be done with: every statement is looked at.
pub(super) fn is_affordable(body: &Seq, cells: usize) -> bool {
    let (mut pending, mut statements) = (vec![body], 0);
    while let Some(seq) = pending.pop() {
        statements += seq.len();
        for statement in seq {
            match &statement.kind {
                StmtKind::If(options) | StmtKind::Do(options) => pending.extend(options),
                StmtKind::Block(seq) | StmtKind::Atomic(seq) | StmtKind::DStep(seq) => pending.push(seq),
                StmtKind::Unless(body, escape) => pending.extend([body, escape]),
                _ => {}
            }
        }
    }
    statements * (cells + 1) <= LOCATION_CELLS
}

/// What cells can hold at one point.
pub(super) type Here = BTreeMap<usize, RangeSet>;

/// What cells can hold at each location of a definition; `None` where no process can get.
pub(super) struct Locations {
    pub(super) at: Vec<Option<Here>>,
}

impl Locations {
    /// Analyses a definition; `owned` are the cells that only its process changes. Gives up when that
    /// takes too long.
    pub(super) fn new(
        values: &Values<'_>,
        graph: &Graph<'_>,
        proc: usize,
        owned: &[usize],
        budget: &Budget,
    ) -> Option<Self> {
        let start = owned.iter().map(|cell| (*cell, values.at_birth(*cell))).collect();
        let analysis = Analysis { values, proc, budget, effort: Cell::new(0), is_widened: Cell::new(false) };
        let at = analysis.run(graph.nodes.len(), start, |node, here, visit| {
            let edges = &graph.nodes[node].edges;
            for (index, edge) in edges.iter().enumerate() {
                match &edge.action {
                    EdgeAction::Basic(statement) => {
                        let is_else = matches!(statement.kind, StmtKind::Else);
                        let refused =
                            edges[..if is_else { index } else { 0 }].iter().filter_map(|edge| match edge.action {
                                EdgeAction::Basic(statement) => Some(statement),
                                _ => None,
                            });
                        if let Some(after) = analysis.after(here, refused, statement) {
                            visit(edge.target, &after);
                        }
                    }
                    EdgeAction::Jump(_) | EdgeAction::Exit(_) => visit(edge.target, here),
                    EdgeAction::DStep(_, inner) => {
                        if let Some(after) = analysis.d_step(inner, here) {
                            visit(edge.target, &after);
                        }
                    }
                    EdgeAction::Terminate => {}
                }
            }
        });
        (analysis.effort.get() <= LOCATION_CELLS).then_some(Locations { at })
    }

    /// Whether something is known of a cell.
    pub(super) fn knows(&self, cell: usize) -> bool {
        self.at.first().and_then(Option::as_ref).is_some_and(|start| start.contains_key(&cell))
    }

    /// What a cell can hold at any location.
    pub(super) fn anywhere(&self, cell: usize) -> RangeSet {
        let sets = self.at.iter().flatten().filter_map(|here| here.get(&cell));
        sets.fold(RangeSet::empty(), |all, set| all.union(set))
    }
}

struct Analysis<'a, 'p> {
    values: &'a Values<'p>,
    proc: usize,
    budget: &'a Budget,
    /// How many cells have been looked at so far.
    effort: Cell<usize>,
    /// Whether something was widened in the run under way.
    is_widened: Cell<bool>,
}

impl Analysis<'_, '_> {
    /// Iterates over the points of a graph until nothing changes.
    fn run(
        &self,
        points: usize,
        start: Here,
        step: impl Fn(usize, &Here, &mut dyn FnMut(usize, &Here)),
    ) -> Vec<Option<Here>> {
        let mut at: Vec<Option<Rc<Here>>> = vec![None; points];
        let mut visits = vec![0_u32; points];
        // Numbers follow control roughly, so that what comes before is mostly done before.
        let mut pending = BTreeSet::from([0]);
        if let Some(first) = at.first_mut() {
            *first = Some(Rc::new(start.clone()));
        }
        // A `d_step` is a run inside a run.
        let outside = self.is_widened.replace(false);
        while let Some(point) = pending.pop_first() {
            let Some(here) = at.get(point).cloned().flatten() else { continue };
            if self.effort.get() > LOCATION_CELLS || self.budget.check().is_err() {
                break;
            }
            visits[point] += 1;
            step(point, &here, &mut |target, new| {
                self.effort.set(self.effort.get() + new.len() + 1);
                let changed = match &mut at[target] {
                    None => {
                        at[target] = Some(Rc::new(new.clone()));
                        true
                    }
                    Some(old) if **old == *new => false,
                    Some(old) => self.join(Rc::make_mut(old), new, visits[target] > VISITS),
                };
                if changed {
                    pending.insert(target);
                }
            });
        }
        let mut at: Vec<Option<Here>> = at.into_iter().map(|here| here.map(Rc::unwrap_or_clone)).collect();
        let rounds = if self.is_widened.get() && self.effort.get() <= LOCATION_CELLS { NARROWINGS } else { 0 };
        for _ in 0..rounds {
            let before = self.effort.get();
            let next = self.narrowed(&at, &start, &step);
            if self.effort.get() > LOCATION_CELLS {
                // What was found without narrowing is right, and enough.
                self.effort.set(before);
                break;
            }
            if next == at {
                break;
            }
            at = next;
        }
        self.is_widened.set(outside);
        at
    }

    /// What holds at each point if no more comes to it than what its predecessors give; never more than before.
    fn narrowed(
        &self,
        at: &[Option<Here>],
        start: &Here,
        step: &impl Fn(usize, &Here, &mut dyn FnMut(usize, &Here)),
    ) -> Vec<Option<Here>> {
        let mut next: Vec<Option<Here>> = vec![None; at.len()];
        if let Some(first) = next.first_mut() {
            *first = Some(start.clone());
        }
        for (point, here) in at.iter().enumerate() {
            let Some(here) = here else { continue };
            step(point, here, &mut |target, new| {
                self.effort.set(self.effort.get() + new.len() + 1);
                match &mut next[target] {
                    None => next[target] = Some(new.clone()),
                    Some(old) => drop(self.join(old, new, false)),
                }
            });
        }
        for (new, old) in next.iter_mut().zip(at) {
            if let (Some(new), Some(old)) = (new, old) {
                new.iter_mut().for_each(|(cell, set)| *set = set.intersect(&old[cell]));
            }
        }
        next
    }

    /// Adds what is new; whether anything was.
    fn join(&self, old: &mut Here, new: &Here, widen: bool) -> bool {
        let mut changed = false;
        for (cell, set) in new {
            let known = old.get_mut(cell).expect("the same cells everywhere");
            let mut all = known.union(set);
            if all != *known {
                if widen {
                    self.is_widened.set(true);
                    all = all.union(&self.values.cells[*cell].values);
                }
                changed |= all != *known;
                *known = all;
            }
        }
        changed
    }

    /// What holds after a statement that is executed where others cannot be; `None` if that never happens.
    fn after<'h, 's>(
        &self,
        here: &'h Here,
        refused: impl Iterator<Item = &'s Stmt>,
        statement: &Stmt,
    ) -> Option<Cow<'h, Here>> {
        let mut before = Cow::Borrowed(here);
        for other in refused {
            if let StmtKind::Expr(condition) = &other.kind {
                self.narrow(&mut before, condition, false);
            }
        }
        if before.values().any(RangeSet::is_empty) {
            return None;
        }
        let mut after = before.clone();
        let environment = Environment { values: self.values, proc: Some(self.proc), here: Some(&before) };
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                if let Some(cell) = self.values.cell(Some(self.proc), place).filter(|cell| here.contains_key(cell)) {
                    let set = fit(&place.ty, &environment.evaluate(value));
                    // Always an error: what would come after it stays open.
                    let set = if set.is_empty() { self.values.cells[cell].values.clone() } else { set };
                    after.to_mut().insert(cell, set);
                }
            }
            StmtKind::Receive { pattern, .. } => {
                for field in pattern {
                    if let Pattern::Bind(place) = field
                        && let Some(cell) = self.values.cell(Some(self.proc), place)
                        && here.contains_key(&cell)
                    {
                        after.to_mut().insert(cell, self.values.cells[cell].values.clone());
                    }
                }
            }
            StmtKind::Expr(condition) => {
                let value = environment.evaluate(condition);
                if value.is_empty() || value == RangeSet::one(0) && !matches!(condition.kind, ExprKind::SetPriority(..))
                {
                    return None;
                }
                self.narrow(&mut after, condition, true);
                if after.values().any(RangeSet::is_empty) {
                    return None;
                }
            }
            _ => {}
        }
        Some(after)
    }

    /// Cuts what is known to what a condition that holds, or does not, says.
    fn narrow(&self, here: &mut Cow<'_, Here>, condition: &Expr, holds: bool) {
        let mut narrower = here.clone().into_owned();
        narrow(self.values, Some(self.proc), &mut narrower, condition, holds, |cell| here.contains_key(&cell));
        if narrower != **here {
            *here = Cow::Owned(narrower);
        }
    }

    /// What holds after a `d_step`.
    fn d_step(&self, inner: &Inner<'_>, here: &Here) -> Option<Here> {
        let end = inner.nodes.len();
        let at = self.run(end + 1, here.clone(), |point, here, visit| {
            let edges = inner.nodes.get(point).map_or(&[][..], Vec::as_slice);
            for (index, edge) in edges.iter().enumerate() {
                // The first that can be executed is.
                let refused = edges[..index].iter().filter_map(|edge| edge.statement);
                let after = match edge.statement {
                    Some(statement) => self.after(here, refused, statement),
                    None => Some(Cow::Borrowed(here)),
                };
                if let Some(after) = after {
                    visit(edge.target.unwrap_or(end), &after);
                }
            }
        });
        at[end].clone()
    }
}

/// The values that compare as said with a number.
pub(super) fn compared(operator: BinaryOp, value: i64) -> Option<RangeSet> {
    use super::range::{HIGH, LOW};
    Some(match operator {
        BinaryOp::Eq => RangeSet::one(value),
        BinaryOp::Ne => RangeSet::one(value).complement(),
        BinaryOp::Lt => RangeSet::new(LOW, value - 1),
        BinaryOp::Le => RangeSet::new(LOW, value),
        BinaryOp::Gt => RangeSet::new(value + 1, HIGH),
        BinaryOp::Ge => RangeSet::new(value, HIGH),
        _ => return None,
    })
}
