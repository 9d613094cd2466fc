//! What can be set: what values an option takes, what setting it does, and the
//! values that all dialects have in common.
//!
//! A dialect lists its [`Offer`]s. Each brings what setting it does, so that an
//! option cannot be offered without meaning something; the common ones stand here
//! under whatever name a dialect gives them, the others in the dialect's own file.

use std::time::Duration;

use quadrille_protocol::{Decimal, OptionItem, OptionLine, OptionType, Text};

/// What the session has to do after an option was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: the value is looked up when it is needed.
    Nothing,
    /// Forget what was learnt.
    Forget,
    /// Open this book; the one that comes with the program if empty.
    Book(String),
    /// Judge positions by the net in this file; by the one that comes with the
    /// program if empty.
    Net(String),
    /// Judge positions by a net or by the hand-written evaluation.
    Evaluation,
    /// Play by these rules.
    Rules(String),
    /// Do what this says about the value of a position.
    PositionValue(String),
    /// Open, close or limit endgame tables.
    #[cfg_attr(not(feature = "syzygy"), expect(dead_code, reason = "there are none"))]
    EndgameTables,
}

/// What judges positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judge {
    /// A net, where the game has one.
    Net,
    HandWritten,
}

/// The values of all options; `own` are those of the dialect alone.
#[derive(Debug, Clone)]
pub(crate) struct Options<S> {
    /// Mebibytes of transposition table.
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    /// How many best lines to report.
    pub(crate) lines: usize,
    /// Time lost on the way to the host and back.
    pub(crate) overhead: Duration,
    /// Play with the strength of `elo`.
    pub(crate) limit_strength: bool,
    pub(crate) elo: i64,
    /// Start of the random numbers; 0 takes another one every time.
    pub(crate) seed: u64,
    /// Send chances with each score.
    pub(crate) wdl: bool,
    /// Send the line that is being searched.
    pub(crate) current_line: bool,
    /// What judges positions.
    pub(crate) judge: Judge,
    pub(crate) own: S,
}

/// What values an option takes, and what setting one does.
pub(crate) enum Kind<S> {
    /// True or false.
    Check {
        default: bool,
        set: fn(&mut Options<S>, bool) -> Effect,
    },
    /// A whole number.
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Options<S>, i64) -> Effect,
    },
    /// One of several words.
    Combo {
        default: &'static str,
        values: &'static [&'static str],
        set: fn(&mut Options<S>, &'static str) -> Effect,
    },
    /// Something to press.
    Button(fn() -> Effect),
    /// Any text.
    Text {
        default: &'static str,
        set: fn(&mut Options<S>, String) -> Effect,
    },
    /// A time in seconds, fractions allowed; 0 is none (UGI only).
    Seconds(fn(&mut Options<S>, Option<Duration>) -> Effect),
}

/// An option as a dialect offers it.
pub(crate) struct Offer<S> {
    /// The name that is announced.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind<S>,
    /// Another name that is understood.
    alias: &'static str,
}

/// An option that was set: what follows, and a note for the host if the value
/// had to be changed.
type Set = (Effect, Option<String>);

impl<S> Offer<S> {
    pub(crate) const fn new(name: &'static str, kind: Kind<S>) -> Self {
        Self {
            name,
            kind,
            alias: "",
        }
    }

    /// The same, understood under another name too.
    pub(crate) const fn or(mut self, alias: &'static str) -> Self {
        self.alias = alias;
        self
    }

    /// Whether this name means the option.
    pub(crate) fn answers_to(&self, name: Text<'_>) -> bool {
        is_named(name, self.name) || (!self.alias.is_empty() && is_named(name, self.alias))
    }

