//! The TextMate grammars of `editors/vscode`: every expression compiles, and samples get the scopes that they should.
//!
//! The reader of grammars below is as small as these grammars allow: `match` with captures, `begin` and `end`, and inclusions. Where
//! several patterns match, the first match in the line wins, and of those the first pattern, as in an editor.

use fancy_regex::Regex;
use serde_json::Value;
use std::path::Path;

struct Pattern {
    name: String,
    begin: Regex,
    /// Present if the pattern may cover several lines.
    end: Option<Regex>,
    captures: Vec<(usize, String)>,
}

fn grammar(name: &str) -> Vec<Pattern> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../editors/vscode/syntaxes")
        .join(format!("{name}.tmLanguage.json"));
    let grammar: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a grammar")).expect("JSON");
    assert_eq!(grammar["scopeName"], format!("source.{name}"));
    let mut patterns = Vec::new();
    collect(&grammar, &grammar["patterns"], &mut patterns);
    assert!(patterns.iter().all(|one| one.name.is_empty() || one.name.ends_with(&format!(".{name}"))));
    patterns
}

fn collect(grammar: &Value, list: &Value, patterns: &mut Vec<Pattern>) {
    for one in list.as_array().expect("a list") {
        if let Some(include) = one["include"].as_str() {
            let part = &grammar["repository"][include.trim_start_matches('#')];
            assert!(part.is_object(), "{include} is in the repository");
            collect(grammar, &part["patterns"], patterns);
            continue;
        }
        let compile = |key: &str| {
            one[key].as_str().map(|text| Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}")))
        };
        let captures = one["captures"].as_object().into_iter().flatten();
        patterns.push(Pattern {
            name: one["name"].as_str().unwrap_or_default().to_owned(),
            begin: compile("match").or_else(|| compile("begin")).expect("an expression"),
            end: compile("end"),
            captures: captures
                .map(|(key, value)| {
                    (key.parse().expect("a number"), value["name"].as_str().expect("a name").to_owned())
                })
                .collect(),
        });
    }
}

/// The pieces of a text that have a scope.
fn scopes(patterns: &[Pattern], text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut inside: Option<&Pattern> = None;
    for line in text.lines() {
        let mut at = 0;
        loop {
            if let Some(pattern) = inside {
                let end = pattern.end.as_ref().expect("an end").find_from_pos(line, at).expect("no error");
                let to = end.as_ref().map_or(line.len(), |end| end.end());
                found.push((line[at..to].to_owned(), pattern.name.clone()));
                at = to;
                if end.is_none() {
                    break;
                }
                inside = None;
                continue;
            }
            let matches = patterns.iter().filter_map(|pattern| {
                let captures = pattern.begin.captures_from_pos(line, at).expect("no error")?;
                Some((captures.get(0)?.start(), pattern, captures))
            });
            // The first of several least elements is the first pattern.
            let Some((start, pattern, captures)) = matches.min_by_key(|(start, ..)| *start) else { break };
            if pattern.end.is_some() {
                (inside, at) = (Some(pattern), start);
                let begun = captures.get(0).expect("all").end();
                found.push((line[at..begun].to_owned(), pattern.name.clone()));
                at = begun;
                continue;
            }
            for (number, name) in &pattern.captures {
                if let Some(part) = captures.get(*number) {
                    found.push((part.as_str().to_owned(), name.clone()));
                }
            }
            let all = captures.get(0).expect("all");
            if pattern.captures.is_empty() {
                found.push((all.as_str().to_owned(), pattern.name.clone()));
            }
            assert!(all.end() > at || all.end() > start, "a pattern matches nothing: {}", pattern.name);
            at = all.end();
        }
    }
    found
}

#[track_caller]
fn check(language: &str, text: &str, expected: &[(&str, &str)]) {
    let found = scopes(&grammar(language), text);
    let shown: Vec<(&str, &str)> = found
        .iter()
        .map(|(text, scope)| (text.as_str(), scope.strip_suffix(&format!(".{language}")).unwrap_or(scope)))
        .collect();
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn promela_samples() {
    check(
        "promela",
        "#define N 3 // three",
        &[
            ("#define", "keyword.control.directive"),
            ("N", "entity.name.function.preprocessor"),
            ("3", "constant.numeric"),
            ("// three", "comment.line.double-slash"),
        ],
    );
    check(
        "promela",
        "active proctype P() { byte x",
        &[
            ("active", "storage.modifier"),
            ("proctype", "storage.type"),
            ("P", "entity.name.function"),
            ("byte", "storage.type"),
        ],
    );
    check(
        "promela",
        "/* do\nod */ :: do",
        &[
            ("/*", "comment.block"),
            (" do", "comment.block"),
            ("od */", "comment.block"),
            ("::", "keyword.control.option"),
            ("do", "keyword.control"),
        ],
    );
    check(
        "promela",
        "ltl p { [] (x -> <> y) }",
        &[
            ("ltl", "storage.type"),
            ("p", "entity.name.function"),
            ("[]", "keyword.operator.temporal"),
            ("->", "keyword.operator"),
            ("<>", "keyword.operator.temporal"),
        ],
    );
    check(
        "promela",
        "printf(\"// %d \\\" do\", x_do)",
        &[("printf", "support.function"), ("\"// %d \\\" do\"", "string.quoted.double")],
    );
    check(
        "promela",
        "goto done; c!x",
        &[("goto", "keyword.control"), ("done", "entity.name.label"), ("!", "keyword.operator")],
    );
    check("promela", "dodo = iffy", &[("=", "keyword.operator")]);
}

#[test]
fn smv_samples() {
    check(
        "smv",
        "MODULE cell-1(next_x) -- VAR",
        &[
            ("MODULE", "keyword.other.section"),
            ("cell-1", "entity.name.type.module"),
            ("next_x", "variable.other"),
            ("-- VAR", "comment.line.double-dash"),
        ],
    );
    check(
        "smv",
        "VAR x : 0..3;",
        &[
            ("VAR", "keyword.other.section"),
            ("x", "variable.other"),
            ("0", "constant.numeric"),
            ("3", "constant.numeric"),
        ],
    );
    check(
        "smv",
        "next(x) := case TRUE : 0ud8_255; esac",
        &[
            ("next", "support.function"),
            ("x", "variable.other"),
            (":=", "keyword.operator"),
            ("case", "keyword.control"),
            ("TRUE", "constant.language"),
            ("0ud8_255", "constant.numeric.word"),
            ("esac", "keyword.control"),
        ],
    );
    check(
        "smv",
        "a->b--c",
        &[
            ("a", "variable.other"),
            ("->", "keyword.operator"),
            ("b", "variable.other"),
            ("--c", "comment.line.double-dash"),
        ],
    );
    check(
        "smv",
        "/-- AG\n--/ AG",
        &[
            ("/--", "comment.block"),
            (" AG", "comment.block"),
            ("--/", "comment.block"),
            ("AG", "keyword.operator.temporal"),
        ],
    );
}

#[test]
fn the_manifest_names_files_that_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode");
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(folder.join(name)).expect(name)).expect("JSON")
    };
    let manifest = read("package.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert!(folder.join(manifest["main"].as_str().expect("a file")).is_file());
    for language in manifest["contributes"]["languages"].as_array().expect("a list") {
        assert!(read(language["configuration"].as_str().expect("a file"))["comments"].is_object());
    }
    for grammar in manifest["contributes"]["grammars"].as_array().expect("a list") {
        assert_eq!(read(grammar["path"].as_str().expect("a file"))["scopeName"], grammar["scopeName"]);
    }
}
