//! What the operating system must be asked directly: everything `unsafe` of
//! the driver is in this file.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use libc::pid_t;

/// What happens in the child between `fork` and `exec`: a process group of its
/// own, so that the whole tree can be killed; the nice level; the processors;
/// and, on Linux, a signal that kills it when we die, and the duty to adopt what
/// its children leave behind, so that it stays below it.
///
/// The last one fires when the *thread* that forked ends, so what spawns
/// the command must be a thread that lives as long as the process.
pub(super) fn prepare(command: &mut Command, nice: Option<i32>, processors: &[usize]) {
    command.process_group(0);
    let processors = ProcessorSet::new(processors);
    let parent = std::process::id();
    let before_exec = move || {
        die_with(parent)?;
        adopt();
        if let Some(level) = nice {
            set_nice(level)?;
        }
        processors.apply()
    };
    // SAFETY: the closure runs in the forked child. It only makes system calls
    // that are async-signal-safe, reads values that were moved into it, and
    // neither allocates nor takes a lock.
    unsafe {
        command.pre_exec(before_exec);
    }
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

fn set_nice(level: i32) -> io::Result<()> {
    // SAFETY: takes three numbers and touches no memory of ours; 0 is the
    // calling process.
    check(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, level) })
}

#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> io::Result<()> {
    // SAFETY: takes numbers and touches no memory of ours.
    check(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) })?;
    // The parent may have died before the request was made.
    // SAFETY: takes nothing, cannot fail.
    if unsafe { libc::getppid() } == parent as pid_t {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(libc::ESRCH))
    }
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "Linux can fail here")]
fn die_with(_: u32) -> io::Result<()> {
    Ok(())
}

/// Makes the calling process the parent of what its descendants leave behind; this
/// outlives `exec`. Where the kernel does not know it, all else works as well.
#[cfg(target_os = "linux")]
pub(super) fn adopt() -> bool {
    let on: libc::c_ulong = 1;
    // SAFETY: takes numbers and touches no memory of ours.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, on) == 0 }
}

#[cfg(not(target_os = "linux"))]
pub(super) const fn adopt() -> bool {
    false
}

/// The processors that a child may run on; all of them if none is named.
#[cfg(target_os = "linux")]
struct ProcessorSet(Option<libc::cpu_set_t>);

#[cfg(target_os = "linux")]
impl ProcessorSet {
    fn new(processors: &[usize]) -> Self {
        if processors.is_empty() {
            return Self(None);
        }
        // SAFETY: a set is an array of integers; all zeros is the empty set.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // Numbers beyond the set name no processor of this machine; a set that
        // stays empty is refused when it is applied.
        let known = |cpu: &&usize| **cpu < libc::CPU_SETSIZE as usize;
        for &cpu in processors.iter().filter(known) {
            // SAFETY: the index is within the set.
            unsafe { libc::CPU_SET(cpu, &mut set) };
        }
        Self(Some(set))
    }

    fn apply(&self) -> io::Result<()> {
        let Some(set) = &self.0 else {
            return Ok(());
        };
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: the pointer is to a set of the size that is given, and the
        // call only reads it; 0 is the calling thread, the child's only one.
        check(unsafe { libc::sched_setaffinity(0, size, set) })
    }
}

#[cfg(not(target_os = "linux"))]
struct ProcessorSet {
    asked: bool,
}

#[cfg(not(target_os = "linux"))]
impl ProcessorSet {
    fn new(processors: &[usize]) -> Self {
        Self {
            asked: !processors.is_empty(),
        }
    }

    fn apply(&self) -> io::Result<()> {
        if self.asked {
            return Err(io::Error::from_raw_os_error(libc::ENOSYS));
        }
        Ok(())
    }
}

/// Kills the process group of a child of ours. The child must not have been
/// waited for yet: until then no other process can have its number.
pub(super) fn kill_group(id: u32) {
    kill(-(id as pid_t), libc::SIGKILL);
}

/// Sends a signal to a child of ours that has not been waited for.
pub(super) fn signal(id: u32, signal: libc::c_int) {
    kill(id as pid_t, signal);
}

/// Kills a child of ours that has not been waited for and what it has started, as
/// far as the system tells us what that is.
#[cfg(target_os = "linux")]
pub(super) use super::tree::kill as kill_tree;

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_tree(id: u32) {
    kill_group(id);
    // It may have left its group.
    signal(id, libc::SIGKILL);
}

