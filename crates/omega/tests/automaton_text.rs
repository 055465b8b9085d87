//! Automata as text: round trips, every feature of the formats, what is refused and where, and texts gone wrong.

use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::FileId;
use omega::automaton::acceptance::accepts;
use omega::automaton::{Automaton, Marks, State};
use omega::combine::inclusion::difference;
use omega::io::never::Style;
use omega::io::{Format, hoa, lbtt, never, read};
use omega::random::{self, Random};
use omega::random_automaton::{Shape, random_automaton};
use omega::word::Word;

fn read_all(text: &str) -> Vec<Result<Automaton, Diagnostic>> {
    read(text, Format::of(text), FileId(0))
}

fn one(text: &str) -> Automaton {
    let mut automata = read_all(text);
    assert_eq!(automata.len(), 1, "{text}");
    let automaton = automata.remove(0).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    automaton.verify();
    automaton
}

/// The same states and edges in the same order, with the same labels and marks.
fn assert_same(one: &Automaton, other: &Automaton, context: &str) {
    let (one, other) = Automaton::aligned(one, other);
    assert_eq!((one.state_count(), one.initial_states()), (other.state_count(), other.initial_states()), "{context}");
    assert_eq!(one.sets(), other.sets(), "{context}");
    for state in one.states() {
        assert_eq!(one.edges(state), other.edges(state), "state {state}\n{context}");
    }
}

fn accepts_text(automaton: &Automaton, word: &str) -> bool {
    accepts(automaton, &Word::parse(word).expect("a word"))
}

fn sample(seed: u64) -> Automaton {
    let shape =
        Shape { states: 1 + (seed % 6) as u32, atoms: (seed % 4) as u32, sets: (seed % 4) as u32, ..Shape::default() };
    random_automaton(&shape, seed)
}

/// The automaton with the marks of each state's first edge on all its edges.
fn on_states(mut automaton: Automaton) -> Automaton {
    for state in automaton.states() {
        let marks = automaton.edges(state).first().map_or(Marks::NONE, |edge| edge.marks);
        automaton.edges_mut(state).iter_mut().for_each(|edge| edge.marks = marks);
    }
    automaton
}

#[test]
fn hoa_and_lbtt_round_trips() {
    for seed in 0..400 {
        for automaton in [sample(seed), on_states(sample(seed))] {
            for text in [hoa::write(&automaton), lbtt::write(&automaton, &Budget::unlimited()).expect("short labels")] {
                let again = one(&text);
                // LBTT does not list propositions that no label mentions, nor in their order.
                assert_same(&again.over(automaton.manager(), automaton.propositions()), &automaton, &text);
            }
        }
    }
}

#[test]
fn never_claim_round_trips_in_both_styles() {
    for seed in 0..400 {
        let mut automaton = on_states(sample(seed));
        automaton.set_sets(1);
        for state in automaton.states() {
            let edges = automaton.edges_mut(state);
            edges.iter_mut().for_each(|edge| edge.marks = edge.marks.intersection(Marks::one(0)));
        }
        for style in [Style::If, Style::Do] {
            let text = never::write(&automaton, style, &Budget::unlimited()).expect("a claim");
            let again = one(&text).over(automaton.manager(), automaton.propositions());
            assert_same(&again, &automaton.clone().reachable(), &text);
        }
    }
}

#[test]
fn what_is_no_claim() {
    let mut automaton = Automaton::new(["a ) b"], 2);
    let state = automaton.add_state();
    automaton.add_edge(state, state, &automaton.atom(0), Marks::one(1));
    assert_eq!(never::write(&automaton, Style::If, &Budget::unlimited()), Err(never::NoClaim::Generalized));
    automaton.set_sets(1);
    automaton.edges_mut(state)[0].marks = Marks::one(0);
    automaton.add_edge(state, state, &automaton.atom(0), Marks::NONE);
    assert_eq!(never::write(&automaton, Style::If, &Budget::unlimited()), Err(never::NoClaim::TransitionBased));
    automaton.edges_mut(state).pop();
    assert_eq!(
        never::write(&automaton, Style::Do, &Budget::unlimited()),
        Err(never::NoClaim::Proposition("a ) b".into()))
    );
}

