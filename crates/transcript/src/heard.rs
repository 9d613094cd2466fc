//! A tape as a protocol hears it: messages, what was odd about them, and what was
//! out of place in the conversation.

use std::fmt::Write as _;
use std::time::Duration;

use quadrille_protocol::{
    BestMove, Code, Command, Dialect, HostSide, Info, InfoItem, OptionLine, Owed, Report, Severity,
};
use serde_json::Value;

use super::entry::{Event, LeftOut, Tape};
use super::lines::{Line, Moment};
use quadrille_driver::Speaker;

/// Something that was odd about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odd {
    /// Its stable word.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was wrong, for people.
    pub sentence: String,
    /// Where the rule stands.
    pub clause: &'static str,
}

impl From<Code> for Odd {
    fn from(code: Code) -> Self {
        Self {
            code: code.as_str(),
            severity: code.severity(),
            sentence: code.sentence().into(),
            clause: code.clause(),
        }
    }
}

/// A line or an event of a tape, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// Since the tape began.
    pub at: Duration,
    /// Who said it; nothing for an event.
    pub speaker: Option<Speaker>,
    /// The line as it was said, or the event in words.
    pub text: String,
    /// What the message means, in a few words; empty where the line says it.
    pub meaning: String,
    /// The message as a value.
    pub message: Value,
    /// What was odd about it.
    pub odd: Vec<Odd>,
}

/// A whole tape, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// In which dialect.
    pub dialect: Dialect,
    /// Everything, in order.
    pub heard: Vec<Heard>,
    /// What was owed at the end.
    pub owed: Owed,
    /// Oddities that belong to no line.
    pub odd: Vec<Odd>,
}

impl Conversation {
    /// Everything odd with the place where it was, the end of the tape last.
    pub fn oddities(&self) -> impl Iterator<Item = (Option<&Heard>, &Odd)> {
        let lines = self.heard.iter();
        let of_lines = lines.flat_map(|heard| heard.odd.iter().map(move |odd| (Some(heard), odd)));
        of_lines.chain(self.odd.iter().map(|odd| (None, odd)))
    }

    /// The worst of it.
    pub fn worst(&self) -> Option<Severity> {
        self.oddities().map(|(_, odd)| odd.severity).max()
    }
}

impl Tape {
    /// The dialect that the head names, or that the first word of the host shows.
    pub fn dialect(&self) -> Dialect {
        if let Some(known) = self.fact("dialect").and_then(|word| word.parse().ok()) {
            return known;
        }
        let first = self.lines().find(|line| line.speaker == Speaker::Host);
        match first {
            Some(line) if line.text().trim_ascii() == b"ugi" => Dialect::Ugi,
            _ => Dialect::Uci,
        }
    }

    /// Reads the conversation.
    pub fn conversation(&self, dialect: Dialect) -> Conversation {
        let mut listener = Listener::new(dialect);
        let moments = self.moments();
        let heard = moments.iter().map(|moment| listener.hear(moment)).collect();
        let mut odd = listener.end();
        odd.extend(self.left_out.as_ref().map(Odd::left_out));
        odd.extend(self.odd.iter().map(|line| Odd::bad_line(*line)));
        odd.extend(self.cut.then(Odd::cut));
        Conversation {
            dialect,
            heard,
            owed: listener.owed(),
            odd,
        }
    }
}

/// Follows a conversation line by line.
#[derive(Debug, Clone)]
pub struct Listener {
    talk: HostSide,
    /// The engine has ended.
    over: bool,
    is_empty: bool,
}

impl Listener {
    /// At the start of a conversation.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            talk: HostSide::new(dialect),
            over: false,
            is_empty: true,
        }
    }

    /// What the next line or event means, and what is odd about it.
    pub fn hear(&mut self, moment: &Moment) -> Heard {
        self.is_empty = false;
        match moment {
            Moment::Line(line) => match line.speaker {
                Speaker::Host => command(line, &mut self.talk),
                Speaker::Engine => report(line, &mut self.talk),
            },
            Moment::Event(at, event) => {
                self.over |= matches!(event, Event::Ended(_) | Event::EngineClosed);
                happened(*at, event)
            }
        }
    }

    /// What the engine owes now.
    pub fn owed(&self) -> Owed {
        self.talk.owed()
    }

    /// What is odd about the end, once everything was heard.
    pub fn end(&self) -> Vec<Odd> {
        let mut odd = Vec::new();
        if self.is_empty {
            odd.push(Odd {
                code: "tape-empty",
                severity: Severity::Error,
                sentence: "there is nothing on the tape: no line of a host or an engine".into(),
                clause: "docs/tape.md",
            });
        }
        let owed = self.owed();
        // After `quit`, and where the tape simply stops, nothing can be held against
        // the engine.
        let quit = self.talk.phase() == quadrille_protocol::Phase::Over;
        if self.over && !quit {
            let missing = [
                (owed.handshake, "uciok"),
                (owed.readyok > 0, "readyok"),
                (owed.bestmove > 0, "bestmove"),
            ];
            for (_, word) in missing.iter().filter(|(missing, _)| *missing) {
                odd.push(Odd {
                    code: "ended-owing",
                    severity: Severity::Error,
                    sentence: format!("the engine ended without the {word} that it owed"),
                    clause: "UCI, uci, isready and go: each is answered",
                });
            }
        }
        odd
    }
}