/// A number below zero names a group.
fn kill(id: pid_t, signal: libc::c_int) {
    // SAFETY: takes two numbers and touches no memory of ours. It fails when
    // no process is left, and that is what is wanted.
    unsafe {
        libc::kill(id, signal);
    }
}

/// Sends a signal to a process that is no child of ours, if it is the `same` that
/// was meant. Its number may be another process's at any moment; so it is held
/// first, then looked at.
#[cfg(target_os = "linux")]
pub(super) fn signal_if(id: pid_t, signal: libc::c_int, same: impl FnOnce() -> bool) {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    // SAFETY: takes two numbers and touches no memory of ours.
    let held = unsafe { libc::syscall(libc::SYS_pidfd_open, id, 0) };
    let Ok(held) = libc::c_int::try_from(held) else {
        return;
    };
    if held >= 0 {
        // SAFETY: the kernel has just opened it for us, and nothing else has it.
        let held = unsafe { OwnedFd::from_raw_fd(held) };
        if same() {
            let nothing = std::ptr::null::<libc::siginfo_t>();
            let fd = held.as_raw_fd();
            // SAFETY: the descriptor is open, and a null pointer asks for the
            // information that `kill` would send.
            unsafe { libc::syscall(libc::SYS_pidfd_send_signal, fd, signal, nothing, 0) };
        }
    } else if io::Error::last_os_error().raw_os_error() == Some(libc::ENOSYS) && same() {
        // A kernel before 5.3.
        kill(id, signal);
    }
}

/// Buries a child that we did not start but have adopted.
#[cfg(target_os = "linux")]
pub(super) fn bury(id: pid_t) {
    // SAFETY: a null pointer asks for no status; nothing of ours is touched.
    unsafe {
        libc::waitpid(id, std::ptr::null_mut(), libc::WNOHANG);
    }
}

/// Whether a child of ours has ended. It is not waited for: its number stays
/// its own.
pub(super) fn has_ended(id: u32) -> bool {
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the structure is plain data for which all zeros is a value, and
    // the call writes into it while we hold it.
    let (result, info) = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let result = libc::waitid(libc::P_PID, id as libc::id_t, &raw mut info, flags);
        (result, info)
    };
    // An error means that it is not our child any more.
    result == -1 || info.si_signo != 0
}

/// The clock of a process that counts what it was scheduled for (`CPUCLOCK_SCHED` of the
/// kernel).
#[cfg(target_os = "linux")]
const SCHEDULED: libc::clockid_t = 2;

/// What a process has used of the processors, threads that have ended included.
#[cfg(target_os = "linux")]
pub fn processor_time(id: u32) -> Option<std::time::Duration> {
    // Zero, and -1 by the way it is encoded, would be our own clock.
    let id = pid_t::try_from(id).ok().filter(|id| *id > 0)?;
    // What `clock_getcpuclockid` works out, which then asks the kernel whether there is
    // such a process; reading the clock fails if there is none.
    let clock = (!id << 3) | SCHEDULED;
    // SAFETY: the structure is plain numbers for which zero is a value, and the call
    // writes into it while we hold it.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        if libc::clock_gettime(clock, &raw mut time) != 0 {
            return None;
        }
        time
    };
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(std::time::Duration::new(
        seconds,
        u32::try_from(time.tv_nsec).ok()?,
    ))
}

/// Kills every process that has this entry in its environment: what a child has
/// started inherits it, in whatever group and session it is now.
#[cfg(target_os = "linux")]
pub(super) fn kill_marked(entry: &str) {
    let mut killed = Vec::new();
    // Another one may be started while we look; not for ever, though.
    for _ in 0..5 {
        let found = marked(entry);
        let mut new = found.iter().filter(|id| !killed.contains(*id)).peekable();
        if new.peek().is_none() {
            return;
        }
        new.for_each(|&id| kill(id, libc::SIGKILL));
        killed = found;
    }
}

#[cfg(target_os = "linux")]
fn marked(entry: &str) -> Vec<pid_t> {
    let number = |name: std::ffi::OsString| name.to_str()?.parse().ok();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|process| number(process.file_name()));
    let has_entry = |id: &pid_t| {
        // Those of other users cannot be read, and are not ours.
        let environment = std::fs::read(format!("/proc/{id}/environ"));
        let environment = environment.unwrap_or_default();
        environment
            .split(|&b| b == 0)
            .any(|e| e == entry.as_bytes())
    };
    ids.filter(has_entry).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_marked(_: &str) {}
