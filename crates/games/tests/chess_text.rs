//! Positions and moves as text: what is forgiven, what is refused, what is
//! written.

use quadrille_games::chess::{Chess, ChessRules, Epd, Operand};
use quadrille_games::{MoveErrorKind, Position, PositionError};

const STANDARD: ChessRules = ChessRules { chess960: false };

fn read(text: &str) -> Chess {
    Chess::from_text(text, &STANDARD).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

/// The name of an enum variant, from its `Debug` form.
fn variant(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.chars().take_while(char::is_ascii_alphabetic).collect()
}

/// Undoes the shorthands of the corpus.
fn expand(text: &str) -> String {
    let mut out = text
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\0", "\0");
    if let Some(start) = out.find("<1000 ") {
        let end = start + out[start..].find('>').expect("closed");
        let many = out[start + 6..end].repeat(1000);
        out.replace_range(start..=end, &many);
    }
    out
}

/// What a reader says to a bad position: field, column, kind.
fn position_verdict(what: &str, text: &str) -> String {
    let result: Result<(), PositionError> = match what {
        "fen" => Chess::from_text(text, &STANDARD).map(|_| ()),
        "strict" => Chess::from_text_strict(text, &STANDARD).map(|_| ()),
        _ => Epd::parse(text, &STANDARD).map(|_| ()),
    };
    match result {
        Ok(()) => "accepted".into(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            format!(
                "{} | {} | {}",
                error.field,
                error.column,
                variant(&error.kind)
            )
        }
    }
}

/// What a reader says to a bad move.
fn move_verdict(what: &str, position: &str, text: &str) -> String {
    let position = read(position);
    let found = match what {
        "move" => position.parse_move(text),
        _ => position.parse_notation(text),
    };
    match found {
        Ok(m) => format!("accepted as {m:?}"),
        Err(error) => {
            if let MoveErrorKind::Syntax { column } = error.kind {
                assert!(
                    (1..=text.len() + 1).contains(&column),
                    "{text:?}: column {column}"
                );
            }
            variant(&error.kind)
        }
    }
}

#[test]
fn bad_input_is_refused_by_name() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in include_str!("data/chess_bad.txt").lines() {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let (expected, found) = match fields[..] {
            [what @ ("fen" | "strict" | "epd"), field, column, kind, text] => (
                format!("{field} | {column} | {kind}"),
                position_verdict(what, &expand(text)),
            ),
            [what @ ("move" | "san"), kind, position, text] => {
                (kind.into(), move_verdict(what, position, &expand(text)))
            }
            _ => panic!("not a test: {line}"),
        };
        if found != expected {
            wrong.push(format!("{line}\n    found: {found}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 100, "only {count} inputs");
}

/// Every short text over a nasty alphabet, cut and glued in all ways: no
/// answer is wrong, but none may be a panic.
#[test]
fn no_text_makes_a_reader_panic() {
    let pieces = [
        "",
        " ",
        "/",
        "8",
        "k",
        "K",
        "P",
        "w",
        "-",
        "e3",
        "é",
        "♔",
        "=",
        "O-O",
        "x",
        "+",
        "\"",
        ";",
        "0",
        "99999999999999999999",
        "N",
        "b",
        "a8",
        "(Q)",
        "e.p.",
        "\u{feff}",
        "e2e4",
        "8/8/8/8/8/8/8/8",
    ];
    let position = Chess::default();
    let mut tried = 0;
    for a in pieces {
        for b in pieces {
            for c in pieces {
                let text = format!("{a}{b}{c}");
                let fen = format!("4k3/8/8/8/8/8/8/4K3 {a} {b} {c}");
                let _ = Chess::from_text(&text, &STANDARD);
                let _ = Chess::from_text(&fen, &STANDARD);
                let _ = Epd::parse(&fen, &STANDARD);
                let _ = position.parse_move(&text);
                if let Ok(m) = position.parse_notation(&text) {
                    assert!(position.is_legal(m), "{text:?}");
                }
                tried += 1;
            }
        }
    }
    assert_eq!(tried, pieces.len().pow(3));
}

#[test]
fn harmless_slips_are_forgiven() {
    let start = Chess::default();
    for text in [
        "startpos",
        "START",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W qkQK - 0 0",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w\tHAha  -  0   1 \r\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 - -",
        "rnbqkbnr/pppppppp/44/8/8/71/PPPPPPPP/RNBQKBNR w KQkq",
    ] {
        assert_eq!(read(text), start, "{text:?}");
    }
    // Without castling field there are no rights.
    assert_eq!(
        read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w").text(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    );
    // Rights that cannot be are dropped, the others stay.
    assert_eq!(
        read("4k3/8/8/8/8/8/8/4K2R w KQkq - 3 9").text(),
        "4k3/8/8/8/8/8/8/4K2R w K - 3 9"
    );
    assert_eq!(
        read("4k3/8/8/8/8/8/4K3/7R w KQkq - 0 1").text(),
        "4k3/8/8/8/8/8/4K3/7R w - - 0 1"
    );
}

#[test]
fn castling_rights_in_three_dialects() {
    // The inner rook has the right: X-FEN needs its file.
    let inner = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
    let position = read(inner);
    assert_eq!(position.text(), inner);
    assert!(position.is_chess960(), "no ordinary castling");
    assert_eq!(
        read("4k3/8/8/8/8/8/8/4K1RR w K - 0 1").text(),
        "4k3/8/8/8/8/8/8/4K1RR w K - 0 1"
    );
    assert!(!read("4k3/8/8/8/8/8/8/4K1RR w H - 0 1").is_chess960());
    // K means the outermost rook, wherever king and rook stand.
    let far = read("1k6/8/8/8/8/8/8/1KR1R3 w K - 0 1");
    assert_eq!(far.castling().rooks().first().unwrap().to_string(), "e1");
    // Two rights to one side: the outer one counts.
    assert_eq!(
        read("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1").text(),
        "4k3/8/8/8/8/8/8/4K1RR w K - 0 1"
    );
}

#[test]
fn en_passant_counts_only_when_legal() {
    let mut position = Chess::default();
    for (m, square) in [
        ("e2e4", "-"),
        ("a7a6", "-"),
        ("e4e5", "-"),
        ("d7d5", "d6"),
        ("g1f3", "-"),
    ] {
        let m = position.parse_move(m).unwrap();
        position.make(m, &mut ());
        assert_eq!(position.text().split(' ').nth(3), Some(square));
    }
    // Both pawns would leave the fourth rank, and the rook sees the king.
    let pinned = read("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    assert_eq!(pinned.en_passant(), None);
    assert_eq!(pinned.jumped_over().unwrap().to_string(), "d3");
    assert_eq!(
        pinned.hash(),
        read("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1").hash()
    );
    let free = read("8/8/k7/8/3Pp2Q/8/8/3K4 b - d3 0 1");
    assert_eq!(free.en_passant().unwrap().to_string(), "d3");
    assert_ne!(free.hash(), read("8/8/k7/8/3Pp2Q/8/8/3K4 b - - 0 1").hash());
}

#[test]
fn castling_moves_in_both_spellings() {
    let standard = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let short = standard.parse_move("e1g1").unwrap();
    for text in ["e1h1", "O-O", "0-0", "o-o", "E1G1", " e1g1 "] {
        assert_eq!(standard.parse_move(text), Ok(short), "{text}");
    }
    let long = standard.parse_move("e1a1").unwrap();
    assert_eq!(
        (standard.move_text(short), standard.move_text(long)),
        ("e1g1".into(), "e1c1".into())
    );
    let other = standard.with_chess960(true);
    assert_eq!(
        (other.move_text(short), other.move_text(long)),
        ("e1h1".into(), "e1a1".into())
    );
    assert_eq!(other.parse_move("e1c1"), Ok(long));

    // A step to the g-file stays a step; castling is the king taking the rook.
    let narrow = Chess::from_text("5k2/8/8/8/8/8/8/5K1R w K - 0 1", &ChessRules::CHESS960).unwrap();
    let step = narrow.parse_move("f1g1").unwrap();
    assert!(!step.is_castling());
    let castling = narrow.parse_move("f1h1").unwrap();
    assert!(castling.is_castling());
    assert_eq!(
        narrow.after(castling).text(),
        "5k2/8/8/8/8/8/8/5RK1 b - - 1 1"
    );
    assert_eq!(narrow.parse_notation("O-O"), Ok(castling));
    assert_eq!(narrow.notation(castling), "O-O+");
}

#[test]
fn promotions_in_every_spelling() {
    let position = read("1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
    let queen = position.parse_move("a7a8q").unwrap();
    for text in ["a7a8Q", "a7a8=q", "A7A8=Q", "a7a8/q"] {
        assert_eq!(position.parse_move(text), Ok(queen), "{text}");
    }
    for text in [
        "a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8q", "a8=q+", "a7-a8=Q", "a7a8q", "Pa8=Q", "a8=Q!?",
    ] {
        assert_eq!(position.parse_notation(text), Ok(queen), "{text}");
    }
    let knight = position.parse_notation("axb8=N").unwrap();
    for text in ["ab8N", "a7xb8=N", "axb8n", "a:b8=N", "xb8=N"] {
        assert_eq!(position.parse_notation(text), Ok(knight), "{text}");
    }
    assert_eq!(position.notation(queen), "a8=Q");
}

#[test]
fn human_moves_in_every_spelling() {
    let position = Chess::default();
    let nf3 = position.parse_move("g1f3").unwrap();
    for text in [
        "Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+", "Nf3#", "Nf3!", "Nf3?!", "Nf3 !", "nf3",
        "Nxf3", "g1f3", "g1-f3", "♘f3", "♞f3", "N-f3", "Nf3++",
    ] {
        assert_eq!(position.parse_notation(text), Ok(nf3), "{text}");
    }
    let ep = read("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    let m = ep.parse_move("e5d6").unwrap();
    assert!(m.is_en_passant());
    for text in [
        "exd6",
        "ed6",
        "exd6 e.p.",
        "exd6e.p.",
        "exd6ep",
        "e5xd6",
        "e5d6",
        "exd6 ep",
        "xd6",
    ] {
        assert_eq!(ep.parse_notation(text), Ok(m), "{text}");
    }
}

#[test]
fn a_small_b_is_a_pawn_unless_only_a_bishop_can() {
    let both = read("4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1");
    assert_eq!(both.parse_notation("bxc3"), both.parse_move("b2c3"));
    let bishop = read("4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1");
    assert_eq!(bishop.parse_notation("bxc3"), bishop.parse_move("a1c3"));
    assert_eq!(bishop.parse_notation("bb2"), bishop.parse_move("a1b2"));
}

#[test]
fn san_tells_pieces_apart_as_little_as_possible() {
    for (fen, m, san) in [
        ("4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1", "b1d2", "Nbd2"),
        ("1R6/5k2/8/8/1R5R/8/8/4K3 w - - 0 1", "b4b6", "R4b6"),
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        // The other knight is pinned, so it need not be told apart.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("r6k/7p/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a8", "Rxa8+"),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7f8", "Qf8#"),
        ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7", "Nf7#"),
    ] {
        let position = read(fen);
        let m = position.parse_move(m).unwrap();
        assert_eq!(position.notation(m), san, "{fen}");
        assert_eq!(position.parse_notation(san), Ok(m), "{fen}");
    }
}

#[test]
fn epd_reads_and_writes() {
    let wac = r#"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";"#;
    let epd = Epd::parse(wac, &STANDARD).unwrap();
    assert_eq!(epd.to_string(), wac);
    assert_eq!(
        epd.moves("bm").unwrap(),
        [epd.position.parse_move("g3g6").unwrap()]
    );
    assert_eq!(
        epd.operands("id"),
        Some(&[Operand::Text("WAC.001".into())][..])
    );
    assert_eq!(epd.operands("am"), None);

    // Perft suites: a whole FEN, semicolons in front, none at the end.
    let perft = "4k3/8/8/8/8/8/8/4K2R w K - 5 7 ;D1 15 ;D2 66";
    let epd = Epd::parse(perft, &STANDARD).unwrap();
    assert_eq!(
        (
            epd.position.halfmove_clock(),
            epd.position.fullmove_number()
        ),
        (5, 7)
    );
    assert_eq!(epd.operands("D2").unwrap()[0].as_str(), "66");
    let written = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 5; fmvn 7; D1 15; D2 66;";
    assert_eq!(epd.to_string(), written);
    let again = Epd::parse(written, &STANDARD).unwrap();
    assert_eq!(again.position, epd.position);

    // A clock operation without its number says nothing about the clock.
    let silent = Epd::parse("4k3/8/8/8/8/8/8/4K3 w - - 5 7 hmvc; fmvn;", &STANDARD).unwrap();
    let written = "4k3/8/8/8/8/8/8/4K3 w - - hmvc 5; fmvn 7; hmvc; fmvn;";
    assert_eq!(silent.to_string(), written);
    let again = Epd::parse(written, &STANDARD).unwrap();
    assert_eq!(
        (again.position, again.to_string()),
        (silent.position, written.into())
    );

    let clocks = "4k3/8/8/8/8/8/8/4K3 b - - hmvc 12; fmvn 40; c0 \"a;b\" word; noop;";
    let epd = Epd::parse(clocks, &STANDARD).unwrap();
    assert_eq!(epd.position.text(), "4k3/8/8/8/8/8/8/4K3 b - - 12 40");
    assert_eq!(epd.to_string(), clocks);
    assert_eq!(epd.operands("noop"), Some(&[][..]));
    assert!(
        epd.operands("c0")
            .unwrap()
            .contains(&Operand::Word("word".into()))
    );
}

#[test]
fn names_presets_and_rules() {
    for (name, text) in Chess::presets(&STANDARD) {
        assert_eq!(read(name).text(), text, "{name}");
        assert_eq!(read(&text).text(), text, "{name}");
    }
    assert_eq!(read("chess960 518").with_chess960(false), Chess::default());
    assert_eq!(read(" 518 "), read("chess960 518"));
    assert_eq!(read("dfrc 0 959").start_numbers(), Some((0, 959)));
    for rules in [STANDARD, ChessRules::CHESS960] {
        assert_eq!(
            Chess::rules_from_text(&Chess::rules_text(&rules)),
            Ok(rules)
        );
        assert_eq!(Chess::start(&rules).rules(), rules);
    }
    assert_eq!(Chess::rules_from_text(""), Ok(STANDARD));
    assert!(Chess::rules_from_text("shogi").is_err());
}

#[test]
fn polyglot_keys_of_the_format_description() {
    let mut position = Chess::default();
    for (m, key) in [
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("d7d5", 0x0756_b944_61c5_0fb0),
        ("e4e5", 0x662f_afb9_65db_29d4),
        ("f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e1e2", 0x652a_607c_a3f2_42c1),
        ("e8f7", 0x00fd_d303_c946_bdd9_u64),
    ] {
        let m = position.parse_move(m).unwrap();
        position.make(m, &mut ());
        assert_eq!(position.polyglot_key(), key, "{m:?}");
    }
}

#[test]
fn the_board_can_be_drawn() {
    let drawing = Chess::default().draw();
    let lines: Vec<&str> = drawing.lines().collect();
    assert_eq!(lines[0], "8  r n b q k b n r");
    assert_eq!(lines[3], "5  . . . . . . . .");
    assert_eq!(lines[7], "1  R N B Q K B N R");
    assert_eq!(lines[9], "   a b c d e f g h");
}
