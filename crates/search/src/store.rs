//! Visited states.
//!
//! - [`exact`]: every state kept whole.

pub mod exact;
mod prefetch;
