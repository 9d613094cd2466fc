//! Liberty Chess on the ordinary board is chess, apart from El Vaticano: the
//! same random games in a chess library of other authors.

use std::str::FromStr;

use cozy_chess::{Board, GameStatus, Move, Rank, Square};
use quadrille_games::liberty::{Liberty, Rules};
use quadrille_games::{Outcome, Position, Reason};

/// Positions with castling, promotions and en passant near.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n1k3/PPP3pp/8/8/8/8/ppp3PP/N1N1K3 w - - 0 1",
];

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// The library writes castling as the King taking its Rook.
fn usual_text(board: &Board, m: Move) -> String {
    let side = board.side_to_move();
    let castles = board.king(side) == m.from && board.colors(side).has(m.to);
    if castles {
        let home = Rank::First.relative_to(side);
        let file = if m.to.file() > m.from.file() {
            cozy_chess::File::G
        } else {
            cozy_chess::File::C
        };
        return format!("{}{}", m.from, Square::new(file, home));
    }
    m.to_string()
}

/// Plays one game in both and returns how many positions were compared.
fn play(start: &str, state: &mut u64) -> usize {
    let mut ours = Liberty::from_text(start, &Rules::default()).unwrap();
    let mut theirs = Board::from_str(start).unwrap();
    for ply in 0..120 {
        let ended_by_us = matches!(
            ours.outcome().map(|o| o.reason),
            Some(Reason::Material | Reason::FiftyMoves)
        );
        let moves = ours.moves();
        // Only promoted Bishops of one colour can do this.
        if ended_by_us || moves.iter().any(|&m| ours.is_removal(m)) {
            return ply;
        }
        let mut found: Vec<_> = moves.iter().map(|&m| ours.move_text(m)).collect();
        let mut list = Vec::new();
        theirs.generate_moves(|set| {
            list.extend(set);
            false
        });
        let mut expected: Vec<_> = list.iter().map(|&m| usual_text(&theirs, m)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", ours.text());
        assert_eq!(
            ours.in_check(),
            !theirs.checkers().is_empty(),
            "{}",
            ours.text()
        );
        let Some(&m) = (!list.is_empty()).then(|| &list[next(state) as usize % list.len()]) else {
            let outcome = match theirs.status() {
                GameStatus::Won => Outcome::win(ours.side().other(), Reason::Checkmate),
                _ => Outcome::draw(Reason::Stalemate),
            };
            assert_eq!(ours.outcome(), Some(outcome), "{}", ours.text());
            return ply + 1;
        };
        let text = usual_text(&theirs, m);
        let m_ours = ours.parse_move(&text).unwrap();
        ours.make(m_ours, &mut ());
        theirs.play(m);
    }
    120
}

#[test]
fn ordinary_chess_is_played_alike() {
    let mut state = 0x1234_5678_9abc_def1;
    let mut compared = 0;
    for round in 0..200 {
        compared += play(STARTS[round % STARTS.len()], &mut state);
    }
    assert!(compared > 10_000, "{compared}");
}
