//! [`Stamp`]: the size and time of a file, by which a later run recognises it.

use std::fs::Metadata;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// The size and time of a file; zeros if they are unknown. Renaming the file does not change them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Stamp {
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl Stamp {
    /// The stamp of a file with this metadata.
    pub fn new(metadata: &Metadata) -> Stamp {
        let age = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = age.map_or(0, |age| u64::try_from(age.as_nanos()).unwrap_or(u64::MAX));
        Stamp { bytes: metadata.len(), modified }
    }
}
