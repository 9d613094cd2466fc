//! Text that is wrong, boards that are absurd: never a panic, always a reason.

use quadrille_games::liberty::{Kind, Liberty, LibertyMove, RandomStart, Rules};
use quadrille_games::{
    GameMove, MoveErrorKind, MoveKind, Outcome, Position, PositionErrorKind, Reason, Side,
};

use PositionErrorKind::{Count, Impossible, Missing, NotASquare, OutOfRange, Unexpected};

fn read(lfen: &str) -> Liberty {
    Liberty::from_text(lfen, &Rules::default()).unwrap_or_else(|e| panic!("{lfen}: {e}"))
}

fn size(found: u64) -> PositionErrorKind {
    OutOfRange {
        found,
        min: 2,
        max: 256,
    }
}

fn ragged(expected: usize, found: usize) -> PositionErrorKind {
    Count {
        what: "squares in the rank",
        expected,
        found,
    }
}

fn rank(found: u64, max: u64) -> PositionErrorKind {
    OutOfRange { found, min: 1, max }
}

fn no_square(text: &str) -> PositionErrorKind {
    NotASquare(text.into())
}

#[test]
fn bad_positions_name_field_and_column() {
    let downwards = || Impossible("a passage is written from its low rank to its high rank");
    let huge = usize::MAX as u64;
    let cases: Vec<(&str, &str, usize, PositionErrorKind)> = vec![
        ("", "placement", 1, Missing),
        ("   ", "placement", 4, Missing),
        ("\t\n", "placement", 3, Missing),
        ("k", "placement", 1, size(1)),
        ("k/K", "placement", 1, size(1)),
        ("kq", "placement", 1, size(1)),
        ("8", "placement", 1, size(1)),
        ("0/0", "placement", 1, size(0)),
        ("/", "placement", 1, size(0)),
        ("//", "placement", 1, size(0)),
        ("257/257", "placement", 1, size(257)),
        ("256p/257", "placement", 1, size(257)),
        ("p256/257", "placement", 1, size(257)),
        ("8/300", "placement", 3, size(300)),
        ("99999999999999999999999/8", "placement", 1, size(huge)),
        ("p99999999999999999999999/8", "placement", 1, size(huge)),
        ("18446744073709551615p/8", "placement", 1, size(huge)),
        ("8/18446744073709551616", "placement", 3, size(huge)),
        ("kq/K", "placement", 4, ragged(2, 1)),
        ("kq//KQ", "placement", 4, ragged(2, 0)),
        ("kq/KQ/", "placement", 7, ragged(2, 0)),
        ("/kq/KQ", "placement", 2, ragged(0, 2)),
        ("1k1q/4/10/KQ2", "placement", 8, ragged(4, 10)),
        ("8/8/7/8", "placement", 5, ragged(8, 7)),
        ("ky/KQ", "placement", 2, Unexpected('y')),
        ("kq/KY", "placement", 5, Unexpected('Y')),
        ("kq/K-", "placement", 5, Unexpected('-')),
        ("k./K.", "placement", 2, Unexpected('.')),
        ("k\u{e9}/KQ", "placement", 2, Unexpected('\u{e9}')),
        ("\u{212a}q/KQ", "placement", 1, Unexpected('\u{212a}')),
        ("k\u{ff18}/KQ", "placement", 2, Unexpected('\u{ff18}')),
        ("k\u{661}/KQ", "placement", 2, Unexpected('\u{661}')),
        ("kq/\u{1f600}Q", "placement", 4, Unexpected('\u{1f600}')),
        ("kq\\KQ w", "placement", 3, Unexpected('\\')),
        ("kq|KQ", "placement", 3, Unexpected('|')),
        ("kq,KQ", "placement", 3, Unexpected(',')),
        ("fen kq/KQ", "placement", 1, Unexpected('f')),
        ("startpos moves", "placement", 1, Unexpected('s')),
        ("Liberty chest", "placement", 6, Unexpected('t')),
        ("  ky/KQ", "placement", 4, Unexpected('y')),
        ("kq\0/KQ", "placement", 3, Unexpected('\0')),
        ("8/8 w - e", "en passant", 9, no_square("e")),
        ("8/8 w - 3", "en passant", 9, no_square("3")),
        ("8/8 w - e0", "en passant", 9, no_square("e0")),
        ("8/8 w - e3", "en passant", 9, no_square("e3")),
        ("8/8 w - i1", "en passant", 9, no_square("i1")),
        ("8/8 w - aa1", "en passant", 9, no_square("aa1")),
        ("8/8 w - e1-3", "en passant", 9, no_square("e1-3")),
        ("8/8 w - e1-0", "en passant", 9, no_square("e1-0")),
        ("8/8 w - e1-", "en passant", 9, no_square("e1-")),
        ("8/8 w - -1", "en passant", 9, no_square("-1")),
        ("8/8 w - --", "en passant", 10, Unexpected('-')),
        ("8/8 w - e1-e2", "en passant", 12, Unexpected('e')),
        ("8/8 w - e1-2-3", "en passant", 13, Unexpected('-')),
        ("8/8 w - e1--2", "en passant", 12, Unexpected('-')),
        ("8/8 w - e2-1", "en passant", 9, downwards()),
        (
            "8/8 w - e99999999999999999999",
            "en passant",
            9,
            no_square("e99999999999999999999"),
        ),
        (
            "8/8 w - e1-99999999999999999999",
            "en passant",
            9,
            no_square("e1-99999999999999999999"),
        ),
        (
            "8/8 w - zzzzzzzzzzzzzzzzzzzz1",
            "en passant",
            9,
            no_square("zzzzzzzzzzzzzzzzzzzz1"),
        ),
        ("8/8 w - e+1", "en passant", 10, Unexpected('+')),
        ("8/8 w - \u{e9}1", "en passant", 9, Unexpected('\u{e9}')),
        ("8/8 w - e\u{661}", "en passant", 10, Unexpected('\u{661}')),
        (
            "p3/4/4/3P w - a5-9 0 1",
            "en passant",
            15,
            no_square("a5-9"),
        ),
        ("8/8 w - KQkq", "en passant", 9, no_square("KQkq")),
        ("8/8 w - - 0 1 2,2,3", "options", 19, rank(3, 2)),
        ("8/8 w - - 0 1 ,,9", "options", 17, rank(9, 2)),
        (
            "8/8 w - - 0 1 2,2,4294967295",
            "options",
            19,
            rank(4_294_967_295, 2),
        ),
        ("8/8 w - - 0 1 x,y,257", "options", 19, rank(257, 2)),
    ];
    assert!(cases.len() >= 60);
    for (text, field, column, kind) in cases {
        let error = Liberty::from_text(text, &Rules::default()).expect_err(text);
        assert_eq!(error.kind, kind, "{text:?}: {error}");
        assert_eq!((error.field, error.column), (field, column), "{text:?}");
        assert!(!error.to_string().is_empty());
    }
    let tall = vec!["8"; 257].join("/");
    let error = Liberty::from_text(&tall, &Rules::default()).unwrap_err();
    assert_eq!(error.kind, size(257));
    let rules = Liberty::rules_from_text(" fff ").unwrap_err();
    assert_eq!((rules.field, rules.column), ("rules", 2));
}