impl Odd {
    /// A line of the file is no line of a tape.
    pub fn bad_line(number: u64) -> Self {
        Self {
            code: "tape-line",
            severity: Severity::Error,
            sentence: format!("line {number} of the file is no line of a tape"),
            clause: "docs/tape.md",
        }
    }

    /// The head has more facts than are read.
    pub fn left_out(left_out: &LeftOut) -> Self {
        Self {
            code: "tape-head",
            severity: Severity::Error,
            sentence: left_out.to_string(),
            clause: "docs/tape.md",
        }
    }

    /// The file ends within a line.
    pub fn cut() -> Self {
        Self {
            code: "tape-cut",
            severity: Severity::Note,
            sentence: "the tape ends in the middle of a line".into(),
            clause: "docs/tape.md",
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn command(line: &Line, talk: &mut HostSide) -> Heard {
    let parsed = Command::parse(line.text(), talk.dialect());
    let mut odd: Vec<Odd> = parsed.diagnostics().iter().map(|d| d.code.into()).collect();
    odd.extend(
        talk.sent(&parsed.message)
            .iter()
            .map(|code| Odd::from(*code)),
    );
    Heard {
        at: line.at,
        speaker: Some(Speaker::Host),
        text: lossy(&line.bytes),
        meaning: asked(&parsed.message),
        message: serde_json::to_value(&parsed.message).unwrap_or_default(),
        odd,
    }
}

fn report(line: &Line, talk: &mut HostSide) -> Heard {
    let dialect = talk.dialect();
    let parsed = Report::parse(line.text(), dialect);
    let mut odd: Vec<Odd> = parsed.diagnostics().iter().map(|d| d.code.into()).collect();
    odd.extend(
        talk.received(&parsed.message)
            .iter()
            .map(|code| Odd::from(*code)),
    );
    Heard {
        at: line.at,
        speaker: Some(Speaker::Engine),
        text: lossy(&line.bytes),
        meaning: told(&parsed.message, dialect),
        message: serde_json::to_value(&parsed.message).unwrap_or_default(),
        odd,
    }
}

fn happened(at: Duration, event: &Event) -> Heard {
    let text = match event {
        Event::HostClosed => "the host closed its side".into(),
        Event::EngineClosed => "the engine closed its side".into(),
        Event::Ended(how) => format!("the engine ended: {how}"),
        // Lines are moments of their own.
        Event::Said { bytes, .. } => lossy(bytes),
    };
    Heard {
        at,
        speaker: None,
        text,
        meaning: String::new(),
        message: Value::Null,
        odd: Vec::new(),
    }
}

/// What a command asks, where its words need an explanation.
fn asked(command: &Command<'_>) -> String {
    match command {
        Command::Position(position) => {
            let moves = position.moves.map_or(0, |moves| moves.iter().count());
            match moves {
                0 => String::new(),
                1 => "1 move played".into(),
                moves => format!("{moves} moves played"),
            }
        }
        Command::SetOption(set) if set.value.is_none() => "press a button".into(),
        Command::Unknown(_) => "no command that is known".into(),
        _ => String::new(),
    }
}

/// What an engine told.
fn told(report: &Report<'_>, dialect: Dialect) -> String {
    match report {
        Report::Info(info) => info_words(info, dialect),
        Report::BestMove(BestMove { best, ponder, .. }) => match (best, ponder) {
            (Some(best), Some(ponder)) => format!("plays {best}, expects {ponder}"),
            (Some(best), None) => format!("plays {best}"),
            (None, _) => "no move".into(),
        },
        Report::Option(option) => option_words(option),
        _ => String::new(),
    }
}

fn info_words(info: &Info<'_>, dialect: Dialect) -> String {
    let mut words = Vec::new();
    for item in &info.items {
        words.push(match item {
            InfoItem::Depth(depth) => format!("depth {depth}"),
            InfoItem::Score(score) => match (score.mate_in(dialect), score.to_cp(dialect)) {
                (Some(mate), _) => format!("mate in {mate}"),
                (None, Some(cp)) => format!("{:+.2}", cp as f64 / 100.0),
                _ => continue,
            },
            InfoItem::MultiPv(line) if *line > 1 => format!("line {line}"),
            InfoItem::Pv(moves) => match moves.iter().next() {
                Some(first) => format!("best {first}, {} plies", moves.iter().count()),
                None => continue,
            },
            _ => continue,
        });
    }
    words.join(", ")
}

fn option_words(option: &OptionLine<'_>) -> String {
    let (Some(name), Some(kind)) = (option.name(), option.kind()) else {
        return String::new();
    };
    let mut words = format!("{name}: {}", kind.word());
    if let (Some(min), Some(max)) = (option.min(), option.max()) {
        let _ = write!(words, " {min}..{max}");
    }
    if let Some(value) = option.default_value() {
        let _ = write!(words, ", {value} by default");
    }
    words
}
