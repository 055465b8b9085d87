//! Output files, which are complete or not there at all, and which never replace an input.
//!
//! Contract: [`write`] writes a temporary file in the same folder, flushes it to the disk and renames it. Whatever ends the
//! process, and however full the disk is, the name afterwards leads to the old text or to the new one. A device or a pipe
//! cannot be replaced: it is opened without waiting for a reader, and written within a time limit.

use crate::exit::Failure;
use crate::input::reason;
use crate::thresholds::input::{FILE_HEAD, LONGEST_FILE};
use crate::thresholds::time::{ABANDONED_AFTER, PIPE_PATIENCE};
use checker::options::{Files, Medium};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The end of the names of temporary files.
const TEMPORARY: &str = ".lariat-tmp";

/// A folder for files without names, which are gone when the process ends, whatever ends it.
#[derive(Debug)]
pub(crate) struct Nameless(pub(crate) PathBuf);

impl Files for Nameless {
    fn create(&self) -> io::Result<Box<dyn Medium>> {
        Ok(Box::new(tempfile::tempfile_in(&self.0)?))
    }

    fn place(&self) -> String {
        format!("`{}`", self.0.display())
    }
}

/// Where an output goes.
#[derive(Debug)]
enum Target {
    /// A regular file, or a name that is free; what is there is replaced as a whole.
    File { path: PathBuf, old: Option<Metadata> },
    /// A pipe or a device.
    Stream(PathBuf),
}

/// Finds out what stands at a path, without reading it.
fn target(path: &Path) -> io::Result<Target> {
    let Ok(found) = fs::metadata(path) else {
        // A link that leads nowhere may have been placed by somebody else; following it would create a file there.
        return match fs::symlink_metadata(path) {
            Ok(_) => Err(io::Error::other("it is a symbolic link that leads nowhere")),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Target::File { path: path.into(), old: None }),
            Err(error) => Err(error),
        };
    };
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    // Standard output may be a regular file that is being written.
    if !found.is_file() || path.starts_with("/dev") || path.starts_with("/proc") {
        return Ok(Target::Stream(path.into()));
    }
    Ok(Target::File { path: fs::canonicalize(path)?, old: Some(found) })
}

/// The folder that a path lies in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file.
///
/// # Errors
/// Why it cannot be written; what was there before is still there.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    write_bytes(path, text.as_bytes())
}

/// As [`write`], for files that are not text.
pub(crate) fn write_bytes(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let written = target(path).and_then(|target| match target {
        Target::File { path, old } => replace(&path, old, |file| file.write_all(text)),
        Target::Stream(path) => pour(&path, text),
    });
    written.map_err(|error| cannot_write(path, &error))
}

/// As [`write`], for a file that is too large to be kept in memory: `fill` writes its content.
pub(crate) fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Failure> {
    let written = target(path).and_then(|target| match target {
        Target::File { path, old } => replace(&path, old, fill),
        Target::Stream(_) => Err(io::Error::other("it is not a regular file")),
    });
    written.map_err(|error| cannot_write(path, &error))
}

/// As [`write`], for a text that need not be in memory as a whole: `fill` writes it piece by piece. For a pipe or a
/// device, it is kept all the same.
pub(crate) fn write_by_pieces(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let written = target(path).and_then(|target| match target {
        Target::File { path, old } => replace(&path, old, |file| fill(file)),
        Target::Stream(path) => {
            let mut text = Vec::new();
            fill(&mut text)?;
            pour(&path, &text)
        }
    });
    written.map_err(|error| cannot_write(path, &error))
}

/// The failure of an output that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot write `{}`: {}", path.display(), reason(error)))
}

