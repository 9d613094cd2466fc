//! The arguments that describe a position, shared by all subcommands.

use clap::Args;
use quadrille_games::any_line::SetupError;
use quadrille_games::{AnyLine, Game, MoveError, MoveErrorKind};

use crate::failure::Failure;

/// Which game, which rules, which position.
#[derive(Args)]
pub(crate) struct Setup {
    /// chess, liberty, leiser or gyges
    #[arg(long, short, value_name = "GAME", default_value = "chess")]
    game: Game,

    /// A position text, the name of a preset, or `chess960 518`; the start
    /// position if missing
    #[arg(
        long,
        short,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,

    /// Rules: `chess960`; `ff`; a year with `noko` or `quiet=100`; `may-stay`
    #[arg(
        long,
        short,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    rules: String,

    /// Moves to play first, as engines or as people write them
    #[arg(
        long,
        short,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    moves: String,
}

impl Setup {
    pub(crate) fn game(&self) -> Game {
        self.game
    }

    pub(crate) fn rules(&self) -> &str {
        &self.rules
    }

    /// Sets up the position and plays the moves.
    pub(crate) fn line(&self) -> Result<AnyLine, Failure> {
        let mut line = AnyLine::new(self.game, &self.rules, &self.position)
            .map_err(|error| self.setup_failure(&error))?;
        for (offset, word) in words(&self.moves) {
            line.play_notation(word)
                .map_err(|error| self.move_failure(&line, offset, &error))?;
        }
        Ok(line)
    }

    fn setup_failure(&self, error: &SetupError) -> Failure {
        let column = error.error().column;
        match error {
            SetupError::Rules(_) => Failure::input(error).at(&self.rules, column),
            SetupError::Position(_) => {
                let failure = Failure::input(error).at(&self.position, column);
                match self.names() {
                    Some(names) => failure.hint(names),
                    None => failure,
                }
            }
        }
    }

    /// A single word is meant as a name.
    fn names(&self) -> Option<String> {
        let word = self.position.trim();
        if word.contains(['/', ' ']) || word.is_empty() {
            return None;
        }
        let presets = AnyLine::presets(self.game, &self.rules).ok()?;
        let names: Vec<&str> = presets.iter().map(|preset| preset.0).collect();
        Some(format!("known positions are {}", names.join(", ")))
    }

    fn move_failure(&self, line: &AnyLine, offset: usize, error: &MoveError) -> Failure {
        let column = match error.kind {
            MoveErrorKind::Syntax { column } => offset + column,
            _ => offset + 1,
        };
        let failure = Failure::input(format!(
            "{} {error} (move {} of --moves)",
            self.game,
            line.plies() + 1
        ));
        failure.at(&self.moves, column)
    }
}

/// The moves in a text with their byte offsets; move numbers are left out.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().filter_map(move |word| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        // `2|13` begins with digits too: only a dot makes a number of them.
        let word = if rest.len() < word.len() && rest.starts_with('.') {
            rest.trim_start_matches('.')
        } else {
            word
        };
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        (!word.is_empty()).then_some((offset, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_are_no_moves() {
        let found: Vec<_> = words(" 1. e4 1...e5 2.Nf3  2|13 0-0 3.").collect();
        let wanted = [
            (4, "e4"),
            (11, "e5"),
            (16, "Nf3"),
            (21, "2|13"),
            (26, "0-0"),
        ];
        assert_eq!(found, wanted);
    }
}
