//! Gyges: boards, engine moves in both forms, notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_fuzz::positions;
use quadrille_games::gyges::{Gyges, GygesRules, MoveStyle, turn_move_text};
use quadrille_games::{Position, Side};

fuzz_target!(|data: &[u8]| {
    positions::check::<Gyges>(data, turns);
    let text = String::from_utf8_lossy(data);
    for line in text.split('\n').take(8) {
        let _ = turn_move_text(line);
        // With more pieces than in a real game a move may cost any price.
        if let Ok(position) = Gyges::from_text_any_count(line, &GygesRules::default())
            && position.occupied().count_ones() <= 12
        {
            turns(&position);
        }
    }
});

/// The board turned round has the same moves, turned round, and every move can
/// be written in every form and drawn.
fn turns(position: &Gyges) {
    let turned = position.turned();
    assert_eq!(turned.turned(), *position);
    assert_eq!(position.mirrored().mirrored(), *position);
    let mut moves = position.moves();
    assert_eq!(position.has_move(), !moves.is_empty());
    assert_eq!(position.winning_move().is_some(), position.can_win());
    for &m in moves.iter().take(64) {
        assert!(turned.is_legal(m.turned()), "{m}");
        let pairs = position.move_text_in(m, MoveStyle::Pairs);
        assert_eq!(position.parse_move(&pairs), Ok(m));
        let path = position.path(m).expect("a legal move has a path");
        assert_eq!(path.squares().last(), Some(&m.end()));
        let text = position.move_text(m);
        assert_eq!(turn_move_text(&text), Ok(m.turned().to_string()));
        assert_eq!(
            position.after(m).hash(),
            position.after(m).recomputed_hash()
        );
    }
    let mut there = turned.moves();
    for m in &mut moves {
        *m = m.turned();
    }
    moves.sort_unstable();
    there.sort_unstable();
    assert_eq!(moves, there);
    let seen = match position.side() {
        Side::White => *position,
        Side::Black => turned,
    };
    let ugi = Gyges::from_text_any_count(&position.ugi_text(), &position.rules());
    assert_eq!(ugi, Ok(seen));
}
