//! `lariat automaton` from outside: formats, operations, questions, lassos.

mod common;

use common::Folder;
use serde_json::Value;

/// The file with the automaton of a formula.
fn automaton(folder: &Folder, name: &str, arguments: &[&str]) -> String {
    let all: Vec<&str> = ["translate"].iter().chain(arguments).copied().collect();
    folder.file(name, &folder.expect(&all, 0)).display().to_string()
}

#[test]
fn formats_are_found_out_and_converted() {
    let folder = Folder::new("convert");
    let hoa = automaton(&folder, "a.hoa", &["G(a -> Fb)"]);
    for format in ["hoa", "never", "lbtt"] {
        let other = folder.expect(&["automaton", &hoa, "--format", format], 0);
        let other = folder.file("other", &other).display().to_string();
        folder.expect(&["automaton", &other, "--equivalent-to", &hoa], 0);
        let isomorphic = folder.expect(&["automaton", &other, "--isomorphic-to", &hoa], 0);
        assert!(isomorphic.ends_with("isomorphic-to: yes\n"), "{isomorphic}");
    }
    assert!(folder.expect(&["automaton", &hoa, "--format", "dot"], 0).starts_with("digraph"));
    let piped = folder.lariat(&["automaton", "-", "--stats"], &std::fs::read_to_string(&hoa).expect("the file"));
    assert_eq!(String::from_utf8_lossy(&piped.stdout), "G(a -> Fb): 2 states, 4 edges, 8 transitions, deterministic\n");
}

#[test]
fn operations_have_the_languages_they_promise() {
    let folder = Folder::new("operations");
    let infinitely = automaton(&folder, "i.hoa", &["GFa"]);
    let always = automaton(&folder, "b.hoa", &["Gb"]);
    let check = |arguments: &[&str], formula: &str| {
        let all: Vec<&str> = ["automaton"].iter().chain(arguments).copied().collect();
        let result = folder.file("result", &folder.expect(&all, 0)).display().to_string();
        let expected = automaton(&folder, "expected", &[formula, "--generalized"]);
        folder.expect(&["automaton", &result, "--equivalent-to", &expected], 0);
        folder.expect(&["automaton", &result, "--included-in", &expected], 0);
    };
    check(&[&infinitely, "--product", &always], "GFa & Gb");
    check(&[&infinitely, "--union", &always], "GFa | Gb");
    check(&[&infinitely, "--complement"], "FG!a");
    check(&[&infinitely, "--product", &always, "--complement", "--simplify"], "FG!a | F!b");
    check(&[&always, "--union", &infinitely, "--deterministic", "--level", "medium"], "GFa | Gb");
    check(&[&infinitely, "--product", &always, "--degeneralize"], "GFa & Gb");
}

#[test]
fn questions_are_answered_with_words() {
    let folder = Folder::new("questions");
    let until = automaton(&folder, "u.hoa", &["a U b"]);
    let eventually = automaton(&folder, "f.hoa", &["Fb"]);
    let nothing = automaton(&folder, "n.hoa", &["0"]);
    let everything = automaton(&folder, "e.hoa", &["1"]);
    for (arguments, code) in [
        (&[nothing.as_str(), "--is-empty"][..], 0),
        (&[&until, "--is-empty"], 1),
        (&[&everything, "--is-universal"], 0),
        (&[&until, "--is-universal"], 1),
        (&[&until, "--is-deterministic"], 0),
        (&[&until, "--included-in", &eventually], 0),
        (&[&eventually, "--included-in", &until], 1),
        (&[&until, "--equivalent-to", &eventually], 1),
        (&[&until, "--isomorphic-to", &nothing], 1),
        (&[&until, "--accept-word", "a; cycle{b}"], 0),
        (&[&until, "--accept-word", "cycle{a}"], 1),
        (&[&until, "--reject-word", "cycle{a}"], 0),
        (&[&until, &eventually, "--accept-word", "!a & !b; cycle{b}"], 1),
    ] {
        let all: Vec<&str> = ["automaton"].iter().chain(arguments).copied().collect();
        folder.expect(&all, code);
    }
    let text = folder.expect(&["automaton", &eventually, "--included-in", &until, "--format", "json"], 1);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let word = document["answers"][0]["word"].as_str().expect("a word");
    folder.expect(&["automaton", &eventually, "--accept-word", word], 0);
    folder.expect(&["automaton", &until, "--reject-word", word], 0);
}

/// States 0 to 5: a long way to a short cycle through 3, a short way to a long cycle through 5.
const TWO_CYCLES: &str = "HOA: v1\nname: \"two\"\nStates: 6\nStart: 0\nAP: 0\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
--BODY--\nState: 0\n[t] 5\n[t] 1\nState: 1\n[t] 2\nState: 2\n[t] 3\nState: 3 {0}\n[t] 3\nState: 4\n[t] 5\nState: 5 {0}\n\
[t] 4\n--END--\n";

