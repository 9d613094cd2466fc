//! What pieces are worth on a board of a given size, derived from how far they
//! get on it.

use std::sync::LazyLock;

use quadrille_games::liberty::Kind;

use crate::score::Value;

/// One way to move: all turns and mirror images of a step, taken once or
/// ridden.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gait {
    pub(super) a: i32,
    pub(super) b: i32,
    pub(super) rides: bool,
}

const fn leap(a: i32, b: i32) -> Gait {
    Gait { a, b, rides: false }
}

const fn ride(a: i32, b: i32) -> Gait {
    Gait { a, b, rides: true }
}

impl Gait {
    /// The steps: four along lines, eight otherwise.
    pub(super) fn steps(self) -> impl Iterator<Item = (i32, i32)> {
        let Self { a, b, .. } = self;
        let all = [
            (a, b),
            (b, -a),
            (-a, -b),
            (-b, a),
            (b, a),
            (a, -b),
            (-b, -a),
            (-a, b),
        ];
        let count = if a == 0 || a == b { 4 } else { 8 };
        all.into_iter().take(count)
    }
}

/// How a kind moves; nothing for Pawns and for the two that go anywhere.
pub(super) const fn gaits(kind: Kind) -> &'static [Gait] {
    const KNIGHT: Gait = leap(1, 2);
    const CAMEL: Gait = leap(1, 3);
    const ZEBRA: Gait = leap(2, 3);
    const SIDE: Gait = leap(0, 1);
    const CORNER: Gait = leap(1, 1);
    const ORTHOGONAL: Gait = ride(0, 1);
    const DIAGONAL: Gait = ride(1, 1);
    const NIGHTRIDE: Gait = ride(1, 2);
    const CHAMPION: [Gait; 4] = [SIDE, CORNER, leap(0, 2), leap(2, 2)];
    match kind {
        Kind::Pawn | Kind::Obstacle | Kind::Wall => &[],
        Kind::Knight => &[KNIGHT],
        Kind::Bishop => &[DIAGONAL],
        Kind::Rook => &[ORTHOGONAL],
        Kind::Queen => &[ORTHOGONAL, DIAGONAL],
        Kind::Archbishop => &[KNIGHT, DIAGONAL],
        Kind::Chancellor => &[KNIGHT, ORTHOGONAL],
        Kind::Camel => &[CAMEL],
        Kind::Zebra => &[ZEBRA],
        Kind::Mann | Kind::Elephant | Kind::King => &[SIDE, CORNER],
        Kind::Nightrider => &[NIGHTRIDE],
        Kind::Champion => &CHAMPION,
        Kind::Centaur => &[KNIGHT, SIDE, CORNER],
        Kind::Amazon => &[KNIGHT, ORTHOGONAL, DIAGONAL],
    }
}

/// The chance that a square on a ride is empty.
const EMPTY: f64 = 0.67;
/// Rides are followed this far: beyond, hardly anything gets through.
pub(super) const LONGEST_RIDE: i32 = 16;

/// Squares a kind reaches from this square of a half-filled board, on average.
pub(super) fn mobility(kind: Kind, at: (i32, i32), size: (i32, i32)) -> f64 {
    let mut total = 0.0;
    for gait in gaits(kind) {
        for (x, y) in gait.steps() {
            let longest = if gait.rides { LONGEST_RIDE } else { 1 };
            let mut chance = 1.0;
            for k in 1..=longest {
                let (file, rank) = (at.0 + k * x, at.1 + k * y);
                if !(0..size.0).contains(&file) || !(0..size.1).contains(&rank) {
                    break;
                }
                total += chance;
                chance *= EMPTY;
            }
        }
    }
    total
}

/// The same, averaged over all squares of a square board.
pub(super) fn average_mobility(kind: Kind, side: i32) -> f64 {
    let size = f64::from(side);
    let mut total = 0.0;
    for gait in gaits(kind) {
        let steps = gait.steps().count() as f64;
        let longest = if gait.rides { LONGEST_RIDE } else { 1 };
        let mut chance = 1.0;
        for k in 1..=longest {
            let room =
                f64::from((side - k * gait.a).max(0)) * f64::from((side - k * gait.b).max(0));
            total += steps * chance * room / (size * size);
            chance *= EMPTY;
        }
    }
    total
}

/// Values by discriminant of [`Kind`].
pub(super) type Values = [Value; 19];

/// A Pawn on the middle of its way.
pub(super) const PAWN: Value = 100;

fn value(kind: Kind, side: i32) -> Value {
    let reach = average_mobility(kind, side);
    // More than proportional: a piece that reaches twice as much also forks.
    let worth = 50.0 * reach + 1.6 * reach * reach;
    let worth = match kind {
        Kind::Pawn => f64::from(PAWN),
        // Never traded, so this only has to be out of reach of the others.
        Kind::King => 0.0,
        // Nothing fast about one step at a time.
        Kind::Mann => worth * 0.8,
        // Takes everything, and only a few may take it.
        Kind::Elephant => worth * 1.7,
        // A Bishop that changes colour: more than its parts.
        Kind::Archbishop => worth * 1.12,
        Kind::Obstacle => 40.0,
        Kind::Wall => 105.0,
        _ => worth,
    };
    worth.round() as Value
}

/// The values on a board of this size.
pub(super) fn values(width: u16, height: u16) -> &'static Values {
    static BY_SIDE: LazyLock<Vec<Values>> = LazyLock::new(|| {
        let of_side = |side: i32| {
            let mut values = [0; 19];
            for kind in Kind::ALL {
                values[kind as usize] = value(kind, side);
            }
            values
        };
        (0..=256).map(|side| of_side(side.max(2))).collect()
    });
    let side = usize::midpoint(usize::from(width), usize::from(height));
    &BY_SIDE[side.clamp(2, 256)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_on_the_usual_board_is_the_usual_one() {
        let values = values(8, 8);
        let of = |kind: Kind| values[kind as usize];
        let order = [
            Kind::Obstacle,
            Kind::Pawn,
            Kind::Wall,
            Kind::Zebra,
            Kind::Camel,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Archbishop,
            Kind::Chancellor,
            Kind::Queen,
            Kind::Amazon,
        ];
        for pair in order.windows(2) {
            assert!(of(pair[0]) < of(pair[1]), "{pair:?}");
        }
        assert!((280..350).contains(&of(Kind::Knight)));
        assert!((850..1100).contains(&of(Kind::Queen)));
    }

    #[test]
    fn riders_gain_and_camels_too_on_larger_boards() {
        for kind in [Kind::Rook, Kind::Bishop, Kind::Camel, Kind::Nightrider] {
            let at = |n| values(n, n)[kind as usize];
            assert!(at(5) < at(8) && at(8) < at(12), "{kind}");
        }
    }

    #[test]
    fn averages_agree_with_single_squares() {
        for kind in Kind::ALL {
            let mut sum = 0.0;
            for square in 0..64 {
                sum += mobility(kind, (square % 8, square / 8), (8, 8));
            }
            assert!(
                (sum / 64.0 - average_mobility(kind, 8)).abs() < 1e-9,
                "{kind}"
            );
        }
    }
}
