//! The command line.

use quadrille_games::Game;

pub(crate) struct Arguments {
    pub(crate) game: Game,
    /// The rule that is broken; empty for none.
    pub(crate) mutant: String,
}

impl Arguments {
    pub(crate) fn read(words: &[String]) -> Result<Self, String> {
        let mut arguments = Self {
            game: Game::Chess,
            mutant: String::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--game" {
                let name = words.next().ok_or("--game needs a name")?;
                arguments.game = name.parse().map_err(|error| format!("{error}"))?;
            } else {
                arguments.mutant.clone_from(word);
            }
        }
        Ok(arguments)
    }
}
