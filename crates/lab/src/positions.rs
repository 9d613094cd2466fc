//! Quiet positions of games, which evaluations are fitted to.

use quadrille_games::{Game, Position, Side};

use crate::file::Played;

/// Returns the score beyond which positions of a game say nothing about its evaluation.
pub(crate) const fn score_limit(game: Game) -> i32 {
    match game {
        Game::Chess => 3_000,
        Game::Liberty | Game::Leiser | Game::Gyges => 1_200,
    }
}

/// Returns `true` if a static evaluation can be right: no check, and the best move
/// neither takes nor promotes.
pub(crate) fn is_quiet<P: Position>(position: &P, best: P::Move) -> bool {
    !position.in_check() && !position.is_tactical(best)
}

/// Calls `each` with every searched position of a game that is quiet and not decided,
/// and with its score for White.
pub fn quiet_positions<P: Position>(game: &Played<P>, mut each: impl FnMut(&P, i32)) {
    let mut position = game.start.clone();
    for played in &game.moves {
        if let Some(score) = played.score
            && score.abs() < score_limit(P::GAME)
            && is_quiet(&position, played.m)
        {
            each(&position, score);
        }
        position.make(played.m, &mut ());
    }
}

/// Returns the result of a game in half points of White.
pub const fn half_points(winner: Option<Side>) -> u8 {
    match winner {
        Some(Side::Black) => 0,
        None => 1,
        Some(Side::White) => 2,
    }
}

#[cfg(test)]
mod tests {
    use quadrille_games::chess::Chess;

    use super::*;
    use crate::file::{Ending, ScoredMove};

    #[test]
    fn only_quiet_undecided_searched_positions_count() {
        let moves = [
            ("e2e4", None),
            ("d7d5", Some(30)),
            // Takes.
            ("e4d5", Some(40)),
            ("d8d5", Some(-2_999)),
            ("b1c3", Some(3_000)),
            ("d5e5", Some(-20)),
            // In check.
            ("f1e2", Some(10)),
        ];
        let mut position = Chess::default();
        let mut game = Played {
            number: 0,
            start: position,
            moves: Vec::new(),
            winner: None,
            ending: Ending::Level,
        };
        for (text, score) in moves {
            let m = position.parse_move(text).expect("a legal move");
            game.moves.push(ScoredMove { m, score });
            position.make(m, &mut ());
        }
        let mut seen = Vec::new();
        quiet_positions(&game, |_, score| seen.push(score));
        assert_eq!(seen, [30, -20]);
    }

    #[test]
    fn half_points_are_whites() {
        let winners = [Some(Side::Black), None, Some(Side::White)];
        assert_eq!(winners.map(half_points), [0, 1, 2]);
    }
}
