//! What a [`Desk`](crate::Desk) wants done by what stands around it.

use std::time::Duration;

use quadrille_client::{Clock, Clocks, Limits, SearchNumbers};
use quadrille_games::AnyLine;
use serde::{Deserialize, Serialize};

use crate::wire::{
    EngineId, EngineView, Level, LineView, ScoreView, SearchLimits, TableId, ToPage, Topic,
};
use crate::work::Work;

/// A page that is open, by number. A tab that comes back is another page.
pub type PageId = u32;

/// A search, by number. Never used again.
pub type SearchId = u32;

/// Something to do.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Send this to a page.
    Send {
        /// The page.
        page: PageId,
        /// The message.
        message: ToPage,
    },
    /// Let an engine think. What it finds comes back through
    /// [`Desk::heard`](crate::Desk::heard) with the same number.
    Search(Box<SearchOrder>),
    /// End a search early; its last news still come.
    StopSearch {
        /// Which.
        search: SearchId,
    },
    /// A game has begun (`ucinewgame`), so that an engine forgets what was.
    NewGame {
        /// Who plays in it.
        engine: EngineId,
    },
    /// Keep this value under this key for good, or forget it. Keys are short,
    /// values are text.
    Keep {
        /// The key.
        key: String,
        /// The value.
        value: Option<String>,
    },
    /// A game has ended: its record, for a library of games.
    Finished {
        /// The table.
        table: TableId,
        /// The game as PGN.
        record: String,
    },
    /// Do this for a question. The result goes to
    /// [`Desk::answered`](crate::Desk::answered).
    Work {
        /// Who asked.
        page: PageId,
        /// The number of the question.
        id: u32,
        /// What is to be done.
        work: Box<Work>,
    },
    /// Read a topic that is kept outside, and send it to these pages with this version.
    Read {
        /// Which.
        topic: Topic,
        /// The version to send it with.
        version: u32,
        /// Who follows it.
        pages: Vec<PageId>,
    },
    /// Send a page what is said to and by an engine from now on.
    ReadLog {
        /// The page.
        page: PageId,
        /// Which.
        engine: EngineId,
        /// The first line that the page does not have.
        from: u32,
    },
    /// No longer.
    LeaveLog {
        /// The page.
        page: PageId,
        /// Which.
        engine: EngineId,
    },
    /// Make a page a client of a game server.
    Join {
        /// The page.
        page: PageId,
        /// Which; nothing for the one here.
        address: Option<String>,
    },
    /// Send a line to the game server of a page.
    TellServer {
        /// The page.
        page: PageId,
        /// Without its end.
        line: String,
    },
    /// End the connection of a page to its game server.
    Part {
        /// The page.
        page: PageId,
    },
    /// Call [`Desk::tick`](crate::Desk::tick) at this time at the latest:
    /// milliseconds of the clock that the desk is given.
    Wake {
        /// When.
        at: f64,
    },
}

/// What an engine shall think about.
#[derive(Debug, Clone)]
pub struct SearchOrder {
    /// The number of the search.
    pub search: SearchId,
    /// Who thinks.
    pub engine: EngineId,
    /// What for: engines may be kept apart by it.
    pub purpose: Purpose,
    /// The game so far; its end is what is searched.
    pub line: AnyLine,
    /// How long.
    pub time: Thinking,
    /// Best lines.
    pub lines: u32,
    /// Only these moves; all where it is empty.
    pub only: Vec<String>,
    /// How strong.
    pub level: Level,
}

impl SearchOrder {
    /// Returns the limits of the search, without those of the level.
    pub fn limits(&self) -> Limits {
        let mut limits = match self.time {
            Thinking::Limits(limits) if limits == SearchLimits::default() => Limits::infinite(),
            Thinking::Limits(limits) => Limits {
                movetime: limits.movetime.map(duration),
                depth: limits.depth,
                nodes: limits.nodes.map(|nodes| nodes.max(1.0) as u64),
                ..Limits::default()
            },
            Thinking::Clocks {
                left,
                increment,
                moves,
            } => {
                let clocks = Clocks {
                    white: Clock::new(duration(left.0), duration(increment.0)),
                    black: Clock::new(duration(left.1), duration(increment.1)),
                    moves_to_go: moves,
                };
                Limits {
                    flag: Some(clocks.of(self.line.side()).remaining),
                    ..Limits::clocks(clocks)
                }
            }
        };
        limits.searchmoves.clone_from(&self.only);
        limits
    }
}

/// Milliseconds as a duration; nothing for what is no time.
fn duration(ms: f64) -> Duration {
    let ms = if ms.is_finite() {
        ms.clamp(0.0, 1e12)
    } else {
        0.0
    };
    Duration::from_micros((ms * 1000.0) as u64)
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A move in a game; the number of the table and the side, 0 or 1.
    Game(u32, u8),
    /// Live analysis of a page.
    Analysis(PageId),
    /// A hint for a person in a game.
    Hint(u32),
}

/// How long to think.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Thinking {
    /// So much and no more.
    Limits(SearchLimits),
    /// By the clocks of a game, in milliseconds, White's first.
    Clocks {
        /// What is left.
        left: (f64, f64),
        /// What is added for each move.
        increment: (f64, f64),
        /// Moves until more is added, if that is so.
        moves: Option<u32>,
    },
}

/// What is heard of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchNews {
    /// The engine is being started, or is ready and begins.
    Begun,
    /// The newest lines. At most eight times a second, and at the end.
    Lines(Box<Thought>),
    /// It is over.
    Done {
        /// The move it would make, as engines write it.
        best: Option<String>,
        /// Milliseconds it took, as they are charged on a clock.
        spent: f64,
        /// Offered or accepted: UCI knows neither, some dialects do.
        resigns: bool,
    },
    /// It failed: did not start, died, did not answer.
    Failed {
        /// How, in English.
        words: String,
    },
}

/// What an engine thinks now. Scores are White's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thought {
    /// How far the search is, and what it costs.
    pub numbers: SearchNumbers,
    /// The best lines, the best first.
    pub lines: Vec<LineView>,
    /// Its last words to people.
    pub said: Option<String>,
}

/// What stands around a desk tells it about the engines there are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Crew {
    /// All engines, in the user's order.
    pub engines: Vec<EngineView>,
}

/// The score of an engine's answer, for those who make [`LineView`]s.
pub type WhiteScore = ScoreView;
