//! Where something stands: files, byte ranges, and the uses of macros and inlines a range came through.

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// One use of a macro or of an inline, recorded in a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

/// A byte range of a file, and the innermost expansion that put it into the program.
///
/// `lo..hi` always lies where the text was *spelt*: for a token out of a macro's body, inside the
/// macro's definition. [`SourceMap::expansion`] of `via` then tells where the macro was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
    /// The expansion that this text came through, if any.
    pub via: Option<ExpansionId>,
}

impl Span {
    /// A range of a file, not inside any expansion.
    #[must_use]
    pub fn new(file: FileId, lo: u32, hi: u32) -> Self {
        Self { file, lo, hi, via: None }
    }

    /// The smallest range that covers both, where both lie in one file and one expansion;
    /// otherwise `self`.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        if self.file == end.file && self.via == end.via {
            Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi), ..self }
        } else {
            self
        }
    }
}

/// What put a text into the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The use of a macro, by its body: a person reads the use.
    Macro,
    /// The call of an inline, by its body: a person reads the body.
    Inline,
    /// A parameter in the body of an inline, by an argument: a person reads the body.
    Parameter,
}

/// One use of a macro, an inline or a parameter.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What was replaced.
    pub what: Replaced,
    /// The name of the macro, inline or parameter.
    pub name: String,
    /// Where it was used (possibly itself inside an expansion).
    pub used: Span,
    /// Where it was defined; for a parameter, the argument as the call has it.
    pub defined: Span,
}

#[derive(Clone, Debug)]
struct File {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    included: Option<Span>,
}

/// All texts of one run, and the expansions that happened in them.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<File>,
    expansions: Vec<Expansion>,
}

impl SourceMap {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a name; `included` is the directive that asked for it, if any.
    pub fn add_file(&mut self, name: impl Into<String>, text: impl Into<String>, included: Option<Span>) -> FileId {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| to_u32(i + 1)))
            .collect();
        self.files.push(File { name: name.into(), text, line_starts, included });
        FileId(to_u32(self.files.len() - 1))
    }

    /// Records one use of a macro.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(to_u32(self.expansions.len() - 1))
    }

    /// The expansion behind an id.
    #[must_use]
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id.0 as usize]
    }

    /// The name a file was added under.
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].name
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].text
    }

    /// The directive that included a file, if any.
    #[must_use]
    pub fn included(&self, file: FileId) -> Option<Span> {
        self.files[file.0 as usize].included
    }

    /// All files in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..to_u32(self.files.len())).map(FileId)
    }

    /// The text that a span covers, where it was spelt.
    #[must_use]
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.lo as usize..span.hi as usize).unwrap_or("")
    }

    /// The place where a person reads a span: the outermost use of the macros it came through, inside the body of the
    /// innermost inline, if it came through any.
    #[must_use]
    pub fn place(&self, mut span: Span) -> Span {
        while let Some(id) = span.via {
            let expansion = self.expansion(id);
            if expansion.what == Replaced::Inline {
                break;
            }
            span = expansion.used;
        }
        span
    }

    /// The expansions that lie between where a span was spelt and the text outside of all macros and inlines, innermost
    /// first. An argument was spelt at the call already.
    #[must_use]
    pub fn expansions_of(&self, span: Span) -> Vec<&Expansion> {
        let mut chain = Vec::new();
        let mut at = span;
        while let Some(id) = at.via {
            let expansion = self.expansion(id);
            if expansion.what == Replaced::Parameter {
                at = expansion.defined;
            } else {
                chain.push(expansion);
                at = expansion.used;
            }
        }
        chain
    }

    /// Line and column (both from 1, the column in characters) of the [place](Self::place) of a span.
    #[must_use]
    pub fn line_column(&self, span: Span) -> (u32, u32) {
        let span = self.place(span);
        let file = &self.files[span.file.0 as usize];
        let line = file.line_starts.partition_point(|start| *start <= span.lo) - 1;
        let start = file.line_starts[line] as usize;
        let before = file.text.get(start..span.lo as usize).unwrap_or("");
        (to_u32(line + 1), to_u32(before.chars().count() + 1))
    }
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).expect("a source text is smaller than 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_inside_a_macro_is_reported_at_its_use() {
        let mut map = SourceMap::new();
        let file = map.add_file("m.pml", "#define N 3\nbyte x = N;\n", None);
        let body = Span::new(file, 10, 11);
        let used = Span::new(file, 21, 22);
        let id = map.add_expansion(Expansion { what: Replaced::Macro, name: "N".into(), used, defined: body });
        let token = Span { via: Some(id), ..body };
        assert_eq!(map.snippet(token), "3");
        assert_eq!(map.line_column(token), (2, 10));
        assert_eq!(map.expansions_of(token).len(), 1);
    }

    #[test]
    fn a_span_inside_an_inline_is_reported_in_its_body() {
        let mut map = SourceMap::new();
        let file = map.add_file("m.pml", "inline f(a) { a = 1 }\ninit {\n f(x)\n}\n", None);
        let (call, defined) = (Span::new(file, 30, 31), Span::new(file, 7, 8));
        let inline = map.add_expansion(Expansion { what: Replaced::Inline, name: "f".into(), used: call, defined });
        let number = Span { via: Some(inline), ..Span::new(file, 18, 19) };
        assert_eq!(map.line_column(number), (1, 19));
        assert_eq!(map.expansions_of(number).len(), 1);
        let used = Span { via: Some(inline), ..Span::new(file, 14, 15) };
        let argument = Span::new(file, 32, 33);
        let what = Replaced::Parameter;
        let parameter = map.add_expansion(Expansion { what, name: "a".into(), used, defined: argument });
        let argument = Span { via: Some(parameter), ..argument };
        assert_eq!(map.snippet(argument), "x");
        assert_eq!(map.line_column(argument), (1, 15), "the parameter in the body");
        assert!(map.expansions_of(argument).is_empty(), "spelt at the call");
    }
}