#[test]
fn odd_but_harmless_positions_are_read() {
    let cases = [
        ("8/8", "8/8 w - - 0 1"),
        (" 8/8\tw ", "8/8 w - - 0 1"),
        ("01k1q/4/004/KQ2", "1k1q/4/4/KQ2 w - - 0 1"),
        ("8/8 W", "8/8 w - - 0 1"),
        ("8/8 B", "8/8 b - - 0 1"),
        ("8/8 white", "8/8 b - - 0 1"),
        ("8/8 w qkQK", "8/8 w KQkq - 0 1"),
        ("8/8 w xyzq", "8/8 w q - 0 1"),
        ("8/8 w - E1", "8/8 w - e1 0 1"),
        ("8/8 w - 1e", "8/8 w - e1 0 1"),
        ("8/8 w - e1-2 255 0", "8/8 w - e1-2 255 0"),
        ("8/8 w - - 256 -1", "8/8 w - - 0 1"),
        ("8/8 w - - x y 99999999999999,,0", "8/8 w - - 0 1"),
        ("8/8 w - - 0 1 0", "8/8 w - - 0 1 0"),
        (
            "8/8 w - - 0 1 4294967295,4294967295",
            "8/8 w - - 0 1 4294967295,4294967295",
        ),
        ("8/8 w - - 0 1 2,2,2,0,9", "8/8 w - - 0 1 2,2,2"),
        ("8/8 w - - 0 1 2,2,1,3,2,7,7", "8/8 w - - 0 1 2,2,1,3,2"),
        ("8/8 w - - 0 1 - ---", "8/8 w - - 0 1"),
        ("8/8 w - - 0 1 - QqY\u{e9}K", "8/8 w - - 0 1 - qqk"),
        ("8/8 w - - 0 1 - - ff and more", "8/8 w - - 0 1 - qrbn ff"),
        ("8/8 w - - 0 1 - - FF", "8/8 w - - 0 1"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).text(), expected, "{text:?}");
    }
}

