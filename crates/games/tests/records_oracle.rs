//! The same file read by us and by another library.

use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{SanPlus, Skip};
use quadrille_games::chess::{Chess, Move};
use quadrille_games::records::{Reader, Record, Visitor};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, EnPassantMode, FromSetup as _, Position as _};

/// All moves of a game in engine text, variations in parentheses, and the
/// position at its end.
#[derive(Default)]
struct Script {
    words: Vec<String>,
    last: String,
}

impl Visitor<Chess> for Script {
    fn play(&mut self, position: &Chess, m: Move) {
        use quadrille_games::Position;
        self.words.push(position.move_text(m));
        self.last = position.after(m).text();
    }

    fn pass(&mut self, position: &Chess) {
        use quadrille_games::Position;
        let mut after = *position;
        after.pass();
        self.words.push("0000".into());
        self.last = after.text();
    }

    fn open(&mut self) {
        self.words.push("(".into());
    }

    fn close(&mut self) {
        self.words.push(")".into());
    }
}

/// The other library leaves variations and null moves to the visitor.
struct Board {
    now: shakmaty::Chess,
    before: shakmaty::Chess,
    outer: Vec<(shakmaty::Chess, shakmaty::Chess)>,
}

impl Board {
    /// The word for the move.
    fn play(&mut self, san: San) -> String {
        self.before = self.now.clone();
        if san == San::Null {
            let mut setup = self.now.to_setup(EnPassantMode::Legal);
            setup.halfmoves += 1;
            if setup.turn.is_black() {
                setup.fullmoves = setup.fullmoves.saturating_add(1);
            }
            setup.swap_turn();
            let after = shakmaty::Chess::from_setup(setup, CastlingMode::Standard);
            self.now = after.expect("there is no pass in check");
            return "0000".into();
        }
        let m = san.to_move(&self.now).expect("our file is legal");
        self.now.play_unchecked(m);
        m.to_uci(CastlingMode::Standard).to_string()
    }
}

impl pgn_reader::Visitor for Script {
    type Tags = ();
    type Movetext = Board;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Board> {
        ControlFlow::Continue(Board {
            now: shakmaty::Chess::default(),
            before: shakmaty::Chess::default(),
            outer: Vec::new(),
        })
    }

    fn san(&mut self, board: &mut Board, san: SanPlus) -> ControlFlow<()> {
        self.words.push(board.play(san.san));
        self.last = Fen::from_position(&board.now, EnPassantMode::Legal).to_string();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, board: &mut Board) -> ControlFlow<(), Skip> {
        self.words.push("(".into());
        board.outer.push((board.before.clone(), board.now.clone()));
        board.now = board.before.clone();
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, board: &mut Board) -> ControlFlow<()> {
        self.words.push(")".into());
        (board.before, board.now) = board.outer.pop().expect("balanced");
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Board) {}
}

/// Reads a file with both libraries; the number of games.
fn compare(file: &[u8]) -> usize {
    let mut ours = Reader::<Chess, _>::new(file);
    let mut theirs = pgn_reader::Reader::new(Cursor::new(file));
    let mut games = 0;
    loop {
        let (mut left, mut right) = (Script::default(), Script::default());
        let more = ours.read_game(&mut left).expect("bytes in memory");
        let other = theirs.read_game(&mut right).expect("bytes in memory");
        assert_eq!(more, other.is_some());
        if !more {
            return games;
        }
        games += 1;
        assert_eq!(ours.diagnostics(), []);
        assert_eq!(left.words, right.words, "game {games}");
        assert_eq!(left.last, right.last, "game {games}");
    }
}

#[test]
fn random_games_are_read_alike() {
    let mut file = Vec::new();
    crate::random_games::write_games(&mut file, 400, 3).expect("memory takes bytes");
    assert_eq!(compare(&file), 400);
}

#[test]
fn written_trees_are_read_alike() {
    use quadrille_games::Position;
    use quadrille_games::records::NodeId;
    let mut random = quadrille_games::random::SplitMix64::new(11);
    let mut file = String::new();
    for _ in 0..60 {
        let mut record = Record::new(Chess::default());
        let mut nodes = vec![NodeId::ROOT];
        for _ in 0..80 {
            // Mostly go on from the newest move, sometimes branch anywhere.
            let at = match random.index(4) {
                0 => nodes[random.index(nodes.len())],
                _ => nodes[nodes.len() - 1],
            };
            let moves = record.position(at).moves();
            if moves.is_empty() {
                continue;
            }
            let m = moves[random.index(moves.len())];
            let id = match random.index(12) {
                0 => record.add_pass(at).or_else(|_| record.add(at, m)),
                _ => record.add(at, m),
            };
            let id = id.expect("a generated move is legal");
            if random.index(5) == 0 {
                record.comment_after(id, "a few (odd) words; 1. e4 [%clk 0:00:01] $5");
            }
            nodes.push(id);
        }
        file.push_str(&record.to_pgn());
    }
    assert_eq!(compare(file.as_bytes()), 60);
}
