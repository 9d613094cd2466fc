//! Endgame tables: what happens when they are missing, and what they say when
//! they are there.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use quadrille_games::chess::{Chess, ChessRules, Move};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position, Reason};
use quadrille_search::chess::{ChessEvaluator, Syzygy, SyzygyError, SyzygyRules};
use quadrille_search::{
    Answer, Control, EndgameTables, Evaluator, Limits, Score, Searcher, TableResult,
};

/// The tables with three pieces (facts, worked out by public generators), enough
/// for most of what there is to show.
const THREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

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

/// Cut short, empty, or something else under the name of a table.
#[test]
fn a_damaged_table_is_named() {
    let whole = fs::read(format!("{THREE}/KQvK.rtbw")).unwrap();
    let mut other = whole.clone();
    other[1] ^= 1;
    let mut unfinished = whole.clone();
    let end = whole.len() - 16;
    unfinished[end..].fill(0);
    let distances = fs::read(format!("{THREE}/KQvK.rtbz")).unwrap();
    let damaged = [
        &whole[..100],
        &[],
        &whole[..16],
        &other,
        &unfinished,
        &distances,
    ];
    for (i, bytes) in damaged.into_iter().enumerate() {
        let folder = Folder::new(&format!("damaged{i}"));
        let file = folder.0.join("KQvK.rtbw");
        fs::write(&file, bytes).unwrap();
        let error = open(folder.path()).unwrap_err();
        let SyzygyError::Damaged(named, _) = error else {
            panic!("{i}: {error}");
        };
        assert_eq!(named, file, "{i}");
    }
}

/// Files that no position would ever ask for are no tables.
#[test]
fn names_that_mean_nothing_are_passed_over() {
    let folder = Folder::new("names");
    for name in ["KvK", "KPQvK", "QvK", "KQQQQQQvK", "notes"] {
        fs::write(folder.0.join(format!("{name}.rtbw")), b"?").unwrap();
    }
    let error = open(folder.path()).unwrap_err();
    assert_eq!(error, SyzygyError::Empty(folder.path().into()));
}

#[test]
fn nonsense_is_no_path() {
    for path in ["", "  ", ":", "a\0b"] {
        assert!(matches!(open(path), Err(SyzygyError::Path(_))), "{path:?}");
    }
}

#[test]
fn three_pieces() {
    let tables = open(THREE).unwrap();
    // Sets know nothing of each other.
    assert_eq!(open(THREE).unwrap().counts(), tables.counts());
    assert_eq!((tables.counts(), tables.most_pieces()), ((5, 5), 3));
    results(&tables, &RESULTS);
    successors_agree(&tables, &["P", "Q", "R", "N", "B"], 2_000);
    not_asked(&tables);
    evaluation_knows_king_and_pawn(&tables);
    moves_are_ranked(&tables);
    let mut searcher = searcher(tables);
    wins_are_won(&mut searcher);
    scores_are_those_of_the_tables(&mut searcher);
    several_lines_keep_their_order(&mut searcher);
    promotions_meet_the_tables(&mut searcher);
    drop(searcher);
    without_distances();
    without_the_fifty_move_rule();
}

/// Run with
/// `QUADRILLE_SYZYGY=folder cargo test -p quadrille-search --test all -- chess_syzygy --ignored`.
#[test]
#[ignore = "needs QUADRILLE_SYZYGY, a folder with the 3- and 4-piece tables"]
fn four_pieces() {
    let path = std::env::var("QUADRILLE_SYZYGY").expect("QUADRILLE_SYZYGY names no folder");
    let tables = open(&path).unwrap();
    assert_eq!(tables.most_pieces(), 4);
    results(&tables, &RESULTS);
    let knights = ("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", TableResult::Draw);
    results(&tables, &[knights]);
    let en_passant = successors_agree(&tables, &["Pp", "PP", "Qr", "Rb", "Np", "BN"], 3_000);
    assert!(en_passant > 10, "{en_passant} chances to take en passant");
    let mut searcher = searcher(tables);
    let mut line = Line::new(position("8/8/8/3k4/8/8/8/K1BN4 w - - 0 1"));
    win(&mut searcher, &mut line);
    drop(searcher);
    let narrow = SyzygyRules {
        most_pieces: 3,
        fifty_moves: true,
    };
    let tables = Syzygy::open(&path, narrow).unwrap();
    let four = position("8/8/8/8/8/2k5/1r6/K2Q4 w - - 0 1");
    assert_eq!(tables.probe(&four), None);
}

