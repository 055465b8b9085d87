//! The variables of `set` and `unset`.
//!
//! All variables of NuSMV are known, with their types and defaults, so that scripts which set them run. Those marked in the
//! table have an effect here; the others tune an engine that is not the one used.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    Text,
    /// One of these.
    Choice(&'static [&'static str]),
}

use Kind::{Boolean, Choice, Integer, Text};

/// A variable: its name, its type, its default (`None` is printed as `NULL`), and whether it has an effect.
struct Row(&'static str, Kind, Option<&'static str>, bool);

const ROWS: &[Row] = &[
    Row("affinity", Boolean, Some("1"), false),
    Row("ag_only_search", Boolean, Some("0"), false),
    Row("backward_compatibility", Boolean, Some("0"), false),
    Row("bdd_static_order_heuristics", Choice(&["none", "basic"]), Some("none"), false),
    Row("bmc_dimacs_filename", Text, Some("@f_k@k_l@l_n@n"), false),
    Row("bmc_force_pltl_tableau", Boolean, Some("0"), false),
    Row(
        "bmc_inc_invar_alg",
        Choice(&["dual", "zigzag", "falsification", "interp_seq", "interpolants"]),
        Some("dual"),
        false,
    ),
    Row("bmc_invar_alg", Choice(&["classic", "een-sorensson", "falsification"]), Some("classic"), true),
    Row("bmc_invar_dimacs_filename", Text, Some("@f_invar_n@n"), false),
    Row("bmc_length", Integer, Some("10"), true),
    Row("bmc_loopback", Text, Some("*"), true),
    Row("bmc_optimized_tableau", Boolean, Some("1"), false),
    Row("bmc_sbmc_gf_fg_opt", Boolean, Some("1"), false),
    Row("check_fsm", Boolean, Some("0"), true),
    Row("check_invar_bddbmc_heuristic", Choice(&["steps", "size"]), Some("steps"), false),
    Row("check_invar_bddbmc_threshold", Integer, Some("10"), false),
    Row("check_invar_forward_backward_heuristic", Choice(&["zigzag", "smallest"]), Some("zigzag"), false),
    Row(
        "check_invar_strategy",
        Choice(&["forward", "backward", "forward-backward", "bdd-bmc"]),
        Some("forward"),
        false,
    ),
    Row("cone_of_influence", Boolean, Some("0"), true),
    Row("conj_part_threshold", Integer, Some("1000"), false),
    Row("counter_examples", Boolean, Some("1"), true),
    Row("daggifier_counter_threshold", Integer, Some("3"), false),
    Row("daggifier_depth_threshold", Integer, Some("2"), false),
    Row("daggifier_enabled", Boolean, Some("1"), false),
    Row("daggifier_statistics", Boolean, Some("0"), false),
    Row("default_simulation_steps", Integer, Some("10"), true),
    Row("default_trace_plugin", Integer, Some("0"), true),
    Row("disable_syntactic_checks", Boolean, Some("0"), false),
    Row("dynamic_reorder", Boolean, Some("0"), true),
    Row("enable_sexp2bdd_caching", Boolean, Some("1"), false),
    Row("forward_search", Boolean, Some("1"), false),
    Row("ignore_init_file", Boolean, Some("0"), false),
    Row("image_cluster_size", Integer, Some("1000"), false),
    Row("input_file", Text, None, true),
    Row("input_order_file", Text, None, true),
    Row("iwls95preorder", Boolean, Some("0"), false),
    Row("keep_single_value_vars", Boolean, Some("0"), false),
    Row("ltl_tableau_forward_search", Boolean, Some("0"), false),
    Row("on_failure_script_quits", Boolean, Some("0"), true),
    Row("open_path", Text, Some("."), false),
    Row("oreg_justice_emptiness_bdd_algorithm", Choice(&["EL_bwd", "EL_fwd"]), Some("EL_bwd"), false),
    Row("output_boolean_model_file", Text, None, false),
    Row("output_flatten_model_file", Text, None, false),
    Row("output_order_file", Text, Some("temp.ord"), true),
    Row("output_word_format", Integer, Some("10"), false),
    Row("parser_is_lax", Boolean, Some("0"), false),
    Row("partition_method", Choice(&["Monolithic", "Threshold", "Iwls95CP"]), Some("Threshold"), false),
    Row("pp_list", Text, Some(""), true),
    Row("prop_print_method", Choice(&["formula", "name", "index", "truncated"]), Some("formula"), true),
    Row("rbc_inlining", Boolean, Some("1"), false),
    Row("rbc_rbc2cnf_algorithm", Choice(&["sheridan", "tseitin"]), Some("sheridan"), false),
    Row("reorder_method", Text, Some("sift"), false),
    Row("sat_solver", Text, Some("MiniSat"), false),
    Row("sexp_inlining", Boolean, Some("0"), false),
    Row("shown_states", Integer, Some("25"), true),
    Row("traces_hiding_prefix", Text, Some("__"), true),
    Row("traces_regexp", Text, None, false),
    Row("traces_show_defines", Boolean, Some("1"), true),
    Row("traces_show_defines_with_next", Boolean, Some("1"), false),
    Row("trans_order_file", Text, None, false),
    Row("type_checking_warning_on", Boolean, Some("1"), false),
    Row("use_coi_size_sorting", Boolean, Some("0"), false),
    Row("vars_order_type", Text, Some("inputs_before"), false),
    Row("verbose_level", Integer, Some("0"), false),
    Row("write_order_dumps_bits", Boolean, Some("1"), true),
];

