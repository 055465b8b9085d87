//! Limits of time and memory.

use super::{bytes, duration};
use crate::memory;
use clap::Args;
use kernel::budget::Budget;
use std::time::Duration;

/// Limits of time and memory.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Limits {
    /// Stop when states and stacks need more memory than this, such as 500M or 4G; the default is 90 % of the free
    /// memory
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory_limit: Option<u64>,
    /// Stop after this time, such as 30s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
}

impl Limits {
    /// The budget that these limits leave, from now on.
    pub(crate) fn budget(&self) -> Budget {
        let mut budget = Budget::unlimited();
        budget.memory = self.memory_limit.or_else(memory::most_of_what_is_free);
        match self.time_limit {
            Some(time) => budget.within(time),
            None => budget,
        }
    }
}
