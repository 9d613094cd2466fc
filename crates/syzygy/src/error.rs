//! What can be wrong: with a file, with a table, with a question.

use core::fmt;
use std::io;
use std::path::PathBuf;

use crate::material::Material;

/// Which of the two tables of an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// Results: win, draw, loss (`.rtbw`).
    Wdl,
    /// Distances to the next capture or pawn move (`.rtbz`).
    Dtz,
}

impl TableKind {
    /// How files of this kind end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    /// The first four bytes of such a file.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Why a table cannot be used, or not for this position. Small and copyable: a
/// search may meet it a million times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A length that no table has: they consist of blocks of 64 bytes and a
    /// checksum of 16.
    Length,
    /// The first bytes are not those of such a table.
    Magic,
    /// The checksum at the end is all zeros: a download that was broken off.
    Unfinished,
    /// The header says something that cannot be; this is what.
    Header(&'static str),
    /// A table inside points out of the file or of itself; this is where.
    Contents(&'static str),
    /// The file could not be read.
    Read(io::ErrorKind),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("cut short: a whole table has 64 n + 16 bytes"),
            Self::Magic => f.write_str("not a table of this kind: it starts with other bytes"),
            Self::Unfinished => f.write_str("not finished: its checksum is missing"),
            Self::Header(what) => write!(f, "damaged header: {what}"),
            Self::Contents(what) => write!(f, "damaged contents: {what}"),
            Self::Read(kind) => write!(f, "cannot be read: {kind}"),
        }
    }
}

impl core::error::Error for Fault {}

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeError {
    /// More pieces than the largest table here has.
    TooManyMen,
    /// Tables know nothing of castling, and a right to it is left.
    Castling,
    /// A table that would be needed is not here.
    Missing(Material, TableKind),
    /// A table that would be needed is damaged.
    Damaged(Material, TableKind, Fault),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyMen => f.write_str("more pieces than any table here has"),
            Self::Castling => f.write_str("castling is still possible; tables know nothing of it"),
            Self::Missing(material, kind) => {
                write!(f, "{material}.{} is not here", kind.extension())
            }
            Self::Damaged(material, kind, fault) => {
                write!(f, "{material}.{}: {fault}", kind.extension())
            }
        }
    }
}

impl core::error::Error for ProbeError {}

/// Why tables cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// A folder that is not there or cannot be read.
    Folder(PathBuf, String),
    /// A file that is no whole table; fetching it again would help.
    Damaged(PathBuf, Fault),
    /// A name that no table has.
    Name(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path, fault) => {
                write!(f, "{}: {fault}; fetch it again", path.display())
            }
            Self::Name(name) => write!(f, "{name:?} is no name of a table, such as KQvK.rtbw"),
        }
    }
}

impl core::error::Error for OpenError {}
