//! Makes `data/openings.txt` of a table of openings (code, name and moves, with
//! tabs between them): `pack_openings < openings.tsv > data/openings.txt`.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use quadrille_games::chess::Chess;
use quadrille_games::{Line, Position};

/// Moves as engines write them, code and name of a row.
fn read(row: &str) -> Option<(Vec<String>, &str, &str)> {
    let mut fields = row.split('\t');
    let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
    let mut line = Line::new(Chess::default());
    let mut texts = Vec::new();
    for word in moves.split_whitespace() {
        // A number, with or without the move behind it.
        let san = word.rsplit('.').next().unwrap_or_default();
        if san.is_empty() {
            continue;
        }
        let m = line.position().parse_notation(san).ok()?;
        texts.push(line.position().move_text(m));
        line.push(m);
    }
    Some((texts, eco, name))
}

/// How much two things have in common at their beginnings.
fn shared<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

fn main() -> io::Result<ExitCode> {
    let mut table = String::new();
    io::stdin().read_to_string(&mut table)?;
    let mut rows = Vec::new();
    for (number, row) in table.lines().enumerate() {
        match read(row) {
            Some(row) if row.2.contains('|') || row.0.iter().any(|m| m.len() != 4) => {
                eprintln!("line {}: cannot be packed", number + 1);
                return Ok(ExitCode::FAILURE);
            }
            Some(row) => rows.push(row),
            None if row.starts_with("eco\t") => {}
            None => {
                eprintln!("line {}: no opening: {row}", number + 1);
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    rows.sort();
    let (mut moves, mut eco, mut name): (&[String], &str, &str) = (&[], "", "");
    let mut packed = io::BufWriter::new(io::stdout().lock());
    for row in &rows {
        let kept = shared(moves, &row.0);
        let mut stays = shared(name.as_bytes(), row.2.as_bytes());
        while !row.2.is_char_boundary(stays) {
            stays -= 1;
        }
        let code = if row.1 == eco { "" } else { row.1 };
        let fresh = row.0[kept..].concat();
        writeln!(packed, "{kept}|{fresh}|{code}|{stays}|{}", &row.2[stays..])?;
        (moves, eco, name) = (&row.0, row.1, row.2);
    }
    packed.flush()?;
    Ok(ExitCode::SUCCESS)
}
