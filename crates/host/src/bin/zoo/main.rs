//! The zoo: an engine that plays random legal moves and misbehaves on request.
//!
//! `zoo --list` shows what it can do wrong. A host that survives all of it has
//! met everything that we know to happen in the wild.
//!
//! `zoo [--game GAME] [--seed N] [--lag MILLISECONDS] [QUIRK ...]`

mod animal;
mod hello;
mod quirk;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use quadrille_games::Game;

use animal::Animal;
use quirk::Quirk;

/// What the command line asks for.
struct Arguments {
    game: Game,
    seed: u64,
    /// How long everything takes that is slow.
    lag: Duration,
    quirks: Vec<Quirk>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        return list();
    }
    match Arguments::read(&words) {
        Ok(arguments) => Animal::new(arguments).live(),
        Err(message) => {
            let _ = writeln!(io::stderr(), "zoo: {message}");
            ExitCode::from(2)
        }
    }
}

fn list() -> ExitCode {
    let mut out = io::stdout().lock();
    for quirk in Quirk::ALL {
        let number = match quirk.number() {
            0 => String::new(),
            number => number.to_string(),
        };
        // Nobody reads on: then nobody misses the rest.
        let _ = writeln!(out, "{number:>3} {:<22} {}", quirk.word(), quirk.sentence());
    }
    ExitCode::SUCCESS
}

impl Arguments {
    fn read(words: &[String]) -> Result<Self, String> {
        let mut arguments = Self {
            game: Game::Chess,
            seed: 1,
            lag: Duration::from_millis(200),
            quirks: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let number = |text: &str| {
                text.parse::<u64>()
                    .map_err(|error| format!("{text}: {error}"))
            };
            match word.as_str() {
                "--game" => {
                    arguments.game = value()?.parse().map_err(|error| format!("{error}"))?;
                }
                "--seed" => arguments.seed = number(value()?)?,
                "--lag" => arguments.lag = Duration::from_millis(number(value()?)?),
                word => {
                    let quirk = Quirk::from_word(word);
                    let quirk = quirk.ok_or(format!("no such quirk: {word} (see --list)"))?;
                    arguments.quirks.push(quirk);
                }
            }
        }
        Ok(arguments)
    }
}
