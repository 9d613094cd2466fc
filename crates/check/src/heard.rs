//! What an engine said about a search, kept as values.

use std::time::{Duration, Instant};

use quadrille_games::AnyLine;
use quadrille_protocol::{Bound, Dialect, Info, InfoItem, ScoreValue, Text, Wdl};

use super::fair::Spent;
use quadrille_client::moves::{Understood, understand};
use quadrille_driver::NamedMove;

/// An `info` line about a search.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// Since `go`.
    pub(super) at: Duration,
    pub(super) depth: Option<u64>,
    pub(super) seldepth: Option<u64>,
    /// As the engine tells it.
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) nps: Option<u64>,
    pub(super) multipv: Option<u64>,
    pub(super) score: Option<Told>,
    pub(super) wdl: Option<Wdl>,
    pub(super) pv: Option<Vec<String>>,
    pub(super) currmove: Option<String>,
    pub(super) currline: bool,
    pub(super) refutation: bool,
    /// Nothing but text.
    pub(super) is_text: bool,
}

/// A score that was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    /// In moves, in whatever form the dialect has for it.
    pub(super) mate: Option<i64>,
    /// In centipawns or units.
    pub(super) cp: Option<i64>,
    pub(super) bound: Option<Bound>,
}

impl Told {
    /// Which is better for the engine is greater.
    pub(super) fn rank(self) -> i64 {
        match self.mate {
            Some(moves) if moves > 0 => 1_000_000 - moves.min(1000),
            Some(moves) => -1_000_000 - moves.max(-1000),
            None => self.cp.unwrap_or(0).clamp(-900_000, 900_000),
        }
    }

    pub(super) fn words(self) -> String {
        let bound = match self.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        };
        match (self.mate, self.cp) {
            (Some(moves), _) => format!("mate {moves}{bound}"),
            (None, Some(cp)) => format!("cp {cp}{bound}"),
            (None, None) => format!("no value{bound}"),
        }
    }
}

impl Heard {
    pub(super) fn read(info: &Info<'_>, dialect: Dialect, at: Duration) -> Self {
        let score = info.get_score().map(|score| Told {
            mate: score.mate_in(dialect),
            cp: match score.value() {
                Some(ScoreValue::Cp(cp)) => Some(cp),
                _ => score.to_cp(dialect),
            },
            bound: score.bound(),
        });
        let words = |moves: quadrille_protocol::Moves<'_>| {
            moves.iter().map(|text| text.to_string()).collect()
        };
        Self {
            at,
            depth: info.get_depth(),
            seldepth: info.get_seldepth(),
            time: info
                .get_time()
                .map(|time| Duration::from_micros(time.micros())),
            nodes: info.get_nodes(),
            nps: info.get_nps(),
            multipv: info.get_multipv(),
            score,
            wdl: info.get_wdl(),
            pv: info.get_pv().map(words),
            currmove: info.get_currmove().map(|text| text.to_string()),
            currline: info.get_currline().is_some(),
            refutation: info.get_refutation().is_some(),
            is_text: !info.is_about_search()
                || info
                    .items
                    .iter()
                    .all(|item| matches!(item, InfoItem::String(_))),
        }
    }

    /// The number of the line, which may be left out with one.
    pub(super) fn number(&self) -> u64 {
        self.multipv.unwrap_or(1)
    }
}

/// How a search came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With `bestmove`, before it was told to stop.
    Itself,
    /// With `bestmove`, after it was told to stop.
    Stopped,
    /// Not at all, not even after `stop`.
    Never,
    /// With the engine.
    Died,
}

/// What a search came to.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) end: End,
    /// The words behind `bestmove`.
    pub(super) said: Option<String>,
    /// The move, if it is one.
    pub(super) best: Option<NamedMove>,
    /// From `go` to `bestmove`.
    pub(super) spent: Spent,
    pub(super) infos: Vec<Heard>,
}

impl Answer {
    pub(super) fn none(end: End) -> Self {
        Self {
            end,
            said: None,
            best: None,
            spent: Spent::default(),
            infos: Vec::new(),
        }
    }

    /// Whether it ended as a search with a limit should.
    pub(super) fn is_timely(&self) -> bool {
        self.end == End::Itself
    }

    pub(super) fn is_legal(&self) -> bool {
        self.best.is_some()
    }

    /// The most nodes that were told.
    pub(super) fn nodes(&self) -> Option<u64> {
        self.infos.iter().filter_map(|heard| heard.nodes).max()
    }

    /// What was odd about the end, in words.
    pub(super) fn words(&self) -> String {
        match (self.end, &self.said) {
            (End::Itself, Some(said)) => format!("bestmove {said}"),
            (End::Stopped, Some(said)) => {
                format!("no bestmove until stop was sent; then bestmove {said}")
            }
            (End::Itself | End::Stopped, None) => "bestmove without a move".into(),
            (End::Never, _) => "no bestmove, not even after stop".into(),
            (End::Died, _) => "the engine ended during the search".into(),
        }
    }

    /// The last lines with a best line, one for each number, best first.
    pub(super) fn last_lines(&self) -> Vec<&Heard> {
        let mut last: Vec<&Heard> = Vec::new();
        for heard in self.infos.iter().filter(|heard| heard.pv.is_some()) {
            match last.iter_mut().find(|old| old.number() == heard.number()) {
                Some(old) => *old = heard,
                None => last.push(heard),
            }
        }
        last.sort_by_key(|heard| heard.number());
        last
    }

    /// The last score of the first line; an exact one if there is any.
    pub(super) fn score(&self) -> Option<Told> {
        let first = |heard: &&Heard| heard.number() == 1 && heard.score.is_some();
        let mut scores = self.infos.iter().filter(first).rev();
        let all: Vec<Told> = scores.by_ref().filter_map(|heard| heard.score).collect();
        let exact = all.iter().find(|told| told.bound.is_none());
        exact.or(all.first()).copied()
    }
}

/// A search that runs.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) root: AnyLine,
    pub(super) since: Instant,
    pub(super) infos: Vec<Heard>,
    /// `stop` was sent.
    pub(super) stopped: bool,
    /// What it was restricted to, as moves of the root.
    pub(super) only: Vec<String>,
    /// The depth that was asked for.
    pub(super) depth: Option<u64>,
    /// Numbers and moves that were told of the iteration of a depth.
    pub(super) numbered: (Option<u64>, Vec<(u64, String)>),
}

/// Reads a move of an engine; `None` for what cannot be played.
pub(super) fn playable(line: &AnyLine, text: &str) -> Option<NamedMove> {
    match understand(line, Text::from(text)) {
        Understood::Move(found, _) => Some(found),
        Understood::Null | Understood::Illegal(_) => None,
    }
}
