//! Win chances of scores.

use quadrille_games::Game;
use quadrille_protocol::Wdl;

/// What the side whose score this is can expect, from 0 to 1.
pub(crate) fn win_chance(game: Game, cp: Option<i64>, mate: Option<i64>, wdl: Option<Wdl>) -> f64 {
    match (mate, wdl, cp) {
        // A mate in no moves has happened: the side to move is mated.
        (Some(moves), _, _) => f64::from(u8::from(moves > 0)),
        (None, Some(wdl), _) if wdl.win + wdl.draw + wdl.loss > 0 => {
            let all = f64::from(wdl.win) + f64::from(wdl.draw) + f64::from(wdl.loss);
            (f64::from(wdl.win) + f64::from(wdl.draw) / 2.0) / all
        }
        (None, _, Some(cp)) => {
            let scale = match game {
                Game::Chess | Game::Liberty => 0.00368208,
                Game::Leiser => 0.003,
                Game::Gyges => 0.0112,
            };
            1.0 / (1.0 + (-scale * cp as f64).exp())
        }
        (None, _, None) => 0.5,
    }
}
