//! Endgame tables: what happens when they are missing, and what they say when
//! they are there.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::{Line, Position, Reason};
use quadrille_search::chess::{ChessEvaluator, Syzygy, SyzygyError, SyzygyRules};
use quadrille_search::{Control, Evaluator, Limits, Searcher, TableResult, Tables};

fn position(fen: &str) -> Chess {
    Chess::from_text(fen, &ChessRules::default()).unwrap()
}

/// An empty folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("quadrille-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn open(path: &str) -> Result<Syzygy, SyzygyError> {
    Syzygy::open(path, SyzygyRules::default())
}

#[test]
fn a_missing_folder_is_named() {
    let error = open("/no/such/folder").unwrap_err();
    assert!(matches!(error, SyzygyError::Folder(..)));
    assert!(error.to_string().contains("/no/such/folder"));
}

#[test]
fn a_folder_without_tables_is_named() {
    let folder = Folder::new("empty");
    let error = open(folder.path()).unwrap_err();
    assert_eq!(error, SyzygyError::Empty(folder.path().into()));
    assert!(error.to_string().contains("rtbw"));
}

#[test]
fn a_table_cut_short_is_named() {
    let folder = Folder::new("short");
    let file = folder.0.join("KQvK.rtbw");
    fs::write(&file, [0; 100]).unwrap();
    assert_eq!(open(folder.path()).unwrap_err(), SyzygyError::Damaged(file));
}

#[test]
fn nonsense_is_no_path() {
    for path in ["", "  ", ":", "a\0b"] {
        assert!(matches!(open(path), Err(SyzygyError::Path(_))), "{path:?}");
    }
}

/// Run with
/// `QUADRILLE_SYZYGY=folder cargo test -p quadrille-search --test chess_syzygy -- --ignored`.
#[test]
#[ignore = "needs QUADRILLE_SYZYGY, a folder with the 3- and 4-piece tables"]
fn tables_know_the_small_endings() {
    let path = std::env::var("QUADRILLE_SYZYGY").expect("QUADRILLE_SYZYGY names no folder");
    let tables = open(&path).unwrap();
    assert_eq!(open(&path).unwrap_err(), SyzygyError::InUse);
    assert_eq!(tables.most_pieces(), 4);
    results(&tables);
    successors_agree(&tables);
    not_asked(&tables);
    mates_with_bishop_and_knight(&tables);
    evaluation_knows_king_and_pawn(&tables);
    let tables = Arc::new(tables);
    a_search_asks(&tables);
    drop(tables);
    let narrow = SyzygyRules {
        most_pieces: 3,
        fifty_moves: false,
    };
    let tables = Syzygy::open(&path, narrow).unwrap();
    let four = position("8/8/8/8/8/2k5/1r6/K2Q4 w - - 0 1");
    assert_eq!(tables.probe(&four), None);
}

fn results(tables: &Syzygy) {
    for (fen, result) in [
        ("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", TableResult::Win),
        ("8/8/8/8/8/2k5/8/K2Q4 b - - 0 1", TableResult::Loss),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", TableResult::Draw),
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", TableResult::Draw),
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", TableResult::Loss),
        ("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", TableResult::Draw),
    ] {
        assert_eq!(tables.probe(&position(fen)), Some(result), "{fen}");
    }
}

/// What the table says of a position is the best of what it says of its
/// successors, en passant and promotions included.
fn successors_agree(tables: &Syzygy) {
    let mut random = 1u64;
    let mut below = |n: u64| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) % n
    };
    let mut compared = 0;
    let mut en_passant = 0;
    for _ in 0..400_000 {
        let pieces = ["Pp", "PP", "Qr", "Rb", "Np", "BN"][below(6) as usize];
        let Some(mut now) = placed(pieces, &mut below) else {
            continue;
        };
        // One move on, so that double steps come about.
        let moves = now.moves();
        if moves.is_empty() {
            continue;
        }
        now.play(moves[below(moves.len() as u64) as usize]);
        // Many of the rest, all with a chance to take en passant.
        if compared >= 3_000 && now.en_passant().is_none() {
            continue;
        }
        let Some(known) = tables.probe(&fresh(&now)) else {
            continue;
        };
        let best = now
            .moves()
            .into_iter()
            .filter_map(|m| ahead(tables, &now.after(m)))
            .max();
        let Some(best) = best else {
            continue; // The game is over.
        };
        assert_eq!(rank(known), best, "{}", now.text());
        compared += 1;
        en_passant += u32::from(now.en_passant().is_some());
    }
    assert!(
        en_passant > 10,
        "only {en_passant} chances to take en passant"
    );
}

