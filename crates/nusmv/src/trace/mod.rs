//! Traces of a session, and the layouts in which they are printed (NuSMV's trace plugins), one file each.

pub mod basic;
pub mod compact;
pub mod table;
pub mod xml;

use checker::report::{NamedValue, Run};
use flat::cone;
use flat::enumerate::Valuation;
use flat::model::{Define, Model, VariableId, VariableKind};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use symbolic::report::Setting;
use symbolic::report::trace::definitions;

/// The name of the input that says which process moves.
const SELECTOR: &str = "_process_selector_";

/// What a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// That a property is violated.
    Counterexample,
    /// A run that was simulated.
    Simulation,
}

/// One state, with the inputs of the step that enters it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The inputs of the step that enters the state, and definitions about inputs alone; empty for the first state.
    pub inputs: Vec<Setting>,
    /// Definitions about the previous state and those inputs.
    pub mixed: Vec<Setting>,
    /// Frozen variables, then the others, then definitions about the state.
    pub state: Vec<Setting>,
}

/// A trace. The last state of a loop is its first one, once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What it shows, such as `CTL Counterexample`.
    pub description: &'static str,
    /// Counterexample or simulation.
    pub kind: Kind,
    /// The states.
    pub moments: Vec<Moment>,
    /// The state in which the loop begins, counted from 0.
    pub loop_start: Option<usize>,
}

/// How to print a trace.
#[derive(Clone, Debug)]
pub struct Style {
    /// The number of the layout.
    pub plugin: usize,
    /// Whether definitions are printed.
    pub defines: bool,
    /// Names with this prefix are not printed.
    pub hidden: Option<String>,
}

impl Trace {
    /// A trace without states.
    #[must_use]
    pub fn new(description: &'static str, kind: Kind) -> Self {
        Self { description, kind, moments: Vec::new(), loop_start: None }
    }

    /// The trace of a counterexample. Of a tree of runs, it is the main one.
    #[must_use]
    pub fn of_run(model: &Model, order: &[VariableId], run: &Run, description: &'static str) -> Self {
        let mut trace = Self::new(description, Kind::Counterexample);
        let names = Names::of(model, order);
        let settings = |values: &[NamedValue]| -> Vec<Setting> {
            values.iter().map(|one| Setting { name: one.name.clone(), value: one.value.in_smv() }).collect()
        };
        let state = |valuation: &checker::report::Valuation| {
            names.state(settings(&valuation.values), settings(&valuation.definitions))
        };
        trace.moments.push(Moment { state: state(&run.initial), ..Moment::default() });
        for step in run.steps() {
            let inputs = step.inputs.as_ref();
            let (values, defined) = inputs
                .map_or_else(Default::default, |inputs| (settings(&inputs.values), settings(&inputs.definitions)));
            let (inputs, mixed) = names.inputs(values, defined);
            trace.moments.push(Moment { inputs, mixed, state: state(step.state.as_deref().unwrap_or(&run.initial)) });
        }
        trace.loop_start = (!run.cycle.is_empty()).then_some(run.stem.len());
        trace
    }

    /// Adds a state; the values of inputs are those of the step that enters it.
    pub fn push(&mut self, model: &Model, order: &[VariableId], place: &Valuation, previous: Option<&Valuation>) {
        let names = Names::of(model, order);
        let values = |wanted: &dyn Fn(VariableKind) -> bool| -> Vec<Setting> {
            let ids = model.variable_ids().filter(|id| wanted(model.variable(*id).kind));
            let setting = |id: VariableId| {
                let variable = model.variable(id);
                let value = model.show(&place[id.0 as usize], variable.domain.r#type());
                Setting { name: variable.name.clone(), value }
            };
            ids.map(setting).collect()
        };
        let state = names.state(values(&|kind| kind != VariableKind::Input), definitions(model, place, false).state);
        let (inputs, mixed) = match previous {
            None => Default::default(),
            Some(previous) => {
                let mut leaving = previous.clone();
                for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
                    leaving[id.0 as usize] = place[id.0 as usize].clone();
                }
                names.inputs(values(&|kind| kind == VariableKind::Input), definitions(model, &leaving, true).inputs)
            }
        };
        self.moments.push(Moment { inputs, mixed, state });
    }

    /// The values of a state that the trace stores, if it stores all.
    #[must_use]
    pub fn place(&self, model: &Model, at: usize) -> Option<Valuation> {
        let moment = self.moments.get(at)?;
        let mut values = Vec::new();
        for id in model.variable_ids() {
            let variable = model.variable(id);
            let setting = moment.state.iter().chain(&moment.inputs).find(|one| one.name == variable.name);
            match setting {
                Some(one) => {
                    values.push((id, symbolic::validate::retrace::value_of(model, &variable.domain, &one.value)?));
                }
                None if variable.kind == VariableKind::Input => {}
                None => return None,
            }
        }
        Some(flat::enumerate::valuation(model, values))
    }

    /// The trace with this number in a layout; only some of its states, counted from 1, if a range is given.
    #[must_use]
    pub fn show(&self, number: usize, range: Option<RangeInclusive<usize>>, style: &Style) -> String {
        let range = range.unwrap_or(1..=self.moments.len());
        match style.plugin {
            0 => basic::show(self, number, range, false, style),
            1 => basic::show(self, number, range, true, style),
            2 => table::by_state(self, range, style),
            3 => table::by_name(self, range, style),
            4 => xml::show(self, range, style),
            _ => compact::show(self, range, style),
        }
    }
}

