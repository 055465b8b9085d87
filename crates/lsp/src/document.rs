//! A text that an editor changes, and places in it: bytes here, lines and UTF-16 units in the protocol.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// A text with the starts of its lines.
#[derive(Clone, Debug, Default)]
pub struct Document {
    text: String,
    lines: Vec<usize>,
    /// For each character outside of ASCII: the byte after it, and by how much bytes exceed UTF-16 units up to there.
    excess: Vec<(usize, usize)>,
}

impl Document {
    /// A document with this text.
    #[must_use]
    pub fn new(text: String) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut sum = 0;
        let wide = text.char_indices().filter(|(_, c)| !c.is_ascii());
        let excess = wide.map(|(at, c)| {
            sum += c.len_utf8() - c.len_utf16();
            (at + c.len_utf8(), sum)
        });
        let excess = excess.collect();
        Self { text, lines, excess }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte at a position; positions beyond the end of a line or of the text mean that end.
    #[must_use]
    pub fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.lines.get(position.line as usize) else { return self.text.len() };
        let line = self.text[start..].split('\n').next().unwrap_or("");
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= position.character {
                return start + at;
            }
            units += c.len_utf16() as u32;
        }
        start + line.len()
    }

    /// The position of a byte.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line];
        let units = offset - start - (self.excess_before(offset) - self.excess_before(start));
        Position::new(line as u32, units as u32)
    }

    /// By how much bytes exceed UTF-16 units before a byte.
    fn excess_before(&self, offset: usize) -> usize {
        let after = self.excess.partition_point(|(end, _)| *end <= offset);
        after.checked_sub(1).map_or(0, |last| self.excess[last].1)
    }

    /// The range of some bytes.
    #[must_use]
    pub fn range(&self, bytes: &std::ops::Range<usize>) -> Range {
        Range::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// Applies a change.
    pub fn change(&mut self, change: TextDocumentContentChangeEvent) {
        let text = match change.range {
            None => change.text,
            Some(range) => {
                let from = self.offset(range.start);
                let to = self.offset(range.end).max(from);
                let mut text = std::mem::take(&mut self.text);
                text.replace_range(from..to, &change.text);
                text
            }
        };
        *self = Self::new(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_units() {
        let document = Document::new("a\u{1f600}b\r\n\u{e9}x".into());
        assert_eq!(document.position(5), Position::new(0, 3));
        assert_eq!(document.offset(Position::new(0, 3)), 5);
        assert_eq!(document.offset(Position::new(0, 99)), 6, "before the line end");
        assert_eq!(document.offset(Position::new(1, 1)), 10);
        assert_eq!(document.offset(Position::new(7, 0)), document.text().len());
        // Between the two characters of a line end there is no position.
        for at in (0..document.text().len()).filter(|at| *at != 7) {
            let position = document.position(at);
            assert_eq!(document.position(document.offset(position)), position);
        }
    }

    #[test]
    fn changes_replace_ranges() {
        let mut document = Document::new("byte x;\nbyte y;\n".into());
        let range = Range::new(Position::new(0, 5), Position::new(1, 5));
        document.change(TextDocumentContentChangeEvent {
            range: Some(range),
            range_length: None,
            text: "z; int ".into(),
        });
        assert_eq!(document.text(), "byte z; int y;\n");
        document.change(TextDocumentContentChangeEvent { range: None, range_length: None, text: String::new() });
        assert_eq!(document.text(), "");
    }
}
