//! UCI, ULCI, Leiserchess UCI and UGI.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod command;
mod command_parse;
mod command_write;
mod conversation;
mod diagnostic;
mod dialect;
mod framing;
mod go;
mod info;
mod info_parse;
mod items;
mod number;
mod option_parse;
mod options;
mod parsed;
mod parser;
mod report;
mod report_parse;
mod report_write;
mod score;
#[cfg(feature = "serde")]
mod serialize;
mod text;
mod token;
mod write;

pub use command::{Clock, Command, PositionBase, Register, SetOption, SetPos, SetPosition};
pub use conversation::{EngineSide, Findings, HostSide, Owed, Phase};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Explained, Severity};
pub use dialect::{Dialect, UnknownDialect};
pub use framing::LineBuffer;
pub use go::{Go, GoItem};
pub use info::{ErrorKind, Info, InfoItem};
pub use items::Items;
pub use number::Decimal;
pub use options::{OptionItem, OptionLine, OptionType};
pub use parsed::{Message, Parsed};
pub use report::{BestMove, Id, IdKey, Report, Status};
pub use score::{Bound, HashFull, Score, ScoreValue, Time, Wdl};
pub use text::{Moves, MovesIter, Text};
