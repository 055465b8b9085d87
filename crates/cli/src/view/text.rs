//! A report for people, property by property as the check proceeds.

mod numbers;
mod reduction;

use self::numbers::is_safety;
use super::run::{Look, excerpt};
use super::wrap::{SENTENCE, wrapped};
use super::{Detail, count, number, words};
use crate::terminal::{Style, styled};
use crate::thresholds::output::{LONGEST_ALIGNED, MOST_UNREACHED};
use checker::report::{
    Counterexample, Extent, Minimised, Outcome, PropertyKind, PropertyReport, Report, Sense, Unreached, Verdict,
};
use std::fmt::Write;

/// The warning about safety where a run never leaves an atomic sequence.
const ENDLESS: &str = "warning: some run never leaves an atomic sequence, and lets no other process move from then on; \
                       assertions, run-time errors and ends were looked for inside, too";

/// The same where only temporal properties were checked.
const ENDLESS_UNSEEN: &str = "warning: some run never leaves an atomic sequence, and lets no other process move from then \
                              on; temporal properties do not speak of what happens inside";

/// The layout of one report.
#[derive(Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) look: Look<'a>,
    pub(crate) detail: Detail,
    /// The width of the column of names.
    names: usize,
}

impl<'a> Page<'a> {
    /// The layout for a report on these properties.
    pub(crate) fn new(properties: &[PropertyReport], look: Look<'a>, detail: Detail) -> Self {
        let lengths = properties.iter().map(|property| property.name.chars().count());
        let names = lengths.filter(|length| *length <= LONGEST_ALIGNED).max().unwrap_or(0);
        Self { look, detail, names }
    }

    /// What is known about one property: the verdict on a line, then its counterexamples and warnings.
    pub(crate) fn property(&self, property: &PropertyReport) -> String {
        if self.detail == Detail::Summary {
            return String::new();
        }
        let mut text = self.verdict(property);
        if self.detail == Detail::Quiet {
            return text;
        }
        let counterexamples = property.counterexamples();
        for (index, one) in counterexamples.iter().enumerate() {
            if counterexamples.len() > 1 {
                let heading = format!("  {} of {}: {}", index + 1, counterexamples.len(), one.heading());
                let _ = writeln!(text, "{}", wrapped(&heading, self.look.width, 4));
            }
            text.push_str(&self.counterexample(property, one));
        }
        self.warnings(property, &mut text);
        text
    }

    /// What stands for a property until the pager shows all of it.
    pub(crate) fn brief(&self, property: &PropertyReport) -> String {
        if self.detail == Detail::Summary {
            return String::new();
        }
        let note = match self.detail == Detail::Quiet || property.counterexamples().is_empty() {
            true => String::new(),
            false => format!("{}\n", styled(self.look.is_coloured, Style::Faint, "  shown when the check is over")),
        };
        self.verdict(property) + &note
    }

    /// What is said after all properties: a summary, what no run executes, and what the check took.
    pub(crate) fn end(&self, report: &Report) -> String {
        let mut text = String::new();
        match self.detail {
            Detail::Quiet => return text,
            Detail::Summary => return self.one_line(report),
            Detail::Normal | Detail::Verbose => {}
        }
        let is_coloured = self.look.is_coloured;
        if let Some(summary) = summary(report) {
            let _ = writeln!(text, "{}", wrapped(&summary, self.look.width, 2));
        }
        if let Some(warning) = endless(report) {
            let _ = writeln!(text, "{}", styled(is_coloured, Style::Open, self.sentence(warning)));
        }
        if report.omitted_counterexamples() > 0 {
            let _ = writeln!(text, "{} not shown", count(report.omitted_counterexamples(), "further violation"));
        }
        if let Some(places) = &report.unreached {
            unreached(places, &mut text);
        }
        let numbers = numbers::lines(report, self.detail == Detail::Verbose);
        for line in numbers.into_iter().chain(reduction::lines(report)) {
            let _ = writeln!(text, "{}", styled(is_coloured, Style::Faint, wrapped(&line, self.look.width, 2)));
        }
        text
    }

