//! Liberty Chess: ULCI, where hosts are servers and engines are clients.
//!
//! Errors are sent twice, in the form of the first text (`info string
//! servererror`) and in the form of today's (`info error`): a server of either
//! time understands one and shows or skips the other.

use quadrille_games::liberty::{Features, Liberty};
use quadrille_protocol::{Dialect, ErrorKind, Id as IdLine, IdKey, Info, InfoItem, Report, Text};

use crate::dialect::{Blame, Spoken};
use crate::options::{self, Offer};
use crate::outbox::Lines;
use crate::strength::Rung;

const ABOUT: &str = "Quadrille by the Quadrille authors, MIT or Apache-2.0";

/// All kinds, in the order in which the text lists them.
const PIECES: &str = "kmqcaehuriwbznxlop";

impl Spoken for Liberty {
    type Settings = ();

    const DIALECT: Dialect = Dialect::Ulci;
    const TITLE: &'static str = "Quadrille Liberty";
    /// The dialect has no pondering.
    const PONDERS: bool = false;

    const LADDER: &'static [Rung] = &[
        Rung::new(340, 1, 1500),
        Rung::new(510, 1, 750),
        Rung::new(775, 1_500, 375),
        Rung::new(1030, 2_449, 278),
        Rung::new(1190, 4_000, 180),
        Rung::new(1360, 7_746, 135),
        Rung::new(1580, 15_000, 90),
        Rung::new(1860, 60_000, 38),
        Rung::new(2000, 200_000, 8),
    ];

    const OFFERS: &'static [Offer<()>] = &[
        options::hash("Hash"),
        options::threads("Threads"),
        options::clear_hash("Clear Hash"),
        options::multi_pv("MultiPV"),
        options::net_file("EvalFile"),
        options::evaluation("Evaluation"),
        options::overhead("Move Overhead"),
        options::seed("Random Seed"),
        options::limit_strength("UCI_LimitStrength"),
        options::elo("UCI_Elo", (1200, 340, 2000)),
        options::show_wdl("UCI_ShowWDL"),
        options::show_current_line("UCI_ShowCurrLine"),
        options::unused_text("UCI_Opponent", ""),
        options::unused_text("UCI_EngineAbout", ABOUT),
        options::set_position_value("UCI_SetPositionValue"),
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
