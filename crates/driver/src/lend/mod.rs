//! A local engine for others: one process for each connection, no more of them
//! than allowed, and nothing that a client says starts or opens anything else.
//!
//! | file | what it does |
//! |---|---|
//! | `lender` | [`Lender`]: takes connections, counts places, tells what happens |
//! | `entrance` | who may come in: half-open connections, passwords, tries |
//! | `session` | one client and one engine, line by line |
//! | `filter` | which lines are passed on |
//! | `positions` | which positions and moves |
//! | `resources` | how much memory and how many threads |

mod entrance;
mod filter;
mod lender;
mod positions;
mod resources;
mod session;

pub use lender::{LendEvent, Lender};
