//! One test for each way an engine can misbehave: what the driver makes of it,
//! and what it says about it.
//!
//! The numbers in the names are those of `zoo --list`.

mod answers;
mod beast;
mod dialects;
mod lifecycle;
mod options;
mod orphans;
mod searches;
