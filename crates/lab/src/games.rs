//! Self-play of the games whose evaluation is one weighted sum, and the positions
//! kept from it.
//!
//! A line of the file is `position|result|value`, both seen from White: the
//! result as 0, 1 or 2 half points, the value as the search saw it. An empty line
//! ends a game: a fit keeps whole games aside.

use std::io::{self, Write};

use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::{Kind, Liberty, RandomStart, Rules};
use quadrille_games::{Line, Position, Side};
use quadrille_search::tuning::WeightedSum;
use quadrille_search::{Control, Limits, Searcher};

use quadrille_games::random::SplitMix64;

/// Positions with larger values say nothing about weights.
const DECIDED: i32 = 1200;
/// The search is sure of the result.
const PROVEN: i32 = 20_000;
/// No game is longer.
const LONGEST: usize = 600;
/// A value like this, for so many plies in a row, ends a game.
const RESIGN: (i32, u32) = (1500, 6);
/// The Liberty presets that half of the games start from.
const POPULAR: [&str; 5] = [
    "Standard",
    "Liberty chess",
    "Capablanca 10x8",
    "African chess",
    "African chess",
];

/// A game with something to tune and somewhere to begin.
pub trait Opening: WeightedSum {
    /// Where a game begins, before its first random moves.
    fn opening(random: &mut SplitMix64) -> Self;
}

fn start<P: Position>() -> P {
    P::start(&P::Rules::default())
}

impl Opening for Leiser {
    fn opening(_: &mut SplitMix64) -> Self {
        start()
    }
}

impl Opening for Gyges {
    fn opening(random: &mut SplitMix64) -> Self {
        let number = random.index(Self::STARTS);
        Self::start_numbered(number, &GygesRules::default()).unwrap_or_else(start)
    }
}

/// Mostly presets; otherwise any pieces on a board of any size.
impl Opening for Liberty {
    fn opening(random: &mut SplitMix64) -> Self {
        let rules = Rules::default();
        let presets = Self::presets(&rules);
        let preset = match random.index(8) {
            0..4 => POPULAR[random.index(POPULAR.len())],
            4..6 => presets[random.index(presets.len())].0,
            _ => return any_liberty(random),
        };
        Self::from_text(preset, &rules).unwrap_or_else(|_| start())
    }
}

fn any_liberty(random: &mut SplitMix64) -> Liberty {
    let kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Kind::King | Kind::Pawn))
        .filter(|_| random.index(2) == 0)
        .collect();
    let random_start = RandomStart {
        width: 5 + random.index(8) as u16,
        height: 6 + random.index(6) as u16,
        kinds,
        ..RandomStart::default()
    };
    random_start
        .position(random.index(1 << 30) as u64)
        .unwrap_or_else(|_| start())
}

/// Plays games and writes down their quiet positions.
pub fn generate<P: Opening>(
    games: u64,
    nodes: u64,
    random: &mut SplitMix64,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut searcher = Searcher::<P>::new();
    searcher.set_hash(4);
    for game in 0..games {
        searcher.clear();
        let mut line = Line::new(P::opening(random));
        for _ in 0..4 + random.index(6) {
            play_any(&mut line, random);
        }
        play(&mut searcher, line, nodes, out)?;
        if game % 100 == 99 {
            out.flush()?;
            eprintln!("{} games", game + 1);
        }
    }
    out.flush()
}

/// One random move; not one that loses at once, if that can be seen.
fn play_any<P: WeightedSum>(line: &mut Line<P>, random: &mut SplitMix64) {
    if line.outcome().is_some() {
        return;
    }
    let moves = line.position().moves();
    for _ in 0..40 {
        let Some(&m) = moves.get(random.index(moves.len())) else {
            return;
        };
        let mut after = line.position().clone();
        after.make(m, &mut ());
        if after.win_at_once().is_none() {
            line.push(m);
            return;
        }
    }
}

fn play<P: WeightedSum>(
    searcher: &mut Searcher<P>,
    mut line: Line<P>,
    nodes: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let limits = Limits::to_nodes(nodes);
    let mut seen: Vec<(String, i32)> = Vec::new();
    let mut result = 1;
    let mut sure = 0;
    for _ in 0..LONGEST {
        if let Some(outcome) = line.outcome_with_claims() {
            result = outcome.winner.map_or(1, |side| 2 - 2 * side.index());
            break;
        }
        let answer = searcher.go(&line, &limits, &Control::new(), &mut ());
        let Some(best) = answer.best else {
            break;
        };
        let value = answer.last.lines.first().map_or(0, |l| l.score.value());
        let position = line.position();
        let white = match position.side() {
            Side::White => value,
            Side::Black => -value,
        };
        sure = if value.abs() >= RESIGN.0 { sure + 1 } else { 0 };
        if value.abs() > PROVEN || sure >= RESIGN.1 {
            result = if white > 0 { 2 } else { 0 };
            break;
        }
        if value.abs() < DECIDED && !position.is_tactical(best) && !position.in_check() {
            seen.push((position.text(), white));
        }
        line.push(best);
    }
    for (text, value) in seen {
        writeln!(out, "{text}|{result}|{value}")?;
    }
    writeln!(out)
}
