//! Text as a string for serde; bytes that are not UTF-8 show as U+FFFD.
//!
//! Messages can be serialised, for logs and event streams, but not read back
//! that way: a message travels as its line, which is smaller, exact and parses
//! faster.

use alloc::string::ToString;

use serde::{Serialize, Serializer};

use crate::text::{Moves, Text};

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_str() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.serialize_str(&self.to_string()),
        }
    }
}

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
