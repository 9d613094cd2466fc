//! `--name value` on command lines.

use core::str::FromStr;

/// Words of a command line.
#[derive(Debug)]
pub(crate) struct Args(Vec<String>);

impl Args {
    /// Takes the words behind the name of a subcommand.
    pub(crate) const fn new(words: Vec<String>) -> Self {
        Self(words)
    }

    /// Takes `--name value` out of the line, or the default.
    pub(crate) fn value<T: FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        match self.text(name)? {
            None => Ok(default),
            Some(text) => text
                .parse()
                .map_err(|_| format!("{name} {text}: not a valid value")),
        }
    }

    /// Takes `--name text` out of the line.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(at) = self.0.iter().position(|word| word == name) else {
            return Ok(None);
        };
        if at + 1 >= self.0.len() {
            return Err(format!("{name} needs a value"));
        }
        self.0.remove(at);
        Ok(Some(self.0.remove(at)))
    }

    /// Returns the words that are no options, usually files.
    pub(crate) fn rest(self) -> Result<Vec<String>, String> {
        match self.0.iter().find(|word| word.starts_with("--")) {
            Some(word) => Err(format!("unknown option '{word}'")),
            None => Ok(self.0),
        }
    }

    /// Returns the names of files, of which there must be at least one.
    pub(crate) fn files(self) -> Result<Vec<String>, String> {
        let files = self.rest()?;
        if files.is_empty() {
            return Err("name at least one file of games".into());
        }
        Ok(files)
    }

    /// Refuses words that are left.
    pub(crate) fn end(self) -> Result<(), String> {
        match &self.rest()?[..] {
            [] => Ok(()),
            [word, ..] => Err(format!("unexpected '{word}'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Args {
        Args::new(words.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn options_are_taken_and_files_remain() {
        let mut args = args(&["a.bin", "--nodes", "500", "b.bin"]);
        assert_eq!(args.value("--nodes", 1), Ok(500));
        assert_eq!(args.value("--seed", 7), Ok(7));
        assert_eq!(args.rest(), Ok(vec!["a.bin".into(), "b.bin".into()]));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(args(&["--nodes"]).value("--nodes", 1).is_err());
        assert!(args(&["--nodes", "x"]).value("--nodes", 1).is_err());
        assert!(args(&["--what", "x"]).rest().is_err());
        assert!(args(&[]).files().is_err());
        assert!(args(&["x"]).end().is_err());
        assert_eq!(args(&[]).end(), Ok(()));
    }
}
