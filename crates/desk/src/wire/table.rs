//! A game that is played: who sits where, the clocks, how it ends.

use quadrille_games::{Game, Outcome, Side};
use serde::{Deserialize, Serialize};

use super::engines::EngineId;
use super::study::StudyStart;

/// A game, by number.
pub type TableId = u32;

/// A game to begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NewTable {
    /// Where it begins.
    pub start: StudyStart,
    /// White's seat and Black's.
    pub seats: (Seat, Seat),
    /// The clocks.
    pub time: TimeSetting,
}

/// Who plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "seat", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Seat {
    /// At this screen.
    Person {
        /// Their name; empty for none.
        name: String,
    },
    /// A person who opens a link.
    Guest {
        /// Their name; empty until they say it.
        name: String,
    },
    /// An engine.
    Engine {
        /// Which.
        engine: EngineId,
        /// How strong.
        level: Level,
    },
}

/// How strong an engine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "level", content = "of", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Level {
    /// As strong as it can.
    Full,
    /// 1 to 8: a novice to nearly full strength; for engines that have a way to
    /// play weaker, otherwise by few nodes.
    Step(u8),
    /// An Elo number that the engine offers.
    Elo(u16),
}

/// How time is counted. Times are milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "time", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TimeSetting {
    /// No clock; engines think so long about a move.
    Unlimited {
        /// Milliseconds.
        engine: f64,
    },
    /// A clock, and more for every move; again after so many moves if not 0.
    Clock {
        /// Milliseconds.
        base: f64,
        /// Milliseconds.
        increment: f64,
        /// Moves.
        moves: u32,
    },
    /// So long for every move.
    PerMove {
        /// Milliseconds.
        each: f64,
    },
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TableInfo {
    /// Its number.
    pub id: TableId,
    /// The game.
    pub game: Game,
    /// White's name and Black's.
    pub names: (String, String),
    /// How it ended, if it did.
    pub end: Option<TableEnd>,
    /// Plies made.
    pub plies: u32,
    /// The position now, for a small picture.
    pub position: String,
    /// When something last happened: milliseconds since 1970.
    pub changed: f64,
}

/// The board of a game, and who plays: what changes with every ply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TableView {
    /// Its number.
    pub id: TableId,
    /// Where it began.
    pub start: StudyStart,
    /// White's seat and Black's.
    pub seats: (SeatView, SeatView),
    /// The clocks.
    pub time: TimeSetting,
    /// The moves.
    pub plies: Vec<PlyView>,
    /// The board now.
    pub board: super::BoardView,
    /// When a move, a take-back or the end last changed the board: milliseconds since
    /// 1970. With the number of plies, the version of the board.
    pub changed: f64,
    /// How it ended, if it did.
    pub end: Option<TableEnd>,
    /// ECO code and name, in chess.
    pub opening: Option<(String, String)>,
    /// The table where it goes on after a [`TableAction::Rematch`].
    pub next: Option<TableId>,
}

/// What changes in a game without a ply: clocks, offers, what the players are doing.
/// Kept small, because it is told often: what is not there is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TableStatus {
    /// Both clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub clock: Option<ClockView>,
    /// Who offers a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub draw_offer: Option<Side>,
    /// Who asks to take moves back (of a guest).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub takeback: Option<Side>,
    /// A move that an engine would play for the person, if they asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub hint: Option<String>,
    /// Whether it was interrupted: the clocks stand and engines rest.
    pub paused: bool,
    /// What White is doing, and Black.
    pub states: (SeatState, SeatState),
}

/// A seat as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatView {
    /// Who was meant to sit there.
    pub seat: Seat,
    /// The name to show.
    pub name: String,
    /// Whether the page that looks may move for this seat.
    pub mine: bool,
    /// For a guest's seat: the link to give them, for those who may know it. What
    /// stands behind the address of the server: `?guest=TOKEN#/play/12`.
    pub link: Option<String>,
    /// What is wrong with it, in English.
    pub trouble: Option<String>,
}

/// What a player is doing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "the names say it")]
pub enum SeatState {
    #[default]
    Idle,
    Thinking,
    Starting,
    Away,
    Broken,
}

/// A move that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlyView {
    /// As engines write it.
    pub text: String,
    /// As people read it.
    pub notation: String,
    /// Who made it.
    pub side: Side,
    /// The number of the move.
    pub number: u32,
    /// Milliseconds it took.
    pub spent: f64,
    /// The mover's clock after it, in milliseconds.
    pub clock: Option<f64>,
    /// What the engine that made it thought, for White; told when the game is
    /// over, or at once where no person plays.
    pub score: Option<super::ScoreView>,
}

/// Both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClockView {
    /// Milliseconds left when this was said, White's first.
    pub left: (f64, f64),
    /// Whose clock runs.
    pub running: Option<Side>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TableEnd {
    /// By the rules.
    Rules {
        /// Which.
        outcome: Outcome,
    },
    /// A player gave up.
    Resigned {
        /// Who.
        loser: Side,
    },
    /// A clock ran out; a draw where the other side cannot win.
    Time {
        /// Whose.
        loser: Side,
        /// Nevertheless a draw.
        draw: bool,
    },
    /// Both agreed.
    Agreed,
    /// An engine failed.
    Engine {
        /// Whose.
        loser: Side,
        /// How, in English.
        words: String,
    },
    /// It was broken off.
    Aborted,
}

/// What a player does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "fields are named after what they are")]
pub enum TableAction {
    /// `ply` is how many moves the page has seen, so that a late click is not
    /// taken for another turn.
    Move {
        text: String,
        ply: u32,
    },
    /// Back to the last time it was this person's turn.
    TakeBack,
    Resign {
        side: Side,
    },
    OfferDraw {
        side: Side,
    },
    AcceptDraw,
    DeclineDraw,
    /// A draw that the rules let a player claim.
    ClaimDraw,
    AcceptTakeBack,
    DeclineTakeBack,
    /// What would a strong engine play?
    Hint,
    /// Stops the clocks; for games without a guest.
    Pause,
    Resume,
    Abort,
    /// The same again with colours changed. Answered by `Answer::Table`; the old
    /// table tells the new one as `next`.
    Rematch,
    /// A guest says who they are.
    Name {
        name: String,
    },
}
