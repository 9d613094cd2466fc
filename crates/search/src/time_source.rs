//! Where the time comes from: the system's clock, or one that the caller brings
//! where there is none (the browser) or where none may be (a test).

use core::fmt;
use core::time::Duration;

/// A moment of a [`TimeSource`], as the time since that source's origin. Only
/// moments of the same source can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(Duration);

impl Moment {
    /// The moment this long after the origin.
    pub const fn after_origin(time: Duration) -> Self {
        Self(time)
    }

    /// The moment this long after this one.
    #[must_use]
    pub const fn later(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }

    /// The time that has passed since an earlier moment; zero if it is a later
    /// one.
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// A clock that never goes back.
pub trait TimeSource: fmt::Debug + Send + Sync {
    /// The present moment.
    fn now(&self) -> Moment;
}

/// The clock of the system. All of them agree: their origin is the moment at
/// which the process first asked for one.
///
/// `wasm32-unknown-unknown` has no clock: there it stands still, and the caller
/// brings another.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl TimeSource for SystemClock {
    fn now(&self) -> Moment {
        use std::sync::OnceLock;
        use std::time::Instant;
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        Moment(ORIGIN.get_or_init(Instant::now).elapsed())
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl TimeSource for SystemClock {
    fn now(&self) -> Moment {
        Moment::default()
    }
}
