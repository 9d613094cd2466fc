//! Colours, on terminals only.

use core::fmt::Write;
use std::io::{self, IsTerminal};

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";
const WHITE: &str = "\x1b[1m";
const BLACK: &str = "\x1b[36m";
/// Gyges pieces with one, two and three rings.
const RINGS: [&str; 3] = ["\x1b[32m", "\x1b[33m", "\x1b[31m"];

/// Whether standard output shows colours: it is a terminal, and `NO_COLOR` is
/// unset or empty (no-color.org).
pub(crate) fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
}

/// Colours a drawn board: White bold, Black cyan, rings by number, everything
/// around the pieces dim.
pub(crate) fn board(drawing: &str) -> String {
    let mut out = String::with_capacity(2 * drawing.len());
    for line in drawing.lines() {
        // A row begins with its number; all other lines are decoration.
        let row = line.trim_start();
        let cells = row.trim_start_matches(|c: char| c.is_ascii_digit());
        if cells.len() == row.len() {
            push(&mut out, DIM, line);
        } else {
            push(&mut out, DIM, &line[..line.len() - cells.len()]);
            cells.chars().for_each(|c| cell(&mut out, c));
        }
        out.push('\n');
    }
    out
}

fn cell(out: &mut String, c: char) {
    let colour = match c {
        'A'..='Z' => WHITE,
        'a'..='z' => BLACK,
        '1'..='3' => RINGS[c as usize - '1' as usize],
        ' ' => return out.push(c),
        _ => DIM,
    };
    push(out, colour, c.encode_utf8(&mut [0; 4]));
}

fn push(out: &mut String, colour: &str, text: &str) {
    if !text.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{colour}{text}{RESET}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let drawing = "8  r . K\n1  3 NN\n\n   a b c\n";
        let painted = board(drawing);
        assert!(painted.contains("\x1b[1mK\x1b[0m") && painted.contains("\x1b[36mr\x1b[0m"));
        let mut plain = String::new();
        for (i, part) in painted.split('\x1b').enumerate() {
            let text = if i == 0 {
                part
            } else {
                part.split_once('m').map_or("", |p| p.1)
            };
            plain.push_str(text);
        }
        assert_eq!(plain, drawing);
    }
}
