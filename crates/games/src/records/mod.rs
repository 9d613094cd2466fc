//! Game records.
mod buffer;
pub mod diagnostic;
mod nag;
mod result;
mod scan;
mod tag;
mod text;
mod tokens;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use nag::Nag;
pub use result::GameResult;
pub use text::Text;
pub use tokens::{Token, Tokenizer};
mod comment;
mod start;
mod tags;
pub use comment::*;
pub use tags::{ROSTER, TagError, Tags};
