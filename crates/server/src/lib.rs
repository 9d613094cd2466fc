//! A game server where people and engines meet.
//!
//! | room | what is in it |
//! |---|---|
//! | [`client`] | the other side: engines and people who play at a server |
//! | [`message`] | what is said on a connection, as types |
//! | [`hall`] | everything that happens between players, without input or output |
//! | [`serve`] | a server as an operator starts it: addresses, a folder, a log, orders |
//! | [`server`] | the hall with connections, a store and a clock |
//! | [`store`] | what is kept |
//! | [`password`] | passwords, as argon2 keeps them |
//! | [`glicko`] | ratings |
//! | [`meter`] | how much may come in a time |

mod backups;
pub mod client;
mod clock;
mod connection;
pub mod glicko;
pub mod hall;
pub mod message;
pub mod meter;
pub mod password;
pub mod serve;
pub mod server;
pub mod store;

pub use backups::newest;
pub use connection::LINE;
pub use server::{Options, Server};
