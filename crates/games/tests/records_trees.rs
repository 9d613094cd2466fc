//! Trees of every shape, in every game: written and read back.

use std::io::{self, Read};

use proptest::collection::vec;
use proptest::prelude::*;

use quadrille_games::Position;
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::records::{
    Code, GameResult, Nag, NodeId, Notation, Reader, Record, Tokenizer, WriteOptions,
};

/// One change to a growing record; numbers choose among what is there.
#[derive(Debug, Clone)]
enum Change {
    Extend(u16),
    Branch(u16, u16),
    Pass(u16),
    Before(u16, String),
    After(u16, String),
    Nag(u16, u8),
    Promote(u16),
    ToMain(u16),
    Delete(u16),
    Clock(u16, u32),
    Tag(String, String),
    Result(u8),
}

fn comment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,40}",
        "[a-z %{};\\[\\]()\"$!?*.\\\\\n\r\t]{0,120}",
        "\\PC{0,30}",
        "(\\[%(clk|eval|emt|cal) [0-9:.,#-]{0,8}\\] ?){1,3}[a-z ]{0,9}",
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<u16>;
    prop_oneof![
        8 => at().prop_map(Change::Extend),
        4 => (at(), at()).prop_map(|(a, b)| Change::Branch(a, b)),
        1 => at().prop_map(Change::Pass),
        1 => (at(), comment()).prop_map(|(a, t)| Change::Before(a, t)),
        2 => (at(), comment()).prop_map(|(a, t)| Change::After(a, t)),
        1 => (at(), any::<u8>()).prop_map(|(a, n)| Change::Nag(a, n)),
        1 => at().prop_map(Change::Promote),
        1 => at().prop_map(Change::ToMain),
        1 => at().prop_map(Change::Delete),
        1 => (at(), any::<u32>()).prop_map(|(a, ms)| Change::Clock(a, ms)),
        1 => ("[A-Za-z0-9_]{1,12}", comment()).prop_map(|(n, v)| Change::Tag(n, v)),
        1 => any::<u8>().prop_map(Change::Result),
    ]
}

fn apply<P: Position>(record: &mut Record<P>, nodes: &mut Vec<NodeId>, change: &Change) {
    let pick = |n: u16| nodes[usize::from(n) % nodes.len()];
    match change {
        Change::Extend(m) | Change::Branch(_, m) => {
            let at = match change {
                Change::Branch(at, _) => pick(*at),
                _ => record.last(NodeId::ROOT),
            };
            let moves = record.position(at).moves();
            if !moves.is_empty() {
                let m = moves[usize::from(*m) % moves.len()];
                let id = record.add(at, m).expect("a generated move is legal");
                if !nodes.contains(&id) {
                    nodes.push(id);
                }
            }
        }
        Change::Pass(at) => {
            // In check and after a win it is refused; that is fine here.
            if let Ok(id) = record.add_pass(pick(*at))
                && !nodes.contains(&id)
            {
                nodes.push(id);
            }
        }
        Change::Before(at, text) => record.comment_before(pick(*at), text),
        Change::After(at, text) => record.comment_after(pick(*at), text),
        Change::Nag(at, nag) => record.add_nag(pick(*at), Nag(*nag)),
        Change::Promote(at) => {
            record.promote(pick(*at));
        }
        Change::ToMain(at) => {
            record.promote_to_main(pick(*at));
            assert!(record.is_main_line(pick(*at)));
        }
        Change::Delete(at) => {
            let doomed = pick(*at);
            assert_eq!(record.delete(doomed), doomed != NodeId::ROOT);
            nodes.retain(|&id| record.contains(id));
            assert_eq!(record.len() + 1, nodes.len());
        }
        Change::Clock(at, ms) => {
            let clock = std::time::Duration::from_millis(u64::from(*ms));
            let at = pick(*at);
            record.set_clock(at, clock);
            assert_eq!(record.clock(at), Some(clock));
        }
        Change::Tag(name, value) => {
            // Tags that follow from the record are refused; that is fine here.
            let _ = record.set_tag(name, value);
        }
        Change::Result(n) => record.set_result(
            [
                GameResult::WhiteWins,
                GameResult::BlackWins,
                GameResult::Draw,
                GameResult::Open,
            ][usize::from(*n) % 4],
        ),
    }
}

fn grow<P: Position>(start: P, changes: &[Change]) -> Record<P> {
    let mut record = Record::new(start);
    let mut nodes = vec![NodeId::ROOT];
    for change in changes {
        apply(&mut record, &mut nodes, change);
    }
    record
}

/// One of the well-known positions of a game.
fn preset_start<P: Position>(rules: &str, number: usize) -> P {
    let rules = P::rules_from_text(rules).expect("known rules");
    let presets = P::presets(&rules);
    let text = &presets[number % presets.len()].1;
    P::from_text(text, &rules).expect("presets are good")
}

