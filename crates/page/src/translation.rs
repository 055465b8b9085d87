//! The page about translated formulas: each automaton as a drawing, with its size and its text.

use crate::document::page;
use crate::drawing::{Direction, automaton};
use crate::markup::text;
use checker::observation::described;
use checker::words::count;
use kernel::budget::Budget;
use omega::automaton::Automaton;
use std::fmt::Write;

/// An automaton with more states than this is not drawn.
pub const MOST_DRAWN: usize = 200;

/// One automaton on the page.
pub struct Translated<'a> {
    /// What it was made of, usually a formula.
    pub name: &'a str,
    /// The automaton.
    pub automaton: &'a Automaton,
    /// The automaton as text, such as HOA.
    pub text: &'a str,
}

/// The section about one automaton.
#[must_use]
pub fn section(one: &Translated<'_>, budget: &Budget) -> String {
    let (states, edges) = (one.automaton.state_count(), one.automaton.edge_count());
    let sizes = format!(
        "{}, {}, {}",
        count(states as u64, "state"),
        count(edges as u64, "edge"),
        count(one.automaton.sets().into(), "acceptance set")
    );
    let traits = match one.automaton.is_deterministic() {
        true => ", deterministic",
        false => "",
    };
    let mut out = format!("<section class=\"property\"><h2><code>{}</code></h2><p>{sizes}{traits}</p>", text(one.name));
    match described(one.automaton, budget).filter(|_| states <= MOST_DRAWN) {
        Some(plain) => {
            let drawing = automaton(&plain).svg(&format!("Automaton of {}: {sizes}", one.name), Direction::Right);
            let _ = write!(
                out,
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Automaton\">{drawing}</div>"
            );
        }
        None => out.push_str("<p class=\"legend\">It is too large to be drawn.</p>"),
    }
    let _ = write!(out, "<details><summary>as text</summary><pre>{}</pre></details></section>", text(one.text));
    out
}

/// The page with these sections.
#[must_use]
pub fn report(sections: &[String]) -> String {
    let body = format!(
        "<main><article class=\"model\"><h1>{}</h1>{}</article></main>",
        count(sections.len() as u64, "automaton").replace("automatons", "automata"),
        sections.concat()
    );
    page("Automata – Lariat", &body)
}
