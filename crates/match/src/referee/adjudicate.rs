//! Ending games that are decided, by the user's wish.

use std::fmt;
use std::sync::Arc;

use quadrille_client::{Adjudicated, Ending};
use quadrille_games::{AnyLine, Game, Side};
use quadrille_search::chess::{Syzygy, SyzygyError, SyzygyRules};
use quadrille_search::{EndgameTables, TableResult};

use crate::config::{DrawRule, GameRules, ResignRule, TablebaseConfig, TablebaseScope};
use quadrille_driver::EngineScore;

/// When games are ended that the rules of the game would let go on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdjudicationRules {
    /// When a lost game is given up.
    pub resign: Option<ResignRule>,
    /// When a drawn game is given up.
    pub draw: Option<DrawRule>,
    /// A game of so many moves of each side is drawn.
    pub max_moves: Option<u32>,
    /// Endgame tables of chess that decide games.
    pub tablebases: Option<TablebaseConfig>,
}

impl AdjudicationRules {
    /// Takes from the rules of a match those that cut games short. Endgame tables are
    /// for chess.
    pub fn of(rules: &GameRules) -> Self {
        let tablebases = rules.tablebases.clone();
        Self {
            resign: rules.resign,
            draw: rules.draw,
            max_moves: rules.max_moves,
            tablebases: tablebases.filter(|_| rules.game == Game::Chess),
        }
    }
}

/// Rules that are ready to be applied, the same for all games of an event.
#[derive(Debug, Clone, Default)]
pub struct Adjudication {
    rules: AdjudicationRules,
    tables: Option<Arc<TableJudge>>,
}

/// Endgame tables that decide games.
struct TableJudge {
    tables: Syzygy,
    scope: TablebaseScope,
}

impl fmt::Debug for TableJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableJudge").finish_non_exhaustive()
    }
}

impl Adjudication {
    /// Opens the endgame tables, if the rules name some.
    pub fn new(rules: AdjudicationRules) -> Result<Self, SyzygyError> {
        let tables = rules.tablebases.as_ref().map(open).transpose()?;
        Ok(Self {
            rules,
            tables: tables.map(Arc::new),
        })
    }
}

fn open(config: &TablebaseConfig) -> Result<TableJudge, SyzygyError> {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let paths: Vec<String> = config
        .paths
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    let usual = SyzygyRules::default();
    let rules = SyzygyRules {
        most_pieces: match config.pieces {
            0 => usual.most_pieces,
            pieces => pieces,
        },
        fifty_moves: !config.ignore50,
    };
    Ok(TableJudge {
        tables: Syzygy::open(&paths.join(separator), rules)?,
        scope: config.adjudicate,
    })
}

impl TableJudge {
    fn decide(&self, line: &AnyLine) -> Option<Ending> {
        let AnyLine::Chess(chess) = line else {
            return None;
        };
        let side = line.side();
        let winner = match self.tables.probe(chess.position())? {
            TableResult::Win => Some(side),
            TableResult::Loss => Some(!side),
            TableResult::CursedWin | TableResult::Draw | TableResult::BlessedLoss => None,
        };
        let wanted = match self.scope {
            TablebaseScope::Both => true,
            TablebaseScope::WinLoss => winner.is_some(),
            TablebaseScope::Draw => winner.is_none(),
        };
        wanted.then(|| Ending::adjudicated(winner, Adjudicated::Tablebase))
    }
}

/// The scores of a game so far, as far as they matter.
#[derive(Debug)]
pub struct Judge<'a> {
    adjudication: &'a Adjudication,
    /// How many moves of each side in a row were lost, and how many won.
    lost: [u32; 2],
    won: [u32; 2],
    /// How many plies in a row were level.
    level: u32,
    /// The side that moved last.
    mover: Option<Side>,
}

impl<'a> Judge<'a> {
    /// For a new game.
    pub const fn new(adjudication: &'a Adjudication) -> Self {
        Self {
            adjudication,
            lost: [0; 2],
            won: [0; 2],
            level: 0,
            mover: None,
        }
    }

