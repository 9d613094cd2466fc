//! The processes that an engine has started.

/// The entry in the environment of every engine that we start as a process.
#[cfg(target_os = "linux")]
const MARK: &[u8] = b"QUADRILLE_ENGINE=";

/// The processes below one, as far as the system tells.
#[cfg(target_os = "linux")]
pub(super) fn below(process: Option<u32>) -> Vec<u32> {
    let mut found: Vec<u32> = process.into_iter().collect();
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{id}/task")) else {
            continue;
        };
        for task in tasks.flatten() {
            let list = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            found.extend(
                list.split_whitespace()
                    .filter_map(|word| word.parse::<u32>().ok()),
            );
        }
    }
    found.drain(..found.len().min(1));
    found
}

/// Elsewhere the system is not asked.
#[cfg(not(target_os = "linux"))]
pub(super) fn below(_: Option<u32>) -> Vec<u32> {
    Vec::new()
}

/// What an engine has in its environment that no other has, and that all it starts inherit.
#[cfg(target_os = "linux")]
pub(super) fn mark(process: Option<u32>) -> Option<Vec<u8>> {
    let environment = std::fs::read(format!("/proc/{}/environ", process?)).ok()?;
    let mut entries = environment.split(|byte| *byte == 0);
    let mark = entries.find(|entry| entry.starts_with(MARK))?;
    Some(mark.to_vec())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn mark(_: Option<u32>) -> Option<Vec<u8>> {
    None
}

/// Processes with this mark besides the engine: what it started when it was asked to end was
/// not below it before.
pub(super) fn marked(mark: &[u8], engine: Option<u32>) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let has_mark = |id: &u32| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        Some(*id) != engine
            && environment
                .split(|byte| *byte == 0)
                .any(|entry| entry == mark)
    };
    ids.filter(has_mark).collect()
}

/// How many of these processes run.
pub(super) fn count_running(processes: &[u32]) -> usize {
    processes.iter().filter(|id| is_running(**id)).count()
}

/// Whether a process runs; one that has ended and waits for its parent does not.
fn is_running(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| {
        let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        !state.starts_with('Z') && !state.starts_with('X')
    })
}
