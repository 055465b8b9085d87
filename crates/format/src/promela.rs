//! Promela: its pieces, its nesting, and the blanks between its tokens.
//!
//! Where a token has several meanings that only the syntax tells apart (`!` and `?`, `:`, `<>`), the author's choice between one
//! blank and none stays.

use crate::indent::Nesting;
use crate::pieces::{Collector, Comments, Kind, Line, Piece, closing_bracket};
use crate::render::{Gap, Shape};
use kernel::budget::Budget;
use kernel::span::FileId;
use promela::lex::{Spellings, TokenKind, lex};

const COMMENTS: Comments = Comments { line: "//", block: ("/*", "*/"), splices: true };

/// Operators that need a blank on both sides if they stand between operands.
const BINARY: &[&str] = &[
    "=", "==", "!=", "<=", ">=", "<", ">", "<<", ">>", "&&", "||", "&", "|", "^", "+", "-", "*", "/", "%", "<->",
    "/\\", "\\/", "-->",
];
/// Words that are no operands: what follows them begins an expression, statement or formula.
const NO_OPERANDS: &[&str] = &[
    "else",
    "do",
    "if",
    "fi",
    "od",
    "of",
    "in",
    "goto",
    "run",
    "atomic",
    "d_step",
    "unless",
    "U",
    "V",
    "W",
    "R",
    "M",
    "X",
    "until",
    "release",
    "weakuntil",
    "always",
    "eventually",
    "implies",
    "equivalent",
    "next",
    "assert",
    "ltl",
];

/// The pieces of a text.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (tokens, _) = lex(text, FileId(0), &mut Spellings::default(), &Budget::unlimited());
    let mut collector = Collector::new(text, COMMENTS);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (from, mut to) = (token.span.lo as usize, token.span.hi as usize);
        at += 1;
        let mut kind = match token.kind {
            TokenKind::Word => Kind::Word,
            TokenKind::Number | TokenKind::Char | TokenKind::Text => Kind::Constant,
            TokenKind::Punct => Kind::Symbol,
            TokenKind::OpenText | TokenKind::Other | TokenKind::End => Kind::Odd,
        };
        if token.fresh && token.is("#") {
            kind = Kind::Directive;
            while let Some(further) = tokens.get(at).filter(|further| !further.fresh) {
                to = further.span.hi as usize;
                at += 1;
            }
        }
        collector.token(kind, from, to);
    }
    collector.finish()
}

