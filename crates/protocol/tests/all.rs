//! All tests of this crate as one program: linking many costs more than running them.

mod allocations;
mod common;
mod conversation;
mod diagnostics;
mod examples;
mod properties;
mod seeds;
mod seeds_dialects;
mod serde;
mod torture;
mod torture_options;
mod transcripts;
