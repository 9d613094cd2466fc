//! Gyges texts: what is read, what is written, and what is refused.

use quadrille_games::gyges::{Gyges, GygesRules, MoveStyle, turn_move_text};
use quadrille_games::{MoveErrorKind, Position, PositionErrorKind, Side};

const START: &str = "321123/000000/000000/000000/000000/321123";

fn rules() -> GygesRules {
    GygesRules::default()
}

fn read(text: &str) -> Gyges {
    Gyges::from_text(text, &rules()).expect("a legal board")
}

#[test]
fn every_form_of_the_start_is_the_start() {
    let start = Gyges::start(&rules());
    let flat = START.replace('/', "");
    let forms = [
        START.into(),
        "start".into(),
        "startpos".into(),
        "START one".into(),
        format!("  {START}\t1 \r\n"),
        flat.clone(),
        format!("{flat}0"),
        format!("{flat}00"),
        format!("{START}/00"),
        format!("{START}/0/0"),
        format!("{START}/"),
        format!("{START} w"),
        format!("{START} White"),
        format!("{START} south"),
        "321123000000/000000000000/000000321123".into(),
    ];
    for form in forms {
        assert_eq!(
            Gyges::from_text(&form, &rules()).as_ref(),
            Ok(&start),
            "{form}"
        );
    }
    for side in ["b", "2", "two", "TWO", "black", "North"] {
        let north = read(&format!("{START} {side}"));
        assert_eq!(north.side(), Side::Black);
        assert_eq!(north.text(), format!("{START} two"));
    }
    assert_eq!(start.text(), START);
    assert_eq!(start.ugi_text(), format!("{flat}00"));
}

#[test]
fn presets_read_back() {
    let presets = Gyges::presets(&rules());
    let names: Vec<_> = presets.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["start", "bench", "test", "draw"]);
    for (name, text) in presets {
        assert_eq!(read(name), read(&text));
        assert_eq!(read(name).text(), text);
    }
}

#[test]
fn rules_have_words() {
    for text in ["", "must-change", "may-stay", " MAY-STAY "] {
        let rules = Gyges::rules_from_text(text).expect("known words");
        assert_eq!(
            Gyges::rules_from_text(&Gyges::rules_text(&rules)),
            Ok(rules)
        );
        assert_eq!(Gyges::start(&rules).rules(), rules);
    }
    let error = Gyges::rules_from_text("  chess960").expect_err("unknown");
    assert_eq!((error.field, error.column), ("rules", 3));
}

#[test]
fn the_board_is_drawn_with_side_two_at_the_top() {
    let drawn = read("bench").draw();
    let expected = "        [.]
6   . 3 . 1 2 3
5   . . . 1 . .
4   . . . 2 . .
3   . . . . . .
2   . . . 3 3 .
1   2 . 2 1 1 .
        [.]  to move
    a b c d e f
";
    assert_eq!(drawn, expected);
}

#[test]
fn every_move_reads_back_in_every_form() {
    for text in [
        "start",
        "bench",
        "test two",
        "000000/000000/000000/000000/112233/112233",
        "000200/130000/020230/311132/000000/000000 two",
    ] {
        let position = read(text);
        let turned = position.turned();
        for m in position.moves() {
            let wire = position.move_text(m);
            let pairs = position.move_text_in(m, MoveStyle::Pairs);
            let human = position.notation(m);
            assert_eq!(position.move_text_in(m, MoveStyle::Squares), wire);
            assert_eq!(position.parse_move(&wire), Ok(m));
            assert_eq!(position.parse_move(&pairs), Ok(m));
            for form in [&wire, &pairs, &human, &human.to_uppercase()] {
                assert_eq!(position.parse_notation(form), Ok(m), "{form}");
            }
            let turn = turn_move_text(&wire).expect("well formed");
            assert_eq!(turn, m.turned().to_string());
            assert_eq!(turned.parse_move(&turn), Ok(m.turned()));
            let turn = turn_move_text(&pairs).expect("well formed");
            assert_eq!(turned.parse_move(&turn), Ok(m.turned()));
            assert_eq!(m.mirrored().mirrored(), m);
        }
    }
}

