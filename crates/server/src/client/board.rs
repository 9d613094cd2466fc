//! A game as the client follows it.

use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, Side};

use crate::message::{Clocks, Name, StartView, You};

/// A game that we play or watch.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) view: StartView,
    /// The position as far as it is known.
    pub(super) line: AnyLine,
    clocks: Option<(Clocks, Instant)>,
    /// Whether a move of ours is wanted.
    pub(super) asked: bool,
    /// Whether the clocks that belong to the position are still to come.
    pub(super) clock_due: bool,
}

/// What a new position is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The one we know.
    Same,
    /// Moves were played: these, as people write them.
    Played(Vec<String>),
    /// Anything else: the first one, or moves were taken back.
    Other,
    /// It cannot be read, for this reason.
    Wrong(String),
}

impl Board {
    pub(super) fn new(view: StartView) -> Self {
        Self {
            line: AnyLine::start(view.game),
            view,
            clocks: None,
            asked: false,
            clock_due: false,
        }
    }

    /// Takes a position over. One that cannot be read changes nothing.
    pub(super) fn set(&mut self, start: &str, moves: &[String]) -> Change {
        let text = if start == "startpos" { "" } else { start };
        let begun = AnyLine::new(self.view.game, &self.view.rules, text);
        let mut line = match begun {
            Ok(line) => line,
            Err(error) => return Change::Wrong(error.to_string()),
        };
        for text in moves {
            if let Err(error) = line.play(text) {
                return Change::Wrong(error.to_string());
            }
        }
        let old = std::mem::replace(&mut self.line, line);
        let (before, after) = (old.played_texts(), self.line.played_texts());
        if old.start_text() != self.line.start_text() || !after.starts_with(&before) {
            return Change::Other;
        }
        if before.len() == after.len() {
            return Change::Same;
        }
        let new = self.line.moves().split_off(before.len());
        Change::Played(new.into_iter().map(|m| m.notation).collect())
    }

    pub(super) fn set_clocks(&mut self, clocks: Clocks) {
        self.clocks = Some((clocks, Instant::now()));
    }

    /// Our side, unless we watch.
    pub(super) const fn side(&self) -> Option<Side> {
        match self.view.you {
            You::White => Some(Side::White),
            You::Black => Some(Side::Black),
            You::Watching => None,
        }
    }

    pub(super) fn name(&self, side: Side) -> &Name {
        &self.view.players[side.index()]
    }

    /// Both clocks in words; that of the side to move has been running since we
    /// were told.
    pub(super) fn clock_words(&self) -> Option<String> {
        let (clocks, told) = self.clocks?;
        let left = |side: Side, time: Duration| {
            let runs = side == self.line.side() && self.line.outcome().is_none();
            let spent = if runs { told.elapsed() } else { Duration::ZERO };
            time_words(time.saturating_sub(spent))
        };
        Some(format!(
            "{} {}, {} {}",
            self.name(Side::White),
            left(Side::White, clocks.white),
            self.name(Side::Black),
            left(Side::Black, clocks.black)
        ))
    }
}

/// `4:59`, `1:00:00`, `0:09.3` where it becomes tight.
pub(super) fn time_words(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else if seconds < 20 {
        format!("0:{rest:02}.{}", time.subsec_millis() / 100)
    } else {
        format!("{minutes}:{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_in_words() {
        let words = |ms| time_words(Duration::from_millis(ms));
        assert_eq!(words(299_900), "4:59");
        assert_eq!(words(9_340), "0:09.3");
        assert_eq!(words(3_661_000), "1:01:01");
        assert_eq!(words(0), "0:00.0");
    }
}
