//! What a client may have listed: seeks, games, players, ratings, tournaments.

use super::effect::ConnId;
use super::lobby::Seek;
use super::{Hall, Player};
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
            List::Tournaments => self.tournament_views(),
        };
        if let (List::Seeks | List::Games, Some(client)) = (list, self.clients.get_mut(&conn)) {
            client.follows.insert(list);
        }
        for tell in tells {
            self.send(conn, &ToClient::Lobby(tell));
        }
        self.send(conn, &ToClient::Lobby(Tell::ListEnd(list)));
    }

    /// The best of each game whose rating is certain enough to be shown.
    fn best(&self) -> Vec<Tell> {
        let mut list = Vec::new();
        for game in &self.settings.games {
            let mut rated: Vec<_> = (self.ratings.iter())
                .filter(|((_, kind), glicko)| kind == game && glicko.games > 0)
                .filter_map(|((name, _), glicko)| Some((self.accounts.get(name)?, glicko)))
                .collect();
            rated.sort_by(|a, b| b.1.rating.total_cmp(&a.1.rating));
            for (account, glicko) in rated.into_iter().take(BEST) {
                let Ok(name) = account.name.parse::<Name>() else {
                    continue;
                };
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
