//! Pages and charts that a command writes beside its output: `--html FILE` and `--chart FILE`.

use crate::arguments::PictureArguments;
use crate::exit::Failure;
use crate::file;
use checker::report::{Language, Run, Waiting};
use page::chart::Chart;
use page::wave::Wave;
use std::path::{Path, PathBuf};

/// The formats of charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChartFormat {
    Svg,
    Mermaid,
    Text,
}

impl ChartFormat {
    /// By the end of the file's name.
    fn of(path: &Path) -> Result<Self, Failure> {
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        match end.as_str() {
            "svg" => Ok(Self::Svg),
            "mmd" | "mermaid" => Ok(Self::Mermaid),
            "txt" => Ok(Self::Text),
            _ => Err(Failure::usage(format!(
                "`--chart {}`: the end of the name decides the format: .svg, .mmd (Mermaid) or .txt",
                path.display()
            ))),
        }
    }
}

/// Refuses files that cannot be written, or that are an input or something else, before anything is searched.
pub(crate) fn check(wanted: &PictureArguments, inputs: &[PathBuf]) -> Result<(), Failure> {
    let named = [("--html", &wanted.html), ("--chart", &wanted.chart)];
    for (option, path) in named.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
        file::protect(option, path, inputs.iter().map(PathBuf::as_path))?;
        file::check_writable(path)?;
    }
    if let Some(path) = &wanted.html
        && file::head(path).is_some_and(|head| !head.is_empty() && !head.starts_with("<!DOCTYPE html>"))
    {
        let shown = path.display();
        return Err(Failure::usage(format!("`{shown}` exists and is not a page: it is not overwritten")));
    }
    if let Some(path) = &wanted.chart {
        ChartFormat::of(path)?;
    }
    Ok(())
}

/// Writes the chart of each run: the first one to the file that was named, further ones with a number before the end of
/// its name.
pub(crate) fn write_charts(path: &Path, language: Language, runs: &[(&Run, &[Waiting])]) -> Result<(), Failure> {
    let format = ChartFormat::of(path)?;
    for (index, (run, waiting)) in runs.iter().enumerate() {
        let chart = || Chart::of(run, waiting);
        let text = match (language, format) {
            (Language::Smv, ChartFormat::Svg) => Wave::of(run).file(),
            (Language::Smv, ChartFormat::Mermaid) => Wave::of(run).mermaid(),
            (Language::Smv, ChartFormat::Text) => Wave::of(run).text(),
            (Language::Promela, ChartFormat::Svg) => chart().svg(),
            (Language::Promela, ChartFormat::Mermaid) => chart().mermaid(),
            (Language::Promela, ChartFormat::Text) => chart().text(),
        };
        file::write(&numbered(path, index), &text)?;
    }
    Ok(())
}

/// The name of the file with this index: `a.svg`, `a.2.svg` and so on.
fn numbered(path: &Path, index: usize) -> PathBuf {
    match (index, path.extension()) {
        (1.., Some(end)) => path.with_extension(format!("{}.{}", index + 1, end.to_string_lossy())),
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_the_format_and_numbers_follow() {
        assert_eq!(ChartFormat::of(Path::new("x/a.SVG")).ok(), Some(ChartFormat::Svg));
        assert_eq!(ChartFormat::of(Path::new("a.mmd")).ok(), Some(ChartFormat::Mermaid));
        assert!(ChartFormat::of(Path::new("a.png")).is_err() && ChartFormat::of(Path::new("svg")).is_err());
        assert_eq!(numbered(Path::new("x/a.svg"), 0), Path::new("x/a.svg"));
        assert_eq!(numbered(Path::new("x/a.svg"), 2), Path::new("x/a.3.svg"));
    }
}
