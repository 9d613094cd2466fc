//! Writes values as the source files of the evaluation.

use core::fmt::Write as _;

use quadrille_search::chess::features::{GROUPS, Group, PLAIN};

use crate::fit::Values;

/// The text of `params.rs`; `history` says where the values come from.
pub fn params(values: &Values, history: &[String]) -> String {
    let mut text = String::from(
        "//! What everything the evaluation counts is worth, in hundredths of a pawn:\n\
         //! `s(middlegame, endgame)` in the order of [`features`](super::features).\n",
    );
    origin(&mut text, history);
    text.push_str(
        "\nuse super::features::PLAIN;\nuse crate::pair::{Pair, s};\n\n\
         /// All features but the tables of the kings.\n#[rustfmt::skip]\n\
         pub(super) static VALUES: [Pair; PLAIN] = [\n",
    );
    for group in GROUPS.iter().filter(|group| group.start < PLAIN) {
        write_group(&mut text, group, values);
    }
    text.push_str("];\n");
    text
}

/// The text of `king_tables.rs`.
pub fn king_tables(values: &Values, history: &[String]) -> String {
    let mut text = String::from(
        "//! What pieces gain or lose by their squares for each place of a king:\n\
         //! `s(middlegame, endgame)` by bucket of the king, by kind (its own six, the\n\
         //! enemy's six), by square as that king sees the board.\n",
    );
    origin(&mut text, history);
    text.push_str(
        "\nuse super::features::{COUNT, KING_SQUARES};\nuse crate::pair::{Pair, s};\n\n\
         /// In the order of [`features`](super::features).\n#[rustfmt::skip]\n\
         pub(super) static KING_TABLES: [Pair; COUNT - KING_SQUARES] = [\n",
    );
    for group in GROUPS.iter().filter(|group| group.start >= PLAIN) {
        write_group(&mut text, group, values);
    }
    text.push_str("];\n");
    text
}

fn origin(text: &mut String, history: &[String]) {
    text.push_str("//!\n//! Written by the tuner, not by hand:\n//!\n//! ```text\n");
    for line in history {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "//! {line}");
    }
    text.push_str("//! ```\n");
}

fn write_group(text: &mut String, group: &Group, values: &Values) {
    let _ = writeln!(text, "    // {}", group.name);
    let own = &values[group.start..group.start + group.length];
    for line in own.chunks(group.per_line.max(1)) {
        let pairs: Vec<String> = line
            .iter()
            .map(|pair| format!("s({}, {})", pair[0].round() as i32, pair[1].round() as i32))
            .collect();
        let _ = writeln!(text, "    {},", pairs.join(", "));
    }
}
