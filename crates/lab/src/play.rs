//! One game of the engine against itself.

use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use quadrille_games::random::SplitMix64;
use quadrille_games::{Game, Line, Side};
use quadrille_search::{Control, Limits, Playable, Searcher};

use crate::adjudication::{Adjudication, Adjudicator, GameEnd};
use crate::file::{Ending, Played, ScoredMove};
use crate::openings::{Opening, random_line};

/// An opening that already decides the game teaches nothing.
pub const BALANCED: i32 = 350;
/// The hard limit of nodes beside the soft one, for iterations that explode.
const HARD: u64 = 8;
/// Openings that are thrown away before a game is given up.
const TRIES: usize = 20;

/// Named rules of play: openings, limits of nodes, early ends. Games of a preset are
/// played by the same rules for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// `quadrille selfplay`: soft limits of nodes, any opening.
    #[default]
    Standard,
    /// Games for the values of the chess evaluation: hard limits, long openings.
    Values,
    /// Games for the weights of the other evaluations: hard limits, openings of the
    /// variants that are played most.
    Weights,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Values, Self::Weights];

    /// Returns the name, as files and command lines have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Values => "values",
            Self::Weights => "weights",
        }
    }

    /// Returns `true` if the preset is meant for a game.
    pub const fn suits(self, game: Game) -> bool {
        match self {
            Self::Standard => true,
            Self::Values => matches!(game, Game::Chess),
            Self::Weights => !matches!(game, Game::Chess),
        }
    }

    /// Returns the rules of early ends.
    pub const fn adjudication(self) -> Adjudication {
        match self {
            Self::Standard => Adjudication::SELFPLAY,
            Self::Values => Adjudication::VALUES,
            Self::Weights => Adjudication::WEIGHTS,
        }
    }

    /// Returns the limits of the next search.
    fn limits<M>(self, nodes: u64, random: &mut SplitMix64) -> Limits<M> {
        if self != Self::Standard {
            return Limits::to_nodes(nodes);
        }
        let nodes = jittered(nodes, random);
        Limits {
            soft_nodes: Some(nodes),
            ..Limits::to_nodes(nodes * HARD)
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == text);
        found.ok_or_else(|| format!("unknown preset '{text}': standard, values or weights"))
    }
}

/// Settings of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Nodes for each move; a soft limit, give or take a quarter, in games of
    /// [`Preset::Standard`], a hard one in others.
    pub nodes: u64,
    /// Mebibytes of the transposition table, which each game begins empty.
    pub hash: usize,
    /// Seed: the same one gives the same games.
    pub seed: u64,
    /// The rules of play.
    pub preset: Preset,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            nodes: 400,
            hash: 4,
            seed: 1,
            preset: Preset::Standard,
        }
    }
}

/// Plays game `number`; `None` if no balanced opening was found for it.
pub fn game<P: Opening>(
    searcher: &mut Searcher<P>,
    settings: &Settings,
    number: u64,
) -> Option<Played<P>> {
    let seed = SplitMix64::new(settings.seed ^ number.rotate_left(32)).next();
    let mut random = SplitMix64::new(seed);
    for _ in 0..TRIES {
        searcher.clear();
        let line = random_line(settings.preset, &mut random);
        if let Some(game) = from(searcher, settings, number, line, &mut random) {
            return Some(game);
        }
    }
    None
}

/// Plays a game from an opening; `None` if the opening is not balanced.
fn from<P: Opening>(
    searcher: &mut Searcher<P>,
    settings: &Settings,
    number: u64,
    mut line: Line<P>,
    random: &mut SplitMix64,
) -> Option<Played<P>> {
    let unscored = |&m| ScoredMove { m, score: None };
    let mut moves: Vec<_> = line.moves().iter().map(unscored).collect();
    let opening = moves.len();
    let preset = settings.preset;
    let search = |line: &Line<P>| {
        let limits = preset.limits(settings.nodes, random);
        think(searcher, line, &limits)
    };
    let end = play_out(&mut line, &preset.adjudication(), search, |_, m, score| {
        if moves.len() == opening && score.abs() > BALANCED {
            return ControlFlow::Break(());
        }
        let score = Some(score);
        moves.push(ScoredMove { m, score });
        ControlFlow::Continue(())
    })?;
    Some(Played {
        number,
        start: line.start().clone(),
        moves,
        winner: end.winner,
        ending: end.ending,
    })
}