#[test]
fn bad_moves_have_reasons() {
    use MoveErrorKind::{NoPiece, NotASquare, NullMove, PromotionMissing, PromotionNotAllowed};
    let position = read("4k3/4P2P/8/8/8/8/8/R3K2R w KQ - 0 1");
    let syntax = |column| MoveErrorKind::Syntax { column };
    let cases = [
        ("", syntax(1)),
        (" ", syntax(2)),
        ("e", syntax(2)),
        ("e2", syntax(3)),
        ("e2e", syntax(4)),
        ("2e4e", syntax(1)),
        ("----", syntax(5)),
        ("O-O", syntax(4)),
        ("\u{e9}2e4", syntax(1)),
        ("e2\u{661}e4", syntax(3)),
        ("e1\u{1f600}e2", syntax(3)),
        ("0000", NullMove),
        ("(none)", syntax(7)),
        ("e0e1", NotASquare),
        ("e9e1", NotASquare),
        ("i1i2", NotASquare),
        ("e1e99999999999999999999", NotASquare),
        ("zzzzzzzzzzzzzzzzzzzzzz1e1", NotASquare),
        ("h257g1", NotASquare),
        ("e2e4", NoPiece),
        ("e8e7", NoPiece),
        ("h7h8", PromotionMissing),
        ("h7h8k", PromotionNotAllowed),
        ("h7h8m", PromotionNotAllowed),
        ("h7h8y", PromotionNotAllowed),
        ("a1a2q", PromotionNotAllowed),
        ("e1f1q", PromotionNotAllowed),
    ];
    for (text, kind) in cases {
        let error = position.parse_move(text).expect_err(text);
        assert_eq!(error.kind, kind, "{text:?}");
        assert_eq!(error.text, text);
    }
    let illegal = [
        "a1b2", "a1a1", "a1h1", "e1e3", "e1e8", "e7e8q", "e7d8q", "h7g8q", "h7h6",
    ];
    for text in illegal {
        let error = position.parse_move(text).expect_err(text);
        assert!(
            matches!(error.kind, MoveErrorKind::Illegal(_)),
            "{text}: {error}"
        );
    }
    let over = read("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let error = over.parse_move("e1e2").unwrap_err();
    assert_eq!(error.kind, MoveErrorKind::Illegal("the game is over"));
}

#[test]
fn bad_notation_has_reasons() {
    let position = read("4k3/4P2P/8/8/8/2N5/8/R3K1NR w Q - 0 1");
    let kind = |text: &str| position.parse_notation(text).expect_err(text).kind;
    assert_eq!(kind("Ne2"), MoveErrorKind::Ambiguous);
    assert_eq!(kind("h8"), MoveErrorKind::PromotionMissing);
    assert_eq!(kind("0000"), MoveErrorKind::NullMove);
    for text in ["Nf6", "O-O", "h8=K", "Bc1*e1", "Rxa5", "xd5"] {
        assert!(matches!(kind(text), MoveErrorKind::Illegal(_)), "{text}");
    }
    for text in ["", "?", "N", "\u{1f600}", "Nf\u{e9}3", "resigns"] {
        assert!(matches!(kind(text), MoveErrorKind::Syntax { .. }), "{text}");
    }
}

/// Every byte of a good text replaced, dropped or doubled: no panic, and what
/// is read can be written, read again, and played.
#[test]
fn damaged_text_never_panics() {
    let texts = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 3,4,1,1,8 qcarbn ff",
        "10/k9/4P5/10/3p6/3p1p4/5p4/10/10/K9 b - e4-7 0 1 5,4",
        "o1w/bkb/BKB/W1O w KQkq a2-3 99 4294967295 2,2,4,2,2 kpow ff",
    ];
    let junk = b"/ 0159-,kKqpOw.aeiz\xc3\x00~";
    let mut read_at_all = 0;
    for text in texts {
        for at in 0..text.len() {
            for &byte in junk {
                for cut in 0..2 {
                    let mut bytes = text.as_bytes().to_vec();
                    bytes.splice(at..at + cut, [byte]);
                    let damaged = String::from_utf8_lossy(&bytes);
                    let Ok(position) = Liberty::from_text(&damaged, &Rules::default()) else {
                        continue;
                    };
                    read_at_all += 1;
                    assert_eq!(read(&position.text()), position, "{damaged}");
                    position.outcome();
                    for m in position.moves() {
                        let mut copy = position.clone();
                        let undo = copy.make(m, &mut ());
                        copy.outcome();
                        copy.unmake(m, undo);
                        assert_eq!(copy, position, "{damaged}");
                    }
                }
            }
        }
    }
    assert!(read_at_all > 1000, "{read_at_all}");
}

