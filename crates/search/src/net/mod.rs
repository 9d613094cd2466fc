//! Small nets as evaluations.
//!
//! ```text
//! inputs   what a net sees: numbered features, a set for each of two views
//! file     the file of a net, read and checked           kernel   its arithmetic, as wide as the
//! weights  the numbers, aligned                                   processor allows
//! stack    sums of the first layer that follow the board
//! residual the hand-written evaluation and a small net that says what it misses
//! ```
//!
//! All nets have one shape. Each of two views (the side to move, the other side)
//! is a set of features; the rows of the first layer that belong to them are
//! summed up. Both sums go through a clipped square and a last layer, of which
//! a position chooses one of several, to a single number:
//!
//! ```text
//! value = scale * (bias[bucket] + sum of clamp(x, 0, 1)^2 * weight[bucket]) [+ hand-written value]
//! ```
//! All of it is done in integers, and every kernel gives the same ones.

mod file;
mod inputs;
mod kernel;
mod residual;
mod stack;
mod weights;

pub use file::{MOST_NEURONS, NetError, write};
pub use inputs::{Inputs, Shape};
pub use kernel::Kernel;
pub use residual::{FAR, Residual};
pub(crate) use stack::{Follows, NetStack};
pub use weights::{Block, LANES, Net, Numbers, ONE, WEIGHT_ONE};

/// The net that comes with the program, as [`Playable::own_net`](crate::Playable::own_net)
/// of a game; it is read once. Tests read it too: it is whole.
macro_rules! own_net {
    ($game:ty, $file:literal) => {
        fn own_net() -> Option<std::sync::Arc<crate::net::Net>> {
            static NET: std::sync::LazyLock<Option<std::sync::Arc<crate::net::Net>>> =
                std::sync::LazyLock::new(|| {
                    let file = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/", $file));
                    <$game as crate::Playable>::read_net(file).ok()
                });
            NET.clone()
        }
    };
}
pub(crate) use own_net;
