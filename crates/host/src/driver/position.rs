//! Positions as each dialect sends them.

use quadrille_games::gyges::Gyges;
use quadrille_games::{AnyLine, Game, Line, Position};

/// The `position` command of a game that is being played: each move is written
/// once, and the next command only adds what is new.
#[derive(Debug, Default)]
pub(super) struct PositionText {
    /// `position startpos` or `position fen ...`, and where the moves begin.
    text: String,
    moves_at: usize,
    game: Option<Game>,
    /// The rules decide how castling is written.
    rules: String,
    /// The positions whose moves are in the text.
    keys: Vec<u64>,
}

impl PositionText {
    /// The command for the end of this line, without a line end.
    pub(super) fn command(&mut self, line: &AnyLine) -> &str {
        match line {
            AnyLine::Chess(line) => self.update(line, true),
            // The reference server always sends the position itself.
            AnyLine::Liberty(line) => self.update(line, false),
            AnyLine::Leiser(line) => self.update(line, true),
            AnyLine::Gyges(line) => self.setpos(line.position()),
        }
        &self.text
    }

    /// UGI has no moves: the board as the side to move sees it.
    fn setpos(&mut self, position: &Gyges) {
        self.game = None;
        self.text.clear();
        self.text.push_str("setpos data ");
        self.text.push_str(&position.ugi_text());
    }

    fn update<P: Position>(&mut self, line: &Line<P>, startpos: bool) {
        let start = line.start();
        let base = if startpos && *start == P::start(&start.rules()) {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", start.text())
        };
        let rules = P::rules_text(&start.rules());
        let same_game =
            self.game == Some(P::GAME) && self.rules == rules && self.text[..self.moves_at] == base;
        if !same_game || !line.keys().starts_with(&self.keys) {
            self.game = Some(P::GAME);
            self.rules = rules;
            self.moves_at = base.len();
            self.text = base;
            self.keys.clear();
            self.keys.extend_from_slice(&line.keys()[..1]);
        }
        let written = self.keys.len() - 1;
        let mut position = start.clone();
        for (ply, &m) in line.moves().iter().enumerate() {
            if ply >= written {
                // A list of moves that is empty has crashed engines.
                self.text.push_str(if ply == 0 { " moves " } else { " " });
                self.text.push_str(&position.move_text(m));
            }
            position.make(m, &mut ());
        }
        self.keys.clear();
        self.keys.extend_from_slice(line.keys());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_added_and_taken_back() {
        let mut text = PositionText::default();
        let mut line = AnyLine::start(Game::Chess);
        assert_eq!(text.command(&line), "position startpos");
        for m in ["e2e4", "e7e5", "g1f3"] {
            line.play(m).expect("legal");
        }
        assert_eq!(
            text.command(&line),
            "position startpos moves e2e4 e7e5 g1f3"
        );
        line.play("b8c6").expect("legal");
        assert_eq!(
            text.command(&line),
            "position startpos moves e2e4 e7e5 g1f3 b8c6"
        );
        line.pop();
        line.pop();
        line.play("f1c4").expect("legal");
        assert_eq!(
            text.command(&line),
            "position startpos moves e2e4 e7e5 f1c4"
        );
        assert_eq!(
            text.command(&AnyLine::start(Game::Chess)),
            "position startpos"
        );
    }

    #[test]
    fn every_game_has_its_form() {
        let mut text = PositionText::default();
        let mut chess =
            AnyLine::new(Game::Chess, "", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").expect("a position");
        assert_eq!(
            text.command(&chess),
            "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"
        );
        chess = AnyLine::new(Game::Chess, "chess960", "").expect("a position");
        for m in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1h1"] {
            chess.play(m).expect("legal");
        }
        assert!(text.command(&chess).ends_with(" f8c5 e1h1"));
        let mut liberty = AnyLine::start(Game::Liberty);
        liberty.play("e2e4").expect("legal");
        assert!(text.command(&liberty).starts_with("position fen rnbqkbnr/"));
        assert!(text.command(&liberty).ends_with(" moves e2e4"));
        let mut leiser = AnyLine::start(Game::Leiser);
        leiser.play("h4g5").expect("legal");
        assert_eq!(text.command(&leiser), "position startpos moves h4g5");
        let mut gyges = AnyLine::start(Game::Gyges);
        let start = "setpos data 32112300000000000000000000000032112300";
        assert_eq!(text.command(&gyges), start);
        gyges.play("0|1|9").expect("legal");
        // Turned: the side to move sits at the bottom.
        let turned = "setpos data 32112300000000000000000002000003112000";
        assert_eq!(text.command(&gyges).len(), turned.len());
        assert!(text.command(&gyges).starts_with("setpos data 321123"));
    }
}