#[test]
fn examples_of_the_protocol() {
    let start = Gyges::start(&rules());
    for (wire, pairs, human) in [
        ("0|1|9", "0|0|3|1|2|9", "a1xb1>d2"),
        ("2|13", "0|2|1|13", "c1-b3"),
        ("2|4|26", "0|2|1|4|2|26", "c1xe1>c5"),
        ("0|1|0", "0|0|3|1|2|0", "a1xb1>a1"),
    ] {
        let m = start.parse_move(wire).expect("legal");
        assert_eq!(start.move_text_in(m, MoveStyle::Pairs), pairs);
        assert_eq!(start.notation(m), human);
    }
    let goal = read("000000/000000/000000/000000/112233/112233");
    for text in [
        "a5-goal#", "a5-goal", "a5goal!!", "a5-P2", "a5-p2*", "24|37",
    ] {
        let m = goal.parse_notation(text);
        let m = m.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(goal.notation(m), "a5-goal#");
    }
    assert_eq!(turn_move_text(" null "), Ok("null".into()));
    assert_eq!(turn_move_text("100|100|100"), Ok("100|100|100".into()));
}

#[test]
fn bad_boards_are_refused_with_field_and_column() {
    use PositionErrorKind::{Count, Impossible, Missing, OutOfRange, Trailing, Unexpected};
    let flat = START.replace('/', "");
    let squares = |found| Count {
        what: "squares",
        expected: 36,
        found,
    };
    let row = |found| Count {
        what: "squares in the row",
        expected: 6,
        found,
    };
    let pieces = |found| Count {
        what: "pieces",
        expected: 12,
        found,
    };
    let range = |found| OutOfRange {
        found,
        min: 0,
        max: 3,
    };
    let twice = "only one piece can ever enter a goal";
    let winner = "a side whose piece is in the goal has won and is not to move";
    let at = |column: usize, c: char| ("board", column, Unexpected(c));
    let cases: Vec<(String, (&str, usize, PositionErrorKind))> = vec![
        (String::new(), ("board", 1, Missing)),
        ("   ".into(), ("board", 4, Missing)),
        ("\u{3000}\u{a0}".into(), ("board", 6, Missing)),
        ("0".into(), ("board", 1, squares(1))),
        ("321123".into(), ("board", 1, squares(6))),
        (flat[..35].into(), ("board", 1, squares(35))),
        (format!("{flat}000"), ("board", 1, squares(39))),
        (format!(" {flat}000"), ("board", 2, squares(39))),
        ("0".repeat(1_000_000), ("board", 1, squares(1_000_000))),
        ("3".repeat(36), ("board", 1, pieces(36))),
        ("0".repeat(36), ("board", 1, pieces(0))),
        ("0".repeat(38), ("board", 1, pieces(0))),
        ("1".repeat(11) + &"0".repeat(25), ("board", 1, pieces(11))),
        ("1".repeat(13) + &"0".repeat(23), ("board", 1, pieces(13))),
        // Two zeros too many in the middle push two pieces onto the goals.
        (
            format!("321123{}321123", "0".repeat(26)),
            ("goals", 1, Impossible(twice)),
        ),
        (format!("4{}", &flat[1..]), ("board", 1, range(4))),
        (format!("32112{}", "9"), ("board", 6, range(9))),
        (format!("{}7", &flat[..35]), ("board", 36, range(7))),
        ("/321123".into(), at(1, '/')),
        ("321123//000000".into(), at(8, '/')),
        ("/".into(), at(1, '/')),
        ("32112/0000000".into(), ("board", 6, row(5))),
        ("3211230/00000".into(), ("board", 8, row(7))),
        (
            "321123/000000/000000/000000/00000/0321123".into(),
            ("board", 34, row(5)),
        ),
        ("x".into(), at(1, 'x')),
        ("32112\u{664}".into(), at(6, '\u{664}')),
        ("\u{ff13}21123".into(), at(1, '\u{ff13}')),
        ("\u{b2}".into(), at(1, '\u{b2}')),
        ("32112\u{1d7d9}".into(), at(6, '\u{1d7d9}')),
        ("321123\0".into(), at(7, '\0')),
        ("-21123".into(), at(1, '-')),
        ("+321123".into(), at(1, '+')),
        ("321123.000000".into(), at(7, '.')),
        ("321123|000000".into(), at(7, '|')),
        ("\u{1f600}".into(), at(1, '\u{1f600}')),
        ("starting".into(), at(1, 's')),
        ("data".into(), at(1, 'd')),
        ("é".repeat(500_000), at(1, 'é')),
        (format!("{START} x"), ("side to move", 43, Unexpected('x'))),
        (format!("{START} 3"), ("side to move", 43, Unexpected('3'))),
        (
            format!("{START}  \u{661}"),
            ("side to move", 44, Unexpected('\u{661}')),
        ),
        (
            format!("start {}", "w".repeat(100_000)),
            ("side to move", 7, Unexpected('w')),
        ),
        ("start one two".into(), ("end", 11, Trailing("two".into()))),
        (
            format!("start one {}", "z".repeat(1_000_000)),
            ("end", 11, Trailing("z".repeat(40))),
        ),
        (
            format!("start 1 {}", "\u{1f600}".repeat(100)),
            ("end", 9, Trailing("\u{1f600}".repeat(40))),
        ),
        // A piece in each goal; a piece in the goal of the side to move.
        (
            format!("{}011", &flat[..35]),
            ("goals", 1, Impossible(twice)),
        ),
        (
            format!("{}001", &flat[..35]),
            ("side to move", 39, Impossible(winner)),
        ),
        (
            format!("{}010 two", &flat[..35]),
            ("side to move", 40, Impossible(winner)),
        ),
        (format!("{flat}01"), ("board", 1, pieces(13))),
        (format!("{flat}10"), ("board", 1, pieces(13))),
        (format!("{flat}04"), ("board", 38, range(4))),
    ];
    assert!(cases.len() >= 45);
    for (text, (field, column, kind)) in cases {
        let shown: String = text.chars().take(60).collect();
        let error = Gyges::from_text(&text, &rules()).expect_err(&shown);
        assert_eq!(error.kind, kind, "{shown}");
        assert_eq!((error.field, error.column), (field, column), "{shown}");
        assert!(error.to_string().len() < 400);
    }
}

