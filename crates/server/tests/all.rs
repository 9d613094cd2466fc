//! The one test program of the server.

mod messages;
