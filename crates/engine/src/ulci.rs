//! Liberty Chess: ULCI, where hosts are servers and engines are clients.
//!
//! Errors are sent twice, in the form of the first text (`info string
//! servererror`) and in the form of today's (`info error`): a server of either
//! time understands one and shows or skips the other.

use quadrille_games::liberty::{Features, Liberty};
use quadrille_protocol::{Dialect, ErrorKind, Id as IdLine, IdKey, Info, InfoItem, Report, Text};

use crate::options::{Id, Kind, Offer};
use crate::output::Lines;
use crate::speech::{Blame, Spoken};
use crate::strength::Rung;

const ABOUT: &str = "Quadrille by the Quadrille authors, MIT or Apache-2.0";

/// All kinds, in the order in which the text lists them.
const PIECES: &str = "kmqcaehuriwbznxlop";

impl Spoken for Liberty {
    const DIALECT: Dialect = Dialect::Ulci;
    const TITLE: &'static str = "Quadrille Liberty";
    /// The dialect has no pondering.
    const PONDERS: bool = false;

    const LADDER: &'static [Rung] = &[
        Rung::new(340, 1, 1000),
        Rung::new(510, 1, 500),
        Rung::new(775, 1_500, 250),
        Rung::new(1030, 2_449, 185),
        Rung::new(1190, 4_000, 120),
        Rung::new(1360, 7_746, 90),
        Rung::new(1580, 15_000, 60),
        Rung::new(1860, 60_000, 25),
        Rung::new(2000, 200_000, 5),
    ];

    const OFFERS: &'static [Offer] = &[
        Offer::new(Id::Hash, "Hash", Kind::Spin(16, 1, 65536)),
        Offer::new(Id::Threads, "Threads", Kind::Spin(1, 1, 256)),
        Offer::new(Id::ClearHash, "Clear Hash", Kind::Button),
        Offer::new(Id::MultiPv, "MultiPV", Kind::Spin(1, 1, 256)),
        Offer::new(Id::Overhead, "Move Overhead", Kind::Spin(10, 0, 5000)),
        Offer::new(Id::Seed, "Random Seed", Kind::Spin(0, 0, 1 << 31)),
        Offer::new(Id::LimitStrength, "UCI_LimitStrength", Kind::Check(false)),
        Offer::new(Id::Elo, "UCI_Elo", Kind::Spin(1200, 340, 2000)),
        Offer::new(Id::ShowWdl, "UCI_ShowWDL", Kind::Check(false)),
        Offer::new(Id::ShowCurrLine, "UCI_ShowCurrLine", Kind::Check(false)),
        Offer::new(Id::Opponent, "UCI_Opponent", Kind::Text("")),
        Offer::new(Id::About, "UCI_EngineAbout", Kind::Text(ABOUT)),
        Offer::new(Id::SetPositionValue, "UCI_SetPositionValue", Kind::Text("")),
    ];

    fn introduce(lines: &mut Lines<'_>) {
        let mut id = |key: IdKey<'_>, value: &str| {
            lines.add(&Report::Id(IdLine::new(key, value)));
        };
        id(IdKey::Version, "1");
        id(IdKey::Pieces, PIECES);
        for word in Features::ALL.words() {
            id(IdKey::Feature, word);
        }
        // What the reference server looks for instead of `pawnmoves`.
        id(IdKey::Feature, "pawnconfig");
    }

    fn complain(lines: &mut Lines<'_>, blame: Blame, text: &str) {
        let old = match blame {
            Blame::Host => ErrorKind::ServerString,
            Blame::Engine => ErrorKind::ClientString,
        };
        for kind in [old, ErrorKind::Plain] {
            let text = Text::from(text);
            let error = InfoItem::Error { kind, text };
            lines.add(&Report::Info(Info::new().with(error)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::liberty::Kind as PieceKind;

    #[test]
    fn every_kind_of_piece_is_announced() {
        let mut known: Vec<char> = PieceKind::ALL.into_iter().map(PieceKind::letter).collect();
        let mut said: Vec<char> = PIECES.chars().collect();
        known.sort_unstable();
        said.sort_unstable();
        assert_eq!(known, said);
    }
}
