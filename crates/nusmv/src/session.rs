//! All that commands share: how far the model is prepared, properties, traces, settings and streams.

use crate::bounded::Stop;
use crate::console::Console;
use crate::model::Model;
use crate::options::Options;
use crate::output;
use crate::properties::Entry;
use crate::settings::Settings;
use crate::trace::{Style, Trace};
use checker::smv::Input;
use flat::model::VariableId;
use kernel::budget::{Budget, Exhausted};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::time::Instant;

/// How far the model is prepared. Commands demand a stage, and name the command that leads to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Nothing was read.
    #[default]
    Nothing,
    /// The text was read.
    Read,
    /// Names and types are resolved.
    Flattened,
    /// The order of variables is known.
    Encoded,
    /// The model was found to have a transition relation.
    Built,
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should.
    Done,
    /// With a message; a script that contains the command ends.
    Failed,
    /// The session ends with this exit code.
    Quit(u8),
}

/// A session.
#[derive(Debug)]
pub struct Session<'c> {
    /// The streams.
    pub console: Console<'c>,
    /// Variables.
    pub settings: Settings,
    /// Limits of the whole session.
    pub budget: Budget,
    /// How far the model is prepared.
    pub stage: Stage,
    /// Whether `go_bmc` prepared bounded model checking.
    pub is_bounded: bool,
    /// The model as it was read.
    pub model: Option<Model>,
    /// The flat model, with the formulas that were typed as its last properties.
    pub input: Option<Input>,
    /// Its variables in NuSMV's order.
    pub order: Vec<VariableId>,
    /// The properties.
    pub properties: Vec<Entry>,
    /// The traces.
    pub traces: Vec<Trace>,
    /// The current state: the numbers of its trace and of itself, counted from 0.
    pub current: Option<(usize, usize)>,
    /// Whether it was said that there are no fair states.
    pub warned_of_fairness: bool,
    /// Layers that `compute_reachable` has searched.
    pub reached_layers: usize,
    /// Scripts that are being executed, one inside the other.
    pub nesting: usize,
    /// For random choices: the same in every session, so that sessions can be repeated.
    pub random: ChaCha8Rng,
    started: Instant,
    asked: Instant,
}

impl<'c> Session<'c> {
    /// A session at its beginning.
    #[must_use]
    pub fn new(console: Console<'c>, budget: Budget) -> Self {
        let now = Instant::now();
        Self {
            console,
            settings: Settings::default(),
            budget,
            stage: Stage::Nothing,
            is_bounded: false,
            model: None,
            input: None,
            order: Vec::new(),
            properties: Vec::new(),
            traces: Vec::new(),
            current: None,
            warned_of_fairness: false,
            reached_layers: 0,
            nesting: 0,
            random: ChaCha8Rng::seed_from_u64(0),
            started: now,
            asked: now,
        }
    }

    /// Takes over the settings of a command line.
    ///
    /// # Errors
    /// Why one is refused.
    pub fn configure(&mut self, options: &Options) -> Result<(), String> {
        for warning in &options.warnings {
            self.console.error(warning);
        }
        if let Some(model) = &options.model {
            let _ = self.settings.set("input_file", Some(model));
        }
        for (name, value) in &options.settings {
            self.settings.set(name, value.as_deref())?;
        }
        Ok(())
    }

    /// True if the model is prepared as far as a command needs; otherwise says what to do.
    pub fn requires(&mut self, stage: Stage) -> bool {
        if self.stage >= stage {
            return true;
        }
        let (what, command) = match self.stage {
            Stage::Nothing => ("A model must be read", "read_model"),
            Stage::Read => ("The hierarchy must be flattened", "flatten_hierarchy"),
            Stage::Flattened => ("The variables must be built", "encode_variables"),
            _ => ("A model must be built", "build_model"),
        };
        self.console.error(&format!("{what} before. Use the \"{command}\" command.\n"));
        false
    }

    /// True if bounded model checking is prepared; otherwise says what to do.
    pub fn requires_bounded(&mut self) -> bool {
        if self.stage < Stage::Encoded {
            return self.requires(Stage::Encoded);
        }
        if !self.is_bounded {
            self.console.error("The boolean model must be built before.\n(Use the command \"build_boolean_model\")\n");
        }
        self.is_bounded
    }

    /// The flat model.
    ///
    /// # Panics
    /// If the hierarchy was not flattened.
    #[must_use]
    pub fn flat(&self) -> &flat::model::Model {
        &self.input.as_ref().expect("the hierarchy was flattened").model
    }

    /// Forgets the model and everything about it.
    pub fn reset(&mut self) {
        (self.stage, self.is_bounded, self.model, self.input) = (Stage::Nothing, false, None, None);
        (self.current, self.warned_of_fairness, self.reached_layers) = (None, false, 0);
        self.properties.clear();
        self.traces.clear();
    }

    /// Keeps a trace; its number, counted from 1.
    pub fn add_trace(&mut self, trace: Trace) -> usize {
        self.traces.push(trace);
        self.traces.len()
    }

    /// A trace as the settings demand it, in the given layout.
    #[must_use]
    pub fn shown(
        &self,
        number: usize,
        range: Option<std::ops::RangeInclusive<usize>>,
        plugin: usize,
        defines: bool,
    ) -> String {
        let hidden = self.settings.text("traces_hiding_prefix").map(str::to_owned);
        let style = Style { plugin, defines: defines && self.settings.is_on("traces_show_defines"), hidden };
        style.filtered(&self.traces[number - 1], self.flat()).show(number, range, &style)
    }

    /// Writes an output file of a command.
    pub fn write(&mut self, file: &str, text: &str) -> Outcome {
        let model = self.settings.text("input_file").map(Path::new);
        match output::write(Path::new(file), model, text) {
            Ok(()) => Outcome::Done,
            Err(error) => {
                self.console.error(&format!("Unable to open file \"{file}\": {error}\n"));
                Outcome::Failed
            }
        }
    }

    /// Says that a limit ended a command.
    pub fn exhausted(&mut self, limit: Exhausted) -> Outcome {
        let reason = checker::report::Reason::Limit(limit);
        self.console.error(&format!("The command was ended: {reason}.\n"));
        Outcome::Failed
    }

    /// Says why a bounded check has no answer.
    pub fn stopped(&mut self, stop: Stop) -> Outcome {
        match stop {
            Stop::Limit(limit) => self.exhausted(limit),
            Stop::Reason(reason) => {
                self.console.error(&format!("{reason}\n"));
                Outcome::Failed
            }
        }
    }

    /// Seconds since the last call, and since the session began.
    pub fn time(&mut self) -> (f64, f64) {
        let now = Instant::now();
        let since = now.duration_since(self.asked).as_secs_f64();
        self.asked = now;
        (since, now.duration_since(self.started).as_secs_f64())
    }
}
