//! A stream of bytes cut into lines, however it arrives.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| quadrille_fuzz::framing::check(data));
