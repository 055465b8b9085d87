//! The findings of a check of a Promela model, put into the words of a [`Report`](crate::report::Report).

use super::operands;
use super::record::Recorder;
use super::refinement::Refinement as Refined;
use super::report::{Counterexample as Found, Engine as Made, Numbers, Property, at, headline};
use crate::report::{
    About, Counterexample, Engine, Location, PropertyReport, PropertySource, Refinement, Seconds, Size, Statistics,
    Verdict, Violation, Warning,
};
use kernel::decision::Decision;
use kernel::span::Span;
use omega::analyse::strength::Strength;

/// One property. `omitted` violations were found and are not among its counterexamples.
pub(super) fn property(recorder: Recorder<'_>, found: &Property, omitted: u64, seconds: Seconds) -> PropertyReport {
    let verdict = match &found.verdict {
        Decision::Holds(coverage) => match &found.vacuous {
            Some(reason) => Verdict::HoldsVacuously { coverage: (*coverage).into(), reason: reason.clone() },
            None => Verdict::Holds { coverage: (*coverage).into() },
        },
        Decision::Violated(list) => {
            let stated = found.temporal.as_ref().and_then(|temporal| temporal.span);
            let list = list.iter().map(|one| counterexample(recorder, one, stated)).collect();
            Verdict::Violated(Violation::shown(list, omitted))
        }
        Decision::Unknown(reason) => Verdict::Unknown(reason.clone()),
    };
    let temporal = found.temporal.as_ref();
    PropertyReport {
        name: found.name.clone(),
        kind: found.kind,
        formula: temporal.and_then(|temporal| temporal.text.clone()),
        section: None,
        at: temporal.and_then(|temporal| temporal.span).map(|span| Location::of(recorder.sources, span)),
        source: temporal.map_or(PropertySource::Model, |temporal| temporal.source.clone()),
        verdict,
        warnings: warnings(found),
        statistics: statistics(&found.numbers, &found.engine),
        engine: engine(&found.engine),
        seconds,
        unconfirmed_trace_file: None,
        draft: found.draft.clone(),
    }
}

fn warnings(found: &Property) -> Vec<Warning> {
    let decided = found.engine.decided.iter().map(|decided| Warning {
        kind: decided.word().into(),
        message: format!("{} {}", found.name, decided.message()),
        facts: decided.facts.clone(),
    });
    let failing = found.engine.failing_atom.iter().map(|atom| Warning {
        kind: "failing-atom".into(),
        message: format!("{}: `{atom}` meets a run-time error in some state, and counts as false there", found.name),
        facts: Vec::new(),
    });
    decided.chain(failing).collect()
}

/// The numbers of a search; absent where nothing was searched.
pub(super) fn statistics(numbers: &Numbers, made: &Made) -> Statistics {
    if numbers.states == 0 {
        return Statistics::default();
    }
    Statistics {
        states: Some(numbers.states.into()),
        transitions: Some(numbers.transitions),
        depth: Some(numbers.depth),
        transient_steps: made.transient_steps,
        peak_memory_bytes: Some(numbers.bytes),
        missed_probability: made.missed,
        peak_disk_bytes: Some(numbers.disk).filter(|disk| *disk > 0),
        searches: Some(numbers.searches).filter(|searches| *searches > 0),
        estimated_coverage: numbers.coverage,
        ..Statistics::default()
    }
}

fn engine(made: &Made) -> Engine {
    let strength = made.strength.map(|strength| match strength {
        Strength::Rejecting => "rejecting",
        Strength::Terminal => "terminal",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    });
    let is_searched = made.search != "none";
    Engine {
        search: is_searched.then(|| made.search.clone()),
        store: is_searched.then(|| made.store.into()),
        strength: strength.map(Into::into),
        automaton_states: made.automaton_states,
        fair: made.is_fair.then(|| "weak".into()),
        refinement: made.refinement.as_ref().map(refinement),
        reduction: Some(&made.reduction).filter(|reduction| !reduction.is_empty()).cloned(),
        events: None,
        refuted_below: None,
        argument: None,
        is_for_sat: false,
    }
}

fn refinement(refined: &Refined) -> Refinement {
    let size = |size: omega::constraint::choice::Size| Size { states: size.states, edges: size.edges };
    Refinement {
        way: refined.word().into(),
        facts: refined.facts,
        before: size(refined.before),
        after: size(refined.after),
        reason: refined.kept.map(Into::into),
    }
}

/// A counterexample to a property that is stated here, if it is a temporal one.
fn counterexample(recorder: Recorder<'_>, found: &Found, stated: Option<Span>) -> Counterexample {
    let run = &found.run;
    let about = About {
        message: headline(recorder, run),
        at: at(recorder, run, stated),
        values: operands::of_assertion(recorder, run),
        waiting: operands::waiting(recorder, run),
        is_shortest: found.is_shortest,
        sense: found.sense,
        hint: found.hint,
        first_length: found.first_length,
        proof: found.proof.clone(),
        minimised: None,
        everywhere: Vec::new(),
        left_out: Vec::new(),
        definitions: Vec::new(),
        observation: found.observation.clone(),
    };
    Counterexample::confirmed(run, recorder.run(run), about)
}
