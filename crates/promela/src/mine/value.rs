//! What the variables of a program can hold, whenever: an abstract interpretation of its assignments
//! that looks neither at their order nor at guards [cousot.77.popl], except for guards in uninterrupted sequences.
//!
//! *What.* For each cell (a variable or a field of one; all elements of an array are one cell) a set
//! of numbers that contains every value the cell ever has. *Contract.* Sound for every run; exact
//! nowhere by promise. A set that still grows after [`WIDENING_ROUNDS`] rounds or [`EVALUATIONS`] evaluations in all becomes the range of
//! its type, and is then cut to what its sources can give, once.
//! *Tested by* walking the reachable states of models and random programs (`promela_facts`).

use super::expression::{self, Environment};
use super::guard::Guards;
use super::location::Here;
use super::range::RangeSet;
use crate::named::{operands, statements};
use crate::resolve::value_of;
use crate::thresholds::mine::{EVALUATIONS, WIDENING_ROUNDS};
use crate::typed::{
    Access, Expr, ExprKind, Initial, Pattern, Place, ProcKind, Program, Seq, StmtId, StmtKind, Type, VarRef, Variable,
};
use kernel::budget::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// The definition a cell belongs to, its variable, and the fields on the way to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    proc: Option<usize>,
    variable: u32,
    fields: Vec<u32>,
}

/// A cell, and what it can hold.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    key: Key,
    pub(super) ty: Type,
    /// Part of an array: it stands for all elements.
    pub(super) array: bool,
    pub(super) values: RangeSet,
    /// The statements that change it, by their numbers.
    writes: Vec<usize>,
}

/// A value that a cell gets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'p> {
    /// That of an expression of a process definition (none for globals).
    Value(Option<usize>, &'p Expr),
    /// Zero.
    Zero,
    /// Anything that fits its type.
    Anything,
}

/// A statement that changes a cell.
#[derive(Clone, Debug)]
pub(super) struct Write<'p> {
    pub(super) cell: usize,
    pub(super) proc: usize,
    pub(super) statement: StmtId,
    pub(super) place: &'p Place,
    pub(super) source: Source<'p>,
}

/// What a cell gets, and the number of the statement that gives it, if one does.
type Given<'p> = (usize, Source<'p>, Option<usize>);

/// What all cells can hold.
pub(super) struct Values<'p> {
    program: &'p Program,
    ids: BTreeMap<Key, usize>,
    pub(super) cells: Vec<Cell>,
    /// What cells get other than by statements: when they come into being, and as arguments.
    births: Vec<(usize, Source<'p>)>,
    writes: Vec<Write<'p>>,
    /// For each definition, what holds before its statements in uninterrupted sequences.
    guards: Vec<Guards<'p>>,
    /// For each definition, whether some `run` starts it.
    pub(super) started: Vec<bool>,
}

