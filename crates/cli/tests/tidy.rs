//! What a machine can hold about this repository: directions, headers, sizes, citations, words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder, sorted, build output left out.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if path.is_dir() && name != "target" && name != ".git" {
                folders.push(path);
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<PathBuf> {
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    ["crates", "benches", "fuzz"].iter().flat_map(|folder| files(&root().join(folder))).filter(is_rust).collect()
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[track_caller]
fn nothing_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// What each crate may use of the others: the lines of ARCHITECTURE.md.
const DIRECTIONS: [(&str, &[&str]); 20] = [
    ("kernel", &[]),
    ("graph", &[]),
    ("bdd", &["kernel"]),
    ("omega", &["kernel", "graph", "bdd"]),
    ("promela", &["kernel", "graph", "omega"]),
    ("search", &["kernel", "graph", "omega"]),
    ("flat", &["kernel", "graph", "omega"]),
    ("smv", &["kernel", "omega", "flat"]),
    ("symbolic", &["kernel", "graph", "bdd", "omega", "flat"]),
    ("sat", &["kernel", "omega", "flat"]),
    ("checker", &["kernel", "graph", "bdd", "omega", "promela", "search", "flat", "smv", "symbolic", "sat"]),
    (
        "serve",
        &[
            "kernel",
            "graph",
            "bdd",
            "omega",
            "promela",
            "search",
            "flat",
            "smv",
            "symbolic",
            "checker",
            "page",
            "testbench",
        ],
    ),
    ("cluster", &["kernel", "search", "checker"]),
    ("format", &["kernel", "promela", "smv", "checker"]),
    ("lsp", &["kernel", "promela", "smv", "checker", "format"]),
    ("page", &["kernel", "graph", "bdd", "omega", "promela", "search", "flat", "smv", "symbolic", "checker"]),
    ("testbench", &["kernel", "graph", "bdd", "omega", "promela", "search", "flat", "smv", "symbolic", "checker"]),
    ("nusmv", &["kernel", "bdd", "flat", "smv", "symbolic", "sat", "checker"]),
    (
        "cli",
        &[
            "kernel",
            "omega",
            "promela",
            "flat",
            "symbolic",
            "checker",
            "cluster",
            "page",
            "testbench",
            "nusmv",
            "format",
            "serve",
            "lsp",
        ],
    ),
    ("lariat", &["kernel", "omega", "checker"]),
];

/// What the tests of a crate may use besides: an engine knows no language, but its tests write models in one.
const DIRECTIONS_OF_TESTS: [(&str, &[&str]); 2] = [("symbolic", &["smv"]), ("sat", &["smv"])];

#[test]
fn crates_use_only_what_lies_below_them() {
    let names: Vec<&str> = DIRECTIONS.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for (name, allowed) in DIRECTIONS {
        let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
        // Those for tests and for building, too.
        for table in manifest.split("\n[") {
            let title = table.split(']').next().unwrap_or("");
            let by_tests = DIRECTIONS_OF_TESTS.iter().filter(|(own, _)| *own == name && title == "dev-dependencies");
            let by_tests: Vec<&str> = by_tests.flat_map(|(_, allowed)| allowed.iter().copied()).collect();
            for line in table.lines().filter(|_| title.ends_with("dependencies")) {
                let used = line.split(['.', '=', ' ']).next().unwrap_or("");
                if names.contains(&used) && !allowed.contains(&used) && !by_tests.contains(&used) {
                    wrong.push(format!("`{name}` must not use `{used}`"));
                }
            }
        }
    }
    let folders = fs::read_dir(root().join("crates")).expect("crates").count();
    assert_eq!(folders, DIRECTIONS.len(), "a crate is missing from the table of directions");
    nothing_wrong(&wrong);
}

#[test]
fn every_source_file_says_what_it_is() {
    let silent = sources().into_iter().filter(|path| !read(path).starts_with("//!"));
    nothing_wrong(&silent.map(|path| format!("{} does not begin with `//!`", shown(&path))).collect::<Vec<_>>());
}

#[test]
fn files_are_short() {
    let mut wrong = Vec::new();
    for path in sources() {
        let lines = read(&path).lines().count();
        if lines > 1000 {
            wrong.push(format!("{}: {lines} lines, the limit is 1,000", shown(&path)));
        }
        let header: String = read(&path).lines().take_while(|line| line.starts_with("//!")).collect();
        if lines > 600 && !header.contains("long file") {
            wrong.push(format!("{}: {lines} lines; over 600, the header must say why it is a long file", shown(&path)));
        }
    }
    nothing_wrong(&wrong);
}

#[test]
fn citations_and_bibliography_agree() {
    let bibliography = read(&root().join("docs/references.bib"));
    let entries: BTreeSet<String> = bibliography
        .lines()
        .filter(|line| line.starts_with('@'))
        .filter_map(|line| Some(line.split_once('{')?.1.trim_end_matches(',').to_string()))
        .collect();
    let mut cited = BTreeMap::new();
    let documents = files(&root().join("docs")).into_iter().filter(|path| path.extension().is_some_and(|e| e == "md"));
    for path in sources().into_iter().chain(documents) {
        for key in citations(&read(&path)) {
            cited.entry(key).or_insert_with(|| shown(&path));
        }
    }
    let unknown = cited.iter().filter(|(key, _)| !entries.contains(*key));
    let mut wrong: Vec<String> = unknown.map(|(key, path)| format!("{path} cites [{key}], which is unknown")).collect();
    let unused = entries.iter().filter(|key| !cited.contains_key(*key));
    wrong.extend(unused.map(|key| format!("nobody cites [{key}]")));
    nothing_wrong(&wrong);
}

/// The keys of the form `[name.year.venue]` in a text.
fn citations(text: &str) -> Vec<String> {
    let plain =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_key = |key: &&str| {
        let parts: Vec<&str> = key.split('.').collect();
        let year = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.len() == 3 && parts.iter().all(plain) && year(parts[1])
    };
    text.split('[').skip(1).filter_map(|rest| rest.split(']').next()).filter(is_key).map(str::to_string).collect()
}

#[test]
fn the_folder_map_is_the_tree() {
    let page = read(&root().join("ARCHITECTURE.md"));
    let map = page.split("<!-- folder map -->").nth(1).expect("ARCHITECTURE.md has a folder map");
    let listed: BTreeSet<String> = map
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(folder, _)| folder.to_string()))
        .collect();
    let mut there = BTreeSet::new();
    for path in files(&root()) {
        let relative = shown(&path);
        let parts: Vec<&str> = relative.split('/').collect();
        let depth = if parts[0] == "crates" { 2 } else { 1 };
        if parts.len() > depth {
            there.insert(parts[..depth].join("/") + "/");
        }
    }
    assert_eq!(listed, there, "the folder map of ARCHITECTURE.md (left) and the tree (right) differ");
}

