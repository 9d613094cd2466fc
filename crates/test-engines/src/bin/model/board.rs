//! Positions, as they are told.

use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{PositionBase, SetPos, SetPosition};

use super::engine::Engine;

/// Beyond this, a mutant with a short list drops moves.
const SHORT_LIST: usize = 511;

/// The same with a list that is nearly long enough.
const LONG_LIST: usize = 1023;

/// What a mutant with a short buffer reads of a line.
const LINE: usize = 4096;

/// Longer lines and lists have a check of their own.
const VERY_LONG_LIST: usize = 2000;

impl Engine {
    pub(crate) fn position(&mut self, told: &SetPosition<'_>, text: &str) {
        let fen = matches!(told.base, PositionBase::Fen(_));
        let moves: Vec<String> = told
            .moves
            .map(|moves| moves.iter().map(|m| m.to_string()).collect())
            .unwrap_or_default();
        self.die_if("input.bad-position", text.contains("fen joho"));
        let bad = moves.iter().any(|m| m == "a1a8");
        self.die_if("input.bad-move", bad);
        self.deaf |= bad && self.breaks("input.bad-move/deaf");
        self.die_if(
            "position.empty-moves",
            told.moves.is_some() && moves.is_empty(),
        );
        let goes_back = self.told_moves.starts_with(&moves) && moves.len() < self.told_moves.len();
        let ignored = self.breaks("position.latest") && self.fresh_position
            || self.breaks("position.take-back") && goes_back && !moves.is_empty()
            || self.breaks("position.no-new-game") && self.searched && moves.len() == 16
            || self.breaks("position.start-again")
                && !fen
                && moves.is_empty()
                && self.is_from_text();
        self.fresh_position = true;
        if self.breaks("ready.position-silent") {
            self.say("position is set");
        }
        if self.breaks("go.forced-mode") && fen && self.readies > 5 {
            self.say("bestmove a2a3");
        }
        if ignored {
            return;
        }
        self.told_moves.clone_from(&moves);
        let from_text = self.is_from_text();
        let base = self.misread(&told.base.text().to_string(), fen, moves.len());
        let rules = if self.options.chess960 {
            "chess960"
        } else {
            ""
        };
        let Ok(line) = AnyLine::new(self.game(), rules, &base) else {
            return;
        };
        self.line = line;
        self.has_position = true;
        if self.breaks("position.start") && !fen && moves.is_empty() && !from_text {
            self.pass_turn();
        }
        let is_longest = moves.len() > VERY_LONG_LIST;
        let short = self.breaks("position.very-long/4k") && text.len() > LINE && !is_longest;
        let known = if short { LINE / 5 - 6 } else { moves.len() };
        self.play_all(&moves[..known], fen);
    }

    /// Whether the board was set up from a text.
    fn is_from_text(&self) -> bool {
        self.line.start_text() != AnyLine::start(self.game()).start_text()
    }

    /// The text of a position, as a mutant reads it.
    fn misread(&self, text: &str, fen: bool, moves: usize) -> String {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let number: u32 = field(5).parse().unwrap_or(0);
        let old = || self.line.position_text();
        if !fen {
            return text.into();
        }
        let joined = |index: usize, value: &str| {
            let mut fields = fields.clone();
            if let Some(place) = fields.get_mut(index) {
                *place = value;
            }
            fields.join(" ")
        };
        if self.breaks("position.fen") && number >= 20
            || self.breaks("position.short-fen") && fields.len() < 6
        {
            return old();
        }
        if self.breaks("position.fen-black") && field(1) == "b" && number == 11 {
            return joined(1, "w");
        }
        if self.breaks("position.no-castling") && text.contains("4K2R w - ") {
            return joined(2, "K");
        }
        if self.breaks("position.en-passant-fen") && moves == 0 {
            return joined(3, "-");
        }
        if self.breaks("chess960.start") && self.options.chess960 && field(2).len() == 4 {
            return joined(1, "b");
        }
        let lost = self.breaks("chess960.shredder-fen") && field(2) == "B"
            || self.breaks("chess960.x-fen") && field(2) == "K" && text.contains("3K2R1");
        if lost {
            return joined(2, "-");
        }
        if self.breaks("ulci.large-board") && text.starts_with("rnbq1kbnr1") {
            return old();
        }
        text.into()
    }

    fn pass_turn(&mut self) {
        if let Some(m) = self.line.legal(1).first().copied() {
            // A legal move can be played.
            let _ = self.line.push(m);
        }
    }

    fn play_all(&mut self, moves: &[String], fen: bool) {
        let mut moves = moves;
        if self.breaks("position.moves") && !fen && moves.len() == 12 {
            moves = &moves[..1];
        }
        if self.breaks("position.black") && !fen && moves.len() == 9 {
            moves = &moves[..moves.len() - 1];
        }
        if self.breaks("position.fen-moves") && fen && moves.len() == 4 {
            moves = &moves[..1];
        }
        let is_long = (SHORT_LIST..LONG_LIST).contains(&moves.len());
        if self.breaks("position.long") && is_long {
            moves = &moves[..SHORT_LIST];
        }
        let is_very_long = (LONG_LIST + 1..VERY_LONG_LIST).contains(&moves.len());
        if self.breaks("position.very-long") && is_very_long {
            moves = &moves[..LONG_LIST];
        }
        for text in moves {
            let told = fen || self.game() == Game::Leiser;
            if told && self.drops(text) || self.line.play(text).is_err() {
                return;
            }
        }
    }

    /// Whether a mutant stops at this move.
    fn drops(&self, text: &str) -> bool {
        let passed = || {
            let pieces = self.line.pieces();
            let at = |name: &str| pieces.iter().find(|piece| piece.square == name);
            let pawn = at(&text[..2]).is_some_and(|piece| piece.piece.eq_ignore_ascii_case("p"));
            pawn && text.len() == 4 && text[..1] != text[2..3] && at(&text[2..4]).is_none()
        };
        self.breaks("position.castling") && text == "e1g1"
            || self.breaks("position.castling-long") && text == "e1c1"
            || self.breaks("position.en-passant") && text.is_ascii() && text.len() == 4 && passed()
            || self.breaks("position.promotion") && text.ends_with('q')
            || self.breaks("position.underpromotion") && text.ends_with('n')
            || self.breaks("chess960.castling") && text == "e1h1"
            || self.breaks("chess960.king-stays") && text == "g1h1"
            || self.breaks("leiser.rotation") && text.ends_with('R')
    }

    pub(crate) fn setpos(&mut self, told: &SetPos<'_>, text: &str) {
        let board = match told {
            SetPos::Named(name) => name.to_string(),
            SetPos::Data(data) => data.to_string(),
            SetPos::Missing => return,
        };
        self.die_if("input.bad-position", text.ends_with("data x"));
        if self.breaks("ugi.start") && board == "start"
            || self.breaks("ugi.slashes") && board.contains('/')
        {
            return;
        }
        // The side to move sits at the bottom.
        if let Ok(line) = AnyLine::new(Game::Gyges, "", &board) {
            self.line = line;
            self.has_position = true;
        }
        debug_assert!(self.line.side() == Side::White || self.line.plies() > 0);
    }
}
