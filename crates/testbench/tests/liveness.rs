//! Temporal properties of the shipped models: each emptiness check and each minimiser says what the header says.

use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::pipeline;
use promela::front::{self, NoFiles, PreprocessorOptions};
use search::accepting::check_laws;
use search::emptiness::{self, Emptiness, End};
use search::product::EdgeOrder;
use search::shorten::{self, Shortening};
use search::store::Store;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use testbench::liveness::Liveness;

/// All shipped models.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut models = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("models are there") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                models.push(path);
            }
        }
    }
    models.sort();
    models
}

/// The length of a shortest lasso that violates the property, which all searches agree on.
fn shortest(liveness: &Liveness, name: &str) -> Option<usize> {
    let mut length = None;
    for (index, order) in EdgeOrder::ALL.into_iter().enumerate() {
        let store = [Store::Exact, Store::Compressed][index % 2];
        let product = liveness.product(order);
        check_laws(&product, 2000);
        let budget = Budget::unlimited();
        let mut verdicts = Vec::new();
        for search in Emptiness::ALL {
            let options =
                emptiness::EmptinessOptions { budget: &budget, components: true, store, progress: &mut |_| {} };
            let outcome = search.search(&product, options);
            verdicts.push(outcome.end());
            if let Some(lasso) = outcome.lasso {
                assert_eq!(lasso.check(&product), Ok(()), "{name}, {}", search.name());
            }
        }
        // The depth-first minimiser takes exponential time, and some models with parameters are too large for it.
        let is_scaled = name.contains("scaled");
        for search in Shortening::ALL.into_iter().filter(|search| !(is_scaled && *search == Shortening::Dfs)) {
            let options = shorten::ShorteningOptions {
                budget: &budget,
                components: true,
                store,
                max_length: None,
                patience: None,
                progress: &mut |_| {},
            };
            let outcome = search.search(&product, options);
            verdicts.push(outcome.end());
            if let Some(lasso) = outcome.lasso {
                assert_eq!(lasso.check(&product), Ok(()), "{name}, {}", search.name());
                let known = *length.get_or_insert(lasso.length());
                assert!(lasso.length() == known || !search.is_exact(), "{name}, {}", search.name());
            }
        }
        let expected = if length.is_some() { End::Found } else { End::Complete };
        assert!(verdicts.iter().all(|end| *end == expected), "{name}: {verdicts:?}");
    }
    length
}

#[test]
fn properties_of_shipped_models_are_what_their_headers_say() {
    let mut properties = 0;
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let stated: BTreeMap<&str, &str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("// expect: ltl "))
            .filter_map(|line| line.split_once(' '))
            .collect();
        let mut sources = SourceMap::new();
        let file = sources.add_file(path.display().to_string(), text.as_str(), None);
        let program = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles)
            .program
            .expect("a correct model");
        assert_eq!(program.ltl.len(), stated.len(), "{}: each property has its expectation", path.display());
        for property in &program.ltl {
            let name = format!("{}, {}", path.display(), property.name);
            let liveness = Liveness::new(
                &program,
                &property.formula,
                &pipeline::TranslationOptions::default(),
                &Budget::unlimited(),
            )
            .expect("small");
            let found = match shortest(&liveness, &name) {
                Some(length) => format!("violated; shortest {length}"),
                None => "holds".to_owned(),
            };
            assert_eq!(stated.get(property.name.as_str()).copied(), Some(found.as_str()), "{name}");
            properties += 1;
        }
    }
    assert!(properties >= 4, "there are properties to check: {properties}");
}
