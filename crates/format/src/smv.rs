//! SMV: its pieces, its nesting, and the blanks between its tokens.
//!
//! A name may contain `-`, so blanks around a minus are never removed. Sections begin at the margin, their content one level deeper,
//! and lines that continue a statement one level more.

use crate::indent::Nesting;
use crate::pieces::{Collector, Comments, Kind, Line, Piece, closing_bracket};
use crate::render::{Gap, Shape};
use kernel::budget::Budget;
use kernel::span::FileId;
use smv::lex::{SECTIONS, TokenKind, lex};

const COMMENTS: Comments = Comments { line: "--", block: ("/--", "--/"), splices: false };

/// Operators that need a blank on both sides if they stand between operands.
const BINARY: &[&str] = &[
    ":=", "=", "!=", "<=", ">=", "<", ">", "&", "|", "->", "<->", "+", "-", "*", "/", "?", "::", "<<", ">>", "&&",
    "||", "==",
];
/// Keywords that are operands.
const OPERANDS: &[&str] = &["TRUE", "FALSE", "self", "esac", "boolean"];

/// The pieces of a text.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut collector = Collector::new(text, COMMENTS);
    let (tokens, _) = lex(FileId(0), text, &Budget::unlimited()).unwrap_or_default();
    for token in tokens {
        let kind = match token.kind {
            TokenKind::Identifier | TokenKind::Keyword => Kind::Word,
            TokenKind::Number | TokenKind::WordConstant => Kind::Constant,
            TokenKind::Symbol => Kind::Symbol,
            TokenKind::End => break,
        };
        collector.token(kind, token.span.lo as usize, token.span.hi as usize);
    }
    collector.finish()
}

fn closes(piece: &Piece<'_>) -> Option<&'static str> {
    match piece.text {
        _ if !matches!(piece.kind, Kind::Word | Kind::Symbol) => None,
        "case" => Some("esac"),
        other => closing_bracket(other),
    }
}

fn is_closing(piece: &Piece<'_>) -> bool {
    piece.is_in(&["}", ")", "]", "esac"])
}

/// The depth of each line and the blanks in it.
pub(crate) fn shape(lines: &[Line<'_>]) -> Vec<Shape> {
    let mut nesting = Nesting::default();
    // The depth of statements, and whether one has begun on an earlier line and is not over.
    let (mut content, mut continues) = (0, false);
    let mut shapes = Vec::new();
    for line in lines {
        let mut code = line.pieces.iter().filter(|piece| piece.is_code()).peekable();
        let begins = nesting.is_empty() && code.peek().is_some_and(|piece| piece.is_in(SECTIONS));
        let depth = if begins { 0 } else { depth(line, &nesting, content, continues) };
        for piece in code {
            if nesting.is_empty() && piece.is_in(SECTIONS) {
                // What stands on the line of the section itself is not continued: the next lines are its content.
                (content, continues) = (usize::from(!piece.is("MODULE")), false);
                continue;
            }
            if let Some(close) = closes(piece) {
                nesting.open(close, depth, close == "}");
            } else if is_closing(piece) {
                nesting.close(piece.text);
            }
            continues = if piece.is(";") || piece.is("case") { false } else { !begins || !nesting.is_empty() };
        }
        if nesting.is_empty() && begins {
            continues = false;
        }
        shapes.push(Shape { depth, gaps: gaps(&line.pieces) });
    }
    shapes
}

/// The depth of a line that does not begin a section.
fn depth(line: &Line<'_>, nesting: &Nesting, content: usize, continues: bool) -> usize {
    let mut nesting = nesting.clone();
    let mut code = line.pieces.iter().filter(|piece| piece.is_code()).peekable();
    let mut closed = None;
    while let Some(piece) = code.next_if(|piece| is_closing(piece)) {
        closed = nesting.close(piece.text).or(closed);
    }
    if let Some(closed) = closed {
        return closed.base;
    }
    // A comment of its own line stands with what follows it, which is rarely the rest of a statement.
    let continues = continues && code.peek().is_some();
    match nesting.top() {
        Some(frame) if frame.close != "esac" => frame.base + 1,
        Some(frame) => frame.base + 1 + usize::from(continues),
        None => content + usize::from(continues),
    }
}

fn is_operand(piece: &Piece<'_>) -> bool {
    match piece.kind {
        Kind::Word => smv::lex::KEYWORDS.binary_search(&piece.text).is_err() || OPERANDS.contains(&piece.text),
        Kind::Constant => true,
        _ => piece.is_in(&[")", "]", "}"]),
    }
}

/// What stands before each piece of a line but the first.
fn gaps(pieces: &[Piece<'_>]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut is_binary = false;
    // The brackets that are open on this line: `[7:4]` selects bits.
    let mut open: Vec<&str> = Vec::new();
    for at in 1..pieces.len() {
        let (left, right) = (&pieces[at - 1], &pieces[at]);
        if left.is_in(&["(", "[", "{"]) {
            open.push(left.text);
        } else if left.is_in(&[")", "]", "}"]) {
            open.pop();
        }
        let selects = open.last() == Some(&"[");
        let right_is_binary = right.is_in(BINARY) && is_operand(left) || right.is(":") && !selects;
        let is_kept = left.kind == Kind::Verbatim || right.kind == Kind::Verbatim;
        gaps.push(match is_binary || right_is_binary {
            _ if is_kept => Gap::None,
            true => Gap::One,
            false => gap(left, right),
        });
        is_binary = right_is_binary;
    }
    gaps
}

/// What stands between two pieces that are no operators between operands.
fn gap(left: &Piece<'_>, right: &Piece<'_>) -> Gap {
    match () {
        () if left.kind == Kind::Comment || right.kind == Kind::Comment => Gap::Author,
        () if right.is_in(&[";", ",", ")", "]", "}"]) || left.is_in(&["(", "[", "{"]) => Gap::None,
        () if left.is_in(&[";", ","]) => Gap::One,
        () if left.is(".") || right.is(".") => Gap::None,
        () => Gap::Author,
    }
}
