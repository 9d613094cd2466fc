//! What a search tells about itself, as values that can be kept.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::{Dialect, HashFull, Info, Report, Score, Text, Wdl};
use serde::Serialize;

use crate::moves::in_our_view;

/// More best lines than this are not kept.
const MOST_LINES: u64 = 500;

/// More moves of a line than this are not kept.
const MOST_MOVES: usize = 1000;

/// One `info` line.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct InfoLine {
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The longest line, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u64>,
    /// The number of the line among several best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multipv: Option<u64>,
    /// The score, seen from the engine.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_score")]
    pub score: Option<Score>,
    /// Chances, seen from the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// The time as the engine counts it.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "crate::serial::some_millis::serialize"
    )]
    pub time: Option<Duration>,
    /// Positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Positions in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<u64>,
    /// Tablebase hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// The move that is searched now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currmove: Option<String>,
    /// Its number, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currmovenumber: Option<u64>,
    /// The best line as the engine wrote it, with one blank between moves;
    /// nothing in it has been checked. Only the second player's moves in Gyges
    /// are turned to our view.
    #[serde(skip_serializing_if = "String::is_empty", serialize_with = "as_list")]
    pub pv: String,
    /// A message for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub string: Option<String>,
}

/// `{"cp": 35}`, `{"mate": -3}` or `{"units": 1.5}`, as in records of games, and a
/// `bound` where it is only that.
#[expect(clippy::ref_option, reason = "the form that serde asks for")]
fn as_score<S: serde::Serializer>(score: &Option<Score>, to: S) -> Result<S::Ok, S::Error> {
    use quadrille_protocol::ScoreValue;
    use serde::ser::SerializeMap;
    let Some(score) = score else {
        return to.serialize_none();
    };
    let mut map = to.serialize_map(None)?;
    match score.value() {
        Some(ScoreValue::Cp(cp)) => map.serialize_entry("cp", &cp)?,
        Some(ScoreValue::Mate(moves)) => map.serialize_entry("mate", &moves)?,
        Some(ScoreValue::Units(units)) => {
            let number: Option<f64> = units.to_string().parse().ok();
            map.serialize_entry("units", &number)?;
        }
        None => {}
    }
    if let Some(bound) = score.bound() {
        map.serialize_entry("bound", &bound)?;
    }
    map.end()
}

fn as_list<S: serde::Serializer>(pv: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(pv.split(' '))
}

impl InfoLine {
    /// The moves of the best line, one by one.
    pub fn pv_moves(&self) -> impl Iterator<Item = &str> {
        self.pv.split_ascii_whitespace()
    }

    /// Reads a line about a search at the end of `line`.
    pub fn read(info: &Info<'_>, line: &AnyLine) -> Self {
        let text = |text: Text<'_>| in_our_view(line, &text.to_string()).into_owned();
        let mut pv = String::new();
        for m in info.get_pv().into_iter().flatten().take(MOST_MOVES) {
            if !pv.is_empty() {
                pv.push(' ');
            }
            let said = String::from_utf8_lossy(m.as_bytes());
            pv.push_str(&in_our_view(line, &said));
        }
        Self {
            depth: info.get_depth(),
            seldepth: info.get_seldepth(),
            multipv: info.get_multipv(),
            score: info.get_score(),
            wdl: info.get_wdl(),
            time: info.get_time().map(|t| Duration::from_micros(t.micros())),
            nodes: info.get_nodes(),
            nps: info.get_nps(),
            hashfull: info.get_hashfull().map(HashFull::permill),
            tbhits: info.get_tbhits(),
            currmove: info.get_currmove().map(text),
            currmovenumber: info.get_currmovenumber().or(info.get_move_no()),
            pv,
            string: info.get_string().map(|text| text.to_string()),
        }
    }

    /// What this line does not say, from an earlier one.
    fn fill(&mut self, earlier: &Self) {
        self.depth = self.depth.or(earlier.depth);
        self.seldepth = self.seldepth.or(earlier.seldepth);
        self.time = self.time.or(earlier.time);
        self.nodes = self.nodes.or(earlier.nodes);
        self.nps = self.nps.or(earlier.nps);
        self.hashfull = self.hashfull.or(earlier.hashfull);
        self.tbhits = self.tbhits.or(earlier.tbhits);
    }
}

/// The last line for each of the best lines, as bytes: reading them into values
/// is left to the end of the search, because most are overwritten before.
#[derive(Debug, Default)]
pub struct LastLines {
    lines: Vec<Kept>,
    /// The last line with numbers and without a score: some engines send
    /// depth and time on a line of their own.
    numbers: Vec<u8>,
    /// The first move of the last best line, whether its score was exact or
    /// only a bound.
    head: Vec<u8>,
    /// How many `info` lines came.
    pub count: u64,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    exact: bool,
}

impl LastLines {
    /// Forgets everything, before a search.
    pub fn clear(&mut self) {
        for kept in &mut self.lines {
            kept.bytes.clear();
        }
        self.numbers.clear();
        self.head.clear();
        self.count = 0;
    }

    /// Records an `info` line, as bytes and as it was parsed.
    pub fn keep(&mut self, line: &[u8], info: &Info<'_>) {
        self.count += 1;
        let score = info.get_score();
        if score.is_none() && info.get_pv().is_none() {
            let current = info.get_currmove().is_some();
            if !current && (info.get_depth().is_some() || info.get_nodes().is_some()) {
                replace(&mut self.numbers, line);
            }
            return;
        }
        let number = info.get_multipv().unwrap_or(1);
        if !(1..=MOST_LINES).contains(&number) {
            return;
        }
        if number == 1
            && let Some(head) = info.get_pv().and_then(|pv| pv.iter().next())
        {
            replace(&mut self.head, head.as_bytes());
        }
        let index = number as usize - 1;
        if self.lines.len() <= index {
            self.lines.resize_with(index + 1, Kept::default);
        }
        let kept = &mut self.lines[index];
        let exact = score.is_some_and(|score| score.bound().is_none());
        // A bound says less than the exact score before it.
        if exact || !kept.exact || kept.bytes.is_empty() {
            kept.exact = exact;
            replace(&mut kept.bytes, line);
        }
    }

    /// The first move of the last best line.
    pub fn head(&self, line: &AnyLine) -> Option<String> {
        let text = String::from_utf8_lossy(&self.head);
        (!text.is_empty()).then(|| in_our_view(line, &text).into_owned())
    }

    /// Whether there was a score, and never an exact one.
    pub fn only_bounds(&self) -> Option<&[u8]> {
        let first = self.lines.first().filter(|kept| !kept.bytes.is_empty())?;
        (!first.exact).then_some(&first.bytes)
    }

    /// Reads what was recorded: one line for each rank, the best first.
    pub fn read(&self, dialect: Dialect, line: &AnyLine) -> Vec<InfoLine> {
        let read = |bytes: &[u8]| match Report::parse(bytes, dialect).message {
            Report::Info(info) => Some(InfoLine::read(&info, line)),
            _ => None,
        };
        let numbers = read(&self.numbers);
        let said = self.lines.iter().filter(|kept| !kept.bytes.is_empty());
        let mut lines: Vec<_> = said.filter_map(|kept| read(&kept.bytes)).collect();
        if let Some(numbers) = &numbers {
            for line in &mut lines {
                line.fill(numbers);
            }
        }
        if lines.is_empty() {
            lines.extend(numbers);
        }
        lines
    }
}

fn replace(kept: &mut Vec<u8>, line: &[u8]) {
    kept.clear();
    kept.extend_from_slice(line);
}
