//! The filters of `translate`, `formula` and `automaton`.

use crate::arguments::{Answer, Class, Filters};
use kernel::budget::Budget;
use omega::analyse::hierarchy::Hierarchy;
use omega::analyse::questions::{classes, classes_of_language, is_invariant, is_invariant_language};
use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::pipeline::{TranslationOptions, translate};

impl Filters {
    /// True if there is any filter.
    pub(crate) fn any(&self) -> bool {
        self.states.is_some() || self.edges.is_some() || !self.class.is_empty() || self.stutter_invariant.is_some()
    }

    /// True if an automaton has one of the sizes.
    pub(crate) fn keeps_size(&self, automaton: &Automaton) -> bool {
        let contains = |range: &Option<std::ops::RangeInclusive<usize>>, size: usize| {
            range.as_ref().is_none_or(|range| range.contains(&size))
        };
        contains(&self.states, automaton.state_count()) && contains(&self.edges, automaton.edge_count())
    }

    /// True if the language of an automaton passes the filters of meaning.
    pub(crate) fn keeps_language(&self, automaton: &Automaton, budget: &Budget) -> Result<bool, Incomplete> {
        if !self.class.is_empty() && !self.keeps_classes(classes_of_language(automaton, budget)?) {
            return Ok(false);
        }
        match self.stutter_invariant {
            None => Ok(true),
            Some(answer) => Ok(is_invariant_language(automaton, budget)? == (answer == Answer::Yes)),
        }
    }

    /// True if a formula passes the filters of meaning.
    pub(crate) fn keeps_meaning(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Result<bool, Incomplete> {
        if !self.class.is_empty() && !self.keeps_classes(classes(formulas, formula, budget)?) {
            return Ok(false);
        }
        match self.stutter_invariant {
            None => Ok(true),
            Some(answer) => Ok(is_invariant(formulas, formula, budget)? == (answer == Answer::Yes)),
        }
    }

    /// True if a formula passes all filters; its sizes are those of the automaton that `translate` makes of it.
    pub(crate) fn keeps_formula(
        &self,
        formulas: &mut Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Result<bool, Incomplete> {
        let has_size = self.states.is_some() || self.edges.is_some();
        if has_size
            && !self.keeps_size(&translate(formulas, formula, &TranslationOptions::default(), budget)?.automaton)
        {
            return Ok(false);
        }
        self.keeps_meaning(formulas, formula, budget)
    }

    fn keeps_classes(&self, found: Hierarchy) -> bool {
        self.class.iter().all(|class| match class {
            Class::Safety => found.safety,
            Class::Guarantee => found.guarantee,
            Class::Obligation => found.obligation(),
            Class::Persistence => found.persistence,
            Class::Recurrence => found.recurrence,
        })
    }
}
