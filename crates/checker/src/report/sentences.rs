//! Sentences that all views share.

use super::counterexample::{Counterexample, Waiting};
use super::property::{PropertyKind, PropertyReport};
use super::run::NamedValue;
use crate::thresholds::sentences::MOST_VALUES;
use std::fmt;

/// What a run shows, in one line, with the values that a failed assertion reads: `assert(x==y) is false: x = 1, y = 2`.
/// Processes that wait at an invalid end state are counted; views list them one by one.
#[must_use]
pub fn heading(message: &str, values: &[NamedValue], waiting: &[Waiting]) -> String {
    match (values, waiting) {
        ([], []) => message.into(),
        (values, []) => format!("{message}: {}", listed(values)),
        (_, [_]) => "invalid end state: 1 process waits".into(),
        (_, several) => format!("invalid end state: {} processes wait", several.len()),
    }
}

/// `x = 1, y = 2`, without the rest of a long list.
fn listed(values: &[NamedValue]) -> String {
    let named = |NamedValue { name, value }: &NamedValue| format!("{name} = {value}");
    let mut parts: Vec<String> = values.iter().take(MOST_VALUES).map(named).collect();
    if values.len() > MOST_VALUES {
        parts.push("…".into());
    }
    parts.join(", ")
}

impl Counterexample {
    /// What it shows, in one line.
    #[must_use]
    pub fn heading(&self) -> String {
        heading(self.message(), self.values(), self.waiting())
    }
}

impl PropertyReport {
    /// What the property demands, in a sentence.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        match (self.kind, self.name.as_str()) {
            (PropertyKind::Assertion, "assertions") => "No assertion fails.",
            (PropertyKind::Assertion, "run-time errors") => "No statement causes a run-time error.",
            (kind, _) => kind.meaning(),
        }
    }
}

/// `P(1) waits at line 3 for c?x  (c = empty)`
impl fmt::Display for Waiting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Waiting { pid, process, at, statements, values } = self;
        write!(formatter, "{process}({pid}) waits at line {}", at.line)?;
        if !statements.is_empty() {
            write!(formatter, " for {}", statements.join(" or "))?;
        }
        if !values.is_empty() {
            write!(formatter, "  ({})", listed(values))?;
        }
        Ok(())
    }
}
