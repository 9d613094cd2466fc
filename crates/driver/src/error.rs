//! What can go wrong with an engine as a whole.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille_client::{HandshakeError, OptionError};
use quadrille_games::Game;
use quadrille_net::LoginError;
use quadrille_protocol::Dialect;
use thiserror::Error;

use super::link::Death;
use crate::spec::{Address, AddressError};

/// An engine that cannot be used any more. It has been killed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// It does not answer.
    #[error("the engine did not answer {question} within {}", seconds(*.patience))]
    Stalled {
        /// What was asked.
        question: &'static str,
        /// How long we waited.
        patience: Duration,
    },
    /// It is gone.
    #[error("the engine is gone: {0}")]
    Died(Death),
}

/// An engine that could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no such program, or it may not be run so.
    #[error("cannot start {}: {source}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The folder it is to be started in cannot be used.
    #[error("cannot start {} in the folder {}: {source}", program.display(), folder.display())]
    Folder {
        /// The program.
        program: PathBuf,
        /// The folder.
        folder: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Nothing answers at its address.
    #[error("cannot connect to {address}: {source}")]
    Connect {
        /// Where.
        address: Box<Address>,
        /// What the operating system says.
        source: io::Error,
    },
    /// Its address cannot be read.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The password for it cannot be had.
    #[error(transparent)]
    Login(#[from] LoginError),
    /// It runs, but the handshake was not finished in time.
    #[error(
        "no {} from the engine within {}{}", awaited, seconds(*.patience), heard_words(heard)
    )]
    NoHandshake {
        /// The word that did not come.
        awaited: &'static str,
        /// How long we waited.
        patience: Duration,
        /// What it said instead: the first lines.
        heard: Vec<String>,
    },
    /// It ended during the handshake.
    #[error("the engine ended before it was ready: {death}{}", heard_words(heard))]
    Died {
        /// How.
        death: Death,
        /// What it said: the first lines.
        heard: Vec<String>,
    },
    /// It speaks a dialect in which this game is not played.
    #[error("the engine speaks {dialect}, which cannot play {game}")]
    OtherGame {
        /// What it speaks.
        dialect: Dialect,
        /// What was wanted.
        game: Game,
    },
    /// Its copy protection refuses.
    #[error("the engine's copy protection refuses to run{}", reason_words(reason.as_ref()))]
    CopyProtected {
        /// What it says about it.
        reason: Option<String>,
    },
    /// An option cannot be set as the user wants it.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl StartError {
    /// A handshake that failed, with the first lines of the engine.
    pub(super) fn of_handshake(error: HandshakeError, heard: Vec<String>) -> Self {
        match error {
            HandshakeError::NoAnswer { awaited, patience } => Self::NoHandshake {
                awaited,
                patience,
                heard,
            },
            HandshakeError::OtherGame { dialect, game } => Self::OtherGame { dialect, game },
            HandshakeError::CopyProtected { reason } => Self::CopyProtected { reason },
            HandshakeError::Option(error) => Self::Option(error),
        }
    }

    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Spawn { program, source } => spawn_hint(program, source.kind()),
            // A TLS alert, in answer to plain words.
            Self::Died { heard, .. } if heard.iter().any(|l| l.starts_with("\u{15}\u{3}")) => {
                Some("it speaks TLS: write tls:// for tcp://".into())
            }
            Self::NoHandshake { .. } => Some(
                "is it an engine of this family? Some must be told to be one, as `gnuchess --uci`"
                    .into(),
            ),
            _ => None,
        }
    }

    /// Whether what the user wrote is wrong: a program or folder that is not
    /// there, an address, an option, an engine of another game. Everything else is
    /// between the engine and the machine.
    pub const fn is_in_the_description(&self) -> bool {
        match self {
            Self::Spawn { .. }
            | Self::Folder { .. }
            | Self::Address(_)
            | Self::Login(_)
            | Self::OtherGame { .. }
            | Self::Option(_) => true,
            Self::Connect { .. }
            | Self::NoHandshake { .. }
            | Self::Died { .. }
            | Self::CopyProtected { .. } => false,
        }
    }
}

fn spawn_hint(program: &Path, kind: io::ErrorKind) -> Option<String> {
    let is_name = program.components().count() == 1;
    match kind {
        io::ErrorKind::NotFound if is_name && program.is_file() => Some(format!(
            "a program in this folder is written ./{}",
            program.display()
        )),
        io::ErrorKind::NotFound if is_name => Some(
            "it is in no folder of PATH, nor where distributions put games: name it with its folder"
                .into(),
        ),
        io::ErrorKind::PermissionDenied if program.is_dir() => Some(format!(
            "it is a folder: name the program in it, for instance {}",
            program.join("engine").display()
        )),
        io::ErrorKind::PermissionDenied => Some(format!(
            "may it be run? chmod +x {}",
            program.display()
        )),
        _ => None,
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", (time.as_millis() as f64) / 1000.0)
}

fn heard_words(heard: &[String]) -> String {
    match heard.first() {
        Some(line) => format!("; it said: {line}"),
        None => String::new(),
    }
}

fn reason_words(reason: Option<&String>) -> String {
    match reason {
        Some(reason) => format!(": {reason}"),
        None => String::new(),
    }
}
