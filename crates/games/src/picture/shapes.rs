//! What pieces look like: outlines in a box of 100 by 100, y downwards.
//!
//! A shape is data, so another set can take its place. Pieces that move as two
//! others do are drawn as both of them, side by side.

/// A drawing of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One outline, filled; and lines inside it.
    Plain {
        /// Path data that is filled and outlined.
        body: &'static str,
        /// Path data that is only drawn; may be empty.
        lines: &'static str,
    },
    /// Two pieces in one, by their letters.
    Both(char, char),
}

const fn plain(body: &'static str, lines: &'static str) -> Shape {
    Shape::Plain { body, lines }
}

const HORSE: &str = "M26 88c0-26 20-28 20-44l-18 12-9-11 21-26 5-10 6 10c20 6 27 36 25 69z";

/// The shape of a kind of piece, by the lower-case letter of chess and Liberty
/// Chess.
pub(super) const fn of_letter(letter: char) -> Option<Shape> {
    Some(match letter {
        'p' => plain(
            "M50 20a15 15 0 0 1 10 26c4 16 12 22 14 42h-48c2-20 10-26 14-42a15 15 0 0 1 10-26z",
            "",
        ),
        'n' => plain(HORSE, "M48 32h1"),
        'b' => plain(
            "M50 12a5 5 0 0 1 4 8c14 10 19 20 19 30 0 9-6 15-12 18l9 20h-40l9-20c-6-3-12-9-12-18 0-10 5-20 19-30a5 5 0 0 1 4-8z",
            "M50 36v20M42 45h16",
        ),
        'r' => plain(
            "M24 18h13v9h7v-9h12v9h7v-9h13v23l-9 7v26l8 14h-50l8-14v-26l-9-7z",
            "M33 48h34",
        ),
        'q' => plain(
            "M14 30l17 19 5-32 14 29 14-29 5 32 17-19-11 46 5 12h-60l5-12z",
            "M26 76h48",
        ),
        'k' => plain(
            "M45 8h10v8h9v9h-9v9c18 1 31 9 31 25 0 12-7 17-12 23l2 6h-52l2-6c-5-6-12-11-12-23 0-16 13-24 31-25v-9h-9v-9h9z",
            "M26 82h48",
        ),
        'a' => Shape::Both('b', 'n'),
        'c' => Shape::Both('r', 'n'),
        'm' => Shape::Both('q', 'n'),
        'u' => Shape::Both('x', 'n'),
        'l' => plain(
            "M14 88v-34c3-16 14-22 21-8 6-15 19-14 22 4l9 2 6-28 6-6 12 6v9l-9 2-6 30 3 23h-14v-18h-36v18z",
            "",
        ),
        'z' => plain(
            HORSE,
            "M48 32h1M62 30l-10 8M70 46l-14 6M72 62l-20 4M72 76l-28 2",
        ),
        'x' => plain(
            "M50 16a14 14 0 0 1 8 25c16 3 26 12 26 25 0 10-5 16-9 22h-50c-4-6-9-12-9-22 0-13 10-22 26-25a14 14 0 0 1 8-25z",
            "",
        ),
        'i' => plain(HORSE, "M48 32h1M8 40h12M6 56h14M8 72h12"),
        'h' => plain(
            "M50 10l9 19 20-8-8 20 19 9-19 9 8 20-20-8-9 19-9-19-20 8 8-20-19-9 19-9-8-20 20 8z",
            "",
        ),
        'o' => plain("M32 18h36l22 32-22 32h-36l-22-32z", ""),
        'e' => plain(
            "M12 88v-38c0-18 14-28 34-28 26 0 42 12 42 34v32h-9v-22c-5 6-12 8-19 7v15h-12v-14h-14v14z",
            "M60 40c-8 4-8 18 2 22M74 38h1",
        ),
        'w' => plain(
            "M12 24h76v64h-76z",
            "M12 45h76M12 67h76M36 24v21M62 24v21M24 45v22M50 45v22M76 45v22M36 67v21M62 67v21",
        ),
        _ => return None,
    })
}

/// A Leiserchess King that fires upwards: a King with a muzzle.
pub(super) const LASER: Shape = plain(
    "M50 4l12 20h-6v10c18 3 30 14 30 30a36 30 0 0 1-72 0c0-16 12-27 30-30v-10h-6z",
    "M50 50v28M36 64h28",
);

/// A Leiserchess Pawn whose mirror looks to the upper left.
pub(super) const MIRROR: Shape = plain("M12 88l76-76v76z", "M30 84l54-54");

/// How far a Leiserchess piece is turned from the drawing, in degrees clockwise.
pub(super) fn turned(piece: &str) -> Option<(Shape, u16)> {
    Some(match piece.to_ascii_uppercase().as_str() {
        "NN" => (LASER, 0),
        "EE" => (LASER, 90),
        "SS" => (LASER, 180),
        "WW" => (LASER, 270),
        "NW" => (MIRROR, 0),
        "NE" => (MIRROR, 90),
        "SE" => (MIRROR, 180),
        "SW" => (MIRROR, 270),
        _ => return None,
    })
}
