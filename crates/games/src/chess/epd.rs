//! Extended Position Description: a position and remarks about it.

use core::fmt::{self, Write as _};

use super::board::Chess;
use super::fen::{Care, Fields, error, number, read_four};
use super::moves::Move;
use super::rules::ChessRules;
use super::write::FenStyle;
use crate::error::{MoveError, PositionError, PositionErrorKind};
use crate::position::Position;

/// A position with operations such as `bm Nf3;` or `id "WAC.001";`, in the
/// order in which they were written.
///
/// Reading is tolerant: the last semicolon may be missing, semicolons may
/// stand alone, and a full FEN may take the place of the four fields. The
/// operations `hmvc` and `fmvn` set the clocks of the position.
///
/// ```
/// use quadrille_games::{Position, chess::Epd};
/// let line = r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id "pawn; first";"#;
/// let epd = Epd::parse(line, &Default::default()).unwrap();
/// assert_eq!(epd.moves("bm").unwrap().len(), 2);
/// assert_eq!(epd.operands("id").unwrap()[0].as_str(), "pawn; first");
/// assert_eq!(epd.to_string(), line);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub position: Chess,
    /// What is said about it.
    pub operations: Vec<Operation>,
}

/// One operation: an opcode and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The name, for instance `bm` or `id`.
    pub opcode: String,
    /// What follows the name.
    pub operands: Vec<Operand>,
}

/// One operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A move, a number or another word without quotes.
    Word(String),
    /// A text in double quotes.
    Text(String),
}

impl Operand {
    /// What it says, without quotes.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }
}

const FIELD: &str = "operation";

impl Epd {
    /// Reads one line.
    pub fn parse(line: &str, rules: &ChessRules) -> Result<Self, PositionError> {
        let mut fields = Fields::new(line);
        let mut position = read_four(&mut fields, Care::Tolerant)?;
        position.chess960 |= rules.chess960;
        read_clocks(&mut position, &mut fields)?;
        let rest = fields.rest();
        let mut reader = Reader {
            line,
            at: rest.start,
        };
        let mut operations = Vec::new();
        while let Some((at, operation)) = reader.operation()? {
            apply(&mut position, &operation, at)?;
            operations.push(operation);
        }
        Ok(Self {
            position,
            operations,
        })
    }

    /// The operands of the first operation with this opcode.
    pub fn operands(&self, opcode: &str) -> Option<&[Operand]> {
        let found = self.operations.iter().find(|o| o.opcode == opcode)?;
        Some(&found.operands)
    }

    /// The operands of an opcode read as moves: `bm`, `am`, `sm`. Empty if the
    /// opcode is not there.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, MoveError> {
        let operands = self.operands(opcode).unwrap_or_default();
        operands
            .iter()
            .map(|o| self.position.parse_notation(o.as_str()))
            .collect()
    }
}

/// The two numbers of a full FEN, if they stand where operations begin.
fn read_clocks(position: &mut Chess, fields: &mut Fields<'_>) -> Result<(), PositionError> {
    for name in ["halfmove clock", "fullmove number"] {
        if !fields.rest().text.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(());
        }
        let Some(mut field) = fields.next() else {
            return Ok(());
        };
        // `0 1;` is as common as `0 1 ;`.
        field.text = field.text.trim_end_matches(';');
        let value = number(name, field, 0)?;
        if name == "halfmove clock" {
            position.halfmove = value as u16;
        } else {
            position.set_fullmove(value.max(1) as u32);
        }
    }
    Ok(())
}

/// Lets the clock operations take effect.
fn apply(position: &mut Chess, operation: &Operation, at: usize) -> Result<(), PositionError> {
    let Some(first) = operation.operands.first() else {
        return Ok(());
    };
    let field = super::fen::Field {
        start: at,
        text: first.as_str(),
    };
    match operation.opcode.as_str() {
        "hmvc" => position.halfmove = number("hmvc", field, 0)? as u16,
        "fmvn" => position.set_fullmove(number("fmvn", field, 0)?.max(1) as u32),
        _ => {}
    }
    Ok(())
}

struct Reader<'a> {
    line: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        let rest = &self.line[self.at..];
        self.at = self.line.len() - rest.trim_start_matches(skipped).len();
    }

    /// The next operation and where it starts.
    fn operation(&mut self) -> Result<Option<(usize, Operation)>, PositionError> {
        self.skip(|c| c == ';' || c.is_whitespace());
        let start = self.at;
        let Some(first) = self.line[start..].chars().next() else {
            return Ok(None);
        };
        if !first.is_ascii_alphabetic() {
            return Err(error(FIELD, start, PositionErrorKind::Unexpected(first)));
        }
        let opcode = self.word();
        let mut operands = Vec::new();
        loop {
            self.skip(char::is_whitespace);
            match self.line[self.at..].chars().next() {
                None | Some(';') => break,
                Some('"') => operands.push(Operand::Text(self.quoted()?)),
                Some(_) => operands.push(Operand::Word(self.word())),
            }
        }
        Ok(Some((start, Operation { opcode, operands })))
    }

    fn word(&mut self) -> String {
        let rest = &self.line[self.at..];
        let length = rest
            .find(|c: char| c == ';' || c.is_whitespace())
            .unwrap_or(rest.len());
        self.at += length;
        rest[..length].into()
    }

    fn quoted(&mut self) -> Result<String, PositionError> {
        let inside = &self.line[self.at + 1..];
        let Some(length) = inside.find('"') else {
            let kind = PositionErrorKind::Impossible("this quote is never closed");
            return Err(error(FIELD, self.at, kind));
        };
        self.at += length + 2;
        Ok(inside[..length].into())
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) if !word.is_empty() && !word.contains([' ', ';', '"']) => {
                f.write_str(word)
            }
            Self::Word(text) | Self::Text(text) => {
                f.write_char('"')?;
                // The format has no way to write a quote inside quotes.
                for c in text.chars() {
                    f.write_char(if c == '"' { '\'' } else { c })?;
                }
                f.write_char('"')
            }
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_char(';')
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position.epd_fields(FenStyle::default()))?;
        // The clocks of a full FEN would be lost without these.
        let clocks = [
            ("hmvc", self.position.halfmove_clock(), 0),
            ("fmvn", self.position.fullmove_number(), 1),
        ];
        for (opcode, clock, usual) in clocks {
            // An operation without an operand says nothing.
            let said = |o: &Operation| o.opcode == opcode && !o.operands.is_empty();
            if clock != usual && !self.operations.iter().any(said) {
                write!(f, " {opcode} {clock};")?;
            }
        }
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}
