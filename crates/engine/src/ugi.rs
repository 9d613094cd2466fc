//! Gyges: UGI as its engines and hosts speak it today.
//!
//! The text of 2023 says little, and programs rely on more than it says; so we
//! always send `bestmove <move> score <x> time <t>` (one tool cannot do
//! without), and every `info` line has an even number of words behind `info`
//! (another reads them in pairs).

use std::time::Duration;

use quadrille_games::Position;
use quadrille_games::gyges::{Gyges, GygesRules, MoveStyle};
use quadrille_games::random::SplitMix64;
use quadrille_protocol::{BestMove, Command, Dialect, Info, Report, Text, Time};
use quadrille_search::{Answer, Limits, Playable, Score, Variation};

use crate::board::read_position;
use crate::dialect::{Blame, Facts, Spoken, score_word};
use crate::options::{self, Effect, Kind, Offer};
use crate::outbox::Lines;
use crate::strength::Rung;

/// What can be set in UGI alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct UgiSettings {
    /// Depth limit.
    max_ply: Option<u32>,
    /// Time for a move.
    max_time: Option<Duration>,
    /// Node limit.
    max_nodes: Option<u64>,
    /// Answer any move that does not lose at once.
    randomize: bool,
    /// How moves are written.
    format: MoveStyle,
}

impl Spoken for Gyges {
    type Settings = UgiSettings;

    const DIALECT: Dialect = Dialect::Ugi;
    const TITLE: &'static str = "Quadrille Gyges";
    const PONDERS: bool = false;

    const LADDER: &'static [Rung] = &[
        Rung::new(260, 1, 1000).overlooking(98),
        Rung::new(480, 1, 1000).overlooking(94),
        Rung::new(680, 1, 1000).overlooking(90),
        Rung::new(895, 1, 1000).overlooking(83),
        Rung::new(1060, 1, 1000).overlooking(74),
        Rung::new(1350, 1, 1000).overlooking(35),
        Rung::new(1400, 1, 1000),
        Rung::new(1460, 1, 500),
        Rung::new(1530, 1, 250),
        Rung::new(1630, 1, 120),
        Rung::new(1785, 1, 50),
        Rung::new(2000, 40_000, 20),
    ];

    const OFFERS: &'static [Offer<UgiSettings>] = &[
        options::spin("maxPly", (0, 0, 127), |options, plies| {
            options.own.max_ply = (plies > 0).then_some(plies.unsigned_abs() as u32);
            Effect::Nothing
        }),
        Offer::new(
            "maxTime",
            Kind::Seconds(|options, time| {
                options.own.max_time = time;
                Effect::Nothing
            }),
        ),
        options::spin("maxNodes", (0, 0, i64::MAX), |options, nodes| {
            options.own.max_nodes = (nodes > 0).then_some(nodes.unsigned_abs());
            Effect::Nothing
        }),
        options::check("randomize", false, |options, flag| {
            options.own.randomize = flag;
            Effect::Nothing
        }),
        options::threads("threads"),
        options::hash("hash"),
        options::clear_hash("clearHash"),
        options::multi_pv("multiPv"),
        options::net_file("evalFile"),
        options::evaluation("evaluation"),
        options::overhead("moveOverhead"),
        Offer::new(
            "moveFormat",
            Kind::Combo {
                default: "squares",
                values: &["squares", "pairs"],
                set: |options, word| {
                    options.own.format = if word == "pairs" {
                        MoveStyle::Pairs
                    } else {
                        MoveStyle::Squares
                    };
                    Effect::Nothing
                },
            },
        ),
        options::limit_strength("limitStrength").or("UCI_LimitStrength"),
        options::elo("elo", (1700, 260, 2000)).or("UCI_Elo"),
        options::seed("seed"),
    ];

    /// Hosts name limits by options.
    const PLAIN_GO_IS_INFINITE: bool = false;
    const HAS_BOUNDS: bool = false;

    fn is_greeting(command: &Command<'_>) -> bool {
        matches!(command, Command::Ugi)
    }

    fn greeted() -> Report<'static> {
        Report::UgiOk
    }

    /// A side behind the board is no part of the protocol: the bottom row is
    /// always the mover's.
    fn setpos(text: Text<'_>, rules: &GygesRules) -> Result<Self, String> {
        let mut words = text.as_bytes().split(u8::is_ascii_whitespace);
        let board = Text::from_bytes(words.next().unwrap_or_default());
        read_position(board, rules)
    }

    fn write(&self, m: Self::Move, settings: &UgiSettings) -> String {
        self.move_text_in(m, settings.format)
    }

    fn limit(settings: &UgiSettings, limits: &mut Limits<Self::Move>) {
        use quadrille_search::Time as Limit;
        limits.depth = settings.max_ply.or(limits.depth);
        limits.nodes = settings.max_nodes.or(limits.nodes);
        if let Some(time) = settings.max_time {
            limits.time = Limit::PerMove(time);
        }
    }

    /// With `randomize`, any move that does not lose at once, unless the game is
    /// decided.
    fn choose(
        &self,
        answer: &mut Answer<Self::Move>,
        settings: &UgiSettings,
        random: &mut SplitMix64,
    ) {
        let decided = |line: &Variation<Self::Move>| line.score.mate_moves().is_some();
        let settled = answer.best.is_none() || answer.last.lines.first().is_some_and(decided);
        if !settings.randomize || settled {
            return;
        }
        let safe = |m: &Self::Move| {
            let mut next = *self;
            next.make(*m, &mut ());
            next.win_at_once().is_none()
        };
        let moves: Vec<Self::Move> = self.moves().into_iter().filter(safe).collect();
        if let Some(&any) = moves.get(random.below(moves.len() as u64) as usize) {
            answer.best = Some(any);
            answer.ponder = None;
        }
    }

    fn info<'a>(facts: &Facts<'a>) -> Info<'a> {
        let best = facts.pv.first().unwrap_or("null");
        let mut info = Info::new().depth(facts.depth.into());
        if let Some(rank) = facts.rank {
            info = info.multipv(rank as u64);
        }
        let info = info
            .bestmove(Text::from(best))
            .score(facts.score_word())
            .nodes(facts.nodes)
            .nps(facts.nps())
            .time(Time::Millis(facts.time.as_millis() as u64));
        if facts.pv.is_empty() {
            info
        } else {
            info.pv(facts.pv.odd())
        }
    }

    fn best<'a>(best: &'a str, _: Option<&'a str>, score: Score, time: Duration) -> BestMove<'a> {
        BestMove {
            best: Some(Text::from(best)),
            ponder: None,
            score: Some(score_word(score)),
            time: Some(Time::Millis(time.as_millis() as u64)),
        }
    }

    fn complain(lines: &mut Lines<'_>, _: Blame, text: &str) {
        let words = text.split_whitespace().count();
        if words % 2 == 1 {
            lines.note(text);
        } else {
            lines.note(&format!("{text} ."));
        }
    }

    fn say_value(lines: &mut Lines<'_>, value: i64) {
        let score = quadrille_protocol::Score::cp(value);
        lines.add(&Report::Info(Info::new().score(score)));
    }
}
