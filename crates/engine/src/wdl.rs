//! From a score to chances.
//!
//! The model is a pair of logistic curves, one for winning and one for losing;
//! what is left is the draw:
//!
//! ```text
//! win(v)  = 1 / (1 + exp((margin - v) / spread))
//! loss(v) = win(-v)
//! ```
//!
//! `margin` is the score at which winning is an even chance, `spread` how
//! quickly chances change around it; both in hundredths of the game's unit. They
//! are fitted to our own games, by the likelihood of their results
//! (`crates/tune`, the program `chances`; `HISTORY.md` there names the games).

use quadrille_games::Game;
use quadrille_protocol::Wdl;
use quadrille_search::Score;

/// Score at which winning is an even chance, and how quickly chances change.
struct Curve {
    margin: f64,
    spread: f64,
}

const fn curve(game: Game) -> Curve {
    match game {
        Game::Chess => Curve {
            margin: 105.0,
            spread: 107.0,
        },
        // All kinds of boards together, large and drawish ones among them.
        Game::Liberty => Curve {
            margin: 335.0,
            spread: 360.0,
        },
        // Draws come from repetition only, and are rare.
        Game::Leiser => Curve {
            margin: 30.0,
            spread: 154.0,
        },
        // There is always a winner, but for a blocked board.
        Game::Gyges => Curve {
            margin: 2.0,
            spread: 89.0,
        },
    }
}

/// The chances of the side whose score this is, in permill; they add up to
/// 1000.
pub(crate) fn chances(game: Game, score: Score) -> Wdl {
    let (win, loss) = match score {
        Score::Win(_) => (1000, 0),
        Score::Loss(_) => (0, 1000),
        Score::Cp(value) => {
            let Curve { margin, spread } = curve(game);
            let share = |v: f64| 1000.0 / (1.0 + ((margin - v) / spread).exp());
            let v = f64::from(value);
            (share(v).round() as u32, share(-v).round() as u32)
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
