//! Positions as pictures: one SVG for a board of any of the four games.
//!
//! A picture knows nothing of a page. Its colours are variables of a style sheet
//! ([`STYLE`]), light and dark; one that stands alone brings it along.
//!
//! ```
//! use quadrille_games::picture::Picture;
//! use quadrille_games::{AnyLine, Game};
//!
//! let mut line = AnyLine::start(Game::Chess);
//! let e4 = line.play_notation("e4")?;
//! let svg = Picture::new(&line).mark(&e4.squares).arrow(&["e7".into(), "e5".into()]).svg();
//! assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
//! # Ok::<(), quadrille_games::MoveError>(())
//! ```

mod shapes;

use core::fmt::Write;

use crate::any_line::{AnyLine, PieceView};
use crate::game::{Game, Side};
use shapes::{Shape, of_letter, turned};

/// The colours of all pictures; a page may set the variables itself.
pub const STYLE: &str = "\
.qb{--ql:#f2ebdd;--qd:#cdbb9c;--qm:#e9cf5f;--qw:#fffdf8;--qk:#33312e;--qi:#1f2328;--qj:#f2ebdd;\
--qa:#0f766e;--qn:#b98a4a;--qc:#5c626b;--qr:#c2321f}\
@media(prefers-color-scheme:dark){.qb{--ql:#77716a;--qd:#575149;--qm:#9a8433;--qw:#f4f0e8;\
--qk:#17181a;--qi:#101113;--qj:#d9d4ca;--qa:#5ec4b6;--qn:#c99b5c;--qc:#a2a8af;--qr:#ff6a55}}\
.qb text{fill:var(--qc);font:13px sans-serif;text-anchor:middle}\
.qb .l{fill:var(--ql)}.qb .d{fill:var(--qd)}.qb .m{fill:var(--qm);fill-opacity:.65}\
.qb .w{fill:var(--qw);stroke:var(--qi)}.qb .k{fill:var(--qk);stroke:var(--qj)}\
.qb .n{fill:var(--qn);stroke:var(--qi)}.qb .p{stroke-width:4;stroke-linejoin:round;stroke-linecap:round}\
.qb .i{fill:none}.qb .a{fill:none;stroke:var(--qa);stroke-width:7;stroke-opacity:.8;stroke-linecap:round;stroke-linejoin:round}\
.qb .r{fill:none;stroke:var(--qr);stroke-width:3;stroke-opacity:.85;stroke-linejoin:round}";

/// The side of a square.
const CELL: u32 = 48;
/// Room for the names of files and ranks.
const EDGE: u32 = 22;

/// A picture of the last position of a line.
#[derive(Debug, Clone)]
pub struct Picture<'a> {
    line: &'a AnyLine,
    marked: Vec<String>,
    arrows: Vec<Vec<String>>,
    beam: Option<Side>,
    styled: bool,
    flipped: bool,
    title: String,
}

impl<'a> Picture<'a> {
    /// The board and the pieces.
    pub fn new(line: &'a AnyLine) -> Self {
        Self {
            line,
            marked: Vec::new(),
            arrows: Vec::new(),
            beam: None,
            styled: false,
            flipped: false,
            title: String::new(),
        }
    }

    /// Tints squares, as those of the last move; names that are no squares are
    /// passed over.
    #[must_use]
    pub fn mark(mut self, squares: &[String]) -> Self {
        self.marked.extend_from_slice(squares);
        self
    }

    /// Draws an arrow through squares, as of a move that is proposed.
    #[must_use]
    pub fn arrow(mut self, squares: &[String]) -> Self {
        self.arrows.push(squares.into());
        self
    }

    /// Draws the beam that a King would fire now, in Leiserchess.
    #[must_use]
    pub fn beam(mut self, side: Side) -> Self {
        self.beam = Some(side);
        self
    }

    /// Puts the second player at the bottom.
    #[must_use]
    pub fn flip(mut self, flipped: bool) -> Self {
        self.flipped = flipped;
        self
    }

