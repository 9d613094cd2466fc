//! Accounts: passwords, registering, and that an account's name is no other's.

use std::time::Duration;

use super::checks::Purpose;
use super::effect::{AccountRow, Address, ConnId, Keep};
use super::table::PlayerId;
use super::{ClientStage, Hall};
use crate::message::{Name, ToClient};
use crate::password::LETTERS;

/// Random letters of a token.
const TOKEN: usize = 24;
/// There is no room in the queue of passwords.
const BUSY: &str = "too many passwords are being checked: try again in a few seconds";

impl Hall {
    pub(super) fn check(
        &mut self,
        conn: ConnId,
        name: &str,
        password: &str,
        address: Address,
        now: Duration,
    ) {
        let folded = name.to_ascii_lowercase();
        if !self.may_hash(address, now) {
            return self.turn_away(conn, "too many passwords in a short time: wait a little");
        }
        if self.turn_banned(conn, &folded) {
            return;
        }
        let short = password.chars().count() <= *LETTERS.end();
        if !short || !self.accounts.contains_key(&folded) {
            return self.turn_away(conn, "the name or the password is wrong");
        }
        let owner = self.is_known_to(&folded, address);
        if !self.checks.has_room(owner) {
            return self.turn_away(conn, BUSY);
        }
        if let Err(why) = self.may_try(&folded, address, now) {
            return self.turn_away(conn, &why);
        }
        if let Some(client) = self.clients.get_mut(&conn) {
            client.stage = ClientStage::Checking;
        }
        let purpose = Purpose::Login { folded, address };
        self.queue_password(conn, password.into(), purpose, owner);
    }

    /// Whether the password of a connection was right.
    pub fn checked(&mut self, conn: ConnId, right: bool, now: Duration) {
        self.checks.done();
        self.decide(conn, right, now);
        self.hash_next();
    }

    fn decide(&mut self, conn: ConnId, right: bool, now: Duration) {
        let Some(checking) = self.checking.remove(&conn) else {
            return;
        };
        let folded = checking.folded;
        // Right for a hash that was replaced meanwhile is right no more.
        let account = self.accounts.get(&folded);
        let stands = account.is_some_and(|account| account.hash == checking.hash);
        if stands && !right {
            self.tried_wrong(&folded, checking.address);
        }
        let client = self.clients.get(&conn);
        if client.is_none_or(|client| client.stage != ClientStage::Checking) {
            return;
        }
        if stands && right {
            self.log_in(conn, &folded, now);
            self.resume(conn, now);
        } else {
            self.turn_away(conn, "the name or the password is wrong");
        }
    }

    /// The client is the owner of an account.
    pub(super) fn log_in(&mut self, conn: ConnId, folded: &str, now: Duration) {
        let account = self.accounts.get(folded);
        let name: Option<Name> = account.and_then(|account| account.name.parse().ok());
        let Some(name) = name else {
            return self.turn_away(conn, "the name or the password is wrong");
        };
        // It may have been banned while the password was checked.
        if self.turn_banned(conn, folded) {
            return;
        }
        let player = match self.names.get(folded).copied() {
            Some(player) => {
                self.take_over(player, conn, now);
                player
            }
            None => {
                let player = self.admit(conn, name.clone(), true, now);
                self.settle(conn, player, now);
                player
            }
        };
        let address = self.clients.get(&conn).and_then(|client| client.address);
        let token = self.players.get(&player).map(|known| known.token.clone());
        self.came_in(conn, &name, address, token.unwrap_or_default());
    }

    /// A guest wants its name to be an account.
    pub(super) fn register(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        password: String,
        now: Duration,
    ) {
        let (Some(known), Some(client)) = (self.players.get(&player), self.clients.get(&conn))
        else {
            return;
        };
        let (name, address) = (known.name.folded(), client.address);
        let why = if !self.settings.register {
            Some("accounts are made by the operator here")
        } else if known.account {
            Some("this is an account already")
        } else if !LETTERS.contains(&password.chars().count()) {
            Some("a password has 6 to 100 letters")
        } else if client.registering.is_some() {
            Some("your account is being made")
        } else if !self.checks.has_room(false) {
            Some(BUSY)
        } else if !self.may_hash(address, now) {
            Some("too many passwords in a short time: wait a little")
        } else {
            None
        };
        if let Some(why) = why {
            return self.refuse(conn, why);
        }
        if let Some(client) = self.clients.get_mut(&conn) {
            client.registering = Some(name);
        }
        self.queue_password(conn, password, Purpose::Register, false);
    }

    /// The hash of a password that was asked for; none if it could not be computed.
    pub fn hashed(&mut self, conn: ConnId, hash: Option<&str>, _now: Duration) {
        self.checks.done();
        self.make_own_account(conn, hash);
        self.hash_next();
    }

