//! Stripped counterexamples keep their promise: all paths through the cubes, enumerated on small machines.

mod common;

use bdd::{Cube, Manager, Variable};
use common::Generator;
use flat::enumerate::Rules;
use flat::enumerate::machine::Explicit;
use flat::model::{Model, Question};
use flat::order;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use symbolic::encode::Encoding;
use symbolic::fixpoint::Fixpoints;
use symbolic::image::machine::Machine;
use symbolic::image::reach;
use symbolic::strip::{self, Effort, Frame, PositionValues, Variables};
use symbolic::witness::Witness;
use symbolic::witness::claim::{Claim, ClaimKind, Claims};

/// How many models are tried; more if the environment says so.
fn models() -> u64 {
    std::env::var("SYMBOLIC_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("random.smv", text, None);
    smv::load(&sources, file, &Budget::unlimited()).expect("no limit").model
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

/// The inputs in a cube.
fn inputs(model: &Model, encoding: &Encoding, explicit: &Explicit, cube: &Cube) -> Vec<usize> {
    let inside = |input: &usize| {
        let values = explicit.with_input(0, *input);
        let bits = explicit.inputs[*input].iter().flat_map(|(id, _)| {
            let index = model.variable(*id).domain.index(&values[id.0 as usize]).expect("a value of the input");
            (0..).zip(encoding.bits_now(*id)).map(move |(place, bit)| (*bit, index.bit(place)))
        });
        let bits: Vec<(Variable, bool)> = bits.collect();
        cube.literals().iter().all(|literal| bits.contains(literal))
    };
    (0..explicit.inputs.len()).filter(inside).collect()
}

/// What is allowed at one position: states, and inputs of the step that leaves them.
struct Allowed {
    states: Vec<usize>,
    inputs: Vec<usize>,
}

/// Every path of reachable states through the cubes, with the inputs of its steps, as long as there are not too many;
/// for a loop with the step that closes it.
fn paths(explicit: &Explicit, sets: &[Allowed], loop_start: Option<usize>) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut paths: Vec<_> = sets[0].states.iter().map(|state| (vec![*state], Vec::new())).collect();
    for (at, next) in (1..sets.len()).chain(loop_start).enumerate() {
        let mut longer = Vec::new();
        for (states, taken) in &paths {
            let from = states[at];
            let edges = explicit.edges.iter().filter(|edge| {
                edge.from == from && sets[next].states.contains(&edge.to) && sets[at].inputs.contains(&edge.input)
            });
            let found = longer.len();
            for edge in edges.take(12) {
                let (mut states, mut taken) = (states.clone(), taken.clone());
                states.push(edge.to);
                taken.push(edge.input);
                longer.push((states, taken));
            }
            assert!(longer.len() > found, "from every state of a cube the next cube can be reached");
        }
        longer.truncate(2000);
        paths = longer;
    }
    paths
}

/// Values left over all counterexamples, for each effort, and literals of inputs.
#[derive(Default)]
struct Tally {
    values: [usize; 4],
    inputs: usize,
}

#[test]
fn every_path_through_the_cubes_shows_the_claim() {
    let mut tally = Tally::default();
    for seed in 9000..9000 + models() {
        let mut generator = Generator::new(seed);
        let text = generator.model();
        let properties: String = formulas(&mut generator).iter().map(|formula| format!("SPEC {formula}\n")).collect();
        let text = text.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1);
        if let Some(model) = load(&text) {
            keeps_the_promise(seed, &text, &model, &mut tally);
        }
    }
    assert!(tally.values[1] < tally.values[0] && tally.values[2] < tally.values[1], "{:?}", tally.values);
}

#[test]
fn every_path_through_the_cubes_of_tiny_models_shows_the_claim() {
    let mut tally = Tally::default();
    for seed in 9000..9000 + 10 * models() {
        let mut generator = Generator::new(seed);
        let mut text = generator.tiny();
        let (f, g) = (generator.tiny_formula(false, 0), generator.tiny_formula(false, 0));
        text += &format!("SPEC EG ({f})\nSPEC EG TRUE\nSPEC E [ {f} U {g} ]\nSPEC EF ({f} & EG ({g}))\n");
        let model = load(&text).unwrap_or_else(|| panic!("seed {seed}: not a model\n{text}"));
        keeps_the_promise(seed, &text, &model, &mut tally);
    }
    assert!(tally.inputs > 0, "no counterexample depends on inputs");
}

