//! What was found so far, and whether it is enough.

use super::parallel::Grain;
use super::parallel::checkpoint::kind_of;
use super::{End, Finding, Occurrence, Path, SafetyKind, Until};
use crate::checkpoint::{get, get_array, put};
use kernel::budget::Exhausted;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};

pub(super) struct Findings<'a, S> {
    until: Until,
    identity: &'a (dyn Fn(&Occurrence<'_, S>) -> u64 + Sync),
    identities: BTreeSet<(SafetyKind, u64)>,
    kinds: BTreeSet<SafetyKind>,
    /// How many transitions had been taken at the first finding.
    first_at: u64,
    /// By kind: how many findings there are.
    told: [usize; SafetyKind::ALL.len()],
    /// Findings that were only counted.
    pub(super) omitted: u64,
    pub(super) list: Vec<Finding<S>>,
    /// True if a limit kept the path of some finding from being rebuilt.
    is_lost: bool,
}

impl<'a, S> Findings<'a, S> {
    pub(super) fn new(until: Until, identity: &'a (dyn Fn(&Occurrence<'_, S>) -> u64 + Sync)) -> Self {
        let (identities, kinds) = (BTreeSet::new(), BTreeSet::new());
        let told = [0; SafetyKind::ALL.len()];
        Self { until, identity, identities, kinds, first_at: 0, told, omitted: 0, list: Vec::new(), is_lost: false }
    }

    /// Whether this occurrence is to be reported as a finding of its own. If it is, the caller calls [`Self::add`] next.
    pub(super) fn is_news(&mut self, occurrence: &Occurrence<'_, S>) -> bool {
        let identity = self.identity(occurrence);
        self.is_news_of(occurrence.kind, identity)
    }

    /// The identity of an occurrence, where it matters.
    pub(super) fn identity(&self, occurrence: &Occurrence<'_, S>) -> u64 {
        match self.until {
            Until::Exhausted { .. } => (self.identity)(occurrence),
            _ => 0,
        }
    }

    /// [`Self::is_news`], given the identity. After it, the caller calls [`Self::add`] or [`Self::note`].
    pub(super) fn is_news_of(&mut self, kind: SafetyKind, identity: u64) -> bool {
        match self.until {
            Until::First => self.kinds.is_empty(),
            Until::EachKind { .. } | Until::EachWanted { .. } => !self.kinds.contains(&kind),
            Until::EachOf { kinds } => kinds[kind as usize] && !self.kinds.contains(&kind),
            Until::Exhausted { per_kind } => {
                let is_new = self.identities.insert((kind, identity));
                let told = self.told[kind as usize];
                self.omitted += u64::from(is_new && told >= per_kind);
                is_new && told < per_kind
            }
        }
    }

    /// Adds a finding; `transitions` is how many have been taken by now.
    pub(super) fn add(&mut self, finding: Finding<S>, transitions: u64) {
        self.note(finding.kind, transitions);
        self.list.push(finding);
    }

    /// Adds a finding of a search by levels that was noted before. Without a path, which a limit kept from being rebuilt, it is only
    /// counted. `is_interrupted`: the search ended before it had seen the whole level.
    pub(super) fn add_noted(&mut self, kind: SafetyKind, path: Option<Path<S>>, is_interrupted: bool, grain: Grain)
    where
        S: Copy,
    {
        let Some(path) = path else {
            self.omitted += 1;
            self.is_lost = true;
            return;
        };
        // An end in the rest of its level would be shorter than a step that goes wrong.
        let is_doubtful = is_interrupted && self.until == Until::First && kind != SafetyKind::InvalidEnd;
        let is_shortest = path.is_empty() || grain == Grain::Single && !is_doubtful;
        self.list.push(Finding { kind, path, is_shortest });
    }

    /// How a search ended that would end like this, given the limit of its rebuilding: one that found a violation and lost it must
    /// not say that there is none.
    pub(super) fn end(&self, end: End, limit: Option<Exhausted>) -> End {
        match end {
            End::Complete | End::Enough if self.is_lost && (end == End::Complete || self.list.is_empty()) => {
                End::Limit(limit.unwrap_or(Exhausted::Memory))
            }
            end => end,
        }
    }

    /// Notes a finding that is added to the list later.
    pub(super) fn note(&mut self, kind: SafetyKind, transitions: u64) {
        if self.kinds.is_empty() {
            self.first_at = transitions;
        }
        self.kinds.insert(kind);
        self.told[kind as usize] += 1;
    }

    /// Writes what was noted; findings that are in the list already are not.
    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.omitted)?;
        put(out, self.first_at)?;
        self.told.iter().try_for_each(|told| put(out, *told as u64))?;
        put(out, self.kinds.len() as u64)?;
        self.kinds.iter().try_for_each(|kind| out.write_all(&[*kind as u8]))?;
        put(out, self.identities.len() as u64)?;
        for (kind, identity) in &self.identities {
            out.write_all(&[*kind as u8])?;
            put(out, *identity)?;
        }
        Ok(())
    }

    /// Reads what [`Self::save`] wrote.
    pub(super) fn load(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.omitted = get(input)?;
        self.first_at = get(input)?;
        for told in &mut self.told {
            *told = get(input)? as usize;
        }
        for _ in 0..get(input)? {
            let [kind] = get_array(input)?;
            self.kinds.insert(kind_of(kind)?);
        }
        for _ in 0..get(input)? {
            let [kind] = get_array(input)?;
            self.identities.insert((kind_of(kind)?, get(input)?));
        }
        Ok(())
    }

    /// Whether the search may end, so many `transitions` having been taken.
    #[inline]
    pub(super) fn is_enough(&self, transitions: u64) -> bool {
        !self.kinds.is_empty()
            && match self.until {
                Until::First => true,
                Until::EachKind { grace } => {
                    self.kinds.len() == SafetyKind::ALL.len() || transitions.saturating_sub(self.first_at) >= grace
                }
                Until::EachWanted { kinds, grace } => {
                    let mut wanted = SafetyKind::ALL.iter().filter(|kind| kinds[**kind as usize]);
                    let is_late = transitions.saturating_sub(self.first_at) >= grace;
                    if is_late {
                        wanted.any(|kind| self.kinds.contains(kind))
                    } else {
                        wanted.all(|kind| self.kinds.contains(kind))
                    }
                }
                Until::EachOf { kinds } => self.kinds.len() == kinds.iter().filter(|kind| **kind).count(),
                Until::Exhausted { .. } => false,
            }
    }

    /// The same at the end of a level: a level is searched only as a whole, and takes at least about one transition for each of its
    /// states.
    pub(super) fn is_enough_before_level(&self, transitions: u64, states: u64) -> bool {
        self.is_enough(transitions.saturating_add(states))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_lost_a_violation_is_not_complete() {
        let identity = |_: &Occurrence<'_, u8>| 0;
        for (until, end) in [(Until::EachKind { grace: 9 }, End::Complete), (Until::First, End::Enough)] {
            let mut findings: Findings<'_, u8> = Findings::new(until, &identity);
            assert_eq!(findings.end(end, None), end);
            findings.add_noted(SafetyKind::Assertion, None, false, Grain::Single);
            assert_eq!(findings.end(end, Some(Exhausted::Time)), End::Limit(Exhausted::Time));
            assert_eq!(findings.end(end, None), End::Limit(Exhausted::Memory));
        }
        let mut findings: Findings<'_, u8> = Findings::new(Until::Exhausted { per_kind: 9 }, &identity);
        findings.add_noted(SafetyKind::Assertion, Some(Path::new()), false, Grain::Single);
        findings.add_noted(SafetyKind::Assertion, None, false, Grain::Single);
        assert_eq!(findings.end(End::Enough, None), End::Enough);
    }
}
