//! A page to play, analyse and watch the four games, and the server behind it.
//!
//! The server is thin. What a page shows and does without a machine (studies, games,
//! analysis, the editor) is a [desk](quadrille_desk); engines are led, events played
//! and games analysed by the [driver](quadrille_driver). Here is what stands between
//! them and a browser:
//!
//! | file | what it does |
//! |---|---|
//! | `server` | a data folder, an address, everything started and ended |
//! | `guard`, `secret` | who may come in |
//! | `http`, `page`, `coding`, `socket`, `upload` | what is at which address |
//! | `hub` | one task that pages, desk, engines, events and jobs meet in |
//! | `engines` | the list of engines, and the processes that run |
//! | `events`, `jobs`, `library` | tournaments, reports and imports, games that can be found again |
//! | `data` | what is kept, in SQLite |
//! | `fault` | a part that breaks is told of |
//!
//! ```no_run
//! use quadrille_web::{Options, Server};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::start(Options::new("data", std::env::current_exe()?)).await?;
//! println!("open {}", server.address());
//! server.run(std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```

mod coding;
mod connections;
mod data;
mod engines;
mod events;
mod fault;
mod folder;
mod guard;
mod http;
mod hub;
mod jobs;
mod library;
mod page;
mod secret;
mod server;
mod socket;
mod upload;

pub use folder::data_folder;
pub use hub::{Door, Line};
pub use server::{Hall, Options, RunningServer, Server, StartError};
