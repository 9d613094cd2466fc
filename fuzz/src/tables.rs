//! Endgame tables.

use std::io;

use quadrille_games::Position;
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_syzygy::{RootRules, Source, TableKind, Tables};

/// Endings, and two positions of each.
const ENDINGS: [(&str, [&str; 2]); 6] = [
    ("KQvK", ["8/8/8/8/8/2k5/8/K2Q4 w", "8/8/8/8/8/2k5/8/K2Q4 b"]),
    (
        "KPvK",
        ["8/8/4k3/8/4K3/8/4P3/8 w", "8/8/4k3/8/4K3/8/4P3/8 b"],
    ),
    ("KPvKP", ["8/8/8/3pP3/8/8/8/K6k w", "7k/p7/8/8/8/8/P7/K7 b"]),
    (
        "KRRvK",
        ["8/8/8/8/8/2k5/8/K2R3R w", "8/8/8/8/8/2k5/8/K2R3R b"],
    ),
    (
        "KPPvKP",
        ["8/8/8/3pP3/8/8/7P/K6k w", "7k/p7/8/8/8/8/PP6/K7 b"],
    ),
    (
        "KQRvKRR",
        ["r6r/8/8/8/8/2k5/8/1K1Q1R2 w", "r6r/8/8/8/8/2k5/8/1K1Q1R2 b"],
    ),
];

/// Bytes that are not offered whole.
struct Slow(Vec<u8>);

impl Source for Slow {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.0.get(at..));
        let from = from.and_then(|from| from.get(..into.len()));
        into.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The first byte chooses the ending, the rest is its table but for the first four
/// bytes and the length, which are made right.
pub fn check(data: &[u8]) {
    let [ending, rest @ ..] = data else {
        return;
    };
    let (name, positions) = ENDINGS[usize::from(*ending) % ENDINGS.len()];
    let (mut whole, mut pages) = (Tables::new(), Tables::with_memory(0));
    for kind in [TableKind::Wdl, TableKind::Dtz] {
        let mut bytes = kind.magic().to_vec();
        bytes.extend(rest);
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        bytes.extend([7; 16]);
        let file = format!("{name}.{}", kind.extension());
        let added = whole.add_bytes(&file, bytes.clone());
        assert_eq!(added, pages.add_source(&file, Slow(bytes)));
    }
    assert_eq!(whole.check(), pages.check());
    for fen in positions {
        let fen = format!("{fen} - - 0 1");
        let Ok(position) = Chess::from_text(&fen, &ChessRules::default()) else {
            panic!("{fen} is no position");
        };
        let rules = RootRules {
            clock: 0,
            repeated: false,
            fifty_moves: true,
        };
        assert_eq!(whole.wdl(&position), pages.wdl(&position));
        assert_eq!(whole.dtz(&position), pages.dtz(&position));
        let moves = whole.root_moves(&position, rules);
        assert_eq!(moves, pages.root_moves(&position, rules));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_ending_can_be_asked() {
        for ending in b"012345" {
            super::check(&[*ending, 0, 0]);
        }
    }
}
