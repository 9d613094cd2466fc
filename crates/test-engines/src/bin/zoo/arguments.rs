//! What the command line asks for.

use std::time::Duration;

use quadrille_games::Game;

use super::quirk::Quirk;

pub(crate) struct Arguments {
    pub(crate) game: Game,
    pub(crate) seed: u64,
    /// How long everything takes that is slow.
    pub(crate) lag: Duration,
    pub(crate) quirks: Vec<Quirk>,
}

impl Arguments {
    pub(crate) fn read(words: &[String]) -> Result<Self, String> {
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
