//! Whether a program keeps to its protocol.
//!
//! An engine is started, asked and judged by what it does: moves by the rules of
//! the game, mates by a search of our own, times by the clock and by what the
//! kernel says the machine took. Each [`Check`] is a row of a [table]
//! with the clause that it rests on, how bad it is to fail it and how to mend it.
//! All checks are always made; an engine that dies is started again.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use quadrille_games::Game;
//! use quadrille_check::{Settings, Subject, check};
//! use quadrille_driver::spec::EngineSpec;
//!
//! # async fn example() {
//! let subject = Subject {
//!     spec: EngineSpec { command: "stockfish".into(), ..EngineSpec::default() },
//!     game: Game::Chess,
//!     opener: None,
//! };
//! let report = check(&subject, &Settings::default(), &mut |_| ControlFlow::Continue(())).await;
//! println!("{}", report.score_line());
//! for finding in &report.findings {
//!     println!("{} {}: {}", finding.severity, finding.id, finding.seen);
//! }
//! # }
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `table` | every check: id, severity, dialects, clause, title, hint |
//! | `probes` | conversations that show whether rules are kept; many checks share one |
//! | `examiner`, `start`, `searches`, `talk` | keep an engine running, tell it things, hear it out, keep every line |
//! | `watch`, `judge`, `heard` | what every line and every search is judged by |
//! | [`hosts`] | the other direction: an engine that judges its host |
//! | `fair` | waits and times, without what the machine takes |
//! | `children` | the processes that an engine has started |
//! | `prove`, `positions` | mates proven by a search of our own; where searches begin |
//! | `reproduce`, `crash` | the command that shows a finding; what it takes for an engine to end |
//! | [`Baseline`] | findings that are accepted |
//! | [`output`] | a report as text, `JUnit`, SARIF, HTML |
//! | `record`, `report`, `run` | verdicts, and what they come to |

mod baseline;
mod children;
mod crash;
mod examiner;
mod fair;
mod heard;
pub mod hosts;
mod judge;
pub mod output;
mod positions;
mod probes;
mod prove;
mod record;
mod report;
mod reproduce;
mod run;
mod searches;
mod select;
mod start;
pub mod table;
mod talk;
mod watch;

pub use baseline::{Baseline, BaselineError};
pub use report::{
    Clause, Examined, Finding, Measure, REPORT_VERSION, Report, Role, Skipped, Spoken, Tally, Voice,
};
pub use run::{Event, Patience, Settings, Subject, check};
pub use select::{Selection, UnknownCheck};
pub use table::{Check, Dialects};
