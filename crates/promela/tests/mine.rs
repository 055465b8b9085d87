//! What is mined from small models, with the reasons a person reads. To change a text on purpose, run
//! the test with `UPDATE_EXPECT=1` and read the difference.

mod support;

use expect_test::{Expect, expect};
use omega::print::{Notation, print};
use promela::claim::Claim;
use promela::compiled::Model;
use promela::mine::{self, Facts};

/// The only `ltl` block of a text, and the facts about its atoms.
fn mined(text: &str) -> (Claim, Facts) {
    let (_, loaded) = support::load(text);
    let program = loaded.program.expect("a correct model");
    let claim = Claim::new(&program, &program.ltl[0].formula);
    let facts = mine::facts(&Model::new(&program).expect("a small model"), &claim.atoms);
    (claim, facts)
}

/// Checks the reasons and the two formulas for the atoms of the only `ltl` block of a text.
fn check(text: &str, expected: Expect) {
    let (mut claim, facts) = mined(text);
    let mut shown: String = facts.all.iter().map(|fact| format!("{}\n", fact.reason)).collect();
    for formula in [facts.invariant(&mut claim.formulas), facts.over_time(&mut claim.formulas)] {
        shown.push_str(&format!("{}\n", print(&claim.formulas, formula, Notation::Spot)));
    }
    expected.assert_eq(&shown);
}

