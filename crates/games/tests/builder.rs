//! Positions put together piece by piece equal those that are read.

use proptest::prelude::*;
use quadrille_games::builder::{AnyBuilder, BuildErrors, PositionBuilder};
use quadrille_games::chess::{Chess, ChessBuilder, ChessRules, Square};
use quadrille_games::error::PositionErrorKind;
use quadrille_games::gyges::{Gyges, GygesBuilder, GygesRules, Rings};
use quadrille_games::leiser::{LeiserBuilder, LeiserRules, Year};
use quadrille_games::liberty::{LibertyBuilder, Rules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game, Position, Side};
use serde_json::Value;

fn usual<P: Position>() -> P::Rules {
    P::Rules::default()
}

/// Takes a position apart and builds it again: from its parts, and from their
/// texts on an empty board.
fn rebuild<B: PositionBuilder>(position: &B::Position) {
    let text = position.text();
    let parts = B::of(position);
    let built = parts.build().unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(&built, position, "{text}");
    assert_eq!(built.hash(), position.hash(), "{text}");
    assert_eq!(built.hash(), built.recomputed_hash(), "{text}");
    assert_eq!(built.text(), text);
    assert_eq!(built.moves(), position.moves(), "the order too: {text}");

    let mut fresh = B::new(&position.rules());
    for (field, value) in parts.fields() {
        fresh.set(field, &value).unwrap();
    }
    for piece in parts.pieces() {
        fresh.put_text(&piece.square, &piece.piece).unwrap();
    }
    assert_eq!(fresh, parts, "{text}");
    fresh.clear();
    assert!(fresh.pieces().is_empty());
}

/// Every position of random games that can be read back from its text.
fn rebuild_along<B: PositionBuilder>(start: &B::Position, seed: u64, plies: usize) {
    let mut random = SplitMix64::new(seed);
    let mut position = start.clone();
    for _ in 0..plies {
        let text = position.text();
        match B::Position::from_text(&text, &position.rules()) {
            Ok(read) => rebuild::<B>(&read),
            // A board without a King has no text that can be read.
            Err(error) => assert!(position.outcome().is_some(), "{error}"),
        }
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.index(moves.len())], &mut ());
    }
}

#[test]
fn presets_and_games_are_rebuilt() {
    fn presets<B: PositionBuilder>(rules: &<B::Position as Position>::Rules) {
        for (seed, (name, _)) in B::Position::presets(rules).into_iter().enumerate() {
            let start = B::Position::from_text(name, rules).unwrap();
            rebuild_along::<B>(&start, seed as u64, 40);
        }
    }
    presets::<ChessBuilder>(&ChessRules::default());
    presets::<ChessBuilder>(&ChessRules::CHESS960);
    for (white, black) in [(0, 959), (518, 518), (300, 12)] {
        let start = Chess::double_chess960(white, black).unwrap();
        rebuild_along::<ChessBuilder>(&start, u64::from(white), 60);
    }
    presets::<LibertyBuilder>(&Rules::default());
    presets::<LibertyBuilder>(&Rules {
        friendly_fire: true,
    });
    for year in Year::ALL {
        presets::<LeiserBuilder>(&LeiserRules::of(year));
    }
    presets::<GygesBuilder>(&GygesRules::default());
}

