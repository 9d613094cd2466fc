//! Liberty Chess: L-FEN, engine moves and notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_fuzz::positions;
use quadrille_games::liberty::Liberty;
use quadrille_games::{Position, Side};

fuzz_target!(|data: &[u8]| positions::check::<Liberty>(data, count));

/// The counts are those of the board.
fn count(position: &Liberty) {
    let (width, height) = position.size();
    let squares = usize::from(width) * usize::from(height);
    let mut pieces = 0;
    let mut kings = 0;
    position.pieces(|piece, square| {
        pieces += 1;
        kings += usize::from(position.kings(piece.side).any(|king| king == square));
        assert_eq!(position.piece_at(square), Some(piece));
    });
    assert_eq!(position.empty_squares(), squares - pieces);
    let all_kings = Side::BOTH.map(|side| position.kings(side).count());
    assert_eq!(all_kings.iter().sum::<usize>(), kings);
    let _ = (position.features(), position.en_passant().count());
}
