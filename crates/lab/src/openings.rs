//! Starts of games. Variety of openings decides what can be learnt, so the
//! first moves are random.

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::{Kind, Liberty, RandomStart, Rules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position};
use quadrille_search::Playable;

use crate::play::Preset;

/// Tries to find a random move that does not lose at once.
const TRIES: usize = 40;
/// Liberty presets that half of the games for weights start from.
const POPULAR: [&str; 5] = [
    "Standard",
    "Liberty chess",
    "Capablanca 10x8",
    "African chess",
    "African chess",
];

/// A game with starts to choose from.
pub trait Opening: Playable {
    /// The rules of every game of a run.
    fn run_rules() -> Self::Rules {
        Self::Rules::default()
    }

    /// Returns the fewest and the most random moves that follow.
    fn random_plies(_: Preset) -> (usize, usize) {
        (4, 9)
    }

    /// Returns a position before the first random move.
    fn opening(preset: Preset, random: &mut SplitMix64) -> Self;
}

fn usual<P: Opening>() -> P {
    P::start(&P::run_rules())
}

impl Opening for Chess {
    // One kind of rules for all: castling is then written alike everywhere.
    fn run_rules() -> ChessRules {
        ChessRules { chess960: true }
    }

    fn random_plies(preset: Preset) -> (usize, usize) {
        match preset {
            Preset::Values => (8, 9),
            Preset::Standard | Preset::Weights => (2, 9),
        }
    }

    fn opening(preset: Preset, random: &mut SplitMix64) -> Self {
        // Games of a hundred that begin from two shuffled home rows.
        let shuffled = match preset {
            Preset::Values => 10,
            Preset::Standard | Preset::Weights => 12,
        };
        if random.index(100) >= shuffled {
            return usual();
        }
        let (white, black) = (random.index(960) as u16, random.index(960) as u16);
        Self::double_chess960(white, black).unwrap_or_else(usual)
    }
}

impl Opening for Leiser {
    fn opening(_: Preset, _: &mut SplitMix64) -> Self {
        usual()
    }
}

impl Opening for Gyges {
    fn random_plies(preset: Preset) -> (usize, usize) {
        match preset {
            Preset::Weights => (4, 9),
            Preset::Standard | Preset::Values => (2, 5),
        }
    }

    fn opening(_: Preset, random: &mut SplitMix64) -> Self {
        let number = random.index(Self::STARTS);
        Self::start_numbered(number, &GygesRules::default()).unwrap_or_else(usual)
    }
}

/// Three games of four from any preset, the others with random pieces on boards of
/// many sizes. For weights, half of the games start from presets that are played most.
impl Opening for Liberty {
    fn opening(preset: Preset, random: &mut SplitMix64) -> Self {
        let rules = Rules::default();
        let presets = Self::presets(&rules);
        let (popular, boards) = match preset {
            Preset::Weights => (random.index(2) == 0, 2),
            Preset::Standard | Preset::Values => (false, 4),
        };
        let name = if popular {
            POPULAR[random.index(POPULAR.len())]
        } else if random.index(boards) == 0 {
            return any_board(random);
        } else {
            presets[random.index(presets.len())].0
        };
        Self::from_text(name, &rules).unwrap_or_else(|_| usual())
    }
}

fn any_board(random: &mut SplitMix64) -> Liberty {
    let kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Kind::King | Kind::Pawn))
        .filter(|_| random.index(2) == 0)
        .collect();
    let start = RandomStart {
        width: 5 + random.index(8) as u16,
        height: 6 + random.index(6) as u16,
        kinds,
        ..RandomStart::default()
    };
    let start = start.position(random.index(1 << 30) as u64);
    start.unwrap_or_else(|_| usual())
}

/// Returns a start and its random moves. The game is not over behind them and neither
/// side wins with the next move.
pub fn random_line<P: Opening>(preset: Preset, random: &mut SplitMix64) -> Line<P> {
    let (least, most) = P::random_plies(preset);
    loop {
        let mut line = Line::new(P::opening(preset, random));
        let plies = least + random.index(most - least + 1);
        while line.moves().len() < plies && play_any(&mut line, random) {}
        if line.moves().len() == plies
            && line.outcome_with_claims().is_none()
            && !line.position().in_check()
        {
            return line;
        }
    }
}

/// One random move; not one that loses at once, where that can be seen.
fn play_any<P: Opening>(line: &mut Line<P>, random: &mut SplitMix64) -> bool {
    if line.outcome().is_some() {
        return false;
    }
    let moves = line.position().moves();
    for _ in 0..TRIES {
        let Some(&m) = moves.get(random.index(moves.len())) else {
            return false;
        };
        line.push(m);
        if line.position().win_at_once().is_none() {
            return true;
        }
        line.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn differ<P: Opening>(preset: Preset) {
        let mut random = SplitMix64::new(1);
        let mut seen = HashSet::new();
        let (least, most) = P::random_plies(preset);
        for _ in 0..100 {
            let line = random_line::<P>(preset, &mut random);
            assert!(line.outcome_with_claims().is_none());
            assert!(line.position().count_moves() > 0);
            assert!(line.position().win_at_once().is_none());
            assert!((least..=most).contains(&line.moves().len()));
            seen.insert(line.position().hash());
        }
        assert!(seen.len() > 95, "{}", seen.len());
    }

    #[test]
    fn openings_are_playable_and_differ() {
        differ::<Chess>(Preset::Standard);
        differ::<Chess>(Preset::Values);
        for preset in [Preset::Standard, Preset::Weights] {
            differ::<Liberty>(preset);
            differ::<Leiser>(preset);
            differ::<Gyges>(preset);
        }
    }

    #[test]
    fn shuffled_starts_keep_their_castling_rights() {
        let mut random = SplitMix64::new(9);
        let usual = Chess::default().text();
        let mut starts = (0..400).map(|_| Chess::opening(Preset::Standard, &mut random));
        let shuffled: Vec<_> = starts
            .by_ref()
            .filter(|start| start.text() != usual)
            .collect();
        assert!(shuffled.len() > 20, "{}", shuffled.len());
        for start in shuffled {
            assert_eq!(start.castling().rooks().count(), 4);
        }
    }
}
