//! Positions and limits as each dialect says them.

use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{Command, Dialect, Go, Moves, SetPos, SetPosition};

use crate::effect::{SearchOrder, Thinking};

/// The dialect of a game's engines.
pub const fn dialect_of(game: Game) -> Dialect {
    match game {
        Game::Chess => Dialect::Uci,
        Game::Liberty => Dialect::Ulci,
        Game::Leiser => Dialect::Leiser,
        Game::Gyges => Dialect::Ugi,
    }
}

/// A position as it is sent.
pub(super) struct PositionWords {
    /// UGI: the board as the side to move sees it.
    board: Option<String>,
    /// The start; `None` is `startpos`.
    base: Option<String>,
    moves: String,
}

pub(super) fn position(line: &AnyLine) -> PositionWords {
    let board = match line {
        AnyLine::Gyges(line) => Some(line.position().ugi_text()),
        _ => None,
    };
    let usual = AnyLine::new(line.game(), &line.rules_text(), "");
    let is_usual = usual.is_ok_and(|usual| usual.start_text() == line.start_text());
    // A host of Liberty Chess always sends the position itself.
    let startpos = is_usual && line.game() != Game::Liberty;
    PositionWords {
        board,
        base: (!startpos).then(|| line.start_text()),
        moves: line.played_texts().join(" "),
    }
}

impl PositionWords {
    pub(super) fn command(&self) -> Command<'_> {
        if let Some(board) = &self.board {
            return Command::SetPos(SetPos::Data(board.as_str().into()));
        }
        let base = match &self.base {
            None => SetPosition::startpos(),
            Some(text) => SetPosition::fen(text.as_str()),
        };
        Command::Position(match self.moves.as_str() {
            "" => base,
            moves => base.with_moves(moves),
        })
    }
}

/// What ends a search.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limits {
    movetime: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// White's and Black's clock and increment, and moves to go.
    clocks: Option<([i64; 2], [i64; 2], Option<u32>)>,
    side: usize,
}

fn millis(ms: f64) -> i64 {
    ms.round().clamp(1.0, 1e12) as i64
}

impl Limits {
    pub(super) fn new(order: &SearchOrder, nodes: Option<u64>, side: Side) -> Self {
        let mut limits = Self {
            nodes,
            side: side.index(),
            ..Self::default()
        };
        match order.time {
            Thinking::Limits(given) => {
                limits.movetime = given.movetime.map(millis);
                limits.depth = given.depth;
                let given = given.nodes.map(|nodes| nodes.clamp(1.0, 1e15) as u64);
                limits.nodes = nodes.into_iter().chain(given).min();
            }
            Thinking::Clocks {
                left,
                increment,
                moves,
            } => {
                let increment = [increment.0, increment.1].map(|ms| ms.round().max(0.0) as i64);
                limits.clocks = Some(([millis(left.0), millis(left.1)], increment, moves));
            }
        }
        limits
    }

    fn is_endless(&self) -> bool {
        let counted = self.depth.is_some() || self.nodes.is_some();
        !counted && self.movetime.is_none() && self.clocks.is_none()
    }

    pub(super) fn go<'a>(&self, dialect: Dialect, only: &'a str) -> Go<'a> {
        let mut go = Go::new();
        if dialect == Dialect::Ugi {
            return go;
        }
        if let Some((left, increment, moves)) = self.clocks {
            go = match dialect {
                Dialect::Leiser => go.time(left[self.side]).inc(increment[self.side]),
                _ => go
                    .wtime(left[0])
                    .btime(left[1])
                    .winc(increment[0])
                    .binc(increment[1]),
            };
            if let Some(moves) = moves.filter(|_| dialect != Dialect::Ulci) {
                go = go.movestogo(moves.into());
            }
        }
        if let Some(depth) = self.depth {
            go = go.depth(depth.into());
        }
        if let Some(nodes) = self.nodes {
            go = go.nodes(nodes);
        }
        if let Some(time) = self.movetime {
            go = go.movetime(time);
        }
        if self.is_endless() {
            go = go.infinite();
        }
        if only.is_empty() {
            return go;
        }
        go.searchmoves(Moves::from(only))
    }

    /// UGI's limits are options that stay until they are set again, so "none" is a
    /// number that is never reached. It knows no clock: a twentieth of what is left and
    /// most of the increment.
    pub(super) fn ugi_options(&self) -> [(&'static str, String); 3] {
        let share = self.clocks.map(|(left, increment, moves)| {
            let moves = moves.map_or(20, |moves| i64::from(moves.clamp(1, 20)) + 1);
            let (left, increment) = (left[self.side], increment[self.side]);
            (left / moves + increment * 3 / 4).min(left / 2).max(1)
        });
        let time = share.into_iter().chain(self.movetime).min();
        let seconds = time.map_or(1_000_000.0, |ms| ms as f64 / 1000.0);
        [
            ("maxPly", self.depth.map_or(127, |n| n.min(127)).to_string()),
            ("maxTime", seconds.to_string()),
            (
                "maxNodes",
                self.nodes.unwrap_or(1_000_000_000_000).to_string(),
            ),
        ]
    }
}