#[test]
fn lassos_are_shortest_where_the_search_says_so() {
    let folder = Folder::new("lasso");
    let empty = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n--END--\n";
    let file = folder.file("two.hoa", &format!("{TWO_CYCLES}{empty}")).display().to_string();
    for algorithm in ["bfs", "dfs", "generalised", "spin-i", "gmz", "spin", "se", "scc"] {
        let arguments = ["automaton", &file, "--shortest-lasso", "--format", "json", "--algorithm", algorithm];
        let text = folder.expect(&arguments, 0);
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 2, "{text}");
        let (found, none) = (&lines[0], &lines[1]);
        let states = |part: &str| found[part].as_array().expect("a list").len() as u64;
        assert_eq!((&found["name"], &found["empty"]), (&"two".into(), &false.into()), "{algorithm}");
        assert_eq!(found["length"], states("stem") + states("loop"), "{algorithm}");
        assert!(found["length"].as_u64() >= Some(3), "{algorithm}");
        if ["bfs", "dfs", "generalised"].contains(&algorithm) {
            assert_eq!(found["length"], 3, "{algorithm}: {found}");
            assert_eq!((&found["stem"], &found["loop"]), (&vec![0].into(), &vec![5, 4].into()), "{algorithm}");
        }
        assert_eq!((&none["name"], &none["empty"], &none["length"]), (&Value::Null, &true.into(), &Value::Null));
    }
    let text = folder.expect(&["automaton", &file, "--shortest-lasso"], 0);
    assert_eq!(text, "two: 3 steps: stem 0, loop 5 4\nautomaton 2: empty\n");
}

#[test]
fn lassos_start_in_any_initial_state_and_name_states_of_the_file() {
    let folder = Folder::new("starts");
    let text = "HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n\
                State: 1 {0}\n[t] 1\n--END--\n";
    let file = folder.file("starts.hoa", text).display().to_string();
    for algorithm in ["bfs", "dfs", "generalised", "spin-i", "gmz", "spin", "se", "scc"] {
        let said = folder.expect(&["automaton", &file, "--shortest-lasso", "--algorithm", algorithm], 0);
        assert_eq!(said, "automaton 1: 1 step: loop 1\n", "{algorithm}");
    }
    for options in [&["--is-empty"][..], &["--accept-word", "cycle{1}"], &["--format", "dot"], &["--format", "never"]] {
        let arguments: Vec<&str> = ["automaton", &file, "--shortest-lasso"].iter().chain(options).copied().collect();
        assert_eq!(folder.lariat(&arguments, "").status.code(), Some(3), "{options:?}");
    }
}

#[test]
fn generalised_acceptance_needs_a_search_that_takes_it() {
    let folder = Folder::new("generalised");
    let file = automaton(&folder, "g.hoa", &["GFa & GFb", "--generalized"]);
    folder.expect(&["automaton", &file, "--shortest-lasso", "--algorithm", "bfs"], 3);
    folder.expect(&["automaton", &file, "--shortest-lasso", "--algorithm", "bfs", "--degeneralize"], 0);
    assert_eq!(folder.expect(&["automaton", &file, "--shortest-lasso"], 0), "GFa & GFb: 1 step: loop 0\n");
    let output = folder.lariat(&["automaton", &file, "--format", "never"], "");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    // Not an option of `translate` alone.
    assert!(message.contains("--degeneralize") && !message.contains("--generalized"), "{message}");
    folder.expect(&["automaton", &file, "--format", "never", "--degeneralize"], 0);
}

#[test]
fn strength_is_told_for_each_component() {
    let folder = Folder::new("strength");
    for (formula, expected) in [("Fa", "terminal"), ("Ga", "weak"), ("GFa", "strong"), ("0", "rejecting")] {
        let file = automaton(&folder, "s.hoa", &[formula]);
        let text = folder.expect(&["automaton", &file, "--strength", "--format", "json"], 0);
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["strength"], expected, "{formula}: {document}");
    }
}

#[test]
fn what_cannot_be_read_is_shown_and_the_rest_is_done() {
    let folder = Folder::new("broken");
    let broken = TWO_CYCLES.replace("[t] 4", "[t] 9");
    let file = folder.file("b.hoa", &format!("{TWO_CYCLES}{broken}{TWO_CYCLES}")).display().to_string();
    let output = folder.lariat(&["automaton", &file, "--stats"], "");
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("b.hoa:") && errors.contains('^'), "{errors}");
    folder.expect(&["automaton", "missing.hoa"], 3);
    folder.expect(&["automaton"], 3);
    let good = folder.file("g.hoa", TWO_CYCLES).display().to_string();
    folder.expect(&["automaton", &good, "--equivalent-to", &file], 4);
    folder.expect(&["automaton", &good, "--accept-word", "cycle{"], 4);
}

#[test]
fn reductions_show_their_steps() {
    let folder = Folder::new("steps");
    let file = automaton(&folder, "g.hoa", &["a U (b U c)", "--with", "gpvw", "--level", "low"]);
    let output = folder.lariat(&["automaton", &file, "--simplify", "--stats", "--verbose"], "");
    let (sizes, steps) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(sizes.starts_with("a U (b U c): 3 states"), "{sizes}");
    assert!(steps.contains("prune") && steps.contains("simulation"), "{steps}");
}

