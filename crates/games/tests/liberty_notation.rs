//! What people and terminals see.

use quadrille_games::liberty::{Features, Liberty, Rules};
use quadrille_games::{Line, Position};

fn read(lfen: &str) -> Liberty {
    Liberty::from_text(lfen, &Rules::default()).unwrap_or_else(|e| panic!("{lfen}: {e}"))
}

#[test]
fn moves_are_written_as_people_expect() {
    let capablanca =
        "rnabqkbcnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 3 qcarbn";
    let promoting = "1r5k/P6p/8/8/8/8/8/K7 w - - 0 1 - ma";
    let wide = "26k/27/R26/p26/27/23P3/K26 w - - 0 1";
    let cases = [
        (capablanca, "e2e5", "e5"),
        (capablanca, "b1c3", "Nc3"),
        (capablanca, "c1b3", "Ab3"),
        (capablanca, "h1g3", "Cg3"),
        ("k7/8/8/3p4/4P3/8/8/K7 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"),
        ("6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1d1", "Kd1"),
        ("k7/8/8/8/8/8/8/1R2KR1R w - - 0 1", "b1d1", "Rd1"),
        ("6k1/8/8/8/8/8/8/R4R1K w - - 0 1", "a1d1", "Rad1"),
        ("k7/7R/8/8/8/8/7R/K7 w - - 0 1", "h7h5", "R7h5"),
        ("7k/8/8/1N3N2/8/1N6/8/K7 w - - 0 1", "b5d4", "Nb5d4"),
        ("4k3/8/8/8/2BpB3/3p4/8/4K3 w - - 0 1", "c4e4", "Bc4*e4"),
        ("4k3/8/8/8/2BpB3/3p4/8/4K3 w - - 0 1", "e4c4", "Be4*c4"),
        (promoting, "a7a8m", "a8=M"),
        (promoting, "a7b8a", "axb8=A"),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "Qg7#"),
        ("7k/6pp/8/8/8/8/8/K3W3 w - - 0 1 - q", "e1a5", "Wa5"),
        (wide, "a5a4", "Ra5xa4"),
        (wide, "a5aa5", "Ra5-aa5+"),
        (wide, "x2x4", "x2-x4"),
        // The other King cannot castle past this one.
        ("4k3/8/8/8/8/8/8/R3K1K1 w Q - 0 1", "e1c1", "O-O-O"),
    ];
    for (lfen, text, notation) in cases {
        let position = read(lfen);
        let m = position
            .parse_move(text)
            .unwrap_or_else(|e| panic!("{lfen}: {e}"));
        assert_eq!(position.notation(m), notation, "{lfen}");
        assert_eq!(position.parse_notation(notation), Ok(m), "{lfen}");
        assert_eq!(position.move_text(m), text);
    }
}

#[test]
fn the_reader_of_notation_is_kind() {
    let position = read("r3k2r/P7/8/3pP3/8/2N3N1/8/R3K2R w KQkq d6 0 1");
    let cases = [
        ("O-O", "e1g1"),
        ("0-0-0", "e1c1"),
        ("o", ""),
        ("Nce4", "c3e4"),
        ("Nc3-e4", "c3e4"),
        ("Nc3e4", "c3e4"),
        ("Nxd5!", "c3d5"),
        ("Nd5", "c3d5"),
        ("exd6", "e5d6"),
        ("e5xd6 ", "e5d6"),
        ("ed6", "e5d6"),
        ("d6", ""),
        ("e6", "e5e6"),
        ("Pe6", "e5e6"),
        ("e5e6", "e5e6"),
        ("E5E6", "e5e6"),
        ("Ra1xa7", ""),
        ("Rxh8+", "h1h8"),
        ("Rh8", "h1h8"),
        ("Kf1", "e1f1"),
        ("e1-g1", "e1g1"),
    ];
    for (text, expected) in cases {
        let read = position.parse_notation(text);
        let found = read.map(|m| position.move_text(m)).unwrap_or_default();
        assert_eq!(found, expected, "{text}");
    }
}

/// With two Kings, one can step to the square to which the other castles.
#[test]
fn a_step_is_not_taken_for_castling() {
    let position = read("4k3/8/8/8/8/8/6K1/4K2R w K - 0 1");
    let (step, castling) = (position.parse_move("g2g1"), position.parse_move("e1g1"));
    assert_eq!(position.parse_notation("Kg1"), step);
    assert_eq!(position.parse_notation("Kgg1"), step);
    assert_eq!(position.parse_notation("O-O"), castling);
    assert_eq!(position.parse_notation("Ke1g1"), castling);
    for m in position.moves() {
        let notation = position.notation(m);
        assert_eq!(position.parse_notation(&notation), Ok(m), "{notation}");
    }
}

#[test]
fn boards_are_drawn_with_coordinates() {
    let drawn = read("k1P/2q/K2 w - - 0 1").draw();
    assert_eq!(drawn, "3 k . P\n2 . . q\n1 K . .\n  a b c\n");
    let wide = read("27/27/27/27/27/27/27/27/27/26K w").draw();
    let lines: Vec<_> = wide.lines().collect();
    assert_eq!(lines.len(), 11);
    assert!(lines[0].starts_with("10  .  ."));
    assert!(lines[9].starts_with(" 1  .") && lines[9].ends_with("  K"));
    assert!(lines[10].ends_with("  y  z aa"));
}

#[test]
fn needs_of_a_position_are_named() {
    let words = |lfen: &str| read(lfen).features().words().collect::<Vec<_>>().join(" ");
    assert_eq!(words("Standard"), "");
    assert_eq!(words("Mini chess"), "boardsize pawnmoves castling");
    assert_eq!(words("Capablanca 10x8"), "boardsize castling promotion");
    assert_eq!(words("Horde"), "multiplekings");
    assert_eq!(words("Elimination"), "multiplekings promotion");
    assert_eq!(
        words("4k3/8/8/8/8/8/P7/4K3 w - - 0 1 2,3,2 k ff"),
        "pawnmoves castling multiplekings promotion friendlyfire"
    );
    assert!(Features::ALL.cover(read("Liberty chess").features()));
    assert!(!Features::default().cover(read("Liberty chess").features()));
    assert!(Features::default().cover(read("Standard").features()));
    assert_eq!(read("Standard").piece_letters(), "pnbrqk");
    assert_eq!(read("Trump chess").piece_letters(), "prmwk");
    assert_eq!(read("rk/KO w - - 0 1 - m").piece_letters(), "rok");
}

#[test]
fn a_game_ends_by_repetition() {
    let mut line = Line::new(read("o1/1O w - - 0 1"));
    for text in ["b1a1", "a2b2", "a1b1", "b2a2"].repeat(2) {
        assert_eq!(line.outcome(), None);
        line.play(text).unwrap();
    }
    assert_eq!(
        line.outcome().unwrap().to_string(),
        "draw by threefold repetition"
    );
}
