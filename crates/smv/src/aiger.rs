//! AIGER files, text or binary, as SMV text.
//!
//! What: each input and each latch becomes a Boolean variable, each conjunction a definition. Bad states become invariants,
//! and outputs too where a file has no other property; justice properties become formulas of linear time, fairness
//! constraints `FAIRNESS`, and invariant constraints `INVAR`. The text then goes the way of every SMV model, so that
//! verdicts, traces and their confirmation need nothing of their own.
//!
//! Source: [biere.11.aiger].
//!
//! Contract: a file that is cut short or refers to what it does not define is refused with a [`Malformed`], never a panic.
//! Inputs are variables of the state, so the lasso of a counterexample repeats them as well. Numbers in a file are bounded by
//! its length before anything is allocated.

use std::fmt::Write as _;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, counted from 1; in the binary part, that of its beginning.
    pub line: usize,
    /// The mistake.
    pub what: String,
}

/// The most nodes of a file.
const MOST_NODES: u32 = 1 << 22;

/// The counts of a header.
#[derive(Clone, Copy, Debug, Default)]
struct Header {
    most: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    ands: u32,
    bad: u32,
    constraints: u32,
    justice: u32,
    fairness: u32,
}

/// Lines and bytes of a file.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
}

impl Reader<'_> {
    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Malformed> {
        Err(Malformed { line: self.line, what: what.into() })
    }

    /// The next line; none at the end.
    fn next_line(&mut self) -> Option<String> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at += length + 1;
        self.line += 1;
        Some(String::from_utf8_lossy(&rest[..length]).trim().to_owned())
    }

    /// The numbers of the next line.
    fn numbers(&mut self, what: &str) -> Result<Vec<u32>, Malformed> {
        let Some(line) = self.next_line() else { return self.wrong(format!("the file ends before {what}")) };
        let numbers: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
        match numbers {
            Ok(numbers) if !numbers.is_empty() => Ok(numbers),
            _ => self.wrong(format!("expected {what}, found `{line}`")),
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, Malformed> {
        match self.numbers(what)?[..] {
            [number] => Ok(number),
            _ => self.wrong(format!("expected {what}: one number")),
        }
    }

    /// A number of the binary part.
    fn difference(&mut self) -> Result<u32, Malformed> {
        let mut number: u64 = 0;
        for place in 0..5 {
            let Some(byte) = self.bytes.get(self.at).copied() else {
                return self.wrong("the binary part is cut short");
            };
            self.at += 1;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return u32::try_from(number).or_else(|_| self.wrong("a difference is too large"));
            }
        }
        self.wrong("a difference is too long")
    }
}

/// The SMV text of an AIGER file.
///
/// # Errors
/// Where the file is malformed.
pub fn to_smv(bytes: &[u8]) -> Result<String, Malformed> {
    let mut reader = Reader { bytes, at: 0, line: 0 };
    let (header, is_binary) = header(&mut reader)?;
    let file = File::read(&mut reader, header, is_binary)?;
    Ok(file.text())
}

fn header(reader: &mut Reader<'_>) -> Result<(Header, bool), Malformed> {
    let Some(line) = reader.next_line() else { return reader.wrong("the file is empty") };
    let mut words = line.split_whitespace();
    let is_binary = match words.next() {
        Some("aig") => true,
        Some("aag") => false,
        _ => return reader.wrong("expected `aag` or `aig` and the counts of the circuit"),
    };
    let counts: Result<Vec<u32>, _> = words.map(str::parse).collect();
    let Ok(counts) = counts else { return reader.wrong("a count of the header is no number") };
    if !(5..=9).contains(&counts.len()) {
        return reader.wrong("the header has five to nine counts: `M I L O A B C J F`");
    }
    let count = |at: usize| counts.get(at).copied().unwrap_or(0);
    let header = Header {
        most: count(0),
        inputs: count(1),
        latches: count(2),
        outputs: count(3),
        ands: count(4),
        bad: count(5),
        constraints: count(6),
        justice: count(7),
        fairness: count(8),
    };
    let defined = u64::from(header.inputs) + u64::from(header.latches) + u64::from(header.ands);
    if defined > u64::from(header.most) || header.most > MOST_NODES {
        return reader.wrong("the header counts more nodes than its largest number allows");
    }
    if is_binary && defined != u64::from(header.most) {
        return reader.wrong("in a binary file the largest number is the sum of inputs, latches and conjunctions");
    }
    // Every count but that of inputs of a binary file takes bytes.
    let properties = [header.outputs, header.bad, header.constraints, header.justice, header.fairness];
    let needed: u64 = properties.iter().map(|count| u64::from(*count)).sum::<u64>() + u64::from(header.latches);
    if needed + u64::from(header.ands) > reader.bytes.len() as u64 {
        return reader.wrong("the file is shorter than its header says");
    }
    Ok((header, is_binary))
}

