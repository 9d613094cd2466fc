//! Endgame tables.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| quadrille_fuzz::tables::check(data));
