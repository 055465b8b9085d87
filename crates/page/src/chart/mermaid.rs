//! Charts in the language of Mermaid, which code hosts and wikis draw.
//!
//! Mermaid has no arrows between two moments: a message that waits in its channel is drawn where it is received, and its
//! send is a note. Characters that Mermaid interprets are written as entity codes.

use super::{Arrow, Block, Chart};
use std::fmt::Write;

impl Chart {
    /// The chart as the text of a `sequenceDiagram`.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = String::from("sequenceDiagram\n");
        let blocks = self.blocks_for_mermaid();
        for (index, line) in self.lines.iter().enumerate() {
            // Processes that start later are created where they start.
            if line.starts.is_none() {
                let _ = writeln!(out, "    participant p{index} as {}", safe(&line.name));
            }
        }
        for (index, row) in self.rows.iter().enumerate() {
            if self.repeats == Some(index) {
                out.push_str("    loop repeats forever\n");
            }
            for block in blocks.iter().filter(|block| block.first == index) {
                let _ = writeln!(out, "    rect rgb(128, 128, 128, 0.2)\n    Note over p{}: atomic", block.line);
            }
            self.mermaid_row(&mut out, index, row.line, &row.label);
            blocks.iter().filter(|block| block.last == index).for_each(|_| out.push_str("    end\n"));
        }
        if self.repeats.is_some() {
            out.push_str("    end\n");
        }
        for (line, statements) in &self.waiting {
            let _ = writeln!(out, "    Note over p{line}: waits: {}", safe(statements));
        }
        out
    }

    /// The atomic sequences of more than one row. One that reaches into the loop is cut there, since blocks must nest.
    fn blocks_for_mermaid(&self) -> Vec<Block> {
        let parts = self.blocks.iter().flat_map(|block| match self.repeats {
            Some(start) if block.first < start && start <= block.last => {
                vec![Block { last: start - 1, ..*block }, Block { first: start, ..*block }]
            }
            _ => vec![*block],
        });
        parts.filter(|block| block.last > block.first).collect()
    }

    fn mermaid_row(&self, out: &mut String, index: usize, line: Option<usize>, label: &str) {
        let Some(line) = line else {
            let last = self.lines.len().saturating_sub(1);
            let _ = writeln!(out, "    Note over p0,p{last}: {} {}", index + 1, safe(label));
            return;
        };
        for (born, _) in self.lines.iter().enumerate().filter(|(_, other)| other.starts == Some(index)) {
            let name = safe(&self.lines[born].name);
            let _ = writeln!(out, "    create participant p{born} as {name}\n    p{line}->>p{born}: {} run", index + 1);
        }
        let arrived = |arrow: &&Arrow| arrow.to.is_some_and(|(_, row)| row == index);
        let mut is_shown = false;
        for arrow in self.arrows.iter().filter(arrived) {
            let (to, _) = arrow.to.expect("it arrived");
            let sign = if arrow.is_handshake { "->>" } else { "-)" };
            let _ = writeln!(out, "    p{}{sign}p{to}: {} {}", arrow.from.0, index + 1, safe(&arrow.label));
            is_shown = true;
        }
        if !is_shown && !self.lines.iter().any(|other| other.starts == Some(index)) {
            let _ = writeln!(out, "    Note right of p{line}: {} {}", index + 1, safe(label));
        }
    }
}

/// Text that Mermaid shows as it is.
pub(crate) fn safe(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '_' | '(' | ')' | '=' | ',' | '.' | '+' | '-' | '!' | '?' => {
                out.push(character);
            }
            other => {
                let _ = write!(out, "#{};", u32::from(other));
            }
        }
    }
    // The word `end` closes a block wherever it stands.
    out.replace("end", "e#110;d")
}
