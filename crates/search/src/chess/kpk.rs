//! King and pawn against king, solved.
//!
//! No rule of thumb gets this ending right, so the result of all its positions is stored.
//! Working them out takes some 15 ms, which is more than a move has in a fast game, so
//! that is done in the tests, which compare; with `QUADRILLE_WRITE_KPK=1` they write the
//! file: `QUADRILLE_WRITE_KPK=1 cargo test -p quadrille-search kpk`.

use quadrille_games::Side;

/// Side to move, pawn (files a to d, ranks 2 to 7), both kings.
const POSITIONS: usize = 2 * 24 * 64 * 64;

/// One bit a position, the lowest first: won for the side with the pawn.
static WINS: &[u8; POSITIONS / 8] = include_bytes!("kpk.bin");

/// Whether `strong`, with the pawn, wins.
pub(super) fn wins(strong: Side, pawn: usize, kings: [usize; 2], mover: Side) -> bool {
    // Seen by White, with the pawn on the left half of the board.
    let mut flip = if strong == Side::White { 0 } else { 0x38 };
    if pawn & 7 > 3 {
        flip ^= 0x07;
    }
    let place = Place {
        mover: if mover == strong {
            Side::White
        } else {
            Side::Black
        },
        pawn: pawn ^ flip,
        ours: kings[strong.index()] ^ flip,
        theirs: kings[strong.other().index()] ^ flip,
    };
    let index = place.index();
    WINS[index / 8] >> (index % 8) & 1 == 1
}

#[derive(Debug, Clone, Copy)]
struct Place {
    mover: Side,
    pawn: usize,
    ours: usize,
    theirs: usize,
}

impl Place {
    const fn index(self) -> usize {
        let pawn = (self.pawn - 8) / 8 * 4 + self.pawn % 4;
        ((self.mover as usize * 24 + pawn) * 64 + self.ours) * 64 + self.theirs
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::{distance, each, pawn_attacks, rank_of, reach};
    use super::*;
    use quadrille_games::chess::PieceKind;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum State {
        Impossible,
        Open,
        Drawn,
        Won,
    }

    impl Place {
        fn from_index(index: usize) -> Self {
            let pawn = index / 4096 % 24;
            Self {
                mover: if index < POSITIONS / 2 {
                    Side::White
                } else {
                    Side::Black
                },
                pawn: (pawn / 4 + 1) * 8 + pawn % 4,
                ours: index / 64 % 64,
                theirs: index % 64,
            }
        }

        /// What can be said without looking at successors.
        fn at_sight(self) -> State {
            let overlap =
                self.ours == self.theirs || self.ours == self.pawn || self.theirs == self.pawn;
            let check = pawn_attacks(Side::White, 1 << self.pawn) >> self.theirs & 1 == 1;
            if overlap
                || distance(self.ours, self.theirs) <= 1
                || check && self.mover == Side::White
            {
                return State::Impossible;
            }
            let goal = self.pawn + 8;
            let promotes = self.mover == Side::White
                && rank_of(Side::White, self.pawn) == 6
                && goal != self.ours
                && goal != self.theirs
                && (distance(self.theirs, goal) > 1 || distance(self.ours, goal) == 1);
            if promotes { State::Won } else { State::Open }
        }

        /// The state that the successors' states leave.
        fn judge(self, states: &[State]) -> State {
            let mut seen = Seen::default();
            match self.mover {
                Side::White => self.white_moves(|next| seen.note(states[next.index()])),
                Side::Black => self.black_moves(|next| {
                    if next.theirs == next.pawn {
                        seen.drawn = true;
                    } else {
                        seen.note(states[next.index()]);
                    }
                }),
            }
            seen.state(self)
        }

        fn white_moves(self, mut take: impl FnMut(Self)) {
            let next = Self {
                mover: Side::Black,
                ..self
            };
            each(reach(PieceKind::King, self.ours, 0), |ours| {
                take(Self { ours, ..next });
            });
            let kings = 1u64 << self.ours | 1 << self.theirs;
            let rank = self.pawn >> 3;
            if rank < 6 && kings >> (self.pawn + 8) & 1 == 0 {
                take(Self {
                    pawn: self.pawn + 8,
                    ..next
                });
                if rank == 1 && kings >> (self.pawn + 16) & 1 == 0 {
                    take(Self {
                        pawn: self.pawn + 16,
                        ..next
                    });
                }
            }
        }

        /// Black's king steps; onto the pawn only if White's king is not near it.
        fn black_moves(self, mut take: impl FnMut(Self)) {
            each(reach(PieceKind::King, self.theirs, 0), |theirs| {
                let defended = distance(self.ours, theirs) <= 1;
                if !defended {
                    take(Self {
                        mover: Side::White,
                        theirs,
                        ..self
                    });
                }
            });
        }
    }

    /// What the successors of a position are.
    #[derive(Debug, Default)]
    struct Seen {
        open: bool,
        drawn: bool,
        won: bool,
    }

    impl Seen {
        fn note(&mut self, state: State) {
            match state {
                State::Impossible => (),
                State::Open => self.open = true,
                State::Drawn => self.drawn = true,
                State::Won => self.won = true,
            }
        }

        fn state(&self, place: Place) -> State {
            let (good, bad) = match place.mover {
                Side::White => (self.won, State::Won),
                Side::Black => (self.drawn, State::Drawn),
            };
            if good {
                return bad;
            }
            if self.open {
                return State::Open;
            }
            // No move at all is stalemate: a pawn alone does not mate here.
            if self.won { State::Won } else { State::Drawn }
        }
    }

    /// Works out all positions: wins spread backwards from promotions, draws from captures,
    /// until nothing changes.
    fn solve() -> Vec<u8> {
        let mut states: Vec<State> = (0..POSITIONS)
            .map(|index| Place::from_index(index).at_sight())
            .collect();
        // Each round settles at least one position or is the last.
        loop {
            let mut changed = false;
            for index in 0..POSITIONS {
                if states[index] == State::Open {
                    let state = Place::from_index(index).judge(&states);
                    changed |= state != State::Open;
                    states[index] = state;
                }
            }
            if !changed {
                break;
            }
        }
        // What never got settled is shuffling without end.
        let mut bits = vec![0; POSITIONS / 8];
        for (index, state) in states.iter().enumerate() {
            if *state == State::Won {
                bits[index / 8] |= 1 << (index % 8);
            }
        }
        bits
    }

    #[test]
    fn the_file_is_the_solution() {
        let solution = solve();
        if std::env::var_os("QUADRILLE_WRITE_KPK").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/chess/kpk.bin");
            std::fs::write(file, &solution).unwrap();
        }
        assert!(WINS[..] == solution[..], "see the head of this file");
    }