#[test]
fn comparisons() {
    let text = "short x, y; active proctype P() { do :: x++ :: x-- :: y++ :: y-- od }
        ltl p { [] !(x == 5 && x > 10) && [] !(x < y && y < 5) }";
    check(
        text,
        expect![[r#"
        `x==5` and `x>10` exclude each other: no value of `x` would do
        `x==5`, `x<y` and `y<5` exclude each other: no values of `x` and `y` would do
        `x>10`, `x<y` and `y<5` exclude each other: no values of `x` and `y` would do
        `x==5` does not hold in the initial state
        `x>10` does not hold in the initial state
        `x<y` does not hold in the initial state
        `y<5` holds in the initial state
        (!"x==5" | !"x>10") & (!"x==5" | !"x<y" | !"y<5") & (!"x>10" | !"x<y" | !"y<5")
        "y<5" & !"x==5" & !"x>10" & !"x<y"
    "#]],
    );
}

#[test]
fn locations_and_values() {
    let text = "byte n; active proctype P() { byte x; a: x = 1; b: n++; x = 2; c: skip }
        ltl p { [] !(P@a && P@b) && [] !(P@a && P:x > 0) && [] (P@c -> n == 1) }";
    check(
        text,
        expect![[r#"
        `P@a` and `P@b` exclude each other: a process is at one place at a time
        `P@a` and `P:x>0` exclude each other: `P:x` does not hold such a value at that place
        `P@a` and `P@c` exclude each other: a process is at one place at a time
        `P@a` and `n==1` exclude each other: `n` does not hold such a value at that place
        `P@b` and `!(P:x>0)` exclude each other: `P:x` does not hold such a value at that place
        `P@b` and `P@c` exclude each other: a process is at one place at a time
        `P@b` and `n==1` exclude each other: `n` does not hold such a value at that place
        `!(P:x>0)` and `P@c` exclude each other: `P:x` does not hold such a value at that place
        `P@c` and `!(n==1)` exclude each other: `n` does not hold such a value at that place
        `P@a` holds in the initial state
        `P@b` does not hold in the initial state
        `P:x>0` does not hold in the initial state
        `P@c` does not hold in the initial state
        `n==1` does not hold in the initial state
        once so, `n==1` stays true: `n` only grows
        `P@a` is left for good: no way leads back
        after `P@b` never `P@a`: no way leads there
        `P@b` is left for good: no way leads back
        after `P@c` never `P@a`: no way leads there
        after `P@c` never `P@b`: no way leads there
        `P@c` is left for good: no way leads back
        (!"P@a" | !"P@b") & (!"P@a" | !"P:x>0") & (!"P@a" | !"P@c") & (!"P@a" | !"n==1") & ("P:x>0" | !"P@b") & (!"P@b" | !"P@c") & (!"P@b" | !"n==1") & ("P:x>0" | !"P@c") & ("n==1" | !"P@c")
        "P@a" & !"P@b" & !"P:x>0" & !"P@c" & !"n==1" & G("n==1" -> G"n==1") & G("P@a" -> ("P@a" W G!"P@a")) & G("P@b" -> G!"P@a") & G("P@b" -> ("P@b" W G!"P@b")) & G("P@c" -> G!"P@a") & G("P@c" -> G!"P@b") & G("P@c" -> ("P@c" W G!"P@c"))
    "#]],
    );
}

#[test]
fn comparisons_across_variables_are_decided() {
    let text = "byte x, y; active proctype Q() { do :: x++ :: y++ od } ltl p { [] !(x < y && y < 5 && x > 10) }";
    let (_, facts) = mined(text);
    let expected = "`x<y`, `y<5` and `x>10` exclude each other: no values of `x` and `y` would do";
    assert!(facts.all.iter().any(|fact| fact.reason == expected), "{:?}", facts.all);
}

#[test]
fn flags_that_are_only_set() {
    let text = "bool done; byte m; active [2] proctype P() { done = true } active proctype Q() { do :: m < 9 -> m++ :: m = 0 od }
        ltl p { <> done && [] (m < 12) }";
    check(
        text,
        expect![[r#"
        `!(m<12)` is impossible: `m` holds 0 to 9
        `done` does not hold in the initial state
        `m<12` holds in the initial state
        once so, `done` stays true: `done` only grows
        "m<12"
        "m<12" & !done & G(done -> Gdone)
    "#]],
    );
}

#[test]
fn a_counter_is_known_behind_its_loop() {
    let text = "byte i; bool big; active proctype P() { do :: i < 100 -> i++ :: else -> break od;
            b: if :: i == 100 -> big = 1 :: else -> e: skip fi; c: d_step { if :: i > 99 -> i = 1 :: i = 2 fi }; d: skip }
        ltl p { [] (P@b -> i == 100) && [] (P@c -> big) && [] !P@e && [] (P@d -> i == 1) }";
    let (_, facts) = mined(text);
    let reasons: Vec<&str> = facts.all.iter().map(|fact| fact.reason.as_str()).collect();
    for expected in [
        "`P@b` and `!(i==100)` exclude each other: `i` does not hold such a value at that place",
        "`P@c` and `!(big)` exclude each other: `big` does not hold such a value at that place",
        "`P@e` is impossible: no process `P` can get there",
        "`P@d` and `!(i==1)` exclude each other: `i` does not hold such a value at that place",
    ] {
        assert!(reasons.contains(&expected), "{expected}: {reasons:#?}");
    }
}

#[test]
fn numbers_of_only_instances_are_other_processes_numbers_not() {
    let text = "active [2] proctype P() { a: skip } active proctype S() { s: skip } ltl p { [] !(S[2]@s && P[2]@a) }";
    let (_, facts) = mined(text);
    let reasons: Vec<&str> = facts.all.iter().map(|fact| fact.reason.as_str()).collect();
    assert!(
        reasons.contains(&"`S[2]@s` and `P[2]@a` exclude each other: a process is at one place at a time"),
        "{reasons:#?}"
    );
}

#[test]
fn sums_are_known_by_their_ranges() {
    for (atom, always) in [("x + y <= 510", true), ("x + y >= 0", true), ("x + y > 510", false), ("x + y < 511", true)]
    {
        let text = format!("byte x, y; active proctype P() {{ do :: x++ :: y++ od }} ltl p {{ [] ({atom}) }}");
        let (_, facts) = mined(&text);
        let end = "is impossible: `x` holds 0 to 255 and `y` holds 0 to 255";
        let literal = [mine::Literal { atom: 0, on: always }];
        let is_said = |fact: &mine::Fact| {
            fact.reason.ends_with(end) && matches!(&fact.constraint, mine::Constraint::Clause(all) if **all == literal)
        };
        assert!(facts.all.iter().any(is_said), "{atom}: {:#?}", facts.all);
    }
}

#[test]
fn sums_exclude_comparisons_of_their_parts() {
    let text = "byte x, y, z; active proctype P() { do :: x++ :: y++ :: z++ od }
        ltl p { [] !(x + y + z < 9 && x > 3 && y > 3 && z > 3) && [] !(x + y + z < 9 && x - y > 8) }";
    let (_, facts) = mined(text);
    let reasons: Vec<&str> = facts.all.iter().map(|fact| fact.reason.as_str()).collect();
    for expected in [
        "`x+y+z<9`, `x>3`, `y>3` and `z>3` exclude each other: no values of `x`, `y` and `z` would do",
        "`x+y+z<9` and `x-y>8` exclude each other: `x` holds 0 to 255, `y` holds 0 to 255 and `z` holds 0 to 255",
    ] {
        assert!(reasons.contains(&expected), "{expected}: {reasons:#?}");
    }
}

#[test]
fn uninterrupted_sequences_and_conditional_expressions_only_grow() {
    for (statement, is_bounded) in [
        ("atomic { x < 9 -> x++ }", true),
        ("d_step { x < 9 -> x++ }", true),
        ("atomic { x < 9 && on -> on = 0; x = x + 1 }", true),
        ("atomic { if :: x >= 9 -> skip :: else -> x++ fi }", true),
        ("x = (x < 9 -> x + 1 : 9)", true),
        ("x = (x < 9 -> x + 1 : x)", false),
    ] {
        let text = format!(
            "byte x; bool on; active [2] proctype P() {{ do :: {statement} :: on = 1 od }} ltl p {{ [] (x < 3) && [] (x < 12) }}"
        );
        let (_, facts) = mined(&text);
        let reasons: Vec<&str> = facts.all.iter().map(|fact| fact.reason.as_str()).collect();
        let grows = "once so, `x<3` stays false: `x` only grows";
        let bound = "`!(x<12)` is impossible: `x` holds 0 to 9";
        assert!(reasons.contains(&grows), "{statement}: {reasons:#?}");
        assert!(reasons.contains(&bound) || !is_bounded, "{statement}: {reasons:#?}");
    }
}

/// Counters that grow in an `atomic` sequence, in a `d_step`, by a conditional expression, and in other ways.
const COUNTERS: &str = "byte a, b, c, d, e; active [2] proctype P() { do :: atomic { a < 9 -> a++ }
    :: d_step { b < 9 -> b++ } :: c = (c < 9 -> c + 1 : 9) :: d++ :: e = 9 od }";

#[test]
fn more_than_four_atoms_exclude_each_other() {
    for (sum, names) in [("a + b + c + d", "abcd"), ("a + b + c + d + e", "abcde")] {
        // Four, the largest sum of numbers below two, is possible; a larger one is not. The fifth number is 0 or 9.
        for (bound, is_impossible) in [(4, true), (3, false)] {
            let parts: Vec<String> = names.chars().map(|name| format!("{name} < 2")).collect();
            let text = format!("{COUNTERS} ltl p {{ [] !({sum} > {bound} && {}) }}", parts.join(" && "));
            let (claim, facts) = mined(&text);
            assert_eq!(claim.atoms.len(), names.len() + 1, "{text}");
            let is_whole = |fact: &&mine::Fact| matches!(&fact.constraint, mine::Constraint::Clause(all) if all.len() == claim.atoms.len());
            let whole: Vec<&mine::Fact> = facts.all.iter().filter(is_whole).collect();
            assert_eq!(whole.len(), usize::from(is_impossible), "{text}: {whole:#?}");
            for fact in whole {
                // A clause says that not all of these hold together.
                let mine::Constraint::Clause(all) = &fact.constraint else { unreachable!("a clause") };
                assert!(all.iter().all(|literal| !literal.on), "{text}: {fact:?}");
            }
            for name in ["a", "b", "c"] {
                let grows = format!("once so, `{name}<2` stays false: `{name}` only grows");
                assert!(facts.all.iter().any(|fact| fact.reason == grows), "{grows}: {:#?}", facts.all);
            }
            let wraps = "once so, `d<2` stays false: `d` only grows";
            assert!(!facts.all.iter().any(|fact| fact.reason == wraps), "{:#?}", facts.all);
        }
    }
}

#[test]
fn what_can_be_interrupted_may_shrink() {
    for statement in [
        "x < 9 -> x++",
        "atomic { x < 9 -> x = 200; x = x + 100 }",
        "atomic { x < 9 -> back: x++ }; goto back",
        "x = (x < 9 -> x + 1 : 3)",
    ] {
        let text =
            format!("byte x; active [2] proctype P() {{ do :: {statement} od }} ltl p {{ [] (x < 3) && [] (x < 12) }}");
        let (_, facts) = mined(&text);
        let grows = "once so, `x<3` stays false: `x` only grows";
        assert!(!facts.all.iter().any(|fact| fact.reason == grows), "{statement}: {:#?}", facts.all);
    }
}

#[test]
fn an_operand_that_is_not_looked_at_cannot_fail() {
    let text = "byte z; byte y = (z == 0 || 3 / z); bool either, both, chosen;
        active proctype P() { (z == 0 || 10 / z > 1); a: either = (z == 0 || 10 / z > 1); both = !(z && 10 / z);
        chosen = (z == 0 -> 1 : 10 / z); b: skip; 10 / z > 1; c: skip }
        ltl p { [] !(P@a || P@b || P@c || either || both || chosen || (z == 0 || 10 / z) < 1 || y > 1) }";
    check(
        text,
        expect![[r#"
        `P@c` is impossible: no process `P` can get there
        `(z==0 || 10/z)<1` is impossible: `z==0 || 10/z` holds 1
        `y>1` is impossible: `y` holds 1
        `P@a` and `P@b` exclude each other: a process is at one place at a time
        `P@a` and `either` exclude each other: `either` does not hold such a value at that place
        `P@a` and `both` exclude each other: `both` does not hold such a value at that place
        `P@a` and `chosen` exclude each other: `chosen` does not hold such a value at that place
        `P@b` and `!(either)` exclude each other: `either` does not hold such a value at that place
        `P@b` and `!(both)` exclude each other: `both` does not hold such a value at that place
        `P@b` and `!(chosen)` exclude each other: `chosen` does not hold such a value at that place
        `P@a` does not hold in the initial state
        `P@b` does not hold in the initial state
        `P@c` does not hold in the initial state
        `either` does not hold in the initial state
        `both` does not hold in the initial state
        `chosen` does not hold in the initial state
        `(z==0 || 10/z)<1` does not hold in the initial state
        `y>1` does not hold in the initial state
        once so, `either` stays true: `either` only grows
        once so, `both` stays true: `both` only grows
        once so, `chosen` stays true: `chosen` only grows
        `P@a` is left for good: no way leads back
        after `P@b` never `P@a`: no way leads there
        `P@b` is left for good: no way leads back
        after `P@c` never `P@a`: no way leads there
        after `P@c` never `P@b`: no way leads there
        `P@c` is left for good: no way leads back
        !"P@c" & !"(z==0 || 10/z)<1" & !"y>1" & (!"P@a" | !"P@b") & (!"P@a" | !either) & (!"P@a" | !both) & (!"P@a" | !chosen) & (either | !"P@b") & (both | !"P@b") & (chosen | !"P@b")
        !"P@c" & !"(z==0 || 10/z)<1" & !"y>1" & !"P@a" & !"P@b" & !either & !both & !chosen & G(either -> Geither) & G(both -> Gboth) & G(chosen -> Gchosen) & G("P@a" -> ("P@a" W G!"P@a")) & G("P@b" -> G!"P@a") & G("P@b" -> ("P@b" W G!"P@b")) & G("P@c" -> G!"P@a") & G("P@c" -> G!"P@b") & G("P@c" -> ("P@c" W G!"P@c"))
    "#]],
    );
}

#[test]
fn a_number_that_varies_is_of_several_processes() {
    let text = "byte i; active proctype P() { a: i == 7; b: skip } active proctype Q() { do :: i = 1 - i od }
        ltl p { [] !(P[i]@a && P[i]@b && P[0]@a && P@a) }";
    check(
        text,
        expect![[r#"
        `P[i]@b` is impossible: no process `P` can get there
        `P[i]@a` and `!(P@a)` exclude each other: a process is at one place at a time
        `P[0]@a` and `!(P@a)` exclude each other: a process is at one place at a time
        `P[i]@a` holds in the initial state
        `P[i]@b` does not hold in the initial state
        `P[0]@a` holds in the initial state
        `P@a` holds in the initial state
        after `P[i]@b` never `P[i]@a`: no way leads there
        after `P[i]@b` never `P[0]@a`: no way leads there
        after `P[i]@b` never `P@a`: no way leads there
        `P[0]@a` is left for good: no way leads back
        `P@a` is left for good: no way leads back
        !"P[i]@b" & ("P@a" | !"P[i]@a") & ("P@a" | !"P[0]@a")
        "P[i]@a" & "P[0]@a" & "P@a" & !"P[i]@b" & G("P[i]@b" -> G!"P[i]@a") & G("P[i]@b" -> G!"P[0]@a") & G("P[i]@b" -> G!"P@a") & G("P[0]@a" -> ("P[0]@a" W G!"P[0]@a")) & G("P@a" -> ("P@a" W G!"P@a"))
    "#]],
    );
}
