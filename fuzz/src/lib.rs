//! The promises that the fuzz targets check.
//!
//! A target is a few lines: it takes bytes and hands them to one of the
//! functions here, which panic when a promise of the libraries is broken. That
//! nothing else panics is the first promise; the others are stated where they
//! are checked.

pub mod framing;
pub mod lines;
pub mod positions;
pub mod records;
pub mod tables;