#[test]
fn models_carry_their_expectation_and_source() {
    let mut wrong = Vec::new();
    for path in files(&root().join("models")) {
        let is_model = path.extension().is_some_and(|extension| extension == "pml" || extension == "smv");
        let text = read(&path);
        for needed in ["expect:", "source:"] {
            if is_model && !text.lines().take(12).any(|line| line.contains(needed)) {
                wrong.push(format!("{} has no `{needed}` line in its header", shown(&path)));
            }
        }
    }
    nothing_wrong(&wrong);
}

#[test]
fn no_words_of_unfinished_work() {
    // Spelt in halves, so that this file passes its own test.
    let banned = [["FIX", "ME"].concat(), ["XX", "X"].concat(), ["TO", "DO"].concat(), ["HA", "CK"].concat()];
    let mut wrong = Vec::new();
    for path in sources() {
        let text = read(&path);
        for word in banned.iter().filter(|word| text.contains(word.as_str())) {
            wrong.push(format!("{} contains {word}", shown(&path)));
        }
    }
    nothing_wrong(&wrong);
}

#[test]
fn libraries_do_no_input_or_output() {
    let mut wrong = Vec::new();
    for path in sources() {
        let relative = shown(&path);
        let library = relative.starts_with("crates/") && relative.contains("/src/");
        // The tool talks to the world; the testbench runs foreign translators; the servers answer browsers and editors; commands of
        // NuSMV name files; the processes of a cluster talk to each other.
        let talks =
            ["crates/cli/", "crates/testbench/", "crates/serve/", "crates/lsp/", "crates/nusmv/", "crates/cluster/"];
        if library && !talks.iter().any(|folder| relative.starts_with(folder)) {
            for word in ["std::fs", "std::process", "std::net"] {
                if read(&path).contains(word) {
                    wrong.push(format!("{relative} uses {word}"));
                }
            }
        }
    }
    nothing_wrong(&wrong);
}

/// What the tool must not name: how a question is decided is the business of the libraries.
const NOT_IN_THE_TOOL: [&str; 10] = [
    "sat::",
    "bdd::",
    "search::",
    "graph::",
    "omega::reduce",
    "symbolic::encode",
    "symbolic::image::relation",
    "symbolic::fixpoint",
    "symbolic::check",
    "promela::compiled",
];

#[test]
fn the_tool_names_no_algorithm() {
    let mut wrong = Vec::new();
    for path in sources().into_iter().filter(|path| shown(path).starts_with("crates/cli/src/")) {
        let text = read(&path);
        let is_name = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        for name in NOT_IN_THE_TOOL {
            if text.match_indices(name).any(|(at, _)| is_name(at)) {
                wrong.push(format!("{} names `{name}`", shown(&path)));
            }
        }
    }
    nothing_wrong(&wrong);
}

/// The crates whose messages a front end shows. They name facts; how to change them is for the front end to say.
const LIBRARIES: [&str; 4] = ["checker", "sat", "search", "symbolic"];

#[test]
fn messages_of_the_library_name_no_options_of_the_command_line() {
    let mut wrong = Vec::new();
    for path in LIBRARIES.iter().flat_map(|name| files(&root().join("crates").join(name).join("src"))) {
        for (number, line) in (1..).zip(read(&path).lines()) {
            let code = line.split("//").next().unwrap_or("");
            let names_option = |at: usize| {
                let before = code[..at].chars().next_back();
                let after = code[at + 2..].chars().next();
                before.is_some_and(|c| "\"` ".contains(c)) && after.is_some_and(|c| c.is_ascii_lowercase())
            };
            if code.match_indices("--").any(|(at, _)| names_option(at)) {
                wrong.push(format!("{}:{number}: {}", shown(&path), line.trim()));
            }
        }
    }
    nothing_wrong(&wrong);
}
