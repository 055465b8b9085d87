//! A text as pieces: tokens, comments and preprocessor lines, each with the white space before it.

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Word,
    /// A number, character or string.
    Constant,
    /// An operator or bracket.
    Symbol,
    Comment,
    /// A preprocessor line with the lines that continue it.
    Directive,
    /// Text between tokens that is neither white space nor a comment; it stays as it is, with the white space around it.
    Verbatim,
    /// A token that means nothing.
    Odd,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    /// The line ends before it.
    pub(crate) breaks: usize,
    /// Whether white space comes before it.
    pub(crate) spaced: bool,
    /// The column at which it begins, from 0.
    pub(crate) column: usize,
}

impl Piece<'_> {
    /// Whether this is the given word or symbol.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && self.text == text
    }

    /// Whether this is one of the given words or symbols.
    pub(crate) fn is_in(&self, texts: &[&str]) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && texts.contains(&self.text)
    }

    /// Whether it is a part of the program, and no comment.
    pub(crate) fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Constant | Kind::Symbol)
    }
}

/// A line: pieces, the first of which begins it.
#[derive(Debug)]
pub(crate) struct Line<'t> {
    pub(crate) pieces: Vec<Piece<'t>>,
    /// Whether the author left lines empty before it.
    pub(crate) apart: bool,
}

/// How a language writes comments.
#[derive(Clone, Copy)]
pub(crate) struct Comments {
    /// What begins a comment that ends with its line.
    pub(crate) line: &'static str,
    /// What begins and ends a comment that may have several lines; recognised before the other.
    pub(crate) block: (&'static str, &'static str),
    /// Whether a backslash before a line end continues a comment.
    pub(crate) splices: bool,
}

/// Tokens, as byte ranges, with what lies between them.
pub(crate) struct Collector<'t> {
    text: &'t str,
    comments: Comments,
    at: usize,
    /// Where the last piece ends.
    done: usize,
    /// Where the last piece begins, as a byte and as a column.
    begin: (usize, usize),
    breaks: usize,
    spaced: bool,
    pieces: Vec<Piece<'t>>,
}

impl<'t> Collector<'t> {
    pub(crate) fn new(text: &'t str, comments: Comments) -> Self {
        let at = text.len() - text.trim_start_matches('\u{feff}').len();
        Self { text, comments, at, done: at, begin: (0, 0), breaks: 0, spaced: false, pieces: Vec::new() }
    }

    /// Adds a token, after the comments before it.
    pub(crate) fn token(&mut self, kind: Kind, from: usize, to: usize) {
        self.between(from);
        self.push(kind, from, to);
    }

    /// All pieces, with the comments after the last token.
    pub(crate) fn finish(mut self) -> Vec<Piece<'t>> {
        self.between(self.text.len());
        self.pieces
    }

    fn push(&mut self, kind: Kind, from: usize, to: usize) {
        let (breaks, spaced) = (std::mem::take(&mut self.breaks), std::mem::take(&mut self.spaced));
        // Counted on from the last piece, since a line may be long.
        let passed = &self.text[self.begin.0..from];
        let column = match passed.rfind('\n') {
            Some(end) => width(0, &passed[end + 1..]),
            None => width(self.begin.1, passed),
        };
        self.begin = (from, column);
        self.pieces.push(Piece { kind, text: &self.text[from..to], breaks, spaced, column });
        (self.at, self.done) = (to, to);
    }

    /// Takes the text up to a byte: white space, comments, or something else that is kept.
    fn between(&mut self, end: usize) {
        while self.at < end {
            let rest = &self.text[self.at..end];
            let blanks = rest.len() - rest.trim_start().len();
            if blanks > 0 {
                self.breaks += rest[..blanks].matches('\n').count();
                self.spaced = true;
                self.at += blanks;
            } else if let Some(length) = self.comment(rest) {
                self.push(Kind::Comment, self.at, self.at + length);
            } else {
                return self.verbatim(end);
            }
        }
    }

    /// Keeps everything from the last piece up to a byte.
    fn verbatim(&mut self, end: usize) {
        (self.breaks, self.spaced) = (0, false);
        self.push(Kind::Verbatim, self.done, end);
    }

    /// The length of the comment at the start of a text.
    fn comment(&self, rest: &str) -> Option<usize> {
        let Comments { line, block: (open, close), splices } = self.comments;
        if let Some(inside) = rest.strip_prefix(open) {
            return Some(inside.find(close).map_or(rest.len(), |at| open.len() + at + close.len()));
        }
        rest.starts_with(line).then(|| {
            let mut length = 0;
            for one in rest.split_inclusive('\n') {
                length += one.len();
                if !(splices && one.trim_end_matches(['\n', '\r']).ends_with('\\')) {
                    break;
                }
            }
            rest[..length].trim_end_matches(['\n', '\r']).len()
        })
    }
}

/// The bracket that closes what a bracket opens.
pub(crate) fn closing_bracket(opening: &str) -> Option<&'static str> {
    match opening {
        "{" => Some("}"),
        "(" => Some(")"),
        "[" => Some("]"),
        _ => None,
    }
}

/// The column after a text that begins at a column; tabulators go to multiples of eight.
pub(crate) fn width(from: usize, text: &str) -> usize {
    text.chars().fold(from, |column, c| match c {
        '\n' => 0,
        '\t' => (column / 8 + 1) * 8,
        '\u{feff}' | '\r' => column,
        _ => column + 1,
    })
}

/// Pieces in lines.
pub(crate) fn lines(pieces: Vec<Piece<'_>>) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if piece.breaks == 0 => line.pieces.push(piece),
            last => {
                let apart = last.is_some() && piece.breaks > 1;
                lines.push(Line { pieces: vec![piece], apart });
            }
        }
    }
    lines
}
