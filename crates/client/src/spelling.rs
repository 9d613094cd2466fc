//! Misspelt words: excerpts and suggestions for messages.

/// Returns the known word with the fewest edits, if it is near enough to have been meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong: Vec<char> = wrong.chars().take(64).collect();
    let (edits, word) = known
        .into_iter()
        .map(|word| (distance(&wrong, word), word))
        .min()?;
    (edits <= 1 + wrong.len() / 4).then_some(word)
}

/// Letters to insert, remove, change or swap with a neighbour; case is free.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let same = |x: char, y: char| x.eq_ignore_ascii_case(&y);
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let change = rows[i][j] + usize::from(!same(x, y));
            let mut best = change.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(x, b[j - 1]) && same(a[i - 1], y) {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Returns the beginning of a text on one line, for messages that name it.
pub fn excerpt(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().take(60).map(clean).collect();
    if text.chars().nth(60).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let known = ["rounds", "repeat", "resign", "recover", "concurrency"];
        for (wrong, meant) in [
            ("ronuds", Some("rounds")),
            ("Rounds", Some("rounds")),
            ("rounbs", Some("rounds")),
            ("concurency", Some("concurrency")),
            ("banana", None),
            ("", None),
        ] {
            assert_eq!(nearest(wrong, known), meant, "{wrong}");
        }
    }
}
