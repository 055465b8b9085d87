//! The interactive session: stop at a formula, look at everything, go on. Commands come from standard input, one a line, so
//! that a script can give them. It is held in a thread of its own, so that a request to end is heard while it waits. Where
//! standard output is for scripts, the session is on standard error.

use super::analysis::{at_state, list};
use super::keeper::Keeper;
use super::line::{named_at_front, path_and_rest, words};
use crate::arguments::{Pause, TestFormat, Testbench};
use crate::output::{emit, eprint};
use crate::view::SCHEMA;
use crate::view::testbench::case;
use crate::view::testbench::{Ending, Kept};
use kernel::budget::Budget;
use omega::io::{dot, hoa};
use omega::print::{Notation, print as formula_text};
use serde_json::json;
use std::io::{BufRead, StdinLock};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};
use testbench::abandon::{End, Switch, collect};
use testbench::run::{Bench, Item, Performance, Record, StructureCache};
use testbench::shrink::Problem;
use testbench::translator::Translator;
use testbench::trial::Side;

const HELP: &str = "\
  formula                            the formula and its negation, in several syntaxes
  graph [dot]                        the structure
  automaton NAME [negation] [dot]    what a translator, by name or number, made of the formula
  results                            in which states of the structure each automaton is accepted
  analyse STATE [NAME [negation]]    a behaviour from a state of the structure, the formula on it, and who is wrong there
  problems                           what is wrong here, numbered
  witness [N]                        the word of a problem, and who is wrong
  proof [N]                          why the formula is true or false on it
  shrink [N]                         the problem made smaller
  save FILE [N]                      write the problem, the structure and all automata as JSON
  disable NAME                       leave a translator out from the next formula on
  enable NAME                        let it take part again
  next                               go on to the next stop (also an empty line)
  skip N                             go on, and do not stop at the next N formulas
  quit                               end the run and report
Names of translators and files may have blanks; quotes around them help where that is not clear.
";

/// Where the session speaks; false if nobody can hear it any more.
type Voice = fn(&str) -> bool;

fn voice(format: TestFormat) -> Voice {
    match format {
        TestFormat::Text => emit,
        TestFormat::Json | TestFormat::Csv | TestFormat::Html => |text| {
            eprint(text);
            true
        },
    }
}

/// What comes out of the thread of the session.
enum Message {
    Record(Box<Record>),
    Ended(Ending),
}

/// Works through the plan in order and stops for commands.
pub(super) fn hold(
    bench: &Arc<Bench>,
    pause: Pause,
    keeper: &mut Keeper,
    arguments: &Testbench,
    cancel: &AtomicBool,
) -> Ending {
    let (say, shrink_time) = (voice(arguments.report.format), arguments.report.shrink_time);
    let started = Instant::now();
    let is_late = || bench.plan.time_limit.is_some_and(|limit| started.elapsed() >= limit);
    let held = Arc::clone(bench);
    let work = move |switch: &Switch, sender: SyncSender<Message>| {
        let session = Session { bench: &held, pause, shrink_time, switch, say };
        if let Some(ending) = session.hold(&sender) {
            let _ = sender.send(Message::Ended(ending));
        }
    };
    let mut ending = Ending::Done;
    let end = collect(
        1,
        work,
        || cancel.load(Ordering::Relaxed) || is_late(),
        |message| {
            match message {
                Message::Record(record) => keeper.keep(&record),
                Message::Ended(how) => ending = how,
            }
            ControlFlow::Continue(())
        },
    );
    if end == End::Over {
        // The prompt has no end of line.
        say("\n");
        return if is_late() { Ending::Time } else { Ending::Interrupted };
    }
    ending
}

struct Session<'a> {
    bench: &'a Arc<Bench>,
    pause: Pause,
    shrink_time: Duration,
    switch: &'a Switch,
    say: Voice,
}

impl Session<'_> {
    /// Why the session ended; none if nobody listens any more.
    fn hold(&self, sender: &SyncSender<Message>) -> Option<Ending> {
        let Session { bench, pause, shrink_time, switch, say } = *self;
        let mut lines = std::io::stdin().lock();
        let mut cache = StructureCache::new();
        let workplace = bench.workplace.until(switch);
        let mut translators = bench.plan.translators.clone();
        let mut skip = 0_usize;
        for number in 0..bench.item_count() {
            let item = bench.item(number, &mut cache);
            let performance = bench.perform_with(&translators, &item, &workplace)?;
            let record = bench.record(&item, performance.clone());
            sender.send(Message::Record(Box::new(record.clone()))).ok()?;
            let is_stop = pause == Pause::Always || !record.is_clean();
            if skip > 0 {
                skip -= 1;
            } else if is_stop {
                let (performance, record) = (&performance, &record);
                let stop = Stop { bench, item: &item, performance, record, shrink_time, switch, say };
                match stop.talk(&mut lines, &mut translators) {
                    Answer::Next => {}
                    Answer::Skip(formulas) => skip = formulas,
                    Answer::Quit => return Some(Ending::Interrupted),
                }
            }
            if bench.plan.stop_at_failure && !record.is_clean() {
                return Some(Ending::FirstFailure);
            }
        }
        Some(Ending::Done)
    }
}

