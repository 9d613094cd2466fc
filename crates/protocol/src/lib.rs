//! UCI, ULCI, Leiserchess UCI and UGI: bytes to messages and back, for the
//! engine's side and for the host's, without losing a token.
//!
//! There are two message types. A [`Command`] goes from host to engine, a
//! [`Report`] from engine to host. Both are read with `parse`, which borrows
//! from the line and never fails, and written with `write` or `line`, which
//! print the form of the [`Dialect`] you ask for.
//!
//! ```
//! use quadrille_protocol::{Command, Dialect, Report};
//!
//! let parsed = Command::parse(b"go wtime 60000 btime 58000 winc 1000\r\n", Dialect::Uci);
//! let Command::Go(go) = parsed.message else { panic!("a go is a go") };
//! assert_eq!(go.get_wtime(), Some(60_000));
//! assert!(!go.is_infinite());
//!
//! let parsed = Report::parse(b"bestmove e2e4 ponder e7e5", Dialect::Uci);
//! let Report::BestMove(answer) = parsed.message else { panic!("a bestmove is a bestmove") };
//! assert_eq!(answer.best.unwrap(), "e2e4");
//! assert_eq!(answer.ponder.unwrap(), "e7e5");
//! ```
//!
//! | you have or want | use |
//! |---|---|
//! | bytes from a pipe | [`LineBuffer`] cuts them into lines, whatever ends them |
//! | a line | [`Command::parse`], [`Report::parse`] |
//! | what was odd about it | [`Parsed::diagnostics`], or [`Parsed::strict`] to refuse it |
//! | the line as it was | [`Parsed::exact`]; tidied up: [`Parsed::normal`] |
//! | a message to send | build the value, then [`Command::line`] or [`Report::line`] |
//! | whose turn it is to speak | [`EngineSide`], [`HostSide`] |
//! | JSON | the `serde` feature: everything serialises |
//!
//! Moves and positions are opaque [`Text`] here: this crate knows no board, so
//! `e7e8q`, `a10b10`, `h0L`, `0|3|2|12|3|8`, `P@e4` and `0000` all pass.
//!
//! # For an engine author
//!
//! Read lines, match on [`Command`], write [`Report`]s. This is a whole engine
//! (`cargo run -p quadrille-protocol --example tiny_engine`); the board comes
//! from `quadrille-games`, bring your own if you like:
//!
//! ```no_run
#![doc = include_str!("../examples/tiny_engine.rs")]
//! ```
//!
//! What it gets for free, because the parser does it: unknown words are skipped
//! as the protocol demands (`joho debug on`), any white space and line end
//! works, a FEN without `startpos` or `fen` in front is understood, numbers that
//! are too large or negative are clamped and never end the engine.
//!
//! Search output is an [`Info`], built item by item. The same value prints in
//! each dialect's own form:
//!
//! ```
//! use quadrille_protocol::{Dialect, Info, Report, Score, Time};
//!
//! let info = Report::Info(Info::new().depth(7).score(Score::cp(35)).time(Time::Millis(1500)));
//! let lines = Dialect::ALL.map(|dialect| String::from_utf8(info.line(dialect)).unwrap());
//! assert_eq!(lines[0], "info depth 7 score cp 35 time 1500");
//! assert_eq!(lines[3], "info ply 7 score 35.000 time 1.500");
//! ```
//!
//! Options are declared with [`OptionLine`] and arrive as [`SetOption`]:
//!
//! ```
//! use quadrille_protocol::{Command, Dialect, OptionLine, Report};
//!
//! let hash = Report::Option(OptionLine::spin("Hash", 16, 1, 4096));
//! assert_eq!(hash.line(Dialect::Uci), b"option name Hash type spin default 16 min 1 max 4096");
//!
//! let line = b"setoption name clear HASH";
//! let Command::SetOption(set) = Command::parse(line, Dialect::Uci).message else { panic!() };
//! assert!(set.name.eq_ignore_case("Clear Hash"));
//! assert_eq!(set.value, None);
//! ```
//!
//! # For a host author
//!
//! Everything an engine says is worth keeping and some of it is wrong. Each
//! [`Diagnostic`] has a stable [`Code`], a [`Severity`], the byte span, a
//! sentence for people and the clause of the specification it rests on; the
//! message is there all the same:
//!
//! ```
//! use quadrille_protocol::{Code, Dialect, Report};
//!
//! let line = b"info depth 12 score cp 31.5 nodes many pv e2e4 e7e5";
//! let parsed = Report::parse(line, Dialect::Uci);
//! let Report::Info(info) = &parsed.message else { panic!() };
//! assert_eq!(info.get_depth(), Some(12));
//! assert_eq!(info.get_pv().unwrap().len(), 2);
//!
//! let codes: Vec<Code> = parsed.diagnostics().iter().map(|d| d.code).collect();
//! assert_eq!(codes, [Code::FractionalNumber, Code::NotANumber, Code::UnknownWord]);
//! assert_eq!(&line[parsed.diagnostics()[1].span()], b"many");
//! assert_eq!(parsed.exact(), line);
//! ```
//!
//! Single lines can be right and the conversation wrong. Feed a [`HostSide`]
//! everything that crosses the pipe; it says what was out of place and what is
//! still owed, so that every wait can have a deadline:
//!
//! ```
//! use quadrille_protocol::{Code, Command, Dialect, Go, HostSide, Phase, Report, SetPosition};
//!
//! let mut talk = HostSide::new(Dialect::Uci);
//! talk.sent(&Command::Uci);
//! for line in ["id name Joe 1.0", "uciok"] {
//!     talk.received(&Report::parse(line.as_bytes(), Dialect::Uci).message);
//! }
//! talk.sent(&Command::Position(SetPosition::startpos()));
//! talk.sent(&Command::Go(Go::new().infinite()));
//! assert_eq!(talk.phase(), Phase::Infinite);
//! assert_eq!(talk.owed().bestmove, 1);
//!
//! let early = Report::parse(b"bestmove e2e4", Dialect::Uci).message;
//! let findings = talk.received(&early);
//! assert!(findings.contains(&Code::PrematureBestmove));
//! ```
//!
//! A host with a process, a clock and deadlines is in `examples/tiny_host.rs`:
//! `cargo run -p quadrille-protocol --example tiny_host -- stockfish`.
//!
//! # Promises
//!
//! * No line is refused, no token lost or invented: unknown words stay in their
//!   place in `info`, `go` and `option`, and around every other message.
//! * No input panics; no `unsafe`; no dependency; `no_std` with `alloc`.
//! * `info`, `bestmove`, `go` and `position` of ordinary size are read without
//!   allocating.
//! * `parse(write(m)) == m` in every dialect that has a form for `m`.
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
mod go_parse;
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

/// The README's example is a test too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