#[test]
fn the_largest_board_is_playable() {
    let rank = |pieces: &str| pieces.to_string();
    let mut ranks = vec![rank("256"); 256];
    ranks[0] = rank("r126k127r");
    ranks[1] = "p".repeat(256);
    ranks[254] = "P".repeat(256);
    ranks[255] = rank("R126K126OR");
    let lfen = format!("{} w KQkq - 0 1 254", ranks.join("/"));
    let mut position = read(&lfen);
    let empty = 65536 - (2 * 256 + 3 + 4);
    assert_eq!(position.empty_squares(), empty);
    // 256 Pawns with 252 advances each, one Obstacle, the Rooks and the King
    // along the first rank, and one castling: the Obstacle is in the way of
    // the other.
    let expected = 256 * 252 + empty as u64 + 126 + 2 + 1;
    assert_eq!(position.count_moves(), expected);
    assert_eq!(position.moves().len() as u64, expected);
    let start = position.clone();
    let mut played = Vec::new();
    for text in ["iu1a128", "iv255iv3", "dx1dz1", "a255a130"] {
        let m = position.parse_move(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(position.move_text(m), text);
        let notation = position.notation(m);
        assert_eq!(position.parse_notation(&notation), Ok(m), "{notation}");
        played.push((m, position.make(m, &mut ())));
        assert_eq!(position.hash(), position.recomputed_hash());
        assert_eq!(read(&position.text()).text(), position.text());
    }
    assert_eq!(position.en_passant().count(), 124);
    while let Some((m, undo)) = played.pop() {
        position.unmake(m, undo);
    }
    assert_eq!(position, start);
    assert_eq!(position.draw().lines().count(), 257);
}

#[test]
fn boards_full_of_one_kind() {
    for kind in Kind::ALL {
        for (width, height) in [(2, 2), (3, 5), (16, 16), (256, 256)] {
            let white = kind.capital().to_string().repeat(width);
            let black = kind.letter().to_string().repeat(width);
            let mut ranks = vec![black; height / 2];
            ranks.extend(vec![white; height - height / 2]);
            let position = read(&format!("{} w KQkq - 0 1 - k ff", ranks.join("/")));
            let moves = position.moves();
            assert_eq!(moves.len() as u64, position.count_moves());
            assert_eq!(position.outcome().is_none(), !moves.is_empty());
            assert_eq!(position.empty_squares(), 0);
            if let Some(&m) = moves.last() {
                let mut copy = position.clone();
                let undo = copy.make(m, &mut ());
                copy.unmake(m, undo);
                assert_eq!(copy, position);
            }
        }
    }
}

#[test]
fn the_smallest_boards() {
    let position = read("kK/qQ w - - 0 1");
    assert!(position.in_check());
    let position = read("pP/Pp w - - 0 1 9,9 k");
    assert_eq!(position.count_moves(), 0); // Pawns on their last ranks.
    let position = read("2/2 b KQkq a1-2 0 1 9,9,2,2,1");
    assert_eq!(position.outcome(), Some(Outcome::draw(Reason::Material)));
}

/// Two Kings in check and many Walls: the targets of a Wall lie on one line,
/// and only they are tried.
#[test]
fn walls_answer_checks_on_a_large_board() {
    let mut ranks = vec!["256".to_string(); 256];
    ranks[255] = "K254r".into();
    ranks[200] = format!("{}K155", "W".repeat(100));
    ranks[0] = "k255".into();
    let position = read(&format!("{} w - - 0 1", ranks.join("/")));
    assert!(position.in_check());
    // Each Wall has the 254 squares between Rook and King, and each King
    // move must end the check: only the King in the corner can, twice.
    assert_eq!(position.count_moves(), 100 * 254 + 2);
}

/// Tens of thousands of Kings, with and without check: a move must not look
/// at all of them.
#[test]
fn armies_of_kings() {
    for middle in ["256", "R255", "r255", "1P253p"] {
        let mut ranks = vec!["k".repeat(256); 100];
        ranks.push("p255".into());
        ranks.extend(vec!["256".to_string(); 25]);
        ranks.push(middle.into());
        ranks.extend(vec!["256".to_string(); 28]);
        ranks.push("255P".into());
        ranks.extend(vec!["K".repeat(256); 100]);
        let position = read(&format!("{} w KQkq - 0 1 250,250 k ff", ranks.join("/")));
        let moves = position.moves();
        assert_eq!(moves.len() as u64, position.count_moves());
        assert!(moves.iter().step_by(97).all(|&m| position.is_legal(m)));
    }
}

#[test]
fn nonsense_moves_are_never_legal() {
    let position = Liberty::start(&Rules::default());
    let legal = position.moves();
    for shift in 0..64 {
        for m in &legal {
            let other = LibertyMove::from_bits(m.to_bits() ^ 1 << shift);
            assert_eq!(
                position.is_legal(other),
                legal.contains(&other),
                "{other:?}"
            );
        }
    }
}

#[test]
fn random_starts_are_sound() {
    for seed in 0..50 {
        let start = RandomStart::default();
        let position = start.position(seed).unwrap();
        assert_eq!(position, start.position(seed).unwrap());
        assert_eq!(position.count(Side::White, Kind::King), 1);
        assert_eq!(position.count(Side::Black, Kind::Pawn), 8);
        assert!(position.text().contains(" w KQkq - 0 1"));
        assert_eq!(position.outcome(), None);
    }
    let wide = RandomStart {
        width: 256,
        height: 256,
        kinds: Kind::ALL.to_vec(),
        king: false,
        friendly_fire: true,
    };
    assert!(wide.position(7).unwrap().rules().friendly_fire);
    for (width, height) in [(0, 8), (1, 8), (257, 8), (8, 257), (u16::MAX, u16::MAX)] {
        let bad = RandomStart {
            width,
            height,
            ..RandomStart::default()
        };
        let error = bad.position(1).expect_err("not a board");
        assert!(matches!(error.kind, OutOfRange { .. }), "{error}");
    }
    let none = RandomStart {
        kinds: Vec::new(),
        height: 0,
        ..RandomStart::default()
    };
    assert_eq!(none.position(1).unwrap().size(), (8, 4));
}

#[test]
fn presets_have_short_names() {
    let rules = Rules::default();
    for (short, name) in [
        ("start", "Standard"),
        (" StartPos ", "Standard"),
        ("capablanca", "Capablanca 10x8"),
        ("Capablanca10x10", "Capablanca 10x10"),
        ("liberty  CHESS", "Liberty chess"),
        ("mini", "Mini chess"),
    ] {
        let read = |text| Liberty::from_text(text, &rules).map(|p| p.text());
        assert_eq!(read(short), read(name), "{short}");
    }
}

#[test]
fn presets_are_in_order_and_readable() {
    for rules in [
        Rules::default(),
        Rules {
            friendly_fire: true,
        },
    ] {
        let presets = Liberty::presets(&rules);
        assert_eq!(presets.len(), 14);
        assert_eq!(presets[0].1, Liberty::start(&rules).text());
        for (name, text) in presets {
            let position = Liberty::from_text(name, &rules).unwrap();
            assert_eq!(position.text(), text);
            assert_eq!(position.rules(), rules);
            assert_eq!(position.outcome(), None, "{name}");
            let mut kinds = [0, 0];
            position.generate(MoveKind::Tactical, |_| kinds[0] += 1);
            position.generate(MoveKind::Quiet, |_| kinds[1] += 1);
            assert_eq!(kinds[0] + kinds[1], position.count_moves(), "{name}");
            let word = Liberty::rules_text(&rules);
            assert_eq!(Liberty::rules_from_text(&word), Ok(rules));
        }
    }
}

/// Notation names the square that a move goes to: only moves there are looked at, on a
/// board that has 300,000.
#[test]
fn notation_is_read_on_large_boards() {
    let row = |y: usize| {
        let queens = "Q20".repeat(11);
        match y {
            0 => "k255".into(),
            255 => "255K".into(),
            _ if y % 4 == 1 => format!("2{queens}Q22"),
            _ if y % 4 == 3 => format!("4{queens}Q20"),
            _ => "256".into(),
        }
    };
    let rows: Vec<String> = (0..256).map(row).collect();
    let position = read(&format!("{} w - - 0 1", rows.join("/")));
    let error = |text: &str| position.parse_notation(text).expect_err(text).kind;
    assert_eq!(error("Qc200"), MoveErrorKind::Ambiguous);
    let m = position.moves()[0];
    assert_eq!(position.parse_notation(&position.notation(m)), Ok(m));
    assert_eq!(position.parse_notation(&position.move_text(m)), Ok(m));
    assert!(matches!(error("O-O"), MoveErrorKind::Illegal(_)));
    assert!(matches!(
        error("Qc300"),
        MoveErrorKind::Illegal(_) | MoveErrorKind::NotASquare
    ));
}
