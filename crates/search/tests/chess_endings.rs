//! Elementary mates, played out by the search against itself without tables.

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::{Line, Position, Reason};
use quadrille_search::{Control, Limits, Searcher};

/// Plays until the game is over; a draw that can be claimed is claimed.
fn play_out(fen: &str, nodes: u64) -> (Reason, usize) {
    let start = Chess::from_text(fen, &ChessRules::default()).unwrap();
    let mut line = Line::new(start);
    let mut searcher = Searcher::new();
    searcher.set_hash(4);
    loop {
        if let Some(outcome) = line.outcome_with_claims() {
            return (outcome.reason, line.moves().len());
        }
        let answer = searcher.go(&line, &Limits::to_nodes(nodes), &Control::new(), &mut ());
        line.push(answer.best.expect("a move while the game goes on"));
    }
}

#[test]
fn elementary_mates_are_mated() {
    for (fen, nodes) in [
        ("8/8/8/4k3/8/8/8/K6Q w - - 0 1", 2_000),
        ("8/8/8/4k3/8/8/8/K6R w - - 0 1", 4_000),
        ("8/8/8/4k3/8/8/8/K4BB1 w - - 0 1", 8_000),
        ("8/8/8/4k3/8/8/8/K4BN1 w - - 0 1", 60_000),
    ] {
        let (reason, plies) = play_out(fen, nodes);
        assert_eq!(reason, Reason::Checkmate, "{fen} after {plies} plies");
    }
}

#[test]
fn a_won_pawn_queens_and_mates() {
    let (reason, _) = play_out("8/8/4k3/8/4K3/8/4P3/8 w - - 0 1", 4_000);
    assert_eq!(reason, Reason::Checkmate);
}
