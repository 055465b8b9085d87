//! The table of options, the hints it gives, and the page that shows it.

use super::*;
use std::fmt::Write;
use std::path::Path;

#[test]
fn an_option_of_another_tool_has_a_hint() {
    let first = |command: Option<&str>, argument: &str| hints(command, argument).first().cloned().unwrap_or_default();
    assert!(first(Some("check"), "-m1000").contains("`-mN` of pan: `--max-depth N`"));
    assert!(first(Some("check"), "-run").contains("`lariat check MODEL`"));
    assert!(first(None, "-run").contains("`lariat check MODEL`"));
    assert!(first(Some("simulate"), "-n123").contains("--seed N"));
    assert!(first(Some("simulate"), "-u500").contains("--steps N"));
    assert!(first(Some("check"), "-bmc").contains("NuSMV"));
    assert!(first(Some("check"), "-int").contains("lariat simulate --interactive"));
    assert!(first(Some("testbench"), "--no-complement").contains("--checks"));
    assert!(first(Some("check"), "--timeout=5").contains("--time-limit"));
    assert!(first(Some("translate"), "--spin").contains("--format never"));
    assert!(first(Some("formula"), "--spin").contains("--to spin"));
    // An option of another command is better than nothing.
    assert!(first(Some("check"), "--hoaf").contains("HOA is the default"));
    assert_eq!(hints(Some("check"), "--nonsense"), Vec::<String>::new());
    assert_eq!(hints(Some("check"), "-max"), Vec::<String>::new());
}

#[test]
fn every_option_of_another_tool_has_its_hint() {
    let typed = ["check", "-a", "-m1000", "--first", "-i", "-m1000", "model.pml"].map(str::to_owned);
    let command_line = std::iter::once("lariat".to_owned()).chain(typed.iter().cloned());
    let mut error = Arguments::command().try_get_matches_from(command_line).expect_err("`-a` is an option of pan");
    let hints = explain(&mut error, &typed);
    assert_eq!(hints.matches("`-mN` of pan").count(), 1, "{hints}");
    assert!(
        hints.starts_with("hint: `-a` of ") && hints.contains("`-i` of pan") && !hints.contains("first`"),
        "{hints}"
    );
}

#[test]
fn macros_of_pan_are_known() {
    assert!(of_macro("NOREDUCE").is_some() && of_macro("VECTORSZ=2048").is_some() && of_macro("HC4").is_some());
    assert!(of_macro("N=3").is_none() && of_macro("REDUCE").is_none());
}

#[test]
fn suggestions_are_near_and_not_the_opposite() {
    assert!(is_near("--stor", "--store") && is_near("--fist", "--first"));
    assert!(!is_near("--deadlock", "--allow-deadlock") && !is_near("--threads", "--store-hashes"));
    assert!(!is_near("--save", "--no-save"));
}

#[test]
fn what_hints_name_exists() {
    let mut known = vec!["--version".to_owned(), "--help".to_owned()];
    for command in Arguments::command().get_subcommands() {
        known.extend(command.get_arguments().filter_map(|option| option.get_long()).map(|long| format!("--{long}")));
    }
    for program in PROGRAMS.iter().chain([&OTHER]) {
        for Row(option, _, ours) in program.rows {
            let quoted = ours.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
            for word in quoted.filter(|word| word.starts_with("--")) {
                let name = word.split('=').next().unwrap_or(word);
                assert!(known.iter().any(|long| long == name), "{option}: there is no {name}");
            }
        }
    }
}

/// The table of a program as it stands in the page.
fn table(program: &Program) -> String {
    let mut text = String::from("| option | here |\n|---|---|\n");
    for Row(option, value, ours) in program.rows {
        let _ = writeln!(text, "| `{option}{}` | {ours} |", value.replace('|', "\\|"));
    }
    text
}

#[test]
fn the_page_shows_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/coming-from.md");
    let found = std::fs::read_to_string(&path).expect("the page exists");
    let mut page = found.clone();
    for program in PROGRAMS.iter().chain([&OTHER]) {
        let mark = format!("<!-- options: {} -->\n", program.name);
        let start =
            page.find(&mark).unwrap_or_else(|| panic!("the page has no table of {}", program.name)) + mark.len();
        let end = start + page[start..].find("<!-- end -->").expect("the end of the table");
        page.replace_range(start..end, &table(program));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    } else {
        assert!(found == page, "docs/coming-from.md is not up to date: run this test with UPDATE_EXPECT=1");
    }
}
