//! Whether a formatted text says the same: the same tokens and comments, and the same compiled model.

use crate::pieces::Kind;
use crate::{Language, layout, promela, smv};
use checker::{Error, Model};

/// Why a text is not formatted.
#[derive(Debug)]
pub enum Refusal {
    /// The text is not accepted as a model, so that nothing can be compared.
    Rejected(Error),
    /// The result would not say the same: a bug of the formatter.
    Differs(&'static str),
}

/// Formats a text, and proves that the result says the same. `read` reads a text as a model.
///
/// # Errors
/// What is wrong with the text, or how the result would differ.
pub fn formatted(
    language: Language,
    text: &str,
    read: &dyn Fn(&str) -> Result<Model, Error>,
) -> Result<String, Refusal> {
    let before = read(text).map_err(Refusal::Rejected)?;
    let result = layout(language, text);
    if result == text {
        return Ok(result);
    }
    if layout(language, &result) != result {
        return Err(Refusal::Differs("it changes when it is formatted again"));
    }
    if content(language, text) != content(language, &result) {
        return Err(Refusal::Differs("its tokens or comments are others"));
    }
    let after = read(&result).map_err(|_| Refusal::Differs("it is no model"))?;
    match meaning(before) == meaning(after) {
        true => Ok(result),
        false => Err(Refusal::Differs("its model is another")),
    }
}

/// What must not change: each token, comment and preprocessor line without the blanks at its edges, and which of them begin a line.
#[must_use]
pub fn content(language: Language, text: &str) -> Vec<(String, bool)> {
    let pieces = match language {
        Language::Promela => promela::pieces(text),
        Language::Smv => smv::pieces(text),
    };
    let word = |kind: Kind, text: &str| match kind {
        Kind::Comment | Kind::Verbatim => text.lines().map(str::trim).collect::<Vec<_>>().join("\n"),
        Kind::Directive => text.replace("\r\n", "\n"),
        _ => text.to_owned(),
    };
    // What the text begins with begins a line, whatever is before it.
    let begins = |number: usize, breaks: usize| number == 0 || breaks > 0;
    pieces
        .iter()
        .enumerate()
        .map(|(number, piece)| (word(piece.kind, piece.text), begins(number, piece.breaks)))
        .collect()
}

/// A compiled model as text, without positions.
#[must_use]
pub fn meaning(model: Model) -> String {
    let text = match model.language() {
        Language::Promela => model.into_promela().map(|input| {
            let program = &input.program;
            let (symbols, records, globals) = (&program.symbols, &program.records, &program.globals);
            let (processes, formulas, statements) = (&program.procs, &program.ltl, &program.statements);
            format!("{symbols:?}{records:?}{globals:?}{processes:?}{formulas:?}{statements:?}{:?}", program.uses)
        }),
        Language::Smv => model.into_smv().map(|input| {
            let mut model = (*input.model).clone();
            // Tables of formulas are not ordered: a formula is compared by its text with all parentheses, and by its atoms.
            let properties = std::mem::take(&mut model.properties).into_iter().map(|one| {
                let atoms = one.question.atoms();
                (one.name, one.section, one.text, one.nusmv_text, one.instance, one.after_parts, atoms)
            });
            let properties: Vec<_> = properties.collect();
            format!("{model:?}{properties:?}")
        }),
    };
    placeless(&text.unwrap_or_default())
}

/// A text of `Debug` in which each `Span { … }` is left out.
fn placeless(text: &str) -> String {
    let mut parts = text.split("Span { ");
    let mut rest = parts.next().unwrap_or("").to_owned();
    for part in parts {
        rest.push_str(part.split_once(" }").map_or("", |(_, after)| after));
    }
    rest
}