/// Plays a line on to its end: the one loop of all self-play.
///
/// `search` returns the next move and its score for White. `keep` sees each move before
/// it is played, with its score, and may break the game off. A game that was broken off
/// or for which no move was found has no result.
pub fn play_out<P: Playable>(
    line: &mut Line<P>,
    rules: &Adjudication,
    mut search: impl FnMut(&Line<P>) -> Option<(P::Move, i32)>,
    mut keep: impl FnMut(&Line<P>, P::Move, i32) -> ControlFlow<()>,
) -> Option<GameEnd> {
    let mut adjudicator = Adjudicator::new(rules);
    loop {
        if let Some(outcome) = line.outcome_with_claims() {
            return Some(GameEnd {
                winner: outcome.winner,
                ending: Ending::Rules,
            });
        }
        if line.moves().len() >= rules.longest {
            return Some(GameEnd {
                winner: None,
                ending: Ending::Long,
            });
        }
        let (m, score) = search(line)?;
        if keep(line, m, score).is_break() {
            return None;
        }
        if let Some(end) = adjudicator.after(score, line.moves().len() + 1) {
            return Some(end);
        }
        line.push(m);
    }
}

/// Returns a quarter more or less, so that games do not fall into step.
fn jittered(nodes: u64, random: &mut SplitMix64) -> u64 {
    nodes - nodes / 4 + random.index(nodes as usize / 2 + 1) as u64
}

/// Returns the move to play and its score from White's point of view.
pub fn think<P: Playable>(
    searcher: &mut Searcher<P>,
    line: &Line<P>,
    limits: &Limits<P::Move>,
) -> Option<(P::Move, i32)> {
    let answer = searcher.go(line, limits, &Control::new(), &mut ());
    let score = answer.last.lines.first()?.score.value();
    let white = match line.position().side() {
        Side::White => score,
        Side::Black => -score,
    };
    Some((answer.best?, white))
}

#[cfg(test)]
mod tests {
    use quadrille_games::Position;
    use quadrille_games::chess::Chess;
    use quadrille_games::gyges::Gyges;
    use quadrille_games::leiser::Leiser;
    use quadrille_games::liberty::Liberty;

    use super::*;

    fn repeats<P: Opening>(preset: Preset) {
        let settings = Settings {
            nodes: 60,
            hash: 1,
            seed: 5,
            preset,
        };
        let play = || {
            let mut searcher = Searcher::<P>::new();
            searcher.set_hash(1);
            let games = (0..3).filter_map(|n| game(&mut searcher, &settings, n));
            games.collect::<Vec<_>>()
        };
        let games = play();
        assert!(games.len() >= 2, "{preset}");
        assert_eq!(games, play());
        let longest = preset.adjudication().longest;
        for game in games {
            let scored = game.moves.iter().filter(|m| m.score.is_some()).count();
            assert!(scored > 0 && game.moves.len() <= longest);
        }
    }

    #[test]
    fn games_are_repeatable_and_end() {
        repeats::<Chess>(Preset::Standard);
        repeats::<Chess>(Preset::Values);
        repeats::<Gyges>(Preset::Weights);
        repeats::<Leiser>(Preset::Weights);
        repeats::<Liberty>(Preset::Weights);
    }

    #[test]
    fn presets_are_known_by_their_names() {
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse(), Ok(preset));
            assert!(Game::ALL.into_iter().any(|game| preset.suits(game)));
        }
        assert!("Standard".parse::<Preset>().is_err());
    }

    /// A game without a result is none: it is not counted as a draw.
    #[test]
    fn a_game_that_stops_has_no_result() {
        let rules = Adjudication::SELFPLAY;
        let mut line = Line::new(Chess::default());
        let nothing = |_: &Line<Chess>| None;
        let go_on = |_: &Line<Chess>, _, _| ControlFlow::Continue(());
        assert_eq!(play_out(&mut line, &rules, nothing, go_on), None);

        let first = |line: &Line<Chess>| Some((line.position().moves()[0], 0));
        let stop = |line: &Line<Chess>, _, _| match line.moves().len() {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert_eq!(play_out(&mut line, &rules, first, stop), None);
        assert_eq!(line.moves().len(), 3);

        let end = play_out(
            &mut line,
            &Adjudication {
                longest: 9,
                ..rules
            },
            first,
            go_on,
        );
        let long = GameEnd {
            winner: None,
            ending: Ending::Long,
        };
        assert_eq!((end, line.moves().len()), (Some(long), 9));
    }

    /// The first search that finds a side sure enough may be the last one.
    #[test]
    fn the_move_that_decides_is_kept_but_not_played() {
        let mut line = Line::new(Chess::default());
        let first = |line: &Line<Chess>| Some((line.position().moves()[0], 2_000));
        let mut kept = 0;
        let keep = |_: &Line<Chess>, _, _| {
            kept += 1;
            ControlFlow::Continue(())
        };
        let end = play_out(&mut line, &Adjudication::SELFPLAY, first, keep);
        let end = end.expect("both sides agree");
        assert_eq!(
            (end.winner, end.ending),
            (Some(Side::White), Ending::Decided)
        );
        assert_eq!((kept, line.moves().len()), (4, 3));
    }
}
