//! The candidate closest to a misspelt word, by the number of edits (insert, delete, replace, swap neighbours).
//!
//! Contract: gives nothing unless the distance is at most a third of the word's length; among equals the first candidate
//! wins, so the answer does not depend on anything but the order of the candidates.

/// The nearest candidate, if one is near enough.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let length_gap = word.len().abs_diff(candidate.len());
        if candidate == word || length_gap > limit {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(word) { 0 } else { edits(word, candidate) };
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Three rows of the usual table are enough for swaps of neighbours.
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("stat", ["state", "status"]), Some("state"));
        assert_eq!(nearest("ture", ["turn", "true"]), Some("turn"));
        assert_eq!(nearest("var", ["VAR"]), Some("VAR"));
        assert_eq!(nearest("x", ["request"]), None);
        assert_eq!(nearest("same", ["same"]), None);
    }
}
