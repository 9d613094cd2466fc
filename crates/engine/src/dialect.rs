//! What sets one dialect apart from the others.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::random::SplitMix64;
use quadrille_protocol::{
    BestMove, Bound as BoundWord, Command, Dialect, HashFull, Info, InfoItem, Moves, Report,
    Score as ScoreWord, Text, Time, Wdl,
};
use quadrille_search::{Answer, Bound, EndgameTables, Limits, Playable, Score};

use crate::book::Book;
use crate::options::{Offer, Options};
use crate::outbox::Lines;
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
    pub(crate) pv: &'a PvText,
}

/// A line of play in the dialect's form.
#[derive(Debug, Default)]
pub(crate) struct PvText {
    /// The moves with single blanks between.
    text: String,
    moves: usize,
}

impl PvText {
    pub(crate) fn push(&mut self, m: &str) {
        if self.moves > 0 {
            self.text.push(' ');
        }
        self.text.push_str(m);
        self.moves += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.moves == 0
    }

    /// All of it.
    pub(crate) fn all(&self) -> Moves<'_> {
        Moves::from(self.text.as_str())
    }

    /// The first move.
    pub(crate) fn first(&self) -> Option<&str> {
        self.text.split(' ').next().filter(|m| !m.is_empty())
    }

    /// All moves, or all but the last if their number is even.
    pub(crate) fn odd(&self) -> Moves<'_> {
        match self.text.rsplit_once(' ') {
            Some((shorter, _)) if self.moves.is_multiple_of(2) => Moves::from(shorter),
            _ => self.all(),
        }
    }
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

/// The options of a dialect with their values.
pub(crate) type OptionsOf<P> = Options<<P as Spoken>::Settings>;

/// A game with the dialect in which its engines are spoken to.
///
/// The methods with a body are the common ground: UCI as its text has it.
pub(crate) trait Spoken: Playable {
    /// What can be set in this dialect alone.
    type Settings: Clone + Debug + Default + Send + Sync + 'static;

    /// The dialect.
    const DIALECT: Dialect;
    /// What we call ourselves.
    const TITLE: &'static str;
    /// The options, in the order in which they are announced.
    const OFFERS: &'static [Offer<Self::Settings>];
    /// How strong is how many nodes.
    const LADDER: &'static [Rung];
    /// Whether `bestmove` may carry a move to ponder on.
    const PONDERS: bool;
    /// Whether `register` is answered.
    const REGISTERS: bool = false;
    /// Whether a `go` without any limit lasts until `stop`.
    const PLAIN_GO_IS_INFINITE: bool = true;
    /// Whether there are words for a score that is only a bound.
    const HAS_BOUNDS: bool = true;

    /// Whether this is the dialect's word of greeting.
    fn is_greeting(command: &Command<'_>) -> bool {
        matches!(command, Command::Uci)
    }

    /// What ends the answer to it.
    fn greeted() -> Report<'static> {
        Report::UciOk
    }

    /// The position that `setpos` describes.
    fn setpos(_: Text<'_>, _: &Self::Rules) -> Result<Self, String> {
        Err("setpos is a command of UGI".into())
    }

    /// `id` lines before the name.
    fn introduce(_: &mut Lines<'_>) {}

    /// Rules under which a game goes on that these rules call drawn. A host
    /// that sends further moves, or asks for one, plays by those.
    fn relaxed(_: &Self::Rules) -> Option<Self::Rules> {
        None
    }

    /// Writes a legal move.
    fn write(&self, m: Self::Move, _: &Self::Settings) -> String {
        self.move_text(m)
    }

    /// What is written where there is no move.
    fn no_move(&self) -> String {
        Self::DIALECT.null_move().unwrap_or("0000").into()
    }

    /// Limits that come from options.
    fn limit(_: &Self::Settings, _: &mut Limits<Self::Move>) {}

    /// Whether the host analyses, and wants neither book nor limited strength.
    fn analyses(_: &Self::Settings) -> bool {
        false
    }

    /// Whether the host wants to see root moves with their refutations.
    fn shows_refutations(_: &Self::Settings) -> bool {
        false
    }

    /// Whether moves may come from the book.
    fn plays_from_book(_: &Self::Settings) -> bool {
        false
    }

    /// A last look at the answer, where options want another move than the best.
    fn choose(&self, _: &mut Answer<Self::Move>, _: &Self::Settings, _: &mut SplitMix64) {}

    /// The book that comes with the program.
    fn own_book() -> Option<Book> {
        None
    }

    /// A move from the book.
    fn book_move(&self, _: &mut Book, _: &mut SplitMix64) -> Option<Self::Move> {
        None
    }

    /// Endgame tables as the options name them, and what to say about them.
    fn open_endgame_tables(_: &Self::Settings) -> Result<Option<OpenTables<Self>>, String> {
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
            info.pv(facts.pv.all())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_moves_can_have_an_odd_number_of_words() {
        let mut pv = PvText::default();
        assert!(pv.is_empty() && pv.first().is_none());
        for (m, all, odd) in [
            ("1|2", "1|2", "1|2"),
            ("3|4", "1|2 3|4", "1|2"),
            ("5|6", "1|2 3|4 5|6", "1|2 3|4 5|6"),
        ] {
            pv.push(m);
            assert_eq!((pv.all(), pv.odd()), (Moves::from(all), Moves::from(odd)));
            assert_eq!(pv.first(), Some("1|2"));
        }
    }
}
