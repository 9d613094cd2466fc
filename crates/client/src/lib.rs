//! The host's side of a conversation with engines, without input or output.
//!
//! Everything about speaking a dialect for a game that needs no process and no clock
//! of the machine: what is sent, and what an engine's words mean.
//!
//! | module or type | contents |
//! |---|---|
//! | [`EngineClient`] | the conversation: handshake, options, searches, deadlines |
//! | [`dialect_of`] | the dialect in which a game is played |
//! | [`PositionText`] | the `position` command of a game |
//! | [`Limits`], [`UgiLimits`] | the `go` command, and UGI's options for it |
//! | [`OptionList`], [`EngineOption`] | what can be set, checked before it is sent |
//! | [`moves`] | moves in an engine's spelling |
//! | [`InfoLine`], [`LastLines`] | `info` lines, and the newest one of each rank |
//! | [`EngineInfo`] | what a search has reported so far, for those who show it |
//! | [`EngineScore`] | scores of games that were played |
//! | [`Identity`], [`Opponent`] | who an engine is, and whom it meets |
//! | [`time_control`], [`GameClock`] | a time control, and a player's clock through a game |
//! | [`Termination`], [`Ending`] | why a game is over |
//! | [`findings`] | what was unusual about an engine |
//! | [`strength`] | how an engine is made to play weaker |
//! | [`Timeouts`] | how long to wait for what |

mod dialect;
mod ending;
mod engine_client;
mod engine_info;
pub mod findings;
mod game_clock;
mod identity;
mod info;
mod limits;
pub mod moves;
mod options;
mod position;
mod score;
#[doc(hidden)]
pub mod serial;
pub mod spelling;
pub mod strength;
pub mod time_control;
mod timeouts;

pub use dialect::dialect_of;
pub use ending::{Adjudicated, Ending, Fault, Termination};
pub use engine_client::{Answered, ClientConfig, ClientEvent, EngineClient, HandshakeError, Reply};
pub use engine_info::{EngineInfo, SearchNumbers};
pub use game_clock::{GameClock, Spent};
pub use identity::{Identity, Opponent};
pub use info::{InfoLine, LastLines};
pub use limits::{Clock, Clocks, Limits, UgiLimits};
pub use moves::NamedMove;
pub use options::{EngineOption, OptionError, OptionKind, OptionList};
pub use position::PositionText;
pub use score::EngineScore;
pub use time_control::TimeControl;
pub use timeouts::Timeouts;
