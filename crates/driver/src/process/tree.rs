//! The processes below an engine, found by asking the kernel who started whom.
//!
//! A process can leave its group, its session and its environment behind, but not
//! its parent: every engine is a subreaper (`system::prepare`), so that what it
//! has started stays below it even when the process in between has ended. This
//! holds while the engine lives, and so the tree is looked at before its root is
//! killed. What outlives an engine that ended by itself goes to the next subreaper
//! above: to us, if the program wants that ([`Orphans`](super::Orphans)).

use std::fs;

use libc::pid_t;

use super::system;

/// Processes that are started while we look are found in the next round; this is
/// for those that never stop starting others.
const ROUNDS: usize = 20;

/// A process and when it began: numbers come again, both together do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    id: pid_t,
    began: u64,
}

impl Known {
    fn signal(self, signal: libc::c_int) {
        let same = || stat(self.id).is_some_and(|stat| stat.began == self.began);
        system::signal_if(self.id, signal, same);
    }

    /// Kills it if it is still there; never another one that has its number.
    pub(super) fn kill(self) {
        self.signal(libc::SIGKILL);
    }
}

/// Kills a child of ours that has not been waited for, its group, and everything
/// below it. They are all stopped first, so that none starts another meanwhile.
pub(super) fn kill(root: u32) {
    system::signal(root, libc::SIGSTOP);
    let mut known = Vec::new();
    for _ in 0..ROUNDS {
        let found = below(root);
        let new: Vec<Known> = found.into_iter().filter(|p| !known.contains(p)).collect();
        if new.is_empty() {
            break;
        }
        for process in new {
            process.signal(libc::SIGSTOP);
            known.push(process);
        }
    }
    system::kill_group(root);
    system::signal(root, libc::SIGKILL);
    known.into_iter().for_each(Known::kill);
}

/// Everything below a process.
pub(super) fn below(root: u32) -> Vec<Known> {
    let mut found = Vec::new();
    let mut parents = vec![root as pid_t];
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            if !found.contains(&child) {
                found.push(child);
                parents.push(child.id);
            }
        }
    }
    found
}

/// The children of a process, with those that only wait to be buried.
pub(super) fn children(parent: pid_t) -> Vec<Known> {
    let ids = listed(parent).unwrap_or_else(|| searched(parent));
    let known = |id: pid_t| {
        // A number from a list that is old by now may be another process's.
        let stat = stat(id).filter(|stat| stat.parent == parent)?;
        let began = stat.began;
        Some(Known { id, began })
    };
    ids.into_iter().filter_map(known).collect()
}

impl From<Known> for pid_t {
    fn from(known: Known) -> Self {
        known.id
    }
}

/// As the kernel lists them, where it was built to.
fn listed(parent: pid_t) -> Option<Vec<pid_t>> {
    let mut ids = Vec::new();
    for thread in fs::read_dir(format!("/proc/{parent}/task")).ok()?.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(text) => ids.extend(text.split_ascii_whitespace().flat_map(str::parse::<pid_t>)),
            // A thread that has just ended has a folder no more.
            Err(_) if thread.path().exists() => return None,
            Err(_) => {}
        }
    }
    Some(ids)
}

/// By looking at every process.
fn searched(parent: pid_t) -> Vec<pid_t> {
    let number = |name: std::ffi::OsString| name.to_str()?.parse().ok();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|process| number(process.file_name()));
    ids.filter(|id| stat(*id).is_some_and(|stat| stat.parent == parent))
        .collect()
}

struct Stat {
    parent: pid_t,
    began: u64,
}

/// From `/proc/ID/stat`: behind the name, which may hold anything, come the state,
/// the parent, and eighteen fields later the time of the start.
fn stat(id: pid_t) -> Option<Stat> {
    let text = fs::read(format!("/proc/{id}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (_, rest) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        began: fields.get(19)?.parse().ok()?,
    })
}
