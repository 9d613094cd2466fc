//! A match as the user describes it.
//!
//! A description comes from a command line in the manner of fastchess and
//! cutechess-cli ([`from_flags`]), from a TOML file ([`from_file`]), or from
//! both: what the command line says goes over what the file says. Both fill
//! the same [`Draft`], in which everything may be missing; [`Draft::finish`]
//! checks it and gives a [`MatchConfig`], in which nothing is missing any more.
//!
//! ```
//! use quadrille_match::config::from_flags;
//!
//! let words = "-engine cmd=builtin name=new option.Hash=16 \
//!              -engine cmd=./old name=old \
//!              -each tc=10+0.1 -rounds 50 -repeat -concurrency 2";
//! let flags = from_flags(words.split_whitespace().map(Into::into))?;
//! assert!(flags.notes.is_empty());
//! let config = &flags.config;
//! assert_eq!(config.engines[0].name(), "new");
//! assert_eq!(config.engines[1].time.to_string(), "10+0.1");
//! assert_eq!((config.schedule.rounds, config.schedule.games), (50, 2));
//! # Ok::<(), quadrille_match::config::ConfigError>(())
//! ```

mod changes;
mod description;
mod draft;
mod entrants;
mod error;
mod file;
mod finish;
mod flags;
mod log;
mod machine;
mod output;
mod pgn_fields;
mod rules;
mod schedule;

pub use changes::Changes;
pub use description::{Entrant, MatchConfig};
pub use draft::{
    Arguments, Draft, EngineDraft, Environment, EpdDraft, GameWord, PgnDraft, Settings,
};
pub use error::ConfigError;
pub(crate) use error::write_place;
pub use file::{from_file, from_toml};
pub(crate) use finish::check_total;
pub use finish::games_at_once;
pub use flags::{FLAGS, Flag, Flags, FlagsDraft, OutputFormat, flags, from_flags, read_flags};
pub use log::{LogDraft, LogEngines, LogLevel, LogOutput};
pub use machine::MachineConfig;
pub use output::{Notation, OutputConfig, OutputFile, PgnOutput};
pub use pgn_fields::PgnFields;
pub use quadrille_client::time_control::{Clock, Period, TimeControl, TimeControlError};
pub use rules::{ClockMode, DrawRule, GameRules, ResignRule, TablebaseConfig, TablebaseScope};
pub use schedule::{
    Format, OpeningFormat, OpeningOrder, OpeningPolicy, OpeningSource, ScheduleConfig,
};