    /// The whole report on one line: the worst verdict, the numbers of the others, and what is violated.
    fn one_line(&self, report: &Report) -> String {
        let of = |outcome| report.properties.iter().filter(move |property| property.verdict.outcome() == outcome);
        let (style, word) = match report.outcome() {
            Outcome::Holds => (Style::Good, "holds"),
            Outcome::Violated => (Style::Bad, "violated"),
            Outcome::Unknown => (Style::Open, "unknown"),
        };
        let names = |outcome| of(outcome).map(|property| property.name.as_str()).collect::<Vec<_>>().join(", ");
        let mut parts = vec![format!("{} of {} hold", of(Outcome::Holds).count(), report.properties.len())];
        for (outcome, words) in [(Outcome::Violated, "violated"), (Outcome::Unknown, "undecided")] {
            if of(outcome).next().is_some() {
                parts.push(format!("{words}: {}", names(outcome)));
            }
        }
        parts.push(format!("{:.2} s", report.seconds.total()));
        let word = styled(self.look.is_coloured, style, word);
        format!("{}: {word}; {}\n", report.model.file, parts.join("; "))
    }

    /// A sentence, broken into lines also where the output is no terminal.
    fn sentence(&self, text: &str) -> String {
        wrapped(text, Some(self.look.width.unwrap_or(SENTENCE)), 2)
    }

    /// The line with the verdict, and what it is about. The properties of SMV models rarely have names that say
    /// something, so that the formula follows.
    fn verdict(&self, property: &PropertyReport) -> String {
        let (style, word) = match (&property.verdict, property.verdict.outcome()) {
            (Verdict::Computed { steps: Some(steps), .. }, _) => (Style::Good, count(*steps, "step")),
            (Verdict::Computed { steps: None, .. }, _) => (Style::Good, "infinitely many steps".into()),
            (verdict, Outcome::Holds) => (Style::Good, verdict.words().into()),
            (verdict, Outcome::Violated) => (Style::Bad, verdict.words().into()),
            (verdict, Outcome::Unknown) => (Style::Open, verdict.words().into()),
        };
        let is_stated_in_smv =
            property.section.is_some() || matches!(property.kind, PropertyKind::Deadlock | PropertyKind::Fairness);
        let formula = property.formula.as_ref().filter(|_| is_stated_in_smv);
        let rest = match (property.verdict.outcome(), formula, words::reason(property)) {
            (Outcome::Violated, ..) => match property.counterexamples().len() {
                0 => format!(": {}", words::violation(property)),
                1 => format!(": {}", property.counterexamples()[0].heading()),
                several => format!(": {}", count(several as u64, "counterexample")),
            },
            (_, Some(formula), Some(reason)) => format!(": {formula} ({reason})"),
            (_, Some(formula), None) => format!(": {formula}"),
            (_, None, Some(reason)) => format!(": {reason}"),
            (_, None, None) => String::new(),
        };
        let names = self.names;
        let word = styled(self.look.is_coloured, style, word);
        wrapped(&format!("{:<names$}  {word}{rest}", property.name), self.look.width, 4) + "\n"
    }

    fn warnings(&self, property: &PropertyReport, text: &mut String) {
        for warning in &property.warnings {
            let colon = if warning.facts.is_empty() { "" } else { ":" };
            let line = self.sentence(&format!("warning: {}{colon}", warning.message));
            let _ = writeln!(text, "{}", styled(self.look.is_coloured, Style::Open, line));
            for fact in &warning.facts {
                let _ = writeln!(text, "{}", self.sentence(&format!("  {fact}")));
            }
        }
    }

    /// One counterexample: where the violation happens, the run, and where it is saved.
    fn counterexample(&self, property: &PropertyReport, one: &Counterexample) -> String {
        let mut text = String::new();
        let mut line = |line: String| {
            let _ = writeln!(text, "{}", wrapped(&format!("  {line}"), self.look.width, 4));
        };
        if let Some(at) = one.at() {
            line(format!("at {at}"));
        }
        let is_named = |formula: &&String| {
            let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
            let is_name = without_spaces(&property.name) == without_spaces(formula);
            one.message().contains(*formula) || words::is_generic(property.kind) || is_name
        };
        if let Some(formula) = property.formula.as_ref().filter(|formula| !is_named(formula)) {
            line(format!("violates {formula}"));
        }
        if !one.left_out().is_empty() {
            let names = words::joined(one.left_out());
            line(format!("of the part of the model that it depends on: without {names}"));
        }
        line(format!("{}{}", length(one), extent(one)));
        if let Some(hint) = one.hint().filter(|_| self.detail == Detail::Verbose) {
            line(words::hint(hint).into());
        }
        if let Some(minimised) = one.minimised() {
            line(stripped(minimised));
        }
        if !one.everywhere().is_empty() {
            line(format!("why: in every reachable state {}", words::joined(one.everywhere())));
        }
        text.push_str(&excerpt(one, self.look));
        for one in one.waiting() {
            let _ = writeln!(text, "{}", wrapped(&format!("  {one}"), self.look.width, 4));
        }
        if !one.proof().is_empty() {
            let _ = writeln!(text, "  why:");
            for line in one.proof() {
                let _ = writeln!(text, "{}", wrapped(&format!("    {line}"), self.look.width, 8));
            }
        }
        if let Some(file) = one.file() {
            let _ = writeln!(text, "  saved as {file}");
        }
        text.push('\n');
        text
    }
}

