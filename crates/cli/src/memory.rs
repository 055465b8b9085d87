//! How much memory there is, so that a search ends in a verdict before the system ends the search.

use std::fs::read_to_string;

/// Nine tenths of the memory that is free, as far as the system tells; nothing where it does not.
pub(crate) fn most_of_what_is_free() -> Option<u64> {
    let system = read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let group = group_limit(
        read_to_string("/sys/fs/cgroup/memory.max").ok().as_deref(),
        read_to_string("/sys/fs/cgroup/memory.current").ok().as_deref(),
    );
    let free = match (system, group) {
        (Some(system), Some(group)) => system.min(group),
        (system, group) => system.or(group)?,
    };
    Some(free / 10 * 9)
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// What a control group with a limit still allows.
fn group_limit(most: Option<&str>, current: Option<&str>) -> Option<u64> {
    let most: u64 = most?.trim().parse().ok()?;
    let current: u64 = current?.trim().parse().ok()?;
    most.checked_sub(current)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_system_writes_it() {
        assert_eq!(available("MemTotal:       9 kB\nMemAvailable:   100 kB\n"), Some(102_400));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(group_limit(Some("1000\n"), Some("300\n")), Some(700));
        assert_eq!(group_limit(Some("max\n"), Some("300\n")), None);
    }
}
