//! Passwords that wait to be hashed.
//!
//! A hash takes tens of milliseconds and 19 MiB, so only [`HASHING`] are computed at a
//! time; the others wait here. Two queues are served in turn: that of addresses from
//! which the owner of the account has come, and that of all others, which gets every
//! fourth place at least. Both are bounded: who finds no room is turned away at once
//! and may try again. Who goes is taken out, so that a password for which nobody waits
//! costs nothing.

use std::collections::VecDeque;

use super::effect::{Address, ConnId, Effect};
use super::{ClientStage, Hall};

/// Passwords that are hashed at a time. A server has so many threads for it.
pub const HASHING: usize = 2;
/// Passwords that may wait in each of the two queues.
const WAITING: usize = 128;
/// One of so many is taken from the queue of strangers while owners wait.
const SHARE: u32 = 4;

/// What a password is hashed for.
pub(super) enum Purpose {
    /// To come in as the owner of an account, by its folded name.
    Login { folded: String, address: Address },
    /// To make an account.
    Register,
}

struct Waiting {
    conn: ConnId,
    password: String,
    purpose: Purpose,
}

/// A password that is being compared.
pub(super) struct Checking {
    pub(super) folded: String,
    pub(super) address: Address,
    /// What it is compared with. The account may have another one when that is done.
    pub(super) hash: String,
}

/// The queues of passwords.
#[derive(Default)]
pub(super) struct Checks {
    owners: VecDeque<Waiting>,
    strangers: VecDeque<Waiting>,
    running: usize,
    served: u32,
}

impl Checks {
    const fn queue(&mut self, owner: bool) -> &mut VecDeque<Waiting> {
        if owner {
            &mut self.owners
        } else {
            &mut self.strangers
        }
    }

    pub(super) fn has_room(&mut self, owner: bool) -> bool {
        self.queue(owner).len() < WAITING
    }

    fn next(&mut self) -> Option<Waiting> {
        if self.running >= HASHING {
            return None;
        }
        let owners_first = !(self.served + 1).is_multiple_of(SHARE);
        let first = self.queue(owners_first).pop_front();
        let next = first.or_else(|| self.queue(!owners_first).pop_front())?;
        self.served = (self.served + 1) % SHARE;
        Some(next)
    }

    /// Takes out what a client waits for.
    pub(super) fn forget(&mut self, conn: ConnId) {
        for queue in [&mut self.owners, &mut self.strangers] {
            queue.retain(|waiting| waiting.conn != conn);
        }
    }

    /// A hash is computed, or could not be.
    pub(super) const fn done(&mut self) {
        self.running = self.running.saturating_sub(1);
    }
}

impl Hall {
    /// Puts a password into a queue, which has room for it.
    pub(super) fn queue_password(
        &mut self,
        conn: ConnId,
        password: String,
        purpose: Purpose,
        owner: bool,
    ) {
        let waiting = Waiting {
            conn,
            password,
            purpose,
        };
        self.checks.queue(owner).push_back(waiting);
        self.hash_next();
    }

    /// Has the next passwords hashed, as many as may be at a time.
    pub(super) fn hash_next(&mut self) {
        while let Some(waiting) = self.checks.next() {
            let Waiting {
                conn,
                password,
                purpose,
            } = waiting;
            match purpose {
                Purpose::Register => self.effects.push(Effect::Hash { conn, password }),
                Purpose::Login { folded, address } => {
                    // The hash of now: the password may have been changed since it came.
                    let Some(account) = self.accounts.get(&folded) else {
                        self.turn_away(conn, "the name or the password is wrong");
                        continue;
                    };
                    let hash = account.hash.clone();
                    let checking = Checking {
                        folded,
                        address,
                        hash: hash.clone(),
                    };
                    self.checking.insert(conn, checking);
                    self.effects.push(Effect::Check {
                        conn,
                        password,
                        hash,
                    });
                }
            }
            self.checks.running += 1;
        }
    }

    /// Turns away all whose password is being compared with a hash that an account does
    /// not have any more.
    pub(super) fn end_checks(&mut self, folded: &str) {
        let of_it = self.checking.iter();
        let of_it = of_it.filter(|(_, checking)| checking.folded == folded);
        let conns: Vec<ConnId> = of_it.map(|(conn, _)| *conn).collect();
        for conn in conns {
            let waits = self.clients.get(&conn);
            if waits.is_some_and(|client| client.stage == ClientStage::Checking) {
                self.turn_away(conn, "the password of this account was changed");
            }
        }
    }
}
