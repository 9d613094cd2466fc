//! Host-to-engine lines: the input as one line and, if it holds line ends, as a
//! conversation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_fuzz::lines::{Speaker, command, conversation};

fuzz_target!(|data: &[u8]| {
    command(data);
    if data.contains(&b'\n') {
        conversation(data, Speaker::Host);
    }
});
