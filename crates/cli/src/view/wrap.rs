//! Long lines, broken at spaces.

pub(crate) use crate::thresholds::output::SENTENCE;

/// Breaks a line at spaces so that no part is wider than `width`, where words allow it. The parts after the first are
/// indented. Without a width the line stays whole.
pub(crate) fn wrapped(line: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width.filter(|width| columns(line) > *width) else { return line.into() };
    let least = indent + 10;
    let mut text = String::new();
    let mut column = 0;
    // Spaces at the beginning and between columns are kept.
    for word in line.split_inclusive(' ') {
        let visible = columns(word.trim_end());
        if column > indent && column + visible > width.max(least) {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        text.push_str(word);
        column += columns(word);
    }
    text.truncate(text.trim_end_matches(' ').len());
    text
}

/// The columns that a text takes on a terminal, without the sequences that colour it.
pub(crate) fn columns(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let first = parts.next().map_or(0, |part| part.chars().count());
    let coloured = parts.map(|part| part.split_once('m').map_or(0, |(_, rest)| rest.chars().count()));
    first + coloured.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrapped("one two three four five", Some(13), 2), "one two three\n  four five");
        assert_eq!(wrapped("one two", None, 2), "one two");
        assert_eq!(wrapped("  name        violated: it", Some(20), 4), "  name\n    violated: it");
        assert_eq!(wrapped("a \x1b[1;31mred\x1b[0m b", Some(7), 0), "a \x1b[1;31mred\x1b[0m b");
        assert_eq!(wrapped("unbreakableunbreakable x", Some(13), 0), "unbreakableunbreakable\nx");
    }
}
