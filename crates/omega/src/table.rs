//! Hash tables with a hash function for short keys.
//!
//! Keys are numbers of formulas and states, labels, and short lists of these, which the crate makes itself. The function of
//! the standard library resists keys that were chosen to collide; on these keys it took a twelfth of the time of a
//! translation.

use foldhash::fast::FixedState;

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, FixedState>;
pub(crate) type HashSet<K> = std::collections::HashSet<K, FixedState>;
