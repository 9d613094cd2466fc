//! Chess: FEN in all dialects, EPD, SAN, engine moves, start positions by
//! number.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_fuzz::positions;
use quadrille_games::Position;
use quadrille_games::chess::{
    CastlingStyle, Chess, ChessRules, EnPassantStyle, Epd, FenStyle, back_rank, back_rank_number,
};

/// The largest clock and move number that the reader takes.
const MOST_PLIES: u32 = 9_999;

fuzz_target!(|data: &[u8]| {
    positions::check::<Chess>(data, every_style);
    let text = String::from_utf8_lossy(data);
    let position = text.split('\n').nth(1).unwrap_or("");
    strict(position);
    epd(position);
});

/// Every dialect of FEN says the same, and a strict reader has nothing against
/// what we write.
fn every_style(position: &Chess) {
    if position.halfmove_clock() > MOST_PLIES || position.fullmove_number() > MOST_PLIES {
        return;
    }
    let rules = position.rules();
    for castling in [CastlingStyle::XFen, CastlingStyle::Shredder] {
        for en_passant in [EnPassantStyle::Legal, EnPassantStyle::Always] {
            let style = FenStyle {
                castling,
                en_passant,
            };
            let fen = position.fen(style);
            assert_eq!(
                Chess::from_text(&fen, &rules).as_ref(),
                Ok(position),
                "{fen}"
            );
            let strict = Chess::from_text_strict(&fen, &rules);
            assert_eq!(strict.as_ref(), Ok(position), "{fen}");
        }
    }
    let moves = position.moves();
    assert!(!moves.is_empty() || position.outcome().is_some());
    if let Some((white, black)) = position.start_numbers() {
        let start = Chess::double_chess960(white, black);
        assert_eq!(start.map(|p| p.hash()), Some(position.hash()));
        for number in [white, black] {
            let rank = back_rank(number);
            assert_eq!(rank.as_ref().and_then(back_rank_number), Some(number));
        }
    }
    let _ = position.polyglot_key();
}

/// What the strict reader takes, the tolerant one takes too.
fn strict(text: &str) {
    let rules = ChessRules::default();
    match Chess::from_text_strict(text, &rules) {
        Ok(position) => assert_eq!(Chess::from_text(text, &rules), Ok(position)),
        Err(error) => assert!((1..=text.len() + 1).contains(&error.column), "{text:?}"),
    }
}

/// An EPD line that was written is read as what it was; the clocks of a full
/// FEN have become operations in front of the others.
fn epd(line: &str) {
    let rules = ChessRules::default();
    let Ok(first) = Epd::parse(line, &rules) else {
        return;
    };
    let written = first.to_string();
    let second = Epd::parse(&written, &rules);
    let second = second.unwrap_or_else(|error| panic!("{line:?} as {written:?}: {error}"));
    assert_eq!(second.position, first.position, "{line:?}");
    assert_eq!(second.to_string(), written, "{line:?}");
    // A quote inside a word cannot be written.
    if !written.contains('\'') {
        assert!(second.operations.ends_with(&first.operations), "{line:?}");
    }
    for operation in &first.operations {
        let _ = first.moves(&operation.opcode);
    }
}
