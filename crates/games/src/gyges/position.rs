//! Gyges behind the trait of all games.

use core::fmt::Write as _;

use super::board::{Gyges, GygesRules, NoChange};
use super::geometry::{Bits, GOAL_NORTH, GOAL_SOUTH};
use super::moves::{GygesMove, Rings};
use super::notation::write_notation;
use super::text;
use crate::error::{MoveError, MoveErrorKind, PositionError, PositionErrorKind};
use crate::game::{Game, Side};
use crate::observer::Observer;
use crate::outcome::{Outcome, Reason};
use crate::position::{MoveKind, Position};

impl Position for Gyges {
    type Move = GygesMove;
    /// Observers see the goals as squares 36 and 37.
    type Piece = Rings;
    type Undo = Self;
    type Rules = GygesRules;

    const GAME: Game = Game::Gyges;
    /// A position with the other side to move is an ordinary position, and
    /// "could the opponent win if I did nothing" is the question of the game.
    const CAN_PASS: bool = true;
    /// Our decision: the rules know no repetition, but a match has to end.
    const REPETITION_LIMIT: Option<u32> = Some(3);

    fn start(rules: &GygesRules) -> Self {
        text::preset(0, *rules)
    }

    fn from_text(text: &str, rules: &GygesRules) -> Result<Self, PositionError> {
        text::read(text, *rules, text::FULL_SET..=text::FULL_SET)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn presets(_: &GygesRules) -> Vec<(&'static str, String)> {
        text::PRESETS
            .iter()
            .map(|&(name, board)| (name, board.into()))
            .collect()
    }

    fn rules(&self) -> GygesRules {
        GygesRules {
            no_change: self.no_change,
        }
    }

    fn rules_from_text(text: &str) -> Result<GygesRules, PositionError> {
        let word = text.trim();
        let no_change = if word.is_empty() || word.eq_ignore_ascii_case("must-change") {
            NoChange::Forbid
        } else if word.eq_ignore_ascii_case("may-stay") {
            NoChange::Accept
        } else {
            let column = text.len() - text.trim_start().len() + 1;
            let kind = PositionErrorKind::Trailing(text::excerpt(word));
            return Err(text::error("rules", column, kind));
        };
        Ok(GygesRules { no_change })
    }

    fn rules_text(rules: &GygesRules) -> String {
        match rules.no_change {
            NoChange::Forbid => "must-change".into(),
            NoChange::Accept => "may-stay".into(),
        }
    }

    fn side(&self) -> Side {
        self.side
    }

    fn size(&self) -> (u16, u16) {
        (6, 6)
    }

    fn hash(&self) -> u64 {
        self.key
    }

    fn recomputed_hash(&self) -> u64 {
        self.key_from_nothing()
    }

    /// Nothing in Gyges is irreversible: the whole game.
    fn reversible_plies(&self) -> u32 {
        self.plies
    }

    /// Never: no piece leaves the board, so no move is beyond recall, and the
    /// rules count none.
    fn made_progress(&self) -> bool {
        false
    }

    /// Only a win is tactical: nothing else ever leaves the board.
    fn generate(&self, kind: MoveKind, mut each: impl FnMut(GygesMove)) {
        match kind {
            MoveKind::All => self.each_move(each),
            MoveKind::Tactical => self.each_winning_move(each),
            MoveKind::Quiet => self.each_move(|m| {
                if !m.is_goal() {
                    each(m);
                }
            }),
        }
    }

    fn count_moves(&self) -> u64 {
        self.count_all()
    }

    fn is_legal(&self, m: GygesMove) -> bool {
        self.check(m, self.no_change).is_ok()
    }

    fn is_tactical(&self, m: GygesMove) -> bool {
        m.is_goal()
    }

    fn in_check(&self) -> bool {
        false
    }

    fn make<O: Observer<Rings>>(&mut self, m: GygesMove, observer: &mut O) -> Self {
        let before = *self;
        let (mover, displaced) = self.apply(m);
        // The displaced piece leaves first and comes back last: so an observer
        // with one piece per square never sees two of them on one.
        if let Some(kind) = displaced {
            observer.removed(Rings::ALL[kind], m.end().into());
        }
        if let Some(kind) = mover {
            observer.moved(Rings::ALL[kind], m.start().into(), m.end().into());
        }
        if let (Some(kind), Some(drop)) = (displaced, m.drop()) {
            observer.added(Rings::ALL[kind], drop.into());
        }
        before
    }

    fn unmake(&mut self, _: GygesMove, undo: Self) {
        *self = undo;
    }

    fn pass(&mut self) -> Self {
        let before = *self;
        self.pass_turn();
        self.plies = self.plies.saturating_add(1);
        before
    }

    fn unpass(&mut self, undo: Self) {
        *self = undo;
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.winner() {
            Some(side) => Some(Outcome::win(side, Reason::Goal)),
            None if self.has_move() => None,
            None => Some(Outcome::draw(Reason::NoMove)),
        }
    }

    fn pieces(&self, mut each: impl FnMut(Rings, u16)) {
        for rings in Rings::ALL {
            for square in Bits(self.set(rings)) {
                each(rings, square.into());
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<GygesMove, MoveError> {
        self.parse_move_under(text, self.no_change)
    }

    fn move_text(&self, m: GygesMove) -> String {
        m.to_string()
    }

    fn parse_notation(&self, text: &str) -> Result<GygesMove, MoveError> {
        self.read_notation(text)
    }

    fn notation(&self, m: GygesMove) -> String {
        write_notation(m)
    }

    fn draw(&self) -> String {
        let glyph = |square: u8| match self.piece(square) {
            Some(rings) => (b'0' + rings.count()) as char,
            None => '.',
        };
        let mut out = String::with_capacity(200);
        let turn = |side: Side| if self.side == side { "  to move" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "        [{}]{}", glyph(GOAL_NORTH), turn(Side::Black));
        for row in (0..6).rev() {
            let _ = write!(out, "{}  ", row + 1);
            for column in 0..6 {
                let _ = write!(out, " {}", glyph(row * 6 + column));
            }
            out.push('\n');
        }
        let _ = writeln!(out, "        [{}]{}", glyph(GOAL_SOUTH), turn(Side::White));
        out.push_str("    a b c d e f\n");
        out
    }
}

impl Gyges {
    /// Every move that wins at once.
    fn each_winning_move(&self, mut each: impl FnMut(GygesMove)) {
        let goal = Self::goal_of(self.side);
        let mut walk = self.walk();
        for start in Bits(self.movable()) {
            if walk.reach(start, 1 << goal) >> goal & 1 == 1 {
                each(GygesMove::new(start, goal, None));
            }
        }
    }

    /// What is wrong with a move, in the order a player would notice it.
    pub(super) fn check(&self, m: GygesMove, no_change: NoChange) -> Result<(), MoveErrorKind> {
        use MoveErrorKind::{Illegal, NoPiece, NotASquare};
        let (start, end) = (m.start(), m.end());
        let off = |square: u8| square > GOAL_NORTH;
        if off(start) || off(end) || m.drop().is_some_and(off) {
            return Err(NotASquare);
        }
        if self.winner().is_some() {
            return Err(Illegal("the game is over"));
        }
        let Some(mover) = self.kind(start) else {
            return Err(NoPiece);
        };
        if self.movable() >> start & 1 == 0 {
            return Err(Illegal("the piece does not stand on the active row"));
        }
        let own_goal = Self::goal_of(self.side.other());
        if end == own_goal {
            return Err(Illegal("a piece cannot enter its player's own goal"));
        }
        let landed = if end == start { None } else { self.kind(end) };
        match (landed, m.drop()) {
            (None, Some(_)) => return Err(Illegal("there is no piece to replace")),
            (Some(_), None) => {
                return Err(Illegal(
                    "the square is occupied and no drop square is given",
                ));
            }
            (Some(_), Some(drop)) if (self.drop_zone() | 1 << start) >> drop & 1 == 0 => {
                return Err(Illegal("the replaced piece may not be dropped there"));
            }
            _ => {}
        }
        let unchanged = end == start || (landed == Some(mover) && m.drop() == Some(start));
        if unchanged && no_change == NoChange::Forbid {
            return Err(Illegal("the move leaves the board as it was"));
        }
        if self.walk().reach(start, 1 << end) >> end & 1 == 0 {
            return Err(Illegal("the piece cannot get there"));
        }
        Ok(())
    }
}
