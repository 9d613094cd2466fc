//! Descriptions in TOML.

use std::io::Read;
use std::path::Path;

use quadrille_client::spelling::nearest;
use quadrille_games::files;

use super::draft::Draft;
use super::error::ConfigError;

/// No description is longer than this.
const LONGEST_FILE: u64 = 4 << 20;

/// Reads a file. Paths in it count from where the program runs, as those on a
/// command line do.
pub fn from_file(path: &Path) -> Result<Draft, ConfigError> {
    Ok(read(path)?.0)
}

/// Reads a file, and returns the keys that stand in it beside the draft.
pub(super) fn read(path: &Path) -> Result<(Draft, Vec<String>), ConfigError> {
    let unreadable = |error: std::io::Error| {
        ConfigError::new(format!("cannot be read: {error}"))
            .hint("does it exist?")
            .within(path)
    };
    let mut bytes = Vec::new();
    files::open(path)
        .and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST_FILE {
        let message = "this is no description of a match: it is too long";
        return Err(ConfigError::new(message).within(path));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        ConfigError::new("this is not UTF-8")
            .at_line(Some(line))
            .within(path)
    })?;
    let draft = from_toml(&text).map_err(|error| error.within(path))?;
    let keys = text.parse::<toml::Table>().unwrap_or_default();
    Ok((draft, keys.into_iter().map(|(key, _)| key).collect()))
}

/// Reads a text.
pub fn from_toml(text: &str) -> Result<Draft, ConfigError> {
    toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| line_of(text.as_bytes(), span.start));
        let message = error.message().trim();
        let key = error.span().and_then(|span| key_before(text, span.start));
        explained(message, key).at_line(line)
    })
}

/// The key whose value begins at an offset.
fn key_before(text: &str, offset: usize) -> Option<&str> {
    let line = text.get(..offset)?.rsplit('\n').next()?;
    let key = line.trim_end().strip_suffix('=')?.trim();
    (!key.is_empty()).then_some(key)
}

/// What a value should have been, for those who do not write Rust.
const KINDS: [(&str, &str); 8] = [
    ("u32", "a whole number, not negative"),
    ("u64", "a whole number, not negative"),
    ("usize", "a whole number, not negative"),
    ("i32", "a whole number"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("a boolean", "true or false, without quotes"),
    ("a string", "a text in quotes"),
];

/// A value of the wrong kind: what it is for, and what would be right.
fn wrong_kind(message: &str, key: Option<&str>) -> Option<ConfigError> {
    let rest = message.strip_prefix("invalid type: ");
    let rest = rest.or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let (_, right) = KINDS.iter().find(|(kind, _)| *kind == expected)?;
    // `string "many"`, `integer `-1``: the value is what follows the kind.
    let value = found.split_once(' ').map_or(found, |(_, value)| value);
    let value = value.trim_matches('`');
    Some(ConfigError::new(match key {
        Some(key) => format!("{key} = {value} is wrong: it must be {right}"),
        None => format!("{value} is wrong: it must be {right}"),
    }))
}

/// Says what would be right: which of the expected names was probably meant, or
/// what kind of value.
fn explained(message: &str, key: Option<&str>) -> ConfigError {
    if let Some(error) = wrong_kind(message, key) {
        return error;
    }
    let mut quoted = message.split('`').skip(1).step_by(2);
    match message.strip_prefix("unknown field `") {
        Some(_) => {
            let wrong = quoted.next().unwrap_or("");
            let known: Vec<&str> = quoted.collect();
            let error = ConfigError::new(format!("there is no key '{wrong}' here"));
            match nearest(wrong, known.iter().copied()) {
                None => error.hint(format!("known are {}", known.join(", "))),
                word => error.meant(word),
            }
        }
        None => ConfigError::new(message.replace('\n', "; ")),
    }
}

fn line_of(text: &[u8], offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    before.split(|&b| b == b'\n').count()
}