/// The positions of a vector file, under whichever name they stand there.
fn positions(json: &str) -> Vec<String> {
    fn collect(json: &Value, found: &mut Vec<String>) {
        match json {
            Value::Array(list) => list.iter().for_each(|value| collect(value, found)),
            Value::Object(map) => {
                for (key, value) in map {
                    match value.as_str() {
                        Some(text) if ["fen", "lfen", "setpos", "in"].contains(&key.as_str()) => {
                            found.push(text.into());
                        }
                        _ => collect(value, found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(&serde_json::from_str(json).unwrap(), &mut found);
    found
}

/// Rebuilds every position that can be read; how many that were.
fn rebuild_all<B: PositionBuilder>(json: &str, rules: &<B::Position as Position>::Rules) -> usize {
    let texts = positions(json);
    let read = |text: &String| B::Position::from_text(text, rules).ok();
    let read: Vec<_> = texts.iter().filter_map(read).collect();
    read.iter().for_each(rebuild::<B>);
    read.len()
}

#[test]
fn vectors_are_rebuilt() {
    let chess = rebuild_all::<ChessBuilder>(
        include_str!("data/chess_perft.json"),
        &ChessRules::default(),
    );
    let chess960 = rebuild_all::<ChessBuilder>(
        include_str!("data/chess960_perft.json"),
        &ChessRules::default(),
    );
    let liberty =
        rebuild_all::<LibertyBuilder>(include_str!("data/liberty_perft.json"), &Rules::default());
    let states =
        rebuild_all::<LibertyBuilder>(include_str!("data/liberty_states.json"), &Rules::default());
    let leiser = [Year::Y2015, Year::Y2016].map(|year| {
        rebuild_all::<LeiserBuilder>(
            include_str!("data/leiser_perft.json"),
            &LeiserRules::of(year),
        )
    });
    let gyges = rebuild_all::<GygesBuilder>(
        include_str!("data/gyges_perft.json"),
        &GygesRules::default(),
    );
    let counts = [
        chess, chess960, liberty, states, leiser[0], leiser[1], gyges,
    ];
    assert!(counts.iter().all(|&count| count >= 15), "{counts:?}");
}

fn told(errors: &BuildErrors) -> Vec<String> {
    let words = |e: &quadrille_games::builder::BuildError| match &e.square {
        Some(square) => format!("{} {square}: {}", e.field, e.kind),
        None => format!("{}: {}", e.field, e.kind),
    };
    errors.iter().map(words).collect()
}

#[test]
fn chess_names_everything_that_is_wrong() {
    let mut builder = ChessBuilder::new(&ChessRules::default());
    for (square, piece) in [
        ("a1", "P"),
        ("h8", "p"),
        ("e1", "K"),
        ("d1", "K"),
        ("c3", "r"),
    ] {
        builder.put_text(square, piece).unwrap();
    }
    builder.castling = "Kx".into();
    builder.en_passant = Some(Square::new(44));
    builder.halfmove_clock = 10_000;
    builder.fullmove_number = 0;
    let errors = builder.build().unwrap_err();
    assert_eq!(
        told(&errors),
        [
            "placement: expected 1 white kings, found 2",
            "placement: expected 1 black kings, found 0",
            "placement a1: a pawn stands on the first or last rank",
            "placement h8: a pawn stands on the first or last rank",
            "castling: there is no king and rook for this castling right",
            "castling: 'x' cannot stand here",
            "en passant e6: no pawn can just have jumped over this square",
            "halfmove clock: 10000 is outside 0 to 9999",
            "fullmove number: 0 is outside 1 to 9999",
        ]
    );
    let checked = "4k3/8/8/8/8/8/8/4R2K b - - 0 1";
    let mut builder = ChessBuilder::of(&Chess::from_text(checked, &usual::<Chess>()).unwrap());
    builder.side = Side::White;
    let errors = builder.build().unwrap_err();
    assert_eq!(
        told(&errors),
        ["side to move: the side that is not to move is in check"]
    );
    // Two rooks to the right of the king cannot both castle.
    let mut builder = ChessBuilder::new(&ChessRules::CHESS960);
    for (square, piece) in [("b1", "K"), ("f1", "R"), ("h1", "R"), ("e8", "k")] {
        builder.put_text(square, piece).unwrap();
    }
    builder.castling = "HF".into();
    assert_eq!(
        told(&builder.build().unwrap_err()),
        ["castling f1: only one rook on each side of the king may castle"]
    );
    builder.castling = "F".into();
    assert!(builder.build().unwrap().text().contains(" w F - "));
}

#[test]
fn liberty_names_everything_that_is_wrong() {
    let mut builder = AnyBuilder::new(Game::Liberty, "").unwrap();
    builder.put("l12", "K").unwrap();
    builder.put("a1", "w").unwrap();
    for (field, value) in [
        ("board size", "1x300"),
        ("castling rank", "0"),
        ("queenside file", "9"),
        ("promotion", ""),
        ("en passant", "e3-5"),
        ("halfmove clock", "256"),
    ] {
        builder.set(field, value).unwrap();
    }
    assert_eq!(
        told(&builder.build().unwrap_err()),
        [
            "board size: 1 is outside 2 to 256",
            "board size: 300 is outside 2 to 256",
            "castling rank: 0 is outside 1 to 300",
            "queenside file: 9 is outside 1 to 1",
            "promotion: the field is missing",
            "halfmove clock: 256 is outside 0 to 255",
            "placement l12: \"l12\" is not a square of this board",
            "en passant: \"e3-5\" is not a square of this board",
        ]
    );
    for (field, value) in [
        ("board size", "12x12"),
        ("castling rank", "1"),
        ("queenside file", "1"),
        ("promotion", "mk"),
        ("en passant", "-"),
        ("halfmove clock", "7"),
        ("friendly fire", "on"),
        ("castling", "Qk"),
    ] {
        builder.set(field, value).unwrap();
    }
    let text = "11K/12/12/12/12/12/12/12/12/12/12/w11 w Qk - 7 1 - mk ff";
    assert_eq!(builder.build().unwrap().position_text(), text);
    for (field, value) in [
        ("board size", "8"),
        ("board size", "8x99999"),
        ("castling", "KX"),
        ("en passant", "e3-x"),
        ("promotion", "q!"),
        ("friendly fire", "perhaps"),
        ("pawn steps", "-1"),
        ("castling rank", "70000"),
        ("side to move", "green"),
        ("no such field", "1"),
    ] {
        let before = builder.clone();
        assert!(builder.set(field, value).is_err(), "{field} {value}");
        assert_eq!(builder, before, "{field} {value}");
    }
}

#[test]
fn leiserchess_and_gyges_name_everything_that_is_wrong() {
    let mut leiser = LeiserBuilder::new(&LeiserRules::default());
    for (square, piece) in [("a0", "NN"), ("b0", "EE"), ("c0", "nw")] {
        leiser.put_text(square, piece).unwrap();
    }
    let large = quadrille_games::leiser::Square::at(9, 9, 10).unwrap();
    let pawn = leiser.pieces().len();
    let piece = leiser.piece_at(quadrille_games::leiser::Square::at(2, 0, 8).unwrap());
    leiser.put(large, piece.unwrap());
    assert_eq!(leiser.pieces().len(), pawn + 1);
    assert_eq!(
        told(&leiser.build().unwrap_err()),
        [
            "placement j9: \"j9\" is not a square of this board",
            "placement: expected 1 white Kings, found 2",
            "placement: expected 1 black Kings, found 0",
        ]
    );
    leiser.remove(large);
    leiser.put_text("b0", "ss").unwrap();
    leiser.set("quiet plies", "99").unwrap();
    let position = leiser.build().unwrap();
    assert_eq!(position.text(), "8/8/8/8/8/8/8/NNssnw5 W");
    assert_eq!((position.quiet_plies(), position.outcome()), (99, None));

    let mut gyges = GygesBuilder::new(&GygesRules::default());
    gyges.put_text("P1", "1").unwrap();
    gyges.put_text("P2", "3").unwrap();
    gyges.put(200, Rings::One);
    assert_eq!(
        told(&gyges.build().unwrap_err()),
        [
            "placement 200: \"200\" is not a square of this board",
            "goals: only one piece can ever enter a goal",
            "board: expected 12 pieces, found 2",
            "side to move: a side whose piece is in the goal has won and is not to move",
        ]
    );
    let start = Gyges::start(&GygesRules::default());
    let mut gyges = GygesBuilder::of(&start);
    gyges.remove_text("a1").unwrap();
    gyges.put_text("P2", "3").unwrap();
    let why = "side to move: a side whose piece is in the goal has won and is not to move";
    assert_eq!(told(&gyges.build().unwrap_err()), [why]);
    gyges.side = Side::Black;
    assert!(gyges.build().unwrap().outcome().is_some());
}

#[test]
fn liberty_refuses_passed_squares_that_no_board_has() {
    let mut builder = AnyBuilder::new(Game::Liberty, "").unwrap();
    for passed in [
        "3",
        "e",
        "e0",
        "e3-",
        "e3-0",
        "aaaa3",
        "e257",
        "e3-4294967296",
    ] {
        let error = builder.set("en passant", passed).unwrap_err();
        let wrong = PositionErrorKind::NotASquare(passed.into());
        assert_eq!(error.kind, wrong, "{passed}");
    }
    // A larger board may have it.
    builder.set("en passant", "iv3-256").unwrap();
    assert!(builder.fields().contains(&("en passant", "iv3-256".into())));
}

#[test]
fn what_cannot_be_read_is_refused_at_once() {
    let long = "x".repeat(100_000);
    for game in Game::ALL {
        let mut builder = AnyBuilder::of(&AnyLine::start(game));
        assert_eq!(builder.game(), game);
        let before = builder.clone();
        for square in [
            "",
            "a",
            "a0a",
            "zz9",
            "é1",
            "a999999999999",
            "-",
            "P",
            &long,
        ] {
            let error = builder.put(square, "1").unwrap_err();
            assert!(error.to_string().len() < 250, "{error}");
            assert!(builder.remove(square).is_err(), "{game} {square:.9}");
        }
        for piece in ["", "?", "KK", "é", "4", "Nw", &long] {
            let error = builder.put("a1", piece).unwrap_err();
            assert!(
                matches!(error.kind, PositionErrorKind::NotAPiece(_)),
                "{error}"
            );
        }
        assert!(builder.set("side to move", &long).is_err());
        let error = builder.set(&long, "1").unwrap_err();
        assert!(matches!(error.kind, PositionErrorKind::UnknownField(_)));
        assert!(error.to_string().len() < 250, "{error}");
        assert_eq!(builder, before);
        let built = builder.build().unwrap();
        assert_eq!(built.position_text(), AnyLine::start(game).position_text());
        assert!(AnyBuilder::new(game, "nonsense").is_err());
        builder.clear();
        assert_eq!(builder.build().is_ok(), game == Game::Liberty);
    }
}

/// Anything put anywhere: an error or a position that its own text gives again.
fn scribble(game: Game, actions: &[(usize, usize, usize)]) -> Result<(), TestCaseError> {
    const SQUARES: [&str; 14] = [
        "a1", "e1", "e8", "h1", "h8", "d4", "d5", "a0", "h0", "a7", "P1", "P2", "j9", "z26",
    ];
    const PIECES: [&str; 14] = [
        "K", "k", "P", "p", "R", "r", "NN", "ss", "nw", "SE", "1", "2", "3", "w",
    ];
    const VALUES: [&str; 16] = [
        "w",
        "b",
        "KQkq",
        "-",
        "e3",
        "d6-7",
        "0",
        "1",
        "3",
        "99",
        "255",
        "4294967295",
        "2x2",
        "26x26",
        "qk",
        "on",
    ];
    let mut builder = AnyBuilder::new(game, "").unwrap();
    for &(what, one, two) in actions {
        let fields = builder.fields();
        match what {
            0..=5 => drop(builder.put(SQUARES[one % 14], PIECES[two % 14])),
            6 => drop(builder.remove(SQUARES[one % 14])),
            _ => drop(builder.set(fields[one % fields.len()].0, VALUES[two % 16])),
        }
    }
    match builder.build() {
        Err(errors) => prop_assert!(!errors.is_empty() && !errors.to_string().is_empty()),
        Ok(line) => {
            let text = line.position_text();
            let read = AnyLine::new(game, &line.rules_text(), &text).unwrap();
            prop_assert_eq!(read.hash(), line.hash(), "{}", text);
            prop_assert_eq!(read.position_text(), text);
            let again = AnyBuilder::of(&line).build().unwrap();
            prop_assert_eq!(again.hash(), line.hash());
            prop_assert_eq!(again.legal_move_count(), line.legal_move_count());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn anything_put_anywhere_is_a_position_or_an_error(
        actions in prop::collection::vec((0..9_usize, any::<usize>(), any::<usize>()), 0..30),
    ) {
        for game in Game::ALL {
            scribble(game, &actions)?;
        }
    }
}
