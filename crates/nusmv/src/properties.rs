//! The list of properties, and checking them.
//!
//! NuSMV lists properties kind by kind, and within a kind those of an instance before those of the instance that contains
//! it. Formulas that are typed are added at the end. A property that was checked is not checked again.

use crate::model::{complaint, complaint_about_formula, first_error};
use crate::session::{Outcome, Session};
use crate::trace::Trace;
use checker::options::{Reorder, SmvEngine, SmvOptions, Strip};
use checker::report::{PropertyKind, PropertyReport, Report, Verdict};
use checker::smv::Input;
use checker::{Error, Options, Selection};
use flat::model::Property;
use kernel::span::SourceMap;
use std::sync::Arc;

/// The kinds of properties in NuSMV's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `CTLSPEC`
    Ctl,
    /// `COMPUTE`
    Compute,
    /// `LTLSPEC`
    Ltl,
    /// `PSLSPEC`
    Psl,
    /// `INVARSPEC`
    Invariant,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Ctl, Kind::Compute, Kind::Ltl, Kind::Psl, Kind::Invariant];

    /// NuSMV's word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::Ctl => "CTL",
            Kind::Compute => "Quantitative",
            Kind::Ltl => "LTL",
            Kind::Psl => "PSL",
            Kind::Invariant => "Invar",
        }
    }

    fn of(property: &Property) -> Self {
        match property.section {
            "CTLSPEC" => Kind::Ctl,
            "COMPUTE" => Kind::Compute,
            "PSLSPEC" => Kind::Psl,
            "INVARSPEC" => Kind::Invariant,
            _ => Kind::Ltl,
        }
    }

    /// The kind of a formula that is given beside a model: for its parser, and for the checker.
    fn syntax(self) -> (Option<smv::ast::PropertyKind>, PropertyKind) {
        match self {
            Kind::Ctl => (Some(smv::ast::PropertyKind::Ctl), PropertyKind::Ctl),
            Kind::Compute => (None, PropertyKind::Compute),
            Kind::Invariant => (Some(smv::ast::PropertyKind::Invariant), PropertyKind::Invariant),
            Kind::Ltl | Kind::Psl => (Some(smv::ast::PropertyKind::Ltl), PropertyKind::Ltl),
        }
    }
}

/// What is known about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing.
    Unchecked,
    /// It holds.
    True,
    /// It does not.
    False,
    /// The length that was asked for; none if there is no bound.
    Length(Option<u64>),
}

impl Status {
    /// NuSMV's word.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Status::Unchecked => "Unchecked".into(),
            Status::True => "True".into(),
            Status::False => "False".into(),
            Status::Length(Some(steps)) => steps.to_string(),
            Status::Length(None) => "Infinite".into(),
        }
    }
}

/// A property of the list.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number in the flat model.
    pub at: usize,
    /// Its kind.
    pub kind: Kind,
    /// The formula as NuSMV prints it.
    pub text: String,
    /// Its name.
    pub name: Option<String>,
    /// What is known about it.
    pub status: Status,
    /// The number of its counterexample, counted from 1.
    pub trace: Option<usize>,
}

impl Entry {
    fn of(at: usize, property: &Property) -> Self {
        let mut text = match property.instance.as_str() {
            "" => property.nusmv_text.clone(),
            instance => format!("{} IN {instance}", property.nusmv_text),
        };
        if Kind::of(property) == Kind::Compute {
            // NuSMV prints a blank after the bracket.
            text.push(' ');
        }
        Entry {
            at,
            kind: Kind::of(property),
            text,
            name: property.name.clone(),
            status: Status::Unchecked,
            trace: None,
        }
    }

    /// The property in the sentence of its verdict.
    #[must_use]
    pub fn subject(&self) -> String {
        match self.kind {
            Kind::Invariant => format!("invariant {}", self.text),
            _ => format!("specification {}", self.text),
        }
    }
}

/// The list of a model's own properties.
#[must_use]
pub fn list(input: &Input) -> Vec<Entry> {
    let mut numbered: Vec<(usize, &Property)> = input.model.properties.iter().enumerate().collect();
    numbered.sort_by_key(|(_, property)| (Kind::of(property), property.after_parts));
    numbered.into_iter().map(|(at, property)| Entry::of(at, property)).collect()
}

