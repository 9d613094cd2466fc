//! Commands for people: the evaluation, the board, the moves.

use quadrille_protocol::Text;
use quadrille_search::Evaluator;

use crate::conversation::Conversation;
use crate::dialect::{Blame, Spoken};
use crate::limits;

impl<P: Spoken> Conversation<P> {
    /// `eval [move]`: the parts of the evaluation, then the value from the side
    /// to move's point of view; with a move, from the mover's after it.
    pub(crate) fn eval(&mut self, word: Option<Text<'_>>) {
        let mut position = self.line.position().clone();
        let mut sign = 1;
        if let Some(word) = word {
            match limits::parse(&position, word) {
                Ok(m) => {
                    position.make(m, &mut ());
                    sign = -1;
                }
                Err(why) => return self.complain(Blame::Host, &format!("illegal {why}")),
            }
        }
        let mut evaluator = P::Eval::new(&position);
        let terms = evaluator.terms(&position);
        let by_hand = self.judging_net().map(|net| {
            let by_hand = evaluator.evaluate(&position) * sign;
            evaluator = P::Eval::with_net(&position, net);
            let word = if net.shape().adds_to_hand_written {
                "with"
            } else {
                "by"
            };
            (by_hand, word)
        });
        // The host's word comes first.
        let known = self.known.get(&position);
        let value = known.unwrap_or_else(|| evaluator.evaluate(&position)) * sign;
        self.out.say_all(|lines| {
            for term in &terms {
                let [white, black] = term.sides;
                lines.note(&format!("{} {white} {black}", term.name));
            }
            if let Some((by_hand, word)) = by_hand {
                lines.note(&format!("hand-written {by_hand}, {word} the net:"));
            }
            P::say_value(lines, value.into());
        });
    }

    /// `display`, `d`, `showpos`.
    pub(crate) fn display(&mut self) {
        let position = self.line.position();
        let moves = self.line.moves();
        let last = moves.split_last().map(|(&last, before)| {
            let mut earlier = self.line.start().clone();
            for &m in before {
                earlier.make(m, &mut ());
            }
            earlier.write(last, &self.options.own)
        });
        let ply = moves.len() + self.line.start().side().index();
        self.out
            .say_all(|lines| position.display(lines, last.as_deref(), ply));
    }

    /// `generate`: all moves in one line.
    pub(crate) fn generate(&mut self) {
        let position = self.line.position();
        let moves = position.counted_moves().unwrap_or_default();
        let words: Vec<String> = moves
            .iter()
            .map(|&m| position.write(m, &self.options.own))
            .collect();
        self.out.say_all(|lines| lines.text(&words.join(" ")));
    }

    /// `help`.
    pub(crate) fn help(&mut self) {
        self.out.say_all(|lines| {
            for line in P::HELP {
                lines.text(line);
            }
        });
    }
}
