//! Boards: what there is to show of a position, and lines made from texts.

use quadrille_games::any_line::MoveView;
use quadrille_games::{AnyLine, Game, Side};

use crate::refuse::Answered;
use crate::wire::{
    Answer, BoardView, GameInfo, LastMove, Preset, Refusal, RulesChoice, StudyStart,
};

/// More legal moves than this are not listed; they are asked for by the squares they
/// begin with.
pub const MOST_MOVES: usize = 3000;

/// A board of 256x256 squares can have a billion moves; more than this are not even
/// looked at. They can be played all the same.
const MOST_LOOKED_AT: u64 = 20_000_000;

/// Longer texts of positions are refused: the largest board of all, 256x256, full of
/// pieces, is shorter.
const LONGEST_POSITION: usize = 80_000;

/// Longer lines are refused.
pub(crate) const LONGEST_LINE: usize = 5_000;

/// A line from where something begins.
pub fn line_from(start: &StudyStart) -> Result<AnyLine, Refusal> {
    if start.position.len() > LONGEST_POSITION || start.rules.len() > 200 {
        return Err(Refusal::too_much(
            "the text of the position or of the rules is too long",
        ));
    }
    let rules = match (start.game, start.rules.trim(), start.position.trim()) {
        // A number of a start position asks for its rules too.
        (Game::Chess, "", number)
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            "chess960"
        }
        (_, rules, _) => rules,
    };
    Ok(AnyLine::new(start.game, rules, start.position.trim())?)
}

/// The same with moves, as engines or people write them.
pub fn line_with(start: &StudyStart, moves: &[String]) -> Result<AnyLine, Refusal> {
    let mut line = line_from(start)?;
    play_all(&mut line, moves)?;
    Ok(line)
}

/// Plays moves behind a line.
pub(crate) fn play_all(line: &mut AnyLine, moves: &[String]) -> Result<(), Refusal> {
    // A game that was loaded may be longer: it is looked at all the same.
    if moves.len() > LONGEST_LINE {
        return Err(Refusal::too_much(format!(
            "a line has at most {LONGEST_LINE} moves"
        )));
    }
    for text in moves {
        line.play_notation(text)?;
    }
    Ok(())
}

/// Where a line began, so that it can be begun again.
pub fn start_of(line: &AnyLine) -> StudyStart {
    StudyStart {
        game: line.game(),
        rules: line.rules_text(),
        position: line.start_text(),
    }
}

/// Everything there is to show at the end of a line.
pub fn board(line: &AnyLine) -> BoardView {
    let count = line.legal_move_count();
    let beams = Side::BOTH.into_iter();
    BoardView {
        claim: line.claimable(),
        moves: moves_with(line, &[]),
        move_count: u32::try_from(count).unwrap_or(u32::MAX),
        beams: beams.filter_map(|side| line.beam(side)).collect(),
        ..still_board(line)
    }
}

/// The same without the list of moves, for boards that only show.
pub fn still_board(line: &AnyLine) -> BoardView {
    let outcome = line.outcome();
    BoardView {
        game: line.game(),
        rules: line.rules_text(),
        text: line.position_text(),
        size: line.size(),
        side: line.side(),
        number: line.move_number(),
        pieces: line.pieces(),
        check: checked(line),
        outcome,
        claim: None,
        moves: Vec::new(),
        move_count: 0,
        beams: Vec::new(),
        last: last_move(line),
    }
}

/// The squares of Kings in check.
fn checked(line: &AnyLine) -> Vec<String> {
    if !line.in_check() {
        return Vec::new();
    }
    let side = line.side();
    let is_king = |piece: &str| piece.eq_ignore_ascii_case("k");
    let kings = line.pieces().into_iter();
    let kings = kings.filter(|piece| piece.side == Some(side) && is_king(&piece.piece));
    kings.map(|piece| piece.square).collect()
}

