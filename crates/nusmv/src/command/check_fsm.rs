//! `check_fsm`: whether every state has a successor.

use super::arguments::Arguments;
use super::{Command, HELP, OUTPUT, PAGER};
use crate::machine::{Space, options};
use crate::reachable;
use crate::session::{Outcome, Session, Stage};
use flat::enumerate::Valuation;
use flat::model::{VariableId, VariableKind};
use kernel::budget::Exhausted;

/// The command.
pub const COMMAND: Command = Command {
    name: "check_fsm",
    meaning: "checks that the transition relation is total, or at least that no deadlock is reachable",
    words: "",
    options: &[HELP, PAGER, OUTPUT],
    run,
};

const LINE: &str = "##########################################################\n";

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    report(session)
}

/// Checks and prints the result.
pub fn report(session: &mut Session<'_>) -> Outcome {
    let (model, options, budget) = (session.flat().clone(), options(), session.budget.clone());
    let space = Space::new(session, &model, &options, &budget);
    let found = match space {
        Ok(mut space) => stuck_states(&mut space),
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    let words = match found {
        Err(limit) => return session.exhausted(limit),
        Ok((None, _)) => "The transition relation is total: No deadlock state exists\n".to_owned(),
        Ok((Some(stuck), reachable)) => {
            let state = values(session, &stuck);
            let end = match reachable {
                Some(reachable) => format!(
                    "The transition relation is not deadlock-free.\nA deadlock state is:\n{}",
                    values(session, &reachable)
                ),
                None => "However, all the states without successors are\n\
                         non-reachable, so the machine is deadlock-free.\n"
                    .to_owned(),
            };
            format!("The transition relation is not total. A state without\nsuccessors is:\n{state}{end}")
        }
    };
    session.console.print(&format!("\n{LINE}{words}{LINE}"));
    Outcome::Done
}

/// A state without successors, and one that is reachable.
fn stuck_states(space: &mut Space<'_>) -> Result<(Option<Valuation>, Option<Valuation>), Exhausted> {
    let system = space.machine.system();
    let stuck = system.states().try_and(&!&system.enabled()?)?;
    if stuck.is_false() {
        return Ok((None, None));
    }
    let reached = reachable::search(space, None)?.states;
    Ok((space.first_state(&stuck)?, space.first_state(&stuck.try_and(&reached)?)?))
}

/// The values of the state variables, one a line.
fn values(session: &Session<'_>, place: &Valuation) -> String {
    let model = session.flat();
    let kept = session.order.iter().filter(|id| model.variable(**id).kind != VariableKind::Input);
    let line = |id: &VariableId| {
        let variable = model.variable(*id);
        format!("{} = {}\n", variable.name, model.show(&place[id.0 as usize], variable.domain.r#type()))
    };
    kept.map(line).collect()
}
