//! One case in words and as JSON: the formula, the witness, the proof, and who is wrong.

use super::{Kept, document};
use crate::view::count;
use omega::print::{Notation, print};
use testbench::blame::Finding;
use testbench::oracle::Check;
use testbench::run::Bench;
use testbench::shrink::{Case, Problem};
use testbench::structure::Structure;
use testbench::trial::Side;

fn name(bench: &Bench, translator: usize) -> &str {
    &bench.plan.translators[translator].name
}

/// The formula of a case.
pub(crate) fn formula(case: &Case) -> String {
    print(&case.formulas, case.formula, Notation::Spot)
}

/// What is compared with what.
pub(crate) fn headline(case: &Case, bench: &Bench) -> String {
    match &case.problem {
        Problem::Failed { translator, side, failure } => {
            let what = if *side == Side::Formula { "the formula" } else { "the negation" };
            format!("`{}` gives no automaton for {what}: {}", name(bench, *translator), failure.kind.name())
        }
        Problem::Broken(finding) => {
            let comparison = finding.comparison;
            let first = name(bench, comparison.first);
            match comparison.second.map(|second| name(bench, second)) {
                Some(second) if comparison.check == Check::Intersection => {
                    format!("intersection of the formula by `{first}` and the negation by `{second}`")
                }
                Some(second) => format!("{} of `{first}` and `{second}`", comparison.check.name()),
                None => format!("{} check of `{first}`", comparison.check.name()),
            }
        }
    }
}

/// Who is wrong.
pub(crate) fn verdict(finding: &Finding, bench: &Bench) -> String {
    match finding.accused {
        None => "the witness does not decide who is wrong: no automaton contradicts the formula on it".to_owned(),
        Some(accused) => {
            let side = if accused.side == Side::Formula { "the formula" } else { "the negation" };
            let does = if accused.accepts { "accepts" } else { "rejects" };
            format!("`{}` is wrong: its automaton for {side} {does} this word", name(bench, accused.translator))
        }
    }
}

/// The case in lines, the number of the formula counted from 1.
pub(crate) fn paragraph(kept: &Kept, bench: &Bench) -> String {
    let best = kept.best();
    let mut text = format!("formula {}: {}\n", kept.number + 1, headline(&kept.case, bench));
    let describe = |case: &Case| {
        let states = count(case.structure.size() as u64, "state");
        format!("{}  ({}, structure of {states})", formula(case), count(case.symbols(), "symbol"))
    };
    text.push_str(&format!("  found       {}\n", describe(&kept.case)));
    if kept.shrunk.is_some() {
        text.push_str(&format!("  shrunk to   {}\n", describe(best)));
    }
    if kept.is_cut_short {
        text.push_str("  cut short   the time limit for shrinking was reached\n");
    }
    match &best.problem {
        Problem::Failed { failure, .. } => text.push_str(&format!("  detail      {}\n", failure.detail)),
        Problem::Broken(finding) => {
            if kept.shrunk.is_some() {
                text.push_str(&format!("  in          {}\n", headline(best, bench)));
            }
            text.push_str(&witness(best, finding));
            text.push_str(&format!("  {}\n", verdict(finding, bench)));
        }
    }
    text
}

/// The witness and the proof in lines.
pub(crate) fn witness(case: &Case, finding: &Finding) -> String {
    let mut text = format!("  witness     {}\n", finding.word);
    text.push_str(&format!("  the formula is {} on it:\n", finding.holds));
    finding.proof.show(&case.formulas).lines().for_each(|line| text.push_str(&format!("    {line}\n")));
    text
}

/// A structure as data.
pub(crate) fn structure(structure: &Structure) -> document::Structure {
    let successors = (0..structure.size()).map(|state| structure.successors(state).iter().collect()).collect();
    let labels = |state: usize| {
        let holds = |atom: &&String| structure.extent(atom).is_some_and(|extent| extent.contains(state));
        structure.atoms().iter().filter(holds).cloned().collect()
    };
    document::Structure { states: structure.size(), labels: (0..structure.size()).map(labels).collect(), successors }
}

/// A case as data.
pub(crate) fn json(case: &Case, bench: &Bench) -> document::Case {
    let mut object = document::Case {
        formula: formula(case),
        symbols: case.symbols(),
        structure: structure(&case.structure),
        check: "translation".to_owned(),
        translators: Vec::new(),
        blamed: None,
        negated: None,
        accepts: None,
        failure: None,
        word: None,
        holds: None,
        proof: None,
    };
    match &case.problem {
        Problem::Failed { translator, side, failure } => {
            object.translators = vec![name(bench, *translator).to_owned()];
            object.blamed = Some(name(bench, *translator).to_owned());
            let (kind, detail) = (failure.kind.name().to_owned(), failure.detail.clone());
            object.failure = Some(document::Failure { kind, detail });
            object.negated = Some(*side == Side::Negation);
        }
        Problem::Broken(finding) => {
            let comparison = finding.comparison;
            let both = [Some(comparison.first), comparison.second].into_iter().flatten();
            object.check = comparison.check.name().to_owned();
            object.translators = both.map(|one| name(bench, one).to_owned()).collect();
            object.blamed = finding.accused.map(|accused| name(bench, accused.translator).to_owned());
            object.negated = finding.accused.map(|accused| accused.side == Side::Negation);
            object.accepts = finding.accused.map(|accused| accused.accepts);
            object.word = Some(finding.word.to_string());
            object.holds = Some(finding.holds);
            object.proof = Some(finding.proof.show(&case.formulas).lines().map(str::to_owned).collect());
        }
    }
    object
}
