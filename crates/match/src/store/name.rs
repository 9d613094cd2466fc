//! A name for a store that none has chosen.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;

/// How many events of one name and second there may be in a folder.
const MOST: u32 = 10_000;

/// Makes an empty file for a store, named after the event and a moment, which
/// is no other event's: it is made only if there is none of the name, so that of
/// two processes at once each has its own.
pub fn claim(folder: &Path, event: &str, moment: &str) -> Result<PathBuf, StoreError> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = event.chars().map(plain).take(60).collect();
    let time: String = moment.chars().filter(|c| *c != ':').collect();
    let stem = format!("{}-{time}", name.to_ascii_lowercase());
    let mut last = folder.join(format!("{stem}.db"));
    for copy in 1..=MOST {
        if copy > 1 {
            last = folder.join(format!("{stem}-{copy}.db"));
        }
        let mut options = File::options();
        match options.write(true).create_new(true).open(&last) {
            Ok(_) => return Ok(last),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::no_room(&last, error)),
        }
    }
    Err(StoreError::Exists(last))
}
