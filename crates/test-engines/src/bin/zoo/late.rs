//! Engines that answer after their flag has fallen, each in its own way. All of
//! them see the clock and choose to be late: no machine took the time from them.

use std::hint::spin_loop;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use super::quirk::Quirk;

/// So long before the flag falls the sleeper wakes up.
const SHORTLY: Duration = Duration::from_millis(20);

/// Takes this time and a while longer. Whether that was one of the ways to be
/// late.
pub(crate) fn be_late(quirk: Quirk, time: Duration, longer: Duration) -> bool {
    let start = Instant::now();
    let end = start + time + longer;
    match quirk {
        Quirk::SleepsLate => sleep_until(end),
        Quirk::SpinsLate => spin_until(end),
        Quirk::SleepsThenSpins => {
            sleep_until(start + time.saturating_sub(SHORTLY));
            spin_until(end);
        }
        Quirk::HelperSpins => {
            let helper = thread::spawn(move || spin_until(end));
            sleep_until(end);
            // It ends by itself.
            let _ = helper.join();
        }
        Quirk::PollsLate => {
            while Instant::now() < end {
                sleep(Duration::from_millis(1));
            }
        }
        _ => return false,
    }
    true
}

fn sleep_until(end: Instant) {
    sleep(end.saturating_duration_since(Instant::now()));
}

fn spin_until(end: Instant) {
    while Instant::now() < end {
        spin_loop();
    }
}
