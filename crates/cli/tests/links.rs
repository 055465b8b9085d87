//! Links between the pages of the repository lead somewhere, and the paths in the glossary and the architecture page
//! name code that exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder with an extension, sorted; build output is left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        let is_hidden = path.file_name().is_some_and(|name| name == "target" || name == ".git");
        if path.is_dir() && !is_hidden {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The lines of a page outside code blocks.
fn prose(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line);
        }
    }
    lines
}

/// The anchors of a page: its headings in lower case, without punctuation, with dashes for spaces.
fn anchors(page: &str) -> BTreeSet<String> {
    let heading = |line: &&str| line.starts_with('#');
    let anchor = |line: &str| -> String {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    prose(page).into_iter().filter(heading).map(anchor).collect()
}

/// The targets of the links on a line that stay inside the repository.
fn targets(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).collect()
}

#[test]
fn links_between_pages_resolve() {
    let mut wrong = Vec::new();
    for path in files(&root(), "md") {
        let page = read(&path);
        for target in prose(&page).into_iter().flat_map(targets) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let linked = if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            let is_page = linked.extension().is_some_and(|extension| extension == "md");
            let resolves =
                linked.exists() && (anchor.is_empty() || !is_page || anchors(&read(&linked)).contains(anchor));
            if !resolves {
                wrong.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

/// The code paths on a page, such as `kernel::budget::Budget`, that begin with the name of a crate.
fn code_paths(page: &str) -> BTreeSet<Vec<String>> {
    let is_path =
        |text: &&str| text.contains("::") && text.chars().all(|c| c.is_alphanumeric() || ":_{}, ".contains(c));
    let mut paths = BTreeSet::new();
    for text in prose(page).into_iter().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(is_path) {
        let (modules, names) = text.rsplit_once("::").expect("a path");
        for name in names.trim_matches(['{', '}']).split(", ") {
            let mut path: Vec<String> = modules.split("::").map(str::to_owned).collect();
            path.push(name.to_owned());
            if root().join("crates").join(&path[0]).is_dir() {
                paths.insert(path);
            }
        }
    }
    paths
}

/// Whether a crate has a module, or below its modules a public item, at this path.
fn exists(path: &[String]) -> bool {
    let [first, modules @ .., name] = path else { return false };
    let source = root().join("crates").join(first).join("src");
    let folder = modules.iter().fold(source, |folder, module| folder.join(module));
    let is_module = folder.join(name).is_dir() || folder.join(format!("{name}.rs")).is_file();
    let mut holders = if folder.is_dir() { files(&folder, "rs") } else { Vec::new() };
    holders.push(folder.with_extension("rs"));
    let defines = |text: &str| {
        ["struct", "enum", "trait", "type", "fn", "mod"].iter().any(|kind| {
            let starts = format!("pub {kind} {name}");
            text.match_indices(&starts)
                .any(|(at, _)| !text[at + starts.len()..].starts_with(|c: char| c.is_alphanumeric()))
        })
    };
    is_module || holders.iter().filter(|file| file.is_file()).any(|file| defines(&read(file)))
}

#[test]
fn paths_in_pages_name_code_that_exists() {
    let mut wrong = Vec::new();
    for page in ["docs/glossary.md", "ARCHITECTURE.md"] {
        for path in code_paths(&read(&root().join(page))) {
            if !exists(&path) {
                wrong.push(format!("{page}: {}", path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "paths without code:\n{}", wrong.join("\n"));
}
