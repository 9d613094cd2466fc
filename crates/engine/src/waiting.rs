//! Lines that wait for their turn.

use quadrille_protocol::Command;
use quadrille_search::Moment;

/// A line that was not obeyed yet.
pub(crate) struct Waiting {
    /// `None` is the end of input.
    pub(crate) line: Option<Vec<u8>>,
    pub(crate) state: LineState,
}

/// A line, without its words.
pub(crate) struct LineState {
    pub(crate) arrived: Moment,
    /// It was looked at already, and waits for a search to end.
    pub(crate) heard: bool,
    /// Set if it is obeyed also while moves are counted, or others wait.
    pub(crate) urgent: Option<Urgent>,
    /// `stop` came after it: what it asks for is over when it begins.
    pub(crate) stopped: bool,
}

impl LineState {
    pub(crate) const fn new(arrived: Moment, urgent: Option<Urgent>) -> Self {
        Self {
            arrived,
            heard: false,
            urgent,
            stopped: false,
        }
    }
}

/// Commands that are obeyed in the middle of other work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgent {
    IsReady,
    Stop,
    PonderHit,
    Quit,
}

impl Urgent {
    pub(crate) const fn of(command: &Command<'_>) -> Option<Self> {
        match command {
            Command::IsReady => Some(Self::IsReady),
            Command::Stop => Some(Self::Stop),
            Command::PonderHit => Some(Self::PonderHit),
            Command::Quit => Some(Self::Quit),
            _ => None,
        }
    }
}