const RESULTS: [(&str, TableResult); 6] = [
    ("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", TableResult::Win),
    ("8/8/8/8/8/2k5/8/K2Q4 b - - 0 1", TableResult::Loss),
    ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", TableResult::Draw),
    ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", TableResult::Draw),
    ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", TableResult::Loss),
    ("8/8/8/8/8/2k5/1Q6/K7 b - - 0 1", TableResult::Loss),
];

fn results(tables: &Syzygy, expected: &[(&str, TableResult)]) {
    for &(fen, result) in expected {
        assert_eq!(tables.probe(&position(fen)), Some(result), "{fen}");
    }
}

/// What the table says of a position is the best of what it says of its
/// successors, en passant and promotions included. Gives the number of chances to
/// take en passant among them.
fn successors_agree(tables: &Syzygy, endings: &[&str], enough: u32) -> u32 {
    let mut random = SplitMix64::new(1);
    let mut below = |n: u64| random.below(n);
    let mut compared = 0;
    let mut en_passant = 0;
    for _ in 0..400_000 {
        let pieces = endings[below(endings.len() as u64) as usize];
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
        if compared >= enough && now.en_passant().is_none() {
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
    assert!(compared >= enough, "{compared}");
    en_passant
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
    let four = position("8/8/8/8/8/2k5/1r6/K2Q4 w - - 0 1");
    assert_eq!(tables.probe(&four), None);
    assert!(tables.root_moves(&Line::new(castling)).is_empty());
    assert!(tables.root_moves(&Line::new(four)).is_empty());
}

/// The evaluation's own solution of king and pawn against king agrees.
fn evaluation_knows_king_and_pawn(tables: &Syzygy) {
    let mut random = SplitMix64::new(5);
    let mut below = |n: u64| random.below(n);
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

fn searcher(tables: Syzygy) -> Searcher<Chess> {
    let mut searcher = Searcher::new();
    searcher.set_hash(4);
    searcher.set_endgame_tables(Some(Arc::new(tables)));
    searcher
}

fn search(searcher: &mut Searcher<Chess>, fen: &str, lines: usize) -> Answer<Move> {
    let limits = Limits {
        lines,
        ..Limits::to_nodes(2_000)
    };
    let line = Line::new(position(fen));
    searcher.go(&line, &limits, &Control::new(), &mut ())
}

/// A move that gives the win away ranks below those that keep it; when moves run
/// out, so does every detour.
fn moves_are_ranked(tables: &Syzygy) {
    let loose = Line::new(position("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"));
    let moves = tables.root_moves(&loose);
    assert_eq!(moves.len(), loose.position().moves().len());
    let best = moves.iter().map(|told| told.rank).max().unwrap();
    for told in &moves {
        let kept = told.result == TableResult::Win;
        assert_eq!(told.rank == best, kept, "{told:?}");
        let next = loose.position().after(told.m);
        assert_eq!(ahead(tables, &next).unwrap(), i32::from(kept), "{told:?}");
    }
    assert!(moves.iter().any(|told| told.result == TableResult::Draw));
    let late = Line::new(position("8/8/8/3k4/8/8/8/K6R w - - 70 90"));
    let moves = tables.root_moves(&late);
    let best = moves.iter().map(|told| told.rank).max().unwrap();
    let shortest = moves.iter().filter(|told| told.rank == best).count();
    assert!(shortest < moves.len() / 2, "{shortest} of {}", moves.len());
}

/// Few nodes are enough to win, because the tables keep the search from losing
/// its way, also with hardly a move to spare.
fn wins_are_won(searcher: &mut Searcher<Chess>) {
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",
        "8/8/8/3k4/8/8/8/K6R w - - 66 90",
        "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1",
        "8/8/4k3/8/4K3/8/4P3/8 w - - 0 1",
    ] {
        win(searcher, &mut Line::new(position(fen)));
    }
}

/// Plays both sides; White mates.
fn win(searcher: &mut Searcher<Chess>, line: &mut Line<Chess>) {
    while line.outcome_with_claims().is_none() {
        let answer = searcher.go(line, &Limits::to_nodes(300), &Control::new(), &mut ());
        assert!(answer.last.tablebase_hits > 0);
        line.push(answer.best.unwrap());
    }
    let outcome = line.outcome_with_claims().unwrap();
    let text = line.position().text();
    assert_eq!(outcome.reason, Reason::Checkmate, "{text}");
}

/// A win of the tables is told as a large score, a draw as none, and a mate that
/// the search sees as a mate.
fn scores_are_those_of_the_tables(searcher: &mut Searcher<Chess>) {
    let score = |searcher: &mut Searcher<Chess>, fen: &str| {
        let answer = search(searcher, fen, 1);
        let moves = position(fen).moves().len() as u64;
        assert!(answer.last.tablebase_hits >= moves, "{fen}");
        answer.last.lines[0].score
    };
    let won = Score::Cp(29_999);
    assert_eq!(score(searcher, "8/8/8/3k4/8/8/8/K6R w - - 0 1"), won);
    let lost = Score::Cp(-29_999);
    assert_eq!(score(searcher, "8/8/8/3k4/8/8/8/K6R b - - 0 1"), lost);
    // Thirty plies from mate with twenty to go.
    let cursed = Score::Cp(1);
    assert_eq!(score(searcher, "8/8/8/3k4/8/8/8/K6R w - - 80 90"), cursed);
    let drawn = Score::Cp(0);
    assert_eq!(score(searcher, "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"), drawn);
    let mate = Score::Win(1);
    assert_eq!(score(searcher, "k7/8/1K6/8/8/8/8/7R w - - 0 1"), mate);
}

/// Every line is told with its own score, and none that draws before one that wins.
fn several_lines_keep_their_order(searcher: &mut Searcher<Chess>) {
    let fen = "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1";
    let answer = search(searcher, fen, 30);
    let scores: Vec<i32> = answer.last.lines.iter().map(|l| l.score.value()).collect();
    assert_eq!(scores.len(), position(fen).moves().len());
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert!(scores[0] > 29_000 && scores.contains(&0), "{scores:?}");
}

/// From outside, a search meets positions inside.
fn promotions_meet_the_tables(searcher: &mut Searcher<Chess>) {
    let fen = "8/8/8/8/p7/2k5/8/K2R4 w - - 0 1";
    let answer = search(searcher, fen, 1);
    assert!(answer.last.tablebase_hits > 0);
    let limits = Limits::to_nodes(20_000);
    let line = Line::new(position("8/8/8/1k6/p7/8/1K6/7R w - - 0 1"));
    let answer = searcher.go(&line, &limits, &Control::new(), &mut ());
    assert!(answer.last.lines[0].score.value() > 20_000);
}

/// Tables of results alone still keep a won game won.
fn without_distances() {
    let folder = Folder::new("results-only");
    for name in ["KQvK", "KRvK", "KPvK", "KBvK", "KNvK"] {
        let file = format!("{name}.rtbw");
        fs::copy(format!("{THREE}/{file}"), folder.0.join(&file)).unwrap();
    }
    let tables = open(folder.path()).unwrap();
    assert_eq!(tables.counts(), (5, 0));
    let line = Line::new(position("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"));
    let moves = tables.root_moves(&line);
    assert_eq!(moves.len(), line.position().moves().len());
    for told in moves {
        let next = line.position().after(told.m);
        assert_eq!(ahead(&tables, &next), Some(rank(told.result)), "{told:?}");
    }
}

fn without_the_fifty_move_rule() {
    let rules = SyzygyRules {
        most_pieces: 7,
        fifty_moves: false,
    };
    let tables = Syzygy::open(THREE, rules).unwrap();
    let late = Line::new(position("8/8/8/3k4/8/8/8/K6R w - - 80 90"));
    let moves = tables.root_moves(&late);
    assert!(moves.iter().any(|told| told.result == TableResult::Win));
}
