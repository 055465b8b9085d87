//! The table of rules as a document: `docs/rules.md`.

use super::pattern::{Holes, Pattern};
use super::rules::{Condition, Family, Rule, rules};
use super::{boolean, context, nnf::Nnf};
use crate::formula::{Formula, Formulas};
use crate::print::{Notation, print};
use std::fmt::Write;

const OPENING: &str = "\
# Rewriting rules

Generated from the table in `crates/omega/src/rewrite/rules.rs`; a test keeps the two alike.

Rules are used from left to right, on formulas in negation normal form, until none applies. A letter stands for a
formula: `a b c d` for any, `e` for an eventual one (if some suffix of a word satisfies it, so does the word), `u` for a
universal one (if a word satisfies it, so do its suffixes), `s` for a suspendable one (eventual and universal). In a
conjunction or disjunction at the top of a rule other members may stand beside; inside a rule, `e`, `u` and `s` stand
for all members of that kind together, and the other letter for the rest. `x => y` means that x implies y by the look
of them: sound, not complete.
";

/// The text of `docs/rules.md`.
#[must_use]
pub fn document() -> String {
    let mut text = OPENING.to_owned();
    let families = [
        (Family::Basic, "Laws of the operators"),
        (Family::Suspension, "Eventual, universal and suspendable formulas"),
        (Family::Implication, "Where one part implies another"),
    ];
    for (family, title) in families {
        let _ = write!(text, "\n## {title}\n\n| rule | left | right | if |\n|---|---|---|---|\n");
        for rule in rules().iter().filter(|rule| rule.family == family) {
            text.push_str(&line(rule));
        }
    }
    let _ = write!(
        text,
        "\n## Procedures\n\n\
         What no pattern can express; see the files of these names beside the table.\n\n\
         | procedure | what it does |\n|---|---|\n\
         | `{}` | a part of a formula that its neighbours imply, or exclude, becomes a constant |\n\
         | `{}` | a junction becomes a shorter sum of products or product of sums with the same truth table |\n",
        context::NAME,
        boolean::NAME
    );
    text
}

fn line(rule: &Rule) -> String {
    let mut show = Show { formulas: Formulas::new(), nnf: Nnf::new(), holes: &rule.holes };
    let conditions: Vec<String> = rule
        .conditions
        .iter()
        .map(|condition| match condition {
            Condition::Implies(a, b) => format!("`{} => {}`", show.pattern(a), show.pattern(b)),
            Condition::NotSuspendable(a) => format!("`{}` is not suspendable", show.pattern(a)),
        })
        .collect();
    let (left, right) = (show.pattern(&rule.left), show.pattern(&rule.right));
    format!("| {} | `{left}` | `{right}` | {} |\n", rule.name, conditions.join(", "))
}

struct Show<'a> {
    formulas: Formulas,
    nnf: Nnf,
    holes: &'a Holes,
}

impl Show<'_> {
    fn pattern(&mut self, pattern: &Pattern) -> String {
        let mut filling = [None::<Formula>; super::pattern::HOLES];
        for (hole, place) in filling.iter_mut().enumerate().take(self.holes.len()) {
            *place = Some(self.formulas.atom(self.holes.name(hole)));
        }
        let formula = pattern.fill(&mut self.formulas, &mut self.nnf, &filling);
        // A bar would end the cell of the table.
        print(&self.formulas, formula, Notation::Spot).replace('|', "\\|")
    }
}
