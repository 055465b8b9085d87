//! Facts about a property's atoms that follow from the text of a model, without exploring its states
//! [blahoudek.15.spin].
//!
//! *What.* [`facts`] takes a compiled model and atoms, and gives facts: combinations of atoms that no
//! state shows, truth in the initial state, atoms that stay true, the order of locations. Each has a
//! reason for a person. [`Facts::invariant`] is the constraint κ of the paper, a Boolean formula that
//! every state of every run satisfies; [`Facts::over_time`] is the paper's outlook, a temporal formula that
//! every run satisfies.
//!
//! *Contract.* Every fact holds on every run of the model, its intermediate states inside atomic
//! sequences included; nothing is promised about how many are found. Time is bounded: see `conflict`
//! and `location`.
//!
//! *Files, one idea each:* `range` (sets of numbers), `value` (what variables can hold), `expression` (what
//! expressions can be), `location` (what variables can hold at a location), `guard` (and in uninterrupted sequences), `atom` (what atoms say),
//! `decide` (can all of this be at once), `conflict` (combinations that cannot), `order` (of locations),
//! `monotone` (variables that only grow), `mutant` (deliberate mistakes, for tests), `confirm` (the facts against the reachable states).
//!
//! *Tested by* walking the reachable states of all shipped models and of random programs
//! (`crates/testbench/tests/promela_facts.rs`).

mod atom;
pub mod confirm;
mod conflict;
mod decide;
mod expression;
mod guard;
mod location;
mod monotone;
mod mutant;
mod order;
mod range;
mod value;

use crate::compiled::Model;
use crate::flow::{self, Graph};
use crate::named;
use crate::typed::Expr;
use atom::{Atom, Quantity, Reader};
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use location::Locations;
use omega::constraint::choice::Knowledge;
use omega::formula::{Formula, Formulas};
use range::RangeSet;
use std::collections::{BTreeMap, BTreeSet};
use value::{Source, Values};

pub use mutant::Mutant;

/// An atom, by its number in the list given to [`facts`], or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    /// The atom.
    pub atom: usize,
    /// Whether it is true.
    pub on: bool,
}

/// What a fact says about atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// In every state, at least one of these holds.
    Clause(Vec<Literal>),
    /// In the initial state, this holds.
    Initially(Literal),
    /// Once this holds, it holds forever.
    Stable(Literal),
    /// Once the first atom has held, the second never does.
    Never {
        /// The first.
        after: usize,
        /// The second.
        atom: usize,
    },
    /// Once this atom has held and ceased to hold, it never holds again.
    Once(usize),
}

/// Where a fact comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// What the atoms mean: it would hold in any model with these processes and variables.
    Meaning,
    /// The statements of the model.
    Statements,
}

/// Something that every run of the model shows.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Why, in words.
    pub reason: String,
    /// Where it comes from.
    pub ground: Ground,
    /// What it says.
    pub constraint: Constraint,
}

/// What is known about the atoms of a property.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The facts, those about single states first.
    pub all: Vec<Fact>,
}

/// Mines facts without limits; for small models and tests.
#[must_use]
pub fn facts(model: &Model, atoms: &[(String, Expr)]) -> Facts {
    facts_within(model, atoms, &Budget::unlimited()).expect("an unlimited budget is never exhausted")
}

/// Mines facts about atoms: pairs of a name and an expression that stands outside any process, as in
/// [`Claim::atoms`](crate::claim::Claim::atoms).
///
/// # Errors
/// The limit that ended the work.
pub fn facts_within(model: &Model, atoms: &[(String, Expr)], budget: &Budget) -> Result<Facts, Exhausted> {
    mined(model, atoms, None, budget)
}

/// Mines facts with a deliberate mistake; for tests of the tests.
#[must_use]
pub fn facts_of_mutant(model: &Model, atoms: &[(String, Expr)], mutant: Mutant) -> Facts {
    mined(model, atoms, Some(mutant), &Budget::unlimited()).expect("an unlimited budget is never exhausted")
}

