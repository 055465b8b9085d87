//! Combinations of atoms that no state can show: exclusive locations, comparisons that contradict each
//! other, values that a variable does not have (at a location).
//!
//! *What.* All minimal combinations of at most [`LITERALS`] atoms, each true or false, that
//! [`super::decide`] finds impossible: the constraint of [blahoudek.15.spin], section 3, for more kinds of
//! atoms than theirs. *Contract.* Every state of every run shows none of them. At most [`CHECKS`]
//! combinations are looked at, smaller ones first. *Tested by* `promela_facts`.

use super::atom::{Atom, Meaning, Process, Quantity};
use super::decide::{Difference, Sum, possible};
use super::location::{Here, Locations};
use super::range::RangeSet;
use super::{Constraint, Fact, Ground, Literal};
use crate::thresholds::mine::{CHECKS, LITERALS};
use kernel::budget::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// What is known about atoms and the program.
pub(super) struct Knowledge<'a> {
    pub(super) atoms: &'a [Atom],
    pub(super) quantities: &'a [Quantity],
    /// For each definition that was looked at, what cells hold at its locations.
    pub(super) locations: &'a BTreeMap<usize, Locations>,
    /// For each definition, whether it has exactly one instance.
    pub(super) single: &'a [bool],
}

/// A combination and what it says.
#[derive(Clone, Default)]
struct Combination<'a> {
    literals: Vec<Literal>,
    /// What each quantity that it is about can be.
    domains: Vec<(usize, RangeSet)>,
    differences: Vec<Difference<'a>>,
    sums: Vec<Sum<'a>>,
    /// The processes that it says are somewhere, and what cells can hold there.
    places: Vec<(&'a Process, Option<&'a Here>)>,
}

/// All impossible combinations, as clauses.
pub(super) fn clauses(knowledge: &Knowledge<'_>, budget: &Budget) -> Vec<Fact> {
    let said: Vec<[RangeSet; 2]> =
        knowledge.atoms.iter().map(|atom| [set_of(atom).complement(), set_of(atom).clone()]).collect();
    let mut impossible: Vec<Vec<Literal>> = Vec::new();
    let mut level = vec![Combination::default()];
    let mut checks = 0;
    for _ in 0..LITERALS {
        let mut next = Vec::new();
        for combination in &level {
            let first = combination.literals.last().map_or(0, |literal| literal.atom + 1);
            for literal in (first..knowledge.atoms.len()).flat_map(|atom| [true, false].map(|on| Literal { atom, on }))
            {
                if checks >= CHECKS || budget.check().is_err() {
                    break;
                }
                if !knowledge.worthwhile(&combination.literals, literal)
                    || covered(&impossible, &combination.literals, literal)
                {
                    continue;
                }
                checks += 1;
                match knowledge.extended(combination, literal, &said[literal.atom][usize::from(literal.on)]) {
                    Some(larger) => next.push(larger),
                    None => impossible.push([&combination.literals[..], &[literal]].concat()),
                }
            }
        }
        level = next;
    }
    impossible.into_iter().map(|combination| knowledge.fact(&combination)).collect()
}

fn set_of(atom: &Atom) -> &RangeSet {
    match &atom.meaning {
        Meaning::Within(_, set) | Meaning::Difference(_, _, set) | Meaning::Sum(_, set) => set,
    }
}

/// Whether a smaller combination than one with one more literal is known to be impossible.
fn covered(impossible: &[Vec<Literal>], combination: &[Literal], more: Literal) -> bool {
    impossible.iter().any(|smaller| smaller.iter().all(|literal| *literal == more || combination.contains(literal)))
}

impl<'a> Knowledge<'a> {
    /// The quantities an atom is about.
    fn about(&self, atom: usize) -> Vec<usize> {
        match &self.atoms[atom].meaning {
            Meaning::Within(quantity, _) => vec![*quantity],
            Meaning::Difference(plus, minus, _) => vec![*plus, *minus],
            Meaning::Sum(terms, _) => terms.iter().map(|(quantity, _)| *quantity).collect(),
        }
    }

