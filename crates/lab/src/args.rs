//! `--name value` on command lines.

use core::str::FromStr;

/// The words after the program's name.
#[derive(Debug)]
pub struct Args(Vec<String>);

impl Args {
    /// The words this program was started with.
    pub fn from_env() -> Self {
        Self(std::env::args().skip(1).collect())
    }

    /// Words from elsewhere.
    pub fn new(words: &[&str]) -> Self {
        Self(words.iter().map(ToString::to_string).collect())
    }

    /// Takes `--name value` out of the line, or the default.
    pub fn value<T: FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        match self.text(name)? {
            None => Ok(default),
            Some(text) => text
                .parse()
                .map_err(|_| format!("{name} {text}: not a value I understand")),
        }
    }

    /// Takes `--name text` out of the line.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(at) = self.0.iter().position(|word| word == name) else {
            return Ok(None);
        };
        if at + 1 >= self.0.len() {
            return Err(format!("{name} needs a value"));
        }
        self.0.remove(at);
        Ok(Some(self.0.remove(at)))
    }

    /// What is left when all options have been taken: files, usually.
    pub fn rest(self) -> Result<Vec<String>, String> {
        match self.0.iter().find(|word| word.starts_with("--")) {
            Some(word) => Err(format!("there is no option {word}")),
            None => Ok(self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_and_files_remain() {
        let mut args = Args::new(&["a.bin", "--nodes", "500", "b.bin"]);
        assert_eq!(args.value("--nodes", 1), Ok(500));
        assert_eq!(args.value("--seed", 7), Ok(7));
        assert_eq!(args.rest(), Ok(vec!["a.bin".into(), "b.bin".into()]));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(Args::new(&["--nodes"]).value("--nodes", 1).is_err());
        assert!(Args::new(&["--nodes", "x"]).value("--nodes", 1).is_err());
        assert!(Args::new(&["--what", "x"]).rest().is_err());
    }
}