/// What closes that which a piece opens.
fn closes(piece: &Piece<'_>) -> Option<&'static str> {
    match piece.text {
        _ if !matches!(piece.kind, Kind::Word | Kind::Symbol) => None,
        "do" => Some("od"),
        "if" => Some("fi"),
        other => closing_bracket(other),
    }
}

fn is_closing(piece: &Piece<'_>) -> bool {
    piece.is_in(&["}", ")", "]", "od", "fi"])
}

/// The depth of each line and the blanks in it.
pub(crate) fn shape(lines: &[Line<'_>]) -> Vec<Shape> {
    let mut nesting = Nesting::default();
    // What was open before each `#if`: its branches begin with the same.
    let mut conditions: Vec<Nesting> = Vec::new();
    let mut last: Option<Piece<'_>> = None;
    let mut shapes = Vec::new();
    for line in lines {
        let depth = depth(line, &mut nesting.clone(), last.as_ref());
        let mut is_option = false;
        for piece in &line.pieces {
            if piece.kind == Kind::Directive {
                branch(piece.text, &mut nesting, &mut conditions);
            } else if let Some(close) = closes(piece) {
                let is_list = close == "}" && last.is_some_and(|last| last.is_in(&["=", "of"]));
                nesting.open(close, depth + usize::from(is_option), is_list);
            } else if is_closing(piece) {
                nesting.close(piece.text);
            } else if piece.is("::") {
                is_option = true;
            }
            if piece.is_code() {
                last = Some(*piece);
            }
        }
        shapes.push(Shape { depth, gaps: gaps(&line.pieces) });
    }
    shapes
}

/// A conditional preprocessor line: each branch begins with what was open before the first one.
fn branch(directive: &str, nesting: &mut Nesting, conditions: &mut Vec<Nesting>) {
    let word = directive.trim_start_matches('#').trim_start();
    if word.starts_with("if") {
        conditions.push(nesting.clone());
    } else if word.starts_with("el") {
        if let Some(before) = conditions.last() {
            *nesting = before.clone();
        }
    } else if word.starts_with("endif") {
        conditions.pop();
    }
}

/// The depth of a line, given what is open before it.
fn depth(line: &Line<'_>, nesting: &mut Nesting, last: Option<&Piece<'_>>) -> usize {
    let mut code = line.pieces.iter().filter(|piece| piece.kind != Kind::Comment).peekable();
    // A line that begins by closing something has the depth of what opened it.
    let mut closed = None;
    while let Some(piece) = code.next_if(|piece| is_closing(piece)) {
        closed = nesting.close(piece.text).or(closed);
    }
    if let Some(closed) = closed {
        return closed.base;
    }
    let first = code.peek();
    match nesting.top() {
        Some(frame) if matches!(frame.close, "od" | "fi") && first.is_some_and(|piece| piece.is("::")) => frame.base,
        Some(frame) if matches!(frame.close, ")" | "]") || frame.is_list => frame.base + 1,
        frame => {
            let continues = last.is_some_and(|last| last.is(",") || last.is_in(BINARY))
                || first.is_some_and(|first| first.is(",") || first.is_in(BINARY) && !first.is("-"));
            frame.map_or(0, |frame| frame.base + 1) + usize::from(continues)
        }
    }
}

/// Whether an operand of an expression can end with this piece.
fn is_operand(piece: &Piece<'_>) -> bool {
    match piece.kind {
        Kind::Word => !NO_OPERANDS.contains(&piece.text),
        Kind::Constant => true,
        _ => piece.is_in(&[")", "]", "++", "--"]),
    }
}

/// What stands before each piece of a line but the first.
fn gaps(pieces: &[Piece<'_>]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    // `?<` opens a receive that leaves its message; the next `>` closes it.
    let mut peeks = false;
    // The brackets that are open on this line: a colon inside them ends no label.
    let mut depth = 0_i32;
    // Whether the piece on the left is an operator between operands, and whether it is the colon of a label.
    let (mut is_binary, mut is_label) = (false, false);
    for at in 1..pieces.len() {
        let (left, right) = (&pieces[at - 1], &pieces[at]);
        depth += i32::from(left.is_in(&["(", "["])) - i32::from(left.is_in(&[")", "]"]));
        let opens_peek = right.is("<") && left.is_in(&["?", "??"]);
        let closes_peek = peeks && right.is(">");
        let right_is_binary = right.is_in(BINARY) && is_operand(left) && !opens_peek && !closes_peek;
        let begins = at < 2 || pieces[at - 2].is_in(&[";", "{", "}", "->", "::", ":"]);
        let right_is_label = right.is(":") && left.kind == Kind::Word && begins && depth == 0 && !left.is("mtype");
        let gap = match () {
            () if left.kind == Kind::Verbatim || right.kind == Kind::Verbatim => Gap::None,
            () if opens_peek || closes_peek || (peeks && left.is("<")) => Gap::None,
            () if is_binary || right_is_binary => Gap::One,
            () if right_is_label => Gap::None,
            () if is_label => Gap::One,
            () => gap(left, right),
        };
        gaps.push(gap);
        peeks = opens_peek || (peeks && !closes_peek);
        (is_binary, is_label) = (right_is_binary, right_is_label);
    }
    gaps
}

/// What stands between two pieces that are no operators between operands.
fn gap(left: &Piece<'_>, right: &Piece<'_>) -> Gap {
    let either = |text: &str| left.is(text) || right.is(text);
    match () {
        () if left.kind == Kind::Comment || right.kind == Kind::Comment => Gap::Author,
        () if right.is_in(&[";", ",", ")", "]"]) || left.is_in(&["(", "["]) => Gap::None,
        () if left.is_in(&[";", ","]) => Gap::One,
        () if either(".") || either("@") => Gap::None,
        () if left.is("{") && right.is("}") => Gap::None,
        () if either("{") || either("}") || either("::") || either("->") || either("..") => Gap::One,
        () if right.is_in(&["++", "--"]) && is_operand(left) => Gap::None,
        () => Gap::Author,
    }
}
