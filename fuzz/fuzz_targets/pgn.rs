//! Files of games: tokens, moves on a board, and records, in all four games.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| quadrille_fuzz::records::check(data));