    #[test]
    fn known_positions_are_known() {
        let square = |text: &str| {
            let [file, rank] = text.as_bytes() else {
                panic!("{text}")
            };
            usize::from(rank - b'1') * 8 + usize::from(file - b'a')
        };
        for (pawn, ours, theirs, white_moves, black_moves) in [
            ("e2", "e1", "e4", false, false),
            ("e4", "e5", "e7", false, true),
            ("e5", "e6", "e8", true, true),
            ("e2", "e4", "e6", true, true),
            ("a2", "a4", "a8", false, false),
            ("h6", "h5", "g8", false, false),
            ("a7", "b6", "a8", false, false),
            ("b6", "a6", "b8", true, false),
            ("g2", "a8", "a1", true, true),
        ] {
            let kings = [square(ours), square(theirs)];
            let pawn_square = square(pawn);
            let ask = |mover| wins(Side::White, pawn_square, kings, mover);
            assert_eq!(ask(Side::White), white_moves, "{pawn} {ours} {theirs} w");
            assert_eq!(ask(Side::Black), black_moves, "{pawn} {ours} {theirs} b");
            // The same for Black.
            let kings = [square(theirs) ^ 0x38, square(ours) ^ 0x38];
            let ask = |mover| wins(Side::Black, pawn_square ^ 0x38, kings, mover);
            assert_eq!(ask(Side::Black), white_moves);
            assert_eq!(ask(Side::White), black_moves);
        }
    }

    /// As published for this way of counting, pawn on the left half.
    #[test]
    fn the_number_of_wins_is_the_known_one() {
        let won: u32 = WINS.iter().map(|byte| byte.count_ones()).sum();
        assert_eq!(won, 111_282);
    }
}
