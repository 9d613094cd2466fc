//! Leiserchess: UCI with commands for people.
//!
//! Where the text contradicts itself we follow the 2016 distribution, except
//! that we do what the text asks and its engine did not: `stop`, `isready`
//! during a search, `nodes`, `infinite`, `ponder`, skipping unknown words.

use quadrille_games::leiser::Leiser;
use quadrille_games::leiser::LeiserRules;
use quadrille_games::{Position, Side};
use quadrille_protocol::{Dialect, HashFull, Info};

use crate::dialect::{Facts, Spoken};
use crate::options::{self, Effect, Kind, Offer};
use crate::outbox::Lines;
use crate::strength::Rung;

const YEARS: &[&str] = &["2012", "2013", "2014", "2015", "2016", "2018"];

impl Spoken for Leiser {
    type Settings = ();

    const DIALECT: Dialect = Dialect::Leiser;
    const TITLE: &'static str = "Quadrille Leiserchess";
    const PONDERS: bool = true;

    const LADDER: &'static [Rung] = &[
        Rung::new(100, 1, 1000).overlooking(82),
        Rung::new(325, 1, 1000).overlooking(77),
        Rung::new(440, 1, 1000).overlooking(70),
        Rung::new(975, 1, 1000).overlooking(35),
        Rung::new(1140, 1, 1000),
        Rung::new(1190, 2_750, 185),
        Rung::new(1420, 7_746, 90),
        Rung::new(1500, 15_000, 60),
        Rung::new(1700, 30_000, 42),
        Rung::new(1900, 60_000, 25),
        Rung::new(2000, 200_000, 5),
    ];

    const OFFERS: &'static [Offer<()>] = &[
        options::hash("hash").or("hashmeg"),
        options::threads("threads"),
        options::clear_hash("Clear Hash"),
        options::multi_pv("MultiPV"),
        options::ponder("Ponder"),
        Offer::new(
            "rules",
            Kind::Combo {
                default: "2016",
                values: YEARS,
                set: |_, year| Effect::Rules(year.into()),
            },
        ),
        options::net_file("EvalFile"),
        options::evaluation("Evaluation"),
        options::overhead("Move Overhead"),
        options::seed("Random Seed"),
        options::limit_strength("UCI_LimitStrength"),
        options::elo("UCI_Elo", (1500, 100, 2000)),
    ];

    const PERFT_BY_PLY: bool = true;

    /// No line holds a word that a reader of reports could take for one.
    const HELP: &'static [&'static str] = &[
        "eval [move]   the parts of the evaluation, here or after a move",
        "display       the board",
        "generate      all moves of this position",
        "go [depth D] [time MS] [inc MS] [nodes N] [infinite] [ponder]",
        "              search for the best move",
        "help          these lines",
        "isready       answered at once, also during a search",
        "move M        play a move: d3e4, f5L, f5R, f5U, h0h0",
        "perft [N]     count positions up to ply N (4)",
        "ponderhit     the opponent played the expected move",
        "position startpos|classic|endgame|fen F [moves M...]",
        "quit          leave",
        "setoption name N value V",
        "stop          end the search",
        "uci           who this is and what can be set",
        "ucinewgame    forget the last game",
    ];

    /// The rules text draws after 100 quiet plies, the match runner after 200.
    fn relaxed(rules: &LeiserRules) -> Option<LeiserRules> {
        let quiet_limit_plies = match rules.quiet_limit_plies {
            0 => return None,
            1..200 => 200,
            _ => 0,
        };
        Some(LeiserRules {
            quiet_limit_plies,
            ..*rules
        })
    }

    /// The King's own square twice.
    fn no_move(&self) -> String {
        match self.king(self.side()) {
            Some(square) => {
                let name = square.name(self.rules().features().size);
                format!("{name}{name}")
            }
            None => "0000".into(),
        }
    }

    /// The items of the text, and no others.
    fn info<'a>(facts: &Facts<'a>) -> Info<'a> {
        let mut info = Info::new().depth(facts.depth.into());
        if let Some(rank) = facts.rank {
            info = info.multipv(rank as u64);
        }
        info = info
            .score(facts.score_word())
            .time(facts.millis())
            .nodes(facts.nodes)
            .nps(facts.nps())
            .hashfull(HashFull::Permill(facts.hashfull.into()));
        if facts.pv.is_empty() {
            info
        } else {
            info.pv(facts.pv.all())
        }
    }

    /// The picture that the tools of this community know.
    fn display(&self, lines: &mut Lines<'_>, last: Option<&str>, ply: usize) {
        let king = |side: Side| match self.king(side) {
            Some(square) => square.name(self.rules().features().size).to_string(),
            None => "none".into(),
        };
        lines.text("");
        lines.text(&format!("info Ply: {ply}"));
        lines.text(&format!("info Color to move: {}", self.side()));
        lines.text(&format!(
            "info White King: {}, info Black King: {}",
            king(Side::White),
            king(Side::Black)
        ));
        lines.text(&format!("info Last move: {}", last.unwrap_or("NULL")));
        lines.text("");
        let (size, _) = self.size();
        for line in self.draw().lines().take(size.into()) {
            let (rank, squares) = line.split_once(' ').unwrap_or((line, ""));
            lines.text(&format!("info {rank}  {squares}"));
        }
        let files = (b'a'..).take(size.into()).map(char::from);
        let letters: Vec<String> = files.map(String::from).collect();
        lines.text("");
        lines.text(&format!("info     {}", letters.join("  ")));
        lines.text("");
    }

    /// Also what Ko refuses: so the reference engine lists and counts them.
    fn counted_moves(&self) -> Option<Vec<Self::Move>> {
        let kings = Side::BOTH.iter().all(|&side| self.king(side).is_some());
        kings.then(|| self.generated_moves())
    }

    fn counted(&self) -> u64 {
        self.count_generated()
    }
}
