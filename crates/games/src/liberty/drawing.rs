//! The board as text for a terminal.

use core::fmt::Write;

use super::Liberty;
use super::kind::cell;
use super::squares;

impl Liberty {
    /// Ranks from the top, rank numbers on the left, file letters below. All
    /// columns are as wide as the widest file name.
    pub(super) fn draw_board(&self) -> String {
        let (width, height) = (self.setup.variant.width, self.setup.variant.height);
        let column = squares::file_name(width - 1).len() + 1;
        let margin = height.to_string().len();
        // Writing to a String cannot fail.
        let mut text = String::new();
        let rows: Vec<_> = self.setup.rows().collect();
        for (rank, row) in rows.into_iter().enumerate().rev() {
            let _ = write!(text, "{:>margin$}", rank + 1);
            for at in row {
                let letter = cell::piece(self.board[at]).map_or('.', super::Piece::letter);
                let _ = write!(text, "{letter:>column$}");
            }
            text.push('\n');
        }
        text.push_str(&" ".repeat(margin));
        for file in 0..width {
            let _ = write!(text, "{:>column$}", squares::file_name(file));
        }
        text.push('\n');
        text
    }
}