    fn make_own_account(&mut self, conn: ConnId, hash: Option<&str>) {
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        let asked = client.registering.take();
        let ClientStage::In(player) = client.stage else {
            return;
        };
        let Some(hash) = hash else {
            return self.refuse(conn, "the password could not be hashed: try again");
        };
        let Some(known) = self.players.get(&player).filter(|p| !p.account) else {
            return;
        };
        let (name, folded) = (known.name.to_string(), known.name.folded());
        // The operator may have given the name to another meanwhile.
        if asked.as_ref() != Some(&folded) || self.accounts.contains_key(&folded) {
            return self.refuse(conn, "that name has become another's account");
        }
        let row = AccountRow {
            name,
            hash: hash.into(),
        };
        self.accounts.insert(folded, row.clone());
        let mut token = None;
        if let Some(known) = self.players.get_mut(&player) {
            known.account = true;
        }
        self.renew_token(player);
        if let Some(known) = self.players.get(&player) {
            token = Some((known.name.clone(), known.token.clone()));
        }
        self.log("account", Some(conn), None, row.name.clone());
        self.keep(Keep::Account(row));
        self.welcome(conn, player);
        let address = self.clients.get(&conn).and_then(|client| client.address);
        if let Some((name, token)) = token {
            self.came_in(conn, &name, address, token);
        }
    }

    /// The operator makes an account, or gives it another password.
    pub(super) fn make_account(
        &mut self,
        name: &str,
        hash: String,
        now: Duration,
    ) -> Result<serde_json::Value, String> {
        let name: Name = name.parse().map_err(|error| format!("{error}"))?;
        let row = AccountRow {
            name: name.to_string(),
            hash,
        };
        let known = self.accounts.insert(name.folded(), row.clone()).is_some();
        self.keep(Keep::Account(row));
        self.forget_logins(&name.folded());
        self.end_checks(&name.folded());
        if let Some(&player) = self.names.get(&name.folded()) {
            let account = self.players.get(&player).is_some_and(|p| p.account);
            match self.conn_of(player) {
                // One who came in by the old password has to know the new one.
                Some(conn) if account => {
                    self.cut_off(conn, "the password of this account was changed", now);
                }
                _ if account => {}
                _ => self.rename_guest(player),
            }
        }
        Ok(serde_json::json!({ "name": name.as_str(), "new": !known }))
    }

    /// A guest's name has become an account's: the guest goes on under another.
    fn rename_guest(&mut self, player: PlayerId) {
        let Some(old) = self.players.get(&player).map(|p| p.name.clone()) else {
            return;
        };
        let name = self.free_name(&old);
        self.names.remove(&old.folded());
        self.names.insert(name.folded(), player);
        let mut game = None;
        if let Some(known) = self.players.get_mut(&player) {
            known.name = name.clone();
            game = known.game;
        }
        if let Some(table) = game.and_then(|game| self.tables.get_mut(&game))
            && let Some(side) = table.side_of(player)
        {
            table.names[side.index()] = name.clone();
        }
        self.rename_in_tournaments(&old, &name);
        let note = format!("{old} is an account now: you are {name}");
        self.to(player, &ToClient::Note(note));
        if let Some(conn) = self.conn_of(player) {
            self.welcome(conn, player);
        }
    }

    /// Whether an address may have another password looked at: hashing is work.
    fn may_hash(&mut self, address: Address, now: Duration) -> bool {
        address.is_none_or(|address| self.passwords.of(address, now).take(now))
    }

    /// What opens a seat again. That of an account ends with its password, so it
    /// has a mark of that.
    pub(super) fn token(&mut self, account: Option<&Name>) -> String {
        // Other programs of the same owner have the last one.
        let folded = account.map(Name::folded).unwrap_or_default();
        if let Some(logins) = self.logins.get(&folded)
            && self.is_token_of(&folded, &logins.token)
        {
            return logins.token.clone();
        }
        let secret = self.secret(TOKEN);
        let mark = account.map(|_| self.mark(&folded)).unwrap_or_default();
        format!("{secret}{mark}")
    }

    pub(super) fn mark(&self, folded: &str) -> String {
        let hash = self.accounts.get(folded);
        let hash = hash.map_or("", |account| account.hash.as_str());
        // FNV-1a: it need not be secret, only another one for another hash.
        let mark = hash.bytes().fold(0xcbf2_9ce4_8422_2325, |mark: u64, byte| {
            (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{mark:016x}")
    }

    /// Gives a player another token, if its own was given for another password.
    pub(super) fn renew_token(&mut self, player: PlayerId) {
        let Some(known) = self.players.get(&player) else {
            return;
        };
        let name = known.account.then(|| known.name.clone());
        if self.token_stands(known) {
            return;
        }
        let token = self.token(name.as_ref());
        if let Some(known) = self.players.get_mut(&player) {
            known.token = token;
        }
    }

    fn token_stands(&self, player: &super::Player) -> bool {
        !player.account || player.token.ends_with(&self.mark(&player.name.folded()))
    }

    pub(super) fn by_token(&self, token: &str) -> Option<PlayerId> {
        let same = |player: &super::Player| player.token == token && self.token_stands(player);
        let mut players = self.players.iter();
        players.find(|(_, player)| same(player)).map(|(id, _)| *id)
    }
}
