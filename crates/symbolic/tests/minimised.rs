//! Stripped counterexamples keep their promise: all paths through the cubes, enumerated on small machines.

mod common;

use bdd::{Cube, Manager, Variable};
use common::Generator;
use kernel::span::SourceMap;
use symbolic::claim::{Claim, Claims, Kind};
use symbolic::encode::Encoding;
use symbolic::enumerate::machine::Explicit;
use symbolic::fixpoint::Fixpoints;
use symbolic::machine::Machine;
use symbolic::minimise::{self, Effort, Frame};
use symbolic::model::{Model, Question};
use symbolic::witness::Witness;
use symbolic::{order, reach};

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    symbolic::load(&sources, file).model
}

/// Claims with one path operator over plain operands, and one where a path leads to a loop.
fn formulas(generator: &mut Generator) -> Vec<String> {
    let (f, g) = (generator.truth(1, false), generator.truth(1, false));
    vec![
        format!("EX ({f})"),
        format!("E [ {f} U {g} ]"),
        format!("EF ({f} & {g})"),
        format!("EG ({f})"),
        format!("EF ({f} & EG ({g}))"),
        format!("EBF 1..3 ({f})"),
    ]
}

/// The reachable states in a cube.
fn members(model: &Model, encoding: &Encoding, explicit: &Explicit, reachable: &[bool], cube: &Cube) -> Vec<usize> {
    let inside = |state: &usize| {
        let own = encoding.state(model, &explicit.states[*state]);
        reachable[*state] && cube.literals().iter().all(|(bit, value)| own.value(*bit) == Some(*value))
    };
    (0..explicit.states.len()).filter(inside).collect()
}

/// Every path of reachable states through the cubes, as long as there are not too many.
fn paths(explicit: &Explicit, sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut paths: Vec<Vec<usize>> = sets[0].iter().map(|state| vec![*state]).collect();
    for set in &sets[1..] {
        let mut longer = Vec::new();
        for path in &paths {
            let last = path[path.len() - 1];
            let mut next: Vec<usize> = explicit
                .edges
                .iter()
                .filter(|edge| edge.from == last && set.contains(&edge.to))
                .map(|edge| edge.to)
                .collect();
            next.dedup();
            assert!(!next.is_empty(), "from every state of a cube the next cube can be reached");
            for state in next.into_iter().take(4) {
                longer.push(path.iter().copied().chain([state]).collect());
            }
        }
        longer.truncate(2000);
        paths = longer;
    }
    paths
}

#[test]
fn every_path_through_the_cubes_shows_the_claim() {
    let mut stripped_bits = [0_usize; 4];
    for seed in 9000..9000 + models() {
        let mut generator = Generator::new(seed);
        let text = generator.model();
        let properties: String = formulas(&mut generator).iter().map(|formula| format!("SPEC {formula}\n")).collect();
        let text = text.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1);
        let Some(model) = load(&text) else { continue };
        let order = order::bits(&model, &order::declared(&model));
        let Ok(mut machine) = Machine::new(&model, Manager::new(), &order) else { continue };
        let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
        let (reachable, _) = explicit.reachable();
        let system = machine.system().clone();
        let reached = reach::reachable(&system, system.initial()).expect("no limit");
        let fixpoints = Fixpoints::new(&system, reached).expect("no limit");
        let witness = Witness::new(&fixpoints);
        let encoding = machine.encoding().clone();
        let groups: Vec<Vec<Variable>> = model
            .variable_ids()
            .map(|id| encoding.bits_now(id).to_vec())
            .filter(|bits| bits.iter().any(|bit| system.state_bits().contains(bit)))
            .collect();
        for property in &model.properties {
            let Question::Ctl(formula) = &property.question else { continue };
            let claim =
                Claims::new(&fixpoints, &mut |atom| machine.truth(atom)).claim(formula, true).expect("no limit");
            let starts = system.initial().and(&claim.set);
            if starts.is_false() {
                continue;
            }
            let start = witness.any_state(&starts);
            let evidence = witness.show(&claim, &start).expect("no limit");
            let frame = Frame::of_claim(&fixpoints, &claim, &evidence, &start).expect("no limit");
            let efforts = [Effort::Off, Effort::Paper, Effort::Irredundant, Effort::Exact];
            let mut totals = [0; 4];
            for (index, effort) in efforts.into_iter().enumerate() {
                let stripped = minimise::strip(&frame, effort, &groups).expect("no limit");
                let uses =
                    |cube: &Cube| groups.iter().filter(|g| g.iter().any(|bit| cube.value(*bit).is_some())).count();
                totals[index] = stripped.cubes.iter().map(uses).sum();
                let sets: Vec<Vec<usize>> =
                    stripped.cubes.iter().map(|cube| members(&model, &encoding, &explicit, &reachable, cube)).collect();
                let context = format!("seed {seed}, {effort:?}, {}\n{text}", property.text);
                check_paths(&claim, &frame, &explicit, &sets, &encoding, &model, &context);
                if stripped.irredundant {
                    check_irredundant(&frame, &stripped.cubes, &context);
                }
            }
            assert!(
                totals[1] <= totals[0] && totals[2] <= totals[1] && totals[3] <= totals[2],
                "seed {seed}: {totals:?}"
            );
            stripped_bits.iter_mut().zip(totals).for_each(|(sum, total)| *sum += total);
        }
    }
    assert!(stripped_bits[1] < stripped_bits[0] && stripped_bits[2] < stripped_bits[1], "{stripped_bits:?}");
}

fn check_paths(
    claim: &Claim,
    frame: &Frame<'_, '_>,
    explicit: &Explicit,
    sets: &[Vec<usize>],
    encoding: &Encoding,
    model: &Model,
    context: &str,
) {
    let holds = |claim: &Claim, state: usize| {
        let cube = encoding.state(model, &explicit.states[state]);
        claim.set.evaluate(|bit| cube.value(bit) == Some(true))
    };
    for path in paths(explicit, sets) {
        let last = path.len() - 1;
        let shown = match &claim.kind {
            Kind::Next(a) => holds(a, path[1]),
            Kind::Until(a, b) if frame.path().loop_start.is_none() => {
                path[..last].iter().all(|state| holds(a, *state)) && holds(b, path[last])
            }
            Kind::BoundedUntil(_, _, a, b) => path[..last].iter().all(|state| holds(a, *state)) && holds(b, path[last]),
            Kind::Always(a) => path.iter().all(|state| holds(a, *state)),
            _ => true,
        };
        assert!(shown && holds(claim, path[0]), "{path:?} does not show the claim; {context}");
        if let Some(start) = frame.path().loop_start {
            let back = explicit.edges.iter().any(|edge| edge.from == path[last] && sets[start].contains(&edge.to));
            assert!(back, "no way back into the loop from {path:?}; {context}");
        }
    }
}

fn check_irredundant(frame: &Frame<'_, '_>, cubes: &[Cube], context: &str) {
    for position in 0..cubes.len() {
        for (bit, _) in cubes[position].literals() {
            let mut fewer = cubes.to_vec();
            fewer[position] = Cube::new(cubes[position].literals().iter().copied().filter(|(b, _)| b != bit)).unwrap();
            assert!(frame.check(&fewer).expect("no limit").is_err(), "{bit:?} at {position} can go; {context}");
        }
    }
}
