//! An event as pages see it, read from its store: the same for one that runs here,
//! one that runs in a terminal, and one that is over.

use std::collections::HashMap;
use std::path::Path;

use quadrille_desk::boards::still_board;
use quadrille_desk::thought::{Value, score_view};
use quadrille_desk::wire::{
    ClockView, CrossRow, EventId, EventInfo, EventView, GameRowView, LiveGame, ScoreView, SprtView,
};
use quadrille_driver::EngineScore;
use quadrille_games::{Game, Side};
use quadrille_match::referee::Ply;
use quadrille_match::stats::{Decision, Estimate, Played, Sprt, Tables};
use quadrille_match::store::{GameRow, GameState};
use quadrille_match::tournament::{Archive, EventState, TournamentError};
use quadrille_net::sanitize::one_line;

/// Finished games, live boards, findings and points of a graph that are shown.
const MOST_GAMES: usize = 500;
const MOST_LIVE: usize = 24;
const MOST_FINDINGS: usize = 100;
const MOST_POINTS: usize = 300;
/// Moves of a live game that are told.
const LAST_MOVES: usize = 12;
/// What stands for an infinite difference.
const FAR: f64 = 3000.0;

/// What is known of finished games already.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    plies: HashMap<u64, u32>,
}

/// Looks at the store of an event.
pub(crate) fn look(
    id: EventId,
    path: &Path,
    own: bool,
    cache: &mut Cache,
) -> Result<EventView, TournamentError> {
    let archive = Archive::open(path)?;
    let state = archive.state();
    let running = matches!(state, EventState::Running(_));
    let rows = archive.games()?;
    let (elo_points, sprt_points) = graphs(&archive, &rows);
    let standing = archive.results().standing();
    let elo = standing.estimate.filter(|e| !e.error.is_nan());
    let elo = elo.map(|e| (far(e.elo), e.error.min(FAR)));
    let sprt = standing.sprt.map(|test| SprtView {
        elo: (test.elo0, test.elo1),
        llr: test.llr,
        bounds: (test.lower, test.upper),
        accepted: match test.decision {
            Decision::AcceptH0 => Some("H0".into()),
            Decision::AcceptH1 => Some("H1".into()),
            Decision::Continue => None,
        },
        points: sprt_points,
    });
    let live = if running {
        live_games(&archive, &rows)
    } else {
        Vec::new()
    };
    Ok(EventView {
        info: info(id, &archive, running),
        state: None,
        elsewhere: running && !own,
        attached: false,
        table: table(&archive),
        first: archive
            .results()
            .names()
            .first()
            .map_or_else(String::new, |name| one_line(name).into_owned()),
        elo,
        elo_points,
        sprt,
        live,
        games: finished(&archive, &rows, cache)?,
        findings: findings(&archive),
        concurrency: archive.config().machine.concurrency as u32,
    })
}

fn info(id: EventId, archive: &Archive, running: bool) -> EventInfo {
    let standing = archive.results().standing();
    let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    EventInfo {
        id,
        name: one_line(&archive.config().output.event).into_owned(),
        game: archive.config().rules.game,
        running,
        finished: number(standing.finished),
        games: standing.games.map(number),
    }
}

/// A number that JSON has.
fn far(elo: f64) -> f64 {
    if elo.is_nan() {
        0.0
    } else {
        elo.clamp(-FAR, FAR)
    }
}

fn table(archive: &Archive) -> Vec<CrossRow> {
    let tables = &archive.results().tables;
    let order = tables.order();
    let ratings = tables.ratings(&[]);
    let played = tables.games() > 0;
    let row = |&player: &usize| {
        let total = tables.total(player).tally;
        let against = order.iter().map(|&other| {
            let tally = tables.meeting(player, other).tally;
            (other != player).then(|| (tally.points(), tally.games() as u32))
        });
        let elo = ratings.elo.get(player).zip(ratings.error.get(player));
        CrossRow {
            name: one_line(&tables.names()[player]).into_owned(),
            results: (total.wins as u32, total.draws as u32, total.losses as u32),
            points: total.points(),
            elo: elo
                .filter(|(_, error)| played && !error.is_nan())
                .map(|(elo, error)| (far(*elo), error.min(FAR))),
            against: against.collect(),
        }
    };
    order.iter().map(row).collect()
}

type Points = (Vec<(u32, f64, f64)>, Vec<(u32, f64)>);

