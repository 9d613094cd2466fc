//! The file of a net.
//!
//! ```text
//! file    = "QDNET001", block: about, block: numbers
//! block   = u32 length, u32 checksum (CRC-32), bytes
//! about   = text, a `key value` a line: game, inputs, features, neurons,
//!           buckets, scale, and whatever says how the net was made
//! numbers = i16 rows[features][neurons], i16 start[neurons],
//!           i16 last[buckets][2 * neurons], i32 bias[buckets]
//! ```
//! All numbers are little-endian.

use super::inputs::{Inputs, Shape};
use super::weights::{LANES, Net, Numbers};

const MAGIC: &[u8; 8] = b"QDNET001";
/// Wider nets are too slow to be of use, and lanes could overflow.
pub const MOST_NEURONS: usize = 2048;
/// The largest weight of the last layer, see the kernel.
const MOST_WEIGHT: i16 = 127;

/// Why a file is not a net for this game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetError {
    /// It is another kind of file.
    Foreign,
    /// It is cut short, longer than it should be, or not what its checksums say.
    Damaged(&'static str),
    /// Its description lacks a line, or a line makes no sense.
    Description(&'static str),
    /// It reads other features.
    Inputs {
        /// What the game has.
        wanted: &'static str,
        /// What the file says.
        found: String,
    },
    /// More neurons than any net has.
    Neurons(usize),
    /// This game is never judged by a net.
    NoGame,
    /// A weight that the arithmetic cannot hold.
    Weight(i16),
}

impl core::fmt::Display for NetError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Foreign => write!(f, "not a net: it does not begin with QDNET001"),
            Self::Damaged(why) => write!(f, "a damaged net: {why}"),
            Self::Description(key) => {
                write!(f, "a net whose description has no sensible '{key}'")
            }
            Self::Inputs { wanted, found } => {
                let found = found.escape_debug();
                write!(f, "a net for '{found}'; this game wants one for '{wanted}'")
            }
            Self::Neurons(neurons) => {
                write!(f, "a net of {neurons} neurons; {MOST_NEURONS} is the most")
            }
            Self::NoGame => write!(f, "a file, but this game has no nets"),
            Self::Weight(weight) => write!(
                f,
                "a net with a weight of {weight} in its last layer; {MOST_WEIGHT} is the most"
            ),
        }
    }
}

impl core::error::Error for NetError {}

/// The bytes of a net's file. `made` is a `key value` a line, without the lines
/// that the numbers themselves give.
pub fn write(game: &str, shape: &Shape, numbers: &Numbers, made: &str) -> Vec<u8> {
    let about = format!(
        "game {game}\ninputs {}\nfeatures {}\nneurons {}\nbuckets {}\nscale {}\n{made}",
        shape.name, shape.features, numbers.neurons, shape.buckets, numbers.scale
    );
    let mut bytes = Vec::new();
    let small = [&numbers.rows, &numbers.start, &numbers.last];
    for number in small.into_iter().flatten() {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for number in &numbers.bias {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let mut file = MAGIC.to_vec();
    for block in [about.as_bytes(), &bytes] {
        file.extend_from_slice(&(block.len() as u32).to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        file.extend_from_slice(block);
    }
    file
}

/// Takes a block from the front.
fn block<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], NetError> {
    let short = NetError::Damaged("it is cut short");
    let mut number = || {
        let (head, rest) = bytes.split_first_chunk::<4>()?;
        *bytes = rest;
        Some(u32::from_le_bytes(*head))
    };
    let (Some(length), Some(checksum)) = (number(), number()) else {
        return Err(short);
    };
    let (block, rest) = bytes.split_at_checked(length as usize).ok_or(short)?;
    *bytes = rest;
    if crc32fast::hash(block) != checksum {
        return Err(NetError::Damaged("its checksum is another"));
    }
    Ok(block)
}

impl Net {
    /// Reads the bytes of a file as a net for a game.
    pub fn read<P: Inputs>(bytes: &[u8]) -> Result<Self, NetError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Foreign)?;
        let about = block(&mut rest)?;
        let numbers = block(&mut rest)?;
        if !rest.is_empty() {
            return Err(NetError::Damaged("something lies behind its end"));
        }
        let about = str::from_utf8(about).map_err(|_| NetError::Description("text"))?;
        let numbers = parse(about, numbers, &P::SHAPE)?;
        Ok(Self::new(P::SHAPE, &numbers, about.into()))
    }
}

fn parse(about: &str, bytes: &[u8], shape: &Shape) -> Result<Numbers, NetError> {
    let line = |key: &'static str| {
        let of_key = |line: &'_ str| line.strip_prefix(key)?.strip_prefix(' ').map(String::from);
        about
            .lines()
            .find_map(of_key)
            .ok_or(NetError::Description(key))
    };
    let number = |key: &'static str, most: usize| {
        let value: Option<usize> = line(key)?.trim().parse().ok();
        let value = value.filter(|value| (1..=most).contains(value));
        value.ok_or(NetError::Description(key))
    };
    let found = line("inputs")?;
    if found != shape.name {
        let wanted = shape.name;
        return Err(NetError::Inputs { wanted, found });
    }
    let neurons = number("neurons", usize::MAX)?;
    if neurons > MOST_NEURONS {
        return Err(NetError::Neurons(neurons));
    }
    if neurons % LANES != 0 {
        return Err(NetError::Description("neurons"));
    }
    if number("features", shape.features)? != shape.features {
        return Err(NetError::Description("features"));
    }
    if number("buckets", shape.buckets)? != shape.buckets {
        return Err(NetError::Description("buckets"));
    }
    let scale = number("scale", 10_000)? as i32;
    let small = [
        shape.features * neurons,
        neurons,
        shape.buckets * 2 * neurons,
    ];
    let shorts: usize = small.iter().sum();
    if bytes.len() != 2 * shorts + 4 * shape.buckets {
        return Err(NetError::Damaged("its length is another"));
    }
    let (front, back) = bytes.split_at(2 * shorts);
    let mut shorts = front
        .as_chunks::<2>()
        .0
        .iter()
        .map(|b| i16::from_le_bytes(*b));
    let [rows, start, last] = small.map(|count| shorts.by_ref().take(count).collect::<Vec<_>>());
    if let Some(&weight) = last.iter().find(|w| w.unsigned_abs() > MOST_WEIGHT as u16) {
        return Err(NetError::Weight(weight));
    }
    let bias = back
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| i32::from_le_bytes(*b));
    Ok(Numbers {
        neurons,
        rows,
        start,
        last,
        bias: bias.collect(),
        scale,
    })
}
