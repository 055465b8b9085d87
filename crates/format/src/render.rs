//! Lines of output.
//!
//! Comments behind code stay aligned if the author aligned them: consecutive lines whose comments begin at one column get them at
//! one column again, one blank behind the longest code. Formatting twice changes nothing: groups that happen to meet at one column
//! join without moving.

use crate::pieces::{Kind, Line, Piece, width};

/// The depth of one level, in blanks.
const STEP: usize = 4;

/// What stands between two pieces of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    None,
    One,
    /// One blank if there is white space in the text, and none otherwise.
    Author,
}

/// How a line is written.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The levels before it.
    pub(crate) depth: usize,
    /// What stands before each piece but the first.
    pub(crate) gaps: Vec<Gap>,
}

/// The text of all lines.
pub(crate) fn render(original: &str, lines: &[Line<'_>], shapes: &[Shape]) -> String {
    let heads: Vec<String> = lines.iter().zip(shapes).map(|(line, shape)| head(line, shape)).collect();
    let columns = columns(lines, shapes, &heads);
    let mut text = String::new();
    if original.starts_with('\u{feff}') {
        text.push('\u{feff}');
    }
    for ((line, head), column) in lines.iter().zip(&heads).zip(columns) {
        if line.apart {
            text.push('\n');
        }
        text.push_str(head);
        if let (Some(column), Some(comment)) = (column, last_comment(line)) {
            text.push_str(&" ".repeat(column.saturating_sub(end(head))));
            text.push_str(&shifted(comment, column));
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    let is_dos = original.find('\n').is_some_and(|at| original[..at].ends_with('\r'));
    let text = text.replace("\r\n", "\n");
    if is_dos { text.replace('\n', "\r\n") } else { text }
}

/// The comment at the end of a line, if one is there.
fn last_comment<'l, 't>(line: &'l Line<'t>) -> Option<&'l Piece<'t>> {
    line.pieces.last().filter(|piece| piece.kind == Kind::Comment)
}

/// The column at which a text ends.
fn end(text: &str) -> usize {
    width(0, &text[text.rfind('\n').map_or(0, |at| at + 1)..])
}

/// A line without the comment at its end.
fn head(line: &Line<'_>, shape: &Shape) -> String {
    let mut text = String::new();
    let count = line.pieces.len() - usize::from(last_comment(line).is_some());
    for (index, piece) in line.pieces[..count].iter().enumerate() {
        match index.checked_sub(1).map(|before| shape.gaps[before]) {
            None if matches!(piece.kind, Kind::Directive | Kind::Verbatim) => {}
            None => text.push_str(&" ".repeat(shape.depth * STEP)),
            Some(Gap::One) => text.push(' '),
            Some(Gap::Author) if piece.spaced => text.push(' '),
            Some(_) => {}
        }
        match piece.kind {
            Kind::Comment => text.push_str(&shifted(piece, end(&text))),
            _ => text.push_str(piece.text),
        }
    }
    text
}

/// The column of the comment at the end of each line that has one.
fn columns(lines: &[Line<'_>], shapes: &[Shape], heads: &[String]) -> Vec<Option<usize>> {
    let mut columns = vec![None; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let Some(first) = last_comment(&lines[at]) else {
            at += 1;
            continue;
        };
        if lines[at].pieces.len() == 1 {
            columns[at] = Some(shapes[at].depth * STEP);
            at += 1;
            continue;
        }
        // The comments of the next lines that begin below this one, with or without code before them.
        let belongs =
            |line: &Line<'_>| !line.apart && last_comment(line).is_some_and(|comment| comment.column == first.column);
        let count = 1 + lines[at + 1..].iter().take_while(|line| belongs(line)).count();
        let column = (at..at + count).filter(|&line| lines[line].pieces.len() > 1).map(|line| {
            let glued = heads[line].is_empty() || heads[line].ends_with('\n');
            end(&heads[line]) + usize::from(!glued)
        });
        let column = column.max().unwrap_or(0);
        columns[at..at + count].fill(Some(column));
        at += count;
    }
    columns
}

/// A comment that begins at a column; its further lines move with the first one.
fn shifted(comment: &Piece<'_>, column: usize) -> String {
    let mut lines = comment.text.split('\n');
    let mut text = trimmed(lines.next().unwrap_or(""));
    for line in lines {
        text.push('\n');
        let inside = line.trim_start_matches([' ', '\t']);
        if inside.trim().is_empty() {
            continue;
        }
        let old = width(0, &line[..line.len() - inside.len()]);
        text.push_str(&" ".repeat((old + column).saturating_sub(comment.column)));
        text.push_str(&trimmed(inside));
    }
    text
}

/// A line without blanks at its end. A backslash there would join it with the next line, so one blank stays behind it.
fn trimmed(line: &str) -> String {
    let short = line.trim_end();
    let keeps = short.ends_with('\\') && !line.trim_end_matches('\r').ends_with('\\');
    format!("{short}{}", if keeps { " " } else { "" })
}
