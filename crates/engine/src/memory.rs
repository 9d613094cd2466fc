//! How much memory there is for a transposition table.
//!
//! A table that is larger than the memory is handed out all the same on Linux, and
//! the process is killed when it is used. So the kernel is asked before: what is
//! available, and what the control groups around this process allow.

use std::fs;
use std::path::Path;

/// Mebibytes that a table may have here; `None` where the system is not asked.
/// An eighth is left to everything else.
pub(crate) fn for_a_table() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let available = available(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = allowed(&groups, |file| fs::read_to_string(file).ok());
    let bytes = allowed.map_or(available, |allowed| allowed.min(available));
    usize::try_from((bytes - bytes / 8) >> 20).ok()
}

/// From `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The smallest limit of the groups that `/proc/self/cgroup` names and of those
/// above them, in both versions of control groups. Some may not be visible from
/// here; those above still are.
fn allowed(groups: &str, read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let mut smallest = None;
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            continue;
        };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = Path::new(root).join(path.trim_start_matches('/'));
        for folder in group
            .ancestors()
            .take_while(|folder| folder.starts_with(root))
        {
            // Where there is no limit the file says `max`.
            let limit = read(&folder.join(file)).and_then(|text| text.trim().parse().ok());
            smallest = [smallest, limit].into_iter().flatten().min();
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_says_what_is_available() {
        let text = "MemTotal:  2048 kB\nMemFree: 1 kB\nMemAvailable:   1024 kB\n";
        assert_eq!(available(text), Some(1 << 20));
        assert_eq!(available("MemTotal: 5 kB\n"), None);
        assert_eq!(available("MemAvailable: 99999999999999999999 kB\n"), None);
    }

    #[test]
    fn the_smallest_limit_of_all_groups_counts() {
        let files = |path: &Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/a/b/memory.max" => "max\n",
                "/sys/fs/cgroup/a/memory.max" => "5000\n",
                "/sys/fs/cgroup/memory.max" => "9000\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes" => "4000\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(allowed("0::/a/b\n", files), Some(5000));
        assert_eq!(allowed("0::/hidden\n", files), Some(9000));
        let old = "3:cpu:/a\n2:blkio,memory:/x/y\n0::/a\n";
        assert_eq!(allowed(old, files), Some(4000));
        assert_eq!(allowed("", files), None);
        assert_eq!(allowed("nonsense\n4\n5:\n", files), None);
    }
}
