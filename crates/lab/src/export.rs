//! Games turned into what a trainer reads: rows of numbers.
//!
//! ```text
//! file = "QDROWS02", u32 length, text; then rows
//! row  = u16 features[most] of the mover, u16 features[most] of the other side,
//!        i16 score, i16 later score, i16 hand-written value, u8 result, u8 bucket
//! ```
//! All numbers are little-endian and seen from the side to move: scores in
//! hundredths of a pawn, results 0 lost, 1 drawn, 2 won, 3 for a position that
//! was not played. Places without a feature hold the number of features. The text is a `key value` a line: game,
//! inputs, features, most, buckets, adds.
//!
//! The later score is what the rest of the game thought of the position: the
//! mean of the chances of this score and all that followed, each weighing
//! nine tenths of the one before, the result at the end. It looks further than
//! the search did, and is far less of a gamble than the result alone.
//!
//! Positions an evaluation cannot learn from are left out: those in check, those
//! whose best move takes or promotes, scores beyond [`FAR`], and the last plies
//! of drawn games, whose scores wait for the draw.
//!
//! Searched positions are dear. Beside each of them there may stand a few that
//! are a random move or two away, with the hand-written value as their score:
//! they teach a net what the evaluation already knows, before it learns from
//! the search what it does not.

use std::path::PathBuf;

use quadrille_games::random::SplitMix64;
use quadrille_games::{Side, match_game};
pub use quadrille_search::net::FAR;
use quadrille_search::net::Inputs;
use quadrille_search::{Evaluator, Playable};

use crate::blocks::each_block;
use crate::file::{FileError, Played};
use crate::openings::Opening;
use crate::shuffle::common_header;
use crate::writer::Output;

pub(crate) const MAGIC: &[u8; 8] = b"QDROWS02";
/// Weight of a later score against the one before it.
const LAMBDA: f32 = 0.9;
/// Hundredths of a pawn to the unit of the logistic curve, for that mean: near
/// what trainers fit for all games but Liberty Chess (765), whose means are
/// therefore nearer to results.
const STEEPNESS: f32 = 200.0;
/// Plies at the end of a drawn game that are left out.
const END_OF_DRAW: usize = 8;
/// In place of a result: this position was not played.
pub(crate) const NOT_PLAYED: u8 = 3;

/// Counts of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Games that were read.
    pub games: u64,
    /// Rows to train with.
    pub training: u64,
    /// Rows of other games, to validate with.
    pub validation: u64,
    /// Files whose last block was not written to its end, and left out.
    pub torn: Vec<PathBuf>,
}

/// Files of rows.
#[derive(Debug, Clone)]
pub struct Rows {
    /// To train with.
    pub training: PathBuf,
    /// To validate with: a few whole games, chosen by the position after their
    /// random moves.
    pub validation: PathBuf,
}

/// Returns the header of a file of rows.
fn head<P: Inputs>() -> Vec<u8> {
    let shape = P::SHAPE;
    let text = format!(
        "game {}\ninputs {}\nfeatures {}\nmost {}\nbuckets {}\nadds {}\n",
        P::GAME,
        shape.name,
        shape.features,
        shape.most,
        shape.buckets,
        u8::from(shape.adds_to_hand_written)
    );
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&(text.len() as u32).to_le_bytes());
    head.extend_from_slice(text.as_bytes());
    head
}

/// Settings of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Export {
    /// Positions that were not played beside each that was.
    pub beside: usize,
    /// One game of so many is kept for validation.
    pub validation: u64,
    /// Blocks of games at a time. The rows and their order do not depend on it.
    pub threads: usize,
}

impl Default for Export {
    fn default() -> Self {
        Self {
            beside: 0,
            validation: 50,
            threads: 1,
        }
    }
}

/// The rows of a block.
#[derive(Default)]
struct Part {
    training: Vec<u8>,
    validation: Vec<u8>,
    exported: Exported,
}

/// Writes the rows of all games of these files, which hold whichever game the
/// first one says. Files of rows appear when all is done.
pub fn export(files: &[PathBuf], to: &Rows, how: Export) -> Result<Exported, FileError> {
    let Some(first) = common_header(files)? else {
        return Ok(Exported::default());
    };
    match_game!(first.game, P => export_of::<P>(files, to, how))
}

fn export_of<P: Opening + Inputs>(
    files: &[PathBuf],
    to: &Rows,
    how: Export,
) -> Result<Exported, FileError> {
    let mut exported = Exported::default();
    let mut training = Output::create(&to.training, files)?;
    let mut validation = Output::create(&to.validation, files)?;
    training.write(&head::<P>())?;
    validation.write(&head::<P>())?;
    for path in files {
        let work = |games: &[Played<P>]| part(games, how);
        let torn = each_block(path, how.threads, work, |part| {
            training.write(&part.training)?;
            validation.write(&part.validation)?;
            exported.games += part.exported.games;
            exported.training += part.exported.training;
            exported.validation += part.exported.validation;
            Ok(())
        })?;
        if torn > 0 {
            exported.torn.push(path.clone());
        }
    }
    Output::keep([training, validation])?;
    Ok(exported)
}

/// Makes the rows of some games.
fn part<P: Opening + Inputs>(games: &[Played<P>], how: Export) -> Part {
    let mut part = Part::default();
    let mut by_hand = ByHand::<P>(None);
    for game in games {
        part.exported.games += 1;
        if kept_for_validation(game, how.validation) {
            part.exported.validation += rows_of(game, 0, &mut by_hand, &mut part.validation);
        } else {
            part.exported.training += rows_of(game, how.beside, &mut by_hand, &mut part.training);
        }
    }
    part
}

