//! `pick_state`: chooses an initial state, with which a simulation begins.

use super::arguments::Arguments;
use super::goto_state::{label, restart};
use super::simulate::{Picking, too_many};
use super::{Command, HELP};
use crate::choice::{self, Offer};
use crate::machine::{Space, options};
use crate::properties::Kind;
use crate::session::{Outcome, Session, Stage};
use crate::trace::{self, Trace};
use flat::enumerate::Valuation;
use flat::model::{Node, NodeId, Question, VariableId, VariableKind};
use kernel::budget::Exhausted;

/// The command.
pub const COMMAND: Command = Command {
    name: "pick_state",
    meaning: "chooses an initial state, with which a new trace begins",
    words: "",
    options: &[
        HELP,
        ('v', "", "print the state"),
        ('r', "", "choose at random"),
        ('i', "", "let the user choose"),
        ('a', "", "offer states with all values; with -i"),
        ('c', "constraint", "only states that satisfy this expression"),
        ('s', "trace.state", "the state of a trace"),
    ],
    run,
};

/// The words above a simulation.
pub const DESCRIPTION: &str = "Simulation Trace";

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.count("ri") > 1 || arguments.has('a') && !arguments.has('i') || arguments.count("cs") > 1 {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    if let Some(text) = arguments.value('s') {
        return match label(session, text) {
            Some((trace, state)) => restart(session, trace, state),
            None => Outcome::Failed,
        };
    }
    let Some((model, constraint)) = constrained(session, arguments.value('c'), Subject::State) else {
        return Outcome::Failed;
    };
    let (options, budget) = (options(), session.budget.clone());
    let mut space = match Space::new(session, &model, &options, &budget) {
        Ok(space) => space,
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    match pick(session, &mut space, &model, constraint, &Picking::of(arguments)) {
        Err(limit) => session.exhausted(limit),
        Ok(None) => Outcome::Failed,
        Ok(Some(place)) => {
            let mut trace = Trace::new(DESCRIPTION, trace::Kind::Simulation);
            trace.push(&model, &session.order, &place, None);
            let number = session.add_trace(trace);
            session.current = Some((number - 1, 0));
            if arguments.has('v') {
                let shown = session.shown(number, None, 1, true);
                session.console.print(&shown);
            }
            Outcome::Done
        }
    }
}

/// What a constraint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One state.
    State,
    /// A state, the inputs, and the state after it.
    Step,
}

/// The model with a constraint as one more expression, and the expression. Nothing, after a message, if the text
/// is wrong.
pub fn constrained(
    session: &mut Session<'_>,
    text: Option<&str>,
    subject: Subject,
) -> Option<(flat::model::Model, Option<NodeId>)> {
    let Some(text) = text else { return Some((session.flat().clone(), None)) };
    match session.with_formula(text, Kind::Invariant) {
        Ok(input) => match input.model.properties.last().map(|property| &property.question) {
            Some(Question::Invariant(node)) if subject == Subject::State && !is_of_state(&input.model, *node) => {
                session
                    .console
                    .error("The constraint is about a state: it has neither \"next\" nor input variables.\n");
                None
            }
            Some(Question::Invariant(node)) => Some((input.model.as_ref().clone(), Some(*node))),
            _ => None,
        },
        Err(message) => {
            session.console.error(&message);
            None
        }
    }
}

/// True if an expression mentions the variables of one state only.
fn is_of_state(model: &flat::model::Model, node: NodeId) -> bool {
    let is_input = |id: &VariableId| model.variable(*id).kind == VariableKind::Input;
    let mut nodes = model.walk(node, Node::operands);
    !nodes.any(|node| matches!(node, Node::Next(_))) && !flat::cone::variables(model, node).iter().any(is_input)
}

fn pick(
    session: &mut Session<'_>,
    space: &mut Space<'_>,
    model: &flat::model::Model,
    constraint: Option<NodeId>,
    picking: &Picking,
) -> Result<Option<Valuation>, Exhausted> {
    let set = space.initial(constraint)?;
    if set.is_false() {
        session.console.error(
            "The set of initial states is EMPTY. No state can be chosen.\n\
             No trace: constraint and initial state are inconsistent\n",
        );
        return Ok(None);
    }
    match picking {
        Picking::First => space.first_state(&set),
        Picking::Random => space.any_state(&set, &mut session.random),
        Picking::Asked { all } => {
            let Some(states) = space.list_states(&set, session.settings.number("shown_states"))? else {
                too_many(session, space.count(&set));
                return Ok(None);
            };
            let offers: Vec<Offer> = states.into_iter().map(|state| Offer { state, inputs: Vec::new() }).collect();
            let chosen = choice::choose(session, model, &offers, *all);
            Ok(chosen.map(|(at, _)| offers[at].state.clone()))
        }
    }
}