/// One state that loops in set 1 and never in set 0.
const RABIN: &str =
    "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 2 Fin(0) & Inf(1)\n--BODY--\nState: 0 {1}\n[t] 0\n--END--\n";

#[test]
fn lassos_and_sizes_are_those_of_the_file_whatever_the_acceptance() {
    let folder = Folder::new("rabin");
    let file = folder.file("rabin.hoa", RABIN).display().to_string();
    assert_eq!(folder.expect(&["automaton", &file, "--shortest-lasso"], 0), "automaton 1: 1 step: loop 0\n");
    let lasso = folder.json(&["automaton", &file, "--shortest-lasso", "--format", "json"], 0);
    assert_eq!((&lasso["length"], &lasso["minimal"]), (&1.into(), &true.into()));
    let sizes = folder.json(&["automaton", &file, "--stats", "--format", "json"], 0);
    assert_eq!((&sizes["states"], &sizes["edges"], &sizes["acceptance_sets"]), (&1.into(), &1.into(), &2.into()));
    assert_eq!(folder.expect(&["automaton", &file, "--is-deterministic"], 0), "automaton 1: is-deterministic: yes\n");
    // After an operation, the lasso is one of the new automaton.
    folder.expect(&["automaton", &file, "--simplify", "--shortest-lasso"], 0);
}

#[test]
fn a_lasso_that_is_not_proved_shortest_says_so() {
    let folder = Folder::new("unproved");
    let sets = 60;
    let condition: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    let edges: String = (0..sets).map(|set| format!("[t] {} {{{set}}}\n", set % 2)).collect();
    let text = format!(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 0\nAcceptance: {sets} {}\n--BODY--\nState: 0\n{edges}State: 1\n{edges}--END--\n",
        condition.join(" & ")
    );
    let file = folder.file("sets.hoa", &text).display().to_string();
    let text = folder.expect(&["automaton", &file, "--shortest-lasso", "--memory-limit", "20M"], 2);
    assert!(text.contains("the memory limit was reached, so a shorter one may exist"), "{text}");
}

#[test]
fn options_take_files_with_one_automaton_or_one_for_each() {
    let folder = Folder::new("several");
    let [a, b, c] = ["Ga", "Gb", "Fc"].map(|formula| folder.expect(&["translate", formula], 0));
    let one = folder.file("one.hoa", &a).display().to_string();
    let two = folder.file("two.hoa", &format!("{a}{b}")).display().to_string();
    let other = folder.file("other.hoa", &format!("{b}{c}")).display().to_string();
    let three = folder.file("three.hoa", &format!("{a}{b}{c}")).display().to_string();
    // One with each, each with one, and in pairs.
    for (input, operand, expected) in [
        (&one, &other, ["Ga & Gb", "Ga & Fc"]),
        (&two, &one, ["Ga & Ga", "Ga & Gb"]),
        (&two, &other, ["Ga & Gb", "Gb & Fc"]),
    ] {
        let expected: String = expected.iter().map(|formula| folder.expect(&["translate", formula], 0)).collect();
        let expected = folder.file("expected.hoa", &expected).display().to_string();
        let product = folder.expect(&["automaton", input, "--product", operand], 0);
        let product = folder.file("product.hoa", &product).display().to_string();
        let answers = folder.expect(&["automaton", &product, "--equivalent-to", &expected], 0);
        assert_eq!(answers.lines().count(), 2, "{answers}");
    }
    let answers = folder.expect(&["automaton", &one, "--included-in", &three], 1);
    let answers: Vec<bool> = answers.lines().map(|line| line.contains("included-in: yes")).collect();
    assert_eq!(answers, [true, false, false]);
    let output = folder.lariat(&["automaton", &two, "--product", &three], "");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has 3 automata and the input has 2"));
}

#[test]
fn labels_with_exponential_covers_are_written_in_little_space() {
    let folder = Folder::new("cover");
    let atoms: String = (0..64).map(|atom| format!(" \"p{atom}\"")).collect();
    let pairs: Vec<String> = (0..32).map(|pair| format!("{}&{}", 2 * pair, 2 * pair + 1)).collect();
    let text = format!(
        "HOA: v1\nStates: 1\nStart: 0\nAP: 64{atoms}\nAcceptance: 0 t\n--BODY--\nState: 0\n[{}] 0\n--END--\n",
        pairs.join(" | ")
    );
    let file = folder.file("pairs.hoa", &text).display().to_string();
    let complement = folder.expect(&["automaton", &file, "--complement", "--memory-limit", "100M"], 0);
    assert!(complement.len() < 10_000, "{}", complement.len());
    let complement = folder.file("complement.hoa", &complement).display().to_string();
    folder.expect(&["automaton", &file, "--product", &complement, "--is-empty"], 0);
    for format in ["never", "lbtt", "dot", "json"] {
        folder.expect(&["automaton", &complement, "--degeneralize", "--format", format, "--memory-limit", "100M"], 0);
    }
}
