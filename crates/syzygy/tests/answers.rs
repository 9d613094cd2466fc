//! What python-chess says of the same tables.

use std::path::PathBuf;

use quadrille_games::Position;
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_syzygy::{TableKind, Tables, Wdl};

/// The tables with three pieces.
pub(crate) const THREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

/// A line of answers: `Ka1Qd1kc3 w - 2 13`.
struct Answer {
    position: Chess,
    wdl: i32,
    dtz: i32,
}

/// Reads a line as `tests/answers.py` writes it.
fn read(line: &str) -> Option<Answer> {
    let mut fields = line.split(' ');
    let pieces = fields.next()?.as_bytes();
    let mut board = [b'1'; 64];
    for piece in pieces.chunks_exact(3) {
        let file = usize::from(piece[1].checked_sub(b'a')?);
        let rank = usize::from(piece[2].checked_sub(b'1')?);
        *board.get_mut((7 - rank) * 8 + file)? = piece[0];
    }
    let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
    let (side, passing) = (fields.next()?, fields.next()?);
    let fen = format!("{} {side} - {passing} 0 1", ranks.join("/"));
    Some(Answer {
        position: Chess::from_text(&fen, &ChessRules::default()).ok()?,
        wdl: fields.next()?.parse().ok()?,
        dtz: fields.next()?.parse().ok()?,
    })
}

/// Compares every line; gives the number of those with en passant, and of all.
fn compare(tables: &Tables, answers: &str) -> (usize, usize) {
    let (mut passing, mut all) = (0, 0);
    for line in answers.lines() {
        let answer = read(line).unwrap_or_else(|| panic!("{line:?}"));
        let wdl = tables.wdl(&answer.position).map(Wdl::value);
        assert_eq!(wdl, Ok(answer.wdl), "{line}: {}", answer.position.text());
        let dtz = tables.dtz(&answer.position);
        assert_eq!(dtz, Ok(answer.dtz), "{line}: {}", answer.position.text());
        all += 1;
        passing += usize::from(answer.position.en_passant().is_some());
    }
    (passing, all)
}

#[test]
fn three_men() {
    let tables = Tables::open(&[THREE]).unwrap();
    let counts = [TableKind::Wdl, TableKind::Dtz].map(|kind| tables.count(kind));
    assert_eq!((counts, tables.most_men()), ([5, 5], 3));
    assert_eq!(tables.check(), []);
    let (_, all) = compare(&tables, include_str!("data/three_men.txt"));
    assert!(all >= 2_000, "{all}");
}

/// Many more, of all tables in a folder:
/// `python3 crates/syzygy/tests/answers.py FOLDER 3000 1 > answers.txt`, then
/// `QUADRILLE_SYZYGY=FOLDER QUADRILLE_SYZYGY_ANSWERS=answers.txt cargo test
/// -p quadrille-syzygy --test all -- --ignored --nocapture as_many_as_wanted`.
#[test]
#[ignore = "needs QUADRILLE_SYZYGY, a folder, and QUADRILLE_SYZYGY_ANSWERS, a file"]
fn as_many_as_wanted() {
    let path = |name| PathBuf::from(std::env::var(name).unwrap_or_else(|_| panic!("{name}?")));
    let answers = std::fs::read_to_string(path("QUADRILLE_SYZYGY_ANSWERS")).unwrap();
    let folder = path("QUADRILLE_SYZYGY");
    for memory in [256 << 20, 1 << 20, 0] {
        let mut tables = Tables::with_memory(memory);
        tables.add_folder(&folder).unwrap();
        assert_eq!(tables.check(), []);
        let (passing, all) = compare(&tables, &answers);
        println!("{all} positions agree, {passing} with en passant ({memory} bytes of memory)");
    }
}