    /// Takes in the score of the side that just moved; the line has its move.
    pub fn heard(&mut self, mover: Side, score: Option<EngineScore>, line: &AnyLine) {
        self.mover = Some(mover);
        let side = mover.index();
        if let Some(rule) = self.adjudication.rules.resign {
            let bad = |score| match score {
                EngineScore::Cp(cp) => cp <= -i64::from(rule.score),
                EngineScore::Mate(moves) => moves <= 0,
            };
            let good = |score| match score {
                EngineScore::Cp(cp) => cp >= i64::from(rule.score),
                EngineScore::Mate(moves) => moves > 0,
            };
            count(&mut self.lost[side], score.is_some_and(bad));
            count(&mut self.won[side], score.is_some_and(good));
        }
        if let Some(rule) = self.adjudication.rules.draw {
            let near = |cp: i64| cp.saturating_abs() <= i64::from(rule.score);
            let level = matches!(score, Some(EngineScore::Cp(cp)) if near(cp));
            // After progress the counting begins anew.
            if line.made_progress() {
                self.level = 0;
            }
            count(&mut self.level, level);
        }
    }

    /// Whether the game ends here. The rules of the game have been asked first.
    /// What tables say is exact, so they come before what engines say.
    pub fn decide(&self, line: &AnyLine) -> Option<Ending> {
        let tables = self.adjudication.tables.as_ref();
        tables
            .and_then(|tables| tables.decide(line))
            .or_else(|| self.resigned())
            .or_else(|| self.drawn(line))
            .or_else(|| {
                // 0 is off, as in cutechess.
                let most = self.adjudication.rules.max_moves.filter(|most| *most > 0)?;
                let reached = line.plies() >= most as usize * 2;
                reached.then(|| Ending::adjudicated(None, Adjudicated::MaxMoves))
            })
    }

    /// Whether the side that just moved gives up. The other side could only do so
    /// after its own next move, as in fastchess and cutechess.
    fn resigned(&self) -> Option<Ending> {
        let rule = self.adjudication.rules.resign?;
        let loser = self.mover?;
        let lost = rule.movecount > 0 && self.lost[loser.index()] >= rule.movecount;
        let agreed = !rule.twosided || self.won[loser.other().index()] >= rule.movecount;
        (lost && agreed).then(|| Ending::adjudicated(Some(!loser), Adjudicated::Resign))
    }

    /// Whether both sides have been level for long enough, and move `movenumber` was
    /// played by both: fastchess and cutechess count so many full moves, too.
    fn drawn(&self, line: &AnyLine) -> Option<Ending> {
        let rule = self.adjudication.rules.draw?;
        let level = self.level >= rule.movecount.saturating_mul(2);
        (level && line.move_number() > rule.movenumber)
            .then(|| Ending::adjudicated(None, Adjudicated::Draw))
    }
}

