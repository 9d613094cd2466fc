//! Liberty Chess: the static exchange and the view of the board by cells.

use quadrille_games::liberty::{Kind, Liberty, LibertyMove, Rules};
use quadrille_games::{MoveKind, Position, Side};

/// Round values, Kings 0.
fn values() -> [i32; 19] {
    let mut values = [0; 19];
    for kind in Kind::ALL {
        values[kind as usize] = match kind {
            Kind::Pawn => 100,
            Kind::Knight | Kind::Bishop | Kind::Mann => 300,
            Kind::Rook => 500,
            Kind::Queen | Kind::Amazon | Kind::Chancellor => 900,
            Kind::King => 0,
            _ => 400,
        };
    }
    values
}

fn position(text: &str) -> Liberty {
    Liberty::from_text(text, &Rules::default()).expect(text)
}

/// The largest threshold that the exchange still reaches.
fn worth(position: &Liberty, m: LibertyMove) -> i32 {
    let values = values();
    let reached = |threshold: i32| position.exchange_wins(m, &values, threshold);
    let (mut low, mut high) = (-5000, 5000);
    assert!(reached(low) && !reached(high), "{m:?} in {position:?}");
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if reached(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn known_exchanges_have_known_results() {
    let cases = [
        // Taking what is unprotected, and what a Pawn protects.
        ("4k3/8/8/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", 100),
        ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", -400),
        // A second Rook behind the first joins in.
        ("4k3/4r3/8/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5", 100),
        ("4k3/4r3/3p4/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5", -400),
        // A King takes back only what is not protected.
        ("8/8/4k3/3p4/8/8/8/3R1K2 w - - 0 1", "d1d5", -400),
        ("8/8/4k3/3p4/8/1B6/8/3R1K2 w - - 0 1", "d1d5", 100),
        // En passant opens nothing and wins a Pawn.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        // Promotion counts, and the new piece can be lost.
        ("3r1k2/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 1300),
        ("3rrk2/4P3/8/8/8/8/8/6K1 w - - 0 1", "e7d8q", 400),
        // Only Pawns, Kings and Elephants take an Elephant.
        ("3rk3/8/8/3p4/3E4/8/8/5K2 w - - 0 1", "d4d5", 100),
        ("3rk3/8/2p5/3p4/3E4/8/8/5K2 w - - 0 1", "d4d5", -300),
        // El Vaticano leaves nothing to take back.
        ("3qk3/8/8/8/8/2BpB3/8/5K2 w - - 0 1", "c3e3", 100),
        // A quiet move into the jaws of a Pawn.
        ("4k3/8/3p4/8/8/8/8/4RK2 w - - 0 1", "e1e5", -500),
    ];
    for (text, m, expected) in cases {
        let position = position(text);
        let m = position.parse_move(m).expect(text);
        assert_eq!(worth(&position, m), expected, "{text}");
    }
}

#[test]
fn taking_one_s_own_piece_costs_it() {
    let rules = Rules {
        friendly_fire: true,
    };
    let text = "4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1";
    let position = Liberty::from_text(text, &rules).expect(text);
    let m = position.parse_move("e1e2").expect(text);
    assert_eq!(worth(&position, m), -300);
}

/// A small generator, so that the walk is the same everywhere.
fn next(state: &mut u64, bound: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % bound as u64) as usize
}

fn walk(each: impl Fn(&Liberty)) {
    let mut state = 0x1234_5678;
    for (_, text) in Liberty::presets(&Rules::default()) {
        let mut current = position(&text);
        for _ in 0..40 {
            let moves = current.moves();
            if moves.is_empty() {
                break;
            }
            current.make(moves[next(&mut state, moves.len())], &mut ());
            each(&current);
        }
    }
}

#[test]
fn no_exchange_wins_more_than_it_takes() {
    walk(|position| {
        let values = values();
        position.generate(MoveKind::Tactical, |m| {
            let most = worth(position, m);
            let promoted = m.promotion().map_or(0, |kind| values[kind as usize] - 100);
            let mover = position
                .piece_at(m.from())
                .map_or(0, |p| values[p.kind as usize]);
            // En passant and El Vaticano take elsewhere: at most a Queen.
            let taken = position.piece_at(m.to());
            let taken = match taken {
                Some(piece) if piece.side != position.side() => values[piece.kind as usize],
                _ => 900,
            };
            assert!(most <= taken + promoted, "{m:?} in {position:?}");
            assert!(most >= -mover.max(900), "{m:?} in {position:?}");
        });
    });
}

#[test]
fn attacks_by_cells_agree_with_attacks_on_squares() {
    walk(|position| {
        let grid = position.grid();
        for side in Side::BOTH {
            let mut attacked = vec![false; position.variant().squares()];
            let mut note = |cell: usize| attacked[usize::from(grid.square(cell))] = true;
            for cell in grid.commoners(side).chain(grid.kings(side)) {
                let kind = grid.piece(cell).expect("listed").kind;
                if kind == Kind::Pawn {
                    for step in [grid.forward(side) - 1, grid.forward(side) + 1] {
                        let to = cell.wrapping_add_signed(step as isize);
                        if !grid.is_off(to) {
                            note(to);
                        }
                    }
                }
                grid.attacks(kind, cell, &mut note);
            }
            for (square, &attacked) in attacked.iter().enumerate() {
                let square = square as u16;
                assert_eq!(attacked, position.is_attacked(square, side), "{position:?}");
            }
        }
    });
}
