//! The text of a model, line by line, with what no run executes marked.

use crate::markup::text;
use checker::report::Unreached;
use kernel::span::SourceMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The texts that are shown: all files of the model. What was given on the command line is none.
#[must_use]
pub fn files(sources: &SourceMap) -> Vec<(&str, &str)> {
    let all = sources.files().map(|file| (sources.name(file), sources.text(file)));
    all.filter(|(name, _)| *name != "<command line>").collect()
}

/// The files as numbered lines. The number of a file is that in [`files`].
#[must_use]
pub fn listing(sources: &SourceMap, unreached: &[Unreached]) -> String {
    let mut out = String::new();
    for (number, (name, content)) in files(sources).into_iter().enumerate() {
        let mut marks: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for one in unreached.iter().filter(|one| *one.at.file == *name) {
            marks.entry(one.at.line as usize).or_default().push(&one.statement);
        }
        let _ = write!(
            out,
            "<figure class=\"source\"><figcaption>{}</figcaption><ol class=\"code\" data-file=\"{number}\">",
            text(name)
        );
        for (line, content) in (1..).zip(content.lines()) {
            let (class, note) = match marks.get(&line) {
                Some(statements) => {
                    let title = text(&format!("never executed: {}", statements.join("; ")));
                    (" class=\"unreached\"", format!("<span class=\"mark\" title=\"{title}\">never executed</span>"))
                }
                None => ("", String::new()),
            };
            let _ = write!(out, "<li{class} data-line=\"{line}\"><code>{}</code>{note}</li>", text(content));
        }
        out.push_str("</ol></figure>");
    }
    out
}