fn keeps_the_promise(seed: u64, text: &str, model: &Model, tally: &mut Tally) {
    let order = order::bits(model, &order::declared(model));
    let Ok(mut machine) = Machine::new(model, Manager::new(), &order) else { return };
    let explicit = Explicit::new(model, 1 << 10).expect("a small machine");
    let (reachable, _) = explicit.reachable();
    let system = machine.system().clone();
    let reached = reach::reachable(&system, system.initial()).expect("no limit");
    let fixpoints = Fixpoints::new(&system, reached).expect("no limit");
    let witness = Witness::new(&fixpoints);
    let encoding = machine.encoding().clone();
    let groups: Vec<Vec<Variable>> = model.variable_ids().map(|id| encoding.bits_now(id).to_vec()).collect();
    let variables = Variables { groups, outside: 0 };
    for property in &model.properties {
        let Question::Ctl(formula) = &property.question else { continue };
        let claim = Claims::new(&fixpoints, &mut |atom| machine.truth(atom)).claim(formula, true).expect("no limit");
        let starts = system.initial().and(&claim.set);
        if starts.is_false() {
            continue;
        }
        let start = witness.any_state(&starts);
        let evidence = witness.show(&claim, &start).expect("no limit");
        let frame = Frame::of_claim(&fixpoints, &claim, &evidence, &start).expect("no limit");
        let efforts = [Effort::Off, Effort::Guided, Effort::Irredundant, Effort::Exact];
        let mut totals = [0; 4];
        for (index, effort) in efforts.into_iter().enumerate() {
            let stripped = strip::strip(&frame, effort, &variables).expect("no limit");
            totals[index] = stripped.places.iter().map(|place| variables.used(place)).sum();
            tally.inputs += stripped.places.iter().map(|place| place.input.literals().len()).sum::<usize>();
            let sets: Vec<Allowed> = stripped
                .places
                .iter()
                .map(|place| Allowed {
                    states: members(model, &encoding, &explicit, &reachable, &place.state),
                    inputs: inputs(model, &encoding, &explicit, &place.input),
                })
                .collect();
            let context = format!("seed {seed}, {effort:?}, {}\n{text}", property.text);
            check_paths(&claim, &frame, &explicit, &sets, &encoding, model, &context);
            if stripped.irredundant {
                check_irredundant(&frame, &stripped.places, &variables, &context);
            }
        }
        assert!(totals[1] <= totals[0] && totals[2] <= totals[1] && totals[3] <= totals[2], "seed {seed}: {totals:?}");
        tally.values.iter_mut().zip(totals).for_each(|(sum, total)| *sum += total);
    }
}

fn check_paths(
    claim: &Claim,
    frame: &Frame<'_, '_>,
    explicit: &Explicit,
    sets: &[Allowed],
    encoding: &Encoding,
    model: &Model,
    context: &str,
) {
    let holds = |claim: &Claim, state: usize| {
        let cube = encoding.state(model, &explicit.states[state]);
        claim.set.evaluate(|bit| cube.value(bit) == Some(true))
    };
    let mut rules = Rules::new(model);
    for (path, taken) in paths(explicit, sets, frame.path().loop_start) {
        let last = sets.len() - 1;
        let shown = match &claim.kind {
            ClaimKind::Next(a) => holds(a, path[1]),
            ClaimKind::Until(a, b) if frame.path().loop_start.is_none() => {
                path[..last].iter().all(|state| holds(a, *state)) && holds(b, path[last])
            }
            ClaimKind::BoundedUntil(_, _, a, b) => {
                path[..last].iter().all(|state| holds(a, *state)) && holds(b, path[last])
            }
            ClaimKind::Always(a) => path.iter().all(|state| holds(a, *state)),
            _ => true,
        };
        assert!(shown && holds(claim, path[0]), "{path:?} does not show the claim; {context}");
        if let Some(start) = frame.path().loop_start {
            // Each round is fair, so any number of different rounds is.
            let mut often =
                |node| (start..=last).any(|at| rules.holds(node, &explicit.with_input(path[at], taken[at]), None));
            let just = model.justice.iter().all(|node| often(*node));
            let compassionate = model.compassion.iter().all(|(p, q)| !often(*p) || often(*q));
            assert!(just && compassionate, "{path:?} with inputs {taken:?} is not fair; {context}");
        }
    }
}

fn check_irredundant(frame: &Frame<'_, '_>, places: &[PositionValues], variables: &Variables, context: &str) {
    for (position, place) in places.iter().enumerate() {
        for bits in variables.groups.iter().filter(|bits| place.uses(bits)) {
            let whole = bits.iter().all(|bit| place.uses(&[*bit]));
            assert!(whole, "{bits:?} at {position} is there in part; {context}");
            let mut fewer = places.to_vec();
            fewer[position] = place.without(bits);
            assert!(frame.check(&fewer).expect("no limit").is_err(), "{bits:?} at {position} can go; {context}");
        }
    }
}
