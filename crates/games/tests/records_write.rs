//! What is written, to the letter, and what it says to programs.

use std::time::Duration;

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::records::{
    Evaluation, GameResult, Nag, NodeId, Notation, Reader, Record, Score, TagError, WriteOptions,
};
use quadrille_games::{Line, MoveErrorKind, Position};

fn read(file: &str) -> Record<Chess> {
    let mut reader = Reader::<Chess, _>::new(file.as_bytes());
    reader.read_record().unwrap().unwrap()
}

fn moves_with(record: &Record<Chess>, options: WriteOptions) -> String {
    let text = record.to_pgn_with(&options.one_line());
    text.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

#[test]
fn the_export_format() {
    let mut record = read("1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 1/2-1/2");
    record.set_tag("ECO", "C60").unwrap();
    record.set_tag("White", "A \"quoted\" \\ name").unwrap();
    assert_eq!(
        record.to_pgn(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"A \\\"quoted\\\" \\\\ name\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
         [ECO \"C60\"]\n\n\
         1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 3. Bb5 a6 1/2-1/2\n\n"
    );
}

#[test]
fn lines_are_shorter_than_eighty() {
    let words = "lorem ipsum dolor sit amet consetetur  sadipscing ".repeat(9);
    let mut record =
        read("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *");
    for id in record.main_line().collect::<Vec<_>>() {
        record.comment_after(id, &words);
    }
    let text = record.to_pgn();
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
    assert_eq!(read(&text), record);
    let line = record.to_pgn_with(&WriteOptions::default().one_line());
    assert_eq!(line.lines().count(), 7 + 1 + 1 + 1);
}

#[test]
fn parts_can_be_left_out() {
    let record = read(
        "{intro} 1. e4! {[%clk 0:09:59] best [%eval 0.25,20] [%cal Ge2e4]} \
         (1. d4 {also}) e5 {+0.10/8 0.5s} 2. Nf3 {[%emt 0:00:01]} *",
    );
    let all = WriteOptions::default();
    let none = WriteOptions::bare();
    for (options, expected) in [
        (none, "1. e4 e5 2. Nf3 *"),
        (WriteOptions { nags: true, ..none }, "1. e4 $1 e5 2. Nf3 *"),
        (
            WriteOptions {
                clocks: true,
                ..none
            },
            "1. e4 { [%clk 0:09:59] } 1... e5 2. Nf3 { [%emt 0:00:01] } *",
        ),
        (
            WriteOptions {
                evaluations: true,
                ..none
            },
            "1. e4 { [%eval 0.25,20] } 1... e5 { +0.10/8 0.5s } 2. Nf3 *",
        ),
        (
            WriteOptions {
                commands: true,
                ..none
            },
            "1. e4 { [%cal Ge2e4] } 1... e5 2. Nf3 *",
        ),
        (
            WriteOptions {
                comments: true,
                variations: true,
                ..none
            },
            "{ intro } 1. e4 { best } (1. d4 { also }) 1... e5 2. Nf3 *",
        ),
        (
            WriteOptions {
                notation: Notation::Engine,
                ..none
            },
            "1. e2e4 e7e5 2. g1f3 *",
        ),
        (
            all,
            "{ intro } 1. e4 $1 { [%clk 0:09:59] best [%eval 0.25,20] [%cal Ge2e4] } \
             (1. d4 { also }) 1... e5 { +0.10/8 0.5s } 2. Nf3 { [%emt 0:00:01] } *",
        ),
    ] {
        assert_eq!(moves_with(&record, options), expected);
    }
}

#[test]
fn evaluations_are_whites() {
    let record =
        read("1. e4 {+0.30/9 1s} e5 {+0.10/8 0.5s} 2. Nf3 {[%eval #-4]} Nc6 {-M6/12 2s} *");
    let found: Vec<_> = record
        .main_line()
        .map(|id| record.evaluation(id).unwrap())
        .collect();
    let eval = |score, depth| Evaluation { score, depth };
    assert_eq!(
        found,
        [
            eval(Score::Centipawns(30), Some(9)),
            eval(Score::Centipawns(-10), Some(8)),
            eval(Score::Mate(-4), None),
            eval(Score::Mate(3), Some(12)),
        ]
    );
    let second = record.main_line().nth(1).unwrap();
    assert_eq!(record.elapsed(second), Some(Duration::from_millis(500)));
}

#[test]
fn commands_are_replaced_in_place() {
    let mut record = read("1. e4 {good [%clk 0:01:00] move} e5 *");
    let [first, second] = record.main_line().collect::<Vec<_>>()[..] else {
        panic!("two moves");
    };
    record.set_clock(first, Duration::from_millis(59_500));
    record.set_evaluation(
        first,
        Evaluation {
            score: Score::Mate(2),
            depth: Some(5),
        },
    );
    record.set_elapsed(second, Duration::from_secs(3));
    record.add_nag(second, Nag::DUBIOUS);
    assert_eq!(
        moves_with(&record, WriteOptions::default()),
        "1. e4 { [%eval #2,5] good [%clk 0:00:59.5] move } 1... e5 $6 { [%emt 0:00:03] } *"
    );
}

#[test]
fn trees_are_walked_and_changed() {
    let mut record = read("1. e4 (1. d4 d5 2. c4) (1. c4) e5 2. Nf3 *");
    let [e4, d4, c4] = record.children(NodeId::ROOT).collect::<Vec<_>>()[..] else {
        panic!("three first moves");
    };
    assert!(record.is_main_line(e4) && !record.is_main_line(d4));
    let deep = record.last(d4);
    assert_eq!(record.path(deep).len(), 3);
    assert_eq!(record.line(deep).moves().len(), 3);
    assert_eq!(record.position(deep), *record.line(deep).position());
    assert!(record.promote_to_main(deep));
    assert!(!record.promote_to_main(deep));
    assert_eq!(
        record.children(NodeId::ROOT).collect::<Vec<_>>(),
        [d4, e4, c4]
    );
    assert!(record.demote(d4) && !record.demote(c4));
    assert!(record.delete(e4) && !record.delete(e4) && !record.delete(NodeId::ROOT));
    assert!(!record.contains(e4) && record.notes(e4).is_empty());
    assert_eq!(
        moves_with(&record, WriteOptions::default()),
        "1. d4 (1. c4) 1... d5 2. c4 *"
    );
    assert_eq!(record.len(), 4);
}

#[test]
fn bad_changes_are_refused() {
    let mut record = Record::new(Chess::start(&ChessRules::default()));
    assert_eq!(record.set_tag("FEN", "x"), Err(TagError::Fixed("FEN")));
    assert!(matches!(record.set_tag("a b", "x"), Err(TagError::Name(_))));
    let e4 = record.add_text(NodeId::ROOT, "e4").unwrap();
    assert_eq!(record.add_text(NodeId::ROOT, "e2e4"), Ok(e4));
    let m = record.played(e4).unwrap();
    let error = record.add(e4, m).unwrap_err();
    assert!(matches!(error.kind, MoveErrorKind::Illegal(_)));
    record.delete(e4);
    assert!(record.add(e4, m).is_err() && record.is_empty());
}

#[test]
fn a_played_line_becomes_a_record() {
    let mut line = Line::new(Chess::start(&ChessRules::default()));
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        line.play(text).unwrap();
    }
    let record = Record::from_line(&line);
    assert_eq!(record.result(), GameResult::BlackWins);
    assert_eq!(record.tag("Result"), Some("0-1"));
    assert_eq!(
        moves_with(&record, WriteOptions::default()),
        "1. f3 e5 2. g4 Qh4# 0-1"
    );
    assert_eq!(read(&record.to_pgn()), record);
}

#[test]
fn other_starts_are_in_the_tags() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40";
    let start = Chess::from_text(fen, &ChessRules::default()).unwrap();
    let mut record = Record::new(start);
    record.add_text(NodeId::ROOT, "Kd7").unwrap();
    let text = record.to_pgn();
    assert!(
        text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n"),
        "{text}"
    );
    assert!(text.ends_with("\n40... Kd7 *\n\n"), "{text}");
    assert_eq!(read(&text), record);
}

#[test]
fn tags_and_glyphs_can_be_taken_away() {
    let mut record = read("[White \"Ann\"]\n[ECO \"C60\"]\n\n1. e4! $146 e5 1-0");
    record.remove_tag("ECO");
    record.remove_tag("White");
    // The result follows from the record: its tag stays.
    record.remove_tag("Result");
    record.remove_tag("NoSuchTag");
    let first = record.main_line().next().unwrap();
    record.remove_nag(first, Nag::GOOD);
    let text = record.to_pgn();
    assert!(!text.contains("ECO"), "{text}");
    assert!(text.contains("[White \"?\"]\n"), "{text}");
    assert!(text.contains("[Result \"1-0\"]\n"), "{text}");
    assert!(text.ends_with("\n\n1. e4 $146 e5 1-0\n\n"), "{text}");
    record.remove_nag(first, Nag::NOVELTY);
    record.remove_nag(NodeId::ROOT, Nag::NOVELTY);
    assert!(record.to_pgn().ends_with("\n\n1. e4 e5 1-0\n\n"));
}
