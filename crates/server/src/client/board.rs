//! A game as the client follows it.

use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, Game, Side};

use crate::message::{Clocks, Name, Rating, StartView, Time, You};

/// A game that we play or watch.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) view: StartView,
    /// The position as far as it is known.
    pub(super) line: AnyLine,
    /// The same after our own move, which the reference does not send to us.
    ahead: Option<AnyLine>,
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
            ahead: None,
            clocks: None,
            asked: false,
            clock_due: false,
        }
    }

    /// A game of a server without a lobby, which tells nothing about it but positions: of
    /// the first of these games that has this one. We watch until we are asked to move.
    pub(super) fn unannounced(
        games: &[Game],
        start: &str,
        moves: &[String],
    ) -> Result<Self, String> {
        let mut why = "no game was named".to_owned();
        let unknown = Rating {
            points: 1500,
            provisional: true,
        };
        let names = ["White", "Black"].map(Name::made_of);
        let [Some(white), Some(black)] = names else {
            return Err(why);
        };
        let players = [white, black];
        for game in games {
            let mut board = Self::new(StartView {
                id: 0,
                players: players.clone(),
                ratings: [unknown; 2],
                game: *game,
                rules: String::new(),
                time: Time::seconds(0, 0),
                rated: false,
                you: You::Watching,
            });
            match board.set(start, moves) {
                Change::Wrong(error) => why = error,
                _ => return Ok(board),
            }
        }
        Err(why)
    }

    /// We have moved. What the engine searches stays what the server has sent.
    pub(super) fn moved(&mut self, text: &str) {
        self.asked = false;
        let mut ahead = self.line.clone();
        if ahead.play(text).is_ok() {
            self.ahead = Some(ahead);
        }
    }

    /// The position as far as it is known, our own move included.
    pub(super) fn current(&self) -> &AnyLine {
        self.ahead.as_ref().unwrap_or(&self.line)
    }

    /// We are asked to move, which tells whose side is ours.
    pub(super) fn take_side(&mut self) {
        self.view.you = match self.line.side() {
            Side::White => You::White,
            Side::Black => You::Black,
        };
    }

    /// Takes a position over. One that cannot be read changes nothing.
    pub(super) fn set(&mut self, start: &str, moves: &[String]) -> Change {
        let text = if start == "startpos" { "" } else { start };
        let begun = AnyLine::new(self.view.game, &self.view.rules, text);
        let mut line = match begun {
            Ok(line) => line,
            Err(error) => return Change::Wrong(error.to_string()),
        };
        // The reference begins a line with the position before the last move that
        // cannot be undone, so the start of a game changes while it is played.
        let moved = line.start_text() != self.line.start_text();
        let compared = moved && self.current().plies() > 0;
        let known = shown(self.current());
        let mut met = (compared && shown(&line) == known).then_some(0);
        for (ply, text) in moves.iter().enumerate() {
            if let Err(error) = line.play(text) {
                return Change::Wrong(error.to_string());
            }
            if compared && shown(&line) == known {
                met = Some(ply + 1);
            }
        }
        let old = std::mem::replace(&mut self.line, line);
        let old = self.ahead.take().unwrap_or(old);
        let known = if moved {
            met
        } else {
            let (before, after) = (old.played_texts(), self.line.played_texts());
            after.starts_with(&before).then_some(before.len())
        };
        let Some(known) = known else {
            return Change::Other;
        };
        let mut new = self.line.moves();
        if known == new.len() {
            return Change::Same;
        }
        let new = new.split_off(known);
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

/// The board and the side to move. Counters behind them differ between programs.
fn shown(line: &AnyLine) -> String {
    let text = line.position_text();
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    words.join(" ")
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

    /// A game as the reference tells it (recorded): its line begins anew with each move
    /// that cannot be undone.
    #[test]
    fn a_start_that_moves_on_is_the_same_game() {
        let moves = |text: &str| text.split(' ').map(Into::into).collect::<Vec<String>>();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - qrbn ff";
        let games = [Game::Chess, Game::Liberty];
        let mut board = Board::unannounced(&games, start, &[]).expect("a position");
        assert_eq!(board.view.game, Game::Liberty, "friendly fire is no chess");
        let played = board.set(start, &moves("e2e3 b8c6 d1g4"));
        assert!(
            matches!(&played, Change::Played(new) if new.len() == 3),
            "{played:?}"
        );
        let later = "r1bqkbnr/pppppppp/2n5/8/6Q1/4P3/PPPP1PPP/RNB1KBNR b KQkq - 2 2 - qrbn ff";
        board.moved("e7e6");
        assert_eq!(
            board.set(later, &moves("e7e6")),
            Change::Same,
            "our own move"
        );
        let mut board = Board::unannounced(&games, start, &moves("e2e3 b8c6 d1g4")).expect("one");
        let played = board.set(later, &moves("e7e6"));
        assert_eq!(played, Change::Played(vec!["e6".into()]));
        assert_eq!(board.set(later, &moves("e7e6")), Change::Same);
        assert_eq!(board.set(start, &[]), Change::Other, "another game");
        let error = Board::unannounced(&games, "dance w", &[]).expect_err("no position");
        assert!(!error.is_empty());
    }

    #[test]
    fn clocks_in_words() {
        let words = |ms| time_words(Duration::from_millis(ms));
        assert_eq!(words(299_900), "4:59");
        assert_eq!(words(9_340), "0:09.3");
        assert_eq!(words(3_661_000), "1:01:01");
        assert_eq!(words(0), "0:00.0");
    }
}