/// How Elo and the test went, game by game, with two players.
fn graphs(archive: &Archive, rows: &[GameRow]) -> Points {
    let names = archive.results().names();
    if names.len() != 2 {
        return (Vec::new(), Vec::new());
    }
    let config = archive.config();
    let sprt = config.schedule.sprt.map(Sprt::new);
    let finished: Vec<&GameRow> = rows
        .iter()
        .filter(|row| row.state == GameState::Finished)
        .collect();
    let step = finished.len().div_ceil(MOST_POINTS).max(1);
    let mut tables = Tables::new(names.iter().cloned());
    let (mut elo, mut test) = (Vec::new(), Vec::new());
    for (index, row) in finished.iter().enumerate() {
        let pairing = archive.schedule().game(row.new.number);
        tables.add(&Played {
            white: row.new.players[0],
            black: row.new.players[1],
            result: row.result(),
            pair: pairing.map(|pairing| pairing.pair()),
            termination: "",
            effort: Default::default(),
        });
        let games = index + 1;
        if games % step != 0 && games != finished.len() {
            continue;
        }
        let meeting = tables.meeting(0, 1);
        let estimate = if config.schedule.pentanomial && meeting.pairs.pairs() > 0 {
            Estimate::of_pairs(&meeting.pairs)
        } else {
            Estimate::of(&meeting.tally)
        };
        // Where nothing is known of the error there is no point to draw.
        if !estimate.error.is_nan() {
            elo.push((games as u32, far(estimate.elo), estimate.error.min(FAR)));
        }
        if let Some(sprt) = &sprt {
            let llr = if config.schedule.pentanomial {
                sprt.llr_of_pairs(&meeting.pairs)
            } else {
                sprt.llr(&meeting.tally)
            };
            test.push((games as u32, if llr.is_finite() { llr } else { 0.0 }));
        }
    }
    (elo, test)
}

fn names_of(archive: &Archive, row: &GameRow) -> (String, String) {
    let name = |side| {
        let name = archive.results().names().get(row.player(side));
        name.map(|name| one_line(name).into_owned())
            .unwrap_or_default()
    };
    (name(Side::White), name(Side::Black))
}

fn finished(
    archive: &Archive,
    rows: &[GameRow],
    cache: &mut Cache,
) -> Result<Vec<GameRowView>, TournamentError> {
    let over = rows.iter().filter(|row| row.state == GameState::Finished);
    let mut games = Vec::new();
    for row in over.rev().take(MOST_GAMES) {
        let Some(end) = &row.end else { continue };
        let number = row.new.number;
        let plies = match cache.plies.get(&number) {
            Some(plies) => *plies,
            None => {
                let plies = archive.plies(number)? as u32;
                cache.plies.insert(number, plies);
                plies
            }
        };
        games.push(GameRowView {
            game: number as u32,
            round: row.new.round as u32,
            names: names_of(archive, row),
            result: row.result().word().into(),
            reason: one_line(&end.ending.to_string()).into_owned(),
            plies,
            opening: one_line(&row.new.label).into_owned(),
        });
    }
    Ok(games)
}

/// Games that are being played; one that cannot be read now can be a moment later.
fn live_games(archive: &Archive, rows: &[GameRow]) -> Vec<LiveGame> {
    let running = rows.iter().filter(|row| row.state == GameState::Running);
    let live = |row: &GameRow| {
        let (row, plies, line) = archive.game(row.new.number).ok()??;
        let last = plies.iter().rev().find(|ply| !ply.book);
        let mover = !line.side();
        let moves = plies[plies.len().saturating_sub(LAST_MOVES)..].iter();
        Some(LiveGame {
            game: row.new.number as u32,
            names: names_of(archive, &row),
            clock: clock(&plies, line.side()),
            score: last.and_then(|ply| Some(score(row.new.game, mover, ply.score?))),
            depth: last.and_then(|ply| u32::try_from(ply.depth?).ok()),
            moves: moves.map(|ply| ply.notation.clone()).collect(),
            board: still_board(&line),
        })
    };
    running.take(MOST_LIVE).filter_map(live).collect()
}

fn clock(plies: &[Ply], to_move: Side) -> Option<ClockView> {
    let mut own = plies
        .iter()
        .rev()
        .map(|ply| Some(ply.clock_us? as f64 / 1000.0));
    // The last ply is the other side's.
    let other = own.next().flatten()?;
    let mine = own.next().flatten().unwrap_or(other);
    Some(ClockView {
        left: match to_move {
            Side::White => (mine, other),
            Side::Black => (other, mine),
        },
        running: Some(to_move),
    })
}

/// The mover's score as White's.
fn score(game: Game, mover: Side, score: EngineScore) -> ScoreView {
    let white = |n: i64| match mover {
        Side::White => n,
        Side::Black => n.saturating_neg(),
    };
    match score {
        EngineScore::Cp(cp) => score_view(game, Value::Cp(white(cp)), None),
        EngineScore::Mate(moves) => score_view(game, Value::Mate(white(moves)), None),
    }
}

fn findings(archive: &Archive) -> Vec<String> {
    let results = archive.results();
    let mut told = Vec::new();
    for (player, findings) in results.findings.iter().enumerate() {
        let name = results.names().get(player).map_or("", String::as_str);
        for (code, finding) in findings {
            let words = format!(
                "{name}: {} ({} times, first in game {}: {})",
                code.sentence(),
                finding.count,
                finding.game,
                finding.example
            );
            told.push(one_line(&words).into_owned());
        }
    }
    told.truncate(MOST_FINDINGS);
    told
}
