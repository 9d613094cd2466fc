//! The search as a whole, on chess with a plain evaluation.

use quadrille_games::chess::Chess;
use quadrille_games::{Line, Position};

use crate::{Answer, Control, Limits, Score, Searcher};

type Move = <Chess as Position>::Move;

fn line(fen: &str) -> Line<Chess> {
    Line::new(Chess::from_text(fen, &Default::default()).unwrap())
}

fn go(fen: &str, limits: &Limits<Move>) -> Answer<Move> {
    Searcher::new().go(&line(fen), limits, &Control::new(), &mut ())
}

#[test]
fn finds_short_mates() {
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
        (
            "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
            3,
        ),
    ] {
        let answer = go(fen, &Limits::to_depth(6));
        assert_eq!(answer.last.lines[0].score, Score::Win(plies), "{fen}");
        assert_eq!(answer.last.lines[0].moves.len(), plies as usize);
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mated = go("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &Limits::to_depth(3));
    assert_eq!(
        (mated.best, mated.last.lines[0].score),
        (None, Score::Loss(0))
    );
    let stale = go("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &Limits::to_depth(3));
    assert_eq!(
        (stale.best, stale.last.lines[0].score),
        (None, Score::Cp(0))
    );
}

#[test]
fn start() {
    let a = go(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &Limits::to_depth(5),
    );
    assert!(a.best.is_some());
    assert!(a.last.nodes > 0);
}