/// The move that led to the end of a line, with what there is to animate.
fn last_move(line: &AnyLine) -> Option<LastMove> {
    let mut before = line.clone();
    let m = before.pop()?;
    let made = before.view_of(m).ok()?;
    let captured = captured(&before, line, &made);
    Some(LastMove {
        side: before.side(),
        fire: before.fire_of(m).ok().flatten(),
        bounces: before.bounces_of(m).ok().flatten(),
        captured,
        made,
    })
}

/// The square of a piece that the move took away: in games of captures the one that
/// has fewer enemies behind it than before.
fn captured(before: &AnyLine, after: &AnyLine, made: &MoveView) -> Option<String> {
    if !made.tactical || before.game() == Game::Gyges {
        return None;
    }
    let mover = before.side();
    let squares = |line: &AnyLine| -> Vec<String> {
        let pieces = line.pieces().into_iter();
        let theirs = pieces.filter(|piece| piece.side != Some(mover));
        theirs.map(|piece| piece.square).collect()
    };
    let left = squares(after);
    let gone = squares(before).into_iter().find(|s| !left.contains(s));
    gone.or_else(|| {
        // Own pieces can be taken too (friendly fire).
        let target = made.squares.get(1)?;
        let stood = before.pieces().into_iter().any(|p| p.square == *target);
        let castling = made.notation.starts_with("O-O");
        (stood && !castling && before.game() == Game::Liberty).then(|| target.clone())
    })
}

/// Legal moves whose squares begin so.
pub(crate) fn moves_with(line: &AnyLine, prefix: &[String]) -> Vec<MoveView> {
    // A game that is over by repetition can be played on in a study.
    if line.legal_move_count() > MOST_LOOKED_AT {
        return Vec::new();
    }
    line.legal_moves_along(prefix, MOST_MOVES)
}

/// Questions about boards.
pub(crate) fn position(start: &StudyStart, moves: &[String]) -> Answered {
    Ok(Answer::Board(board(&line_with(start, moves)?)))
}

pub(crate) fn moves(start: &StudyStart, moves: &[String], prefix: &[String]) -> Answered {
    let line = line_with(start, moves)?;
    Ok(Answer::Moves(moves_with(&line, prefix)))
}

/// All games with their rules and positions.
pub fn games() -> Vec<GameInfo> {
    Game::ALL.into_iter().map(game_info).collect()
}

fn game_info(game: Game) -> GameInfo {
    let choices: &[(&str, &str)] = match game {
        Game::Chess => &[("", "Chess"), ("chess960", "Chess960")],
        Game::Liberty => &[("", "Liberty Chess"), ("friendlyfire", "Friendly fire")],
        Game::Leiser => &[
            ("", "2016"),
            ("2012", "2012"),
            ("2013", "2013"),
            ("2014", "2014"),
            ("2015", "2015"),
            ("2018", "2018"),
        ],
        Game::Gyges => &[("", "Gyges"), ("may-stay", "Moves may change nothing")],
    };
    let rules = choices.iter().map(|&(rules, name)| RulesChoice {
        rules: rules.into(),
        name: name.into(),
        presets: presets(game, rules),
    });
    GameInfo {
        game,
        rules: rules.collect(),
    }
}

fn presets(game: Game, rules: &str) -> Vec<Preset> {
    let known = AnyLine::presets(game, rules).unwrap_or_default();
    let named = known.into_iter().map(|(name, position)| Preset {
        name: name.into(),
        position,
    });
    named.collect()
}

/// Whether a side could still win, should the other's time be over: `false` only
/// where no play at all lets it win (FIDE 6.9). A bare King wins nothing; in the other
/// games every side can always win.
pub(crate) fn can_win(line: &AnyLine, side: Side) -> bool {
    let pieces = line.pieces();
    let mut own = pieces.iter().filter(|piece| piece.side == Some(side));
    match line.game() {
        Game::Chess | Game::Liberty => own.any(|piece| !piece.piece.eq_ignore_ascii_case("k")),
        Game::Leiser | Game::Gyges => true,
    }
}

/// Why a position cannot be searched.
pub(crate) fn over_words(line: &AnyLine) -> Option<String> {
    line.outcome()
        .map(|end| format!("the game is over here: {end}"))
}
