//! What is known of a game once its moves have been followed.

use core::ops::ControlFlow;

use quadrille_games::records::{GameResult, Record, Text, Visitor};
use quadrille_games::{Game, GameMove, Position};

/// A null move, among moves that are numbers from 1 on.
const PASS: u64 = 0;

/// What must be known.
#[derive(Debug, Clone, Default)]
pub(super) struct Needs {
    /// Values of tags.
    tags: Vec<String>,
    /// Whether a game comes through these.
    pub(super) positions: Vec<String>,
    /// Whether it begins so.
    pub(super) openings: Vec<Vec<String>>,
    /// What makes two games the same.
    pub(super) moves: bool,
    /// Whether moves are followed at all.
    pub(super) unchecked: bool,
}

impl Needs {
    pub(super) fn tags(&mut self, names: &[&str]) {
        for name in names {
            if !self.tags.iter().any(|known| known == name) {
                self.tags.push((*name).into());
            }
        }
    }
}

/// What is known of one game.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) number: u64,
    pub(super) game: Game,
    pub(super) result: GameResult,
    pub(super) plies: u64,
    /// For each position that was asked for, whether the game comes through it.
    pub(super) positions: Vec<bool>,
    /// For each opening, whether the game begins so.
    pub(super) openings: Vec<bool>,
    /// Start and moves as bytes.
    pub(super) moves: Vec<u8>,
    names: Vec<String>,
    tags: Vec<Option<String>>,
}

impl Facts {
    fn new(game: Game, needs: &Needs) -> Self {
        Self {
            number: 0,
            game,
            result: GameResult::Open,
            plies: 0,
            positions: vec![false; needs.positions.len()],
            openings: vec![true; needs.openings.len()],
            moves: Vec::new(),
            names: needs.tags.clone(),
            tags: vec![None; needs.tags.len()],
        }
    }

    fn clear(&mut self, number: u64) {
        self.number = number;
        self.result = GameResult::Open;
        self.plies = 0;
        self.positions.fill(false);
        self.openings.fill(true);
        self.moves.clear();
        self.tags.fill(None);
    }

    /// A tag that was asked for.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let index = self.names.iter().position(|known| known == name)?;
        self.tags[index].as_deref()
    }

    /// The date of the game, from whichever tag knows it.
    pub(super) fn date(&self) -> Option<&str> {
        let known = |day: &&str| day.starts_with(|c: char| c.is_ascii_digit());
        let day = self.tag("Date").filter(known);
        day.or_else(|| self.tag("UTCDate").filter(known))
    }
}

/// Collects the facts of games of one kind.
pub(super) struct Collector<'a, P: Position> {
    facts: Facts,
    needs: &'a Needs,
    usual: P,
    /// The positions that are looked for, under the rules of the game read last.
    targets: Option<(P::Rules, Vec<Option<u64>>)>,
    /// How many variations are open.
    depth: usize,
}

impl<'a, P: Position> Collector<'a, P> {
    pub(super) fn new(needs: &'a Needs) -> Self {
        Self {
            facts: Facts::new(P::GAME, needs),
            needs,
            usual: P::start(&P::Rules::default()),
            targets: None,
            depth: 0,
        }
    }

    /// Another game.
    pub(super) fn clear(&mut self, number: u64) {
        self.facts.clear(number);
        self.depth = 0;
    }

    /// Takes the facts from a record that has been read.
    pub(super) fn tell(&mut self, record: &Record<P>) {
        for (name, value) in record.tags().iter() {
            self.note_tag(name, || value.into());
        }
        let mut board = record.start().clone();
        let _ = self.start(&board);
        for id in record.main_line() {
            let Some(ply) = record.ply(id) else {
                break;
            };
            match ply.played() {
                Some(m) => {
                    self.play(&board, m);
                    board.make(m, &mut ());
                }
                None => {
                    self.pass(&board);
                    board.pass();
                }
            }
        }
        self.facts.result = record.result();
    }

    /// The facts, when the game is over.
    pub(super) fn finish(&mut self) -> &Facts {
        let plies = self.facts.plies;
        for (hit, moves) in self.facts.openings.iter_mut().zip(&self.needs.openings) {
            *hit &= plies >= moves.len() as u64;
        }
        &self.facts
    }

    fn note_tag(&mut self, name: &str, value: impl FnOnce() -> String) {
        if let Some(index) = self.needs.tags.iter().position(|known| known == name) {
            self.facts.tags[index] = Some(value());
        }
    }

    fn look(&mut self, board: &P) {
        if let Some((_, targets)) = &self.targets {
            let hash = board.hash();
            for (hit, target) in self.facts.positions.iter_mut().zip(targets) {
                *hit |= *target == Some(hash);
            }
        }
    }

    fn step(&mut self, board: &P, played: Option<P::Move>) {
        if self.targets.is_some() {
            let mut after = board.clone();
            match played {
                Some(m) => after.make(m, &mut ()),
                None => after.pass(),
            };
            self.look(&after);
        }
        let bits = played.map_or(PASS, |m| m.to_bits().wrapping_add(1));
        self.facts.plies += 1;
        if self.needs.moves {
            number(&mut self.facts.moves, bits);
        }
    }
}

/// Seven bits a byte.
fn number(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

impl<P: Position> Visitor<P> for Collector<'_, P> {
    fn tag(&mut self, name: &str, value: Text<'_>) {
        self.note_tag(name, || value.decode().into_owned());
    }

    fn start(&mut self, board: &P) -> ControlFlow<()> {
        if self.needs.unchecked {
            return ControlFlow::Break(());
        }
        if !self.needs.positions.is_empty() {
            let rules = board.rules();
            if self
                .targets
                .as_ref()
                .is_none_or(|(known, _)| *known != rules)
            {
                let hash = |text: &String| {
                    let found = P::from_text(text, &rules);
                    found.ok().map(|position| position.hash())
                };
                let targets = self.needs.positions.iter().map(hash).collect();
                self.targets = Some((rules, targets));
            }
            self.look(board);
        }
        if self.needs.moves {
            self.facts.moves.push(P::GAME as u8);
            if *board != self.usual {
                let start = format!("{}|{}", P::rules_text(&board.rules()), board.text());
                self.facts.moves.extend_from_slice(start.as_bytes());
            }
            self.facts.moves.push(0xff);
        }
        ControlFlow::Continue(())
    }

    fn play(&mut self, board: &P, m: P::Move) {
        if self.depth > 0 {
            return;
        }
        let ply = self.facts.plies as usize;
        for (hit, moves) in self.facts.openings.iter_mut().zip(&self.needs.openings) {
            if let Some(word) = moves.get(ply).filter(|_| *hit) {
                let wanted = board
                    .parse_notation(word)
                    .or_else(|_| board.parse_move(word));
                *hit = wanted == Ok(m);
            }
        }
        self.step(board, Some(m));
    }

    fn pass(&mut self, board: &P) {
        if self.depth == 0 {
            let ply = self.facts.plies as usize;
            for (hit, moves) in self.facts.openings.iter_mut().zip(&self.needs.openings) {
                *hit &= moves.len() <= ply;
            }
            self.step(board, None);
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn result(&mut self, result: GameResult) {
        self.facts.result = result;
    }
}
