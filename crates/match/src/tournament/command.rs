//! What can be told to a running event.

use std::str::FromStr;
use tokio::sync::mpsc;

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

/// Until the user wishes for one of these. Other wishes are for later.
pub(super) async fn wished(
    commands: &mut mpsc::UnboundedReceiver<Command>,
    wanted: &[Command],
    others: &mut Vec<Command>,
) {
    loop {
        match commands.recv().await {
            Some(command) if wanted.contains(&command) => return,
            Some(other) => others.push(other),
            // Without anyone to command it never comes.
            None => std::future::pending().await,
        }
    }
}
