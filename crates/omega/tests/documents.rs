//! The codes that `docs/diagnostics-ltl.md` explains are those that the crate reports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The codes such as `L0101` in a text, where each begins with `before`.
fn codes(text: &str, before: &str) -> BTreeSet<String> {
    let starts = text.match_indices(before).map(|(at, _)| &text[at + before.len()..]);
    let code = |rest: &str| rest.get(..5).map(str::to_owned);
    let is_code = |code: &String| code.starts_with('L') && code[1..].bytes().all(|b| b.is_ascii_digit());
    starts.filter_map(code).filter(is_code).collect()
}

#[test]
fn every_code_is_explained_and_every_explained_code_is_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&folder.join("src"), &mut files);
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a readable source");
    let reported: BTreeSet<String> = files.iter().flat_map(|path| codes(&read(path), "\"")).collect();
    let document = read(&folder.join("../../docs/diagnostics-ltl.md"));
    let explained = codes(&document, "| ");
    assert_eq!(reported, explained);
}
