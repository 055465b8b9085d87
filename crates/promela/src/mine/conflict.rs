//! Combinations of atoms that no state can show: exclusive locations, comparisons that contradict each
//! other, values that a variable does not have (at a location).
//!
//! *What.* All minimal combinations of at most [`LITERALS`] atoms, each true or false, that
//! [`super::decide`] finds impossible: the constraint of [blahoudek.15.spin], section 3, for more kinds of
//! atoms than theirs. *Contract.* Every state of every run shows none of them. At most [`CHECKS`]
//! combinations are looked at, smaller ones first. *Tested by* `promela_facts`.

use super::atom::{Atom, Meaning, Process, Quantity};
use super::decide::{Difference, possible};
use super::location::Locations;
use super::range::RangeSet;
use super::{Constraint, Fact, Literal};
use std::collections::{BTreeMap, BTreeSet};

/// How many atoms a combination has at most.
const LITERALS: usize = 4;

/// How many combinations are looked at.
const CHECKS: usize = 3000;

/// What is known about atoms and the program.
pub(super) struct Knowledge<'a> {
    pub(super) atoms: &'a [Atom],
    pub(super) quantities: &'a [Quantity],
    /// For each definition that was looked at, what cells hold at its locations.
    pub(super) locations: &'a BTreeMap<usize, Locations>,
    /// For each definition, whether it has exactly one instance.
    pub(super) single: &'a [bool],
}

/// All impossible combinations, as clauses.
pub(super) fn clauses(knowledge: &Knowledge<'_>) -> Vec<Fact> {
    let mut impossible: Vec<Vec<Literal>> = Vec::new();
    let mut level: Vec<Vec<Literal>> = vec![Vec::new()];
    let mut checks = 0;
    for _ in 0..LITERALS {
        let mut next = Vec::new();
        for combination in &level {
            let first = combination.last().map_or(0, |literal| literal.atom + 1);
            for literal in (first..knowledge.atoms.len()).flat_map(|atom| [true, false].map(|on| Literal { atom, on }))
            {
                if checks >= CHECKS {
                    break;
                }
                let mut larger = combination.clone();
                larger.push(literal);
                if !knowledge.worthwhile(combination, literal) || covered(&impossible, &larger) {
                    continue;
                }
                checks += 1;
                if knowledge.possible(&larger, true) { next.push(larger) } else { impossible.push(larger) }
            }
        }
        level = next;
    }
    impossible.into_iter().map(|combination| knowledge.fact(&combination)).collect()
}

/// Whether a smaller combination is known to be impossible.
fn covered(impossible: &[Vec<Literal>], combination: &[Literal]) -> bool {
    impossible.iter().any(|smaller| smaller.iter().all(|literal| combination.contains(literal)))
}

impl Knowledge<'_> {
    /// The quantities an atom is about.
    fn about(&self, atom: usize) -> Vec<usize> {
        match &self.atoms[atom].meaning {
            Meaning::Within(quantity, _) => vec![*quantity],
            Meaning::Difference(plus, minus, _) => vec![*plus, *minus],
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

    /// Whether some state can show a combination; with `narrow`, domains and locations count.
    fn possible(&self, combination: &[Literal], narrow: bool) -> bool {
        let mut domains: BTreeMap<usize, RangeSet> = BTreeMap::new();
        let mut differences: Vec<Difference> = Vec::new();
        let everything = RangeSet::new(super::range::LOW, super::range::HIGH);
        for literal in combination {
            for quantity in self.about(literal.atom) {
                let domain = if narrow { &self.quantities[quantity].domain } else { &everything };
                domains.entry(quantity).or_insert_with(|| domain.clone());
            }
            let said = |set: &RangeSet| if literal.on { set.clone() } else { set.complement() };
            match &self.atoms[literal.atom].meaning {
                Meaning::Within(quantity, set) => {
                    let domain = domains.get_mut(quantity).expect("entered above");
                    *domain = domain.intersect(&said(set));
                }
                Meaning::Difference(plus, minus, set) => differences.push((*plus, *minus, said(set))),
            }
        }
        if narrow && (self.two_places(combination) || !self.narrow(combination, &mut domains)) {
            return false;
        }
        possible(&domains, &differences)
    }

    /// Whether one process would have to be an instance of two definitions.
    fn two_places(&self, combination: &[Literal]) -> bool {
        let at = combination.iter().filter(|literal| literal.on).filter_map(|l| self.atoms[l.atom].at.as_ref());
        let at: Vec<&Process> = at.collect();
        at.iter().any(|a| at.iter().any(|b| a.proc != b.proc && same_number(a, b)))
    }

    /// Cuts domains to what is possible at the locations that processes are said to be at; false if no
    /// process can be there.
    fn narrow(&self, combination: &[Literal], domains: &mut BTreeMap<usize, RangeSet>) -> bool {
        for literal in combination.iter().filter(|literal| literal.on) {
            let atom = &self.atoms[literal.atom];
            let (Some(process), Meaning::Within(_, nodes)) = (&atom.at, &atom.meaning) else { continue };
            let Some(known) = self.locations.get(&process.proc) else { continue };
            let Some(node) = nodes.hull().and_then(|(node, _)| usize::try_from(node).ok()) else { return false };
            let Some(here) = &known.at[node] else { return false };
            for (quantity, domain) in domains.iter_mut() {
                let quantity = &self.quantities[*quantity];
                let seen = match &quantity.process {
                    None => self.single[process.proc],
                    Some(of) if of.proc != process.proc => false,
                    Some(of) => of.number == process.number || of.number.is_none() && self.single[process.proc],
                };
                if let (true, false, Some(cell)) = (seen, quantity.is_location, quantity.cell)
                    && let Some(set) = here.get(&cell)
                {
                    *domain = domain.intersect(set);
                }
            }
        }
        true
    }

    fn fact(&self, combination: &[Literal]) -> Fact {
        let literals = combination.iter().map(|literal| Literal { on: !literal.on, ..*literal }).collect();
        Fact { reason: self.reason(combination), constraint: Constraint::Clause(literals) }
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
                (None, Some(quantity)) => format!("{said} is impossible: {}", held(quantity)),
                (None, None) => format!("{} is constant", self.atoms[literal.atom].name),
            };
        }
        if about.len() == places.len() {
            return format!("{said} exclude each other: a process is at one place at a time");
        }
        if !places.is_empty() {
            return format!("{said} exclude each other: {names} does not hold such a value at that place");
        }
        if self.possible(combination, false) {
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