    /// Words for those who cannot see it.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = title.into();
        self
    }

    /// Brings the style sheet along, so that the picture can be a file.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.styled = true;
        self
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let board = Board::of(self.line, self.flipped);
        let mut out = Drawing(String::new());
        out.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"qb\" viewBox=\"0 0 {} {}\" role=\"img\">",
            board.width(),
            board.height()
        ));
        if self.styled {
            out.put(format_args!("<style>{STYLE}</style>"));
        }
        if !self.title.is_empty() {
            out.put(format_args!("<title>{}</title>", escape(&self.title)));
        }
        board.squares(&mut out);
        for square in self.marked.iter().filter_map(|name| board.find(name)) {
            let (x, y) = board.corner(square);
            out.put(format_args!(
                "<rect class=\"m\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>"
            ));
        }
        for piece in self.line.pieces() {
            board.piece(&mut out, &piece);
        }
        if let Some(beam) = self.beam.and_then(|side| self.line.beam(side)) {
            let squares = core::iter::once(&beam.king).chain(&beam.path);
            board.path(&mut out, squares, "r");
        }
        for squares in &self.arrows {
            board.arrow(&mut out, squares);
        }
        out.put(format_args!("</svg>"));
        out.0
    }
}

/// A text on its way into markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // No control character has a place in markup.
            c if c.is_control() && c != '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

struct Drawing(String);

impl Drawing {
    fn put(&mut self, what: core::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(what);
    }
}

/// Where things are.
struct Board {
    files: u32,
    ranks: u32,
    /// The number of the first rank.
    first: u32,
    /// A row above and one below, for the goals of Gyges.
    goals: bool,
    flipped: bool,
}

/// A square, counted from the lower left; ranks below and above the board are
/// the goals.
#[derive(Clone, Copy)]
struct Square {
    file: f64,
    rank: f64,
}

impl Board {
    fn of(line: &AnyLine, flipped: bool) -> Self {
        let (files, ranks) = line.size();
        Self {
            files: files.into(),
            ranks: ranks.into(),
            first: u32::from(line.game() != Game::Leiser),
            goals: line.game() == Game::Gyges,
            flipped,
        }
    }

    const fn extra(&self) -> u32 {
        if self.goals { CELL } else { 0 }
    }

    const fn width(&self) -> u32 {
        self.files * CELL + EDGE
    }

    const fn height(&self) -> u32 {
        self.ranks * CELL + EDGE + 2 * self.extra()
    }

    /// The square with that name, `e4`, `aa10`, `P1`.
    fn find(&self, name: &str) -> Option<Square> {
        let middle = f64::from(self.files - 1) / 2.0;
        match name {
            "P1" if self.goals => {
                return Some(Square {
                    file: middle,
                    rank: -1.0,
                });
            }
            "P2" if self.goals => {
                let rank = f64::from(self.ranks);
                return Some(Square { file: middle, rank });
            }
            _ => {}
        }
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (letters, number) = name.split_at(digits);
        let file = letters.bytes().try_fold(0_u32, |file, letter| {
            let letter = letter.to_ascii_lowercase().checked_sub(b'a')?;
            let value = file.checked_mul(26)?.checked_add(u32::from(letter) + 1)?;
            (letter < 26).then_some(value)
        })?;
        let file = file.checked_sub(1).filter(|file| *file < self.files)?;
        let rank = number.parse::<u32>().ok()?.checked_sub(self.first)?;
        (rank < self.ranks).then(|| Square {
            file: file.into(),
            rank: rank.into(),
        })
    }