fn mined(model: &Model, atoms: &[(String, Expr)], mutant: Option<Mutant>, budget: &Budget) -> Result<Facts, Exhausted> {
    let program = model.program();
    let asked: Vec<&Expr> = atoms.iter().map(|(_, expr)| expr).collect();
    let located = named::located(&asked);
    let mut graphs = flow::graphs_where(program, |proc| located.contains(&proc), budget)?;
    let values = Values::new(program, &asked, budget);
    let (read, single) = {
        let mut reader = Reader::new(program, &graphs, &values);
        let read: Vec<Atom> = atoms.iter().map(|(name, expr)| reader.atom(name, expr)).collect();
        let single: Vec<bool> = (0..program.procs.len())
            .map(|proc| mutant == Some(Mutant::EveryProcessIsSingle) || reader.is_single(proc))
            .collect();
        ((read, reader.quantities), single)
    };
    let (read, mut quantities) = read;
    let cells: BTreeSet<usize> = quantities.iter().filter_map(|quantity| quantity.cell).collect();
    let mut owned: Vec<Vec<usize>> =
        single.iter().enumerate().map(|(p, one)| owned(&values, p, *one, &cells, mutant)).collect();
    for (proc, cells) in owned.iter_mut().enumerate() {
        if !located.contains(&proc) && !location::is_affordable(&program.procs[proc].body, cells.len()) {
            cells.clear();
        }
    }
    // Graphs take most of the time; only those are built that say something.
    let missing = |proc: usize| !located.contains(&proc) && !owned[proc].is_empty();
    let more = flow::graphs_where(program, missing, budget)?;
    for (proc, graph) in more.into_iter().enumerate().filter(|(p, _)| missing(*p)) {
        graphs[proc] = graph;
    }
    let locations = locate(&values, &graphs, &located, &owned, budget);
    sharpen(&values, &mut quantities, &locations);
    let knowledge =
        conflict::Knowledge { atoms: &read, quantities: &quantities, locations: &locations, single: &single };
    let mut all = conflict::clauses(&knowledge, budget);
    budget.check()?;
    all.extend(initially(model, atoms));
    all.extend(monotone::facts(&read, &quantities, &values, &graphs, &locations, mutant));
    all.extend(order::facts(&read, &quantities, &graphs, &single));
    // The analyses stop early when the budget is exhausted; what they found then is not sound.
    budget.check()?;
    Ok(Facts { all })
}

impl Facts {
    /// All facts as refinement takes them, in a pool that numbers the atoms as the list does from which the facts were mined.
    pub fn knowledge(&self, formulas: &mut Formulas) -> Knowledge {
        let constraint = self.invariant(formulas);
        let stricter = self.over_time(formulas);
        Knowledge { constraint, stricter: (!stricter.is_constant()).then_some(stricter) }
    }

    /// A part of the facts that suffices for something that all of them suffice for, no fact of which can be left out.
    /// Facts about single states are preferred; otherwise the smaller one of two such parts.
    #[must_use]
    pub fn needed(&self, mut suffice: impl FnMut(&Facts) -> bool) -> Facts {
        let is_clause = |fact: &&Fact| matches!(fact.constraint, Constraint::Clause(_));
        let clauses = Facts { all: self.all.iter().filter(is_clause).cloned().collect() };
        let all = if suffice(&clauses) { clauses } else { self.clone() };
        let mut part = |order: Vec<usize>| {
            let mut kept = vec![true; all.all.len()];
            let facts = |kept: &[bool]| Facts {
                all: all.all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(fact, _)| fact.clone()).collect(),
            };
            for index in order {
                kept[index] = false;
                kept[index] = !suffice(&facts(&kept));
            }
            facts(&kept)
        };
        let (forwards, backwards) = (part((0..all.all.len()).collect()), part((0..all.all.len()).rev().collect()));
        if backwards.all.len() < forwards.all.len() { backwards } else { forwards }
    }

    /// The Boolean formula over atoms that every state satisfies: κ of [blahoudek.15.spin].
    pub fn invariant(&self, formulas: &mut Formulas) -> Formula {
        let mut clauses = Vec::new();
        for fact in &self.all {
            if let Constraint::Clause(literals) = &fact.constraint {
                let literals: Vec<Formula> = literals.iter().map(|l| literal(formulas, *l)).collect();
                clauses.push(formulas.or(literals));
            }
        }
        formulas.and(clauses)
    }

    /// The temporal formula over atoms that every run satisfies, [`Self::invariant`] left out.
    pub fn over_time(&self, formulas: &mut Formulas) -> Formula {
        let mut parts = Vec::new();
        for fact in &self.all {
            let part = match &fact.constraint {
                Constraint::Clause(_) => continue,
                Constraint::Initially(first) => literal(formulas, *first),
                Constraint::Stable(stable) => {
                    let holds = literal(formulas, *stable);
                    let always = formulas.always(holds);
                    let once = formulas.implies(holds, always);
                    formulas.always(once)
                }
                Constraint::Never { after, atom } => {
                    let first = literal(formulas, Literal { atom: *after, on: true });
                    let gone = literal(formulas, Literal { atom: *atom, on: false });
                    let never = formulas.always(gone);
                    let then = formulas.implies(first, never);
                    formulas.always(then)
                }
                Constraint::Once(atom) => {
                    let here = literal(formulas, Literal { atom: *atom, on: true });
                    let gone = formulas.not(here);
                    let never = formulas.always(gone);
                    let left = formulas.weak_until(here, never);
                    let then = formulas.implies(here, left);
                    formulas.always(then)
                }
            };
            parts.push(part);
        }
        formulas.and(parts)
    }
}

