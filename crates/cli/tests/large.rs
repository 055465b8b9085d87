//! Searches for large state spaces from the command line: with files, and with swarms.

mod common;

use common::Folder;
use serde_json::Value;

/// Some ten thousand states, and a violation far from the beginning if the limit is small.
fn model(limit: u32) -> String {
    format!(
        "byte x, y, z;
active proctype A() {{ do :: x < 30 -> x++ :: x == 200 -> x = 0 od }}
active proctype B() {{ do :: y < 30 -> y++ od }}
active proctype C() {{ do :: z < 30 -> z++; assert(x + y + z < {limit}) od }}
"
    )
}

const CHECK: [&str; 6] = ["check", "--safety", "--no-save", "--format", "json", "--reduce"];

fn run(folder: &Folder, options: &[&str], code: i32) -> Value {
    folder.json(&[&CHECK[..], &["off"], options, &["m.pml"]].concat(), code)
}

#[test]
fn a_search_that_exceeds_the_memory_limit_completes_on_disk() {
    let folder = Folder::new("disk");
    for (limit, order) in [(1000, "dfs"), (75, "dfs"), (1000, "bfs"), (75, "bfs")] {
        folder.file("m.pml", &model(limit));
        let whole = run(&folder, &["--disk", ".", "--search", order], 1);
        let small = ["--search", order, "--memory-limit", "1M", "--disk", "."];
        let report = run(&folder, &small, 1);
        assert!(whole["statistics"]["peak_disk_bytes"].is_null(), "{whole}");
        assert!(report["statistics"]["peak_disk_bytes"].as_u64() > Some(500_000), "{report}");
        for field in ["states", "transitions", "depth"] {
            assert_eq!(report["statistics"][field], whole["statistics"][field], "{limit}, {order}, {field}");
        }
        assert_eq!(report["unreached"], whole["unreached"]);
        for (one, other) in report["properties"].as_array().unwrap().iter().zip(whole["properties"].as_array().unwrap())
        {
            assert_eq!((&one["verdict"], &one["name"]), (&other["verdict"], &other["name"]));
            // Without files memory would not suffice for shortening what was found depth first.
            assert!(order == "dfs" || one["counterexample"] == other["counterexample"], "{one}\n{other}");
        }
        assert!(report["properties"][0]["engine"]["search"].as_str().unwrap().ends_with("then on disk"));
    }
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["m.pml"], "no files are left");
}

#[test]
fn files_that_cannot_grow_end_the_search_with_the_reason() {
    let folder = Folder::new("disk-limit");
    folder.file("m.pml", &model(1000));
    let report = run(&folder, &["--memory-limit", "1M", "--disk", ".", "--disk-limit", "300K"], 2);
    assert_eq!(report["properties"][0]["verdict"], "unknown");
    assert!(report["warnings"].to_string().contains("limit on disk space"), "{report}");
    for (options, reason) in [
        (&["--disk", "nowhere"][..], "there is no such folder"),
        (&["--disk", ".", "--store", "bitstate"][..], "`--disk` is for `--store exact`"),
        (&["--disk-limit", "1G"][..], "--disk"),
        (&["--disk", ".", "--swarm"][..], "--swarm"),
        (&["--disk", ".", "--safety", "--checkpoint", "c"][..], "searches with `--disk` cannot be saved yet"),
    ] {
        let output = folder.lariat(&[&["check"], options, &["m.pml"]].concat(), "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{options:?}: {message}");
        assert!(message.contains(reason), "{options:?}: {message}");
    }
    let report = folder.json(&["check", "--format", "json", "--disk", ".", "--ltl", "[] (x < 99)", "m.pml"], 0);
    assert!(report["warnings"].to_string().contains("stays in memory"), "{report}");
}

#[test]
fn compressed_states_give_the_same_report() {
    let folder = Folder::new("compressed");
    folder.file("m.pml", &model(1000));
    let report = |options: &[&str]| {
        let report = run(&folder, options, 1);
        let property = &report["properties"][0];
        let told = ["verdict", "states", "transitions", "depth"].map(|field| property[field].clone());
        (property["engine"]["store"].clone(), told)
    };
    let (compressed, exact) = (report(&["--store", "compressed"]), report(&["--store", "exact"]));
    assert_eq!((&compressed.0, &exact.0), (&"compressed".into(), &"exact".into()));
    assert_eq!(compressed.1, exact.1);
    assert_eq!(report(&["--store", "tree"]), compressed, "the former name");
    let all = |store: &str| report(&["--all-errors", "--store", store, "--threads", "2"]);
    assert_eq!(all("compressed").1, all("exact").1);
}

#[test]
fn a_swarm_finds_violations_and_proves_nothing() {
    let folder = Folder::new("swarm");
    folder.file("m.pml", &model(75));
    for threads in ["1", "3"] {
        let report = run(&folder, &["--swarm", "--threads", threads], 1);
        let is_violated = |property: &&Value| property["verdict"] == "violated";
        let property = report["properties"].as_array().unwrap().iter().find(is_violated).expect("exit code 1");
        assert_eq!(property["counterexample"]["validated"], true);
        assert!(property["engine"]["search"].as_str().unwrap().starts_with("swarm"), "{property}");
    }
    // No violation: all searches see everything, and still nothing is proved.
    folder.file("m.pml", "byte x; active proctype P() { do :: x < 50 -> x++ :: x > 0 -> x-- od }");
    let report = run(&folder, &["--swarm"], 2);
    assert_eq!((&report["properties"][0]["verdict"], &report["complete"]), (&"unknown".into(), &false.into()));
    assert_eq!(report["statistics"]["estimated_coverage"], 1.0);
    assert!(report["statistics"]["searches"].as_u64() > Some(16), "{report}");
    // Tables that are far too small for a single search: together the searches see more.
    folder.file(
        "m.pml",
        "byte x, y, z;
active proctype A() { do :: x = (x + 1) % 16 od }
active proctype B() { do :: y = (y + 1) % 16 od }
active proctype C() { do :: z = (z + 1) % 16 od }
",
    );
    let report = run(&folder, &["--swarm", "--store-bits", "10"], 2);
    assert_eq!(report["properties"][0]["verdict"], "unknown");
    let states = report["statistics"]["states"].as_u64();
    assert!(states > Some(1024) && states <= Some(4096), "{report}");
    let text = folder.lariat(&["check", "--safety", "--swarm", "--store-bits", "10", "m.pml"], "");
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("% of all states") && text.contains(" searches"), "{text}");
    folder.file("m.pml", "int x, y; active proctype P() { do :: x++ :: y++ od }");
    let report = run(&folder, &["--swarm", "--time-limit", "3s"], 2);
    assert!(report["properties"][0]["reason"].as_str().unwrap().contains("time limit"), "{report}");
}

#[test]
fn swarms_refuse_what_they_cannot_do() {
    let folder = Folder::new("swarm-refused");
    folder.file("m.pml", "byte x; ltl p { [] (x < 3) } active proctype P() { x = 1 }");
    for (options, reason) in [
        (&["--swarm"][..], "`--safety`"),
        (&["--swarm", "--store", "hash-compact"][..], "bitstate"),
        (&["--swarm", "--all-errors"][..], "--all-errors"),
        (&["--swarm", "--store-bits", "50"][..], "from 10 to 38"),
    ] {
        let output = folder.lariat(&[&["check"], options, &["m.pml"]].concat(), "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{options:?}: {message}");
        assert!(message.contains(reason), "{options:?}: {message}");
    }
}
