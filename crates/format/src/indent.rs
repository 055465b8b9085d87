//! Nesting: what is open at the start of a line, and how deep the line is for it.

/// What opens and closes a nested part.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The word or symbol that closes it.
    pub(crate) close: &'static str,
    /// The depth of the line in which it was opened; the closing line has it too.
    pub(crate) base: usize,
    /// Whether it lists values, rather than statements.
    pub(crate) is_list: bool,
}

/// All that is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nesting {
    frames: Vec<Frame>,
}

impl Nesting {
    pub(crate) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(crate) fn open(&mut self, close: &'static str, base: usize, is_list: bool) {
        self.frames.push(Frame { close, base, is_list });
    }

    /// Closes the innermost part that this text closes, with all that was left open in it.
    pub(crate) fn close(&mut self, text: &str) -> Option<Frame> {
        let at = self.frames.iter().rposition(|frame| frame.close == text)?;
        let frame = self.frames[at].clone();
        self.frames.truncate(at);
        Some(frame)
    }
}
