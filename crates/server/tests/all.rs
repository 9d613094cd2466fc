//! The one test program of the server.

mod client;
mod hall;
mod messages;
mod person;
mod server;
