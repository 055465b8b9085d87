//! The folder that is served, and nothing outside it.
//!
//! A name consists of plain components separated by `/`. What it leads to is resolved, links included, and must lie below
//! the folder: a link out of the folder is refused like a name with `..`.

use checker::model::Files;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// The ends of the names of models.
const ENDS: [&str; 4] = ["pml", "prom", "promela", "smv"];
/// Models beyond this number are not listed.
const MOST_LISTED: usize = 1000;
/// Longer files are not read.
const LONGEST: u64 = super::LONGEST_BODY as u64;

/// A folder, by its true path.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, reason.to_owned())
}

impl Folder {
    /// A folder that exists.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(path)?;
        if root.is_dir() { Ok(Self { root }) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    /// The true path of a file inside, which may be missing if its folder is not.
    fn place(&self, name: &str) -> io::Result<PathBuf> {
        let path = Path::new(name);
        let is_plain = path.components().all(|part| match part {
            Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
            _ => false,
        });
        if name.is_empty() || !is_plain || name.contains(['\0', '\\']) {
            return Err(refused("this is not a name of a file in the folder"));
        }
        let place = self.root.join(path);
        let (Some(folder), Some(file)) = (place.parent(), place.file_name()) else {
            return Err(refused("this is not a name of a file in the folder"));
        };
        let folder = fs::canonicalize(folder)?;
        let place = match fs::canonicalize(folder.join(file)) {
            Ok(true_place) => true_place,
            // A link that leads nowhere must not be followed by creating what it names.
            Err(_) if fs::symlink_metadata(folder.join(file)).is_ok() => return Err(refused("this is a broken link")),
            Err(_) => folder.join(file),
        };
        if place.starts_with(&self.root) { Ok(place) } else { Err(refused("this lies outside the folder")) }
    }

    /// The text of a file; what is not UTF-8 is replaced.
    ///
    /// # Errors
    /// Why it cannot be read, or that it lies outside.
    pub fn read(&self, name: &str) -> io::Result<String> {
        let place = self.place(name)?;
        let found = fs::metadata(&place)?;
        if !found.is_file() {
            return Err(refused("this is not a file"));
        }
        if found.len() > LONGEST {
            return Err(refused("the file is too long"));
        }
        Ok(String::from_utf8_lossy(&fs::read(place)?).into_owned())
    }

    /// Replaces the text of a model as a whole.
    ///
    /// # Errors
    /// Why it cannot be written, or that it is not a model inside the folder.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let place = self.place(name)?;
        if !is_model(&place) {
            return Err(refused("only models are written: *.pml, *.prom, *.promela, *.smv"));
        }
        let file = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let temporary = place.with_file_name(format!(".{file}.{}.lariat-tmp", std::process::id()));
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &place));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// The names of all models in the folder and below it, hidden ones and links excepted, in order.
    #[must_use]
    pub fn models(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, is_hidden) = (entry.path(), entry.file_name().to_string_lossy().starts_with('.'));
                let Ok(kind) = entry.file_type() else { continue };
                if is_hidden || found.len() >= MOST_LISTED {
                    continue;
                }
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file()
                    && is_model(&path)
                    && let Ok(name) = path.strip_prefix(&self.root)
                {
                    found.push(name.to_string_lossy().into_owned());
                }
            }
        }
        found.sort();
        found
    }
}

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|end| ENDS.contains(&end.to_string_lossy().to_ascii_lowercase().as_str()))
}

/// Included files: those beside the file that includes them, inside the folder.
impl Files for Folder {
    fn read(&self, path: &str, included_from: Option<&str>) -> io::Result<(String, String)> {
        let beside = included_from.and_then(|from| Path::new(from).parent()).unwrap_or(Path::new(""));
        let name = beside.join(path).to_string_lossy().into_owned();
        let text = Folder::read(self, &name)?;
        Ok((name, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_is_reachable() {
        let outer = tempfile::tempdir().expect("a folder");
        let inner = outer.path().join("inner");
        fs::create_dir_all(inner.join("sub")).expect("a folder");
        fs::write(outer.path().join("secret.pml"), "secret").expect("written");
        fs::write(inner.join("m.pml"), "model").expect("written");
        fs::write(inner.join("sub/n.smv"), "MODULE main").expect("written");
        fs::write(inner.join(".hidden.pml"), "hidden").expect("written");
        let folder = Folder::open(&inner).expect("opened");
        assert_eq!(folder.models(), ["m.pml", "sub/n.smv"]);
        assert_eq!(Folder::read(&folder, "m.pml").ok().as_deref(), Some("model"));
        let absolute = outer.path().join("secret.pml").display().to_string();
        for name in ["../secret.pml", "sub/../../secret.pml", "./m.pml", "", ".hidden.pml", "sub", &absolute, "a\0b"] {
            assert!(Folder::read(&folder, name).is_err(), "{name:?}");
            assert!(folder.write(name, "x").is_err(), "{name:?}");
        }
        assert!(folder.write("notes.txt", "x").is_err() && folder.write("missing/new.pml", "x").is_err());
        folder.write("sub/new.pml", "new").expect("written");
        assert_eq!(fs::read_to_string(outer.path().join("secret.pml")).ok().as_deref(), Some("secret"));
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_refused() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().expect("a folder");
        let inner = outer.path().join("inner");
        fs::create_dir(&inner).expect("a folder");
        fs::write(outer.path().join("secret.pml"), "secret").expect("written");
        symlink(outer.path().join("secret.pml"), inner.join("link.pml")).expect("a link");
        symlink(outer.path(), inner.join("up")).expect("a link");
        symlink(outer.path().join("new.pml"), inner.join("broken.pml")).expect("a link");
        let folder = Folder::open(&inner).expect("opened");
        for name in ["link.pml", "up/secret.pml", "broken.pml"] {
            assert!(Folder::read(&folder, name).is_err() && folder.write(name, "x").is_err(), "{name}");
        }
        assert!(!outer.path().join("new.pml").exists() && folder.models().is_empty());
        assert_eq!(fs::read_to_string(outer.path().join("secret.pml")).ok().as_deref(), Some("secret"));
    }
}
