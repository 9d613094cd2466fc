//! Positions and moves of any of the games, as text.
//!
//! An input is text in lines: the rules, a position, and then moves, each of
//! which is played if the position takes it.

use core::fmt::Debug;

use quadrille_games::{GameMove, MoveErrorKind, MoveKind, Observer, Position};

/// How many lines of moves are read.
const MOST_LINES: usize = 24;

/// Number of moves tried in one position times number of moves there: boards
/// may have tens of thousands of moves, and reading a notation may look at
/// each of them.
const WORK: usize = 1_000;

/// Reads an input and checks the promises of [`Position`] for everything in it
/// that is accepted. `also` checks what only one game has; it is called for
/// the position that was read and for all that are reached from it.
pub fn check<P: Position>(data: &[u8], also: impl Fn(&P)) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n');
    let rules = rules::<P>(lines.next().unwrap_or(""));
    let Some(mut position) = read::<P>(lines.next().unwrap_or(""), &rules) else {
        return;
    };
    let mut codes = data.chunks_exact(8).map(|chunk| {
        let bytes = chunk.first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(bytes)
    });
    look_at(&position, codes.next().unwrap_or(0));
    also(&position);
    for line in lines.take(MOST_LINES) {
        let Some(m) = read_move(&position, line) else {
            continue;
        };
        position.make(m, &mut ());
        look_at(&position, codes.next().unwrap_or(1));
        also(&position);
    }
}

/// Rules that are read can be written and read again; what cannot be read
/// leaves the usual ones.
fn rules<P: Position>(text: &str) -> P::Rules {
    match P::rules_from_text(text) {
        Ok(rules) => {
            let written = P::rules_text(&rules);
            assert_eq!(P::rules_from_text(&written), Ok(rules.clone()));
            rules
        }
        Err(error) => {
            inside(error.column, text);
            P::Rules::default()
        }
    }
}

/// A position that is read can be written and read again, and an error points
/// into the text.
fn read<P: Position>(text: &str, rules: &P::Rules) -> Option<P> {
    match P::from_text(text, rules) {
        Ok(position) => {
            let written = position.text();
            let again = P::from_text(&written, &position.rules());
            assert_eq!(again.as_ref(), Ok(&position), "{text:?}");
            assert_eq!(again.map(|p| p.text()), Ok(written), "{text:?}");
            Some(position)
        }
        Err(error) => {
            inside(error.column, text);
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// A column counts bytes from 1; just after the end is allowed.
fn inside(column: usize, text: &str) {
    assert!((1..=text.len() + 1).contains(&column), "{column}: {text:?}");
}

/// Reads a line as an engine's move and as a person's. Whatever is accepted is
/// legal.
fn read_move<P: Position>(position: &P, text: &str) -> Option<P::Move> {
    let readings = [position.parse_move(text), position.parse_notation(text)];
    for reading in &readings {
        match reading {
            Ok(m) => assert!(position.is_legal(*m), "{text:?} in {}", position.text()),
            Err(error) => {
                assert_eq!(error.text, text);
                assert!(!error.to_string().is_empty());
                if let MoveErrorKind::Syntax { column } = error.kind {
                    inside(column, text);
                }
            }
        }
    }
    let [engine, human] = readings;
    engine.ok().or(human.ok())
}

/// Checks one position: its key, its moves, and a move made of noise.
fn look_at<P: Position>(position: &P, noise: u64) {
    assert_eq!(position.hash(), position.recomputed_hash());
    let _ = (position.draw(), position.text(), position.claimable());
    let moves = position.moves();
    assert_eq!(position.count_moves(), moves.len() as u64);
    sorts_agree(position, &moves);

    let stranger = P::Move::from_bits(noise);
    let known = moves.contains(&stranger);
    assert_eq!(position.is_legal(stranger), known, "{}", position.text());

    let samples = (WORK / moves.len().max(1)).clamp(1, 64).min(moves.len());
    for n in 0..samples {
        // Spread over the list, and elsewhere each time.
        let at = (noise as usize % moves.len()) + n * moves.len() / samples;
        look_at_move(position, moves[at % moves.len()]);
    }
    if P::CAN_PASS && !position.in_check() && position.outcome().is_none() {
        let mut copy = position.clone();
        let undo = copy.pass();
        assert_eq!(copy.hash(), copy.recomputed_hash());
        assert_eq!(copy.side(), position.side().other());
        copy.unpass(undo);
        same(&copy, position);
    }
}

/// Each move is there once, and is either tactical or quiet.
fn sorts_agree<P: Position>(position: &P, moves: &[P::Move]) {
    let mut all = moves.to_vec();
    all.sort_unstable();
    let mut parts = Vec::new();
    position.generate(MoveKind::Tactical, |m| parts.push(m));
    let tactical = parts.len();
    position.generate(MoveKind::Quiet, |m| parts.push(m));
    for (at, &m) in parts.iter().enumerate().take(4 * WORK) {
        assert_eq!(position.is_tactical(m), at < tactical, "{m:?}");
    }
    parts.sort_unstable();
    assert_eq!(parts, all, "{}", position.text());
    all.dedup();
    assert_eq!(all.len(), parts.len(), "{}", position.text());
}

/// A legal move has texts that mean it, and can be made and taken back.
fn look_at_move<P: Position>(position: &P, m: P::Move) {
    assert!(position.is_legal(m));
    assert_eq!(P::Move::from_bits(m.to_bits()), m);
    for text in [position.move_text(m), position.notation(m)] {
        let read = position.parse_notation(&text);
        assert_eq!(read, Ok(m), "{text} in {}", position.text());
    }
    let text = position.move_text(m);
    assert_eq!(position.parse_move(&text), Ok(m), "{}", position.text());

    let mut copy = position.clone();
    let mut board = Board::of(position);
    let undo = copy.make(m, &mut board);
    assert_eq!(copy.hash(), copy.recomputed_hash(), "{text}");
    assert_eq!(copy.side(), position.side().other(), "{text}");
    assert_eq!(board, Board::of(&copy), "{text} in {}", position.text());
    let _ = (copy.outcome(), copy.in_check(), copy.reversible_plies());
    copy.unmake(m, undo);
    same(&copy, position);
}

#[track_caller]
fn same<P: Position>(left: &P, right: &P) {
    assert_eq!(left, right);
    assert_eq!(left.hash(), right.hash());
    assert_eq!(left.reversible_plies(), right.reversible_plies());
}

/// A board kept only by what an observer is told.
#[derive(Debug, PartialEq)]
struct Board<Piece>(Vec<Option<Piece>>);

impl<Piece: Copy + Eq + Debug> Board<Piece> {
    fn of<P: Position<Piece = Piece>>(position: &P) -> Self {
        let (width, height) = position.size();
        // Gyges has two goals behind the board.
        let mut board = Self(vec![None; usize::from(width) * usize::from(height) + 2]);
        position.pieces(|piece, square| board.added(piece, square));
        board
    }
}

impl<Piece: Copy + Eq + Debug> Observer<Piece> for Board<Piece> {
    fn added(&mut self, piece: Piece, square: u16) {
        let before = self.0[usize::from(square)].replace(piece);
        assert_eq!(before, None, "{piece:?} on an occupied square {square}");
    }

    fn removed(&mut self, piece: Piece, square: u16) {
        let before = self.0[usize::from(square)].take();
        assert_eq!(before, Some(piece), "on square {square}");
    }
}
