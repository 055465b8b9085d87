//! The models of the experiment: fifteen families that this repository ships, each with several parameters, and the
//! models with a fixed size; or the models of folders that the user names.

use std::path::{Path, PathBuf};

/// A model and its parameters.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The file.
    pub file: PathBuf,
    /// Flags of the preprocessor.
    pub flags: Vec<String>,
}

impl Instance {
    /// The name in tables.
    #[must_use]
    pub fn name(&self) -> String {
        // The folder and the file; where the repository lies does not matter.
        let parts: Vec<_> = self.file.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
        let file = parts.into_iter().rev().collect::<Vec<_>>().join("/");
        if self.flags.is_empty() { file } else { format!("{file} {}", self.flags.join(" ")) }
    }
}

/// Below `models`: the file, and the parameters of each instance.
const FAMILIES: [(&str, &[&str]); 23] = [
    ("scaled/anderson.pml", &["N=2", "N=3", "N=4", "N=5"]),
    ("scaled/bakery.pml", &["MOST=1", "MOST=2", "MOST=3", "MOST=4", "MOST=6", "N=3 MOST=1", "N=3"]),
    ("scaled/barber.pml", &["N=2", "N=3", "N=4 CHAIRS=2", "N=5 CHAIRS=3", "N=6 CHAIRS=4", "N=8 CHAIRS=5"]),
    ("scaled/buffer.pml", &["SIZE=1", "SIZE=2", "SIZE=3", "SIZE=4", "SIZE=5", "N=2", "M=2", "N=2 M=2"]),
    ("scaled/butler.pml", &["N=2", "N=3", "N=4", "N=5", "N=6", "N=7", "N=8"]),
    ("scaled/coherence.pml", &["N=2", "N=3", "N=4", "N=5", "N=6"]),
    ("scaled/election.pml", &["N=2", "N=3", "N=4", "N=5", "N=6", "N=8"]),
    ("scaled/fast-lock.pml", &["N=2", "N=3", "N=4"]),
    ("scaled/filter.pml", &["N=2", "N=3", "N=4"]),
    ("scaled/lift.pml", &["FLOORS=2", "FLOORS=3", "FLOORS=4", "FLOORS=5", "FLOORS=6", "N=2 FLOORS=2", "N=2 FLOORS=3"]),
    ("scaled/readers.pml", &["N=2", "N=2 M=2", "N=3", "N=4", "N=4 M=2", "N=5 M=2", "N=6 M=2"]),
    ("scaled/szymanski.pml", &["N=2", "N=3", "N=4"]),
    ("scaled/ticket.pml", &["N=2", "N=3", "N=4", "N=5", "N=6", "N=7"]),
    ("scaled/token.pml", &["N=2", "N=3", "N=4", "N=5", "N=6", "N=7"]),
    ("scaled/window.pml", &["SIZE=1", "SIZE=2", "SIZE=3", "SIZE=4"]),
    ("mutex/dekker-turns.pml", &[""]),
    ("mutex/hyman-turns.pml", &[""]),
    ("mutex/peterson-turns.pml", &[""]),
    ("mutex/peterson-turns-mirrored.pml", &[""]),
    ("mutex/peterson.pml", &[""]),
    ("mutex/peterson-swapped.pml", &[""]),
    ("protocols/alternating-bit.pml", &[""]),
    ("tour/lock.pml", &[""]),
];

/// The shipped instances; the folder is `models`.
#[must_use]
pub fn shipped(folder: &Path) -> Vec<Instance> {
    let one = |file: &str, parameters: &str| Instance {
        file: folder.join(file),
        flags: parameters.split_whitespace().map(|text| format!("-D{text}")).collect(),
    };
    FAMILIES.iter().flat_map(|(file, all)| all.iter().map(move |parameters| one(file, parameters))).collect()
}

/// The model files below folders, in order; a folder with a manifest is a corpus.
///
/// # Errors
/// If a folder cannot be read.
pub fn below(folders: &[PathBuf]) -> Result<Vec<Instance>, String> {
    let mut all = Vec::new();
    for folder in folders {
        if folder.join("manifest.json").exists() {
            let models = crate::corpus::models(folder)?;
            all.extend(models.into_iter().map(|model| Instance { file: model.file, flags: model.flags }));
            continue;
        }
        let mut pending = vec![folder.clone()];
        let mut found = Vec::new();
        while let Some(folder) = pending.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "pml") {
                    found.push(path);
                }
            }
        }
        found.sort();
        all.extend(found.into_iter().map(|file| Instance { file, flags: Vec::new() }));
    }
    Ok(all)
}
