//! `-output format=`: scores and ratings as scripts around other match runners read them.

use tempfile::TempDir;

use crate::matches::{SHORT, TWO, run};

fn played(more: &str) -> String {
    let folder = TempDir::new().unwrap();
    let words = format!("{TWO} {SHORT} -rounds 3 -ratinginterval 6 -scoreinterval 6 {more}");
    let (code, out, error) = run(folder.path(), &words);
    assert!([0, 3, 6].contains(&code), "{code} {error}");
    out
}

/// The line that begins with some words.
fn line<'a>(text: &'a str, head: &str) -> &'a str {
    let found = text.lines().find(|line| line.starts_with(head));
    found.unwrap_or_else(|| panic!("no line begins with '{head}':\n{text}"))
}

/// The numbers of a line, whatever stands between them, in halves.
fn halves(line: &str) -> Vec<u32> {
    let words = line.split(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers = words.filter_map(|word| word.parse::<f64>().ok());
    numbers
        .map(|number| (number * 2.0).round() as u32)
        .collect()
}

#[test]
fn in_the_words_of_fastchess() {
    let out = played("-output format=fastchess -sprt elo0=0 elo1=5");
    assert!(line(&out, "Results of Ann vs Bob (").ends_with("(200 nodes, NULL, 1MB):"));
    let games = halves(line(&out, "Games: "));
    assert_eq!(games[0], 12);
    assert_eq!(games[1..4].iter().sum::<u32>(), 12);
    assert_eq!(games[4], games[1] + games[3] / 2);
    assert_eq!(
        halves(line(&out, "Ptnml(0-2): "))[2..].iter().sum::<u32>(),
        6
    );
    assert!(line(&out, "LLR: ").ends_with("(-2.94, 2.94) [0.00, 5.00]"));
    assert!(line(&out, "Elo: ").contains(", nElo: "));
    assert!(line(&out, "LOS: ").contains(", DrawRatio: "));
    assert!(line(&out, "Started game 6 of 6 (").contains(" vs "));
    assert!(!out.contains("Score of "), "{out}");
}

#[test]
fn in_the_words_of_cutechess() {
    let out = played("-output format=cutechess");
    let score = halves(line(&out, "Score of Ann vs Bob: "));
    let white = halves(line(&out, "...      Ann playing White: "));
    let black = halves(line(&out, "...      Ann playing Black: "));
    assert_eq!((white[4], black[4]), (6, 6), "{out}");
    for kind in 0..3 {
        assert_eq!(score[kind], white[kind] + black[kind], "{out}");
    }
    assert!(line(&out, "Elo difference: ").contains(", LOS: "));
    line(&out, "...      White vs Black: ");
}

#[test]
fn other_formats_are_refused() {
    let folder = TempDir::new().unwrap();
    let words = format!("{TWO} {SHORT} -output format=winboard");
    let (code, _, error) = run(folder.path(), &words);
    assert_eq!(code, 2, "{error}");
    assert!(
        error.contains("choose quadrille, fastchess, cutechess"),
        "{error}"
    );
}
