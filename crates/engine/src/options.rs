//! What can be set: what an option means, what values it takes, and the values
//! it has.
//!
//! A dialect offers a list of [`Offer`]s under names of its own; what setting
//! one does is the same everywhere and stands here once.

use std::time::Duration;

use quadrille_games::gyges::MoveStyle;
use quadrille_protocol::{Decimal, OptionItem, OptionLine, OptionType, Text};

/// What an option is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Id {
    /// Size of the transposition table in mebibytes.
    Hash,
    /// Forget everything learnt from earlier searches.
    ClearHash,
    /// Number of search threads.
    Threads,
    /// Number of best lines to report.
    MultiPv,
    /// The host may ask us to ponder. We always can; nothing else changes.
    Ponder,
    /// Play from the book.
    OwnBook,
    /// Which book; empty for the one that comes with the program.
    BookFile,
    /// Time lost on the way to the host and back, in milliseconds.
    Overhead,
    /// Castling is written as the king taking its rook.
    Chess960,
    /// The host analyses: neither book nor limited strength.
    AnalyseMode,
    /// Play with the strength of [`Id::Elo`].
    LimitStrength,
    /// How strong.
    Elo,
    /// Start of the random numbers; 0 takes another one every time.
    Seed,
    /// Send chances with each score.
    ShowWdl,
    /// Send the line that is being searched.
    ShowCurrLine,
    /// Send root moves with their refutations.
    ShowRefutations,
    /// Who plays against us. Accepted and not used: we play everybody alike.
    Opponent,
    /// Who we are. What the host sets is ignored.
    About,
    /// Give a position a value of one's own.
    SetPositionValue,
    /// Where the endgame tables are.
    SyzygyPath,
    /// Probe with at most so many pieces.
    SyzygyProbeLimit,
    /// Whether the fifty-move rule counts.
    Syzygy50MoveRule,
    /// Which rules are played.
    Rules,
    /// UGI: depth limit; 0 is none.
    MaxPly,
    /// UGI: seconds for a move; 0 is no limit.
    MaxTime,
    /// UGI: node limit; 0 is none.
    MaxNodes,
    /// UGI: answer any move that does not lose at once.
    Randomize,
    /// UGI: how moves are written.
    MoveFormat,
}

/// What values an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// True or false; the default.
    Check(bool),
    /// A whole number: default, smallest, largest.
    Spin(i64, i64, i64),
    /// One of several words: the default and all of them.
    Combo(&'static str, &'static [&'static str]),
    /// Something to press.
    Button,
    /// Any text; the default.
    Text(&'static str),
    /// A time in seconds, fractions allowed (UGI only).
    Seconds,
}

/// An option as a dialect offers it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) id: Id,
    /// The name that is announced.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Another name that is understood.
    pub(crate) alias: &'static str,
}

impl Offer {
    pub(crate) const fn new(id: Id, name: &'static str, kind: Kind) -> Self {
        Self {
            id,
            name,
            kind,
            alias: "",
        }
    }

    /// The same, understood under another name too.
    pub(crate) const fn or(self, alias: &'static str) -> Self {
        Self { alias, ..self }
    }

    /// Whether this name means the option. Names are compared without regard
    /// to case, and a run of blanks is one blank.
    pub(crate) fn answers_to(&self, name: Text<'_>) -> bool {
        let same = |own: &str| {
            let words = name.as_bytes().split(u8::is_ascii_whitespace);
            let said = words.filter(|word| !word.is_empty());
            own.split(' ')
                .map(|word| word.as_bytes().to_ascii_lowercase())
                .eq(said.map(<[u8]>::to_ascii_lowercase))
        };
        same(self.name) || (!self.alias.is_empty() && same(self.alias))
    }

    /// The line that announces it.
    pub(crate) fn line(&self) -> OptionLine<'static> {
        match self.kind {
            Kind::Check(default) => OptionLine::check(self.name, default),
            Kind::Spin(default, min, max) => OptionLine::spin(self.name, default, min, max),
            Kind::Combo(default, values) => OptionLine::combo(self.name, default, values),
            Kind::Button => OptionLine::button(self.name),
            Kind::Text(default) => OptionLine::string(self.name, default),
            Kind::Seconds => OptionLine {
                items: [
                    OptionItem::Name(Text::from(self.name)),
                    OptionItem::Type(OptionType::String),
                ]
                .into_iter()
                .collect(),
            },
        }
    }

    /// Reads a value for it, held within its range. The second part says what
    /// had to be changed about it.
    fn read(&self, value: &str) -> Result<(Setting, Option<String>), String> {
        let name = self.name;
        match self.kind {
            Kind::Check(_) => match value.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" | "yes" => Ok((Setting::Flag(true), None)),
                "false" | "0" | "off" | "no" => Ok((Setting::Flag(false), None)),
                _ => Err(format!("option {name} is true or false, not '{value}'")),
            },
            Kind::Spin(_, min, max) => {
                let number: i64 = value
                    .parse()
                    .map_err(|_| format!("option {name} is a whole number, not '{value}'"))?;
                let held = number.clamp(min, max);
                let note = (held != number)
                    .then(|| format!("option {name} goes from {min} to {max}; {held} it is"));
                Ok((Setting::Number(held), note))
            }
            Kind::Combo(_, values) => {
                let found = values
                    .iter()
                    .find(|known| known.eq_ignore_ascii_case(value));
                let word = found.ok_or_else(|| {
                    let known = values.join(", ");
                    format!("option {name} is one of {known}, not '{value}'")
                })?;
                Ok((Setting::Words((*word).into()), None))
            }
            Kind::Button => Ok((Setting::Flag(true), None)),
            Kind::Text(_) => {
                let text = if value == "<empty>" { "" } else { value };
                Ok((Setting::Words(text.into()), None))
            }
            Kind::Seconds => {
                let seconds = Decimal::read(value.as_bytes()).ok_or_else(|| {
                    format!("option {name} is a number of seconds, not '{value}'")
                })?;
                Ok((Setting::Number(seconds.thousandths().max(0)), None))
            }
        }
    }
}

