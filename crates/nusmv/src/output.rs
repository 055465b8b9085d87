//! Output files of commands, which are complete or not there at all, and which never replace the model.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes a text to a file. A regular file is replaced as a whole, by a temporary file in its folder.
///
/// # Errors
/// Why it cannot be written, also if it is the model; what was there before is still there.
pub fn write(file: &Path, model: Option<&Path>, text: &str) -> io::Result<()> {
    let found = fs::canonicalize(file).ok();
    if let (Some(found), Some(model)) = (&found, model)
        && fs::canonicalize(model).is_ok_and(|model| model == *found)
    {
        return Err(io::Error::other("it is the model that is read"));
    }
    // Devices and pipes cannot be replaced, and standard output may be a file that is being written.
    let is_special = ["/dev", "/proc"].iter().any(|folder| file.starts_with(folder));
    if is_special || found.as_deref().is_some_and(|found| !found.is_file()) {
        return OpenOptions::new().append(true).open(file)?.write_all(text.as_bytes());
    }
    let path = found.as_deref().unwrap_or(file);
    let permissions = fs::metadata(path).ok().map(|old| old.permissions());
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    let temporary = path.with_file_name(format!(".{name}.{}.lariat-tmp", std::process::id()));
    let write = || {
        let mut new = fs::File::create(&temporary)?;
        new.write_all(text.as_bytes())?;
        permissions.map_or(Ok(()), |old| new.set_permissions(old))?;
        new.sync_all()?;
        fs::rename(&temporary, path)
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_not_replaced_and_others_are_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let (model, other) = (folder.path().join("m.smv"), folder.path().join("out.txt"));
        fs::write(&model, "MODULE main").expect("written");
        let same = folder.path().join(".").join("m.smv");
        assert!(write(&same, Some(&model), "order").is_err());
        assert_eq!(fs::read_to_string(&model).expect("read"), "MODULE main");
        for text in ["first", "second"] {
            write(&other, Some(&model), text).expect("written");
            assert_eq!(fs::read_to_string(&other).expect("read"), text);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
