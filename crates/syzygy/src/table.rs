//! One table: its header, its parts, and what it says of a position.

use quadrille_games::chess::{Chess, Piece};
use quadrille_games::{Position, Side};

use crate::error::{Fault, TableKind};
use crate::material::Material;
use crate::order::{Listed, Order, lead_file};
use crate::pairs::{Reader, Values};
use crate::store::Store;
use crate::wdl::Wdl;

/// Flags of a part of a table of distances.
mod flag {
    /// The side to move: set for the side that is second in the header.
    pub(super) const SECOND_SIDE: u8 = 1;
    /// Values are numbers of entries in a list.
    pub(super) const LISTED: u8 = 2;
    /// Wins are counted in plies, otherwise in moves.
    pub(super) const WIN_PLIES: u8 = 4;
    /// Losses are counted in plies, otherwise in moves.
    pub(super) const LOSS_PLIES: u8 = 8;
    /// The entries of the list have two bytes.
    pub(super) const WIDE: u8 = 16;
}

/// A table in use.
pub(crate) struct Table {
    store: Store,
    /// What the sides have as the header sees it: the name's, or its mirror image.
    material: Material,
    symmetric: bool,
    /// The pawns that decide which file's part is asked.
    lead_pawn: Option<Piece>,
    /// For each file, or once: one part, or one for each side to move.
    parts: Vec<Part>,
    sides: usize,
}

struct Part {
    order: Order,
    values: Values,
    flags: u8,
    /// Distances for a win, a loss, a cursed win and a blessed loss.
    lists: [Vec<u16>; 4],
}

/// What a table of distances says.
pub(crate) enum Distance {
    /// Plies until the last before the next capture or pawn move.
    Plies(i32),
    /// It is only about the other side to move.
    OtherSide,
}

impl Table {
    /// Reads the header of a table that should be about this material.
    pub(crate) fn read(store: Store, kind: TableKind, material: Material) -> Result<Self, Fault> {
        if store.size() % 64 != 16 {
            return Err(Fault::Length);
        }
        let mut reader = Reader::new(&store, 0);
        if reader.bytes(4)? != kind.magic() {
            return Err(Fault::Magic);
        }
        let layout = reader.byte()?;
        let has_pawns = material.has_pawns();
        if (layout & 2 != 0) != has_pawns {
            return Err(Fault::Header(
                "with pawns by its name or its flags, not both",
            ));
        }
        // Distances are kept for one side to move; results for both, unless the
        // sides are alike.
        let sides = if kind == TableKind::Wdl && layout & 1 != 0 {
            2
        } else {
            1
        };
        if kind == TableKind::Wdl && sides == 1 && !material.is_symmetric() {
            return Err(Fault::Header("results for one side only"));
        }
        let files = if has_pawns { 4 } else { 1 };
        let orders = read_orders(&mut reader, material, files, sides)?;
        let parts = read_parts(&mut reader, kind, orders)?;
        let first = parts.first().map(|part| &part.order);
        let seen = first.and_then(Order::material).unwrap_or(material);
        Ok(Self {
            material: seen,
            symmetric: material.is_symmetric(),
            lead_pawn: first.and_then(Order::first_piece).filter(|_| has_pawns),
            parts,
            sides,
            store,
        })
    }

    /// Whether the header's White is the board's Black, and which side to move
    /// that makes it.
    fn view(&self, position: &Chess, material: Material) -> (bool, usize) {
        let black = position.side() == Side::Black;
        if self.symmetric {
            return (black, 0);
        }
        let exchanged = material != self.material;
        (exchanged, usize::from(black != exchanged))
    }

    fn file(&self, position: &Chess, exchanged: bool) -> usize {
        let file = self
            .lead_pawn
            .and_then(|pawn| lead_file(position, pawn, exchanged));
        file.map_or(0, usize::from)
    }

    fn value(&self, part: &Part, position: &Chess, exchanged: bool) -> Result<u16, Fault> {
        let number = part.order.number(position, exchanged);
        let number = number.ok_or(Fault::Contents("no number for this position"))?;
        part.values.get(&self.store, number)
    }

    /// The stored result of a position with this material. Where a capture is at
    /// least as good, it may be a worse one.
    pub(crate) fn result(&self, position: &Chess, material: Material) -> Result<Wdl, Fault> {
        const NO_RESULT: Fault = Fault::Contents("a value that is no result");
        let (exchanged, side) = self.view(position, material);
        let place = self.file(position, exchanged) * self.sides + side;
        let part = self.parts.get(place).ok_or(NO_RESULT)?;
        // Results have eight bits; what is above them means nothing.
        match self.value(part, position, exchanged)? & 0xff {
            0 => Ok(Wdl::Loss),
            1 => Ok(Wdl::BlessedLoss),
            2 => Ok(Wdl::Draw),
            3 => Ok(Wdl::CursedWin),
            4 => Ok(Wdl::Win),
            _ => Err(NO_RESULT),
        }
    }

