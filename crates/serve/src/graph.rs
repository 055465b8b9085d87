//! The state graph of a small model: all states by breadth-first search with the reference interpreter, folded by what the
//! reader wants to tell apart, with a counterexample highlighted.
//!
//! Folding: two states are one node if they agree on the chosen variables, or on the places of the chosen processes.

use crate::check::{load, refused, selection};
use crate::server::{Given, Shared};
use crate::simulate::smv_values;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use checker::promela::input::Input;
use checker::promela::record::Recorder;
use checker::report::{Language, NamedValue, Run};
use checker::{Model, Selection};
use flat::explicit::walk::{Place, Walk};
use flat::model::Model as Flat;
use kernel::budget::Budget;
use page::drawing::{Direction, Edge, Graph, Node};
use promela::explain::Describer;
use promela::reference::{Reference, Transition};
use promela::snapshot::{Location, Snapshot};
use promela::validate::describe;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

/// The most states that are explored.
const MOST: usize = 5_000;
/// The most nodes that are drawn.
const MOST_DRAWN: usize = 2_000;
/// Successors of one SMV state beyond this number are left out.
const MOST_SUCCESSORS: usize = 200;

/// What to draw.
#[derive(Deserialize)]
pub(crate) struct Wish {
    #[serde(flatten)]
    given: Given,
    /// Names of variables or processes that tell states apart; all if there are none.
    #[serde(default)]
    fold: Vec<String>,
    /// The property whose counterexample is highlighted.
    #[serde(default)]
    property: Option<String>,
    /// The two states between which a shortest path is highlighted, by their numbers.
    #[serde(default)]
    between: Option<(usize, usize)>,
}

/// Explores and draws.
pub(crate) async fn graph(State(shared): State<Arc<Shared>>, Json(wish): Json<Wish>) -> Response {
    let options = Arc::clone(&shared);
    shared.work.start(&shared.options, move |budget, reporter| {
        reporter.tell(&match load(&options, &wish.given, budget) {
            Err(error) => refused(&error),
            Ok(model) => drawn(model, &wish, budget).unwrap_or_else(|error| json!({ "error": error })),
        });
    })
}

/// States in the order of their discovery, and the steps between them.
#[derive(Default)]
struct States {
    /// What is known of each state: names and values, places of processes included.
    values: Vec<Vec<NamedValue>>,
    /// The steps: source, target, what happens.
    edges: Vec<(usize, usize, String)>,
    initial: Vec<usize>,
    is_complete: bool,
    /// The states along the run that is highlighted.
    path: Vec<usize>,
}

fn drawn(model: Model, wish: &Wish, budget: &Budget) -> Result<Value, String> {
    let run = wish.property.as_ref().and_then(|property| {
        let wanted: Selection = selection(Some(property), None);
        let report = checker::check(&model, &wanted, &checker::Options::default(), budget, &mut ()).ok()?;
        let found = report.properties.into_iter().find(|one| one.name == *property)?;
        found.counterexamples().first().map(|one| (**one).clone())
    });
    let mut states = match model.language() {
        Language::Smv => of_smv(&model.into_smv().expect("the language is SMV").model, run.as_ref(), budget)?,
        Language::Promela => of_promela(&model.into_promela().expect("the language is Promela"), run.as_ref(), budget)?,
    };
    if let Some((from, to)) = wish.between {
        states.path = states.shortest(from, to).ok_or("there is no path between these states")?;
    }
    let names: Vec<String> = states.names();
    let (graph, first) = states.folded(&wish.fold);
    let nodes = first.len();
    if nodes > MOST_DRAWN {
        return Err(format!("{nodes} nodes are too many to be drawn (at most {MOST_DRAWN}): fold by fewer variables"));
    }
    let description =
        format!("State graph: {} states, {nodes} nodes, {} edges", states.values.len(), graph.edges.len());
    Ok(json!({
        "svg": graph.svg(&description, Direction::Down), "states": states.values.len(), "nodes": nodes,
        "edges": graph.edges.len(), "complete": states.is_complete, "names": names, "path": states.path.len(), "first": first
    }))
}

