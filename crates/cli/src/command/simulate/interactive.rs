//! Choosing each step by its number, with undo and jumps. Works with a terminal and with a pipe.

use super::{Simulation, one_line};
use crate::arguments::Show;
use crate::exit::Exit;
use crate::output::print;
use checker::report::NamedValue;
use promela::reference::Transition;
use promela::snapshot::Snapshot;
use rand::RngExt;
use std::io::BufRead;

const HELP: &str = "\
  NUMBER   take this step; an empty line follows the trace, or takes the only step
  n [N]    follow the trace N steps (default 1)
  r [N]    take N steps at random (default 1)
  u [N]    undo N steps (default 1)
  j N      jump to the state after step N of the trace
  v        show all values
  q        quit
";

/// Reads choices until the user or the input ends. `path` are the steps known from the start, each
/// with the state before it. The exit code is that of the run as it then stands.
pub(crate) fn run(simulation: Simulation<'_>, path: Vec<(Snapshot, Transition)>) -> Exit {
    let mut session = Session { simulation, path };
    print("Type the number of a step, `?` for help, `q` to quit.\n");
    let mut lines = std::io::stdin().lock().lines();
    loop {
        let transitions = session.offer();
        print("> ");
        let Some(Ok(line)) = lines.next() else {
            print("\n");
            return session.exit();
        };
        if session.obey(line.trim(), &transitions) == Answer::Quit {
            return session.exit();
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    GoOn,
    Quit,
}

/// A run with its past, and with the future that was undone.
struct Session<'a> {
    simulation: Simulation<'a>,
    /// For each step taken or undone: the state before it, and the step.
    path: Vec<(Snapshot, Transition)>,
}

impl Session<'_> {
    fn position(&self) -> usize {
        usize::try_from(self.simulation.taken).unwrap_or(usize::MAX)
    }

    /// Whether something has gone wrong on the way to the present state.
    fn exit(&self) -> Exit {
        let taken = &self.path[..self.position().min(self.path.len())];
        if taken.iter().any(|(_, transition)| transition.fault.is_some()) { Exit::Violated } else { Exit::Holds }
    }

    /// Whether the last step was a run-time error, after which nothing can happen.
    fn has_crashed(&self) -> bool {
        let last = self.position().checked_sub(1).and_then(|index| self.path.get(index));
        last.is_some_and(|(_, transition)| transition.next.is_none())
    }

    /// Shows the possible steps.
    fn offer(&self) -> Vec<Transition> {
        if self.has_crashed() {
            print(&format!("after step {}: the run has ended in a run-time error\n", self.position()));
            return Vec::new();
        }
        let transitions = self.simulation.transitions();
        if self.simulation.is_over(&transitions).is_none() {
            let known = self.path.len() - self.position();
            let known = if known > 0 { format!(" (the trace has {known} more)") } else { String::new() };
            print(&format!("after step {}{known}:\n", self.position()));
        }
        for (index, transition) in transitions.iter().enumerate() {
            let step = self.simulation.recorder.step(&self.simulation.described(transition));
            print(&format!("{:>4}  {}\n", index + 1, one_line(&step)));
        }
        transitions
    }

    fn obey(&mut self, line: &str, transitions: &[Transition]) -> Answer {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or("");
        let argument = words.next().map(str::parse::<usize>);
        match (word, argument) {
            ("q" | "quit", None) => return Answer::Quit,
            ("?" | "h" | "help", None) => print(HELP),
            ("v" | "values", None) => self.values(),
            ("", None) if self.position() < self.path.len() => self.go_on(1),
            ("n" | "next", None) => self.go_on(1),
            ("n" | "next", Some(Ok(steps))) => self.go_on(steps),
            ("", None) if transitions.len() == 1 => self.take(&transitions[0]),
            ("u" | "undo", None) => self.jump(self.position().checked_sub(1)),
            ("u" | "undo", Some(Ok(steps))) => self.jump(self.position().checked_sub(steps)),
            ("j" | "jump", Some(Ok(step))) => self.jump(Some(step)),
            ("r" | "random", None) => self.wander(1),
            ("r" | "random", Some(Ok(steps))) => self.wander(steps),
            (number, None) => match number.parse::<usize>().ok().and_then(|n| transitions.get(n.wrapping_sub(1))) {
                Some(transition) => self.take(transition),
                None => print(&format!("`{line}` is neither an offered step nor a command; `?` shows the commands\n")),
            },
            _ => print(&format!("`{line}` is not a command; `?` shows the commands\n")),
        }
        Answer::GoOn
    }

    /// Takes steps that are known, and shows them.
    fn go_on(&mut self, steps: usize) {
        for _ in 0..steps {
            let Some((_, transition)) = self.path.get(self.position()) else {
                print("the trace ends here\n");
                return;
            };
            let transition = transition.clone();
            self.show(&transition);
            let _ = self.simulation.take(&transition);
        }
    }

    /// Shows a step, unless all steps are shown when they are taken.
    fn show(&self, transition: &Transition) {
        if !self.simulation.shown.contains(&Show::Statements) {
            let step = self.simulation.recorder.step(&self.simulation.described(transition));
            print(&format!("{:>6}  {}\n", self.position() + 1, one_line(&step)));
        }
    }

    fn take(&mut self, transition: &Transition) {
        self.show(transition);
        self.path.truncate(self.position());
        self.path.push((self.simulation.state.clone(), transition.clone()));
        // How the run ends is shown when the next choice is offered.
        let _ = self.simulation.take(transition);
    }

    fn wander(&mut self, steps: usize) {
        for _ in 0..steps {
            let transitions = if self.has_crashed() { Vec::new() } else { self.simulation.transitions() };
            if transitions.is_empty() {
                break;
            }
            let index = self.simulation.random.random_range(0..transitions.len());
            self.take(&transitions[index]);
        }
    }

    fn jump(&mut self, position: Option<usize>) {
        let Some(position) = position.filter(|position| *position <= self.path.len()) else {
            print(&format!("there are states after steps 0 to {}\n", self.path.len()));
            return;
        };
        self.simulation.taken = position as u64;
        self.simulation.state = match self.path.get(position) {
            Some((before, _)) => before.clone(),
            None => match self.path.last() {
                Some((before, transition)) => transition.next.as_ref().unwrap_or(before).clone(),
                None => self.simulation.state.clone(),
            },
        };
    }

    fn values(&self) {
        for NamedValue { name, value } in self.simulation.recorder.values(&self.simulation.state) {
            print(&format!("        {name} = {value}\n"));
        }
    }
}