/// Writes and reads back, in both notations; the file must be in order.
fn round_trip<P: Position>(record: &Record<P>) {
    for notation in [Notation::Human, Notation::Engine] {
        let options = WriteOptions {
            notation,
            ..WriteOptions::default()
        };
        // Twice the same game, so that the end of one is seen, too.
        let text = record.to_pgn_with(&options).repeat(2);
        let mut reader = Reader::<P, _>::new(text.as_bytes());
        for _ in 0..2 {
            let back = reader.read_record().expect("bytes in memory");
            assert_eq!(reader.diagnostics(), [], "{text}");
            assert_eq!(back.as_ref(), Some(record), "{text}");
        }
        assert_eq!(reader.read_record().expect("bytes in memory"), None);
    }
    // On one line only the braces in comments change.
    let line = record.to_pgn_with(&WriteOptions::default().one_line());
    let mut reader = Reader::<P, _>::new(line.as_bytes());
    let back = reader.read_record().expect("bytes in memory");
    assert_eq!(back.map(|r| r.len()), Some(record.len()), "{line}");
    let bare = record.to_pgn_with(&WriteOptions::bare());
    let mut reader = Reader::<P, _>::new(bare.as_bytes());
    let back = reader
        .read_record()
        .expect("bytes in memory")
        .expect("a game");
    assert!(back.main_moves().eq(record.main_moves()), "{bare}");
    assert_eq!(back.len(), record.main_line().count());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn chess_trees_round_trip(changes in vec(change(), 0..60)) {
        round_trip(&grow(Chess::start(&ChessRules::default()), &changes));
    }

    #[test]
    fn chess_trees_round_trip_from_a_position(changes in vec(change(), 0..40)) {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17";
        let start = Chess::from_text(fen, &ChessRules::default()).expect("a good position");
        round_trip(&grow(start, &changes));
    }

    #[test]
    fn chess960_trees_round_trip(number in 0_usize..960, changes in vec(change(), 0..40)) {
        let rules = Chess::rules_from_text("chess960").expect("the rules know it");
        let row: String = quadrille_games::chess::back_rank(number as u16)
            .expect("below 960").iter().map(|kind| kind.letter()).collect();
        let fen = format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", row.to_uppercase());
        let start = Chess::from_text(&fen, &rules).expect("a good position");
        round_trip(&grow(start, &changes));
    }

    #[test]
    fn leiserchess_trees_round_trip(preset in any::<usize>(), changes in vec(change(), 0..40)) {
        round_trip(&grow(preset_start::<Leiser>("", preset), &changes));
        round_trip(&grow(preset_start::<Leiser>("2012", preset), &changes));
    }

    #[test]
    fn gyges_trees_round_trip(preset in any::<usize>(), changes in vec(change(), 0..30)) {
        round_trip(&grow(preset_start::<Gyges>("", preset), &changes));
    }

    #[test]
    fn liberty_trees_round_trip(preset in any::<usize>(), changes in vec(change(), 0..30)) {
        round_trip(&grow(preset_start::<Liberty>("", preset), &changes));
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in vec(any::<u8>(), 0..400)) {
        survive(&bytes);
    }

    #[test]
    fn any_broken_file_is_read_without_panic(
        pieces in vec("(\\[[A-Za-z]{0,5} ?\"?[a-z\\\\\"]{0,4}\"?\\]?\n{0,2}|[0-9]{0,2}\\.{0,3} ?|e4 |e5 |Nf3 |-- |Z0 |\\{[a-z\n}]{0,9}|\\(|\\)|\\$[0-9]{0,4}|[!?]{1,3}|1-0 |\\* ?|;[a-z]{0,5}\n|%|½|…| |\n|\r\n|\r|[<>\\]}])", 0..60)
    ) {
        survive(pieces.concat().as_bytes());
    }
}

/// Reads bytes at all levels and checks what must always hold.
fn survive(bytes: &[u8]) {
    let mut tokens = Tokenizer::new(bytes).with_limit(0);
    while tokens.next_token().expect("bytes in memory").is_some() {}
    let mut reader = Reader::<Chess, _>::new(bytes);
    let mut games = 0;
    while let Some(record) = reader.read_record().expect("bytes in memory") {
        games += 1;
        assert_eq!(reader.game(), games);
        let lines = bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count() as u64 + 1;
        for d in reader.diagnostics() {
            assert!(
                d.game == games && (1..=lines).contains(&d.line) && d.column >= 1,
                "{d}"
            );
        }
        let text = record.to_pgn();
        let mut again = Reader::<Chess, _>::new(text.as_bytes());
        let back = again.read_record().expect("bytes in memory");
        assert_eq!(back.as_ref(), Some(&record), "{text}");
    }
}

/// Gives out a file in pieces of this size, as the worst of pipes does.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let size = self.1.min(out.len());
        self.0.read(&mut out[..size])
    }
}

