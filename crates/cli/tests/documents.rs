//! `docs/commands.md` lists each command and each option of the real binary, once, with its values; `docs/json.md` the fields
//! of what it prints about formulas and automata.

mod common;

use common::Folder;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What an option looks like in the help: its names, and the values it takes if they are listed.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Described {
    names: String,
    values: Vec<String>,
}

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_lariat")).args(arguments).arg("-h").output().expect("lariat starts");
    assert!(output.status.success(), "lariat {arguments:?} -h");
    String::from_utf8(output.stdout).expect("help is text")
}

/// The commands, in the order of the help.
fn commands() -> Vec<String> {
    let help = help(&[]);
    let list = help.split("Commands:\n").nth(1).expect("a list of commands").split("\n\n").next().expect("its lines");
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The options in a help text. An entry begins less than seven columns from the left; what follows it is indented further.
fn options(help: &str) -> BTreeSet<Described> {
    let mut entries: Vec<(String, String)> = Vec::new();
    let list = help.split("\nOptions:\n").nth(1).expect("a list of options").split("\n\n").next().expect("its lines");
    for line in list.lines() {
        let text = line.trim_start();
        match entries.last_mut() {
            Some((_, effect)) if line.len() - text.len() > 6 => effect.push_str(&format!(" {text}")),
            _ => {
                let (names, effect) = text.split_once("  ").unwrap_or((text, ""));
                entries.push((names.to_owned(), effect.trim_start().to_owned()));
            }
        }
    }
    let described = |(names, effect): (String, String)| {
        let values = effect.split("[possible values: ").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("");
        let values = values.split(", ").filter(|value| !value.is_empty()).map(str::to_owned).collect();
        Described { names, values }
    };
    entries.into_iter().map(described).collect()
}

/// The options in a section of the document: rows whose first cell is in backquotes and begins with a dash.
fn rows(section: &str) -> Vec<Described> {
    let row = |line: &str| {
        let (names, effect) = line.strip_prefix("| `")?.split_once("` | ")?;
        let values = effect.split("; one of ").nth(1).and_then(|rest| rest.split(" |").next()).unwrap_or("");
        let values = values.split("; by default").next().unwrap_or("").split(", ").filter(|value| !value.is_empty());
        let values = values.map(|value| value.trim_matches('`').to_owned()).collect();
        names.starts_with('-').then(|| Described { names: names.to_owned(), values })
    };
    section.lines().filter_map(row).collect()
}

#[test]
fn the_document_lists_the_options_that_there_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let page = std::fs::read_to_string(path).expect("docs/commands.md");
    let mut sections = page.split("\n## ").skip(1);
    let everywhere = rows(sections.next().expect("a section on all commands"));
    let everywhere: BTreeSet<Described> = everywhere.into_iter().collect();
    assert_eq!(everywhere, options(&help(&[])));

    let commands = commands();
    let sections: Vec<&str> = sections.collect();
    let headings: Vec<&str> = sections.iter().filter_map(|section| section.lines().next()).collect();
    let expected: Vec<String> = commands.iter().map(|command| format!("`lariat {command}`")).collect();
    assert_eq!(headings, expected, "the sections (left) and the commands (right) differ");
    for (command, section) in commands.iter().zip(sections) {
        let listed = rows(section);
        let count = listed.len();
        let listed: BTreeSet<Described> = listed.into_iter().collect();
        assert_eq!(listed.len(), count, "an option of `{command}` is listed twice");
        let there = options(&help(&[command]));
        let own: BTreeSet<Described> = there.into_iter().filter(|option| !everywhere.contains(option)).collect();
        assert_eq!(listed, own, "docs/commands.md (left) and `lariat {command} -h` (right) differ");
    }
}

/// The names of all fields of a document.
fn fields(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                fields(value, found);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[test]
fn fields_of_formulas_and_automata_are_documented() {
    let document = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md"))
        .expect("the document is there");
    let folder = Folder::new("fields");
    let automaton = folder.file("a.hoa", &folder.expect(&["translate", "GFa & b U c"], 0)).display().to_string();
    let asked: [&[&str]; 6] = [
        &["formula", "a W b", "--size", "--classify", "--explain", "--implies", "a U b"],
        &["translate", "a U b"],
        &["automaton", &automaton, "--stats"],
        &["automaton", &automaton, "--strength"],
        &["automaton", &automaton, "--shortest-lasso"],
        &["automaton", &automaton, "--is-empty"],
    ];
    for arguments in asked {
        let title =
            if arguments[0] == "formula" { "## `formula --format json`" } else { "## `translate --format json`" };
        let section = document.split(title).nth(1).expect("a section").split("\n## ").next().expect("its text");
        let output = folder.lariat(&[arguments, &["--format", "json"]].concat(), "");
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(value["schema"], 2, "{arguments:?}");
        let mut found = BTreeSet::new();
        fields(&value, &mut found);
        // The components are counted by strength; these names are in the other document.
        found.retain(|name| !["rejecting", "terminal", "weak", "strong"].contains(&name.as_str()));
        for name in found {
            let named = [format!("`{name}`"), format!("\"{name}\":")].iter().any(|text| section.contains(text));
            assert!(named, "{arguments:?}: {name}");
        }
    }
}