    /// The stored distance of a position with this material and result, which is
    /// no draw.
    pub(crate) fn distance(
        &self,
        position: &Chess,
        material: Material,
        result: Wdl,
    ) -> Result<Distance, Fault> {
        const NO_DISTANCE: Fault = Fault::Contents("a value that is no distance");
        let (exchanged, side) = self.view(position, material);
        let part = self.parts.get(self.file(position, exchanged));
        let part = part.ok_or(NO_DISTANCE)?;
        let stored = usize::from(part.flags & flag::SECOND_SIDE);
        if stored != side && !self.symmetric {
            return Ok(Distance::OtherSide);
        }
        let mut value = self.value(part, position, exchanged)?;
        let (list, in_plies) = match result {
            Wdl::Win => (0, flag::WIN_PLIES),
            Wdl::Loss => (1, flag::LOSS_PLIES),
            Wdl::CursedWin => (2, 0),
            _ => (3, 0),
        };
        if part.flags & flag::LISTED != 0 {
            let entry = part.lists[list].get(usize::from(value));
            value = *entry.ok_or(NO_DISTANCE)?;
        }
        let moves_to_plies = if part.flags & in_plies != 0 { 1 } else { 2 };
        Ok(Distance::Plies(i32::from(value) * moves_to_plies))
    }
}

/// Reads in which order each part has its pieces. The lists of the two sides to
/// move share bytes: one has the low halves, one the high ones.
fn read_orders(
    reader: &mut Reader<'_>,
    material: Material,
    files: usize,
    sides: usize,
) -> Result<Vec<Order>, Fault> {
    let men = material.men() as usize;
    let both_have_pawns = [material, material.mirrored()].iter().all(|m| {
        m.count(Piece {
            side: Side::White,
            kind: quadrille_games::chess::PieceKind::Pawn,
        }) > 0
    });
    let digits = 1 + usize::from(both_have_pawns);
    let mut orders = Vec::with_capacity(files * sides);
    for file in 0..files {
        let bytes = reader.bytes(digits + men)?;
        for side in 0..sides {
            let half: Vec<u8> = bytes.iter().map(|byte| byte >> (4 * side) & 15).collect();
            let (digits, codes) = half.split_at(digits);
            let listed = Listed {
                codes,
                lead_digit: digits.first().copied().unwrap_or(0),
                pawn_digit: digits.get(1).copied(),
                file: (files > 1).then_some(file as u8),
            };
            orders.push(Order::new(&listed, material)?);
        }
    }
    let looks = |order: &Order| (order.material(), order.first_piece());
    let first = orders.first().map(looks);
    // Which pieces lead a part is its own choice, but not whose pawns do.
    let alike = orders.iter().all(|order| {
        let (material, piece) = looks(order);
        first.is_some_and(|(m, p)| m == material && (files == 1 || p == piece))
    });
    if !alike {
        return Err(Fault::Header("parts that are about different pieces"));
    }
    reader.align(2);
    Ok(orders)
}

/// Reads the parts' dictionaries and lists, and finds where the rest of them is:
/// first all indexes, then all lengths of blocks, then all blocks.
fn read_parts(
    reader: &mut Reader<'_>,
    kind: TableKind,
    orders: Vec<Order>,
) -> Result<Vec<Part>, Fault> {
    let mut parts = Vec::with_capacity(orders.len());
    for order in orders {
        let one = |byte| match kind {
            TableKind::Wdl => u16::from(byte),
            TableKind::Dtz => 0,
        };
        let (flags, values) = Values::read(reader, one)?;
        parts.push(Part {
            order,
            values,
            flags,
            lists: Default::default(),
        });
    }
    if kind == TableKind::Dtz {
        for part in &mut parts {
            read_lists(reader, part)?;
        }
        reader.align(2);
    }
    for part in &mut parts {
        part.values.place_index(reader, part.order.size())?;
    }
    for part in &mut parts {
        part.values.place_lengths(reader)?;
    }
    for part in &mut parts {
        part.values.place_blocks(reader)?;
    }
    Ok(parts)
}

fn read_lists(reader: &mut Reader<'_>, part: &mut Part) -> Result<(), Fault> {
    if part.flags & flag::LISTED == 0 {
        return Ok(());
    }
    let wide = part.flags & flag::WIDE != 0;
    if wide {
        reader.align(2);
    }
    for list in &mut part.lists {
        let count = if wide {
            usize::from(reader.word()?)
        } else {
            usize::from(reader.byte()?)
        };
        let width = 1 + usize::from(wide);
        let bytes = reader.bytes(count * width)?;
        *list = bytes
            .chunks_exact(width)
            .map(|entry| {
                entry
                    .iter()
                    .rev()
                    .fold(0, |n, &byte| n << 8 | u16::from(byte))
            })
            .collect();
    }
    Ok(())
}
