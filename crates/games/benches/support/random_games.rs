//! A file of random chess games, the same for the same seed everywhere.

use std::io::{self, Write};

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position};

/// Writes `games` games of 20 to 160 plies. Every third has clocks, every
/// fifth has comments and glyphs.
pub(crate) fn write_games(out: &mut impl Write, games: u64, seed: u64) -> io::Result<()> {
    for number in 0..games {
        let mut random = SplitMix64::new(seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
        write_game(out, number, &mut random)?;
    }
    Ok(())
}

fn write_game(out: &mut impl Write, number: u64, random: &mut SplitMix64) -> io::Result<()> {
    let clocks = number.is_multiple_of(3);
    let comments = number.is_multiple_of(5);
    let plies = 20 + random.index(141);
    let mut words = Vec::with_capacity(plies * 3);
    let mut line = Line::new(Chess::start(&ChessRules::default()));
    let mut numbered = true;
    for ply in 0..plies {
        let moves = line.position().moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.index(moves.len())];
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
        if comments && random.index(8) == 0 {
            words.push(format!("${}", 1 + random.index(6)));
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
    writeln!(out, "[WhiteElo \"{}\"]\n", 1000 + random.index(2000))?;
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
