//! Temporal properties of models, searched by the libraries themselves: no report, no validation, no process to start.

use kernel::budget::Budget;
use std::io::{Error, ErrorKind, Result as IoResult};
use std::path::Path;

use kernel::span::SourceMap;
use omega::pipeline;
use promela::front::{self, Files, Loaded, PreprocessorOptions};
use promela::typed::Program;
use testbench::liveness::Liveness;

/// Included files, looked for beside the file that asks for them.
struct Beside;

impl Files for Beside {
    fn read(&self, path: &str, included_from: Option<&str>) -> IoResult<(String, String)> {
        let folder = included_from.and_then(|from| Path::new(from).parent()).unwrap_or(Path::new(""));
        let candidate = folder.join(path);
        let bytes = std::fs::read(&candidate).map_err(|_| Error::new(ErrorKind::NotFound, "no such file"))?;
        Ok((candidate.to_string_lossy().into_owned(), String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// Loads a model; `flags` are `-DNAME` and `-DNAME=TEXT`.
///
/// # Errors
/// If it cannot be read or is not accepted.
pub fn load(file: &Path, flags: &[String]) -> Result<Program, String> {
    let (_, loaded) = load_whole(file, flags)?;
    loaded.program.ok_or_else(|| format!("{}: not accepted", file.display()))
}

/// Loads a model with its sources and macros; it may have no program.
///
/// # Errors
/// If it cannot be read.
pub fn load_whole(file: &Path, flags: &[String]) -> Result<(SourceMap, Loaded), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let defines = flags.iter().filter_map(|flag| flag.strip_prefix("-D")).map(|define| match define.split_once('=') {
        Some((name, text)) => (name.to_owned(), Some(text.to_owned())),
        None => (define.to_owned(), None),
    });
    let options = PreprocessorOptions { defines: defines.collect(), ..PreprocessorOptions::default() };
    let mut sources = SourceMap::new();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let id = sources.add_file(file.display().to_string(), text, None);
    let loaded = front::load(&mut sources, id, &options, &Beside);
    Ok((sources, loaded))
}

/// The `ltl` properties of a program, by name.
///
/// # Errors
/// If one of them or the model is too large.
pub fn properties(program: &Program) -> Result<Vec<(String, Liveness)>, String> {
    let property = |block: &promela::typed::LtlBlock| {
        let liveness =
            Liveness::new(program, &block.formula, &pipeline::TranslationOptions::default(), &Budget::unlimited())?;
        Ok((block.name.clone(), liveness))
    };
    program.ltl.iter().map(property).collect()
}
