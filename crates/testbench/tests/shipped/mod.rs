//! The Promela models of this repository.

use std::path::{Path, PathBuf};

/// All of them, in the order of their names.
pub(crate) fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut models: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("models are there") {
            let path = entry.expect("a readable folder").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "pml" => models.push(path),
                _ => {}
            }
        }
    }
    assert!(models.len() > 5, "the models are found");
    models.sort();
    models
}