    /// The line that announces it.
    pub(crate) fn line(&self) -> OptionLine<'static> {
        match self.kind {
            Kind::Check { default, .. } => OptionLine::check(self.name, default),
            Kind::Spin {
                default, min, max, ..
            } => OptionLine::spin(self.name, default, min, max),
            Kind::Combo {
                default, values, ..
            } => OptionLine::combo(self.name, default, values),
            Kind::Button(_) => OptionLine::button(self.name),
            Kind::Text { default, .. } => OptionLine::string(self.name, default),
            Kind::Seconds(_) => OptionLine {
                items: [
                    OptionItem::Name(Text::from(self.name)),
                    OptionItem::Type(OptionType::String),
                ]
                .into_iter()
                .collect(),
            },
        }
    }

    /// Reads a value, held within its range, and sets it. Nothing changes if it
    /// cannot be read.
    pub(crate) fn set(&self, options: &mut Options<S>, value: Option<&str>) -> Result<Set, String> {
        let name = self.name;
        let needed = || {
            let value = value.map(str::trim);
            value.ok_or_else(|| format!("option {name} needs a value"))
        };
        match self.kind {
            Kind::Check { set, .. } => match needed()?.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" | "yes" => Ok((set(options, true), None)),
                "false" | "0" | "off" | "no" => Ok((set(options, false), None)),
                _ => Err(format!(
                    "option {name} is true or false, not '{}'",
                    needed()?
                )),
            },
            Kind::Spin { min, max, set, .. } => {
                let (number, note) = read_spin(name, needed()?, min, max)?;
                Ok((set(options, number), note))
            }
            Kind::Combo { values, set, .. } => {
                let value = needed()?;
                let found = values.iter().find(|word| word.eq_ignore_ascii_case(value));
                let word = found.ok_or_else(|| {
                    let known = values.join(", ");
                    format!("option {name} is one of {known}, not '{value}'")
                })?;
                Ok((set(options, word), None))
            }
            Kind::Button(press) => Ok((press(), None)),
            Kind::Text { set, .. } => {
                let text = value.map_or("", str::trim);
                let text = if text == "<empty>" { "" } else { text };
                Ok((set(options, text.into()), None))
            }
            Kind::Seconds(set) => {
                let value = needed()?;
                let seconds = Decimal::read(value.as_bytes()).ok_or_else(|| {
                    format!("option {name} is a number of seconds, not '{value}'")
                })?;
                let millis = seconds.thousandths().max(0).unsigned_abs();
                let time = (millis > 0).then(|| Duration::from_millis(millis));
                Ok((set(options, time), None))
            }
        }
    }
}

/// Whether a name that was sent is this one: compared without regard to case,
/// and a run of blanks is one blank.
pub(crate) fn is_named(sent: Text<'_>, own: &str) -> bool {
    let words = sent.as_bytes().split(u8::is_ascii_whitespace);
    let said = words.filter(|word| !word.is_empty());
    own.split(' ')
        .map(|word| word.as_bytes().to_ascii_lowercase())
        .eq(said.map(<[u8]>::to_ascii_lowercase))
}

/// Reads a whole number and holds it within its range; says if it had to.
pub(crate) fn read_spin(
    name: &str,
    value: &str,
    min: i64,
    max: i64,
) -> Result<(i64, Option<String>), String> {
    let number: i64 = value
        .parse()
        .map_err(|_| format!("option {name} is a whole number, not '{value}'"))?;
    let held = number.clamp(min, max);
    let note =
        (held != number).then(|| format!("option {name} goes from {min} to {max}; {held} it is"));
    Ok((held, note))
}

impl<S: Default> Options<S> {
    /// The defaults of a list of offers. Texts and buttons have no default that
    /// would set anything.
    pub(crate) fn new(offers: &[Offer<S>]) -> Self {
        let mut options = Self {
            hash: 16,
            threads: 1,
            lines: 1,
            overhead: Duration::from_millis(10),
            limit_strength: false,
            elo: 0,
            seed: 0,
            wdl: false,
            current_line: false,
            judge: Judge::Net,
            own: S::default(),
        };
        for offer in offers {
            match offer.kind {
                Kind::Check { default, set } => drop(set(&mut options, default)),
                Kind::Spin { default, set, .. } => drop(set(&mut options, default)),
                Kind::Combo { default, set, .. } => drop(set(&mut options, default)),
                Kind::Button(_) | Kind::Text { .. } | Kind::Seconds(_) => {}
            }
        }
        options
    }
}

/// Size of the transposition table in mebibytes. It is resized before the next
/// search, or by `isready`.
pub(crate) const fn hash<S>(name: &'static str) -> Offer<S> {
    spin(name, (16, 1, 65536), |options, mebibytes| {
        options.hash = mebibytes.unsigned_abs() as usize;
        Effect::Nothing
    })
}

/// Number of search threads.
pub(crate) const fn threads<S>(name: &'static str) -> Offer<S> {
    spin(name, (1, 1, 256), |options, threads| {
        options.threads = threads.unsigned_abs() as usize;
        Effect::Nothing
    })
}

/// Forget everything learnt from earlier searches.
pub(crate) const fn clear_hash<S>(name: &'static str) -> Offer<S> {
    Offer::new(name, Kind::Button(|| Effect::Forget))
}

/// Number of best lines to report.
pub(crate) const fn multi_pv<S>(name: &'static str) -> Offer<S> {
    spin(name, (1, 1, 256), |options, lines| {
        options.lines = lines.unsigned_abs() as usize;
        Effect::Nothing
    })
}

