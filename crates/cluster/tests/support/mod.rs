//! What tests and benches share.

pub(crate) mod scripted;
pub(crate) mod server;
