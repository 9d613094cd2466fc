//! What can be set in an engine: as it declares it, and checked before it is
//! sent.

use std::collections::HashMap;

use quadrille_protocol::{OptionLine, OptionType};
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use crate::spelling::nearest;

/// An option that an engine declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineOption {
    /// The name in the engine's spelling.
    pub name: String,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// What was set last; `None` is the default.
    pub value: Option<String>,
}

/// What values an option takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The default.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: Option<i64>,
        /// The smallest.
        min: Option<i64>,
        /// The largest.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// The default.
        default: Option<String>,
        /// All of them.
        values: Vec<String>,
    },
    /// Something to press.
    Button,
    /// Any text.
    Text {
        /// The default.
        default: Option<String>,
    },
    /// The engine does not say (UGI), or says something unknown.
    Untyped {
        /// The word after `type`, if there was one.
        word: Option<String>,
    },
}

/// An option that cannot be set so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The engine has no such option.
    #[error("the engine has no option {name:?}{}", hint(near.as_ref()))]
    Unknown {
        /// The name.
        name: String,
        /// One that looks like it.
        near: Option<String>,
    },
    /// A number outside its range.
    #[error("option {name}: {value} is outside {min} to {max}")]
    OutOfRange {
        /// The option.
        name: String,
        /// The value.
        value: i64,
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
    },
    /// Not a whole number.
    #[error("option {name}: {value:?} is not a whole number")]
    NotANumber {
        /// The option.
        name: String,
        /// The value.
        value: String,
    },
    /// Neither true nor false.
    #[error("option {name}: {value:?} is neither true nor false")]
    NotABool {
        /// The option.
        name: String,
        /// The value.
        value: String,
    },
    /// Not one of the values.
    #[error("option {name}: {value:?} is not one of {}", values.join(", "))]
    NotListed {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// The values there are.
        values: Vec<String>,
    },
    /// No value where one is needed.
    #[error("option {name} needs a value")]
    NoValue {
        /// The option.
        name: String,
    },
    /// A text that would be more than one line.
    #[error("option {name}: a value cannot have more than one line")]
    LineBreak {
        /// The option.
        name: String,
    },
    /// The host sets it.
    #[error("option {name} is set by the host itself")]
    Managed {
        /// The option.
        name: String,
    },
}

fn hint(near: Option<&String>) -> String {
    match near {
        Some(name) => format!("; did you mean {name:?}?"),
        None => String::new(),
    }
}

/// Options that the host sets from what it knows.
const MANAGED: [&str; 4] = ["Ponder", "UCI_AnalyseMode", "UCI_Opponent", "UCI_Chess960"];

/// Options with this prefix have a fixed meaning; a person is shown only those
/// whose meaning we know.
const KNOWN_UCI: [&str; 10] = [
    "UCI_ShowCurrLine",
    "UCI_ShowRefutations",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_EngineAbout",
    "UCI_ShredderbasesPath",
    "UCI_SetPositionValue",
    "UCI_ShowWDL",
    "UCI_Variant",
    "UCI_RatingAdv",
];

impl EngineOption {
    /// Reads a declaration; `None` without a name.
    pub fn read(line: &OptionLine<'_>) -> Option<Self> {
        let text = |text: quadrille_protocol::Text<'_>| text.to_string();
        let name = line.name().filter(|name| !name.is_empty())?;
        let kind = match line.kind() {
            Some(OptionType::Check) => OptionKind::Check {
                default: line.default_bool(),
            },
            Some(OptionType::Spin) => OptionKind::Spin {
                default: line.default_number(),
                min: line.min(),
                max: line.max(),
            },
            Some(OptionType::Combo) => OptionKind::Combo {
                default: line.default_value().map(text),
                values: line.vars().map(text).collect(),
            },
            Some(OptionType::Button) => OptionKind::Button,
            Some(OptionType::String) => OptionKind::Text {
                default: line.default_value().map(text),
            },
            Some(OptionType::Other(word)) => OptionKind::Untyped {
                word: Some(word.to_string()),
            },
            None => OptionKind::Untyped { word: None },
        };
        Some(Self {
            name: name.to_string(),
            kind,
            value: None,
        })
    }

    /// Whether the host sets it from what it knows.
    pub fn is_managed(&self) -> bool {
        is_one_of(&self.name, &MANAGED)
    }

    /// Whether a person should be offered it: not what the host sets, and no
    /// `UCI_` option of unknown meaning.
    pub fn is_for_people(&self) -> bool {
        let prefix = self.name.get(..4);
        let fixed = prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("UCI_"));
        !self.is_managed() && (!fixed || is_one_of(&self.name, &KNOWN_UCI))
    }

    /// Whether the value says that a button is not to be pressed, as command
    /// lines of match runners do.
    pub fn is_left_alone(&self, value: Option<&str>) -> bool {
        let no = value.is_some_and(|value| read_bool(value) == Some(false));
        self.kind == OptionKind::Button && no
    }

    /// The value in the engine's spelling; `None` for a button.
    pub fn check(&self, value: Option<&str>) -> Result<Option<String>, OptionError> {
        let name = self.name.clone();
        if value.is_some_and(|value| value.contains(['\n', '\r'])) {
            return Err(OptionError::LineBreak { name });
        }
        let Some(value) = value.map(str::trim) else {
            return match self.kind {
                OptionKind::Button | OptionKind::Untyped { .. } => Ok(None),
                _ => Err(OptionError::NoValue { name }),
            };
        };
        match &self.kind {
            OptionKind::Check { .. } => check_bool(name, value).map(Some),
            OptionKind::Spin { min, max, .. } => check_number(name, value, *min, *max).map(Some),
            OptionKind::Combo { values, .. } => check_choice(name, value, values).map(Some),
            OptionKind::Button => Ok(None),
            OptionKind::Text { .. } if value.is_empty() => Ok(Some("<empty>".into())),
            OptionKind::Text { .. } | OptionKind::Untyped { .. } => Ok(Some(value.into())),
        }
    }
}

fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn read_bool(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

fn check_bool(name: String, value: &str) -> Result<String, OptionError> {
    match read_bool(value) {
        Some(value) => Ok(value.to_string()),
        None => Err(OptionError::NotABool {
            name,
            value: value.into(),
        }),
    }
}

fn check_number(
    name: String,
    value: &str,
    min: Option<i64>,
    max: Option<i64>,
) -> Result<String, OptionError> {
    let Ok(number) = value.parse::<i64>() else {
        let value = value.into();
        return Err(OptionError::NotANumber { name, value });
    };
    let (low, high) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    // An engine whose range is empty has got it wrong; it must know itself.
    if low > high || (low..=high).contains(&number) {
        return Ok(number.to_string());
    }
    Err(OptionError::OutOfRange {
        name,
        value: number,
        min: low,
        max: high,
    })
}

fn check_choice(name: String, value: &str, values: &[String]) -> Result<String, OptionError> {
    let exact = values.iter().find(|known| *known == value);
    let known = exact.or_else(|| values.iter().find(|v| v.eq_ignore_ascii_case(value)));
    match known {
        Some(known) => Ok(known.clone()),
        // Nothing to choose from: it must know itself.
        None if values.is_empty() => Ok(value.into()),
        None => Err(OptionError::NotListed {
            name,
            value: value.into(),
            values: values.to_vec(),
        }),
    }
}

/// The options of an engine, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OptionList {
    list: Vec<EngineOption>,
    /// Where a name stands in the list, exactly as it is spelled.
    #[serde(skip)]
    exact: HashMap<String, usize>,
    /// Where the first name stands that has this [`key`].
    #[serde(skip)]
    alike: HashMap<String, usize>,
}

/// More options than any engine has; keeps a flood from filling the memory.
const MOST_OPTIONS: usize = 10_000;

impl OptionList {
    /// The last declaration of a name counts.
    pub fn declare(&mut self, option: EngineOption) {
        let index = match self.position(&option.name) {
            Some(index) => {
                self.exact.remove(&self.list[index].name);
                index
            }
            None if self.list.len() < MOST_OPTIONS => self.list.len(),
            None => return,
        };
        self.exact.insert(option.name.clone(), index);
        self.alike.entry(key(&option.name)).or_insert(index);
        match self.list.get_mut(index) {
            Some(known) => *known = option,
            None => self.list.push(option),
        }
    }

    /// Whether the engine searches with one thread, as far as it lets that be set.
    pub fn has_one_thread(&self) -> bool {
        self.get("Threads")
            .is_none_or(|threads| match threads.kind {
                OptionKind::Spin { default, .. } => match &threads.value {
                    Some(value) => value == "1",
                    None => default == Some(1),
                },
                _ => false,
            })
    }

    fn position(&self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name);
        exact.or_else(|| self.alike.get(&key(name))).copied()
    }

    /// Looks up an option in any case of letters.
    pub fn get(&self, name: &str) -> Option<&EngineOption> {
        self.position(name).map(|index| &self.list[index])
    }

    /// Returns an option by its name in any case of letters, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut EngineOption> {
        self.position(name).map(|index| &mut self.list[index])
    }

    /// Looks up an option or says that there is none.
    pub fn find(&self, name: &str) -> Result<&EngineOption, OptionError> {
        self.get(name).ok_or_else(|| OptionError::Unknown {
            name: name.into(),
            near: self.near(name),
        })
    }

    /// An option whose name has the same letters; else one that contains the
    /// name, or is contained in it.
    fn near(&self, name: &str) -> Option<String> {
        let letters = |text: &str| {
            let kept = text.chars().filter(|c| c.is_alphanumeric());
            kept.collect::<String>().to_lowercase()
        };
        let wanted = letters(name);
        let same = |option: &&EngineOption| letters(&option.name) == wanted;
        let close = |option: &&EngineOption| {
            let known = letters(&option.name);
            !wanted.is_empty() && (known.contains(&wanted) || wanted.contains(&known))
        };
        let found = self.list.iter().find(same);
        let found = found.or_else(|| self.list.iter().find(close));
        let names = || self.list.iter().map(|option| option.name.as_str());
        let name = found.map_or_else(|| nearest(name, names()), |found| Some(&found.name));
        name.map(String::from)
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, EngineOption> {
        self.list.iter()
    }
}

impl<'de> Deserialize<'de> for OptionList {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut options = Self::default();
        for option in Vec::<EngineOption>::deserialize(from)? {
            options.declare(option);
        }
        Ok(options)
    }
}

impl<'a> IntoIterator for &'a OptionList {
    type Item = &'a EngineOption;
    type IntoIter = std::slice::Iter<'a, EngineOption>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// What names have in common that are equal in any case of letters and with any
/// number of blanks.
fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key.make_ascii_lowercase();
    key
}
