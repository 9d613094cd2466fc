//! Wide boards cut into panels that fit the terminal.

/// Fewer files than this in a panel are of no help.
const LEAST_FILES: usize = 8;

/// Cuts a drawing with `files` columns into panels at most `width` characters
/// wide, each with its rank numbers, and with the file letters above and below.
/// A drawing that fits, or that is not made of equal columns, stays as it is.
pub(crate) fn cut(drawing: &str, files: usize, width: usize) -> String {
    let lines: Vec<&str> = drawing.lines().collect();
    let Some(shape) = Shape::of(&lines, files) else {
        return drawing.into();
    };
    if shape.margin + shape.column * files <= width {
        return drawing.into();
    }
    let fitting = width.saturating_sub(shape.margin) / shape.column;
    let per_panel = fitting.clamp(LEAST_FILES.min(files), files);
    let (Some((labels, rows)), true) = (lines.split_last(), drawing.is_ascii()) else {
        return drawing.into();
    };
    let mut out = String::new();
    for first in (0..files).step_by(per_panel) {
        let from = shape.margin + first * shape.column;
        let to = shape.margin + files.min(first + per_panel) * shape.column;
        if first > 0 {
            out.push('\n');
        }
        let parts = core::iter::once(labels).chain(rows).chain([labels]);
        for line in parts {
            out.push_str(&line[..shape.margin]);
            out.push_str(&line[from..to]);
            out.push('\n');
        }
    }
    out
}

/// Widths of a drawing whose lines all have the same length.
struct Shape {
    margin: usize,
    column: usize,
}

impl Shape {
    fn of(lines: &[&str], files: usize) -> Option<Self> {
        let length = lines.first()?.len();
        let rows = lines.len().checked_sub(1)?;
        let margin = rows.to_string().len();
        let cells = length.checked_sub(margin)?;
        let even = files > 0 && cells > 0 && cells % files == 0;
        let same = lines.iter().all(|line| line.len() == length);
        (even && same).then(|| Self {
            margin,
            column: cells / files,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: &str = "\
2 a . . . . . . . . b . . . . . . . . c
1 . . . . . . . . . . . . . . . . . . d
  a b c d e f g h i j k l m n o p q r s
";

    #[test]
    fn a_board_that_fits_stays() {
        assert_eq!(cut(WIDE, 19, 39), WIDE);
        assert_eq!(cut("odd\nlines here\n", 3, 2), "odd\nlines here\n");
        assert_eq!(cut("", 3, 2), "");
        assert_eq!(cut(WIDE, 0, 2), WIDE);
    }

    #[test]
    fn a_wide_board_is_cut() {
        let expected = "  a b c d e f g h i j
2 a . . . . . . . . b
1 . . . . . . . . . .
  a b c d e f g h i j

  k l m n o p q r s
2 . . . . . . . . c
1 . . . . . . . . d
  k l m n o p q r s
";
        assert_eq!(cut(WIDE, 19, 22), expected);
        // No width is so small that a panel disappears.
        assert_eq!(cut(WIDE, 19, 0).lines().count(), 3 * 4 + 2);
    }
}