fn count(counter: &mut u32, goes_on: bool) {
    *counter = if goes_on {
        counter.saturating_add(1)
    } else {
        0
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(resign: Option<ResignRule>, draw: Option<DrawRule>) -> Adjudication {
        let rules = AdjudicationRules {
            resign,
            draw,
            max_moves: Some(3),
            tablebases: None,
        };
        Adjudication {
            rules,
            tables: None,
        }
    }

    const RESIGN: ResignRule = ResignRule {
        movecount: 2,
        score: 600,
        twosided: false,
    };

    /// Feeds scores of White, Black, White ... and tells after which ply the
    /// game is over, and how.
    fn fed(wishes: &Adjudication, scores: &[EngineScore]) -> Option<(usize, String)> {
        let line = AnyLine::new(Game::Chess, "", "8/8/4k3/8/8/4K3/8/R7 w - - 5 60").unwrap();
        let mut judge = Judge::new(wishes);
        for (ply, &score) in scores.iter().enumerate() {
            let mover = if ply % 2 == 0 {
                Side::White
            } else {
                Side::Black
            };
            judge.heard(mover, Some(score), &line);
            if let Some(ending) = judge.decide(&line) {
                return Some((ply + 1, ending.to_string()));
            }
        }
        None
    }

    #[test]
    fn lost_scores_in_a_row_are_a_resignation() {
        use EngineScore::{Cp, Mate};
        let one = wishes(Some(RESIGN), None);
        let white = "White wins by adjudication: resignation".to_owned();
        let scores = [Cp(100), Cp(-600), Cp(100), Mate(-3)];
        assert_eq!(fed(&one, &scores), Some((4, white.clone())));
        let broken = [Cp(0), Cp(-600), Cp(0), Cp(-599), Cp(0), Cp(-600)];
        assert_eq!(fed(&one, &broken), None);
        let two = wishes(
            Some(ResignRule {
                twosided: true,
                ..RESIGN
            }),
            None,
        );
        assert_eq!(fed(&two, &scores), None, "White does not agree");
        let agreed = [Cp(700), Cp(-600), Mate(2), Cp(-900)];
        assert_eq!(fed(&two, &agreed), Some((4, white.clone())));
        // The loser gives up after a move of its own, never the winner for it.
        let later = [Cp(0), Cp(-600), Cp(700), Cp(-600), Cp(700), Cp(-600)];
        assert_eq!(fed(&two, &later), Some((6, white)));
        let off = ResignRule {
            movecount: 0,
            ..RESIGN
        };
        assert_eq!(fed(&wishes(Some(off), None), &[Cp(-900); 6]), None);
    }

    #[test]
    fn level_scores_of_both_sides_are_a_draw() {
        use EngineScore::Cp;
        let rule = DrawRule {
            movenumber: 59,
            movecount: 2,
            score: 10,
        };
        let draw = "Draw by adjudication: level scores".to_owned();
        // The position says that move 60 is the next: 59 were played.
        let early = DrawRule {
            movenumber: 60,
            ..rule
        };
        let level = [Cp(10), Cp(-10), Cp(0), Cp(5)];
        assert_eq!(fed(&wishes(None, Some(rule)), &level), Some((4, draw)));
        assert_eq!(fed(&wishes(None, Some(early)), &level), None);
        for other in [11, -11, i64::MAX, i64::MIN] {
            let one = [Cp(10), Cp(-10), Cp(other), Cp(5), Cp(5)];
            assert_eq!(fed(&wishes(None, Some(rule)), &one), None, "{other}");
        }
    }

    /// Level scores all the time: after which ply the game is drawn.
    fn drawn_after(game: Game, start: &str, moves: &[&str]) -> Option<usize> {
        let rule = DrawRule {
            movenumber: 1,
            movecount: 2,
            score: 10,
        };
        let wishes = wishes(None, Some(rule));
        let mut line = AnyLine::new(game, "", start).unwrap();
        let mut judge = Judge::new(&wishes);
        for (index, text) in moves.iter().enumerate() {
            let mover = line.side();
            line.play(text).unwrap();
            judge.heard(mover, Some(EngineScore::Cp(0)), &line);
            if judge.drawn(&line).is_some() {
                return Some(index + 1);
            }
        }
        None
    }

    #[test]
    fn progress_starts_the_count_of_level_scores_anew() {
        let start = "4k3/8/8/8/8/p7/8/RN2K3 w - - 5 60";
        let quiet = ["e1d1", "e8d8", "d1e1", "d8e8", "e1d1"];
        let taken = ["e1d1", "e8d8", "a1a3", "d8e8", "a3a1", "e8d8", "d1e1"];
        for game in [Game::Chess, Game::Liberty] {
            assert_eq!(drawn_after(game, start, &quiet), Some(4), "{game}");
            assert_eq!(drawn_after(game, start, &taken), Some(6), "{game}");
        }
    }

    /// fastchess ends a game when `fullMoveNumber() - 1 >= movenumber`, cutechess when
    /// `plyCount() / 2 >= movenumber`: after ply 20 for 10.
    #[test]
    fn a_draw_waits_for_so_many_full_moves() {
        let rule = |movenumber| DrawRule {
            movenumber,
            movecount: 1,
            score: 10,
        };
        let quiet = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle();
        for (movenumber, ply) in [(0, 2), (1, 2), (2, 4), (10, 20)] {
            let wishes = wishes(None, Some(rule(movenumber)));
            let mut judge = Judge::new(&wishes);
            let mut line = AnyLine::start(Game::Chess);
            let drawn = quiet.clone().take(30).position(|text| {
                let mover = line.side();
                line.play(text).unwrap();
                judge.heard(mover, Some(EngineScore::Cp(0)), &line);
                judge.drawn(&line).is_some()
            });
            assert_eq!(drawn, Some(ply - 1), "movenumber={movenumber}");
        }
    }

    #[test]
    fn no_moves_at_most_is_no_limit() {
        let mut wishes = wishes(None, None);
        wishes.rules.max_moves = Some(0);
        let mut line = AnyLine::start(Game::Chess);
        for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"] {
            line.play(text).unwrap();
            assert_eq!(Judge::new(&wishes).decide(&line), None);
        }
    }

    #[test]
    fn no_game_is_longer_than_the_user_wants() {
        let wishes = wishes(None, None);
        let mut line = AnyLine::start(Game::Chess);
        for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"] {
            line.play(text).unwrap();
            assert_eq!(Judge::new(&wishes).decide(&line), None);
        }
        line.play("a7a6").unwrap();
        let ending = Judge::new(&wishes).decide(&line).unwrap();
        assert_eq!(ending.to_string(), "Draw by adjudication: too many moves");
    }
}
