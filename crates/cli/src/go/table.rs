//! A search as a table for people, a row for each best line.

use std::io::{self, Write};
use std::time::Duration;

use quadrille_driver::{Answer, Engine, Event, InfoLine, Outcome};
use quadrille_games::AnyLine;
use quadrille_net::sanitize::printable;
use quadrille_protocol::{Bound, Dialect, Score, ScoreValue};

use super::{Show, notations};
use crate::figure::short;

/// Moves of a line that are shown.
const SHOWN_MOVES: usize = 12;

pub(super) struct Table<W> {
    out: W,
    dialect: Dialect,
    numbered: bool,
    /// Numbers that came on a line of their own.
    numbers: InfoLine,
}

impl<W: Write> Table<W> {
    pub(super) fn new(out: W, multipv: Option<u32>) -> Self {
        Self {
            out,
            dialect: Dialect::Uci,
            numbered: multipv.is_some_and(|count| count > 1),
            numbers: InfoLine::default(),
        }
    }

    fn row(&mut self, info: &InfoLine, line: &AnyLine) -> io::Result<()> {
        let earlier = &self.numbers;
        let depth = match (info.depth.or(earlier.depth), info.seldepth) {
            (Some(depth), Some(longest)) => format!("{depth}/{longest}"),
            (Some(depth), None) => depth.to_string(),
            (None, _) => String::new(),
        };
        let number = match info.multipv {
            Some(number) if self.numbered => format!("{number:>3} "),
            _ => String::new(),
        };
        let score = info.score.map_or(String::new(), |s| score(s, self.dialect));
        let nodes = info.nodes.or(earlier.nodes).map_or(String::new(), short);
        let speed = info.nps.or(earlier.nps).map_or(String::new(), short);
        let time = info.time.or(earlier.time).map_or(String::new(), seconds);
        let moves = notation(line, info);
        writeln!(
            self.out,
            "{number}{depth:>7} {score:>9} {nodes:>8} {speed:>8} {time:>9}  {moves}"
        )
    }
}

impl<W: Write> Show for Table<W> {
    fn start(&mut self, engine: &Engine, line: &AnyLine) -> io::Result<()> {
        self.dialect = engine.dialect();
        writeln!(
            self.out,
            "{} ({})",
            printable(engine.name()),
            engine.dialect()
        )?;
        writeln!(
            self.out,
            "{}, {} to move\n",
            line.position_text(),
            line.side()
        )?;
        let number = if self.numbered { "  # " } else { "" };
        writeln!(
            self.out,
            "{number}{:>7} {:>9} {:>8} {:>8} {:>9}  line",
            "depth", "score", "nodes", "nps", "time"
        )?;
        self.out.flush()
    }

    fn event(&mut self, event: &Event, line: &AnyLine) -> io::Result<()> {
        match event {
            Event::Info(info) if !info.pv.is_empty() || info.score.is_some() => {
                self.row(info, line)?;
            }
            Event::Info(info) => {
                if let Some(text) = &info.string {
                    writeln!(self.out, "{:>7} {}", "", printable(text))?;
                }
                if info.currmove.is_none() {
                    self.numbers = (**info).clone();
                }
            }
            Event::Text(_) => {}
        }
        self.out.flush()
    }

    fn end(&mut self, engine: &Engine, outcome: &Outcome, line: &AnyLine) -> io::Result<()> {
        let (notation, expected) = notations(outcome, line);
        let time = seconds(outcome.elapsed);
        match &outcome.answer {
            Answer::Move(best) => match notation {
                Some(notation) if notation != best.text => {
                    write!(self.out, "\nbest move {notation} ({})", best.text)?;
                }
                _ => write!(self.out, "\nbest move {}", best.text)?,
            },
            Answer::NoMove => write!(self.out, "\nno move: the game is over here")?,
            Answer::Illegal(_) | Answer::TimedOut(_) | Answer::Failed(_) => {
                write!(self.out, "\nno answer that counts")?;
            }
        }
        if let Some(expected) = expected {
            write!(self.out, ", expects {expected}")?;
        }
        writeln!(self.out, ", after {time}")?;
        let findings = engine.findings();
        let mut told = findings.iter().filter(|f| f.is_complaint()).peekable();
        if told.peek().is_some() {
            writeln!(self.out, "\nnoticed:")?;
        }
        for finding in told {
            writeln!(self.out, "  {}", printable(&finding.to_string()))?;
        }
        self.out.flush()
    }
}

/// `+0.35`, `#3`, with a sign in front if it is only a bound.
fn score(score: Score, dialect: Dialect) -> String {
    let bound = match score.bound() {
        Some(Bound::Lower) => ">=",
        Some(Bound::Upper) => "<=",
        None => "",
    };
    if let Some(moves) = score.mate_in(dialect) {
        return format!("{bound}#{moves}");
    }
    match score.value() {
        Some(ScoreValue::Cp(cp)) => format!("{bound}{:+.2}", cp as f64 / 100.0),
        Some(ScoreValue::Units(units)) => format!("{bound}{:+.1}", units.to_f64()),
        Some(ScoreValue::Mate(_)) | None => bound.into(),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// The line as people write it; what cannot be played is shown as it is.
fn notation(line: &AnyLine, info: &InfoLine) -> String {
    let mut after = line.variation();
    let mut words = Vec::new();
    let mut legal = true;
    let mut moves = info.pv_moves();
    for text in moves.by_ref().take(SHOWN_MOVES) {
        let found = after.parse_move(text).ok().filter(|_| legal);
        match found.and_then(|m| after.notation_of(m).ok().zip(after.push(m).ok())) {
            Some((notation, ())) => words.push(notation),
            None => {
                legal = false;
                words.push(format!("{}?", printable(text)));
            }
        }
    }
    if moves.next().is_some() {
        words.push("...".into());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Game;
    use quadrille_protocol::Decimal;

    #[test]
    fn scores_are_seen_at_a_glance() {
        assert_eq!(score(Score::cp(35), Dialect::Uci), "+0.35");
        assert_eq!(score(Score::cp(-135), Dialect::Uci), "-1.35");
        assert_eq!(score(Score::mate(-3), Dialect::Uci), "#-3");
        let bound = Score::cp(35).with_bound(Bound::Lower);
        assert_eq!(score(bound, Dialect::Uci), ">=+0.35");
        let units = Score::units(Decimal::new(12_500, 3));
        assert_eq!(score(units, Dialect::Ugi), "+12.5");
    }

    #[test]
    fn lines_are_written_for_people_as_far_as_they_are_legal() {
        let line = AnyLine::start(Game::Chess);
        let info = InfoLine {
            pv: "e2e4 e7e5 e4e5 g1f3".into(),
            ..InfoLine::default()
        };
        assert_eq!(notation(&line, &info), "e4 e5 e4e5? g1f3?");
    }
}
