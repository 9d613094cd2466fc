//! Null moves in records: read, followed, written, read back.

use quadrille_games::chess::{Chess, Move};
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::records::{
    Code, NodeId, Notation, Ply, Reader, Record, Visitor, WriteOptions,
};
use quadrille_games::{MoveErrorKind, Position, Side};

fn read(file: &str) -> (Record<Chess>, Vec<Code>) {
    let mut reader = Reader::<Chess, _>::new(file.as_bytes());
    let record = reader.read_record().unwrap().unwrap();
    let codes = reader.diagnostics().iter().map(|d| d.code).collect();
    (record, codes)
}

/// The moves as they are written, after checking that they read back in both
/// notations without a word of complaint.
fn moves<P: Position>(record: &Record<P>) -> String {
    for notation in [Notation::Engine, Notation::Human] {
        let options = WriteOptions {
            notation,
            ..WriteOptions::default()
        };
        let text = record.to_pgn_with(&options);
        let mut reader = Reader::<P, _>::new(text.as_bytes());
        let back = reader.read_record().unwrap();
        assert_eq!(reader.diagnostics(), [], "{text}");
        assert_eq!(back.as_ref(), Some(record), "{text}");
    }
    let text = record.to_pgn_with(&WriteOptions::default().one_line());
    text.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

#[test]
fn a_null_move_is_a_node() {
    let (record, codes) = read("1. e4 e5 (1... -- 2. d4 d5) 2. Nf3 *");
    assert_eq!(codes, []);
    assert_eq!(moves(&record), "1. e4 e5 (1... -- 2. d4 d5) 2. Nf3 *");
    let e4 = record.next(NodeId::ROOT).unwrap();
    let pass = record.children(e4).nth(1).unwrap();
    assert!(record.is_pass(pass) && !record.is_pass(e4) && !record.is_pass(NodeId::ROOT));
    assert_eq!(
        (record.ply(pass), record.played(pass)),
        (Some(Ply::Pass), None)
    );
    assert_eq!(record.ply(NodeId::ROOT), None);
    assert_eq!(record.mover(pass), Some(Side::Black));
    assert_eq!((record.len(), record.path(pass).len()), (6, 2));
    // The double step is forgotten, and the numbers go on.
    assert_eq!(
        record.position(pass).text(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"
    );
}

#[test]
fn numbers_notes_and_nesting_survive() {
    for file in [
        "1. -- e5 2. -- -- 3. e4 *",
        "1. e4 -- $1 { does nothing } 2. d4 (2. -- -- (2... e5 3. --) 3. d4) 2... -- *",
        "1. d4 (1. -- { what if } 1... e5 (1... -- 2. --)) 1... d5 *",
        "1. e4 (1. { first } -- $6) 1... -- { a plan } 2. d4 *",
    ] {
        let (record, codes) = read(file);
        assert_eq!(codes, [], "{file}");
        assert_eq!(moves(&record), file);
    }
    let file = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n\n40... -- 41. e4 -- *";
    assert_eq!(moves(&read(file).0), "40... -- 41. e4 -- *");
}

#[test]
fn every_spelling_is_understood() {
    for word in [
        "--", "Z0", "z0", "0000", "@@@@", "null", "NULL", "pass", "Pass",
    ] {
        let (record, codes) = read(&format!("1. e4 {word} 2. d4 ({word} e5) 2... d5 *"));
        assert_eq!(
            moves(&record),
            "1. e4 -- 2. d4 (2. -- e5) 2... d5 *",
            "{word}"
        );
        let expected = if word == "--" { 0 } else { 2 };
        assert_eq!(codes, vec![Code::MoveSpelling; expected], "{word}");
        let mut built = Record::new(Chess::default());
        let id = built.add_text(NodeId::ROOT, word).unwrap();
        assert!(built.is_pass(id));
        assert_eq!(built.add_pass(NodeId::ROOT), Ok(id), "found, not added");
    }
}

#[test]
fn no_pass_in_check_or_after_a_win() {
    let check = "1. e4 d5 2. Bb5+";
    for (file, kept) in [
        (format!("{check} -- 3. d4 *"), format!("{check} *")),
        (
            format!("{check} c6 (2... Z0 3. d4 (3. -- 4. c4)) (2... Nc6 3. --) *"),
            format!("{check} c6 (2... Nc6 3. --) *"),
        ),
        (
            "1. f3 e5 2. g4 Qh4# 3. -- *".into(),
            "1. f3 e5 2. g4 Qh4# *".into(),
        ),
    ] {
        let (record, codes) = read(&file);
        assert_eq!(codes, [Code::NullMove], "{file}");
        assert_eq!(moves(&record), kept);
    }
    let (mut record, _) = read(check);
    let error = record.add_pass(record.last(NodeId::ROOT)).unwrap_err();
    assert_eq!(error.kind, MoveErrorKind::NullMove);
    assert_eq!(record.len(), 3);
    // A stalemate asks what the other side would do.
    let stalemate = "[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 9\"]\n\n9... -- 10. Qf8# *";
    assert_eq!(read(stalemate).1, []);
}

#[test]
fn a_line_begins_behind_the_last_null_move() {
    // The start position comes back twice before the null moves and once after.
    let dance = "Nf3 Nf6 Ng1 Ng8";
    let (record, codes) = read(&format!("{dance} {dance} -- -- {dance} *"));
    assert_eq!(codes, []);
    let end = record.last(NodeId::ROOT);
    let line = record.line(end);
    assert_eq!((line.moves().len(), line.keys().len()), (4, 5));
    assert_eq!(line.occurrences(), 2);
    assert_eq!(*line.position(), record.position(end));
    assert_eq!(
        record.main_moves().count(),
        8,
        "what can be played from the start"
    );
    let before = record.main_line().nth(7).unwrap();
    assert_eq!(record.line(before).occurrences(), 3);
}

/// Counts what it is told and checks the boards it is shown.
#[derive(Default)]
struct Tally {
    plays: usize,
    passes: Vec<String>,
}

impl Visitor<Chess> for Tally {
    fn play(&mut self, position: &Chess, m: Move) {
        assert!(position.is_legal(m));
        self.plays += 1;
    }

    fn pass(&mut self, position: &Chess) {
        self.passes.push(position.side().to_string());
    }
}

#[test]
fn visitors_are_told() {
    let file = b"1. e4 -- (1... e5 2. --) 2. d4 d5 *";
    for (follow, passes) in [(true, &["Black", "White"][..]), (false, &["Black"][..])] {
        let mut tally = Tally::default();
        let mut reader = Reader::<Chess, _>::new(&file[..]).with_variations(follow);
        assert!(reader.read_game(&mut tally).unwrap());
        assert_eq!(reader.diagnostics(), []);
        assert_eq!(tally.passes, passes);
        assert_eq!(tally.plays, 3 + usize::from(follow));
    }
}

fn passes_in<P: Position>() {
    let mut record = Record::new(P::start(&P::Rules::default()));
    let mut at = NodeId::ROOT;
    for pass in [false, true, false, true, true, false] {
        let position = record.position(at);
        at = if pass {
            record.add_pass(at).unwrap()
        } else {
            record.add(at, position.moves()[0]).unwrap()
        };
        assert_eq!(record.position(at).side(), position.side().other());
        record.add_pass(record.parent(at).unwrap()).unwrap();
    }
    let text = moves(&record);
    assert_eq!(text.matches("--").count(), 6, "{text}");
}

#[test]
fn every_game_has_them() {
    passes_in::<Chess>();
    passes_in::<Liberty>();
    passes_in::<Leiser>();
    passes_in::<Gyges>();
}
