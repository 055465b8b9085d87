//! The table of diagnostics in the documents is the table in the code, and every code is in use.

use promela::codes;
use std::path::{Path, PathBuf};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_documented_codes_are_the_real_ones() {
    let path = project().join("docs/diagnostics-promela.md");
    let text = std::fs::read_to_string(path).expect("the document exists");
    let row = |line: &str| {
        let mut cells = line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_string());
        let code = cells.next()?;
        code.starts_with("P0").then_some((code, cells.next()?))
    };
    let documented: Vec<(String, String)> = text.lines().filter_map(row).collect();
    let real: Vec<(String, String)> = codes::ALL.iter().map(|(c, m)| ((*c).into(), (*m).into())).collect();
    assert_eq!(documented, real);
}

#[test]
fn every_code_is_in_use() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table = std::fs::read_to_string(source.join("codes.rs")).expect("the table exists");
    let mut all = String::new();
    read(&source, &mut all);
    let names = table.lines().filter_map(|line| line.trim().split_once(" = \"P0")).map(|(name, _)| name);
    for name in names {
        assert!(all.contains(&format!("codes::{name}")), "codes::{name} is never reported");
    }
}

fn read(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, into);
        } else {
            into.push_str(&std::fs::read_to_string(&path).expect("a source text"));
        }
    }
}
