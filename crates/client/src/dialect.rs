//! Games and the dialects they are played in.

use quadrille_games::Game;
use quadrille_protocol::Dialect;

/// Returns the dialect in which a game is played.
pub const fn dialect_of(game: Game) -> Dialect {
    match game {
        Game::Chess => Dialect::Uci,
        Game::Liberty => Dialect::Ulci,
        Game::Leiser => Dialect::Leiser,
        Game::Gyges => Dialect::Ugi,
    }
}
