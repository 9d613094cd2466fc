//! A score as the chances of UCI's `wdl`; the model stands in
//! [`quadrille_search::chances`].

use quadrille_games::Game;
use quadrille_protocol::Wdl;
use quadrille_search::Score;
use quadrille_search::chances::Curve;

/// The chances of the side whose score this is, in permill; they add up to
/// 1000.
pub(crate) fn chances(game: Game, score: Score) -> Wdl {
    let (win, loss) = match score {
        Score::Win(_) => (1000, 0),
        Score::Loss(_) => (0, 1000),
        Score::Cp(value) => {
            let share = |v: f64| Curve::of(game).wins(v, 1000.0).round() as u32;
            let v = f64::from(value);
            (share(v), share(-v))
        }
    };
    let loss = loss.min(1000 - win);
    Wdl {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_are_symmetric_and_grow() {
        for game in Game::ALL {
            let mut last = 0;
            for value in (-3000..=3000).step_by(25) {
                let wdl = chances(game, Score::Cp(value));
                let mirror = chances(game, Score::Cp(-value));
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                assert_eq!((wdl.win, wdl.loss), (mirror.loss, mirror.win));
                assert!(wdl.win >= last);
                last = wdl.win;
            }
            assert_eq!(chances(game, Score::Win(3)).win, 1000);
            assert_eq!(chances(game, Score::Loss(2)).loss, 1000);
        }
    }
}
