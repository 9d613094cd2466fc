//! A game server where people and engines meet.
//!
//! | room | what is in it |
//! |---|---|
//! | [`message`] | what is said on a connection, as types |

pub mod message;
