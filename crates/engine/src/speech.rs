//! What sets one dialect apart from the others.

use std::sync::Arc;
use std::time::Duration;

use quadrille_games::gyges::MoveStyle;
use quadrille_protocol::{
    BestMove, Bound as BoundWord, Dialect, HashFull, Info, InfoItem, Moves, Report,
    Score as ScoreWord, Text, Time, Wdl,
};
use quadrille_search::{Bound, EndgameTables, Limits, Playable, Score};

use crate::book::Book;
use crate::choice::Random;
use crate::options::{Offer, Options};
use crate::output::Lines;
use crate::strength::Rung;

/// Endgame tables and a word about them.
pub(crate) type OpenTables<P> = (Arc<dyn EndgameTables<P>>, String);

/// Whose fault a mistake is. Only ULCI tells the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    /// Something the host sent.
    Host,
    /// Something of ours.
    Engine,
}

/// Everything there is to say about one variation.
pub(crate) struct Facts<'a> {
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    /// The rank of the line when several are shown.
    pub(crate) rank: Option<usize>,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) wdl: Option<Wdl>,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    /// Permill.
    pub(crate) hashfull: u32,
    pub(crate) tablebase_hits: u64,
    /// Permill, if it is known.
    pub(crate) load: Option<u64>,
    /// The moves in the dialect's form.
    pub(crate) pv: &'a [String],
    /// The same with blanks between.
    pub(crate) pv_text: &'a str,
}

impl Facts<'_> {
    /// Nodes per second.
    pub(crate) fn nps(&self) -> u64 {
        nps(self.nodes, self.time)
    }

    /// The score as the protocol has it.
    pub(crate) fn score_word(&self) -> ScoreWord {
        let word = score_word(self.score);
        match self.bound {
            Bound::Exact => word,
            Bound::Lower => word.with_bound(BoundWord::Lower),
            Bound::Upper => word.with_bound(BoundWord::Upper),
        }
    }

    pub(crate) fn millis(&self) -> Time {
        Time::Millis(self.time.as_millis() as u64)
    }
}

/// Nodes per second; a search too short to measure counts as a microsecond.
pub(crate) fn nps(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros) as u64
}

pub(crate) fn score_word(score: Score) -> ScoreWord {
    match (score, score.mate_moves()) {
        (Score::Cp(value), _) => ScoreWord::cp(value.into()),
        (_, moves) => ScoreWord::mate(moves.unwrap_or(0).into()),
    }
}

/// A game with the dialect in which its engines are spoken to.
///
/// The methods with a body are the common ground: UCI as its text has it.
pub(crate) trait Spoken: Playable {
    /// The dialect.
    const DIALECT: Dialect;
    /// What we call ourselves.
    const TITLE: &'static str;
    /// The options, in the order in which they are announced.
    const OFFERS: &'static [Offer];
    /// How strong is how many nodes.
    const LADDER: &'static [Rung];
    /// Whether `bestmove` may carry a move to ponder on.
    const PONDERS: bool;

    /// `id` lines before the name.
    fn introduce(_: &mut Lines<'_>) {}

    /// Rules under which a game goes on that these rules call drawn. A host
    /// that sends further moves, or asks for one, plays by those.
    fn relaxed(_: &Self::Rules) -> Option<Self::Rules> {
        None
    }

    /// Writes a legal move.
    fn write(&self, m: Self::Move, _: MoveStyle) -> String {
        self.move_text(m)
    }

    /// What is written where there is no move.
    fn no_move(&self) -> String {
        Self::DIALECT.null_move().unwrap_or("0000").into()
    }

    /// Limits that come from options.
    fn limit(_: &Options, _: &mut Limits<Self::Move>) {}

    /// The book that comes with the program.
    fn own_book() -> Option<Book> {
        None
    }

    /// A move from the book.
    fn book_move(&self, _: &mut Book, _: &mut Random) -> Option<Self::Move> {
        None
    }

    /// Endgame tables as the options name them, and what to say about them.
    fn open_tables(_: &Options) -> Result<Option<OpenTables<Self>>, String> {
        Ok(None)
    }

    /// One variation as an `info` line.
    fn info<'a>(facts: &Facts<'a>) -> Info<'a> {
        let mut info = Info::new()
            .depth(facts.depth.into())
            .seldepth(facts.seldepth.into());
        if let Some(rank) = facts.rank {
            info = info.multipv(rank as u64);
        }
        info = info.score(facts.score_word());
        if let Some(wdl) = facts.wdl {
            info = info.wdl(wdl);
        }
        info = info
            .nodes(facts.nodes)
            .nps(facts.nps())
            .hashfull(HashFull::Permill(facts.hashfull.into()))
            .tbhits(facts.tablebase_hits)
            .time(facts.millis());
        if let Some(load) = facts.load {
            info = info.cpuload(load);
        }
        if facts.pv.is_empty() {
            info
        } else {
            info.pv(Moves::from(facts.pv_text))
        }
    }

    /// The answer to `go`.
    fn best<'a>(
        best: &'a str,
        ponder: Option<&'a str>,
        _score: Score,
        _time: Duration,
    ) -> BestMove<'a> {
        BestMove {
            best: Some(Text::from(best)),
            ponder: ponder.map(Text::from),
            ..BestMove::default()
        }
    }

    /// Says what is wrong.
    fn complain(lines: &mut Lines<'_>, _: Blame, text: &str) {
        lines.note(text);
    }

    /// The value of the position after `eval` and its table.
    fn say_value(lines: &mut Lines<'_>, value: i64) {
        lines.add(&Report::Info(
            Info::new().with(InfoItem::Score(ScoreWord::cp(value))),
        ));
    }

    /// Lines for people about the position.
    fn display(&self, lines: &mut Lines<'_>, _last: Option<&str>, _ply: usize) {
        for line in self.draw().lines() {
            lines.text(line);
        }
        lines.text(&format!("position: {}", self.text()));
    }

    /// The moves that perft counts; `None` if the position is a leaf whatever
    /// depth remains.
    fn counted_moves(&self) -> Option<Vec<Self::Move>> {
        Some(self.moves())
    }

    /// How many they are.
    fn counted(&self) -> u64 {
        self.count_moves()
    }

    /// Whether perft tells the count for each ply up to the last instead of
    /// for each root move.
    const PERFT_BY_PLY: bool = false;

    /// What `help` prints.
    const HELP: &'static [&'static str] = &[];
}
