//! The numbers of a net.

use quadrille_games::Side;

use super::inputs::{Inputs, Shape};
use super::kernel::Kernel;
use crate::score::Value;

/// Numbers in a [`Block`].
pub const LANES: usize = 32;
/// What stands for 1 in the first layer and its sums.
pub const ONE: i16 = 255;
/// What stands for 1 in the weights of the last layer.
pub const WEIGHT_ONE: i16 = 256;

/// As many numbers as the widest register holds, aligned for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zero.
    pub const ZERO: Self = Self([0; LANES]);
}

/// The numbers of a net as a trainer makes them, rounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    /// A multiple of [`LANES`].
    pub neurons: usize,
    /// One row of `neurons` for each feature, in units of 1 / [`ONE`].
    pub rows: Vec<i16>,
    /// Where the sums begin, in the same units.
    pub start: Vec<i16>,
    /// For each bucket first the mover's `neurons`, then the other side's, in
    /// units of 1 / [`WEIGHT_ONE`], none beyond 127.
    pub last: Vec<i16>,
    /// For each bucket, in units of 1 / ([`ONE`] * [`WEIGHT_ONE`]).
    pub bias: Vec<i32>,
    /// What an output of 1 is worth in hundredths of a pawn.
    pub scale: i32,
}

/// A net ready to be asked.
#[derive(Debug, Clone)]
pub struct Net {
    shape: Shape,
    kernel: Kernel,
    /// Blocks in a row.
    width: usize,
    rows: Vec<Block>,
    start: Vec<Block>,
    last: Vec<Block>,
    bias: Vec<i32>,
    scale: i32,
    /// What the file says about itself, a `key value` a line.
    about: String,
}

fn blocks(numbers: &[i16]) -> Vec<Block> {
    let (chunks, []) = numbers.as_chunks::<LANES>() else {
        return Vec::new();
    };
    chunks.iter().map(|chunk| Block(*chunk)).collect()
}

impl Net {
    /// The numbers must fit the shape, as a trainer makes them; the reader of files
    /// has checked that.
    pub fn new(shape: Shape, numbers: &Numbers, about: String) -> Self {
        Self {
            shape,
            kernel: Kernel::best(),
            width: numbers.neurons / LANES,
            rows: blocks(&numbers.rows),
            start: blocks(&numbers.start),
            last: blocks(&numbers.last),
            bias: numbers.bias.clone(),
            scale: numbers.scale,
            about,
        }
    }

    /// The same net, computed in another way.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// The set of features it reads.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What its file says about it, a `key value` a line.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Sums for each view.
    pub const fn neurons(&self) -> usize {
        self.width * LANES
    }

    pub(crate) const fn kernel(&self) -> Kernel {
        self.kernel
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn start(&self) -> &[Block] {
        &self.start
    }

    /// The row of a feature.
    #[inline]
    pub(crate) fn row(&self, feature: usize) -> &[Block] {
        &self.rows[feature * self.width..(feature + 1) * self.width]
    }

    /// From the sums of both views, the mover's first, to a value.
    #[inline]
    pub(crate) fn judge(&self, mover: &[Block], other: &[Block], bucket: usize) -> Value {
        let (ours, theirs) = self.last(bucket);
        let sum =
            self.kernel.clipped_squares(mover, ours) + self.kernel.clipped_squares(other, theirs);
        self.out(sum, bucket)
    }

    /// The same from the features of both views.
    #[inline]
    pub(crate) fn judge_features(&self, mover: &[u16], other: &[u16], bucket: usize) -> Value {
        let (ours, theirs) = self.last(bucket);
        let squares = |features: &[u16], weights: &[Block]| {
            let (start, rows) = (&self.start, &self.rows);
            self.kernel
                .clipped_squares_of(start, rows, features, weights)
        };
        self.out(squares(mover, ours) + squares(other, theirs), bucket)
    }

    /// The last layer of a bucket: the weights of the mover's sums and of the
    /// other side's.
    #[inline]
    fn last(&self, bucket: usize) -> (&[Block], &[Block]) {
        let width = self.width;
        self.last[2 * width * bucket..2 * width * (bucket + 1)].split_at(width)
    }

    #[inline]
    fn out(&self, sum: i64, bucket: usize) -> Value {
        let unit = i64::from(ONE) * i64::from(WEIGHT_ONE);
        let out = sum / i64::from(ONE) + i64::from(self.bias[bucket]);
        (out * i64::from(self.scale) / unit) as Value
    }

    /// The net's value of a position from the side to move's point of view,
    /// computed afresh.
    pub fn value<P: Inputs>(&self, position: &P) -> Value {
        let features = |view: Side| {
            let mut features = Vec::with_capacity(self.shape.most);
            position.features(view, |feature| features.push(feature));
            features
        };
        let side = position.side();
        let views = [features(side), features(side.other())];
        self.value_of(&views[0], &views[1], position.bucket())
    }

    /// The same of features, the mover's first. Numbers beyond those of the
    /// shape have no row: the caller has checked them.
    pub fn value_of(&self, mover: &[usize], other: &[usize], bucket: usize) -> Value {
        let sums = |features: &[usize]| {
            let mut sums = self.start.clone();
            for &feature in features {
                self.kernel.apply(&mut sums, &[self.row(feature)], &[]);
            }
            sums
        };
        self.judge(&sums(mover), &sums(other), bucket)
    }
}
