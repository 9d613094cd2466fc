//! Matches and analysis spread over many machines, on NATS `JetStream`.
//!
//! A *director* has the description, the store and the records; *workers* have
//! engines and processors; a NATS server lies between them. A game is a job in a
//! work queue, its moves and its end are a result in another stream. Either side,
//! and the server too, may be killed at any moment: nothing is lost, and nothing
//! counts twice.
//!
//! | file | what it does |
//! |---|---|
//! | `access`, `trust`, `server_version` | how the server is reached: address, credentials, TLS |
//! | `names`, `messages`, `plies`, `parcel` | what is said, and where |
//! | `queue`, `crew`, `secret` | the director's side: streams, results, who plays and who is not believed |
//! | `clock` | the time by which the silence of workers is judged |
//! | `check` | what is compared when a game is checked by other workers |
//! | `director` | a [`Venue`](quadrille_match::tournament::Venue) over a queue: a match |
//! | `analysis` | games of a file over a queue |
//! | `config`, `prove` | a worker before it plays: its engines, their proofs, its speed |
//! | `worker`, `serve`, `table`, `look` | a worker at work |
//! | `status` | which workers there are |

mod access;
mod analysis;
mod check;
mod clock;
mod config;
mod crew;
mod director;
mod error;
mod look;
pub mod messages;
mod names;
mod parcel;
mod plies;
mod prove;
mod pull;
mod queue;
mod secret;
mod serve;
mod server_version;
mod status;
mod table;
mod trust;
mod worker;

pub use access::Access;
pub use analysis::{AnalysisJob, AnalysisResult, Spread};
pub use config::{EngineSection, NatsSection, WorkerConfig};
pub use director::{DOUBTED, Director, DirectorOptions, Doubted};
pub use error::ClusterError;
pub use prove::measure_speed;
pub use status::workers;
pub use worker::{Stop, Worker, WorkerEvent};
