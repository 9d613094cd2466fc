//! What a client may have listed: seeks, games, players, ratings, tournaments.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::effect::{ConnId, RatingRow};
use super::lobby::Seek;
use super::work::SENDING;
use super::{Hall, Player};
use crate::glicko::Glicko;
use crate::message::{GameView, List, Name, PlayerView, Tell, ToClient};

/// Places of a list of ratings, and the most of any list.
const BEST: usize = 20;
const LISTED: usize = 500;

impl Hall {
    pub(super) fn game_view(&self, id: u64) -> Option<GameView> {
        let table = self.tables.get(&id).filter(|table| table.running())?;
        Some(GameView {
            id,
            players: table.names.clone(),
            game: table.line.game(),
            time: table.time,
            rated: table.rated,
            plies: table.plies(),
        })
    }

    fn player_view(&self, player: &Player) -> PlayerView {
        let games = player.about.games();
        let rating = |game| (game, self.rating(&player.name, game).shown());
        PlayerView {
            name: player.name.clone(),
            person: player.about.is_person(),
            account: player.account,
            ratings: games.into_iter().map(rating).collect(),
            playing: player.game,
            program: player.about.program.clone(),
        }
    }

    /// Tells a list. Seeks and games are followed from then on.
    pub(super) fn list(&mut self, conn: ConnId, list: List) {
        let here = |p: &&Player| p.conn.is_some();
        let tells: Vec<Tell> = match list {
            List::Seeks => {
                let open = |s: &Seek| s.to.is_none() && s.wish.word.is_none();
                let open = self.seeks.iter().filter(|(_, seek)| open(seek));
                let views = open.filter_map(|(id, _)| self.seek_view(*id));
                views.map(Tell::Seek).take(LISTED).collect()
            }
            List::Games => {
                let views = self.tables.keys().filter_map(|id| self.game_view(*id));
                views.map(Tell::Game).take(LISTED).collect()
            }
            List::Players => {
                let players = self.players.values().filter(here);
                let views = players.map(|p| Tell::Player(self.player_view(p)));
                views.take(LISTED).collect()
            }
            List::Engines => {
                let engines = self.players.values().filter(here);
                let engines = engines.filter(|p| !p.about.is_person());
                let views = engines.map(|p| Tell::Player(self.player_view(p)));
                views.take(LISTED).collect()
            }
            List::Ratings => self.best(),
            List::Tournaments => self.tournament_views(LISTED),
        };
        if matches!(list, List::Seeks | List::Games) {
            self.follow(conn, list);
        }
        self.spent += SENDING * tells.len() as u64;
        for tell in tells {
            self.send(conn, &ToClient::Lobby(tell));
        }
        self.send(conn, &ToClient::Lobby(Tell::ListEnd(list)));
    }

    /// Changes a rating; gives back what it was.
    pub(super) fn set_rating(&mut self, row: &RatingRow) -> Glicko {
        let ladder = self.ladders.entry(row.game).or_default();
        let old = self
            .ratings
            .insert((row.name.clone(), row.game), row.glicko);
        if let Some(old) = &old {
            ladder.remove(&place(old, &row.name));
        }
        if row.glicko.games > 0 {
            ladder.insert(place(&row.glicko, &row.name));
        }
        old.unwrap_or_default()
    }

    /// The best of each game.
    fn best(&self) -> Vec<Tell> {
        let mut list = Vec::new();
        for game in &self.settings.games {
            let names = self
                .ladders
                .get(game)
                .into_iter()
                .flatten()
                .map(|(_, name)| name);
            let rated = names.filter_map(|name| {
                let name: Name = self.accounts.get(name)?.name.parse().ok()?;
                Some((self.rating(&name, *game), name))
            });
            for (glicko, name) in rated.take(BEST) {
                let player = self.names.get(&name.folded());
                let player = player.and_then(|id| self.players.get(id));
                list.push(Tell::Player(PlayerView {
                    name,
                    person: player.is_none_or(|p| p.about.is_person()),
                    account: true,
                    ratings: vec![(*game, glicko.shown())],
                    playing: player.and_then(|p| p.game),
                    program: String::new(),
                }));
            }
        }
        list
    }
}

/// Names by their ratings, the best first.
pub(super) type Ladder = BTreeSet<(Reverse<i64>, String)>;

/// Where a rating stands in a ladder, to a thousandth of a point.
fn place(glicko: &Glicko, name: &str) -> (Reverse<i64>, String) {
    (Reverse((glicko.rating * 1000.0) as i64), name.into())
}
