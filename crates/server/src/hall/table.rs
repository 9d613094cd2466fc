//! A game as data.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::{AnyLine, Game, Side};
use quadrille_match::config::{Clock, Period, TimeControl};
use quadrille_match::referee::{Ending, GameClock, Ply};

use super::effect::{ConnId, Origin};
use crate::message::{Clocks, Name, Offer, Time, ToClient};

/// A player, by a number that is never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlayerId(pub(crate) u64);

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The players get ready.
    Starting,
    /// After a restart, until the one to move is back: its clock stands.
    Resting,
    /// Played.
    Playing,
    /// Over, and not told until that is written down.
    Ending(Ending),
    /// Over and told; the players may want another.
    Over,
}

/// One game.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) id: u64,
    pub(crate) players: [PlayerId; 2],
    pub(crate) names: [Name; 2],
    pub(crate) levels: [Option<u8>; 2],
    pub(crate) line: AnyLine,
    pub(crate) time: Time,
    pub(crate) rated: bool,
    pub(crate) origin: Origin,
    pub(crate) stage: Stage,
    pub(crate) begun: Duration,
    /// Since when the one to move thinks.
    pub(crate) turn: Duration,
    /// Whether it was told to.
    pub(crate) asked: bool,
    pub(crate) clocks: [GameClock; 2],
    margin: Duration,
    /// The times that were taken from the clocks, ply by ply.
    spent: Vec<Duration>,
    /// `position ...` up to now.
    position: String,
    /// Its length before each move.
    lengths: Vec<usize>,
    /// The same, as it was last sent.
    sent: Option<Arc<str>>,
    /// Offers that stand, and whose they are.
    pub(crate) offers: Vec<(Offer, Side)>,
    pub(crate) watchers: BTreeSet<ConnId>,
    /// Until when a lost connection may come back.
    pub(crate) away: [Option<Duration>; 2],
    /// After a restart: when the clock of the one to move runs, ready or not.
    pub(crate) called: Option<Duration>,
    /// How long the one to move had thought when the game ended.
    pub(crate) stopped: Duration,
    /// Illegal moves since the last legal one.
    pub(crate) illegal: u32,
    /// The next moment at which its flag is looked at.
    pub(crate) looked: Option<Duration>,
    /// What the one to move said last about its search.
    pub(crate) thought: Ply,
    /// When spectators were last told what a player thinks.
    pub(crate) thought_told: Option<Duration>,
    /// Sums for the record.
    pub(crate) elapsed: [Duration; 2],
}

/// The time control of a clock.
pub(crate) fn control(time: Time) -> TimeControl {
    TimeControl {
        clock: Clock::Periods(vec![Period {
            moves: None,
            time: time.base,
            increment: time.increment,
        }]),
        ..TimeControl::default()
    }
}

/// The beginning of a `position` line. The seed: "If the game was played from the
/// standard chess start position the string startpos will be sent".
fn start_of(line: &AnyLine) -> String {
    let start = line.start_text();
    let usual = matches!(line.game(), Game::Chess | Game::Liberty)
        && start == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let start = if usual { "startpos".into() } else { start };
    ToClient::Position {
        start,
        moves: Vec::new(),
    }
    .to_string()
}

/// Who meets whom at what.
pub(crate) struct Setup {
    pub(crate) players: [PlayerId; 2],
    pub(crate) names: [Name; 2],
    pub(crate) levels: [Option<u8>; 2],
    pub(crate) line: AnyLine,
    pub(crate) time: Time,
    pub(crate) rated: bool,
    pub(crate) origin: Origin,
}

impl Table {
    pub(crate) fn new(id: u64, setup: Setup, margin: Duration, now: Duration) -> Self {
        let clock = GameClock::new(&control(setup.time), margin);
        let mut table = Self {
            id,
            players: setup.players,
            names: setup.names,
            levels: setup.levels,
            position: start_of(&setup.line),
            line: setup.line,
            time: setup.time,
            rated: setup.rated,
            origin: setup.origin,
            stage: Stage::Starting,
            begun: now,
            turn: now,
            asked: false,
            clocks: [clock.clone(), clock],
            margin,
            spent: Vec::new(),
            lengths: Vec::new(),
            sent: None,
            offers: Vec::new(),
            watchers: BTreeSet::new(),
            away: [None; 2],
            called: None,
            stopped: Duration::ZERO,
            illegal: 0,
            looked: None,
            thought: Ply::default(),
            thought_told: None,
            elapsed: [Duration::ZERO; 2],
        };
        for text in table.line.played_texts() {
            table.note(&text);
        }
        table
    }

    pub(crate) fn plies(&self) -> usize {
        self.spent.len()
    }

    pub(crate) fn turn_of(&self) -> Side {
        self.line.side()
    }

    pub(crate) fn side_of(&self, player: PlayerId) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|s| self.players[s.index()] == player)
    }

    pub(crate) fn running(&self) -> bool {
        matches!(
            self.stage,
            Stage::Starting | Stage::Resting | Stage::Playing
        )
    }

    fn note(&mut self, text: &str) {
        self.sent = None;
        self.lengths.push(self.position.len());
        let word = if self.lengths.len() == 1 {
            " moves"
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = write!(self.position, "{word} {text}");
    }

    /// A move was made and took so long.
    pub(crate) fn made(&mut self, text: &str, side: Side, charged: Duration) {
        self.note(text);
        self.spent.push(charged);
        self.clocks[side.index()].spend(charged, charged);
        self.elapsed[side.index()] += charged;
    }

    /// Takes back so many plies, with their time: the clocks are what they were.
    pub(crate) fn take_back(&mut self, plies: usize) {
        for _ in 0..plies {
            self.line.pop();
            self.spent.pop();
            if let Some(length) = self.lengths.pop() {
                self.position.truncate(length);
                self.sent = None;
            }
        }
        let clock = GameClock::new(&control(self.time), self.margin);
        self.clocks = [clock.clone(), clock];
        // The one who moved last is not the one to move.
        let mut side = self.line.side();
        let mut sides = Vec::new();
        for _ in 0..self.spent.len() {
            side = !side;
            sides.push(side);
        }
        for (side, spent) in sides.iter().rev().zip(&self.spent) {
            self.clocks[side.index()].spend(*spent, *spent);
        }
    }

    /// The line that tells the position. All who see it share one text, which is long
    /// in a long game.
    pub(crate) fn position(&mut self) -> Arc<str> {
        let text = &self.position;
        Arc::clone(self.sent.get_or_insert_with(|| text.as_str().into()))
    }

    /// What both clocks show now.
    pub(crate) fn shown(&self, now: Duration) -> Clocks {
        let thought = match self.stage {
            Stage::Starting | Stage::Resting => Duration::ZERO,
            Stage::Playing => now.saturating_sub(self.turn),
            Stage::Ending(_) | Stage::Over => self.stopped,
        };
        let left = |side: Side| {
            let left = self.clocks[side.index()].left().unwrap_or_default();
            if side == self.turn_of() {
                left.saturating_sub(thought)
            } else {
                left
            }
        };
        Clocks {
            white: left(Side::White),
            black: left(Side::Black),
            white_increment: self.time.increment,
            black_increment: self.time.increment,
        }
    }

    /// When the flag of the one to move falls.
    pub(crate) fn flag(&self) -> Option<Duration> {
        let time = self.clocks[self.turn_of().index()].flag()?;
        Some(self.turn + time)
    }

    pub(crate) fn offered(&self, offer: Offer, by: Side) -> bool {
        self.offers.contains(&(offer, by))
    }
}
