//! Chess and Chess960: UCI as its text of April 2006 has it.

#[cfg(feature = "syzygy")]
use std::sync::Arc;

use quadrille_games::chess::Chess;
use quadrille_games::chess::polyglot::choose;
use quadrille_games::random::SplitMix64;
use quadrille_protocol::Dialect;
#[cfg(feature = "syzygy")]
use quadrille_search::chess::{Syzygy, SyzygyRules};

use crate::book::{Book, shipped};
#[cfg(feature = "syzygy")]
use crate::dialect::OpenTables;
use crate::dialect::Spoken;
use crate::options::{self, Effect, Offer};
use crate::strength::Rung;

/// What we say about ourselves.
const ABOUT: &str = "Quadrille by the Quadrille authors, MIT or Apache-2.0";

/// What can be set in UCI alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChessSettings {
    /// Play from the book.
    own_book: bool,
    /// The host analyses.
    analyse: bool,
    /// Send root moves with their refutations.
    refutations: bool,
    /// Where the endgame tables are.
    #[cfg(feature = "syzygy")]
    syzygy_path: String,
    #[cfg(feature = "syzygy")]
    syzygy: SyzygyRules,
}

impl Spoken for Chess {
    type Settings = ChessSettings;

    const DIALECT: Dialect = Dialect::Uci;
    const TITLE: &'static str = "Quadrille";
    const PONDERS: bool = true;

    const REGISTERS: bool = true;

    const OFFERS: &'static [Offer<ChessSettings>] = &[
        options::hash("Hash"),
        options::threads("Threads"),
        options::clear_hash("Clear Hash"),
        options::multi_pv("MultiPV"),
        options::ponder("Ponder"),
        options::check("OwnBook", false, |options, flag| {
            options.own.own_book = flag;
            Effect::Nothing
        }),
        options::text("BookFile", "", |_, path| Effect::Book(path)),
        options::net_file("EvalFile"),
        options::evaluation("Evaluation"),
        options::overhead("Move Overhead"),
        options::seed("Random Seed"),
        #[cfg(feature = "syzygy")]
        options::text("SyzygyPath", "", |options, path| {
            options.own.syzygy_path = path;
            Effect::EndgameTables
        }),
        #[cfg(feature = "syzygy")]
        options::spin("SyzygyProbeLimit", (7, 0, 7), |options, pieces| {
            options.own.syzygy.most_pieces = pieces.unsigned_abs() as u32;
            Effect::EndgameTables
        }),
        #[cfg(feature = "syzygy")]
        options::check("Syzygy50MoveRule", true, |options, flag| {
            options.own.syzygy.fifty_moves = flag;
            Effect::EndgameTables
        }),
        options::check("UCI_Chess960", false, |_, flag| {
            Effect::Rules(if flag { "chess960" } else { "standard" }.into())
        }),
        options::check("UCI_AnalyseMode", false, |options, flag| {
            options.own.analyse = flag;
            Effect::Nothing
        }),
        options::limit_strength("UCI_LimitStrength"),
        options::elo("UCI_Elo", (1500, 600, 2500)),
        options::show_wdl("UCI_ShowWDL"),
        options::show_current_line("UCI_ShowCurrLine"),
        options::check("UCI_ShowRefutations", false, |options, flag| {
            options.own.refutations = flag;
            Effect::Nothing
        }),
        options::unused_text("UCI_Opponent", ""),
        options::unused_text("UCI_EngineAbout", ABOUT),
        options::set_position_value("UCI_SetPositionValue"),
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

    #[cfg(feature = "syzygy")]
    fn open_endgame_tables(settings: &ChessSettings) -> Result<Option<OpenTables<Self>>, String> {
        if settings.syzygy_path.is_empty() {
            return Ok(None);
        }
        let opened = Syzygy::open(&settings.syzygy_path, settings.syzygy);
        let tables = opened.map_err(|error| error.to_string())?;
        let (results, distances) = tables.counts();
        let most = tables.most_pieces();
        let note = format!("Syzygy: {results} tables, {distances} with distances, {most} pieces");
        Ok(Some((Arc::new(tables), note)))
    }

    fn analyses(settings: &ChessSettings) -> bool {
        settings.analyse
    }

    fn shows_refutations(settings: &ChessSettings) -> bool {
        settings.refutations
    }

    fn plays_from_book(settings: &ChessSettings) -> bool {
        settings.own_book
    }

    fn own_book() -> Option<Book> {
        shipped().ok()
    }

    fn book_move(&self, book: &mut Book, random: &mut SplitMix64) -> Option<Self::Move> {
        // A book that cannot be read any more is no book.
        choose(&book.moves(self).ok()?, random)
    }
}