/// By game, never by position: neighbours in a game are too much alike.
fn kept_for_validation<P: Playable>(game: &Played<P>, of: u64) -> bool {
    let mut position = game.start.clone();
    for played in game.moves.iter().take_while(|m| m.score.is_none()) {
        position.make(played.m, &mut ());
    }
    position.hash().is_multiple_of(of.max(1))
}

/// The hand-written evaluation, kept from position to position: beginning one
/// costs more than asking it.
struct ByHand<P: Playable>(Option<P::Eval>);

impl<P: Playable> ByHand<P> {
    fn value(&mut self, position: &P) -> i32 {
        let eval = self.0.get_or_insert_with(|| P::Eval::new(position));
        eval.restart(position);
        eval.evaluate(position)
    }
}

/// Appends the rows of a game; says how many.
fn rows_of<P: Inputs>(
    game: &Played<P>,
    beside: usize,
    by_hand: &mut ByHand<P>,
    out: &mut Vec<u8>,
) -> u64 {
    let mut position = game.start.clone();
    let last = match game.winner {
        None => game.moves.len().saturating_sub(END_OF_DRAW),
        Some(_) => game.moves.len(),
    };
    let later = later_scores(game);
    let mut count = 0;
    for (played, later) in game.moves[..last].iter().zip(later) {
        if let Some(score) = played.score.filter(|score| score.abs() <= FAR)
            && !position.in_check()
        {
            let mover = position.side();
            let seen = |score: i32| if mover == Side::White { score } else { -score };
            if !position.is_tactical(played.m) {
                let result = game
                    .winner
                    .map_or(1, |side| if side == mover { 2 } else { 0 });
                let judged = Judged {
                    score: seen(score),
                    later: seen(later),
                    by_hand: by_hand.value(&position),
                    result,
                };
                count += u64::from(row(&position, &judged, out));
            }
            count += rows_beside(&position, beside, by_hand, out);
        }
        position.make(played.m, &mut ());
    }
    count
}

/// White's score of each position as its game went on to see it.
fn later_scores<P: Playable>(game: &Played<P>) -> Vec<i32> {
    let mut chance = game
        .winner
        .map_or(0.5, |side| if side == Side::White { 1.0 } else { 0.0 });
    let mut scores: Vec<_> = game
        .moves
        .iter()
        .rev()
        .map(|played| {
            if let Some(score) = played.score {
                let now = 1.0 / (1.0 + (-(score as f32) / STEEPNESS).exp());
                chance = LAMBDA * chance + (1.0 - LAMBDA) * now;
            }
            let odds: f32 = chance / (1.0 - chance);
            ((STEEPNESS * odds.ln()) as i32).clamp(-FAR, FAR)
        })
        .collect();
    scores.reverse();
    scores
}

/// Positions a random move or two away that are quiet enough to be judged at
/// sight.
fn rows_beside<P: Inputs>(
    position: &P,
    count: usize,
    by_hand: &mut ByHand<P>,
    out: &mut Vec<u8>,
) -> u64 {
    if count == 0 {
        return 0;
    }
    let mut random = SplitMix64::new(position.hash());
    let mut rows = 0;
    let moves = position.moves();
    for number in 0..count {
        let mut other = position.clone();
        other.make(moves[random.index(moves.len())], &mut ());
        let second = other.moves();
        if number % 2 == 1 && !second.is_empty() {
            other.make(second[random.index(second.len())], &mut ());
        }
        if other.outcome().is_none() && is_calm(&other) {
            let value = by_hand.value(&other);
            if value.abs() <= FAR {
                let judged = Judged {
                    score: value,
                    later: value,
                    by_hand: value,
                    result: NOT_PLAYED,
                };
                rows += u64::from(row(&other, &judged, out));
            }
        }
    }
    rows
}

/// Returns `true` if nothing can be taken with profit.
fn is_calm<P: Playable>(position: &P) -> bool {
    let wins = |m: &P::Move| position.is_tactical(*m) && position.exchange_wins(*m, 1);
    !position.in_check() && !position.moves().iter().any(wins)
}

/// Numbers of a row about its position, as the side to move sees it.
struct Judged {
    score: i32,
    later: i32,
    by_hand: i32,
    result: u8,
}

/// Appends a row; `false` if no net is asked about such a position, or it has
/// more features than a row holds.
fn row<P: Inputs>(position: &P, judged: &Judged, out: &mut Vec<u8>) -> bool {
    let shape = P::SHAPE;
    if !position.is_readable() || shape.adds_to_hand_written && judged.by_hand.abs() > FAR {
        return false;
    }
    let begin = out.len();
    let mover = position.side();
    for view in [mover, mover.other()] {
        let mut left = shape.most;
        let mut fits = true;
        position.features(view, |feature| {
            fits &= left > 0;
            left = left.saturating_sub(1);
            out.extend_from_slice(&(feature as u16).to_le_bytes());
        });
        if !fits {
            out.truncate(begin);
            return false;
        }
        for _ in 0..left {
            out.extend_from_slice(&(shape.features as u16).to_le_bytes());
        }
    }
    for value in [judged.score, judged.later, judged.by_hand] {
        out.extend_from_slice(&(value.clamp(-FAR, FAR) as i16).to_le_bytes());
    }
    out.push(judged.result);
    out.push(position.bucket() as u8);
    true
}
