//! All tests of this crate as one program: linking many costs more than running them.

mod analyse;
mod analyse_kill;
mod check;
mod cli;
#[cfg(unix)]
mod cluster;
mod connect;
mod connect_reference;
mod connect_server;
mod data;
mod event;
mod examples;
mod go;
#[cfg(feature = "gui")]
mod gui;
mod json_schema;
mod lend;
mod match_files;
mod match_growth;
mod match_keys;
mod match_kill;
mod match_kill_moments;
mod match_logs;
mod match_output;
mod match_words;
mod matches;
mod numbers;
mod pgn;
mod serve;
mod solve;
mod support;
mod tape;
