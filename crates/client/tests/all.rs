//! Conversations with engines that behave and engines that do not, without a process
//! and without waiting.

mod handshakes;
mod script;
mod searches;
mod times;
