//! Polyglot books: written, found again, and never trusted.

use std::io::Cursor;

use proptest::prelude::*;
use quadrille_games::Position;
use quadrille_games::chess::polyglot::{Book, Entry, choose, move_code};
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::random::SplitMix64;

fn chess(text: &str) -> Chess {
    Chess::from_text(text, &ChessRules::default()).unwrap()
}

fn book(entries: &[Entry]) -> Book<Cursor<Vec<u8>>> {
    let bytes = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    Book::new(Cursor::new(bytes)).unwrap()
}

#[test]
fn entries_are_written_as_polyglot_has_them() {
    let start = Chess::default();
    let entry = Entry {
        key: 0x0102_0304_0506_0708,
        code: move_code(start.parse_move("e2e4").unwrap()),
        weight: 0x0a0b,
    };
    assert_eq!(entry.code, 0o1434);
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 0x03, 0x1c, 0x0a, 0x0b, 0, 0, 0, 0];
    assert_eq!(entry.to_bytes(), bytes);
    assert_eq!(Entry::from_bytes(bytes), entry);
    assert_eq!(
        Entry::new(&start, start.moves()[0], 1).key,
        0x463b_9618_1691_fc9c
    );
}

#[test]
fn packed_moves_are_unpacked() {
    let text = |code| {
        let entry = Entry {
            key: 0,
            code,
            weight: 1,
        };
        entry.text()
    };
    assert_eq!(text(0o1434), "e2e4");
    assert_eq!(text(0o4_6474), "e7e8q");
    assert_eq!(text(0o1_6474), "e7e8n");
    assert_eq!(text(0o0407), "e1h1");
    assert_eq!(text(0o7_6474), "e7e8", "no piece has this number");
}

/// Every legal move comes back, castling and promotions among them.
#[test]
fn every_move_survives_its_code() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "nrk2r2/8/8/8/8/8/8/NRK2R2 w FBfb - 0 1",
        "8/8/8/3pP3/8/8/8/K6k w - d6 0 2",
    ] {
        let position = chess(fen);
        for m in position.moves() {
            let entry = Entry::new(&position, m, 1);
            assert_eq!(
                entry.find_move(&position),
                Some(m),
                "{fen} {}",
                entry.text()
            );
        }
    }
}

#[test]
fn finds_every_entry_of_a_key() {
    let entries: Vec<Entry> = [3, 5, 5, 5, 9, u64::MAX]
        .map(|key| Entry {
            key,
            code: 0o1434,
            weight: key as u16,
        })
        .to_vec();
    let mut book = book(&entries);
    assert_eq!(book.len(), 6);
    assert_eq!(book.find(5).unwrap().len(), 3);
    assert_eq!(book.find(3).unwrap(), &entries[..1]);
    assert_eq!(book.find(u64::MAX).unwrap(), &entries[5..]);
    for key in [0, 4, 6, 10] {
        assert!(book.find(key).unwrap().is_empty());
    }
    assert!(book.entry(6).is_err() && book.entry(u64::MAX).is_err());
}

#[test]
fn only_legal_moves_count_and_weights_decide() {
    let start = Chess::default();
    let entry = |text: &str, weight| {
        let m = start.parse_move(text).unwrap();
        Entry::new(&start, m, weight)
    };
    let illegal = Entry {
        code: 0o0707,
        ..entry("e2e4", 60_000)
    };
    let mut book = book(&[
        illegal,
        entry("e2e4", 3),
        entry("d2d4", 0),
        entry("c2c4", 1),
    ]);
    let moves = book.moves(&start).unwrap();
    assert_eq!(moves.len(), 3);
    let mut random = SplitMix64::new(1);
    let mut hits = [0; 3];
    for _ in 0..1000 {
        let m = choose(&moves, &mut random).unwrap();
        hits[moves.iter().position(|&(other, _)| other == m).unwrap()] += 1;
    }
    assert_eq!(hits[1], 0);
    assert!(hits[0] > 600 && hits[2] > 150, "{hits:?}");
    assert_eq!(choose(&moves[1..2], &mut random), None);
    assert_eq!(choose(&[], &mut random), None);
    let other = chess("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert!(book.moves(&other).unwrap().is_empty());
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"not a book", &[0; 17]] {
        let error = Book::new(Cursor::new(bytes)).unwrap_err();
        assert!(
            error.to_string().starts_with("not a Polyglot book"),
            "{error}"
        );
    }
    let endless = [Chess::default().polyglot_key()]
        .repeat(5000)
        .into_iter()
        .map(|key| Entry {
            key,
            code: 0o1434,
            weight: u16::MAX,
        })
        .collect::<Vec<_>>();
    let moves = book(&endless).moves(&Chess::default()).unwrap();
    assert!(moves.len() <= 256, "a run of one key is cut");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Unsorted, doubled, nonsense: an answer all the same.
    #[test]
    fn any_bytes_are_a_book_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400), key in any::<u64>()) {
        let whole = bytes.len() / 16 * 16;
        let start = Chess::default();
        for bytes in [&bytes[..], &bytes[..whole]] {
            if let Ok(mut book) = Book::new(Cursor::new(bytes)) {
                let found = book.find(key).unwrap();
                prop_assert!(found.iter().all(|entry| entry.key == key));
                for entry in (0..book.len()).map(|index| book.entry(index).unwrap()).collect::<Vec<_>>() {
                    if let Some(m) = entry.find_move(&start) {
                        prop_assert!(start.is_legal(m));
                    }
                }
            }
        }
    }
}
