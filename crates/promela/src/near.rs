//! The name that was probably meant: the one with the fewest single-letter edits away
//! [damerau.64.cacm].

/// The nearest of some names to a misspelt one, if any is near enough to be a slip of the pen.
///
/// Edits are insertions, deletions, replacements and swaps of neighbours (the restricted
/// Damerau–Levenshtein distance); up to a third of the letters may differ. Ties go to the first.
pub(crate) fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (wrong.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        let distance = distance(wrong, name);
        let acceptable = distance <= limit && distance < name.chars().count();
        if acceptable && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a.len().abs_diff(b.len()) > 8 || a.len() > 64 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["count", "total", "ch", "MSG"];
        assert_eq!(nearest("cuont", names.into_iter()), Some("count"));
        assert_eq!(nearest("totl", names.into_iter()), Some("total"));
        assert_eq!(nearest("msg", names.into_iter()), Some("MSG"));
        assert_eq!(nearest("zebra", names.into_iter()), None);
        assert_eq!(nearest("x", names.into_iter()), None);
    }
}
