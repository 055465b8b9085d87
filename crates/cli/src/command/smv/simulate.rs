//! `lariat simulate MODEL.smv`: runs at random, or choice by choice, with undo.

use crate::arguments::Simulate;
use crate::command::simulate::{reason, seed_of_the_moment, stopped};
use crate::diagnostics;
use crate::exit::{Exit, Failure};
use crate::input::{InputError, load_smv};
use crate::output::{eprint, print};
use crate::terminal::Terminal;
use crate::thresholds::output::MOST_OFFERED;
use crate::view::count;
use crate::watchdog::Watchdog;
use checker::error::Rejected;
use checker::smv::Input;
use flat::explicit::walk::{Place, Walk};
use flat::model::{Model, Value, VariableId, VariableKind};
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::BufRead;
use symbolic::report::Trace;
use symbolic::validate::retrace::value_of;

const HELP: &str = "\
  NUMBER   take this step; an empty line follows the trace, or takes the only step
  m        show more steps
  X = V    offer only steps in which the input or the next state has this value
  n [N]    follow the trace N states (default 1)
  r [N]    take N steps at random (default 1)
  u [N]    undo N steps (default 1)
  v        show all values
  q        quit
";

/// Runs the command.
pub(crate) fn run(arguments: &Simulate, terminal: Terminal) -> Result<Exit, Failure> {
    if arguments.interactive && arguments.model.model == "-" {
        return Err(Failure::usage("the model and the choices cannot both come from standard input"));
    }
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let input = load_smv(&arguments.model, &budget).map_err(|error| error.failure(terminal))?;
    eprint(&diagnostics::render(&input.sources, &input.warnings, terminal.colours_messages));
    let seed = arguments.seed.unwrap_or_else(seed_of_the_moment);
    let walk = Walk::new(&input.model, &budget);
    let random = ChaCha8Rng::seed_from_u64(seed);
    let mut run = Run { model: &input.model, walk, random, path: Vec::new(), position: 0 };
    if arguments.interactive {
        return run.converse();
    }
    if arguments.seed.is_none() {
        print(&format!("seed {seed}\n"));
    }
    for _ in 0..=arguments.steps {
        budget.check_now(0).map_err(|limit| stopped(limit, run.position.saturating_sub(1) as u64))?;
        if !run.wander()? {
            let steps = count(run.position.saturating_sub(1) as u64, "step");
            let what =
                if run.position == 0 { "there is no initial state".into() } else { format!("deadlock after {steps}") };
            print(&format!("{what}\n"));
            return Ok(Exit::Violated);
        }
        run.show();
        let mistakes = run.mistakes();
        if !mistakes.is_empty() {
            let Input { name, sources, .. } = input;
            let rejected = Rejected { name, what: "the model".into(), sources, diagnostics: mistakes };
            return Err(InputError::from(rejected).failure(terminal));
        }
    }
    print(&format!("stopped after {}\n", count(arguments.steps, "step")));
    Ok(Exit::Holds)
}

/// Walks along a trace that was confirmed, with the user.
pub(crate) fn along(input: &Input, trace: &Trace) -> Result<Exit, Failure> {
    let model = &input.model;
    let walk = Walk::new(model, &Budget::unlimited());
    let mut path = Vec::new();
    let once_more = trace.loop_start.map(|start| &trace.states[start]);
    let mut inputs: &[_] = &[];
    for state in trace.states.iter().chain(once_more) {
        let settings = state.state.iter().chain(inputs);
        let values = settings.filter_map(|one| {
            let id = model.find_variable(&one.name)?;
            Some((id, value_of(model, &model.variable(id).domain, &one.value)?))
        });
        path.push(flat::enumerate::valuation(model, values));
        inputs = &state.inputs;
    }
    Run { model, walk, random: ChaCha8Rng::seed_from_u64(0), path, position: 1 }.converse()
}

/// The failure of a simulation that a limit or a request ended while it searched for the state with this number.
fn unfinished(limit: Exhausted, position: usize) -> Failure {
    let note = "note: the last choice was not found in time. Assignments and equations `x = …` determine values\n      \
                at once; other constraints in INIT, INVAR and TRANS are solved by trying values\n";
    let failure = match position.checked_sub(1) {
        Some(step) => stopped(limit, step as u64),
        None => Failure::new(Exit::Unknown, format!("{}: no initial state was found", reason(limit))),
    };
    Failure { details: note.into(), ..failure }
}