/// The warning where some run never leaves an atomic sequence. An undecided property gives it as its reason.
fn endless(report: &Report) -> Option<&'static str> {
    let any = |wanted: &dyn Fn(&PropertyReport) -> bool| report.properties.iter().any(wanted);
    match report.endless_atomic == Some(true) {
        true if any(&|property| is_safety(property.kind)) => Some(ENDLESS),
        true if any(&|property| property.verdict.outcome() == Outcome::Holds) => Some(ENDLESS_UNSEEN),
        true | false => None,
    }
}

/// How many properties are violated and undecided, if that does not show at one glance.
fn summary(report: &Report) -> Option<String> {
    let of = |outcome| report.properties.iter().filter(move |property| property.verdict.outcome() == outcome);
    let violated: Vec<&str> = of(Outcome::Violated).map(|property| property.name.as_str()).collect();
    if violated.is_empty() || report.properties.len() == 1 {
        return None;
    }
    let verb = if violated.len() == 1 { "is" } else { "are" };
    let all = number(report.properties.len() as u64);
    let undecided = match of(Outcome::Unknown).count() {
        0 => String::new(),
        1 => "; 1 is undecided".into(),
        several => format!("; {} are undecided", number(several as u64)),
    };
    Some(format!("{} of {all} properties {verb} violated: {}{undecided}", violated.len(), violated.join(", ")))
}

/// The length of a counterexample, and whether a shorter one exists.
fn length(one: &Counterexample) -> String {
    let steps = count(one.length() as u64, "step");
    let steps = match one.sense() {
        Sense::Safety => format!("after {steps}"),
        Sense::Model => format!("{}{steps}", shape(one)),
        _ => steps,
    };
    match (one.is_shortest(), one.sense()) {
        (true, Sense::Model) if !one.left_out().is_empty() => format!("{steps}; no trace of that part is shorter"),
        (true, sense) => format!("{steps}; {}", sense.meaning()),
        (false, _) => format!("{steps}; not proved to be the shortest"),
    }
}

fn shape(one: &Counterexample) -> &'static str {
    match (one.cycle.is_empty(), one.stem.is_empty()) {
        (true, _) => "",
        (false, true) => "a loop, ",
        (false, false) => "a loop after a stem, ",
    }
}

fn extent(one: &Counterexample) -> &'static str {
    match one.extent() {
        Extent::Fully => "",
        Extent::Partly => "; part of it is not shown: it is about all paths, or about every state of a long one",
    }
}

/// How many values matter, and how certain it is that no fewer would do.
fn stripped(minimised: &Minimised) -> String {
    let Minimised { values_before, values_after, .. } = *minimised;
    if minimised.every_path {
        return "no value matters: every path of the model violates the property".to_owned();
    }
    if minimised.bits_after == 0 {
        return "no value matters: the property is false in every reachable state".to_owned();
    }
    let (after, before) = (number(values_after as u64), count(values_before as u64, "value"));
    if values_after == 0 {
        return format!("none of {before} matters: the violation does not depend on them");
    }
    if minimised.by_bits {
        let bits = count(minimised.bits_before as u64, "bit");
        let after = number(minimised.bits_after as u64);
        return format!(
            "{after} of {bits} matter, by the algorithms as published; irrelevant values are in parentheses"
        );
    }
    let verb = if values_after == 1 { "matters" } else { "matter" };
    let claim = match (minimised.minimum, minimised.irredundant) {
        (true, _) => "; no smaller set of values suffices",
        (false, true) => "; no single value can be dropped",
        (false, false) if minimised.undecided => "; whether fewer suffice was not decided within the limits",
        (false, false) => "",
    };
    let rest = if values_after < values_before { "; irrelevant ones are in parentheses" } else { "" };
    format!("{after} of {before} {verb}{claim}{rest}")
}

fn unreached(places: &[Unreached], text: &mut String) {
    if places.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nno run executes:");
    for Unreached { process, at, statement } in places.iter().take(MOST_UNREACHED) {
        let _ = writeln!(text, "  {process}  {at}  {statement}");
    }
    if places.len() > MOST_UNREACHED {
        let _ = writeln!(text, "  and {} more places", places.len() - MOST_UNREACHED);
    }
    text.push('\n');
}
