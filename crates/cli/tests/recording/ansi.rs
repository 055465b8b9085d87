//! Terminal text: lines of characters, each with the style that ANSI escape sequences give it.

/// The styles that the tool uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Style {
    /// The default colour.
    #[default]
    Plain,
    /// Bold text in the default colour.
    Bold,
    /// Faint text.
    Faint,
    /// Bold green text.
    Green,
    /// Bold red text.
    Red,
    /// Bold yellow text.
    Yellow,
}

/// A line: styled characters from left to right.
pub(crate) type Line = Vec<(char, Style)>;

/// Reads terminal text. Only the sequences `ESC [ … m` may occur.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let mut style = Style::Plain;
    let mut lines = vec![Line::new()];
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '\x1b' => {
                let sequence: String = rest.by_ref().take_while(|c| *c != 'm').collect();
                style = parameters(&sequence);
            }
            '\n' => lines.push(Line::new()),
            _ => lines.last_mut().expect("there is a current line").push((character, style)),
        }
    }
    lines
}

/// The style that a sequence selects, given what stands between `ESC` and `m`.
fn parameters(sequence: &str) -> Style {
    match sequence {
        "[0" | "[" => Style::Plain,
        "[1" => Style::Bold,
        "[2" => Style::Faint,
        "[1;31" => Style::Red,
        "[1;32" => Style::Green,
        "[1;33" => Style::Yellow,
        unknown => panic!("the recording does not know the escape sequence {unknown:?}"),
    }
}

/// Breaks lines that are wider than the terminal at the last space that fits, as a reader would.
pub(crate) fn wrapped(lines: Vec<Line>, columns: usize) -> Vec<Line> {
    let mut broken = Vec::new();
    for mut line in lines {
        while line.len() > columns {
            let at = line[..columns].iter().rposition(|(c, _)| *c == ' ').filter(|at| *at > 0).unwrap_or(columns);
            let rest = line.split_off(at);
            broken.push(line);
            line = "  ".chars().map(|c| (c, Style::Plain)).collect();
            line.extend(rest.into_iter().skip_while(|(c, _)| *c == ' '));
        }
        broken.push(line);
    }
    broken
}
