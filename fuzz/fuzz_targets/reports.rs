//! Engine-to-host lines: the input as one line and, if it holds line ends, as a
//! conversation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_fuzz::lines::{Speaker, conversation, report};

fuzz_target!(|data: &[u8]| {
    report(data);
    if data.contains(&b'\n') {
        conversation(data, Speaker::Engine);
    }
});
