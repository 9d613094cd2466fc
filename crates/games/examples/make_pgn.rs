//! Writes a file of random chess games: `make_pgn GAMES [SEED] > games.pgn`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

#[path = "../benches/support/random_games.rs"]
mod random_games;

fn main() -> io::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().and_then(|word| word.parse().ok());
    let seed = arguments.next().map_or(Some(1), |word| word.parse().ok());
    let (Some(games), Some(seed)) = (games, seed) else {
        eprintln!("usage: make_pgn GAMES [SEED]");
        return Ok(ExitCode::from(2));
    };
    let mut out = BufWriter::new(io::stdout().lock());
    random_games::write_games(&mut out, games, seed)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
