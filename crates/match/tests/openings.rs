//! Openings of every kind, and what is said about bad ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use quadrille_games::chess::Chess;
use quadrille_games::{AnyLine, Game, Position};
use quadrille_match::config::{OpeningFormat, OpeningOrder, OpeningSource};
use quadrille_match::openings::{Opening, OpeningError, Openings};

/// A folder with one file.
struct Scene {
    folder: tempfile::TempDir,
    source: OpeningSource,
}

impl Scene {
    fn new(format: OpeningFormat, text: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = folder.path().join("book");
        fs::write(&file, text).expect("a file for the test");
        let source = OpeningSource {
            file: Some(file),
            format,
            ..OpeningSource::default()
        };
        Self { folder, source }
    }

    fn load(&self, game: Game) -> Result<Openings, OpeningError> {
        Openings::load(&self.source, game, "", 5)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("book")
    }

    /// The error, without the name of the folder.
    fn error(&self, game: Game) -> String {
        let error = self.load(game).expect_err("it is wrong").to_string();
        error.replace(&self.file().display().to_string(), "book")
    }
}

fn lots(format: OpeningFormat, plies: Option<u32>) -> OpeningSource {
    OpeningSource {
        format,
        plies,
        ..OpeningSource::default()
    }
}

fn start(opening: &Opening) -> String {
    opening.line.start_text()
}

fn moves(opening: &Opening) -> Vec<String> {
    let moves = opening.line.moves().into_iter();
    moves.map(|m| m.text).collect()
}

fn distinct_starts(openings: &[Opening]) -> usize {
    let starts: BTreeSet<String> = openings.iter().map(start).collect();
    starts.len()
}

fn all(openings: &Openings, number: u64) -> Vec<Opening> {
    (0..number)
        .map(|index| openings.opening(index).expect("a good opening"))
        .collect()
}

const EPDS: &str = "\u{feff}rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1; id \"king's pawn\";\r
\r
# a remark
rnbqkbnr/pppppppp/8/8/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 1\r
bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
";

#[test]
fn positions_of_chess() {
    let scene = Scene::new(OpeningFormat::Epd, EPDS);
    let openings = scene.load(Game::Chess).expect("a good file");
    assert_eq!(openings.distinct(), Some(3));
    let list = all(&openings, 4);
    assert!(list[0].label.starts_with("king's pawn ("));
    assert!(list[1].label.ends_with("book:4"), "{}", list[1].label);
    assert_eq!(
        start(&list[1]),
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 1"
    );
    assert_eq!(list[2].line.rules_text(), "chess960");
    assert_eq!(list[3], list[0], "after the last comes the first");
    let later = OpeningSource {
        start: 3,
        ..scene.source.clone()
    };
    let later = Openings::load(&later, Game::Chess, "", 5).expect("a good file");
    assert_eq!(later.opening(0), openings.opening(2));
    assert_eq!(later.opening(1), openings.opening(0));
}