#[test]
fn hoa_with_every_feature() {
    let text = r#"
        /* a comment /* in a comment */ */
        HOA: v1 tool: "none" "1" name: "a \"name\""
        States: 3 Start: 0 Start: 2
        acc-name: generalized-Buchi 2 Acceptance: 2 (Inf(1) & (Inf(0)))
        AP: 2 "p" "q q" Alias: @p 0 Alias: @both @p & 1
        properties: trans-labels state-acc custom: 1 t "x"
        --BODY--
        State: 0 "first" {0} [@both | !(0 | 1)] 1 {1} [t] 0
        State: [!@p] 1 {0 1} 1 2
        State: 2 [f] 0
        --END--"#;
    let automaton = one(text);
    assert_eq!(automaton.name.as_deref(), Some("a \"name\""));
    assert_eq!(automaton.atoms(), ["p", "q q"]);
    assert_eq!((automaton.state_count(), automaton.initial_states(), automaton.sets()), (3, &[0, 2][..], 2));
    assert_eq!(automaton.state_name(0), Some("first"));
    let (p, q) = (automaton.atom(0), automaton.atom(1));
    assert_eq!(automaton.edges(0)[0].label, p.iff(&q));
    assert_eq!(automaton.edges(0)[0].marks, [0, 1].into_iter().collect());
    assert_eq!(automaton.edges(0)[1].marks, Marks::one(0));
    assert!(automaton.edges(1).iter().all(|edge| edge.label == !&p && edge.marks == automaton.all_marks()));
    assert!(automaton.edges(2).is_empty(), "an edge that nothing can take is left out");
    let one = automaton.with_one_initial_state();
    assert_eq!((one.state_count(), one.initial()), (4, 3));
    assert_eq!(one.edges(3).len(), 2, "the new initial state begins as states 0 and 2 do");
}

#[test]
fn hoa_with_implicit_labels() {
    let automaton =
        one("HOA: v1 AP: 2 \"a\" \"b\" Start: 0 Acceptance: 0 t --BODY-- State: 0 0 1 1 1 State: 1 1 1 1 1 --END--");
    let (a, b) = (automaton.atom(0), automaton.atom(1));
    assert_eq!(automaton.edges(0)[0].label, !&a & !&b);
    assert_eq!(automaton.edges(0)[1].label, &a & !&b);
    assert_eq!(automaton.edges(0)[3].label, &a & &b);
}

#[test]
fn a_hoa_stream_goes_on_after_errors_and_aborted_automata() {
    let good = "HOA: v1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 0\n--END--\n";
    let wrong = "HOA: v1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 0 ]\n--END--\n";
    let aborted = "HOA: v1\nStart: 0\n--ABORT--\n";
    let results = read_all(&format!("{good}{wrong}{good}{aborted}{good}"));
    let codes: Vec<&str> = results.iter().map(|r| r.as_ref().map_or_else(|e| e.code, |_| "read")).collect();
    assert_eq!(codes, ["read", "L0302", "read", "L0310", "read"]);
}

/// Whether a run that sees exactly these marks infinitely often satisfies the condition.
type Condition = fn(seen: Marks, missed: Marks) -> bool;