/// The highest number of a trace plugin.
const LAST_PLUGIN: i64 = 5;

/// The values of all variables.
#[derive(Clone, Debug)]
pub struct Settings {
    values: BTreeMap<String, Option<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        let value = |Row(name, _, default, _): &Row| ((*name).to_owned(), default.map(str::to_owned));
        Self { values: ROWS.iter().map(value).collect() }
    }
}

impl Settings {
    /// The value of a variable; none if it is unset or unknown.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_deref()
    }

    /// Whether a Boolean variable is set.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        self.text(name) == Some("1")
    }

    /// The value of a numeric variable.
    #[must_use]
    pub fn number(&self, name: &str) -> usize {
        self.text(name).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// Sets a variable. The result is what to say about it, on standard output.
    ///
    /// # Errors
    /// Why the value is refused, for standard error.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<&'static str, String> {
        let Some(Row(_, kind, ..)) = ROWS.iter().find(|row| row.0 == name) else {
            let is_new = self.values.insert(name.to_owned(), Some(value.unwrap_or("").to_owned())).is_none();
            return Ok(if is_new { "Defining new environment variable " } else { "" });
        };
        let refused = |value: &str| format!("Cannot assign value \"{value}\" to option \"{name}\"\n");
        let value = match (kind, value) {
            (Boolean, None) => "1",
            (_, None) => return Err(format!("Please provide a value for option \"{name}\"\n")),
            (Boolean, Some(value)) if !["0", "1"].contains(&value) => {
                return Err(format!("Possible values are: \"1 0\"\n{}", refused(value)));
            }
            (Integer, Some(value)) => {
                let Ok(number) = value.parse::<i64>() else {
                    return Err(format!("The option requires an integer argument\n{}", refused(value)));
                };
                if name == "default_trace_plugin" && !(0..=LAST_PLUGIN).contains(&number) {
                    return Err(format!("Error: Plugin {number} is not currently available\n{}", refused(value)));
                }
                if number < 0 {
                    return Err(refused(value));
                }
                value
            }
            (Choice(words), Some(value)) if !words.contains(&value) => {
                return Err(format!("Possible values are: \"{}\"\n{}", words.join(" "), refused(value)));
            }
            (_, Some(value)) => value,
        };
        self.values.insert(name.to_owned(), Some(value.to_owned()));
        Ok("")
    }

    /// Resets a variable to its default, or clears a Boolean one.
    ///
    /// # Errors
    /// That it is unknown, for standard error.
    pub fn unset(&mut self, name: &str) -> Result<(), String> {
        match ROWS.iter().find(|row| row.0 == name) {
            Some(Row(_, Boolean, ..)) => self.values.insert(name.to_owned(), Some("0".into())),
            Some(Row(_, _, default, _)) => self.values.insert(name.to_owned(), default.map(str::to_owned)),
            None => match self.values.remove(name) {
                Some(value) => Some(value),
                None => return Err(format!("Warning: Option \"{name}\" is not registered\n")),
            },
        };
        Ok(())
    }

    /// All variables with their values, in order.
    #[must_use]
    pub fn list(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.values {
            let value = value.as_ref().map_or_else(|| "NULL".into(), |value| format!("\"{value}\""));
            let _ = writeln!(text, "{name:<40} {value}");
        }
        text
    }

    /// The variables that have an effect here.
    pub fn effective() -> impl Iterator<Item = &'static str> {
        ROWS.iter().filter(|row| row.3).map(|row| row.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_their_types() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("counter_examples", Some("0")), Ok(""));
        assert!(!settings.is_on("counter_examples"));
        assert_eq!(settings.set("counter_examples", None), Ok(""));
        assert!(settings.is_on("counter_examples"));
        assert!(settings.set("counter_examples", Some("5")).is_err());
        assert!(settings.set("bmc_length", Some("x")).is_err());
        assert_eq!(settings.set("bmc_length", None), Err("Please provide a value for option \"bmc_length\"\n".into()));
        assert!(settings.set("default_trace_plugin", Some("9")).is_err());
        assert_eq!(settings.set("mine", Some("1")), Ok("Defining new environment variable "));
        assert_eq!(settings.set("mine", Some("2")), Ok(""));
        assert_eq!(settings.unset("mine"), Ok(()));
        assert!(settings.unset("mine").is_err());
        assert_eq!((settings.number("bmc_length"), settings.text("input_file")), (10, None));
    }

    #[test]
    fn variables_are_listed_in_order() {
        let list = Settings::default().list();
        assert!(list.starts_with("affinity                                 \"1\"\n"));
        assert!(list.contains("\ninput_file                               NULL\n"));
        assert!(ROWS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
