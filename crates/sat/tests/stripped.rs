//! Stripped counterexamples of random models against all their states, listed one by one: what is kept keeps the promise, no single
//! value can be dropped, and, in small cases, no smaller set of values suffices.

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;
mod compared;

use compared::{load, text};
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, Valuation};
use flat::model::{Model, NodeId, Question, VariableId, VariableKind};
use kernel::budget::Budget;
use sat::design::Design;
use sat::engine::{self, Engine, Outcome};
use sat::mutant::Mutant;
use sat::strip::{Stripped, Wanted, strip};

/// Values up to which all smaller sets are tried.
const FEW_VALUES: usize = 12;

/// The promise by definition.
struct Listed<'a> {
    explicit: &'a Explicit,
    reached: Vec<bool>,
    positions: &'a [Valuation],
    loop_start: Option<usize>,
    demands: &'a [Vec<(NodeId, bool)>],
    /// The variables whose values in a state demands about the step before it mention.
    pinned: Vec<Vec<VariableId>>,
}

impl Listed<'_> {
    fn after(&self, position: usize) -> Option<usize> {
        if position + 1 < self.positions.len() { Some(position + 1) } else { self.loop_start }
    }

    /// Whether a valuation has the kept values of one kind.
    fn agrees(&self, model: &Model, kept: &[VariableId], position: usize, one: &Valuation, of_inputs: bool) -> bool {
        kept.iter().filter(|id| (model.variable(**id).kind == VariableKind::Input) == of_inputs).all(|id| {
            let at = id.0 as usize;
            one[at] == self.positions[position][at]
        })
    }

    fn keeps(&self, rules: &mut Rules<'_>, kept: &[Vec<VariableId>]) -> bool {
        let model = rules.model();
        let explicit = self.explicit;
        for position in 0..self.positions.len() {
            let here = &kept[position];
            let next = self.after(position);
            for state in (0..explicit.states.len()).filter(|state| self.reached[*state]) {
                let values = &explicit.states[state];
                if !self.agrees(model, here, position, values, false) {
                    continue;
                }
                let is_pinned = |id: &VariableId| values[id.0 as usize] == self.positions[position][id.0 as usize];
                if !self.pinned[position].iter().all(is_pinned) {
                    return false;
                }
                for input in 0..explicit.inputs.len() {
                    let with = explicit.with_input(state, input);
                    let later = next.map(|next| &self.positions[next][..]);
                    let is_met = |(node, truth): &(NodeId, bool), rules: &mut Rules<'_>| {
                        rules.holds(*node, &with, later) == *truth
                    };
                    if self.agrees(model, here, position, &with, true)
                        && !self.demands[position].iter().all(|demand| is_met(demand, rules))
                    {
                        return false;
                    }
                }
                let Some(next) = next else { continue };
                let goes_on = explicit.edges.iter().any(|edge| {
                    edge.from == state
                        && self.agrees(model, here, position, &explicit.with_input(state, edge.input), true)
                        && self.agrees(model, &kept[next], next, &explicit.states[edge.to], false)
                });
                if !goes_on {
                    return false;
                }
            }
        }
        true
    }

    /// Whether some set of fewer values keeps the promise.
    fn has_smaller(&self, rules: &mut Rules<'_>, stripped: &Stripped) -> bool {
        let whole: Vec<(usize, VariableId)> =
            stripped.before.iter().enumerate().flat_map(|(at, ids)| ids.iter().map(move |id| (at, *id))).collect();
        let size: usize = stripped.kept.iter().map(Vec::len).sum();
        (0..1_u32 << whole.len()).filter(|set| (set.count_ones() as usize) < size).any(|set| {
            let mut kept = vec![Vec::new(); self.positions.len()];
            for (number, (at, id)) in whole.iter().enumerate() {
                if set >> number & 1 == 1 {
                    kept[*at].push(*id);
                }
            }
            self.keeps(rules, &kept)
        })
    }
}

/// Said where a second solver refuses an invariant.
const NO_INVARIANT: &str = "a claimed invariant is none";

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    stripped: usize,
    irredundant: usize,
    minimum: usize,
    loops: usize,
    about_inputs: usize,
}

