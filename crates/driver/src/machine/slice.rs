//! How soon a thread that wakes gets a processor.

/// Asks for a processor as soon as there is something to do, in return for short turns.
///
/// A thread that reads what engines say runs for some ten microseconds and sleeps again.
/// On a machine whose processors are all busy Linux lets the thread that computes there
/// have its turn first, which is milliseconds, unless the one that wakes has shorter
/// turns. Systems that know no such wish (Linux before 6.12) do as before.
#[cfg(target_os = "linux")]
pub fn wake_promptly() {
    /// Nanoseconds; the shortest that is granted.
    const TURN: u64 = 100_000;

    /// `struct sched_attr` as of its first version.
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }

    let size = size_of::<Attributes>();
    // SAFETY: all of its fields are numbers for which zero is a value.
    let mut attributes: Attributes = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes at most `size` bytes into the structure, which we hold.
    // Zero is the calling thread.
    let known = unsafe {
        libc::syscall(
            libc::SYS_sched_getattr,
            0,
            &raw mut attributes,
            size as libc::c_uint,
            0,
        )
    };
    // A user who gave us another policy has a reason.
    if known != 0 || attributes.policy != libc::SCHED_OTHER as u32 {
        return;
    }
    attributes.size = size as u32;
    attributes.runtime = TURN;
    // SAFETY: the kernel reads `size` bytes of the structure, which we hold. If it refuses
    // nothing has changed.
    unsafe {
        libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0);
    }
}

/// Elsewhere there is no such wish.
#[cfg(not(target_os = "linux"))]
pub const fn wake_promptly() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_wakes_promptly_is_as_nice_as_before() {
        let nice = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
            fields.skip(16).take(1).collect::<String>()
        };
        let before = nice();
        std::thread::spawn(move || {
            wake_promptly();
            assert_eq!(nice(), before);
        })
        .join()
        .unwrap();
    }
}
