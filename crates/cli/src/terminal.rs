//! What the standard streams are: whether to colour, and how.

use crate::arguments::Colour;
use kernel::escape::escaped;
use std::fmt::Display;
use std::io::IsTerminal;

/// Whether output and messages are coloured, and how wide they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub(crate) colours_output: bool,
    pub(crate) colours_messages: bool,
    pub(crate) shows_progress: bool,
    /// The width that the output is broken at: that of the terminal, or that of `COLUMNS`; none in a pipe.
    pub(crate) width: Option<usize>,
}

impl Terminal {
    /// Looks at the streams and the environment.
    pub(crate) fn detect(colour: Colour) -> Self {
        let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let decide = |is_terminal: bool| match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => is_terminal && is_wanted,
        };
        Self {
            colours_output: decide(std::io::stdout().is_terminal()),
            colours_messages: decide(std::io::stderr().is_terminal()),
            shows_progress: std::io::stderr().is_terminal(),
            width: width(),
        }
    }
}

/// The number of columns of the output. The variable `COLUMNS` decides, so that a script can break lines, too.
fn width() -> Option<usize> {
    let wanted = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    wanted.or_else(|| terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0)))
}

/// The ways in which a piece of text can stand out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    /// Good news.
    Good,
    /// Bad news.
    Bad,
    /// Neither.
    Open,
    /// Of little weight.
    Faint,
}

/// Puts a style around a text, if colours are wanted. The text may be of foreign origin.
pub(crate) fn styled(is_coloured: bool, style: Style, text: impl Display) -> String {
    let text = escaped(&text.to_string()).into_owned();
    if !is_coloured {
        return text;
    }
    let code = match style {
        Style::Good => "1;32",
        Style::Bad => "1;31",
        Style::Open => "1;33",
        Style::Faint => "2",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}
