//! Bad positions and moves: each with the error it must give, none a panic.

use quadrille_games::leiser::{Leiser, LeiserRules, Year};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, MoveErrorKind, Position, PositionErrorKind};

use MoveErrorKind::{Illegal, NotASquare, NullMove, Syntax};
use PositionErrorKind::{Count, Impossible, Missing, NotANumber, Trailing, Unexpected};

const P: &str = "placement";
const S: &str = "side to move";

fn squares(found: usize) -> PositionErrorKind {
    Count {
        what: "squares in a rank",
        expected: 8,
        found,
    }
}

fn ranks(found: usize) -> PositionErrorKind {
    Count {
        what: "ranks",
        expected: 8,
        found,
    }
}

fn kings(what: &'static str, found: usize) -> PositionErrorKind {
    Count {
        what,
        expected: 1,
        found,
    }
}

#[test]
fn bad_positions_on_8x8() {
    let cases: Vec<(&str, &str, usize, PositionErrorKind)> = vec![
        ("", P, 1, Missing),
        ("   ", P, 4, Missing),
        ("\t\r\n", P, 4, Missing),
        ("x", P, 1, Unexpected('x')),
        ("0", P, 1, Unexpected('0')),
        ("-8/8", P, 1, Unexpected('-')),
        ("startposs", P, 2, Unexpected('t')),
        ("end game", P, 2, Unexpected('n')),
        ("♔7/8/8/8/8/8/8/7NN W", P, 1, Unexpected('♔')),
        ("s♔7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('♔')),
        ("\u{0}", P, 1, Unexpected('\0')),
        ("/8/8/8/8/8/8/7NN W", P, 1, squares(0)),
        ("ss6/8/8/8/8/8/8/7NN W", P, 4, squares(7)),
        ("ss8/8/8/8/8/8/8/7NN W", P, 3, squares(9)),
        ("ss71/8/8/8/8/8/8/7NN W", P, 4, squares(9)),
        ("ss7NW/8/8/8/8/8/8/7NN W", P, 4, squares(9)),
        ("ss7/9/8/8/8/8/8/7NN W", P, 5, squares(9)),
        ("ss7/10/8/8/8/8/8/7NN W", P, 6, Unexpected('0')),
        ("ss7/0/8/8/8/8/8/7NN W", P, 5, Unexpected('0')),
        ("ss7/44444444444444444444", P, 7, squares(9)),
        ("ss7//8/8/8/8/8/7NN W", P, 5, squares(0)),
        ("ss7/8/8/8/8/8/7NN W", P, 19, ranks(7)),
        ("ss7/8/8/8/8/8/7NN", P, 18, ranks(7)),
        ("ss7/8/8/8/8/8/7NN/", P, 19, ranks(7)),
        ("ss7", P, 4, ranks(1)),
        ("ss7/", P, 5, ranks(1)),
        ("ss7/ W", P, 6, ranks(1)),
        ("ss", P, 3, squares(1)),
        ("ss7/8/8/8/8/8/8/7NN/8 W", P, 20, ranks(9)),
        ("ss7/8/8/8/8/8/8/7NN/ W", P, 20, ranks(9)),
        ("ss7/8/8/8/8/8/8/7NN1 W", P, 20, squares(9)),
        ("ss7/8/8/8/8/8/8/7NNNW W", P, 20, squares(9)),
        ("ss7/8/8/8/8/8/8/6NN W", P, 21, squares(7)),
        ("ss7/8/8/8/8/8/8/6NN", P, 20, squares(7)),
        ("ss7/8x/8/8/8/8/8/7NN W", P, 6, Unexpected('x')),
        ("ss7/8\\8/8/8/8/8/8/7NN W", P, 6, Unexpected('\\')),
        ("sS7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('S')),
        ("Ss7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('s')),
        ("Nw7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('w')),
        ("EN7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('N')),
        ("ES7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('S')),
        ("wn7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('n')),
        ("ws7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('s')),
        ("s7/8/8/8/8/8/8/7NN W", P, 2, Unexpected('7')),
        ("s s6/8/8/8/8/8/8/7NN W", P, 2, Unexpected(' ')),
        ("KQ6/8/8/8/8/8/8/7NN W", P, 1, Unexpected('K')),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            P,
            1,
            Unexpected('r'),
        ),
        ("8/8/8/8/8/8/8/8 W", P, 17, kings("white Kings", 0)),
        ("8/8/8/8/8/8/8/7NN W", P, 19, kings("black Kings", 0)),
        ("ss7/8/8/8/8/8/8/8 W", P, 19, kings("white Kings", 0)),
        ("ssss6/8/8/8/8/8/8/7NN W", P, 3, kings("black Kings", 2)),
        ("ss7/8/8/8/8/8/8/6EENN W", P, 20, kings("white Kings", 2)),
        ("ss7/8/8/8/8/8/8/7NN x", S, 21, Unexpected('x')),
        ("ss7/8/8/8/8/8/8/7NN -", S, 21, Unexpected('-')),
        ("ss7/8/8/8/8/8/8/7NN é", S, 21, Unexpected('é')),
        ("ss7/8/8/8/8/8/8/7NN White", S, 22, Trailing("hite".into())),
        ("ss7/8/8/8/8/8/8/7NN W W", S, 23, Trailing("W".into())),
        ("ss7/8/8/8/8/8/8/7NN B h0h0", S, 23, Trailing("h0h0".into())),
        ("ss7/8/8/8/8/8/8/7NN W 0 1", S, 23, Trailing("0 1".into())),
        (
            "ss7/8/8/8/8/8/8/7NN W moves h0R",
            S,
            23,
            Trailing("moves h0R".into()),
        ),
    ];
    for (text, field, column, kind) in cases {
        let error = Leiser::from_text(text, &LeiserRules::default()).expect_err(text);
        assert_eq!(
            (error.field, error.column, error.kind),
            (field, column, kind),
            "{text:?}"
        );
    }
}

#[test]
fn positions_of_the_other_board() {
    let wide = LeiserRules::of(Year::Y2012);
    let cases = [
        ("ss9/10/10/10/10/10/10/10/10/9NN W", LeiserRules::default()),
        ("S2012", LeiserRules::default()),
        ("s2015", LeiserRules::of(Year::Y2018)),
        ("ss7/8/8/8/8/8/8/7NN W", wide),
        ("S2016", wide),
    ];
    for (text, rules) in cases {
        let error = Leiser::from_text(text, &rules).expect_err(text);
        assert!(
            matches!(error.kind, Impossible(why) if why.contains("10x10")),
            "{error}"
        );
    }
    // Neither board: the error is that of the board asked for.
    let error = Leiser::from_text("ss9/11/10/10/10/10/10/10/10/9NN W", &wide).unwrap_err();
    let kind = Count {
        what: "squares in a rank",
        expected: 10,
        found: 2,
    };
    assert_eq!((error.column, error.kind), (7, kind));
}

#[test]
fn bad_rules() {
    let years = Impossible("the years are 2012, 2013, 2014, 2015, 2016 and 2018");
    let cases = [
        ("2017", 1, years.clone()),
        ("2016 1999", 6, years.clone()),
        ("99999999999999999999999", 1, years),
        ("chess", 1, Trailing("chess".into())),
        ("2016 ko", 6, Trailing("ko".into())),
        ("quiet=", 1, NotANumber(String::new())),
        ("quiet=-1", 1, NotANumber("-1".into())),
        ("2016  quiet=4294967296", 7, NotANumber("4294967296".into())),
        ("é2016", 1, Trailing("é2016".into())),
    ];
    for (text, column, kind) in cases {
        let error = Leiser::rules_from_text(text).expect_err(text);
        assert_eq!(
            (error.field, error.column, error.kind),
            ("rules", column, kind),
            "{text:?}"
        );
    }
}

const NOT_A_STEP: MoveErrorKind = Illegal("not a step to a neighbouring square");

#[test]
fn bad_moves_at_the_start() {
    let cases: Vec<(&str, MoveErrorKind)> = vec![
        ("", Syntax { column: 1 }),
        ("  ", Syntax { column: 1 }),
        ("h", Syntax { column: 2 }),
        ("h0", Syntax { column: 3 }),
        ("0000", NullMove),
        ("(none)", Syntax { column: 1 }),
        ("zz", Syntax { column: 2 }),
        ("classic", Syntax { column: 2 }),
        ("♔h0", Syntax { column: 1 }),
        ("h0♔", Syntax { column: 3 }),
        ("h♔0", Syntax { column: 2 }),
        ("h0R♔", Syntax { column: 4 }),
        ("\u{0}", Syntax { column: 1 }),
        ("h0 R", Syntax { column: 3 }),
        ("h4-g5", Syntax { column: 3 }),
        ("Kh0R", Syntax { column: 2 }),
        ("h0RR", Syntax { column: 4 }),
        ("h0Q", Syntax { column: 4 }),
        ("h4g5x", Syntax { column: 6 }),
        ("h4g5xx", Syntax { column: 7 }),
        ("h4g5xz9", NotASquare),
        ("h4g5#", Syntax { column: 5 }),
        ("h4g5g", Syntax { column: 6 }),
        ("j0j1", NotASquare),
        ("h8R", NotASquare),
        ("h0i0", NotASquare),
        ("h4h9", NotASquare),
        ("a5R", Illegal("empty square")),
        ("a0a1", Illegal("empty square")),
        ("a7R", Illegal("enemy piece")),
        ("a3a2", Illegal("enemy piece")),
        ("h0h2", NOT_A_STEP),
        ("h4a4", NOT_A_STEP),
        ("h0a1", NOT_A_STEP),
        ("h0h0R", NOT_A_STEP),
        ("h4g5g5", NOT_A_STEP),
        ("h4h4", Illegal("only a King may fire without moving")),
        ("h4g5f6", Illegal("no second step or turn is allowed here")),
        ("h4g5L", Illegal("no second step or turn is allowed here")),
        ("h0h0", Illegal("ko: board unchanged")),
        ("g3h4", Illegal("ko: board unchanged")),
        ("H0H0", Illegal("ko: board unchanged")),
    ];
    let start = Leiser::start(&LeiserRules::default());
    for (text, kind) in cases {
        let error = start.parse_move(text).expect_err(text);
        assert_eq!((error.text.as_str(), error.kind), (text, kind), "{text:?}");
    }
    for text in ["h4g5xa0", "H4G5", " h4g5 ", "h0r", "H0U", "h0l"] {
        assert!(start.parse_move(text).is_ok(), "{text:?}");
    }
}

#[test]
fn bad_notation() {
    let start = Leiser::start(&LeiserRules::default());
    let cases = [
        ("", Syntax { column: 1 }),
        ("K", Syntax { column: 2 }),
        ("P-", Syntax { column: 2 }),
        ("KKh0R", Syntax { column: 3 }),
        ("Ph4--g5", Syntax { column: 5 }),
        ("Ph4<g5", Syntax { column: 4 }),
        ("Ph4-g5-", Syntax { column: 8 }),
        ("Ph4-g5 y", Syntax { column: 8 }),
        ("Ph4-g5 x", Syntax { column: 9 }),
        ("Ph4-i5", NotASquare),
        ("Ph0R", Illegal("the piece letter does not fit")),
        ("Kh4-g5", Illegal("the piece letter does not fit")),
        ("Ph4-g5xa7", Illegal("these are not the squares it zaps")),
        ("Kh0-h0", Illegal("ko: board unchanged")),
    ];
    for (text, kind) in cases {
        let error = start.parse_notation(text).expect_err(text);
        assert_eq!(error.kind, kind, "{text:?}");
    }
    for text in ["Ph4-g5", "h4-g5", "ph4g5", "Kh0R", "kh0r", "h0U"] {
        assert!(start.parse_notation(text).is_ok(), "{text:?}");
    }
}

#[test]
fn bad_moves_by_year() {
    let blocked = Illegal("the destination is occupied");
    let lone = "8/8/8/3ss4/3NNSE3/8/8/8 W";
    let cases = [
        (
            Year::Y2018,
            lone,
            "d3d3",
            Illegal("these rules have no null move"),
        ),
        (
            Year::Y2018,
            lone,
            "e3e3",
            Illegal("these rules have no null move"),
        ),
        (Year::Y2018, lone, "d3e3", blocked.clone()),
        (Year::Y2018, lone, "d3e3R", blocked.clone()),
        (
            Year::Y2018,
            lone,
            "d3d4",
            Illegal("a swap needs a second step or turn"),
        ),
        (Year::Y2018, lone, "d3d4d3", blocked.clone()),
        (Year::Y2018, lone, "d3d4e3", blocked.clone()),
        (Year::Y2018, lone, "d3d4d6", NOT_A_STEP),
        (Year::Y2018, lone, "d3d4d5R", Syntax { column: 7 }),
        (
            Year::Y2018,
            lone,
            "d3d2R",
            Illegal("no second step or turn is allowed here"),
        ),
        (
            Year::Y2018,
            lone,
            "d3d2d1",
            Illegal("no second step or turn is allowed here"),
        ),
        (Year::Y2014, lone, "d3d4", blocked.clone()),
        (Year::Y2014, lone, "d3e3", blocked.clone()),
        (Year::Y2014, lone, "e3d4", blocked.clone()),
        (
            Year::Y2014,
            "8/8/8/3ss4/3NNse3/8/8/8 W",
            "d3e3",
            blocked.clone(),
        ),
        (
            Year::Y2014,
            "8/8/8/3ss4/3NNse3/8/8/8 W",
            "d3e3f3",
            Illegal("no second step or turn is allowed here"),
        ),
        (
            Year::Y2016,
            "ssse6/8/5se1sw/2nw5/5NESW1/2NE5/8/6NWNN B",
            "f5R",
            Illegal("pinned"),
        ),
        (
            Year::Y2016,
            "ssse6/8/5se1sw/2nw5/5NESW1/2NE5/8/6NWNN B",
            "f5f6",
            Illegal("pinned"),
        ),
    ];
    for (year, fen, text, kind) in cases {
        let position = Leiser::from_text(fen, &LeiserRules::of(year)).unwrap();
        let error = position.parse_move(text).expect_err(text);
        assert_eq!(error.kind, kind, "{year} {text}");
    }
}

#[test]
fn moves_after_the_end() {
    let fen = "4nn3/8/8/8/8/8/8/4NN3 W";
    let mut line = Line::new(Leiser::from_text(fen, &LeiserRules::default()).unwrap());
    line.play("e0e0").unwrap();
    for text in ["e7R", "e7e6", "e0R"] {
        let error = line.play(text).unwrap_err();
        assert_eq!(error.kind, Illegal("the game is over"), "{text}");
    }
    assert_eq!(line.position().text(), "8/8/8/8/8/8/8/4NN3 B");
    assert_eq!(line.position().generated_text(), "");
}

/// Pieces of good texts glued together at random: errors or positions, never a
/// panic, and whatever is read can be written and read again.
#[test]
fn random_texts_never_panic() {
    const PARTS: [&str; 24] = [
        "ss", "NN", "nw", "SE", "/", "/", "8", "7", "10", "1", "0", " ", "W", "B", "é", "♔", "x",
        "h0", "R", "<>", "-", "#", "9", "s",
    ];
    let start = Leiser::start(&LeiserRules::default());
    let mut random = SplitMix64::new(1);
    for _ in 0..100_000 {
        let mut text = String::new();
        for _ in 0..random.below(23) {
            text += PARTS[random.index(PARTS.len())];
        }
        for year in [Year::Y2015, Year::Y2016] {
            if let Ok(position) = Leiser::from_text(&text, &LeiserRules::of(year)) {
                let again = Leiser::from_text(&position.text(), &position.rules());
                assert_eq!(again.as_ref(), Ok(&position), "{text:?}");
            }
        }
        if let Ok(m) = start.parse_notation(&text) {
            assert!(start.is_legal(m), "{text:?}");
        }
        let _ = (start.parse_move(&text), Leiser::rules_from_text(&text));
    }
}
