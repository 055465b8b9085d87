//! What travels between workers.

use serde::{Deserialize, Serialize};

/// Bytes from one worker for another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Packet {
    /// The worker that it is for.
    pub(crate) to: u32,
    /// The worker that sends it.
    pub(crate) from: u32,
    /// What it is.
    pub(crate) content: Content,
    /// As bytes in one piece, which is copied and not taken apart.
    #[serde(with = "serde_bytes")]
    pub(crate) bytes: Vec<u8>,
}

/// What a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Content {
    /// States for their owner.
    States,
    /// A message to all, of the exchange with this number.
    Message(u64),
}