    /// Whether a literal says anything, and something about what the others are about.
    fn worthwhile(&self, others: &[Literal], literal: Literal) -> bool {
        if !literal.on && self.atoms[literal.atom].may_fail {
            return false;
        }
        others.is_empty() || others.iter().any(|other| self.related(other.atom, literal.atom))
    }

    fn related(&self, one: usize, other: usize) -> bool {
        if let (Some(process), Some(another)) = (&self.atoms[one].at, &self.atoms[other].at)
            && same_number(process, another)
        {
            return true;
        }
        let (one, other) = (self.about(one), self.about(other));
        one.iter().any(|a| other.iter().any(|b| a == b || self.linked(*a, *b) || self.linked(*b, *a)))
    }

    /// Whether a location says something about another quantity.
    fn linked(&self, location: usize, quantity: usize) -> bool {
        let (location, quantity) = (&self.quantities[location], &self.quantities[quantity]);
        let Some(process) = location.process.as_ref().filter(|_| location.is_location) else { return false };
        if quantity.is_location {
            return quantity.process.as_ref().is_some_and(|other| same_number(process, other));
        }
        let known = self.locations.get(&process.proc);
        quantity.cell.is_some_and(|cell| known.is_some_and(|known| known.knows(cell)))
    }

    /// A combination with one more literal, if some state can show it.
    fn extended<'c>(
        &'c self,
        combination: &Combination<'c>,
        literal: Literal,
        said: &'c RangeSet,
    ) -> Option<Combination<'c>> {
        let atom = &self.atoms[literal.atom];
        let mut larger = combination.clone();
        larger.literals.push(literal);
        for quantity in self.about(literal.atom) {
            if !larger.domains.iter().any(|(known, _)| *known == quantity) {
                let mut domain = self.quantities[quantity].domain.clone();
                for (process, here) in &larger.places {
                    self.narrow(quantity, &mut domain, process, *here);
                }
                larger.domains.push((quantity, domain));
            }
        }
        match &atom.meaning {
            Meaning::Within(quantity, _) => {
                let entry = larger.domains.iter_mut().find(|(known, _)| known == quantity).expect("entered above");
                entry.1 = entry.1.intersect(said);
            }
            Meaning::Difference(plus, minus, _) => larger.differences.push((*plus, *minus, said)),
            Meaning::Sum(terms, _) => larger.sums.push((terms, said)),
        }
        if let (true, Some(process)) = (literal.on, &atom.at) {
            let two_places = |other: &&Process| other.proc != process.proc && same_number(other, process);
            if larger.places.iter().map(|(other, _)| *other).any(|other| two_places(&other)) {
                return None;
            }
            let here = self.here(process, set_of(atom))?;
            for (quantity, domain) in &mut larger.domains {
                self.narrow(*quantity, domain, process, here);
            }
            larger.places.push((process, here));
        }
        possible(&larger.domains, &larger.differences, &larger.sums).then_some(larger)
    }

    /// What is known where a process is said to be; nothing at all if it cannot get there.
    fn here(&self, process: &Process, nodes: &RangeSet) -> Option<Option<&Here>> {
        let node = nodes.hull().and_then(|(node, _)| usize::try_from(node).ok())?;
        match self.locations.get(&process.proc) {
            Some(known) => known.at[node].as_ref().map(Some),
            None => Some(None),
        }
    }

    /// Cuts what a quantity can be to what it can be while a process is somewhere.
    fn narrow(&self, quantity: usize, domain: &mut RangeSet, process: &Process, here: Option<&Here>) {
        let quantity = &self.quantities[quantity];
        let seen = match &quantity.process {
            None => self.single[process.proc],
            Some(of) if of.proc != process.proc => false,
            Some(of) => of.number == process.number || of.number.is_none() && self.single[process.proc],
        };
        if let (true, false, Some(cell), Some(here)) = (seen, quantity.is_location, quantity.cell, here)
            && let Some(set) = here.get(&cell)
        {
            *domain = domain.intersect(set);
        }
    }

    /// Whether a combination is possible as far as the atoms themselves go, whatever the program.
    fn consistent(&self, combination: &[Literal]) -> bool {
        let everything = RangeSet::new(super::range::LOW, super::range::HIGH);
        let about: BTreeSet<usize> = combination.iter().flat_map(|literal| self.about(literal.atom)).collect();
        let mut domains: Vec<(usize, RangeSet)> = about.into_iter().map(|q| (q, everything.clone())).collect();
        let sets = combination.iter().map(|l| {
            (l.atom, if l.on { set_of(&self.atoms[l.atom]).clone() } else { set_of(&self.atoms[l.atom]).complement() })
        });
        let sets: Vec<(usize, RangeSet)> = sets.collect();
        let (mut differences, mut sums): (Vec<Difference<'_>>, Vec<Sum<'_>>) = (Vec::new(), Vec::new());
        for (atom, set) in &sets {
            match &self.atoms[*atom].meaning {
                Meaning::Within(quantity, _) => {
                    let entry = domains.iter_mut().find(|(known, _)| known == quantity).expect("entered above");
                    entry.1 = entry.1.intersect(set);
                }
                Meaning::Difference(plus, minus, _) => differences.push((*plus, *minus, set)),
                Meaning::Sum(terms, _) => sums.push((terms, set)),
            }
        }
        possible(&domains, &differences, &sums)
    }

    fn fact(&self, combination: &[Literal]) -> Fact {
        let literals = combination.iter().map(|literal| Literal { on: !literal.on, ..*literal }).collect();
        Fact {
            reason: self.reason(combination),
            ground: self.ground(combination),
            constraint: Constraint::Clause(literals),
        }
    }

    /// Whether the statements of the program matter to a combination that is impossible.
    fn ground(&self, combination: &[Literal]) -> Ground {
        let about = || combination.iter().flat_map(|literal| self.about(literal.atom));
        let places = about().all(|quantity| self.quantities[quantity].is_location) && combination.len() > 1;
        if places || !self.consistent(combination) { Ground::Meaning } else { Ground::Statements }
    }

    fn reason(&self, combination: &[Literal]) -> String {
        let text = |literal: &Literal| {
            let name = &self.atoms[literal.atom].name;
            if literal.on { format!("`{name}`") } else { format!("`!({name})`") }
        };
        let said = joined(combination.iter().map(text).collect());
        let about: BTreeSet<usize> = combination.iter().flat_map(|literal| self.about(literal.atom)).collect();
        let places: Vec<&Quantity> = about.iter().map(|q| &self.quantities[*q]).filter(|q| q.is_location).collect();
        let held = |quantity: &Quantity| format!("`{}` holds {}", quantity.name, quantity.domain.in_words());
        let others = about.iter().map(|q| &self.quantities[*q]).filter(|q| !q.is_location);
        let names = joined(others.clone().map(|quantity| format!("`{}`", quantity.name)).collect());
        if let [literal] = combination {
            return match (places.first(), others.clone().next()) {
                (Some(place), _) => format!("{said} is impossible: no process `{}` can get there", place.name),
                (None, Some(quantity)) if quantity.is_truth(&self.atoms[literal.atom].name) => {
                    let always = if literal.on { "false" } else { "true" };
                    format!("{said} is impossible: `{}` is always {always}", quantity.name)
                }
                (None, Some(_)) => format!("{said} is impossible: {}", joined(others.map(held).collect())),
                (None, None) => format!("{} is constant", self.atoms[literal.atom].name),
            };
        }
        if about.len() == places.len() {
            return format!("{said} exclude each other: a process is at one place at a time");
        }
        if !places.is_empty() {
            return format!("{said} exclude each other: {names} does not hold such a value at that place");
        }
        if self.consistent(combination) {
            let domains = joined(others.map(held).collect());
            return format!("{said} exclude each other: {domains}");
        }
        let plural = if about.len() == 1 { "no value" } else { "no values" };
        format!("{said} exclude each other: {plural} of {names} would do")
    }
}

/// Whether two references name the same process number.
fn same_number(one: &Process, other: &Process) -> bool {
    one.number.is_some() && one.number == other.number
}

fn joined(words: Vec<String>) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
