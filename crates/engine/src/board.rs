//! The position on the board: `position`, `setpos`, `move`, and other rules.

use std::sync::Arc;

use quadrille_games::{Line, Position};
use quadrille_protocol::{PositionBase, SetPos, SetPosition, Text};

use crate::conversation::Conversation;
use crate::dialect::{Blame, Spoken};
use crate::limits;

impl<P: Spoken> Conversation<P> {
    /// A game that has begun is read again under the new rules; at the start
    /// position the new rules bring their own.
    pub(crate) fn change_rules(&mut self, rules: P::Rules) {
        if rules == self.rules {
            return;
        }
        let at_start = self.line.moves().is_empty() && *self.line.start() == P::start(&self.rules);
        let start = (!at_start)
            .then(|| P::from_text(&self.line.start().text(), &rules).ok())
            .flatten();
        let mut line = Line::new(start.unwrap_or_else(|| P::start(&rules)));
        for &m in self.line.moves() {
            if !line.position().is_legal(m) {
                break;
            }
            line.push(m);
        }
        self.line = Arc::new(line);
        self.rules = rules;
    }

    pub(crate) fn set_position(&mut self, position: SetPosition<'_>) {
        let start = match position.base {
            PositionBase::Startpos | PositionBase::Omitted => Ok(P::start(&self.rules)),
            PositionBase::Fen(text) | PositionBase::Named(text) => {
                read_position::<P>(text, &self.rules)
            }
        };
        let moves = position.moves.unwrap_or_default();
        match start {
            Ok(start) => self.set_line(start, moves.iter()),
            Err(why) => self.refuse_position(&why),
        }
    }

    pub(crate) fn set_board(&mut self, setpos: SetPos<'_>) {
        let board = match setpos {
            SetPos::Named(text) | SetPos::Data(text) => P::setpos(text, &self.rules),
            SetPos::Missing => Err("setpos needs a board".into()),
        };
        match board {
            Ok(start) => self.set_line(start, std::iter::empty()),
            Err(why) => self.refuse_position(&why),
        }
    }

    fn refuse_position(&mut self, why: &str) {
        self.complain(Blame::Host, &format!("{why}; the position before it stays"));
        let text = self.line.position().text();
        self.doubt = Some(format!("the last position was refused; searching {text}"));
    }

    /// Plays the moves as far as they are legal.
    fn set_line<'a>(&mut self, start: P, moves: impl Iterator<Item = Text<'a>> + Clone) {
        self.doubt = None;
        self.line = Arc::new(Line::new(start));
        for (index, word) in moves.enumerate() {
            self.play_on_if_drawn();
            match limits::parse(self.line.position(), word) {
                Ok(m) => Arc::make_mut(&mut self.line).push(m),
                Err(why) => {
                    let number = index + 1;
                    let why = format!("illegal {why} (number {number}); the moves before it stand");
                    self.complain(Blame::Host, &why);
                    let text = self.line.position().text();
                    self.doubt = Some(format!("after the illegal move, searching {text}"));
                    return;
                }
            }
        }
    }

    /// A host that goes on with a game our rules call drawn plays by others.
    pub(crate) fn play_on_if_drawn(&mut self) {
        let drawn = |line: &Line<P>| {
            let outcome = line.position().outcome();
            outcome.is_some_and(|o| o.winner.is_none()) && line.position().count_moves() == 0
        };
        let mut rules = self.line.position().rules();
        while drawn(&self.line) {
            let Some(relaxed) = P::relaxed(&rules) else {
                return;
            };
            let Ok(start) = P::from_text(&self.line.start().text(), &relaxed) else {
                return;
            };
            let mut line = Line::new(start);
            for &m in self.line.moves() {
                line.push(m);
            }
            self.line = Arc::new(line);
            rules = relaxed;
        }
    }

    /// `move`: plays one move on the board.
    pub(crate) fn play(&mut self, word: Option<Text<'_>>) {
        let Some(word) = word else { return };
        self.play_on_if_drawn();
        match limits::parse(self.line.position(), word) {
            Ok(m) => {
                Arc::make_mut(&mut self.line).push(m);
                self.display();
            }
            Err(why) => self.complain(Blame::Host, &format!("illegal {why}")),
        }
    }
}

/// Reads a position that may be any bytes.
pub(crate) fn read_position<P: Position>(text: Text<'_>, rules: &P::Rules) -> Result<P, String> {
    match text.to_str() {
        Some(text) => P::from_text(text, rules).map_err(|error| error.to_string()),
        None => Err("the position is not readable text".into()),
    }
}
