//! Leiserchess: positions, rules of all years, engine moves and notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_fuzz::positions;
use quadrille_games::leiser::Leiser;
use quadrille_games::{Position, Side};

fuzz_target!(|data: &[u8]| positions::check::<Leiser>(data, lasers));

/// The beams that are kept are those that would be drawn, and what a shot
/// removes is gone afterwards.
fn lasers(position: &Leiser) {
    for side in Side::BOTH {
        let beam = position.beam(side);
        assert_eq!(beam.is_some(), position.king(side).is_some());
    }
    for m in position.moves().into_iter().take(64) {
        let fire = position.fire(m);
        let mut after = *position;
        after.make(m, &mut ());
        assert_eq!(position.zaps(m), fire.zapped().next().is_some());
        for (square, _) in fire.zapped() {
            assert_eq!(after.piece_at(square), None);
        }
    }
    let generated = position.generated_moves().len() as u64;
    assert_eq!(position.count_generated(), generated);
    assert!(position.count_moves() <= generated);
}
