//! One test for each way an engine can misbehave: what the driver makes of it,
//! and what it says about it.
//!
//! The animals live on threads of the test, except where the test is about
//! processes.
//!
//! The numbers in the names are those of `zoo --list`.

mod answers;
pub(crate) mod beast;
mod dialects;
mod hello;
pub(crate) mod inside;
mod lifecycle;
mod links;
mod options;
mod orphans;
mod searches;
