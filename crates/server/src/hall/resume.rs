//! What is known from before: accounts, ratings, games that go on.

use std::time::Duration;

use quadrille_games::AnyLine;

use super::about::About;
use super::arranged::{Match, Plan};
use super::effect::{AccountRow, DocumentKey, Origin, RatingRow, StoredGame, StoredPlayer};
use super::logins::Logins;
use super::table::{PlayerId, Setup, Stage, Table};
use super::tournaments::{Sheet, Tournament};
use super::{Hall, Player, Timer, seconds};
use crate::message::{Id, Name};

/// What a store kept.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// All accounts.
    pub accounts: Vec<AccountRow>,
    /// What is known of the visits of accounts, by folded names.
    pub logins: Vec<(String, Logins)>,
    /// All ratings.
    pub ratings: Vec<RatingRow>,
    /// Names and addresses that may not come in, and why.
    pub bans: Vec<(String, String)>,
    /// Matches and tournaments that are not over.
    pub documents: Vec<(DocumentKey, String)>,
    /// Games that were running.
    pub games: Vec<StoredGame>,
    /// The number of the last game.
    pub last_game: u64,
    /// The highest number of matches and tournaments there ever was.
    pub last_document: u64,
}

impl Hall {
    pub(super) fn take_up(&mut self, kept: Kept) {
        for account in kept.accounts {
            let folded = account.name.to_ascii_lowercase();
            self.accounts.insert(folded, account);
        }
        self.logins = kept.logins.into_iter().collect();
        let known = self.logins.values().flat_map(|logins| &logins.known);
        self.known = known.filter_map(|text| text.parse().ok()).collect();
        for row in kept.ratings {
            self.set_rating(&row);
        }
        self.bans = kept.bans.into_iter().collect();
        self.next_game = kept.last_game + 1;
        self.next = kept.last_document + 1;
        if !kept.documents.is_empty() || !kept.games.is_empty() {
            self.resumed = seconds(self.settings.restart_grace);
        }
        for (key, text) in kept.documents {
            match key {
                DocumentKey::Arranged(id) => {
                    if let Ok(plan) = serde_json::from_str::<Plan>(&text) {
                        let found = Match {
                            plan,
                            players: [None; 2],
                            game: None,
                            next: Duration::ZERO,
                        };
                        self.arranged.insert(id, found);
                    }
                }
                DocumentKey::Tournament(id) => {
                    if let Ok(sheet) = serde_json::from_str::<Sheet>(&text) {
                        let seats = sheet.seats.clone();
                        self.tournaments.insert(id, Tournament::new(sheet));
                        for seat in seats {
                            self.absent(seat, None);
                        }
                        self.wake_tournament(id, Duration::ZERO);
                    }
                }
            }
        }
        for game in kept.games {
            let number = game.number;
            if let Err(why) = self.sit_down(game) {
                self.log("lost", None, Some(number), why);
            }
        }
    }

    /// A game goes on: both players are away, and the clock stands until the one
    /// to move is back.
    fn sit_down(&mut self, game: StoredGame) -> Result<(), String> {
        let time = game.time.parse().map_err(|error| format!("{error}"))?;
        let line = AnyLine::new(game.game, &game.rules, &game.start);
        let line = line.map_err(|error| error.to_string())?;
        let levels = [game.players[0].level, game.players[1].level];
        let [first, second] = game.players;
        let players = [
            self.absent(first, Some(game.number)),
            self.absent(second, Some(game.number)),
        ];
        let names = self.names_of(players).ok_or("a player has no name")?;
        let setup = Setup {
            players,
            names,
            levels,
            line,
            time,
            rated: game.rated,
            origin: game.origin,
        };
        let margin = self.settings.margin();
        let mut table = Table::new(game.number, setup, margin, Duration::ZERO);
        for ply in &game.plies {
            let side = table.line.side();
            let m = table.line.parse_move(&ply.text);
            let m = m.map_err(|error| error.to_string())?;
            table.line.push(m).map_err(|error| error.to_string())?;
            table.made(&ply.text, side, ply.charged);
        }
        table.stage = Stage::Resting;
        let until = seconds(self.settings.restart_grace);
        table.away = [Some(until); 2];
        match table.origin {
            Origin::Lobby => {}
            Origin::Arranged { id } => {
                if let Some(m) = self.arranged.get_mut(&id) {
                    let swapped = m.plan.played % 2 == 1;
                    let [white, black] = players;
                    m.players = if swapped {
                        [black, white]
                    } else {
                        [white, black]
                    }
                    .map(Some);
                    m.game = Some(game.number);
                }
            }
            Origin::Tournament { id, number } => {
                if let Some(t) = self.tournaments.get_mut(&id) {
                    t.playing.insert(number, game.number);
                }
            }
        }
        if let Origin::Arranged { id } = table.origin {
            for player in players {
                if let Some(known) = self.players.get_mut(&player) {
                    known.arranged = Some(id);
                }
            }
        }
        self.tables.insert(game.number, table);
        self.wake(until, Timer::Grace(game.number));
        Ok(())
    }

    /// A seat for a player to come back to.
    fn absent(&mut self, stored: StoredPlayer, game: Option<u64>) -> PlayerId {
        // It may be on the list of a tournament too.
        let same = |p: &Player| p.token == stored.token && p.name.as_str() == stored.name;
        let known = self.players.iter_mut().find(|(_, player)| same(player));
        if let Some((id, player)) = known {
            player.game = player.game.or(game);
            return *id;
        }
        let id = PlayerId(self.fresh());
        let mut about = About::default();
        about.hear(Id::Name(stored.program));
        about.hear(Id::Author(stored.author));
        if stored.person {
            about.hear(Id::Username(stored.name.clone()));
        }
        about.hear(Id::Lobby(u32::from(stored.lobby)));
        let Some(name) = Name::made_of(&stored.name) else {
            return id;
        };
        // A guest's name may have become an account's while the server was down.
        let name = if stored.account {
            name
        } else {
            let free = self.free_name(&name);
            self.rename_in_tournaments(&name, &free);
            free
        };
        self.names.insert(name.folded(), id);
        self.players.insert(
            id,
            Player {
                name,
                account: stored.account,
                about,
                token: stored.token,
                address: stored.address,
                conn: None,
                game,
                last: None,
                ready: false,
                owed: 0,
                late: None,
                nodes: None,
                chess960: false,
                arranged: None,
                waiting: None,
            },
        );
        id
    }
}

impl Player {
    /// What is kept of a player, so that it can come back after a restart.
    pub(super) fn stored(&self, level: Option<u8>) -> StoredPlayer {
        StoredPlayer {
            name: self.name.to_string(),
            account: self.account,
            person: self.about.is_person(),
            token: self.token.clone(),
            address: self.address,
            lobby: self.about.lobby,
            program: self.about.program.clone(),
            author: self.about.author.clone(),
            level,
        }
    }
}
