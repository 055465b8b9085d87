//! Every shipped model means what its first lines say, by the reference interpreter.
//!
//! The state counts of `models/semantics` are those of SPIN 6.5.2's verifier (`spin -o1 -o2 -o3 -a`,
//! `-DNOREDUCE -DSAFETY`), except after run-time errors, where a run ends here and not there.

use kernel::span::SourceMap;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::reference::{Reference, Survey};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("models")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn survey(path: &Path, text: &str) -> Survey {
    let mut sources = SourceMap::new();
    let file = sources.add_file(path.display().to_string(), text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let program = loaded.program.unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics));
    Reference::new(&program).survey(1_000_000)
}

/// What was found, in the words of the header.
fn described(survey: &Survey) -> String {
    let kinds: Vec<&str> =
        [("assertion", survey.assertion), ("end-state", survey.invalid_end), ("runtime", survey.runtime)]
            .into_iter()
            .filter_map(|(kind, depth)| depth.map(|_| kind))
            .collect();
    match survey.shortest() {
        None => format!("safety holds; states {}", survey.states),
        Some(steps) => {
            format!("safety violated({}); states {}; shortest {steps}", kinds.join(", "), survey.states)
        }
    }
}

#[test]
fn models_mean_what_they_say() {
    let models = models();
    assert!(models.len() > 100, "the models are there");
    let mut wrong = Vec::new();
    for path in models {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let stated = text.lines().find_map(|line| line.strip_prefix("// expect: ")).unwrap_or("nothing");
        let survey = survey(&path, &text);
        assert!(survey.complete, "{} is small", path.display());
        let found = described(&survey);
        if stated != found {
            wrong.push(format!("{}: says {stated}; is {found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_names_models_that_exist() {
    let page = std::fs::read_to_string(root().join("docs/semantics-promela.md")).expect("the page");
    let mut named = 0;
    for bracket in page.split('[').skip(1) {
        let Some((inside, rest)) = bracket.split_once(']') else { continue };
        let is_link = rest.starts_with('(');
        let names: Vec<&str> = inside.split(',').map(str::trim).collect();
        if is_link
            || !names.iter().all(|name| name.len() > 2 && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        {
            continue;
        }
        for name in names {
            assert!(root().join(format!("models/semantics/{name}.pml")).exists(), "the page names {name}");
            named += 1;
        }
    }
    assert!(named > 40, "the page names models");
}