#[test]
fn a_shuffled_file_has_every_opening_once() {
    let lines = (1..=200).map(|i| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {i}"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut scene = Scene::new(OpeningFormat::Epd, text);
    scene.source.order = OpeningOrder::Random;
    let shuffled = all(&scene.load(Game::Chess).expect("a good file"), 200);
    let again = all(&scene.load(Game::Chess).expect("a good file"), 200);
    assert_eq!(shuffled, again, "the same seed");
    let other = Openings::load(&scene.source, Game::Chess, "", 6).expect("a good file");
    assert_ne!(all(&other, 200), shuffled, "another seed");
    let distinct: BTreeSet<String> = shuffled.iter().map(start).collect();
    assert_eq!(distinct.len(), 200);
}

#[test]
fn lists_of_positions_of_all_games() {
    for (game, rules, lines) in [
        (Game::Chess, "", "startpos\nkiwipete\nchess960 518\n"),
        (Game::Liberty, "", "startpos\nCapablanca 10x8\n"),
        (Game::Leiser, "2016", "startpos\n"),
        (
            Game::Gyges,
            "",
            "setpos data 12332100000000000000000000000012332100\n123321/000000/000000/000000/000000/112233 two\n",
        ),
    ] {
        let scene = Scene::new(OpeningFormat::Fen, lines);
        let openings = Openings::load(&scene.source, game, rules, 1)
            .unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(openings.distinct(), Some(lines.lines().count() as u64));
        for opening in all(&openings, lines.lines().count() as u64) {
            assert_eq!(opening.line.position_text(), start(&opening));
            assert_eq!(opening.line.plies(), 0);
        }
    }
}

#[test]
fn lists_of_moves() {
    let text = "1. e4 e5 2. Nf3\ne2e4 c7c5\nkiwipete ; e1g1 Bxe2\n";
    let mut scene = Scene::new(OpeningFormat::Moves, text);
    let openings = scene.load(Game::Chess).expect("a good file");
    let nth = |index| moves(&openings.opening(index).expect("checked"));
    assert_eq!(nth(0), ["e2e4", "e7e5", "g1f3"]);
    assert_eq!(nth(1), ["e2e4", "c7c5"]);
    assert_eq!(nth(2), ["e1g1", "a6e2"]);
    scene.source.plies = Some(1);
    let cut = scene.load(Game::Chess).expect("a good file");
    let cut = cut.opening(0).expect("checked");
    assert_eq!(cut.line.moves()[0].text, "e2e4");
    assert_eq!(cut.line.plies(), 1);

    for game in [Game::Liberty, Game::Leiser, Game::Gyges] {
        let mut line = AnyLine::start(game);
        for _ in 0..3 {
            let text = line.legal_moves(1)[0].text.clone();
            line.play(&text).expect("legal");
        }
        let played: Vec<String> = line.moves().into_iter().map(|m| m.text).collect();
        let scene = Scene::new(OpeningFormat::Moves, played.join(" "));
        let openings = scene.load(game).unwrap_or_else(|e| panic!("{game}: {e}"));
        assert_eq!(
            moves(&openings.opening(0).expect("checked")),
            played,
            "{game}"
        );
    }
}

#[test]
fn games_cut_at_some_ply() {
    let text = "[Event \"a\"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 1-0\n\n\
                [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 Kd7 2. Ke5 *\n";
    let mut scene = Scene::new(OpeningFormat::Pgn, text);
    // The second game has an illegal move, but not among the first two.
    scene.source.plies = Some(2);
    let openings = scene.load(Game::Chess).expect("a good file");
    assert_eq!(openings.distinct(), Some(2));
    let list = all(&openings, 2);
    assert_eq!(moves(&list[0]), ["e2e4", "e7e5"]);
    assert_eq!(moves(&list[1]), ["e2e4", "e8d7"]);
    assert!(start(&list[1]).starts_with("4k3/"));
    assert!(list[1].label.ends_with("game 2"));
    scene.source.plies = None;
    let error = scene.error(Game::Chess);
    assert!(error.starts_with("book:8: game 2"), "{error}");
}

#[test]
fn games_that_are_over_are_no_openings() {
    let mate = "1. f3 e5 2. g4 Qh4# 0-1\n";
    let mut scene = Scene::new(OpeningFormat::Pgn, mate);
    let error = scene.error(Game::Chess);
    assert!(
        error.contains("already over") && error.contains("plies="),
        "{error}"
    );
    scene.source.plies = Some(3);
    assert!(scene.load(Game::Chess).is_ok());
}

/// A book in which each move of each line has the weight 1.
fn polyglot(lines: &[&str]) -> Vec<u8> {
    let mut entries = BTreeSet::new();
    for line in lines {
        let mut position = Chess::default();
        for text in line.split_whitespace() {
            let square = |s: &str| {
                let bytes = s.as_bytes();
                u16::from(bytes[0] - b'a') + 8 * u16::from(bytes[1] - b'1')
            };
            let code = square(&text[..2]) << 6 | square(&text[2..4]);
            entries.insert((position.polyglot_key(), code));
            let m = position.parse_move(text).expect("legal");
            position.make(m, &mut ());
        }
    }
    let mut bytes = Vec::new();
    for (key, code) in entries {
        bytes.extend(key.to_be_bytes());
        bytes.extend(code.to_be_bytes());
        bytes.extend([0, 1, 0, 0, 0, 0]);
    }
    bytes
}

#[test]
fn walks_through_a_book() {
    let lines = ["e2e4 e7e5 g1f3", "d2d4 d7d5", "e2e4 c7c5"];
    let mut scene = Scene::new(OpeningFormat::Polyglot, polyglot(&lines));
    let openings = scene.load(Game::Chess).expect("a good book");
    assert_eq!(openings.distinct(), None);
    let found: BTreeSet<String> = all(&openings, 60)
        .iter()
        .map(|o| moves(o).join(" "))
        .collect();
    assert_eq!(found, lines.iter().map(ToString::to_string).collect());
    scene.source.plies = Some(1);
    let short = scene.load(Game::Chess).expect("a good book");
    assert!(all(&short, 20).iter().all(|o| o.line.plies() == 1));
    assert!(scene.error(Game::Gyges).contains("are of chess"));
}

#[test]
fn lots_of_every_kind() {
    for game in Game::ALL {
        let openings = Openings::load(&lots(OpeningFormat::Random, Some(4)), game, "", 9)
            .unwrap_or_else(|error| panic!("{game}: {error}"));
        let list = all(&openings, 20);
        for opening in &list {
            assert_eq!(opening.line.plies(), 4, "{game}");
            let line = &opening.line;
            assert_eq!(line.outcome_with_claims(), None);
        }
        let distinct: BTreeSet<Vec<String>> = list.iter().map(moves).collect();
        assert!(distinct.len() > 15, "{game}");
    }
    let rows = Openings::load(&lots(OpeningFormat::GygesRows, None), Game::Gyges, "", 9);
    let starts = all(&rows.expect("Gyges"), 50);
    assert!(distinct_starts(&starts) > 40);
    let double = Openings::load(&lots(OpeningFormat::Double960, None), Game::Chess, "", 9);
    let starts = all(&double.expect("chess"), 50);
    assert!(distinct_starts(&starts) > 45);
    assert!(starts.iter().all(|o| o.line.rules_text() == "chess960"));
}

#[test]
fn chess960_starts_are_legal_in_both_colours() {
    let openings = Openings::load(&lots(OpeningFormat::Chess960, None), Game::Chess, "", 1);
    for opening in all(&openings.expect("chess"), 200) {
        let line = &opening.line;
        let AnyLine::Chess(line) = line else {
            panic!("chess")
        };
        let (white, black) = line.position().start_numbers().expect("a start");
        assert_eq!(white, black);
        assert_eq!(opening.label, format!("chess960 {white}"));
    }
}

#[test]
fn bad_files_are_named_with_their_line() {
    for (format, game, text, wanted) in [
        (
            OpeningFormat::Epd,
            Game::Chess,
            "",
            "book: there is no opening",
        ),
        (
            OpeningFormat::Epd,
            Game::Chess,
            "\n\n# x\n",
            "book: there is no opening",
        ),
        (OpeningFormat::Epd, Game::Chess, "startpos\n", "book:1: "),
        (
            OpeningFormat::Epd,
            Game::Chess,
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1\n\n9/8 w - -\n",
            "book:3: ",
        ),
        (
            OpeningFormat::Epd,
            Game::Chess,
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n",
            "book:1: the game is already over: draw by stalemate",
        ),
        (OpeningFormat::Fen, Game::Gyges, "1233\n", "book:1: "),
        (OpeningFormat::Fen, Game::Leiser, "nonsense\n", "book:1: "),
        (OpeningFormat::Fen, Game::Liberty, "nonsense\n", "book:1: "),
        (
            OpeningFormat::Moves,
            Game::Chess,
            "e2e4\ne2e4 e2e4\n",
            "book:2: ply 2: ",
        ),
        (
            OpeningFormat::Moves,
            Game::Chess,
            "nowhere ; e2e4\n",
            "book:1: ",
        ),
        (
            OpeningFormat::Pgn,
            Game::Chess,
            "",
            "book: there is no opening",
        ),
        (
            OpeningFormat::Pgn,
            Game::Chess,
            "\n\n1. e4 e5 2. Ke3 *\n",
            "book:3: game 1",
        ),
        (
            OpeningFormat::Pgn,
            Game::Chess,
            "1. e4 -- 2. d4 *\n",
            "null move",
        ),
        (
            OpeningFormat::Pgn,
            Game::Gyges,
            "1. e4 e5 *\n",
            "book:1: game 1",
        ),
        (
            OpeningFormat::Polyglot,
            Game::Chess,
            "not a book",
            "book: not a Polyglot",
        ),
        (
            OpeningFormat::Polyglot,
            Game::Chess,
            "sixteen bytes ..",
            "knows nothing",
        ),
    ] {
        let error = Scene::new(format, text).error(game);
        assert!(error.contains(wanted), "{format} {text:?}: {error}");
    }
    let error = Scene::new(OpeningFormat::Epd, b"\xff\xfe\n").error(Game::Chess);
    assert!(error.starts_with("book:1: this is not UTF-8"), "{error}");
    let mut missing = Scene::new(OpeningFormat::Epd, "");
    missing.source.file = Some("/nowhere/at/all.epd".into());
    assert!(
        missing
            .error(Game::Chess)
            .contains("/nowhere/at/all.epd: cannot be read")
    );
    let mut beyond = Scene::new(OpeningFormat::Epd, EPDS);
    beyond.source.start = 4;
    assert!(
        beyond
            .error(Game::Chess)
            .contains("beyond the last opening, 3")
    );
    let endless = "x".repeat(3 << 20);
    let error = Scene::new(OpeningFormat::Fen, endless).error(Game::Chess);
    assert!(error.starts_with("book:1: this line is longer"), "{error}");
}
