//! A file of random chess games, the same for the same seed everywhere.

use std::io::{self, Write};

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::{Line, Position};

/// `SplitMix64`: a few lines, and the same numbers on every machine.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0; even enough for games.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Writes `games` games of 20 to 160 plies. Every third has clocks, every
/// fifth has comments and glyphs.
pub(crate) fn write_games(out: &mut impl Write, games: u64, seed: u64) -> io::Result<()> {
    for number in 0..games {
        let mut random = SplitMix(seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
        write_game(out, number, &mut random)?;
    }
    Ok(())
}

fn write_game(out: &mut impl Write, number: u64, random: &mut SplitMix) -> io::Result<()> {
    let clocks = number.is_multiple_of(3);
    let comments = number.is_multiple_of(5);
    let plies = 20 + random.below(141);
    let mut words = Vec::with_capacity(plies * 3);
    let mut line = Line::new(Chess::start(&ChessRules::default()));
    let mut numbered = true;
    for ply in 0..plies {
        let moves = line.position().moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if numbered {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(line.position().notation(m));
        numbered = clocks;
        if clocks {
            let left = 600 - (ply * 3) as u64;
            words.push(format!("{{ [%clk 0:{:02}:{:02}] }}", left / 60, left % 60));
        }
        if comments && random.below(8) == 0 {
            words.push(format!("${}", 1 + random.below(6)));
            words.push("{ a move that somebody had something to say about }".into());
            numbered = true;
        }
        line.push(m);
    }
    let result = line.outcome().map_or("*", |outcome| outcome.result());
    words.push(result.into());
    writeln!(
        out,
        "[Event \"Random games\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]"
    )?;
    writeln!(out, "[Round \"{}\"]\n[White \"Splitmix, A\"]", number + 1)?;
    writeln!(out, "[Black \"Splitmix, B\"]\n[Result \"{result}\"]")?;
    writeln!(out, "[WhiteElo \"{}\"]\n", 1000 + random.below(2000))?;
    let mut column = 0;
    for word in &words {
        if column > 0 && column + 1 + word.len() > 79 {
            out.write_all(b"\n")?;
            column = 0;
        } else if column > 0 {
            out.write_all(b" ")?;
            column += 1;
        }
        out.write_all(word.as_bytes())?;
        column += word.len();
    }
    out.write_all(b"\n\n")
}