impl States {
    /// All names that states are told apart by.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for one in self.values.iter().take(200).flatten() {
            if !names.contains(&one.name) {
                names.push(one.name.clone());
            }
        }
        names
    }

    /// A shortest path between two states.
    fn shortest(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.values.len()];
        self.edges.iter().for_each(|(source, target, _)| next[*source].push(*target));
        let mut before: HashMap<usize, usize> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for &successor in next.get(state)? {
                if successor == to {
                    let mut path = vec![to, state];
                    while let Some(earlier) =
                        path.last().filter(|last| **last != from).and_then(|last| before.get(last))
                    {
                        path.push(*earlier);
                    }
                    path.reverse();
                    return Some(path);
                }
                if successor != from && !before.contains_key(&successor) {
                    before.insert(successor, state);
                    queue.push_back(successor);
                }
            }
        }
        None
    }

    /// The graph whose nodes are states that agree on the chosen names, and for each node the first of its states.
    fn folded(&self, fold: &[String]) -> (Graph, Vec<usize>) {
        let is_chosen = |name: &str| fold.is_empty() || fold.iter().any(|one| one == name);
        let mut number: HashMap<Vec<String>, usize> = HashMap::new();
        let (mut nodes, mut members, mut first) = (Vec::<Node>::new(), Vec::<usize>::new(), Vec::new());
        let mut node_of = Vec::new();
        for (index, values) in self.values.iter().enumerate() {
            let chosen: Vec<String> = values
                .iter()
                .filter(|one| is_chosen(&one.name))
                .map(|one| format!("{} = {}", one.name, one.value))
                .collect();
            // Unfolded, every state is a node of its own.
            let key = if fold.is_empty() { vec![index.to_string()] } else { chosen.clone() };
            let node = *number.entry(key).or_insert_with(|| {
                let label = if fold.is_empty() { index.to_string() } else { chosen.join("\n") };
                nodes.push(Node { label, title: chosen.join("\n"), is_box: !fold.is_empty(), ..Node::default() });
                members.push(0);
                first.push(index);
                nodes.len() - 1
            });
            members[node] += 1;
            nodes[node].is_initial |= self.initial.contains(&index);
            node_of.push(node);
        }
        for (node, count) in nodes.iter_mut().zip(&members).filter(|(_, count)| **count > 1) {
            node.title.push_str(&format!("\n{count} states"));
        }
        let on_path: Vec<(usize, usize)> =
            self.path.windows(2).map(|pair| (node_of[pair[0]], node_of[pair[1]])).collect();
        self.path.iter().for_each(|state| nodes[node_of[*state]].is_on_path = true);
        let mut edges: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for (source, target, label) in &self.edges {
            let (source, target) = (node_of[*source], node_of[*target]);
            // Steps inside a folded node are no edges.
            if fold.is_empty() || source != target {
                edges.entry((source, target)).or_default().push(label);
            }
        }
        // Labels help as long as there is room for them.
        let has_labels = edges.len() <= 60;
        let edges = edges.into_iter().map(|((source, target), mut labels)| {
            labels.sort_unstable();
            labels.dedup();
            let label = if has_labels { page::markup::cut(&labels.join("\n"), 60) } else { String::new() };
            Edge { source, target, label, is_bold: false, is_on_path: on_path.contains(&(source, target)) }
        });
        (Graph { edges: edges.collect(), nodes }, first)
    }
}

