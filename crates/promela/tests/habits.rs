//! What people write by habit from C, forget or misspell, and what they are told: one finding that
//! names the mistake, and none that only follows from it. To change a text on purpose, run the test
//! with `UPDATE_EXPECT=1` and read the difference.
//!
//! A long file: one table of many small cases.

mod support;

use expect_test::{Expect, expect};
use support::{findings, findings_with};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text));
}

#[test]
fn comparison_with_one_equals() {
    let text = "byte x;\ninit {\n  if\n  :: (x = 2) -> skip\n  :: else\n  fi\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: an assignment inside an expression
           4 |   :: (x = 2) -> skip
             |         ^ `=` assigns
          = help: to compare, write `==`
    "#]],
    );
}

#[test]
fn assertion_with_one_equals() {
    let text = "byte x;\ninit { assert(x = 1) }";
    check(
        text,
        expect![[r#"
        error[P0201]: an assignment inside an expression
           2 | init { assert(x = 1) }
             |                 ^ `=` assigns
          = help: to compare, write `==`
    "#]],
    );
}

#[test]
fn compound_assignment() {
    let text = "byte x;\ninit { x += 1; x -= 3; x = 2 }";
    check(
        text,
        expect![[r#"
        error[P0201]: there is no `+=` in Promela
           2 | init { x += 1; x -= 3; x = 2 }
             |          ^^ not in Promela
          = help: write `x++`
        error[P0201]: there is no `-=` in Promela
           2 | init { x += 1; x -= 3; x = 2 }
             |                  ^^ not in Promela
          = help: write `x = x - …`
    "#]],
    );
}

#[test]
fn while_loop() {
    let text = "byte x;\ninit {\n  while (x < 3) {\n    x++;\n    y = 1\n  }\n  x = 0\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: there is no `while` in Promela
           3 |   while (x < 3) {
             |   ^^^^^ not in Promela
          = help: write `do :: condition -> … :: else -> break od`
    "#]],
    );
}

#[test]
fn if_as_in_c() {
    let text = "byte x;\ninit {\n  if (x == 0) {\n    x = 1;\n  } else if (x == 1) {\n    x = 2;\n  } else\n    x = 3;\n  x = 4\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: this `if` is written as in C
           3 |   if (x == 0) {
             |   ^^ not in Promela
          = help: write `if :: condition -> … :: else -> … fi`
    "#]],
    );
}

#[test]
fn do_while() {
    let text = "byte x;\ninit {\n  do {\n    x++;\n  } while (x < 3);\n  x = 0\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: this `do` is written as in C
           3 |   do {
             |   ^^ not in Promela
          = help: write `do :: … od`; a `break` leaves the loop
    "#]],
    );
}

#[test]
fn for_as_in_c() {
    let text = "byte i;\ninit {\n  for (i = 0; i < 3; i++) {\n    skip;\n  }\n  i = 3\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: this `for` is written as in C
           3 |   for (i = 0; i < 3; i++) {
             |          ^ not in Promela
          = help: write `for (i : 0 .. 9) { … }`, or a `do` loop
    "#]],
    );
}

#[test]
fn for_ever_as_in_c() {
    let text = "byte i;\ninit {\n  for (;;) {\n    i++\n  }\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: this `for` is written as in C
           3 |   for (;;) {
             |        ^ not in Promela
          = help: write `for (i : 0 .. 9) { … }`, or a `do` loop
    "#]],
    );
}

#[test]
fn for_with_declaration() {
    let text = "byte x;\ninit {\n  for (int i : 0 .. 2) {\n    x++\n  }\n}";
    check(
        text,
        expect![[r#"
        error[P0201]: a `for` cannot declare its variable
           3 |   for (int i : 0 .. 2) {
             |        ^^^ not in Promela
          = help: declare it before, and write `for (i : 0 .. 9) { … }`
    "#]],
    );
}

#[test]
fn truth_values() {
    let text = "bool b = TRUE;\ninit { b = False; b = tru }";
    check(
        text,
        expect![[r#"
        error[P0301]: `TRUE` is not declared
           1 | bool b = TRUE;
             |          ^^^^ not found in this scope
          = help: did you mean `true`?
        error[P0301]: `False` is not declared
           2 | init { b = False; b = tru }
             |            ^^^^^ not found in this scope
          = help: did you mean `false`?
        error[P0301]: `tru` is not declared
           2 | init { b = False; b = tru }
             |                       ^^^ not found in this scope
          = help: did you mean `true`?
    "#]],
    );
}

#[test]
fn misspelt_skip() {
    let text = "byte x;\ninit { if :: x -> skp :: else -> brek fi }";
    check(
        text,
        expect![[r#"
        error[P0301]: `skp` is not declared
           2 | init { if :: x -> skp :: else -> brek fi }
             |                   ^^^ not found in this scope
          = help: did you mean `skip`?
        error[P0301]: `brek` is not declared
           2 | init { if :: x -> skp :: else -> brek fi }
             |                                  ^^^^ not found in this scope
          = help: did you mean `break`?
    "#]],
    );
}

#[test]
fn macro_without_arguments() {
    let text = "#define MAX(a, b) (a > b -> a : b)\nbyte x;\ninit { x = MAX }";
    check(
        text,
        expect![[r#"
        error[P0301]: `MAX` is not declared
           3 | init { x = MAX }
             |            ^^^ not found in this scope
           1 | #define MAX(a, b) (a > b -> a : b)
             |         --- a macro of this name takes arguments
          = help: write `MAX(…)` with its arguments
    "#]],
    );
}

#[test]
fn unknown_symbol() {
    let text = "mtype = { REQ, ACK };\nchan c = [1] of { mtype };\ninit { c!NAK; c?DATA }";
    check(
        text,
        expect![[r#"
        error[P0301]: `NAK` is not declared
           3 | init { c!NAK; c?DATA }
             |          ^^^ not found in this scope
          = help: if `NAK` is a symbol, add it to the `mtype` of `REQ`, `ACK`; if a macro, write `#define NAK …`
        error[P0301]: `DATA` is not declared
           3 | init { c!NAK; c?DATA }
             |                 ^^^^ not found in this scope
          = help: if `DATA` is a symbol, add it to the `mtype` of `REQ`, `ACK`; if a macro, write `#define DATA …`
    "#]],
    );
}

#[test]
fn misspelt_symbol() {
    let text = "mtype = { REQ, ACK };\nchan c = [1] of { mtype };\ninit { c!RQE }";
    check(
        text,
        expect![[r#"
        error[P0301]: `RQE` is not declared
           3 | init { c!RQE }
             |          ^^^ not found in this scope
          = help: did you mean `REQ`?
    "#]],
    );
}

#[test]
fn remote_of_unknown_proctype() {
    let text = "byte x;\nactive proctype P() { byte y; y = 1; x = y }\nnever {\n  do\n  :: Q[1]:y == 1 -> break\n  :: else\n  od\n}";
    check(
        text,
        expect![[r#"
        error[P0303]: there is no proctype `Q`
           5 |   :: Q[1]:y == 1 -> break
             |      ^ not defined
          = help: define it with `proctype Q() { … }`
    "#]],
    );
}

#[test]
fn misspelt_active() {
    let text = "byte x;\nactiv proctype P() { x = 1 }\nActive [2] proctype Q() { x = 2 }";
    check(
        text,
        expect![[r#"
        error[P0201]: `activ` begins no part of a model
           2 | activ proctype P() { x = 1 }
             | ^^^^^ not a word of Promela
          = help: did you mean `active`?
        error[P0201]: `Active` begins no part of a model
           3 | Active [2] proctype Q() { x = 2 }
             | ^^^^^^ not a word of Promela
          = help: did you mean `active`?
    "#]],
    );
}

#[test]
fn misspelt_proctype() {
    let text = "byte x;\nProctype P() { x = 1 }\nactive protype Q() { x = 2 }\ninit { run P() }";
    check(
        text,
        expect![[r#"
        error[P0201]: `Proctype` begins no part of a model
           2 | Proctype P() { x = 1 }
             | ^^^^^^^^ not a word of Promela
          = help: did you mean `proctype`?
        error[P0201]: `protype` begins no part of a model
           3 | active protype Q() { x = 2 }
             |        ^^^^^^^ not a word of Promela
          = help: did you mean `proctype`?
    "#]],
    );
}

#[test]
fn misspelt_init() {
    let text = "byte x;\nInit { x = 1 }";
    check(
        text,
        expect![[r#"
        error[P0201]: `Init` begins no part of a model
           2 | Init { x = 1 }
             | ^^^^ not a word of Promela
          = help: did you mean `init`?
    "#]],
    );
}

#[test]
fn misspelt_assert() {
    let text = "byte x;\ninit { asert(x == 0) }";
    check(
        text,
        expect![[r#"
        error[P0308]: there is no inline or macro `asert`
           2 | init { asert(x == 0) }
             |        ^^^^^ called here
          = help: did you mean `assert`?
    "#]],
    );
}

#[test]
fn option_sign_missing() {
    let text = "byte x;\ninit {\n  if\n  :: x == 0 -> x = 1\n  else -> x = 2\n  fi\n}";
    check(
        text,
        expect![[r#"
        warning[P0501]: this `else` has no alternatives
           5 |   else -> x = 2
             |   ^^^^ it is not the first statement of an option
          = help: write `::` before it to make it an option of `if` or `do`
    "#]],
    );
}

#[test]
fn capacity_missing() {
    let text = "chan c = of { byte };\nchan d = [] of { byte };\ninit { c!1; d!1 }";
    check(
        text,
        expect![[r#"
        error[P0201]: this channel has no capacity
           1 | chan c = of { byte };
             |          ^^ how many messages does it hold?
          = help: write `[4] of { … }` for a buffer of four messages, `[0] of { … }` for rendezvous
        error[P0201]: this channel has no capacity
           2 | chan d = [] of { byte };
             |          ^^ how many messages does it hold?
          = help: write `[4] of { … }` for a buffer of four messages, `[0] of { … }` for rendezvous
    "#]],
    );
}

#[test]
fn capacity_as_size() {
    let text = "chan c[2] of { byte };\ninit { c!1 }";
    check(
        text,
        expect![[r#"
        error[P0201]: the messages of a channel are given by its initialiser
           1 | chan c[2] of { byte };
             |           ^^ `=` is missing
           1 | chan c[2] of { byte };
             |        - read as the size of an array of channels
          = help: write `chan c = [2] of { … }`
    "#]],
    );
}

#[test]
fn capacity_is_a_variable() {
    let text = "byte n = 3;\nchan c = [n] of { byte };\ninit { c!n }";
    check(
        text,
        expect![[r#"
        error[P0401]: the capacity of a channel must be a constant
           2 | chan c = [n] of { byte };
             |           ^ depends on the state
          = help: use a number, a symbol or a macro (`#define`)
    "#]],
    );
}

#[test]
fn index_out_of_range() {
    let text = "byte a[3];\ninit { a[3] = 1; a[0] = a[-1] }";
    check(
        text,
        expect![[r#"
        warning[P0609]: `a` has no element 3
           2 | init { a[3] = 1; a[0] = a[-1] }
             |          ^ an error at run time if it is used
          = note: `a` has 3 elements: 0 to 2
        warning[P0609]: `a` has no element -1
           2 | init { a[3] = 1; a[0] = a[-1] }
             |                           ^^ an error at run time if it is used
          = note: `a` has 3 elements: 0 to 2
    "#]],
    );
}

#[test]
fn printf_values() {
    let text = "byte x;\ninit { printf(\"%d %d\\n\", x); printf(\"x\\n\", x); printf(\"100%%\\n\") }";
    check(
        text,
        expect![[r#"
        warning[P0610]: this `printf` prints 2 values but gets 1
           2 | init { printf("%d %d\n", x); printf("x\n", x); printf("100%%\n") }
             |        ^^^^^^^^^^^^^^^^^^^^ missing values print as 0
        warning[P0610]: this `printf` prints 0 values but gets 1
           2 | init { printf("%d %d\n", x); printf("x\n", x); printf("100%%\n") }
             |                              ^^^^^^^^^^^^^^^^ the rest is not printed
    "#]],
    );
}

#[test]
fn printf_conversions() {
    let text = "byte x;\ninit { printf(\"%s\\n\", x); printf(\"100%\") }";
    check(
        text,
        expect![[r#"
        warning[P0610]: `%s` prints no value
           2 | init { printf("%s\n", x); printf("100%") }
             |        ^^^^^^^^^^^^^^^^^ in the text of this `printf`
          = help: there are `%d %u %c %e %o %x`, where `%e` prints a symbol; `%%` is a percent sign
        warning[P0610]: a single `%` prints no value
           2 | init { printf("%s\n", x); printf("100%") }
             |                           ^^^^^^^^^^^^^^ in the text of this `printf`
          = help: there are `%d %u %c %e %o %x`, where `%e` prints a symbol; `%%` is a percent sign
    "#]],
    );
}

#[test]
fn run_in_an_initialiser() {
    let text = "byte x;\nproctype Z() { x = 1 }\ninit { pid p = run Z(); x = p }";
    check(
        text,
        expect![[r#"
        error[P0417]: `run` in an initialiser
           3 | init { pid p = run Z(); x = p }
             |                ^^^^^^^ no process can be created here
          = help: declare the variable first and assign in a statement of its own
    "#]],
    );
}

#[test]
fn single_field() {
    let text = "chan c = [1] of { byte, byte };\nbyte x;\ninit { c!1; c?x }";
    check(
        text,
        expect![[r#"
        warning[P0404]: a message of 1 field is sent on a channel whose messages have 2 fields
           3 | init { c!1; c?x }
             |        ^ 1 here, 2 declared
           1 | chan c = [1] of { byte, byte };
             |      - declared here with 2
        warning[P0404]: a message of 1 field is received on a channel whose messages have 2 fields
           3 | init { c!1; c?x }
             |             ^ 1 here, 2 declared
           1 | chan c = [1] of { byte, byte };
             |      - declared here with 2
    "#]],
    );
}

#[test]
fn too_large_record() {
    let text = "typedef T { int a[60000] };\ntypedef U { T t[60000] };\nU u;\nT w[100];\ninit { u.t[0].a[0] = 1; w[0].a[0] = 2 }";
    check(
        text,
        expect![[r#"
        error[P0012]: the variables of this model are too large
           2 | typedef U { T t[60000] };
             |               ^ more than 1048576 values with this one
    "#]],
    );
}

#[test]
fn nested_too_deeply() {
    let braces =
        format!("byte x;\ninit {{ {}x = 1{} }}\ninit {{ run Q() }}", "atomic { ".repeat(600), " }".repeat(600));
    let brackets = format!("byte x;\ninit {{ x = {}1{} }}\ninit {{ run Q() }}", "(".repeat(1600), ")".repeat(1600));
    // As much stack as the tool has.
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    let work = move || [braces, brackets].map(|text| findings(&text).matches("error[").count());
    let counts = thread.spawn(work).expect("a thread").join().expect("no panic");
    assert_eq!(counts, [1, 1], "one finding, not one for each brace or bracket");
}

#[test]
fn ring_of_includes() {
    let files = [("a.h", "#include \"b.h\"\nbyte x;"), ("b.h", "#include \"a.h\"\nbyte z;")];
    let shown = findings_with("#include \"a.h\"\ninit { x = z }", &files);
    let expected = expect![[r#"
        error[P0107]: `a.h` is included without end
           1 | #include "a.h"
             |  ^^^^^^^^^^^^^ again here
           1 | #include "a.h"
             |  ------------- first included here
          = help: guard the file with `#ifndef NAME`, `#define NAME` … `#endif`
    "#]];
    expected.assert_eq(&shown);
}

#[test]
fn letters_of_a_keyword_in_another_order() {
    check(
        "byte x;\ninit { do :: x > 0 -> brake :: else -> x++ od }",
        expect![[r#"
        error[P0301]: `brake` is not declared
           2 | init { do :: x > 0 -> brake :: else -> x++ od }
             |                       ^^^^^ not found in this scope
          = help: did you mean `break`?
    "#]],
    );
}

#[test]
fn a_return_without_a_value() {
    check(
        "byte x;\ninit { if :: x == 0 -> return :: else -> x = 1 fi; x = 2 }",
        expect![[r#"
        error[P0213]: `return` without a value
           2 | init { if :: x == 0 -> return :: else -> x = 1 fi; x = 2 }
             |                        ^^^^^^ nothing is returned
          = help: to end a process early, put a label in front of its closing brace (`done: skip`) and `goto` it
    "#]],
    );
}

#[test]
fn standard_input_that_is_not_declared() {
    check(
        "init { int c; STDIN?c }",
        expect![[r#"
        error[P0301]: `STDIN` is not declared
           1 | init { int c; STDIN?c }
             |               ^^^^^ not found in this scope
          = help: to read characters in a simulation, declare `chan STDIN;` outside all processes
    "#]],
    );
}

#[test]
fn a_keyword_among_the_names_of_a_declaration() {
    check(
        "byte from, t, len;\ninit { from = t }",
        expect![[r#"
        error[P0207]: `len` is a keyword
           1 | byte from, t, len;
             |               ^^^ expected a name
          = help: choose another name
    "#]],
    );
}

#[test]
fn an_arrow_of_other_languages() {
    check(
        "byte eating;\ninit { eating = 1 }\nltl p { [](eating => 0) }",
        expect![[r#"
        error[P0201]: there is no `=>` in Promela
           3 | ltl p { [](eating => 0) }
             |                   ^^ not in Promela
          = help: write `->` for an implication, `>=` for "at least"
    "#]],
    );
    check(
        "byte eating;\ninit { eating = 1 }\nltl p { eating == 0 => <> (eating == 1) }",
        expect![[r#"
        error[P0201]: there is no `=>` in Promela
           3 | ltl p { eating == 0 => <> (eating == 1) }
             |                     ^^ not in Promela
          = help: write `->` for an implication, `>=` for "at least"
    "#]],
    );
    check(
        "byte eating;\ninit { if :: eating => 1 -> skip :: else fi }",
        expect![[r#"
        error[P0201]: there is no `=>` in Promela
           2 | init { if :: eating => 1 -> skip :: else fi }
             |                     ^^ not in Promela
          = help: write `->` for an implication, `>=` for "at least"
    "#]],
    );
}

#[test]
fn an_operator_of_branching_time() {
    check(
        "byte eating;\ninit { eating = 1 }\nltl p { AG eating }",
        expect![[r#"
        error[P0216]: `AG` is an operator of CTL
           3 | ltl p { AG eating }
             |         ^^ formulas of Promela models are LTL
          = help: for all runs, LTL has `[]`: write `[] p` for `AG p`
    "#]],
    );
    check(
        "byte eating;\ninit { eating = 1 }\nltl p { AG (eating == 0 -> EF !eating) }",
        expect![[r#"
        error[P0216]: `AG` is an operator of CTL
           3 | ltl p { AG (eating == 0 -> EF !eating) }
             |         ^^ formulas of Promela models are LTL
          = help: for all runs, LTL has `[]`: write `[] p` for `AG p`
        error[P0216]: `EF` is an operator of CTL
           3 | ltl p { AG (eating == 0 -> EF !eating) }
             |                            ^^ formulas of Promela models are LTL
          = help: LTL is about all runs: check the negation, `[] !p` for `EF p`; a violation is a run that shows `EF p`
    "#]],
    );
    // A variable of that name is a variable.
    check("byte AG;\ninit { AG = 1 }\nltl p { <> AG && (AG -> <> (AG == 1)) }", expect![""]);
}

#[test]
fn more_symbols_than_a_byte_has_values() {
    let list = |count: usize, letter: char| (0..count).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(", ");
    let set = |name: &str, count: usize, letter: char| format!("mtype{name} = {{ {} }}\n", list(count, letter));
    let model = |sets: &str| format!("{sets}init {{ skip }}");
    assert_eq!(findings(&model(&set("", 255, 'a'))), "");
    assert_eq!(findings(&model(&(set(":x", 200, 'a') + &set(":y", 200, 'b')))), "");
    for sets in [set("", 300, 'a'), set("", 200, 'a') + &set("", 100, 'b'), set(":x", 256, 'a')] {
        let told = findings(&model(&sets));
        assert_eq!(told.matches("P0421").count(), 1, "{told}");
    }
}