enum Answer {
    Next,
    Skip(usize),
    Quit,
}

/// A formula at which the session stopped.
struct Stop<'a> {
    bench: &'a Arc<Bench>,
    item: &'a Item,
    performance: &'a Performance,
    record: &'a Record,
    shrink_time: Duration,
    switch: &'a Switch,
    say: Voice,
}

impl Stop<'_> {
    fn talk(&self, lines: &mut StdinLock<'_>, translators: &mut [Translator]) -> Answer {
        let problems = self.record.cases.len();
        let what = if problems == 1 { "1 problem".to_owned() } else { format!("{problems} problems") };
        let (number, text) = (self.item.number + 1, &self.record.texts[0]);
        (self.say)(&format!("formula {number}: {text}  ({what}; `help` lists the commands)\n"));
        loop {
            let mut line = Vec::new();
            if !(self.say)("> ") || !matches!(lines.read_until(b'\n', &mut line), Ok(1..)) {
                (self.say)("\n");
                return Answer::Quit;
            }
            // What is not text is no command, and is told so.
            let line = String::from_utf8_lossy(&line);
            match words(&line)[..] {
                [] | ["next" | "n" | "continue"] => return Answer::Next,
                ["quit" | "q"] => return Answer::Quit,
                ["skip", number] if number.parse::<usize>().is_ok() => {
                    return Answer::Skip(number.parse().unwrap_or(0));
                }
                _ => {
                    let said = match words(&line)[..] {
                        ["disable" | "enable", _, ..] => self.appoint(line.trim(), translators),
                        _ => self.obey(line.trim()),
                    };
                    (self.say)(&said.unwrap_or_else(|wrong| format!("{wrong}; `help` lists the commands\n")));
                }
            }
        }
    }

    /// Lets a translator take part, or not, from the next formula on.
    fn appoint(&self, line: &str, translators: &mut [Translator]) -> Result<String, String> {
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let all = &self.bench.plan.translators;
        let (index, rest) = named_at_front(argument, &self.names())?;
        if let Some(word) = rest.first() {
            return Err(format!("`{word}` is one word too many"));
        }
        let others = translators.iter().enumerate().filter(|(at, one)| *at != index && !one.is_disabled()).count();
        match command {
            "disable" if others == 0 => return Err("one translator must take part".to_owned()),
            "disable" => translators[index] = all[index].disabled(),
            _ => translators[index] = all[index].clone(),
        }
        let does = if command == "disable" { "is left out" } else { "takes part" };
        Ok(format!("  `{}` {does} from the next formula on\n", all[index].name))
    }

    fn names(&self) -> Vec<&str> {
        self.bench.plan.translators.iter().map(|one| one.name.as_str()).collect()
    }

    /// The text that a command asks for.
    fn obey(&self, line: &str) -> Result<String, String> {
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match &words(line)[..] {
            ["help" | "?"] => Ok(HELP.to_owned()),
            ["formula"] => Ok(self.formula()),
            ["graph" | "structure"] => Ok(self.structure()),
            ["graph" | "structure", "dot"] => Ok(self.structure_as_dot()),
            ["automaton", _, ..] => self.automaton(argument),
            ["results"] => Ok(self.results()),
            ["analyse" | "analyze", state, ..] => {
                let rest = argument.trim_start().strip_prefix(state).unwrap_or_default();
                at_state(&self.performance.trial, &self.names(), state, rest)
            }
            ["problems"] => Ok(self.problems()),
            ["witness", rest @ ..] => self.witness(rest),
            ["proof", rest @ ..] => self.proof(rest),
            ["shrink", rest @ ..] => {
                let chosen = self.chosen(rest)?;
                let case = self.record.cases[chosen].clone();
                let (shrunk, is_complete) = self.bench.shrink(&case, self.shrink_time, self.switch);
                let kept = Kept { number: self.item.number, case, shrunk: Some(shrunk), is_cut_short: !is_complete };
                Ok(case::paragraph(&kept, self.bench))
            }
            ["save", _, ..] => {
                let (path, rest) = path_and_rest(argument)?;
                self.save(path, &rest)
            }
            ["automaton" | "save" | "disable" | "enable"] => Err(format!("`{command}` needs a name")),
            ["analyse" | "analyze"] => Err(format!("`{command}` needs the number of a state")),
            _ => Err(format!("`{}` is not a command", line.escape_debug())),
        }
    }

    fn formula(&self) -> String {
        let trial = &self.performance.trial;
        let mut text = String::new();
        for (name, notation) in [("Spot", Notation::Spot), ("SPIN", Notation::Spin), ("LBT", Notation::Lbt)] {
            for side in trial.sides {
                text.push_str(&format!("  {name:<5} {}\n", formula_text(&trial.formulas, side, notation)));
            }
        }
        text
    }

    fn structure(&self) -> String {
        let structure = &self.item.structure;
        let mut text = String::new();
        for state in 0..structure.size() {
            text.push_str(&format!("  {state} {{{}}} -> {}\n", self.label(state), list(structure.successors(state))));
        }
        text
    }

    fn structure_as_dot(&self) -> String {
        let structure = &self.item.structure;
        let mut text = "digraph structure {\n".to_owned();
        for state in 0..structure.size() {
            text.push_str(&format!("  {state} [label=\"{state}\\n{}\"];\n", self.label(state)));
            structure.successors(state).iter().for_each(|next| text.push_str(&format!("  {state} -> {next};\n")));
        }
        text + "}\n"
    }

    /// The propositions that hold in a state.
    fn label(&self, state: usize) -> String {
        let structure = &self.item.structure;
        let holds = |atom: &&String| structure.extent(atom).is_some_and(|extent| extent.contains(state));
        structure.atoms().iter().filter(holds).cloned().collect::<Vec<_>>().join(" ")
    }

    fn automaton(&self, argument: &str) -> Result<String, String> {
        let (index, rest) = named_at_front(argument, &self.names())?;
        if let Some(wrong) = rest.iter().find(|word| !["negation", "dot"].contains(word)) {
            return Err(format!("`{wrong}` is neither `negation` nor `dot`"));
        }
        let side = if rest.contains(&"negation") { Side::Negation } else { Side::Formula };
        match &self.performance.trial.attempts[index][side.index()].outcome {
            Ok(automaton) if rest.contains(&"dot") => {
                dot::write(automaton, &Budget::unlimited()).map_err(|reason| reason.to_string())
            }
            Ok(automaton) => Ok(hoa::write(automaton)),
            Err(failure) => Ok(format!("  none: {}, {}\n", failure.kind.name(), failure.detail)),
        }
    }

    fn results(&self) -> String {
        let mut text = String::new();
        for (index, translator) in self.bench.plan.translators.iter().enumerate() {
            for (side, what) in [(Side::Formula, "formula "), (Side::Negation, "negation")] {
                let accepted = self.performance.trial.translation(index, side).map(|outcome| &outcome.product.accepted);
                let accepted = accepted.map_or("no automaton".to_owned(), |set| {
                    let members = if set.is_empty() { String::new() } else { format!(": {}", list(set)) };
                    format!("{} of {}{members}", set.count(), set.size())
                });
                text.push_str(&format!("  {:<12} {what} {accepted}\n", translator.name));
            }
        }
        text
    }

    fn problems(&self) -> String {
        if self.record.cases.is_empty() {
            return "  none\n".to_owned();
        }
        let line = |(index, case): (usize, &_)| format!("  {} {}\n", index + 1, case::headline(case, self.bench));
        self.record.cases.iter().enumerate().map(line).collect()
    }

    /// The index of the problem that a number, counted from 1, means; the first broken law without one.
    fn chosen(&self, rest: &[&str]) -> Result<usize, String> {
        let cases = &self.record.cases;
        let broken = cases.iter().position(|case| matches!(case.problem, Problem::Broken(_)));
        let index = match rest {
            [] => broken.or(if cases.is_empty() { None } else { Some(0) }),
            [number] => number.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < cases.len()),
            _ => None,
        };
        index.ok_or_else(|| match cases.len() {
            0 => "nothing is wrong here".to_owned(),
            count => format!("problems are numbered from 1 to {count}"),
        })
    }

    fn witness(&self, rest: &[&str]) -> Result<String, String> {
        Ok(match &self.record.cases[self.chosen(rest)?].problem {
            Problem::Broken(finding) => format!(
                "  {}\n  the formula is {} on it\n  {}\n",
                finding.word,
                finding.holds,
                case::verdict(finding, self.bench)
            ),
            Problem::Failed { failure, .. } => format!("  no witness is needed: {}\n", failure.detail),
        })
    }

    fn proof(&self, rest: &[&str]) -> Result<String, String> {
        let chosen = &self.record.cases[self.chosen(rest)?];
        Ok(match &chosen.problem {
            Problem::Broken(finding) => case::witness(chosen, finding),
            Problem::Failed { failure, .. } => format!("  nothing to prove: {}\n", failure.detail),
        })
    }

    fn save(&self, path: &str, rest: &[&str]) -> Result<String, String> {
        let document = match self.record.cases.is_empty() {
            true => json!({ "formula": self.record.texts[0], "structure": case::structure(&self.item.structure) }),
            false => json!(case::json(&self.record.cases[self.chosen(rest)?], self.bench)),
        };
        let mut document = document;
        document["schema"] = SCHEMA.into();
        document["seed"] = self.bench.plan.seed.into();
        document["number"] = (self.item.number + 1).into();
        let automata = |index: usize| {
            let mut object = json!({ "name": self.bench.plan.translators[index].name });
            for (side, key) in [(Side::Formula, "formula"), (Side::Negation, "negation")] {
                if let Some(automaton) = self.performance.trial.automaton(index, side) {
                    object[key] = hoa::write(automaton).into();
                }
            }
            object
        };
        document["automata"] = (0..self.bench.plan.translators.len()).map(automata).collect();
        crate::file::write(Path::new(path), &format!("{document:#}\n")).map_err(|failure| failure.message)?;
        Ok(format!("  saved in {path}\n"))
    }
}
