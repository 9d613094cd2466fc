//! What can be told to a running event.

use std::str::FromStr;

/// A wish of the user's while an event runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Begin no new games.
    Pause,
    /// Begin games again.
    Resume,
    /// Pause, or go on.
    TogglePause,
    /// So many games at once.
    Concurrency(usize),
    /// So many more or fewer.
    Change(isize),
    /// Finish the running games and stop.
    Stop,
    /// Give up the running games and stop.
    Abort,
}

/// Words that are no command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no command: use pause, resume, concurrency N, stop or abort")]
pub struct UnknownCommand(pub String);

impl FromStr for Command {
    type Err = UnknownCommand;

    fn from_str(text: &str) -> Result<Self, UnknownCommand> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let command = match words[..] {
            ["pause"] => Some(Self::Pause),
            ["resume"] => Some(Self::Resume),
            ["stop"] => Some(Self::Stop),
            ["abort"] => Some(Self::Abort),
            ["concurrency", number] => {
                let number = number.parse().ok().filter(|n| (1..=4096).contains(n));
                number.map(Self::Concurrency)
            }
            _ => None,
        };
        command.ok_or_else(|| UnknownCommand(text.into()))
    }
}