#[test]
fn the_lenient_reader_only_lifts_the_piece_count() {
    let none = Gyges::from_text_any_count(&"0".repeat(36), &rules());
    assert!(none.is_err());
    for count in 1..=36 {
        let text = "2".repeat(count) + &"0".repeat(36 - count);
        let position = Gyges::from_text_any_count(&text, &rules());
        let position = position.expect("any count");
        assert_eq!(position.occupied().count_ones() as usize, count);
        assert_eq!(Gyges::from_text(&text, &rules()).is_ok(), count == 12);
    }
    assert!(Gyges::from_text_any_count("12", &rules()).is_err());
    assert!(Gyges::from_text_any_count(&"5".repeat(36), &rules()).is_err());
}

#[test]
fn bad_moves_are_refused_with_a_reason() {
    use MoveErrorKind::{Illegal, NoPiece, NotASquare, NullMove};
    let syntax = |column| MoveErrorKind::Syntax { column };
    let start = Gyges::start(&rules());
    let elsewhere = Illegal("the piece does not stand on the active row");
    let no_drop = Illegal("the square is occupied and no drop square is given");
    let nothing = Illegal("there is no piece to replace");
    let bad_drop = Illegal("the replaced piece may not be dropped there");
    let unchanged = Illegal("the move leaves the board as it was");
    let too_far = Illegal("the piece cannot get there");
    let own_goal = Illegal("a piece cannot enter its player's own goal");
    let wrong_piece = Illegal("a piece named in the move is not the one on the board");
    let cases: Vec<(String, MoveErrorKind)> = vec![
        (String::new(), syntax(1)),
        ("   ".into(), syntax(4)),
        ("|".into(), syntax(1)),
        ("||".into(), syntax(1)),
        ("0".into(), syntax(2)),
        ("0|".into(), syntax(3)),
        ("|0".into(), syntax(1)),
        ("0|1|".into(), syntax(5)),
        ("0||9".into(), syntax(3)),
        ("0|1|2|3|4".into(), syntax(10)),
        ("0|1|2|3|4|5|6".into(), syntax(13)),
        ("0|".repeat(500_000), syntax(13)),
        ("0000|1".into(), syntax(4)),
        (format!("{}|1", "9".repeat(1_000_000)), syntax(4)),
        ("-1|4".into(), syntax(1)),
        ("+1|4".into(), syntax(1)),
        ("1 |4".into(), syntax(2)),
        ("0| 8".into(), syntax(3)),
        ("0x1|4".into(), syntax(2)),
        ("a1|b2".into(), syntax(1)),
        ("\u{661}|4".into(), syntax(1)),
        ("0|\u{ff18}".into(), syntax(3)),
        ("0|8\u{1f600}".into(), syntax(4)),
        ("bestmove 0|8".into(), syntax(1)),
        ("0|8 score".into(), syntax(4)),
        ("0,8".into(), syntax(2)),
        ("null".into(), NullMove),
        ("NULL".into(), NullMove),
        ("100|100|100".into(), NullMove),
        ("100|100".into(), NullMove),
        ("0|38".into(), NotASquare),
        ("38|0".into(), NotASquare),
        ("0|1|38".into(), NotASquare),
        ("0|1|999".into(), NotASquare),
        ("0|100".into(), NotASquare),
        ("0|63|3|8".into(), NotASquare),
        ("12|13".into(), NoPiece),
        ("36|1".into(), NoPiece),
        ("37|1".into(), NoPiece),
        ("30|24".into(), elsewhere),
        ("0|1".into(), no_drop.clone()),
        ("0|8|9".into(), nothing.clone()),
        ("0|0|9".into(), nothing.clone()),
        ("0|37|9".into(), nothing),
        ("0|1|1".into(), bad_drop.clone()),
        ("0|1|2".into(), bad_drop.clone()),
        ("0|1|36".into(), bad_drop.clone()),
        ("0|1|37".into(), bad_drop),
        ("0|0".into(), unchanged.clone()),
        ("2|3|2".into(), unchanged),
        ("0|6".into(), too_far.clone()),
        ("0|37".into(), too_far.clone()),
        ("0|5|9".into(), too_far),
        ("0|36".into(), own_goal),
        ("0|0|2|8".into(), wrong_piece.clone()),
        ("1|0|3|8".into(), wrong_piece.clone()),
        ("0|0|0|8".into(), wrong_piece.clone()),
        ("0|0|99|8".into(), wrong_piece.clone()),
        ("0|0|3|1|3|9".into(), wrong_piece),
        ("0|0|3|1".into(), no_drop),
    ];
    assert!(cases.len() >= 55);
    for (text, kind) in cases {
        let shown: String = text.chars().take(60).collect();
        let error = start.parse_move(&text).expect_err(&shown);
        assert_eq!(error.kind, kind, "{shown}");
        assert_eq!(error.text, text);
        assert!(start.parse_notation(&text).is_err());
        // Turning needs no board, but it must not panic either.
        let _ = turn_move_text(&text);
    }
    let over = "000000/000000/000000/000000/112233/012233/01 two";
    let over = read(over).parse_move("35|29").map_err(|e| e.kind);
    assert_eq!(over, Err(Illegal("the game is over")));
}

