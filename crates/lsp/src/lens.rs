//! A code lens per property: it checks the property within limits, can be stopped, and shows the verdict.

use crate::state::{Open, Shared};
use checker::report::{Outcome, PropertyReport, Verdict};
use checker::words::count;
use checker::{Model, Selection};
use kernel::budget::{Budget, Exhausted};
use lsp_types::{CodeLens, Command, MessageType, Position, Range, ShowMessageParams};
use serde_json::{Value, json};
use std::sync::Arc;

/// The command that checks a property: the URI of the text and the name of the property.
pub(crate) const CHECK: &str = "lariat.check";
/// The command that stops this check, with the same arguments.
pub(crate) const STOP: &str = "lariat.stop";

/// A property of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    name: String,
    /// The line of its statement, from 0; the first line for what every model has.
    line: u32,
}

/// A verdict, and the version of the text that it is about.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    version: i32,
    words: String,
}

/// The properties of a model with their places.
pub(crate) fn properties(model: &Model, budget: &Budget) -> Vec<Listed> {
    let file = model.summary().file;
    let all = checker::listing::properties(model, budget).into_iter();
    all.map(|one| {
        let line = one.at.filter(|at| *at.file == *file).map_or(0, |at| at.line.saturating_sub(1));
        Listed { name: one.name, line }
    })
    .collect()
}

/// The lenses of a text.
pub(crate) fn lenses(one: &Open) -> Vec<CodeLens> {
    let lens = |property: &Listed| {
        let name = &property.name;
        let arguments = Some(vec![json!(one.uri), json!(name)]);
        let (title, command) = match one.verdicts.get(name) {
            _ if one.checks.contains_key(name) => (format!("checking {name} (stop)"), STOP),
            None => (format!("check {name}"), CHECK),
            Some(told) if told.version == one.version => (format!("{name} {} (check again)", told.words), CHECK),
            Some(told) => (format!("{name} {} before the last change (check again)", told.words), CHECK),
        };
        let place = Position::new(property.line, 0);
        let command = Some(Command { title, command: command.into(), arguments });
        CodeLens { range: Range::new(place, place), command, data: None }
    };
    one.properties.iter().map(lens).collect()
}

/// The verdict in words that follow the name of a property.
fn words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds { .. } => "holds".into(),
        Verdict::HoldsVacuously { reason, .. } => format!("holds vacuously: {reason}"),
        Verdict::Violated(violation) => match violation.counterexamples().first() {
            Some(counterexample) => format!("is violated, in {}", count(counterexample.length() as u64, "step")),
            None => "is violated".into(),
        },
        Verdict::Computed { steps: Some(steps), .. } => format!("is {steps}"),
        Verdict::Computed { steps: None, .. } => "has no bound".into(),
        Verdict::Unknown(reason) => format!("is undecided: {reason}"),
    }
}

fn badness(property: &PropertyReport) -> u8 {
    match property.verdict.outcome() {
        Outcome::Holds => 0,
        Outcome::Unknown => 1,
        Outcome::Violated => 2,
    }
}

/// Checks a property; the answer to the command.
pub(crate) fn check(shared: &Arc<Shared>, key: &str, name: &str, budget: &Budget) -> Result<Value, String> {
    let (source, document, version) = {
        let mut open = shared.open();
        let one = open.get_mut(key).ok_or("the text is not open")?;
        if one.checks.contains_key(name) {
            return Err(format!("`{name}` is being checked"));
        }
        one.checks.insert(name.to_owned(), budget.clone());
        (one.source(), Arc::clone(&one.document), one.version)
    };
    let running = Running { shared, key, name };
    shared.refresh();
    let checked = source.model(document.text(), budget).and_then(|model| {
        checker::check(&model, &Selection::reported(name), &checker::Options::default(), budget, &mut ())
    });
    let told = match &checked {
        // Instances of an SMV module have properties of one name; the worst verdict is shown.
        Ok(report) => match report.properties.iter().filter(|one| one.name == name).max_by_key(|one| badness(one)) {
            Some(one) => Ok((one.verdict.words(), words(&one.verdict))),
            None => Err(format!("there is no property `{name}`")),
        },
        Err(error) => Err(error.to_string()),
    };
    if let (Ok((_, words)), Some(one)) = (&told, shared.open().get_mut(key)) {
        one.verdicts.insert(name.to_owned(), Told { version, words: words.clone() });
    }
    drop(running);
    let (verdict, words) = told?;
    let message = format!("{name} {words}");
    shared.notify("window/showMessage", ShowMessageParams { typ: MessageType::INFO, message: message.clone() });
    Ok(json!({ "property": name, "verdict": verdict, "message": message }))
}

/// A check that runs. The lens is told when it ends, however it ends.
struct Running<'a> {
    shared: &'a Shared,
    key: &'a str,
    name: &'a str,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(one) = self.shared.open().get_mut(self.key) {
            one.checks.remove(self.name);
        }
        self.shared.refresh();
    }
}

/// Stops the check of a property; whether it was running.
pub(crate) fn stop(shared: &Shared, key: &str, name: &str) -> bool {
    let open = shared.open();
    let budget = open.get(key).and_then(|one| one.checks.get(name));
    budget.inspect(|budget| budget.exhaust(Exhausted::Cancelled)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    #[test]
    fn a_check_that_panics_leaves_no_lens_behind() {
        let options = Options { time_limit: Duration::from_secs(1), memory_limit: 1 << 20 };
        let shared = Shared::new(options, false, Box::new(drop));
        let uri: lsp_types::Uri = "file:///m.pml".parse().expect("an address");
        let mut one = Open::new(uri, "promela", 1, "ltl p { true }".into());
        one.checks.insert("p".into(), Budget::unlimited());
        shared.open().insert("k".into(), one);
        let panics = || {
            let _running = Running { shared: &shared, key: "k", name: "p" };
            panic!("as a check might");
        };
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert!(shared.open()["k"].checks.is_empty());
    }
}
