//! `simulate`: continues the current trace.

use super::arguments::Arguments;
use super::pick_state::{Subject, constrained};
use super::{Command, HELP};
use crate::choice::{self, Offer};
use crate::machine::{Space, options, with_inputs};
use crate::numbers::general;
use crate::session::{Outcome, Session, Stage};
use flat::enumerate::Valuation;
use flat::model::{Model, NodeId, VariableKind};
use kernel::budget::Exhausted;

/// The command.
pub const COMMAND: Command = Command {
    name: "simulate",
    meaning: "continues the trace from the current state",
    words: "",
    options: &[
        HELP,
        ('p', "", "print the new states, with what changed"),
        ('v', "", "print the new states, with all values"),
        ('r', "", "choose at random"),
        ('i', "", "let the user choose"),
        ('a', "", "offer states with all values; with -i"),
        ('c', "constraint", "only states that satisfy this expression"),
        ('t', "constraint", "only steps that satisfy this expression, which may mention next states"),
        ('k', "steps", "how many steps; by default as the variable default_simulation_steps says"),
    ],
    run,
};

/// How states are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picking {
    /// The first.
    First,
    /// At random.
    Random,
    /// By the user.
    Asked {
        /// Whether all values are shown.
        all: bool,
    },
}

impl Picking {
    /// As options say.
    #[must_use]
    pub fn of(arguments: &Arguments) -> Self {
        match (arguments.has('i'), arguments.has('r')) {
            (true, _) => Picking::Asked { all: arguments.has('a') },
            (_, true) => Picking::Random,
            _ => Picking::First,
        }
    }
}

/// Says that there are too many states to choose from.
pub fn too_many(session: &mut Session<'_>, count: f64) {
    let count = general(count);
    session.console.error(&format!(
        "Too many ({count}) future states to visualize. Please specify further constraints, or set shown_states.\n"
    ));
}

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    let is_misused = arguments.count("pv") > 1
        || arguments.count("ri") > 1
        || arguments.has('a') && !arguments.has('i')
        || arguments.count("ct") > 1;
    if is_misused {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    let steps = match arguments.value('k') {
        None => session.settings.number("default_simulation_steps"),
        Some(text) => match text.parse() {
            Ok(steps) => steps,
            Err(_) => {
                session.console.error(&format!("Error: string \"{text}\" is not valid. An integer was expected.\n"));
                return Outcome::Failed;
            }
        },
    };
    let Some((trace, at)) = session.current else {
        session.console.error("No current state set. Use the \"pick_state\" command.\n");
        return Outcome::Failed;
    };
    let Some(start) = session.traces[trace].place(session.flat(), at) else {
        session.console.error("The current state does not have a value for every variable.\n");
        return Outcome::Failed;
    };
    let text = arguments.value('c').or_else(|| arguments.value('t'));
    let subject = if arguments.has('t') { Subject::Step } else { Subject::State };
    let Some((model, constraint)) = constrained(session, text, subject) else { return Outcome::Failed };
    let (state, step) = if arguments.has('t') { (None, constraint) } else { (constraint, None) };
    let (options, budget) = (options(), session.budget.clone());
    let mut space = match Space::new(session, &model, &options, &budget) {
        Ok(space) => space,
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    session.console.print(&format!("********  Simulation Starting From State {}.{}   ********\n", trace + 1, at + 1));
    let picking = Picking::of(arguments);
    let mut walk = Walk { session, space: &mut space, model: &model, state, step, picking };
    let outcome = match walk.go(trace, start, steps) {
        Ok(true) => Outcome::Done,
        Ok(false) => Outcome::Failed,
        Err(limit) => return session.exhausted(limit),
    };
    if arguments.count("pv") > 0 {
        let plugin = if arguments.has('v') { 1 } else { 0 };
        let last = session.traces[trace].moments.len();
        let shown = session.shown(trace + 1, Some(at.max(1)..=last), plugin, true);
        session.console.print(&shown);
    }
    outcome
}

/// A simulation.
struct Walk<'w, 'c, 'm> {
    session: &'w mut Session<'c>,
    space: &'w mut Space<'m>,
    model: &'m Model,
    state: Option<NodeId>,
    step: Option<NodeId>,
    picking: Picking,
}

impl Walk<'_, '_, '_> {
    /// Goes some steps and adds them to a trace; false if the user did not choose.
    fn go(&mut self, trace: usize, start: Valuation, steps: usize) -> Result<bool, Exhausted> {
        let mut present = start;
        for taken in 0..steps {
            self.session.budget.check_now(0)?;
            let next = self.space.following(&present, self.state, self.step)?;
            if next.is_false() {
                let end = if taken == 0 { ": trace not built.\n" } else { "." };
                let number = taken + 1;
                let words = format!("No future state exists{end}Simulation stopped at step {number}.\n");
                self.session.console.error(&words);
                return Ok(true);
            }
            let Some(place) = self.pick(&present, &next)? else { return Ok(false) };
            let order = &self.session.order;
            self.session.traces[trace].push(self.model, order, &place, Some(&present));
            let at = self.session.traces[trace].moments.len() - 1;
            self.session.current = Some((trace, at));
            present = place;
        }
        Ok(true)
    }

    /// A state of a set, with the inputs that lead to it.
    fn pick(&mut self, present: &Valuation, next: &bdd::Bdd) -> Result<Option<Valuation>, Exhausted> {
        let state = match self.picking {
            Picking::First => self.space.first_state(next)?,
            Picking::Random => self.space.any_state(next, &mut self.session.random)?,
            Picking::Asked { all } => return self.ask(present, next, all),
        };
        let Some(state) = state else { return Ok(None) };
        let inputs = self.space.inputs_between(present, &state, self.step)?;
        let inputs = match self.picking {
            Picking::Random => self.space.any_inputs(&inputs, &mut self.session.random)?,
            _ => self.space.first_inputs(&inputs)?,
        };
        Ok(inputs.map(|inputs| with_inputs(self.model, &state, &inputs)))
    }

    fn ask(&mut self, present: &Valuation, next: &bdd::Bdd, all: bool) -> Result<Option<Valuation>, Exhausted> {
        let most = self.session.settings.number("shown_states");
        let Some(states) = self.space.list_states(next, most)? else {
            too_many(self.session, self.space.count(next));
            return Ok(None);
        };
        let has_inputs = self.model.variables.iter().any(|variable| variable.kind == VariableKind::Input);
        let mut offers = Vec::new();
        let mut left = most;
        for state in states {
            let mut inputs = Vec::new();
            if has_inputs {
                let set = self.space.inputs_between(present, &state, self.step)?;
                let Some(some) = self.space.list_inputs(&set, left)? else {
                    too_many(self.session, self.space.count(next));
                    return Ok(None);
                };
                left -= some.len();
                inputs = some;
            }
            offers.push(Offer { state, inputs });
        }
        let chosen = choice::choose(self.session, self.model, &offers, all);
        Ok(chosen.map(|(at, input)| {
            let Offer { state, inputs } = &offers[at];
            inputs.get(input).map_or_else(|| state.clone(), |inputs| with_inputs(self.model, state, inputs))
        }))
    }
}
