//! A run without commands: read the model and check its properties.

use crate::command;
use crate::options::{Ignorable, Options};
use crate::properties::Kind;
use crate::session::{Outcome, Session};

/// Checks a model as the command line says; the exit code.
pub fn run(session: &mut Session<'_>, options: &Options) -> u8 {
    match check(session, options) {
        Outcome::Quit(code) => code,
        Outcome::Done => 0,
        Outcome::Failed => {
            session.console.error("\nNuSMV terminated by a signal\n\nAborting batch mode\n");
            1
        }
    }
}

fn check(session: &mut Session<'_>, options: &Options) -> Outcome {
    let mut prepared = command::read_model::read(session, options.model.as_deref(), true);
    if prepared == Outcome::Done {
        prepared = command::flatten_hierarchy::flatten(session);
    }
    if prepared == Outcome::Done && options.list {
        return command::show_property::list(session, |_| true);
    }
    if prepared == Outcome::Done {
        prepared = command::encode_variables::encode(session);
    }
    if prepared != Outcome::Done {
        return prepared;
    }
    if options.is_bounded {
        session.is_bounded = true;
    } else {
        session.stage = crate::session::Stage::Built;
    }
    if options.check_fsm || session.settings.is_on("check_fsm") {
        let outcome = command::check_fsm::report(session);
        if outcome != Outcome::Done {
            return outcome;
        }
    }
    let wanted = match wanted(session, options) {
        Some(wanted) => wanted,
        None => return Outcome::Failed,
    };
    let outcome = match options.is_bounded {
        true => bounded(session, &wanted),
        false => session.check(&wanted),
    };
    if outcome != Outcome::Done {
        return outcome;
    }
    if options.reachable {
        let outcome = command::print_reachable_states::numbers(session);
        if outcome != Outcome::Done {
            return outcome;
        }
    }
    match options.settings.iter().find(|(name, _)| *name == "output_order_file") {
        Some((_, Some(file))) => command::write_order::write(session, file, true),
        _ => Outcome::Done,
    }
}

/// The properties to check; none after a message.
fn wanted(session: &mut Session<'_>, options: &Options) -> Option<Vec<usize>> {
    if let Some(number) = &options.property {
        return Some(vec![session.indexed(number, None)?]);
    }
    let is_ignored = |kind: Kind| {
        options.ignored.contains(&match kind {
            Kind::Ctl => Ignorable::Ctl,
            Kind::Compute => Ignorable::Compute,
            Kind::Ltl => Ignorable::Ltl,
            Kind::Psl => Ignorable::Psl,
            Kind::Invariant => Ignorable::Invariant,
        })
    };
    let entries = session.properties.iter().enumerate();
    Some(entries.filter(|(_, entry)| !is_ignored(entry.kind)).map(|(number, _)| number).collect())
}

/// LTL formulas and invariants by bounded model checking; it does not answer other properties.
fn bounded(session: &mut Session<'_>, wanted: &[usize]) -> Outcome {
    for kind in [Kind::Ltl, Kind::Invariant] {
        for number in wanted.iter().copied().filter(|at| session.properties[*at].kind == kind).collect::<Vec<_>>() {
            let outcome = match kind {
                Kind::Ltl => command::check_ltlspec_bmc::check(session, number, None, None),
                _ => command::check_invar_bmc::check(session, number, None, None),
            };
            if outcome != Outcome::Done {
                return outcome;
            }
        }
    }
    Outcome::Done
}