/// A value that was read.
enum Setting {
    Flag(bool),
    Number(i64),
    Words(String),
}

/// What the session has to do after an option was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: the value is looked up when it is needed.
    Nothing,
    /// Size of the table or number of threads: before the next search.
    Resize,
    /// Forget what was learnt.
    Forget,
    /// Open this book.
    Book(String),
    /// Play by these rules.
    Rules(String),
    /// Do what this says about the value of a position.
    Value(String),
    /// Open, close or limit endgame tables.
    Tables,
}

/// The values of all options.
// Each flag is an option of its own: no two of them form one state.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    pub(crate) lines: usize,
    pub(crate) own_book: bool,
    pub(crate) overhead: Duration,
    pub(crate) analyse: bool,
    pub(crate) limit_strength: bool,
    pub(crate) elo: i64,
    pub(crate) seed: u64,
    pub(crate) wdl: bool,
    pub(crate) current_line: bool,
    pub(crate) refutations: bool,
    pub(crate) syzygy_path: String,
    pub(crate) syzygy_limit: usize,
    pub(crate) syzygy_50: bool,
    pub(crate) max_ply: Option<u32>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) max_nodes: Option<u64>,
    pub(crate) randomize: bool,
    pub(crate) style: MoveStyle,
}

impl Options {
    /// The defaults of a list of offers.
    pub(crate) fn new(offers: &[Offer]) -> Self {
        let mut options = Self {
            hash: 16,
            threads: 1,
            lines: 1,
            own_book: false,
            overhead: Duration::from_millis(10),
            analyse: false,
            limit_strength: false,
            elo: 0,
            seed: 0,
            wdl: false,
            current_line: false,
            refutations: false,
            syzygy_path: String::new(),
            syzygy_limit: 7,
            syzygy_50: true,
            max_ply: None,
            max_time: None,
            max_nodes: None,
            randomize: false,
            style: MoveStyle::default(),
        };
        for offer in offers {
            match offer.kind {
                Kind::Check(default) => options.store(offer.id, Setting::Flag(default)),
                Kind::Spin(default, ..) => options.store(offer.id, Setting::Number(default)),
                _ => Effect::Nothing,
            };
        }
        options
    }

    /// Sets an option: what follows from it, and a note for the host if the
    /// value had to be changed. Nothing changes if the value cannot be read.
    pub(crate) fn set(
        &mut self,
        offer: &Offer,
        value: Option<&str>,
    ) -> Result<(Effect, Option<String>), String> {
        let value = match (value, offer.kind) {
            (Some(value), _) => value.trim(),
            (None, Kind::Button | Kind::Text(_)) => "",
            (None, _) => return Err(format!("option {} needs a value", offer.name)),
        };
        let (setting, note) = offer.read(value)?;
        Ok((self.store(offer.id, setting), note))
    }

