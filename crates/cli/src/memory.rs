//! How much memory there is, so that a search ends in a verdict before the system ends the search.
//!
//! Three parties limit the memory of a process: the machine, the control groups that the process is in, and the limits that a
//! shell sets with `ulimit`. The smallest limit counts.

use std::fs::read_to_string;
use std::path::Path;

/// Most of the memory that is free, as far as the system tells; nothing where it does not.
pub(crate) fn most_of_what_is_free() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let groups = read_to_string("/proc/self/cgroup").map_or_else(|_| Vec::new(), |text| folders(&text));
    let group = groups.iter().filter_map(|folder| left_in_group(Path::new(folder))).min();
    let free = [machine, group].into_iter().flatten().min().map(|free| free / 10 * 9);
    // A table that grows needs its old and its new place at once. Both count for limits of the address space, but only
    // what is in use counts for the others.
    let space = address_space_left().map(|left| left / 2);
    [free, space].into_iter().flatten().min()
}

/// The bytes that the process may still reserve, if `ulimit` limits its address space or its data.
fn address_space_left() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let status = read_to_string("/proc/self/status").ok()?;
    let left = |limit: &str, used: &str| Some(soft_limit(&limits, limit)?.saturating_sub(in_status(&status, used)?));
    [left("Max address space", "VmSize:"), left("Max data size", "VmData:")].into_iter().flatten().min()
}

/// A soft limit in `/proc/self/limits`; none if it is unlimited.
fn soft_limit(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

/// A size in `/proc/self/status`, in bytes.
fn in_status(text: &str, name: &str) -> Option<u64> {
    kilobytes(text.lines().find_map(|line| line.strip_prefix(name))?)
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(text: &str) -> Option<u64> {
    kilobytes(text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?)
}

/// A size such as `100 kB`, in bytes.
fn kilobytes(text: &str) -> Option<u64> {
    text.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The folders of the control groups of a process and of all groups around them, from `/proc/self/cgroup`.
fn folders(text: &str) -> Vec<String> {
    let mut folders = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        // In version 2 there is one hierarchy; in version 1 memory has its own.
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            list if list.split(',').any(|one| one == "memory") => "/sys/fs/cgroup/memory",
            _ => continue,
        };
        let around = Path::new(path).ancestors().map(|group| group.to_string_lossy().into_owned());
        folders.extend(around.map(|group| format!("{root}{}", group.trim_end_matches('/'))));
    }
    folders
}

/// What a control group with a limit still allows.
fn left_in_group(folder: &Path) -> Option<u64> {
    let read = |name: &str| read_to_string(folder.join(name)).ok();
    let second = group_limit(read("memory.max").as_deref(), read("memory.current").as_deref());
    let first = || group_limit(read("memory.limit_in_bytes").as_deref(), read("memory.usage_in_bytes").as_deref());
    second.or_else(first)
}

fn group_limit(most: Option<&str>, current: Option<&str>) -> Option<u64> {
    let most: u64 = most?.trim().parse().ok()?;
    let current: u64 = current?.trim().parse().ok()?;
    Some(most.saturating_sub(current))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_system_writes_it() {
        assert_eq!(available("MemTotal:       9 kB\nMemAvailable:   100 kB\n"), Some(102_400));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(group_limit(Some("1000\n"), Some("300\n")), Some(700));
        assert_eq!(group_limit(Some("1000\n"), Some("1300\n")), Some(0));
        assert_eq!(group_limit(Some("max\n"), Some("300\n")), None);
    }

    #[test]
    fn limits_of_the_shell_are_read_as_the_system_writes_them() {
        let text = "Limit                     Soft Limit           Hard Limit           Units     \n\
                    Max data size             unlimited            unlimited            bytes     \n\
                    Max address space         1024000000           unlimited            bytes     \n";
        assert_eq!(soft_limit(text, "Max address space"), Some(1_024_000_000));
        assert_eq!(soft_limit(text, "Max data size"), None);
        assert_eq!(in_status("VmPeak:\t 9 kB\nVmSize:\t    3000 kB\n", "VmSize:"), Some(3_072_000));
    }

    #[test]
    fn groups_around_a_group_count() {
        let second = ["/sys/fs/cgroup/user/job", "/sys/fs/cgroup/user", "/sys/fs/cgroup"];
        assert_eq!(folders("0::/user/job\n"), second);
        let first = ["/sys/fs/cgroup/memory/job", "/sys/fs/cgroup/memory"];
        assert_eq!(folders("4:cpu,cpuacct:/x\n3:memory:/job\n"), first);
    }
}