fn literal(formulas: &mut Formulas, literal: Literal) -> Formula {
    let atom = formulas.nth_atom(literal.atom);
    if literal.on { atom } else { formulas.not(atom) }
}

/// Which atoms hold in the initial state.
fn initially(model: &Model, atoms: &[(String, Expr)]) -> Vec<Fact> {
    let compiled = model.atoms(atoms.iter().map(|(_, expr)| expr));
    let (mut state, mut scratch) = (Vec::new(), model.scratch());
    model.initial(&mut state);
    let truth: Vec<Option<bool>> = model.truth(&mut scratch, &compiled, &state).collect();
    let fact = |(atom, on): (usize, bool)| {
        let words = if on { "holds" } else { "does not hold" };
        let reason = format!("`{}` {words} in the initial state", atoms[atom].0);
        Fact { reason, ground: Ground::Statements, constraint: Constraint::Initially(Literal { atom, on }) }
    };
    truth.into_iter().enumerate().filter_map(|(atom, on)| Some(fact((atom, on?)))).collect()
}

/// Analyses the definitions that matter to the atoms, location by location.
fn locate(
    values: &Values<'_>,
    graphs: &[Graph<'_>],
    located: &BTreeSet<usize>,
    owned: &[Vec<usize>],
    budget: &Budget,
) -> BTreeMap<usize, Locations> {
    let mut result = BTreeMap::new();
    for (proc, graph) in graphs.iter().enumerate() {
        if located.contains(&proc) || !owned[proc].is_empty() {
            result.extend(Locations::new(values, graph, proc, &owned[proc], budget).map(|known| (proc, known)));
        }
    }
    result
}

/// The cells that only processes of a definition change, as far as `asked` depends on them.
fn owned(
    values: &Values<'_>,
    proc: usize,
    single: bool,
    asked: &BTreeSet<usize>,
    mutant: Option<Mutant>,
) -> Vec<usize> {
    let own = |cell: usize| {
        let mut writers = values.writes_to(cell);
        let writers_agree = mutant == Some(Mutant::NobodyElseWrites) || writers.all(|write| write.proc == proc);
        let belongs = values.owner(cell).map_or(single, |owner| owner == proc);
        !values.cells[cell].array && belongs && writers_agree
    };
    let mut cells: BTreeSet<usize> = asked.iter().copied().filter(|cell| own(*cell)).collect();
    loop {
        let mut read = BTreeSet::new();
        for write in cells.iter().flat_map(|cell| values.writes_to(*cell)) {
            if let Source::Value(of, value) = write.source {
                let mut pending = vec![value];
                while let Some(expr) = pending.pop() {
                    if let crate::typed::ExprKind::Read(place) = &expr.kind {
                        read.extend(values.cell(of, place).filter(|cell| own(*cell)));
                    }
                    crate::named::operands(expr, &mut pending);
                }
            }
        }
        let before = cells.len();
        cells.extend(read);
        if cells.len() == before {
            return cells.into_iter().collect();
        }
    }
}

/// Cuts what quantities can be to what the locations of processes say. Cells stay as they are: inside a
/// `d_step` they can hold more than anyone sees.
fn sharpen(values: &Values<'_>, quantities: &mut [Quantity], locations: &BTreeMap<usize, Locations>) {
    for quantity in quantities.iter_mut() {
        let Some(cell) = quantity.cell.filter(|cell| !values.cells[*cell].array) else { continue };
        for known in locations.values().filter(|known| known.knows(cell)) {
            let set = known.anywhere(cell);
            // Zero if there is no such process.
            let set = if quantity.process.is_some() { set.union(&RangeSet::one(0)) } else { set };
            quantity.domain = quantity.domain.intersect(&set);
        }
    }
}
