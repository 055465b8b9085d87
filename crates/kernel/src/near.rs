//! The name that was probably meant: the one the fewest single-letter edits away
//! [damerau.64.cacm].
//!
//! *Contract.* Edits are insertions, deletions, replacements and swaps of neighbours (the restricted
//! Damerau–Levenshtein distance), whatever the case; up to a third of the letters may differ. A name of the same
//! letters in another order counts as one edit away (`brake` for `break`). Ties go to the first name, so the answer
//! depends on nothing but the order of the names.

/// The nearest of some names to a misspelt one, if any is near enough to be a slip of the pen.
///
/// ```
/// use kernel::near::nearest;
///
/// assert_eq!(nearest("cuont", ["count", "total"]), Some("count"));
/// assert_eq!(nearest("zebra", ["count", "total"]), None);
/// ```
#[must_use]
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (wrong.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        if name == wrong || wrong.len().abs_diff(name.len()) > limit + 3 {
            continue;
        }
        let distance = distance(wrong, name);
        let acceptable = distance <= limit && distance < name.chars().count();
        if acceptable && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The number of edits between two names.
#[must_use]
pub fn distance(first: &str, second: &str) -> usize {
    edits(&letters(first), &letters(second))
}

fn letters(word: &str) -> Vec<char> {
    word.to_lowercase().chars().collect()
}

fn edits(a: &[char], b: &[char]) -> usize {
    if a.len() > 64 {
        return usize::MAX;
    }
    // Three rows of the usual table are enough for swaps of neighbours.
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    let edits = last[b.len()];
    if edits > 1 && a.len() > 3 && sorted(a) == sorted(b) { 1 } else { edits }
}

fn sorted(word: &[char]) -> Vec<char> {
    let mut word = word.to_vec();
    word.sort_unstable();
    word
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["count", "total", "ch", "MSG"];
        assert_eq!(nearest("cuont", names), Some("count"));
        assert_eq!(nearest("totl", names), Some("total"));
        assert_eq!(nearest("msg", names), Some("MSG"));
        assert_eq!(nearest("zebra", names), None);
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest("brake", ["true", "break"]), Some("break"));
        assert_eq!(nearest("same", ["same"]), None);
        assert_eq!(nearest("ture", ["turn", "true"]), Some("turn"));
    }
}