#[test]
fn bad_notation_is_refused_with_a_reason() {
    use MoveErrorKind::{Illegal, NotASquare};
    let syntax = |column| MoveErrorKind::Syntax { column };
    let start = Gyges::start(&rules());
    let cases = [
        ("", syntax(1)),
        ("a", syntax(2)),
        ("a1", syntax(3)),
        ("a1-", syntax(4)),
        ("a1--b2", syntax(4)),
        ("1a-b2", syntax(1)),
        ("a1-b2 c3", syntax(6)),
        ("a1xb1>", syntax(7)),
        ("a1xb1>>d2", syntax(7)),
        ("a1xb1>goal", syntax(8)),
        ("a1-b3\u{2020}", syntax(6)),
        ("\u{430}1-b2", syntax(1)),
        ("a\u{661}-b2", syntax(2)),
        ("a1\u{2013}b2", syntax(3)),
        ("a1-goa", syntax(5)),
        ("a1-goals", syntax(8)),
        ("g1-b2", NotASquare),
        ("a7-b2", NotASquare),
        ("a0-b2", NotASquare),
        ("a1-z9", NotASquare),
        ("p1-a1", NotASquare),
        (
            "a1-p1",
            Illegal("a piece cannot enter its player's own goal"),
        ),
        ("a1-goal#", Illegal("the piece cannot get there")),
        ("a1xb1>P2", NotASquare),
        (
            "a1xb1",
            Illegal("the square is occupied and no drop square is given"),
        ),
    ];
    for (text, kind) in cases {
        let error = start.parse_notation(text).expect_err(text);
        assert_eq!(error.kind, kind, "{text:?}");
    }
    let long = "a1".repeat(500_000);
    let error = start.parse_notation(&long).expect_err("too long");
    assert_eq!(error.kind, syntax(5));
}
