//! NuSMV's command line.
//!
//! One table says what each option takes and what it does here. Options that only tune NuSMV's engine are accepted and
//! change nothing; those that would change results and are missing here are refused.

use Effect::{Ignored, Refuse, Set, Special, Unset};

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The file of the model.
    pub model: Option<String>,
    /// A script to execute.
    pub script: Option<String>,
    /// Whether commands are read from standard input.
    pub is_interactive: bool,
    /// Whether the banner is left out.
    pub is_quiet: bool,
    /// Whether bounded model checking answers LTL formulas and invariants.
    pub is_bounded: bool,
    /// Whether the number of reachable states is printed.
    pub reachable: bool,
    /// Whether the relation is checked for totality.
    pub check_fsm: bool,
    /// Whether properties are only listed.
    pub list: bool,
    /// The only property to check.
    pub property: Option<String>,
    /// Kinds of properties that are ignored.
    pub ignored: Vec<Ignorable>,
    /// Settings, in order.
    pub settings: Vec<(&'static str, Option<String>)>,
    /// Warnings for standard error.
    pub warnings: Vec<String>,
}

/// Kinds of properties that an option excludes from a batch run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignorable {
    /// `-is`
    Ctl,
    /// `-ic`
    Compute,
    /// `-ils`
    Ltl,
    /// `-ips`
    Psl,
    /// `-ii`
    Invariant,
}

/// Why a command line is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What to say on standard error.
    pub message: String,
    /// The exit code.
    pub exit: u8,
}