impl Session<'_> {
    /// The number of the property that a text names; otherwise says why there is none.
    pub fn indexed(&mut self, text: &str, kind: Option<Kind>) -> Option<usize> {
        let Ok(number) = text.parse::<usize>() else {
            let message = format!("Error: property index \"{text}\" is not a valid value (must be integer).\n");
            self.console.error(&message);
            return None;
        };
        let Some(entry) = self.properties.get(number) else {
            let message = match self.properties.len().checked_sub(1) {
                Some(last) => {
                    format!("Error: property index \"{number}\" is not valid (must be in the range [0,{last}]).\n")
                }
                None => format!(
                    "Error: property index \"{number}\" is not valid (there are no properties currently stored).\n"
                ),
            };
            self.console.error(&message);
            return None;
        };
        if let Some(kind) = kind
            && entry.kind != kind
        {
            let (found, wanted) = (entry.kind.word(), kind.word());
            let message = format!("Error: specified property type is {found}, but type {wanted} was expected.\n");
            self.console.error(&message);
            return None;
        }
        Some(number)
    }

    /// The number of the property with this name; otherwise says that there is none.
    pub fn named(&mut self, name: &str, kind: Option<Kind>) -> Option<usize> {
        match self.properties.iter().position(|entry| entry.name.as_deref() == Some(name)) {
            Some(number) => self.indexed(&number.to_string(), kind),
            None => {
                self.console.error(&format!("No property named \"{name}\"\n"));
                None
            }
        }
    }

    /// Adds a formula that was typed to the list; its number. Otherwise says what is wrong with it.
    pub fn typed(&mut self, text: &str, kind: Kind) -> Option<usize> {
        match self.with_formula(text, kind) {
            Ok(input) => {
                let at = input.model.properties.len() - 1;
                let entry = Entry { name: None, ..Entry::of(at, &input.model.properties[at]) };
                self.input = Some(input);
                self.properties.push(entry);
                Some(self.properties.len() - 1)
            }
            Err(message) => {
                self.console.error(&message);
                None
            }
        }
    }

    /// The model with one more formula, or what is wrong with it.
    ///
    /// # Errors
    /// The message for standard error.
    pub fn with_formula(&self, text: &str, kind: Kind) -> Result<Input, String> {
        let input = self.input.as_ref().expect("the hierarchy was flattened");
        let (syntax, property) = kind.syntax();
        input.with_formula(property, "<command-line>", text, &self.budget).map_err(|error| match error {
            Error::Rejected(rejected) => {
                let printed = syntax.and_then(|kind| printed(text, kind, self));
                let first = first_error(&rejected.diagnostics);
                complaint_about_formula(input, &rejected.sources, first, kind.word(), printed.as_deref())
            }
            error => format!("\n{error}\n"),
        })
    }

    /// How properties are checked.
    ///
    /// # Errors
    /// That the order file cannot be read.
    pub fn options(&self) -> Result<Options, String> {
        let order = match self.settings.text("input_order_file") {
            None => None,
            Some(name) => {
                let text = std::fs::read_to_string(name).map_err(|_| format!("cannot open input file {name}\n"))?;
                Some((name.to_owned(), text))
            }
        };
        let defaults = SmvOptions::default();
        let smv = SmvOptions {
            engine: SmvEngine::Bdd,
            reorder: if self.settings.is_on("dynamic_reorder") {
                Reorder::From(REORDER_FROM)
            } else {
                defaults.reorder
            },
            order,
            cone_of_influence: self.settings.is_on("cone_of_influence"),
            deadlocks: false,
            diameter: false,
            strip: Strip::Off,
            explain: false,
            ..defaults
        };
        Ok(Options { smv, ..Options::default() })
    }

    /// The report on some properties of the list, in the given order. Otherwise says why there is none.
    pub(crate) fn report(&mut self, numbers: &[usize]) -> Option<Report> {
        let mut input = self.input.clone().expect("the hierarchy was flattened");
        let mut model = input.model.as_ref().clone();
        let all = std::mem::take(&mut model.properties);
        // Numbers as names: two formulas that were typed may be the same.
        let chosen = numbers
            .iter()
            .map(|number| Property { name: Some(number.to_string()), ..all[self.properties[*number].at].clone() });
        model.properties = chosen.collect();
        input.model = Arc::new(model);
        let model = checker::Model::of_smv(input);
        let options = self.options();
        let checked = options.map(|options| checker::check(&model, &Selection::all(), &options, &self.budget, &mut ()));
        let message = match checked {
            Ok(Ok(report)) => return Some(report),
            Ok(Err(Error::Rejected(rejected))) => complaint(&rejected.sources, first_error(&rejected.diagnostics)),
            Ok(Err(error)) => format!("\n{error}\n"),
            Err(message) => message,
        };
        self.console.error(&message);
        None
    }

    /// Checks some properties of the list and prints the answers.
    pub fn check(&mut self, numbers: &[usize]) -> Outcome {
        let open: Vec<usize> =
            numbers.iter().copied().filter(|at| self.properties[*at].status == Status::Unchecked).collect();
        if open.is_empty() {
            return Outcome::Done;
        }
        let Some(report) = self.report(&open) else { return Outcome::Failed };
        self.warn(&report, &open);
        let mut outcome = Outcome::Done;
        for (number, found) in open.iter().zip(&report.properties) {
            if self.answer(*number, found) == Outcome::Failed {
                outcome = Outcome::Failed;
            }
        }
        outcome
    }

    /// Says once that there are no fair states: then formulas hold for the wrong reason.
    fn warn(&mut self, report: &Report, checked: &[usize]) {
        let is_temporal = checked.iter().any(|number| self.properties[*number].kind != Kind::Invariant);
        let unfair = report
            .properties
            .iter()
            .any(|one| one.kind == PropertyKind::Fairness && matches!(one.verdict, Verdict::Violated(_)));
        if is_temporal && unfair && !std::mem::replace(&mut self.warned_of_fairness, true) {
            self.console.error(NO_FAIR_STATES);
        }
    }

    fn answer(&mut self, number: usize, found: &PropertyReport) -> Outcome {
        let entry = &self.properties[number];
        let (subject, text, kind) = (entry.subject(), entry.text.clone(), entry.kind);
        let subject = match self.settings.text("prop_print_method") {
            Some("index") => format!("{} [{number}]", subject.split(' ').next().unwrap_or("")),
            Some("name") if entry.name.is_some() => {
                format!("{} {}", subject.split(' ').next().unwrap_or(""), entry.name.as_deref().unwrap_or(""))
            }
            _ => subject,
        };
        match &found.verdict {
            Verdict::Holds { .. } | Verdict::HoldsVacuously { .. } => {
                self.properties[number].status = Status::True;
                self.console.print(&format!("-- {subject}  is true\n"));
            }
            Verdict::Computed { steps, .. } => {
                self.properties[number].status = Status::Length(*steps);
                let steps = steps.map_or_else(|| "infinity".into(), |steps| steps.to_string());
                self.console.print(&format!("-- the result of {text} is {steps}\n"));
            }
            Verdict::Violated(_) => {
                self.properties[number].status = Status::False;
                self.console.print(&format!("-- {subject}  is false\n"));
                if let Some(run) = found.counterexamples().first()
                    && self.settings.is_on("counter_examples")
                {
                    let description = match kind {
                        Kind::Invariant => "AG alpha Counterexample",
                        Kind::Ctl => "CTL Counterexample",
                        _ => "LTL Counterexample",
                    };
                    let trace = Trace::of_run(self.flat(), &self.order, run, description);
                    self.demonstrate(number, trace);
                }
            }
            Verdict::Unknown(reason) => {
                self.console.error(&format!("-- {subject}  is undecided: {reason}\n"));
                return Outcome::Failed;
            }
        }
        Outcome::Done
    }

    /// Keeps and prints the counterexample of a property.
    pub fn demonstrate(&mut self, number: usize, trace: Trace) {
        let trace = self.add_trace(trace);
        self.properties[number].trace = Some(trace);
        let plugin = self.settings.number("default_trace_plugin");
        let shown = self.shown(trace, None, plugin, true);
        self.console.print(&format!("-- as demonstrated by the following execution sequence\n{shown}"));
    }
}

/// With `-dynamic`, variables are reordered from this many nodes on.
const REORDER_FROM: usize = 10_000;

const NO_FAIR_STATES: &str = "\n********   WARNING   ********\n\
    Fair states set of the finite state machine is empty.\n\
    This might make results of model checking not trustable.\n\
    ******** END WARNING ********\n";

/// A formula as NuSMV prints it, if it can be read.
fn printed(text: &str, kind: smv::ast::PropertyKind, session: &Session<'_>) -> Option<String> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("<command-line>", text, None);
    let (tree, formula, _) = smv::parse::parse_property(file, text, kind, &session.budget).ok()?;
    Some(smv::print::nusmv(&tree.tree, formula?, false))
}