/// A run with its past, and with the future that was undone.
struct Run<'m> {
    model: &'m Model,
    walk: Walk<'m>,
    random: ChaCha8Rng,
    path: Vec<Place>,
    /// How many states of the path are behind us, the present one included.
    position: usize,
}

/// The choices that are offered.
struct Offer {
    /// The values that the choices offered have.
    wanted: Vec<(VariableId, Value)>,
    shown: Vec<Place>,
    /// Whether there are choices that were not shown yet.
    has_more: bool,
}

impl Run<'_> {
    fn present(&self) -> Option<&Place> {
        self.position.checked_sub(1).map(|at| &self.path[at])
    }

    /// The mistakes of the model that show in the present state.
    fn mistakes(&self) -> Vec<Diagnostic> {
        self.present().map_or_else(Vec::new, |place| self.walk.mistakes(place))
    }

    /// Goes to a state that follows.
    fn go(&mut self, place: Place) {
        self.path.truncate(self.position);
        self.path.push(place);
        self.position += 1;
    }

    /// One step at random; false if there is none.
    fn wander(&mut self) -> Result<bool, Failure> {
        let (random, present) = (&mut self.random, self.position.checked_sub(1).map(|at| &self.path[at]));
        let chosen = self.walk.any(present, &mut || random.random_range(0.0..1.0));
        let chosen = chosen.map_err(|limit| unfinished(limit, self.position))?;
        let Some(place) = chosen else { return Ok(false) };
        self.go(place);
        Ok(true)
    }

    /// Shows the present state: all values at first, then what changed.
    fn show(&self) {
        let Some(place) = self.present() else { return };
        let before = self.position.checked_sub(2).map(|at| &self.path[at]);
        print(&format!("{:>6}  {}\n", self.position - 1, self.words(before, place)));
    }

    fn words(&self, before: Option<&Place>, place: &Place) -> String {
        let (mut parts, mut inputs) = (Vec::new(), Vec::new());
        for id in self.model.variable_ids() {
            let variable = self.model.variable(id);
            let value = &place[id.0 as usize];
            let shown = self.model.show(value, variable.domain.r#type());
            match (variable.kind, before) {
                (VariableKind::Input, Some(_)) => inputs.push(format!("[{} = {shown}]", variable.name)),
                (VariableKind::Input, None) => {}
                (_, Some(before)) if before[id.0 as usize] == *value => {}
                _ => parts.push(format!("{} = {shown}", variable.name)),
            }
        }
        if parts.is_empty() {
            parts.push("nothing changes".into());
        }
        inputs.append(&mut parts);
        inputs.join(", ")
    }

    /// Reads choices until the user or the input ends.
    fn converse(mut self) -> Result<Exit, Failure> {
        print("Type the number of a step, `?` for help, `q` to quit.\n");
        let mut lines = std::io::stdin().lock().lines();
        let mut offer = self.offer()?;
        loop {
            print("> ");
            let Some(Ok(line)) = lines.next() else {
                print("\n");
                return Ok(Exit::Holds);
            };
            let mut words = line.split_whitespace();
            let word = words.next().unwrap_or("");
            let number = words.next().map_or(Some(1), |text| text.parse::<usize>().ok());
            match (word, number) {
                ("q" | "quit", _) => return Ok(Exit::Holds),
                ("m" | "more", Some(_)) => {
                    self.show_more(&mut offer)?;
                    continue;
                }
                _ if line.contains('=') => {
                    self.narrow(&mut offer, &line)?;
                    continue;
                }
                ("?" | "h" | "help", _) => print(HELP),
                ("v" | "values", _) => self.values(),
                ("n" | "next", Some(steps)) => self.go_on(steps),
                ("", _) if self.position < self.path.len() => self.go_on(1),
                ("", _) if offer.shown.len() == 1 && !offer.has_more => self.take(offer.shown[0].clone()),
                ("u" | "undo", Some(steps)) => self.position = self.position.saturating_sub(steps),
                ("r" | "random", Some(steps)) => {
                    for _ in 0..steps {
                        if !self.wander()? {
                            break;
                        }
                        self.show();
                    }
                }
                _ => match word.parse::<usize>().ok().and_then(|n| offer.shown.get(n.wrapping_sub(1))) {
                    Some(place) => self.take(place.clone()),
                    None => print(&format!("`{}` is neither an offered step nor a command\n", line.trim())),
                },
            }
            offer = self.offer()?;
        }
    }

    fn take(&mut self, place: Place) {
        self.go(place);
        self.show();
    }

    fn go_on(&mut self, steps: usize) {
        for _ in 0..steps {
            if self.position == self.path.len() {
                print("the trace ends here\n");
                return;
            }
            self.position += 1;
            self.show();
        }
    }

    /// Shows the steps that may follow.
    fn offer(&mut self) -> Result<Offer, Failure> {
        let mut offer = Offer { wanted: Vec::new(), shown: Vec::new(), has_more: true };
        let first = self.more(&mut offer)?;
        let known = self.path.len() - self.position;
        let known = if known > 0 { format!(" (the trace has {known} more)") } else { String::new() };
        match self.position.checked_sub(1) {
            None => print("initial states:\n"),
            Some(step) if first == 0 => print(&format!("after step {step}: deadlock\n")),
            Some(step) => print(&format!("after step {step}{known}:\n")),
        }
        self.list(&offer, 0);
        Ok(offer)
    }

    /// Adds choices that were not shown yet to an offer; how many.
    fn more(&mut self, offer: &mut Offer) -> Result<usize, Failure> {
        let (shown, present) = (offer.shown.len(), self.position.checked_sub(1).map(|at| &self.path[at]));
        let found = self.walk.following(present, &offer.wanted, shown, MOST_OFFERED + 1);
        let found = found.map_err(|limit| unfinished(limit, self.position))?;
        offer.has_more = found.len() > MOST_OFFERED;
        offer.shown.extend(found.into_iter().take(MOST_OFFERED));
        Ok(offer.shown.len() - shown)
    }

    /// Shows further steps, those that were not shown yet.
    fn show_more(&mut self, offer: &mut Offer) -> Result<(), Failure> {
        let shown = offer.shown.len();
        if shown > 0 && !offer.has_more {
            print("there are no more\n");
            return Ok(());
        }
        self.more(offer)?;
        self.list(offer, shown);
        Ok(())
    }

    /// Shows the choices of an offer from a number on.
    fn list(&self, offer: &Offer, from: usize) {
        for (index, place) in offer.shown.iter().enumerate().skip(from) {
            print(&format!("{:>4}  {}\n", index + 1, self.words(self.present(), place)));
        }
        if offer.has_more {
            print("      and more; `m` shows more of them, `X = VALUE` those with a value, `r` picks one\n");
        }
    }

    /// Offers only what has a value, given as `variable = value`.
    fn narrow(&mut self, offer: &mut Offer, line: &str) -> Result<(), Failure> {
        let (name, text) = line.split_once('=').expect("a line with `=`");
        let (name, text) = (name.trim(), text.trim());
        let Some(id) = self.model.find_variable(name) else {
            print(&format!("there is no variable or input `{name}`\n"));
            return Ok(());
        };
        let Some(value) = value_of(self.model, &self.model.variable(id).domain, text) else {
            print(&format!("`{text}` is not a value of `{name}`\n"));
            return Ok(());
        };
        let wanted = offer.wanted.iter().cloned().chain([(id, value)]).collect();
        let mut fewer = Offer { wanted, shown: Vec::new(), has_more: true };
        if self.more(&mut fewer)? == 0 {
            print(&format!("no step has {name} = {text}\n"));
            return Ok(());
        }
        *offer = fewer;
        self.list(offer, 0);
        Ok(())
    }

    fn values(&self) {
        let Some(place) = self.present() else { return };
        for id in self.model.variable_ids() {
            let variable = self.model.variable(id);
            let shown = self.model.show(&place[id.0 as usize], variable.domain.r#type());
            print(&format!("        {} = {shown}\n", variable.name));
        }
    }
}