#[test]
fn how_the_bytes_arrive_makes_no_difference() {
    for file in [
        // A second result behind the first: the window ended inside it.
        "1. e4 1-0 1/2-1/2\n\n1. d4 *",
        "1. e4 * 0-1 \n1. d4 1-0 2. c4 *",
        // A CR at the very end, where an LF had stood in the window before.
        "1. e4 (1. d4\n\nf\r",
        "1. e4\n\n\n\nc\r",
        // An open comment: the tags of the next game stand before the place
        // from which a comment is long enough to be searched for them.
        "{a comment that is never closed, and sixty characters long ..\n\n\
         [Event \"far enough behind the brace to be suspicious of the comment\"]\n\n1. e4 *",
        "{a} 1. e4 {b}\r\n; c\r\ne5 (1... c5 $1) 1/2-1/2 ; d\n\n[Event \"x\ny\"]\n\n*",
    ] {
        for size in 1..9 {
            let mut whole = Reader::<Chess, _>::new(file.as_bytes());
            let mut dripping = Reader::<Chess, _>::new(Drip(file.as_bytes(), size));
            loop {
                let record = whole.read_record().expect("bytes in memory");
                let other = dripping.read_record().expect("bytes in memory");
                assert_eq!(other, record, "{file} by {size}");
                assert_eq!(
                    dripping.diagnostics(),
                    whole.diagnostics(),
                    "{file} by {size}"
                );
                if record.is_none() {
                    break;
                }
            }
        }
    }
}

/// A glyph begins the moves as a move does, so tags behind it are those of the
/// next game: the start of this one has been decided.
#[test]
fn tags_after_a_glyph_begin_a_game() {
    for glyph in ["!", "$1", "1. ?"] {
        let file = format!("{{intro}} {glyph} [Variant \"Chess960\"]\n\n1. e4 *");
        survive(file.as_bytes());
        let mut reader = Reader::<Chess, _>::new(file.as_bytes());
        let first = reader.read_record().expect("bytes in memory").unwrap();
        assert_eq!((first.tag("Variant"), first.len()), (None, 0));
        let second = reader.read_record().expect("bytes in memory").unwrap();
        assert_eq!((second.tag("Variant"), second.len()), (Some("Chess960"), 1));
        assert!(second.start().is_chess960());
    }
}

#[test]
fn deep_variations_do_not_overflow_the_stack() {
    const DEEP: usize = 10_000;
    let mut file = String::from("1. e4 ");
    for i in 0..DEEP {
        file.push_str(if i % 2 == 0 { "(1. d4 " } else { "(1. e4 " });
    }
    file.push_str(&")".repeat(DEEP));
    file.push_str(" e5 1-0");
    let mut reader = Reader::<Chess, _>::new(file.as_bytes());
    let record = reader.read_record().unwrap().unwrap();
    assert_eq!(reader.diagnostics(), []);
    assert_eq!(record.len(), DEEP + 2);
    assert_eq!(record.children(NodeId::ROOT).count(), DEEP + 1);
    round_trip(&record);

    let mut reader = Reader::<Chess, _>::new(file.as_bytes()).with_depth(100);
    let record = reader.read_record().unwrap().unwrap();
    assert_eq!(record.len(), 102);
    assert_eq!(reader.diagnostics()[0].code, Code::TooDeep);
    assert_eq!(record.result(), GameResult::WhiteWins);
}

#[test]
fn deep_lines_of_variations_do_not_overflow_the_stack() {
    // Each variation branches off the one before, one ply later.
    const DEEP: usize = 10_000;
    let mut file = String::from("1. Nf3 Nf6 ");
    let cycle = ["Ng1", "Ng8", "Nf3", "Nf6"];
    let other = ["Nd4", "Nd5", "Nh3", "Nh6"];
    for i in 0..DEEP {
        file.extend([other[i % 4], " (", cycle[i % 4], " "]);
    }
    file.push_str(&")".repeat(DEEP));
    file.push_str(" *");
    let mut reader = Reader::<Chess, _>::new(file.as_bytes());
    let record = reader.read_record().unwrap().unwrap();
    assert_eq!(reader.diagnostics(), []);
    assert_eq!(record.len(), 2 * DEEP + 2);
    let text = record.to_pgn();
    let mut reader = Reader::<Chess, _>::new(text.as_bytes());
    assert_eq!(reader.read_record().unwrap().as_ref(), Some(&record));
    assert_eq!(record.clone(), record);
}

#[test]
fn long_tokens_are_cut_and_reading_goes_on() {
    let long = "x".repeat(300_000);
    for file in [
        format!("1. e4 {{{long}}} e5 *\n\n1. d4 *"),
        format!("1. e4 ;{long}\n e5 *\n\n1. d4 *"),
    ] {
        let tokens = Tokenizer::new(file.as_bytes()).with_limit(100_000);
        let mut reader = Reader::<Chess, _>::from_tokens(tokens);
        let first = reader.read_record().unwrap().unwrap();
        assert_eq!(first.main_line().count(), 2, "{}", first.to_pgn());
        assert_eq!(reader.diagnostics()[0].code, Code::TooLong);
        let second = reader.read_record().unwrap().unwrap();
        assert_eq!(second.main_line().count(), 1);
    }
}