impl<'p> Values<'p> {
    /// Analyses a program; `asked` are expressions outside of it whose variables matter as well.
    pub(super) fn new(program: &'p Program, asked: &[&'p Expr], budget: &Budget) -> Self {
        let started = vec![false; program.procs.len()];
        let mut values = Values {
            program,
            ids: BTreeMap::new(),
            cells: Vec::new(),
            births: Vec::new(),
            writes: Vec::new(),
            guards: program.procs.iter().map(|proc| Guards::of(program, proc)).collect(),
            started,
        };
        let _ = values.note_reads(None, asked.to_vec());
        let first = values.cells.len();
        for (proc, definition) in program.procs.iter().enumerate() {
            if !matches!(definition.kind, ProcKind::Proctype | ProcKind::Init) {
                continue;
            }
            let mut expressions = Vec::new();
            statements(&definition.body, &mut expressions);
            expressions.extend(definition.provided.as_ref());
            values.note_runs(proc, expressions);
            values.note_writes(proc, &definition.body);
        }
        let relevant = values.note_relevant(first);
        values.solve(&relevant, budget);
        values
    }

    /// The cell of a place in the given definition, if it has been noted.
    pub(super) fn cell(&self, proc: Option<usize>, place: &Place) -> Option<usize> {
        self.ids.get(&key(proc, place)?).copied()
    }

    /// The definition whose local a cell is; none for a global.
    pub(super) fn owner(&self, cell: usize) -> Option<usize> {
        self.cells[cell].key.proc
    }

    /// What variables hold right before a statement that changes a cell, given what they hold where its process is; nothing
    /// where no more is known.
    pub(super) fn before(&self, write: &Write<'p>, here: Option<&Here>) -> Option<Here> {
        self.guards[write.proc].before(write.statement, self, write.proc, here)
    }

    /// The statements that change a cell.
    pub(super) fn writes_to(&self, cell: usize) -> impl Iterator<Item = &Write<'p>> {
        self.cells[cell].writes.iter().map(|write| &self.writes[*write])
    }

    /// What a cell holds when it comes into being, as far as statements do not matter.
    pub(super) fn at_birth(&self, cell: usize) -> RangeSet {
        let births = self.births.iter().filter(|(born, _)| *born == cell);
        births.fold(RangeSet::empty(), |all, (_, source)| all.union(&self.received(cell, source, None)))
    }

    fn note(&mut self, proc: Option<usize>, place: &Place) -> Option<usize> {
        let key = key(proc, place)?;
        if let Some(known) = self.ids.get(&key) {
            return Some(*known);
        }
        let (_, array) = declaration(self.program, &key)?;
        let id = self.cells.len();
        self.cells.push(Cell {
            key: key.clone(),
            ty: place.ty.clone(),
            array,
            values: RangeSet::empty(),
            writes: Vec::new(),
        });
        self.ids.insert(key, id);
        Some(id)
    }

    /// Notes the cells that expressions read, and gives them.
    fn note_reads(&mut self, proc: Option<usize>, mut pending: Vec<&'p Expr>) -> Vec<usize> {
        let mut cells = Vec::new();
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Read(place) => cells.extend(self.note(proc, place)),
                ExprKind::RemoteRead(of, _, place) => cells.extend(self.note(Some(of.0 as usize), place)),
                _ => {}
            }
            operands(expr, &mut pending);
        }
        cells
    }

    /// Notes the processes that expressions start, and their arguments.
    fn note_runs(&mut self, proc: usize, mut pending: Vec<&'p Expr>) {
        while let Some(expr) = pending.pop() {
            if let ExprKind::Run(of, arguments, _) = &expr.kind {
                self.started[of.0 as usize] = true;
                self.note_arguments(Some(proc), of.0 as usize, arguments);
            }
            operands(expr, &mut pending);
        }
    }

    /// Records in parameter lists are left to their types.
    fn note_arguments(&mut self, proc: Option<usize>, of: usize, arguments: &'p [Expr]) {
        let definition = &self.program.procs[of];
        let parameters = &definition.locals[..definition.params as usize];
        if parameters.len() != arguments.len() {
            return;
        }
        for (index, argument) in arguments.iter().enumerate() {
            let variable = u32::try_from(index).expect("few parameters");
            let key = Key { proc: Some(of), variable, fields: Vec::new() };
            let id = *self.ids.entry(key.clone()).or_insert_with(|| {
                let ty = parameters[index].ty.clone();
                self.cells.push(Cell { key, ty, array: false, values: RangeSet::empty(), writes: Vec::new() });
                self.cells.len() - 1
            });
            self.births.push((id, Source::Value(proc, argument)));
        }
    }

    fn note_writes(&mut self, proc: usize, body: &'p Seq) {
        let mut pending = vec![body];
        while let Some(seq) = pending.pop() {
            for stmt in seq {
                let write = |values: &mut Self, place: &'p Place, source| {
                    if let Some(cell) = values.note(Some(proc), place) {
                        values.cells[cell].writes.push(values.writes.len());
                        values.writes.push(Write { cell, proc, statement: stmt.id, place, source });
                    }
                };
                match &stmt.kind {
                    StmtKind::Assign(place, value) => write(self, place, Source::Value(Some(proc), value)),
                    StmtKind::AssignAll(place, all) => {
                        // Most lists repeat a few numbers.
                        let mut numbers = BTreeSet::new();
                        for value in all {
                            if value_of(value).is_none_or(|number| numbers.insert(number)) {
                                write(self, place, Source::Value(Some(proc), value));
                            }
                        }
                    }
                    StmtKind::Receive { pattern, .. } => {
                        for field in pattern {
                            if let Pattern::Bind(place) = field {
                                write(self, place, Source::Anything);
                            }
                        }
                    }
                    StmtKind::If(options) | StmtKind::Do(options) => pending.extend(options),
                    StmtKind::Block(seq) | StmtKind::Atomic(seq) | StmtKind::DStep(seq) => pending.push(seq),
                    StmtKind::Unless(body, escape) => pending.extend([body, escape]),
                    _ => {}
                }
            }
        }
    }

    /// Notes what the first cells depend on, and what that holds when it comes into being; for each cell, whether it is
    /// among these. All other cells can stay unknown.
    fn note_relevant(&mut self, asked: usize) -> Vec<bool> {
        let mut arguments: BTreeMap<usize, Vec<Source<'p>>> = BTreeMap::new();
        for (cell, source) in &self.births {
            arguments.entry(*cell).or_default().push(*source);
        }
        let mut relevant = vec![false; self.cells.len()];
        let mut pending: Vec<usize> = (0..asked).collect();
        while let Some(cell) = pending.pop() {
            relevant.resize(self.cells.len(), false);
            if std::mem::replace(&mut relevant[cell], true) {
                continue;
            }
            let (key, before) = (self.cells[cell].key.clone(), self.births.len());
            self.note_birth(cell, &key);
            let mut sources: Vec<Source<'p>> = self.births[before..].iter().map(|(_, source)| *source).collect();
            sources.extend(arguments.get(&cell).into_iter().flatten());
            sources.extend(self.writes_to(cell).map(|write| write.source));
            for source in sources {
                if let Source::Value(proc, value) = source
                    && value_of(value).is_none()
                {
                    pending.extend(self.note_reads(proc, vec![value]));
                }
            }
        }
        relevant.resize(self.cells.len(), false);
        relevant
    }

    fn note_birth(&mut self, cell: usize, key: &Key) {
        let Some((variable, _)) = declaration(self.program, key) else { return };
        if let Some(proc) = key.proc
            && key.variable < self.program.procs[proc].params
        {
            let definition = &self.program.procs[proc];
            let flat = definition.locals[..definition.params as usize].iter().all(|p| !matches!(p.ty, Type::Record(_)));
            if !flat && self.started[proc] {
                self.births.push((cell, Source::Anything));
            }
            self.births.push((cell, Source::Zero));
            return;
        }
        match &variable.initial {
            Initial::Default => self.births.push((cell, Source::Zero)),
            Initial::Channel(_) => self.births.push((cell, Source::Anything)),
            Initial::Value(value) => {
                self.births.push((cell, Source::Value(key.proc, value)));
            }
            Initial::List(values) => {
                self.births.push((cell, Source::Zero));
                let mut numbers = BTreeSet::new();
                for value in values {
                    if value_of(value).is_none_or(|number| numbers.insert(number)) {
                        self.births.push((cell, Source::Value(key.proc, value)));
                    }
                }
            }
        }
    }

    /// What a cell gets from a source, cut to its type; if from a statement, from this one.
    fn received(&self, cell: usize, source: &Source<'p>, write: Option<usize>) -> RangeSet {
        let ty = &self.cells[cell].ty;
        match source {
            Source::Zero => RangeSet::one(0),
            Source::Anything => expression::range_of(ty),
            Source::Value(proc, value) => {
                let here = write.and_then(|write| self.before(&self.writes[write], None));
                let environment = Environment { values: self, proc: *proc, here: here.as_ref() };
                expression::fit(ty, &environment.evaluate(value))
            }
        }
    }

    /// Solves for what is relevant; the others can hold anything.
    fn solve(&mut self, relevant: &[bool], budget: &Budget) {
        for (cell, _) in self.cells.iter_mut().zip(relevant).filter(|(_, relevant)| !**relevant) {
            cell.values = expression::range_of(&cell.ty);
        }
        let births = self.births.iter().map(|(cell, source)| (*cell, *source, None));
        let writes = self.writes.iter().enumerate().map(|(number, write)| (write.cell, write.source, Some(number)));
        // Most sources are numbers, and most of them the same ones.
        let mut numbers: BTreeSet<(usize, i32)> = BTreeSet::new();
        let mut is_news = |cell: usize, source: &Source<'p>| match source {
            Source::Value(_, value) => value_of(value).is_none_or(|number| numbers.insert((cell, number))),
            _ => true,
        };
        let relevant = births.chain(writes).filter(|(cell, ..)| relevant[*cell]);
        let sources: Vec<Given<'p>> = relevant.filter(|(cell, source, _)| is_news(*cell, source)).collect();
        // What an expression gives is new only after something that it reads has changed.
        let reads: Vec<Vec<usize>> = sources.iter().map(|(_, source, _)| self.reads(source)).collect();
        let mut seen: Vec<Option<usize>> = vec![None; sources.len()];
        let (mut changes, mut last_change, mut evaluations) = (0, vec![0; self.cells.len()], 0);
        for round in 0.. {
            let mut changed = false;
            for (index, (cell, source, write)) in sources.iter().enumerate() {
                let cell = *cell;
                if budget.check().is_err() {
                    return;
                }
                if seen[index].is_some_and(|seen| reads[index].iter().all(|read| last_change[*read] <= seen)) {
                    continue;
                }
                seen[index] = Some(changes);
                evaluations += 1;
                let old = &self.cells[cell].values;
                let mut new = old.union(&self.received(cell, source, *write));
                if new != *old {
                    if round >= WIDENING_ROUNDS || evaluations > EVALUATIONS {
                        new = expression::range_of(&self.cells[cell].ty);
                    }
                    self.cells[cell].values = new;
                    changes += 1;
                    (changed, last_change[cell]) = (true, changes);
                }
            }
            if !changed {
                if round > WIDENING_ROUNDS || evaluations > EVALUATIONS {
                    self.narrow(&sources);
                }
                return;
            }
        }
    }

    /// The cells that a source depends on.
    fn reads(&self, source: &Source<'p>) -> Vec<usize> {
        let Source::Value(proc, value) = source else { return Vec::new() };
        let (mut cells, mut pending) = (Vec::new(), vec![*value]);
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Read(place) => cells.extend(self.cell(*proc, place)),
                ExprKind::RemoteRead(of, _, place) => cells.extend(self.cell(Some(of.0 as usize), place)),
                _ => {}
            }
            operands(expr, &mut pending);
        }
        cells
    }

    /// Cuts each cell to what its sources give.
    fn narrow(&mut self, sources: &[Given<'p>]) {
        let mut given: BTreeMap<usize, RangeSet> = BTreeMap::new();
        for (cell, source, write) in sources {
            let all = given.entry(*cell).or_insert_with(RangeSet::empty);
            *all = all.union(&self.received(*cell, source, *write));
        }
        for (cell, all) in given {
            self.cells[cell].values = self.cells[cell].values.intersect(&all);
        }
    }
}

/// The cell that a place is in; `proc` is the definition that locals belong to.
fn key(proc: Option<usize>, place: &Place) -> Option<Key> {
    let (proc, variable) = match place.base {
        VarRef::Global(id) => (None, id.0),
        VarRef::Local(id) => (Some(proc?), id.0),
        VarRef::Scratch => return None,
    };
    if matches!(place.ty, Type::Record(_)) {
        return None;
    }
    let field = |access: &Access| match access {
        Access::Field(number) => Some(*number),
        Access::Index(_) => None,
    };
    Some(Key { proc, variable, fields: place.path.iter().filter_map(field).collect() })
}

/// The declaration of a cell, and whether an array is on the way.
fn declaration<'p>(program: &'p Program, key: &Key) -> Option<(&'p Variable, bool)> {
    let variables = key.proc.map_or(&program.globals, |proc| &program.procs[proc].locals);
    let mut variable = variables.get(key.variable as usize)?;
    let mut array = variable.len.is_some();
    for field in &key.fields {
        let Type::Record(id) = variable.ty else { return None };
        variable = program.records[id.0 as usize].fields.get(*field as usize)?;
        array |= variable.len.is_some();
    }
    Some((variable, array))
}
