//! Liberty Chess in the most obvious way: a two-dimensional board that is
//! copied for every move, every pair of squares tried, every King looked at
//! from every enemy piece. Shares nothing with the library but the rules.

/// White pieces are capital letters, '.' is empty.
pub(crate) type Board = Vec<Vec<char>>;

/// From, to (file, rank), promotion letter.
pub(crate) type Move = ((i32, i32), (i32, i32), Option<char>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Oracle {
    /// `board[rank][file]`, rank 0 is White's.
    pub(crate) board: Board,
    pub(crate) white: bool,
    pub(crate) rights: Vec<char>,
    /// File, lowest and highest rank.
    pub(crate) passage: Option<(i32, i32, i32)>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    pub(crate) steps: i32,
    pub(crate) rank: i32,
    pub(crate) castling_rank: i32,
    pub(crate) queen_file: i32,
    pub(crate) king_file: i32,
    pub(crate) promotions: Vec<char>,
    pub(crate) friendly: bool,
    /// Where Kings stood on their castling rank when the game began.
    pub(crate) homes: Vec<(bool, (i32, i32))>,
}

fn is_white(piece: char) -> bool {
    piece.is_ascii_uppercase()
}

fn attack(piece: char) -> u8 {
    match piece.to_ascii_lowercase() {
        'p' | 'k' | 'e' => 2,
        'o' | 'w' => 0,
        _ => 1,
    }
}

/// One less than the attack that is needed.
fn defence(piece: char) -> u8 {
    match piece.to_ascii_lowercase() {
        'k' => 9,
        'e' | 'w' => 1,
        _ => 0,
    }
}

impl Oracle {
    pub(crate) fn width(&self) -> i32 {
        self.board[0].len() as i32
    }

    pub(crate) fn height(&self) -> i32 {
        self.board.len() as i32
    }

    pub(crate) fn at(&self, (file, rank): (i32, i32)) -> char {
        self.board[rank as usize][file as usize]
    }

    fn put(&mut self, (file, rank): (i32, i32), piece: char) {
        self.board[rank as usize][file as usize] = piece;
    }

    pub(crate) fn squares(&self) -> Vec<(i32, i32)> {
        let (width, height) = (self.width(), self.height());
        (0..height)
            .flat_map(|rank| (0..width).map(move |file| (file, rank)))
            .collect()
    }

    fn on_board(&self, (file, rank): (i32, i32)) -> bool {
        (0..self.width()).contains(&file) && (0..self.height()).contains(&rank)
    }

    pub(crate) fn remember_homes(&mut self) {
        for square in self.squares() {
            let piece = self.at(square);
            if piece.eq_ignore_ascii_case(&'k') && square.1 == self.home_rank(is_white(piece)) {
                self.homes.push((is_white(piece), square));
            }
        }
    }

    fn home_rank(&self, white: bool) -> i32 {
        if white {
            self.castling_rank - 1
        } else {
            self.height() - self.castling_rank
        }
    }

    /// Whether all squares strictly between two, in steps of (dx, dy), are
    /// empty; `false` if the steps do not lead there.
    fn clear(&self, from: (i32, i32), to: (i32, i32), dx: i32, dy: i32) -> bool {
        let mut at = (from.0 + dx, from.1 + dy);
        while self.on_board(at) {
            if at == to {
                return true;
            }
            if self.at(at) != '.' {
                return false;
            }
            at = (at.0 + dx, at.1 + dy);
        }
        false
    }

    /// Whether a piece other than a Pawn, Obstacle or Wall goes from one square
    /// to the other.
    fn reaches(&self, kind: char, from: (i32, i32), to: (i32, i32)) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (a, b) = (dx.abs().min(dy.abs()), dx.abs().max(dy.abs()));
        let rook = a == 0 && b > 0 && self.clear(from, to, dx.signum(), dy.signum());
        let bishop = a == b && b > 0 && self.clear(from, to, dx.signum(), dy.signum());
        let knight = (a, b) == (1, 2);
        let step = b == 1;
        match kind {
            'n' => knight,
            'b' => bishop,
            'r' => rook,
            'q' => rook || bishop,
            'k' | 'x' | 'e' => step,
            'a' => bishop || knight,
            'c' => rook || knight,
            'l' => (a, b) == (1, 3),
            'z' => (a, b) == (2, 3),
            'i' => b > 0 && b == 2 * a && self.clear(from, to, dx / a, dy / a),
            'h' => step || (a, b) == (0, 2) || (a, b) == (2, 2),
            'u' => step || knight,
            'm' => rook || bishop || knight,
            _ => false,
        }
    }

    fn attacks(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let piece = self.at(from);
        if piece.eq_ignore_ascii_case(&'p') {
            let forward = if is_white(piece) { 1 } else { -1 };
            return to.1 - from.1 == forward && (to.0 - from.0).abs() == 1;
        }
        self.reaches(piece.to_ascii_lowercase(), from, to)
    }

    fn attacked(&self, target: (i32, i32), by_white: bool) -> bool {
        self.squares().into_iter().any(|from| {
            let piece = self.at(from);
            piece != '.' && is_white(piece) == by_white && self.attacks(from, target)
        })
    }

    pub(crate) fn check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let mut kings = self.squares().into_iter().filter(|&s| self.at(s) == king);
        kings.any(|square| self.attacked(square, !white))
    }

    fn takeable(&self, piece: char) -> bool {
        piece != '.' && (is_white(piece) != self.white || self.friendly)
    }

    /// The board after a move, or `None` if no piece moves like that. Says
    /// also whether the clock starts again and whether anything really moved.
    fn apply(&self, from: (i32, i32), to: (i32, i32)) -> Option<(Self, bool, bool)> {
        let piece = self.at(from);
        if piece == '.' || is_white(piece) != self.white || from == to {
            return None;
        }
        let victim = self.at(to);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let kind = piece.to_ascii_lowercase();
        let mut after = self.clone();
        let capture_ok = victim == '.' || self.takeable(victim) && attack(piece) > defence(victim);
        let moves = match kind {
            'p' => return self.apply_pawn(from, to),
            'o' | 'w' => victim == '.',
            'k' if dy == 0 && dx.abs() == 2 => {
                let after = self.castle(from, dx / 2)?;
                return Some((after, false, true));
            }
            'b' if dx * dy == 0 && dx.abs().max(dy.abs()) == 2 && victim == piece => {
                let middle = (from.0 + dx / 2, from.1 + dy / 2);
                let taken = self.at(middle);
                if !self.takeable(taken) || defence(taken) > 0 {
                    return None;
                }
                after.put(middle, '.');
                return Some((after, true, false));
            }
            _ => self.reaches(kind, from, to),
        };
        if !moves || !capture_ok {
            return None;
        }
        after.put(from, '.');
        after.put(to, piece);
        Some((after, victim != '.', true))
    }

    fn apply_pawn(&self, from: (i32, i32), to: (i32, i32)) -> Option<(Self, bool, bool)> {
        let forward = if self.white { 1 } else { -1 };
        let own_rank = if self.white {
            from.1 + 1
        } else {
            self.height() - from.1
        };
        let (dx, dy) = (to.0 - from.0, (to.1 - from.1) * forward);
        let mut after = self.clone();
        after.put(from, '.');
        let victim = self.at(to);
        if dx == 0 && dy >= 1 {
            let far = dy <= self.steps && own_rank <= self.rank;
            let empty = (1..=dy).all(|n| self.at((from.0, from.1 + n * forward)) == '.');
            if !empty || dy > 1 && !far {
                return None;
            }
        } else if dx.abs() == 1 && dy == 1 {
            if victim == '.' {
                let (file, low, high) = self.passage?;
                if to.0 != file || to.1 < low || to.1 > high {
                    return None;
                }
                let behind = (file, if self.white { low - 1 } else { high + 1 });
                if !self.on_board(behind) || self.at(behind) == '.' {
                    return None;
                }
                if is_white(self.at(behind)) == self.white {
                    return None;
                }
                after.put(behind, '.');
            } else if !self.takeable(victim) || victim.eq_ignore_ascii_case(&'k') {
                return None;
            }
        } else {
            return None;
        }
        after.put(to, self.at(from));
        Some((after, true, true))
    }

    fn castle(&self, from: (i32, i32), direction: i32) -> Option<Self> {
        let king_side = direction > 0;
        let right = match (self.white, king_side) {
            (true, true) => 'K',
            (true, false) => 'Q',
            (false, true) => 'k',
            (false, false) => 'q',
        };
        let column = if king_side {
            self.king_file
        } else {
            self.queen_file
        } - 1;
        if !self.rights.contains(&right)
            || from.1 != self.home_rank(self.white)
            || (column - from.0) * direction < 2
            || self.check(self.white)
        {
            return None;
        }
        let partner = (column, from.1);
        let crossed = (from.0 + direction, from.1);
        let target = (from.0 + 2 * direction, from.1);
        if !self.clear(from, partner, direction, 0) || self.attacked(crossed, !self.white) {
            return None;
        }
        let there = self.at(target);
        if there != '.' && (!self.takeable(there) || there.eq_ignore_ascii_case(&'k')) {
            return None;
        }
        let mut after = self.clone();
        let piece = self.at(partner);
        after.put(partner, '.');
        after.put(from, '.');
        after.put(crossed, piece);
        after.put(target, self.at(from));
        Some(after)
    }

    /// All legal moves, ignoring whether the game is over.
    pub(crate) fn all_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let last = if self.white { self.height() - 1 } else { 0 };
        for from in self.squares() {
            for to in self.squares() {
                let Some((after, ..)) = self.apply(from, to) else {
                    continue;
                };
                if after.check(self.white) {
                    continue;
                }
                if self.at(from).eq_ignore_ascii_case(&'p') && to.1 == last {
                    let mut seen = Vec::new();
                    for &letter in &self.promotions {
                        if !seen.contains(&letter) {
                            seen.push(letter);
                            moves.push((from, to, Some(letter)));
                        }
                    }
                } else {
                    moves.push((from, to, None));
                }
            }
        }
        moves
    }

    pub(crate) fn play(&self, (from, to, promotion): Move) -> Self {
        let (mut after, fresh, moved) = self.apply(from, to).expect("a legal move");
        let pawn = self.at(from).eq_ignore_ascii_case(&'p');
        if let Some(letter) = promotion {
            let piece = if self.white {
                letter.to_ascii_uppercase()
            } else {
                letter
            };
            after.put(to, piece);
        }
        after.passage = None;
        if pawn && (to.1 - from.1).abs() >= 2 {
            let (low, high) = (from.1.min(to.1) + 1, from.1.max(to.1) - 1);
            after.passage = Some((from.0, low, high));
        }
        after.halfmoves = if fresh { 0 } else { self.halfmoves + 1 };
        if moved {
            for square in [from, to] {
                after.lose_rights(square);
            }
        }
        if !self.white {
            after.fullmoves += 1;
        }
        after.white = !self.white;
        after
    }

    fn lose_rights(&mut self, square: (i32, i32)) {
        for (white, king, queen) in [(true, 'K', 'Q'), (false, 'k', 'q')] {
            let rank = self.home_rank(white);
            let home = self.homes.contains(&(white, square));
            let corner = |file: i32| square == (file - 1, rank);
            let (at_king, at_queen) = (corner(self.king_file), corner(self.queen_file));
            self.rights
                .retain(|&r| !(r == king && (home || at_king) || r == queen && (home || at_queen)));
        }
    }

    /// The state of the game without repetition.
    pub(crate) fn state(&self) -> String {
        let pieces: Vec<char> = self
            .board
            .iter()
            .flatten()
            .copied()
            .filter(|&p| p != '.')
            .collect();
        let count = |white: bool, king: bool| {
            let fits = |&&p: &&char| is_white(p) == white && p.eq_ignore_ascii_case(&'k') == king;
            pieces.iter().filter(fits).count()
        };
        let (white, black) = (count(true, false), count(false, false));
        if white == 0 && black == 0 {
            return "Material".into();
        }
        if white == 0 || black == 0 {
            let bare = white == 0;
            if count(bare, true) == 0 {
                return format!("Elimination({})", !bare);
            }
            let one_each = count(true, true) == 1 && count(false, true) == 1;
            if one_each && !self.sufficient() {
                return "Material".into();
            }
        }
        if self.all_moves().is_empty() {
            return if self.check(self.white) {
                format!("Checkmate({})", !self.white)
            } else {
                "Stalemate".into()
            };
        }
        if self.halfmoves >= 100 {
            return "FiftyMove".into();
        }
        "InProgress".into()
    }

    fn sufficient(&self) -> bool {
        let maters = "rqacxhume";
        let promotes = self.promotions.iter().any(|&p| maters.contains(p));
        let (mut flexible, mut light, mut dark) = (0, 0, 0);
        for square in self.squares() {
            let kind = self.at(square).to_ascii_lowercase();
            if maters.contains(kind) || kind == 'p' && promotes {
                return true;
            }
            match kind {
                'n' | 'z' | 'i' | 'p' => flexible += 1,
                'b' | 'l' if (square.0 + square.1) % 2 == 0 => dark += 1,
                'b' | 'l' => light += 1,
                _ => {}
            }
        }
        flexible >= 2 || flexible == 1 && light + dark > 0 || light > 0 && dark > 0
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        if self.state() == "InProgress" {
            self.all_moves()
        } else {
            Vec::new()
        }
    }

    pub(crate) fn move_text((from, to, promotion): Move) -> String {
        let square = |(file, rank): (i32, i32)| {
            // Boards of the oracle have at most 26 files.
            format!("{}{}", (b'a' + file as u8) as char, rank + 1)
        };
        let promotion = promotion.map(String::from).unwrap_or_default();
        format!("{}{}{promotion}", square(from), square(to))
    }

    /// The L-FEN with every field written.
    pub(crate) fn lfen(&self) -> String {
        let mut ranks = Vec::new();
        for rank in self.board.iter().rev() {
            let mut text = String::new();
            let mut run = 0;
            for &piece in rank {
                if piece == '.' {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text += &run.to_string();
                    run = 0;
                }
                text.push(piece);
            }
            if run > 0 {
                text += &run.to_string();
            }
            ranks.push(text);
        }
        let mut rights: String = self.rights.iter().collect();
        if rights.is_empty() {
            rights = "-".into();
        }
        let passage = match self.passage {
            None => "-".into(),
            Some((file, low, high)) => {
                let file = (b'a' + file as u8) as char;
                if low == high {
                    format!("{file}{}", low + 1)
                } else {
                    format!("{file}{}-{}", low + 1, high + 1)
                }
            }
        };
        format!(
            "{} {} {rights} {passage} {} {} {},{},{},{},{} {}{}",
            ranks.join("/"),
            if self.white { 'w' } else { 'b' },
            self.halfmoves,
            self.fullmoves,
            self.steps,
            self.rank,
            self.castling_rank,
            self.queen_file,
            self.king_file,
            self.promotions.iter().collect::<String>(),
            if self.friendly { " ff" } else { "" },
        )
    }
}
