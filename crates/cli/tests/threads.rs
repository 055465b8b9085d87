//! Searches on several threads, from the command line.

mod common;

use common::Folder;

/// Half a million states, code that no run reaches, and a violation if the limit is small.
fn model(limit: u32) -> String {
    format!(
        "byte x, y, z;
active proctype A() {{ do :: x < 60 -> x++ :: x == 200 -> x = 0 od }}
active proctype B() {{ do :: y < 60 -> y++ od }}
active proctype C() {{ do :: z < 60 -> z++; assert(x + y + z < {limit}) od }}
"
    )
}

#[test]
fn the_answers_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("threads");
    for (limit, code) in [(1000, 0), (150, 1)] {
        folder.file("m.pml", &model(limit));
        let check = |threads| {
            let safety = ["check", "--format", "json", "--reduce", "off", "--search", "bfs", "--threads", threads];
            folder.json(&[&safety[..], &["--property", "assertions", "m.pml"]].concat(), code)
        };
        let (one, two, three) = (check("1"), check("2"), check("3"));
        for many in [&two, &three] {
            assert_eq!(many["properties"][0]["verdict"], one["properties"][0]["verdict"]);
            let length = |report: &serde_json::Value| report["properties"][0]["counterexamples"][0]["length"].clone();
            assert_eq!(length(many), length(&one));
            assert_eq!(many["unreached"], one["unreached"]);
            let states = |report: &serde_json::Value| report["statistics"]["states"].clone();
            assert!(limit < 1000 || states(many) == states(&one), "{many}");
        }
        assert_eq!(two["properties"][0]["counterexamples"], three["properties"][0]["counterexamples"]);
        assert!(two["properties"][0].to_string().contains("2 threads"), "{}", two["properties"][0]);
    }
}

#[test]
fn a_search_that_lasts_uses_all_cores_unless_told_otherwise() {
    let folder = Folder::new("threads-default");
    folder.file("m.pml", &model(1000));
    let search = |options: &[&str]| {
        let check = ["check", "--format", "json", "--no-save", "--reduce", "off", "--search", "bfs"];
        let report = folder.json(&[&check[..], &["--property", "assertions"], options, &["m.pml"]].concat(), 0);
        report["properties"][0]["engine"]["search"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(search(&["--threads", "1"]), "bfs");
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(64);
    let expected = if cores == 1 { "bfs".into() } else { format!("bfs on {cores} threads") };
    assert_eq!(search(&[]), expected);
    folder.file("m.pml", "active proctype A() { skip }");
    assert_eq!(search(&[]), "bfs", "a small model is searched as on one thread");
}

/// Two counters that go round, and a third that need not. The automaton of `[]<> p` for the violation is strong.
const ROUND: &str = "byte x, y, z;
active proctype A() { do :: x = (x + 1) % 60 od }
active proctype B() { do :: y = (y + 1) % 60 od }
active proctype C() { do :: z < 60 -> z++ od }
ltl often { []<> (x == 1) }
ltl sometime { <>[] (z < 61) }
ltl order { [] (z < 60 -> ((z == y) -> X (z - y <= 1 && y - z <= 1 || y == 0))) }
";

#[test]
fn temporal_verdicts_and_shortest_lengths_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("threads-temporal");
    folder.file("m.pml", ROUND);
    let check = |threads: &str| {
        let options = ["check", "--format", "json", "--reduce", "off", "--refine", "off", "--threads", threads];
        let report = folder.json(&[&options[..], &["--shortest", "--kind", "ltl", "m.pml"]].concat(), 1);
        let facts = |property: &serde_json::Value| {
            let trace = &property["counterexamples"][0];
            (property["name"].clone(), property["verdict"].clone(), trace["length"].clone())
        };
        let properties = report["properties"].as_array().unwrap();
        let traces = properties.iter().map(|property| property["counterexample"].clone()).collect::<Vec<_>>();
        (properties.iter().map(facts).collect::<Vec<_>>(), report.to_string(), traces)
    };
    let (one, words, _) = check("1");
    assert!(one.len() == 3 && !words.contains("threads"), "{words}");
    let mut shortest = Vec::new();
    for threads in ["2", "3"] {
        let (many, words, traces) = check(threads);
        assert_eq!(many, one);
        assert!(words.contains(&format!("cndfs on {threads} threads")), "{words}");
        shortest.push(traces);
    }
    assert_eq!(shortest[0], shortest[1], "the lasso that is shown does not depend on the number of threads");
}
