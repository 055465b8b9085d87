//! A state of the structure under the magnifying glass: what each automaton says there, one behaviour that shows it, the
//! formula on this behaviour with a proof, and every automaton that contradicts it.
//!
//! Source: the analysis that section 3.1 of [tauriainen.00.spin] lets a user ask for at any state.

use super::line::named_at_front;
use omega::automaton::acceptance::accepts;
use omega::semantics::evaluate;
use std::fmt::Write as _;
use testbench::bits::Bits;
use testbench::blame::restricted;
use testbench::product::accepted_lasso;
use testbench::trial::{Side, Trial};

/// The analysis of a state, given as a number. The rest of the line may name the automaton whose behaviour is shown.
pub(super) fn at_state(trial: &Trial, names: &[&str], state: &str, rest: &str) -> Result<String, String> {
    let size = trial.structure.size();
    let number = state.parse::<usize>().ok().filter(|state| *state < size);
    let state = number.ok_or_else(|| format!("`{state}` is not a state: they are numbered from 0 to {}", size - 1))?;
    let chosen = match rest.trim() {
        "" => default_choice(trial, state),
        rest => Some(named(rest, names)?),
    };
    let mut text = standing(trial, names, state);
    let lasso = match chosen {
        None => {
            text.push_str("  no automaton accepts a behaviour from here; this is one:\n");
            trial.structure.some_lasso(state)
        }
        Some((translator, side)) => {
            let whose = format!("`{}` for {}", names[translator], what(side));
            let Some(translation) = trial.translation(translator, side) else {
                return Err(format!("there is no automaton of {whose}"));
            };
            let Some(lasso) = accepted_lasso(&trial.structure, &translation.over_states, state) else {
                return Err(format!("the automaton of {whose} accepts no behaviour from state {state}"));
            };
            let _ = writeln!(text, "  the automaton of {whose} accepts this behaviour:");
            lasso
        }
    };
    let states = |list: &[usize]| list.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let stem = if lasso.0.is_empty() { String::new() } else { format!("{}; ", states(&lasso.0)) };
    let word = restricted(&trial.structure.word(&lasso.0, &lasso.1), &trial.formulas, trial.sides[0]);
    let _ = writeln!(text, "    states    {stem}cycle{{{}}}\n    word      {word}", states(&lasso.1));
    let evaluation = evaluate(&trial.formulas, trial.sides[0], &word);
    let holds = evaluation.truth(trial.sides[0], 0);
    let _ = writeln!(text, "  the formula is {holds} on it:");
    evaluation.proof().show(&trial.formulas).lines().for_each(|line| {
        let _ = writeln!(text, "    {line}");
    });
    let mut is_anybody_wrong = false;
    for (translator, name) in names.iter().enumerate() {
        for side in Side::BOTH {
            let Some(automaton) = trial.automaton(translator, side) else { continue };
            let accepts = accepts(automaton, &word);
            if accepts != (holds == (side == Side::Formula)) {
                let does = if accepts { "accepts" } else { "rejects" };
                let _ = writeln!(text, "  `{name}` is wrong: its automaton for {} {does} this word", what(side));
                is_anybody_wrong = true;
            }
        }
    }
    if !is_anybody_wrong {
        text.push_str("  no automaton is wrong on it\n");
    }
    Ok(text)
}

fn what(side: Side) -> &'static str {
    if side == Side::Formula { "the formula" } else { "the negation" }
}

/// The automaton that words name.
fn named(rest: &str, names: &[&str]) -> Result<(usize, Side), String> {
    let (translator, rest) = named_at_front(rest, names)?;
    match rest[..] {
        [] => Ok((translator, Side::Formula)),
        ["negation"] => Ok((translator, Side::Negation)),
        _ => Err(format!("`{}` is not `negation`", rest.join(" "))),
    }
}

/// Whether the automaton of a translator accepts a behaviour from a state; none if there is no automaton.
fn accepted(trial: &Trial, translator: usize, side: Side, state: usize) -> Option<bool> {
    Some(trial.translation(translator, side)?.product.accepted.contains(state))
}

/// An automaton that accepts a behaviour that another one rejects; if there is none, any that accepts one.
fn default_choice(trial: &Trial, state: usize) -> Option<(usize, Side)> {
    let all = || Side::BOTH.into_iter().flat_map(|side| (0..trial.translator_count()).map(move |one| (one, side)));
    let accepts = |(translator, side): &(usize, Side)| accepted(trial, *translator, *side, state) == Some(true);
    let is_disputed = |(_, side): &(usize, Side)| {
        (0..trial.translator_count()).any(|other| accepted(trial, other, *side, state) == Some(false))
    };
    all().find(|one| accepts(one) && is_disputed(one)).or_else(|| all().find(accepts))
}

/// The state, its successors, and what each automaton says about it.
fn standing(trial: &Trial, names: &[&str], state: usize) -> String {
    let structure = &trial.structure;
    let holds = |atom: &&String| structure.extent(atom).is_some_and(|extent| extent.contains(state));
    let label = structure.atoms().iter().filter(holds).cloned().collect::<Vec<_>>().join(" ");
    let mut text = format!("  state {state} {{{label}}} -> {}\n", list(structure.successors(state)));
    for (translator, name) in names.iter().enumerate() {
        let says = |side: Side| match accepted(trial, translator, side, state) {
            Some(true) => "accepted",
            Some(false) => "rejected",
            None => "no automaton",
        };
        let _ = writeln!(text, "  {name:<12} formula {}, negation {}", says(Side::Formula), says(Side::Negation));
    }
    text
}

/// Members of a set, runs of neighbours as ranges.
pub(super) fn list(set: &Bits) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for member in set.iter() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == member => *last = member,
            _ => ranges.push((member, member)),
        }
    }
    let range = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}–{to}") };
    ranges.iter().map(range).collect::<Vec<_>>().join(" ")
}
