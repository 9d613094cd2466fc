//! Engines: what there is, how it is set up, what it says.

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

/// An engine, by number.
pub type EngineId = u32;

/// All engines, in the user's order, and a handshake that is under way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Engines {
    /// The engines.
    pub engines: Vec<EngineView>,
    /// Steps of the handshake of an engine that is being added.
    pub adding: Vec<HandshakeStep>,
}

/// An engine as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EngineView {
    /// Its number.
    pub id: EngineId,
    /// The name to show.
    pub name: String,
    /// What it says it is.
    pub identity: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Ours, always there.
    pub builtin: bool,
    /// Games it plays.
    pub games: Vec<Game>,
    /// The program; nothing for a page without the right to know.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder it is started in.
    pub folder: Option<String>,
    /// Lines sent before the handshake.
    pub init: Vec<String>,
    /// What it is doing.
    pub state: EngineState,
    /// Its options, with the values set here.
    pub options: Vec<OptionView>,
    /// What it did wrong, in sentences.
    pub findings: Vec<String>,
    /// What it says of itself (`UCI_EngineAbout`).
    pub about: Option<String>,
}

/// What an engine is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum EngineState {
    /// Not started.
    Off,
    /// Awaiting `uciok`, `readyok`, or what else is said.
    Starting {
        /// For what, in English.
        awaiting: String,
    },
    /// Ready.
    Idle,
    /// Searching.
    Searching,
    /// It wants to be registered.
    Registration,
    /// It refuses to work: copy protection.
    Refuses,
    /// It does not answer.
    NotResponding,
    /// It has died or could not be started.
    Dead {
        /// Why, in English.
        words: String,
    },
}

/// An engine to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NewEngine {
    /// The program, or `tcp://host:port`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder to start it in.
    pub folder: Option<String>,
    /// The game; found out where it is missing.
    pub game: Option<Game>,
    /// The name to show; its own where it is missing.
    pub name: Option<String>,
}

/// One step of a handshake, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HandshakeStep {
    /// What is done: `start`, `greet`, `options`, `ready`, `kept`.
    pub step: String,
    /// Whether it worked; `None` while it is under way.
    pub done: Option<bool>,
    /// What was found, or what is wrong and what to do, in English.
    pub words: String,
}

/// A change of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "fields are named after what they are")]
pub enum EngineChange {
    Name {
        name: String,
    },
    /// A value of an option; `None` for its default.
    Option {
        name: String,
        value: Option<String>,
    },
    /// Presses a button.
    Press {
        name: String,
    },
    /// All options to their defaults.
    Reset,
    Register {
        name: String,
        code: String,
    },
    RegisterLater,
    Command {
        command: String,
        args: Vec<String>,
        folder: Option<String>,
        init: Vec<String>,
    },
    /// A second one with the same settings, behind it.
    Duplicate,
    /// Can be undone.
    Remove,
    Restore,
    /// To this place in the list.
    Place {
        index: u32,
    },
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OptionView {
    /// Its name, as the engine wrote it.
    pub name: String,
    /// Its kind.
    pub kind: OptionKindView,
    /// The value set here, if it is not the default.
    pub value: Option<String>,
    /// Set by the program itself: shown, not to be changed.
    pub managed: bool,
}

/// The five kinds of options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "fields are named as in the protocol")]
pub enum OptionKindView {
    Check {
        default: bool,
    },
    /// Numbers beyond what a page can count are clamped.
    Spin {
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        default: i64,
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        min: i64,
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        max: i64,
    },
    Combo {
        default: String,
        values: Vec<String>,
    },
    Button,
    Text {
        default: String,
        path: bool,
    },
}

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LogView {
    /// The engine.
    pub engine: EngineId,
    /// The number of the first line here. If it is larger than what the page has
    /// plus one, lines in between are no longer there.
    pub first: u32,
    /// The lines.
    pub lines: Vec<LogLine>,
}

/// A line of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LogLine {
    /// Milliseconds since the engine was started.
    pub at: u32,
    /// `>` to the engine, `<` from it, `!` its standard error, `#` ours.
    pub way: String,
    /// The line.
    pub text: String,
}
