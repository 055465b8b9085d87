//! Formats of `--stats`: text, CSV, JSON, or a pattern of the user.

/// A format of `--stats`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StatsFormat {
    /// A line of words for each automaton.
    Text,
    /// A table with a heading.
    Csv,
    /// One JSON object per line.
    Json,
    /// A line for each automaton, made from a pattern such as `%f: %s states`.
    Pattern(Vec<Piece>),
}

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text that is printed as it is.
    Text(String),
    /// A value.
    Field(Field),
}

/// A value in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The name of the automaton, which is the formula if there is one.
    Name,
    /// The number of the formula or automaton in the input, from 1.
    Number,
    /// The number of states.
    States,
    /// The number of edges.
    Edges,
    /// The number of transitions.
    Transitions,
    /// The number of acceptance sets.
    Sets,
    /// The number of states with a choice.
    Nondeterministic,
    /// 1 if the automaton is deterministic, else 0.
    IsDeterministic,
    /// 1 if the automaton is complete, else 0.
    IsComplete,
    /// The number of strongly connected components.
    Components,
}

/// The letters of values in patterns, those of Spot where it has them.
const FIELDS: [(char, Field); 11] = [
    ('f', Field::Name),
    ('m', Field::Name),
    ('l', Field::Number),
    ('s', Field::States),
    ('e', Field::Edges),
    ('t', Field::Transitions),
    ('a', Field::Sets),
    ('n', Field::Nondeterministic),
    ('d', Field::IsDeterministic),
    ('p', Field::IsComplete),
    ('c', Field::Components),
];

/// Reads the value of `--stats`.
pub(super) fn stats_format(text: &str) -> Result<StatsFormat, String> {
    match text {
        "text" => return Ok(StatsFormat::Text),
        "csv" => return Ok(StatsFormat::Csv),
        "json" => return Ok(StatsFormat::Json),
        text if !text.contains('%') => {
            return Err(format!("`{text}` is neither text, csv, json nor a pattern such as `%f: %s states`"));
        }
        _ => {}
    }
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        let letter = if c == '%' { characters.next() } else { None };
        match (c, letter) {
            ('%', Some('%')) => plain.push('%'),
            ('%', letter) => {
                let known = letter.and_then(|letter| FIELDS.iter().find(|(known, _)| *known == letter));
                let Some(&(_, field)) = known else {
                    let letters: Vec<String> = FIELDS.iter().map(|(letter, _)| format!("%{letter}")).collect();
                    let unknown = letter.map_or("%".to_owned(), |letter| format!("%{letter}"));
                    return Err(format!("`{unknown}` is not known; there are {} and %%", letters.join(", ")));
                };
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Field(field));
            }
            (c, _) => plain.push(c),
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(StatsFormat::Pattern(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_known_letters() {
        let pieces = [Piece::Field(Field::Name), Piece::Text(": % ".into()), Piece::Field(Field::States)];
        assert_eq!(stats_format("%f: %% %s"), Ok(StatsFormat::Pattern(pieces.to_vec())));
        assert_eq!(stats_format("csv"), Ok(StatsFormat::Csv));
        for wrong in ["cvs", "%z", "50%", "%f %"] {
            assert!(stats_format(wrong).is_err(), "{wrong}");
        }
    }
}