impl Style {
    /// Whether a value is printed.
    fn shows(&self, setting: &Setting, defines: &[&str]) -> bool {
        let is_hidden =
            self.hidden.as_ref().is_some_and(|prefix| !prefix.is_empty() && setting.name.starts_with(prefix));
        !is_hidden && (self.defines || !defines.contains(&setting.name.as_str()))
    }

    /// The trace with the values that are printed.
    #[must_use]
    pub fn filtered(&self, trace: &Trace, model: &Model) -> Trace {
        let defines: Vec<&str> = model.defines.iter().map(|define| define.name.as_str()).collect();
        let keep = |settings: &[Setting]| -> Vec<Setting> {
            settings.iter().filter(|one| self.shows(one, &defines)).cloned().collect()
        };
        let moment = |moment: &Moment| Moment {
            inputs: keep(&moment.inputs),
            mixed: keep(&moment.mixed),
            state: keep(&moment.state),
        };
        Trace { moments: trace.moments.iter().map(moment).collect(), ..trace.clone() }
    }
}

/// The order in which NuSMV lists names: frozen variables first; definitions instance by instance, and those of one
/// instance from the last to the first.
struct Names<'m> {
    model: &'m Model,
    /// The place of each variable.
    places: HashMap<&'m str, usize>,
    frozen: Vec<&'m str>,
    defines: Vec<&'m Define>,
    processes: Vec<String>,
}

impl<'m> Names<'m> {
    fn of(model: &'m Model, order: &[VariableId]) -> Self {
        let names = order.iter().map(|id| model.variable(*id).name.as_str());
        let frozen = model.variables.iter().filter(|variable| variable.kind == VariableKind::Frozen);
        Self {
            model,
            places: names.enumerate().map(|(place, name)| (name, place)).collect(),
            frozen: frozen.map(|variable| variable.name.as_str()).collect(),
            defines: defines_in_order(model),
            processes: processes(model),
        }
    }

    fn state(&self, mut values: Vec<Setting>, defined: Vec<Setting>) -> Vec<Setting> {
        self.sort(&mut values);
        let is_frozen = |one: &Setting| self.frozen.contains(&one.name.as_str());
        let (mut state, rest): (Vec<_>, Vec<_>) = values.into_iter().partition(is_frozen);
        state.extend(rest);
        state.extend(self.ordered(defined));
        state
    }

    /// The inputs with definitions about them alone, and the definitions that are also about the state.
    fn inputs(&self, mut values: Vec<Setting>, defined: Vec<Setting>) -> (Vec<Setting>, Vec<Setting>) {
        self.sort(&mut values);
        let model = self.model;
        let about_inputs = |one: &Setting| {
            let define = model.defines.iter().find(|define| define.name == one.name);
            define.is_some_and(|define| {
                let mut used = cone::variables(model, define.body).into_iter();
                used.all(|id| model.variable(id).kind == VariableKind::Input)
            })
        };
        let moving = values.iter().find(|one| one.name == SELECTOR).map(|one| one.value.clone());
        let mut inputs = values;
        if let Some(moving) = moving {
            let running = |(at, process): (usize, &String)| Setting {
                name: if at == 0 { "running".into() } else { format!("{process}.running") },
                value: if *process == moving { "TRUE".into() } else { "FALSE".into() },
            };
            inputs.extend(self.processes.iter().enumerate().map(running));
        }
        let (pure, mixed): (Vec<_>, Vec<_>) = self.ordered(defined).into_iter().partition(about_inputs);
        inputs.extend(pure);
        (inputs, mixed)
    }

    fn sort(&self, values: &mut [Setting]) {
        values.sort_by_key(|one| self.places.get(one.name.as_str()).copied().unwrap_or(usize::MAX));
    }

    fn ordered(&self, defined: Vec<Setting>) -> Vec<Setting> {
        let mut defined: Vec<Option<Setting>> = defined.into_iter().map(Some).collect();
        let mut take = |name: &str| {
            let at = defined.iter().position(|one| one.as_ref().is_some_and(|one| one.name == name))?;
            defined[at].take()
        };
        self.defines.iter().filter_map(|define| take(&define.name)).collect()
    }
}

/// The definitions, instance by instance, and those of one instance from the last to the first.
fn defines_in_order(model: &Model) -> Vec<&Define> {
    let instance = |define: &Define| define.name.rsplit_once('.').map_or("", |(path, _)| path).to_owned();
    let mut instances: Vec<String> = Vec::new();
    for define in &model.defines {
        let path = instance(define);
        if !instances.contains(&path) {
            instances.push(path);
        }
    }
    let of_instance = |path: &String| model.defines.iter().rev().filter(|define| instance(define) == *path).collect();
    instances.iter().flat_map::<Vec<&Define>, _>(of_instance).collect()
}

/// The processes of a model in the order in which NuSMV lists them: `main`, then the others from the last to the first.
fn processes(model: &Model) -> Vec<String> {
    let Some(selector) = model.find_variable(SELECTOR) else { return Vec::new() };
    let domain = &model.variable(selector).domain;
    let mut names: Vec<String> =
        (0..domain.size()).map(|at| model.show(&domain.value(at as u64), domain.r#type())).collect();
    names[1..].reverse();
    names
}
