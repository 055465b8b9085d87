//! Ordinary mistakes, and what a user is told about them. The texts are what a person reads: to
//! change one on purpose, run the test with `UPDATE_EXPECT=1` and read the difference.
//!
//! A long file: one table of many small cases.

mod support;

use expect_test::{Expect, expect};
use support::findings;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text));
}

#[test]
fn missing_fi() {
    let text = "byte x;\nactive proctype P() {\n  if\n  :: x == 0 -> x = 1\n  :: else -> skip\n  x = 2\n}";
    check(
        text,
        expect![[r#"
        error[P0203]: expected `fi`, found `}`
           7 | }
             | ^ `fi` is missing before this
           3 |   if
             |   -- to close this `if`
    "#]],
    );
}

#[test]
fn missing_od() {
    let text =
        "byte x;\nactive proctype P() {\n  do\n  :: x < 3 -> x++\n  :: else -> break\n}\nactive proctype Q() { x = 0 }";
    check(
        text,
        expect![[r#"
        error[P0203]: expected `od`, found `}`
           6 | }
             | ^ `od` is missing before this
           3 |   do
             |   -- to close this `do`
    "#]],
    );
}

#[test]
fn fi_for_od() {
    let text = "byte x;\ninit {\n  do\n  :: x < 3 -> x++\n  :: else -> break\n  fi;\n  x = 0\n}";
    check(
        text,
        expect![[r#"
        error[P0203]: expected `od`, found `fi`
           6 |   fi;
             |   ^^ `od` is missing before this
           3 |   do
             |   -- to close this `do`
    "#]],
    );
}

#[test]
fn missing_brace() {
    let text = "byte x;\nactive proctype P() {\n  atomic {\n    x = 1;\n    x = 2\n}\nactive proctype Q() { x = 3 }";
    check(
        text,
        expect![[r#"
        error[P0203]: expected `}`, found `active`
           7 | active proctype Q() { x = 3 }
             | ^^^^^^ `}` is missing before this
           2 | active proctype P() {
             |                     - to close this `{`
    "#]],
    );
}

#[test]
fn missing_bracket() {
    let text = "byte x, y;\ninit {\n  if\n  :: (x == 0 && (y == 1) -> x = 1\n  :: else\n  fi\n}";
    check(
        text,
        expect![[r#"
        error[P0203]: this bracket is not closed before `->`
           4 |   :: (x == 0 && (y == 1) -> x = 1
             |      ^ `)` is missing for this
           4 |   :: (x == 0 && (y == 1) -> x = 1
             |                             - read as a part of it
          = help: close the bracket before `->`; a conditional expression has the form `(c -> a : b)`
    "#]],
    );
}

#[test]
fn misspelt_variable() {
    let text = "byte counter;\ninit { conter = counter + 1 }";
    check(
        text,
        expect![[r#"
        error[P0301]: `conter` is not declared
           2 | init { conter = counter + 1 }
             |        ^^^^^^ not found in this scope
          = help: did you mean `counter`?
    "#]],
    );
}

#[test]
fn undeclared_macro() {
    let text = "byte x;\ninit {\n  do\n  :: x < LIMIT -> x++\n  :: else -> break\n  od\n}";
    check(
        text,
        expect![[r#"
        error[P0301]: `LIMIT` is not declared
           4 |   :: x < LIMIT -> x++
             |          ^^^^^ not found in this scope
          = help: if `LIMIT` is meant to be a macro, write `#define LIMIT …`; if a symbol, declare it with `mtype`
    "#]],
    );
}

#[test]
fn misspelt_inline() {
    let text = "byte x;\ninline increment(v) { v++ }\ninit { incremnt(x) }";
    check(
        text,
        expect![[r#"
        error[P0308]: there is no inline or macro `incremnt`
           3 | init { incremnt(x) }
             |        ^^^^^^^^ called here
          = help: did you mean `increment`?
    "#]],
    );
}

#[test]
fn inline_arguments() {
    let text = "byte x;\ninline add(v, w) { v = v + w }\ninit { add(x) }";
    check(
        text,
        expect![[r#"
        error[P0210]: inline `add` takes 2 arguments but gets 1
           3 | init { add(x) }
             |        ^^^ called here
           2 | inline add(v, w) { v = v + w }
             |        --- defined here
    "#]],
    );
}

#[test]
fn macro_arguments() {
    let text = "#define MAX(a, b) (a > b -> a : b)\nbyte x;\ninit { x = MAX(1) }";
    check(
        text,
        expect![[r#"
        error[P0108]: macro `MAX` takes 2 arguments but gets 1
           3 | init { x = MAX(1) }
             |            ^^^ used here
           1 | #define MAX(a, b) (a > b -> a : b)
             |         --- defined here
    "#]],
    );
}

#[test]
fn message_fields() {
    let text = "mtype = { REQ, ACK };\nchan link = [2] of { mtype, byte };\ninit { link!REQ,1,2 }";
    check(
        text,
        expect![[r#"
            error[P0404]: a message of 3 fields is sent on a channel whose messages have 2 fields
               3 | init { link!REQ,1,2 }
                 |        ^^^^ 3 here, 2 declared
               2 | chan link = [2] of { mtype, byte };
                 |      ---- declared here with 2
        "#]],
    );
}

#[test]
fn message_fields_received() {
    let text = "mtype = { REQ, ACK };\nchan link = [2] of { mtype, byte };\nbyte x;\ninit { link?REQ,x,x }";
    check(
        text,
        expect![[r#"
            warning[P0404]: a message of 3 fields is received on a channel whose messages have 2 fields
               4 | init { link?REQ,x,x }
                 |        ^^^^ 3 here, 2 declared
               2 | chan link = [2] of { mtype, byte };
                 |      ---- declared here with 2
        "#]],
    );
}

#[test]
fn run_arguments() {
    let text = "proctype P(byte id; chan c) { skip }\ninit { run P(1) }";
    check(
        text,
        expect![[r#"
        error[P0405]: proctype `P` takes 2 arguments but gets 1
           2 | init { run P(1) }
             |        ^^^^^^^^ started here
           1 | proctype P(byte id; chan c) { skip }
             | ---------- defined here
    "#]],
    );
}

#[test]
fn unknown_proctype() {
    let text = "proctype Client() { skip }\ninit { run Clinet() }";
    check(
        text,
        expect![[r#"
        error[P0303]: there is no proctype `Clinet`
           2 | init { run Clinet() }
             |            ^^^^^^ not defined
          = help: did you mean `Client`?
    "#]],
    );
}

#[test]
fn run_forgotten() {
    let text = "proctype Client() { skip }\ninit { Client() }";
    check(
        text,
        expect![[r#"
        error[P0308]: there is no inline or macro `Client`
           2 | init { Client() }
             |        ^^^^^^ called here
          = help: to start a process, write `run Client(…)`
    "#]],
    );
}

#[test]
fn declared_twice() {
    let text = "byte x;\nbool x;\ninit { x = 1 }";
    check(
        text,
        expect![[r#"
        error[P0302]: `x` is declared twice
           2 | bool x;
             |      ^ second declaration
           1 | byte x;
             |      - first declaration
          = help: rename one of them
    "#]],
    );
}

#[test]
fn unknown_label() {
    let text = "byte x;\ninit {\nagain: x++;\n  goto agian\n}";
    check(
        text,
        expect![[r#"
        error[P0306]: there is no label `agian` in `init`
           4 |   goto agian
             |        ^^^^^ not found
          = help: did you mean `again`?
    "#]],
    );
}

#[test]
fn label_twice() {
    let text = "byte x;\ninit {\nagain: x++;\nagain: x--;\n  goto again\n}";
    check(
        text,
        expect![[r#"
        error[P0307]: label `again` stands twice in one block
           4 | again: x--;
             | ^^^^^ second one
           3 | again: x++;
             | ----- first one
          = help: rename one of them
    "#]],
    );
}

#[test]
fn goto_into_d_step() {
    let text = "byte x;\ninit {\n  d_step { x = 1; inside: x = 2 };\n  goto inside\n}";
    check(
        text,
        expect![[r#"
        error[P0504]: a jump into a `d_step`
           4 |   goto inside
             |        ^^^^^^ jumps from here
           3 |   d_step { x = 1; inside: x = 2 };
             |                   ------ to here
          = note: a `d_step` is one step: it begins at its first statement and ends after its last
          = help: use `atomic` instead of `d_step`
    "#]],
    );
}

#[test]
fn break_outside() {
    let text = "byte x;\ninit { x = 1; break }";
    check(
        text,
        expect![[r#"
        error[P0503]: `break` outside of `do`
           2 | init { x = 1; break }
             |               ^^^^^ there is no loop to leave
    "#]],
    );
}

#[test]
fn assign_to_symbol() {
    let text = "mtype = { RED, GREEN };\nmtype light = RED;\ninit { RED = light }";
    check(
        text,
        expect![[r#"
        error[P0412]: `RED` cannot be assigned
           3 | init { RED = light }
             |        ^^^ it is a constant or predefined
    "#]],
    );
}

#[test]
fn single_equals() {
    let text = "byte x, y;\ninit {\n  if\n  :: x + 1 = 2 -> y = 1\n  fi\n}";
    check(
        text,
        expect![[r#"
        error[P0215]: an assignment needs a variable on its left side
           4 |   :: x + 1 = 2 -> y = 1
             |      ^^^^^ not a variable
          = help: to compare, write `==`
    "#]],
    );
}

#[test]
fn missing_separator() {
    let text = "byte x;\ninit { x = 1 x = 2 }";
    check(
        text,
        expect![[r#"
        error[P0202]: a separator is missing between two statements
           2 | init { x = 1 x = 2 }
             |              ^ this begins another statement
           2 | init { x = 1 x = 2 }
             |            - the first one ends here
          = help: write `;` or `->` between them, or begin a new line
    "#]],
    );
}

#[test]
fn array_without_index() {
    let text = "byte a[3], x;\ninit { x = a }";
    check(
        text,
        expect![[r#"
        error[P0419]: array `a` is used without an index
           2 | init { x = a }
             |            ^ which element?
          = help: write `a[0]` for the first one
    "#]],
    );
}

#[test]
fn index_on_scalar() {
    let text = "byte x;\ninit { x[1] = 2 }";
    check(
        text,
        expect![[r#"
        error[P0406]: `x` is not an array
           2 | init { x[1] = 2 }
             |        ^^^^ has an index
          = help: remove the index, or declare it as an array
    "#]],
    );
}

#[test]
fn negative_size() {
    let text = "byte a[-3];\ninit { a[0] = 1 }";
    check(
        text,
        expect![[r#"
        error[P0402]: array `a` cannot have -3 elements
           1 | byte a[-3];
             |        ^^ must be at least 1
    "#]],
    );
}

#[test]
fn unknown_field() {
    let text = "typedef Point { byte row; byte column };\nPoint p;\ninit { p.colum = 1 }";
    check(
        text,
        expect![[r#"
        error[P0305]: record `Point` has no field `colum`
           3 | init { p.colum = 1 }
             |          ^^^^^ no such field
           1 | typedef Point { byte row; byte column };
             |         ----- the record
          = help: did you mean `column`?
    "#]],
    );
}

#[test]
fn not_a_channel() {
    let text = "byte c;\ninit { c!1 }";
    check(
        text,
        expect![[r#"
        error[P0403]: this is not a channel
           2 | init { c!1 }
             |        ^ a variable of type `chan` is required
          = help: declare it as `chan`
    "#]],
    );
}

#[test]
fn chan_created_late() {
    let text = "byte x;\ninit { x = 1; chan c = [1] of { byte }; c!x }";
    check(
        text,
        expect![[r#"
        error[P0410]: a channel cannot be created here
           2 | init { x = 1; chan c = [1] of { byte }; c!x }
             |                        ^^^^^^^^^^^^^^^ after the first statement, or inside a block
          = help: move the declaration to the start of the process definition
    "#]],
    );
}

#[test]
fn keyword_as_name() {
    let text = "byte timeout;\ninit { skip }";
    check(
        text,
        expect![[r#"
        error[P0207]: `timeout` is a keyword
           1 | byte timeout;
             |      ^^^^^^^ expected a name
          = help: choose another name
    "#]],
    );
}

#[test]
fn two_elses() {
    let text = "byte x;\ninit {\n  if\n  :: x -> skip\n  :: else -> x = 1\n  :: else -> x = 2\n  fi\n}";
    check(
        text,
        expect![[r#"
        error[P0502]: a second `else` in one choice
           6 |   :: else -> x = 2
             |      ^^^^ second `else`
           5 |   :: else -> x = 1
             |      ---- first `else`
    "#]],
    );
}

#[test]
fn unknown_type() {
    let text = "typdef Point { byte row };\ninit { skip }";
    check(
        text,
        expect![[r#"
            error[P0201]: `typdef` begins no part of a model
               1 | typdef Point { byte row };
                 | ^^^^^^ not a word of Promela
              = help: did you mean `typedef`?
        "#]],
    );
}

#[test]
fn c_code() {
    let text = "byte x;\ninit { c_code { now.x = 1; }; x = 2 }";
    check(
        text,
        expect![[r#"
        error[P0205]: `c_code`: embedded C is not supported
           2 | init { c_code { now.x = 1; }; x = 2 }
             |        ^^^^^^ C code cannot be checked
          = note: Lariat executes Promela itself and runs no C compiler
          = help: express the step in Promela, for instance with `d_step`
    "#]],
    );
}

#[test]
fn unterminated_string() {
    let text = "init { printf(\"hello);\n  skip\n}";
    check(
        text,
        expect![[r#"
        error[P0002]: this string is not closed on its line
           1 | init { printf("hello);
             |               ^^^^^^^^ opened here
          = help: close it with `"`
    "#]],
    );
}

#[test]
fn mistake_in_macro() {
    let text = "#define SET(v) v = unknwon\nbyte x, unknown;\ninit { SET(x) }";
    check(
        text,
        expect![[r#"
        error[P0301]: `unknwon` is not declared
           1 | #define SET(v) v = unknwon
             |                    ^^^^^^^ not found in this scope
          = through `SET` at 3:8
          = help: did you mean `unknown`?
    "#]],
    );
}

#[test]
fn unterminated_if() {
    let text = "#ifdef DEBUG\nbyte x;\ninit { skip }";
    check(
        text,
        expect![[r#"
        error[P0103]: this conditional has no `#endif`
           1 | #ifdef DEBUG
             |  ^^^^^ opened here
          = help: add `#endif` where the conditional text ends
    "#]],
    );
}

#[test]
fn unknown_directive() {
    let text = "#incldue \"a.h\"\ninit { skip }";
    check(
        text,
        expect![[r#"
        error[P0101]: there is no directive `#incldue`
           1 | #incldue "a.h"
             |  ^^^^^^^ not known
          = help: did you mean `#include`?
    "#]],
    );
}

#[test]
fn formula() {
    let text = "byte x;\ninit { x = 1 }\nltl p { [] (x >= 0 &&) }";
    check(
        text,
        expect![[r#"
        error[P0214]: expected an expression, found `)`
           3 | ltl p { [] (x >= 0 &&) }
             |                      ^ no expression begins like this
    "#]],
    );
}

#[test]
fn several() {
    let text = "byte x;\ninit {\n  y = 1;\n  x = z;\n  if\n  :: x -> goto nowhere\n  fi;\n  run Q()\n}";
    check(
        text,
        expect![[r#"
        error[P0301]: `y` is not declared
           3 |   y = 1;
             |   ^ not found in this scope
          = help: declare it, for instance `byte y;`
        error[P0301]: `z` is not declared
           4 |   x = z;
             |       ^ not found in this scope
          = help: declare it, for instance `byte z;`
        error[P0306]: there is no label `nowhere` in `init`
           6 |   :: x -> goto nowhere
             |                ^^^^^^^ not found
          = help: write `nowhere:` before the statement to jump to
        error[P0303]: there is no proctype `Q`
           8 |   run Q()
             |       ^ not defined
          = help: define it with `proctype Q() { … }`
    "#]],
    );
}

#[test]
fn circular_jump() {
    let text = "init {\nend: goto end\n}";
    check(
        text,
        expect![[r#"
        error[P0508]: jumps lead from here back to here
           2 | end: goto end
             | ^^^ nothing is ever done at `end`
          = help: write `skip` before the jump if the process is to do nothing forever
    "#]],
    );
}

#[test]
fn warning_truncation() {
    let text = "byte x = 300;\nbit b;\ninit { b = 2; x = 1 }";
    check(
        text,
        expect![[r#"
        warning[P0601]: 300 does not fit: the value will be truncated
           1 | byte x = 300;
             |          ^^^ the variable holds 0 to 255
          = help: use a wider type
        warning[P0601]: 2 does not fit: the value will be truncated
           3 | init { b = 2; x = 1 }
             |            ^ the variable holds 0 to 1
          = help: use a wider type
    "#]],
    );
}

#[test]
fn warning_unreachable() {
    let text = "byte x;\ninit {\n  do\n  :: x++\n  od;\n  x = 0\n}";
    check(
        text,
        expect![[r#"
        warning[P0602]: this statement can never be reached
           6 |   x = 0
             |   ^^^^^ what comes before never goes on to it
          = help: remove it, or put a label before it
    "#]],
    );
}

#[test]
fn warning_unused() {
    let text = "byte x, never_named;\ninit { x = 1 }";
    check(
        text,
        expect![[r#"
        warning[P0603]: variable `never_named` is never used
           1 | byte x, never_named;
             |         ^^^^^^^^^^^ declared here
          = help: remove it: every variable makes every state larger
    "#]],
    );
}

#[test]
fn warning_else_beside_receive() {
    let text = "chan c = [1] of { byte };\nbyte x;\ninit {\n  if\n  :: c?x\n  :: else -> skip\n  fi\n}";
    check(
        text,
        expect![[r#"
        warning[P0604]: `else` beside a channel operation
           6 |   :: else -> skip
             |      ^^^^ chosen whenever the operation would have to wait
           5 |   :: c?x
             |      --- this operation
          = note: the other process may be just about to make it possible
          = help: test the channel instead, with `c?[…]` or `full(c)`, or leave out the `else`
    "#]],
    );
}

#[test]
fn warning_blocking_d_step() {
    let text = "chan c = [1] of { byte };\nbyte x;\ninit { d_step { x = 1; c!x } }";
    check(
        text,
        expect![[r#"
        warning[P0605]: this may have to wait inside a `d_step`
           3 | init { d_step { x = 1; c!x } }
             |                        ^^^ an error at run time if it does
           3 | init { d_step { x = 1; c!x } }
             |        ------ the `d_step`
          = help: only the first statement of a `d_step` may wait; use `atomic`, or add an `else`
    "#]],
    );
}

#[test]
fn warning_shadowing() {
    let text = "byte x;\ninit { byte x; x = 1 }";
    check(
        text,
        expect![[r#"
        warning[P0606]: `x` hides another declaration
           2 | init { byte x; x = 1 }
             |             ^ this one counts from here on
           1 | byte x;
             |      - the other one
        warning[P0603]: variable `x` is never used
           1 | byte x;
             |      ^ declared here
          = help: remove it: every variable makes every state larger
    "#]],
    );
}

#[test]
fn warning_line_split() {
    let text = "byte x, y;\ninit {\n  x = y\n    - 1\n}";
    check(
        text,
        expect![[r#"
        warning[P0607]: this line begins a new statement
           4 |     - 1
             |     ^ `-` does not continue the line before
           3 |   x = y
             |       - the statement before ends here
          = help: put the operator at the end of the line before, or the whole in brackets
    "#]],
    );
}

#[test]
fn warning_formula_precedence() {
    let text = "byte x;\ninit { x = 1 }\nltl p { <> x == 1 }";
    check(
        text,
        expect![[r#"
        warning[P0608]: this operator applies to the whole comparison
           3 | ltl p { <> x == 1 }
             |         ^^ SPIN applies it to the first operand only
           3 | ltl p { <> x == 1 }
             |            ------ to all of this
          = help: put the comparison in brackets, so that every tool reads the same
    "#]],
    );
}

#[test]
fn warning_redefined_macro() {
    let text = "#define N 1\n#define N 2\nbyte x;\ninit { x = N }";
    check(
        text,
        expect![[r#"
        warning[P0110]: macro `N` is defined again
           2 | #define N 2
             |         ^ this definition counts from here on
           1 | #define N 1
             |         - first defined here
          = help: write `#undef` before it if that is meant
    "#]],
    );
}

#[test]
fn wrong_set() {
    let text = "mtype = { ON, OFF };\nmtype:colour = { RED, GREEN };\nmtype:colour c;\ninit { c = ON }";
    check(
        text,
        expect![[r#"
        error[P0420]: `ON` is a symbol of the plain `mtype`, not of `mtype:colour`
           4 | init { c = ON }
             |            ^^ a symbol of `mtype:colour` is required
           1 | mtype = { ON, OFF };
             |           -- declared here
    "#]],
    );
}

#[test]
fn mistake_in_inline_in_macro() {
    let text = "#define TWICE(a) a = a * tow\nbyte x, two;\ninline twice(v) {\n  TWICE(v)\n}\ninit { twice(x) }";
    check(
        text,
        expect![[r#"
        error[P0301]: `tow` is not declared
           1 | #define TWICE(a) a = a * tow
             |                          ^^^ not found in this scope
          = through `TWICE` at 4:3
          = through `twice` at 6:8
          = help: did you mean `two`?
    "#]],
    );
}

#[test]
fn division_by_zero_in_a_size() {
    let text = "byte wide[1 << 33];\nbyte none[4 / (2 - 2)];\ninit { wide[1] = none[0] }";
    check(
        text,
        expect![[r#"
        error[P0401]: the size of an array must be a constant
           2 | byte none[4 / (2 - 2)];
             |           ^^^^^^^^^^^ has no value
           2 | byte none[4 / (2 - 2)];
             |               ------- divides by zero
    "#]],
    );
}
