//! Positions as each dialect sends them.

use quadrille_games::{AnyLine, Game, Line, Position};
use quadrille_protocol::{Command, SetPos, SetPosition};

/// The `position` command of a game that is being played: each move is written
/// once, and the next command only adds what is new.
#[derive(Debug, Default)]
pub struct PositionText {
    /// The position before the moves; `None` for `startpos`.
    base: Option<String>,
    /// The moves, with one blank between them.
    moves: String,
    game: Option<Game>,
    /// The rules decide how castling is written.
    rules: String,
    /// The positions whose moves are in the text.
    keys: Vec<u64>,
}

impl PositionText {
    /// The command for the end of this line.
    pub fn command(&mut self, line: &AnyLine) -> Command<'_> {
        match line {
            AnyLine::Chess(line) => self.update(line, true),
            // The reference server always sends the position itself.
            AnyLine::Liberty(line) => self.update(line, false),
            AnyLine::Leiser(line) => self.update(line, true),
            AnyLine::Gyges(line) => {
                // UGI has no moves: the board as the side to move sees it.
                self.game = None;
                let board = self.base.insert(line.position().ugi_text());
                return Command::SetPos(SetPos::Data(board.as_str().into()));
            }
        }
        let base = match &self.base {
            None => SetPosition::startpos(),
            Some(text) => SetPosition::fen(text.as_str()),
        };
        // A list of moves that is empty has crashed engines.
        Command::Position(match self.moves.as_str() {
            "" => base,
            moves => base.with_moves(moves),
        })
    }

    fn update<P: Position>(&mut self, line: &Line<P>, startpos: bool) {
        let start = line.start();
        let usual = startpos && *start == P::start(&start.rules());
        let base = (!usual).then(|| start.text());
        let rules = P::rules_text(&start.rules());
        let same_game = self.game == Some(P::GAME) && self.rules == rules && self.base == base;
        if !same_game || !line.keys().starts_with(&self.keys) {
            self.game = Some(P::GAME);
            self.rules = rules;
            self.base = base;
            self.moves.clear();
            self.keys.clear();
            self.keys.extend_from_slice(&line.keys()[..1]);
        }
        let written = self.keys.len() - 1;
        let mut position = start.clone();
        for (ply, &m) in line.moves().iter().enumerate() {
            if ply >= written {
                if !self.moves.is_empty() {
                    self.moves.push(' ');
                }
                self.moves.push_str(&position.move_text(m));
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
    use quadrille_protocol::Dialect;

    fn sent(text: &mut PositionText, line: &AnyLine) -> String {
        let bytes = text.command(line).line(Dialect::Uci);
        String::from_utf8(bytes).expect("our own words")
    }

    #[test]
    fn moves_are_added_and_taken_back() {
        let mut text = PositionText::default();
        let mut line = AnyLine::start(Game::Chess);
        assert_eq!(sent(&mut text, &line), "position startpos");
        for m in ["e2e4", "e7e5", "g1f3"] {
            line.play(m).expect("legal");
        }
        assert_eq!(
            sent(&mut text, &line),
            "position startpos moves e2e4 e7e5 g1f3"
        );
        line.play("b8c6").expect("legal");
        assert_eq!(
            sent(&mut text, &line),
            "position startpos moves e2e4 e7e5 g1f3 b8c6"
        );
        line.pop();
        line.pop();
        line.play("f1c4").expect("legal");
        assert_eq!(
            sent(&mut text, &line),
            "position startpos moves e2e4 e7e5 f1c4"
        );
        assert_eq!(
            sent(&mut text, &AnyLine::start(Game::Chess)),
            "position startpos"
        );
    }

    #[test]
    fn every_game_has_its_form() {
        let mut text = PositionText::default();
        let mut chess =
            AnyLine::new(Game::Chess, "", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").expect("a position");
        assert_eq!(
            sent(&mut text, &chess),
            "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"
        );
        chess = AnyLine::new(Game::Chess, "chess960", "").expect("a position");
        for m in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1h1"] {
            chess.play(m).expect("legal");
        }
        assert!(sent(&mut text, &chess).ends_with(" f8c5 e1h1"));
        let mut liberty = AnyLine::start(Game::Liberty);
        liberty.play("e2e4").expect("legal");
        assert!(sent(&mut text, &liberty).starts_with("position fen rnbqkbnr/"));
        assert!(sent(&mut text, &liberty).ends_with(" moves e2e4"));
        let mut leiser = AnyLine::start(Game::Leiser);
        leiser.play("h4g5").expect("legal");
        assert_eq!(sent(&mut text, &leiser), "position startpos moves h4g5");
        let mut gyges = AnyLine::start(Game::Gyges);
        let start = "setpos data 32112300000000000000000000000032112300";
        assert_eq!(sent(&mut text, &gyges), start);
        gyges.play("0|1|9").expect("legal");
        // Turned: the side to move sits at the bottom.
        let turned = "setpos data 32112300000000000000000002000003112000";
        assert_eq!(sent(&mut text, &gyges).len(), turned.len());
        assert!(sent(&mut text, &gyges).starts_with("setpos data 321123"));
    }
}
