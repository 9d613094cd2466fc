//! Signals as whoever started this program left them.

/// Whether the end of the terminal is to be ignored, as under `nohup`. To be asked
/// before SIGHUP is handled.
#[cfg(unix)]
pub fn hangup_is_ignored() -> bool {
    // SAFETY: zeroes are a valid value of this plain structure.
    let mut known: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action the call only fills in the known one.
    let asked = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut known) };
    asked == 0 && known.sa_sigaction == libc::SIG_IGN
}
