//! Chess and Chess960: UCI as its text of April 2006 has it.

use std::sync::Arc;

use quadrille_games::chess::Chess;
use quadrille_games::chess::polyglot::choose;
use quadrille_protocol::Dialect;
use quadrille_search::chess::{Syzygy, SyzygyRules};

use crate::book::{Book, shipped};
use crate::choice::Random;
use crate::options::{Id, Kind, Offer, Options};
use crate::speech::{OpenTables, Spoken};
use crate::strength::Rung;

/// What we say about ourselves.
const ABOUT: &str = "Quadrille by the Quadrille authors, MIT or Apache-2.0";

impl Spoken for Chess {
    const DIALECT: Dialect = Dialect::Uci;
    const TITLE: &'static str = "Quadrille";
    const PONDERS: bool = true;

    const OFFERS: &'static [Offer] = &[
        Offer::new(Id::Hash, "Hash", Kind::Spin(16, 1, 65536)),
        Offer::new(Id::Threads, "Threads", Kind::Spin(1, 1, 256)),
        Offer::new(Id::ClearHash, "Clear Hash", Kind::Button),
        Offer::new(Id::MultiPv, "MultiPV", Kind::Spin(1, 1, 256)),
        Offer::new(Id::Ponder, "Ponder", Kind::Check(false)),
        Offer::new(Id::OwnBook, "OwnBook", Kind::Check(false)),
        Offer::new(Id::BookFile, "BookFile", Kind::Text("")),
        Offer::new(Id::Overhead, "Move Overhead", Kind::Spin(10, 0, 5000)),
        Offer::new(Id::Seed, "Random Seed", Kind::Spin(0, 0, 1 << 31)),
        Offer::new(Id::SyzygyPath, "SyzygyPath", Kind::Text("")),
        Offer::new(
            Id::SyzygyProbeLimit,
            "SyzygyProbeLimit",
            Kind::Spin(7, 0, 7),
        ),
        Offer::new(Id::Syzygy50MoveRule, "Syzygy50MoveRule", Kind::Check(true)),
        Offer::new(Id::Chess960, "UCI_Chess960", Kind::Check(false)),
        Offer::new(Id::AnalyseMode, "UCI_AnalyseMode", Kind::Check(false)),
        Offer::new(Id::LimitStrength, "UCI_LimitStrength", Kind::Check(false)),
        Offer::new(Id::Elo, "UCI_Elo", Kind::Spin(1500, 600, 2500)),
        Offer::new(Id::ShowWdl, "UCI_ShowWDL", Kind::Check(false)),
        Offer::new(Id::ShowCurrLine, "UCI_ShowCurrLine", Kind::Check(false)),
        Offer::new(
            Id::ShowRefutations,
            "UCI_ShowRefutations",
            Kind::Check(false),
        ),
        Offer::new(Id::Opponent, "UCI_Opponent", Kind::Text("")),
        Offer::new(Id::About, "UCI_EngineAbout", Kind::Text(ABOUT)),
        Offer::new(Id::SetPositionValue, "UCI_SetPositionValue", Kind::Text("")),
    ];

    const LADDER: &'static [Rung] = &[
        Rung::new(600, 1, 1000),
        Rung::new(750, 1, 500),
        Rung::new(1090, 1_500, 250),
        Rung::new(1200, 2_449, 185),
        Rung::new(1420, 4_000, 120),
        Rung::new(1600, 7_746, 90),
        Rung::new(1820, 15_000, 60),
        Rung::new(1970, 30_000, 42),
        Rung::new(2350, 60_000, 25),
        Rung::new(2500, 200_000, 5),
    ];

    fn open_tables(options: &Options) -> Result<Option<OpenTables<Self>>, String> {
        if options.syzygy_path.is_empty() {
            return Ok(None);
        }
        let rules = SyzygyRules {
            most_pieces: options.syzygy_limit as u32,
            fifty_moves: options.syzygy_50,
        };
        let tables = Syzygy::open(&options.syzygy_path, rules).map_err(|e| e.to_string())?;
        let (results, distances) = tables.counts();
        let most = tables.most_pieces();
        let note = format!("Syzygy: {results} tables, {distances} with distances, {most} pieces");
        Ok(Some((Arc::new(tables), note)))
    }

    fn own_book() -> Option<Book> {
        shipped().ok()
    }

    fn book_move(&self, book: &mut Book, random: &mut Random) -> Option<Self::Move> {
        // A book that cannot be read any more is no book.
        choose(&book.moves(self).ok()?, random)
    }
}
