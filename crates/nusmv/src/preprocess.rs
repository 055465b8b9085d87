//! External preprocessors: `-cpp`, `-m4`, `-pre`, and the variable `pp_list`.
//!
//! A preprocessor is a program of the system that reads the model on standard input and writes it on standard output. It finds
//! included files in the folder of the model. Only the two programs that NuSMV knows are run, and only if the user asks
//! for them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The preprocessors that may be named, with the programs and arguments they stand for.
const PROGRAMS: [(&str, &str, &[&str]); 2] = [("cpp", "cpp", &["-P", "-traditional-cpp"]), ("m4", "m4", &[])];

/// A text after the preprocessors of a list of names, in order; `folder` is that of the model.
///
/// # Errors
/// Why one could not run, for standard error.
pub fn run(names: &str, text: &str, folder: &Path) -> Result<String, String> {
    let mut text = text.to_owned();
    for name in names.split_whitespace() {
        let Some((_, program, arguments)) = PROGRAMS.iter().find(|(known, ..)| *known == name) else {
            let known = PROGRAMS.map(|(known, ..)| known).join(", ");
            return Err(format!("Error: unknown preprocessor \"{name}\"; there are: {known}\n"));
        };
        text = filtered(program, arguments, &text, folder)
            .map_err(|reason| format!("Error: the preprocessor \"{program}\" failed: {reason}\n"))?;
    }
    Ok(text)
}

fn filtered(program: &str, arguments: &[&str], text: &str, folder: &Path) -> Result<String, String> {
    let mut child = Command::new(program)
        .args(arguments)
        .arg("-I")
        .arg(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().expect("standard input is a pipe");
    let bytes = text.as_bytes().to_vec();
    // The program may write before it has read everything.
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = writer.join();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::path::Path;

    #[test]
    fn only_known_programs_run() {
        assert_eq!(run("", "MODULE main", Path::new(".")), Ok("MODULE main".into()));
        assert!(run("rm", "x", Path::new(".")).is_err_and(|message| message.contains("unknown preprocessor \"rm\"")));
    }
}