fn replace(path: &Path, old: Option<Metadata>, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    remove_abandoned(folder(path), &name);
    let temporary = folder(path).join(format!(".{name}.{}{TEMPORARY}", std::process::id()));
    let written = (|| {
        let mut file = File::create(&temporary)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        fill(&mut file)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
        return written;
    }
    // The new name survives a power failure only if the folder is written, too; not every file system offers that.
    let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes the temporary files that killed processes left beside a file that is going to be written.
pub(crate) fn remove_leftovers(path: &Path) {
    if let (Ok(Target::File { path, .. }), Some(name)) = (target(path), path.file_name()) {
        let name = path.file_name().unwrap_or(name).to_string_lossy().into_owned();
        remove_abandoned(folder(&path), &name);
    }
}

/// Removes the temporary files that killed processes left beside a file: those that are old, and those of processes that are no more.
fn remove_abandoned(folder: &Path, name: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let Some(writer) = found.strip_prefix(&format!(".{name}.")).and_then(|rest| rest.strip_suffix(TEMPORARY))
        else {
            continue;
        };
        let age = || SystemTime::now().duration_since(entry.metadata().ok()?.modified().ok()?).ok();
        if is_gone(writer) || age().is_some_and(|age| age > ABANDONED_AFTER) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether there is certainly no process with this number.
#[cfg(target_os = "linux")]
fn is_gone(process: &str) -> bool {
    process
        .parse::<u32>()
        .is_ok_and(|process| Path::new("/proc/self").exists() && !Path::new("/proc").join(process.to_string()).exists())
}

/// Whether there is certainly no process with this number, where the system says so.
#[cfg(not(target_os = "linux"))]
fn is_gone(_process: &str) -> bool {
    false
}

/// Writes to a pipe or a device.
fn pour(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true);
    // Without this, opening a pipe waits until somebody reads it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NONBLOCK);
    let mut stream = options.open(path)?;
    let (mut rest, mut last) = (text, Instant::now());
    while !rest.is_empty() {
        match stream.write(rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => (rest, last) = (&rest[count..], Instant::now()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if last.elapsed() > PIPE_PATIENCE {
                    return Err(io::Error::other("nobody reads it"));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Refuses a place where no file can be written, before any work is done.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let found = target(path).map_err(|error| cannot_write(path, &error))?;
    let Target::File { path: real, old } = found else { return Ok(()) };
    if old.is_some_and(|old| old.permissions().readonly()) {
        return Err(cannot_write(path, &ErrorKind::PermissionDenied.into()));
    }
    let shown = path.display();
    match fs::metadata(folder(&real)) {
        Ok(found) if found.is_dir() && !found.permissions().readonly() => Ok(()),
        Ok(_) => {
            let folder = folder(&real).display();
            Err(Failure::usage(format!("cannot write `{shown}`: `{folder}` is not a folder that can be written to")))
        }
        Err(error) => Err(cannot_write(path, &error)),
    }
}

/// The beginning of a regular file; nothing for anything else, which may be endless or make the reader wait.
pub(crate) fn head(path: &Path) -> Option<String> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(FILE_HEAD).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The bytes of an input. A device that never ends is refused.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?)
}

/// The same of a stream.
pub(crate) fn read_from(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(LONGEST_FILE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LONGEST_FILE {
        true => Err(io::Error::other("it is longer than 1 GiB")),
        false => Ok(bytes),
    }
}

/// Refuses an output that would replace an input. `inputs` are the files that the command reads, `option` is the option
/// that names the output.
pub(crate) fn protect<'a>(
    option: &str,
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    // Names that lead to the same place are the same file. A file that is not there yet is no input.
    let Ok(place) = fs::canonicalize(output) else { return Ok(()) };
    let is_same =
        |input: &&Path| fs::canonicalize(input).is_ok_and(|input| input == place) || is_same_inode(input, output);
    match inputs.into_iter().find(is_same) {
        Some(input) => Err(Failure::usage(format!(
            "`{option} {}` would overwrite `{}`, which this command reads",
            output.display(),
            input.display()
        ))),
        None => Ok(()),
    }
}

/// True for two names of one file.
#[cfg(unix)]
fn is_same_inode(one: &Path, two: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    matches!((id(one), id(two)), (Ok(one), Ok(two)) if one == two)
}

/// True for two names of one file, where the system says so.
#[cfg(not(unix))]
fn is_same_inode(_one: &Path, _two: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.json");
        write(&path, "old").expect("written");
        let mut before = File::open(&path).expect("the old file");
        write(&path, "new").expect("written");
        // Whoever has the old file open still sees all of it: it was not truncated.
        let mut text = String::new();
        before.read_to_string(&mut text).expect("readable");
        assert_eq!(text, "old");
        assert_eq!(fs::read_to_string(&path).expect("the new file"), "new");
        assert_eq!(names(folder.path()), ["x.json"]);
    }

    #[test]
    fn pieces_that_cannot_all_be_written_leave_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.json");
        let pieces = |file: &mut dyn Write| (0..1_000).try_for_each(|number| write!(file, "{number},"));
        write_by_pieces(&path, pieces).expect("written");
        let text = (0..1_000).fold(String::new(), |text, number| text + &format!("{number},"));
        assert_eq!(fs::read_to_string(&path).expect("readable"), text);
        let fails = |file: &mut dyn Write| file.write_all(b"half").and_then(|()| Err(io::Error::other("no room")));
        assert!(write_by_pieces(&path, fails).is_err());
        assert_eq!(fs::read_to_string(&path).expect("readable"), text);
        assert_eq!(names(folder.path()), ["x.json"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut ended = std::process::Command::new("true").spawn().expect("a process");
        ended.wait().expect("it ends");
        let (gone, own) = (ended.id(), std::process::id());
        for name in [format!(".c.{gone}{TEMPORARY}"), format!(".c.{own}{TEMPORARY}"), format!(".d.{gone}{TEMPORARY}")] {
            fs::write(folder.path().join(name), "half").expect("written");
        }
        remove_leftovers(&folder.path().join("c"));
        assert_eq!(names(folder.path()), {
            let mut left = [format!(".c.{own}{TEMPORARY}"), format!(".d.{gone}{TEMPORARY}")];
            left.sort();
            left
        });
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_if_they_lead_somewhere() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let [link, real] = ["link", "real"].map(|name| folder.path().join(name));
        symlink(&real, &link).expect("a link");
        assert!(write(&link, "text").is_err() && check_writable(&link).is_err());
        assert_eq!(names(folder.path()), ["link"]);
        fs::write(&real, "old").expect("written");
        write(&link, "new").expect("written");
        assert_eq!(fs::read_to_string(&real).expect("readable"), "new");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    }

    #[test]
    fn an_input_is_known_by_all_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let [input, other] = ["m.smv", "second.smv"].map(|name| folder.path().join(name));
        fs::write(&input, "MODULE main").expect("written");
        fs::hard_link(&input, &other).expect("a second name");
        let dotted = folder.path().join(".").join("m.smv");
        for output in [&input, &other, &dotted] {
            assert!(protect("--write-order", output, [input.as_path()]).is_err(), "{}", output.display());
        }
        assert!(protect("--write-order", &folder.path().join("free"), [input.as_path()]).is_ok());
    }
}