/// What an exploration found: states, and for each its steps.
fn explore<S: Clone + Eq + Hash>(
    initial: Vec<S>,
    budget: &Budget,
    mut successors: impl FnMut(&S) -> Result<Vec<(S, String)>, String>,
) -> Result<(Vec<S>, States), String> {
    let mut number: HashMap<S, usize> = HashMap::new();
    let (mut all, mut found) = (Vec::new(), States { is_complete: true, ..States::default() });
    for state in initial {
        if !number.contains_key(&state) {
            number.insert(state.clone(), all.len());
            found.initial.push(all.len());
            all.push(state);
        }
    }
    let mut index = 0;
    while index < all.len() {
        budget.check().map_err(|limit| limit.to_string())?;
        for (next, label) in successors(&all[index].clone())? {
            let target = match number.get(&next) {
                Some(known) => *known,
                None if all.len() >= MOST => {
                    found.is_complete = false;
                    continue;
                }
                None => {
                    number.insert(next.clone(), all.len());
                    all.push(next);
                    all.len() - 1
                }
            };
            found.edges.push((index, target, label));
        }
        index += 1;
    }
    Ok((all, found))
}

fn of_promela(input: &Input, run: Option<&Run>, budget: &Budget) -> Result<States, String> {
    let reference = Reference::new(&input.program);
    let describer = Describer::new(&input.program);
    let recorder = Recorder { describer: &describer, sources: &input.sources };
    let step =
        |state: &Snapshot, transition: &Transition| recorder.step(&describe(&reference, &describer, state, transition));
    let (all, mut states) = explore(vec![reference.initial()], budget, |state: &Snapshot| {
        let transitions = reference.transitions(state);
        let next = transitions.iter().filter_map(|transition| {
            let step = step(state, transition);
            let who =
                step.process.as_ref().zip(step.pid).map_or_else(String::new, |(name, pid)| format!("{name}({pid}) "));
            Some((transition.next.clone()?, format!("{who}{}", step.statement.unwrap_or_default())))
        });
        Ok(next.collect())
    })?;
    let place = |process: &promela::snapshot::Process| match process.location {
        Location::At(id) | Location::Exit(id) => {
            let (span, text) = describer.statement_text(id);
            format!("line {} {text}", input.sources.line_column(span).0)
        }
        Location::End => "end".into(),
    };
    states.values = all
        .iter()
        .map(|state| {
            let places = state.processes.iter().enumerate().map(|(pid, process)| NamedValue {
                name: format!("{}({pid})", describer.proc(process.proc)),
                value: checker::report::Value::Name(place(process)),
            });
            places.chain(recorder.values(state)).collect()
        })
        .collect();
    // The run is followed by what its steps say, as a saved trace is.
    let number: HashMap<&Snapshot, usize> = (0..).zip(&all).map(|(index, state)| (state, index)).collect();
    if let Some(run) = run {
        let mut state = reference.initial();
        states.path.push(0);
        for wanted in run.steps() {
            let transitions = reference.transitions(&state);
            let Some(next) =
                transitions.iter().find(|one| step(&state, one) == *wanted).and_then(|one| one.next.clone())
            else {
                break;
            };
            let Some(index) = number.get(&next) else { break };
            states.path.push(*index);
            state = next;
        }
    }
    Ok(states)
}

fn of_smv(model: &Flat, run: Option<&Run>, budget: &Budget) -> Result<States, String> {
    let mut walk = Walk::new(model, budget);
    let mut is_cut = false;
    let mut following = |place: Option<&Place>| {
        let mut found = walk.following(place, &[], 0, MOST_SUCCESSORS + 1).map_err(|limit| limit.to_string())?;
        is_cut |= found.len() > MOST_SUCCESSORS;
        found.truncate(MOST_SUCCESSORS);
        Ok::<_, String>(found)
    };
    let initial = following(None)?;
    let (all, mut states) = explore(initial, budget, |place: &Place| {
        Ok(following(Some(place))?.into_iter().map(|next| (next, String::new())).collect())
    })?;
    states.is_complete &= !is_cut;
    states.values = all.iter().map(|place| smv_values(model, place)).collect();
    if let Some(run) = run {
        let shown = std::iter::once(&run.initial).chain(run.steps().filter_map(|step| step.state.as_deref()));
        for wanted in shown {
            let is_meant = |values: &Vec<NamedValue>| wanted.values.iter().all(|one| values.contains(one));
            let Some(index) = states.values.iter().position(is_meant) else { break };
            states.path.push(index);
        }
    }
    Ok(states)
}
