//! Never claims: Büchi automata as Promela processes, in both styles of SPIN [holzmann.03.spin].
//!
//! Read: `never { … }` with labels, `if`/`do`, `goto`, `break`, `else`, `skip`, guards, `assert`, `atomic`, which is what
//! translators write. A control location is a state; it is accepting if a label on it begins with `accept`. Where the
//! process ends, SPIN reports a match for every continuation: the end is an accepting state with a loop; and so it is where an
//! assertion fails. Guards are Boolean formulas whose propositions are kept as text. The variables and statements of a
//! full claim are a matter for the reader of models.
//!
//! Written: `if … fi` with a `goto` in every option ([`Style::If`]) or `do … od` in which staying needs no `goto`
//! ([`Style::Do`]); only automata with at most one acceptance set, on states.
//!
//! Tested by: round trips of random automata in both styles, and claims as SPIN writes them (`tests/automaton_text.rs`).

mod lex;
mod location;
mod read;
mod write;

pub use read::read;
pub use write::{NoClaim, Style, write};