/// What an option does.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// Handled by name.
    Special,
    /// Sets a variable, to the value of the option or to true.
    Set(&'static str),
    /// Clears a variable.
    Unset(&'static str),
    /// Tunes the engine of NuSMV; nothing here.
    Ignored,
    /// Known and not available.
    Refuse,
}

/// An option.
struct Row {
    name: &'static str,
    value: &'static str,
    meaning: &'static str,
    effect: Effect,
}

const fn row(name: &'static str, value: &'static str, meaning: &'static str, effect: Effect) -> Row {
    Row { name, value, meaning, effect }
}

/// The exit code of NuSMV for a wrong command line.
const WRONG: u8 = 255;
/// The exit code of NuSMV for `-h`.
const HELP: u8 = 2;

const OPTIONS: &[Row] = &[
    row("-h", "", "print this list", Special),
    row("-help", "", "print this list", Special),
    row("-int", "", "read commands from standard input", Special),
    row("-source", "file", "execute the commands of a file, then read commands from standard input", Special),
    row("-load", "file", "as -source; outdated", Special),
    row("-bmc", "", "check LTL formulas and invariants by bounded model checking", Special),
    row("-bmc_length", "k", "the longest path of bounded model checking", Set("bmc_length")),
    row("-r", "", "print the number of reachable states after checking", Special),
    row("-ctt", "", "check that the transition relation is total", Special),
    row("-lp", "", "list the properties and stop", Special),
    row("-n", "index", "check only the property with this number", Special),
    row("-is", "", "ignore CTL properties", Special),
    row("-ic", "", "ignore COMPUTE properties", Special),
    row("-ils", "", "ignore LTL properties", Special),
    row("-ips", "", "ignore PSL properties", Special),
    row("-ii", "", "ignore invariants", Special),
    row("-dcx", "", "print no counterexamples", Unset("counter_examples")),
    row("-i", "file", "read the order of variables from a file", Set("input_order_file")),
    row("-o", "file", "write the order of variables to a file", Set("output_order_file")),
    row("-reorder", "", "reorder variables", Set("dynamic_reorder")),
    row("-dynamic", "", "reorder variables while checking", Set("dynamic_reorder")),
    row("-coi", "", "check each property on its cone of influence", Set("cone_of_influence")),
    row(
        "-df",
        "",
        "do not compute the reachable states first; they are computed where needed",
        Unset("forward_search"),
    ),
    row("-f", "", "compute the reachable states first; the default", Set("forward_search")),
    row("-AG", "", "check only AG formulas with the search for invariants; no difference here", Set("ag_only_search")),
    row("-v", "level", "how much to say about what is done", Set("verbose_level")),
    row("-old", "", "accept what older versions accepted", Set("backward_compatibility")),
    row("-pre", "programs", "run these preprocessors on the model: cpp, m4", Set("pp_list")),
    row("-cpp", "", "run the C preprocessor on the model", Special),
    row("-m4", "", "run the m4 preprocessor on the model", Special),
    row("-s", "", "read no initialisation file; none is ever read", Ignored),
    row("-m", "method", "how the transition relation is partitioned", Ignored),
    row("-mono", "", "how the transition relation is partitioned", Ignored),
    row("-thresh", "n", "how the transition relation is partitioned", Ignored),
    row("-cp", "n", "how the transition relation is partitioned", Ignored),
    row("-iwls95", "n", "how the transition relation is partitioned", Ignored),
    row("-iwls95preorder", "", "how the transition relation is partitioned", Ignored),
    row("-iwl95preorder", "", "how the transition relation is partitioned", Ignored),
    row("-noaffinity", "", "how the transition relation is partitioned", Ignored),
    row("-bdd_soh", "heuristics", "how variables are ordered at first", Ignored),
    row("-flt", "", "how LTL formulas are searched", Ignored),
    row("-ojeba", "algorithm", "how fair states are computed", Ignored),
    row("-sat_solver", "name", "which SAT solver is used", Ignored),
    row("-sin", "on|off", "whether expressions are inlined", Ignored),
    row("-rin", "on|off", "whether expressions are inlined", Ignored),
    row("-disable_daggifier", "", "how expressions are printed", Ignored),
    row("-disable_sexp2bdd_caching", "", "how expressions are encoded", Ignored),
    row("-disable_syntactic_checks", "", "which syntactic checks are made", Ignored),
    row("-keep_single_value_vars", "", "how variables with one value are encoded", Ignored),
    row("-quiet", "", "print no banner", Special),
    row("-ofm", "file", "write the flat model", Refuse),
    row("-obm", "file", "write the Boolean model", Refuse),
    row("-t", "file", "read the order of clusters", Refuse),
    row("-old_div_op", "", "divide as versions before 2.4 did", Refuse),
];

impl Options {
    /// Reads a command line.
    ///
    /// # Errors
    /// What to say, and the exit code.
    pub fn parse(arguments: &[String]) -> Result<Self, Refused> {
        let wrong = |message: String| Refused { message, exit: WRONG };
        let mut options = Self::default();
        let mut pending = arguments.iter();
        while let Some(argument) = pending.next() {
            let Some(row) = OPTIONS.iter().find(|row| row.name == argument) else {
                // Only the last argument can be the model.
                if argument.starts_with('-') || pending.len() > 0 {
                    return Err(wrong(format!("The command line option \"{argument}\" is unknown\n")));
                }
                options.model = Some(argument.clone());
                break;
            };
            let mut value = None;
            if !row.value.is_empty() {
                let Some(given) = pending.next() else {
                    let name = row.name;
                    return Err(wrong(format!("The command line option \"{name}\" requires an argument.\n")));
                };
                value = Some(given.clone());
            }
            match row.effect {
                Ignored => {}
                Set(name) => options.settings.push((name, value)),
                Unset(name) => options.settings.push((name, Some("0".into()))),
                Refuse => {
                    let name = row.name;
                    return Err(wrong(format!("The command line option \"{name}\" is not supported\n")));
                }
                Special => options.take(row.name, value)?,
            }
        }
        Ok(options)
    }

    fn take(&mut self, name: &str, value: Option<String>) -> Result<(), Refused> {
        match name {
            "-int" => self.is_interactive = true,
            "-source" => self.script = value,
            "-load" => {
                self.warnings.push("Warning: -load is deprecated\n".into());
                self.script = value;
            }
            "-quiet" => self.is_quiet = true,
            "-bmc" => self.is_bounded = true,
            "-r" => self.reachable = true,
            "-ctt" => self.check_fsm = true,
            "-lp" => self.list = true,
            "-n" => self.property = value,
            "-is" => self.ignored.push(Ignorable::Ctl),
            "-ic" => self.ignored.push(Ignorable::Compute),
            "-ils" => self.ignored.push(Ignorable::Ltl),
            "-ips" => self.ignored.push(Ignorable::Psl),
            "-ii" => self.ignored.push(Ignorable::Invariant),
            "-cpp" | "-m4" => self.settings.push(("pp_list", Some(name[1..].into()))),
            _ => return Err(Refused { message: usage(), exit: HELP }),
        }
        Ok(())
    }
}

/// The list of options.
fn usage() -> String {
    let mut text = "Usage: NuSMV [-h | -help] [options]* [input_file]\n".to_owned();
    for row in OPTIONS.iter().filter(|row| !matches!(row.effect, Refuse)) {
        let value = if row.value.is_empty() { String::new() } else { format!(" {}", row.value) };
        let note = if matches!(row.effect, Ignored) { " (accepted, no effect)" } else { "" };
        text += &format!("   {}{value}\n      {}{note}\n", row.name, row.meaning);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, Refused> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_may_have_values_and_the_model_comes_last() {
        let options = parse("-bmc -bmc_length 6 -dcx -is -n 3 m.smv").expect("accepted");
        assert_eq!((options.is_bounded, options.property.as_deref()), (true, Some("3")));
        let settings = [("bmc_length", Some("6".to_owned())), ("counter_examples", Some("0".to_owned()))];
        assert_eq!(options.settings, settings);
        assert_eq!((options.ignored, options.model.as_deref()), (vec![Ignorable::Ctl], Some("m.smv")));
    }

    #[test]
    fn what_is_unknown_is_refused_in_the_words_of_nusmv() {
        let refused = |line: &str| parse(line).expect_err("refused");
        assert_eq!(refused("-foo").message, "The command line option \"-foo\" is unknown\n");
        assert_eq!(refused("a.smv b.smv").message, "The command line option \"a.smv\" is unknown\n");
        assert_eq!(refused("-ofm x m.smv").message, "The command line option \"-ofm\" is not supported\n");
        assert_eq!((refused("-h").exit, refused("-n").exit), (2, 255));
    }
}