/// For conditions on runs of deterministic automata the one run of a word decides: compare with what the reader makes.
#[test]
fn every_acceptance_condition_keeps_its_language() {
    let conditions: [(&str, Condition); 10] = [
        ("t", |_, _| true),
        ("f", |_, _| false),
        ("Inf(0) | Inf(1) & Inf(2)", |s, _| s.contains(0) || s.contains(1) && s.contains(2)),
        ("Inf(!0) & Inf(2)", |s, m| m.contains(0) && s.contains(2)),
        ("Fin(0)", |s, _| !s.contains(0)),
        ("Fin(!1)", |_, m| !m.contains(1)),
        ("Fin(0) & Inf(1) | Fin(2)", |s, _| !s.contains(0) && s.contains(1) || !s.contains(2)),
        ("(Fin(0) | Inf(1)) & (Fin(1) | Inf(2))", |s, _| {
            (!s.contains(0) || s.contains(1)) && (!s.contains(1) || s.contains(2))
        }),
        ("Inf(0) | Fin(1) & (Inf(2) | Fin(0))", |s, _| s.contains(0) || !s.contains(1)),
        ("Inf(0) & Fin(0)", |_, _| false),
    ];
    let mut random = Random::new(11);
    for (index, (condition, holds)) in conditions.iter().enumerate() {
        let mut answers = [0; 2];
        for seed in 0..40 {
            let shape =
                Shape { states: 4, sets: 3, marking: 0.4, density: 0.6, deterministic: true, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            let text = hoa::write(&automaton).replace("3 Inf(0)&Inf(1)&Inf(2)", &format!("3 {condition}"));
            let converted = one(&text);
            for _ in 0..20 {
                let word = random::word(automaton.atoms(), 6, &mut random);
                let expected = marks_of_run(&automaton, &word).is_some_and(|(seen, missed)| holds(seen, missed));
                answers[usize::from(expected)] += 1;
                assert_eq!(accepts(&converted, &word), expected, "{condition}, seed {seed}, {word}");
            }
        }
        assert!(answers[0] > 20 && (answers[1] > 20 || matches!(index, 1 | 9)), "{condition}: {answers:?}");
    }
}

/// The marks the run of a deterministic automaton meets infinitely often, and those it misses infinitely often.
fn marks_of_run(automaton: &Automaton, word: &Word) -> Option<(Marks, Marks)> {
    let step = |state: State, position: usize| {
        let letter = word.letter(position);
        automaton.edges(state).iter().find(|edge| edge.label.evaluate(|atom| letter[atom.0 as usize] == Some(true)))
    };
    let (mut state, mut position) = (automaton.initial(), 0);
    // After this many steps the run has entered its cycle; the same number again goes round it at least once.
    let enough = automaton.state_count() * word.len();
    let (mut seen, mut missed) = (Marks::NONE, Marks::NONE);
    for round in 0..2 * enough {
        let edge = step(state, position)?;
        if round >= enough {
            seen = seen.union(edge.marks);
            missed = missed.union(automaton.all_marks().minus(edge.marks));
        }
        (state, position) = (edge.target, word.successor(position));
    }
    Some((seen, missed))
}

#[test]
fn claims_as_spin_writes_them() {
    let until = "never  {    /* p U q */\nT0_init:\n\tdo\n\t:: atomic { ((q)) -> assert(!((q))) }\n\t:: ((p)) -> goto \
                 T0_init\n\tod;\naccept_all:\n\tskip\n}";
    let automaton = one(until);
    assert!(accepts_text(&automaton, "p; p; q; cycle{!p}"));
    assert!(!accepts_text(&automaton, "p; !p & !q; q; cycle{q}") && !accepts_text(&automaton, "cycle{p}"));

    let often = "never {\nT0_init:\n\tif\n\t:: (1) -> goto T0_init\n\t:: (p) -> goto accept_S9\n\tfi;\naccept_S9:\n\tif\n\t:: \
                 (1) -> goto T0_init\n\tfi;\n}";
    let automaton = one(often);
    assert_eq!((automaton.state_count(), automaton.edge_count()), (2, 3));
    assert!(accepts_text(&automaton, "cycle{p; !p; !p}") && !accepts_text(&automaton, "p; p; cycle{!p}"));
}

#[test]
fn claims_with_loops_that_fall_through() {
    let text = "#define p x\nnever responds { // until the first b, only a\n  do :: a && !b :: b -> break :: else -> goto stuck \
                od;\n  accept_rest: do :: skip od;\n stuck: false }";
    let automaton = one(text);
    assert_eq!(automaton.name.as_deref(), Some("responds"));
    assert!(accepts_text(&automaton, "a; b; cycle{!a & !b}") && accepts_text(&automaton, "cycle{b}"));
    assert!(!accepts_text(&automaton, "a; !a; b; cycle{b}") && !accepts_text(&automaton, "cycle{a}"));
}

#[test]
fn lbtt_as_lbt_writes_it() {
    let automaton = one("3 1\n0 1 -1\n1 p0\n2 t\n-1\n1 0 0 -1\n1 p0\n2 t\n-1\n2 0 -1\n1 p0\n2 t\n-1\n");
    assert_eq!((automaton.state_count(), automaton.edge_count(), automaton.sets()), (3, 6, 1));
    assert!(automaton.is_state_based());
    assert!(accepts_text(&automaton, "cycle{p0; !p0}") && !accepts_text(&automaton, "p0; cycle{!p0}"));
    let sparse = one("2 1t\n10 1\n10 -1 ! p0\n99 0 -1 p0\n-1\n99 1\n99 0 -1 t\n-1\n");
    assert_eq!((sparse.state_count(), sparse.initial_states()), (2, &[0, 1][..]));
    assert_eq!(read_all("1 0\n0 1 -1\n0 t\n-1\n1 0\n0 1 -1\n0 f\n-1\n").len(), 2);
}

#[test]
fn any_name_of_a_proposition_survives_every_format_that_takes_it() {
    for name in ["a\nb", "c\\d", "say \"hi\"\n-1\n0 t", "tab\there", "x == 1", "\\\n\\\""] {
        let mut automaton = Automaton::new([name, "p0"], 1);
        automaton.add_states(2);
        automaton.add_edge(0, 1, &(automaton.atom(0) & !automaton.atom(1)), Marks::one(0));
        automaton.add_edge(1, 0, &!automaton.atom(0), Marks::NONE);
        for text in [hoa::write(&automaton), lbtt::write(&automaton, &Budget::unlimited()).expect("short labels")] {
            let back = one(&text);
            assert!(back.atoms().iter().any(|atom| atom == name), "{name:?} in {text}");
            assert_eq!(difference(&automaton, &back, 100, &Budget::unlimited()), Ok(None), "{name:?} in {text}");
        }
    }
    let unclosed = "1 1\n0 1 -1\n0 \"a b\n-1\n";
    assert_eq!(refused(unclosed), ("L0105", "\"a b"), "the rest of the text is not part of it");
}

fn refused(text: &str) -> (&'static str, &str) {
    let error = read_all(text).into_iter().find_map(Result::err).unwrap_or_else(|| panic!("accepted: {text}"));
    (error.code, &text[error.primary.span.lo as usize..error.primary.span.hi as usize])
}

#[test]
fn hoa_texts_are_refused_where_they_go_wrong() {
    let body = |rest: &str| format!("HOA: v1 AP: 1 \"a\" States: 2 Start: 0 Acceptance: 1 Inf(0) --BODY-- {rest}");
    for (text, code, place) in [
        ("HOA: v2".into(), "L0302", "v2"),
        ("HOA: v1.1\nStates: 0".into(), "L0302", "v1.1"),
        ("HOA: v1 Acceptance: 1 Foo(0) --BODY-- --END--".into(), "L0305", "Foo"),
        ("HOA: v1 Acceptance: 1 Inf(1) --BODY-- --END--".into(), "L0305", "1"),
        ("HOA: v1 Acceptance: 4000000000 t --BODY-- --END--".into(), "L0305", "4000000000"),
        ("HOA: v1 Acceptance: 1 Inf(0) & --BODY-- --END--".into(), "L0302", "&"),
        ("HOA: v1 --BODY-- --END--".into(), "L0303", "--BODY--"),
        ("HOA: v1 AP: 2 \"a\" Acceptance: 0 t --BODY-- --END--".into(), "L0303", "2"),
        ("HOA: v1 AP: 99999999 Acceptance: 0 t --BODY-- --END--".into(), "L0311", "99999999"),
        ("HOA: v1 Start: 0&1 Acceptance: 0 t --BODY-- --END--".into(), "L0306", "&"),
        ("HOA: v1 States: 4000000000 Acceptance: 0 t --BODY-- --END--".into(), "L0304", "4000000000"),
        ("HOA: v1 States: 1000000000000 Acceptance: 0 t --BODY-- --END--".into(), "L0304", "1000000000000"),
        ("HOA: v1 Controllable: 1 Acceptance: 0 t --BODY-- --END--".into(), "L0309", "Controllable:"),
        (body("State: 2 --END--"), "L0304", "2"),
        (body("State: 0 State: 0 --END--"), "L0304", "0"),
        (body("State: 0 [1] 0 --END--"), "L0307", "1"),
        (body("State: 0 [@x] 0 --END--"), "L0308", "@x"),
        (body("State: 0 [0 0] 0 --END--"), "L0302", "0"),
        (body("State: 0 [(0] 0 --END--"), "L0302", "]"),
        (body("State: 0 0 --END--"), "L0308", "0"),
        (body("State: 0 [t] 0 1 --END--"), "L0308", "1"),
        (body("State: [t] 0 [t] 0 --END--"), "L0308", "["),
        (body("State: 0 [t] 0 {1} --END--"), "L0305", "1"),
        (body("State: 0 [t] 7 --END--"), "L0304", "7"),
        (body("State: 0 [t] 0"), "L0302", ""),
        (body("State: 0 \"no end"), "L0301", "\""),
        (body("/* /* */ --END--"), "L0301", "/*"),
        (body("State: 0 [t] 0 § --END--"), "L0301", "§"),
    ] {
        let text: String = text;
        assert_eq!(refused(&text), (code, place), "{text}");
    }
    // The message has the number of the text, however large.
    for header in ["States: 1000000000000", "Start: 1000000000000"] {
        let text = format!("HOA: v1 {header} Acceptance: 0 t --BODY-- --END--");
        let error = read_all(&text).into_iter().find_map(Result::err).expect("refused");
        assert!(error.message.contains("1000000000000"), "{}", error.message);
    }
}

#[test]
fn claims_and_lbtt_texts_are_refused_where_they_go_wrong() {
    for (text, code, place) in [
        ("newer { }", "L0401", "newer"),
        ("never { if :: p -> goto L fi }", "L0402", "L"),
        ("never { L: skip; L: skip }", "L0402", "L"),
        ("never { break }", "L0403", "break"),
        ("never { if fi }", "L0401", "fi"),
        ("never { do :: p od", "L0401", ""),
        ("never { do :: p fi }", "L0401", "fi"),
        ("never { goto }", "L0401", "}"),
        ("never { ([] p) }", "L0404", "([] p)"),
        ("never { /* }", "L0401", "/"),
        ("2 1\n0 1 -1\n-1\n", "L0501", ""),
        ("1 1x\n0 1 -1\n-1\n", "L0501", "1x"),
        ("1 500\n", "L0502", "500"),
        ("1 1\n0 1 3 -1\n-1\n", "L0502", "3"),
        ("1 1\n0 2 -1\n-1\n", "L0501", "2"),
        ("1 1\n0 1 -1\n7 t\n-1\n", "L0503", "1"),
        ("1 1\n0 1 -1\n0 F p0\n-1\n", "L0504", "F p0"),
        ("1 1\n0 1 -1\nzero t\n-1\n", "L0501", "zero"),
        ("4000000000 0\n0 1 -1\n-1\n", "L0501", ""),
    ] {
        assert_eq!(refused(text), (code, place), "{text}");
    }
    let deep = format!("never {{ {} skip {} }}", "do :: p -> ".repeat(5_000), "od ".repeat(5_000));
    assert_eq!(refused(&deep).0, "L0403");
    let guard = format!("never {{ {}p{} }}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(read_all(&guard)[0].is_ok());
}

/// Texts that are almost right: pieces cut out, doubled, swapped in from elsewhere, and bytes changed.
#[test]
fn mutated_texts_never_panic_and_what_is_read_is_sound() {
    let mut random = Random::new(0x7E57);
    let mut seeds: Vec<String> = Vec::new();
    for seed in 0..12 {
        let mut automaton = on_states(sample(seed));
        seeds.push(hoa::write(&sample(seed)));
        seeds.push(lbtt::write(&sample(seed), &Budget::unlimited()).expect("short labels"));
        automaton.set_sets(automaton.sets().min(1));
        for state in automaton.states() {
            let all = automaton.all_marks();
            automaton.edges_mut(state).iter_mut().for_each(|edge| edge.marks = edge.marks.intersection(all));
        }
        seeds.extend(
            [Style::If, Style::Do].map(|style| never::write(&automaton, style, &Budget::unlimited()).expect("a claim")),
        );
    }
    let pieces = [
        "Inf(",
        "Fin(0)",
        "[",
        "{",
        "&",
        "!",
        "99999999999",
        "--END--",
        "Alias: @a 0",
        "do ::",
        "-1",
        "goto ",
        "\"",
        "é",
    ];
    let mut read_back = 0;
    for _ in 0..6_000 {
        let mut bytes = seeds[random.below(seeds.len() as u64) as usize].clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u64 + 1) as usize;
            let end = (at + random.below(12) as usize).min(bytes.len());
            match random.below(4) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.extend_from_within(at..end),
                2 if at < bytes.len() => bytes[at] = random.below(256) as u8,
                _ => {
                    let piece = pieces[random.below(pieces.len() as u64) as usize];
                    bytes.splice(at..at, piece.bytes());
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        for format in [Format::Hoa, Format::Never, Format::Lbtt] {
            for result in read(&text, format, FileId(0)) {
                match result {
                    Ok(automaton) => {
                        automaton.verify();
                        read_back += 1;
                    }
                    Err(error) => {
                        let span = error.primary.span;
                        assert!(span.lo <= span.hi && span.hi as usize <= text.len(), "{error:?}\n{text}");
                        assert!(text.get(span.lo as usize..span.hi as usize).is_some(), "{error:?}\n{text}");
                    }
                }
            }
        }
    }
    assert!(read_back > 300, "{read_back} mutated texts are still automata");
}

#[test]
fn an_aborted_automaton_is_told_in_every_format() {
    let formats = [
        ("never { T0: do :: a -> goto T0 od }\n", "never { T0: skip\n"),
        ("1 1\n0 1 0 -1\n0 t\n-1\n", "1 1\n0 1 0 -1\n"),
    ];
    for (whole, cut) in formats {
        let text = format!("{whole}{cut}  --ABORT--\n{whole}");
        let all = read(&text, Format::of(&text), FileId(0));
        let aborted = all[1].as_ref().expect_err("it is cut off");
        let lo = text.find("--ABORT--").expect("it is there") as u32;
        assert_eq!((aborted.code, aborted.primary.span.lo, aborted.primary.span.hi), ("L0310", lo, lo + 9));
        assert!(all.len() == 3 && all[0].is_ok() && all[2].is_ok(), "{text}");
        // Places after it are right.
        let text = format!("{cut}--ABORT--\n{whole}?");
        let last = read(&text, Format::of(&text), FileId(0)).pop().expect("something").expect_err("it is wrong");
        assert_eq!(last.primary.span.lo as usize, text.len() - 1);
    }
}
