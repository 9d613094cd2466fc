//! The last position of a game, for a file of positions.

use quadrille_games::{AnyLine, Game};

/// One line: in chess and Liberty Chess the position without its move
/// counters, as EPD wants it, in the other games the whole text.
pub fn epd(line: &AnyLine) -> String {
    let text = line.position_text();
    match line.game() {
        Game::Chess | Game::Liberty => {
            let fields: Vec<&str> = text.split(' ').take(4).collect();
            fields.join(" ")
        }
        Game::Leiser | Game::Gyges => text,
    }
}