#[derive(Debug, Default)]
struct File {
    most: u32,
    inputs: Vec<u32>,
    /// Literal, next value, value at the beginning.
    latches: Vec<(u32, u32, u32)>,
    outputs: Vec<u32>,
    bad: Vec<u32>,
    constraints: Vec<u32>,
    justice: Vec<Vec<u32>>,
    fairness: Vec<u32>,
    ands: Vec<(u32, u32, u32)>,
    symbols: Vec<(char, usize, String)>,
}

impl File {
    fn read(reader: &mut Reader<'_>, header: Header, is_binary: bool) -> Result<Self, Malformed> {
        let mut file = File { most: header.most, ..File::default() };
        for at in 0..header.inputs {
            file.inputs.push(if is_binary { 2 * (at + 1) } else { reader.number("an input")? });
        }
        for at in 0..header.latches {
            let numbers = reader.numbers("a latch")?;
            let own = 2 * (header.inputs + at + 1);
            let (own, rest) = match (is_binary, &numbers[..]) {
                (true, rest) => (own, rest),
                (false, [own, rest @ ..]) => (*own, rest),
                (false, []) => return reader.wrong("expected a latch"),
            };
            file.latches.push(match rest {
                [next] => (own, *next, 0),
                [next, reset] if *reset <= 1 || *reset == own => (own, *next, *reset),
                _ => return reader.wrong("a latch has a next value, and perhaps 0, 1 or itself as its first one"),
            });
        }
        let several = |reader: &mut Reader<'_>, count: u32, what: &str| {
            (0..count).map(|_| reader.number(what)).collect::<Result<Vec<u32>, Malformed>>()
        };
        file.outputs = several(reader, header.outputs, "an output")?;
        file.bad = several(reader, header.bad, "a bad state")?;
        file.constraints = several(reader, header.constraints, "a constraint")?;
        let sizes = several(reader, header.justice, "the size of a justice property")?;
        for size in sizes {
            if size as usize > reader.bytes.len() {
                return reader.wrong("the file is shorter than a justice property says");
            }
            file.justice.push(several(reader, size, "a part of a justice property")?);
        }
        file.fairness = several(reader, header.fairness, "a fairness constraint")?;
        for at in 0..header.ands {
            file.ands.push(if is_binary {
                let own = 2 * (header.inputs + header.latches + at + 1);
                let (first, second) = (reader.difference()?, reader.difference()?);
                match own.checked_sub(first).and_then(|a| Some((a, a.checked_sub(second)?))) {
                    Some((a, b)) => (own, a, b),
                    None => return reader.wrong("a conjunction refers to a number below zero"),
                }
            } else {
                match reader.numbers("a conjunction")?[..] {
                    [own, a, b] => (own, a, b),
                    _ => return reader.wrong("a conjunction has three numbers"),
                }
            });
        }
        file.read_symbols(reader);
        file.check(reader)?;
        Ok(file)
    }

    fn read_symbols(&mut self, reader: &mut Reader<'_>) {
        while let Some(line) = reader.next_line() {
            let Some((position, name)) = line.split_once(' ') else { return };
            let mut letters = position.chars();
            let (Some(kind), Ok(at)) = (letters.next(), letters.as_str().parse()) else { return };
            self.symbols.push((kind, at, name.to_owned()));
        }
    }

    /// Every literal is defined once, and conjunctions do not depend on themselves.
    fn check(&self, reader: &Reader<'_>) -> Result<(), Malformed> {
        let mut is_defined = vec![false; self.most as usize + 1];
        is_defined[0] = true;
        let own = self.inputs.iter().chain(self.latches.iter().map(|(own, ..)| own));
        for literal in own.chain(self.ands.iter().map(|(own, ..)| own)) {
            match is_defined.get_mut(*literal as usize / 2) {
                Some(known) if !*known && literal % 2 == 0 => *known = true,
                _ => return reader.wrong(format!("{literal} cannot be defined here, or is defined twice")),
            }
        }
        let used = self.latches.iter().map(|(_, next, _)| next).chain(&self.outputs).chain(&self.bad);
        let used = used.chain(&self.constraints).chain(&self.fairness).chain(self.justice.iter().flatten());
        let used = used.chain(self.ands.iter().flat_map(|(_, a, b)| [a, b]));
        for literal in used {
            if !is_defined.get(*literal as usize / 2).copied().unwrap_or(false) {
                return reader.wrong(format!("{literal} is used and defined nowhere"));
            }
        }
        // Conjunctions in a text file may stand in any order.
        let mut operands = vec![(0, 0); self.most as usize + 1];
        for (own, a, b) in &self.ands {
            operands[*own as usize / 2] = (a / 2, b / 2);
        }
        let mut state = vec![0_u8; operands.len()];
        for root in 0..operands.len() {
            let mut pending = vec![root];
            while let Some(&node) = pending.last() {
                let below = [operands[node].0 as usize, operands[node].1 as usize];
                if state[node] == 0 {
                    state[node] = 1;
                    for next in below.into_iter().filter(|next| *next != 0) {
                        match state[next] {
                            0 => pending.push(next),
                            1 => return reader.wrong(format!("the conjunction {} depends on itself", 2 * next)),
                            _ => {}
                        }
                    }
                } else {
                    state[node] = 2;
                    pending.pop();
                }
            }
        }
        Ok(())
    }

    fn literal(&self, literal: u32) -> String {
        match literal {
            0 => "FALSE".into(),
            1 => "TRUE".into(),
            other => format!("{}n{}", if other % 2 == 1 { "!" } else { "" }, other / 2),
        }
    }

    fn name(&self, kind: char, at: usize) -> String {
        let known = self.symbols.iter().find(|(other, number, _)| (*other, *number) == (kind, at));
        let plain = |name: &str| -> String {
            let name = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' });
            name.collect()
        };
        known.map_or_else(|| format!("{kind}{at}"), |(_, _, name)| format!("{kind}{at}_{}", plain(name)))
    }

    fn text(&self) -> String {
        let mut text = String::from("-- Translated from AIGER: n1, n2, … are its variables.\nMODULE main\n");
        if !(self.inputs.is_empty() && self.latches.is_empty()) {
            text += "VAR\n";
        }
        for (at, literal) in self.inputs.iter().enumerate() {
            let _ = writeln!(text, "  n{} : boolean; -- input {}", literal / 2, self.name('i', at));
        }
        for (at, (literal, ..)) in self.latches.iter().enumerate() {
            let _ = writeln!(text, "  n{} : boolean; -- latch {}", literal / 2, self.name('l', at));
        }
        if !self.latches.is_empty() {
            text += "ASSIGN\n";
        }
        for (own, next, reset) in &self.latches {
            if *reset <= 1 {
                let _ = writeln!(text, "  init(n{}) := {};", own / 2, self.literal(*reset));
            }
            let _ = writeln!(text, "  next(n{}) := {};", own / 2, self.literal(*next));
        }
        if !self.ands.is_empty() {
            text += "DEFINE\n";
        }
        for (own, a, b) in &self.ands {
            let _ = writeln!(text, "  n{} := {} & {};", own / 2, self.literal(*a), self.literal(*b));
        }
        for constraint in &self.constraints {
            let _ = writeln!(text, "INVAR {};", self.literal(*constraint));
        }
        for fairness in &self.fairness {
            let _ = writeln!(text, "FAIRNESS {};", self.literal(*fairness));
        }
        for (at, bad) in self.bad.iter().enumerate() {
            let _ = writeln!(text, "INVARSPEC NAME {} := !({});", self.name('b', at), self.literal(*bad));
        }
        if self.bad.is_empty() && self.justice.is_empty() {
            for (at, output) in self.outputs.iter().enumerate() {
                let _ = writeln!(text, "INVARSPEC NAME {} := !({});", self.name('o', at), self.literal(*output));
            }
        }
        for (at, parts) in self.justice.iter().enumerate() {
            let often: Vec<String> = parts.iter().map(|part| format!("G F {}", self.literal(*part))).collect();
            let all = if often.is_empty() { "TRUE".to_owned() } else { often.join(" & ") };
            let _ = writeln!(text, "LTLSPEC NAME {} := !({all});", self.name('j', at));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOGGLE: &str = "aag 3 1 1 0 1 1\n2\n4 6\n4\n6 3 5\nb0 on\n";

    #[test]
    fn a_circuit_becomes_a_model() {
        let text = to_smv(TOGGLE.as_bytes()).expect("a circuit");
        for part in ["init(n2) := FALSE;", "next(n2) := n3;", "n3 := !n1 & !n2;", "INVARSPEC NAME b0_on := !(n2);"] {
            assert!(text.contains(part), "{text}");
        }
        // The same in binary: the conjunction 6 = 5 & 3 has the differences 1 and 2.
        let binary = to_smv(b"aig 3 1 1 0 1 1\n6\n4\n\x01\x02b0 on\n").expect("a circuit");
        assert_eq!(binary.replace("!n2 & !n1", "!n1 & !n2"), text);
    }

    #[test]
    fn no_mutation_makes_it_panic() {
        let files: [&[u8]; 2] = [TOGGLE.as_bytes(), b"aig 3 1 1 0 1 1\n6\n4\n\x01\x02b0 on\n"];
        let mut random = omega::random::Random::new(18);
        let mut accepted = 0;
        for round in 0..4_000 {
            let mut bytes = files[round % 2].to_vec();
            for _ in 0..=random.below(3) {
                let at = usize::try_from(random.below(bytes.len() as u64)).expect("an index");
                let choices = b"0123456789 \n\x80\xff";
                let byte = choices[usize::try_from(random.below(choices.len() as u64)).expect("an index")];
                match random.below(3) {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            accepted += usize::from(to_smv(&bytes).is_ok());
        }
        assert!(accepted > 10, "{accepted} accepted");
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for wrong in [
            "",
            "aag",
            "aag 1 1",
            "aag 1 1 0 0 0\n",
            "aag 1 1 0 0 0\n3\n",
            "aag 0 1 0 0 0\n2\n",
            "aag 1 0 0 1 0\n2\n",
            "aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n",
            "aag 4000000000 0 0 0 0\n",
            "aag 1 0 0 0 0 0 0 4000000000\n",
        ] {
            assert!(to_smv(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
