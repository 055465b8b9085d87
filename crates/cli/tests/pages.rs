//! The page about a check against the JSON of the same run, and what hostile names become in it.

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::Folder;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn models() -> String {
    format!("{}/../../models", env!("CARGO_MANIFEST_DIR"))
}

/// The contents of all elements with this opening tag.
fn elements<'a>(page: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    page.split(open).skip(1).map(|rest| rest.split(close).next().unwrap_or_default()).collect()
}

/// All counterexamples of a report, in order.
fn counterexamples(report: &Value) -> Vec<&Value> {
    let properties = report["properties"].as_array().into_iter().flatten();
    let all = properties.flat_map(|property| {
        let further = property["further_counterexamples"].as_array().into_iter().flatten();
        property.get("counterexample").into_iter().chain(further)
    });
    all.collect()
}

/// A report without times, whose last digits may differ after reading.
fn untimed(report: &Value) -> Value {
    let mut report = report.clone();
    report["seconds"] = Value::Null;
    for property in report["properties"].as_array_mut().into_iter().flatten() {
        property["seconds"] = Value::Null;
    }
    report
}

/// Text as the page writes it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// What every page promises: its own scripts and styles alone, and nothing from elsewhere.
fn check_promises(page: &str) {
    let policy = elements(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    let [policy] = policy[..] else { panic!("one policy") };
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    for script in elements(page, "<script>", "</script>") {
        assert!(policy.contains(&hash(script)), "a script that the policy does not allow");
    }
    for style in elements(page, "<style>", "</style>") {
        assert!(policy.contains(&hash(style)), "a style that the policy does not allow");
    }
    assert_eq!(elements(page, "<script>", "</script>").len(), 1);
    for word in ["<link", "<img", "<iframe", "src=", " style=", "javascript:", "https:"] {
        assert!(!page.contains(word), "the page contains {word}");
    }
    let handlers = ["onclick=", "onload=", "onerror="];
    assert!(handlers.iter().all(|word| !page.contains(word)), "the page contains a handler");
}

#[test]
fn pages_of_all_models_say_what_the_json_says() {
    let folder = Folder::new("pages");
    let reports =
        folder.json(&["check", &models(), "--no-save", "--explain", "--format", "json", "--html", "all.html"], 1);
    let page = folder.read("all.html");
    check_promises(&page);
    let reports = reports.as_array().expect("a list");
    let articles: Vec<&str> = page.split("<article class=\"model\"").skip(1).collect();
    assert_eq!(articles.len(), reports.len());
    let (mut traces, mut observed, mut waves, mut marked) = (0, 0, 0, 0);
    for (article, report) in articles.iter().zip(reports) {
        let [embedded] = elements(article, "<script type=\"application/json\" class=\"report\">", "</script>")[..]
        else {
            panic!("one report for each model");
        };
        assert_eq!(untimed(&serde_json::from_str(embedded).expect("JSON")), untimed(report));
        for property in report["properties"].as_array().expect("a list") {
            assert!(article.contains(&escaped(property["name"].as_str().expect("a name"))));
        }
        let unreached = report["unreached"].as_array().map_or(0, |places| {
            let mut lines: Vec<_> =
                places.iter().map(|one| (&one["file"], &one["line"])).map(|pair| format!("{pair:?}")).collect();
            lines.sort();
            lines.dedup();
            lines.len()
        });
        assert_eq!(article.matches("class=\"unreached\"").count(), unreached, "{}", report["model"]["file"]);
        marked += unreached;
        let sections: Vec<&str> = article.split("<section class=\"trace\"").skip(1).collect();
        let shown = counterexamples(report);
        assert_eq!(sections.len(), shown.len());
        for (section, counterexample) in sections.iter().zip(shown) {
            let length = counterexample["length"].as_u64().expect("a number");
            assert!(section.contains(&format!("data-steps=\"{length}\"")));
            assert_eq!(section.matches("<tr data-step=").count() as u64, length + 1);
            // Processes that wait are listed; other messages are repeated as they are.
            match counterexample["waiting"].as_array() {
                None => assert!(section.contains(&escaped(counterexample["message"].as_str().expect("a message")))),
                Some(waiting) => {
                    for one in waiting {
                        let (process, line) = (one["process"].as_str().expect("a name"), &one["line"]);
                        let words = format!("<li>{process}({}) waits at line {line}", one["pid"]);
                        assert!(section.contains(&words), "{words}");
                    }
                }
            }
            let [run] = elements(section, "class=\"run\">", "</script>")[..] else { panic!("one run") };
            let run: Value = serde_json::from_str(run).expect("JSON");
            assert_eq!(
                (&run["stem"], &run["loop"], &run["initial"]),
                (&counterexample["stem"], &counterexample["loop"], &counterexample["initial"])
            );
            let is_smv = report["model"]["language"] == "smv";
            assert_eq!(section.contains("class=\"wave\""), is_smv);
            waves += usize::from(is_smv);
            if !is_smv {
                let steps =
                    counterexample["stem"].as_array().into_iter().chain(counterexample["loop"].as_array()).flatten();
                for step in steps.filter(|step| step["does"] == "execute") {
                    let statement = step["statement"].as_str().expect("a statement");
                    assert!(
                        section.contains(&escaped(&statement.chars().take(100).collect::<String>())),
                        "{statement}"
                    );
                }
                assert_eq!(
                    section.matches("data-row=\"").count() as u64,
                    if section.contains("chart-view") { length } else { 0 }
                );
            }
            if let Some(states) = run["states_after"].as_array() {
                assert_eq!(states.len() as u64, length + 1);
                assert!(section.contains("automaton-view"));
                observed += 1;
            }
            if counterexample.get("branches").is_some() {
                assert!(section.contains("tree-view"));
            }
            traces += 1;
        }
    }
    // The shipped models show each of these.
    assert!(traces > 50 && observed > 3 && waves > 3 && marked > 3, "{traces} {observed} {waves} {marked}");
}

/// A model whose name, texts and values try to leave their place.
#[test]
fn hostile_names_stay_text() {
    let folder = Folder::new("hostile");
    let name = "<img src=x onerror=alert(1)>'&quot;.pml";
    let model = "/* </script><script>alert(1)</script> */ byte x;
ltl p { [] (x < 1) } // <!-- --> \u{202e}
active proctype P() { printf(\"</script><img src=x onerror=alert(2)>\\n\"); x = 1 }";
    folder.file(name, model);
    folder.expect(&["check", name, "--no-save", "--html", "page.html"], 1);
    let page = folder.read("page.html");
    check_promises(&page.replace("src=x", "").replace("onerror=", ""));
    assert!(!page.contains("<img") && !page.contains("<script>alert") && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    let ends = page.matches("</script>").count();
    assert_eq!(ends, page.matches("<script").count());
}

#[test]
fn replay_writes_the_same_chart_and_page() {
    let folder = Folder::new("replayed");
    folder.file("m.pml", "chan c = [1] of { byte }; active proctype P() { c!1; assert(false) }");
    folder.expect(&["check", "m.pml", "--chart", "one.svg"], 1);
    folder.expect(&["replay", "m.pml", "m.pml.trace.json", "--chart", "two.svg", "--html", "page.html"], 0);
    assert_eq!(folder.read("one.svg"), folder.read("two.svg"));
    let page = folder.read("page.html");
    check_promises(&page);
    assert_eq!(page.matches("<tr data-step=").count(), 3);
    folder.file("m.smv", "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; LTLSPEC G x < 2");
    folder.expect(&["check", "m.smv", "--chart", "wave.svg"], 1);
    folder.expect(&["replay", "m.smv", "m.smv.trace.json", "--explain", "--html", "smv.html"], 0);
    check_promises(&folder.read("smv.html"));
    assert!(folder.read("wave.svg").contains("class=\"wave\""));
    folder.expect(&["check", "m.smv", "--chart", "wave.txt"], 1);
    assert_eq!(
        folder.read("wave.txt"),
        "  |  0  1  2  3  4\nx |  0  1  2  3  0\nthe steps after state 0 repeat forever\n"
    );
    folder.expect(&["replay", "m.smv", "m.smv.trace.json", "--chart", "wave.mmd"], 0);
    let lines = ["s0 : 0<br/>x = 0", "s3 : 3<br/>x = 3", "[*] --> s0", "s0 --> s1", "s3 --> s0"];
    let diagram = folder.read("wave.mmd");
    assert!(diagram.starts_with("stateDiagram-v2\n") && lines.iter().all(|line| diagram.contains(line)), "{diagram}");
}

#[test]
fn outputs_are_refused_before_the_search() {
    let folder = Folder::new("refused");
    folder.file("m.pml", "active proctype P() { assert(false) }");
    folder.file("m.smv", "MODULE main VAR x : boolean; INVARSPEC x");
    folder.file("notes.html", "my notes");
    for arguments in [
        &["check", "m.pml", "--chart", "a.png"][..],
        &["check", "m.pml", "--html", "m.pml"],
        &["check", "m.pml", "--html", "notes.html"],
        &["check", "m.pml", "--html", "missing/page.html"],
        &["check", "m.smv", "--chart", "a.pdf"],
        &["check", "m.pml", "m.smv", "--chart", "a.svg"],
    ] {
        folder.expect(arguments, 3);
    }
    assert_eq!(folder.read("notes.html"), "my notes");
}

#[test]
fn a_summary_is_one_line_for_each_model() {
    let folder = Folder::new("summary");
    folder.file("good.pml", "byte x; active proctype P() { x = 1; assert(x == 1) }");
    folder.file("bad.pml", "active proctype P() { assert(false) }");
    let text = folder.expect(&["check", "--no-save", "--summary", "good.pml"], 0);
    assert!(text.starts_with("good.pml: holds; 3 of 3 hold; ") && text.lines().count() == 1, "{text}");
    let text = folder.expect(&["check", "--no-save", "--summary", "bad.pml"], 1);
    assert!(text.starts_with("bad.pml: violated; 2 of 3 hold; violated: assertions; "), "{text}");
}