    fn store(&mut self, id: Id, setting: Setting) -> Effect {
        match setting {
            Setting::Flag(flag) => self.store_flag(id, flag),
            Setting::Number(number) => self.store_number(id, number),
            Setting::Words(words) => self.store_words(id, words),
        }
    }

    fn store_flag(&mut self, id: Id, flag: bool) -> Effect {
        match id {
            Id::ClearHash => return Effect::Forget,
            Id::OwnBook => self.own_book = flag,
            Id::AnalyseMode => self.analyse = flag,
            Id::LimitStrength => self.limit_strength = flag,
            Id::ShowWdl => self.wdl = flag,
            Id::ShowCurrLine => self.current_line = flag,
            Id::ShowRefutations => self.refutations = flag,
            Id::Randomize => self.randomize = flag,
            Id::Chess960 => {
                return Effect::Rules(if flag { "chess960" } else { "standard" }.into());
            }
            Id::Syzygy50MoveRule => {
                self.syzygy_50 = flag;
                return Effect::Tables;
            }
            // `Ponder` changes nothing: we ponder when told to.
            _ => {}
        }
        Effect::Nothing
    }

    fn store_number(&mut self, id: Id, number: i64) -> Effect {
        let positive = number.unsigned_abs();
        match id {
            Id::Hash => {
                self.hash = positive as usize;
                return Effect::Resize;
            }
            Id::Threads => {
                self.threads = positive as usize;
                return Effect::Resize;
            }
            Id::MultiPv => self.lines = positive as usize,
            Id::Overhead => self.overhead = Duration::from_millis(positive),
            Id::Elo => self.elo = number,
            Id::Seed => self.seed = positive,
            Id::MaxPly => self.max_ply = (positive > 0).then_some(positive as u32),
            Id::MaxNodes => self.max_nodes = (positive > 0).then_some(positive),
            Id::MaxTime => {
                self.max_time = (positive > 0).then(|| Duration::from_millis(positive));
            }
            Id::SyzygyProbeLimit => {
                self.syzygy_limit = positive as usize;
                return Effect::Tables;
            }
            _ => {}
        }
        Effect::Nothing
    }

    fn store_words(&mut self, id: Id, words: String) -> Effect {
        match id {
            Id::BookFile => return Effect::Book(words),
            Id::Rules => return Effect::Rules(words),
            Id::SetPositionValue => return Effect::Value(words),
            Id::SyzygyPath => {
                self.syzygy_path = words;
                return Effect::Tables;
            }
            Id::MoveFormat => {
                self.style = if words == "pairs" {
                    MoveStyle::Pairs
                } else {
                    MoveStyle::Squares
                };
            }
            // `UCI_Opponent` and `UCI_EngineAbout` change nothing.
            _ => {}
        }
        Effect::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: Offer = Offer::new(Id::Hash, "Hash", Kind::Spin(16, 1, 1024)).or("hashmeg");
    const CLEAR: Offer = Offer::new(Id::ClearHash, "Clear Hash", Kind::Button);

    #[test]
    fn names_are_compared_without_case_and_with_single_blanks() {
        assert!(CLEAR.answers_to(Text::from("clear \t HASH")));
        assert!(!CLEAR.answers_to(Text::from("clearhash")));
        assert!(HASH.answers_to(Text::from("HashMeg")));
    }

    #[test]
    fn numbers_are_held_in_their_range() {
        let mut options = Options::new(&[HASH]);
        assert_eq!(options.hash, 16);
        let (effect, note) = options.set(&HASH, Some("99999")).unwrap();
        assert_eq!((effect, options.hash), (Effect::Resize, 1024));
        assert!(note.unwrap().contains("1 to 1024"));
        assert!(options.set(&HASH, Some("many")).is_err());
        assert!(options.set(&HASH, None).is_err());
        assert_eq!(options.hash, 1024);
        assert_eq!(options.set(&CLEAR, None).unwrap().0, Effect::Forget);
    }

    #[test]
    fn seconds_take_fractions() {
        let time = Offer::new(Id::MaxTime, "maxTime", Kind::Seconds);
        let mut options = Options::new(&[time]);
        options.set(&time, Some("0.25")).unwrap();
        assert_eq!(options.max_time, Some(Duration::from_millis(250)));
        options.set(&time, Some("0")).unwrap();
        assert_eq!(options.max_time, None);
        assert!(options.set(&time, Some("soon")).is_err());
    }
}
