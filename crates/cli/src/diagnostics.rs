//! Diagnostics as text: the lines they are about, with carets, and the macro uses they came through.

use crate::thresholds::output::EXPANSIONS_SHOWN;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{FileId, SourceMap, Span};
use std::ops::Range;

/// Renders diagnostics one after the other.
pub(crate) fn render(sources: &SourceMap, diagnostics: &[Diagnostic], is_coloured: bool) -> String {
    let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&renderer.render(&groups(sources, diagnostic)));
        text.push_str("\n\n");
    }
    text
}

fn groups<'a>(sources: &'a SourceMap, diagnostic: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut group = title.elements(snippets(sources, diagnostic));
    let notes = expansions(sources, diagnostic.primary.span).into_iter();
    for note in notes.chain(inclusions(sources, diagnostic.primary.span)).chain(diagnostic.notes.iter().cloned()) {
        group = group.element(Level::NOTE.message(note));
    }
    for hint in &diagnostic.hints {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    vec![group]
}

/// One snippet per file, the primary place's file first.
fn snippets<'a>(
    sources: &'a SourceMap,
    diagnostic: &'a Diagnostic,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let mut places = vec![(diagnostic.primary.span, AnnotationKind::Primary, diagnostic.primary.text.clone())];
    let uses = sources.expansions_of(diagnostic.primary.span);
    if let Some(outermost) = uses.last() {
        places.push((outermost.used, AnnotationKind::Context, format!("in expansion of `{}`", outermost.name)));
    }
    for label in &diagnostic.secondary {
        places.push((label.span, AnnotationKind::Context, label.text.clone()));
    }
    let mut files: Vec<FileId> = Vec::new();
    for (span, _, _) in &places {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    let snippet = |file: FileId| {
        let annotations = places.iter().filter(|(span, _, _)| span.file == file).map(|(span, kind, text)| {
            let annotation = kind.span(range(sources, *span));
            if text.is_empty() { annotation } else { annotation.label(text.clone()) }
        });
        Snippet::source(sources.text(file)).path(sources.name(file)).annotations(annotations)
    };
    files.into_iter().map(snippet).collect()
}

/// The bytes of a span, made to lie inside the text and on character boundaries.
fn range(sources: &SourceMap, span: Span) -> Range<usize> {
    let text = sources.text(span.file);
    let (mut lo, mut hi) = ((span.lo as usize).min(text.len()), (span.hi as usize).min(text.len()));
    while !text.is_char_boundary(lo) {
        lo -= 1;
    }
    while !text.is_char_boundary(hi) {
        hi += 1;
    }
    lo..hi.max(lo)
}

/// The uses between the innermost and the outermost, in words.
fn expansions(sources: &SourceMap, span: Span) -> Vec<String> {
    let uses = sources.expansions_of(span);
    let Some((_, inner)) = uses.split_last() else { return Vec::new() };
    let mut notes = Vec::new();
    for (index, expansion) in inner.iter().enumerate() {
        let left_out = inner.len().saturating_sub(EXPANSIONS_SHOWN);
        if left_out > 0 && index == EXPANSIONS_SHOWN / 2 {
            notes.push(format!("({left_out} more expansions)"));
        }
        if index < EXPANSIONS_SHOWN / 2 || index >= EXPANSIONS_SHOWN / 2 + left_out {
            let place = place(sources, Span { via: None, ..expansion.used });
            notes.push(format!("in expansion of `{}` at {place}", expansion.name));
        }
    }
    notes
}

fn inclusions(sources: &SourceMap, span: Span) -> Vec<String> {
    let mut notes = Vec::new();
    let mut file = sources.place(span).file;
    while let Some(directive) = sources.included(file) {
        notes.push(format!("`{}` is included from {}", sources.name(file), place(sources, directive)));
        file = directive.file;
        if notes.len() > EXPANSIONS_SHOWN {
            break;
        }
    }
    notes
}

/// `file:line:column` of a span.
pub(crate) fn place(sources: &SourceMap, span: Span) -> String {
    let (line, column) = sources.line_column(span);
    format!("{}:{line}:{column}", sources.name(sources.place(span).file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use kernel::span::{Expansion, Replaced};

    fn check(sources: &SourceMap, diagnostic: Diagnostic, expected: Expect) {
        expected.assert_eq(&render(sources, &[diagnostic], false));
    }

    #[test]
    fn a_place_a_second_place_and_a_hint() {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", "byte count;\ninit {\n  cuont = 1\n}\n", None);
        let diagnostic = Diagnostic::error("P0301", Span::new(file, 21, 26), "no variable `cuont` in scope")
            .here("not declared")
            .label(Span::new(file, 5, 10), "this is")
            .note("names are case-sensitive")
            .hint("did you mean `count`?");
        check(
            &sources,
            diagnostic,
            expect![[r#"
            error[P0301]: no variable `cuont` in scope
             --> m.pml:3:3
              |
            1 | byte count;
              |      ----- this is
            2 | init {
            3 |   cuont = 1
              |   ^^^^^ not declared
              |
              = note: names are case-sensitive
              = help: did you mean `count`?

        "#]],
        );
    }

    #[test]
    fn a_place_inside_a_macro_in_an_included_file() {
        let mut sources = SourceMap::new();
        let main = sources.add_file("m.pml", "#include \"a.h\"\ninit { BAD }\n", None);
        let header = sources.add_file("a.h", "#define WORSE x = é\n#define BAD WORSE\n", Some(Span::new(main, 0, 14)));
        let bad = Expansion {
            what: Replaced::Macro,
            name: "BAD".into(),
            used: Span::new(main, 22, 25),
            defined: Span::new(header, 29, 32),
        };
        let bad = sources.add_expansion(bad);
        let used = Span { via: Some(bad), ..Span::new(header, 33, 38) };
        let worse = Expansion { what: Replaced::Macro, name: "WORSE".into(), used, defined: Span::new(header, 8, 13) };
        let worse = sources.add_expansion(worse);
        let span = Span { via: Some(worse), ..Span::new(header, 18, 20) };
        check(
            &sources,
            Diagnostic::error("P0004", span, "a stray character"),
            expect![[r#"
            error[P0004]: a stray character
             --> a.h:1:19
              |
            1 | #define WORSE x = é
              |                   ^
              |
             ::: m.pml:2:8
              |
            2 | init { BAD }
              |        --- in expansion of `BAD`
              |
              = note: in expansion of `WORSE` at a.h:2:13

        "#]],
        );
    }

    #[test]
    fn places_outside_of_the_text_do_no_harm() {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", "é", None);
        for (lo, hi) in [(0, 0), (1, 1), (0, 1), (2, 2), (5, 9), (2, 1)] {
            let text = render(&sources, &[Diagnostic::warning("P0001", Span::new(file, lo, hi), "odd")], true);
            assert!(text.contains("odd"));
        }
    }
}
