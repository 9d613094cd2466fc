//! What ships is MIT OR Apache-2.0, so everything it links must be permissive.
//! GPL crates serve as oracles and bench peers in dev-dependencies only.

use crate::steps::{Outcome, cargo, read};

/// Licences we can ship under ours, one by one.
const WELCOME: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Asks cargo for everything the shipped packages link, here and on Windows, and
/// checks each licence.
pub(crate) fn check() -> Outcome {
    let mut tree = String::new();
    for target in ["", "--target x86_64-pc-windows-gnu"] {
        tree += &read(cargo(&format!(
            "tree --workspace --exclude xtask {target} --edges normal,build --prefix none --format {{p}}|{{l}}"
        )))?;
    }
    let refused: Vec<&str> = tree.lines().filter(|line| !is_welcome(line)).collect();
    if refused.is_empty() {
        return Ok(());
    }
    Err(format!(
        "these ship under a licence we cannot take:\n{}",
        refused.join("\n")
    ))
}

/// Whether a line `package|licence` of the tree may ship. A crate's own
/// expression is a choice (`OR`, or `/` in old ones) of sums (`AND`).
fn is_welcome(line: &str) -> bool {
    let line = line.trim_end_matches(" (*)");
    if line.is_empty() {
        return true;
    }
    let Some((_, expression)) = line.rsplit_once('|') else {
        return false;
    };
    // Brackets only ever group choices inside a sum in practice, so that every
    // word is taken for itself when they appear.
    let grouped = expression.contains('(');
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    let takes = |sum: &str| sum.split(" AND ").all(|one| WELCOME.contains(&one.trim()));
    let mut choices = plain.split(" OR ");
    if grouped {
        choices.all(takes)
    } else {
        choices.any(takes)
    }
}

#[cfg(test)]
mod tests {
    use super::is_welcome;

    #[test]
    fn permissive_licences_pass_and_others_do_not() {
        for line in [
            "serde v1.0|MIT OR Apache-2.0",
            "memchr v2.8|Unlicense OR MIT (*)",
            "unicode-ident v1.0|(MIT OR Apache-2.0) AND Unicode-3.0",
            "old v0.1|MIT/Apache-2.0",
            "either v1|GPL-3.0 OR MIT",
            "",
        ] {
            assert!(is_welcome(line), "{line}");
        }
        for line in [
            "shakmaty v0.30.1|GPL-3.0-or-later",
            "both v1|MIT AND GPL-3.0",
            "bare v1|",
            "no bar",
        ] {
            assert!(!is_welcome(line), "{line}");
        }
    }
}
