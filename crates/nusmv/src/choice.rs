//! States that the user chooses from, in an interactive simulation.

use crate::session::Session;
use flat::enumerate::Valuation;
use flat::model::{Model, VariableId, VariableKind};
use std::collections::HashMap;
use std::fmt::Write;
use symbolic::report::Setting;
use symbolic::report::trace::definitions;

/// A state that is offered, with the inputs that lead to it if the model has inputs.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The state.
    pub state: Valuation,
    /// The inputs, one after the other; empty if there are none to choose.
    pub inputs: Vec<Valuation>,
}

/// Lets the user choose; the numbers of the state and of its inputs. None at the end of the input.
pub fn choose(session: &mut Session<'_>, model: &Model, offers: &[Offer], all: bool) -> Option<(usize, usize)> {
    let numbered: Vec<(usize, usize)> = offers
        .iter()
        .enumerate()
        .flat_map(|(at, offer)| (0..offer.inputs.len().max(1)).map(move |one| (at, one)))
        .collect();
    let list = listed(model, &session.order, offers, all);
    session.console.print(&list);
    if numbered.len() == 1 {
        session.console.print("There's only one available state. Press Return to Proceed.\n");
        let _ = session.console.line();
        session.console.print("Chosen state is: 0\n");
        return numbered.first().copied();
    }
    loop {
        session.console.print(&format!("Choose a state from the above (0-{}): ", numbered.len() - 1));
        let Some(line) = session.console.line() else {
            session.console.error("The input ended before a state was chosen.\n");
            return None;
        };
        if let Some(chosen) = line.trim().parse::<usize>().ok().and_then(|number| numbered.get(number)) {
            session.console.print(&format!("\nChosen state is: {}\n", line.trim()));
            return Some(*chosen);
        }
    }
}

/// The list of what is offered: with all values, or with those that differ from the entry before.
fn listed(model: &Model, order: &[VariableId], offers: &[Offer], all: bool) -> String {
    let mut text = "\n***************  AVAILABLE STATES  *************\n".to_owned();
    let (mut states, mut inputs) = (HashMap::new(), HashMap::new());
    let mut number = 0;
    for offer in offers {
        text += "  \n  ================= State =================\n";
        if offer.inputs.is_empty() {
            let _ = writeln!(text, "  {number}) -------------------------");
            number += 1;
        }
        let mut state = definitions(model, &offer.state, false).state;
        state.reverse();
        state.extend(values(model, order, &offer.state, false));
        write_values(&mut text, "  ", state, &mut states, all);
        text += "  \n";
        if !offer.inputs.is_empty() {
            text += "  This state is reachable through:\n";
        }
        for input in &offer.inputs {
            let _ = writeln!(text, "  {number}) -------------------------");
            write_values(&mut text, "    ", values(model, order, input, true), &mut inputs, all);
            text += "  \n";
            number += 1;
        }
    }
    text + "\n"
}

fn values(model: &Model, order: &[VariableId], place: &Valuation, inputs: bool) -> Vec<Setting> {
    let ids = order.iter().filter(|id| (model.variable(**id).kind == VariableKind::Input) == inputs);
    let setting = |id: &VariableId| {
        let variable = model.variable(*id);
        Setting { name: variable.name.clone(), value: model.show(&place[id.0 as usize], variable.domain.r#type()) }
    };
    ids.map(setting).collect()
}

fn write_values(
    text: &mut String,
    indent: &str,
    settings: Vec<Setting>,
    shown: &mut HashMap<String, String>,
    all: bool,
) {
    for Setting { name, value } in settings {
        let before = shown.insert(name.clone(), value.clone());
        if all || before.as_ref() != Some(&value) {
            let _ = writeln!(text, "{indent}{name} = {value}");
        }
    }
}