    /// The upper left corner of a square in the picture.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (files, ranks) = (f64::from(self.files), f64::from(self.ranks));
        let (file, row) = if self.flipped {
            (files - 1.0 - square.file, square.rank)
        } else {
            (square.file, ranks - 1.0 - square.rank)
        };
        let cell = f64::from(CELL);
        (
            f64::from(EDGE) + file * cell,
            f64::from(self.extra()) + row * cell,
        )
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        let half = f64::from(CELL) / 2.0;
        (x + half, y + half)
    }

    fn squares(&self, out: &mut Drawing) {
        let (x, y) = (EDGE, self.extra());
        let (width, height) = (self.files * CELL, self.ranks * CELL);
        out.put(format_args!(
            "<rect class=\"l\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        ));
        // One path for all dark squares: a board may have thousands.
        let mut dark = String::new();
        for rank in 0..self.ranks {
            for file in (rank % 2..self.files).step_by(2) {
                let (x, y) = self.corner(Square {
                    file: file.into(),
                    rank: rank.into(),
                });
                let _ = write!(dark, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
            }
        }
        out.put(format_args!("<path class=\"d\" d=\"{dark}\"/>"));
        for goal in ["P1", "P2"].into_iter().filter_map(|name| self.find(name)) {
            let (x, y) = self.corner(goal);
            out.put(format_args!(
                "<rect class=\"l\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" rx=\"12\"/>"
            ));
        }
        self.names(out);
    }

    fn names(&self, out: &mut Drawing) {
        let low = self.height() - 6;
        for file in 0..self.files {
            let (x, _) = self.middle(Square {
                file: file.into(),
                rank: 0.0,
            });
            let name = file_name(file);
            out.put(format_args!("<text x=\"{x}\" y=\"{low}\">{name}</text>"));
        }
        for rank in 0..self.ranks {
            let (_, y) = self.middle(Square {
                file: 0.0,
                rank: rank.into(),
            });
            let (x, y, name) = (EDGE / 2, y + 5.0, rank + self.first);
            out.put(format_args!("<text x=\"{x}\" y=\"{y}\">{name}</text>"));
        }
    }

    fn piece(&self, out: &mut Drawing, piece: &PieceView) {
        let Some(square) = self.find(&piece.square) else {
            return;
        };
        let corner = self.corner(square);
        let class = match piece.side {
            Some(Side::White) => 'w',
            Some(Side::Black) => 'k',
            None => 'n',
        };
        let mut letters = piece.piece.chars();
        let (letter, more) = (letters.next().unwrap_or(' '), letters.next().is_some());
        if let Some(rings) = letter.to_digit(10).filter(|_| piece.side.is_none()) {
            self.rings(out, square, rings);
        } else if more {
            if let Some((shape, degrees)) = turned(&piece.piece) {
                let half_turn = if self.flipped { 180 } else { 0 };
                draw(
                    out,
                    shape,
                    class,
                    corner,
                    f64::from(CELL),
                    degrees + half_turn,
                );
            }
        } else if let Some(shape) = of_letter(letter.to_ascii_lowercase()) {
            draw(out, shape, class, corner, f64::from(CELL), 0);
        }
    }

    fn rings(&self, out: &mut Drawing, square: Square, rings: u32) {
        let (x, y) = self.middle(square);
        for ring in (0..rings.min(3)).rev() {
            let r = 8 + 6 * ring;
            out.put(format_args!(
                "<circle class=\"n\" stroke-width=\"2.5\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
            ));
        }
    }

    fn path<'n>(
        &self,
        out: &mut Drawing,
        squares: impl Iterator<Item = &'n String>,
        class: &str,
    ) -> Vec<(f64, f64)> {
        let points: Vec<(f64, f64)> = squares
            .filter_map(|name| self.find(name))
            .map(|square| self.middle(square))
            .collect();
        if points.len() > 1 {
            let words: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
            let words = words.join("L");
            out.put(format_args!("<path class=\"{class}\" d=\"M{words}\"/>"));
        }
        points
    }

    fn arrow(&self, out: &mut Drawing, squares: &[String]) {
        let points = self.path(out, squares.iter(), "a");
        let [.., (x0, y0), (x1, y1)] = points[..] else {
            return;
        };
        let length = (x1 - x0).hypot(y1 - y0).max(1.0);
        let (dx, dy) = ((x1 - x0) / length * 14.0, (y1 - y0) / length * 14.0);
        out.put(format_args!(
            "<path class=\"a\" d=\"M{:.1} {:.1}L{x1} {y1}L{:.1} {:.1}\"/>",
            x1 - dx - dy,
            y1 - dy + dx,
            x1 - dx + dy,
            y1 - dy - dx
        ));
    }
}

fn draw(out: &mut Drawing, shape: Shape, class: char, (x, y): (f64, f64), size: f64, degrees: u16) {
    match shape {
        Shape::Plain { body, lines } => {
            let scale = size / 100.0;
            let turn = match degrees % 360 {
                0 => String::new(),
                degrees => format!(" rotate({degrees} 50 50)"),
            };
            out.put(format_args!(
                "<g class=\"p {class}\" transform=\"translate({x} {y}) scale({scale}){turn}\"><path d=\"{body}\"/>"
            ));
            if !lines.is_empty() {
                out.put(format_args!("<path class=\"i\" d=\"{lines}\"/>"));
            }
            out.put(format_args!("</g>"));
        }
        Shape::Both(first, second) => {
            let small = size * 0.66;
            let places = [(x, y + size * 0.28), (x + size * 0.36, y + size * 0.06)];
            for (letter, place) in [first, second].into_iter().zip(places) {
                // The parts are plain shapes themselves: a test says so.
                if let Some(part @ Shape::Plain { .. }) = of_letter(letter) {
                    draw(out, part, class, place, small, 0);
                }
            }
        }
    }
}

fn file_name(file: u32) -> String {
    let mut letters = String::new();
    let mut rest = file + 1;
    while rest > 0 {
        rest -= 1;
        letters.insert(0, char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liberty::Kind;

    #[test]
    fn every_kind_of_piece_has_a_shape() {
        let mut seen = Vec::new();
        for kind in Kind::ALL {
            let shape = of_letter(kind.letter()).unwrap();
            assert!(!seen.contains(&shape), "{kind:?} looks like another");
            if let Shape::Both(one, other) = shape {
                for part in [one, other] {
                    assert!(matches!(of_letter(part), Some(Shape::Plain { .. })));
                }
            }
            seen.push(shape);
        }
    }

    #[test]
    fn every_piece_of_every_game_is_drawn() {
        for game in Game::ALL {
            let line = AnyLine::start(game);
            let svg = Picture::new(&line).svg();
            let drawn = svg.matches("<g class=\"p ").count();
            let circles = svg.matches("<circle ").count();
            let expected = match game {
                // Two of 1, 2 and 3 rings on each side.
                Game::Gyges => (0, 24),
                _ => (line.pieces().len(), 0),
            };
            assert_eq!((drawn, circles), expected, "{game}");
        }
        for (name, text) in AnyLine::presets(Game::Liberty, "").unwrap() {
            let line = AnyLine::new(Game::Liberty, "", &text).unwrap();
            let svg = Picture::new(&line).svg();
            let drawn = svg.matches("<g class=\"p ").count();
            assert!(drawn >= line.pieces().len(), "{name}");
        }
    }

    #[test]
    fn squares_are_found_by_their_names() {
        let find = |game, name: &str| {
            let line = AnyLine::start(game);
            let found = Board::of(&line, false).find(name)?;
            Some((found.file, found.rank))
        };
        assert_eq!(find(Game::Chess, "e4"), Some((4.0, 3.0)));
        assert_eq!(find(Game::Leiser, "a0"), Some((0.0, 0.0)));
        assert_eq!(find(Game::Gyges, "P2"), Some((2.5, 6.0)));
        for name in ["i1", "a9", "a0", "", "7", "a", "P1", "ä1", "a99999999999"] {
            assert_eq!(find(Game::Chess, name), None, "{name}");
        }
        for file in [0, 25, 26, 255] {
            let wide = Board {
                files: 256,
                ranks: 2,
                first: 1,
                goals: false,
                flipped: false,
            };
            let name = file_name(file) + "1";
            assert_eq!(
                wide.find(&name).map(|s| s.file),
                Some(file.into()),
                "{name}"
            );
        }
    }

    #[test]
    fn what_others_wrote_is_no_markup() {
        let line = AnyLine::start(Game::Chess);
        let svg = Picture::new(&line).title("<b>\"'&\x07").svg();
        assert!(svg.contains("<title>&lt;b&gt;&quot;&#39;&amp; </title>"));
        let odd = ["<script>".to_owned()];
        let svg = Picture::new(&line).mark(&odd).arrow(&odd).svg();
        assert!(!svg.contains("script"));
    }
}