/// The host may ask us to ponder. We always can, so this changes nothing.
pub(crate) const fn ponder<S>(name: &'static str) -> Offer<S> {
    check(name, false, |_, _| Effect::Nothing)
}

/// Time lost on the way to the host and back, in milliseconds.
pub(crate) const fn overhead<S>(name: &'static str) -> Offer<S> {
    spin(name, (10, 0, 5000), |options, millis| {
        options.overhead = Duration::from_millis(millis.unsigned_abs());
        Effect::Nothing
    })
}

/// Start of the random numbers.
pub(crate) const fn seed<S>(name: &'static str) -> Offer<S> {
    spin(name, (0, 0, 1 << 31), |options, seed| {
        options.seed = seed.unsigned_abs();
        Effect::Nothing
    })
}

/// Play with the strength of [`elo`].
pub(crate) const fn limit_strength<S>(name: &'static str) -> Offer<S> {
    check(name, false, |options, flag| {
        options.limit_strength = flag;
        Effect::Nothing
    })
}

/// How strong: default, weakest, strongest.
pub(crate) const fn elo<S>(name: &'static str, range: (i64, i64, i64)) -> Offer<S> {
    spin(name, range, |options, elo| {
        options.elo = elo;
        Effect::Nothing
    })
}

/// Send chances with each score.
pub(crate) const fn show_wdl<S>(name: &'static str) -> Offer<S> {
    check(name, false, |options, flag| {
        options.wdl = flag;
        Effect::Nothing
    })
}

/// Send the line that is being searched.
pub(crate) const fn show_current_line<S>(name: &'static str) -> Offer<S> {
    check(name, false, |options, flag| {
        options.current_line = flag;
        Effect::Nothing
    })
}

/// The file of a net.
pub(crate) const fn net_file<S>(name: &'static str) -> Offer<S> {
    text(name, "", |_, path| Effect::Net(path))
}

/// What judges positions.
pub(crate) const fn evaluation<S>(name: &'static str) -> Offer<S> {
    const HAND_WRITTEN: &str = "hand-written";
    Offer::new(
        name,
        Kind::Combo {
            default: "net",
            values: &["net", HAND_WRITTEN],
            set: |options, word| {
                options.judge = if word == HAND_WRITTEN {
                    Judge::HandWritten
                } else {
                    Judge::Net
                };
                Effect::Evaluation
            },
        },
    )
}

/// Give a position a value of the host's own.
pub(crate) const fn set_position_value<S>(name: &'static str) -> Offer<S> {
    text(name, "", |_, words| Effect::PositionValue(words))
}

/// A text that is accepted and not used: who plays against us, who we are.
pub(crate) const fn unused_text<S>(name: &'static str, default: &'static str) -> Offer<S> {
    text(name, default, |_, _| Effect::Nothing)
}

/// True or false.
pub(crate) const fn check<S>(
    name: &'static str,
    default: bool,
    set: fn(&mut Options<S>, bool) -> Effect,
) -> Offer<S> {
    Offer::new(name, Kind::Check { default, set })
}

/// A whole number: default, smallest, largest.
pub(crate) const fn spin<S>(
    name: &'static str,
    (default, min, max): (i64, i64, i64),
    set: fn(&mut Options<S>, i64) -> Effect,
) -> Offer<S> {
    Offer::new(
        name,
        Kind::Spin {
            default,
            min,
            max,
            set,
        },
    )
}

/// Any text.
pub(crate) const fn text<S>(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Options<S>, String) -> Effect,
) -> Offer<S> {
    Offer::new(name, Kind::Text { default, set })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: Offer<()> = hash("Hash").or("hashmeg");
    const CLEAR: Offer<()> = clear_hash("Clear Hash");

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
        let (_, note) = HASH.set(&mut options, Some("99999")).unwrap();
        assert_eq!(options.hash, 65536);
        assert!(note.unwrap().contains("1 to 65536"));
        assert!(HASH.set(&mut options, Some("many")).is_err());
        assert!(HASH.set(&mut options, None).is_err());
        assert_eq!(options.hash, 65536);
        assert_eq!(CLEAR.set(&mut options, None).unwrap().0, Effect::Forget);
    }

    #[test]
    fn seconds_take_fractions() {
        let time: Offer<Option<Duration>> = Offer::new(
            "maxTime",
            Kind::Seconds(|options, time| {
                options.own = time;
                Effect::Nothing
            }),
        );
        let mut options = Options::new(&[]);
        time.set(&mut options, Some("0.25")).unwrap();
        assert_eq!(options.own, Some(Duration::from_millis(250)));
        time.set(&mut options, Some("0")).unwrap();
        assert_eq!(options.own, None);
        assert!(time.set(&mut options, Some("soon")).is_err());
    }
}
