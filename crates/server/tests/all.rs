//! The one test program of the server.

mod hall;
mod messages;
mod person;
mod server;