/// Strips the counterexamples of one model; the first mistake in words.
fn compare(text: &str, mutant: Option<Mutant>, tally: &mut Tally) -> Result<(), String> {
    let Some(model) = load(text) else { return Ok(()) };
    let unlimited = Budget::unlimited();
    let Ok(mut design) = Design::new(&model, true, &unlimited) else { return Ok(()) };
    let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
    let mut rules = Rules::new(&model);
    for property in &model.properties {
        let bounded = Engine::Bounded(Some(5));
        let outcome = match &property.question {
            Question::Invariant(node) => engine::invariant(&mut design, *node, bounded, &unlimited),
            Question::Ltl(formula) => engine::linear(&mut design, formula, bounded, &unlimited),
            _ => continue,
        };
        let Ok(Outcome::Violated(trace)) = outcome else { continue };
        let positions = design.positions(&trace);
        let (demands, pinned) = demands(&model, &mut rules, &property.question, &positions, trace.loop_start);
        let order: Vec<VariableId> = model.variable_ids().collect();
        let wanted = Wanted { demands: &demands, order: &order, outside: 0, irredundant: true, minimum: true };
        design.circuit.mutant = mutant;
        let stripped = strip(&mut design, &trace, wanted, &unlimited).expect("no limit");
        design.circuit.mutant = None;
        if stripped.defect.is_some() {
            return Err(NO_INVARIANT.to_owned());
        }
        let listed = Listed {
            explicit: &explicit,
            reached: explicit.reachable().0,
            positions: &positions,
            loop_start: trace.loop_start,
            demands: &demands,
            pinned,
        };
        let words = |what: &str| format!("{}: {what}: {:?} at {:?}", property.text, stripped.kept, positions);
        if !listed.keeps(&mut rules, &stripped.kept) {
            return Err(words("the promise is broken"));
        }
        tally.stripped += 1;
        tally.loops += usize::from(trace.loop_start.is_some());
        let is_input = |id: &VariableId| model.variable(*id).kind == VariableKind::Input;
        tally.about_inputs += usize::from(stripped.before.iter().flatten().any(is_input));
        if stripped.irredundant {
            tally.irredundant += 1;
            for (position, ids) in stripped.kept.iter().enumerate() {
                for id in ids {
                    let mut fewer = stripped.kept.clone();
                    fewer[position].retain(|one| one != id);
                    if listed.keeps(&mut rules, &fewer) {
                        return Err(words("a value can be dropped"));
                    }
                }
            }
        }
        if stripped.minimum && stripped.before.iter().map(Vec::len).sum::<usize>() <= FEW_VALUES {
            tally.minimum += 1;
            if listed.has_smaller(&mut rules, &stripped) {
                return Err(words("a smaller set suffices"));
            }
        }
    }
    Ok(())
}

/// Everything that a property and fairness are about, with its truth on the trace, and what is said about next states.
type Demands = (Vec<Vec<(NodeId, bool)>>, Vec<Vec<VariableId>>);

fn demands(
    model: &Model,
    rules: &mut Rules<'_>,
    question: &Question,
    positions: &[Valuation],
    loop_start: Option<usize>,
) -> Demands {
    let mut demands = vec![Vec::new(); positions.len()];
    let mut pinned = vec![Vec::new(); positions.len()];
    let Some(start) = loop_start else {
        let Question::Invariant(node) = question else { panic!("a finite path breaks an invariant") };
        let mentions = model.facts(*node).mentions;
        let about_step = mentions.next || mentions.input;
        let last = positions.len() - 1;
        demands[last - usize::from(about_step)].push((*node, false));
        if mentions.next {
            pinned[last].extend(model.variable_ids().filter(|id| model.variable(*id).name == "n"));
        }
        return (demands, pinned);
    };
    let fair = model.justice.iter().chain(model.compassion.iter().flat_map(|(p, q)| [p, q])).copied();
    for (at, position) in positions.iter().enumerate() {
        let nodes: Vec<NodeId> =
            if at < start { question.atoms() } else { question.atoms().into_iter().chain(fair.clone()).collect() };
        demands[at] = nodes.into_iter().map(|node| (node, rules.holds(node, position, None))).collect();
    }
    (demands, pinned)
}

/// The texts of the other tests, with an invariant about steps.
fn with_steps(seed: u64) -> String {
    text(seed).replacen("MODULE main\n", "MODULE main\nINVARSPEC n = 0 | next(n) != n\n", 1)
}

#[test]
fn what_is_kept_keeps_the_promise_and_is_needed() {
    let mut tally = Tally::default();
    for seed in 0..150 {
        compare(&with_steps(seed), None, &mut tally)
            .unwrap_or_else(|words| panic!("seed {seed}: {words}\n{}", with_steps(seed)));
    }
    assert!(tally.stripped > 100 && tally.loops > 30 && tally.about_inputs > 5, "{tally:?}");
    assert!(tally.irredundant * 10 > tally.stripped * 9 && tally.minimum > 20, "{tally:?}");
}

/// Some random model shows a mistake, and nothing is wrong with it without the mistake.
fn is_caught(mutant: Mutant) {
    let mut tally = Tally::default();
    let caught = (0..400).find(|seed| compare(&with_steps(*seed), Some(mutant), &mut tally).is_err());
    let Some(seed) = caught else { panic!("{mutant:?} is not seen") };
    assert_eq!(compare(&with_steps(seed), None, &mut tally), Ok(()), "seed {seed}");
}

#[test]
fn steps_are_part_of_the_promise() {
    is_caught(Mutant::StepsUnasked);
}

#[test]
fn unreachable_states_break_no_promise() {
    is_caught(Mutant::AllStatesReachable);
}

#[test]
fn a_state_may_need_a_choice_of_its_own() {
    is_caught(Mutant::ChoicesUnrefined);
}
