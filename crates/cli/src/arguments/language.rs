//! Options that are about one language, given with a model in the other one.

use super::{Check, Command, Language, ModelArguments, Preprocessor, PromelaArguments, ShowArguments, SmvArguments};
use crate::exit::Failure;
use crate::output::eprint;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use std::path::Path;

impl ModelArguments {
    /// True if the model is read as SMV: by `--language`, or else by the end of its name.
    pub(crate) fn is_smv(&self) -> bool {
        match self.language {
            Language::Smv => true,
            Language::Promela => false,
            Language::Auto => is_smv(&self.model),
        }
    }
}

fn is_smv(model: &str) -> bool {
    let name = model.to_ascii_lowercase();
    name.ends_with(".smv") || is_aiger(&name)
}

/// True if a file is an AIGER circuit, which is read as the SMV model that it stands for.
pub(crate) fn is_aiger(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".aig") || name.ends_with(".aag")
}

/// True if the models of one invocation are in both languages, or may be, so that each option may be for some of them.
fn is_mixed(check: &Check) -> bool {
    let mut all = std::iter::once(&check.model.model).chain(&check.more);
    let is_other = |model: &String| is_smv(model) != is_smv(&check.model.model) || Path::new(model).is_dir();
    check.model.language == Language::Auto && all.any(is_other)
}

/// Refuses an option that was given, be it with its default value, and has no meaning in the language of the model.
pub(crate) fn check(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((_, matches)) = matches.subcommand() else { return Ok(()) };
    let (model, for_promela, for_smv) = match command {
        Command::Check(check) if is_mixed(check) => {
            let ignored = [
                ("Promela", given::<PromelaArguments>(matches)),
                ("Promela", unfold(matches)),
                ("SMV", given::<SmvArguments>(matches)),
            ];
            for (language, option) in ignored {
                if let Some(option) = option {
                    eprint(&format!("note: `{option}` is for the {language} models alone\n"));
                }
            }
            return Ok(());
        }
        Command::Check(check) => {
            let for_promela = given::<PromelaArguments>(matches).or_else(|| unfold(matches));
            (&check.model, for_promela, given::<SmvArguments>(matches))
        }
        Command::Simulate(simulate) => (&simulate.model, given::<ShowArguments>(matches), None),
        Command::Replay(replay) => (&replay.model, unfold(matches), None),
        Command::Validate(validate) => (&validate.model, None, None),
        // The processes that it starts look at their own options.
        Command::Cluster(_)
        | Command::Translate(_)
        | Command::Formula(_)
        | Command::Automaton(_)
        | Command::Testbench(_)
        | Command::Serve(_)
        | Command::Format(_)
        | Command::Lsp(_)
        | Command::Nusmv(_) => return Ok(()),
    };
    let (misplaced, language) = match model.is_smv() {
        true => (for_promela.or_else(|| given::<Preprocessor>(matches)), "Promela"),
        false => (for_smv, "SMV"),
    };
    match misplaced {
        Some(option) => {
            Err(Failure::usage(format!("`{option}` is for {language} models{}", instead(&option, language))))
        }
        None => Ok(()),
    }
}

/// `--unfold`, if it was given: the other options about the view of a trace are for both languages.
fn unfold(matches: &ArgMatches) -> Option<String> {
    let is_given = matches.try_get_one::<bool>("unfold").ok().flatten().copied().unwrap_or(false);
    is_given.then(|| "--unfold".into())
}

/// The first of some options that was given on the command line.
fn given<T: Args>(matches: &ArgMatches) -> Option<String> {
    let options = T::augment_args(clap::Command::new("options"));
    let is_given =
        |id: &str| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
    let option = options.get_arguments().find(|option| is_given(option.get_id().as_str()))?;
    Some(match (option.get_long(), option.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => option.get_id().to_string(),
    })
}

/// What to use in the other language.
fn instead(option: &str, language: &str) -> &'static str {
    match (language, option) {
        ("Promela", "--safety" | "--never" | "--automaton" | "--acceptance" | "--non-progress") => {
            "; for SMV models there are `--ltl`, `--ctl`, `--invariant` and `--property NAME`"
        }
        ("Promela", "--unfold") => ": a step of an SMV model is never folded",
        ("Promela", "-D" | "-U" | "-I") => "; SMV has no preprocessor",
        ("Promela", "--shorten-with") => "; `--strip` removes irrelevant values from SMV traces",
        ("SMV", "--strip") => "; `--shorten-with` chooses the search for shorter lassos of Promela models",
        _ => "",
    }
}
