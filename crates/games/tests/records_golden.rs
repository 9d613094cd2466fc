//! A file with everything our writer can write, to the letter.
//!
//! `data/records_golden.pgn` was read with python-chess 1.11.2, which found no
//! error in it; `data/records_golden.moves` is what it found: for each game a
//! line with every move of the tree, each followed by what comes after it in
//! parentheses where there is more than one way on.

use std::time::Duration;

use quadrille_games::Position;
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::records::{Evaluation, GameResult, Nag, NodeId, Reader, Record, Score};

const FILE: &str = include_str!("data/records_golden.pgn");
const MOVES: &str = include_str!("data/records_golden.moves");

/// Adds moves one after the other and returns the last.
fn add(record: &mut Record<Chess>, mut id: NodeId, moves: &str) -> NodeId {
    for text in moves.split_whitespace() {
        id = record.add_text(id, text).expect("a legal move");
    }
    id
}

fn new(position: &str, rules: ChessRules, result: GameResult) -> Record<Chess> {
    let start = Chess::from_text(position, &rules).expect("a position");
    let mut record = Record::new(start);
    record.set_result(result);
    record
}

/// Variations in variations, comments everywhere, glyphs, clocks.
fn annotated() -> Record<Chess> {
    let mut record = new("startpos", ChessRules::default(), GameResult::Draw);
    for (name, value) in [
        ("Event", "A \"quoted\" event \\ with a backslash"),
        (
            "Site",
            "K\u{f8}benhavn, \u{141}\u{f3}d\u{17a}, \u{6771}\u{4eac}",
        ),
        ("White", "O'Neill, Se\u{e1}n [bracketed] {braced}"),
        ("Black", ""),
        ("WhiteElo", "2700"),
        ("Opening", "Ruy Lopez; closed % not a comment"),
        ("X_odd-Name+1", "a tag nobody knows"),
    ] {
        record.set_tag(name, value).expect("a good tag");
    }
    record.comment_after(NodeId::ROOT, "Before the first move.");
    let e5 = add(&mut record, NodeId::ROOT, "e4 e5");
    let e4 = record.parent(e5).expect("a move before");
    record.add_nag(e4, Nag(1));
    record.comment_after(e4, "Best by test (Fischer); 1.e4! is $1.");
    record.set_clock(e4, Duration::from_millis(5_399_500));
    let nf3 = add(&mut record, e5, "Nf3");
    let end = add(
        &mut record,
        nf3,
        "Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5",
    );
    record.add_nag(end, Nag(5));
    record.add_nag(end, Nag(139));
    record.comment_after(end, "The Marshall. ".repeat(12).trim());
    let evaluation = Evaluation {
        score: Score::Centipawns(37),
        depth: Some(24),
    };
    record.set_evaluation(end, evaluation);
    let gambit = add(&mut record, e5, "f4");
    record.comment_before(gambit, "An old way:");
    let taken = add(&mut record, gambit, "exf4 Bc4 Qh4+ Kf1");
    record.add_nag(taken, Nag(14));
    let declined = add(&mut record, gambit, "Bc5 Nf3 d6");
    record.comment_after(declined, "declined, with a } in the comment");
    let counter = add(&mut record, gambit, "d5 exd5 e4");
    record.add_nag(counter, Nag(255));
    let sicilian = add(&mut record, e4, "c5 Nf3 d6");
    add(&mut record, sicilian, "d4 cxd4 Nxd4");
    add(&mut record, sicilian, "Bb5+ Bd7");
    record.comment_after(sicilian, "[not a command] and % too");
    add(&mut record, NodeId::ROOT, "d4 d5 c4");
    record
}

/// Castling both ways, from odd squares, in all its spellings' home.
fn chess960() -> Record<Chess> {
    let mut record = new("chess960 5", ChessRules::CHESS960, GameResult::Open);
    let mut line = *record.start();
    let mut id = NodeId::ROOT;
    // Castle as soon as possible, otherwise the last move of the list.
    for _ in 0..40 {
        let moves = line.moves();
        let Some(&m) = moves.iter().find(|m| m.is_castling()).or(moves.last()) else {
            break;
        };
        id = record.add(id, m).expect("legal");
        line.make(m, &mut ());
    }
    record
}

/// Black begins, at a late move number; promotions, en passant, mate.
fn from_position() -> Record<Chess> {
    let fen = "7k/P5pp/8/8/5pP1/8/5P1P/6K1 b - g3 0 57";
    let mut record = new(fen, ChessRules::default(), GameResult::WhiteWins);
    let first = add(&mut record, NodeId::ROOT, "fxg3 a8=Q#");
    record.comment_after(first, "mate");
    add(&mut record, NodeId::ROOT, "h6 a8=N g6 Nb6");
    add(&mut record, NodeId::ROOT, "g6 a8=R+ Kg7 Ra7+");
    record
}

fn empty() -> Record<Chess> {
    new("startpos", ChessRules::default(), GameResult::BlackWins)
}

fn tree(record: &Record<Chess>, id: NodeId, out: &mut String) {
    let children: Vec<NodeId> = record.children(id).collect();
    let board = record.position(id);
    for &child in &children {
        let text = record.played(child).map(|m| board.move_text(m));
        out.push(' ');
        out.push_str(&text.expect("children are moves"));
        if children.len() > 1 {
            out.push_str(" (");
        }
        tree(record, child, out);
        if children.len() > 1 {
            out.push_str(" )");
        }
    }
}

fn trees(records: &[Record<Chess>]) -> String {
    let mut out = String::new();
    for record in records {
        tree(record, NodeId::ROOT, &mut out);
        out.push('\n');
    }
    out
}

#[test]
fn the_file_is_written_to_the_letter() {
    let records = [annotated(), chess960(), from_position(), empty()];
    let written: String = records.iter().map(Record::to_pgn).collect();
    if let Some(path) = std::env::var_os("QUADRILLE_GOLDEN") {
        std::fs::write(path, &written).expect("the file can be written");
    }
    assert_eq!(trees(&records), MOVES);
    assert_eq!(written, FILE);
}

#[test]
fn the_file_is_read_back_whole() {
    let mut reader = Reader::<Chess, _>::new(FILE.as_bytes());
    let mut records = Vec::new();
    while let Some(record) = reader.read_record().expect("memory can be read") {
        records.push(record);
    }
    assert_eq!(trees(&records), MOVES);
    assert_eq!(records[0], annotated());
    let written: String = records.iter().map(Record::to_pgn).collect();
    assert_eq!(written, FILE);
}