/// A successor's result for the side that moved there, -1 to 1.
fn ahead(tables: &Syzygy, next: &Chess) -> Option<i32> {
    match next.outcome() {
        Some(outcome) => Some(i32::from(outcome.winner.is_some())),
        None => tables.probe(&fresh(next)).map(|result| -rank(result)),
    }
}

fn rank(result: TableResult) -> i32 {
    match result {
        TableResult::Win => 1,
        TableResult::Loss => -1,
        _ => 0,
    }
}

/// The same position right after progress.
fn fresh(now: &Chess) -> Chess {
    let text = now.text();
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    position(&format!("{} 0 1", fields.join(" ")))
}

/// Kings and these pieces on random squares, if that is a position.
fn placed(pieces: &str, below: &mut impl FnMut(u64) -> u64) -> Option<Chess> {
    let mut board = [None; 64];
    for piece in pieces.chars().chain("Kk".chars()) {
        let square = below(64) as usize;
        if board[square].is_some() {
            return None;
        }
        board[square] = Some(piece);
    }
    let ranks: Vec<String> = (0..8)
        .map(|r| (0..8).map(|f| board[r * 8 + f].unwrap_or('1')).collect())
        .collect();
    let side = if below(2) == 0 { 'w' } else { 'b' };
    let fen = format!("{} {side} - - 0 1", ranks.join("/"));
    Chess::from_text(&fen, &ChessRules::default()).ok()
}

fn not_asked(tables: &Syzygy) {
    let castling = position("8/8/8/8/8/2k5/8/R3K3 w Q - 0 1");
    assert_eq!(tables.probe(&castling), None);
    let late = position("8/8/8/8/8/2k5/8/K2Q4 w - - 7 1");
    assert_eq!(tables.probe(&late), None);
    let five = position("8/8/8/8/8/2k1p3/1r6/K2Q4 w - - 0 1");
    assert_eq!(tables.probe(&five), None);
}

/// The evaluation's own solution of king and pawn against king agrees.
fn evaluation_knows_king_and_pawn(tables: &Syzygy) {
    let mut random = 5u64;
    let mut below = |n: u64| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) % n
    };
    let mut compared = 0;
    for _ in 0..30_000 {
        let Some(now) = placed(["P", "p"][below(2) as usize], &mut below) else {
            continue;
        };
        let Some(known) = tables.probe(&now) else {
            continue;
        };
        if now.outcome().is_some() {
            continue;
        }
        let value = ChessEvaluator::new(&now).evaluate(&now);
        assert_eq!(value.signum(), rank(known), "{}", now.text());
        compared += 1;
    }
    assert!(compared > 5_000, "{compared}");
}

/// From outside the tables a search meets positions inside; inside it plays
/// their move.
fn a_search_asks(tables: &Arc<Syzygy>) {
    let mut searcher = Searcher::<Chess>::new();
    searcher.set_hash(4);
    searcher.set_tables(Some(Arc::clone(tables) as Arc<dyn Tables<Chess>>));
    let outside = Line::new(position("8/8/3k4/8/1r1b4/8/3K4/R2B4 w - - 0 1"));
    let answer = searcher.go(
        &outside,
        &Limits::to_nodes(20_000),
        &Control::new(),
        &mut (),
    );
    assert!(answer.last.table_hits > 0);
    let mut line = Line::new(position("8/8/8/3k4/8/8/8/K1BN4 w - - 0 1"));
    while line.outcome_with_claims().is_none() {
        let answer = searcher.go(&line, &Limits::to_nodes(300), &Control::new(), &mut ());
        line.push(answer.best.unwrap());
    }
    let outcome = line.outcome_with_claims().unwrap();
    assert_eq!(outcome.reason, Reason::Checkmate);
}

/// Both sides play what the tables say: mate comes within fifty moves.
fn mates_with_bishop_and_knight(tables: &Syzygy) {
    let mut line = Line::new(position("8/8/8/3k4/8/8/8/K1BN4 w - - 0 1"));
    for ply in 0..100 {
        if let Some(outcome) = line.outcome_with_claims() {
            assert_eq!(outcome.reason, Reason::Checkmate);
            return;
        }
        let (m, result) = tables.best_root(&line).expect("a move for every position");
        let expected = if ply % 2 == 0 {
            TableResult::Win
        } else {
            TableResult::Loss
        };
        assert_eq!(result, expected, "{}", line.position().text());
        line.push(m);
    }
    panic!("no mate in fifty moves");
}
