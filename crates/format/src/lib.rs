//! The formatter: indentation and blanks; line breaks, comments and preprocessor lines stay as the author wrote them.
//!
//! Modules in reading order: `pieces` (a text as tokens and comments in lines), `indent` (nesting), then the rules of each
//! language, `promela` and `smv`, `render` (lines of output, with comments behind code aligned) and [`verify`] (the same model).
//!
//! Contract: [`layout`] accepts any text, changes white space only, and gives the same text when applied again. [`formatted`]
//! checks all of this on each text, and compares the compiled models.
//!
//! *Why the author's line breaks stay.* A Promela model is text for a preprocessor first: a macro may hold half a statement, so
//! that no syntax tree covers the text that the author sees. Tokens and lines always do.
//!
//! Tested by the tables in `tests/format.rs`, on all shipped models, and on a corpus by the program `format` in `benches`.

mod indent;
mod pieces;
mod promela;
mod render;
mod smv;
pub mod verify;

pub use checker::report::Language;
pub use verify::{Refusal, formatted};

/// A text with regular indentation and blanks.
///
/// ```
/// use format::{Language, layout};
///
/// let text = "active proctype P( ){ do\n::x<3->x=x+1 // up\n::else->break\nod }";
/// let expected = "active proctype P() { do\n:: x < 3 -> x = x + 1 // up\n:: else -> break\nod }\n";
/// assert_eq!(layout(Language::Promela, text), expected);
/// ```
#[must_use]
pub fn layout(language: Language, text: &str) -> String {
    let pieces = match language {
        Language::Promela => promela::pieces(text),
        Language::Smv => smv::pieces(text),
    };
    let lines = pieces::lines(pieces);
    let shaped = match language {
        Language::Promela => promela::shape(&lines),
        Language::Smv => smv::shape(&lines),
    };
    render::render(text, &lines, &shaped)
}
