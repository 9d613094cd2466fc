//! `option`: what can be set in an engine.

use crate::items::Items;
use crate::text::Text;
use crate::token::is_blank;

/// The type of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum OptionType<'a> {
    /// True or false.
    Check,
    /// A whole number in a range.
    Spin,
    /// One of several texts.
    Combo,
    /// Something to press.
    Button,
    /// Any text.
    String,
    /// Any other word: `filename`, `file`, `save`, `reset`...
    Other(Text<'a>),
}

impl<'a> OptionType<'a> {
    /// The word after `type`.
    pub fn word(self) -> Text<'a> {
        match self {
            Self::Check => Text::from("check"),
            Self::Spin => Text::from("spin"),
            Self::Combo => Text::from("combo"),
            Self::Button => Text::from("button"),
            Self::String => Text::from("string"),
            Self::Other(word) => word,
        }
    }

    pub(crate) fn from_word(word: &'a [u8]) -> Self {
        match word {
            b"check" => Self::Check,
            b"spin" => Self::Spin,
            b"combo" => Self::Combo,
            b"button" => Self::Button,
            b"string" => Self::String,
            _ => Self::Other(Text::from_bytes(word)),
        }
    }
}

/// One piece of an `option` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum OptionItem<'a> {
    /// `name`.
    Name(Text<'a>),
    /// `type`.
    Type(OptionType<'a>),
    /// `default`, as it was sent: may be empty, or `<empty>`.
    Default(Text<'a>),
    /// `default` of a spin option: a number.
    DefaultNumber(i64),
    /// `min` of a spin option.
    Min(i64),
    /// `max` of a spin option.
    Max(i64),
    /// `var`: one value of a combo option.
    Var(Text<'a>),
    /// `value`: the current value, as Leiserchess engines add it.
    Value(Text<'a>),
    /// Words that belong to nothing known; kept where they stood.
    Unknown(Text<'a>),
}

/// Fills the unused places of an inline list; has no other meaning.
impl Default for OptionItem<'_> {
    fn default() -> Self {
        Self::Min(0)
    }
}

/// An `option` line: its pieces in the order in which they were sent.
///
/// ```
/// use quadrille_protocol::{Dialect, OptionLine, OptionType, Report};
///
/// let line = b"option name Skill Level type spin max 20 min 0 default 20";
/// let Report::Option(option) = Report::parse(line, Dialect::Uci).message else { panic!() };
/// assert_eq!(option.name().unwrap(), "Skill Level");
/// assert_eq!(option.kind(), Some(OptionType::Spin));
/// assert_eq!((option.min(), option.max()), (Some(0), Some(20)));
///
/// let hash = OptionLine::spin("Hash", 16, 1, 4096);
/// assert_eq!(
///     Report::Option(hash).line(Dialect::Uci),
///     b"option name Hash type spin default 16 min 1 max 4096",
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct OptionLine<'a> {
    /// The pieces.
    pub items: Items<OptionItem<'a>, 8>,
}

macro_rules! lookups {
    ($($variant:ident, $get:ident, $type:ty, $what:literal;)+) => {
        $(
            #[doc = concat!("Looks up ", $what, ".")]
            pub fn $get(&self) -> Option<$type> {
                self.items.iter().rev().find_map(|item| match *item {
                    OptionItem::$variant(value) => Some(value),
                    _ => None,
                })
            }
        )+
    };
}

impl<'a> OptionLine<'a> {
    lookups! {
        Name, name, Text<'a>, "the name";
        Type, kind, OptionType<'a>, "the type";
        Default, default_text, Text<'a>, "the default as it was sent, unless it is a number";
        DefaultNumber, default_number, i64, "the default of a spin option";
        Min, min, i64, "the minimum";
        Max, max, i64, "the maximum";
        Value, value, Text<'a>, "the current value, if the line carries one";
    }

    /// The values of a combo option.
    pub fn vars(&self) -> impl Iterator<Item = Text<'a>> + '_ {
        self.items.iter().filter_map(|item| match *item {
            OptionItem::Var(value) => Some(value),
            _ => None,
        })
    }

    /// The default with `<empty>` understood: that word means no text, also with
    /// blanks in it, as one of the texts prints it.
    pub fn default_value(&self) -> Option<Text<'a>> {
        let text = self.default_text()?;
        let letters = text.as_bytes().iter().filter(|b| !is_blank(**b));
        Some(if letters.eq(b"<empty>") {
            Text::EMPTY
        } else {
            text
        })
    }

    /// The default of a check option, in any case of letters.
    pub fn default_bool(&self) -> Option<bool> {
        let text = self.default_text()?;
        match () {
            () if text.eq_ignore_case("true") => Some(true),
            () if text.eq_ignore_case("false") => Some(false),
            () => None,
        }
    }

    fn named(name: &'a str, kind: OptionType<'a>) -> Self {
        let items = [OptionItem::Name(Text::from(name)), OptionItem::Type(kind)];
        Self {
            items: items.into_iter().collect(),
        }
    }

    /// Adds a piece.
    #[must_use]
    pub fn with(mut self, item: OptionItem<'a>) -> Self {
        self.items.push(item);
        self
    }

    /// A check option.
    pub fn check(name: &'a str, default: bool) -> Self {
        let default = if default { "true" } else { "false" };
        Self::named(name, OptionType::Check).with(OptionItem::Default(Text::from(default)))
    }

    /// A spin option.
    pub fn spin(name: &'a str, default: i64, min: i64, max: i64) -> Self {
        Self::named(name, OptionType::Spin)
            .with(OptionItem::DefaultNumber(default))
            .with(OptionItem::Min(min))
            .with(OptionItem::Max(max))
    }

    /// A combo option.
    pub fn combo(name: &'a str, default: &'a str, values: &[&'a str]) -> Self {
        let line =
            Self::named(name, OptionType::Combo).with(OptionItem::Default(Text::from(default)));
        values.iter().fold(line, |line, value| {
            line.with(OptionItem::Var(Text::from(*value)))
        })
    }

    /// A button.
    pub fn button(name: &'a str) -> Self {
        Self::named(name, OptionType::Button)
    }

    /// A string option; no text is written as `<empty>`.
    pub fn string(name: &'a str, default: &'a str) -> Self {
        let default = if default.is_empty() {
            "<empty>"
        } else {
            default
        };
        Self::named(name, OptionType::String).with(OptionItem::Default(Text::from(default)))
    }
}
