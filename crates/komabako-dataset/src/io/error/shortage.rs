//! [`Shortage`]: why a job would not finish.

use std::path::PathBuf;

/// Why a job would not finish.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Shortage {
    /// It needs more memory than is allowed or installed.
    #[error("the job needs {needed} bytes of memory and may take {allowed}; allow it more")]
    Memory {
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that it may take.
        allowed: u64,
    },
    /// It would fill a disk.
    #[error(
        "{}: the job needs {needed} bytes there and {free} are free; make room, or name another directory",
        path.display()
    )]
    Disk {
        /// A directory on that disk.
        path: PathBuf,
        /// The bytes that it needs there.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
}
